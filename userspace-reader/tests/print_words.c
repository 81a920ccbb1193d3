// SPDX-License-Identifier: GPL-2.0
/* Description: each event is printed as libtraceevent with its plugins prints it. */
/*
 * print_words [DIR [SEED]] - DIR is the folder "tring" of a trace, or a similar one: with events/
 * and optionally kallsyms and printk_formats. The default is the folder of the golden files. A
 * second handle of libtraceevent gets each format, as other programs give it, without tring's
 * checks, and prints the same payloads, of both byte orders. It may die of them: then another
 * process goes on behind the payload.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "payloads.h"
#include "event/check.h"
#include "event/functions.h"
#include "event/name_files.h"
#include "print/printer.h"
#include "print/reference.h"
#include "read/trace.h"
#include "util/fold.h"
#include "util/util.h"

#define ROUNDS		60
#define HEAD_WIDTH	22
#define SHOWN_MAX	4096
#define UNPARSED	"[FAILED TO PARSE]"

/* What comes of a payload. */
enum verdict {
	SAME,
	BOTH_UNPARSED,
	ALONE,
	MISTAKEN,
	REFUSED,
	DIED,
	DIFFERENT,
	VERDICTS,
};

static const char * const verdict_names[VERDICTS] = {
	"the same", "fields because libtraceevent does not parse it", "by tring alone",
	"otherwise because libtraceevent would be wrong", "refused by tring",
	"libtraceevent died", "different",
};

/**
 * struct progress - how far an event is
 * @round: the payload
 * @by_peer: libtraceevent is parsing or printing
 * @begun: it has begun to parse the format
 * @parsed: it has parsed it
 * @folded: tring has computed constants in it
 * @lines: number of payloads by content and verdict
 * @shown: the first line that differs, twice
 */
struct progress {
	unsigned int	round;
	bool		by_peer;
	bool		begun;
	bool		parsed;
	bool		folded;
	unsigned long	lines[CONTENTS][VERDICTS];
	char		shown[SHOWN_MAX];
};

/**
 * struct shared - what outlives a process
 * @event: the current event, by its number
 * @progress: of each event
 */
struct shared {
	size_t		event;
	struct progress	progress[];
};

/**
 * struct peer - libtraceevent as other programs use it
 * @tep: its handle
 * @plugins: its plugins
 * @reference: prints
 * @line: what it has printed
 */
struct peer {
	struct tep_handle *tep;
	struct tep_plugin_list *plugins;
	struct tring_reference reference;
	struct tring_line line;
};

static struct shared *shared;
static struct progress *progress;
/* A trace without packets, as the printer wants one. */
static struct tring_trace trace = {
	.info.clock_frequency = 1000000000, .has_symbols = true,
};

#define events	trace.events
#define names	trace.names
static struct tring_printer printer;
static struct peer peer;
static uint64_t seed;
static bool big_endian;

/* libtraceevent may allocate as much as a payload says. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "max_allocation_size_mb=1024";
}

static bool is_own(const struct tring_event *event)
{
	/* several lines, and lines that are indented by their depth, a plugin's without a bound */
	static const char * const own[] = {
		"kernel_stack", "user_stack", "funcgraph_entry", "funcgraph_exit", "function",
	};
	size_t i;

	for (i = 0; i < COUNT(own); i++)
		if (!strcmp(event->system, "ftrace") && !strcmp(event->name, own[i]))
			return true;
	return false;
}

static void strip(struct tring_line *line)
{
	while (line->at > line->start && line->at[-1] == '\n')
		line->at--;
}

static void print_by_peer(const struct tring_event *event, const struct tring_record *record)
{
	const char *format = event->parsed->print_fmt.format;

	peer.line.at = peer.line.start;
	tring_reference_print(&peer.reference, &peer.line, record, 0, TEP_PRINT_INFO);
	strip(&peer.line);
	/* what a terminal must not get is escaped */
	tring_line_escape(&peer.line, 0, format && strstr(format, "\\t") ? '\t' : 0);
	tring_line_char(&peer.line, 0);
}

