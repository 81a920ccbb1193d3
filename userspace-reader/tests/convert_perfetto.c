// SPDX-License-Identifier: GPL-2.0
/* Description: protoc finds all events, fields, clocks and losses in a trace for Perfetto. */
#include "every_kind.h"
#include "helpers.h"
#include "top_trace.h"

#define SUPPORT	"$TRING_TESTS/support"
#define DECODE	"protoc -I " SUPPORT " --decode=perfetto.protos.Trace " SUPPORT \
		"/perfetto.proto <%s.out | sed 's/^ *//'"
/* Fields that the schema does not have are printed by number. */
#define UNKNOWN	DECODE " | grep -E '^[0-9]+(:| [{])'"

/* The fields of packets and of events as protoc prints them, without the indentation. */
static const char * const wanted_head[] = {
	"tracing_service_version: \"tring\"\n",
	"utsname {\nsysname: \"Linux\"\nrelease: \"6.1.0\"\n",
	"machine_name: \"test \\\"host\\\"\"\n}\n",
	"trace_uuid {\nmsb: 283686952306183\nlsb: 579005069656919567\n}\n",
	"clock_snapshot {\nclocks {\nclock_id: 6\ntimestamp: 1500000000\n}\n",
	"clocks {\nclock_id: 3\ntimestamp: 1500000000\n}\n",
	"clocks {\nclock_id: 1\ntimestamp: 1700000001500000000\n}\n}\n",
};

static const char * const wanted_zero[] = {
	"cpu: 0\nevent {\ntimestamp: 1500000000\npid: 100\n",
	"sched_switch {\nprev_comm: \"zero\"\nprev_pid: 100\nprev_prio: -5\n",
	"prev_state: -9223372036854775808\nnext_comm: \"late\"\nnext_pid: 4242\n",
	"timestamp: 1500001000\npid: 4242\nirq_handler_entry {\nirq: -1\n",
	/* a byte that is not UTF-8 becomes the character of its value */
	"name: \"caf\\303\\251 \\303\\251\\\"\\\\\\n\\001,\\303\\255\\302\\240\\302\\200\"\n}\n}\n",
	"event_name: \"tick\"\nfield {\nname: \"value\"\nuint_value: 18446744073709551615\n}\n",
	"event_name: \"id_777\"\nfield {\nname: \"payload\"\nstr_value: \"04030201\"\n}\n",
	"sys_enter {\nid: -2\nargs: 18446744073709551615\nargs: 0\nargs: 0\nargs: 0\n",
	"args: 0\nargs: 6\n}\n}\n",
	"ftrace_events {\ncpu: 0\nevent {\ntimestamp: 1600000000\npid: 0\ngeneric {\n",
	"event_name: \"tring_lost\"\nfield {\nname: \"events\"\nuint_value: 3\n}\n",
	"lost_events: true\n",
	"uint_value: 1000\n}\nfield {\nname: \"packets\"\nuint_value: 2\n}\n}\n}\n",
	"lost_events: true\n",
	"timestamp: 1700000000\npid: 0\ngeneric {\n",
	"uint_value: 5\n}\n",
	"lost_events: true\n",
};

static const char * const wanted_eleven[] = {
	"cpu: 11\n", "event_name: \"dyn_sizes\"\n",
	"name: \"name\"\nstr_value: \"abc\"\n", "name: \"bytes\"\nstr_value: \"007fff\"\n",
	"name: \"halves[0]\"\nuint_value: 0\n", "name: \"halves[1]\"\nuint_value: 65535\n",
	"name: \"words[0]\"\nint_value: -2\n", "name: \"words[1]\"\nint_value: 0\n",
	"name: \"y\"\nuint_value: 9223372036854775809\n",
	"name: \"longs[1]\"\nuint_value: 18446744073709551615\n",
	"print {\nip: 18446744071578845184\nbuf: \"mark\"\n}\n",
};

static void check_order(bool order)
{
	char *dir = make_path("%s/%s", temp_dir(), order ? "be" : "le"), *output;

	make_every_kind(dir, order);
	check_run(1, "id 777: no format describes this event",
		  "$TRING convert --to perfetto -o %1$s.out %1$s", dir);
	output = output_of(0, DECODE, dir);
	check_texts(output, wanted_head, COUNT(wanted_head));
	check_texts(output, wanted_zero, COUNT(wanted_zero));
	check_texts(output, wanted_eleven, COUNT(wanted_eleven));
	check_run(1, "", UNKNOWN, dir);
	/* an old file of the format is replaced, another one is not */
	check_run(1, "", "$TRING convert --to perfetto -o %1$s.out %1$s", dir);
	check_run(1, "", "echo text >%1$s.out; $TRING convert --to perfetto -o %1$s.out %1$s",
		  dir);
	output = output_of(0, "cat %s.out", dir);
	CHECK(!strcmp(output, "text\n"));
}

/* A trace.dat that does not tell the wall clock is not of 1970. */
static void check_no_wall(void)
{
	char *dir = make_path("%s/no_wall", temp_dir()), *output;

	make_every_kind(dir, false);
	check_run(0, "", "$TRING convert --to trace.dat -o %1$s.dat %1$s", dir);
	check_run(1, "", "$TRING convert --to perfetto -o %1$s.out %1$s.dat", dir);
	output = output_of(0, DECODE, dir);
	CHECK(strstr(output, "clock_id: 6\n") && !strstr(output, "clock_id: 1\n"));
	free(output);
	free(dir);
}

/* A CPU that has lost all that it had has a time nevertheless. */
static void check_all_lost(void)
{
	char *dir = make_path("%s/all_lost", temp_dir());

	make_all_lost(dir);
	check_run(0, "", "$TRING convert --to perfetto -o %1$s.out %1$s", dir);
	check_run(0, "timestamp: 1000003000\npid: 0\ngeneric {\nevent_name: \"tring_lost\"\n",
		  DECODE, dir);
}

int main(void)
{
	if (!have("protoc")) {
		printf("protoc is not installed\n");
		return SKIPPED;
	}
	check_order(false);
	check_order(true);
	check_all_lost();
	if (have("trace-cmd"))
		check_no_wall();
	return 0;
}
