// SPDX-License-Identifier: GPL-2.0
/* Description: two fields of one name have two names where others read them. */
#include "top_trace.h"

/* As regmap's event regcache_sync of the kernel before 6.3, and one with the longer name. */
static const char fields[] =
	"\tfield:__data_loc char[] type;\toffset:8;\tsize:4;\tsigned:0;\n"
	"\tfield:int type;\toffset:12;\tsize:4;\tsigned:1;\n"
	"\tfield:__data_loc u16[] type;\toffset:16;\tsize:4;\tsigned:0;\n"
	"\tfield:int type_;\toffset:20;\tsize:4;\tsigned:1;\n";

static struct builder builder;

static void write_trace(const char *dir, bool order)
{
	uint8_t *payload;

	make_trace(dir, order);
	top_format(dir, "regmap", "sync", 800, fields);
	write_metadata(dir, order);
	build_init(&builder, order, 0);
	build_begin(&builder, 1000000000);
	payload = build_record(&builder, 1000000000, 800, 300, 33);
	put_u32(payload + 8, 5 << 16 | 24, order);
	put_u32(payload + 12, 7, order);
	put_u32(payload + 16, 4 << 16 | 29, order);
	put_u32(payload + 20, 8, order);
	memcpy(payload + 24, "wxyz", 5);
	put_u16(payload + 29, 5, order);
	put_u16(payload + 31, 6, order);
	build_end(&builder);
	top_write(dir, &builder, 1, 0, 0);
}

static void check_order(bool order)
{
	static const char object[] =
		"{\"type\":\"wxyz\",\"type__\":7,\"type___\":[5,6],\"type_\":8}";
	static const char * const fields_of[] = {
		"type = \"wxyz\"", "type__ = 7", "type_ = 8",
		"type___ = [ [0] = 5, [1] = 6 ]",
	};
	char *dir = make_path("%s/%s", temp_dir(), order ? "be" : "le"), *text;
	size_t i;

	write_trace(dir, order);
	check_run(0, object, "$TRING report --json %s", dir);
	CHECK_EQ(end_child(start_tring("/dev/null", "convert --to ctf -o %s.ctf %s", dir, dir)), 0);
	for (i = 0; i < COUNT(fields_of); i++) {
		/* of the recorded trace, and of the converted one */
		check_run(0, fields_of[i], "babeltrace2 %s 2>&1", dir);
		check_run(0, fields_of[i], "babeltrace2 %s.ctf 2>&1", dir);
	}
	text = output_of(0, "$TRING report -R %s", dir);
	/* as libtraceevent */
	CHECK(strstr(text, "type=7"));
	free(text);
	free(dir);
}

int main(void)
{
	if (!have("babeltrace2")) {
		printf("babeltrace2 is not installed\n");
		return SKIPPED;
	}
	check_order(false);
	check_order(true);
	return 0;
}
