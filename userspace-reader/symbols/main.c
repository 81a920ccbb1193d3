// SPDX-License-Identifier: GPL-2.0
/*
 * tring-symbols: answers which functions of a program are at a place in its file. A program of its
 * own, because libdw and what that needs would be loaded with each command of tring; and because a
 * file may be anything: if it makes libdw fail, the command goes on without its names.
 *
 * A request is "PLACE BUILD-ID PATH" with a NUL behind it. PLACE is an offset in the file, in
 * hexadecimal, behind an 'r' if it is where a call returns to, or an 'a'. The answer is of
 * tring_function_answer(), or "m" if the file is missing, with an empty text behind it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols.h"
#include "util/util.h"

static void answer(char *request)
{
	char *place = strtok(request, " "), *build_id = strtok(NULL, " "), *path = strtok(NULL, "");
	struct tring_binary *binary;
	Dwarf_Addr address;

	/* a build id is part of a path, too */
	if (!place || !build_id || !path || build_id[strspn(build_id, "0123456789abcdef")])
		return;
	binary = tring_binary_get(build_id, path);
	if (!binary->module)
		printf("m%c", 0);
	else if (tring_binary_address(binary, strtoull(place + 1, NULL, 16), &address))
		tring_function_answer(binary, address, *place == 'r');
}

int main(int argc, char **argv)
{
	char *request = NULL;
	size_t size = 0;

	tring_set_name("tring-symbols");
	if (argc > 1) {
		tring_error("unexpected argument \"%s\": other commands of tring run this one",
			    argv[1]);
		return TRING_EXIT_USAGE;
	}
	elf_version(EV_CURRENT);
	while (getdelim(&request, &size, 0, stdin) > 0) {
		answer(request);
		putchar(0);
		fflush(stdout);
	}
	free(request);
	return TRING_EXIT_OK;
}
