// SPDX-License-Identifier: GPL-2.0
/*
 * Instances: independent traces. Each has a ring, a set of events and a directory of
 * files. The instance of the directory "tring" always exists. Users make others by
 * mkdir in "instances", modules by tring_instance_get().
 *
 * The inode lock of "instances" serialises making, finding and removing instances,
 * since the VFS holds it for mkdir and rmdir anyway. It is the outermost lock; see
 * events.c for the others.
 *
 * rmdir removes an instance. It fails with EBUSY while a file of the instance is open
 * or a module has got the instance, so file operations need no reference. A module
 * that has got an instance pins tring by the symbols that it uses.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/fsnotify.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "boot.h"
#include "compat.h"
#include "tracefs/control.h"
#include "probes/cmdlines.h"
#include "probes/events.h"
#include "probes/functions.h"
#include "instance.h"
#include "pages.h"
#include "session/session.h"

/**
 * struct tring_instance - a trace of its own: a ring, its events and its files
 * @control: the directory
 * @list: in user_instances, but for the instance of the directory "tring"
 * @users: modules that have got it
 */
struct tring_instance {
	struct tring_control	control;
	struct list_head	list;
	unsigned int		users;
};

/* The instance of the directory "tring". */
static struct tring_instance top_instance;
static struct tring_tracefs_entry instances_dir;
/* All other instances; protected by the inode lock of instances_dir. */
static LIST_HEAD(user_instances);

/* Makes the ring and the events, without files. */
static int create_ring(struct tring_control *control)
{
	int err;

	control->buffer = tring_buffer_create();
	if (!control->buffer)
		return -ENOMEM;
	err = tring_buffer_set_subbuf_size(control->buffer, TRING_SUBBUF_SIZE_DEFAULT);
	if (err)
		goto destroy_buffer;
	err = -ENOMEM;
	control->events = tring_events_create(control->buffer);
	if (!control->events)
		goto destroy_buffer;
	control->functions = tring_functions_create(control->events);
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE) && !control->functions)
		goto destroy_events;
	tring_marker_init(control->buffer, &control->print);
	/* As in ftrace, recording is on, and set_event tells what is recorded. */
	tring_buffer_set_recording(control->buffer, true);
	return 0;

destroy_events:
	tring_events_destroy(control->events);
destroy_buffer:
	tring_buffer_destroy(control->buffer);
	return err;
}

/* The files are gone, so probes and functions are the only writers. */
static void destroy_ring(struct tring_control *control)
{
	tring_buffer_set_recording(control->buffer, false);
	tring_functions_destroy(control->functions);
	tring_events_destroy(control->events);
	tring_buffer_destroy(control->buffer);
}

static void free_instance(struct tring_instance *instance)
{
	destroy_ring(&instance->control);
	kvfree(instance->control.files);
	kfree(instance);
}

static void free_unpublished_instance(struct tring_instance *instance)
{
	tring_tracefs_remove_unpublished(&instance->control.tree);
	free_instance(instance);
}

/* The caller publishes the files when nothing can fail any more. */
static struct tring_instance *create_instance(struct dentry *dentry)
{
	struct tring_instance *instance = kzalloc(sizeof(*instance), GFP_KERNEL);
	int err;

	if (!instance)
		return ERR_PTR(-ENOMEM);
	err = create_ring(&instance->control);
	if (err)
		goto free;
	err = tring_tracefs_create_user_dir(&instance->control.tree, dentry, instance);
	if (err)
		goto destroy;
	err = tring_control_create(&instance->control);
	if (!err)
		return instance;
	tring_tracefs_remove_unpublished(&instance->control.tree);
	kvfree(instance->control.files);
destroy:
	destroy_ring(&instance->control);
free:
	kfree(instance);
	return ERR_PTR(err);
}

static void publish_instance(struct tring_instance *instance)
{
	list_add_tail(&instance->list, &user_instances);
	tring_tracefs_publish(&instance->control.tree);
}

/* As in ftrace: an instance that could not have rings of the default size is not made. */
static int make_user_instance(struct dentry *dentry)
{
	int err = tring_pages.ask(num_online_cpus() * TRING_BUFFER_SIZE_DEFAULT);
	struct tring_instance *instance;

	if (err)
		return err;
	tring_pages_begin();
	instance = create_instance(dentry);
	tring_pages_end();
	if (IS_ERR(instance))
		return PTR_ERR(instance);
	publish_instance(instance);
	return 0;
}

static int remove_user_instance(void *data)
{
	struct tring_instance *instance = data;
	int err;

	if (instance->users)
		return -EBUSY;
	err = tring_tracefs_remove_unused(&instance->control.tree);
	if (err)
		return err;
	list_del(&instance->list);
	free_instance(instance);
	return 0;
}

static const struct tring_tracefs_user_ops instance_user_ops = {
	.mkdir	= make_user_instance,
	.rmdir	= remove_user_instance,
};

/* With the inode lock of instances_dir held. */
static struct tring_instance *get_instance(struct dentry *dentry)
{
	bool is_new = !d_really_is_positive(dentry);
	struct tring_instance *instance;
	int err;

