// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * One CPU's packets: order, losses, and resynchronisation after bad input.
 *
 * Each round either returns a record, goes on behind damage inside of a packet (resync.c), or moves
 * to a packet at a larger offset, so the stream ends for any input. A search for the next packet
 * begins at the end of the last packet's content, or right behind its header if records of it
 * could not be read.
 *
 * A packet's events_discarded counts what was lost up to its closing. If packets are
 * missing before it, they were overwritten with their events, so the loss is before
 * it. Otherwise events were refused, mostly because the ring was full, and a full ring
 * closes the packet at the end of that time: the loss is behind the packet's events. A
 * packet without events before it is the recorder's, so that viewers tell what the first
 * packet has counted: the events of the packets before it, if it is not packet 0.
 *
 * A loss lies somewhere between the events before and behind it. A stream with a time range
 * tells of the loss if any of that time is in the range.
 *
 * The begin of a time range is found by bisection. Packets differ in size, so each step takes
 * the next packet behind the middle. The stream then begins some packets early: what was lost
 * before a packet is told by the two packets before it.
 */
#include <string.h>

#include "plain_record.h"
#include "resync.h"
#include "wire.h"

/* Number of bytes that suffice to check a packet's first record. */
#define FIRST_RECORD_SIZE	(TRING_RECORD_HEAD_MAX + TRING_FIELDS_MIN)

/* The ring pads a packet with less than this many bytes. */
#define PAD_END		8

/* A search for a time ends here: so many bytes of headers are read one after another. */
#define SEEK_SIZE		(128 * 1024)

/**
 * tring_stream_tell - report bad input
 * @stream: the stream
 * @offset: offset in the stream
 * @reason: what is wrong
 * @skipped: number of bytes that are not read
 */
void tring_stream_tell(struct tring_stream *stream, uint64_t offset, enum tring_reason reason,
		       uint64_t skipped)
{
	stream->errors++;
	if (stream->report)
		stream->report(stream, offset, reason, skipped);
}

static void report_record(struct tring_stream *stream,
			  const struct tring_record *record,
			  enum tring_reason reason)
{
	bool stamp = reason == TRING_RECORD_STAMP_BACKWARDS ||
		     reason == TRING_RECORD_STAMP_LATE;
	size_t skipped = stream->packet.readable - record->offset;

	if (stamp && stream->stamp_reported)
		return;
	stream->stamp_reported |= stamp;
	tring_stream_tell(stream, stream->packet.offset + record->offset, reason,
			  tring_reason_is_soft(reason) ? 0 : skipped);
}

static size_t find_packet(const struct tring_stream *stream, size_t from)
{
	while (from < stream->size) {
		size_t end = stream->size, limit = end, found;

		if (stream->find_data)
			stream->find_data(stream, &from, &end);
		/* a packet that begins before a hole */
		if (limit - end > TRING_PACKET_HEADER_SIZE + FIRST_RECORD_SIZE)
			limit = end + TRING_PACKET_HEADER_SIZE + FIRST_RECORD_SIZE;
		found = tring_packet_find(stream->data, limit, from,
					  stream->know_uuid ? stream->uuid : NULL);
		if (found < limit)
			return found;
		from = end;
	}
	return stream->size;
}

/**
 * tring_stream_identify - check whether a packet belongs to a stream
 * @stream: the stream
 * @packet: its header
 *
 * Return: TRING_OK, or what is another stream's.
 */
enum tring_reason tring_stream_identify(const struct tring_stream *stream,
					const struct tring_packet *packet)
{
	if (stream->know_uuid &&
	    memcmp(packet->uuid, stream->uuid, sizeof(stream->uuid)))
		return TRING_STREAM_UUID;
	if (stream->know_cpu && packet->cpu_id != stream->cpu)
		return TRING_STREAM_CPU;
	if (!stream->started)
		return TRING_OK;
	if (packet->big_endian != stream->packet.big_endian)
		return TRING_STREAM_BYTE_ORDER;
	if (packet->cpu_id != stream->packet.cpu_id)
		return TRING_STREAM_CPU;
	return TRING_OK;
}

