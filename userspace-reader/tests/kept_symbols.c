// SPDX-License-Identifier: GPL-2.0
/* Description: the symbols that a trace keeps name its addresses as all symbols do. */
#include <sys/socket.h>
#include <unistd.h>

#include "helpers.h"
#include "event/name_files.h"
#include "trace/kept_symbols.h"
#include "trace/kernel.h"

#define BASE	0xffffffff81000000ull
#define SYMBOLS		1000

/* Within a symbol, at its begin and end, and outside of all. */
static const uint64_t addresses[] = {
	BASE, BASE + 1, BASE + 0x1000 * 7, BASE + 0x1000 * 8 - 1, BASE + 0x1000 * 500 + 0x123,
	BASE + 0x1000 * 998, BASE + 0x1000 * 999 + 5, 0xffff888000001000ull, 16, 0,
	BASE + 0x1000 * SYMBOLS + 1, BASE, -1ull,
};

static const char *module_of(unsigned int function)
{
	return function % 3 ? "" : "module";
}

static char *make_symbols(void)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	unsigned int i;

	fprintf(file, "0000000000000000 A fixed_percpu_data\n0000000000001000 A percpu\n");
	/* not ordered, as those of modules */
	for (i = 0; i < SYMBOLS; i++) {
		unsigned int function = i * 7 % SYMBOLS;
		const char *module = module_of(function);

		fprintf(file, "%016llx t function_%u%s%s%s\n", BASE + 0x1000 * function, function,
			*module ? "\t[" : "", module, *module ? "]" : "");
	}
	fprintf(file, "%016llx t unknown\n", BASE + 0x1000 * SYMBOLS);
	fclose(file);
	return text;
}

/* Answers as the kernel's file does. */
static int start_kernel_names(void)
{
	int fds[2];
	pid_t pid;

	CHECK(!socketpair(AF_UNIX, SOCK_DGRAM, 0, fds));
	pid = fork_child();
	if (!pid) {
		char text[64];
		ssize_t size;

		close(fds[0]);
		while ((size = read(fds[1], text, sizeof(text) - 1)) > 0) {
			unsigned long long address, at;
			const char *module;
			int length;

			text[size] = 0;
			address = strtoull(text, NULL, 16);
			at = (address - BASE) / 0x1000;
			module = module_of(at);
			length = address < BASE || at >= SYMBOLS ?
				 sprintf(text, "0x%llx\n", address) :
				 sprintf(text, "function_%llu+0x%llx/0x1000%s%s%s\n", at,
					 (address - BASE) % 0x1000, *module ? " [" : "", module,
					 *module ? "]" : "");
			CHECK_EQ(write(fds[1], text, length), length);
		}
		_exit(0);
	}
	close(fds[1]);
	return fds[0];
}

static const char *name_of(struct tep_handle *tep, uint64_t address)
{
	const char *name = tep_find_function(tep, address);

	return name ? name : "(none)";
}

static void check_names(const char *kept)
{
	struct tep_handle *few = tep_alloc(), *all = tep_alloc();
	char *text = make_symbols();
	unsigned int i;

	CHECK(few && all);
	CHECK_EQ(tep_parse_kallsyms(few, kept), 0);
	CHECK_EQ(tep_parse_kallsyms(all, text), 0);
	for (i = 0; i < COUNT(addresses); i++)
		if (strcmp(name_of(few, addresses[i]), name_of(all, addresses[i])))
			fail(name_of(few, addresses[i]), i, name_of(all, addresses[i]));
	CHECK(!strcmp(name_of(all, BASE + 0x1000 * 8 - 1), "function_7"));
	tep_free(few);
	tep_free(all);
	free(text);
}

/* Writes "print" events with the addresses, and an event that prints no symbol. */
static void build(struct builder *builder, bool order)
{
	uint8_t *payload;
	unsigned int i;

	build_init(builder, order, 0);
	build_begin(builder, 1000);
	for (i = 0; i < COUNT(addresses); i++) {
		payload = build_record(builder, 1000 + i, 5, 1, 18);
		put_u64(payload + 8, addresses[i], order);
	}
	payload = build_record(builder, 1000 + i, 342, 1, 16);
	put_u64(payload + 8, BASE + 0x1000 * 300, order);
	build_end(builder);
}

/* A module that was loaded anew is where it was not before. */
static void check_gone(void)
{
	static const char before[] =
		"stays 16384 1 other, Live 0xffffffffc0100000\n"
		"moves 16384 0 - Live 0xffffffffc0200000 (OE)\n"
		"goes 45056 0 - Live 0xffffffffc0300000\n"
		"hidden 4096 0 - Live 0x0000000000000000\n";
	static const char after[] =
		"moves 16384 0 - Live 0xffffffffc0300000 (OE)\n"
		"stays 16384 0 - Unloading 0xffffffffc0100000\n";
	char *text = tring_kernel_gone(before, after);

	CHECK(!strcmp(text, "ffffffffc0200000 t unloaded\t[moves]\n"
		      "ffffffffc0300000 t unloaded\t[goes]\n"));
	free(text);
	text = tring_kernel_gone(before, before);
	CHECK(!*text);
	free(text);
}

int main(void)
{
	char *formats = make_path("%s/golden/formats", test_env("TRING_TESTS"));
	char *path = make_path("%s/cpu0", temp_dir()), *kept, *at;
	static struct builder builder;
	int kernel = start_kernel_names();
	struct tring_events events;
	unsigned int lines, order;

	CHECK_EQ(tring_events_init(&events), 0);
	CHECK_EQ(tring_events_add_all(&events, formats), 0);
	for (order = 0; order < 2; order++) {
		struct tring_addresses met = { 0 };

		build(&builder, order);
		write_file(path, builder.bytes, builder.size);
		tring_kept_symbols_scan(&met, &events, "/nonexistent", fixture_short_ids);
		CHECK_EQ(met.count, 0);
		tring_kept_symbols_scan(&met, &events, path, fixture_short_ids);
		kept = tring_kept_symbols_text(&met, kernel);
		free(met.list);
		for (at = kept, lines = 0; (at = strchr(at, '\n')); at++)
			lines++;
		/* 0, 7, 500, 998, 999, and the end of each but the last but one */
		CHECK_EQ(lines, 9);
		CHECK(!strstr(kept, "function_300"));
		check_names(kept);
		free(kept);
	}
	check_gone();
	/* the last symbol has no end, nor has the line */
	at = make_path("ffffffff81000000 T last");
	CHECK_EQ(tring_give_symbols(&events, at, "kallsyms"), 0);
	CHECK(tring_symbols_find(events.symbols, BASE)->name);
	CHECK(!tring_symbols_find(events.symbols, BASE + 1)->name);
	tring_events_free(&events);
	return 0;
}
