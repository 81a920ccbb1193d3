/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The functions that the running context has called. See unwind.c.
 */
#ifndef _TRING_UNWIND_H
#define _TRING_UNWIND_H

struct pt_regs;

/* unwind.c APIs: */
int tring_unwind_init(void);
void tring_unwind_exit(void);
unsigned int tring_unwind(unsigned long *addresses, unsigned int size, struct pt_regs *regs);

#endif /* _TRING_UNWIND_H */
