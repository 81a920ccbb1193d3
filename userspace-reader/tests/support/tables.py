#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Computes the tables of "tring top" from the lines of "tring report", and compares them.

    tables.py TRING DIR

It shares nothing with tring top: it knows all lines before it begins, and cuts each task's
time at the task's own lines and at the losses.
"""
import json
import re
import subprocess
import sys
from collections import defaultdict
from decimal import Decimal

from calls import by_task, call_during, find_calls, find_io, find_pairs, number_of, quantile
from runs import find_runs

LINE = re.compile(r' *(.*)-(-?\d+) +\[(\d+)\] (\S+) +(\d+)\.(\d{9}): (\w+): +(.*)$')
LOSS = re.compile(r'CPU:(\d+) \[(?:LOST (\d+) EVENTS|(\d+) PACKETS MISSING)\]$')
ENDLESS = 1 << 64


class Event:
    """A line of the report."""

    def __init__(self, at, match):
        self.at = at
        self.pid = int(match[2])
        self.cpu = int(match[3])
        self.irqs_off = match[4][0] in 'dD'
        # in an interrupt the pid is that of the task that it has interrupted
        self.by = {'h': '(irq)', 'H': '(irq)', 's': '(softirq)'}.get(match[4][2], self.pid)
        self.time = int(match[5] + match[6])
        self.name = match[7]
        self.text = match[8]

    def number(self, field):
        """The value of a field."""
        return int(re.search(r'\b' + field + r'=(-?\w+)', self.text)[1], 0)


class Trace:
    """The events, and the losses as [CPU, from, to, events, packets]."""

    def __init__(self, lines):
        self.events, self.losses = [], []
        last, held = {}, {}
        for line in lines:
            loss = LOSS.match(line)
            if loss:
                counts = held.setdefault(int(loss[1]), [0, 0])
                counts[0] += int(loss[2] or 0)
                counts[1] += int(loss[3] or 0)
                continue
            event = Event(len(self.events), LINE.match(line))
            if event.cpu in held:
                self.losses.append([event.cpu, last.get(event.cpu), event.time,
                                    *held.pop(event.cpu)])
            last[event.cpu] = event.time
            self.events.append(event)
        self.cpus = sorted(set(last) | set(held))
        self.losses += [[cpu, last.get(cpu), None, *counts] for cpu, counts in held.items()]
        self.begin, self.end = self.events[0].time, self.events[-1].time

    def first_loss(self, start, end):
        """The time of the first loss of any CPU within a time, or None."""
        times = [max(loss[1] or 0, start) for loss in self.losses
                 if (loss[1] or 0) < end and (loss[2] or ENDLESS) > start]
        return min(times, default=None)

    def is_blind(self, time):
        """Whether any CPU loses events at a time."""
        return any((loss[1] or 0) < time < (loss[2] or ENDLESS) for loss in self.losses)

    def is_lost(self, cpu, start, end):
        """Whether one CPU has lost events within a time."""
        return any(loss[0] == cpu and (loss[1] or 0) < end and (loss[2] or ENDLESS) > start
                   for loss in self.losses)


def add_duration(row, start, end):
    """Adds a duration to [count, total, longest, its end, unknown]."""
    row[0] += 1
    row[1] += end - start
    if row[2] is None or end - start > row[2]:
        row[2:4] = end - start, end


class Task:
    """A task's times."""

    def __init__(self):
        self.times = dict.fromkeys(('running', 'waiting', 'blocked', 'unknown'), 0)
        self.switches = self.migrations = 0
        self.wakeups = [0, 0, None, None, 0]
        self.waits, self.unknown_waits = [], 0
        self.steps = []


