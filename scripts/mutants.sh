#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# mutants.sh [--check | --gate | NAME...] - do the tests find faults? Applies each of the
# seeded faults of kunit-tests/mutants/mutants.txt, or those named, to a copy of the
# sources, and runs the test there that the list names for it. A fault that this test does
# not find has failed; the message says what finds it instead: all of the explorer, with
# sanitizers too, or all of KUnit under UML.
#
#   --check	only apply and compile each fault
#   --gate	only the faults that are marked in the list: one for each C file of the ring
#		that the explorer runs, and for two headers
#
# The last line is "mutants: N passed, N failed, N skipped", where passed means found.

. "$(dirname "$0")/lib.sh"

list=$top/kunit-tests/mutants/mutants.txt
apply=$top/kunit-tests/mutants/apply-mutant.py
work=$cache/mutants
logs=$out/mutants

does_not_compile() {
	say "it does not compile: $(grep -a -m 1 'error:' "$log")"
	return 2
}

# explorer ARGUMENT... - prints what it finds. 1: nothing; 2: the fault does not compile
explorer() {
	local status=0 finding

	"$top/scripts/check/explorer.sh" --source "$tree" "$@" >"$log" 2>&1 || status=$?
	[ "$status" != 2 ] || does_not_compile || return
	finding=$(sed -n 's/.*killed by: *//p' "$log" | tail -n 1 | cut -c1-120)
	[ -n "$finding" ] || return 1
	say "explorer: $finding"
}

# kunit [FILTER] - as explorer; all faults share one kernel
kunit() {
	local finding log=$log dir=$logs/$name.kunit

	rm -rf "$dir"
	exec 7>"$work/kunit.lock"
	flock 7
	# CPU time ends a kernel that loops; it says nothing of how busy the machine is.
	! (ulimit -t 300 && TRING_LOGS=$dir "$tree/scripts/check/kunit.sh" um "$@") >"$log" 2>&1 ||
		return 1
	exec 7>&-
	[ -f "$dir/run.log" ] || log=$dir/build.log does_not_compile || return
	finding=$(grep -aoE -m 1 '\[(FAILED|CRASHED)\] [a-z_0-9]+' "$dir/run.log") || return 1
	say "KUnit: $finding"
}

# find_it - with the test that is meant; if it finds nothing, says what does
find_it() {
	local status=0 instead

	case $kind in
	# No fault relies on what a random schedule hits.
	explorer) explorer --seed 0 --config "$test" || status=$? ;;
	kunit) kunit "$test" || status=$? ;;
	esac
	if [ "$status" = 1 ]; then
		instead=$(explorer --quick || explorer --sanitized --quick --steps 500 || kunit) ||
			instead="no test"
		say "found by $instead instead of $kind $test"
	fi
	return "$status"
}

# compiles - the C files that the fault changes, or one that includes its header
compiles() {
	local file check

	read -ra check <"$tree.compiler"
	for file in "${files[@]/%*.h/kmod/ring/reserve.c}"; do
		if [[ $file == */clock.c ]]; then
			use_stock 6.1
			make -s -C "$kdir" M="$tree" CONFIG_TRING=m "${file%.c}.o" >"$log" 2>&1 ||
				does_not_compile || return
		else
			"${check[@]}" "$tree/$file" >"$log" 2>&1 || does_not_compile || return
		fi
	done
}

# mutants.sh --one find_it|compiles NAME KIND TEST FILE... - one fault, in a lane's tree
if [ "${1-}" = --one ]; then
	name=$3 kind=$4 test=$5 files=("${@:6}") tree=$work/$LANE log=$logs/$3.log result="not ok"
	if ! "$apply" "$list" "$name" "$tree" >"$log" 2>&1; then
		text="it does not fit the source: $(tail -n 1 "$log")"
	elif text=$($2); then
		result=ok
	fi
	for file in "${files[@]}"; do
		cp "$top/$file" "$tree/$file"
	done
	say "$result - $name${text:+: $text}"
	exit 0
fi

task=find_it pattern=' '
mkdir -p "$work" "$logs"
lock_cache
case ${1-} in
--check) task=compiles ;;
--gate) pattern='^gate ' ;;
?*) pattern=" ($(IFS='|' && say "$*")) (explorer|kunit) " ;;
esac
"$apply" "$list" | sed -nE "/$pattern/s/^[^ ]* //p" >"$work/faults"
total=$(wc -l <"$work/faults")
[[ ${1---} == --* && $total != 0 ]] || [ "$total" = $# ] || die "not all are in $list: $*"
for lane in kunit $(seq 0 "$((jobs - 1))"); do
	graft_sources "$work/$lane" Kbuild Kconfig Makefile kmod uapi kunit-tests \
		userspace-reader scripts
	"$top/scripts/check/explorer.sh" --source "$work/$lane" --compiler >"$work/$lane.compiler"
done

export LANE=kunit
{
	if [ "$task" = find_it ]; then
		grep ' kunit ' "$work/faults" >"$work/for-kunit" || :
		sed -i '/ kunit /d' "$work/faults"
		xargs -r -L 1 "$0" --one find_it <"$work/for-kunit" &
	fi
	TRING_JOBS=1 xargs -r -L 1 -P "$jobs" --process-slot-var=LANE "$0" --one "$task" \
		<"$work/faults"
	wait
} | tee "$work/results"
passed=$(grep -c '^ok - ' "$work/results") || :
say "$total faults took $SECONDS s"
say "mutants: $passed passed, $((total - passed)) failed, 0 skipped"
[ "$passed" = "$total" ]
