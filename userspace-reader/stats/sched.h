/* SPDX-License-Identifier: GPL-2.0 */
/* What each task does at each time. */
#ifndef TRING_SCHED_H
#define TRING_SCHED_H

#include "top.h"

/* Of prev_state: the task has ended. */
#define TRING_STATE_DEAD	0x30

bool tring_sched_is_partial(const struct tring_top *top, const struct tring_task *task);
void tring_sched_follow(struct tring_top *top, int32_t pid);
void tring_sched_see(struct tring_top *top, struct tring_top_cpu *cpu,
		     const struct tring_record *record);
void tring_sched_switch(struct tring_top *top, struct tring_top_cpu *cpu, int32_t prev,
			int32_t next, uint64_t state, uint64_t stamp);
void tring_sched_wake(struct tring_top *top, enum tring_kind kind, int32_t pid,
		      const struct tring_record *record);
void tring_sched_lose(struct tring_top *top, struct tring_top_cpu *cpu, uint64_t stamp);
void tring_sched_count(struct tring_top *top, uint64_t stamp);

#endif /* TRING_SCHED_H */