def account(trace, task):
    """Goes from each step of a task to the next one."""
    has_wakeup = any(event.name == 'sched_wakeup' for event in trace.events)
    state, since, cpu, woken, waking, waker = None, None, None, False, False, None

    def count(until, told=True):
        """Counts the time since the last step. Unless an event tells that the state has lasted
        until then, all of it is unknown. Returns the state at its end."""
        if state not in ('waiting', 'blocked', 'unknown'):
            return state
        lost = trace.first_loss(since, until) if state != 'unknown' else None
        certain = lost if lost is not None else until if told else since
        task.times[state] += certain - since
        task.times['unknown'] += until - certain
        return state if lost is None else 'unknown'

    for time, _, what, event in sorted(task.steps, key=lambda step: step[:2]):
        if what == 'run':
            switched = event.switched
            told = switched and state == 'waiting'
            before = count(time, told or state == 'unknown')
            if told and before == 'waiting':
                task.waits.append((since, trace.events[event.first], 'runnable', waker))
                if woken:
                    add_duration(task.wakeups, since, time)
            elif state not in (None, 'gone'):
                task.wakeups[4] += switched
                task.unknown_waits += switched
            if switched:
                task.switches += 1
                task.migrations += cpu not in (None, event.cpu) and before != 'unknown'
            task.times['running'] += event.end - event.start
            state, cpu, waking = 'running', event.cpu, False
        elif what == 'stop':
            since, woken, waker = time, False, None
            state = 'unknown'
            if event.switch:
                bits = event.switch.number('prev_state')
                woken = bool(bits & 255)
                state = ('gone' if bits & 48 else
                         'blocked' if bits & 255 and not waking else 'waiting')
            waking = False
        elif state == 'running':
            waking = what == 'sched_waking' and has_wakeup
        elif state != 'waiting':
            before = count(time)
            if before == 'blocked':
                task.waits.append((since, event, 'blocked', event.by))
            task.unknown_waits += before == 'unknown' and not trace.is_blind(time)
            state, since, woken, waker = 'waiting', time, True, event.by
        elif trace.first_loss(since, time) is not None:
            count(time)
            task.unknown_waits += not trace.is_blind(time)
            since, woken, waker = time, True, event.by
    if state != 'running':
        count(trace.end)


def is_last(step):
    """Whether a task ends with this step; another one may get its pid."""
    return bool(step[2] == 'stop' and step[3].switch and
                step[3].switch.number('prev_state') & 48)


def find_lives(trace, steps):
    """The tasks that have had a pid, one after the other."""
    lives = [Task()]
    for step in sorted(steps, key=lambda step: step[:2]):
        if lives[-1].steps and is_last(lives[-1].steps[-1]):
            lives.append(Task())
        lives[-1].steps.append(step)
    for task in lives:
        account(trace, task)
    return lives


def find_tasks(trace):
    """All tasks with their pids, and the busy and idle time of each CPU."""
    tasks, cpus = defaultdict(list), defaultdict(lambda: [0, 0])
    untold = defaultdict(list)
    for run in find_runs(trace):
        cpus[run.cpu][0 if run.pid else 1] += run.end - run.start
        if not run.pid:
            continue
        steps = tasks[run.pid]
        steps.append((run.start, run.first * 3 + 1, 'run', run))
        if run.found is not None:
            untold[run.pid].append((run.seen.at, run.found))
        if run.switch or run.end != trace.end:
            steps.append((run.end, (run.switch or run.seen).at * 3 + 2, 'stop', run))
    for event in trace.events:
        if event.name in ('sched_waking', 'sched_wakeup', 'sched_wakeup_new'):
            pid = event.number('pid')
            # a wakeup of a task that seems to run tells nothing
            if pid and not any(seen < event.at < found for seen, found in untold[pid]):
                tasks[pid].append((event.time, event.at * 3 + 2, event.name, event))
    return [(pid, task) for pid, steps in tasks.items()
            for task in find_lives(trace, steps)], cpus


def find_interrupts(trace, begin, end, field):
    """Durations of interrupts or softirqs by number."""
    rows = defaultdict(lambda: [0, 0, None, None, 0])
    for cpu in trace.cpus:
        opened = None
        for event in (event for event in trace.events if event.cpu == cpu):
            if opened and trace.is_lost(cpu, opened.time, event.time):
                rows[opened.number(field)][4] += 1
                opened = None
            if event.name == begin:
                if opened:
                    rows[opened.number(field)][4] += 1
                opened = event
            elif event.name == end and opened:
                number = opened.number(field)
                if number == event.number(field):
                    add_duration(rows[number], opened.time, event.time)
                else:
                    rows[number][4] += 1
                opened = None
        if opened:
            rows[opened.number(field)][4] += 1
    return rows


def table_of_calls(calls):
    """Durations of system calls by number, with the number of those that failed."""
    rows = defaultdict(lambda: [0, 0, None, None, 0, 0])
    for call in calls:
        row = rows[call.number]
        if call.end:
            add_duration(row, call.begin.time, call.end.time)
            # without a number it is the end of a signal's handler
            row[5] += number_of(call.end) >= 0 and -4095 <= call.end.number('ret') < 0
        else:
            row[4] += 1
    return rows


def cut(value, unit, digits):
    """A number of nanoseconds as it is printed."""
    if value is None:
        return '-'
    exact = Decimal(value) / unit
    return f"{int(exact * 10 ** digits) / Decimal(10 ** digits):.{digits}f}"


