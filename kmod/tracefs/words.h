/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that take words separated by white space; see words.c.
 */
#ifndef _TRING_WORDS_H
#define _TRING_WORDS_H

#include <linux/mutex.h>
#include <linux/types.h>

/* A NUL included. Names of events and of functions have a few dozen characters. */
#define TRING_WORD_MAX		256

/**
 * struct tring_words - the words that are written to an open file
 * @take: takes a word, which it may change; returns 0 or an error
 * @mutex: serialises threads that write to the same open file
 * @length: bytes in @word
 * @word: word whose end has not been written yet
 */
struct tring_words {
	int		(*take)(struct tring_words *words, char *word);
	struct mutex	mutex;		/* protects the members below */
	size_t		length;
	char		word[TRING_WORD_MAX];
};

void tring_words_init(struct tring_words *words,
		      int (*take)(struct tring_words *words, char *word));
ssize_t tring_words_write(struct tring_words *words, const char __user *from, size_t count,
			  loff_t *pos);
int tring_words_end(struct tring_words *words);

#endif /* _TRING_WORDS_H */
