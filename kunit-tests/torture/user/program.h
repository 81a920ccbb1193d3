/* SPDX-License-Identifier: GPL-2.0 */
/* Types and functions that the parts of the torture program share. */
#ifndef TORTURE_PROGRAM_H
#define TORTURE_PROGRAM_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kernel's name for the attribute. */
#define __packed	__attribute__((packed))
#include "../torture.h"
#include "tring_format.h"

#define TORTURE_CPUS_MAX	64
#define PARAMETERS		"/sys/module/tring_torture/parameters"

/* Checks. Each of them is reported once in a round. */
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

/* Features that --with and --without switch on and off. */
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
 * @name: name of the round
 * @dir: directory of the instance
 * @cpus: number of CPUs, online or not
 * @seconds: duration of the round
 * @events: number of events to write; 0 if only @seconds counts
 * @features: features that take part
 * @short_ids: ids of the ring's short types, by type
 * @corrupt: damage one byte of a packet, to see that the checks notice it
 * @stop: the disturbers and the peekers must end
 * @drain: the readers must end when they have read everything
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

/* main.c and salvaged.c */
extern struct torture torture;

/* main.c */
const char *feature_name(enum feature feature);

/**
 * struct packet_note - note of a packet that was read
 * @number: packet_seq_num
 * @begin: timestamp_begin
 * @end: timestamp_end
 * @lost: events_discarded
 * @hash: hash of its content without @lost, which differs between read and peek
 * @events: number of its events
 * @discarded: number of its discarded records
 * @content: bytes of its content
 * @first: sequence number of its first event of each context, 0 if there is none
 * @last: sequence number of its last event of each context
 * @contexts: number of its events of each context
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
 * struct notes - notes of the packets that one thread has read, in order
 * @notes: array of notes
 * @count: number of notes
 * @room: number of notes that the array has room for
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
void read_short_ids(void);

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
uint64_t compare_peeked(unsigned int cpu, const struct packet_note *sorted, size_t count);

/* disturb.c */
void disturbers_start(void);
void disturbers_join(void);
uint64_t disturbances(enum feature feature);
void print_disturbances(void);

/* ledger.c */
uint64_t read_accounts(void);
bool all_ran(bool tell);
unsigned int judge_round(double seconds);

#endif /* TORTURE_PROGRAM_H */
