// SPDX-License-Identifier: GPL-2.0
/*
 * The files of programs. A trace may name any file, so one counts only if its build id is the
 * recorded one. Before that is known, no symbolic link is followed on the way to it, and nothing
 * is opened but a regular file: to open a device may do something.
 */
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "symbols.h"
#include "util/text.h"
#include "util/util.h"

static struct tring_binary *binaries;

/* Return: the file, or -1. */
static int open_regular(const char *path, uint64_t resolve)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = resolve };
	int place = syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how)), fd = -1;
	struct stat info;
	char *again;

	if (place < 0)
		return -1;
	again = tring_format("/proc/self/fd/%d", place);
	if (!fstat(place, &info) && S_ISREG(info.st_mode) && info.st_size)
		fd = open(again, O_RDONLY | O_CLOEXEC);
	free(again);
	close(place);
	return fd;
}

/* Return: @fd, or -1 if it is another file. */
static int check_build_id(int fd, const char *wanted)
{
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	const void *id = NULL;
	ssize_t size = elf ? dwelf_elf_gnu_build_id(elf, &id) : 0;
	bool same = size > 0 && strlen(wanted) == (size_t)size * 2;
	char *text;

	if (same) {
		text = tring_allocate(2 * size + 1);
		tring_text_hex(text, id, size);
		same = !strcmp(text, wanted);
		free(text);
	}
	elf_end(elf);
	if (same || fd < 0)
		return fd;
	close(fd);
	return -1;
}

/* The user's own cache, in which debuginfod's clients look. @kind: "executable" or "debuginfo" */
static int open_cached(const char *build_id, const char *kind)
{
	const char *dir = getenv("DEBUGINFOD_CACHE_PATH"), *cache = getenv("XDG_CACHE_HOME");
	const char *home = getenv("HOME");
	char *path = dir ? tring_format("%s/%s/%s", dir, build_id, kind) :
		     tring_format("%s%s/debuginfod_client/%s/%s", cache ? cache : home ? home : "",
				  cache ? "" : "/.cache", build_id, kind);
	int fd = open_regular(path, 0);

	free(path);
	return fd;
}

static int open_file(const char *build_id, const char *path)
{
	int fd = *path == '/' ? open_regular(path, RESOLVE_NO_SYMLINKS) : -1;

	fd = check_build_id(fd, build_id);
	return fd >= 0 ? fd : check_build_id(open_cached(build_id, "executable"), build_id);
}

/* Beside the file, in /usr/lib/debug, from a server of DEBUGINFOD_URLS, or from the cache alone. */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word sum, char **found)
{
	int fd = dwfl_standard_find_debuginfo(module, data, name, base, file, link, sum, found);

	return fd >= 0 ? fd : open_cached(name, "debuginfo");
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

static void load(struct tring_binary *binary)
{
	int fd = open_file(binary->build_id, binary->path);

	if (fd < 0)
		return;
	binary->dwfl = dwfl_begin(&callbacks);
	dwfl_report_begin(binary->dwfl);
	/* the module takes the file over */
	binary->module = dwfl_report_elf(binary->dwfl, binary->build_id, binary->path, fd, 0,
					 false);
	dwfl_report_end(binary->dwfl, NULL, NULL);
	if (!binary->module)
		close(fd);
}

/**
 * tring_binary_get - get a file
 * @build_id: its build id, in hexadecimal
 * @path: where the recorded machine had it
 *
 * Return: the file, whose @module is NULL if it is not here.
 */
struct tring_binary *tring_binary_get(const char *build_id, const char *path)
{
	struct tring_binary *binary;

	for (binary = binaries; binary; binary = binary->next)
		if (!strcmp(binary->build_id, build_id) && !strcmp(binary->path, path))
			return binary;
	binary = tring_allocate(sizeof(*binary));
	binary->build_id = tring_format("%s", build_id);
	binary->path = tring_format("%s", path);
	binary->next = binaries;
	binaries = binary;
	load(binary);
	return binary;
}

/**
 * tring_binary_address - get the address that libdw has for a place in a file
 * @binary: the file
 * @offset: the place
 * @address: set to the address
 *
 * Return: false if no segment has the place, or the file is not here.
 */
bool tring_binary_address(const struct tring_binary *binary, uint64_t offset, Dwarf_Addr *address)
{
	GElf_Addr bias;
	Elf *elf = binary->module ? dwfl_module_getelf(binary->module, &bias) : NULL;
	size_t count, i;
	GElf_Phdr segment;

	if (!elf || elf_getphdrnum(elf, &count))
		return false;
	for (i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, i, &segment) || segment.p_type != PT_LOAD ||
		    !(segment.p_flags & PF_X) || offset < segment.p_offset ||
		    offset - segment.p_offset >= segment.p_filesz)
			continue;
		*address = offset - segment.p_offset + segment.p_vaddr + bias;
		return true;
	}
	return false;
}
