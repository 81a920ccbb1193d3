/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The files that the program makes, replaces, removes and reads back in a user's directory. */
#ifndef TRING_TREE_H
#define TRING_TREE_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

int tring_tree_open(const char *path);
void tring_tree_add(const char *path, int dir, mode_t mode);
int tring_tree_list(const char *path);
int tring_tree_above(const char *path);
int tring_tree_make(const char *path);
int tring_tree_enter(const char *path, mode_t *mode);
int tring_tree_hold(const char *path, char **held);
char *tring_tree_read(const char *path);
int tring_tree_create(const char *path);
int tring_tree_begin(const char *path, FILE **file);
int tring_tree_write(const char *path, const void *text, size_t size);
int tring_tree_rename(const char *from, const char *to);
int tring_tree_remove(const char *path);

#endif /* TRING_TREE_H */
