// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The kernel's symbols that a trace needs: a kernel has some 200,000, of which the
 * events of a trace print few.
 *
 * A symbol is needed if it contains an address that is the value of a field, in an
 * event that prints a symbol. The next symbol is needed, too, because it is the end
 * of the one before.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/check.h"
#include "event/fields.h"
#include "kept_symbols.h"
#include "kernel.h"
#include "packets.h"
#include "wire/wire.h"
#include "util/util.h"

/* Keep all symbols that have the address of one. Return: index behind them. */
static size_t keep_address(struct tring_symbols *symbols, size_t at)
{
	uint64_t address = at < symbols->count ? symbols->list[at].address : 0;

	while (at && symbols->list[at - 1].address == address)
		at--;
	for (; at < symbols->count && symbols->list[at].address == address; at++)
		symbols->list[at].kept = true;
	return at;
}

static void keep(struct tring_symbols *symbols, uint64_t address)
{
	struct tring_symbol *symbol = tring_symbols_find(symbols, address);

	if (symbol->name && !symbol->kept)
		keep_address(symbols, keep_address(symbols, symbol - symbols->list));
}

static void keep_event(const struct tring_events *events, const struct tring_record *record,
		       bool big_endian)
{
	const struct tring_event *event = tring_events_find(events, record->id);
	size_t i, at;

	if (tring_check_record(event, record))
		return;
	for (i = 0; i < event->field_count; i++) {
		const struct tring_field *field = &event->fields[i];
		const uint8_t *values;
		size_t size;

		if (field->element != sizeof(uint64_t))
			continue;
		values = tring_field_data(field, record, big_endian, &size);
		for (at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t))
			keep(events->symbols, tring_load_u64(values + at, big_endian));
	}
}

/**
 * tring_kept_symbols_scan - keep the symbols that a stream needs
 * @events: the events, with the kernel's symbols
 * @path: file of the stream, which may be compressed; nothing is done if it cannot be read
 * @short_ids: ftrace's ids by type, TRING_TYPES entries
 */
void tring_kept_symbols_scan(const struct tring_events *events, const char *path,
			     const uint16_t *short_ids)
{
	bool *wanted = tring_allocate(TRING_EVENT_IDS * sizeof(*wanted));
	struct tring_packet_file file = { .path = (char *)path };
	struct tring_packets packets = { .files = &file, .count = 1 };
	struct tring_stream stream;
	struct tring_record record;
	size_t i;

	for (i = 0; i < events->count; i++)
		wanted[events->list[i]->parsed->id] = tring_event_shows_symbol(events->list[i]);
	tring_packets_start(&packets, &stream);
	tring_stream_know_short_ids(&stream, short_ids);
	while (tring_stream_next(&stream, &record) == TRING_OK) {
		tring_packets_release(&packets, &stream);
		if (wanted[record.id])
			keep_event(events, &record, stream.packet.big_endian);
	}
	tring_packets_close(&packets);
	free(wanted);
}

/**
 * tring_kept_symbols_text - get the symbols that are kept
 * @symbols: the symbols
 *
 * Return: lines as of kallsyms, to free(); NULL without memory.
 */
char *tring_kept_symbols_text(const struct tring_symbols *symbols)
{
	char *text = NULL;
	size_t size = 0, i;
	FILE *file = open_memstream(&text, &size);

	for (i = 0; file && i < symbols->count; i++) {
		const struct tring_symbol *symbol = &symbols->list[i];
		const char *module = symbol->module;

		/* the type stands in front of the name */
		if (symbol->kept)
			fprintf(file, "%016" PRIx64 " %.2s%s%s%s%s\n", symbol->address,
				symbol->name - 2, symbol->name, module ? "\t[" : "",
				module ? module : "", module ? "]" : "");
	}
	if (file && fclose(file)) {
		free(text);
		text = NULL;
	}
	return text;
}
