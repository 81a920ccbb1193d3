/* SPDX-License-Identifier: GPL-2.0 */
/* tring's other commands. Each has its own name as argv[0] and returns the exit status. */
#ifndef TRING_COMMANDS_H
#define TRING_COMMANDS_H

#include "dump/commands.h"
#include "flame/commands.h"
#include "latency/commands.h"
#include "page/commands.h"
#include "show/commands.h"
#include "why/commands.h"

int tring_cmd_record(int argc, char **argv);
int tring_cmd_start(int argc, char **argv);
int tring_cmd_stop(int argc, char **argv);
int tring_cmd_restart(int argc, char **argv);
int tring_cmd_snapshot(int argc, char **argv);
int tring_cmd_extract(int argc, char **argv);
int tring_cmd_list(int argc, char **argv);
int tring_cmd_reset(int argc, char **argv);
int tring_cmd_top(int argc, char **argv);
int tring_cmd_arm(int argc, char **argv);
int tring_cmd_wipe(int argc, char **argv);
int tring_cmd_stat(int argc, char **argv);

#endif /* TRING_COMMANDS_H */
