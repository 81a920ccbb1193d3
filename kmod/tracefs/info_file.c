// SPDX-License-Identifier: GPL-2.0
/*
 * Files that describe a trace: per_cpu/cpuN/stats, the counters of a CPU, and
 * trace_info, what a reader needs besides the packets. Both have a name and a value
 * on each line. Later versions may add lines; readers skip unknown names.
 */
#include <linux/cpumask.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/seqlock.h>
#include <linux/string.h>
#include <linux/time64.h>
#include <linux/utsname.h>

#include "clock.h"
#include "clock_names.h"
#include "control.h"
#include "probes/call_strings.h"
#include "probes/events.h"
#include "refusal_names.h"
#include "ring/ring.h"
#include "tring_format.h"

/* Samples of a pair of clocks; the one taken fastest is the most exact. */
#define OFFSET_SAMPLES	10

/*
 * Ticks by which the clock of a trace was set since the trace began: users have set TAI, or
 * writers have found that a clock was set back and have raised the trace's offset.
 */
static s64 clock_step(enum tring_clock clock, u64 own)
{
	return tring_clock_offset(clock) - own;
}

/**
 * tring_show_stats - print the counters of a CPU
 * @m: output
 * @file: per_cpu/cpuN/stats
 *
 * Context: may sleep.
 * Return: 0.
 */
int tring_show_stats(struct seq_file *m, struct tring_file *file)
{
	struct tring_stats stats;
	struct tring_buffer *buffer = file->buffer;
	enum tring_refusal reason;
	enum tring_clock clock;
	unsigned int sequence;
	u64 missed;
	s64 step;

	tring_buffer_stats(file->buffer, file->cpu, &stats);

	seq_printf(m, "reserved: %llu\n", stats.reserved);
	seq_printf(m, "committed: %llu\n", stats.committed);
	seq_printf(m, "discarded: %llu\n", stats.discarded);
	seq_printf(m, "open: %llu\n", stats.open);
	seq_printf(m, "read: %llu\n", stats.read);
	seq_printf(m, "overwritten: %llu\n", stats.overwritten);
	seq_printf(m, "remaining: %llu\n", stats.remaining);
	/* part of "remaining" that is in a snapshot */
	seq_printf(m, "snapshot: %llu\n", stats.snapshot);
	/* part of "overwritten" that was in a snapshot */
	seq_printf(m, "overwritten_snapshot: %llu\n", stats.overwritten_snapshot);
	seq_printf(m, "committed_bytes: %llu\n", stats.committed_bytes);
	seq_printf(m, "read_bytes: %llu\n", stats.read_bytes);
	seq_printf(m, "overwritten_bytes: %llu\n", stats.overwritten_bytes);
	seq_printf(m, "remaining_bytes: %llu\n", stats.remaining_bytes);
	seq_printf(m, "packets_read: %llu\n", stats.packets_read);
	seq_printf(m, "packets_overwritten: %llu\n", stats.packets_overwritten);
	for (reason = 0; reason < TRING_REFUSALS; reason++)
		seq_printf(m, "refused_%s: %llu\n", tring_refusal_name(reason),
			   stats.refused[reason]);
	/* interrupts that the CPU did not take in time */
	seq_printf(m, "unanswered: %llu\n", stats.unanswered);
	do {
		sequence = read_seqcount_begin(&buffer->identity);
		clock = READ_ONCE(buffer->clock);
		step = clock_step(clock, READ_ONCE(buffer->clock_offset));
		missed = tring_clock_missed(clock) - READ_ONCE(buffer->clock_missed);
	} while (read_seqcount_retry(&buffer->identity, sequence));
	/* of the trace, not of the CPU: so that a recording has them at its end */
	seq_printf(m, "clock_set_back: %lld\n", step < 0 ? -step : 0);
	seq_printf(m, "clock_set_forward: %lld\n", step > 0 ? step : 0);
	/* A suspend in the trace; the epoch that was read at its begin does not hold behind it. */
	seq_printf(m, "clock_missed_ns: %llu\n", missed);
	seq_printf(m, "clock_unreliable: %d\n", !tring_clock_available(clock));
	return 0;
}

