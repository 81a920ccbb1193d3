// SPDX-License-Identifier: GPL-2.0
/*
 * Walks a packet and says what is wrong with it. Tests use it on what they
 * read; a TRING_DEBUG build checks each packet when it is delivered and dumps a
 * bad one decoded. See uapi/format.md for the rules.
 */

#define pr_fmt(fmt) "tring: " fmt

#include <linux/printk.h>
#include <linux/string.h>

#include "ring.h"
#include "ring_check.h"
#include "ring_internal.h"

/* One record as it lies in a packet. */
struct walked {
	size_t		offset;
	u64		stamp;
	unsigned int	type;
	u32		room;
	u16		id;
	const void	*payload;
};

static u32 get_u32(const void *at)
{
	u32 value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/*
 * Decode the record at @offset; the next one starts at *@next, which is 0 if
 * there is none. Returns what is wrong, or NULL.
 */
static const char *walk_record(const void *packet, size_t content, size_t offset,
			       u64 clock, struct walked *record, size_t *next)
{
	size_t payload = offset + TRING_HEADER_WORDS_SIZE;
	size_t end;
	u16 id;
	u32 word;

	record->offset = offset;
	if (payload > content)
		return "record header does not fit";
	word = get_u32(packet + offset);
	record->type = tring_header_type(word, TRING_HOST_BIG_ENDIAN);
	record->stamp = tring_stamp_rebuild(clock,
					    tring_header_stamp(word, TRING_HOST_BIG_ENDIAN),
					    TRING_STAMP_BITS);
	if (record->type == TRING_TYPE_BYTES || record->type == TRING_TYPE_EXTENDED) {
		payload = offset + (record->type == TRING_TYPE_BYTES ?
				    TRING_HEADER_BYTES_SIZE : TRING_HEADER_EXTENDED_SIZE);
		if (payload > content)
			return "record header does not fit";
		record->room = get_u32(packet + offset + TRING_HEADER_WORDS_SIZE);
		if (record->type == TRING_TYPE_EXTENDED)
			memcpy(&record->stamp, packet + offset + TRING_HEADER_BYTES_SIZE,
			       sizeof(record->stamp));
		end = payload + record->room;
	} else if (record->type <= TRING_TYPE_WORDS_MAX) {
		record->room = record->type * 4;
		end = payload + record->room;
		/* Rounded up: the last one may end up to three bytes earlier. */
		if (end > content && end - content < 4)
			end = content;
	} else {
		return "reserved record type";
	}
	if (record->room < TRING_PAYLOAD_MIN)
		return "payload is too short";
	if (end > content)
		return "record passes the end of the content";
	record->payload = packet + payload;
	memcpy(&id, record->payload, sizeof(id));
	record->id = id;
	end = tring_record_align(end);
	*next = end < content ? end : 0;
	return NULL;
}

static const char *check_header(const struct tring_packet_header *header, size_t room)
{
	if (header->magic != TRING_PACKET_MAGIC)
		return "magic";
	if (header->content_size % 8 || header->packet_size % 8)
		return "sizes are not in whole bytes";
	if (header->content_size > header->packet_size)
		return "content is larger than the packet";
	if (header->packet_size / 8 > room)
		return "packet is larger than its room";
	if (header->content_size / 8 <= TRING_PACKET_HEADER_SIZE)
		return "packet is empty";
	if (header->timestamp_begin > header->timestamp_end)
		return "packet ends before it begins";
	return NULL;
}

/**
 * tring_check_packet - is this packet well formed?
 * @packet: its bytes, in the byte order of this machine
 * @room: how many there are
 * @check: what was found
 *
 * Context: any.
 * Return: true if it is.
 */
bool tring_check_packet(const void *packet, size_t room, struct tring_check *check)
{
	const struct tring_packet_header *header = packet;
	struct walked record;
	size_t content, next;
	u64 clock;

	memset(check, 0, sizeof(*check));
	check->reason = "packet header does not fit";
	if (room < TRING_PACKET_HEADER_SIZE)
		return false;
	check->reason = check_header(header, room);
	if (check->reason)
		return false;

	content = header->content_size / 8;
	clock = header->timestamp_begin;
	for (next = TRING_PACKET_HEADER_SIZE; next;) {
		check->offset = next;
		check->reason = walk_record(packet, content, next, clock, &record, &next);
		if (check->reason)
			return false;
		if (record.stamp < clock)
			check->reason = "timestamp goes backwards";
		else if (record.stamp > header->timestamp_end)
			check->reason = "timestamp is after the packet's end";
		else if (record.id == TRING_ID_DISCARDED &&
			 get_u32(record.payload + TRING_SKIP_OFFSET) >
			 record.room - TRING_PAYLOAD_MIN)
			check->reason = "discarded record skips past its end";
		if (check->reason)
			return false;
		clock = record.stamp;
		if (record.id == TRING_ID_DISCARDED)
			check->discarded++;
		else
			check->events++;
	}
	check->last_stamp = clock;
	return true;
}

/**
 * tring_dump_packet - print a packet decoded, a record a line
 * @packet: its bytes
 * @room: how many there are
 *
 * Context: any that may print.
 */
void tring_dump_packet(const void *packet, size_t room)
{
	const struct tring_packet_header *header = packet;
	const char *reason;
	struct walked record;
	size_t next = TRING_PACKET_HEADER_SIZE;
	u64 clock = header->timestamp_begin;

	pr_err("packet %llu of CPU %u: stamps %llu..%llu, %u of %u bits, %llu events lost\n",
	       header->packet_seq_num, header->cpu_id, header->timestamp_begin,
	       header->timestamp_end, header->content_size, header->packet_size,
	       header->events_discarded);
	reason = check_header(header, room);
	while (!reason && next) {
		reason = walk_record(packet, header->content_size / 8, next, clock, &record,
				     &next);
		if (reason)
			break;
		clock = record.stamp;
		pr_err("%8zu: type %2u id %5u room %u stamp %llu\n", record.offset,
		       record.type, record.id, record.room, record.stamp);
	}
	if (reason)
		pr_err("%8zu: %s\n", next, reason);
}

#ifdef TRING_DEBUG
/**
 * tring_check_delivery - check a packet that is about to be delivered
 * @cpu_buffer: the ring
 * @subbuf: complete
 * @events: number of events that were committed in it
 *
 * Context: the writer's.
 */
void tring_check_delivery(struct tring_cpu_buffer *cpu_buffer,
			  struct tring_subbuf *subbuf, unsigned long events)
{
	unsigned long start = local_read(&subbuf->start);
	unsigned long size = cpu_buffer->memories[tring_generation(start)]->subbuf_size;
	struct tring_check check;

	if (tring_check_packet(subbuf->data, size, &check) &&
	    check.events == events)
		return;
	if (READ_ONCE(cpu_buffer->stopped))
		return;
	pr_err("%s at %zu, %lu events of %lu\n", check.reason ?: "count differs",
	       check.offset, check.events, events);
	tring_dump_packet(subbuf->data, size);
	TRING_WARN_ON(cpu_buffer, true);
}
#endif
