# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by the other scripts: where things are, how they speak, how they
# stop. No work is done here.

set -o errexit -o nounset -o pipefail

top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cache=${TRING_CACHE:-${HOME:-/root}/.cache/tring}
# modprobe and others, for people who are not root
PATH=$PATH:/usr/sbin:/sbin

case $cache in
/*) ;;
*) cache=$PWD/$cache ;;
esac
mkdir -p "$cache"
# Used by those who source this file.
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

# lock_cache - for what builds, and then uses what it has built: a second run with
# the same cache would build something else there meanwhile. A script
# that is started by another one with the lock has it, too.
lock_cache() {
	[ "${TRING_CACHE_LOCKED-}" != "$cache" ] || return 0
	exec 6>"$cache/lock"
	if ! flock -n 6; then
		say "waiting for another run in $cache (TRING_CACHE=... names another)" >&2
		flock 6
	fi
	export TRING_CACHE_LOCKED=$cache
}

# Children that must not outlive the script, QEMU above all: process ids, or
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

# forget_child CHILD - it has been waited for
forget_child() {
	local pid kept=()

	for pid in "${children[@]}"; do
		[ "$pid" = "$1" ] || kept+=("$pid")
	done
	children=("${kept[@]}")
}

# with_progress LABEL LOG COMMAND... - COMMAND's output goes to LOG; meanwhile
# the time and the log's last line are shown: live on a terminal, else a line
# every half a minute. Returns COMMAND's status.
with_progress() {
	local label=$1 log=$2
	local pid status=0 start=$SECONDS shown=$SECONDS last

	shift 2
	mkdir -p "$(dirname "$log")"
	# A process group of its own: what it starts must end with it.
	set -o monitor
	"$@" >"$log" 2>&1 </dev/null &
	pid=$!
	set +o monitor
	children+=("-$pid")
	while kill -0 "$pid" 2>/dev/null; do
		sleep 0.5 &
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

# The newest of Debian's stock 6.1 kernels of which both the image and the
# headers are installed. The real-time and cloud flavours are others.
stock_release() {
	local image release

	for image in $(printf '%s\n' /boot/vmlinuz-6.1.*-amd64 | sort -rV); do
		release=${image#/boot/vmlinuz-}
		case $release in
		*-rt-*|*-cloud-*) continue ;;
		esac
		if [ -r "$image" ] && [ -e "/lib/modules/$release/build" ]; then
			say "$release"
			return 0
		fi
	done
	return 1
}

# Source files of tring, relative to the checkout: tracked ones and new ones
# that are not ignored, so that it works before a commit, on a clean clone and,
# without git, on an unpacked archive.
list_sources() {
	(
		cd "$top"
		if git -c safe.directory='*' rev-parse --is-inside-work-tree \
				>/dev/null 2>&1; then
			git -c safe.directory='*' ls-files -co \
				--exclude-standard -- "$@"
		else
			find "$@" -type f ! -name '*.o' ! -name '*.ko' \
				! -name '*.mod*' ! -name '.*.cmd'
		fi
	) | sort -u | while read -r file; do
		# listed by git, but deleted
		if [ -f "$top/$file" ]; then
			say "$file"
		fi
	done
}

# graft_sources DIR PATH... - copies the sources under PATH to DIR. Only what
# differs is touched, so that make rebuilds by content: a file's date means
# nothing when two checkouts share the cache.
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
		done
	fi
	mv "$new" "$old"
}
