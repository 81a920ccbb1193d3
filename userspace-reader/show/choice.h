/* SPDX-License-Identifier: GPL-2.0 */
/* Which events the user wants: the options that report and top have in common. */
#ifndef TRING_CHOICE_H
#define TRING_CHOICE_H

#include "cli/options.h"
#include "tring.h"

/* Options without a letter; the others are -c, -P, -e and -F. */
enum tring_choice_option {
	TRING_CHOICE_COMM = 512,
	TRING_CHOICE_FROM,
	TRING_CHOICE_TO,
};

/**
 * struct tring_choice - what the user has asked for so far
 * @wanted: the same for tring_select()
 * @lists: texts of @wanted that were put together
 * @filters: of @wanted
 */
struct tring_choice {
	struct tring_wanted wanted;
	char		*lists[4];
	const char	**filters;
};

bool tring_choice_take(struct tring_choice *choice, int option, const char *text);
bool tring_choice_is_all(const struct tring_choice *choice);
void tring_choice_free(struct tring_choice *choice);
bool tring_take_choice(void *request, const struct tring_option *option, const char *text);

#endif /* TRING_CHOICE_H */
