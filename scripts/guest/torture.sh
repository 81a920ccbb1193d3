#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guest of scripts/torture.sh: runs the rounds one after the other, each
# with freshly loaded modules. A line of /guest/rounds has a round's name and the
# options of the torture program.

. /guest/lib.sh
. /guest/kmemleak.sh

instance=$tring/instances/torture
report=/results/torture.txt

one_round() {
	name=$1
	shift
	if ! load_tring; then
		fail "$name: tring.ko loads"
		return 1
	fi
	if ! insmod /guest/tring_torture.ko; then
		fail "$name: tring_torture.ko loads"
		return 1
	fi
	mkdir $instance || fail "$name: mkdir $instance"
	rm -f /tmp/round-ends /tmp/sources-begin
	case $name in
	sources*)
		/guest/torture-sources.sh "$name" &
		wait_until [ -e /tmp/sources-begin ]
		;;
	esac
	/guest/torture --name "$name" --dir "$instance" "$@"
	status=$?
	: >/tmp/round-ends
	wait
	rmdir $instance || fail "$name: rmdir $instance"
	rmmod tring_torture || fail "$name: tring_torture.ko unloads"
	unload_tring || fail "$name: tring.ko unloads"
	note_time "$name"
	return $status
}

# The exit status of this pipeline is tee's and means nothing.
{
	while read -r round; do
		# Split into words on purpose.
		# shellcheck disable=SC2086
		one_round $round </dev/null || echo "# round ended with status $?"
	done </guest/rounds
	if [ -e $kmemleak ]; then
		check "no leaks" no_leaks
	fi
	echo 'all rounds have ended'
} 2>&1 | tee $report
