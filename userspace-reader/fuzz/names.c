// SPDX-License-Identifier: GPL-2.0
/* Fuzz target: kallsyms, printk_formats, saved_cmdlines and tasks, one behind the other. */
#include <string.h>

#include "fuzz.h"
#include "event/cgroups.h"
#include "event/name_files.h"
#include "event/names.h"
#include "event/symbols.h"

static char *take_text(const uint8_t **bytes, size_t *size)
{
	const uint8_t *start;
	size_t part;

	start = fuzz_part(bytes, size, &part);
	return fuzz_text(start, part);
}

static void look_up_cgroup(const struct tring_cgroups *cgroups, int32_t pid)
{
	const char *cgroup = tring_cgroups_find(cgroups, pid, "cgroup");
	const char *unit = tring_cgroups_find(cgroups, pid, "unit");

	CHECK(!cgroup || *cgroup == '/');
	CHECK(!unit || strstr(cgroup, unit));
	tring_cgroups_find(cgroups, pid, "command");
}

static void look_up(struct tring_symbols *symbols, struct tring_names *names)
{
	unsigned int i;
	size_t size;
	char *text;

	for (i = 0; i < 64; i++) {
		CHECK(tring_symbols_find(symbols, UINT64_C(1) << i));
		CHECK(tring_symbols_find(symbols, UINT64_C(-1) >> i));
	}
	for (i = 0; i < 32; i++) {
		CHECK(tring_names_head(names, UINT32_MAX >> i, &size));
		CHECK(size);
		look_up_cgroup(names->cgroups, UINT32_MAX >> i);
	}
	text = tring_names_text(names);
	CHECK(text);
	free(text);
}

int fuzz_input(const uint8_t *bytes, size_t size)
{
	struct tring_events events;
	struct tring_names names;
	char *symbols = take_text(&bytes, &size);
	char *strings = take_text(&bytes, &size);
	char *tasks = take_text(&bytes, &size);
	char *cgroups = take_text(&bytes, &size);

	CHECK(!tring_events_init(&events));
	tring_give_symbols(&events, symbols, "kallsyms");
	tring_give_strings(&events, strings, "printk_formats");
	tring_names_init(&names);
	tring_give_tasks(&names, tasks, "saved_cmdlines");
	tring_give_cgroups(&names, cgroups, "tasks");
	look_up(events.symbols, &names);
	tring_names_free(&names);
	free(symbols);
	free(strings);
	free(tasks);
	free(cgroups);
	tring_events_free(&events);
	return 0;
}
