// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a trace of Perfetto: its ftrace events, in bundles of one CPU each.
 *
 * Perfetto takes the times of ftrace's events for those of CLOCK_BOOTTIME, so that is what
 * the snapshot of the clocks calls the clock of the trace, whichever that is. The snapshot
 * has the time of day, too, by which Perfetto aligns the traces of several machines.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "output.h"
#include "perfetto_messages.h"
#include "protobuf.h"
#include "tring_version.h"
#include "util/clock.h"
#include "util/number.h"
#include "util/text.h"
#include "util/util.h"

/*
 * The first packet is the same in all traces but for the machine, whose number takes 5 bytes
 * always: a trace is known by it.
 */
#define MAGIC		"\x0a\x11\xea\x02\x07\x22\x05tring"
#define MAGIC_SIZE	12

/* A bundle is written when it has as many bytes. */
#define BUNDLE_SIZE	(32 * 1024)

/* A loss; and what of an event has no place in its own message, behind the event's name. */
#define LOSS_EVENT	"tring_lost"
#define REST		"_rest"

/* Numbers of fields, by their message. */
enum { TRACE_PACKET = 1 };

enum {
	PACKET_FTRACE_EVENTS = 1,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_SEQUENCE_ID = 10,
	PACKET_SYSTEM_INFO = 45,
	PACKET_TRACE_UUID = 89,
	PACKET_MACHINE_ID = 98,
};

enum { BUNDLE_CPU = 1, BUNDLE_EVENT = 2, BUNDLE_LOST_EVENTS = 3 };
enum { EVENT_TIMESTAMP = 1, EVENT_PID = 2 };
enum { GENERIC_NAME = 1, GENERIC_FIELD = 2 };
enum { FIELD_NAME = 1, FIELD_TEXT = 3, FIELD_SIGNED = 4, FIELD_UNSIGNED = 5 };
enum { SNAPSHOT_CLOCK = 1, CLOCK_NUMBER = 1, CLOCK_TIMESTAMP = 2 };
enum { UUID_HIGH = 1, UUID_LOW = 2 };
enum { SYSTEM_UTSNAME = 1, SYSTEM_SERVICE = 4, SYSTEM_MACHINE = 17 };
enum { UTSNAME_SYSTEM = 1, UTSNAME_RELEASE = 3, UTSNAME_MACHINE = 4 };

/* Perfetto's numbers of clocks. */
enum { REALTIME = 1, MONOTONIC = 3, BOOTTIME = 6 };

/**
 * struct perfetto_cpu - the bundle of a CPU that is being filled
 * @cpu: number of the CPU
 * @bundle: its events
 * @last: time of the last event, in nanoseconds; 0 without one
 * @lost: events are missing before the first event of @bundle
 */
struct perfetto_cpu {
	int		cpu;
	struct tring_line bundle;
	uint64_t	last;
	bool		lost;
};

/**
 * struct perfetto_event - how an event is written
 * @name: name of its generic message, NULL before the first such event
 * @event: the event
 * @places: where its fields go
 * @has_rest: its own message has no place for some of them
 */
struct perfetto_event {
	char		*name;
	const struct tring_event *event;
	struct tring_perfetto_places places;
	bool		has_rest;
};

/**
 * struct perfetto - a trace that is being written
 * @output: the file
 * @source: the trace that is read
 * @big_endian: its byte order
 * @cpus: its CPUs
 * @count: number of @cpus
 * @last: as of a CPU, of all; begin of the trace without one
 * @machine: the machine, in each packet
 * @packet: what precedes the events of a bundle
 * @plans: how each event is written, by the number of the event
 */
struct perfetto {
	struct tring_output output;
	struct tring_trace *source;
	bool		big_endian;
	struct perfetto_cpu *cpus;
	size_t		count;
	uint64_t	last;
	uint32_t	machine;
	struct tring_line packet;
	struct perfetto_event *plans;
};

