#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# chromium.sh [--wait] - finds Chromium, its driver and selenium for Debian's own python3, by which
# pages are tested. What is missing is installed if the network gives it within a minute; with
# --wait it may take longer. Fails with a reason without them; tests are skipped then.

. "$(dirname "$0")/../lib.sh"

packages=(chromium chromium-driver python3-selenium)
seconds=60
[ "${1-}" != --wait ] || seconds=1800
log=$cache/chromium.log

is_there() {
	[ -x /usr/bin/chromium ] && [ -x /usr/bin/chromedriver ] &&
		/usr/bin/python3 -c 'import selenium' 2>/dev/null
}

# Only the download is bounded: an installation that is broken off would leave the system so.
install_packages() {
	local root=()

	[ "$(id -u)" = 0 ] || root=(sudo -n)
	# time: how long the network may take
	timeout "$seconds" "${root[@]}" apt-get -o DPkg::Lock::Timeout=60 -y \
		--no-install-recommends --download-only install "${packages[@]}" &&
		"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y \
			--no-install-recommends install "${packages[@]}"
}

is_there && exit
with_progress "apt-get install chromium" "$log" install_packages >&2 || :
is_there || die "no Chromium: apt-get cannot install it within $seconds s, see $log"
