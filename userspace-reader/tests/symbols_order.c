// SPDX-License-Identifier: GPL-2.0
/* Description: symbols are found by address in whatever order kallsyms has them. */
#include "helpers.h"
#include "event/symbols.h"

#define LISTS		2000
#define LINES_MAX	12
#define ADDRESSES	6

static uint32_t next_random(void)
{
	static uint32_t state = 1;

	state = state * 1664525 + 1013904223;
	return state >> 16;
}

/* A list begins in order, as the kernel's own symbols do, and several have one address. */
static char *make_list(unsigned int lines)
{
	unsigned int ordered = next_random() % (lines + 1), address = 1, i;
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);

	for (i = 0; i < lines; i++) {
		address = i < ordered ? address + next_random() % 2 :
					1 + next_random() % ADDRESSES;
		fprintf(file, "%016x t line_%02u\n", address, i);
	}
	fclose(file);
	return text;
}

/* Of those with one address the last line comes first: libtraceevent would find that. */
static void check_list(const struct tring_symbols *symbols, unsigned int lines)
{
	unsigned int seen = 0, i;

	CHECK_EQ(symbols->count, lines);
	for (i = 0; i < lines; i++) {
		const struct tring_symbol *symbol = &symbols->list[i];

		seen |= 1u << atoi(symbol->name + strlen("line_"));
		if (!i)
			continue;
		CHECK(symbol[-1].address < symbol->address ||
		      (symbol[-1].address == symbol->address && symbol[-1].name > symbol->name));
	}
	CHECK_EQ(seen, (1u << lines) - 1);
}

int main(void)
{
	struct tring_symbols symbols = { 0 };
	unsigned int i, lines;
	char *text, *line;

	for (i = 0; i < LISTS; i++) {
		lines = next_random() % (LINES_MAX + 1);
		text = make_list(lines);
		tring_symbols_take(&symbols, text);
		while ((line = strsep(&text, "\n")))
			CHECK(!*line || tring_symbols_add(&symbols, line));
		tring_symbols_sort(&symbols);
		check_list(&symbols, lines);
	}
	tring_symbols_free(&symbols);
	return 0;
}
