#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# arm64-system.sh - prints a folder with those parts of a Debian 12 for arm64 that guests
# and their programs need: busybox, and what the reader is linked with. Programs are
# compiled by "aarch64-linux-gnu-gcc --sysroot=FOLDER", and linked statically.
#
# Downloads the packages and unpacks them into the cache, once. Nothing is installed.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/apt.sh"

system=$cache/arm64-system
log=$system.log
packages=(busybox-static libc6 libc6-dev linux-libc-dev libtracefs-dev libtraceevent-dev
	libzstd-dev zlib1g-dev)

exec 9>"$system.lock"
flock 9

# No package here is also one of Debian 13's backports.
download() {
	rm -rf "$system"
	mkdir -p "$system/packages"
	cd "$system/packages"
	apt-get download "${packages[@]/%/:arm64}"
}

unpack() {
	local package

	for package in "$system"/packages/*.deb; do
		dpkg-deb -x "$package" "$system" || return 1
	done
	rm -r "$system/packages"
	say "${packages[*]}" >"$system/.complete"
}

# a folder of an earlier version may lack a package
if [ "$(cat "$system/.complete" 2>/dev/null)" != "${packages[*]}" ]; then
	use_apt arm64
	refresh_lists "$log"
	with_progress "downloading arm64's packages" "$log" download >&2 ||
		die "cannot download ${packages[*]}, see $log"
	with_progress "unpacking arm64's packages" "$log" unpack >&2 ||
		die "cannot unpack ${packages[*]}, see $log"
fi
say "$system"
