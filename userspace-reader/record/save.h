/* SPDX-License-Identifier: GPL-2.0 */
/* Saves what a ring has as a trace directory. */
#ifndef TRING_SAVE_H
#define TRING_SAVE_H

#include <stdbool.h>

/**
 * struct tring_save_options - what to save
 * @dir: trace directory
 * @instance: name of the instance, NULL for the top-level ring
 * @snapshot: a snapshot; else the ring's content
 * @renew: take a snapshot also if there is one
 * @compress: level of zstd; 0 for packets that are not compressed
 */
struct tring_save_options {
	const char	*dir;
	const char	*instance;
	bool		snapshot;
	bool		renew;
	int		compress;
};

int tring_save(const struct tring_save_options *options);

#endif /* TRING_SAVE_H */
