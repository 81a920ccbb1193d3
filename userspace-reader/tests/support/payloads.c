// SPDX-License-Identifier: GPL-2.0
/* Pseudo-random payloads of an event: plausible ones, odd ones, and any bytes. */
#include "payloads.h"

#define TAIL_MAX	96

static uint64_t state;
static uint64_t functions[64];
static size_t function_count;

/**
 * payload_seed - begin a sequence of payloads
 * @seed: not 0
 */
void payload_seed(uint64_t seed)
{
	CHECK(seed);
	state = seed;
}

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static uint64_t random_below(uint64_t limit)
{
	return (next_random() >> 11) % limit;
}

/* Return: mostly an extreme value, at which the output changes. */
static uint64_t odd_number(void)
{
	switch (random_below(9)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return 1ull << random_below(64);
	case 3:
		return (1ull << random_below(64)) - 1;
	case 4:
		return -(int64_t)random_below(300);
	case 5:
		return function_count ?
			functions[random_below(function_count)] +
			random_below(3) * 4 : 1;
	case 6:
		return next_random();
	default:
		return random_below(300);
	}
}

static void fill_text(uint8_t *to, size_t size, enum content content)
{
	bool is_plausible = content == CONTENT_PLAUSIBLE;
	size_t i, end = random_below(is_plausible && size ? size : size + 2);

	for (i = 0; i < size; i++)
		to[i] = i >= end ? 0 : is_plausible ? 'a' + random_below(26) :
			' ' + random_below(95);
	/* sometimes a byte outside of ASCII, or text after the NUL */
	if (!is_plausible && size && random_below(8) == 0)
		to[random_below(size)] = next_random();
}

/* Return: mostly a small number, sometimes a bit. Lengths and widths are among the fields. */
static uint64_t plausible_number(void)
{
	return random_below(8) ? 1 + random_below(16) : 1ull << random_below(10);
}

static void fill_number(uint8_t *to, size_t size, bool big_endian, enum content content)
{
	uint64_t value = content == CONTENT_PLAUSIBLE ? plausible_number() : odd_number();

	switch (size) {
	case 1:
		*to = value;
		break;
	case 2:
		put_u16(to, value, big_endian);
		break;
	case 4:
		put_u32(to, value, big_endian);
		break;
	case 8:
		put_u64(to, value, big_endian);
		break;
	default:
		while (size--)
			*to++ = random_below(4) ? next_random() : 0;
		break;
	}
}

static void fill_array(uint8_t *to, const struct tep_format_field *field, bool big_endian,
		       enum content content)
{
	size_t each = field->elementsize ? field->elementsize : 1;
	size_t at;

	for (at = 0; at + each <= (size_t)field->size; at += each)
		fill_number(to + at, each, big_endian, content);
}

/* Places dynamic data anywhere after the fixed part, with any size that fits. */
static void place_dynamic(uint8_t *payload,
			  const struct tep_format_field *field,
			  uint32_t fixed, uint32_t length, bool big_endian)
{
	uint32_t start = fixed + random_below(length - fixed + 1);
	uint32_t size = random_below(length - start + 1);

	fill_text(payload + start, size, CONTENT_ODD);
	if (field->flags & TEP_FIELD_IS_RELATIVE)
		start -= field->offset + field->size;
	put_u32(payload + field->offset, size << 16 | start, big_endian);
}

/**
 * payload_functions - pick some addresses that have names, for the numbers of payloads
 * @kallsyms: content of that file
 */
void payload_functions(const char *kallsyms)
{
	size_t lines = 0, every;
	const char *at;

	for (at = kallsyms; at; at = strchr(at + 1, '\n'))
		lines++;
	every = lines / COUNT(functions) + 1;
	for (at = kallsyms, lines = function_count = 0; at && function_count < COUNT(functions);
	     at = strchr(at + 1, '\n'))
		if (lines++ % every == 0)
			functions[function_count++] = strtoull(at, NULL, 16);
}

/* Places an array behind the others, as the kernel does, which writes no empty mask. */
static uint32_t append_dynamic(uint8_t *payload, const struct tep_format_field *field,
			       uint32_t start, bool big_endian)
{
	uint32_t each = field->elementsize ? field->elementsize : 1, size, at;

	if (field->flags & TEP_FIELD_IS_STRING) {
		size = 1 + random_below(20);
		CHECK(start + size <= PAYLOAD_MAX);
		for (at = 0; at < size; at++)
			payload[start + at] = at + 1 < size ? 'a' + random_below(26) : 0;
	} else {
		size = (1 + random_below(4)) * (each < 8 ? 8 : each);
		CHECK(start + size <= PAYLOAD_MAX);
		for (at = 0; at + each <= size; at += each)
			fill_number(payload + start + at, each, big_endian, CONTENT_PLAUSIBLE);
	}
	at = start;
	if (field->flags & TEP_FIELD_IS_RELATIVE)
		at -= field->offset + field->size;
	put_u32(payload + field->offset, size << 16 | at, big_endian);
	return start + size;
}

/* Return: the payload's length, which the field may have made longer. */
static uint32_t fill_field(uint8_t *payload, const struct tep_format_field *field, uint32_t fixed,
			   uint32_t length, bool big_endian, enum content content)
{
	uint8_t *to = payload + field->offset;
	bool is_dynamic = field->flags & TEP_FIELD_IS_DYNAMIC;

	if (content == CONTENT_RANDOM && (!is_dynamic || random_below(2)))
		return length;
	if (is_dynamic && content == CONTENT_PLAUSIBLE)
		return append_dynamic(payload, field, length, big_endian);
	if (is_dynamic)
		place_dynamic(payload, field, fixed, length, big_endian);
	else if (field->flags & TEP_FIELD_IS_STRING)
		fill_text(to, field->size, content);
	else if (field->flags & TEP_FIELD_IS_ARRAY)
		fill_array(to, field, big_endian, content);
	else
		fill_number(to, field->size, big_endian, content);
	return length;
}

/**
 * payload_make - make the next payload
 * @payload: room for PAYLOAD_MAX bytes, of which the first 8 are no field's
 * @event: the event
 * @big_endian: byte order
 * @content: what it has
 *
 * Return: its length.
 */
uint32_t payload_make(uint8_t *payload, const struct tring_event *event, bool big_endian,
		      enum content content)
{
	const struct tep_format_field *field;
	uint32_t fixed = event->fixed_size, length = fixed, i;

	if (content != CONTENT_PLAUSIBLE)
		length += random_below(TAIL_MAX);
	for (i = 0; i < length; i++)
		payload[i] = content == CONTENT_PLAUSIBLE ? 0 : next_random();
	for (field = event->parsed->format.fields; field; field = field->next)
		length = fill_field(payload, field, fixed, length, big_endian, content);
	return length;
}
