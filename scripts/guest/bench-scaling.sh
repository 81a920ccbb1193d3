#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guest of scripts/bench/scaling.sh: measures writers in the kernel on
# several CPUs at once, and threads that write to trace_marker. Writes a line for
# each figure to /results/scaling.txt.
#
#   MODE     name of the way in which the CPUs run, for the results
#   WRITERS  numbers of CPUs that write at once; may be empty
#   THREADS  numbers of threads; may be empty
#   LENGTHS  lengths of texts that two threads write; may be empty
#   MASK     CPUs that the threads may use, a mask for taskset
#   ROUNDS   number of rounds, in which the tracers take turns
#   MS       time in milliseconds for which the threads write
#   CORES    number of the host's CPUs

. /bench/bench-lib.sh
. /guest/lib.sh

out=/results/scaling.txt

insmod /bench/tring.ko || exit 1
load_bench || exit 1
for ring in $tring $tracefs; do
	echo mono >$ring/trace_clock
	echo 1024 >$ring/buffer_size_kb
	echo 1 >$ring/tracing_on
done

# threads TRACER THREADS ROUND LENGTH - threads write into an empty ring of TRACER
threads() {
	case $1 in
	tring)
		dir=$tring
		for pipe in "$tring"/per_cpu/cpu*/trace_pipe_raw_compact; do
			/usr/bin/dd if="$pipe" of=/dev/null bs=1M iflag=nonblock 2>/dev/null
		done
		;;
	ftrace)
		dir=$tracefs
		echo >$tracefs/trace
		;;
	null) dir=/dev/null ;;
	esac
	if ! said=$(taskset "$MASK" /bench/marker-threads -n "$4" "$1" $dir "$2" "$MS"); then
		echo "failed: $1 with $2 threads: $said"
		exit 1
	fi
	echo "marker mode=$MODE clock=mono round=$3 $said" | tee -a $out
}

for round in $(seq "$ROUNDS"); do
	for cpus in $WRITERS; do
		for clock in tsc mono; do
			measure scale $clock "$cpus"
		done
	done
	for number in $THREADS; do
		for tracer in tring ftrace null; do
			threads $tracer "$number" "$round" 32
		done
	done
	for bytes in $LENGTHS; do
		for tracer in tring ftrace null; do
			threads $tracer 2 "$round" "$bytes"
		done
	done
done
sed "s/^scale /&mode=$MODE cores=$CORES /" $bench/results | tee -a $out
