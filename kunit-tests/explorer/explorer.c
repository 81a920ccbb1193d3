// SPDX-License-Identifier: GPL-2.0
/*
 * One schedule: a fresh ring, a task that writes on its CPU, and other actors that the
 * schedule lets run at the points of the task and of each other.
 *
 * A point is a labelled step of the ring (tring_step()); with config::fine each access
 * to a shared variable is a point, too. At a point of the writers' CPU, an interrupt of
 * a higher level may run, as an ordinary call; a call from another CPU may run; and an
 * actor on another CPU may run to its own next point. The code between two points runs
 * undivided. Every CPU sees stores at once and in order; the litmus tests cover weakly
 * ordered machines.
 *
 * The bound of a schedule limits its interruptions: interrupts, tricks of the clock and
 * switches to another actor. Going on with the same actor costs nothing.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "schedule.h"
#include "world.h"

/* A schedule with so many steps is taken for one that never ends. */
#define STEPS_MAX	20000

static const char *const step_names[TRING_STEPS] = {
#define STEP(step) #step
#include "step_list.h"
#undef STEP
};

static const char *const level_names[LEVELS] = { "task", "softirq", "irq", "nmi" };

const struct config *config;
bool exploring;
bool tracing;
bool shim_fine;
const void *shim_watched;
struct world world;
struct context *me;
struct tring_buffer *buffer;
struct coroutine actors[COROUTINES];
char failure[256];

static struct world saved_world;
unsigned int nr_running;
char *stack_top;

void trace(const char *format, ...)
{
	va_list arguments;

	printf("%*s", world.cpu.level * 4 + (world.running >= 0 ? 40 : 0), "");
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
	putchar('\n');
}

/* Report a failure: run_config() or replay() prints the schedule that led to it. */
void fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(failure, sizeof(failure), format, arguments);
	va_end(arguments);
	exploring = false;
	if (!world.steps && !stack_top) {
		printf("the explorer cannot begin: %s\n", failure);
		exit(2);
	}
	schedule_abandon(SCHEDULE_FAILED);
}

void shim_warn(const char *what, const char *file, int line)
{
	fail("the ring warns: %s at %s:%d", what, file, line);
}

void shim_print(const char *format, ...)
{
	va_list arguments;

	if (!tracing)
		return;
	va_start(arguments, format);
	vprintf(format, arguments);
	va_end(arguments);
}

/* The writers' CPU */

void interrupt_begin(struct context *saved, int level, int reported)
{
	*saved = world.cpu;
	world.cpu.level = level;
	world.cpu.reported = reported;
	world.cpu.preempt++;
}

void interrupt_end(const struct context *saved)
{
	if (world.cpu.preempt != saved->preempt + 1)
		fail("preemption is left %s",
		     world.cpu.preempt > saved->preempt ? "off" : "on");
	world.cpu = *saved;
}

static void interrupt(int level, int reported, const char *word)
{
	struct context saved;

	TRACE(" %s%s", level_names[level], reported == level ? "" : ", not counted yet");
	note_interrupt();
	interrupt_begin(&saved, level, reported);
	me->attempt = -1;
	write_word(word);
	interrupt_end(&saved);
	TRACE(" %s ends", level_names[level]);
	scrub_stack();
}

/* A call from another CPU. */
void run_call(void (*function)(void *info), void *info)
{
	struct context saved;

	TRACE(" call from another CPU");
	interrupt_begin(&saved, LEVEL_IRQ, LEVEL_IRQ);
	me->attempt = model_attempt(NULL);
	me->depth++;
	function(info);
	world.model.attempts[me->attempt].finished = true;
	interrupt_end(&saved);
	TRACE(" call ends");
	scrub_stack();
}

void run_works(void)
{
	struct context saved;
	struct irq_work *work;
	int i;

	for (i = 0; i < WORKS_MAX; i++) {
		work = world.works[i];
		if (!work)
			continue;
		world.works[i] = NULL;
		work->pending = false;
		interrupt_begin(&saved, LEVEL_IRQ, LEVEL_IRQ);
		work->function(work);
		interrupt_end(&saved);
	}
}

/* Actors */

static bool is_runnable(int number)
{
	const struct waiting *waiting = &world.waiting[number];

	if (actors[number].done)
		return false;
	switch (waiting->for_what) {
	case WAIT_NOTHING:
		return true;
	case WAIT_MUTEX:
		return !((const struct mutex *)waiting->object)->owner;
	case WAIT_CALL:
		return world.call[number].done;
	case WAIT_GRACE:
		return !world.cpu.preempt;
	case WAIT_QUEUE:
	case WAIT_QUEUE_TIMEOUT:
		return ((const struct wait_queue_head *)waiting->object)->wakeups !=
		       waiting->wakeups;
	case WAIT_WORK:
		return world.work[0];
	case WAIT_PROGRESS:
		return false;
	}
	return false;
}

/* An actor other than @by ran: actors in a busy loop may look again. */
static void note_progress(int by)
{
	unsigned int i;

	for (i = 0; i < nr_running; i++)
		if ((int)i != by && world.waiting[i].for_what == WAIT_PROGRESS)
			world.waiting[i].for_what = WAIT_NOTHING;
}

