#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""apply-mutant.py LIST [NAME DIR] - the seeded faults of kunit-tests/mutants

With LIST alone: prints each name and what it breaks, a line each. With NAME and DIR:
applies that fault to the sources in DIR, or says why it does not fit.
"""
import os
import sys


def read_list(path):
    """The blocks of the file: {name: (text, [[file, old, new], ...])}."""
    mutants = {}
    name = None
    with open(path, encoding="ascii") as lines:
        for line in lines:
            if line.startswith("== "):
                name, text = line[3:].rstrip("\n").split(": ", 1)
                if name in mutants:
                    sys.exit(f"{path}: {name} is there twice")
                mutants[name] = (text, [])
            elif name is None or not line.strip() or line.startswith("#"):
                continue
            elif line[0] == "-":
                mutants[name][1][-1][1] += line[1:]
            elif line[0] == "+":
                mutants[name][1][-1][2] += line[1:]
            else:
                mutants[name][1].append([line.strip(), "", ""])
    return mutants


def change(name, path, old, new):
    """Replace the lines, which must occur exactly once."""
    if not os.path.exists(path):
        sys.exit(f"{name}: no file {path}")
    with open(path, encoding="utf-8") as source:
        content = source.read()
    if content.count(old) != 1:
        sys.exit(f"{name}: its lines are {content.count(old)} times in {path}")
    # Do not write in place: the file may be a link to the real source.
    os.remove(path)
    with open(path, "w", encoding="utf-8") as source:
        source.write(content.replace(old, new))


def main():
    mutants = read_list(sys.argv[1])
    if len(sys.argv) == 2:
        for name, (text, _) in mutants.items():
            print(f"{name}\t{text}")
        return
    name, top = sys.argv[2:]
    if name not in mutants:
        sys.exit(f"no mutant {name}")
    for file, old, new in mutants[name][1]:
        change(name, os.path.join(top, file), old, new)


if __name__ == "__main__":
    main()
