#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# deb.sh - "make check-deb", as root: builds the Debian packages, installs them in a
# Debian 12 of its own with one kernel, and installs two more kernels, for which DKMS
# builds the module. Boots each kernel in QEMU with the installed module and records.
# Purging leaves nothing. The last line is "deb: N passed, N failed, N skipped".
#
# TRING_DEB_KERNELS names other kernels, the first one first.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

[ "$(id -u)" = 0 ] || die "debootstrap and chroot need root"
"$top/scripts/build/install-deps.sh"
"$top/scripts/build/install-deps.sh" deb
exec 8>"$cache/debian-12.lock"
flock 8
logs=$out/check-deb
mkdir -p "$logs"
read -r -a releases <<<"${TRING_DEB_KERNELS:-6.1.0-47-amd64 6.1.0-56-amd64 6.12.107+deb12-amd64}"

# The bare system is kept in the cache. Each run writes to a layer above it.
base=$cache/debian-12
layer=$cache/debian-12-layer
root=$layer/root

make_base() {
	[ ! -e "$base/.complete" ] || return 0
	rm -rf "$base"
	debootstrap --variant=minbase --include=dkms,gcc,make,kmod,ca-certificates \
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
	in_root apt-get update &&
		in_root sh -c 'apt-get -y --no-install-recommends install /packages/*.deb'
}

# has_module RELEASE - DKMS has installed it, and depmod knows it
has_module() {
	in_root dkms status -m tring -k "$1" | tee /dev/stderr | grep -c ': installed' &&
		[ "$(in_root modinfo -k "$1" -F vermagic tring | cut -d' ' -f1)" = "$1" ] &&
		[ -s "$root/var/lib/dkms/tring/0.1/$1/x86_64/Module.symvers" ]
}

# With the headers behind the image, as an upgrade of the two meta-packages brings them.
kernel_gets_module() {
	apt_install "linux-image-$1" "linux-headers-$1" && has_module "$1"
}

boots_and_records() {
	local dir=$logs/guest-$1

	"$top/scripts/qemu/qemu-run.sh" -R "$root" -r "$1" -l tring -o "$dir" -t 900 \
		-f "$root/usr/bin/tring=/usr/bin/tring" "$top/scripts/guest/installed.sh" ||
		return 1
	cat "$dir/results/said"
	"$top/scripts/qemu/console-badness.sh" "$dir/console.log"
}

example_is_built() {
	cp -r "$root/usr/share/doc/tring-dkms/examples/module" "$root/root/module" || return 1
	in_root make -C /root/module KDIR="/lib/modules/${releases[0]}/build" \
		>"$logs/example" 2>&1 || { cat "$logs/example"; return 1; }
	! grep -i warning "$logs/example" &&
		[ "$(modinfo -F depends "$root/root/module/tring_sample.ko")" = tring ] &&
		rm -r "$root/root/module"
}

purge_leaves_nothing() {
	local release

	in_root apt-get -y purge tring tring-dkms libtring-parse-dev || return 1
	tring_files && return 1
	for release in "${releases[@]}"; do
		! grep '/tring\.ko' "$root/lib/modules/$release/modules.dep" || return 1
	done
}

on_exit+=(unmount_root)
"$top/scripts/deb.sh" || { failed=1; count_tests deb; }
judge "lintian is silent" lintian_is_silent
judge "BUILD_EXCLUSIVE_KERNEL excludes kernels before 6.1" kernels_are_excluded
with_progress "Debian 12" "$logs/debootstrap.log" make_base || { failed=1; count_tests deb; }
mount_root || die "cannot mount $root"
judge "the packages are installed" installs_packages
for release in "${releases[@]}"; do
	judge "DKMS builds the module for $release" kernel_gets_module "$release"
	judge "$release boots and records" boots_and_records "$release"
done
judge "the module of the first kernel is still there" has_module "${releases[0]}"
judge "a module is built against DKMS's Module.symvers" example_is_built
judge "purging leaves nothing" purge_leaves_nothing
count_tests deb
