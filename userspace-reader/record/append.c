// SPDX-License-Identifier: GPL-2.0
/*
 * Appends packets to a file, which ends with a whole packet at each moment, because
 * viewers refuse a whole trace if a packet is truncated.
 *
 * The kernel gives up a write to the page cache at the end of a page if the process is
 * killed. So the first write appends packets without events, each of which ends where
 * a page ends; each begins behind the one before, as viewers order packets by that. The
 * second one gives the first of these packets the size of all. The third one puts the real
 * packets into it, but for the first one's header. The last one writes this header, which
 * lies in one page, and with it all packets are there.
 *
 * Only a kill is provided for. After a loss of power the file may have anything.
 */
#include <string.h>

#include "append.h"
#include "wire/filler.h"
#include "tring_format.h"
#include "wire/wire.h"
#include "util/util.h"

/* The pages of a kernel may be larger; their ends are multiples of this, too. */
#define PAGE		4096
#define PAGES_A_WRITE	16

/**
 * tring_append_padding - get the padding that the last packet of an append needs
 * @end: offset of the end of the packets
 *
 * A packet without events must fit before and behind @end in its page.
 *
 * Return: number of bytes by which the last packet is to be extended.
 */
size_t tring_append_padding(uint64_t end)
{
	size_t used = end % PAGE;

	if (!used)
		return 0;
	if (used < TRING_FILLER_SIZE)
		return TRING_FILLER_SIZE - used;
	return PAGE - used < TRING_FILLER_SIZE ? PAGE - used : 0;
}

/* Return: end of a packet without events that begins at @at. */
static uint64_t find_cut(uint64_t at, uint64_t end)
{
	uint64_t cut = (at / PAGE + 1) * PAGE;

	if (cut - at < TRING_FILLER_SIZE)
		cut += PAGE;
	return cut + TRING_FILLER_SIZE > end ? end : cut;
}

/* Append packets without events. @room: set to their size */
static int append_fillers(int fd, uint64_t begin, uint64_t end, const uint8_t *packets,
			  size_t *room)
{
	uint8_t pages[PAGES_A_WRITE * PAGE];
	struct tring_packet first;
	struct tring_filler filler;
	uint64_t from = begin, at, cut;
	int error = 0;

	tring_packet_parse(packets, TRING_PACKET_HEADER_SIZE, &first);
	filler.stamp = first.timestamp_begin;
	filler.seq_num = first.seq_num;
	filler.discarded = first.discarded;
	while (from < end && !error) {
		memset(pages, 0, end - from < sizeof(pages) ? end - from : sizeof(pages));
		for (at = from; at < end; at = cut) {
			cut = find_cut(at, end);
			if (cut - from > sizeof(pages))
				break;
			tring_filler_write(pages + (at - from), cut - at, packets, &filler);
			filler.seq_num++;
			filler.stamp++;
		}
		*room += tring_write_at(fd, pages, at - from, from, &error);
		from = at;
	}
	return error;
}

static int put(int fd, uint64_t offset, const void *data, size_t size)
{
	int error;

	tring_write_at(fd, data, size, offset, &error);
	return error;
}

/**
 * tring_append - append packets to a file
 * @fd: the file
 * @end: end of the file, for which tring_append_padding() is 0
 * @packets: the packets
 * @size: size of the packets
 * @room: set after an error to the number of bytes behind @end that the file could take
 *
 * After an error the caller truncates the file to @end.
 *
 * Return: 0 or a negative errno, without a message.
 */
int tring_append(int fd, uint64_t end, const uint8_t *packets, size_t size, size_t *room)
{
	const size_t place = offsetof(struct tring_packet_header, packet_size);
	uint8_t header[TRING_PACKET_HEADER_SIZE];
	int error;

	*room = 0;
	if (find_cut(end, end + size) == end + size) {
		*room = tring_write_at(fd, packets, size, end, &error);
		return error;
	}
	error = append_fillers(fd, end, end + size, packets, room);
	if (error)
		return error;
	memcpy(header, packets, sizeof(header));
	tring_packet_resize(header, size);
	error = put(fd, end + place, header + place, sizeof(uint32_t));
	if (!error)
		error = put(fd, end + TRING_FILLER_SIZE, packets + TRING_FILLER_SIZE,
			    size - TRING_FILLER_SIZE);
	return error ? error : put(fd, end, packets, TRING_FILLER_SIZE);
}
