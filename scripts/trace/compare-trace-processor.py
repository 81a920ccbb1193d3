#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""compare-trace-processor.py TRING FILE DIR... - check what Perfetto makes of a trace

Asks Perfetto's trace_processor_shell about FILE, which "tring convert --to perfetto" has
written of DIR, or an archive of what it has written of each DIR. Compares

- all events of each machine and CPU, with their times and tasks, and which CPUs have losses,
  with what "tring report --json DIR" says. The times of a further DIR are those of the
  first one's clock, by the time of day;
- of one DIR without losses, the time on a CPU of each task but those that run where the
  trace begins or ends, and the number of interrupts, softirqs and system calls and the time
  in them, with "tring top DIR".

Prints the first differences; the last line counts the events. The exit status is 1 if
anything differs.
"""
import collections
import csv
import os
import re
import subprocess
import sys

import converted

PROGRAM = os.environ.get("TRACE_PROCESSOR", "trace_processor_shell")
REST = "_rest"

EVENTS = """
select machine.name, cpu.cpu, ts, ifnull(event.name, ''), tid
from ftrace_event event join cpu using (ucpu) join thread using (utid)
join machine on machine.id = cpu.machine_id
"""
LOSSES = "select ifnull(idx, -1) from stats where name = 'ftrace_cpu_has_data_loss' and value"
TASKS = """
select tid, sum(dur) from sched join thread using (utid) where tid and dur >= 0 group by tid
"""
SLICES = """
select track.type, count(*), sum(slice.dur) from slice join track on slice.track_id = track.id
where slice.dur >= 0 and slice.name != 'sys_rt_sigreturn' group by track.type
"""
# To this call of x86-64 Perfetto gives no duration.
RT_SIGRETURN = "15"
# tables of tring top, and the tracks that have the same
TRACKS = {"irq": "cpu_irq", "softirq": "cpu_softirq", "syscall": "thread_execution"}


def rows_of(path, query):
    """The rows that Perfetto finds, without their names."""
    result = subprocess.run([PROGRAM, "-Q", query, path], check=True, encoding="utf-8",
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return [row for row in csv.reader(result.stdout.splitlines()) if row][1:]


def lines_of(tring, *arguments):
    """The lines that the reader prints."""
    result = subprocess.run([tring, *arguments], check=False, encoding="utf-8",
                            errors="replace", stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL)
    return result.stdout.splitlines()


def name_of(event, raw):
    """The name of the message that an event becomes."""
    call = re.match(r"(sys_(?:enter|exit))_", event.name or "")
    return call[1] if call and not raw and "__syscall_nr" in event.fields else event.name


def events_of(tring, traces):
    """What tring has: ({(machine, cpu): Counter of (stamp, name, pid)}, CPUs with losses, tasks)

    tasks: those that run where the events of a CPU begin or end
    """
    events, lossy, edges, zero = {}, set(), set(), None
    for trace in traces:
        info = dict(line.split(None, 1) for line in lines_of(tring, "info", trace)
                    if " " in line)
        offset = int(info["clock_offset"])
        zero = offset if zero is None else zero
        cpus = converted.events_of_json(tring, trace)
        raw = any(event.name in ("sys_enter", "sys_exit")
                  for some in cpus.values() for event in some)
        for cpu, some in cpus.items():
            events[info["hostname"], cpu] = collections.Counter(
                (event.stamp + offset - zero, name_of(event, raw), event.pid % (1 << 32))
                for event in some)
            lossy |= {cpu for event in some if event.name == converted.LOST}
            switches = [event.fields for event in some if event.name == "sched_switch"]
            if switches:
                edges |= {switches[0]["prev_pid"], switches[-1]["next_pid"]}
    return events, lossy, edges


def differ(what, own, their):
    """Print a difference. Return: their number"""
    if own == their:
        return 0
    print(f"{what}\ntring:    {own}\nPerfetto: {their}")
    return 1


def compare_events(tring, path, traces):
    """Return: (number of differences, number of events, CPUs with losses, tasks at the edges)"""
    own, lossy, edges = events_of(tring, traces)
    their = {}
    for machine, cpu, stamp, name, tid in rows_of(path, EVENTS):
        if not name.endswith(REST):
            their.setdefault((machine, int(cpu)), collections.Counter())[
                int(stamp), name, int(tid) % (1 << 32)] += 1
    different = differ("CPUs", sorted(own), sorted(their))
    for key in own.keys() & their.keys():
        different += differ(f"events of CPU {key}",
                            sorted((own[key] - their[key]).items())[:converted.SHOWN],
                            sorted((their[key] - own[key]).items())[:converted.SHOWN])
    different += differ("CPUs with losses", lossy,
                        {int(cpu) for cpu, in rows_of(path, LOSSES)})
    return different, sum(sum(some.values()) for some in own.values()), lossy, edges


def compare_times(tring, path, trace, edges):
    """Return: number of differences"""
    rows = [line.split() for line in lines_of(tring, "top", "sched", "-n", "0", trace)]
    own = {int(row[0]): row[1] for row in rows if row and row[0].isdigit()}
    their = {int(tid): f"{int(dur) // 1000 / 1e6:.6f}" for tid, dur in rows_of(path, TASKS)}
    different = sum(differ(f"seconds of {pid} on CPU", own.get(pid), their.get(pid, "0.000000"))
                    for pid in own.keys() | their.keys() if pid not in edges)
    tracks = {name: (int(count), int(dur)) for name, count, dur in rows_of(path, SLICES)}
    for table, track in TRACKS.items():
        rows = [line.split() for line in lines_of(tring, "top", table, "-n", "0", trace)]
        rows = [row for row in rows if row and row[0].isdigit() and int(row[1]) and
                (table, row[0]) != ("syscall", RT_SIGRETURN)]
        count, ns = tracks.get(track, (0, 0))
        total = round(sum(float(row[2]) for row in rows), 3)
        different += differ(f"number of {table}", sum(int(row[1]) for row in rows), count)
        # each row of the table has lost up to a microsecond
        if not 0 <= ns / 1e6 - total <= len(rows) / 1e3:
            different += differ(f"ms in {table}", total, ns / 1e6)
    return different


def main():
    """Compare the two."""
    tring, path, *traces = sys.argv[1:]
    different, count, lossy, edges = compare_events(tring, path, traces)
    if len(traces) == 1 and not lossy:
        different += compare_times(tring, path, traces[0], edges)
    print(f"{count} events and losses, {different} differences")
    return int(different != 0 or not count)


if __name__ == "__main__":
    sys.exit(main())
