// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a CTF 1.8 trace for Trace Compass' analyses of the kernel, which need what the
 * recorded trace has in a denser form or not at all: the task of each event in its context,
 * and the names and environment of traces of perf.
 *
 * Numbers are copied in the byte order of the trace, texts end with a zero byte, and nothing
 * is aligned. The metadata comes last: what lacks it is no trace.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ctf_metadata.h"
#include "export.h"
#include "output_dir.h"
#include "util/line.h"
#include "util/text.h"
#include "util/util.h"

/* A packet is written when it has as many bytes. */
#define PACKET_SIZE	(64 * 1024)

/* Bytes of an event before the name of its task. */
#define EVENT_HEAD	20

/**
 * struct ctf_cpu - the packet of a CPU that is being filled
 * @cpu: number of the CPU
 * @file: name of its stream
 * @packet: the packet, with room for its header
 * @begin: time of its first event, in nanoseconds
 * @end: time of its last event, or of the end of what is missing before it
 * @sequence: its number
 * @discarded: number of events lost before it
 * @begun: it has an event
 * @losing: events are missing before it
 */
struct ctf_cpu {
	int		cpu;
	char		*file;
	struct tring_line packet;
	uint64_t	begin;
	uint64_t	end;
	uint64_t	sequence;
	uint64_t	discarded;
	bool		begun;
	bool		losing;
};

/**
 * struct ctf - a trace that is being written
 * @output: the directory
 * @trace: the trace that is read
 * @big_endian: byte order
 * @cpus: its CPUs
 * @count: number of @cpus
 * @last: time of the last event of all, in nanoseconds; begin of the trace without one
 */
struct ctf {
	struct tring_output output;
	struct tring_trace *trace;
	bool		big_endian;
	struct ctf_cpu *cpus;
	size_t		count;
	uint64_t	last;
};

static void empty_packet(struct ctf_cpu *cpu)
{
	cpu->packet.at = cpu->packet.start;
	tring_line_room(&cpu->packet, TRING_CTF_PACKET_HEAD);
	cpu->packet.at += TRING_CTF_PACKET_HEAD;
	cpu->begun = false;
	cpu->losing = false;
}

static void start(struct ctf *ctf, struct tring_trace *trace)
{
	size_t i;

	*ctf = (struct ctf) {
		.trace = trace, .big_endian = tring_big_endian(trace),
		.count = tring_cpu_count(trace), .last = tring_ns(trace, tring_begin(trace)),
	};
	ctf->cpus = tring_allocate((ctf->count + 1) * sizeof(*ctf->cpus));
	for (i = 0; i < ctf->count; i++) {
		struct ctf_cpu *cpu = &ctf->cpus[i];

		cpu->cpu = tring_cpu_at(trace, i);
		cpu->file = tring_format("cpu%d", cpu->cpu);
		tring_line_init(&cpu->packet);
		empty_packet(cpu);
	}
}

static void free_ctf(struct ctf *ctf)
{
	size_t i;

	for (i = 0; i < ctf->count; i++) {
		tring_line_free(&ctf->cpus[i].packet);
		free(ctf->cpus[i].file);
	}
	free(ctf->cpus);
}

static char *put_u16(char *at, uint16_t value, bool big_endian)
{
	value = big_endian ? htobe16(value) : htole16(value);
	return mempcpy(at, &value, sizeof(value));
}

static char *put_u32(char *at, uint32_t value, bool big_endian)
{
	value = big_endian ? htobe32(value) : htole32(value);
	return mempcpy(at, &value, sizeof(value));
}

static char *put_u64(char *at, uint64_t value, bool big_endian)
{
	value = big_endian ? htobe64(value) : htole64(value);
	return mempcpy(at, &value, sizeof(value));
}

static void write_packet(struct ctf *ctf, struct ctf_cpu *cpu)
{
	bool big_endian = ctf->big_endian;
	size_t size = cpu->packet.at - cpu->packet.start;
	char *at = cpu->packet.start;

	at = put_u32(at, TRING_CTF_MAGIC, big_endian);
	at = mempcpy(at, tring_uuid(ctf->trace), TRING_UUID_SIZE);
	at = put_u64(at, cpu->begun ? cpu->begin : cpu->end, big_endian);
	at = put_u64(at, cpu->end, big_endian);
	at = put_u64(at, 8 * size, big_endian);
	at = put_u64(at, 8 * size, big_endian);
	at = put_u64(at, cpu->sequence++, big_endian);
	at = put_u64(at, cpu->discarded, big_endian);
	put_u32(at, cpu->cpu, big_endian);
	tring_output_dir_append(&ctf->output, cpu->file, cpu->packet.start, size);
	empty_packet(cpu);
}

static void add_text(struct tring_line *packet, const uint8_t *text, size_t size)
{
	tring_line_room(packet, TRING_UTF8_MAX * size + 1);
	if (tring_is_ascii(text, size))
		packet->at = mempcpy(packet->at, text, size);
	else
		packet->at += tring_utf8_repair(packet->at, text, size);
	*packet->at++ = 0;
}

