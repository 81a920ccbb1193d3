// SPDX-License-Identifier: GPL-2.0
/* Fuzz target: a compressed file of packets, read from its beginning and from a time on. */
#include "fuzz.h"
#include "trace/packets.h"

static void read_all(struct tring_packets *packets, struct tring_stream *stream, size_t size)
{
	uint64_t last = 0;
	struct tring_record record;

	while (tring_stream_next(stream, &record) == TRING_OK) {
		/* frames come in their order, and lie in the file */
		CHECK(packets->frames.at >= last);
		last = packets->frames.at;
		CHECK(packets->frames.next <= size);
		CHECK(record.payload + record.length <= stream->data + stream->size);
	}
	CHECK(packets->frames.next >= size);
}

int fuzz_input(const uint8_t *bytes, size_t size)
{
	uint64_t from = size ? UINT64_C(1) << bytes[size - 1] % 64 : 0;
	struct tring_packets packets = {
		.input = { .data = (void *)bytes, .size = size },
		.has_frames = true, .borrowed = true,
	};
	struct tring_stream stream;

	tring_packets_start(&packets, &stream);
	read_all(&packets, &stream, size);
	tring_packets_start(&packets, &stream);
	tring_packets_set_range(&packets, &stream, from, UINT64_MAX);
	CHECK(packets.frames.next <= size);
	read_all(&packets, &stream, size);
	tring_packets_close(&packets);
	return 0;
}
