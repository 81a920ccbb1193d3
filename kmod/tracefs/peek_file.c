// SPDX-License-Identifier: GPL-2.0
/*
 * per_cpu/cpuN/trace_raw_compact: what is in a CPU's ring. Non-consuming; any
 * number of readers, none of which holds up a writer.
 *
 * A packet is copied whole and handed out from the copy, so that the next read
 * can finish what one read began. Packets that were overwritten before they could
 * be copied show as a gap in packet_seq_num.
 *
 * Reading the file changes nothing in the ring: no packet is closed for it, and no CPU
 * is interrupted. The last packet that the file shows is the one that is being written,
 * as far as it is written at that moment. There the file ends until it is rewound. Writers
 * may keep that packet from being copied; then the read fails with EBUSY, and another may
 * succeed.
 */
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uio.h>

#include "compat.h"
#include "control.h"
#include "ring/ring.h"

/*
 * How often, and how many microseconds apart, the open packet is looked at. A record is
 * open for less than a microsecond, but for the time of the interrupts that come inside.
 */
#define OPEN_TRIES	200
#define OPEN_PAUSE_US	50

/**
 * struct peek - an open file
 * @mutex: one read at a time
 * @stream: the packets
 * @cursor: the next packet in @stream
 * @position: bytes that user space has of all packets
 * @copy: copy of the current packet
 * @room: bytes that @copy has room for
 * @size: size of the packet in @copy
 * @done: bytes of the packet in @copy that user space has
 */
struct peek {
	struct mutex		mutex;		/* protects the members below */
	struct tring_stream	*stream;
	struct tring_peek	cursor;
	loff_t			position;
	void			*copy;
	size_t			room;
	size_t			size;
	size_t			done;
};

static int make_room(struct peek *peek, size_t room)
{
	void *copy;

	if (room > TRING_SUBBUF_SIZE_MAX)
		return -EIO;
	copy = kvmalloc(room, GFP_KERNEL);
	if (!copy)
		return -ENOMEM;
	kvfree(peek->copy);
	peek->copy = copy;
	peek->room = room;
	return 0;
}

/* Returns 1: there are bytes in the copy; 0: the end, for now; or an error. */
static int copy_next_packet(struct peek *peek)
{
	unsigned int tries = 0;
	size_t size;
	int err;

	if (peek->done < peek->size)
		return 1;
	if (!peek->cursor.with_open)
		return 0;
	for (;;) {
		err = tring_reader_peek(peek->stream, &peek->cursor, peek->copy, peek->room,
					&size);
		/* Sub-buffers may have become larger since the last time. */
		if (err == -EMSGSIZE)
			err = make_room(peek, size);
		else if (err == -EBUSY && ++tries < OPEN_TRIES)
			usleep_range(OPEN_PAUSE_US, 2 * OPEN_PAUSE_US);
		else
			break;
		if (err && err != -EBUSY)
			return err;
		if (signal_pending(current))
			return -ERESTARTSYS;
	}
	if (err)
		return err == -EAGAIN ? 0 : err;
	peek->size = size;
	peek->done = 0;
	return 1;
}

static ssize_t copy_peeked_packets(struct peek *peek, struct iov_iter *to)
{
	size_t copied = 0;

	while (iov_iter_count(to)) {
		int ret = copy_next_packet(peek);
		size_t wanted, count;

		if (ret <= 0)
			return copied ?: ret;
		wanted = min(iov_iter_count(to), peek->size - peek->done);
		count = copy_to_iter(peek->copy + peek->done, wanted, to);
		peek->done += count;
		copied += count;
		if (count < wanted)
			return copied ?: -EFAULT;
		if (signal_pending(current))
			break;
		cond_resched();
	}
	return copied;
}

static ssize_t peek_read_iter(struct kiocb *iocb, struct iov_iter *to)
{
	struct peek *peek = iocb->ki_filp->private_data;
	ssize_t ret = -EINVAL;

	if (mutex_lock_interruptible(&peek->mutex))
		return -ERESTARTSYS;
	/*
	 * sendfile() goes back behind a short write. Those bytes cannot be had
	 * again, and going on without them would give a stream with a hole.
	 */
	if (iocb->ki_pos == peek->position)
		ret = copy_peeked_packets(peek, to);
	if (ret > 0) {
		peek->position += ret;
		iocb->ki_pos = peek->position;
	}
	mutex_unlock(&peek->mutex);
	return ret;
}

/* Packets come and go, so the only position to seek to is the oldest packet. */
static loff_t peek_llseek(struct file *filp, loff_t offset, int whence)
{
	struct peek *peek = filp->private_data;

	if (offset || (whence != SEEK_SET && whence != SEEK_CUR))
		return -EINVAL;
	mutex_lock(&peek->mutex);
	if (whence == SEEK_SET) {
		peek->cursor = (struct tring_peek) { .with_open = true };
		peek->size = 0;
		peek->done = 0;
		peek->position = 0;
		filp->f_pos = 0;
	}
	offset = filp->f_pos;
	mutex_unlock(&peek->mutex);
	return offset;
}

static int peek_open(struct inode *inode, struct file *filp)
{
	struct tring_file *file = tring_file_of(inode);
	struct peek *peek;
	int err;

	/* root passes the mode's check */
	if (filp->f_mode & FMODE_WRITE)
		return -EACCES;

	peek = kzalloc(sizeof(*peek), GFP_KERNEL);
	if (!peek)
		return -ENOMEM;
	mutex_init(&peek->mutex);
	peek->stream = tring_buffer_stream(file->buffer, file->cpu, TRING_LIVE);
	err = make_room(peek, tring_buffer_subbuf_size(file->buffer));
	if (err) {
		kfree(peek);
		return err;
	}
	peek->cursor.with_open = true;
	filp->private_data = peek;
	/* pread() could ask for any position. */
	filp->f_mode &= ~(FMODE_PREAD | FMODE_PWRITE);
	return 0;
}

static int peek_release(struct inode *inode, struct file *filp)
{
	struct peek *peek = filp->private_data;

	kvfree(peek->copy);
	kfree(peek);
	return 0;
}

const struct file_operations tring_peek_fops = {
	.owner		= THIS_MODULE,
	.open		= peek_open,
	.read_iter	= peek_read_iter,
	.splice_read	= tring_copy_splice_read,
	.llseek		= peek_llseek,
	.release	= peek_release,
};
