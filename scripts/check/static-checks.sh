#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Checks the sources without running them: kernel style, shellcheck and the rules of the project.
# build.sh has the warnings of compilers and of sparse.

. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/judge.sh"

begin_tests static
rm -f "$logs"/*

cd "$top"
tree=$("$top/scripts/build/shadow-tree.sh")

mapfile -t c_files < <(list_sources kmod uapi kunit-tests userspace-reader \
	scripts | grep '\.[ch]$')
mapfile -t shell_files < <({ list_sources scripts | grep '\.sh$'
	list_sources userspace-reader | grep -E '\.(sh|bash)$'
	say .ci/run; say debian/tests/record; })
mapfile -t python_files < <(list_sources scripts kunit-tests userspace-reader |
	grep '\.py$')
mapfile -t all_files < <(list_sources . | sed 's|^\./||')

# checkpatch accepts EXPORT_SYMBOL() and similar macros right after a function, but
# does not know TRING_EXPORT() and NOKPROBE_SYMBOL().
drop_after_functions() {
	local file line rest text

	while IFS=: read -r file line rest; do
		text=$(sed -n "${line}p" "$file")
		if [[ $rest == *LINE_SPACING* &&
			$text =~ ^(TRING_EXPORT|NOKPROBE_SYMBOL)\( ]]; then
			continue
		fi
		say "$file:$line:$rest"
	done
}

# checkpatch IGNORED FILE... - fails if checkpatch.pl prints anything, because its
# exit status is 0 for "CHECK:" lines. Without a git folder it does not check
# licences; licences_are_named() does. It takes a minute for all files, so those that have
# passed are not checked again until they, or what is ignored, change.
checkpatch() {
	local ignored=$1 passed=$cache/checkpatch file key files=() keys=()

	mkdir -p "$passed"
	for file in "${@:2}"; do
		key=$passed/$({ say "$ignored $file"; cat "$file"; } | sha1sum | cut -c1-40)
		[ -e "$key" ] || { files+=("$file"); keys+=("$key"); }
	done
	say "${#files[@]} of $(($# - 1)) files have changed"
	[ ${#files[@]} -gt 0 ] || return 0
	GIT_DIR=/nonexistent perl "$tree/scripts/checkpatch.pl" --root="$tree" \
		--strict --no-summary --terse --show-types --ignore "$ignored" \
		--file "${files[@]}" 2>&1 | drop_after_functions |
		tee "$logs/checkpatch.out" || :
	rm -f .checkpatch-camelcase.*
	for file in "${!files[@]}"; do
		grep -q "^${files[file]}:" "$logs/checkpatch.out" || touch "${keys[file]}"
	done
	! grep -q . "$logs/checkpatch.out"
}

# Types of messages to ignore: words that repeat in tables of comments; C11's
# _Static_assert and PRIu64
ignored=REPEATED_WORD,CAMELCASE
# stubs that use none of their arguments; macros that name one twice on purpose;
# a static_assert of two constants
ignored+=,MACRO_ARG_UNUSED,MACRO_ARG_REUSE,CONSTANT_COMPARISON
# operations that change: kmod/tracefs/dir.c
ignored+=,CONST_STRUCT
# linux/nmi.h does not always include asm/nmi.h
ignored+=,INCLUDE_LINUX
# stages of TRACE_EVENT(), whose macros expand to parts of declarations
ignored_in_trace=$ignored,COMPLEX_MACRO,MULTISTATEMENT_MACRO_USE_DO_WHILE
ignored_in_trace+=,SPACING,MACRO_ARG_PRECEDENCE,TRAILING_SEMICOLON,BRACKET_SPACE
ignored_in_trace+=,MACRO_WITH_FLOW_CONTROL,OPEN_ENDED_LINE,PARENTHESIS_ALIGNMENT
# programs have other types, macros and string functions than the kernel;
# "record" is a word of the command line and a function's name
ignored_in_reader=$ignored,PREFER_KERNEL_TYPES,CONSIDER_KSTRTO,STRNCPY,STRCPY
ignored_in_reader+=,ARRAY_SIZE,BIT_MACRO,PREFER_DEFINED_ATTRIBUTE_MACRO
ignored_in_reader+=,EMBEDDED_FUNCTION_NAME,STATIC_CONST_CHAR_ARRAY
# replacements for kernel headers have to define the same names
ignored_in_shim=$ignored_in_reader,NEW_TYPEDEFS,VOLATILE,MEMORY_BARRIER
ignored_in_shim+=,COMPLEX_MACRO,DATA_RACE,IS_ENABLED_CONFIG
ignored_in_shim+=,MACRO_ARG_PRECEDENCE,SPACING,EXPORT_SYMBOL
# the one file that tests versions
ignored_in_compat=$ignored,LINUX_VERSION_CODE

shell_is_clean() {
	shellcheck -x -P "$top/scripts" "${shell_files[@]}"
}

# grep -q ends at the first match. A writer that has more to write is killed by
# SIGPIPE then, so that with pipefail, which lib.sh sets, the match is a failure.
no_pipes_to_grep_q() {
	local pattern='\| *grep -[a-zA-Z]*q'

	printf '%s\n' "${shell_files[@]}" | grep -v /guest/ |
		xargs grep -nE "^[^#]*$pattern" && return 1
	return 0
}

# Words that hide the actor or the fact in comments, messages and documents.
stumbling='\b([Ww]ho|[Ww]hom|[Ww]hoever|[Ll]ikewise|[Oo]nlookers?|[Hh]e|[Hh]is|[Hh]im|[Hh]imself)\b'
stumbling+='|\b([Nn]obody|[Ss]omebody|[Aa]nybody|[Ee]verybody|ours)\b'
stumbling+="|\\banother's\\b"
stumbling+='|\bas there\b(?! (is|are|was|were)\b)|\bof these[.;:)]'

english_is_plain() {
	local lines

	lines=$(stumbling_lines) || :
	[ -z "$lines" ] || { say "$lines"; return 1; }
}

stumbling_lines() {
	printf '%s\n' "${all_files[@]}" | grep -vE 'COPYING(\.LGPL)?$|/golden/|\.bin$|\.expected$' |
		tr '\n' '\0' | xargs -0 grep -HInP "$stumbling" |
		# a message of the kernel, and the definition of $stumbling
		grep -vE "'nobody cared'|:[0-9]+:stumbling\+?="
}

# A test that waits for a time fails by chance on a slower machine. What is left of that tells
# its reason by a tag, "time: ", in the same line or in the one before; its number must not grow.
waits_allowed=54
waits_have_reasons() {
	local waits=$logs/waits places='^(scripts/(guest|check|qemu)/'

	places+='|kunit-tests/.*/user/|userspace-reader/tests/).*\.(sh|c|h)$|^scripts/[a-z]*\.sh$'
	# shellcheck disable=SC2016 # awk's own
	printf '%s\n' "${all_files[@]}" | grep -E "$places" | grep -v '^scripts/guest/bench-' |
		xargs awk '
		FNR == 1 { above = "" }
		/^[[:space:]]*(#|\/?\*)/ { above = $0; next }
		{
			# time: the words that are looked for
			shell = "(^|[^[:alnum:]_.=\"-])(u?sleep|timeout)([^[:alnum:]_=]|$)"
			# time: and those of C
			c = "(^|[^[:alnum:]_])(u?sleep|(clock_)?nanosleep)[(]"
			if ($0 ~ (FILENAME ~ /sh$/ ? shell : c))
				print FILENAME ":" FNR ": " (above $0 ~ /time: [^ ]/ ? \
					"has a reason" : "no reason:" $0)
			above = $0
		}' >"$waits" || return 1
	say "$(wc -l <"$waits") waits for a time, $waits_allowed allowed"
	! grep 'no reason:' "$waits" && [ "$(wc -l <"$waits")" -le "$waits_allowed" ]
}

