/* SPDX-License-Identifier: GPL-2.0 */
/* The files of the page that are the same in all pages, each with a NUL behind it. */
#ifndef TRING_PAGE_ASSETS_H
#define TRING_PAGE_ASSETS_H

extern const char tring_page_template[], tring_page_template_end[];
extern const char tring_page_style[], tring_page_style_end[];
extern const char tring_page_script[], tring_page_script_end[];

#endif /* TRING_PAGE_ASSETS_H */
