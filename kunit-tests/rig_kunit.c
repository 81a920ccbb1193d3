// SPDX-License-Identifier: GPL-2.0
/*
 * A case that fails on request. scripts/check/check-the-check.sh uses it to see that
 * a failing case makes the check fail.
 */
#include <kunit/test.h>
#include <linux/moduleparam.h>

static bool kunit_fail;
module_param(kunit_fail, bool, 0444);
MODULE_PARM_DESC(kunit_fail, "let a KUnit case fail, to see that it is noticed");

static void case_fails_when_asked_to(struct kunit *test)
{
	KUNIT_EXPECT_FALSE(test, kunit_fail);
}

static struct kunit_case rig_cases[] = {
	KUNIT_CASE(case_fails_when_asked_to),
	{}
};

static struct kunit_suite rig_suite = {
	.name = "tring_rig",
	.test_cases = rig_cases,
};

kunit_test_suite(rig_suite);
