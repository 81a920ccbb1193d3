// SPDX-License-Identifier: GPL-2.0
/*
 * Walks over a packet, checks that it is well formed and decodes its records.
 * Every byte is checked to be inside the packet before it is read, so the packet
 * may be damaged.
 */

#define pr_fmt(fmt) "tring: " fmt

#include <linux/printk.h>
#include <linux/string.h>

#include "walk.h"

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

static const char *check_header(const struct tring_packet_header *header, size_t room)
{
	if (room < TRING_PACKET_HEADER_SIZE)
		return "packet header does not fit";
	if (header->magic != TRING_PACKET_MAGIC)
		return "magic";
	if (header->version != TRING_FORMAT_VERSION)
		return "format version";
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
	if (header->lengths[0])
		return "type 0 has a length";
	return NULL;
}

/**
 * walk_begin - begin a walk and check the packet's header
 * @walk: initialised here; the first record is found by walk_next()
 * @packet: the packet
 * @room: bytes that may be read there
 *
 * Return: true if the header is sound. Otherwise @walk has the reason.
 */
bool walk_begin(struct walk *walk, const void *packet, size_t room)
{
	const struct tring_packet_header *header = packet;

	memset(walk, 0, sizeof(*walk));
	walk->packet = packet;
	walk->reason = check_header(header, room);
	if (walk->reason)
		return false;
	walk->content = header->content_size / 8;
	walk->next = TRING_PACKET_HEADER_SIZE;
	walk->stamp = header->timestamp_begin;
	return true;
}

/* The record's word and, in an extended record, its timestamp. */
static const char *walk_stamp(struct walk *walk)
{
	const struct tring_packet_header *header = walk->packet;
	u64 previous = walk->stamp;
	u32 word;

	if (walk->offset + TRING_WORD_SIZE > walk->content)
		return "record's head does not fit";
	word = get_u32(walk->packet + walk->offset);
	walk->type = tring_header_type(word, TRING_HOST_BIG_ENDIAN);
	if (!walk->type)
		return "record without a type";
	if (tring_type_is_short(walk->type) && !header->lengths[walk->type])
		return "short type that is not in use";
	/* The context byte is always there. */
	if (walk->offset + tring_context_offset(walk->type) + 1 > walk->content)
		return "record's head does not fit";
	if (walk->type == TRING_TYPE_EXTENDED)
		memcpy(&walk->stamp, walk->packet + walk->offset + TRING_WORD_SIZE,
		       sizeof(walk->stamp));
	else
		walk->stamp = tring_stamp_rebuild(previous,
						  tring_header_stamp(word, TRING_HOST_BIG_ENDIAN),
						  TRING_STAMP_BITS);
	if (walk->stamp < previous)
		return "timestamp goes backwards";
	if (walk->stamp > header->timestamp_end)
		return "timestamp is after the packet's end";
	return NULL;
}

/* The context byte at @at and what it asks for. */
static const char *walk_context(struct walk *walk, size_t at)
{
	walk->context = *(const u8 *)(walk->packet + at);
	if (walk->offset == TRING_PACKET_HEADER_SIZE && !walk_has_pid(walk))
		return "first record without a pid";
	if (tring_context_is_full(walk->context) &&
	    (walk->context & ~TRING_CONTEXT_FULL) != TRING_CONTEXT_HAS_PID)
		return "full context with flags, or without a pid";
	if (at + tring_context_size(walk->context) > walk->content)
		return "record's context does not fit";
	at++;
	if (walk_has_pid(walk)) {
		walk->pid = get_u32(walk->packet + at);
		at += TRING_PID_SIZE;
	}
	if (tring_context_is_full(walk->context)) {
		walk->flags = *(const u8 *)(walk->packet + at);
		walk->preempt_count = *(const u8 *)(walk->packet + at + 1);
	} else {
		walk->flags = tring_context_flags(walk->context);
		walk->preempt_count = tring_context_preempt_count(walk->context);
	}
	return NULL;
}

/* The length at @at, if the record carries one, and the fields behind it. */
static const char *walk_fields(struct walk *walk, size_t at)
{
	const struct tring_packet_header *header = walk->packet;
	u8 length = header->lengths[walk->type];
	size_t size = tring_length_size(walk->type, length == TRING_LENGTH_VARIES);

	if (at + size > walk->content)
		return "record's length does not fit";
	if (size == TRING_LONG_LENGTH_SIZE)
		walk->room = get_u32(walk->packet + at);
	else
		walk->room = size ? get_u16(walk->packet + at) : length;
	at += size;
	if (!walk_is_discarded(walk) && walk->room < TRING_FIELDS_MIN)
		return "record has too few fields";
	if (walk->room > walk->content - at)
		return "record passes the end of the content";
	walk->fields = walk->packet + at;
	walk->next = at + walk->room;
	return NULL;
}

static const char *walk_record(struct walk *walk)
{
	const char *reason;
	size_t at;

	reason = walk_stamp(walk);
	if (reason)
		return reason;
	at = walk->offset + tring_context_offset(walk->type);
	walk->id = walk->type;
	if (walk->type >= TRING_TYPE_LONG)
		walk->id = get_u16(walk->packet + at - TRING_ID_SIZE);
	reason = walk_context(walk, at);
	if (reason)
		return reason;
	return walk_fields(walk, at + tring_context_size(walk->context));
}

/**
 * walk_next - decode and check the next record
 * @walk: the walk
 *
 * Return: false at the packet's end, or if the record is wrong; then @walk has
 * the reason.
 */
bool walk_next(struct walk *walk)
{
	if (walk->reason || walk->next >= walk->content)
		return false;
	walk->offset = walk->next;
	walk->reason = walk_record(walk);
	if (walk->reason)
		return false;
	if (walk_is_discarded(walk))
		walk->discarded++;
	else
		walk->events++;
	return true;
}

/**
 * walk_packet - check a whole packet
 * @walk: stands at the last record afterwards, or at the record that is wrong
 * @packet: the packet
 * @room: bytes that may be read there
 *
 * Return: true if the packet is well formed.
 */
bool walk_packet(struct walk *walk, const void *packet, size_t room)
{
	if (!walk_begin(walk, packet, room))
		return false;
	while (walk_next(walk))
		;
	return !walk->reason;
}

/**
 * walk_dump - print a packet decoded, one record a line
 * @packet: the packet
 * @room: bytes that may be read there
 */
void walk_dump(const void *packet, size_t room)
{
	const struct tring_packet_header *header = packet;
	struct walk walk;

	if (room >= TRING_PACKET_HEADER_SIZE)
		pr_err("packet %llu of CPU %llu: stamps %llu..%llu, %u of %u bits, %llu events lost\n",
		       header->packet_seq_num, header->cpu_id, header->timestamp_begin,
		       header->timestamp_end, header->content_size, header->packet_size,
		       header->events_discarded);
	walk_begin(&walk, packet, room);
	while (walk_next(&walk))
		pr_err("%8zu: type %2u id %5u pid %d room %u stamp %llu\n", walk.offset,
		       walk.type, walk.id, (s32)walk.pid, walk.room, walk.stamp);
	if (walk.reason)
		pr_err("%8zu: %s\n", walk.offset, walk.reason);
}
