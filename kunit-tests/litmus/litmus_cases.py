# SPDX-License-Identifier: GPL-2.0
"""
Reads C litmus tests in the syntax of herd7 and of the kernel's tools/memory-model, for the
other litmus scripts. Supports what tring's tests and most of the kernel's tests use, and
the variants listed at the top of tring's tests.
"""

import os
import re

READS, WRITES = ("R", "RMW", "LOCK"), ("W", "RMW", "LOCK", "UNLOCK")


class Unsupported(Exception):
    """The test uses something that is not modelled."""


class Instruction:
    """One access or fence of one process."""

    def __init__(self, kind, process, conditions, **more):
        self.kind = kind            # R W RMW LOCK UNLOCK MB RMB WMB RL RU GP
        self.process = process
        self.conditions = conditions    # Promela, all of them must hold
        self.location = more.get("location")
        self.register = more.get("register")
        self.value = more.get("value", "")
        self.old = more.get("old", "")
        self.order = more.get("order", "once")
        self.number = None

    def reads(self):
        return self.kind in READS

    def writes(self):
        return self.kind in WRITES

    def access(self):
        return self.reads() or self.writes()

    def has(self, order):
        return self.order == order


class Case:
    """A test, or a variant of it."""

    def __init__(self, name, text, expected):
        self.name = name
        self.expected = expected    # model -> Never or Sometimes
        self.initial = {}
        self.locations = []
        self.registers = []
        self.instructions = []
        # In a body "(*" is C, not the beginning of a comment.
        text = re.sub(r"^\(\*.*?\*\)", "", text, flags=re.S | re.M)
        text = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)
        head = re.match(r"\s*C\s+\S+\s*\{(.*?)\}", text, re.S)
        if not head:
            raise Unsupported("no head")
        for item in filter(None, map(str.strip, head[1].split(";"))):
            found = re.fullmatch(r"(?:\w+\s+)?(\w+)\s*=\s*(\d+)", item)
            if not found:
                raise Unsupported("initial state " + item)
            self.initial[found[1]] = int(found[2])
            self.locate(found[1])
        for process, body in split_processes(text[head.end():]):
            Parser(self, process, body)
        tail = re.sub(r"\(\*.*?\*\)", "", text[text.rindex("}") + 1:], flags=re.S)
        wanted = re.search(r"\bexists\b(.*)", tail, re.S)
        if not wanted:
            raise Unsupported("no exists clause")
        self.exists = condition(wanted[1])
        kept = re.search(r"\bfilter\b(.*)\bexists\b", tail, re.S)
        self.filter = condition(kept[1]) if kept else "True"
        for number, instruction in enumerate(self.instructions):
            instruction.number = number

    def locate(self, name):
        if name not in self.locations:
            self.locations.append(name)
        return "m_" + name

    def same_process(self, instruction):
        return [other for other in self.instructions
                if other.process == instruction.process]

    def before(self, instruction):
        return [other for other in self.same_process(instruction)
                if other.number < instruction.number]

    def after(self, instruction):
        return [other for other in self.same_process(instruction)
                if other.number > instruction.number]


def split_processes(text):
    """The bodies of P0, P1, ..."""
    for found in re.finditer(r"\bP(\d+)\s*\([^)]*\)\s*\{", text):
        depth, at = 1, found.end()
        while depth:
            depth += {"{": 1, "}": -1}.get(text[at], 0)
            at += 1
        yield int(found[1]), text[found.end():at - 1]


def condition(text):
    """An exists or filter clause as a Python expression over "state"."""
    text = text.replace("/\\", " and ").replace("\\/", " or ").replace("~", " not ")
    return re.sub(r"((?:\d+:)?[A-Za-z_]\w*)\s*(!?)=\s*(-?\d+)",
                  lambda f: 'state["%s"] %s %s' % (f[1], "!=" if f[2] else "==", f[3]),
                  text).strip()


