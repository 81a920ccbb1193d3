// SPDX-License-Identifier: GPL-2.0
/* Fuzz target: directories and rings in a memory image; and a blob. */
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "salvage/salvage.h"
#include "trace/blob.h"

/* Where make_seeds has its machine. */
#define BASE	0x40000000ull
#define PAGES	48

/* A damaged image is one whose checksums are right, or the fuzzer would get nowhere. */
static void seal(uint8_t *bytes, size_t size)
{
	size_t at;

	for (at = 0; at + TRING_IMAGE_PAGE <= size; at += TRING_IMAGE_PAGE) {
		struct tring_directory_head *head = (struct tring_directory_head *)(bytes + at);
		uint32_t used = head->size;

		if (head->magic >> 16 != TRING_DIRECTORY_TRACE >> 16 || used < sizeof(*head) ||
		    used > TRING_IMAGE_PAGE)
			continue;
		head->checksum = tring_directory_checksum(head + 1, used - sizeof(*head));
	}
}

/* A ring of millions of sub-buffers takes a second, and has nothing that a small one lacks. */
static bool is_small(const struct tring_directories *found)
{
	size_t i;

	for (i = 0; i < found->memory_count; i++)
		if (found->memories[i].is.nr_subbufs > 1024)
			return false;
	return true;
}

static void walk(struct tring_image *image, const struct tring_directories *found)
{
	struct tring_salvaged packet = { 0 };
	struct tring_ring ring;
	size_t i, j, place;

	for (i = 0; i < found->trace_count && i < 4; i++) {
		for (j = 0; j < found->memory_count && j < 4; j++) {
			struct tring_salvage_order order = { .most = UINT64_MAX };

			tring_ring_open(&ring, image, found, &found->traces[i],
					found->memories[j].is.cpu);
			for (place = 0; place < ring.count && place < 64; place++) {
				tring_salvage_packet(&ring, &ring.places[place], &order, &packet);
				CHECK(packet.size <= packet.capacity);
				CHECK(!packet.size || packet.size >= TRING_PACKET_HEADER_SIZE);
			}
			tring_ring_close(&ring);
		}
	}
	tring_salvaged_free(&packet);
}

/*
 * Pages of the image: the number of the page, the number of bytes in two bytes, and these. What
 * a ring has is a few bytes of each of many pages.
 */
static void fill(uint8_t *image, const uint8_t *bytes, size_t size)
{
	while (size > 3) {
		size_t page = bytes[0] % PAGES, length = tring_load_u16(bytes + 1, false);

		bytes += 3;
		size -= 3;
		if (length > size)
			length = size;
		if (length > TRING_IMAGE_PAGE)
			length = TRING_IMAGE_PAGE;
		memcpy(image + page * TRING_IMAGE_PAGE, bytes, length);
		bytes += length;
		size -= length;
	}
}

static void check_image(const uint8_t *bytes, size_t size)
{
	struct tring_directories found = { 0 };
	struct tring_image image = { .path = "image" };
	static uint8_t memory[PAGES * TRING_IMAGE_PAGE];
	uint64_t physical;
	size_t at;

	memset(memory, 0, sizeof(memory));
	fill(memory, bytes, size);
	seal(memory, sizeof(memory));
	for (at = 0; at < sizeof(memory); at += TRING_IMAGE_PAGE)
		tring_directory_physical(memory + at, sizeof(memory) - at, &physical);
	image.fd = memfd_create("image", 0);
	CHECK(image.fd >= 0 && write(image.fd, memory, sizeof(memory)) == sizeof(memory));
	CHECK_EQ(tring_image_open_raw(&image, image.fd, BASE), 0);
	tring_directories_find(&found, &image);
	if (is_small(&found))
		walk(&image, &found);
	tring_directories_free(&found);
	tring_image_close(&image);
}

/* Names are in order, and each one is there once; the content can be read. */
static int take(void *to, const char *name, const void *data, size_t size)
{
	char *before = to;
	uint8_t *copy = malloc(size + 1);

	CHECK(copy && strlen(name) < 512 && strcmp(before, name) < 0);
	strcpy(before, name);
	memcpy(copy, data, size);
	free(copy);
	return 0;
}

static void check_blob(const uint8_t *bytes, size_t size)
{
	char before[512] = "";

	tring_blob_unpack(bytes, size, take, before);
}

int fuzz_input(const uint8_t *bytes, size_t size)
{
	if (size && *bytes == 'b')
		check_blob(bytes + 1, size - 1);
	else if (size)
		check_image(bytes + 1, size - 1);
	return 0;
}
