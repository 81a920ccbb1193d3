// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * CTF 1.8 metadata (TSDL) for a tring trace; "CTF metadata" in uapi/format.md has
 * the reasons for its form.
 *
 * An event's fields are declared at the offsets of its format file, with explicit
 * pads between them: records begin at any byte, and a CTF reader would align
 * fields relative to the packet.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "event/fields.h"
#include "tsdl.h"
#include "util/util.h"

/* The fields of every record extend to this payload offset at least. */
#define FIELDS_LEAST	(TRING_PAYLOAD_HEAD + TRING_FIELDS_MIN)

static const char preamble[] =
	TRING_TSDL_INTEGERS
	"typealias integer { size = 32; align = 8; signed = false; base = 16; } := xint32_t;\n"
	"typealias integer { size = 64; align = 8; signed = false; base = 16; } := xint64_t;\n"
	"typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := char_t;\n"
	"typealias integer { size = 1; align = 1; signed = false; } := uint1_t;\n"
	"typealias integer { size = 2; align = 1; signed = false; } := uint2_t;\n"
	"typealias integer { size = 3; align = 1; signed = false; } := uint3_t;\n"
	"typealias integer { size = 1; align = 1; signed = false; byte_order = le; } := bit_t;\n"
	"typealias integer { size = 3; align = 1; signed = false; byte_order = le; } := bits3_t;\n"
	"typealias integer { size = 5; align = 1; signed = false; } := uint5_t;\n"
	"typealias integer { size = 13; align = 1; signed = false; } := uint13_t;\n"
	"typealias integer { size = 14; align = 1; signed = false; } := uint14_t;\n"
	"typealias integer { size = 15; align = 1; signed = false; } := uint15_t;\n"
	"typealias integer { size = 16; align = 1; signed = false; } := uint16_packed_t;\n"
	"typealias integer { size = 27; align = 1; signed = false; } := uint27_packed_t;\n"
	"\n";

static const char stream_class[] =
	"stream {\n"
	"\t/* between the uuid and this lie 44 bytes that a CTF reader does not need */\n"
	"\tpacket.context := struct {\n"
	"\t\tuint64_clock_t timestamp_begin;\n"
	"\t\tuint64_clock_t timestamp_end;\n"
	"\t\tuint32_t content_size;\n"
	"\t\tuint32_t packet_size;\n"
	"\t\tuint64_t packet_seq_num;\n"
	"\t\tuint64_t events_discarded;\n"
	"\t\tuint64_t cpu_id;\n"
	"\t} align(512);\n"
	"\tevent.header := struct {\n"
	"\t\tenum : uint5_t { short_id = 1 ... 29, long_id = 30, extended = 31 } id;\n"
	"\t\tvariant <id> {\n"
	"\t\t\tstruct {\n"
	"\t\t\t\tuint27_clock_t timestamp;\n"
	"\t\t\t} short_id;\n"
	"\t\t\tstruct {\n"
	"\t\t\t\tuint27_clock_t timestamp;\n"
	"\t\t\t\tuint16_packed_t id;\n"
	"\t\t\t} long_id;\n"
	"\t\t\tstruct {\n"
	"\t\t\t\tstruct { uint27_packed_t id; } low;\n"
	"\t\t\t\tuint64_packed_clock_t timestamp;\n"
	"\t\t\t\tuint16_packed_t id;\n"
	"\t\t\t} extended;\n"
	"\t\t} v;\n"
	"\t} align(8);\n"
	"\tevent.context := struct {\n"
	"\t\t/* one byte, from bit 0 up in both byte orders */\n"
	"\t\tbit_t _irqs_off;\n"
	"\t\tbit_t _has_pid;\n"
	"\t\tbit_t _need_resched;\n"
	"\t\tbit_t _hardirq;\n"
	"\t\tbit_t _softirq;\n"
	"\t\tenum : bits3_t { exact = 0 ... 6, full = 7 } _preempt_count;\n"
	"\t\t/* empty: the pid of the previous event in this packet, discarded or not */\n"
	"\t\tint32_t _common_pid[_has_pid];\n"
	"\t\tvariant <_preempt_count> {\n"
	"\t\t\tstruct { } exact;\n"
	"\t\t\tstruct {\n"
	"\t\t\t\tuint8_t _common_flags;\n"
	"\t\t\t\tuint8_t _common_preempt_count;\n"
	"\t\t\t} full;\n"
	"\t\t} _full;\n"
	"\t};\n"
	"};\n";

