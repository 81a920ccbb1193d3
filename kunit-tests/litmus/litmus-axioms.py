#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
litmus-axioms.py tso|weak VERIFIER-OUTPUT FILE... - checks the models themselves

Judges the same litmus tests in another way, as herd7 does: it enumerates every candidate
execution (which store each load reads from, in which order the stores of a variable
come) and removes those that violate an axiom. For each test and variant the final states
left must be those that the verifier found. For the weak model, the states that the axioms
of arm64 leave must be among them.

Prints a line for each: name, number of final states, "same" or what differs.
"""

import argparse
import itertools
import re
import sys

from litmus_cases import read_files, read_states


class Event:
    """A load, a store or a fence of a candidate execution."""

    def __init__(self, instruction, kind):
        self.instruction = instruction
        self.process = instruction.process if instruction else None
        self.kind = kind    # R W F
        self.location = instruction.location if instruction else None
        self.value = None


def evaluate(text, registers):
    """A Promela expression; None while it depends on something unknown."""
    for name in re.findall(r"r_\w+", text):
        if registers.get(name) is None:
            return None
    text = text.replace("!=", "\0").replace("!", " not ").replace("\0", "!=")
    text = text.replace("&&", " and ").replace("||", " or ").replace("true", "True")
    # pylint: disable=eval-used # litmus_cases.py has made the expression
    return int(eval(text, dict(registers)))


class Candidate:
    """A choice of the store that each load reads; all values follow from it."""

    def __init__(self, case, sources):
        self.case = case
        self.sources = sources      # load -> store or None, the initial value
        self.registers = dict.fromkeys(case.registers)
        self.taken = {}
        self.events = []
        self.consistent = self.settle() and self.build()

    def stored(self, i):
        """The value that a store stores; None if not known, or if it is not done."""
        if not self.taken.get(i):
            return None
        if i.kind == "RMW":
            old = evaluate(i.old, self.registers)
            if old is None or self.registers[i.register] != old:
                return None
        return evaluate(i.value, self.registers)

    def settle(self):
        """Find all values. False if some never settle: no model allows those."""
        todo = list(self.case.instructions)
        for _ in range(len(todo) + 1):
            for i in todo:
                if i not in self.taken:
                    tests = [evaluate(c, self.registers) for c in i.conditions]
                    if None not in tests:
                        self.taken[i] = all(tests)
                if i.register and self.registers[i.register] is None and \
                   i in self.taken:
                    if not self.taken[i]:
                        self.registers[i.register] = 0
                    elif self.sources[i] is None:
                        self.registers[i.register] = self.case.initial.get(i.location[2:], 0)
                    else:
                        self.registers[i.register] = self.stored(self.sources[i])
        return len(self.taken) == len(todo) and None not in self.registers.values()

    def build(self):
        self.load, self.store, self.fence = {}, {}, {}
        for i in self.case.instructions:
            if not self.taken[i]:
                # A load that is not done: one source is enough.
                if self.sources.get(i):
                    return False
                continue
            if i.kind in ("R", "RMW"):
                if self.sources[i] and self.stored(self.sources[i]) is None:
                    return False
                self.load[i] = Event(i, "R")
                self.events.append(self.load[i])
            if i.kind in ("W", "RMW") and self.stored(i) is not None:
                self.store[i] = Event(i, "W")
                self.store[i].value = self.stored(i)
                self.events.append(self.store[i])
            if i.kind in ("MB", "RMB", "WMB", "GP", "RL", "RU"):
                self.fence[i] = Event(i, "F")
                self.events.append(self.fence[i])
        return True


def acyclic(edges):
    """No cycle? Kahn's algorithm: remove events without predecessor, until none is left."""
    before = {}
    for first, second in edges:
        before.setdefault(second, set()).add(first)
        before.setdefault(first, set())
    while before:
        free = {event for event, those in before.items() if not those}
        if not free:
            return False
        before = {event: those - free for event, those in before.items()
                  if event not in free}
    return True


