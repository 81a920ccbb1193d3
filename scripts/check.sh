#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# check.sh [NAME...] - runs the groups of tests that are named. A NAME is a group, the
# beginning of some of the gate's up to a "-", or a set: "gate", the default, is "make check",
# "debug" is "make check-debug", "all" is "make check-all". As many groups of the gate run side
# by side as there are cores. The last line is "N passed, N failed, N skipped", also after an
# interruption; the exit status is 0 only if all tests have run and none has failed.
#
# "--group NAME=COMMAND" adds a group, for scripts/check/check-the-check.sh.

. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/check/judge.sh"

logs=$out/check
times=${TRING_TIMES:-$logs/times}
begin=$SECONDS finished=no

# group SET NAME NEEDS COMMAND... - a group of tests, which begins when those of NEEDS have ended
groups=()
declare -A set_of=() needs=() command=()
group() {
	groups+=("$2")
	set_of[$2]=$1 needs[$2]=$3 command[$2]=${*:4}
}

# They begin in this order: what others wait for, then the longest.
group gate build-kernel '' ./build.sh kernel
group gate build-reader '' ./build.sh reader
group gate build-6.1 '' ./build.sh 6.1
group gate reader '' ../build/build-reader.sh check
group gate whole-path-stock-2 'build-reader build-6.1' ./whole-path.sh stock-2
group gate whole-path-stock-1 'build-reader build-6.1' ./whole-path.sh stock-1
group gate build-6.12 '' ./build.sh 6.12
group gate whole-path-6.12 'build-reader build-6.12' ./whole-path.sh 6.12
group gate whole-path-built-in 'build-reader build-kernel' ./whole-path.sh built-in
group gate static '' ./static-checks.sh
group gate kunit-x86_64 build-kernel ./kunit.sh x86_64
group gate torture 'build-reader build-6.1' ../torture.sh -s 24
group gate blackbox 'build-reader build-6.1' ./blackbox.sh -n 1
group gate mutants-compile '' ../mutants.sh --check
group gate mutants-found mutants-compile ../mutants.sh --gate
group gate broken-off 'build-reader build-6.1' ./broken-off.sh
group gate explorer '' ./explorer.sh --steps 500
group gate rig 'kunit-x86_64 whole-path-stock-1' ./check-the-check.sh
group gate fuzz '' ./fuzz.sh --replay
group gate many-cpus 'build-reader build-6.1' ./whole-path.sh many-cpus
group gate cost 'build-reader build-6.1' ./cost.sh
group gate filter '' ./filter.sh
group gate litmus '' ./litmus.sh
group gate install 'build-reader build-6.1' ./install.sh
group gate page 'reader build-reader' ./page.sh

group debug kunit-arm64 '' ./kunit.sh arm64
group debug kunit-debug '' ./kunit.sh debug
group debug torture-debug '' ../torture.sh -s 60 -k debug
group debug held-debug '' ./whole-path.sh -n debug-held debug held-files
group debug sources-debug '' ./whole-path.sh -n debug-sources debug filters triggers stacks tasks \
	cgroups functions graph sources call-strings
group debug kunit-kcsan '' ./kunit.sh kcsan
group debug torture-kcsan '' ../torture.sh -s 60 -k kcsan

group all build-every-instruction '' ./build.sh every-instruction
group all build-suites '' ./build.sh suites
group all kunit-um '' ./kunit.sh um
group all whole-path-6.12-all 'build-reader build-6.12' ./whole-path.sh -n 6.12-all 6.12 --all
group all whole-path-built-in-all 'build-reader build-kernel' \
	./whole-path.sh -n built-in-all built-in --all
group all read-anytime '' env TRING_EACH_STOP=1 TESTS=record_read_anytime \
	../build/build-reader.sh check
group all reader-threads '' ../build/build-reader.sh threads
group all whole-path-rt build-reader ./whole-path.sh rt
group all hung-cpu 'build-reader build-6.1' ./whole-path.sh -n hung-cpu stock hung-cpu
group all top-tables 'build-reader build-6.1' \
	env TRING_SYSTEMS=all ./whole-path.sh -n top-tables stock-1 top-tables
group all mutants-all '' ../mutants.sh
group all explorer-long '' ./explorer.sh --steps 20000
group all filter-long '' ./filter.sh 1000000
group all every-instruction '' ./every-instruction.sh
group all fuzz-long '' ./fuzz.sh -s 600
group all torture-self-test '' ../torture.sh --self-test
group all torture-long '' ../torture.sh -s 600
group all broken-off-long '' ./broken-off.sh -k 200 -f 50 -e 20
group all blackbox-long '' ./blackbox.sh -n 20
group all filters-beside 'build-reader build-6.1' \
	./whole-path.sh -n filters-beside stock filters-beside
