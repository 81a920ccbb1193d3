/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Filters, what they make of a record, and what is wrong with some: for filter_kunit.c in a kernel
 * and for filter/main.c in user space.
 */
#ifndef _FILTER_ROWS_H
#define _FILTER_ROWS_H

/**
 * struct filter_record - a record with a field of each kind
 * @common_type: event
 * @common_flags: of the context
 * @common_preempt_count: of the context
 * @common_pid: of the task
 * @u1: unsigned, one byte
 * @s1: signed, one byte
 * @u2: unsigned, two bytes
 * @s2: signed, two bytes
 * @u4: unsigned, four bytes
 * @s4: signed, four bytes
 * @u8: unsigned, eight bytes
 * @s8: signed, eight bytes
 * @name: array of characters
 * @odd: another one, which has no NUL
 * @bytes: six bytes that are no characters
 * @text: location of a string
 * @more: location of a string, from the field's end
 * @cpus: location of a set of CPUs
 * @at: address of a string
 * @ip: address of code
 * @data: what the locations point to
 * @slack: what may be read behind a record
 */
struct filter_record {
	u16	common_type;
	u8	common_flags;
	u8	common_preempt_count;
	s32	common_pid;
	u8	u1;
	s8	s1;
	u16	u2;
	s16	s2;
	u32	u4;
	s32	s4;
	u64	u8;
	s64	s8;
	char	name[16];
	char	odd[5];
	char	bytes[6];
	u32	text;
	u32	more;
	u32	cpus;
	u64	at;
	u64	ip;
	char	data[1100];
	char	slack[8];
};

static const char filter_format[] =
	"name: filtered\n"
	"ID: 77\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:u8 u1;\toffset:8;\tsize:1;\tsigned:0;\n"
	"\tfield:s8 s1;\toffset:9;\tsize:1;\tsigned:1;\n"
	"\tfield:u16 u2;\toffset:10;\tsize:2;\tsigned:0;\n"
	"\tfield:short s2;\toffset:12;\tsize:2;\tsigned:1;\n"
	"\tfield:unsigned int u4;\toffset:16;\tsize:4;\tsigned:0;\n"
	"\tfield:int s4;\toffset:20;\tsize:4;\tsigned:1;\n"
	"\tfield:unsigned long u8;\toffset:24;\tsize:8;\tsigned:0;\n"
	"\tfield:long s8;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:char name[16];\toffset:40;\tsize:16;\tsigned:1;\n"
	"\tfield:unsigned char odd[4 + 1];\toffset:56;\tsize:5;\tsigned:0;\n"
	"\tfield:u8 bytes[6];\toffset:61;\tsize:6;\tsigned:0;\n"
	"\tfield:__data_loc char[] text;\toffset:68;\tsize:4;\tsigned:1;\n"
	"\tfield:__rel_loc char more[];\toffset:72;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc cpumask_t *[] cpus;\toffset:76;\tsize:4;\tsigned:0;\n"
	"\tfield:const char * at;\toffset:80;\tsize:8;\tsigned:0;\n"
	"\tfield:void * ip;\toffset:88;\tsize:8;\tsigned:0;\n"
	"\n"
	"print fmt: \"\tfield:int nothing;\toffset:0;\tsize:4;\tsigned:0;\", REC->u1\n";

/* The record of the rows. @set is what @cpus is to be, in @size bytes. */
static inline void fill_filter_record(struct filter_record *record, const char *at, u64 ip,
				      const void *set, u32 size)
{
	static const struct filter_record filled = {
		.common_type = 77, .common_flags = 1, .common_preempt_count = 2, .common_pid = 4711,
		.u1 = 200, .s1 = -56, .u2 = 60000, .s2 = -5536, .u4 = 4000000000U,
		.s4 = -294967296, .u8 = 0xfffffffffffffff0ULL, .s8 = -16,
		.name = "tring", .odd = { 'a', 'b', 'c', 'd', 'e' },
		.bytes = { 'a', 'b', 'c', 'd', 'e', 'f' },
		.text = 13 << 16 | 104, .more = 4 << 16 | 44, .cpus = 128,
		.data = "--------/usr/bin/cat\0\0\0\0[x]",
	};

	*record = filled;
	record->at = (unsigned long)at;
	record->ip = ip;
	record->cpus |= size << 16;
	memcpy((char *)record + 128, set, size);
}

