// SPDX-License-Identifier: GPL-2.0
/*
 * The functions of a program's file, and where they are in it: of 64 bits and of this machine's
 * byte order. The symbol tables say a function's address, the segments where in the file that is.
 */
#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "elf_symbol.h"
#include "util/util.h"

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define ORDER	ELFDATA2MSB
#else
#define ORDER	ELFDATA2LSB
#endif

/**
 * struct search - a function that is looked for
 * @file: the file
 * @head: its head
 * @name: the function's name; NULL if all are wanted
 * @take: called for each function then
 * @data: for @take
 * @address: its address, of the last one that was found
 * @size: its bytes
 * @count: number of addresses
 * @functions: number of all functions
 */
struct search {
	struct tring_input file;
	Elf64_Ehdr	head;
	const char	*name;
	tring_elf_fn	*take;
	void		*data;
	uint64_t	address;
	uint64_t	size;
	size_t		count;
	size_t		functions;
};

/* Copies a part of the file, whose alignment may be any. Return: false if it is not all there. */
static bool load(const struct search *search, uint64_t offset, void *to, size_t size)
{
	const struct tring_input *file = &search->file;

	if (offset > file->size || size > file->size - offset)
		return false;
	memcpy(to, (const char *)file->data + offset, size);
	return true;
}

/* Return: the name of a symbol; NULL if it is not all there. */
static const char *name_of(const struct search *search, const Elf64_Shdr *texts,
			   const Elf64_Sym *symbol)
{
	const struct tring_input *file = &search->file;
	const char *name = (const char *)file->data + texts->sh_offset + symbol->st_name;

	if (symbol->st_name >= texts->sh_size || texts->sh_offset > file->size ||
	    texts->sh_size > file->size - texts->sh_offset)
		return NULL;
	return memchr(name, 0, texts->sh_size - symbol->st_name) ? name : NULL;
}

static void look(struct search *search, const Elf64_Shdr *texts, const Elf64_Sym *symbol)
{
	const char *name = name_of(search, texts, symbol);

	if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF)
		return;
	search->functions++;
	if (!name)
		return;
	if (!search->name) {
		search->count++;
		search->take(search->data, name);
		return;
	}
	if (strcmp(name, search->name) ||
	    (search->count && search->address == symbol->st_value))
		return;
	search->address = symbol->st_value;
	search->size = symbol->st_size;
	search->count++;
}

static bool load_section(const struct search *search, uint32_t at, Elf64_Shdr *section)
{
	return at < search->head.e_shnum &&
	       load(search, search->head.e_shoff + (uint64_t)at * sizeof(*section), section,
		    sizeof(*section));
}

/* @type: SHT_SYMTAB, or SHT_DYNSYM, which a program without the former has, too */
static void look_through(struct search *search, uint32_t type)
{
	Elf64_Shdr table, texts;
	Elf64_Sym symbol;
	uint64_t at;
	uint32_t i;

	for (i = 0; i < search->head.e_shnum; i++) {
		if (!load_section(search, i, &table) || table.sh_type != type ||
		    !load_section(search, table.sh_link, &texts))
			continue;
		for (at = 0; at + sizeof(symbol) <= table.sh_size; at += sizeof(symbol)) {
			if (!load(search, table.sh_offset + at, &symbol, sizeof(symbol)))
				return;
			look(search, &texts, &symbol);
		}
	}
}

/* Return: false if no segment of the file has the address. */
static bool find_place(const struct search *search, uint64_t address, uint64_t *place)
{
	Elf64_Phdr segment;
	uint32_t i;

	for (i = 0; i < search->head.e_phnum; i++) {
		if (!load(search, search->head.e_phoff + (uint64_t)i * sizeof(segment), &segment,
			  sizeof(segment)))
			return false;
		if (segment.p_type != PT_LOAD || address < segment.p_vaddr ||
		    address - segment.p_vaddr >= segment.p_filesz)
			continue;
		*place = segment.p_offset + (address - segment.p_vaddr);
		return true;
	}
	return false;
}

static bool is_program(const struct search *search)
{
	const Elf64_Ehdr *head = &search->head;

	return !memcmp(head->e_ident, ELFMAG, SELFMAG) &&
	       head->e_ident[EI_CLASS] == ELFCLASS64 && head->e_ident[EI_DATA] == ORDER &&
	       head->e_shentsize == sizeof(Elf64_Shdr) && head->e_phentsize == sizeof(Elf64_Phdr);
}

/* Return: what is wrong, or NULL. */
static const char *find_all(struct search *search)
{
	if (!load(search, 0, &search->head, sizeof(search->head)) || !is_program(search))
		return "it is no program of 64 bits";
	look_through(search, SHT_SYMTAB);
	if (!search->count)
		look_through(search, SHT_DYNSYM);
	return search->functions ? NULL :
	       "it has no symbols of functions; name an offset in the file, such as 0x1040";
}

/* Return: what is wrong, or NULL. */
static const char *find(struct search *search, uint64_t offset, uint64_t *place)
{
	const char *wrong = find_all(search);

	if (wrong)
		return wrong;
	if (!search->count)
		return "it has no function of this name";
	if (search->count > 1)
		return "it has several functions of this name; name an offset in the file";
	if (offset && offset >= search->size)
		return "the offset is not in the function";
	return find_place(search, search->address + offset, place) ? NULL :
	       "the function is not in the file";
}

/**
 * tring_elf_function - find a function in a file
 * @path: the file
 * @name: the function, as the file has it: a name of C++ is mangled
 * @offset: bytes behind its begin
 * @place: set to the offset in the file
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_elf_function(const char *path, const char *name, uint64_t offset, uint64_t *place)
{
	struct search search = { .name = name };
	int error = tring_input_open(&search.file, path);
	const char *wrong;

	if (error)
		return error;
	wrong = find(&search, offset, place);
	tring_input_close(&search.file);
	if (wrong)
		tring_error("--uprobe %s:%s: %s", path, name, wrong);
	return wrong ? -EINVAL : 0;
}

/**
 * tring_elf_functions - list the functions of a file
 * @path: the file
 * @take: called for each of them
 * @data: for @take
 *
 * Return: 0 or a negative errno, reported on stderr.
 */
int tring_elf_functions(const char *path, tring_elf_fn *take, void *data)
{
	struct search search = { .take = take, .data = data };
	int error = tring_input_open(&search.file, path);
	const char *wrong;

	if (error)
		return error;
	wrong = find_all(&search);
	tring_input_close(&search.file);
	if (wrong)
		tring_error("%s: %s", path, wrong);
	return wrong ? -EINVAL : 0;
}
