/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LTTng's ring as LTTng's own tracer uses it: its client, which is a template
 * in LTTng-modules, is compiled into tring_bench_lttng.ko once for each mode.
 * It is not registered as a transport with LTTng's tracer.
 */
#ifndef _TRING_BENCH_LTTNG_CLIENT_H
#define _TRING_BENCH_LTTNG_CLIENT_H

#include <linux/types.h>

struct lttng_kernel_channel_buffer_ops;
struct lttng_kernel_ring_buffer_channel;
struct lttng_kernel_ring_buffer_ctx;

/**
 * struct bench_lttng_account - what a channel's rings have counted
 * @bytes: that were reserved, since the beginning
 * @lost: events that were turned away
 *
 * What they got and what they overwrote they do not count, unless they are
 * built with LTTNG_RING_BUFFER_COUNT_EVENTS, which costs.
 */
struct bench_lttng_account {
	u64	bytes, lost;
};

/**
 * struct bench_lttng_client - a client
 * @ops: what probes call
 * @discard: which the tracer does not use; false: it could not be taken back
 * @count: read the account
 */
struct bench_lttng_client {
	struct lttng_kernel_channel_buffer_ops *ops;
	bool (*discard)(struct lttng_kernel_ring_buffer_ctx *ctx);
	void (*count)(struct lttng_kernel_ring_buffer_channel *channel,
		      struct bench_lttng_account *account);
};

extern const struct bench_lttng_client bench_lttng_overwrite, bench_lttng_discard;

#endif /* _TRING_BENCH_LTTNG_CLIENT_H */
