#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Prints "NUMBER NAME" for each system call of a machine, as the C library's headers have them.

    call_names.py x86_64|aarch64
"""
import re
import subprocess
import sys

# what asm-generic's header is asked for by asm/unistd.h of arm64
GENERIC = ['-D__BITS_PER_LONG=64', '-D__ARCH_WANT_RENAMEAT', '-D__ARCH_WANT_NEW_STAT',
           '-D__ARCH_WANT_SET_GET_RLIMIT', '-D__ARCH_WANT_MEMFD_SECRET', '-D__ARCH_WANT_SYS_CLONE3']


def find_names(machine):
    """The names by number; none of another machine."""
    if machine not in ('x86_64', 'aarch64'):
        return {}
    flags, header = ([], 'asm/unistd_64.h') if machine == 'x86_64' else \
        (GENERIC, 'asm-generic/unistd.h')
    text = subprocess.run(['cc', '-E', '-dM', '-x', 'c', *flags, '-include', header, '/dev/null'],
                          check=True, capture_output=True, text=True).stdout
    macros = dict(re.findall(r'#define (__NR\w*) (\w+)', text))
    names = {}
    for macro, value in macros.items():
        while value in macros:
            value = macros[value]
        name = re.fullmatch(r'__NR_(\w+)', macro)
        # ranges that have no call of their own
        if name and value.isdigit() and name[1] not in ('syscalls', 'arch_specific_syscall'):
            names[int(value)] = name[1]
    return names


if __name__ == '__main__':
    for line in sorted(find_names(sys.argv[1]).items()):
        print(*line)
