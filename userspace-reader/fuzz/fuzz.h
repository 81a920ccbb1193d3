/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the fuzz targets. A target is one function, which libFuzzer calls with
 * each input. What the reader prints is thrown away.
 */
#ifndef TRING_FUZZ_H
#define TRING_FUZZ_H

#include <stdint.h>
#include <stdio.h>

#include "helpers.h"
#include "event/events.h"

int fuzz_input(const uint8_t *bytes, size_t size);

/* libFuzzer's name for the function */
#define fuzz_input	LLVMFuzzerTestOneInput

/* Number of systems that an event can have; as an index it is the first one, without a NUL. */
#define FUZZ_SYSTEMS	15

/* Number of ways in which the library is asked. */
#define FUZZ_WAYS	7

/* Divides an input into the texts of several files. */
#define FUZZ_MARK	"\n@@@"

extern const struct tring_options fuzz_options;
extern bool fuzz_without_plugins;
extern const char * const fuzz_systems[FUZZ_SYSTEMS];

char *fuzz_text(const uint8_t *bytes, size_t size);
const uint8_t *fuzz_part(const uint8_t **bytes, size_t *size, size_t *part);
void fuzz_read_items(struct tring_trace *trace);
void fuzz_read(struct tring_trace *trace, char *options);
void fuzz_add_format(struct tring_events *events, const uint8_t *bytes,
		     size_t size);

#endif /* TRING_FUZZ_H */
