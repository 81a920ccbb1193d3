// SPDX-License-Identifier: GPL-2.0
/* Description: a screen is cut to its size, follows its changes, and is left as it was. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "cmd/screen.h"
#include "helpers.h"

#define NO_FD	-1

static int terminal;
static char said[65536];
static size_t size;

static void set_size(unsigned short rows, unsigned short columns)
{
	struct winsize window = { .ws_row = rows, .ws_col = columns };

	CHECK(!ioctl(terminal, TIOCSWINSZ, &window));
}

/* The program on the terminal: shows a text until the user presses q. */
static void run_screen(const char *name)
{
	struct pollfd fds[TRING_SCREEN_POLLS];
	struct tring_screen screen;
	int fd;

	CHECK(setsid() >= 0);
	fd = open(name, O_RDWR);
	CHECK(fd >= 0 && !ioctl(fd, TIOCSCTTY, 0));
	CHECK(dup2(fd, STDIN_FILENO) >= 0 && dup2(fd, STDOUT_FILENO) >= 0);
	tring_screen_begin(&screen, NO_FD);
	tring_screen_show(&screen, make_path("0123456789abcdef\nb.\303\266\303\266\nc\nd\ne\n"));
	while (!screen.done) {
		tring_screen_polls(&screen, fds);
		if (poll(fds, TRING_SCREEN_POLLS, -1) > 0)
			tring_screen_serve(&screen, fds);
	}
	tring_screen_end(&screen);
	_exit(0);
}

/* Reads what the program has written, up to the end of a text. */
static void wait_for(const char *text)
{
	const char *at;
	ssize_t got;

	while (!(at = strstr(said, text))) {
		got = read(terminal, said + size, sizeof(said) - 1 - size);
		CHECK(got > 0);
		size += got;
		said[size] = 0;
	}
	at += strlen(text);
	size = strlen(at);
	memmove(said, at, size + 1);
}

static tcflag_t get_modes(void)
{
	struct termios modes;

	CHECK(!tcgetattr(terminal, &modes));
	return modes.c_lflag & (ICANON | ECHO);
}

static pid_t start(void)
{
	pid_t pid;

	terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	CHECK(terminal >= 0 && !grantpt(terminal) && !unlockpt(terminal));
	set_size(3, 10);
	pid = fork();
	CHECK(pid >= 0);
	if (!pid)
		run_screen(ptsname(terminal));
	return pid;
}

static void check_end(pid_t pid)
{
	int status;

	CHECK_EQ(waitpid(pid, &status, 0), pid);
	CHECK(WIFEXITED(status) && !WEXITSTATUS(status));
}

/* Texts as the terminal gets them, where a newline is two characters. */
static void check_screen(void)
{
	int slave = NO_FD;
	pid_t pid = start();

	wait_for("\033[H\033[K0123456789\r\n\033[Kb.\303\266\303\266\r\n\033[Kc\033[J");
	/* the terminal has its modes as long as it is open */
	slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	CHECK(slave >= 0);
	CHECK_EQ(get_modes(), 0);
	set_size(4, 5);
	wait_for("\033[H\033[K01234\r\n\033[Kb.\303\266\303\266\r\n\033[Kc\r\n\033[Kd\033[J");
	set_size(0, 0);
	wait_for("\033[H\033[K0123456789abcdef\r\n\033[Kb.\303\266\303\266\r\n");
	wait_for("\033[Kc\r\n\033[Kd\r\n\033[Ke\033[J");
	CHECK_EQ(write(terminal, "x", 1), 1);
	CHECK_EQ(write(terminal, "q", 1), 1);
	wait_for("\r\n");
	check_end(pid);
	CHECK_EQ(get_modes(), ICANON | ECHO);
	close(slave);
	close(terminal);
}

/* A program that is stopped leaves the terminal to the shell, and takes it back afterwards. */
static void check_stop(void)
{
	pid_t pid = start();
	int slave, status;

	wait_for("c\033[J");
	slave = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	CHECK(slave >= 0);
	CHECK(!kill(pid, SIGTSTP));
	CHECK_EQ(waitpid(pid, &status, WUNTRACED), pid);
	CHECK(WIFSTOPPED(status));
	CHECK_EQ(get_modes(), ICANON | ECHO);
	set_size(1, 10);
	CHECK(!kill(pid, SIGCONT));
	wait_for("\033[H\033[K0123456789\033[J");
	CHECK_EQ(get_modes(), 0);
	CHECK_EQ(write(terminal, "Q", 1), 1);
	wait_for("\r\n");
	check_end(pid);
	close(slave);
	close(terminal);
}

int main(void)
{
	setenv("TERM", "xterm", 1);
	check_screen();
	check_stop();
	return 0;
}
