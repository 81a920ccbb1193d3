// SPDX-License-Identifier: GPL-2.0
/*
 * The functions at an address: the one that the symbols name, and those that the compiler has put
 * inside it, as DWARF tells.
 */
#include <dwarf.h>
#include <inttypes.h>
#include <libiberty/demangle.h>
#include <stdio.h>
#include <stdlib.h>

#include "symbols.h"

/* Functions and blocks inside each other, and bytes of a name: a file may have any number. */
#define INSIDE_MOST	64
#define DEPTH_MOST	512
#define NAME_MOST	1000

/* DWARF's number of the frame pointer of x86-64. */
#define FRAME_POINTER	6

static void put_name(const char *before, const char *name)
{
	char *plain = cplus_demangle(name, DMGL_AUTO | DMGL_PARAMS | DMGL_ANSI);

	printf("%s%.*s", before, NAME_MOST, plain ? plain : name);
	putchar(0);
	free(plain);
}

static const char *name_of(Dwarf_Die *die)
{
	static const unsigned int linkage[] = { DW_AT_linkage_name, DW_AT_MIPS_linkage_name };
	Dwarf_Attribute attribute;
	const char *name = NULL;
	size_t i;

	for (i = 0; i < 2 && !name; i++)
		name = dwarf_formstring(dwarf_attr_integrate(die, linkage[i], &attribute));
	return name ? name : dwarf_diename(die);
}

/* LLVM's compilers write no index of addresses, so the ranges of all units are looked at. */
static Dwarf_Die *find_unit(const struct tring_binary *binary, Dwarf_Addr address,
			    Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dwfl_module_addrdie(binary->module, address, bias);

	if (unit)
		return unit;
	while ((unit = dwfl_module_nextcu(binary->module, unit, bias)))
		if (dwarf_haspc(unit, address - *bias) > 0)
			break;
	return unit;
}

/**
 * struct functions - functions at an address, each of which is in the one before
 * @list: the functions
 * @count: number of @list
 */
struct functions {
	Dwarf_Die	list[INSIDE_MOST];
	size_t		count;
};

static bool is_around_code(int tag)
{
	return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_lexical_block;
}

static bool is_around_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_class_type ||
	       tag == DW_TAG_structure_type;
}

/*
 * Not dwarf_getscopes(), which enters no namespace, in which Rust has its functions. Return: true
 * if something in @die has the address.
 */
static bool descend(Dwarf_Die *die, Dwarf_Addr address, struct functions *functions,
		    unsigned int depth)
{
	Dwarf_Die child;
	int end = depth < DEPTH_MOST ? dwarf_child(die, &child) : 1, tag;

	for (; !end; end = dwarf_siblingof(&child, &child)) {
		tag = dwarf_tag(&child);
		if (is_around_functions(tag) && descend(&child, address, functions, depth + 1))
			return true;
		if (!is_around_code(tag) || dwarf_haspc(&child, address) <= 0)
			continue;
		if (tag != DW_TAG_lexical_block && functions->count < INSIDE_MOST)
			functions->list[functions->count++] = child;
		descend(&child, address, functions, depth + 1);
		return true;
	}
	return false;
}

/* Prints what was put inside. Return: name of the function around it, or NULL. */
static const char *answer_inside(const struct tring_binary *binary, Dwarf_Addr address)
{
	struct functions functions = { .count = 0 };
	Dwarf_Addr bias;
	Dwarf_Die *unit = find_unit(binary, address, &bias);
	const char *name;
	size_t i;

	if (unit)
		descend(unit, address - bias, &functions, 0);
	for (i = functions.count; i-- > 1;) {
		name = name_of(&functions.list[i]);
		put_name("i", name ? name : "?");
	}
	return functions.count ? name_of(&functions.list[0]) : NULL;
}

/* Is the frame of the caller found by the frame pointer? What is unknown is taken for it. */
static bool has_frame_pointer(const struct tring_binary *binary, Dwarf_Addr address)
{
	Dwarf_Addr bias;
	Dwarf_CFI *rules = dwfl_module_eh_cfi(binary->module, &bias);
	Dwarf_Frame *frame = NULL;
	bool has = true;
	Dwarf_Op *ops;
	size_t count;
	GElf_Ehdr head;
	GElf_Addr elf_bias;

	if (!gelf_getehdr(dwfl_module_getelf(binary->module, &elf_bias), &head) ||
	    head.e_machine != EM_X86_64 || !rules ||
	    dwarf_cfi_addrframe(rules, address - bias, &frame))
		return true;
	if (!dwarf_frame_cfa(frame, &ops, &count) && count == 1)
		has = ops->atom == DW_OP_breg0 + FRAME_POINTER ||
		      (ops->atom == DW_OP_bregx && ops->number == FRAME_POINTER);
	free(frame);
	return has;
}

/**
 * tring_function_answer - print the functions at an address, the innermost one first
 * @binary: the file
 * @address: the address
 * @returned: it is the one behind a call, whose function is wanted
 *
 * Texts with a NUL behind each: "iNAME" for a function inside another one; then "fOFFSET NAME", or
 * "nOFFSET NAME" if its code has no frame pointer there. Nothing if no symbol has the address.
 */
void tring_function_answer(const struct tring_binary *binary, Dwarf_Addr address, bool returned)
{
	const Dwarf_Addr at = address - returned;
	const char *around, *name;
	char before[32];
	GElf_Off offset;
	GElf_Sym symbol;

	name = dwfl_module_addrinfo(binary->module, at, &offset, &symbol, NULL, NULL, NULL);
	around = answer_inside(binary, at);
	if (!name) {
		name = around;
		offset = 0;
	} else {
		offset += returned;
	}
	if (!name)
		return;
	snprintf(before, sizeof(before), "%c%" PRIx64 " ",
		 has_frame_pointer(binary, at) ? 'f' : 'n', (uint64_t)offset);
	put_name(before, name);
}
