// SPDX-License-Identifier: Apache-2.0
// Readable text, as `explain` prints it.  Foreign texts are filtered
// (base/text/utf8.h), so that a record can neither control a terminal nor add
// lines of its own.
#include "proof/emit/emit.h"

#include "base/text/utf8.h"
#include "proof/limits.h"

// Names, and other texts of one line.
static void put(const char *text, struct buf *out)
{
    utf8_printable(text, out);
}

// Texts of several lines.
static void put_lines(const char *text, struct buf *out)
{
    utf8_lines(text, strlen(text), out);
}

static void put_value(const struct emit_value *value, struct buf *out)
{
    struct buf text = {0};
    emit_value_print(value, NOTATION_TEXT, false, &text);
    put(buf_text(&text), out);
    buf_release(&text);
}

static bool begin(struct emission *emission)
{
    const struct emit_head *head = emission->head;
    struct buf *out = emission->out;
    if (head->fault[0] != 0) {
        buf_puts(out, "not valid: ");
        put(head->fault, out);
        buf_puts(out, "\nThe rest is what the record claims.\n\n");
    }
    put(head->about, out);
    buf_putc(out, '\n');
    put(head->counts, out);
    buf_puts(out, "\n\n");
    if (head->input == NULL) // of a program: too long
        return true;
    buf_puts(out, "input\n  ");
    put_lines(head->input, out);
    buf_puts(out, "\noutput\n  ");
    put_lines(head->output, out);
    buf_putc(out, '\n');
    return true;
}

static bool open_part(struct emission *emission, enum record_part part, const char *key, uint32_t n)
{
    const struct emit_head *head = emission->head;
    struct buf *out = emission->out;
    (void)key;
    (void)n;
    if (part == PART_GOALS) {
        buf_puts(out, "\nWhy the programs are equal (all other lines only put "
                      "equal arguments and chains together)\n");
    } else if (part == PART_STEPS && head->chain && head->unchanged) {
        buf_puts(out, "\nThe output is the input.\n");
    } else if (part == PART_STEPS && head->chain) {
        buf_puts(out, "\nSteps\n         ");
        put_value(&head->first, out);
        buf_putc(out, '\n');
    }
    return true;
}

static bool definition(struct emission *emission, const char *text)
{
    buf_puts(emission->out, "\ndefinition\n");
    put_lines(text, emission->out);
    buf_putc(emission->out, '\n');
    return true;
}

static bool constant(struct emission *emission, const struct emit_constant *constant)
{
    struct buf *out = emission->out;
    put(constant->text, out);
    buf_puts(out, " is taken for ");
    put(constant->value, out);
    buf_puts(out, ": recovered from ");
    put(constant->precision, out);
    buf_puts(out, ", difference ");
    put(constant->difference, out);
    buf_putc(out, '\n');
    return true;
}

static bool condition(struct emission *emission, const struct emit_condition *condition)
{
    struct buf *out = emission->out;
    buf_printf(out, "given %u (", condition->number);
    put(condition->by, out);
    buf_puts(out, "): ");
    put(condition->text, out);
    buf_putc(out, '\n');
    return true;
}

// The hash says which rule it is; the name may be anything.
static void put_claim(const struct emit_rule *rule, struct buf *out)
{
    switch (emit_rule_claim(rule)) {
    case CLAIM_SAME:
        break;
    case CLAIM_OTHER:
        buf_puts(out, " (the record calls it ");
        put(rule->name, out);
        buf_puts(out, ")");
        break;
    case CLAIM_UNKNOWN:
        buf_puts(out, " (the name is the record's)");
        break;
    }
}

static void put_step_name(const struct emit_step *step, struct buf *out)
{
    struct buf name = {0};
    emit_step_name(step, &name);
    put(buf_text(&name), out);
    buf_release(&name);
}

static bool rule(struct emission *emission, const struct emit_rule *rule)
{
    struct buf *out = emission->out;
    bool of_formula = emission->kind == RECORD_FORMULA;
    buf_puts(out, of_formula ? "\nrule " : "rule ");
    put(emit_rule_name(rule), out);
    buf_puts(out, ", hash ");
    put(rule->hash, out);
    put_claim(rule, out);
    buf_puts(out, rule->backward ? ", from right to left" : "");
    buf_puts(out, rule->assumed ? " (ASSUMED, not proved)\n" : "\n");
    put_lines(rule->text, out);
    buf_putc(out, '\n');
    return true;
}

