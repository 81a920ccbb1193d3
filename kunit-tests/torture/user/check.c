// SPDX-License-Identifier: GPL-2.0
/*
 * Checks every byte of a packet against what a writer wrote, and the order of the
 * packets of one reader. The reader's library checks the lengths.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "wire/wire.h"

static uint64_t hash_content(const struct tring_packet *packet)
{
	const uint8_t *data = packet->data;
	size_t at, size = packet->content_size;
	uint64_t hash = size, word;

	for (at = 0; at + 8 <= size; at += 8) {
		if (at == offsetof(struct tring_packet_header, events_discarded))
			continue;
		memcpy(&word, data + at, 8);
		hash = torture_mix(hash, word);
	}
	word = 0;
	memcpy(&word, data + at, size - at);
	return torture_mix(hash, word);
}

static atomic_uint_fast64_t records[FORMS];

static const char *const form_names[FORMS] = {
	[FORM_FIXED] = "with a fixed length",
	[FORM_VARYING] = "with a varying length",
	[FORM_LONG] = "in long form",
	[FORM_EXTENDED] = "extended",
	[FORM_DISCARDED] = "discarded",
	[FORM_WITH_PID] = "with a pid",
	[FORM_WITHOUT_PID] = "without a pid",
	[FORM_FULL] = "with a full context",
};

/**
 * form_name - name of a form in messages
 * @form: the form
 */
const char *form_name(enum form form)
{
	return form_names[form];
}

/**
 * records_of - number of records of a form that all readers have read
 * @form: the form
 */
uint64_t records_of(enum form form)
{
	return atomic_load(&records[form]);
}

static void count_forms(const struct tring_packet *packet, const struct tring_record *record,
			uint32_t forms[FORMS])
{
	if (record->id == TRING_ID_DISCARDED)
		forms[FORM_DISCARDED]++;
	else if (record->type == TRING_TYPE_EXTENDED)
		forms[FORM_EXTENDED]++;
	else if (record->type == TRING_TYPE_LONG)
		forms[FORM_LONG]++;
	else if (packet->lengths[record->type] == TRING_LENGTH_VARIES)
		forms[FORM_VARYING]++;
	else
		forms[FORM_FIXED]++;

	forms[record->context & TRING_CONTEXT_HAS_PID ? FORM_WITH_PID : FORM_WITHOUT_PID]++;
	if (tring_context_is_full(record->context))
		forms[FORM_FULL]++;
}

/* Compare the record's head with the fields, in which the writer has repeated it. */
static void check_head(const struct tring_record *record, const struct torture_event *event,
		       unsigned int cpu, uint64_t packet)
{
	if (record->pid == event->pid && record->flags == event->flags &&
	    record->preempt_count == event->preempt_count)
		return;
	fault(CHECK_HEADS, "CPU %u packet %" PRIu64 " offset %u: pid %d flags %#x %u not %d %#x %u",
	      cpu, packet, record->offset, record->pid, record->flags, record->preempt_count,
	      event->pid, event->flags, event->preempt_count);
}

/* Description of what is wrong with the event, or NULL. */
static const char *check_event(const struct tring_record *record, unsigned int cpu,
			       struct packet_note *note)
{
	const struct torture_event *event =
		(const void *)(record->payload + TRING_PAYLOAD_HEAD);
	uint32_t length = record->length - TRING_PAYLOAD_HEAD, sequence;
	unsigned int context;

	if (length < sizeof(*event))
		return "room";
	if (event->length != length)
		return "length";
	if (event->checksum != torture_checksum(event, length))
		return "checksum";
	if (event->id != record->id)
		return "id";
	if (event->cpu != cpu)
		return "CPU";
	check_head(record, event, cpu, note->number);
	sequence = event->sequence;
	context = event->context & TORTURE_CONTEXT_MASK;
	if (context >= TORTURE_CONTEXTS)
		return "context";
	if (sequence <= note->last[context])
		fault(CHECK_SEQUENCE, "CPU %u packet %" PRIu64 ": context %u: %u after %" PRIu64,
		      cpu, note->number, context, sequence, note->last[context]);
	note->last[context] = sequence;
	if (!note->first[context])
		note->first[context] = sequence;
	note->contexts[context]++;
	note->events++;

	if (event->context & TORTURE_TIMED) {
		struct torture_times times;

		if (length < sizeof(*event) + sizeof(times))
			return "times";
		memcpy(&times, event->fill, sizeof(times));
		if (record->stamp < times.before || record->stamp > times.after)
			fault(CHECK_STAMPS, "CPU %u packet %" PRIu64 " offset %u: context %u: %"
			      PRIu64 " is not from %" PRIu64 " to %" PRIu64, cpu,
			      note->number, record->offset, context, record->stamp,
			      (uint64_t)times.before, (uint64_t)times.after);
	}
	return NULL;
}

