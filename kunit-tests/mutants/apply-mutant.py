#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""apply-mutant.py LIST [NAME DIR] - the seeded faults of kunit-tests/mutants

With LIST alone: prints a line for each: "gate" or "-", name, kind of test, test, files.
With NAME and DIR: applies that fault to the sources in DIR, or says why it does not fit.
"""
import os
import sys


def read_list(path):
    """The blocks of the file: {name: (test, [[file, old, new], ...])}."""
    mutants = {}
    file = None
    with open(path, encoding="ascii") as lines:
        for line in lines:
            if line.startswith("== "):
                name, test = line[3:].split("]")[0].split(" [")
                if name in mutants:
                    sys.exit(f"{path}: {name} is there twice")
                changes = []
                kind = "kunit" if "." in test else "explorer"
                mutants[name] = ([kind, *test.split()], changes)
            elif line[0] == "-":
                if not changes or changes[-1][0] != file or changes[-1][2]:
                    changes.append([file, "", ""])
                changes[-1][1] += line[1:]
            elif line[0] == "+":
                changes[-1][2] += line[1:]
            elif line[0] not in "#\t\n":
                file = line.strip()
    return mutants


def changed(name, changes, top):
    """The files that the fault changes: {path: content}. Old lines must occur exactly once."""
    contents = {}
    for file, old, new in changes:
        path = os.path.join(top, file)
        if path not in contents:
            if not os.path.exists(path):
                raise ValueError(f"{name}: no file {path}")
            with open(path, encoding="utf-8") as source:
                contents[path] = source.read()
        count = contents[path].count(old)
        if count != 1:
            raise ValueError(f"{name}: its lines are {count} times in {path}")
        contents[path] = contents[path].replace(old, new)
    return contents


def main():
    mutants = read_list(sys.argv[1])
    if len(sys.argv) == 2:
        for name, (test, changes) in mutants.items():
            files = dict.fromkeys(file for file, _, _ in changes)
            print("gate" if "gate" in test else "-", name, *test[:2], *files)
        return
    name, top = sys.argv[2:]
    if name not in mutants:
        sys.exit(f"no mutant {name}")
    try:
        contents = changed(name, mutants[name][1], top)
    except ValueError as wrong:
        sys.exit(str(wrong))
    for path, content in contents.items():
        # Do not write in place: the file may be a link to the real source.
        os.remove(path)
        with open(path, "w", encoding="utf-8") as source:
            source.write(content)


if __name__ == "__main__":
    main()
