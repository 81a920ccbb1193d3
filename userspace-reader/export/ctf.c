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

#include "ctf.h"
#include "ctf_metadata.h"
#include "event/fields.h"
#include "util/text.h"
#include "util/util.h"

/* A packet is written when it has as many bytes. */
#define PACKET_SIZE	(64 * 1024)

/* Bytes of an event before the name of its task. */
#define EVENT_HEAD	20

/**
 * tring_ctf_init - prepare for writing a trace
 * @ctf: filled in; to be freed with tring_ctf_free(), and its @output to be opened
 * @info: properties of the trace, which must stay
 * @events: its events, which must stay
 * @cpus: number of CPUs, for tring_ctf_set_cpu()
 */
void tring_ctf_init(struct tring_ctf *ctf, const struct tring_trace_info *info,
		    const struct tring_events *events, size_t cpus)
{
	memset(ctf, 0, sizeof(*ctf));
	ctf->info = info;
	ctf->events = events;
	ctf->count = cpus;
	ctf->cpus = tring_allocate((cpus + 1) * sizeof(*ctf->cpus));
}

static void empty_packet(struct tring_ctf_cpu *cpu)
{
	cpu->packet.at = cpu->packet.start;
	tring_line_room(&cpu->packet, TRING_CTF_PACKET_HEAD);
	cpu->packet.at += TRING_CTF_PACKET_HEAD;
	cpu->begun = false;
	cpu->losing = false;
}

/**
 * tring_ctf_set_cpu - set the number of a CPU
 * @ctf: the trace
 * @index: index of the CPU
 * @cpu: its number
 */
void tring_ctf_set_cpu(struct tring_ctf *ctf, size_t index, int cpu)
{
	ctf->cpus[index].cpu = cpu;
	ctf->cpus[index].file = tring_format("cpu%d", cpu);
	tring_line_init(&ctf->cpus[index].packet);
	empty_packet(&ctf->cpus[index]);
}

/**
 * tring_ctf_free - free the memory of a trace
 * @ctf: the trace
 */
void tring_ctf_free(struct tring_ctf *ctf)
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

static void write_packet(struct tring_ctf *ctf, struct tring_ctf_cpu *cpu)
{
	bool big_endian = ctf->info->big_endian;
	size_t size = cpu->packet.at - cpu->packet.start;
	char *at = cpu->packet.start;

	at = put_u32(at, TRING_CTF_MAGIC, big_endian);
	at = mempcpy(at, ctf->info->uuid, TRING_UUID_SIZE);
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

static void add_fields(struct tring_line *packet, const struct tring_event *event,
		       const struct tring_record *record, bool big_endian)
{
	const struct tring_field *field, *end = event->fields + event->field_count;
	size_t size;

	for (field = event->fields; field < end; field++) {
		const uint8_t *data = tring_field_data(field, record, big_endian, &size);

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

/**
 * tring_ctf_add - add an event
 * @ctf: the trace
 * @cpu: index of its CPU
 * @record: the event's record
 * @event: its description; NULL if its fields cannot be decoded
 * @ns: its time
 * @comm: name of its task
 */
void tring_ctf_add(struct tring_ctf *ctf, size_t cpu, const struct tring_record *record,
		   const struct tring_event *event, uint64_t ns, const char *comm)
{
	struct tring_ctf_cpu *at = &ctf->cpus[cpu];
	bool big_endian = ctf->info->big_endian;

	add_head(&at->packet, record, event ? record->id : TRING_CTF_UNDECODED, ns, comm,
		 big_endian);
	if (event)
		add_fields(&at->packet, event, record, big_endian);
	else
		add_bytes(&at->packet, record, big_endian);
	if (!at->begun)
		at->begin = ns;
	at->begun = true;
	at->end = ns;
	if (at->packet.at - at->packet.start >= PACKET_SIZE)
		write_packet(ctf, at);
}

/**
 * tring_ctf_lose - add a loss
 * @ctf: the trace
 * @cpu: index of the CPU
 * @ns: time of the event behind the loss; 0 if there is none
 * @events: number of events that are missing, 0 if it is unknown
 * @packets: number of packets that are missing in the same place
 *
 * The numbers of two packets tell what is missing between them, so what is missing at the
 * beginning or at the end is between an event and a packet without any.
 */
void tring_ctf_lose(struct tring_ctf *ctf, size_t cpu, uint64_t ns, uint64_t events,
		    uint64_t packets)
{
	struct tring_ctf_cpu *at = &ctf->cpus[cpu];

	if (!at->sequence && !at->begun)
		at->end = ns;
	if (!at->sequence || at->begun)
		write_packet(ctf, at);
	at->discarded += events;
	at->sequence += packets;
	at->losing = true;
	if (ns)
		at->end = ns;
}

static void write_metadata(struct tring_ctf *ctf)
{
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);
	bool failed = !file;

	if (file) {
		tring_ctf_metadata(file, ctf->info, ctf->events);
		failed = ferror(file);
		failed |= fclose(file);
	}
	if (failed)
		ctf->output.error = -ENOMEM;
	else
		tring_output_dir_append(&ctf->output, "metadata", text, size);
	free(text);
}

/**
 * tring_ctf_close - complete the trace
 * @ctf: the trace
 *
 * Return: 0; or a negative errno, reported on stderr, without a trace.
 */
int tring_ctf_close(struct tring_ctf *ctf)
{
	size_t i;

	for (i = 0; i < ctf->count; i++)
		if (ctf->cpus[i].begun || ctf->cpus[i].losing)
			write_packet(ctf, &ctf->cpus[i]);
	write_metadata(ctf);
	return tring_output_dir_close(&ctf->output);
}
