// SPDX-License-Identifier: GPL-2.0
/*
 * user-loop syscall | function | offset - runs a system call that does nothing, or a function
 * of this program, in a loop, and prints the number of calls and the mean of TSC ticks for
 * each. Under QEMU's -icount a tick is an instruction. "offset" prints where the function is
 * in the file, for a uprobe.
 */
#include <elf.h>
#include <err.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#define CALLS	5000
#define WARM_UP	5000
/* An interrupt in one round does not matter: the best one counts. */
#define ROUNDS	4

static void __attribute__((noinline)) function(unsigned int count)
{
	asm volatile("" : : "r" (count));
}

static uint64_t ticks_of(int is_syscall, unsigned int calls)
{
	uint64_t begin = __rdtsc();

	while (calls--) {
		if (is_syscall)
			syscall(SYS_getppid);
		else
			function(calls);
	}
	return __rdtsc() - begin;
}

int main(int argc, char **argv)
{
	uint64_t ticks, best = UINT64_MAX;
	int is_syscall, i;

	if (argc != 2)
		errx(1, "user-loop syscall | function | offset");
	is_syscall = !strcmp(argv[1], "syscall");
	if (!strcmp(argv[1], "offset")) {
		/* The program headers lie behind the file's first header. */
		printf("0x%lx\n", (unsigned long)function - getauxval(AT_PHDR) +
				  sizeof(Elf64_Ehdr));
		return 0;
	}
	ticks_of(is_syscall, WARM_UP);
	for (i = 0; i < ROUNDS; i++) {
		ticks = ticks_of(is_syscall, CALLS);
		if (ticks < best)
			best = ticks;
	}
	printf("%d %.2f\n", WARM_UP + ROUNDS * CALLS, (double)best / CALLS);
	return 0;
}
