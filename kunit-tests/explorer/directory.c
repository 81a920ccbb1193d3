// SPDX-License-Identifier: GPL-2.0
/*
 * In place of kmod/blackbox/directory.c: no writer and no reader of the ring looks at a directory,
 * so there is none.
 */
#include "world.h"
#include "blackbox/directory.h"

int tring_directory_create(struct tring_directory *directory, struct tring_buffer *buffer,
			   const u16 *short_ids)
{
	return 0;
}

void tring_directory_destroy(struct tring_directory *directory)
{
}

void tring_directory_begin_trace(struct tring_directory *directory)
{
}

void tring_directory_update(struct tring_directory *directory)
{
}

int tring_directory_add(struct tring_directory *directory, struct tring_memory *memory)
{
	return 0;
}

void tring_directory_remove(struct tring_memory *memory)
{
}

void tring_directory_publish(struct tring_memory *memory, const struct tring_stream *stream)
{
}
