// SPDX-License-Identifier: GPL-2.0
/* Description: the library reads from a pipe, several traces as one, and while one is recorded. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <tring.h>
#include <unistd.h>

#include "helpers.h"

static char *golden_path;

/* Return: a sum of all that the trace gives, in its order. */
static uint64_t read_all(struct tring_trace *trace, unsigned int *events)
{
	struct tring_item item;
	uint64_t sum = 0;

	*events = 0;
	while (tring_next(trace, &item) > 0) {
		sum = sum * 31 + item.cpu;
		if (item.kind == TRING_ITEM_EVENT) {
			sum = sum * 31 + item.record->stamp + item.record->pid;
			++*events;
		} else {
			sum = sum * 31 + item.events + item.packets;
		}
	}
	return sum;
}

/* A child that writes bytes to a pipe in pieces. Return: the other end. */
static int start_writer(const char *bytes, size_t size, size_t piece, pid_t *pid)
{
	int fds[2];
	size_t at;

	CHECK(!pipe(fds));
	*pid = fork();
	CHECK(*pid >= 0);
	if (*pid) {
		close(fds[1]);
		return fds[0];
	}
	close(fds[0]);
	for (at = 0; at < size; at += piece) {
		size_t rest = size - at < piece ? size - at : piece;

		if (write(fds[1], bytes + at, rest) != (ssize_t)rest)
			_exit(1);
	}
	_exit(0);
}

/* @formats: of packets, or NULL */
static int open_pipe(struct tring_trace **trace, const char *bytes, size_t size, size_t piece,
		     const char *formats)
{
	const struct tring_options options = { .size = sizeof(options), .formats = formats };
	pid_t pid;
	int fd = start_writer(bytes, size, piece, &pid), error;

	error = tring_open_fd(trace, fd, formats ? &options : NULL);
	close(fd);
	CHECK_EQ(end_child(pid), 0);
	return error;
}

static void check_pipe(void)
{
	static const size_t pieces[] = { 1, 7, 512, 4096, 65536 };
	char *path = make_path("%s/trace.dat", temp_dir()), *bytes;
	struct tring_trace *trace;
	unsigned int wanted, events;
	size_t size, i;
	uint64_t sum;

	check_run(0, "", "$TRING convert --to trace.dat -o %s %s", path, golden_path);
	CHECK_EQ(tring_open(&trace, path, NULL), 0);
	sum = read_all(trace, &wanted);
	CHECK(wanted);
	tring_close(trace);
	bytes = read_file(path);
	size = strtoull(output_of(0, "stat -c %%s %s", path), NULL, 10);
	for (i = 0; i < COUNT(pieces); i++) {
		CHECK_EQ(open_pipe(&trace, bytes, size, pieces[i], NULL), 0);
		CHECK_EQ(read_all(trace, &events), sum);
		CHECK_EQ(events, wanted);
		CHECK_EQ(tring_seek(trace, 0), 0);
		CHECK_EQ(read_all(trace, &events), sum);
		CHECK(*tring_env(trace, "clock"));
		tring_close(trace);
	}
	/* the writer has ended too early, or writes something else */
	CHECK_EQ(open_pipe(&trace, bytes, size / 2, 4096, NULL), -EINVAL);
	CHECK(strstr(tring_status_text(trace), "the stream: "));
	tring_close(trace);
	CHECK_EQ(open_pipe(&trace, "text", 4, 4, NULL), -EINVAL);
	CHECK(strstr(tring_status_text(trace), "neither a trace.dat nor"));
	tring_close(trace);
	CHECK_EQ(open_pipe(&trace, "", 0, 1, NULL), -EINVAL);
	tring_close(trace);
	CHECK_EQ(tring_open_fd(&trace, -1, NULL), -EBADF);
	CHECK(*tring_status_text(trace));
	tring_close(trace);
}

static unsigned int count_described(struct tring_trace *trace, unsigned int *all)
{
	unsigned int described = 0;
	struct tring_item item;

	*all = 0;
	while (tring_next(trace, &item) > 0) {
		if (item.kind != TRING_ITEM_EVENT)
			continue;
		CHECK_EQ(item.cpu, 0);
		CHECK(!item.event == !!item.wrong);
		described += !!item.event;
		++*all;
	}
	return described;
}

