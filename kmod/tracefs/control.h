/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What all files of a trace share. See control.c.
 */
#ifndef _TRING_CONTROL_H
#define _TRING_CONTROL_H

#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/types.h>

#include "dir.h"
#include "mirror.h"
#include "session/key.h"
#include "tring_version.h"

#define TRING_ALL_CPUS	(-1)

struct tring_buffer;
struct tring_event_set;
struct tring_file;
struct tring_functions;

/**
 * struct tring_event_file - a file of an event that can be written, or of a system, or of all
 * @show: prints the content; the name, or both names, are "" where several events are meant
 * @store: takes a written text, which it may change
 */
struct tring_event_file {
	int (*show)(struct seq_file *m, struct tring_event_set *set, const char *system,
		    const char *name);
	int (*store)(struct tring_event_set *set, const char *system, const char *name,
		     char *text);
};

/**
 * struct tring_file_type - a file in the directory of a trace, or of each CPU
 * @name: file name
 * @mode: permissions; as in ftrace, none for others
 * @fops: file operations; those of control.c call the functions below
 * @show: prints the content
 * @store: takes a written text without surrounding white space
 * @get: instead of @show, of a file that holds a number
 * @set: instead of @store: takes a number. Returns 0 or an error
 * @max: the largest number
 * @event: instead of @store: what the file does with events
 */
struct tring_file_type {
	const char			*name;
	umode_t				mode;
	const struct file_operations	*fops;
	int (*show)(struct seq_file *m, struct tring_file *file);
	int (*store)(struct tring_file *file, const char *text);
	unsigned long (*get)(struct tring_file *file);
	int (*set)(struct tring_file *file, unsigned long value);
	unsigned long			max;
	const struct tring_event_file	*event;
};

/**
 * struct tring_file - a file or directory of a trace
 * @tracefs: entry of dir.c
 * @type: file type; NULL for a directory
 * @buffer: the ring
 * @events: the kernel's events that @buffer records
 * @functions: the functions that @buffer records
 * @cpu: CPU of the file, or TRING_ALL_CPUS
 * @level: of a file in "events" or below: depth of its directory; else NULL
 */
struct tring_file {
	struct tring_tracefs_entry	tracefs;
	const struct tring_file_type	*type;
	struct tring_buffer		*buffer;
	struct tring_event_set		*events;
	struct tring_functions		*functions;
	int				cpu;
	struct tring_mirror_level	*level;
};

/**
 * struct tring_control - the directory of a trace
 * @buffer: the ring
 * @print: key of the event that trace_marker records
 * @events: the kernel's events that @buffer records
 * @functions: the functions that @buffer records
 * @tree: the directory: "tring" itself, or one that a user made
 * @event_dirs: the directory "events" in @tree
 * @is_first: the directory is "tring"
 * @files: array of all files and directories in @tree; the files of one name in
 *	@event_dirs share one element for each depth
 */
struct tring_control {
	struct tring_buffer		*buffer;
	struct tring_key		print;
	struct tring_event_set		*events;
	struct tring_functions		*functions;
	struct tring_tracefs_tree	tree;
	struct tring_mirror		event_dirs;
	bool				is_first;
	struct tring_file		*files;
};

static inline struct tring_file *tring_file_of(struct inode *inode)
{
	return container_of((struct tring_tracefs_entry *)inode->i_private,
			    struct tring_file, tracefs);
}

/* control.c APIs: */
int tring_control_create(struct tring_control *control);
loff_t tring_control_lseek(struct file *filp, loff_t offset, int whence);
int tring_control_set_size(struct tring_buffer *buffer, int cpu, const char *text);
int tring_control_set_clock(struct tring_buffer *buffer, const char *name);

/* info_file.c APIs: */
int tring_show_stats(struct seq_file *m, struct tring_file *file);
int tring_show_trace_info(struct seq_file *m, struct tring_file *file);

/* marker.c APIs: */
extern const struct file_operations tring_marker_fops;
void tring_marker_init(struct tring_buffer *buffer, struct tring_key *print);

/* set_event.c APIs: */
extern const struct file_operations tring_set_event_fops;

/* event_files.c APIs: */
extern const struct tring_event_file tring_enable_file;
extern const struct tring_event_file tring_filter_file;
extern const struct tring_event_file tring_trigger_file;
int tring_show_event_format(struct seq_file *m, struct tring_file *file);
int tring_show_event_id(struct seq_file *m, struct tring_file *file);
int tring_show_event_file(struct seq_file *m, struct tring_file *file);
int tring_store_event_file(const struct file *filp, char *text);

/* set_event_pid.c APIs: */
extern const struct file_operations tring_set_event_pid_fops;

/* function_files.c APIs, with CONFIG_DYNAMIC_FTRACE: */
extern const struct file_operations tring_function_list_fops;
int tring_show_current_tracer(struct seq_file *m, struct tring_file *file);
int tring_store_current_tracer(struct tring_file *file, const char *text);
unsigned long tring_get_max_graph_depth(struct tring_file *file);
int tring_set_max_graph_depth(struct tring_file *file, unsigned long depth);
int tring_show_available_tracers(struct seq_file *m, struct tring_file *file);

/* trace_file.c APIs: */
extern const struct file_operations tring_trace_fops;

/* snapshot_file.c APIs: */
int tring_show_snapshot(struct seq_file *m, struct tring_file *file);
int tring_set_snapshot(struct tring_file *file, unsigned long value);

/* peek_file.c APIs: */
extern const struct file_operations tring_peek_fops;

/* blackbox_files.c APIs: */
extern const struct file_operations tring_blob_fops;
extern const struct file_operations tring_last_boot_fops;
unsigned long tring_get_persistent(struct tring_file *file);
int tring_set_persistent(struct tring_file *file, unsigned long on);

/* symbols_file.c APIs: */
extern const struct file_operations tring_symbols_fops;

/* pipe.c APIs: */
extern const struct file_operations tring_pipe_fops;
extern const struct file_operations tring_snapshot_pipe_fops;

#endif /* _TRING_CONTROL_H */
