/* SPDX-License-Identifier: GPL-2.0 */
/* What system calls, their arguments and their results are called. */
#ifndef TRING_CALLS_H
#define TRING_CALLS_H

#include "tring.h"
#include "util/line.h"
#include "util/number.h"

#define TRING_CALL_ARGUMENTS	6
/* Strings of a call that its begin has. */
#define TRING_CALL_STRINGS	3

struct tring_call;

/**
 * struct tring_call_name - a system call that has a number
 * @word: begin of its name, in a list; NULL if it has none
 * @name: its name; NULL before tring_call_use(), which sets what follows
 * @text: the name with what is around it behind an event's text
 * @size: characters of @text
 * @call: what is known of its arguments; NULL for nothing
 * @restores: it has no result of its own
 */
struct tring_call_name {
	const char	*word;
	char		*name;
	char		*text;
	size_t		size;
	const struct tring_call *call;
	bool		restores;
};

/* Arguments of a call that have words, and texts of them that are kept. */
#define TRING_CALL_WORDS	4
#define TRING_CALL_TEXTS	256

/**
 * struct tring_call_text - what is behind an event's text
 * @call: what is known of the call's arguments
 * @name: the call, if the event has its number
 * @values: those of the arguments that have words, or 0
 * @text: the text; NULL if the place is free
 * @size: characters of @text
 */
struct tring_call_text {
	const struct tring_call *call;
	const struct tring_call_name *name;
	uint32_t	values[TRING_CALL_WORDS];
	char		*text;
	size_t		size;
};

/**
 * struct tring_calls - the system calls of a trace's machine
 * @known: they are known
 * @is_arm: some flags are those of arm64
 * @big_endian: byte order of the trace
 * @names: the calls, by number
 * @count: number of @names
 * @texts: hash table of what was told; a new one takes the place of another
 */
struct tring_calls {
	bool		known;
	bool		is_arm;
	bool		big_endian;
	struct tring_call_name *names;
	size_t		count;
	struct tring_call_text texts[TRING_CALL_TEXTS];
};

void tring_call_use(struct tring_call_name *call);

/**
 * tring_call_at - get a system call
 * @calls: the calls of the trace's machine
 * @number: its number
 *
 * Return: the call, used; NULL if it is not known.
 */
static inline const struct tring_call_name *tring_call_at(const struct tring_calls *calls,
							  uint64_t number)
{
	struct tring_call_name *name = number < calls->count ? &calls->names[number] : NULL;

	if (!name || !name->word)
		return NULL;
	if (!name->name)
		tring_call_use(name);
	return name;
}

/**
 * struct tring_told_call - an event of a system call, and what it tells
 * @kind: TRING_TOLD_NOTHING for another event
 * @number: the field of the call's number; NULL if the event is of one call
 * @call: what is known of that one; NULL for nothing
 * @result: the field of the result
 * @arguments: the fields of the arguments; NULL for none
 * @array: the first one has all
 * @strings: the fields of strings of the program's; NULL behind the last
 * @pointers: the arguments that point to them
 */
struct tring_told_call {
	enum {
		TRING_TOLD_NOTHING,
		TRING_TOLD_BEGIN,
		TRING_TOLD_END,
	} kind;
	const struct tring_field *number;
	const struct tring_call *call;
	const struct tring_field *result;
	const struct tring_field *arguments[TRING_CALL_ARGUMENTS];
	bool array;
	const struct tring_field *strings[TRING_CALL_STRINGS + 1];
	const struct tring_field *pointers[TRING_CALL_STRINGS];
};

void tring_calls_init(struct tring_calls *calls, const struct tring_trace *trace);
void tring_calls_free(struct tring_calls *calls);
const struct tring_call *tring_call_known(const char *name);
void tring_call_find(struct tring_told_call *told, const struct tring_event *event);
void tring_call_tell_more(const struct tring_told_call *told, struct tring_calls *calls,
			  const struct tring_item *item, struct tring_line *line);

static inline uint64_t tring_call_load(const struct tring_calls *calls,
				       const struct tring_item *item,
				       const struct tring_field *field)
{
	return tring_load_u64(item->record->payload + field->offset, calls->big_endian);
}

/**
 * tring_call_tell - add to an event's text what it means
 * @told: from tring_call_find(), of a kind that tells something
 * @calls: the calls of the trace's machine, which are @known
 * @item: the event
 * @line: the line
 *
 * Most events tell the call's name alone.
 */
static inline void tring_call_tell(const struct tring_told_call *told, struct tring_calls *calls,
				   const struct tring_item *item, struct tring_line *line)
{
	uint64_t number = told->number ? tring_call_load(calls, item, told->number) : UINT64_MAX;
	const struct tring_call_name *name = number < calls->count ? &calls->names[number] : NULL;

	if (name && name->name &&
	    (told->result ? (int64_t)tring_call_load(calls, item, told->result) >= 0 :
			    !name->call))
		tring_line_short(line, name->text, name->size);
	else
		tring_call_tell_more(told, calls, item, line);
}

#endif /* TRING_CALLS_H */
