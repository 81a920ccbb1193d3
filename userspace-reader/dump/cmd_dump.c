// SPDX-License-Identifier: GPL-2.0
/* tring dump: prints packets and records as stored, for debugging the ring. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "read/complete.h"
#include "show/open.h"
#include "show/show.h"
#include "trace/trace_dir.h"
#include "wire/wire.h"
#include "cli/options.h"
#include "util/util.h"

#define BYTES_A_LINE	16

static void print_lengths(const struct tring_packet *packet)
{
	const char *before = "  lengths";
	unsigned int type;

	for (type = 0; type < TRING_TYPES; type++) {
		if (!packet->lengths[type])
			continue;
		if (packet->lengths[type] == TRING_LENGTH_VARIES)
			printf("%s short %u varies", before, type);
		else
			printf("%s short %u is %u", before, type,
			       packet->lengths[type]);
		before = ",";
	}
	if (*before == ',')
		putchar('\n');
}

static void print_frame(const struct tring_packets *packets)
{
	const struct tring_frames *frames = &packets->frames;

	printf("frame at 0x%zx: %zu bytes, %zu bytes of packets\n", frames->at,
	       frames->next - frames->at, frames->size);
}

static void print_packet(const struct tring_stream *stream)
{
	const struct tring_cpu *cpu = stream->private;
	const struct tring_packet *packet = &stream->packet;
	char *uuid = tring_uuid_text(packet->uuid);

	if (cpu->packets.has_frames && !packet->offset)
		print_frame(&cpu->packets);
	printf("packet at 0x%" PRIx64 ": %s endian, uuid %s, cpu %" PRIu64 "\n",
	       packet->offset, packet->big_endian ? "big" : "little", uuid,
	       packet->cpu_id);
	printf("  timestamp_begin 0x%" PRIx64 " timestamp_end 0x%" PRIx64 "\n",
	       packet->timestamp_begin, packet->timestamp_end);
	printf("  content_size %u bytes, packet_size %u bytes, packet_seq_num %" PRIu64
	       ", events_discarded %" PRIu64 "\n", packet->content_size,
	       packet->packet_size, packet->seq_num, packet->discarded);
	print_lengths(packet);
	free(uuid);
}

static void print_bytes(const uint8_t *bytes, uint32_t size)
{
	uint32_t at, i;

	for (at = 0; at < size; at += BYTES_A_LINE) {
		printf("    %04x:", at);
		for (i = at; i < size && i < at + BYTES_A_LINE; i++)
			printf(" %02x", bytes[i]);
		putchar('\n');
	}
}

static void print_stamp(const struct tring_record *record)
{
	if (tring_type_is_short(record->type))
		printf("short %u", record->type);
	else
		fputs(record->type == TRING_TYPE_EXTENDED ? "extended" :
		      record->type == TRING_TYPE_LONG ? "long" : "discarded",
		      stdout);
	if (record->type != TRING_TYPE_EXTENDED)
		printf(", stamp .%07x =", record->compact);
	else
		printf(", stamp");
	printf(" 0x%" PRIx64, record->stamp);
}

static void print_record(const struct tring_stream *stream,
			 const struct tring_record *record)
{
	printf("  record at 0x%" PRIx64 ": ",
	       stream->packet.offset + record->offset);
	print_stamp(record);
	/* packets do not name a short record's event */
	if (record->type >= TRING_TYPE_LONG) {
		if (record->id == TRING_ID_DISCARDED)
			printf(", discarded");
		else
			printf(", id %u", record->id);
	}
	printf(", flags 0x%02x, preempt %u, pid %d%s, length %u\n",
	       record->flags, record->preempt_count, record->pid,
	       record->context & TRING_CONTEXT_HAS_PID ? "" : " as before",
	       record->length - TRING_PAYLOAD_HEAD);
	print_bytes(record->payload + TRING_PAYLOAD_HEAD,
		    record->length - TRING_PAYLOAD_HEAD);
}

static const struct tring_usage options = {
	.synopsis = "usage: tring dump FILE\n",
	.description =
		"FILE contains one CPU's packets: cpuN or cpuN.zst of a trace, or a copy of\n"
		"one of the ring's files *_raw_compact; \"-\" is stdin.\n",
	.missing = "FILE",
	.most = 1,
};

/* A file of a trace has to have all that was recorded; no other file says how much. */
static int open_file(struct tring_trace *trace, const char *file, const char *dir, int cpu)
{
	bool from_pipe = !strcmp(file, "-");
	struct tring_cpu *added;

	if (dir) {
		int error = tring_parts_list(&trace->parts, dir);

		if (!error)
			tring_complete_open(trace, cpu);
		return error;
	}
	added = tring_trace_add_cpu(trace, 0, tring_format("%s", from_pipe ? "stdin" : file));
	if (from_pipe ? tring_input_read(&added->packets.input, STDIN_FILENO, added->path,
					 SIZE_MAX) :
			tring_input_open(&added->packets.input, added->path))
		return -EIO;
	added->packets.has_frames = tring_frames_are(file, added->packets.input.data,
						     added->packets.input.size);
	tring_cpu_start(added);
	/* that of the first packet */
	added->stream.know_uuid = false;
	return 0;
}

static void print_file(struct tring_trace *trace)
{
	struct tring_cpu *cpu = &trace->cpus[0];
	struct tring_stream *stream = &cpu->stream;
	struct tring_record record;

	stream->enter = print_packet;
	while (tring_stream_next(stream, &record) == TRING_OK) {
		cpu->cpu = stream->packet.cpu_id;
		cpu->events += record.id != TRING_ID_DISCARDED;
		tring_show_loss("", cpu->cpu, stream->lost_events, stream->lost_packets, "");
		print_record(stream, &record);
	}
	tring_show_loss("", cpu->cpu, tring_cpu_last_loss(cpu),
			stream->pending_packets, "");
	trace->problems += stream->errors;
}

/**
 * tring_cmd_dump - show packets and records as stored
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK; _BAD if the file is bad, or lacks events of its trace; or
 * _USAGE.
 */
int tring_cmd_dump(int argc, char **argv)
{
	int status = tring_options_parse(&options, NULL, argc, argv), cpu;
	struct tring_trace trace = { 0 };
	char *dir;

	if (status >= 0)
		return status;
	dir = tring_trace_of(argv[optind], &cpu);
	if ((dir && tring_trace_dir_info(dir, &trace.info, NULL)) ||
	    tring_trace_init(&trace, 1) || open_file(&trace, argv[optind], dir, cpu))
		trace.problems++;
	else
		print_file(&trace);
	if (dir)
		tring_complete_check(&trace, dir);
	free(dir);
	status = tring_output_completed() && !trace.problems ? TRING_EXIT_OK : TRING_EXIT_BAD;
	tring_trace_free(&trace);
	return status;
}