python_compiles() {
	python3 -c 'import sys
for name in sys.argv[1:]:
    compile(open(name).read(), name, "exec")' "${python_files[@]}"
}

# The page's scripts become one file, so that is what is looked at.
scripts_are_clean() {
	local modules

	if ! modules=$("$top/scripts/build/npm-package.sh" eslint 2>"$logs/eslint.said"); then
		say "$(tail -n 1 "$logs/eslint.said"): their syntax alone is checked"
		printf '%s\n' userspace-reader/page/*.js | xargs -n 1 node --check
		return
	fi
	cat userspace-reader/page/*.js >"$logs/page.js"
	cp userspace-reader/page/eslint.config.mjs "$logs"
	(cd "$logs" && "$modules/.bin/eslint" page.js)
}

versions_only_in_compat() {
	! grep -nE 'LINUX_VERSION_CODE|KERNEL_VERSION *\(|linux/version\.h' \
		"${c_files[@]}" | grep -v '^kmod/compat\.h:'
}

# The kernel's own function does not wait for handlers of perf's, since 7.0.
probes_are_waited_for_by_one_function() {
	! grep -n 'tracepoint_synchronize_unregister()' "${c_files[@]}" |
		grep -v '^kmod/compat\.h:'
}

# The first thing that the compiler says elsewhere is a sentence.
other_architectures_are_refused() {
	local said

	said=$(gcc -E -x c "$top/kmod/compat.h" 2>&1 -o /dev/null) && return 1
	grep -m 1 'error' <<<"$said" | grep 'x86-64 and arm64 only' || return 1
	said=$(gcc -E -DCONFIG_ARM64 -x c "$top/kmod/compat.h" 2>&1 -o /dev/null) || :
	! grep '#error' <<<"$said"
}

config_not_in_c() {
	! grep -nE '(ifdef|ifndef|defined *\(?|IS_ENABLED\() *CONFIG_TRING' \
		"${c_files[@]}"
}

licences_are_named() {
	local file missing=0

	for file in "${all_files[@]}"; do
		case $file in
		COPYING | */COPYING.LGPL | *.md | *.config | *.kunitconfig | .gitignore | \
		debian/changelog | debian/copyright | debian/source/format | \
		*/.gitignore | */golden/* | *.bin | *.png | *.txt | *.expected | \
		*/format) continue ;;
		esac
		# a litmus file begins with its name
		grep -q 'SPDX-Licen[s]e-Identifier:' <(head -n 4 "$file") || {
			say "error: $file has no SPDX line"
			missing=1
		}
	done
	return "$missing"
}

