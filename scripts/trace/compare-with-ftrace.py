#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Are tring's events those that ftrace recorded at the same time?

usage: compare-with-ftrace.py FTRACE-DIR TRING-DIR
       compare-with-ftrace.py --count STREAM

The second form only walks the packets in a file and prints "events N lost N".

FTRACE-DIR holds, from one boot, cpuN.raw (what per_cpu/cpuN/trace_pipe_raw
gave), header_page, header_event and formats (the events' format files, one
after the other). TRING-DIR holds tring's packets, one file per CPU, as "tring
record" leaves them, and tring/short_ids; other files there are passed over.

ftrace starts before tring and stops after it. So each CPU's tring events, all
of them, must be a run of ftrace's events on that CPU: the same ids and payload
bytes in the same order, with none missing and none added. Three differences
are in the nature of two probes on one tracepoint. Each is checked for being
exactly that, and counted; anything else fails:

order   Both probes are called one after the other, ftrace's first. An
        interrupt that comes in between records its events after ftrace's
        record and before tring's. So a record may come late in tring's order,
        if all that overtook it was recorded in a context that interrupts its
        own.
fields  A few fields are sampled by the probe itself and not handed to it, so
        the second probe may see a newer value: SAMPLED lists them.
slack   Only what the event's format describes is compared: not the holes that
        the compiler leaves in a struct, nor what follows the last field, which
        tring does not record.

Exits with 0 if all CPUs agree, 1 if not, 2 if the input cannot be read.
"""

import collections
import os
import re
import struct
import sys

import tring_packets
from tring_packets import BadInput

# Bits of common_flags (the kernel's enum trace_flag_type).
FLAG_IRQS_OFF = 0x01
FLAG_NEED_RESCHED_LAZY = 0x02
FLAG_NEED_RESCHED = 0x04
FLAG_HARDIRQ = 0x08
FLAG_SOFTIRQ = 0x10
FLAG_PREEMPT_RESCHED = 0x20
FLAG_NMI = 0x40

# An interrupt or another CPU may ask for rescheduling between the two probes.
RESCHED_FLAGS = (FLAG_NEED_RESCHED_LAZY | FLAG_NEED_RESCHED |
                 FLAG_PREEMPT_RESCHED)

# EXIT_DEAD and EXIT_ZOMBIE as sched_switch shows them.
STATE_DEAD, STATE_ZOMBIE = 0x10, 0x20


def anything(_):
    """The field's two values may be any"""
    return b""


def either_dead_or_zombie(data):
    """These two states count as one"""
    if int.from_bytes(data, "little") == STATE_DEAD:
        return STATE_ZOMBIE.to_bytes(len(data), "little")
    return data


def without_resched(data):
    """The flags that no other context can change"""
    return bytes([data[0] & ~RESCHED_FLAGS])


# (event, field): what of it must still be equal. Why each is here:
# common_flags: see RESCHED_FLAGS.
# now: TP_fast_assign reads jiffies.
# prev_state: TP_fast_assign reads the exit_state of a task that is gone from
# this CPU's view; its parent reaps it on another CPU meanwhile.
SAMPLED = {
    (None, "common_flags"): without_resched,
    ("timer_start", "now"): anything,
    ("timer_expire_entry", "now"): anything,
    ("sched_switch", "prev_state"): either_dead_or_zombie,
}

# ns that the kernel's lockless clock may step back by while it is adjusted.
CLOCK_STEP = 1000

# Processes that the workload runs on each CPU, first and last of all.
MARKS = ("tring-begin", "tring-end")

# Enough of tring's first events to know their place among ftrace's.
START_EVENTS = 256

PAGE_SIZE = 4096
# Of a time difference in ftrace's pages, when it is not an event of its own.
DELTA_BITS = 27
# struct trace_entry: id, flags, preempt count, pid.
ENTRY = struct.Struct("<HBBi")
PAYLOAD_MIN = ENTRY.size + tring_packets.FIELDS_MIN

