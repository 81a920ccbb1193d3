// SPDX-License-Identifier: GPL-2.0
/*
 * Where tables go that are printed again and again: a screen, or a file or pipe.
 *
 * A screen is cleared for each text, which is cut to its rows and columns. What was shown last
 * stays there at the end. The signals of the terminal are read from a file, because they need
 * the terminal's modes put back, or what is shown printed again.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "screen.h"
#include "util/util.h"

#define HOME		"\033[H"
#define CLEAR_LINE	"\033[K"
#define CLEAR_BELOW	"\033[J"

/* Of a terminal that does not tell its size. */
#define ROWS		24
#define COLUMNS		80

/* So many bytes fit into a pipe that poll() says has room. */
#define PIECE		4096

enum { STOP, SIGNALS, KEYS };

static void measure(struct tring_screen *screen)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
		memset(&size, 0, sizeof(size));
	screen->rows = size.ws_row ? size.ws_row : ROWS;
	screen->columns = size.ws_col ? size.ws_col : COLUMNS;
}

/* A key comes at once, and is not shown. Not of a terminal that another program has. */
static void take_keys(struct tring_screen *screen)
{
	struct termios modes;

	screen->has_keys = screen->is_terminal && tcgetpgrp(STDIN_FILENO) == getpgrp() &&
			   !tcgetattr(STDIN_FILENO, &screen->modes);
	if (!screen->has_keys)
		return;
	modes = screen->modes;
	modes.c_lflag &= ~(ICANON | ECHO);
	tcsetattr(STDIN_FILENO, TCSANOW, &modes);
}

static void give_keys(const struct tring_screen *screen)
{
	if (screen->has_keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &screen->modes);
}

/**
 * tring_screen_begin - prepare stdout
 * @screen: filled in
 * @stop_fd: source of the signals that end the program, which ends a write, too
 */
void tring_screen_begin(struct tring_screen *screen, int stop_fd)
{
	static const int numbers[] = { SIGWINCH, SIGTSTP, SIGCONT };
	const char *term = getenv("TERM");
	sigset_t caught;
	size_t i;

	*screen = (struct tring_screen) { .stop_fd = stop_fd, .signal_fd = -1 };
	screen->is_terminal = isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb");
	if (!screen->is_terminal)
		return;
	sigemptyset(&caught);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaddset(&caught, numbers[i]);
	sigprocmask(SIG_BLOCK, &caught, NULL);
	screen->signal_fd = signalfd(-1, &caught, SFD_NONBLOCK | SFD_CLOEXEC);
	measure(screen);
	take_keys(screen);
}

/**
 * tring_screen_polls - get what poll() should wait for
 * @screen: the screen
 * @fds: TRING_SCREEN_POLLS entries, filled in for tring_screen_serve()
 */
void tring_screen_polls(const struct tring_screen *screen, struct pollfd *fds)
{
	/* the end of a pipe's reader is an error, which is always told */
	fds[STOP] = (struct pollfd) { .fd = STDOUT_FILENO };
	fds[SIGNALS] = (struct pollfd) { .fd = screen->signal_fd, .events = POLLIN };
	fds[KEYS] = (struct pollfd) { .fd = screen->has_keys ? STDIN_FILENO : -1,
				      .events = POLLIN };
}

static void fail(struct tring_screen *screen)
{
	screen->done = true;
	/* a reader that has ended wants no more */
	if (errno == EPIPE)
		return;
	tring_error("the output cannot be written: %s", tring_errno_text(errno));
	screen->failed = true;
}

/* A reader that reads no more must not keep the program from its end. */
static void write_all(struct tring_screen *screen, const char *text, size_t size)
{
	struct pollfd fds[] = {
		{ .fd = STDOUT_FILENO, .events = POLLOUT },
		{ .fd = screen->stop_fd, .events = POLLIN },
	};

	while (size && !screen->done) {
		ssize_t wrote;

		if (poll(fds, sizeof(fds) / sizeof(fds[0]), -1) < 0)
			continue;
		if (fds[1].revents)
			return;
		wrote = write(STDOUT_FILENO, text, size < PIECE ? size : PIECE);
		if (wrote < 0 && errno != EINTR && errno != EAGAIN)
			fail(screen);
		if (wrote > 0) {
			text += wrote;
			size -= wrote;
		}
	}
}

/* Prints a line as far as the columns go. */
static void put_line(FILE *to, const char *line, size_t size, size_t columns)
{
	size_t i, used = 0;

	/* not behind the line, where it would clear the last column */
	fputs(CLEAR_LINE, to);
	for (i = 0; i < size; i++) {
		unsigned char byte = line[i];

		/* the first byte of a character is none of 10xxxxxx */
		used += (byte & 0xc0) != 0x80;
		if (used > columns)
			break;
		putc(byte, to);
	}
}

static void draw(struct tring_screen *screen)
{
	const char *line = screen->shown;
	char *text = NULL;
	size_t size, row;
	FILE *to;

	if (!line)
		return;
	to = open_memstream(&text, &size);
	if (!to)
		return;
	fputs(HOME, to);
	for (row = 0; row < screen->rows && *line; row++) {
		size_t length = strcspn(line, "\n");

		if (row)
			putc('\n', to);
		put_line(to, line, length, screen->columns);
		line += length + (line[length] == '\n');
	}
	fputs(CLEAR_BELOW, to);
	if (!fclose(to))
		write_all(screen, text, size);
	free(text);
}

/* Stops the process as if it had not caught the signal. */
static void stop(struct tring_screen *screen)
{
	give_keys(screen);
	kill(getpid(), SIGSTOP);
}

static void take_signals(struct tring_screen *screen)
{
	struct signalfd_siginfo info;

	while (read(screen->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGTSTP)
			stop(screen);
		if (info.ssi_signo == SIGCONT)
			take_keys(screen);
	}
	measure(screen);
	draw(screen);
}

static void read_keys(struct tring_screen *screen)
{
	char keys[64];
	ssize_t got = read(STDIN_FILENO, keys, sizeof(keys));

	if (got > 0)
		screen->done |= memchr(keys, 'q', got) || memchr(keys, 'Q', got);
	else
		screen->has_keys = false;
}

/**
 * tring_screen_serve - do what poll() has found
 * @screen: the screen; @screen->done is set if the user wants no more
 * @fds: from tring_screen_polls()
 */
void tring_screen_serve(struct tring_screen *screen, const struct pollfd *fds)
{
	if (fds[STOP].revents & (POLLERR | POLLHUP))
		screen->done = true;
	if (fds[SIGNALS].revents)
		take_signals(screen);
	if (fds[KEYS].revents)
		read_keys(screen);
}

/**
 * tring_screen_show - show a text in place of the one before, or behind it
 * @screen: the screen
 * @text: lines, allocated; the screen frees them
 */
void tring_screen_show(struct tring_screen *screen, char *text)
{
	bool first = !screen->shown;

	free(screen->shown);
	screen->shown = text;
	if (screen->is_terminal) {
		draw(screen);
		return;
	}
	if (!first)
		write_all(screen, "\n", 1);
	write_all(screen, text, strlen(text));
}

/**
 * tring_screen_end - leave the terminal as it was, with what it shows
 * @screen: from tring_screen_begin(), or zeroed
 */
void tring_screen_end(struct tring_screen *screen)
{
	if (screen->is_terminal && screen->shown && !screen->failed) {
		screen->stop_fd = -1;
		screen->done = false;
		write_all(screen, "\n", 1);
	}
	give_keys(screen);
	if (screen->is_terminal)
		close(screen->signal_fd);
	free(screen->shown);
	*screen = (struct tring_screen) { 0 };
}
