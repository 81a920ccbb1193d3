/* SPDX-License-Identifier: GPL-2.0 */
/* Where tables go that are printed again and again: a screen, or a file or pipe. */
#ifndef TRING_SCREEN_H
#define TRING_SCREEN_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/* Number of files that tring_screen_polls() sets. */
#define TRING_SCREEN_POLLS	3

/**
 * struct tring_screen - stdout
 * @is_terminal: it is a terminal that can be cleared
 * @rows: its rows
 * @columns: its columns
 * @shown: the text that it shows; NULL for none
 * @has_keys: the user can press keys; @modes are those to put back
 * @modes: how the terminal was
 * @stop_fd: source of the signals that end the program, from the caller
 * @signal_fd: source of the signals of the terminal
 * @done: the user wants no more, or the output has failed
 * @failed: the output cannot be written, reported on stderr
 */
struct tring_screen {
	bool		is_terminal;
	size_t		rows;
	size_t		columns;
	char		*shown;
	bool		has_keys;
	struct termios	modes;
	int		stop_fd;
	int		signal_fd;
	bool		done;
	bool		failed;
};

void tring_screen_begin(struct tring_screen *screen, int stop_fd);
void tring_screen_polls(const struct tring_screen *screen, struct pollfd *fds);
void tring_screen_serve(struct tring_screen *screen, const struct pollfd *fds);
void tring_screen_show(struct tring_screen *screen, char *text);
void tring_screen_end(struct tring_screen *screen);

#endif /* TRING_SCREEN_H */
