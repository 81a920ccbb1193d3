# SPDX-License-Identifier: GPL-2.0
"""System calls, and pairs of events, for the program that computes the tables of tring top.

An event has a time, a pid and a name, its place "at" among all, and number() for a field; a trace
has its events and first_loss().
"""
from collections import defaultdict

ENDLESS = 1 << 64


class Call:
    """A system call: its first event; the end is None if it is unknown."""

    def __init__(self, begin):
        self.begin, self.end, self.until = begin, None, ENDLESS
        self.number = number_of(begin)
        self.name = begin.name.removeprefix('sys_enter').removeprefix('_')

    def leave(self, event, end=None):
        """The task is not in it behind an event."""
        self.until, self.end = event.at, end

    def length(self):
        """How long it was; None if that is unknown."""
        return self.end and self.end.time - self.begin.time


def number_of(event):
    """The number of a call."""
    return event.number('id' if event.name in ('sys_enter', 'sys_exit') else '__syscall_nr')


def find_calls(trace):
    """All calls of all tasks."""
    calls, opened = [], {}
    for event in trace.events:
        if event.name == 'sched_switch' and event.number('prev_state') & 48:
            # another task may get the pid
            gone = opened.pop(event.number('prev_pid'), None)
            if gone:
                gone.leave(event)
        if event.name.startswith('sys_enter'):
            if event.pid in opened:
                opened[event.pid].leave(event)
            opened[event.pid] = Call(event)
            calls.append(opened[event.pid])
        elif event.name.startswith('sys_exit') and event.pid in opened:
            call = opened.pop(event.pid)
            lost = trace.first_loss(call.begin.time, event.time) is not None
            good = number_of(event) in (call.number, -1) and not lost
            call.leave(event, event if good else None)
    return calls


def sums_of(calls):
    """What calls add up to, as tring top has it in JSON."""
    times = [call.length() for call in calls if call.end]
    results = [call.end.number('ret') for call in calls
               if call.end and number_of(call.end) >= 0]
    return {'count': len(times), 'total': sum(times), 'most': max(times, default=None),
            'failed': sum(-4095 <= result < 0 for result in results),
            'returned': sum(result for result in results if result > 0),
            'unknown': len(calls) - len(times)}


def by_task(calls):
    """The rows of the table "calls"."""
    groups = defaultdict(list)
    for call in calls:
        groups[call.begin.pid, call.number].append(call)
    return {(pid, number): {'call': group[0].name or f'NR {number}', **sums_of(group)}
            for (pid, number), group in groups.items()}


def find_io(calls):
    """The rows of the table "io"."""
    rows = defaultdict(lambda: defaultdict(int))
    for (pid, _), sums in by_task(calls).items():
        if sums['call'] in ('read', 'write'):
            row, kind = rows[pid], sums['call']
            row[kind + 's'] += sums['count']
            row['read-bytes' if kind == 'read' else 'written-bytes'] += sums['returned']
            row['unknown'] += sums['unknown']
    return rows


def call_during(calls, pid, trace, begin, event):
    """The call in which a task was from a time on to an event; None if that is unknown."""
    for call in reversed(calls):
        if call.begin.pid == pid and call.begin.at < event.at <= call.until:
            lost = trace.first_loss(call.begin.time, event.time) is not None
            return None if lost or call.begin.time > begin else call
    return None


def quantile(times, share):
    """The time that a share of all does not exceed."""
    return sorted(times)[-int(-len(times) * share // 1) - 1]


def find_pairs(trace, begin, end, key, by):
    """The rows of a table of times between two events: {by: (times, number of unknown ones)}"""
    opened, rows = {}, defaultdict(lambda: ([], [0]))
    for event in trace.events:
        if event.name == end and key(event) in opened:
            first = opened.pop(key(event))
            times, unknown = rows[by(first)]
            if trace.first_loss(first.time, event.time) is None:
                times.append(event.time - first.time)
            else:
                unknown[0] += 1
        if event.name == begin:
            opened[key(event)] = event
    return rows
