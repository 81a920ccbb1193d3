// SPDX-License-Identifier: GPL-2.0
/* Converts a trace to CTF for Trace Compass. */
#include <string.h>

#include "convert.h"
#include "export/ctf.h"
#include "read/load.h"

#define DEFAULT_OUTPUT	"tring-trace.ctf"

static void add_item(struct tring_ctf *ctf, const struct tring_item *item)
{
	const struct tring_record *record = item->record;
	uint64_t ns = record ? tring_ns(item->trace, record->stamp) : 0;

	if (item->kind == TRING_ITEM_LOSS)
		tring_ctf_lose(ctf, item->cpu_at, ns, item->events, item->packets);
	else
		tring_ctf_add(ctf, item->cpu_at, record, item->wrong ? NULL : item->event, ns,
			      tring_names_comm(&item->trace->names, record->pid));
}

/**
 * tring_convert_to_ctf - convert a trace to CTF for Trace Compass
 * @trace: the trace, with its CPUs started; errors of the input are counted there
 * @output: the directory to write; NULL for the default
 *
 * Return: 0; or a negative errno, reported on stderr, without a directory.
 */
int tring_convert_to_ctf(struct tring_trace *trace, const char *output)
{
	struct tring_item item;
	struct tring_ctf ctf;
	size_t i;
	int error;

	tring_ctf_init(&ctf, &trace->info, &trace->events, trace->count);
	for (i = 0; i < trace->count; i++)
		tring_ctf_set_cpu(&ctf, i, trace->cpus[i].cpu);
	error = tring_output_dir_open(&ctf.output, output ? output : DEFAULT_OUTPUT);
	if (error) {
		tring_output_dir_drop(&ctf.output);
	} else {
		tring_load_names(trace);
		while (!ctf.output.error && tring_next(trace, &item) > 0)
			add_item(&ctf, &item);
		error = tring_ctf_close(&ctf);
	}
	tring_ctf_free(&ctf);
	return error;
}
