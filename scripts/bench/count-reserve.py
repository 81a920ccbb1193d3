#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Counts the lines of code of a reservation in ftrace and in tring.

usage: count-reserve.py

Counts every function that a reservation can call and that is defined in the
ring's own sources, without comments and empty lines. ftrace's sources are those of
Debian's packages linux-source-6.1 and linux-source-6.12, if installed. The two
writers of the benchmark that differ only in the way to reserve are counted, too.
For docs/performance.md.
"""

import os
import sys
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "check"))
sys.dont_write_bytecode = True
import call_graph  # noqa: E402

FTRACE = "kernel/trace/ring_buffer.c"
def count(what, sources, root):
    """Prints the lines that `root` can run through, and those of each file"""
    functions = call_graph.functions_of(sources)
    files, total = {}, 0
    for name in call_graph.reachable(functions, root):
        file, code, _ = functions[name]
        lines = code.count("\n") + 1
        count_of_file = files.setdefault(file, [0, 0])
        count_of_file[0] += lines
        count_of_file[1] += 1
        total += lines
    print(f"{what}, from {root}(): {total} lines")
    if len(files) > 1:
        for file in sorted(files):
            lines, number = files[file]
            print(f"    {lines:4} in {number} functions of {file}")


def main():
    """Counts all rings"""
    for version in ("6.1", "6.12"):
        archive = f"/usr/src/linux-source-{version}.tar.xz"
        if not os.path.exists(archive):
            print(f"ftrace {version}: no {archive}")
            continue
        with tarfile.open(archive) as tar:
            member = tar.extractfile(f"linux-source-{version}/{FTRACE}")
            text = member.read().decode("utf-8")
        count(f"ftrace {version}", {FTRACE: text}, "ring_buffer_lock_reserve")
    sources = call_graph.ring_sources()
    sources["uapi/tring_format.h"] = call_graph.read("uapi/tring_format.h")
    count("tring", sources, "tring_reserve")
    for way in ("cmpxchg", "xadd"):
        text = call_graph.code_of(call_graph.read(f"kmod/bench/ring_{way}.c"))
        print(f"the frame's {way}: {len(text.splitlines())} lines")


if __name__ == "__main__":
    main()
