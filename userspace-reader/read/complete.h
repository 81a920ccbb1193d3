/* SPDX-License-Identifier: GPL-2.0 */
/* Checks whether a trace has all that was recorded. */
#ifndef TRING_COMPLETE_H
#define TRING_COMPLETE_H

#include "report.h"

void tring_complete_open(struct tring_report *report, int cpu);
void tring_complete_add(struct tring_report *report, struct tring_report_cpu *cpu,
			const char *dir);
void tring_complete_read_counters(struct tring_report *report, const struct tring_report_cpu *cpu,
				  struct tring_packet_file *file);
void tring_complete_restart(struct tring_report *report, struct tring_report_cpu *cpu);
void tring_complete_check(struct tring_report *report, const char *dir);

#endif /* TRING_COMPLETE_H */
