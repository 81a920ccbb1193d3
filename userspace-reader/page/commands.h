/* SPDX-License-Identifier: GPL-2.0 */
/* The command that writes a page. */
#ifndef TRING_PAGE_COMMANDS_H
#define TRING_PAGE_COMMANDS_H

int tring_cmd_page(int argc, char **argv);

#endif /* TRING_PAGE_COMMANDS_H */
