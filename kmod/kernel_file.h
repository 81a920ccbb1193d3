/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ftrace's own files. See kernel_file.c.
 */
#ifndef _TRING_KERNEL_FILE_H
#define _TRING_KERNEL_FILE_H

struct cred;
struct file;
struct super_block;

/* kernel_file.c APIs: */
extern const struct cred *tring_kernel_cred;
int tring_kernel_file_init(struct super_block *sb);
void tring_kernel_file_exit(void);
struct file *tring_kernel_file_open(const char *path, int flags);
int tring_kernel_file_type(const char *path);
char *tring_kernel_file_read(const char *path);

#endif /* _TRING_KERNEL_FILE_H */
