#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""compare-parquet.py TRING DIR PARQUET [OPTION...] - check what "tring convert --to parquet" has written

Reads PARQUET with DuckDB, and compares all events, columns and losses with those of "tring
report --json DIR": those of a CPU and an event in their order. Prints the first
differences; the last line counts the events. The exit status is 1 if anything differs.
duckdb.py says where DuckDB comes from.
"""
import os
import re
import sys

import converted
import duckdb


def rows_of(path):
    """Yield each row of each table."""
    tables = sorted(os.path.join(top, "*.parquet") for top, _, files in os.walk(path) if files)
    for rows in duckdb.answers([], [f"SELECT * FROM read_parquet('{table}')"
                                    for table in tables]):
        yield from rows


def bytes_of(text):
    """What DuckDB prints of bytes -> a list."""
    return [int(match[1], 16) if match[1] else ord(match[0])
            for match in re.finditer(r"\\x([0-9A-F]{2})|.", text, re.S)]


def events_of(path):
    """{(cpu, name): [event]}"""
    groups = {}
    for row in rows_of(path):
        name, host = row.pop("event"), row.pop("host")
        common = {key: row.pop(key) for key in list(row) if key.startswith("common_")}
        cpu = common["common_cpu"]
        if not host:
            raise ValueError("a row without a host")
        if name == converted.LOST:
            event = converted.loss_of(None, {key: int(row[key]) for key in row})
        else:
            if name == "tring_undecoded":
                name = None
                del row["id"]
            event = converted.Event(
                int(common["common_ts"]), common["common_pid"],
                common["common_comm"] or converted.UNKNOWN, common["common_flags"],
                common["common_preempt_count"], None, name, row)
        groups.setdefault((cpu, name), []).append(event)
    return groups


def same(own, their):
    """Compare values of JSON with those of a column."""
    if isinstance(own, list) and isinstance(their, str):
        return [value & 0xff for value in own] == bytes_of(their)
    if isinstance(own, list):
        return len(own) == len(their) and all(map(same, own, their))
    return own == (int(their) if isinstance(own, int) else their)


def main():
    """Compare the two."""
    tring, trace, path, *options = sys.argv[1:]
    own = {}
    for cpu, events in converted.events_of_json(tring, trace, *options).items():
        for event in events:
            # the names of directories are columns
            fields = {key + "_" if key in ("host", "event") else key: value
                      for key, value in event.fields.items()}
            own.setdefault((cpu, event.name), []).append(event._replace(fields=fields))
    return converted.compare(own, events_of(path), same)


if __name__ == "__main__":
    sys.exit(main())
