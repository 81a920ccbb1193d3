// SPDX-License-Identifier: GPL-2.0
/* Description: trace_printk, plugins' functions and sizeof are printed; of others, all bytes. */
#include "top_trace.h"

#define COMMON \
	COMMON_FIELDS "\n"

#define ARRAY(name)	"__get_dynamic_array(" name ")"

#define NUMBER(name)	"((unsigned long)(REC->" name "))"

#define UNKNOWN(name) \
	"tring report: " name ": the print format is not understood; " UNKNOWN_END
#define UNKNOWN_END	"its events are printed field by field\n"

/* Fields and print formats; the sizes are those of the records below. */
static const struct {
	const char *system, *name;
	unsigned int id;
	const char *fields, *print;
} formats[] = {
	{ "ftrace", "bprint", 800,
	  "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	  "\tfield:const char * fmt;\toffset:16;\tsize:8;\tsigned:0;\n"
	  "\tfield:u32 buf[];\toffset:24;\tsize:0;\tsigned:0;\n",
	  "\"%ps: %s\", (void *)REC->ip, REC->fmt" },
	{ "scsi", "start", 801,
	  "\tfield:unsigned int size;\toffset:8;\tsize:4;\tsigned:0;\n"
	  "\tfield:__data_loc unsigned char[] cmnd;\toffset:12;\tsize:4;\tsigned:0;\n",
	  "\"cmnd=(%s raw=%s)\", scsi_trace_parse_cdb(p, " ARRAY("cmnd")
	  ", REC->size), __print_hex(" ARRAY("cmnd") ", REC->size)" },
	{ "testing", "span", 802,
	  "\tfield:char span[((8 | 0) > 128 ? 128 : 8)];\toffset:8;\tsize:8;\tsigned:0;\n",
	  "\"span=0x%s\", REC->span" },
	{ "testing", "numbers", 803,
	  "\tfield:__data_loc int[] v;\toffset:8;\tsize:4;\tsigned:1;\n",
	  "\"v=%s\", __print_array(" ARRAY("v")
	  ", __get_dynamic_array_len(v) / sizeof(int), sizeof(int))" },
	{ "testing", "unknown", 804,
	  "\tfield:__data_loc unsigned char[] data;\toffset:8;\tsize:4;\tsigned:0;\n"
	  "\tfield:u16 pair[2];\toffset:12;\tsize:4;\tsigned:0;\n"
	  "\tfield:__data_loc char[] text;\toffset:16;\tsize:4;\tsigned:0;\n"
	  "\tfield:int less;\toffset:20;\tsize:4;\tsigned:1;\n",
	  "\"%s\", nothing_knows(REC->less)" },
	/* of Linux 6.19 */
	{ "syscalls", "sys_enter_write", 805,
	  "\tfield:int __syscall_nr;\toffset:8;\tsize:4;\tsigned:1;\n"
	  "\tfield:unsigned int fd;\toffset:16;\tsize:8;\tsigned:0;\n"
	  "\tfield:const char * buf;\toffset:24;\tsize:8;\tsigned:0;\n"
	  "\tfield:size_t count;\toffset:32;\tsize:8;\tsigned:0;\n"
	  "\tfield:__data_loc char[] __buf_val;\toffset:40;\tsize:4;\tsigned:0;\n",
	  "\"fd: 0x%08lx, buf: 0x%08lx (%s), count: 0x%08lx\", " NUMBER("fd") ", " NUMBER("buf")
	  ", __print_dynamic_array(__buf_val, 1), " NUMBER("count") },
};

static const char strings[] =
	"0xffffffff81e00010 : \"count=%d name=%s big=%llx\\n\"\n"
	"0xffffffff81e00020 : \"cut %\"\n"
	"0xffffffff81e00030 : \"cut %l\"\n"
	"0xffffffff81e00040 : \"wide %*d\\n\"\n"
	"0xffffffff81e00050 : \"100%% of %u\\n\"\n";

static struct builder builder;

static void write_formats(const char *dir)
{
	char *path = make_path("%s/tring/printk_formats", dir), *text;
	size_t i;

	write_text(path, strings);
	free(path);
	path = make_path("%s/tring/kallsyms", dir);
	write_text(path, "ffffffff81000100 T my_func\nffffffff81000200 T other_func\n");
	free(path);
	for (i = 0; i < COUNT(formats); i++) {
		/* makes the directory */
		top_format(dir, formats[i].system, formats[i].name, formats[i].id,
			   formats[i].fields);
		path = make_path("%s/tring/events/%s/%s/format", dir, formats[i].system,
				 formats[i].name);
		text = make_path("name: %s\nID: %u\nformat:\n" COMMON "%s\nprint fmt: %s\n",
				 formats[i].name, formats[i].id, formats[i].fields,
				 formats[i].print);
		write_text(path, text);
		free(text);
		free(path);
	}
	write_metadata(dir, false);
}

