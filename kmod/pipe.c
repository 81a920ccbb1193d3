// SPDX-License-Identifier: GPL-2.0
/*
 * per_cpu/cpuN/trace_pipe_raw_compact: a CPU's packets as a stream of bytes.
 *
 * A packet is taken out of the ring, copied in as many read() calls as the
 * reader's buffer makes necessary, and only then given back. Whatever did not
 * get to user space, because of a fault or because the file was closed in the
 * middle, is still there: after a fault from that byte on, after a close the
 * whole packet, since the next reader starts at a packet's start.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "control.h"
#include "ring.h"

/**
 * struct pipe_reader - an open pipe
 * @mutex: one read() at a time, though several threads may share the file;
 *	not held while waiting for data
 * @buffer: the trace
 * @stream: whose packets
 * @packet: taken and not yet given back, if its data is not NULL
 * @copied: bytes of it that user space has
 */
struct pipe_reader {
	struct mutex		mutex;		/* the members below */
	struct tring_buffer	*buffer;
	struct tring_stream	*stream;
	struct tring_packet	packet;
	size_t			copied;
};

/* 1: there is a packet in hand. 0: the end, for now. Or an error. */
static int have_packet(struct pipe_reader *reader, bool flush)
{
	struct tring_packet packet;
	bool recording;
	int err;

	if (reader->packet.data)
		return 1;

	/*
	 * First whether there can be more, then whether there is more: the
	 * other way round the last packets might come in between and be missed.
	 * Pairs with TB(off:A), behind which recording turns false. A stale
	 * "on" costs one more look.
	 */
	recording = smp_load_acquire(&reader->buffer->recording);
	err = tring_reader_take(reader->stream, flush, &packet);
	if (err == -EAGAIN && !recording)
		return 0;
	if (err)
		return err;
	reader->packet = packet;
	reader->copied = 0;
	return 1;
}

/* Copies of the packet in hand; gives it back when all of it is out. */
static size_t copy_packet(struct pipe_reader *reader, char __user *to, size_t room)
{
	size_t count = min(room, reader->packet.size - reader->copied);

	count -= copy_to_user(to, reader->packet.data + reader->copied, count);
	reader->copied += count;
	if (reader->copied == reader->packet.size) {
		tring_reader_put(reader->stream);
		reader->packet.data = NULL;
	}
	return count;
}

/*
 * Fills @to as far as that is possible without waiting. The open sub-buffer is
 * flushed only for the first byte, or a reader with a large buffer would make
 * packets as short as its own round trip.
 */
static ssize_t copy_packets(struct pipe_reader *reader, char __user *to, size_t room)
{
	size_t done = 0;

	while (done < room) {
		int ret = have_packet(reader, !done);
		size_t wanted, count;

		if (ret <= 0)
			return done ?: ret;
		wanted = min(room - done, reader->packet.size - reader->copied);
		count = copy_packet(reader, to + done, wanted);
		done += count;
		if (count < wanted)
			return done ?: -EFAULT;
		if (signal_pending(current))
			break;
		cond_resched();
	}
	return done;
}

static ssize_t pipe_read(struct file *filp, char __user *to, size_t room, loff_t *pos)
{
	struct pipe_reader *reader = filp->private_data;
	ssize_t ret;

	if (!room)
		return 0;
	for (;;) {
		if (mutex_lock_interruptible(&reader->mutex))
			return -ERESTARTSYS;
		ret = copy_packets(reader, to, room);
		mutex_unlock(&reader->mutex);
		if (ret != -EAGAIN || filp->f_flags & O_NONBLOCK)
			return ret;

		ret = tring_reader_wait(reader->stream, false);
		if (ret)
			return ret;
		/* It only sleeps, and so only looks for signals, if it must. */
		if (signal_pending(current))
			return -ERESTARTSYS;
		cond_resched();
	}
}

static __poll_t pipe_poll(struct file *filp, poll_table *wait)
{
	struct pipe_reader *reader = filp->private_data;
	struct tring_buffer *buffer = reader->buffer;

	poll_wait(filp, tring_reader_wait_queue(reader->stream), wait);
	/* With recording off a read() does not wait: it gives the rest, or 0. */
	if (READ_ONCE(reader->packet.data) || !READ_ONCE(buffer->recording) ||
	    tring_reader_has_data(reader->stream))
		return EPOLLIN | EPOLLRDNORM;
	return 0;
}

static int pipe_open(struct inode *inode, struct file *filp)
{
	struct tring_file *file = tring_file_of(inode);
	struct pipe_reader *reader;
	int err = tring_tracefs_check_lockdown();

	if (err)
		return err;
	/* root passes the mode's check */
	if (filp->f_mode & FMODE_WRITE)
		return -EACCES;

	reader = kzalloc(sizeof(*reader), GFP_KERNEL);
	if (!reader)
		return -ENOMEM;
	mutex_init(&reader->mutex);
	reader->buffer = file->buffer;
	reader->stream = tring_buffer_stream(file->buffer, file->cpu, TRING_LIVE);
	err = tring_reader_open(reader->stream);
	if (err) {
		kfree(reader);
		return err;
	}
	filp->private_data = reader;
	return stream_open(inode, filp);
}

static int pipe_release(struct inode *inode, struct file *filp)
{
	struct pipe_reader *reader = filp->private_data;

	tring_reader_release(reader->stream);
	kfree(reader);
	return 0;
}

/*
 * No splice_read: moving pages instead of copying them needs the ring to give
 * pages away, and a splice by copying gains nothing over read().
 */
const struct file_operations tring_pipe_fops = {
	.owner		= THIS_MODULE,
	.open		= pipe_open,
	.read		= pipe_read,
	.poll		= pipe_poll,
	.release	= pipe_release,
};
