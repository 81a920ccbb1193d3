#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# install-deps.sh [debug | bench | deb | kernels | kdump | nvdimm] - installs missing Debian
# packages that "make demo" and "make check" need, and with an argument those of
# "make check-debug", "make bench", "make deb", "make check-kernels", or of
# scripts/check/kdump.sh or nvdimm.sh. Prints what it installs; prints nothing if no package is
# missing.

. "$(dirname "$0")/../lib.sh"

packages=(
	# the module and its test kernel
	gcc make kmod cpio xz-utils pahole
	linux-image-amd64 linux-headers-amd64 qemu-system-x86 busybox-static
	# the reader
	pkg-config libtracefs-dev libtraceevent-dev libtracecmd-dev libzstd-dev libcmocka-dev
	libarchive-dev libkdumpfile-dev
	# libFuzzer
	clang libclang-rt-14-dev
	# KUnit: a 6.12 tree
	linux-source-6.12 flex bison bc libelf-dev libssl-dev python3 rsync
	# tools that check tring, and the tracer that it is compared with
	trace-cmd babeltrace2 python3-bt2 protobuf-compiler
	e2fsprogs dmsetup sparse shellcheck spin perl git coreutils
	# what shows the manual and completes command lines
	man-db zsh
)
# DuckDB, by which a test reads tables, comes from npm. A node from elsewhere has its own npm.
command -v npm >/dev/null || packages+=(nodejs npm)
case ${1-} in
debug)
	# another architecture: half a gigabyte, needed for nothing else
	packages+=(gcc-aarch64-linux-gnu qemu-system-arm)
	;;
bench)
	# peers: LTTng, whose modules bench/lttng.sh builds, and perf
	packages+=(lttng-tools liblttng-ust-dev linux-perf)
	;;
deb)
	# Debian packages, and a system to install them on
	packages+=(debhelper dh-dkms dpkg-dev fakeroot lintian debootstrap ovmf)
	;;
kernels)
	# a later Debian, for its kernels, and another architecture
	packages+=(debootstrap gcc-aarch64-linux-gnu qemu-system-arm)
	;;
kdump)
	# what loads a capture kernel, and what saves the core there
	packages+=(kexec-tools makedumpfile)
	;;
nvdimm)
	# makes a /dev/dax of an NVDIMM
	packages+=(ndctl)
	;;
'') ;;
*) die "unknown argument '$1': debug, bench, deb, kernels, kdump, nvdimm or none" ;;
esac

missing=()
for package in "${packages[@]}"; do
	# shellcheck disable=SC2016 # dpkg-query's own syntax
	state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || :
	if [ "$state" != installed ]; then
		missing+=("$package")
	fi
done
[ ${#missing[@]} -gt 0 ] || exit 0

command -v apt-get >/dev/null ||
	die "needs a Debian system; please install: ${missing[*]}"

root=()
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null ||
		die "neither root nor sudo; as root: apt-get install ${missing[*]}"
	root=(sudo)
fi

install_missing() {
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get \
		-o DPkg::Lock::Timeout=600 -y --no-install-recommends \
		install "${missing[@]}"
}

say "installing: ${missing[*]}"
log=$cache/install-deps.log
known=yes
for package in "${missing[@]}"; do
	apt-cache show "$package" >/dev/null 2>&1 || known=no
done
if [ "$known" = yes ] && with_progress "apt-get install" "$log" install_missing
then
	exit 0
fi

# The package lists are missing or out of date.
with_progress "apt-get update" "$cache/apt-update.log" \
	"${root[@]}" apt-get -o DPkg::Lock::Timeout=600 update ||
	die "apt-get update failed, see $cache/apt-update.log"
with_progress "apt-get install" "$log" install_missing || {
	tail -n 5 "$log" >&2
	die "apt-get install failed, see $log"
}