/**
 * check_packet - check one packet
 * @data: the packet
 * @size: bytes that may be read there
 * @cpu: CPU that must have written it
 * @where: name of the reader in messages
 * @note: receives the note
 *
 * Return: true if @note is complete; otherwise the fault was reported.
 */
bool check_packet(const void *data, size_t size, unsigned int cpu, const char *where,
		  struct packet_note *note)
{
	uint32_t forms[FORMS] = { };
	struct tring_packet packet;
	struct tring_cursor cursor;
	struct tring_record record;
	enum tring_reason reason;
	const char *wrong;
	int form;

	memset(note, 0, sizeof(*note));
	reason = tring_packet_parse(data, size, &packet);
	if (reason != TRING_OK) {
		fault(CHECK_RECORDS, "CPU %u, %s: packet: %s", cpu, where,
		      tring_reason_text(reason));
		return false;
	}
	note->number = packet.seq_num;
	note->begin = packet.timestamp_begin;
	note->end = packet.timestamp_end;
	note->lost = packet.discarded;
	note->content = packet.content_size;
	if (packet.cpu_id != cpu)
		fault(CHECK_RECORDS, "CPU %u, %s: packet %" PRIu64 " has cpu_id %" PRIu64, cpu,
		      where, note->number, packet.cpu_id);

	packet.short_ids = torture.short_ids;
	tring_cursor_init(&cursor, &packet);
	while ((reason = tring_record_next(&cursor, &record)) == TRING_OK) {
		count_forms(&packet, &record, forms);
		if (record.id == TRING_ID_DISCARDED) {
			note->discarded++;
			continue;
		}
		wrong = check_event(&record, cpu, note);
		if (wrong) {
			fault(CHECK_RECORDS, "CPU %u, %s: packet %" PRIu64 " offset %u: %s",
			      cpu, where, note->number, record.offset, wrong);
			return false;
		}
	}
	if (reason != TRING_END) {
		fault(reason == TRING_RECORD_STAMP_BACKWARDS ||
		      reason == TRING_RECORD_STAMP_LATE ? CHECK_STAMPS : CHECK_RECORDS,
		      "CPU %u, %s: packet %" PRIu64 " offset %u: %s", cpu, where,
		      note->number, record.offset, tring_reason_text(reason));
		return false;
	}
	if (!note->events && !note->discarded)
		fault(CHECK_RECORDS, "CPU %u, %s: packet %" PRIu64 " is empty", cpu, where,
		      note->number);
	note->hash = hash_content(&packet);
	for (form = 0; form < FORMS; form++)
		atomic_fetch_add(&records[form], forms[form]);
	return true;
}

/* Does @note come after @before in the stream? */
static void check_order(const struct packet_note *before, const struct packet_note *note,
			const char *where, unsigned int cpu)
{
	if (note->number <= before->number)
		fault(CHECK_PACKETS, "CPU %u, %s: packet %" PRIu64 " after %" PRIu64, cpu,
		      where, note->number, before->number);
	if (note->begin < before->end)
		fault(CHECK_STAMPS, "CPU %u, %s: packet %" PRIu64 " begins at %" PRIu64
		      ", packet %" PRIu64 " ended at %" PRIu64, cpu, where, note->number,
		      note->begin, before->number, before->end);
	if (note->lost < before->lost)
		fault(CHECK_DISCARDED, "CPU %u, %s: packet %" PRIu64 " says %" PRIu64
		      ", packet %" PRIu64 " said %" PRIu64, cpu, where, note->number,
		      note->lost, before->number, before->lost);
}

/**
 * note_packet - keep a note and compare it with the last one
 * @notes: notes of the reader
 * @note: note of the packet
 * @where: name of the reader in messages
 * @cpu: CPU that wrote the packet
 */
void note_packet(struct notes *notes, const struct packet_note *note, const char *where,
		 unsigned int cpu)
{
	if (notes->count)
		check_order(&notes->notes[notes->count - 1], note, where, cpu);
	if (notes->count == notes->room) {
		notes->room = notes->room ? notes->room * 2 : 1024;
		notes->notes = realloc(notes->notes, notes->room * sizeof(*note));
		if (!notes->notes)
			die("no memory for %zu notes", notes->room);
	}
	notes->notes[notes->count++] = *note;
}
