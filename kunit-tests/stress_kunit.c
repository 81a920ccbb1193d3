// SPDX-License-Identifier: GPL-2.0
/*
 * Everything at once: a writer thread on each CPU, hard and soft interrupts
 * that write in between, and a reader that goes round all CPUs. Each event says
 * who wrote it, which one of his it is, and when; the reader believes nothing,
 * and in the end every event must be accounted for.
 *
 * What it can show depends on the machine: with one CPU the reader runs between
 * the writers only, and the interrupts are what comes in between.
 */

#include <linux/completion.h>
#include <linux/cpu.h>
#include <linux/crc32.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/moduleparam.h>
#include <linux/prandom.h>
#include <linux/sched.h>

#include "helpers.h"

static unsigned int stress_ms = 2000;
module_param(stress_ms, uint, 0444);
MODULE_PARM_DESC(stress_ms, "how long each KUnit stress case writes, in ms");

/* ftrace's ids of events whose length varies, has the same always, and that are long. */
#define STRESS_VARYING_ID	1000
#define STRESS_FIXED_ID		1001
#define STRESS_LONG_ID		1002
#define STRESS_FIXED_LENGTH	(sizeof(struct stress_event) + 20)
#define STRESS_SUBBUFS	8
/* Writers are too fast for the reader in every second phase of this length. */
#define STRESS_PHASE	(HZ / 5)
/* Longest fields; some need most of a sub-buffer. */
#define STRESS_LENGTH	3900

enum stress_context {
	STRESS_TASK,
	STRESS_SOFT,
	STRESS_HARD,
	STRESS_CONTEXTS
};

/**
 * struct stress_event - the fields of an event
 * @context: enum stress_context
 * @flags: that it is written with
 * @preempt_count: likewise
 * @unused: zero
 * @pid: likewise
 * @cpu: of the writer
 * @length: of all of it
 * @checksum: of all but this member
 * @sequence: of this CPU's and context's attempts, from 1
 * @before: the clock before the reservation
 * @after: the clock after the reservation
 * @fill: pseudo-random
 *
 * Records begin at any byte.
 */
struct stress_event {
	u8	context;
	u8	flags;
	u8	preempt_count;
	u8	unused;
	u32	pid;
	u32	cpu;
	u32	length;
	u32	checksum;
	u64	sequence;
	u64	before;
	u64	after;
	u8	fill[];
} __packed;

/* How long to wait for what has to be seen. */
#define PATIENCE	(60 * HZ)

/* Sub-buffers that change_things() sets are no larger. */
#define CHANGED_SUBBUF_MAX	(4 * PAGE_SIZE)

/* What one context of one CPU has done; written there only. */
struct stress_writer {
	u64		attempts;
	u64		committed;
	u64		discarded;
	u64		refused[TRING_REFUSALS];
	u64		unknown_errors;
	struct rnd_state random;
};

struct stress;

struct stress_cpu {
	struct stress		*stress;
	int			cpu;
	struct stress_writer	writers[STRESS_CONTEXTS];
	struct hrtimer		hard, soft;
	struct task_struct	*task;
	struct completion	done;
	struct tring_stream	*stream;
	/* The reader's: */
	u64			last_sequence[STRESS_CONTEXTS];
	u64			next_packet, gap, packets;
	u64			last_stamp, last_lost;
	u64			read;
	bool			opened;
};

struct stress {
	struct kunit		*test;
	struct tring_buffer	*buffer;
	u64			varying, fixed;
	bool			stop;
	struct stress_cpu	*cpus;
	struct task_struct	*changer;
	struct completion	changed;
	unsigned long		changes, peeked;
	unsigned long		pids_left_out;
	unsigned long		faults;
	const char		*fault;
	u64			got, wanted;
};

static void stress_fault(struct stress *stress, const char *what, u64 got, u64 wanted)
{
	if (stress->faults++)
		return;
	stress->fault = what;
	stress->got = got;
	stress->wanted = wanted;
}

static void expect_equal(struct stress *stress, const char *what, u64 got, u64 wanted)
{
	if (got != wanted)
		stress_fault(stress, what, got, wanted);
}

