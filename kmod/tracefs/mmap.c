// SPDX-License-Identifier: GPL-2.0
/*
 * mmap() of a pipe of packets and the ioctl that goes with it; what user space
 * sees of them is in uapi/tring_mmap.h.
 *
 * A mapping shows the pages of one of the ring's memories, and has references
 * to them. When the ring gets other memory by a resize, the mapping goes on
 * showing the former pages, in which nobody writes any more; a packet of the
 * new memory is not handed out through it, and waits for the next mmap().
 *
 * Pages of a memory that is mapped do not leave by splice(): see splice.c.
 */
#include <linux/cacheflush.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/mutex.h>

#include "compat.h"
#include "pipe.h"
#include "ring/ring.h"
#include "tring_mmap.h"

/*
 * The counters are those of the ring, as a reader asks for them once a packet:
 * what would have to be gathered from all of its sub-buffers is left out.
 */
static void write_counters(struct tring_pipe *pipe)
{
	struct tring_cpu_buffer *cpu_buffer = pipe->stream->cpu_buffer;
	struct tring_buffer_meta *meta = pipe->meta;
	u64 gone;

	mutex_lock(&cpu_buffer->mutex);
	meta->read = cpu_buffer->read;
	meta->overrun = local_read(&cpu_buffer->overwritten) + cpu_buffer->dropped;
	/* Last, so that there are not less than what is gone. */
	gone = meta->read + meta->overrun - cpu_buffer->written_off;
	meta->entries = local_read(&cpu_buffer->committed) - gone;
	mutex_unlock(&cpu_buffer->mutex);
}

static void write_memory(struct tring_pipe *pipe, const struct tring_map *map)
{
	struct tring_buffer_meta *meta = pipe->meta;

	meta->meta_page_size = PAGE_SIZE;
	meta->meta_struct_len = sizeof(*meta);
	meta->subbuf_size = map->subbuf_size;
	meta->nr_subbufs = map->subbufs;
	meta->generation = map->serial;
}

/* The packet that is in hand. */
static void write_packet(struct tring_pipe *pipe)
{
	struct tring_buffer_meta *meta = pipe->meta;

	meta->reader.lost_events = pipe->lost;
	meta->reader.id = pipe->packet.index;
	meta->reader.read = pipe->done;
	meta->reader.size = pipe->packet.size;
}

static void write_no_packet(struct tring_pipe *pipe)
{
	memset(&pipe->meta->reader, 0, sizeof(pipe->meta->reader));
}

/* For processors whose caches go by virtual addresses. */
static void flush_to_user(const void *data, size_t length)
{
	const void *page;

	for (page = data; page < data + length; page += PAGE_SIZE)
		flush_dcache_page(virt_to_page(page));
}

/*
 * The next packet, for a reader by mmap(). From then on all of it counts as
 * given out.
 */
static int fetch_packet(struct tring_pipe *pipe)
{
	int ret;

	if (!READ_ONCE(pipe->maps))
		return -ENODEV;
	ret = tring_pipe_packet(pipe, tring_pipe_may_flush(pipe));

	mutex_lock(&pipe->map_mutex);
	if (!pipe->maps) {
		ret = -ENODEV;
		goto unlock;
	}
	if (!ret)
		ret = -ENODATA;
	if (ret > 0 && pipe->packet.memory_serial != pipe->serial)
		ret = -ESTALE;
	if (ret > 0) {
		write_packet(pipe);
		flush_to_user(pipe->packet.data, pipe->packet.size);
		pipe->done = pipe->packet.size;
		ret = 0;
	} else {
		write_no_packet(pipe);
	}
	write_counters(pipe);
	flush_to_user(pipe->meta, sizeof(*pipe->meta));
unlock:
	mutex_unlock(&pipe->map_mutex);
	return ret;
}

/**
 * tring_pipe_ioctl - struct file_operations::unlocked_ioctl
 * @filp: the pipe
 * @command: TRING_MMAP_IOCTL_GET_READER
 * @argument: nothing
 *
 * Context: task, may sleep.
 * Return: 0 or an error, see uapi/tring_mmap.h; -ENOTTY for other commands.
 */
