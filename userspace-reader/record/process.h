/* SPDX-License-Identifier: GPL-2.0 */
/* The threads of processes. */
#ifndef TRING_PROCESS_H
#define TRING_PROCESS_H

char *tring_process_threads(const char *pids, const char *of);

#endif /* TRING_PROCESS_H */
