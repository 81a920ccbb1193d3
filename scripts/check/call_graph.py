# SPDX-License-Identifier: GPL-2.0
"""Which functions of a set of C files a function can call, for scripts.

Reads the sources only: a function that is named in another one counts as called.
"""

import glob
import os
import re

TOP = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
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
        raise SystemExit(f"no function {root}() in these sources")
    known, new = set(), [root]
    while new:
        name = new.pop()
        if name not in known:
            known.add(name)
            new += functions[name][2] & set(functions)
    return known


def read(file):
    """The text of a file of the checkout"""
    with open(os.path.join(TOP, file), encoding="utf-8") as source:
        return source.read()


def ring_sources():
    """{file: text} of kmod/ring"""
    return {file: read(file)
            for file in glob.glob("kmod/ring/*.[ch]", root_dir=TOP)}
