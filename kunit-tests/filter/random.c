// SPDX-License-Identifier: GPL-2.0
/*
 * Random filters in ftrace's grammar, the same from the same seed on each machine: for main.c, and
 * for scripts/guest/filters-beside.c, which has the kernel's own filter beside tring's.
 */
#include <stdio.h>
#include <string.h>

#include "random.h"

static uint64_t state = 1;

void random_seed(uint64_t seed)
{
	state = seed * 2 + 1;
}

/* xorshift64* */
uint32_t random_below(uint32_t limit)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (uint32_t)((state * 0x2545f4914f6cdd1dULL) >> 32) % limit;
}

/* One at which signs, sizes and bits change, or its negative. */
uint64_t random_number(void)
{
	static const uint64_t some[] = {
		0, 1, 2, 5, 6, 8, 127, 128, 129, 200, 255, 256, 32767, 32768, 65535, 65536,
		0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x7fffffffffffffff,
		0x8000000000000000,
	};
	uint64_t number = some[random_below(sizeof(some) / sizeof(some[0]))];

	return random_below(2) ? number : -number;
}

static const char *any_of(const char *const *texts)
{
	uint32_t count = 0;

	while (texts[count])
		count++;
	return texts[random_below(count)];
}

static void add(char *text, const char *more)
{
	if (strlen(text) + strlen(more) < FILTER_TEXT_SIZE)
		strcat(text, more);
}

static void add_blanks(char *text)
{
	static const char *const blanks[] = { "", " ", " ", "  ", "\t", NULL };

	add(text, any_of(blanks));
}

static void add_comparison(char *text, const struct filter_word *words, uint32_t count)
{
	static const char *const of_numbers[] = { "==", "!=", "<", "<=", ">", ">=", "&", NULL };
	static const char *const of_strings[] = { "==", "!=", "~", "~", "~", NULL };
	static const char *const of_functions[] = { "==", "!=", NULL };
	static const char *const of_sets[] = { "==", "!=", "&", NULL };
	const struct filter_word *word = &words[random_below(count)];
	const char *value = any_of(word->values);

	add(text, word->name);
	add_blanks(text);
	if (word->kind == 't')
		add(text, any_of(of_strings));
	else if (word->kind == 'f')
		add(text, any_of(of_functions));
	else if (!strncmp(value, "CPUS", 4))
		add(text, any_of(of_sets));
	else
		add(text, any_of(of_numbers));
	add_blanks(text);
	add(text, value);
	add_blanks(text);
}

static void add_operand(char *text, const struct filter_word *words, uint32_t count,
			uint32_t depth)
{
	uint32_t operands = 1 + random_below(4), i;

	while (!random_below(4))
		add(text, "!");
	if (!depth || random_below(3) || strlen(text) > FILTER_TEXT_SIZE / 4) {
		add_comparison(text, words, count);
		return;
	}
	add(text, "(");
	for (i = 0; i < operands; i++) {
		if (i)
			add(text, random_below(2) ? "&&" : "||");
		add_blanks(text);
		add_operand(text, words, count, depth - 1);
	}
	add(text, ")");
	add_blanks(text);
}

/* Makes a filter of up to some forty comparisons. */
void random_filter(char *text, const struct filter_word *words, uint32_t count)
{
	uint32_t operands = 1 + random_below(4), i;

	*text = '\0';
	for (i = 0; i < operands; i++) {
		if (i)
			add(text, random_below(2) ? "&&" : "||");
		add_blanks(text);
		add_operand(text, words, count, 3);
	}
}
