// SPDX-License-Identifier: GPL-2.0
/*
 * Probes for the events of a subsystem. Compiled for each one that Kbuild.include lists, with
 * its name, TRING_SUBSYSTEM, and with TRING_EVENT_HEADER, the kernel's header that describes
 * what its events record. kmod/probes/trace/define_trace.h makes probes from the descriptions.
 *
 * To add a subsystem, add its TRACE_SYSTEM to Kbuild.include, with the kernel option that such
 * events depend on, if any, and build. The build says which events it leaves out, and why: the
 * header does not compile outside the kernel, or an event calls a function that is not exported.
 *
 * If the header needs other headers, which its users in the kernel include first, include them
 * below. A structure that no header defines comes from the kernel's BTF, if there is one;
 * scripts/build/probe-events.sh puts its members into TRING_STRUCTS.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/backing-dev.h>
#include <linux/dma-fence.h>
#include <linux/interrupt.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/memcontrol.h>
#include <linux/migrate.h>
#include <linux/mm.h>
#include <linux/mm_inline.h>
#include <linux/mm_types.h>
#include <linux/slab.h>
#include <linux/swiotlb.h>
#include <linux/writeback.h>
#ifdef CONFIG_INET
#include <net/ipv6.h>
#include <net/neighbour.h>
#endif
#ifdef CONFIG_X86
#include <asm/tlbflush.h>
#endif
#ifdef CONFIG_XEN
#include <xen/interface/xen.h>
#endif

#include TRING_STRUCTS
#include "pointer_hash.h"
#include "subsystem.h"
