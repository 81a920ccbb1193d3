// SPDX-License-Identifier: GPL-2.0
/*
 * Words separated by white space, as set_event and set_ftrace_filter take them.
 *
 * Unlike in ftrace, a word may be split over several write() calls, as happens to a long
 * list that goes through a pipe. So a word without white space behind it is taken when the
 * file is closed, and close() returns the error.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/printk.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "control.h"
#include "words.h"

/* Takes the word, if there is one, and clears it even after an error. */
static int take_next_word(struct tring_words *words)
{
	if (!words->length)
		return 0;
	words->word[words->length] = '\0';
	words->length = 0;
	return words->type->take(words, words->word);
}

static int add_character(struct tring_words *words, char c)
{
	/* A NUL also ends a word: some programs write their strings with it. */
	if (isspace(c) || !c)
		return take_next_word(words);
	if (words->length == sizeof(words->word) - 1) {
		words->length = 0;
		return -EINVAL;
	}
	words->word[words->length++] = c;
	return 0;
}

/*
 * If a word is refused and others precede it, the write ends short before it. The next
 * write() begins with the refused word and returns its error. After a signal the same write
 * comes again, behind what the writes before have begun.
 */
static ssize_t add_text(struct tring_words *words, const char *text, size_t count)
{
	size_t i, start = 0, begun = words->length;
	int err;

	for (i = 0; i < count; i++) {
		if (!words->length)
			start = i;
		err = add_character(words, text[i]);
		if (err == -ERESTARTSYS && !start)
			words->length = begun;
		if (err)
			return start ?: err;
	}
	return count;
}

static struct tring_words *words_of(struct file *filp)
{
	struct seq_file *m = filp->private_data;

	return m->private;
}

/**
 * tring_words_open - open() of a file of words
 * @inode: as of file_operations::open()
 * @filp: as of file_operations::open()
 * @type: kind of the file
 *
 * Context: process, may sleep.
 * Return: 0, -ENOMEM, or an error of tring_words_type::begin().
 */
int tring_words_open(struct inode *inode, struct file *filp, const struct tring_words_type *type)
{
	struct tring_words *words = NULL;
	int err = 0;

	if (filp->f_mode & FMODE_WRITE) {
		words = kzalloc(type->size, GFP_KERNEL);
		if (!words)
			return -ENOMEM;
		words->type = type;
		words->file = tring_file_of(inode);
		mutex_init(&words->mutex);
		err = type->begin(words, filp->f_flags & O_TRUNC);
	}
	if (!err)
		err = single_open(filp, type->show, words);
	if (err)
		kfree(words);
	return err;
}

/**
 * tring_words_write - write() of a file of words
 * @filp: as of file_operations::write()
 * @from: as of file_operations::write()
 * @count: as of file_operations::write(); more than a page gives a short write
 * @pos: as of file_operations::write()
 *
 * Context: process, may sleep.
 * Return: number of bytes; or the error of the first word, -EFAULT, -ENOMEM, or -EINVAL for
 * a word that is too long.
 */
ssize_t tring_words_write(struct file *filp, const char __user *from, size_t count, loff_t *pos)
{
	struct tring_words *words = words_of(filp);
	ssize_t ret;
	char *text;

	count = min_t(size_t, count, PAGE_SIZE);
	text = memdup_user(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	if (mutex_lock_interruptible(&words->mutex)) {
		kfree(text);
		return -ERESTARTSYS;
	}
	ret = add_text(words, text, count);
	mutex_unlock(&words->mutex);
	kfree(text);
	if (ret > 0)
		*pos += ret;
	return ret;
}

/* Takes the last word. Returns the error of that, or else of what the words end with. */
static int end_words(struct tring_words *words)
{
	int err, failed = 0;

	mutex_lock(&words->mutex);
	err = take_next_word(words);
	if (words->type->end)
		failed = words->type->end(words);
	mutex_unlock(&words->mutex);
	return err ?: failed;
}

/**
 * tring_words_flush - flush() of a file of words
 * @filp: as of file_operations::flush()
 * @id: as of file_operations::flush()
 *
 * Called by each close() of a file that several processes share. Only the last close() ends the
 * words. If two of them race and each takes the other for the last one, release() does.
 *
 * Context: process, may sleep.
 * Return: 0, or an error of the last word, or of tring_words_type::end().
 */
int tring_words_flush(struct file *filp, fl_owner_t id)
{
	struct tring_words *words = words_of(filp);

	return !words || file_count(filp) > 1 ? 0 : end_words(words);
}

/**
 * tring_words_release - release() of a file of words
 * @inode: as of file_operations::release()
 * @filp: as of file_operations::release()
 *
 * Context: process, may sleep.
 * Return: 0.
 */
int tring_words_release(struct inode *inode, struct file *filp)
{
	struct tring_words *words = words_of(filp);

	if (words) {
		int err = end_words(words);

		/* No caller is left to return the error to. */
		if (err)
			pr_notice_ratelimited("%s: \"%s\": %pe\n", words->file->type->name,
					      words->word, ERR_PTR(err));
	}
	kfree(words);
	return single_release(inode, filp);
}
