// SPDX-License-Identifier: GPL-2.0
/*
 * The configurations. Each is as small as its subject allows, so that as many as
 * possible are explored completely.
 */
#include "world.h"

#define LEVELS_ONCE	{ 0, 1, 1, 1 }

const struct config configs[] = {
	/* Writers that interrupt each other, four levels deep */
	{
		.name = "nested-first-packet", .overwrite = true, .subbufs = 2,
		.task = "s", .nested = { NULL, "s d", "s d b", "i y b" },
		.times = LEVELS_ONCE, .share = 6,
	},
	{
		.name = "nested-overwrite", .overwrite = true, .subbufs = 2,
		.prefill = "bb", .task = "bs",
		.nested = { NULL, "s d b x", "i d b x gb", "v y b x" },
		.times = LEVELS_ONCE, .share = 12,
	},
	{
		.name = "nested-overwrite-3", .overwrite = true, .subbufs = 3,
		.prefill = "bbbs", .task = "xb",
		.nested = { NULL, "s b x", "g d b bb", "f d b" },
		.times = LEVELS_ONCE, .share = 8,
	},
	{
		.name = "nested-refuse", .overwrite = false, .subbufs = 3,
		.prefill = "b", .task = "sb",
		.nested = { NULL, "s d b x", "f d b x ib", "s y b x" },
		.times = LEVELS_ONCE, .share = 12,
	},
	{
		.name = "nested-too-large", .overwrite = true, .subbufs = 2,
		.prefill = "b", .task = "lb",
		.nested = { NULL, NULL, "l b", "l s b" },
		.times = LEVELS_ONCE, .share = 4,
	},
	{
		.name = "nested-small", .overwrite = true, .subbufs = 2,
		.prefill = "b", .task = "s", .nested = { NULL, "i", "d", "b" },
		.times = LEVELS_ONCE, .share = 3,
	},
	{
		.name = "page-end", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "pq", .nested = { NULL, NULL, "p q d", "q d" },
		.times = { 0, 0, 1, 1 }, .clock = "j", .clock_times = 1, .share = 6,
	},
	/* Pids: a record has one, or relies on that of the record before */
	{
		.name = "pid", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "sds", .nested = { NULL, "i ss", "i sd", "i y gi" },
		.times = LEVELS_ONCE, .share = 8,
	},
	{
		.name = "pid-of-the-task", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ds", .nested = { NULL, NULL, "s di v", "i d" },
		.times = { 0, 0, 2, 2 }, .share = 6,
	},
	{
		.name = "pid-long-heads", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "gfye", .nested = { NULL, NULL, "f vi gd", "i y e" },
		.times = { 0, 0, 1, 2 }, .share = 6,
	},
	{
		.name = "pid-next-packet", .overwrite = true, .subbufs = 2,
		.prefill = "b", .task = "ib", .nested = { NULL, NULL, "i x b", "i d b" },
		.times = { 0, 0, 2, 1 }, .clock = "j", .clock_times = 1, .share = 6,
	},
	{
		.name = "pid-clock-back", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ss", .nested = { NULL, NULL, NULL, "d s" },
		.times = { 0, 0, 0, 2 }, .clock = "<-", .clock_times = 1, .share = 3,
	},
	{
		.name = "pid-kept-discard", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "gs", .nested = { NULL, NULL, "d", "s" },
		.times = { 0, 0, 1, 1 }, .fine = true, .share = 4,
	},
	{
		.name = "pid-recording-off", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ss", .nested = { NULL, NULL, "i", "s" },
		.times = { 0, 0, 1, 1 }, .actors = { "01" }, .share = 4,
	},
	{
		.name = "pid-refused", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ge", .nested = { NULL, NULL, "b", "b" },
		.times = { 0, 0, 1, 1 }, .share = 3,
	},
	{
		.name = "pid-refused-late", .overwrite = false, .subbufs = 2,
		.prefill = "s", .task = "be", .nested = { NULL, NULL, "b" },
		.times = { 0, 0, 1 }, .share = 1,
	},
	/* A new trace begins while writers go on */
	{
		.name = "new-trace", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ssbd", .nested = { NULL, NULL, "i d", "s" },
		.times = { 0, 0, 1, 1 }, .actors = { "cN" }, .share = 6,
	},
	{
		.name = "new-trace-peek", .overwrite = true, .subbufs = 2,
		.prefill = "bb", .task = "bxsb", .nested = { NULL, NULL, "b" },
		.times = { 0, 0, 1 }, .actors = { "kk", "NT" }, .share = 5,
	},
	{
		.name = "new-trace-held", .overwrite = true, .subbufs = 2,
		.prefill = "bs", .task = "sb", .nested = { NULL, NULL, "b d" },
		.times = { 0, 0, 1 }, .actors = { "hNT", "k" }, .share = 4,
	},
	{
		.name = "new-trace-after-reads", .overwrite = true, .subbufs = 2,
		.prefill = "bb", .task = "sbb", .actors = { "TTNT" }, .share = 2,
	},
	{
		.name = "new-trace-refuse", .overwrite = false, .subbufs = 2,
		.prefill = "b", .task = "bbb", .nested = { NULL, NULL, "b s" },
		.times = { 0, 0, 1 }, .actors = { "NT", "n" }, .share = 5,
	},
	{
		.name = "new-trace-while-off", .overwrite = true, .subbufs = 2,
		.prefill = "b", .task = "sbs", .nested = { NULL, NULL, "s" },
		.times = { 0, 0, 1 }, .actors = { "0N1" }, .share = 3,
	},
	{
		.name = "new-trace-and-resize", .overwrite = true, .subbufs = 2,
		.prefill = "bs", .task = "sbs", .nested = { NULL, NULL, "b d" },
		.times = { 0, 0, 1 }, .actors = { "+NT*", "k" }, .share = 5,
	},
	{
		.name = "fine-new-trace", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ss", .nested = { NULL, NULL, "g" },
		.times = { 0, 0, 1 }, .actors = { "N" }, .fine = true, .share = 6,
	},
	/* Recording is requested off and on while the ring is changed */
	{
		.name = "requested", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "sbs", .nested = { NULL, NULL, "b", "s" },
		.times = { 0, 0, 1, 1 }, .actors = { "()", "T" }, .share = 6,
	},
	{
		.name = "requested-new-trace", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ssb", .nested = { NULL, NULL, "s" },
		.times = { 0, 0, 1 }, .actors = { "()", "N" }, .share = 8,
	},
	{
		.name = "requested-resize", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ssb", .nested = { NULL, NULL, "s" },
		.times = { 0, 0, 1 }, .actors = { "()", "+" }, .share = 6,
	},
	{
		.name = "fine-requested", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "s", .nested = { NULL, NULL, "s" },
		.times = { 0, 0, 1 }, .actors = { "()" }, .fine = true, .share = 6,
	},
	/* A ring that was stopped starts again with another memory or trace */
	{
		.name = "stopped-resize", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ss", .actors = { "!+" }, .share = 1,
	},
	{
		.name = "stopped-new-trace", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ss", .actors = { "!N" }, .share = 1,
	},
	/* Events get short ids while writers record them */
	{
		.name = "short-ids", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "wwbw", .nested = { NULL, NULL, "w b", "w" },
		.times = { 0, 0, 1, 1 }, .actors = { "T" }, .share = 6,
	},
	/* The position wraps while a record is open */
	{
		.name = "lap-open-commit", .overwrite = true, .subbufs = 2,
		.prefill = "b", .task = "sb",
		.nested = { NULL, NULL, "bb bbb", "b x" }, .times = { 0, 0, 2, 1 },
		.share = 8,
	},
	{
		.name = "lap-4", .overwrite = true, .subbufs = 4,
		.prefill = "bbbb", .task = "bs",
		.nested = { NULL, NULL, "bbbb bbbbb", "b s" }, .times = { 0, 0, 1, 2 },
		.share = 6,
	},
	/* Clocks that step back, stand still, jump or are traced; early interrupts */
	{
		.name = "clock", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "sds",
		.nested = { NULL, NULL, "i d", "g b" }, .times = { 0, 0, 1, 1 },
		.clock = "0-cjJ", .clock_times = 2, .share = 12,
	},
	{
		.name = "clock-back", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "s", .nested = { NULL, NULL, "s", "d i" },
		.times = { 0, 0, 1, 1 }, .clock = "<-", .clock_times = 1, .share = 3,
	},
	{
		.name = "clock-back-nested", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ds", .nested = { NULL, NULL, "i", "b" },
		.times = { 0, 0, 1, 1 }, .clock = "-", .clock_times = 1, .share = 3,
	},
	{
		.name = "clock-flush", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "s", .nested = { NULL, NULL, NULL, "s" },
		.times = { 0, 0, 0, 1 }, .clock = "-", .clock_times = 1,
		.actors = { "F" }, .share = 4,
	},
	{
		.name = "clock-packets", .overwrite = true, .subbufs = 2,
		.prefill = "b", .task = "bsb",
		.nested = { NULL, NULL, "v x", "b y" }, .times = { 0, 0, 1, 1 },
		.clock = "0-cj", .clock_times = 2, .actors = { "F" }, .share = 10,
	},
	{
		.name = "clock-traced", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "sb", .traced_clock = 6,
		.nested = { NULL, NULL, "s d" }, .times = { 0, 0, 1 }, .entry = 1,
		.share = 6,
	},
	{
		.name = "storm", .overwrite = true, .subbufs = 4,
		.prefill = "s", .task = "s", .storm = 'n', .share = 1,
	},
	{
		.name = "storm-of-the-clock", .overwrite = true, .subbufs = 4,
		.prefill = "s", .task = "s", .storm = 'c', .share = 1,
	},
	{
		.name = "storm-in-a-switch", .overwrite = true, .subbufs = 4,
		.prefill = "s", .task = "", .actors = { "-" }, .storm = 'n', .share = 1,
	},
	/* A reader and a flusher on other CPUs */
	{
		.name = "reader-overwrite", .overwrite = true, .subbufs = 2,
		.prefill = "bb", .task = "bsb", .nested = { NULL, NULL, "b sd" },
		.times = { 0, 0, 1 }, .actors = { "TT" }, .share = 12,
	},
	{
		.name = "reader-alone", .overwrite = true, .subbufs = 2,
		.prefill = "bb", .task = "bb", .actors = { "TT" }, .share = 4,
	},
	{
		.name = "reader-holds", .overwrite = true, .subbufs = 2,
		.prefill = "bb", .task = "bsb", .nested = { NULL, NULL, "b s" },
		.times = { 0, 0, 1 }, .actors = { "hTT", "+" }, .share = 6,
	},
	{
		.name = "reader-refuse", .overwrite = false, .subbufs = 2,
		.prefill = "bb", .task = "bsb", .nested = { NULL, NULL, "b sd" },
		.times = { 0, 0, 1 }, .actors = { "TtT" }, .share = 10,
	},
	{
		.name = "reader-and-flusher", .overwrite = true, .subbufs = 3,
		.prefill = "bs", .task = "gx", .nested = { NULL, NULL, "b", "d" },
		.times = { 0, 0, 1, 1 }, .actors = { "tT", "F" }, .share = 12,
	},
	{
		.name = "reader-waits", .overwrite = true, .subbufs = 2,
		.task = "sb", .nested = { NULL, NULL, "b d" },
		.times = { 0, 0, 1 }, .actors = { "ww" }, .fine = true, .share = 10,
	},
	{
		.name = "reader-waits-for-first", .overwrite = true, .subbufs = 2,
		.task = "s", .nested = { NULL, NULL, "d" },
		.times = { 0, 0, 1 }, .actors = { "w" }, .fine = true, .share = 4,
	},
	{
		.name = "reader-waits-for-half", .overwrite = true, .subbufs = 2,
		.task = "s", .nested = { NULL, NULL, "b d" },
		.times = { 0, 0, 1 }, .actors = { "PW", "F" }, .fine = true, .share = 4,
	},
	{
		.name = "reader-waits-for-any", .overwrite = true, .subbufs = 4,
		.task = "s", .nested = { NULL, NULL, "d" },
		.times = { 0, 0, 1 }, .actors = { "Pw" }, .fine = true, .share = 3,
	},
	{
		.name = "reader-offline", .overwrite = true, .subbufs = 2,
		.prefill = "b", .task = "bs", .nested = { NULL, NULL, "b d" },
		.times = { 0, 0, 1 }, .actors = { "TTT" }, .offline = true, .share = 5,
	},
	{
		.name = "recording-off", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "sbs", .nested = { NULL, NULL, "i b", "d" },
		.times = { 0, 0, 1, 1 }, .actors = { "01" }, .share = 5,
	},
	/* Peek */
	{
		.name = "peek", .overwrite = true, .subbufs = 2,
		.prefill = "bb", .task = "bb", .nested = { NULL, NULL, "b d" },
		.times = { 0, 0, 1 }, .actors = { "k", "T" }, .share = 8,
	},
	{
		.name = "peek-held", .overwrite = true, .subbufs = 2,
		.prefill = "bb", .task = "sb", .nested = { NULL, NULL, "b d" },
		.times = { 0, 0, 1 }, .actors = { "Th", "k" }, .share = 4,
	},
	{
		.name = "peek-open", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ssdb", .nested = { NULL, NULL, "s d x", "s" },
		.times = { 0, 0, 1, 1 }, .actors = { "p" }, .share = 8,
	},
	{
		.name = "peek-open-taken", .overwrite = true, .subbufs = 2,
		.prefill = "bs", .task = "sbs", .nested = { NULL, NULL, "s b" },
		.times = { 0, 0, 1 }, .actors = { "pp", "TF" }, .share = 8,
	},
	{
		.name = "peek-open-flush", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "s", .actors = { "pp", "F" }, .share = 4,
	},
	{
		.name = "peek-open-new-trace", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ss", .nested = { NULL, NULL, "s" },
		.times = { 0, 0, 1 }, .actors = { "p", "N" }, .share = 4,
	},
	{
		.name = "peek-open-resize", .overwrite = true, .subbufs = 2,
		.prefill = "bs", .task = "ss", .nested = { NULL, NULL, "s d" },
		.times = { 0, 0, 1 }, .actors = { "p", "+" }, .share = 4,
	},
	{
		.name = "fine-peek-open", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ss", .nested = { NULL, NULL, "s d" },
		.times = { 0, 0, 1 }, .actors = { "p" }, .fine = true, .share = 8,
	},
	{
		.name = "fine-peek-open-nested", .overwrite = true, .subbufs = 2,
		.task = "s", .nested = { NULL, NULL, "s" }, .times = { 0, 0, 1 },
		.actors = { "p" }, .fine = true, .share = 10,
	},
	{
		.name = "peek-open-nested", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "s", .nested = { NULL, NULL, "s", "s" },
		.times = { 0, 0, 1, 1 }, .actors = { "p" }, .share = 10,
	},
	/* Resize, sub-buffer size and snapshot */
	{
		.name = "resize-overwrite", .overwrite = true, .subbufs = 3,
		.prefill = "bb", .task = "sb", .nested = { NULL, NULL, "i d b" },
		.times = { 0, 0, 1 }, .actors = { "+-", "T" }, .share = 8,
	},
	{
		.name = "resize-refuse", .overwrite = false, .subbufs = 2,
		.prefill = "bb", .task = "sb", .nested = { NULL, NULL, "f x b" },
		.times = { 0, 0, 1 }, .actors = { "+-", "T" }, .share = 8,
	},
	{
		.name = "resize-nested", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ds", .nested = { NULL, "s y", "g d b", "i d b" },
		.times = LEVELS_ONCE, .actors = { "+" }, .clock = "-", .clock_times = 1,
		.share = 8,
	},
	{
		.name = "resize-peek", .overwrite = true, .subbufs = 2,
		.prefill = "bb", .task = "bb", .nested = { NULL, NULL, "s" },
		.times = { 0, 0, 1 }, .actors = { "-", "k" }, .share = 6,
	},
	{
		.name = "resize-level", .overwrite = true, .subbufs = 2,
		.prefill = "b", .task = "b", .actors = { "P+" }, .share = 1,
	},
	{
		.name = "resize-late-writer", .overwrite = true, .subbufs = 2,
		.task = "ss", .actors = { "+tt" }, .share = 4,
	},
	{
		.name = "subbuf-size", .overwrite = true, .subbufs = 4,
		.prefill = "b", .task = "bsb", .nested = { NULL, NULL, "b d", "s" },
		.times = { 0, 0, 1, 1 }, .actors = { "*/", "T" }, .share = 8,
	},
	{
		.name = "subbuf-size-back", .overwrite = true, .subbufs = 2,
		.task = "s", .nested = { NULL, NULL, NULL, "sb b" },
		.times = { 0, 0, 0, 1 }, .actors = { "*/" }, .share = 3,
	},
	{
		.name = "snapshot", .overwrite = true, .subbufs = 2,
		.prefill = "bs", .task = "db", .nested = { NULL, NULL, "i y b", "b" },
		.times = { 0, 0, 1, 1 }, .actors = { "no", "T" }, .share = 8,
	},
	{
		.name = "snapshot-again", .overwrite = false, .subbufs = 2,
		.prefill = "b", .task = "sbs", .nested = { NULL, NULL, "s b" },
		.times = { 0, 0, 1 }, .actors = { "nnd", "oT" }, .share = 8,
	},
	{
		.name = "snapshot-and-resize", .overwrite = true, .subbufs = 3,
		.prefill = "bbs", .task = "b", .nested = { NULL, NULL, "x b" },
		.times = { 0, 0, 1 }, .actors = { "-n", "To" }, .share = 8,
	},
	/* Each access is a point */
	{
		.name = "fine-nested", .overwrite = true, .subbufs = 2,
		.prefill = "b", .task = "sb",
		.nested = { NULL, NULL, "s d b x", "s d b" }, .times = { 0, 0, 1, 1 },
		.fine = true, .share = 12,
	},
	{
		.name = "fine-pid", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ds", .nested = { NULL, NULL, "s di", "i y s" },
		.times = { 0, 0, 1, 1 }, .fine = true, .share = 6,
	},
	{
		.name = "fine-pid-alone", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "gs", .nested = { NULL, NULL, NULL, "s i d" },
		.times = { 0, 0, 0, 2 }, .fine = true, .share = 6,
	},
	{
		.name = "fine-short-ids", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "wws", .nested = { NULL, NULL, NULL, "wb" },
		.times = { 0, 0, 0, 1 }, .actors = { "T" }, .fine = true, .share = 6,
	},
	{
		.name = "fine-reader-3", .overwrite = true, .subbufs = 3,
		.prefill = "bbb", .task = "b", .actors = { "t" }, .fine = true,
		.share = 4,
	},
	{
		.name = "fine-lap", .overwrite = true, .subbufs = 2,
		.prefill = "b", .task = "b", .nested = { NULL, NULL, "b", "bb bbb" },
		.times = { 0, 0, 1, 1 }, .fine = true, .share = 4,
	},
	{
		.name = "fine-clock", .overwrite = true, .subbufs = 2,
		.prefill = "s", .task = "ds", .nested = { NULL, NULL, NULL, "s" },
		.times = { 0, 0, 0, 1 }, .clock = "j", .clock_times = 1, .fine = true,
		.share = 3,
	},
	{
		.name = "fine-reader", .overwrite = true, .subbufs = 2,
		.prefill = "bb", .task = "b", .nested = { NULL, NULL, "b s" },
		.times = { 0, 0, 1 }, .actors = { "TT" }, .fine = true, .share = 12,
	},
};

const unsigned int nr_configs = ARRAY_SIZE(configs);
