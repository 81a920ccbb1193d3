/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Does a record fit its event's format, and which tasks does it name? */
#ifndef TRING_CHECK_H
#define TRING_CHECK_H

#include "events.h"
#include "names.h"
#include "wire/wire.h"

void tring_check_prepare(struct tring_event *event, const char *system);
const char *tring_check_record(const struct tring_event *event,
			       const struct tring_record *record);
void tring_check_names(const struct tring_event *event, const struct tring_record *record,
		       struct tring_names *names);

/**
 * tring_learn - check a record, and take the names of tasks that it has
 * @event: its event; NULL if there is no description
 * @record: the record, not a discarded one
 * @names: gets the names; NULL if they are not needed
 *
 * Return: NULL; or the reason why the payload is bad, and no field has a value.
 */
static inline const char *tring_learn(const struct tring_event *event,
				      const struct tring_record *record,
				      struct tring_names *names)
{
	const char *wrong;

	if (!event)
		return "no format describes this event";
	wrong = tring_check_record(event, record);
	if (!wrong && names && tring_event_private(event)->comms)
		tring_check_names(event, record, names);
	return wrong;
}

#endif /* TRING_CHECK_H */
