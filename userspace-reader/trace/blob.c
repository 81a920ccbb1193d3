// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * A blob is a tar archive, in the format "ustar" of POSIX and compressed with zstd, of the
 * files in the directory "tring" of a trace. The metadata is not among them: it is made anew,
 * with what the image says.
 *
 * It has three parts, each compressed by itself: the small files, the large ones, and the small
 * ones again. Memory that outlives the kernel may be damaged, and one changed bit makes all of a
 * part unreadable; without formats a trace is numbers. Only names of functions are in large files.
 *
 * libarchive would load 27 libraries and 40 MB with each command of tring. A test compares
 * with it.
 *
 * A blob from an image may be anything. What is unpacked has a name of the kind that a trace
 * has, in known directories, and sizes are limited.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "blob.h"
#include "trace_dir.h"
#include "util/util.h"

/* Files of all events of a kernel, and its symbols, are fewer and smaller. */
#define ALL_MAX		(64u << 20)
#define BLOCK		512u

/* Files that are larger are there once. */
#define SMALL_MAX	(256u << 10)

/* The beginning of a part, and how many of them may be damaged. */
static const uint8_t part_magic[] = { 0x28, 0xb5, 0x2f, 0xfd };
#define DAMAGED_MAX	16u

/* At level 3 the formats of a thousand events take milliseconds. */
#define LEVEL		3

/**
 * struct header - the block before each file
 * @name: its name, or the part behind @prefix and a slash
 * @mode: octal, as all numbers
 * @uid: of the owner
 * @gid: of the group
 * @size: bytes
 * @mtime: time of the last change
 * @checksum: sum of the block's bytes, with spaces in place of @checksum
 * @type: '0' or 0 for a regular file
 * @link: where a link leads to
 * @magic: "ustar" and version "00"
 * @owners: names of owner and group, and device numbers
 * @prefix: the first part of the name, or nothing
 * @rest: zeroes
 */
struct header {
	char	name[100];
	char	mode[8];
	char	uid[8];
	char	gid[8];
	char	size[12];
	char	mtime[12];
	char	checksum[8];
	char	type;
	char	link[100];
	char	magic[8];
	char	owners[80];
	char	prefix[155];
	char	rest[12];
};

_Static_assert(sizeof(struct header) == BLOCK, "a header is a block");

/**
 * struct archive - files, one behind the other
 * @bytes: the archive so far
 * @size: number of bytes
 * @capacity: bytes allocated
 */
struct archive {
	uint8_t	*bytes;
	size_t	size;
	size_t	capacity;
};

/**
 * struct tring_blob - a blob that is being made
 * @small: files of which it will have two copies
 * @large: the other files
 */
struct tring_blob {
	struct archive	small;
	struct archive	large;
};

/**
 * tring_blob_begin - begin a blob
 *
 * Return: an empty one, to be ended with tring_blob_end().
 */
struct tring_blob *tring_blob_begin(void)
{
	return tring_allocate(sizeof(struct tring_blob));
}

/* Return: room for a number of bytes, rounded up to blocks, which are zeroes. */
static void *append(struct archive *archive, size_t size)
{
	size_t whole = (size + BLOCK - 1) / BLOCK * BLOCK;
	uint8_t *larger, *at;

	if (archive->size + whole > archive->capacity) {
		archive->capacity = 2 * (archive->size + whole);
		larger = tring_allocate(archive->capacity);
		if (archive->size)
			memcpy(larger, archive->bytes, archive->size);
		free(archive->bytes);
		archive->bytes = larger;
	}
	at = archive->bytes + archive->size;
	archive->size += whole;
	return at;
}

static unsigned int sum_of(const struct header *header)
{
	const uint8_t *bytes = (const uint8_t *)header;
	unsigned int sum = 0;
	size_t i;

	/* a loop without a condition is done 16 bytes at a time */
	for (i = 0; i < sizeof(*header); i++)
		sum += bytes[i];
	for (i = 0; i < sizeof(header->checksum); i++)
		sum += ' ' - (uint8_t)header->checksum[i];
	return sum;
}

