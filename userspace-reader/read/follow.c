// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Reads a trace while it is recorded.
 *
 * The recorder saves each CPU's events once a second, or as often as --save-every says, and each
 * CPU at another time. So an event is given when a file has one that is later by twice as
 * much: by then everything earlier is in the files, and the order is right. Where nothing has
 * come for as long, all is given.
 *
 * A stream is read from a map of its file, which is made anew when the stream is at its end.
 * The last packet may meanwhile have become longer, because the recorder fills a block of the
 * disk with it. Of a trace in parts the next file follows when the recorder has left this one;
 * and a part has its end only when the next one is there.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "complete.h"
#include "follow.h"
#include "live_ring.h"
#include "load.h"
#include "wire/filler.h"
#include "trace/hold.h"
#include "trace/trace_dir.h"
#include "util/clock.h"
#include "util/util.h"

/* Of the time after which the recorder saves a CPU's events; and that time, if it is unknown. */
#define DELAYS		2
#define SAVE_NS		TRING_NS_A_SECOND

/**
 * struct follow - a trace that grows
 * @trace: the trace
 * @newest: latest timestamp in the files
 * @delay_ns: how much later an event must be than one that is given
 * @grown: time at which a file had grown, of CLOCK_MONOTONIC
 * @described: state of the descriptions that were loaded
 * @dir: the directory of the trace; -1 without
 * @held: a recorder has it, or had it
 * @told: the user knows that there seems to be no recorder
 */
struct follow {
	struct tring_trace *trace;
	uint64_t	newest;
	uint64_t	delay_ns;
	uint64_t	grown;
	uint64_t	described;
	int		dir;
	bool		held;
	bool		told;
};

/* Return: true if there is a whole frame at @at; then @at is its end. */
static bool read_frame(int fd, uint64_t size, uint64_t *at, uint64_t *end_stamp)
{
	uint8_t head[TRING_FRAME_HEAD_SIZE];
	struct tring_frame frame;

	if (pread(fd, head, sizeof(head), *at) != sizeof(head) ||
	    tring_frame_read_head(head, &frame) ||
	    frame.stored > size - *at - sizeof(head))
		return false;
	*at += sizeof(head) + frame.stored;
	*end_stamp = frame.end;
	return true;
}

/* Return: true if a packet has no events, as those with which tring_append() makes room. */
static bool has_no_event(const struct tring_packet *packet)
{
	struct tring_cursor cursor;
	struct tring_record record;

	tring_cursor_init(&cursor, packet);
	return packet->content_size == TRING_FILLER_CONTENT &&
	       tring_record_next(&cursor, &record) == TRING_OK &&
	       record.id == TRING_ID_DISCARDED;
}

/* Return: true if there is a whole packet at @at; then @at is its end. */
static bool read_packet(int fd, uint64_t size, uint64_t *at, uint64_t *end_stamp, bool *filler)
{
	uint8_t begin[TRING_FILLER_SIZE];
	struct tring_packet packet;
	enum tring_reason reason;
	ssize_t got = pread(fd, begin, sizeof(begin), *at);

	if (got < TRING_PACKET_HEADER_SIZE)
		return false;
	reason = tring_packet_parse(begin, got, &packet);
	if (!tring_reason_is_soft(reason) || packet.packet_size > size - *at)
		return false;
	*at += packet.packet_size;
	*end_stamp = packet.timestamp_end;
	*filler = has_no_event(&packet);
	return true;
}

/**
 * struct found - what a file has
 * @last: offset of the last packet, or frame
 * @whole: its end
 * @stamp: latest timestamp
 */
struct found {
	uint64_t	last;
	uint64_t	whole;
	uint64_t	stamp;
};

/*
 * A packet without events at the end of a file may be the recorder's, which is going to put
 * others in its place: it counts when one with events is behind it. Return: what is from
 * @found->last on.
 */
static struct found find(int fd, uint64_t size, bool compressed, struct found found)
{
	uint64_t at = found.last, start, stamp;
	bool filler = false;

