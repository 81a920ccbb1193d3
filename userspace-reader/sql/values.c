// SPDX-License-Identifier: GPL-2.0
/*
 * Values of a trace as SQLite's. Numbers have 64 bits with a sign, so an address is a negative
 * one; printf('%x') shows it as one knows it. Arrays are JSON, for json_each().
 */
#include <stdlib.h>
#include <string.h>

#include "sql.h"
#include "util/text.h"
#include "util/util.h"

/**
 * tring_sql_time - give a time
 * @to: where the value goes
 * @trace: the trace
 * @stamp: the time, in ticks
 */
void tring_sql_time(sqlite3_context *to, const struct tring_trace *trace, uint64_t stamp)
{
	sqlite3_result_int64(to, tring_ns(trace, stamp));
}

/**
 * tring_sql_pid - give a pid
 * @to: where the value goes
 * @pid: the pid; -1 if it is unknown
 */
void tring_sql_pid(sqlite3_context *to, int32_t pid)
{
	if (pid < 0)
		sqlite3_result_null(to);
	else
		sqlite3_result_int64(to, pid);
}

/* SQLite has UTF-8 only. */
static void give_text(sqlite3_context *to, const char *text, size_t size)
{
	char *repaired;

	if (tring_is_ascii((const uint8_t *)text, size)) {
		sqlite3_result_text(to, text, size, SQLITE_TRANSIENT);
		return;
	}
	repaired = tring_allocate(TRING_UTF8_MAX * size + 1);
	size = tring_utf8_repair(repaired, (const uint8_t *)text, size);
	sqlite3_result_text(to, repaired, size, free);
}

/**
 * tring_sql_text - give a text
 * @to: where the value goes
 * @text: the text; NULL if it is unknown
 */
void tring_sql_text(sqlite3_context *to, const char *text)
{
	if (text)
		give_text(to, text, strlen(text));
	else
		sqlite3_result_null(to);
}

static void give_array(sqlite3_context *to, const struct tring_item *item,
		       const struct tring_field *field)
{
	sqlite3_str *text = sqlite3_str_new(NULL);
	const uint8_t *data;
	size_t size, i;

	data = tring_data(item, field, &size);
	sqlite3_str_appendchar(text, 1, '[');
	for (i = 0; data && i + field->element <= size; i += field->element)
		sqlite3_str_appendf(text, field->is_signed ? "%s%lld" : "%s%llu", i ? "," : "",
				    (long long)tring_element(item, field, data + i));
	sqlite3_str_appendchar(text, 1, ']');
	if (data)
		sqlite3_result_text(to, sqlite3_str_finish(text), -1, sqlite3_free);
	else
		sqlite3_free(sqlite3_str_finish(text));
}

/**
 * tring_sql_field - give the value of a field
 * @to: where the value goes; NULL if the record does not fit its description
 * @item: the event
 * @field: the field
 */
void tring_sql_field(sqlite3_context *to, const struct tring_item *item,
		     const struct tring_field *field)
{
	const char *text;
	size_t size;

	if (item->wrong)
		return;
	switch (field->kind) {
	case TRING_FIELD_NUMBER:
		sqlite3_result_int64(to, tring_number(item, field));
		break;
	case TRING_FIELD_TEXT:
		text = tring_text(item, field, &size);
		if (text)
			give_text(to, text, strnlen(text, size));
		break;
	case TRING_FIELD_ARRAY:
		give_array(to, item, field);
		break;
	}
}
