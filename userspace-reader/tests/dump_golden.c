// SPDX-License-Identifier: GPL-2.0
/* Description: dump shows every record, and what is wrong with a damaged file. */
#include "helpers.h"

static void check_records(const char *output)
{
	size_t i;

	for (i = 0; i < TRING_GOLDEN_RECORDS; i++) {
		const struct tring_golden_record *wanted;
		char *line;

		wanted = &tring_golden_records[i];
		line = make_path("  record at 0x%x: ", wanted->offset);
		output = strstr(output, line);
		CHECK(output);
		free(line);
		line = make_path("flags 0x%02x, preempt %u, pid %d, length %" PRIu64,
				 wanted->flags, wanted->preempt_count,
				 wanted->pid, wanted->type_len % 31 &&
				 i + 1 < TRING_GOLDEN_RECORDS ?
				 (uint64_t)tring_record_align(wanted->length) :
				 wanted->length);
		CHECK(strstr(output, line));
		free(line);
	}
	CHECK(strstr(output, "\n    0000: "));
}

int main(void)
{
	char *path = make_path("%s/stream", temp_dir());
	char *command = make_path("$TRING dump %s", path), *output;
	int order;

	for (order = 0; order < 2; order++) {
		write_file(path, golden(order), TRING_GOLDEN_SIZE);
		CHECK_EQ(run(command, &output), 0);
		CHECK(strstr(output, order ? "packet at 0x0: big endian" :
					     "packet at 0x0: little endian"));
		check_records(output);
		free(output);
		write_file(path, golden(order), TRING_GOLDEN_SIZE - 100);
		CHECK_EQ(run(command, &output), 1);
		CHECK(strstr(output, "stream: offset 0x0: packet is longer"));
		CHECK(strstr(output, "  record at 0x150: "));
		free(output);
	}
	CHECK_EQ(run("$TRING dump /nonexistent", &output), 1);
	free(output);
	CHECK_EQ(run("$TRING dump", &output), 2);
	free(output);
	free(command);
	free(path);
	return 0;
}