	while (at < size) {
		start = at;
		if (compressed ? !read_frame(fd, size, &at, &stamp) :
				 !read_packet(fd, size, &at, &stamp, &filler))
			break;
		if (filler)
			continue;
		found.last = start;
		found.whole = at;
		if (stamp > found.stamp)
			found.stamp = stamp;
	}
	return found;
}

/*
 * Looks at the packets that have come. What is damaged may be incomplete, so it is read only
 * if the recording has ended. The packets may change while they are looked at; those that
 * are the same twice are there to stay. Return: true if there are any.
 */
static bool look_at(struct follow *follow, struct tring_cpu *cpu, bool ended)
{
	const struct tring_packet_file *file = &cpu->files[cpu->growing];
	int fd = open(tring_packet_file_path(file), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	bool compressed = tring_packet_file_is_compressed(file);
	struct found before = { cpu->last_packet, cpu->whole, follow->newest }, found;
	struct stat status;

	/* a CPU without a packet has no file */
	if (fd < 0)
		return false;
	if (fstat(fd, &status))
		status.st_size = 0;
	found = find(fd, status.st_size, compressed, before);
	if (find(fd, status.st_size, compressed, before).whole != found.whole)
		found = before;
	close(fd);
	cpu->last_packet = found.last;
	cpu->whole = found.whole;
	follow->newest = found.stamp;
	if (ended && cpu->whole < (uint64_t)status.st_size)
		cpu->whole = status.st_size;
	return cpu->whole > before.whole;
}

/* A file that is there was read to its end. */
static void note_missed(struct tring_cpu *cpu)
{
	const struct tring_packets *packets = &cpu->packets;
	struct tring_packet_file *file = &cpu->files[packets->at];
	uint64_t read = packets->has_frames ? packets->frames.next : cpu->stream.size;

	file->missed |= read < file->end && access(file->dir, F_OK);
}

/* Goes on up to the last packet, or frame, that is whole in the file that grows. */
static bool map_more(struct tring_stream *stream)
{
	struct tring_cpu *cpu = stream->private;
	struct tring_packets *packets = &cpu->packets;

	do {
		uint64_t limit = packets->at < cpu->growing ? UINT64_MAX : cpu->whole;

		if (tring_packets_grow(packets, stream, limit))
			return true;
		if (packets->at < cpu->growing)
			note_missed(cpu);
	} while (packets->at < cpu->growing && tring_packets_step(stream));
	return false;
}

static bool has_counters(const struct tring_cpu *cpu, size_t file, const char *tail)
{
	char *name = tring_format("cpu%d.%s", cpu->cpu, tail);
	char *path = tring_extra_path(cpu->files[file].dir, name);
	bool there = !access(path, F_OK);

	free(path);
	free(name);
	return there;
}

/* A part has the counters of its start when the file of the part before is complete. */
static bool is_complete(const struct tring_cpu *cpu)
{
	return cpu->growing + 1 < cpu->count && has_counters(cpu, cpu->growing + 1, "start");
}

/* A part that is gone may have had anything. */
static void note_end(struct tring_packet_file *file, uint64_t whole)
{
	file->end = whole;
	file->missed = access(file->dir, F_OK) != 0;
}

static void look(struct follow *follow, bool ended)
{
	struct tring_trace *trace = follow->trace;
	size_t i;

	for (i = 0; i < trace->count; i++) {
		struct tring_cpu *cpu = &trace->cpus[i];
		bool complete;

		do {
			complete = is_complete(cpu);
			if (look_at(follow, cpu, ended || complete))
				follow->grown = tring_now_ns();
			if (complete) {
				note_end(&cpu->files[cpu->growing], cpu->whole);
				cpu->growing++;
				cpu->last_packet = 0;
				cpu->whole = 0;
			}
		} while (complete);
	}
}

/* Return: true if the recorder has saved the counters of all CPUs, which it does at its end. */
static bool has_ended(const struct follow *follow)
{
	const struct tring_trace *trace = follow->trace;
	bool ended = trace->count;
	size_t i;

	for (i = 0; i < trace->count && ended; i++)
		ended = has_counters(&trace->cpus[i], trace->cpus[i].count - 1, "end");
	return ended;
}

/* Return: true if the recorder had the directory, and has left it: it may have been killed. */
static bool was_left(struct follow *follow)
{
	bool held = follow->dir >= 0 && tring_is_held(follow->dir);
	bool left = follow->held && !held;

	follow->held |= held;
	return left;
}

/* It may have been killed; or it runs elsewhere, on another machine that shares the files. */
static void tell_of_no_recorder(struct follow *follow)
{
	if (!follow->held && !follow->told)
		tring_error("%s: no recorder of this system is at work there; still waiting",
			    follow->trace->dir);
	follow->told = true;
}

/* The whole trace has them in their places. */
static void tell_of_overtaken(struct tring_trace *trace)
{
	if (trace->overtaken)
		tring_error("%s: %" PRIu64 " %s came too late for the order of time", trace->dir,
			    trace->overtaken, trace->overtaken == 1 ? "event" : "events");
	trace->overtaken = 0;
}

static void tell_of_missed(struct tring_trace *trace, const char *part)
{
	tring_error("%s: parts are missing before %s, with their events", trace->dir, part);
	trace->problems++;
}

/* A part is told of once, whichever CPUs have missed it. */
static void tell_of_missed_files(struct tring_trace *trace)
{
	size_t i, part;

	for (part = 0; part + 1 < trace->parts.count; part++) {
		bool missed = false;

		for (i = 0; i < trace->count; i++) {
			missed |= trace->cpus[i].files[part].missed;
			trace->cpus[i].files[part].missed = false;
		}
		if (missed)
			tell_of_missed(trace, trace->parts.dirs[part + 1]);
	}
}

static void add_part(struct tring_trace *trace, const char *dir)
{
	struct tring_parts_list *parts = &trace->parts;
	size_t i;

	tring_parts_list_add(parts, dir);
	if (tring_parts_list_has_gap(parts, parts->count - 1))
		tell_of_missed(trace, dir);
	for (i = 0; i < trace->count; i++)
		tring_complete_add(trace, &trace->cpus[i], parts->count - 1);
}

/* Return: true if there are parts that were not there before. */
static bool find_parts(struct tring_trace *trace)
{
	struct tring_parts_list *parts = &trace->parts, now;
	size_t before = parts->count, i;

	if (!parts->divided)
		return false;
	if (!tring_parts_list(&now, trace->dir) && now.divided)
		for (i = 0; i < now.count; i++)
			if (tring_parts_list_is_newer(parts, now.dirs[i]))
				add_part(trace, now.dirs[i]);
	tring_parts_list_free(&now);
	return parts->count > before;
}

/* Return: a number that changes if the recorder describes more in one of the last two parts. */
static uint64_t describe_state(const struct tring_trace *trace)
{
	const struct tring_parts_list *parts = &trace->parts;
	size_t i = parts->count > 2 ? parts->count - 2 : 0;
	uint64_t state = parts->count;
	struct stat status;

	for (; i < parts->count; i++) {
		char *path = tring_trace_path(parts->dirs[i], "metadata");

		if (!stat(path, &status))
			state = state * 31 + status.st_ino + status.st_size +
				status.st_mtim.tv_sec * UINT64_C(1000000000) +
				status.st_mtim.tv_nsec;
		free(path);
	}
	return state;
}

/* What describes the packets was written before them, so it is there. */
static void learn(struct follow *follow)
{
	uint64_t now = describe_state(follow->trace);

	if (now != follow->described)
		tring_load_more(follow->trace);
	follow->described = now;
}

static bool is_quiet(const struct follow *follow)
{
	return tring_now_ns() - follow->grown > follow->delay_ns;
}

/* The first packet is that of the selection; from there on the packets are looked at. */
static void start_cpu(struct tring_cpu *cpu)
{
	cpu->growing = cpu->packets.at;
	cpu->whole = cpu->packets.has_frames ? cpu->packets.frames.next : cpu->stream.next;
	cpu->last_packet = cpu->whole;
	cpu->stream.size = cpu->stream.next;
	cpu->stream.more = map_more;
}

static void begin(struct tring_trace *trace)
{
	struct follow *follow = tring_allocate(sizeof(*follow));
	size_t i;

	follow->trace = trace;
	follow->delay_ns = DELAYS * (trace->info.save_ns ? trace->info.save_ns : SAVE_NS);
	follow->grown = tring_now_ns();
	follow->dir = open(trace->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	trace->follow = follow;
	trace->more = true;
	trace->growing = true;
	trace->followed = true;
	for (i = 0; i < trace->count; i++)
		start_cpu(&trace->cpus[i]);
	tring_trace_merge(trace);
}

/* Return: true if more may come that is of interest. */
static bool look_for_more(struct tring_trace *trace)
{
	const struct tring_selection *selection = trace->selection;
	struct follow *follow = trace->follow;
	uint64_t delay = tring_clock_first(follow->delay_ns, trace->info.clock_frequency);
	/* what there is now is all if the end was there before */
	bool ended = was_left(follow) || has_ended(follow);

	ended &= !find_parts(trace);
	look(follow, ended);
	learn(follow);
	tring_trace_resume(trace);
	trace->limit = follow->newest > delay ? follow->newest - delay : 0;
	if (ended || is_quiet(follow))
		trace->limit = UINT64_MAX;
	if (!ended && is_quiet(follow))
		tell_of_no_recorder(follow);
	trace->growing = !ended;
	return !ended && (!selection || trace->limit == UINT64_MAX ||
			  selection->last >= trace->limit);
}

/* What is left is read, with what was lost behind it. */
static void end(struct tring_trace *trace)
{
	size_t i, file;

	for (i = 0; i < trace->count; i++)
		for (file = 0; file < trace->cpus[i].count; file++)
			tring_complete_read_counters(trace, &trace->cpus[i],
						     &trace->cpus[i].files[file]);
	trace->limit = UINT64_MAX;
	trace->more = false;
}

/**
 * tring_follow_tell - tell of parts that were removed before all of them was read, and of events
 *	that came late
 * @trace: the trace
 */
void tring_follow_tell(struct tring_trace *trace)
{
	tell_of_missed_files(trace);
	tell_of_overtaken(trace);
}

/**
 * tring_follow - read a trace while it is recorded
 * @trace: a trace of tring's, before tring_next(); or a ring that is consumed
 *
 * tring_next() gives what is there, and -EAGAIN where more may come. To be called again then,
 * after a while: tring_next() goes on. It returns 0 when the recording has ended and all was
 * given.
 *
 * Of a ring that is consumed it takes all that was recorded up to now. tring_next() gives that in
 * the right order, and then -EAGAIN; what comes meanwhile stays for the next call.
 *
 * Return: 0; -EINVAL if it is another trace; -ECANCELED if the ring does not record.
 */
int tring_follow(struct tring_trace *trace)
{
	struct tring_sink *before = tring_trace_enter(trace);
	int error = 0;

	if (trace->live)
		return tring_trace_leave(trace, before, tring_live_ring_take(trace));
	if (!trace->parts.count || trace->is_stream || trace->join) {
		tring_error("%s: only a single trace that tring records can be followed",
			    trace->dir);
		error = -EINVAL;
	} else if (!trace->follow) {
		begin(trace);
	}
	if (!error && trace->more) {
		tring_follow_tell(trace);
		if (!look_for_more(trace))
			end(trace);
	}
	return tring_trace_leave(trace, before, error);
}

/**
 * tring_follow_free - forget that a trace was followed
 * @trace: the trace
 */
void tring_follow_free(struct tring_trace *trace)
{
	if (trace->follow && trace->follow->dir >= 0)
		close(trace->follow->dir);
	free(trace->follow);
	trace->follow = NULL;
}

/**
 * tring_follow_end - do not wait for the end of the recording
 * @trace: from tring_follow()
 *
 * tring_next() gives the rest of what is there, and then 0.
 */
void tring_follow_end(struct tring_trace *trace)
{
	struct tring_sink *before = tring_trace_enter(trace);

	if (trace->more)
		end(trace);
	tring_trace_leave(trace, before, 0);
}
