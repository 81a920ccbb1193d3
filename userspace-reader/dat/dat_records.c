// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events of a trace.dat, read by libtracecmd: one after the other of each CPU.
 *
 * libtracecmd has one position for each CPU in a handle. So there are two handles, for what is
 * read twice; the second one is opened when it is needed, because it parses all formats again.
 * It stops without a word where a page is damaged, which is told here by what is left.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dat_records.h"
#include "tracecmd.h"

/*
 * Return: true if there are pages with events behind those that were read; @offset is set to
 * that of the first one in the file. What is compressed cannot be seen here.
 */
static bool find_unread(const struct tring_dat_position *position, uint64_t *offset)
{
	const struct tring_dat_file *file = &position->pass->records->file;
	uint64_t page_size = file->buffer->page_size;
	const struct tring_dat_cpu *cpu = position->cpu;
	uint64_t end = cpu->offset + cpu->size;
	const uint8_t *data = file->input.data;

	if (strcmp(file->compression, "none"))
		return false;
	for (*offset = position->begun ? position->page + page_size : cpu->offset;
	     *offset < end; *offset += page_size)
		if (end - *offset < page_size || tring_dat_commit(file, data + *offset))
			return true;
	return false;
}

static bool end(struct tring_stream *stream, struct tring_dat_position *position)
{
	const struct tring_dat_cpu *cpu = position->cpu;
	uint64_t offset;

	position->ended = true;
	stream->pending_events += cpu->last_loss;
	if (!find_unread(position, &offset))
		return false;
	stream->pending_packets++;
	stream->errors++;
	if (stream->report)
		tring_error("%s: offset 0x%" PRIx64 ": a page of CPU %u is damaged; %" PRIu64
			    " bytes are not read", position->pass->records->file.path, offset,
			    cpu->cpu, cpu->offset + cpu->size - offset);
	return false;
}

/* A number below 0: the page had no room for how many there were. */
static void add_loss(struct tring_stream *stream, const struct tep_record *got)
{
	if (got->ts < stream->from)
		return;
	if (got->missed_events > 0)
		stream->pending_events += got->missed_events;
	else if (got->missed_events)
		stream->pending_packets++;
}

static void fill(const struct tring_dat_position *position, struct tring_record *record)
{
	bool big_endian = position->pass->records->file.big_endian;
	const struct tep_record *got = position->record;
	const uint8_t *payload = got->data;

	memset(record, 0, sizeof(*record));
	record->stamp = got->ts;
	record->payload = payload;
	record->length = got->size;
	record->id = tring_load_u16(payload, big_endian);
	record->flags = payload[2];
	record->preempt_count = payload[3];
	record->pid = tring_load_u32(payload + 4, big_endian);
}

static bool read_next(struct tring_dat_position *position)
{
	const struct tring_tracecmd *tracecmd = tring_tracecmd();
	struct tracecmd_input *handle = position->pass->buffer;
	int cpu = position->cpu->cpu;

	tring_tracecmd_enter(position->pass->records->file.path, false);
	if (position->record)
		tracecmd->free(position->record);
	position->record = position->begun ? tracecmd->read(handle, cpu) :
					     tracecmd->read_first(handle, cpu);
	tring_tracecmd_leave();
	return position->record;
}

/* Return: true if the event lies in its page as a whole. */
static bool take_place(struct tring_stream *stream, struct tring_dat_position *position)
{
	uint64_t page_size = position->pass->records->file.buffer->page_size;
	const struct tep_record *got = position->record;
	uint64_t within = got->offset & (page_size - 1);

	position->begun = true;
	position->page = got->offset - within;
	stream->packet.offset = got->offset;
	stream->packet.data = (const uint8_t *)got->data - (got->record_size - got->size);
	return got->size >= TRING_PAYLOAD_HEAD && within + got->size <= page_size;
}

/* Nothing behind sorts the events of a CPU, as those of a ring are in order. */
static void check_order(struct tring_stream *stream, struct tring_dat_position *position)
{
	uint64_t ts = position->record->ts;

	if (ts < position->last && !position->unordered) {
		position->unordered = true;
		stream->errors++;
		if (stream->report)
			tring_error("%s: offset 0x%" PRIx64 ": an event of CPU %u is %" PRIu64
				    " ns before the event in front of it; %s",
				    position->pass->records->file.path, stream->packet.offset,
				    position->cpu->cpu, position->last - ts,
				    "the output is not ordered by time, and viewers may stop there");
	}
	position->last = ts;
}

