/* SPDX-License-Identifier: GPL-2.0 */
/* The options of a command, from one table: how they are parsed, and what --help says. */
#ifndef TRING_OPTIONS_H
#define TRING_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct tring_option - an option
 * @letter: its letter; 256 or more, or 0, for none
 * @name: its long name; NULL for none
 * @argument: what its argument is called, which is optional in brackets; NULL for none
 * @help: what it does, in lines; NULL if --help does not show it. A heading without @letter
 *	and @name
 * @at: offset of what it sets in the command's request
 * @take: sets it, and reports a bad argument on stderr; NULL for a bool, or with @argument a
 *	string, at @at
 * @only: sets of options that have it; 0 for all
 */
struct tring_option {
	int		letter;
	const char	*name;
	const char	*argument;
	const char	*help;
	size_t		at;
	bool		(*take)(void *request, const struct tring_option *option,
				const char *text);
	unsigned int	only;
};

/**
 * struct tring_usage - the options of a command, and what it says of itself
 * @synopsis: what --help prints before the options
 * @description: what it prints behind them; NULL for nothing
 * @list: the options, up to one without @help, @letter and @name; NULL for none
 * @set: which of @list the command has
 * @missing: name of the argument that must follow; NULL for none
 * @most: number of arguments that may follow; negative for any number
 * @runs: they are another command, whose options are its own
 */
struct tring_usage {
	const char	*synopsis;
	const char	*description;
	const struct tring_option *list;
	unsigned int	set;
	const char	*missing;
	int		most;
	bool		runs;
};

int tring_options_parse(const struct tring_usage *options, void *request, int argc,
			char **argv);

bool tring_take_path(void *request, const struct tring_option *option, const char *text);
bool tring_take_rows(void *request, const struct tring_option *option, const char *text);
bool tring_take_force(void *request, const struct tring_option *option, const char *text);
bool tring_take_verbosity(void *request, const struct tring_option *option, const char *text);

/* -B alone, whose argument is all that the command asks for. */
extern const struct tring_option tring_instance_option[];

/* Options that several commands have. @place: where the argument goes */
#define TRING_OPTION_INSTANCE(place, text)					\
	{ 'B', "instance", "NAME", text, .at = place }
#define TRING_OPTION_OUTPUT(place, sets)					\
	{ 'o', "output", "DIR", "the trace; default: " TRING_TRACE_DIR_DEFAULT,	\
	  .at = place, .take = tring_take_path, .only = sets }
#define TRING_OPTION_FORCE(sets)						\
	{ 0, "force", NULL, "as root, write to DIR also if other users can write there", \
	  .take = tring_take_force, .only = sets }
#define TRING_OPTION_QUIET(text)						\
	{ 'q', "quiet", NULL, text, .take = tring_take_verbosity }
#define TRING_OPTION_VERBOSE(text)						\
	{ 'v', "verbose", NULL, text, .take = tring_take_verbosity }

#endif /* TRING_OPTIONS_H */
