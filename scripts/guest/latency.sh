#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=dash
#
# "tring record --pair" and "tring latency": each pair is recorded and measured; the system calls
# of a program are as many as ftrace's synthetic event counts at the same time.

. /guest/lib.sh

calls=500
# They wait for each other.
tasks='dd if=/dev/zero bs=1 count=99 2>/dev/null | cat >/dev/null'
hist=$tracefs/events/synthetic/tring_write/hist
match='onmatch(syscalls.sys_enter_write)'

# Reads a byte in each call of its own, and writes it.
work() {
	dd if=/dev/zero of=/dev/null bs=1 count=$calls 2>/dev/null
}

# measure PAIR COMMAND... - records the command, and leaves the answer in the file json
measure() {
	pair=$1
	shift
	tring record -q --pair "$pair" -o pair -- "$@" && tring latency --json "$pair" pair >json
}

# number NAME - the first number of this name
number() {
	sed -n "s/^[^}]*\"$1\":\([0-9]*\).*/\1/p;q" json
}

all_pairs() {
	for pair in wakeup syscall futex block irq softirq napi net hrtimer page-fault; do
		if ! measure "$pair" sh -c "$tasks"; then
			echo "$pair: not measured"
			return 1
		fi
		echo "$pair: $(number count)"
		case $pair in
		# the guest has neither a disk nor a network with NAPI, and its shell no threads
		block | net | napi | futex | irq) ;;
		*) [ "$(number count)" -gt 0 ] || return 1 ;;
		esac
	done
}

# What the pair defines goes with the recording.
kprobe_goes() {
	measure page-fault true && ! grep -q page_fault_end "$tracefs/kprobe_events"
}

# Both sums are told, but not compared: that of tring has ftrace's probes in it.
begin_hist() {
	echo 'tring_write u64 us' >"$tracefs/synthetic_events" &&
	echo 'hist:keys=common_pid:ts=common_timestamp.usecs if comm == "dd"' \
		>"$tracefs/events/syscalls/sys_enter_write/trigger" &&
	echo "hist:keys=common_pid:us=common_timestamp.usecs-\$ts:$match.trace(tring_write,\$us)" \
		>"$tracefs/events/syscalls/sys_exit_write/trigger" &&
	echo 'hist:keys=common_cpu:vals=us' >"${hist%hist}trigger"
}

# To truncate such a file takes the triggers away.
end_hist() {
	for event in synthetic/tring_write syscalls/sys_exit_write syscalls/sys_enter_write; do
		: >"$tracefs/events/$event/trigger"
	done
	echo '!tring_write u64 us' >>"$tracefs/synthetic_events"
}

# hist_sum NAME - the hitcounts, or the sums in us, of all CPUs
hist_sum() {
	awk -v name="$1" '{ for (i = 1; i < NF; i++) if ($i == name ":") sum += $(i + 1) }
		END { print sum + 0 }' "$hist"
}

as_ftrace() {
	begin_hist || { cat "$tracefs/error_log"; return 1; }
	tring record -q --pair syscalls:write -o calls -- /guest/latency.sh work || return 1
	tring latency --json --comm dd syscalls:write calls >json || return 1
	echo "tring: $(number count), $(number sum) ns"
	echo "ftrace: $(hist_sum hitcount), $(hist_sum us) us"
	[ "$(number count)" = "$(hist_sum hitcount)" ] && [ "$(number count)" -ge $calls ] &&
		[ "$(number unknown)" = 0 ]
}

[ "${1-}" != work ] || { work; exit; }
need_tring
cd /tmp || exit
check "each pair is recorded, and its times are measured" all_pairs
check "what a pair defines is removed" kprobe_goes
if [ -e "$tracefs/synthetic_events" ]; then
	check "a program's calls are as many as ftrace's synthetic event counts" as_ftrace
	end_hist
else
	skip "a program's calls are as many as ftrace's synthetic event counts: no such events"
fi
