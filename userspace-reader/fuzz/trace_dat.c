// SPDX-License-Identifier: GPL-2.0
/* Fuzz target: what a trace.dat says of its events, which is read before libtracecmd is asked. */
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"
#include "dat/dat_file.h"

int fuzz_input(const uint8_t *bytes, size_t size)
{
	int fd = memfd_create("trace.dat", MFD_CLOEXEC);
	char *path = make_path("/proc/self/fd/%d", fd);
	struct tring_trace_info info;
	struct tring_dat_file file;

	CHECK(fd >= 0);
	CHECK(write(fd, bytes, size) == (ssize_t)size);
	if (!tring_dat_open(&file, path)) {
		tring_dat_describe(&file, &info);
		free(tring_dat_info_text(&file));
	}
	tring_dat_close(&file);
	free(path);
	close(fd);
	return 0;
}