class Parser:
    """The statements of one process, appended to its case."""

    LOADS = (
        (r"(?:READ_ONCE|rcu_dereference)\s*\(\s*\*(\w+)\s*\)", "once"),
        (r"atomic_read\s*\(\s*(\w+)\s*\)", "once"),
        (r"(?:smp_load_acquire|atomic_read_acquire)\s*\(\s*&?(\w+)\s*\)", "acquire"),
        (r"spin_is_locked\s*\(\s*&?(\w+)\s*\)", "once"),
        (r"(?<![\w)\s])\s*\*\s*([A-Za-z_]\w*)", "once"),
    )
    STORES = (
        (r"(?:WRITE_ONCE|rcu_assign_pointer)\s*\(\s*\*(\w+)\s*,(.*)\)", "once"),
        (r"atomic_set\s*\(\s*(\w+)\s*,(.*)\)", "once"),
        (r"(?:smp_store_release|atomic_set_release)\s*\(\s*&?(\w+)\s*,(.*)\)", "release"),
        (r"\*(\w+)\s*=(?!=)(.*)", "once"),
    )
    CMPXCHG = (r"(?:atomic_)?cmpxchg(?:_(relaxed|acquire|release))?"
               r"\s*\(\s*&?(\w+)\s*,([^,]*),([^,()]*)\)")
    FENCES = {"smp_mb": "MB", "smp_mb__after_spinlock": "MB", "smp_rmb": "RMB",
              "smp_wmb": "WMB", "synchronize_rcu": "GP", "rcu_read_lock": "RL",
              "rcu_read_unlock": "RU"}

    def __init__(self, case, process, body):
        self.case = case
        self.process = process
        self.alias = {}
        self.text = body
        while self.text.strip():
            self.statement([])

    def emit(self, kind, conditions, **more):
        self.case.instructions.append(Instruction(kind, self.process,
                                                  list(conditions), **more))

    def fresh(self, name):
        register = "r_%d_%s" % (self.process, name)
        if register in self.case.registers:
            raise Unsupported("a register is assigned twice: " + name)
        self.case.registers.append(register)
        return register

    def load(self, found, order, conditions, name):
        register = self.fresh(name or "tmp%d" % len(self.case.registers))
        self.emit("R", conditions, location=self.case.locate(found[1]),
                  register=register, order=order)
        return register

    def compare(self, found, conditions, name):
        register = self.fresh(name or "tmp%d" % len(self.case.registers))
        order = {None: "mb", "relaxed": "once"}.get(found[1], found[1])
        self.emit("RMW", conditions, location=self.case.locate(found[2]),
                  register=register, order=order,
                  old=self.expression(found[3], conditions),
                  value=self.expression(found[4], conditions))
        return register

    def expression(self, text, conditions, name=None):
        """Translate an expression to Promela; its loads become instructions."""
        text = text.strip()
        for pattern, order in self.LOADS:
            whole = re.fullmatch(pattern, text)
            if whole:
                return self.load(whole, order, conditions, name)
        whole = re.fullmatch(self.CMPXCHG, text)
        if whole:
            return self.compare(whole, conditions, name)
        text = re.sub(self.CMPXCHG, lambda f: self.compare(f, conditions, None), text)
        for pattern, order in self.LOADS:
            text = re.sub(pattern,
                          lambda f, o=order: self.load(f, o, conditions, None), text)
        text = re.sub(r"(?<![\w])[A-Za-z_]\w*",
                      lambda f: self.alias.get(f[0], f[0]), text)
        unknown = [word for word in re.findall(r"[A-Za-z_]\w*", text)
                   if word not in self.case.registers]
        if unknown:
            raise Unsupported("'%s' in an expression" % unknown[0])
        return "(%s)" % text

    def take(self, pattern):
        found = re.match(r"\s*" + pattern, self.text, re.S)
        if found:
            self.text = self.text[found.end():]
        return found

    def statement(self, conditions):
        if self.take(r"\{"):
            while not self.take(r"\}"):
                self.statement(conditions)
        elif self.take(r"if\s*(?=\()"):
            self.branch(conditions)
        else:
            found = self.take(r"([^;]*);")
            if not found:
                raise Unsupported("'%s'" % self.text.strip())
            self.simple(found[1].strip(), conditions)

    def branch(self, conditions):
        depth = at = 0
        while not at or depth:
            depth += {"(": 1, ")": -1}.get(self.text[at], 0)
            at += 1
        text, self.text = self.text[1:at - 1], self.text[at:]
        test = self.expression(text, conditions)
        self.statement(conditions + [test])
        if self.take(r"else\b"):
            self.statement(conditions + ["(!%s)" % test])

    def simple(self, text, conditions):
        if not text or re.fullmatch(r"(int|long)\s+[\w\s,]+", text) and "=" not in text:
            return
        call = re.fullmatch(r"(\w+)\s*\(\s*\)", text)
        if call and call[1] in self.FENCES:
            self.emit(self.FENCES[call[1]], conditions)
            return
        lock = re.fullmatch(r"spin_(lock|unlock)\s*\(\s*&?(\w+)\s*\)", text)
        if lock:
            self.emit(lock[1].upper(), conditions, location=self.case.locate(lock[2]),
                      value="1" if lock[1] == "lock" else "0")
            return
        for pattern, order in self.STORES:
            found = re.fullmatch(pattern, text, re.S)
            if found:
                value = self.expression(found[2], conditions)
                self.emit("W", conditions, location=self.case.locate(found[1]),
                          value=value, order=order)
                return
        found = re.fullmatch(r"(?:(?:int|long)\s+)?(\w+)\s*=(?!=)(.*)", text, re.S)
        if not found:
            if re.fullmatch(self.CMPXCHG, text):
                self.expression(text, conditions)
                return
            raise Unsupported("'%s'" % text)
        value = self.expression(found[2], conditions, found[1])
        if value in self.case.registers:
            self.alias[found[1]] = value
        elif conditions:
            raise Unsupported("an assignment under a condition")
        else:
            self.alias[found[1]] = value


