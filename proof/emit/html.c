// SPDX-License-Identifier: Apache-2.0
// A record as one static HTML file: before and after, the assumptions, the
// steps, and the rules with their proofs.  The page uses MathML, no script and
// no other file.  It has a light and a dark style, and fits screens from 320
// pixels on.  The same input gives the same bytes.
#include "proof/emit/html_page.h"

#include "base/text/markup.h"
#include "proof/limits.h"

static void escaped(const struct emit_value *value, enum notation notation, bool lets,
                    struct buf *out)
{
    struct buf text = {0};
    emit_value_print(value, notation, lets, &text);
    markup_text(buf_text(&text), out);
    buf_release(&text);
}

void html_inline(const struct emit_value *value, struct buf *out)
{
    bool math = emit_value_has(value, NOTATION_MATHML);
    buf_puts(out, math ? "<span class=\"inline\">" : "<code>");
    if (math)
        emit_value_print(value, NOTATION_MATHML, false, out);
    else
        escaped(value, NOTATION_TEXT, false, out);
    buf_puts(out, math ? "</span>" : "</code>");
}

void html_block(const struct emit_value *value, struct buf *out)
{
    bool math = emit_value_has(value, NOTATION_MATHML);
    buf_puts(out, math ? "<div class=\"math\" tabindex=\"0\">" : "<pre>");
    if (math)
        emit_value_print(value, NOTATION_MATHML, false, out);
    else
        escaped(value, NOTATION_TEXT, false, out);
    buf_puts(out, math ? "</div>\n" : "</pre>\n");
}

// One of the two formulas, with its sources.
static void card(const char *title, const struct emit_value *value, const char *size,
                 struct buf *out)
{
    buf_printf(out, "<article class=\"card\">\n<h2>%s", title);
    markup_in(" <span class=\"soft\">", size, "</span></h2>\n", out);
    if (emit_value_has(value, NOTATION_MATHML)) {
        html_block(value, out);
        buf_puts(out, "<details><summary>Text</summary><pre class=\"copy\">");
        escaped(value, NOTATION_TEXT, true, out);
        buf_puts(out, "</pre></details>\n<details><summary>LaTeX</summary><pre "
                      "class=\"copy\">");
        escaped(value, NOTATION_LATEX, false, out);
        buf_puts(out, "</pre></details>\n");
    } else {
        buf_puts(out, "<pre class=\"copy\">");
        escaped(value, NOTATION_TEXT, true, out);
        buf_puts(out, "</pre>\n");
    }
    buf_puts(out, "</article>\n");
}

// What the named functions of the result stand for.
static void functions(const struct emit_head *head, struct buf *out)
{
    if (head->n_functions > 0)
        buf_puts(out, "<h2 id=\"functions\">The named functions</h2>\n<ul class=\"functions\">\n");
    for (uint32_t i = 0; i < head->n_functions; i++) {
        buf_puts(out, "<li>");
        html_inline(&head->function[i].call, out);
        buf_puts(out, " = ");
        html_inline(&head->function[i].meaning, out);
        buf_puts(out, "</li>\n");
    }
    if (head->n_functions > 0)
        buf_puts(out, "</ul>\n");
}

void html_comparison(const struct emission *emission)
{
    const struct emit_head *head = emission->head;
    struct buf *out = emission->out;
    if (head->fault[0] != 0)
        markup_in("<p class=\"fault\" role=\"alert\"><strong>not valid:</strong> ", head->fault,
                  "<br>The rest is what the record claims.</p>\n", out);
    if (emission->kind == RECORD_PROGRAM) {
        html_diff(head, out);
    } else {
        buf_puts(out, "<div class=\"pair\">\n");
        card("Before", &head->before, head->size_before, out);
        card("After", &head->after, head->size_after, out);
        buf_puts(out, "</div>\n");
    }
    if (head->remark[0] != 0)
        markup_in("<p class=\"soft\">", head->remark, "</p>\n", out);
    functions(head, out);
    if (emission->kind == RECORD_PROGRAM) {
        markup_in("<p class=\"soft\">", head->about, ".</p>\n", out);
        markup_in("<p class=\"soft\">", head->counts, ".</p>\n", out);
    }
}

static bool begin(struct emission *emission)
{
    const struct emit_head *head = emission->head;
    struct buf *out = emission->out;
    buf_puts(out, html_head);
    const char *prefix = head->fault[0] != 0 ? "Not valid: " : "";
    buf_printf(out, "<title>%s", prefix);
    markup_in("", head->title, "</title>\n", out);
    buf_puts(out, html_style);
    if (emission->kind == RECORD_PROGRAM)
        buf_puts(out, html_diff_style);
    buf_printf(out, "</head>\n<body>\n<main>\n<h1>%s", prefix);
    markup_in("", head->title, "</h1>\n", out);
    html_comparison(emission);
    return true;
}

static void open_steps(const struct emit_head *head, uint32_t n, struct buf *out)
{
    buf_puts(out, "<h2 id=\"steps\">Steps</h2>\n");
    if (n == 0) {
        buf_puts(out, head->chain ? "<p>None: the formula stays as it is.</p>\n"
                                  : "<p>None: the program stays as it is.</p>\n");
        return;
    }
    if (!head->chain) {
        buf_puts(out, "<p class=\"soft\">Each step says that two terms are equal. Equal "
                      "arguments and chains are put together without a step.</p>\n"
                      "<ol class=\"steps\">\n");
        return;
    }
    buf_puts(out, "<p class=\"soft\">Each formula is equal to the one above "
                  "it; what became different is marked.</p>\n"
                  "<ol class=\"steps\">\n<li>\n<p class=\"soft\">");
    buf_puts(out, head->first.term == head->before.term
                      ? "The formula"
                      : "The formula with its constants recovered");
    buf_puts(out, "</p>\n");
    html_block(&head->first, out);
    buf_puts(out, "</li>\n");
}

