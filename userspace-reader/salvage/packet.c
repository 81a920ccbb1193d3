// SPDX-License-Identifier: GPL-2.0
/*
 * Makes whole packets of what a ring in an image has. A delivered packet is one, but for the
 * events overwritten before it, which the kernel adds when a reader takes it. A packet that
 * was being written gets the header that it would get if it were closed now, up to the exact end
 * of its records.
 *
 * Most of a header is also known from elsewhere: from the directory, from the sub-buffer's
 * description, from the packet before and from the packet's own records. So damage of the header
 * is repaired, and damage of the records is left to the reader of the packet, which goes on behind
 * it.
 */
#include <stdlib.h>
#include <string.h>

#include "open_records.h"
#include "packet.h"
#include "util/store.h"
#include "util/util.h"
#include "wire/count.h"

#define HEADER_AT(member)	offsetof(struct tring_packet_header, member)

/* Different bits of two uuids of different traces: 64 as a rule. */
#define FOREIGN_BITS		16

/* A flag in TRING_WORD_LAST_TS. */
#define STAMP_FLAG		(1ull << 63)

static unsigned int count_different_bits(const uint8_t *one, const uint8_t *other, size_t size)
{
	unsigned int bits = 0;

	while (size--)
		bits += __builtin_popcount(*one++ ^ *other++);
	return bits;
}

static void repair(struct tring_salvaged *packet, size_t at, const void *right, size_t size)
{
	if (!memcmp(packet->bytes + at, right, size))
		return;
	memcpy(packet->bytes + at, right, size);
	packet->repaired++;
}

static void repair_u32(struct tring_salvaged *packet, size_t at, uint32_t right, bool order)
{
	uint8_t bytes[4];

	tring_store_u32(bytes, right, order);
	repair(packet, at, bytes, sizeof(bytes));
}

static void repair_u64(struct tring_salvaged *packet, size_t at, uint64_t right, bool order)
{
	uint8_t bytes[8];

	tring_store_u64(bytes, right, order);
	repair(packet, at, bytes, sizeof(bytes));
}

/*
 * The header says the right things of another trace. One that has the ring's own number is of this
 * trace, and only its uuid is damaged.
 */
static bool is_foreign(const struct tring_ring *ring, const struct tring_place *place,
		       const struct tring_salvaged *packet)
{
	const uint8_t *bytes = packet->bytes;
	bool order = ring->trace->page.big_endian;

	if (tring_place_memory(ring, place)->know_first &&
	    tring_load_u64(bytes + HEADER_AT(packet_seq_num), order) == place->seq &&
	    tring_load_u64(bytes + HEADER_AT(cpu_id), order) == ring->cpu)
		return false;
	return tring_load_u32(bytes, order) == TRING_PACKET_MAGIC &&
	       bytes[HEADER_AT(version)] == TRING_FORMAT_VERSION &&
	       count_different_bits(bytes + HEADER_AT(uuid), ring->trace->is.uuid,
				    TRING_UUID_SIZE) > FOREIGN_BITS;
}

/* What is the same in each packet of the ring, and the number. */
static void repair_identity(const struct tring_ring *ring, const struct tring_place *place,
			    struct tring_salvaged *packet)
{
	bool order = ring->trace->page.big_endian;
	const uint8_t version = TRING_FORMAT_VERSION;
	unsigned int type;

	repair_u32(packet, HEADER_AT(magic), TRING_PACKET_MAGIC, order);
	repair(packet, HEADER_AT(uuid), ring->trace->is.uuid, TRING_UUID_SIZE);
	repair(packet, HEADER_AT(version), &version, sizeof(version));
	repair_u64(packet, HEADER_AT(cpu_id), ring->cpu, order);
	if (tring_place_memory(ring, place)->know_first)
		repair_u64(packet, HEADER_AT(packet_seq_num), place->seq, order);
	for (type = TRING_TYPE_SHORT_MIN; type <= TRING_TYPE_SHORT_MAX; type++) {
		uint8_t *length = packet->bytes + HEADER_AT(lengths) + type;
		uint8_t right = ring->trace->is.lengths[type];

		/* a type that was given after the packet was closed is 0 there */
		packet->repaired += !place->is_open && *length && right && *length != right;
		if (place->is_open || right)
			*length = right;
	}
}