/**
 * tring_blob_add - add a file
 * @blob: the blob
 * @name: name of the file in the directory "tring" of a trace, such as "trace_info"
 * @data: content of the file
 * @size: its size
 *
 * Return: 0, or -ENAMETOOLONG or -EFBIG, reported on stderr.
 */
int tring_blob_add(struct tring_blob *blob, const char *name, const void *data, size_t size)
{
	struct archive *archive = size > SMALL_MAX ? &blob->large : &blob->small;
	size_t length = strlen(name), split = 0;
	struct header *header;

	if (length > sizeof(header->name)) {
		const char *slash = strchr(name + length - sizeof(header->name) - 1, '/');

		split = slash ? (size_t)(slash - name) : sizeof(header->prefix) + 1;
	}
	if (split > sizeof(header->prefix) || size > ALL_MAX) {
		tring_error("%s: its %s too long for what describes the trace", name,
			    size > ALL_MAX ? "content is" : "name is");
		return size > ALL_MAX ? -EFBIG : -ENAMETOOLONG;
	}
	header = append(archive, sizeof(*header));
	memcpy(header->prefix, name, split);
	name += split ? split + 1 : 0;
	memcpy(header->name, name, strlen(name));
	memcpy(header->mode, "0000644", 8);
	memcpy(header->uid, "0000000", 8);
	memcpy(header->gid, "0000000", 8);
	snprintf(header->size, sizeof(header->size), "%011zo", size);
	memcpy(header->mtime, "00000000000", 12);
	header->type = '0';
	memcpy(header->magic, "ustar\00000", 8);
	snprintf(header->checksum, sizeof(header->checksum), "%06o", sum_of(header));
	header->checksum[7] = ' ';
	memcpy(append(archive, size), data, size);
	return 0;
}

/**
 * tring_blob_add_events - add the formats of events
 * @blob: the blob
 * @events: the events
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_blob_add_events(struct tring_blob *blob, const struct tring_events *events)
{
	int error = 0;
	size_t i;

	for (i = 0; i < events->count && !error; i++) {
		const struct tring_event *event = events->list[i];
		char *name = tring_format(TRING_FILE_EVENTS "/%s/%s/format", event->system,
					  event->name);

		error = tring_blob_add(blob, name, event->text, event->size);
		free(name);
	}
	return error;
}

/* Return: 0, or -EIO or -EFBIG, reported on stderr. */
static int compress(const struct archive *archive, void *packed, size_t room, size_t *size)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t part = 0;

	if (context && archive->size) {
		ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, LEVEL);
		ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
		part = ZSTD_compress2(context, (uint8_t *)packed + *size, room - *size,
				      archive->bytes, archive->size);
	}
	ZSTD_freeCCtx(context);
	if (!context || ZSTD_isError(part)) {
		tring_error("cannot compress what describes the trace: %s",
			    context ? ZSTD_getErrorName(part) : "out of memory");
		return -EIO;
	}
	*size += part;
	return 0;
}

/* The small files, the large ones, the small ones again, and the end. */
static int compress_parts(const struct tring_blob *blob, void **data, size_t *size)
{
	static uint8_t zeroes[2 * BLOCK];
	const struct archive end = { zeroes, sizeof(zeroes), 0 };
	size_t room = 2 * ZSTD_compressBound(blob->small.size) +
		      ZSTD_compressBound(blob->large.size) + ZSTD_compressBound(end.size);
	uint8_t *packed = tring_allocate(room);
	size_t small;
	int error;

	*size = 0;
	error = compress(&blob->small, packed, room, size);
	small = *size;
	if (!error)
		error = compress(&blob->large, packed, room, size);
	if (!error) {
		memcpy(packed + *size, packed, small);
		*size += small;
		error = compress(&end, packed, room, size);
	}
	if (!error && *size > TRING_BLOB_MAX) {
		tring_error("what describes the trace has %zu KiB when it is compressed; %s",
			    *size / 1024, "the ring takes 4 MiB");
		error = -EFBIG;
	}
	if (error)
		free(packed);
	else
		*data = packed;
	return error;
}

