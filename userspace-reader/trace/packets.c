// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads a CPU's packets from its files: one, or one of each part of the trace.
 *
 * A trace may have more parts than a process can have maps, so only the file that is read is
 * open. Each stream opens it for itself: others may be elsewhere. Of a file that is compressed
 * a frame at a time is in memory.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "packets.h"

/**
 * tring_packet_file_is_compressed - check whether only the compressed file is there
 * @file: the file
 */
bool tring_packet_file_is_compressed(const struct tring_packet_file *file)
{
	return file->compressed && access(file->path, F_OK) && !access(file->compressed, F_OK);
}

/**
 * tring_packet_file_path - get the path of a file of packets, compressed or not
 * @file: the file
 *
 * Return: the path, also if there is no file.
 */
const char *tring_packet_file_path(const struct tring_packet_file *file)
{
	return tring_packet_file_is_compressed(file) ? file->compressed : file->path;
}

/**
 * tring_packet_file_exists - check whether there is a file of packets
 * @file: the file
 */
bool tring_packet_file_exists(const struct tring_packet_file *file)
{
	return !access(tring_packet_file_path(file), F_OK);
}

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

static void close_file(struct tring_packets *packets)
{
	tring_input_close(&packets->input);
	packets->is_open = false;
}

static bool is_readable(const char *path)
{
	struct stat info;

	return !stat(path, &info) && S_ISREG(info.st_mode) && !access(path, R_OK);
}

/*
 * What cannot be read is reported, but for streams that report nothing, and counted as bad
 * input. A CPU without a packet has no file.
 */
static void open_file(struct tring_packets *packets, struct tring_stream *stream)
{
	const struct tring_packet_file *file = &packets->files[packets->at];
	const char *path = tring_packet_file_path(file);

	close_file(packets);
	if (stream->report ? !access(path, F_OK) : is_readable(path))
		stream->errors += tring_input_open(&packets->input, path) != 0;
	packets->is_open = true;
	packets->has_frames = tring_frames_are(path, packets->input.data, packets->input.size);
}

/* The last packet may have become longer. */
static void skip_longer_end(struct tring_stream *stream)
{
	struct tring_packet packet;
	size_t end;

	if (!stream->started || stream->packet.offset >= stream->size)
		return;
	tring_packet_parse(stream->data + stream->packet.offset,
			   stream->size - stream->packet.offset, &packet);
	end = stream->packet.offset + packet.packet_size;
	if (stream->next < end)
		stream->next = end;
}

static void report_frame(const struct tring_packets *packets, const struct tring_stream *stream)
{
	const struct tring_frames *frames = &packets->frames;

	if (stream->report)
		tring_error("%s: offset 0x%zx: %s; %zu bytes skipped", packets->input.path,
			    frames->at, frames->wrong, frames->next - frames->at);
}

static bool read_frame(struct tring_packets *packets, struct tring_stream *stream, size_t size)
{
	struct tring_frames *frames = &packets->frames;
	enum tring_frames_found found;

	while ((found = tring_frames_next(frames, packets->input.data, size)) ==
	       TRING_FRAMES_BAD) {
		stream->errors++;
		report_frame(packets, stream);
	}
	if (found == TRING_FRAMES_GOOD)
		tring_stream_go_on(stream, frames->plain, frames->size);
	return found == TRING_FRAMES_GOOD;
}

/* Read what the file that is open has behind what was read. */
static bool read_open(struct tring_packets *packets, struct tring_stream *stream, uint64_t limit)
{
	size_t size = packets->input.size < limit ? packets->input.size : limit;
	size_t before = stream->size;

	if (packets->has_frames)
		return read_frame(packets, stream, size);
	stream->data = packets->input.data;
	stream->size = size > before ? size : before;
	return size > before;
}

static bool read_on(struct tring_packets *packets, struct tring_stream *stream)
{
	if (!packets->is_open && packets->count)
		open_file(packets, stream);
	return read_open(packets, stream, UINT64_MAX);
}

/**
 * tring_packets_grow - go on in a file that grows
 * @packets: the files
 * @stream: their stream, at the end of what was read of the file
 * @limit: number of bytes of the file that may be read
 *
 * Return: false if there is nothing more.
 */
bool tring_packets_grow(struct tring_packets *packets, struct tring_stream *stream,
			uint64_t limit)
{
	uint64_t at = packets->has_frames ? packets->frames.next : stream->size;

	if (packets->is_open && limit <= at)
		return false;
	/* an empty file that is there now may be compressed */
	open_file(packets, stream);
	if (!read_open(packets, stream, limit))
		return false;
	if (!packets->has_frames)
		skip_longer_end(stream);
	return true;
}

