# SPDX-License-Identifier: GPL-2.0
"""Makes the tables of "tring top" of any time from a page, and compares them with top's own.

usage: page_tables.py TRING TRACE COUNT SEED

Compares COUNT times that are chosen at random. The trace's clock has nanoseconds. Tasks that have
had one pid after another are one task of the page; top has a row for each, so these are left out.
So are times that end where a task has left a CPU unseen: what runs there then is known later, and the
page knows it.
"""

import collections
import json
import random
import sys

from page import CALL, FIRST, GAP, INTERRUPT, LOSS, NEVER, RUN, WAIT, make, output

BILLION = 1000000000
RUNNABLE, BLOCKED, UNKNOWN = (1, 2, 3, 4), (0, 5), (6, 7)


class Timing:
    """Durations"""

    def __init__(self):
        self.count = self.total = self.most = self.at = self.unknown = self.failed = 0

    def add(self, row):
        """Adds one"""
        ticks = row.end - row.start
        if not self.count or ticks > self.most:
            self.most, self.at = ticks, row.end
        self.count += 1
        self.total += ticks

    def columns(self, base, failed):
        """As top has them"""
        mean = self.total // self.count if self.count else None
        some = self.count or None
        return {"total-ms": decimal(self.total, 6), "mean-us": decimal(mean, 3),
                "max-us": decimal(some and self.most, 3),
                "max-at": decimal(some and base + self.at, 9), "unknown": self.unknown,
                **({"failed": self.failed} if failed else {})}


def decimal(value, digits):
    """A number of which the last digits are behind the point"""
    if value is None:
        return None
    return f"{value // 10 ** digits}.{value % 10 ** digits:0{digits}d}"


def ratio(part, whole, factor):
    """A share in thousandths"""
    return decimal(int(part * factor / whole + 0.5), 3) if whole > 0 else None


class Tables:
    """The tables of a time; @first and @last are times of the page"""

    def __init__(self, page, events, intervals, first, last):
        self.page = page
        self.first, self.last = first, last
        self.events = [event for event in events if first <= event.time <= last]
        times = [event.time for event in events]
        self.begin = first if times[0] < first else \
            min((time for time in times if time >= first), default=first)
        self.end = last if times[-1] > last else max(times[-1], self.begin)
        # it is not known when a loss has begun that no event of its CPU comes before
        self.rows = [row for row in intervals
                     if row.start <= last or row.type == GAP and not row.waker & 1]

    def clip(self, row):
        """Ticks of an interval in the time"""
        return max(0, min(row.end, self.end) - max(row.start, self.first))

    def ended(self, row):
        """An interval has ended in the time"""
        return self.first <= row.end <= self.last

    def lacks(self, table):
        """The trace has nothing of a table"""
        return table in self.page.trace["lacks"]

    def cpu(self):
        """What each CPU did"""
        sums = collections.defaultdict(int)
        for row in self.rows:
            if row.type == RUN:
                sums[row.cpu, "busy" if row.pid else "idle"] += self.clip(row)
            elif row.type == INTERRUPT and row.end <= self.last:
                sums[row.cpu, row.a & 1] += self.clip(row)
            elif row.type == GAP and row.end >= self.first:
                sums[row.cpu, "lost"] += row.a
        for event in self.events:
            sums[event.cpu, "events"] += 1
        for cpu, number in enumerate(self.page.trace["cpus"]):
            get = lambda what, cpu=cpu: sums[cpu, what]
            length = self.end - self.begin
            share = lambda ticks, length=length: ratio(ticks, length, 100000)
            yield number, {
                "events": get("events"), "lost": get("lost"), "busy-%": share(get("busy")),
                "idle-%": share(get("idle")),
                "unknown-%": share(max(0, length - get("busy") - get("idle"))),
                "irq-%": None if self.lacks("irq") else share(get(0)),
                "softirq-%": None if self.lacks("softirq") else share(get(1))}

    def sched(self):
        """What each task did"""
        sums = collections.defaultdict(lambda: collections.defaultdict(int))
        for row in self.rows:
            task = sums[row.pid]
            if row.type == RUN and row.pid:
                task["running"] += self.clip(row)
                counted = row.a & 1 and row.start >= self.first
                task["switches"] += bool(counted)
                task["migrations"] += bool(counted and row.a & 8)
            elif row.type == WAIT:
                state = row.a & 7
                # it was not known yet that it was unknown
                if row.end > self.last and row.a >> 4:
                    state = 1 if row.a & 16 else 5
                task["waiting" if state in RUNNABLE else
                     "blocked" if state in BLOCKED else "unknown"] += self.clip(row)
        for pid, task in sums.items():
            if any(task.values()):
                yield pid, {**{f"{name}-s": decimal(task[name], 9) for name in
                               ("running", "waiting", "blocked", "unknown")},
                            "cpu-%": ratio(task["running"], self.end - self.begin, 100000),
                            "switches": task["switches"], "migrations": task["migrations"]}

    def wakeup(self):
        """From a wakeup to a CPU"""
        timings = collections.defaultdict(Timing)
        for row in self.rows:
            if row.type == WAIT and self.ended(row) and row.a == 1:
                timings[row.pid].add(row)
            elif row.type == WAIT and self.ended(row) and row.a & 7 == 7:
                timings[row.pid].unknown += 1
        for pid, timing in timings.items():
            yield pid, {"wakeups": timing.count, **timing.columns(self.page.base, False)}

    def spans(self, name, kind, level):
        """Interrupts of a level, or system calls"""
        timings = collections.defaultdict(Timing)
        for row in self.rows:
            if row.type == NEVER and row.b == level:
                timings[row.a].unknown += 1
            if row.type != kind or (kind == INTERRUPT and row.a & 1 != level):
                continue
            timing = timings[row.a >> (kind == INTERRUPT)]
            if self.ended(row):
                timing.add(row)
                timing.failed += row.b == 2
            elif row.end > self.last:
                timing.unknown += 1
        for place, timing in timings.items():
            number, text = self.page.trace["spans"][name][place]
            if timing.count or timing.unknown:
                yield (number if 0 <= number < 1 << 31 else None, text or ""), {
                    "count": timing.count, **timing.columns(self.page.base, kind == CALL)}

    def counts(self):
        """Events of each kind"""
        numbers, sizes = collections.Counter(), collections.Counter()
        for event in self.events:
            if event.kind >= FIRST:
                numbers[event.kind] += 1
                sizes[event.kind] += event.stored
        seconds = (self.end - self.begin) / self.page.trace["frequency"]
        for kind, count in numbers.items():
            yield self.page.trace["kinds"][kind - FIRST]["name"], {
                "events": count, "events/s": ratio(count, seconds, 1000),
                "bytes-%": ratio(sizes[kind], sum(sizes.values()), 100000),
                "bytes": sizes[kind], "bytes/event": ratio(sizes[kind], count, 1000)}

    def losses(self):
        """The losses"""
        for row in self.rows:
            if row.type != GAP or row.end < self.first:
                continue
            known, behind = row.waker & 1, row.waker & 2
            base = self.page.base
            yield (self.page.trace["cpus"][row.cpu], decimal(base + row.start, 9) if known else
                   None), {"to": decimal(base + row.end, 9) if
                    behind and row.end <= self.last else None,
                           "events": row.a, "packets": row.b}

    def all(self):
        """All tables by name"""
        return {"cpu": dict(self.cpu()), "sched": dict(self.sched()),
                "wakeup": dict(self.wakeup()), "irq": dict(self.spans("irqs", INTERRUPT, 0)),
                "softirq": dict(self.spans("softirqs", INTERRUPT, 1)),
                "syscall": dict(self.spans("calls", CALL, 2)), "events": dict(self.counts()),
                "losses": dict(self.losses())}


