#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# lttng.sh - builds LTTng's modules for Debian's stock 6.1 from the package
# lttng-modules-dkms, and prints the build folder. modprobe finds the modules there
# in modules/lib/modules/RELEASE/extra. The file guest-arguments there has, one a line,
# the arguments of qemu-run.sh that put the modules and LTTng's tools into a guest.
#
# The package is unpacked, not installed, because dkms would build it for the host.
# A probe that does not compile on this kernel is left out and named on stderr. Any
# other file that does not compile is an error.

. "$(dirname "$0")/../lib.sh"

use_stock 6.1
package=$cache/lttng-package
dir=$cache/lttng-$release
modules=$dir/modules/lib/modules/$release
probes=$dir/src/probes/Kbuild
tools=(/usr/bin/lttng /usr/bin/lttng-sessiond
	/usr/lib/x86_64-linux-gnu/lttng/libexec/lttng-consumerd)
schema=/usr/share/xml/lttng/session.xsd
for file in "${tools[@]}" "$schema"; do
	[ -e "$file" ] || die "no $file: run scripts/build/install-deps.sh bench"
done
exec 9>"$cache/lttng.lock"
flock 9

if [ ! -e "$package/complete" ]; then
	rm -rf "$package"
	mkdir -p "$package"
	(cd "$package" && apt-get download lttng-modules-dkms >&2) ||
		die "apt-get download lttng-modules-dkms failed"
	dpkg-deb -x "$package"/*.deb "$package/root"
	touch "$package/complete"
fi
sources=("$package"/root/usr/src/lttng-modules-*)
[ -e "${sources[0]}/src/Kbuild" ] || die "$package has no sources"

if [ ! -e "$dir/complete" ]; then
	rm -rf "$dir"
	cp -a "${sources[0]}" "$dir"
	for _ in 1 2 3; do
		status=0
		make -C "$kdir" M="$dir" CONFIG_LTTNG=m -k -j "$jobs" modules \
			>"$dir/build.log" 2>&1 || status=$?
		[ "$status" != 0 ] || break
		# "make[3]: *** [...: .../src/probes/lttng-probe-timer.o] Error 1"
		broken=$(sed -n 's|.*/src/probes/\(lttng-probe-[^/]*\.o\)\] Error .*|\1|p' \
			"$dir/build.log")
		[ -n "$broken" ] || break
		for object in $broken; do
			say "LTTng: ${object%.o} does not compile for $release: left out" \
				| tee -a "$dir/left-out" >&2
			sed -i "/[ =]$object *\$/d" "$probes"
		done
	done
	[ "$status" = 0 ] || die "LTTng does not compile, see $dir/build.log"
	mkdir -p "$modules/extra"
	find "$dir/src" -name '*.ko' -exec cp -t "$modules/extra" {} +
	for file in modules.builtin modules.builtin.modinfo modules.order; do
		if [ -e "$system/lib/modules/$release/$file" ]; then
			cp "$system/lib/modules/$release/$file" "$modules/"
		fi
	done
	depmod -b "$dir/modules" "$release"
	touch "$dir/complete"
else
	cat "$dir/left-out" >&2 2>/dev/null || :
fi
{
	for file in "$modules"/modules.* "$modules"/extra/*.ko; do
		printf '%s\n' -f "$file=/lib/modules/$release/${file#"$modules"/}"
	done
	for file in "${tools[@]}"; do
		printf '%s\n' -b "$file"
	done
	printf '%s\n' -f "$schema=$schema"
} >"$dir/guest-arguments"
say "$dir"