/* A CPU's packets, with and without what describes their events. */
static void check_packets(void)
{
	char *path = make_path("%s/cpu0", golden_path), *bytes = read_file(path);
	size_t size = strtoull(output_of(0, "stat -c %%s %s", path), NULL, 10);
	unsigned int wanted, events;
	struct tring_trace *trace;
	uint64_t sum;

	CHECK_EQ(open_pipe(&trace, bytes, size, 512, golden_path), 0);
	wanted = count_described(trace, &events);
	CHECK_EQ(wanted, events);
	CHECK(events && tring_event_count(trace) && !tring_is_trace_dat(trace));
	CHECK_EQ(tring_check(trace), 0);
	CHECK_EQ(tring_problems(trace), 0);
	CHECK_EQ(tring_seek(trace, 0), 0);
	sum = read_all(trace, &wanted);
	CHECK_EQ(wanted, events);
	CHECK_EQ(tring_follow(trace), -EINVAL);
	tring_close(trace);

	CHECK_EQ(open_pipe(&trace, bytes, size, 512, NULL), 0);
	CHECK_EQ(tring_seek(trace, 0), 0);
	CHECK_EQ(read_all(trace, &events), sum);
	CHECK_EQ(tring_seek(trace, 0), 0);
	CHECK_EQ(count_described(trace, &events), 0);
	CHECK_EQ(events, wanted);
	CHECK_EQ(tring_problems(trace), 0);
	tring_close(trace);

	CHECK_EQ(open_pipe(&trace, bytes, size, 512, temp_dir()), -ENOENT);
	CHECK(strstr(tring_status_text(trace), "trace_info: No such file"));
	tring_close(trace);
	/* the rest of a stream that was cut off */
	CHECK_EQ(open_pipe(&trace, bytes, size - 1, 512, golden_path), 0);
	CHECK(count_described(trace, &events) > 0);
	CHECK(tring_problems(trace));
	tring_close(trace);
}

/* The same by the commands. */
static void check_commands(void)
{
	char *cpu = make_path("%s/cpu0", golden_path);
	char *report = output_of(0, "$TRING report -c 0 %s 2>/dev/null", golden_path);
	char *dump = output_of(0, "$TRING dump %s", cpu);

	check_run(0, dump, "$TRING dump - < %s", cpu);
	check_run(0, report, "cat %s | $TRING report --formats %s -", cpu, golden_path);
	check_run(2, "--formats is for the packets of \"-\"", "$TRING report --formats %s %s",
		  golden_path, golden_path);
	CHECK(strstr(output_of(0, "cat %s | $TRING report -", cpu), "[id "));
	check_run(2, "--follow is of a trace that tring records", "$TRING report --follow -");
}

static struct builder builder;

static char *make_one(const char *name, unsigned int cpu, uint64_t first)
{
	char *dir = make_path("%s/%s", temp_dir(), name);
	unsigned int i;

	make_trace(dir, false);
	build_init(&builder, false, cpu);
	for (i = 0; i < 5; i++)
		build_packet(&builder, 1000000000 + first + i * 1000000, 1);
	build_write(&builder, dir);
	return dir;
}

/* Return: the traces of the events, as letters. */
static char *order_of(struct tring_trace *const *traces, struct tring_trace *asked)
{
	struct tring_item item;
	static char order[32];
	int64_t ns, last = 0;
	size_t count = 0;

	while (tring_next(asked, &item) > 0) {
		if (item.kind != TRING_ITEM_EVENT)
			continue;
		CHECK(count < sizeof(order) - 1);
		CHECK(tring_epoch_ns(item.trace, item.record->stamp, &ns) && ns >= last);
		CHECK(item.trace == traces[0] || item.trace == traces[1]);
		order[count++] = item.trace == traces[0] ? 'a' : 'b';
		last = ns;
	}
	order[count] = 0;
	return order;
}

static void open_two(struct tring_trace **traces, const char *const *dirs)
{
	CHECK_EQ(tring_open(&traces[0], dirs[0], NULL), 0);
	CHECK_EQ(tring_open(&traces[1], dirs[1], NULL), 0);
}

