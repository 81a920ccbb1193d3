// SPDX-License-Identifier: GPL-2.0
/*
 * What versions of libtraceevent, and of its plugins, print differently. The library does not
 * tell its version, so it is asked to print an example.
 */
#include <stdlib.h>
#include <string.h>

#include "reference.h"
#include "util/util.h"
#include "variants.h"

static const char example[] =
	"name: example\nID: 1\nformat:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
	"\tfield:u32 array[1];\toffset:8;\tsize:4;\tsigned:0;\n\n"
	"print fmt: \"%s\", __print_array(REC->array, 1, 4)\n";

static bool print_example(void)
{
	struct tep_handle *tep = tep_alloc();
	struct tring_reference reference;
	struct tep_event *event = NULL;
	struct tring_line line;
	uint8_t payload[12] = { 0 };
	struct tring_record record = {
		.payload = payload, .length = sizeof(payload), .id = 1,
	};
	bool braces = false;

	if (!tep)
		return false;
	tring_line_init(&line);
	tring_reference_init(&reference, tep);
	if (!tep_parse_format(tep, &event, example, strlen(example), "tring")) {
		tring_reference_fields(&reference, &line, &record, 0);
		tring_line_char(&line, 0);
		braces = strchr(line.start, '{');
	}
	tring_reference_free(&reference);
	tring_line_free(&line);
	tep_free(tep);
	return braces;
}

/**
 * tring_variants_braces - ask how an array of numbers is printed
 *
 * Return: true if as "{0x1,0x2}", as by the kernel; false if as "1 2", up to 1.7.
 */
bool tring_variants_braces(void)
{
	static bool known, braces;

	if (!known)
		braces = print_example();
	known = true;
	return braces;
}

static void store(uint8_t *to, uint64_t value, unsigned int size, bool big_endian)
{
	unsigned int i;

	for (i = 0; i < size; i++)
		to[big_endian ? size - 1 - i : i] = value >> 8 * i;
}

/* Return: the letter of a state that was printed; 0 for none, as for a running task. */
static char find_letter(const char *text)
{
	const char *at = strstr(text, "] ");

	return at && at[2] != 'R' && at[3] == ' ' ? at[2] : 0;
}

/**
 * tring_variants_states - ask for the letters of a task's states
 * @event: sched_switch, which a plugin prints
 * @state: the field of the state, of 4 or 8 bytes
 * @letters: set to TRING_STATES letters, by bit; 0 for a bit without one
 *
 * Later plugins take them from the event's print format, those of 1.7 have a list.
 *
 * Return: false if the plugin prints something else.
 */
bool tring_variants_states(const struct tring_event *event,
			   const struct tep_format_field *state, char *letters)
{
	bool big_endian = tep_is_file_bigendian(event->parsed->tep);
	uint8_t *payload = tring_allocate(event->fixed_size);
	struct tring_record record = {
		.payload = payload, .length = event->fixed_size, .id = event->parsed->id,
	};
	struct tring_reference reference;
	struct tring_line line;
	bool any = false;
	unsigned int bit;

	tring_line_init(&line);
	tring_reference_init(&reference, event->parsed->tep);
	for (bit = 0; bit < TRING_STATES; bit++) {
		store(payload + state->offset, UINT64_C(1) << bit, state->size, big_endian);
		line.at = line.start;
		tring_reference_fields(&reference, &line, &record, 0);
		tring_line_char(&line, 0);
		letters[bit] = find_letter(line.start);
		any |= letters[bit];
	}
	tring_reference_free(&reference);
	tring_line_free(&line);
	free(payload);
	return any;
}
