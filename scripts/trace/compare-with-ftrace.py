#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares tring's events with those that ftrace recorded at the same time.

usage: compare-with-ftrace.py [--some-tasks] FTRACE-DIR TRING-DIR

With --some-tasks both have recorded some tasks only, so switches are missing.

FTRACE-DIR holds the data of one boot: cpuN.raw (data of
per_cpu/cpuN/trace_pipe_raw), header_page, header_event and formats (the events'
format files, one after the other). TRING-DIR is a directory of "tring record", with
tring's packets, one file per CPU, and tring/short_ids; other files are ignored.

ftrace starts before tring and stops after it. So all tring events of a CPU must
be a run of ftrace's events of that CPU: the same ids and payload bytes in the
same order, none missing, none added. Two probes on one tracepoint cause three
kinds of differences, which are checked and counted. Any other difference fails:

order   An interrupt between the two probes records its events after ftrace's
        record and before tring's, so tring's order may differ. See align.py.
        Since 7.0 a task switch can do so, too, and the task may go on on another
        CPU. There the events of each task are compared, on earlier kernels those
        of each CPU. See align_tasks.py.
fields  What a probe reads in memory may have changed when the second one reads it. The
        arguments of the tracepoint have not, see arguments.py, nor have the registers of a
        system call. The others differ in a few records only, or it is an error.
stacks  Those of ftrace begin with functions of its own, by whose names in the file
        kallsyms they are known. It records empty ones of programs for tasks of the
        kernel; tring records none.
walks   A probe that walks the kernel's stack may raise a softirq, where a task can be
        preempted while it reads under RCU. The event of that is inside of one probe, and
        before or behind the other one. Its own stack tells; it is left out.
slack   Only the fields of the event's format are compared, not the holes in a
        struct, nor the bytes after the last field, which tring does not record; nor those
        behind the end of a text, where each ring keeps what was there before.

Exits with 0 if all CPUs agree, 1 if not, 2 if the input cannot be read.
"""

import bisect
import collections
import os
import re
import struct
import sys

import align
import align_tasks
import tring_packets
from arguments import arguments_of, release_of
from ftrace_pages import (ENTRY, Record, addresses, check_ftrace_layout,
                          dynamic_range, exact_length, ftrace_records, parse_formats)
from tring_packets import BadInput

# Bits of common_flags (the kernel's enum trace_flag_type).
FLAG_NEED_RESCHED_LAZY = 0x02
FLAG_NEED_RESCHED = 0x04
FLAG_PREEMPT_RESCHED = 0x20

# An interrupt or another CPU may ask for rescheduling between the two probes.
RESCHED_FLAGS = (FLAG_NEED_RESCHED_LAZY | FLAG_NEED_RESCHED |
                 FLAG_PREEMPT_RESCHED)

# So many records, and one in so many, may differ in a field that is read in memory.
CHANGED_MAX, CHANGED_IN = 3, 10


def without_resched(data):
    """The flags that no other context can change"""
    return bytes([data[0] & ~RESCHED_FLAGS])


# Functions of ftrace with which its stacks begin.
FTRACES_OWN = re.compile("trace_event_raw_event_|ftrace_syscall_|trace_event_buffer_|"
                         "kprobe_trace_func|kretprobe_trace_func|kprobe_dispatcher|"
                         "kretprobe_dispatcher")

STACKS = ("kernel_stack", "user_stack")

# Two events of one tracepoint: sys_enter, and sys_enter_read or another call's
SYSCALL = re.compile("sys_enter|sys_exit")

# Functions by which ftrace's probes and tring's walk the kernel's stack.
WALKS = ("__ftrace_trace_stack", "tring_unwind")
# Functions by which interrupts enter the kernel.
INTERRUPTS = re.compile("asm_sysvec_|asm_common_interrupt|asm_exc_nmi|el1h_64_(irq|fiq)")

# The kernel's lockless clock may step back by some ns while it is adjusted.
CLOCK_STEP = 1000

# Tracepoints of this and later kernels call their probes with preemption enabled.
PREEMPTIBLE_SINCE = (7, 0)

# Names of the first and the last process of the workload on each CPU.
MARKS = ("tring-begin", "tring-end")

PAYLOAD_MIN = ENTRY.size + tring_packets.FIELDS_MIN


# --- tring's packets ---

class Stream:
    """All packets of one CPU, checked against their headers"""

    def __init__(self, data, name, short_ids):
        self.short_ids = short_ids
        self.records = []
        self.cpu = None
        self.packets = 0
        self.discarded_records = 0
        self.events_discarded = 0
        self.sequence = None
        self.stamp_end = 0
        self.errors = []
        self.gaps = []
        for packet in tring_packets.packets(data, name):
            self.check_header(packet, f"{name}+{packet.start:#x}")
            self.read_records(data, packet, name)

    def check_header(self, packet, where):
        """Checks a header against those before and against short_ids"""
        if self.cpu not in (None, packet.cpu):
            raise BadInput(f"{where}: CPU {packet.cpu} in the stream of "
                           f"{self.cpu}")
        if self.sequence is not None and packet.sequence != self.sequence + 1:
            self.gaps.append(f"{where}: packet {packet.sequence} follows "
                             f"{self.sequence}")
        if packet.begin < self.stamp_end:
            self.errors.append(f"{where}: begins at {packet.begin}, before "
                               f"the end {self.stamp_end} of the packet before")
        if packet.lost < self.events_discarded:
            self.errors.append(f"{where}: events_discarded went back")
        for kind, (_, length) in self.short_ids.items():
            if packet.lengths[kind] not in (0, length):
                self.errors.append(f"{where}: fields of type {kind} have "
                                   f"length {packet.lengths[kind]}, short_ids "
                                   f"says {length}")
        self.cpu, self.sequence = packet.cpu, packet.sequence
        self.stamp_end, self.events_discarded = packet.end, packet.lost
        self.packets += 1

    def read_records(self, data, packet, name):
        """Reads the records of one packet, with payloads as ftrace's"""
        stamp = packet.begin
        for record in tring_packets.records(data, packet, self.short_ids,
                                            name):
            where = f"{name}+{record.at:#x}"
            if record.stamp < stamp:
                self.errors.append(f"{where}: time goes back, from {stamp} to "
                                   f"{record.stamp}")
            stamp = record.stamp
            if record.discarded:
                self.discarded_records += 1
                continue
            payload = ENTRY.pack(record.id or 0, record.flags,
                                 record.preempt_count, record.pid)
            payload += data[record.fields:record.fields + record.length]
            self.records.append(Record(stamp, payload, where))
        if stamp > packet.end:
            self.errors.append(f"{name}+{packet.start:#x}: ends at "
                               f"{packet.end}, last record at {stamp}")


