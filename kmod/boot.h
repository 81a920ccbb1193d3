/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The module parameters that make tring record from loading on. See boot.c.
 */
#ifndef _TRING_BOOT_H
#define _TRING_BOOT_H

struct tring_buffer;
struct tring_event_set;

/* boot.c APIs: */
int tring_boot_start(struct tring_buffer *buffer, struct tring_event_set *set);

#endif /* _TRING_BOOT_H */
