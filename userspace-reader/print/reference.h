/* SPDX-License-Identifier: GPL-2.0 */
/* Output of libtraceevent: for events without a plan, and to check plans. */
#ifndef TRING_REFERENCE_H
#define TRING_REFERENCE_H

#include <stddef.h>
#include <stdint.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "tring.h"
#include "util/line.h"

/**
 * struct tring_reference - safe access to libtraceevent's output
 * @tep: libtraceevent's handle
 * @room: copy of the payload, followed by zeroes
 * @size: bytes of @room that a payload may fill
 * @used: bytes of @room that may be nonzero
 * @text: libtraceevent's output
 */
struct tring_reference {
	struct tep_handle *tep;
	uint8_t		*room;
	size_t		size;
	size_t		used;
	struct trace_seq text;
};

void tring_reference_init(struct tring_reference *reference,
			  struct tep_handle *tep);
void tring_reference_free(struct tring_reference *reference);
void tring_reference_print(struct tring_reference *reference, struct tring_line *line,
			   const struct tring_record *record, int cpu, const char *what);
void tring_reference_each(struct tring_reference *reference, struct tring_line *line,
			  const struct tring_item *item);
void tring_reference_context(struct tring_reference *reference,
			     struct tring_line *line,
			     const struct tring_record *record);

#endif /* TRING_REFERENCE_H */
