/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The steps of the ring: points between two memory accesses where an interrupt on the same CPU,
 * or another CPU, may come in between and must do no harm. The tests run a nested writer, a
 * flush or a reader at each step.
 *
 * No include guard: what includes this has defined STEP() as what it makes of each.
 */

/* reserve */
STEP(RESERVE_READ),		/* position read */
STEP(RESERVE_CLOCK),		/* clock read */
STEP(RESERVE_AT_HAND),		/* last_ts and current_subbuf read */
STEP(RESERVE_BOUND),		/* before_ts about to be stored */
STEP(RESERVE_BEFORE),		/* before_ts stored */
STEP(RESERVE_CLAIMED),		/* position moved */
STEP(RESERVE_STAMPED),		/* last_ts stored */
STEP(RESERVE_PID_KEPT),		/* last_pid stored */
STEP(RESERVE_DONE),		/* head written */
STEP(COMMIT_START),
STEP(COMMIT_COUNTED),		/* bytes counted, not delivered yet */
/* enter a sub-buffer */
STEP(ENTER_READ),		/* slot word read */
STEP(ENTER_OPENED),		/* slot word OPEN */
STEP(ENTER_COUNTED),		/* overwritten packet counted */
STEP(ENTER_STARTED),		/* position moved, start stored */
STEP(ENTER_HEADER),		/* enterer's part of the header written */
/* close a sub-buffer */
STEP(CLOSE_HEADER),		/* closer's part of the header written */
STEP(DELIVER_RESET),		/* commits reset */
STEP(DELIVER_PUBLISHED),	/* slot word DELIVERED */
/* discard */
STEP(DISCARD_POISONED),		/* last_ts and last_pid unknown */
STEP(DISCARD_KEPT),		/* record could not be taken back */
/* switch to another memory */
STEP(SWITCH_MOVED),		/* position in the new memory, limit not yet */
/* reader */
STEP(TAKE_READ),		/* slot word read */
STEP(TAKE_COUNTED),		/* overwritten events read */
STEP(TAKE_TAKEN),		/* sub-buffers exchanged */
STEP(PEEK_READ),		/* slot word read */
STEP(PEEK_COUNTED),		/* bytes of the open packet counted */
STEP(PEEK_COPIED),		/* packet copied, not validated */
