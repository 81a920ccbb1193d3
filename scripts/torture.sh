#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torture.sh [-s SECONDS] [-e EVENTS] [-c CPUS] [-k KIND] [--self-test] - writes
# into a ring from all contexts of all CPUs at once, in QEMU, while it is read in
# every way that there is, switched, resized, snapshotted and its CPUs come and
# go. In the end every event is accounted for.
#
#   -s SECONDS    how long is written, in all rounds together (default 120)
#   -e EVENTS     instead of that, rounds until so many events are written
#   -c CPUS       virtual CPUs (default 4)
#   -k KIND       on the kernel of "kunit.sh KIND", debug or kcsan, which has
#                 tring built in, instead of Debian's stock 6.1
#   --self-test   a round whose reader flips a byte: the checks must notice it
#
# Records are of all forms: with a short id and a fixed length, with a short id
# and a length of their own, in the long form, extended, with and without a pid,
# with a context that fits into a byte and with one that does not. What a round
# does differently are parameters of the module, see kunit-tests/torture/module.c.
#
# A round ends later than that on a machine that is too busy for everything to
# have taken part. The last line is "torture: N passed, N failed, N skipped".
#
# QEMU: the virtual CPUs run in parallel, two and more of them at once, which
# is what a torture is about. That is safe because nothing here switches a
# tracepoint; see the note in qemu-run.sh. The clock is traced by a kprobe,
# which puts a breakpoint into the kernel, so that round has a boot of its own
# in which the CPUs take turns. The stock guest is told to trust its TSC, or each
# look at the clock would be one at the HPET, under QEMU's one big lock. The
# instrumented ones are too slow to find out how fast it is.

. "$(dirname "$0")/lib.sh"

seconds=120 events='' cpus=4 kind=stock self_test=no
while [ $# -gt 0 ]; do
	case $1 in
	-s | -e | -c)
		[ -n "${2-}" ] || die "$1 needs a number"
		[[ $2 =~ ^[1-9][0-9]*$ ]] || die "'$2' is no number"
		case $1 in
		-s) seconds=$2 ;;
		-e) events=$2 ;;
		-c) cpus=$2 ;;
		esac
		shift
		;;
	-k)
		kind=${2-}
		shift
		;;
	--self-test) self_test=yes ;;
	*) die "see the head of $0" ;;
	esac
	shift
done

# Memory for the notes of what was read bounds a round.
round_seconds_max=60
round_events_max=50000000

lock_cache
logs=$out/torture-$kind
rm -rf "$logs"
mkdir -p "$logs"
passed=0 failed=0 skipped=0
written=0 read=0 milliseconds=0

ok() {
	passed=$((passed + 1))
	say "ok - $*"
}

not_ok() {
	failed=$((failed + 1))
	say "not ok - $*"
}

# build DIR KDIR [MAKE-ARGUMENT...] - the modules and the program
build() {
	local dir=$1

	shift
	"$top/scripts/build/build-module.sh" -o "$dir" "$@" CONFIG_TRING_TORTURE_TEST=m
	# Of another checkout it would depend on files that may be gone.
	rm -rf "$dir/torture-user"
	make --no-print-directory -C "$top/kunit-tests/torture/user" \
		O="$dir/torture-user" -j "$jobs"
}

# torture NAME DIR LIMIT [QEMU-OPTION...] - a boot with the rounds on stdin
torture() {
	local name=$1 dir=$2 limit=$3 guest=$cache/qemu-torture-$kind-$1
	local module modules=()

	shift 3
	for module in "$dir"/*.ko; do
		modules+=(-f "$module=/guest/${module##*/}")
	done
	cat >"$logs/$name.rounds"
	TRING_FOLLOW=1 with_progress "$name" "$logs/$name.log" \
		"$top/scripts/qemu/qemu-run.sh" "${boot[@]}" "$@" -c "$cpus" -t "$limit" \
		-o "$guest" \
		-f "$top/scripts/guest/lib.sh=/guest/lib.sh" \
		-f "$top/scripts/guest/kmemleak.sh=/guest/kmemleak.sh" \
		-f "$logs/$name.rounds=/guest/rounds" \
		"${modules[@]}" \
		-f "$dir/torture-user/torture=/guest/torture" \
		"$top/scripts/guest/torture.sh" || :
	cp "$guest/results/torture.txt" "$logs/$name.txt" \
		2>/dev/null || : >"$logs/$name.txt"
	cp "$guest/console.log" "$logs/$name.console" || :
}

# judge NAME - what the rounds of a boot have said
judge() {
	local name=$1 line w r m

	while read -r line; do
		case $line in
		'ok - '*) ok "${line#ok - }" ;;
		'not ok - '*) not_ok "${line#not ok - }" ;;
		'skip - '*)
			skipped=$((skipped + 1))
			say "$line"
			;;
		'written '*)
			read -r _ w _ r _ m <<<"$line"
			written=$((written + w))
			read=$((read + r))
			milliseconds=$((milliseconds + m))
			;;
		'#'*) say "$line" ;;
		esac
	done < <(tr -d '\r' <"$logs/$name.txt")
}

