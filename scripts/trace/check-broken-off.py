#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks traces of recorders that were killed, or that had no room on the disk.

usage: check-broken-off.py TRING RESULTS

TRING is the reader; RESULTS is what scripts/guest/broken-off.sh has left: folders
killed-N, filled-N and failed-N. Prints a line for each, "ok - ..." or "not ok - ...", then what
they were like in all.

In each trace every file of packets ends with a whole packet, and tring report and
babeltrace2 find exactly the events of the packets. If a trace lacks an event, tring
report names what is missing and exits with 1. The ring's counters
agree with what is in the packets, with what was left in the ring, and with the
losses that both viewers tell.
"""

import collections
import os
import re
import subprocess
import sys

import tring_packets

# A line of an event; the text of a marker may have several.
EVENT_LINE = re.compile(r"^ *\S.*-\d+ +\[\d+\] \S+ +\d+\.\d+: ", re.M)
LOST_LINE = re.compile(r"^CPU:(\d+) \[LOST (\d+) EVENTS\]$", re.M)
VIEWER_LOST = re.compile(r"Tracer discarded (\d+) events? between")
VIEWER_LINE = re.compile(r"^\[\d\d:\d\d:\d\d\.\d+\] ", re.M)
LOSSES = re.compile(r"overwritten$|refused_(?!off$)")
KILLED = 128 + 9


class Wrong(Exception):
    """What is wrong with a trace"""


def demand(condition, text):
    if not condition:
        raise Wrong(text)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def read_text(path):
    return read(path).decode(errors="replace") if os.path.exists(path) else ""


def counters(path):
    """A file of lines "name: number" """
    lines = (line.split(":") for line in read_text(path).splitlines())
    return {name.strip(): int(value) for name, value in lines
            if value.strip().isdigit()}


class Stream:
    """A file of packets, read to its end"""

    def __init__(self, path):
        self.events = self.discarded_records = self.lost = 0
        # sequence numbers of the packets with events
        self.first = self.last = None
        name = os.path.basename(path)
        data = read(path) if os.path.exists(path) else b""
        for packet in tring_packets.packets(data, name):
            events = 0
            for record in tring_packets.records(data, packet, {}, name):
                events += not record.discarded
                self.discarded_records += record.discarded
            self.lost = max(self.lost, packet.lost)
            if not events:
                continue
            self.events += events
            if self.first is None:
                self.first = packet.sequence
            self.last = packet.sequence


def lost_of(stats):
    """Number of events that a ring has lost, by its counters"""
    return sum(value for name, value in stats.items() if LOSSES.match(name))


class Cpu:
    """A CPU's packets and counters"""

    def __init__(self, directory, number):
        self.stream = Stream(f"{directory}/trace/cpu{number}")
        self.rest = Stream(f"{directory}/cpu{number}.rest")
        self.name = f"cpu{number}"
        start = counters(f"{directory}/trace/tring/cpu{number}.start")
        self.has_start = bool(start)
        # up to when the recorder was killed, or up to when the recording ended
        self.since, self.end = (
            {name: value - start.get(name, 0)
             for name, value in counters(path).items()}
            for path in (f"{directory}/cpu{number}.stats",
                         f"{directory}/trace/tring/cpu{number}.end"))

    def missing(self):
        """Number of events that the recorder has read and not written"""
        return self.since["read"] - self.stream.events

    def recorded(self):
        """Number of events that the trace should have"""
        return self.end["read"] + self.end["remaining"]

    def told(self):
        """Number of events whose lack each viewer should tell"""
        return lost_of(self.end) + self.recorded() - self.stream.events

    def check(self):
        """Compares the packets with the counters"""
        since, stream, rest = self.since, self.stream, self.rest
        where = f"{self.name}: counters {since}"
        demand(since["reserved"] == since["committed"] + since["discarded"] +
               since["open"], f"{where}: reserved")
        demand(since["committed"] == since["read"] + since["overwritten"] +
               since["remaining"], f"{where}: committed")
        demand(rest.events == since["remaining"],
               f"{where}: {rest.events} events in the ring")
        demand(self.missing() >= 0, f"{where}: {stream.events} events in the file")
        if None not in (stream.last, rest.first) and not since["overwritten"]:
            demand((rest.first == stream.last + 1) == (not self.missing()),
                   f"{where}: {stream.events} events in the file up to packet "
                   f"{stream.last}, the ring goes on with {rest.first}")


