#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# nvdimm.sh [-k KERNEL] - the black box in an NVDIMM, which a file of the host backs, as
# /dev/pmem0 and as /dev/dax0.0, and in RAM that memmap=SIZE!ADDRESS declares as such. A user's
# steps: the driver that has the memory is named and gives it up, a guest records there until
# it is killed, and the next boot salvages it; so does the host, of the file. Every committed
# event must be there: see scripts/trace/check-blackbox.py. KERNEL is 6.1 (default), or a name
# of scripts/build/stock-kernel.sh. Installs ndctl if it is missing. By hand: no part of
# "make check".

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"
. "$(dirname "$0")/crash.sh"

kernel=6.1
while getopts 'k:' option; do
	case $option in
	k) kernel=$OPTARG ;;
	*) die "see the head of $0" ;;
	esac
done

megabytes=512 legacy=0x10000000
dir=$out/nvdimm
rm -rf "$dir.logs" "$dir"
begin_tests nvdimm "$dir.logs"
mkdir "$dir"
"$top/scripts/build/install-deps.sh" check-all

build_for_crash "$kernel"

# prepare KIND STAGE WORD - sets $boot: runs a guest
prepare() {
	boot=("${crash_guest[@]}" -o "$dir/$1-$2" -m "$megabytes" -M "$dir/$1.ram"
		-l nfit -l nd_e820 -l nd_pmem -l dax_pmem -l device_dax
		-e "KIND=$1" -e "STAGE=$2" -e "WORD=$3")
	case $1 in
	legacy) boot+=(-a "memmap=32M!$legacy") ;;
	dax) boot+=(-N "$dir/$1.nvdimm" -b ndctl) ;;
	*) boot+=(-N "$dir/$1.nvdimm") ;;
	esac
	boot+=("$top/scripts/guest/nvdimm.sh")
}

# end_of_guest KIND WORD - kills a guest that records, and sets aside its memory
end_of_guest() {
	local console=$dir/$1-record/console.log

	prepare "$1" record "$2"
	start_guest "$console" "${boot[@]}" || { cat "$console"; return 1; }
	sleep 2 # time: some of what is salvaged is recorded meanwhile
	kill_guest
	cp --sparse=always "$dir/$1.ram" "$dir/$1.before"
	[ "$1" = legacy ] || rm "$dir/$1.ram"
	! grep '^not ok' "$console"
}

# salvaged_here KIND WORD - makes a trace of what the host has
salvaged_here() {
	local base=0x100000000 file=$dir/$1.nvdimm

	if [ "$1" = legacy ]; then
		base=0 file=$dir/$1.before
	fi
	"$tring" salvage --base "$base" "$file" -o "$dir/$1.trace" &&
		"$top/scripts/trace/check-blackbox.py" "$tring" "$dir/$1.trace" "$2" \
			"$dir/$1.before"
}

for kind in nvdimm dax legacy; do
	word=$(new_word)
	judge "$kind: a guest records, and is killed" end_of_guest $kind "$word"
	judge "$kind: the host salvages it" salvaged_here $kind "$word"
	prepare $kind salvage "$word"
	judge "$kind: the next boot salvages it" "${boot[@]}"
	add_tests "$dir/$kind-salvage/results/tests"
	judge "$kind: the next boot's trace is right" \
		"$top/scripts/trace/check-blackbox.py" "$tring" \
		"$dir/$kind-salvage/results/last_boot" "$word" "$dir/$kind.before"
	rm -rf "$dir/$kind".*
done
count_tests
