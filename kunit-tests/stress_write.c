// SPDX-License-Identifier: GPL-2.0
/*
 * The stress suite's writers: a thread on each CPU, and a hard and a soft timer
 * that interrupt it. See stress_kunit.c.
 */

#include <linux/delay.h>
#include <linux/sched.h>

#include "stress.h"
#include "write.h"

/* In every second phase of this length the writers are too fast for the reader. */
#define STRESS_PHASE	(HZ / 5)

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
	enum tring_refusal reason = refusal_of(err);

	if (reason < TRING_REFUSALS)
		writer->refused[reason]++;
	else
		writer->unknown_errors++;
}

static u64 pick_key(const struct stress *stress, u32 dice, u32 length)
{
	if (dice % 8 == 0)
		return tring_event_key(STRESS_LONG_ID);
	return (length == STRESS_FIXED_LENGTH ? stress->fixed : stress->varying).head;
}

/*
 * An interrupt mostly has the pid of the interrupted writer. It has another one if it
 * interrupts a context switch.
 */
static u32 pick_pid(u32 dice, enum stress_context context)
{
	return dice % 4 ? 1 : 1 + context;
}

/* The caller runs on the CPU of @cpu. */
static void write_one(struct stress_cpu *cpu, enum stress_context context)
{
	struct stress_writer *writer = &cpu->writers[context];
	u32 length = pick_length(&writer->random);
	u32 dice = prandom_u32_state(&writer->random);
	bool discard = prandom_u32_state(&writer->random) % 8 == 0;
	u64 key = pick_key(cpu->stress, dice, length);
	u32 pid = pick_pid(dice >> 8, context);
	/* One context in 16 does not fit into the context byte. */
	u8 flags = (dice >> 16) % 16 ? context << 3 : dice >> 24;
	u8 preempt_count = (dice >> 20) % 8;
	struct stress_event *event;
	struct tring_record record;
	u64 sequence, before;
	int err;

	sequence = ++writer->attempts;
	before = tring_clock_read(TRING_CLOCK_MONO, NULL);
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
	event->after = tring_clock_read(TRING_CLOCK_MONO, NULL);
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

int stress_write_from_task(void *data)
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

/* Write one more event, whose packet counts all losses before it. */
void stress_write_last(void *data)
{
	struct stress_cpu *cpu = data;
	u64 committed = cpu->writers[STRESS_HARD].committed;
	unsigned int tries = 0;

	while (cpu->writers[STRESS_HARD].committed == committed && tries++ < 1000)
		write_one(cpu, STRESS_HARD);
}
