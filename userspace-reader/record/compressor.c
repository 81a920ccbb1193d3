// SPDX-License-Identifier: GPL-2.0
/*
 * Appends packets to a file, compressed: see trace/frames.h.
 *
 * A frame has up to a megabyte of packets: with 64 KiB the file is a tenth larger. It is
 * written at once, and a reader tells a frame that a kill has torn by its head. So nothing is
 * written twice, as it is to keep a file of packets whole.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "compressor.h"
#include "trace/frames.h"
#include "wire/wire.h"
#include "util/util.h"

#define FRAME_PLAIN	(1024 * 1024)

/* If a frame does not fit on the disk, the first half of its packets may, down to this. */
#define FRAME_PLAIN_MIN	(16 * 1024)

/* zstd has higher ones, which take much memory to decompress, too. */
#define LEVEL_MAX	19

/**
 * tring_compressor_parse - parse a level of compression
 * @text: the level; negative ones are faster than 1. NULL for the default
 * @level: set to the level
 *
 * Return: false if there is no such level, reported on stderr.
 */
bool tring_compressor_parse(const char *text, int *level)
{
	bool negative = text && *text == '-';
	uint64_t number = TRING_COMPRESS_DEFAULT;

	if (!text || (tring_parse_number(text + negative, &number) && number &&
		      number <= (negative ? (uint64_t)-ZSTD_minCLevel() : LEVEL_MAX))) {
		*level = negative ? -(int)number : (int)number;
		return true;
	}
	tring_error("--compress=%s: not a level of zstd: 1 to %d, or -1 and less for more speed",
		    text, LEVEL_MAX);
	return false;
}

/* Takes whole packets for a frame, up to a limit, but one at least. */
static void take(const uint8_t *packets, size_t size, size_t limit, struct tring_frame *frame)
{
	struct tring_packet packet;

	memset(frame, 0, sizeof(*frame));
	while (frame->plain < size) {
		tring_packet_parse(packets + frame->plain, size - frame->plain, &packet);
		if (frame->packets && frame->plain + (size_t)packet.packet_size > limit)
			break;
		if (!frame->packets) {
			frame->begin = packet.timestamp_begin;
			memcpy(frame->uuid, packet.uuid, sizeof(frame->uuid));
		}
		frame->end = packet.timestamp_end;
		frame->plain += packet.packet_size;
		frame->packets++;
	}
}

static int make_room(struct tring_compressor *compressor, size_t plain)
{
	size_t needed = TRING_FRAME_HEAD_SIZE + ZSTD_compressBound(plain);

	if (!compressor->context) {
		compressor->context = ZSTD_createCCtx();
		if (!compressor->context)
			return -ENOMEM;
		ZSTD_CCtx_setParameter(compressor->context, ZSTD_c_compressionLevel,
				       compressor->level);
		ZSTD_CCtx_setParameter(compressor->context, ZSTD_c_checksumFlag, 1);
	}
	if (needed <= compressor->capacity)
		return 0;
	free(compressor->frame);
	compressor->capacity = 0;
	compressor->frame = malloc(needed);
	if (!compressor->frame)
		return -ENOMEM;
	compressor->capacity = needed;
	return 0;
}

static int append_frame(struct tring_compressor *compressor, int fd, const uint8_t *packets,
			struct tring_frame *frame)
{
	uint64_t end = atomic_load(&compressor->size);
	int error = make_room(compressor, frame->plain);
	size_t stored;

	if (error)
		return error;
	stored = ZSTD_compress2(compressor->context, compressor->frame + TRING_FRAME_HEAD_SIZE,
				compressor->capacity - TRING_FRAME_HEAD_SIZE, packets,
				frame->plain);
	if (ZSTD_isError(stored))
		return -ENOMEM;
	frame->stored = stored;
	tring_frame_write_head(compressor->frame, frame);
	stored += TRING_FRAME_HEAD_SIZE;
	tring_write_at(fd, compressor->frame, stored, end, &error);
	if (!error)
		atomic_store(&compressor->size, end + stored);
	else if (ftruncate(fd, end))
		tring_error("cannot cut off a torn frame: %s", strerror(errno));
	return error;
}

/**
 * tring_compressor_append - append packets to a compressed file
 * @compressor: the file, with a level
 * @fd: the same; it has no torn frame afterwards
 * @packets: whole packets
 * @size: number of bytes
 * @error: set to a negative errno if not all packets were written, else to 0
 *
 * Return: bytes of packets that the file has.
 */
size_t tring_compressor_append(struct tring_compressor *compressor, int fd,
			       const uint8_t *packets, size_t size, int *error)
{
	size_t limit = FRAME_PLAIN, done = 0;
	struct tring_frame frame;
	int failed = 0;

	while (done < size) {
		take(packets + done, size - done, limit, &frame);
		*error = append_frame(compressor, fd, packets + done, &frame);
		if (!*error) {
			done += frame.plain;
			continue;
		}
		failed = *error;
		limit = frame.plain / 2;
		if (frame.packets == 1 || limit < FRAME_PLAIN_MIN)
			break;
	}
	*error = done < size ? failed : 0;
	return done;
}

/**
 * tring_compressor_free - release the memory
 * @compressor: the file, may be zeroed; its level and its size stay
 */
void tring_compressor_free(struct tring_compressor *compressor)
{
	ZSTD_freeCCtx(compressor->context);
	free(compressor->frame);
	compressor->context = NULL;
	compressor->frame = NULL;
	compressor->capacity = 0;
}
