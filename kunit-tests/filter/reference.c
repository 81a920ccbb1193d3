// SPDX-License-Identifier: GPL-2.0
/*
 * Evaluates a filter that has no fault, for one record, by recursion over its text: without a
 * program, short cuts, a format or the tricks of the other one. Numbers have 128 bits here, so that
 * no sign is lost, and a pattern is matched by trying all that a star may stand for.
 */
#include "reference.h"

static const char *at;
static const struct filter_record *record;

static bool any_of_operands(void);

static void skip_blanks(void)
{
	while (isspace((unsigned char)*at))
		at++;
}

static bool next_is(const char *word)
{
	skip_blanks();
	if (strncmp(at, word, strlen(word)))
		return false;
	at += strlen(word);
	return true;
}

static bool star_fits(const char *pattern, const char *text)
{
	if (*pattern == '*')
		return star_fits(pattern + 1, text) || (*text && star_fits(pattern, text + 1));
	if (!*pattern)
		return !*text;
	if (*pattern == '\\')
		return pattern[1] ? pattern[1] == *text && star_fits(pattern + 2, text + 1) :
				    !*text;
	if (!*text)
		return false;
	if (*pattern == '[') {
		bool out = pattern[1] == '!', found = false;
		const char *class = pattern + 1 + out, *end = strchr(class + !!*class, ']');
		const char *c;

		if (!end)
			return *text == '[' && star_fits(pattern + 1, text + 1);
		for (c = class; c < end; c++) {
			if (c[1] == '-' && c + 2 < end) {
				found |= c[0] <= *text && *text <= c[2];
				c += 2;
			} else {
				found |= *c == *text;
			}
		}
		return found != out && star_fits(end + 1, text + 1);
	}
	return (*pattern == '?' || *pattern == *text) && star_fits(pattern + 1, text + 1);
}

/* @size: of the array that the string is in */
static bool pattern_fits(const char *pattern, const char *text, size_t size)
{
	size_t length = strlen(pattern);
	char whole[2048];

	snprintf(whole, sizeof(whole), "%.*s", (int)size, text);
	if (isdigit((unsigned char)*pattern))
		return !strcmp(pattern, whole);
	/* The one that is not what one would think: it is about the array. */
	if (*pattern == '*' && !strpbrk(pattern + 1, "*?[\\"))
		return size >= length && !memcmp(pattern + 1, text + size - length, length - 1);
	return star_fits(pattern, whole);
}

static bool string_fits(const char *text, size_t size)
{
	bool equal = next_is("=="), unequal = !equal && next_is("!="), fits, excluded = unequal;
	char pattern[256];

	if (!equal && !unequal)
		next_is("~");
	skip_blanks();
	snprintf(pattern, sizeof(pattern), "%.*s", (int)(strchr(at + 1, *at) - at - 1), at + 1);
	at = strchr(at + 1, *at) + 1;
	if (!text)
		return false;
	if (equal || unequal) {
		fits = strlen(pattern) == strnlen(text, size) &&
		       !memcmp(pattern, text, strlen(pattern));
	} else {
		excluded = *pattern == '!';
		fits = pattern_fits(pattern + excluded, text, size);
	}
	return fits != excluded;
}

/* The operators that a set has; returns 0 for equal, 1 for unequal, 2 for &. */
static int set_operator(void)
{
	if (next_is("=="))
		return 0;
	return next_is("!=") ? 1 : 1 + next_is("&");
}

static struct cpumask read_set(void)
{
	struct cpumask set;
	char list[64];

	skip_blanks();
	snprintf(list, sizeof(list), "%.*s", (int)(strchr(at, '}') - at - 5), at + 5);
	at = strchr(at, '}') + 1;
	cpulist_parse(list, &set);
	return set;
}

static bool is_set(void)
{
	const char *value = at;

	while (isspace((unsigned char)*value) || strchr("=!&<>", *value))
		value++;
	return !strncmp(value, "CPUS{", 5);
}

static bool number_is_in_set(__int128 number, bool is_cpu)
{
	int operator = set_operator();
	struct cpumask set = read_set();
	bool same = __builtin_popcountll(set.bits) == 1;
	u32 cpu = number;

	if (!is_cpu && !same && cpu >= nr_cpu_ids)
		return false;
	if (operator == 1)
		return !same || number != __builtin_ctzll(set.bits);
	if (cpu >= 64 || !(set.bits >> cpu & 1) || (same && number != cpu))
		return false;
	return operator == 2 || same;
}

static __int128 cut(__int128 value, char kind, int bytes)
{
	switch (bytes) {
	case 1:
		return kind == 's' ? (s8)value : (__int128)(u8)value;
	case 2:
		return kind == 's' ? (s16)value : (__int128)(u16)value;
	case 4:
		return kind == 's' ? (s32)value : (__int128)(u32)value;
	default:
		return kind == 's' ? (s64)value : (__int128)(u64)value;
	}
}