/* The packet as the library sees it, up to an end. */
static void view(const struct tring_ring *ring, const struct tring_salvaged *packet, size_t end,
		 struct tring_packet *view)
{
	tring_packet_load(view, packet->bytes, ring->trace->page.big_endian);
	view->readable = end;
	view->content_size = end;
	view->packet_size = end;
	view->timestamp_end = UINT64_MAX;
}

/* The last time before @bound, or at it, that has these low bits. */
static uint64_t stamp_up_to(uint64_t bound, uint32_t low)
{
	uint64_t mask = tring_stamp_mask(TRING_STAMP_BITS), stamp = (bound & ~mask) + low;

	return stamp > bound && stamp > mask ? stamp - mask - 1 : stamp;
}

static bool is_in_order(const struct tring_salvage_order *order, uint64_t stamp)
{
	return stamp >= order->end && (!order->next || stamp <= order->next);
}

/*
 * Return: timestamp_begin by the first record, which has the same time, or a later one if the
 * first record was discarded and gave its place up: then it is a full one. A compact one has
 * the low bits; the others are those of a packet that is not longer than they last.
 */
static uint64_t begin_by_record(const struct tring_packet *packet, uint64_t closed,
				const struct tring_salvage_order *order)
{
	uint64_t begin = packet->timestamp_begin;
	const uint8_t *first = packet->data + TRING_PACKET_HEADER_SIZE;
	uint32_t word = tring_load_u32(first, packet->big_endian);
	uint32_t low = tring_header_stamp(word, packet->big_endian);

	if (packet->readable < TRING_PACKET_HEADER_SIZE + TRING_WORD_SIZE + TRING_STAMP_SIZE)
		return begin;
	if (tring_header_type(word, packet->big_endian) == TRING_TYPE_EXTENDED) {
		uint64_t stamp = tring_load_u64(first + TRING_WORD_SIZE, packet->big_endian);

		return begin <= stamp && is_in_order(order, begin) ? begin : stamp;
	}
	/* a packet is closed as a rule by the first record of the next one, with its time */
	if ((begin & tring_stamp_mask(TRING_STAMP_BITS)) == low && is_in_order(order, begin) &&
	    (begin <= closed || (order->next && closed != order->next)))
		return begin;
	if (is_in_order(order, closed) && is_in_order(order, stamp_up_to(closed, low)))
		return stamp_up_to(closed, low);
	return order->end ? tring_stamp_rebuild(order->end, low, TRING_STAMP_BITS) : begin;
}

/* Viewers refuse a packet that ends before it begins. All else is left to the trace's reader. */
static void repair_times(const struct tring_ring *ring, struct tring_salvaged *packet, size_t end,
			 const struct tring_salvage_order *order)
{
	bool big_endian = ring->trace->page.big_endian;
	uint64_t last, events, closed, begin;
	struct tring_packet seen;

	closed = tring_load_u64(packet->bytes + HEADER_AT(timestamp_end), big_endian);
	view(ring, packet, end, &seen);
	if (seen.timestamp_begin <= closed)
		return;
	begin = begin_by_record(&seen, closed, order);
	packet->is_guess = begin != seen.timestamp_begin && !order->end && closed != order->next;
	seen.timestamp_begin = begin;
	repair_u64(packet, HEADER_AT(timestamp_begin), seen.timestamp_begin, big_endian);
	tring_records_fill(&seen, end, &events, &last);
	if (closed < seen.timestamp_begin)
		repair_u64(packet, HEADER_AT(timestamp_end), last, big_endian);
}

static void set_sizes(const struct tring_ring *ring, struct tring_salvaged *packet, size_t end)
{
	bool order = ring->trace->page.big_endian;

	packet->size = (end + 7) & ~(size_t)7;
	memset(packet->bytes + end, 0, packet->size - end);
	tring_store_u32(packet->bytes + HEADER_AT(content_size), end * 8, order);
	tring_store_u32(packet->bytes + HEADER_AT(packet_size), packet->size * 8, order);
}

/* Count the events that a reader of the packet will get. @met: may be NULL */
static void count_events(struct tring_salvaged *packet, struct tring_met *met)
{
	struct tring_count count = { .ids = met ? met->ids : NULL };
	struct tring_packet parsed;
	struct tring_stream stream;
	struct tring_record record;

	if (tring_packet_parse(packet->bytes, packet->size, &parsed) != TRING_OK ||
	    !tring_packet_begins_right(&parsed) || !tring_count_packet(&count, &parsed)) {
		tring_stream_init(&stream, packet->bytes, packet->size);
		while (tring_stream_next(&stream, &record) == TRING_OK)
			tring_count_record(&count, &record);
		packet->faults = stream.errors;
	}
	if (met)
		met->types |= count.types;
	packet->recovered = count.events;
}

