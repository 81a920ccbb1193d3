/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The directory of a trace, for readers of memory images. See directory.c.
 */
#ifndef _TRING_BLACKBOX_DIRECTORY_H
#define _TRING_BLACKBOX_DIRECTORY_H

#include <linux/list.h>
#include <linux/types.h>

struct tring_allocator;
struct tring_buffer;
struct tring_directory_memory;
struct tring_directory_trace;
struct tring_memory;
struct tring_stream;

/* Formats of some thousand events, compressed, are less than a tenth of that. */
#define TRING_BLOB_MAX	(4UL << 20)

/**
 * struct tring_directory - the directory of a trace
 * @buffer: the trace
 * @short_ids: ftrace's id by short type; 0 for a type that is free
 * @allocator: of new pages and of the blob
 * @trace: the first page
 * @key: on all pages
 * @blob: what user space has left for readers of memory images
 * @blob_room: bytes of its memory
 *
 * All of it under tring_buffer::mutex.
 */
struct tring_directory {
	struct tring_buffer		*buffer;
	const u16			*short_ids;
	const struct tring_allocator	*allocator;
	struct tring_directory_trace	*trace;
	u64				key;
	void				*blob;
	size_t				blob_room;
};

/**
 * struct tring_shown - a memory that a directory shows
 * @directory: the directory
 * @page: its page
 * @list: entry in the list of those that outlive the kernel
 * @words: where the 64 bits are that each TRING_WORD_* names
 */
struct tring_shown {
	struct tring_directory		*directory;
	struct tring_directory_memory	*page;
	struct list_head		list;
	const void			*words[];
};

void tring_directory_init(void);
void tring_directory_exit(void);
int tring_directory_create(struct tring_directory *directory, struct tring_buffer *buffer,
			   const u16 *short_ids);
void tring_directory_destroy(struct tring_directory *directory);
void tring_directory_begin_trace(struct tring_directory *directory);
void tring_directory_update(struct tring_directory *directory);
int tring_directory_append_blob(struct tring_directory *directory, const void *from, size_t size);
int tring_directory_set_persistent(struct tring_directory *directory, bool on);
int tring_directory_add(struct tring_directory *directory, struct tring_memory *memory);
void tring_directory_publish(struct tring_memory *memory, const struct tring_stream *stream);
void tring_directory_remove(struct tring_memory *memory);

#endif /* _TRING_BLACKBOX_DIRECTORY_H */
