// SPDX-License-Identifier: GPL-2.0
/*
 * Reads /proc/iomem: whether memory can be one that outlives the kernel, and if a driver has it,
 * how the driver gives it up.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "iomem.h"
#include "util/util.h"

#define SYSTEM_RAM	"System RAM"
#define TRING		"tring"

static void set_text(char **text, const char *to)
{
	free(*text);
	*text = tring_format("%s", to);
}

/**
 * tring_iomem_find - find what uses a region of memory
 * @use: result, whose texts are to be freed
 * @text: content of /proc/iomem
 * @address: where the region begins
 * @size: its bytes, at least 1
 */
void tring_iomem_find(struct tring_iomem_use *use, const char *text, uint64_t address,
		      uint64_t size)
{
	uint64_t first, last, end = address + size - 1;
	char *copy = tring_format("%s", text), *rest = copy, *line, *name;
	int at;

	*use = (struct tring_iomem_use) { .hidden = true };
	while ((line = strsep(&rest, "\n"))) {
		at = 0;
		if (sscanf(line, " %" SCNx64 "-%" SCNx64 " : %n", &first, &last, &at) < 2 || !at)
			continue;
		if (last)
			use->hidden = false;
		name = line + at;
		if (end < first || address > last || !strcmp(name, TRING))
			continue;
		/* An inner line is a part that something has. */
		if (*line == ' ') {
			if (!use->by_kernel)
				set_text(&use->driver, name);
		} else if (!use->by_kernel) {
			set_text(&use->kind, name);
			use->by_kernel = !strcmp(name, SYSTEM_RAM);
			use->whole = first <= address && last >= end;
		}
	}
	free(copy);
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static void print_driver(const char *driver)
{
	printf("driver: %s has it", driver);
	if (begins(driver, "namespace"))
		printf("; \"ndctl disable-namespace %s\"", driver);
	else if (begins(driver, "dax"))
		printf("; \"echo %s > /sys/bus/dax/drivers/device_dax/unbind\"", driver);
	else
		driver = NULL;
	printf("%s\n", driver ? " takes it away until the next boot" : "");
}

/**
 * tring_iomem_print - say what uses a region of memory
 * @address: where it begins
 * @size: its bytes, at least 1
 *
 * Return: tring can have it, as far as is known.
 */
bool tring_iomem_print(uint64_t address, uint64_t size)
{
	char *text = tring_read_text(TRING_IOMEM, NULL);
	struct tring_iomem_use use;
	bool good;

	tring_iomem_find(&use, text ? text : "", address, size);
	good = !use.hidden && !use.by_kernel && !use.driver;
	if (use.hidden)
		printf("kernel: only root can read " TRING_IOMEM "\n");
	else if (!use.kind)
		printf("kernel: in no line of " TRING_IOMEM
		       ", so there may be no memory; \"modprobe nfit\" shows an NVDIMM\n");
	else if (use.by_kernel)
		printf("kernel: " SYSTEM_RAM
		       ", which it uses itself; tring(4) tells how to keep it from that\n");
	else
		printf("kernel: %s%s\n", use.kind,
		       use.whole ? "" : ", but some of the region is not in that line");
	if (use.driver)
		print_driver(use.driver);
	free(use.driver);
	free(use.kind);
	free(text);
	return good;
}
