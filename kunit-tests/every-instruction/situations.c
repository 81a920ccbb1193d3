// SPDX-License-Identifier: GPL-2.0
/*
 * The tables of situations and of interrupts.
 */
#include <linux/err.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <linux/wait.h>

#include "ledger.h"
#include "records.h"
#include "ring/internal.h"
#include "ring/fast.h"
#include "session/session.h"
#include "situations.h"

struct tring_buffer *rings[RINGS];

static struct tring_cpu_buffer *own_ring(void)
{
	return this_cpu_ptr(record_buffer->cpu_buffers);
}

/*
 * Switch of memory: tring_switch(), which runs on the ring's CPU, is single-stepped or
 * is an interrupt. The parts of tring_ring_switch() before and after it run in a task;
 * here they run before and after the round. No grace period is needed, because no
 * writer of this CPU is in the ring after the round.
 */
static struct tring_memory *alike, *larger, *switched;
static bool switching;

/*
 * One switch at a time, and none while a new trace drains the ring. In tring itself
 * tring_buffer::mutex ensures that.
 */
static void switch_memory(struct tring_memory *memory)
{
	bool paused = step_pause();
	bool first = !switching && !own_ring()->draining;

	switching |= first;
	step_resume(paused);
	if (first) {
		switched = memory;
		own_ring()->next_memory = memory;
		tring_switch(own_ring());
	}
}

static void switch_alike(void)
{
	switch_memory(alike);
}

static void switch_larger(void)
{
	switch_memory(larger);
}

static struct tring_memory *new_memory(unsigned int order)
{
	struct tring_memory *old = own_ring()->memory;
	struct tring_memory *memory;

	memory = tring_memory_allocate(own_ring(), old->nr_subbufs << order, order);
	if (IS_ERR(memory))
		return NULL;
	memory->generation = (old->generation + 1) % TRING_GENERATIONS;
	return memory;
}

/* Prepare a round with a switch. */
int switch_begin(void)
{
	switched = NULL;
	switching = false;
	alike = new_memory(PAGE_SHIFT);
	larger = new_memory(PAGE_SHIFT + 1);
	return alike && larger ? 0 : -ENOMEM;
}

static void settle(struct tring_memory *memory)
{
	struct tring_cpu_buffer *cpu_buffer = own_ring();

	list_add_tail(&memory->list, &cpu_buffer->streams[TRING_LIVE].memories);
	WRITE_ONCE(cpu_buffer->memory, memory);
	tring_ring_update_limit(cpu_buffer, false);
	tring_ring_update_wake(cpu_buffer);
	tring_ring_forget_subbuf(cpu_buffer);
	tring_ring_settle(cpu_buffer, false);
}

/* Finish a round with a switch: back to sub-buffers of one page. */
int switch_end(void)
{
	struct tring_cpu_buffer *cpu_buffer = own_ring();
	unsigned long flags;
	int err = 0;

	mutex_lock(&record_buffer->mutex);
	mutex_lock(&cpu_buffer->mutex);
	if (switched)
		settle(switched);
	if (switched == larger) {
		alike->generation = (larger->generation + 1) % TRING_GENERATIONS;
		larger = NULL;
		switched = NULL;
		switching = false;
		local_irq_save(flags);
		switch_alike();
		local_irq_restore(flags);
		if (switched)
			settle(switched);
		else
			err = -EBUSY;
	}
	if (switched)
		alike = NULL;
	/* tring_switch() keeps writers off the fast path. */
	if (switching)
		tring_ring_update_limit(cpu_buffer, false);
	mutex_unlock(&cpu_buffer->mutex);
	mutex_unlock(&record_buffer->mutex);
	tring_memory_put(alike);
	tring_memory_put(larger);
	return err;
}

/* Actions of the interrupts. */

/* tring_end_packet() needs a ring with memory. */
static void flush_own(void)
{
	if (own_ring()->memory)
		tring_end_packet(own_ring(), NULL);
}

static void write_two(void)
{
	write_small();
	write_copied();
}

static void write_and_discard(void)
{
	write_small();
	discard_small();
}