static void add_text(struct tring_line *buffer, uint32_t field, const char *text)
{
	tring_proto_text(buffer, field, text, strlen(text));
}

static void write_line(struct perfetto *trace, struct tring_line *line)
{
	tring_output_add(&trace->output, line->start, line->at - line->start);
	line->at = line->start;
}

/* 31 bits of a hash, and the highest one, which makes a varint of 5 bytes of it. */
static uint32_t machine_of(const struct tring_trace *trace)
{
	const char *host = tring_env(trace, "hostname");
	const uint8_t *at = *host ? (const uint8_t *)host : tring_uuid(trace);
	size_t size = *host ? strlen(host) : TRING_UUID_SIZE, i;
	uint32_t hash = 0x811c9dc5;

	for (i = 0; i < size; i++)
		hash = (hash ^ at[i]) * 0x01000193;
	return hash | 0x80000000;
}

static void start(struct perfetto *trace, struct tring_trace *source)
{
	size_t i;

	*trace = (struct perfetto) {
		.source = source, .big_endian = tring_big_endian(source),
		.count = tring_cpu_count(source), .machine = machine_of(source),
		.last = tring_ns(source, tring_begin(source)),
	};
	trace->cpus = tring_allocate((trace->count + 1) * sizeof(*trace->cpus));
	for (i = 0; i < trace->count; i++) {
		trace->cpus[i].cpu = tring_cpu_at(source, i);
		tring_line_init(&trace->cpus[i].bundle);
	}
	trace->plans = tring_allocate((tring_event_count(source) + 1) * sizeof(*trace->plans));
	tring_line_init(&trace->packet);
}

static void free_trace(struct perfetto *trace)
{
	size_t i;

	for (i = 0; i < trace->count; i++)
		tring_line_free(&trace->cpus[i].bundle);
	for (i = 0; i < tring_event_count(trace->source); i++) {
		free(trace->plans[i].name);
		free(trace->plans[i].places.numbers);
	}
	free(trace->cpus);
	free(trace->plans);
	tring_line_free(&trace->packet);
}

static void add_service(struct perfetto *trace)
{
	struct tring_line *packet = &trace->packet;
	size_t begin = tring_proto_begin(packet, TRACE_PACKET);
	size_t system = tring_proto_begin(packet, PACKET_SYSTEM_INFO);

	add_text(packet, SYSTEM_SERVICE, "tring");
	tring_proto_end(packet, system);
	tring_proto_number(packet, PACKET_MACHINE_ID, trace->machine);
	tring_proto_end(packet, begin);
}

static void add_system(struct perfetto *trace)
{
	const char *host = tring_env(trace->source, "hostname");
	struct tring_line *packet = &trace->packet;
	size_t begin = tring_proto_begin(packet, TRACE_PACKET);
	size_t system = tring_proto_begin(packet, PACKET_SYSTEM_INFO);
	size_t utsname = tring_proto_begin(packet, SYSTEM_UTSNAME);

	add_text(packet, UTSNAME_SYSTEM, "Linux");
	add_text(packet, UTSNAME_RELEASE, tring_env(trace->source, "kernel_release"));
	add_text(packet, UTSNAME_MACHINE, tring_env(trace->source, "architecture"));
	tring_proto_end(packet, utsname);
	add_text(packet, SYSTEM_SERVICE, "tring " TRING_VERSION);
	if (*host)
		add_text(packet, SYSTEM_MACHINE, host);
	tring_proto_end(packet, system);
	tring_proto_number(packet, PACKET_MACHINE_ID, trace->machine);
	tring_proto_end(packet, begin);
}

