/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instances: rings that users make with mkdir, and that other modules record into. See
 * instance.c; kmod/sample/tring_sample.c is an example.
 *
 * A module that uses them also includes ring/fast.h and session/session.h, and has
 * TRING_IMPORT_NS.
 */
#ifndef _TRING_INSTANCE_H
#define _TRING_INSTANCE_H

struct tring_buffer;

/* instance.c APIs: */
struct tring_buffer *tring_instance_get(const char *name);
void tring_instance_put(struct tring_buffer *buffer);

/* instance.c APIs for main.c: */
int tring_instances_init(void);
void tring_instances_exit(void);

#endif /* _TRING_INSTANCE_H */
