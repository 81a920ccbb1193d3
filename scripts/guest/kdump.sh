#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0
#
# Runs in the guests of scripts/check/kdump.sh: records, and crashes. The capture kernel has the
# same initramfs, so this script runs there as well.
#
# Environment: KIND, ram, region, notifiers or later; STAGE, record, or later for the boot after
# the crash; WORD of numbered-markers; PERSIST, the parameter of the module, or nothing.

. /guest/lib.sh

disk=/disk

# What Debian's kdump-config passes.
capture_arguments() {
	printf '%s reset_devices nr_cpus=1 irqpoll' \
		"$(sed -E 's/(^| )crashkernel=[^ ]*//g' /proc/cmdline)"
}

# There are two system calls that load the kernel, and they tell it of the memory in different
# ways. Debian uses that of "-s" with Secure Boot only.
load_capture_kernel() {
	how=-p
	[ "$KIND" != notifiers ] || how=-ps
	(cd / && find . -xdev ! -path './tmp/*' ! -path './results/*' ! -path ./guest/vmlinuz |
		cpio -o -H newc | gzip -1) >/tmp/initrd &&
		kexec "$how" --initrd=/tmp/initrd --command-line="$(capture_arguments)" \
			/guest/vmlinuz &&
		grep -qx 1 /sys/kernel/kexec_crash_loaded
}

record() {
	load_capture_kernel || exit 1
	rm /tmp/initrd /guest/vmlinuz
	insmod /guest/tring.ko ${PERSIST:+"persist=$PERSIST"} buffer_size_kb=2048 || exit 1
	if [ -n "$PERSIST" ]; then
		tring arm -q -e sched -e irq -e timer || exit 1
	else
		tring start -q -e sched -e irq -e timer || exit 1
	fi
	[ "$KIND" != notifiers ] || echo 1 >/sys/module/kernel/parameters/crash_kexec_post_notifiers
	write_markers $tring "$WORD" || exit 1
	# The host is no clock, so this is another place each time.
	usleep 500000 # time: some of what is salvaged is recorded meanwhile
	echo c >/proc/sysrq-trigger
	sleep 1000 # time: the panic is the end
}

# dump FORM OPTION... - makedumpfile writes the core in this form
dump() {
	form=$1
	shift
	check "makedumpfile $*" \
		makedumpfile --message-level 0 "$@" /proc/vmcore "$disk/form.$form"
}

# dump_by LIBRARY OPTION - as dump, if makedumpfile was built with that library
dump_by() {
	if makedumpfile -v | grep -q "^$1[[:space:]]*enabled"; then
		dump "$1" "$2" -d 31
	else
		skip "makedumpfile $2: it was built without $1"
	fi
}

save_forms() {
	mkdir $disk
	check "the disk is there" mount -t ext4 /dev/vda $disk
	check "cp" cp /proc/vmcore "$disk/core"
	dump plain -d 31
	dump zlib -c -d 31
	dump_by lzo -l
	dump_by snappy -p
	dump_by zstd -z
	dump elf -E -d 31
	dump all-pages -c -d 0
	# What Debian's kdump-config makes of the core, and an image of that.
	check "makedumpfile -F" sh -c "makedumpfile -F -c -d 31 /proc/vmcore |
		makedumpfile -R $disk/form.flattened"
	check "tring salvage /proc/vmcore" tring salvage /proc/vmcore -o "$disk/here"
	check "umount" umount $disk
}

salvage_last_boot() {
	insmod /guest/tring.ko "persist=$PERSIST" || { fail "insmod"; exit 1; }
	check "tring salvage last_boot" tring salvage $tring/last_boot -o /results/last_boot
	check "rmmod" unload_tring
}

# The region is no memory of the crashed kernel's.
save_region() {
	refuses "no ring of tring is in its" "tring salvage /proc/vmcore -o /tmp/vmcore"
	[ "$KIND" = later ] || salvage_last_boot
}

if [ ! -e /proc/vmcore ]; then
	if [ "$STAGE" = later ]; then
		salvage_last_boot
	else
		record
	fi
elif [ "$KIND" = ram ]; then
	save_forms
else
	save_region
fi
exit $failures
