// SPDX-License-Identifier: GPL-2.0
/*
 * Which events the user wants. An option that is given twice wants what either names; of times
 * the last one counts.
 */
#include <stdlib.h>

#include "choice.h"
#include "open.h"
#include "util/util.h"

/* Return: where @wanted has what an option asks for; NULL for a filter. */
static const char **place_of(struct tring_wanted *wanted, int option)
{
	switch (option) {
	case 'c':
		return &wanted->cpus;
	case 'P':
		return &wanted->pids;
	case 'e':
		return &wanted->events;
	case TRING_CHOICE_COMM:
		return &wanted->comms;
	case TRING_CHOICE_FROM:
		return &wanted->from;
	case TRING_CHOICE_TO:
		return &wanted->to;
	}
	return NULL;
}

static void add_to_list(struct tring_choice *choice, const char **place, const char *text)
{
	size_t i = 0;

	while (choice->lists[i] && choice->lists[i] != *place)
		i++;
	tring_extend(&choice->lists[i], "%s%s", choice->lists[i] ? "," : "", text);
	*place = choice->lists[i];
}

/**
 * tring_choice_take - take an option
 * @choice: zeroed before the first option; to be freed also after a bad one
 * @option: a letter, or enum tring_choice_option
 * @text: its argument, which must stay
 *
 * Return: true; false for a bad argument, reported on stderr.
 */
bool tring_choice_take(struct tring_choice *choice, int option, const char *text)
{
	struct tring_wanted *wanted = &choice->wanted, only = { .size = sizeof(only) };
	const char **place = place_of(wanted, option);

	wanted->size = sizeof(*wanted);
	if (!place) {
		choice->filters = tring_one_more(choice->filters, wanted->filter_count,
						 sizeof(*choice->filters));
		choice->filters[wanted->filter_count++] = text;
		wanted->filters = choice->filters;
		return true;
	}
	*place_of(&only, option) = text;
	if (!tring_wanted_is_good(&only, &tring_opened_options))
		return false;
	if (option == TRING_CHOICE_FROM || option == TRING_CHOICE_TO)
		*place = text;
	else
		add_to_list(choice, place, text);
	return true;
}

/**
 * tring_choice_is_all - check whether all events are wanted
 * @choice: the choice
 */
bool tring_choice_is_all(const struct tring_choice *choice)
{
	const struct tring_wanted *wanted = &choice->wanted;

	return !wanted->cpus && !wanted->pids && !wanted->comms && !wanted->events &&
	       !wanted->filter_count && !wanted->from && !wanted->to;
}

/**
 * tring_choice_free - free a choice
 * @choice: the choice, may be zeroed
 */
void tring_choice_free(struct tring_choice *choice)
{
	size_t i;

	for (i = 0; i < sizeof(choice->lists) / sizeof(choice->lists[0]); i++)
		free(choice->lists[i]);
	free(choice->filters);
}

/**
 * tring_take_choice - @take of a struct tring_option
 * @request: what the user asks for, which begins with a struct tring_choice
 * @option: a letter, or enum tring_choice_option
 * @text: its argument, which must stay
 *
 * Return: as of tring_choice_take().
 */
bool tring_take_choice(void *request, const struct tring_option *option, const char *text)
{
	return tring_choice_take(request, option->letter, text);
}
