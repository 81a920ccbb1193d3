// SPDX-License-Identifier: GPL-2.0
/* Description: no print format and no names make the printing crash, hang or read outside. */
#include "helpers.h"

#define COMMON \
	"ID: 347\nformat:\n" \
	COMMON_FIELDS "\n"

#define HEAD \
	"name: kinds\n" COMMON \
	"\tfield:u32 one;\toffset:8;\tsize:4;\tsigned:0;\n" \
	"\tfield:u32 zero;\toffset:12;\tsize:4;\tsigned:0;\n" \
	"\tfield:u64 most;\toffset:16;\tsize:8;\tsigned:0;\n" \
	"\tfield:u8 array[8];\toffset:24;\tsize:8;\tsigned:0;\n" \
	"\tfield:__data_loc char[] text;\toffset:32;\tsize:4;\tsigned:0;\n" \
	"\tfield:__rel_loc char[] rel;\toffset:36;\tsize:4;\tsigned:0;\n\n" \
	"print fmt: "

#define FORMAT		"events/testing/kinds/format"
#define LENGTH		48
#define DEEP		20000

/* What report says of an event. */
#define BY_FORMAT	"kinds:                one=1\n"
#define BY_FIELDS	"kinds:                [FAILED TO PARSE] one=1 zero=0"
#define AS_BYTES	"kinds:                [id 347, 40 bytes: 01 00"

static struct builder builder;

static void build_stream(const char *path)
{
	uint8_t *payload;

	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	payload = build_record(&builder, 1000, 347, 1, LENGTH);
	memset(payload + 8, 0, LENGTH - 8);
	put_u32(payload + 8, 1, false);
	put_u64(payload + 16, UINT64_MAX, false);
	put_u32(payload + 32, 4 << 16 | 40, false);
	put_u32(payload + 36, 4 << 16 | 4, false);
	memcpy(payload + 40, "abc\0def", 8);
	build_record(&builder, 1001, 342, 1, 16);
	build_end(&builder);
	write_file(path, builder.bytes, builder.size);
}

/* Runs report with a file of the trace replaced; another event is always printed. */
static void check_file(const char *file, const char *text, int status,
		       const char *line, const char *message)
{
	const char *dir = temp_dir();
	char *path = make_path("%s/tring/%s", dir, file);
	char *stream = make_path("%s/cpu0", dir);
	char *command = make_path("$TRING report %s", dir), *output;
	char *format = make_path("%s/tring/" FORMAT, dir);

	make_trace(dir, false);
	write_text(format, HEAD "\"one=%d\", REC->one\n");
	write_text(path, text);
	build_stream(stream);
	if (run(command, &output) != status)
		fail(output, status, text);
	wants(output, line);
	if (message && !strstr(output, message))
		fail(output, 0, message);
	CHECK(strstr(output, "value=0"));
}

static void check(const char *print, int status, const char *line,
		  const char *message)
{
	check_file(FORMAT, make_path(HEAD "%s\n", print), status, line, message);
}

/* The format is fine, but this record must not be printed by it. */
static void check_record(const char *print, const char *message)
{
	check(print, 1, AS_BYTES, make_path("cpu0: offset 0x70: id 347: %s", message));
}

/* libtraceevent has the begin of an event, which no record must be printed by. */
static void check_begin(const char *fields)
{
	check_file("events/testing/begin/format",
		   make_path("name: begin\n" COMMON "%s\nprint fmt: \"\"\n", fields), 1,
		   "[id 347, 40 bytes: 01 00",
		   "events/testing/begin/format: libtraceevent cannot parse it");
}

/* libtraceevent cannot parse it, which is no fault of the file. */
static void check_unknown(const char *print)
{
	check(print, 0, BY_FIELDS, "testing:kinds: the print format is not understood");
}

static char *repeat(const char *before, char character, const char *after)
{
	char *deep = malloc(DEEP + 1), *text;

	CHECK(deep);
	memset(deep, character, DEEP);
	deep[DEEP] = 0;
	text = make_path("%s%s%s", before, deep, after);
	free(deep);
	return text;
}

static void check_nesting(void)
{
	char *text = repeat("\"%d\", ", '!', "REC->one");

	check_unknown(text);
	text = repeat("\"%d\", ", '(', "REC->one");
	check_unknown(text);
}

