#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# debian-13.sh COMMAND... - runs COMMAND, as root, in a Debian 13 that is kept in the cache,
# with the compilers of its kernels. The cache has the same path there as here. The
# programs in the headers of a kernel for Debian 13 need its C library.

. "$(dirname "$0")/../lib.sh"

[ $# -gt 0 ] || die "see the head of $0"
[ "$(id -u)" = 0 ] || die "debootstrap and chroot need root"
root=$cache/debian-13

make_root() {
	rm -rf "$root"
	debootstrap --variant=minbase \
		--include=gcc,gcc-aarch64-linux-gnu,make,kmod,pahole,zstd,libelf1t64,libssl3t64 \
		trixie "$root" http://deb.debian.org/debian || return 1
	mkdir -p "$root$cache"
	touch "$root/.complete"
}

exec 9>"$root.lock"
flock 9
if [ ! -e "$root/.complete" ]; then
	command -v debootstrap >/dev/null || "$top/scripts/build/install-deps.sh" check-all
	with_progress "Debian 13" "$root.log" make_root >&2 ||
		die "cannot make a Debian 13, see $root.log"
fi
flock -u 9

# The mounts are those of the command's namespace, and end with it.
# shellcheck disable=SC2016 # expanded by the inner shell
exec unshare --mount sh -c '
	root=$1 cache=$2
	shift 2
	mount --bind "$cache" "$root$cache" && mount -t proc proc "$root/proc" &&
		mount --rbind /dev "$root/dev" &&
		exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
			HOME=/root LC_ALL=C "$@"' sh "$root" "$cache" "$@"
