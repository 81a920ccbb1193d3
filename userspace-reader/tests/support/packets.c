// SPDX-License-Identifier: GPL-2.0
/* Writes the packets of the reader's tests, and reads them. See helpers.h. */
#include "helpers.h"

/* Some events of each kind have short ids in the fixture. */
const uint16_t fixture_short_ids[TRING_TYPES] = {
	[1] = 5, [2] = 319, [3] = 342, [5] = 345, [28] = 344,
};

static const uint8_t fixture_lengths[TRING_TYPES] = {
	[1] = TRING_LENGTH_VARIES, [2] = 56, [3] = 8,
	[5] = TRING_LENGTH_VARIES, [28] = 4,
};

void build_init(struct builder *builder, bool big_endian, uint32_t cpu)
{
	memset(builder, 0, sizeof(*builder));
	builder->big_endian = big_endian;
	builder->cpu = cpu;
	memcpy(builder->short_ids, fixture_short_ids,
	       sizeof(builder->short_ids));
	memcpy(builder->lengths, fixture_lengths, sizeof(builder->lengths));
}

void build_begin(struct builder *builder, uint64_t stamp)
{
	uint8_t *header = builder->bytes + builder->size;
	bool big_endian = builder->big_endian;
	unsigned int i;

	builder->start = builder->size;
	builder->end = builder->start + TRING_PACKET_HEADER_SIZE;
	CHECK(builder->end < sizeof(builder->bytes));
	put_u32(header, TRING_PACKET_MAGIC, big_endian);
	for (i = 0; i < TRING_UUID_SIZE; i++)
		header[4 + i] = i;
	memcpy(header + HEADER_AT(lengths), builder->lengths,
	       sizeof(builder->lengths));
	header[HEADER_AT(version)] = 4;
	put_u64(header + HEADER_AT(timestamp_begin), stamp, big_endian);
	put_u64(header + HEADER_AT(packet_seq_num), builder->seq++, big_endian);
	put_u64(header + HEADER_AT(events_discarded), builder->discarded,
		big_endian);
	put_u64(header + HEADER_AT(cpu_id), builder->cpu, big_endian);
	builder->last = stamp;
	builder->know_pid = false;
}

static unsigned int choose_type(const struct builder *builder, uint16_t id,
				uint32_t length)
{
	unsigned int type;

	if (!id)
		return TRING_TYPE_DISCARDED;
	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++)
		if (builder->short_ids[type] == id &&
		    (builder->lengths[type] == length ||
		     builder->lengths[type] == TRING_LENGTH_VARIES))
			return type;
	return TRING_TYPE_LONG;
}

/* Writes what precedes the context: the word, the full timestamp, the id. */
static void put_start(const struct builder *builder, uint8_t *record,
		      unsigned int type, uint64_t stamp, uint16_t id)
{
	bool big_endian = builder->big_endian;

	put_u32(record, tring_header_pack(stamp, type, big_endian), big_endian);
	if (type == TRING_TYPE_EXTENDED)
		put_u64(record + TRING_WORD_SIZE, stamp, big_endian);
	if (type >= TRING_TYPE_LONG)
		put_u16(record + tring_context_offset(type) - TRING_ID_SIZE,
			id ? id + TRING_LONG_ID_BASE : TRING_TYPE_DISCARDED,
			big_endian);
}

static unsigned int put_context(const struct builder *builder, uint8_t *at,
				int32_t pid, bool knows_nothing)
{
	uint8_t context = tring_context_pack(builder->flags,
					     builder->preempt_count);

	if (tring_context_is_full(context)) {
		at[5] = builder->flags;
		at[6] = builder->preempt_count;
		knows_nothing = true;
	}
	if (knows_nothing || pid != builder->last_pid) {
		context |= TRING_CONTEXT_HAS_PID;
		put_u32(at + 1, pid, builder->big_endian);
	}
	*at = context;
	return tring_context_size(context);
}

static void put_length(const struct builder *builder, uint8_t *at,
		       unsigned int size, uint32_t length)
{
	if (size == TRING_SHORT_LENGTH_SIZE)
		put_u16(at, length, builder->big_endian);
	else if (size)
		put_u32(at, length, builder->big_endian);
}

/*
 * @length includes the 8 bytes before the fields, which the record does not
 * contain; the returned pointer points there. @id 0 builds a discarded record
 * that had a short id and a fixed length.
 */
