// SPDX-License-Identifier: GPL-2.0
/*
 * Print formats that libtraceevent evaluates as the kernel does.
 *
 * libtraceevent 1.7 takes "a & (1 | 2 | 4)" for "(a & 1) | 2 | 4": timer_start showed
 * three flags that no timer had. With one number in the place of the parentheses it is
 * right.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fold.h"

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

/**
 * tring_fold_constants - replace constants that are combined by | in parentheses
 * @text: a format file, which keeps its length: blanks fill the rest
 */
void tring_fold_constants(char *text)
{
	char *at = strstr(text, "\nprint fmt:"), *end;
	uint64_t sum;

	while (at && *at) {
		if (*at == '"') {
			at = skip_string(at);
			continue;
		}
		/* not the arguments of a function */
		end = *at == '(' && !isalnum((unsigned char)at[-1]) && at[-1] != '_' ?
			read_sum(at, &sum) : NULL;
		if (end) {
			char number[24];
			int length = snprintf(number, sizeof(number), "0x%llx",
					      (unsigned long long)sum);

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
