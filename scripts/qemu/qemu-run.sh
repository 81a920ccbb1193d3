#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# qemu-run.sh [OPTION]... -o DIR SCRIPT - boots a kernel in QEMU (TCG) with an
# initramfs of busybox, of scripts/guest/*.sh below /guest and of the given files, and runs
# SCRIPT there.
#
#   -o DIR        folder for the initramfs, the console and the results
#   -r RELEASE    kernel and modules of this Debian release (default: stock 6.1); the machine
#                 is an arm64 if the kernel is one, and programs must be linked statically then
#   -R ROOT       folder below which they are, see stock-kernel.sh; default: none, as installed
#   -s            run SCRIPT in the Debian below ROOT, which boots with its systemd; what it
#                 writes is dropped
#   -u DIR        boot by UEFI with Secure Boot, with the shim and the GRUB below ROOT; DIR
#                 keeps the firmware's variables from one run to the next
#   -x PASSWORD   enrol the key that "mokutil --import" has asked for in the run before
#   -k BZIMAGE    boot this kernel instead; virtio must be built in
#   -b PROGRAM    copy PROGRAM and its shared libraries to the same path
#   -f FILE=PATH  copy FILE to PATH in the guest
#   -e NAME=VALUE environment of SCRIPT
#   -a ARGUMENT   kernel command line
#   -c CPUS       default 2
#   -d IMAGE      a disk, /dev/vda in the guest
#   -l MODULE     load MODULE and its dependencies before SCRIPT; with -r only
#   -m MEGABYTES  default 1024
#   -M FILE       the guest's memory, which stays as it was when the guest ended, and which the
#                 next guest with the same FILE finds, as after a reset
#   -N FILE       an NVDIMM with the content of FILE, 64 MiB from 0x100000000 on; amd64 only
#   -D DEVICE     a device of QEMU's; amd64 only
#   -t POLLS      give the guest up when it has written nothing for so many polls, of a second
#                 each; default $TRING_TIMEOUT, or 900
#   -p            virtual CPUs in parallel; not where tracepoints are switched
#   -P PLUGIN     a plugin of QEMU's, FILE.so,OPTION=VALUE...
#   -i            count instructions: one CPU, whose TSC ticks once an instruction; amd64 only
#
# Leaves in DIR: console.log, results/ (the guest's /results), guest-status, pid (QEMU's).
# Exits with 0 only if the guest reports on a second serial port that SCRIPT ended
# with status 0, and if all results have arrived. So a panic, a hang and a power-off
# are failures.

. "$(dirname "$0")/../lib.sh"

dir='' release='' system='' boots_system=no uefi='' password='' kernel=''
cpus=2 memory=1024 limit=${TRING_TIMEOUT:-900}
# The virtual CPUs take turns in one thread. With one thread for each CPU, QEMU 7.2
# may go on executing a breakpoint that the kernel has already removed. The kernel
# inserts and removes breakpoints when it switches a tracepoint. The CPUs then trap
# at the same place for ever, mostly in __schedule(), with or without tring.
cpu=max accel=tcg,thread=single clock=() idle=off
programs=() files=() environment=() append=() disk=() share=() memory_file='' nvdimm=()
devices=()
modules=(virtio_pci virtio_console)
while getopts 'o:r:R:su:x:k:b:f:e:a:c:d:l:m:M:N:D:t:P:pi' option; do
	case $option in
	o) dir=$OPTARG ;;
	r) release=$OPTARG ;;
	R) system=$OPTARG ;;
	s) boots_system=yes ;;
	u) uefi=$OPTARG ;;
	x) password=$OPTARG ;;
	k) kernel=$OPTARG ;;
	b) programs+=("$OPTARG") ;;
	f) files+=("$OPTARG") ;;
	e) environment+=("$OPTARG") ;;
	a) append+=("$OPTARG") ;;
	c) cpus=$OPTARG ;;
	d)
		# The data need not survive a crash of the host. A guest that
		# skips idle time would find the disk too slow.
		idle=on
		disk=(-drive "file=$OPTARG,format=raw,if=virtio,cache=unsafe")
		modules+=(virtio_blk)
		;;
	l) modules+=("$OPTARG") ;;
	m) memory=$OPTARG ;;
	M) memory_file=$OPTARG ;;
	N)
		# shellcheck disable=SC2054 # the commas are QEMU's
		nvdimm=(-machine nvdimm=on -m slots=1,maxmem=4G
			-object "memory-backend-file,id=nvdimm,size=64M,mem-path=$OPTARG,share=on"
			-device nvdimm,memdev=nvdimm)
		;;
	D) devices+=(-device "$OPTARG") ;;
	P) devices+=(-plugin "$OPTARG") ;;
	t) limit=$OPTARG ;;
	p) accel=tcg,thread=multi ;;
	i)
		# With ERMS the kernel copies by rep movsb, and TCG counts one
		# instruction for each byte.
		cpus=1 cpu=max,-erms accel=tcg
		clock=(-icount)
		append+=(tsc=reliable clocksource=tsc)
		;;
	*) die "see the head of $0" ;;
	esac
