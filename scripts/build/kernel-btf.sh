#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# kernel-btf.sh OUTPUT OBJTREE RELEASE - writes the BTF of a kernel to OUTPUT: its types, those
# that no header defines, too. OUTPUT is empty if there is none.
#
# The kernel is the one whose headers or build folder OBJTREE is; it need not run. Its image is
# in OBJTREE, or where packages have it: below the root of OBJTREE, in /boot or among the modules.
# The running kernel has its BTF in /sys. Another build of the same release does not count: the
# image must have the text that the headers have for "uname -v".

set -e
LC_ALL=C
export LC_ALL

output=$1 objtree=$(cd "$2" && pwd -P) release=$3
image=$output.image
trap 'rm -f "$image"' EXIT
trap 'exit 1' HUP INT TERM
version=$(sed -n 's/^#define UTS_VERSION "\(.*\)"$/\1/p' \
	"$objtree/include/generated/utsversion.h" 2>/dev/null) || :
: >"$output"
[ -n "$version" ] || exit 0

# position MAGIC FILE - prints the number of bytes in front of the first one, or nothing
position() {
	grep -abo -P "$1" "$2" 2>/dev/null | head -n 1 | cut -d: -f1
}

# unpack MAGIC COMMAND... - writes what begins with MAGIC in $file to $image
unpack() {
	at=$(position "$1" "$file")
	shift
	[ -n "$at" ] || return 1
	tail -c +$((at + 1)) "$file" | "$@" >"$image" 2>/dev/null || :
	is_kernel "$image"
}

is_kernel() {
	grep -qaF "$version" "$1"
}

# cut_btf - the magic, a version, no flags and a header of 24 bytes: two parts follow, the second
# one at an offset
cut_btf() {
	at=$(position '\x9f\xeb\x01\x00\x18\x00\x00\x00' "$1")
	[ -n "$at" ] || return 1
	# shellcheck disable=SC2046 # numbers
	set -- "$1" $(tail -c +$((at + 1)) "$1" | head -c 24 | od -An -v -tu4)
	tail -c +$((at + 1)) "$1" | head -c $((24 + $6 + $7)) >"$output"
}

for file in "$objtree/vmlinux" "$objtree/../../../boot/vmlinuz-$release" \
	"/boot/vmlinuz-$release" "/lib/modules/$release/vmlinuz"; do
	[ -r "$file" ] || continue
	if [ "${file##*/}" = vmlinux ] && is_kernel "$file"; then
		cut_btf "$file" && exit 0
	elif unpack '\xfd7zXZ\x00' xz -dc || unpack '\x28\xb5\x2f\xfd' zstd -dc ||
		unpack '\x1f\x8b\x08' gzip -dc || unpack '\x02\x21\x4c\x18' lz4 -dc; then
		cut_btf "$image" && exit 0
	fi
done
if [ "$(uname -r) $(uname -v)" = "$release $version" ] && [ -r /sys/kernel/btf/vmlinux ]; then
	cat /sys/kernel/btf/vmlinux >"$output"
fi
