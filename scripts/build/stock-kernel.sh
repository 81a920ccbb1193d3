#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# stock-kernel.sh SERIES [FLAVOUR] - prints "RELEASE ROOT" of Debian's newest stock kernel
# of SERIES, such as 6.12, or of one release, such as 6.1.0-47: image, modules and headers
# lie below the folder ROOT as they would below /. FLAVOUR is amd64, the default, or
# another one, such as rt-amd64, cloud-amd64, arm64.
#
# Downloads the packages of the newest release, and unpacks them into the cache, once for
# each version. Nothing is installed, so the machine keeps the kernel that it boots. If the
# machine's own apt knows the series and can download it, no other lists are needed (apt.sh).

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/apt.sh"

series=${1-} flavour=${2:-amd64}
[ -n "$series" ] || die "which series? 6.1, 6.12, 7.3"
architecture=${flavour%-16k}
architecture=${architecture##*-}
root=$cache/stock-$series-$flavour
stamp=$root/.unpacked
log=$root.log

exec 9>"$root.lock"
flock 9

# show FIELD PACKAGE - prints a field of the newest version that apt knows
show() {
	apt-cache show --no-all-versions "$2" 2>/dev/null | sed -n "s/^$1: *//p"
}

# find_release - sets $release and $version of the newest release that apt knows
find_release() {
	local pattern=${series//./\\.}'(\.[0-9.]+)?(-[0-9]+)?(\+deb[0-9.]+)?'

	release=$(apt-cache pkgnames "linux-headers-$series" 2>/dev/null |
		sed -nE "s/^linux-headers-($pattern-$flavour)(:.*)?\$/\1/p" |
		sort -V | tail -n 1)
	[ -n "$release" ] || return 1
	version=$(show Version "linux-headers-$release:$architecture")
	[ -n "$version" ]
}

is_unpacked() {
	[ "$(cat "$stamp" 2>/dev/null)" = "$release $version" ]
}

# packages_of - prints the packages of $release. Since 7.0 that of the image only depends
# on those that have its parts.
packages_of() {
	local package

	for package in "linux-image-$release" \
			$(show Depends "linux-image-$release:$architecture" |
				grep -oE 'linux-(base|binary|modules)-[0-9][^ ,]*'); do
		say "$package:$architecture=$version"
	done
	say "linux-headers-$release:$architecture=$version"
	show Depends "linux-headers-$release:$architecture" |
		grep -oE 'linux-(kbuild-[^ ,]*|headers-[^ ,]*-common(-rt)?)'
}

download() {
	local packages

	rm -rf "$root"
	mkdir -p "$root/packages"
	cd "$root/packages"
	mapfile -t packages < <(packages_of)
	say "${packages[@]}"
	apt-get download "${packages[@]}"
}

# The packages have absolute paths in one Makefile and one link, and no list of which
# module needs which. Since 7.0 the image is beside the modules.
unpack() {
	local headers=usr/src/linux-headers-$release package

	for package in "$root"/packages/*.deb; do
		dpkg-deb -x "$package" "$root" || return 1
	done
	rm -r "$root/packages"
	[ -e "$root/lib" ] || ln -s usr/lib "$root/lib" || return 1
	if [ ! -e "$root/boot/vmlinuz-$release" ]; then
		mkdir -p "$root/boot"
		ln -s "../lib/modules/$release/vmlinuz" "$root/boot/vmlinuz-$release"
	fi
	sed -Ei "s:^(include |KBUILD_OUTPUT=)/:\\1$root/:" "$root/$headers/Makefile" &&
		ln -sfn "$root/$headers" "$root/lib/modules/$release/build" &&
		depmod -b "$root" "$release"
}

# An answer of apt's holds for a day.
if [ -n "$(find "$stamp" -mmin -1440 2>/dev/null)" ]; then
	read -r release _ <"$stamp"
	say "$release $root"
	exit
fi
if [ -e "$cache/apt-$architecture" ] || ! find_release; then
	use_apt "$architecture"
	refresh_lists "$log"
	find_release || die "apt knows no linux-headers-$series-$flavour, see $log"
fi
if ! is_unpacked; then
	# Lists that are older than the mirror name packages that are gone.
	with_progress "downloading $release" "$log" download >&2 || {
		use_apt "$architecture"
		with_progress "apt-get update" "$log" update_lists >&2 && find_release &&
			with_progress "downloading $release" "$log" download >&2
	} || die "cannot download the packages of $release, see $log"
	with_progress "unpacking $release" "$log" unpack >&2 ||
		die "cannot unpack the packages of $release, see $log"
fi
say "$release $version" >"$stamp"
say "$release $root"
