// SPDX-License-Identifier: GPL-2.0
/*
 * Words separated by white space, as set_event and set_ftrace_filter take them.
 *
 * Unlike in ftrace, a word may be split over several write() calls, as happens to a long
 * list that goes through a pipe. So a word without white space behind it is taken when the
 * file is closed, and close() returns the error.
 */
#include <linux/ctype.h>
#include <linux/err.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "words.h"

/**
 * tring_words_init - set up the words of a file that is opened
 * @words: the words
 * @take: see struct tring_words
 */
void tring_words_init(struct tring_words *words,
		      int (*take)(struct tring_words *words, char *word))
{
	words->take = take;
	words->length = 0;
	mutex_init(&words->mutex);
}

/* Takes the word, if there is one, and clears it even after an error. */
static int take_next_word(struct tring_words *words)
{
	if (!words->length)
		return 0;
	words->word[words->length] = '\0';
	words->length = 0;
	return words->take(words, words->word);
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
 * write() begins with the refused word and returns its error.
 */
static ssize_t add_text(struct tring_words *words, const char *text, size_t count)
{
	size_t i, start = 0;
	int err;

	for (i = 0; i < count; i++) {
		if (!words->length)
			start = i;
		err = add_character(words, text[i]);
		if (err)
			return start ?: err;
	}
	return count;
}

/**
 * tring_words_write - write() of a file of words
 * @words: words of the open file
 * @from: as of file_operations::write()
 * @count: as of file_operations::write(); more than a page gives a short write
 * @pos: as of file_operations::write()
 *
 * Context: process, may sleep.
 * Return: number of bytes; or the error of the first word, -EFAULT, -ENOMEM, or -EINVAL for
 * a word that is too long.
 */
ssize_t tring_words_write(struct tring_words *words, const char __user *from, size_t count,
			  loff_t *pos)
{
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

/**
 * tring_words_end - take the last word
 * @words: words of a file that is being closed
 *
 * Context: process, may sleep.
 * Return: 0, or the word's error.
 */
int tring_words_end(struct tring_words *words)
{
	int err;

	mutex_lock(&words->mutex);
	err = take_next_word(words);
	mutex_unlock(&words->mutex);
	return err;
}
