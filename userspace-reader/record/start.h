/* SPDX-License-Identifier: GPL-2.0 */
/* Begins to record into a ring that nothing reads. */
#ifndef TRING_START_H
#define TRING_START_H

struct tring_recording_options;

int tring_start(const struct tring_recording_options *options);

#endif /* TRING_START_H */
