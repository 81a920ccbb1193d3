#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# whole-path.sh [--all] [-n NAME] KIND [PART...] - runs PARTs of scripts/guest in QEMU, and
# checks what they have recorded against ftrace, with babeltrace2 and with tring report, and
# the console. The last line is "whole-path-NAME: N passed, N failed, N skipped".
#
#   KIND   stock          Debian's stock 6.1, with tring.ko: all parts
#          stock-1, -2    the same, each half of the parts
#          6.12 | 7.3     its stock 6.12 or 7.3: what depends on the kernel
#          built-in       the 6.12 of "kunit.sh x86_64", which has tring built in: the same
#          debug          the 6.12 of "kunit.sh debug-module": KASAN sees each access to memory
#                         that is freed, lockdep each order of locks, kmemleak what is not freed
#          many-cpus      stock, with 16 CPUs online of 64 possible ones: hotplug
#          rt             Debian's stock 6.1 with PREEMPT_RT: files, hog
#          isolated-cpu   stock, whose second CPU is isolated and of nohz_full=: isolated-cpu
#   --all  all parts of 6.12, 7.3 or built-in
#   NAME   of the folder out/whole-path-NAME; default: KIND
#
# TRING_SYSTEMS=all compares the events of all systems with ftrace's, not of six only, and tables
# of recordings of each.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"
. "$(dirname "$0")/viewers.sh"

# Two guests side by side take about as long as each other.
stock_1=(files beside-ftrace reader-side functions graph instances sources memory module-ids
	event-dirs held-files mount-options parameters pages top-tables loading)
stock_2=(marker why questions recorders flight top-live tasks cgroups stacks triggers filters
	latency stop-when call-strings hog)
by_kernel=(files beside-ftrace functions graph sources cgroups stacks filters triggers instances
	event-dirs module-ids call-strings loading)
# Parts that unload tring, or need jbd2 as a module
of_modules=(event-dirs module-ids held-files mount-options parameters loading)

all=no name='' arguments=()
while [ $# -gt 0 ]; do
	case $1 in
	--all) all=yes ;;
	-n) name=$2 && shift ;;
	*) arguments+=("$1") ;;
	esac
	shift
done
kind=${arguments[0]-stock}
: "${name:=$kind}"
# With it parts leave out what does not depend on the kernel.
only_kernel=''
case $all,$kind in
*,stock-1) parts=("${stock_1[@]}") ;;
*,stock-2) parts=("${stock_2[@]}") ;;
*,stock | yes,*) parts=("${stock_1[@]}" "${stock_2[@]}") ;;
*,many-cpus) parts=(hotplug) ;;
*,rt) parts=(files hog) ;;
*,isolated-cpu) parts=(isolated-cpu) ;;
*) parts=("${by_kernel[@]}") only_kernel=yes ;;
esac
if [ "$kind" = built-in ]; then
	mapfile -t parts < <(printf '%s\n' "${parts[@]}" |
		grep -vxFf <(printf '%s\n' "${of_modules[@]}"))
fi
[ ${#arguments[@]} -le 1 ] || parts=("${arguments[@]:1}") only_kernel=''
name=whole-path-$name
dir=$out/$name
begin_tests "$name" "$dir.logs"

cpus=${TRING_CPUS:-2} more=() flavour=''
case $kind in
stock*) series=6.1 ;;
many-cpus) series=6.1 cpus=16,maxcpus=64 more=(-e ONLINE=16 -e POSSIBLE=64) ;;
isolated-cpu) series=6.1 more=(-a nohz_full=1 -a isolcpus=1) ;;
# The part "hog" has a task of priority 50. Where RCU's threads do not come before it, no grace
# period ends beside it, and ftrace waits for them with its locks held.
rt) series=6.1 flavour=rt-amd64 more=(-a rcutree.kthread_prio=60) ;;
6.12 | 7.3) series=$kind ;;
built-in)
	# The group kunit-x86_64 runs the KUnit suites of this kernel.
	needed with_progress "the kernel" "$logs/kernel.log" \
		"$top/scripts/check/kunit.sh" x86_64 --build-only
	boot=(-a tsc=unstable -k "$(tail -n 1 "$logs/kernel.log")/arch/x86/boot/bzImage"
		-a kunit.enable=0 -e TRING_BUILT_IN=1)
	;;
