// SPDX-License-Identifier: GPL-2.0
/* Description: the 16-bit example of uapi/format.md, encoded and decoded. */
#include "helpers.h"

#define BITS	16

int main(void)
{
	static const struct {
		uint64_t stamp;
		bool compact;
		uint64_t stored;
	} table[] = {
		{ 0x12345678, true, 0x5678 },
		{ 0x12347777, true, 0x7777 },
		{ 0x12350000, true, 0x0000 },
		{ 0x12370000, false, 0x12370000 },
	};
	uint64_t last = 0x12345678, rebuilt = last;
	size_t i;

	for (i = 0; i < COUNT(table); i++) {
		uint64_t stamp = table[i].stamp;

		CHECK_EQ(tring_stamp_is_compact(stamp, last, BITS),
			 table[i].compact);
		if (table[i].compact) {
			CHECK_EQ(stamp & tring_stamp_mask(BITS),
				 table[i].stored);
			rebuilt = tring_stamp_rebuild(rebuilt, table[i].stored,
						      BITS);
		} else {
			rebuilt = table[i].stored;
		}
		CHECK_EQ(rebuilt, stamp);
		last = stamp;
	}
	return 0;
}
