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
 * A text is copied to where it stays, with nothing that could sleep between
 * reserve and commit. The last byte is looked at first, to know whether there
 * will be a newline, and since that reads in the page of most texts. If it does
 * not come out well, for there is a NUL in it, a page is not there after all, or
 * somebody is changing it, then the reservation is discarded, and the text goes
 * through a copy of ours.
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
#include "probes/event.h"
#include "ring/fast.h"

/* Of the first event of a ring, see tring_marker_init(). */
#define PRINT_KEY	((u64)TRING_PRINT_ID << TRING_HEAD_ID_SHIFT | TRING_TYPE_SHORT_MIN | \
			 TRING_HEAD_VARIES)

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

/* The longest text that goes into a sub-buffer of its own. */
static size_t text_max(struct tring_buffer *buffer)
{
	size_t around = TRING_PACKET_HEADER_SIZE + TRING_RECORD_HEAD_MAX +
			sizeof(struct print_entry) - TRING_PAYLOAD_HEAD + TEXT_END;

	/* A packet never ends where its sub-buffer does. */
	return min_t(size_t, tring_buffer_subbuf_size(buffer) - 1 - around, TEXT_MAX);
}

/* Its name is what viewers print for the address, and what parsers look for. */
static ssize_t tracing_mark_write(struct file *filp, const char __user *from,
				  size_t count, loff_t *pos);

/* NULL, or where @length bytes go; to be ended by end_print(). */
static __always_inline char *begin_print(struct tring_buffer *buffer, size_t length,
					 struct tring_record *record)
{
	struct print_entry *entry;
	u64 context;

	/* As before a probe is called, see tring_event_context(); until the end. */
	preempt_disable_notrace();
	context = tring_event_context(current);
	if (__tring_reserve(buffer, PRINT_KEY | context, true, current->pid,
			    sizeof(*entry) + length, record)) {
		preempt_enable_notrace();
		return NULL;
	}
	entry = record->payload;
	entry->ip = (unsigned long)tracing_mark_write;
	return entry->buf;
}

static __always_inline void end_print(struct tring_record *record, bool keep)
{
	if (likely(keep))
		tring_commit(record);
	else
		tring_discard(record);
}

/*
 * Copies a text of a word at least, and looks for a NUL on the way. A byte of
 * which one is taken has its high bit set if it was 0, or more than 0x80; texts
 * with one of those are looked at again. False if it cannot be read without
 * sleeping, or there is a NUL.
 */
static __always_inline bool copy_text(char *text, const char __user *from, size_t length)
{
	const unsigned long ones = ~0UL / 0xff;
	unsigned long word, high = 0;
	size_t at, last = length - sizeof(word);
	bool done = false;

	pagefault_disable();
	if (!user_read_access_begin(from, length))
		goto enable;
#pragma GCC unroll 4
	for (at = 0; at < last; at += sizeof(word)) {
		unsafe_get_user(word, (const unsigned long __user *)(from + at), end_access);
		memcpy(text + at, &word, sizeof(word));
		high |= word - ones;
	}
	/* Of the last ones, some may have been among those before. */
	unsafe_get_user(word, (const unsigned long __user *)(from + last), end_access);
	memcpy(text + last, &word, sizeof(word));
	high |= word - ones;
	done = true;
end_access:
	user_read_access_end();
enable:
	pagefault_enable();
	if (unlikely(high & ones << 7))
		return done && strnlen(text, length) == length;
	return done;
}

/* Returns @count, an error, or 0 if the text is not as simple as that. */
static ssize_t record_in_place(struct tring_buffer *buffer, const char __user *from,
			       size_t count)
{
	struct tring_record TRING_UNINITIALIZED record;
	bool newline, done;
	char last, *text;

	if (get_user(last, from + count - 1))
		return -EFAULT;
	if (unlikely(!last))
		return 0;
	newline = last != '\n';
	text = begin_print(buffer, count + newline + 1, &record);
	if (!text)
		return -EBADF;
	done = copy_text(text, from, count) && text[count - 1] == last;
	/* Where there is none to be added, this is where the NUL goes. */
	text[count] = '\n';
	text[count + newline] = '\0';
	end_print(&record, done);
	return done ? count : 0;
}

/* By way of memory of ours, for whatever there may be in the text, or nothing. */
static ssize_t record_copy(struct tring_buffer *buffer, const char __user *from,
			   size_t count)
{
	struct tring_record TRING_UNINITIALIZED record;
	char *copy = kmalloc(count + TEXT_END, GFP_KERNEL);
	ssize_t ret = count;
	long length;
	char *text;

	if (!copy)
		return -ENOMEM;
	length = strncpy_from_user(copy, from, count);
	if (length < 0) {
		ret = length;
		goto free;
	}
	if (!length || copy[length - 1] != '\n')
		copy[length++] = '\n';
	copy[length++] = '\0';
	text = begin_print(buffer, length, &record);
	if (text) {
		memcpy(text, copy, length);
		end_print(&record, true);
	} else {
		ret = -EBADF;
	}
free:
	kfree(copy);
	return ret;
}

static ssize_t tracing_mark_write(struct file *filp, const char __user *from,
				  size_t count, loff_t *pos)
{
	struct tring_buffer *buffer = filp->private_data;
	ssize_t ret;

	/* As when the first event is enabled, but not for a text that is refused. */
	if (unlikely(!READ_ONCE(buffer->allocated)) && READ_ONCE(buffer->recording)) {
		ret = tring_buffer_allocate(buffer);
		if (ret)
			return ret;
	}
	count = min(count, text_max(buffer));
	if (likely(count >= sizeof(long))) {
		ret = record_in_place(buffer, from, count);
		if (ret)
			return ret;
	}
	return record_copy(buffer, from, count);
}

/**
 * tring_marker_init - make `print` the first event of a ring
 * @buffer: a new one
 *
 * Context: process, may sleep.
 */
void tring_marker_init(struct tring_buffer *buffer)
{
	WARN_ON_ONCE(tring_buffer_add_event(buffer, TRING_PRINT_ID, 0) != PRINT_KEY);
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
	.write	= tracing_mark_write,
};
