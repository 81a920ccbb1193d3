// SPDX-License-Identifier: GPL-2.0
/*
 * The state of a schedule: everything that determines how it can go on. schedule.c ends a
 * schedule at a state that it knows, by this hash.
 */
#include "schedule.h"
#include "world.h"

static inline uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 32;
}

__attribute__((__no_sanitize__("address", "undefined"), __noinline__))
static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
	const uint64_t *word = data;
	uint64_t a = hash, b = ~hash, c = hash << 1, d = hash >> 1;

	for (; size >= 32; size -= 32, word += 4) {
		a = mix(a, word[0]);
		b = mix(b, word[1]);
		c = mix(c, word[2]);
		d = mix(d, word[3]);
	}
	for (; size >= 8; size -= 8)
		a = mix(a, *word++);
	if (size) {
		uint64_t rest = 0;

		__builtin_memcpy(&rest, word, size);
		b = mix(b, rest);
	}
	return mix(mix(mix(a, b), c), d);
}

/*
 * Callee-saved registers are spilled into this frame, so that the stack from here up
 * holds everything that determines how the writers' CPU goes on.
 */
__attribute__((__noinline__, __no_sanitize__("address")))
uint64_t hash_world(void)
{
	size_t used, fixed = offsetof(struct world, model.packets);
	const char *here = __builtin_frame_address(0);
	const struct model *model = &world.model;
	const void *memory = arena_used(&used);
	unsigned int i, steps = world.steps;
	uint64_t hash;

	__builtin_unwind_init();
	/* The number of steps so far is no part of a state. */
	world.steps = 0;
	hash = hash_bytes(interrupts_left(), memory, used);
	hash = hash_bytes(hash, &world, fixed);
	hash = hash_bytes(hash, model->packets, model->next_packet * sizeof(*model->packets));
	hash = hash_bytes(hash, model->attempts,
			  model->nr_attempts * sizeof(*model->attempts));
	/* The registers are in the part of the frame below its address. */
	here -= 128;
	hash = hash_bytes(hash, here, (size_t)(stack_top - here) & ~7ul);
	for (i = 0; i < nr_running; i++) {
		hash = mix(hash, actors[i].started + 2 * actors[i].done);
		if (actors[i].done || !actors[i].started)
			continue;
		hash = hash_bytes(hash, actors[i].top,
				  actors[i].stack + actors[i].stack_size - actors[i].top);
		hash = hash_bytes(hash, actors[i].where, sizeof(actors[i].where));
	}
	world.steps = steps;
	return hash;
}

/* Clear what a nested call left below on the stack: it is no part of a state. */
__attribute__((__noinline__))
void scrub_stack(void)
{
	char area[3072];

	memset(area, 0, sizeof(area));
	__asm__ __volatile__("" :: "r"(area) : "memory");
}
