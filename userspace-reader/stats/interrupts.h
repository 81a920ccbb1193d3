/* SPDX-License-Identifier: GPL-2.0 */
/* Times in interrupts, softirqs and system calls. */
#ifndef TRING_INTERRUPTS_H
#define TRING_INTERRUPTS_H

#include "top.h"

const char *tring_softirq_name(uint64_t number);
void tring_interrupt_enter(struct tring_top *top, struct tring_top_cpu *cpu,
			   const struct tring_bound *bound,
			   const struct tring_item *item);
void tring_interrupt_exit(struct tring_top *top, struct tring_top_cpu *cpu,
			  const struct tring_bound *bound,
			  const struct tring_item *item);
void tring_interrupts_count(struct tring_top *top, struct tring_top_cpu *cpu, uint64_t stamp);
void tring_interrupts_lose(const struct tring_top *top, struct tring_top_cpu *cpu,
			   uint64_t stamp);
void tring_call_enter(struct tring_top *top, struct tring_top_cpu *cpu,
		      const struct tring_bound *bound, const struct tring_item *item);
void tring_call_exit(struct tring_top *top, const struct tring_bound *bound,
		     const struct tring_item *item);
void tring_calls_end(struct tring_top *top);

#endif /* TRING_INTERRUPTS_H */
