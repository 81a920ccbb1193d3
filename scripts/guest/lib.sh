# SPDX-License-Identifier: GPL-2.0
#
# Sourced by the guest's scripts. Each test writes a line to /results/tests;
# scripts/check/whole-path.sh counts these lines.

tracefs=/sys/kernel/tracing
tring=$tracefs/tring
failures=0
# A module that can go, where the kernel has it as one
jbd2=$(grep -s '/jbd2\.ko' /guest/modules)

# hundredths - prints the guest's clock, in hundredths of a second
hundredths() {
	read -r now _ </proc/uptime
	# A digit in front, or 08 would be no number.
	echo $((${now%.*} * 100 + 1${now#*.} - 100))
}

# note_time NAME - notes the time since the test before in the guest's own seconds
note_time() {
	now=$(hundredths)
	ticks=$((now - $(cat /tmp/test-ended 2>/dev/null || echo 0)))
	printf '%d.%02d %s\n' $((ticks / 100)) $((ticks % 100)) "$*" >>/results/times
	echo "$now" >/tmp/test-ended
}

pass() {
	echo "ok - $*" | tee -a /results/tests
	note_time "$*"
}

fail() {
	echo "not ok - $*" | tee -a /results/tests
	note_time "$*"
	failures=$((failures + 1))
}

skip() {
	echo "skip - $*" | tee -a /results/tests
}

# check NAME COMMAND... - passes if COMMAND succeeds
check() {
	name=$1
	shift
	if "$@"; then
		pass "$name"
	else
		fail "$name"
	fi
}

# check_with_module NAME COMMAND... - check in a guest that has a module, jbd2, which can go
check_with_module() {
	if [ -n "$jbd2" ]; then
		check "$@"
	else
		skip "$1: this guest has no module that can go"
	fi
}

# check_with FILE WHAT NAME COMMAND... - check on a kernel with FILE, so that it has WHAT
check_with() {
	if [ -e "$1" ]; then
		shift 2
		check "$@"
	else
		skip "$3: this kernel has no $2"
	fi
}

# load_jbd2 - loads the module, if it is not there
load_jbd2() {
	grep -q '^jbd2 ' /proc/modules || insmod "$jbd2"
}

# wait_until COMMAND... - repeats COMMAND until it succeeds. The bound is a number of the guest's
# own attempts, of ten minutes at least: what does not come until then never comes.
wait_until() {
	for _ in $(seq 12000); do
		"$@" && return
		usleep 50000 # time: interval of a poll
	done
	echo "not after 12000 attempts: $*"
	return 1
}

# has_line TEXT FILE
has_line() {
	grep -qx "$1" "$2"
}

# peeked TEXT - the ring has an event whose text has TEXT
peeked() {
	tring peek | grep -q "$1"
}

# has_ended PID
has_ended() {
	! grep -qs '^State:[[:space:]]*[^ZX]' "/proc/$1/status"
}

# ends COMMAND... - COMMAND must end by itself, and succeed
ends() {
	"$@" &
	wait_until has_ended $! || kill -KILL $!
	wait $!
}

# reads_nothing FILE - FILE ends at once
reads_nothing() {
	ends cat "$1" >/tmp/read && [ ! -s /tmp/read ]
}

# under_load COMMAND... - COMMAND runs beside the workload
under_load() {
	: >/tmp/under-load
	while [ -e /tmp/under-load ]; do
		/guest/workload.sh 0
	done &
	loader=$!
	"$@"
	load_status=$?
	rm /tmp/under-load
	wait $loader
	return $load_status
}

# waits_in PID FILE - the process has FILE open, and sleeps
waits_in() {
	for fd in "/proc/$1"/fd/*; do
		[ "$(readlink "$fd")" = "$2" ] || continue
		grep -qs '^State:[[:space:]]*S' "/proc/$1/status"
		return
	done
	return 1
}

# stands_in PID DIR - DIR is the process's working directory
stands_in() {
	[ "$(readlink "/proc/$1/cwd")" = "$2" ]
}

# stand_in DIR - a task goes there and sleeps; sets $stander
stand_in() {
	(cd "$1" && exec sleep 10000) & # time: sleeps until it is killed
	stander=$!
	wait_until stands_in $stander "$1"
}

kill_stander() {
	kill $stander
	wait $stander
}

# entries [TEST...] - prints the paths of tring's files and directories, of those that the
# tests of find(1) choose. Of the systems in "events" it goes into one only.
entries() {
	find $tring -path '*/events/*' ! -path '*/events/enable' ! -path '*/events/irq' \
		! -path '*/events/irq/*' -prune -o "$@" -print
}

# refuses TEXT COMMAND - the shell command must fail and print TEXT (of strerror)
refuses() {
	if said=$(sh -c "$2" 2>&1); then
		fail "refused: $2"
		return 0
	fi
	case $said in
	*"$1"*) pass "refused: $2 ($1)" ;;
	*) fail "refused with '$1': $2 (says: $said)" ;;
	esac
}

# says TEXT STATUS COMMAND... - the command ends with the status and prints the text
says() {
	text=$1
	wanted=$2
	shift 2
	said=$("$@" 2>&1)
	status=$?
	case $said in
	*"$text"*) [ $status = "$wanted" ] && return ;;
	esac
	echo "$*: status $status, says: $said"
	return 1
}

# stat_of FILE KEY - prints a number of a file of lines "key: value" or "key=value"
stat_of() {
	sed -n "s/^[[:space:]]*$2[[:space:]]*[:=][[:space:]]*\([0-9]*\).*/\1/p" "$1"
}

# uuid_of DIR
uuid_of() {
	sed -n 's/^uuid=//p' "$1/trace_info"
}

# balanced FILE - the counters in the stats of a CPU must add up
balanced() {
	for key in reserved committed discarded open read overwritten remaining; do
		value=$(stat_of "$1" "$key")
		if [ -z "$value" ]; then
			echo "$1 has no counter '$key'"
			return 1
		fi
		eval "$key=$value"
	done
	# Set by the loop above.
	if [ "$reserved" != $((committed + discarded + open)) ] ||
	   [ "$committed" != $((read + overwritten + remaining)) ]; then
		echo "$1 does not balance:"
		cat "$1"
		return 1
	fi
}

# sum KEY DIR - prints the sum of a counter over all CPUs
sum() {
	total=0
	for stats in "$2"/per_cpu/cpu*/stats; do
		total=$((total + $(stat_of "$stats" "$1")))
	done
	echo $total
}

# begin EVENT... - nothing is in the ring, and these are recorded from now on
begin() {
	echo 0 >$tring/tracing_on
	: >$tring/trace
	: >$tring/set_event
	for event; do
		echo "$event" >>$tring/set_event || return 1
	done
	echo 1 >$tring/tracing_on
}

# make_event_by_perf - $by_perf is an event without a probe, of each task that opens a file. Where
# there are no kprobes tring is built in, and lacks the types for a probe of the other.
make_event_by_perf() {
	by_perf=kmem:rss_stat
	[ -e $tracefs/kprobe_events ] || return 0
	by_perf=kprobes:tring_opens
	echo 'p:tring_opens do_sys_openat2' >>$tracefs/kprobe_events
}

remove_event_by_perf() {
	[ ! -e $tracefs/kprobe_events ] || echo '-:tring_opens' >>$tracefs/kprobe_events
}

# end - what was recorded since goes to /tmp/lines, as text
end() {
	echo 0 >$tring/tracing_on
	tring peek >/tmp/lines
	: >$tring/set_event
}

# both FILE COMMAND - the shell command, in which $file is FILE in either directory and $dir the
# directory, ends in the same way in both, and $shows prints the same of the files then
shows="cat"
both() {
	for dir in $tracefs $tring; do
		file=$dir/$1
		said=$(eval "$2" 2>&1)
		# without the name of the file
		echo "$? ${said##*: }" >"/tmp/${dir##*/}"
		$shows "$file" >>"/tmp/${dir##*/}"
	done
	diff /tmp/tracing /tmp/tring
}

# both_each FILE COMMAND - as both, with COMMAND in front of each line of stdin
both_each() {
	while IFS= read -r line; do
		both "$1" "$2 $line" || { echo "$1: $line"; return 1; }
	done
}

# option_is_ftraces FILE - it takes what ftrace's takes
option_is_ftraces() {
	printf "'%s' >\$file\n" 1 0 2 on -1 '' | both_each "$1" echo
}

# kill_task PID - SIGKILL, and waits for its end
kill_task() {
	kill -KILL "$1"
	wait "$1"
}

# killed_when CONDITION COMMAND... - COMMAND is killed when the shell command CONDITION succeeds
killed_when() {
	condition=$1
	shift
	"$@" &
	recorder=$!
	wait_until eval "$condition" || return 1
	kill_task $recorder
	true
}

# write_markers DIR WORD - tasks write numbered markers to the ring from now on
write_markers() {
	/guest/numbered-markers "$1/trace_marker" "$2" >"/tmp/${1##*/}.said" 2>&1 &
	wait_until grep -q 'markers are being written' "/tmp/${1##*/}.said"
}

# events_in FILE - prints the number of events in a file of whole packets
events_in() {
	tring dump "$1" >/tmp/dumped && grep '^  record at' /tmp/dumped | grep -vc 'discarded, '
}

# more_than KEY DIR NUMBER - the sum of a counter is greater than NUMBER
more_than() {
	[ "$(sum "$1" "$2")" -gt "$3" ]
}

# all_balanced DIR - the counters of each CPU must add up
all_balanced() {
	for stats in "$1"/per_cpu/cpu*/stats; do
		balanced "$stats" || return 1
	done
}

# in_full - the tests that do not depend on the kernel run as well
in_full() {
	[ -z "${ONLY_KERNEL-}" ]
}

# run_part NAME - runs another script, which ends with 0 when it has run to its end
run_part() {
	"/guest/$1.sh" || fail "$1.sh: status $?"
}

# settings DIR - prints what recorders and tring start may change
settings() {
	for file in tracing_on set_event set_event_pid set_event_notrace_pid set_event_cgroup \
			options/event-fork buffer_size_kb trace_clock options/overwrite \
			buffer_percent tracing_cpumask syscall_user_buf_size \
			current_tracer set_ftrace_filter set_ftrace_notrace \
			events/sched/sched_switch/filter \
			events/sched/sched_waking/filter events/signal/signal_generate/trigger \
			events/task/task_rename/trigger; do
		[ ! -e "$1/$file" ] || echo "$file: $(cat "$1/$file")"
	done
	cat $tracefs/kprobe_events 2>/dev/null
}

# lost_in FILE - prints how many events are lost, by the lines of tring report
lost_in() {
	sed -n 's/.*\[LOST \([0-9]*\) EVENTS\].*/\1/p' "$1" | awk '{ n += $1 } END { print n + 0 }'
}

# tasks_of TRACE - prints the pids of the tasks that have events
tasks_of() {
	tring report "$1" | sed -n 's/^ *.*-\([0-9]*\) *\[[0-9]*\].*/\1/p' | sort -nu
}

# refuses_options STATUS TEXT OPTION... - tring record says so and changes nothing that settings()
# prints
refuses_options() {
	wanted=$1
	text=$2
	shift 2
	settings $tring >/tmp/before
	says "$text" "$wanted" tring record -q -o /tmp/refused "$@" &&
		settings $tring | cmp - /tmp/before && [ ! -e /tmp/refused/metadata ]
}

load_tring() {
	[ -n "${TRING_BUILT_IN-}" ] || insmod /guest/tring.ko
}

# need_tring - loads the module if the script runs alone; $loaded tells it to unload it. Recording
# is on then, and no event enabled
need_tring() {
	loaded=
	if [ ! -e $tring ]; then
		load_tring || { fail "insmod"; exit 1; }
		loaded=yes
	fi
	echo >$tring/set_event
	echo 1 >$tring/tracing_on
}

unload_tring() {
	[ -n "${TRING_BUILT_IN-}" ] || rmmod tring
}

# Prints the free memory, including the free pages on the lists of each CPU. The
# sum is steady, MemFree alone is not.
free_kb() {
	echo 3 >/proc/sys/vm/drop_caches
	echo $(($(sed -n 's/^MemFree: *\([0-9]*\).*/\1/p' /proc/meminfo) +
		$(awk '$1 == "count:" { n += $2 } END { print n * 4 }' \
			/proc/zoneinfo)))
}

# repeat TIMES COMMAND...
repeat() {
	times=$1
	shift
	for _ in $(seq "$times"); do
		"$@" || return 1
	done
}

# leaks_nothing TIMES COMMAND... - repeats COMMAND, and all that again, until not even a page is
# lost each time. What leaks does so in each round; what the kernel keeps or frees late, it does
# not.
leaks_nothing() {
	for _ in $(seq 20); do
		found=$(free_kb)
		repeat "$@" || return 1
		left=$(free_kb)
		echo "$found KiB were free, $left KiB are"
		[ $((found - left)) -ge $((4 * $1)) ] || return 0
	done
	return 1
}

# Where busybox' entry point is in the file: its address, less that of the first segment.
main_offset() {
	printf '0x%x' $(($(od -A n -t u8 -j 24 -N 8 /bin/busybox) -
		$(od -A n -t u8 -j 80 -N 8 /bin/busybox)))
}
