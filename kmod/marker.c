// SPDX-License-Identifier: GPL-2.0
/*
 * trace_marker: a write() is an event, ftrace's `print`. Its users find what
 * ftrace's file of that name does (tracing_mark_write() in kernel/trace/trace.c):
 *  - A text that does not end with a newline gets one.
 *  - write() takes 4096 bytes at most, less in a sub-buffer that has no room for
 *    them, and returns how many; 6.1's ftrace takes 1024.
 *  - EBADF if nothing was recorded, because recording is off or for any other
 *    reason; "stats" counts it by its reason.
 *  - Reading gives EINVAL, seeking ESPIPE, to those who may open it for that.
 * What differs:
 *  - The text ends at its first NUL, where ftrace would end when it prints. CTF
 *    takes no other (uapi/format.md), and the newline comes before it.
 *  - Memory that has to be read in first is; ftrace up to 6.12 records
 *    "<faulted>" in its place and returns EFAULT. What is no memory gives EFAULT
 *    and no event.
 *  - There is no options/markers.
 *
 * The text is taken over before anything is reserved, while sleeping is allowed
 * and since its length has to be known. What the second copy costs is less than
 * what a discarded record does, each time that a page is not there.
 */
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "control.h"
#include "event.h"
#include "ring_fast.h"

/* TRACE_PRINT of kernel/trace/trace.h, the same in all kernels. */
#define PRINT_ID	5

/* As events/ftrace/print/format has it. */
struct print_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	char			buf[];
};

/* Of what one write() gives. */
#define TEXT_MAX	4096
/* The newline and the NUL. */
#define TEXT_END	2
/* Most texts are shorter; longer ones are worth a kmalloc(). */
#define TEXT_ON_STACK	256

/* The longest text that goes into a sub-buffer of its own. */
static size_t text_max(struct tring_buffer *buffer)
{
	size_t around = TRING_PACKET_HEADER_SIZE + TRING_HEADER_EXTENDED_SIZE +
			sizeof(struct print_entry) + TEXT_END;

	/* A packet never ends where its sub-buffer does. */
	return min_t(size_t, tring_buffer_subbuf_size(buffer) - 1 - around, TEXT_MAX);
}

/* Its name is what viewers print for the address, and what parsers look for. */
static noinline int tracing_mark_write(struct tring_buffer *buffer, const char *text,
				       size_t length)
{
	struct tring_record TRING_UNINITIALIZED record;
	struct print_entry *entry;
	unsigned int context;
	int err;

	/* Once, as around a probe: see tring_event_context(). */
	preempt_disable_notrace();
	context = tring_event_context();
	err = tring_reserve(buffer, PRINT_ID, sizeof(*entry) + length, &record);
	if (!err) {
		entry = record.payload;
		tring_event_fill(&entry->ent, context);
		entry->ip = _THIS_IP_;
		memcpy(entry->buf, text, length);
		tring_commit(&record);
	}
	preempt_enable_notrace();
	return err;
}

/* @text has room for what is put behind the @count bytes. */
static ssize_t record_text(struct tring_buffer *buffer, char *text,
			   const char __user *from, size_t count)
{
	long length = strncpy_from_user(text, from, count);

	if (length < 0)
		return length;
	if (!length || text[length - 1] != '\n')
		text[length++] = '\n';
	text[length++] = '\0';
	return tracing_mark_write(buffer, text, length) ? -EBADF : count;
}

static ssize_t write_marker(struct file *filp, const char __user *from, size_t count,
			    loff_t *pos)
{
	struct tring_buffer *buffer = filp->private_data;
	char on_stack[TEXT_ON_STACK] TRING_UNINITIALIZED;
	ssize_t ret;
	char *text;

	/* As when the first event is enabled, but not for a text that is refused. */
	if (unlikely(!READ_ONCE(buffer->allocated)) && READ_ONCE(buffer->recording)) {
		ret = tring_buffer_allocate(buffer);
		if (ret)
			return ret;
	}
	if (likely(count <= sizeof(on_stack) - TEXT_END))
		return record_text(buffer, on_stack, from, count);

	count = min(count, text_max(buffer));
	text = kmalloc(count + TEXT_END, GFP_KERNEL);
	if (!text)
		return -ENOMEM;
	ret = record_text(buffer, text, from, count);
	kfree(text);
	return ret;
}

static int open_marker(struct inode *inode, struct file *filp)
{
	int err = tring_tracefs_check_lockdown();

	if (err)
		return err;
	filp->private_data = tring_file_of(inode)->buffer;
	/* No position, so that threads that share a file do not wait for it. */
	return stream_open(inode, filp);
}

const struct file_operations tring_marker_fops = {
	.owner	= THIS_MODULE,
	.open	= open_marker,
	.write	= write_marker,
};
