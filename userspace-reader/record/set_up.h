/* SPDX-License-Identifier: GPL-2.0 */
/* The ring's settings for a recording, up to its new trace. */
#ifndef TRING_SET_UP_H
#define TRING_SET_UP_H

struct tring_recording;

int tring_recording_set_up(struct tring_recording *recording);

#endif /* TRING_SET_UP_H */