/**
 * tring_blob_end - end a blob
 * @blob: the blob, which is freed
 * @data: set to its bytes, to free(); may be NULL to give it up
 * @size: set to their number
 *
 * Return: 0, or -EIO or -EFBIG, reported on stderr.
 */
int tring_blob_end(struct tring_blob *blob, void **data, size_t *size)
{
	int error = data ? compress_parts(blob, data, size) : 0;

	free(blob->large.bytes);
	free(blob->small.bytes);
	free(blob);
	return error;
}

/*
 * Unpacks the part at the beginning of @in behind what is in @archive. Return: NULL, or what is
 * wrong with it: then it is left out.
 */
static const char *decompress_part(ZSTD_inBuffer *in, struct archive *archive)
{
	ZSTD_DStream *stream = ZSTD_createDStream();
	ZSTD_outBuffer out = { NULL, 0, 0 };
	size_t before = archive->size, left = 1;

	while (stream && left && !ZSTD_isError(left) && archive->size < ALL_MAX) {
		const size_t more = 1u << 16;

		out = (ZSTD_outBuffer) { append(archive, more), more, 0 };
		do
			left = ZSTD_decompressStream(stream, &out, in);
		while (left && !ZSTD_isError(left) && out.pos < out.size && in->pos < in->size);
		archive->size -= more - out.pos;
		if (out.pos < out.size)
			break;
	}
	ZSTD_freeDStream(stream);
	if (stream && !left)
		return NULL;
	archive->size = before;
	if (ZSTD_isError(left))
		return ZSTD_getErrorName(left);
	return out.pos < out.size ? "it is cut off" : "it has more than a trace has";
}

/*
 * Parts that are damaged are left out: the search goes on at what begins as a part. Return: the
 * number of parts that were found. @wrong: what is wrong with the last damaged one, or NULL
 */
static unsigned int decompress(const uint8_t *data, size_t size, struct archive *archive,
			       const char **wrong)
{
	unsigned int parts = 0, damaged = 0;
	const uint8_t *at = data, *end = data + size;

	*wrong = size ? NULL : "it is empty";
	while (at < end && damaged < DAMAGED_MAX) {
		ZSTD_inBuffer in = { at, end - at, 0 };
		const char *what = decompress_part(&in, archive);

		if (!what) {
			parts++;
			at += in.pos;
			continue;
		}
		*wrong = what;
		damaged++;
		at = memmem(at + 1, end - at - 1, part_magic, sizeof(part_magic));
		if (!at)
			break;
	}
	return parts;
}

/* Names as ftrace has them, and no others. */
static bool is_name(const char *text, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		if ((text[i] < '0' || text[i] > '9') && (text[i] < 'a' || text[i] > 'z') &&
		    (text[i] < 'A' || text[i] > 'Z') && !strchr("_-.", text[i]))
			return false;
	return size && text[0] != '.';
}

