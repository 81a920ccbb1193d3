/* SPDX-License-Identifier: GPL-2.0 */
/* Random records, and damage of them: the same for a seed on each machine. */
#ifndef TRING_TEST_DAMAGE_H
#define TRING_TEST_DAMAGE_H

#include "helpers.h"

void damage_seed(uint64_t seed);
uint64_t damage_draw(void);
size_t damage_below(size_t limit);
void damage_show(const uint8_t *whole, const uint8_t *damaged, size_t size);
uint8_t *damage_load(const char *path, size_t *size);
void damage_fill(uint8_t *bytes, size_t size);
uint64_t damage_records(struct builder *builder, uint64_t stamp, unsigned int count, uint64_t gap);

#endif /* TRING_TEST_DAMAGE_H */