static const char discarded_event[] =
	"\n"
	"/* a record that its writer has discarded; it is not an event */\n"
	"event {\n"
	"\tname = \"tring_discarded\";\n"
	"\tid = 29;\n"
	"\tfields := struct {\n"
	"\t\tuint32_t _skip;\n"
	"\t\tchar_t _skipped[_skip];\n"
	"\t};\n"
	"};\n";

/**
 * struct layout - position while one event's fields are written
 * @file: stream of open_memstream(), which takes long to open, for one event after the other
 * @text: what was written to @file
 * @size: bytes of @text
 * @event: the event
 * @at: payload offset behind the last field
 * @pads: number of pads so far
 */
struct layout {
	FILE		*file;
	char		*text;
	size_t		size;
	const struct tring_event *event;
	uint32_t	at;
	unsigned int	pads;
};

static void write_pad(struct layout *layout, uint32_t to)
{
	uint32_t size = to - layout->at;
	char *number, *name;

	if (layout->at >= to)
		return;
	number = tring_format("%u", layout->pads++);
	name = tring_tsdl_name(layout->event, "pad", number);
	/*
	 * One number, which viewers print shorter than an array of bytes.
	 * babeltrace 1 aborts at sizes of 24 bits and the like with align = 8.
	 */
	if (size <= sizeof(uint64_t))
		fprintf(layout->file,
			"\t\tinteger { size = %u; align = 1; base = 16; } %s;\n",
			8 * size, name);
	else
		fprintf(layout->file, "\t\tuint8_t %s[%u];\n", name, size);
	layout->at = to;
	free(name);
	free(number);
}

/* Return: the type's name; NULL if the data has to be declared as bytes. */
static const char *integer_name(const struct tring_field *field)
{
	static const char * const names[2][4] = {
		{ "uint8_t", "uint16_t", "uint32_t", "uint64_t" },
		{ "int8_t", "int16_t", "int32_t", "int64_t" },
	};
	unsigned int power = __builtin_ctz(field->element);

	if (field->kind == TRING_FIELD_TEXT)
		return "char_t";
	if (strchr(field->type, '*') && power >= 2)
		return power == 2 ? "xint32_t" : "xint64_t";
	/* a format file does not describe the members of structs */
	if (!strchr(field->type, '*') &&
	    (strstr(field->type, "struct ") || strstr(field->type, "union ")))
		return NULL;
	return names[field->is_signed][power];
}

static bool is_dynamic(const struct tring_field *field)
{
	return field->place == TRING_PLACE_LOCATION || field->place == TRING_PLACE_RELATIVE;
}

/*
 * Declare the 4 bytes that locate a dynamic field: offset in the low half, length
 * in bytes in the high half. CTF cannot divide, so the length is split into the
 * number of elements and low bits that are always zero.
 */
static void write_location(struct layout *layout,
			   const struct tring_field *field, bool big_endian)
{
	static const char * const zero_types[] = { "", "uint1_t", "uint2_t",
						   "uint3_t" };
	static const char * const count_types[] = { "uint16_t", "uint15_t",
						    "uint14_t", "uint13_t" };
	unsigned int shift = integer_name(field) ? __builtin_ctz(field->element) : 0;
	char *offset = tring_tsdl_name(layout->event, field->name, "_off");
	char *length = tring_tsdl_name(layout->event, field->name, "_len");
	char *zero = tring_tsdl_name(layout->event, field->name, "_zero");
	FILE *file = layout->file;

	if (!big_endian)
		fprintf(file, "\t\tuint16_t %s;\n", offset);
	if (shift && !big_endian)
		fprintf(file, "\t\t%s %s;\n", zero_types[shift], zero);
	fprintf(file, "\t\t%s %s;\n", count_types[shift], length);
	if (shift && big_endian)
		fprintf(file, "\t\t%s %s;\n", zero_types[shift], zero);
	if (big_endian)
		fprintf(file, "\t\tuint16_t %s;\n", offset);
	free(offset);
	free(length);
	free(zero);
}

static void write_dynamic(struct layout *layout, const struct tring_field *field)
{
	char *length = tring_tsdl_name(layout->event, field->name, "_len");
	const char *type = integer_name(field);

	fprintf(layout->file, "\t\t%s _%s[%s];\n", type ? type : "uint8_t",
		field->name, length);
	free(length);
}

static void write_fixed(struct layout *layout, const struct tring_field *field)
{
	const char *type = integer_name(field);

	fprintf(layout->file, "\t\t%s _%s", type ? type : "uint8_t", field->name);
	if (!type || field->kind != TRING_FIELD_NUMBER)
		fprintf(layout->file, "[%u]", type ? field->size / field->element : field->size);
	fputs(";\n", layout->file);
}

