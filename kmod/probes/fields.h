/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fields of events; see fields.c.
 */
#ifndef _TRING_FIELDS_H
#define _TRING_FIELDS_H

struct trace_event_fields;

const char *tring_fields_mismatch(const struct trace_event_fields *probe,
				  const struct trace_event_fields *kernel);

#endif /* _TRING_FIELDS_H */
