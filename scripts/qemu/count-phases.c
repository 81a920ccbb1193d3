// SPDX-License-Identifier: GPL-2.0
/*
 * A plugin of QEMU's that counts the instructions of a guest with one CPU between marks, without
 * a change of what the guest does: "nopl 0x74726eNN(%rax)" in a program is the mark NN, which
 * ends a phase. Idle time counts nothing, unlike in the guest's clock.
 *
 *	cc -shared -fPIC -o count-phases.so count-phases.c
 *	qemu-system-x86_64 -plugin count-phases.so,out=FILE ...
 *
 * FILE gets a line for each mark: its number, and the instructions since the mark before.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "plugin.h"

#define EXPORT		__attribute__((visibility("default")))
#define MARK_SIZE	7

EXPORT int qemu_plugin_version = 1;

static uint64_t count, before;
static FILE *out;

static void end_phase(unsigned int cpu, void *data)
{
	(void)cpu;
	fprintf(out, "%u %llu\n", (unsigned int)(uintptr_t)data,
		(unsigned long long)(count - before));
	fflush(out);
	before = count;
}

/* Return: the number of the mark; -1 for another instruction. */
static int find_mark(struct qemu_plugin_insn *insn)
{
	static const uint8_t wanted[MARK_SIZE] = { 0x0f, 0x1f, 0x80, 0, 0x6e, 0x72, 0x74 };
	const uint8_t *code = qemu_plugin_insn_data(insn);

	if (qemu_plugin_insn_size(insn) != MARK_SIZE || memcmp(code, wanted, 3) ||
	    memcmp(code + 4, wanted + 4, 3))
		return -1;
	return code[3];
}

static void translate(uint64_t id, struct qemu_plugin_tb *tb)
{
	size_t insns = qemu_plugin_tb_n_insns(tb), i;

	(void)id;
	qemu_plugin_register_vcpu_tb_exec_inline(tb, QEMU_PLUGIN_INLINE_ADD_U64, &count, insns);
	for (i = 0; i < insns; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		int mark = find_mark(insn);

		if (mark >= 0)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, end_phase,
							       QEMU_PLUGIN_CB_NO_REGS,
							       (void *)(uintptr_t)mark);
	}
}

EXPORT int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	int i;

	(void)info;
	for (i = 0; i < argc; i++)
		if (!strncmp(argv[i], "out=", 4))
			out = fopen(argv[i] + 4, "w");
	if (!out)
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translate);
	return 0;
}