/* Declare the array at the record's end, and the number of its elements. */
static void write_counted(struct layout *layout)
{
	const struct tring_event *event = layout->event;
	const struct tring_field *field = event->fields;
	const struct tring_field *last = field + event->field_count - 1;

	while (field->offset != tring_event_private(event)->frame_count)
		field++;
	write_pad(layout, field->offset);
	/* CTF counts by unsigned numbers only */
	fprintf(layout->file, "\t\tuint32_t _%s;\n", field->name);
	layout->at += field->size;
	write_pad(layout, last->offset);
	fprintf(layout->file, "\t\txint64_t _%s[_%s];\n", last->name, field->name);
}

/* Declare a field without a size, as in ftrace's own "print": it ends with a zero byte. */
static void write_rest(struct layout *layout, const struct tring_field *field)
{
	if (field->kind == TRING_FIELD_TEXT)
		fprintf(layout->file, "\t\tstring { encoding = UTF8; } _%s;\n",
			field->name);
	else
		fprintf(layout->file, "\t\t/* %s: its length is unknown */\n",
			field->name);
}

static void write_field(struct layout *layout, const struct tring_field *field,
			bool big_endian)
{
	if (field->offset < layout->at) {
		fprintf(layout->file, "\t\t/* %s: overlaps another field */\n",
			field->name);
		return;
	}
	write_pad(layout, field->offset);
	if (is_dynamic(field))
		write_location(layout, field, big_endian);
	else
		write_fixed(layout, field);
	layout->at += field->size;
}

static void write_fields(struct layout *layout, bool big_endian)
{
	const struct tring_event *event = layout->event;
	const struct tring_field *field, *rest = NULL, *end = event->fields + event->field_count;
	const struct tep_format_field *common = event->parsed->format.common_fields;

	/* Those of the first 8 bytes are in the event's header and context. */
	for (; common; common = common->next) {
		struct tring_field more = tring_field_describe(common, event);

		if (more.offset >= TRING_PAYLOAD_HEAD)
			write_field(layout, &more, big_endian);
	}
	if (event->frames) {
		write_counted(layout);
		return;
	}
	for (field = event->fields; field < end; field++) {
		if (field->size)
			write_field(layout, field, big_endian);
		else
			rest = field;
	}
	write_pad(layout, FIELDS_LEAST);
	for (field = event->fields; field < end; field++)
		if (is_dynamic(field))
			write_dynamic(layout, field);
	if (rest)
		write_rest(layout, rest);
}

/*
 * The metadata is written again for each event that gets a short type, and nearly all of it is the
 * fields, which stay the same. Return: the name of the length, in a line of its own, and the
 * fields; NULL without memory.
 */
