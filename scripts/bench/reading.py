#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Measures what reading a trace costs: the half of reading.sh that counts.

    reading.py RESULTS TRING CTF TRACE.DAT ROUNDS

CTF and TRACE.DAT hold the same workload. The tools take turns, so that a slow
minute of the machine hits all of them; of the rounds the best counts. CPU time
is user and system time of the process, start and end included; what it prints
goes to /dev/null, but for one run that counts its lines.
"""
import json
import os
import subprocess
import sys


def run(command):
    """One run: CPU seconds and peak memory in kB."""
    with open(os.devnull, 'wb') as null:
        child = subprocess.Popen(command, stdout=null, stderr=null)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = status
    if status:
        sys.exit('%s ended with status %d' % (' '.join(command), status))
    return {'cpu_s': usage.ru_utime + usage.ru_stime,
            'peak_kb': usage.ru_maxrss}


def count_lines(command):
    """How many lines a command prints."""
    child = subprocess.Popen(command, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL)
    lines = 0
    while True:
        block = child.stdout.read(1 << 20)
        if not block:
            break
        lines += block.count(b'\n')
    if child.wait():
        sys.exit('%s failed' % ' '.join(command))
    return lines


def main():
    results, tring, ctf, trace_dat, rounds = sys.argv[1:]
    report = [tring, 'report', ctf]
    dat_report = ['trace-cmd', 'report', trace_dat]
    events = count_lines(report)
    # the first line says how many CPUs there are
    dat_events = count_lines(dat_report) - 1
    rows = [
        ('text', 'tring report', report, events),
        ('text', 'babeltrace2', ['babeltrace2', ctf], events),
        ('text', 'trace-cmd report', dat_report, dat_events),
        ('decode', 'tring report --summary',
         [tring, 'report', '--summary', ctf], events),
        ('decode', 'babeltrace2, dummy sink',
         ['babeltrace2', ctf, '--component=sink.utils.dummy'], events),
    ]
    runs = [[] for _ in rows]
    for _ in range(int(rounds)):
        for row, done in zip(rows, runs):
            done.append(run(row[2]))
    print('%-8s %-24s %10s %8s %12s %9s' %
          ('', '', 'events', 'CPU s', 'M events/s', 'peak MB'))
    table = []
    for (kind, name, _, count), done in zip(rows, runs):
        best = min(one['cpu_s'] for one in done)
        peak = max(one['peak_kb'] for one in done)
        print('%-8s %-24s %10d %8.2f %12.2f %9.1f' %
              (kind, name, count, best, count / best / 1e6, peak / 1024))
        table.append({'kind': kind, 'name': name, 'events': count,
                      'runs': done})
    with open(results, 'w') as file:
        json.dump(table, file, indent=1)


main()
