// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Times of a trace.dat, converted as trace-cmd does: those of a guest become those of the host,
 * cycles become nanoseconds, and the wall clock's or the user's offset is added.
 */
#include <stdlib.h>

#include "dat_clock.h"
#include "util/util.h"

#define INTERPOLATE	1

/* Offset of a guest's clock to the host's when the guest's was @time. */
struct sample {
	uint64_t	time;
	uint64_t	offset;
	uint64_t	scale;
	uint64_t	scale_shift;
};

struct tring_dat_shifts {
	struct sample	*samples;
	size_t		count;
};

/**
 * tring_dat_take_scale - take the conversion of cycles to nanoseconds
 * @clock: filled in
 * @option: the option's content
 */
void tring_dat_take_scale(struct tring_dat_clock *clock, struct tring_dat_cursor *option)
{
	clock->multiplier = tring_dat_number(option, 4);
	clock->shift = tring_dat_number(option, 4);
	/* the kernel has no larger one */
	if (clock->shift > 32)
		tring_dat_fail(option, "the conversion of the clock is out of range");
}

static int compare_times(const void *one, const void *other)
{
	const struct sample *a = one, *b = other;

	return (a->time > b->time) - (a->time < b->time);
}

static void take_samples(struct tring_dat_shifts *shifts, struct tring_dat_cursor *option)
{
	uint64_t count = tring_dat_number(option, 4);
	size_t i;

	/* a time, an offset and a scale */
	if (count > (option->size - option->at) / 24)
		tring_dat_fail(option, "a CPU has more shifts than there is room for");
	if (option->bad)
		return;
	shifts->samples = tring_allocate(count * sizeof(*shifts->samples));
	shifts->count = count;
	for (i = 0; i < count; i++)
		shifts->samples[i].time = tring_dat_number(option, 8);
	for (i = 0; i < count; i++)
		shifts->samples[i].offset = tring_dat_number(option, 8);
	for (i = 0; i < count; i++)
		shifts->samples[i].scale = tring_dat_number(option, 8);
}

/* Older files lack how far the scaled time is shifted. */
static void take_scale_shifts(struct tring_dat_shifts *shifts, struct tring_dat_cursor *option)
{
	size_t i;

	for (i = 0; i < shifts->count; i++) {
		shifts->samples[i].scale_shift = tring_dat_number(option, 8);
		if (shifts->samples[i].scale_shift > 63)
			tring_dat_fail(option, "the scale of a guest's clock is out of range");
	}
}

/* Of the same time the first one counts. */
static void sort_samples(struct tring_dat_shifts *shifts)
{
	size_t i, kept = 0;

	/* no array is NULL then */
	if (!shifts->count)
		return;
	qsort(shifts->samples, shifts->count, sizeof(*shifts->samples), compare_times);
	for (i = 1; i < shifts->count; i++)
		if (shifts->samples[i].time != shifts->samples[kept].time)
			shifts->samples[++kept] = shifts->samples[i];
	shifts->count = kept + 1;
}

/**
 * tring_dat_take_shifts - take the shifts of a guest's clock to the host's
 * @clock: filled in
 * @option: the option's content
 */
void tring_dat_take_shifts(struct tring_dat_clock *clock, struct tring_dat_cursor *option)
{
	uint64_t count;
	size_t i;

	tring_dat_drop_shifts(clock);
	/* number of the host's recording */
	tring_dat_bytes(option, 8);
	clock->interpolated = tring_dat_number(option, 4) & INTERPOLATE;
	count = tring_dat_number(option, 4);
	if (count > (option->size - option->at) / 4)
		tring_dat_fail(option, "it names more CPUs than it has room for");
	if (option->bad)
		return;
	clock->shifts = tring_allocate(count * sizeof(*clock->shifts));
	clock->cpu_count = count;
	for (i = 0; i < count; i++)
		take_samples(&clock->shifts[i], option);
	for (i = 0; i < count && option->at < option->size; i++)
		take_scale_shifts(&clock->shifts[i], option);
	for (i = 0; i < count; i++)
		sort_samples(&clock->shifts[i]);
}

/**
 * tring_dat_drop_shifts - forget the shifts of a guest's clock
 * @clock: the clock
 */
void tring_dat_drop_shifts(struct tring_dat_clock *clock)
{
	size_t i;

	for (i = 0; i < clock->cpu_count; i++)
		free(clock->shifts[i].samples);
	free(clock->shifts);
	clock->shifts = NULL;
	clock->cpu_count = 0;
}

/* The two samples around the time, or next to it, are on a line. */
static uint64_t interpolate(const struct sample *sample, uint64_t time)
{
	int64_t delta = sample[1].time - sample[0].time;
	int64_t change = sample[1].offset - sample[0].offset;
	int64_t behind = time - sample[0].time;

	return sample[0].offset + (uint64_t)(((__int128)behind * change + delta / 2) / delta);
}

static uint64_t shift_time(const struct tring_dat_clock *clock,
			   const struct tring_dat_shifts *shifts, uint64_t time)
{
	const struct sample *sample = shifts->samples;
	size_t left = shifts->count;
	uint64_t offset;

	if (!left)
		return time;
	if (left == 1)
		return time + sample->offset;
	for (; left > 2 && sample[1].time <= time; left--)
		sample++;
	offset = clock->interpolated ? interpolate(sample, time) : sample->offset;
	return (time * sample->scale >> sample->scale_shift) + offset;
}

/**
 * tring_dat_convert_time - convert a time of a page
 * @clock: the conversion
 * @cpu: number of the CPU
 * @time: the time
 *
 * Return: the time as trace-cmd shows it.
 */
uint64_t tring_dat_convert_time(const struct tring_dat_clock *clock, uint32_t cpu, uint64_t time)
{
	if (cpu < clock->cpu_count)
		time = shift_time(clock, &clock->shifts[cpu], time);
	if (clock->multiplier)
		time = (__uint128_t)time * clock->multiplier >> clock->shift;
	return time + clock->offset;
}
