/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hash of an address, for events that have one in place of it. See pointer_hash.c.
 */
#ifndef _TRING_POINTER_HASH_H
#define _TRING_POINTER_HASH_H

/* Kbuild defines it where the kernel does not export the function to modules. */
#ifdef TRING_LACKS_ptr_to_hashval
#define ptr_to_hashval	tring_ptr_to_hashval
#endif

/* pointer_hash.c APIs: */
int tring_ptr_to_hashval(const void *ptr, unsigned long *hash);

#endif /* _TRING_POINTER_HASH_H */
