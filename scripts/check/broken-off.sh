#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# broken-off.sh [-k KILLS] [-f FILLS] [-e FAILS] [-s SEED] - kills recorders with SIGKILL
# at random moments, fills the disk under them at random points, and lets all writes to
# it fail from a random moment on, on Debian's stock 6.1 kernel in QEMU. Whatever lies on
# the disk then must be readable, and what is missing must be told:
# scripts/trace/check-broken-off.py.
#
# The defaults are for "make check". "broken-off.sh -k 200 -f 50" takes an hour.
# SEED, which is printed, gives the same moments again, as far as the machine does.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

kills=4 fills=2 fails=2 seed=$(od -An -N3 -tu4 /dev/urandom | tr -d ' ')
while getopts 'k:f:e:s:' option; do
	case $option in
	k) kills=$OPTARG ;;
	f) fills=$OPTARG ;;
	e) fails=$OPTARG ;;
	s) seed=$OPTARG ;;
	*) die "see the head of $0" ;;
	esac
done

dir=$out/broken-off
rm -rf "$dir.logs"
begin_tests broken-off "$dir.logs"

say "seed $seed: $kills kills, $fills full disks, $fails failing ones"
needed build_for_guest 6.1
truncate -s 48M "$logs/disk"
mkfs.ext4 -q -m 0 "$logs/disk"

guest=0
with_progress "broken-off: QEMU" "$logs/qemu.log" \
	env TRING_FOLLOW=1 "${boot_guest[@]}" -o "$dir" -c 2 -m 2048 -d "$logs/disk" \
	-l ext4 -l dm-flakey -b dmsetup -b e2fsck -e TRING_SEED="$seed" \
	-e TRING_KILLS="$kills" -e TRING_FILLS="$fills" -e TRING_FAILS="$fails" \
	"$top/scripts/guest/broken-off.sh" || guest=$?
rm -f "$logs/disk"

# A test for each trace.
"$top/scripts/trace/check-broken-off.py" "$tring" "$dir/results" \
	>"$logs/checked.log" 2>&1 || :
grep -v '^ok - ' "$logs/checked.log" || :
passed=$(grep -c '^ok - ' "$logs/checked.log") || :
failed=$(grep -c '^not ok - ' "$logs/checked.log") || :
judge "the guest has run to its end" \
	test "$guest:$((passed + failed))" = "0:$((kills + fills + fails))"
judge "the console shows nothing bad" \
	"$top/scripts/qemu/console-badness.sh" "$dir/console.log"
count_tests
