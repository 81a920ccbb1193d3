#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""compare-sql.py TRING TRACE MANUAL - compare the answers of "tring sql" with DuckDB's

Asks the questions of MANUAL, tring-sql(1). DuckDB reads the events that "tring convert --to
parquet" has written, and finds out by the queries below what they mean together: which tasks ran,
which waited for what, interrupts and system calls. TRACE has no losses, and the events of sched, irq,
signal and raw_syscalls. The last line counts the questions and the differences; the exit status is
1 if there is any. duckdb.py says where DuckDB comes from.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

import duckdb

# What a CPU runs up to its first switch is known by its first event.
SLICES = """
CREATE TABLE slices AS
WITH switches AS (
  SELECT *, row_number() OVER (PARTITION BY common_cpu ORDER BY common_ts, place) AS nth
  FROM sched_switch),
first AS (SELECT cpu, min(ts) AS begin FROM events GROUP BY cpu),
ends AS (SELECT max(ts) AS last FROM events)
SELECT common_cpu AS cpu, prev_pid AS pid, begin AS from_ts, common_ts AS to_ts,
  prev_state AS state
FROM switches JOIN first ON cpu = common_cpu WHERE nth = 1
UNION ALL
SELECT common_cpu, next_pid, common_ts,
  coalesce(lead(common_ts) OVER (PARTITION BY common_cpu ORDER BY nth),
           (SELECT last FROM ends)),
  lead(prev_state) OVER (PARTITION BY common_cpu ORDER BY nth)
FROM switches"""

# The steps of each task: it gets a CPU, it leaves it, something wakes it.
STEPS = """
CREATE TABLE steps AS
WITH marks AS (
  SELECT common_ts AS ts, common_cpu AS cpu, place, 0 AS part, prev_pid AS pid, 'out' AS step,
    prev_state & 255 AS state, NULL AS waker FROM sched_switch WHERE prev_pid > 0
  UNION ALL
  SELECT common_ts, common_cpu, place, 1, next_pid, 'in', 0, NULL FROM sched_switch
  WHERE next_pid > 0
  UNION ALL
  SELECT common_ts, common_cpu, place, 0, pid, 'waking', 0, common_pid FROM sched_waking
  UNION ALL
  SELECT common_ts, common_cpu, place, 0, pid, 'wakeup', 0, common_pid FROM sched_wakeup
  UNION ALL
  SELECT common_ts, common_cpu, place, 0, pid, 'wakeup', 0, common_pid FROM sched_wakeup_new)
SELECT *, row_number() OVER (PARTITION BY pid ORDER BY ts, part, place) AS nth FROM marks"""

# A task that leaves its CPU is blocked until the first wakeup; if the last one before was a
# sched_waking without its sched_wakeup, it is awake already.
BLOCKED = """
CREATE TABLE blocked AS
SELECT o.pid, o.ts AS from_ts, w.ts AS to_ts, w.waker, w.nth
FROM steps o
JOIN steps w ON w.pid = o.pid AND w.nth = (
  SELECT min(nth) FROM steps n WHERE n.pid = o.pid AND n.nth > o.nth)
LEFT JOIN steps before ON before.pid = o.pid AND before.nth = o.nth - 1
WHERE o.step = 'out' AND o.state > 0 AND o.state & 48 = 0
  AND w.step IN ('waking', 'wakeup') AND coalesce(before.step, '') <> 'waking'"""

# From the first wakeup of a task that does not run, and has not lost its CPU to another one.
RUNNABLE = """
CREATE TABLE runnable AS
SELECT w.pid, w.ts AS from_ts, i.ts AS to_ts, w.waker
FROM steps w
LEFT JOIN steps before ON before.pid = w.pid AND before.nth = w.nth - 1
JOIN steps i ON i.pid = w.pid AND i.step = 'in' AND i.nth = (
  SELECT min(nth) FROM steps n WHERE n.pid = w.pid AND n.nth > w.nth AND n.step = 'in')
WHERE w.step IN ('waking', 'wakeup')
  AND (before.step IS NULL OR EXISTS (
    SELECT * FROM blocked b WHERE b.pid = w.pid AND b.nth = w.nth))"""