# Task, softirq, interrupt and NMI, each with a way in and out.
NESTING_MAX = 8

# ftrace's page header: the low bits of "commit" are a length, these two say
# that events are missing before the page.
COMMIT_MISSED = (1 << 31) | (1 << 30)

Field = collections.namedtuple("Field", "name offset size dynamic relative")
Event = collections.namedtuple("Event", "name fields fixed_end")
Record = collections.namedtuple("Record", "stamp payload where")


# --- the events' formats ---

def parse_formats(text):
    """The kernel's format files -> {id: Event}"""
    events = {}
    name, number, fields = None, None, []

    def finish():
        if number is not None:
            end = max(f.offset + f.size for f in fields)
            events[number] = Event(name, tuple(fields), end)

    for line in text.splitlines():
        if line.startswith("name:"):
            finish()
            name, number, fields = line.split(":", 1)[1].strip(), None, []
        elif line.startswith("ID:"):
            number = int(line.split(":", 1)[1])
        elif line.strip().startswith("field:"):
            match = re.match(r"\s*field:(.*?);\s*offset:(\d+);\s*size:(\d+);",
                             line)
            if not match:
                raise BadInput("formats: cannot read: " + line)
            declaration = match.group(1)
            fields.append(Field(
                re.sub(r"\[.*\]$", "", declaration).split()[-1].lstrip("*"),
                int(match.group(2)), int(match.group(3)),
                declaration.startswith(("__data_loc", "__rel_loc")),
                declaration.startswith("__rel_loc")))
    finish()
    return events


def dynamic_range(field, payload):
    """Where a dynamic field's data lie in the payload"""
    word, = struct.unpack_from("<I", payload, field.offset)
    start, length = word & 0xffff, word >> 16
    if field.relative:
        start += field.offset + field.size
    return start, start + length


def exact_length(event, payload, where):
    """offsetof(__data) and the dynamic data: what tring must have recorded"""
    end = event.fixed_end
    if len(payload) < end:
        raise BadInput(f"{where}: {event.name} has {len(payload)} bytes, "
                       f"its fields take {end}")
    for field in event.fields:
        if field.dynamic:
            end = max(end, dynamic_range(field, payload)[1])
    if len(payload) < end:
        raise BadInput(f"{where}: {event.name} has {len(payload)} bytes, "
                       f"its dynamic data end at {end}")
    return end


# --- ftrace's ring ---

def check_ftrace_layout(directory):
    """The layout that ftrace_records() assumes, as the kernel states it"""
    with open(os.path.join(directory, "header_page"), encoding="ascii") as f:
        page = f.read()
    with open(os.path.join(directory, "header_event"), encoding="ascii") as f:
        event = f.read()
    for pattern, text in (
            (r"timestamp;\s*offset:0;\s*size:8;", page),
            (r"commit;\s*offset:8;\s*size:8;", page),
            (r"data;\s*offset:16;\s*size:%d;" % (PAGE_SIZE - 16), page),
            (r"type_len\s*:\s*5 bits", event),
            (r"time_delta\s*:\s*27 bits", event),
            (r"padding\s*:\s*type\s*==\s*29", event),
            (r"time_extend\s*:\s*type\s*==\s*30", event),
            (r"time_stamp\s*:\s*type\s*==\s*31", event)):
        if not re.search(pattern, text):
            raise BadInput(f"ftrace's layout is another one: no '{pattern}'")


