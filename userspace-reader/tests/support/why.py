#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Finds out what tasks did, and why they waited, from "tring report --json", and compares that with
"tring why". tables.py makes the tables of "tring top" of it.

    why.py TRING DIR            compares all waits, calls and tasks; checks that all adds up
    why.py TRING DIR CUT...     finds claims about damaged copies that the whole trace denies

It shares nothing with tring why: it is slow and plain, knows all events before it begins, and
looks back from an event for what came before it.
"""
import json
import subprocess
import sys
from bisect import bisect_left, bisect_right
from collections import defaultdict

import call_names
from runs import Run, find_runs

HARD, SOFT, IRQS_OFF = 8, 16, 1
BLOCKED_BITS, DEAD_BITS = 0xff, 0x30
LETTERS = 'SDTtXZPI'
DEEPEST = 64
SOFTIRQS = ('HI', 'TIMER', 'NET_TX', 'NET_RX', 'BLOCK', 'IRQ_POLL', 'TASKLET', 'SCHED',
            'HRTIMER', 'RCU')
WAKES = ('sched_waking', 'sched_wakeup', 'sched_wakeup_new')
NAMING = WAKES + ('sched_migrate_task',)


def run(*command):
    """The lines that a command prints; it has to succeed."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding='utf-8',
                          errors='surrogateescape',
                          stderr=subprocess.DEVNULL).stdout.splitlines()


class Event:
    """A line of the report."""

    def __init__(self, at, line):
        self.at, self.time, self.cpu = at, line['ts'], line['cpu']
        self.pid, self.flags, self.fields = line['pid'], line['flags'], line['fields']
        self.system, self.name = line['system'], line['event']
        self.irqs_off = bool(self.flags & IRQS_OFF)

    def number(self, field):
        """The value of a field."""
        return self.fields[field]

    def level(self):
        """What the CPU did: irq, softirq, or run a task."""
        return 'irq' if self.flags & HARD else 'softirq' if self.flags & SOFT else 'task'

    def waker(self):
        """What wakes a task there: in an interrupt the pid is that of the task that it disturbs."""
        return self.pid if self.level() == 'task' else f'({self.level()})'


class Trace:
    """The events, and the times in which a CPU has lost some: as (CPU, from, to), and as they are
    told, None for an unknown time: (CPU, from, to, events, packets)."""

    def __init__(self, lines, machine):
        self.events, self.told, self.names = [], [], {0: '<idle>'}
        self.by_cpu, self.by_pid = defaultdict(list), defaultdict(list)
        last, held = {}, {}
        for line in map(json.loads, lines):
            if 'trace' in line:
                continue
            if 'lost' in line:
                counts = held.setdefault(line['cpu'], [0, 0])
                counts[0] += line['lost']['events']
                counts[1] += line['lost']['packets']
                continue
            event = Event(len(self.events), line)
            if event.cpu in held:
                self.told.append((event.cpu, last.get(event.cpu), event.time,
                                  *held.pop(event.cpu)))
            last[event.cpu] = event.time
            self.names[event.pid] = line['comm']
            self.events.append(event)
            self.by_cpu[event.cpu].append(event)
            if event.name in NAMING:
                self.by_pid[event.fields['pid']].append(event)
        self.begin, self.end = self.events[0].time, self.events[-1].time
        self.told += [(cpu, last.get(cpu), None, *counts) for cpu, counts in held.items()]
        self.losses = [(cpu, begin or 0, end or self.end + 1) for cpu, begin, end, *_ in self.told]
        self.cpus = sorted(set(last) | set(held))
        self.kinds = {event.name for event in self.events}
        self.call_names = find_call_names(self.events, machine)

    def first_loss(self, start, end):
        """When a CPU first lost events within a time, or None."""
        times = [max(begin, start) for _, begin, stop in self.losses
                 if begin < end and stop > start]
        return min(times, default=None)

    def is_lost(self, cpu, start, end):
        """Whether a CPU has lost events within a time."""
        return any(one == cpu and begin < end and stop > start
                   for one, begin, stop in self.losses)

    def is_blind(self, time):
        """Whether any CPU loses events at a time."""
        return any(begin < time < stop for _, begin, stop in self.losses)

    def before(self, event):
        """Events of its CPU, the latest first, up to a loss."""
        events = self.by_cpu[event.cpu]
        at = bisect_left(events, event.at, key=lambda one: one.at)
        later = event
        while at > 0:
            at -= 1
            if self.is_lost(event.cpu, events[at].time, later.time):
                return
            later = events[at]
            yield later


