/* SPDX-License-Identifier: GPL-2.0 */
/* The commands that read. Each has its own name as argv[0] and returns the exit status. */
#ifndef TRING_SHOW_COMMANDS_H
#define TRING_SHOW_COMMANDS_H

int tring_cmd_report(int argc, char **argv);
int tring_cmd_convert(int argc, char **argv);
int tring_cmd_info(int argc, char **argv);
int tring_cmd_peek(int argc, char **argv);

#endif /* TRING_SHOW_COMMANDS_H */
