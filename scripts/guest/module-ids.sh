#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Tests of events whose module goes: their records go with it, so that their ids can mean other
# events. Needs jbd2 as a module.

. /guest/lib.sh


# use_and_leave - enables and disables an event of jbd2 beside a marker
use_and_leave() {
	echo > $tring/trace
	echo "beside an event of jbd2" >$tring/trace_marker
	echo jbd2:jbd2_checkpoint >$tring/set_event || return 1
	before=$(uuid_of $tring)
	[ -n "$before" ] && ! rmmod jbd2 2>/dev/null || return 1
	echo >$tring/set_event
	[ "$(uuid_of $tring)" = "$before" ]
}

marker_is_there() {
	cat $tring/per_cpu/cpu*/trace_raw_compact | grep -q 'beside an event'
}

need_tring
load_jbd2

check "an event keeps its module while it is enabled" use_and_leave
check "rmmod of its module" rmmod jbd2
check "a new trace has begun" [ "$(uuid_of $tring)" != "$before" ]
check "nothing of the old trace is left" eval "! marker_is_there"
check "it counts as overwritten" [ "$(sum overwritten $tring)" -ge 1 ]
check "the log tells why" eval "dmesg | grep -q 'records of the module jbd2, which is gone'"
check "and the counters balance" all_balanced $tring

insmod "$jbd2"
check "the event can be enabled again" use_and_leave
exec 7<$tring/per_cpu/cpu0/trace_pipe_raw_compact
check "rmmod of its module while a reader is open" rmmod jbd2
check "the reader's trace goes on" [ "$(uuid_of $tring)" = "$before" ]
check "with its records" marker_is_there
exec 7<&-

insmod "$jbd2"
echo >$tring/trace
echo "beside an event of jbd2" >$tring/trace_marker
before=$(uuid_of $tring)
check "rmmod of a module without records" rmmod jbd2
check "the trace goes on without a new one" [ "$(uuid_of $tring)" = "$before" ]
check "and keeps its records" marker_is_there
insmod "$jbd2"
exit 0
