#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Repeats what was recorded until there are enough events for a measurement.

    enlarge-trace.py ctf COPIES FROM TO         a directory of tring record
    enlarge-trace.py trace.dat COPIES FROM TO   version 6, of trace-cmd record

Each copy is the whole recording again, later by as much as it lasts. Both
results are valid: times rise, sequence numbers and loss counters go on.
"""
import os
import shutil
import struct
import sys

PACKET_HEADER = 64
STAMP_BITS = 27
EXTENDED = 31
BYTES = 0


class Packet:
    """One packet and where full timestamps lie in it."""

    def __init__(self, data):
        self.data = data
        self.order = '<' if data[0] == 0xC1 and data[3] == 0xC1 and \
            struct.unpack('<I', data[:4])[0] == 0xC1FC1FC1 else '>'
        (self.begin, self.end, content, _, self.seq, self.discarded) = \
            struct.unpack(self.order + 'QQIIQQ', data[24:PACKET_HEADER])
        self.full_stamps = []
        at = PACKET_HEADER
        while at < content // 8:
            word, = struct.unpack_from(self.order + 'I', data, at)
            kind = word & 31 if self.order == '<' else word >> STAMP_BITS
            if kind == EXTENDED:
                self.full_stamps.append(at + 8)
            if kind in (BYTES, EXTENDED):
                length, = struct.unpack_from(self.order + 'I', data, at + 4)
                length += 8 if kind == BYTES else 16
            else:
                length = 4 + kind * 4
            at = (at + length + 3) & ~3

    def moved(self, ticks, packets, losses):
        """The packet again, later and further on."""
        data = bytearray(self.data)
        struct.pack_into(self.order + 'QQ', data, 24, self.begin + ticks,
                         self.end + ticks)
        struct.pack_into(self.order + 'QQ', data, 48, self.seq + packets,
                         self.discarded + losses)
        for at in self.full_stamps:
            stamp, = struct.unpack_from(self.order + 'Q', data, at)
            struct.pack_into(self.order + 'Q', data, at, stamp + ticks)
        return data


def read_packets(path):
    """The packets of one stream."""
    with open(path, 'rb') as file:
        data = file.read()
    packets = []
    at = 0
    while at < len(data):
        order = '<' if struct.unpack_from('<I', data, at)[0] == 0xC1FC1FC1 \
            else '>'
        size, = struct.unpack_from(order + 'I', data, at + 44)
        packets.append(Packet(data[at:at + size // 8]))
        at += size // 8
    return packets


def enlarge_ctf(copies, source, target):
    """Compact timestamps stay as they are if the rest moves by 2^27 ticks."""
    shutil.copytree(source, target)
    names = [name for name in os.listdir(source)
             if name.startswith('cpu') and name[3:].isdigit()]
    streams = {name: read_packets(os.path.join(source, name))
               for name in names}
    begin = min(stream[0].begin for stream in streams.values() if stream)
    end = max(stream[-1].end for stream in streams.values() if stream)
    ticks = (((end - begin) >> STAMP_BITS) + 1) << STAMP_BITS
    for name, stream in streams.items():
        if not stream:
            continue
        packets = stream[-1].seq - stream[0].seq + 1
        losses = stream[-1].discarded - stream[0].discarded
        with open(os.path.join(target, name), 'wb') as file:
            for copy in range(copies):
                for packet in stream:
                    file.write(packet.moved(copy * ticks, copy * packets,
                                            copy * losses))


def enlarge_trace_dat(copies, source, target):
    """A page of ftrace begins with its time, and the rest is relative to it."""
    with open(source, 'rb') as file:
        data = bytearray(file.read())
    page_size = 4096
    table = data.index(b'flyrecord\0') + len(b'flyrecord\0')
    # the number of CPUs stands before the options, of which flyrecord is last
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
    # the last page lasts for a while, too
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
