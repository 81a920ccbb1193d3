#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of align.py with simulated CPUs, whose events are known.

Random numbers have fixed seeds, so that each run is the same.
"""

import random
import sys
import unittest

import align

TASK = 0
TASK_IRQS_OFF = align.FLAG_IRQS_OFF
SOFTIRQ = align.FLAG_SOFTIRQ
IRQ = align.FLAG_HARDIRQ | align.FLAG_IRQS_OFF
# Events at the beginning of an interrupt, which does not count as one yet.
IRQ_BEGINS = align.FLAG_IRQS_OFF
NMI = align.FLAG_NMI | align.FLAG_IRQS_OFF

CONTEXTS = (TASK, TASK_IRQS_OFF, SOFTIRQ, IRQ, IRQ_BEGINS, NMI)


class Cpu:
    """A CPU's events, and when each probe wrote each of them"""

    def __init__(self, seed, names):
        self.random = random.Random(seed)
        self.names = names
        self.keys = []
        self.flags = []
        # (probe, event) in the order in which they happened
        self.writes = []

    def event(self, flags):
        """Both probes of one event, with interrupts between them"""
        index = len(self.keys)
        name = self.random.randrange(self.names) if self.names else index
        self.keys.append((name, flags))
        self.flags.append(flags)
        self.writes.append((0, index))
        while self.random.random() < 0.2:
            inner = [other for other in CONTEXTS
                     if align.interrupts(other, flags)]
            if not inner:
                break
            other = self.random.choice(inner)
            for _ in range(self.random.randrange(1, 5)):
                self.event(other)
        self.writes.append((1, index))

    def run(self, count):
        """Tasks' events, some of them with interrupts off"""
        while len(self.keys) < count:
            self.event(self.random.choice((TASK, TASK, TASK_IRQS_OFF)))
        return self

    def second(self, on, off):
        """The second trace's events if it is on between these writes"""
        begun = {event for probe, event in self.writes[on:] if probe == 0}
        return [event for probe, event in self.writes[on:off] if probe == 1
                and (event in begun or self.random.random() < 0.5)]

    def align(self, keys):
        """Aligns a second trace that has these keys"""
        return align.Traces(self.keys, self.flags, keys).align()


def by_hand(*events):
    """(key, flags) of the first trace -> keys, flags"""
    return [key for key, _ in events], [flags for _, flags in events]


class Aligned(unittest.TestCase):
    """Traces that two probes can write must align"""

    def aligns(self, first, second, cut_off=0):
        """`second` is a run of `first`"""
        keys, flags = by_hand(*first)
        found = align.Traces(keys, flags, second).align()
        self.assertIsNone(found.error)
        self.assertEqual([keys[index] for index, _, _ in found.pairs], second)
        self.assertEqual(found.cut_off, cut_off)

    def differs(self, first, second):
        """`second` is no run of `first`"""
        keys, flags = by_hand(*first)
        found = align.Traces(keys, flags, second).align()
        self.assertIsNotNone(found.error)

    def test_equal(self):
        self.aligns([("a", TASK), ("b", TASK)], ["a", "b"])

    def test_switched_on_within_an_event(self):
        first = [("a", TASK), ("x", TASK), ("i", IRQ), ("b", TASK)]
        self.aligns(first, ["i", "x", "b"])
        self.aligns(first, ["i", "b"])
        self.aligns(first, ["x", "b"])

    def test_interrupt_ends_before_the_first_event(self):
        # The interrupt's first three events come before the second trace is on.
        first = [("a", TASK), ("x", TASK), ("i", IRQ), ("j", IRQ), ("k", IRQ),
                 ("l", IRQ), ("b", TASK)]
        self.aligns(first, ["l", "x", "b"])
        self.aligns(first, ["l", "b"])
        # All events of the interrupt come before that.
        self.aligns(first, ["x", "b"])

    def test_switched_on_within_two_events(self):
        first = [("x", TASK), ("s", SOFTIRQ), ("i", IRQ), ("j", IRQ),
                 ("b", TASK)]
        for second in (["j", "s", "x", "b"], ["j", "x", "b"], ["j", "s", "b"],
                       ["s", "x", "b"], ["x", "b"]):
            self.aligns(first, second)

    def test_order_of_open_events(self):
        first = [("x", TASK), ("s", SOFTIRQ), ("i", IRQ), ("b", TASK)]
        self.differs(first, ["x", "s", "b"])
        self.differs(first, ["i", "x", "s", "b"])

    def test_not_open(self):
        # "a" has ended before "x" began: a task does not interrupt a task.
        self.differs([("a", TASK), ("x", TASK), ("i", IRQ), ("b", TASK)],
                     ["i", "a", "b"])
        # Nothing but an NMI comes in while interrupts are off.
        self.differs([("x", TASK_IRQS_OFF), ("i", IRQ), ("b", TASK)],
                     ["i", "x", "b"])

    def test_missing(self):
        first = [("a", TASK), ("b", TASK), ("i", IRQ), ("c", TASK)]
        self.differs(first, ["a", "b", "c"])
        self.differs(first, ["a", "i", "c"])

    def test_cut_off(self):
        self.aligns([("a", TASK), ("x", TASK), ("i", IRQ)], ["a", "i"], 1)

    def test_nothing_in_common(self):
        self.differs([("a", TASK)], ["b"])

    def test_made_up_cpus(self):
        for seed in range(400):
            cpu = Cpu(seed, 3 if seed % 2 else None).run(60)
            on, off = sorted(cpu.random.sample(range(len(cpu.writes)), 2))
            second = [cpu.keys[event] for event in cpu.second(on, off)]
            if second:
                self.assertIsNone(cpu.align(second).error, f"seed {seed}")


class Tampered(unittest.TestCase):
    """A change between two events of tasks must be noticed"""

    def test_made_up_cpus(self):
        changed = 0
        for seed in range(200):
            cpu = Cpu(seed, None).run(80)
            end = len(cpu.writes)
            second = [cpu.keys[event] for event in
                      cpu.second(cpu.random.randrange(end // 4), end)]
            tasks = [place for place, key in enumerate(second)
                     if key[1] == TASK]
            for before, place, after in zip(tasks, tasks[1:], tasks[2:]):
                self.assertLess(before, place)
                here = second[place]
                for tampered in (
                        second[:place] + second[place + 1:],
                        second[:place] + [here] + second[place:],
                        second[:place] + [("other", TASK)] +
                        second[place + 1:],
                        second[:place] + [second[after]] +
                        second[place + 1:after] + [here] +
                        second[after + 1:]):
                    changed += 1
                    self.assertIsNotNone(cpu.align(tampered).error,
                                         f"seed {seed}, event {place}")
        self.assertGreater(changed, 10000)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main(verbosity=1)
