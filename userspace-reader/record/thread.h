/* SPDX-License-Identifier: GPL-2.0 */
/* Threads of the recorder. */
#ifndef TRING_THREAD_H
#define TRING_THREAD_H

#include <pthread.h>

int tring_thread_start(pthread_t *thread, void *(*run)(void *), void *data);
void tring_thread_bind(int cpu);
void tring_thread_unbind(pthread_t thread);

#endif /* TRING_THREAD_H */
