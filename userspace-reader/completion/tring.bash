# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Completion for bash. Commands and options are those that "tring help" prints, events
# those of "tring list", which prints none if tracefs cannot be read.

_tring_commands() {
	tring help 2>/dev/null | sed -n 's/^  tring \([a-z]*\).*/\1/p'
}

# _tring_options COMMAND - prints the options, and none that only a text names
_tring_options() {
	tring help "$1" 2>/dev/null | grep -oE -- '^ {2,6}-[A-Za-z-]+(, --[a-z-]+)?' |
		tr -s ', ' '\n'
}

# Prints the systems and the events.
_tring_events() {
	tring list 2>/dev/null | awk -F: '!seen[$1]++ { print $1 } { print }'
}

# _tring_trace_events WORD... - prints the systems and the events of the trace that a word, or
# no word, names
_tring_trace_events() {
	local dir=tring-trace format

	for format in "$@"; do
		[ ! -d "$format/tring/events" ] || dir=$format
	done
	for format in "$dir"/tring/events/*/*/format; do
		[ -f "$format" ] || continue
		format=${format%/format}
		printf '%s\n' "${format#"$dir"/tring/events/}"
	done | awk -F/ '!seen[$1]++ { print $1 } { print $2 }'
}

_tring_tracers() {
	tr ' ' '\n' </sys/kernel/tracing/tring/available_tracers 2>/dev/null
}

# _tring_functions TYPED - prints the functions that begin so
_tring_functions() {
	sed -n "s/^\(${1//[!A-Za-z0-9_.]/}[^ ]*\).*/\1/p" \
		/sys/kernel/tracing/available_filter_functions 2>/dev/null
}

_tring_instances() {
	local dir

	for dir in /sys/kernel/tracing/tring/instances/*/; do
		[ ! -d "$dir" ] || basename "$dir"
	done
}

# _tring_words COMMAND - prints the tables of top, the pairs of latency
_tring_words() {
	tring help "$1" 2>/dev/null | sed -n 's/^  \([a-z][a-z-]*\)  .*/\1/p'
}

# _tring_columns WORD... - prints the columns of the table that a word names
_tring_columns() {
	local table

	for table in "$@"; do
		[[ $table == [a-z]* ]] || continue
		tring top --sort '?' "$table" 2>&1 | sed -n 's/.*columns are //p' | tr -d ' ' |
			tr , '\n'
	done
}

# _tring_words_or_files COMMAND TYPED - offers its words, the directories and the files
_tring_words_or_files() {
	local files

	_tring_files -f "$2"
	files=("${COMPREPLY[@]}")
	COMPREPLY=()
	_tring_reply '' "$2" < <(_tring_words "$1")
	COMPREPLY+=("${files[@]}")
}

# _tring_reply KEPT TYPED - offers those lines of stdin that begin as what is typed. KEPT
# precedes it. bash has divided the word at ":" and "=", and replaces the last part only.
_tring_reply() {
	local kept=$1 typed=$2 line whole=$1$2 divided=''

	case $whole in
	*[:=]*) divided=${whole%"${whole##*[:=]}"} ;;
	esac
	while read -r line; do
		line=$kept$line
		[[ $line != "$kept$typed"* ]] || COMPREPLY+=("${line#"$divided"}")
	done
}

