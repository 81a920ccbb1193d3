/* SPDX-License-Identifier: GPL-2.0 */
/* The torture program's parts: what they know of each other. */
#ifndef TORTURE_PROGRAM_H
#define TORTURE_PROGRAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel has a name for that. */
#define __packed	__attribute__((packed))
#include "../torture.h"
#include "tring_format.h"

#define TORTURE_CPUS_MAX	64
#define PARAMETERS		"/sys/module/tring_torture/parameters"

/* What must hold; each is reported once a round. */
enum check {
	CHECK_RECORDS,
	CHECK_HEADS,
	CHECK_SEQUENCE,
	CHECK_STAMPS,
	CHECK_PACKETS,
	CHECK_DISCARDED,
	CHECK_PEEKED,
	CHECK_LOSSES,
	CHECK_WRITERS,
	CHECK_READERS,
	CHECK_LEDGER,
	CHECK_FILES,
	CHECK_ALL_RAN,
	CHECKS
};

/* What can be left out with --without, because it is not there. */
enum feature {
	FEATURE_READ,
	FEATURE_PEEK,
	FEATURE_SNAPSHOT,
	FEATURE_TOGGLE,
	FEATURE_OVERWRITE,
	FEATURE_RESIZE,
	FEATURE_SUBBUF,
	FEATURE_PERCENT,
	FEATURE_PACE,
	FEATURE_HOTPLUG,
	FEATURE_INSTANCES,
	FEATURE_NMI,
	FEATURE_CLOCK,
	FEATURES
};

enum source {
	SOURCE_READ,
	SOURCE_SNAPSHOT,
	SOURCE_PEEK,
	SOURCES
};

/* Forms of records. A round must have read each of them. */
enum form {
	FORM_FIXED,
	FORM_VARYING,
	FORM_LONG,
	FORM_EXTENDED,
	FORM_DISCARDED,
	FORM_WITH_PID,
	FORM_WITHOUT_PID,
	FORM_FULL,
	FORMS
};

/**
 * struct torture - one round
 * @name: of the round
 * @dir: the instance's directory
 * @cpus: how many there are, online or not
 * @seconds: how long to write
 * @events: how many to write, 0 if only time counts
 * @features: those that take part
 * @short_ids: of the ring, by type
 * @corrupt: break one byte of what a reader got, to see that it is noticed
 * @stop: the disturbers and the peekers are to end
 * @drain: the readers are to end when they have read all
 */
struct torture {
	const char	*name;
	const char	*dir;
	unsigned int	cpus;
	unsigned int	seconds;
	uint64_t	events;
	bool		features[FEATURES];
	uint16_t	short_ids[TRING_TYPES];
	bool		corrupt;
	atomic_bool	stop;
	atomic_bool	drain;
};

/* main.c */
extern struct torture torture;
const char *feature_name(enum feature feature);

/**
 * struct packet_note - what is kept of a packet that was read
 * @number: packet_seq_num
 * @begin: timestamp_begin
 * @end: timestamp_end
 * @lost: events_discarded
 * @hash: of its content but for @lost, which the reader may raise
 * @events: in it, discarded ones excepted
 * @discarded: discarded records in it
 * @content: bytes
 * @first: sequence number of each context's first event in it, 0 if none
 * @last: of its last
 * @contexts: events of each context
 */
struct packet_note {
	uint64_t	number;
	uint64_t	begin, end;
	uint64_t	lost;
	uint64_t	hash;
	uint32_t	events;
	uint32_t	discarded;
	uint32_t	content;
	uint64_t	first[TORTURE_CONTEXTS];
	uint64_t	last[TORTURE_CONTEXTS];
	uint32_t	contexts[TORTURE_CONTEXTS];
};

/**
 * struct notes - of the packets that one thread has read, in the order it did
 * @notes: the notes
 * @count: how many
 * @room: how many there is memory for
 */
struct notes {
	struct packet_note *notes;
	size_t		count;
	size_t		room;
};

/* report.c */
void fault(enum check check, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
unsigned long faults_of(enum check check);
unsigned int report_checks(const char *round, const char *const notes[CHECKS]);
void die(const char *format, ...)
	__attribute__((format(printf, 1, 2), noreturn));
char *join_path(const char *format, ...)
	__attribute__((format(printf, 1, 2)));
int write_file(const char *path, const char *text);
void sleep_us(unsigned int us);
uint64_t random_number(uint64_t *state);

/* check.c */
const char *form_name(enum form form);
uint64_t records_of(enum form form);
bool check_packet(const void *data, size_t size, unsigned int cpu, const char *where,
		  struct packet_note *note);
void note_packet(struct notes *notes, const struct packet_note *note, const char *where,
		 unsigned int cpu);

/* readers.c */
void readers_start(void);
void readers_join(void);
void peekers_join(void);
struct notes *live_notes(unsigned int cpu);
struct notes *snapshot_notes(unsigned int cpu);
uint64_t packets_by(enum source source);
const char *source_name(enum source source);
bool source_is_missing(enum source source);
bool all_sources(void);
uint64_t compare_peeked(unsigned int cpu, const struct packet_note *sorted, size_t count);

/* disturb.c */
void disturbers_start(void);
void disturbers_join(void);
uint64_t disturbances(enum feature feature);
bool all_disturbed(void);
void print_disturbances(void);

/* ledger.c */
uint64_t read_accounts(void);
unsigned int judge_round(double seconds);

#endif /* TORTURE_PROGRAM_H */
