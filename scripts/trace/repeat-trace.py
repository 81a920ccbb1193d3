#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Copies a trace as if what it shows had happened again and again.

usage: repeat-trace.py TRACE COPY TIMES

For measurements with many events, whose mix is that of a real trace.
"""

import os
import re
import shutil
import struct
import sys

import tring_packets

BEGIN, END, SEQUENCE = 64, 72, 88
COUNTED = ("reserved", "committed", "read", "committed_bytes", "read_bytes", "packets_read")


def full_stamps(data, packet, short_ids, name):
    """Offsets of all numbers of a packet that are whole timestamps"""
    yield packet.start + BEGIN
    yield packet.start + END
    for record in tring_packets.records(data, packet, short_ids, name):
        if record.stamp_at is not None:
            yield record.stamp_at


def repeat(path, data, packets, stamps, period, times):
    """Writes a stream"""
    with open(path, "wb") as file:
        for turn in range(times):
            copy = bytearray(data)
            for at in stamps:
                stamp, = struct.unpack_from("<Q", copy, at)
                struct.pack_into("<Q", copy, at, stamp + turn * period)
            for packet in packets:
                struct.pack_into("<Q", copy, packet.start + SEQUENCE,
                                 packet.sequence + turn * len(packets))
            file.write(copy)


def count(path, times):
    """Counts events as often as they are there."""
    with open(path, encoding="ascii") as file:
        text = file.read()
    for name in COUNTED:
        text = re.sub(rf"^{name}: (\d+)$",
                      lambda found, name=name: f"{name}: {int(found[1]) * times}", text,
                      flags=re.MULTILINE)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def main():
    """Copies and repeats"""
    trace, copy, times = sys.argv[1], sys.argv[2], int(sys.argv[3])
    shutil.copytree(trace, copy)
    short_ids = tring_packets.short_ids_of(copy)
    streams = {}
    for name in sorted(os.listdir(copy)):
        if re.fullmatch(r"cpu\d+", name):
            with open(os.path.join(copy, name), "rb") as file:
                data = file.read()
            streams[name] = data, list(tring_packets.packets(data, name))
    begin = min(packets[0].begin for _, packets in streams.values() if packets)
    end = max(packets[-1].end for _, packets in streams.values() if packets)
    # compact timestamps stay as they are
    unit = tring_packets.STAMP_MASK + 1
    period = (end - begin + unit) // unit * unit
    for name, (data, packets) in streams.items():
        stamps = [at for packet in packets
                  for at in full_stamps(data, packet, short_ids, name)]
        repeat(os.path.join(copy, name), data, packets, stamps, period, times)
        count(os.path.join(copy, "tring", f"{name}.end"), times)


if __name__ == "__main__":
    main()
