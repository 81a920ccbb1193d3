#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks a trace that tring salvage has made of the memory of a machine that ended.

usage: check-blackbox.py TRING TRACE WORD IMAGE [UNREADABLE]

TRING is the reader, IMAGE the whole memory of the guest in which numbered-markers has run with
WORD. On each CPU the numbers must be there without a hole, each once, up to the last write that
had ended; the one behind it may be there, too. UNREADABLE of them may be missing. Babeltrace2
must show the same events as tring report, without a warning but of losses.
"""

import collections
import re
import struct
import subprocess
import sys

PAGE = 4096
MARKER = re.compile(r"cpu (\d+) marker (\d+)$")
# Discarded records are tring_discarded to babeltrace2, and nothing to tring report.
LINE = re.compile(r"^\[\d\d:\d\d:\d\d\.\d+\] (?!.* tring_discarded: )", re.M)
# The ring overwrites its oldest events.
LOST = re.compile(r"WARNING: Tracer discarded \d+ events? between ")
EVENT = re.compile(r"^ *\S.*-\d+ +\[(\d+)\] \S+ +\d+\.\d+: ")


def run(*command):
    """Output of a command that must end with 0 and without a message, but for losses"""
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    messages = [line for line in done.stderr.splitlines() if line and not LOST.match(line)]
    if done.returncode or messages:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr[:2000]}")
    return done.stdout


def ended_writes(path, word):
    """Writes that had ended, by CPU"""
    ended = {}
    with open(path, "rb") as file:
        while page := file.read(PAGE):
            if len(page) == PAGE:
                found, cpu, count = struct.unpack_from("<QQQ", page)
                if found == word:
                    ended[cpu] = max(count, ended.get(cpu, 0))
    return ended


def main():
    """Compares markers and viewers"""
    tring, trace, word, image = sys.argv[1:5]
    unreadable = int(sys.argv[5]) if len(sys.argv) > 5 else 0
    missing = 0
    ended = ended_writes(image, int(word, 16))
    if not ended:
        sys.exit(f"{image}: numbered-markers has left no page")
    numbers = collections.defaultdict(list)
    events = 0
    for line in run(tring, "report", trace).splitlines():
        found = EVENT.match(line)
        if not found:
            continue
        events += 1
        marker = MARKER.search(line)
        if marker:
            numbers[int(marker[1])].append(int(marker[2]))
            if int(found[1]) != int(marker[1]):
                sys.exit(f"{line}: on another CPU")
    viewed = len(LINE.findall(run("babeltrace2", trace)))
    print(f"report {events}, babeltrace2 {viewed} events")
    if not events or events != viewed:
        sys.exit("the viewers differ")
    for cpu, last in sorted(ended.items()):
        mine = numbers[cpu]
        if not mine:
            sys.exit(f"cpu {cpu}: no marker, {last} writes had ended")
        print(f"cpu {cpu}: markers {mine[0]} to {mine[-1]}; {last} writes had ended")
        for before, number in zip(mine, mine[1:]):
            if number <= before:
                sys.exit(f"cpu {cpu}: behind {before} comes {number}")
            missing += number - before - 1
        if mine[-1] > last + 1:
            sys.exit(f"cpu {cpu}: the last marker is {mine[-1]}")
        missing += max(0, last - mine[-1])
    if missing > unreadable:
        sys.exit(f"{missing} markers are missing")


if __name__ == "__main__":
    main()
