// SPDX-License-Identifier: GPL-2.0
/* Description: a full ring is read at once, the open packet when it is to be saved. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "helpers.h"
#include "record/drain.h"
#include "util/util.h"

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
	struct tring_drain drain;
	int fds[2];

	build_init(&builder, false, 0);
	CHECK(!pipe(fds));
	CHECK(!fcntl(fds[0], F_SETFL, O_NONBLOCK));
	tring_drain_init(&drain, 0, fds[0], path);

	/* the open packet is not read, unless the ring is full */
	give(fds[1]);
	CHECK_EQ(tring_drain_service(&drain, false), -EAGAIN);
	CHECK_EQ(drain.packets, 0);
	full = 1;
	CHECK_EQ(tring_drain_service(&drain, false), -EAGAIN);
	CHECK_EQ(drain.packets, 1);

	/* or to be saved: then it and all packets before it are written to the file */
	give(fds[1]);
	CHECK_EQ(tring_drain_service(&drain, true), -EAGAIN);
	CHECK_EQ(drain.packets, 2);
	CHECK(tring_stream_file_is_saved(&drain.file));
	check_file(path);
	give(fds[1]);
	CHECK_EQ(tring_drain_service(&drain, false), -EAGAIN);
	CHECK_EQ(drain.packets, 2);

	/* the same with a full ring before it */
	full = 1;
	polls = 0;
	CHECK_EQ(tring_drain_service(&drain, true), -EAGAIN);
	CHECK_EQ(drain.packets, 3);
	CHECK_EQ(polls, 2);
	check_file(path);

	/* the end of the recording reads everything */
	give(fds[1]);
	close(fds[1]);
	CHECK_EQ(tring_drain_finish(&drain), 0);
	CHECK_EQ(drain.packets, 4);
	CHECK_EQ(drain.events, 12);
	CHECK_EQ(drain.wrong, 0);
	check_file(path);
	tring_drain_close(&drain);
	return 0;
}