def verdicts(text):
    """Verdict by model, from "tso=Never weak=Sometimes"."""
    return dict(re.findall(r"\b(tso|weak)=(Never|Sometimes)\b", text))


def read_cases(path):
    """The test in a file, then its variants."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    name = os.path.basename(path)[:-len(".litmus")]
    models = re.search(r"^ \* Models:(.*)", text, re.M)
    result = re.search(r"^ \* Result: (Never|Sometimes)", text, re.M)
    if models:
        expected = verdicts(models[1])
    else:
        # Tests of the kernel; README lists those that may differ.
        expected = {model: result[1] for model in ("tso", "weak")}
    yield Case(name, text, expected)
    for found in re.finditer(r"^ \* Variant (\S+):(.*)\n((?: \*   P\d+: .*\n)+)", text, re.M):
        changed = text
        for process, old, new in re.findall(r"P(\d+): (.*?) =>(.*)", found[3]):
            # A comment in this syntax must not contain "(*".
            old, new = old.replace("( *", "(*"), new.replace("( *", "(*")
            begin = re.search(r"^P%s\(" % process, changed, re.M).start()
            end = changed.index("\n}", begin)
            body = changed[begin:end]
            if body.count(old) != 1:
                raise SystemExit("%s: variant %s: '%s' is there %d times" %
                                 (path, found[1], old, body.count(old)))
            changed = changed[:begin] + body.replace(old, new.strip()) + changed[end:]
        yield Case("%s+%s" % (name, found[1]), changed, verdicts(found[2]))


def read_files(paths):
    """All cases in the files, and (path, reason) for files not supported."""
    cases, refused = [], []
    for path in paths:
        try:
            cases += list(read_cases(path))
        except Unsupported as why:
            refused.append((path, why))
    return cases, refused


def read_states(path, count):
    """The final states of each case, from the output of the verifier."""
    states = [set() for _ in range(count)]
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("state "):
                number, *values = line.split()[1:]
                states[int(number)].add(tuple(values))
    return states
