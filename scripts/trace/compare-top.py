#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""compare-top.py TRING DIR - check the tables of "tring top" of two recordings of the same time

scripts/guest/top-tables.sh has made them. DIR/full began first and ended last, and its probes come
first: so an event's time in DIR/part is later, by a delay that is known: in "full" it is the last
such event of its CPU that is not later. Times differ by no more than the sum of the delays of the
events that they are made of.

If DIR is named beside-..., "part" has more events than "full". The rows of tasks that begin in it
are those of "full". The switches of those in DIR/tasks are the kernel's, and so is the time on
CPUs, but for this: a run begins and ends at the time of the run queue's clock. That was read before
the event, but behind the event before it and the begin of a wakeup that led to the switch.
If it is named out-..., "part" leaves something out. No number is larger than that of "full" in the
same time; and the rows of the tasks that were to be recorded are those of "full".
"""
import os
import re
import subprocess
import sys
from collections import defaultdict

LINE = re.compile(r' *(.*)-(-?\d+) +\[(\d+)\] (\S+) +(\d+)\.(\d{9}): (\w+): +(.*)$')
# They come from memory, which may change between two probes.
CHANGING = re.compile(r'\b(\w*comm|\w*prio|prev_state)=\S+')
DURATIONS = ('count', 'total-ms', 'max-us')
TABLES = {
    'sched': ('running-s', 'waiting-s', 'blocked-s', 'switches', 'migrations'),
    'wakeup': DURATIONS, 'irq': DURATIONS, 'softirq': DURATIONS,
    'syscall': DURATIONS + ('failed',), 'events': ('events',),
    'cpu': ('busy-%', 'idle-%', 'irq-%', 'softirq-%'),
}
bad = []


def expect(good, *words):
    """Notes what is wrong."""
    if not good:
        bad.append(words)
        print(*words)


def run(*command):
    """The lines that a command prints; it has to succeed."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding='utf-8',
                          errors='replace').stdout.splitlines()


def seconds(time):
    """A time as an option."""
    return f'{time // 10**9}.{time % 10**9:09}'


class Event:
    """A line of the report; delay: its time in "part" less that in "full"."""

    def __init__(self, match):
        self.pid, self.cpu = int(match[2]), int(match[3])
        self.time = int(match[5] + match[6])
        self.name, self.text, self.delay = match[7], match[8], 0
        self.key = self.pid, self.name, CHANGING.sub('', self.text)

    def number(self, field):
        """The value of a field."""
        return int(re.search(r'\b' + field + r'=(\d+)', self.text)[1])


class Trace:
    """One of the recordings."""

    def __init__(self, tring, path, events):
        self.tring, self.path = tring, path
        lines = map(LINE.match, run(tring, 'report', '-t', '-R', '-e', events, path))
        self.events = [Event(line) for line in lines if line]

    def table(self, name, begin, end):
        """The rows of a table by number and text: {column: value}"""
        lines = run(self.tring, 'top', '-n', '0', '--from', seconds(begin), '--to', seconds(end),
                    name, self.path)
        columns, rows = lines[0].split(), {}
        for line in lines[1:]:
            # a system call may have no name
            values = [*line.split(None, len(columns) - 1), ''][:len(columns)]
            if len(values) < len(columns):
                break
            # a task may have another name; an event has no number
            at = {'pid': slice(1), 'cpu': slice(1), 'events': slice(-1, None)}
            key = ' '.join(values[at.get(columns[0], slice(0, None, len(columns) - 1))])
            rows[key] = dict(zip(columns, values))
        return rows


def number(row, column):
    """A value in units of its last digit; what is not known is 0."""
    return int((row or {}).get(column, '0').replace('.', '').replace('-', '0'))


def match(full, part):
    """Finds each event of "part" in "full"; returns the delays of each pid's and kind's events."""
    lists, last, delays = defaultdict(list), defaultdict(dict), defaultdict(int)
    for event in reversed(full.events):
        lists[event.cpu].append(event)
    for event in part.events:
        events = lists[event.cpu]
        while events and events[-1].time <= event.time:
            found = events.pop()
            last[found.cpu][found.key] = found.time
        found = last[event.cpu].pop(event.key, None)
        expect(found is not None, full.path, 'lacks', event.name, event.text)
        event.delay = event.time - (found or event.time)
        kind = event.name.partition('_')[0]
        for key in {kind, str(event.pid), *re.findall(r'pid=(\d+)', event.text)}:
            delays[key] += event.delay
    return delays


