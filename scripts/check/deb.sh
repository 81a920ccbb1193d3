#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# deb.sh - "make check-deb", as root: builds the Debian packages, installs them in a
# Debian 12 of its own with one kernel, and installs two more kernels, for which DKMS
# builds the module. Boots each kernel in QEMU with the installed module, traces the boot and
# records; runs the packages' own test by autopkgtest; boots with Secure Boot, without and
# with DKMS's key. Purging leaves nothing. The last line is "deb: N passed, N failed, N skipped".
#
# TRING_DEB_KERNELS names other kernels, the first one first: releases such as 6.1.0-47, or
# series such as 6.12, of which it is the newest.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

[ "$(id -u)" = 0 ] || die "debootstrap and chroot need root"
"$top/scripts/build/install-deps.sh" check-all
exec 8>"$cache/debian-12.lock"
flock 8
tested=deb logs=$out/check-deb
mkdir -p "$logs"
read -r -a kernels <<<"${TRING_DEB_KERNELS:-6.1.0-47 6.1 6.12}"
releases=()

# The bare system is kept in the cache. Each run writes to a layer above it.
base=$cache/debian-12
layer=$cache/debian-12-layer
root=$layer/root

make_base() {
	[ ! -e "$base/.complete" ] || return 0
	rm -rf "$base"
	debootstrap --variant=minbase \
		--include=dkms,gcc,make,kmod,ca-certificates,systemd-sysv,udev \
		bookworm "$base" || return 1
	cat >"$base/etc/apt/sources.list" <<-END
	deb http://deb.debian.org/debian bookworm main
	deb http://deb.debian.org/debian-security bookworm-security main
	END
	# No daemon starts.
	printf '#!/bin/sh\nexit 101\n' >"$base/usr/sbin/policy-rc.d"
	chmod +x "$base/usr/sbin/policy-rc.d"
	touch "$base/.complete"
}

unmount_root() {
	local folder

	for folder in proc dev ''; do
		mountpoint -q "$root/$folder" && umount "$root/$folder"
	done
	return 0
}

mount_root() {
	unmount_root
	rm -rf "$layer"
	mkdir -p "$layer/upper" "$layer/work" "$root"
	mount -t overlay overlay \
		-o "lowerdir=$base,upperdir=$layer/upper,workdir=$layer/work" "$root" &&
		mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev"
}

# in_root COMMAND... - INITRD: the guests have an initramfs of their own.
in_root() {
	chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
		DEBIAN_FRONTEND=noninteractive INITRD=No "$@"
}

apt_install() {
	in_root apt-get -y --no-install-recommends install "$@"
}

