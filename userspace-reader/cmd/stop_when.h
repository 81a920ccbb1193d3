/* SPDX-License-Identifier: GPL-2.0 */
/* Ends a recording when one of its conditions is met. */
#ifndef TRING_STOP_WHEN_H
#define TRING_STOP_WHEN_H

#include <stdbool.h>

#include "record/options.h"

bool tring_stop_when_add(struct tring_recording_options *options, const char *text);
bool tring_stop_when_record(struct tring_recording_options *options);
bool tring_stop_when_check(const struct tring_recording_options *options);
void tring_stop_when_free(struct tring_recording_options *options);

#endif /* TRING_STOP_WHEN_H */
