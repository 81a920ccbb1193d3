// SPDX-License-Identifier: GPL-2.0
/* Description: Python reads each event, field, name and loss from the JSON of a trace. */
#include "every_kind.h"
#include "helpers.h"

/* The lines that are wanted, as Python prints them: sorted keys, without the fields' text. */
static const char reader[] =
	"import sys, json\n"
	"for line in open(sys.argv[1], encoding='utf-8'):\n"
	"    print(json.dumps(json.loads(line), sort_keys=True))\n";

/* Return: what Python prints of a trace. */
static char *read_json(const char *dir, int status)
{
	char *path = make_path("%s.json", dir), *script = make_path("%s.py", dir);
	char *command = make_path("$TRING report --json %s 2>&1 >%s", dir, path), *output;

	CHECK_EQ(run(command, &output), status);
	if (status && !strstr(output, "id 777: no format describes this event"))
		fail(output, 0, "id 777");
	write_text(script, reader);
	return output_of(0, "python3 %s %s", script, path);
}

static void check_json(const char *dir)
{
	static const char * const wanted[] = {
		"{\"clock\": \"mono\", \"epoch_offset\": 1700000000000000000, \"hostname\": ",
		"\"test \\\"host\\\"\", \"kernel_release\": \"6.1.0\", \"trace\": \"tring\", ",
		"\"uuid\": \"00010203-0405-0607-0809-0a0b0c0d0e0f\", \"version\": 1}\n",
		"{\"comm\": \"zero\", \"cpu\": 0, \"event\": \"sched_switch\", \"fields\": {",
		"\"next_comm\": \"late\", \"next_pid\": 4242,", "\"prev_comm\": \"zero\", ",
		"\"prev_pid\": 100, \"prev_prio\": -5, \"prev_state\": -9223372036854775808}, ",
		"\"flags\": 73, \"pid\": 100, \"preempt_count\": 33, \"system\": \"sched\", ",
		"\"ts\": 1500000000}\n",
		"\"cpu\": 11, ", "\"ts\": 1500000500}\n",
		"\"bytes\": [0, 127, 255], \"halves\": [0, 65535], ", "\"name\": \"abc\", ",
		"{\"comm\": \"late\", \"cpu\": 0, \"event\": \"irq_handler_entry\", \"fields\": ",
		"{\"irq\": -1, \"name\": ",
		"\"caf\\u00e9 \\u00e9\\\"\\\\\\n\\u0001,\\u00ed\\u00a0\\u0080\"}",
		"\"comm\": null, \"cpu\": 0, \"event\": \"tick\", ",
		"\"fields\": {\"value\": 18446744073709551615}",
		"\"event\": null, \"fields\": {\"payload\": [4, 3, 2, 1]}",
		"\"event\": \"sys_enter\", \"fields\": {\"args\": ",
		"[18446744073709551615, 0, 0, 0, 0, 6], \"id\": -2}",
		"{\"cpu\": 0, \"lost\": {\"events\": 3, \"packets\": 0}, \"ts\": 1600000000}\n",
		"\"ts\": 1600000000}\n",
		"{\"cpu\": 0, \"lost\": {\"events\": 1000, \"packets\": 2}, \"ts\": 1700000000}\n",
		"\"ts\": 1700000000}\n",
		"{\"cpu\": 0, \"lost\": {\"events\": 5, \"packets\": 0}, \"ts\": null}\n",
	};
	char *output = read_json(dir, 1);

	check_texts(output, wanted, COUNT(wanted));
}

static void check_order(bool order)
{
	char *dir = make_path("%s/%s", temp_dir(), order ? "be" : "le");

	make_every_kind(dir, order);
	check_json(dir);
}

int main(void)
{
	if (!have("python3")) {
		printf("python3 is not installed\n");
		return SKIPPED;
	}
	check_order(false);
	check_order(true);
	return 0;
}
