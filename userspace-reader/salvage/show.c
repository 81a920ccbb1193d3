// SPDX-License-Identifier: GPL-2.0
/* Prints what was salvaged of a trace. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "salvage.h"
#include "util/text.h"
#include "util/util.h"

static const char * const ends[TRING_PACKET_ENDS] = {
	[TRING_PACKET_BY_WRITE] = "by position", [TRING_PACKET_BY_CLOSE] = "by close",
	[TRING_PACKET_BY_COMMITS] = "by commits", [TRING_PACKET_UNSURE] = "unsure",
};

/* How the ends of packets that were not delivered are known. */
static void print_ends(const struct tring_salvage_cpu *cpu)
{
	const char *before = "";
	size_t i;

	for (i = TRING_PACKET_DELIVERED + 1; i < TRING_PACKET_ENDS; i++) {
		if (!cpu->ends[i])
			continue;
		if (cpu->ends[i] > 1)
			printf("%s%" PRIu64 " %s", before, cpu->ends[i], ends[i]);
		else
			printf("%s%s", before, ends[i]);
		before = ", ";
	}
	puts(*before ? "" : cpu->packets ? "delivered" : "-");
}

static void print_cpu(const struct tring_salvage_cpu *cpu)
{
	printf("%4u %12" PRIu64 " %12" PRIu64 " %10" PRIu64 " %11" PRIu64 " %7" PRIu64
	       " %7" PRIu64 "  ", cpu->cpu, cpu->there, cpu->recovered,
	       cpu->there - cpu->recovered, cpu->uncommitted, cpu->faults, cpu->missing);
	print_ends(cpu);
}

static void tell(const struct tring_salvage_cpu *cpu, uint64_t number, const char *what)
{
	if (number)
		printf("CPU %u: %" PRIu64 " %s\n", cpu->cpu, number, what);
}

static void print_notes(const struct tring_salvage_cpu *cpu)
{
	tell(cpu, cpu->bad_arrays, "memories whose slots are not all there");
	tell(cpu, cpu->bad_slots, "slots were damaged, and their packets not found");
	tell(cpu, cpu->repaired_slots, "slots were damaged, and their packets found all the same");
	tell(cpu, cpu->bytes_missing, "bytes of packets are not in the image");
	tell(cpu, cpu->repaired, "damaged parts of packet headers were set right");
	tell(cpu, cpu->guessed, "packets may have been recorded at another time");
	tell(cpu, cpu->unsure, "packets have open records that cannot be told from others");
	tell(cpu, cpu->surplus, "events more than were committed were found by damaged packets");
	tell(cpu, cpu->foreign, "packets of an older trace were left out");
	tell(cpu, cpu->earlier, "packets came before; the image does not tell what was lost");
}

/**
 * tring_salvage_show - print what was salvaged of a trace
 * @trace: the trace
 * @dir: where it was written
 * @cpus: its CPUs
 * @count: their number
 */
void tring_salvage_show(const struct tring_found_trace *trace, const char *dir,
			const struct tring_salvage_cpu *cpus, size_t count)
{
	char *uuid = tring_uuid_text(trace->is.uuid);
	struct tring_salvage_cpu all = { 0 };
	size_t i;

	for (i = 0; i < count; i++) {
		all.there += cpus[i].there;
		all.recovered += cpus[i].recovered;
		all.uncommitted += cpus[i].uncommitted;
	}
	if (tring_verbosity != TRING_QUIET) {
		printf("trace %s of ", uuid);
		tring_text_print(stdout, trace->is.host);
		fputs(", Linux ", stdout);
		tring_text_print(stdout, trace->is.release);
		putchar('\n');
		puts(" CPU        there    recovered unreadable uncommitted  faults missing  end");
		for (i = 0; i < count; i++)
			print_cpu(&cpus[i]);
		for (i = 0; i < count; i++)
			print_notes(&cpus[i]);
		tring_text_print(stdout, dir);
		printf(": %" PRIu64 " of %" PRIu64 " committed events recovered, %" PRIu64
		       " records uncommitted\n", all.recovered, all.there, all.uncommitted);
	}
	free(uuid);
}
