// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Goes on inside of a damaged packet.
 *
 * What is damaged may be a record, or the header that tells how to read it. Each guess about the
 * header comes from the packets beside it, and is taken only if records prove it: see resync.c.
 * All this is done where damage was found, so a packet without damage costs nothing.
 */
#include "resync.h"

/* Number of records that may be tried in a packet, for each of its bytes. */
#define EFFORT		32

/* A place without headers is not searched for records beyond this: 16 of the largest packets. */
#define PLACE_MAX	(64 * 1024 * 1024)

/* Number of bits by which a uuid may differ if the line of memory that has it is not lost. */
#define UUID_BITS	8

static bool is_ours(const struct tring_stream *stream, const struct tring_packet *packet)
{
	if (stream->know_uuid && memcmp(packet->uuid, stream->uuid, sizeof(stream->uuid)))
		return false;
	if (stream->know_cpu && packet->cpu_id != stream->cpu)
		return false;
	return !stream->started || (packet->big_endian == stream->packet.big_endian &&
				    packet->cpu_id == stream->packet.cpu_id);
}

/* Return: true if there is a packet of the stream at @at, whose header is good. */
static bool peek(const struct tring_stream *stream, size_t at, struct tring_packet *packet)
{
	return at < stream->size &&
	       tring_reason_is_soft(tring_packet_parse(stream->data + at, stream->size - at,
						       packet)) &&
	       packet->timestamp_end >= packet->timestamp_begin &&
	       is_ours(stream, packet);
}

static struct tring_search search_in(struct tring_stream *stream,
				     const struct tring_packet *packet, size_t bad)
{
	return (struct tring_search) {
		.packet = packet, .from = stream->anchor, .bad = bad,
		.floor = stream->floor, .effort = &stream->effort,
	};
}

static bool fits(struct tring_stream *stream, const struct tring_packet *packet, size_t at,
		 uint64_t before)
{
	struct tring_search search = search_in(stream, packet, at);

	return tring_search_fits(&search, at, before);
}

/* Go on at the record that seemed to be wrong, as the header was. */
static void go_on(struct tring_stream *stream, const struct tring_packet *packet,
		  const struct tring_cursor *before, enum tring_reason reason)
{
	stream->packet = *packet;
	stream->cursor = *before;
	stream->anchor = *before;
	tring_stream_tell(stream, packet->offset + before->position, reason, 0);
}

/* A type has the same length in all packets of a trace, or 0 where no record has it. */
static void add_lengths(uint8_t *lengths, const uint8_t *more)
{
	unsigned int type;

	for (type = 0; type < TRING_TYPES; type++)
		if (!lengths[type])
			lengths[type] = more[type];
}

static void find_lengths(struct tring_stream *stream, uint8_t *lengths)
{
	struct tring_packet next;

	memcpy(lengths, stream->lengths, TRING_TYPES);
	if (peek(stream, stream->next, &next))
		add_lengths(lengths, next.lengths);
}

static bool mend_type(struct tring_stream *stream, const struct tring_cursor *before,
		      enum tring_reason reason)
{
	struct tring_packet guess = stream->packet;
	uint8_t lengths[TRING_TYPES];

	if (reason != TRING_RECORD_TYPE_UNUSED)
		return false;
	find_lengths(stream, lengths);
	add_lengths(guess.lengths, lengths);
	if (!memcmp(guess.lengths, stream->packet.lengths, sizeof(guess.lengths)) ||
	    !fits(stream, &guess, before->position, before->stamp))
		return false;
	go_on(stream, &guess, before, reason);
	return true;
}

/* Return: the packet as it is if content_size is too small. */
static bool extend(const struct tring_stream *stream, struct tring_packet *packet)
{
	size_t content = packet->content_size, end = packet->packet_size;

	if (end - content < TRING_PAD_END || packet->readable < content ||
	    end > stream->size - packet->offset || packet->offset + end > stream->next ||
	    tring_is_zeroed(packet->data + content, end - content))
		return false;
	packet->readable = end;
	packet->content_size = end;
	return true;
}

static bool mend_size(struct tring_stream *stream, const struct tring_cursor *before,
		      enum tring_reason reason)
{
	struct tring_packet guess = stream->packet;

	if (!extend(stream, &guess) || !fits(stream, &guess, before->position, before->stamp))
		return false;
	stream->padded = true;
	go_on(stream, &guess, before, reason);
	return true;
}

static bool is_stamp(enum tring_reason reason)
{
	return reason == TRING_RECORD_STAMP_BACKWARDS || reason == TRING_RECORD_STAMP_LATE;
}

static bool mend_time(struct tring_stream *stream, const struct tring_cursor *before,
		      enum tring_reason reason)
{
	struct tring_packet guess = stream->packet, next;