	instance = is_new ? create_instance(dentry) : d_inode(dentry)->i_private;
	if (IS_ERR(instance))
		return instance;
	err = tring_cmdlines_allocate(instance->control.buffer);
	if (err) {
		if (is_new)
			free_unpublished_instance(instance);
		return ERR_PTR(err);
	}
	if (is_new) {
		publish_instance(instance);
		fsnotify_mkdir(d_inode(dentry->d_parent), dentry);
	}
	instance->users++;
	return instance;
}

/**
 * tring_instance_get - get a ring for a module to record into
 * @name: name of the directory in tracefs: tring/instances/@name
 *
 * If there is no such instance, it is made with the default settings: recording is
 * on, the clock is "mono" and the oldest records are overwritten. Users can change
 * the settings through the files, and also enable the kernel's events. The ring's
 * memory is allocated. The instance stays at least until tring_instance_put(), then
 * until rmdir or until tring is unloaded.
 *
 * Event ids are ftrace's: each record must have the format of the event in the kernel
 * whose id it has, because readers decode it by that format.
 *
 * Context: task, may sleep.
 * Return: the ring, or an ERR_PTR(): -ENOMEM; -EINTR after a fatal signal;
 * -ENODEV if tring is built in and not initialised yet; -EACCES or -ENAMETOOLONG if
 * @name is not a valid name.
 */
struct tring_buffer *tring_instance_get(const char *name)
{
	struct dentry *dir = READ_ONCE(instances_dir.dentry);
	struct tring_instance *instance;
	struct dentry *dentry;

	if (!dir)
		return ERR_PTR(-ENODEV);
	inode_lock_nested(d_inode(dir), I_MUTEX_PARENT);
	dentry = tring_lookup(name, dir);
	if (IS_ERR(dentry)) {
		instance = ERR_CAST(dentry);
	} else {
		instance = get_instance(dentry);
		dput(dentry);
	}
	inode_unlock(d_inode(dir));
	return IS_ERR(instance) ? ERR_CAST(instance) : instance->control.buffer;
}
TRING_EXPORT(tring_instance_get);

/**
 * tring_instance_put - stop using a ring
 * @buffer: ring from tring_instance_get(), in which the caller has no reservation
 *	and makes none any more
 *
 * Context: task, may sleep.
 */
void tring_instance_put(struct tring_buffer *buffer)
{
	struct inode *dir = d_inode(instances_dir.dentry);
	struct tring_instance *instance;

	inode_lock_nested(dir, I_MUTEX_PARENT);
	list_for_each_entry(instance, &user_instances, list)
		if (instance->control.buffer == buffer && !WARN_ON_ONCE(!instance->users))
			instance->users--;
	inode_unlock(dir);
}
TRING_EXPORT(tring_instance_put);

static int create_top_files(void)
{
	int err = tring_tracefs_create_root(&top_instance.control.tree, "tring");

	if (err) {
		pr_err("cannot make the directory \"tring\": %pe\n", ERR_PTR(err));
		return err;
	}
	top_instance.control.is_first = true;
	err = tring_control_create(&top_instance.control);
	if (!err)
		err = tring_tracefs_mkdir(&top_instance.control.tree, &instances_dir, "instances",
					  top_instance.control.tree.top);
	if (err) {
		pr_err("cannot make the files: %pe\n", ERR_PTR(err));
		instances_dir.dentry = NULL;
		tring_tracefs_stop();
		tring_tracefs_remove(&top_instance.control.tree);
		kvfree(top_instance.control.files);
	}
	return err;
}

/**
 * tring_instances_init - make the first instance, and allow users to make others
 *
 * The last step of init: on success users can open the files.
 *
 * Context: may sleep.
 * Return: 0; -EEXIST if tracefs already has an entry "tring"; -EPERM under lockdown;
 * -ENODEV without tracefs; -ENOMEM; or an error of tring_boot_start().
 */
int __init tring_instances_init(void)
{
	int err = tring_tracefs_init();

	if (err)
		return err;
	err = create_ring(&top_instance.control);
	if (err)
		goto exit_tracefs;
	err = tring_boot_start(top_instance.control.buffer, top_instance.control.events);
	if (err)
		goto destroy;
	err = create_top_files();
	if (err)
		goto destroy;
	tring_tracefs_publish(&top_instance.control.tree);
	tring_tracefs_allow_mkdir(instances_dir.dentry, &instance_user_ops);
	return 0;

destroy:
	destroy_ring(&top_instance.control);
exit_tracefs:
	tring_tracefs_exit();
	return err;
}

/**
 * tring_instances_exit - remove all instances
 *
 * No file is open and no module has an instance, since each would pin tring.
 *
 * Context: may sleep.
 */
void tring_instances_exit(void)
{
	struct tring_instance *instance, *next;

	tring_tracefs_forbid_mkdir(instances_dir.dentry);
	list_for_each_entry(instance, &user_instances, list)
		tring_mirror_remove(&instance->control.event_dirs);
	tring_mirror_remove(&top_instance.control.event_dirs);
	tring_tracefs_stop();
	list_for_each_entry_safe(instance, next, &user_instances, list) {
		tring_tracefs_remove(&instance->control.tree);
		free_instance(instance);
	}
	tring_tracefs_remove(&top_instance.control.tree);
	destroy_ring(&top_instance.control);
	kvfree(top_instance.control.files);
	tring_tracefs_exit();
}
