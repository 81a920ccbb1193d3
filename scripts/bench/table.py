#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Makes tables and a JSON file of the benchmark's results.

usage: table.py --commit ID --json FILE KERNEL=RESULTS...

RESULTS have a line for each figure: the kind of row, then words "key=value". Rows
that differ only in "tracer" become one line of a table.
"""

import argparse
import collections
import json
import re
import statistics
import sys

PEERS = ("tring", "ftrace", "lttng", "floor")
TRACERS = PEERS[:3]
WRITERS = ("floor", "cmpxchg", "xadd", "tring", "ftrace")

# Tables: a title, the columns that distinguish rows, the figures to show with their
# names, and the tracers.
RING = ("One event in the ring, instructions: mean, then 99th percentile and "
        "worst of single ones", ("clock", "mode", "context", "what"),
        (("", "mean"), ("p99", "single_p99"), ("worst", "single_worst")),
        PEERS)
CROSSING = ("One that goes on to the next sub-buffer: mean and worst", RING[1],
            (("", "crossing_mean"), ("worst", "crossing_worst")), TRACERS)
BURST = ("The first after a long pause, and the mean of some", RING[1],
         (("", "first"), ("mean", "mean")), PEERS)
SIZE = ("16 bytes in rings of some sizes in KiB, instructions",
        ("clock", "kib", "wrapped"), (("", "mean"),), PEERS)
WAYS = ("Two ways to reserve in one frame, between the floor and the rings, "
        "instructions", RING[1], (("", "mean"),), WRITERS)
EVENT = ("From the tracepoint to the record, instructions; for sched_switch, "
         "without the switch", ("clock", "what"), (("", "cost"),),
         TRACERS + ("perf",))
TASKS = ("With a list of pids: the same for a task that is in it and for one that is not; "
         "for sched_switch, a switch without an event", EVENT[1], EVENT[2],
         ("tring-listed", "tring-unlisted", "ftrace-listed", "ftrace-unlisted"))
STACKS = ("With the kernel's stack behind the event", EVENT[1], EVENT[2],
          ("tring-stack", "tring-by-perf-stack", "ftrace-stack"))
FILTERS = ("With a filter of one comparison, which lets the event through or does not",
           EVENT[1], EVENT[2],
           ("tring-passing", "tring-failing", "ftrace-passing", "ftrace-failing"))
TRIGGERS = ("With a trigger whose condition fails", EVENT[1], EVENT[2],
            ("tring-trigger", "ftrace-trigger"))
BY_PERF = ("An event without a probe of tring's", EVENT[1], EVENT[2],
           ("tring-by-perf", "ftrace"))
SOURCES = ("Events from other sources, without what is traced: a null system call with the "
           "events of its begin and end, and probes with an argument", *EVENT[1:])
OTHER_SOURCES = ("null_syscall", "kprobe", "uprobe")
NATIVE = ("One event in the ring, cycles: best batch, median, best over the "
          "floor's", ("clock", "what"),
          (("", "best"), ("median", "median"), ("ratio", "best_over_floor")),
          WRITERS)
BENCHMARK = ("The kernel's benchmark_event, in units of its clock: of the round "
             "with the least average; the least of all, the medians of what was "
             "last and of averages", ("clock",),
             (("", "avg"), ("std", "std"), ("min", "min"), ("last", "last"),
              ("median", "median")), ("nothing", "tring", "ftrace"))
RECORDERS = ("tring", "tring-zstd", "tring-whole", "tring-split", "trace-cmd", "lttng")
BURST_LOSSES = ("Events that were lost of a burst, the least and the most of the rounds, and the "
                "events/s that the writers reached, by the size of the rings in KiB",
                ("mode", "kb", "writers", "events"),
                (("", "least"), ("most", "most"), ("rate", "fastest")), RECORDERS)
STEADY = ("The highest steady rate without a loss, events/s; the writer can do no more: +",
          ("mode", "kb"), (("", "best"),), RECORDERS)


def number(text):
    """A value for JSON"""
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if re.fullmatch(r"-?\d+\.\d+", text):
        return float(text)
    return text


def read_results(kernel, path, commit):
    """The lines of a file -> list of {key: value}"""
    rows = []
    with open(path, encoding="ascii") as lines:
        for line in lines:
            kind, *words = line.split()
            row = {"row": kind, "kernel": kernel, "commit": commit}
            for word in words:
                key, _, value = word.partition("=")
                row[key] = number(value)
            rows.append(row)
    if not rows:
        sys.exit(f"{path}: no results")
    return rows


def add_costs(rows):
    """Subtracts the cost of the disabled event, and of the loop"""
    events = [row for row in rows if row["row"] == "event"]
    off = {(row["kernel"], row["what"]): row["mean"] for row in events
           if row["tracer"] == "disabled"}
    for row in events:
        untraced = 0
        if row["what"] != "tracepoint":
            untraced = off[row["kernel"], row["what"]]
        row["cost"] = round(row["mean"] - untraced, 2)


def rounds_of(rows, kind, *keys):
    """Lists of the rows of a kind that have the same keys"""
    rounds = collections.OrderedDict()
    for row in rows:
        if row["row"] == kind:
            rounds.setdefault(tuple(row[key] for key in keys), []).append(row)
    return rounds.values()


def best_rounds(rows):
    """One row for each tracer from the rounds of the kernel's benchmark"""
    return [{**min(some, key=lambda row: row["avg"]),
             "min": min(row["min"] for row in some),
             "last": statistics.median_low([row["last"] for row in some]),
             "median": statistics.median_low([row["avg"] for row in some])}
            for some in rounds_of(rows, "benchmark", "clock", "tracer")]


