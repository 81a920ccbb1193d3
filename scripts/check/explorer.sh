#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# explorer.sh [--source DIR] [--quick] [--seconds N] [ARGUMENT...] - builds the C
# files of the ring in user space and runs them through as many interleavings of
# their steps as time allows; see kunit-tests/explorer/explorer.c.
#
#   --source DIR	take kmod/ from DIR, and uapi/ if DIR has one
#   --quick	stop at the first configuration that fails, and run neither the
#		sanitizers nor the seeded faults that must be found: for mutants
#   --sanitized	run with the sanitizers only, which are slower and find more
#   --seconds N	CPU time for all configurations together
#   ARGUMENT	passed to the explorer, as --replay TEXT or --config NAME
#
# The last line is "explorer: N passed, N failed, N skipped". After a failure a
# line says "killed by: CONFIGURATION: WHAT". Each full run shows, too, that the explorer
# finds some of the seeded faults of kunit-tests/mutants/; mutants.sh tries all of them.

. "$(dirname "$0")/../lib.sh"

source=$top quick=no sanitized=no seconds='' arguments=()
while [ $# -gt 0 ]; do
	case $1 in
	--source)
		source=$(cd "$2" && pwd -P)
		shift
		;;
	--quick)
		quick=yes
		;;
	--sanitized)
		sanitized=yes
		;;
	--seconds)
		seconds=$2
		shift
		;;
	*)
		arguments+=("$1")
		;;
	esac
	shift
done
ring=$source/kmod/ring
[ -f "$ring/reserve.c" ] || die "no kmod/ring/reserve.c in $source"
# All files of the ring except its clocks and its directory, which the explorer replaces.
mapfile -t ring_files < <(printf '%s\n' "$ring"/*.c | grep -vE '/(clock|directory)\.c$')
uapi=$source/uapi
[ -d "$uapi" ] || uapi=$top/uapi
explorer=$top/kunit-tests/explorer
parse=$top/userspace-reader/lib
compiler=${CC:-gcc}

# A folder for each source, so that two runs do not disturb each other. Objects are
# shared by content, so that a mutant compiles only the files that it changes.
build=$cache/explorer/$(printf '%s' "$source" | cksum | cut -d' ' -f1)
objects=$cache/explorer/objects
mkdir -p "$build" "$objects"
find "$objects" -name '*.o' -mmin +600 -delete
exec 8>"$build.lock"
flock 8

# Makes each kernel header that the ring includes, from the shim, except those that
# the C library has.
make_headers() {
	local header

	rm -rf "$build/include"
	grep -hoE '^#include <(linux|asm)/[^>]+>' "$ring"/*.h "${ring_files[@]}" \
		"$ring"/../{compat,pages,region}.h "$uapi"/tring_format.h |
		sed 's/.*<//; s/>.*//' | sort -u | while read -r header; do
		case $header in
		linux/errno.h | linux/limits.h) continue ;;
		esac
		mkdir -p "$build/include/$(dirname "$header")"
		say '#include "shim/shim.h"' >"$build/include/$header"
	done
	# A kernel version for which compat.h does nothing.
	cat >>"$build/include/linux/version.h" <<-'END'
		#define KERNEL_VERSION(a, b, c)	(((a) << 16) + ((b) << 8) + (c))
		#define LINUX_VERSION_CODE	KERNEL_VERSION(6, 12, 0)
	END
}

