// SPDX-License-Identifier: GPL-2.0
/*
 * The directory of a trace: the list of its files, and the files that hold one
 * value. Names, units and modes are those of ftrace's file of the same name
 * (Documentation/trace/ftrace.rst).
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "clock_names.h"
#include "control.h"
#include "pages.h"
#include "probes/call_strings.h"
#include "probes/cgroups.h"
#include "probes/cmdlines.h"
#include "probes/events.h"
#include "probes/stack.h"
#include "probes/tasks.h"
#include "ring/ring.h"

#define MODE_READ	0440
#define MODE_WRITE	0640
#define MODE_MARKER	0220
#define MODE_SECRET	0600

#define KILOBYTES_MAX	(ULONG_MAX >> 10)

/* Of what is written at once. */
#define TEXT_MAX	SZ_64K

/* What the files that list all events show is shorter, some 60 KiB. */
#define LIST_SIZE	SZ_128K

static unsigned long get_tracing_on(struct tring_file *file)
{
	/* What a trigger has asked for counts from that moment on. */
	return READ_ONCE(file->buffer->wanted_recording);
}

/* As in ftrace, each number but 0 means on. */
static int set_tracing_on(struct tring_file *file, unsigned long value)
{
	tring_buffer_set_recording(file->buffer, value);
	return 0;
}

static int show_short_ids(struct seq_file *m, struct tring_file *file)
{
	tring_events_show_short(m, file->events);
	return 0;
}

static unsigned long get_overwrite(struct tring_file *file)
{
	return READ_ONCE(file->buffer->overwrite);
}

static int set_overwrite(struct tring_file *file, unsigned long on)
{
	tring_buffer_set_overwrite(file->buffer, on);
	return 0;
}

static unsigned long get_event_fork(struct tring_file *file)
{
	return !!READ_ONCE(file->events->tasks.forks);
}

static int set_event_fork(struct tring_file *file, unsigned long on)
{
	return tring_events_wait_for_cpus(file->buffer) ?:
	       tring_tasks_follow_forks(file->events, on);
}

#if TRING_HAS_CGROUPS
static int show_cgroups(struct seq_file *m, struct tring_file *file)
{
	return tring_cgroups_show(m, file->events);
}

static int store_cgroups(struct tring_file *file, const char *text)
{
	return tring_events_wait_for_cpus(file->buffer) ?: tring_cgroups_set(file->events, text);
}
#endif

static enum tring_stack stack_of_option(const struct tring_file *file)
{
	return strcmp(file->type->name, "stacktrace") ? TRING_STACK_USER : TRING_STACK_KERNEL;
}

static unsigned long get_stacktrace(struct tring_file *file)
{
	return READ_ONCE(file->events->stacks.wanted) >> stack_of_option(file) & 1;
}

static int set_stacktrace(struct tring_file *file, unsigned long on)
{
	return tring_events_wait_for_cpus(file->buffer) ?:
	       tring_stacks_set(file->events, stack_of_option(file), on);
}

#ifdef CONFIG_FTRACE_SYSCALLS
static unsigned long get_string_size(struct tring_file *file)
{
	return READ_ONCE(file->events->string_size);
}

/* As in ftrace, more than the most is the most. */
static int set_string_size(struct tring_file *file, unsigned long size)
{
	return tring_events_wait_for_cpus(file->buffer) ?:
	       tring_call_strings_set(file->events, min_t(unsigned long, size, U32_MAX));
}
#endif

/* For all CPUs: the size of each, or X if they differ. */
static int show_buffer_size(struct seq_file *m, struct tring_file *file)
{
	unsigned long size;
	int cpu = file->cpu;

	if (cpu != TRING_ALL_CPUS) {
		seq_printf(m, "%lu\n", tring_buffer_size(file->buffer, cpu) >> 10);
		return 0;
	}
	size = tring_buffer_size(file->buffer, cpumask_first(cpu_possible_mask));
	for_each_possible_cpu(cpu) {
		if (tring_buffer_size(file->buffer, cpu) != size) {
			seq_puts(m, "X\n");
			return 0;
		}
	}
	seq_printf(m, "%lu\n", size >> 10);
	return 0;
}

/**
 * tring_control_set_size - give rings another size
 * @buffer: the trace
 * @cpu: CPU of the ring, or TRING_ALL_CPUS
 * @text: KiB of each ring
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if @text is no size; -ENOMEM; or another error of
 * tring_buffer_resize().
 */