# --- the comparison ---

def id_of(record):
    return struct.unpack_from("<H", record.payload)[0]


def flags_of(record):
    return record.payload[2]


def context_of(record):
    """What an event and the stacks behind it have in common"""
    return without_resched(record.payload[2:3]), record.payload[3:8]


def own_bytes(field, payload):
    """The bytes of a field; of a text those before its NUL"""
    data = payload[field.offset:field.offset + field.size]
    return data.split(b"\0")[0] if field.text else data


def content(field, payload):
    """The bytes of a field, or those to which it points"""
    if not field.dynamic:
        return own_bytes(field, payload)
    start, end = dynamic_range(field, payload)
    return payload[start:end]


def pid_of(record):
    return struct.unpack_from("<i", record.payload, 4)[0]


# A record with the stacks that were recorded behind it
Unit = collections.namedtuple("Unit", "stamp payload where stacks")


def units(events, records):
    """The records, each with its stacks, between which interrupts may have come"""
    found, without = [], []
    for record in records:
        event = events.get(id_of(record))
        if not event or event.name not in STACKS:
            found.append(Unit(*record, []))
            continue
        context = context_of(record)
        for unit in reversed(found):
            if context_of(unit) == context and all(
                    id_of(stack) != id_of(record) for stack in unit.stacks):
                unit.stacks.append(record)
                break
        else:
            without.append(record)
    return found, without


def without_open(records):
    """The records but for those whose stacks were to come when the ring was switched off"""
    if not any(unit.stacks for unit in records):
        return records
    at_end = align.Traces([], [flags_of(unit) for unit in records], [],
                          [None] * len(records)).open_at(len(records))
    return [unit for index, unit in enumerate(records) if unit.stacks or index not in at_end]


class Symbols:
    """The kernel's functions by address, if there is a file of them"""

    def __init__(self, path):
        self.starts, self.names = [], []
        if not os.path.exists(path):
            return
        with open(path, encoding="ascii") as f:
            symbols = sorted((int(line.split()[0], 16), line.split()[2]) for line in f
                             if line.split()[1] in "tTwW")
        self.starts = [start for start, _ in symbols]
        self.names = [name for _, name in symbols]

    def name_of(self, address):
        index = bisect.bisect_right(self.starts, address) - 1
        return self.names[index] if index >= 0 else ""

    def is_ftraces_own(self, address):
        return bool(FTRACES_OWN.match(self.name_of(address)))

    def without_ftraces_own(self, stack):
        """The stack from the function with the event on"""
        first = 0
        while first < len(stack) and self.is_ftraces_own(stack[first]):
            first += 1
        return stack[first:]


