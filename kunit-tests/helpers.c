// SPDX-License-Identifier: GPL-2.0
/*
 * Creates the ring under test and collects its faults. See helpers.h.
 */

#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "helpers.h"
#include "pages.h"
#include "ring/internal.h"

const char *const step_names[TRING_STEPS] = {
#define STEP(step) #step
#include "step_list.h"
#undef STEP
};

/* Payload lengths of the fixed events. Events of other lengths are varying ones. */
const u32 ring_fixed_lengths[RING_FIXED] = { RING_EVENT_MIN, 16, 17, 20, 24, 40, 100, 262 };

/* Note a failed check. The first one is kept for the report. */
void ring_fault(struct ring *ring, const char *what, u64 got, u64 wanted)
{
	if (ring->faults++)
		return;
	ring->fault = what;
	ring->got = got;
	ring->wanted = wanted;
}

void ring_expect_equal(struct ring *ring, const char *what, u64 got, u64 wanted)
{
	if (got != wanted)
		ring_fault(ring, what, got, wanted);
}

/* End of a case: no check may have failed. */
void ring_expect_sound(struct ring *ring)
{
	KUNIT_EXPECT_EQ_MSG(ring->test, ring->faults, 0, "first: %s: %llu, not %llu",
			    ring->fault, ring->got, ring->wanted);
}

u64 ring_clock(struct tring_cpu_buffer *cpu_buffer)
{
	struct ring *ring = ring_of(cpu_buffer);

	ring->clock_read = ring->now;
	ring->clock_said = ring->now;
	ring->now += ring->tick;
	return ring->clock_read;
}

/* Destroying the buffer must free every memory that the test allocated. */
static void destroy_buffer(void *data)
{
	struct ring *ring = data;

	tring_buffer_set_recording(ring->buffer, false);
	tring_buffer_destroy(ring->buffer);
	KUNIT_EXPECT_EQ(ring->test, tring_pages_total(), ring->pages_before);
}

static void release_reader(void *data)
{
	struct ring *ring = data;

	tring_reader_release(ring->stream);
}

static void add_events(struct ring *ring)
{
	unsigned int i;

	tring_buffer_add_event(ring->buffer, &ring->varying, RING_VARYING_ID, 0, true);
	for (i = 0; i < RING_FIXED; i++)
		tring_buffer_add_event(ring->buffer, &ring->fixed[i], RING_FIXED_ID + i,
				       ring_fixed_lengths[i] - TRING_PAYLOAD_HEAD, true);
}

/* Free all short types for the case. The ring must hold no unread record. */
void ring_forget_events(struct ring *ring)
{
	unsigned int i;

	tring_buffer_remove_event(ring->buffer, &ring->varying);
	for (i = 0; i < RING_FIXED; i++)
		tring_buffer_remove_event(ring->buffer, &ring->fixed[i]);
	mutex_lock(&ring->buffer->mutex);
	tring_short_forget(tring_session_of(ring->buffer));
	mutex_unlock(&ring->buffer->mutex);
	ring->in_long_form = true;
}

/*
 * A ring of @subbufs sub-buffers, recording, in overwrite mode, with a reader.
 * The test is bound to the ring's CPU.
 */
struct ring *ring_create_sized(struct kunit *test, unsigned long subbufs,
			       unsigned long subbuf_size)
{
	struct ring *ring = kunit_kzalloc(test, sizeof(*ring), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, ring);
	ring->test = test;
	ring->attempts = kunit_kcalloc(test, RING_ATTEMPTS, sizeof(*ring->attempts),
				       GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ring->attempts);
	ring->peeked = kunit_kzalloc(test, RING_PEEK_MAX, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, ring->peeked);
	ring->cpu = raw_smp_processor_id();
	KUNIT_ASSERT_EQ(test, set_cpus_allowed_ptr(current, cpumask_of(ring->cpu)), 0);

	ring->pages_before = tring_pages_total();
	ring->buffer = tring_buffer_create();
	KUNIT_ASSERT_NOT_NULL(test, ring->buffer);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, destroy_buffer, ring), 0);
	KUNIT_ASSERT_EQ(test, tring_buffer_set_subbuf_size(ring->buffer, subbuf_size), 0);
	KUNIT_ASSERT_EQ(test, tring_buffer_resize(ring->buffer, ring->cpu,
						  subbufs * subbuf_size), 0);
	ring->cpu_buffer = tring_cpu_buffer(ring->buffer, ring->cpu);
	ring->stream = tring_buffer_stream(ring->buffer, ring->cpu, TRING_LIVE);
	ring->hooks.clock = ring_clock;
	ring->now = 1000000;
	ring->tick = 1;
	ring->pid = RING_PID;
	add_events(ring);
	ring->cpu_buffer->hooks = &ring->hooks;
	ring->cpu_buffer->clock = TRING_CLOCK_TEST;
	KUNIT_ASSERT_EQ(test, tring_reader_open(ring->stream), 0);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, release_reader, ring), 0);
	tring_buffer_set_recording(ring->buffer, true);
	return ring;
}

struct ring *ring_create(struct kunit *test, unsigned long subbufs)
{
	return ring_create_sized(test, subbufs, PAGE_SIZE);
}
