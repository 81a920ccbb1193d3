// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The kernel's symbols that a trace needs: a kernel has some 200,000, of which the
 * events of a trace print few.
 *
 * A symbol is needed if it contains an address that is the value of a field, in an
 * event that prints a symbol. The next symbol is needed, too, because it is the end
 * of the one before.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kept_symbols.h"
#include "kernel.h"
#include "packets.h"
#include "wire/wire.h"
#include "util/util.h"

static int compare(const void *a, const void *b)
{
	const struct tring_kept_symbol *first = a, *second = b;

	if (first->address != second->address)
		return first->address < second->address ? -1 : 1;
	return first->line < second->line ? -1 : 1;
}

/**
 * tring_kept_symbols_init - read the kernel's symbols
 * @symbols: filled in; free it with tring_kept_symbols_free()
 * @text: content of kallsyms, allocated; @symbols takes it over
 */
void tring_kept_symbols_init(struct tring_kept_symbols *symbols, char *text)
{
	size_t lines = 1;
	char *line, *rest;

	memset(symbols, 0, sizeof(*symbols));
	symbols->text = text;
	symbols->lowest = UINT64_MAX;
	for (line = text; (line = strchr(line, '\n')); line++)
		lines++;
	symbols->list = tring_allocate(lines * sizeof(*symbols->list));
	for (rest = text; (line = strsep(&rest, "\n")); ) {
		struct tring_kept_symbol *symbol = &symbols->list[symbols->count];
		char *type;

		symbol->address = strtoull(line, &type, 16);
		/* addresses that the kernel hides are 0 */
		if (*type != ' ' || !symbol->address)
			continue;
		symbol->line = line;
		symbols->count++;
		if (strchr("tTwW", type[1]) && symbol->address < symbols->lowest)
			symbols->lowest = symbol->address;
	}
	qsort(symbols->list, symbols->count, sizeof(*symbols->list), compare);
}

/**
 * tring_kept_symbols_free - free the symbols
 * @symbols: the symbols
 */
void tring_kept_symbols_free(struct tring_kept_symbols *symbols)
{
	free(symbols->text);
	free(symbols->list);
}

/* Keep all symbols that have the address of one. Return: index behind them. */
static size_t keep_address(struct tring_kept_symbols *symbols, size_t at)
{
	uint64_t address = at < symbols->count ? symbols->list[at].address : 0;

	while (at && symbols->list[at - 1].address == address)
		at--;
	for (; at < symbols->count && symbols->list[at].address == address; at++)
		symbols->list[at].kept = true;
	return at;
}

static void keep(struct tring_kept_symbols *symbols, uint64_t address)
{
	/* multiplying by the golden ratio spreads addresses that differ in few bits */
	uint64_t place = (address * 0x9e3779b97f4a7c15ull) >> 32;
	uint64_t *cached = &symbols->cached[place % TRING_KEPT_CACHED];
	size_t from = 0, to = symbols->count;

	if (address < symbols->lowest || *cached == address)
		return;
	*cached = address;
	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (symbols->list[middle].address <= address)
			from = middle + 1;
		else
			to = middle;
	}
	if (from)
		keep_address(symbols, keep_address(symbols, from - 1));
}

static void keep_values(struct tring_kept_symbols *symbols, const uint8_t *values,
			size_t size, bool big_endian)
{
	size_t at;

	for (at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t))
		keep(symbols, tring_load_u64(values + at, big_endian));
}

static void keep_field(struct tring_kept_symbols *symbols,
		       const struct tep_format_field *field,
		       const struct tring_record *record, bool big_endian)
{
	uint32_t offset = field->offset, size = field->size, place;

	if (offset + size > record->length)
		return;
	if (field->flags & TEP_FIELD_IS_DYNAMIC) {
		place = tring_load_u32(record->payload + offset, big_endian);
		offset = (place & 0xffff) +
			 (field->flags & TEP_FIELD_IS_RELATIVE ? offset + size : 0);
		size = place >> 16;
		if (offset < TRING_PAYLOAD_HEAD || offset + size > record->length)
			return;
	}
	keep_values(symbols, record->payload + offset, size, big_endian);
}

static void keep_event(struct tring_kept_symbols *symbols, const struct tring_event *event,
		       const struct tring_record *record, bool big_endian)
{
	const struct tep_format_field *field;

	/* the last field says another size */
	if (event->frames && event->frames <= record->length) {
		keep_values(symbols, record->payload + event->frames,
			    record->length - event->frames, big_endian);
		return;
	}
	for (field = event->parsed->format.fields; field; field = field->next)
		if (field->elementsize == sizeof(uint64_t) || field->size == sizeof(uint64_t))
			keep_field(symbols, field, record, big_endian);
}

/**
 * tring_kept_symbols_scan - keep the symbols that a stream needs
 * @symbols: the symbols
 * @path: file of the stream, which may be compressed; nothing is done if it does not exist
 * @events: the events
 * @short_ids: ftrace's ids by type, TRING_TYPES entries
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_kept_symbols_scan(struct tring_kept_symbols *symbols, const char *path,
			    const struct tring_events *events, const uint16_t *short_ids)
{
	bool *wanted = tring_allocate(TRING_EVENT_IDS * sizeof(*wanted));
	char *compressed = tring_format("%s" TRING_FRAMES_SUFFIX, path);
	struct tring_packet_file file = { .path = (char *)path, .compressed = compressed };
	struct tring_packets packets = { .files = &file, .count = 1 };
	struct tring_stream stream;
	struct tring_record record;
	int error = 0;
	size_t i;

	for (i = 0; i < events->count; i++)
		wanted[events->list[i]->parsed->id] = tring_event_shows_symbol(events->list[i]);
	if (tring_packet_file_exists(&file) && access(tring_packet_file_path(&file), R_OK)) {
		error = -errno;
		tring_error("%s: %s", tring_packet_file_path(&file), strerror(-error));
	}
	tring_packets_start(&packets, &stream);
	tring_stream_know_short_ids(&stream, short_ids);
	while (tring_stream_next(&stream, &record) == TRING_OK) {
		tring_packets_release(&packets, &stream);
		if (wanted[record.id])
			keep_event(symbols, tring_events_find(events, record.id), &record,
				   stream.packet.big_endian);
	}
	tring_packets_close(&packets);
	free(compressed);
	free(wanted);
	return error;
}

/**
 * tring_kept_symbols_text - get the symbols that are kept
 * @symbols: the symbols
 *
 * Return: lines as of kallsyms, to free(); NULL without memory.
 */
char *tring_kept_symbols_text(const struct tring_kept_symbols *symbols)
{
	char *text = NULL;
	size_t size = 0, i;
	FILE *file = open_memstream(&text, &size);

	for (i = 0; file && i < symbols->count; i++)
		if (symbols->list[i].kept)
			fprintf(file, "%s\n", symbols->list[i].line);
	if (file && fclose(file)) {
		free(text);
		text = NULL;
	}
	return text;
}
