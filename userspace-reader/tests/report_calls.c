// SPDX-License-Identifier: GPL-2.0
/* Description: report and top tell what system calls, their flags and their errors are called. */
#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "top_trace.h"

/* More than there are. */
#define NUMBERS		512

#define RENAME_FORMAT	"\"oldname: 0x%08lx \\\"%s\\\", newname: 0x%08lx \\\"%s\\\"\", " \
			"((unsigned long)(REC->oldname)), __get_str(__oldname_val), " \
			"((unsigned long)(REC->newname)), __get_str(__newname_val)"
#define EXIT_FORMAT	"\"NR %%ld = %%ld\", REC->id, REC->ret"
#define STRINGS		"SELECT __oldname_val AS old, __newname_val AS new FROM sys_enter_rename"
#define COMPARE		"python3 $TRING_TESTS/../../scripts/trace/compare-parquet.py $TRING " \
			"%1$s %1$s.pq"
#define PAGE_LINES	"python3 -c \"import sys; sys.path.insert(0, '$TRING_TESTS/support'); " \
			"from page import *; check_lines(make('$TRING', '%1$s', '--addresses'), " \
			"output('$TRING', 'report', '-t', '%1$s'))\""
#define NAMES		"sed -n 's/.*NR \\([0-9]*\\) = 0 (\\([^,)]*\\).*/\\1 \\2/p'"

enum { OPENAT = 630, OPENAT_END, RENAME };

static struct builder builder;
static uint64_t now;

/* @machine: the line of trace_info; "" for none */
static char *begin(const char *name, const char *machine, bool order)
{
	char *dir = make_path("%s/%s", temp_dir(), name), *info;

	top_make(dir, order);
	top_format(dir, "syscalls", "sys_enter_openat", OPENAT,
		   "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
		   "\tfield:int dfd;\toffset:16;\tsize:8;\tsigned:0;\n"
		   "\tfield:const char * filename;\toffset:24;\tsize:8;\tsigned:0;\n"
		   "\tfield:int flags;\toffset:32;\tsize:8;\tsigned:0;\n"
		   "\tfield:umode_t mode;\toffset:40;\tsize:8;\tsigned:0;\n");
	top_format(dir, "syscalls", "sys_exit_openat", OPENAT_END,
		   "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
		   "\tfield:long ret;\toffset:16;\tsize:8;\tsigned:1;\n");
	info = make_path("%s/tring/events/raw_syscalls/sys_exit/format", dir);
	output_of(0, "sed -i 's/^print fmt: .*/print fmt: " EXIT_FORMAT "/' %s", info);
	write_metadata(dir, order);
	info = make_path("%s/tring/trace_info", dir);
	write_text(info, make_path("%s%s", read_file(info), machine));
	build_init(&builder, order, 0);
	now = 1000000000;
	build_begin(&builder, now);
	return dir;
}

static char *end(const char *dir, const char *command)
{
	build_end(&builder);
	build_write(&builder, dir);
	return output_of(0, "$TRING %s %s", command, dir);
}

static void enter(uint64_t number, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	uint8_t *payload = build_record(&builder, ++now, TOP_SYS_ENTER, 100, TOP_ENTER_LENGTH);
	const uint64_t words[] = { number, a, b, c, d, 0, 0 };
	unsigned int i;

	for (i = 0; i < COUNT(words); i++)
		put_u64(payload + 8 + 8 * i, words[i], builder.big_endian);
}

static void leave(uint64_t number, int64_t result)
{
	uint8_t *payload = build_record(&builder, ++now, TOP_SYS_EXIT, 100, TOP_EXIT_LENGTH);

	put_u64(payload + 8, number, builder.big_endian);
	put_u64(payload + 16, result, builder.big_endian);
}

/* The names of all numbers are those of the C library's headers, as far as these know them. */
static void check_names(const char *machine)
{
	char *dir = begin(machine, make_path("architecture=%s\n", machine), false), *text;
	unsigned int i;

	for (i = 0; i < NUMBERS; i++)
		leave(i, 0);
	text = make_path("%s/%s.names", temp_dir(), machine);
	write_text(text, end(dir, "report"));
	output_of(0, "python3 $TRING_TESTS/support/call_names.py %s >%s.wanted", machine, text);
	output_of(0, NAMES " %s >%s.got", text, text);
	check_equal(output_of(1, "grep -vxFf %s.got %s.wanted", text, text), "", machine);
	CHECK(atoi(output_of(0, "wc -l <%s.wanted", text)) > 300);
}