def ftrace_records(data, name):
    """Raw pages of one CPU -> list of Record"""
    records = []
    if len(data) % PAGE_SIZE:
        raise BadInput(f"{name}: {len(data)} bytes are no whole pages")
    for start in range(0, len(data), PAGE_SIZE):
        stamp, commit = struct.unpack_from("<QQ", data, start)
        if commit & COMMIT_MISSED:
            raise BadInput(f"{name}: page at {start}: ftrace lost events; "
                           "its buffer is too small for this comparison")
        at, end = start + 16, start + 16 + (commit & 0xfffff)
        if end > start + PAGE_SIZE:
            raise BadInput(f"{name}: page at {start}: commit {commit:#x}")
        while at < end:
            word, = struct.unpack_from("<I", data, at)
            kind, delta = word & 31, word >> 5
            if kind == 29:
                if delta == 0:
                    break
                length, = struct.unpack_from("<I", data, at + 4)
                stamp += delta
                at += 4 + length
                continue
            if kind in (30, 31):
                high, = struct.unpack_from("<I", data, at + 4)
                value = (high << DELTA_BITS) + delta
                if kind == 30:
                    stamp += value
                else:
                    # an absolute stamp has 59 bits
                    stamp = (stamp >> 59 << 59) | value
                at += 8
                continue
            stamp += delta
            if kind == 0:
                length, = struct.unpack_from("<I", data, at + 4)
                body, size = at + 8, length - 4
            else:
                body, size = at + 4, kind * 4
            if size < 8 or body + size > end:
                raise BadInput(f"{name}: record at {at}: length {size}")
            records.append(Record(stamp, data[body:body + size],
                                  f"{name}+{at:#x}"))
            at = body + size
    return records


# --- tring's packets ---

class Stream:
    """All packets of one CPU: their records, and what the headers promise"""

    def __init__(self, data, name, short_ids):
        self.short_ids = short_ids
        self.records = []
        self.cpu = None
        self.no_context = None
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
        """What the headers before promised, and short_ids"""
        if self.cpu not in (None, packet.cpu):
            raise BadInput(f"{where}: CPU {packet.cpu} in the stream of "
                           f"{self.cpu}")
        if self.sequence is not None and packet.sequence != self.sequence + 1:
            self.gaps.append(f"{where}: packet {packet.sequence} follows "
                             f"{self.sequence}")
        if packet.begin < self.stamp_end:
            self.errors.append(f"{where}: begins at {packet.begin}, before "
                               f"the end {self.stamp_end} of the packet before")
        if self.no_context not in (None, packet.no_context):
            self.errors.append(f"{where}: a context where there was none, or "
                               "none where there was")
        if packet.lost < self.events_discarded:
            self.errors.append(f"{where}: events_discarded went back")
        for kind, (_, length) in self.short_ids.items():
            if packet.lengths[kind] not in (0, length):
                self.errors.append(f"{where}: fields of type {kind} have "
                                   f"length {packet.lengths[kind]}, short_ids "
                                   f"says {length}")
        self.cpu, self.sequence = packet.cpu, packet.sequence
        self.no_context = packet.no_context
        self.stamp_end, self.events_discarded = packet.end, packet.lost
        self.packets += 1

    def read_records(self, data, packet, name):
        """The records of one packet, as ftrace would have them"""
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


def depth(flags):
    """Which context interrupts which"""
    if flags & FLAG_NMI:
        return 3
    if flags & FLAG_HARDIRQ:
        return 2
    if flags & FLAG_SOFTIRQ:
        return 1
    return 0


def interrupts(inner, outer):
    """Can a context with the flags `inner` have interrupted `outer`?"""
    if depth(inner) == 3:
        return depth(outer) < 3
    if outer & FLAG_IRQS_OFF:
        return False
    if depth(inner) > depth(outer):
        return True
    # On its way in and out an interrupt handler is not yet, or no longer,
    # counted as one, but interrupts are off.
    return bool(inner & FLAG_IRQS_OFF)


