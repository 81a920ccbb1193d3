// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Events of a trace.dat, one after the other of each CPU. A damaged page ends those of its CPU,
 * which is told.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dat_records.h"
#include "trace/frames.h"

/* Return: the time of a page's first event; false if it is of no use as a page. */
static bool find_time(const struct tring_dat_position *position, size_t at, uint64_t *time)
{
	const struct tring_dat_file *file = &position->records->file;
	const struct tring_dat_cursor *pages = &position->pages;
	struct tring_dat_page page;

	if (!tring_dat_page_begin(&page, pages->data + at, file->buffer->page_size,
				  file->big_endian, file->long_size) || page.at == page.end)
		return false;
	*time = tring_dat_convert_time(&file->times, position->cpu->cpu, page.stamp);
	return true;
}

/* The last page that begins before the time may have events of it. */
static void seek(struct tring_dat_position *position, uint64_t from)
{
	uint64_t page_size = position->records->file.buffer->page_size, time;
	struct tring_dat_cursor *pages = &position->pages;
	size_t low = 0, high = (pages->size - pages->at) / page_size;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (find_time(position, pages->at + middle * page_size, &time) && time < from)
			low = middle;
		else
			high = middle;
	}
	pages->at += low * page_size;
}

/* Return: false if there are no more pages, or if @pages is bad then, which was reported. */
static bool find_pages(struct tring_stream *stream, struct tring_dat_position *position)
{
	const struct tring_dat_file *file = &position->records->file;
	const struct tring_dat_cpu *cpu = position->cpu;
	struct tring_dat_cursor *pages = &position->pages, chunk = {
		.path = stream->report ? file->path : NULL,
		.part = "a CPU's pages",
		.data = (const uint8_t *)file->input.data,
		/* a compressed CPU's size lacks the number of its chunks */
		.size = file->buffer->compressed ? file->input.size : cpu->offset + cpu->size,
		.at = position->chunk,
		.big_endian = file->big_endian,
	};
	uint64_t size;

	if (!pages->data)
		position->chunks = !cpu->size ? 0 :
				   file->buffer->compressed ? tring_dat_number(&chunk, 4) : 1;
	tring_dat_end(pages);
	*pages = chunk;
	if (!position->chunks)
		return false;
	position->chunks--;
	if (file->buffer->compressed) {
		size = tring_dat_number(&chunk, 4);
		/* the size when decompressed, and what is compressed */
		position->chunk = chunk.at + 4 + size;
		tring_dat_decompress(pages);
	}
	if (stream->from && !pages->bad)
		seek(position, stream->from);
	return !pages->bad;
}

static bool next_page(struct tring_stream *stream, struct tring_dat_position *position)
{
	const struct tring_dat_file *file = &position->records->file;
	struct tring_dat_cursor *pages = &position->pages;
	const struct tring_dat_cpu *cpu = position->cpu;
	size_t room = file->buffer->page_size;

	while (pages->at == pages->size)
		if (!find_pages(stream, position))
			return false;
	if (room > pages->size - pages->at)
		room = pages->size - pages->at;
	position->offset = pages->offset + pages->at;
	if (!tring_dat_page_begin(&position->page, pages->data + pages->at, room,
				  file->big_endian, file->long_size)) {
		pages->bad = true;
		if (stream->report)
			tring_error("%s: offset 0x%" PRIx64 ": a page of CPU %u is damaged; %"
				    PRIu64 " bytes are not read", file->path, position->offset,
				    cpu->cpu, cpu->offset + cpu->size - position->offset);
		return false;
	}
	pages->at += room;
	position->lost += position->page.lost;
	position->lost_packets += position->page.uncounted;
	return true;
}

static void add_loss(struct tring_stream *stream, struct tring_dat_position *position,
		     uint64_t time)
{
	if (time >= stream->from) {
		stream->pending_events += position->lost;
		stream->pending_packets += position->lost_packets;
	}
	position->lost = 0;
	position->lost_packets = 0;
}

static bool end(struct tring_stream *stream, struct tring_dat_position *position)
{
	position->ended = true;
	add_loss(stream, position, UINT64_MAX);
	stream->pending_events += position->cpu->last_loss;
	stream->pending_packets += position->pages.bad;
	stream->errors += position->pages.bad;
	return false;
}

