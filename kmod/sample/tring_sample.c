// SPDX-License-Identifier: GPL-2.0
/* Records a "print" event at each tick; read it in tring/instances/sample. */
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/trace_events.h>
#include "compat.h"
#include "instance.h"
#include "ring/fast.h"
#include "session/session.h"

struct print_entry {	/* layout of events/ftrace/print/format, whose id is 5 */
	struct trace_entry	ent;
	unsigned long		ip;
	char			buf[];
};

static struct tring_buffer *buffer;
static struct task_struct *ticker;
static struct tring_key key;

static int record_ticks(void *unused)
{
	for (unsigned long i = 0; !kthread_should_stop(); i++) {
		char text[32];
		int size = scnprintf(text, sizeof(text), "tick %lu\n", i) + 1;
		struct print_entry *entry;
		struct tring_record record;

		if (!tring_reserve(buffer, READ_ONCE(key.head) | tring_context(0, 0), current->pid,
				   sizeof(*entry) + size, &record)) {
			entry = record.payload;
			entry->ip = _THIS_IP_;
			memcpy(entry->buf, text, size);
			tring_commit(&record);
		}
		schedule_timeout_interruptible(1);
	}
	return 0;
}

static int __init init_sample(void)
{
	buffer = tring_instance_get("sample");
	if (IS_ERR(buffer))
		return PTR_ERR(buffer);
	tring_buffer_add_event(buffer, &key, 5, 0, true);
	ticker = kthread_run(record_ticks, NULL, "tring_sample");
	if (IS_ERR(ticker)) {
		tring_buffer_remove_event(buffer, &key);
		tring_instance_put(buffer);
	}
	return PTR_ERR_OR_ZERO(ticker);
}

static void __exit exit_sample(void)
{
	kthread_stop(ticker);
	tring_buffer_remove_event(buffer, &key);
	tring_instance_put(buffer);
}
module_init(init_sample);
module_exit(exit_sample);
MODULE_DESCRIPTION("A line at each tick, recorded with tring");
MODULE_LICENSE("GPL");
TRING_IMPORT_NS;
