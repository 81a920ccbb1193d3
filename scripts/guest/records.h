/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A walk over the records of a packet, for programs that check packets. It shares no
 * code with the reader. A malformed record ends the program.
 */
#ifndef TRING_GUEST_RECORDS_H
#define TRING_GUEST_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fail.h"
#include "tring_format.h"

/**
 * struct guest_record - one record
 * @type: type in the record's word
 * @id: ftrace's id, or 0 if the record has a short type instead
 * @discarded: record was discarded by its writer
 * @fields: fields of the event
 * @length: length of @fields in bytes
 */
struct guest_record {
	unsigned int	type;
	uint16_t	id;
	bool		discarded;
	const char	*fields;
	size_t		length;
};

static uint64_t get_bytes(const char *packet, size_t *offset, size_t content, size_t size)
{
	uint16_t two;
	uint32_t four;

	if (*offset + size > content)
		fail("record past the end at %zu of %zu", *offset, content);
	packet += *offset;
	*offset += size;
	if (size == sizeof(two)) {
		memcpy(&two, packet, size);
		return two;
	}
	memcpy(&four, packet, size);
	return four;
}

/* Reads the record at @offset of @packet, which has @content bytes, and skips it. */
static void take_record(const char *packet, size_t *offset, size_t content,
			struct guest_record *record)
{
	const uint8_t *lengths = (const uint8_t *)packet +
				 offsetof(struct tring_packet_header, lengths);
	size_t begin = *offset;
	unsigned int type;
	uint8_t context;

	if (lengths[0])
		fail("a packet has length %u for type 0", lengths[0]);
	type = tring_header_type(get_bytes(packet, offset, content, TRING_WORD_SIZE),
				 TRING_HOST_BIG_ENDIAN);
	memset(record, 0, sizeof(*record));
	record->type = type;
	record->discarded = type == TRING_TYPE_DISCARDED;
	if (!type || (tring_type_is_short(type) && !lengths[type]))
		fail("record of type %u at %zu", type, begin);
	*offset = begin + tring_context_offset(type);
	if (type >= TRING_TYPE_LONG) {
		*offset -= TRING_ID_SIZE;
		record->id = get_bytes(packet, offset, content, TRING_ID_SIZE);
		record->discarded = record->id == TRING_TYPE_DISCARDED;
		if (!record->discarded && record->id <= TRING_LONG_ID_BASE)
			fail("record of id %u at %zu", record->id, begin);
		record->id -= TRING_LONG_ID_BASE;
	}
	if (*offset >= content)
		fail("record past the end at %zu of %zu", begin, content);
	context = packet[*offset];
	*offset += tring_context_size(context);
	if (begin == TRING_PACKET_HEADER_SIZE && !(context & TRING_CONTEXT_HAS_PID))
		fail("a packet's first record has no pid");
	if (type > TRING_TYPE_SHORT_MAX)
		record->length = get_bytes(packet, offset, content, TRING_LONG_LENGTH_SIZE);
	else if (lengths[type] == TRING_LENGTH_VARIES)
		record->length = get_bytes(packet, offset, content, TRING_SHORT_LENGTH_SIZE);
	else
		record->length = lengths[type];
	record->fields = packet + *offset;
	*offset += record->length;
	if ((record->length < TRING_FIELDS_MIN && !record->discarded) || *offset > content)
		fail("record with %zu bytes of fields at %zu of %zu", record->length, begin,
		     content);
}

#endif /* TRING_GUEST_RECORDS_H */
