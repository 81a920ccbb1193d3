// SPDX-License-Identifier: GPL-2.0
/*
 * Reads a CPU's packets from its files: one, or one of each part of the trace.
 *
 * A trace may have more parts than a process can have maps, so only the file that is read is
 * open. Each stream opens it for itself: others may be elsewhere.
 */
#include <fcntl.h>
#include <unistd.h>

#include "packets.h"

/**
 * tring_packets_copy - prepare to read the same files with another stream
 * @packets: filled in, without an open file; to be closed before the other one
 * @from: the files, and the one that is read
 */
void tring_packets_copy(struct tring_packets *packets, const struct tring_packets *from)
{
	*packets = (struct tring_packets) {
		.files = from->files, .count = from->count, .at = from->at,
		.leave = from->leave,
	};
	if (from->count)
		return;
	packets->input = from->input;
	packets->borrowed = true;
}

/* A CPU without a packet has no file. */
static int open_file(struct tring_packets *packets)
{
	const char *path = packets->files[packets->at].path;

	tring_input_close(&packets->input);
	return access(path, F_OK) ? 0 : tring_input_open(&packets->input, path);
}

/* Go to a file. What cannot be read is reported, and counted as bad input of the stream. */
static void go_to(struct tring_packets *packets, struct tring_stream *stream, size_t at)
{
	packets->at = at;
	if (open_file(packets))
		stream->errors++;
}

/**
 * tring_packets_step - go to the next file, if there is one
 * @stream: stream of tring_packets_start(), at the end of a file
 *
 * Return: false at the end of the last file.
 */
bool tring_packets_step(struct tring_stream *stream)
{
	struct tring_packets *packets = stream->source;

	if (packets->at + 1 >= packets->count)
		return false;
	if (packets->leave)
		packets->leave(stream);
	go_to(packets, stream, packets->at + 1);
	tring_stream_go_on_anew(stream, packets->input.data, packets->input.size);
	return true;
}

static bool go_to_more(struct tring_stream *stream)
{
	while (tring_packets_step(stream))
		if (stream->size)
			return true;
	return false;
}

/**
 * tring_packets_start - set a stream to the first packet of the first file
 * @packets: the files
 * @stream: filled in
 *
 * Return: 0 or a negative errno, reported on stderr; then the file seems to be empty.
 */
int tring_packets_start(struct tring_packets *packets, struct tring_stream *stream)
{
	int error = 0;

	packets->at = 0;
	if (packets->count)
		error = open_file(packets);
	tring_stream_init(stream, packets->input.data, packets->input.size);
	stream->more = go_to_more;
	stream->source = packets;
	return error;
}

/**
 * tring_packets_renew - open the file that is read once more
 * @packets: the files; the present one may have grown, or they are a copy
 * @stream: their stream, which stays where it is; or a copy of that of other files
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_packets_renew(struct tring_packets *packets, struct tring_stream *stream)
{
	int error = packets->count ? open_file(packets) : 0;

	stream->source = packets;
	stream->data = packets->input.data;
	stream->size = packets->input.size;
	return error;
}

/* Return: false if the file has no packet at its beginning. */
static bool read_begin(const struct tring_packet_file *file, uint64_t *stamp)
{
	int fd = open(file->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	uint8_t header[TRING_PACKET_HEADER_SIZE];
	struct tring_packet packet;
	bool good = false;

	if (fd < 0)
		return false;
	if (pread(fd, header, sizeof(header), 0) == sizeof(header)) {
		enum tring_reason reason = tring_packet_parse(header, sizeof(header), &packet);

		good = reason == TRING_PACKET_TRUNCATED || tring_reason_is_soft(reason);
	}
	close(fd);
	*stamp = good ? packet.timestamp_begin : 0;
	return good;
}

/* Return: number of the last file that begins before @from; 0 without one. */
static size_t find_file(const struct tring_packets *packets, uint64_t from)
{
	size_t low = 0, high = packets->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2, at = middle;
		uint64_t stamp = 0;

		/* a file without packets is where the one before it is */
		while (at > low && !read_begin(&packets->files[at], &stamp))
			at--;
		if (at > low && stamp >= from)
			high = at;
		else
			low = middle;
	}
	return low;
}

/**
 * tring_packets_set_range - leave out packets outside of a time range
 * @packets: the files
 * @stream: their stream, before the first tring_stream_next()
 * @from: see tring_stream_set_range()
 * @to: see tring_stream_set_range()
 */
void tring_packets_set_range(struct tring_packets *packets, struct tring_stream *stream,
			     uint64_t from, uint64_t to)
{
	size_t at = from && packets->count ? find_file(packets, from) : 0;

	if (at != packets->at)
		go_to(packets, stream, at);
	tring_stream_go_on(stream, packets->input.data, packets->input.size);
	tring_input_advise(&packets->input, true);
	tring_stream_set_range(stream, from, to);
	tring_input_advise(&packets->input, false);
	stream->partial |= at;
}

/**
 * tring_packets_release - release memory of packets that were read
 * @packets: the files
 * @stream: their stream
 */
void tring_packets_release(struct tring_packets *packets, const struct tring_stream *stream)
{
	tring_input_release(&packets->input, stream->packet.offset);
}

/**
 * tring_packets_close - release the memory
 * @packets: the files, may be zeroed
 */
void tring_packets_close(struct tring_packets *packets)
{
	if (!packets->borrowed)
		tring_input_close(&packets->input);
}
