#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guests of scripts/check/nvdimm.sh, and does what a user would: finds memory that
# outlives the kernel, takes it from the driver that has it, and records there until the machine
# ends, or salvages what the boot before has recorded.
#
# Environment: KIND, nvdimm, dax or legacy; STAGE, record or salvage; WORD of numbered-markers.

. /guest/lib.sh

# place NAME - prints the beginning of the memory of that name
place() {
	sed -n "s/^ *\([0-9a-f]*\)-[0-9a-f]* : $1\$/0x\1/p" /proc/iomem | head -n 1
}

# is_refused ADDRESS - the module does not take what a driver has, and says why
is_refused() {
	! insmod /guest/tring.ko "persist=$1,32M" || return 1
	dmesg | grep -q "persist=$1,32M is memory that another driver has"
}

# give_up DRIVER - does what tring(4) says, as far as it needs no ndctl
give_up() {
	case $1 in
	namespace*) echo "$1" >/sys/bus/nd/drivers/nd_pmem/unbind ;;
	dax*) echo "$1" >/sys/bus/dax/drivers/device_dax/unbind ;;
	esac
}

find_memory() {
	check "what the kernel uses is refused" refuses_ram
	check "an address without memory is refused" refuses_hole
	check "the drivers are loaded" grep -q '^device_dax ' /proc/modules
	case $KIND in
	dax)
		if [ "$STAGE" = record ]; then
			check "ndctl makes a /dev/dax" \
				ndctl create-namespace -f -e namespace0.0 -m devdax -M mem
		fi
		driver=dax0.0
		;;
	*) driver=namespace0.0 ;;
	esac
	wait_until grep -q "$driver" /proc/iomem
	address=$(place "$driver")
	check "a driver has the memory" is_refused "$address"
	check "the driver gives it up" give_up $driver
	check "insmod" insmod /guest/tring.ko "persist=$address,32M" buffer_size_kb=2048
}

refuses_ram() {
	! insmod /guest/tring.ko persist=0x1000000,32M
}

refuses_hole() {
	insmod /guest/tring.ko persist=0x700000000,32M || return 1
	tring arm -q 2>/tmp/told
	status=$?
	rmmod tring
	[ $status = 1 ] && grep -q 'no memory at persist' /tmp/told
}

record() {
	check "tring arm" tring arm -q -e sched
	write_markers $tring "$WORD"
	echo "$address" >/results/address
	echo "records at $address"
	sleep 1000 # time: the end comes from outside
}

find_memory
case $STAGE in
salvage) check "tring salvage last_boot" \
	tring salvage $tring/last_boot -o /results/last_boot ;;
*) record ;;
esac
exit $failures
