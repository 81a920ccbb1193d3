// SPDX-License-Identifier: GPL-2.0
/*
 * One recording. Each step can fail; tring_recording_end() undoes the steps that
 * were done.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "thread.h"
#include "lock.h"
#include "own_ring.h"
#include "recording.h"
#include "state.h"
#include "trace/trace_dir.h"
#include "watch.h"
#include "util/util.h"

/* Signals are read from a file, so that they do not end tring in the middle of a step. */
static int catch_signals(struct tring_recording *recording, sigset_t *before)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGQUIT, SIGCHLD };
	struct sigaction hangup;
	sigset_t caught;
	size_t i;

	/* the kernel tells nothing of a command that ends if the caller of tring ignores this */
	signal(SIGCHLD, SIG_DFL);
	sigemptyset(&caught);
	/* a signal that is blocked is read also where it is ignored, as by nohup */
	if (!sigaction(SIGHUP, NULL, &hangup) && hangup.sa_handler != SIG_IGN)
		sigaddset(&caught, SIGHUP);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&caught, numbers[i]);
	sigprocmask(SIG_BLOCK, &caught, before);
	recording->signal_fd = signalfd(-1, &caught, SFD_NONBLOCK |
					SFD_CLOEXEC);
	return recording->signal_fd < 0 ? -errno : 0;
}

/**
 * tring_recording_open_packets - open the packets of each CPU, for its drain
 * @recording: recording whose ring is open
 * @file: name of the file of the packets, TRING_PACKETS_*
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_recording_open_packets(struct tring_recording *recording, const char *file)
{
	const struct tring_control *control = &recording->control;
	size_t i;

	recording->notice_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (recording->notice_fd < 0) {
		tring_error("eventfd: %s", strerror(errno));
		return -errno;
	}
	recording->cpus = tring_allocate(control->cpu_count *
					 sizeof(*recording->cpus));
	recording->threads = tring_allocate(control->cpu_count *
					    sizeof(*recording->threads));
	for (i = 0; i < control->cpu_count; i++)
		tring_cpu_thread_init(&recording->threads[i], control->cpus[i],
				      recording->notice_fd);
	for (i = 0; i < control->cpu_count; i++) {
		int error = tring_cpu_thread_open(&recording->threads[i], control, file,
						  recording->dir, recording->options->compress);

		if (error)
			return error;
		recording->threads[i].drain.describe = tring_recording_describe;
		recording->threads[i].drain.describe_data = recording;
		recording->threads[i].turn = tring_parts_turn;
		recording->threads[i].turn_data = recording;
	}
	return 0;
}

static int read_stats(struct tring_recording *recording, const char *tail)
{
	const struct tring_control *control = &recording->control;
	bool start = !strcmp(tail, "start");
	int error = 0;
	size_t i;

	/* at the end the table needs the counters also where they cannot be written */
	for (i = 0; i < control->cpu_count && !(error && start); i++) {
		struct tring_recording_cpu *cpu = &recording->cpus[i];
		struct tring_stats *stats = start ? &cpu->start : &cpu->end;
		int unread = tring_control_stats(control, control->cpus[i], stats);
		int failed = unread;

		/* a CPU without counters of the end is reported as incomplete */
		if (!unread && !recording->threads[i].drain.unsure)
			failed = tring_recording_write_stats(recording->dir, control->cpus[i],
							     tail, stats);
		if (!unread && !start)
			tring_stats_subtract(&cpu->end, &cpu->start);
		error = error ? error : failed;
	}
	return error;
}

/*
 * Undo what a killed recorder has changed, and write down what this one changes. That precedes
 * the first change, so it names dynamic events before they exist.
 */
static int write_down(struct tring_recording *recording)
{
	int found = tring_recover(&recording->control, false), error;

	if (found < 0)
		return found;
	/* it may have had others, too, for its conditions */
	error = found ? tring_own_rings_clean_up() : 0;
	if (error)
		return error;
	error = tring_dynamics_check(&recording->dynamics);
	if (error)
		return error;
	tring_state_begin(&recording->state, &recording->control, &recording->dynamics);
	recording->settings.state = &recording->state;
	return tring_dynamics_define(&recording->dynamics);
}

