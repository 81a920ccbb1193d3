// SPDX-License-Identifier: GPL-2.0
/* Converts a trace to one of Perfetto. */
#include "convert.h"
#include "export/perfetto.h"

#define DEFAULT_OUTPUT	"trace.pftrace"

static void add_item(struct tring_perfetto *perfetto, const struct tring_item *item)
{
	const struct tring_record *record = item->record;
	uint64_t ns = record ? tring_ns(item->trace, record->stamp) : 0;

	if (item->kind == TRING_ITEM_LOSS)
		tring_perfetto_lose(perfetto, item->cpu_at, ns, item->events, item->packets);
	else
		tring_perfetto_add(perfetto, item->cpu_at, record,
				   item->wrong ? NULL : item->event, ns);
}

/* What has no packets begins with its first event. Return: its time, in ticks. */
static uint64_t find_first(const struct tring_cpu *cpu)
{
	struct tring_packets packets;
	uint64_t stamp = UINT64_MAX;
	struct tring_stream stream;
	struct tring_record record;

	tring_cpu_stream(cpu, &packets, &stream);
	if (tring_stream_next(&stream, &record) == TRING_OK)
		stamp = cpu->trace->dat ? record.stamp : stream.packet.timestamp_begin;
	tring_packets_close(&packets);
	return stamp;
}

/* Return: the time at which the first packet of all begins, in ticks. */
static uint64_t find_begin(const struct tring_trace *trace)
{
	uint64_t begin = UINT64_MAX;
	size_t i;

	for (i = 0; i < trace->count; i++) {
		uint64_t first = find_first(&trace->cpus[i]);

		if (first < begin)
			begin = first;
	}
	return begin == UINT64_MAX ? 0 : begin;
}

static int convert(struct tring_trace *trace, struct tring_perfetto *perfetto, const char *output)
{
	int error = tring_perfetto_open(perfetto, output, find_begin(trace));
	struct tring_item item;

	if (error) {
		tring_output_drop(&perfetto->output);
		return error;
	}
	while (!perfetto->output.error && tring_next(trace, &item) > 0)
		add_item(perfetto, &item);
	return tring_perfetto_close(perfetto);
}

/**
 * tring_convert_to_perfetto - convert a trace to one of Perfetto
 * @trace: the trace, with its CPUs started; errors of the input are counted there
 * @output: the file to write; NULL for the default
 *
 * Return: 0; or a negative errno, reported on stderr, without a file.
 */
int tring_convert_to_perfetto(struct tring_trace *trace, const char *output)
{
	struct tring_perfetto perfetto;
	size_t i;
	int error;

	tring_perfetto_init(&perfetto, &trace->info, &trace->events, trace->count);
	for (i = 0; i < trace->count; i++)
		perfetto.cpus[i].cpu = trace->cpus[i].cpu;
	error = convert(trace, &perfetto, output ? output : DEFAULT_OUTPUT);
	tring_perfetto_free(&perfetto);
	return error;
}
