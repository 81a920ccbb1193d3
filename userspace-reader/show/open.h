/* SPDX-License-Identifier: GPL-2.0 */
/* A trace that a command reads. */
#ifndef TRING_CMD_OPEN_H
#define TRING_CMD_OPEN_H

#include "tring.h"

/**
 * struct tring_opened - a trace that a command reads
 * @trace: the trace
 * @formats: a trace that describes the packets of stdin; NULL for none
 * @failed: it could not be opened, or the command could not do with it what the user wants
 */
struct tring_opened {
	struct tring_trace *trace;
	const char	*formats;
	bool		failed;
};

extern const struct tring_options tring_opened_options;

bool tring_opened_open(struct tring_opened *opened, const char *path);
bool tring_output_completed(void);
int tring_opened_end(struct tring_opened *opened);

#endif /* TRING_CMD_OPEN_H */
