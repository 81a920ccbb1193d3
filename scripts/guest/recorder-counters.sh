# SPDX-License-Identifier: GPL-2.0
#
# Sourced by the guest's scripts that measure recorders: the counters of either tracer.

# counter FILES KEY - prints the sum of a counter over all CPUs
counter() {
	for file in $1; do
		sed -n "s/^$2: *//p" "$file"
	done | awk '{ n += $1 } END { print n + 0 }'
}

# lost FILES - prints the number of lost events of either tracer
lost() {
	for key in overrun 'dropped events' overwritten refused_no_room; do
		counter "$1" "$key"
	done | awk '{ n += $1 } END { print n }'
}
