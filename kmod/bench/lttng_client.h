/* SPDX-License-Identifier: GPL-2.0 */
/*
 * LTTng's ring as LTTng's tracer uses it. Its client, a template in LTTng-modules, is
 * compiled into tring_bench_lttng.ko once for each mode. It is not registered as a
 * transport of LTTng's tracer.
 */
#ifndef _TRING_BENCH_LTTNG_CLIENT_H
#define _TRING_BENCH_LTTNG_CLIENT_H

#include <linux/types.h>

struct lttng_kernel_channel_buffer_ops;
struct lttng_kernel_ring_buffer_channel;
struct lttng_kernel_ring_buffer_ctx;

/**
 * struct bench_lttng_account - counters of a channel's rings
 * @bytes: bytes reserved since the beginning
 * @lost: events refused
 *
 * The rings count recorded and overwritten events only if they are built with
 * LTTNG_RING_BUFFER_COUNT_EVENTS, which costs time.
 */
struct bench_lttng_account {
	u64	bytes, lost;
};

/**
 * struct bench_lttng_client - a client
 * @ops: operations that probes call
 * @discard: discards a reservation, unused by the tracer; false if it could not
 * @count: reads the counters
 */
struct bench_lttng_client {
	struct lttng_kernel_channel_buffer_ops *ops;
	bool (*discard)(struct lttng_kernel_ring_buffer_ctx *ctx);
	void (*count)(struct lttng_kernel_ring_buffer_channel *channel,
		      struct bench_lttng_account *account);
};

extern const struct bench_lttng_client bench_lttng_overwrite, bench_lttng_discard;

#endif /* _TRING_BENCH_LTTNG_CLIENT_H */