# _tring_files ACTION TYPED
_tring_files() {
	compopt -o filenames 2>/dev/null
	mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

_tring() {
	local line=${COMP_LINE:0:COMP_POINT} words word before command kept=''

	COMPREPLY=()
	read -r -a words <<<"$line"
	word=${line##*[[:space:]]}
	[ -z "$word" ] || unset "words[-1]"
	command=${words[1]-}
	before=${words[-1]}
	case $word in
	--*=*)
		before=${word%%=*}
		kept=$before=
		word=${word#*=}
		;;
	esac
	if [ ${#words[@]} = 1 ]; then
		_tring_reply '' "$word" < <(_tring_commands; printf '%s\n' help --version)
		return
	fi
	case " ${words[*]:2} " in
	*" -- "*)
		# a command of the user's
		_tring_files -f "$word"
		return
		;;
	esac
	# start and arm have options of record, and these have the same values
	case $command in
	start | arm) command=record ;;
	esac
	case $command$before in
	record-e | record--event | top-e | top--event)
		# several events, separated by commas
		case $word in
		*,*)
			kept=$kept${word%,*},
			word=${word##*,}
			;;
		esac
		_tring_reply "$kept" "$word" < <(_tring_events)
		return
		;;
	report-e | report--event | convert-e | convert--event | flame-e | flame--event | \
	page-e | page--event)
		case $word in
		*,*)
			kept=$kept${word%,*},
			word=${word##*,}
			;;
		esac
		_tring_reply "$kept" "$word" < <(_tring_trace_events "${words[@]:2}")
		return
		;;
	record--pair)
		_tring_reply "$kept" "$word" < <(_tring_words latency)
		return
		;;
	record-p | record--plugin)
		_tring_reply "$kept" "$word" < <(_tring_tracers)
		return
		;;
	record-[lng])
		# several functions, separated by commas
		case $word in
		*,*)
			kept=$kept${word%,*},
			word=${word##*,}
			;;
		esac
		_tring_reply "$kept" "$word" < <(_tring_functions "$word")
		return
		;;
	record-C | record--clock)
		_tring_reply "$kept" "$word" < <(printf '%s\n' mono tsc boot tai)
		return
		;;
	*-B | *--instance)
		_tring_reply "$kept" "$word" < <(_tring_instances)
		return
		;;
	convert-t | convert--to)
		_tring_reply "$kept" "$word" < <(printf '%s\n' trace.dat perfetto ctf parquet)
		return
		;;
	top--sort)
		_tring_reply "$kept" "$word" < <(_tring_columns "${words[@]:2}")
		return
		;;
	why--longest)
		_tring_reply "$kept" "$word" < <(printf '%s\n' wakeup block syscall span wait)
		return
		;;
	why-o | why--output)
		_tring_reply "$kept" "$word" < <(printf '%s\n' tree json folded)
		return
		;;
	page--detail)
		_tring_reply "$kept" "$word" < <(printf '%s\n' all timeline)
		return
		;;
	sql-o | sql--output)
		_tring_reply '' "$word" < <(printf '%s\n' table csv json md)
		return
		;;
	convert-o | convert--output | flame-o | flame--output | page-o | page--output | \
	list--symbols)
		_tring_files -f "$word"
		return
		;;
	record-o | record--output | record--cgroup | extract-o | extract--output | snapshot-o | \
	snapshot--output | salvage-o | salvage--output | salvage--formats | report--formats)
		_tring_files -d "$word"
		return
		;;
	record-[bfRsPM] | record--split | record--max-size | \
	record--buffer-size | record--filter | record--trigger | record--seconds | record--save-every | \
	record--stop-when | record--after | \
	record--pid | record--cpumask | salvage--base | salvage--trace | peek-[cn] | peek--cpu | \
	peek--events | top-[nidcPfb] | top--rows | top--interval | top--cpu | top--pid | top--comm | \
	top--count | top--filter | top--buffer-size | top--from | top--to | \
	flame-[cPF] | flame--cpu | flame--pid | flame--comm | flame--from | flame--to | \
	why-[Pn] | why--pid | why--comm | why--from | why--to | why--rows | \
	convert-[cPF] | convert--cpu | convert--pid | convert--comm | convert--from | \
	page-[cPF] | page--cpu | page--pid | page--comm | page--from | page--to | \
	report-[cPF] | report--cpu | report--pid | report--comm | report--from | \
	report--to | report--align | latency-[kyncP] | latency--key | latency--by | \
	latency--begin-time | latency--end-time | latency--rows | latency--cpu | latency--pid | \
	latency--comm | latency--from | latency--to)
		return
		;;
	esac
	case $command:$word in
	*:-*) _tring_reply '' "$word" < <(_tring_options "${words[1]}") ;;
	help:*) _tring_reply '' "$word" < <(_tring_commands) ;;
	list:*) _tring_reply '' "$word" < <(_tring_events) ;;
	top:* | latency:*) _tring_words_or_files "$command" "$word" ;;
	report:* | convert:* | info:* | dump:* | salvage:* | sql:* | why:* | \
	flame:* | page:*) _tring_files -f "$word" ;;
	esac
}

complete -F _tring tring
