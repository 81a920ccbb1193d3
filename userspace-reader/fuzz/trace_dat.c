// SPDX-License-Identifier: GPL-2.0
/*
 * Fuzz target: a trace.dat that comes through a pipe, read by the library; and any bytes as a page
 * of events. No record may lie outside of its page, and each must lie behind the one before it.
 */
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "fuzz.h"
#include "read/trace.h"

/* A few bytes may be very many when decompressed, which would take most of the time. */
#define DECOMPRESSED_MAX	(1024 * 1024)

/* Replaces zstd's. */
size_t ZSTD_decompress(void *to, size_t room, const void *from, size_t size)
{
	static ZSTD_DCtx *context;

	if (room > DECOMPRESSED_MAX)
		return -(size_t)ZSTD_error_memory_allocation;
	if (!context)
		context = ZSTD_createDCtx();
	return ZSTD_decompressDCtx(context, to, room, from, size);
}

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

/* It is shorter than what a pipe takes. */
static void read_pipe(const uint8_t *bytes, size_t size)
{
	struct tring_trace *trace;
	int fds[2];

	CHECK(!pipe(fds));
	CHECK(write(fds[1], bytes, size) == (ssize_t)size);
	close(fds[1]);
	if (!tring_open_fd(&trace, fds[0], &fuzz_options)) {
		/* it is a stream of packets if it has one anywhere */
		if (trace->dat)
			free(tring_dat_info_text(&trace->dat->file));
		fuzz_read(trace, NULL);
	}
	tring_close(trace);
	close(fds[0]);
}

int fuzz_input(const uint8_t *bytes, size_t size)
{
	int kind;

	for (kind = 0; kind < 4; kind++)
		walk_page(bytes, size, kind & 1, kind & 2 ? 8 : 4);
	read_pipe(bytes, size);
	return 0;
}
