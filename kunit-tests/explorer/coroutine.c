// SPDX-License-Identifier: GPL-2.0
/*
 * Stacks for the actors of other CPUs. makecontext() creates a coroutine; after that,
 * longjmp() switches between them, which needs no system call. A coroutine that a
 * schedule left unfinished is started again from its base.
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
static ucontext_t new_context;
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

static void coroutine_main(void)
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

/* Forget where the coroutine was; the next resume starts it from the beginning. */
void coroutine_restart(struct coroutine *coroutine)
{
	coroutine->started = false;
	coroutine->done = false;
	coroutine->top = coroutine->stack + coroutine->stack_size;
}

/* Run the coroutine until it yields or ends. */
void coroutine_resume(struct coroutine *coroutine)
{
	void *fake = NULL;

	resumed = coroutine;
	if (!_setjmp(back)) {
		leave(&fake, coroutine->stack, coroutine->stack_size);
		if (coroutine->started)
			_longjmp(coroutine->where, 1);
		coroutine->started = true;
		if (coroutine->created)
			_longjmp(coroutine->base, 1);
		coroutine->created = true;
		getcontext(&new_context);
		new_context.uc_stack.ss_sp = coroutine->stack;
		new_context.uc_stack.ss_size = coroutine->stack_size;
		new_context.uc_link = NULL;
		makecontext(&new_context, coroutine_main, 0);
		setcontext(&new_context);
	}
	arrive(fake, NULL, NULL);
	if (coroutine->done)
		coroutine->top = coroutine->stack + coroutine->stack_size;
}

/* Called in the coroutine: return to the caller of coroutine_resume(). */
void coroutine_yield(struct coroutine *coroutine)
{
	if (!_setjmp(coroutine->where)) {
		coroutine->top = __builtin_frame_address(0);
		leave(&coroutine->fake_stack, main_stack, main_size);
		_longjmp(back, 1);
	}
	arrive(coroutine->fake_stack, &main_stack, &main_size);
}
