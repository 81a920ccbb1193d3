// SPDX-License-Identifier: GPL-2.0
/* Shared by the fuzz targets, see fuzz.h. */
#include <dlfcn.h>

#include "fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
const char *__asan_default_options(void);

/*
 * Memory that is freed stays unused for a while, but not for as long as usual, as to map it anew
 * takes most of the time. libtraceevent leaks a few bytes of some formats; the reader's tests look
 * for leaks.
 */
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=4:malloc_context_size=3:detect_leaks=0";
}

/**
 * struct plugin - functions of a plugin of libtraceevent
 * @load: lets it print events
 * @unload: ends that
 */
struct plugin {
	tep_plugin_load_func load;
	tep_plugin_unload_func unload;
};

#define PLUGINS_MAX	32
static struct plugin plugins[PLUGINS_MAX];
static size_t plugin_count;

static void find_plugin(struct tep_handle *tep, const char *path, const char *name, void *data)
{
	struct plugin *plugin = &plugins[plugin_count];
	char *file = make_path("%s/%s", path, name);
	void *library = dlopen(file, RTLD_NOW);

	(void)tep;
	(void)data;
	CHECK(library && plugin_count < PLUGINS_MAX);
	plugin->load = dlsym(library, "tep_plugin_loader");
	plugin->unload = dlsym(library, "tep_plugin_unloader");
	CHECK(plugin->load);
	plugin_count++;
	free(file);
}

/* What is not printed needs none of them. */
bool fuzz_without_plugins;

/* Replace libtraceevent's: each input would look for the plugins and open them anew. */
struct tep_plugin_list *tep_load_plugins(struct tep_handle *tep)
{
	size_t i;

	for (i = 0; i < plugin_count && !fuzz_without_plugins; i++)
		plugins[i].load(tep);
	return (struct tep_plugin_list *)plugins;
}

void tep_unload_plugins(struct tep_plugin_list *list, struct tep_handle *tep)
{
	size_t i;

	(void)list;
	for (i = 0; i < plugin_count && !fuzz_without_plugins; i++)
		if (plugins[i].unload)
			plugins[i].unload(tep);
}

/* The sanitizers and libFuzzer write to the file descriptor. */
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	stdout = fopen("/dev/null", "w");
	stderr = fopen("/dev/null", "w");
	CHECK(stdout && stderr);
	tep_load_plugins_hook(NULL, ".so", find_plugin, NULL);
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

const char * const fuzz_systems[FUZZ_SYSTEMS] = {
	"testing", "sched", "timer", "kmem", "kvm", "kvmmmu", "syscalls", "tlb", "mac80211",
	"ftrace", "scsi", "jbd2", "xen", "cgroup", "task",
};

/*
 * Adds an event. The first byte chooses its system, which with the name in the
 * text chooses the plugin of libtraceevent that prints it.
 */
void fuzz_add_format(struct tring_events *events, const uint8_t *bytes,
		     size_t size)
{
	char name[64], *text;
	const char *system;

	if (!size)
		return;
	system = fuzz_systems[*bytes % FUZZ_SYSTEMS];
	text = fuzz_text(bytes + 1, size - 1);
	if (sscanf(text, "name: %63[A-Za-z0-9_]", name) == 1)
		tring_events_add_text(events, text, size - 1, system, name, "format");
	else
		free(text);
}

/* A message has no control characters. */
static void take_message(void *data, enum tring_level level, const char *text)
{
	(void)data;
	(void)level;
	for (; *text; text++)
		CHECK(*text == '\n' || (unsigned char)*text >= ' ');
}

const struct tring_options fuzz_options = {
	.size = sizeof(fuzz_options), .message = take_message,
};

/* More of a few bytes only come from what was compressed. */
#define ITEMS_MAX	100000

/* The sanitizers see each byte that is read. */
static uint64_t add_field(const struct tring_item *item, const struct tring_field *field)
{
	const uint8_t *bytes;
	uint64_t sum = 0;
	size_t size, at;

	if (field->kind == TRING_FIELD_NUMBER)
		return tring_function(item->trace, tring_number(item, field))->address;
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
	static const char * const keys[] = { "cgroup", "unit", "command" };
	const struct tring_event *event = item->event;
	const struct tring_record *record = item->record;
	struct tring_wall wall;
	uint64_t sum = 0;
	const char *text;
	size_t size, i;
	int64_t ns;

	for (i = 0; i < record->length; i++)
		sum += record->payload[i];
	for (i = 0; event && !item->wrong && i < event->field_count; i++) {
		CHECK(tring_find_field(event, event->fields[i].name));
		sum += add_field(item, &event->fields[i]);
	}
	sum += tring_ns(item->trace, record->stamp);
	sum += tring_epoch_ns(item->trace, record->stamp, &ns) ? ns : 0;
	sum += tring_wall(item->trace, record->stamp, &wall) ? wall.ns : 0;
	if (event && !item->wrong)
		sum += !!tring_unprintable(item);
	tring_task(item->trace, record->pid, &size);
	for (i = 0; i < COUNT(keys); i++) {
		text = tring_task_value(item->trace, record->pid, keys[i]);
		sum += text ? strlen(text) : 0;
	}
	return sum + size + *tring_comm(item->trace, record->pid);
}

/* What else a program can ask. */
static void ask(struct tring_trace *trace)
{
	static const char * const files[] = {
		"kallsyms", "printk_formats", "saved_cmdlines", "maps",
	};
	size_t size, sum = 0, i;
	char *text;

	for (i = 0; i < COUNT(files); i++) {
		text = tring_file(trace, files[i], &size);
		sum += text ? strlen(text) : 0;
		free(text);
	}
	text = tring_info(trace);
	sum += text ? strlen(text) : 0;
	free(text);
	sum += tring_env(trace, "hostname") ? strlen(tring_env(trace, "hostname")) : 0;
	fprintf(stdout, "%zu %" PRIu64, sum, tring_begin(trace));
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

/* @text: a filter, and behind it lines with what else is wanted; may be NULL */
static struct tring_wanted take_wanted(char **text)
{
	struct tring_wanted wanted = { .size = sizeof(wanted) };
	const char **const members[] = {
		&wanted.cpus, &wanted.pids, &wanted.comms, &wanted.events, &wanted.from,
		&wanted.to,
	};
	size_t i;

	strsep(text, "\n");
	for (i = 0; i < COUNT(members); i++) {
		*members[i] = strsep(text, "\n");
		if (*members[i] && !**members[i])
			*members[i] = NULL;
	}
	return wanted;
}

/* @options: as of take_wanted(); changed */
void fuzz_read(struct tring_trace *trace, char *options)
{
	struct tring_wanted every = { .size = sizeof(every), .every = true };
	const char *const filter[] = { options && *options != '\n' ? options : NULL };
	struct tring_wanted wanted = take_wanted(&options);
	struct tring_item item;
	uint64_t stamp;

	stamp = tring_next(trace, &item) > 0 && item.record ? item.record->stamp : 0;
	fuzz_read_items(trace);
	tring_check(trace);
	ask(trace);
	tring_tep(trace);
	tring_seek(trace, stamp + 1);
	fuzz_read_items(trace);
	tring_select(trace, &every);
	fuzz_read_items(trace);
	wanted.filters = filter;
	wanted.filter_count = *filter ? 1 : 0;
	if (!tring_select(trace, &wanted))
		fuzz_read_items(trace);
	if (tring_cpu_count(trace) && !tring_raw_cpu(trace, 0))
		fuzz_read_items(trace);
	fprintf(stdout, "%s%zu", tring_status_text(trace), tring_event_count(trace));
}
