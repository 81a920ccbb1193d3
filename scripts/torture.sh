#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# torture.sh [-s SECONDS] [-e EVENTS] [-k KIND] [--self-test] - writes
# into a ring from all contexts of all CPUs at once, in QEMU. Meanwhile the ring is
# read in all ways, switched on and off, resized and snapshotted, and CPUs go
# offline and come back. In the end every event must be accounted for.
#
#   -s SECONDS    time of writing in all rounds together (default 120)
#   -e EVENTS     write this many events instead, in as many rounds as needed
#   -k KIND       instead of Debian's stock 6.1: debug or kcsan, the kernel of "kunit.sh
#                 KIND" with tring built in; arm64, Debian's stock 6.12 of that machine
#   --self-test   a round whose reader flips a byte, and rounds with seeded faults of
#                 kunit-tests/mutants: the checks must notice each
#
# Records have all forms: a short id with a fixed length or with a length of its
# own, the long form, the extended form, with and without a pid, a context of one
# byte and a full one. Rounds differ by parameters of the module, see
# kunit-tests/torture/module.c.
#
# A round goes on longer than asked for until all actors have taken part. So the gate asks for
# a few seconds each.
#
# The virtual CPUs run in parallel, because CPUs that take turns would hide races.
# That is safe because no tracepoint is switched here; see qemu-run.sh. One round
# traces the clock by a kprobe, which puts a breakpoint into the kernel, so this
# round has a boot of its own in which the CPUs take turns. There, another round on the
# stock kernel records beside the torture from all sources of events, and changes what it
# records: see scripts/guest/torture-sources.sh. The stock guest is
# told to trust its TSC; otherwise each clock read would access the HPET under
# QEMU's global lock. The instrumented guests are too slow to calibrate the TSC.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/check/judge.sh"

seconds=120 events='' kind=stock self_test=no
while [ $# -gt 0 ]; do
	case $1 in
	-s | -e)
		[[ ${2-} =~ ^[1-9][0-9]*$ ]] || die "$1 ${2-}: no number"
		case $1 in
		-s) seconds=$2 ;;
		-e) events=$2 ;;
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

# The memory that keeps account of the records read bounds a round.
round_seconds_max=60
round_events_max=50000000

begin_tests torture "$out/torture-$kind"
rm -rf "${logs:?}"/*
written=0 read=0 milliseconds=0

# build TREE DIR KDIR [MAKE-ARGUMENT...] - the modules and the program
build() {
	local tree=$1 dir=$2

	shift 2
	if [ "$dir" = "${module-}" ]; then
		build_stock 6.1
	else
		"$tree/scripts/build/build-module.sh" -o "$dir" "$@" CONFIG_TRING_TORTURE_TEST=m
	fi
	# A build of another checkout may depend on files that are gone.
	rm -rf "$dir/torture-user"
	make --no-print-directory -C "$top/kunit-tests/torture/user" \
		O="$dir/torture-user" -j "$jobs" "${program_arguments[@]}"
}

# torture NAME DIR [QEMU-OPTION...] - boots and runs the rounds on stdin
torture() {
	local name=$1 dir=$2 guest=$cache/qemu-torture-$kind-$1
	local file modules=()

	shift 2
	for file in "$dir"/tring{,_torture}.ko; do
		[ ! -e "$file" ] || modules+=(-f "$file=/guest/${file##*/}")
	done
	cat >"$logs/$name.rounds"
	TRING_FOLLOW=1 with_progress "$name" "$logs/$name.log" \
		"$top/scripts/qemu/qemu-run.sh" "${boot[@]}" "$@" -c 4 -o "$guest" \
		-f "$logs/$name.rounds=/guest/rounds" \
		"${modules[@]}" \
		"${reader[@]}" -f "$dir/torture-user/torture=/guest/torture" \
		"$top/scripts/guest/torture.sh" || :
	cp "$guest/results/torture.txt" "$logs/$name.txt" \
		2>/dev/null || : >"$logs/$name.txt"
	cp "$guest/console.log" "$logs/$name.console" || :
}

# judge_rounds NAME - the results of the rounds of a boot. It fails if it did not end or if the
# kernel complains, whatever these are.
judge_rounds() {
	local name=$1 w r m

	tr -d '\r' <"$logs/$name.txt" >"$logs/$name.tests"
	add_tests "$logs/$name.tests"
	grep '^#' "$logs/$name.tests" || :
	while read -r _ w _ r _ m; do
		written=$((written + w)) read=$((read + r)) milliseconds=$((milliseconds + m))
	done < <(grep '^written ' "$logs/$name.tests")
	judge_end "$name"
	judge "$name: nothing bad on the console" "$top/scripts/qemu/judge-console.sh" "$kind" \
		"$logs/$name.console" "$logs" "${objects[@]}"
}

judge_end() {
	judge "$1: all rounds have ended" grep -qx 'all rounds have ended' "$logs/$1.txt"
}

# seeded MUTANT CHECK OPTION... - a round with this seeded fault: this check must fail
seeded() {
	local mutant=$1 check=$2 tree=$cache/torture-tree faulty=$cache/module-torture-mutant

	shift 2
	graft_sources "$tree" Kbuild kmod uapi kunit-tests scripts
	"$top/kunit-tests/mutants/apply-mutant.py" "$top/kunit-tests/mutants/mutants.txt" \
		"$mutant" "$tree" || die "the fault $mutant does not fit"
	with_progress "building $mutant" "$logs/$mutant.build.log" \
		build "$tree" "$faulty" "$kdir"
	torture "$mutant" "$faulty" -p <<<"$mutant $*"
	judge_caught "$mutant" "$check"
	judge_end "$mutant"
}

