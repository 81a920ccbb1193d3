// SPDX-License-Identifier: GPL-2.0
/*
 * Print plans as JSON: what print/plan_run.c does with a payload, the page does with the values of
 * fields. A plan that needs anything else is not written.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "export/json.h"
#include "page.h"
#include "print/plan.h"

/* Flags of a number's form. */
enum { SIGNED = 1, UPPER = 2, ALTERNATE = 4, LEFT = 8, ZEROES = 16 };

/* A field, or an element of an array, that has a place in the payload. */
struct place {
	size_t	field;
	bool	is_element;
	size_t	element;
};

static bool find_place(const struct tring_event *event, uint32_t offset, unsigned int size,
		       struct place *place)
{
	size_t i;

	for (i = 0; i < event->field_count; i++) {
		const struct tring_field *field = &event->fields[i];
		uint32_t into = offset - field->offset;

		if (field->place != TRING_PLACE_FIXED || field->kind == TRING_FIELD_TEXT ||
		    offset < field->offset || into >= field->size || field->element != size ||
		    into % size)
			continue;
		*place = (struct place) {
			.field = i, .is_element = field->kind == TRING_FIELD_ARRAY,
			.element = into / size,
		};
		return true;
	}
	return false;
}

static void add_text(struct tring_line *line, const char *text, size_t size)
{
	tring_line_char(line, ',');
	tring_json_text(line, text, size);
}

/* The number of a field, which cannot become the name of a function then. */
static bool add_field(struct tring_line *line, struct tring_page_kind *kind, uint32_t offset,
		      unsigned int size)
{
	struct place place;

	if (!find_place(kind->event, offset, size, &place))
		return false;
	if (place.field < 64)
		kind->numbers |= UINT64_C(1) << place.field;
	if (place.is_element)
		tring_line_put(line, "[\"a\",%zu,%zu]", place.field, place.element);
	else
		tring_line_put(line, "[\"f\",%zu]", place.field);
	return true;
}

/* Numbers of 64 bits are texts: those of JavaScript have 53. */
static bool add_step(struct tring_line *line, struct tring_page_kind *kind,
		     const struct tring_step *step)
{
	static const char names[] = {
		[TRING_STEP_VALUE] = 'v', [TRING_STEP_MASK] = 'm', [TRING_STEP_NOT] = '!',
		[TRING_STEP_COMPLEMENT] = '~', [TRING_STEP_SELECT] = '?',
	};

	if (step->kind == TRING_STEP_FIELD)
		return add_field(line, kind, step->offset, step->size);
	if (step->kind == TRING_STEP_DYNAMIC_LENGTH)
		return false;
	if (step->kind == TRING_STEP_VALUE || step->kind == TRING_STEP_MASK)
		tring_line_put(line, "[\"%c\",\"%" PRIu64 "\"]", names[step->kind], step->value);
	else if (step->kind <= TRING_STEP_SELECT)
		tring_line_put(line, "[\"%c\"]", names[step->kind]);
	else
		tring_line_put(line, "[\"%s\"]",
			       (const char []){ step->kind & 0xff, step->kind >> 8, 0 });
	return true;
}

/* The number that an operation prints. */
static bool add_value(struct tring_line *line, struct tring_page_kind *kind,
		      const struct tring_plan_op *op)
{
	unsigned int i;

	tring_line_char(line, ',');
	if (op->number_size)
		return add_field(line, kind, op->offset, op->number_size);
	tring_line_put(line, "[\"x\",[");
	for (i = 0; i < op->expression.count; i++) {
		if (i)
			tring_line_char(line, ',');
		if (!add_step(line, kind, &op->expression.steps[i]))
			return false;
	}
	tring_line_put(line, "]]");
	return true;
}

static bool add_string(struct tring_line *line, const struct tring_event *event,
		       const struct tring_plan_op *op)
{
	size_t i = 0;

	while (i < event->field_count && (event->fields[i].offset != op->offset ||
					  event->fields[i].kind != TRING_FIELD_TEXT))
		i++;
	tring_line_put(line, "[\"s\",%zu,%d,%d,%d", i, (int)op->width, (int)op->precision,
		       op->left);
	return i < event->field_count;
}