static u32 stress_checksum(const struct stress_event *event, u32 length)
{
	u32 sum = crc32_le(~0, (const u8 *)event, offsetof(struct stress_event, checksum));

	return crc32_le(sum, (const u8 *)&event->sequence,
			length - offsetof(struct stress_event, sequence));
}

static u32 pick_length(struct rnd_state *random)
{
	u32 dice = prandom_u32_state(random);
	u32 fill;

	if (dice % 64 == 0)
		fill = (dice >> 8) % (STRESS_LENGTH - sizeof(struct stress_event));
	else if (dice % 64 < 32)
		fill = STRESS_FIXED_LENGTH - sizeof(struct stress_event);
	else
		fill = (dice >> 8) % 100;
	return sizeof(struct stress_event) + fill;
}

static void count_refusal(struct stress_writer *writer, int err)
{
	enum tring_refusal reason = ring_refusal_of(err);

	if (reason < TRING_REFUSALS)
		writer->refused[reason]++;
	else
		writer->unknown_errors++;
}

static u64 pick_key(const struct stress *stress, u32 dice, u32 length)
{
	if (dice % 8 == 0)
		return tring_event_key(STRESS_LONG_ID);
	return length == STRESS_FIXED_LENGTH ? stress->fixed : stress->varying;
}

/*
 * An interrupt has the pid of who is interrupted, or, as if the scheduler was in
 * the middle of its work, another.
 */
static u32 pick_pid(u32 dice, enum stress_context context)
{
	return dice % 4 ? 1 : 1 + context;
}

/* On the CPU itself, which the caller sees to. */
static void write_one(struct stress_cpu *cpu, enum stress_context context)
{
	struct stress_writer *writer = &cpu->writers[context];
	u32 length = pick_length(&writer->random);
	u32 dice = prandom_u32_state(&writer->random);
	bool discard = prandom_u32_state(&writer->random) % 8 == 0;
	u64 key = pick_key(cpu->stress, dice, length);
	u32 pid = pick_pid(dice >> 8, context);
	/* Seldom one that a byte cannot say. */
	u8 flags = (dice >> 16) % 16 ? context << 3 : dice >> 24;
	u8 preempt_count = (dice >> 20) % 8;
	struct stress_event *event;
	struct tring_record record;
	u64 sequence, before;
	int err;

	sequence = ++writer->attempts;
	before = tring_clock_read(TRING_CLOCK_MONO);
	err = tring_reserve(cpu->stress->buffer, key | tring_context(flags, preempt_count), pid,
			    TRING_PAYLOAD_HEAD + length, &record);
	if (err) {
		count_refusal(writer, err);
		return;
	}
	event = record.payload + TRING_PAYLOAD_HEAD;
	event->context = context;
	event->flags = flags;
	event->preempt_count = preempt_count;
	event->unused = 0;
	event->pid = pid;
	event->cpu = cpu->cpu;
	event->length = length;
	event->sequence = sequence;
	event->before = before;
	event->after = tring_clock_read(TRING_CLOCK_MONO);
	prandom_bytes_state(&writer->random, event->fill, length - sizeof(*event));
	if (discard) {
		writer->discarded++;
		tring_discard(&record);
		return;
	}
	event->checksum = stress_checksum(event, length);
	writer->committed++;
	tring_commit(&record);
}

static enum hrtimer_restart write_from_timer(struct stress_cpu *cpu, struct hrtimer *timer,
					     enum stress_context context)
{
	struct rnd_state *random = &cpu->writers[context].random;
	unsigned int count = 1 + prandom_u32_state(random) % 3;

	while (count--)
		write_one(cpu, context);
	if (READ_ONCE(cpu->stress->stop))
		return HRTIMER_NORESTART;
	hrtimer_forward_now(timer, ns_to_ktime(20000 + prandom_u32_state(random) % 200000));
	return HRTIMER_RESTART;
}

static enum hrtimer_restart write_from_hard_irq(struct hrtimer *timer)
{
	return write_from_timer(container_of(timer, struct stress_cpu, hard), timer,
				STRESS_HARD);
}

static enum hrtimer_restart write_from_softirq(struct hrtimer *timer)
{
	return write_from_timer(container_of(timer, struct stress_cpu, soft), timer,
				STRESS_SOFT);
}