static bool open_part(struct emission *emission, enum record_part part, const char *key, uint32_t n)
{
    struct buf *out = emission->out;
    (void)key;
    if (part == PART_STEPS)
        open_steps(emission->head, n, out);
    else if (part == PART_CONSTANTS && n > 0)
        buf_puts(out, "<h2 id=\"constants\">Recovered constants</h2>\n"
                      "<p>These numbers were taken for what they are roundings of. The "
                      "result is not equal to the formula as written: it differs by "
                      "what the differences below make.</p>\n"
                      "<div class=\"table\" tabindex=\"0\"><table class=\"data\">"
                      "<thead><tr><th>written</th><th>taken for</th><th>the same in"
                      "</th><th>difference</th></tr></thead>\n<tbody>\n");
    else if (part == PART_RULES && n > 0)
        buf_puts(out, "<h2 id=\"rules\">Rules</h2>\n");
    else if (part == PART_GOALS && n > 0)
        buf_puts(out, "<h2 id=\"results\">Results</h2>\n<ul>\n");
    return true;
}

static bool close_part(struct emission *emission, enum record_part part, uint32_t n)
{
    struct buf *out = emission->out;
    if (part == PART_STEPS && n > 0)
        buf_puts(out, "</ol>\n");
    else if (part == PART_CONSTANTS && n > 0)
        buf_puts(out, "</tbody></table></div>\n");
    else if ((part == PART_GOALS && n > 0) || (part == PART_CONDITIONS && emission->shown > 0))
        buf_puts(out, "</ul>\n");
    return true;
}

// A term by its text in the record.
static bool read_value(const struct emission *emission, const char *text, struct emit_value *out)
{
    struct emit_terms *terms = emission->head->terms;
    *out = (struct emit_value){.source = terms};
    if (terms->read != NULL)
        return terms->read(terms, text, &out->term, emission->err);
    out->text = text;
    return true;
}

static bool constant(struct emission *emission, const struct emit_constant *constant)
{
    struct buf *out = emission->out;
    struct emit_value value;
    if (!read_value(emission, constant->value, &value))
        return false;
    markup_in("<tr><td><code>", constant->text, "</code></td><td>", out);
    html_inline(&value, out);
    markup_in("</td><td>", constant->precision, "</td>", out);
    markup_in("<td>", constant->difference, "</td></tr>\n", out);
    return true;
}

// Why the formula has no value where the condition does not hold.
static const char *why(const char *condition)
{
    static const struct {
        const char *begins, *says;
    } list[] = {
        {"(ne ", "(the formula divides by it, or by a multiple of it)"},
        {"(lt 0 ",
         "(the formula has a value only there: a logarithm, a root below a line, or a power)"},
        {"(le 0 ", "(the formula has a value only there: a root, or a power)"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strncmp(condition, list[i].begins, strlen(list[i].begins)) == 0)
            return list[i].says;
    return "(elsewhere the formula has no value)";
}

// Trivial conditions are left out, such as that axes have indices and that pi
// is more than 3.
static bool condition(struct emission *emission, const struct emit_condition *condition)
{
    struct buf *out = emission->out;
    struct emit_value value;
    bool declared = strcmp(condition->by, "declared") == 0;
    if ((!declared && strcmp(condition->by, "defined") != 0) || !condition->used)
        return true;
    if (!read_value(emission, condition->text, &value))
        return false;
    if (emission->shown++ == 0)
        buf_puts(out, "<h2 id=\"conditions\">Both are equal where</h2>\n<ul>\n");
    buf_puts(out, "<li>");
    html_inline(&value, out);
    markup_in(" <span class=\"soft\">", declared ? "(as declared)" : why(condition->text),
              "</span></li>\n", out);
    return true;
}

static bool rule(struct emission *emission, const struct emit_rule *rule)
{
    html_rule(rule, emission->out);
    return true;
}

static bool step(struct emission *emission, const struct emit_step *step)
{
    html_step(emission, step, emission->out);
    return true;
}

static bool goal(struct emission *emission, const struct emit_goal *goal)
{
    struct buf *out = emission->out;
    buf_printf(out, "<li>function %u, result %u: ", goal->function, goal->root);
    buf_puts(out, !goal->changed      ? "unchanged"
                  : goal->n_steps > 0 ? "equal by"
                                      : "equal without a step");
    for (uint32_t i = 0; i < goal->n_steps; i++)
        buf_printf(out, "%s <a href=\"#line-%u\">line %u</a>", i ? "," : "", goal->step[i],
                   goal->step[i]);
    buf_puts(out, "</li>\n");
    return true;
}

static bool end(struct emission *emission)
{
    buf_puts(emission->out, "</main>\n</body>\n</html>\n");
    return true;
}

const struct record_emitter html_emitter = {
    .name = "html",
    .suffix = ".html",
    .order = {PART_CONDITIONS, PART_CONSTANTS, PART_GOALS, PART_STEPS, PART_RULES},
    .n_parts = 5,
    .shows_places = true,
    .most_steps = PROOF_PAGE_STEPS,
    .begin = begin,
    .open = open_part,
    .constant = constant,
    .condition = condition,
    .rule = rule,
    .step = step,
    .goal = goal,
    .close = close_part,
    .end = end,
};