def timing(row):
    """A row of durations as it is printed."""
    count, total, most, at, unknown = row[:5]
    return [str(count), cut(total, 10**6, 3),
            cut(total // count if count else None, 1000, 3), cut(most, 1000, 3),
            cut(at, 10**9, 9), str(unknown), *map(str, row[5:])]


def wanted_tables(trace):
    """The rows that each table should have, without the texts at their end."""
    tasks, cpus = find_tasks(trace)
    whole = trace.end - trace.begin
    tables = {
        'sched': [[str(pid), cut(task.times['running'], 10**9, 6), '*',
                   cut(task.times['waiting'], 10**9, 6),
                   cut(task.times['blocked'], 10**9, 6),
                   cut(task.times['unknown'], 10**9, 6), str(task.switches),
                   str(task.migrations)]
                  for pid, task in tasks if any(task.times.values()) or task.switches],
        'wakeup': [[str(pid)] + timing(task.wakeups) for pid, task in tasks
                   if task.wakeups[0] or task.wakeups[4]],
        'irq': [[str(number)] + timing(row) for number, row in find_interrupts(
            trace, 'irq_handler_entry', 'irq_handler_exit', 'irq').items()],
        'softirq': [[str(number)] + timing(row) for number, row in find_interrupts(
            trace, 'softirq_entry', 'softirq_exit', 'vec').items()],
        'syscall': [[str(number)] + timing(row) for number, row in
                    table_of_calls(find_calls(trace)).items()],
        'losses': [[str(cpu), cut(start, 10**9, 9), cut(end, 10**9, 9),
                    cut(end - start if start and end else None, 10**6, 3), str(events),
                    str(packets)] for cpu, start, end, events, packets in trace.losses],
    }
    tables['cpu'] = []
    for cpu in trace.cpus:
        busy, idle = cpus[cpu]
        shares = [cut(int(part * 100000 / whole + 0.5), 1000, 1)
                  for part in (busy, idle, max(whole - busy - idle, 0))]
        tables['cpu'].append([str(cpu), str(sum(event.cpu == cpu for event in trace.events)),
                              str(sum(loss[3] for loss in trace.losses if loss[0] == cpu)),
                              *shares, '*', '*'])
    counts = defaultdict(int)
    for event in trace.events:
        counts[event.name] += 1
    tables['events'] = [[str(count), '*', '*', '*', '*', name]
                        for name, count in counts.items()]
    return tables


def longest_waits(trace, tasks, calls):
    """The rows of the table "waits": {pid: [row]}"""
    rows = defaultdict(list)
    for pid, task in tasks:
        row = {'waits': len(task.waits), 'unknown': task.unknown_waits,
               'total': sum(event.time - since for since, event, *_ in task.waits)}
        if task.waits:
            since, event, state, by = max(task.waits, key=lambda wait: (wait[1].time - wait[0],
                                                                        -wait[1].time))
            call = call_during(calls, pid, trace, since, event)
            row.update(most=event.time - since, since=since, state=state,
                       by=by, call=call and (call.name or f'NR {call.number}'))
        if row['waits'] or row['unknown']:
            rows[pid].append(row)
    return rows


def as_ns(number, unit):
    """A number of JSON in nanoseconds."""
    return None if number is None else int(Decimal(number) * unit)


def read_rows(tring, directory, table, *options):
    """The rows of a table in JSON, whose numbers stay texts."""
    lines = run(tring, 'top', '--json', *options, table, directory)[1:]
    return [json.loads(line, parse_float=str, parse_int=str) for line in lines]


def got_waits(rows):
    """What tring top has told of waits."""
    found = defaultdict(list)
    for row in rows:
        told = {'waits': int(row['waits']), 'unknown': int(row['unknown']),
                'total': as_ns(row['total-ms'], 10**6)}
        if row['ms'] is not None:
            waker = row['waker'] and int(row['waker'])
            if (row['woken-by'] or '').startswith('('):
                waker = row['woken-by']
            told.update(most=as_ns(row['ms'], 10**6), since=as_ns(row['from'], 10**9),
                        state=row['state'], call=row['call'], by=waker)
        found[int(row['pid'])].append(told)
    return found


def got_calls(rows):
    """What it has told of calls: those of tasks that have had the same pid together."""
    found = {}
    for row in rows:
        told = found.setdefault((int(row['pid']), int(row['nr'])), {
            'call': row['call'], 'count': 0, 'total': 0, 'most': None, 'failed': 0,
            'unknown': 0})
        told['total'] += as_ns(row['total-ms'], 10**6)
        for name in ('count', 'failed', 'unknown'):
            told[name] += int(row[name])
        most = as_ns(row['max-us'], 1000)
        told['most'] = max((most, told['most']), key=lambda time: time or -1)
    return found


def got_io(rows):
    """What it has told of bytes."""
    found = defaultdict(lambda: defaultdict(int))
    for row in rows:
        for name in ('reads', 'read-bytes', 'writes', 'written-bytes', 'unknown'):
            found[int(row['pid'])][name] += int(row[name])
    return found


def same_pairs(name, wanted, rows):
    """Compares the rows of times between two events."""
    bad = len(wanted) != len(rows)
    for row in rows:
        times, unknown = wanted[row[name]]
        good = (int(row['count']), int(row['unknown'])) == (len(times), unknown[0])
        if times:
            for column, exact in (('mean-us', sum(times) // len(times)), ('max-us', max(times))):
                good &= as_ns(row[column], 1000) == exact
            for column, share in (('p50-us', 0.5), ('p99-us', 0.99)):
                exact = quantile(times, share)
                good &= exact <= as_ns(row[column], 1000) <= exact * 1.016
        if not good:
            bad += 1
            print(f'{name}: wanted {len(times)} {unknown} {sorted(times)}\n    got {row}')
    return bad


def compare_json(trace, tring, directory):
    """Compares the tables that are too wide for their texts. Returns the number of differences."""
    def device(event):
        return f"{event.number('dev') >> 20},{event.number('dev') & 0xfffff}"

    calls, bad = find_calls(trace), 0
    for name in ('waits', 'calls', 'io', 'futex', 'block'):
        wide = [line for line in run(tring, 'top', '-n', '0', name, directory) if len(line) > 80]
        bad += bool(wide)
        print(*wide, sep='\n', end='')
    some = {row['call'] for row in read_rows(tring, directory, 'calls', '-e', '*_read')}
    bad += not some <= {'read'}
    own = by_task(calls)
    wanted_calls = {key: {name: value for name, value in row.items() if name != 'returned'}
                    for key, row in own.items()}
    waits = longest_waits(trace, find_tasks(trace)[0], calls)
    for name, wanted, got in (('waits', waits, got_waits), ('calls', wanted_calls, got_calls),
                              ('io', find_io(calls), got_io)):
        told = got(read_rows(tring, directory, name))
        for key in sorted(wanted.keys() | told.keys()):
            one, other = wanted.get(key), told.get(key)
            if name == 'waits' and one and other:
                one, other = [sorted(map(str, map(sorted, map(dict.items, each))))
                              for each in (one, other)]
            elif name == 'io' and one and other:
                one = {**dict.fromkeys(other, 0), **one}
            if one != other:
                bad += 1
                print(f'{name} {key}: wanted {one}\n   got {other}')
        print(f'{name}: {len(wanted)} rows compared')
    for name, *pair in (
            ('device', 'block_rq_issue', 'block_rq_complete',
             lambda event: (event.number('dev'), event.number('sector')), device),
            ('address', 'sys_enter_futex', 'sys_exit_futex', lambda event: event.pid,
             lambda event: f"{event.number('uaddr'):#x}")):
        wanted = find_pairs(trace, *pair)
        bad += same_pairs(name, wanted, read_rows(
            tring, directory, 'block' if name == 'device' else 'futex'))
        print(f'{name}: {len(wanted)} rows compared')
    return bad


def run(*command):
    """What a command prints; it has to succeed."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          encoding='utf-8', errors='replace').stdout.splitlines()


def by_key(rows, keys):
    """The rows by their first columns; those with the same ones are numbered."""
    found = {}
    for row in sorted(rows, key=lambda row: row[:2] + row[3:]):
        number = 0
        while (*row[:keys], number) in found:
            number += 1
        found[(*row[:keys], number)] = row
    return found


def compare(name, wanted, lines):
    """Compares a table's rows, in any order. Returns the number of differences."""
    if lines and lines[0] == 'nothing was lost':
        lines = ['']
    if '' in lines[1:]:
        lines = lines[:lines.index('', 1)]
    width = len(wanted[0]) if wanted else 99
    got = [line.split()[:width] for line in lines[1:]]
    got = [row for row in got if row and (row[0] != '-') and row[-1] != 'all'
           and row != ['(none)']]
    keys = 3 if name == 'losses' else 1
    if name == 'events':
        wanted = [row[::-1] for row in wanted]
        got = [row[::-1] for row in got]
    wanted, got = by_key(wanted, keys), by_key(got, keys)
    bad = 0
    for key in sorted(wanted.keys() | got.keys()):
        one, other = wanted.get(key), got.get(key)
        if not one or not other or any(a not in ('*', b) for a, b in zip(one, other)):
            bad += 1
            print(f'{name}: wanted {one}\n{" " * len(name)}  got    {other}')
    return bad


def main():
    """Compares all tables."""
    tring, directory = sys.argv[1:]
    trace = Trace(run(tring, 'report', '-t', '-R', directory))
    bad = 0
    for name, wanted in wanted_tables(trace).items():
        bad += compare(name, wanted, run(tring, 'top', '-n', '0', name, directory))
        print(f'{name}: {len(wanted)} rows compared')
    bad += compare_json(trace, tring, directory)
    sys.exit(bad > 0)


main()
