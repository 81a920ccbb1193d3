// SPDX-License-Identifier: GPL-2.0
/*
 * Metadata of the traces that ctf.c writes: names and environment are those of traces that
 * perf converts to CTF, which Trace Compass' analyses of the kernel know.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "ctf_metadata.h"
#include "export.h"
#include "tring_version.h"
#include "util/tsdl_text.h"
#include "util/util.h"

static const char preamble[] =
	TRING_TSDL_INTEGERS
	"\n";

static const char stream_class[] =
	"typealias integer {\n"
	"\tsize = 64; align = 8; signed = false; map = clock.trace_clock.value;\n"
	"} := uint64_clock_t;\n"
	"\n"
	"stream {\n"
	"\tpacket.context := struct {\n"
	"\t\tuint64_clock_t timestamp_begin;\n"
	"\t\tuint64_clock_t timestamp_end;\n"
	"\t\tuint64_t content_size;\n"
	"\t\tuint64_t packet_size;\n"
	"\t\tuint64_t packet_seq_num;\n"
	"\t\tuint64_t events_discarded;\n"
	"\t\tuint32_t cpu_id;\n"
	"\t};\n"
	"\tevent.header := struct {\n"
	"\t\tuint16_t id;\n"
	"\t\tuint64_clock_t timestamp;\n"
	"\t};\n"
	"\tevent.context := struct {\n"
	"\t\tint32_t _pid;\n"
	"\t\tint32_t _tid;\n"
	"\t\tuint8_t _flags;\n"
	"\t\tuint8_t _preempt_count;\n"
	"\t\tstring { encoding = UTF8; } _comm;\n"
	"\t};\n"
	"};\n";

static const char undecoded_event[] =
	"\n"
	"event {\n"
	"\tname = \"tring:undecoded\";\n"
	"\tid = 0;\n"
	"\tfields := struct {\n"
	"\t\tuint16_t _id;\n"
	"\t\tuint32_t __payload_len;\n"
	"\t\tuint8_t _payload[__payload_len];\n"
	"\t};\n"
	"};\n";

static void write_environment(FILE *file, const struct tring_trace *trace)
{
	static const struct {
		const char *name, *key;
	} texts[] = {
		{ "hostname", "hostname" },
		{ "release", "kernel_release" },
		{ "machine", "architecture" },
	};
	size_t i;

	fputs("env {\n\tdomain = \"kernel\";\n\ttracer_name = \"perf\";\n"
	      "\tsysname = \"Linux\";\n\ttring_version = \"" TRING_VERSION "\";\n", file);
	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		fprintf(file, "\t%s = ", texts[i].name);
		tring_tsdl_string(file, tring_env(trace, texts[i].key));
		fputs(";\n", file);
	}
	fputs("};\n\n", file);
}

/*
 * Times are nanoseconds, whatever the ticks of the trace are. The name of the clock is no
 * keyword of TSDL: Trace Compass' parser refuses "trace" there.
 */
static void write_clock(FILE *file, const struct tring_trace *trace)
{
	struct tring_wall zero;
	bool absolute = tring_wall(trace, 0, &zero);

	fprintf(file, "clock {\n\tname = trace_clock;\n\tdescription = ");
	tring_tsdl_string(file, tring_env(trace, "clock"));
	fprintf(file, ";\n\tfreq = 1000000000;\n\toffset_s = %" PRId64 ";\n\toffset = %u;\n",
		zero.seconds, zero.ns);
	fprintf(file, "%s};\n", absolute ? "\tabsolute = TRUE;\n" : "");
}

static void write_field(FILE *file, const struct tring_event *event,
			const struct tring_field *field)
{
	const char *sign = field->is_signed ? "" : "u";
	unsigned int bits = 8 * field->element;
	char *length;

	if (field->kind == TRING_FIELD_NUMBER) {
		fprintf(file, "\t\t%sint%u_t _%s;\n", sign, bits, field->name);
	} else if (field->kind == TRING_FIELD_TEXT) {
		fprintf(file, "\t\tstring { encoding = UTF8; } _%s;\n", field->name);
	} else if (field->place == TRING_PLACE_FIXED) {
		fprintf(file, "\t\t%sint%u_t _%s[%u];\n", sign, bits, field->name,
			field->size / field->element);
	} else {
		length = tring_tsdl_name(event, field->name, "_len");
		fprintf(file, "\t\tuint32_t %s;\n\t\t%sint%u_t _%s[%s];\n", length, sign, bits,
			field->name, length);
		free(length);
	}
}

/*
 * Trace Compass takes events whose names begin as those of raw_syscalls for system calls.
 * So do those of one call, unless the trace has both.
 */
static void write_name(FILE *file, const struct tring_event *event, bool raw)
{
	bool is_call = !strcmp(event->system, "syscalls") && !raw;
	char *name = tring_format("%s:%s", is_call ? "raw_syscalls" : event->system,
				  event->name);

	fputs("\nevent {\n\tname = ", file);
	tring_tsdl_string(file, name);
	free(name);
}

static void write_event(FILE *file, const struct tring_event *event, bool raw)
{
	size_t i;

	write_name(file, event, raw);
	fprintf(file, ";\n\tid = %d;\n\tfields := struct {\n", event->id);
	for (i = 0; i < event->field_count; i++)
		write_field(file, event, &event->fields[i]);
	fputs("\t};\n};\n", file);
}

/**
 * tring_ctf_metadata - write the metadata
 * @file: file to write to; the caller checks ferror()
 * @trace: the trace
 */
void tring_ctf_metadata(FILE *file, const struct tring_trace *trace)
{
	char *uuid = tring_uuid_text(tring_uuid(trace));
	bool raw = tring_has_raw_calls(trace);
	size_t i;

	fputs(preamble, file);
	fprintf(file, "trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"%s\";\n", uuid);
	fprintf(file, "\tbyte_order = %s;\n", tring_big_endian(trace) ? "be" : "le");
	fputs("\tpacket.header := struct {\n\t\tuint32_t magic;\n"
	      "\t\tuint8_t uuid[16];\n\t};\n};\n\n", file);
	write_environment(file, trace);
	write_clock(file, trace);
	fputs(stream_class, file);
	fputs(undecoded_event, file);
	for (i = 0; i < tring_event_count(trace); i++)
		write_event(file, tring_event_at(trace, i), raw);
	free(uuid);
}