/* Return: true if packets are missing before this one. */
static bool find_gap(struct tring_stream *stream,
		     const struct tring_packet *packet)
{
	/* modulo 2^64: before packet 0 may be one of the recorder's */
	uint64_t missing = packet->seq_num - stream->packet.seq_num - 1;

	if (!stream->started)
		return packet->seq_num > 0;
	if (missing > INT64_MAX) {
		tring_stream_tell(stream, packet->offset, TRING_STREAM_SEQUENCE, 0);
		return false;
	}
	stream->pending_packets += missing;
	return missing;
}

static void check_times(struct tring_stream *stream,
			const struct tring_packet *packet)
{
	const struct tring_packet *before = &stream->packet;

	if (packet->timestamp_begin < before->timestamp_end)
		tring_stream_tell(stream, packet->offset, TRING_STREAM_OVERLAP, 0);
}

static bool is_behind_filler(const struct tring_stream *stream)
{
	return stream->started && stream->packet.content_size == TRING_FILLER_CONTENT;
}

static void count_discarded(struct tring_stream *stream, struct tring_packet *packet,
			    size_t end)
{
	uint64_t *lost;

	if ((stream->started && packet->seq_num != stream->packet.seq_num + 1) ||
	    (stream->know_discarded && packet->discarded != stream->seen_discarded))
		tring_repair_counts(stream, packet, end);
	lost = find_gap(stream, packet) || (is_behind_filler(stream) && packet->seq_num) ?
	       &stream->pending_events : &stream->later_events;
	if (stream->know_discarded) {
		if (packet->discarded < stream->seen_discarded)
			tring_stream_tell(stream, packet->offset, TRING_STREAM_DISCARDED, 0);
		else
			*lost += packet->discarded - stream->seen_discarded;
	}
	stream->seen_discarded = packet->discarded;
	stream->know_discarded = true;
}

/* Each header is looked at when the packet before it is entered, and then entered itself. */
static enum tring_reason parse_at(struct tring_stream *stream, size_t at,
				  struct tring_packet *packet)
{
	const uint8_t *data = stream->data + at;
	size_t size = stream->size - at;

	if (stream->ahead.data != data || stream->ahead_size != size) {
		stream->ahead_reason = tring_packet_parse(data, size, &stream->ahead);
		stream->ahead_size = size;
	}
	*packet = stream->ahead;
	return stream->ahead_reason;
}

/*
 * A packet that lost its tail seems to overlap the next packet. A search is needed
 * only if no packet follows at the end that packet_size gives.
 */
static size_t find_inside(struct tring_stream *stream, size_t at, size_t end)
{
	size_t limit = end + TRING_PACKET_HEADER_SIZE + FIRST_RECORD_SIZE;
	struct tring_packet packet;
	size_t inside;

	if (end == stream->size ||
	    tring_reason_is_soft(parse_at(stream, end, &packet)))
		return end;
	/* a search beyond this packet would read a long file many times */
	if (limit > stream->size)
		limit = stream->size;
	inside = tring_packet_find(stream->data, limit,
				   at + TRING_PACKET_HEADER_SIZE,
				   stream->know_uuid ? stream->uuid : NULL);
	return inside < end ? inside : end;
}

/* Return: end of the packets from @at on that do not belong to the stream, either. */
static size_t skip_foreign(const struct tring_stream *stream, size_t at,
			   enum tring_reason identity)
{
	struct tring_packet packet;

	while (tring_packet_parse(stream->data + at, stream->size - at, &packet) == TRING_OK &&
	       tring_stream_identify(stream, &packet) == identity)
		at += packet.packet_size;
	return at;
}

static void leave_packet(struct tring_stream *stream)
{
	stream->in_packet = false;
	/* timestamp_end may be wrong */
	stream->floor = stream->cursor.stamp < stream->packet.timestamp_end ?
			stream->cursor.stamp : stream->packet.timestamp_end;
	if (stream->packet.timestamp_end <= stream->to)
		stream->pending_events += stream->later_events;
	stream->later_events = 0;
}

