#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""compare-trace-dat.py [-n] TRING DIR FILE - check what "tring convert" has written

Compares "tring report DIR" with "trace-cmd report FILE", event by event: the task's name
and pid, the CPU, flags and preempt count, the time, the event, the text of its fields, and
the losses. -n leaves out the names of tasks: trace-cmd takes a name for the whole trace
where tring follows the events that tell of a new one. trace-cmd rounds microseconds, so it
prints nanoseconds here. Prints the first differences; the
last line counts the events. The exit status is 1 if anything differs.
"""
import re
import subprocess
import sys

SHOWN = 10
TRING = re.compile(r"^ *(?P<comm>.*)-(?P<pid>-?\d+) +\[(?P<cpu>\d+)\] (?P<flags>\S+) +"
                   r"(?P<time>\d+\.\d+): (?P<text>.*)$", re.S)
PLAIN = re.compile(r"^ *(?P<comm>.*)-(?P<pid>-?\d+) +\[(?P<cpu>\d+)\] +"
                   r"(?P<time>\d+\.\d+): (?P<text>.*)$", re.S)
LATENCY = re.compile(r"^.{8}-(?P<pid>-?\d+) +(?P<cpu>\d+?)(?P<flags>[^ \d]\S*) +"
                     r"(?P<time>\d+\.\d+): (?P<text>.*)$", re.S)
LOSS = re.compile(r"^CPU:(\d+) \[(?:LOST )?(\d+)? ?(?:EVENTS DROPPED|EVENTS|PACKETS MISSING)\]$")


def lines_of(command):
    """The lines of a command's output; one that begins like no other goes on the last."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            check=False)
    return result.stdout.decode("latin-1").split("\n")[:-1]


def events_of(lines, pattern):
    """Yield (losses before it, match) for each event. Losses: those of its own CPU."""
    losses, entry, found = {}, None, None
    for line in lines:
        match = pattern.match(line)
        loss = LOSS.match(line)
        if match:
            if found:
                yield entry, found
            cpu = int(match["cpu"])
            entry, found = losses.pop(cpu, ()), dict(match.groupdict())
        elif loss:
            cpu = int(loss[1])
            # packets that are missing have no number of events
            number = 0 if "PACKETS" in line else int(loss[2] or 0)
            losses[cpu] = (sum(losses.get(cpu, (0,))) + number,)
        elif found and not line.startswith(("cpus=", "CPU ")):
            found["text"] += "\n" + line
    if found:
        yield entry, found


def key(event, with_name):
    """What both print, without columns."""
    loss, fields = event
    name = fields.get("comm") if with_name else ""
    microseconds = fields["time"][:fields["time"].index(".") + 7]
    return (loss, name, int(fields["pid"]), int(fields["cpu"]), microseconds,
            " ".join(fields["text"].split()))


def main():
    """Compare the two programs' lines."""
    args = sys.argv[1:]
    with_names = "-n" not in args
    tring, trace, dat = [arg for arg in args if arg != "-n"]
    own = list(events_of(lines_of([tring, "report", trace]), TRING))
    plain = list(events_of(lines_of(["trace-cmd", "report", "-t", dat]), PLAIN))
    latency = list(events_of(lines_of(["trace-cmd", "report", "-l", "-t", dat]), LATENCY))
    different = int(len({len(own), len(plain), len(latency)}) != 1)
    if different:
        print(f"events: {len(own)} of report, {len(plain)} and {len(latency)} of trace-cmd")
    lost = 0
    for record, their, other in zip(own, plain, latency):
        lost += sum(record[0])
        own_key, theirs_key = key(record, with_names), key(their, with_names)
        if own_key == theirs_key and record[1]["flags"] == other[1]["flags"]:
            continue
        different += 1
        if different <= SHOWN:
            print(f"tring:     {own_key} {record[1]['flags']}\n"
                  f"trace-cmd: {theirs_key} {other[1]['flags']}")
    print(f"{len(own)} events, {lost} lost before events, {different} differences")
    return int(different != 0 or not own)


if __name__ == "__main__":
    sys.exit(main())
