// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A trace that comes through a pipe: a trace.dat, or the packets of one CPU, as a ring's files and
 * the cpuN of a trace have them. Packets name no events, so another trace may describe them.
 */
#include <stdio.h>
#include <string.h>

#include "load.h"
#include "load_dat.h"
#include "load_stream.h"
#include "util/util.h"

/* Nanoseconds, until something describes the clock. */
#define FREQUENCY	1000000000

/* Return: true if there are packets; then @packet is the first one that is whole. */
static bool find_packet(struct tring_input *input, struct tring_packet *packet)
{
	struct tring_packets packets = { .input = *input, .borrowed = true };
	struct tring_stream stream;
	struct tring_record record;
	bool found;

	packets.has_frames = tring_frames_are("", input->data, input->size);
	tring_packets_start(&packets, &stream);
	found = tring_stream_next(&stream, &record) == TRING_OK;
	*packet = stream.packet;
	tring_packets_close(&packets);
	return found && packet->cpu_id <= INT32_MAX;
}

/* Return: 0 or a negative errno, reported. */
static int describe(struct tring_trace *trace, const struct tring_packet *packet)
{
	const char *formats = trace->options.formats;
	int error;

	if (formats) {
		error = tring_load_formats(trace, formats);
		if (!error && memcmp(trace->info.uuid, packet->uuid, sizeof(packet->uuid))) {
			tring_note("%s: not of the same trace as %s: short records are unknown",
				   trace->dir, formats);
			memset(&trace->shorts, 0, sizeof(trace->shorts));
		}
	} else {
		tring_note("%s: nothing describes its events, so their bytes are all there is",
			   trace->dir);
		trace->info.clock_frequency = FREQUENCY;
		trace->info.no_wall = true;
		snprintf(trace->info.clock, sizeof(trace->info.clock), "unknown");
		trace->info.big_endian = packet->big_endian;
		trace->undescribed = true;
		error = tring_trace_init(trace, 1);
	}
	memcpy(trace->info.uuid, packet->uuid, sizeof(packet->uuid));
	return error;
}

/**
 * tring_load_stream - load what comes through a pipe
 * @trace: from tring_trace_make()
 * @fd: the pipe, which is read to its end
 *
 * Return: 0 or a negative errno, reported.
 */
int tring_load_stream(struct tring_trace *trace, int fd)
{
	struct tring_input input;
	struct tring_packet packet;
	struct tring_cpu *cpu;
	int error = tring_input_read(&input, fd, trace->path, SIZE_MAX);

	if (error || !find_packet(&input, &packet)) {
		if (!error)
			return tring_load_dat(trace, trace->path, &input);
		tring_input_close(&input);
		return error;
	}
	trace->is_stream = true;
	error = describe(trace, &packet);
	if (error) {
		tring_input_close(&input);
		return error;
	}
	cpu = tring_trace_add_cpu(trace, packet.cpu_id, tring_format("%s", trace->path));
	cpu->packets.input = input;
	cpu->packets.has_frames = tring_frames_are("", input.data, input.size);
	tring_cpu_start(cpu);
	return 0;
}
