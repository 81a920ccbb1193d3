#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# viewers-page.sh TRING TRACE LOG - runs each command of docs/viewers.md, with the program TRING
# on a copy of the recording TRACE. Each has to succeed and to print or write something.
# Commands that open a window are left out. What they print goes to LOG.

. "$(dirname "$0")/../lib.sh"

tring=$1 trace=$2 log=$3
work=$(mktemp -d)
# shellcheck disable=SC2016 # evaluated at the end
on_exit+=('rm -rf "$work"')
mkdir "$work/bin"
ln -s "$(realpath "$tring")" "$work/bin/tring"
cp -r "$trace" "$work/tring-trace"
export PATH=$work/bin:$PATH
cd "$work"
: >"$log"

count=0
while read -r command; do
	before=$(find . -maxdepth 1 | wc -l)
	say "\$ $command" >>"$log"
	# head ends before the program that writes to it
	bash -c "$command" >"$work/bin/out" 2>&1 </dev/null || {
		cat "$work/bin/out"
		die "failed: $command"
	}
	head -n 50 "$work/bin/out" >>"$log"
	[ -s "$work/bin/out" ] || [ "$(find . -maxdepth 1 | wc -l)" -gt "$before" ] ||
		die "nothing came of: $command"
	count=$((count + 1))
done < <(sed -n 's/^    //p' "$top/docs/viewers.md" | grep -v '^kernelshark ')
say "$count commands"
[ "$count" -ge 10 ]
