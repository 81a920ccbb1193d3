// SPDX-License-Identifier: GPL-2.0
/*
 * Judges a round at its end, when no context writes and everything is read. The
 * counters of the writers, of the ring and of the readers must agree on each CPU, and
 * every event that no reader got must be counted as lost.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "tracefs/stats.h"
#include "util/util.h"

#define COUNTERS	"/sys/kernel/debug/tring_torture/counters"
#define REFUSALS_MAX	16
#define REFUSED		"refused_"

/**
 * struct account - the module's account of one context of one CPU
 */
struct account {
	uint64_t sequence;
	uint64_t committed;
	uint64_t discarded;
	uint64_t faults;
	uint64_t refused[REFUSALS_MAX];
};

static struct account accounts[TORTURE_CPUS_MAX][TORTURE_CONTEXTS];
static char names[TORTURE_CONTEXTS][16];

/* Totals over all CPUs for the report. */
static struct {
	uint64_t written, read, overwritten, refused, off, discarded;
	uint64_t peeked;
} total;

static bool parse_account(const char *line)
{
	unsigned int cpu, context, reason;
	struct account account = { };
	uint64_t bytes;
	char name[16];
	int used;

	if (sscanf(line, "%u %u %15s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
		   "%n", &cpu, &context, name, &account.sequence, &account.committed,
		   &account.discarded, &bytes, &account.faults, &used) != 8)
		return false;
	if (cpu >= torture.cpus || context >= TORTURE_CONTEXTS)
		return false;
	for (reason = 0; reason < REFUSALS_MAX; reason++) {
		int more;

		line += used;
		if (sscanf(line, " %" SCNu64 "%n", &account.refused[reason], &more) != 1)
			break;
		used = more;
	}
	accounts[cpu][context] = account;
	strcpy(names[context], name);
	return true;
}

/**
 * read_accounts - read the module's counters
 *
 * Return: number of events that all contexts have committed.
 */
uint64_t read_accounts(void)
{
	char *text = tring_read_text(COUNTERS, NULL), *line, *next;
	unsigned int lines = 0, cpu, context;
	uint64_t committed = 0;

	if (!text)
		die("no %s", COUNTERS);
	for (line = text; line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = 0;
		lines += parse_account(line);
	}
	free(text);
	if (lines != torture.cpus * TORTURE_CONTEXTS)
		die("%s has %u lines for %u CPUs", COUNTERS, lines, torture.cpus);
	for (cpu = 0; cpu < torture.cpus; cpu++)
		for (context = 0; context < TORTURE_CONTEXTS; context++)
			committed += accounts[cpu][context].committed;
	return committed;
}

static void expect(enum check check, unsigned int cpu, const char *what, uint64_t got,
		   uint64_t wanted)
{
	if (got != wanted)
		fault(check, "CPU %u: %s: %" PRIu64 ", not %" PRIu64, cpu, what, got, wanted);
}

static int compare_numbers(const void *a, const void *b)
{
	const struct packet_note *left = a, *right = b;

	return left->number < right->number ? -1 : left->number > right->number;
}

/* Notes of all packets of a CPU, of the live stream and of snapshots, by number. */
static struct packet_note *merge_notes(unsigned int cpu, size_t *count)
{
	const struct notes *live = live_notes(cpu), *taken = snapshot_notes(cpu);
	struct packet_note *all;

	*count = live->count + taken->count;
	all = tring_allocate(*count * sizeof(*all));
	/* memcpy() must not get NULL, even for 0 bytes. */
	if (live->count)
		memcpy(all, live->notes, live->count * sizeof(*all));
	if (taken->count)
		memcpy(all + live->count, taken->notes, taken->count * sizeof(*all));
	qsort(all, *count, sizeof(*all), compare_numbers);
	return all;
}

/*
 * Check the live stream and the snapshots of a CPU as one stream. A snapshot's packets
 * are missing in the live stream; together they have no gap except overwritten packets.
 */
