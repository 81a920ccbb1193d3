// SPDX-License-Identifier: GPL-2.0
/* Fuzz target: kallsyms, printk_formats and saved_cmdlines, one behind the other. */
#include "fuzz.h"
#include "print/name_files.h"
#include "print/names.h"
#include "print/symbols.h"

static char *take_text(const uint8_t **bytes, size_t *size)
{
	const uint8_t *start;
	size_t part;

	start = fuzz_part(bytes, size, &part);
	return fuzz_text(start, part);
}

static void look_up(struct tep_handle *tep)
{
	struct tring_symbols symbols = { .tep = tep };
	struct tring_names names;
	unsigned int i;
	size_t size;

	for (i = 0; i < 64; i++) {
		tring_symbols_find(&symbols, UINT64_C(1) << i);
		tring_symbols_find(&symbols, UINT64_C(-1) >> i);
	}
	tring_names_init(&names, tep);
	for (i = 0; i < 32; i++) {
		CHECK(tring_names_head(&names, UINT32_MAX >> i, &size));
		CHECK(size);
	}
	tring_names_free(&names);
}

int fuzz_input(const uint8_t *bytes, size_t size)
{
	struct tep_handle *tep = tep_alloc();
	char *symbols = take_text(&bytes, &size);
	char *strings = take_text(&bytes, &size);
	char *tasks = take_text(&bytes, &size);

	CHECK(tep);
	tring_give_symbols(tep, symbols, "kallsyms");
	tring_give_strings(tep, strings, "printk_formats");
	tring_give_tasks(tep, tasks, "saved_cmdlines");
	look_up(tep);
	free(symbols);
	free(strings);
	free(tasks);
	tep_free(tep);
	return 0;
}