static void add_uuid(struct perfetto *trace)
{
	const uint8_t *bytes = tring_uuid(trace->source);
	struct tring_line *packet = &trace->packet;
	size_t begin = tring_proto_begin(packet, TRACE_PACKET);
	size_t uuid = tring_proto_begin(packet, PACKET_TRACE_UUID);

	tring_proto_number(packet, UUID_HIGH, tring_load_u64(bytes, true));
	tring_proto_number(packet, UUID_LOW, tring_load_u64(bytes + 8, true));
	tring_proto_end(packet, uuid);
	tring_proto_number(packet, PACKET_MACHINE_ID, trace->machine);
	tring_proto_end(packet, begin);
}

static void add_clock(struct tring_line *packet, uint32_t clock, uint64_t ns)
{
	size_t begin = tring_proto_begin(packet, SNAPSHOT_CLOCK);

	tring_proto_number(packet, CLOCK_NUMBER, clock);
	tring_proto_number(packet, CLOCK_TIMESTAMP, ns);
	tring_proto_end(packet, begin);
}

static void add_clocks(struct perfetto *trace)
{
	uint64_t stamp = tring_begin(trace->source), ns = tring_ns(trace->source, stamp);
	struct tring_line *packet = &trace->packet;
	size_t begin = tring_proto_begin(packet, TRACE_PACKET);
	size_t snapshot = tring_proto_begin(packet, PACKET_CLOCK_SNAPSHOT);
	struct tring_wall wall;

	add_clock(packet, BOOTTIME, ns);
	if (!strcmp(tring_env(trace->source, "clock"), "mono"))
		add_clock(packet, MONOTONIC, ns);
	/* a clock that is unknown, or was never set, is of no use for aligning traces */
	if (tring_wall(trace->source, stamp, &wall) && wall.seconds > 0)
		add_clock(packet, REALTIME, tring_wall_ns(&wall));
	tring_proto_end(packet, snapshot);
	tring_proto_number(packet, PACKET_MACHINE_ID, trace->machine);
	tring_proto_end(packet, begin);
}

static void add_head(struct perfetto *trace)
{
	add_service(trace);
	add_system(trace);
	add_uuid(trace);
	add_clocks(trace);
	write_line(trace, &trace->packet);
}

static void write_bundle(struct perfetto *trace, struct perfetto_cpu *cpu)
{
	struct tring_line *packet = &trace->packet;
	size_t size = cpu->bundle.at - cpu->bundle.start, begin, bundle;

	if (!size)
		return;
	begin = tring_proto_begin(packet, TRACE_PACKET);
	tring_proto_number(packet, PACKET_SEQUENCE_ID, 1 + cpu->cpu);
	tring_proto_number(packet, PACKET_MACHINE_ID, trace->machine);
	bundle = tring_proto_begin(packet, PACKET_FTRACE_EVENTS);
	tring_proto_number(packet, BUNDLE_CPU, cpu->cpu);
	if (cpu->lost)
		tring_proto_number(packet, BUNDLE_LOST_EVENTS, 1);
	tring_line_text(packet, cpu->bundle.start, size);
	tring_proto_end(packet, bundle);
	tring_proto_end(packet, begin);
	write_line(trace, packet);
	cpu->bundle.at = cpu->bundle.start;
	cpu->lost = false;
}

/* Perfetto decodes an event fastest if its time, its pid and its message come first. */
static size_t begin_event(struct tring_line *bundle, uint64_t ns, int32_t pid)
{
	size_t begin = tring_proto_begin(bundle, BUNDLE_EVENT);

	tring_proto_number(bundle, EVENT_TIMESTAMP, ns);
	tring_proto_number(bundle, EVENT_PID, (uint32_t)pid);
	return begin;
}

static void end_event(struct perfetto *trace, struct perfetto_cpu *cpu, size_t begin,
		      uint64_t ns)
{
	tring_proto_end(&cpu->bundle, begin);
	cpu->last = ns;
	trace->last = ns;
	if (cpu->bundle.at - cpu->bundle.start >= BUNDLE_SIZE)
		write_bundle(trace, cpu);
}

