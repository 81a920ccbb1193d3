// SPDX-License-Identifier: GPL-2.0
/* Description: compact timestamps at the edges of 2^27 and of a stale reference. */
#include "helpers.h"

#define RANGE	(1ull << TRING_STAMP_BITS)

static void check_pair(uint64_t last, uint64_t delta)
{
	uint64_t stamp = last + delta, rebuilt;
	bool compact = tring_stamp_is_compact(stamp, last, TRING_STAMP_BITS);

	CHECK_EQ(compact, delta < RANGE);
	rebuilt = tring_stamp_rebuild(last,
				      stamp & tring_stamp_mask(TRING_STAMP_BITS),
				      TRING_STAMP_BITS);
	/* a stamp is compact exactly if it can be rebuilt */
	CHECK_EQ(rebuilt == stamp, compact);
}

int main(void)
{
	static const uint64_t starts[] = {
		0, 1, RANGE - 1, RANGE, RANGE + 1, 0x123456789abcdefull,
		UINT64_MAX - RANGE,
	};
	static const uint64_t deltas[] = {
		0, 1, RANGE / 2, RANGE - 1, RANGE, RANGE + 1, 2 * RANGE,
		2 * RANGE + 5, (uint64_t)-1, (uint64_t)-RANGE,
	};
	size_t i, j;

	for (i = 0; i < COUNT(starts); i++)
		for (j = 0; j < COUNT(deltas); j++)
			check_pair(starts[i], deltas[j]);
	/* an older reference never allows a compact stamp that the right reference forbids */
	for (i = 0; i < 4 * RANGE; i += RANGE / 16)
		for (j = 0; j <= i; j += RANGE / 16)
			if (tring_stamp_is_compact(i, j, TRING_STAMP_BITS))
				check_pair(j, i - j);
	return 0;
}
