// SPDX-License-Identifier: GPL-2.0
/*
 * per_cpu/cpuN/trace_pipe_raw_compact: a CPU's packets as a stream of bytes;
 * snapshot_raw_compact: the same for what a snapshot has set aside.
 *
 * Reading consumes. A packet is taken out of the ring, copied by as many reads
 * as the reader's buffer makes necessary, and then given back to the ring. Bytes
 * that did not reach user space are not lost: after a fault the next read goes on
 * with them, after a close in mid-packet the next reader gets the whole packet.
 *
 * splice() and sendfile() copy through the same read operation.
 */
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uio.h>

#include "compat.h"
#include "control.h"
#include "ring/ring.h"

/**
 * struct pipe - an open file
 * @mutex: one read at a time, though several threads may share the file; not
 *	held while waiting for data
 * @buffer: the trace
 * @stream: the packets
 * @kind: kind of @stream
 * @packet: the packet that is being read; its data is NULL if there is none
 * @done: bytes of @packet that user space has
 */
struct pipe {
	struct mutex		mutex;		/* protects @packet and @done */
	struct tring_buffer	*buffer;
	struct tring_stream	*stream;
	enum tring_stream_kind	kind;
	struct tring_packet	packet;
	size_t			done;
};

static bool is_recording(struct pipe *pipe)
{
	/*
	 * Pairs with TB(off:A), behind which recording turns false. A stale "on"
	 * costs one more look.
	 */
	return smp_load_acquire(&pipe->buffer->recording);
}

/* Returns 1: there is a packet; 0: the end; or -EAGAIN; or -EIO: the ring is broken. */
static int take_packet(struct pipe *pipe, bool flush)
{
	struct tring_packet packet;
	bool recording;
	int err;

	if (pipe->packet.data)
		return 1;
	/*
	 * Ask first whether there can be more packets, then whether there are
	 * more. In the other order the last packets could arrive in between and
	 * be missed.
	 */
	recording = pipe->kind == TRING_LIVE && is_recording(pipe);
	err = tring_reader_take(pipe->stream, flush || !recording, &packet);
	if (err == -EAGAIN && !recording)
		return 0;
	if (err)
		return err;
	pipe->packet = packet;
	pipe->done = 0;
	return 1;
}

/*
 * Copies as much as there is without waiting. The open sub-buffer is flushed for
 * the first byte only. Otherwise a reader with a large buffer would make packets as
 * short as its own round trip.
 */
static ssize_t copy_taken_packets(struct pipe *pipe, struct iov_iter *to)
{
	size_t copied = 0;

	while (iov_iter_count(to)) {
		int ret = take_packet(pipe, !copied);
		size_t wanted, count;

		if (ret <= 0)
			return copied ?: ret;
		wanted = min(iov_iter_count(to), pipe->packet.size - pipe->done);
		count = copy_to_iter(pipe->packet.data + pipe->done, wanted, to);
		pipe->done += count;
		copied += count;
		if (pipe->done == pipe->packet.size) {
			tring_reader_put(pipe->stream);
			pipe->packet.data = NULL;
		}
		if (count < wanted)
			return copied ?: -EFAULT;
		if (signal_pending(current))
			break;
		cond_resched();
	}
	return copied;
}

static int wait_for_packets(struct pipe *pipe)
{
	int err = tring_reader_wait(pipe->stream);

	if (err)
		return err;
	/* tring_reader_wait() looks for signals only if it sleeps. */
	if (signal_pending(current))
		return -ERESTARTSYS;
	cond_resched();
	return 0;
}

static ssize_t pipe_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct pipe *pipe = iocb->ki_filp->private_data;
	ssize_t ret;

	if (!iov_iter_count(to))
		return 0;
	for (;;) {
		if (mutex_lock_interruptible(&pipe->mutex))
			return -ERESTARTSYS;
		ret = copy_taken_packets(pipe, to);
		mutex_unlock(&pipe->mutex);
		if (ret != -EAGAIN || iocb->ki_filp->f_flags & O_NONBLOCK ||
		    iocb->ki_flags & IOCB_NOWAIT)
			return ret;
		ret = wait_for_packets(pipe);
		if (ret)
			return ret;
	}
}

/*
 * Waits by buffer_percent, as ftrace's does. EPOLLPRI says that there is any event, for
 * programs that look at many rings from time to time; below that level it wakes no reader.
 */
static __poll_t pipe_poll(struct file *filp, poll_table *wait)
{
	struct pipe *pipe = filp->private_data;
	__poll_t events = 0;

	poll_wait(filp, &pipe->stream->cpu_buffer->wait, wait);
	/* With recording off a read does not wait: it gives the rest, or 0. */
	if (pipe->kind != TRING_LIVE || !is_recording(pipe))
		events |= EPOLLIN | EPOLLRDNORM;
	/* What a read could not get, for however long, must not wake its caller. */
	else if (tring_reader_has_enough(pipe->stream) &&
		 !tring_reader_is_blocked(pipe->stream))
		events |= EPOLLIN | EPOLLRDNORM;
	if (tring_reader_has_data(pipe->stream))
		events |= EPOLLPRI;
	return events;
}

static int open_stream(struct inode *inode, struct file *filp, enum tring_stream_kind kind)
{
	struct tring_file *file = tring_file_of(inode);
	struct pipe *pipe;
	int err;

	/* root passes the mode's check */
	if (filp->f_mode & FMODE_WRITE)
		return -EACCES;

	pipe = kzalloc(sizeof(*pipe), GFP_KERNEL);
	if (!pipe)
		return -ENOMEM;
	mutex_init(&pipe->mutex);
	pipe->buffer = file->buffer;
	pipe->stream = tring_buffer_stream(file->buffer, file->cpu, kind);
	pipe->kind = kind;
	err = tring_reader_open(pipe->stream);
	if (err) {
		kfree(pipe);
		return err;
	}
	filp->private_data = pipe;
	return stream_open(inode, filp);
}

static int pipe_open(struct inode *inode, struct file *filp)
{
	return open_stream(inode, filp, TRING_LIVE);
}

static int snapshot_pipe_open(struct inode *inode, struct file *filp)
{
	return open_stream(inode, filp, TRING_SNAPSHOT);
}

static int pipe_release(struct inode *inode, struct file *filp)
{
	struct pipe *pipe = filp->private_data;

	tring_reader_release(pipe->stream);
	kfree(pipe);
	return 0;
}

#define PIPE_FOPS(open_function)				\
	{							\
		.owner		= THIS_MODULE,			\
		.open		= open_function,		\
		.read_iter	= pipe_read_iter,		\
		.splice_read	= tring_copy_splice_read,	\
		.poll		= pipe_poll,			\
		.release	= pipe_release,			\
	}

const struct file_operations tring_pipe_fops = PIPE_FOPS(pipe_open);
const struct file_operations tring_snapshot_pipe_fops = PIPE_FOPS(snapshot_pipe_open);
