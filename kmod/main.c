// SPDX-License-Identifier: GPL-2.0
/*
 * tring: per-CPU trace rings with compact timestamps. Init makes the files, which give
 * users access, last; exit removes them first.
 */
#include <linux/module.h>

#include "instance.h"
#include "probes/events.h"
#include "ring/ring.h"
#include "tracefs/control.h"

static int __init init_tring(void)
{
	int err;

	err = tring_ring_init();
	if (err)
		return err;
	tring_events_init();

	err = tring_instances_init();
	if (err)
		tring_ring_exit();
	return err;
}

static void __exit exit_tring(void)
{
	tring_instances_exit();
	tring_ring_exit();
}

module_init(init_tring);
module_exit(exit_tring);

MODULE_DESCRIPTION("Per-CPU trace rings with compact timestamps");
MODULE_VERSION(TRING_VERSION);
MODULE_LICENSE("GPL");
