// SPDX-License-Identifier: GPL-2.0
/*
 * Calls itself, prints where in itself the innermost calls return to, the innermost first, and
 * makes a system call there. For scripts/guest/stacks.sh; to be compiled with frame pointers.
 */
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of the calls, and of those that ftrace records: the last one is the system call's. */
#define DEPTH	12
#define SHOWN	7

static void *callers[DEPTH];

static __attribute__((noinline)) long call(int depth)
{
	long result;
	int i;

	callers[depth] = __builtin_return_address(0);
	if (depth + 1 < DEPTH) {
		result = call(depth + 1);
		/* no tail call */
		__asm__ volatile("" ::: "memory");
		return result;
	}
	for (i = 0; i < SHOWN; i++)
		printf("call+0x%tx\n", (char *)callers[depth - i] - (char *)call);
	fflush(stdout);
	__asm__ volatile("syscall" : "=a" (result) : "a" (SYS_getppid) : "rcx", "r11", "memory");
	return result;
}

int main(void)
{
	return call(0) < 0;
}
