/* SPDX-License-Identifier: GPL-2.0 */
/* The command that tells why tasks waited. */
#ifndef TRING_WHY_COMMANDS_H
#define TRING_WHY_COMMANDS_H

int tring_cmd_why(int argc, char **argv);

#endif /* TRING_WHY_COMMANDS_H */
