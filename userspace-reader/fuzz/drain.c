// SPDX-License-Identifier: GPL-2.0
/* Fuzz target: the recorder's walk over what it reads from the ring. */
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "record/drain.h"
#include "wire/filler.h"

int fuzz_input(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("packets", MFD_CLOEXEC);
	char *path = make_path("%s/packets", temp_dir());
	struct tring_drain drain;

	CHECK(fd >= 0);
	CHECK_EQ(write(fd, bytes, size), size);
	CHECK_EQ(lseek(fd, 0, SEEK_SET), 0);
	tring_drain_init(&drain, 0, fd, path);
	tring_drain_finish(&drain);
	CHECK(drain.ended);
	/* the recorder may begin the file with a packet of its own */
	CHECK(drain.bytes <= size + TRING_FILLER_BLOCK);
	CHECK(drain.packets <= size / TRING_PACKET_HEADER_SIZE);
	CHECK(drain.events + drain.discarded_records <= size);
	tring_drain_close(&drain);
	unlink(path);
	free(path);
	return 0;
}
