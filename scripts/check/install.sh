#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# install.sh - tests what "make install" installs: builds a program and a module against
# it, shows each manual page, completes command lines, and uninstalls it all. The last
# line is "install: N passed, N failed, N skipped".

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

begin_tests install
rm -rf "${logs:?}"/*
root=$logs/root
prefix=/opt/test
use_stock 6.1

run_install() {
	"$top/scripts/install.sh" -m "$module" "$1" "$root" "$prefix" \
		module headers reader library
}

installs() {
	build_stock 6.1 && run_install install
}

# The packages and the tarball have this name, and their users look there.
news_begin_with_the_version() {
	[ "$(sed -n '/^## /{s/^## \([0-9.]*\).*/\1/p;q}' "$top/NEWS.md")" = "$(tring_version)" ]
}

module_is_stripped() {
	local ko=$root/lib/modules/$release/updates/tring.ko

	[ "$(modinfo -F name "$ko")" = tring ] || return 1
	objdump -h "$ko" >"$logs/sections" || return 1
	! grep '\.debug' "$logs/sections" || return 1
	# kallsyms and the stacks of an oops need its symbols
	nm "$ko" | grep ' t .*fill_\| T tring_' >/dev/null
}

program_is_built_by_pkg_config() {
	local said
	local -x PKG_CONFIG_PATH=$root$prefix/lib/pkgconfig PKG_CONFIG_SYSROOT_DIR=$root

	[ "$(pkg-config --modversion libtring)" = \
		"$("$root$prefix/bin/tring" --version | sed 's/^tring \([^,]*\),.*/\1/')" ] ||
		return 1
	# shellcheck disable=SC2046 # words
	cc -Wall -Wextra -Werror -o "$logs/fields_csv" \
		"$root$prefix/share/doc/tring/fields_csv.c" \
		$(pkg-config --cflags --libs libtring) || return 1
	said=$(LD_LIBRARY_PATH=$root$prefix/lib "$logs/fields_csv" \
		"$top/userspace-reader/tests/golden/trace-0.1" sched:sched_switch) || return 1
	[ "$(wc -l <<<"$said")" = 29 ]
}

# Whatever else is in the library is its own.
library_exports_the_header() {
	nm -D --defined-only "$root$prefix/lib/libtring.so.1" |
		sed -n 's/.* T \([a-z_]*\)@.*/\1/p' | sort >"$logs/exported"
	grep -oE '\btring_[a-z_]+\(' "$root$prefix/include/tring.h" | tr -d '(' | sort -u \
		>"$logs/declared"
	[ -s "$logs/exported" ] && diff "$logs/declared" "$logs/exported"
}

# Both files of the folder are copied, as the Makefile says.
module_is_built_against_headers() {
	local dir=$logs/module

	mkdir "$dir"
	cp "$root$prefix"/share/doc/tring/module/* "$dir" || return 1
	make -C "$dir" KDIR="$kdir" \
		TRING="$root$prefix/src/tring" KCFLAGS=-Werror >"$dir/make.log" 2>&1 || {
		cat "$dir/make.log"
		return 1
	}
	cat "$dir/make.log"
	# modpost warns of a symbol that it does not find, and of a missing namespace
	! grep -i 'warning' "$dir/make.log" &&
		[ "$(modinfo -F depends "$dir/tring_sample.ko")" = tring ]
}

pages_have_no_warning() {
	local page said count=0

	for page in "$root$prefix"/share/man/man?/*.?; do
		said=$(LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null) ||
			return 1
		[ -z "$said" ] || { say "$page: $said"; return 1; }
		# apropos finds it
		lexgrog "$page" || return 1
		count=$((count + 1))
	done
	[ "$count" = "$(find "$top/docs/man" -name '*.?' | wc -l)" ]
}

# page_of COMMAND - prints the text of the page with the command's options
page_of() {
	local folder=$root$prefix/share/man/man1 pages

	case $1 in
	# their options are those of record
	start | arm) pages=(start record) ;;
	stop | restart | snapshot | extract | wipe) pages=(start) ;;
	*) pages=("$1") ;;
	esac
	pages=("${pages[@]/#/$folder/tring-}")
	pages=("${pages[@]/%/.1}")
	[ -e "${pages[0]}" ] || pages=("$folder/tring.1")
	LC_ALL=C.UTF-8 MANWIDTH=200 man -l "${pages[@]}"
}

# Prints tring's commands.
commands() {
	"$root$prefix/bin/tring" help | sed -n 's/^  tring \([a-z]*\).*/\1/p'
}