/*
 * Ticks from the Unix epoch to the zero of a trace's clock: what a viewer adds to a
 * timestamp for the wall clock. Approximate, as the wall clock may be set and slewed.
 * The caller sees to it that no new trace begins meanwhile, with another clock or offset.
 */
static s64 epoch_offset(struct tring_buffer *buffer)
{
	enum tring_clock clock = READ_ONCE(buffer->clock);
	u64 frequency = tring_clock_frequency(clock);
	const u64 *own = &buffer->clock_offset;
	u64 before, after, real, ticks, best = U64_MAX;
	s64 offset = 0;
	int i;

	for (i = 0; i < OFFSET_SAMPLES; i++) {
		/* With the flag each clock is read with its offset. */
		before = tring_clock_read(clock | TRING_CLOCK_SET_BACK, &own);
		real = ktime_get_real_ns();
		after = tring_clock_read(clock | TRING_CLOCK_SET_BACK, &own);
		if (after - before >= best)
			continue;
		best = after - before;
		ticks = frequency == NSEC_PER_SEC ? real :
			mul_u64_u64_div_u64(real, frequency, NSEC_PER_SEC);
		offset = ticks - (before + best / 2);
	}
	return offset;
}

/**
 * tring_show_trace_info - print the properties of the trace
 * @m: output
 * @file: trace_info
 *
 * Context: may sleep.
 * Return: 0.
 */
int tring_show_trace_info(struct seq_file *m, struct tring_file *file)
{
	struct tring_buffer *buffer = file->buffer;
	unsigned long subbuf_size = tring_buffer_subbuf_size(buffer);
	u8 uuid[TRING_UUID_SIZE];
	enum tring_clock clock;
	unsigned int sequence;
	s64 epoch;
	u64 own;

	/* The uuid changes with the clock. What waits with the mutex held does not matter here. */
	do {
		sequence = read_seqcount_begin(&buffer->identity);
		memcpy(uuid, buffer->uuid, sizeof(uuid));
		clock = READ_ONCE(buffer->clock);
		own = READ_ONCE(buffer->clock_offset);
		epoch = epoch_offset(buffer);
	} while (read_seqcount_retry(&buffer->identity, sequence));

	seq_printf(m, "format_version=%d\n", TRING_FORMAT_VERSION);
	seq_printf(m, "uuid=%pUb\n", uuid);
	seq_printf(m, "byte_order=%s\n", TRING_HOST_BIG_ENDIAN ? "be" : "le");
	seq_printf(m, "clock=%s\n", tring_name_of_clock(clock));
	seq_printf(m, "clock_frequency=%llu\n", tring_clock_frequency(clock));
	seq_printf(m, "clock_offset=%lld\n", epoch);
	seq_printf(m, "clock_step=%lld\n", clock_step(clock, own));
	seq_printf(m, "clock_reliable=%d\n", tring_clock_available(clock));
	/* for events that print times in ticks */
	seq_printf(m, "tick_frequency=%d\n", HZ);
	/*
	 * A name that is being changed may come out mixed, as its lock is not
	 * exported. It cannot come out as two lines.
	 */
	seq_puts(m, "hostname=");
	seq_escape(m, init_utsname()->nodename, "\n\\");
	seq_puts(m, "\nkernel_release=");
	seq_escape(m, init_utsname()->release, "\n\\");
	seq_puts(m, "\ntracer=tring\n");
	seq_puts(m, "tracer_version=" TRING_VERSION "\n");
	seq_printf(m, "cpus=%u\n", num_possible_cpus());
	seq_printf(m, "subbuf_size=%lu\n", subbuf_size);
	tring_events_show_counters(m, file->events);
	tring_call_strings_show_unread(m, file->events);
	return 0;
}
