#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Makes a table, and data for machines, of what the benchmark said.

usage: bench-table.py --kernel RELEASE --commit ID --json FILE RESULTS...

RESULTS have a line for each figure: what kind of row it belongs to, then words
"key=value". Rows that differ in "who" alone are one line of the table.
"""

import argparse
import collections
import json
import re
import sys

PEERS = ("tring", "ftrace", "lttng", "floor")

# Tables: a title, and which figures to show under which name.
RING = ("One event in the ring: mean, then 99th percentile and worst of single "
        "ones", (("", "mean"), ("p99", "single_p99"),
                 ("worst", "single_worst")))
CROSSING = ("An event that goes on to the next sub-buffer: mean and worst",
            (("", "crossing_mean"), ("worst", "crossing_worst")))
BURST = ("The first of some events after a long pause, and the mean of all",
         (("", "first"), ("mean", "mean")))


# What a row of the second table is called by, and what that costs untraced.
EVENT = "From the tracepoint to the record; for sched_switch over an untraced one"


def number(text):
    """A value as JSON should have it"""
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if re.fullmatch(r"-?\d+\.\d+", text):
        return float(text)
    return text


def read_results(paths):
    """The lines of the files -> list of {key: value}"""
    rows = []
    for path in paths:
        with open(path, encoding="ascii") as lines:
            for line in lines:
                kind, *words = line.split()
                row = {"row": kind}
                for word in words:
                    key, _, value = word.partition("=")
                    row[key] = number(value)
                rows.append(row)
    return rows


def merge(rows, keys):
    """Rows -> {(value of each key): {who: row}}, in the order of the rows"""
    merged = collections.OrderedDict()
    for row in rows:
        merged.setdefault(tuple(row.get(key) for key in keys),
                          {})[row["who"]] = row
    return merged


def figure(row, key):
    """One cell's text"""
    value = row.get(key) if row else None
    if value is None:
        return "-"
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def print_table(title, rows, figures):
    """A table of the figures of all peers"""
    if not rows:
        return
    keys = ("clock", "mode", "context", "what")
    head = ["clock", "mode", "context", "what"]
    for who in PEERS:
        for index, (name, _) in enumerate(figures):
            head.append(who if index == 0 else name)
    lines = [head]
    for values, by_who in merge(rows, keys).items():
        line = [str(value) for value in values]
        for who in PEERS:
            line += [figure(by_who.get(who), key) for _, key in figures]
        lines.append(line)
    widths = [max(len(line[i]) for line in lines) for i in range(len(head))]
    print(f"\n{title}\n")
    for line in lines:
        print("  ".join(cell.ljust(width) if i < len(keys) else
                        cell.rjust(width)
                        for i, (cell, width) in enumerate(zip(line, widths))))


def print_tables(rows):
    """All of them"""
    ring = [row for row in rows if row["row"] == "ring"]
    plain = [row for row in ring if "first" not in row]
    print_table(RING[0], plain, RING[1])
    print_table(CROSSING[0], [row for row in plain
                              if row.get("crossings", 0)], CROSSING[1])
    print_table(BURST[0], [row for row in ring if "first" in row], BURST[1])


    print_events([row for row in rows if row["row"] == "event"])


def print_events(rows):
    """Tracers beside each other; what it costs without any is taken off"""
    off = {row["what"]: row["mean"] for row in rows if row["who"] == "disabled"}
    if not off:
        return
    print(f"\n{EVENT}\n")
    print(f"{'clock':6}{'event':14}{'off':>9}" +
          "".join(f"{who:>9}" for who in PEERS[:3]))
    for (clock, what), by_who in merge(rows, ("clock", "what")).items():
        if "disabled" in by_who:
            continue
        less = off[what] if what == "sched_switch" else 0
        cells = [f"{by_who[who]['mean'] - less:.1f}" if who in by_who else "-"
                 for who in PEERS[:3]]
        print(f"{clock:6}{what:14}{off[what]:9.1f}" +
              "".join(f"{cell:>9}" for cell in cells))


def main():
    """Reads, prints, writes"""
    parser = argparse.ArgumentParser()
    parser.add_argument("--kernel", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("results", nargs="+")
    arguments = parser.parse_args()
    rows = read_results(arguments.results)
    if not rows:
        sys.exit("no results")
    for row in rows:
        row["kernel"] = arguments.kernel
        row["commit"] = arguments.commit
    with open(arguments.json, "w", encoding="ascii") as out:
        json.dump(rows, out, indent=1)
        out.write("\n")
    print(f"kernel {arguments.kernel}, commit {arguments.commit}; "
          "instructions, the loop's own taken off")
    print_tables(rows)


if __name__ == "__main__":
    main()
