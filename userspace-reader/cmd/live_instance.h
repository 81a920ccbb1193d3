/* SPDX-License-Identifier: GPL-2.0 */
/* The instance that tring top makes for itself. */
#ifndef TRING_LIVE_INSTANCE_H
#define TRING_LIVE_INSTANCE_H

char *tring_live_instance(void);

#endif /* TRING_LIVE_INSTANCE_H */
