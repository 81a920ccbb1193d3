// SPDX-License-Identifier: GPL-2.0
/* Description: a full packet is read at once, the open packet once a second. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <time.h>
#include <unistd.h>

#include "helpers.h"
#include "print/events.h"
#include "record/drain.h"
#include "util.h"

static unsigned int full, polls;

/* Replaces the C library's poll() and answers as the ring does. */
int poll(struct pollfd *fds, nfds_t count, int timeout)
{
	CHECK_EQ(count, 1);
	CHECK_EQ(timeout, 0);
	CHECK_EQ(fds->events, POLLIN);
	polls++;
	if (!full)
		return 0;
	full--;
	fds->revents = POLLIN;
	return 1;
}

static struct builder builder;

static void give(int fd)
{
	size_t begin = builder.size;

	build_packet(&builder, 1000 * (builder.seq + 1), 3);
	CHECK_EQ(write(fd, builder.bytes + begin, builder.size - begin),
		 builder.size - begin);
}

static void pass_time(void)
{
	const struct timespec wait = { .tv_sec = 1, .tv_nsec = 20000000 };

	nanosleep(&wait, NULL);
}

/* Checks that the file contains all packets that were read. */
static void check_file(const char *path)
{
	struct tring_input input;

	CHECK_EQ(tring_input_open(&input, path), 0);
	CHECK_EQ(input.size, builder.size);
	tring_input_close(&input);
}

int main(void)
{
	char *path = make_path("%s/cpu0", temp_dir());
	static bool ids[TRING_EVENT_IDS];
	struct tring_writer writer = { 0 };
	struct tring_drain drain;
	int fds[2];

	build_init(&builder, false, 0);
	CHECK(!pipe(fds));
	CHECK(!fcntl(fds[0], F_SETFL, O_NONBLOCK));
	CHECK_EQ(tring_writer_start(&writer), 0);
	tring_drain_init(&drain, 0, fds[0], path, &writer, ids);

	/* the first look reads the open packet */
	give(fds[1]);
	CHECK_EQ(tring_drain_service(&drain), 0);
	CHECK_EQ(drain.packets, 1);
	check_file(path);

	/* the next look does not, unless the packet is full */
	give(fds[1]);
	CHECK_EQ(tring_drain_service(&drain), -EAGAIN);
	CHECK_EQ(drain.packets, 1);
	full = 1;
	CHECK_EQ(tring_drain_service(&drain), -EAGAIN);
	CHECK_EQ(drain.packets, 2);

	/* or a second old: then it and all packets before it are written to the file */
	pass_time();
	give(fds[1]);
	CHECK_EQ(tring_drain_service(&drain), 0);
	CHECK_EQ(drain.packets, 3);
	check_file(path);
	give(fds[1]);
	CHECK_EQ(tring_drain_service(&drain), -EAGAIN);
	CHECK_EQ(drain.packets, 3);

	/* the same with full packets before it, and nothing after it is read */
	pass_time();
	full = 1;
	polls = 0;
	CHECK_EQ(tring_drain_service(&drain), -EAGAIN);
	CHECK_EQ(polls, 2);
	CHECK_EQ(drain.packets, 4);
	check_file(path);

	/* the end of the recording reads everything */
	give(fds[1]);
	close(fds[1]);
	CHECK_EQ(tring_drain_finish(&drain), 0);
	CHECK_EQ(drain.packets, 5);
	CHECK_EQ(drain.events, 15);
	CHECK_EQ(drain.wrong, 0);
	check_file(path);
	tring_drain_close(&drain);
	tring_writer_stop(&writer);
	free(path);
	return 0;
}
