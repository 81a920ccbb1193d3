// SPDX-License-Identifier: GPL-2.0
/*
 * Instances: traces, each with a ring, a set of events and a directory of files
 * of its own. There is always the one of the directory "tring" itself. Others
 * are made by mkdir in "instances", and by modules that record into a ring of
 * their own; they know nothing of each other.
 *
 * The lock of the inode of "instances" serialises all that makes, finds and
 * removes them, because the VFS holds it for mkdir and rmdir anyway. It comes
 * before all other locks of ours; for those see events.c.
 *
 * An instance goes by rmdir, which says EBUSY while somebody uses it: a file of
 * it is open, or a module has got it. So whoever finds it by one of its files
 * needs no reference. A module that has got one also keeps tring loaded, by the
 * symbols that it uses.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/fsnotify.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "compat.h"
#include "tracefs/control.h"
#include "probes/events.h"
#include "instance.h"
#include "ring/ring.h"

/**
 * struct tring_instance - a trace of its own: a ring, its events and its files
 * @control: the directory
 * @list: in instances, but for the instance of the directory "tring"
 * @users: modules that have got it
 */
struct tring_instance {
	struct tring_control	control;
	struct list_head	list;
	unsigned int		users;
};

/* The instance of the directory "tring". */
static struct tring_instance top;
static struct tring_tracefs_entry instances_dir;
/* All others; protected by the lock of instances_dir. */
static LIST_HEAD(instances);

/* All but the files. */
static int set_up_ring(struct tring_instance *instance)
{
	int err;

	instance->control.buffer = tring_buffer_create();
	if (!instance->control.buffer)
		return -ENOMEM;
	err = tring_buffer_set_subbuf_size(instance->control.buffer, TRING_SUBBUF_SIZE_DEFAULT);
	if (err)
		goto fail;
	instance->control.events = tring_events_create(instance->control.buffer);
	if (!instance->control.events) {
		err = -ENOMEM;
		goto fail;
	}
	tring_marker_init(instance->control.buffer);
	/* On, as in ftrace: what records then depends on set_event alone. */
	tring_buffer_set_recording(instance->control.buffer, true);
	return 0;

fail:
	tring_buffer_destroy(instance->control.buffer);
	return err;
}

/* When there are no files any more: nobody but its probes records into it. */
static void tear_down_ring(struct tring_instance *instance)
{
	tring_buffer_set_recording(instance->control.buffer, false);
	tring_events_destroy(instance->control.events);
	tring_buffer_destroy(instance->control.buffer);
}

static void free_instance(struct tring_instance *instance)
{
	tear_down_ring(instance);
	kvfree(instance->control.files);
	kfree(instance);
}

static void free_unpublished_instance(struct tring_instance *instance)
{
	tring_tracefs_remove_unpublished(&instance->control.tree);
	free_instance(instance);
}

/* Its files are to be published when nothing can fail any more. */
static struct tring_instance *create_instance(struct dentry *dentry)
{
	struct tring_instance *instance = kzalloc(sizeof(*instance), GFP_KERNEL);
	int err;

	if (!instance)
		return ERR_PTR(-ENOMEM);
	err = set_up_ring(instance);
	if (err) {
		kfree(instance);
		return ERR_PTR(err);
	}
	err = tring_tracefs_create_user_dir(&instance->control.tree, dentry, instance);
	if (err) {
		free_instance(instance);
		return ERR_PTR(err);
	}
	err = tring_control_create(&instance->control);
	if (err) {
		free_unpublished_instance(instance);
		return ERR_PTR(err);
	}
	return instance;
}

static void publish_instance(struct tring_instance *instance)
{
	list_add_tail(&instance->list, &instances);
	tring_tracefs_publish(&instance->control.tree);
}

static int make_instance(struct dentry *dentry)
{
	struct tring_instance *instance = create_instance(dentry);

	if (IS_ERR(instance))
		return PTR_ERR(instance);
	publish_instance(instance);
	return 0;
}

static int remove_instance(void *data)
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

static const struct tring_tracefs_user_ops user_ops = {
	.mkdir	= make_instance,
	.rmdir	= remove_instance,
};

/* With the lock of instances_dir. */
static struct tring_instance *get_instance(struct dentry *dentry)
{
	struct tring_instance *instance = tring_tracefs_dir_data(dentry);
	bool is_new = !instance;
	int err;