static int write_from_task(void *data)
{
	struct stress_cpu *cpu = data;
	unsigned int i;

	hrtimer_init(&cpu->hard, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_init(&cpu->soft, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_SOFT);
	cpu->hard.function = write_from_hard_irq;
	cpu->soft.function = write_from_softirq;
	hrtimer_start(&cpu->hard, ns_to_ktime(1000), HRTIMER_MODE_REL_PINNED_HARD);
	hrtimer_start(&cpu->soft, ns_to_ktime(1000), HRTIMER_MODE_REL_PINNED_SOFT);
	while (!READ_ONCE(cpu->stress->stop)) {
		for (i = 0; i < 20; i++)
			write_one(cpu, STRESS_TASK);
		if (jiffies / STRESS_PHASE % 2)
			usleep_range(500, 2000);
		else
			cond_resched();
	}
	hrtimer_cancel(&cpu->hard);
	hrtimer_cancel(&cpu->soft);
	complete(&cpu->done);
	return 0;
}

/* The number of its CTF event class: a short type, unless it has no other. */
static void verify_id(struct stress *stress, const struct walk *walk)
{
	unsigned int fixed = tring_head_type(stress->fixed);
	unsigned int varying = tring_head_type(stress->varying);

	if (walk->type == TRING_TYPE_LONG)
		expect_equal(stress, "id", walk->id, STRESS_LONG_ID + TRING_LONG_ID_BASE);
	else if (walk->type == TRING_TYPE_EXTENDED)
		expect_equal(stress, "id of an extended record",
			     walk->id >= STRESS_VARYING_ID + TRING_LONG_ID_BASE &&
			     walk->id <= STRESS_LONG_ID + TRING_LONG_ID_BASE, true);
	else if (walk->room == STRESS_FIXED_LENGTH)
		expect_equal(stress, "type", walk->type, fixed);
	else
		expect_equal(stress, "type", walk->type, varying);
}

static void verify_event(struct stress *stress, struct stress_cpu *cpu,
			 const struct walk *walk)
{
	const struct stress_event *event = walk->fields;

	if (walk->room < sizeof(*event)) {
		stress_fault(stress, "room", walk->room, sizeof(*event));
		return;
	}
	if (event->length != walk->room || event->context >= STRESS_CONTEXTS) {
		stress_fault(stress, "length", event->length, walk->room);
		return;
	}
	verify_id(stress, walk);
	expect_equal(stress, "checksum", event->checksum,
		     stress_checksum(event, event->length));
	expect_equal(stress, "cpu", event->cpu, cpu->cpu);
	expect_equal(stress, "pid", walk->pid, event->pid);
	expect_equal(stress, "flags", walk->flags, event->flags);
	expect_equal(stress, "preempt_count", walk->preempt_count, event->preempt_count);
	if (event->sequence <= cpu->last_sequence[event->context])
		stress_fault(stress, "sequence", event->sequence,
			     cpu->last_sequence[event->context] + 1);
	cpu->last_sequence[event->context] = event->sequence;
	if (walk->stamp < event->before)
		stress_fault(stress, "timestamp is too old", walk->stamp, event->before);
	if (walk->stamp > event->after)
		stress_fault(stress, "timestamp is too new", walk->stamp, event->after);
	if (!walk_has_pid(walk))
		stress->pids_left_out++;
}

static void verify_packet(struct stress *stress, struct stress_cpu *cpu,
			  const struct tring_packet *packet)
{
	const struct tring_packet_header *header = packet->data;
	struct walk walk;

	if (!walk_packet(&walk, packet->data, packet->size)) {
		stress_fault(stress, walk.reason, walk.offset, 0);
		return;
	}
	expect_equal(stress, "cpu_id", header->cpu_id, cpu->cpu);
	if (header->packet_seq_num < cpu->next_packet)
		stress_fault(stress, "packet_seq_num", header->packet_seq_num,
			     cpu->next_packet);
	if (header->timestamp_begin < cpu->last_stamp)
		stress_fault(stress, "timestamp_begin", header->timestamp_begin,
			     cpu->last_stamp);
	if (header->events_discarded < cpu->last_lost)
		stress_fault(stress, "events_discarded", header->events_discarded,
			     cpu->last_lost);
	cpu->gap += header->packet_seq_num - cpu->next_packet;
	cpu->next_packet = header->packet_seq_num + 1;
	cpu->packets++;
	cpu->last_lost = header->events_discarded;
	cpu->last_stamp = header->timestamp_end;

	walk_begin(&walk, packet->data, packet->size);
	while (walk_next(&walk))
		if (!walk_is_discarded(&walk))
			verify_event(stress, cpu, &walk);
	expect_equal(stress, "events of the packet", packet->events, walk.events);
	cpu->read += walk.events;
}

/* Returns whether there was a packet. */
static bool read_one(struct stress *stress, struct stress_cpu *cpu, bool flush)
{
	struct tring_packet packet;
	int err;

	err = tring_reader_take(cpu->stream, flush, &packet);
	if (err) {
		expect_equal(stress, "error of tring_reader_take()", -err, EAGAIN);
		return false;
	}
	verify_packet(stress, cpu, &packet);
	tring_reader_put(cpu->stream);
	return true;
}

static void balance_cpu(struct stress *stress, struct stress_cpu *cpu)
{
	u64 attempts = 0, committed = 0, discarded = 0, lost = 0;
	u64 refused[TRING_REFUSALS] = { };
	struct stress_writer *writer;
	struct tring_stats stats;
	int context, reason;

	for (context = 0; context < STRESS_CONTEXTS; context++) {
		writer = &cpu->writers[context];
		attempts += writer->attempts;
		committed += writer->committed;
		discarded += writer->discarded;
		for (reason = 0; reason < TRING_REFUSALS; reason++)
			refused[reason] += writer->refused[reason];
		expect_equal(stress, "unknown errors", writer->unknown_errors, 0);
	}
	tring_buffer_stats(stress->buffer, cpu->cpu, &stats);
	expect_equal(stress, "stats: open", stats.open, 0);
	expect_equal(stress, "stats: remaining", stats.remaining, 0);
	expect_equal(stress, "stats: committed", stats.committed, committed);
	expect_equal(stress, "stats: discarded", stats.discarded, discarded);
	expect_equal(stress, "stats: read", stats.read, cpu->read);
	expect_equal(stress, "stats: packets_read", stats.packets_read, cpu->packets);
	expect_equal(stress, "stats: packets_overwritten", stats.packets_overwritten, cpu->gap);
	expect_equal(stress, "committed = read + overwritten", committed,
		     stats.read + stats.overwritten);
	expect_equal(stress, "the same in bytes", stats.committed_bytes,
		     stats.read_bytes + stats.overwritten_bytes);
	for (reason = 0; reason < TRING_REFUSALS; reason++) {
		expect_equal(stress, tring_refusal_name(reason), stats.refused[reason],
			     refused[reason]);
		lost += refused[reason];
	}
	expect_equal(stress, "attempts", attempts, committed + discarded + lost);
	/* What a snapshot took aside and then lost was not lost to this stream. */
	if (stress->changer ? cpu->last_lost > lost + stats.overwritten :
			      cpu->last_lost != lost + stats.overwritten)
		stress_fault(stress, "events_discarded", cpu->last_lost,
			     lost + stats.overwritten);
	kunit_info(stress->test,
		   "CPU %d: %llu attempts (%llu soft, %llu hard), %llu read, %llu overwritten, %llu refused, %llu discarded\n",
		   cpu->cpu, attempts, cpu->writers[STRESS_SOFT].attempts,
		   cpu->writers[STRESS_HARD].attempts, stats.read, stats.overwritten,
		   lost, discarded);
}

static void stop_changing(struct stress *stress)
{
	if (!stress->changer)
		return;
	WRITE_ONCE(stress->stop, true);
	wait_for_completion(&stress->changed);
	complete(&stress->changed);
}

static void stop_stress(void *data)
{
	struct stress *stress = data;
	int cpu;

	WRITE_ONCE(stress->stop, true);
	stop_changing(stress);
	for_each_possible_cpu(cpu) {
		struct stress_cpu *one = &stress->cpus[cpu];

		if (one->task) {
			wait_for_completion(&one->done);
			kthread_stop_put(one->task);
		}
		one->task = NULL;
		if (one->opened)
			tring_reader_release(one->stream);
		one->opened = false;
	}
	tring_buffer_set_recording(stress->buffer, false);
	tring_buffer_destroy(stress->buffer);
}

static struct stress *create_stress(struct kunit *test, bool overwrite)
{
	struct stress *stress = kunit_kzalloc(test, sizeof(*stress), GFP_KERNEL);
	int cpu, context;

	KUNIT_ASSERT_NOT_NULL(test, stress);
	stress->test = test;
	init_completion(&stress->changed);
	stress->cpus = kunit_kcalloc(test, nr_cpu_ids, sizeof(*stress->cpus), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, stress->cpus);
	stress->buffer = tring_buffer_create();
	KUNIT_ASSERT_NOT_NULL(test, stress->buffer);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, stop_stress, stress), 0);
	stress->varying = tring_buffer_add_event(stress->buffer, STRESS_VARYING_ID, 0);
	stress->fixed = tring_buffer_add_event(stress->buffer, STRESS_FIXED_ID,
					       STRESS_FIXED_LENGTH);
	tring_buffer_set_overwrite(stress->buffer, overwrite);
	KUNIT_ASSERT_EQ(test, tring_buffer_resize(stress->buffer, -1,
						  STRESS_SUBBUFS * PAGE_SIZE), 0);
	for_each_online_cpu(cpu) {
		struct stress_cpu *one = &stress->cpus[cpu];

		one->stress = stress;
		one->cpu = cpu;
		init_completion(&one->done);
		for (context = 0; context < STRESS_CONTEXTS; context++)
			prandom_seed_state(&one->writers[context].random,
					   cpu * STRESS_CONTEXTS + context);
		one->stream = tring_buffer_stream(stress->buffer, cpu, TRING_LIVE);
		KUNIT_ASSERT_EQ(test, tring_reader_open(one->stream), 0);
		one->opened = true;
	}
	tring_buffer_set_recording(stress->buffer, true);
	return stress;
}

