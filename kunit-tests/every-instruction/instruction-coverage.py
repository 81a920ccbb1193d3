#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Lists the instructions of the ring at which no interrupt has come.

usage: instruction-coverage.py MODULE.ko SECTIONS LOG

MODULE.ko is tring_every_instruction.ko. Its disassembly (objdump) has all
instructions of the test's functions ring_*, which contain the inlined fast path,
and of the functions of kmod/ring that OPERATIONS can call. SECTIONS has the address
of each section of the loaded module, LOG its output ("covered ADDRESS TIMES").

Prints a line for each function, then the instructions without an interrupt:
"warn" for those that run only when the ring or its stack is broken, up to the end
of that path, and "other" for the rest. Not all others can run, because a compiler
may test a condition twice. Exits with 1 if they are more than OTHERS_MAX of all.
"""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "scripts", "check"))
sys.dont_write_bytecode = True
import call_graph  # noqa: E402

# All that these can call runs while a record is written, if it is in kmod/ring.
OPERATIONS = ("tring_reserve", "tring_commit", "tring_discard", "tring_write",
              "tring_flush", "tring_switch", "tring_buffer_add_event",
              "tring_buffer_remove_event", "tring_clock_read")
# tring_reserve(), tring_commit() and tring_discard() are inlined into these.
INLINED = re.compile(r"ring_(write|discard)_\w+")
# With TRING_SHARE=15 some 3 % have not had their turn.
OTHERS_MAX = 0.04
SUFFIX = re.compile(r"\.(constprop|isra|part|cold)(\.\d+)?")

FUNCTION = re.compile(r"^([0-9a-f]+) <([^>]+)>:$")
INSTRUCTION = re.compile(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*(.*)$")
# What the compiler puts between functions, and what never runs behind a jump.
PADDING = re.compile(r"(data16 )*(cs )?nop[wl]?\b|int3|xchg +%ax,%ax")


def writers():
    """Functions of the ring that run while a record is written"""
    functions = call_graph.functions_of(call_graph.ring_sources())
    return set().union(*(call_graph.reachable(functions, operation)
                         for operation in OPERATIONS))


def disassemble(module, section):
    """Functions of a section: (name, [(offset, text)])"""
    text = subprocess.run(
        ["objdump", "-d", "-r", "-w", "--insn-width=16", "-j", section, module],
        check=True, capture_output=True, text=True).stdout
    functions = []
    for line in text.splitlines():
        match = FUNCTION.match(line)
        if match:
            functions.append((match[2], []))
            continue
        match = INSTRUCTION.match(line)
        if match and functions:
            functions[-1][1].append((int(match[1], 16), match[3].strip()))
        if functions and functions[-1][1] and "R_X86_64" in line:
            offset, code = functions[-1][1][-1]
            # What the linker has yet to put in looks like a jump to nowhere.
            code = code.split("<")[0] + line.split("R_X86_64")[-1]
            functions[-1][1][-1] = (offset, code)
    return functions


def without_padding(instructions):
    """What is behind the last instruction that leaves the function is filler"""
    end = len(instructions)
    while end and PADDING.match(instructions[end - 1][1]):
        end -= 1
    kept = []
    after_jump = False
    for offset, code in instructions[:end]:
        filler = after_jump and PADDING.match(code)
        if not filler:
            kept.append((offset, code))
            after_jump = code.split()[0] in ("jmp", "ret", "retq", "ud2")
    return kept


def is_warning(code):
    """Code of WARN_ON_ONCE() and tring_ring_stop(), or a call that leads there"""
    return bool(re.search(r"\bud2\b|tring_ring_stop|__warn|once|__stack_chk_fail",
                          code))


def read_sections(path):
    """Address of each section"""
    sections = {}
    with open(path, encoding="ascii") as lines:
        for line in lines:
            name, address = line.split()
            sections[name] = int(address, 16)
    return sections


def read_covered(path):
    """Address and number of times"""
    covered = {}
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            match = re.match(r"covered ([0-9a-f]+) (\d+)", line)
            if match:
                covered[int(match[1], 16)] = int(match[2])
    return covered


def blocks(instructions):
    """From what a jump may lead to, up to the next jump that is always taken"""
    block = []
    for offset, code in instructions:
        block.append((offset, code))
        if code.split()[0] in ("jmp", "ret", "retq"):
            yield block
            block = []
    yield block


def classify(functions):
    """Offset of what need not be reached, and its kind"""
    kinds = {}
    for _, instructions in functions:
        for block in blocks(instructions):
            first = next((i for i, (_, code) in enumerate(block) if is_warning(code)),
                         len(block))
            while 0 < first < len(block) and block[first - 1][1].startswith("mov "):
                first -= 1
            kinds.update((offset, "warn") for offset, _ in block[first:])
    return kinds


def main():
    """The report"""
    if len(sys.argv) != 4:
        sys.exit(__doc__.split("\n\n")[1])
    module, sections_path, log = sys.argv[1:]
    ring = writers()
    sections = read_sections(sections_path)
    covered = read_covered(log)
    total = reached = 0
    missing = []
    for section, address in sections.items():
        functions = [(name, without_padding(code))
                     for name, code in disassemble(module, section)
                     if SUFFIX.sub("", name) in ring or
                     INLINED.fullmatch(SUFFIX.sub("", name))]
        kinds = classify(functions)
        for name, instructions in functions:
            times = [covered.get(address + offset, 0) for offset, _ in instructions]
            hit = sum(1 for n in times if n)
            total += len(instructions)
            reached += hit
            least = min((n for n in times if n), default=0)
            state = "ok" if hit == len(instructions) else "part"
            print(f"{state} - {name}: {hit} of {len(instructions)} instructions, "
                  f"at least {least} rounds each")
            for (offset, code), n in zip(instructions, times):
                if not n:
                    kind = kinds.get(offset, "other")
                    start = instructions[0][0]
                    missing.append((kind, f"{name}+{offset - start:#x}", code))
    if not total:
        sys.exit("there is no function of the ring's writers in the module")
    for kind, where, code in missing:
        print(f"not reached, {kind}: {where}: {' '.join(code.split())}")
    others = sum(1 for kind, _, _ in missing if kind == "other")
    print(f"not reached: {len(missing)}, of them warnings "
          f"{len(missing) - others}, others {others}")
    print(f"instructions covered: {reached} of {total} "
          f"({100 * reached / total:.2f} %)")
    return others > OTHERS_MAX * total


if __name__ == "__main__":
    sys.exit(main())