static void resume(int number)
{
	struct context *writer = me;

	note_progress(number);
	world.waiting[number].for_what = WAIT_NOTHING;
	world.running = number;
	world.last = number;
	me = &world.other[number];
	coroutine_resume(&actors[number]);
	me = writer;
	world.running = -1;
	scrub_stack();
}

void block(enum wait for_what, const void *object, unsigned int wakeups)
{
	if (world.running < 0)
		fail("the writers' CPU waits");
	world.waiting[world.running].for_what = for_what;
	world.waiting[world.running].object = object;
	world.waiting[world.running].wakeups = wakeups;
	coroutine_yield(&actors[world.running]);
}

enum what {
	OPTION_NONE,
	OPTION_CALL,
	OPTION_ACTOR,
	OPTION_INTERRUPT,
	OPTION_ENTRY
};

struct option {
	enum what	what;
	int		number;
	const char	*word;
};

#define OPTIONS_MAX	48

static unsigned int add_words(struct option *options, unsigned int n, enum what what,
			      int level)
{
	const char *word = config->nested[level];

	for (; word && *word; word++) {
		if (n == OPTIONS_MAX)
			fail("more options than the explorer can note");
		options[n].what = what;
		options[n].number = level;
		options[n++].word = word;
		word = strchr(word, ' ');
		if (!word)
			break;
	}
	return n;
}

/* List what may run now. The first option is that nothing interrupts. */
static unsigned int find_options(struct option *options, bool idle)
{
	bool free_turn = idle;
	unsigned int n = 1, i;
	int level;

	options[0].what = OPTION_NONE;
	for (i = 0; i < nr_running; i++)
		if (world.call[i].pending && world.cpu.level < LEVEL_IRQ) {
			options[n].what = OPTION_CALL;
			options[n++].number = i;
		}
	if (world.last >= 0 && is_runnable(world.last)) {
		options[n].what = OPTION_ACTOR;
		options[n++].number = world.last;
		free_turn = false;
	}
	for (i = 0; i < nr_running; i++) {
		if ((int)i == world.last || !is_runnable(i) ||
		    (!free_turn && !may_interrupt()))
			continue;
		options[n].what = OPTION_ACTOR;
		options[n++].number = i;
	}
	for (level = world.cpu.level + 1; level < LEVELS; level++)
		if (world.times[level] && may_interrupt())
			n = add_words(options, n, OPTION_INTERRUPT, level);
	if (world.entry && world.cpu.level < LEVEL_IRQ && may_interrupt())
		n = add_words(options, n, OPTION_ENTRY, LEVEL_IRQ);
	return n;
}

static void take_option(const struct option *option, bool idle)
{
	struct call *call;
	int last = world.last;

	switch (option->what) {
	case OPTION_NONE:
		break;
	case OPTION_CALL:
		call = &world.call[option->number];
		call->pending = false;
		run_call(call->function, call->info);
		call->done = true;
		break;
	case OPTION_ACTOR:
		if (option->number != last && !(idle && (last < 0 || !is_runnable(last))) &&
		    interrupts_left())
			note_interrupt();
		resume(option->number);
		return;
	case OPTION_INTERRUPT:
		world.times[option->number]--;
		interrupt(option->number, option->number, option->word);
		break;
	case OPTION_ENTRY:
		world.entry--;
		interrupt(LEVEL_IRQ, world.cpu.reported, option->word);
		break;
	}
	note_progress(-1);
}

static void writer_point(void)
{
	struct option options[OPTIONS_MAX];
	unsigned int n, chosen;

	world.last = -1;
	note_progress(-1);
	for (;;) {
		if (world.cpu.level < LEVEL_IRQ)
			run_works();
		n = find_options(options, false);
		chosen = choose(n);
		if (!chosen)
			break;
		take_option(&options[chosen], false);
	}
	world.last = -1;
}

static bool has_data(void)
{
	struct tring_stream *stream = tring_buffer_stream(buffer, 0, TRING_LIVE);

	return world.waits_for_half ? tring_reader_has_enough(stream) :
				      tring_reader_has_data(stream);
}

static void go_offline(void)
{
	shim_online = false;
	world.offline = true;
	memset(world.times, 0, sizeof(world.times));
	world.entry = 0;
}

/* The task has ended: the others run until they have ended, too. */
static void idle(void)
{
	struct option options[OPTIONS_MAX];
	unsigned int n, i, chosen;
	bool left;

	world.last = -1;
	for (;;) {
		run_works();
		if (config->offline && !world.cpu_users)
			go_offline();
		left = false;
		for (i = 0; i < nr_running; i++)
			left |= !actors[i].done && world.waiting[i].for_what != WAIT_WORK;
		if (!left && !world.work[0])
			return;
		n = find_options(options, true);
		if (n > 1) {
			/* Option 0, nothing, would not make progress. */
			chosen = 1 + choose(n - 1);
			take_option(&options[chosen], true);
			continue;
		}
		/* Let an actor run that is in a busy loop or has a timeout. */
		for (i = 0; i < nr_running; i++)
			if (!actors[i].done &&
			    (world.waiting[i].for_what == WAIT_PROGRESS ||
			     world.waiting[i].for_what == WAIT_QUEUE_TIMEOUT)) {
				resume(i);
				break;
			}
		if (i < nr_running)
			continue;
		for (i = 0; i < nr_running; i++)
			if (!actors[i].done && world.waiting[i].for_what != WAIT_WORK &&
			    (world.waiting[i].for_what != WAIT_QUEUE || has_data()))
				fail("actor %u waits for ever, in state %u", i,
				     world.waiting[i].for_what);
		return;
	}
}

