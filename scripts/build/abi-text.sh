#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# abi-text.sh - prints the section FILES of tring(4) as text for the kernel's
# Documentation/ABI, so that each file is described in one place.

. "$(dirname "$0")/../lib.sh"

# A macro of two fonts joins its words; quotes keep a word together.
awk '
	function text_of(line,	words, n, i, text, macro, quoted) {
		if (line !~ /^\./)
			return line
		macro = line
		sub(/ .*/, "", macro)
		line = substr(line, length(macro) + 2)
		if (macro ~ /^\.(B|I)$/)
			return line
		n = split(line, words, "")
		for (i = 1; i <= n; i++) {
			if (words[i] == "\"")
				quoted = !quoted
			else if (words[i] != " " || quoted)
				text = text words[i]
		}
		return text
	}
	function print_entry(	files, words, n, i, line) {
		if (what == "")
			return
		n = split(what, files, ", ")
		for (i = 1; i <= n; i++)
			print "What:\t\t/sys/kernel/tracing/tring/" files[i]
		print "Description:"
		n = split(description, words, " ")
		for (i = 1; i <= n; i++) {
			if (length(line) + 1 + length(words[i]) > 71) {
				print "\t\t" line
				line = ""
			}
			line = line (line == "" ? "" : " ") words[i]
		}
		print "\t\t" line "\n"
	}
	/^\.SH / { part = $2; next }
	part != "FILES" { next }
	{ gsub(/\\-/, "-") }
	/^\.TP$/ { print_entry(); what = ""; description = ""; begins = 1; next }
	begins { what = text_of($0); begins = 0; next }
	/^\.PP$/ { next }
	{ description = description " " text_of($0) }
	END { print_entry() }
' "$top/docs/man/tring.4"
