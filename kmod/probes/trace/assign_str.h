/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Included behind stage 6. In kernels whose __assign_str() names the source of the
 * string, it is a strcpy() into a field that was sized by an earlier strlen(). If the
 * string has grown in between, for example a task's name, it would overwrite the next
 * record. So copy no more than there is room for, as later kernels do. The source may
 * also be another string by then, if it is the name of a driver that was bound anew: so
 * read no more than it has. Without these races the result is the same.
 *
 * No include guard: the kernel's stages have none.
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
