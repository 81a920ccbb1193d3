/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The tasks that /proc tells. */
#ifndef TRING_PROC_H
#define TRING_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool tring_proc_is_first(void);
bool tring_proc_has_kernel_pids(void);
size_t tring_proc_list(int32_t process, int32_t **pids);
char *tring_proc_text(int32_t pid, const char *file, size_t *size);
char *tring_proc_command(int32_t pid);

#endif /* TRING_PROC_H */
