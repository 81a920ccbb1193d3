// SPDX-License-Identifier: GPL-2.0
/*
 * tring salvage: writes the traces that a memory image of a crashed machine has. A program of its
 * own, because libkdumpfile and what that needs would be loaded with each command of tring.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "salvage.h"
#include "cli/options.h"
#include "util/tree.h"
#include "util/util.h"

static bool parse_address(const char *text, uint64_t *address)
{
	char *end;

	errno = 0;
	*address = strtoull(text, &end, 0);
	return *text >= '0' && *text <= '9' && !*end && !errno;
}

static bool take_base(void *request, const struct tring_option *option, const char *text)
{
	struct tring_salvage_options *options = request;

	(void)option;
	options->has_base = true;
	if (parse_address(text, &options->base))
		return true;
	tring_error("--base %s: not an address, such as 0x100000000", text);
	return false;
}

#define AT(member)	offsetof(struct tring_salvage_options, member)

static const struct tring_option list[] = {
	TRING_OPTION_OUTPUT(AT(dir), 0),
	TRING_OPTION_FORCE(0),
	{ 0, "base", "ADDRESS", "IMAGE is raw memory from this physical address on",
	  .take = take_base },
	{ 0, "formats", "FROM", "a trace directory, or tracefs, of the same kernel, for\n"
	  "formats that the image lacks", .at = AT(formats) },
	{ 0, "trace", "UUID", "this trace; \"all\": each one in DIR/UUID", .at = AT(trace) },
	TRING_OPTION_QUIET("print errors only"),
	TRING_OPTION_VERBOSE("print more"),
	{ 0 },
};

static const struct tring_usage command = {
	.synopsis = "usage: tring salvage [OPTION]... IMAGE\n",
	.description =
		"Writes what the rings had recorded when IMAGE was made: a core of kdump, an\n"
		"image by makedumpfile or QEMU, the ring's last_boot, /proc/kcore.\n",
	.list = list,
	.missing = "IMAGE",
	.most = 1,
};

/* Return: -1 to go on, or an exit status. */
static int parse_options(struct tring_salvage_options *options, int argc, char **argv)
{
	int status = tring_options_parse(&command, options, argc, argv);

	options->path = argv[optind];
	return status;
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
	int dir = tring_tree_list(options->dir), error = 0;
	int fd = open(options->path, O_WRONLY | O_CLOEXEC);

	if (dir < 0 || fd < 0 || syncfs(dir) || write(fd, "1", 1) != 1) {
		error = -errno;
		tring_error("%s: cannot say that it was read: %s", options->path,
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
	const char *path = options->path;
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
	if (!options.trace && is_last_boot(options.path))
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