SOFTIRQS = """
CREATE TABLE softirqs AS
SELECT * FROM (
  SELECT common_cpu AS cpu, common_pid AS pid, vec, step, common_ts AS from_ts,
    lead(common_ts) OVER cpus AS to_ts, lead(step) OVER cpus AS after,
    lead(vec) OVER cpus AS after_vec
  FROM (SELECT *, 'entry' AS step FROM softirq_entry
        UNION ALL BY NAME SELECT *, 'exit' AS step FROM softirq_exit)
  WINDOW cpus AS (PARTITION BY common_cpu ORDER BY common_ts, step DESC))
WHERE step = 'entry' AND after = 'exit' AND after_vec = vec"""

# A begin and the next end of the task, if it is of the same call. The end of a signal's handler
# has no number, and its result is that of the call before.
CALLS = """
CREATE TABLE calls AS
SELECT * FROM (
  SELECT common_pid AS pid, id AS number, step, common_ts AS from_ts,
    lead(common_ts) OVER tasks AS to_ts, lead(step) OVER tasks AS after,
    lead(id) OVER tasks AS after_id,
    CASE WHEN lead(id) OVER tasks >= 0 THEN lead(ret) OVER tasks END AS result
  FROM (SELECT *, 'enter' AS step FROM sys_enter
        UNION ALL BY NAME SELECT *, 'exit' AS step FROM sys_exit)
  WINDOW tasks AS (PARTITION BY common_pid ORDER BY common_ts, step))
WHERE step = 'enter' AND after = 'exit' AND (after_id = number OR after_id < 0)"""

ANSWERS = [
    "SELECT name, count(*) n FROM events GROUP BY name ORDER BY n DESC, name LIMIT 10",
    "SELECT ts // 100000000 AS slot, count(*) FROM events GROUP BY slot ORDER BY slot",
    "SELECT pid, sum(to_ts - from_ts)::BIGINT ran FROM slices WHERE pid > 0 GROUP BY pid "
    "ORDER BY ran DESC, pid LIMIT 10",
    "SELECT cpu, (sum(to_ts - from_ts) FILTER (WHERE pid > 0))::BIGINT, "
    "sum(to_ts - from_ts)::BIGINT FROM slices GROUP BY cpu ORDER BY cpu",
    "SELECT to_ts - from_ts d, from_ts, cpu, pid FROM slices WHERE pid > 0 "
    "ORDER BY d DESC, from_ts LIMIT 5",
    "SELECT prev_pid, count(*) n FROM sched_switch WHERE prev_state & 255 = 0 "
    "AND prev_state > 255 GROUP BY 1 ORDER BY n DESC, 1 LIMIT 10",
    "SELECT to_ts - from_ts d, from_ts, pid, waker FROM runnable "
    "ORDER BY d DESC, from_ts, pid LIMIT 10",
    "SELECT (to_ts - from_ts) // 100000 slot, count(*) FROM runnable GROUP BY slot ORDER BY slot",
    "SELECT pid, waker, count(*) n, sum(to_ts - from_ts)::BIGINT blocked FROM blocked "
    "GROUP BY ALL ORDER BY blocked DESC, pid, waker LIMIT 10",
    "SELECT common_pid, pid, count(*) n FROM sched_waking GROUP BY 1, 2 "
    "ORDER BY n DESC, 1, 2 LIMIT 10",
    "SELECT vec, count(*), sum(to_ts - from_ts)::BIGINT FROM softirqs GROUP BY vec ORDER BY vec",
    "SELECT to_ts - from_ts d, from_ts, cpu, vec, pid FROM softirqs "
    "ORDER BY d DESC, from_ts LIMIT 5",
    "SELECT number, count(*), sum(to_ts - from_ts)::BIGINT total FROM calls GROUP BY number "
    "ORDER BY total DESC, number LIMIT 10",
    "SELECT to_ts - from_ts d, from_ts, pid, number, result FROM calls "
    "ORDER BY d DESC, from_ts LIMIT 10",
    "SELECT number, -result AS errno, count(*) n FROM calls WHERE result BETWEEN -4095 AND -1 "
    "GROUP BY 1, 2 ORDER BY n DESC, 1, 2 LIMIT 10",
    "SELECT name, count(*) n FROM events WHERE pid = 0 GROUP BY name ORDER BY n DESC, name",
    "SELECT pid, count(*) n, count(DISTINCT dest_cpu) FROM sched_migrate_task GROUP BY pid "
    "ORDER BY n DESC, pid LIMIT 10",
    "SELECT common_ts, pid, filename FROM sched_process_exec ORDER BY common_ts LIMIT 20",
    "SELECT common_pid, pid, sig, count(*) FROM signal_generate GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
    "SELECT ts, cpu, pid, name FROM events, (SELECT max(ts) AS last FROM events) "
    "WHERE ts >= last - 1000000 ORDER BY ts, cpu, name",
]


