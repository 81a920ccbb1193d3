// SPDX-License-Identifier: GPL-2.0
/* Description: two recordings are read together, and a stream of one is refused in the other. */
#include "helpers.h"

static struct builder builder;

/* Makes a trace with another uuid than that of the fixtures if @last is not 0x0f. */
static char *make(const char *name, uint8_t last)
{
	char *dir = make_path("%s/%s", temp_dir(), name);
	size_t at;
	unsigned int i;

	make_trace(dir, false);
	build_init(&builder, false, 0);
	for (i = 0; i < 3; i++) {
		at = builder.size;
		build_packet(&builder, 1000 * (i + 1), 4);
		builder.bytes[at + HEADER_AT(uuid) + TRING_UUID_SIZE - 1] = last;
	}
	build_write(&builder, dir);
	check_run(0, "",
		  "sed -i s/0a0b0c0d0e0f/0a0b0c0d0e%02x/ %s/metadata %s/tring/trace_info", last,
		  dir, dir);
	return dir;
}

static void check(const char *format, const char *first, const char *second, int status,
		  int lines)
{
	CHECK_EQ(atoi(output_of(status, format, first, second)), lines);
}

int main(void)
{
	char *first = make("first", 0x0f), *second = make("second", 0x5a);

	if (have("babeltrace2"))
		check("babeltrace2 %s %s | grep -c ' tick: '", first, second, 0, 24);
	/* its release 2.1 merges clocks that count from the same moment, and no others */
	CHECK_EQ(count_of("cat %s/metadata %s/metadata | grep -c 'absolute = TRUE;'", first,
			  second), 2);
	check("$TRING report %1$s | grep -c ' tick: '", first, second, 0, 12);

	/* the second recording's CPU 0 in the place of the first one's, or beside it */
	check_run(0, "", "cp %s/cpu0 %s/cpu0", second, first);
	check("$TRING report %1$s 2>&1 >/dev/null | grep -c \"uuid differs from the stream's\"",
	      first, second, 0, 1);
	check("$TRING report %1$s 2>/dev/null; echo $?", first, second, 0, 1);
	return 0;
}