/* Write more than the ring holds. */
static void write_lap(void)
{
	unsigned int i;

	for (i = 0; i < (record_buffer == rings[RING_LARGE] ? 5 : 3); i++)
		write_huge();
}

static void write_and_flush_twice(void)
{
	write_small();
	flush_own();
	write_small();
	flush_own();
	write_small();
}

/* TRING_WARN_ON() on this CPU does this. */
static void stop_own(void)
{
	tring_ring_stop(own_ring());
}

/* What triggers request. Their worker runs after the round, if at all before start_again(). */
static bool requested, off;

static void request_off(void)
{
	requested = true;
	tring_buffer_request_recording(record_buffer, false);
}

static void request_off_and_on(void)
{
	request_off();
	tring_buffer_request_recording(record_buffer, true);
}

/* Undo stop_own() and the requests. */
void start_again(void)
{
	if (requested)
		tring_buffer_set_recording(record_buffer, !off);
	requested = false;
	if (record_buffer == rings[RING_STOPPED] || !own_ring()->stopped)
		return;
	mutex_lock(&record_buffer->mutex);
	WRITE_ONCE(own_ring()->stopped, false);
	tring_ring_update_limit(own_ring(), false);
	mutex_unlock(&record_buffer->mutex);
}

const struct step_interrupt interrupts[] = {
	{ "a small record", write_small, STEP_NMI, STEP_CLOCK_STEADY },
	{ "a small record of the same pid", write_small, STEP_NMI, STEP_CLOCK_STEADY,
	  .same_pid = true },
	{ "a record 2^27 ticks later", write_small, STEP_HARDIRQ, STEP_CLOCK_JUMPS },
	{ "a record of the same level, clock behind", write_small, STEP_TASK,
	  STEP_CLOCK_BACK, .same_pid = true },
	{ "a discarded record 2^27 ticks later", discard_small, STEP_NMI,
	  STEP_CLOCK_JUMPS },
	{ "a discarded record, clock behind", discard_small, STEP_NMI, STEP_CLOCK_BACK,
	  .same_pid = true },
	{ "a record without a short type", write_no_short, STEP_NMI, STEP_CLOCK_STEADY,
	  .same_pid = true },
	{ "a discarded record of a full context", discard_full, STEP_NMI,
	  STEP_CLOCK_STEADY },
	{ "records, two of them copied", write_two, STEP_SOFTIRQ, STEP_CLOCK_STEADY },
	{ "a record and a discarded one, clock behind", write_and_discard, STEP_NMI,
	  STEP_CLOCK_BACK },
	{ "a record that crosses into the next packet", write_huge, STEP_HARDIRQ,
	  STEP_CLOCK_STEADY, .same_pid = true },
	{ "a discarded record that crosses", discard_huge, STEP_NMI, STEP_CLOCK_JUMPS },
	{ "a flush", flush_own, STEP_HARDIRQ, STEP_CLOCK_STEADY },
	{ "records and flushes, the clock stands", write_and_flush_twice, STEP_NMI,
	  STEP_CLOCK_STEADY, .unstepped = true },
	{ "more records than the ring holds, the clock stands", write_lap, STEP_NMI,
	  STEP_CLOCK_STEADY, .unstepped = true },
	{ "a switch of memory", switch_alike, STEP_HARDIRQ, STEP_CLOCK_STEADY },
	{ "a switch to larger sub-buffers", switch_larger, STEP_HARDIRQ,
	  STEP_CLOCK_STEADY },
	{ "a stop of the ring", stop_own, STEP_NMI, STEP_CLOCK_STEADY },
	{ "a request to stop", request_off, STEP_NMI, STEP_CLOCK_STEADY },
	{ "requests to stop and to go on", request_off_and_on, STEP_NMI, STEP_CLOCK_STEADY },
	{ "a reader on another CPU", ledger_read_one, STEP_TASK, STEP_CLOCK_STEADY,
	  .unstepped = true },
};

const unsigned int interrupts_count = ARRAY_SIZE(interrupts);

/* For situations in which the clock is traced. */
static const struct step_interrupt clock_event = {
	"an event of the clock", write_small, STEP_TASK, STEP_CLOCK_STEADY, .same_pid = true
};

