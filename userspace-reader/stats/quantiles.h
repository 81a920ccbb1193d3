/* SPDX-License-Identifier: GPL-2.0 */
/* Quantiles of numbers, in bounded memory. */
#ifndef TRING_QUANTILES_H
#define TRING_QUANTILES_H

#include <stdint.h>

/* A power of 2 and the next one have so many buckets between them, as a power of 2. */
#define TRING_QUANTILE_BITS	6
#define TRING_QUANTILE_STEPS	(1 << TRING_QUANTILE_BITS)
#define TRING_QUANTILE_OCTAVES	(64 - TRING_QUANTILE_BITS + 1)

/**
 * struct tring_quantiles - numbers
 * @octaves: numbers of numbers; those of each power of 2 are allocated with the first one
 * @count: number of all
 */
struct tring_quantiles {
	uint64_t	*octaves[TRING_QUANTILE_OCTAVES];
	uint64_t	count;
};

void tring_quantiles_add(struct tring_quantiles *quantiles, uint64_t number);
uint64_t tring_quantile(const struct tring_quantiles *quantiles, unsigned int millionths);
void tring_quantiles_free(struct tring_quantiles *quantiles);

#endif /* TRING_QUANTILES_H */
