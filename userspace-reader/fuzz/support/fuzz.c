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