	if (reason != TRING_RECORD_STAMP_LATE)
		return false;
	guess.timestamp_end = peek(stream, stream->next, &next) ? next.timestamp_begin :
								  UINT64_MAX;
	if (!fits(stream, &guess, before->position, before->stamp))
		return false;
	stream->stamp_reported = true;
	go_on(stream, &guess, before, reason);
	return true;
}

/*
 * Only the time of the bad record is wrong if the next one begins where it ends: then its pid is
 * right. Nothing is known of the pid behind other damage.
 */
static void keep_pid(const struct tring_stream *stream, const struct tring_cursor *before,
		     enum tring_reason reason, struct tring_cursor *cursor)
{
	if (cursor->position == before->position)
		cursor->pid = before->pid;
	else if (is_stamp(reason) && cursor->position == stream->cursor.position)
		cursor->pid = stream->cursor.pid;
}

/* Return: true in the ring's padding, where the end of the content is not known exactly. */
static bool skip_padding(struct tring_stream *stream, size_t at)
{
	const struct tring_packet *packet = &stream->packet;
	size_t left = packet->readable - at;

	if (!stream->padded || left >= TRING_PAD_END || !tring_is_zeroed(packet->data + at, left))
		return false;
	stream->cursor.position = packet->readable;
	return true;
}

/**
 * tring_mend_records - go on behind a record that cannot be right
 * @stream: the stream, in a packet
 * @record: the record
 * @reason: what is wrong with it
 *
 * Return: true if the stream goes on in the packet, which was reported; false if nothing was
 * done.
 */
bool tring_mend_records(struct tring_stream *stream, const struct tring_record *record,
			enum tring_reason reason)
{
	const struct tring_packet *packet = &stream->packet;
	struct tring_search search = search_in(stream, packet, record->offset);
	struct tring_cursor cursor, before = stream->anchor;
	struct tring_record past;
	size_t skipped;
	bool unsure;

	if (skip_padding(stream, record->offset))
		return true;
	/* a time that could not be mended once is wrong in all the records behind it */
	if (is_stamp(reason) && stream->stamp_reported)
		return false;
	while (before.position < record->offset &&
	       tring_reason_is_soft(tring_record_next(&before, &past)))
		;
	if (mend_type(stream, &before, reason) || mend_size(stream, &before, reason))
		return true;
	if (!tring_search_records(&search, &cursor, &unsure))
		return mend_time(stream, &before, reason);
	keep_pid(stream, &before, reason, &cursor);
	skipped = cursor.position > record->offset ? cursor.position - record->offset : 0;
	stream->cursor = cursor;
	stream->anchor = cursor;
	tring_stream_tell(stream, packet->offset + record->offset, reason, skipped);
	if (unsure)
		tring_stream_tell(stream, packet->offset + cursor.position,
				  TRING_RECORD_STAMP_UNSURE, 0);
	return true;
}

/**
 * tring_mend_end - go on behind a content_size that is too small
 * @stream: the stream, at the end of a packet
 *
 * Return: true if the stream goes on in the packet.
 */
bool tring_mend_end(struct tring_stream *stream)
{
	const struct tring_cursor before = stream->cursor;

	return mend_size(stream, &before, TRING_PACKET_CONTENT_EARLY);
}

/* Return: offset up to which the packet can be read. */
static size_t read_through(const struct tring_packet *packet, uint64_t *stamp)
{
	struct tring_cursor cursor;
	struct tring_record record;

	tring_cursor_init(&cursor, packet);
	while (tring_record_next(&cursor, &record) == TRING_OK)
		;
	*stamp = cursor.stamp;
	return cursor.position;
}

static void mend_lengths(struct tring_stream *stream, struct tring_packet *packet)
{
	struct tring_packet guess = *packet;
	unsigned int type, other = 0;
	uint64_t stamp;

	for (type = 0; type < TRING_TYPES; type++)
		other |= packet->lengths[type] && stream->lengths[type] ?
			 packet->lengths[type] ^ stream->lengths[type] : 0;
	if (!other)
		return;
	for (type = 0; type < TRING_TYPES; type++)
		if (guess.lengths[type] && stream->lengths[type])
			guess.lengths[type] = stream->lengths[type];
	if (read_through(&guess, &stamp) <= read_through(packet, &stamp))
		return;
	tring_stream_tell(stream, packet->offset, TRING_PACKET_LENGTHS, 0);
	memcpy(packet->lengths, guess.lengths, sizeof(guess.lengths));
}

