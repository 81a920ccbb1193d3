// SPDX-License-Identifier: GPL-2.0
/* Description: peek and report of an unfinished trace print symbols of the running kernel. */
#include <unistd.h>

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

static struct builder zero;

static void write_hello(const char *path, uint64_t address)
{
	uint8_t *payload;

	build_init(&zero, false, 0);
	build_begin(&zero, 1000);
	payload = build_record(&zero, 1000, 5, 100, 16 + 6);
	put_u64(payload + 8, address, false);
	memcpy(payload + 16, "hello", 6);
	build_end(&zero);
	write_file(path, zero.bytes, zero.size);
}

/* A recorder adds the symbols of markers at its end, when their lines have been printed. */
static void check_follow(uint64_t address, const char *name)
{
	char *dir = make_path("%s/trace", temp_dir()), *path = make_path("%s/cpu0", dir);
	char *info = make_path("%s/tring/trace_info", dir), *text = info_text(false), *longer;
	char *boot = read_file("/proc/sys/kernel/random/boot_id");
	char *with = make_path(" %s: hello\n", name);
	char *without = make_path(" 0x%" PRIx64 ": hello\n", address);

	make_trace(dir, false);
	write_hello(path, address);
	free(path);
	path = make_path("%s/tring/cpu0.end", dir);
	write_text(path, "read: 1\n");
	longer = make_path("%s\nboot_id=%s", text, boot);
	write_text(info, longer);
	check_run(0, with, "$TRING report --follow %s", dir);
	/* of another boot the addresses are others */
	free(longer);
	longer = make_path("%s\nboot_id=00000000-0000-0000-0000-000000000000\n", text);
	write_text(info, longer);
	check_run(0, without, "$TRING report --follow %s", dir);
	check_run(0, without, "$TRING report %s", dir);
	unlink(path);
	check_run(0, without, "$TRING report %s", dir);
	free(longer);
	longer = make_path("%s\nboot_id=%s", text, boot);
	write_text(info, longer);
	check_run(0, with, "$TRING report %s", dir);
	free(longer);
	free(without);
	free(with);
	free(boot);
	free(text);
	free(info);
	free(path);
	free(dir);
}

int main(void)
{
	char *dir = make_path("%s/tracing", temp_dir());
	char *path = make_path("%s/tring/per_cpu/cpu0/trace_raw_compact", dir);
	char *wanted, *output, name[100];
	uint64_t address;

	if (!find_symbol(&address, name)) {
		printf("/proc/kallsyms shows no addresses\n");
		return SKIPPED;
	}
	make_tracefs(dir);
	write_hello(path, address);
	CHECK_EQ(run("$TRING peek -c 0", &output), 0);
	wanted = make_path(" %s: hello\n", name);
	wants(output, wanted);
	check_follow(address, name);
	return 0;
}