static uint8_t *write_printk(uint64_t stamp, uint64_t format, uint32_t length)
{
	uint8_t *payload = build_record(&builder, stamp, 800, 42, 24 + length);

	put_u64(payload + 8, 0xffffffff81000110, false);
	put_u64(payload + 16, format, false);
	memset(payload + 24, 0, length);
	put_u32(payload + 24, 7, false);
	return payload + 24;
}

static void write_stream(const char *dir)
{
	uint8_t *at;

	build_init(&builder, false, 0);
	build_begin(&builder, 1000000000);
	at = write_printk(1000000000, 0xffffffff81e00010, 16);
	memcpy(at + 4, "abc", 4);
	put_u64(at + 8, UINT64_C(0x123456789), false);
	write_printk(1000001000, 0xffffffff81e00020, 4);
	write_printk(1000002000, 0xffffffff81e00030, 4);
	at = write_printk(1000003000, 0xffffffff81e00040, 8);
	put_u32(at, 0x7fffffff, false);
	write_printk(1000004000, 0xffffffff81e00050, 4);
	/* its format is not known */
	write_printk(1000005000, 0x1234, 4);
	at = build_record(&builder, 1000006000, 801, 42, 26);
	put_u32(at + 8, 10, false);
	put_u32(at + 12, 10 << 16 | 16, false);
	memcpy(at + 16, "\x28\0\0\0\x10\0\0\0\x08\0", 10);
	at = build_record(&builder, 1000007000, 802, 42, 16);
	memcpy(at + 8, "ff\0\0\0\0\0", 8);
	at = build_record(&builder, 1000008000, 803, 42, 20);
	put_u32(at + 8, 8 << 16 | 12, false);
	put_u32(at + 12, 5, false);
	put_u32(at + 16, 6, false);
	for (int i = 0; i < 2; i++) {
		at = build_record(&builder, 1000009000 + 1000 * i, 804, 42, 32);
		put_u32(at + 8, 4 << 16 | 24, false);
		put_u32(at + 12, 0x20001, false);
		put_u32(at + 16, 4 << 16 | 28, false);
		put_u32(at + 20, -3, false);
		memcpy(at + 24, "(\0\x1f\377abc", 8);
	}
	at = build_record(&builder, 1000011000, 805, 42, 46);
	put_u64(at + 16, 1, false);
	put_u64(at + 24, 0x1000, false);
	put_u64(at + 32, 2, false);
	put_u32(at + 40, 2 << 16 | 44, false);
	memcpy(at + 44, "hi", 2);
	build_end(&builder);
	top_write(dir, &builder, 12, 0, 0);
}

int main(void)
{
	static const char * const wanted[] = {
		"bprint:               my_func: count=7 name=abc big=123456789\n",
		"bprint:               my_func: cut %\n",
		"bprint:               my_func: cut %l\n",
		"bprint:               my_func: wide %*d\n",
		"bprint:               my_func: 100% of 7\n",
		"bprint:               my_func: (NO FORMAT FOUND at 1234)\n",
		"start:                cmnd=(lba=4096 txlen=8 protect=0 raw=28 00 00 ",
		"00 10 00 00 00 08 00)\n",
		"span:                 span=0xff\n",
		"numbers:              v=",
		"unknown:              [FAILED TO PARSE] data=ARRAY[28, 00, 1f, ff] ",
		"pair=ARRAY[01, 00, 02, 00] text=abc less=-3\n",
		"text=abc less=-3\n",
		"sys_enter_write:      fd: 0x00000001, buf: 0x00001000 (",
		"), count: 0x00000002\n",
	};
	char *dir = make_path("%s/trace", temp_dir()), *output;

	make_trace(dir, false);
	write_formats(dir);
	write_stream(dir);
	output = output_of(0, "$TRING report %s 2>/dev/null", dir);
	check_texts(output, wanted, COUNT(wanted));
	/* up to libtraceevent 1.7, and later */
	CHECK(strstr(output, " v=5 6\n") || strstr(output, " v={0x5,0x6}\n"));
	CHECK(strstr(output, " (104 105), ") || strstr(output, " ({0x68,0x69}), "));
	free(output);
	/* it is said once of each event */
	output = output_of(0, "$TRING report %s 2>&1 >/dev/null", dir);
	check_equal(output, UNKNOWN("testing:unknown"), "what is said");
	free(output);
	free(dir);
	return 0;
}