/**
 * tring_packets_step - go to the begin of the next file, if there is one
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
	close_file(packets);
	packets->at++;
	packets->frames.next = 0;
	tring_stream_go_on_anew(stream, NULL, 0);
	/* a loss of which nothing is known but that there is one */
	stream->pending_packets += packets->files[packets->at].gap;
	return true;
}

static bool go_on(struct tring_stream *stream)
{
	do {
		if (read_on(stream->source, stream))
			return true;
	} while (tring_packets_step(stream));
	return false;
}

/* A file may be of terabytes that lie on no disk. */
static void find_data(const struct tring_stream *stream, size_t *from, size_t *end)
{
	const struct tring_packets *packets = stream->source;
	bool is_file = packets->input.mapped && !packets->has_frames;
	int fd = is_file ? open(packets->input.path, O_RDONLY | O_CLOEXEC) : -1;
	off_t at, size = stream->size;

	if (fd < 0)
		return;
	at = lseek(fd, *from, SEEK_DATA);
	if (at >= 0 || errno == ENXIO)
		*from = at < 0 || at > size ? size : at;
	at = lseek(fd, *from, SEEK_HOLE);
	if (at > (off_t)*from && at < size)
		*end = at;
	close(fd);
}

/**
 * tring_packets_start - set a stream to the first packet of the first file
 * @packets: the files
 * @stream: filled in
 */
void tring_packets_start(struct tring_packets *packets, struct tring_stream *stream)
{
	if (packets->at)
		close_file(packets);
	packets->at = 0;
	packets->frames.next = 0;
	tring_stream_init(stream, NULL, 0);
	stream->more = go_on;
	stream->find_data = find_data;
	stream->source = packets;
}

/* Return: false if the file has no packet at its beginning. */
static bool read_begin(const struct tring_packet_file *file, uint64_t *stamp)
{
	const char *path = tring_packet_file_path(file);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	uint8_t header[TRING_PACKET_HEADER_SIZE];
	struct tring_packet packet;
	struct tring_frame frame;
	bool good = false;

	if (fd < 0)
		return false;
	if (pread(fd, header, sizeof(header), 0) == sizeof(header)) {
		if (tring_frames_are(path, header, sizeof(header))) {
			good = !tring_frame_read_head(header, &frame);
			*stamp = frame.begin;
		} else {
			good = tring_reason_is_soft(tring_packet_parse(header, sizeof(header),
								       &packet));
			*stamp = packet.timestamp_begin;
		}
	}
	close(fd);
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
	const struct tring_input *input = &packets->input;
	size_t at = from && packets->count ? find_file(packets, from) : 0, frame = 0;

	if (at != packets->at)
		close_file(packets);
	packets->at = at;
	tring_stream_go_on(stream, NULL, 0);
	if (!packets->is_open && packets->count)
		open_file(packets, stream);
	tring_input_advise(&packets->input, true);
	if (packets->has_frames)
		frame = from ? tring_frames_seek(input->data, input->size, from) : 0;
	else
		tring_stream_go_on(stream, input->data, input->size);
	tring_stream_set_range(stream, from, to);
	tring_input_advise(&packets->input, false);
	packets->frames.next = frame;
	stream->partial |= at || frame;
}

/**
 * tring_packets_place - get the source of the packets that are read, for messages
 * @packets: the files
 * @path: path of the file
 *
 * Return: string to free(): the path, and the frame in which offsets count.
 */
char *tring_packets_place(const struct tring_packets *packets, const char *path)
{
	if (!packets->has_frames)
		return tring_format("%s", path);
	return tring_format("%s: frame at 0x%zx", path, packets->frames.at);
}

/**
 * tring_packets_offset - get a number for the place of the packet that is read in its file
 * @packets: the files
 * @stream: their stream
 *
 * Return: its offset, as in the file before it was compressed, or larger; numbers between those of
 * two packets belong to the bytes of the first one.
 */
uint64_t tring_packets_offset(const struct tring_packets *packets,
			      const struct tring_stream *stream)
{
	const uint64_t frame = packets->has_frames ? packets->frames.at : 0;

	return frame * TRING_FRAMES_RATIO + stream->packet.offset;
}

/**
 * tring_packets_release - release memory of packets that were read
 * @packets: the files
 * @stream: their stream
 */
void tring_packets_release(struct tring_packets *packets, const struct tring_stream *stream)
{
	tring_input_release(&packets->input, packets->has_frames ? packets->frames.at :
							    stream->packet.offset);
}

/**
 * tring_packets_close - release the memory
 * @packets: the files, may be zeroed
 */
void tring_packets_close(struct tring_packets *packets)
{
	if (!packets->borrowed)
		close_file(packets);
	tring_frames_free(&packets->frames);
}
