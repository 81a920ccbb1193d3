// SPDX-License-Identifier: GPL-2.0
/* The table of what describes the trace. */
#include "sql.h"

enum { KEY, VALUE };

static const struct tring_sql_column info_columns[] = {
	[KEY] = { "key", "TEXT" },
	[VALUE] = { "value", "TEXT" },
	{ 0 },
};

/* As tring_env() has them. */
static const char * const keys[] = {
	"hostname", "clock", "boot_id", "kernel_release", "architecture", "user", "command_line",
	"left_out", "stopped_by",
};

static void next_key(struct tring_sql_cursor *cursor)
{
	cursor->at_end = cursor->row >= sizeof(keys) / sizeof(keys[0]);
}

static void give_info(struct tring_sql_cursor *cursor, sqlite3_context *to, int column)
{
	tring_sql_text(to, column == KEY ? keys[cursor->row] :
					   tring_env(cursor->trace, keys[cursor->row]));
}

const struct tring_sql_kind tring_sql_info = {
	.columns	= info_columns,
	.about		= "where the trace comes from",
	.kept		= true,
	.next		= next_key,
	.column		= give_info,
};
