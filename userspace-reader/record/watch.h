/* SPDX-License-Identifier: GPL-2.0 */
/* What ends a recording when its events have met a condition. */
#ifndef TRING_WATCH_H
#define TRING_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct tring_control;
struct tring_recording_options;
struct tring_watch;

/**
 * struct tring_reach - how far back a ring goes that nothing has read
 * @from: timestamp from which on no CPU has overwritten anything
 * @overwritten: number of events that were overwritten
 * @refused: number of events that are missing for other reasons
 */
struct tring_reach {
	uint64_t	from;
	uint64_t	overwritten;
	uint64_t	refused;
};

/**
 * struct tring_watch_calls - what the recorder calls, in this order; errors are negative errnos,
 *	reported on stderr
 * @check: the kernel's events are known. Return: false if one that is to be looked at is not among
 *	them, reported on stderr
 * @make: the recording is set up, and does not record yet
 * @start: it records
 * @look: look at the events up to now, if @look_ns has come and @fd has any
 * @stopped: the recording was switched off; sets @result
 * @tell: the trace is complete, and its table was printed; the reach is NULL if the ring was read
 *	meanwhile, or not all of it could be written
 * @end: undo @make, also after its error
 */
struct tring_watch_calls {
	bool	(*check)(const struct tring_recording_options *options);
	int	(*make)(struct tring_watch *watch, const struct tring_control *control,
			const struct tring_recording_options *options);
	int	(*start)(struct tring_watch *watch);
	int	(*look)(struct tring_watch *watch);
	void	(*stopped)(struct tring_watch *watch);
	void	(*tell)(const struct tring_watch *watch, const struct tring_reach *reach);
	int	(*end)(struct tring_watch *watch);
};

/**
 * struct tring_watch - what ends a recording
 * @calls: what the recorder calls
 * @fd: a file to poll() for POLLIN: there are events to look at
 * @look_ns: time before which they wait, lest each event be looked at by itself
 * @end_ns: time at which the recording ends, of CLOCK_MONOTONIC; UINT64_MAX as long as nothing
 *	has happened
 * @result: what has ended it, or that nothing has: a line for trace_info
 */
struct tring_watch {
	const struct tring_watch_calls *calls;
	int		fd;
	uint64_t	look_ns;
	uint64_t	end_ns;
	char		*result;
};

/* What precedes @result in trace_info. */
#define TRING_STOPPED_BY	"stopped_by="

/* The @result before the first event, which a recorder that is killed leaves behind. */
#define TRING_WATCH_NOTHING	"none of its conditions"

#endif /* TRING_WATCH_H */
