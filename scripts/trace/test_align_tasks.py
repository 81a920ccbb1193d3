#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Tests of align_tasks.py with simulated machines, whose events are known.

Random numbers have fixed seeds, so that each run is the same.
"""

import random
import sys
import unittest

import align
from align_tasks import Tasks, written

TASK = 0
TASK_IRQS_OFF = align.FLAG_IRQS_OFF
INTERRUPTS = (align.FLAG_SOFTIRQ, align.FLAG_HARDIRQ | align.FLAG_IRQS_OFF,
              align.FLAG_IRQS_OFF, align.FLAG_NMI | align.FLAG_IRQS_OFF)
CPUS = 2
PIDS = 5


class Task:
    """A task and where it runs"""

    def __init__(self, pid, cpu):
        self.pid = pid
        self.cpu = cpu
        self.steps = None
        self.preemptible = True


class Machine:
    """CPUs that run tasks; writes: (probe, event, cpu, task) in the order of time"""

    def __init__(self, seed, names):
        self.random = random.Random(seed)
        self.names = names
        self.events = []
        self.writes = []
        self.running = [Task(0, cpu) for cpu in range(CPUS)]
        self.ready = [Task(pid, 0) for pid in range(1, PIDS)]
        self.idle = list(self.running)
        for task in self.running + self.ready:
            task.steps = self.body(task)

    def write(self, probe, event, task):
        self.writes.append((probe, event, task.cpu, task.pid))

    def new_event(self, flags, switch):
        index = len(self.events)
        name = self.random.randrange(self.names) if self.names else index
        self.events.append(((name, flags, switch), flags, switch))
        return index

    def event(self, task, flags):
        """Both probes of an event. Each step is one write; a task may be preempted"""
        event = self.new_event(flags, False)
        self.write(0, event, task)
        yield flags == TASK
        while self.random.random() < 0.15:
            inner = [other for other in INTERRUPTS
                     if align.interrupts(other, flags)]
            if not inner:
                break
            yield from self.event(task, self.random.choice(inner))
            yield flags == TASK
        self.write(1, event, task)
        yield flags == TASK

    def body(self, task):
        while True:
            yield from self.event(task, self.random.choice(
                (TASK, TASK, TASK_IRQS_OFF)))

    def switch(self, cpu):
        """The CPU goes on with another task, which may come from another CPU"""
        before, after = self.running[cpu], self.idle[cpu]
        if self.ready and self.random.random() < 0.8:
            after = self.ready.pop(self.random.randrange(len(self.ready)))
        if after is before:
            return
        event = self.new_event(TASK_IRQS_OFF, True)
        self.write(0, event, before)
        self.write(1, event, before)
        if before.pid:
            self.ready.append(before)
        after.cpu = cpu
        self.running[cpu] = after

    def run(self, count):
        while len(self.events) < count:
            cpu = self.random.randrange(CPUS)
            task = self.running[cpu]
            if task.preemptible and self.random.random() < 0.1:
                self.switch(cpu)
            else:
                task.preemptible = next(task.steps)
        return self

    def trace(self, probe, on, off):
        """The trace of a probe that is on between these writes"""
        begun = {event for probe, event, _, _ in self.writes[on:] if not probe}
        found = {cpu: [] for cpu in range(CPUS)}
        for stamp, (by, event, cpu, pid) in enumerate(self.writes[:off]):
            if by != probe or stamp < on:
                continue
            if probe and event not in begun and self.random.random() < 0.5:
                continue
            key, flags, switch = self.events[event]
            found[cpu].append(written(cpu, len(found[cpu]), key, flags, pid,
                                      stamp, switch))
        return found

    def traces(self):
        """Both traces; the second is on for about the middle half"""
        end = len(self.writes)
        on = self.random.randrange(end // 4)
        off = self.random.randrange(3 * end // 4, end)
        return self.trace(0, 0, end), self.trace(1, on, off)


def numbered(events):
    return [event._replace(position=position)
            for position, event in enumerate(events)]


class Aligned(unittest.TestCase):
    """Traces that two probes can write must align"""

    def test_machines(self):
        late = moved = cut_off = 0
        for seed in range(300):
            machine = Machine(seed, 3 if seed % 2 else None).run(200)
            first, second = machine.traces()
            found = Tasks(first, second)
            self.assertEqual(found.errors, [], f"seed {seed}")
            self.assertEqual(len(found.pairs),
                             sum(len(events) for events in second.values()))
            late += sum(pair.late for pair in found.pairs)
            moved += sum(pair.first.cpu != pair.second.cpu
                         for pair in found.pairs)
            cut_off += found.cut_off
        self.assertGreater(late, 1000)
        self.assertGreater(moved, 100)
        self.assertGreater(cut_off, 100)


class Tampered(unittest.TestCase):
    """A change in the midst of a trace must be noticed"""

    def tampered(self, events, place):
        """The events of a CPU with one change each"""
        here, after = events[place], events[place + 1]
        yield "drop", events[:place] + events[place + 1:]
        yield "repeat", events[:place] + [here] + events[place:]
        yield "other", (events[:place] + [here._replace(key="other")] +
                        events[place + 1:])
        yield "pid", (events[:place] + [here._replace(task=(99, None))] +
                      events[place + 1:])
        yield "swap", (events[:place] +
                       [after._replace(stamp=here.stamp),
                        here._replace(stamp=after.stamp)] +
                       events[place + 2:])

    def places(self, first, second, cpu):
        """Plain events in the midst: neither late, nor the last of their task"""
        whole = Tasks(first, second)
        pairs = {pair.second: pair for pair in whole.pairs}
        begin = max(whole.begin.values())
        end = min(whole.end.values())
        events = second[cpu]
        plain = [event.flags == TASK and not event.switch and
                 not pairs[event].late and
                 begin < pairs[event].first.stamp and event.stamp < end
                 for event in events]
        for place in range(1, len(events) - 1):
            later = any(other.task == events[place].task and other.flags == TASK
                        and not other.switch and
                        other.stamp > events[place + 1].stamp
                        for of_cpu in second.values() for other in of_cpu)
            if plain[place] and plain[place + 1] and later:
                yield place

    def test_machines(self):
        changed = 0
        for seed in range(60):
            first, second = Machine(seed, None).run(150).traces()
            for cpu in second:
                for place in self.places(first, second, cpu):
                    for how, events in self.tampered(second[cpu], place):
                        changed += 1
                        found = Tasks(first,
                                      {**second, cpu: numbered(events)})
                        self.assertNotEqual(found.errors, [],
                                            f"seed {seed}, {how} {place}")
        self.assertGreater(changed, 1000)

    def test_across_a_switch(self):
        """A record that has moved to the task that ran before or after its own"""
        changed = 0
        for seed in range(60):
            first, second = Machine(seed, None).run(150).traces()
            for cpu, events in second.items():
                places = list(self.places(first, second, cpu))
                for place in places:
                    # Behind the first event of a switch, before the last of one.
                    for switch in (place - 1, place + 2):
                        if switch + 1 >= len(events) or \
                                not events[switch].switch:
                            continue
                        other = min(switch, place + 1)
                        changed += 1
                        one, two = events[other], events[other + 1]
                        swapped = (events[:other] +
                                   [two._replace(stamp=one.stamp),
                                    one._replace(stamp=two.stamp)] +
                                   events[other + 2:])
                        found = Tasks(first,
                                      {**second, cpu: numbered(swapped)})
                        self.assertNotEqual(found.errors, [],
                                            f"seed {seed}, {other}")
        self.assertGreater(changed, 100)

    def test_two_slices(self):
        """The events of two tasks that have run one after the other, swapped"""
        changed = 0
        for seed in range(60):
            first, second = Machine(seed, None).run(150).traces()
            for cpu, events in second.items():
                ends = [place for place, event in enumerate(events)
                        if event.switch]
                for one, two, three in zip(ends, ends[1:], ends[2:]):
                    swapped = events[two + 1:three + 1] + events[one + 1:two + 1]
                    if swapped[0].task == swapped[-1].task:
                        continue
                    changed += 1
                    stamps = [event.stamp for event in events[one + 1:three + 1]]
                    swapped = [event._replace(stamp=stamp)
                               for event, stamp in zip(swapped, stamps)]
                    found = Tasks(first, {**second, cpu: numbered(
                        events[:one + 1] + swapped + events[three + 1:])})
                    self.assertNotEqual(found.errors, [], f"seed {seed}, {one}")
        self.assertGreater(changed, 100)

    def test_last_switch(self):
        """Without the last event of a task, though others run after it"""
        changed = 0
        for seed in range(200):
            first, second = Machine(seed, None).run(150).traces()
            late = {pair.second for pair in Tasks(first, second).pairs
                    if pair.late}
            for cpu, events in second.items():
                last = {event.task: place for place, event in enumerate(events)}
                for place in last.values():
                    event = events[place]
                    others = [other for of_cpu in second.values()
                              for other in of_cpu
                              if other.task == event.task and
                              other.stamp > event.stamp]
                    if others or not event.switch or \
                            not 0 < place < len(events) - 1 or \
                            events[place + 1] in late:
                        continue
                    changed += 1
                    found = Tasks(first, {**second, cpu: numbered(
                        events[:place] + events[place + 1:])})
                    self.assertNotEqual(found.errors, [], f"seed {seed}")
        self.assertGreater(changed, 50)

    def test_other_cpu(self):
        """A record that has moved to another CPU without a task switch"""
        changed = 0
        for seed in range(60):
            first, second = Machine(seed, None).run(150).traces()
            for place in self.places(first, second, 0):
                event = second[0][place]
                other = sorted(second[1] + [event._replace(cpu=1)],
                               key=lambda event: event.stamp)
                rest = second[0][:place] + second[0][place + 1:]
                found = Tasks(first, {0: numbered(rest), 1: numbered(other)})
                changed += 1
                self.assertNotEqual(found.errors, [], f"seed {seed}, {place}")
        self.assertGreater(changed, 200)


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    unittest.main(verbosity=1)
