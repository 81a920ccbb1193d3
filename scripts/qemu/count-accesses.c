// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of QEMU's TCG: counts how often each instruction of the guest's kernel loads from
 * and stores to a range of physical memory.
 *
 *	-plugin count-accesses.so,out=FILE,first=ADDRESS,last=ADDRESS
 *
 * When QEMU ends it writes a line for each such instruction to FILE: its address, loads,
 * stores, and 1 if it has a LOCK prefix. For guests whose virtual CPUs take turns, amd64 only.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu-plugin.h"

#define EXPORT		__attribute__((visibility("default")))
#define KERNEL		UINT64_C(0xff00000000000000)
#define LOCK_PREFIX	0xf0
#define BUCKETS		65536

/* An instruction, which QEMU may translate again and again. */
struct counter {
	struct counter	*next;
	uint64_t	address;
	uint64_t	loads;
	uint64_t	stores;
	bool		is_locked;
};

EXPORT int qemu_plugin_version = 1;

static struct counter *buckets[BUCKETS];
static uint64_t first, last;
static const char *out;

static struct counter *find(uint64_t address, const uint8_t *code)
{
	struct counter **at = &buckets[(address ^ address >> 16) % BUCKETS];

	while (*at && (*at)->address != address)
		at = &(*at)->next;
	if (!*at) {
		*at = calloc(1, sizeof(**at));
		if (!*at)
			abort();
		(*at)->address = address;
		(*at)->is_locked = *code == LOCK_PREFIX;
	}
	return *at;
}

static void count(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t virtual, void *data)
{
	struct qemu_plugin_hwaddr *found = qemu_plugin_get_hwaddr(info, virtual);
	struct counter *counter = data;
	uint64_t address;

	(void)cpu;
	if (!found || qemu_plugin_hwaddr_is_io(found))
		return;
	address = qemu_plugin_hwaddr_phys_addr(found);
	if (address < first || address > last)
		return;
	if (qemu_plugin_mem_is_store(info))
		counter->stores++;
	else
		counter->loads++;
}

static void translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t i, nr = qemu_plugin_tb_n_insns(tb);
	struct qemu_plugin_insn *insn;
	struct counter *counter;
	uint64_t address;

	(void)id;
	for (i = 0; i < nr; i++) {
		insn = qemu_plugin_tb_get_insn(tb, i);
		address = qemu_plugin_insn_vaddr(insn);
		if (address < KERNEL)
			continue;
		counter = find(address, qemu_plugin_insn_data(insn));
		qemu_plugin_register_vcpu_mem_cb(insn, count, QEMU_PLUGIN_CB_NO_REGS,
						 QEMU_PLUGIN_MEM_RW, counter);
	}
}

static void finish(qemu_plugin_id_t id, void *data)
{
	FILE *file = fopen(out, "w");
	struct counter *counter;
	size_t i;

	(void)id;
	(void)data;
	if (!file) {
		perror(out);
		return;
	}
	for (i = 0; i < BUCKETS; i++)
		for (counter = buckets[i]; counter; counter = counter->next)
			if (counter->loads || counter->stores)
				fprintf(file, "%" PRIx64 " %" PRIu64 " %" PRIu64 " %d\n",
					counter->address, counter->loads, counter->stores,
					counter->is_locked);
	if (fclose(file))
		perror(out);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "out=", 4))
			out = argv[i] + 4;
		else if (!strncmp(argv[i], "first=", 6))
			first = strtoull(argv[i] + 6, NULL, 0);
		else if (!strncmp(argv[i], "last=", 5))
			last = strtoull(argv[i] + 5, NULL, 0);
	}
	if (!out || !last) {
		fprintf(stderr, "count-accesses: out=FILE,first=ADDRESS,last=ADDRESS\n");
		return -1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	qemu_plugin_register_atexit_cb(id, finish, NULL);
	return 0;
}
