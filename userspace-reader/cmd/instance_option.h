/* SPDX-License-Identifier: GPL-2.0 */
/* Options of the commands that have -B alone. */
#ifndef TRING_INSTANCE_OPTION_H
#define TRING_INSTANCE_OPTION_H

int tring_parse_instance(const char **instance, int argc, char **argv,
			 void (*print_usage)(void));

#endif /* TRING_INSTANCE_OPTION_H */
