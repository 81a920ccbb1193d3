// SPDX-License-Identifier: GPL-2.0
/* Description: record -P PID -c records the threads that the process has. */
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"
#include "record/process.h"

#define THREADS		5
#define FIRST		"pid:[4026531836]"

static pthread_barrier_t barrier;
static pid_t threads[THREADS];
static char *dir;

static void *live(void *data)
{
	*(pid_t *)data = syscall(SYS_gettid);
	pthread_barrier_wait(&barrier);
	pause();
	return NULL;
}

static void start_threads(void)
{
	pthread_t thread;
	unsigned int i;

	CHECK(!pthread_barrier_init(&barrier, NULL, THREADS + 1));
	for (i = 0; i < THREADS; i++) {
		CHECK(!pthread_create(&thread, NULL, live, &threads[i]));
		CHECK(!pthread_detach(thread));
	}
	pthread_barrier_wait(&barrier);
}

/* Pids in the order of their numbers, one a line. */
static char *list(bool self, unsigned int count)
{
	char *text = make_path("%s", ""), *path = make_path("%s/list", temp_dir());
	unsigned int i;

	if (self)
		text = make_path("%d\n", (int)getpid());
	for (i = 0; i < count; i++)
		text = make_path("%s%d\n", text, (int)threads[i]);
	write_text(path, text);
	return output_of(0, "sort -n %s", path);
}

/* What the kernel is told to record. */
static void check(const char *options, const char *wanted)
{
	struct fake_kernel kernel = { .dir = dir };
	char *got = make_path("%s/got", temp_dir());

	write_text(make_path("%s/tring/set_event_pid", dir), "");
	start_kernel(&kernel);
	CHECK(!setenv("TRING_TRACING_DIR", dir, 1));
	output_of(0, "$TRING record -q -o %s/trace -e testing:tick %s -- cp %s %s", temp_dir(),
		  options, make_path("%s/tring/set_event_pid", dir), got);
	end_kernel(&kernel);
	check_equal(output_of(0, "tr ' ' '\\n' <%s | sort -n | grep .", got), wanted, options);
	check_control(dir, "set_event_pid", "");
}

/* What is known is not found again. */
static void check_added(void)
{
	const char *of = make_path("0 %d 2147483647", (int)getpid());
	char *added = tring_process_threads(of, of), *found;
	unsigned int i;

	CHECK(added);
	for (i = 0; i < THREADS; i++)
		CHECK(strstr(added, make_path(" %d", (int)threads[i])));
	CHECK(!tring_process_threads(make_path("1\n2\n%s\n%s", of, added), of));
	found = tring_process_threads(make_path("1%s0", added), of);
	CHECK(found);
	free(found);
	free(added);
	/* of a thread there is nothing to be added */
	of = make_path("%d", (int)threads[0]);
	CHECK(!tring_process_threads(of, of));
}

int main(void)
{
	char *place = output_of(0, "readlink /proc/self/ns/pid"), *own;

	start_threads();
	check_added();
	if (strncmp(place, FIRST, strlen(FIRST))) {
		printf("in a pid namespace -P is refused\n");
		return SKIPPED;
	}
	dir = make_path("%s/tracing", temp_dir());
	make_tracefs(dir);
	write_text(make_path("%s/tring/set_event_notrace_pid", dir), "");
	write_text(make_path("%s/tring/options/event-fork", dir), "0\n");
	own = make_path("-P %d", (int)getpid());
	check(own, list(true, 0));
	check(make_path("%s -c", own), list(true, THREADS));
	check(make_path("-P %d -c", (int)threads[0]), list(false, 1));
	check(make_path("-P %d -P '%d %d' -c", (int)threads[0], (int)threads[1], (int)getpid()),
	      list(true, THREADS));
	return 0;
}
