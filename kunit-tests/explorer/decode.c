// SPDX-License-Identifier: GPL-2.0
/*
 * Packets as the user-space reader decodes them: a second, independent implementation
 * of the format. This is a file of its own because the ring has a struct tring_record,
 * too.
 */
#include <stdio.h>

#include "explorer.h"
#include "wire/wire.h"

/* Behind the content there are zeros, no older bytes. */
static const char *check_rest(const uint8_t *data, const struct decoded *decoded)
{
	size_t i;

	for (i = decoded->content; i < decoded->size; i++)
		if (data[i])
			return "old bytes behind the content";
	return NULL;
}

/* Returns NULL, or a text that says what is wrong with the packet. */
const char *decode_packet(const void *data, size_t size, const uint16_t *short_ids,
			  struct decoded *decoded)
{
	struct tring_packet packet;
	struct tring_cursor cursor;
	struct tring_record record;
	struct decoded_record *to;
	enum tring_reason reason;

	decoded->records = 0;
	reason = tring_packet_parse(data, size, &packet);
	if (reason != TRING_OK)
		return tring_reason_text(reason);
	packet.short_ids = short_ids;
	decoded->begin = packet.timestamp_begin;
	decoded->end = packet.timestamp_end;
	decoded->seq_num = packet.seq_num;
	decoded->discarded = packet.discarded;
	decoded->content = packet.content_size;
	decoded->size = packet.packet_size;
	decoded->cpu = packet.cpu_id;
	decoded->uuid = (const uint8_t *)data + offsetof(struct tring_packet_header, uuid);
	decoded->lengths = (const uint8_t *)data +
			   offsetof(struct tring_packet_header, lengths);

	tring_cursor_init(&cursor, &packet);
	for (;;) {
		reason = tring_record_next(&cursor, &record);
		if (reason == TRING_END)
			return check_rest(data, decoded);
		if (reason != TRING_OK)
			return tring_reason_text(reason);
		if (decoded->records == RECORDS_MAX)
			return "more records than fit";
		to = &decoded->record[decoded->records++];
		to->stamp = record.stamp;
		to->fields = record.payload + TRING_PAYLOAD_HEAD;
		to->length = record.length - TRING_PAYLOAD_HEAD;
		to->pid = record.pid;
		to->id = record.id;
		to->type = record.type;
		to->flags = record.flags;
		to->preempt_count = record.preempt_count;
		to->is_discarded = record.id == TRING_ID_DISCARDED;
		to->says_pid = record.context & TRING_CONTEXT_HAS_PID;
	}
}