static uint64_t check_stream(unsigned int cpu, const struct packet_note *all, size_t count)
{
	uint64_t last[TORTURE_CONTEXTS] = { }, gap = 0, next = 0, end = 0;
	size_t i;
	int context;

	for (i = 0; i < count; i++) {
		const struct packet_note *note = &all[i];

		if (note->number < next)
			fault(CHECK_PACKETS, "CPU %u: packet %" PRIu64 " was read twice", cpu,
			      note->number);
		gap += note->number - next;
		next = note->number + 1;
		if (note->begin < end)
			fault(CHECK_STAMPS, "CPU %u: packet %" PRIu64 " begins at %" PRIu64
			      ", one before it ended at %" PRIu64, cpu, note->number,
			      note->begin, end);
		end = note->end;
		for (context = 0; context < TORTURE_CONTEXTS; context++) {
			if (!note->contexts[context])
				continue;
			if (note->first[context] <= last[context])
				fault(CHECK_SEQUENCE, "CPU %u: packet %" PRIu64 ": %s %" PRIu64
				      " after %" PRIu64, cpu, note->number, names[context],
				      note->first[context], last[context]);
			last[context] = note->last[context];
		}
	}
	return gap;
}

static uint64_t sum(const uint64_t numbers[TORTURE_CONTEXTS])
{
	uint64_t sum = 0;
	int context;

	for (context = 0; context < TORTURE_CONTEXTS; context++)
		sum += numbers[context];
	return sum;
}

/*
 * Compare each packet's events_discarded with the gaps in the sequence numbers. A
 * missing number is a lost event. Events that a context lost before its last event in
 * the packet must be counted. Events that it lost behind its next event in a later
 * packet must not. Events between the two may be counted.
 *
 * Events that were dropped with a snapshot are not lost in the live stream, so with
 * snapshots only the upper bound holds.
 */
static void check_discarded(unsigned int cpu, const struct packet_note *all, size_t count)
{
	uint64_t *least = tring_allocate((count + 1) * sizeof(*least));
	uint64_t numbers[TORTURE_CONTEXTS] = { }, seen = 0;
	int context;
	size_t i;

	for (i = 0; i < count; i++) {
		for (context = 0; context < TORTURE_CONTEXTS; context++) {
			if (all[i].contexts[context])
				numbers[context] = all[i].last[context];
		}
		seen += all[i].events;
		least[i] = sum(numbers) - seen;
	}
	for (context = 0; context < TORTURE_CONTEXTS; context++)
		numbers[context] = accounts[cpu][context].sequence;
	for (i = count; i--; ) {
		uint64_t most = sum(numbers) - seen;

		if (all[i].lost > most ||
		    (all[i].lost < least[i] && !torture.features[FEATURE_SNAPSHOT]))
			fault(CHECK_DISCARDED, "CPU %u: packet %" PRIu64 " says %" PRIu64
			      ", which should be from %" PRIu64 " to %" PRIu64, cpu,
			      all[i].number, all[i].lost, least[i], most);
		for (context = 0; context < TORTURE_CONTEXTS; context++) {
			if (all[i].contexts[context])
				numbers[context] = all[i].first[context] - 1;
		}
		seen -= all[i].events;
	}
	free(least);
}

static const struct tring_stat *refusal(const struct tring_stats *stats, unsigned int number)
{
	size_t i;

	for (i = 0; i < stats->count; i++) {
		if (!strncmp(stats->entries[i].name, REFUSED, strlen(REFUSED)) && !number--)
			return &stats->entries[i];
	}
	return NULL;
}

