/* SPDX-License-Identifier: GPL-2.0 */
/* Checks of what the user asks for, before anything is changed. */
#ifndef TRING_REQUEST_H
#define TRING_REQUEST_H

struct tring_recording_options;

int tring_request_check(const struct tring_recording_options *options);

#endif /* TRING_REQUEST_H */
