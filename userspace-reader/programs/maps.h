/* SPDX-License-Identifier: GPL-2.0 */
/* What the memory of programs had, by process and time. */
#ifndef TRING_PROGRAMS_MAPS_H
#define TRING_PROGRAMS_MAPS_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct tring_mapped - a file that programs had in their memory
 * @build_id: its build id, in hexadecimal; "-" for none
 * @path: its name on that machine
 */
struct tring_mapped {
	const char	*build_id;
	const char	*path;
};

struct tring_change;

/**
 * struct tring_maps - what is known of the memory of programs
 * @text: the file of the trace, in which the names are
 * @files: the files
 * @file_count: number of @files
 * @changes: what has changed, by process and time
 * @count: number of @changes
 * @lost: number of changes that the recorder has lost
 * @bad: number of the first line that is not understood; 0 for none
 */
struct tring_maps {
	char		*text;
	struct tring_mapped *files;
	size_t		file_count;
	struct tring_change *changes;
	size_t		count;
	uint64_t	lost;
	size_t		bad;
};

void tring_maps_take(struct tring_maps *maps, char *text);
const struct tring_mapped *tring_maps_find(const struct tring_maps *maps, int32_t pid,
					   uint64_t stamp, uint64_t address, uint64_t *place);
void tring_maps_free(struct tring_maps *maps);

#endif /* TRING_PROGRAMS_MAPS_H */
