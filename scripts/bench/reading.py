#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Measures the cost of reading a trace, for reading.sh.

    reading.py RESULTS TRING CTF TRACE.DAT ROUNDS

CTF and TRACE.DAT hold the same workload. The tools take turns, so that a slow
minute of the machine affects all of them; the best round counts. CPU time is user
and system time of the process, including start and end. The output goes to
/dev/null, except in one run that counts lines.
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
    """The number of lines that a command prints."""
    with subprocess.Popen(command, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as child:
        lines = sum(1 for _ in child.stdout)
    if child.returncode:
        sys.exit('%s failed' % ' '.join(command))
    return lines


def main():
    results, tring, ctf, trace_dat, rounds = sys.argv[1:]
    report = [tring, 'report', ctf]
    dat_report = ['trace-cmd', 'report', trace_dat]
    events = count_lines(report)
    # the first line has the number of CPUs
    dat_events = count_lines(dat_report) - 1
    rows = [
        ('text', 'tring report', report, events),
        ('text', 'babeltrace2', ['babeltrace2', ctf], events),
        ('text', 'trace-cmd report', dat_report, dat_events),
        ('decode', 'tring top events', [tring, 'top', 'events', ctf], events),
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