def irq_of(event):
    """(level, begins, number, name) of the interrupt that an event begins or ends, or None."""
    if event.name in ('irq_handler_entry', 'irq_handler_exit'):
        return 'irq', event.name.endswith('entry'), event.fields['irq'], event.fields.get('name')
    if event.name in ('softirq_entry', 'softirq_exit'):
        vec = event.fields['vec']
        name = SOFTIRQS[vec] if vec < len(SOFTIRQS) else None
        return 'softirq', event.name.endswith('entry'), vec, name
    if event.system == 'irq_vectors' and event.name.endswith(('_entry', '_exit')):
        name, end = event.name.rsplit('_', 1)
        return 'irq', end == 'entry', name, name
    return None


def show_irq(found):
    """An interrupt as tring why has it."""
    level, _, number, name = found
    shown = {'kind': level}
    if isinstance(number, int):
        shown['number'] = number
    if name:
        shown['name'] = name
    return shown


def context_of(trace, event):
    """What was done when an event happened: a task, or an interrupt with what began it."""
    level = event.level()
    if level == 'task':
        return {'kind': 'task', 'pid': event.pid}
    bit = HARD if level == 'irq' else SOFT
    shown, entry, timer = {'kind': level}, None, None
    for one in trace.before(event):
        found = irq_of(one)
        if found and found[0] == level:
            if found[1]:
                shown, entry = show_irq(found), one
            break
    for one in trace.before(event):
        if not one.flags & bit:
            break
        if one.level() == level and one.name.startswith(('timer_expire_', 'hrtimer_expire_')):
            timer = one if one.name.endswith('entry') else None
            break
    if timer:
        shown['function'] = timer.fields['function']
    return shown, entry


def raised_by(trace, entry):
    """The event that has raised a softirq, as far as that is known."""
    first = None
    for one in trace.before(entry):
        if one.name == 'softirq_entry' and one.fields['vec'] == entry.fields['vec']:
            return first
        if one.name == 'softirq_raise' and one.fields['vec'] == entry.fields['vec']:
            first = one
    return None


def cause_of(trace, event):
    """What has woken a task."""
    found = context_of(trace, event)
    if isinstance(found, dict):
        return found
    shown, entry = found
    if shown['kind'] == 'softirq' and entry:
        one = raised_by(trace, entry)
        if one:
            raiser = context_of(trace, one)
            shown = dict(shown, raised=one.time,
                         raised_by=raiser if isinstance(raiser, dict) else raiser[0])
    return shown


def find_interrupts(trace):
    """Times of interrupts by CPU: irqs, softirqs, and what may be in one whose begin was lost."""
    found = {}
    for cpu, events in trace.by_cpu.items():
        lists = {'irq': [], 'softirq': [], 'unsure': []}
        opened, since, last = {}, events[0].time, None

        def give_up(end, opened=opened, lists=lists):
            for level, (begin, irq) in opened.items():
                lists[level].append((begin, end, show_irq(irq)))
            opened.clear()

        for event in events:
            if last and trace.is_lost(cpu, last.time, event.time):
                give_up(last.time)
                if since is not None:
                    lists['unsure'].append((since, last.time, None))
                since = event.time
            if since is not None and event.level() == 'task':
                lists['unsure'].append((since, event.time, None))
                since = None
            last = event
            irq = irq_of(event)
            if not irq:
                continue
            begun = opened.pop(irq[0], None)
            if irq[1]:
                opened[irq[0]] = event.time, irq
            elif begun and begun[1][2] == irq[2]:
                lists[irq[0]].append((begun[0], event.time, show_irq(begun[1])))
        end = last.time if trace.is_lost(cpu, last.time, trace.end + 1) else trace.end
        give_up(end)
        if since is not None:
            lists['unsure'].append((since, end, None))
        found[cpu] = [[one for one in lists[name] if one[1] > one[0]]
                      for name in ('irq', 'softirq', 'unsure')]
    return found


