// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Print formats that libtraceevent evaluates as the kernel does.
 *
 * libtraceevent 1.7 takes "a & (1 | 2 | 4)" for "(a & 1) | 2 | 4": timer_start showed
 * three flags that no timer had. With one number in the place of the parentheses it is
 * right. Its parser frees a word twice after a sizeof that it does not know, so sizeof is a
 * number, too.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fold.h"
#include "util.h"

static char *skip_space(char *at)
{
	return at + strspn(at, " \t");
}

/* Return: end of a number, or NULL. */
static char *read_number(char *at, uint64_t *value)
{
	char *end;

	if (!isdigit((unsigned char)*at))
		return NULL;
	*value = strtoull(at, &end, 0);
	return end + strspn(end, "uUlL");
}

/* Return: end of "(number | number ...)", or NULL. */
static char *read_sum(char *at, uint64_t *sum)
{
	uint64_t value;

	*sum = 0;
	do {
		at = read_number(skip_space(at + 1), &value);
		if (!at)
			return NULL;
		*sum |= value;
		at = skip_space(at);
	} while (*at == '|' && at[1] != '|');
	return *at == ')' ? at + 1 : NULL;
}

/* Return: end of a string in quotes, or of the text. */
static char *skip_string(char *at)
{
	for (at++; *at && *at != '"'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at ? at + 1 : at;
}

/* Return: size of a type, 0 if it is not known. @length: characters of @type */
static unsigned int find_size(const char *type, size_t length, unsigned int long_size)
{
	static const struct {
		const char *type;
		unsigned int size;
	} types[] = {
		{ "char", 1 }, { "signed char", 1 }, { "unsigned char", 1 }, { "bool", 1 },
		{ "short", 2 }, { "unsigned short", 2 }, { "int", 4 }, { "unsigned int", 4 },
		{ "unsigned", 4 }, { "long long", 8 }, { "unsigned long long", 8 },
		{ "u8", 1 }, { "s8", 1 }, { "u16", 2 }, { "s16", 2 }, { "u32", 4 }, { "s32", 4 },
		{ "u64", 8 }, { "s64", 8 }, { "__u8", 1 }, { "__s8", 1 }, { "__u16", 2 },
		{ "__s16", 2 }, { "__u32", 4 }, { "__s32", 4 }, { "__u64", 8 }, { "__s64", 8 },
		{ "long", 0 }, { "unsigned long", 0 }, { "size_t", 0 },
	};
	size_t i;

	if (length && type[length - 1] == '*')
		return long_size;
	for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strlen(types[i].type) == length && !strncmp(types[i].type, type, length))
			return types[i].size ? types[i].size : long_size;
	return 0;
}

/* Return: size of a field that is no dynamic one, 0 if there is none of this name. */
static unsigned int find_field_size(const char *text, const char *name, size_t length)
{
	const char *print = strstr(text, "\nprint fmt:"), *end, *size;

	while ((text = strstr(text, "\tfield:")) && text < print) {
		text += strlen("\tfield:");
		end = text + strcspn(text, ";[");
		size = strstr(text, "\tsize:");
		if ((size_t)(end - text) > length && end[-1 - (ptrdiff_t)length] == ' ' &&
		    !strncmp(end - length, name, length) && size)
			return strtoul(size + strlen("\tsize:"), NULL, 10);
	}
	return 0;
}

/* Return: end of "sizeof(type)" or of "sizeof(REC->field)", or NULL. */
static char *read_sizeof(char *at, const char *text, unsigned int long_size, uint64_t *value)
{
	size_t length;

	if (strncmp(at, "sizeof(", 7))
		return NULL;
	at += 7;
	length = strcspn(at, ")");
	*value = strncmp(at, "REC->", 5) ? find_size(at, length, long_size) :
		 find_field_size(text, at + 5, length - 5);
	return *value && at[length] ? at + length + 1 : NULL;
}

/**
 * tring_fold_constants - replace constants that are combined by | in parentheses, and sizeof
 * @text: a format file, which keeps its length: blanks fill the rest
 * @long_size: bytes of a long of the traced kernel
 */
void tring_fold_constants(char *text, unsigned int long_size)
{
	char *at = strstr(text, "\nprint fmt:"), *end;
	uint64_t value;

	while (at && *at) {
		char before = at > text ? at[-1] : 0;
		bool in_word = isalnum((unsigned char)before) || before == '_';

		if (*at == '"') {
			at = skip_string(at);
			continue;
		}
		/* not the arguments of a function */
		end = *at == '(' && !in_word ? read_sum(at, &value) : NULL;
		if (!end && !in_word)
			end = read_sizeof(at, text, long_size, &value);
		if (end) {
			char number[24];
			int length = snprintf(number, sizeof(number),
					      *at == '(' ? "0x%llx" : "%llu",
					      (unsigned long long)value);

			/* a decimal number may be shorter than its hexadecimal form */
			if (length <= end - at) {
				memset(at, ' ', end - at);
				memcpy(at, number, length);
			}
			at = end;
			continue;
		}
		at++;
	}
}

#define ARRAY	"__print_dynamic_array("
#define TICKS	"jiffies_to_msecs("

/* Return: characters of "__print_dynamic_array(name, size)", 0 if it is something else. */
static int read_array(const char *at, char name[64], char size[16])
{
	int length = 0;

	if (!strncmp(at, ARRAY, strlen(ARRAY)))
		sscanf(at, ARRAY "%63[A-Za-z0-9_] , %15[0-9] )%n", name, size, &length);
	return length;
}

/* Return: characters of a call that was replaced by what follows in @folded, or 0. */
static int fold_call(const char *at, uint64_t tick_frequency, char **folded)
{
	static const char array[] =
		"__print_array(__get_dynamic_array(%s), __get_dynamic_array_len(%s) / %s, %s)";
	char name[64], size[16];
	int length = read_array(at, name, size);

	if (length) {
		tring_extend(folded, array, name, name, size, size);
	} else if (!strncmp(at, TICKS, strlen(TICKS))) {
		length = strlen(TICKS);
		tring_extend(folded, TICKS "%" PRIu64 ", ", tick_frequency);
	}
	return length;
}

/**
 * tring_fold_calls - replace the calls of functions that libtraceevent has in another form
 * @text: a format file with folded constants, in allocated memory; it may move
 * @tick_frequency: timer ticks per second of the traced kernel
 *
 * libtraceevent 1.7 does not know __print_dynamic_array(), but all that it consists of. It tells
 * a function of nothing but its arguments, so the frequency becomes the first one of
 * jiffies_to_msecs().
 */
void tring_fold_calls(char **text, uint64_t tick_frequency)
{
	char *at = strstr(*text, "\nprint fmt:"), *from = *text, *folded = NULL;

	if (!at || (!strstr(at, ARRAY) && !strstr(at, TICKS)))
		return;
	for (at++; *at; ) {
		bool in_word = isalnum((unsigned char)at[-1]) || at[-1] == '_';
		char *call = NULL;
		int length = in_word ? 0 : fold_call(at, tick_frequency, &call);

		if (length) {
			tring_extend(&folded, "%.*s%s", (int)(at - from), from, call);
			from = at + length;
		}
		free(call);
		at = *at == '"' ? skip_string(at) : at + (length ? length : 1);
	}
	tring_extend(&folded, "%s", from);
	free(*text);
	*text = folded;
}