int tring_control_set_size(struct tring_buffer *buffer, int cpu, const char *text)
{
	unsigned int rings = cpu == TRING_ALL_CPUS ? num_online_cpus() : 1;
	unsigned long kb;
	int err;

	if (kstrtoul(text, 10, &kb) || kb > KILOBYTES_MAX)
		return -EINVAL;
	/* A ring whose CPU is offline is allocated later; it could not be now. */
	err = READ_ONCE(buffer->allocator)->ask(array_size(rings, kb << 10));
	return err ?: tring_buffer_resize(buffer, cpu, kb << 10);
}

static int store_buffer_size(struct tring_file *file, const char *text)
{
	return tring_control_set_size(file->buffer, file->cpu, text);
}

static unsigned long get_total_size(struct tring_file *file)
{
	unsigned long bytes = 0;
	int cpu;

	/* As in ftrace without the readers' sub-buffers and the snapshot. */
	for_each_possible_cpu(cpu)
		if (READ_ONCE(tring_cpu_buffer(file->buffer, cpu)->memory))
			bytes += tring_buffer_size(file->buffer, cpu);
	return bytes >> 10;
}

static unsigned long get_subbuf_size(struct tring_file *file)
{
	return tring_buffer_subbuf_size(file->buffer) >> 10;
}

static int set_subbuf_size(struct tring_file *file, unsigned long kb)
{
	return tring_buffer_set_subbuf_size(file->buffer, kb << 10);
}

static unsigned long get_percent(struct tring_file *file)
{
	return READ_ONCE(file->buffer->percent);
}

/* The default is 0, any event wakes a reader; ftrace's is 50. */
static int set_percent(struct tring_file *file, unsigned long percent)
{
	tring_buffer_set_percent(file->buffer, percent);
	return 0;
}

static int show_clock(struct seq_file *m, struct tring_file *file)
{
	enum tring_clock current_clock = READ_ONCE(file->buffer->clock);
	enum tring_clock clock;
	const char *space = "";

	for (clock = 0; clock < TRING_CLOCKS; clock++) {
		if (!tring_clock_available(clock) && clock != current_clock)
			continue;
		seq_printf(m, clock == current_clock ? "%s[%s]" : "%s%s", space,
			   tring_name_of_clock(clock));
		space = " ";
	}
	seq_putc(m, '\n');
	return 0;
}

/**
 * tring_control_set_clock - give a trace another clock, which begins a new trace
 * @buffer: the trace
 * @name: the clock's name
 *
 * Context: process, may sleep.
 * Return: 0, also if it has that clock already; -EINVAL if there is no such clock, or the
 * kernel finds it unstable; or an error of tring_buffer_new_trace().
 */
int tring_control_set_clock(struct tring_buffer *buffer, const char *name)
{
	enum tring_clock clock = tring_clock_of_name(name);

	if (clock == TRING_CLOCKS)
		return -EINVAL;
	/* Stamps of two clocks cannot be compared: another clock begins a new trace. */
	if (clock == READ_ONCE(buffer->clock))
		return 0;
	if (!tring_clock_available(clock)) {
		pr_warn("the clock %s is refused: the kernel finds it unstable, or this machine has none\n",
			name);
		return -EINVAL;
	}
	return tring_buffer_new_trace(buffer, clock);
}

static int store_clock(struct tring_file *file, const char *text)
{
	return tring_control_set_clock(file->buffer, text);
}

static int show_cpumask(struct seq_file *m, struct tring_file *file)
{
	cpumask_var_t mask;
	int cpu;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		if (!READ_ONCE(tring_cpu_buffer(file->buffer, cpu)->left_out))
			cpumask_set_cpu(cpu, mask);
	seq_printf(m, "%*pb\n", cpumask_pr_args(mask));
	free_cpumask_var(mask);
	return 0;
}

static int store_cpumask(struct tring_file *file, const char *text)
{
	cpumask_var_t mask;
	int err;

	if (!zalloc_cpumask_var(&mask, GFP_KERNEL))
		return -ENOMEM;
	err = cpumask_parse(text, mask);
	if (!err)
		tring_buffer_set_cpus(file->buffer, mask);
	free_cpumask_var(mask);
	return err;
}

