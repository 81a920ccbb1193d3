// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of programs: what the recorder knew of the memory of each process leads from an
 * address to a place in a file, and tring-symbols names the functions there.
 */
#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "maps.h"
#include "names.h"
#include "programs.h"
#include "util/util.h"

/*
 * A trace may be recorded meanwhile: when what it has is read again for an unknown address, and how
 * much longer that waits than the last time took.
 */
#define AGAIN_NS	1000000000ull
#define AGAIN_TIMES	16

/* Addresses of a full stack, whose outermost caller is not missing for lack of frame pointers. */
#define FULL		8

/**
 * struct lacking - files for which functions are missing
 * @files: the files
 * @files.name: its name
 * @files.times: how often that was
 * @count: number of @files
 */
struct lacking {
	struct {
		const char	*name;
		uint64_t	times;
	}		*files;
	size_t		count;
};

/**
 * struct tring_programs - the programs of a trace
 * @trace: the trace
 * @maps: what is known of their memory
 * @is_known: the trace has that
 * @again_ns: when it is read again; 0 before the first time
 * @helper: what names functions
 * @places: what was asked for, a tree of tsearch()
 * @stacks: number of stacks
 * @blind: files without frame pointers, with the stacks that lack a function for that
 * @missing: files that are not on this machine, with their places
 */
struct tring_programs {
	struct tring_trace *trace;
	struct tring_maps maps;
	bool		is_known;
	uint64_t	again_ns;
	struct tring_names_helper helper;
	void		*places;
	uint64_t	stacks;
	struct lacking	blind;
	struct lacking	missing;
};

/**
 * tring_programs_begin - prepare for the programs of a trace
 * @trace: the trace, which must outlive them
 *
 * Nothing is read before the first stack.
 *
 * Return: the programs, for tring_programs_end().
 */
struct tring_programs *tring_programs_begin(struct tring_trace *trace)
{
	struct tring_programs *programs = tring_allocate(sizeof(*programs));

	programs->trace = trace;
	return programs;
}

static void complain(const struct tring_item *item, const char *what, size_t line)
{
	char *text = line ? tring_format("%s, line %zu", what, line) : tring_format("%s", what);

	tring_complain(item, text);
	free(text);
}

static void load(struct tring_programs *programs, const struct tring_item *item)
{
	struct tring_maps *maps = &programs->maps;
	const uint64_t lost = maps->lost, begin = tring_now_ns();
	const size_t bad = maps->bad;
	size_t size;
	char *text = tring_file(programs->trace, "maps", &size);

	if (!text && errno != ENOENT)
		complain(item, "the file \"maps\" cannot be read", 0);
	if (text) {
		programs->is_known = true;
		tring_maps_free(maps);
		tring_maps_take(maps, text);
	}
	programs->again_ns = tring_now_ns();
	programs->again_ns += AGAIN_NS + AGAIN_TIMES * (programs->again_ns - begin);
	if (maps->bad && !bad)
		complain(item, "the file \"maps\" of the memory of programs is damaged",
			 maps->bad);
	if (maps->lost > lost)
		tring_note("%" PRIu64 " changes of programs' memory were lost; %s", maps->lost,
			   "functions may be missing, or wrong");
}

static int compare(const void *a, const void *b)
{
	const struct tring_place *one = a, *other = b;
	int order;

	if (one->offset != other->offset)
		return one->offset < other->offset ? -1 : 1;
	if (one->returned != other->returned)
		return one->returned - other->returned;
	order = strcmp(one->build_id, other->build_id);
	return order ? order : strcmp(one->file, other->file);
}

/* Of an answer: "iNAME", or "fOFFSET NAME", or "nOFFSET NAME", or "m". */
static void take_name(void *data, const char *text)
{
	struct tring_place *place = data;
	char *end = (char *)text + 1;

	if (*text == 'm') {
		place->is_missing = true;
		return;
	}
	if (*text != 'i') {
		place->behind = strtoull(text + 1, &end, 16);
		place->is_blind = *text == 'n';
		end += *end == ' ';
	}
	place->functions = tring_one_more(place->functions, place->count, sizeof(end));
	place->functions[place->count++] = tring_format("%s", end);
}

static void count_lack(struct lacking *lacking, const char *file)
{
	size_t i;

	for (i = 0; i < lacking->count; i++)
		if (!strcmp(lacking->files[i].name, file))
			break;
	if (i == lacking->count) {
		lacking->files = tring_one_more(lacking->files, i, sizeof(*lacking->files));
		lacking->files[i].name = file;
		lacking->files[i].times = 0;
		lacking->count++;
	}
	lacking->files[i].times++;
}

