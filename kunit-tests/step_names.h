/* SPDX-License-Identifier: GPL-2.0 */
/* Names of the ring's steps. KUnit and the explorer each include this in one file. */
#include "ring/ring.h"

const char *const step_names[TRING_STEPS] = {
	[TRING_STEP_RESERVE_READ]	= "reserve_read",
	[TRING_STEP_RESERVE_CLOCK]	= "reserve_clock",
	[TRING_STEP_RESERVE_AT_HAND]	= "reserve_at_hand",
	[TRING_STEP_RESERVE_BOUND]	= "reserve_bound",
	[TRING_STEP_RESERVE_BEFORE]	= "reserve_before",
	[TRING_STEP_RESERVE_CLAIMED]	= "reserve_claimed",
	[TRING_STEP_RESERVE_STAMPED]	= "reserve_stamped",
	[TRING_STEP_RESERVE_PID_KEPT]	= "reserve_pid_kept",
	[TRING_STEP_RESERVE_DONE]	= "reserve_done",
	[TRING_STEP_COMMIT_START]	= "commit_start",
	[TRING_STEP_COMMIT_COUNTED]	= "commit_counted",
	[TRING_STEP_ENTER_READ]		= "enter_read",
	[TRING_STEP_ENTER_OPENED]	= "enter_opened",
	[TRING_STEP_ENTER_COUNTED]	= "enter_counted",
	[TRING_STEP_ENTER_STARTED]	= "enter_started",
	[TRING_STEP_ENTER_HEADER]	= "enter_header",
	[TRING_STEP_CLOSE_HEADER]	= "close_header",
	[TRING_STEP_DELIVER_RESET]	= "deliver_reset",
	[TRING_STEP_DELIVER_PUBLISHED]	= "deliver_published",
	[TRING_STEP_DISCARD_POISONED]	= "discard_poisoned",
	[TRING_STEP_DISCARD_KEPT]	= "discard_kept",
	[TRING_STEP_SWITCH_MOVED]	= "switch_moved",
	[TRING_STEP_TAKE_READ]		= "take_read",
	[TRING_STEP_TAKE_COUNTED]	= "take_counted",
	[TRING_STEP_TAKE_TAKEN]		= "take_taken",
	[TRING_STEP_PEEK_READ]		= "peek_read",
	[TRING_STEP_PEEK_COUNTED]	= "peek_counted",
	[TRING_STEP_PEEK_COPIED]	= "peek_copied",
};