static const struct step_interrupt clock_interrupt = {
	"an interrupt at each clock read", write_small, STEP_NMI, STEP_CLOCK_STEADY
};

/* Actions that bring a ring into a state. */

static void fill_page(void)
{
	unsigned long size = own_ring()->memory->subbuf_size;
	unsigned long small = TRING_WORD_SIZE + sizeof(u8) +
			      RECORD_SMALL - TRING_PAYLOAD_HEAD;

	/* Until a small record does not fit, but a tiny one does. */
	write_huge();
	while (local_read(&own_ring()->write) % size + small < size)
		write_small();
}

static void fill_ring(void)
{
	unsigned int i;

	for (i = 0; i < 6; i++)
		write_huge();
	fill_page();
}

static void open_and_lap(void)
{
	open_small();
	fill_ring();
}

static void open_eight(void)
{
	unsigned int i;

	for (i = 0; i < TRING_NESTING_MAX; i++)
		open_small();
}

static void open_one_and_fill(void)
{
	open_small();
	write_huge();
}

static void write_and_flush(void)
{
	write_small();
	flush_own();
}

static void open_two_packets(void)
{
	open_huge();
	open_huge();
}

static void let_clock_run(void)
{
	write_small();
	step_advance(BIT_ULL(28));
}

static void let_clock_step_back(void)
{
	write_small();
	step_advance(-500LL);
}

/* Further than two CPUs' clocks may differ. */
static void set_clock_back(void)
{
	write_small();
	step_advance(-(s64)BIT_ULL(21));
}

static void let_time_pass(void)
{
	write_small();
	step_advance(BIT_ULL(28));
	write_long();
	step_advance(BIT_ULL(28));
}

static void write_then_another(void)
{
	write_small();
	write_as_another();
}

static void write_and_request(void)
{
	write_small();
	request_off_and_on();
}

static void fill_page_and_request(void)
{
	fill_page();
	request_off_and_on();
}

/* Ids of events that are never recorded, more than there are short types. */
#define OTHER_ID	(RECORD_ID + RECORD_EVENTS)

static void add_and_remove(u16 id, unsigned int length)
{
	struct tring_key key;

	tring_buffer_add_event(record_buffer, &key, id, length, true);
	tring_buffer_remove_event(record_buffer, &key);
}

static void take_all_types(void)
{
	unsigned int i;

	for (i = 0; i < TRING_TYPE_SHORT_MAX; i++)
		add_and_remove(OTHER_ID + 1 + i, 1);
}

/* A change of clock begins a new trace, which frees types. */
static void free_types(void)
{
	tring_buffer_new_trace(record_buffer, TRING_CLOCK_MONO);
	tring_buffer_new_trace(record_buffer, TRING_CLOCK_TSC);
}

/* Operations that are interrupted, beside those of records.c. */

static void add_event(void)
{
	add_and_remove(OTHER_ID, 40);
}

/* One event with a length below TRING_FIELDS_MIN, and one with a varying length. */
static void add_odd_events(void)
{
	add_and_remove(OTHER_ID + 1, 1);
	add_and_remove(OTHER_ID + 2, 0);
}

static void close_both(void)
{
	close_last();
	close_last();
}

static void close_in_order(void)
{
	close_first();
	close_first();
}

static void close_after_switch(void)
{
	switch_alike();
	close_all();
	write_small();
}

static void discard_all_kinds(void)
{
	discard_small();
	discard_tiny();
	discard_long();
	discard_full();
	discard_no_short();
}

/* A sleeping reader that the ring wakes. */
static int wake_nobody(struct wait_queue_entry *entry, unsigned int mode, int flags,
		       void *key)
{
	return 0;
}

static struct wait_queue_entry sleeper;

static void add_sleeper(void)
{
	init_waitqueue_func_entry(&sleeper, wake_nobody);
	add_wait_queue(&own_ring()->wait, &sleeper);
}

static void remove_sleeper(void)
{
	remove_wait_queue(&own_ring()->wait, &sleeper);
	irq_work_sync(&own_ring()->wake_work);
}

/* A reader that sleeps until the ring is full. */
static void add_patient_sleeper(void)
{
	tring_buffer_set_percent(record_buffer, 100);
	add_sleeper();
}

