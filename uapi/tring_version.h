/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/* The version of the module and of the reader. The wire format has its own. */
#ifndef _UAPI_TRING_VERSION_H
#define _UAPI_TRING_VERSION_H

#define TRING_VERSION	"0.1"

#endif /* _UAPI_TRING_VERSION_H */
