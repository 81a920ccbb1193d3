// SPDX-License-Identifier: GPL-2.0
/*
 * symbols: names an address of the kernel. An address is written as a hexadecimal number, and
 * what is read next is its name as "%pS" prints it: "FUNCTION+OFFSET/SIZE [MODULE]", or the
 * number if it lies in no function.
 *
 * A trace prints a few hundred addresses. /proc/kallsyms prints all symbols of the kernel, which
 * takes longer than all else that a recorder does at its end.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>

#include "control.h"

/* /proc/kallsyms shows addresses to users with this capability, whatever the file's mode is. */
static int open_symbols(struct inode *inode, struct file *filp)
{
	filp->private_data = NULL;
	return capable(CAP_SYSLOG) ? 0 : -EPERM;
}

/* Each write begins the next name, wherever a reader of the last one has stopped. */
static ssize_t write_symbols(struct file *filp, const char __user *from, size_t count,
			     loff_t *pos)
{
	unsigned long address;
	int err = kstrtoul_from_user(from, count, 16, &address);

	if (err)
		return err;
	filp->private_data = (void *)address;
	*pos = 0;
	return count;
}

static ssize_t read_symbols(struct file *filp, char __user *to, size_t count, loff_t *pos)
{
	char name[KSYM_SYMBOL_LEN + 1];
	int length = scnprintf(name, sizeof(name), "%pS\n", filp->private_data);

	return simple_read_from_buffer(to, count, pos, name, length);
}

const struct file_operations tring_symbols_fops = {
	.owner		= THIS_MODULE,
	.open		= open_symbols,
	.read		= read_symbols,
	.write		= write_symbols,
	.llseek		= default_llseek,
};
