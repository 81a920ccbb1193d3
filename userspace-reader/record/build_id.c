// SPDX-License-Identifier: GPL-2.0
/* The build id of a program's file, which ld puts into a note: see elf(5). */
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "build_id.h"
#include "util/text.h"

/* No linker makes more. */
#define SEGMENTS_MOST	64
#define NOTES_MOST	4096

/* @notes: aligned to 4 bytes, as are a note's parts */
static size_t find(const uint8_t *notes, size_t size, const uint8_t **id)
{
	const Elf64_Nhdr *note;
	size_t at = 0, name, whole;

	while (size - at > sizeof(*note)) {
		note = (const void *)(notes + at);
		name = ((size_t)note->n_namesz + 3) & ~3ull;
		whole = sizeof(*note) + name + (((size_t)note->n_descsz + 3) & ~3ull);
		if (whole > size - at)
			break;
		*id = notes + at + sizeof(*note) + name;
		if (note->n_type == NT_GNU_BUILD_ID && name == 4 && !memcmp(note + 1, "GNU", 4))
			return note->n_descsz;
		at += whole;
	}
	return 0;
}

static size_t read_id(int fd, uint8_t *notes, const uint8_t **id)
{
	Elf64_Phdr segments[SEGMENTS_MOST];
	Elf64_Ehdr head;
	size_t size = 0, i;
	ssize_t bytes;

	if (pread(fd, &head, sizeof(head), 0) != sizeof(head) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) || head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_phnum > SEGMENTS_MOST)
		return 0;
	bytes = pread(fd, segments, head.e_phnum * sizeof(*segments), head.e_phoff);
	if (bytes != (ssize_t)(head.e_phnum * sizeof(*segments)))
		return 0;
	for (i = 0; i < head.e_phnum && !size; i++) {
		if (segments[i].p_type != PT_NOTE || segments[i].p_filesz > NOTES_MOST)
			continue;
		bytes = pread(fd, notes, segments[i].p_filesz, segments[i].p_offset);
		size = bytes > 0 ? find(notes, bytes, id) : 0;
	}
	return size;
}

/**
 * tring_build_id - get the build id of a file
 * @path: the file
 * @text: set to it, in hexadecimal, or to "-" without one
 */
void tring_build_id(const char *path, char text[TRING_BUILD_ID_TEXT])
{
	uint32_t notes[NOTES_MOST / sizeof(uint32_t)];
	const uint8_t *id = NULL;
	struct stat info;
	int fd = -1;
	size_t size = 0;

	/* to open a device may do something */
	if (!stat(path, &info) && S_ISREG(info.st_mode))
		fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd >= 0) {
		size = read_id(fd, (uint8_t *)notes, &id);
		close(fd);
	}
	tring_build_id_text(id, size, text);
}

/**
 * tring_build_id_text - make the text of a build id
 * @id: its bytes
 * @size: number of bytes
 * @text: set to it, or to "-" without one
 */
void tring_build_id_text(const uint8_t *id, size_t size, char text[TRING_BUILD_ID_TEXT])
{
	if (size && size <= TRING_BUILD_ID_MOST)
		tring_text_hex(text, id, size);
	else
		strcpy(text, "-");
}