# compile_one OBJECT FILE FLAG... - compiles, or takes the object of an earlier run.
# The key covers everything that the file may include, and the flags except -I.
compile_one() {
	local object=$1 file=$2 key flag plain=()

	shift 2
	for flag; do
		case $flag in
		-I*) ;;
		*) plain+=("$flag") ;;
		esac
	done
	key=$({
		printf '%s\n' "${plain[@]}" "${file##*/}"
		cat "$file" "$explorer"/*.h "$explorer"/shim/*.h
		case $file in
		"$ring"/* | */explorer/*)
			cat "$ring"/*.h "$ring"/../{compat,pages,region}.h "$uapi"/*.h
			;;
		esac
		cat "$parse"/tring_parse.h "$top"/uapi/*.h
		"$compiler" --version
	} | sha256sum | cut -c1-32)
	if [ ! -f "$objects/$key.o" ]; then
		"$compiler" "$@" -c "$file" -o "$object.new" || return 1
		cp "$object.new" "$objects/$key.new$BASHPID"
		mv "$objects/$key.new$BASHPID" "$objects/$key.o"
		rm "$object.new"
	else
		touch "$objects/$key.o"
	fi
	cp "$objects/$key.o" "$object"
}

# compile FOLDER FLAG... - compiles all objects in parallel, and links them
compile() {
	local folder=$1 file pids=() pid flags ring_flags

	shift
	mkdir -p "$folder"
	rm -f "$folder"/*.o
	flags=(-std=gnu11 -g -Wall -fwrapv -fno-strict-aliasing -U_FORTIFY_SOURCE
		-fno-stack-protector "$@")
	ring_flags=("${flags[@]}" -D__KERNEL__ -DCONFIG_X86_64 -DTRING_KUNIT
		-Wno-maybe-uninitialized -Wno-unused "-I$build/include" "-I$explorer"
		"-I$source/kmod" "-I$uapi")
	for file in "${ring_files[@]}"; do
		say "ring $file"
	done >"$folder/files"
	for file in "$explorer"/*.c; do
		case ${file##*/} in
		schedule.c | coroutine.c | main.c) say "plain $file" ;;
		decode.c) say "parse $file" ;;
		*) say "ring $file" ;;
		esac
	done >>"$folder/files"
	say "parse $parse/parse.c" >>"$folder/files"
	while read -r kind file; do
		case $kind in
		ring)
			set -- "${ring_flags[@]}" -include "$explorer/shim/shim.h"
			;;
		plain)
			set -- "${flags[@]}" "-I$explorer"
			;;
		parse)
			# The format of the checkout, not that of a mutant.
			set -- "${flags[@]}" "-I$explorer" "-I$parse" "-I$top/uapi"
			;;
		esac
		compile_one "$folder/$(basename "$file" .c).o" "$file" "$@" &
		pids+=($!)
		if [ ${#pids[@]} -ge "$jobs" ]; then
			wait "${pids[0]}" || return 1
			pids=("${pids[@]:1}")
		fi
	done <"$folder/files"
	for pid in "${pids[@]}"; do
		wait "$pid" || return 1
	done
	"$compiler" "${flags[@]}" "$folder"/*.o -o "$folder/explorer"
}

# build_program NAME FLAG... - builds the program unless it is up to date
build_program() {
	local name=$1 stamp

	shift
	stamp=$(cat "$0" "$ring"/*.[ch] "$uapi"/*.h "$explorer"/*.[ch] \
		"$explorer"/shim/*.h "$parse"/parse.c "$parse"/tring_parse.h | cksum)
	if [ "$stamp" != "$(cat "$build/$name/stamp" 2>/dev/null)" ]; then
		make_headers
		compile "$build/$name" "$@" >"$build/$name.log" 2>&1 || {
			cat "$build/$name.log" >&2
			say "explorer: the ring does not compile in user space"
			say "explorer: 0 passed, 1 failed, 0 skipped"
			exit 2
		}
		say "$stamp" >"$build/$name/stamp"
	fi
}

passed=0 failed=0
# One fault of each kind: stamps, counters, commits, pids, the reader.
faults=(slow-no-clamp refused-not-counted discard-no-poison slow-pid-unmarked take-open)

# run_counted NAME COMMAND... - runs the command and adds up its last line
run_counted() {
	local name=$1 line status=0

	shift
	"$@" | tee "$build/$name.out" || status=$?
	line=$(grep -aoE '[0-9]+ passed, [0-9]+ failed' "$build/$name.out" |
		tail -n 1) || :
	if [ -n "$line" ]; then
		read -r p _ f _ <<<"$line"
		passed=$((passed + p))
		failed=$((failed + f))
		[ "$status" = 0 ] || [ "$f" != 0 ] || failed=$((failed + 1))
	else
		say "not ok - $name ends with $status"
		failed=$((failed + 1))
	fi
}

# run_program NAME ARGUMENT...
run_program() {
	run_counted "$1" "$build/$1/explorer" "${@:2}"
}

build_sanitized() {
	build_program sanitized -O1 -fsanitize=address,undefined \
		-fno-sanitize-recover=undefined -fno-omit-frame-pointer
}

program=plain
if [ "$sanitized" = yes ]; then
	program=sanitized
	build_sanitized
else
	build_program plain -O2
fi
if [ ${#arguments[@]} != 0 ]; then
	exec "$build/$program/explorer" ${seconds:+--seconds "$seconds"} "${arguments[@]}"
elif [ "$quick" = yes ]; then
	run_program "$program" --quick --seconds "${seconds:-12}"
elif [ "$sanitized" = yes ]; then
	run_program sanitized --seconds "${seconds:-22}"
else
	build_sanitized
	run_program plain --seconds "${seconds:-90}"
	say "with AddressSanitizer and UndefinedBehaviorSanitizer:"
	run_program sanitized --seconds "$((${seconds:-90} / 4))"
	say "with seeded faults:"
	run_counted faults "$top/scripts/mutants.sh" "${faults[@]}"
fi
say "explorer: $passed passed, $failed failed, 0 skipped"
[ "$failed" = 0 ]