each_option_is_in_the_manual() {
	local command option count=0

	for command in $(commands); do
		page_of "$command" >"$logs/page" || return 1
		for option in $("$root$prefix/bin/tring" help "$command" | sed -n '/^  /p' |
				grep -oE -- '(^|[ ,])--?[A-Za-z][a-z-]*' | tr -d ' ,'); do
			grep -qw -e "$option" "$logs/page" || {
				say "the page of tring $command has no $option"
				return 1
			}
			count=$((count + 1))
		done
	done
	say "$count options"
	[ "$count" -gt 20 ]
}

# What each command would load; beside the C library and its loader.
maps_few_libraries() {
	LD_TRACE_LOADED_OBJECTS=1 "$root$prefix/bin/tring" >"$logs/libraries" || return 1
	cat "$logs/libraries"
	grep -q '=> .*/libc\.so' "$logs/libraries" &&
		[ "$(grep -c '=> /' "$logs/libraries")" -le 7 ] &&
		! grep -q 'not found' "$logs/libraries"
}

# Also the one that is a program of its own.
each_command_helps() {
	local command

	for command in $(commands); do
		"$root$prefix/bin/tring" help "$command" >"$logs/help" || return 1
		grep "^usage: tring $command" "$logs/help" || return 1
	done
}

# The names of the module's files and parameters are in its sources.
each_file_is_in_the_manual() {
	local name names

	names=$(sed -n 's/^\t{ "\([^"]*\)", MODE_.*/\1/p' "$top/kmod/tracefs/control.c") ||
		return 1
	[ "$(wc -w <<<"$names")" -ge 19 ] || return 1
	# the entries of the section
	sed -n '/^\.SH FILES/,/^\.SH [^F]/{/^\.TP/{n;s/\\-/-/g;p}}' "$top/docs/man/tring.4" \
		>"$logs/entries"
	for name in $names; do
		grep -qE "[ /]$name( |\$)" "$logs/entries" ||
			{ say "no $name in tring(4), FILES"; return 1; }
	done
	for name in $(modinfo -F parm "$root/lib/modules/$release/updates/tring.ko" |
			cut -d: -f1); do
		grep -q "^\.B $name\$" "$top/docs/man/tring.4" ||
			{ say "no parameter $name in tring(4)"; return 1; }
	done
}

