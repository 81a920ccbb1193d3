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

struct tring_blob *tring_blob_begin(void);
int tring_blob_add(struct tring_blob *blob, const char *name, const void *data, size_t size);
int tring_blob_add_events(struct tring_blob *blob, const struct tring_events *events);
int tring_blob_end(struct tring_blob *blob, void **data, size_t *size);
int tring_blob_unpack(const void *data, size_t size, const char *dir);

#endif /* TRING_BLOB_H */
