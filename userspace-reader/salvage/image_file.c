// SPDX-License-Identifier: GPL-2.0
/*
 * Images that a file has in pieces: raw memory, ELF cores and /proc/kcore.
 *
 * The file is read as it is needed. Neither its size nor its end are relied on: /proc/kcore
 * has the size of the address space, and a core may have been cut off.
 */
#include <elf.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "image.h"
#include "wire/wire.h"
#include "util/util.h"

/* A core of a machine with memory in so many pieces is none. */
#define SEGMENTS_MAX	(1u << 20)

static bool next_segment(struct tring_image *image, uint64_t from, uint64_t *begin, uint64_t *end)
{
	size_t i;

	for (i = 0; i < image->count; i++) {
		const struct tring_image_segment *segment = &image->segments[i];

		if (segment->physical + segment->size <= from)
			continue;
		*begin = segment->physical;
		*end = segment->physical + segment->size;
		return true;
	}
	return false;
}

static size_t read_file(int fd, uint64_t offset, uint8_t *to, size_t size)
{
	size_t got = 0;

	while (got < size) {
		ssize_t done = pread(fd, to + got, size - got, offset + got);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			break;
		got += done;
	}
	return got;
}

static size_t read_segments(struct tring_image *image, uint64_t physical, void *to, size_t size)
{
	size_t i, done = 0;

	for (i = 0; i < image->count && done < size; i++) {
		const struct tring_image_segment *segment = &image->segments[i];
		uint64_t inside = physical + done - segment->physical, left;
		size_t part = size - done, got;

		if (physical + done < segment->physical)
			break;
		if (inside >= segment->size)
			continue;
		left = segment->size - inside;
		if (part > left)
			part = left;
		got = read_file(image->fd, segment->offset + inside, (uint8_t *)to + done, part);
		done += got;
		if (got < part)
			break;
	}
	return done;
}

static const struct tring_image_kind segments_kind = { next_segment, read_segments, NULL };

/**
 * tring_image_open_raw - open raw memory
 * @image: filled in
 * @fd: the file
 * @base: physical address of its first byte
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_image_open_raw(struct tring_image *image, int fd, uint64_t base)
{
	/* also that of a block device */
	off_t size = lseek(fd, 0, SEEK_END);

	if (size <= 0) {
		tring_error("%s: %s", image->path, size ? strerror(errno) : "it is empty");
		return -EINVAL;
	}
	if (base % TRING_IMAGE_PAGE || base + size < base) {
		tring_error("--base 0x%" PRIx64 ": not the address of a page of memory", base);
		return -EINVAL;
	}
	image->kind = &segments_kind;
	image->segments = tring_allocate(sizeof(*image->segments));
	image->segments[0] = (struct tring_image_segment) { base, size, 0 };
	image->count = 1;
	return 0;
}

static int compare_segments(const void *a, const void *b)
{
	const struct tring_image_segment *one = a, *other = b;

	return one->physical < other->physical ? -1 : one->physical > other->physical;
}

/* More than 65534 headers are counted in the first section's header. */
static uint64_t count_headers(int fd, const Elf64_Ehdr *header, bool big_endian)
{
	uint64_t count = tring_load_u16(&header->e_phnum, big_endian);
	Elf64_Shdr section;

	if (count != PN_XNUM)
		return count;
	if (read_file(fd, tring_load_u64(&header->e_shoff, big_endian), (uint8_t *)&section,
		      sizeof(section)) != sizeof(section))
		return 0;
	return tring_load_u32(&section.sh_info, big_endian);
}

static void add_segment(struct tring_image *image, const Elf64_Phdr *header, bool big_endian)
{
	struct tring_image_segment segment = {
		tring_load_u64(&header->p_paddr, big_endian),
		tring_load_u64(&header->p_filesz, big_endian),
		tring_load_u64(&header->p_offset, big_endian),
	};

	/* /proc/kcore has memory without a physical address, too */
	if (tring_load_u32(&header->p_type, big_endian) != PT_LOAD || !segment.size ||
	    segment.physical + segment.size < segment.physical)
		return;
	image->segments[image->count++] = segment;
}

static bool is_kcore(const char *path, int fd)
{
	const char *name = strrchr(path, '/');
	struct statfs info;

	return !fstatfs(fd, &info) && info.f_type == PROC_SUPER_MAGIC &&
	       !strcmp(name ? name + 1 : path, "kcore");
}

/**
 * tring_image_open_elf - open an ELF core
 * @image: filled in
 * @fd: the file, which has the magic number
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_image_open_elf(struct tring_image *image, int fd)
{
	Elf64_Phdr program;
	Elf64_Ehdr header;
	uint64_t count, at, size;
	bool big_endian;
	size_t i;

	if (read_file(fd, 0, (uint8_t *)&header, sizeof(header)) != sizeof(header)) {
		tring_error("%s: its ELF header is not complete", image->path);
		return -EINVAL;
	}
	big_endian = header.e_ident[EI_DATA] == ELFDATA2MSB;
	size = tring_load_u16(&header.e_phentsize, big_endian);
	count = count_headers(fd, &header, big_endian);
	if (tring_load_u16(&header.e_type, big_endian) != ET_CORE || size < sizeof(program) ||
	    !count || count > SEGMENTS_MAX) {
		tring_error("%s: an ELF file, but not a core with memory", image->path);
		return -EINVAL;
	}
	image->kind = &segments_kind;
	image->segments = tring_allocate(count * sizeof(*image->segments));
	at = tring_load_u64(&header.e_phoff, big_endian);
	for (i = 0; i < count; i++) {
		if (read_file(fd, at + i * size, (uint8_t *)&program, sizeof(program)) !=
		    sizeof(program)) {
			tring_error("%s: it ends in its program headers", image->path);
			return -EINVAL;
		}
		add_segment(image, &program, big_endian);
	}
	qsort(image->segments, image->count, sizeof(*image->segments), compare_segments);
	image->is_core = true;
	image->is_live = is_kcore(image->path, fd);
	return 0;
}
