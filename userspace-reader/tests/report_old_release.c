// SPDX-License-Identifier: GPL-2.0
/* Description: a recording of release 0.1 opens; one of another format says by which tring. */
#include "helpers.h"

#define TRACE	"$TRING_TESTS/golden/trace-0.1"

/* Copies the recording with another format version, which all commands refuse in one way. */
static void refused(int version, const char *why)
{
	static const char * const commands[] = { "report", "info", "top", "report --json" };
	char *copy = make_path("%s/%d", temp_dir(), version);
	size_t i;

	check_run(0, "", "cp -r " TRACE " %s", copy);
	check_run(0, "", "sed -i 's/^format_version=4/format_version=%d/;$a later' %s/tring/*info",
		  version, copy);
	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		check_run(0, "1\n",
			  "$TRING %s %s 2>&1 >/dev/null | grep -c 'tring/trace_info: format version %d %s'",
			  commands[i], copy, version, why);
	check_run(1, "", "$TRING report %s 2>/dev/null", copy);
	free(copy);
}

int main(void)
{
	/* so many events had the release counted when it recorded them */
	check_run(0, "44\n", "$TRING report " TRACE " | grep -c ': '");
	check_run(0, "1\n",
		  "$TRING report " TRACE " | grep -c ' 2.838248: .*: from the first release$'");
	check_run(0, "1\n", "$TRING report " TRACE " | grep -c 'signal_generate: .* sig=18 '");
	check_run(0, "44\n", "$TRING report --json " TRACE " | grep -c '\"event\":'");
	check_run(0, "1\n", "$TRING info " TRACE " | grep -c '^tring_version *0.1$'");
	if (have("babeltrace2"))
		check_run(0, "44\n", "babeltrace2 " TRACE " | grep -c ': '");

	refused(3, "is older than any release of tring");
	refused(5, "needs a newer tring than 0.2");
	return 0;
}
