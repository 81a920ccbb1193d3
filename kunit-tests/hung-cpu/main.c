// SPDX-License-Identifier: GPL-2.0
/*
 * tring_hung_cpu.ko: lets a CPU hang with interrupts off, as a driver that waits for its device
 * may. Writing the CPU's number to the parameter "hang" begins that, and writing -1 ends it; the
 * parameter "hangs" tells whether the CPU hangs.
 * scripts/guest/hung-cpu.sh loads this module.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/processor.h>

static struct task_struct *task;
static int hang = -1;
static bool hangs;

static int hang_here(void *unused)
{
	local_irq_disable();
	WRITE_ONCE(hangs, true);
	while (READ_ONCE(hang) >= 0)
		cpu_relax();
	WRITE_ONCE(hangs, false);
	local_irq_enable();
	/* Until kthread_stop(), which needs the task. */
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static void end_hang(void)
{
	WRITE_ONCE(hang, -1);
	if (task)
		kthread_stop(task);
	task = NULL;
}

/* The parameters' lock excludes other writers. */
static int set_hang(const char *text, const struct kernel_param *param)
{
	int cpu, err = kstrtoint(text, 0, &cpu);

	if (err)
		return err;
	end_hang();
	if (cpu < 0)
		return 0;
	if (cpu >= nr_cpu_ids || !cpu_online(cpu))
		return -ENXIO;
	task = kthread_create(hang_here, NULL, "tring_hung_cpu");
	if (IS_ERR(task)) {
		err = PTR_ERR(task);
		task = NULL;
		return err;
	}
	kthread_bind(task, cpu);
	WRITE_ONCE(hang, cpu);
	wake_up_process(task);
	return 0;
}

static const struct kernel_param_ops hang_ops = {
	.set = set_hang,
	.get = param_get_int,
};

module_param_cb(hang, &hang_ops, &hang, 0600);
MODULE_PARM_DESC(hang, "CPU that hangs with interrupts off, or -1");
module_param(hangs, bool, 0400);
MODULE_PARM_DESC(hangs, "it hangs");

static int __init init_hung_cpu(void)
{
	return 0;
}

static void __exit exit_hung_cpu(void)
{
	end_hang();
}

module_init(init_hung_cpu);
module_exit(exit_hung_cpu);
MODULE_DESCRIPTION("A test of tring beside a CPU that hangs");
MODULE_LICENSE("GPL");
