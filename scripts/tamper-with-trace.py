#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Damages one stream of a trace, to see that the comparison notices.

usage: tamper-with-trace.py HOW FTRACE-DIR STREAM

HOW is flip (a bit of a field), swap (two neighbours), drop (one event),
repeat (one event), early (a stamp), beginning or end (packets cut off).
FTRACE-DIR is as for compare-with-ftrace.py, STREAM is a file of tring's
packets, changed in place.
"""

import importlib.util
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
SPEC = importlib.util.spec_from_file_location(
    "compare", os.path.join(HERE, "compare-with-ftrace.py"))
compare = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(compare)

WORDS_HEADER = 4
CONTENT_SIZE_OFFSET = 40


def packets(data):
    """(start, content end, end) of each packet"""
    start = 0
    while start < len(data):
        header = compare.TRING_HEADER.unpack_from(data, start)
        yield start, start + header[5] // 8, start + header[6] // 8
        start += header[6] // 8


def compact_records(data, start, end):
    """(offset, size) of the records with a 4-byte header, rounded size"""
    at = start + compare.TRING_HEADER.size
    while at < end:
        word, = struct.unpack_from("<I", data, at)
        kind = word & 31
        if 1 <= kind <= 28:
            size = WORDS_HEADER + kind * 4
            if at + size < end:
                yield at, size
        else:
            length, = struct.unpack_from("<I", data, at + 4)
            size = (16 if kind == 31 else 8) + (length + 3) // 4 * 4
        at += size


def pair(data, start, end):
    """Two neighbours of one size and context that differ in id or payload"""
    records = list(compact_records(data, start, end))
    for (one, size), (two, size2) in zip(records, records[1:]):
        a = data[one + 4:one + size]
        b = data[two + 4:two + size2]
        if one + size == two and size == size2 and a[2] == b[2] and a != b:
            return one, two, size
    return None


def tamper(how, events, data):
    """Returns the damaged stream"""
    all_packets = list(packets(data))
    if how == "beginning":
        return data[all_packets[len(all_packets) // 2][0]:]
    if how == "end":
        return data[:all_packets[len(all_packets) // 2][0]]
    for start, end, _ in all_packets[len(all_packets) // 2:]:
        found = pair(data, start, end)
        if found:
            break
    else:
        raise SystemExit("no two neighbours to damage")
    one, two, size = found
    if how == "flip":
        # The last byte of the last fixed field.
        event = events[struct.unpack_from("<H", data, one + 4)[0]]
        data[one + 4 + event.fixed_end - 1] ^= 0x80
    elif how == "swap":
        # Each keeps its place's stamp.
        a, b = data[one + 4:one + size], data[two + 4:two + size]
        data[one + 4:one + size], data[two + 4:two + size] = b, a
    elif how == "drop":
        del data[one:one + size]
        data[end - size:end - size] = bytes(size)
        content, = struct.unpack_from("<I", data, start + CONTENT_SIZE_OFFSET)
        struct.pack_into("<I", data, start + CONTENT_SIZE_OFFSET,
                         content - size * 8)
    elif how == "repeat":
        data[two:two + size] = data[one:one + size]
    elif how == "early":
        word, = struct.unpack_from("<I", data, one)
        stamp = (word >> 5) - 100000000 & compare.STAMP_MASK
        struct.pack_into("<I", data, one, stamp << 5 | word & 31)
    else:
        raise SystemExit(__doc__)
    return data


def main(arguments):
    if len(arguments) != 4:
        raise SystemExit(__doc__)
    how, ftrace_dir, stream = arguments[1:]
    with open(os.path.join(ftrace_dir, "formats"), encoding="utf-8") as f:
        events = compare.parse_formats(f.read())
    with open(stream, "rb") as f:
        data = bytearray(f.read())
    data = tamper(how, events, data)
    with open(stream, "wb") as f:
        f.write(data)


if __name__ == "__main__":
    main(sys.argv)
