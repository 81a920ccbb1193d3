// SPDX-License-Identifier: GPL-2.0
/* Description: plans print the same text as libtraceevent, for formats of real kernels. */
/*
 * plan_words [DIR [SEED]] - DIR is the folder "tring" of a trace, or a similar
 * one: with events/ and optionally kallsyms and printk_formats. The default is
 * the folder of the golden files.
 */
#include <traceevent/event-parse.h>

#include "payloads.h"
#include "event/events.h"
#include "event/functions.h"
#include "print/plan.h"
#include "print/reference.h"
#include "read/trace.h"
#include "event/name_files.h"
#include "util/util.h"

#define ROUNDS		400

/**
 * struct account - counts of the comparison
 * @formats: formats
 * @plans: formats with a plan
 * @lines: compared lines
 * @asked: payloads that a plan left to libtraceevent
 * @bad: payloads that neither may print
 */
struct account {
	unsigned int	formats;
	unsigned int	plans;
	unsigned long	lines;
	unsigned long	asked;
	unsigned long	bad;
};


/* A trace without packets, as the printer wants one. */
static struct tring_trace trace = {
	.info.clock_frequency = 1000000000, .has_symbols = true,
};
#define events	trace.events

static void show(const char *what, const struct tring_line *line)
{
	fprintf(stderr, "%s: \"%.*s\"\n", what, (int)(line->at - line->start),
		line->start);
}

static void compare(const struct tring_event *event,
		    const struct tring_plan *plan,
		    struct tring_reference *reference, bool big_endian,
		    struct account *account)
{
	struct tring_record record = { .id = event->parsed->id };
	/* memory of exactly the payload's size, so that the sanitizer finds a read past it */
	uint8_t *made = tring_allocate(PAYLOAD_MAX), *payload;
	struct tring_line planned, wanted;

	tring_line_init(&planned);
	tring_line_init(&wanted);
	record.length = payload_make(made, event, big_endian, CONTENT_ODD);
	payload = malloc(record.length);
	CHECK(payload);
	memcpy(payload, made, record.length);
	free(made);
	record.payload = payload;
	switch (tring_plan_run(plan, &trace, &planned, payload,
			       record.length)) {
	case TRING_PLAN_DONE:
		tring_reference_fields(reference, &wanted, &record, 0);
		account->lines++;
		if (planned.at - planned.start != wanted.at - wanted.start ||
		    memcmp(planned.start, wanted.start,
			   wanted.at - wanted.start)) {
			fprintf(stderr, "%s:%s\n", event->system, event->name);
			show("plan         ", &planned);
			show("libtraceevent", &wanted);
			fprintf(stderr, "%s\n", event->text);
			exit(1);
		}
		break;
	case TRING_PLAN_ASK:
		account->asked++;
		break;
	case TRING_PLAN_BAD:
		account->bad++;
		break;
	}
	free(payload);
	tring_line_free(&planned);
	tring_line_free(&wanted);
}

static void compare_event(const struct tring_event *event,
			  struct tring_reference *reference, bool big_endian,
			  struct account *account)
{
	struct tring_plan plan;
	unsigned int round;

	account->formats++;
	if (!tring_plan_compile(&plan, event)) {
		if (getenv("TRING_VERBOSE"))
			printf("no plan: %s:%s\n", event->system, event->name);
		return;
	}
	account->plans++;
	for (round = 0; round < ROUNDS; round++)
		compare(event, &plan, reference, big_endian, account);
	tring_plan_free(&plan);
}

static void give(const char *dir, const char *name,
		 int (*take)(struct tring_events *to, char *text, const char *path))
{
	char *path = make_path("%s/%s", dir, name);
	char *text = tring_read_text(path, NULL);

	if (!text)
		return;
	if (take == tring_give_symbols)
		payload_functions(text);
	CHECK(!take(&events, text, path));
	free(text);
}

static void compare_all(const char *dir, bool big_endian,
			struct account *account)
{
	char *formats = make_path("%s/events", dir);
	struct tring_reference reference;
	size_t i;

	CHECK_EQ(tring_events_init(&events), 0);
	tring_functions_add(&events, 250);
	CHECK(events.plugins);
	tep_set_local_bigendian(events.tep, TRING_HOST_BIG_ENDIAN ?
				TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_file_bigendian(events.tep, big_endian ? TEP_BIG_ENDIAN :
						       TEP_LITTLE_ENDIAN);
	give(dir, "kallsyms", tring_give_symbols);
	give(dir, "printk_formats", tring_give_strings);
	CHECK(tring_events_add_all(&events, formats) >= 0);
	CHECK(events.count);
	tring_reference_init(&reference, events.tep);
	for (i = 0; i < events.count; i++)
		compare_event(events.list[i], &reference, big_endian, account);
	tring_reference_free(&reference);
	tring_events_free(&events);
}

int main(int argc, char **argv)
{
	char *golden_dir = make_path("%s/golden/plans", argc > 1 ? "" :
				     test_env("TRING_TESTS"));
	const char *dir = argc > 1 ? argv[1] : golden_dir;
	struct account account = { 0 };

	payload_seed(argc > 2 ? strtoull(argv[2], NULL, 0) : test_seed(20261121));
	compare_all(dir, false, &account);
	compare_all(dir, true, &account);
	printf("formats %u, with a plan %u, lines compared %lu, ",
	       account.formats, account.plans, account.lines);
	printf("left to libtraceevent %lu, refused %lu\n", account.asked,
	       account.bad);
	/* most formats must have been compared, or the test proves nothing */
	CHECK(account.plans * 10 >= account.formats * 7);
	CHECK(account.lines * 10 >= (unsigned long)account.plans * ROUNDS * 8);
	return 0;
}
