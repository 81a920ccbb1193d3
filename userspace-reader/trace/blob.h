/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A blob: what describes a trace, packed so that it fits into the ring's file "blob", with
 * which a memory image is read on any machine.
 */
#ifndef TRING_BLOB_H
#define TRING_BLOB_H

#include <stddef.h>

#include "event/events.h"

/* The ring takes no more. */
#define TRING_BLOB_MAX	(4u << 20)

struct tring_blob;

/**
 * typedef tring_blob_fn - takes a file of a blob
 * @to: from the caller of tring_blob_unpack()
 * @name: its name in the directory "tring" of a trace
 * @data: its content
 * @size: number of bytes
 *
 * Return: 0 to go on, or a negative errno.
 */
typedef int tring_blob_fn(void *to, const char *name, const void *data, size_t size);

struct tring_blob *tring_blob_begin(void);
int tring_blob_add(struct tring_blob *blob, const char *name, const void *data, size_t size);
int tring_blob_add_events(struct tring_blob *blob, const struct tring_events *events);
int tring_blob_end(struct tring_blob *blob, void **data, size_t *size);
int tring_blob_unpack(const void *data, size_t size, tring_blob_fn *take, void *to);

#endif /* TRING_BLOB_H */
