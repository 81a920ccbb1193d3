/* SPDX-License-Identifier: GPL-2.0 */
/* The command that shows how a trace is stored, with the library's inside in view. */
#ifndef TRING_DUMP_COMMANDS_H
#define TRING_DUMP_COMMANDS_H

int tring_cmd_dump(int argc, char **argv);

#endif /* TRING_DUMP_COMMANDS_H */
