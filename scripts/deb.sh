#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# deb.sh - "make deb": builds the Debian packages from a copy of the sources, and leaves
# them in out/deb.

. "$(dirname "$0")/lib.sh"

"$top/scripts/build/install-deps.sh" deb
version=$(tring_version)
dir=$cache/deb/tring-$version
exec 9>"$cache/deb.lock"
flock 9
rm -rf "$cache/deb"
graft_sources "$dir" .
rm "$dir/.grafted"
# NEWS.md is the changelog; Debian's names the version, a day and a maintainer.
cat >"$dir/debian/changelog" <<-END
tring ($version) unstable; urgency=medium

  * NEWS.md tells what this version has brought.

 -- tring developers <tring@packages.debian.org>  $(date -R -r "$top/NEWS.md")
END

build_packages() {
	(cd "$dir" && dpkg-buildpackage -us -uc -ui)
}
with_progress "dpkg-buildpackage" "$out/deb.log" build_packages ||
	die "dpkg-buildpackage failed, see $out/deb.log"
rm -rf "$out/deb"
mkdir -p "$out/deb"
for file in "$cache"/deb/tring_* "$cache"/deb/*.deb; do
	[ -e "$out/deb/${file##*/}" ] || cp "$file" "$out/deb/"
done
say "the packages are in out/deb:"
(cd "$out/deb" && ls -- *.deb)
