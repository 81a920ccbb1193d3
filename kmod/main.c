// SPDX-License-Identifier: GPL-2.0
/*
 * tring: per-CPU trace rings with compact timestamps. Set up and torn down
 * here, the ring first and the files, through which users get at it, last.
 */
#include <linux/errno.h>
#include <linux/module.h>

#include "control.h"
#include "events.h"
#include "ring.h"

static struct tring_buffer *buffer;

static int __init init_tring(void)
{
	int err;

	err = tring_ring_init();
	if (err)
		return err;

	buffer = tring_buffer_create();
	if (!buffer) {
		err = -ENOMEM;
		goto exit_ring;
	}
	/* On, as in ftrace: what records then depends on set_event alone. */
	tring_buffer_set_recording(buffer, true);

	err = tring_events_init(buffer);
	if (err)
		goto destroy_buffer;

	err = tring_control_init(buffer);
	if (err)
		goto exit_events;
	return 0;

exit_events:
	tring_events_exit();
destroy_buffer:
	tring_buffer_destroy(buffer);
exit_ring:
	tring_ring_exit();
	return err;
}

static void __exit exit_tring(void)
{
	tring_control_exit();
	tring_events_exit();
	tring_buffer_destroy(buffer);
	tring_ring_exit();
}

module_init(init_tring);
module_exit(exit_tring);

MODULE_DESCRIPTION("Per-CPU trace rings with compact timestamps");
MODULE_VERSION(TRING_VERSION);
MODULE_LICENSE("GPL");
