// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parts of CTF 1.8 metadata (TSDL) that all traces have. */

#include "tsdl_text.h"
#include "util.h"

/**
 * tring_tsdl_string - write text as a string of TSDL
 * @file: the metadata
 * @text: the text
 */
void tring_tsdl_string(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text; text++) {
		/* octal escapes for bytes that a TSDL string cannot contain */
		if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ')
			fprintf(file, "\\%03o", (unsigned char)*text);
		else
			putc_unlocked(*text, file);
	}
	fputc('"', file);
}

/**
 * tring_tsdl_name - make a name for a field that is added to those of an event
 * @event: the event
 * @stem: beginning of the name, to which two underscores are added
 * @tail: end of the name
 *
 * babeltrace2 removes a leading underscore and compares names with and without
 * it, so an added name must differ from the event's own fields in both forms.
 *
 * Return: the name, to be freed.
 */
char *tring_tsdl_name(const struct tring_event *event, const char *stem, const char *tail)
{
	char *name = tring_format("__%s%s", stem, tail);

	while (tring_find_field(event, name + 1) || tring_find_field(event, name + 2))
		tring_extend(&name, "_");
	return name;
}
