#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kdump.sh [-k KERNEL] [-m MAKEDUMPFILE] [KIND...] - lets guests crash while they record, with a
# capture kernel in place, once in each way or in each KIND:
#
#   ram        the capture kernel saves the crashed one's memory in each form of makedumpfile's;
#              nothing was prepared for tring
#   region     the rings are in memory that outlives the kernel; the capture kernel salvages
#              last_boot
#   notifiers  as region, with crash_kexec_post_notifiers
#   later      as region, and the next boot salvages last_boot
#
# Each trace must have each event that was committed, and no other one: see
# scripts/trace/check-blackbox.py. Those of one crash must be the same to the byte.
#
# KERNEL is 6.1 (default), or a name of scripts/build/stock-kernel.sh. MAKEDUMPFILE is a program
# to use instead of the installed one, which lacks zstd in Debian 12.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"
. "$(dirname "$0")/crash.sh"

kernel=6.1 makedumpfile=''
while getopts 'k:m:' option; do
	case $option in
	k) kernel=$OPTARG ;;
	m) makedumpfile=$OPTARG ;;
	*) die "see the head of $0" ;;
	esac
done
shift $((OPTIND - 1))
kinds=("$@")
[ $# != 0 ] || kinds=(ram region notifiers later)

# Half of the capture kernel's memory holds its files, the results among them. Wherever KASLR
# puts the first kernel, there is room for it below the region.
megabytes=768 capture=crashkernel=224M
region=0x28000000,32M reserved="memmap=32M\$0x28000000"
dir=$out/kdump
rm -rf "$dir.logs" "$dir"
begin_tests kdump "$dir.logs"
mkdir "$dir"

"$top/scripts/build/install-deps.sh" check-all
: "${makedumpfile:=$(command -v makedumpfile)}"
build_for_crash "$kernel"

# guest KIND STAGE WORD OPTION... - boots a guest whose memory is $dir/KIND.ram
guest() {
	local kind=$1 stage=$2 word=$3

	shift 3
	"${crash_guest[@]}" -o "$dir/$kind-$stage" -m "$megabytes" \
		-M "$dir/$kind.ram" -a "$capture" \
		-e "KIND=$kind" -e "STAGE=$stage" -e "WORD=$word" \
		-b kexec -f "$makedumpfile=/bin/makedumpfile" \
		-f "$system/boot/vmlinuz-$release=/guest/vmlinuz" \
		"$@" "$top/scripts/guest/kdump.sh"
}

# capture_is_quiet FILE - the capture kernel reports no fault on the console
capture_is_quiet() {
	awk '/Linux version/ { kernels++ } kernels > 1' "$1" >"$logs/capture.console"
	"$top/scripts/qemu/console-badness.sh" "$logs/capture.console"
}

# crash KIND WORD OPTION... - a guest crashes, and its capture kernel does its part
crash() {
	local kind=$1

	judge "$kind: the capture kernel runs to its end" guest "$kind" record "${@:2}"
	add_tests "$dir/$kind-record/results/tests"
	judge "$kind: it reports no fault" capture_is_quiet "$dir/$kind-record/console.log"
}

# is_right TRACE WORD KIND - the trace has all that the guest had recorded
is_right() {
	"$top/scripts/trace/check-blackbox.py" "$tring" "$1" "$2" "$dir/$3.ram"
}

# is_same FORM FILE - an image in this form gives the trace of the core
is_same() {
	ls -l "$2"
	"$tring" salvage "$2" -o "$dir/ram.$1" && diff -r "$dir/ram.core" "$dir/ram.$1"
}

ram() {
	local word files=$dir/ram.files file

	word=$(new_word)
	truncate -s 3G "$dir/ram.disk"
	mkfs.ext4 -q -F -m 0 "$dir/ram.disk"
	crash ram "$word" -l ext4 -d "$dir/ram.disk"
	mkdir "$files"
	debugfs -R "rdump / $files" "$dir/ram.disk" 2>"$logs/debugfs.log"
	rm -f "$dir/ram.disk"
	judge "ram: all that was committed is salvaged from the core" \
		"$tring" salvage "$files/core" -o "$dir/ram.core"
	judge "ram: the core's trace is right" is_right "$dir/ram.core" "$word" ram
	judge "ram: so is what the capture kernel has salvaged" \
		diff -r "$dir/ram.core" "$files/here"
	for file in "$files"/form.*; do
		judge "ram: ${file##*/form.} gives the same" is_same "${file##*/}" "$file"
	done
	rm -r "$files"
}

in_region() {
	local kind=$1 word stage=record

	word=$(new_word)
	crash "$kind" "$word" -a "$reserved" -e "PERSIST=$region"
	if [ "$kind" = later ]; then
		# The next boot uses what was free memory.
		cp --sparse=always "$dir/later.ram" "$dir/later.before"
		stage=later
		judge "later: the next boot salvages last_boot" guest later later "$word" \
			-a "$reserved" -e "PERSIST=$region"
		add_tests "$dir/later-later/results/tests"
		mv "$dir/later.before" "$dir/later.ram"
	fi
	judge "$kind: last_boot's trace is right" \
		is_right "$dir/$kind-$stage/results/last_boot" "$word" "$kind"
}

for kind in "${kinds[@]}"; do
	case $kind in
	ram) ram ;;
	region | notifiers | later) in_region "$kind" ;;
	*) die "no kind '$kind'" ;;
	esac
	rm -f "$dir/$kind.ram"
done
count_tests