static void add_length(struct tring_line *packet, size_t length, bool big_endian)
{
	tring_line_room(packet, sizeof(uint32_t));
	packet->at = put_u32(packet->at, length, big_endian);
}

static void add_fields(struct tring_line *packet, const struct tring_item *item, bool big_endian)
{
	const struct tring_event *event = item->event;
	const struct tring_field *field, *end = event->fields + event->field_count;
	size_t size;

	for (field = event->fields; field < end; field++) {
		const uint8_t *data = tring_data(item, field, &size);

		if (field->kind == TRING_FIELD_TEXT) {
			add_text(packet, data, size);
			continue;
		}
		if (field->kind == TRING_FIELD_ARRAY)
			size -= size % field->element;
		if (field->place != TRING_PLACE_FIXED)
			add_length(packet, size / field->element, big_endian);
		tring_line_text(packet, (const char *)data, size);
	}
}

static void add_bytes(struct tring_line *packet, const struct tring_record *record,
		      bool big_endian)
{
	size_t size = record->length - TRING_PAYLOAD_HEAD;

	tring_line_room(packet, sizeof(uint16_t));
	packet->at = put_u16(packet->at, record->id, big_endian);
	add_length(packet, size, big_endian);
	tring_line_text(packet, (const char *)record->payload + TRING_PAYLOAD_HEAD, size);
}

static void add_head(struct tring_line *packet, const struct tring_record *record, uint16_t id,
		     uint64_t ns, const char *comm, bool big_endian)
{
	char *at;

	tring_line_room(packet, EVENT_HEAD);
	at = put_u16(packet->at, id, big_endian);
	at = put_u64(at, ns, big_endian);
	/* ftrace knows the task only, not the process that it belongs to */
	at = put_u32(at, record->pid, big_endian);
	at = put_u32(at, record->pid, big_endian);
	*at++ = record->flags;
	*at++ = record->preempt_count;
	packet->at = at;
	add_text(packet, (const uint8_t *)comm, strlen(comm));
}

static void add_event(struct ctf *ctf, const struct tring_item *item)
{
	const struct tring_record *record = item->record;
	struct ctf_cpu *at = &ctf->cpus[item->cpu_at];
	uint64_t ns = tring_ns(ctf->trace, record->stamp);

	add_head(&at->packet, record, item->wrong ? TRING_CTF_UNDECODED : record->id, ns,
		 tring_comm(ctf->trace, record->pid), ctf->big_endian);
	if (item->wrong)
		add_bytes(&at->packet, record, ctf->big_endian);
	else
		add_fields(&at->packet, item, ctf->big_endian);
	if (!at->begun)
		at->begin = ns;
	at->begun = true;
	at->end = ns;
	ctf->last = ns;
	if (at->packet.at - at->packet.start >= PACKET_SIZE)
		write_packet(ctf, at);
}

/*
 * The numbers of two packets tell what is missing between them, so what is missing at the
 * beginning or at the end is between an event and a packet without any.
 */
static void add_loss(struct ctf *ctf, const struct tring_item *item)
{
	struct ctf_cpu *at = &ctf->cpus[item->cpu_at];
	const bool first = !at->sequence && !at->begun;
	uint64_t ns = first ? ctf->last : at->end;

	if (item->record)
		ns = tring_ns(ctf->trace, item->record->stamp);
	if (first)
		at->end = ns;
	if (!at->sequence || at->begun)
		write_packet(ctf, at);
	at->discarded += item->events;
	at->sequence += item->packets;
	at->losing = true;
	at->end = ns;
}

static void write_metadata(struct ctf *ctf)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	bool failed = !file;

	if (file) {
		tring_ctf_metadata(file, ctf->trace);
		failed = ferror(file);
		failed |= fclose(file);
	}
	if (failed)
		ctf->output.error = -ENOMEM;
	else
		tring_output_dir_append(&ctf->output, "metadata", text, size);
	free(text);
}

static void add_items(struct ctf *ctf)
{
	struct tring_item item;
	size_t i;

	while (!ctf->output.error && tring_next(ctf->trace, &item) > 0) {
		if (item.kind == TRING_ITEM_LOSS)
			add_loss(ctf, &item);
		else
			add_event(ctf, &item);
	}
	for (i = 0; i < ctf->count; i++)
		if (ctf->cpus[i].begun || ctf->cpus[i].losing)
			write_packet(ctf, &ctf->cpus[i]);
	write_metadata(ctf);
}

/**
 * tring_export_ctf - write a trace as CTF for Trace Compass
 * @trace: the trace
 * @path: the directory to write
 *
 * Return: 0; or a negative errno, reported on stderr, without a directory.
 */
int tring_export_ctf(struct tring_trace *trace, const char *path)
{
	struct ctf ctf;
	int error;

	start(&ctf, trace);
	error = tring_output_dir_open(&ctf.output, path);
	if (!error) {
		add_items(&ctf);
		error = tring_output_close(&ctf.output);
	}
	free_ctf(&ctf);
	return error;
}
