#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares the sums of "tring flame" with "tring top sched", to the nanosecond.

    flame.py TRING DIR
"""
import json
import subprocess
import sys
from collections import Counter
from decimal import Decimal

STATES = {'blocked-s': '[blocked]', 'waiting-s': '[waiting for a CPU]',
          'unknown-s': '[unknown: events were lost, or not recorded]'}


def run(*command):
    """The lines of a command, which has to succeed."""
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout.splitlines()


def find_wanted(lines):
    """Of each task and state the time in ns."""
    wanted = Counter()
    for line in lines:
        row = json.loads(line, parse_float=Decimal)
        if row.get('table') == 'sched':
            for column, state in STATES.items():
                wanted[f"{row['task']}-{row['pid']}", state] += int(row[column] * 1000000000)
    return +wanted


def find_sums(lines, names):
    """The same of folded stacks."""
    sums = Counter()
    for line in lines:
        stack, value = line.rsplit(' ', 1)
        frames = stack.split(';')
        state = next(frame for frame in frames if frame in names)
        sums[frames[0], state] += int(value)
    return sums


def compare(tring, trace, name, options, names):
    """Compares the sums of some states."""
    wanted = {key: ns for key, ns in
              find_wanted(run(tring, 'top', '--json', 'sched', trace)).items() if key[1] in names}
    sums = find_sums(run(tring, 'flame', '--tasks', *options, trace), names)
    for key in sorted(wanted.keys() | sums.keys()):
        if wanted.get(key, 0) != sums[key]:
            sys.exit(f'{name}: {key}: top {wanted.get(key, 0)}, flame {sums[key]}')
    unknown = sum(key[1].startswith('[unknown') for key in wanted)
    print(f'{name}: {len(wanted)} sums compared, {unknown} of them unknown')


def main():
    tring, trace = sys.argv[1:]
    every = list(STATES.values())
    compare(tring, trace, 'off-cpu', [], every)
    compare(tring, trace, 'wakeup', ['--wakeup'], [every[0], every[2]])


main()