/* A point: an interrupt or another actor may run here. */
void point(const char *name)
{
	if (!exploring)
		return;
	if (++world.steps > STEPS_MAX)
		fail("the schedule does not end");
	TRACE("%s", name);
	if (world.running >= 0)
		coroutine_yield(&actors[world.running]);
	else
		writer_point();
}

void shim_access(void)
{
	point("access");
}

static void step(struct tring_cpu_buffer *cpu_buffer, enum tring_step which)
{
	if (me->attempt < 0 && which == TRING_STEP_RESERVE_READ)
		me->attempt = model_attempt(NULL);
	if (me->attempt >= 0)
		model_step(me->attempt, cpu_buffer, which);
	if (exploring && config->storm == 'n' && which == TRING_STEP_RESERVE_CLOCK &&
	    me == &world.cpu && world.cpu.level < LEVEL_NMI)
		interrupt(LEVEL_NMI, LEVEL_NMI, "s");
	point(step_names[which]);
}

/* Of this schedule. */
unsigned int steps_taken(void)
{
	return world.steps;
}

/* One schedule, and its initial state */

static const struct tring_test_hooks hooks = { .clock = read_clock, .step = step };

/**
 * explore - set up the initial state of all schedules of a configuration
 * @which: the configuration
 */
void explore(const struct config *which)
{
	struct tring_cpu_buffer *cpu_buffer;
	unsigned int i;

	config = which;
	exploring = false;
	shim_online = true;
	shim_fine = false;
	arena_clear();
	memset(&world, 0, sizeof(world));
	world.cpu.attempt = -1;
	world.running = -1;
	world.last = -1;
	world.now = 1000000;
	me = &world.cpu;
	for (i = 0; i < COROUTINES; i++)
		world.other[i].attempt = -1;
	memcpy(world.times, which->times, sizeof(world.times));
	world.entry = which->entry;
	world.traced_clock = which->traced_clock;
	world.clock_times = which->clock_times;

	model_init(PAGE_SIZE, which->subbufs, which->overwrite);
	if (tring_session_init())
		fail("tring_session_init()");
	buffer = tring_buffer_create();
	if (!buffer || tring_buffer_set_subbuf_size(buffer, PAGE_SIZE) ||
	    tring_buffer_resize(buffer, 0, which->subbufs * PAGE_SIZE))
		fail("no ring");
	tring_buffer_set_overwrite(buffer, which->overwrite);
	prepare_events();
	cpu_buffer = tring_cpu_buffer(buffer, 0);
	cpu_buffer->hooks = &hooks;
	cpu_buffer->clock = TRING_CLOCK_TEST;
	shim_watched = &cpu_buffer->write;
	if (tring_reader_open(tring_buffer_stream(buffer, 0, TRING_LIVE)) ||
	    tring_reader_open(tring_buffer_stream(buffer, 0, TRING_SNAPSHOT)))
		fail("no reader");
	tring_buffer_set_recording(buffer, true);
	write_word(which->prefill ?: "");

	for (nr_running = 0; nr_running < ACTORS_MAX && which->actors[nr_running]; nr_running++)
		if (!actors[nr_running].stack)
			coroutine_prepare(&actors[nr_running], nr_running, run_actor);
	if (nr_running) {
		if (!actors[WORKER].stack)
			coroutine_prepare(&actors[WORKER], WORKER, run_worker);
		for (; nr_running < WORKER; nr_running++)
			actors[nr_running].done = true;
		nr_running++;
		world.waiting[WORKER].for_what = WAIT_WORK;
	}
	arena_save();
	saved_world = world;
}

/* Run one schedule from the initial state and check its end. */
void run_schedule(void)
{
	unsigned int i;

	stack_top = __builtin_frame_address(0);
	arena_restore();
	memcpy(&world, &saved_world, offsetof(struct world, model.attempts) +
	       sizeof(struct attempt) * saved_world.model.nr_attempts);
	me = &world.cpu;
	shim_online = true;
	for (i = 0; i < nr_running; i++)
		if (i == WORKER || config->actors[i])
			coroutine_restart(&actors[i]);
	scrub_stack();

	shim_fine = config->fine;
	exploring = true;
	point("begin");
	write_word(config->task);
	idle();
	shim_online = true;
	exploring = false;
	shim_fine = false;

	peek_all();
	model_balance(buffer, false);
	drain_all();
	model_balance(buffer, true);
	/* One more event: its packet must account for all losses. */
	write_word("s");
	drain_all();
	model_balance(buffer, true);
	model_final_loss();
	arena_check();
}
