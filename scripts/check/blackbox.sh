#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# blackbox.sh [-n RUNS] [-e ENDS] [-k KERNEL] [-s SEED] [-p CACHE] - boots guests in the same
# memory one after the other, as a machine that crashes again and again. Each salvages what
# the one before has left, and ends in the middle of recording, in turn
#
#   by a panic: by sysrq, or by the torture module in one to three open records;
#   by a reset, from outside and at any instant.
#
# RUNS of each (default 1). ENDS "panic" or "reset" leaves out the others. At another instant of
# each boot that ends by a reset, an image of the memory is made. There are rings that outlive the
# kernel and others in any memory, in which numbered-markers and the writers of the torture module
# record, NMIs included, beside events of the kernel. Each committed event of the four must be
# salvaged, by the ring's counters, by the numbers of its text and by its checksum, and no other
# one: not those of the trace before, nor copies in the page cache, nor open records. See
# scripts/trace/check-blackbox.py and kunit-tests/torture/user/salvaged.c.
#
# The host salvages the whole memory of each, and the region alone, as the next boot does; both
# must have written the same. Before the last boot the first page of each half is damaged.
#
# KERNEL is 6.1 (default), or a name of scripts/build/stock-kernel.sh. CACHE is the module's
# persist_cache. The line before the last sums up the events.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"
. "$(dirname "$0")/crash.sh"

runs=1 ends='panic reset' kernel=6.1 seed=$RANDOM persist_cache=''
while getopts 'n:e:k:s:p:' option; do
	case $option in
	n) runs=$OPTARG ;;
	e) ends=$OPTARG ;;
	k) kernel=$OPTARG ;;
	s) seed=$OPTARG ;;
	p) persist_cache=$OPTARG ;;
	*) die "see the head of $0" ;;
	esac
done
# of the boots, in turn
cpus=(2 4 1 3)

# Where Debian's kernels find RAM that they leave alone on this command line.
megabytes=512 begin=256 size=32
region=$(printf '0x%x,%dM' $((begin << 20)) $size)
reserved="memmap=${size}M\$${region%,*}"
name=blackbox-$kernel${persist_cache:+-$persist_cache}
dir=$out/$name
rm -rf "$dir.logs" "$dir"
begin_tests blackbox "$dir.logs"
mkdir "$dir"
RANDOM=$seed
say "seed $seed"

build_for_crash "$kernel"
needed with_progress "the torture's checker" "$logs/build-torture.log" \
	make --no-print-directory -C "$top/kunit-tests/torture/user" O="$dir/torture"

# The formats of the torture's events, whose ids ftrace does not have.
formats=$dir/formats
write_formats() {
	local id=4242 event folder

	for event in varying fixed long; do
		folder=$formats/tring/events/torture/$event
		mkdir -p "$folder"
		cat >"$folder/format" <<END
name: $event
ID: $id
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:unsigned char common_preempt_count;	offset:3;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:u32 checksum;	offset:8;	size:4;	signed:0;
	field:u32 sequence;	offset:12;	size:4;	signed:0;

print fmt: "%u", REC->sequence
END
		id=$((id + 1))
	done
	printf 'kernel_release=%s\n' "$release" >"$formats/tring/trace_info"
}
write_formats
guest_files=()
for file in trace_info events/torture/{varying,fixed,long}/format; do
	guest_files+=(-f "$formats/tring/$file=/guest/formats/tring/$file")
done

# prepare NAME RECORDS LEVELS - sets $boot: a guest whose memory is $dir/ram
prepare() {
	boot=("${crash_guest[@]}" -o "$dir/$1" -c "$count" -m "$megabytes" -M "$dir/ram"
		-a "$reserved" -e "LAST=$last" -e "RECORDS=$2" -e "LEVELS=$3"
		-e "WORD=$word" -e "ANY_WORD=$any_word" -e "PERSIST=$region"
		-e "CACHE=$persist_cache"
		-f "$module/tring_torture.ko=/guest/tring_torture.ko" "${guest_files[@]}"
		"$top/scripts/guest/blackbox.sh")
}

