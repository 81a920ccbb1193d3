// SPDX-License-Identifier: GPL-2.0
/* Description: the format files of a trace are those of its events, also when they are replaced. */
#include "helpers.h"
#include "event/events.h"
#include "trace/trace_dir.h"

static void check_files(const char *dir, const struct tring_events *events)
{
	size_t i;

	CHECK(events->count > 2);
	CHECK_EQ(tring_trace_dir_events(dir, events), 0);
	for (i = 0; i < events->count; i++) {
		const struct tring_event *event = events->list[i];

		check_equal(read_file(make_path("%s/tring/events/%s/%s/format", dir, event->system,
						event->name)), event->text, event->name);
	}
	/* each has a file in a directory of its own, and no draft is left */
	CHECK_EQ(count_of("find %s/tring/events -type f | wc -l", dir), events->count);
	CHECK_EQ(count_of("find %s/tring/events -name '.*' | wc -l", dir), 0);
}

static void check_trace(const char *dir, const char *formats)
{
	struct tring_events events;

	CHECK_EQ(tring_events_init(&events), 0);
	CHECK_EQ(tring_events_add_all(&events, formats), 0);
	CHECK_EQ(tring_trace_dir_create(dir), 0);
	check_files(dir, &events);
	/* an event of a module that was loaded anew */
	events.list[1]->text[events.list[1]->size - 2] = '!';
	check_files(dir, &events);
	tring_events_free(&events);
}

int main(void)
{
	const char *formats = make_path("%s/golden/formats", test_env("TRING_TESTS"));

	check_trace(make_path("%s/one", temp_dir()), formats);
	/* a caller of sudo gets the directories */
	setenv("SUDO_UID", "65534", 1);
	setenv("SUDO_GID", "65534", 1);
	check_trace(make_path("%s/two", temp_dir()), formats);
	return 0;
}
