// SPDX-License-Identifier: GPL-2.0
/*
 * Quantiles of numbers, in bounded memory: numbers below 64 are counted each, larger ones in
 * 64 buckets between a power of 2 and the next. So a quantile is at most 1.6 % above the number
 * that it stands for. HdrHistogram does it in this way.
 */
#include <stdlib.h>

#include "quantiles.h"
#include "util/util.h"

/* The octave of a number above the first one: its bits that do not tell the bucket. */
static unsigned int octave_of(uint64_t number)
{
	return number < TRING_QUANTILE_STEPS ? 0 :
	       64 - TRING_QUANTILE_BITS - __builtin_clzll(number);
}

/* Of an octave from 1 on the highest bit is the same for all. */
static unsigned int step_of(uint64_t number, unsigned int octave)
{
	return octave ? number >> (octave - 1) & (TRING_QUANTILE_STEPS - 1) : number;
}

static uint64_t last_of(unsigned int octave, unsigned int step)
{
	uint64_t first = octave ? (uint64_t)(TRING_QUANTILE_STEPS + step) << (octave - 1) : step;

	return octave ? first + (UINT64_C(1) << (octave - 1)) - 1 : first;
}

/**
 * tring_quantiles_add - add a number
 * @quantiles: the numbers, zeroed before the first one
 * @number: the number
 */
void tring_quantiles_add(struct tring_quantiles *quantiles, uint64_t number)
{
	unsigned int octave = octave_of(number);
	uint64_t **steps = &quantiles->octaves[octave];

	if (!*steps)
		*steps = tring_allocate(TRING_QUANTILE_STEPS * sizeof(**steps));
	(*steps)[step_of(number, octave)]++;
	quantiles->count++;
}

/**
 * tring_quantile - get the number below which a share of all is, or equal to it
 * @quantiles: the numbers, at least one
 * @millionths: the share
 *
 * Return: the largest number of its bucket.
 */
uint64_t tring_quantile(const struct tring_quantiles *quantiles, unsigned int millionths)
{
	/* rounded up, without an overflow */
	uint64_t whole = quantiles->count / 1000000 * millionths;
	uint64_t wanted = whole + (quantiles->count % 1000000 * millionths + 999999) / 1000000;
	unsigned int octave, step;
	uint64_t sum = 0;

	for (octave = 0; octave < TRING_QUANTILE_OCTAVES; octave++)
		for (step = 0; quantiles->octaves[octave] && step < TRING_QUANTILE_STEPS; step++) {
			sum += quantiles->octaves[octave][step];
			if (sum && sum >= wanted)
				return last_of(octave, step);
		}
	return UINT64_MAX;
}

/**
 * tring_quantiles_free - free what tring_quantiles_add() has allocated
 * @quantiles: the numbers
 */
void tring_quantiles_free(struct tring_quantiles *quantiles)
{
	unsigned int octave;

	for (octave = 0; octave < TRING_QUANTILE_OCTAVES; octave++)
		free(quantiles->octaves[octave]);
}