static void start_writers(struct stress *stress)
{
	struct task_struct *task;
	int cpu;

	for_each_online_cpu(cpu) {
		task = kthread_create_on_cpu(write_from_task, &stress->cpus[cpu], cpu,
					     "tring_stress/%u");
		KUNIT_ASSERT_FALSE(stress->test, IS_ERR(task));
		stress->cpus[cpu].task = get_task_struct(task);
		wake_up_process(task);
	}
}

/* Look at all that is in a ring, while it is written, read and replaced. */
static void peek_all(struct stress *stress, int cpu, void *copy)
{
	struct tring_stream *stream = tring_buffer_stream(stress->buffer, cpu, TRING_LIVE);
	struct tring_packet_header *header = copy;
	struct tring_peek peek = { };
	struct walk walk;
	u64 lost = 0;
	size_t size;

	while (!tring_reader_peek(stream, &peek, copy, CHANGED_SUBBUF_MAX, &size)) {
		if (!walk_packet(&walk, copy, size))
			stress_fault(stress, walk.reason, walk.offset, 0);
		expect_equal(stress, "peeked packet_seq_num", header->packet_seq_num,
			     peek.next - 1);
		if (header->events_discarded < lost)
			stress_fault(stress, "peeked events_discarded",
				     header->events_discarded, lost);
		lost = header->events_discarded;
		stress->peeked++;
	}
}

