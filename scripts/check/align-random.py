#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Aligns random traces whose order is known, see scripts/trace/align.py and align_tasks.py.

usage: align-random.py SEED COUNT

Simulates one CPU: system calls of a task, whose tracepoints have two events each, and
interrupts that come between any two probes, also between those of an interrupt. The second
trace is switched on and off between any two probes. Each pair of traces must be aligned, and
must no longer be so if an event of the second trace's middle is missing.
"""

import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "trace"))
import align
import align_tasks

TASK, SOFTIRQ, HARDIRQ = 0, align.FLAG_SOFTIRQ, align.FLAG_HARDIRQ | align.FLAG_IRQS_OFF
# Further in from both ends than any event that can be open there
EDGE = 40


class Cpu:
    """Two traces of one CPU, written by a random program"""

    def __init__(self, choose):
        self.choose = choose
        self.first, self.second = [], []
        self.calls = self.probes = 0
        self.begin, self.end = choose.randrange(100, 300), choose.randrange(500, 700)

    def probe(self, trace, event):
        """Writes an event, unless its trace is off; then an interrupt may come"""
        self.probes += 1
        name, flags, call = event
        if trace is self.first or self.begin <= self.probes < self.end:
            trace.append(align_tasks.written(0, len(trace), name, flags, 0, self.probes, False,
                                             call))
        if flags != HARDIRQ and self.choose.random() < 0.15:
            self.call(["irq"], self.choose.choice([HARDIRQ] if flags else [SOFTIRQ, HARDIRQ]))

    def call(self, names, flags):
        """A call of a tracepoint: the first trace's probes, then the second's"""
        self.calls += 1
        events = [(f"{name} {self.calls}", flags, names[0] if len(names) > 1 else None)
                  for name in names]
        for trace in self.first, self.second:
            for event in events:
                self.probe(trace, event)

    def run(self):
        while self.probes < 1000:
            self.call(["sys_enter", "sys_enter_x"], TASK)
            self.call(["sys_exit", "sys_exit_x"], TASK)


def aligned(first, second):
    return not align_tasks.Tasks({0: first}, {0: second}).errors


def main(arguments):
    seed, count = map(int, arguments)
    choose = random.Random(seed)
    for number in range(count):
        cpu = Cpu(choose)
        cpu.run()
        if not aligned(cpu.first, cpu.second):
            sys.exit(f"seed {seed}, traces {number}: not aligned")
        missing = choose.randrange(EDGE, len(cpu.second) - EDGE)
        if aligned(cpu.first, cpu.second[:missing] + cpu.second[missing + 1:]):
            sys.exit(f"seed {seed}, traces {number}: nothing told that event {missing} is missing")
    print(f"{count} pairs of traces aligned")


if __name__ == "__main__":
    main(sys.argv[1:])
