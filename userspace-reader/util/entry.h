/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names of files in open directories, and what the program makes under them. */
#ifndef TRING_ENTRY_H
#define TRING_ENTRY_H

#include <errno.h>
#include <stdbool.h>
#include <sys/types.h>

/* Error of a directory, or a link, of a user that root does not trust. */
#define TRING_NOT_TRUSTED	EKEYREJECTED

/**
 * struct tring_entry - a name in a directory that is open
 * @dir: the directory; -1 for none
 * @name: name of a file, which may be missing
 */
struct tring_entry {
	int		dir;
	char		*name;
};

struct dirent;

typedef int tring_entry_order(const struct dirent **a, const struct dirent **b);
typedef int tring_entry_fn(void *data, int dir, const char *name);

bool tring_entry_is_path(const char *text);
int tring_entry_find(struct tring_entry *entry, const char *path);
int tring_entry_check(const struct tring_entry *entry);
void tring_entry_forget(struct tring_entry *entry);
char *tring_entry_draft(const char *name);
int tring_entry_publish(const struct tring_entry *entry, const char *draft);
int tring_entry_report(const char *path, int error);

int tring_entry_create(int dir, const char *name, mode_t mode);
int tring_entry_make(int dir, const char *name, mode_t mode);
int tring_entry_have(int dir, const char *name, mode_t mode);
int tring_entry_enter(int dir, const char *name);
int tring_entry_each(int dir, tring_entry_order *compare, tring_entry_fn *call, void *data);
int tring_entry_empty(int dir);
int tring_entry_write(int dir, const char *name, mode_t mode, const void *text, size_t size);
bool tring_entry_is_alone(void);
int tring_entry_add(int dir, const char *inner, const char *name, mode_t mode, const void *text,
		    size_t size);
bool tring_entry_is_name(const char *text);

#endif /* TRING_ENTRY_H */