debug)
	needed with_progress "the kernel" "$logs/kernel.log" \
		"$top/scripts/check/kunit.sh" debug-module --build-only
	kdir=$(tail -n 1 "$logs/kernel.log")
	module=$cache/module-debug-module
	needed with_progress "tring.ko with KASAN" "$logs/build-module.log" \
		"$top/scripts/build/build-module.sh" -o "$module" "$kdir"
	# The options are those of torture.sh.
	boot=(-k "$kdir/arch/x86/boot/bzImage" -m 3072 -a loglevel=7 -a pci=noacpi
		-f "$module/tring.ko=/guest/tring.ko")
	;;
*) die "unknown kind '$kind', see the head of $0" ;;
esac
if [ -n "${series-}" ]; then
	needed with_progress "tring.ko for Debian's $series" "$logs/build-module.log" \
		build_stock "$series" ${flavour:+"$flavour"}
	use_stock "$series" ${flavour:+"$flavour"}
	# One guest finds its TSC stable, and the others do not, whatever the host does. On a busy
	# host the kernel may find a wrong frequency for it, and its seconds are no seconds then.
	tsc=unstable
	[ "$kind" != stock-1 ] || tsc=reliable
	boot=(-a tsc="$tsc" -r "$release" -R "$system" -l jbd2 -f "$module/tring.ko=/guest/tring.ko"
		-f "$module/tring_sample.ko=/guest/tring_sample.ko"
		-f "$module/tring_preemptible.ko=/guest/tring_preemptible.ko"
		-f "$module/tring_hung_cpu.ko=/guest/tring_hung_cpu.ko")
fi
# What a task of the recording for docs/questions.md writes to. Ten reads a second make each one as
# long as a part of the chains of why.
if [[ " ${parts[*]} " = *' questions '* || " ${parts[*]} " = *' why '* ]]; then
	truncate -s 16M "$logs/disk"
	boot+=(-d "$logs/disk,throttling.iops-read=10")
fi
# What follows system calls, and a program that makes some
if [[ " ${parts[*]} " = *' call-strings '* ]]; then
	boot+=(-b /usr/bin/strace -b /usr/bin/make)
fi
# What persist= may be given by mistake: a device's, and what is half memory.
if [[ " ${parts[*]} " = *' parameters '* ]]; then
	truncate -s 64M "$logs/nvdimm"
	boot+=(-D secondary-vga -N "$logs/nvdimm")
fi
# The recordings stay in memory until the end.
[ "${TRING_SYSTEMS-}" != all ] || boot+=(-m 3072)
needed with_progress "the reader" "$logs/build-reader.log" "$top/scripts/build/build-reader.sh" all
tring=$(tail -n 1 "$logs/build-reader.log")
build_programs() {
	local program

	for program in reader-side marker-edges hold-path seek-dir why-chains paced-writers \
			call-strings cgroup-movers; do
		cc -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror -pthread \
			-I "$top/uapi" -o "$logs/$program" \
			"$top/scripts/guest/$program.c" || return 1
	done
	cc -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror -o "$logs/filters-beside" \
		"$top"/scripts/guest/filters-beside.c "$top"/kunit-tests/filter/random.c || return 1
	cc -std=gnu11 -O2 -fno-omit-frame-pointer -static -Wl,--build-id -Wall -Wextra -Wshadow \
		-Werror -o "$logs/user-frames" "$top/scripts/guest/user-frames.c"
}
needed with_progress "the guest's programs" "$logs/programs.log" build_programs

# The commands of the manuals, without roff's escapes, and of README.md. What needs a crash is
# tested by blackbox.sh and kdump.sh, what reads a trace.dat by the reader's tests.
show_commands() {
	local page

	for page in "$@"; do
		sed -n "s/\\\\-/-/g; s/\\\\(aq/'/g; s/^# \\([a-z].*\\)/${page##*/} \\1/p" \
			"$top/docs/man/$page"
	done
}
{
	# Its other commands are those of trace-cmd.
	show_commands tring-trace-cmd.7 | grep ' tring record '
	show_commands tring.1 tring-record.1 tring-start.1 tring-convert.1
	for page in README.md docs/viewers.md; do
		sed -nE "s|^    (sudo )?(\\./)?(tring )|${page##*/} \\3|p" "$top/$page"
	done
} | grep -v -e salvage -e persist= -e 'tring arm' -e 'report crash' -e 'report trace.dat' \
	-e out/demo >"$logs/pages"

