#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# dist.sh - "make dist": archives the commit that is checked out, in out/.

. "$(dirname "$0")/lib.sh"

[ -e "$top/.git" ] || die "archives a git checkout, and this is an unpacked archive"
name=tring-$(tring_version)
mkdir -p "$out"
git -C "$top" archive --prefix="$name/" -o "$out/$name.tar.gz" HEAD
say "out/$name.tar.gz has commit $(git -C "$top" rev-parse --short HEAD)"
