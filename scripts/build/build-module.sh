#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# build-module.sh [-o DIR] [KDIR] [MAKE-ARGUMENT...] - builds tring.ko outside
# the checkout and prints its path.
#
# KDIR is a kernel's build folder. Default: the running kernel's, or else that of
# the newest linux-headers-*-amd64. The sources are copied to DIR, and the objects
# stay there for the next build.

. "$(dirname "$0")/../lib.sh"

dir=
if [ "${1-}" = -o ]; then
	dir=$2
	shift 2
fi

running=/lib/modules/$(uname -r)/build
kdir=${1-}
shift || :
if [ -z "$kdir" ] && [ -e "$running/Makefile" ]; then
	kdir=$running
elif [ -z "$kdir" ]; then
	release=$(printf '%s\n' /lib/modules/*-amd64/build/Makefile |
		sort -V | tail -n 1 | cut -d/ -f4)
	[ -e "/lib/modules/$release/build/Makefile" ] ||
		die "no kernel headers: apt-get install linux-headers-amd64"
	kdir=/lib/modules/$release/build
	say "no headers of the running kernel $(uname -r): using $release" >&2
fi
[ -e "$kdir/Makefile" ] || die "$kdir is no kernel build folder"
kdir=$(cd "$kdir" && pwd -P)

release=$(cat "$kdir/include/config/kernel.release") ||
	die "$kdir has not been configured"
: "${dir:=$cache/module-$release}"

# The headers of a kernel for a later Debian than this one have programs that do not run
# here. Other systems have no such headers.
system=()
case $release in
*+deb1[3-9]*)
	if [ "$(. /etc/os-release && say "${ID-}${VERSION_ID-}")" = debian12 ]; then
		system=("$top/scripts/build/debian-13.sh")
	fi
	;;
esac

# Another machine's kernel; the headers of some name their compiler, those of 6.1 do not.
machine=()
if grep -qx CONFIG_ARM64=y "$kdir/include/config/auto.conf" && [ "$(uname -m)" != aarch64 ]; then
	machine=(ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-)
fi

mkdir -p "$dir"
# One build at a time in one folder.
exec 9>"$dir/.lock"
flock 9
graft_sources "$dir" Kbuild kmod uapi kunit-tests scripts/build/probe-events.sh
"${system[@]}" make -C "$kdir" M="$dir" "${machine[@]}" CONFIG_TRING=m -j "$jobs" "$@" \
	modules >&2
say "$dir/tring.ko"
