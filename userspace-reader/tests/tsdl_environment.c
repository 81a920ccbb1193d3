// SPDX-License-Identifier: GPL-2.0
/* Description: the metadata's env names the tracer and the trace's origin, and has no domain. */
#include "helpers.h"

static const char wanted[] =
	"\nenv {\n"
	"\ttracer_name = \"tring\";\n"
	"\ttracer_major = 0;\n"
	"\ttracer_minor = 1;\n"
	"\thostname = \"test \\042host\\042\";\n"
	"\ttring_format_version = 4;\n"
	"\tkernel_release = \"6.1.0\";\n"
	"\tcommand_line = \"tring record -e 'a b'\";\n"
	"};\n";

int main(void)
{
	const char *dir = temp_dir();
	char *path = make_path("%s/metadata", dir), *text;

	make_trace(dir, false);
	text = read_file(path);
	wants(text, wanted);
	return 0;
}
