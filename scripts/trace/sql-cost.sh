#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# sql-cost.sh BUILD TRACE EVENT... - what a row costs "tring sql", beside a native table of SQLite
#
# Prints the instructions of some queries for each row of an event's table, which valgrind counts,
# without those of a query that reads nothing. The native table has the same rows in a file. The
# last line is of a virtual table that does nothing: SQLite's own generate_series. BUILD is the
# build folder of the reader.
set -eu

build=${1:?usage: sql-cost.sh BUILD TRACE EVENT...} trace=${2:?}
shift 2
export LD_LIBRARY_PATH=$build
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# count COMMAND... - the instructions that it executes
count() {
	valgrind --tool=callgrind --callgrind-out-file="$folder/out" "$@" 2>&1 >/dev/null |
		sed -n 's/.*Collected : //p'
}

# show TABLE ROWS QUERY THIS THAT - prints a line of the table; THIS and THAT are all instructions
show() {
	awk -v table="$1" -v rows="$2" -v query="$3" -v this="$4" -v that="$5" 'BEGIN {
		printf "| %s | %d | %s | %.0f | %.0f | %.2f |\n", table, rows, query, this / rows,
		       that / rows, this / that
	}'
}

echo "| event | rows | query | tring sql | native | ratio |"
echo "|---|---:|---|---:|---:|---:|"
nothing=$(count "$build/tring-sql" "$trace" "SELECT 1")
for event; do
	base=$folder/$event.db
	sqlite3 "$base" ".load $build/tringsql" "SELECT tring_open('$trace')" \
		"CREATE TABLE native AS SELECT * FROM $event" >/dev/null
	rows=$(sqlite3 "$base" "SELECT count(*) FROM native")
	native=$(count sqlite3 "$base" "SELECT 1")
	for column in "" common_pid common_cpu common_comm; do
		query="SELECT ${column:+$column, }count(*) FROM"
		group=${column:+GROUP BY $column}
		show "$event" "$rows" "${group:-count(*)}" \
			$(($(count "$build/tring-sql" "$trace" "$query $event $group") - nothing)) \
			$(($(count sqlite3 "$base" "$query native $group") - native))
	done
done
show generate_series "$rows" "count(*)" \
	$(($(count sqlite3 "$base" "SELECT count(*) FROM generate_series(1, $rows)") - native)) \
	$(($(count sqlite3 "$base" "SELECT count(*) FROM native") - native))