/* @low, @high: what lies around the packet */
static void mend_times(struct tring_packet *packet, uint64_t low, uint64_t high)
{
	uint64_t begin = packet->timestamp_begin, end = packet->timestamp_end;
	const uint64_t mask = tring_stamp_mask(TRING_STAMP_BITS);

	if (end < low || end > high || !end)
		end = high;
	if (begin < low || begin > end || !begin)
		begin = low || end < mask ? low : end - mask;
	packet->timestamp_begin = begin;
	packet->timestamp_end = end;
}

/* If timestamp_begin is too early, records do not lead from there to timestamp_end. */
static void mend_begin(const struct tring_stream *stream, struct tring_packet *packet)
{
	uint64_t stamp;

	if (packet->timestamp_begin >= stream->floor || packet->timestamp_end < stream->floor)
		return;
	read_through(packet, &stamp);
	if (stamp != packet->timestamp_end)
		packet->timestamp_begin = stream->floor;
}

/**
 * tring_mend_packet - replace what cannot be right in a header
 * @stream: the stream, before it enters a packet
 * @packet: the packet
 * @end: offset of the next packet
 *
 * Its counts are another matter: see tring_mend_counts().
 */
void tring_mend_packet(struct tring_stream *stream, struct tring_packet *packet, size_t end)
{
	const uint64_t mask = tring_stamp_mask(TRING_STAMP_BITS);
	struct tring_packet next;

	if (packet->timestamp_end < packet->timestamp_begin && stream->started &&
	    peek(stream, end, &next))
		mend_times(packet, stream->floor, next.timestamp_begin);
	if (stream->started)
		mend_begin(stream, packet);
	else
		stream->floor = packet->timestamp_end < mask ? 0 : packet->timestamp_end - mask;
	mend_lengths(stream, packet);
	stream->effort = EFFORT * packet->readable;
}

/**
 * tring_mend_counts - replace a number that does not lie between the neighbours'
 * @stream: the stream, before it enters a packet
 * @packet: the packet, whose packet_seq_num or events_discarded tells of a loss
 * @end: offset of the next packet
 */
void tring_mend_counts(struct tring_stream *stream, struct tring_packet *packet, size_t end)
{
	struct tring_packet next;

	if (!peek(stream, end, &next))
		return;
	if (stream->started && packet->seq_num != stream->packet.seq_num + 1 &&
	    next.seq_num == stream->packet.seq_num + 2) {
		packet->seq_num = stream->packet.seq_num + 1;
		tring_stream_tell(stream, packet->offset, TRING_STREAM_SEQUENCE, 0);
	}
	if (stream->know_discarded && next.discarded >= stream->seen_discarded &&
	    (packet->discarded < stream->seen_discarded || packet->discarded > next.discarded)) {
		packet->discarded = stream->seen_discarded;
		tring_stream_tell(stream, packet->offset, TRING_STREAM_DISCARDED, 0);
	}
}

/**
 * tring_mend_learn - keep what a packet without damage tells of the others
 * @stream: the stream, at the end of the packet
 */
void tring_mend_learn(struct tring_stream *stream)
{
	add_lengths(stream->lengths, stream->packet.lengths);
}

static bool is_similar(const uint8_t *a, const uint8_t *b)
{
	unsigned int i, bits = 0;

	for (i = 0; i < TRING_UUID_SIZE; i++)
		bits += __builtin_popcount(a[i] ^ b[i]);
	return bits <= UUID_BITS;
}

/*
 * A header that seems to be of another packet must have the times and the number of the missing
 * one.
 * @next: NULL at the end of the stream
 */
static bool is_between(const struct tring_stream *stream, const struct tring_packet *packet,
		       const struct tring_packet *next)
{
	uint64_t number = stream->started ? stream->packet.seq_num + 1 : packet->seq_num;

	if (packet->timestamp_begin < stream->floor ||
	    packet->timestamp_end < packet->timestamp_begin)
		return false;
	if (!next)
		return stream->started && packet->seq_num == number;
	return next->seq_num == number + 1 && packet->timestamp_end <= next->timestamp_begin;
}

static void mend_sizes(struct tring_packet *packet, size_t size)
{
	uint32_t content = packet->content_size / 8;

	if (packet->content_size % 8 || content <= TRING_PACKET_HEADER_SIZE || content > size ||
	    !tring_is_zeroed(packet->data + content, size - content))
		content = size;
	packet->content_size = content;
	packet->packet_size = size;
	packet->readable = content;
}

/* @next: NULL at the end of the stream, which has begun then */
static void guess_counts(const struct tring_stream *stream, struct tring_packet *packet,
			 const struct tring_packet *next)
{
	uint64_t first = stream->started ? stream->packet.seq_num + 1 : next->seq_num - 1;

	if (!next || packet->seq_num - first >= next->seq_num - first)
		packet->seq_num = first;
	if (!stream->know_discarded)
		packet->discarded = next->discarded;
	else if (packet->discarded < stream->seen_discarded || !next ||
		 packet->discarded > next->discarded)
		packet->discarded = stream->seen_discarded;
}

