# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced behind lib.sh by scripts that run tests: each test is a command, and the last line of
# the script is "NAME: N passed, N failed, N skipped".

passed=0 failed=0 skipped=0
# Logs of groups with failed tests
failed_logs=()

# begin_tests NAME [FOLDER] - takes the cache, and sets $logs: FOLDER or out/NAME
begin_tests() {
	tested=$1 logs=${2-$out/$1}
	mkdir -p "$logs"
	lock_cache
}

# needed COMMAND... - runs what the tests need. The script has failed, and ends, if it fails
needed() {
	"$@" && return
	failed=$((failed + 1))
	count_tests
}

# judge NAME COMMAND... - runs a test, and prints its output if it fails. COMMAND may be a function,
# which sees judge's variables: no script has others of these names.
judge() {
	local judged=$1 judged_log judged_since=$SECONDS

	shift
	judged_log=$logs/$(printf '%s' "$judged" | tr -c 'A-Za-z0-9.\n' '-').log
	if "$@" >"$judged_log" 2>&1; then
		passed=$((passed + 1))
		say "ok - $judged"
	else
		failed=$((failed + 1))
		say "not ok - $judged, see $judged_log"
		grep -aE 'error|warning|ERROR|WARNING|CHECK' "$judged_log" |
			head -n 20 | sed 's/^/    /' || :
		tail -n 30 "$judged_log" | sed 's/^/    /'
	fi
	note_time $((SECONDS - judged_since)) "$judged"
}

# note_time SECONDS NAME - check.sh prints the slowest tests of its groups
note_time() {
	[ -z "${TRING_TIMES-}" ] || say "$1 ${TRING_GROUP-}: $2" >>"$TRING_TIMES"
}

# add_tests FILE - adds the tests that the guest has run, a line each; FILE may not exist
add_tests() {
	local line

	while read -r line; do
		case $line in
		"ok - "*) passed=$((passed + 1)) ;;
		"not ok - "*)
			failed=$((failed + 1))
			say "$line"
			;;
		"skip - "*)
			skipped=$((skipped + 1))
			say "$line"
			;;
		esac
	done < <(cat "$1" 2>/dev/null || :)
}

# judge_guest STATUS FILE - judges whether qemu-run.sh has ended with STATUS 0 and the
# guest's script has got to its end, and adds the tests of FILE
judge_guest() {
	judge "the guest has run to its end" \
		test "$1:$(tail -n 1 "$2" 2>/dev/null)" = 0:end
	add_tests "$2"
}

# print_failures LOG N - prints the first N lines of LOG that tell of failed tests, with what a
# failed test has printed: it is indented
print_failures() {
	LC_ALL=C awk '
		/^ *(not ok|FAIL|# fault)/ || /FAILED|rror:/ { print "    " $0; told = 1; next }
		told && /^    / { print "    " $0; next }
		{ told = 0 }' "$1" | head -n "$2" || :
}

# add_group NAME LOG STATUS - adds the tests of a group, which has ended with STATUS; sets
# $counted, the line about them. A group is a command whose last line counts its tests in these
# words. A group counts as a failed test if it prints no such line, if no test of it has passed,
# or if its exit status is not 0 although no test has failed.
add_group() {
	local name=$1 log=$2 status=$3 line p=0 f=0 s=0

	line=$(grep -aoE '[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "$log" |
		tail -n 1) || :
	if [ -n "$line" ]; then
		read -r p _ f _ s _ <<<"$line"
	fi
	if [ -z "$line" ] || { [ "$f" = 0 ] &&
			{ [ "$status" != 0 ] || [ "$p" = 0 ]; }; }; then
		f=$((f + 1))
	fi
	if [ "$f" != 0 ]; then
		failed_logs+=("$log")
		print_failures "$log" 30
		tail -n 15 "$log" | sed 's/^/    /'
	fi
	passed=$((passed + p))
	failed=$((failed + f))
	skipped=$((skipped + s))
	counted="$p passed, $f failed, $s skipped"
	say "$name: $counted ($log)"
}

# run_group NAME COMMAND... - runs a group of tests, and adds them
run_group() {
	local log=$logs/$1.log status=0

	with_progress "$1" "$log" "${@:2}" || status=$?
	add_group "$1" "$log" "$status"
}

# count_tests - prints the last line, and ends the script
count_tests() {
	say "$tested: $passed passed, $failed failed, $skipped skipped"
	[ "$failed" = 0 ]
	exit
}