group all isolated-cpu 'build-reader build-6.1' ./whole-path.sh isolated-cpu
group all compare-plans '' ./compare-plans.sh
group all kdump '' ./kdump.sh
group all page-long 'reader build-reader' ./page.sh --all
group all nvdimm '' ./nvdimm.sh
group all kernels '' ./kernels.sh

# add_name NAME - adds the group, behind those that it needs
names=()
add_name() {
	local need

	for need in ${needs[$1]}; do
		add_name "$need"
	done
	[[ " ${names[*]} " = *" $1 "* ]] || names+=("$1")
}

# choose NAME - adds the groups that NAME stands for. Those outside of the gate share folders with
# its groups and with each other, so that with them one group runs after the other.
lanes=$jobs packages=check
choose() {
	local name found=no

	for name in "${groups[@]}"; do
		[[ $name = "$1" || ${set_of[$name]} = "$1" || $1 = all ||
			${set_of[$name]}-$name = gate-$1-* ]] || continue
		found=yes
		[ "${set_of[$name]}" = gate ] || lanes=1 packages=check-all
		add_name "$name"
	done
	[ "$found" = yes ] || die "no group '$1'; there are: ${groups[*]}"
}

own=no
while [ $# -gt 0 ]; do
	case $1 in
	--group)
		own=yes
		group own "${2%%=*}" '' "${2#*=}"
		choose "${2%%=*}"
		shift
		;;
	*) choose "$1" ;;
	esac
	shift
done
[ ${#names[@]} -gt 0 ] || choose gate

# Names the failures again: a reader of the last lines alone must see what has failed.
print_total() {
	local log

	for log in "${failed_logs[@]}"; do
		say "failed: $log"
		print_failures "$log" 12
	done
	if [ "$finished" = no ]; then
		say "check: broken off"
		failed=$((failed + 1))
	fi
	say "$passed passed, $failed failed, $skipped skipped"
}
on_exit+=(print_total)

# A group is running while it has a process, and has ended when it has its seconds.
declare -A process=() started=() seconds=()

# may_start NAME - it is waiting, and nothing that it needs is
may_start() {
	local need

	[[ -z ${process[$1]-}${seconds[$1]-} ]] || return 1
	for need in ${needs[$1]}; do
		[ -n "${seconds[$need]-}" ] || return 1
	done
}

start_groups() {
	local name

	for name in "${names[@]}"; do
		[ ${#process[@]} -lt "$lanes" ] || return 0
		may_start "$name" || continue
		# A process group of its own, so that its children can be stopped, too.
		set -o monitor
		# Its shell outlives what is killed, of which bash would forget the status.
		(cd "$top/scripts/check" || exit
			TRING_TIMES=$times TRING_GROUP=$name bash -c "${command[$name]}" || exit
		) >"$logs/$name.log" 2>&1 </dev/null &
		set +o monitor
		process[$name]=$! started[$name]=$SECONDS
		children+=("-$!")
	done
}

end_group() {
	local status=0

	wait "${process[$1]}" || status=$?
	forget_child "-${process[$1]}"
	unset "process[$1]"
	seconds[$1]=$((SECONDS - started[$1]))
	add_group "$1" "$logs/$1.log" "$status"
}

# Waits until a group has ended, or some time has passed; then tells how far they are.
clock=''
await_group() {
	local name line=''

	if [ -z "$clock" ]; then
		sleep 30 & # time: how often the progress is shown
		clock=$!
		children+=("$clock")
	fi
	wait -n || :
	for name in "${!process[@]}"; do
		if kill -0 "${process[$name]}" 2>/dev/null; then
			line+=", $name $((SECONDS - started[$name])) s"
		else
			end_group "$name"
		fi
	done
	if ! kill -0 "$clock" 2>/dev/null; then
		forget_child "$clock"
		clock=''
		say "$((SECONDS - begin)) s: ${line#, }"
	fi
}

mkdir -p "$logs"
if [ "$own" = no ]; then
	lock_cache
	"$top/scripts/build/install-deps.sh" "$packages"
	rm -f "$times"
fi
touch "$times"
while start_groups && [ ${#process[@]} -gt 0 ]; do
	await_group
done
finished=yes

say "Seconds of each group:"
for name in "${names[@]}"; do
	say "${seconds[$name]} $name"
done | sort -rn
say "Seconds of the ten slowest tests:"
sort -rn "$times" | sed -n 1,10p
say "all groups took $((SECONDS - begin)) s; logs are in $out"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
