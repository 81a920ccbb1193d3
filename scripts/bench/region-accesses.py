#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Prints how often writers access memory that outlives the kernel.

usage: region-accesses.py EVENT COUNTS KALLSYMS STATS

COUNTS is from scripts/qemu/count-accesses.c, KALLSYMS and STATS from
scripts/guest/region-accesses.sh.
"""

import bisect
import re
import sys

WRITERS = re.compile(r"tring_(probe_\w+|reserve_slow|deliver|discard_slow)$")


def main():
    """Sums up by functions"""
    event, counts, kallsyms, stats = sys.argv[1:]
    with open(kallsyms, encoding="ascii") as file:
        lines = [line.split() for line in file]
    functions = sorted((int(line[0], 16), line[2]) for line in lines if line[1] in "tT")
    with open(stats, encoding="ascii") as file:
        text = file.read()
    events = sum(int(number) for number in re.findall(r"^committed: (\d+)$", text, re.M))
    loads = stores = locked = 0
    with open(counts, encoding="ascii") as file:
        for line in file:
            address, some_loads, some_stores, is_locked = line.split()
            at = bisect.bisect(functions, (int(address, 16), "~")) - 1
            if at < 0 or not WRITERS.match(functions[at][1]):
                continue
            loads += int(some_loads)
            stores += int(some_stores)
            locked += int(some_stores) * int(is_locked)
    print(f"{event}: {events} events; each {loads / events:.2f} loads, "
          f"{stores / events:.2f} stores, {locked / events:.4f} of them locked")


main()
