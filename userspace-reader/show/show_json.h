/* SPDX-License-Identifier: GPL-2.0 */
/* Writes the events and losses of traces as JSON. */
#ifndef TRING_SHOW_JSON_H
#define TRING_SHOW_JSON_H

#include "show.h"

void tring_show_json(struct tring_show *show, void (*print)(struct tring_show *show));

#endif /* TRING_SHOW_JSON_H */