/* Return: what tring prints behind the event's name; NULL if it refuses the payload. */
static const char *print_by_tring(const struct tring_event *event,
				  const struct tring_record *record)
{
	struct tring_item item = { .record = record, .event = event, .trace = &trace };
	size_t size = strlen(event->name);
	FILE *null = fopen("/dev/null", "w");
	const char *wrong, *text;
	char *name;

	CHECK(null);
	item.wrong = tring_learn(event, record, &names);
	wrong = tring_printer_print(&printer, null, &item);
	fclose(null);
	strip(&printer.line);
	tring_line_char(&printer.line, 0);
	name = tring_format(": %s: ", event->name);
	text = strstr(printer.line.start, name);
	free(name);
	CHECK(text);
	text += 2 + (size < HEAD_WIDTH - 1 ? HEAD_WIDTH : size + 2);
	CHECK(!wrong || strstr(text, " bytes:"));
	return wrong ? NULL : text;
}

static bool has_all_names(const struct tring_event *event, const char *text)
{
	const struct tep_format_field *field;
	bool all = true;

	for (field = event->parsed->format.fields; field && all; field = field->next) {
		char *name = tring_format(" %s=", field->name);

		all = strstr(text, name);
		free(name);
	}
	return all;
}

/*
 * libtraceevent takes a name that the kernel has not replaced by its number for 0, as an index and
 * as a length, prints "%+d" as ">+<d", and takes an array behind a cast for no array.
 */
static bool would_be_wrong(const struct tring_event *event)
{
	static const char * const texts[] = {
		"[PIPE_A]", "[NL80211_BAND_", ", NFS4_VERIFIER_SIZE)", "%+d",
		"__print_array(((const",
	};
	size_t i;

	for (i = 0; i < COUNT(texts); i++)
		if (strstr(event->text, texts[i]))
			return true;
	return false;
}

/* Its plugin has room for 15 bytes, and writes more or, of none, in front of them. */
static bool has_long_instruction(const struct tring_event *event,
				 const struct tring_record *record)
{
	const struct tep_format_field *length = tep_find_field(event->parsed, "len");

	return !strcmp(event->name, "kvm_emulate_insn") && length &&
	       (uint8_t)(record->payload[length->offset] - 1) >= 15;
}

static enum verdict judge(const struct tring_event *event, const struct tring_record *record,
			  const char *text)
{
	bool unparsed = text && !strncmp(text, UNPARSED, strlen(UNPARSED));

	if (!text)
		return REFUSED;
	if (unparsed && would_be_wrong(event))
		return has_all_names(event, text) ? MISTAKEN : DIFFERENT;
	if (has_long_instruction(event, record))
		return MISTAKEN;
	if (!progress->parsed || !strncmp(peer.line.start, UNPARSED, strlen(UNPARSED)))
		return !unparsed ? ALONE : has_all_names(event, text) ? BOTH_UNPARSED : DIFFERENT;
	return strcmp(text, peer.line.start) ? DIFFERENT : SAME;
}

static void note(enum content content, enum verdict verdict, const char *text)
{
	progress->lines[content][verdict]++;
	if (*progress->shown || (verdict != DIFFERENT &&
				 (verdict != REFUSED || content != CONTENT_PLAUSIBLE)))
		return;
	snprintf(progress->shown, SHOWN_MAX, "  content %u\n  tring:         \"%.1000s\"\n"
		 "  libtraceevent: \"%.1000s\"\n", content, text ? text : printer.line.start,
		 peer.line.start);
}