# judge_caught ROUND CHECK - a round with a deliberate fault: this check must fail
judge_caught() {
	judge "$1: caught by \"$2\"" grep -E "^not ok - $1: $2" "$logs"/*.txt
}

module_arguments=() program_arguments=() without='' reader=()
case $kind in
stock)
	use_stock 6.1
	dir=$module
	boot=(-r "$release" -R "$system" -m 1536 -a tsc=reliable -a clocksource=tsc)
	objects=("$dir/tring.ko" "$dir/tring_torture.ko")
	with_progress "the reader" "$logs/reader.log" \
		"$top/scripts/build/build-reader.sh" all
	reader=(-f "$(tail -n 1 "$logs/reader.log")=/bin/tring")
	;;
arm64)
	use_stock 6.12 arm64
	arm64=$("$top/scripts/build/arm64-system.sh")
	dir=$cache/module-torture-arm64 module=''
	boot=(-r "$release" -R "$system" -m 1536)
	objects=("$dir/tring.ko" "$dir/tring_torture.ko")
	program_arguments=(CC="aarch64-linux-gnu-gcc --sysroot=$arm64")
	without=' --without nmi'
	skipped=1
	say "skip - writers in NMIs: a module cannot send one on arm64"
	;;
debug | kcsan)
	kdir=$("$top/scripts/check/kunit.sh" "$kind" --build-only | tail -n 1)
	dir=$cache/module-torture-$kind
	# Level 6 messages say that the instrumentation is on. Under KASAN the
	# kernel gives up ACPI, which takes too long, and then has no interrupt
	# for the channel of the results.
	boot=(-k "$kdir/arch/x86/boot/bzImage" -m 3072 -a loglevel=7
		-a pci=noacpi -a kunit.enable=0 -e TRING_BUILT_IN=1)
	objects=("$kdir/tring/built-in.a" "$dir/tring_torture.ko")
	module_arguments=(CONFIG_TRING=)
	;;
*)
	die "which kernel? debug, kcsan or arm64"
	;;
esac

# Options by which the rounds differ from the defaults of the module and program.
strict_drop='--without overwrite,snapshot --set options/overwrite=0'
strict_overwrite='--without overwrite,snapshot --set options/overwrite=1'
storm='--set buffer_size_kb=16 --without resize --set fill_max=1000 --set long_every=8'
storm+=' --set timer_us=100 --set nest_every=2 --set discard_every=3'
bulk='--set fill_max=8 --set long_every=4096 --set discard_every=64'
bulk+=' --set nest_every=64 --set time_every=16 --set copy_every=16'
bulk+=' --set options/overwrite=1 --set burst=200 --without overwrite,pace'
# kprobes do not support an NMI within a nested probe.
clock='--with clock --without nmi --set timer_us=20000 --set burst=10'
clock+=' --set ipi_every=100'

if [ "$self_test" = yes ]; then
	[ "$kind" = stock ] || die "--self-test is for the stock kernel"
	with_progress 'building the modules' "$logs/build.log" build "$top" "$dir" "$kdir"
	torture self-test "$dir" -p <<-EOF
		corrupt --seconds 3 --corrupt
	EOF
	judge_caught corrupt 'every record is intact'
	judge_end self-test
	seeded refused-not-counted 'the ring counted what it told its writers' \
		--seconds 5 "$strict_drop"
	# The nested writer needs another pid within a few instructions.
	seeded pid-kept-blindly "pid, flags and preempt count are the writer's" \
		--seconds 10 --set pid_every=2 --set burst=2 --set timer_us=50 \
		--set nmi_every=1 --set ipi_every=1 --set discard_every=0 --set fill_max=8
	count_tests
fi

with_progress 'building the modules' "$logs/build.log" build "$top" "$dir" "$kdir" \
	"${module_arguments[@]}"
if [ -n "$events" ]; then
	{
		for ((round = 1; events > 0; round++)); do
			n=$((events < round_events_max ? events : round_events_max))
			say "bulk-$round --events $n $bulk$without"
			events=$((events - n))
		done
	} >"$logs/rounds"
	torture bulk "$dir" -p <"$logs/rounds"
	judge_rounds bulk
else
	# Six rounds, repeated until the time is over.
	turns=$((seconds / (6 * round_seconds_max) + 1))
	each=$(((seconds + 6 * turns - 1) / (6 * turns)))
	for ((turn = 1; turn <= turns; turn++)); do
		say "mixed-$turn --seconds $each$without"
		say "drop-$turn --seconds $each $strict_drop$without"
		say "overwrite-$turn --seconds $each $strict_overwrite$without"
		say "storm-$turn --seconds $each $storm$without"
	done >"$logs/rounds"
	torture parallel "$dir" -p <"$logs/rounds"
	judge_rounds parallel
	for ((turn = 1; turn <= turns; turn++)); do
		say "clock-$turn --seconds $each $clock"
		[ "$kind" != stock ] || say "sources-$turn --seconds $each"
	done >"$logs/rounds"
	torture in-turn "$dir" <"$logs/rounds"
	judge_rounds in-turn
fi
say "# $written events written in $((milliseconds / 1000)) s of 4 CPUs," \
	"$((written / (milliseconds / 1000 + 1))) a second, $read of them read"
count_tests
