// SPDX-License-Identifier: GPL-2.0
/* Description: no failure of convert leaves a file that looks complete, or harms another file. */
#include <dirent.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "export/output.h"
#include "helpers.h"

#define MAGIC	"magic"
#define LATER	"the rest"

static struct builder builder;

static size_t count_files(const char *dir)
{
	DIR *listing = opendir(dir);
	size_t count = 0;

	CHECK(listing);
	while (readdir(listing))
		count++;
	closedir(listing);
	/* "." and ".." */
	return count - 2;
}

static char *new_dir(const char *name)
{
	char *dir = make_path("%s/%s", temp_dir(), name);

	CHECK_EQ(mkdir(dir, 0755), 0);
	return dir;
}

/* What a signal leaves of a file that is being written, as a number of files. */
static size_t files_after(const char *name, int signal_number, bool ignored)
{
	char *dir = new_dir(name), *path = make_path("%s/out", dir);
	pid_t child = fork();
	int status;

	if (!child) {
		struct tring_output output;

		if (ignored)
			signal(signal_number, SIG_IGN);
		CHECK_EQ(tring_output_open(&output, path, MAGIC, 5), 0);
		tring_output_add(&output, MAGIC LATER, 5 + strlen(LATER));
		tring_output_patch(&output, 5, "T", 1);
		raise(signal_number);
		_exit(tring_output_close(&output) ? 1 : 0);
	}
	CHECK_EQ(waitpid(child, &status, 0), child);
	if (ignored) {
		char *text = read_file(path);

		CHECK_EQ(status, 0);
		CHECK(!strcmp(text, MAGIC "The rest"));
	} else {
		CHECK(WIFSIGNALED(status) && WTERMSIG(status) == signal_number);
		CHECK(access(path, F_OK));
	}
	return count_files(dir);
}

static void check_killed(void)
{
	CHECK_EQ(files_after("killed", SIGKILL, false), 1);
	/* a draft, which has another name */
	free(output_of(0, "test -e %s/killed/.out.*", temp_dir()));
}

static char *make_input(void)
{
	char *dir = make_path("%s/trace", temp_dir());

	make_trace(dir, false);
	build_init(&builder, false, 0);
	build_packet(&builder, 1000, 500);
	build_write(&builder, dir);
	return dir;
}

/* @limit: command before convert; Return: output of the command. */
static char *convert(const char *limit, const char *to, const char *input, int status)
{
	return output_of(status, "%s $TRING convert --to trace.dat -o %s %s", limit, to, input);
}

static void check_said(char *output, const char *said)
{
	wants(output, said);
	free(output);
}

/* The limit of a file's size is reached as the end of a disk is. */
static void check_full(const char *input)
{
	char *dir = new_dir("full"), *to = make_path("%s/out", dir);

	check_said(convert("ulimit -f 4;", to, input, 1), "File too large");
	CHECK_EQ(count_files(dir), 0);
	/* an old file stays as it is */
	check_said(convert("", to, input, 0), "");
	check_said(convert("ulimit -f 4;", to, input, 1), "File too large");
	CHECK_EQ(count_files(dir), 1);
}

static void check_others(const char *input)
{
	char *dir = new_dir("others"), *to = make_path("%s/notes", dir);
	char *away = make_path("%s/no/such", dir), *text;

	write_text(to, "my notes\n");
	check_said(convert("", to, input, 1), "of another format than is to be written");
	CHECK(!strcmp(read_file(to), "my notes\n"));
	check_said(convert("", dir, input, 1), "not a regular file");
	check_said(convert("", "/dev/null", input, 1), "not a regular file");
	check_said(convert("", away, input, 1), "No such file or directory");
	CHECK_EQ(count_files(dir), 1);
	/* an empty file has nothing to lose, and a link stays one */
	write_text(to, "");
	away = make_path("%s/link", dir);
	CHECK_EQ(symlink("notes", away), 0);
	check_said(convert("umask 027;", away, input, 0), "");
	text = output_of(0, "test -L %s && stat -Lc %%a %s && head -c 10 %s | tail -c 7", away,
			 away, to);
	check_said(text, "640\ntracing");
}

int main(void)
{
	char *input = make_input();

	CHECK_EQ(files_after("int", SIGINT, false), 0);
	CHECK_EQ(files_after("term", SIGTERM, false), 0);
	CHECK_EQ(files_after("hup", SIGHUP, false), 0);
	CHECK_EQ(files_after("nohup", SIGHUP, true), 1);
	check_killed();
	check_full(input);
	check_others(input);
	return 0;
}
