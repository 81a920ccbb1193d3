// SPDX-License-Identifier: GPL-2.0
/* Shared by the fuzz targets, see fuzz.h. */
#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);

/* Keep the plugins in memory, or each input would load them anew. */
static struct tep_handle *plugins_handle;
static struct tep_plugin_list *plugins;

/* The sanitizers and libFuzzer write to the file descriptor. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	stdout = fopen("/dev/null", "w");
	stderr = fopen("/dev/null", "w");
	CHECK(stdout && stderr);
	plugins_handle = tep_alloc();
	CHECK(plugins_handle);
	plugins = tep_load_plugins(plugins_handle);
	return 0;
}

/* Return: the bytes as a text to free(). */
char *fuzz_text(const uint8_t *bytes, size_t size)
{
	char *text = malloc(size + 1);

	CHECK(text);
	memcpy(text, bytes, size);
	text[size] = 0;
	return text;
}

/* Return: the bytes up to the next mark, which are taken off @bytes and @size. */
const uint8_t *fuzz_part(const uint8_t **bytes, size_t *size, size_t *part)
{
	const uint8_t *start = *bytes, *mark;

	mark = memmem(start, *size, FUZZ_MARK, strlen(FUZZ_MARK));
	*part = mark ? (size_t)(mark - start) : *size;
	*bytes += *part;
	*size -= *part;
	if (mark) {
		*bytes += strlen(FUZZ_MARK);
		*size -= strlen(FUZZ_MARK);
	}
	return start;
}

/*
 * Adds an event. The first byte chooses its system, which with the name in the
 * text chooses the plugin of libtraceevent that prints it.
 */
void fuzz_add_format(struct tring_events *events, const uint8_t *bytes,
		     size_t size)
{
	static const char * const systems[] = {
		"testing", "sched", "timer", "kmem", "kvm", "kvmmmu", "syscalls",
		"tlb", "mac80211", "ftrace", "scsi", "jbd2", "xen",
	};
	char name[64], *text;
	const char *system;

	if (!size)
		return;
	system = systems[*bytes % COUNT(systems)];
	text = fuzz_text(bytes + 1, size - 1);
	if (sscanf(text, "name: %63[A-Za-z0-9_]", name) == 1)
		tring_events_add_text(events, text, size - 1, system, name, "format");
	else
		free(text);
}

/* More of a few bytes only come from what was compressed. */
#define ITEMS_MAX	100000

/* The sanitizers see each byte that is read. */
static uint64_t add_field(const struct tring_item *item, const struct tring_field *field)
{
	const uint8_t *bytes;
	uint64_t sum = 0;
	size_t size, at;

	if (field->kind == TRING_FIELD_NUMBER)
		return tring_number(item, field);
	bytes = field->kind == TRING_FIELD_TEXT ?
		(const uint8_t *)tring_text(item, field, &size) : tring_data(item, field, &size);
	for (at = 0; at < size; at++)
		sum += bytes[at];
	for (at = 0; field->kind == TRING_FIELD_ARRAY && size - at >= field->element;
	     at += field->element)
		sum += tring_element(item, field, bytes + at);
	return sum;
}

static uint64_t add_event(const struct tring_item *item)
{
	const struct tring_event *event = item->event;
	const struct tring_record *record = item->record;
	uint64_t sum = 0;
	int64_t ns;
	size_t i;

	for (i = 0; i < record->length; i++)
		sum += record->payload[i];
	for (i = 0; event && !item->wrong && i < event->field_count; i++) {
		CHECK(tring_find_field(event, event->fields[i].name));
		sum += add_field(item, &event->fields[i]);
	}
	sum += tring_ns(item->trace, record->stamp);
	sum += tring_epoch_ns(item->trace, record->stamp, &ns) ? ns : 0;
	return sum + *tring_comm(item->trace, record->pid);
}

/* Reads all that tring_next() gives, and all of it. */
void fuzz_read_items(struct tring_trace *trace)
{
	unsigned int count = 0;
	struct tring_item item;
	uint64_t sum = 0;

	while (count++ < ITEMS_MAX && tring_next(trace, &item) > 0) {
		CHECK(item.cpu == tring_cpu_at(item.trace, item.cpu_at));
		if (item.kind == TRING_ITEM_EVENT)
			sum += add_event(&item);
	}
	fprintf(stdout, "%" PRIu64, sum);
}

/* @options: a filter; may be NULL */
void fuzz_read(struct tring_trace *trace, const char *options)
{
	struct tring_wanted wanted = { .size = sizeof(wanted), .filters = &options };
	struct tring_item item;
	uint64_t stamp;

	stamp = tring_next(trace, &item) > 0 && item.record ? item.record->stamp : 0;
	fuzz_read_items(trace);
	tring_check(trace);
	tring_tep(trace);
	tring_seek(trace, stamp + 1);
	fuzz_read_items(trace);
	wanted.every = true;
	tring_select(trace, &wanted);
	fuzz_read_items(trace);
	wanted.every = false;
	wanted.filter_count = options ? 1 : 0;
	wanted.events = "sched,tick*";
	wanted.from = "+0.000001";
	if (!tring_select(trace, &wanted))
		fuzz_read_items(trace);
	fprintf(stdout, "%s%zu", tring_status_text(trace), tring_event_count(trace));
}