static int show_available_events(struct seq_file *m, struct tring_file *file)
{
	tring_events_show_available(m, file->events, !strcmp(file->type->name, "event_sources"));
	return 0;
}

static int show_saved_cmdlines(struct seq_file *m, struct tring_file *file)
{
	tring_cmdlines_show(m);
	return 0;
}

static int show_control_file(struct seq_file *m, void *unused)
{
	struct tring_file *file = m->private;

	if (!file->type->get)
		return file->type->show(m, file);
	seq_printf(m, "%lu\n", file->type->get(file));
	return 0;
}

/*
 * A text that does not fit is made again, with twice the room. To find out whether an event can be
 * recorded takes a search through all of them.
 */
static int open_control_file(struct inode *inode, struct file *filp)
{
	struct tring_file *file = tring_file_of(inode);
	bool lists_events = file->type->show == show_available_events;

	/* root passes the mode's check */
	if (filp->f_mode & FMODE_WRITE && !(file->type->mode & 0222))
		return -EACCES;
	return single_open_size(filp, show_control_file, file,
				lists_events ? LIST_SIZE : PAGE_SIZE);
}

static int store_text(struct file *filp, struct tring_file *file, char *text)
{
	const struct tring_file_type *type = file->type;
	unsigned long value;
	int err;

	if (type->event)
		return tring_store_event_file(filp, text);
	text = strim(text);
	if (type->store)
		return type->store(file, text);
	err = kstrtoul(text, 10, &value);
	if (!err && value > type->max)
		err = -EINVAL;
	return err ?: type->set(file, value);
}

static ssize_t write_control_file(struct file *filp, const char __user *from,
				  size_t count, loff_t *pos)
{
	struct seq_file *m = filp->private_data;
	struct tring_file *file = m->private;
	char *text;
	int err;

	/* As in ftrace, but for the paths of cgroups, of which there may be many. */
	if (!count)
		return file->type->event ? 0 : -EINVAL;
	if (count >= (file->type->event ? PAGE_SIZE : TEXT_MAX))
		return -EINVAL;
	text = memdup_user_nul(from, count);
	if (IS_ERR(text))
		return PTR_ERR(text);
	err = store_text(filp, file, text);
	kfree(text);
	if (err)
		return err;
	*pos += count;
	return count;
}

/**
 * tring_control_lseek - llseek() of a file that is shown as a seq_file
 * @filp: as of file_operations::llseek()
 * @offset: as of file_operations::llseek()
 * @whence: as of file_operations::llseek()
 *
 * As in ftrace: fopen() of a file to append to, and so "tee -a", seeks to its end, which a seq_file
 * does not know.
 *
 * Context: process, may sleep.
 * Return: the new position, or -EINVAL.
 */
loff_t tring_control_lseek(struct file *filp, loff_t offset, int whence)
{
	if (filp->f_mode & FMODE_READ)
		return seq_lseek(filp, offset, whence);
	filp->f_pos = 0;
	return 0;
}

static const struct file_operations file_fops = {
	.owner		= THIS_MODULE,
	.open		= open_control_file,
	.read		= seq_read,
	.write		= write_control_file,
	.llseek		= tring_control_lseek,
	.release	= single_release,
};

