// SPDX-License-Identifier: GPL-2.0
/*
 * tring: per-CPU trace rings with compact timestamps. Init makes the files, which give
 * users access, last; exit removes them first.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <linux/printk.h>
#include <linux/utsname.h>

#include "blackbox/directory.h"
#include "blackbox/region.h"
#include "compat.h"
#include "instance.h"
#include "probes/events.h"
#include "session/session.h"
#include "tracefs/control.h"

static int __init init_tring(void)
{
	int err;

	if (TRING_KERNEL_IS_UNTESTED)
		pr_notice("the kernel %s is newer than tested\n", init_utsname()->release);
	err = tring_region_init();
	if (err)
		return err;
	err = tring_session_init();
	if (err)
		goto exit_region;
	tring_directory_init();
	err = tring_events_init();
	if (err)
		goto exit_directory;
	err = tring_instances_init();
	if (err)
		goto exit_events;
	return 0;

exit_events:
	tring_events_exit();
exit_directory:
	tring_directory_exit();
	tring_session_exit();
exit_region:
	tring_region_exit();
	return err;
}

static void __exit exit_tring(void)
{
	tring_instances_exit();
	tring_events_exit();
	tring_directory_exit();
	tring_session_exit();
	tring_region_exit();
}

module_init(init_tring);
module_exit(exit_tring);

MODULE_DESCRIPTION("Per-CPU trace rings with compact timestamps");
MODULE_VERSION(TRING_VERSION);
MODULE_LICENSE("GPL");
