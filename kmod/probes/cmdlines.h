/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of tasks that have ended. See cmdlines.c.
 */
#ifndef _TRING_CMDLINES_H
#define _TRING_CMDLINES_H

struct seq_file;
struct tring_buffer;

/* cmdlines.c APIs: */
int tring_cmdlines_allocate(struct tring_buffer *buffer);
void tring_cmdlines_exit(void);
void tring_cmdlines_show(struct seq_file *m);

#endif /* _TRING_CMDLINES_H */
