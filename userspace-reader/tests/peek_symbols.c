// SPDX-License-Identifier: GPL-2.0
/* Description: peek prints the address in a "print" event as a symbol of the running kernel. */
#include "fake_kernel.h"
#include "helpers.h"

/* Finds the first function whose address is above that of the line before. */
static bool find_symbol(uint64_t *address, char *name)
{
	FILE *file = fopen("/proc/kallsyms", "r");
	uint64_t before = 0;
	char line[1024];
	bool found = false;
	char type;

	while (file && !found && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNx64 " %c %99s", address, &type,
			   name) != 3)
			continue;
		found = before && *address > before && type == 'T';
		before = *address;
	}
	if (file)
		fclose(file);
	return found;
}

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir());
	char *path = make_path("%s/tring/per_cpu/cpu0/trace_raw_compact", dir);
	static struct builder zero;
	char *wanted, *output, name[100];
	uint64_t address;
	uint8_t *payload;

	if (!find_symbol(&address, name)) {
		printf("/proc/kallsyms shows no addresses\n");
		return SKIPPED;
	}
	make_tracefs(dir);
	build_init(&zero, false, 0);
	build_begin(&zero, 1000);
	payload = build_record(&zero, 1000, 5, 100, 16 + 6);
	put_u64(payload + 8, address, false);
	memcpy(payload + 16, "hello", 6);
	build_end(&zero);
	write_file(path, zero.bytes, zero.size);
	CHECK_EQ(run("$TRING peek -c 0", &output), 0);
	wanted = make_path(" %s: hello\n", name);
	if (!strstr(output, wanted))
		fail(output, 0, wanted);
	return 0;
}
