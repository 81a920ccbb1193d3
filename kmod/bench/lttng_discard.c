// SPDX-License-Identifier: GPL-2.0
/*
 * LTTng's client that refuses new events when it is full.
 */
#define RING_BUFFER_MODE_TEMPLATE		RING_BUFFER_DISCARD
#define RING_BUFFER_MODE_TEMPLATE_STRING	"discard"
#define RING_BUFFER_OUTPUT_TEMPLATE		RING_BUFFER_SPLICE
#include "lttng_template.h"

const struct bench_lttng_client bench_lttng_discard = {
	.ops		= &lttng_relay_transport.ops,
	.discard	= discard,
	.count		= count,
};