/*
 * Of the two sizes that the ring keeps, one may be damaged: the records tell which. Records that
 * fill the packet also tell if the number of events is.
 */
static size_t find_content(const struct tring_ring *ring, const struct tring_place *place,
			   struct tring_salvaged *packet, size_t room)
{
	bool order = ring->trace->page.big_endian;
	uint32_t bits = tring_load_u32(packet->bytes + HEADER_AT(content_size), order);
	size_t own = bits % 8 || bits / 8 > room ? 0 : bits / 8, described = place->bytes;
	struct tring_packet seen;
	uint64_t events, stamp;

	if (described <= TRING_PACKET_HEADER_SIZE || described > room)
		described = own;
	if (own != described && own > TRING_PACKET_HEADER_SIZE) {
		view(ring, packet, own, &seen);
		if (tring_records_fill(&seen, own, &events, &stamp) && events == place->events)
			described = own;
	}
	packet->repaired += own != described;
	if (described <= TRING_PACKET_HEADER_SIZE)
		return 0;
	view(ring, packet, described, &seen);
	packet->is_filled = tring_records_fill(&seen, described, &events, &stamp);
	/* no packet has so many */
	if (packet->is_filled && place->events > room / TRING_PAYLOAD_MIN) {
		packet->there = events;
		packet->repaired++;
	}
	packet->is_filled &= events == packet->there;
	return described;
}

/* Neither the magic number nor the uuid: the packet is elsewhere, or its header is gone. */
static bool has_no_identity(const struct tring_ring *ring, const struct tring_salvaged *packet)
{
	return tring_load_u32(packet->bytes, ring->trace->page.big_endian) !=
	       TRING_PACKET_MAGIC &&
	       count_different_bits(packet->bytes + HEADER_AT(uuid), ring->trace->is.uuid,
				    TRING_UUID_SIZE) > FOREIGN_BITS;
}

/* Memory has another packet in this place, as two of its number, its CPU and its times tell. */
static bool is_other(const struct tring_ring *ring, const struct tring_place *place,
		     const struct tring_salvage_order *order, const struct tring_salvaged *packet)
{
	bool big_endian = ring->trace->page.big_endian;
	uint64_t begin = tring_load_u64(packet->bytes + HEADER_AT(timestamp_begin), big_endian);
	uint64_t end = tring_load_u64(packet->bytes + HEADER_AT(timestamp_end), big_endian);
	uint64_t seq = tring_load_u64(packet->bytes + HEADER_AT(packet_seq_num), big_endian);
	uint64_t cpu = tring_load_u64(packet->bytes + HEADER_AT(cpu_id), big_endian);

	return (tring_place_memory(ring, place)->know_first && seq != place->seq) +
	       (cpu != ring->cpu) +
	       (!is_in_order(order, begin) && !is_in_order(order, end)) >= 2;
}

/*
 * Also the times are gone with it. The times are between those of
 * the packets beside it, and a packet is as long as a record tells time, if it is the first one.
 */
static void forget_header(const struct tring_ring *ring, const struct tring_salvage_order *order,
			  struct tring_salvaged *packet)
{
	const uint64_t mask = tring_stamp_mask(TRING_STAMP_BITS);
	bool big_endian = ring->trace->page.big_endian;
	uint64_t begin = order->end;

	if (!begin && order->next > mask)
		begin = order->next - mask;
	tring_store_u64(packet->bytes + HEADER_AT(timestamp_begin), begin, big_endian);
	tring_store_u64(packet->bytes + HEADER_AT(timestamp_end), order->next, big_endian);
}

static void salvage_delivered(const struct tring_ring *ring, const struct tring_place *place,
			      struct tring_salvage_order *before, bool lost,
			      struct tring_salvaged *packet)
{
	size_t room = tring_place_memory(ring, place)->found->is.subbuf_size, end;

