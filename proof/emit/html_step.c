// SPDX-License-Identifier: Apache-2.0
// A step of the page: the rule, its direction, and the result.
#include "proof/emit/html_page.h"

#include "base/text/markup.h"

static void by_rule(const struct emit_step *step, struct buf *out)
{
    buf_puts(out, "by ");
    if (step->rule != NULL) {
        buf_puts(out, "<a href=\"#");
        html_rule_anchor(step->rule, out);
        markup_in("\">", emit_rule_name(step->rule), "</a>", out);
    } else {
        markup_text(step->name, out);
    }
    if (step->backward)
        buf_puts(out, ", read from right to left");
    for (uint32_t i = 0; i < step->n_conditions; i++) {
        buf_puts(out, i ? " and " : ", as ");
        html_inline(&step->condition[i], out);
    }
    if (step->rule != NULL && step->rule->notes.doc != NULL && step->rule->notes.doc[0] != 0)
        markup_in(": <span class=\"law\">", step->rule->notes.doc, "</span>", out);
}

static void reason(const struct emit_step *step, struct buf *out)
{
    switch (step->kind) {
    case STEP_RULE:
        by_rule(step, out);
        break;
    case STEP_FOLD:
        buf_puts(out, "by computing");
        break;
    case STEP_LAYOUT:
        markup_in("by the law of layout ", step->name, "", out);
        break;
    case STEP_STRUCTURE:
        markup_in("because ", step->name, "", out);
        break;
    case STEP_GIVEN:
        buf_puts(out, "by what is given");
        break;
    case STEP_ORDER:
        buf_puts(out, "in another order, or with other brackets");
        break;
    case STEP_MANY:
        buf_printf(out, "by %u steps that are not shown", step->count);
        break;
    }
}

static void bindings(const struct emit_step *step, struct buf *out)
{
    if (step->n_bindings == 0)
        return;
    buf_puts(out,
             "<details><summary>Where (names as in the meaning of the rule)</summary>\n<dl>\n");
    for (uint32_t i = 0; i < step->n_bindings; i++) {
        markup_in("<dt>", step->binding[i].name, "</dt>", out);
        markup_in("<dd><code>", step->binding[i].text, "</code></dd>\n", out);
    }
    buf_puts(out, "</dl>\n</details>\n");
}

static void place(const char *side, uint32_t line, struct buf *out)
{
    buf_printf(out, "<a href=\"#%s-%u\">line %u %s</a>", side, line, line, side);
}

// Which lines of the programs make the value that the step is about.
static void places(const struct emit_step *step, struct buf *out)
{
    if (step->line_before == 0 && step->line_after == 0)
        return;
    buf_puts(out, "<p class=\"soft place\">The value of ");
    if (step->line_before > 0)
        place("before", step->line_before, out);
    if (step->line_before > 0 && step->line_after > 0)
        buf_puts(out, " and of ");
    if (step->line_after > 0)
        place("after", step->line_after, out);
    buf_puts(out, "</p>\n");
}

void html_step(const struct emission *emission, const struct emit_step *step, struct buf *out)
{
    bool chain = emission->head->chain;
    if (chain)
        buf_puts(out, "<li>\n<p class=\"soft\">");
    else
        buf_printf(out, "<li id=\"line-%u\">\n<p class=\"soft\">line %u of the record, ",
                   step->number, step->number);
    reason(step, out);
    buf_puts(out, "</p>\n");
    places(step, out);
    if (!chain) {
        html_block(&step->before, out);
        buf_puts(out, "<p class=\"soft\">equals</p>\n");
    }
    html_block(&step->after, out);
    bindings(step, out);
    buf_puts(out, "</li>\n");
}
