/* SPDX-License-Identifier: GPL-2.0 */
/* Traces for the tests of top: events of the scheduler, interrupts and system calls. */
#ifndef TRING_TEST_TOP_TRACE_H
#define TRING_TEST_TOP_TRACE_H

#include "helpers.h"

/* Ids, of which the fixtures have three. */
enum {
	TOP_IRQ_ENTRY = 152,
	TOP_SWITCH = 319,
	TOP_SYS_ENTER = 351,
	TOP_WAKING = 601,
	TOP_WAKEUP,
	TOP_IRQ_EXIT,
	TOP_SOFTIRQ_ENTRY,
	TOP_SOFTIRQ_EXIT,
	TOP_SYS_EXIT,
	TOP_TLB_FLUSH,
};

/* Lengths of payloads, with the common fields. */
#define TOP_SWITCH_LENGTH	64
#define TOP_WAKE_LENGTH		36
#define TOP_NUMBER_LENGTH	12
#define TOP_ENTER_LENGTH	64
#define TOP_EXIT_LENGTH		24

void top_switch(uint8_t *payload, int32_t prev, int64_t state, int32_t next, bool order);
void top_wake(uint8_t *payload, int32_t pid, bool order);
void top_irq(uint8_t *payload, uint32_t irq, const char *name, bool order);
uint8_t *top_change(struct builder *builder, uint64_t stamp, int32_t prev, int64_t state,
		    int32_t next);
void top_waking(struct builder *builder, uint64_t stamp, int32_t by, int32_t pid);
void top_interrupt(struct builder *builder, uint64_t from, uint64_t to, int32_t pid, uint32_t irq,
		   const char *name);
uint8_t *top_call(struct builder *builder, uint64_t from, uint64_t to, int32_t pid,
		  uint64_t number, int64_t result);
void top_format(const char *dir, const char *system, const char *name, unsigned int id,
		const char *fields);
void top_begin(struct builder *builders, unsigned int count, uint64_t stamp);
void top_make(const char *dir, bool order);
void make_all_lost(const char *dir);
void top_write(const char *dir, const struct builder *builder, uint64_t events,
	       uint64_t refused, uint64_t overwritten);

#endif /* TRING_TEST_TOP_TRACE_H */
