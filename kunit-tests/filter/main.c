// SPDX-License-Identifier: GPL-2.0
/*
 * filter [SEED [COUNT]] - tests the compiler of filters in user space: by the rows that KUnit has,
 * by the kernel's own table, by COUNT random filters and records beside a reference, and by damaged
 * texts.
 */
#include "probes/filter_program.h"
#include "../filter_rows.h"
#include "probes/scratch.h"
#include "random.h"
#include "reference.h"

/* A list is parsed as if there were no CPUs but these. */
#define CPUS	6

static struct task_struct task = { .comm = "filter-test" };
struct task_struct *current = &task;
unsigned int nr_cpu_ids = CPUS;
static int cpu = 1;
static unsigned int passed, failed;

/* What an address may point to. */
static char memory[4096];
static char scratch[1024];

int raw_smp_processor_id(void)
{
	return cpu;
}

void *tring_scratch_take(u32 *size)
{
	*size = sizeof(scratch);
	return scratch;
}

void tring_scratch_give(void *given)
{
}

int copy_from_kernel_nofault(void *to, const void *from, size_t size)
{
	if ((const char *)from < memory || (const char *)from + size > memory + sizeof(memory))
		return -EFAULT;
	memcpy(to, from, size);
	return 0;
}

int copy_from_user_nofault(void *to, const void *from, size_t size)
{
	return -EFAULT;
}