/* The name of the string at filter_record::at. */
#define FILTER_STRING	"a string that is somewhere else"

struct filter_row {
	const char	*text;
	bool		fits;
};

static const struct filter_row filter_rows[] = {
	/* sizes and signs */
	{ "u1 == 200", true }, { "u1 != 200", false }, { "u1 > 199", true }, { "u1 > 200", false },
	{ "u1 >= 200", true }, { "u1 < 201", true }, { "u1 < 200", false }, { "u1 <= 200", true },
	{ "u1 & 8", true }, { "u1 & 7", false }, { "u1 & 0", false }, { "u1 < 0", false },
	{ "u1 >= 0", true }, { "u1 > 255", false }, { "u1 <= 255", true }, { "u1 < 255", true },
	{ "s1 == -56", true }, { "s1 < 0", true }, { "s1 > -57", true }, { "s1 < -56", false },
	{ "s1 <= 127", true }, { "s1 > 127", false }, { "s1 >= -128", true },
	{ "s1 < -128", false }, { "s1 & 0x80", true }, { "s1 & 7", false },
	{ "u2 == 60000", true }, { "u2 > 0x7fff", true }, { "u2 < 32768", false },
	{ "s2 == -5536", true }, { "s2 > 32767", false }, { "s2 < -5535", true },
	{ "u4 == 4000000000", true }, { "u4 > 3999999999", true }, { "u4 < 4000000000", false },
	{ "u4 & 0x80000000", true }, { "u4 <= 0xffffffff", true },
	{ "s4 == -294967296", true }, { "s4 < 0", true }, { "s4 > -294967297", true },
	{ "u8 == 0xfffffffffffffff0", true }, { "u8 > 0xffffffffffffffef", true },
	{ "u8 > 0xffffffffffffffff", false }, { "u8 < 16", false }, { "u8 & 0xf", false },
	{ "u8 != 18446744073709551600", false }, { "u8 <= 01777777777777777777777", true },
	{ "s8 == -16", true }, { "s8 < -15", true }, { "s8 < -9223372036854775808", false },
	{ "s8 <= 9223372036854775807", true }, { "s8 > 9223372036854775807", false },
	{ "s8 & -16", true }, { "s8 & 0x10", true },
	/* a value is cut to the size of the field */
	{ "u1 == 456", true }, { "u1 < 456", false }, { "s1 == 200", true },
	{ "u2 == 125536", true },
	{ "u4 == 0xfee6b2800", true }, { "s4 == 4000000000", true }, { "u1 & 256", false },
	/* other sizes */
	{ "bytes == 0", false }, { "bytes != 0", false }, { "!(bytes == 0)", true },
	{ "text != \"\"", true }, { "cpus >= 0", true },
	/* the head, and what is no field */
	{ "common_type == 77", true }, { "common_flags & 1", true }, { "common_pid > 4710", true },
	{ "common_preempt_count == 2", true }, { "CPU >= 0", true }, { "cpu < 0", false },
	{ "common_cpu > -1", true }, { "CPU & 0xff", false }, { "CPU < 8192", true },
	{ "stacktrace == 0", false }, { "STACKTRACE != 0", false },
	{ "COMM != \"no such task\"", true }, { "comm ~ \"*\"", true },
	/* strings */
	{ "name == \"tring\"", true }, { "name == 'tring'", true }, { "name == \"trin\"", false },
	{ "name == \"tringe\"", false }, { "name != \"tring\"", false }, { "name != \"\"", true },
	{ "name == \"tr*\"", false }, { "name ~ \"tr*\"", true }, { "name ~ \"tring*\"", true },
	{ "name ~ \"tringe*\"", false }, { "name ~ \"*in*\"", true }, { "name ~ \"*ng*\"", true },
	{ "name ~ \"*nge*\"", false }, { "name ~ \"**\"", true }, { "name ~ \"*\"", true },
	{ "name ~ \"tring\"", true }, { "name ~ \"trin\"", false }, { "name ~ \"\"", false },
	{ "name ~ \"!tr*\"", false }, { "name ~ \"!x*\"", true }, { "name ~ \"!\"", true },
	{ "name ~ \"*ing\"", false },	/* the end of the array is compared, as in ftrace */
	{ "odd == \"abcde\"", true }, { "odd == \"abcd\"", false }, { "odd ~ \"*bcd\"", true },
	{ "odd ~ \"*cde\"", false }, { "odd ~ \"abcde*\"", true }, { "odd ~ \"abcdef*\"", false },
	{ "odd ~ \"*de*\"", true }, { "odd ~ \"?bcd?\"", true }, { "odd ~ \"?bcd??\"", false },
	{ "text == \"/usr/bin/cat\"", true }, { "text ~ \"/usr*\"", true },
	{ "text ~ \"*cat\"", true }, { "text ~ \"*bin/cat\"", true }, { "text ~ \"*ca\"", false },
	{ "text ~ \"*/bin/*\"", true }, { "text ~ \"/*/*/cat\"", true },
	{ "text ~ \"/*/*/*/cat\"", false }, { "text ~ \"/us[a-r]/*\"", true },
	{ "text ~ \"/us[!a-r]/*\"", false }, { "text ~ \"/us[!a-q]/*\"", true },
	{ "text ~ \"/u?r/bin/ca[xyt]\"", true }, { "text ~ \"/u?r/bin/ca[]t]\"", true },
	{ "text ~ \"\\/usr*\"", true }, { "text ~ \"/usr\\*\"", false },
	{ "more == \"[x]\"", true }, { "more ~ \"[x]\"", false }, { "more ~ \"\\[x]\"", true },
	{ "more ~ \"[[]x]\"", true }, { "more ~ \"*x*]\"", true }, { "more ~ \"[x\"", false },
	{ "more ~ \"[?]\"", false }, { "more ~ \"[[-]x]\"", true },
	{ "more ~ \"[Z-a]?[]]\"", true },
	{ "more ~ \"[x*\"", true }, { "more ~ \"[x]\\\"", false }, { "more ~ \"*]\\\"", true },
	{ "at == \"" FILTER_STRING "\"", true }, { "at != \"" FILTER_STRING "\"", false },
	{ "at ~ \"a string*\"", true }, { "at ~ \"*else\"", true }, { "at ~ \"*string*\"", true },
	{ "at ~ \"a * that ?s*\"", true },
	/* a program has nothing at that address */
	{ "at.ustring == \"a\"", false }, { "at.ustring != \"a\"", false },
	/* && binds stronger than ||, and ! is of the operand behind it */
	{ "u1 == 0 && u1 == 0 || u1 == 200", true }, { "u1 == 200 || u1 == 0 && u1 == 0", true },
	{ "(u1 == 200 || u1 == 0) && u1 == 0", false }, { "!u1 == 0", true },
	{ "!u1 == 200", false },
	{ "! ! u1 == 200", true }, { "!(u1 == 0 || s1 == -56)", false },
	{ "!(u1 == 0 && s1 == -56)", true }, { "!(!(u1 == 200) || !(s1 == -56))", true },
	{ "!u1 == 0 && !(u2 == 1 || (u4 == 1 && u8 == 1)) || s1 == 3 || s2 == 4 && !s4 == 5",
	  true },
	{ "((((u1==200))))&&((s1==-56))", true }, { " ( u1\n==\t200 ) ", true },
};

