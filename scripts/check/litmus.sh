#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Memory ordering across CPUs: runs the litmus tests of kunit-tests/litmus, each
# with its weakened variants, in spin on two models of a machine; see the README
# there. Before, the models must judge classical tests and the kernel's tests right.
# Every TB() label of kmod must have a test, and every label of a test must be in
# kmod.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

tests=$top/kunit-tests/litmus tested=litmus
work=$cache/litmus
# Python writes nothing into the checkout.
export PYTHONDONTWRITEBYTECODE=1

exec 9>"$cache/litmus.lock"
flock 9
mkdir -p "$work"

# report STATUS TEXT
report() {
	case $1 in
	ok) passed=$((passed + 1)) ;;
	skip) skipped=$((skipped + 1)) ;;
	*) failed=$((failed + 1)) ;;
	esac
	say "${1/skip/ok} - $2"
}

# explore MODEL NAME FILE... - all final states of the tests, and the verdicts
# on them, in $work/NAME-MODEL.verdicts: name, expected, found, bad states, all
explore() {
	local model=$1 name=$2 dir=$work/$2-$1 status=0

	shift 2
	rm -rf "$dir" "$dir.verdicts"
	mkdir -p "$dir"
	(
		cd "$dir"
		"$top/kunit-tests/litmus/litmus-to-promela.py" "$model" "$@" >model.pml
		spin -a model.pml
		cc -w -O0 -DSAFETY -DNOREDUCE -o verifier pan.c
		./verifier -E -m100000 >states
	) >"$dir/log" 2>&1 || status=$?
	# A search that did not end proves nothing.
	if [ "$status" != 0 ] || ! grep -q 'errors: 0$' "$dir/states" ||
	   grep -qE 'Search not completed|too small|truncated' "$dir/states"; then
		tail -n 5 "$dir/log" | sed 's/^/    /'
		report "not ok" "$model: the verifier of $name runs to its end, see $dir"
		return
	fi
	"$top/kunit-tests/litmus/litmus-to-promela.py" "$model" "$@" \
		--judge "$dir/states" >"$dir.verdicts"
}

# judge_verdicts MODEL NAME
judge_verdicts() {
	local model=$1 verdicts=$work/$2-$1.verdicts test expected found bad all

	[ -s "$verdicts" ] || return 0
	while IFS=$'\t' read -r test expected found bad all; do
		if [ "$test" = skip ]; then
			report skip "$model: $expected # SKIP not modelled: $found"
		elif [ "$expected" = "$found" ]; then
			report ok "$model: $test: $found ($bad of $all final states are bad)"
		elif [ "$expected" != any ]; then
			report "not ok" "$model: $test: $found instead of $expected"
		fi
	done <"$verdicts"
}

# compare_with_axioms MODEL NAME FILE... - the same tests judged by axioms
compare_with_axioms() {
	local model=$1 name=$2 dir=$work/$2-$1 test count verdict

	shift 2
	[ -s "$dir.verdicts" ] || return 0
	if ! "$top/kunit-tests/litmus/litmus-axioms.py" "$model" "$dir/states" "$@" \
			>"$dir.axioms" 2>"$dir/log"; then
		tail -n 5 "$dir/log" | sed 's/^/    /'
		report "not ok" "$model: the axioms of $name can be checked"
		return
	fi
	while IFS=$'\t' read -r test count verdict; do
		if [ "$verdict" = same ]; then
			report ok "$model: $test: the axioms allow the same $count final states"
		else
			report "not ok" "$model: $test: the axioms allow the same: $verdict"
		fi
	done <"$dir.axioms"
}

# The kernel's tests state results for its own model, which covers all architectures.
# "Never" holds on each architecture, "Sometimes" need not. These three are possible
# only where stores reach some CPUs before others, or where a lock is seen taken
# after the accesses that it protects; see the README.
not_here=(
	Z6.0+pooncelock+pooncelock+pombonce
	Z6.0+pooncerelease+poacquirerelease+fencembonceonce
	MP+polockonce+poacquiresilsil
)

adapt_verdicts() {
	local model=$1 verdicts=$work/kernel-$1.verdicts test

	[ -s "$verdicts" ] || return 0
	if [ "$model" = tso ]; then
		sed -i 's/\tSometimes\t/\tany\t/' "$verdicts"
		return
	fi
	for test in "${not_here[@]}"; do
		sed -i "s/^$test\tSometimes\t/$test\tNever\t/" "$verdicts"
	done
}

# Compares the labels at barriers, in the barrier table and of tests.
check_labels() {
	local label named placed table variants

	variants=$(cut -f 1,3 "$work"/ring-tso.verdicts "$work"/ring-weak.verdicts) || {
		report "not ok" "the variants of the labels were run"
		return
	}
	named=$(sed -n 's/^ \* Labels: //p' "$tests"/*.litmus | tr ' ' '\n')
	# A barrier's own label begins a comment; the label of its pair does not.
	placed=$(cd "$top" && list_sources kmod | grep '\.[ch]$' | xargs \
		grep -ohE '(/\*|^[[:space:]]*\*) TB\([a-z_]+:[A-Z]\)' | label_names)
	table=$(grep '^| TB(' "$top/docs/design.md" | label_names)
	while read -r label; do
		if ! grep -qx "$label" <<<"$placed"; then
			report "not ok" "TB($label) stands at a barrier in kmod"
		elif ! grep -qx "$label" <<<"$table"; then
			report "not ok" "TB($label) is in the barrier table of docs/design.md"
		elif ! grep -qx "$label" <<<"$named"; then
			report "not ok" "TB($label) has a litmus test"
		elif ! grep -q "+.*$label" <<<"$variants"; then
			report "not ok" "TB($label) has a weakened variant"
		elif grep -q "+.*$label.*Sometimes" <<<"$variants"; then
			report ok "TB($label) has a test, and is needed"
		else
			report ok "TB($label) has a test; across CPUs it is not needed"
		fi
	done < <(printf '%s\n' "$named" "$placed" "$table" | sort -u)
}

label_names() {
	grep -oE 'TB\([a-z_]+:[A-Z]\)' | sed 's/TB(\(.*\))/\1/'
}

for tool in spin cc python3; do
	command -v "$tool" >/dev/null || die "no $tool: run scripts/build/install-deps.sh"
done

kernel_tests=$("$top/scripts/build/shadow-tree.sh")/tools/memory-model/litmus-tests
for model in tso weak; do
	explore "$model" classic "$tests"/classic/*.litmus
	judge_verdicts "$model" classic
	compare_with_axioms "$model" classic "$tests"/classic/*.litmus
	explore "$model" kernel "$kernel_tests"/*.litmus
	adapt_verdicts "$model"
	judge_verdicts "$model" kernel
	explore "$model" ring "$tests"/*.litmus
	judge_verdicts "$model" ring
	compare_with_axioms "$model" ring "$tests"/*.litmus
done
check_labels

count_tests
