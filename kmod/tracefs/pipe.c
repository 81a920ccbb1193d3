// SPDX-License-Identifier: GPL-2.0
/*
 * per_cpu/cpuN/trace_pipe_raw_compact: a CPU's packets as a stream of bytes,
 * and snapshot_raw_compact, the same of what a snapshot has taken aside.
 *
 * A packet is taken out of the ring, copied in as many read() calls as the
 * reader's buffer makes necessary, and only then given back. Whatever did not
 * get to user space, because of a fault or because the file was closed in the
 * middle, is still there: after a fault from that byte on, after a close the
 * whole packet, since the next reader starts at a packet's start.
 *
 * read(), splice() (splice.c) and mmap() (mmap.c) may be mixed: each
 * goes on behind what the one before has given.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "control.h"
#include "pipe.h"
#include "ring/ring.h"

static bool is_recording(struct tring_pipe *pipe)
{
	/*
	 * Pairs with TB(off:A), behind which recording turns false. A stale "on"
	 * costs one more look.
	 */
	return smp_load_acquire(&pipe->buffer->recording);
}

/**
 * tring_pipe_packet - have a packet in hand that was not given out entirely
 * @pipe: whose
 * @flush: close the open sub-buffer if there is nothing else
 *
 * One that was given out goes back to the ring.
 *
 * Context: task, may sleep, with tring_pipe::mutex held.
 * Return: 1 if there is one; 0 at the end; -EAGAIN if there is none for now,
 * -EIO if the ring is broken.
 */
int tring_pipe_packet(struct tring_pipe *pipe, bool flush)
{
	const struct tring_packet_header *header;
	struct tring_packet packet;
	bool recording;
	int err;

	if (pipe->packet.data) {
		if (pipe->done < pipe->packet.size)
			return 1;
		tring_reader_put(pipe->stream);
		pipe->packet.data = NULL;
	}

	/*
	 * First whether there can be more, then whether there is more: the
	 * other way round the last packets might come in between and be missed.
	 */
	recording = pipe->kind == TRING_LIVE && is_recording(pipe);
	err = tring_reader_take(pipe->stream, flush || !recording, &packet);
	if (err == -EAGAIN && !recording)
		return 0;
	if (err)
		return err;
	header = packet.data;
	pipe->lost = header->events_discarded - pipe->discarded;
	pipe->discarded = header->events_discarded;
	pipe->packet = packet;
	pipe->done = 0;
	return 1;
}

/**
 * tring_pipe_may_flush - may one that waits for enough close the open packet?
 * @pipe: whose
 *
 * Context: any.
 * Return: no, if buffer_percent says that it is to wait for full ones.
 */
bool tring_pipe_may_flush(struct tring_pipe *pipe)
{
	return !READ_ONCE(pipe->buffer->percent);
}

/**
 * tring_pipe_wait - wait for packets, or the end
 * @pipe: whose
 * @enough: for as many as buffer_percent says
 *
 * Context: task, may sleep.
 * Return: 0 or -ERESTARTSYS.
 */
int tring_pipe_wait(struct tring_pipe *pipe, bool enough)
{
	int err = tring_reader_wait(pipe->stream, enough);

	if (err)
		return err;
	/* It only sleeps, and so only looks for signals, if it must. */
	if (signal_pending(current))
		return -ERESTARTSYS;
	cond_resched();
	return 0;
}

/*
 * Fills @to as far as that is possible without waiting. The open sub-buffer is
 * flushed only for the first byte, or a reader with a large buffer would make
 * packets as short as its own round trip.
 */
static ssize_t copy_packets(struct tring_pipe *pipe, char __user *to, size_t room)
{
	size_t copied = 0;

	while (copied < room) {
		int ret = tring_pipe_packet(pipe, !copied);
		size_t wanted, count;

		if (ret <= 0)
			return copied ?: ret;
		wanted = min(room - copied, pipe->packet.size - pipe->done);
		count = wanted - copy_to_user(to + copied, pipe->packet.data + pipe->done,
					      wanted);
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

static ssize_t pipe_read(struct file *filp, char __user *to, size_t room, loff_t *pos)
{
	struct tring_pipe *pipe = filp->private_data;
	ssize_t ret;

	if (!room)
		return 0;
	for (;;) {
		if (mutex_lock_interruptible(&pipe->mutex))
			return -ERESTARTSYS;
		ret = copy_packets(pipe, to, room);
		mutex_unlock(&pipe->mutex);
		if (ret != -EAGAIN || filp->f_flags & O_NONBLOCK)
			return ret;
		ret = tring_pipe_wait(pipe, false);
		if (ret)
			return ret;
	}
}

/*
 * As ftrace's, by buffer_percent. A packet that is held counts too, even if it
 * is a reader by mmap() who has it in his hands: asking for the next one gives
 * it back.
 */
static __poll_t pipe_poll(struct file *filp, poll_table *wait)
{
	struct tring_pipe *pipe = filp->private_data;

	poll_wait(filp, tring_reader_wait_queue(pipe->stream), wait);
	/* With recording off a read() does not wait: it gives the rest, or 0. */
	if (pipe->kind != TRING_LIVE || !is_recording(pipe) ||
	    tring_reader_has_enough(pipe->stream))
		return EPOLLIN | EPOLLRDNORM;
	return 0;
}

static int open_stream(struct inode *inode, struct file *filp, enum tring_stream_kind kind)
{
	struct tring_file *file = tring_file_of(inode);
	struct tring_pipe *pipe;
	int err = tring_tracefs_check_lockdown();

	if (err)
		return err;
	/* root passes the mode's check */
	if (filp->f_mode & FMODE_WRITE)
		return -EACCES;

	pipe = kzalloc(sizeof(*pipe), GFP_KERNEL);
	if (!pipe)
		return -ENOMEM;
	mutex_init(&pipe->mutex);
	mutex_init(&pipe->map_mutex);
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
	struct tring_pipe *pipe = filp->private_data;

	tring_reader_release(pipe->stream);
	tring_pipe_free_map(pipe);
	kfree(pipe);
	return 0;
}

#define PIPE_FOPS(open_function)				\
	{							\
		.owner		= THIS_MODULE,			\
		.open		= open_function,		\
		.read		= pipe_read,			\
		.splice_read	= tring_pipe_splice_read,	\
		.poll		= pipe_poll,			\
		.mmap		= tring_pipe_mmap,		\
		.unlocked_ioctl	= tring_pipe_ioctl,		\
		.compat_ioctl	= compat_ptr_ioctl,		\
		.release	= pipe_release,			\
	}

const struct file_operations tring_pipe_fops = PIPE_FOPS(pipe_open);
const struct file_operations tring_snapshot_pipe_fops = PIPE_FOPS(snapshot_pipe_open);
