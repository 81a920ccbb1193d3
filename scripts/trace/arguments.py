# SPDX-License-Identifier: GPL-2.0
"""Which fields of the kernel's events are arguments of their tracepoints.

TP_fast_assign of a tracepoint's header tells: "__entry->vec = vec_nr" is the argument vec_nr of
TP_PROTO. All else comes from memory, which may change between two probes of one tracepoint.
"""

import collections
import glob
import os
import re

from tring_packets import BadInput

EVENT = re.compile(r"\b(TRACE_EVENT(?!_FLAGS|_PERF)\w*|DECLARE_EVENT_CLASS|DEFINE_EVENT\w*)\(")
ASSIGNMENT = re.compile(r"__entry->(\w+)\s*=\s*([^;]*);")
# A name, maybe behind casts
NAME = re.compile(r"(?:\([\w\s*]+\)\s*)*(\w+)")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)


def split(text, at):
    """The arguments of a macro, whose first one begins at `at`"""
    found, begin, depth = [], at, 0
    while depth >= 0:
        depth += (text[at] in "({") - (text[at] in ")}")
        if depth < 0 or (depth == 0 and text[at] == ","):
            found.append(text[begin:at].strip())
            begin = at + 1
        at += 1
    return found


def within(parts, macro):
    """What is between the parentheses of one of the parts"""
    return next((part[len(macro) + 1:-1] for part in parts if part.startswith(macro + "(")), "")


def fields_of(parts):
    """Fields to which arguments are assigned, and nothing else"""
    names = {re.findall(r"\w+", parameter)[-1]
             for parameter in within(parts, "TP_PROTO").split(",") if parameter.strip()}
    values = collections.defaultdict(list)
    for field, value in ASSIGNMENT.findall(within(parts, "TP_fast_assign")):
        name = NAME.fullmatch(value.strip())
        values[field].append(bool(name) and name.group(1) in names)
    return {field for field, are_arguments in values.items() if all(are_arguments)}


def release_of(directory):
    """The trace's kernel"""
    with open(os.path.join(directory, "metadata"), encoding="utf-8") as f:
        found = re.search(r'kernel_release = "(\d+\.\d+[^"]*)"', f.read())
    if not found:
        raise BadInput(f"{directory}: the metadata names no kernel_release")
    return found.group(1)


def headers_of(release):
    """The headers of tracepoints of a kernel in the cache"""
    cache = os.environ.get("TRING_CACHE", os.path.expanduser("~/.cache/tring"))
    roots = [os.path.join(path.split("/lib/modules/")[0], "usr/src/*")
             for path in glob.glob(f"{cache}/*/lib/modules/{release}")]
    roots = roots or [f"{cache}/linux-{'.'.join(release.split('.')[:2])}"]
    return [path for root in roots for folder in ("include", "arch/*/include/asm")
            for path in glob.glob(f"{root}/{folder}/trace/**/*.h", recursive=True)]


def arguments_of(release):
    """{event: its fields that are arguments}"""
    headers = headers_of(release)
    if not headers:
        raise BadInput(f"the cache has no headers of {release}")
    found, members = {}, {}
    for path in headers:
        with open(path, encoding="utf-8") as file:
            text = COMMENT.sub("", file.read())
        for match in EVENT.finditer(text):
            try:
                parts = split(text, match.end())
            except IndexError:
                continue
            if not match.group(1).startswith("DEFINE_EVENT"):
                found[parts[0]] = fields_of(parts)
            elif len(parts) > 1:
                members[parts[1]] = parts[0]
    return {**{name: found.get(of_class, set()) for name, of_class in members.items()}, **found}
