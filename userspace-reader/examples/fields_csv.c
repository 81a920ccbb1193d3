// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Prints every field of one event as CSV.
 *
 *	cc -o fields_csv fields_csv.c $(pkg-config --cflags --libs libtring)
 *	./fields_csv trace-directory sched:sched_switch
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <tring.h>

/* Texts may have anything in them: what is no plain character becomes a question mark. */
static void print_field(const struct tring_item *item, const struct tring_field *field)
{
	const unsigned char *data;
	size_t size, i;

	if (field->kind == TRING_FIELD_NUMBER) {
		printf(field->is_signed ? ",%" PRId64 : ",%" PRIu64, tring_number(item, field));
		return;
	}
	data = tring_data(item, field, &size);
	printf(",\"");
	for (i = 0; i < size; i++)
		if (field->kind == TRING_FIELD_ARRAY)
			printf("%02x", data[i]);
		else
			putchar(isprint(data[i]) && data[i] != '"' ? data[i] : '?');
	putchar('"');
}

int main(int argc, char **argv)
{
	struct tring_wanted wanted = { .size = sizeof(wanted) };
	const struct tring_event *head = NULL;
	struct tring_trace *trace;
	struct tring_item item;
	size_t i;

	if (argc != 3)
		return 2;
	wanted.events = argv[2];
	if (tring_open(&trace, argv[1], NULL) || tring_select(trace, &wanted)) {
		fprintf(stderr, "%s\n", tring_status_text(trace));
		tring_close(trace);
		return 1;
	}
	while (tring_next(trace, &item) > 0) {
		if (item.kind == TRING_ITEM_LOSS || item.wrong)
			continue;
		for (i = 0; !head && i < item.event->field_count; i++)
			printf("%s%s", i ? "," : "ns,cpu,pid,", item.event->fields[i].name);
		if (!head)
			putchar('\n');
		head = item.event;
		printf("%" PRIu64 ",%d,%" PRId32, tring_ns(trace, item.record->stamp), item.cpu,
		       item.record->pid);
		for (i = 0; i < item.event->field_count; i++)
			print_field(&item, &item.event->fields[i]);
		putchar('\n');
	}
	i = tring_problems(trace);
	tring_close(trace);
	return i != 0;
}