/* Compare the ring's counters with the writers'; returns the number of refused events. */
static uint64_t check_writers(unsigned int cpu, const struct tring_stats *stats)
{
	uint64_t committed = 0, discarded = 0, refused = 0;
	const struct account *account = accounts[cpu];
	const struct tring_stat *stat;
	unsigned int context, reason;

	for (context = 0; context < TORTURE_CONTEXTS; context++) {
		uint64_t lost = 0;

		committed += account[context].committed;
		discarded += account[context].discarded;
		expect(CHECK_WRITERS, cpu, "unknown errors of tring_reserve()",
		       account[context].faults, 0);
		for (reason = 0; (stat = refusal(stats, reason)); reason++) {
			if (tring_stat_is_refusal(stat->name))
				lost += account[context].refused[reason];
		}
		expect(CHECK_WRITERS, cpu, "numbers given out", account[context].sequence,
		       account[context].committed + lost);
		refused += lost;
	}
	for (reason = 0; (stat = refusal(stats, reason)); reason++) {
		uint64_t count = 0;

		for (context = 0; context < TORTURE_CONTEXTS; context++)
			count += account[context].refused[reason];
		expect(CHECK_WRITERS, cpu, stat->name, stat->value, count);
		if (!tring_stat_is_refusal(stat->name))
			total.off += count;
	}
	expect(CHECK_WRITERS, cpu, "committed", tring_stats_value(stats, "committed"),
	       committed);
	expect(CHECK_WRITERS, cpu, "discarded", tring_stats_value(stats, "discarded"),
	       discarded);
	expect(CHECK_WRITERS, cpu, "reserved", tring_stats_value(stats, "reserved"),
	       committed + discarded);
	total.written += committed;
	total.discarded += discarded;
	total.refused += refused;
	return refused;
}

static void check_ledger(unsigned int cpu, const struct tring_stats *stats)
{
	char *wrong;
	size_t line;

	for (line = 0; line < TRING_LEDGER_LINES; line++) {
		wrong = tring_ledger_check(stats, line);
		if (wrong)
			fault(CHECK_LEDGER, "CPU %u: %s", cpu, wrong);
		free(wrong);
	}
	expect(CHECK_LEDGER, cpu, "open", tring_stats_value(stats, "open"), 0);
	expect(CHECK_LEDGER, cpu, "remaining", tring_stats_value(stats, "remaining"), 0);
}

static void check_gaps(unsigned int cpu, const struct tring_stats *stats, uint64_t refused,
		       const uint64_t seen[TORTURE_CONTEXTS])
{
	uint64_t overwritten = tring_stats_value(stats, "overwritten"), missing = 0;
	const struct tring_stat *stat;
	unsigned int context, reason;

	for (context = 0; context < TORTURE_CONTEXTS; context++) {
		const struct account *account = &accounts[cpu][context];
		uint64_t lost = 0;

		missing += account->sequence - seen[context];
		if (overwritten)
			continue;
		/* Nothing was overwritten: this context's gaps are its refused events. */
		for (reason = 0; (stat = refusal(stats, reason)); reason++) {
			if (tring_stat_is_refusal(stat->name))
				lost += account->refused[reason];
		}
		expect(CHECK_LOSSES, cpu, names[context], account->sequence - seen[context],
		       lost);
	}
	expect(CHECK_LOSSES, cpu, "missing numbers", missing, refused + overwritten);
}

static void judge_cpu(unsigned int cpu)
{
	char *path = join_path("per_cpu/cpu%u/stats", cpu);
	uint64_t seen[TORTURE_CONTEXTS] = { }, events = 0, bytes = 0, gap, refused;
	struct packet_note *all;
	struct tring_stats stats;
	unsigned int context;
	size_t count, i;
	char *text;

	text = tring_read_text(path, NULL);
	if (!text || tring_stats_parse(&stats, text))
		die("cannot parse %s", path);
	free(text);
	free(path);

	all = merge_notes(cpu, &count);
	gap = check_stream(cpu, all, count);
	check_discarded(cpu, all, count);
	for (i = 0; i < count; i++) {
		events += all[i].events;
		bytes += all[i].content;
		for (context = 0; context < TORTURE_CONTEXTS; context++)
			seen[context] += all[i].contexts[context];
	}
	expect(CHECK_READERS, cpu, "read", tring_stats_value(&stats, "read"), events);
	expect(CHECK_READERS, cpu, "read_bytes", tring_stats_value(&stats, "read_bytes"),
	       bytes);
	expect(CHECK_READERS, cpu, "packets_read", tring_stats_value(&stats, "packets_read"),
	       count);
	expect(CHECK_READERS, cpu, "packets_overwritten",
	       tring_stats_value(&stats, "packets_overwritten"), gap);
	refused = check_writers(cpu, &stats);
	check_ledger(cpu, &stats);
	check_gaps(cpu, &stats, refused, seen);
	total.peeked += compare_peeked(cpu, all, count);
	total.read += events;
	total.overwritten += tring_stats_value(&stats, "overwritten");
	free(all);
}

