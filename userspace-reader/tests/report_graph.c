// SPDX-License-Identifier: GPL-2.0
/* Description: begins and ends of functions are printed in trace-cmd's columns, with any values. */
#include <unistd.h>

#include "helpers.h"

#define FIELDS	"\nformat:\n" \
	COMMON_FIELDS "\n" \
	"\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n" \
	"\tfield:int depth;\toffset:16;\tsize:4;\tsigned:1;\n"
#define ENTRY	"name: funcgraph_entry\nID: 11" FIELDS \
	"\nprint fmt: \"--> %ps (%d)\", (void *)REC->func, REC->depth\n"
#define EXIT	"name: funcgraph_exit\nID: 10" FIELDS \
	"\tfield:unsigned int overrun;\toffset:20;\tsize:4;\tsigned:0;\n" \
	"\tfield:unsigned long long calltime;\toffset:24;\tsize:8;\tsigned:0;\n" \
	"\tfield:unsigned long long rettime;\toffset:32;\tsize:8;\tsigned:0;\n" \
	"\nprint fmt: \"<-- %ps (%d)\", (void *)REC->func, REC->depth\n"

static struct builder builder;

/* Lengths of the payloads, common fields included. */
#define ENTRY_LENGTH	20
#define EXIT_LENGTH	40

static void add(uint64_t stamp, uint16_t id, uint64_t func, uint32_t depth, uint64_t begin,
		uint64_t end)
{
	uint32_t length = id == 11 ? ENTRY_LENGTH : EXIT_LENGTH;
	uint8_t *payload = build_record(&builder, stamp, id, 1, length);

	memset(payload + TRING_PAYLOAD_HEAD, 0, length - TRING_PAYLOAD_HEAD);
	memcpy(payload + 8, &func, sizeof(func));
	memcpy(payload + 16, &depth, sizeof(depth));
	if (id == 11)
		return;
	memcpy(payload + 24, &begin, sizeof(begin));
	memcpy(payload + 32, &end, sizeof(end));
}

int main(void)
{
	const char *dir = temp_dir();
	char *command = make_path("$TRING report %s", dir), *output;
	char *path;

	make_trace(dir, false);
	write_text(make_path("%s/tring/events/ftrace/funcgraph_entry/format", dir), ENTRY);
	write_text(make_path("%s/tring/events/ftrace/funcgraph_exit/format", dir), EXIT);
	path = make_path("%s/tring/kallsyms", dir);
	write_text(path, "ffffffff81000000 T outer\nffffffff81000100 T inner\n"
		   "ffffffff81000200 T last\n");
	build_init(&builder, false, 0);
	build_begin(&builder, 1000);
	add(1000, 11, 0xffffffff81000000, 0, 0, 0);
	add(1001, 11, 0xffffffff81000100, 1, 0, 0);
	add(1002, 10, 0xffffffff81000100, 1, 5000, 6234);
	add(1003, 10, 0xffffffff81000000, 0, 4000, 4000 + 123456789);
	/* what no kernel writes */
	add(1004, 11, 1, UINT32_MAX, 0, 0);
	add(1005, 10, 1, INT32_MAX, 1, 0);
	build_end(&builder);
	write_file(make_path("%s/cpu0", dir), builder.bytes, builder.size);
	run(command, &output);
	wants(output, " funcgraph_entry:                   |  outer() {\n");
	wants(output, " funcgraph_entry:                   |    inner() {\n");
	wants(output, " funcgraph_exit:         1.234   us |    } /* inner */\n");
	wants(output, " funcgraph_exit:         123456  us |  } /* outer */\n");
	wants(output, " 0x1() {\n");
	wants(output, " } /* 0x1 */\n");
	return 0;
}
