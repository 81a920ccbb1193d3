// SPDX-License-Identifier: GPL-2.0
/* Description: trace-cmd finds all events, contexts, times and losses in a converted trace. */
#include "every_kind.h"
#include "helpers.h"

static struct builder builder;

static void add_tick(uint64_t stamp, int32_t pid, uint64_t value)
{
	uint8_t *payload = build_record(&builder, stamp, 342, pid, 16);

	put_u64(payload + 8, value, builder.big_endian);
}

/* Differences of 2^27 and more need an extend, which a page may have no room for. */
static void write_zero(const char *dir, bool order, unsigned int ticks)
{
	unsigned int i;

	build_init(&builder, order, 0);
	builder.discarded = 3;
	build_begin(&builder, 1500000000);
	builder.flags = 0x01;	/* irqs off */
	builder.preempt_count = 2;
	add_tick(1500000000, 100, 1);
	builder.flags = 0x49;	/* an NMI, migration disabled twice */
	builder.preempt_count = 0x21;
	add_tick(1500000001 + (1u << 27) - 1, 4242, 2);
	builder.flags = 0;
	builder.preempt_count = 0;
	build_record(&builder, 1700000000, 0, 100, 12);
	add_tick(1700000000 + (1ull << 27), 4242, 3);
	add_tick(1700000000 + (1ull << 35), 4242, 4);
	for (i = 0; i < ticks; i++)
		add_tick(90000000000 + i * 1000 + (i & 1) * 7, 101, 1000 + i);
	build_end(&builder);
	build_packet(&builder, 100000000000, 1);
	builder.discarded = 1003;
	builder.seq += 2;
	build_packet(&builder, 110000000000, 1);
	build_write(&builder, dir);
}

/* @size: bytes of the text that the first event has */
static void write_eleven(const char *dir, bool order, uint32_t size)
{
	uint8_t *payload;

	build_init(&builder, order, 11);
	build_begin(&builder, 1600000000);
	payload = build_record(&builder, 1600000000, 152, 0, 16 + size);
	put_u32(payload + 8, 9, order);
	put_u32(payload + 12, size << 16 | 16, order);
	memset(payload + 16, 'a', size);
	payload[16 + size - 1] = 0;
	add_tick(1600000001, 100, 5);
	build_end(&builder);
	build_write(&builder, dir);
}

static void write_all_stats(const char *dir, unsigned int ticks)
{
	char *text = make_path("read: %u\noverwritten: 1000\nrefused_no_room: 8\n", 6 + ticks);

	write_extra(dir, "cpu0.start", "read: 0\n");
	write_extra(dir, "cpu0.end", text);
	write_extra(dir, "cpu11.start", "read: 0\n");
	write_extra(dir, "cpu11.end", "read: 2\n");
}

static void check_times(const char *dat)
{
	static const char * const wanted[] = {
		"cpus=12\n",
		"zero-100", "[000]", "1.500000000: tick:", "value=1\n",
		"<idle>-0", "[011]", "1.600000000: irq_handler_entry:", "irq=9 name=aaa",
		"zero-100", "[011]", "1.600000001: tick:", "value=5\n",
		"-4242", "1.634217728: tick:", "value=2\n",
		"1.834217728: tick:", "value=3\n",
		"36.059738368: tick:", "value=4\n",
		"one-101", "90.000000000: tick:", "value=1000\n",
		"90.000001007: tick:", "value=1001\n",
		/* refused within the first packet */
		"CPU:0 [3 EVENTS DROPPED]\n",
		"100.000000000: tick:", "value=0\n",
		/* overwritten before the third one */
		"CPU:0 [1000 EVENTS DROPPED]\n",
		"110.000000000: tick:", "value=0\n",
	};
	char *output = output_of(0, "trace-cmd report -t %s", dat);

	check_texts(output, wanted, COUNT(wanted));
}

static void check_contexts(const char *dat)
{
	static const char * const wanted[] = {
		"zero-100     0d..2.", "value=1\n", "-4242    0d.h12", "value=2\n",
		"-4242    0.....", "value=3\n",
	};
	char *output = output_of(0, "trace-cmd report -l %s", dat);

	check_texts(output, wanted, COUNT(wanted));
}

/* What no page can tell, and what the trace is. */
static void check_options(const char *dat, unsigned int ticks, const char *clock)
{
	char *current = make_path("[%s]", clock);
	char *events = make_path("read events: %20u\n", ticks + 6);
	const char * const wanted[] = {
		"CPU: 0\n", events, "lost events:                 1008\n",
		"lost behind the last event:                    5\n", "CPU: 11\n",
		"read events:                    2\n", "lost events:                    0\n",
	};
	char *output = output_of(0, "trace-cmd report --stat %s", dat);

	check_texts(output, wanted, COUNT(wanted));
	output = output_of(0, "trace-cmd dump --options -i %s", dat);
	CHECK(strstr(output, current));
	CHECK(strstr(output, "Linux test \"host\" 6.1.0"));
	CHECK(strstr(output, "tring 0."));
}

/* Each tick is there once, with its time: the pages have no gap. */
static void check_ticks(const char *dat, unsigned int ticks)
{
	char *output;
	unsigned int i;
	char *at;

	output = output_of(0, "trace-cmd report -t %s | grep -c one-101", dat);
	CHECK_EQ(strtoul(output, NULL, 10), ticks);
	output = output_of(0, "trace-cmd report -t %s | grep one-101", dat);
	at = output;
	for (i = 0; i < ticks; i++) {
		char *wanted = make_path("90.%09u: ", i * 1000 + (i & 1) * 7);
		char *value = make_path("value=%u\n", 1000 + i);

		at = strstr(at, wanted);
		if (!at)
			fail(output, i, wanted);
		at = strstr(at, value);
		if (!at)
			fail(output, i, value);
	}
}

/* trace-cmd takes the times of few clocks for nanoseconds. */
static void set_clock(const char *dir, const char *clock)
{
	check_run(0, "", "sed -i s/clock=mono/clock=%s/ %s/tring/trace_info", clock, dir);
}

static void check_order(bool order, unsigned int ticks, uint32_t size, const char *clock)
{
	char *dir = make_path("%s/%s%u", temp_dir(), order ? "be" : "le", size);
	char *dat = make_path("%s.dat", dir), *output;
	char *command = make_path("$TRING convert --to trace.dat -o %s %s", dat, dir);

	make_trace(dir, order);
	set_clock(dir, clock);
	write_all_stats(dir, ticks);
	write_zero(dir, order, ticks);
	write_eleven(dir, order, size);
	CHECK_EQ(run(command, &output), 0);
	check_texts(output, (const char *[]){ "CPU 0: 5 events are lost behind" }, 1);
	check_times(dat);
	check_contexts(dat);
	check_options(dat, ticks, clock);
	check_ticks(dat, ticks);
	/* once more over the old file */
	CHECK_EQ(run(command, &output), 0);
}

int main(void)
{
	if (!have("trace-cmd")) {
		printf("trace-cmd is not installed\n");
		return SKIPPED;
	}
	/* payloads with and without a length of their own, and one that needs larger pages */
	check_order(false, 1500, 93, "mono");
	check_order(true, 1500, 97, "boot");
	check_order(false, 2, 30000, "tsc");
	return 0;
}
