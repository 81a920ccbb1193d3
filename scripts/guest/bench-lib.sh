# SPDX-License-Identifier: GPL-2.0
#
# Sourced by the benchmark's scripts in the guest: loads and runs the benchmark,
# and enables an event in each of the tracers.

bench=/sys/kernel/debug/tring_bench
tracefs=/sys/kernel/tracing
tring=$tracefs/tring

load_bench() {
	address=$(awk '$3 == "ring_buffer_set_clock" { print "0x" $1 }' \
		/proc/kallsyms)
	if [ -z "$address" ]; then
		echo 'the kernel has no ring_buffer_set_clock'
		return 1
	fi
	insmod /bench/tring_bench.ko "set_clock_address=$address"
}

# lost DIR - prints the number of lost events of tring's ring or of ftrace's
lost() {
	if [ "$1" = $tring ]; then
		echo $(($(sum overwritten "$1") + $(sum refused_no_room "$1")))
	else
		echo $(($(sum overrun "$1") + $(sum 'dropped events' "$1")))
	fi
}

have_lttng() {
	[ -e /bench/tring_bench_lttng.ko ]
}

# measure COMMAND... - runs a command of the benchmark
measure() {
	if ! echo "$*" >$bench/run; then
		echo "failed: $*"
		exit 1
	fi
}

# ftrace_on SYSTEM:EVENT CLOCK - CLOCK is tring's name of the clock
ftrace_on() {
	case $2 in
	tsc) echo x86-tsc ;;
	*) echo "$2" ;;
	esac >$tracefs/trace_clock
	echo 1024 >$tracefs/buffer_size_kb
	echo >$tracefs/trace
	echo "$1" >$tracefs/set_event
}

ftrace_off() {
	echo >$tracefs/set_event
}

tring_on() {
	echo "$2" >$tring/trace_clock
	echo 1024 >$tring/buffer_size_kb
	echo 1 >$tring/tracing_on
	echo "$1" >$tring/set_event
}

tring_off() {
	echo >$tring/set_event
	echo 0 >$tring/tracing_on
}

# In the default configuration: a ring of 1 MiB that overwrites, without a reader.
# lttng_on OPTION... - with what "lttng enable-event" is to enable
lttng_on() {
	lttng create bench --snapshot &&
		lttng enable-channel -k -s bench --overwrite --subbuf-size 256k \
			--num-subbuf 4 channel &&
		lttng enable-event -k -s bench -c channel "$@" &&
		lttng start bench
}

lttng_off() {
	lttng destroy bench
}

# lttng_daemon PROBE,... - starts LTTng's daemon with these probe modules
lttng_daemon() {
	mkdir -p /var/run /root /dev/shm
	mount -t tmpfs tmpfs /dev/shm
	echo tracing:x:1000: >/etc/group
	HOME=/root
	export HOME
	lttng-sessiond --daemonize --kmod-probes="$1"
}