class Comparison:
    """Compares two lists of records of one CPU"""

    def __init__(self, events, counts, no_context):
        self.events = events
        self.counts = counts
        self.no_context = no_context
        self.early_stamps = 0

    def fields(self, event):
        """Those that both have: id and flags, preempt count and pid, the rest"""
        return [field for field in event.fields if not
                (self.no_context and 2 <= field.offset < ENTRY.size)]

    def key(self, record):
        """What must be equal: bytes that belong to a field, unsampled"""
        event = self.events.get(id_of(record))
        if event is None:
            raise BadInput(f"{record.where}: unknown id {id_of(record)}")
        length = exact_length(event, record.payload, record.where)
        parts = []
        for field in self.fields(event):
            data = record.payload[field.offset:field.offset + field.size]
            for name in (event.name, None):
                if (name, field.name) in SAMPLED:
                    data = SAMPLED[name, field.name](data)
            parts.append(data)
            if field.dynamic:
                start, end = dynamic_range(field, record.payload)
                parts.append(record.payload[start:end])
        return length, tuple(parts)

    def count_sampled(self, first, second):
        """Two records with the same key: in which sampled fields they differ"""
        event = self.events[id_of(first)]
        for field in self.fields(event):
            where = slice(field.offset, field.offset + field.size)
            if first.payload[where] != second.payload[where]:
                name = f"{event.name}." if field.offset >= 8 else ""
                self.counts[f"sampled anew: {name}{field.name}"] += 1

    def compare(self, first, second):
        """Is `second` a run of `first`? Returns an error, or None"""
        if not second:
            return "tring has no event at all"
        keys_first = [self.key(r) for r in first]
        keys_second = [self.key(r) for r in second]
        start, error = self.find_start(first, second, keys_first, keys_second)
        if error:
            return error
        error = self.walk(first, second, keys_first, keys_second, start,
                          self.matched)
        if error:
            return error
        self.counts["equal"] += len(second)
        if self.early_stamps:
            return (f"{self.early_stamps} tring stamps are earlier than "
                    "ftrace's of the same event, though read later")
        return None

    def walk(self, first, second, keys_first, keys_second, start, matched):
        """Compares `second` with `first` from `start` on

        Calls matched(record of first, of second, the next of first, late?) for
        each pair. Returns an error, or None.
        """
        # Records of `first` that `second` has not had yet, each interrupted
        # by the ones after it. tring may have been switched on within the
        # outermost, which it then may or may not have.
        late = []
        if start > 0:
            late.append((start - 1, True))
        i = start
        for j, record in enumerate(second):
            while True:
                if late and keys_first[late[-1][0]] == keys_second[j]:
                    index, _ = late.pop()
                    after = None
                    break
                if i >= len(first):
                    return (f"{record.where}: tring's event {j}, "
                            f"{self.describe(record)}, is not in ftrace's")
                if keys_first[i] == keys_second[j]:
                    index = i
                    i += 1
                    after = first[i] if i < len(first) else None
                    break
                late.append((i, False))
                if len(late) > NESTING_MAX:
                    return self.mismatch(first, second, late[0][0], j)
                i += 1
            flags = flags_of(first[index] if self.no_context else record)
            if late and late[0][1] and not interrupts(
                    flags, flags_of(first[late[0][0]])):
                late.pop(0)
            for outer, _ in late:
                if not interrupts(flags, flags_of(first[outer])):
                    return self.mismatch(first, second, outer, j)
            matched(first[index], record, after, index < i - 1)
        # What is left over was interrupted by tring's being switched off, or
        # by the end of the part that was to be compared.
        if matched == self.matched:
            self.counts["cut by switching off"] += sum(
                1 for _, optional in late if not optional)
        return None

    def find_start(self, first, second, keys_first, keys_second):
        """Where in `first` tring's first events are

        A record among them may be late, so each place at which the first of
        them is found is tried.
        """
        error = "tring's first event is not among ftrace's"
        head = second[:START_EVENTS]
        places = []
        for i, key in enumerate(keys_first):
            if key != keys_second[0]:
                continue
            said = self.walk(first, head, keys_first, keys_second, i,
                             lambda *_: None)
            if said is None:
                places.append(i)
            else:
                error = said
        if not places:
            return 0, f"tring's first events are not among ftrace's; {error}"
        if len(places) > 1:
            return 0, f"tring's first events fit in {len(places)} places"
        return places[0], None

    def matched(self, first, second, after, late):
        """Counts what differs between two records with the same key"""
        if late:
            self.counts["late records"] += 1
        self.count_sampled(first, second)
        self.compare_stamps(first, second, after)

    def compare_stamps(self, first, second, after):
        """Both read one clock: ftrace, then tring, then ftrace's next event"""
        if second.stamp < first.stamp - CLOCK_STEP:
            self.early_stamps += 1
        if after and second.stamp > after.stamp:
            self.counts["stamps after ftrace's next event"] += 1

    def describe(self, record):
        event = self.events[id_of(record)]
        pid, = struct.unpack_from("<i", record.payload, 4)
        return (f"{event.name} pid {pid} flags {flags_of(record):#x} "
                f"preempt {record.payload[3]} {record.payload[8:].hex()}")

    def mismatch(self, first, second, i, j):
        """An error that shows both sides"""
        lines = [f"events differ; ftrace from {i}, tring from {j}:"]
        lines += ["  ftrace " + self.describe(r) for r in first[i:i + 6]]
        lines += ["  tring  " + self.describe(r) for r in second[j:j + 6]]
        return "\n".join(lines)