static void add_named_number(struct tring_line *bundle, const char *name, uint64_t value,
			     bool is_signed)
{
	size_t begin = tring_proto_begin(bundle, GENERIC_FIELD);

	add_text(bundle, FIELD_NAME, name);
	tring_proto_number(bundle, is_signed ? FIELD_SIGNED : FIELD_UNSIGNED, value);
	tring_proto_end(bundle, begin);
}

static void add_named_text(struct tring_line *bundle, const char *name, const void *text,
			   size_t size)
{
	size_t begin = tring_proto_begin(bundle, GENERIC_FIELD);

	add_text(bundle, FIELD_NAME, name);
	tring_proto_text(bundle, FIELD_TEXT, text, size);
	tring_proto_end(bundle, begin);
}

/* Bytes are a text of hexadecimal digits. */
static void add_named_bytes(struct tring_line *bundle, const char *name, const uint8_t *bytes,
			    size_t size)
{
	char *text = tring_allocate(2 * size + 1);

	tring_text_hex(text, bytes, size);
	add_named_text(bundle, name, text, 2 * size);
	free(text);
}

/* An element of an array is a field of its own, as "args[0]". */
static void add_named_array(struct tring_line *bundle, const struct tring_field *field,
			    const uint8_t *data, size_t size, bool big_endian)
{
	size_t i;

	if (field->element == 1) {
		add_named_bytes(bundle, field->name, data, size);
		return;
	}
	for (i = 0; i < size / field->element; i++) {
		char *name = tring_format("%s[%zu]", field->name, i);

		add_named_number(bundle, name,
				 tring_field_value(field, data + i * field->element, big_endian),
				 field->is_signed);
		free(name);
	}
}

/* All fields, or those for which the event's own message has no place. */
static void add_generic(struct tring_line *bundle, const struct perfetto_event *plan,
			const struct tring_item *item, bool big_endian)
{
	const struct tring_event *event = plan->event;
	const uint32_t *numbers = plan->places.numbers;
	size_t i, size;

	add_text(bundle, GENERIC_NAME, plan->name);
	for (i = 0; i < event->field_count; i++) {
		const struct tring_field *field = &event->fields[i];
		const uint8_t *data;

		if (numbers && numbers[i])
			continue;
		data = tring_data(item, field, &size);
		if (field->kind == TRING_FIELD_NUMBER)
			add_named_number(bundle, field->name,
					 tring_field_value(field, data, big_endian),
					 field->is_signed);
		else if (field->kind == TRING_FIELD_TEXT)
			add_named_text(bundle, field->name, data, size);
		else
			add_named_array(bundle, field, data, size, big_endian);
	}
}

static void add_typed(struct tring_line *bundle, const struct perfetto_event *plan,
		      const struct tring_item *item, bool big_endian)
{
	const struct tring_event *event = plan->event;
	size_t i, at, size;

	for (i = 0; i < event->field_count; i++) {
		const struct tring_field *field = &event->fields[i];
		uint32_t number = plan->places.numbers[i];
		const uint8_t *data;

		if (!number)
			continue;
		data = tring_data(item, field, &size);
		if (field->kind == TRING_FIELD_TEXT) {
			tring_proto_text(bundle, number, data, size);
			continue;
		}
		for (at = 0; at + field->element <= size; at += field->element)
			tring_proto_number(bundle, number,
					   tring_field_value(field, data + at, big_endian));
	}
}

static const struct perfetto_event *find_plan(struct perfetto *trace,
					      const struct tring_event *event)
{
	struct perfetto_event *plan = &trace->plans[event->number];
	size_t i;

	if (plan->name)
		return plan;
	plan->event = event;
	tring_perfetto_find_places(&plan->places, trace->source, event);
	for (i = 0; plan->places.numbers && i < event->field_count; i++)
		plan->has_rest |= !plan->places.numbers[i];
	plan->name = tring_format("%s%s", event->name, plan->has_rest ? REST : "");
	return plan;
}

