#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Repeats a recording until it has enough events for a measurement.

    enlarge-trace.py ctf COPIES FROM TO         a directory of tring record
    enlarge-trace.py trace.dat COPIES FROM TO   version 6, of trace-cmd record

Each copy is the whole recording, moved by its duration. The result is valid:
times rise, and sequence numbers and loss counters go on.
"""
import os
import shutil
import struct
import sys

import tring_packets

class Packet:
    """One packet, and the places of its full timestamps."""

    def __init__(self, data, name):
        self.data = data
        self.header = tring_packets.read_packet(data, 0, name)
        self.full_stamps = [
            record.stamp_at for record in
            tring_packets.records(data, self.header, {}, name)
            if record.stamp_at]

    def moved(self, ticks, packets, losses):
        """A copy of the packet with later times and higher numbers."""
        data = bytearray(self.data)
        order = self.header.order
        struct.pack_into(order + 'QQ', data,
                         tring_packets.TIMESTAMPS_OFFSET,
                         self.header.begin + ticks, self.header.end + ticks)
        struct.pack_into(order + 'QQ', data,
                         tring_packets.SEQUENCE_OFFSET,
                         self.header.sequence + packets,
                         self.header.lost + losses)
        for at in self.full_stamps:
            stamp, = struct.unpack_from(order + 'Q', data, at)
            struct.pack_into(order + 'Q', data, at, stamp + ticks)
        return data


def read_packets(path):
    """The packets of one stream."""
    with open(path, 'rb') as file:
        data = file.read()
    return [Packet(data[header.start:header.start + header.size], path)
            for header in tring_packets.packets(data, path)]


def enlarge_ctf(copies, source, target):
    """Moves by multiples of 2^27 ticks, so compact timestamps stay valid."""
    shutil.copytree(source, target)
    names = [name for name in os.listdir(source)
             if name.startswith('cpu') and name[3:].isdigit()]
    streams = {name: read_packets(os.path.join(source, name))
               for name in names}
    begin = min(stream[0].header.begin for stream in streams.values() if stream)
    end = max(stream[-1].header.end for stream in streams.values() if stream)
    bits = tring_packets.STAMP_BITS
    ticks = (((end - begin) >> bits) + 1) << bits
    for name, stream in streams.items():
        if not stream:
            continue
        packets = stream[-1].header.sequence - \
            stream[0].header.sequence + 1
        losses = stream[-1].header.lost - stream[0].header.lost
        with open(os.path.join(target, name), 'wb') as file:
            for copy in range(copies):
                for packet in stream:
                    file.write(packet.moved(copy * ticks, copy * packets,
                                            copy * losses))


def enlarge_trace_dat(copies, source, target):
    """Moves the time of each page; the events' times are relative to it."""
    with open(source, 'rb') as file:
        data = bytearray(file.read())
    page_size = 4096
    table = data.index(b'flyrecord\0') + len(b'flyrecord\0')
    # the number of CPUs precedes the options, and flyrecord is the last one
    cpus = 0
    first, = struct.unpack_from('<Q', data, table)
    while table + 16 * cpus < first and cpus < 4096:
        offset, size = struct.unpack_from('<QQ', data, table + 16 * cpus)
        if offset % page_size or size % page_size or \
                offset + size > len(data) or not offset:
            break
        cpus += 1
    regions = [struct.unpack_from('<QQ', data, table + 16 * cpu)
               for cpu in range(cpus)]
    stamps = [struct.unpack_from('<Q', data, at)[0]
              for offset, size in regions
              for at in range(offset, offset + size, page_size)]
    # plus the duration of the last page
    step = (max(stamps) - min(stamps)) * 11 // 10
    at = first
    for cpu, (offset, size) in enumerate(regions):
        struct.pack_into('<QQ', data, table + 16 * cpu, at, size * copies)
        at += size * copies
    with open(target, 'wb') as file:
        file.write(data[:first])
        for offset, size in regions:
            region = data[offset:offset + size]
            for copy in range(copies):
                for page in range(0, size, page_size):
                    stamp, = struct.unpack_from('<Q', data, offset + page)
                    struct.pack_into('<Q', region, page, stamp + copy * step)
                file.write(region)


def main():
    kind, copies, source, target = sys.argv[1:]
    if kind == 'ctf':
        enlarge_ctf(int(copies), source, target)
    else:
        enlarge_trace_dat(int(copies), source, target)


main()
