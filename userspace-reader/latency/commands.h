/* SPDX-License-Identifier: GPL-2.0 */
/* The command of this room. */
#ifndef TRING_LATENCY_COMMANDS_H
#define TRING_LATENCY_COMMANDS_H

int tring_cmd_latency(int argc, char **argv);

#endif /* TRING_LATENCY_COMMANDS_H */