/**
 * tring_recording_init - prepare the memory of a recording
 * @recording: filled in; to be released with tring_recording_end() in any case
 * @options: options of the user; must outlive @recording
 */
void tring_recording_init(struct tring_recording *recording,
			  const struct tring_recording_options *options)
{
	memset(recording, 0, sizeof(*recording));
	recording->options = options;
	recording->dir = options->dir ? tring_format("%s", options->dir) : NULL;
	recording->dynamics = options->dynamics;
	recording->signal_fd = -1;
	recording->notice_fd = -1;
	recording->maps.sideband.fd = -1;
	pthread_mutex_init(&recording->describing, NULL);
	tring_settings_init(&recording->settings, &recording->control);
}

/**
 * tring_recording_adapt - let errors of files be errors of their calls, and have as many as needed
 *
 * The command of a recording, which is forked before, does not inherit that.
 */
void tring_recording_adapt(void)
{
	struct rlimit files;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	/* a CPU takes four or five, and shells allow a thousand in all */
	if (getrlimit(RLIMIT_NOFILE, &files))
		return;
	files.rlim_cur = files.rlim_max;
	setrlimit(RLIMIT_NOFILE, &files);
}

/**
 * tring_recording_prepare_ring - set up the ring of a recording, whose new trace begins
 * @recording: filled in; to be released with tring_recording_end() in any case
 * @options: options of the user, for which tring_request_check() returned 0; must
 *	outlive @recording
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_recording_prepare_ring(struct tring_recording *recording,
				 const struct tring_recording_options *options)
{
	sigset_t before;
	int error;

	tring_recording_init(recording, options);
	error = tring_control_open(&recording->control, options->instance, true);
	if (!error)
		error = tring_events_init(&recording->events);
	recording->events.only_fields = true;
	if (!error)
		error = catch_signals(recording, &before);
	if (!error && options->command)
		error = tring_child_prepare(&recording->child,
					    options->command, &before);
	tring_recording_adapt();
	/* and the command would share the lock until it is executed */
	if (!error)
		error = tring_lock(&recording->control, "-B NAME uses a ring of its own");
	if (!error)
		error = write_down(recording);
	if (!error)
		error = tring_recording_set_up(recording);
	return error;
}

/*
 * Behind the fork of the command, which needs neither the threads nor their priority.
 * Return: 0 or a negative errno, reported on stderr.
 */
static int start_threads(struct tring_recording *recording)
{
	struct tring_priority before;
	int error, raised;
	size_t i;

	raised = tring_priority_raise(&before, recording->options->realtime);
	error = recording->options->realtime ? raised : 0;
	if (raised)
		tring_detail("the rings are read with nice value %d, a lower one is refused: %s",
			     before.nice, strerror(-raised));
	for (i = 0; i < recording->control.cpu_count && !error; i++)
		error = tring_cpu_thread_start(&recording->threads[i]);
	tring_priority_restore(&before);
	if (!error)
		tring_cpu_threads_await(recording->threads, recording->control.cpu_count);
	return error;
}

/* Prepares a recording up to its start. Return: 0 or a negative errno, reported on stderr. */
static int prepare(struct tring_recording *recording,
		   const struct tring_recording_options *options)
{
	struct tring_watch *watch = options->watch;
	int error = tring_recording_prepare_ring(recording, options);

	if (!error && watch)
		error = watch->calls->make(watch, &recording->control, options);
	if (!error) {
		tring_parts_begin(recording);
		error = tring_recording_open_packets(recording, TRING_PACKETS_PIPE);
	}
	/* where the ring rests, no thread reads it before finish() */
	if (!error && !options->rests)
		error = start_threads(recording);
	/* the old trace goes when nothing more can be refused */
	if (!error)
		error = tring_parts_begin_dir(recording);
	if (!error)
		error = tring_recording_begin_maps(recording, true);
	return error ? error : read_stats(recording, "start");
}

