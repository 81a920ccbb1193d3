// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads what is in a ring now, without a recording: all packets into memory first, CPU by CPU,
 * then the running kernel's descriptions of the events that are in them. Nothing is consumed,
 * and no writer is stopped, so a recorder beside it loses nothing.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "event/name_files.h"
#include "peek.h"
#include "trace/kernel.h"
#include "tracefs/control.h"
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
 * @wanted: the CPUs
 * @control: the ring
 */
struct reading {
	struct tring_trace *trace;
	struct tring_selection wanted;
	struct tring_control control;
};

static int check_cpus(struct reading *reading)
{
	const struct tring_control *control = &reading->control;
	const struct tring_ranges *wanted = &reading->wanted.cpus;
	const struct tring_wanted chosen = { .cpus = reading->trace->options.cpus };
	size_t i, j;

	if (!tring_selection_take(&reading->wanted, &chosen))
		return -EINVAL;
	for (i = 0; i < wanted->count; i++) {
		struct tring_range *range = &wanted->list[i];

		for (j = 0; j < control->cpu_count; j++)
			range->found |= (uint64_t)control->cpus[j] >= range->first &&
					(uint64_t)control->cpus[j] <= range->last;
		if (range->found)
			continue;
		tring_error("%s: there is no CPU %" PRIu64, control->dir, range->first);
		return -ENOENT;
	}
	return 0;
}

static int read_limit(const struct tring_control *control, int cpu, size_t *limit)
{
	char *file = tring_format("per_cpu/cpu%d/buffer_size_kb", cpu);
	int error = tring_control_size(control, file, limit);

	*limit *= SIZES_AT_MOST;
	free(file);
	return error;
}

/* After an error the data before it is still printed, because it may be consumed. */
static int collect_cpu(struct reading *reading, int number)
{
	struct tring_trace *trace = reading->trace;
	bool snapshot = trace->options.snapshot;
	struct tring_cpu *cpu;
	size_t limit = SIZE_MAX;
	char *path;
	int fd, error = 0;

	fd = tring_control_open_packets(&reading->control, number,
					snapshot ? TRING_PACKETS_SNAPSHOT : TRING_PACKETS_PEEK,
					&path);
	cpu = tring_trace_add_cpu(trace, number, path);
	if (fd >= 0 && !snapshot)
		error = read_limit(&reading->control, number, &limit);
	if (fd >= 0 && !error)
		error = tring_input_read(&cpu->packets.input, fd, path, limit);
	if (!error && cpu->packets.input.size >= limit) {
		tring_error("cpu%d: written as fast as it is read, stopped after %zu bytes",
			    number, cpu->packets.input.size);
		/* the limit may be in the middle of a packet */
		cpu->packets.input.size = tring_packet_whole(cpu->packets.input.data,
							     cpu->packets.input.size);
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

		if (tring_selection_has_cpu(&reading->wanted, cpu) && collect_cpu(reading, cpu))
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
	char *formats = tring_control_formats(&reading->control);
	size_t i;

	for (i = 0; i < trace->count; i++)
		note_ids(&trace->cpus[i], ids);
	if (tring_events_add_if(&trace->events, formats, "ftrace", "print") ||
	    tring_events_add_ids(&trace->events, formats, ids))
		trace->problems++;
	if (tring_kernel_has_symbols(&trace->events, ids))
		give_kernel_text(trace,
				 tring_format("%s", TRING_KERNEL_SYMBOLS),
				 tring_give_symbols);
	give_kernel_text(trace, tring_format("%s/" TRING_KERNEL_PRINTK,
					     tracing),
			 tring_give_strings);
	tring_kernel_names(&trace->names, tracing, NULL);
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
 * @trace: from tring_trace_make(); errors that do not end it are counted there
 * @instance: name of the instance, NULL for the top-level ring
 *
 * Return: 0 or a negative errno, reported.
 */
int tring_peek(struct tring_trace *trace, const char *instance)
{
	struct reading reading = { .trace = trace };
	int error = tring_control_open(&reading.control, instance, false);

	if (!error)
		error = open_control(&reading);
	if (!error) {
		collect(&reading);
		start_cpus(&reading);
		load_events(&reading);
	}
	tring_control_close(&reading.control);
	tring_selection_free(&reading.wanted);
	return error;
}
