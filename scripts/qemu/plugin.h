/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a plugin of QEMU's calls and has, of version 1 of that interface. Debian has no header for
 * it.
 */
#ifndef TRING_QEMU_PLUGIN_H
#define TRING_QEMU_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum qemu_plugin_op { QEMU_PLUGIN_INLINE_ADD_U64 };
enum qemu_plugin_cb_flags { QEMU_PLUGIN_CB_NO_REGS };

typedef void qemu_plugin_tb_fn(uint64_t id, struct qemu_plugin_tb *tb);
typedef void qemu_plugin_insn_fn(unsigned int cpu, void *data);

extern int qemu_plugin_version;

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv);
void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, qemu_plugin_tb_fn *call);
void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *tb, enum qemu_plugin_op op,
					      void *to, uint64_t number);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn,
					    qemu_plugin_insn_fn *call,
					    enum qemu_plugin_cb_flags flags, void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t index);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);

#endif /* TRING_QEMU_PLUGIN_H */
