/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reads a CPU's packets from its files: one, or one of each part of the trace. */
#ifndef TRING_PACKETS_H
#define TRING_PACKETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frames.h"
#include "wire/wire.h"
#include "util/util.h"

/**
 * struct tring_packet_file - a file of packets, and what the counters beside it say
 * @dir: trace directory, or that of a part
 * @path: the file
 * @compressed: the file that is there instead if it is compressed; may be NULL. Both are
 *	missing if the CPU had no packet
 * @know_start: there are counters of the start
 * @know_end: there are those of the end, too: @recorded and @lost are valid
 * @recorded: number of events that the file should have
 * @lost: number of events that it should tell as lost
 * @events: number of events that were read, once the file was left
 * @end: of a file that was complete while it was followed: its size
 * @missed: it was removed before all of it was read
 * @gap: files are missing before it
 */
struct tring_packet_file {
	char		*dir;
	char		*path;
	char		*compressed;
	bool		know_start;
	bool		know_end;
	uint64_t	recorded;
	uint64_t	lost;
	uint64_t	events;
	uint64_t	end;
	bool		missed;
	bool		gap;
};

/**
 * struct tring_packets - a stream's position in the files
 * @files: the files in the order of time; the owner's
 * @count: number of @files; 0 if @input is all there is
 * @at: number of the file that is read
 * @input: its content
 * @is_open: @input is that of the file
 * @has_frames: it is compressed
 * @frames: position in a file that is compressed
 * @borrowed: @input belongs to another one
 * @leave: called when a file was read to its end, and others follow; may be NULL. It adds
 *	to @pending_events of the stream what was lost behind the last packet
 */
struct tring_packets {
	const struct tring_packet_file *files;
	size_t		count;
	size_t		at;
	struct tring_input input;
	bool		is_open;
	bool		has_frames;
	struct tring_frames frames;
	bool		borrowed;
	void (*leave)(struct tring_stream *stream);
};

bool tring_packet_file_is_compressed(const struct tring_packet_file *file);
const char *tring_packet_file_path(const struct tring_packet_file *file);
bool tring_packet_file_exists(const struct tring_packet_file *file);

void tring_packets_copy(struct tring_packets *packets, const struct tring_packets *from);
void tring_packets_start(struct tring_packets *packets, struct tring_stream *stream);
bool tring_packets_grow(struct tring_packets *packets, struct tring_stream *stream,
			uint64_t limit);
bool tring_packets_step(struct tring_stream *stream);
void tring_packets_set_range(struct tring_packets *packets, struct tring_stream *stream,
			     uint64_t from, uint64_t to);
uint64_t tring_packets_offset(const struct tring_packets *packets,
			      const struct tring_stream *stream);
char *tring_packets_place(const struct tring_packets *packets, const char *path);
void tring_packets_release(struct tring_packets *packets, const struct tring_stream *stream);
void tring_packets_close(struct tring_packets *packets);

#endif /* TRING_PACKETS_H */
