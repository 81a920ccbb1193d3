#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Does "make check" notice failures? Causes failures on purpose and checks that
# they are reported: a KUnit case that fails, a guest that fails, panics, hangs or
# powers off, a console with a fault, a trace that differs from ftrace's, a group of
# tests that fails or ends without its last line.
#
# Needs the kernel of kunit-x86_64 and the recording of whole-path-stock-1.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

lock_cache
dir=$out/rig
forever='sleep 6000' # time: what hangs, or is interrupted
rm -rf "$dir"
begin_tests rig "$dir/logs"

# --- the console ---

badness_is_seen() {
	local line

	while read -r line; do
		printf 'Booting\n[    1.000000] %s\n' "$line" >"$dir/console"
		if "$top/scripts/qemu/console-badness.sh" "$dir/console"; then
			say "not seen: $line"
			return 1
		fi
	done <<-'END'
	WARNING: CPU: 0 PID: 1 at kernel/x.c:7 tring_reserve+0x1/0x2 [tring]
	BUG: kernel NULL pointer dereference, address: 0000000000000008
	kernel BUG at mm/slub.c:379!
	Oops: 0000 [#1] PREEMPT SMP NOPTI
	BUG: KASAN: slab-out-of-bounds in tring_flush+0x1/0x2
	BUG tring_cache (Not tainted): Objects remaining in tring_cache
	rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
	watchdog: BUG: soft lockup - CPU#1 stuck for 26s! [cat:99]
	WARNING: possible recursive locking detected
	kmemleak: 2 new suspected memory leaks (see /sys/kernel/debug/kmemleak)
	BUG: sleeping function called from invalid context at kernel/x.c:1
	END
}

silence_is_no_badness() {
	printf 'Booting\n[    1.000000] Command line: oops=panic\n' >"$dir/console"
	"$top/scripts/qemu/console-badness.sh" "$dir/console" || return 1
	: >"$dir/console"
	! "$top/scripts/qemu/console-badness.sh" "$dir/console"
}

# race STACK - prints a KCSAN report whose stack has these functions, joined by |
race() {
	printf '%s\n' '====================' \
		'BUG: KCSAN: data-race in somewhere+0x1/0x2' '' \
		'write to 0xff00 of 8 bytes by interrupt on cpu 0:'
	printf '%s\n' "$1" | tr '|' '\n' | sed 's/^/ /; s/$/+0x1\/0x2/'
	printf '%s\n' '' 'Reported by Kernel Concurrency Sanitizer on:' \
		'===================='
}

# sifted STACK - succeeds if this race is sorted out
sifted() {
	race "$1" >"$dir/console"
	"$top/scripts/qemu/sift-kcsan.sh" "$dir/console" "$dir/elsewhere" "$dir/object.o" \
		>"$dir/sifted" || return 1
	if grep -q KCSAN "$dir/sifted"; then
		! grep -q KCSAN "$dir/elsewhere" || die "the report is in both files"
		return 1
	fi
	grep -q KCSAN "$dir/elsewhere"
}

races_are_sifted() {
	printf 'void own(void) { }\n' | cc -c -x c -o "$dir/object.o" - || return 1
	sifted 'other|caller' || return 1
	sifted 'other|asm_sysvec_timer|own' || return 1
	sifted 'ktime_get_mono_fast_ns|own' || return 1
	! sifted 'own|other' || return 1
	! sifted 'memcpy|own|other' || return 1
	! sifted 'own|asm_sysvec_timer|other' || return 1
	# An incomplete report
	race 'other' | sed '6,$d' >"$dir/console"
	"$top/scripts/qemu/sift-kcsan.sh" "$dir/console" "$dir/elsewhere" "$dir/object.o" \
		>"$dir/sifted" || return 1
	grep -q KCSAN "$dir/sifted"
}

# --- the guest ---

# guest NAME LIMIT LINE... - boots a guest that runs these lines
guest() {
	local name=$1 limit=$2

	shift 2
	printf '%s\n' '#!/bin/busybox sh' "$@" >"$dir/$name.sh"
	"$top/scripts/qemu/qemu-run.sh" -o "$dir/$name" -t "$limit" "$dir/$name.sh" \
		>"$dir/$name.log" 2>&1
}

# start_guest NAME LIMIT LINE... - boots a guest in the background
declare -A started=()
start_guest() {
	set -o monitor
	guest "$@" &
	started[$1]=$!
	set +o monitor
	children+=("-${started[$1]}")
}

# await NAME - waits for the guest's end, and returns its status
await() {
	local status=0

	wait "${started[$1]}" || status=$?
	forget_child "-${started[$1]}"
	return "$status"
}

# guest_fails NAME FILE TEXT - the guest must fail, and only after the deliberate
# fault, which leaves TEXT in FILE
guest_fails() {
	! await "$1" && grep -a "$3" "$dir/$1/$2"
}

guest_succeeds() {
	await finishes && [ "$(cat "$dir/finishes/results/word")" = "done" ]
}

guests() {
	start_guest finishes 900 'echo "done" >/results/word'
	start_guest fails 900 'echo failing >/guest/status' 'exit 1'
	judge "a guest that finishes is a success" guest_succeeds
	judge "a guest that fails is a failure" guest_fails fails guest-status failing

	start_guest panics 900 'echo c >/proc/sysrq-trigger' "$forever"
	start_guest stops 900 'poweroff -f' "$forever"
	judge "a guest that panics is a failure" guest_fails panics console.log 'Kernel panic'
	judge "a guest that stops is a failure" guest_fails stops console.log 'reboot: Power down'
	judge "a guest that hangs is a failure" guest_fails hangs guest-status hanging
}

# --- KUnit ---

# rig_suite ARGUMENT... - runs the suite tring_rig and prints its summary
rig_suite() {
	TRING_LOGS=$dir/kunit "$top/scripts/check/kunit.sh" x86_64 "$@" 'tring_rig*' \
		>"$dir/kunit.log" 2>&1
	printf 'status %s, ' $?
	tail -n 1 "$dir/kunit.log"
}

kunit_failure_is_seen() {
	local good bad

	good=$(rig_suite)
	bad=$(rig_suite --kernel_args=tring.kunit_fail=1)
	say "$good; $bad"
	[ "$good" = "status 0, kunit-x86_64: 1 passed, 0 failed, 0 skipped" ] &&
		[ "$bad" = "status 1, kunit-x86_64: 0 passed, 1 failed, 0 skipped" ]
}

# --- the counting ---

# counts WANTED-LAST-LINE WANTED-STATUS GROUP...
counts() {
	local line=$1 wanted=$2 status=0 got group arguments=()

	shift 2
	for group in "$@"; do
		arguments+=(--group "$group")
	done
	"$top/scripts/check.sh" "${arguments[@]}" >"$dir/counts.log" 2>&1 ||
		status=$?
	got=$(tail -n 1 "$dir/counts.log")
	say "$got, status $status"
	[ "$got" = "$line" ] && [ $((status != 0)) = "$wanted" ]
}

# failure_is_named_last GROUP FAILURE - checks the last lines of counts()
failure_is_named_last() {
	[ "$(tail -n 3 "$dir/counts.log" | head -n 2)" = \
		"failed: $out/check/$1.log"$'\n'"    $2" ]
}

counting_is_right() {
	local good="rig-a=echo rig-a: 3 passed, 0 failed, 1 skipped"

	counts "3 passed, 0 failed, 1 skipped" 0 "$good" &&
	counts "5 passed, 1 failed, 1 skipped" 1 \
		"rig-b=echo not ok - x; echo 2 passed, 1 failed, 0 skipped; exit 1" "$good" &&
	failure_is_named_last rig-b "not ok - x" &&
	counts "5 passed, 1 failed, 1 skipped" 1 "$good" \
		"rig-c=echo 2 passed, 1 failed, 0 skipped" &&
	counts "3 passed, 1 failed, 1 skipped" 1 "$good" "rig-d=true" &&
	counts "3 passed, 1 failed, 1 skipped" 1 "$good" "rig-e=kill -9 \$\$" &&
	counts "3 passed, 1 failed, 2 skipped" 1 "$good" \
		"rig-f=echo 0 passed, 0 failed, 1 skipped" &&
	counts "8 passed, 1 failed, 1 skipped" 1 "$good" \
		"rig-g=echo 5 passed, 0 failed, 0 skipped; exit 3"
}

interruption_is_a_failure() {
	local pid status=0 begun=$dir/rig-h.begun

	"$top/scripts/check.sh" --group "rig-h=touch $begun; $forever" \
		>"$dir/interrupted.log" 2>&1 &
	pid=$!
	until [ -e "$begun" ] || ! kill -0 "$pid"; do
		sleep 0.1 # time: interval of a poll
	done
	kill -TERM "$pid"
	wait "$pid" || status=$?
	[ "$status" != 0 ] && [ "$(tail -n 1 "$dir/interrupted.log")" = \
		"0 passed, 1 failed, 0 skipped" ]
}

# The copy of sources once had these files, too: one that an object was made of, and one
# that none was
gone_files_go() {
	local copy=$dir/copy file

	rm -rf "$copy"
	graft_sources "$copy" uapi || return 1
	for file in uapi/gone.h uapi/alone.h; do
		touch "$copy/$file"
		printf '%s\n' "$file" >>"$copy/.grafted"
	done
	LC_ALL=C sort -o "$copy/.grafted" "$copy/.grafted"
	printf 'deps := %s\n' "$copy/uapi/gone.h" >"$copy/.made.o.cmd"
	# A shell of its own: here a command that fails would not end the function.
	bash -c '. "$0"; graft_sources "$1" uapi' "$top/scripts/lib.sh" "$copy" || return 1
	! ls "$copy/uapi/gone.h" "$copy/uapi/alone.h" "$copy/.made.o.cmd" 2>/dev/null
}

name=rig log=rig begun=rig
sees_the_script() {
	test "$name $log $begun" = 'rig rig rig'
}

# It is given up when it has said nothing for so many polls; the other tests run meanwhile.
start_guest hangs 60 'echo hanging >/guest/status' "$forever"
judge "a fault that the kernel reports is seen on the console" badness_is_seen
judge "a good console is good, an empty one is not" silence_is_no_badness
judge "a data race is sorted out only if no function of tring takes part" races_are_sifted
judge "failed, silent and dying groups of tests are counted" counting_is_right
judge "an interrupted check is a failed one" interruption_is_a_failure
judge "a test that is a function has the script's variables" sees_the_script
judge "a copy of the sources forgets files that have gone" gone_files_go
judge "traces of two events a call are aligned, and not if one event is missing" \
	"$top/scripts/check/align-random.py" "${TRING_SEED:-1}" 2000
judge "a KUnit case that fails is seen" kunit_failure_is_seen
for how in flip memory context pid swap drop repeat early header beginning end stale; do
	judge "the comparison with ftrace sees: $how" \
		"$top/scripts/check/comparison-sees.sh" stock-1 "$how"
done
guests

count_tests
