// SPDX-License-Identifier: GPL-2.0
/* Description: the hex dumps in uapi/format.md are the golden packets. */
#include "helpers.h"

/*
 * A dump line is "  01f0: xx xx ...  remark"; the remark starts with two
 * spaces. The little endian dump comes first.
 */
static size_t take_line(const char *line, uint8_t *bytes, size_t size,
			size_t room)
{
	unsigned int at, byte;
	int used;

	if (sscanf(line, " %4x:%n", &at, &used) != 1)
		return size;
	CHECK_EQ(at, size);
	line += used;
	while (line[0] == ' ' && sscanf(line, " %2x%n", &byte, &used) == 1 &&
	       used == 3) {
		CHECK(size < room);
		bytes[size++] = byte;
		line += used;
	}
	return size;
}

static void check_dump(const char *text, const char *heading,
		       const uint8_t *wanted, size_t room)
{
	uint8_t bytes[TRING_GOLDEN_SIZE];
	const char *line = strstr(text, heading);
	size_t size = 0;

	CHECK(line);
	while (size < room) {
		line = strchr(line, '\n');
		CHECK(line);
		size = take_line(++line, bytes, size, room);
	}
	CHECK(!memcmp(bytes, wanted, size));
}

int main(void)
{
	char *path = make_path("%s/format.md", test_env("TRING_UAPI"));
	char *text = read_file(path);

	check_dump(text, "### Little endian", golden(false), TRING_GOLDEN_SIZE);
	check_dump(text, "### Big endian", golden(true), TRING_GOLDEN_SIZE);
	return 0;
}
