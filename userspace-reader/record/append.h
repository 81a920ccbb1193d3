/* SPDX-License-Identifier: GPL-2.0 */
/* Appends packets to a file, which ends with a whole packet at each moment. */
#ifndef TRING_APPEND_H
#define TRING_APPEND_H

#include <stddef.h>
#include <stdint.h>

size_t tring_append_padding(uint64_t end);
int tring_append(int fd, uint64_t end, const uint8_t *packets, size_t size, size_t *room);

#endif /* TRING_APPEND_H */
