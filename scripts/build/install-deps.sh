#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# install-deps.sh [SET] - installs missing Debian packages of a set, none of them a kernel:
#
#   demo       what builds the module and the reader, and shows them in QEMU: "make demo"
#   check      the same and what "make check" needs; without an argument
#   check-all  the same and what the parts need that are not in "make check"
#   bench      demo, and the peers of "make bench"
#   deb        what "make deb" needs
#
# Prints what it installs; prints nothing if no package is missing.

. "$(dirname "$0")/../lib.sh"

build=(gcc libc6-dev make)
# libkdumpfile.pc names zlib, too, and its package does not; the plugin prints some events
reader=(pkg-config libtracefs-dev libtraceevent-dev libzstd-dev libkdumpfile-dev
	zlib1g-dev libtraceevent1-plugin libsqlite3-dev libedit-dev libdw-dev libiberty-dev)
# libelf1 is for a program of the headers; the rest for a guest and its trace
demo=("${build[@]}" "${reader[@]}" libelf1 kmod cpio xz-utils qemu-system-x86 busybox-static
	babeltrace2)
# a kernel of linux-source's
kernel=(linux-source-6.12 flex bison bc libelf-dev libssl-dev perl python3 rsync)
# dwarves: the headers of 6.12 let modules have BTF, and some probes need the types of the kernel
check=("${demo[@]}" "${kernel[@]}" dwarves zstd git libarchive-dev
	# libFuzzer
	clang libclang-rt-14-dev
	# tools that check tring, and the tracer that it is compared with
	trace-cmd python3-bt2 protobuf-compiler e2fsprogs dmsetup sparse shellcheck spin
	# a program with SQLite that is not tring's, and what follows system calls
	sqlite3 strace
	# what shows the manual and completes command lines
	man-db zsh)
# DuckDB and speedscope, by which tests read, come from npm. A node from elsewhere has its own npm.
command -v npm >/dev/null || check+=(nodejs npm)
deb=("${build[@]}" "${reader[@]}" debhelper dh-dkms dpkg-dev fakeroot)

case ${1:-check} in
demo) packages=("${demo[@]}") ;;
check) packages=("${check[@]}") ;;
check-all)
	# another architecture, and a later Debian, for its kernels; Debian packages and Secure
	# Boot; what loads a capture kernel and saves the core; what makes a /dev/dax
	packages=("${check[@]}" "${deb[@]}" gcc-aarch64-linux-gnu qemu-system-arm debootstrap
		lintian ovmf kexec-tools makedumpfile ndctl)
	;;
bench)
	# LTTng, whose modules bench/lttng.sh builds; rt-tests has hackbench and cyclictest
	packages=("${demo[@]}" "${kernel[@]}" git trace-cmd lttng-tools linux-perf bpftrace
		rt-tests)
	;;
deb) packages=("${deb[@]}") ;;
*) die "unknown set '$1': demo, check, check-all, bench or deb" ;;
esac

# shellcheck disable=SC2016 # dpkg-query's own syntax
installed=" $(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null |
	sed -n 's/^installed //p' | tr '\n' ' ' || :) "
missing=()
for package in "${packages[@]}"; do
	[[ $installed == *" $package "* ]] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

command -v apt-get >/dev/null ||
	die "needs a Debian system; please install: ${missing[*]}"

root=()
if [ "$(id -u)" != 0 ]; then
	command -v sudo >/dev/null ||
		die "neither root nor sudo; as root: apt-get install ${missing[*]}"
	# A password is asked for here: what runs in the background cannot.
	root=(sudo)
	sudo true
fi

install_missing() {
	"${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get \
		-o DPkg::Lock::Timeout=600 -y --no-install-recommends \
		install "${missing[@]}"
}

say "installing: ${missing[*]}"
log=$cache/install-deps.log
# apt may not know them.
if apt-get -s install "${missing[@]}" >/dev/null 2>&1 &&
		with_progress "apt-get install" "$log" install_missing; then
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
