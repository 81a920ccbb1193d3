#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# stock-kernel.sh SERIES - prints "RELEASE ROOT" of Debian's stock kernel of SERIES, such
# as 6.12: image, modules and headers lie below the folder ROOT as they would below /.
#
# Downloads the packages of the newest release with apt, and unpacks them into the cache,
# once for each version. Nothing is installed, so the machine keeps the kernel that it
# boots. Debian 12 has 6.12 in its security suite.

. "$(dirname "$0")/../lib.sh"

series=${1-}
[ -n "$series" ] || die "which series? 6.12"
root=$cache/stock-$series
stamp=$root/.unpacked
log=$root.log
# With the cache in a home folder, apt's own user could not write there.
apt=(-o "APT::Sandbox::User=$(id -un)")

exec 9>"$root.lock"
flock 9

# find_release - sets $release and $version of the newest release that apt knows
find_release() {
	local image shown

	image=$(apt-cache "${apt[@]}" show --no-all-versions "linux-image-$series-amd64" \
		2>/dev/null | sed -n 's/^Depends: *\(linux-image-[^ ,]*\).*/\1/p') || return 1
	[ -n "$image" ] || return 1
	shown=$(apt-cache "${apt[@]}" show --no-all-versions "$image" 2>/dev/null) || return 1
	release=${image#linux-image-}
	version=$(sed -n 's/^Version: *//p' <<<"$shown")
	[ -n "$version" ]
}

# update_lists - the machine's sources, with lists in the cache, which needs no root
update_lists() {
	apt+=(-o "Dir::State::lists=$cache/apt-lists" -o Dir::Cache::pkgcache=
		-o Dir::Cache::srcpkgcache=)
	mkdir -p "$cache/apt-lists/partial"
	with_progress "apt-get update" "$log" apt-get "${apt[@]}" update >&2 &&
		find_release
}

is_unpacked() {
	[ "$(cat "$stamp" 2>/dev/null)" = "$release $version" ]
}

download() {
	local abi=${release%-amd64}

	rm -rf "$root"
	mkdir -p "$root/packages"
	cd "$root/packages"
	apt-get "${apt[@]}" download "linux-image-$release=$version" \
		"linux-headers-$release=$version" "linux-headers-$abi-common=$version" \
		"linux-kbuild-$abi=$version"
}

# The packages have absolute paths in one Makefile and one link, and no list of which
# module needs which.
unpack() {
	local headers=usr/src/linux-headers-$release package

	for package in "$root"/packages/*.deb; do
		dpkg-deb -x "$package" "$root" || return 1
	done
	rm -r "$root/packages"
	sed -i "s:^include /:include $root/:" "$root/$headers/Makefile" &&
		ln -sfn "../../../$headers" "$root/lib/modules/$release/build" &&
		depmod -b "$root" "$release"
}

find_release || update_lists ||
	die "apt knows no linux-image-$series-amd64: Debian 12 has it in bookworm-security"
if ! is_unpacked; then
	# Lists that are older than the mirror name packages that are gone.
	with_progress "downloading $release" "$log" download >&2 ||
		{ update_lists && with_progress "downloading $release" "$log" download >&2; } ||
		die "cannot download the packages of $release, see $log"
	with_progress "unpacking $release" "$log" unpack >&2 ||
		die "cannot unpack the packages of $release, see $log"
	say "$release $version" >"$stamp"
fi
say "$release $root"
