// SPDX-License-Identifier: GPL-2.0
/*
 * tring arm: begins to record into a ring that the next boot can read, if the machine crashes.
 * tring wipe: erases what earlier boots have left.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "tracefs/control.h"
#include "record/iomem.h"
#include "recording_options.h"
#include "util/util.h"

#define PARAMETER	"/sys/module/tring/parameters/persist"
#define LAST_BOOT	"last_boot"

#define NO_MEMORY	"tring.ko is not loaded with persist=ADDRESS,SIZE: see tring(4)"

static const struct tring_usage arm_options = {
	.synopsis = "usage: tring arm [OPTION]...\n"
		"       tring arm --check [ADDRESS,SIZE]\n"
		"\n"
		"      --check           say what memory tring.ko has, and what it holds, or\n"
		"                        whether it can have SIZE bytes at ADDRESS\n",
	.description =
		"Does what \"tring start\" does, with the ring in memory that outlives the\n"
		"kernel: after a crash \"tring salvage\" of the file last_boot makes a trace of\n"
		"it. tring.ko must have been loaded with persist=ADDRESS,SIZE: see tring(4).\n",
	.set = TRING_RECORDS_TO_RING,
};

static const struct tring_usage wipe_options = {
	.synopsis = "usage: tring wipe\n",
	.description =
		"Erases what earlier boots have left in the memory of persist=ADDRESS,SIZE,\n"
		"salvaged or not. The rings of this boot stay.\n",
};

/* As the kernel's memparse() does. */
static uint64_t parse_bytes(const char *text, char **end)
{
	static const char units[] = "KMGTPE";
	uint64_t value = strtoull(text, end, 0);
	const char *unit = **end ? strchr(units, toupper((unsigned char)**end)) : NULL;

	if (!unit || *end == text)
		return value;
	++*end;
	return value << 10 * (unit - units + 1);
}

static bool parse_place(const char *text, uint64_t *address, uint64_t *size)
{
	char *end;

	*address = parse_bytes(text, &end);
	*size = 0;
	if (end > text && *end == ',')
		*size = parse_bytes(end + 1, &end);
	return *size && !*end && *address + *size - 1 >= *address;
}

static void print_last_boot(const char *dir)
{
	char *path = tring_format("%s/" LAST_BOOT, dir);
	FILE *file = fopen(path, "re");

	if (file)
		printf("last_boot: an earlier boot has left its rings: the memory survives\n");
	else if (errno == ENODATA)
		printf("last_boot: nothing; a reset shows whether the memory survives it\n");
	else
		printf("last_boot: %s\n", strerror(errno));
	if (file)
		fclose(file);
	free(path);
}

/*
 * @place: memory that the module might have, or NULL for what it has
 *
 * Return: TRING_EXIT_OK; _BAD if no ring can be armed; _USAGE.
 */
static int check(const char *place)
{
	char *text = place ? tring_format("%s", place) : tring_read_text(PARAMETER, NULL);
	int status = TRING_EXIT_BAD;
	struct tring_control control;
	uint64_t address, size;

	if (!text || !strncmp(text, "(null)", 6)) {
		tring_error(NO_MEMORY);
		goto out;
	}
	text[strcspn(text, "\n")] = 0;
	if (!parse_place(text, &address, &size)) {
		tring_error("%s: \"%s\" is no ADDRESS,SIZE", place ? "--check" : PARAMETER, text);
		if (place)
			status = tring_bad_usage();
		goto out;
	}
	printf("persist: %s, in two halves\n", text);
	if (place) {
		status = tring_iomem_print(address, size) ? TRING_EXIT_OK : TRING_EXIT_BAD;
		goto out;
	}
	tring_iomem_print(address, size);
	if (!tring_control_open(&control, NULL, false)) {
		print_last_boot(control.dir);
		status = TRING_EXIT_OK;
	}
	tring_control_close(&control);
out:
	free(text);
	return status;
}

/**
 * tring_cmd_arm - begin to record into a ring that the next boot can read
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK, _BAD or _USAGE.
 */
int tring_cmd_arm(int argc, char **argv)
{
	if ((argc == 2 || argc == 3) && !strcmp(argv[1], "--check"))
		return check(argv[2]);
	return tring_start_ring(argc, argv, &arm_options, true);
}

/**
 * tring_cmd_wipe - erase what earlier boots have left
 * @argc: as main's
 * @argv: as main's
 *
 * Return: TRING_EXIT_OK, _BAD or _USAGE.
 */
int tring_cmd_wipe(int argc, char **argv)
{
	struct tring_control control;
	int error = tring_options_parse(&wipe_options, NULL, argc, argv);

	if (error >= 0)
		return error;
	error = tring_control_open(&control, NULL, false);
	if (!error) {
		error = tring_control_try(&control, LAST_BOOT, "0");
		if (error == -ENODEV)
			tring_error(NO_MEMORY);
		else if (error)
			tring_control_report(&control, LAST_BOOT, "0", error);
	}
	tring_control_close(&control);
	return error ? TRING_EXIT_BAD : TRING_EXIT_OK;
}