static bool take_signals(struct tring_recording *recording)
{
	struct signalfd_siginfo info;
	bool stop = false;

	while (read(recording->signal_fd, &info, sizeof(info)) == sizeof(info))
		stop |= info.ssi_signo != SIGCHLD;
	return tring_child_reap(&recording->child) || stop;
}

/*
 * Recording is off, and a trigger may have done that. Return: whether neither the command,
 * nor the time, nor a trigger that switches it on again, is to be waited for.
 */
static bool is_over(const struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;

	if (options->command || options->seconds > 0 ||
	    tring_event_rules_have_trigger(&options->rules, "traceon"))
		return false;
	tring_note("a trigger has switched recording off");
	return true;
}

/* Return: 0; 1 at the end; or the negative errno that ends it, reported on stderr. */
static int check_threads(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	/* without threads nothing else tells it */
	bool ended = options->rests && tring_now_ns() - recording->saved_ns >= options->save_ns;
	size_t i;

	for (i = 0; i < recording->control.cpu_count; i++) {
		struct tring_progress *progress = &recording->threads[i].progress;
		int error = atomic_load(&progress->error);

		if (error)
			return error;
		ended |= atomic_load(&progress->ended);
	}
	if (ended && !tring_control_is_on(&recording->control)) {
		if (tring_event_rules_have_trigger(&options->rules, "traceoff"))
			return is_over(recording) ? 1 : 0;
		tring_error("another program has switched recording off");
		return -ECANCELED;
	}
	return 0;
}

/* Once a second by default, so that little is lost if tring is killed. */
static void save(struct tring_recording *recording)
{
	uint64_t now = tring_now_ns();

	if (now - recording->saved_ns < recording->options->save_ns)
		return;
	recording->saved_ns = now;
	if (recording->options->rests)
		return;
	tring_cpu_threads_save(recording->threads, recording->control.cpu_count);
}

/* Nothing is watched any more once it has happened. */
static bool is_watching(const struct tring_recording *recording)
{
	const struct tring_watch *watch = recording->options->watch;

	return watch && watch->end_ns == UINT64_MAX;
}

/* Sleep until a signal or a notice, until there is something to look at, or time to save. */
static void wait_for_work(struct tring_recording *recording, uint64_t end_ns)
{
	uint64_t save_ns = recording->saved_ns + recording->options->save_ns;
	uint64_t look_ns = is_watching(recording) ? recording->options->watch->look_ns : 0;
	struct pollfd fds[] = {
		{ .fd = recording->signal_fd, .events = POLLIN },
		{ .fd = recording->notice_fd, .events = POLLIN },
		{ .fd = -1, .events = POLLIN },
		{ .fd = recording->maps.sideband.fd, .events = POLLIN },
	};
	uint64_t now = tring_now_ns();
	struct timespec wait = { 0 };
	eventfd_t notices;

	if (save_ns < end_ns)
		end_ns = save_ns;
	if (look_ns > now && look_ns < end_ns)
		end_ns = look_ns;
	else if (is_watching(recording))
		fds[2].fd = recording->options->watch->fd;
	if (end_ns > now) {
		wait.tv_sec = (end_ns - now) / 1000000000;
		wait.tv_nsec = (end_ns - now) % 1000000000;
	}
	ppoll(fds, sizeof(fds) / sizeof(fds[0]), &wait, NULL);
	eventfd_read(recording->notice_fd, &notices);
	tring_maps_go_on(&recording->maps);
}

static int start_all(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	struct tring_priority before;
	int error = 0;
	size_t i;

	if (options->watch)
		error = options->watch->calls->start(options->watch);
	for (i = 0; i < recording->control.cpu_count && !error; i++)
		tring_cpu_thread_go(&recording->threads[i]);
	/* what is watched is not to wait for what is traced */
	if (!error && options->watch)
		tring_priority_raise(&before, options->realtime);
	if (error || !options->command)
		return error;
	error = tring_child_start(&recording->child);
	if (error)
		tring_error("%s: %s", options->command[0], strerror(-error));
	return error;
}

