/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An open pipe of packets: what read(), splice() and mmap() of it share.
 *
 * Locks, outermost first: another pipe's that is spliced to, tring_pipe::mutex,
 * the mm's (a copy to user space may fault), tring_pipe::map_mutex, the ring's.
 */
#ifndef _TRING_PIPE_H
#define _TRING_PIPE_H

#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/types.h>

#include "ring/ring.h"

struct tring_buffer_meta;

/**
 * struct tring_pipe - an open pipe
 * @mutex: one read() at a time, though several threads may share the file;
 *	not held while waiting for data
 * @buffer: the trace
 * @stream: whose packets
 * @kind: of @stream
 * @packet: taken and not yet given back, if its data is not NULL
 * @done: bytes of it that user space has; all of them while it lies in the
 *	hands of a reader by mmap()
 * @discarded: events that the stream lost before the end of the last packet
 * @lost: those of them that were lost after the packet before it
 * @map_mutex: who maps, and whether pages may leave
 * @maps: areas of user memory that show the ring
 * @serial: of the ring's memory that they show
 * @meta: first page of what they show; NULL before the first mmap()
 */
struct tring_pipe {
	struct mutex			mutex;		/* the members below */
	struct tring_buffer		*buffer;
	struct tring_stream		*stream;
	enum tring_stream_kind		kind;
	struct tring_packet		packet;
	size_t				done;
	u64				discarded;
	u64				lost;

	struct mutex			map_mutex;	/* the members below */
	unsigned int			maps;
	u64				serial;
	struct tring_buffer_meta	*meta;
};

/* pipe.c APIs: */
int tring_pipe_packet(struct tring_pipe *pipe, bool flush);
bool tring_pipe_may_flush(struct tring_pipe *pipe);
int tring_pipe_wait(struct tring_pipe *pipe, bool enough);

/* splice.c APIs: */
ssize_t tring_pipe_splice_read(struct file *filp, loff_t *pos, struct pipe_inode_info *to,
			       size_t room, unsigned int flags);

/* mmap.c APIs: */
int tring_pipe_mmap(struct file *filp, struct vm_area_struct *vma);
long tring_pipe_ioctl(struct file *filp, unsigned int command, unsigned long argument);
void tring_pipe_free_map(struct tring_pipe *pipe);

#endif /* _TRING_PIPE_H */
