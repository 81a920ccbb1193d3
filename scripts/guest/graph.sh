#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of the tracer function_graph: begins and ends of functions as ftrace records them, and
# functions, modules and tring that go while calls are open. whole-path.sh reads the trace with
# babeltrace2.

. /guest/lib.sh

ring=$tring/instances/graph
caller=/guest/calls.sh
functions="vfs_read ksys_read vfs_write ksys_write rw_verify_area"

no_functions() {
	! echo function_graph >$ring/current_tracer || return 1
	[ "$(cat $ring/current_tracer)" = nop ] &&
		dmesg | grep -q "tring: function_graph: set_graph_function has to name"
}

names_only() {
	for word in 'vfs_*' 'vfs_rea?' '!vfs_read' no_such_function; do
		! echo "$word" >$ring/set_graph_function || return 1
	done
	echo $functions >$ring/set_graph_function || return 1
	[ "$(tr '\n' ' ' <$ring/set_graph_function)" = "$functions " ] || return 1
	echo function_graph >$ring/current_tracer || return 1
	[ "$(cat $ring/current_tracer)" = function_graph ] || return 1
	# Its kretprobes have the names. The shell does not tell what close() says.
	echo vfs_open >$ring/set_graph_function
	[ "$(tr '\n' ' ' <$ring/set_graph_function)" = "$functions " ] || return 1
	# Nothing that was refused is tried again where the log alone could tell.
	! dmesg | grep -q 'tring: set_graph_function: ' || return 1
	echo function >$ring/current_tracer || return 1
	echo nop >$ring/current_tracer
}

# begins - prints "DEPTH FUNCTION" of the begins in a graph, in ftrace's columns or tring's
begins() {
	sed -n -e 's/^.*|  \( *\)\([a-z_0-9]*\)() {$/\1:\2/p' \
		-e 's/^.*|  \( *\)\([a-z_0-9]*\)();$/\1:\2/p' |
		awk -F: '{ print length($1) / 2, $2 }'
}

# Both record the same task, one after the other. A function that is named twice is recorded once.
as_ftrace() {
	$caller
	echo $functions >$tracefs/set_ftrace_filter || return 1
	echo 4096 >$tracefs/buffer_size_kb
	echo function_graph >$tracefs/current_tracer || return 1
	echo 1 >$tracefs/options/funcgraph-proc
	echo >$tracefs/trace
	sh -c "$caller; true"
	echo 0 >$tracefs/tracing_on
	grep -- "-$(cat /tmp/task.pid) " $tracefs/trace | begins >/tmp/ftrace.begins
	echo nop >$tracefs/current_tracer
	echo >$tracefs/set_ftrace_filter
	echo 1 >$tracefs/tracing_on
	tring record -q -B graph -p function_graph -g "$(echo $functions vfs_read | tr ' ' ,)" \
		-o /results/graph -- sh -c "$caller; true" || return 1
	tring report /results/graph >/results/graph.txt 2>/tmp/said || return 1
	cat /tmp/said
	grep -- "-$(cat /tmp/task.pid) " /results/graph.txt >/tmp/tring.graph
	begins </tmp/tring.graph >/tmp/tring.begins
	head -n 6 /tmp/tring.graph
	wc -l /tmp/ftrace.begins /tmp/tring.begins
	[ "$(wc -l </tmp/tring.begins)" -ge 200 ] && [ ! -s /tmp/said ] &&
		cmp /tmp/ftrace.begins /tmp/tring.begins
}

# Each begin of the task has its end, of the same function and depth, and with a duration.
ends_fit() {
	duration=' *\([0-9.]*\) *\(us\)\? *'
	place='\( *\)\(} ..\)\? *\([a-z_0-9]*\)'
	sed -n "s/^.* funcgraph_\([a-z]*\):$duration|  $place.*\$/\1:\2:\4:\6/p" \
		/tmp/tring.graph | awk -F: '
		$1 == "entry" { name[depth++] = length($3) " " $4; next }
		{
			if (!depth || name[--depth] != length($3) " " $4 || $2 !~ /^[0-9.]+$/)
				wrong = 1
			n++
		}
		END { print n " ends, " depth " open"; exit wrong || depth || n < 200 }'
}

globs_and_depth() {
	tring record -q -B graph -p function_graph -g 'ksys_*,vfs_read' --max-graph-depth 1 \
		-o /tmp/flat -- $caller || return 1
	[ "$(cat $ring/max_graph_depth)" = 0 ] || return 1
	tring report /tmp/flat >/tmp/flat.txt || return 1
	grep -q '|  ksys_read() {' /tmp/flat.txt && ! grep -q '|   ' /tmp/flat.txt
}

module_goes() {
	load_jbd2 || return 1
	echo jbd2_journal_init_inode >$ring/set_graph_function || return 1
	echo function_graph >$ring/current_tracer || return 1
	rmmod jbd2 || return 1
	echo nop >$ring/current_tracer || return 1
	insmod "$jbd2"
}

# A call is open when its function is not recorded any more.
open_call() {
	mkfifo /tmp/fifo
	cat /tmp/fifo >/tmp/got &
	reader=$!
	exec 8>/tmp/fifo
	echo "vfs_read ksys_read" >$ring/set_graph_function
	echo 0 >$ring/trace
	echo function_graph >$ring/current_tracer || return 1
	echo first >&8
	wait_until grep -q first /tmp/got || return 1
	wait_until waits_in $reader /tmp/fifo || return 1
	"$@" || return 1
	echo second >&8
	exec 8>&-
	wait $reader || return 1
	rm /tmp/fifo
	grep -q second /tmp/got
}

stop_graph() {
	echo nop >$ring/current_tracer
}

need_tring
if ! grep -q function_graph $tring/available_tracers 2>/dev/null; then
	skip "graph: this kernel has no function_graph"
	exit 0
fi

mkdir $ring || fail "mkdir $ring"
check "function_graph: refused without functions" no_functions
refuses "Invalid argument" "echo many >$ring/max_graph_depth"
check "function_graph: begins are ftrace's, in order, with their depth" as_ftrace
check "function_graph: each begin has its end" ends_fit
if in_full; then
	check "function_graph: set_graph_function takes names" names_only
	check "function_graph: globs and a depth" globs_and_depth
fi
check_with_module "function_graph: a module goes with its function" module_goes
check "function_graph: a call is open at the end" open_call stop_graph
check "function_graph: a call is open at rmdir" open_call rmdir $ring
if [ -n "$loaded" ]; then
	ring=$tring
	check "function_graph: a call is open at rmmod" open_call unload_tring
fi
exit 0
