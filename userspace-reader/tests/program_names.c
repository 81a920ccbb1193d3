// SPDX-License-Identifier: GPL-2.0
/* Description: functions of programs have names, also inlined ones, and files may be anything. */
#include <sys/stat.h>
#include <unistd.h>

#include "helpers.h"
#include "record/build_id.h"

#define COMMON	"\nformat:\n" \
	COMMON_FIELDS "\n"
#define USER_STACK	"name: user_stack\nID: 12" COMMON \
	"\tfield:unsigned int tgid;\toffset:8;\tsize:4;\tsigned:0;\n" \
	"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n\n" \
	"print fmt: \"\\t=> %ps\", (void *)REC->caller[0]\n"
#define PROBE	"name: probe\nID: 1500" COMMON \
	"\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n\n" \
	"print fmt: \"(%lx)\", REC->__probe_ip\n"
#define RETURN	"name: back\nID: 1501" COMMON \
	"\tfield:unsigned long __probe_func;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\tfield:unsigned long __probe_ret_ip;\toffset:16;\tsize:8;\tsigned:0;\n\n" \
	"print fmt: \"(%lx <- %lx)\", REC->__probe_func, REC->__probe_ret_ip\n"

enum { STACK = 12, PROBE_ID = 1500, RETURN_ID = 1501 };

/* Each call prints where it returns to, as an offset in the file. */
#define PROGRAM	"#include <stdio.h>\n" \
	"extern char __executable_start;\n" \
	"#define STAY __asm__ volatile(\"\")\n" \
	"#define APART __attribute__((noinline))\n" \
	"APART void show(void)\n" \
	"{ printf(\"%lx\\n\", (char *)__builtin_return_address(0) - &__executable_start);" \
	" STAY; }\n" \
	"static inline __attribute__((always_inline)) void inside(void) { show(); STAY; }\n" \
	"void method(int) __asm__(\"_ZN5space5thing6methodEi\");\n" \
	"void walk(void) __asm__(\"_RNvC6_123foo3bar\");\n" \
	"void blind(void);\n" \
	"APART void method(int x) { (void)x; inside(); STAY; }\n" \
	"APART void walk(void) { show(); STAY; }\n" \
	"int main(void) { method(1); walk(); blind(); return 0; }\n"
#define BLIND	"void show(void);\nvoid blind(void) { show(); __asm__ volatile(\"\"); }\n"

#define BASE	0x555500000000ull
#define KERNEL	0xffffffff81000123ull

static struct builder builder;
static char *dir, *program;
static uint64_t in_method, in_walk, in_blind;

static void build_program(void)
{
	char *lines;

	program = make_path("%s/prog", temp_dir());
	write_text(make_path("%s/program.c", temp_dir()), PROGRAM);
	write_text(make_path("%s/blind.c", temp_dir()), BLIND);
	output_of(0, "cd %s && cc -O2 -fomit-frame-pointer -c blind.c && cc %s -o prog %s",
		  temp_dir(), "-O2 -g -fno-omit-frame-pointer -Wl,--build-id",
		  "program.c blind.o");
	lines = output_of(0, "%s", program);
	CHECK(sscanf(lines, "%" SCNx64 "\n%" SCNx64 "\n%" SCNx64, &in_method, &in_walk,
		     &in_blind) == 3);
}

static void stack(uint64_t stamp, int32_t pid, const uint64_t *addresses, unsigned int count)
{
	uint8_t *payload = build_record(&builder, stamp, STACK, pid, 80);
	unsigned int i;

	memset(payload + 8, 0, 72);
	put_u32(payload + 8, pid, false);
	for (i = 0; i < count; i++)
		put_u64(payload + 16 + 8 * i, addresses[i], false);
}

static void one(uint64_t stamp, int32_t pid, uint64_t address)
{
	stack(stamp, pid, &address, 1);
}

