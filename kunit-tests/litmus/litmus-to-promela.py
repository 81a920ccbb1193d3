#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""
litmus-to-promela.py tso|weak FILE... - turns litmus tests into a model for spin

Writes one Promela model to stdout, in which every test and every variant is a process
type; init runs one of them. The verifier that spin makes from it prints "state NUMBER
NAME=VALUE ..." for every final state. With --judge VERIFIER-OUTPUT, writes the verdicts
instead. README describes the two models and their limits.
"""

import argparse
import os
import re
import sys

from litmus_cases import Unsupported, read_files, read_states


class Model:
    """
    The abstract machine, in Promela. s[i] is the state of instruction i: 0 not done
    yet, 1 done, 2 its branch is not taken, 3 between its two halves (load and store of
    a cmpxchg that is no full barrier, beginning and end of a grace period).
    """

    def __init__(self, case, weak):
        self.case = case
        self.weak = weak
        self.options = []
        for instruction in case.instructions:
            self.step(instruction)

    # The instructions that load the registers of an expression.
    def sources(self, text):
        return [i for i in self.case.instructions if i.register and
                re.search(r"\b%s\b" % i.register, text)]

    # Guards: the registers of these expressions have their final values.
    def known(self, texts):
        guards, todo, seen = [], list(texts), set()
        while todo:
            for source in self.sources(todo.pop()):
                if source.number in seen:
                    continue
                seen.add(source.number)
                todo += source.conditions
                test = " && ".join(source.conditions) or "true"
                guards.append("(s[%d] == 2 || (s[%d] != 0 && %s))" %
                              (source.number, source.number, test))
        return guards

    @staticmethod
    def read_done(i):
        return "s[%d] != 0" % i.number

    @staticmethod
    def done(i):
        return "(s[%d] == 1 || s[%d] == 2)" % (i.number, i.number)

    def waits(self, later, as_write=None):
        """Guards: the instructions to be done before @later, or before its half."""
        rule = self.weak_wait if self.weak else self.tso_wait
        guards = []
        for earlier in self.case.before(later):
            guard = rule(earlier, later, as_write)
            if guard:
                guards.append(guard)
        return guards

    def tso_wait(self, earlier, later, _):
        """tso: all in order, except that loads pass stores (the store buffer)."""
        if earlier.kind in ("RL", "RU", "RMB", "WMB"):
            return None
        if later.kind == "R" and earlier.kind in ("W", "UNLOCK"):
            return None
        return self.done(earlier)

    def weak_wait(self, earlier, later, as_write):
        """weak: the order of fences, acquire, release and coherence only."""
        is_read = later.reads() and as_write is not True
        is_write = later.writes() and as_write is not False
        if earlier.kind in ("RL", "RU"):
            return None
        if earlier.kind in ("MB", "GP") or later.kind in ("MB", "GP"):
            return self.done(earlier)
        if "LOCK" == earlier.kind or later.kind == "UNLOCK":
            return self.done(earlier)
        if later.kind == "LOCK" and earlier.kind == "UNLOCK":
            return self.done(earlier)
        if is_write and later.has("release"):
            return self.done(earlier)
        if later.kind == "RMB":
            return self.read_done(earlier) if earlier.reads() else None
        if later.kind == "WMB":
            return self.done(earlier) if earlier.writes() else None
        if (earlier.kind == "RMB" and is_read) or (earlier.kind == "WMB" and is_write):
            return self.done(earlier)
        if earlier.has("acquire") and earlier.reads():
            return self.read_done(earlier)
        if earlier.access() and earlier.location == later.location:
            if earlier.kind == "W" and not is_write:
                return None     # forwarded: see found()
            return self.done(earlier)
        return None

    def option(self, guards, effects):
        self.options.append("\t:: d_step { (%s) -> %s }" %
                            (" && ".join(guards) or "true", "; ".join(effects)))

    def stored(self, i):
        """
        Side effect of a store: it breaks the reservations of other processes. A
        reservation of its own process that has forwarded its value begins now.
        """
        return ["%s = %s" % (i.location, i.value)] + [
            "reserved[%d] = %d" % (other.number, other.process == i.process)
            for other in self.case.instructions
            if other.kind == "RMW" and other.location == i.location and
            (other.process != i.process or other.number > i.number)]

    def step(self, i):
        taken = "(%s)" % (" && ".join(i.conditions) or "true")
        decided = self.known(i.conditions)
        mine = "s[%d]" % i.number
        if i.conditions:
            self.option(decided + ["%s != 2" % mine, "!%s" % taken],
                        ["%s = 2" % mine] +
                        (["%s = 0" % i.register] if i.register else []))
        todo = ["%s == 0" % mine]
        taking = decided + [taken] if i.conditions else []
        done = ["%s = 1" % mine]
        if i.kind in ("MB", "RMB", "WMB", "RL", "RU"):
            self.option(todo + taking + self.waits(i), done)
        elif i.kind == "GP":
            self.grace_period(i, todo + taking)
        elif i.kind == "R":
            # A branch does not hold loads back in the weak model.
            self.load(i, todo + ([] if self.weak else taking) + self.waits(i))
        elif i.kind in ("W", "UNLOCK"):
            self.option(todo + taking + self.known([i.value]) + self.waits(i),
                        self.stored(i) + done)
        elif i.kind == "LOCK":
            self.option(todo + taking + self.waits(i) + ["%s == 0" % i.location],
                        self.stored(i) + done)
        else:
            self.compare(i, todo + taking + self.known([i.value, i.old]))

    def found(self, i):
        """
        Guards and value of a load: from memory, or from the youngest store of its
        own process that is not in memory yet.
        """
        own = [w for w in self.case.before(i)
               if w.kind in ("W", "UNLOCK") and w.location == i.location]
        passed = []
        for store in reversed(own):
            inside = set(store.conditions) <= set(i.conditions)
            test = self.known([store.value] + ([] if inside else store.conditions))
            if not inside:
                test += store.conditions
            yield passed + ["s[%d] == 0" % store.number] + test, store.value
            yield passed + ["s[%d] == 1" % store.number], i.location
            # An older store is found only if this one is not to be done.
            passed.append("s[%d] == 2" % store.number)
        yield passed, i.location

    def load(self, i, guards):
        for found, value in self.found(i):
            self.option(guards + found, ["%s = %s" % (i.register, value),
                                         "s[%d] = 1" % i.number])

    def compare(self, i, guards):
        """cmpxchg: one step, or two if it is no full barrier."""
        mine = "s[%d]" % i.number
        equal = "%s == %s" % (i.location, i.old)
        fetch = "%s = %s" % (i.register, i.location)
        done = "%s = 1" % mine
        if not self.weak:
            every = guards + self.waits(i)
            self.option(every + [equal], [fetch] + self.stored(i) + [done])
            self.option(every + ["!(%s)" % equal], [fetch, done])
            return
        if i.has("mb"):
            # A full barrier: nothing behind it may have been done.
            full = [self.done(e) for e in self.case.before(i)] + \
                   ["s[%d] != 1 && s[%d] != 3" % (l.number, l.number)
                    for l in self.case.after(i) if l.access()]
            self.option(guards + full + [equal], [fetch] + self.stored(i) + [done])
        else:
            self.option(["%s == 3" % mine, "reserved[%d] == 1" % i.number] +
                        self.waits(i, True), self.stored(i) + [done])
        for found, value in self.found(i):
            before = guards + self.waits(i, False) + found
            fetch = "%s = %s" % (i.register, value)
            if not i.has("mb"):
                self.option(before + ["%s == %s" % (value, i.old)],
                            [fetch, "reserved[%d] = 1" % i.number, "%s = 3" % mine])
            # A cmpxchg that fails orders nothing.
            self.option(before + ["%s != %s" % (value, i.old)], [fetch, done])

    def grace_period(self, i, guards):
        """Waits for each critical section of which any part was done before."""
        begin, end = [], []
        for lock in self.case.instructions:
            if lock.kind != "RL" or lock.process == i.process:
                continue
            unlocks = [u for u in self.case.after(lock) if u.kind == "RU"]
            if len(unlocks) != 1 or any(u.kind == "RL" for u in self.case.after(lock)):
                raise Unsupported("more than one critical section in a process")
            flag = "inside[%d]" % lock.process
            begun = ["s[%d] == 1 || s[%d] == 3" % (a.number, a.number)
                     for a in self.case.after(lock) if a.access()]
            begin.append("%s = (%s)" % (flag, " || ".join(begun) or "false"))
            over = [self.done(b) for b in self.case.before(unlocks[0]) if b.access()]
            end.append("(%s == 0 || (%s))" % (flag, " && ".join(over) or "true"))
        self.option(guards + self.waits(i), begin + ["s[%d] = 3" % i.number])
        self.option(["s[%d] == 3" % i.number] + end, ["s[%d] = 1" % i.number])

    def promela(self, number):
        """The process type of this case."""
        case = self.case
        over = ["(s[%d] == 2 || (s[%d] == 1 && (%s)))" %
                (i.number, i.number, " && ".join(i.conditions) or "true")
                for i in case.instructions]
        lines = ["/* %s */" % case.name, "proctype case%d()" % number, "{"]
        lines.append("\tbyte s[%d], reserved[%d], inside[%d];" %
                     (len(case.instructions), len(case.instructions),
                      1 + max(i.process for i in case.instructions)))
        lines += ["\tshort m_%s = %d;" % (name, case.initial.get(name, 0))
                  for name in case.locations]
        lines += ["\tshort %s;" % name for name in case.registers]
        shown = [("m_" + name, name) for name in case.locations] + \
                [(name, re.sub(r"r_(\d+)_", r"\1:", name)) for name in case.registers]
        lines += ["\tdo"] + self.options + \
                 ["\t:: (%s) -> break" % " && ".join(over), "\tod;",
                  '\tc_code { printf("state %d%s\\n"%s); }' %
                  (number, "".join(" %s=%%d" % name for _, name in shown),
                   "".join(", Pcase%d->%s" % (number, name) for name, _ in shown)),
                  "}", ""]
        return "\n".join(lines)


def judge(case, model, states):
    """Name, verdict expected and found, and how many final states are bad."""
    bad = reached = 0
    for values in states:
        pairs = (value.rsplit("=", 1) for value in values)
        state = {name: int(number) for name, number in pairs}
        # pylint: disable=eval-used # condition() has made the expression
        if eval(case.filter, {"state": state}):
            reached += 1
            bad += bool(eval(case.exists, {"state": state}))
    verdict = "Sometimes" if bad else "Never"
    return (case.name, case.expected.get(model, "none"),
            verdict if reached else "Nothing", bad, reached)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[1])
    arguments.add_argument("model", choices=("tso", "weak"))
    arguments.add_argument("files", nargs="+")
    arguments.add_argument("--judge", metavar="OUTPUT",
                           help="of the verifier: print verdicts, not a model")
    options = arguments.parse_args()

    cases, refused = read_files(options.files)
    if options.judge:
        for path, why in refused:
            print("skip\t%s\t%s" % (os.path.basename(path), why))
        for case, states in zip(cases, read_states(options.judge, len(cases))):
            print("%s\t%s\t%s\t%d\t%d" % judge(case, options.model, states))
        return
    for number, case in enumerate(cases):
        print(Model(case, options.model == "weak").promela(number))
    print("init\n{\n\tif")
    for number in range(len(cases)):
        print("\t:: run case%d()" % number)
    print("\tfi\n}")


if __name__ == "__main__":
    sys.exit(main())