static const struct tring_place *name_place(struct tring_programs *programs,
					    const struct tring_item *item,
					    const struct tring_mapped *file, uint64_t offset,
					    bool returned)
{
	struct tring_place wanted = {
		.file = (char *)file->path, .build_id = (char *)file->build_id,
		.offset = offset, .returned = returned,
	};
	struct tring_place **found = tfind(&wanted, &programs->places, compare), *place;
	const char *wrong;

	if (found)
		return *found;
	place = tring_allocate(sizeof(*place));
	*place = wanted;
	place->file = tring_format("%s", file->path);
	place->build_id = tring_format("%s", file->build_id);
	if (!tsearch(place, &programs->places, compare))
		abort();
	wrong = tring_names_ask(&programs->helper, file, offset, returned, take_name, place);
	if (wrong) {
		char *text = tring_format("%s at %s+0x%" PRIx64, wrong, file->path, offset);

		complain(item, text, 0);
		free(text);
	}
	/* what is no file, such as [vdso], is on no machine */
	if (place->is_missing && *place->file == '/')
		count_lack(&programs->missing, place->file);
	return place;
}

static const struct tring_place *find(struct tring_programs *programs,
				      const struct tring_item *item, int32_t pid,
				      uint64_t address, bool returned)
{
	const uint64_t stamp = item->record->stamp;
	const struct tring_mapped *file;
	uint64_t offset;

	file = tring_maps_find(&programs->maps, pid, stamp, address, &offset);
	if (!file && tring_now_ns() > programs->again_ns) {
		load(programs, item);
		file = tring_maps_find(&programs->maps, pid, stamp, address, &offset);
	}
	return file ? name_place(programs, item, file, offset, returned) : NULL;
}

static bool is_outermost(const struct tring_place *place)
{
	static const char * const names[] = {
		"_start", "__libc_start_main", "__libc_start_call_main", "start_thread", "clone",
		"clone3", "__clone", "__clone3",
	};
	size_t i;

	for (i = 0; place->count && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(place->functions[place->count - 1], names[i]))
			return true;
	return false;
}

/**
 * tring_programs_stack - name the functions of a program's stack
 * @programs: the programs
 * @item: the event with the stack, or with the address
 * @addresses: the addresses, the innermost one first
 * @count: number of @addresses
 * @take: called for each of them
 * @data: for @take
 *
 * Return: false, without a call, if the trace has nothing of the memory of programs.
 */
bool tring_programs_stack(struct tring_programs *programs, const struct tring_item *item,
			  const uint64_t *addresses, size_t count, tring_programs_fn *take,
			  void *data)
{
	const struct tring_field *process = tring_find_field(item->event, "tgid");
	const int32_t pid = process ? tring_number(item, process) : item->record->pid;
	const char *blind = NULL;
	size_t i;

	if (!programs->again_ns)
		load(programs, item);
	if (!programs->is_known)
		return false;
	for (i = 0; i < count; i++) {
		const struct tring_place *place = find(programs, item, pid, addresses[i], i);
		const bool is_last = i && i + 1 == count;

		if (place && place->is_blind && !blind && process &&
		    !(is_last && (count == FULL || is_outermost(place))))
			blind = place->file;
		take(data, addresses[i], place);
	}
	programs->stacks += !!process;
	if (blind)
		count_lack(&programs->blind, blind);
	return true;
}

/* Sets @all to how often functions were missing. Return: the file for which that was most often. */
static size_t find_most(const struct lacking *lacking, uint64_t *all)
{
	size_t most = 0, i;

	*all = 0;
	for (i = 0; i < lacking->count; i++) {
		*all += lacking->files[i].times;
		if (lacking->files[i].times > lacking->files[most].times)
			most = i;
	}
	return most;
}

static void tell_lacking(const struct tring_programs *programs)
{
	const struct lacking *blind = &programs->blind, *missing = &programs->missing;
	uint64_t all;
	size_t most = find_most(blind, &all);

	if (all)
		tring_note("%" PRIu64 " of %" PRIu64 " stacks of programs lack functions: %s (%s: %"
			   PRIu64 "); built with -fno-omit-frame-pointer it does", all,
			   programs->stacks, "code without frame pointers does not tell its caller",
			   blind->files[most].name, blind->files[most].times);
	most = find_most(missing, &all);
	if (all)
		tring_note("%" PRIu64 " places in programs have no function: %s (%s: %" PRIu64 ")",
			   all, "their files are not here with the same build id",
			   missing->files[most].name, missing->files[most].times);
}

static void free_place(void *node)
{
	struct tring_place *place = node;

	while (place->count)
		free(place->functions[--place->count]);
	free(place->functions);
	free(place->build_id);
	free(place->file);
	free(place);
}

/**
 * tring_programs_end - tell what was missing, and free everything
 * @programs: from tring_programs_begin()
 */
void tring_programs_end(struct tring_programs *programs)
{
	tell_lacking(programs);
	tring_names_end(&programs->helper);
	tring_maps_free(&programs->maps);
	tdestroy(programs->places, free_place);
	free(programs->blind.files);
	free(programs->missing.files);
	free(programs);
}
