#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# console-badness.sh FILE... - prints the lines of a console in which the kernel
# reports a fault. Exits with 0 if there is none, with 1 if there is one, with 2 if
# a console is empty.

. "$(dirname "$0")/../lib.sh"

patterns=(
	'WARNING:' 'BUG:' '\bBUG\b.*at ' 'Oops' 'general protection fault'
	'Kernel panic' 'kernel BUG' 'invalid opcode' 'unable to handle'
	'Unable to handle' 'stack segment' 'double fault' 'Call [Tt]race:'
	'Internal error:' 'SError Interrupt'
	'refcount_t:' 'UBSAN:' 'KASAN:' 'KCSAN:' 'KMSAN:' 'KFENCE:'
	'possible (circular|recursive) locking' 'INFO: possible'
	'INFO: task .* blocked' 'inconsistent lock state'
	'suspicious RCU usage' 'rcu.*(stall|detected stalls)'
	'self-detected stall' 'soft lockup' 'hard LOCKUP' 'Watchdog detected'
	'scheduling while atomic' 'sleeping function called from invalid'
	'unreferenced object' 'suspected memory leaks'
	'Objects remaining in' 'still has objects' 'Bad page state'
	'bad: scheduling' 'list_(add|del) corruption' 'ODEBUG:'
	'Out of memory' 'page allocation failure' 'nobody cared'
	'trying to register non-static key'
	# instrumentation that has switched itself off
	'locking correctness validator' 'lockdep is turned off'
	'memory leak detector disabled' 'kmemleak: .*(empty|Cannot)'
	'tring: .*(WARN|corrupt|stopped by a check)'
)

[ $# -gt 0 ] || die "no file given"
pattern=$(IFS='|'; printf '%s' "${patterns[*]}")
found=0
for file in "$@"; do
	if ! [ -s "$file" ]; then
		printf '%s: no console output\n' "$file" >&2
		exit 2
	fi
	# The kernel's command line contains such words ("oops=panic"), and it tells of its timeout.
	if grep -avE 'Command line:|Kernel command line:|RCU CPU stall warnings ' "$file" |
			grep -anE "$pattern" >"$cache/badness.$$"; then
		found=1
		head -n 20 "$cache/badness.$$" | sed "s|^|$file:|"
	fi
	rm -f "$cache/badness.$$"
done
exit "$found"