static void fill(const struct tring_dat_page *page, uint64_t time, struct tring_record *record)
{
	const uint8_t *payload = page->payload;

	memset(record, 0, sizeof(*record));
	record->stamp = time;
	record->payload = payload;
	record->length = page->length;
	record->stored = payload + page->length - (page->data + page->start);
	record->id = tring_load_u16(payload, page->big_endian);
	record->flags = payload[2];
	record->preempt_count = payload[3];
	record->pid = tring_load_u32(payload + 4, page->big_endian);
}

/* Nothing behind sorts the events of a CPU, as those of a ring are in order. */
static void check_order(struct tring_stream *stream, struct tring_dat_position *position,
			uint64_t time)
{
	if (time < position->last && !position->unordered) {
		position->unordered = true;
		stream->errors++;
		if (stream->report)
			tring_error("%s: offset 0x%" PRIx64 ": an event of CPU %u is %" PRIu64
				    " ns before the event in front of it; %s",
				    position->records->file.path, stream->packet.offset,
				    position->cpu->cpu, position->last - time,
				    "the output is not ordered by time, and viewers may stop there");
	}
	position->last = time;
}

static bool fetch(struct tring_stream *stream, struct tring_record *record)
{
	struct tring_dat_position *position = stream->fetch_data;
	struct tring_dat_page *page = &position->page;

	while (!position->ended) {
		enum tring_dat_found found = tring_dat_page_next(page);
		uint64_t time;

		if (found == TRING_DAT_END) {
			if (!next_page(stream, position))
				return end(stream, position);
			continue;
		}
		time = tring_dat_convert_time(&position->records->file.times, position->cpu->cpu,
					      page->stamp);
		add_loss(stream, position, time);
		stream->packet.offset = position->offset + page->start;
		stream->packet.data = page->data + page->start;
		if (found == TRING_DAT_TORN || page->length < TRING_PAYLOAD_HEAD) {
			stream->errors++;
			if (stream->report)
				stream->report(stream, stream->packet.offset,
					       TRING_RECORD_FIELDS_TORN, 0);
			continue;
		}
		check_order(stream, position, time);
		if (time > stream->to) {
			stream->partial = true;
			position->ended = true;
			break;
		}
		fill(page, time, record);
		return true;
	}
	return false;
}

/**
 * tring_dat_records_start - go to the first event of a CPU
 * @records: the file
 * @pass: 0, or 1 for a stream beside it. A stream that was in the same place ends
 * @cpu: index of the CPU in the buffer
 * @stream: initialized, without packets
 */
void tring_dat_records_start(struct tring_dat_records *records, unsigned int pass, size_t cpu,
			     struct tring_stream *stream)
{
	const struct tring_dat_buffer *buffer = records->file.buffer;
	struct tring_dat_position *position;

	if (!records->positions[pass])
		records->positions[pass] = tring_allocate(buffer->count * sizeof(*position));
	position = &records->positions[pass][cpu];
	tring_dat_end(&position->pages);
	*position = (struct tring_dat_position) {
		.records = records,
		.cpu = &buffer->cpus[cpu],
		.chunk = buffer->cpus[cpu].offset,
	};
	/* the order of events of the same time */
	stream->packet.cpu_id = position->cpu->cpu;
	stream->fetch = fetch;
	stream->fetch_data = position;
}

/**
 * tring_dat_records_place - get a number for the place of a CPU's last event in the file
 * @stream: stream of the CPU
 *
 * Return: its offset, and for each byte of the file in front of a compressed chunk as many more as
 * the chunk has at most.
 */
uint64_t tring_dat_records_place(const struct tring_stream *stream)
{
	const struct tring_dat_position *position = stream->fetch_data;
	const uint64_t chunk = position->pages.offset;

	return chunk * TRING_FRAMES_RATIO + stream->packet.offset - chunk;
}

/**
 * tring_dat_records_copy - let a copy of a stream have a position of its own
 * @stream: copy of a stream of the first pass that is at its beginning
 */
void tring_dat_records_copy(struct tring_stream *stream)
{
	const struct tring_dat_position *position = stream->fetch_data;
	struct tring_dat_records *records = position->records;

	tring_dat_records_start(records, 1, position - records->positions[0], stream);
}

/**
 * tring_dat_records_close - close a trace.dat
 * @records: with the file, which was opened, or could not be
 */
void tring_dat_records_close(struct tring_dat_records *records)
{
	size_t pass, i;

	for (pass = 0; pass < TRING_DAT_PASSES; pass++) {
		for (i = 0; records->positions[pass] && i < records->file.buffer->count; i++)
			tring_dat_end(&records->positions[pass][i].pages);
		free(records->positions[pass]);
	}
	tring_dat_close(&records->file);
}
