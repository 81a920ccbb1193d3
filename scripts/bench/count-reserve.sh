#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# count-reserve.sh - lines of code of the way to a record's place and timestamp:
# in ftrace's ring of Debian's kernel sources, in tring's, and in the two writers
# of the benchmark that differ in nothing else. For docs/performance.md.
#
# A line counts if something is left of it without comments. Of a function all
# lines count, from the one with its name to the closing brace; what each list
# names is what a reservation runs through and what was written for it alone.

. "$(dirname "$0")/../lib.sh"

ftrace_place='ring_buffer_lock_reserve rb_reserve_next_event __rb_reserve_next
	rb_calculate_event_length rb_update_event rb_add_timestamp
	rb_add_time_stamp rb_check_timestamp rb_time_read rb_time_set
	rb_time_stamp test_time_stamp rb_start_commit trace_recursive_lock'
ftrace_page='rb_move_tail rb_reset_tail rb_handle_head_page rb_tail_page_update
	rb_head_page_set rb_head_page_set_update rb_head_page_set_head
	rb_head_page_set_normal rb_inc_page'
tring_place='tring_reserve __tring_reserve tring_stamp_store tring_extent
	tring_nesting tring_reserve_slow tring_reserve_other
	tring_reserve_nested tring_commits tring_commits_bytes
	reserve_with_pid reserve_unusual
	reserve_in_turns try_position set_up_record
	read_position settle_at_hand settle_stamp settle_position
	tring_claim tring_claim_nested tring_move claim_record
	place_record place_in_present
	is_too_large refuse why_off nested_too_deep begin_retry end_retry
	tring_stamp_raise tring_clock_read tring_stamp_mask
	tring_stamp_is_compact'
# What a record has before its fields, and how long that is: of ftrace's it is
# part of what the caller writes, but for 4 bytes.
tring_head='is_unusual compact_type head_size usual_head_size tring_head_store
	write_head write_context write_usual_head begin_fields tring_head_type tring_head_id
	tring_head_context tring_header_pack tring_context_offset
	tring_context_size tring_context_is_full tring_length_size
	tring_pid_token tring_pid_mark tring_pid_keep'
tring_page='reserve_behind_last place_in_next leave_packet tring_subbuf_open
	tring_subbuf_open_closed tring_slot_behind tring_packet_enter
	tring_packet_close tring_packet_find_and_close
	tring_count_overwritten'

# without_comments FILE... - and without empty lines
without_comments() {
	local file

	for file in "$@"; do
		gcc -fpreprocessed -dD -E -P -x c "$file" 2>/dev/null
	done | grep '[^[:space:]]'
}

# count NAMES FILE... - lines and functions, and names that are nowhere: kernels
# differ, but tring's have to be found
count() {
	local names=$1

	shift
	without_comments "$@" | awk -v names="$names" '
		BEGIN {
			n = split(names, list)
			for (i = 1; i <= n; i++)
				wanted[list[i]] = 1
		}
		!inside && /^[a-z_]/ && match($0, /[a-z_0-9]+\(/) {
			name = substr($0, RSTART, RLENGTH - 1)
			if (name in wanted) {
				wanted[name] = 2
				inside = 1
				here = 0
			}
		}
		inside { here++ }
		# no function, but its declaration
		inside && /^[^}]*;$/ && !/^[ \t]/ { inside = 0 }
		inside && /^}/ {
			inside = 0
			functions++
			lines += here
		}
		END {
			printf "%d lines in %d functions", lines, functions
			for (name in wanted)
				if (wanted[name] == 1)
					printf ", no %s", name
			print ""
		}'
}

work=$(mktemp -d)
on_exit+=("rm -rf $work")
for version in 6.1 6.12; do
	archive=/usr/src/linux-source-$version.tar.xz
	if [ ! -r "$archive" ]; then
		say "ftrace $version: no $archive"
		continue
	fi
	tar -xf "$archive" -C "$work" --strip-components=1 \
		"linux-source-$version/kernel/trace/ring_buffer.c"
	ring=$work/kernel/trace/ring_buffer.c
	say "ftrace $version, place and timestamp: $(count "$ftrace_place" "$ring")"
	say "ftrace $version, the next page: $(count "$ftrace_page" "$ring")"
done
kmod=$top/kmod
sources=("$kmod/ring/fast.h" "$kmod/ring.c" "$kmod/ring/internal.h"
	"$kmod/ring/position.h" "$kmod/ring/head.h" "$kmod/ring/leave.c"
	"$kmod/head.h" "$kmod/subbuf.h" "$kmod/clock.h"
	"$top/uapi/tring_format.h")
say "tring, place and timestamp: $(count "$tring_place" "${sources[@]}")"
say "tring, a record's head: $(count "$tring_head" "${sources[@]}")"
say "tring, the next sub-buffer: $(count "$tring_page" "${sources[@]}")"
for way in cmpxchg xadd; do
	say "the frame's $way: $(without_comments "$kmod/bench/ring_$way.c" | wc -l) lines"
done