class Life:
    """A task, from its first event to its end: pieces of time, each with what it did; its waits
    (since, event that ended it, state, waker); and times from a wakeup to a CPU."""

    def __init__(self, pid):
        self.pid, self.pieces, self.birth, self.steps = pid, [], None, []
        self.waits, self.wakeups = [], []
        self.unknown_waits = self.unknown_wakeups = self.switches = self.migrations = 0

    def spent(self, kind):
        """How long it did something."""
        return sum(end - start for start, end, what, _ in self.pieces if what == kind)


def find_call(trace, calls, pid, time, loss_from):
    """The system call that a task is in when it is blocked at a time."""
    events = calls[pid]
    at = bisect_right(events, time, key=lambda one: one.time)
    opened = None
    for event in events[:at]:
        if not event.name.startswith('sys_enter'):
            opened = None
            continue
        raw = event.system == 'raw_syscalls'
        number = event.fields['id' if raw else '__syscall_nr']
        if not opened or opened[0] != number or opened[2] == raw:
            opened = (number, event.time, raw)
    if not opened or loss_from(opened[1], time):
        return None
    name = trace.call_names.get(opened[0])
    return {'kind': 'syscall', 'number': opened[0], **({'name': name} if name else {})}


def find_call_names(events, machine):
    """What the first event of each system call that has a name calls it."""
    known, names = call_names.find_names(machine), {}
    for event in events:
        raw = event.system == 'raw_syscalls'
        if event.name.startswith('sys_enter'):
            number = event.fields['id' if raw else '__syscall_nr']
            name = known.get(number) if raw else event.name[len('sys_enter_'):]
            if name:
                names.setdefault(number, name)
    return names


def state_letter(state):
    """The state of a task that sleeps."""
    return next(letter for bit, letter in enumerate(LETTERS) if state >> bit & 1)


def account(trace, life, calls):
    """Cuts a task's life into pieces: (from, to, kind, details)."""
    has_wakeup = 'sched_wakeup' in trace.kinds
    state = since = cpu = waker = None
    begun = None                # the event, or the run, that has begun a piece
    woken = waking = False

    def add(start, end, kind, **details):
        if end > start:
            life.pieces.append((start, end, kind, details))

    def waited(until, last):
        """Where it was runnable, by each CPU whose queue it was in."""
        cpu = begun.cpu if isinstance(begun, Run) else begun.fields.get('target_cpu')
        if isinstance(begun, Run):
            first = (begun.switch or begun.seen).at
        else:
            first = begun.at
        moves = [(since, cpu)]
        events = trace.by_pid[life.pid]
        for event in events[bisect_left(events, since, key=lambda one: one.time):]:
            if event.time >= until:
                break
            if event.at > first:
                place = event.fields['dest_cpu' if event.name == 'sched_migrate_task'
                                     else 'target_cpu']
                if place != moves[-1][1]:
                    moves.append((event.time, place))
        if last is not None and moves[-1][1] != last:
            moves = [(since, None)]
        for (start, place), (end, _) in zip(moves, moves[1:] + [(until, None)]):
            add(start, end, 'runnable', cpu=place if place in trace.by_cpu else None)

    def count(until, told=True, cause=None, last=None):
        """Ends a piece. Unless an event tells that the state has lasted until then, it is
        unknown. Returns the state at its end."""
        if state not in ('waiting', 'blocked', 'unknown'):
            return state
        lost = trace.first_loss(since, until) if state != 'unknown' else None
        certain = lost if lost is not None else until if told else since
        if state == 'waiting':
            waited(certain, last if lost is None else None)
        elif state == 'blocked':
            details = {'state': state_letter(begun.switch.fields['prev_state'])}
            call = find_call(trace, calls, life.pid, since, trace.first_loss)
            if call:
                details['call'] = call
            add(since, certain, 'blocked', cause=cause if lost is None else None, **details)
        add(certain if state != 'unknown' else since, until, 'unknown')
        return state if lost is None else 'unknown'

    for time, _, what, event in life.steps:
        if what == 'run':
            told = event.switched and state == 'waiting'
            before = count(time, told or state == 'unknown', last=event.cpu)
            if told and before == 'waiting':
                life.waits.append((since, trace.events[event.first], 'runnable', waker))
                if woken:
                    life.wakeups.append((since, time))
            elif state not in (None, 'gone'):
                life.unknown_wakeups += event.switched
                life.unknown_waits += event.switched
            life.switches += event.switched
            life.migrations += event.switched and cpu not in (None, event.cpu) and \
                before != 'unknown'
            add(time, event.end, 'ran', cpu=event.cpu)
            state, cpu, waking = 'running', event.cpu, False
        elif what == 'stop':
            since, state, begun, woken, waker = time, 'unknown', event, False, None
            if event.switch:
                bits = event.switch.fields['prev_state']
                woken = bool(bits & BLOCKED_BITS)
                state = ('gone' if bits & DEAD_BITS else
                         'blocked' if bits & BLOCKED_BITS and not waking else 'waiting')
                if trace.first_loss(time, time + 1) is not None and state != 'gone':
                    state = 'unknown'
            waking = False
        elif state == 'running':
            waking = what == 'sched_waking' and has_wakeup
        elif state != 'waiting' or trace.first_loss(since, time) is not None:
            before = count(time, cause=event if what == 'sched_waking' else None)
            if before == 'blocked':
                life.waits.append((since, event, 'blocked', event.waker()))
            life.unknown_waits += before == 'unknown' and not trace.is_blind(time)
            state, since, begun, woken, waker = 'waiting', time, event, True, event.waker()
    if state != 'running':
        count(trace.end)


