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

import glob
import os
import re
import sys
import tarfile

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
FTRACE = "kernel/trace/ring_buffer.c"
# A definition at the beginning of a line, up to the brace that closes it.
FUNCTION = re.compile(r"^(?:\w[\w \t*]*?[ \t*])?(\w+)\([^;{}]*\)[^;{}()]*\n\{\n"
                      r".*?^\}", re.MULTILINE | re.DOTALL)


def code_of(text):
    """The text without comments and empty lines"""
    text = re.sub(r'/\*.*?\*/|//[^\n]*|("(?:\\.|[^"\\])*")',
                  lambda match: match.group(1) or "", text, flags=re.DOTALL)
    return "".join(line + "\n" for line in text.split("\n") if line.strip())


def functions_of(sources):
    """{file: text} -> {name: (file, code, functions that it names)}"""
    found = {}
    for file, text in sources.items():
        for match in FUNCTION.finditer(code_of(text)):
            found[match.group(1)] = (file, match.group(0),
                                     set(re.findall(r"\w+", match.group(0))))
    return found


def reachable(functions, root):
    """All functions that `root` can call, itself included"""
    if root not in functions:
        sys.exit(f"count-reserve.py: no function {root}()")
    known, new = set(), [root]
    while new:
        name = new.pop()
        if name not in known:
            known.add(name)
            new += functions[name][2] & set(functions)
    return known


def count(what, sources, root):
    """Prints the lines that `root` can run through, and those of each file"""
    functions = functions_of(sources)
    files, total = {}, 0
    for name in reachable(functions, root):
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


def read(file):
    """The text of a file of the checkout"""
    with open(os.path.join(TOP, file), encoding="utf-8") as source:
        return source.read()


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
    files = glob.glob("kmod/ring/*.[ch]", root_dir=TOP)
    count("tring", {file: read(file)
                    for file in files + ["uapi/tring_format.h"]},
          "tring_reserve")
    for way in ("cmpxchg", "xadd"):
        text = code_of(read(f"kmod/bench/ring_{way}.c"))
        print(f"the frame's {way}: {len(text.splitlines())} lines")


if __name__ == "__main__":
    main()