static void check_names(void)
{
	check_file("printk_formats", "0x10", 1, "kinds:", "printk_formats:1: damaged");
	check_file("printk_formats", "0x10 :\n", 1, "kinds:", "printk_formats:1: damaged");
	check_file("printk_formats", "0x1 : \"a\"\n0x10 : \"a\n\n0x11 : \"\"\n", 1,
		   "kinds:", "printk_formats:2: damaged; lines left out: 2");
	check_file("printk_formats", "0x10 : \"\"\n0x11 : \"a\"\n", 0, "kinds:", NULL);
	check_file("kallsyms", "ffffffff81000000 T\n", 1, "kinds:",
		   "kallsyms:1: damaged");
	check_file("kallsyms", "ffffffff81000000 T name\t[]\n", 1, "kinds:",
		   "kallsyms:1: damaged");
	check_file("kallsyms", "ffffffff81000000 T name\t[module]\n"
		   "0000000000000000 A percpu\n", 0, "kinds:", NULL);
	check_file("saved_cmdlines", "1\nx y\n99999999999 a\n3\x20\n1 right\n", 1,
		   "right-1 ", "saved_cmdlines:1: damaged; lines left out: 3");
	/* a name may contain newlines, but has at most 15 characters */
	check_file("saved_cmdlines", "2 first\n1 a\n\nline\n3 last\n\n", 0, "a\\x0a\\x0aline-1 ",
		   NULL);
	check_file("saved_cmdlines", "2 a\nb\n1 right\nlonger than it\n", 1, "right-1 ",
		   "saved_cmdlines:4: damaged; lines left out: 1");
}

int main(void)
{
	check("\"one=%d\", REC->one", 0, BY_FORMAT, NULL);
	check_begin("\tfield:u32 one;\toffset:60000;\tsize:4;\tsigned:0;\n"
		    "\tfield:u8 one[8] two three;\toffset:60004;\tsize:4;\tsigned:0;\n");

	check_record("\"%d\", REC->one / REC->zero", "the print format divides by 0");
	check_record("\"%s %d %d\", REC->most, REC->array[REC->zero], REC->one % REC->zero",
		     "the print format divides by 0");
	check_record("\"%d %s\", REC->array[REC->zero], __print_hex(REC->array, REC->most)",
		     "an array is longer than a payload can be");
	check_record("\"%d %s\", REC->array[REC->zero], __print_array(REC->array, REC->most, 8)",
		     "an array is longer than a payload can be");
	check_record("\"%*s\", (int)REC->most, __get_str(text)",
		     "a width is larger than a line");
	check_record("\"%.*s\", (int)REC->most, __get_str(text)",
		     "a width is larger than a line");
	check_record("\"%d\", REC->array[REC->most]",
		     "an index is larger than an array can be");
	/* the side that is not printed does no harm */
	check("\"one=%d\", REC->one + sizeof(int) - sizeof(REC->one)", 0, BY_FORMAT, NULL);
	check("\"one=%lld\", REC->zero ? REC->one / REC->zero : REC->one", 0,
	      BY_FORMAT, NULL);

	check_unknown("\"%d\", REC->ent.pid");
	check_unknown("\"%d\", 1 / 0");
	check_unknown("\"%d\", REC->one / (1 - 1)");
	check_unknown("\"%d\", REC->array[0][1]");
	/* libtraceevent reads this as an index of what "?:" yields */
	check_unknown("\"%d\", REC->zero ? 3 : REC->array[1]");
	check_unknown("\"%d\", REC->zero ? 3 : (int)REC->array[1] + 1");
	check_unknown("\"%d\", REC->zero ? 3 : 1 + REC->array[1]");
	check("\"one=%d\", (REC->one ? REC->array[1] : (REC->array[2])) + 1", 0, BY_FORMAT, NULL);
	check_unknown("\"%d\", sizeof(struct nothing)");
	check_unknown("\"%d\", sizeof(REC->nothing)");
	check_unknown("\"%d\", sizeof (int)");
	check_unknown("\"%s\", scsi_trace_parse_cdb(p, REC->most, 6)");
	check_unknown("\"%s\", scsi_trace_parse_cdb(p, __get_dynamic_array(text))");
	check_unknown("\"%s\", __print_hex((u8 *)REC->one, 4)");
	check_unknown("\"%s\", __print_array(REC->array, 2, 3)");
	check_unknown("\"%s\", __print_dynamic_array(text, 3)");
	check_unknown("\"%s\", __print_dynamic_array(array, 1)");
	check_unknown("\"%s\", __print_dynamic_array(text, 1");
	check_unknown("\"%d\", __get_rel_dynamic_array_len(rel)");
	check_unknown("\"%d\", __get_dynamic_array(text)[0]");
	check_unknown("\"%s\", __get_str(one)");
	check_unknown("\"%ls\", REC->array");
	/* which argument is the width depends on the version of libtraceevent */
	check_unknown("\"%c %*d\", REC->one, (int)REC->most, REC->one");
	check_unknown("\"%999999999d\", REC->one");
	check_unknown("\"%d %d\", REC->one");
	check_unknown("\"%d\", &REC->one");
	check_unknown("\"%d\", nothing_known(REC->one)");
	check_unknown("\"%d\", (void **)REC->one");
	check_nesting();

	check_unknown("\"%s\", __print_flags(REC->nothing, \"|\", { 1, \"a\" })");
	check_unknown("\"%s\", __get_str(nothing)");
	check_unknown("\"%d\", REC->one)");
	check_unknown("\"%d\", (REC->one");
	check_unknown("\"%d, REC->one");
	/* libtraceevent would not end the string here */
	check_unknown("\"a\\\\\", REC->one");
	check_unknown("\"%d\", REC->one\x01");

	check_names();
	return 0;
}
