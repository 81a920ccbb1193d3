// SPDX-License-Identifier: LGPL-2.1-or-later
/* Parses the key=value lines of trace_info. Unknown keys are ignored. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace_info.h"
#include "tring_version.h"
#include "util/util.h"

/* Of the first key. */
#define HAVE_VERSION	1u

/* What each trace has. */
static const char * const keys[] = {
	"format_version", "uuid", "byte_order", "clock", "clock_frequency",
	"clock_offset",
};

const char * const tring_origin_keys[TRING_ORIGINS] = {
	"kernel_release", [TRING_ORIGIN_MACHINE] = "architecture", "user", "command_line",
	[TRING_ORIGIN_LEFT_OUT] = "left_out", [TRING_ORIGIN_STOPPED_BY] = "stopped_by",
};

const char * const tring_clock_event_keys[TRING_CLOCK_EVENTS] = {
	"clock_set_back", "clock_set_forward", "clock_unreliable", "clock_missed_ns",
};

static bool parse_uuid(uint8_t *uuid, const char *text)
{
	size_t i;

	for (i = 0; i < TRING_UUID_SIZE; i++) {
		char digits[3] = { 0 };

		if (i == 4 || i == 6 || i == 8 || i == 10)
			if (*text++ != '-')
				return false;
		if (!isxdigit((unsigned char)text[0]) ||
		    !isxdigit((unsigned char)text[1]))
			return false;
		memcpy(digits, text, 2);
		uuid[i] = strtoul(digits, NULL, 16);
		text += 2;
	}
	return !*text;
}

static bool parse_offset(int64_t *offset, const char *text)
{
	char *end;

	errno = 0;
	*offset = strtoll(text, &end, 10);
	return !errno && end != text && !*end;
}

/* A longer value is cut. */
static void parse_origin(struct tring_trace_info *info, const char *key, const char *value)
{
	size_t i;

	for (i = 0; i < TRING_ORIGINS; i++)
		if (!strcmp(key, tring_origin_keys[i]))
			snprintf(info->origins[i], sizeof(info->origins[i]), "%s", value);
}

/* The clock's name becomes an identifier in the metadata. */
static bool parse_clock(char *clock, const char *text)
{
	size_t i;

	if (!*text || isdigit((unsigned char)*text) ||
	    strlen(text) >= TRING_CLOCK_NAME_SIZE)
		return false;
	for (i = 0; text[i]; i++)
		if (!isalnum((unsigned char)text[i]) && text[i] != '_')
			return false;
	strcpy(clock, text);
	return true;
}

/*
 * What other lines say depends on the version. Versions 1 to 3 were in the sources alone, before
 * the first release.
 */
static bool can_read(uint32_t version, const char *where)
{
	if (version == TRING_FORMAT_VERSION)
		return true;
	if (version < TRING_FORMAT_VERSION)
		tring_error("%s: format version %u is older than any release of tring", where,
			    version);
	else
		tring_error("%s: format version %u needs a newer tring than " TRING_VERSION,
			    where, version);
	return false;
}

static bool parse_key(struct tring_trace_info *info, const char *key,
		      const char *value, unsigned int *have)
{
	uint64_t number;
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (!strcmp(key, keys[i]))
			*have |= 1u << i;
	if (!strcmp(key, "format_version")) {
		if (!tring_parse_number(value, &number) || number > UINT32_MAX)
			return false;
		info->format_version = number;
	} else if (!strcmp(key, "uuid")) {
		return parse_uuid(info->uuid, value);
	} else if (!strcmp(key, "byte_order")) {
		info->big_endian = !strcmp(value, "be");
		return info->big_endian || !strcmp(value, "le");
	} else if (!strcmp(key, "clock")) {
		return parse_clock(info->clock, value);
	} else if (!strcmp(key, "clock_frequency")) {
		/* the metadata divides the signed offset by it */
		return tring_parse_number(value, &info->clock_frequency) &&
		       info->clock_frequency && info->clock_frequency <= INT64_MAX;
	} else if (!strcmp(key, "clock_offset")) {
		return parse_offset(&info->clock_offset, value);
	} else if (!strcmp(key, "tick_frequency")) {
		return tring_parse_number(value, &info->tick_frequency) &&
		       info->tick_frequency && info->tick_frequency <= UINT32_MAX;
	} else if (!strcmp(key, "save_ns")) {
		return tring_parse_number(value, &info->save_ns) && info->save_ns <= INT64_MAX;
	} else if (!strcmp(key, "hostname")) {
		strncpy(info->hostname, value, sizeof(info->hostname) - 1);
	} else if (!strcmp(key, "boot_id")) {
		strncpy(info->boot_id, value, sizeof(info->boot_id) - 1);
	} else {
		parse_origin(info, key, value);
	}
	return true;
}

/**
 * tring_trace_info_parse - parse trace_info
 * @info: filled in
 * @text: lines of key=value
 * @where: file name for messages
 *
 * Return: 0, or -EINVAL, reported on stderr.
 */
int tring_trace_info_parse(struct tring_trace_info *info, const char *text,
			   const char *where)
{
	char *copy = tring_format("%s", text), *rest = copy, *line;
	unsigned int have = 0;
	int error = 0;
	size_t i;

	memset(info, 0, sizeof(*info));
	while (!error && (line = strsep(&rest, "\n"))) {
		char *value = strchr(line, '=');

		if (!*line)
			continue;
		if (value)
			*value++ = 0;
		if (!value || !parse_key(info, line, value, &have)) {
			tring_error("%s: bad line for \"%s\"", where, line);
			error = -EINVAL;
		} else if (have & HAVE_VERSION && !can_read(info->format_version, where)) {
			error = -EINVAL;
		}
	}
	for (i = 0; !error && i < sizeof(keys) / sizeof(keys[0]); i++) {
		if (have & (1u << i))
			continue;
		tring_error("%s: no line for \"%s\"", where, keys[i]);
		error = -EINVAL;
	}
	free(copy);
	return error;
}
