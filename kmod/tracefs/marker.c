// SPDX-License-Identifier: GPL-2.0
/*
 * trace_marker: each write() records an event, ftrace's `print`. It behaves as
 * ftrace's file of that name, tracing_mark_write() in kernel/trace/trace.c:
 *  - A text without a newline at its end gets one.
 *  - write() takes at most 4096 bytes, fewer if a sub-buffer is too small for them, and
 *    returns the number; ftrace of 6.1 takes 1024.
 *  - EBADF if nothing was recorded, because recording is off or for another reason;
 *    "stats" counts it by its reason.
 *  - Reading gives EINVAL, seeking ESPIPE.
 * Differences:
 *  - The text ends at its first NUL, where ftrace stops when it prints. A string in CTF
 *    contains no NUL (uapi/format.md), and the newline precedes it.
 *  - A page that is not in memory is read in; ftrace up to 6.12 records "<faulted>"
 *    instead and returns EFAULT. An invalid address gives EFAULT and no event.
 *  - There is no options/markers.
 *
 * The fast way copies the text once, straight into its record; nothing between reserve
 * and commit can sleep. The writer reads the last byte first, to find out whether to add
 * a newline; this also reads in the page of most texts. If the copy fails, because
 * the text contains a NUL, a page is missing after all, or another thread changes the
 * text, the reservation is discarded and the text goes through a buffer.
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
#include "probes/cmdlines.h"
#include "probes/event.h"
#include "ring/fast.h"

/* Key of the first event that is added to a ring; see tring_marker_init(). */
#define PRINT_KEY	((u64)TRING_PRINT_ID << TRING_HEAD_ID_SHIFT | TRING_TYPE_SHORT_MIN | \
			 TRING_HEAD_VARIES)

/* Layout of events/ftrace/print/format. */
struct print_entry {
	struct trace_entry	ent;
	unsigned long		ip;
	char			buf[];
};

/* Bytes of one write(). */
#define TEXT_MAX	4096
/* The newline and the NUL. */
#define TEXT_END	2

/* The longest text that goes into a sub-buffer of its own. */
static size_t text_max(struct tring_buffer *buffer)
{
	size_t around = TRING_PACKET_HEADER_SIZE + TRING_RECORD_HEAD_MAX +
			sizeof(struct print_entry) - TRING_PAYLOAD_HEAD + TEXT_END;

	/* A packet ends before its sub-buffer does. */
	return min_t(size_t, tring_buffer_subbuf_size(buffer) - 1 - around, TEXT_MAX);
}

/* Named as in ftrace: viewers print the name, parsers look for it. */
static ssize_t tracing_mark_write(struct file *filp, const char __user *from,
				  size_t count, loff_t *pos);

/* Returns room for @length bytes, to be ended by end_print(), or NULL. */
static __always_inline char *begin_print(struct tring_buffer *buffer, size_t length,
					 struct tring_record *record)
{
	struct print_entry *entry;
	u64 context;

	/* Ends with the record. ftrace's record does not count it in any configuration. */
	preempt_disable_notrace();
	context = tring_event_context(current, IS_ENABLED(CONFIG_PREEMPT_COUNT));
	if (__tring_reserve(buffer, PRINT_KEY | context, true, current->pid,
			    sizeof(*entry) + length, record)) {
		preempt_enable_notrace();
		return NULL;
	}
	entry = record->payload;
	tring_fill_entry_rest(&entry->ent);
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
 * Copies a text of at least one word and looks for a NUL on the way: a byte minus one
 * has its high bit set if the byte is 0, or above 0x80; texts with such bytes are
 * searched again. False if the text cannot be read without sleeping, or has a NUL.
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
	/* The last word may overlap the one before. */
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

/* Returns @count, an error, or 0 if the text must go through record_copy(). */
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
	/* Without a newline to add, the NUL overwrites this one. */
	text[count] = '\n';
	text[count + newline] = '\0';
	end_print(&record, done);
	return done ? count : 0;
}

/* Records a text by way of a buffer, whatever it contains; it may be empty. */
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

	/* Allocate as when the first event is enabled, if it can be recorded. */
	if (unlikely(!READ_ONCE(buffer->allocated)) && READ_ONCE(buffer->recording)) {
		ret = tring_cmdlines_allocate(buffer);
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
 * @buffer: new buffer
 * @print: its key, which lives as long as the buffer
 *
 * Context: process, may sleep.
 */
void tring_marker_init(struct tring_buffer *buffer, struct tring_key *print)
{
	tring_buffer_add_event(buffer, print, TRING_PRINT_ID, 0, true);
	WARN_ON_ONCE(print->head != PRINT_KEY);
}

static int open_marker(struct inode *inode, struct file *filp)
{
	filp->private_data = tring_file_of(inode)->buffer;
	/* Without a position, threads that share a file do not wait for each other. */
	return stream_open(inode, filp);
}

const struct file_operations tring_marker_fops = {
	.owner	= THIS_MODULE,
	.open	= open_marker,
	.write	= tracing_mark_write,
};
