// SPDX-License-Identifier: GPL-2.0
/*
 * What perf tells of the memory of programs while they run: forks, execs, and what is mapped to be
 * run. A counter on each CPU that counts nothing brings it, as with perf record. See
 * perf_event_open(2).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sideband.h"
#include "util/util.h"

/* A process that is forked and executed takes about 1 KiB. */
#define RING_SIZE	(256 * 1024)

/* Records are aligned to this, as is a ring, so that one of these never wraps. */
#define UNIT		sizeof(uint64_t)

struct tring_sideband_ring {
	int		fd;
	struct perf_event_mmap_page *page;
};

static size_t mapped_size(void)
{
	return sysconf(_SC_PAGESIZE) + RING_SIZE;
}

static int open_event(int cpu, clockid_t clock)
{
	struct perf_event_attr what = {
		.type = PERF_TYPE_SOFTWARE, .size = sizeof(what),
		.config = PERF_COUNT_SW_DUMMY, .sample_type = PERF_SAMPLE_TIME,
		.read_format = PERF_FORMAT_LOST,
		.sample_id_all = 1, .mmap = 1, .mmap2 = 1, .build_id = 1, .comm = 1,
		.comm_exec = 1, .task = 1, .use_clockid = 1, .clockid = clock, .watermark = 1,
		.wakeup_watermark = RING_SIZE / 4,
	};

	return syscall(SYS_perf_event_open, &what, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static int add(struct tring_sideband *sideband, int fd)
{
	struct epoll_event wanted = { .events = EPOLLIN };
	struct tring_sideband_ring ring = { .fd = fd };
	int error;

	ring.page = mmap(NULL, mapped_size(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (ring.page == MAP_FAILED) {
		error = -errno;
		close(fd);
		return error;
	}
	sideband->rings = tring_one_more(sideband->rings, sideband->count,
					 sizeof(*sideband->rings));
	sideband->rings[sideband->count++] = ring;
	return epoll_ctl(sideband->fd, EPOLL_CTL_ADD, fd, &wanted) ? -errno : 0;
}

/**
 * tring_sideband_begin - begin to get perf's events
 * @sideband: filled in; to be ended in any case
 * @clock: the clock of the times
 *
 * Return: 0, or a negative errno without a message; there are no events then.
 */
int tring_sideband_begin(struct tring_sideband *sideband, clockid_t clock)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int error = 0, cpu, fd;

	sideband->fd = epoll_create1(EPOLL_CLOEXEC);
	if (sideband->fd < 0)
		return -errno;
	for (cpu = 0; cpu < cpus && !error; cpu++) {
		fd = open_event(cpu, clock);
		/* a CPU that is offline runs nothing */
		if (fd >= 0)
			error = add(sideband, fd);
		else if (errno != ENODEV)
			error = -errno;
	}
	if (error)
		tring_sideband_end(sideband);
	return error;
}

static void read_ring(struct tring_sideband_ring *ring, tring_sideband_fn *take, void *data)
{
	const uint8_t *bytes = (const uint8_t *)ring->page + sysconf(_SC_PAGESIZE);
	uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	uint64_t at = ring->page->data_tail, record[UINT16_MAX / UNIT + 1], ns;
	struct perf_event_header *header = (void *)record;
	size_t i;

	while (at < head) {
		memcpy(record, bytes + at % RING_SIZE, UNIT);
		for (i = 1; i < header->size / UNIT; i++)
			memcpy(&record[i], bytes + (at + i * UNIT) % RING_SIZE, UNIT);
		ns = record[i - 1];
		take(data, header, ns);
		at += i * UNIT;
	}
	__atomic_store_n(&ring->page->data_tail, at, __ATOMIC_RELEASE);
}

/**
 * tring_sideband_read - take all records
 * @sideband: the events, which may not have begun
 * @take: called for each record, in the order of time on each CPU
 * @data: for @take
 */
void tring_sideband_read(struct tring_sideband *sideband, tring_sideband_fn *take, void *data)
{
	size_t i;

	for (i = 0; i < sideband->count; i++)
		read_ring(&sideband->rings[i], take, data);
}

/**
 * tring_sideband_lost - get the number of records that were lost
 * @sideband: the events, which may not have begun
 *
 * perf tells of a loss in a ring as well, but before the next record only, which may not come.
 */
uint64_t tring_sideband_lost(const struct tring_sideband *sideband)
{
	uint64_t values[2], lost = 0;
	size_t i;

	for (i = 0; i < sideband->count; i++)
		if (read(sideband->rings[i].fd, values, sizeof(values)) == sizeof(values))
			lost += values[1];
	return lost;
}

/**
 * tring_sideband_end - get no more events
 * @sideband: the events, which may not have begun
 */
void tring_sideband_end(struct tring_sideband *sideband)
{
	while (sideband->count) {
		struct tring_sideband_ring *ring = &sideband->rings[--sideband->count];

		munmap(ring->page, mapped_size());
		close(ring->fd);
	}
	free(sideband->rings);
	sideband->rings = NULL;
	if (sideband->fd >= 0)
		close(sideband->fd);
	sideband->fd = -1;
}
