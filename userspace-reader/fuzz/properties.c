// SPDX-License-Identifier: GPL-2.0
/* Fuzz target: trace_info, short_ids and two stats, one behind the other. */
#include "fuzz.h"
#include "trace/short_ids.h"
#include "tracefs/stats.h"
#include "trace/trace_info.h"
#include "trace/tsdl.h"

static void check_stats(const char *start_text, const char *end_text)
{
	struct tring_stats start, end;
	size_t line;

	tring_stats_parse(&start, start_text);
	tring_stats_parse(&end, end_text);
	tring_stats_subtract(&end, &start);
	free(tring_stats_losses(&end));
	for (line = 0; line < TRING_LEDGER_LINES; line++)
		free(tring_ledger_check(&end, line));
}

static void check_properties(const char *info_part, const char *shorts_part)
{
	struct tring_events events = { 0 };
	struct tring_trace_info info;
	struct tring_short_ids shorts;

	if (!tring_trace_info_parse(&info, info_part, "trace_info") &&
	    !tring_short_ids_parse(&shorts, shorts_part, "short_ids"))
		tring_tsdl_write(stdout, &info, &shorts, &events);
}

int fuzz_input(const uint8_t *bytes, size_t size)
{
	char *texts[4];
	unsigned int i;
	size_t part;

	for (i = 0; i < COUNT(texts); i++) {
		const uint8_t *start = fuzz_part(&bytes, &size, &part);

		texts[i] = fuzz_text(start, part);
	}
	check_properties(texts[0], texts[1]);
	check_stats(texts[2], texts[3]);
	for (i = 0; i < COUNT(texts); i++)
		free(texts[i]);
	return 0;
}