static bool fetch(struct tring_stream *stream, struct tring_record *record)
{
	struct tring_dat_position *position = stream->fetch_data;

	while (!position->ended) {
		if (!read_next(position))
			return end(stream, position);
		add_loss(stream, position->record);
		if (!take_place(stream, position)) {
			stream->errors++;
			if (stream->report)
				stream->report(stream, stream->packet.offset,
					       TRING_RECORD_FIELDS_TORN, 0);
			continue;
		}
		check_order(stream, position);
		if (position->record->ts > stream->to) {
			stream->partial = true;
			position->ended = true;
			break;
		}
		fill(position, record);
		return true;
	}
	return false;
}

/* Return: the handle of the instance; NULL without one. */
static struct tracecmd_input *find_instance(struct tracecmd_input *file, const char *name)
{
	const struct tring_tracecmd *tracecmd = tring_tracecmd();
	int i;

	for (i = 0; i < tracecmd->instances(file); i++)
		if (!strcmp(tracecmd->instance_name(file, i), name))
			return tracecmd->instance(file, i);
	return NULL;
}

static void open_handles(const struct tring_dat_file *file, struct tring_dat_pass *pass)
{
	const struct tring_tracecmd *tracecmd = tring_tracecmd();

	tring_tracecmd_enter(file->path, true);
	/* what an instance needs not, may be damaged */
	pass->file = file->instance ? tracecmd->open_head(file->path, TRACECMD_FL_LOAD_NO_PLUGINS) :
				      tracecmd->open(file->path, TRACECMD_FL_LOAD_NO_PLUGINS);
	pass->buffer = pass->file;
	if (pass->file && file->instance)
		pass->buffer = find_instance(pass->file, file->instance);
	tring_tracecmd_leave();
}

static int open_pass(struct tring_dat_records *records, struct tring_dat_pass *pass)
{
	const struct tring_tracecmd *tracecmd = tring_tracecmd();
	const struct tring_dat_file *file = &records->file;

	if (pass->buffer)
		return 0;
	if (!tracecmd)
		return -ENOENT;
	open_handles(file, pass);
	if (!pass->buffer) {
		tring_error("%s: libtracecmd cannot read it", file->path);
		return -EINVAL;
	}
	pass->records = records;
	pass->positions = tring_allocate(file->buffer->count * sizeof(*pass->positions));
	return 0;
}

/**
 * tring_dat_records_open - let libtracecmd open a trace.dat
 * @records: with the file, which was opened
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_dat_records_open(struct tring_dat_records *records)
{
	return open_pass(records, &records->passes[0]);
}

/**
 * tring_dat_records_start - go to the first event of a CPU
 * @records: the file
 * @pass: 0, or 1 for a stream beside it. A stream that was in the same place ends
 * @cpu: index of the CPU in the buffer
 * @stream: initialized, without packets
 *
 * Return: 0 or a negative errno, reported on stderr; the stream has no events then.
 */
int tring_dat_records_start(struct tring_dat_records *records, unsigned int pass, size_t cpu,
			    struct tring_stream *stream)
{
	struct tring_dat_position *position;
	int error = open_pass(records, &records->passes[pass]);

	if (error)
		return error;
	position = &records->passes[pass].positions[cpu];
	if (position->record)
		tring_tracecmd()->free(position->record);
	*position = (struct tring_dat_position) {
		.pass = &records->passes[pass],
		.cpu = &records->file.buffer->cpus[cpu],
	};
	/* the order of events of the same time */
	stream->packet.cpu_id = position->cpu->cpu;
	stream->fetch = fetch;
	stream->fetch_data = position;
	return 0;
}

/**
 * tring_dat_records_copy - let a copy of a stream have a position of its own
 * @stream: copy of a stream of the first pass that is at its beginning. After an error, which
 *	is reported on stderr, it has no events
 */
void tring_dat_records_copy(struct tring_stream *stream)
{
	const struct tring_dat_position *position = stream->fetch_data;
	struct tring_dat_pass *pass = position->pass;

	stream->fetch = NULL;
	tring_dat_records_start(pass->records, 1, position - pass->positions, stream);
}

static void close_pass(struct tring_dat_pass *pass, size_t count)
{
	const struct tring_tracecmd *tracecmd;
	size_t i;

	if (!pass->file)
		return;
	tracecmd = tring_tracecmd();
	for (i = 0; pass->positions && i < count; i++)
		if (pass->positions[i].record)
			tracecmd->free(pass->positions[i].record);
	free(pass->positions);
	if (pass->buffer && pass->buffer != pass->file)
		tracecmd->close(pass->buffer);
	tracecmd->close(pass->file);
}

/**
 * tring_dat_records_close - close a trace.dat
 * @records: from tring_dat_records_open()
 */
void tring_dat_records_close(struct tring_dat_records *records)
{
	size_t i;

	for (i = 0; i < TRING_DAT_PASSES; i++)
		close_pass(&records->passes[i],
			   records->file.buffer ? records->file.buffer->count : 0);
	tring_dat_close(&records->file);
}