def is_sure(events, intervals, last):
    """A time that ends there does not end where a later event tells what was not seen"""
    for row in intervals:
        # top is not told of a loss behind the last event of a CPU before the end of the trace
        if row.type == GAP and not row.waker & 2 and row.start <= last:
            return False
        if row.type == RUN and row.b == 0 and row.end <= last:
            behind = [event.time for event in events if event.cpu == row.cpu and
                      event.time > row.end]
            if behind and last < behind[0]:
                return False
    return True


KEYS = {"cpu": ("cpu",), "sched": ("pid",), "wakeup": ("pid",), "irq": ("irq", "name"),
        "softirq": ("softirq", "name"), "syscall": ("nr", "name"), "events": ("event",),
        "losses": ("cpu", "from")}


def wanted(tring, trace, first, last):
    """The tables of top"""
    text = output(tring, "top", "--json", "-n", "0", *KEYS, "--from", decimal(first, 9), "--to",
                  decimal(last, 9), trace)
    tables = {name: {} for name in KEYS}
    for line in text.splitlines()[1:]:
        row = json.loads(line, parse_float=str)
        name = row.pop("table")
        keys = tuple(row.pop(key) for key in KEYS[name])
        # what the page does not have
        for key in ("task", "ms", "unit", "cgroup", "command"):
            row.pop(key, None)
        key = keys if len(keys) > 1 else keys[0]
        tables[name][key] = None if key in tables[name] else row
    return tables


def difference(found, want):
    """The first difference of two tables"""
    for key in sorted(set(found) | set(want), key=str):
        if want.get(key, 0) is not None and found.get(key) != want.get(key):
            return f"{key}: page {found.get(key)}, top {want.get(key)}"
    return None


def main():
    """Compares"""
    tring, trace, count, seed = sys.argv[1:]
    page = make(tring, trace)
    events = [moment for piece in page.trace["pieces"] for moment in page.moments(piece[0])[0]
              if moment.kind != LOSS]
    intervals = sorted(page.intervals(), key=lambda row: row.end)
    chosen = random.Random(int(seed))
    end = page.trace["end"]
    for turn in range(int(count)):
        first, last = sorted(chosen.randrange(-end // 50, end) for _ in range(2))
        if turn % 2:
            last = min(last, first + chosen.randrange(end // 100))
        # of a time without events top does not know the begin
        if not any(first <= event.time <= last for event in events) or \
                not is_sure(events, intervals, last):
            continue
        tables = Tables(page, events, intervals, first, last).all()
        top = wanted(tring, trace, page.base + first, page.base + last)
        for name, table in tables.items():
            where = difference(table, top[name])
            if where:
                sys.exit(f"{decimal(page.base + first, 9)} to {decimal(page.base + last, 9)}: "
                         f"{name} {where}")
    print(f"{count} times")


if __name__ == "__main__":
    main()