static void drop_pending(struct tring_stream *stream)
{
	stream->pending_events = 0;
	stream->pending_packets = 0;
}

/*
 * Leaves the packet that was just entered if it is outside of the range. @before: end of the
 * packet before it
 */
static void apply_range(struct tring_stream *stream, uint64_t before)
{
	const struct tring_packet *packet = &stream->packet;

	if (packet->timestamp_begin < stream->from || before > stream->to)
		drop_pending(stream);
	if (packet->timestamp_begin > stream->to) {
		leave_packet(stream);
		stream->next = stream->size;
		stream->past = true;
		stream->partial = true;
	} else if (packet->timestamp_end < stream->from) {
		leave_packet(stream);
		stream->partial = true;
	}
}

/* Make the packet the stream's. */
static void begin_packet(struct tring_stream *stream, struct tring_packet *packet, size_t end)
{
	uint64_t before = stream->started ? stream->packet.timestamp_end : 0;

	count_discarded(stream, packet, end);
	if (stream->started)
		check_times(stream, packet);
	if (stream->short_ids)
		packet->short_ids = stream->short_ids;
	stream->packet = *packet;
	memcpy(stream->uuid, packet->uuid, sizeof(stream->uuid));
	stream->know_uuid = true;
	stream->started = true;
	stream->packets++;
	stream->next = end;
	stream->resync = packet->offset + packet->readable;
	stream->in_packet = true;
	stream->stamp_reported = false;
	tring_cursor_init(&stream->cursor, &stream->packet);
	stream->anchor = stream->cursor;
	if (stream->enter)
		stream->enter(stream);
	apply_range(stream, before);
}

/* Go on at @found, the next packet, and do not search before it again. */
static void skip_to(struct tring_stream *stream, size_t found, enum tring_reason reason)
{
	size_t bad = stream->next;

	stream->next = found;
	stream->resync = found;
	tring_stream_tell(stream, bad, reason, found > bad ? found - bad : 0);
}

static void enter_packet(struct tring_stream *stream)
{
	size_t at = stream->next, end, inside;
	struct tring_packet packet;
	enum tring_reason reason, identity;

	reason = parse_at(stream, at, &packet);
	packet.offset = at;
	if (!tring_reason_is_soft(reason)) {
		skip_to(stream, find_packet(stream, stream->resync < at ? stream->resync : at + 1),
			reason);
		return;
	}

	end = at + packet.packet_size;
	if (reason == TRING_PACKET_TRUNCATED) {
		/* packet_size may be wrong, and the next packet may be present */
		end = find_packet(stream, at + TRING_PACKET_HEADER_SIZE);
	} else {
		inside = find_inside(stream, at, end);
		if (inside < end)
			reason = TRING_PACKET_OVERRUN;
		end = inside;
	}
	if (packet.readable > end - at)
		packet.readable = end - at;
	identity = tring_stream_identify(stream, &packet);
	if (identity != TRING_OK) {
		/* a file of another trace is one fault */
		skip_to(stream, skip_foreign(stream, end, identity), identity);
		return;
	}
	if (reason != TRING_OK)
		tring_stream_tell(stream, at, reason, 0);
	tring_repair_times(stream, &packet, end);
	stream->effort = TRING_EFFORT * packet.readable;
	begin_packet(stream, &packet, end);
}

/**
 * tring_stream_init - set a stream to its first packet
 * @stream: the stream; the caller sets @stream->report, @stream->enter and
 *	@stream->more afterwards
 * @data: packets of one CPU, one after another; must outlive the stream
 * @size: number of bytes of @data
 */
void tring_stream_init(struct tring_stream *stream, const void *data,
		       size_t size)
{
	memset(stream, 0, sizeof(*stream));
	stream->data = data;
	stream->size = size;
	stream->to = UINT64_MAX;
}

/**
 * tring_stream_know_uuid - refuse packets of another trace from the start
 * @stream: the stream, before the first tring_stream_next()
 * @uuid: TRING_UUID_SIZE bytes; without this call the first packet's uuid is used
 */
