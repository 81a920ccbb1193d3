// SPDX-License-Identifier: GPL-2.0
/*
 * marker-threads [-c] [-l] [-n BYTES] TRACER DIR THREADS MILLISECONDS - threads
 * write events to one trace_marker for a while, and one consumer drains the rings
 * each half a second. In the end
 *
 *	added = drained + evicted + remaining
 *
 * must hold. "Added" counts successful writes, "drained" the events in the data
 * read, and the other two are counters of the ring. If it does not hold, the exit
 * status is 1. Otherwise a line of words "key=value" has the results.
 *
 * TRACER is tring or ftrace, and DIR its directory with the files trace_marker and
 * per_cpu; or TRACER is null, and DIR is a file that is no ring, to measure the cost
 * of the system call alone.
 *
 *	-c	read everything in the end and check the texts: those of a thread on
 *		a CPU are in order, and complete if none was evicted
 *	-l	go on after that time until a text is evicted or refused
 *	-n	length of a text including its newline; default 32
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "fail.h"
#include "records.h"
#include "tring_format.h"

#define DRAIN_MS	500
/* A hang guard for -l */
#define LOST_MS		600000
#define READ_SIZE	1048576
#define THREADS_MAX	1024
#define TEXT_MAX	1024
/* Two numbers of eight digits, each with a separator. */
#define TEXT_MIN	18
/* The event `print`: ftrace's id, tring's type, and the offset of its text. */
#define PRINT_ID	5
#define PRINT_TYPE	1
#define PRINT_TEXT	8

/* ftrace's pages: a timestamp, a length with flags, events with a packed head. */
#define PAGE		4096U
#define PAGE_HEAD	16
#define PAGE_LENGTH	0xfffffU
#define PAGE_WORDS_MAX	28
#define PAGE_PADDING	29
/* Size of the common fields in ftrace's payloads; the id comes first. */
#define PAGE_ENTRY	8

struct writer {
	pthread_t	thread;
	unsigned int	number;
	uint64_t	added;
	uint64_t	refused;
	uint64_t	cpu_ns;
	uint64_t	begin;
	uint64_t	end;
};

struct ring {
	unsigned int	cpu;
	int		fd;
	char		*bytes;
	size_t		filled;
	uint64_t	drained;
	uint64_t	evicted_before;
	uint64_t	refused_before;
	uint32_t	*next;		/* by thread: least number that may follow */
};

struct total {
	uint64_t	events;
	uint64_t	sum;		/* sum of the numbers */
};

static const char *dir;
static bool is_tring, is_null, checks, until_lost;
static unsigned int threads, length = 32;
static int marker;
static struct writer writers[THREADS_MAX];
static struct total totals[THREADS_MAX];
static struct ring *rings;
static unsigned int ring_count;
static pthread_barrier_t barrier;
static atomic_bool writers_stop, consumer_stop;

static uint64_t now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000ULL + time.tv_nsec;
}

static void wait_ms(unsigned int ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000L };

	/* time: how long the threads write, and the interval of the waits for them */
	nanosleep(&time, NULL);
}

static void put_number(char *text, uint32_t number)
{
	static const char digits[] = "0123456789abcdef";
	int shift;

	for (shift = 28; shift >= 0; shift -= 4)
		*text++ = digits[number >> shift & 15];
}

static uint32_t get_number(const char *text)
{
	char digits[9], *end;
	uint32_t number;

	memcpy(digits, text, 8);
	digits[8] = '\0';
	number = strtoul(digits, &end, 16);
	if (end != digits + 8)
		fail("no number: '%s'", digits);
	return number;
}

static void *write_events(void *data)
{
	struct writer *writer = data;
	char text[TEXT_MAX];
	uint64_t start;

	memset(text, '.', length);
	put_number(text, writer->number);
	text[8] = ' ';
	text[length - 1] = '\n';
	pthread_barrier_wait(&barrier);
	writer->begin = now(CLOCK_MONOTONIC);
	start = now(CLOCK_THREAD_CPUTIME_ID);
	while (!atomic_load_explicit(&writers_stop, memory_order_relaxed)) {
		put_number(text + 9, writer->added);
		if (write(marker, text, length) == (ssize_t)length)
			writer->added++;
		else if (errno == EBADF)
			writer->refused++;
		else
			fail("write: %s", strerror(errno));
	}
	writer->cpu_ns = now(CLOCK_THREAD_CPUTIME_ID) - start;
	writer->end = now(CLOCK_MONOTONIC);
	return NULL;
}

