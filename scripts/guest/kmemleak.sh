# SPDX-License-Identifier: GPL-2.0
#
# Sourced by the guest's scripts on kernels that look for leaks.

kmemleak=/sys/kernel/debug/kmemleak

# An object must be five seconds old, and the same in two scans, to be reported.
leaks_scan() {
	sleep 6 # time: younger objects are not reported
	echo scan >$kmemleak && echo scan >$kmemleak
}

# no_leaks - there is none, or the kernel does not look for leaks
no_leaks() {
	[ -e $kmemleak ] || return 0
	leaks_scan || return 1
	! grep . $kmemleak
}
