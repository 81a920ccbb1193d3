/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * The version of the module, the reader, the library and the packages: stated here alone. The
 * wire format has its own. NEWS.md says what a version has brought, and what is stable.
 */
#ifndef _UAPI_TRING_VERSION_H
#define _UAPI_TRING_VERSION_H

#define TRING_VERSION	"0.2"

#endif /* _UAPI_TRING_VERSION_H */
