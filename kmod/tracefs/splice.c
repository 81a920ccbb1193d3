// SPDX-License-Identifier: GPL-2.0
/*
 * splice() from a pipe of packets: pages move, nothing is copied.
 *
 * A packet's pages are given away all at once: the ring gets fresh ones in
 * their place, and the packet is read. Were they given away one by one, those
 * of a packet that is only half through would be the ring's and the receiver's
 * at the same time. So a packet that the receiver has no room for waits until
 * it has; only if that would get us nowhere, as with a sub-buffer larger than
 * the whole receiver, is a part of it copied. Whoever splices sub-buffers of
 * more than the 64 KiB that a Unix pipe holds makes the pipe larger with
 * F_SETPIPE_SZ.
 *
 * A page that user space has mapped must stay where it is: then it is copied.
 */
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/pipe_fs_i.h>
#include <linux/sched/signal.h>
#include <linux/splice.h>
#include <linux/string.h>

#include "pipe.h"
#include "ring/ring.h"

/* Of a pipe that we have locked. */
static unsigned int free_buffers(const struct pipe_inode_info *to)
{
	unsigned int used = pipe_occupancy(to->head, to->tail);

	return used < to->max_usage ? to->max_usage - used : 0;
}

/* Takes over a reference to the page. */
static ssize_t add_page(struct pipe_inode_info *to, struct page *page, size_t offset,
			size_t length)
{
	struct pipe_buffer buffer = {
		.page	= page,
		.offset	= offset,
		.len	= length,
		/* Others may look at the page, too, so nobody may steal it. */
		.ops	= &nosteal_pipe_buf_ops,
	};

	return add_to_pipe(to, &buffer);
}

static unsigned int count_pages(const void *data, size_t length)
{
	return DIV_ROUND_UP(offset_in_page(data) + length, PAGE_SIZE);
}

/* All that is left of the packet. There is room for it. */
static ssize_t give_packet(struct tring_pipe *pipe, struct pipe_inode_info *to)
{
	const void *data = pipe->packet.data + pipe->done;
	size_t rest = pipe->packet.size - pipe->done;
	const void *page_start = data - offset_in_page(data);
	unsigned int nr = count_pages(data, rest);
	size_t given = 0, length;
	unsigned int i;
	ssize_t ret;
	int err;

	for (i = 0; i < nr; i++)
		get_page(virt_to_page(page_start + i * PAGE_SIZE));
	err = tring_reader_give_away(pipe->stream);
	if (err) {
		for (i = 0; i < nr; i++)
			put_page(virt_to_page(page_start + i * PAGE_SIZE));
		return err;
	}
	pipe->packet.data = NULL;

	for (i = 0; i < nr; i++) {
		size_t offset = offset_in_page(data + given);

		length = min_t(size_t, rest - given, PAGE_SIZE - offset);
		ret = add_page(to, virt_to_page(data + given), offset, length);
		/* We have locked it and looked. */
		if (WARN_ON_ONCE(ret < 0))
			break;
		given += length;
	}
	while (++i < nr)
		put_page(virt_to_page(page_start + i * PAGE_SIZE));
	return given;
}

/* As much of the packet as there is room for. */
static ssize_t copy_packet(struct tring_pipe *pipe, struct pipe_inode_info *to, size_t room)
{
	const void *data = pipe->packet.data + pipe->done;
	size_t rest = min(pipe->packet.size - pipe->done, room);
	ssize_t copied = 0, ret = 0;
	struct page *page;
	size_t length;

	while (copied < rest && free_buffers(to)) {
		page = alloc_page(GFP_KERNEL);
		if (!page) {
			ret = -ENOMEM;
			break;
		}
		length = min_t(size_t, rest - copied, PAGE_SIZE);
		memcpy(page_address(page), data + copied, length);
		ret = add_page(to, page, 0, length);
		if (ret < 0)
			break;
		copied += length;
	}
	pipe->done += copied;
	if (pipe->done == pipe->packet.size) {
		tring_reader_put(pipe->stream);
		pipe->packet.data = NULL;
	}
	return copied ?: ret;
}

/*
 * A packet, or a part of it if there is no other way; -EAGAIN if @to has room
 * for less and @moved says that this would not be the first.
 */
static ssize_t move_packet(struct tring_pipe *pipe, struct pipe_inode_info *to, size_t room,
			   bool moved)
{
	size_t rest = pipe->packet.size - pipe->done;
	unsigned int nr = count_pages(pipe->packet.data + pipe->done, rest);
	ssize_t ret;

	/* Nobody maps a page that is on its way out. */
	mutex_lock(&pipe->map_mutex);
	if (!pipe->maps && rest <= room && nr <= free_buffers(to))
		ret = give_packet(pipe, to);
	else if (!pipe->maps && moved)
		ret = -EAGAIN;
	else
		ret = copy_packet(pipe, to, room);
	mutex_unlock(&pipe->map_mutex);
	return ret;
}

static ssize_t move_packets(struct tring_pipe *pipe, struct pipe_inode_info *to, size_t room)
{
	bool may_flush = tring_pipe_may_flush(pipe);
	size_t moved = 0;
	ssize_t ret;

	while (moved < room && free_buffers(to)) {
		ret = tring_pipe_packet(pipe, may_flush && !moved);
		if (ret <= 0)
			return moved ?: ret;
		ret = move_packet(pipe, to, room - moved, moved);
		if (ret < 0)
			return moved ?: ret;
		moved += ret;
		if (signal_pending(current))
			break;
		cond_resched();
	}
	return moved;
}

/**
 * tring_pipe_splice_read - struct file_operations::splice_read
 * @filp: the pipe of packets
 * @pos: nothing; it is a stream
 * @to: the Unix pipe, locked, or private to us
 * @room: bytes that are wanted
 * @flags: SPLICE_F_NONBLOCK does what O_NONBLOCK does
 *
 * Waits, if there is nothing, until the ring is as full as buffer_percent says.
 *
 * Context: task, may sleep.
 * Return: bytes; 0 at the end; -EAGAIN if there is nothing and it may not wait;
 * -EPIPE, with SIGPIPE, if nobody reads @to; -ENOMEM; -ERESTARTSYS; -EIO. Of
 * what was not moved nothing is lost.
 */
ssize_t tring_pipe_splice_read(struct file *filp, loff_t *pos, struct pipe_inode_info *to,
			       size_t room, unsigned int flags)
{
	struct tring_pipe *pipe = filp->private_data;
	ssize_t ret;

	if (!room)
		return 0;
	for (;;) {
		if (!to->readers) {
			send_sig(SIGPIPE, current, 0);
			return -EPIPE;
		}
		if (!free_buffers(to))
			return -EAGAIN;
		if (mutex_lock_interruptible(&pipe->mutex))
			return -ERESTARTSYS;
		ret = move_packets(pipe, to, room);
		mutex_unlock(&pipe->mutex);
		if (ret != -EAGAIN || filp->f_flags & O_NONBLOCK || flags & SPLICE_F_NONBLOCK)
			return ret;
		ret = tring_pipe_wait(pipe, true);
		if (ret)
			return ret;
	}
}
