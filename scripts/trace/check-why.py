#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares the chains of waits that scripts/guest/why-chains.c makes with what "tring why" tells.

usage: check-why.py TRING TRACE [COUNT]

With COUNT the task why-victim was interrupted as often by the other CPU.

The tasks have written down when each part of a chain begins. The parts have to be as long as
that, within 1 % or 20 us, whichever is more; and be of the tasks that were in the chain.

The machine of the guest may do something else for some ms, between a mark and the event that it
is of, too. So the times from the marks to these events, which the trace has, are allowed for. And
a task may wait for a CPU that a task outside of the chain has.
"""

import json
import subprocess
import sys


def lines(*command):
    """What a command prints, as JSON"""
    return [json.loads(line) for line in
            subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.splitlines()]


def marks_of(tring, trace):
    """When each text was written, and how far from there the event is that it is of

    That is where the task wakes another one, or leaves the CPU; of a text that says that the task
    goes on, its event before, or that it is back, where it was woken.
    """
    marks, before, waiting, woken = {}, {}, {}, {}
    for line in lines(tring, "report", "--json", trace):
        if "event" not in line:
            continue
        pid, at = line["pid"], line["ts"]
        for text in [text for text in waiting.get(pid, ()) if line["event"] == "sched_switch" or
                     (line["event"] == "sched_waking" and not text.endswith(" waits"))]:
            marks[text] = (marks[text][0], at - marks[text][0])
            waiting[pid].remove(text)
        if line["event"] == "print":
            text = line["fields"]["buf"].rstrip("\n\0")
            marks[text] = (at, at - (woken if text.endswith(" is back") else before).get(pid, at))
            if not text.endswith((" begins", " goes on", " is back")):
                waiting.setdefault(pid, []).append(text)
        before[pid] = at
        if line["event"] == "sched_waking":
            woken[line["fields"]["pid"]] = at
        if line["event"] == "sched_switch":
            before[line["fields"]["next_pid"]] = at
    return marks


def waits_of(tring, trace, comm, since=0):
    """The longest wait of the task since a time"""
    answers = lines(tring, "why", "--json", "--longest", "block", "-n", "0", "--comm", comm,
                    trace)
    return next(one["segments"][0] for one in answers if one["from"] >= since)


def total(segments, wanted):
    """How long segments are that a function wants"""
    return sum(one["to"] - one["from"] for one in segments if wanted(one))


def times_on(segments):
    """How long the task itself had the CPU, but for interrupts; and with tasks of no chain"""
    on = total(segments, lambda one: one["kind"] in ("ran", "interrupted"))
    return on, on + sum(
        total(one["segments"], lambda other: not other.get("comm", "").startswith("why-"))
        for one in segments if one["kind"] == "runnable")


def check(what, is_, wanted):
    """Compares a time, or the least and the most, with a span. Returns whether it is wrong"""
    least, most = is_ if isinstance(is_, tuple) else (is_, is_)
    wanted, apart = wanted
    allowed = max(wanted // 100, 20000) + apart
    wrong = not least - allowed <= wanted <= most + allowed
    print(f"{'not ok' if wrong else 'ok'} - {what}: {least} to {most} ns, known: {wanted} ns, "
          f"marks up to {apart} ns apart")
    return wrong


def by(segment, comm):
    """Fails unless a task of this name has ended a wait. Returns what it did"""
    if segment["waker"].get("comm") != comm:
        sys.exit(f"not ok - {segment['waker']} instead of {comm}")
    return segment["segments"]


def blocked(segments):
    """The longest part in which a task was blocked"""
    return max((one for one in segments if one["kind"] == "blocked"),
               key=lambda one: one["to"] - one["from"])


def check_storm(tring, trace, marks, count):
    """Checks the task that was interrupted"""
    begin, end = marks["victim begins"][0], marks["victim ends"][0]
    apart = marks["victim begins"][1] + marks["victim ends"][1]
    entered, spent = None, 0
    for line in lines(tring, "report", "--json", trace):
        if line.get("cpu") == 0 and begin <= line["ts"] <= end:
            if line.get("event") == "call_function_single_entry":
                entered = line["ts"]
            elif line.get("event") == "call_function_single_exit" and entered:
                spent += line["ts"] - entered
    parts = [{**one, "from": max(begin, one["from"]), "to": min(end, one["to"])}
             for answer in lines(tring, "why", "--json", "--comm", "why-victim", trace)
             for one in answer["segments"] if begin < one["to"] and one["from"] < end]
    storm = [one for one in parts if one["kind"] == "interrupted" and
             one["by"].get("name") == "call_function_single"]
    bad = check("the victim had the CPU", times_on(parts)[0], (end - begin, apart))
    bad += check("interrupts took", total(storm, lambda one: True), (spent, 0))
    wrong = abs(len(storm) - count) > count // 100
    print(f"{'not ok' if wrong else 'ok'} - {len(storm)} interrupts, known: {count}")
    return bad + wrong


def main():
    """Checks each chain"""
    tring, trace, *count = sys.argv[1:]
    marks = marks_of(tring, trace)
    bad = 0
    if count:
        sys.exit(check_storm(tring, trace, marks, int(count[0])) > 0)

    def span(begin, end):
        return marks[end][0] - marks[begin][0], marks[end][1] + marks[begin][1]

    wait = waits_of(tring, trace, "why-waiter")
    bad += check("blocked by a holder", wait["to"] - wait["from"],
                 span("waiter waits", "holder gives"))
    parts = by(wait, "why-holder")
    preempted = span("preemptor begins", "preemptor ends")
    held_for, apart = span("waiter waits", "holder gives")
    bad += check("the holder ran", times_on(parts),
                 (held_for - preempted[0], apart + preempted[1]))
    held = [one for part in parts if part["kind"] == "runnable" for one in part["segments"]]
    bad += check("the holder was preempted", total(
        held, lambda one: one.get("comm") == "why-preemptor"), preempted)

    for what, last, middle, first in (("pipeline", "consumer", "passer", "producer"),
                                      ("convoy", "convoy2", "convoy1", "convoy0")):
        wait = waits_of(tring, trace, f"why-{last}")
        bad += check(f"blocked at the end of a {what}", wait["to"] - wait["from"],
                     span(f"{last} waits", f"{middle} gives"))
        parts = by(wait, f"why-{middle}")
        bad += check(f"the middle of the {what} ran", times_on(parts),
                     span(f"{middle} goes on", f"{middle} gives"))
        before = blocked(parts)
        bad += check(f"the middle of the {what} was blocked", before["to"] - before["from"],
                     span(f"{last} waits", f"{first} gives"))
        bad += check(f"the head of the {what} ran", times_on(by(before, f"why-{first}")),
                     span(f"{last} waits", f"{first} gives"))

    wait = waits_of(tring, trace, "why-sleeper")
    bad += check("blocked until a timer", wait["to"] - wait["from"],
                 span("sleeper waits", "sleeper goes on"))
    if wait["waker"].get("symbol") != "hrtimer_wakeup":
        sys.exit(f"not ok - {wait['waker']} instead of hrtimer_wakeup")

    wait = waits_of(tring, trace, "why-parent")
    bad += check("blocked until a child ends", wait["to"] - wait["from"],
                 span("parent waits", "child ends"))
    bad += check("the child ran", times_on(by(wait, "why-child")),
                 span("parent waits", "child ends"))

    wait = waits_of(tring, trace, "why-reader", marks["reader waits"][0])
    bad += check("blocked by a disk", wait["to"] - wait["from"],
                 span("reader waits", "reader is back"))
    waker = wait["waker"]
    if not waker.get("raised_by", waker).get("name", "").startswith("virtio"):
        sys.exit(f"not ok - {waker} instead of an interrupt of the disk")
    sys.exit(bad > 0)


main()
