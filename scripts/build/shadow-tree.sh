#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# shadow-tree.sh - prints the path of a 6.12 kernel tree that contains tring.
#
# Unpacks Debian's linux-source-6.12 into the cache, once for each version of the
# package, and copies tring's sources there as tring/. A later call copies only
# changed files, so that a rebuild takes seconds.

. "$(dirname "$0")/../lib.sh"

archive=/usr/src/linux-source-6.12.tar.xz
[ -r "$archive" ] || die "no $archive: run scripts/build/install-deps.sh"

tree=$cache/linux-6.12
stamp=$tree/.tring-source
# shellcheck disable=SC2016 # dpkg-query's own syntax
version=$(dpkg-query -W -f '${Version}' linux-source-6.12 2>/dev/null) ||
	version=$(stat -c '%s %Y' "$archive")

exec 9>"$cache/linux-6.12.lock"
flock 9

if [ "$(cat "$stamp" 2>/dev/null)" != "$version" ]; then
	# The stamp is written last, so that an interrupted unpacking starts over.
	rm -rf "$tree"
	mkdir -p "$tree"
	with_progress "unpacking linux-source-6.12" "$cache/unpack.log" \
		tar -xf "$archive" -C "$tree" --strip-components=1 >&2 ||
		die "cannot unpack $archive, see $cache/unpack.log"
	printf '\nsource "tring/Kconfig"\n' >>"$tree/Kconfig"
	printf 'obj-y\t\t\t+= tring/\n' >>"$tree/Kbuild"
	say "$version" >"$stamp"
fi

graft_sources "$tree/tring" Kbuild Kconfig kmod uapi kunit-tests \
	scripts/build/{probe-events,private-struct,kernel-btf}.sh
say "$tree"