static bool add_format(struct tring_line *line, struct tring_page_kind *kind,
		       const struct tring_plan_op *op)
{
	const struct tring_number_form *form = &op->form;

	tring_line_put(line, "[\"n\"");
	if (!add_value(line, kind, op))
		return false;
	tring_line_put(line, ",%u,%u,%d,%d,%d", op->bits, form->base,
		       (form->is_signed ? SIGNED : 0) | (form->upper ? UPPER : 0) |
		       (form->alternate ? ALTERNATE : 0) | (form->left ? LEFT : 0) |
		       (form->zeroes ? ZEROES : 0), (int)form->width, (int)form->precision);
	return true;
}

static bool add_names(struct tring_line *line, struct tring_page_kind *kind,
		      const struct tring_plan_op *op)
{
	bool flags = op->kind == TRING_PLAN_FLAGS;
	size_t i;

	tring_line_put(line, flags ? "[\"F\"" : "[\"S\"");
	if (!add_value(line, kind, op))
		return false;
	if (flags)
		add_text(line, op->text, op->text_size);
	tring_line_put(line, ",[");
	for (i = 0; i < op->name_count; i++) {
		tring_line_put(line, "%s[\"%" PRId64 "\"", i ? "," : "",
			       (int64_t)op->names[i].value);
		add_text(line, op->names[i].text, op->names[i].size);
		tring_line_char(line, ']');
	}
	tring_line_char(line, ']');
	return true;
}

static bool add_state(struct tring_line *line, struct tring_page_kind *kind,
		      const struct tring_plan_op *op)
{
	char letters[64];
	size_t i;

	tring_line_put(line, "[\"T\"");
	if (op->text_size > sizeof(letters) || !add_value(line, kind, op))
		return false;
	for (i = 0; i < op->text_size; i++)
		letters[i] = op->text[i] ? op->text[i] : ' ';
	add_text(line, letters, op->text_size);
	return true;
}

/* The field becomes a text, so the page needs no symbols. */
static bool add_function(struct tring_line *line, struct tring_page_kind *kind,
			 const struct tring_plan_op *op)
{
	struct place place;

	if (!op->number_size ||
	    !find_place(kind->event, op->offset, op->number_size, &place) ||
	    place.is_element || place.field >= 64 || kind->functions >> place.field & 1)
		return false;
	kind->functions |= UINT64_C(1) << place.field;
	kind->exact |= (uint64_t)op->exact << place.field;
	tring_line_put(line, "[\"s\",%zu,0,-1,0", place.field);
	return true;
}

static bool add_op(struct tring_line *line, struct tring_page_kind *kind,
		   const struct tring_plan_op *op)
{
	switch (op->kind) {
	case TRING_PLAN_TEXT:
		tring_line_put(line, "[\"t\"");
		add_text(line, op->text, op->text_size);
		break;
	case TRING_PLAN_NUMBER:
		return add_format(line, kind, op);
	case TRING_PLAN_POINTER:
		tring_line_put(line, "[\"p\"");
		return add_value(line, kind, op);
	case TRING_PLAN_FUNCTION:
		return add_function(line, kind, op);
	case TRING_PLAN_ARRAY_STRING:
	case TRING_PLAN_DYNAMIC_STRING:
		return add_string(line, kind->event, op);
	case TRING_PLAN_FLAGS:
	case TRING_PLAN_SYMBOL:
		return add_names(line, kind, op);
	case TRING_PLAN_SKIP:
		tring_line_put(line, "[\"j\",%u", (unsigned int)op->skip);
		break;
	case TRING_PLAN_SKIP_IF_ZERO:
		tring_line_put(line, "[\"z\"");
		if (!add_value(line, kind, op))
			return false;
		tring_line_put(line, ",%u", (unsigned int)op->skip);
		break;
	case TRING_PLAN_TASK_STATE:
		return add_state(line, kind, op);
	default:
		return false;
	}
	return true;
}

/**
 * tring_page_plan - write a plan
 * @plan: the plan
 * @kind: its event, which is told the fields that become names of functions
 *
 * Return: the plan, to be freed; NULL if it cannot be written.
 */
char *tring_page_plan(const struct tring_plan *plan, struct tring_page_kind *kind)
{
	struct tring_line line;
	bool good = true;
	size_t i;

	tring_line_init(&line);
	tring_line_char(&line, '[');
	for (i = 0; i < plan->count && good; i++) {
		if (i)
			tring_line_char(&line, ',');
		good = add_op(&line, kind, &plan->ops[i]);
		tring_line_char(&line, ']');
	}
	tring_line_text(&line, "]", 2);
	if (good && !(kind->functions & kind->numbers))
		return line.start;
	kind->functions = 0;
	kind->exact = 0;
	tring_line_free(&line);
	return NULL;
}
