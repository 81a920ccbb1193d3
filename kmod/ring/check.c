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
#include "check.h"
#include "internal.h"

/* One record as it lies in a packet. */
struct walked {
	size_t		offset;
	u64		stamp;
	unsigned int	type;
	u32		room;
	u16		id;
	s32		pid;
};

static u32 get_u32(const void *at)
{
	u32 value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static u16 get_u16(const void *at)
{
	u16 value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* What precedes the fields is there as a whole, at @at; where they are, or 0. */
static size_t walk_length(const void *packet, size_t content, size_t at,
			  struct walked *record)
{
	const struct tring_packet_header *header = packet;
	u8 length = header->lengths[record->type];
	size_t size = tring_length_size(record->type, length == TRING_LENGTH_VARIES);

	if (at + size > content)
		return 0;
	if (size == TRING_LONG_LENGTH_SIZE)
		record->room = get_u32(packet + at);
	else
		record->room = size ? get_u16(packet + at) : length;
	return at + size;
}

/* Do a packet's records say who wrote them? */
static bool has_context(const void *packet)
{
	const struct tring_packet_header *header = packet;

	return !(header->lengths[TRING_PACKET_FLAGS] & TRING_PACKET_NO_CONTEXT);
}

/* The context that begins at @at; what follows is at *@next. As walk_record(). */
static const char *walk_context(const void *packet, size_t content, size_t at,
				bool is_first, struct walked *record, size_t *next)
{
	u8 context = *(u8 *)(packet + at);

	if (is_first && !(context & TRING_CONTEXT_HAS_PID))
		return "first record without a pid";
	if (tring_context_is_full(context) &&
	    (context & ~TRING_CONTEXT_FULL) != TRING_CONTEXT_HAS_PID)
		return "full context with flags, or without a pid";
	*next = at + tring_context_size(context);
	if (*next > content)
		return "record's context does not fit";
	if (context & TRING_CONTEXT_HAS_PID)
		record->pid = get_u32(packet + at + 1);
	return NULL;
}

/*
 * Decode the record at @offset, with the pid of the one before it in @record;
 * the next one starts at *@next, which is 0 if there is none. Returns what is
 * wrong, or NULL.
 */
static const char *walk_record(const void *packet, size_t content, size_t offset,
			       u64 clock, struct walked *record, size_t *next)
{
	const struct tring_packet_header *header = packet;
	size_t at = offset + TRING_WORD_SIZE;
	bool is_first = offset == TRING_PACKET_HEADER_SIZE;
	const char *reason;
	u32 word;

	record->offset = offset;
	if (at > content)
		return "record's head does not fit";
	word = get_u32(packet + offset);
	record->type = tring_header_type(word, TRING_HOST_BIG_ENDIAN);
	record->stamp = tring_stamp_rebuild(clock,
					    tring_header_stamp(word, TRING_HOST_BIG_ENDIAN),
					    TRING_STAMP_BITS);
	record->id = record->type;
	if (!record->type)
		return "record without a type";
	if (tring_type_is_short(record->type) && !header->lengths[record->type])
		return "short type that is not in use";

	at = offset + tring_context_offset(record->type);
	if (at + has_context(packet) > content)
		return "record's head does not fit";
	if (record->type == TRING_TYPE_EXTENDED)
		memcpy(&record->stamp, packet + offset + TRING_WORD_SIZE,
		       sizeof(record->stamp));
	if (record->type >= TRING_TYPE_LONG)
		record->id = get_u16(packet + at - TRING_ID_SIZE);

	if (has_context(packet)) {
		reason = walk_context(packet, content, at, is_first, record, &at);
		if (reason)
			return reason;
	}

	at = walk_length(packet, content, at, record);
	if (!at)
		return "record's length does not fit";
	if (record->id != TRING_TYPE_DISCARDED && record->room < TRING_FIELDS_MIN)
		return "record has too few fields";
	if (record->room > content - at)
		return "record passes the end of the content";
	at += record->room;
	*next = at < content ? at : 0;
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
	if (header->lengths[TRING_PACKET_FLAGS] & ~TRING_PACKET_NO_CONTEXT)
		return "flags that nobody knows";
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
		if (check->reason)
			return false;
		clock = record.stamp;
		if (record.id == TRING_TYPE_DISCARDED)
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
	/* Nobody's, where there is no context. */
	struct walked record = { .pid = -1 };
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
		pr_err("%8zu: type %2u id %5u pid %d room %u stamp %llu\n", record.offset,
		       record.type, record.id, record.pid, record.room, record.stamp);
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
