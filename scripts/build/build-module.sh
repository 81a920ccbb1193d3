#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# build-module.sh [-o DIR] [KDIR] [MAKE-ARGUMENT...] - builds tring.ko outside
# the checkout and prints its path.
#
# KDIR is a kernel's build folder, by default the running kernel's. The sources are copied
# to DIR, and the objects stay there for the next build. The kernel's make is not started if
# nothing has changed since the last build. V=1 shows its commands, and which events have no
# probe; else DIR/left-out has these.

. "$(dirname "$0")/../lib.sh"

dir=
if [ "${1-}" = -o ]; then
	dir=$2
	shift 2
fi

kdir=${1:-/lib/modules/$(uname -r)/build}
shift || :
if [ ! -e "$kdir/Makefile" ] && [ "$kdir" = "/lib/modules/$(uname -r)/build" ]; then
	die "no tring.ko: the running kernel $(uname -r) has no headers here. Install" \
		"linux-headers-$(uname -r) (Fedora: kernel-devel), or name a kernel: KDIR=..."
fi
[ -e "$kdir/Makefile" ] || die "$kdir is no kernel build folder"
kdir=$(cd "$kdir" && pwd -P)

release=$(cat "$kdir/include/config/kernel.release") ||
	die "$kdir has not been configured"
: "${dir:=$cache/module-$release}"
stamp=$dir/.built

# The headers of a kernel for a later Debian than this one have programs that do not run
# here. Other systems have no such headers.
system=()
case $release in
*+deb1[3-9]*)
	if [ "$(. /etc/os-release && say "${ID-}${VERSION_ID-}")" = debian12 ]; then
		system=("$top/scripts/build/debian-13.sh")
	fi
	;;
esac

# Another machine's kernel; the headers of some name their compiler, those of 6.1 do not.
machine=()
if grep -qx CONFIG_ARM64=y "$kdir/include/config/auto.conf" && [ "$(uname -m)" != aarch64 ]; then
	machine=(ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-)
fi

mkdir -p "$dir"
# One build at a time in one folder.
exec 9>"$dir/.lock"
flock 9
sources=(Kbuild kmod uapi kunit-tests scripts/build/{probe-events,private-struct,kernel-btf}.sh)
# Options and variables of make's command line, but for its jobs: they are not handed down.
MAKEFLAGS=$(sed -E 's/ *(-j[0-9]*|--jobserver-[a-z]*=[^ ]*)//g' <<<"${MAKEFLAGS-}")
export MAKEFLAGS
# What the build depends on, but for files
wanted="$top $kdir $release $* ${KCFLAGS-} $MAKEFLAGS"

# is_built - the last build was the same, and no file of it has changed since: its ctime cannot
# be set back. A folder's changes when a file comes or goes. A kernel whose headers change has
# another Module.symvers or vmlinux once it is built.
is_built() {
	local changed

	[ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && [ -e "$dir/modules.order" ] || return 1
	changed=$(cd "$top" && find "${sources[@]}" scripts/build -cnewer "$stamp")
	changed+=$(find "$kdir"/{Makefile,.config,Module.symvers,vmlinux} \
		-cnewer "$stamp" 2>/dev/null)
	[ -z "$changed" ]
}

# Paths are those of the checkout, so that an editor finds what a warning names.
build() {
	"${system[@]}" make --no-print-directory -C "$kdir" M="$dir" "${machine[@]}" \
		CONFIG_TRING=m -j "$jobs" "$@" modules 2>&1 |
		sed -u "/^Skipping BTF generation/d; s|$dir/||g" >&2
}

if ! is_built; then
	rm -f "$stamp"
	say "$wanted" >"$stamp.new"
	graft_sources "$dir" "${sources[@]}"
	build "$@"
	# a module of the ring alone has no probes
	find "$dir/kmod" -name '*.left-out' -exec sed -n 's|^// ||p' {} + >"$dir/left-out"
	[ ! -s "$dir/left-out" ] ||
		say "  events without a probe, of" \
			"$(sed 's/:.*//' "$dir/left-out" | sort -u | xargs): $dir/left-out" >&2
	mv "$stamp.new" "$stamp"
fi
say "$dir/tring.ko"