lintian_is_silent() {
	local said

	said=$(lintian --fail-on none "$out"/deb/*.changes 2>&1) || return 1
	! grep '^[EWI]: ' <<<"$said"
}

# A kernel before 6.1 is excluded, a later one is not.
kernels_are_excluded() {
	local release pattern

	pattern=$(sed -n 's/^BUILD_EXCLUSIVE_KERNEL="\(.*\)"$/\1/p' "$top/debian/tring-dkms.dkms")
	for release in 6.1.0-47-amd64 6.12.107+deb12-amd64 6.6.13 7.3.4+deb13-amd64 10.0.1; do
		[[ $release =~ $pattern ]] || { say "excluded: $release"; return 1; }
	done
	for release in 5.10.0-30-amd64 4.19.0-27-amd64 6.0.12 5.19.6; do
		[[ ! $release =~ $pattern ]] || { say "not excluded: $release"; return 1; }
	done
}

# Prints tring's files, also those of the system that no package owns.
tring_files() {
	(cd "$root" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./var/cache \
		-o -path ./var/log -o -path ./packages \) -prune \
		-o -print | grep -E '/(lib|_)?tring')
}

installs_packages() {
	mkdir -p "$root/packages"
	cp "$out"/deb/*.deb "$root/packages/"
	rm -f "$root"/packages/*-dbgsym_*
	in_root apt-get update && apt_install babeltrace2 &&
		in_root sh -c 'apt-get -y --no-install-recommends install /packages/*.deb'
}

# find_releases - sets $releases: of each kernel the newest that apt knows in there
find_releases() {
	local kernel pattern release

	for kernel in "${kernels[@]}"; do
		pattern=${kernel//./\\.}'([.+-][0-9][^-]*)*-amd64'
		release=$(in_root apt-cache pkgnames "linux-headers-$kernel" |
			sed -nE "s/^linux-headers-($pattern)\$/\1/p" | sort -V | tail -n 1)
		[ -n "$release" ] || { say "apt knows no kernel $kernel"; return 1; }
		releases+=("$release")
	done
}

# has_module RELEASE - DKMS has installed and signed it, and depmod knows it
has_module() {
	in_root dkms status -m tring -k "$1" | tee /dev/stderr | grep -c ': installed' &&
		[ "$(in_root modinfo -k "$1" -F vermagic tring | cut -d' ' -f1)" = "$1" ] &&
		[ "$(in_root modinfo -k "$1" -F signer tring)" = "DKMS module signing key" ] &&
		[ -s "$root/var/lib/dkms/tring/$(tring_version)/$1/x86_64/Module.symvers" ]
}

# With the headers behind the image, as an upgrade of the two meta-packages brings them.
kernel_gets_module() {
	apt_install "linux-image-$1" "linux-headers-$1" && has_module "$1"
}

# example_of FILE - prints what tring(4) shows as the content of FILE, where it traces the boot:
# the black box has other lines for the same file
example_of() {
	awk -v file="${1//-/\\\\-}" '
		/^\.SH / { boot = /TRACING THE BOOT/ }
		boot && index($0, file) { found = 1 }
		/^\.fi/ { shown = 0 }
		shown
		found && /^\.nf/ { shown = 1; found = 0 }' "$top/docs/man/tring.4"
}

follows_the_manual() {
	local file

	for file in /etc/modules-load.d/tring.conf /etc/modprobe.d/tring.conf; do
		example_of "$file" | tee "$root$file"
		[ -s "$root$file" ] || return 1
	done
}

boots_and_records() {
	boot "$1" "$1" installed.sh -f "$top/debian/tests/record=/guest/record"
}

# boot NAME RELEASE SCRIPT [OPTION]... - boots the system and runs SCRIPT in it. On a host with
# much to do the kernel measures its delay loop wrongly, and each character of the console
# takes a delay: lpj= says how long the loop is.
boot() {
	local dir=$logs/guest-$1 release=$2 script=$3 status=0

	shift 3
	"$top/scripts/qemu/qemu-run.sh" -R "$root" -s -r "$release" -o "$dir" -t 1800 \
		-a lpj=4000000 "$@" "$top/scripts/guest/$script" || status=$?
	cat "$dir/results/said"
	"$top/scripts/qemu/console-badness.sh" "$dir/console.log" && [ "$status" = 0 ]
}

# The dependencies of the test are installed here, with the network.
autopkgtest_passes() {
	local changelog

	changelog=$cache/deb/tring-$(tring_version)/debian/changelog
	apt_install autopkgtest linux-headers-amd64 &&
		boot autopkgtest "${releases[-1]}" autopkgtest.sh \
			-f "$top/debian/control=/guest/tree/debian/control" \
			-f "$changelog=/guest/tree/debian/changelog" \
			-f "$top/debian/tests/control=/guest/tree/debian/tests/control" \
			-f "$top/debian/tests/record=/guest/tree/debian/tests/record" &&
		[ "$(sed -n 's/^record *//p' "$logs/guest-autopkgtest/results/summary")" = PASS ]
}

# mokutil asks in the first boot for the key that the second one has.
secure_boot_refuses_module() {
	rm -rf "$logs/uefi"
	apt_install shim-signed grub-efi-amd64-signed mokutil &&
		boot refused "${releases[-1]}" secure-boot.sh -u "$logs/uefi" -e PASSWORD="$1"
}

secure_boot_takes_module() {
	boot enrolled "${releases[-1]}" installed.sh -u "$logs/uefi" -x "$1" \
		-f "$top/debian/tests/record=/guest/record" &&
		grep '^tring on .*\[integrity\]' "$logs/guest-enrolled/results/said"
}

example_is_built() {
	cp -r "$root/usr/share/doc/tring-dkms/examples/module" "$root/root/module" || return 1
	in_root make -C /root/module KDIR="/lib/modules/${releases[0]}/build" \
		>"$logs/example" 2>&1 || { cat "$logs/example"; return 1; }
	! grep -i warning "$logs/example" &&
		[ "$(modinfo -F depends "$root/root/module/tring_sample.ko")" = tring ] &&
		rm -r "$root/root/module"
}

# With what libtring-dev brings, and a compiler and pkg-config.
library_builds_examples() {
	local name

	apt_install pkg-config libc6-dev || return 1
	cp -r "$top/userspace-reader/tests/golden/trace-0.1" "$root/root/trace" || return 1
	for name in event_rates longest_wait fields_csv; do
		# shellcheck disable=SC2016 # expanded by the inner shell
		in_root sh -c 'cc -Wall -Wextra -Werror -o "/root/$1" \
			"/usr/share/doc/libtring-dev/examples/$1.c" \
			$(pkg-config --cflags --libs libtring)' sh "$name" || return 1
	done
	in_root /root/event_rates /root/trace && in_root /root/longest_wait /root/trace &&
		[ "$(in_root /root/fields_csv /root/trace sched:sched_switch | wc -l)" = 29 ] &&
		# what a package needs that is linked with it
		grep '^libtring 1 libtring1 ' "$root"/var/lib/dpkg/info/libtring1:*.shlibs &&
		rm -r "$root"/root/*
}

purge_leaves_nothing() {
	local release

	in_root apt-get -y purge tring tring-dkms libtring-dev libtring1 || return 1
	# what the user wrote
	rm "$root/etc/modules-load.d/tring.conf" "$root/etc/modprobe.d/tring.conf"
	tring_files && return 1
	for release in "${releases[@]}"; do
		! grep '/tring\.ko' "$root/lib/modules/$release/modules.dep" || return 1
	done
}

on_exit+=(unmount_root)
needed "$top/scripts/deb.sh"
judge "lintian is silent" lintian_is_silent
judge "BUILD_EXCLUSIVE_KERNEL excludes kernels before 6.1" kernels_are_excluded
needed with_progress "Debian 12" "$logs/debootstrap.log" make_base
mount_root || die "cannot mount $root"
judge "the packages are installed" installs_packages
needed find_releases
judge "tring(4) has the files that trace the boot" follows_the_manual
for release in "${releases[@]}"; do
	judge "DKMS builds the module for $release" kernel_gets_module "$release"
	judge "$release boots, is traced from then on, and records" boots_and_records "$release"
done
judge "the module of the first kernel is still there" has_module "${releases[0]}"
judge "autopkgtest passes" autopkgtest_passes
judge "Secure Boot refuses the module" secure_boot_refuses_module not-a-secret
judge "Secure Boot takes it once the key is enrolled" secure_boot_takes_module not-a-secret
judge "a module is built against DKMS's Module.symvers" example_is_built
judge "programs are built with libtring-dev and read a trace" library_builds_examples
judge "purging leaves nothing" purge_leaves_nothing
count_tests
