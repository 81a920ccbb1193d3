// SPDX-License-Identifier: GPL-2.0
/*
 * tring_hung_cpu.ko: lets a CPU hang with interrupts off, as a driver that waits for its device
 * may. Writing the CPU's number to the parameter "hang" begins that, and writing -1 ends it; the
 * parameter "hangs" tells whether the CPU hangs. Writing it to "hang_in_switch" lets the CPU hang
 * when tring has next given its ring another memory, and before it knows that no writer is left in
 * the former one.
 * scripts/guest/hung-cpu.sh loads this module.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/cpu.h>
#include <linux/err.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/processor.h>
#include <linux/smp.h>

static struct task_struct *task;
static int hang = -1;
static bool hangs;

static void hang_here(void *unused)
{
	WRITE_ONCE(hangs, true);
	while (READ_ONCE(hang) >= 0)
		cpu_relax();
	WRITE_ONCE(hangs, false);
}

static call_single_data_t call = CSD_INIT(hang_here, NULL);

static int hang_in_task(void *unused)
{
	local_irq_disable();
	hang_here(NULL);
	local_irq_enable();
	/* Until kthread_stop(), which needs the task. */
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

/*
 * Behind the switch tring calls tring_drain(). It goes on when the CPU hangs. The kernel does not
 * turn a probe with such a handler into a jump, for which it would wait for all CPUs.
 */
static void hang_behind_switch(struct kprobe *unused, struct pt_regs *regs, unsigned long flags)
{
	int cpu = READ_ONCE(hang);

	if (cpu < 0 || READ_ONCE(hangs) || cpu == raw_smp_processor_id())
		return;
	if (!smp_call_function_single_async(cpu, &call))
		while (!READ_ONCE(hangs))
			cpu_relax();
}

static struct kprobe probe = {
	.symbol_name = "tring_drain",
	.post_handler = hang_behind_switch,
};

static void end_hang(void)
{
	WRITE_ONCE(hang, -1);
	/* Waits for the end of the call, too: no grace period ends before. */
	if (probe.addr)
		unregister_kprobe(&probe);
	probe.addr = NULL;
	if (task)
		kthread_stop(task);
	task = NULL;
}

static int begin_hang(int cpu)
{
	int err;

	task = kthread_create(hang_in_task, NULL, "tring_hung_cpu");
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

static int begin_hang_in_switch(int cpu)
{
	int err;

	probe.flags = 0;
	err = register_kprobe(&probe);
	if (err)
		probe.addr = NULL;
	else
		WRITE_ONCE(hang, cpu);
	return err;
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
	return param->arg ? begin_hang(cpu) : begin_hang_in_switch(cpu);
}

static const struct kernel_param_ops hang_ops = {
	.set = set_hang,
	.get = param_get_int,
};

static const struct kernel_param_ops hang_in_switch_ops = {
	.set = set_hang,
};

module_param_cb(hang, &hang_ops, &hang, 0600);
MODULE_PARM_DESC(hang, "CPU that hangs with interrupts off, or -1");
module_param_cb(hang_in_switch, &hang_in_switch_ops, NULL, 0200);
MODULE_PARM_DESC(hang_in_switch, "CPU that hangs so when its ring is next given another memory");
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
