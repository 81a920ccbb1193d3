/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The users that root trusts with the directory of a trace: root, and the caller of sudo. */
#ifndef TRING_TRUST_H
#define TRING_TRUST_H

#include <stdbool.h>
#include <sys/types.h>

/* The user says by --force that root may write where other users can. */
extern bool tring_force;

bool tring_trust_caller(uid_t *uid, gid_t *gid);
bool tring_trusts_user(uid_t uid);
bool tring_trusts_directory(int dir);
bool tring_trusts_parent(int dir);

#endif /* TRING_TRUST_H */
