/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs that belong to tring. */
#ifndef TRING_PROGRAM_H
#define TRING_PROGRAM_H

char *tring_program_find(const char *name);
int tring_program_become(const char *name, char **argv);

#endif /* TRING_PROGRAM_H */