/* A file of a trace, in the directory itself or four names deep. */
static bool is_wanted(const char *name)
{
	static const char * const plain[] = {
		TRING_FILE_INFO, TRING_FILE_PRINTK, TRING_FILE_CMDLINES, TRING_FILE_KALLSYMS,
		TRING_FILE_HEADER_PAGE, "header_event",
	};
	static const char events[] = TRING_FILE_EVENTS "/";
	const char *system = name + strlen(events), *event;
	size_t i;

	for (i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (!strcmp(name, plain[i]))
			return true;
	if (strncmp(name, events, strlen(events)))
		return false;
	event = strchr(system, '/');
	if (!event || !is_name(system, event - system))
		return false;
	event++;
	name = strchr(event, '/');
	return name && is_name(event, name - event) && !strcmp(name, "/format");
}

/* Return: false if it is no number. */
static bool parse_octal(const char *text, size_t length, size_t *value)
{
	size_t i;

	*value = 0;
	for (i = 0; i < length && text[i] && text[i] != ' '; i++) {
		if (text[i] < '0' || text[i] > '7')
			return false;
		*value = *value * 8 + text[i] - '0';
	}
	return i;
}

static char *name_of(const struct header *header)
{
	return *header->prefix ?
	       tring_format("%.*s/%.*s", (int)sizeof(header->prefix), header->prefix,
			    (int)sizeof(header->name), header->name) :
	       tring_format("%.*s", (int)sizeof(header->name), header->name);
}

/**
 * struct file - a file of an archive
 * @name: to free()
 * @data: its content, in the archive
 * @size: number of bytes
 */
struct file {
	char		*name;
	const uint8_t	*data;
	size_t		size;
};

static int compare_files(const void *a, const void *b)
{
	return strcmp(((const struct file *)a)->name, ((const struct file *)b)->name);
}

/* @files: room for all. Return: 0 or -EINVAL, reported on stderr; files before the fault count. */
static int list_files(const struct archive *archive, bool is_damaged, struct file *files,
		      size_t *count)
{
	size_t at = 0, length, sum, rest;

	/* the part with the end may be lost */
	while (at < archive->size || !is_damaged) {
		const struct header *header = (const void *)(archive->bytes + at);

		if (archive->size - at < BLOCK) {
			tring_error("blob: its archive has no end");
			return -EINVAL;
		}
		if (!*header->name)
			return 0;
		if (memcmp(header->magic, "ustar", 6) ||
		    !parse_octal(header->checksum, sizeof(header->checksum), &sum) ||
		    sum != sum_of(header) ||
		    !parse_octal(header->size, sizeof(header->size), &length)) {
			tring_error("blob: byte %zu is not the header of a file", at);
			return -EINVAL;
		}
		at += BLOCK;
		rest = archive->size - at;
		if (length > rest) {
			tring_error("blob: the file at byte %zu is cut off", at);
			return -EINVAL;
		}
		files[*count] = (struct file) { name_of(header), archive->bytes + at, length };
		if ((header->type == '0' || !header->type) && is_wanted(files[*count].name))
			++*count;
		else
			free(files[*count].name);
		length = (length + BLOCK - 1) / BLOCK * BLOCK;
		at += length < rest ? length : rest;
	}
	return 0;
}

static int unpack(const struct archive *archive, bool is_damaged, tring_blob_fn *take, void *to)
{
	struct file *files = tring_allocate((archive->size / BLOCK + 1) * sizeof(*files));
	size_t count = 0, i;
	int error = list_files(archive, is_damaged, files, &count), failed = 0;

	qsort(files, count, sizeof(*files), compare_files);
	for (i = 0; i < count && !failed; i++)
		/* the small ones are there twice */
		if (!i || compare_files(&files[i - 1], &files[i]))
			failed = take(to, files[i].name, files[i].data, files[i].size);
	for (i = 0; i < count; i++)
		free(files[i].name);
	free(files);
	return failed ? failed : error;
}

/**
 * tring_blob_unpack - unpack a blob
 * @data: its bytes, which may be anything
 * @size: their number
 * @take: called for each file that a trace may have, in the order of their names
 * @to: for @take
 *
 * Return: 0 or a negative errno, reported on stderr; @take has got the files before the
 * fault.
 */
int tring_blob_unpack(const void *data, size_t size, tring_blob_fn *take, void *to)
{
	struct archive archive = { 0 };
	const char *wrong;
	unsigned int parts = decompress(data, size, &archive, &wrong);
	int error = -EINVAL;

	if (parts) {
		if (wrong)
			tring_note("blob: a part of it is damaged: %s", wrong);
		error = unpack(&archive, wrong, take, to);
	} else {
		tring_error("blob: %s", wrong);
	}
	free(archive.bytes);
	return error;
}
