/* SPDX-License-Identifier: GPL-2.0 */
/* fail() ends a guest program with a message and exit status 1. */
#ifndef TRING_GUEST_FAIL_H
#define TRING_GUEST_FAIL_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static void __attribute__((noreturn, format(printf, 1, 2))) fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(1);
}

#endif /* TRING_GUEST_FAIL_H */
