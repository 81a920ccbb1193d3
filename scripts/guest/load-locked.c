// SPDX-License-Identifier: GPL-2.0
/*
 * load-locked MODULE PARAMETERS - loads a module into a kernel that is being locked down. Such a
 * kernel takes no module without a signature. So the lockdown comes behind the test of the
 * signature: when the kernel reads the parameters, whose page is not there until then. Prints
 * "locked down" at that moment, and the error of the loading.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fail.h"

#define LOCKDOWN	"/sys/kernel/security/lockdown"
#define LEVEL		"integrity"

static char content[4096] __attribute__((__aligned__(4096)));
static char *page;
static int faults;

static void *lock_down(void *unused)
{
	struct uffdio_copy copy = {
		.dst = (unsigned long)page, .src = (unsigned long)content, .len = sizeof(content),
	};
	struct uffd_msg message;
	int file;

	(void)unused;
	if (read(faults, &message, sizeof(message)) != sizeof(message))
		fail("no fault: %s", strerror(errno));
	file = open(LOCKDOWN, O_WRONLY);
	if (file < 0 || write(file, LEVEL, strlen(LEVEL)) < 0)
		fail(LOCKDOWN ": %s", strerror(errno));
	close(file);
	puts("locked down");
	if (ioctl(faults, UFFDIO_COPY, &copy))
		fail("UFFDIO_COPY: %s", strerror(errno));
	return NULL;
}

int main(int argc, char **argv)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register range = {
		.range.len = sizeof(content), .mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	pthread_t thread;
	int module;

	if (argc != 3)
		fail("load-locked MODULE PARAMETERS");
	snprintf(content, sizeof(content), "%s", argv[2]);
	page = mmap(NULL, sizeof(content), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		    -1, 0);
	faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	module = open(argv[1], O_RDONLY | O_CLOEXEC);
	range.range.start = (unsigned long)page;
	if (page == MAP_FAILED || faults < 0 || module < 0 || ioctl(faults, UFFDIO_API, &api) ||
	    ioctl(faults, UFFDIO_REGISTER, &range) ||
	    pthread_create(&thread, NULL, lock_down, NULL))
		fail("cannot prepare: %s", strerror(errno));
	if (syscall(SYS_finit_module, module, page, 0))
		fail("%s: %s", argv[1], strerror(errno));
	return 0;
}
