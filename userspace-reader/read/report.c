// SPDX-License-Identifier: GPL-2.0
/*
 * Prints the streams of several CPUs, ordered by time. report uses it for a trace,
 * peek for a ring.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/functions.h"
#include "report.h"

#define OUTPUT_BUFFER	(256 * 1024)

/**
 * tring_report_init - prepare a report
 * @report: filled in, except @report->info, which the caller has set; to be ended
 *	with tring_report_end() also after an error
 * @cpus: largest number of CPUs
 *
 * Return: 0 or -ENOMEM, reported on stderr.
 */
int tring_report_init(struct tring_report *report, size_t cpus)
{
	struct tep_handle *tep;
	int error;

	setvbuf(stdout, NULL, _IOFBF, OUTPUT_BUFFER);
	report->cpus = tring_allocate(cpus * sizeof(*report->cpus));
	error = tring_events_init(&report->events);
	if (error)
		return error;
	tring_functions_add(&report->events, report->info.tick_frequency);
	tep = report->events.tep;
	tep_set_local_bigendian(tep, TRING_HOST_BIG_ENDIAN ?
				TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_file_bigendian(tep, report->info.big_endian ?
			       TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	return 0;
}

/**
 * tring_report_add_cpu - add a CPU
 * @report: the report
 * @cpu: number of the CPU
 * @path: source of its packets, allocated; the report frees it. NULL if it has files
 *
 * Return: the CPU; before tring_report_start_cpu() the caller fills in @packets.input, or
 * adds files.
 */
struct tring_report_cpu *tring_report_add_cpu(struct tring_report *report,
					      int cpu, char *path)
{
	struct tring_report_cpu *added = &report->cpus[report->count++];

	added->cpu = cpu;
	added->path = path;
	return added;
}

/**
 * tring_report_add_file - add a file of a CPU's packets behind those that it has
 * @cpu: the CPU
 * @path: path of the file, allocated; the report frees it, and what the caller adds to the file
 *
 * Return: the file.
 */
struct tring_packet_file *tring_report_add_file(struct tring_report_cpu *cpu, char *path)
{
	struct tring_packet_file *files;

	files = tring_allocate((cpu->count + 1) * sizeof(*files));
	if (cpu->count)
		memcpy(files, cpu->files, cpu->count * sizeof(*files));
	free(cpu->files);
	cpu->files = files;
	files[cpu->count].path = path;
	cpu->packets.files = files;
	cpu->packets.count = cpu->count + 1;
	return &files[cpu->count++];
}

/**
 * tring_report_path - get the source of the packets that are read, for messages
 * @cpu: the CPU
 */
const char *tring_report_path(const struct tring_report_cpu *cpu)
{
	return cpu->count ? tring_packet_file_path(&cpu->files[cpu->packets.at]) : cpu->path;
}

static void print_error(const struct tring_stream *stream, uint64_t offset,
			enum tring_reason reason, uint64_t skipped)
{
	const struct tring_report_cpu *cpu = stream->private;
	char *place = tring_packets_place(&cpu->packets, tring_report_path(cpu));

	if (skipped)
		tring_error("%s: offset 0x%" PRIx64 ": %s; %" PRIu64 " bytes skipped", place,
			    offset, tring_reason_text(reason), skipped);
	else
		tring_error("%s: offset 0x%" PRIx64 ": %s", place, offset,
			    tring_reason_text(reason));
	free(place);
}

static void release_input(const struct tring_stream *stream)
{
	struct tring_report_cpu *cpu = stream->private;

	tring_packets_release(&cpu->packets, stream);
}

/* The counters of a part tell what its packets do not. */
static void leave_file(struct tring_stream *stream)
{
	struct tring_report_cpu *cpu = stream->private;

	stream->pending_events = tring_report_last_loss(cpu);
	cpu->files[cpu->packets.at].events = cpu->events - cpu->earlier;
	cpu->earlier = cpu->events;
}

static void know_trace(const struct tring_report *report, struct tring_stream *stream)
{
	tring_stream_know_uuid(stream, report->info.uuid);
	tring_stream_know_short_ids(stream, report->shorts.ids);
}

/**
 * tring_report_stream - set up another stream of a CPU's packets
 * @report: the report, with its short ids
 * @cpu: the CPU, with its files
 * @packets: filled in; to be closed
 * @stream: filled in; does not report bad input. In a trace.dat, one that was set up before
 *	for the CPU ends
 */
void tring_report_stream(const struct tring_report *report, const struct tring_report_cpu *cpu,
			 struct tring_packets *packets, struct tring_stream *stream)
{
	tring_packets_copy(packets, &cpu->packets);
	packets->leave = NULL;
	tring_packets_start(packets, stream);
	know_trace(report, stream);
	if (report->dat)
		tring_dat_records_start(report->dat, 1, cpu->dat_index, stream);
}

/**
 * tring_report_start_cpu - set up the stream of a CPU's packets
 * @report: the report, with its short ids
 * @cpu: the CPU, with its files
 */
void tring_report_start_cpu(struct tring_report *report,
			    struct tring_report_cpu *cpu)
{
	tring_packets_start(&cpu->packets, &cpu->stream);
	know_trace(report, &cpu->stream);
	if (report->dat)
		tring_dat_records_start(report->dat, 0, cpu->dat_index, &cpu->stream);
	cpu->packets.leave = leave_file;
	cpu->stream.report = print_error;
	cpu->stream.enter = release_input;
	cpu->stream.private = cpu;
	cpu->events = 0;
	cpu->earlier = 0;
}

/**
 * tring_report_print_loss - print what is missing at a place
 * @label: begin of each line
 * @cpu: number of the CPU
 * @events: number of events lost there
 * @packets: number of packets missing there
 * @end: end of each line
 */
void tring_report_print_loss(const char *label, int cpu, uint64_t events, uint64_t packets,
			     const char *end)
{
	if (events)
		printf("%sCPU:%d [LOST %" PRIu64 " EVENTS]%s\n", label, cpu, events, end);
	/* packets missing from a file have no event count, unlike overwritten ones */
	if (packets)
		printf("%sCPU:%d [%" PRIu64 " PACKETS MISSING]%s\n", label, cpu, packets,
		       end);
}

/* Return: number of first events that are not printed, counted on separate streams. */
static uint64_t count_skipped(const struct tring_report *report)
{
	uint64_t events = 0;
	size_t i;

	if (!report->newest)
		return 0;
	for (i = 0; i < report->count; i++) {
		struct tring_packets packets;
		struct tring_stream stream;
		struct tring_record record;

		tring_report_stream(report, &report->cpus[i], &packets, &stream);
		while (tring_stream_next(&stream, &record) == TRING_OK)
			events += record.id != TRING_ID_DISCARDED;
		tring_packets_close(&packets);
	}
	return events > report->newest ? events - report->newest : 0;
}

/**
 * tring_report_fail - give up because stdout cannot be written
 * @report: the report, right after the write, with its errno
 */
void tring_report_fail(struct tring_report *report)
{
	tring_error("the output cannot be written: %s", tring_errno_text(errno));
	clearerr(stdout);
	report->failed = true;
	report->bad++;
}

static const char *print_line(struct tring_report *report, const struct tring_report_cpu *cpu,
			      const struct tring_record *record)
{
	const char *wrong = tring_printer_print(&report->printer, stdout, record, cpu->cpu);

	if (ferror_unlocked(stdout))
		tring_report_fail(report);
	return wrong;
}

static void print_loss(struct tring_report *report, const struct tring_report_cpu *cpu,
		       const struct tring_record *behind, uint64_t events, uint64_t packets)
{
	const struct tring_style *style = &report->style;
	char *before = tring_format("%s%s", style->label ? style->label : "",
				    style->colour ? TRING_COLOUR_LOSS : "");

	(void)behind;
	tring_report_print_loss(before, cpu->cpu, events, packets,
				style->colour ? TRING_COLOUR_END : "");
	free(before);
}

static const struct tring_report_writer lines = { print_line, print_loss };

static void write_event(struct tring_report *report, const struct tring_merge_entry *entry)
{
	const struct tring_report_cpu *cpu = entry->stream->private;
	bool unknown = entry->record.id == TRING_ID_UNKNOWN;
	const char *wrong;
	char *place;

	wrong = report->writer->event(report, cpu, &entry->record);
	report->printed++;
	if (!wrong)
		return;
	place = tring_packets_place(&cpu->packets, tring_report_path(cpu));
	tring_error("%s: offset 0x%" PRIx64 ": %s %u: %s", place,
		    entry->stream->packet.offset + entry->record.offset,
		    unknown ? "short" : "id", unknown ? entry->record.type :
		    entry->record.id, wrong);
	free(place);
	report->bad++;
}

/* @behind: the CPU's next event; NULL at the end */
static void write_held_loss(struct tring_report *report, struct tring_report_cpu *cpu,
			    const struct tring_record *behind)
{
	if (!cpu->held_events && !cpu->held_packets)
		return;
	report->writer->loss(report, cpu, behind, cpu->held_events, cpu->held_packets);
	cpu->held_events = 0;
	cpu->held_packets = 0;
}

static bool is_shown_cpu(const struct tring_report *report, const struct tring_report_cpu *cpu)
{
	return !report->selection || tring_selection_has_cpu(report->selection, cpu->cpu);
}

/* A loss is held until an event of the CPU is printed behind it. */
static void hold_loss(struct tring_report *report, struct tring_report_cpu *cpu,
		      const struct tring_record *behind)
{
	if (!is_shown_cpu(report, cpu))
		return;
	report->lost += cpu->stream.lost_events;
	cpu->held_events += cpu->stream.lost_events;
	cpu->held_packets += cpu->stream.lost_packets;
	if (!report->selection)
		write_held_loss(report, cpu, behind);
}

/* What the selection leaves out may still tell the names of tasks. */
static bool is_selected(const struct tring_selection *selection, struct tring_printer *printer,
			const struct tring_report_cpu *cpu, const struct tring_record *record)
{
	bool selected = tring_selection_has(selection, record) &&
			tring_selection_has_cpu(selection, cpu->cpu);

	if (selected && !selection->comms.count && !selection->filter_count)
		return true;
	tring_printer_learn(printer, record);
	return selected &&
	       (!selection->comms.count ||
		tring_selection_has_comm(selection,
					 tring_names_comm(&printer->names, record->pid))) &&
	       tring_selection_has_fields(selection,
					  tring_events_find(printer->events, record->id),
					  record, cpu->cpu, &printer->names);
}

static void write_selected(struct tring_report *report, const struct tring_merge_entry *entry)
{
	struct tring_report_cpu *cpu = entry->stream->private;

	if (!is_selected(report->selection, &report->printer, cpu, &entry->record))
		return;
	write_held_loss(report, cpu, &entry->record);
	write_event(report, entry);
}

/**
 * tring_report_begin - go to the first event or loss
 * @report: the report, with its events and with its CPUs started; to be ended with
 *	tring_report_finish()
 */
void tring_report_begin(struct tring_report *report)
{
	size_t i;

	if (!report->writer)
		report->writer = &lines;
	report->skip = count_skipped(report);
	report->entries = tring_allocate(report->count * sizeof(*report->entries));
	for (i = 0; i < report->count; i++)
		report->entries[i].stream = &report->cpus[i].stream;
	tring_printer_init(&report->printer, &report->events, report->info.clock_frequency);
	report->printer.style = report->style;
	report->printer.style.clock_offset = report->info.clock_offset;
	tring_merge_init(&report->merge, report->entries, report->count);
	report->entry = tring_merge_next(&report->merge);
}

/**
 * tring_report_take - write the event or loss at which the report is, and go to the next
 * @report: the report, with a next one
 */
void tring_report_take(struct tring_report *report)
{
	const struct tring_merge_entry *entry = report->entry;
	const struct tring_stream *stream = entry->stream;
	struct tring_report_cpu *cpu = stream->private;

	if (stream->lost_packets) {
		cpu->gap_packets += stream->lost_packets;
		cpu->gap_events += stream->lost_events;
	}
	if ((stream->lost_events || stream->lost_packets) && !report->skip)
		hold_loss(report, cpu, &entry->record);
	if (entry->record.id != TRING_ID_DISCARDED) {
		cpu->events++;
		if (report->skip)
			report->skip--;
		else if (report->selection)
			write_selected(report, entry);
		else
			write_event(report, entry);
	}
	report->entry = report->failed ? NULL : tring_merge_next(&report->merge);
}

/**
 * tring_report_last_loss - get the number of events lost behind a CPU's last event
 * @cpu: the CPU, after all packets of a file were read
 *
 * Return: number of events, including those lost after the last packet was closed, and
 * those that were recorded and are not in the file.
 */
uint64_t tring_report_last_loss(const struct tring_report_cpu *cpu)
{
	const struct tring_packet_file *file = cpu->count ? &cpu->files[cpu->packets.at] : NULL;
	const struct tring_stream *stream = &cpu->stream;
	uint64_t events = cpu->events - cpu->earlier, lost;

	if (!file || !file->know_end || !stream->know_discarded ||
	    stream->packet.timestamp_end > stream->to)
		return stream->pending_events;
	lost = file->lost;
	/* packets that were left out have an unknown number of events */
	if (!stream->partial && file->recorded > events)
		lost += file->recorded - events;
	return stream->pending_events +
	       (lost > stream->seen_discarded ? lost - stream->seen_discarded : 0);
}

/**
 * tring_report_finish - write what is missing behind each CPU's last event
 * @report: the report, at its end
 */
void tring_report_finish(struct tring_report *report)
{
	size_t i;

	for (i = 0; i < report->count && !report->failed; i++) {
		struct tring_report_cpu *cpu = &report->cpus[i];
		uint64_t last = tring_report_last_loss(cpu);

		if (!is_shown_cpu(report, cpu))
			continue;
		report->lost += last;
		cpu->held_events += last;
		cpu->held_packets += cpu->stream.pending_packets;
		write_held_loss(report, cpu, NULL);
	}
	for (i = 0; i < report->count; i++)
		report->bad += report->cpus[i].stream.errors;
	tring_printer_free(&report->printer);
	free(report->entries);
}

/**
 * tring_report_print - write the events and the losses of all CPUs
 * @report: the report, with its events and with its CPUs started
 */
void tring_report_print(struct tring_report *report)
{
	tring_report_begin(report);
	while (report->entry)
		tring_report_take(report);
	tring_report_finish(report);
}

static void free_cpu(struct tring_report_cpu *cpu)
{
	tring_packets_close(&cpu->packets);
	while (cpu->count) {
		free(cpu->files[--cpu->count].path);
		free(cpu->files[cpu->count].compressed);
		free(cpu->files[cpu->count].dir);
	}
	free(cpu->files);
	free(cpu->path);
}

/**
 * tring_report_end - release a report
 * @report: report that tring_report_init() has filled in, or zeroed
 *
 * Return: TRING_EXIT_OK; _BAD after an error, or if the output failed.
 */
int tring_report_end(struct tring_report *report)
{
	size_t i;

	if (fflush(stdout) || ferror(stdout))
		tring_report_fail(report);
	for (i = 0; i < report->count; i++)
		free_cpu(&report->cpus[i]);
	free(report->cpus);
	tring_parts_list_free(&report->parts);
	if (report->dat)
		tring_dat_records_close(report->dat);
	free(report->dat);
	tring_events_free(&report->events);
	return report->bad ? TRING_EXIT_BAD : TRING_EXIT_OK;
}