	packet->end = TRING_PACKET_DELIVERED;
	end = find_content(ring, place, packet, room);
	if (end <= TRING_PACKET_HEADER_SIZE)
		return;
	/* what lies there is the packet only if its records say so, or times that records have */
	if (lost && !packet->is_filled && !before->next)
		return;
	if (!lost || packet->is_filled)
		repair_times(ring, packet, end, before);
	set_sizes(ring, packet, end);
}

/**
 * struct open - what is known of an open packet
 * @limit: end of its last record; 0 if unknown
 * @uncommitted: bytes before that that are not committed
 * @last: no record is later
 * @how: how @limit is known
 */
struct open {
	uint32_t	limit;
	uint32_t	uncommitted;
	uint64_t	last;
	enum tring_packet_end how;
};

/* The stamp that no record of the ring exceeds, see docs/design.md, invariant 4. */
static uint64_t last_stamp(const struct tring_ring_memory *memory)
{
	uint64_t last, before;

	if (!memory->have[TRING_WORD_LAST_TS] || !memory->have[TRING_WORD_BEFORE_TS])
		return UINT64_MAX;
	last = memory->words[TRING_WORD_LAST_TS] & ~STAMP_FLAG;
	before = memory->words[TRING_WORD_BEFORE_TS];
	return last > before ? last : before;
}

/* Where the writer's position was. */
static void find_limit(const struct tring_ring *ring, const struct tring_place *place,
		       struct open *open)
{
	const struct tring_ring_memory *memory = tring_place_memory(ring, place);
	uint64_t size = memory->found->is.subbuf_size;
	uint64_t write = memory->words[TRING_WORD_WRITE];
	uint64_t number = tring_position_packet(memory->found, write);
	bool is_current = tring_position_is_current(memory->found, write);
	uint32_t rest = size - place->committed;

	*open = (struct open) { .last = last_stamp(memory), .how = TRING_PACKET_UNSURE };
	if (!memory->have[TRING_WORD_WRITE])
		return;
	if (is_current && number == place->number && write % size > TRING_PACKET_HEADER_SIZE) {
		open->limit = write % size;
		open->how = TRING_PACKET_BY_WRITE;
		open->uncommitted = open->limit - place->committed;
		if (open->limit < place->committed)
			open->how = TRING_PACKET_UNSURE;
	} else if (!is_current || number > place->number) {
		/* the closer has committed what is behind the last record */
		open->limit = place->bytes;
		open->how = TRING_PACKET_BY_CLOSE;
		open->uncommitted = rest;
		if (open->limit < TRING_PACKET_HEADER_SIZE + (uint64_t)rest)
			open->how = TRING_PACKET_UNSURE;
	}
}

/* Without its description the records up to the position are all that is known. */
static size_t resolve_found(const struct tring_ring *ring, const struct open *open,
			    struct tring_salvaged *packet)
{
	struct tring_packet seen;
	uint64_t events, stamp;

	packet->is_sure = false;
	packet->end = open->how;
	if (open->how != TRING_PACKET_BY_WRITE)
		return 0;
	view(ring, packet, open->limit, &seen);
	return tring_records_fill(&seen, open->limit, &events, &stamp) ? open->limit : 0;
}

/* Return: end of the packet's records, or 0. */
static size_t resolve(const struct tring_ring *ring, const struct tring_place *place,
		      const struct open *open, struct tring_salvaged *packet)
{
	struct tring_open_records records = { 0 };
	struct tring_packet committed;
	uint64_t events, stamp;
	bool found = false;

	packet->is_sure = true;
	packet->end = open->how;
	if (open->how != TRING_PACKET_UNSURE) {
		view(ring, packet, open->limit, &records.packet);
		if (!open->uncommitted)
			return open->limit;
		records.packet.timestamp_end = open->last;
		records.uncommitted = open->uncommitted;
		records.events = place->events;
		found = tring_open_records_resolve(&records, packet->bytes);
	}
	if (!found) {
		/* without an open record what is committed is one piece */
		view(ring, packet, place->committed, &committed);
		if (open->how != TRING_PACKET_UNSURE)
			committed.timestamp_end = open->last;
		if (tring_records_fill(&committed, place->committed, &events, &stamp) &&
		    events == place->events) {
			packet->end = TRING_PACKET_BY_COMMITS;
			return place->committed;
		}
		packet->end = TRING_PACKET_UNSURE;
	}
	if (open->how == TRING_PACKET_UNSURE) {
		records.packet = committed;
		records.events = place->events;
		tring_open_records_resolve(&records, packet->bytes);
	}
	packet->is_sure = records.is_sure && found;
	packet->uncommitted = records.records;
	return records.end;
}