def find_lives(trace, runs):
    """All tasks, one after another of those with one pid."""
    steps, untold, calls = defaultdict(list), defaultdict(list), defaultdict(list)
    for one in runs:
        if not one.pid:
            continue
        steps[one.pid].append((one.start, one.first * 3 + 1, 'run', one))
        if one.found is not None:
            untold[one.pid].append((one.seen.at, one.found))
        if one.switch or one.end != trace.end:
            steps[one.pid].append((one.end, (one.switch or one.seen).at * 3 + 2, 'stop', one))
    for event in trace.events:
        if event.name in WAKES:
            pid = event.fields['pid']
            if pid and not any(seen < event.at < found for seen, found in untold[pid]):
                steps[pid].append((event.time, event.at * 3 + 2, event.name, event))
        elif event.name.startswith(('sys_enter', 'sys_exit')):
            calls[event.pid].append(event)
        elif event.name == 'sched_switch' and event.fields['prev_state'] & DEAD_BITS:
            # another task may get the pid
            calls[event.fields['prev_pid']].append(event)
    lives = defaultdict(list)
    for pid, all_steps in steps.items():
        life = None
        for step in sorted(all_steps, key=lambda step: step[:2]):
            if not life:
                life = Life(pid)
                lives[pid].append(life)
                if step[2] == 'sched_wakeup_new':
                    life.birth = step[3]
            life.steps.append(step)
            if step[2] == 'stop' and step[3].switch and \
                    step[3].switch.fields['prev_state'] & DEAD_BITS:
                life = None
        for life in lives[pid]:
            account(trace, life, calls)
    return lives