/* A file that holds a number, of get_WHAT() and set_WHAT(). */
#define NUMBER(name, what, most)						\
	{ name, MODE_WRITE, &file_fops, .get = get_##what, .set = set_##what, .max = most }

static const struct tring_file_type top_types[] = {
	{ "trace", MODE_WRITE, &tring_trace_fops },
	NUMBER("tracing_on", tracing_on, ULONG_MAX),
	{ "set_event", MODE_WRITE, &tring_set_event_fops },
	{ "set_event_pid", MODE_WRITE, &tring_set_event_pid_fops },
	{ "set_event_notrace_pid", MODE_WRITE, &tring_set_event_pid_fops },
#if TRING_HAS_CGROUPS
	{ "set_event_cgroup", MODE_WRITE, &file_fops, show_cgroups, store_cgroups },
#endif
	{ "tracing_cpumask", MODE_WRITE, &file_fops, show_cpumask, store_cpumask },
	{ "available_events", MODE_READ, &file_fops, show_available_events },
	{ "event_sources", MODE_READ, &file_fops, show_available_events },
	{ "saved_cmdlines", MODE_READ, &file_fops, show_saved_cmdlines },
#ifdef CONFIG_DYNAMIC_FTRACE
	{ "current_tracer", MODE_WRITE, &file_fops, tring_show_current_tracer,
	  tring_store_current_tracer },
	{ "available_tracers", MODE_READ, &file_fops, tring_show_available_tracers },
	{ "set_ftrace_filter", MODE_WRITE, &tring_function_list_fops },
	{ "set_ftrace_notrace", MODE_WRITE, &tring_function_list_fops },
	{ "set_graph_function", MODE_WRITE, &tring_function_list_fops },
	{ "max_graph_depth", MODE_WRITE, &file_fops, .get = tring_get_max_graph_depth,
	  .set = tring_set_max_graph_depth, .max = UINT_MAX },
#endif
#ifdef CONFIG_FTRACE_SYSCALLS
	NUMBER("syscall_user_buf_size", string_size, ULONG_MAX),
#endif
	{ "buffer_size_kb", MODE_WRITE, &file_fops, show_buffer_size, store_buffer_size },
	NUMBER("buffer_subbuf_size_kb", subbuf_size, KILOBYTES_MAX),
	{ "buffer_total_size_kb", MODE_READ, &file_fops, .get = get_total_size },
	NUMBER("buffer_percent", percent, 100),
	{ "snapshot", MODE_WRITE, &file_fops, tring_show_snapshot, .set = tring_set_snapshot,
	  .max = 2 },
	{ "trace_clock", MODE_WRITE, &file_fops, show_clock, store_clock },
	{ "trace_info", MODE_READ, &file_fops, tring_show_trace_info },
	{ "short_ids", MODE_READ, &file_fops, show_short_ids },
	{ "symbols", MODE_SECRET, &tring_symbols_fops },
	{ "trace_marker", MODE_MARKER, &tring_marker_fops },
	{ "persistent", MODE_WRITE, &file_fops, .get = tring_get_persistent,
	  .set = tring_set_persistent, .max = 1 },
	{ "blob", MODE_WRITE, &tring_blob_fops },
};

/* Of the module, not of a trace. */
static const struct tring_file_type module_types[] = {
	{ "last_boot", MODE_SECRET, &tring_last_boot_fops },
};

static const struct tring_file_type option_types[] = {
	NUMBER("overwrite", overwrite, 1),
	NUMBER("event-fork", event_fork, 1),
	NUMBER("stacktrace", stacktrace, 1),
#if TRING_HAS_USER_STACKS
	NUMBER("userstacktrace", stacktrace, 1),
#endif
};

static const struct tring_file_type cpu_types[] = {
	{ "stats", MODE_READ, &file_fops, tring_show_stats },
	{ "buffer_size_kb", MODE_WRITE, &file_fops, show_buffer_size, store_buffer_size },
	{ "trace_pipe_raw_compact", MODE_READ, &tring_pipe_fops },
	{ "snapshot_raw_compact", MODE_READ, &tring_snapshot_pipe_fops },
	{ "trace_raw_compact", MODE_READ, &tring_peek_fops },
};

/*
 * The files in "events", by depth: of all events, of a system, of an event. Each exists
 * where ftrace has one of the same name, too.
 */
static const struct tring_file_type several_events_types[] = {
	{ "enable", MODE_WRITE, &file_fops, tring_show_event_file, .event = &tring_enable_file },
};

static const struct tring_file_type event_types[] = {
	{ "enable", MODE_WRITE, &file_fops, tring_show_event_file, .event = &tring_enable_file },
	{ "trigger", MODE_WRITE, &file_fops, tring_show_event_file, .event = &tring_trigger_file },
	{ "id", MODE_READ, &file_fops, tring_show_event_id },
	{ "format", MODE_READ, &file_fops, tring_show_event_format },
	{ "filter", MODE_WRITE, &file_fops, tring_show_event_file, .event = &tring_filter_file },
};

static const struct {
	const struct tring_file_type	*types;
	unsigned int			count;
} event_dir_types[TRING_MIRROR_DEPTHS] = {
	{ several_events_types, ARRAY_SIZE(several_events_types) },
	{ several_events_types, ARRAY_SIZE(several_events_types) },
	{ event_types, ARRAY_SIZE(event_types) },
};

/**
 * struct place - where the next file or directory is made
 * @control: the trace
 * @next: next unused element of @control->files
 * @dir: the directory
 * @cpu: CPU of the files, or TRING_ALL_CPUS
 */
struct place {
	struct tring_control	*control;
	struct tring_file	*next;
	struct dentry		*dir;
	int			cpu;
};

static struct tring_file *add_file(struct place *place, const struct tring_file_type *type)
{
	struct tring_control *control = place->control;
	struct tring_file *file = place->next++;

	file->type = type;
	file->buffer = control->buffer;
	file->events = control->events;
	file->functions = control->functions;
	file->cpu = place->cpu;
	file->tracefs.fops = type->fops;
	return file;
}

static int create_files(struct place *place, const struct tring_file_type *types,
			size_t count)
{
	const struct tring_file_type *type;
	int err;

	for (type = types; type < types + count; type++) {
		struct tring_file *file = add_file(place, type);

		err = tring_tracefs_create(&place->control->tree, &file->tracefs, type->name,
					   type->mode, place->dir);
		if (err)
			return err;
	}
	return 0;
}

/* Makes a directory; @place is inside it afterwards. */
static int create_dir(struct place *place, const char *name)
{
	struct tring_tracefs_entry *entry = &place->next++->tracefs;
	int err;

	err = tring_tracefs_mkdir(&place->control->tree, entry, name, place->dir);
	place->dir = entry->dentry;
	return err;
}

static int create_option_files(struct place *place)
{
	int err;

	place->dir = place->control->tree.top;
	err = create_dir(place, "options");
	return err ?: create_files(place, option_types, ARRAY_SIZE(option_types));
}

static int create_event_dirs(struct place *place)
{
	struct tring_control *control = place->control;
	unsigned int depth, i;
	int err;

	place->dir = control->tree.top;
	err = create_dir(place, "events");
	if (err)
		return err;
	for (depth = 0; depth < TRING_MIRROR_DEPTHS; depth++) {
		struct tring_mirror_level *level = &control->event_dirs.levels[depth];

		level->files = place->next;
		level->count = event_dir_types[depth].count;
		for (i = 0; i < level->count; i++)
			add_file(place, &event_dir_types[depth].types[i])->level = level;
	}
	tring_mirror_init(&control->event_dirs, &control->tree, place->dir);
	return 0;
}

static int create_cpu_files(struct place *place)
{
	struct dentry *per_cpu_dir;
	char name[16];
	int err;

	place->dir = place->control->tree.top;
	err = create_dir(place, "per_cpu");
	if (err)
		return err;
	per_cpu_dir = place->dir;
	for_each_possible_cpu(place->cpu) {
		snprintf(name, sizeof(name), "cpu%d", place->cpu);
		place->dir = per_cpu_dir;
		err = create_dir(place, name);
		err = err ?: create_files(place, cpu_types, ARRAY_SIZE(cpu_types));
		if (err)
			return err;
	}
	return 0;
}

/**
 * tring_control_create - make all files of a trace
 * @control: the trace; all members but @files are set
 *
 * The files cannot be opened before tring_tracefs_publish(). Also after an error the
 * caller must remove @control->tree and then kvfree() @control->files.
 *
 * Context: may sleep; with the inode lock of the parent of @control->tree's top held, if
 * users can make directories there.
 * Return: 0 or -ENOMEM.
 */
int tring_control_create(struct tring_control *control)
{
	/* Directories count: options, events, per_cpu and that of each CPU. */
	size_t count = ARRAY_SIZE(top_types) + ARRAY_SIZE(module_types) + 1 +
		       ARRAY_SIZE(option_types) + 1 + 2 * ARRAY_SIZE(several_events_types) +
		       ARRAY_SIZE(event_types) + 1 +
		       (1 + ARRAY_SIZE(cpu_types)) * num_possible_cpus();
	struct place place = {
		.control	= control,
		.dir		= control->tree.top,
		.cpu		= TRING_ALL_CPUS,
	};
	int err;

	control->files = kvcalloc(count, sizeof(*control->files), GFP_KERNEL);
	if (!control->files)
		return -ENOMEM;
	place.next = control->files;

	err = create_files(&place, top_types, ARRAY_SIZE(top_types));
	if (!err && control->is_first)
		err = create_files(&place, module_types, ARRAY_SIZE(module_types));
	err = err ?: create_option_files(&place);
	err = err ?: create_event_dirs(&place);
	return err ?: create_cpu_files(&place);
}
