// SPDX-License-Identifier: GPL-2.0
/* Description: trace_info is accepted as a whole or not at all. */
#include "helpers.h"
#include "trace/trace_info.h"

#define VERSION		"format_version=4\n"
#define UUID		"uuid=00010203-0405-0607-0809-0a0b0c0d0e0f\n"
#define ORDER		"byte_order=be\n"
#define CLOCK		"clock=tsc\n"
#define FREQUENCY	"clock_frequency=2000000000\n"
#define OFFSET		"clock_offset=-5\n"

int main(void)
{
	static const char * const bad[] = {
		"",
		"format_version=3\n" UUID ORDER CLOCK FREQUENCY OFFSET,
		"format_version=5\n" UUID ORDER CLOCK FREQUENCY OFFSET,
		UUID ORDER CLOCK FREQUENCY OFFSET,
		VERSION ORDER CLOCK FREQUENCY OFFSET,
		VERSION UUID CLOCK FREQUENCY OFFSET,
		VERSION UUID ORDER FREQUENCY OFFSET,
		VERSION UUID ORDER CLOCK OFFSET,
		VERSION UUID ORDER CLOCK FREQUENCY,
		VERSION "uuid=0001\n" ORDER CLOCK FREQUENCY OFFSET,
		VERSION UUID "byte_order=middle\n" CLOCK FREQUENCY OFFSET,
		VERSION UUID ORDER "clock=a b\n" FREQUENCY OFFSET,
		VERSION UUID ORDER CLOCK "clock_frequency=0\n" OFFSET,
		/* the metadata divides a signed number by it */
		VERSION UUID ORDER CLOCK "clock_frequency=18446744073709551615\n" OFFSET,
		VERSION UUID ORDER CLOCK FREQUENCY "clock_offset=x\n",
		VERSION UUID ORDER CLOCK FREQUENCY OFFSET "no value\n",
	};
	struct tring_trace_info info;
	size_t i;

	CHECK_EQ(tring_trace_info_parse(&info, "later=1\n" VERSION UUID ORDER
					CLOCK FREQUENCY OFFSET "more=x=y\n",
					"test"), 0);
	for (i = 0; i < TRING_UUID_SIZE; i++)
		CHECK_EQ(info.uuid[i], i);
	CHECK_EQ(info.format_version, 4);
	CHECK(info.big_endian);
	CHECK(!strcmp(info.clock, "tsc"));
	CHECK_EQ(info.clock_frequency, 2000000000);
	CHECK_EQ(info.clock_offset, -5);
	for (i = 0; i < COUNT(bad); i++)
		CHECK(tring_trace_info_parse(&info, bad[i], "test"));
	return 0;
}