class Why:
    """Answers of a trace."""

    def __init__(self, trace):
        self.trace = trace
        runs = find_runs(trace)
        self.lives = find_lives(trace, runs)
        self.lists = find_interrupts(trace)
        for cpu, lists in self.lists.items():
            lists.append([(one.start, one.end, one.pid) for one in runs
                          if one.cpu == cpu and one.end > one.start])

    def held(self, cpu, start, end, own=None, rank=0):
        """What had a CPU within a time."""
        if start >= end:
            return []
        if cpu not in self.lists or rank == 4:
            return [{'kind': 'unknown', 'from': start, 'to': end}]
        found = []
        intervals = self.lists[cpu][rank]
        at = bisect_right(intervals, start, key=lambda one: one[1])
        for begin, stop, what in intervals[at:]:
            if begin >= end:
                break
            begin, stop = max(begin, start), min(stop, end)
            found += self.held(cpu, start, begin, own, rank + 1)
            piece = {'kind': 'unknown', 'from': begin, 'to': stop}
            if rank in (0, 1):
                piece = dict(piece, kind='interrupted', cpu=cpu, by=what)
            elif rank == 3 and what == own:
                piece = dict(piece, kind='ran', cpu=cpu)
            elif rank == 3:
                piece = dict(piece, kind='held', pid=what)
            found.append(piece)
            start = stop
        return found + self.held(cpu, start, end, own, rank + 1)

    def life_at(self, event):
        """The task that ran when an event happened."""
        lives = [life for life in self.lives[event.pid] if life.steps[0][1] <= event.at * 3 + 2]
        return lives[-1]

    def add_cause(self, segment, event, limit, depth):
        """Says what has ended a wait, and what that did meanwhile."""
        if not event:
            return
        segment['waker'] = cause_of(self.trace, event)
        waker = segment['waker']
        if waker['kind'] == 'task' and waker['pid'] and event.time <= limit and depth < DEEPEST:
            segment['segments'] = self.segments(self.life_at(event), segment['from'],
                                                segment['to'], event.time, depth + 1)

    def segments(self, life, start, end, limit, depth=0):
        """What a task did from start to end."""
        found = []

        def unknown(until):
            if until > start:
                found.append({'kind': 'unknown', 'from': start, 'to': until})

        first = life.steps[0][0]
        if life.birth and start < first:
            segment = {'kind': 'absent', 'from': start, 'to': min(end, first)}
            self.add_cause(segment, life.birth, limit, depth)
            found.append(segment)
            start = segment['to']
        for begin, stop, kind, details in life.pieces:
            if stop <= start or begin >= end:
                continue
            begin, stop_cut = max(begin, start), min(stop, end)
            unknown(begin)
            if kind == 'ran':
                found += self.held(details['cpu'], begin, stop_cut, life.pid)
            else:
                segment = {'kind': kind, 'from': begin, 'to': stop_cut}
                if kind == 'runnable':
                    if details['cpu'] is not None:
                        segment['cpu'] = details['cpu']
                        segment['segments'] = self.held(details['cpu'], begin, stop_cut)
                elif kind == 'blocked':
                    segment['state'] = details['state']
                    if 'call' in details:
                        segment['call'] = details['call']
                    self.add_cause(segment, details['cause'], limit, depth)
                found.append(segment)
            start = stop_cut
        unknown(end)
        return found

    def waits(self):
        """All waits: (pid, from, to, segments), from a run to the next one, all of them known."""
        for lives in self.lives.values():
            for life in lives:
                since = None
                for start, stop, kind, _ in life.pieces:
                    if kind == 'ran':
                        if since is not None and start > since:
                            yield (life.pid, since, start,
                                   self.segments(life, since, start, start))
                        since = stop
                    elif kind == 'unknown':
                        since = None

    def tasks(self):
        """All tasks: (pid, from, to, segments)."""
        for lives in self.lives.values():
            for life in lives:
                if life.pieces:
                    start, end = life.pieces[0][0], life.pieces[-1][1]
                    yield life.pid, start, end, self.segments(life, start, end, 1 << 64)


def strip(value):
    """Leaves out names of tasks, and of functions that the report has as numbers; makes one of
    unknown segments that follow one another."""
    if isinstance(value, dict):
        return {key: strip(one) for key, one in value.items()
                if key not in ('comm', 'symbol')}
    if not isinstance(value, list):
        return value
    found = []
    for one in map(strip, value):
        if found and found[-1]['kind'] == one['kind'] == 'unknown':
            found[-1]['to'] = one['to']
        else:
            found.append(one)
    return found


def check_sum(answer):
    """Segments follow one another, and add up, at each depth."""
    if 'segments' not in answer:
        return
    at = answer['from']
    for segment in answer['segments']:
        assert segment['from'] == at and segment['to'] > at, answer
        at = segment['to']
        check_sum(segment)
    assert at == answer['to'], answer


def ask(tring, *arguments):
    """The answers of tring why."""
    return [json.loads(line) for line in run(tring, 'why', '--json', *arguments)]


def show_first(wanted, got):
    """Prints where segments differ first."""
    for one, other in zip(wanted + [None], got + [None]):
        if one != other:
            print('  wanted', json.dumps(one)[:1000], '\n  got   ', json.dumps(other)[:1000])
            return