static void compare(const struct tring_event *event)
{
	enum content content = progress->round % CONTENTS;
	uint8_t *made = tring_allocate(PAYLOAD_MAX), *payload;
	struct tring_record record = { .id = event->id };
	const char *text;

	payload_seed(seed + event->id * (uint64_t)ROUNDS + progress->round + 1);
	record.length = payload_make(made, event, big_endian, content);
	/* memory of exactly the payload's size, so that the sanitizer finds a read past it */
	payload = malloc(record.length);
	CHECK(payload);
	memcpy(payload, made, record.length);
	free(made);
	record.payload = payload;
	text = print_by_tring(event, &record);
	/* of what tring refuses, such as an endless array, libtraceevent may die, but slowly */
	if (progress->parsed && (text || content == CONTENT_PLAUSIBLE)) {
		progress->by_peer = true;
		print_by_peer(event, &record);
		progress->by_peer = false;
	}
	note(content, judge(event, &record, text), text);
	free(payload);
}

/* Return: the format, with the constants computed that libtraceevent would compute wrongly. */
static char *copy_format(const struct tring_event *event)
{
	char *text = tring_format("%s", event->text);

	tring_fold_constants(text, tep_get_long_size(events.tep));
	return text;
}

static void compare_event(const struct tring_event *event)
{
	/* a guard against a loop; seconds of the process, longer than all payloads take */
	static const struct itimerval guard = { .it_value.tv_sec = 60 };
	char *text = copy_format(event);

	CHECK(!setitimer(ITIMER_PROF, &guard, NULL));
	/* where it has died of the format, it is not asked again */
	if (!progress->begun || progress->parsed) {
		progress->begun = true;
		progress->by_peer = true;
		progress->folded = strcmp(text, event->text);
		progress->parsed = !tep_parse_event(peer.tep, text, strlen(text), event->system);
		progress->by_peer = false;
	}
	for (; progress->round < ROUNDS; progress->round++)
		compare(event);
	free(text);
}

static void compare_rest(const char *log)
{
	int file = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	CHECK(dup2(file, STDERR_FILENO) >= 0);
	for (; shared->event < events.count; shared->event++) {
		progress = &shared->progress[shared->event];
		if (!is_own(events.list[shared->event]))
			compare_event(events.list[shared->event]);
	}
}

/* Runs processes, until one has got to the end. */
static void compare_all(void)
{
	const char *log = make_path("%s/log", temp_dir());
	int status = 1;
	pid_t pid;

	while (status) {
		fflush(stdout);
		pid = fork();
		CHECK(pid >= 0);
		if (!pid) {
			compare_rest(log);
			_exit(0);
		}
		CHECK_EQ(waitpid(pid, &status, 0), pid);
		if (!status)
			break;
		progress = &shared->progress[shared->event];
		if (!progress->by_peer) {
			printf("%s: status %x\n%s", events.list[shared->event]->name, status,
			       read_file(log));
			fail(__FILE__, __LINE__, "tring prints each payload");
		}
		progress->lines[progress->round++ % CONTENTS][DIED]++;
		progress->by_peer = false;
	}
	CHECK_EQ(shared->event, events.count);
}

static void give(const char *dir, const char *name,
		 int (*parse)(struct tep_handle *tep, const char *text))
{
	char *text = tring_read_text(make_path("%s/%s", dir, name), NULL);

	if (!text)
		return;
	CHECK(!parse(peer.tep, text));
	if (parse == tep_parse_kallsyms)
		payload_functions(text);
	CHECK(!(parse == tep_parse_kallsyms ? tring_give_symbols : tring_give_strings)
	      (&events, text, name));
	free(text);
}

