// SPDX-License-Identifier: GPL-2.0
/* Description: Perfetto's own program finds all events, times and losses, of two machines, too. */
#include <unistd.h>

#include "top_trace.h"

#define PROGRAM	"${TRACE_PROCESSOR:-trace_processor_shell}"
/* Two machines, one of which is a second ahead. */
#define CONVERT	"sed -i 's/^clock_offset=1700/clock_offset=1701/' two/tring/trace_info && " \
		"for i in one two; do " \
		"sed -i \"s/^hostname=.*/hostname=$i/\" $i/tring/trace_info && " \
		"$TRING convert --to perfetto -o $i.pftrace $i; done 2>&1"
#define COMPARE	"python3 $TRING_TESTS/../../scripts/trace/compare-trace-processor.py $TRING "

/* Times are microseconds behind 7.5 s. */
#define AT(us)	(7500000000 + (us) * 1000ull)

static struct builder builder;

static void number(unsigned int us, uint16_t id, int32_t pid, uint32_t value)
{
	put_u32(build_record(&builder, AT(us), id, pid, TOP_NUMBER_LENGTH) + 8, value, false);
}

/* Events have flags and a preempt count, with which Perfetto must not find more of them. */
static void make(const char *dir, bool has_loss)
{
	top_make(dir, false);
	build_init(&builder, false, 1);
	builder.flags = 0x49;
	builder.preempt_count = 2;
	build_begin(&builder, AT(0));
	top_change(&builder, AT(0), 0, 0, 100);
	top_call(&builder, AT(10), AT(80), 100, 2, 0);
	top_waking(&builder, AT(90), 100, 200);
	top_interrupt(&builder, AT(100), AT(117), 100, 5, "eth0");
	number(120, TOP_SOFTIRQ_ENTRY, 100, 3);
	number(150, TOP_SOFTIRQ_EXIT, 100, 3);
	top_change(&builder, AT(200), 100, 1, 200);
	top_call(&builder, AT(210), AT(215), 200, 3, 0);
	put_u64(build_record(&builder, AT(220), 342, 200, 16) + 8, UINT64_MAX, false);
	top_change(&builder, AT(300), 200, 0x100, 300);
	top_change(&builder, AT(1000), 300, 1, 0);
	top_change(&builder, AT(2000), 0, 0, 200);
	top_change(&builder, AT(2500), 200, 1, 0);
	build_end(&builder);
	if (has_loss) {
		builder.discarded = 50;
		build_packet(&builder, AT(9000), 1);
	}
	top_write(dir, &builder, has_loss ? 17 : 16, builder.discarded, 0);
}

static void compare(const char *command, const char *count)
{
	char *output;

	if (run(command, &output) || !strstr(output, count))
		fail(output, 0, command);
}

int main(void)
{
	if (!have("python3 && command -v " PROGRAM)) {
		printf("not read: Perfetto's trace_processor_shell is not in PATH\n");
		return SKIPPED;
	}
	CHECK_EQ(chdir(temp_dir()), 0);
	make("one", false);
	make("two", true);
	compare(CONVERT, "");
	compare(COMPARE "one.pftrace one", "16 events and losses, 0 differences");
	compare(COMPARE "two.pftrace two", "18 events and losses, 0 differences");
	/* a file behind the other has all events, too, but is not aligned */
	compare("tar -cf both.tar one.pftrace two.pftrace && " COMPARE "both.tar one two",
		"34 events and losses, 0 differences");
	return 0;
}
