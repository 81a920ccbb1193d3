#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# formats.sh SERIES - prints a folder with the formats of all events of Debian's stock kernel of
# SERIES: events/, printk_formats and kallsyms, as in a trace. A guest gathers them, in which
# each module that has events is loaded, if it loads without its device; the folder's files
# "loaded" and "refused" name the modules. It is kept in the cache, for each release.

. "$(dirname "$0")/../lib.sh"

[ $# = 1 ] || die "see the head of $0"
use_stock "$1"
dir=$cache/formats-$release
exec 8>"$dir.lock"
flock 8

# with_events - prints the modules that have events, by the name of the ELF section
with_events() {
	local file

	find "$system/lib/modules/$release/" -name '*.ko' -o -name '*.ko.xz' | sort |
		while read -r file; do
			if [[ $file = *.xz ]]; then
				xz -dc "$file"
			else
				cat "$file"
			fi | grep -caF _ftrace_events >/dev/null || continue
			file=${file##*/}
			say "${file%.ko*}"
		done
}

made_by=$(cat "$0" "$top/scripts/guest/formats.sh" | cksum)
if [ "$(cat "$dir/.done" 2>/dev/null)" != "$made_by" ]; then
	mapfile -t names < <(with_events)
	modules=()
	for name in "${names[@]}"; do
		modules+=(-l "$name")
	done
	with_progress "the formats of $release" "$dir.log" \
		"$top/scripts/qemu/qemu-run.sh" -r "$release" -R "$system" -o "$dir.guest" -m 4096 \
		-e MODULES="$(printf '%s ' "${names[@]//-/_}")" "${modules[@]}" \
		"$top/scripts/guest/formats.sh" >&2
	rm -rf "$dir"
	mv "$dir.guest/results" "$dir"
	say "$made_by" >"$dir/.done"
fi
say "$dir"