/* Sizes, snapshots and onlookers, one after the other, until it is enough. */
static int change_things(void *data)
{
	struct stress *stress = data;
	struct rnd_state random;
	unsigned long bytes;
	int cpu, err;
	void *copy;

	copy = kvmalloc(CHANGED_SUBBUF_MAX, GFP_KERNEL);
	prandom_seed_state(&random, 1);
	while (copy && !READ_ONCE(stress->stop)) {
		bytes = (2 + prandom_u32_state(&random) % 10) * PAGE_SIZE;
		switch (prandom_u32_state(&random) % 4) {
		case 0:
			err = tring_buffer_resize(stress->buffer, -1, bytes);
			break;
		case 1:
			err = tring_buffer_set_subbuf_size(stress->buffer,
							   PAGE_SIZE << (bytes / PAGE_SIZE % 3));
			break;
		case 2:
			err = tring_buffer_snapshot(stress->buffer);
			tring_buffer_drop_snapshot(stress->buffer);
			break;
		default:
			err = 0;
			for_each_online_cpu(cpu)
				peek_all(stress, cpu, copy);
		}
		if (err)
			stress_fault(stress, "a change failed", -err, 0);
		stress->changes++;
		cond_resched();
	}
	kvfree(copy);
	complete(&stress->changed);
	return 0;
}

