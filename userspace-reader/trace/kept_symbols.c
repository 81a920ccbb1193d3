// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Names of the addresses that a trace prints. A kernel has some 200,000 symbols, of which the
 * events of a trace print few, so the kernel is asked for those.
 *
 * An address is asked for if it is the value of a field, in an event that prints a symbol.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/check.h"
#include "event/fields.h"
#include "kept_symbols.h"
#include "kernel.h"
#include "packets.h"
#include "wire/wire.h"
#include "util/util.h"

/* The longest name of a kernel has 512 bytes, that of a module 64. */
#define ANSWER_MAX	1024

static int compare(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return (first > second) - (first < second);
}

static void sort(struct tring_addresses *addresses)
{
	size_t count = 0, i;

	if (addresses->count)
		qsort(addresses->list, addresses->count, sizeof(*addresses->list), compare);
	for (i = 0; i < addresses->count; i++)
		if (!count || addresses->list[i] != addresses->list[count - 1])
			addresses->list[count++] = addresses->list[i];
	addresses->count = count;
}

/* Most are met many times. Those that are not found among the recent ones are taken out later. */
static void add(struct tring_addresses *addresses, uint64_t address)
{
	/* multiplying by the golden ratio spreads addresses that differ in few bits */
	uint64_t place = (address * 0x9e3779b97f4a7c15ull) >> 32;
	uint64_t *recent = &addresses->recent[place % TRING_ADDRESSES_RECENT];

	if (*recent == address)
		return;
	*recent = address;
	addresses->list = tring_one_more(addresses->list, addresses->count,
					 sizeof(*addresses->list));
	addresses->list[addresses->count++] = address;
	if (addresses->count < TRING_ADDRESSES_RECENT || addresses->count < 2 * addresses->sorted)
		return;
	sort(addresses);
	addresses->sorted = addresses->count;
}

static void add_event(struct tring_addresses *addresses, const struct tring_event *event,
		      const struct tring_record *record, bool big_endian)
{
	size_t i, at;

	if (tring_check_record(event, record))
		return;
	for (i = 0; i < event->field_count; i++) {
		const struct tring_field *field = &event->fields[i];
		const uint8_t *values;
		size_t size;

		if (field->element != sizeof(uint64_t))
			continue;
		if (field->kind == TRING_FIELD_NUMBER) {
			add(addresses, tring_field_load(field, record->payload, big_endian));
			continue;
		}
		values = tring_field_data(field, record, big_endian, &size);
		for (at = 0; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t))
			add(addresses, tring_load_u64(values + at, big_endian));
	}
}

/**
 * tring_kept_symbols_scan - find the addresses that a stream prints
 * @addresses: gets them
 * @events: the events
 * @path: file of the stream, which may be compressed; nothing is done if it cannot be read
 * @short_ids: ftrace's ids by type, TRING_TYPES entries
 */
void tring_kept_symbols_scan(struct tring_addresses *addresses, const struct tring_events *events,
			     const char *path, const uint16_t *short_ids)
{
	bool *wanted = tring_allocate(TRING_EVENT_IDS * sizeof(*wanted));
	struct tring_packet_file file = { .path = (char *)path };
	struct tring_packets packets = { .files = &file, .count = 1 };
	struct tring_stream stream;
	struct tring_record record;
	unsigned int type;
	size_t i;

	for (i = 0; i < events->count; i++)
		wanted[events->list[i]->id] = tring_event_shows_symbol(events->list[i]);
	tring_packets_start(&packets, &stream);
	tring_stream_know_short_ids(&stream, short_ids);
	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++)
		if (!wanted[short_ids[type]])
			stream.unwanted |= 1u << type;
	while (tring_stream_next(&stream, &record) == TRING_OK) {
		tring_packets_release(&packets, &stream);
		if (wanted[record.id])
			add_event(addresses, tring_events_find(events, record.id), &record,
				  stream.packet.big_endian);
	}
	tring_packets_close(&packets);
	free(wanted);
}

/*
 * The function behind it may not be one that is kept, so an end is a symbol, too. Nothing that was
 * asked for lies behind it, but what lies in no function.
 */
static void print_end(FILE *file, uint64_t end)
{
	fprintf(file, "%016" PRIx64 " t unknown\n", end);
}

/* "NAME+OFFSET/SIZE [MODULE]\n", as "%pS" in the kernel. Return: the end of the function. */
static uint64_t print_answer(FILE *file, uint64_t address, uint64_t end, const char *answer)
{
	int name = strcspn(answer, "+"), module = 0, module_end = 0;
	uint64_t offset, size;

	if (sscanf(answer + name, "+%" SCNx64 "/%" SCNx64 " [%n%*[^]\n]%n", &offset, &size,
		   &module, &module_end) < 2)
		return end;
	if (end && end != address - offset)
		print_end(file, end);
	fprintf(file, "%016" PRIx64 " t %.*s", address - offset, name, answer);
	if (module_end)
		fprintf(file, "\t[%.*s]", module_end - module, answer + name + module);
	fprintf(file, "\n");
	return address - offset + size;
}

/* Return: whether the kernel has answered, with a line or with nothing. */
static bool ask(int fd, uint64_t address, char answer[ANSWER_MAX])
{
	int length = snprintf(answer, ANSWER_MAX, "%" PRIx64 "\n", address);
	ssize_t size = write(fd, answer, length);

	if (size == length)
		size = read(fd, answer, ANSWER_MAX - 1);
	answer[size > 0 ? size : 0] = 0;
	return size >= 0;
}

/**
 * tring_kept_symbols_text - ask the kernel for names
 * @addresses: the addresses
 * @fd: the ring's file symbols, see tring(4)
 *
 * Return: lines as of kallsyms, to free(); NULL after an error, with errno.
 */
char *tring_kept_symbols_text(struct tring_addresses *addresses, int fd)
{
	char answer[ANSWER_MAX], *text = NULL;
	FILE *file = open_memstream(&text, &(size_t){ 0 });
	uint64_t end = 0;
	int error = 0;
	size_t i;

	sort(addresses);
	for (i = 0; file && i < addresses->count && !error; i++) {
		uint64_t address = addresses->list[i];

		if (address < end)
			continue;
		if (!ask(fd, address, answer))
			error = errno;
		else
			end = print_answer(file, address, end, answer);
	}
	if (file && end)
		print_end(file, end);
	if (!file || fclose(file) || error) {
		free(text);
		text = NULL;
		errno = error ? error : ENOMEM;
	}
	return text;
}