/* An event that no format describes has its bytes as its only field. */
static void add_raw(struct tring_line *bundle, const struct tring_item *item)
{
	const struct tring_record *record = item->record;
	char *name = item->event ? tring_format("%s", item->event->name) :
		     tring_format("id_%u", record->id);

	add_text(bundle, GENERIC_NAME, name);
	add_named_bytes(bundle, "payload", record->payload + TRING_PAYLOAD_HEAD,
			record->length - TRING_PAYLOAD_HEAD);
	free(name);
}

/*
 * @message: number of the message that the fields of @plan go to; of @plan NULL, bytes
 *
 * Perfetto's own programs never read common_flags of such an event: they would show an event
 * without a name for it.
 */
static void add_message(struct perfetto *trace, const struct tring_item *item,
			const struct perfetto_event *plan, uint32_t message)
{
	struct perfetto_cpu *cpu = &trace->cpus[item->cpu_at];
	uint64_t ns = tring_ns(trace->source, item->record->stamp);
	struct tring_line *bundle = &cpu->bundle;
	size_t begin = begin_event(bundle, ns, item->record->pid);
	size_t fields = tring_proto_begin(bundle, message);

	if (!plan)
		add_raw(bundle, item);
	else if (message == TRING_PERFETTO_GENERIC)
		add_generic(bundle, plan, item, trace->big_endian);
	else
		add_typed(bundle, plan, item, trace->big_endian);
	tring_proto_end(bundle, fields);
	end_event(trace, cpu, begin, ns);
}

static void add_event(struct perfetto *trace, const struct tring_item *item)
{
	const struct perfetto_event *plan = item->wrong ? NULL :
						  find_plan(trace, item->event);

	add_message(trace, item, plan, plan ? plan->places.message : TRING_PERFETTO_GENERIC);
	if (plan && plan->has_rest)
		add_message(trace, item, plan, TRING_PERFETTO_GENERIC);
}

/* Perfetto can only know that there is a loss, so an event tells the numbers. */
static void add_loss(struct perfetto *trace, const struct tring_item *item)
{
	struct perfetto_cpu *losing = &trace->cpus[item->cpu_at];
	struct tring_line *bundle = &losing->bundle;
	size_t begin, message;
	uint64_t ns;

	write_bundle(trace, losing);
	losing->lost = true;
	if (item->record)
		ns = tring_ns(trace->source, item->record->stamp);
	else
		ns = losing->last ? losing->last : trace->last;
	begin = begin_event(bundle, ns, 0);
	message = tring_proto_begin(bundle, TRING_PERFETTO_GENERIC);
	add_text(bundle, GENERIC_NAME, LOSS_EVENT);
	add_named_number(bundle, "events", item->events, false);
	add_named_number(bundle, "packets", item->packets, false);
	tring_proto_end(bundle, message);
	end_event(trace, losing, begin, ns);
}

static void add_items(struct perfetto *trace)
{
	struct tring_item item;
	size_t i;

	while (!trace->output.error && tring_next(trace->source, &item) > 0) {
		if (item.kind == TRING_ITEM_LOSS)
			add_loss(trace, &item);
		else
			add_event(trace, &item);
	}
	for (i = 0; i < trace->count; i++)
		write_bundle(trace, &trace->cpus[i]);
}

/**
 * tring_export_perfetto - write a trace as one of Perfetto
 * @trace: the trace
 * @path: name that the file gets; only such a trace is replaced
 *
 * Return: 0; or a negative errno, reported on stderr, without a file.
 */
int tring_export_perfetto(struct tring_trace *trace, const char *path)
{
	struct perfetto perfetto;
	int error;

	start(&perfetto, trace);
	error = tring_output_open(&perfetto.output, path, MAGIC, MAGIC_SIZE);
	if (!error) {
		add_head(&perfetto);
		add_items(&perfetto);
		error = tring_output_close(&perfetto.output);
	}
	free_trace(&perfetto);
	return error;
}
