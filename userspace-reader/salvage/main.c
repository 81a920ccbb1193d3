// SPDX-License-Identifier: GPL-2.0
/*
 * tring salvage: writes the traces that a memory image of a crashed machine has. A program of its
 * own, because libkdumpfile and what that needs would be loaded with each command of tring.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "salvage.h"
#include "trace/trace_dir.h"
#include "util/entry.h"
#include "util/trust.h"
#include "util/util.h"

enum {
	OPTION_BASE = 256,
	OPTION_GUESS,
	OPTION_ORPHANS,
	OPTION_TRACE,
	OPTION_FORMATS,
	OPTION_FORCE,
};

static const struct option long_options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "base", required_argument, NULL, OPTION_BASE },
	{ "formats", required_argument, NULL, OPTION_FORMATS },
	{ "trace", required_argument, NULL, OPTION_TRACE },
	{ "guess", no_argument, NULL, OPTION_GUESS },
	{ "orphans", no_argument, NULL, OPTION_ORPHANS },
	{ "force", no_argument, NULL, OPTION_FORCE },
	{ "quiet", no_argument, NULL, 'q' },
	{ "verbose", no_argument, NULL, 'v' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static void print_usage(void)
{
	fputs("usage: tring salvage [OPTION]... IMAGE...\n"
	      "\n"
	      "  -o, --output DIR      the trace; default: " TRING_TRACE_DIR_DEFAULT "\n"
	      "      --force           as root, write to DIR also if other users can write there\n"
	      "      --base ADDRESS    IMAGE is raw memory from this physical address on\n"
	      "      --formats FROM    a trace directory, or tracefs, of the same kernel, for\n"
	      "                        formats that the image lacks\n"
	      "      --trace UUID      this trace; \"all\": each one in DIR/UUID\n"
	      "      --guess           also use what is not known for sure: records that were\n"
	      "                        not committed, pages with a wrong checksum\n"
	      "      --orphans         also write packets that no ring has\n"
	      "  -q, --quiet           print errors only\n"
	      "  -v, --verbose         print more\n"
	      "\n"
	      "Writes what the rings had recorded when IMAGE was made: a core of kdump, an image\n"
	      "by makedumpfile or QEMU, the ring's last_boot, /proc/kcore. Several files are one\n"
	      "image that makedumpfile has split.\n", stdout);
}

static bool parse_address(const char *text, uint64_t *address)
{
	char *end;

	errno = 0;
	*address = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* Return: -1 to go on, or an exit status. */
static int parse_options(struct tring_salvage_options *options, int argc, char **argv)
{
	int option;

	while ((option = getopt_long(argc, argv, "o:qvh", long_options, NULL)) != -1) {
		switch (option) {
		case OPTION_FORCE:
			tring_force = true;
			break;
		case 'o':
			if (!tring_entry_is_path(optarg))
				return tring_bad_usage();
			options->dir = optarg;
			break;
		case OPTION_BASE:
			options->has_base = true;
			if (parse_address(optarg, &options->base))
				break;
			tring_error("--base %s: not an address, such as 0x100000000", optarg);
			return tring_bad_usage();
		case OPTION_FORMATS:
			options->formats = optarg;
			break;
		case OPTION_TRACE:
			options->trace = optarg;
			break;
		case OPTION_GUESS:
			options->guess = true;
			break;
		case OPTION_ORPHANS:
			options->orphans = true;
			break;
		case 'q':
			tring_verbosity = TRING_QUIET;
			break;
		case 'v':
			tring_verbosity = TRING_VERBOSE;
			break;
		case 'h':
			print_usage();
			return TRING_EXIT_OK;
		default:
			return tring_bad_usage();
		}
	}
	options->paths = argv + optind;
	options->path_count = argc - optind;
	if (options->path_count && (!options->has_base || options->path_count == 1))
		return -1;
	tring_error("%s", options->path_count ? "--base: raw memory is one file" :
		    "IMAGE is missing");
	return tring_bad_usage();
}

static bool is_last_boot(const char *path)
{
	const char *name = strrchr(path, '/');
	struct statfs info;

	return !statfs(path, &info) && info.f_type == TRACEFS_MAGIC &&
	       !strcmp(name ? name + 1 : path, "last_boot");
}

/* What was in the ring's file is on the disk: a boot may record there. */
static int release(const struct tring_salvage_options *options)
{
	int dir = open(options->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), error = 0;
	int fd = open(options->paths[0], O_WRONLY | O_CLOEXEC);

	if (dir < 0 || fd < 0 || syncfs(dir) || write(fd, "1", 1) != 1) {
		error = -errno;
		tring_error("%s: cannot say that it was read: %s", options->paths[0],
			    strerror(-error));
	}
	if (fd >= 0)
		close(fd);
	if (dir >= 0)
		close(dir);
	return error;
}

/* The ring's file is kept if there may be more to be had of it. Return: the exit status. */
static int give_up(const struct tring_salvage_options *options, int status)
{
	const char *path = options->paths[0];
	int fd;

	if (status == TRING_EXIT_OK)
		return release(options) ? TRING_EXIT_BAD : TRING_EXIT_OK;
	/* without anything in it this fails */
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return status;
	close(fd);
	tring_error("%s is kept, as something is missing; \"echo 1 >%s\" gives it up", path, path);
	return status;
}

/* Return: TRING_EXIT_OK; _BAD if anything that was committed was not recovered; or _USAGE. */
static int run(int argc, char **argv)
{
	struct tring_salvage_options options = { .dir = TRING_TRACE_DIR_DEFAULT };
	int status = parse_options(&options, argc, argv);

	if (status >= 0)
		return status;
	status = tring_salvage(&options) ? TRING_EXIT_BAD : TRING_EXIT_OK;
	if (!options.trace && is_last_boot(options.paths[0]))
		status = give_up(&options, status);
	return status;
}

int main(int argc, char **argv)
{
	static char name[] = "tring salvage";

	tring_set_name(name);
	argv[0] = name;
	return tring_end_output(run(argc, argv));
}
