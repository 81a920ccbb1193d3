// SPDX-License-Identifier: GPL-2.0
/* Fuzz target: any bytes become text that a terminal, a table and JSON may have. */
#include "export/json.h"
#include "fuzz.h"
#include "util/text.h"

/* Characters that are valid UTF-8, and no control characters but one. */
static void check_printable(const char *text, size_t size, char kept)
{
	const uint8_t *at = (const uint8_t *)text, *end = at + size;

	while (at < end) {
		size_t bytes;

		tring_text_take(at, end - at, &bytes);
		/* a byte that is not UTF-8 is a character, too */
		CHECK(bytes > 1 || *at < 0x80);
		CHECK((kept && *at == kept) || (*at >= 0x20 && *at != 0x7f));
		CHECK(bytes == 1 || *at != 0xc2 || at[1] >= 0xa0);
		at += bytes;
	}
}

static void check_escape(const uint8_t *bytes, size_t size, char kept)
{
	char *once = malloc(TRING_ESCAPED_MAX * size + 1);
	char *twice = malloc(TRING_ESCAPED_MAX * TRING_ESCAPED_MAX * size + 1);
	size_t length, again;

	CHECK(once && twice);
	length = tring_text_escape(once, (const char *)bytes, size, kept);
	check_printable(once, length, kept);
	again = tring_text_escape(twice, once, length, kept);
	CHECK(again == length && !memcmp(once, twice, length));
	/* what needs no look at UTF-8 is left as it is */
	if (tring_is_printable((const char *)bytes, size))
		CHECK(length == size && !memcmp(once, bytes, size));
	free(twice);
	free(once);
}

int fuzz_input(const uint8_t *bytes, size_t size)
{
	struct tring_line line;

	check_escape(bytes, size, 0);
	check_escape(bytes, size, '\n');
	tring_line_init(&line);
	tring_json_text(&line, (const char *)bytes, size);
	check_printable(line.start, line.at - line.start, 0);
	line.at = line.start;
	tring_line_text(&line, (const char *)bytes, size);
	tring_line_escape(&line, 0, 0);
	check_printable(line.start, line.at - line.start, 0);
	tring_line_free(&line);
	return 0;
}
