/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stores numbers in a stream's byte order, at any alignment; tring_parse.h loads them. */
#ifndef TRING_STORE_H
#define TRING_STORE_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline void tring_store_u16(uint8_t *to, uint16_t value, bool big_endian)
{
	value = big_endian ? htobe16(value) : htole16(value);
	memcpy(to, &value, sizeof(value));
}

static inline void tring_store_u32(uint8_t *to, uint32_t value, bool big_endian)
{
	value = big_endian ? htobe32(value) : htole32(value);
	memcpy(to, &value, sizeof(value));
}

static inline void tring_store_u64(uint8_t *to, uint64_t value, bool big_endian)
{
	value = big_endian ? htobe64(value) : htole64(value);
	memcpy(to, &value, sizeof(value));
}

#endif /* TRING_STORE_H */
