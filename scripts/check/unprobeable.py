#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Checks that no kprobe can be set in a function that records an event.

usage: unprobeable.py MODULE.ko

The probes of tracepoints, in the section .kprobes.text, and the functions named by
NOKPROBE_SYMBOL() carry no kprobe. Follows the calls from these through the module, for
x86-64, and fails if it finds another function of the module.
"""

import bisect
import collections
import re
import subprocess
import sys

PROBES = ".kprobes.text"
BLACKLIST = "_kprobe_blacklist"
# Also jumps, since a call at the end of a function becomes one.
BRANCH = re.compile(r"^\s*([0-9a-f]+):\s+(?:call|j[a-z]+)\s+([0-9a-f]+)?")
RELOCATION = re.compile(r"R_X86_64_(?:PLT32|PC32)\s+(\S+)$")


def run(*command):
    """The lines that a program prints"""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE,
                          text=True).stdout.splitlines()


class Functions:
    """The functions of a module, by section and address"""

    def __init__(self, module):
        self.names = collections.defaultdict(dict)
        self.homes = {}
        for line in run("objdump", "-t", "-w", module):
            match = re.match(r"([0-9a-f]+) (.{7}) (\S+)\s+[0-9a-f]+ (?:\.hidden )?"
                             r"(\S+)$", line)
            if match and "F" in match[2]:
                address = int(match[1], 16)
                self.names[match[3]][address] = match[4]
                self.homes[match[4]] = (match[3], address)
        self.addresses = {section: sorted(names)
                          for section, names in self.names.items()}

    def at(self, section, address):
        """The function that has this address, or None"""
        index = bisect.bisect_right(self.addresses.get(section, []), address)
        return index and self.names[section][self.addresses[section][index - 1]]

    def of(self, target, addend):
        """The function that a relocation refers to: "name-0x4", ".text+0x123" """
        name, sign, offset = re.match(r"(.+?)(?:([-+])0x([0-9a-f]+))?$", target).groups()
        if name in self.homes:
            return name
        value = int(offset or "0", 16) * (-1 if sign == "-" else 1)
        return self.at(name, value + addend)


def calls(module, functions):
    """{function: functions that it calls}"""
    called = collections.defaultdict(set)
    section = caller = None
    for line in run("objdump", "-d", "-r", "-w", "--no-show-raw-insn", module):
        match = re.match(r"Disassembly of section (\S+):$", line)
        if match:
            section = match[1]
            continue
        match = BRANCH.match(line)
        if match:
            caller = functions.at(section, int(match[1], 16))
            relocation = RELOCATION.search(line)
            if relocation:
                callee = functions.of(relocation[1], 4)
            elif match[2]:
                callee = functions.at(section, int(match[2], 16))
            else:
                continue
            if callee and callee != caller:
                called[caller].add(callee)
    return called


def without_kprobes(module, functions):
    """The functions that carry no kprobe"""
    found = set(functions.names[PROBES].values())
    if not found:
        sys.exit(f"{module}: no probe in {PROBES}")
    for line in run("objdump", "-r", "-w", "-j", BLACKLIST, module):
        match = re.match(r"[0-9a-f]+ R_X86_64_64\s+(\S+)$", line)
        if match:
            found.add(functions.of(match[1], 0))
    return found


def main():
    """One module"""
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    module = sys.argv[1]
    functions = Functions(module)
    refused = without_kprobes(module, functions)
    called = calls(module, functions)
    if not any(called[name] for name in refused):
        sys.exit(f"{module}: no calls found")
    failed = False
    for caller in sorted(refused):
        for callee in sorted(called[caller]):
            # The compiler moves cold parts of a function away from it.
            if callee.split(".cold")[0] not in refused:
                print(f"{caller} calls {callee}, which may have a kprobe")
                failed = True
    print(f"{len(refused)} functions carry no kprobe")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