# A boot that did not come to its end, or of which the kernel complains, has
# failed, whatever its rounds say.
judge_end() {
	local name=$1

	if grep -qx 'all rounds have ended' "$logs/$name.txt"; then
		ok "$name: all rounds have ended"
	else
		not_ok "$name: all rounds have ended"
		tail -n 20 "$logs/$name.console"
	fi
}

judge_console() {
	local name=$1

	if "$top/scripts/qemu/judge-console.sh" "$kind" "$logs/$name.console" "$logs" \
			"${objects[@]}"; then
		ok "$name: nothing bad on the console"
	else
		not_ok "$name: nothing bad on the console"
	fi
}

# judge_caught ROUND CHECK - a round with a deliberate fault: this check must fail
judge_caught() {
	local round=$1 check=$2

	if grep -qE "^not ok - $round: $check" "$logs"/*.txt; then
		ok "$round: caught by \"$check\""
		return
	fi
	grep -hE "^(not ok|ok) - $round: " "$logs"/*.txt || :
	not_ok "$round: not caught"
}

case $kind in
stock)
	release=$(stock_release) ||
		die "no stock 6.1 kernel: run scripts/build/install-deps.sh"
	kdir=/lib/modules/$release/build
	dir=$cache/module-torture
	boot=(-r "$release" -m 1536 -a tsc=reliable -a clocksource=tsc)
	objects=("$dir/tring.ko" "$dir/tring_torture.ko")
	module_arguments=()
	;;
debug | kcsan)
	"$top/scripts/check/kunit.sh" "$kind" --build-only
	kdir=$cache/kunit-$kind
	dir=$cache/module-torture-$kind
	# It says at level 6 that it looks for what it is to look for. Under
	# KASAN what ACPI interprets takes so long that the kernel gives it up,
	# and has no interrupt for the results' channel.
	boot=(-k "$kdir/arch/x86/boot/bzImage" -m 3072 -a loglevel=7
		-a pci=noacpi -a kunit.enable=0 -e TRING_BUILT_IN=1)
	objects=("$kdir/tring/built-in.a" "$dir/tring_torture.ko")
	module_arguments=(CONFIG_TRING=)
	;;
*)
	die "which kernel? debug or kcsan"
	;;
esac

# What all rounds have in common is the default of the module and the program;
# here is what is different.
strict_drop='--without overwrite,snapshot --set options/overwrite=0'
strict_overwrite='--without overwrite,snapshot --set options/overwrite=1'
storm='--set buffer_size_kb=16 --without resize --set fill_max=1000 --set long_every=8'
storm+=' --set timer_us=100 --set nest_every=2 --set discard_every=3'
bulk='--set fill_max=8 --set long_every=4096 --set discard_every=64'
bulk+=' --set nest_every=64 --set time_every=16 --set copy_every=16'
bulk+=' --set options/overwrite=1 --set burst=200 --without overwrite,pace'
# kprobes cannot have NMIs in a probe that is inside a probe.
clock='--with clock --without nmi --set timer_us=20000 --set burst=10'
clock+=' --set ipi_every=100'

if [ "$self_test" = yes ]; then
	[ "$kind" = stock ] || die "--self-test is for the stock kernel"
	with_progress 'building the modules' "$logs/build.log" build "$dir" "$kdir"
	torture self-test "$dir" 300 -p <<-EOF
		corrupt --seconds 3 --corrupt
	EOF
	judge_caught corrupt 'every record is intact'
	judge_end self-test
	say "torture: $passed passed, $failed failed, $skipped skipped"
	[ "$failed" = 0 ]
	exit
fi

with_progress 'building the modules' "$logs/build.log" build "$dir" "$kdir" \
	"${module_arguments[@]}"
if [ -n "$events" ]; then
	limit=$((events / 50000 + 1200))
	{
		for ((round = 1; events > 0; round++)); do
			n=$((events < round_events_max ? events : round_events_max))
			say "bulk-$round --events $n $bulk"
			events=$((events - n))
		done
	} >"$logs/rounds"
	torture bulk "$dir" "$limit" -p <"$logs/rounds"
	judge bulk
	judge_end bulk
	judge_console bulk
else
	# Five rounds, again and again if it is to last.
	turns=$((seconds / (5 * round_seconds_max) + 1))
	each=$(((seconds + 5 * turns - 1) / (5 * turns)))
	for ((turn = 1; turn <= turns; turn++)); do
		say "mixed-$turn --seconds $each"
		say "drop-$turn --seconds $each $strict_drop"
		say "overwrite-$turn --seconds $each $strict_overwrite"
		say "storm-$turn --seconds $each $storm"
	done >"$logs/rounds"
	torture parallel "$dir" $((4 * turns * (4 * each + 60) + 300)) -p <"$logs/rounds"
	judge parallel
	judge_end parallel
	judge_console parallel
	for ((turn = 1; turn <= turns; turn++)); do
		say "clock-$turn --seconds $each $clock"
	done >"$logs/rounds"
	torture in-turn "$dir" $((turns * (4 * each + 60) + 300)) <"$logs/rounds"
	judge in-turn
	judge_end in-turn
	judge_console in-turn
fi
say "# $written events written in $((milliseconds / 1000)) s of $cpus CPUs," \
	"$((written / (milliseconds / 1000 + 1))) a second, $read of them read"
say "torture: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