/* Return: whether recording is to end, after a look at what has happened up to now. */
static bool has_happened(struct tring_recording *recording, int *error)
{
	struct tring_watch *watch = recording->options->watch;

	if (is_watching(recording) && tring_now_ns() >= watch->look_ns)
		*error = watch->calls->look(watch);
	return *error || (watch && tring_now_ns() >= watch->end_ns);
}

/* What came just before the end is known, too. */
static int look_finally(struct tring_recording *recording)
{
	struct tring_watch *watch = recording->options->watch;

	return is_watching(recording) ? watch->calls->look(watch) : 0;
}

static uint64_t sooner(uint64_t one, uint64_t other)
{
	return one < other ? one : other;
}

/*
 * Records until the time, the command, the user or a condition ends it; finish() has to read what
 * is in the ring at the end. Return: 0 or a negative errno, reported on stderr.
 */
static int run(struct tring_recording *recording)
{
	const struct tring_recording_options *options = recording->options;
	uint64_t deadline = UINT64_MAX;
	int error;

	recording->start_ns = tring_now_ns();
	recording->saved_ns = recording->start_ns;
	/* A thread that finds recording off takes that for the end, for up to a second. */
	error = tring_settings_change(&recording->settings, "tracing_on", "1");
	recording->before_triggers = recording->settings.count;
	if (!error)
		error = tring_triggers_set(recording);
	if (!error)
		error = start_all(recording);
	if (options->seconds > 0)
		deadline = recording->start_ns + options->seconds * 1e9;
	while (!error && !take_signals(recording) && tring_now_ns() < deadline &&
	       !has_happened(recording, &error)) {
		uint64_t now = tring_now_ns(), due = tring_parts_due_ns(recording, now);

		error = check_threads(recording);
		if (!error && due == now)
			error = tring_parts_go_on(recording);
		if (error)
			break;
		save(recording);
		tring_recording_show_live(recording, false);
		due = sooner(due, options->watch ? options->watch->end_ns : UINT64_MAX);
		wait_for_work(recording, sooner(due, deadline));
	}
	if (error >= 0)
		error = look_finally(recording);
	recording->stop_ns = tring_now_ns();
	return error < 0 ? error : 0;
}

/*
 * Stops, reads the rest and completes the trace, all of it also after an error of a step. Return:
 * 0 or the first negative errno.
 */
static int finish(struct tring_recording *recording)
{
	struct tring_watch *watch = recording->options->watch;
	int error, failed, removed = 0;
	size_t i;

	if (recording->before_triggers)
		removed = tring_settings_restore(&recording->settings,
						 recording->before_triggers, NULL);
	error = tring_settings_change(&recording->settings, "tracing_on", "0");
	if (watch)
		watch->calls->stopped(watch);
	if (!error)
		error = removed;
	for (i = 0; i < recording->control.cpu_count; i++)
		tring_cpu_thread_stop(&recording->threads[i]);
	for (i = 0; i < recording->control.cpu_count; i++) {
		failed = tring_cpu_thread_join(&recording->threads[i]);
		if (failed)
			error = failed;
	}
	if (recording->parts.next) {
		failed = tring_parts_go_on(recording);
		if (failed)
			error = failed;
	}
	tring_recording_show_live(recording, true);
	failed = tring_maps_end(&recording->maps);
	if (failed)
		error = failed;
	tring_trace_dir_release(recording->dir);
	failed = read_stats(recording, "end");
	if (failed)
		error = failed;
	failed = tring_recording_complete_dir(recording, !failed);
	if (failed)
		error = failed;
	failed = tring_parts_complete(recording);
	return failed ? failed : error;
}

/* A CPU has not answered the kernel since the recording, or its last part, began. */
static bool has_hung_cpu(const struct tring_recording *recording)
{
	size_t i;

	for (i = 0; recording->cpus && i < recording->control.cpu_count; i++)
		if (tring_stats_value(&recording->cpus[i].end, "unanswered"))
			return true;
	return false;
}

