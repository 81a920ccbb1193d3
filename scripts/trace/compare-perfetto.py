#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""compare-perfetto.py TRING DIR FILE - check what "tring convert --to perfetto" has written

Decodes FILE with protoc, and compares all events and losses of each CPU with those of
"tring convert --to json DIR". Prints the first differences; the last line counts the
events. The exit status is 1 if anything differs, or if FILE has a field that perfetto.proto
does not have.
"""
import os
import re
import subprocess
import sys

import converted

LINE = re.compile(r'^ *(\w+)(?:: (.*)| \{)$')
ESCAPE = re.compile(rb'\\([0-7]{3}|.)')
ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}


def value_of(text):
    """A value as protoc prints it: a number, True, or text."""
    if not text.startswith('"'):
        return True if text == "true" else int(text)
    text = text[1:-1].encode("ascii")
    return converted.text_of(ESCAPE.sub(
        lambda match: bytes([int(match[1], 8)]) if len(match[1]) == 3
        else ESCAPED.get(match[1], match[1]), text))


def packets_of(path):
    """Yield each packet: {field: [values]}, messages as well."""
    proto = os.path.join(os.path.dirname(os.path.abspath(__file__)), "perfetto.proto")
    with open(path, "rb") as trace, subprocess.Popen(
            ["protoc", "--decode=perfetto.protos.Trace", "-I", os.path.dirname(proto), proto],
            stdin=trace, stdout=subprocess.PIPE, encoding="ascii") as protoc:
        stack = [{}]
        for line in protoc.stdout:
            if line.endswith("}\n"):
                stack.pop()
                if len(stack) == 1:
                    yield stack[0].pop("packet")[0]
                continue
            match = LINE.match(line)
            if match[1].isdigit():
                raise ValueError(f"unknown field: {line}")
            value = {} if match[2] is None else value_of(match[2])
            stack[-1].setdefault(match[1], []).append(value)
            if match[2] is None:
                stack.append(value)
    if protoc.returncode:
        raise ValueError("protoc failed")


def generic_fields(message):
    """{name: value} of a generic event; the elements of an array are one value."""
    fields = {}
    for field in message.get("field", []):
        name = field["name"][0]
        value = next(field[key][0] for key in ("int_value", "uint_value", "str_value")
                     if key in field)
        array = re.match(r"(.*)\[(\d+)\]$", name)
        if array:
            fields.setdefault(array[1], []).append(value)
        else:
            fields[name] = value
    return fields


def events_of(path):
    """{cpu: [event]} as converted.Event; what has no place in a message is in its rest."""
    cpus = {}
    for packet in packets_of(path):
        if not packet["machine_id"][0]:
            raise ValueError("a packet without a machine")
        for bundle in packet.get("ftrace_events", []):
            events = cpus.setdefault(bundle["cpu"][0], [])
            for index, entry in enumerate(bundle["event"]):
                stamp, pid = entry.pop("timestamp")[0], entry.pop("pid")[0]
                (name, [message]), = entry.items()
                if name != "generic":
                    fields = {key: value if key == "args" else value[0]
                              for key, value in message.items()}
                else:
                    name, fields = message["event_name"][0], generic_fields(message)
                if name.endswith("_rest"):
                    events[-1].fields.update(fields)
                    continue
                if name == "tring_lost" and (index or "lost_events" not in bundle):
                    raise ValueError("a loss that its bundle does not tell")
                events.append(converted.Event(stamp, pid - (pid >> 31 << 32), None,
                                              None, None, None, name, fields))
    return cpus


def as_message(event):
    """An event of JSON as Perfetto has it: calls by number, and no empty arrays."""
    fields = {key: value for key, value in event.fields.items() if value != []}
    if re.match(r"sys_(enter|exit)_", event.name) and "__syscall_nr" in fields:
        numbers = [key for key, value in fields.items() if isinstance(value, int)]
        values = [fields.pop(key) for key in numbers]
        fields["id"] = values[0]
        if event.name.startswith("sys_exit_"):
            fields["ret"] = values[1]
        elif values[1:]:
            fields["args"] = values[1:]
        event = event._replace(name=event.name[:event.name.index("_", 4)])
    return event._replace(fields=fields)


def same(own, their):
    """Compare numbers by their bits, and bytes with hexadecimal digits."""
    if isinstance(own, list) and isinstance(their, str):
        return bytes(value & 0xff for value in own).hex() == their
    if isinstance(own, list) and isinstance(their, list):
        return len(own) == len(their) and all(map(same, own, their))
    if isinstance(own, int) and isinstance(their, int):
        return (own - their) % (1 << 32 if abs(own) < 1 << 32 else 1 << 64) == 0
    return own == their


def main():
    """Compare the two."""
    tring, trace, path = sys.argv[1:]
    own = converted.events_of_json(tring, trace)
    raw = any(event.name in ("sys_enter", "sys_exit")
              for events in own.values() for event in events)
    if not raw:
        own = {cpu: [as_message(event) for event in events] for cpu, events in own.items()}
    return converted.compare(own, events_of(path), same)


if __name__ == "__main__":
    sys.exit(main())
