/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A writer that has its record in one piece, as the tests need it: reserve, copy, commit; and
 * what a refusal means.
 */
#ifndef _TRING_KUNIT_WRITE_H
#define _TRING_KUNIT_WRITE_H

#include <linux/string.h>

#include "compat.h"
#include "ring/fast.h"
#include "session/key.h"

/**
 * tring_write - reserve, copy, commit
 * @buffer: where the event is recorded
 * @key: of the event
 * @payload: begins with a struct trace_entry, whose 16-bit type is the key's id
 * @length: of @payload; as for tring_reserve()
 *
 * Context: any.
 * Return: as tring_reserve().
 */
static inline int tring_write(struct tring_buffer *buffer, u64 key, const void *payload,
			      u32 length)
{
	struct tring_record TRING_UNINITIALIZED record;
	const u8 *entry = payload;
	u32 pid;
	int err;

	memcpy(&pid, entry + TRING_PAYLOAD_HEAD - sizeof(pid), sizeof(pid));
	err = tring_reserve(buffer, key | tring_context(entry[2], entry[3]), pid, length,
			    &record);
	if (err)
		return err;
	memcpy(record.payload + TRING_PAYLOAD_HEAD, payload + TRING_PAYLOAD_HEAD,
	       length - TRING_PAYLOAD_HEAD);
	tring_commit(&record);
	return 0;
}

/*
 * Reason of a refusal for an error of tring_reserve(), TRING_REFUSALS for an unknown
 * error. The ring has a table of its own; this one checks it.
 */
static inline enum tring_refusal refusal_of(int err)
{
	switch (err) {
	case -ENOBUFS:
		return TRING_REFUSED_NO_ROOM;
	case -EBUSY:
		return TRING_REFUSED_OPEN_COMMIT;
	case -E2BIG:
		return TRING_REFUSED_TOO_LARGE;
	case -EAGAIN:
		return TRING_REFUSED_RETRIES;
	case -ELOOP:
		return TRING_REFUSED_NESTED;
	case -EIO:
		return TRING_REFUSED_STOPPED;
	case -ENOMEM:
		return TRING_REFUSED_NO_MEMORY;
	case -ESHUTDOWN:
		return TRING_REFUSED_OFF;
	default:
		return TRING_REFUSALS;
	}
}

#endif /* _TRING_KUNIT_WRITE_H */