static void check_join(void)
{
	const char * const dirs[] = { make_one("a", 0, 0), make_one("b", 1, 500000) };
	struct tring_wanted wanted = { .size = sizeof(wanted), .cpus = "1" };
	struct tring_trace *traces[2], *bad;

	open_two(traces, dirs);
	CHECK_EQ(tring_join(traces, 2, NULL), 0);
	CHECK(!strcmp(order_of(traces, traces[1]), "ababababab"));
	CHECK_EQ(tring_seek(traces[1], 1000000000 + 3500000), 0);
	CHECK(!strcmp(order_of(traces, traces[0]), "bab"));
	/* only the second one has the CPU */
	CHECK_EQ(tring_select(traces[0], &wanted), 0);
	CHECK(!strcmp(order_of(traces, traces[0]), "bbbbb"));
	wanted.cpus = "7";
	CHECK_EQ(tring_select(traces[0], &wanted), -EINVAL);
	CHECK(strstr(tring_status_text(traces[0]), "--cpu 7"));
	/* they are one already */
	CHECK_EQ(tring_join(traces, 2, NULL), -EINVAL);
	CHECK_EQ(tring_follow(traces[1]), -EINVAL);
	tring_close(traces[0]);
	CHECK_EQ(tring_seek(traces[1], 0), 0);
	CHECK(!strcmp(order_of(traces, traces[1]), "bbbbb"));
	tring_close(traces[1]);

	open_two(traces, dirs);
	CHECK_EQ(tring_join(traces, 2, "nonsense"), -EINVAL);
	CHECK_EQ(tring_status(traces[0]), -EINVAL);
	/* the first event of each at the same moment */
	CHECK_EQ(tring_join(traces, 2, "tick"), 0);
	CHECK(!strcmp(order_of(traces, traces[0]), "ababababab"));
	tring_close(traces[0]);
	tring_close(traces[1]);

	open_two(traces, dirs);
	CHECK(tring_open(&bad, "/nonexistent", NULL) < 0);
	tring_close(traces[1]);
	traces[1] = bad;
	CHECK_EQ(tring_join(traces, 2, NULL), -EINVAL);
	CHECK(strstr(tring_status_text(traces[0]), "/nonexistent: it is not open"));
	tring_close(traces[0]);
	tring_close(bad);
}

static void append(const char *dir, uint64_t stamp)
{
	char *path = make_path("%s/cpu0", dir);
	int fd = open(path, O_WRONLY | O_APPEND);

	builder.size = 0;
	build_packet(&builder, stamp, 1);
	CHECK(fd >= 0);
	CHECK_EQ(write(fd, builder.bytes, builder.size), builder.size);
	close(fd);
}

static void check_follow(void)
{
	char *dir = make_one("followed", 0, 0);
	struct tring_trace *trace;
	struct tring_item item;

	write_extra(dir, "cpu0.start", "read: 0\n");
	CHECK_EQ(tring_open(&trace, dir, NULL), 0);
	CHECK_EQ(tring_follow(trace), 0);
	CHECK_EQ(tring_next(trace, &item), -EAGAIN);
	/* by now all before it is known, but for the last two seconds */
	append(dir, 3000000000);
	CHECK_EQ(tring_follow(trace), 0);
	CHECK_EQ(tring_next(trace, &item), 1);
	CHECK_EQ(item.record->stamp, 1000000000);
	CHECK_EQ(tring_next(trace, &item), -EAGAIN);
	/* nothing can be told before the end */
	CHECK_EQ(tring_check(trace), 0);
	write_extra(dir, "cpu0.end", "read: 6\nrefused_no_room: 2\n");
	CHECK_EQ(tring_follow(trace), 0);
	while (tring_next(trace, &item) > 0 && item.kind == TRING_ITEM_EVENT)
		;
	CHECK(item.kind == TRING_ITEM_LOSS && item.events == 2);
	CHECK_EQ(tring_next(trace, &item), 0);
	CHECK_EQ(tring_follow(trace), 0);
	CHECK_EQ(tring_next(trace, &item), 0);
	CHECK_EQ(tring_check(trace), 0);
	/* it begins anew, as one that has ended */
	CHECK_EQ(tring_seek(trace, 3000000000), 0);
	CHECK_EQ(tring_next(trace, &item), 1);
	CHECK_EQ(item.record->stamp, 3000000000);
	tring_close(trace);
	/* one that is not waited for */
	unlink(make_path("%s/tring/cpu0.end", dir));
	CHECK_EQ(tring_open(&trace, dir, NULL), 0);
	CHECK_EQ(tring_follow(trace), 0);
	tring_follow_end(trace);
	while (tring_next(trace, &item) > 0)
		;
	CHECK_EQ(tring_next(trace, &item), 0);
	tring_close(trace);
}

int main(void)
{
	golden_path = make_path("%s/golden/trace-0.1", test_env("TRING_TESTS"));
	check_pipe();
	check_packets();
	check_commands();
	check_join();
	check_follow();
	return 0;
}
