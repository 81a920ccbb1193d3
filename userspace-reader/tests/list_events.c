// SPDX-License-Identifier: GPL-2.0
/* Description: list prints the events in order, their fields, and tells of a misspelt one. */
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"

static char *dir;

static void check(const char *arguments, int status, const char *wanted)
{
	check_equal(output_of(status, "$TRING list %s", arguments), wanted, arguments);
}

static void check_matches(void)
{
	check("testing:t*", 0, "testing:tick\n");
	check("tick", 0, "testing:tick\n");
	check("irq", 0, "irq:irq_handler_entry\n");
	check("':*_s[vw]*'", 0, "sched:sched_switch\n");
	check("'[!a-s]*:t*'", 0, "testing:tick\ntimer:timer_start\n");
	check("timer: sched", 0, "sched:sched_switch\ntimer:timer_start\n");
	check("irq irq", 0, "irq:irq_handler_entry\n");
	/* nothing but the names goes to stdout, so that a shell can use them */
	check("sched nonesuch 2>/dev/null", 1, "sched:sched_switch\n");
}

static void check_unknown(void)
{
	check("sched_swich", 1,
	      "tring list: sched_swich: no such event; \"tring list\" prints all\n");
	check("a:alpha b:omega", 1,
	      "tring list: a:alpha: no such event; \"tring list\" prints all\n"
	      "tring list: b:omega: no such event; \"tring list\" prints all\n");
}

int main(void)
{
	char *path;

	dir = make_path("%s/tracing", temp_dir());
	CHECK(!setenv("TRING_TRACING_DIR", "/nonexistent", 1));
	check_run(1, "tring list: /nonexistent/tring: No such file or directory; \"modprobe tring",
		  "$TRING list");
	check_run(0, "", "test $($TRING reset 2>&1 | grep -c modprobe) = 1");
	make_tracefs(dir);
	check("", 0, "irq:irq_handler_entry\nraw_syscalls:sys_enter\nsched:sched_switch\n"
	      "testing:dyn_sizes\ntesting:flag\ntesting:kinds\ntesting:missing\n"
	      "testing:nothing\ntesting:rel\ntesting:tick\ntimer:timer_start\n");
	check_matches();
	check_unknown();
	check("-v sched_switch testing:flag", 0,
	      "sched:sched_switch\n\tchar[16] prev_comm\n\tpid_t prev_pid\n\tint prev_prio\n"
	      "\tlong prev_state\n\tchar[16] next_comm\n\tpid_t next_pid\n\tint next_prio\n"
	      "testing:flag\n\tbool flag\n");
	check("-v missing 2>/dev/null", 1, "testing:missing\n");
	check("-x 2>/dev/null", 2, "");
	check("sched >/dev/full", 1,
	      "tring: the output cannot be written: No space left on device\n");

	path = make_path("%s/tring/available_events", dir);
	write_text(path, "");
	check("", 0, "");
	check("irq 2>&1 | grep -c 'no such event'", 0, "1\n");
	CHECK(!unlink(path));
	check("2>/dev/null", 1, "");
	return 0;
}
