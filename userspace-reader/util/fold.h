/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Print formats that libtraceevent evaluates as the kernel does. */
#ifndef TRING_FOLD_H
#define TRING_FOLD_H

#include <stdint.h>

void tring_fold_constants(char *text, unsigned int long_size);
void tring_fold_calls(char **text, uint64_t tick_frequency);

#endif /* TRING_FOLD_H */