void tring_stream_know_uuid(struct tring_stream *stream, const uint8_t *uuid)
{
	memcpy(stream->uuid, uuid, sizeof(stream->uuid));
	stream->know_uuid = true;
}

/**
 * tring_stream_know_cpu - refuse packets of another CPU from the start
 * @stream: the stream, before the first tring_stream_next()
 * @cpu: number of the CPU; without this call it is that of the first packet
 */
void tring_stream_know_cpu(struct tring_stream *stream, uint64_t cpu)
{
	stream->cpu = cpu;
	stream->know_cpu = true;
}

/**
 * tring_stream_know_discarded - set the number of events lost before the stream
 * @stream: the stream, before the first tring_stream_next()
 * @discarded: events_discarded when the stream began; without this call
 *	events_discarded of the first packet is not counted as a loss
 */
void tring_stream_know_discarded(struct tring_stream *stream,
				 uint64_t discarded)
{
	stream->seen_discarded = discarded;
	stream->know_discarded = true;
}

/**
 * tring_stream_know_short_ids - set the events that short types stand for
 * @stream: the stream, before the first tring_stream_next()
 * @short_ids: TRING_TYPES entries: ftrace's id by type, 0 if unknown; must
 *	outlive the stream. Without this call all ids are unknown
 */
void tring_stream_know_short_ids(struct tring_stream *stream,
				 const uint16_t *short_ids)
{
	stream->short_ids = short_ids;
}

/* Return: a packet that has another one between it and @at, or 0. */
static size_t step_back(const struct tring_stream *stream, size_t at)
{
	size_t distance, first, second;

	for (distance = SEEK_SIZE; distance < at; distance *= 2) {
		first = find_packet(stream, at - distance);
		second = find_packet(stream, first + TRING_PACKET_HEADER_SIZE);
		if (second < at)
			return first;
	}
	return 0;
}

/*
 * Return: offset of a packet, some packets before the first one that ends at or behind @from.
 * If the times do not rise, it is the first packet.
 */
static size_t seek(const struct tring_stream *stream, uint64_t from)
{
	size_t low = find_packet(stream, 0), high = stream->size, at;
	uint64_t before, behind = UINT64_MAX;
	struct tring_packet packet;

	tring_packet_parse(stream->data + low, stream->size - low, &packet);
	before = packet.timestamp_begin;
	while (high - low > SEEK_SIZE) {
		size_t middle = low + (high - low) / 2;

		at = find_packet(stream, middle);
		/* behind a middle without a packet all packets are late enough */
		if (at >= high) {
			high = middle;
			continue;
		}
		tring_packet_parse(stream->data + at, stream->size - at, &packet);
		if (packet.timestamp_begin < before || packet.timestamp_end > behind)
			return 0;
		if (packet.timestamp_end < from) {
			low = at;
			before = packet.timestamp_end;
		} else {
			high = middle;
			behind = packet.timestamp_begin;
		}
	}
	return step_back(stream, low);
}

/**
 * tring_stream_set_range - leave out packets outside of a time range by their headers
 * @stream: the stream, before the first tring_stream_next(); its uuid is known
 * @from: packets that end earlier are left out
 * @to: the stream ends before the first packet that begins later
 *
 * The packets at both ends of the range are returned as a whole. Losses outside of the
 * range are not returned. The first packet of the range is found by bisection, for which the
 * timestamps of the packets must rise. A stream without packets has to heed the range itself.
 */
void tring_stream_set_range(struct tring_stream *stream, uint64_t from, uint64_t to)
{
	stream->from = from;
	stream->to = to;
	stream->past = false;
	stream->next = from && stream->size && !stream->fetch ? seek(stream, from) : 0;
	stream->resync = stream->next;
	stream->partial = stream->next;
}

/**
 * tring_stream_go_on - go on in other memory, for tring_more_fn
 * @stream: the stream, at the end of the packets that are in memory
 * @data: further packets of the stream
 * @size: number of bytes
 */
void tring_stream_go_on(struct tring_stream *stream, const void *data, size_t size)
{
	stream->data = data;
	stream->size = size;
	stream->next = 0;
	stream->resync = 0;
	/* other packets may be in the same place */
	stream->ahead_size = 0;
}

