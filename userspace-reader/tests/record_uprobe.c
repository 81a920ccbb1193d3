// SPDX-License-Identifier: GPL-2.0
/* Description: record --uprobe finds a function in a program's file, and refuses what it must. */
#include "helpers.h"
#include "record/dynamic.h"
#include "record/elf_symbol.h"

#define MARK	"0123456789abcdefTRINGend"

/* Bytes that are nowhere else in the program: a function of 24 bytes, all of which do nothing. */
#define PROGRAM	"asm(\".text\\n.globl probe_me\\n.type probe_me, STT_FUNC\\nprobe_me:\\n\"\n" \
	"\"\\t.ascii \\\"" MARK "\\\"\\n.size probe_me, . - probe_me\\n\");\n" \
	"static int twice(void) { return 1; }\nint (*volatile one)(void) = twice;\n"

static char *program;

static void build(const char *name, const char *options)
{
	program = make_path("%s/%s", temp_dir(), name);
	write_text(make_path("%s/first.c", temp_dir()), PROGRAM);
	write_text(make_path("%s/second.c", temp_dir()),
		   "static int twice(void) { return 2; }\nint (*volatile two)(void) = twice;\n"
		   "int main(void) { return two(); }\n");
	output_of(0, "cd %s && ${CC:-cc} %s -o %s first.c second.c", temp_dir(), options, name);
}

/* Where the function's bytes are, by themselves. */
static uint64_t find_mark(void)
{
	return strtoull(output_of(0, "grep -abo " MARK " %s", program), NULL, 10);
}

static void check_found(const char *name, const char *options)
{
	uint64_t place = 0, wanted;

	build(name, options);
	wanted = find_mark();
	CHECK(wanted);
	CHECK_EQ(tring_elf_function(program, "probe_me", 0, &place), 0);
	CHECK_EQ(place, wanted);
	CHECK_EQ(tring_elf_function(program, "probe_me", 23, &place), 0);
	CHECK_EQ(place, wanted + 23);
}

static void check_definition(const char *definition, const char *event, const char *wanted)
{
	struct tring_dynamics dynamics = { 0 };

	CHECK(tring_dynamics_add(&dynamics, "uprobe", definition));
	check_equal(make_path("%s", dynamics.list[0].definition), wanted, definition);
	check_equal(make_path("%s", dynamics.list[0].event), event, definition);
	tring_dynamics_free(&dynamics);
}

static void check_definitions(void)
{
	uint64_t place = find_mark();

	check_definition(make_path("%s:probe_me+0x10", program), "uprobes/probe_me_0x10",
			 make_path("p:probe_me_0x10 %s:0x%" PRIx64 "\n", program, place + 16));
	check_definition(make_path("r:own/name %s:probe_me %%ax", program), "own/name",
			 make_path("r:own/name %s:0x%" PRIx64 " %%ax\n", program, place));
	/* as ever */
	check_definition("p:name /bin/true:0x1040 %ax", "uprobes/name",
			 "p:name /bin/true:0x1040 %ax\n");
	check_definition("p:name relative:main", "uprobes/name", "p:name relative:main\n");
}

static void check_refused(const char *definition, const char *wanted)
{
	check_run(2, wanted, "$TRING record --uprobe '%s' -s 0", definition);
}

/* Wherever a file is cut, it is refused, or the function is where it was. */
static void check_cut(void)
{
	char *whole = program, *cut = make_path("%s/cut", temp_dir());
	uint64_t wanted = find_mark(), place;
	unsigned int size, end = atoi(output_of(0, "stat -c %%s %s", whole));

	for (size = 0; size < end; size += size < 0x400 ? 7 : 997) {
		output_of(0, "head -c %u %s >%s", size, whole, cut);
		if (!tring_elf_function(cut, "probe_me", 0, &place))
			CHECK_EQ(place, wanted);
	}
}

static void check_listed(const char *names, int status)
{
	char *wanted = make_path("%s/wanted", temp_dir());

	write_text(wanted, names);
	output_of(status, "$TRING list --symbols %s >%s/listed && grep -c -f %s %s/listed", program,
		  temp_dir(), wanted, temp_dir());
}

int main(void)
{
	if (!have("cc")) {
		printf("cc is not installed\n");
		return SKIPPED;
	}
	check_found("fixed", "-no-pie");
	/* its symbols are those that other files may use */
	check_found("stripped", "-pie -rdynamic -s");
	check_found("pie", "-pie");
	check_definitions();
	check_refused(make_path("%s:nothing", program), "it has no function of this name");
	check_refused(make_path("%s:twice", program), "it has several functions of this name");
	check_refused(make_path("%s:probe_me+24", program), "the offset is not in the function");
	check_refused(make_path("%s:probe_me+x", program), "\"x\" is no offset");
	check_refused("/nowhere:main", "/nowhere: No such file");
	check_refused(make_path("%s/first.c:main", temp_dir()), "it is no program of 64 bits");
	check_refused("main", "not p:NAME PLACE");
	check_cut();
	/* what a probe can name, and no name of several functions */
	check_listed("main\nprobe_me\n", 0);
	check_listed("^twice", 1);
	build("bare", "-s");
	check_run(2, "without -v and PATTERN", "$TRING list --symbols a 'b*'");
	check_run(1, "it has no symbols of functions; name an", "$TRING list --symbols %s",
		  program);
	check_refused(make_path("%s:main", program), "it has no symbols of functions; name an");
	return 0;
}
