// SPDX-License-Identifier: GPL-2.0
/* Description: a wrong or unparsable format file affects only its own event. */
#include "helpers.h"

static struct builder builder;

static void check(const char *format, const char *reason)
{
	const char *dir = temp_dir();
	char *path = make_path("%s/tring/events/testing/kinds/format", dir);
	char *stream = make_path("%s/cpu0", dir);
	char *command = make_path("$TRING report %s", dir), *output;

	make_trace(dir, false);
	write_text(path, format);
	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	build_record(&builder, 1000, 347, 1, 96);
	build_record(&builder, 1001, 342, 1, 16);
	build_end(&builder);
	write_file(stream, builder.bytes, builder.size);
	CHECK_EQ(run(command, &output), 1);
	CHECK(strstr(output, "value=0"));
	CHECK(strstr(output, "no format describes this event"));
	if (!strstr(output, reason))
		fail(output, 0, reason);
	free(output);
	free(command);
	free(stream);
	free(path);
}

#define HEAD	"name: kinds\nID: 347\nformat:\n" \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
#define TAIL	"\nprint fmt: \"x=%d\", REC->x\n"

int main(void)
{
	check("", "cannot parse");
	check("no format at all\n", "cannot parse");
	check(HEAD "\tfield:int x;\toffset:1000000000;\tsize:4;\tsigned:1;\n" TAIL,
	      "out of range");
	check(HEAD "\tfield:int x;\toffset:-8;\tsize:4;\tsigned:1;\n" TAIL,
	      "cannot parse");
	check("name: kinds\nID: 347\nformat:\n"
	      "\tfield:unsigned char common_flags;\toffset:1000000;\tsize:1;\tsigned:0;\n\n"
	      TAIL, "a common field");
	check(HEAD "\tfield:int x;\toffset:8;\tsize:2000000000;\tsigned:1;\n" TAIL,
	      "out of range");
	check(HEAD "\tfield:__data_loc char[] x;\toffset:8;\tsize:2;\tsigned:1;\n" TAIL,
	      "4 bytes");
	return 0;
}