// A step of a chain: the formula after the step, and the reason.
static void put_link(const struct emit_step *step, struct buf *out)
{
    buf_printf(out, "%5u  = ", step->number);
    put_value(&step->after, out);
    buf_puts(out, "\n         ");
    switch (step->kind) {
    case STEP_RULE:
        buf_puts(out, "by ");
        put_step_name(step, out);
        buf_puts(out, step->flip ? ", right to left" : "");
        buf_puts(out, step->assumed ? " (ASSUMED)" : "");
        break;
    case STEP_FOLD:
        buf_puts(out, "by computing");
        break;
    case STEP_LAYOUT:
        buf_puts(out, "by the law of layout ");
        put(step->name, out);
        break;
    case STEP_STRUCTURE:
        buf_puts(out, "because ");
        put(step->name, out);
        break;
    case STEP_GIVEN:
        buf_printf(out, "by given %u", step->count);
        break;
    case STEP_ORDER:
        buf_puts(out, "by order and brackets");
        break;
    case STEP_MANY:
        buf_printf(out, "by %u steps that are not shown", step->count);
        break;
    }
    for (uint32_t i = 0; i < step->n_conditions; i++) {
        buf_puts(out, i == 0 ? ", where " : ", ");
        put_value(&step->condition[i], out);
    }
    buf_putc(out, '\n');
}

static void put_reason(const struct emit_step *step, struct buf *out)
{
    switch (step->kind) {
    case STEP_RULE:
        buf_puts(out, "rule ");
        put_step_name(step, out);
        buf_printf(out, " (%.12s)", step->rule ? step->rule->hash : "");
        buf_puts(out, step->flip ? ", right to left" : "");
        buf_puts(out, step->assumed ? ", ASSUMED, not proved" : "");
        break;
    case STEP_FOLD:
        buf_puts(out, "constants are folded");
        break;
    case STEP_LAYOUT:
        buf_puts(out, "law of layout: ");
        put(step->name, out);
        break;
    case STEP_STRUCTURE:
        put(step->name, out);
        break;
    case STEP_GIVEN:
        buf_printf(out, "given %u", step->count);
        break;
    case STEP_ORDER:
        buf_puts(out, "order and brackets");
        break;
    case STEP_MANY:
        buf_printf(out, "%u steps that are not shown", step->count);
        break;
    }
}

// A step that stands alone: two equal terms, and the reason.
static void put_equation(const struct emit_step *step, struct buf *out)
{
    buf_printf(out, "line %u: ", step->number);
    put_reason(step, out);
    buf_puts(out, "\n    ");
    put_value(&step->before, out);
    buf_puts(out, "\n  = ");
    put_value(&step->after, out);
    buf_putc(out, '\n');
    for (uint32_t i = 0; i < step->n_bindings; i++) {
        buf_puts(out, "      ");
        put(step->binding[i].name, out);
        buf_puts(out, step->binding[i].is);
        put(step->binding[i].text, out);
        buf_putc(out, '\n');
    }
    for (uint32_t i = 0; i < step->n_conditions; i++) {
        buf_puts(out, "      preconditions: ");
        put_value(&step->condition[i], out);
        buf_putc(out, '\n');
    }
}

static bool step(struct emission *emission, const struct emit_step *step)
{
    if (emission->head->chain)
        put_link(step, emission->out);
    else
        put_equation(step, emission->out);
    return true;
}

static bool goal(struct emission *emission, const struct emit_goal *goal)
{
    struct buf *out = emission->out;
    buf_printf(out, "function %u, root %u: ", goal->function, goal->root);
    if (!goal->changed) {
        buf_puts(out, "unchanged\n");
        return true;
    }
    buf_puts(out, "equal by lines");
    for (uint32_t i = 0; i < goal->n_steps; i++)
        buf_printf(out, " %u", goal->step[i]);
    buf_printf(out, ", put together in line %u\n", goal->line);
    return true;
}

const struct record_emitter text_emitter = {
    .name = "text",
    .suffix = ".txt",
    .order = {PART_CONSTANTS, PART_CONDITIONS, PART_DEFINITIONS, PART_RULES, PART_STEPS,
              PART_GOALS},
    .n_parts = 6,
    .most_steps = PROOF_TEXT_STEPS,
    .begin = begin,
    .open = open_part,
    .definition = definition,
    .constant = constant,
    .condition = condition,
    .rule = rule,
    .step = step,
    .goal = goal,
};
