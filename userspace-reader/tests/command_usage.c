// SPDX-License-Identifier: GPL-2.0
/* Description: help and versions are printed; a bad usage names the command and exits with 2. */
#include "helpers.h"
#include "tring_format.h"
#include "tring_version.h"

static void check(const char *arguments, int status, const char *said)
{
	check_run(status, said, "$TRING %s", arguments);
}

/* Each command describes itself on stdout, and refuses an option that it does not have. */
static void check_command(const char *name)
{
	char *help = make_path("help %s 2>/dev/null", name);
	char *own = make_path("%s --help 2>/dev/null", name);
	char *bad = make_path("%s --sideways", name);
	char *usage = make_path("usage: tring %s", name);
	char *hint = make_path("tring %s: \"tring %s --help\" lists the options", name, name);

	check(help, 0, usage);
	check(own, 0, usage);
	check(bad, 2, "--sideways");
	check(bad, 2, hint);
	/* one line says what is wrong, and one where to look */
	check_run(0, "", "test $($TRING %s 2>&1 | wc -l) = 2", bad);
}

/* A program of its own lies beside tring, or where it was installed, and nowhere else. */
static void check_program(void)
{
	const char *dir = temp_dir();

	check_run(0, "", "mkdir -p %s/bin %s/libexec/tring && cp $TRING %s/bin/tring", dir, dir,
		  dir);
	check_run(1, make_path("tring-salvage is not installed: neither in %s/bin/ nor in ", dir),
		  "PATH=${TRING%%/*}:$PATH %s/bin/tring salvage image", dir);
	check_run(1, make_path("%s/bin/../libexec/tring/\n", dir), "%s/bin/tring help salvage",
		  dir);
	check_run(0, "", "cp $TRING-salvage %s/libexec/tring", dir);
	check_run(0, "usage: tring salvage", "%s/bin/tring help salvage", dir);
	check_run(2, "tring salvage: IMAGE is missing", "%s/bin/tring salvage", dir);
	check_run(0, "", "mv %s/libexec/tring/tring-salvage %s/bin", dir, dir);
	check_run(0, "usage: tring salvage", "%s/bin/tring salvage --help", dir);
	check_run(0, "", "chmod a-x %s/bin/tring-salvage", dir);
	check_run(1, "the program tring-salvage cannot be run: Permission denied",
		  "%s/bin/tring salvage image", dir);
}

int main(void)
{
	static const char * const names[] = {
		"record", "list", "reset", "start", "stop", "restart", "snapshot", "extract",
		"report", "top", "convert", "arm", "wipe", "salvage", "info", "peek", "dump",
		"stat",
	};
	char *version = make_path("tring %s, wire format %d\n", TRING_VERSION,
				  TRING_FORMAT_VERSION);
	size_t i;

	check("help", 0, "usage: tring COMMAND");
	check("--help 2>/dev/null", 0, "usage: tring COMMAND");
	check("", 2, "usage: tring COMMAND");
	check("--version", 0, version);
	check("version", 0, version);
	check("--help 2>&1 >/dev/full", 1, "tring: the output cannot be written: No space left");
	check("help 2>&1 >/dev/full", 1, "the output cannot be written");
	check("record --help 2>&1 >/dev/full", 1, "the output cannot be written");
	check("--version 2>&1 >/dev/full", 1, "the output cannot be written");
	check("record -o ''", 2, "tring record: -o '': a name is missing");
	check("record -o -", 2, "tring record: -o -: not to standard output");
	check("snapshot -o ''", 2, "tring snapshot: -o '': a name is missing");
	check("extract -o -", 2, "tring extract: -o -: not to standard output");
	check("salvage -o '' image", 2, "tring salvage: -o '': a name is missing");
	check("convert --to perfetto -o ''", 2, "tring convert: -o '': a name is missing");
	check("convert --to ctf -o -", 2, "tring convert: -o -: not to standard output");
	check("recrod", 2, "tring: there is no command \"recrod\"");
	check("help recrod", 2, "tring: there is no command \"recrod\"");
	check("dump", 2, "tring dump: FILE is missing");
	check("dump a b", 2, "tring dump: unexpected argument \"b\"");
	check("stat now", 2, "tring stat: unexpected argument \"now\"");
	check("info a b", 2, "tring info: unexpected argument \"b\"");
	check("convert", 2, "tring convert: --to FORMAT is missing");
	check("convert --to mp3", 2, "tring convert: --to mp3: there is no such format");
	check("convert --to trace.dat a b", 2, "tring convert: unexpected argument \"b\"");
	check("peek -n", 2, "tring peek: option requires an argument -- 'n'");
	for (i = 0; i < COUNT(names); i++)
		check_command(names[i]);
	check_program();
	return 0;
}
