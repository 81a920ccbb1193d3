// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads a file of packets that is compressed. zstd checks each frame by a checksum. What is
 * damaged costs the packets of its frame: the next head is found by its mark.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "frames.h"
#include "util/util.h"

#define HEAD_MAGIC	(ZSTD_MAGIC_SKIPPABLE_START + 7)
/* zstd's magic number and length of a skippable frame. */
#define SKIPPABLE_SIZE	8

/* A batch of packets, or a single packet, is smaller. */
#define PLAIN_MAX	(512 * 1024 * 1024)

/* A search for a time ends here. */
#define SEEK_SIZE	(256 * 1024)

/* Frames before the first one of a time range, which tell what was lost before it. */
#define FRAMES_BEFORE	2

/* The last byte is the version. */
static const uint8_t mark[8] = "tringz\0\1";

/* Little endian, as zstd's own numbers. */
struct head {
	uint32_t	magic;
	uint32_t	length;
	uint8_t		mark[8];
	uint8_t		uuid[TRING_UUID_SIZE];
	uint64_t	begin;
	uint64_t	end;
	uint32_t	stored;
	uint32_t	plain;
	uint32_t	packets;
	uint32_t	unused;
};

_Static_assert(sizeof(struct head) == TRING_FRAME_HEAD_SIZE, "the head of a frame has gaps");

/**
 * tring_frame_write_head - write the head of a frame
 * @to: TRING_FRAME_HEAD_SIZE bytes
 * @frame: the frame
 */
void tring_frame_write_head(uint8_t *to, const struct tring_frame *frame)
{
	struct head head = {
		.magic = htole32(HEAD_MAGIC),
		.length = htole32(sizeof(head) - SKIPPABLE_SIZE),
		.begin = htole64(frame->begin),
		.end = htole64(frame->end),
		.stored = htole32(frame->stored),
		.plain = htole32(frame->plain),
		.packets = htole32(frame->packets),
	};

	memcpy(head.mark, mark, sizeof(mark));
	memcpy(head.uuid, frame->uuid, sizeof(head.uuid));
	memcpy(to, &head, sizeof(head));
}

static bool has_magic(const uint8_t *data, size_t size, uint32_t magic)
{
	uint32_t found;

	if (size < sizeof(found))
		return false;
	memcpy(&found, data, sizeof(found));
	return le32toh(found) == magic;
}

/**
 * tring_frame_read_head - read the head of a frame
 * @from: TRING_FRAME_HEAD_SIZE bytes
 * @frame: filled in if the head is good
 *
 * Return: NULL, or what is wrong with the head.
 */
const char *tring_frame_read_head(const uint8_t *from, struct tring_frame *frame)
{
	struct head head;

	memcpy(&head, from, sizeof(head));
	if (le32toh(head.magic) != HEAD_MAGIC ||
	    le32toh(head.length) != sizeof(head) - SKIPPABLE_SIZE ||
	    memcmp(head.mark, mark, sizeof(mark) - 1))
		return "no head of a frame";
	if (head.mark[sizeof(mark) - 1] != mark[sizeof(mark) - 1])
		return "the head of the frame is of another version of tring";
	memcpy(frame->uuid, head.uuid, sizeof(frame->uuid));
	frame->begin = le64toh(head.begin);
	frame->end = le64toh(head.end);
	frame->stored = le32toh(head.stored);
	frame->plain = le32toh(head.plain);
	frame->packets = le32toh(head.packets);
	if (!frame->stored || !frame->plain || frame->plain > PLAIN_MAX ||
	    frame->plain / TRING_FRAMES_RATIO > frame->stored)
		return "the head of the frame has no possible size";
	return NULL;
}

/* @at: less than @size. @frame: filled in if the head is good. Return: why it is no whole frame */
static const char *parse_frame(const uint8_t *data, size_t size, size_t at,
			       struct tring_frame *frame)
{
	size_t rest = size - at;
	const char *wrong;

	if (has_magic(data + at, rest, ZSTD_MAGICNUMBER))
		return "a frame of zstd without tring's head; \"zstd -d\" may read the file";
	if (rest < TRING_FRAME_HEAD_SIZE)
		return "the head of the last frame is torn";
	wrong = tring_frame_read_head(data + at, frame);
	if (!wrong && frame->stored > rest - TRING_FRAME_HEAD_SIZE)
		wrong = "the last frame is torn";
	return wrong;
}

/* Return: offset of the next place that looks like a head, or @size. */
static size_t find(const uint8_t *data, size_t size, size_t from)
{
	struct head head = {
		.magic = htole32(HEAD_MAGIC),
		.length = htole32(sizeof(head) - SKIPPABLE_SIZE),
	};
	const uint8_t *found;

	memcpy(head.mark, mark, sizeof(mark));
	found = from < size ? memmem(data + from, size - from, &head,
				     SKIPPABLE_SIZE + sizeof(mark)) : NULL;
	return found ? (size_t)(found - data) : size;
}

