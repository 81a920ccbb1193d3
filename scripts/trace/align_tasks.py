# SPDX-License-Identifier: GPL-2.0
"""Aligns two traces of the same events of all CPUs, as align.py describes it: CPU by CPU, or
task by task.

Tracepoints of kernels from 7.0 on call their probes with preemption enabled. There a task
switch can come between the two probes of an event: what the CPU runs then is in the
second trace before the event, and the task may go on, and write the event into the
second trace, on another CPU. For the task itself the switch is an interrupt, whose
events are those from its sched_switch on. So the events of one task, on all CPUs, are
two traces. The idle task of each CPU counts as a task of its own, and before 7.0
whatever a CPU runs as one task.

The second trace is on for a CPU from its first record there to its last. Each event of
the first trace in that time must be in the second, except those that are open when it
ends. Two more things are checked, which the tasks alone do not show:

order   The records of a CPU, without the late ones, are in the first trace's order.
switch  The task of a CPU changes behind a sched_switch only.
"""

import collections
import heapq

import align

# An event in one of the traces; position: its number among those of its CPU
Written = collections.namedtuple("Written",
                                 "key flags task cpu stamp switch position call")
# late: other events of the task lie between the two writes
Pair = collections.namedtuple("Pair", "first second late")


def written(cpu, position, key, flags, pid, stamp, switch, call):
    """An event of the task `pid`, or with 0 of the CPU; is it, by `switch`, its sched_switch?"""
    task = (pid, cpu if pid == 0 else None)
    return Written(key, flags, task, cpu, stamp, switch, position, call)


def by_task(cpus):
    """{cpu: list} -> {task: list}, in the order of time"""
    tasks = collections.defaultdict(list)
    for event in heapq.merge(*cpus.values(), key=lambda event: event.stamp):
        tasks[event.task].append(event)
    return tasks


class Tasks:
    """Two traces, {cpu: list of Written}; the second one is on for a part of the time

    all_tasks: they have the switches of all tasks
    pairs: list of Pair
    cut_off: number of events that were open at the end of the second trace
    errors: (what is wrong, Written) for each
    """

    def __init__(self, first, second, all_tasks=True):
        self.first = first
        self.begin = {cpu: events[0].stamp for cpu, events in second.items()}
        self.end = {cpu: events[-1].stamp for cpu, events in second.items()}
        self.pairs = []
        self.cut_off = 0
        self.errors = []
        ones = by_task({cpu: [event for event in events
                              if event.stamp <= self.end[cpu]]
                        for cpu, events in first.items()})
        others = by_task(second)
        for task in sorted(ones.keys() | others.keys(), key=str):
            self.align(ones[task], others[task])
        self.check_order()
        if all_tasks:
            self.check_switches(second)

    def align(self, first, second):
        """Aligns the events of one task"""
        traces = align.Traces([event.key for event in first],
                              [event.flags for event in first],
                              [event.key for event in second],
                              [event.call for event in first])
        cut = next((index for index, event in enumerate(first)
                    if event.stamp > self.begin[event.cpu]), len(first))
        best = 0
        for late in traces.choices(cut):
            pairs = traces.walk(cut, list(late))
            if len(pairs) == len(second):
                self.accept(traces, cut, first, second, pairs)
                return
            best = max(best, len(pairs))
        self.errors.append(("not as in the first trace", second[best]))

    def accept(self, traces, cut, first, second, pairs):
        """Notes the pairs of a task, and checks what the second trace lacks"""
        for (index, late), other in zip(pairs, second):
            self.pairs.append(Pair(first[index], other, late))
        found = {index for index, _ in pairs}
        for index in range(cut, len(first)):
            if index in found:
                continue
            if self.is_open(traces, first, index):
                self.cut_off += 1
            else:
                self.errors.append(("missing", first[index]))

    def is_open(self, traces, first, index):
        """Is an event of a task still open at the end of the second trace?"""
        if not all(traces.follows(inner, index)
                   for inner in range(index + 1, len(first))):
            return False
        event = first[index]
        # Other tasks run only after a switch, which interrupts the event.
        for other in self.first[event.cpu][event.position + 1:]:
            if other.stamp > self.end[event.cpu]:
                break
            if other.task != event.task:
                return False
            if other.switch:
                break
        return True

    def check_order(self):
        """The records that are not late are in the first trace's order"""
        last = {}
        for pair in sorted((pair for pair in self.pairs if not pair.late),
                           key=lambda pair: pair.second.position):
            before = last.get(pair.second.cpu)
            if before is not None and before > pair.first.position:
                self.errors.append(("not in the CPU's order", pair.second))
            last[pair.second.cpu] = pair.first.position

    def check_switches(self, second):
        """Nothing is recorded for a task that does not run on the CPU"""
        for events in second.values():
            for before, event in zip(events, events[1:]):
                if before.task != event.task and not before.switch:
                    self.errors.append(("not the CPU's task", event))
