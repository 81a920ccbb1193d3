/* SPDX-License-Identifier: GPL-2.0 */
/* Appends packets to a file, compressed: see trace/frames.h. */
#ifndef TRING_COMPRESSOR_H
#define TRING_COMPRESSOR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* zstd's fastest level but for those that trade more size for speed. */
#define TRING_COMPRESS_DEFAULT	1

struct ZSTD_CCtx_s;

/**
 * struct tring_compressor - a compressed file that is written
 * @size: bytes in the file, all in whole frames; may be read by others
 * @level: level of zstd; 0 if the file is not compressed
 * @context: memory of zstd
 * @frame: room for a frame
 * @capacity: bytes of @frame
 */
struct tring_compressor {
	_Atomic uint64_t size;
	int		level;
	struct ZSTD_CCtx_s *context;
	uint8_t		*frame;
	size_t		capacity;
};

bool tring_compressor_parse(const char *text, int *level);
size_t tring_compressor_append(struct tring_compressor *compressor, int fd,
			       const uint8_t *packets, size_t size, int *error);
void tring_compressor_free(struct tring_compressor *compressor);

#endif /* TRING_COMPRESSOR_H */
