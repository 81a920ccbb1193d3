# SPDX-License-Identifier: GPL-2.0
"""What the checks of "tring convert" have in common: the events that JSON has of a trace.

The reader's tests compare that JSON with fields that are known.
"""
import collections
import json
import subprocess

SHOWN = 10
LOST = "tring_lost"
# a task's name that libtraceevent does not know
UNKNOWN = "<...>"

# stamp in nanoseconds; fields: {name: number, text or list}; comm: None if not compared
Event = collections.namedtuple("Event", "stamp pid comm flags preempt_count system name fields")


def loss_of(stamp, numbers):
    """A loss; numbers: {"events": .., "packets": ..}"""
    return Event(stamp, 0, None, 0, 0, None, LOST, numbers)


def events_of_json(tring, trace, *options):
    """{cpu: [Event]} of a choice; a loss is an event LOST, a last one with the stamp before it."""
    cpus = {}
    result = subprocess.run([tring, "report", "--json", *options, trace],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    lines = result.stdout.decode("utf-8").split("\n")[1:-1]
    for row in map(json.loads, lines):
        events = cpus.setdefault(row["cpu"], [])
        if "lost" in row:
            stamp = row["ts"]
            if stamp is None:
                stamp = events[-1].stamp if events else 0
            events.append(loss_of(stamp, row["lost"]))
            continue
        events.append(Event(row["ts"], row["pid"], row["comm"] or UNKNOWN, row["flags"],
                            row["preempt_count"], row["system"], row["event"],
                            row["fields"]))
    return cpus


def _same_event(own, their, same):
    # an event that no format describes has no name
    return (all(one == two or None in (one, two) for one, two in zip(own[:7], their[:7])) and
            own.fields.keys() == their.fields.keys() and
            all(same(own.fields[key], their.fields[key]) for key in own.fields))


def _with_whole_losses(events):
    """Losses without an event between them are one."""
    whole = []
    for event in events:
        if event.name == LOST and whole and whole[-1].name == LOST:
            before = whole.pop().fields
            event = event._replace(fields={key: value + before[key]
                                           for key, value in event.fields.items()})
        whole.append(event)
    return whole


def compare(own, their, same):
    """Print the first differences and the number of events. Return: an exit status.

    own, their: {cpu: [Event]}, or with another key; same: compares two values
    """
    different = count = 0
    for cpu in sorted(own.keys() | their.keys(), key=str):
        here = _with_whole_losses(own.get(cpu, []))
        there = _with_whole_losses(their.get(cpu, []))
        count += len(here)
        if len(here) != len(there):
            print(f"CPU {cpu}: {len(here)} events of tring, {len(there)} in the file")
            different += 1
        for one, two in zip(here, there):
            if _same_event(one, two, same):
                continue
            different += 1
            if different <= SHOWN:
                print(f"CPU {cpu}\ntring: {one}\nfile:  {two}")
    print(f"{count} events and losses, {different} differences")
    return int(different != 0 or not count)