done
shift $((OPTIND - 1))
if [ -z "$dir" ] || [ $# != 1 ]; then
	die "see the head of $0"
fi
script=$1
[ ${#clock[@]} = 0 ] || clock+=("shift=0,sleep=$idle")

if [ "$boots_system" = yes ]; then
	[ -n "$system" ] || die "-s without -R"
	# shellcheck disable=SC2054 # the commas are QEMU's
	share=(-fsdev "local,id=system,path=$system,security_model=none,readonly=on,multidevs=remap"
		-device virtio-9p-pci,fsdev=system,mount_tag=system)
	append+=(systemd.run=/guest/run.sh)
	modules+=(9pnet_virtio 9p overlay)
fi

if [ -z "$kernel" ]; then
	[ -n "$release" ] || use_stock 6.1
	kernel=$system/boot/vmlinuz-$release
fi

# What differs between the machines. arm64's second serial port needs a driver, which
# Debian's kernels have built in.
case $release in
*-arm64*)
	busybox=$("$top/scripts/build/arm64-system.sh")/bin/busybox
	tools=aarch64-linux-gnu-
	arguments=(console=ttyAMA0)
	status_port=ttyS0
	machine=(qemu-system-aarch64 -machine 'virt,gic-version=3' -cpu cortex-a76)
	status_device=(-device 'pci-serial,chardev=status')
	;;
*)
	busybox=/bin/busybox
	tools=
	# On a host with much to do the kernel may find too few timer interrupts at boot,
	# and would panic.
	arguments=(console=ttyS0 no_timer_check)
	status_port=ttyS1
	machine=(qemu-system-x86_64 -machine pc -cpu "$cpu")
	status_device=(-serial chardev:status)
	;;
esac

rm -rf "$dir"
mkdir -p "$dir/root" "$dir/results"
root=$dir/root

# put_file FILE PATH - copies FILE to PATH in the guest; a module without what a debugger reads,
# which is nearly all of it and makes each insmod slow
put_file() {
	mkdir -p "$root/$(dirname "$2")"
	case $1 in
	*.ko) "${tools}strip" --strip-debug -o "$root/$2" "$1" ;;
	*) cp -L "$1" "$root/$2" ;;
	esac
}

# put_program FILE PATH - copies FILE and its shared libraries
put_program() {
	local library

	put_file "$1" "$2"
	# "name => path (address)", or "path (address)" for the loader
	{ ldd "$1" 2>/dev/null || :; } |
		awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\// { print $1 }' |
		while read -r library; do
			[ -e "$root/$library" ] || put_file "$library" "$library"
		done
}

put_program "$busybox" /bin/busybox
for program in "${programs[@]}"; do
	path=$(command -v "$program") || die "no program $program"
	put_program "$path" "$path"
done
for file in "${files[@]}"; do
	from=${file%%=*}
	[ -f "$from" ] || die "no file $from"
	if [ -x "$from" ] && ldd "$from" >/dev/null 2>&1; then
		put_program "$from" "${file#*=}"
	else
		put_file "$from" "${file#*=}"
	fi
