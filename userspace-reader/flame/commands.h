/* SPDX-License-Identifier: GPL-2.0 */
/* The command that draws flame graphs. */
#ifndef TRING_FLAME_COMMANDS_H
#define TRING_FLAME_COMMANDS_H

int tring_cmd_flame(int argc, char **argv);

#endif /* TRING_FLAME_COMMANDS_H */