bool tring_filter_find_function(const char *name, u64 address, u64 *begin, u64 *size)
{
	static const struct {
		const char *name;
		u64 begin, size;
	} functions[] = {
		{ "first_function", 0xffffffff81000000ULL, 0x40 },
		{ "last_function", 0xffffffffffffffc0ULL, 0x40 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		if (name ? strcmp(name, functions[i].name) :
			   address - functions[i].begin >= functions[i].size)
			continue;
		*begin = functions[i].begin;
		*size = functions[i].size;
		return true;
	}
	return false;
}

int cpulist_parse(const char *list, struct cpumask *set)
{
	unsigned long from, to;
	char *end;

	set->bits = 0;
	for (;; list = end + 1) {
		if (!isdigit((unsigned char)*list))
			return -EINVAL;
		from = strtoul(list, &end, 10);
		to = from;
		if (*end == '-')
			to = strtoul(end + 1, &end, 10);
		if (to >= CPUS || from > to)
			return -ERANGE;
		while (from <= to)
			set->bits |= 1ULL << from++;
		if (*end != ',')
			return *end ? -EINVAL : 0;
	}
}

__attribute__((__format__(__printf__, 2, 3)))
static void report(bool ok, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	printf("%s - ", ok ? "ok" : "not ok");
	vprintf(format, arguments);
	printf("\n");
	va_end(arguments);
	passed += ok;
	failed += !ok;
}

/* Returns 1 or 0, or an error. The record and its slack are as large as they have to be. */
static int result_of(const char *text, const char *format, const void *record, size_t size)
{
	struct tring_filter_fault fault;
	struct tring_filter *filter = tring_filter_compile(text, format, &fault);
	char *copy;
	int fits;

	if (IS_ERR(filter))
		return PTR_ERR(filter);
	copy = malloc(size + TRING_FILTER_SLACK);
	memcpy(copy, record, size);
	fits = tring_filter_matches(filter, copy);
	/* The other walk does the same. */
	if (filter->only_numbers && tring_filter_numbers_match(filter, copy) != fits)
		fits = -EDOM;
	free(copy);
	tring_filter_free(filter);
	return fits;
}

static void fill(struct filter_record *record)
{
	static const struct cpumask set = { .bits = 0xa };

	strcpy(memory, FILTER_STRING);
	fill_filter_record(record, memory, 0xffffffff8100003fULL, &set, sizeof(set));
}

static void test_rows(const char *what, const struct filter_row *rows, unsigned int count)
{
	struct filter_record record;
	unsigned int i, wrong = 0;

	fill(&record);
	for (i = 0; i < count; i++) {
		int fits = result_of(rows[i].text, filter_format, &record,
				     offsetof(struct filter_record, slack));

		if (fits == rows[i].fits)
			continue;
		printf("\"%s\": %d\n", rows[i].text, fits);
		wrong++;
	}
	report(!wrong, "%u rows %s", count, what);
}

static void test_faults(void)
{
	const struct filter_fault_row *row;
	struct tring_filter_fault fault;
	unsigned int wrong = 0;

	for (row = filter_faults; row < filter_faults + ARRAY_SIZE(filter_faults); row++) {
		struct tring_filter *filter;

		filter = tring_filter_compile(row->text, filter_format, &fault);
		if (IS_ERR(filter) && PTR_ERR(filter) == row->err && fault.at == row->at &&
		    !fault.why == !row->why && (!row->why || !strcmp(fault.why, row->why)))
			continue;
		printf("\"%s\": %ld \"%s\" at %u\n", row->text,
		       IS_ERR(filter) ? PTR_ERR(filter) : 0, fault.why ?: "-", fault.at);
		if (!IS_ERR(filter))
			tring_filter_free(filter);
		wrong++;
	}
	report(!wrong, "%zu faults in ftrace's words, at their places",
	       ARRAY_SIZE(filter_faults));
}

/* These need more than one CPU. The one that runs is 1, and the set of the record has 1 and 3. */
static const struct filter_row cpu_rows[] = {
	{ "CPU == 1", true }, { "CPU != 1", false }, { "CPU & CPUS{1}", true },
	{ "CPU & CPUS{0,2}", false }, { "CPU & CPUS{0-2}", true }, { "CPU == CPUS{1}", true },
	{ "CPU == CPUS{1-2}", false }, { "CPU != CPUS{1-2}", true }, { "CPU != CPUS{1}", false },
	{ "cpus == CPUS{1,3}", true }, { "cpus != CPUS{1,3}", false }, { "cpus == CPUS{1}", false },
	{ "cpus & CPUS{3-5}", true }, { "cpus & CPUS{0,2,4}", false }, { "cpus != CPUS{0}", true },
	{ "common_flags & CPUS{0-1}", true }, { "common_flags & CPUS{0,2}", false },
	{ "common_flags == CPUS{1}", true }, { "common_flags & CPUS{1}", true },
	{ "common_flags == CPUS{0-1}", false }, { "common_flags != CPUS{0-1}", true },
	{ "u1 != CPUS{0-1}", false }, { "u1 & CPUS{0-5}", false }, { "s8 != CPUS{0-1}", false },
	{ "u8 != CPUS{1}", true }, { "bytes & CPUS{0-1}", false }, { "bytes != CPUS{0-1}", false },
	{ "cpus & CPUS{1} && CPU & CPUS{1,2}", true },
	{ "ip.function == first_function", true }, { "ip.function != first_function", false },
	{ "ip.function == last_function", false }, { "ip.function == 0xffffffff81000001", true },
	{ "ip.function != 0xfffffffffffffff1", true },
};

static const struct filter_row end_rows[] = {
	{ "at == \"\"", false }, { "at != \"\"", false }, { "!(at == \"\")", true },
	{ "text == \"\"", true }, { "text ~ \"*\"", false }, { "more ~ \"a*\"", false },
	{ "ip.function == last_function", true }, { "ip.function == first_function", false },
};

/* Addresses that are bad, strings without a byte, and a function at the end of all addresses. */
static void test_ends(void)
{
	struct filter_record record;
	unsigned int i, wrong = 0;
	static char text[256];

	fill(&record);
	record.at = 8;
	record.text = 104;
	record.more = 0;
	record.ip = U64_MAX;
	for (i = 0; i < ARRAY_SIZE(end_rows); i++)
		wrong += result_of(end_rows[i].text, filter_format, &record,
				   offsetof(struct filter_record, slack)) != end_rows[i].fits;
	/* Of a longer one ftrace takes 1023 bytes. */
	memset(memory, 'a', sizeof(memory));
	record.at = (unsigned long)memory + 1;
	wrong += result_of("at ~ \"a*a*\"", filter_format, &record, sizeof(record)) != 1;
	record.at = (unsigned long)memory + sizeof(memory) - 4;
	wrong += result_of("at ~ \"a*\"", filter_format, &record, sizeof(record)) != 0;
	snprintf(text, sizeof(text), "name == \"%0240d\"", 0);
	wrong += result_of(text, filter_format, &record, sizeof(record)) != 0;
	memset(memory, 0, sizeof(memory));
	report(!wrong, "bad addresses, empty and long strings: %u wrong", wrong);
}

struct trace_event_raw_ftrace_test_filter {
	u64	head;
	int	a, b, c, d, e, f, g, h;
};

/* test_filter_data[] */
#include "kernel_table.h"

#define FIELD(name, at)	"\tfield:int " #name ";\toffset:" #at ";\tsize:4;\tsigned:1;\n"

static const char table_format[] =
	FIELD(a, 8) FIELD(b, 12) FIELD(c, 16) FIELD(d, 20)
	FIELD(e, 24) FIELD(f, 28) FIELD(g, 32) FIELD(h, 36);

/* Whether it matches, and that it does not look at the fields that need not be looked at. */
static bool table_row_is_right(const struct test_filter_data_t *row)
{
	struct trace_event_raw_ftrace_test_filter record = row->rec;
	const char *field = row->not_visited;
	int *const fields = &record.a;
	int result = result_of(row->filter, table_format, &record, sizeof(record));

	for (; result == row->match && *field; field++) {
		fields[*field - 'a'] ^= 1;
		result = result_of(row->filter, table_format, &record, sizeof(record));
		fields[*field - 'a'] ^= 1;
	}
	return result == row->match;
}

static void test_table(void)
{
	unsigned int i, wrong = 0;

	for (i = 0; i < ARRAY_SIZE(test_filter_data); i++)
		wrong += !table_row_is_right(&test_filter_data[i]);
	report(!wrong && ARRAY_SIZE(test_filter_data) >= 25, "%zu rows of the kernel's own table",
	       ARRAY_SIZE(test_filter_data));
}

static const char *const unsigned_values[] = {
	"0", "1", "2", "5", "6", "127", "128", "129", "0x90", "200", "255", "256", "300", "32767",
	"32768", "65535", "65536", "0x7fffffff", "0x80000000", "4294967295", "4294967296",
	"0x7fffffffffffffff", "010", NULL
};

static const char *const only_unsigned[] = {
	"0", "1", "0x8000000000000000", "0xffffffffffffffff", "18446744073709551614",
	"CPUS{0}", "CPUS{5}", "CPUS{0-3}", "CPUS{1,4-5}", "CPUS{0-5}", NULL
};

static const char *const signed_values[] = {
	"0", "1", "-1", "-2", "127", "-128", "128", "-129", "200", "-200", "32767", "-32768",
	"32768",
	"2147483647", "-2147483648", "2147483648", "-9223372036854775808", "9223372036854775807",
	"CPUS{2}", "CPUS{0,2}", NULL
};

static const char *const strings[] = {
	"\"\"", "\"a\"", "\"ab\"", "'abc'", "\"a*\"", "\"*b\"", "\"*b*\"", "\"a*b\"", "\"?b\"",
	"\"[ab]*\"", "\"[!a]*\"", "\"!a*\"", "\"*a?*\"", "\"abcde\"", "\"abcde*\"", "\"**\"",
	"\"*\"", "\"[b-\"", "\"\\ab\"",
	"\"a\\\"", "\"1*\"", "\"*[c-e]\"", "\"[]a]b*\"", "\"*a*b*c*\"", "\"!\"",
	"\"[a-c][a-c]\"", NULL
};

static const char *const sets[] = {
	"CPUS{0}", "CPUS{1}", "CPUS{0-1}", "CPUS{0-5}", "CPUS{2,4}", "CPUS{3}", NULL
};

static const char *const functions[] = {
	"first_function ", "last_function ", NULL
};

static const struct filter_word words[] = {
	{ "u1", 'u', unsigned_values }, { "u2", 'u', unsigned_values },
	{ "u4", 'u', unsigned_values },
	{ "u8", 'u', unsigned_values }, { "u1", 'u', only_unsigned }, { "u8", 'u', only_unsigned },
	{ "u4", 'u', only_unsigned }, { "common_flags", 'u', unsigned_values },
	{ "s1", 's', signed_values }, { "s2", 's', signed_values }, { "s4", 's', signed_values },
	{ "s8", 's', signed_values }, { "common_pid", 's', signed_values },
	{ "CPU", 's', signed_values }, { "COMM", 't', strings }, { "name", 't', strings },
	{ "odd", 't', strings }, { "text", 't', strings }, { "more", 't', strings },
	{ "at", 't', strings }, { "cpus", 'c', sets },
};

static const struct filter_word function_words[] = {
	{ "ip.function", 'f', functions },
};

static void random_string(char *to, size_t size)
{
	static const char letters[] = "aabbcde1]\\[";
	size_t i, length = random_below(2) ? random_below(4) : random_below(size + 1);

	memset(to, 0, size);
	for (i = 0; i < length; i++)
		to[i] = letters[random_below(sizeof(letters) - 1)];
}

static void random_record(struct filter_record *record)
{
	static const struct cpumask none;
	struct cpumask set = { .bits = random_below(1 << CPUS) & random_below(1 << CPUS) };
	char long_name[16];

	fill_filter_record(record, memory, 0, &none, sizeof(none));
	record->common_pid = random_number();
	record->common_flags = random_number();
	record->u1 = random_number();
	record->s1 = random_number();
	record->u2 = random_number();
	record->s2 = random_number();
	record->u4 = random_number();
	record->s4 = random_number();
	record->u8 = random_number();
	record->s8 = random_number();
	record->ip = random_below(3) ? 0xffffffff81000000ULL + random_below(0x80) : random_number();
	random_string(record->name, sizeof(record->name));
	random_string(record->odd, sizeof(record->odd));
	random_string(record->data + 8, 11);
	record->text = (strlen(record->data + 8) + 1) << 16 | 104;
	random_string(record->data + 20, 7);
	record->more = (strlen(record->data + 20) + 1) << 16 | (116 - 76);
	memcpy((char *)record + 128, &set, sizeof(set));
	random_string(long_name, sizeof(long_name) - 1);
	memcpy(current->comm, long_name, sizeof(current->comm));
	random_string(memory, 200);
	record->at = random_below(5) ? (unsigned long)memory : 0;
	cpu = random_below(CPUS);
}

/* Filters with functions are apart, as a name ends with a blank only. */
static void test_random(u32 count)
{
	char text[FILTER_TEXT_SIZE];
	struct filter_record record;
	u32 i, fitting = 0, wrong = 0;

	for (i = 0; i < count && wrong < 10; i++) {
		bool fits;
		int result;

		if (random_below(20))
			random_filter(text, words, ARRAY_SIZE(words));
		else
			random_filter(text, function_words, ARRAY_SIZE(function_words));
		random_record(&record);
		fits = reference_fits(text, &record);
		result = result_of(text, filter_format, &record,
				   offsetof(struct filter_record, slack));
		fitting += fits;
		if (result == fits)
			continue;
		printf("\"%s\": %d\n", text, result);
		wrong++;
	}
	report(!wrong && fitting > count / 4 && fitting < count - count / 4,
	       "%u random filters and records as the reference, %u of them match", i, fitting);
}

/* A damaged text is a filter or is refused at a place in it. The sanitizers see the rest. */
static void test_damaged(u32 count)
{
	static const char letters[] = "()!&|<>=~'\"{}[]*?\\-0x1aCPUS_. \t";
	char text[FILTER_TEXT_SIZE];
	struct tring_filter_fault fault;
	struct tring_filter *filter;
	struct filter_record record;
	u32 i, refused = 0, wrong = 0;
	char *copy;

	for (i = 0; i < count; i++) {
		u32 length, changes = 1 + random_below(3);

		random_filter(text, words, ARRAY_SIZE(words));
		length = strlen(text);
		while (changes--) {
			char *at = text + random_below(length);

			if (random_below(2))
				*at = letters[random_below(sizeof(letters) - 1)];
			else
				memmove(at, at + 1, strlen(at));
			length = strlen(text);
			if (!length)
				break;
		}
		if (random_below(10) == 0 && length)
			text[random_below(length)] = '\0';
		copy = strdup(text);
		random_record(&record);
		filter = tring_filter_compile(copy, filter_format, &fault);
		if (!IS_ERR(filter)) {
			tring_filter_matches(filter, &record);
			tring_filter_free(filter);
		} else {
			refused++;
			wrong += fault.at > strlen(copy) + 2 || PTR_ERR(filter) == -ENOMEM;
		}
		free(copy);
	}
	report(!wrong && refused > count / 4, "%u damaged filters, %u of them refused", count,
	       refused);
}

int main(int argc, char **argv)
{
	u64 seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	u32 count = argc > 2 ? strtoul(argv[2], NULL, 0) : 100000;

	random_seed(seed);
	test_rows("of sizes, signs, strings and operators", filter_rows, ARRAY_SIZE(filter_rows));
	test_rows("of CPUs and functions", cpu_rows, ARRAY_SIZE(cpu_rows));
	test_faults();
	test_ends();
	test_table();
	test_random(count);
	test_damaged(count / 10);
	printf("filter: %u passed, %u failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