rooms_are_small() {
	local large

	large=$(wc -l "${c_files[@]}" | awk '$1 > 800 && $2 != "total"')
	[ -z "$large" ] || { say "error: too many lines: $large"; return 1; }
}

objects_are_listed() {
	local file name status=0

	for file in $(list_sources kmod kunit-tests | grep '\.c$'); do
		name=${file%.c}
		case $file in
		# a probe of a subsystem, or one of the others
		kmod/probes/*)
			grep -q "[ =]$name\.o" Kbuild ||
				grep -qw "${name##*/}" kmod/probes/Kbuild.include
			;;
		# scripts/check/explorer.sh takes all there are
		kunit-tests/explorer/*) ;;
		kunit-tests/torture/user/* | kunit-tests/filter/*)
			grep -qw "${name##*/}\.o" "${file%/*}/Makefile"
			;;
		*) grep -q "[ =]$name\.o" Kbuild ;;
		esac || {
			say "error: no object list has $name.o"
			status=1
		}
	done
	return "$status"
}

# programs, not parts of the kernel
in_user='^(userspace-reader|kunit-tests/(torture/user|explorer|filter)|scripts)/'
# stages and descriptions of TRACE_EVENT()
in_trace='^(kmod/(bench|probes)|kunit-tests/preemptible)/trace/'
mapfile -t kernel_files < <(printf '%s\n' "${c_files[@]}" |
	grep -vE "$in_user|$in_trace|^kmod/compat.h\$")
mapfile -t trace_files < <(printf '%s\n' "${c_files[@]}" | grep -E "$in_trace")
mapfile -t reader_files < <(printf '%s\n' "${c_files[@]}" | grep -E "$in_user" |
	grep -vE '^kunit-tests/(explorer/shim/|filter/shim)')
mapfile -t shim_files < <(printf '%s\n' "${c_files[@]}" |
	grep -E '^kunit-tests/(explorer/shim/|filter/shim)')

judge "checkpatch --strict, kernel" checkpatch "$ignored" "${kernel_files[@]}"
judge "checkpatch --strict, kmod/probes/trace" \
	checkpatch "$ignored_in_trace" "${trace_files[@]}"
judge "checkpatch --strict, kmod/compat.h" \
	checkpatch "$ignored_in_compat" kmod/compat.h
judge "checkpatch --strict, programs" \
	checkpatch "$ignored_in_reader" "${reader_files[@]}"
judge "checkpatch --strict, the explorer's kernel" \
	checkpatch "$ignored_in_shim" "${shim_files[@]}"
judge "checkpatch --strict, scripts" \
	checkpatch "$ignored" "${shell_files[@]}" "${python_files[@]}"
judge "shellcheck" shell_is_clean
judge "no pipe to grep -q" no_pipes_to_grep_q
judge "each wait for a time has a reason, and there are no more of them" waits_have_reasons
judge "Python compiles" python_compiles
judge "the page's scripts are clean" scripts_are_clean
judge "kernel versions are tested in kmod/compat.h alone" \
	versions_only_in_compat
judge "probes are waited for by tring_synchronize_probes() alone" \
	probes_are_waited_for_by_one_function
judge "other architectures are refused" other_architectures_are_refused
judge "C does not ask for CONFIG_TRING*" config_not_in_c
judge "each file names its licence" licences_are_named
judge "no file of more than 800 lines" rooms_are_small
judge "each source file is in the object list" objects_are_listed
judge "comments, messages and documents name the actor" english_is_plain

count_tests
