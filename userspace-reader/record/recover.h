/* SPDX-License-Identifier: GPL-2.0 */
/* Undoes what a recorder has changed that was killed. */
#ifndef TRING_RECOVER_H
#define TRING_RECOVER_H

#include "tracefs/control.h"

/* What tring_recover() returns if a recorder was killed. */
#define TRING_PUT_BACK		1	/* all is as before, or as a user has set it since */
#define TRING_PUT_BACK_PARTLY	2	/* the kernel has refused some */

int tring_recover(struct tring_control *control);

#endif /* TRING_RECOVER_H */