class Trace:
    """A folder of the guest"""

    def __init__(self, tring, directory):
        self.tring = tring
        self.directory = directory
        self.trace = f"{directory}/trace"
        self.log = read_text(f"{directory}/log")
        self.status = int(read_text(f"{directory}/status"))
        numbers = sorted(int(name[3:-6]) for name in os.listdir(directory)
                         if re.fullmatch(r"cpu\d+\.stats", name))
        self.cpus = [Cpu(directory, number) for number in numbers]
        self.events = sum(cpu.stream.events for cpu in self.cpus)

    def run(self, *command):
        """status, output and messages"""
        done = subprocess.run(command, capture_output=True, check=False, timeout=600)
        return (done.returncode, done.stdout.decode(errors="replace"),
                done.stderr.decode(errors="replace"))

    def report(self, wanted):
        """Runs tring report. Returns its losses by CPU, and what it says."""
        status, out, said = self.run(self.tring, "report", self.trace)
        lines = len(EVENT_LINE.findall(out))
        demand(lines == self.events, f"tring report prints {lines} of {self.events} events:"
               f" {said}")
        demand(status == wanted, f"tring report exits with {status}: {said}")
        lost = collections.Counter()
        for cpu, number in LOST_LINE.findall(out):
            lost[f"cpu{cpu}"] += int(number)
        return lost, said

    def view(self):
        """Runs babeltrace2. Returns the number of losses that it tells."""
        if not os.path.exists(f"{self.trace}/metadata") and not self.events:
            return 0
        status, out, said = self.run("babeltrace2", self.trace)
        demand(status == 0, f"babeltrace2 exits with {status}: {said}")
        lines = len(VIEWER_LINE.findall(out))
        records = self.events + sum(cpu.stream.discarded_records for cpu in self.cpus)
        demand(lines == records, f"babeltrace2 prints {lines} of {records} records: {said}")
        return sum(int(number) for number in VIEWER_LOST.findall(said))

    def check_counters(self):
        """Compares the packets of each CPU with its counters"""
        for cpu in self.cpus:
            if cpu.has_start:
                cpu.check()
            else:
                demand(not cpu.stream.events, f"{cpu.name} has events and no counters")

    def check_killed(self):
        """Returns what the trace is like"""
        demand(self.status == KILLED, f"the recorder's status is {self.status}: {self.log}")
        self.check_counters()
        if not os.path.exists(f"{self.trace}/tring/trace_info"):
            status, _, said = self.run(self.tring, "report", self.trace)
            demand(status == 1 and self.trace in said, f"tring report: {status}, {said}")
            demand(not self.events, "it has events and no trace_info")
            return "no trace yet"
        started = any(cpu.has_start for cpu in self.cpus)
        _, said = self.report(1)
        demand("the recording has no end" in said, f"tring report: {said}")
        demand(said.count("\n") == 1, f"tring report: {said}")
        viewer_lost = self.view()
        lost = sum(cpu.stream.lost for cpu in self.cpus)
        demand(viewer_lost <= lost, f"babeltrace2 tells {viewer_lost} losses of {lost}")
        if not started:
            return "no counters yet"
        return "with events" if self.events else "no events yet"

    def check_filled(self):
        """Returns what the trace is like"""
        if "a trace needs" in self.log:
            demand(self.status == 1, f"refused with status {self.status}")
            demand(read_text(f"{self.trace}/tring/trace_info") == "old\n",
                   "refused, and the old trace is gone")
            return "refused"
        demand("kallsyms" not in self.log, f"symbols take the room: {self.log}")
        self.check_counters()
        demand(all(cpu.end for cpu in self.cpus), f"no counters of the end: {self.log}")
        missing = sum(cpu.recorded() - cpu.stream.events for cpu in self.cpus)
        demand(self.status == (1 if missing else 0),
               f"status {self.status}, {missing} missing: {self.log}")
        losses, said = self.report(1 if missing else 0)
        for cpu in self.cpus:
            lacks = cpu.recorded() - cpu.stream.events
            demand(cpu.since["read"] == cpu.end["read"], f"{cpu.name}: read later")
            demand(losses[cpu.name] == cpu.told(),
                   f"{cpu.name}: tring report tells {losses[cpu.name]} losses of "
                   f"{cpu.told()}")
            text = f"{lacks} of {cpu.recorded()} recorded events are"
            demand((text in self.log) == (lacks > 0), f"record: {self.log}")
            demand((text in said) == (lacks > 0), f"report: {said}")
        # A CPU without a packet has no file that could tell.
        told = sum(cpu.told() for cpu in self.cpus if cpu.stream.events)
        viewer_lost = self.view()
        demand(viewer_lost == told, f"babeltrace2 tells {viewer_lost} losses of {told}")
        return "full disk" if missing else "all fits"

    def check_failed(self):
        """Returns what the trace is like"""
        demand(self.status == 1, f"the recorder's status is {self.status}: {self.log}")
        demand("Input/output error" in self.log or "Read-only file" in self.log,
               f"tring record says {self.log}")
        self.check_counters()
        _, said = self.report(1)
        demand("the recording has no end" in said or "events are missing" in said,
               f"tring report: {said}")
        self.view()
        return "with events" if self.events else "without events"


def check(tring, directory, kinds):
    """Prints the line of a trace. Returns whether it is good."""
    name = os.path.basename(directory)
    try:
        trace = Trace(tring, directory)
        kind = getattr(trace, "check_" + name.split("-")[0])()
    except (Wrong, tring_packets.BadInput, ValueError, OSError) as wrong:
        print(f"not ok - {name}: {wrong}")
        return False
    kinds[name.split("-")[0], kind] += 1
    print(f"ok - {name}: {kind}, {trace.events} events")
    return True


def main():
    tring, results = sys.argv[1:]
    kinds = collections.Counter()
    names = [name for name in os.listdir(results)
             if re.fullmatch(r"(killed|filled|failed)-\d+", name)]
    bad = 0
    for name in sorted(names, key=lambda name: (name[:2], int(name.split("-")[1]))):
        bad += not check(tring, f"{results}/{name}", kinds)
    for (what, kind), count in sorted(kinds.items()):
        print(f"{what}: {count} {kind}")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
