// SPDX-License-Identifier: GPL-2.0
/* Description: packets that the disk refuses after the page cache took them are an error. */
#include <errno.h>
#include <unistd.h>

#include "helpers.h"
#include "record/drain.h"

static int refused;

/* Replaces the C library's fsync(). */
int fsync(int fd)
{
	CHECK(fd >= 0);
	if (!refused)
		return 0;
	errno = refused;
	return -1;
}

static struct builder builder;

/* @error: what the disk says when the packets are to be on it */
static void check(int error)
{
	char *path = make_path("%s/cpu%d", temp_dir(), error);
	struct tring_drain drain;
	int fds[2];

	refused = error;
	build_init(&builder, false, 0);
	build_packet(&builder, 1000, 3);
	CHECK(!pipe(fds));
	CHECK_EQ(write(fds[1], builder.bytes, builder.size), builder.size);
	close(fds[1]);
	tring_drain_init(&drain, 0, fds[0], path);
	CHECK_EQ(tring_drain_finish(&drain), -error);
	CHECK_EQ(drain.unsure, error != 0);
	CHECK_EQ(drain.events, 3);
	tring_drain_close(&drain);
}

int main(void)
{
	check(0);
	check(EIO);
	check(ENOSPC);
	return 0;
}