/*
 * Leave what has to be undone to a process of its own: to switch events off the kernel changes
 * its code, and waits for all CPUs. The process keeps the ring's lock meanwhile.
 * Return: whether the caller has nothing left to undo; false in the new process.
 */
static bool leave_the_rest(void)
{
	pid_t pid = fork();
	int null_fd;

	if (pid > 0)
		tring_error("process %d switches the events off when the CPU that hangs goes on",
			    pid);
	if (pid)
		return pid > 0;
	setsid();
	/* what reads this program's output waits for its end */
	null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);
	dup2(null_fd, STDIN_FILENO);
	dup2(null_fd, STDOUT_FILENO);
	dup2(null_fd, STDERR_FILENO);
	return false;
}

/**
 * tring_recording_end - undo what was set up, also after an error of that
 * @recording: the recording, of which nothing is left
 *
 * Where a CPU hangs, another process undoes it.
 *
 * Return: 0, or a negative errno if a setting was not restored or the instance
 * not removed, reported on stderr.
 */
int tring_recording_end(struct tring_recording *recording)
{
	bool hangs = has_hung_cpu(recording);
	pid_t self = getpid();
	int error, failed;
	size_t i;

	/* the sizes cannot be restored while a pipe is open */
	for (i = 0; recording->threads && i < recording->control.cpu_count; i++)
		tring_cpu_thread_close(&recording->threads[i]);
	free(recording->threads);
	free(recording->cpus);
	tring_parts_free(recording);
	tring_maps_end(&recording->maps);
	free(recording->dir);
	free(recording->info_text);
	free(recording->shorts_text);
	free(recording->modules);
	if (hangs && leave_the_rest()) {
		tring_child_end(&recording->child);
		return 0;
	}
	tring_recording_show_step("switching events off");
	error = tring_settings_restore(&recording->settings, 0, NULL);
	tring_settings_free(&recording->settings);
	failed = tring_dynamics_remove(&recording->dynamics);
	tring_recording_show_step(NULL);
	if (failed)
		error = failed;
	failed = tring_control_remove(&recording->control);
	if (failed)
		error = failed;
	tring_state_end(&recording->state, !error);
	tring_child_end(&recording->child);
	if (recording->signal_fd >= 0)
		close(recording->signal_fd);
	if (recording->notice_fd >= 0)
		close(recording->notice_fd);
	tring_events_free(&recording->events);
	tring_control_close(&recording->control);
	if (getpid() != self)
		_exit(error ? EXIT_FAILURE : EXIT_SUCCESS);
	return error;
}

/**
 * tring_record - make a recording
 * @options: options of the user, for which tring_request_check() returned 0
 *
 * Return: the exit status: that of the command, if there is one and nothing else was wrong.
 */
int tring_record(const struct tring_recording_options *options)
{
	struct tring_recording recording;
	int status = TRING_EXIT_OK;
	struct tring_watch *watch = options->watch;
	bool bad = false;

	if (prepare(&recording, options)) {
		bad = true;
	} else {
		if (!options->command && options->seconds <= 0)
			tring_note(watch ? "recording until it happens, or Ctrl-C ends it" :
					   "recording, Ctrl-C ends it");
		bad |= run(&recording) != 0;
		bad |= finish(&recording) != 0;
		bad |= tring_recording_show_summary(&recording) != 0;
		if (watch)
			tring_recording_tell_watch(&recording);
		if (tring_child_reap(&recording.child))
			status = recording.child.status;
		if (watch && watch->end_ns == UINT64_MAX && !status)
			status = TRING_EXIT_NOT_MET;
	}
	if (watch)
		bad |= watch->calls->end(watch) != 0;
	bad |= tring_recording_end(&recording) != 0;
	/* a command's success must not hide an error of the recording */
	return bad && (!status || status == TRING_EXIT_NOT_MET) ? TRING_EXIT_BAD : status;
}
