# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced behind lib.sh by scripts that download packages which are not installed. apt has
# sources and lists of its own in the cache, because the packages come from more suites
# than a machine installs from, and from another architecture.

# put_file FILE - FILE gets stdin at once, because another script may read it now
put_file() {
	cat >"$1.$$" && mv "$1.$$" "$1"
}

# use_apt ARCHITECTURE - lets apt-get and apt-cache know the packages of amd64 and of
# ARCHITECTURE, and sets $state. A package without an architecture in its name is that of
# amd64: the kbuild programs of the headers run on this machine, which is an amd64.
#
# apt takes the list of architectures from a file only. The machine's own configuration, such
# as a proxy, stays in force. 6.1 and 6.12 are Debian 12's; the later kernels are backported
# to Debian 13. With the cache in a home folder, apt's own user could not write there.
use_apt() {
	# shellcheck disable=SC2154 # lib.sh sets it
	state=$cache/apt-$1
	mkdir -p "$state/etc/apt" "$state/var/lib/apt/lists/partial" \
		"$state/var/cache/apt/archives/partial"
	touch "$state/status"
	put_file "$state/etc/apt/sources.list" <<-END
	deb http://deb.debian.org/debian bookworm main
	deb http://deb.debian.org/debian-security bookworm-security main
	deb http://deb.debian.org/debian bookworm-backports main
	deb http://deb.debian.org/debian trixie-backports main
	END
	put_file "$state/apt.conf" <<-END
	Dir "$state";
	Dir::State::status "$state/status";
	Dir::Etc::Main "/etc/apt/apt.conf";
	Dir::Etc::Parts "/etc/apt/apt.conf.d";
	Dir::Etc::TrustedParts "/etc/apt/trusted.gpg.d";
	APT::Architecture "amd64";
	#clear APT::Architectures;
	APT::Architectures { "amd64"; "$1"; };
	APT::Sandbox::User "$(id -un)";
	Acquire::Languages "none";
	END
	export APT_CONFIG=$state/apt.conf
}

# update_lists - one update at a time; the lists are shared by all series
update_lists() {
	flock "$state/status" apt-get --error-on=any update && touch "$state/updated"
}

# refresh_lists LOG - updates lists that are older than a day, which may not know the newest
# packages; they do without the network
refresh_lists() {
	if [ -z "$(find "$state/updated" -mmin -1440 2>/dev/null)" ]; then
		with_progress "apt-get update" "$1" update_lists >&2 || :
	fi
}
