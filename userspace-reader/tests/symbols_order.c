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

/*
 * Of those with the greatest address up to the one asked for the first line is found. The last
 * address has no end, so nothing is found behind it.
 */
static void check_list(struct tring_symbols *symbols, const char *text)
{
	uint64_t address, best, last;
	unsigned int asked;
	const char *line;
	char found[16];

	for (asked = 1; asked < LINES_MAX + ADDRESSES; asked++) {
		*found = 0;
		best = 0;
		last = 0;
		for (line = text; *line; line = strchr(line, '\n') + 1) {
			address = strtoull(line, NULL, 16);
			last = address > last ? address : last;
			if (address <= asked && address > best) {
				best = address;
				CHECK(sscanf(line, "%*x t %15s", found) == 1);
			}
		}
		if (asked > last)
			best = 0;
		CHECK_EQ(tring_symbols_find(symbols, asked)->address, best);
		CHECK(!best || !strcmp(tring_symbols_find(symbols, asked)->name, found));
	}
}

int main(void)
{
	struct tring_symbols symbols = { 0 };
	char *text, *line, *copy;
	unsigned int i;

	for (i = 0; i < LISTS; i++) {
		text = make_list(next_random() % (LINES_MAX + 1));
		copy = strdup(text);
		CHECK(copy);
		tring_symbols_take(&symbols, text);
		while ((line = strsep(&text, "\n")))
			CHECK(!*line || tring_symbols_add(&symbols, line));
		tring_symbols_sort(&symbols);
		check_list(&symbols, copy);
		free(copy);
	}
	tring_symbols_free(&symbols);
	return 0;
}