static bool number_fits(__int128 number, char kind, int bytes, bool is_cpu)
{
	static const char *const operators[] = { "==", "!=", "<=", "<", ">=", ">", "&" };
	bool negative;
	unsigned int i;
	__int128 value;
	char *end;

	if (is_set())
		return number_is_in_set(kind == 's' && !is_cpu ? cut(number, 'u', bytes) : number,
					is_cpu);
	for (i = 0; !next_is(operators[i]); i++)
		;
	skip_blanks();
	negative = *at == '-';
	value = strtoull(at + negative, &end, 0);
	at = end;
	value = cut(negative ? -value : value, kind, bytes);
	switch (i) {
	case 0: return number == value;
	case 1: return number != value;
	case 2: return number <= value;
	case 3: return number < value;
	case 4: return number >= value;
	case 5: return number > value;
	default: return !is_cpu && cut(number & value, kind, bytes);
	}
}

static bool set_fits(void)
{
	int operator = set_operator();
	struct cpumask set = read_set(), other;

	memcpy(&other, (const char *)record + (record->cpus & 0xffff), sizeof(other));
	if (operator == 2)
		return set.bits & other.bits;
	return (set.bits == other.bits) == !operator;
}

static bool function_fits(void)
{
	bool equal = next_is("=="), fits;
	u64 begin, size;
	char name[64];

	if (!equal)
		next_is("!=");
	skip_blanks();
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(at, " \t"), at);
	at += strlen(name);
	tring_filter_find_function(name, 0, &begin, &size);
	fits = record->ip >= begin && record->ip - begin < size;
	return fits == equal;
}

/* The fields that are numbers. */
static bool find_number(const char *word, __int128 *number, char *kind, int *bytes)
{
	const struct {
		const char	*name;
		__int128	number;
		char		kind;
		int		bytes;
	} numbers[] = {
		{ "u1", record->u1, 'u', 1 }, { "s1", record->s1, 's', 1 },
		{ "u2", record->u2, 'u', 2 }, { "s2", record->s2, 's', 2 },
		{ "u4", record->u4, 'u', 4 }, { "s4", record->s4, 's', 4 },
		{ "u8", record->u8, 'u', 8 }, { "s8", record->s8, 's', 8 },
		{ "common_pid", record->common_pid, 's', 4 },
		{ "common_flags", record->common_flags, 'u', 1 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (strcmp(word, numbers[i].name))
			continue;
		*number = numbers[i].number;
		*kind = numbers[i].kind;
		*bytes = numbers[i].bytes;
		return true;
	}
	return false;
}

/* The string at an address that may be 0. */
static bool far_string_fits(const char *text)
{
	return string_fits(text, text ? strlen(text) + 1 : 0);
}

static bool comparison_fits(void)
{
	size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyzCOMPU_0123456789.");
	const char *behind_more = (const char *)(&record->more + 1);
	__int128 number;
	char word[64], kind;
	int bytes;

	snprintf(word, sizeof(word), "%.*s", (int)length, at);
	at += length;
	if (find_number(word, &number, &kind, &bytes))
		return number_fits(number, kind, bytes, false);
	if (!strcmp(word, "CPU"))
		return number_fits(raw_smp_processor_id(), 's', 4, true);
	if (!strcmp(word, "COMM"))
		return string_fits(current->comm, 16);
	if (!strcmp(word, "name"))
		return string_fits(record->name, 16);
	if (!strcmp(word, "odd"))
		return string_fits(record->odd, 5);
	if (!strcmp(word, "text"))
		return string_fits((const char *)record + (record->text & 0xffff),
				   record->text >> 16);
	if (!strcmp(word, "more"))
		return string_fits(behind_more + (record->more & 0xffff), record->more >> 16);
	if (!strcmp(word, "at"))
		return far_string_fits((const char *)(unsigned long)record->at);
	if (!strcmp(word, "cpus"))
		return set_fits();
	if (!strcmp(word, "ip.function"))
		return function_fits();
	fprintf(stderr, "the reference does not know \"%s\"\n", word);
	abort();
}

static bool operand_fits(void)
{
	bool fits;

	if (next_is("!"))
		return !operand_fits();
	if (!next_is("("))
		return comparison_fits();
	fits = any_of_operands();
	next_is(")");
	return fits;
}

static bool all_of_operands(void)
{
	bool fits = operand_fits();

	while (next_is("&&"))
		fits = operand_fits() & fits;
	return fits;
}

static bool any_of_operands(void)
{
	bool fits = all_of_operands();

	while (next_is("||"))
		fits = all_of_operands() | fits;
	return fits;
}

/* Does a record match a filter that has no fault? */
bool reference_fits(const char *text, const struct filter_record *of)
{
	at = text;
	record = of;
	return any_of_operands();
}
