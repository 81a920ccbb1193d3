// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks for actors of other CPUs. makecontext() gives birth to them; afterwards
 * they change by longjmp(), which needs no system call. One that is left in the
 * middle is started again from its base.
 */
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "explorer.h"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/common_interface_defs.h>
#endif

#define STACK_SIZE	(256u << 10)

static jmp_buf back;
static struct coroutine *resumed;
static ucontext_t birth;
static const void *main_stack;
static size_t main_size;

static void leave(void **fake, const void *stack, size_t size)
{
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_start_switch_fiber(fake, stack, size);
#else
	(void)fake, (void)stack, (void)size;
#endif
}

static void arrive(void *fake, const void **stack, size_t *size)
{
#ifdef __SANITIZE_ADDRESS__
	__sanitizer_finish_switch_fiber(fake, stack, size);
#else
	(void)fake, (void)stack, (void)size;
#endif
}

static void live(void)
{
	struct coroutine *self;

	for (;;) {
		self = resumed;
		_setjmp(self->base);
		self = resumed;
		arrive(NULL, &main_stack, &main_size);
		self->run(self->number);
		self = resumed;
		self->done = true;
		leave(&self->fake_stack, main_stack, main_size);
		_longjmp(back, 1);
	}
}

void coroutine_prepare(struct coroutine *coroutine, int number, void (*run)(int number))
{
	memset(coroutine, 0, sizeof(*coroutine));
	coroutine->number = number;
	coroutine->run = run;
	coroutine->stack_size = STACK_SIZE;
	coroutine->stack = calloc(1, STACK_SIZE);
	if (!coroutine->stack)
		abort();
	coroutine->top = coroutine->stack + STACK_SIZE;
}

/* Forget where it was; the next resume begins anew. */
void coroutine_restart(struct coroutine *coroutine)
{
	coroutine->started = false;
	coroutine->done = false;
	coroutine->top = coroutine->stack + coroutine->stack_size;
}

/* Let it run until it yields or is done. */
void coroutine_resume(struct coroutine *coroutine)
{
	void *fake = NULL;

	resumed = coroutine;
	if (!_setjmp(back)) {
		leave(&fake, coroutine->stack, coroutine->stack_size);
		if (coroutine->started)
			_longjmp(coroutine->where, 1);
		coroutine->started = true;
		if (coroutine->born)
			_longjmp(coroutine->base, 1);
		coroutine->born = true;
		getcontext(&birth);
		birth.uc_stack.ss_sp = coroutine->stack;
		birth.uc_stack.ss_size = coroutine->stack_size;
		birth.uc_link = NULL;
		makecontext(&birth, live, 0);
		setcontext(&birth);
	}
	arrive(fake, NULL, NULL);
	if (coroutine->done)
		coroutine->top = coroutine->stack + coroutine->stack_size;
}

/* Called in the coroutine: back to whoever resumed it. */
void coroutine_yield(struct coroutine *coroutine)
{
	if (!_setjmp(coroutine->where)) {
		coroutine->top = __builtin_frame_address(0);
		leave(&coroutine->fake_stack, main_stack, main_size);
		_longjmp(back, 1);
	}
	arrive(coroutine->fake_stack, &main_stack, &main_size);
}