guest=0
with_progress "$name: QEMU" "$logs/qemu.log" \
	env TRING_FOLLOW=1 "$top/scripts/qemu/qemu-run.sh" "${boot[@]}" "${more[@]}" \
	-o "$dir" -c "$cpus" -e PARTS="${parts[*]}" -e ONLY_KERNEL="$only_kernel" \
	-e TRING_SECONDS="${TRING_SECONDS:-2}" -e TRING_SYSTEMS="${TRING_SYSTEMS:-}" \
	-e TRING_SEED="${TRING_SEED:-1}" -b /usr/bin/dd -b /usr/bin/chrt -f "$tring=/bin/tring" \
	-f "${tring%/*}/tring-symbols=/bin/tring-symbols" \
	-f "$logs/pages=/guest/pages" \
	-f "$logs/user-frames=/guest/user-frames" \
	-f "$logs/reader-side=/guest/reader-side" -f "$logs/marker-edges=/guest/marker-edges" \
	-f "$logs/filters-beside=/guest/filters-beside" \
	-f "$logs/why-chains=/guest/why-chains" -f "$logs/paced-writers=/guest/paced-writers" \
	-f "$logs/call-strings=/guest/call-strings" \
	-f "$logs/hold-path=/guest/hold-path" -f "$logs/seek-dir=/guest/seek-dir" \
	-f "$logs/cgroup-movers=/guest/cgroup-movers" \
	"$top/scripts/guest/whole-path.sh" || guest=$?

results=$dir/results
judge_guest "$guest" "$results/tests"
case $kind in
debug)
	judge "the console shows nothing bad" "$top/scripts/qemu/judge-console.sh" debug \
		"$dir/console.log" "$logs" "$module/tring.ko"
	;;
# On a busy host the kernel warns that it was late to look after the CPU without a tick.
isolated-cpu) ;;
*)
	judge "the console and dmesg show nothing bad" "$top/scripts/qemu/console-badness.sh" \
		"$dir/console.log" "$results/dmesg.log"
	;;
esac

# as_ftraces TEXT NAME [OPTION] - the recording NAME has the events of ftrace's
as_ftraces() {
	judge "$1" "$top/scripts/trace/compare-with-ftrace.py" ${3+"$3"} \
		"$results/$2.ftrace" "$results/$2"
}

