/* SPDX-License-Identifier: GPL-2.0 */
/* The build id of a program's file. */
#ifndef TRING_BUILD_ID_H
#define TRING_BUILD_ID_H

#include <stddef.h>
#include <stdint.h>

/* Bytes of a build id, and of its text. perf's have 20. */
#define TRING_BUILD_ID_MOST	32
#define TRING_BUILD_ID_TEXT	(2 * TRING_BUILD_ID_MOST + 1)

void tring_build_id(const char *path, char text[TRING_BUILD_ID_TEXT]);
void tring_build_id_text(const uint8_t *id, size_t size, char text[TRING_BUILD_ID_TEXT]);

#endif /* TRING_BUILD_ID_H */