/* Of these ftrace says what is wrong. */
struct filter_fault_row {
	const char	*text;
	int		err;
	const char	*why;
	u32		at;
};

static const struct filter_fault_row filter_faults[] = {
	{ "", -EINVAL, NULL, 0 },
	{ " ( ) ", -EINVAL, NULL, 0 },
	{ "!", -EINVAL, "No filter found", 1 },
	{ "!()", -EPERM, NULL, 0 },
	{ "&&", -EPERM, NULL, 0 },
	{ "u1", -EINVAL, "Invalid operator", 3 },
	{ "u1 = 1", -EINVAL, "Invalid operator", 4 },
	{ "u1 == ", -EINVAL, "Invalid value (did you forget quotes)?", 7 },
	{ "u1 == x", -EINVAL, "Invalid value (did you forget quotes)?", 7 },
	{ "u1 == 1x", -EINVAL, "Illegal integer value", 7 },
	{ "u1 == -1", -EINVAL, "Illegal integer value", 7 },
	{ "s1 == 0x", -EINVAL, "Illegal integer value", 7 },
	{ "s8 == 9223372036854775808", -EINVAL, "Illegal integer value", 7 },
	{ "u8 == 18446744073709551616", -EINVAL, "Illegal integer value", 7 },
	{ "u8 == 000000000000000000000001", -EINVAL, "Operand too long", 31 },
	{ "u1 ~ 1", -EINVAL, "Illegal operation for field type", 6 },
	{ "u1 == \"1\"", -EINVAL, "Expecting numeric field", 7 },
	{ "CPU == \"1\"", -EINVAL, "Expecting numeric field", 8 },
	{ "stacktrace == \"1\"", -EINVAL, "Expecting numeric field", 15 },
	{ "name == 1", -EINVAL, "Expecting string field", 9 },
	{ "COMM & 1", -EINVAL, "Expecting string field", 8 },
	{ "name < \"a\"", -EINVAL, "Illegal operation for field type", 8 },
	{ "nothing == 1", -EINVAL, "Field not found", 8 },
	{ "u == 1", -EINVAL, "Field not found", 2 },
	{ "u1 == 1 && nothing == 1", -EINVAL, "Field not found", 19 },
	{ "u1 == 1 &&", -EINVAL, "Meaningless filter expression", 10 },
	{ "u1 == 1 && !", -EINVAL, "Meaningless filter expression", 12 },
	{ "u1 == 1 & u2 == 1", -EPERM, "Too many terms in predicate expression", 8 },
	{ "u1 == 1 u2 == 1", -EPERM, "Too many terms in predicate expression", 8 },
	{ "u1 == 1 || || u2 == 1", -EPERM, NULL, 0 },
	{ "u1 == 1)", -EPERM, "Too few '('", 7 },
	{ "(u1 == 1))(", -EPERM, "Too few '('", 9 },
	{ "(u1 == 1", -ENOENT, "Too many '('", 0 },
	{ "u2 == 1 && ((u1 == 1) && (u2 == 1)", -ENOENT, "Too many '('", 11 },
	{ "(u1 == 1) && (u2 == 1 && (u4 == 1", -ENOENT, "Too many '('", 25 },
	{ "name == \"a", -ESRCH, "Missing matching quote", 8 },
	{ "name == 'a\"", -ESRCH, "Missing matching quote", 8 },
	{ "u1 & CPUS{", -EINVAL, "Missing '}'", 11 },
	{ "u1 & CPUS0", -EINVAL, "Missing '{'", 11 },
	{ "u1 & CPUS{}", -EINVAL, "Invalid cpulist", 11 },
	{ "u1 & CPUS{x}", -EINVAL, "Invalid cpulist", 12 },
	{ "u1 < CPUS{0}", -EINVAL, "Illegal operation for field type", 6 },
	{ "name == CPUS{0}", -EINVAL, "Illegal operation for field type", 9 },
	{ "stacktrace == CPUS{0}", -EINVAL, "Illegal operation for field type", 15 },
	{ "u4.function == x", -EINVAL, "Illegal operation for field type", 16 },
	{ "ip.function < x", -EINVAL, "Invalid operator", 15 },
	{ "ip.function == 1x", -EINVAL, "Invalid value (did you forget quotes)?", 18 },
	{ "ip.function == no_such_function", -EINVAL, "Function not found", 32 },
	{ "ip.function == 1", -EINVAL, "Function not found", 17 },
	{ "u1.nothing == 1", -EINVAL, "Invalid operator", 3 },
};

#endif /* _FILTER_ROWS_H */