/* A block of memory that has lost the uuid has lost the lengths behind it, too. */
static void guess_lengths(const struct tring_stream *stream, struct tring_packet *guess,
			  const struct tring_packet *beside)
{
	uint8_t lengths[TRING_TYPES];

	memcpy(lengths, stream->lengths, sizeof(lengths));
	add_lengths(lengths, beside->lengths);
	if (is_similar(guess->uuid, beside->uuid))
		add_lengths(lengths, guess->lengths);
	memcpy(guess->lengths, lengths, sizeof(lengths));
}

/* The first record's time is timestamp_begin, as a rule. */
static bool is_first_time(const struct tring_packet *packet)
{
	uint32_t word = tring_load_u32(packet->data + TRING_PACKET_HEADER_SIZE,
				       packet->big_endian);

	return (packet->timestamp_begin & tring_stamp_mask(TRING_STAMP_BITS)) ==
	       tring_header_stamp(word, packet->big_endian);
}

/* Return: true if records prove that there is a packet; then @cursor is at the first of them. */
static bool prove(struct tring_stream *stream, const struct tring_packet *guess,
		  struct tring_cursor *cursor, bool *unsure)
{
	struct tring_search search = search_in(stream, guess, TRING_PACKET_HEADER_SIZE);

	stream->effort = EFFORT * guess->readable;
	tring_cursor_init(cursor, guess);
	search.from = *cursor;
	if (!stream->started)
		search.floor = guess->timestamp_begin;
	return tring_search_fits(&search, cursor->position, cursor->stamp) ||
	       tring_search_records(&search, cursor, unsure);
}

/**
 * tring_mend_header - read a packet whose header is damaged
 * @stream: the stream, where a packet begins
 * @packet: the header as far as it can be read; filled in from the packets beside it
 * @end: offset of the next packet, or of the end of the stream
 * @reason: why the header is refused
 * @cursor: filled in: the first record that proves it
 *
 * Return: true if records prove that there is a packet, which was reported.
 */
bool tring_mend_header(struct tring_stream *stream, struct tring_packet *packet, size_t end,
		       enum tring_reason reason, struct tring_cursor *cursor)
{
	const uint64_t mask = tring_stamp_mask(TRING_STAMP_BITS);
	bool foreign = reason == TRING_STREAM_UUID || reason == TRING_STREAM_CPU, unsure = false;
	size_t size = end - packet->offset;
	struct tring_packet guess = *packet, next;
	bool followed = peek(stream, end, &next);
	/* a writer was in the packet when the memory was saved */
	bool open = reason == TRING_PACKET_UNFINISHED && !followed;
	bool stale = reason == TRING_STREAM_OVERLAP;
	uint64_t high = followed ? next.timestamp_begin : UINT64_MAX;
	uint64_t low = stream->started && stream->packet.timestamp_end <= high ?
		       stream->packet.timestamp_end : stream->floor;
	const struct tring_packet *beside = stream->started ? &stream->packet : &next;

	if (size <= TRING_PACKET_HEADER_SIZE + TRING_WORD_SIZE || size > PLACE_MAX || open ||
	    tring_is_zeroed(packet->data, size) ||
	    !(stream->started || followed) ||
	    (foreign && !is_between(stream, &guess, followed ? &next : NULL)) ||
	    (stale && !(followed && next.seq_num == stream->packet.seq_num + 2)))
		return false;
	if (!foreign) {
		guess.big_endian = beside->big_endian;
		tring_packet_load(guess.data, &guess);
		mend_sizes(&guess, size);
		if (!followed && !is_first_time(&guess)) {
			guess.timestamp_begin = 0;
			guess.timestamp_end = 0;
		}
		mend_times(&guess, low, high);
	}
	guess_counts(stream, &guess, followed ? &next : NULL);
	guess_lengths(stream, &guess, beside);
	memcpy(guess.uuid, beside->uuid, sizeof(guess.uuid));
	guess.cpu_id = beside->cpu_id;
	if (!prove(stream, &guess, cursor, &unsure))
		return false;
	unsure |= guess.timestamp_begin != packet->timestamp_begin &&
		  guess.timestamp_end - guess.timestamp_begin > mask;
	*packet = guess;
	tring_stream_tell(stream, packet->offset, reason,
			  cursor->position > TRING_PACKET_HEADER_SIZE ? cursor->position : 0);
	if (unsure)
		tring_stream_tell(stream, packet->offset + cursor->position,
				  TRING_RECORD_STAMP_UNSURE, 0);
	return true;
}