def compare(tring, directory):
    """Compares the answers. Returns the number of differences."""
    machine = next((line.split()[1] for line in run(tring, 'info', directory)
                    if line.startswith('architecture ')), None)
    why = Why(Trace(run(tring, 'report', '--json', directory), machine))
    bad = 0
    for name, wanted, arguments in (
            ('waits', why.waits(), ('--longest', 'wait', '-n', '0')),
            ('tasks', why.tasks(), ('--comm', '*'))):
        wanted = {one[:3]: strip(one[3]) for one in wanted}
        answers = ask(tring, *arguments, directory)
        got = {(one['pid'], one['from'], one['to']): strip(one['segments']) for one in answers}
        for answer in answers:
            check_sum(answer)
        kinds = defaultdict(int)

        def count(segments, kinds=kinds):
            for segment in segments:
                kinds[segment['kind']] += 1
                count(segment.get('segments', []))

        for key in sorted(wanted.keys() | got.keys()):
            count(got.get(key, []))
            if wanted.get(key) != got.get(key):
                bad += 1
                if bad < 5:
                    print(name, key)
                    show_first(wanted.get(key, []), got.get(key, []))
        print(f'{name}: {len(wanted)} compared, with {dict(kinds)}')
    return bad


def claims(segments, path=()):
    """What is said of each time: {(path, from, to): ...} as a list of (from, to, path)."""
    for segment in segments:
        said = {key: value for key, value in segment.items()
                if key not in ('from', 'to', 'segments')}
        here = path + (said,)
        yield segment['from'], segment['to'], here
        yield from claims(segment.get('segments', ()), here)


def agrees(said, true):
    """Whether a claim is as the whole trace has it, or knows less."""
    if said.get('kind') == 'unknown':
        return True
    for key, value in said.items():
        if value is None:
            continue
        if key in ('waker', 'raised_by', 'by', 'call'):
            if key not in true or not agrees(value, true[key]):
                return False
        elif key not in true or true[key] != value:
            return False
    return True


def denied(claim, truths):
    """Whether the whole trace says something else of a part of a claim's time."""
    start, end, path = claim
    at = start
    for begin, stop, true in truths:
        if stop <= at or begin >= end or len(true) != len(path):
            continue
        if begin > at or not all(map(agrees, path, true)):
            return True
        at = stop
        if at >= end:
            return False
    return True


def unknown_in(answer):
    """Nanoseconds that are unknown."""
    if answer.get('kind') == 'unknown':
        return answer['to'] - answer['from']
    return sum(map(unknown_in, answer.get('segments', ())))


def judge(tring, directory, cuts):
    """Compares answers about damaged copies with those about the whole trace."""
    truths = defaultdict(list)
    for answer in ask(tring, '--comm', '*', directory):
        truths[answer['pid']].extend(claims(strip(answer['segments'])))
    for found in truths.values():
        found.sort(key=lambda claim: (len(claim[2]), claim[0]))
    levels = {}
    for pid, found in truths.items():
        for claim in found:
            levels.setdefault((pid, len(claim[2])), []).append(claim)
    starts = {key: [claim[1] for claim in found] for key, found in levels.items()}
    bad = checked = unknown = 0
    for cut in cuts:
        for answer in ask(tring, '--comm', '*', cut):
            check_sum(answer)
            unknown += unknown_in(answer)
            for claim in claims(strip(answer['segments'])):
                if claim[2][-1]['kind'] == 'unknown':
                    continue
                checked += 1
                key = answer['pid'], len(claim[2])
                at = bisect_right(starts.get(key, []), claim[0])
                if denied(claim, levels.get(key, [])[at:at + 10000]):
                    bad += 1
                    if bad < 5:
                        print(f'{cut}: task {answer["pid"]}: {claim}')
    print(f'{len(cuts)} copies: {checked} claims, {bad} wrong, {unknown} ns unknown')
    return bad


def main():
    """Compares, or judges damaged copies."""
    tring, directory, *cuts = sys.argv[1:]
    sys.exit(bool(judge(tring, directory, cuts) if cuts else compare(tring, directory)))


if __name__ == '__main__':
    main()
