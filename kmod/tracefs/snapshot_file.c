// SPDX-License-Identifier: GPL-2.0
/*
 * The file "snapshot": takes a snapshot and describes it. Numbers have the same
 * meaning as in ftrace's file of that name, with one difference: in ftrace 2 clears
 * the snapshot and keeps its memory. Here memory is allocated for each snapshot and
 * freed when that was read or dropped, so that 2 is the same as 0.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/seq_file.h>

#include "control.h"
#include "session/session.h"

/**
 * tring_show_snapshot - print whether a snapshot has something to read, and its size
 * @m: output
 * @file: snapshot
 *
 * Context: may sleep.
 * Return: 0.
 */
int tring_show_snapshot(struct seq_file *m, struct tring_file *file)
{
	struct tring_session *session = tring_session_of(file->buffer);
	struct tring_stats stats;
	u64 bytes = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		tring_buffer_stats(file->buffer, cpu, &stats);
		bytes += stats.snapshot_bytes;
	}
	seq_printf(m, "# Snapshot: %s\n", bytes ? "taken" : "none");
	if (bytes) {
		for_each_possible_cpu(cpu) {
			tring_buffer_stats(file->buffer, cpu, &stats);
			seq_printf(m, "cpu%d: %llu events, %llu bytes\n", cpu,
				   stats.snapshot, stats.snapshot_bytes);
		}
	}
	if (READ_ONCE(session->snapshots_asked))
		seq_printf(m, "# Triggered: %llu times, met by %llu snapshots\n",
			   READ_ONCE(session->snapshots_asked),
			   READ_ONCE(session->snapshots_taken));
	seq_puts(m, "#\n"
		    "# echo 1 > snapshot : takes one, replacing the previous one;\n"
		    "#                     read it from per_cpu/cpu*/snapshot_raw_compact\n"
		    "# echo 0 > snapshot : frees it\n"
		    "# echo 2 > snapshot : clears it, which is the same here\n");
	return 0;
}

/**
 * tring_set_snapshot - take a snapshot or drop it
 * @file: snapshot
 * @value: 0, 1 or 2
 *
 * Context: may sleep.
 * Return: 0 or tring_buffer_snapshot()'s error.
 */
int tring_set_snapshot(struct tring_file *file, unsigned long value)
{
	int err;

	if (value != 1) {
		tring_buffer_drop_snapshot(file->buffer);
		return 0;
	}
	tring_buffer_lock(file->buffer);
	err = tring_buffer_snapshot(file->buffer);
	tring_buffer_unlock(file->buffer);
	return err;
}
