# SPDX-License-Identifier: GPL-2.0
"""ftrace's event formats and raw pages, for scripts.

Layout of the pages: the kernel's events/header_page and events/header_event,
which check_ftrace_layout() compares with what ftrace_records() assumes.
"""

import collections
import os
import re
import struct

from tring_packets import BadInput

PAGE_SIZE = 4096
# Size of a time difference in ftrace's pages, unless it is an event of its own.
DELTA_BITS = 27
# Bits of "commit" in ftrace's page header: events are missing before this page. The
# low bits are a length.
COMMIT_MISSED = (1 << 31) | (1 << 30)
ADDRESS = struct.Struct("<Q")
# struct trace_entry: id, flags, preempt count, pid.
ENTRY = struct.Struct("<HBBi")

# text: an array of characters, which ends with a NUL if it is shorter
Field = collections.namedtuple("Field", "name offset size dynamic relative text")
# counted: the field whose elements another one counts, instead of the format: a stack
Event = collections.namedtuple("Event", "name fields fixed_end counted")
Record = collections.namedtuple("Record", "stamp payload where")


# --- the events' formats ---

def parse_formats(text):
    """The kernel's format files -> {id: Event}"""
    events = {}
    name, number, fields = None, None, []

    def finish():
        if number is not None:
            counted = fields.pop() if name == "kernel_stack" else None
            end = counted.offset if counted else max(f.offset + f.size for f in fields)
            events[number] = Event(name, tuple(fields), end, counted)

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
                declaration.startswith("__rel_loc"),
                re.match(r"char \w+\[", declaration) is not None))
    finish()
    return events


def dynamic_range(field, payload):
    """Begin and end of a dynamic field's data in the payload"""
    word, = struct.unpack_from("<I", payload, field.offset)
    start, length = word & 0xffff, word >> 16
    if field.relative:
        start += field.offset + field.size
    return start, start + length


def addresses(event, payload):
    """The addresses of a stack, or nothing"""
    if not event.counted:
        return ()
    count, = struct.unpack_from("<I", payload, ENTRY.size)
    data = payload[event.counted.offset:event.counted.offset + ADDRESS.size * count]
    if len(data) < ADDRESS.size * count:
        raise BadInput(f"{event.name} has {len(payload)} bytes for {count} addresses")
    return tuple(number for number, in ADDRESS.iter_unpack(data))


def exact_length(event, payload, where):
    """Length that tring records: offsetof(__data) plus the dynamic data"""
    end = event.fixed_end
    if len(payload) < end:
        raise BadInput(f"{where}: {event.name} has {len(payload)} bytes, "
                       f"its fields take {end}")
    for field in event.fields:
        if field.dynamic:
            end = max(end, dynamic_range(field, payload)[1])
    end += ADDRESS.size * len(addresses(event, payload))
    if len(payload) < end:
        raise BadInput(f"{where}: {event.name} has {len(payload)} bytes, "
                       f"its dynamic data end at {end}")
    return end


# --- ftrace's ring ---

def check_ftrace_layout(directory):
    """Compares the kernel's layout with the one that ftrace_records() assumes"""
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
