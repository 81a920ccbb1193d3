// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Merges the streams of several CPUs by time: a binary heap of each stream's
 * next record. Timestamps of a stream never decrease, so the earliest of these
 * records is the earliest of all.
 */
#include "wire.h"

static bool is_earlier(const struct tring_merge_entry *a,
		       const struct tring_merge_entry *b)
{
	if (a->record.stamp != b->record.stamp)
		return a->record.stamp < b->record.stamp;
	/* any order of equal timestamps is right, but it must be reproducible */
	return a->stream->packet.cpu_id < b->stream->packet.cpu_id;
}

static void sift_down(struct tring_merge *merge, size_t at)
{
	struct tring_merge_entry *heap = merge->heap, moved = heap[at];
	size_t child;

	while ((child = 2 * at + 1) < merge->count) {
		if (child + 1 < merge->count &&
		    is_earlier(&heap[child + 1], &heap[child]))
			child++;
		if (!is_earlier(&heap[child], &moved))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = moved;
}

/**
 * tring_merge_settle - let the earliest record be the first entry's
 * @merge: the merge, whose first entry has got another record
 *
 * Most records come from the same CPU as the previous one, so the heap is not
 * changed until another CPU may have an earlier record.
 */
void tring_merge_settle(struct tring_merge *merge)
{
	size_t child;

	sift_down(merge, 0);
	merge->limit = UINT64_MAX;
	for (child = 1; child <= 2 && child < merge->count; child++)
		if (merge->heap[child].record.stamp < merge->limit)
			merge->limit = merge->heap[child].record.stamp;
}

static void settle_all(struct tring_merge *merge)
{
	size_t i;

	for (i = merge->count / 2; i-- > 1; )
		sift_down(merge, i);
	if (merge->count)
		tring_merge_settle(merge);
}

/**
 * tring_merge_init - read the first record of each stream
 * @merge: the merge
 * @entries: one for each stream, with @entries[i].stream set; reordered by the
 *	merge
 * @count: number of @entries
 */
void tring_merge_init(struct tring_merge *merge,
		      struct tring_merge_entry *entries, size_t count)
{
	size_t i;

	merge->heap = entries;
	merge->count = 0;
	merge->taken = false;
	for (i = 0; i < count; i++) {
		struct tring_merge_entry entry = entries[i];

		if (tring_stream_next(entry.stream, &entry.record) == TRING_OK)
			entries[merge->count++] = entry;
	}
	settle_all(merge);
}

/**
 * tring_merge_next - get the earliest remaining record
 * @merge: the merge
 *
 * Records with the same timestamp are returned in the order of their CPUs.
 *
 * Return: stream and record, valid until the next call; NULL at the end.
 */
struct tring_merge_entry *tring_merge_next(struct tring_merge *merge)
{
	struct tring_merge_entry *first = merge->heap;

	if (merge->taken && merge->count) {
		bool more = tring_stream_next(first->stream, &first->record) ==
			    TRING_OK;

		if (!more)
			*first = merge->heap[--merge->count];
		if (merge->count && (!more ||
				     first->record.stamp >= merge->limit))
			tring_merge_settle(merge);
	}
	merge->taken = true;
	return merge->count ? first : NULL;
}

/**
 * tring_merge_has - check whether a stream is in a merge
 * @merge: the merge
 * @stream: a stream that the merge was given
 *
 * Return: false if the stream has left the merge at its end.
 */
bool tring_merge_has(const struct tring_merge *merge, const struct tring_stream *stream)
{
	size_t i;

	for (i = 0; i < merge->count; i++)
		if (merge->heap[i].stream == stream)
			return true;
	return false;
}

/**
 * tring_merge_resume - go on with a stream that was at its end and has grown
 * @merge: the merge, whose last record was not used or was NULL: it is returned again
 * @stream: a stream that the merge was given, and that has left it at its end
 *
 * Return: as tring_merge_next().
 */
struct tring_merge_entry *tring_merge_resume(struct tring_merge *merge,
					     struct tring_stream *stream)
{
	struct tring_merge_entry *added = &merge->heap[merge->count];

	added->stream = stream;
	if (tring_stream_next(stream, &added->record) == TRING_OK) {
		merge->count++;
		settle_all(merge);
	}
	merge->taken = true;
	return merge->count ? merge->heap : NULL;
}