def questions_of(path):
    """[(question, query)]"""
    with open(path, encoding="utf-8") as file:
        text = file.read().split(".SH QUESTIONS")[1].split(".SH")[0]
    return [(title, query.replace("\\-", "-").strip())
            for title, query in re.findall(r"\.TP\n([^\n]*)\n\.EX\n(.*?)\.EE", text, re.S)]


def duck_answers(parquet):
    """The rows of each query, as DuckDB has them."""
    host = os.path.join(parquet, os.listdir(parquet)[0])
    names = sorted(path[6:] for path in os.listdir(host))
    setup = [f"CREATE TABLE \"{name}\" AS SELECT *, file_row_number AS place FROM "
             f"read_parquet('{host}/event={name}/*.parquet', file_row_number = true)"
             for name in names]
    setup.append("CREATE TABLE events AS " + " UNION ALL ".join(
        f"SELECT common_ts AS ts, common_cpu AS cpu, common_pid AS pid, '{name}' AS name "
        f"FROM \"{name}\"" for name in names if not name.startswith("tring_")))
    setup += [SLICES, STEPS, BLOCKED, RUNNABLE, SOFTIRQS, CALLS]
    return list(duckdb.answers(setup, ANSWERS))


def plain(rows):
    """The values of rows, as texts."""
    return [[str(value) for value in row.values()] for row in rows]


def main():
    tring, trace, manual = sys.argv[1:]
    questions = questions_of(manual)
    if len(questions) != len(ANSWERS):
        sys.exit(f"{manual} has {len(questions)} questions, not {len(ANSWERS)}")
    differences = rows = 0
    with tempfile.TemporaryDirectory() as folder:
        parquet = os.path.join(folder, "parquet")
        subprocess.run([tring, "convert", "--to", "parquet", "-o", parquet, trace], check=True)
        expected = duck_answers(parquet)
    for (title, query), wanted in zip(questions, expected):
        text = subprocess.run([tring, "sql", "-o", "json", trace, query], check=True,
                              stdout=subprocess.PIPE, encoding="utf-8").stdout
        found = plain(json.loads(text))
        wanted = plain(wanted)
        rows += len(found)
        if not found:
            print(f"{title} no rows")
        if found != wanted or not found:
            differences += 1
            print(f"{title}\n{query}")
            for one, other in [pair for pair in zip(found, wanted) if pair[0] != pair[1]][:5]:
                print(f"  tring {one}, DuckDB {other}")
            print(f"  {len(found)} and {len(wanted)} rows")
    print(f"{len(questions)} questions, {rows} rows, {differences} differences")
    return differences != 0


if __name__ == "__main__":
    sys.exit(main())
