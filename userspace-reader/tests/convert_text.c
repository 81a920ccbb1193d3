// SPDX-License-Identifier: GPL-2.0
/* Description: Python reads each event, field, name and loss from the JSON and CSV of a trace. */
#include "helpers.h"

static struct builder builder;

/* The lines that are wanted, as Python prints them: sorted keys, without the fields' text. */
static const char reader[] =
	"import sys, json, csv\n"
	"def show(row):\n"
	"    print(json.dumps(row, sort_keys=True))\n"
	"if sys.argv[1] == 'json':\n"
	"    for line in open(sys.argv[2], encoding='utf-8'):\n"
	"        show(json.loads(line))\n"
	"else:\n"
	"    for row in csv.DictReader(open(sys.argv[2], encoding='utf-8', newline='')):\n"
	"        row['fields'] = json.loads(row['fields'])\n"
	"        show({key: value for key, value in row.items() if value != ''})\n";

static void write_cpu(const char *dir)
{
	char *path = make_path("%s/cpu%u", dir, builder.cpu);

	write_file(path, builder.bytes, builder.size);
	free(path);
}

static void write_zero(const char *dir, bool order)
{
	static const char text[] = "caf\xc3\xa9 \xe9\"\\\n\x01,\xed\xa0\x80";
	uint8_t *payload;

	build_init(&builder, order, 0);
	builder.discarded = 3;
	build_begin(&builder, 1500000000);
	builder.flags = 0x49;
	builder.preempt_count = 0x21;
	payload = build_record(&builder, 1500000000, 319, 100, 64);
	strcpy((char *)payload + 8, "zero");
	put_u32(payload + 24, 100, order);
	put_u32(payload + 28, (uint32_t)-5, order);
	put_u64(payload + 32, UINT64_C(0x8000000000000000), order);
	strcpy((char *)payload + 40, "late");
	put_u32(payload + 56, 4242, order);
	builder.flags = 0;
	builder.preempt_count = 0;
	payload = build_record(&builder, 1500001000, 152, 4242, 16 + sizeof(text));
	put_u32(payload + 8, UINT32_MAX, order);
	put_u32(payload + 12, sizeof(text) << 16 | 16, order);
	memcpy(payload + 16, text, sizeof(text));
	payload = build_record(&builder, 1500002000, 342, 7, 16);
	put_u64(payload + 8, UINT64_MAX, order);
	/* no format has this id */
	payload = build_record(&builder, 1500003000, 777, 100, 12);
	put_u32(payload + 8, 0x01020304, false);
	payload = build_record(&builder, 1500004000, 351, 100, 64);
	put_u64(payload + 8, (uint64_t)-2, order);
	put_u64(payload + 16, UINT64_MAX, order);
	put_u64(payload + 56, 6, order);
	build_end(&builder);
	build_packet(&builder, 1600000000, 1);
	builder.discarded = 1003;
	builder.seq += 2;
	build_packet(&builder, 1700000000, 1);
	write_cpu(dir);
}

static void write_eleven(const char *dir, bool order)
{
	build_init(&builder, order, 11);
	build_packet(&builder, 1500000500, 1);
	write_cpu(dir);
}

/* Check that texts follow one another, whatever is between them. */
static void check_lines(const char *output, const char * const *wanted, size_t count)
{
	const char *at = output;
	size_t i;

	for (i = 0; i < count; i++) {
		at = strstr(at, wanted[i]);
		if (!at)
			fail(output, i, wanted[i]);
		at += strlen(wanted[i]);
	}
}

/* Return: what Python prints of a trace in a format. */
static char *convert(const char *dir, const char *format, int status)
{
	char *path = make_path("%s.%s", dir, format), *script = make_path("%s.py", dir);
	char *command = make_path("$TRING convert --to %s -o %s %s", format, path, dir);
	char *plain = make_path("$TRING convert --to %s %s 2>/dev/null | cmp - %s", format, dir,
				path);
	char *output;

	CHECK_EQ(run(command, &output), status);
	if (status && !strstr(output, "id 777: no format describes this event"))
		fail(output, 0, "id 777");
	free(output);
	/* stdout has the same, and an old file of the format is replaced */
	CHECK_EQ(run(plain, &output), 0);
	free(output);
	CHECK_EQ(run(command, &output), status);
	free(output);
	free(command);
	write_text(script, reader);
	command = make_path("python3 %s %s %s", script, format, path);
	if (run(command, &output))
		fail(output, 0, command);
	free(command);
	free(plain);
	free(script);
	free(path);
	return output;
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
	char *output = convert(dir, "json", 1);

	check_lines(output, wanted, COUNT(wanted));
	free(output);
}

static void check_csv(const char *dir)
{
	static const char * const wanted[] = {
		"{\"comm\": \"zero\", \"cpu\": \"0\", \"event\": \"sched_switch\", \"fields\": {",
		"\"prev_state\": -9223372036854775808}, \"flags\": \"73\", \"pid\": \"100\", ",
		"\"preempt_count\": \"33\", \"system\": \"sched\", \"ts\": \"1500000000\"}\n",
		"\"name\": \"caf\\u00e9 \\u00e9\\\"\\\\\\n\\u0001,\\u00ed\\u00a0\\u0080\"}",
		"{\"cpu\": \"0\", \"event\": \"tick\", \"fields\": {\"value\": 18446744073709551615}",
		"{\"cpu\": \"0\", \"event\": \"lost\", \"fields\": {\"events\": 1000, ",
		"\"packets\": 2}, \"system\": \"tring\", \"ts\": \"1700000000\"}\n",
		"{\"cpu\": \"0\", \"event\": \"lost\", \"fields\": {\"events\": 5, ",
		"\"packets\": 0}, \"system\": \"tring\"}\n",
	};
	char *output = convert(dir, "csv", 1);

	check_lines(output, wanted, COUNT(wanted));
	free(output);
}

static void check_order(bool order)
{
	char *dir = make_path("%s/%s", temp_dir(), order ? "be" : "le");
	char *start = make_path("%s/tring/cpu0.start", dir);
	char *end = make_path("%s/tring/cpu0.end", dir);
	char *start_11 = make_path("%s/tring/cpu11.start", dir);
	char *end_11 = make_path("%s/tring/cpu11.end", dir);

	make_trace(dir, order);
	write_text(start, "read: 0\n");
	write_text(end, "read: 7\noverwritten: 1000\nrefused_no_room: 8\n");
	write_text(start_11, "read: 0\n");
	write_text(end_11, "read: 1\n");
	write_zero(dir, order);
	write_eleven(dir, order);
	check_json(dir);
	check_csv(dir);
	free(end_11);
	free(start_11);
	free(end);
	free(start);
	free(dir);
}

int main(void)
{
	char *output;

	if (run("command -v python3", &output)) {
		printf("python3 is not installed\n");
		return SKIPPED;
	}
	free(output);
	check_order(false);
	check_order(true);
	return 0;
}
