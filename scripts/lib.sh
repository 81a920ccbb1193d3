# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by the other scripts: paths, messages, clean-up and common functions.

set -o errexit -o nounset -o pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cache=${TRING_CACHE:-${HOME:-/root}/.cache/tring}
# For modprobe and others, also without root
PATH=$PATH:/usr/sbin:/sbin

case $cache in
/*) ;;
*) cache=$PWD/$cache ;;
esac
mkdir -p "$cache"
# Used by the scripts that source this file.
# shellcheck disable=SC2034
out=$top/out
# shellcheck disable=SC2034
jobs=${TRING_JOBS:-$(nproc)}

say() {
	printf '%s\n' "$*"
}

die() {
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# lock_cache - taken by scripts that build in the cache and then use the result.
# Otherwise a second run with the same cache could build something else there
# meanwhile. Scripts started by the holder of the lock share it.
lock_cache() {
	[ "${TRING_CACHE_LOCKED-}" != "$cache" ] || return 0
	exec 6>"$cache/lock"
	if ! flock -n 6; then
		say "waiting for another run in $cache (TRING_CACHE=... names another)" >&2
		flock 6
	fi
	export TRING_CACHE_LOCKED=$cache
}

# Children, such as QEMU, that must not outlive the script: process ids, or
# process groups with a minus sign, as kill takes them.
children=()
on_exit=()

stop_children() {
	local pid

	for pid in "${children[@]}"; do
		kill -- "$pid" 2>/dev/null || :
	done
	for pid in "${children[@]}"; do
		wait "${pid#-}" 2>/dev/null || :
	done
	children=()
}

run_on_exit() {
	local status=$?
	local command

	trap - EXIT INT TERM HUP
	stop_children
	for command in "${on_exit[@]}"; do
		$command "$status" || :
	done
	exit "$status"
}
trap run_on_exit EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
trap 'exit 129' HUP

# forget_child CHILD - removes a child that has been waited for
forget_child() {
	local pid kept=()

	for pid in "${children[@]}"; do
		[ "$pid" = "$1" ] || kept+=("$pid")
	done
	children=("${kept[@]}")
}

# with_progress LABEL LOG COMMAND... - runs COMMAND with its output in LOG.
# Meanwhile shows the time and the last line of LOG, live on a terminal, else
# every half a minute. Returns COMMAND's status.
with_progress() {
	local label=$1 log=$2
	local pid status=0 start=$SECONDS shown=$SECONDS last

	shift 2
	mkdir -p "$(dirname "$log")"
	# A process group of its own, so that its children can be stopped, too.
	set -o monitor
	"$@" >"$log" 2>&1 </dev/null &
	pid=$!
	set +o monitor
	children+=("-$pid")
	while kill -0 "$pid" 2>/dev/null; do
		sleep 0.5 & # time: how often the progress is shown
		wait $! || :
		last=$(tail -c 400 "$log" 2>/dev/null | tr -d '\000' |
			tr '\r' '\n' | grep -a '[^[:space:]]' | tail -n 1 || :)
		last=$(printf '%s' "$last" | tr -cd '[:print:]')
		if [ -t 1 ]; then
			printf '\r\033[K%s: %d s  %.60s' "$label" \
				$((SECONDS - start)) "$last"
		elif [ $((SECONDS - shown)) -ge 30 ]; then
			shown=$SECONDS
			printf '%s: %d s  %.60s\n' "$label" \
				$((SECONDS - start)) "$last"
		fi
	done
	wait "$pid" || status=$?
	forget_child "-$pid"
	if [ -t 1 ]; then
		printf '\r\033[K'
	fi
	if [ "$status" = 0 ]; then
		say "$label: done in $((SECONDS - start)) s"
	else
		say "$label: FAILED after $((SECONDS - start)) s, see $log"
	fi
	return "$status"
}

# use_stock SERIES [FLAVOUR] - sets $release, $system and $kdir of a stock kernel of Debian's,
# which is unpacked in the cache (stock-kernel.sh), and $module, where build_stock builds
use_stock() {
	local found

	found=$("$top/scripts/build/stock-kernel.sh" "$@") || die "no stock kernel of $*"
	read -r release system <<<"$found"
	kdir=$system/lib/modules/$release/build
	module=$cache/module-$1${2+-$2}
}

# build_stock SERIES [FLAVOUR] - builds tring.ko and the modules of tests for this stock kernel,
# with warnings as errors. sparse checks what this machine's own compiler builds.
build_stock() {
	local sparse=(C=1 CHECK="$top/scripts/build/sparse.sh")

	use_stock "$@"
	[[ $release != *+deb1[3-9]* && $release != *-arm64* ]] || sparse=()
	"$top/scripts/build/build-module.sh" -o "$module" "$kdir" W=1 KCFLAGS=-Werror \
		"${sparse[@]}" CONFIG_TRING_SAMPLE=m CONFIG_TRING_PREEMPTIBLE_TEST=m \
		CONFIG_TRING_HUNG_CPU_TEST=m \
		CONFIG_TRING_TORTURE_TEST=m CONFIG_TRING_BENCHMARK=m
}

# build_for_guest SERIES - builds the module and the reader for guests with this stock kernel; sets
# what use_stock does, $tring, the reader, and $boot_guest, the command that boots one with both.
# The caller sets $logs.
# shellcheck disable=SC2034,SC2154
build_for_guest() {
	with_progress "tring.ko for Debian's $1" "$logs/build-module.log" build_stock "$1" ||
		return 1
	use_stock "$1"
	with_progress "the reader" "$logs/build-reader.log" \
		"$top/scripts/build/build-reader.sh" all || return 1
	tring=$(tail -n 1 "$logs/build-reader.log")
	boot_guest=("$top/scripts/qemu/qemu-run.sh" -r "$release" -R "$system"
		-f "$module/tring.ko=/guest/tring.ko" -f "$tring=/bin/tring")
}

# tring_version - prints the version, which this one file states
tring_version() {
	sed -n 's/^#define TRING_VERSION[[:space:]]*"\(.*\)"$/\1/p' "$top/uapi/tring_version.h"
}

# list_sources PATH... - prints the source files, relative to the checkout:
# tracked files and new files that are not ignored. Works before a commit, on a
# clean clone, and on an unpacked archive without git.
list_sources() {
	(
		cd "$top"
		if [ -e .git ] && command -v git >/dev/null; then
			git -c safe.directory='*' ls-files -co \
				--exclude-standard -- "$@"
		else
			find "$@" -type f ! -name '*.o' ! -name '*.ko' \
				! -name '*.mod*' ! -name '.*.cmd' \
				! -path './out/*' ! -path './.git*/*' \
				! -path ./tring ! -path './tring-s*'
		fi
	) | sort -u | while read -r file; do
		# git lists deleted files, too
		if [ -f "$top/$file" ]; then
			say "$file"
		fi
	done
}

# graft_sources DIR PATH... - copies the sources under PATH to DIR. Writes only
# files that differ, so that make rebuilds by content: dates mean nothing when
# two checkouts share the cache.
graft_sources() {
	local dir=$1 file old=$1/.grafted new=$1/.grafted.new

	shift
	mkdir -p "$dir"
	list_sources "$@" >"$new"
	while read -r file; do
		cmp -s "$top/$file" "$dir/$file" && continue
		mkdir -p "$(dirname "$dir/$file")"
		rm -f "$dir/$file"
		cp "$top/$file" "$dir/$file"
	done <"$new"
	if [ -f "$old" ]; then
		comm -23 "$old" "$new" | while read -r file; do
			rm -f "$dir/$file"
			# modpost reads all that an object was made of, if it is not made again.
			{ grep -rlF --include='.*.cmd' "/$file" "$dir" || [ $? -eq 1 ]; } |
				while read -r object; do
					rm -f "$object"
				done
		done
	fi
	mv "$new" "$old"
}
