// SPDX-License-Identifier: GPL-2.0
/*
 * call-strings - makes system calls with all sorts of strings, for strings.sh, and prints for
 * each what its event must have: the event's name, a number, which is one of the call's
 * arguments, too, and each string in hexadecimal digits, or "fault".
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

/* The size that the ring is set to; what is longer ends with "...". */
#define LIMIT	255

#define FAULT	((const char *)1)

static unsigned int number;
static size_t page;

static void print_string(const char *text, size_t size)
{
	size_t i;

	putchar(' ');
	if (text == FAULT) {
		fputs("fault", stdout);
		return;
	}
	for (i = 0; i < size && i < LIMIT; i++)
		printf("%02x", (unsigned char)text[i]);
	if (size > LIMIT)
		fputs("2e2e2e", stdout);
	if (!size)
		putchar('-');
}

/* @wanted: what the event has for @pointer */
static void path(const void *pointer, const char *wanted)
{
	printf("faccessat %u", ++number);
	print_string(wanted, wanted == FAULT ? 0 : strlen(wanted));
	putchar('\n');
	syscall(SYS_faccessat, -1, pointer, number);
}

static void buffer(const void *pointer, size_t size, const char *wanted)
{
	printf("pwrite64 %u", ++number);
	print_string(wanted, size);
	putchar('\n');
	syscall(SYS_pwrite64, -1, pointer, size, (off_t)number);
}

static void two(const void *old, const char *wanted, const void *new, const char *wanted_new)
{
	printf("symlinkat %u", ++number);
	print_string(wanted, wanted == FAULT ? 0 : strlen(wanted));
	print_string(wanted_new, wanted_new == FAULT ? 0 : strlen(wanted_new));
	putchar('\n');
	/* no folder */
	syscall(SYS_symlinkat, old, number + 1000, new);
}

/* Two pages of which the second one was never there, or goes. */
static char *two_pages(int unmap)
{
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);

	/* EINVAL: this kernel has no huge pages. */
	if (pages == MAP_FAILED ||
	    (madvise(pages, 2 * page, MADV_NOHUGEPAGE) && errno != EINVAL) ||
	    (unmap && munmap(pages + page, page)))
		exit(1);
	*pages = 0;
	return pages;
}

/* At each distance from the end of a page behind which there is nothing. */
static void ends_of_pages(void)
{
	static const char text[] = "/a/path/of/31/characters/in/all";
	char *pages = two_pages(1);
	size_t size;

	for (size = 1; size <= sizeof(text); size++) {
		memcpy(pages + page - size, text + sizeof(text) - size, size);
		path(pages + page - size, text + sizeof(text) - size);
	}
	memset(pages + page - 40, 'x', 40);
	path(pages + page - 40, FAULT);
	buffer(pages + page - 40, 40, pages + page - 40);
	buffer(pages + page - 40, 41, FAULT);
}

static void pages_that_are_not_there(void)
{
	static const char text[] = "0123456789abcdef";
	char *pages = two_pages(0), *at = pages + page - 5;

	memcpy(at, text, 5);
	path(at, FAULT);
	two(text, text, at, FAULT);
	/* The call has read it, and so it is there. */
	two(at, "01234", text, text);
	if (madvise(pages + page, page, MADV_DONTNEED))
		exit(1);
	two(at, FAULT, text, text);
	/* It is there when it has been written. */
	memcpy(at, text, sizeof(text));
	path(at, text);
	two(at, text, text, text);
}

static void lengths(void)
{
	static char text[5000];
	static const size_t sizes[] = { 0, 1, 7, 8, 9, 254, 255, 256, 257, 4096 };
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		memset(text, 'a' + i, sizeof(text));
		text[sizes[i]] = 0;
		path(text, text);
		buffer(text, sizes[i], text);
	}
	buffer("a\0b", 4, "a\0b");
	path("\033[31m\n\"\\", "\033[31m\n\"\\");
}

static void bad_addresses(void)
{
	static const uint64_t addresses[] = {
		1, 4095, 1ull << 63, 0xffff888000000000, 0xffffffff81000000, UINT64_MAX,
		UINT64_MAX - 7,
	};
	size_t i;

	for (i = 0; i < sizeof(addresses) / sizeof(*addresses); i++) {
		path((void *)(uintptr_t)addresses[i], FAULT);
		buffer((void *)(uintptr_t)addresses[i], 8, FAULT);
	}
	path(NULL, FAULT);
}

#ifdef __x86_64__
/* Behind "int $0x80", which has two bytes: this kernel has no 32-bit calls. */
static void go_on(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
}
#endif

/* The number of faccessat() is another call's in a 32-bit program, which has no event. */
static void call_as_32_bit(void)
{
#ifdef __x86_64__
	struct sigaction action = { .sa_sigaction = go_on, .sa_flags = SA_SIGINFO };
	long result;

	if (sigaction(SIGSEGV, &action, NULL))
		exit(1);
	asm volatile("int $0x80" : "=a" (result) : "a" (SYS_faccessat), "b" (-1), "c" (0), "d" (0)
		     : "memory");
#endif
}

int main(void)
{
	page = sysconf(_SC_PAGESIZE);
	ends_of_pages();
	pages_that_are_not_there();
	lengths();
	bad_addresses();
	call_as_32_bit();
	return 0;
}
