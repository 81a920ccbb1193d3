// SPDX-License-Identifier: GPL-2.0
/*
 * Filters: what they let through and what is wrong with some, by the rows that the test in user
 * space has, too; and what depends on the kernel: functions, and sets of as many CPUs as there are.
 */

#include <kunit/test.h>
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/preempt.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "filter_rows.h"
#include "probes/filter_program.h"

static const char far_string[] = FILTER_STRING;

/* Returns 1 or 0, or an error. */
static int result_of(const char *text, const struct filter_record *record)
{
	struct tring_filter_fault fault;
	struct tring_filter *filter = tring_filter_compile(text, filter_format, &fault);
	int fits;

	if (IS_ERR(filter))
		return PTR_ERR(filter);
	preempt_disable();
	fits = tring_filter_matches(filter, record);
	preempt_enable();
	tring_filter_free(filter);
	return fits;
}

static struct filter_record *make_record(struct kunit *test, u64 ip)
{
	struct filter_record *record = kunit_kzalloc(test, sizeof(*record), GFP_KERNEL);
	struct cpumask *set = kunit_kzalloc(test, cpumask_size(), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, record);
	KUNIT_ASSERT_NOT_NULL(test, set);
	KUNIT_ASSERT_LE(test, 128 + cpumask_size(), offsetof(struct filter_record, slack));
	cpumask_set_cpu(0, set);
	fill_filter_record(record, far_string, ip, set, cpumask_size());
	return record;
}

static void rows_match(struct kunit *test)
{
	struct filter_record *record = make_record(test, 0);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(filter_rows); i++)
		KUNIT_EXPECT_EQ_MSG(test, result_of(filter_rows[i].text, record),
				    filter_rows[i].fits, "%s", filter_rows[i].text);
}

static void faults_are_ftraces(struct kunit *test)
{
	const struct filter_fault_row *row;
	struct tring_filter_fault fault;
	struct tring_filter *filter;

	for (row = filter_faults; row < filter_faults + ARRAY_SIZE(filter_faults); row++) {
		filter = tring_filter_compile(row->text, filter_format, &fault);
		KUNIT_ASSERT_TRUE_MSG(test, IS_ERR(filter), "%s", row->text);
		KUNIT_EXPECT_EQ_MSG(test, PTR_ERR(filter), row->err, "%s", row->text);
		KUNIT_EXPECT_EQ_MSG(test, fault.at, row->at, "%s", row->text);
		KUNIT_EXPECT_STREQ(test, fault.why ?: "", row->why ?: "");
	}
}

static void sets_of_cpus_match(struct kunit *test)
{
	struct filter_record *record = make_record(test, 0);

	KUNIT_EXPECT_EQ(test, result_of("cpus == CPUS{0}", record), 1);
	KUNIT_EXPECT_EQ(test, result_of("cpus & CPUS{0}", record), 1);
	KUNIT_EXPECT_EQ(test, result_of("cpus != CPUS{0}", record), 0);
	KUNIT_EXPECT_EQ(test, result_of("cpus == CPUS{all}", record), nr_cpu_ids == 1);
	KUNIT_EXPECT_EQ(test, result_of("CPU & CPUS{all}", record), 1);
	KUNIT_EXPECT_EQ(test, result_of("CPU & CPUS{999999}", record), -EINVAL);
}

static void functions_match(struct kunit *test)
{
	struct filter_record *record = make_record(test, (unsigned long)vfs_read + 1);
	char text[64];

	snprintf(text, sizeof(text), "ip.function == 0x%lx", (unsigned long)vfs_read);
	KUNIT_EXPECT_EQ(test, result_of(text, record), 1);
	snprintf(text, sizeof(text), "ip.function != 0x%lx", (unsigned long)vfs_read + 1);
	KUNIT_EXPECT_EQ(test, result_of(text, record), 0);
	record->ip = (unsigned long)vfs_read - 1;
	KUNIT_EXPECT_EQ(test, result_of(text, record), 1);
	if (!IS_ENABLED(CONFIG_KPROBES))
		return;
	KUNIT_EXPECT_EQ(test, result_of("ip.function == vfs_read", record), 0);
	record->ip = (unsigned long)vfs_read;
	KUNIT_EXPECT_EQ(test, result_of("ip.function == vfs_read", record), 1);
}

/* As long as a write to the file can be; memory is left to none of it. */
static void long_filters_match(struct kunit *test)
{
	struct filter_record *record = make_record(test, 0);
	char *text = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	size_t i;

	KUNIT_ASSERT_NOT_NULL(test, text);
	memset(text, '(', PAGE_SIZE - 1);
	KUNIT_EXPECT_EQ(test, result_of(text, record), -ENOENT);
	memset(text, '!', PAGE_SIZE - 1);
	memcpy(text + PAGE_SIZE - 6, "u1<9", 5);
	KUNIT_EXPECT_EQ(test, result_of(text, record), 0);
	for (i = 0; i + 6 < PAGE_SIZE; i += 6)
		memcpy(text + i, "u1<9||", 6);
	strscpy(text + i - 6, "u1>9", 7);
	KUNIT_EXPECT_EQ(test, result_of(text, record), 1);
	strscpy(text + i - 6, "u1<8", 7);
	KUNIT_EXPECT_EQ(test, result_of(text, record), 0);
}

static struct kunit_case filter_cases[] = {
	KUNIT_CASE(rows_match),
	KUNIT_CASE(faults_are_ftraces),
	KUNIT_CASE(sets_of_cpus_match),
	KUNIT_CASE(functions_match),
	KUNIT_CASE(long_filters_match),
	{ }
};

static struct kunit_suite filter_suite = {
	.name = "tring_filter",
	.test_cases = filter_cases,
};

kunit_test_suite(filter_suite);
