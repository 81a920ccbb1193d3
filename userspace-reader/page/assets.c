// SPDX-License-Identifier: GPL-2.0
/* Has the assembler include the page's files. The Makefile puts the scripts into one. */
#include "assets.h"

#define INCLUDE(name, file)					\
	__asm__(".pushsection .rodata\n"			\
		".globl " #name "\n.globl " #name "_end\n"	\
		#name ":\n"					\
		".incbin \"" TRING_PAGE_FILES "/" file "\"\n"	\
		#name "_end:\n"					\
		".byte 0\n"					\
		".popsection\n")

INCLUDE(tring_page_template, "page.html");
INCLUDE(tring_page_style, "page.css");
INCLUDE(tring_page_script, "page.js");
