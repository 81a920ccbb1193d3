// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: a whole trace, printed, as JSON, too, put into tables, and as flame graphs and a
 * page. The input has the trace's files one behind the other; the letter behind a mark says which
 * file follows.
 */
#include <unistd.h>

#include "flame/flame.h"
#include "page/page.h"
#include "read/trace.h"
#include "show/show.h"
#include "show/show_json.h"
#include "stats/top_walk.h"
#include "fuzz.h"
#include "event/name_files.h"
#include "stats/tables.h"

#define CPUS	4

static void add_cpu(struct tring_trace *trace, const uint8_t *bytes, size_t size)
{
	struct tring_cpu *cpu;

	if (trace->count == CPUS)
		return;
	cpu = tring_trace_add_cpu(trace, trace->count, strdup("cpu"));
	cpu->packets.input.data = fuzz_text(bytes, size);
	cpu->packets.input.size = size;
}

/* Return: false if report would end here. */
static bool take_properties(struct tring_trace *trace, char letter, char *text)
{
	if (letter == 'i')
		return !tring_trace_info_parse(&trace->info, text, "trace_info");
	if (letter == 's')
		return !tring_short_ids_parse(&trace->shorts, text, "short_ids");
	return true;
}

/* The options of an input, one a line: the letter, and the argument. */
static struct tring_selection selection;

static void take_options(char *text)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		struct tring_wanted wanted = { 0 };
		const char *filter = NULL, **const members[] = {
			&wanted.cpus, &wanted.pids, &wanted.events, &filter, &wanted.comms,
			&wanted.from, &wanted.to,
		};

		if (!*line)
			continue;
		*members[*line % COUNT(members)] = line + 1;
		wanted.filters = &filter;
		wanted.filter_count = !!filter;
		tring_selection_take(&selection, &wanted);
	}
}

static void take_file(struct tring_trace *trace, char letter,
		      const uint8_t *bytes, size_t size, char *text)
{
	switch (letter) {
	case 'f':
		fuzz_add_format(&trace->events, bytes, size);
		break;
	case 'k':
		tring_give_symbols(&trace->events, text, "kallsyms");
		break;
	case 'p':
		tring_give_strings(&trace->events, text, "printk_formats");
		break;
	case 't':
		tring_give_tasks(&trace->names, text, "saved_cmdlines");
		break;
	case 'o':
		take_options(text);
		break;
	case 'c':
		add_cpu(trace, bytes, size);
		break;
	}
}

/* The properties come first, wherever they are in the input. */
static bool take_files(struct tring_trace *trace, const uint8_t *bytes,
		       size_t size, bool properties)
{
	bool good = true;

	while (good && size) {
		size_t part;
		const uint8_t *start = fuzz_part(&bytes, &size, &part);
		char *text;

		if (!part)
			continue;
		text = fuzz_text(start + 1, part - 1);
		if (properties)
			good = take_properties(trace, *start, text);
		else
			take_file(trace, *start, start + 1, part - 1, text);
		free(text);
	}
	return good;
}

static void report_once(const uint8_t *bytes, size_t size,
			void (*show)(struct tring_trace *trace))
{
	struct tring_trace trace = { .info.clock_frequency = 1 };
	size_t i;

	if (take_files(&trace, bytes, size, true)) {
		CHECK_EQ(tring_trace_init(&trace, CPUS), 0);
		take_files(&trace, bytes, size, false);
		tring_short_ids_check(&trace.shorts, &trace.events, "short_ids");
		for (i = 0; i < trace.count; i++)
			tring_cpu_start(&trace.cpus[i]);
		show(&trace);
	}
	tring_trace_free(&trace);
}

static void print_all(struct tring_trace *trace)
{
	struct tring_shown shown = { .trace = trace };
	struct tring_show show = { .traces = &shown, .count = 1 };

	tring_show_all(&show);
}

/* All fields are decoded. */
static void print_json(struct tring_trace *trace)
{
	struct tring_shown shown = { .trace = trace };
	struct tring_show show = { .traces = &shown, .count = 1 };

	tring_show_json(&show, tring_show_all);
}

static void print_selected(struct tring_trace *trace)
{
	if (!tring_selection_apply(&selection, &trace, 1))
		print_all(trace);
}

static void show_tables(struct tring_trace *trace)
{
	static const struct tring_table *const tables[] = {
		&tring_table_cpu, &tring_table_sched, &tring_table_wakeup, &tring_table_irq,
		&tring_table_softirq, &tring_table_syscall, &tring_table_events,
		&tring_table_rate, &tring_table_losses, &tring_table_waits, &tring_table_calls,
		&tring_table_io, &tring_table_futex, &tring_table_block,
	};
	struct tring_top_walk walk = {
		.top = { .trace = trace, .histograms = true, .measures = true, .out = stdout },
	};
	size_t i;

	trace->every = true;
	if (tring_selection_apply(&selection, &trace, 1))
		return;
	tring_top_walk_init(&walk);
	tring_top_walk_run(&walk);
	for (i = 0; i < COUNT(tables); i++)
		if (!tring_table_lacks(&walk.top, tables[i]))
			tables[i]->show(&walk.top, tables[i]);
	tring_top_walk_free(&walk);
}

static void show_flame(struct tring_trace *trace, enum tring_flame_mode mode)
{
	struct tring_flame flame = { .walk.top.trace = trace, .mode = mode, .title = "flame" };
	struct tring_line text;

	tring_line_init(&text);
	tring_flame_init(&flame);
	tring_flame_gather(&flame);
	tring_flame_grow(&flame);
	tring_flame_svg(&flame, &text);
	text.at = text.start;
	tring_flame_speedscope(&flame, &text);
	tring_line_free(&text);
	tring_flame_free(&flame);
}

static void show_flames(struct tring_trace *trace)
{
	trace->every = true;
	if (!tring_selection_apply(&selection, &trace, 1))
		show_flame(trace, TRING_FLAME_EVENTS);
}

static void show_wakers(struct tring_trace *trace)
{
	trace->every = true;
	if (!tring_selection_apply(&selection, &trace, 1))
		show_flame(trace, TRING_FLAME_WAKEUP);
}

static void write_page(struct tring_trace *trace)
{
	const struct tring_page_options options = { .name = "page" };
	static char path[64];
	struct tring_page_file file;
	struct tring_line index;

	snprintf(path, sizeof(path), "/dev/shm/tring-fuzz-%d.html", getpid());
	trace->every = true;
	if (tring_selection_apply(&selection, &trace, 1))
		return;
	CHECK(tring_page_open(&file, path, "page"));
	tring_line_init(&index);
	tring_page_write(trace, &file, &options, &index);
	tring_page_index(&file, &options, &index);
	tring_line_free(&index);
	CHECK(tring_page_close(&file));
	unlink(path);
}

int fuzz_input(const uint8_t *bytes, size_t size)
{
	static void (*const passes[])(struct tring_trace *trace) = {
		print_all, print_json, print_selected, show_tables, show_flames, show_wakers,
		write_page,
	};
	size_t i;

	for (i = 0; i < COUNT(passes); i++) {
		report_once(bytes, size, passes[i]);
		/* each pass has taken the options */
		tring_selection_free(&selection);
	}
	return 0;
}