def compare(traces, tables, begin, end, delays, same=()):
    """No row of "part" is more than that of "full"; or those of the tasks "same" are the same."""
    events = traces[1].events
    total, most = [what(event.delay for event in events) for what in (sum, max)]
    for name in tables:
        others, rows = [trace.table(name, begin, end) for trace in traces]
        expect(others or name == 'irq', name, 'is empty')
        for key in same or rows:
            row, other = rows.get(key), others.get(key)
            unknown = [column for column in row or () if same and column.startswith('unknown')]
            whose = key if name in ('sched', 'wakeup') else name.replace('syscall', 'sys')
            delay = delays.get(whose, total)
            for column in (*TABLES[name], *unknown):
                # a time is cut at its last digit
                unit = {'s': 1000, 'ms': 1000, 'us': 1, '%': (end - begin) // 1000}.get(
                    column.rpartition('-')[2])
                if column == 'max-us':
                    delay = min(most, delay)
                allowed = 1 + delay // unit if unit else 0
                more = number(row, column) - number(other, column)
                expect(-more <= allowed if same and more < 0 else more <= allowed,
                       name, column, allowed, row, other)


def clock_bounds(events):
    """{pid: [how much sooner its runs may begin, how much sooner they may end]} by the kernel."""
    bounds, before, later, woken = defaultdict(lambda: [0, 0]), defaultdict(int), {}, {}
    for event in events:
        cpu = event.cpu
        begun = before[cpu]
        if event.name in ('sched_wakeup', 'sched_wakeup_new'):
            target = event.number('target_cpu')
            woken[target] = min(begun, woken.get(target, begun))
        elif event.name == 'sched_stat_runtime':
            # the switch itself, or a wakeup, may make it
            before[cpu], later[cpu] = later.get(cpu, begun), event.time
        elif event.name == 'sched_switch':
            for pid, end in (event.number('prev_pid'), 1), (event.number('next_pid'), 0):
                bounds[pid][end] += event.time - min(begun, woken.get(cpu, begun))
            woken.pop(cpu, 0)
        if event.name in ('sched_waking', 'sched_switch'):
            before[cpu] = later[cpu] = event.time
    return bounds


def compare_kernel(full, kernel, rows):
    """The kernel's counters of tasks; the time on CPUs is - in a guest without a stable TSC."""
    bounds = clock_bounds(full.events)
    for pid, (ran, switches) in kernel.items():
        row = rows.get(pid)
        expect(number(row, 'switches') == int(switches), pid, switches, row)
        if ran == '-':
            continue
        # both clocks are the TSC, with factors that are rounded
        difference, rounded = number(row, 'running-s') * 1000 - int(ran), 1000 + int(ran) // 10**6
        sooner, later = bounds[int(pid)]
        expect(-sooner - rounded <= difference <= later + rounded, pid, 'ran', ran, row)


def main():
    """Compares the tables of two recordings."""
    tring, path = sys.argv[1:]
    name = os.path.basename(path)
    with open(os.path.join(path, 'tasks'), encoding='utf-8') as f:
        kernel = {line.split()[0]: line.split()[1:] for line in f}
    expect(len(kernel) == 6, 'tasks are missing', kernel)
    beside = name.startswith('beside')
    wanted = ('sched', 'sched_switch,sched_wak*') if beside else ('*', '*')
    traces = full, part = [Trace(tring, os.path.join(path, each), events)
                           for each, events in zip(('full', 'part'), wanted)]
    for trace in traces[:1 if name == 'out-parts' else 2]:
        losses = run(tring, 'top', 'losses', trace.path)
        expect(losses[0] == 'nothing was lost', trace.path, *losses)
    delays = match(full, part)
    begin = min(event.time - event.delay for event in part.events)
    # The recorder of "part" stops the ring later: no event until then is in "full" only.
    end = max(event.time for event in part.events if str(event.pid) in kernel)
    if beside:
        born = {str(event.number('pid')) for event in part.events
                if event.name == 'sched_wakeup_new' and event.time < end}
        expect(kernel.keys() <= born, 'tasks do not begin', kernel, born)
        compare(traces, ('sched', 'wakeup'), begin, end, delays, born)
        compare_kernel(full, kernel, full.table('sched', begin, end))
    else:
        compare(traces, TABLES, begin, end, delays)
        recorded = {str(event.pid): event.time for event in reversed(part.events)
                    if event.name.startswith('sys_') and event.time < end}
        if name in ('out-tasks', 'out-children'):
            expect(len(recorded.keys() & kernel.keys()) == (2 if name == 'out-tasks' else 6),
                   'tasks have no events', recorded)
            for pid, first in recorded.items():
                compare(traces, ('sched', 'wakeup'), first, end, delays, [pid])
    print(len(part.events), 'events, delayed by', max(e.delay for e in part.events), 'ns at most,',
          sum(e.delay for e in part.events), 'in all')
    sys.exit(bool(bad))


main()