static void make(const char *maps)
{
	const uint64_t all[] = { BASE + in_blind, BASE + in_method, BASE + in_walk };
	uint8_t *payload;

	dir = make_path("%s/trace", temp_dir());
	make_trace(dir, false);
	write_text(make_path("%s/tring/events/ftrace/user_stack/format", dir), USER_STACK);
	write_text(make_path("%s/tring/events/probes/probe/format", dir), PROBE);
	write_text(make_path("%s/tring/events/probes/back/format", dir), RETURN);
	write_text(make_path("%s/tring/kallsyms", dir),
		   "ffffffff81000000 T outer\nffffffff81000100 T inner\nffffffff81000200 T last\n");
	if (maps)
		write_text(make_path("%s/tring/maps", dir), maps);
	write_metadata(dir, false);
	build_init(&builder, false, 0);
	build_begin(&builder, 990);
	payload = build_record(&builder, 990, PROBE_ID, 7, 16);
	put_u64(payload + 8, KERNEL, false);
	stack(1000, 7, all, 3);
	/* 8 is forked by 7, and executes at 1200 what has it elsewhere; 9 is a thread of 8 */
	one(1100, 8, BASE + in_method);
	one(1250, 8, BASE + in_method);
	one(1300, 8, 2 * BASE + in_walk - 0x1000);
	payload = build_record(&builder, 1310, PROBE_ID, 9, 16);
	put_u64(payload + 8, 2 * BASE + in_walk - 0x1000, false);
	payload = build_record(&builder, 1320, PROBE_ID, 9, 16);
	put_u64(payload + 8, KERNEL, false);
	payload = build_record(&builder, 1330, RETURN_ID, 9, 24);
	put_u64(payload + 8, KERNEL, false);
	put_u64(payload + 16, KERNEL - 0x100, false);
	/* another file in the same place; one without a build id; a place that is no function */
	one(1400, 10, BASE + in_walk);
	one(1500, 11, BASE + in_walk);
	one(1600, 12, BASE + 0x10);
	build_end(&builder);
	build_write(&builder, dir);
}

static char *good_maps(const char *id)
{
	return make_path("begin\nfile %s %s\nfile 00%s %s\nfile - /no\033id\nfile %s [vdso]\n"
			 "map 500 7 %llx 100000 0 0\nmap 500 10 %llx 100000 0 1\n"
			 "map 500 11 %llx 100000 0 2\nmap 500 12 %llx 100000 0 3\n"
			 "thread 1305 9 8\nfork 1050 8 7\nmap 1210 8 %llx 100000 1000 0\n"
			 "exec 1200 8\n", id, program, id + 2, program, id, BASE, BASE, BASE, BASE,
			 2 * BASE);
}

static void check_names(void)
{
	char *output = output_of(0, "$TRING report %s 2>%s/said", dir, temp_dir());

	wants(output, make_path("user_stack:           \t=> blind+0x"));
	wants(output, make_path("\t=> blind+0x"));
	wants(output, make_path("\n\t=> inside (inlined)\n\t=> space::thing::method(int)+0x"));
	wants(output, make_path(" (%s)\n\t=> 123foo::bar+0x", program));
	wants(output, make_path("(%llx) at 123foo::bar+0x", 2 * BASE + in_walk - 0x1000));
	wants(output, "(ffffffff81000123) at inner+0x23\n");
	wants(output, "(ffffffff81000123 <- ffffffff81000023) at outer+0x23 <- inner+0x23\n");
	wants(output, make_path("\t=> 0x%llx [unknown]\n", BASE + in_method));
	wants(output, make_path("\t=> [%s+0x%" PRIx64 "]\n", program, in_walk));
	wants(output, make_path("\t=> [/no\\x1bid+0x%" PRIx64 "]\n", in_walk));
	wants(output, "\t=> [vdso]+0x10\n");
	wants(read_file(make_path("%s/said", temp_dir())),
	      make_path("1 of 7 stacks of programs lack functions: %s (%s: 1);",
			"code without frame pointers does not tell its caller", program));
}

/* The same in a flame graph, which says which functions are inside others. */
static void check_flame(void)
{
	check_equal(output_of(0, "$TRING flame -e probe -P 7 %s 2>/dev/null", dir),
		    "<...>;123foo::bar;space::thing::method(int);inside_[i];blind;probe 1\n",
		    "flame");
}

static void check_sql(void)
{
	if (!access(make_path("%s-sql", test_env("TRING")), X_OK))
		check_run(0, "inside (inlined)", "$TRING sql %s \"%s\" 2>&1", dir,
			  "SELECT text FROM events WHERE pid = 7 AND name = 'user_stack'");
}

/* What is no such file any more, or never was, is named by its place. */
static void check_refused(const char *path, const char *id)
{
	make(make_path("begin\nfile %s %s\nmap 500 10 %llx 100000 0 0\n", id, path, BASE));
	wants(output_of(0, "$TRING report -P 10 %s 2>%s/said", dir, temp_dir()),
	      make_path("\t=> [%s+0x%" PRIx64 "]\n", path, in_walk));
}

