#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""stop-and-continue.py SEED PID - stops each process that descends from PID at random moments

A process runs for 0.4 to 6 seconds, and is stopped for 0.2 to 3, a third of the time. So it goes
on until PID has ended.
"""
import os
import random
import signal
import sys
import time


def children():
    """The processes of each parent: {pid: [pid, ...]}."""
    found = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="latin-1") as stat:
                parent = int(stat.read().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        found.setdefault(parent, []).append(int(name))
    return found


def descendants(pid):
    """All processes that descend from PID."""
    found = children()
    todo = list(found.get(pid, []))
    for pid in todo:
        todo += found.get(pid, [])
    return todo


def send(pid, number):
    """Sends a signal to a process, which may have ended."""
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        pass


def main():
    random.seed(int(sys.argv[1]))
    pid = int(sys.argv[2])
    # When each process is stopped or continued next, and whether it is stopped now.
    due = {}
    stopped = set()
    while os.path.exists(f"/proc/{pid}"):
        now = time.monotonic()
        alive = descendants(pid)
        due = {one: due.get(one, now + random.uniform(0, 6)) for one in alive}
        stopped &= set(alive)
        for one in alive:
            if due[one] > now:
                continue
            if one in stopped:
                stopped.discard(one)
                send(one, signal.SIGCONT)
                due[one] = now + random.uniform(0.4, 6)
            else:
                stopped.add(one)
                send(one, signal.SIGSTOP)
                due[one] = now + random.uniform(0.2, 3)
        time.sleep(0.05)
    for one in stopped:
        send(one, signal.SIGCONT)


if __name__ == "__main__":
    main()
