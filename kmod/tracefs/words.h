/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Files that take words separated by white space; see words.c.
 */
#ifndef _TRING_WORDS_H
#define _TRING_WORDS_H

#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/types.h>

struct tring_file;
struct tring_words;

/* A NUL included. Names of events and of functions have a few dozen characters. */
#define TRING_WORD_MAX		256

/**
 * struct tring_words_type - a kind of such files
 * @show: as of single_open(); m->file is the open file
 * @size: of a structure that begins with a struct tring_words
 * @begin: sets up what follows in that structure; @truncate: the file is opened with truncation
 * @take: takes a word, which it may change, but not if it returns -ERESTARTSYS
 * @end: the file is being closed, and all words have been taken. The last call undoes @begin. May
 *	be NULL
 *
 * @begin, @take and @end return 0 or an error.
 */
struct tring_words_type {
	int	(*show)(struct seq_file *m, void *unused);
	size_t	size;
	int	(*begin)(struct tring_words *words, bool truncate);
	int	(*take)(struct tring_words *words, char *word);
	int	(*end)(struct tring_words *words);
};

/**
 * struct tring_words - the words that are written to an open file
 * @type: its kind
 * @file: the file
 * @mutex: serialises threads that write to the same open file
 * @length: bytes in @word
 * @word: word whose end has not been written yet
 */
struct tring_words {
	const struct tring_words_type	*type;
	struct tring_file		*file;
	struct mutex			mutex;		/* protects the members below */
	size_t				length;
	char				word[TRING_WORD_MAX];
};

int tring_words_open(struct inode *inode, struct file *filp, const struct tring_words_type *type);
ssize_t tring_words_write(struct file *filp, const char __user *from, size_t count, loff_t *pos);
int tring_words_flush(struct file *filp, fl_owner_t id);
int tring_words_release(struct inode *inode, struct file *filp);

#define TRING_WORDS_FOPS(open_function)			\
	{						\
		.owner		= THIS_MODULE,		\
		.open		= open_function,	\
		.read		= seq_read,		\
		.write		= tring_words_write,	\
		.llseek		= tring_control_lseek,	\
		.flush		= tring_words_flush,	\
		.release	= tring_words_release,	\
	}

#endif /* _TRING_WORDS_H */