/* The numbers stand before the words, as they always did. The values are this machine's. */
static void check_words(void)
{
	char *dir = begin("words", "architecture=x86_64\n", false), *output;
	uint8_t *payload;

	enter(257, AT_FDCWD, 1, 02000000, 0777);
	enter(257, 3, 1, 01 | 0100 | 01000, 0640);
	enter(257, 3, 1, 020200000 | 2 | 0x10000000, 07600);
	enter(9, 0, 4096, PROT_READ | PROT_WRITE, 0x22);
	enter(9, 0, 4096, PROT_NONE, 0x11);
	enter(56, CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0);
	enter(41, AF_INET6, SOCK_DGRAM | 02000000, 0, 0);
	enter(72, 3, F_SETFL, 0, 0);
	enter(202, 0, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME, 0, 0);
	enter(8, 3, 0, SEEK_END, 0);
	enter(62, 1, SIGTERM, 0, 0);
	enter(72, 3, 12345, 0, 0);
	enter(39, 0, 0, 0, 0);
	enter(100000, 0, 0, 0, 0);
	leave(257, -2);
	leave(0, 12);
	leave(0, -512);
	leave(0, -4096);
	leave(9, -140000000000);
	leave(15, -2);
	leave(-1, -4);
	payload = build_record(&builder, ++now, OPENAT, 100, 48);
	put_u64(payload + 16, AT_FDCWD, false);
	put_u64(payload + 32, 02000000, false);
	payload = build_record(&builder, ++now, OPENAT_END, 100, 24);
	put_u64(payload + 16, -13, false);
	output = end(dir, "report");
	/* a page has the same lines */
	output_of(0, PAGE_LINES, dir);
	wants(output, "sys_enter:            NR 257 (ffffffffffffff9c, 1, 80000, 1ff, ");
	wants(output, " 1ff, 0, 0) (openat, dfd: AT_FDCWD, flags: O_RDONLY|O_CLOEXEC)\n");
	wants(output, ") (openat, flags: O_WRONLY|O_CREAT|O_TRUNC, mode: 0640)\n");
	wants(output, ") (openat, flags: O_RDWR|O_TMPFILE|0x10000000, mode: 07600)\n");
	wants(output, ") (mmap, prot: PROT_READ|PROT_WRITE, flags: MAP_PRIVATE|MAP_ANONYMOUS)\n");
	wants(output, ") (mmap, prot: PROT_NONE, flags: MAP_SHARED|MAP_FIXED)\n");
	wants(output, ") (clone, flags: SIGCHLD|CLONE_VM|CLONE_VFORK)\n");
	wants(output, ") (socket, family: AF_INET6, type: SOCK_DGRAM|SOCK_CLOEXEC)\n");
	wants(output, ") (fcntl, cmd: F_SETFL)\n");
	wants(output, ") (futex, op: FUTEX_WAIT_BITSET|FUTEX_PRIVATE_FLAG|FUTEX_CLOCK_REALTIME)\n");
	wants(output, ") (lseek, whence: SEEK_END)\n");
	wants(output, ") (kill, sig: SIGTERM)\n");
	wants(output, "NR 72 (3, 3039, 0, 0, 0, 0) (fcntl)\n");
	wants(output, "NR 39 (0, 0, 0, 0, 0, 0) (getpid)\n");
	wants(output, "NR 100000 (0, 0, 0, 0, 0, 0)\n");
	wants(output, "NR 257 = -2 (openat, ENOENT)\n");
	wants(output, "NR 0 = 12 (read)\n");
	wants(output, "NR 0 = -512 (read, ERESTARTSYS)\n");
	wants(output, "NR 0 = -4096 (read)\n");
	wants(output, "NR 9 = -140000000000 (mmap)\n");
	wants(output, "NR 15 = -2 (rt_sigreturn)\n");
	wants(output, "NR -1 = -4\n");
	wants(output, " (dfd: AT_FDCWD, flags: O_RDONLY|O_CLOEXEC)\n");
	wants(output, "sys_exit_openat:       (EACCES)\n");
	/* as the format has it */
	CHECK(!strstr(output_of(0, "$TRING report -R %s", dir), "EACCES"));
	CHECK(!strstr(output_of(0, "$TRING report --json %s", dir), "EACCES"));
}

/* Makes a string at the end of a record. @text: NULL for one that could not be read */
static void put_string(uint8_t *payload, unsigned int at, unsigned int *end, const char *text,
		       bool big_endian)
{
	size_t size = text ? strlen(text) + 1 : 0;

	put_u32(payload + at, size << 16 | *end, big_endian);
	if (text)
		memcpy(payload + *end, text, size);
	*end += size;
}

static void rename_to(const char *old, const char *new, uint64_t new_address)
{
	unsigned int end = 40;
	uint8_t *payload = build_record(&builder, ++now, RENAME, 100,
					end + (old ? strlen(old) + 1 : 0) +
					(new ? strlen(new) + 1 : 0));

	put_u64(payload + 16, 0x1000, builder.big_endian);
	put_u64(payload + 24, new_address, builder.big_endian);
	put_string(payload, 32, &end, old, builder.big_endian);
	put_string(payload, 36, &end, new, builder.big_endian);
}

