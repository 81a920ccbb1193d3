// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads what is in a ring now, without a recording: all packets into memory first, CPU by CPU,
 * then the running kernel's descriptions of the events that are in them. Nothing is consumed,
 * and no writer is stopped, so a recorder beside it loses nothing.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/name_files.h"
#include "peek.h"
#include "trace/kernel.h"
#include "util/util.h"

/*
 * Limit of bytes read of a CPU, in sizes of its ring: a CPU that writes as fast as
 * it is read has no end. The content at the begin, including what a resize has
 * left of an older ring, is less than this.
 */
#define SIZES_AT_MOST	4

/**
 * struct reading - a ring that is read
 * @trace: gets the packets
 * @wanted: what is read
 * @control: the ring
 */
struct reading {
	struct tring_trace *trace;
	const struct tring_peek_wanted *wanted;
	struct tring_control control;
};

static bool has_cpu(const int *cpus, size_t count, int cpu)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (cpus[i] == cpu)
			return true;
	return false;
}

static int check_cpus(const struct reading *reading)
{
	const struct tring_control *control = &reading->control;
	size_t i;

	for (i = 0; i < reading->wanted->cpu_count; i++) {
		if (has_cpu(control->cpus, control->cpu_count, reading->wanted->cpus[i]))
			continue;
		tring_error("%s: there is no CPU %d", control->dir,
			    reading->wanted->cpus[i]);
		return -ENOENT;
	}
	return 0;
}

static int read_limit(const struct tring_control *control, int cpu,
		      size_t *limit)
{
	char *file = tring_format("per_cpu/cpu%d/buffer_size_kb", cpu);
	char *text = tring_control_read(control, file);
	uint64_t size;
	int error = 0;

	/* a remark may follow the number */
	if (text)
		text[strspn(text, "0123456789")] = 0;
	if (!text) {
		error = -EIO;
	} else if (!tring_parse_number(text, &size) ||
		   size > SIZE_MAX / 1024 / SIZES_AT_MOST) {
		tring_error("%s/%s: not a size", control->dir, file);
		error = -EINVAL;
	} else {
		*limit = SIZES_AT_MOST * 1024 * size;
	}
	free(text);
	free(file);
	return error;
}

/* The limit may be in the middle of a packet. */
static void drop_torn_end(struct tring_input *input)
{
	const uint8_t *data = input->data;
	enum tring_reason reason = TRING_OK;
	struct tring_packet packet;
	size_t at = 0;

	while (at < input->size && tring_reason_is_soft(reason)) {
		reason = tring_packet_parse(data + at, input->size - at,
					    &packet);
		if (reason == TRING_PACKET_TRUNCATED ||
		    reason == TRING_PACKET_HEADER_TORN)
			input->size = at;
		else if (tring_reason_is_soft(reason))
			at += packet.packet_size;
	}
}

/* After an error the data before it is still printed, because it may be consumed. */
static int collect_cpu(struct reading *reading, int number)
{
	struct tring_trace *trace = reading->trace;
	struct tring_cpu *cpu;
	size_t limit = SIZE_MAX;
	char *path;
	int fd, error = 0;

	fd = tring_control_open_packets(&reading->control, number,
					reading->wanted->snapshot ? TRING_PACKETS_SNAPSHOT :
							 TRING_PACKETS_PEEK,
					&path);
	cpu = tring_trace_add_cpu(trace, number, path);
	if (fd >= 0 && !reading->wanted->snapshot)
		error = read_limit(&reading->control, number, &limit);
	if (fd >= 0 && !error)
		error = tring_input_read(&cpu->packets.input, fd, path, limit);
	if (!error && cpu->packets.input.size >= limit) {
		tring_error("cpu%d: written as fast as it is read, stopped after %zu bytes",
			    number, cpu->packets.input.size);
		drop_torn_end(&cpu->packets.input);
	}
	if (fd < 0)
		return fd;
	close(fd);
	return error;
}

static void collect(struct reading *reading)
{
	const struct tring_control *control = &reading->control;
	size_t i;

	for (i = 0; i < control->cpu_count; i++) {
		int cpu = control->cpus[i];

		if (reading->wanted->cpu_count &&
		    !has_cpu(reading->wanted->cpus, reading->wanted->cpu_count, cpu))
			continue;
		if (collect_cpu(reading, cpu))
			reading->trace->problems++;
	}
}

/* short_ids is read after the packets: an event may get its type during that time. */
static void start_cpus(struct reading *reading)
{
	struct tring_trace *trace = reading->trace;
	size_t i;

	if (tring_control_short_ids(&reading->control, &trace->shorts, NULL))
		trace->problems++;
	for (i = 0; i < trace->count; i++)
		tring_cpu_start(&trace->cpus[i]);
}

static void note_ids(const struct tring_cpu *cpu, bool *ids)
{
	struct tring_packets packets;
	struct tring_stream stream;
	struct tring_record record;

	tring_cpu_stream(cpu, &packets, &stream);
	while (tring_stream_next(&stream, &record) == TRING_OK)
		if (record.id <= TRING_ID_MAX)
			ids[record.id] = true;
	tring_packets_close(&packets);
}

static void give_kernel_text(struct tring_trace *trace, char *path,
			     int (*give)(struct tring_events *events, char *text,
					 const char *path))
{
	char *text = tring_read_text(path, NULL);

	/* some kernels lack some of the files, which printing does not depend on */
	if (text && give(&trace->events, text, path))
		trace->problems++;
	free(text);
	free(path);
}

/* Load the files of the kernel that the events in the packets need. */
static void load_events(struct reading *reading)
{
	bool *ids = tring_allocate(TRING_EVENT_IDS * sizeof(*ids));
	const char *tracing = reading->control.tracing;
	struct tring_trace *trace = reading->trace;
	char *formats = tring_format("%s/events", tracing);
	size_t i;

	for (i = 0; i < trace->count; i++)
		note_ids(&trace->cpus[i], ids);
	if (tring_events_add_print(&trace->events, formats) ||
	    tring_events_add_ids(&trace->events, formats, ids))
		trace->problems++;
	if (tring_kernel_has_symbols(&trace->events, ids))
		give_kernel_text(trace,
				 tring_format("%s", TRING_KERNEL_SYMBOLS),
				 tring_give_symbols);
	give_kernel_text(trace, tring_format("%s/" TRING_KERNEL_PRINTK,
					     tracing),
			 tring_give_strings);
	tring_kernel_names(&trace->names, tracing);
	free(formats);
	free(ids);
}

static int open_control(struct reading *reading)
{
	struct tring_control *control = &reading->control;
	struct tring_trace *trace = reading->trace;
	int error = check_cpus(reading);

	if (!error)
		error = tring_control_info(control, &trace->info, NULL);
	if (!error)
		error = tring_trace_init(trace, control->cpu_count);
	return error;
}

/**
 * tring_peek - read what is in a ring now
 * @trace: filled in; to be freed with tring_trace_free() also after an error; errors that do
 *	not end it are counted there
 * @instance: name of the instance, NULL for the top-level ring
 * @wanted: what is read
 *
 * Return: 0 or a negative errno, reported.
 */
int tring_peek(struct tring_trace *trace, const char *instance,
	       const struct tring_peek_wanted *wanted)
{
	struct reading reading = { .trace = trace, .wanted = wanted };
	int error = tring_control_open(&reading.control, instance, false);

	if (!error)
		error = open_control(&reading);
	if (!error) {
		collect(&reading);
		start_cpus(&reading);
		load_events(&reading);
	}
	tring_control_close(&reading.control);
	return error;
}