static void init_both(const char *dir)
{
	CHECK_EQ(tring_events_init(&events), 0);
	/* as the plugins, which print ticks as they are */
	tring_functions_add(&events, 0);
	peer.tep = tep_alloc();
	CHECK(peer.tep);
	peer.plugins = tep_load_plugins(peer.tep);
	CHECK(events.plugins && peer.plugins);
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_long_size(peer.tep, tep_get_long_size(events.tep));
	tep_set_file_bigendian(peer.tep, big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_file_bigendian(events.tep, big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tring_reference_init(&peer.reference, peer.tep);
	tring_line_init(&peer.line);
	give(dir, "kallsyms", tep_parse_kallsyms);
	give(dir, "printk_formats", tep_parse_printk_formats);
	tring_events_add_all(&events, make_path("%s/events", dir));
	CHECK(events.count);
	trace.info.big_endian = big_endian;
	tring_names_init(&names);
	tring_printer_init(&printer, &trace);
	shared = mmap(NULL, sizeof(*shared) + events.count * sizeof(*progress),
		      PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	CHECK(shared != MAP_FAILED);
}

static void free_both(void)
{
	tring_printer_free(&printer);
	tring_names_free(&names);
	tring_events_free(&events);
	tring_reference_free(&peer.reference);
	tring_line_free(&peer.line);
	tep_unload_plugins(peer.plugins, peer.tep);
	tep_free(peer.tep);
}

/* Names the events whose lines are not all the same, and adds the lines. */
static void add(const struct tring_event *event, unsigned long total[CONTENTS][VERDICTS],
		unsigned int *counts)
{
	unsigned int content, verdict;

	for (verdict = 0; verdict < VERDICTS; verdict++) {
		unsigned long sum = 0;

		for (content = 0; content < CONTENTS; content++) {
			sum += progress->lines[content][verdict];
			total[content][verdict] += progress->lines[content][verdict];
		}
		counts[verdict] += sum != 0;
		if (sum && verdict != SAME && (verdict == DIFFERENT || getenv("TRING_VERBOSE")))
			printf("%s:%s: %s: %lu, %lu, %lu\n", event->system, event->name,
			       verdict_names[verdict], progress->lines[CONTENT_PLAUSIBLE][verdict],
			       progress->lines[CONTENT_ODD][verdict],
			       progress->lines[CONTENT_RANDOM][verdict]);
	}
	if (*progress->shown)
		printf("%s%s\n", progress->shown, event->text);
}

static void compare_order(const char *dir)
{
	unsigned int counts[VERDICTS] = { 0 }, verdict, own = 0, folded = 0;
	unsigned long total[CONTENTS][VERDICTS] = { 0 };
	size_t i;

	init_both(dir);
	compare_all();
	for (i = 0; i < events.count; i++) {
		progress = &shared->progress[i];
		own += is_own(events.list[i]);
		folded += progress->folded;
		add(events.list[i], total, counts);
	}
	printf("%zu events, %s-endian, %u of them with a text of tring's own, ", events.count,
	       big_endian ? "big" : "little", own);
	printf("%u with constants that libtraceevent would compute wrongly\n", folded);
	for (verdict = 0; verdict < VERDICTS; verdict++)
		printf("%s: %u events; lines, plausible, odd, random: %lu, %lu, %lu\n",
		       verdict_names[verdict], counts[verdict], total[CONTENT_PLAUSIBLE][verdict],
		       total[CONTENT_ODD][verdict], total[CONTENT_RANDOM][verdict]);
	CHECK_EQ(counts[DIFFERENT], 0);
	CHECK_EQ(total[CONTENT_PLAUSIBLE][REFUSED], 0);
	/* most lines must have been compared, or the test proves nothing */
	CHECK(total[CONTENT_PLAUSIBLE][SAME] * 10 >=
	      (events.count - own) * (unsigned long)(ROUNDS / CONTENTS) * 9);
	CHECK(!munmap(shared, sizeof(*shared) + events.count * sizeof(*progress)));
	free_both();
}

int main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] :
			  make_path("%s/golden/plans", test_env("TRING_TESTS"));

	seed = argc > 2 ? strtoull(argv[2], NULL, 0) : test_seed(20261126);
	compare_order(dir);
	big_endian = true;
	compare_order(dir);
	return 0;
}