static void start_changing(struct stress *stress)
{
	struct task_struct *task = kthread_run(change_things, stress, "tring_change");

	KUNIT_ASSERT_FALSE(stress->test, IS_ERR(task));
	stress->changer = task;
}

/* So that the last packet read tells of all that was lost before it. */
static void write_last(void *data)
{
	struct stress_cpu *cpu = data;
	u64 committed = cpu->writers[STRESS_HARD].committed;
	unsigned int tries = 0;

	while (cpu->writers[STRESS_HARD].committed == committed && tries++ < 1000)
		write_one(cpu, STRESS_HARD);
}

/* On a slow kernel a change takes a while, and each kind has to be tried. */
static bool seen_all(struct stress *stress)
{
	return READ_ONCE(stress->changes) >= 8 && READ_ONCE(stress->peeked);
}

static void write_and_read(struct kunit *test, bool overwrite, bool change)
{
	struct stress *stress = create_stress(test, overwrite);
	unsigned long end = jiffies + msecs_to_jiffies(stress_ms);
	unsigned int round = 0;
	int cpu;

	start_writers(stress);
	if (change)
		start_changing(stress);
	while (!stress->faults &&
	       (time_before(jiffies, end) ||
		(change && !seen_all(stress) && time_before(jiffies, end + PATIENCE)))) {
		/* Now with a flush, now without; now keeping up, now not. */
		for_each_online_cpu(cpu)
			read_one(stress, &stress->cpus[cpu], round % 3 == 0);
		if (++round % 64 == 0)
			schedule_timeout_idle(1);
		cond_resched();
	}
	WRITE_ONCE(stress->stop, true);
	stop_changing(stress);
	for_each_online_cpu(cpu) {
		wait_for_completion(&stress->cpus[cpu].done);
		complete(&stress->cpus[cpu].done);
	}
	for_each_online_cpu(cpu) {
		while (read_one(stress, &stress->cpus[cpu], true))
			;
		smp_call_function_single(cpu, write_last, &stress->cpus[cpu], true);
	}
	tring_buffer_set_recording(stress->buffer, false);
	for_each_online_cpu(cpu) {
		while (read_one(stress, &stress->cpus[cpu], true))
			;
		balance_cpu(stress, &stress->cpus[cpu]);
		KUNIT_EXPECT_GT(test, stress->cpus[cpu].read, 0);
		KUNIT_EXPECT_GT(test, stress->cpus[cpu].writers[STRESS_HARD].attempts, 0);
		KUNIT_EXPECT_GT(test, stress->cpus[cpu].writers[STRESS_SOFT].attempts, 0);
	}
	KUNIT_EXPECT_GT(test, stress->pids_left_out, 0);
	if (change) {
		kunit_info(test, "%lu changes, %lu packets peeked\n", stress->changes,
			   stress->peeked);
		KUNIT_EXPECT_TRUE(test, seen_all(stress));
	}
	KUNIT_EXPECT_EQ_MSG(test, stress->faults, 0, "first: %s: %llu, not %llu",
			    stress->fault, stress->got, stress->wanted);
}

static void write_and_read_overwriting(struct kunit *test)
{
	write_and_read(test, true, false);
}

static void write_and_read_discarding(struct kunit *test)
{
	write_and_read(test, false, false);
}

static void write_and_read_overwriting_while_changing(struct kunit *test)
{
	write_and_read(test, true, true);
}

static void write_and_read_discarding_while_changing(struct kunit *test)
{
	write_and_read(test, false, true);
}

static struct kunit_case stress_cases[] = {
	KUNIT_CASE_SLOW(write_and_read_overwriting),
	KUNIT_CASE_SLOW(write_and_read_discarding),
	KUNIT_CASE_SLOW(write_and_read_overwriting_while_changing),
	KUNIT_CASE_SLOW(write_and_read_discarding_while_changing),
	{ }
};

static struct kunit_suite stress_suite = {
	.name = "tring_stress",
	.test_cases = stress_cases,
};

kunit_test_suite(stress_suite);