static void remove_patient_sleeper(void)
{
	remove_sleeper();
	tring_buffer_set_percent(record_buffer, 0);
}

/* A new trace does this. */
static void begin_draining(void)
{
	WRITE_ONCE(own_ring()->draining, true);
	WRITE_ONCE(own_ring()->limit, 0);
}

static void end_draining(void)
{
	mutex_lock(&record_buffer->mutex);
	tring_ring_update_limit(own_ring(), false);
	mutex_unlock(&record_buffer->mutex);
}

static void recording_off(void)
{
	off = true;
	tring_buffer_set_recording(record_buffer, false);
}

static void recording_on(void)
{
	off = false;
	tring_buffer_set_recording(record_buffer, true);
}

/* Writers inline the read of this clock, so call the function for it. */
static void read_mono(void)
{
	tring_clock_read_other(TRING_CLOCK_MONO, &own_ring()->clock_offset);
}

static void clock_mono(void)
{
	tring_buffer_new_trace(record_buffer, TRING_CLOCK_MONO);
}

static void clock_boot(void)
{
	tring_buffer_new_trace(record_buffer, TRING_CLOCK_BOOT);
}

static void clock_tai(void)
{
	tring_buffer_new_trace(record_buffer, TRING_CLOCK_TAI);
}

static void clock_tsc(void)
{
	tring_buffer_new_trace(record_buffer, TRING_CLOCK_TSC);
}

/* A switch needs a ring with memory and with sub-buffers of a page. */
bool may_switch(enum which_ring ring)
{
	return ring != RING_NO_MEMORY && ring != RING_WIDE;
}

/* Does the action need switch_begin() and switch_end() around its round? */
bool is_switch(void (*run)(void))
{
	return run == switch_alike || run == switch_larger || run == close_after_switch;
}