static const char *declare_fields(struct layout *layout, const struct tring_event *event,
				  bool big_endian)
{
	char **place = &tring_event_private(event)->declared, *before = NULL, *length;
	char *declared = __atomic_load_n(place, __ATOMIC_ACQUIRE);

	if (declared)
		return declared;
	rewind(layout->file);
	length = tring_tsdl_name(event, "length", "");
	fprintf(layout->file, "%s;\n", length);
	free(length);
	layout->event = event;
	layout->at = TRING_PAYLOAD_HEAD;
	layout->pads = 0;
	write_fields(layout, big_endian);
	if (!fflush(layout->file) && !ferror(layout->file))
		declared = strndup(layout->text, layout->size);
	/* two threads may describe the same event, each in a part of its own */
	if (!declared || __atomic_compare_exchange_n(place, &before, declared, false,
						     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		return declared;
	free(declared);
	return before;
}

/*
 * @length: type of the length before the fields, NULL if they have none
 * @fields: see declare_fields()
 */
static void write_event(FILE *file, const struct tring_event *event,
			unsigned int id, const char *length, const char *fields)
{
	fputs("\nevent {\n\tname = ", file);
	tring_tsdl_string(file, event->name);
	fprintf(file, ";\n\tid = %u;\n\tfields := struct {\n", id);
	if (length)
		fprintf(file, "\t\t%s ", length);
	else
		fields = strchr(fields, '\n') + 1;
	fputs(fields, file);
	fputs("\t};\n};\n", file);
}

/*
 * In CTF the short and the long records of an event are two event classes.
 * Return: false without memory.
 */
static bool write_forms(FILE *file, struct layout *layout, const struct tring_event *event,
			const struct tring_short_ids *shorts, bool big_endian)
{
	const struct tring_event *like = tring_event_private(event)->like;
	const char *fields = declare_fields(layout, like ? like : event, big_endian);
	uint16_t id = event->id;
	unsigned int type = tring_short_ids_find(shorts, id);

	if (fields && type)
		write_event(file, event, type,
			    shorts->lengths[type] == TRING_LENGTH_VARIES ?
			    "uint16_t" : NULL, fields);
	if (fields)
		write_event(file, event, id + TRING_LONG_ID_BASE, "uint32_t", fields);
	return fields;
}

static void write_stamp(FILE *file, const struct tring_trace_info *info,
			unsigned int size, unsigned int align, const char *name)
{
	fprintf(file, "typealias integer { size = %u; align = %u; signed = false; ",
		size, align);
	fprintf(file, "map = clock.%s.value; } := %s;\n", info->clock, name);
}

static void write_clock(FILE *file, const struct tring_trace_info *info)
{
	int64_t frequency = info->clock_frequency;
	int64_t seconds = info->clock_offset / frequency;
	int64_t ticks = info->clock_offset % frequency;

	if (ticks < 0) {
		ticks += frequency;
		seconds--;
	}
	fprintf(file, "clock {\n\tname = %s;\n", info->clock);
	fprintf(file, "\tfreq = %" PRIu64 ";\n", info->clock_frequency);
	/* separate seconds: viewers multiply the ticks by 10^9 in 64 bits */
	fprintf(file, "\toffset_s = %" PRId64 ";\n\toffset = %" PRId64 ";\n", seconds, ticks);
	/* the times are those of all traces that have it; babeltrace2 2.1 merges no others */
	fprintf(file, "%s};\n", info->no_wall ? "" : "\tabsolute = TRUE;\n");
	write_stamp(file, info, 27, 1, "uint27_clock_t");
	write_stamp(file, info, 64, 8, "uint64_clock_t");
	write_stamp(file, info, 64, 1, "uint64_packed_clock_t");
	fputc('\n', file);
}

static void write_origins(FILE *file, const struct tring_trace_info *info)
{
	size_t i;

	for (i = 0; i < TRING_ORIGINS; i++) {
		if (!*info->origins[i])
			continue;
		fprintf(file, "\t%s = ", tring_origin_keys[i]);
		tring_tsdl_string(file, info->origins[i]);
		fputs(";\n", file);
	}
}

static void write_clock_events(FILE *file, const struct tring_trace_info *info)
{
	size_t i;

	for (i = 0; i < TRING_CLOCK_EVENTS; i++)
		if (info->clock_events[i])
			fprintf(file, "\t%s = %" PRIu64 ";\n", tring_clock_event_keys[i],
				info->clock_events[i]);
}

/**
 * tring_tsdl_write - write the metadata
 * @file: file to write to; the caller checks ferror()
 * @info: properties of the trace
 * @shorts: short ids of the trace
 * @events: every event that may occur
 *
 * Return: false without memory.
 */
bool tring_tsdl_write(FILE *file, const struct tring_trace_info *info,
		      const struct tring_short_ids *shorts,
		      const struct tring_events *events)
{
	char *uuid = tring_uuid_text(info->uuid);
	struct layout layout = { .file = open_memstream(&layout.text, &layout.size) };
	bool good = layout.file;
	size_t i;

	fputs(preamble, file);
	fprintf(file, "trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"%s\";\n",
		uuid);
	fprintf(file, "\tbyte_order = %s;\n", info->big_endian ? "be" : "le");
	fputs("\tpacket.header := struct {\n\t\tuint32_t magic;\n"
	      "\t\tuint8_t uuid[16];\n\t};\n};\n\n", file);
	/* no domain: with "kernel", Trace Compass expects the fields of LTTng's events */
	fputs("env {\n\ttracer_name = \"tring\";\n"
	      "\ttracer_major = 0;\n\ttracer_minor = 1;\n\thostname = ", file);
	tring_tsdl_string(file, info->hostname);
	fprintf(file, ";\n\ttring_format_version = %u;\n", info->format_version);
	write_origins(file, info);
	write_clock_events(file, info);
	fputs("};\n\n", file);
	write_clock(file, info);
	fputs(stream_class, file);
	fputs(discarded_event, file);
	for (i = 0; i < events->count && good; i++)
		good = write_forms(file, &layout, events->list[i], shorts, info->big_endian);
	if (layout.file)
		fclose(layout.file);
	free(layout.text);
	free(uuid);
	return good;
}