class Comparison:
    """Compares the records of all CPUs, CPU by CPU or task by task"""

    def __init__(self, events, symbols, fixed):
        self.events = events
        self.counts = collections.Counter()
        self.symbols = symbols
        self.fixed = fixed
        self.seen = collections.Counter()
        self.changed = collections.Counter()

    def is_fixed(self, event, field):
        """Can nothing change the field between the two probes?"""
        return field.offset < ENTRY.size or field.name in self.fixed.get(event.name, ()) or \
            event.name.startswith(("sys_enter_", "sys_exit_"))

    def key(self, record):
        """The bytes that must be equal: those of fixed fields, without resched flags"""
        event = self.events.get(id_of(record))
        if event is None:
            raise BadInput(f"{record.where}: unknown id {id_of(record)}")
        parts = []
        if event.counted:
            return self.symbols.without_ftraces_own(addresses(event, record.payload))
        for stack in getattr(record, "stacks", ()):
            parts.append((id_of(stack), self.key(stack)))
        for field in event.fields:
            if self.is_fixed(event, field):
                data = own_bytes(field, record.payload)
                parts.append(without_resched(data) if field.name == "common_flags" else data)
        return tuple(parts)

    def call(self, record):
        """What the two events of a system call's begin, or of its end, have in common"""
        match = SYSCALL.match(self.events[id_of(record)].name)
        return (match.group(), pid_of(record)) if match else None

    def count_changed(self, first, second):
        """Counts the fields in which two records with one key differ"""
        event = self.events[id_of(first)]
        self.seen[event.name] += 1
        for field in event.fields:
            if content(field, first.payload) != content(field, second.payload):
                self.changed[event.name if field.offset >= ENTRY.size else "",
                             field.name] += 1

    def end(self):
        """Counts, and an error if a field in memory differs more often than it can change"""
        for (event, field), count in self.changed.items():
            name = f"{event}.{field}" if event else field
            self.counts[f"changed meanwhile: {name}"] += count
            if event and count > CHANGED_MAX and count * CHANGED_IN > self.seen[event]:
                return f"{name} differs in {count} of {self.seen[event]} records"
        return None

    def written(self, records, per_task):
        """{cpu: list of Record} -> {cpu: list of align_tasks.Written}"""
        return {cpu: [align_tasks.written(
            cpu, position, self.key(record), flags_of(record),
            pid_of(record) if per_task else 0, record.stamp,
            self.events[id_of(record)].name == "sched_switch", self.call(record))
                      for position, record in enumerate(of_cpu)]
                for cpu, of_cpu in records.items()}

    def compare(self, first, second, per_task, all_tasks):
        """Compares the events of each task or CPU; returns a list of errors"""
        if not all(second.values()):
            return ["tring has no event at all of a CPU"]
        found = align_tasks.Tasks(self.written(first, per_task),
                                  self.written(second, per_task), all_tasks)
        early = 0
        for one, two, late in found.pairs:
            if one.cpu != two.cpu:
                self.counts["written on another CPU"] += 1
            self.counts["late records"] += late
            record, own = first[one.cpu][one.position], second[two.cpu][two.position]
            self.count_changed(record, own)
            # Both read one clock, ftrace before tring.
            early += own.stamp < record.stamp - CLOCK_STEP
        self.counts["cut by switching off"] += found.cut_off
        self.counts["equal"] += len(found.pairs)
        errors = []
        for what, event in found.errors:
            records = first if what == "missing" else second
            record = records[event.cpu][event.position]
            errors.append(f"{record.where}: {what}: {self.describe(record)}")
        if early:
            errors.append(f"{early} tring stamps are earlier than "
                          "ftrace's of the same event, though read later")
        return errors + [self.end()]

    def describe(self, record):
        event = self.events[id_of(record)]
        return (f"{event.name} pid {pid_of(record)} flags {flags_of(record):#x} "
                f"preempt {record.payload[3]} {record.payload[8:].hex()}")


def check_lengths(events, stream):
    """Each tring record must have the length that its format gives"""
    for record in stream.records:
        event = events.get(id_of(record))
        if event is None:
            raise BadInput(f"{record.where}: unknown id {id_of(record)}")
        wanted = max(exact_length(event, record.payload, record.where),
                     PAYLOAD_MIN)
        if len(record.payload) != wanted:
            return (f"{record.where}: {event.name} has {len(record.payload)} "
                    f"bytes, its format gives {wanted}")
    return None


def is_of_walk(events, symbols, unit):
    """Has a probe caused the event, not an interrupt of it, while it walked the stack?"""
    for stack in unit.stacks:
        event = events[id_of(stack)]
        if event.name != "kernel_stack":
            continue
        for address in symbols.without_ftraces_own(addresses(event, stack.payload)):
            name = symbols.name_of(address)
            if name in WALKS:
                return True
            if INTERRUPTS.match(name):
                break
    return False