# ran_of PID - prints the nanoseconds that the process has run
ran_of() {
	awk '{ n += $1 } END { printf "%.0f\n", n }' /proc/"$1"/task/*/schedstat
}

# copy_memory NAME FILE - an image of the guest's memory, while it stands still. A signal stops
# QEMU a while later, and "make check-stability" continues what it has stopped: the image counts
# if QEMU has not run meanwhile.
copy_memory() {
	local qemu ran

	qemu=$(cat "$dir/$1/pid") || return 1
	while kill -STOP "$qemu" || return 1; do
		ran=$(ran_of "$qemu")
		cp --sparse=always "$dir/ram" "$2"
		[ "$ran" != "$(ran_of "$qemu")" ] || break
	done
	kill -CONT "$qemu"
}

# end_of_guest NAME LEVELS DELAY - waits until the guest records. Then waits for its panic, or
# makes an image, and ends it
end_of_guest() {
	local console=$dir/$1/console.log

	prepare "$1" yes "$2"
	start_guest "$console" "${boot[@]}" || return 1
	if [ -z "$2" ]; then
		sleep "$3" # time: the image is of any instant
		copy_memory "$1" "$dir/image" || return 1
		sleep "0.$((RANDOM % 1000))" # time: and so is the end
		kill_guest
	else
		await_guest
		grep 'Kernel panic' "$console"
	fi
}

# What is salvaged: a file, and the address of its first byte. $memory is all memory at that time.
image='' base='' memory=''
all_recovered=0 all_there=0

# in_open_packets FILE - by what tring salvage has said, unreadable events are in packets that have
# open records, which these events cannot be told from. No record has less than 8 bytes.
in_open_packets() {
	awk -v fits=$((16384 / 8)) '
		/ packets have open records / { unsure[$2 + 0] = $3 }
		$1 ~ /^[0-9]+$/ { unreadable[$1] = $4; open[$1] = $5 }
		END {
			for (cpu in unreadable)
				if (unreadable[cpu] > unsure[cpu] * fits || unsure[cpu] > open[cpu])
					bad = 1
			exit bad
		}' "$1"
}

# salvage TRACE UUID - salvages one trace of $image, and adds to the sums; sets $unreadable and
# $uncommitted
salvage() {
	local recovered=0 there=1 status=0

	rm -rf "${dir:?}/$1"
	"$tring" salvage --base "$base" "$image" --trace "$2" -o "$dir/$1" \
		--formats "$formats" >"$dir/$1.said" || status=$?
	cat "$dir/$1.said"
	read -r recovered _ there _ _ _ uncommitted _ < <(sed -n '$s/^[^ ]*: //p' "$dir/$1.said")
	all_recovered=$((all_recovered + recovered))
	all_there=$((all_there + there))
	unreadable=$((there - recovered))
	[ "$status" = 0 ] || { [ "$unreadable" -gt 0 ] && in_open_packets "$dir/$1.said"; }
}

markers() {
	salvage "$1" "$2" &&
		"$top/scripts/trace/check-blackbox.py" "$tring" "$dir/$1" "$3" "$memory" \
			"$unreadable"
}

torture() {
	salvage "$1" "$2" && "$dir/torture/torture-salvaged" "$dir/$1" \
		$((uncommitted + unreadable))
}

# A hundred texts, and as many open records as the panic has levels.
crash() {
	salvage "$1" "$2" &&
		grep ": 100 of 100 committed events recovered, $3 records" "$dir/$1.said" &&
		[ "$("$tring" report "$dir/$1" | grep -c ': crash [0-9]*$')" = 100 ]
}

# judge_memory NAME FILE OPEN - all memory, with OPEN records of the ring "crash"
judge_memory() {
	image=$2 base=0 memory=$2
	judge "$1: the ring of tring arm" markers armed "${uuids[0]}" "$word"
	judge "$1: a ring in any memory" markers any "${uuids[1]}" "$any_word"
	judge "$1: the torture's ring" torture torture-ring "${uuids[2]}"
	judge "$1: a ring with $3 open records" crash crash "${uuids[3]}" "$3"
}

# judge_region NAME - the region alone, as the next boot finds it
judge_region() {
	image=$dir/region.img base=${region%,*} memory=$dir/ram
	dd if="$dir/ram" of="$image" bs=1M skip=$begin count=$size status=none
	judge "$1, the region alone: the ring of tring arm" \
		markers "region/${uuids[0]}" "${uuids[0]}" "$word"
	judge "$1, the region alone: the torture's ring" \
		torture "region/${uuids[2]}" "${uuids[2]}"
}

# same_in_guest CONSOLE - the guest has salvaged the same packets as the host before
same_in_guest() {
	(cd "$dir/region" && sha256sum -- */cpu*) | sort >"$dir/sums"
	tr -d '\r' <"$1" | sed -n 's|^\([0-9a-f]\{64\}  \)/tmp/last_boot/|\1|p' | sort |
		diff "$dir/sums" - && [ -s "$dir/sums" ]
}

# judge_console NAME GUEST - the tests that the guest has run
judge_console() {
	tr -d '\r' <"$dir/$2/console.log" | grep -aE '^(not )?ok - ' >"$dir/$2.tests"
	judge "$1: the guest salvages and records" eval \
		"cat '$dir/$2.tests'; test -s '$dir/$2.tests' && ! grep '^not ok' '$dir/$2.tests'"
	if [ -n "$last" ]; then
		judge "$1: the guest salvages what the host has salvaged" \
			same_in_guest "$dir/$2/console.log"
	fi
	rm -rf "$dir/region"
	mkdir "$dir/region"
}

# one_boot KIND NUMBER - the first panic is that of an NMI in three open records
one_boot() {
	local what="$1 $2" guest=$1-$2 levels='' delay

	count=${cpus[boots % ${#cpus[@]}]}
	boots=$((boots + 1))
	word=$(new_word) any_word=$(new_word)
	delay=$((RANDOM % 3)).$((RANDOM % 1000))
	[ "$1" = reset ] || levels=$(((3 * $2) % 4))
	judge "$what: the guest ends while $count CPUs record" \
		end_of_guest "$guest" "$levels" "$delay"
	judge_console "$what" "$guest"
	read -r -a uuids < <(tr -d '\r' <"$dir/$guest/console.log" | sed -n 's/^uuids //p') || :
	if [ ${#uuids[@]} = 4 ]; then
		judge_memory "$what" "$dir/ram" "${levels:-0}"
		judge_region "$what"
		[ "$1" != reset ] || judge_memory "image $2" "$dir/image" 0
	fi
	last=$1
	rm -rf "${dir:?}/$guest"
}

boots=0 last=''
mkdir "$dir/region"
for ((run = 1; run <= runs; run++)); do
	for end in $ends; do
		one_boot "$end" "$run"
	done
done
# The next boot goes by the copy of a half's first page.
for half in 0 1; do
	dd if=/dev/zero of="$dir/ram" bs=1M seek=$((begin + half * size / 2)) count=1 \
		iflag=count_bytes conv=notrunc status=none
done
count=${cpus[0]} word=0 any_word=0
prepare last no ''
judge "the last boot" "${boot[@]}"
judge_console "the last boot" last
rm -f "$dir/ram" "$dir/image" "$dir/region.img"
say "$all_recovered of $all_there committed events recovered"
count_tests
