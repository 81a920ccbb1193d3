// SPDX-License-Identifier: GPL-2.0
/* Description: control characters of names, texts and paths are printed as escapes. */
#include "helpers.h"
#include "util/text.h"

static struct builder builder;

/* Names of tasks, and what is printed of them. */
static const struct {
	const char *comm, *printed;
} tasks[] = {
	{ "\x1b[31mred", "\\x1b[31mred" },
	{ "two\nlines", "two\\x0alines" },
	{ "del\x7f\t\r", "del\\x7f\\x09\\x0d" },
	{ "c1\x9bm", "c1\\x9bm" },
	{ "u1\xc2\x9bm", "u1\\x9bm" },
	{ "caf\xc3\xa9", "caf\xc3\xa9" },
	{ "latin\xe9", "latin\xc3\xa9" },
	{ "=cmd|' /C'!A0", "=cmd|' /C'!A0" },
	{ "+1", "+1" },
	{ "@x\"y", "@x\"y" },
	/* 15 bytes, each of which is escaped */
	{ "\x01\x02\x03\x04\x05\x06\x07\x08\x0b\x0c\x0e\x0f\x10\x11\x12",
	  "\\x01\\x02\\x03\\x04\\x05\\x06\\x07\\x08\\x0b\\x0c\\x0e\\x0f\\x10\\x11\\x12" },
};

static const char marker[] = "a\x1b]0;t\x07\n            evil-1     [000] .....      2.000000: b\n";

static void write_trace(const char *dir, bool order)
{
	char *path = make_path("%s/cpu0", dir), *info = make_path("%s/tring/trace_info", dir);
	char *text = info_text(order), *host = strstr(text, "hostname="), *changed;
	uint8_t *payload;
	size_t i;

	make_trace(dir, order);
	CHECK(host);
	changed = make_path("%.*shostname=\x1b[2Jh\xc2\x9b%s", (int)(host - text), text,
			    strchr(host, '\n'));
	write_text(info, changed);
	build_init(&builder, order, 0);
	build_begin(&builder, 1000000000);
	for (i = 0; i < COUNT(tasks); i++) {
		payload = build_record(&builder, 1000000000 + 2000 * i, 319, 0, 64);
		strcpy((char *)payload + 8, "swapper/0");
		strncpy((char *)payload + 40, tasks[i].comm, 16);
		put_u32(payload + 56, 200 + i, order);
		payload = build_record(&builder, 1000001000 + 2000 * i, 319, 200 + i, 64);
		strncpy((char *)payload + 8, tasks[i].comm, 16);
		put_u32(payload + 24, 200 + i, order);
		strcpy((char *)payload + 40, "swapper/0");
	}
	payload = build_record(&builder, 1001000000, 5, 200, 16 + sizeof(marker));
	put_u64(payload + 8, 0x1234, order);
	memcpy(payload + 16, marker, sizeof(marker));
	build_end(&builder);
	write_file(path, builder.bytes, builder.size);
	free(changed);
	free(text);
	free(info);
	free(path);
}

/* UTF-8 without control characters other than the ends of lines */
static void check_clean(const char *command, const char *text)
{
	const uint8_t *at = (const uint8_t *)text, *end = at + strlen(text);

	while (at < end) {
		size_t bytes;

		/* a byte that is not UTF-8 is a character, too */
		tring_text_take(at, end - at, &bytes);
		if ((bytes == 1 && *at >= 0x80) || (*at < ' ' && *at != '\n') || *at == 0x7f ||
		    (bytes == 2 && *at == 0xc2 && at[1] < 0xa0))
			fail(command, at - (const uint8_t *)text, text);
		at += bytes;
	}
}

static unsigned int count_lines(const char *text)
{
	unsigned int lines = 0;

	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* Return: what a command prints of the trace, on stdout and stderr. */
static char *clean_output(const char *command, const char *dir, int status)
{
	char *output = output_of(status, "$TRING %s '%s' 2>&1", command, dir);

	CHECK(*output);
	check_clean(command, output);
	return output;
}

static void check_report(const char *dir)
{
	char *output = clean_output("report", dir, 0);
	size_t i;

	CHECK_EQ(count_lines(output), 2 * COUNT(tasks) + 1);
	for (i = 0; i < COUNT(tasks); i++) {
		char *head = make_path("\n%16s-%-7zu [000] ", tasks[i].printed, 200 + i);

		wants(output, head);
		free(head);
	}
	CHECK(strstr(output, "0x1234: a\\x1b]0;t\\x07\\x0a            evil-1     [000] "));
	free(output);
	output = clean_output("report -R", dir, 0);
	CHECK_EQ(count_lines(output), 2 * COUNT(tasks) + 1);
	free(output);
}

/* A task can be chosen by its name as it is printed. */
static void check_choice(const char *dir)
{
	char *output = output_of(0, "$TRING report --comm '%s' '%s'",
				 "two\\x0aline?,\\x1b[[]31mred", dir);

	CHECK_EQ(count_lines(output), 3);
	CHECK(strstr(output, "two\\x0alines-201 ") && strstr(output, "\\x1b[31mred-200 "));
}

static void check_order(bool order)
{
	char *dir = make_path("%s/%s\x1b[5m\x9b", temp_dir(), order ? "be" : "le"), *none;
	char *output;

	write_trace(dir, order);
	check_report(dir);
	check_choice(dir);
	output = clean_output("report --json", dir, 0);
	CHECK(strstr(output, "\"\\u001b[31mred\""));
	CHECK(strstr(output, "\"c1\\u009bm\"") && strstr(output, "\"u1\\u009bm\""));
	CHECK(strstr(output, "\"hostname\":\"\\u001b[2Jh\\u009b\""));
	CHECK_EQ(count_lines(output), 2 * COUNT(tasks) + 2);
	free(output);
	output = clean_output("top sched", dir, 0);
	CHECK(strstr(output, "two\\x0alines"));
	free(output);
	output = clean_output("info", dir, 0);
	CHECK(strstr(output, "\\x1b[2Jh\\x9b\n"));
	free(output);
	/* the lines of several traces begin with their paths */
	output = output_of(0, "$TRING report '%s' '%s' 2>&1", dir, dir);
	check_clean("report of two", output);
	CHECK(strstr(output, "\\x1b[5m\\x9b: "));
	free(output);
	output = output_of(0, "$TRING top sched '%s' '%s' 2>&1", dir, dir);
	check_clean("top of two", output);
	CHECK(strstr(output, "\\x1b[5m\\x9b (\\x1b[2Jh\\x9b) <==\n"));
	free(output);
	none = make_path("%s/none\x1b\n", dir);
	output = clean_output("report", none, 1);
	CHECK(strstr(output, "none\\x1b\\x0a"));
	free(output);
	free(none);
	free(dir);
}

int main(void)
{
	check_order(false);
	check_order(true);
	return 0;
}
