#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# install.sh DESTDIR PREFIX - "make install": installs tring.ko where modprobe
# finds it, and the reader in PREFIX/bin.

. "$(dirname "$0")/lib.sh"

destdir=${1-}
prefix=${2:-/usr/local}

ko=$top/tring.ko
[ -r "$ko" ] || die "no tring.ko: run make"
release=$(modinfo -F vermagic "$ko" | cut -d' ' -f1)
[ -n "$release" ] || die "$ko names no kernel"

install -D -m 644 "$ko" "$destdir/lib/modules/$release/updates/tring.ko"
install -D -m 755 "$top/tring" "$destdir$prefix/bin/tring"
say "installed $destdir/lib/modules/$release/updates/tring.ko"
say "installed $destdir$prefix/bin/tring"
if [ -z "$destdir" ]; then
	depmod -a "$release"
fi
