// SPDX-License-Identifier: GPL-2.0
/*
 * tring_bench_lttng.ko: LTTng's ring in the benchmark, called as LTTng's probes call it:
 * through the operations of the channel. The session, channel and event that the
 * client uses are made here with the values of LTTng's tracer: compact headers, no
 * context fields.
 *
 * LTTng has one clock for all, a monotonic one. A plugin can register another, a struct
 * lttng_trace_clock, but not while LTTng's tracer is loaded. So this file sets the
 * pointer itself.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/errno.h>
#include <linux/module.h>
#include <linux/printk.h>

#include <lttng/clock.h>
#include <lttng/events.h>
#include <lttng/events-internal.h>
#include <lttng/tracer.h>
#include <wrapper/trace-clock.h>

#include "bench.h"
#include "lttng_client.h"

/* Defaults of "lttng enable-channel". */
#define SUBBUFS			4
#define HEADER_COMPACT		1

static const struct bench_lttng_client *client;
static struct lttng_kernel_session session;
static struct lttng_kernel_session_private session_private;
static struct lttng_kernel_channel_buffer channel;
static struct lttng_kernel_channel_buffer_private channel_private;
static struct lttng_kernel_event_recorder event;
static struct lttng_kernel_event_recorder_private event_private;
static unsigned long subbuf_size;
static u64 source[256 / sizeof(u64)];

static u64 notrace read_tsc(void)
{
	return rdtsc();
}

static u64 no_frequency(void)
{
	return 0;
}

static int no_uuid(char *uuid)
{
	return -ENODATA;
}

static const char *clock_text(void)
{
	return "tsc";
}

static struct lttng_trace_clock tsc_plugin = {
	.read64		= read_tsc,
	.freq		= no_frequency,
	.uuid		= no_uuid,
	.name		= clock_text,
	.description	= clock_text,
};

/* LTTng can fill a record only by copying into it. */
static __always_inline unsigned long write_event(unsigned int length)
{
	struct lttng_kernel_channel_buffer *chan = event.chan;
	struct lttng_kernel_ring_buffer_ctx ctx;

	lib_ring_buffer_ctx_init(&ctx, &event, length, sizeof(u64), NULL);
	if (chan->ops->event_reserve(&ctx))
		return 0;
	chan->ops->event_write(&ctx, source, length, sizeof(u64));
	chan->ops->event_commit(&ctx);
	return 1 + ctx.priv.buf_offset / subbuf_size;
}

static __always_inline unsigned long copy_event(unsigned int length)
{
	return write_event(length);
}

static __always_inline unsigned long discard_event(unsigned int length)
{
	struct lttng_kernel_channel_buffer *chan = event.chan;
	struct lttng_kernel_ring_buffer_ctx ctx;

	lib_ring_buffer_ctx_init(&ctx, &event, length, sizeof(u64), NULL);
	if (chan->ops->event_reserve(&ctx))
		return 0;
	return client->discard(&ctx);
}

#include "ops.h"

static int prepare(enum tring_clock clock, bool overwrite, unsigned long bytes)
{
	if (clock != TRING_CLOCK_TSC && clock != TRING_CLOCK_MONO)
		return -EINVAL;
	client = overwrite ? &bench_lttng_overwrite : &bench_lttng_discard;
	subbuf_size = bytes / SUBBUFS;
	session.priv = &session_private;
	channel.parent.session = &session;
	channel.priv = &channel_private;
	channel.ops = client->ops;
	channel_private.header_type = HEADER_COMPACT;
	channel_private.rb_chan =
		client->ops->priv->channel_create("tring_bench", &channel, NULL, subbuf_size,
						  SUBBUFS, 0, 0);
	event.chan = &channel;
	event.priv = &event_private;
	event_private.id = 7;
	if (!channel_private.rb_chan)
		return -ENOMEM;
	WRITE_ONCE(lttng_trace_clock, clock == TRING_CLOCK_TSC ? &tsc_plugin : NULL);
	return 0;
}

/* An event takes a header of 4 bytes and at least 8 bytes of payload. */
static int finish(u64 reserved, u64 kept)
{
	struct bench_lttng_account account = { };

	client->count(channel_private.rb_chan, &account);
	client->ops->priv->channel_destroy(channel_private.rb_chan);
	WRITE_ONCE(lttng_trace_clock, NULL);
	if (!account.lost && account.bytes >= kept * 12 &&
	    (kept || account.bytes < subbuf_size))
		return 0;
	pr_err("%llu reserved, %llu kept; LTTng: bytes %llu lost %llu\n",
	       reserved, kept, account.bytes, account.lost);
	return -EUCLEAN;
}

static struct bench_ring bench_lttng = {
	.name		= "lttng",
	.prepare	= prepare,
	.finish		= finish,
	.ops		= ops,
};

static int __init init_lttng(void)
{
	bench_ring_add(&bench_lttng);
	return 0;
}
module_init(init_lttng);

static void __exit exit_lttng(void)
{
	bench_ring_remove(&bench_lttng);
}
module_exit(exit_lttng);

MODULE_DESCRIPTION("LTTng's ring, for tring's benchmark");
MODULE_LICENSE("GPL");