done
mkdir -p "$root/guest"
cp "$top"/scripts/guest/*.sh "$root/guest"
put_file "$top/scripts/guest/init.sh" init
put_file "$script" guest/script
chmod +x "$root/guest/script"
ln -s "/dev/$status_port" "$root/guest/status"
[ "$boots_system" = no ] || touch "$root/guest/system"

# The modules of the results' channel and others, dependencies first. The host's configuration of
# modprobe is not the guest's.
: >"$root/guest/modules"
if [ -n "$release" ]; then
	for module in "${modules[@]}"; do
		modprobe -C /dev/null -n --show-depends -d "$system/" -S "$release" "$module"
	done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }' |
		while read -r module; do
			path=${module#"$system"}
			path=${path%.xz}
			mkdir -p "$root/${path%/*}"
			# busybox's insmod does not decompress.
			case $module in
			*.xz) xz -dc "$module" ;;
			*) cat "$module" ;;
			esac >"$root/$path"
			say "$path" >>"$root/guest/modules"
		done
fi
# A new word in each run, so that an old status cannot be mistaken for this run's.
word=$(od -An -N8 -tx1 /dev/urandom | tr -d ' \n')
say "$word" >"$root/guest/word"
for variable in "${environment[@]}"; do
	printf 'export %s=%q\n' "${variable%%=*}" "${variable#*=}"
done >"$root/guest/environment"

(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) >"$dir/initramfs"
rm -rf "$root"

# The host may run something else, or nothing, for seconds, and meanwhile the guest's clock goes
# on. What the kernel reports in spite of these times hangs; it does so before the guest is given
# up.
arguments+=(loglevel=6 panic=-1 oops=panic sysctl.kernel.hung_task_timeout_secs=300
	rcupdate.rcu_cpu_stall_timeout=300 watchdog_thresh=60)

# make_esp DIR - makes the EFI system partition, from which the signed shim loads the signed
# GRUB, which loads the signed kernel. The initramfs needs no signature.
make_esp() {
	mkdir -p "$1/EFI/BOOT" "$1/EFI/debian"
	cp "$system/usr/lib/shim/shimx64.efi.signed" "$1/EFI/BOOT/BOOTX64.EFI"
	cp "$system/usr/lib/shim/mmx64.efi.signed" "$1/EFI/BOOT/mmx64.efi"
	cp "$system/usr/lib/grub/x86_64-efi-signed/grubx64.efi.signed" \
		"$1/EFI/BOOT/grubx64.efi"
	cp "$kernel" "$1/kernel"
	mv "$dir/initramfs" "$1/initramfs"
	cat >"$1/EFI/debian/grub.cfg" <<-END
	linux /kernel ${arguments[*]} ${append[*]-}
	initrd /initramfs
	boot
	END
}

console="file,path=$dir/console.log"
if [ -n "$uefi" ]; then
	# MokManager is operated by its menus on the console.
	console="stdio,signal=off,logfile=$dir/console.log"
	# MokManager ends by a reset. So that a panic is no reset, too, the guest stays there.
	arguments+=(panic=0)
	make_esp "$dir/esp"
	ovmf=/usr/share/OVMF
	mkdir -p "$uefi"
	[ -e "$uefi/variables" ] ||
		cp "$ovmf/OVMF_VARS_4M.ms.fd" "$uefi/variables"
	machine=(qemu-system-x86_64 -machine 'q35,smm=on' -cpu "$cpu")
	# shellcheck disable=SC2054 # the commas are QEMU's
	boot=(-global driver=cfi.pflash01,property=secure,value=on
		-drive "if=pflash,unit=0,format=raw,readonly=on,file=$ovmf/OVMF_CODE_4M.secboot.fd"
		-drive "if=pflash,unit=1,format=raw,file=$uefi/variables"
		-drive "if=none,id=esp,format=raw,readonly=on,file=fat:$dir/esp"
		-device virtio-blk-pci,drive=esp)
else
	boot=(-no-reboot -kernel "$kernel" -initrd "$dir/initramfs"
		-append "${arguments[*]} ${append[*]-}")
fi
# shellcheck disable=SC2054 # the commas are QEMU's
qemu=(
	"${machine[@]}" -nodefaults -no-user-config -display none "${boot[@]}"
	-accel "$accel" "${clock[@]}" -smp "$cpus" -m "$memory"
	-chardev "$console,id=console" -serial chardev:console
	-chardev "file,id=status,path=$dir/guest-status"
	"${status_device[@]}"
	-device virtio-serial-pci
	-chardev "file,id=results,path=$dir/results.tar"
	-device virtserialport,chardev=results,name=results
	"${disk[@]}" "${share[@]}" "${nvdimm[@]}" "${devices[@]}"
)
if [ -n "$memory_file" ]; then
	# shellcheck disable=SC2054 # the commas are QEMU's
	qemu+=(-object "memory-backend-file,id=ram,size=${memory}M,mem-path=$memory_file,share=on"
		-machine memory-backend=ram)
fi
keys=/dev/null
if [ -n "$password" ]; then
	keys=$dir/keys
	mkfifo "$keys"
	: >"$dir/console.log"
	"$top/scripts/qemu/enrol-mok.py" "$dir/console.log" "$password" >"$keys" &
	children+=($!)
fi

# give_up_if_silent PID - kills a guest that hangs: neither its consoles nor its results grow
give_up_if_silent() {
	local sizes='' before polls

	for ((polls = 0; polls < limit; polls++)); do
		sleep 1 # time: interval of a poll
		before=$sizes
		sizes=$(stat -c %s "$dir"/{console.log,guest-status,results.tar} || :)
		[ "$sizes" = "$before" ] || polls=0
	done
	kill -KILL "$1"
}

"${qemu[@]}" <"$keys" >/dev/null &
pid=$!
say "$pid" >"$dir/pid"
give_up_if_silent "$pid" >/dev/null 2>&1 &
children+=("$pid" $!)
if [ -n "${TRING_FOLLOW-}" ]; then
	tail -q --pid="$pid" -n +1 -F "$dir/console.log" 2>/dev/null &
	children+=($!)
fi
status=0
wait "$pid" || status=$?
forget_child "$pid"
rm -rf "$dir/initramfs" "$dir/esp" "$dir/keys"

# The results of a failed run are unpacked, too: they help to find the cause.
unpacked=yes
tar -xf "$dir/results.tar" -C "$dir/results" 2>/dev/null || unpacked=no
rm -f "$dir/results.tar"
# check.sh prints the slowest tests, those of guests as well.
[ -z "${TRING_TIMES-}" ] ||
	sed "s/ / ${TRING_GROUP-guest}: /" "$dir/results/times" >>"$TRING_TIMES" 2>/dev/null || :

case $status in
0) ;;
137) die "the guest has written nothing for $limit s: $dir/console.log" ;;
*) die "QEMU ended with status $status" ;;
esac
if ! grep -q "^finished $word"$'\r*$' "$dir/guest-status"; then
	tr -d '\r' <"$dir/guest-status" | sed 's/^/guest: /' >&2
	die "the guest has not finished: $dir/console.log"
fi
[ "$unpacked" = yes ] || die "the guest's results did not arrive whole"