long tring_pipe_ioctl(struct file *filp, unsigned int command, unsigned long argument)
{
	struct tring_pipe *pipe = filp->private_data;
	int ret;

	if (command != TRING_MMAP_IOCTL_GET_READER)
		return -ENOTTY;
	for (;;) {
		if (mutex_lock_interruptible(&pipe->mutex))
			return -ERESTARTSYS;
		ret = fetch_packet(pipe);
		mutex_unlock(&pipe->mutex);
		if (ret != -EAGAIN || filp->f_flags & O_NONBLOCK)
			return ret;
		ret = tring_pipe_wait(pipe, true);
		if (ret)
			return ret;
	}
}

/* The area was split; another one is part of it now. */
static void open_area(struct vm_area_struct *vma)
{
	struct tring_pipe *pipe = vma->vm_private_data;

	mutex_lock(&pipe->map_mutex);
	WRITE_ONCE(pipe->maps, pipe->maps + 1);
	mutex_unlock(&pipe->map_mutex);
}

static void close_area(struct vm_area_struct *vma)
{
	struct tring_pipe *pipe = vma->vm_private_data;

	mutex_lock(&pipe->map_mutex);
	WRITE_ONCE(pipe->maps, pipe->maps - 1);
	mutex_unlock(&pipe->map_mutex);
}

static const struct vm_operations_struct area_ops = {
	.open	= open_area,
	.close	= close_area,
};

/*
 * Page @number of what can be mapped: the meta page, then those of the ring.
 * Those whose packet was read out of memory that writers have left are gone.
 */
static int insert_page(struct tring_pipe *pipe, struct vm_area_struct *vma,
		       unsigned long address, unsigned long number, u64 serial)
{
	struct page *page;
	int err;

	if (!number)
		return vm_insert_page(vma, address, virt_to_page(pipe->meta));
	page = tring_reader_map_page(pipe->stream, serial, number - 1);
	if (!page)
		return 0;
	err = vm_insert_page(vma, address, page);
	put_page(page);
	return err;
}

static int map_memory(struct tring_pipe *pipe, struct vm_area_struct *vma)
{
	unsigned long nr_pages, number;
	struct tring_map map;
	int err;

	err = tring_reader_map(pipe->stream, &map);
	if (err)
		return err;
	if (pipe->maps && map.serial != pipe->serial)
		return -EBUSY;
	nr_pages = 1 + map.subbufs * (map.subbuf_size >> PAGE_SHIFT);
	if (vma->vm_pgoff >= nr_pages || vma_pages(vma) > nr_pages - vma->vm_pgoff)
		return -EINVAL;

	if (!pipe->meta) {
		pipe->meta = (void *)get_zeroed_page(GFP_KERNEL);
		if (!pipe->meta)
			return -ENOMEM;
	}
	write_memory(pipe, &map);
	write_counters(pipe);
	flush_to_user(pipe->meta, sizeof(*pipe->meta));

	for (number = 0; number < vma_pages(vma); number++) {
		if (fatal_signal_pending(current))
			return -EINTR;
		err = insert_page(pipe, vma, vma->vm_start + number * PAGE_SIZE,
				  vma->vm_pgoff + number, map.serial);
		if (err)
			return err;
		cond_resched();
	}
	pipe->serial = map.serial;
	return 0;
}

/**
 * tring_pipe_mmap - struct file_operations::mmap
 * @filp: the pipe
 * @vma: where to
 *
 * Context: task, may sleep, with the mm's lock held.
 * Return: 0 or an error, see uapi/tring_mmap.h.
 */
int tring_pipe_mmap(struct file *filp, struct vm_area_struct *vma)
{
	struct tring_pipe *pipe = filp->private_data;
	int err;

	if (vma->vm_flags & (VM_WRITE | VM_EXEC) || !(vma->vm_flags & VM_MAYSHARE))
		return -EPERM;
	tring_vm_flags_mod(vma, VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
			   VM_MAYWRITE | VM_MAYEXEC);

	mutex_lock(&pipe->map_mutex);
	err = map_memory(pipe, vma);
	if (!err) {
		vma->vm_private_data = pipe;
		vma->vm_ops = &area_ops;
		WRITE_ONCE(pipe->maps, pipe->maps + 1);
	}
	mutex_unlock(&pipe->map_mutex);
	return err;
}

/**
 * tring_pipe_free_map - the file is closed
 * @pipe: nobody maps it any more, as that holds the file
 *
 * Context: task.
 */
void tring_pipe_free_map(struct tring_pipe *pipe)
{
	free_page((unsigned long)pipe->meta);
}