/**
 * tring_frames_are - check whether a file has frames instead of packets
 * @path: its name
 * @data: the file
 * @size: number of bytes
 *
 * The name tells it if the beginning is damaged.
 */
bool tring_frames_are(const char *path, const uint8_t *data, size_t size)
{
	size_t length = strlen(path), suffix = strlen(TRING_FRAMES_SUFFIX);

	return has_magic(data, size, HEAD_MAGIC) || has_magic(data, size, ZSTD_MAGICNUMBER) ||
	       (length > suffix && !strcmp(path + length - suffix, TRING_FRAMES_SUFFIX));
}

static void make_room(struct tring_frames *frames, size_t size)
{
	if (!frames->context) {
		frames->context = ZSTD_createDCtx();
		if (!frames->context) {
			tring_error("out of memory");
			abort();
		}
	}
	if (size <= frames->capacity)
		return;
	free(frames->plain);
	frames->plain = tring_allocate(size);
	frames->capacity = size;
}

/* Return: NULL, or what is wrong with a frame whose head is good. */
static const char *decompress(struct tring_frames *frames, const uint8_t *stored,
			      const struct tring_frame *frame)
{
	size_t size;

	if (ZSTD_getFrameContentSize(stored, frame->stored) != frame->plain)
		return "the frame has another size than its head tells";
	make_room(frames, frame->plain);
	size = ZSTD_decompressDCtx(frames->context, frames->plain, frame->plain, stored,
				   frame->stored);
	if (ZSTD_isError(size))
		return ZSTD_getErrorName(size);
	frames->size = size;
	return size == frame->plain ? NULL : "the frame has another size than its head tells";
}

/**
 * tring_frames_next - decompress the next frame
 * @frames: the position; zeroed at first
 * @data: the file
 * @size: number of bytes
 *
 * Return: TRING_FRAMES_GOOD if @frames->plain has packets; _END at the end of the file; or
 * _BAD if the bytes from @frames->at to @frames->next cannot be read, and @frames->wrong says
 * why.
 */
enum tring_frames_found tring_frames_next(struct tring_frames *frames, const uint8_t *data,
					  size_t size)
{
	struct tring_frame frame;

	if (frames->next >= size)
		return TRING_FRAMES_END;
	frames->at = frames->next;
	frames->size = 0;
	frames->wrong = parse_frame(data, size, frames->at, &frame);
	if (!frames->wrong)
		frames->wrong = decompress(frames, data + frames->at + TRING_FRAME_HEAD_SIZE,
					   &frame);
	if (frames->wrong) {
		frames->next = find(data, size, frames->at + 1);
		return TRING_FRAMES_BAD;
	}
	frames->next = frames->at + TRING_FRAME_HEAD_SIZE + frame.stored;
	return TRING_FRAMES_GOOD;
}

/* Return: a head that has FRAMES_BEFORE - 1 others between it and @at, or 0. */
static size_t step_back(const uint8_t *data, size_t size, size_t at)
{
	size_t distance, first, next, count;

	for (distance = SEEK_SIZE; distance < at; distance *= 2) {
		first = find(data, size, at - distance);
		next = first;
		for (count = 0; count < FRAMES_BEFORE && next < at; count++)
			next = find(data, size, next + 1);
		if (count == FRAMES_BEFORE && next <= at)
			return first;
	}
	return 0;
}

/**
 * tring_frames_seek - find the begin of a time range
 * @data: the file
 * @size: number of bytes
 * @from: begin of the range
 *
 * Return: offset of a head, some frames before the first one that ends at or behind @from. If
 * the times do not rise, it is 0.
 */
size_t tring_frames_seek(const uint8_t *data, size_t size, uint64_t from)
{
	size_t low = 0, high = size, at;
	uint64_t before = 0, behind = UINT64_MAX;
	struct tring_frame frame;

	while (high - low > SEEK_SIZE) {
		size_t middle = low + (high - low) / 2;

		at = find(data, size, middle);
		/* behind a middle without a head all frames are late enough */
		if (at >= high || parse_frame(data, size, at, &frame)) {
			high = middle;
			continue;
		}
		if (frame.begin < before || frame.end > behind)
			return 0;
		if (frame.end < from) {
			low = at;
			before = frame.end;
		} else {
			high = middle;
			behind = frame.begin;
		}
	}
	return step_back(data, size, low);
}

/**
 * tring_frames_free - release the memory
 * @frames: the position, which is at the begin of a file then; may be zeroed
 */
void tring_frames_free(struct tring_frames *frames)
{
	ZSTD_freeDCtx(frames->context);
	free(frames->plain);
	memset(frames, 0, sizeof(*frames));
}
