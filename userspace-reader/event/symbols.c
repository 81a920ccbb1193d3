// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The kernel's functions by address, which libtraceevent asks for, too. Of several symbols that
 * have an address, the first one is found, as in the kernel, which the saved symbols are from.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "symbols.h"
#include "util/util.h"

/**
 * tring_symbols_take - take the memory of the symbols that will be added
 * @symbols: the symbols, which are none then
 * @text: content of kallsyms, allocated; @symbols frees it
 */
void tring_symbols_take(struct tring_symbols *symbols, char *text)
{
	const char *line = text;
	/* the last line, and the end of the list */
	size_t lines = 2;

	tring_symbols_free(symbols);
	while ((line = strchr(line, '\n'))) {
		lines++;
		line++;
	}
	symbols->text = text;
	symbols->list = tring_allocate(lines * sizeof(*symbols->list));
}

/* strtoull() takes five times as long. Return: number of digits. */
static size_t take_address(const char *line, uint64_t *address)
{
	size_t digits = 0;

	for (*address = 0; ; digits++) {
		char digit = line[digits];

		if (digit >= '0' && digit <= '9')
			*address = *address << 4 | (digit - '0');
		else if (digit >= 'a' && digit <= 'f')
			*address = *address << 4 | (digit - 'a' + 10);
		else
			return digits;
	}
}

/**
 * tring_symbols_add - add a symbol
 * @symbols: the symbols
 * @line: line of the text: "ADDRESS TYPE NAME" or "ADDRESS TYPE NAME\t[MODULE]"; changed
 *
 * Return: false if the line is damaged.
 */
bool tring_symbols_add(struct tring_symbols *symbols, char *line)
{
	struct tring_symbol symbol = { 0 };
	size_t digits = take_address(line, &symbol.address), size;
	char *type = line + digits + 1, *module;

	if (!digits || digits > 16 || type[-1] != ' ' || !isgraph((unsigned char)*type) ||
	    type[1] != ' ')
		return false;
	symbol.name = type + 2;
	module = strchr(symbol.name, '\t');
	if (module) {
		*module++ = 0;
		size = strlen(module);
		if (size < 3 || *module != '[' || module[size - 1] != ']')
			return false;
		module[size - 1] = 0;
		symbol.module = module + 1;
	}
	if (!*symbol.name || strchr(symbol.name, ' '))
		return false;
	/* marks of arm64's code, offsets of per-CPU variables, and addresses that are hidden */
	if (*symbol.name != '$' && *type != 'A' && *type != 'a' && symbol.address)
		symbols->list[symbols->count++] = symbol;
	return true;
}

static int compare(const void *a, const void *b)
{
	const struct tring_symbol *first = a, *second = b;

	if (first->address != second->address)
		return first->address < second->address ? -1 : 1;
	return first->name < second->name ? -1 : 1;
}

/**
 * tring_symbols_sort - make symbols ready to be found, one for each address
 * @symbols: the symbols, all added
 */
void tring_symbols_sort(struct tring_symbols *symbols)
{
	struct tring_symbol *list = symbols->list, none = { 0 };
	size_t count = 0, i;

	if (symbols->count)
		qsort(list, symbols->count, sizeof(*list), compare);
	for (i = 0; i < symbols->count; i++)
		if (!count || list[count - 1].address != list[i].address)
			list[count++] = list[i];
	if (count)
		list[count] = none;
	symbols->count = count;
}

/* The list has room for one more, which is 0: the last symbol has no end. */
static int compare_range(const void *key, const void *entry)
{
	const struct tring_symbol *symbol = entry;
	uint64_t address = *(const uint64_t *)key;

	if (address == symbol->address ||
	    (address > symbol->address && address < symbol[1].address))
		return 0;
	return address < symbol->address ? -1 : 1;
}

/**
 * tring_symbols_find - find the function that contains an address
 * @symbols: the symbols
 * @address: the address
 *
 * Return: the symbol, of @symbols->list; or one without a name.
 */
struct tring_symbol *tring_symbols_find(struct tring_symbols *symbols, uint64_t address)
{
	/* multiplying by the golden ratio spreads addresses that differ in few bits */
	uint64_t place = (address * 0x9e3779b97f4a7c15ull) >> 32;
	__typeof__(*symbols->cached) *cached = &symbols->cached[place % TRING_SYMBOLS_CACHED];
	static struct tring_symbol none;

	if (!symbols->count || address < symbols->list[0].address)
		return &none;
	if (cached->address != address) {
		cached->address = address;
		cached->symbol = bsearch(&address, symbols->list, symbols->count,
					 sizeof(*symbols->list), compare_range);
	}
	return cached->symbol ? cached->symbol : &none;
}

/**
 * tring_symbols_free - free symbols
 * @symbols: the symbols, may be zeroed, and are then
 */
void tring_symbols_free(struct tring_symbols *symbols)
{
	free(symbols->text);
	free(symbols->list);
	memset(symbols, 0, sizeof(*symbols));
}