const struct situation situations[] = {
	{ "write in a packet", write_fixed_and_varying, write_small },
	{ "write, reschedule due", write_fixed_and_varying, write_small,
	  .need_resched = true },
	{ "write a tiny record, reschedule due", write_tiny, write_small,
	  .need_resched = true },
	{ "tring_write(), reschedule due", write_copied, write_small,
	  .need_resched = true },
	{ "discard, reschedule due", discard_all_kinds, write_small,
	  .need_resched = true },
	{ "write a long record", write_long, write_small },
	{ "write a tiny record", write_tiny, write_small },
	{ "write as another task", write_as_another, write_small },
	{ "write behind another task", write_small, write_then_another },
	{ "write a full context", write_full, write_small },
	{ "write without a short type", write_no_short, write_small },
	{ "write without a short type, a full context", write_no_short_full, write_small },
	{ "write what asks for a short type", write_wanting, write_small },
	{ "write what is too long for a short type", write_wide, write_small, RING_WIDE },
	{ "tring_write()", write_copied, write_small },
	{ "tring_write(), a full context", write_copied_full, write_small },
	{ "discard", discard_all_kinds, write_small },
	{ "discard beneath another record", discard_beneath, write_small },
	{ "discard beneath another record, long ago", discard_beneath, let_clock_run },
	{ "write across packets", write_small, fill_page },
	{ "write across packets, 4 of them", write_small, fill_page, RING_LARGE },
	{ "write long across packets", write_huge, write_huge, RING_LARGE },
	{ "write a full context across packets", write_full, fill_page },
	{ "write without a short type across packets", write_no_short, fill_page },
	{ "discard across packets", discard_huge, fill_page },
	{ "write after a flush", write_small, write_and_flush, RING_LARGE },
	{ "write into an empty ring", write_small },
	{ "discard in an empty ring", discard_small },
	{ "write into a full ring", write_small, fill_ring },
	{ "write, a reader sleeps", write_huge, write_huge, RING_LARGE, add_sleeper,
	  remove_sleeper },
	{ "write, a reader sleeps until it is full", write_huge, write_huge, RING_LARGE,
	  add_patient_sleeper, remove_patient_sleeper },
	{ "write, wrapped onto an open commit", write_small, open_and_lap },
	{ "write a record that is too large, reschedule due", write_too_large, write_small,
	  .need_resched = true },
	{ "write, nested too deep", write_fixed_and_varying, open_eight },
	{ "write a tiny record, nested too deep", write_tiny, open_eight },
	{ "discard, nested too deep", discard_small, open_eight },
	{ "write, the last one long ago", write_small, let_clock_run },
	{ "write, long ago, long", write_long, let_time_pass },
	{ "write, long ago, a full context", write_full, let_time_pass },
	{ "write, long ago, without a short type", write_no_short, let_time_pass },
	{ "write, the clock steps back", write_small, let_clock_step_back },
	{ "write, the clock was set back", write_fixed_and_varying, set_clock_back, RING_SMALL,
	  NULL, clock_tsc },
	{ "flush", flush_own, write_small },
	{ "flush nothing", flush_own },
	{ "flush with an open record", flush_own, open_small },
	{ "switch memory", switch_alike, write_small },
	{ "switch to larger sub-buffers", switch_larger, fill_page, RING_LARGE },
	{ "switch an empty memory", switch_alike },
	{ "switch with an open record", switch_alike, open_small },
	{ "switch a full ring", switch_larger, fill_ring },
	{ "switch, the clock is traced", switch_alike, write_small,
	  .clock_event = &clock_event, .clock_depth = 12 },
	{ "commit after a switch", close_after_switch, open_one_and_fill },
	{ "commit two", close_in_order, open_two_packets },
	{ "commit two in reverse", close_both, open_two_packets, RING_LARGE },
	{ "commit after a flush", close_first, open_one_and_fill },
	{ "write, recording is off", write_small, NULL, RING_SMALL, recording_off,
	  recording_on },
	{ "write, recording is requested", write_fixed_and_varying, write_and_request },
	{ "write across packets, recording is requested", write_small, fill_page_and_request },
	{ "discard, recording is requested", discard_all_kinds, write_and_request },
	{ "request to stop and to go on", request_off_and_on, write_small },
	{ "write, the ring is drained", write_small, begin_draining, RING_SMALL, NULL,
	  end_draining },
	{ "write, there is no memory", write_small, NULL, RING_NO_MEMORY },
	{ "write, the ring was stopped", write_small, NULL, RING_STOPPED },
	{ "write, the clock is traced", write_small, write_small,
	  .clock_event = &clock_event, .clock_depth = 12, .long_way = true },
	{ "write across, the clock is traced", write_small, fill_page, RING_LARGE,
	  .clock_event = &clock_event, .clock_depth = 4, .long_way = true },
	{ "flush, the clock is traced", flush_own, write_small,
	  .clock_event = &clock_event, .clock_depth = 12 },
	{ "write, interrupted at each clock read", write_small, write_small,
	  .clock_event = &clock_interrupt, .clock_depth = 1, .long_way = true },
	{ "flush, interrupted at each clock read", flush_own, write_small,
	  .clock_event = &clock_interrupt, .clock_depth = 1, .long_way = true },
	{ "switch, interrupted at each clock read", switch_alike, write_small,
	  .clock_event = &clock_interrupt, .clock_depth = 1, .long_way = true },
	{ "give an event a short type", add_event, write_small },
	{ "give events of odd lengths short types", add_odd_events, write_small },
	{ "give an event a short type, there is none", add_event, write_small, RING_LARGE,
	  take_all_types, free_types },
	{ "read clock mono as another", read_mono },
	{ "write with clock mono", write_fixed_and_varying, write_small, RING_SMALL,
	  clock_mono, clock_tsc },
	{ "write across with clock mono", write_small, fill_page, RING_SMALL,
	  clock_mono, clock_tsc },
	{ "write with clock boot", write_fixed_and_varying, write_small, RING_SMALL,
	  clock_boot, clock_tsc },
	{ "write across with clock boot", write_small, fill_page, RING_SMALL,
	  clock_boot, clock_tsc },
	{ "tring_write() across packets", write_copied, fill_page },
	{ "tring_write(), nested too deep", write_copied, open_eight },
	{ "tring_write() with clock tai", write_copied, write_small, RING_SMALL,
	  clock_tai, clock_tsc },
};

const unsigned int situations_count = ARRAY_SIZE(situations);
