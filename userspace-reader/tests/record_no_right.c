// SPDX-License-Identifier: GPL-2.0
/* Description: a user that may not record leaves nothing behind that other users would find. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/commands.h"
#include "fake_kernel.h"
#include "helpers.h"

/* A user that need not exist. */
#define USER	54321

static int record(int argc, char **argv)
{
	CHECK(!setgid(USER) && !setuid(USER));
	return tring_cmd_record(argc, argv);
}

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir());
	char *shared = make_path("%s/shm", temp_dir()), *place = make_path("%s/tring", shared);
	char *home = make_path("%s/home", temp_dir()), *said = make_path("%s/said", temp_dir());
	char *arguments = make_path("record -e testing:tick -o %s/trace -s 0.1", home), *text;

	if (geteuid()) {
		printf("only root can be another user\n");
		return 77;
	}
	make_tracefs(dir);
	CHECK(!chmod(temp_dir(), 0755) && !mkdir(shared, 0755) && !chmod(shared, 01777));
	CHECK(!mkdir(home, 0755) && !chown(home, USER, USER));
	CHECK(!setenv("TRING_STATE_DIR", place, 1));

	CHECK_EQ(end_child(fork_command(record, arguments, said)), 1);
	text = read_file(said);
	wants(text, "Permission denied");
	free(text);
	CHECK(access(place, F_OK));
	check_run(0, "", "[ -z \"$(ls -A %s %s | grep -v :)\" ]", home, shared);

	/* whatever a user makes there is not said to root */
	CHECK(!mkdir(place, 0755) && !chown(place, USER, USER));
	text = make_path("%s/ring", place);
	write_text(text, "tring-recorder 1\n");
	free(text);
	text = output_of(0, "$TRING reset 2>&1");
	CHECK(!strstr(text, place));
	free(text);
	free(arguments);
	free(said);
	free(home);
	free(place);
	free(shared);
	free(dir);
	return 0;
}
