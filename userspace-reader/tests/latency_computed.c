// SPDX-License-Identifier: GPL-2.0
/* Description: times between two events are those that happened; behind a loss they are unknown. */
#include "top_trace.h"

/*
 * Interrupts that begin and end on any CPU, at random. A trace from which packets are missing
 * must tell no time that the whole one does not.
 */
#define CPUS		3
#define IRQS		6
#define EVENTS		900
#define PACKETS		200
#define SEEDS		100

/**
 * struct event - what happened
 * @stamp: when
 * @cpu: where
 * @irq: its interrupt
 * @begins: it is a begin
 * @packet: its packet
 */
static struct event {
	uint64_t	stamp;
	unsigned int	cpu;
	unsigned int	irq;
	bool		begins;
	unsigned int	packet;
} events[EVENTS];

/* The first event and the CPU of each packet. */
static unsigned int packet_count, packet_cpus[PACKETS];
static bool missing[PACKETS];
static char *dir;

static unsigned int chance(unsigned int of)
{
	return random() % of;
}

static void happen(void)
{
	unsigned int open[CPUS], room[CPUS] = { 0 }, i;
	uint64_t now = 1000000000;

	packet_count = 0;
	for (i = 0; i < EVENTS; i++) {
		struct event *event = &events[i];
		unsigned int cpu = chance(CPUS);

		now += 1 + chance(100000);
		if (!room[cpu]) {
			CHECK(packet_count < PACKETS);
			packet_cpus[packet_count] = cpu;
			open[cpu] = packet_count++;
			room[cpu] = 1 + chance(20);
		}
		room[cpu]--;
		*event = (struct event) {
			.stamp = now, .cpu = cpu, .irq = chance(IRQS), .begins = chance(2),
			.packet = open[cpu],
		};
	}
}

static void add_event(struct builder *builder, const struct event *event)
{
	if (event->begins)
		top_irq(build_record(builder, event->stamp, TOP_IRQ_ENTRY, event->cpu, 24),
			event->irq, "eth0", false);
	else
		put_u32(build_record(builder, event->stamp, TOP_IRQ_EXIT, event->cpu,
				     TOP_NUMBER_LENGTH) + 8, event->irq, false);
}

static void add_packet(struct builder *builder, unsigned int packet)
{
	bool begun = false;
	unsigned int i;

	for (i = 0; i < EVENTS; i++) {
		if (events[i].packet != packet)
			continue;
		if (!begun)
			build_begin(builder, events[i].stamp);
		begun = true;
		add_event(builder, &events[i]);
	}
	build_end(builder);
}

static unsigned int size_of(unsigned int packet)
{
	unsigned int count = 0, i;

	for (i = 0; i < EVENTS; i++)
		count += events[i].packet == packet;
	return count;
}

static void write_cpu(unsigned int cpu)
{
	unsigned int kept = 0, lost = 0, packet;
	struct builder builder;

	build_init(&builder, false, cpu);
	for (packet = 0; packet < packet_count; packet++) {
		if (packet_cpus[packet] != cpu)
			continue;
		if (missing[packet]) {
			builder.seq++;
			lost += size_of(packet);
			continue;
		}
		add_packet(&builder, packet);
		kept += size_of(packet);
	}
	top_write(dir, &builder, kept, 0, lost);
}

/* Return: what "tring latency --json" prints. */
static char *ask(bool own_cpu)
{
	unsigned int cpu;

	for (cpu = 0; cpu < CPUS; cpu++)
		write_cpu(cpu);
	return output_of(0, "$TRING latency --json -n 10000 --by irq --key irq%s %s %s",
			 own_cpu ? ",common_cpu" : "", "irq_handler_entry irq_handler_exit", dir);
}

static uint64_t number(const char *text, const char *name)
{
	const char *at = strstr(text, make_path("\"%s\":", name));

	if (!at)
		fail(text, 0, name);
	return strtoull(at + strlen(name) + 3, NULL, 10);
}

/* Return: true if @text has this time among the longest ones. */
static bool has_time(const char *text, const struct event *begin, const struct event *end)
{
	const char *found = strstr(text, make_path("\"from\":%" PRIu64 ",\"to\":%" PRIu64
						   ",\"cpu\":%u,", begin->stamp, end->stamp,
						   end->cpu));

	return found && !strncmp(strstr(found, "\"key\":"),
				 make_path("\"key\":\"irq=%u", end->irq), 11);
}

static bool is_pair(const struct event *begin, const struct event *end, bool own_cpu)
{
	return begin->irq == end->irq && (!own_cpu || begin->cpu == end->cpu);
}

/* The times of the whole trace, by looking back from each end. Return: how many @text has */
static unsigned int count_times(const char *text, bool own_cpu, bool all)
{
	unsigned int count = 0, i, j;

	for (i = 0; i < EVENTS; i++) {
		if (events[i].begins)
			continue;
		for (j = i; j && !is_pair(&events[j - 1], &events[i], own_cpu); j--)
			;
		if (!j || !events[j - 1].begins)
			continue;
		if (has_time(text, &events[j - 1], &events[i]))
			count++;
		else if (all)
			fail(text, i, "a time that happened");
	}
	return count;
}

/* Each event is in one of the numbers. */
static void check_balance(const char *text)
{
	uint64_t known = number(text, "count") + number(text, "unknown");
	uint64_t begins = 0, ends = 0;
	unsigned int i;

	for (i = 0; i < EVENTS; i++) {
		if (missing[events[i].packet])
			continue;
		begins += events[i].begins;
		ends += !events[i].begins;
	}
	CHECK_EQ(known + number(text, "begins_repeated") + number(text, "begins_alone") +
		 number(text, "begins_lost"), begins);
	CHECK_EQ(known + number(text, "ends_alone") + number(text, "ends_lost"), ends);
}

static void check_whole(bool own_cpu)
{
	char *text;

	memset(missing, 0, sizeof(missing));
	text = ask(own_cpu);
	check_balance(text);
	CHECK_EQ(number(text, "unknown") + number(text, "begins_lost") +
		 number(text, "ends_lost"), 0);
	CHECK_EQ(count_times(text, own_cpu, true), number(text, "count"));
}

static uint64_t unknown, known;

static void check_cut(bool own_cpu)
{
	unsigned int packet;
	char *text;

	for (packet = 0; packet < packet_count; packet++)
		missing[packet] = !chance(30);
	text = ask(own_cpu);
	check_balance(text);
	/* no other time than those of the whole trace */
	CHECK_EQ(count_times(text, own_cpu, false), number(text, "count"));
	unknown += number(text, "unknown");
	known += number(text, "count");
}

int main(void)
{
	uint64_t seed = test_seed(1);
	unsigned int i;

	dir = make_path("%s/trace", temp_dir());
	top_make(dir, false);
	for (i = 0; i < SEEDS; i++) {
		srandom(seed + i);
		happen();
		if (i % 10 == 0) {
			check_whole(false);
			check_whole(true);
		}
		check_cut(i % 2);
	}
	/* the losses are few, so most times are known */
	CHECK(unknown > SEEDS && known > unknown);
	return 0;
}
