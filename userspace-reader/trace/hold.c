// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * The mark of a directory in which a trace is recorded: a lock, which ends with the recorder
 * however that ends. To ask for it takes no lock, so a reader is never in a recorder's way.
 * Where a file system has no locks, nothing is marked.
 */
#include <fcntl.h>

#include "hold.h"

/**
 * tring_hold - mark a directory
 * @dir: the directory, open for reading; it is marked until @dir is closed
 */
void tring_hold(int dir)
{
	struct flock lock = { .l_type = F_RDLCK };

	fcntl(dir, F_OFD_SETLK, &lock);
}

/**
 * tring_is_held - check whether a directory is marked
 * @dir: the directory, open for reading, but not by what has marked it
 */
bool tring_is_held(int dir)
{
	struct flock lock = { .l_type = F_WRLCK };

	return !fcntl(dir, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}