static void salvage_open(const struct tring_ring *ring, const struct tring_place *place,
			 struct tring_salvage_order *before, struct tring_salvaged *packet)
{
	const struct tring_ring_memory *memory = tring_place_memory(ring, place);
	bool order = ring->trace->page.big_endian;
	struct tring_packet seen;
	struct open open;
	uint64_t stamp;
	size_t end;

	find_limit(ring, place, &open);
	view(ring, packet, memory->found->is.subbuf_size, &seen);
	stamp = begin_by_record(&seen, open.last, before);
	tring_store_u64(packet->bytes + HEADER_AT(timestamp_begin), stamp, order);
	end = place->is_found ? resolve_found(ring, &open, packet) :
				resolve(ring, place, &open, packet);
	if (end <= TRING_PACKET_HEADER_SIZE)
		return;
	if (packet->end != TRING_PACKET_BY_CLOSE) {
		tring_store_u64(packet->bytes + HEADER_AT(timestamp_end),
				open.last == UINT64_MAX ? 0 : open.last, order);
		tring_store_u64(packet->bytes + HEADER_AT(events_discarded),
				memory->have[TRING_WORD_LOST] ? memory->words[TRING_WORD_LOST] : 0,
				order);
	}
	repair_times(ring, packet, end, before);
	packet->repaired = 0;
	packet->is_guess = false;
	set_sizes(ring, packet, end);
}

/* The kernel adds what was overwritten when a reader takes the packet. */
static void add_losses(const struct tring_ring *ring, const struct tring_place *place,
		       struct tring_salvage_order *order, struct tring_salvaged *packet)
{
	bool big_endian = ring->trace->page.big_endian;
	uint8_t *at = packet->bytes + HEADER_AT(events_discarded);
	uint64_t discarded = tring_load_u64(at, big_endian) +
			     tring_place_memory(ring, place)->lost;

	/* the ring's own count is the last one */
	if (discarded > order->most) {
		discarded = order->discarded;
		packet->repaired++;
	}
	if (discarded < order->discarded)
		discarded = order->discarded;
	tring_store_u64(at, discarded, big_endian);
	order->discarded = discarded;
	order->end = tring_load_u64(packet->bytes + HEADER_AT(timestamp_end), big_endian);
}

/**
 * tring_salvage_packet - make a whole packet of what a slot has
 * @ring: the ring
 * @place: the packet in the ring
 * @order: of the packet before; that of this one is set
 * @packet: zeroed, or from the last call; its memory is used again
 */
void tring_salvage_packet(const struct tring_ring *ring, const struct tring_place *place,
			  struct tring_salvage_order *order, struct tring_salvaged *packet)
{
	size_t room = tring_place_memory(ring, place)->found->is.subbuf_size;
	uint8_t *bytes = packet->bytes;
	size_t capacity = packet->capacity;
	bool lost;

	if (capacity < room + 8) {
		free(bytes);
		capacity = room + 8;
		bytes = tring_allocate(capacity);
	}
	*packet = (struct tring_salvaged) {
		.bytes = bytes, .capacity = capacity, .there = place->events, .is_sure = true,
	};
	packet->missing = tring_image_read(ring->image, place->physical, bytes, room);
	if (packet->missing == room)
		return;
	packet->is_foreign = is_foreign(ring, place, packet);
	if (packet->is_foreign)
		return;
	lost = has_no_identity(ring, packet) ||
	       (!place->is_open && is_other(ring, place, order, packet));
	if (lost)
		forget_header(ring, order, packet);
	repair_identity(ring, place, packet);
	if (place->is_open)
		salvage_open(ring, place, order, packet);
	else
		salvage_delivered(ring, place, order, lost, packet);
	if (!packet->size)
		return;
	count_events(packet, order->met);
	if (!packet->recovered && lost) {
		packet->size = 0;
		return;
	}
	add_losses(ring, place, order, packet);
	if (place->is_found)
		packet->there = packet->recovered;
}

/**
 * tring_salvaged_free - free a packet's memory
 * @packet: the packet
 */
void tring_salvaged_free(struct tring_salvaged *packet)
{
	free(packet->bytes);
	memset(packet, 0, sizeof(*packet));
}
