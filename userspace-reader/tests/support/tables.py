#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Computes the tables of "tring top" from the lines of "tring report --json", and compares them.

    tables.py TRING DIR

It shares nothing with tring top: why.py knows all lines before it begins, and cuts each task's
time at the task's own lines and at the losses.
"""
import json
import sys
from collections import defaultdict
from decimal import Decimal

from calls import by_task, call_during, find_calls, find_io, find_pairs, number_of, quantile
from runs import find_runs
from why import Trace, find_lives, run


def add_duration(row, start, end):
    """Adds a duration to [count, total, longest, its end, unknown]."""
    row[0] += 1
    row[1] += end - start
    if row[2] is None or end - start > row[2]:
        row[2:4] = end - start, end


def find_tasks(trace):
    """All tasks with their pids, and the busy and idle time of each CPU."""
    cpus, runs = defaultdict(lambda: [0, 0]), find_runs(trace)
    for one in runs:
        cpus[one.cpu][0 if one.pid else 1] += one.end - one.start
    return [(pid, task) for pid, lives in find_lives(trace, runs).items()
            for task in lives], cpus


def find_interrupts(trace, begin, end, field):
    """Durations of interrupts or softirqs by number."""
    rows = defaultdict(lambda: [0, 0, None, None, 0])
    for cpu in trace.cpus:
        opened = None
        for event in trace.by_cpu[cpu]:
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
    def wakeups(task):
        row = [0, 0, None, None, task.unknown_wakeups]
        for start, end in task.wakeups:
            add_duration(row, start, end)
        return row

    tasks, cpus = find_tasks(trace)
    whole = trace.end - trace.begin
    tables = {
        'sched': [[str(pid), cut(task.spent('ran'), 10**9, 6), '*',
                   *(cut(task.spent(kind), 10**9, 6)
                     for kind in ('runnable', 'blocked', 'unknown')),
                   str(task.switches), str(task.migrations)]
                  for pid, task in tasks if task.pieces or task.switches],
        'wakeup': [[str(pid)] + timing(wakeups(task)) for pid, task in tasks
                   if task.wakeups or task.unknown_wakeups],
        'irq': [[str(number)] + timing(row) for number, row in find_interrupts(
            trace, 'irq_handler_entry', 'irq_handler_exit', 'irq').items()],
        'softirq': [[str(number)] + timing(row) for number, row in find_interrupts(
            trace, 'softirq_entry', 'softirq_exit', 'vec').items()],
        'syscall': [[str(number)] + timing(row) for number, row in
                    table_of_calls(find_calls(trace)).items()],
        'losses': [[str(cpu), cut(start, 10**9, 9), cut(end, 10**9, 9),
                    cut(end - start if start and end else None, 10**6, 3), str(events),
                    str(packets)] for cpu, start, end, events, packets in trace.told],
    }
    tables['cpu'] = []
    for cpu in trace.cpus:
        busy, idle = cpus[cpu]
        shares = [cut(int(part * 100000 / whole + 0.5), 1000, 1)
                  for part in (busy, idle, max(whole - busy - idle, 0))]
        tables['cpu'].append([str(cpu), str(len(trace.by_cpu[cpu])),
                              str(sum(loss[3] for loss in trace.told if loss[0] == cpu)),
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
    trace = Trace(run(tring, 'report', '--json', directory), None)
    bad = 0
    for name, wanted in wanted_tables(trace).items():
        bad += compare(name, wanted, run(tring, 'top', '-n', '0', name, directory))
        print(f'{name}: {len(wanted)} rows compared')
    bad += compare_json(trace, tring, directory)
    sys.exit(bad > 0)


main()