uint8_t *build_record(struct builder *builder, uint64_t stamp, uint16_t id,
		      int32_t pid, uint32_t length)
{
	bool compact = tring_stamp_is_compact(stamp, builder->last,
					      TRING_STAMP_BITS);
	uint32_t fields = length - TRING_PAYLOAD_HEAD;
	unsigned int type = choose_type(builder, id, fields), size;
	uint8_t *record = builder->bytes + builder->end, *at;

	if (!compact)
		type = TRING_TYPE_EXTENDED;
	else if (!id)
		fields -= TRING_LONG_LENGTH_SIZE;
	CHECK(builder->end + TRING_RECORD_HEAD_MAX + fields <
	      sizeof(builder->bytes));
	/* as the ring has it */
	if (compact && builder->end == builder->start + TRING_PACKET_HEADER_SIZE)
		put_u64(builder->bytes + builder->start + HEADER_AT(timestamp_begin), stamp,
			builder->big_endian);
	put_start(builder, record, type, stamp, id);
	at = record + tring_context_offset(type);
	at += put_context(builder, at, pid, !compact || !builder->know_pid);
	size = tring_length_size(type, builder->lengths[type] ==
				 TRING_LENGTH_VARIES);
	put_length(builder, at, size, fields);
	at += size;
	builder->end = at - builder->bytes + fields;
	builder->last = stamp;
	builder->last_pid = pid;
	builder->know_pid = true;
	return at - TRING_PAYLOAD_HEAD;
}

/* Discards a record in place, as a writer does. */
void build_discard(const struct builder *builder, uint8_t *record,
		   uint32_t fields)
{
	bool big_endian = builder->big_endian;
	uint32_t word = tring_load_u32(record, big_endian);
	unsigned int type = tring_header_type(word, big_endian), size;
	uint8_t *at = record + tring_context_offset(type);

	at += tring_context_size(*at);
	size = tring_length_size(type, builder->lengths[type] ==
				 TRING_LENGTH_VARIES);
	if (type >= TRING_TYPE_LONG) {
		put_start(builder, record, type,
			  type == TRING_TYPE_EXTENDED ?
			  tring_load_u64(record + TRING_WORD_SIZE, big_endian) :
			  tring_header_stamp(word, big_endian), 0);
	} else {
		put_start(builder, record, TRING_TYPE_DISCARDED,
			  tring_header_stamp(word, big_endian), 0);
		fields += size - TRING_LONG_LENGTH_SIZE;
		put_u32(at, fields, big_endian);
	}
	if (fields)
		at[TRING_LONG_LENGTH_SIZE] = 0;
}

void build_end(struct builder *builder)
{
	uint8_t *header = builder->bytes + builder->start;
	size_t content = builder->end - builder->start;
	size_t packet = (content + 7) & ~(size_t)7;

	put_u64(header + HEADER_AT(timestamp_end), builder->last,
		builder->big_endian);
	put_u32(header + HEADER_AT(content_size), content * 8,
		builder->big_endian);
	put_u32(header + HEADER_AT(packet_size), packet * 8,
		builder->big_endian);
	builder->size = builder->start + packet;
}

/* Return: offset of a record in a packet of build_packet(). Only the first has a pid. */
size_t build_offset(unsigned int event)
{
	return TRING_PACKET_HEADER_SIZE + 13 * event +
	       (event ? TRING_PID_SIZE : 0);
}

void build_packet(struct builder *builder, uint64_t stamp, unsigned int events)
{
	unsigned int i;

	build_begin(builder, stamp);
	for (i = 0; i < events; i++)
		build_record(builder, stamp + i, 342, 100 + builder->cpu, 16);
	build_end(builder);
}

static void note(const struct tring_stream *stream, uint64_t offset,
		 enum tring_reason reason, uint64_t skipped)
{
	struct findings *findings = stream->private;

	CHECK(findings->count < COUNT(findings->reason));
	findings->reason[findings->count] = reason;
	findings->offset[findings->count] = offset;
	findings->skipped[findings->count++] = skipped;
}

void stream_with_findings(struct tring_stream *stream,
			  struct findings *findings, const void *data,
			  size_t size)
{
	memset(findings, 0, sizeof(*findings));
	tring_stream_init(stream, data, size);
	tring_stream_know_short_ids(stream, fixture_short_ids);
	stream->report = note;
	stream->private = findings;
}

/* Reads all of a stream. Return: its records. */
unsigned int count_records(struct tring_stream *stream, struct findings *findings,
			   const void *data, size_t size)
{
	struct tring_record record;
	unsigned int count = 0;

	stream_with_findings(stream, findings, data, size);
	while (tring_stream_next(stream, &record) == TRING_OK)
		count++;
	return count;
}

/* Writes the packets into a trace. */
void build_write(const struct builder *builder, const char *dir)
{
	write_file(make_path("%s/cpu%u", dir, builder->cpu), builder->bytes, builder->size);
}
