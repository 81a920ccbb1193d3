// SPDX-License-Identifier: GPL-2.0
/*
 * In place of kmod/ring/directory.c: no writer and no reader of the ring looks at a directory,
 * so there is none.
 */
#include "world.h"
#include "ring/directory.h"

int tring_directory_create(struct tring_buffer *buffer)
{
	return 0;
}

void tring_directory_destroy(struct tring_buffer *buffer)
{
}

void tring_directory_begin_trace(struct tring_buffer *buffer)
{
}

void tring_directory_update(struct tring_buffer *buffer)
{
}

int tring_directory_move(struct tring_buffer *buffer)
{
	return 0;
}

int tring_directory_add(struct tring_memory *memory)
{
	return 0;
}

void tring_directory_remove(struct tring_memory *memory)
{
}

void tring_directory_publish(struct tring_memory *memory, const struct tring_stream *stream)
{
}

void tring_directory_init(void)
{
}

void tring_directory_exit(void)
{
}