static uint64_t written_by(int context)
{
	uint64_t written = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < torture.cpus; cpu++)
		written += accounts[cpu][context].committed;
	return written;
}

static bool lacks(bool tell, const char *what, const char *name)
{
	if (tell)
		fault(CHECK_ALL_RAN, "%s %s", what, name);
	return true;
}

/**
 * all_ran - has every feature, form and context occurred?
 * @tell: what did not is untested, so the round fails
 */
bool all_ran(bool tell)
{
	int feature, context, source, form;
	bool missing = false;

	for (form = 0; form < FORMS; form++) {
		if (!records_of(form))
			missing = lacks(tell, "no record", form_name(form));
	}
	for (source = 0; source < SOURCES; source++) {
		if (source_is_missing(source))
			missing = lacks(tell, "no packet came by", source_name(source));
	}
	for (feature = FEATURE_SNAPSHOT; feature <= FEATURE_INSTANCES; feature++) {
		if (torture.features[feature] && !disturbances(feature))
			missing = lacks(tell, "never:", feature_name(feature));
	}
	for (context = 0; context < TORTURE_CONTEXTS; context++) {
		if ((context == TORTURE_NMI && !torture.features[FEATURE_NMI]) ||
		    (context == TORTURE_CLOCK && !torture.features[FEATURE_CLOCK]))
			continue;
		if (!written_by(context))
			missing = lacks(tell, "no event of", names[context]);
	}
	return !missing;
}

/**
 * judge_round - compare all accounts and report
 * @seconds: duration of the round
 *
 * Return: number of checks that failed.
 */
unsigned int judge_round(double seconds)
{
	const char *notes[CHECKS] = { };
	unsigned int cpu, failed;
	int context, form;

	read_accounts();
	for (cpu = 0; cpu < torture.cpus; cpu++)
		judge_cpu(cpu);
	all_ran(true);
	if (torture.features[FEATURE_PEEK] && !total.peeked)
		lacks(true, "no packet was peeked at", "and then read");

	printf("# %s: %" PRIu64 " events written in %.1f s, %.0f a second; %" PRIu64
	       " read, %" PRIu64 " overwritten, %" PRIu64 " refused, %" PRIu64
	       " discarded, %" PRIu64 " off\n", torture.name, total.written, seconds,
	       total.written / seconds, total.read, total.overwritten, total.refused,
	       total.discarded, total.off);
	printf("# %s: by context:", torture.name);
	for (context = 0; context < TORTURE_CONTEXTS; context++)
		printf(" %s %" PRIu64, names[context], written_by(context));
	printf("\n# %s: packets by read %" PRIu64 ", of snapshots %" PRIu64 "; peeked at %" PRIu64
	       " (%" PRIu64 " compared)\n",
	       torture.name, packets_by(SOURCE_READ), packets_by(SOURCE_SNAPSHOT),
	       packets_by(SOURCE_PEEK), total.peeked);
	printf("# %s: records", torture.name);
	for (form = 0; form < FORMS; form++)
		printf("%s %s %" PRIu64, form ? "," : "", form_name(form), records_of(form));
	putchar('\n');
	print_disturbances();

	notes[CHECK_RECORDS] = tring_format("%" PRIu64 " events", total.read);
	notes[CHECK_PEEKED] = torture.features[FEATURE_PEEK] ?
		tring_format("%" PRIu64 " packets", total.peeked) : "skip";
	failed = report_checks(torture.name, notes);
	printf("written %" PRIu64 " read %" PRIu64 " milliseconds %.0f\n", total.written,
	       total.read, seconds * 1000);
	return failed;
}
