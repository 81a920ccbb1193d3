/* SPDX-License-Identifier: GPL-2.0 */
/* Moves one CPU's packets from the ring to a file. */
#ifndef TRING_DRAIN_H
#define TRING_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "stream_file.h"
#include "tring_format.h"

struct tring_drain;

/**
 * typedef tring_describe_fn - called before packets that are not described reach a file
 * @data: &struct tring_drain.describe_data
 *
 * @types and @ids of the drain have what the packets contain. It is called by the
 * thread that services the CPU.
 *
 * Return: 0 or a negative errno, reported on stderr, after which nothing is written.
 */
typedef int tring_describe_fn(void *data, const struct tring_drain *drain);

/**
 * struct tring_drain - one CPU
 * @cpu: number of the CPU
 * @pipe_fd: non-blocking source of packets
 * @file: destination of packets
 * @ids: TRING_EVENT_IDS entries, by id: it has occurred in a long or extended record
 * @types: short types that have occurred, one bit each
 * @describe: called when a type or an id has occurred for the first time, NULL for
 *	none; the caller sets it after tring_drain_init()
 * @describe_data: for @describe
 * @told: lost events that other traces of the same ring tell, and this one does not;
 *	the caller sets it after tring_drain_init()
 * @is_described: @describe has seen @types and @ids
 * @bytes: bytes for the file, in whole packets
 * @packets: packets for the file
 * @events: records in these packets that are not discarded
 * @discarded_records: discarded records in these packets, and in former files
 * @wrong: pieces of bad input
 * @ended: the ring has no more packets
 * @failed: writing has failed, and the counts are those of the file's content
 * @unsure: the disk has refused packets that the page cache had taken
 * @last: header of the last packet that was read, if @has_last
 * @has_last: a packet was read
 * @first: begin of the first packet of the file
 */
struct tring_drain {
	int		cpu;
	int		pipe_fd;
	struct tring_stream_file file;
	bool		*ids;
	uint32_t	types;
	tring_describe_fn *describe;
	void		*describe_data;
	uint64_t	told;
	bool		is_described;
	uint64_t	bytes;
	uint64_t	packets;
	uint64_t	events;
	uint64_t	discarded_records;
	uint64_t	wrong;
	bool		ended;
	bool		failed;
	bool		unsure;
	uint8_t		last[TRING_PACKET_HEADER_SIZE];
	bool		has_last;
	uint64_t	first;
};

void tring_drain_init(struct tring_drain *drain, int cpu, int pipe_fd,
		      const char *path);
void tring_drain_close(struct tring_drain *drain);
int tring_drain_service(struct tring_drain *drain, bool save);
int tring_drain_save(struct tring_drain *drain);
int tring_drain_turn(struct tring_drain *drain, const char *path);
int tring_drain_finish(struct tring_drain *drain);
int tring_drain_note_losses(struct tring_drain *drain, uint64_t lost);

#endif /* TRING_DRAIN_H */
