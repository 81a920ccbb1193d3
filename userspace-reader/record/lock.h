/* SPDX-License-Identifier: GPL-2.0 */
/* The lock that lets one recorder at a time use a ring. */
#ifndef TRING_LOCK_H
#define TRING_LOCK_H

/**
 * struct tring_lock - the lock of a ring
 * @fd: the ring's directory, on which the lock is; -1 without the lock
 */
struct tring_lock {
	int		fd;
};

int tring_lock_take(struct tring_lock *lock, const char *dir, const char *advice);
void tring_lock_drop(struct tring_lock *lock);
char *tring_lock_process(int pid);

#endif /* TRING_LOCK_H */
