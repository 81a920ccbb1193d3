// SPDX-License-Identifier: GPL-2.0
/*
 * Filters of the events in a ring: the text that users write, and the program that is made of
 * it by filter_compile.c and run by probes; see examine.c.
 *
 * An event keeps the text, also while it is not enabled, or not there because its module is
 * not. It has the program only while it is enabled, since that knows where the event's fields
 * are, and an event may come back with others. As in ftrace, a text that is refused removes the
 * filter, and the file shows what is wrong with the text.
 */
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "call_strings.h"
#include "event.h"
#include "events.h"
#include "examine.h"
#include "filter.h"
#include "layout.h"
#include "source.h"

/**
 * tring_filter_find_function - find a function of the kernel
 * @name: its name, NULL if its address is given
 * @address: an address in it
 * @begin: set to its begin
 * @size: set to its size
 *
 * kallsyms_lookup_name() is not exported. In a module a kprobe finds the address, and so no
 * function that kprobes are not for.
 *
 * Context: process, may sleep.
 * Return: false if there is none.
 */
bool tring_filter_find_function(const char *name, u64 address, u64 *begin, u64 *size)
{
	unsigned long offset, length = 0;
	const char *numbers;
	char *text;

#ifndef MODULE
	if (name)
		address = kallsyms_lookup_name(name);
#elif defined(CONFIG_KPROBES)
	struct kprobe probe = { .symbol_name = name, .flags = KPROBE_FLAG_DISABLED };

	if (name && !register_kprobe(&probe)) {
		address = (unsigned long)probe.addr;
		unregister_kprobe(&probe);
	}
#endif
	text = kasprintf(GFP_KERNEL, "%pS", (void *)(unsigned long)address);
	numbers = text ? strrchr(text, '+') : NULL;
	if (numbers && sscanf(numbers, "+0x%lx/0x%lx", &offset, &length) == 2)
		*begin = address - offset;
	kfree(text);
	*size = length;
	return length;
}

/**
 * tring_filter_create - make a filter from its text
 * @set: events of the ring
 * @system: system of the event whose fields it has
 * @name: name of the event
 * @text: the filter, in ftrace's grammar; not "0"
 *
 * The filter may be used as long as the event has these fields.
 *
 * Context: process, may sleep; below tring_event_set::switching and without tring_events_mutex,
 * as it takes inode locks of tracefs.
 * Return: the filter, to be freed by tring_filter_free(); or an ERR_PTR() from
 * tring_filter_compile() or tring_event_format().
 */
struct tring_filter *tring_filter_create(const struct tring_event_set *set, const char *system,
					 const char *name, const char *text)
{
	char *format = tring_event_format(set, system, name);
	struct tring_filter_fault fault;
	struct tring_filter *filter;

	if (IS_ERR(format))
		return ERR_CAST(format);
	filter = tring_filter_compile(text, format, &fault);
	kvfree(format);
	return filter;
}
TRING_EXPORT(tring_filter_create);
TRING_EXPORT(tring_filter_free);

/**
 * tring_filter_attach - let an event have the filter that its text says
 * @event: event that is being enabled; its file is referenced
 *
 * Context: process, may sleep; with tring_event_set::switching and tring_events_mutex held. The
 * latter is released meanwhile.
 * Return: 0, also without a filter; or an error of tring_filter_create().
 */
int tring_filter_attach(struct tring_event *event)
{
	struct tring_filter *filter;

	if (!event->filter_text || event->filter_refused)
		return 0;
	mutex_unlock(&tring_events_mutex);
	filter = tring_filter_create(event->set, event->system, event->name,
				     event->filter_text);
	mutex_lock(&tring_events_mutex);
	if (IS_ERR(filter))
		return PTR_ERR(filter);
	WRITE_ONCE(event->filter, filter);
	tring_examine_update(event);
	return 0;
}

/**
 * tring_filter_detach - undo tring_filter_attach(); the text stays
 * @event: event that nothing records any more
 *
 * Context: process, may sleep, with tring_events_mutex held.
 */
void tring_filter_detach(struct tring_event *event)
{
	struct tring_filter *filter = event->filter;

	WRITE_ONCE(event->filter, NULL);
	tring_examine_update(event);
	tring_filter_free(filter);
}

