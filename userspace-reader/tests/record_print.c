// SPDX-License-Identifier: GPL-2.0
/* Description: "print" events, which modules write, decode even if no event is enabled. */
#include <sys/stat.h>
#include <unistd.h>

#include "fake_kernel.h"
#include "helpers.h"

/* Longer than 255 bytes. */
#define FIFTY		"ten bytes ten bytes ten bytes ten bytes ten bytes "
#define LONG_TEXT	"of " FIFTY FIFTY FIFTY FIFTY FIFTY "and more"

static struct builder zero;

/* The record's length is that of its text, so records follow at any offset. */
static void write_print(uint64_t stamp, const char *text)
{
	uint8_t *payload = build_record(&zero, stamp, 5, 100,
					16 + strlen(text) + 1);

	put_u64(payload + 8, 0xffffffff81000000 + strlen(text), false);
	memcpy(payload + 16, text, strlen(text) + 1);
}

static void check_command(const char *program, const char *trace,
			  const char *filter, const char *wanted)
{
	check_run(0, wanted, "%s %s %s", program, trace, filter);
}

static void check_trace(const char *trace)
{
	char *path = make_path("%s/tring/events/ftrace/print/format",
					trace);
	struct stat info;

	CHECK(!access(path, R_OK));
	/* a "print" event prints its function's name, so record kept the kernel's symbols */
	path = make_path("%s/tring/kallsyms", trace);
	CHECK(!access(path, R_OK));
	/* those of the few addresses, of some 200,000 */
	CHECK(!stat(path, &info));
	CHECK(info.st_size < 4096);
	check_command("$TRING report", trace, "", ": one\n");
	check_command("$TRING report", trace, "", ": three\n");
	check_command("$TRING report", trace, "", LONG_TEXT "\n");
	check_command("$TRING report", trace, "| grep -c print:", "5\n");
	if (!have("babeltrace2"))
		return;
	check_command("babeltrace2", trace, "", " print: { cpu_id = 0 }, ");
	check_command("babeltrace2", trace, "", "12, ip = 18446744071578845187, buf = \"one\" }");
	check_command("babeltrace2", trace, "", "buf = \"three\" }");
	check_command("babeltrace2", trace, "", LONG_TEXT "\" }");
	check_command("babeltrace2", trace, "", "{ value = 7 }");
}

/* What is read back is what tring has written, not what a link leads to. */
static void check_planted(const char *dir, const char *trace)
{
	char *victim = make_path("%s/victim", temp_dir()), *kept;
	struct fake_kernel kernel = {
		.dir = dir, .bytes = { zero.bytes }, .size = { zero.size },
		.stats = { balanced_stats(6, 0) },
	};

	write_text(victim, "ffffffff80000000 T precious\nffffffff90000000 T end\n");
	start_kernel(&kernel);
	output_of(0, "$TRING record -o %s -- sh -c 'ln -sf %s %s/tring/kallsyms; cat %s.fed'",
		  trace, victim, trace, dir);
	end_kernel(&kernel);
	kept = read_file(make_path("%s/tring/kallsyms", trace));
	if (strstr(kept, "precious"))
		fail(kept, 0, "the victim's names are not in the trace");
	check_trace(trace);
}

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir());
	char *trace = make_path("%s/trace", temp_dir());
	char *path = make_path("%s/tring/set_event", dir);
	struct fake_kernel kernel = { .dir = dir };
	char *command, *output;
	uint8_t *payload;

	build_init(&zero, false, 0);
	build_begin(&zero, 1000);
	write_print(1000, "one");
	write_print(1001, "fo\377r");
	write_print(1002, "three");
	write_print(1003, LONG_TEXT);
	payload = build_record(&zero, 1004, 342, 100, 16);
	put_u64(payload + 8, 7, false);
	write_print(1005 + (1ull << 27), "");
	build_end(&zero);

	make_tracefs(dir);
	write_text(path, "");
	kernel.bytes[0] = zero.bytes;
	kernel.size[0] = zero.size;
	kernel.stats[0] = balanced_stats(6, 0);
	start_kernel(&kernel);
	output = output_of(0, "$TRING record -o %s" UNTIL_FED, trace, dir);
	end_kernel(&kernel);
	CHECK(strstr(output, "no event is enabled (see -e, -p): only what modules or users write"));
	CHECK(strstr(output, "balance: every accepted event"));
	check_trace(trace);
	write_text(make_path("%s/tring/per_cpu/cpu0/stats", dir), balanced_stats(0, 0));
	check_planted(dir, trace);

	/* without a "print" event its format is kept, but no symbols are */
	kernel.size[0] = 0;
	path = make_path("%s/tring/per_cpu/cpu0/stats", dir);
	command = balanced_stats(0, 0);
	write_text(path, command);
	start_kernel(&kernel);
	check_run(0, "", "$TRING record -e testing:tick -o %s -s 0.2", trace);
	end_kernel(&kernel);
	CHECK(access(make_path("%s/tring/kallsyms", trace), F_OK));
	output = read_file(make_path("%s/metadata", trace));
	CHECK(strstr(output, "name = \"print\";\n\tid = 1;"));
	CHECK(strstr(output, "name = \"print\";\n\tid = 37;"));
	return 0;
}