static void check_text(struct ring *ring, const char *fields, size_t size)
{
	uint32_t number, thread;

	/* ftrace's text may have padding behind the NUL. */
	if (size < PRINT_TEXT + length + 1 || (is_tring && size > PRINT_TEXT + length + 1) ||
	    memchr(fields + PRINT_TEXT, '\0', size - PRINT_TEXT) != fields + PRINT_TEXT + length)
		fail("CPU %u: text of another length", ring->cpu);
	thread = get_number(fields + PRINT_TEXT);
	number = get_number(fields + PRINT_TEXT + 9);
	if (thread >= threads || number < ring->next[thread])
		fail("CPU %u: thread %u: %u after %u", ring->cpu, thread, number,
		     ring->next[thread] - 1);
	ring->next[thread] = number + 1;
	totals[thread].events++;
	totals[thread].sum += number;
}

static uint32_t get_u32(const char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static void take_event(struct ring *ring, unsigned int id, const char *fields, size_t size)
{
	ring->drained++;
	if (!checks)
		return;
	if (id != PRINT_ID)
		fail("CPU %u: event of id %u", ring->cpu, id);
	check_text(ring, fields, size);
}

/* The ring must not contain discarded records. */
static void take_packet(struct ring *ring, const char *packet, size_t content)
{
	size_t offset = TRING_PACKET_HEADER_SIZE;
	struct guest_record record;

	while (offset < content) {
		take_record(packet, &offset, content, &record);
		if (record.discarded)
			fail("CPU %u: a discarded record", ring->cpu);
		take_event(ring, record.type == PRINT_TYPE ? PRINT_ID : record.id,
			   record.fields, record.length);
	}
}

/* Returns the size of the whole packets at the beginning. */
static size_t take_packets(struct ring *ring)
{
	struct tring_packet_header header;
	size_t at = 0;

	while (ring->filled - at >= sizeof(header)) {
		memcpy(&header, ring->bytes + at, sizeof(header));
		if (header.magic != TRING_PACKET_MAGIC)
			fail("CPU %u: no packet", ring->cpu);
		if (header.packet_size / 8 > ring->filled - at)
			break;
		take_packet(ring, ring->bytes + at, header.content_size / 8);
		at += header.packet_size / 8;
	}
	return at;
}

static size_t take_page(struct ring *ring)
{
	size_t offset = PAGE_HEAD, end, size, header;
	unsigned int type;
	uint16_t id;

	if (ring->filled != PAGE)
		fail("CPU %u: a page of %zu bytes", ring->cpu, ring->filled);
	end = PAGE_HEAD + (get_u32(ring->bytes + 8) & PAGE_LENGTH);
	for (; offset < end; offset += header + size) {
		type = get_u32(ring->bytes + offset) & 31;
		header = type ? 4 : 8;
		size = type * 4;
		if (!type)
			size = get_u32(ring->bytes + offset + 4) - 4;
		if (type == PAGE_PADDING)
			break;
		if (type > PAGE_WORDS_MAX) {
			size = 4;	/* the rest of a timestamp */
			continue;
		}
		memcpy(&id, ring->bytes + offset + header, sizeof(id));
		take_event(ring, id, ring->bytes + offset + header + PAGE_ENTRY,
			   size - PAGE_ENTRY);
	}
	return ring->filled;
}

static void drain(struct ring *ring)
{
	ssize_t count;
	size_t taken;

	for (;;) {
		count = read(ring->fd, ring->bytes + ring->filled,
			     is_tring ? READ_SIZE - ring->filled : PAGE);
		if (count < 0 && errno == EAGAIN)
			break;
		if (count <= 0)
			fail("CPU %u: read: %s", ring->cpu, count ? strerror(errno) : "end");
		ring->filled += count;
		taken = is_tring ? take_packets(ring) : take_page(ring);
		ring->filled -= taken;
		memmove(ring->bytes, ring->bytes + taken, ring->filled);
	}
	if (ring->filled)
		fail("CPU %u: a torn packet", ring->cpu);
}

static void *consume(void *data)
{
	uint64_t *cpu_ns = data;
	unsigned int i, waited = 0;

	while (!atomic_load(&consumer_stop)) {
		wait_ms(10);
		waited += 10;
		if (waited < DRAIN_MS)
			continue;
		waited = 0;
		for (i = 0; i < ring_count; i++)
			drain(&rings[i]);
	}
	*cpu_ns = now(CLOCK_THREAD_CPUTIME_ID);
	return NULL;
}

/* Returns the value of a line "key: value" in a CPU's stats. */
static uint64_t get_stat(const struct ring *ring, const char *key)
{
	char name[PATH_MAX], line[128], *colon;
	uint64_t value = UINT64_MAX;
	FILE *file;

	snprintf(name, sizeof(name), "%s/per_cpu/cpu%u/stats", dir, ring->cpu);
	file = fopen(name, "r");
	if (!file)
		fail("%s: %s", name, strerror(errno));
	while (fgets(line, sizeof(line), file)) {
		colon = strchr(line, ':');
		if (colon && (size_t)(colon - line) == strlen(key) &&
		    !strncmp(line, key, strlen(key)))
			value = strtoull(colon + 1, NULL, 10);
	}
	fclose(file);
	if (value == UINT64_MAX)
		fail("%s: no '%s'", name, key);
	return value;
}

static uint64_t evicted(const struct ring *ring)
{
	return is_tring ? get_stat(ring, "overwritten") :
	       get_stat(ring, "overrun") + get_stat(ring, "commit overrun");
}

static void open_rings(void)
{
	const char *pipe = is_tring ? "trace_pipe_raw_compact" : "trace_pipe_raw";
	char name[PATH_MAX];
	struct ring *ring;
	unsigned int cpu;

	for (cpu = 0; ; cpu++) {
		snprintf(name, sizeof(name), "%s/per_cpu/cpu%u/%s", dir, cpu, pipe);
		if (access(name, F_OK))
			break;
		rings = realloc(rings, (cpu + 1) * sizeof(*rings));
		ring = &rings[cpu];
		memset(ring, 0, sizeof(*ring));
		ring->cpu = cpu;
		ring->fd = open(name, O_RDONLY | O_NONBLOCK);
		if (ring->fd < 0)
			fail("%s: %s", name, strerror(errno));
		ring->bytes = malloc(READ_SIZE);
		ring->next = calloc(threads, sizeof(*ring->next));
		if (get_stat(ring, is_tring ? "remaining" : "entries"))
			fail("%s is not empty", name);
		ring->evicted_before = evicted(ring);
		if (until_lost)
			ring->refused_before = get_stat(ring, "refused_no_room");
	}
	ring_count = cpu;
	if (!ring_count)
		fail("%s: %s", name, strerror(errno));
}

/* Each thread's numbers from 0 on must have been found once. */
static void check_totals(void)
{
	unsigned int i;

	for (i = 0; i < threads; i++) {
		uint64_t added = writers[i].added;

		if (totals[i].events != added ||
		    totals[i].sum != added * (added - 1) / 2)
			fail("thread %u: added %" PRIu64 ", found %" PRIu64, i, added,
			     totals[i].events);
	}
}

static void check_and_say(uint64_t consumer_ns)
{
	uint64_t added = 0, refused = 0, cpu_ns = 0, drained = 0, gone = 0, left = 0;
	uint64_t most = 0, least = UINT64_MAX, begin = UINT64_MAX, end = 0;
	cpu_set_t cpus;
	unsigned int i;

	for (i = 0; i < threads; i++) {
		added += writers[i].added;
		refused += writers[i].refused;
		cpu_ns += writers[i].cpu_ns;
		begin = writers[i].begin < begin ? writers[i].begin : begin;
		end = writers[i].end > end ? writers[i].end : end;
	}
	sched_getaffinity(0, sizeof(cpus), &cpus);
	for (i = 0; i < ring_count; i++) {
		uint64_t overwritten, remaining, of_cpu;

		if (checks)
			drain(&rings[i]);
		overwritten = evicted(&rings[i]) - rings[i].evicted_before;
		remaining = get_stat(&rings[i], is_tring ? "remaining" : "entries");
		of_cpu = rings[i].drained + overwritten + remaining;
		drained += rings[i].drained;
		gone += overwritten;
		left += remaining;
		if (!CPU_ISSET(rings[i].cpu, &cpus))
			continue;
		most = of_cpu > most ? of_cpu : most;
		least = of_cpu < least ? of_cpu : least;
	}
	printf("tracer=%s threads=%u cpus=%d bytes=%u added=%" PRIu64 " refused=%" PRIu64
	       " drained=%" PRIu64 " evicted=%" PRIu64 " remaining=%" PRIu64
	       " wall_ns=%" PRIu64 " cpu_ns=%" PRIu64 " consumer_ns=%" PRIu64,
	       is_null ? "null" : is_tring ? "tring" : "ftrace", threads,
	       CPU_COUNT(&cpus), length, added, refused, drained, gone, left, end - begin,
	       cpu_ns, consumer_ns);
	if (is_null) {
		printf("\n");
		return;
	}
	printf(" least=%" PRIu64 " most=%" PRIu64 "\n", least, most);
	fflush(stdout);
	if (!added || added != drained + gone + left)
		fail("added is not drained + evicted + remaining");
	if (checks && !gone)
		check_totals();
}

static bool is_any_lost(void)
{
	unsigned int i;

	for (i = 0; i < ring_count; i++) {
		if (evicted(&rings[i]) != rings[i].evicted_before ||
		    get_stat(&rings[i], "refused_no_room") != rings[i].refused_before)
			return true;
	}
	return false;
}

static void run(unsigned int ms)
{
	unsigned int waited;
	uint64_t consumer_ns = 0;
	pthread_t consumer;
	unsigned int i;

	pthread_barrier_init(&barrier, NULL, threads + 1);
	for (i = 0; i < threads; i++) {
		writers[i].number = i;
		if (pthread_create(&writers[i].thread, NULL, write_events, &writers[i]))
			fail("no thread %u", i);
	}
	if (!is_null && pthread_create(&consumer, NULL, consume, &consumer_ns))
		fail("no thread to drain");
	pthread_barrier_wait(&barrier);
	wait_ms(ms);
	for (waited = 0; until_lost && !is_any_lost(); waited += 100) {
		if (waited >= LOST_MS)
			fail("nothing was lost within %u ms", LOST_MS);
		wait_ms(100);
	}
	atomic_store(&writers_stop, true);
	for (i = 0; i < threads; i++)
		pthread_join(writers[i].thread, NULL);
	atomic_store(&consumer_stop, true);
	if (!is_null)
		pthread_join(consumer, NULL);
	check_and_say(consumer_ns);
}

int main(int argc, char **argv)
{
	const char *tracer, *file = NULL;
	char name[PATH_MAX];
	int option;

	while ((option = getopt(argc, argv, "cln:")) != -1) {
		if (option == 'c')
			checks = true;
		else if (option == 'l')
			until_lost = true;
		else if (option == 'n')
			length = strtoul(optarg, NULL, 10);
		else
			return 2;
	}
	if (argc - optind != 4)
		fail("see the head of the source");
	tracer = argv[optind];
	dir = argv[optind + 1];
	threads = strtoul(argv[optind + 2], NULL, 10);
	is_tring = !strcmp(tracer, "tring");
	is_null = !strcmp(tracer, "null");
	if (!threads || threads > THREADS_MAX || length < TEXT_MIN || length > TEXT_MAX ||
	    (!is_tring && !is_null && strcmp(tracer, "ftrace")))
		fail("bad arguments");
	snprintf(name, sizeof(name), "%s/trace_marker", dir);
	file = is_null ? dir : name;
	marker = open(file, O_WRONLY);
	if (marker < 0)
		fail("%s: %s", file, strerror(errno));
	if (!is_null)
		open_rings();
	run(strtoul(argv[optind + 3], NULL, 10));
	return 0;
}
