/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of tring top: their names, and how several are printed. */
#ifndef TRING_TOP_SHOW_H
#define TRING_TOP_SHOW_H

#include "stats/tables.h"

#define TRING_TOP_TABLES	16

/**
 * struct tring_top_choice - tables that are printed
 * @tables: the tables
 * @count: number of @tables; 0 if the user has named none
 */
struct tring_top_choice {
	const struct tring_table *tables[TRING_TOP_TABLES];
	size_t		count;
};

extern const struct tring_table *const tring_top_tables[TRING_TOP_TABLES];

const struct tring_table *tring_top_find(const char *name);
void tring_top_choose(struct tring_top_choice *choice, const struct tring_table *table);
void tring_top_show_head(const struct tring_top *top);
void tring_top_show_titled(struct tring_top *top, const struct tring_table *table);

#endif /* TRING_TOP_SHOW_H */
