// SPDX-License-Identifier: GPL-2.0
/* Description: plans print the same text as libtraceevent, for formats of real kernels. */
/*
 * plan_words [DIR [SEED]] - DIR is the folder "tring" of a trace, or a similar
 * one: with events/ and optionally kallsyms and printk_formats. The default is
 * the folder of the golden files.
 */
#include <traceevent/event-parse.h>

#include "helpers.h"
#include "event/events.h"
#include "event/functions.h"
#include "print/plan.h"
#include "print/reference.h"
#include "event/symbols.h"
#include "util/util.h"

#define ROUNDS		400
#define TAIL_MAX	96
#define ROOM		(65536 + TAIL_MAX)

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

static uint64_t state;
static uint64_t functions[64];
static size_t function_count;
static struct tring_symbols symbols;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t random_below(uint64_t limit)
{
	return (next_random() >> 11) % limit;
}

/* Return: mostly an extreme value, at which the output changes. */
static uint64_t odd_number(void)
{
	switch (random_below(9)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return 1ull << random_below(64);
	case 3:
		return (1ull << random_below(64)) - 1;
	case 4:
		return -(int64_t)random_below(300);
	case 5:
		return function_count ?
			functions[random_below(function_count)] +
			random_below(3) * 4 : 1;
	case 6:
		return next_random();
	default:
		return random_below(300);
	}
}

static void fill_text(uint8_t *to, size_t size)
{
	size_t i, end = random_below(size + 2);

	for (i = 0; i < size; i++)
		to[i] = i < end ? ' ' + random_below(95) : 0;
	/* sometimes a byte outside of ASCII, or text after the NUL */
	if (size && random_below(8) == 0)
		to[random_below(size)] = next_random();
}

static void fill_number(uint8_t *to, size_t size, bool big_endian)
{
	uint64_t value = odd_number();

	switch (size) {
	case 1:
		*to = value;
		break;
	case 2:
		put_u16(to, value, big_endian);
		break;
	case 4:
		put_u32(to, value, big_endian);
		break;
	case 8:
		put_u64(to, value, big_endian);
		break;
	default:
		while (size--)
			*to++ = random_below(4) ? next_random() : 0;
		break;
	}
}

static void fill_array(uint8_t *to, const struct tep_format_field *field,
		       bool big_endian)
{
	size_t each = field->elementsize ? field->elementsize : 1;
	size_t at;

	for (at = 0; at + each <= (size_t)field->size; at += each)
		fill_number(to + at, each, big_endian);
}

/* Places dynamic data anywhere after the fixed part, with any size that fits. */
static void place_dynamic(uint8_t *payload,
			  const struct tep_format_field *field,
			  uint32_t fixed, uint32_t length, bool big_endian)
{
	uint32_t start = fixed + random_below(length - fixed + 1);
	uint32_t size = random_below(length - start + 1);

	fill_text(payload + start, size);
	if (field->flags & TEP_FIELD_IS_RELATIVE)
		start -= field->offset + field->size;
	put_u32(payload + field->offset, size << 16 | start, big_endian);
}

static uint32_t make_payload(uint8_t *payload, const struct tring_event *event,
			     bool big_endian)
{
	const struct tep_format_field *field;
	uint32_t fixed = event->fixed_size;
	uint32_t length = fixed + random_below(TAIL_MAX);
	uint32_t i;

	for (i = 0; i < length; i++)
		payload[i] = next_random();
	for (field = event->parsed->format.fields; field; field = field->next) {
		uint8_t *to = payload + field->offset;

		if (field->flags & TEP_FIELD_IS_DYNAMIC)
			place_dynamic(payload, field, fixed, length,
				      big_endian);
		else if (field->flags & TEP_FIELD_IS_STRING)
			fill_text(to, field->size);
		else if (field->flags & TEP_FIELD_IS_ARRAY)
			fill_array(to, field, big_endian);
		else
			fill_number(to, field->size, big_endian);
	}
	return length;
}

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
	uint8_t *made = tring_allocate(ROOM), *payload;
	struct tring_line planned, wanted;

	tring_line_init(&planned);
	tring_line_init(&wanted);
	record.length = make_payload(made, event, big_endian);
	payload = malloc(record.length);
	CHECK(payload);
	memcpy(payload, made, record.length);
	free(made);
	record.payload = payload;
	switch (tring_plan_run(plan, &symbols, &planned, payload,
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

static char *give(struct tep_handle *tep, const char *dir, const char *name,
		  int (*parse)(struct tep_handle *tep, const char *text))
{
	char *path = make_path("%s/%s", dir, name);
	char *text = tring_read_text(path, NULL);

	if (text)
		CHECK(!parse(tep, text));
	return text;
}

/* Picks some addresses that have names. */
static void find_functions(const char *text)
{
	size_t lines = 0, every;
	const char *at;

	for (at = text; at; at = strchr(at + 1, '\n'))
		lines++;
	every = lines / COUNT(functions) + 1;
	for (at = text, lines = 0; at && function_count < COUNT(functions);
	     at = strchr(at + 1, '\n'))
		if (lines++ % every == 0)
			functions[function_count++] = strtoull(at, NULL, 16);
}

static void compare_all(const char *dir, bool big_endian,
			struct account *account)
{
	char *formats = make_path("%s/events", dir), *text;
	struct tring_reference reference;
	struct tring_events events;
	size_t i;

	CHECK_EQ(tring_events_init(&events), 0);
	tring_functions_add(&events, 250);
	CHECK(events.plugins);
	tep_set_local_bigendian(events.tep, TRING_HOST_BIG_ENDIAN ?
				TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_file_bigendian(events.tep, big_endian ? TEP_BIG_ENDIAN :
						       TEP_LITTLE_ENDIAN);
	text = give(events.tep, dir, "kallsyms", tep_parse_kallsyms);
	if (text && !function_count)
		find_functions(text);
	free(text);
	free(give(events.tep, dir, "printk_formats",
		  tep_parse_printk_formats));
	CHECK(tring_events_add_all(&events, formats) >= 0);
	CHECK(events.count);
	memset(&symbols, 0, sizeof(symbols));
	symbols.tep = events.tep;
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

	state = argc > 2 ? strtoull(argv[2], NULL, 0) : test_seed(20261121);
	CHECK(state);
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
