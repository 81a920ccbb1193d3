/* SPDX-License-Identifier: GPL-2.0 */
/*
 * To be included behind stage 6. Where __assign_str() still names the source of
 * the string, it is a strcpy() into a place that was sized by an earlier
 * strlen(). A string that grows in between, as a name being changed does, would
 * run over the next record. So copy no more than there is room for, as later
 * kernels do: the same bytes, unless that race happens.
 *
 * No include guard, as the kernel's stages have none.
 */
#include "compat.h"

#ifdef TRING_ASSIGN_STR_NAMES_SOURCE

#undef __assign_str
#define __assign_str(dst, src)						\
	tring_copy_string(__get_str(dst), __get_dynamic_array_len(dst), src)

#undef __assign_rel_str
#define __assign_rel_str(dst, src)					\
	tring_copy_string(__get_rel_str(dst), __get_rel_dynamic_array_len(dst), src)

#endif /* TRING_ASSIGN_STR_NAMES_SOURCE */