/* As tring's events of system calls have them, and those of kernels since 6.19. */
static void check_strings(bool order)
{
	char *dir = begin(order ? "strings-be" : "strings", "architecture=x86_64\n", order);
	char *output, *path, *text;

	top_format(dir, "syscalls", "sys_enter_rename", RENAME,
		   "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
		   "\tfield:const char * oldname;\toffset:16;\tsize:8;\tsigned:0;\n"
		   "\tfield:const char * newname;\toffset:24;\tsize:8;\tsigned:0;\n"
		   "\tfield:__data_loc char[] __oldname_val;\toffset:32;\tsize:4;\tsigned:0;\n"
		   "\tfield:__data_loc char[] __newname_val;\toffset:36;\tsize:4;\tsigned:0;\n");
	path = make_path("%s/tring/events/syscalls/sys_enter_rename/format", dir);
	text = read_file(path);
	*strstr(text, "print fmt") = 0;
	write_text(path, make_path("%sprint fmt: %s\n", text, RENAME_FORMAT));
	write_metadata(dir, order);
	rename_to("/tmp/a", "/tmp/b...", 0x2000);
	rename_to("", "\033[31m\xc3\xa4\xff", 0x2000);
	rename_to(NULL, "c", 0x2000);
	rename_to(NULL, NULL, 0x2000);
	rename_to("d", NULL, 0);
	output = end(dir, "report");
	output_of(0, PAGE_LINES, dir);
	wants(output, "oldname: 0x00001000 \"/tmp/a\", newname: 0x00002000 \"/tmp/b...\"\n");
	/* nothing of a program's string reaches the terminal as it is */
	wants(output, "newname: 0x00002000 \"\\x1b[31m\xc3\xa4\xc3\xbf\"\n");
	wants(output, "newname: 0x00002000 \"c\" (fault: oldname)\n");
	wants(output, "newname: 0x00002000 \"\" (fault: oldname, newname)\n");
	/* of a null pointer there is nothing to read */
	wants(output, "oldname: 0x00001000 \"d\", newname: 0x00000000 \"\"\n");
	output = output_of(0, "$TRING report --json %s", dir);
	wants(output, "\"__oldname_val\":\"/tmp/a\",\"__newname_val\":\"/tmp/b...\"");
	wants(output, "\"__oldname_val\":\"\",\"__newname_val\":\"\\u001b[31m\xc3\xa4\\u00ff\"");
	wants(output, "\"__oldname_val\":null,\"__newname_val\":\"c\"");
	output = output_of(0, "$TRING sql -o json %s '" STRINGS "' 2>/dev/null", dir);
	wants(output, "{\"old\":null,\"new\":\"c\"}");
	wants(output, "{\"old\":\"\",\"new\":");
	check_run(0, "", "$TRING convert --to parquet -o %1$s.pq %1$s", dir);
	if (have("python3 && node -e \"require('@duckdb/node-api')\""))
		check_run(0, "5 events and losses, 0 differences", COMPARE, dir);
}

/* Another machine has other numbers and other flags; of an unknown one nothing is said. */
static void check_machines(void)
{
	char *dir = begin("arm", "architecture=aarch64\n", true), *output;

	enter(56, AT_FDCWD, 1, 0x4000 | 02000000, 0);
	leave(56, -2);
	output = end(dir, "report");
	wants(output, "(openat, dfd: AT_FDCWD, flags: O_RDONLY|O_DIRECTORY|O_CLOEXEC)\n");
	wants(output, "NR 56 = -2 (openat, ENOENT)\n");
	wants(output_of(0, "$TRING top syscall %s", dir), "  openat\n");

	dir = begin("riscv", "architecture=riscv64\n", false);
	enter(56, AT_FDCWD, 1, 0x10000, 0);
	wants(end(dir, "report"), "(openat, dfd: AT_FDCWD, flags: O_RDONLY|O_DIRECTORY)\n");

	dir = begin("s390", "architecture=s390x\n", true);
	enter(56, 0, 0, 0, 0);
	leave(56, -2);
	output = end(dir, "report");
	wants(output, "NR 56 (0, 0, 0, 0, 0, 0)\n");
	wants(output, "NR 56 = -2\n");
	dir = begin("none", "", false);
	leave(56, -2);
	wants(end(dir, "report"), "NR 56 = -2\n");
}

int main(void)
{
	check_words();
	check_strings(false);
	check_strings(true);
	check_machines();
	check_names("x86_64");
	check_names("aarch64");
	return 0;
}
