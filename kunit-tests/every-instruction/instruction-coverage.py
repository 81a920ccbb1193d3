#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""instruction-coverage.py MODULE.ko SECTIONS LOG - instructions without an interrupt

Lists the instructions of the ring's writers at which no interrupt has come.

MODULE.ko is tring_every_instruction.ko, in its build folder. Its disassembly
(objdump) lists the instructions of the writers: of the functions named in ROOTS, into
which the test inlines the fast path, and of all functions of the ring that these call.
SECTIONS has the address of each section where the module was loaded. LOG is the
module's log ("covered ADDRESS TIMES").

Prints a line for each function, then the instructions that no interrupt has reached:
"warn" for those on a path that ends in a warning, "other" for the rest. The rest has
branches that a compiler has duplicated for one condition, so some of them never run.
Exits with 1 if the rest is more than OTHERS_MAX of all instructions.
"""

import glob
import os
import re
import subprocess
import sys

# Entry points of the writers: the fast path as records.c inlines it, and what records.c
# and situations.c call.
ROOTS = re.compile(r"ring_(write|discard)_\w+"
                   r"|tring_(flush|switch|clock_read_other"
                   r"|buffer_add_event|buffer_remove_event|buffer_request_recording)")
# With TRING_SHARE=15 about 3 % get no interrupt.
OTHERS_MAX = 0.04
SUFFIX = re.compile(r"\.(constprop|isra|part|cold)(\.\d+)?")

FUNCTION = re.compile(r"^([0-9a-f]+) <([^>]+)>:$")
INSTRUCTION = re.compile(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2} )+)\s*(.*)$")
# Target of a call or a jump, in the operand or in the relocation behind it.
TARGET = re.compile(r"(?:<|R_X86_64_\w+\s+)([A-Za-z_][\w.]*)")
# Filler between functions, and behind a jump that is always taken.
PADDING = re.compile(r"(data16 )*(cs )?nop[wl]?\b|int3|xchg +%ax,%ax")


def functions_of_ring(module):
    """Names of the functions in the ring's objects beside the module"""
    names = set()
    build = os.path.dirname(module)
    objects = [path for room in ("ring", "session")
               for path in glob.glob(os.path.join(build, f"kmod/{room}/*.o"))]
    for path in objects:
        text = subprocess.run(["nm", "--defined-only", path], check=True,
                              capture_output=True, text=True).stdout
        for line in text.splitlines():
            _, kind, name = line.split()
            if kind in "tT":
                names.add(SUFFIX.sub("", name))
    if not names:
        sys.exit(f"there are no objects of the ring beside {module}")
    return names


def disassemble(module, section):
    """Functions of a section: (name, [(offset, text)], names that the code refers to)"""
    text = subprocess.run(
        ["objdump", "-d", "-r", "-w", "--insn-width=16", "-j", section, module],
        check=True, capture_output=True, text=True).stdout
    functions = []
    for line in text.splitlines():
        match = FUNCTION.match(line)
        if match:
            functions.append((match[2], [], set()))
            continue
        if not functions:
            continue
        _, code, targets = functions[-1]
        match = INSTRUCTION.match(line)
        if match:
            code.append((int(match[1], 16), match[3].strip()))
        if match or "R_X86_64" in line:
            targets.update(SUFFIX.sub("", name) for name in TARGET.findall(line))
        if code and "R_X86_64" in line:
            offset, last = code[-1]
            # A call without its relocation looks like a jump to itself.
            code[-1] = (offset, last.split("<")[0] + line.split("R_X86_64")[-1])
    return functions


def writers(functions, of_ring):
    """Names of the functions that the roots reach by calls

    NOKPROBE_SYMBOL() keeps a copy of each function that is inlined everywhere. No
    call leads there.
    """
    targets = {}
    for name, _, called in functions:
        targets.setdefault(SUFFIX.sub("", name), set()).update(called)
    reached = set()
    todo = [name for name in targets if ROOTS.fullmatch(name)]
    while todo:
        name = todo.pop()
        if name in reached or is_warning(name):
            continue
        reached.add(name)
        todo += [called for called in targets[name] if called in of_ring and called in targets]
    return reached


def without_padding(instructions):
    """The instructions without filler"""
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
    """Number of interrupts by address"""
    covered = {}
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            match = re.match(r"covered ([0-9a-f]+) (\d+)", line)
            if match:
                covered[int(match[1], 16)] = int(match[2])
    return covered


def blocks(instructions):
    """Runs of instructions, each up to the next jump that is always taken"""
    block = []
    for offset, code in instructions:
        block.append((offset, code))
        if code.split()[0] in ("jmp", "ret", "retq"):
            yield block
            block = []
    yield block


def warnings_of(instructions):
    """Offsets of the instructions on a path that ends in a warning"""
    offsets = set()
    for block in blocks(instructions):
        first = next((i for i, (_, code) in enumerate(block) if is_warning(code)),
                     len(block))
        while 0 < first < len(block) and block[first - 1][1].startswith("mov "):
            first -= 1
        offsets.update(offset for offset, _ in block[first:])
    return offsets


def report(functions, covered):
    """Print the report; returns whether too few instructions were reached

    functions has (name, address of the section, instructions) tuples.
    """
    total = reached = 0
    missing = []
    for name, address, instructions in functions:
        times = [covered.get(address + offset, 0) for offset, _ in instructions]
        warnings = warnings_of(instructions)
        hit = sum(1 for n in times if n)
        total += len(instructions)
        reached += hit
        least = min((n for n in times if n), default=0)
        state = "ok" if hit == len(instructions) else "part"
        print(f"{state} - {name}: {hit} of {len(instructions)} instructions, "
              f"at least {least} rounds each")
        for (offset, code), n in zip(instructions, times):
            if not n:
                kind = "warn" if offset in warnings else "other"
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


def main():
    """Read the files and report"""
    if len(sys.argv) != 4:
        sys.exit(f"usage: {__doc__.splitlines()[0]}")
    module, sections_path, log = sys.argv[1:]
    functions = []
    for section, address in read_sections(sections_path).items():
        functions += [(name, code, called, address)
                      for name, code, called in disassemble(module, section)]
    reached = writers([function[:3] for function in functions], functions_of_ring(module))
    return report([(name, address, without_padding(code))
                   for name, code, _, address in functions
                   if SUFFIX.sub("", name) in reached], read_covered(log))


if __name__ == "__main__":
    sys.exit(main())