def check_lengths(comparison, stream):
    """Each tring record has exactly the length that its format gives"""
    for record in stream.records:
        event = comparison.events.get(id_of(record))
        if event is None:
            raise BadInput(f"{record.where}: unknown id {id_of(record)}")
        wanted = max(exact_length(event, record.payload, record.where),
                     PAYLOAD_MIN)
        if len(record.payload) != wanted:
            return (f"{record.where}: {event.name} has {len(record.payload)} "
                    f"bytes, its format gives {wanted}")
    return None


def check_marks(events, records):
    """Does the record reach from the workload's beginning to its end?"""
    seen = set()
    for record in records:
        event = events[id_of(record)]
        if event.name != "sched_process_exit":
            continue
        for field in event.fields:
            if field.name == "comm":
                start, end = field.offset, field.offset + field.size
                if field.dynamic:
                    start, end = dynamic_range(field, record.payload)
                comm = record.payload[start:end].split(b"\0")[0].decode()
                seen.add(comm)
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


def count_stream(path):
    """What is in one file of packets, and is it in order?"""
    with open(path, "rb") as f:
        stream = Stream(f.read(), os.path.basename(path), {})
    for error in stream.errors:
        print(error)
    print(f"events {len(stream.records)} lost {stream.events_discarded}")
    return int(bool(stream.errors))


def main(arguments):
    if len(arguments) == 3 and arguments[1] == "--count":
        return count_stream(arguments[2])
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
    names = collections.Counter()
    for cpu in sorted(streams):
        stream = streams[cpu]
        counts = collections.Counter()
        comparison = Comparison(events, counts, stream.no_context)
        name = f"cpu{cpu}.raw"
        with open(os.path.join(ftrace_dir, name), "rb") as f:
            first = ftrace_records(f.read(), name)
        second = stream.records
        errors = stream.errors + stream.gaps
        if stream.events_discarded:
            errors.append(f"tring lost {stream.events_discarded} events")
        errors.append(check_lengths(comparison, stream))
        errors.append(comparison.compare(first, second))
        errors.append(check_marks(events, second))
        errors = [error for error in errors if error]
        names.update(events[id_of(record)].name for record in second)
        print(f"cpu{cpu}: ftrace {len(first)} events; tring {len(second)} in "
              f"{stream.packets} packets, {stream.discarded_records} "
              f"discarded{', without context' * stream.no_context}: "
              f"{'DIFFERENT' if errors else 'equal'}")
        for what, count in sorted(counts.items()):
            print(f"cpu{cpu}:   {what}: {count}")
        for error in errors[:10]:
            print(f"cpu{cpu}: {error}")
        failed = failed or bool(errors)
    for event, count in names.most_common():
        print(f"{count:8} {event}")
    return int(failed)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv))
    except (BadInput, OSError, struct.error) as error:
        print(f"cannot compare: {error}")
        sys.exit(2)
