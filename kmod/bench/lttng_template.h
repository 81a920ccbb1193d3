/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LTTng's client template, a whole module, without its init and exit functions. No
 * include guard: the template has none.
 */
#include <linux/module.h>

#include "lttng_client.h"

#undef module_init
#undef module_exit
#define module_init(function) \
	static void *const __maybe_unused unused_##function = function
#define module_exit(function)	module_init(function)

#include "lttng-ring-buffer-client.h"

static bool discard(struct lttng_kernel_ring_buffer_ctx *ctx)
{
	bool done = !lib_ring_buffer_try_discard_reserve(&client_config, ctx);

	lib_ring_buffer_put_cpu(&client_config);
	return done;
}

static void count(struct lttng_kernel_ring_buffer_channel *channel,
		  struct bench_lttng_account *account)
{
	struct lttng_kernel_ring_buffer *buf;
	int cpu;

	for_each_online_cpu(cpu) {
		buf = channel_get_ring_buffer(&client_config, channel, cpu);
		account->bytes += v_read(&client_config, &buf->offset);
		account->lost += v_read(&client_config, &buf->records_lost_full) +
				 v_read(&client_config, &buf->records_lost_wrap) +
				 v_read(&client_config, &buf->records_lost_big);
	}
}
