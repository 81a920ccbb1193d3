#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# private-struct.sh BTF STRUCT MEMBER... - prints a definition of a structure that no header of
# the kernel's defines, with those of the members that it has. They are where the kernel of that
# BTF has them.
#
# Called by probe-events.sh. The other members are left out, since their types may be private,
# too. pahole says each member's offset and size, and a bit's number:
#
#	int			cpu;		/*     4     4 */
#	unsigned int		for_sync:1;	/*    20: 4  4 */

btf=$1 name=$2
shift 2

pahole -F btf -C "$name" "$btf" 2>/dev/null | awk -v name="$name" -v wanted="$*" '
	BEGIN {
		n = split(wanted, list, " ")
		for (i = 1; i <= n; i++)
			is_wanted[list[i]] = 1
	}
	!found && $0 == "struct " name " {" {
		found = 1
		printf "struct %s {\n\tunion {\n", name
	}
	/^\t/ && /;[ \t]+\/\* +[0-9]+(: *[0-9]+)? +[0-9]+ +\*\/$/ {
		split($0, half, /;[ \t]+\/\* +/)
		declaration = half[1]
		n = split(half[2], number, /[: ]+/)
		sub(/ +__attribute__\(.*$/, "", declaration)
		member = declaration
		sub(/(\[|:).*$/, "", member)
		sub(/^.*[^A-Za-z0-9_]/, "", member)
		if (!(member in is_wanted) || member in seen)
			next
		seen[member] = 1
		if (half[2] ~ /:/ && number[2] > 0)
			bits = sprintf(" unsigned int : %d;", number[2])
		else
			bits = ""
		sub(/^[ \t]+/, "", declaration)
		printf "\t\tstruct { char before_%s[%d];%s %s; } __packed;\n", member, \
			number[1], bits, declaration
	}
	/^\t\/\* size: [0-9]+,/ && found {
		size = $3 + 0
	}
	END {
		if (found)
			printf "\t\tchar all_of_%s[%d];\n\t};\n};\n", name, size
	}'
