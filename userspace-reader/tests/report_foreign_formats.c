// SPDX-License-Identifier: GPL-2.0
/* Description: a wrong or unparsable format file affects only its own event. */
#include "helpers.h"

static struct builder builder;

static void check(const char *format, const char *reason)
{
	const char *dir = temp_dir();
	char *path = make_path("%s/tring/events/testing/kinds/format", dir);
	char *output;

	make_trace(dir, false);
	write_text(path, format);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	build_record(&builder, 1000, 347, 1, 96);
	build_record(&builder, 1001, 342, 1, 16);
	build_end(&builder);
	build_write(&builder, dir);
	output = output_of(1, "$TRING report %s", dir);
	CHECK(strstr(output, "value=0"));
	/* its flags are printed nevertheless */
	wants(output, "[000] .....      0.000001: [id 347, ");
	CHECK(!strstr(output, "UNKNOWN EVENT"));
	CHECK(strstr(output, "no format describes this event"));
	wants(output, reason);
}

#define HEAD	"name: kinds\nID: 347\nformat:\n" \
	COMMON_FIELDS "\n"
#define TAIL	"\nprint fmt: \"x=%d\", REC->x\n"
#define GOOD	"\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;\n" TAIL

int main(void)
{
	check("", "it does not begin with the event's name");
	check("no format at all\n", "it does not begin with the event's name");
	check("name: others\nID: 347\nformat:\n", "it does not begin with the event's name");
	check("name: kinds\nformat:\n", "it has no id");
	check("name: kinds\nID: 347\n", "it has no line \"format:\"");
	check(HEAD, "a field is damaged");
	check(HEAD "\n", "it has no line \"print fmt:\"");
	check(HEAD "\tfield:int x;\toffset:1000000000;\tsize:4;\tsigned:1;\n" TAIL,
	      "a field is damaged");
	check(HEAD "\tfield:int x;\toffset:100000000;\tsize:4;\tsigned:1;\n" TAIL,
	      "out of range");
	check(HEAD "\tfield:int x;\toffset:-8;\tsize:4;\tsigned:1;\n" TAIL,
	      "a field is damaged");
	check(HEAD "\tfield:x;\toffset:8;\tsize:4;\tsigned:1;\n" TAIL,
	      "a field is damaged");
	check(HEAD "\tfield:int x[;\toffset:8;\tsize:4;\tsigned:1;\n" TAIL,
	      "a field is damaged");
	check(HEAD "\tfield:int x;\toffset:8;\tsize:200000000;\tsigned:1;\n" TAIL,
	      "out of range");
	check(HEAD "\tfield:__data_loc char[] x;\toffset:8;\tsize:2;\tsigned:1;\n" TAIL,
	      "4 bytes");
	check("name: kinds\nID: 347\nformat:\n"
	      "\tfield:unsigned char common_flags;\toffset:1000000;\tsize:1;\tsigned:0;\n\n"
	      GOOD, "a common field");
	check("name: kinds\nID: 347\nformat:\n"
	      "\tfield:unsigned short common_type;\toffset:1;\tsize:2;\tsigned:0;\n\n"
	      GOOD, "the common fields are not ftrace's");
	check("name: kinds\nID: 0\nformat:\n\n" GOOD, "the id is out of range");
	return 0;
}
