// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: a trace.dat with its events, and any bytes as a page of events. No record may lie
 * outside of its page, and each must lie behind the one before it.
 */
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "dat/dat_records.h"

/* More of a few bytes only come from what was compressed. */
#define RECORDS_MAX	100000

static void walk_page(const uint8_t *bytes, size_t size, bool big_endian, unsigned int long_size)
{
	struct tring_dat_page page;
	enum tring_dat_found found;
	const uint8_t *end = bytes;
	uint32_t sum = 0;
	size_t i;

	if (!tring_dat_page_begin(&page, bytes, size, big_endian, long_size))
		return;
	while ((found = tring_dat_page_next(&page)) == TRING_DAT_RECORD) {
		CHECK(page.payload >= end + 4);
		CHECK(page.payload == bytes + page.start + 4 ||
		      page.payload == bytes + page.start + 8);
		CHECK(page.length <= (size_t)(bytes + size - page.payload));
		for (i = 0; i < page.length; i++)
			sum += page.payload[i];
		end = page.payload + page.length;
	}
	CHECK(tring_dat_page_next(&page) == TRING_DAT_END);
	fprintf(stdout, "%u", sum);
}

static void read_cpu(struct tring_dat_records *records, size_t cpu, uint64_t from)
{
	struct tring_stream stream;
	struct tring_record record;
	unsigned int count = 0;
	uint32_t sum = 0;
	size_t i;

	tring_stream_init(&stream, NULL, 0);
	tring_dat_records_start(records, from ? 1 : 0, cpu, &stream);
	tring_stream_set_range(&stream, from, UINT64_MAX);
	while (count++ < RECORDS_MAX && tring_stream_next(&stream, &record) != TRING_END)
		for (i = 0; i < record.length; i++)
			sum += record.payload[i];
	fprintf(stdout, "%u", sum);
}

static void read_dat(const char *path)
{
	struct tring_dat_records records = { 0 };
	struct tring_trace_info info;
	size_t i;

	if (!tring_dat_open(&records.file, path)) {
		tring_dat_describe(&records.file, &info);
		free(tring_dat_info_text(&records.file));
		for (i = 0; i < records.file.buffer->count; i++) {
			read_cpu(&records, i, 0);
			read_cpu(&records, i, 1000000000);
		}
	}
	tring_dat_records_close(&records);
}

int fuzz_input(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("trace.dat", MFD_CLOEXEC);
	char *path = make_path("/proc/self/fd/%d", fd);
	int kind;

	for (kind = 0; kind < 4; kind++)
		walk_page(bytes, size, kind & 1, kind & 2 ? 8 : 4);
	CHECK(fd >= 0);
	CHECK(write(fd, bytes, size) == (ssize_t)size);
	read_dat(path);
	free(path);
	close(fd);
	return 0;
}
