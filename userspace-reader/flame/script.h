/* SPDX-License-Identifier: GPL-2.0 */
/* The script of a flame graph. */
#ifndef TRING_FLAME_SCRIPT_H
#define TRING_FLAME_SCRIPT_H

/* Its lines; NULL behind the last one. */
extern const char *const tring_flame_script[];

#endif /* TRING_FLAME_SCRIPT_H */
