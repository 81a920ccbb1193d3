#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""fake-rdtsc.py MODULE.ko OUT.ko - lets step.c fake the clock

Writes a copy of the module in which int3 and nop stand in place of each rdtsc. Prints how
many there are; none is an error.
"""

import re
import subprocess
import sys

RDTSC, INT3_NOP = b"\x0f\x31", b"\xcc\x90"


def objdump(option, module):
    """Lines of objdump's output"""
    return subprocess.run(["objdump", option, "-w", module], check=True,
                          capture_output=True, text=True).stdout.splitlines()


def main():
    """Finds the instructions, not their bytes, which others may contain, too"""
    module, out = sys.argv[1:]
    with open(module, "rb") as file:
        content = bytearray(file.read())
    places = {}
    for line in objdump("-h", module):
        match = re.match(r" *\d+ (\S+) +[0-9a-f]+ +[0-9a-f]+ +[0-9a-f]+ +([0-9a-f]+) ", line)
        if match:
            places[match[1]] = int(match[2], 16)
    section, count = None, 0
    for line in objdump("-d", module):
        match = re.match(r"Disassembly of section (\S+):", line)
        if match:
            section = places[match[1]]
        match = re.match(r" *([0-9a-f]+):\t0f 31 +\trdtsc", line)
        if match:
            at = section + int(match[1], 16)
            if content[at:at + 2] != RDTSC:
                sys.exit(f"{module}: no rdtsc at {at:#x}")
            content[at:at + 2] = INT3_NOP
            count += 1
    if not count:
        sys.exit(f"{module}: there is no rdtsc")
    with open(out, "wb") as file:
        file.write(content)
    print(f"{count} rdtsc")


main()
