/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a trace.dat says of the conversion of its times. */
#ifndef TRING_DAT_CLOCK_H
#define TRING_DAT_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dat_cursor.h"

struct tring_dat_shifts;

/**
 * struct tring_dat_clock - conversion of times
 * @multiplier: of the cycles of a processor; 0 if they are not converted
 * @shift: bits by which the product is shifted
 * @offset: added to each time
 * @interpolated: between two of @shifts
 * @shifts: by CPU, of a guest's clock to the host's
 * @cpu_count: number of @shifts
 */
struct tring_dat_clock {
	uint32_t	multiplier;
	uint32_t	shift;
	uint64_t	offset;
	bool		interpolated;
	struct tring_dat_shifts *shifts;
	size_t		cpu_count;
};

void tring_dat_take_scale(struct tring_dat_clock *clock, struct tring_dat_cursor *option);
void tring_dat_take_shifts(struct tring_dat_clock *clock, struct tring_dat_cursor *option);
void tring_dat_drop_shifts(struct tring_dat_clock *clock);
uint64_t tring_dat_convert_time(const struct tring_dat_clock *clock, uint32_t cpu, uint64_t time);

#endif /* TRING_DAT_CLOCK_H */
