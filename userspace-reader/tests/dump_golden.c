// SPDX-License-Identifier: GPL-2.0
/* Description: dump shows every record, and the damage of a damaged file. */
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "helpers.h"

static void check_records(const char *output)
{
	size_t i;

	for (i = 0; i < TRING_GOLDEN_RECORDS; i++) {
		const struct tring_golden_record *wanted;
		uint32_t low;
		char *line;

		wanted = &tring_golden_records[i];
		low = wanted->stamp & tring_stamp_mask(TRING_STAMP_BITS);
		output = strstr(output, make_path("  record at 0x%x: ", wanted->offset));
		CHECK(output);
		output++;
		if (wanted->type < TRING_TYPE_DISCARDED)
			line = make_path("short %u, stamp .%07x = 0x%" PRIx64
					 ", flags ", wanted->type, low,
					 (uint64_t)wanted->stamp);
		else if (wanted->type == TRING_TYPE_DISCARDED)
			line = make_path("discarded, stamp .%07x = 0x%" PRIx64
					 ", flags ", low,
					 (uint64_t)wanted->stamp);
		else
			line = make_path(wanted->discarded ? ", discarded, flags " :
					 ", id %u, flags ", wanted->id);
		CHECK(strstr(output, line));
		CHECK(strstr(output, line) < strchr(output, '\n'));
		line = make_path("flags 0x%02x, preempt %u, pid %d%s, length ",
				 wanted->flags, wanted->preempt_count,
				 wanted->pid, wanted->context &
				 TRING_CONTEXT_HAS_PID ? "" : " as before");
		CHECK(strstr(output, line));
		CHECK(strstr(output, line) < strchr(output, '\n'));
	}
}

/* A file whose middle is on no disk is as short as what is there. */
static void check_hole(const char *path)
{
	uint64_t size = 1ull << 40;
	char *output;
	int fd;

	write_file(path, golden(0), TRING_GOLDEN_SIZE);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	CHECK(fd >= 0);
	CHECK_EQ(pwrite(fd, golden(0), TRING_GOLDEN_SIZE, size), TRING_GOLDEN_SIZE);
	close(fd);
	/* CPU time: a search through all of it takes minutes */
	output = output_of(1, "ulimit -t 20; $TRING dump %s", path);
	wants(output, "zeroes instead of a packet header");
	CHECK(strstr(output, make_path("packet at 0x%" PRIx64, size)));
}

int main(void)
{
	char *path = make_path("%s/stream", temp_dir());
	char *output;
	int order;

	for (order = 0; order < 2; order++) {
		write_file(path, golden(order), TRING_GOLDEN_SIZE);
		output = output_of(0, "$TRING dump %s", path);
		CHECK(strstr(output, order ? "packet at 0x0: big endian" :
					     "packet at 0x0: little endian"));
		CHECK(strstr(output, "\n  lengths short 1 varies, short 2 is 8, short"));
		CHECK(strstr(output, ", short 3 is 4, short 4 is 13\n  record at"));
		CHECK(strstr(output, "length 8\n    0000: 08 09 0a 0b 0c 0d 0e 0f\n"));
		CHECK(strstr(output, "length 0\n  record at"));
		check_records(output);
		write_file(path, golden(order), TRING_GOLDEN_SIZE - 100);
		output = output_of(1, "$TRING dump %s", path);
		CHECK(strstr(output, "stream: offset 0x0: packet is longer"));
		CHECK(strstr(output, "  record at 0x15e: "));
	}
	check_hole(path);
	check_run(1, "", "$TRING dump /nonexistent");
	check_run(2, "", "$TRING dump");
	return 0;
}