def burst_losses(rows):
    """One row for each recorder and kind of burst"""
    return [{**some[0],
             "least": min(row["lost"] for row in some),
             "most": max(row["lost"] for row in some),
             "fastest": max(row["rate"] for row in some)}
            for some in rounds_of(rows, "burst", "mode", "kb", "writers", "tracer")]


def steady_rates(rows):
    """One row for each recorder"""
    best = [max(some, key=lambda row: row["rate"])
            for some in rounds_of(rows, "steady", "mode", "kb", "tracer")]
    return [{**row, "best": f"{row['rate']}{'+' if row['all'] else ''}"} for row in best]


def figure(row, key):
    """One cell's text"""
    value = row.get(key) if row else None
    if value is None:
        return "-"
    if key.endswith("_over_floor"):
        return f"{value:.2f}"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def print_table(table, rows):
    """Prints the rows, with the tracers side by side"""
    title, keys, figures, peers = table
    merged = collections.OrderedDict()
    for row in rows:
        merged.setdefault(tuple(str(row[key]) for key in keys),
                          {})[row["tracer"]] = row
    if not merged:
        return
    head = list(keys) + [tracer if index == 0 else name for tracer in peers
                         for index, (name, _) in enumerate(figures)]
    lines = [head] + [list(values) + [figure(by_tracer.get(tracer), key)
                                      for tracer in peers for _, key in figures]
                      for values, by_tracer in merged.items()]
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    print(f"\n{title}\n")
    for line in lines:
        print("  ".join(cell.ljust(width) if i < len(keys) else
                        cell.rjust(width)
                        for i, (cell, width) in enumerate(zip(line, widths))))


def print_tables(rows):
    """Prints all tables of a kernel"""
    ring = [row for row in rows if row["row"] == "ring"]
    events = [row for row in rows if row["row"] == "event"]
    plain = [row for row in ring if "first" not in row]
    print_table(RING, plain)
    print_table(WAYS, [row for row in plain if row["what"].startswith("write")])
    print_table(CROSSING, [row for row in plain if row.get("crossings", 0)])
    print_table(BURST, [row for row in ring if "first" in row])
    print_table(SIZE, [row for row in rows if row["row"] == "size"])
    for row in events:
        if row["tracer"] == "disabled" and row["what"] == "tracepoint":
            print(f"\nA tracepoint that is off: {row['mean']:.1f}")
    print_table(EVENT, [row for row in events if row["tracer"] in EVENT[3] and
                        row["what"] not in OTHER_SOURCES])
    print_table(SOURCES, [row for row in events if row["tracer"] in SOURCES[3] and
                          row["what"] in OTHER_SOURCES])
    print_table(BY_PERF, [row for row in events
                          if row["what"] == "tracepoint" and row["tracer"] in BY_PERF[3]])
    for table in TASKS, STACKS, TRIGGERS, FILTERS:
        print_table(table, [row for row in events if row["tracer"] in table[3]])
    print_table(NATIVE, [row for row in rows if row["row"] == "native"])
    print_table(BENCHMARK, best_rounds(rows))
    print_table(BURST_LOSSES, burst_losses(rows))
    print_table(STEADY, steady_rates(rows))
    for row in rows:
        if row["row"] == "tsc":
            print(f"\nThe TSC ticks at {row['khz'] / 1e6:.3f} GHz")


def main():
    """Reads, prints, writes"""
    parser = argparse.ArgumentParser()
    parser.add_argument("--commit", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("results", nargs="+")
    arguments = parser.parse_args()
    rows = []
    for result in arguments.results:
        kernel, _, path = result.partition("=")
        rows += read_results(kernel, path, arguments.commit)
    add_costs(rows)
    with open(arguments.json, "w", encoding="ascii") as out:
        json.dump(rows, out, indent=1)
        out.write("\n")
    for kernel in dict.fromkeys(row["kernel"] for row in rows):
        print(f"\n=== kernel {kernel}, commit {arguments.commit}")
        print_tables([row for row in rows if row["kernel"] == kernel])


if __name__ == "__main__":
    main()