class Execution:
    """A candidate, with an order of the stores of each variable."""

    def __init__(self, candidate, orders):
        self.candidate = candidate
        self.orders = orders        # location -> stores in order
        pairs = [(a, b) for a in candidate.events for b in candidate.events
                 if a.process == b.process and
                 (a.instruction.number, a.kind == "W") <
                 (b.instruction.number, b.kind == "W")]
        self.po = pairs
        self.co = [(order[i], later) for order in orders.values()
                   for i in range(len(order)) for later in order[i + 1:]]
        self.rf, self.fr = [], []
        for i, load in candidate.load.items():
            order = orders.get(load.location, [])
            source = candidate.store.get(candidate.sources[i])
            if source:
                self.rf.append((source, load))
                order = order[order.index(source) + 1:]
            self.fr += [(load, later) for later in order]

    def coherent(self):
        """Accesses to each variable are coherent, and each cmpxchg is atomic."""
        local = [(a, b) for a, b in self.po
                 if a.location == b.location and a.kind != "F" and b.kind != "F"]
        if not acyclic(local + self.co + self.rf + self.fr):
            return False
        for i, store in self.candidate.store.items():
            if i.kind == "RMW":
                order = self.orders[store.location]
                at = order.index(store)
                source = self.candidate.store.get(self.candidate.sources[i])
                if (order[at - 1] if at else None) is not source:
                    return False
        return True

    def external(self):
        return [(a, b) for a, b in self.co + self.rf + self.fr if a.process != b.process]

    def depends(self, text, store):
        """Edges from the loads of the registers in an expression."""
        return [(load, store) for i, load in self.candidate.load.items()
                if re.search(r"\b%s\b" % i.register, text)]

    def preserved(self, model):
        """The part of program order that every CPU sees."""
        kept = []
        for i, store in self.candidate.store.items():
            for text in [i.value, i.old] + i.conditions:
                kept += self.depends(text, store)
            # A load of an own store that is not in memory yet needs its value.
            for load in (b for a, b in self.rf if a is store):
                if load.process == store.process:
                    kept += self.depends(i.value, load)
        done = set(self.candidate.store)
        for a, b in self.po:
            first, second = a.instruction, b.instruction
            if first is second:
                kept.append((a, b))
            elif model == "tso":
                locked = [e for e in (a, b) if e.instruction.kind == "RMW"]
                if "F" in (a.kind, b.kind):
                    fence = a if a.kind == "F" else b
                    if fence.instruction.kind in ("MB", "GP"):
                        kept.append((a, b))
                elif locked or (a.kind, b.kind) != ("W", "R"):
                    kept.append((a, b))
            elif self.fenced(a, b, model) or \
                    (first.kind == "RMW" and first.order == "mb" and first in done) or \
                    (second.kind == "RMW" and second.order == "mb" and second in done):
                kept.append((a, b))
        return kept

    @staticmethod
    def fenced(a, b, model):
        first, second = a.instruction, b.instruction
        if first.kind in ("MB", "GP") or second.kind in ("MB", "GP"):
            return True
        # Stores to a variable come in order, and after earlier loads of it.
        if b.kind == "W" and a.location == b.location:
            return True
        if a.kind == "R" and first.order == "acquire":
            return True
        if b.kind == "W" and second.order == "release":
            return True
        if second.kind == "RMB":
            return a.kind == "R"
        if first.kind == "RMB":
            return b.kind == "R" or model == "arm64" and b.kind == "W"
        if second.kind == "WMB":
            return a.kind == "W"
        if first.kind == "WMB":
            return b.kind == "W"
        return model == "arm64" and a.kind == "W" and b.kind == "R" and \
            first.order == "release" and second.order == "acquire"

    def allowed(self, model):
        if not self.coherent():
            return False
        edges = self.preserved(model) + self.external()
        # Each section ends before the end of a grace period or begins after the
        # beginning of it; either is tried.
        choices = []
        for i, grace in self.candidate.fence.items():
            if i.kind != "GP":
                continue
            # A grace period is two events, its beginning and its end.
            end = Event(i, "F")
            edges = [(end if a is grace else a, b) for a, b in edges] + [(grace, end)]
            for j, lock in self.candidate.fence.items():
                if j.kind != "RL" or lock.process == grace.process:
                    continue
                unlock = [u for k, u in self.candidate.fence.items()
                          if k.kind == "RU" and u.process == lock.process][0]
                choices.append((
                    [(a, end) for a, b in self.po if b is unlock and a.kind != "F"],
                    [(grace, b) for a, b in self.po if a is lock and b.kind != "F"]))
        return any(acyclic(edges + [e for part in choice for e in part])
                   for choice in itertools.product(*choices))

    def final(self):
        case = self.candidate.case
        values = []
        for name in case.locations:
            order = self.orders.get("m_" + name)
            values.append("%s=%d" % (name, order[-1].value if order
                                     else case.initial.get(name, 0)))
        return tuple(values + ["%s=%d" % (re.sub(r"r_(\d+)_", r"\1:", name), value)
                               for name, value in self.candidate.registers.items()])


def final_states(case, models):
    """The final states that the axioms of each model allow."""
    states = {model: set() for model in models}
    loads = [i for i in case.instructions if i.kind in ("R", "RMW")]
    stores = [i for i in case.instructions if i.kind in ("W", "RMW")]
    choices = [[None] + [s for s in stores if s.location == load.location and s is not load]
               for load in loads]
    for choice in itertools.product(*choices):
        candidate = Candidate(case, dict(zip(loads, choice)))
        if not candidate.consistent:
            continue
        by_location = {}
        for event in candidate.store.values():
            by_location.setdefault(event.location, []).append(event)
        for orders in itertools.product(*map(itertools.permutations, by_location.values())):
            execution = Execution(candidate, dict(zip(by_location, map(list, orders))))
            final = execution.final()
            for model in models:
                if final not in states[model] and execution.allowed(model):
                    states[model].add(final)
    return states


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[1])
    arguments.add_argument("model", choices=("tso", "weak"))
    arguments.add_argument("output")
    arguments.add_argument("files", nargs="+")
    options = arguments.parse_args()

    cases, _ = read_files(options.files)
    models = ["tso"] if options.model == "tso" else ["weak", "arm64"]
    for case, found in zip(cases, read_states(options.output, len(cases))):
        states = final_states(case, models)
        verdict = "same"
        if states[options.model] != found:
            verdict = "axioms only: %s; verifier only: %s" % (
                sorted(states[options.model] - found), sorted(found - states[options.model]))
        elif "arm64" in states and not states["arm64"] <= found:
            verdict = "arm64 only: %s" % sorted(states["arm64"] - found)
        print("%s\t%d\t%s" % (case.name, len(found), verdict))


if __name__ == "__main__":
    sys.exit(main())
