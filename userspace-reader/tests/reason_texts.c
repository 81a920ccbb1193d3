// SPDX-License-Identifier: GPL-2.0
/* Description: every reason has a text of its own. */
#include "helpers.h"

int main(void)
{
	int i, j;

	for (i = 0; i < TRING_REASONS; i++) {
		CHECK(tring_reason_text(i));
		for (j = 0; j < i; j++)
			CHECK(strcmp(tring_reason_text(i),
				     tring_reason_text(j)));
	}
	CHECK(tring_reason_text(TRING_REASONS));
	CHECK(tring_reason_text(-1));
	return 0;
}