# complete_in_bash LINE - prints the words that bash offers behind the line
complete_in_bash() {
	PATH=$logs/bin:$PATH bash -c '
		. "$1"
		COMP_LINE=$2 COMP_POINT=${#2}
		_tring
		printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$root$prefix/share/bash-completion/completions/tring" "$1"
}

# complete_in_zsh LINE - the same of zsh, whose functions for completion are replaced
complete_in_zsh() {
	# shellcheck disable=SC2016 # for zsh
	PATH=$logs/bin:$PATH zsh -f -c '
		words=("${(@s: :)2}") CURRENT=${#words}
		typed=$words[-1]
		compset() {
			[[ $2 != \*[=,] || $typed != ${~2}* ]] ||
				{ kept=${typed%${2[2]}*}${2[2]}; typed=${typed##$~2} }
		}
		compadd() {
			shift
			for word; do
				[[ $word != $typed* ]] || print -r -- $kept$word
			done
		}
		_files() { print files }
		_normal() { print normal }
		source $1' zsh "$root$prefix/share/zsh/site-functions/_tring" "$1"
}

# offers SHELL LINE WORD... - the shell offers these words, in any order
offers() {
	local shell=$1 line=$2 said

	shift 2
	said=$("complete_in_$shell" "$line" | sort | tr '\n' ' ')
	[ "$said" = "$(printf '%s\n' "$@" | sort | tr '\n' ' ')" ] && return
	say "$shell offers behind '$line': $said"
	return 1
}

# A kernel's list of events, and all else from the program.
make_stand_in() {
	local event

	mkdir -p "$logs/bin"
	cat >"$logs/bin/tring" <<-END
	#!/bin/sh
	if [ "\$1" = list ]; then
		printf '%s\\n' irq:irq_handler_entry sched:sched_switch sched:sched_waking
	else
		exec "$root$prefix/bin/tring" "\$@"
	fi
	END
	chmod +x "$logs/bin/tring"
	# a trace, for completion of its events
	for event in sched/sched_switch sched/sched_waking irq/irq_exit; do
		mkdir -p "$logs/trace/tring/events/$event"
		: >"$logs/trace/tring/events/$event/format"
	done
}

shell_completes() {
	local shell=$1 all

	make_stand_in
	mapfile -t all < <(commands)
	[ ${#all[@]} -ge 8 ] || return 1
	offers "$shell" 'tring ' "${all[@]}" help --version &&
		offers "$shell" 'tring rec' record &&
		offers "$shell" 'tring record --o' --output --overwrite &&
		offers "$shell" 'tring peek --s' --snapshot &&
		offers "$shell" 'tring convert --' --to --output --wall --force --cpu --pid \
			--comm --event --from &&
		offers "$shell" 'tring record -C t' tsc tai &&
		offers "$shell" 'tring record -e s' sched sched:sched_switch \
			sched:sched_waking &&
		offers "$shell" 'tring record -e irq,i' irq,irq irq,irq:irq_handler_entry &&
		offers "$shell" 'tring list ir' irq irq:irq_handler_entry &&
		offers "$shell" "tring report $logs/trace -e s" sched sched_switch sched_waking &&
		offers "$shell" "tring report $logs/trace -e sched,i" sched,irq sched,irq_exit &&
		offers "$shell" 'tring report --fr' --from &&
		offers "$shell" 'tring help st' start stat stop
}

bash_completes() {
	shell_completes bash &&
		# bash replaces the part behind the colon
		offers bash 'tring record -e sched:sched_sw' sched_switch &&
		offers bash 'tring record --clock=t' tsc tai
}

zsh_completes() {
	zsh -n "$root$prefix/share/zsh/site-functions/_tring" &&
		shell_completes zsh &&
		offers zsh 'tring record -- ls ' normal
}

installs_twice() {
	find "$root" -type f | sort >"$logs/first"
	run_install install && find "$root" -type f | sort | diff "$logs/first" -
}

uninstalls_all() {
	# of another kernel, for which the module was installed before
	mkdir -p "$root/lib/modules/6.1.0-1-amd64/updates"
	cp "$root/lib/modules/$release/updates/tring.ko" \
		"$root/lib/modules/6.1.0-1-amd64/updates/tring.ko"
	touch "$root$prefix/bin/other"
	run_install uninstall || return 1
	find "$root" ! -type d >"$logs/left"
	[ "$(cat "$logs/left")" = "$root$prefix/bin/other" ] || { cat "$logs/left"; return 1; }
	! find "$root$prefix" "$root/lib" -mindepth 1 -printf '%P\n' | grep -E 'tring|updates'
}

uninstalls_from_a_name_with_a_blank() {
	local goal

	for goal in install uninstall; do
		"$top/scripts/install.sh" "$goal" "$logs/a root" "/opt/a test" headers reader ||
			return 1
	done
	[ -z "$(find "$logs/a root" ! -type d)" ]
}

refuses_a_wrong_folder() {
	! "$top/scripts/install.sh" install "$root" opt module 2>"$logs/said" &&
		grep 'PREFIX=opt: not an absolute path' "$logs/said" &&
		! "$top/scripts/install.sh" install "$root" /opt manual 2>"$logs/said" &&
		grep "unknown part 'manual'" "$logs/said"
}

judge "it installs" installs
judge "NEWS.md begins with the version" news_begin_with_the_version
judge "the module is stripped" module_is_stripped
judge "a program is built by pkg-config and reads a trace" program_is_built_by_pkg_config
judge "the library exports what its header declares" library_exports_the_header
judge "a module is built against the headers and Module.symvers" \
	module_is_built_against_headers
judge "man shows each page without a warning" pages_have_no_warning
judge "tring loads six libraries at most" maps_few_libraries
judge "each command helps" each_command_helps
judge "each option is in the manual" each_option_is_in_the_manual
judge "each file and parameter is in the manual" each_file_is_in_the_manual
judge "bash completes" bash_completes
judge "zsh completes" zsh_completes
judge "a second installation changes no list of files" installs_twice
judge "wrong arguments are refused" refuses_a_wrong_folder
judge "nothing is left below a name with a blank" uninstalls_from_a_name_with_a_blank
judge "nothing is left after uninstalling" uninstalls_all
count_tests