	if (is_new)
		instance = create_instance(dentry);
	if (IS_ERR(instance))
		return instance;
	err = tring_buffer_allocate(instance->control.buffer);
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
 * tring_instance_get - a ring to record into, with files for its readers
 * @name: of its directory in tracefs: tring/instances/@name
 *
 * If there is no such instance it is made, with the default settings: recording
 * is on, the clock is "mono" and the oldest records are overwritten. Users may
 * change that through its files, and enable the kernel's events in it as well.
 * Its memory is allocated. It stays at least until tring_instance_put(), and
 * after that until rmdir or until tring is unloaded.
 *
 * Event ids are ftrace's. Who records has an event of the kernel in its format,
 * or readers cannot know what it says.
 *
 * Context: task, may sleep.
 * Return: the ring, or an ERR_PTR(): -ENOMEM; -EINTR after a fatal signal;
 * -ENODEV if the files are not there yet because both are built into the kernel;
 * -EACCES or -ENAMETOOLONG if no directory can have that name.
 */
struct tring_buffer *tring_instance_get(const char *name)
{
	struct dentry *dir = READ_ONCE(instances_dir.dentry);
	struct tring_instance *instance;
	struct dentry *dentry;

	if (!dir)
		return ERR_PTR(-ENODEV);
	tring_tracefs_lock(dir);
	dentry = tring_tracefs_lookup(dir, name);
	if (IS_ERR(dentry)) {
		instance = ERR_CAST(dentry);
	} else {
		instance = get_instance(dentry);
		dput(dentry);
	}
	tring_tracefs_unlock(dir);
	return IS_ERR(instance) ? ERR_CAST(instance) : instance->control.buffer;
}
TRING_EXPORT(tring_instance_get);

/**
 * tring_instance_put - record no more into a ring
 * @buffer: from tring_instance_get(); the caller has no reservation in it and
 *	will make none
 *
 * Context: task, may sleep.
 */
void tring_instance_put(struct tring_buffer *buffer)
{
	struct tring_instance *instance;
	bool found = false;

	tring_tracefs_lock(instances_dir.dentry);
	list_for_each_entry(instance, &instances, list) {
		if (instance->control.buffer == buffer) {
			found = true;
			break;
		}
	}
	if (!WARN_ON_ONCE(!found || !instance->users))
		instance->users--;
	tring_tracefs_unlock(instances_dir.dentry);
}
TRING_EXPORT(tring_instance_put);

static int create_top_files(void)
{
	int err = tring_tracefs_create_root(&top.control.tree, "tring");

	if (err) {
		pr_err("cannot make the directory \"tring\": %pe\n", ERR_PTR(err));
		return err;
	}
	err = tring_control_create(&top.control);
	if (!err)
		err = tring_tracefs_mkdir(&top.control.tree, &instances_dir, "instances",
					  top.control.tree.top);
	if (err) {
		pr_err("cannot make the files: %pe\n", ERR_PTR(err));
		instances_dir.dentry = NULL;
		tring_tracefs_remove(&top.control.tree);
		kvfree(top.control.files);
	}
	return err;
}

/**
 * tring_instances_init - make the first instance, and let users make others
 *
 * To be called when all else is set up and nothing can fail any more, because
 * it ends with the files being open to everybody.
 *
 * Context: may sleep.
 * Return: 0; -EEXIST if there is something called "tring" in tracefs; -EPERM
 * under lockdown; -ENODEV without tracefs; -ENOMEM.
 */
int __init tring_instances_init(void)
{
	int err = tring_tracefs_init();

	if (err)
		return err;
	err = set_up_ring(&top);
	if (err)
		goto exit_tracefs;
	err = create_top_files();
	if (err)
		goto tear_down;
	tring_tracefs_publish(&top.control.tree);
	tring_tracefs_allow_mkdir(instances_dir.dentry, &user_ops);
	return 0;

tear_down:
	tear_down_ring(&top);
exit_tracefs:
	tring_tracefs_exit();
	return err;
}

/**
 * tring_instances_exit - remove all instances, users' first
 *
 * No file is open, no module uses one, and that stays so.
 *
 * Context: may sleep.
 */
void tring_instances_exit(void)
{
	struct tring_instance *instance, *next;

	tring_tracefs_forbid_mkdir(instances_dir.dentry);
	list_for_each_entry_safe(instance, next, &instances, list) {
		tring_tracefs_remove(&instance->control.tree);
		free_instance(instance);
	}
	tring_tracefs_remove(&top.control.tree);
	tear_down_ring(&top);
	kvfree(top.control.files);
	tring_tracefs_exit();
}
