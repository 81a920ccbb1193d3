#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# probe-events.sh OUTPUT DEPFILE SOURCE SYMVERS BTF COMPILER FLAG...
#
# Called by kmod/probes/Kbuild.include for each subsystem before SOURCE is
# compiled. Finds the event classes that do not compile or link on this kernel and
# writes OUTPUT, which is included in front of SOURCE, with
#
#	#define TRING_HEADER_LEFT_OUT		if the header does not compile
#	#define TRING_LEFT_OUT_<class> 1	for each event class whose
#						probe needs a symbol that is
#						not exported to modules
#
#	#define TRING_STRUCTS_ARE_PRIVATE	if the header needs structures that no
#						header of the kernel's defines
#
# The definitions of such structures, with the members that the header names, come from
# BTF, the types of the kernel, which may be an empty file. They are written to the file of
# the same name with ".structs". A structure that is declared nowhere before the header
# names it is declared there, too.
#
# Each reason is a comment in OUTPUT. Fails only if OUTPUT cannot be written: events
# that are left out never break the build.
#
# SYMVERS is the kernel's Module.symvers, or empty if the object becomes part of
# vmlinux and may use every symbol. If the file does not exist, kbuild warns, and
# no symbol counts as missing. A symbol counts as missing if vmlinux does not
# export it, or exports it to a namespace only. An export of a module does not
# count, because tring.ko would depend on that module.
#
# FLAGs are those of the object; they make the compiler write DEPFILE. Each
# function and variable gets a section of its own, so that the relocations show
# which of them needs which symbol.
#
# kbuild sets NM and OBJDUMP.

set -e
LC_ALL=C
export LC_ALL

output=$1
depfile=$2
source=$3
symvers=$4
btf=$5
shift 5
object=$output.o
log=$output.log
structs=${output%.left-out}.structs
trap 'rm -f "$object" "$log"' EXIT
trap 'exit 1' HUP INT TERM

name=${output##*/}
name=${name%.left-out}
: "${NM:=nm}" "${OBJDUMP:=objdump}"

# say REASON - adds a comment to OUTPUT, and prints it with "make V=1"
say() {
	printf '// %s: %s\n' "$name" "$1" >>"$output"
	[ -n "${quiet-quiet_}" ] || printf '  LEFTOUT %s: %s\n' "$name" "$1"
}

# The classes to leave out are given in $defines. Including OUTPUT would make
# DEPFILE say that OUTPUT depends on itself.
compile() {
	# shellcheck disable=SC2086 # a list
	"$@" -DTRING_WITHOUT_RING $defines -g0 -fno-lto -ffunction-sections -fdata-sections \
		-c -o "$object" "$source" 2>"$log"
}

# members - prints the words of the event header that may be members of structures
members() {
	header=
	for flag; do
		case $flag in
		-DTRING_EVENT_HEADER=*) header=$(printf %s "${flag#*=}" | tr -d '"') ;;
		esac
	done
	for flag; do
		case $flag in
		-I*) [ ! -f "${flag#-I}/$header" ] || break ;;
		esac
	done
	grep -oE '(->|\.)[[:space:]]*[A-Za-z_][A-Za-z_0-9]*' "${flag#-I}/$header" |
		grep -oE '[A-Za-z_0-9]+' | sort -u
}

# named_by SED-PATTERN - prints the structures of such messages
named_by() {
	sed -nE "s/^.*$1.*$/\\1/p" "$log" | sort -u
}

# add_structs COMPILER FLAG... - adds what the compiler has missed; fails if it is not to be had
add_structs() {
	status=1
	for struct in $(named_by "'struct (\w+)' declared inside parameter list"); do
		grep -qx "struct $struct;" "$structs" || {
			printf 'struct %s;\n' "$struct" >>"$structs"
			status=0
		}
	done
	for struct in $(named_by "type '[a-z ]*struct (\w+)'"); do
		! grep -qx "struct $struct {" "$structs" || continue
		# shellcheck disable=SC2046 # words
		definition=$("${0%/*}/private-struct.sh" "$btf" "$struct" $(members "$@"))
		[ -n "$definition" ] || continue
		printf '%s\n' "$definition" >>"$structs"
		status=0
	done
	return "$status"
}

leave_header_out() {
	printf '#define TRING_HEADER_LEFT_OUT\n' >"$output"
	: >"$structs"
	say "all events ($1)"
}

