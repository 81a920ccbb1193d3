/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directory of a trace, for readers of memory images. See directory.c.
 */
#ifndef _TRING_RING_DIRECTORY_H
#define _TRING_RING_DIRECTORY_H

#include <linux/types.h>

struct tring_buffer;
struct tring_memory;
struct tring_stream;

/* Formats of some thousand events, compressed, are less than a tenth of that. */
#define TRING_BLOB_MAX	(4UL << 20)

void tring_directory_init(void);
void tring_directory_exit(void);
int tring_directory_create(struct tring_buffer *buffer);
void tring_directory_destroy(struct tring_buffer *buffer);
void tring_directory_begin_trace(struct tring_buffer *buffer);
void tring_directory_update(struct tring_buffer *buffer);
int tring_directory_append_blob(struct tring_buffer *buffer, const void *from, size_t size);
int tring_directory_move(struct tring_buffer *buffer);
int tring_directory_add(struct tring_memory *memory);
void tring_directory_remove(struct tring_memory *memory);
void tring_directory_publish(struct tring_memory *memory, const struct tring_stream *stream);

#endif /* _TRING_RING_DIRECTORY_H */
