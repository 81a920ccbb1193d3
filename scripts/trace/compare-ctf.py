#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""compare-ctf.py TRING DIR CTF [OPTION...] - check what "tring convert --to ctf" has written

Decodes CTF with babeltrace2, and compares all events, tasks and losses of each CPU with
those of "tring report --json DIR". Prints the first differences; the last line counts
the events. The exit status is 1 if anything differs.
"""
import re
import sys

import bt2

import converted


def value_of(field):
    """A field as JSON has it."""
    if isinstance(field, bt2._StringFieldConst):
        # babeltrace2 2.0.4 sets the length of an empty text, but leaves the text before it
        return str(field) if len(field) else ""
    if isinstance(field, bt2._ArrayFieldConst):
        return [int(element) for element in field]
    return int(field)


def cpu_of(message_or_event):
    """The CPU, by the name of the stream's file."""
    return int(re.search(r"cpu(\d+)$", message_or_event.stream.name)[1])


def event_of(message):
    """An event as converted.Event; its fields and its task."""
    event = message.event
    context = event.common_context_field
    fields = {name: value_of(field) for name, field in event.payload_field.items()
              if not re.match(r"_\w+_len_*$", name)}
    assert int(event.packet.context_field["cpu_id"]) == cpu_of(event)
    assert context["pid"] == context["tid"]
    system, name = event.name.split(":")
    if event.name == "tring:undecoded":
        del fields["id"]
    return converted.Event(int(message.default_clock_snapshot.value), int(context["tid"]),
                           value_of(context["comm"]), int(context["flags"]),
                           int(context["preempt_count"]), system, name, fields)


def events_of(path):
    """{cpu: [event]}; each number of a loss is in a message of its own."""
    cpus = {}
    for message in bt2.TraceCollectionMessageIterator(path):
        if isinstance(message, bt2._EventMessageConst):
            cpus.setdefault(cpu_of(message.event), []).append(event_of(message))
            continue
        packets = isinstance(message, bt2._DiscardedPacketsMessageConst)
        if not packets and not isinstance(message, bt2._DiscardedEventsMessageConst):
            continue
        cpus.setdefault(cpu_of(message), []).append(converted.loss_of(None, {
            "events": 0 if packets else message.count,
            "packets": message.count if packets else 0}))
    return cpus


def main():
    """Compare the two."""
    tring, trace, path, *options = sys.argv[1:]
    own = converted.events_of_json(tring, trace, *options)
    if not any(event.system == "raw_syscalls" for events in own.values() for event in events):
        own = {cpu: [event._replace(system="raw_syscalls")
                     if event.system == "syscalls" else event for event in events]
               for cpu, events in own.items()}
    # CTF has no text that is missing
    return converted.compare(own, events_of(path),
                             lambda one, two: two == ("" if one is None else one))


if __name__ == "__main__":
    sys.exit(main())
