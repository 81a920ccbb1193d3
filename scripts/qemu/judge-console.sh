#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# judge-console.sh KIND CONSOLE DIR OBJECT... - judges the console of a kernel of
# "kunit.sh KIND": prints faults that the kernel reports, and the instrumentation
# of this kind that was not on. Exits with 0 if it prints neither.
#
# A report of KCSAN counts only if functions of the OBJECTs take part in the race;
# the other reports are left in DIR. See sift-kcsan.sh.

. "$(dirname "$0")/../lib.sh"

[ $# -ge 4 ] || die "see the head of $0"
kind=$1 console=$2 dir=$3
shift 3

# Messages that show that the instrumentation is on.
wanted=()
case $kind in
debug)
	wanted=('KernelAddressSanitizer initialized'
		'Lock dependency validator:'
		'Kernel memory leak detector initialized')
	;;
kcsan)
	wanted=('kcsan: strict mode configured'
		'kcsan: selftest: ([0-9]+)/\1 tests passed')
	;;
esac

bad=0
for text in "${wanted[@]}"; do
	grep -aqE -e "$text" "$console" || {
		say "the console does not say: $text"
		bad=1
	}
done
if [ "$kind" = kcsan ]; then
	elsewhere=$dir/kcsan-elsewhere.log
	sifted=$dir/console-sifted.log
	"$top/scripts/qemu/sift-kcsan.sh" "$console" "$elsewhere" "$@" >"$sifted" || bad=1
	say "data races without tring: $(grep -ac KCSAN: "$elsewhere" ||
		:), see $elsewhere"
	console=$sifted
fi
"$top/scripts/qemu/console-badness.sh" "$console" || bad=1
exit "$bad"