def has_program(events, record):
    """False for an empty stack, which is that of a task of the kernel"""
    event = events.get(id_of(record))
    return not event or event.name != "user_stack" or any(record.payload[16:80])


def check_marks(events, records):
    """The recording must contain the workload's first and last process"""
    seen = set()
    for record in records:
        event = events[id_of(record)]
        if event.name != "sched_process_exit":
            continue
        for field in event.fields:
            if field.name == "comm":
                seen.add(content(field, record.payload).decode())
    missing = [mark for mark in MARKS if mark not in seen]
    if missing:
        return "tring has no sched_process_exit of " + " and ".join(missing)
    return None


def read_tring(directory):
    """All files that begin with a packet -> {cpu: Stream}"""
    short_ids = tring_packets.short_ids_of(directory)
    streams = {}
    for name in sorted(os.listdir(directory)):
        path = os.path.join(directory, name)
        if not os.path.isfile(path):
            continue
        with open(path, "rb") as f:
            data = f.read()
        if data[:4] != struct.pack("<I", tring_packets.MAGIC):
            continue
        stream = Stream(data, name, short_ids)
        if stream.cpu in streams:
            raise BadInput(f"{name}: a second stream of CPU {stream.cpu}")
        streams[stream.cpu] = stream
    if not streams:
        raise BadInput(f"{directory}: no packets")
    return streams


def show(name, what, counts, errors):
    """Prints the outcome of a comparison; returns whether it has failed"""
    errors = [error for error in errors if error]
    print(f"{name}: {what}: {'DIFFERENT' if errors else 'equal'}")
    for kind, count in sorted(counts.items()):
        print(f"{name}:   {kind}: {count}")
    for error in errors[:10]:
        print(f"{name}: {error}")
    return bool(errors)


def main(arguments):
    all_tasks = arguments[1:2] != ["--some-tasks"]
    if not all_tasks:
        del arguments[1]
    if len(arguments) != 3:
        sys.stderr.write(__doc__)
        return 2
    ftrace_dir, tring_dir = arguments[1:]
    check_ftrace_layout(ftrace_dir)
    with open(os.path.join(ftrace_dir, "formats"), encoding="utf-8") as f:
        events = parse_formats(f.read())
    streams = read_tring(tring_dir)
    failed = False
    for name in sorted(os.listdir(ftrace_dir)):
        match = re.fullmatch(r"cpu(\d+)\.raw", name)
        if match and int(match.group(1)) not in streams:
            print(f"cpu{match.group(1)}: tring has no stream of this CPU")
            failed = True
    symbols = Symbols(os.path.join(ftrace_dir, "kallsyms"))
    first = {}
    for cpu in streams:
        name = f"cpu{cpu}.raw"
        with open(os.path.join(ftrace_dir, name), "rb") as f:
            first[cpu], _ = units(events, [
                record for record in ftrace_records(f.read(), name)
                if has_program(events, record)])
        first[cpu] = [unit for unit in first[cpu] if not is_of_walk(events, symbols, unit)]
    release = release_of(tring_dir)
    per_task = tuple(map(int, re.findall(r"\d+", release)[:2])) >= PREEMPTIBLE_SINCE
    fixed = arguments_of(release)
    names = collections.Counter()
    for cpu, stream in sorted(streams.items()):
        errors = stream.errors + stream.gaps
        if stream.events_discarded:
            errors.append(f"tring lost {stream.events_discarded} events")
        errors.append(check_lengths(events, stream))
        stream.records, without = units(events, stream.records)
        if without:
            errors.append(f"{without[0].where}: a stack of no event")
        kept = [unit for unit in stream.records if not is_of_walk(events, symbols, unit)]
        counts = {"caused by a walk of a stack": len(stream.records) - len(kept)}
        stream.records = without_open(kept)
        errors.append(check_marks(events, stream.records))
        for record in stream.records:
            names.update(events[id_of(each)].name for each in (record, *record.stacks))
        failed = show(f"cpu{cpu}", f"ftrace {len(first[cpu])} events; tring "
                      f"{len(stream.records)} in {stream.packets} packets, "
                      f"{stream.discarded_records} discarded",
                      counts, errors) or failed
    comparison = Comparison(events, symbols, fixed)
    errors = comparison.compare(
        first, {cpu: stream.records for cpu, stream in streams.items()}, per_task, all_tasks)
    failed = show("tasks" if per_task else "CPUs", "all events of each",
                  comparison.counts, errors) or failed
    for event, count in names.most_common():
        print(f"{count:8} {event}")
    return int(failed)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv))
    except (BadInput, OSError, struct.error) as error:
        print(f"cannot compare: {error}")
        sys.exit(2)
