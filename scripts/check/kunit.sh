#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# kunit.sh um|x86_64|arm64|debug|debug-module|kcsan [--build-only] [KUNIT.PY-ARGUMENT...] -
# runs tring's KUnit suites on linux-source-6.12.
#
#   um      User-mode Linux: one CPU, native, the fastest
#   x86_64  QEMU, 4 CPUs, preemptible
#   arm64   cross-compiled: the generic local_t, other atomics
#   debug   x86_64 with KASAN, lockdep and kmemleak, which scans after the suites
#   debug-module  the kernel of debug without tring, for tring.ko: --build-only
#   kcsan   x86_64 with KCSAN, strict, and with weak memory modelled
#
# Each kind has a build of its own, whose folder --build-only prints. The last line is
# "kunit-KIND: N passed, N failed, N skipped". kunit.py parses the kernel's output,
# so an incomplete run counts as failed. A run also fails if the console has a
# warning, or does not show that the instrumentation of the kind was on.

. "$(dirname "$0")/../lib.sh"

kind=${1-}
shift || :
build_only=no
if [ "${1-}" = --build-only ]; then
	build_only=yes
	shift
fi

configs=(.kunitconfig)
arguments=() run_arguments=()
# For kernels that are ten times slower.
slow=tring.stress_ms=15000
cpus=1

# on_qemu ARCHITECTURE SECONDS PARAMETERS - 4 CPUs with a host thread each
on_qemu() {
	configs+=(smp.config)
	[ "$1" = arm64 ] || configs+=(x86.config)
	arguments+=(--arch="$1")
	run_arguments+=(--timeout="$2"
		--qemu_args="-accel tcg,thread=multi -smp 4 $3")
	cpus=4
}

case $kind in
um)
	configs+=(um.config)
	arguments+=(--arch=um)
	run_arguments+=(--timeout=1800)
	;;
x86_64)
	on_qemu x86_64 1800 '-cpu max'
	;;
arm64)
	# kunit.py names the processor.
	on_qemu arm64 3600 ''
	configs+=(arm64.config)
	arguments+=(--cross_compile=aarch64-linux-gnu-)
	run_arguments+=(--kernel_args="$slow")
	;;
debug)
	on_qemu x86_64 3600 '-cpu max -m 2048'
	configs+=(debug.config)
	;;
debug-module)
	[ "$build_only" = yes ] || die "debug-module has no suites: --build-only"
	configs=(without-tring.config)
	on_qemu x86_64 3600 ''
	configs+=(debug.config)
	;;
kcsan)
	on_qemu x86_64 3600 '-cpu max'
	configs+=(kcsan.config)
	run_arguments+=(--kernel_args="$slow")
	;;
*)
	die "unknown kind '$kind': um, x86_64, arm64, debug, debug-module or kcsan"
	;;
esac

logs=${TRING_LOGS:-$out/kunit-$kind}
lock_cache
tree=$("$top/scripts/build/shadow-tree.sh")
# A kernel for each version and configuration; one that is not used for a month goes.
configs=("${configs[@]/#/$top/kunit-tests/}")
build=$cache/kunit-$kind-$(cat "$tree/.tring-source" "${configs[@]}" | sha256sum | cut -c1-12)
mkdir -p "$logs" "$build"
touch "$build"
find "$cache" -maxdepth 1 -name "kunit-$kind-*" -mtime +30 -exec rm -rf {} +
cd "$tree"
arguments+=("${configs[@]/#/--kunitconfig=}" --build_dir="$build")

# One build at a time in one folder: another group may ask for this kernel, too.
exec 9>"$build.lock"
flock 9
with_progress "kunit-$kind: building" "$logs/build.log" \
	./tools/testing/kunit/kunit.py build "${arguments[@]}" --jobs="$jobs" || {
	grep -aE 'error|Error|\*\*\*|rror:' "$logs/build.log" | head -n 20 >&2 || :
	say "kunit-$kind: 0 passed, 1 failed, 0 skipped"
	exit 1
}
# kunit.py does not notice options that the configuration has dropped.
options=(TRING TRING_KUNIT_TEST)
[ "$kind" != debug-module ] ||
	options=(EVENT_TRACING KASAN FUNCTION_TRACER FTRACE_SYSCALLS UPROBE_EVENTS)
for option in "${options[@]}"; do
	grep -q "^CONFIG_$option=y" "$build/.config" ||
		die "CONFIG_$option is not in $build/.config"
done
exec 9>&-
if [ "$build_only" = yes ]; then
	say "$build"
	exit
fi

# kmemleak scans on request from user space, so this kernel gets an initramfs and
# has to go on after the suites. It needs a command line of its own for that,
# because the command line of kunit.py ends with kunit_shutdown=reboot.
if [ "$kind" = debug ]; then
	[ $# = 0 ] || die "debug does not pass arguments to kunit.py"
	guest=$build/guest
	rm -rf "$guest"
	mkdir -p "$guest/bin"
	cp /bin/busybox "$guest/bin/"
	cp "$top/scripts/guest/leaks.sh" "$guest/init"
	cp "$top/scripts/guest/kmemleak.sh" "$guest/"
	cp "$build/samples/kmemleak/kmemleak-test.ko" "$guest/"
	(cd "$guest" && find . | cpio --quiet -o -H newc -R 0:0) >"$build/initramfs"
	run_arguments+=(--qemu_args="-initrd $build/initramfs
		-append 'console=ttyS0 kunit.enable=1 panic=-1 $slow'")
fi

status=0
rm -f "$build/test.log" "$logs/results.json" "$logs/console"*.log
with_progress "kunit-$kind: running" "$logs/run.log" \
	./tools/testing/kunit/kunit.py exec "${arguments[@]}" \
	"${run_arguments[@]}" --json="$logs/results.json" "$@" || status=$?
cp "$build/test.log" "$logs/console.log" 2>/dev/null || :

# "Ran 9 tests: passed: 7, failed: 1, crashed: 1, skipped: 0, errors: 0"
summary=$(grep -a 'Ran [0-9]* tests:' "$logs/run.log" | tail -n 1) || :
count() {
	printf '%s' "$summary" | grep -oE "$1: [0-9]+" | grep -oE '[0-9]+' || say 0
}
passed=$(count passed)
skipped=$(count skipped)
failed=$(($(count failed) + $(count crashed) + $(count errors)))

console=$logs/console.log
if ! "$top/scripts/qemu/judge-console.sh" "$kind" "$console" "$logs" \
		"$build/tring/built-in.a"; then
	failed=$((failed + 1))
fi
if [ "$cpus" != 1 ] && ! grep -aq "Brought up 1 node, $cpus CPUs" "$console"; then
	say "the kernel has not had $cpus CPUs"
	failed=$((failed + 1))
fi
if [ "$kind" = debug ]; then
	for text in 'none found' 'those on purpose are seen'; do
		if grep -aqE "^leaks: $text"$'\r?$' "$console"; then
			passed=$((passed + 1))
		else
			say "the console does not say: leaks: $text"
			failed=$((failed + 1))
		fi
	done
fi
if [ "$failed" = 0 ] && { [ "$status" != 0 ] || [ "$passed" = 0 ]; }; then
	failed=$((failed + 1))
fi
if [ "$failed" != 0 ]; then
	grep -aE '\[(FAILED|CRASHED)\]|EXPECTATION FAILED|ASSERTION FAILED|ERROR' \
		"$logs/run.log" | head -n 40 || :
	tail -n 5 "$logs/run.log"
fi
say "kunit-$kind: $passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ]
