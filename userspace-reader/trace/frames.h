/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A file of packets that is compressed: frames of zstd, each with whole packets. Before each
 * is one of zstd's skippable frames, which describes it. So zstd makes the file of packets of
 * it, and a reader finds the frames without decompressing them.
 */
#ifndef TRING_FRAMES_H
#define TRING_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tring_format.h"

/* What the name of such a file has behind that of a file of packets. */
#define TRING_FRAMES_SUFFIX	".zst"

/* A skippable frame: its magic number and length, and what tring puts into it. */
#define TRING_FRAME_HEAD_SIZE	64

/* zstd makes 4 bytes of 128 KiB at best. */
#define TRING_FRAMES_RATIO	(32 * 1024)

/**
 * struct tring_frame - head of a frame
 * @uuid: uuid of the trace
 * @begin: timestamp_begin of its first packet
 * @end: timestamp_end of its last packet
 * @stored: bytes of the frame, which follows the head
 * @plain: bytes of its packets
 * @packets: number of its packets
 */
struct tring_frame {
	uint8_t		uuid[TRING_UUID_SIZE];
	uint64_t	begin;
	uint64_t	end;
	uint32_t	stored;
	uint32_t	plain;
	uint32_t	packets;
};

struct ZSTD_DCtx_s;

/**
 * struct tring_frames - position in a compressed file
 * @at: offset of the head of the frame that is read
 * @next: offset of the next head
 * @plain: packets of the frame
 * @size: number of bytes of @plain
 * @capacity: bytes allocated for it
 * @context: memory of zstd
 * @wrong: why the frame cannot be read
 */
struct tring_frames {
	size_t		at;
	size_t		next;
	uint8_t		*plain;
	size_t		size;
	size_t		capacity;
	struct ZSTD_DCtx_s *context;
	const char	*wrong;
};

enum tring_frames_found {
	TRING_FRAMES_END,
	TRING_FRAMES_GOOD,
	TRING_FRAMES_BAD,
};

void tring_frame_write_head(uint8_t *to, const struct tring_frame *frame);
const char *tring_frame_read_head(const uint8_t *from, struct tring_frame *frame);
bool tring_frames_are(const char *path, const uint8_t *data, size_t size);
enum tring_frames_found tring_frames_next(struct tring_frames *frames, const uint8_t *data,
					  size_t size);
size_t tring_frames_seek(const uint8_t *data, size_t size, uint64_t from);
void tring_frames_free(struct tring_frames *frames);

#endif /* TRING_FRAMES_H */
