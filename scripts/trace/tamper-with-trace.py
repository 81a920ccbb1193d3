#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Damages one stream of a trace, which the comparison must notice.

usage: tamper-with-trace.py HOW FTRACE-DIR STREAM

HOW is flip (a bit of an argument), memory (a bit of what a probe reads in memory, each time),
context (whether interrupts were off), pid,
swap (two neighbours), drop (one event), repeat (one event), early (a stamp),
header (of a packet: its format's version), beginning or end (packets cut off). The comparison
must not notice stale (all bytes behind the ends of texts).
FTRACE-DIR is as for compare-with-ftrace.py, STREAM is a file of packets in a
directory of "tring record", changed in place.
"""

import os
import struct
import sys

import ftrace_pages
import tring_packets
from arguments import arguments_of, release_of

WORD = 4


def can_move(record):
    """True for a short record without a pid of its own"""
    return record.kind <= tring_packets.SHORT_MAX and record.pid_at is None


def pair(data, packet, short_ids):
    """Two neighbours of one size and context, of different events

    Of one event they might differ in a sampled field alone, which no comparison
    sees. Less than a millisecond lies between them, so that a wrong timestamp
    of the first is wrong for the second.
    """
    records = list(tring_packets.records(data, packet, short_ids, "stream"))
    for one, two in zip(records, records[1:]):
        size = two.at - one.at
        if can_move(one) and can_move(two) and one.context == two.context and \
                two.fields + two.length == two.at + size and \
                one.kind != two.kind and two.stamp - one.stamp < 1000000:
            return one, two, size
    return None


def pid_of(data, packet, short_ids, at):
    """Place of the pid of the record at `at`"""
    return [record.pid_at for record in
            tring_packets.records(data, packet, short_ids, "stream")
            if record.at <= at and record.pid_at is not None][-1]


def swap(data, one, two, size):
    """Swaps two records, except their timestamps"""
    a, b = data[one + WORD:one + size], data[two + WORD:two + size]
    data[one + WORD:one + size], data[two + WORD:two + size] = b, a
    first, second = (struct.unpack_from("<I", data, at)[0]
                     for at in (one, two))
    struct.pack_into("<I", data, one, first & ~31 | second & 31)
    struct.pack_into("<I", data, two, second & ~31 | first & 31)


def flip(data, records, places):
    """Flips a bit of the field at its event's place in all the records of one event"""
    event = next(record.id for record in records if record.id in places)
    for record in records:
        if record.id == event:
            data[record.fields + places[event] - ftrace_pages.ENTRY.size] ^= 0x80


def make_stale(data, records, events):
    """Changes the bytes behind the ends of texts"""
    for record in records:
        for field in events[record.id].fields if record.id in events else ():
            start = record.fields + field.offset - ftrace_pages.ENTRY.size
            end = start + field.size
            text = data[start:end].find(b"\0") if field.text else -1
            if text >= 0:
                data[start + text + 1:end] = b"x" * (field.size - text - 1)


def places_of(events, fixed, are_arguments):
    """{id: last byte of a field that is, or is not, an argument; the first byte of a text}"""
    return {number: field.offset + (0 if field.text else field.size - 1)
            for number, event in events.items()
            for field in event.fields
            if field.offset >= ftrace_pages.ENTRY.size and not field.dynamic and
            (field.name in fixed.get(event.name, ())) == are_arguments}


def tamper(how, events, fixed, data, short_ids):
    """Returns the damaged stream"""
    packets = list(tring_packets.packets(data, "stream"))
    half = len(packets) // 2
    if half == 0:
        raise SystemExit("a trace of one packet is too short to be damaged")
    if how == "beginning":
        return data[packets[half].start:]
    if how == "end":
        return data[:packets[half].start]
    for packet in packets[half:]:
        found = pair(data, packet, short_ids)
        if found:
            break
    else:
        raise SystemExit("no two neighbours to damage")
    one, two, size = found[0].at, found[1].at, found[2]
    end = packet.start + packet.content
    if how in ("flip", "memory"):
        records = [record for packet in packets[half:half + (1 if how == "flip" else half)]
                   for record in tring_packets.records(data, packet, short_ids, "stream")]
        flip(data, records, places_of(events, fixed, how == "flip"))
    elif how == "stale":
        make_stale(data, [record for packet in packets for record in
                          tring_packets.records(data, packet, short_ids, "stream")], events)
    elif how == "context":
        data[one + WORD] ^= tring_packets.IRQS_OFF
    elif how == "pid":
        data[pid_of(data, packet, short_ids, one)] ^= 1
    elif how == "header":
        data[packet.start + tring_packets.VERSION_OFFSET] ^= 1
    elif how == "swap":
        swap(data, one, two, size)
    elif how == "drop":
        del data[one:one + size]
        data[end - size:end - size] = bytes(size)
        struct.pack_into("<I", data,
                         packet.start + tring_packets.CONTENT_SIZE_OFFSET,
                         (packet.content - size) * 8)
    elif how == "repeat":
        data[two:two + size] = data[one:one + size]
    elif how == "early":
        word, = struct.unpack_from("<I", data, one)
        stamp = (word >> 5) - 100000000 & tring_packets.STAMP_MASK
        struct.pack_into("<I", data, one, stamp << 5 | word & 31)
    else:
        raise SystemExit(__doc__)
    return data


def main(arguments):
    if len(arguments) != 4:
        raise SystemExit(__doc__)
    how, ftrace_dir, stream = arguments[1:]
    with open(os.path.join(ftrace_dir, "formats"), encoding="utf-8") as f:
        events = ftrace_pages.parse_formats(f.read())
    with open(stream, "rb") as f:
        data = bytearray(f.read())
    directory = os.path.dirname(stream) or "."
    data = tamper(how, events, arguments_of(release_of(directory)), data,
                  tring_packets.short_ids_of(directory))
    with open(stream, "wb") as f:
        f.write(data)


if __name__ == "__main__":
    main(sys.argv)