/**
 * tring_stream_go_on_anew - go on with packets that count losses from 0, for tring_more_fn
 * @stream: the stream, at the end of the packets that are in memory; @stream->pending_events
 *	has what was lost there
 * @data: packets of the CPU in the next part of the trace
 * @size: number of bytes
 *
 * The sequence numbers are no measure, either: each part may have packets of the recorder's.
 */
void tring_stream_go_on_anew(struct tring_stream *stream, const void *data, size_t size)
{
	tring_stream_go_on(stream, data, size);
	stream->started = false;
	tring_stream_know_discarded(stream, 0);
}

/*
 * What is behind the content is the ring's padding, or zeroes of the recorder. A recorder that is
 * stopped may have written records behind the content of the last packet, which it does not count
 * yet.
 */
static bool has_more_content(const struct tring_stream *stream)
{
	const struct tring_packet *packet = &stream->packet;
	size_t content = packet->content_size, end = packet->packet_size;

	return end - content >= PAD_END && packet->readable == content &&
	       packet->offset + end <= stream->next && stream->next < stream->size &&
	       !tring_is_zeroed(packet->data + content, end - content);
}

/* Return: true if it has found a usual record that is wanted. */
static bool skip_unwanted(struct tring_stream *stream, struct tring_record *record)
{
	struct tring_plain plain;

	while (tring_plain_find(&stream->cursor, ~stream->unwanted, &plain))
		stream->skipped++;
	return tring_stream_plain(stream, record);
}

/*
 * Read a record that need not be a usual one. Not inlined, because its registers
 * would be saved for each usual record.
 */
static __attribute__((noinline)) enum tring_reason
find_record(struct tring_stream *stream, struct tring_record *record)
{
	enum tring_reason reason;
	struct tring_plain plain;
	uint16_t id;

	if (stream->fetch)
		return stream->fetch(stream, record) ? TRING_OK : TRING_END;
	if (stream->in_packet && tring_plain_find_long(&stream->cursor, &plain, &id)) {
		tring_plain_fill(record, &plain, stream->cursor.packet);
		record->id = id;
		return TRING_OK;
	}
	if (stream->unwanted && stream->in_packet && skip_unwanted(stream, record))
		return TRING_OK;
	for (;;) {
		if (!stream->in_packet) {
			if (stream->next < stream->size)
				enter_packet(stream);
			else if (stream->past || !stream->more || !stream->more(stream))
				return TRING_END;
			continue;
		}
		reason = tring_record_next(&stream->cursor, record);
		if (reason == TRING_OK)
			return TRING_OK;
		if (reason == TRING_END) {
			if (has_more_content(stream))
				tring_stream_tell(stream, stream->resync,
						  TRING_PACKET_CONTENT_EARLY,
						  stream->next - stream->resync);
			leave_packet(stream);
			continue;
		}
		if (reason != TRING_RECORD_PID_UNKNOWN &&
		    tring_resync_records(stream, record, reason))
			continue;
		report_record(stream, record, reason);
		if (tring_reason_is_soft(reason))
			return TRING_OK;
		leave_packet(stream);
		stream->resync = stream->packet.offset +
				 TRING_PACKET_HEADER_SIZE;
	}
}

/**
 * tring_stream_next - get the stream's next record, discarded or not
 * @stream: the stream; @stream->lost_events and @stream->lost_packets count what
 *	is missing before the record
 * @record: the record; its payload points into the stream's data
 *
 * Bad input is passed to @stream->report and skipped. For any input the stream
 * ends after a finite number of calls.
 *
 * Return: TRING_OK or TRING_END.
 */
enum tring_reason tring_stream_next(struct tring_stream *stream,
				    struct tring_record *record)
{
	if (tring_stream_plain(stream, record))
		return TRING_OK;
	if (find_record(stream, record) == TRING_END)
		return TRING_END;
	stream->lost_events = stream->pending_events;
	stream->lost_packets = stream->pending_packets;
	stream->pending_events = 0;
	stream->pending_packets = 0;
	return TRING_OK;
}
