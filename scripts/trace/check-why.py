#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Compares the chains of waits that scripts/guest/why-chains.c makes with what "tring why" tells.

usage: check-why.py TRING TRACE

The tasks have written down when each part of a chain begins. The parts have to be as long as
that, within 1 % or 20 us, whichever is more; and be of the tasks that were in the chain.
"""

import json
import subprocess
import sys


def lines(*command):
    """What a command prints, as JSON"""
    return [json.loads(line) for line in
            subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout.splitlines()]


def marks_of(tring, trace):
    """When each text was written"""
    return {line["fields"]["buf"].rstrip("\n\0"): line["ts"]
            for line in lines(tring, "report", "--json", "-e", "ftrace:print", trace)
            if line.get("event") == "print"}


def waits_of(tring, trace, comm):
    """The longest wait of the task"""
    answers = lines(tring, "why", "--json", "--longest", "block", "-n", "1", "--comm", comm,
                    trace)
    return answers[0]["segments"][0]


def total(segments, wanted):
    """How long segments are that a function wants"""
    return sum(one["to"] - one["from"] for one in segments if wanted(one))


def is_on(one):
    """Did the task itself have the CPU, but for interrupts?"""
    return one["kind"] in ("ran", "interrupted")


def check(what, is_, wanted):
    """Compares a time. Returns whether it is wrong"""
    allowed = max(wanted // 100, 20000)
    wrong = abs(is_ - wanted) > allowed
    print(f"{'not ok' if wrong else 'ok'} - {what}: {is_} ns, known: {wanted} ns")
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


def main():
    """Checks each chain"""
    tring, trace = sys.argv[1:]
    marks = marks_of(tring, trace)
    bad = 0

    def span(begin, end):
        return marks[end] - marks[begin]

    wait = waits_of(tring, trace, "why-waiter")
    bad += check("blocked by a holder", wait["to"] - wait["from"],
                 span("waiter waits", "holder gives"))
    parts = by(wait, "why-holder")
    preempted = span("preemptor begins", "preemptor ends")
    bad += check("the holder ran", total(parts, is_on),
                 span("waiter waits", "holder gives") - preempted)
    held = [one for part in parts if part["kind"] == "runnable" for one in part["segments"]]
    bad += check("the holder was preempted", total(
        held, lambda one: one.get("comm") == "why-preemptor"), preempted)

    for what, last, middle, first in (("pipeline", "consumer", "passer", "producer"),
                                      ("convoy", "convoy2", "convoy1", "convoy0")):
        wait = waits_of(tring, trace, f"why-{last}")
        bad += check(f"blocked at the end of a {what}", wait["to"] - wait["from"],
                     span(f"{last} waits", f"{middle} gives"))
        parts = by(wait, f"why-{middle}")
        bad += check(f"the middle of the {what} ran", total(parts, is_on),
                     span(f"{middle} goes on", f"{middle} gives"))
        before = blocked(parts)
        bad += check(f"the middle of the {what} was blocked", before["to"] - before["from"],
                     span(f"{last} waits", f"{first} gives"))
        bad += check(f"the head of the {what} ran", total(by(before, f"why-{first}"), is_on),
                     span(f"{last} waits", f"{first} gives"))

    wait = waits_of(tring, trace, "why-sleeper")
    bad += check("blocked until a timer", wait["to"] - wait["from"],
                 span("sleeper waits", "sleeper goes on"))
    if wait["waker"].get("symbol") != "hrtimer_wakeup":
        sys.exit(f"not ok - {wait['waker']} instead of hrtimer_wakeup")

    wait = waits_of(tring, trace, "why-parent")
    bad += check("blocked until a child ends", wait["to"] - wait["from"],
                 span("parent waits", "child ends"))
    bad += check("the child ran", total(by(wait, "why-child"), is_on),
                 span("parent waits", "child ends"))
    sys.exit(bad > 0)


main()