/* Takes @text over, and @filter if the event has a use for it. Returns what is to be freed. */
static struct tring_filter *replace_filter(struct tring_event *event,
					   struct tring_filter *filter, char *text, bool refused)
{
	struct tring_filter *old = event->filter;

	kfree(event->filter_text);
	event->filter_text = text;
	event->filter_refused = refused;
	if (!event->file)
		return filter;
	/* Either filter lets through what is wanted, before this or after. */
	WRITE_ONCE(event->filter, filter);
	tring_examine_update(event);
	/* All that reads it has preemption disabled. A CPU that hangs is not waited for. */
	kvfree_rcu_mightsleep(old);
	return NULL;
}

/* What the file shows: @text, and what is wrong with it if it has been refused. */
static char *describe_filter(const char *text, const struct tring_filter_fault *fault, bool refused)
{
	int column = min_t(u32, fault->at, strlen(text));

	if (!refused)
		return kasprintf(GFP_KERNEL, "%s\n", text);
	if (!fault->why)
		return kasprintf(GFP_KERNEL, "%s\nError: (0)\n\n", text);
	return kasprintf(GFP_KERNEL, "%s\n%*s\nparse_error: %s\n\n", text,
			 column ? column + 1 : 0, "^", fault->why);
}

/*
 * Makes a filter, or NULL if the text is refused. Returns 0 or the error of the text, with @shown
 * set; or another error.
 */
static int parse_filter(const struct tring_event_set *set, const char *system, const char *name,
			const char *text, struct tring_filter **filter, char **shown)
{
	char *format = tring_event_format(set, system, name);
	struct tring_filter_fault fault;
	int err;

	if (IS_ERR(format))
		return PTR_ERR(format);
	*filter = tring_filter_compile(text, format, &fault);
	kvfree(format);
	err = PTR_ERR_OR_ZERO(*filter);
	if (err)
		*filter = NULL;
	err = err ?: tring_examine_prepare();
	if (err != -ENOMEM)
		*shown = describe_filter(text, &fault, err);
	if (*shown)
		return err;
	tring_filter_free(*filter);
	*filter = NULL;
	return -ENOMEM;
}

/**
 * tring_filter_set - give an event of a ring a filter
 * @set: events of the ring
 * @system: system of the event
 * @name: name of the event
 * @text: the filter, in ftrace's grammar; "0" for none. White space at its end is cut off
 *
 * While the event is recorded each one passes by the filter before or by the one after.
 *
 * Context: process, may sleep.
 * Return: 0; -EINTR after a fatal signal while a CPU hangs; or an error of tring_filter_create().
 * If the text is refused the event has no filter; after another error nothing has changed.
 */
int tring_filter_set(struct tring_event_set *set, const char *system, const char *name,
		     char *text)
{
	struct tring_filter *filter = NULL;
	struct tring_event *event;
	char *shown = NULL;
	/* The first event that is examined waits for probes. */
	int err = tring_scratch_areas ? 0 : tring_events_wait_for_cpus(set->buffer);

	if (err)
		return err;
	mutex_lock(&set->switching);
	if (strcmp(strim(text), "0")) {
		err = parse_filter(set, system, name, text, &filter, &shown);
		if (!shown)
			goto free;
	}
	mutex_lock(&tring_events_mutex);
	event = shown ? tring_event_find_or_add(set, system, name) :
			tring_event_find(set, system, name);
	if (event) {
		filter = replace_filter(event, filter, shown, err);
		shown = NULL;
	} else if (shown) {
		err = -ENOMEM;
	}
	mutex_unlock(&tring_events_mutex);
	kfree(shown);
free:
	mutex_unlock(&set->switching);
	tring_filter_free(filter);
	return err;
}

/**
 * tring_filter_show - show the filter of an event, or what was wrong with the last one
 * @m: file to print to
 * @set: events of a ring
 * @system: system of the event
 * @name: name of the event
 *
 * Context: process, may sleep.
 * Return: 0.
 */
int tring_filter_show(struct seq_file *m, struct tring_event_set *set, const char *system,
		      const char *name)
{
	const struct tring_event *event;

	mutex_lock(&tring_events_mutex);
	event = tring_event_find(set, system, name);
	seq_puts(m, event && event->filter_text ? event->filter_text : "none\n");
	mutex_unlock(&tring_events_mutex);
	return 0;
}
