#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Flips one bit in one record of ftrace's persistent ring, and in one of tring's.

usage: damage-rings.py BIT IMAGE FTRACE-BEGIN FTRACE-SIZE TRING-BEGIN TRING-SIZE

IMAGE is a machine's memory. The first record of a sub-buffer in the middle of what each ring
holds is damaged: the low five bits of its first word are a length in ftrace, and in tring a
type, which has a length. BIT is 0 to 4. Prints where.
"""

import struct
import sys

PAGE = 4096
# of a sub-buffer: a timestamp and the bytes committed, with flags above them
FTRACE_HEAD = 16
FTRACE_DATA_MAX = 28
TRING_MAGIC = struct.pack("<I", 0xC1FC1FC1)
TRING_HEADER = 112
CPU_AT = 104
CONTENT_AT = 80


def ftrace_pages(memory, begin, size):
    """Full sub-buffers, with the time of each: (time, offset)"""
    for at in range(begin, begin + size, PAGE):
        time, commit = struct.unpack_from("<QQ", memory, at)
        (word,) = struct.unpack_from("<I", memory, at + FTRACE_HEAD)
        if time and 3000 < commit & 0xfffff <= PAGE - FTRACE_HEAD and \
                0 < word & 31 <= FTRACE_DATA_MAX:
            yield time, at


def tring_packets(memory, begin, size):
    """Packets of CPU 0: (time, offset)"""
    for at in range(begin, begin + size, PAGE):
        if memory[at:at + 4] != TRING_MAGIC:
            continue
        (time,) = struct.unpack_from("<Q", memory, at + 64)
        content, cpu = (struct.unpack_from("<I", memory, at + CONTENT_AT)[0],
                        struct.unpack_from("<Q", memory, at + CPU_AT)[0])
        if content and not cpu:
            yield time, at


def main():
    """Damages both"""
    bit, image = int(sys.argv[1]), sys.argv[2]
    numbers = [int(number, 0) for number in sys.argv[3:]]
    with open(image, "r+b") as file:
        memory = file.read()
        for name, pages, skip in (
                ("ftrace", ftrace_pages(memory, *numbers[:2]), FTRACE_HEAD),
                ("tring", tring_packets(memory, *numbers[2:]), TRING_HEADER)):
            pages = sorted(pages)
            if not pages:
                sys.exit(f"{name}: no sub-buffer found")
            at = pages[len(pages) // 2][1] + skip
            file.seek(at)
            file.write(bytes([memory[at] ^ 1 << bit]))
            print(f"{name}: bit {bit} of the byte at {at:#x}, one of {len(pages)} sub-buffers")


if __name__ == "__main__":
    main()
