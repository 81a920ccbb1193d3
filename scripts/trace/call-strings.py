#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
#
# call-strings.py TRING RECORDING known FILE - checks that the events of system calls in a
# recording with strings have those that the guest's program call-strings has printed to FILE.
#
# call-strings.py TRING RECORDING strace FILE - compares the calls of the tasks that "strace -f
# -xx -s 255 -o FILE" has followed inside the recording: the same calls in the same order, with
# the same results and strings. Ends with their numbers.
#
# A string that tring could not read is no difference if the recording says so; strace stops the
# task, and can wait for its memory.

import errno
import itertools
import json
import os
import re
import subprocess
import sys

LIMIT = 255
REST = b'...'
# What the kernel's functions of these calls are called
KERNEL_NAMES = {
    'stat': 'newstat', 'fstat': 'newfstat', 'lstat': 'newlstat', 'uname': 'newuname',
    'sendfile': 'sendfile64', 'umount2': 'umount', 'fadvise64': 'fadvise64_64',
}
RESTARTS = {'ERESTARTSYS': 512, 'ERESTARTNOINTR': 513, 'ERESTARTNOHAND': 514,
            'ERESTART_RESTARTBLOCK': 516}
UNREAD = None


def run(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def read_events(tring, recording):
    """Yields the events of calls: pid, name, whether it begins, fields, names of unread ones."""
    objects = run(tring, 'report', '--json', recording).splitlines()[1:]
    lines = [line for line in run(tring, 'report', recording).splitlines()
             if re.search(rb'\[\d+\] \S+ ', line)]
    if len(objects) != len(lines):
        sys.exit(f'{len(objects)} events as JSON, {len(lines)} as text')
    for text, line in zip(objects, lines):
        event = json.loads(text)
        match = re.fullmatch('sys_(enter|exit)_(.*)', event['event'])
        if match and event['system'] == 'syscalls':
            unread = re.search(rb' \(fault: (.*)\)$', line)
            yield (event['pid'], match[2], match[1] == 'enter', event['fields'],
                   unread[1].decode().split(', ') if unread else [])


def strings_of(fields, unread):
    """The strings by the number of the argument: bytes, up to a NUL, or UNREAD."""
    strings = {}
    for field, value in fields.items():
        match = re.fullmatch('__(.*)_val', field)
        if match:
            at = list(fields).index(match[1]) - 1
            # of a null pointer, too, there is no string
            if (match[1] in unread) != (value is None and bool(fields[match[1]])):
                sys.exit(f'{field}: JSON has {value}, the line has (fault: {unread})')
            strings[at] = UNREAD if match[1] in unread else (value or '').encode()
    return strings


def check_known(events, path):
    bad = count = 0
    wanted = [line.split() for line in open(path, encoding='ascii')]
    for line, event in itertools.zip_longest(wanted, (e for e in events if e[2])):
        if line is None or event is None:
            sys.exit(f'the program made {line}, the recording has {event}')
        name, number, *texts = line
        strings = [UNREAD if text == 'fault' else bytes.fromhex(text.replace('-', ''))
                   for text in texts]
        strings = [text if text is UNREAD else text.split(b'\0')[0] for text in strings]
        _, own_name, _, fields, unread = event
        own = list(strings_of(fields, unread).values())
        null = not fields.get('filename', 1)
        if null and own == [b'']:
            own = strings
        arguments = [value for field, value in fields.items() if field in
                     ('mode', 'pos', 'newdfd')]
        if own_name != name or own != strings or arguments[0] % 1000 != int(number):
            print(f'{name} {number}: {strings}, the event has {own_name} {arguments} {own}')
            bad += 1
        count += 1
    print(f'{count} calls, {bad} differ')
    return not bad and count


def split_arguments(text):
    arguments, depth, quoted, start = [], 0, False, 0
    for at, char in enumerate(text):
        if char == '"':
            quoted = not quoted
        elif not quoted and char in '([{':
            depth += 1
        elif not quoted and char in ')]}':
            depth -= 1
        elif not quoted and char == ',' and not depth:
            arguments.append(text[start:at].strip())
            start = at + 1
    return arguments + [text[start:].strip()]


def parse_result(text):
    """None for a call that does not return."""
    number, _, rest = text.partition(' ')
    word = rest.split(' ')[0]
    if number == '?':
        return -RESTARTS[word] if word in RESTARTS else None
    if number == '-1' and re.fullmatch('E[A-Z0-9]+', word):
        return -getattr(errno, word)
    return int(number, 0)


def read_strace(path):
    """The calls of each task: name, arguments, result."""
    calls, begun = {}, {}
    for line in open(path, encoding='ascii'):
        pid, text = line.rstrip('\n').split(maxsplit=1)
        pid = int(pid)
        calls.setdefault(pid, [])
        if text.startswith(('---', '+++')):
            continue
        if text.endswith('<unfinished ...>'):
            begun[pid] = text[:-len('<unfinished ...>')]
            continue
        resumed = re.match(r'<\.\.\. \w+ resumed>', text)
        if resumed:
            text = begun.pop(pid) + text[resumed.end():]
        match = re.fullmatch(r'(\w+)\((.*)\) += (.*)', text)
        if not match:
            sys.exit(f'{path}: {line}')
        name = KERNEL_NAMES.get(match[1], match[1])
        calls[pid].append((name, split_arguments(match[2]), parse_result(match[3])))
    for pid, text in begun.items():
        # killed in it
        name, _, arguments = text.partition('(')
        calls[pid].append((KERNEL_NAMES.get(name, name), split_arguments(arguments), None))
    return calls


def is_same(text, argument):
    """Are bytes, or UNREAD, what strace shows?"""
    match = re.match(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?', argument)
    if not match:
        return argument == 'NULL' and text == b'' or text is UNREAD
    shown = bytes.fromhex(match[1].replace('\\x', ''))
    if len(shown) > LIMIT or match[2]:
        shown = shown[:LIMIT] + REST
    return text is UNREAD or text == shown.split(b'\0')[0]


def collect_calls(events, tasks):
    calls = {pid: [] for pid in tasks}
    for pid, name, begins, fields, unread in events:
        if pid not in tasks:
            continue
        if begins:
            calls[pid].append([name, strings_of(fields, unread), None])
        elif calls[pid] and calls[pid][-1][0] == name and calls[pid][-1][2] is None:
            calls[pid][-1][2] = fields['ret']
    return calls


def compare_strace(events, path):
    wanted = read_strace(path)
    own = collect_calls(events, wanted)
    compared = strings = unread = bad = 0
    # strace's child has made other calls before.
    first = next(iter(wanted))
    while own[first] and own[first][0][0] != 'execve':
        own[first].pop(0)
    for pid, calls in wanted.items():
        for call, event in itertools.zip_longest(calls, own[pid]):
            if call is None or event is None:
                sys.exit(f'{pid}: strace has {call}, tring has {event}')
            name, arguments, result = call
            # The end of a signal's handler has no number, and so no event.
            if name == 'rt_sigreturn':
                result = None
            compared += 1
            strings += len(event[1])
            unread += sum(text is UNREAD for text in event[1].values())
            if name != event[0] or result != event[2] or not all(
                    is_same(text, arguments[at]) for at, text in event[1].items()):
                print(f'{pid}: strace has {call}, tring has {event}')
                bad += 1
    print(f'{len(wanted)} tasks, {compared} calls, {strings} strings, {unread} of them unread; '
          f'{bad} calls differ')
    return not bad and strings > 0 and unread * 10 < strings


def main():
    tring, recording, kind, path = sys.argv[1:]
    os.environ['LC_ALL'] = 'C.UTF-8'
    events = read_events(tring, recording)
    good = check_known(events, path) if kind == 'known' else compare_strace(events, path)
    return 0 if good else 1


if __name__ == '__main__':
    sys.exit(main())
