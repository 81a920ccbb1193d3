/* SPDX-License-Identifier: GPL-2.0 */
/* Prepares a ring for being read in an image of the memory, or by the next boot. */
#ifndef TRING_BLACKBOX_H
#define TRING_BLACKBOX_H

struct tring_recording;

int tring_blackbox_move_out(struct tring_recording *recording);
int tring_blackbox_move_in(struct tring_recording *recording);
int tring_blackbox_leave_blob(struct tring_recording *recording);

#endif /* TRING_BLACKBOX_H */
