# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034,SC2154
#
# Sourced behind lib.sh by scripts that let guests end while they record; these scripts set
# $logs.

# build_for_crash KERNEL - sets $release and $system of KERNEL, which is 6.1 or a name of
# scripts/build/stock-kernel.sh, and builds what its guests need: sets $module, a folder of
# modules, $tring, and $crash_guest, the command that boots one, but for what differs.
build_for_crash() {
	local markers=$cache/bin/numbered-markers

	build_for_guest "$1"
	mkdir -p "$cache/bin"
	gcc -std=gnu11 -O2 -Wall -Wextra -pthread -static -o "$markers" \
		"$top/scripts/guest/numbered-markers.c"
	crash_guest=("${boot_guest[@]}" -f "$markers=/guest/numbered-markers"
		-f "$tring-salvage=/bin/tring-salvage")
}

# start_guest CONSOLE COMMAND... - runs qemu-run.sh in the background, with its console in the
# file CONSOLE, until the guest's script says that it records; sets $guest_pid. Fails if the guest
# ends before.
start_guest() {
	local console=$1

	shift
	"$@" &
	guest_pid=$!
	children+=("$guest_pid")
	until grep -qs '^records' "$console"; do
		if ! kill -0 "$guest_pid" 2>/dev/null; then
			say "the guest has ended too early, see $console"
			return 1
		fi
		sleep 0.1 # time: the interval of a loop that waits for the guest
	done
}

# await_guest - waits for the end of $guest_pid; it may end as it likes
await_guest() {
	wait "$guest_pid" || :
	forget_child "$guest_pid"
}

# kill_guest - ends $guest_pid as a reset does
kill_guest() {
	kill "$guest_pid"
	await_guest
}

# new_word - prints a word for numbered-markers, which follows from $RANDOM
new_word() {
	printf '%04x%04x%04x%04x' "$RANDOM" "$RANDOM" "$RANDOM" $((RANDOM | 1))
}
