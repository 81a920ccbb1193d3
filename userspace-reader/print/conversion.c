// SPDX-License-Identifier: GPL-2.0
/*
 * Parser of printf conversions, from the '%' to the letter. It accepts what
 * kernel events use and libtraceevent passes to printf unchanged.
 */
#include <ctype.h>
#include <string.h>

#include "conversion.h"

#define WIDTH_MAX		64

static bool read_number(const char **at, int16_t *number)
{
	*number = 0;
	for (; isdigit((unsigned char)**at); (*at)++) {
		*number = *number * 10 + **at - '0';
		if (*number > WIDTH_MAX)
			return false;
	}
	return true;
}

static void read_length(const char **at, struct tring_conversion *conversion)
{
	for (;; (*at)++) {
		switch (**at) {
		case 'h':
			conversion->longs--;
			break;
		case 'l':
			conversion->longs++;
			break;
		case 'L':
			conversion->longs = 2;
			break;
		case 'z':
			conversion->longs = 1;
			break;
		default:
			return;
		}
	}
}

/**
 * tring_conversion_read - parse a conversion
 * @conversion: filled in
 * @text: text that begins with the '%'
 *
 * A letter after "%p" is not parsed.
 *
 * Return: false if its parts are not in C's order or it is too long.
 */
bool tring_conversion_read(struct tring_conversion *conversion,
			   const char *text)
{
	struct tring_number_form *form = &conversion->form;
	const char *at = text + 1;

	memset(conversion, 0, sizeof(*conversion));
	form->precision = -1;
	for (; *at && strchr("#0-", *at); at++) {
		form->alternate |= *at == '#';
		form->zeroes |= *at == '0';
		form->left |= *at == '-';
	}
	if (!read_number(&at, &form->width))
		return false;
	if (*at == '.') {
		at++;
		if (!read_number(&at, &form->precision))
			return false;
	}
	read_length(&at, conversion);
	conversion->letter = *at;
	conversion->size = at + 1 - text;
	form->plain = !form->alternate && !form->zeroes && !form->left &&
		      !form->width && form->precision < 0;
	return *at && conversion->size <= TRING_CONVERSION_MAX &&
	       conversion->longs >= -2 && conversion->longs <= 2;
}
