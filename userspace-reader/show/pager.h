/* SPDX-License-Identifier: GPL-2.0 */
/* A pager for long output on a terminal. */
#ifndef TRING_PAGER_H
#define TRING_PAGER_H

void tring_pager_start(void);
void tring_pager_end(void);

#endif /* TRING_PAGER_H */