# viewers_agree NAME KIND [TEXT] - the report, whose text the guest has left, has as many events of
# this kind as babeltrace2, which prints TEXT for one
viewers_agree() {
	local all lines

	all=$(babeltrace_count "$results/$1") || return 1
	lines=$(grep -cE "$2" "$results/$1.txt")
	say "babeltrace2: $all events; tring report: $lines"
	[ "$lines" -gt 0 ] && [ "$all" = "$lines" ] || return 1
	[ $# = 2 ] || { babeltrace2 "$results/$1" >"$logs/$1.txt" && grep -qE "$3" "$logs/$1.txt"; }
}

# babeltrace2 sees as many frames as tring report prints lines.
viewers_agree_on_stacks() {
	local all events frames lines text=$logs/stacks-babeltrace2.txt

	all=$(babeltrace_count "$results/stacks") || return 1
	babeltrace2 "$results/stacks" >"$text" || return 1
	"$tring" report "$results/stacks" >"$logs/stacks.txt" || return 1
	events=$(grep -c '^ .* \[[0-9]*\] ' "$logs/stacks.txt")
	# The arrow of sched_switch has more in front.
	lines=$(grep -cE '(^|kernel_stack: +)\s=> ' "$logs/stacks.txt")
	frames=$(grep ' kernel_stack: ' "$text" | grep -o '\[[0-9]*\] = 0xFFFFFFFF' | wc -l)
	say "babeltrace2: $all events, $frames frames; tring report: $events events, $lines frames"
	[ "$frames" -gt 0 ] && [ "$all" = "$events" ] && [ "$frames" = "$lines" ]
}

# DuckDB answers the manual's questions as tring sql does.
sql_agrees() {
	NODE_PATH=$("$top/scripts/build/npm-package.sh" duckdb) \
		"$top/scripts/trace/compare-sql.py" "$tring" "$results/trace" \
		"$top/docs/man/tring-sql.1"
}

# A plain program finds the same causes of waits as tring why, and the whole trace denies nothing
# that tring why says of one that lacks 1 % of its packets.
why_agrees() {
	local seed cuts=()

	python3 "$top/userspace-reader/tests/support/why.py" "$tring" "$results/trace" || return 1
	for seed in 1 2 3; do
		rm -rf "$logs/cut-$seed"
		"$top/scripts/trace/cut-packets.py" "$results/trace" "$logs/cut-$seed" "$seed" ||
			return 1
		cuts+=("$logs/cut-$seed")
	done
	python3 "$top/userspace-reader/tests/support/why.py" "$tring" "$results/trace" "${cuts[@]}"
}

# chains_are_found NAME [COUNT] - one of the recordings has each part of each chain as long as it
# was, or COUNT interrupts
chains_are_found() {
	local number

	for number in 1 2 3; do
		"$top/scripts/trace/check-why.py" "$tring" "$results/$1-$number" ${2+"$2"} && return
	done
	return 1
}

# What the parts have recorded. The guest says so where it has left a part out.
for part in "${parts[@]}"; do
	if grep -q "^skip - $part:" "$results/tests"; then
		continue
	fi
	case $part in
	files)
		[ -z "${module-}" ] ||
			judge "no kprobe can enter a function that records an event" \
				"$top/scripts/check/unprobeable.py" "$module/tring.ko"
		;;
	beside-ftrace)
		as_ftraces "tring's events are ftrace's, in order, id and payload" trace
		judge "babeltrace2, without a warning, and tring report read all events" \
			counts_agree "$results/trace" "$results"/cpu[0-9]*.stats
		judge "the commands of docs/viewers.md" "$top/scripts/check/viewers-page.sh" \
			"$tring" "$results/trace" "$logs/viewers-page.txt"
		judge "the answers of tring sql are DuckDB's" sql_agrees
		judge "tring why agrees with a plain program, also behind losses" why_agrees
		;;
	hotplug)
		judge "babeltrace2, without a warning, and tring report read all events" \
			counts_agree "$results/trace"
		;;
	marker)
		judge "babeltrace2 reads what was written to trace_marker" viewers_agree marker \
			' tracing_mark_write: ' ' print: .* buf = "edge 01 without\\n" }$'
		;;
	questions)
		judge "the commands of docs/questions.md" "$top/scripts/trace/questions.py" \
			"$tring" "$results/questions" "$top/docs/questions.md"
		;;
	why)
		judge "tring why finds the chains of waits that are known" chains_are_found why
		judge "tring why finds a storm of interrupts" chains_are_found why-storm 1000
		;;
	functions)
		judge "babeltrace2 reads the calls of functions" viewers_agree functions \
			' function: .* <-- ' \
			' function: .* ip = 18446744[0-9]*, parent_ip = 18446744[0-9]* \}$'
		;;
	graph)
		judge "babeltrace2 reads begins and ends of functions" viewers_agree graph \
			' funcgraph_(entry|exit): .* \|  '
		;;
	tasks)
		as_ftraces "the events of listed tasks are ftrace's" listed --some-tasks
		as_ftraces "the events of all but listed tasks are ftrace's" unlisted --some-tasks
		;;
	filters)
		[ -n "$only_kernel" ] ||
			as_ftraces "the events that filters let through are ftrace's" filtered \
				--some-tasks
		;;
	filters-beside)
		for recorded in "$results"/filters-beside-*.ftrace; do
			recorded=$(basename "$recorded" .ftrace)
			as_ftraces "random filters let through what ftrace's do: ${recorded##*-}" \
				"$recorded" --some-tasks
		done
		;;
	top-tables)
		for recorded in "$results"/top-tables/*; do
			judge "tables of tring top: ${recorded##*/}" \
				"$top/scripts/trace/compare-top.py" "$tring" "$recorded"
		done
		;;
	call-strings)
		judge "strings of a program that knows them" "$top/scripts/trace/call-strings.py" \
			"$tring" "$results/call-strings" known "$results/call-strings.known"
		judge "calls, results and strings are those of strace" \
			"$top/scripts/trace/call-strings.py" "$tring" "$results/strace" strace \
			"$results/strace.text"
		;;
	stacks)
		as_ftraces "stacks of the kernel are ftrace's" stacks
		as_ftraces "stacks of programs are ftrace's" user-stacks
		judge "babeltrace2 reads stacks" viewers_agree_on_stacks
		;;
	esac
done
count_tests