/* The same, and report says why. */
static void check_missing(const char *path, const char *id)
{
	check_refused(path, id);
	wants(read_file(make_path("%s/said", temp_dir())),
	      make_path("1 places in programs have no function: %s (%s: 1)",
			"their files are not here with the same build id", path));
}

static void check_files(const char *id)
{
	char *link = make_path("%s/link", temp_dir()), *fifo = make_path("%s/fifo", temp_dir());

	CHECK(!symlink(program, link) && !mkfifo(fifo, 0600));
	check_missing(link, id);
	check_missing(fifo, id);
	check_missing("/dev/null", id);
	check_missing(make_path("%s/nothing", temp_dir()), id);
	check_refused("prog", id);
	check_missing(program, "00");
	check_refused(program, "../x");
	check_missing(program, make_path("%s00", id));
	/* its head says more than it has */
	output_of(0, "head -c 3000 %s >%s/cut", program, temp_dir());
	check_refused(make_path("%s/cut", temp_dir()), id);
}

/* What a recorder does not write, or has not written yet. */
static void check_damaged(const char *maps, const char *said)
{
	make(maps);
	wants(output_of(said ? 1 : 0, "$TRING report -P 10 %s 2>&1", dir), said ? said : "_stack:");
}

static void check_hostile(const char *id)
{
	check_damaged("begin\nmap 1 10 1000 1000 0 0\n", "is damaged, line 2");
	check_damaged("begin\nfile\n", "is damaged, line 2");
	check_damaged("\nbegin\n\033\n", "is damaged, line 1");
	check_damaged("begin\nfork 1 10 10\nthread 1 10 10\n", NULL);
	check_damaged("begin\nfork 1 10 11\nfork 1 11 10\nthread 900 11 10\n", NULL);
	check_damaged("begin\nfile - a\nmap 1 10 ffffffffffffffff ffffffffffffffff 0 0\nmap 1",
		      NULL);
	check_damaged("", NULL);
	make(make_path("%slost 1 5\nlost 2 6\n", good_maps(id)));
	wants(output_of(0, "$TRING report %s 2>&1", dir),
	      "11 changes of programs' memory were lost");
}

/* A file that makes libdw fail costs its own names alone. */
static void check_failing(const char *id)
{
	char *beside = make_path("%s/beside", temp_dir()), *output;

	output_of(0, "mkdir %s && cp $TRING %s/tring", beside, beside);
	make(good_maps(id));
	output = output_of(0, "%s/tring report -P 7 %s 2>&1", beside, dir);
	wants(output, "the program tring-symbols is not installed");
	wants(output, make_path("\t=> [%s+0x%" PRIx64 "]\n", program, in_walk));
	write_text(make_path("%s/tring-symbols", beside), "#!/bin/sh\nkill -9 $$\n");
	output_of(0, "chmod +x %s/tring-symbols", beside);
	output = output_of(1, "%s/tring report -P 7 %s 2>&1", beside, dir);
	wants(output, make_path("tring-symbols has failed at %s+0x%" PRIx64, program, in_blind));
	wants(output, make_path("\t=> [%s+0x%" PRIx64 "]\n", program, in_walk));
}

int main(void)
{
	char id[TRING_BUILD_ID_TEXT];

	if (!have("cc") || !have("readelf")) {
		printf("cc and binutils are not installed\n");
		return SKIPPED;
	}
	if (access(make_path("%s-symbols", test_env("TRING")), X_OK)) {
		printf("tring-symbols was not built\n");
		return SKIPPED;
	}
	build_program();
	tring_build_id(program, id);
	wants(output_of(0, "readelf -n %s", program), make_path("Build ID: %s\n", id));
	make(good_maps(id));
	check_names();
	output_of(0, "objcopy --remove-section .debug_aranges %s", program);
	check_names();
	check_flame();
	check_sql();
	check_files(id);
	check_hostile(id);
	check_failing(id);
	check_equal(output_of(1, "%s/beside/tring flame -e probe -P 7 %s 2>/dev/null", temp_dir(),
			      dir),
		    make_path("<...>;[prog+0x%" PRIx64 "];[prog+0x%" PRIx64 "];[prog+0x%" PRIx64
			      "];probe 1\n", in_walk, in_method, in_blind), "flame without names");
	make(NULL);
	check_equal(output_of(0, "$TRING report -P 11 %s 2>&1 | grep -o '=>.*'", dir),
		    make_path("=> 0x%llx\n", BASE + in_walk), "without maps");
	return 0;
}
