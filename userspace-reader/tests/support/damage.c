// SPDX-License-Identifier: GPL-2.0
/* Random records, and damage of them: the same for a seed on each machine. */
#include "damage.h"

static uint64_t state = 1;

/* @seed: not 0 */
void damage_seed(uint64_t seed)
{
	state = seed;
}

/* xorshift64* */
uint64_t damage_draw(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return state * 0x2545f4914f6cdd1dull;
}

size_t damage_below(size_t limit)
{
	return (damage_draw() >> 11) % limit;
}

/* Return: the file's bytes, to free(). */
uint8_t *damage_load(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	uint8_t *bytes;

	if (!file)
		fail(path, 0, "cannot be opened");
	fseek(file, 0, SEEK_END);
	*size = ftell(file);
	rewind(file);
	bytes = malloc(*size);
	CHECK(bytes && fread(bytes, 1, *size, file) == *size);
	fclose(file);
	return bytes;
}

/* Zeroes, ones or random bytes. */
void damage_fill(uint8_t *bytes, size_t size)
{
	size_t kind = damage_below(3), i;

	for (i = 0; i < size; i++)
		bytes[i] = kind == 0 ? 0 : kind == 1 ? 0xff : damage_draw();
}

void damage_show(const uint8_t *whole, const uint8_t *damaged, size_t size)
{
	size_t at, from;

	for (at = 0; at < size; at++) {
		for (from = at; at < size && damaged[at] != whole[at]; at++)
			;
		if (at > from)
			printf("  damaged: 0x%zx to 0x%zx\n", from, at - 1);
	}
}

/*
 * Adds @count records to the open packet, the first of them at @stamp; one of 40 has up to @gap
 * ticks behind it. Return: the time behind the last one.
 */
uint64_t damage_records(struct builder *builder, uint64_t stamp, unsigned int count, uint64_t gap)
{
	static const uint16_t ids[] = { 319, 342, 344, 5, 345, 384, 319, 342, 344, 342 };
	static const uint32_t lengths[] = { 64, 16, 12, 0, 0, 40, 64, 16, 12, 16 };
	static int32_t pid = 1;

	while (count--) {
		size_t kind = damage_below(COUNT(ids)), begin = builder->end;
		uint32_t length = lengths[kind] ? lengths[kind] : 12 + damage_below(60);
		uint8_t *payload;
		size_t byte;

		if (!damage_below(8))
			pid = 1 + damage_below(40000);
		builder->flags = damage_below(4) ? 1 : 0;
		builder->preempt_count = damage_below(3);
		if (!damage_below(60))
			builder->flags = 0x49;
		payload = build_record(builder, stamp, ids[kind], pid, length);
		/* fields have small numbers, zeroes, addresses and texts */
		for (byte = TRING_PAYLOAD_HEAD; byte < length; byte++)
			payload[byte] = damage_below(2) ? 0 : damage_below(4) ? damage_below(16) :
					damage_draw();
		if (!damage_below(100))
			build_discard(builder, builder->bytes + begin,
				      length - TRING_PAYLOAD_HEAD);
		stamp += 1 + (damage_below(40) ? damage_below(10000) : damage_below(gap));
	}
	return stamp;
}