missing_symbols() {
	"$NM" -u "$object" | awk -F'\t' '
		NR == FNR {
			if ($3 == "vmlinux" && $5 == "")
				exported[$2] = 1
			next
		}
		{
			sub(/^ *[A-Za-z] /, "")
			if (!($0 in exported) && $0 !~ /^((__)?tring_|_GLOBAL_OFFSET_TABLE_$)/)
				print
		}' "$symvers" -
}

# Reads the object's symbols and relocations. Follows the references from the
# variable of each event, tring_event_NAME, over its probe to all functions that
# the probe uses, and prints "class event symbol" for each missing symbol found.
#
# Tables beside the code, such as the jump labels, have two references in this
# order: to a place in the code and to the symbol that this place needs.
blame() {
	"$OBJDUMP" -t -r -w "$object" | awk -v missing="$1" '
		function visit(section, event, class,	i, n, to, list) {
			if ((event, section) in seen)
				return
			seen[event, section] = 1
			n = split(refers[section], list, " ")
			for (i = 1; i <= n; i++) {
				to = list[i]
				if (to in lacks)
					print class, event, to
				else
					visit(to, event, class)
			}
		}
		BEGIN {
			n = split(missing, list, "\n")
			for (i = 1; i <= n; i++)
				lacks[list[i]] = 1
		}
		/^SYMBOL TABLE/ { part = "symbols"; next }
		/^RELOCATION RECORDS FOR/ {
			part = "relocations"
			from = $4
			gsub(/^\[|\]:$/, "", from)
			table = from !~ /^\.(text|data|rodata|bss|init)/
			next
		}
		part == "symbols" && split($0, half, "\t") == 2 {
			n = split(half[1], word, " ")
			m = split(half[2], field, " ")
			if (word[n] != "*UND*")
				home[field[m]] = word[n]
			next
		}
		part == "relocations" && NF == 3 && $1 != "OFFSET" {
			to = $3
			sub(/[-+]0x[0-9a-f]+$/, "", to)
			if (to in home)
				to = home[to]
			if (table && to ~ /^\.text/)
				place = to
			refers[table && to in lacks ? place : from] = \
				refers[table && to in lacks ? place : from] " " to
			if (from ~ /tring_event_/ && to ~ /tring_probe_/) {
				class = to
				sub(/^.*tring_probe_/, "", class)
				of[from] = class
			}
		}
		END {
			for (from in of) {
				event = from
				sub(/^.*tring_event_/, "", event)
				# the compiler numbers static variables of functions
				sub(/\.[0-9]+$/, "", event)
				visit(from, event, of[from])
			}
		}'
}

defines=
: >"$structs"
is_compiled=yes
until compile "$@"; do
	add_structs "$@" || { is_compiled=no; break; }
done
if [ $is_compiled = no ]; then
	reason=$(sed -n '/[Ee]rror: /{s/^.*[Ee]rror: //p;q}' "$log")
	leave_header_out "${reason:-the compiler failed}"
	# Best effort: the dependencies that the preprocessor sees.
	"$@" -DTRING_WITHOUT_RING -E -o /dev/null "$source" 2>/dev/null || :
	[ -s "$depfile" ] || printf '%s: %s\n' "$output" "$source" >"$depfile"
	exit 0
fi

: >"$output"
! grep -q '{$' "$structs" || printf '#define TRING_STRUCTS_ARE_PRIVATE\n' >>"$output"
if [ ! -r "$symvers" ]; then
	exit 0
fi

missing=$(missing_symbols)
[ -n "$missing" ] || exit 0

blamed=$(blame "$missing" | sort -u)
classes=$(printf '%s\n' "$blamed" | awk 'NF && !seen[$1]++ { print $1 }')
for class in $classes; do
	defines="$defines -DTRING_LEFT_OUT_$class=1"
	printf '#define TRING_LEFT_OUT_%s 1\n' "$class" >>"$output"
done

# Proof that no other class has to be left out.
if compile "$@" && [ -z "$(missing_symbols)" ]; then
	printf '%s\n' "$blamed" | awk '
		{ events[$3] = events[$3] " " $2 }
		END {
			for (symbol in events)
				printf "%s (%s is not exported)\n", \
					substr(events[symbol], 2), symbol
		}' | sort | while read -r reason; do
		say "$reason"
	done
else
	leave_header_out "not exported: $(printf '%s' "$missing" | tr '\n' ' ')"
fi
