// SPDX-License-Identifier: Apache-2.0
#include "simplify/page/html.h"

#include "base/text/markup.h"
#include "formula/print/print.h"

static const char head[] = "<!DOCTYPE html>\n"
                           "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width, "
                           "initial-scale=1\">\n"
                           "<link rel=\"icon\" href=\"data:,\">\n";

static const char style[] =
    "<style>\n"
    ":root { color-scheme: light dark; --ink: #1b1d21; --paper: #fcfcfa;\n"
    "  --soft: #5d6370; --line: #d9dbe0; --panel: #f2f3f1; --link: #1c5bb8;\n"
    "  --mark: #fde9b0; --markline: #c98a00; }\n"
    "@media (prefers-color-scheme: dark) { :root { --ink: #e4e6ea;\n"
    "  --paper: #16181c; --soft: #9aa1ad; --line: #363a42; --panel: #1f2227;\n"
    "  --link: #86b4f5; --mark: #4d3c0c; --markline: #d9a83a; } }\n"
    "* { box-sizing: border-box; }\n"
    "body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 60rem;\n"
    "  background: var(--paper); color: var(--ink);\n"
    "  font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }\n"
    "h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem; }\n"
    "h2 { font-size: 1.15rem; margin: 2.5rem 0 .75rem; padding-top: .75rem;\n"
    "  border-top: 1px solid var(--line); }\n"
    "h3 { font-size: 1rem; margin: 0 0 .5rem; }\n"
    "a { color: var(--link); }\n"
    ".soft { color: var(--soft); font-size: .875rem; }\n"
    ".pair { display: grid; gap: 1rem; }\n"
    ".card { background: var(--panel); border: 1px solid var(--line);\n"
    "  border-radius: .5rem; padding: .75rem 1rem; min-width: 0; }\n"
    ".card h2 { border: 0; margin: 0; padding: 0; display: flex; gap: .5rem;\n"
    "  justify-content: space-between; align-items: baseline; }\n"
    ".math { overflow-x: auto; overflow-y: hidden; padding: .6rem .2rem; }\n"
    "math { font-family: \"STIX Two Math\", \"Latin Modern Math\", STIXMath,\n"
    "  \"Cambria Math\", \"DejaVu Math TeX Gyre\", math, serif; }\n"
    ".math math { font-size: 1.2rem; width: max-content;\n"
    "  min-width: 100%; }\n"
    ".inline { display: inline-block; max-width: 100%; overflow-x: auto;\n"
    "  overflow-y: hidden; vertical-align: middle; padding: .25rem 0; }\n"
    ".inline math { font-size: 1.1em; }\n"
    "math .changed { background: var(--mark); border-radius: .15em;\n"
    "  border-bottom: .1em solid var(--markline); padding: .08em .1em; }\n"
    "pre, code { font: .875rem/1.45 ui-monospace, monospace; }\n"
    "pre { white-space: pre-wrap; margin: .5rem 0; padding: .5rem .75rem;\n"
    "  background: var(--paper); border: 1px solid var(--line);\n"
    "  border-radius: .375rem; }\n"
    "pre.copy { user-select: all; }\n"
    "summary { cursor: pointer; color: var(--soft); font-size: .875rem; }\n"
    "ol.steps { list-style: none; margin: 0; padding: 0; }\n"
    "ol.steps > li { border-left: 3px solid var(--line);\n"
    "  padding: .25rem 0 .75rem .9rem; }\n"
    "ol.steps p { margin: 0; }\n"
    "ol.steps .math math { min-width: 0; }\n"
    "section.rule { margin: 0 0 1rem; }\n"
    "section.rule:target { border-color: var(--markline); }\n"
    "dl { margin: .5rem 0; display: grid; gap: .1rem .75rem;\n"
    "  grid-template-columns: max-content minmax(0, 1fr); }\n"
    "dt { color: var(--soft); } dd { margin: 0; }\n"
    ".table { overflow-x: auto; }\n"
    "table.data { border-collapse: collapse; font-size: .875rem; }\n"
    "table.data th, table.data td { text-align: left; vertical-align: top;\n"
    "  padding: .2rem .9rem .2rem 0; border-bottom: 1px solid var(--line); }\n"
    "table.data { overflow-wrap: normal; }\n"
    "@media (max-width: 30rem) { dl { grid-template-columns: 1fr; }\n"
    "  dd { margin-bottom: .4rem; } .math math { font-size: 1.05rem; } }\n"
    "</style>\n";

static void inline_formula(const struct html_page *page, fterm term, struct buf *out)
{
    buf_puts(out, "<span class=\"inline\">");
    formula_print(page->formula, page->defs, term, NOTATION_MATHML, false, out);
    buf_puts(out, "</span>");
}

static void formula(const struct html_page *page, fterm term, enum notation notation,
                    struct buf *out)
{
    struct buf text = {0};
    formula_print(page->formula, page->defs, term, notation, notation != NOTATION_MATHML, &text);
    if (notation == NOTATION_MATHML)
        buf_puts(out, buf_text(&text));
    else
        markup_text(buf_text(&text), out);
    buf_release(&text);
}

// One of the two formulas, with its sources.
static void card(const struct html_page *page, const char *title, fterm term, double cost,
                 struct buf *out)
{
    buf_printf(out,
               "<article class=\"card\">\n<h2>%s <span class=\"soft\">cost "
               "%g</span></h2>\n<div class=\"math\" tabindex=\"0\">",
               title, cost);
    formula(page, term, NOTATION_MATHML, out);
    buf_puts(out, "</div>\n<details><summary>Text</summary><pre "
                  "class=\"copy\">");
    formula(page, term, NOTATION_TEXT, out);
    buf_puts(out, "</pre></details>\n<details><summary>LaTeX</summary><pre "
                  "class=\"copy\">");
    struct buf latex = {0};
    formula_print(page->formula, page->defs, term, NOTATION_LATEX, false, &latex);
    markup_text(buf_text(&latex), out);
    buf_release(&latex);
    buf_puts(out, "</pre></details>\n</article>\n");
}

static void conditions(const struct html_page *page, struct buf *out)
{
    if (page->n_conditions == 0)
        return;
    buf_puts(out, "<h2 id=\"conditions\">Both are equal where</h2>\n<ul>\n");
    for (uint32_t i = 0; i < page->n_conditions; i++) {
        buf_puts(out, "<li>");
        inline_formula(page, page->condition[i].cond, out);
        markup_in(" <span class=\"soft\">", page->condition[i].why, "</span></li>\n", out);
    }
    buf_puts(out, "</ul>\n");
}

static void constants(const struct html_page *page, struct buf *out)
{
    if (page->n_constants == 0)
        return;
    buf_puts(out, "<h2 id=\"constants\">Recovered constants</h2>\n"
                  "<p>These numbers were taken for what they are roundings of. The "
                  "result is not equal to the formula as written: it differs by "
                  "what the differences below make.</p>\n"
                  "<div class=\"table\" tabindex=\"0\"><table class=\"data\">"
                  "<thead><tr><th>written</th><th>taken for</th><th>the same in"
                  "</th><th>difference</th></tr></thead>\n<tbody>\n");
    for (uint32_t i = 0; i < page->n_constants; i++) {
        const struct html_constant *constant = &page->constant[i];
        markup_in("<tr><td><code>", constant->text, "</code></td><td>", out);
        inline_formula(page, constant->value, out);
        markup_in("</td><td>", constant->precision, "</td>", out);
        markup_in("<td>", constant->difference, "</td></tr>\n", out);
    }
    buf_puts(out, "</tbody></table></div>\n");
}

// Anchors have letters, digits and - alone, and a number that makes them
// different.
static void anchor(uint32_t i, const char *name, struct buf *out)
{
    buf_printf(out, "rule-%u-", i + 1);
    for (; *name != 0; name++) {
        bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                     (*name >= '0' && *name <= '9') || *name == '_';
        buf_putc(out, plain ? *name : '-');
    }
}

static const struct html_use *use_named(const struct html_page *page, const char *name)
{
    for (uint32_t i = 0; i < page->n_uses; i++) {
        size_t n = strlen(page->use[i].name);
        if (strncmp(page->use[i].name, name, n) == 0 && (name[n] == 0 || name[n] == '.'))
            return &page->use[i];
    }
    return NULL;
}

static void by_rule(const struct html_page *page, const struct fstep *step, struct buf *out)
{
    const struct html_use *use = use_named(page, step->rule);
    buf_puts(out, "by ");
    if (use != NULL) {
        const char *name = page->rule[use->rule].name;
        buf_puts(out, "<a href=\"#");
        anchor(use->rule, name, out);
        markup_in("\">", name, "</a>", out);
    } else {
        markup_text(step->rule, out);
    }
    if ((use != NULL && use->backward) != step->flip)
        buf_puts(out, ", read from right to left");
    for (uint32_t k = 0; k < step->cond_n; k++) {
        buf_puts(out, k ? " and " : ", as ");
        inline_formula(page, page->steps->cond.at[step->cond_at + k], out);
    }
}

static void step(const struct html_page *page, const struct fstep *fstep, struct buf *out)
{
    struct print_options options = {.path = page->steps->path.at + fstep->at, .n_path = fstep->n};
    // At the root the path is empty, but there is one.
    static const uint32_t none[1];
    if (fstep->n == 0)
        options.path = none;
    buf_puts(out, "<li>\n<p class=\"soft\">");
    switch (fstep->kind) {
    case FSTEP_RULE:
        by_rule(page, fstep, out);
        break;
    case FSTEP_FOLD:
        buf_puts(out, "by computing");
        break;
    case FSTEP_GIVEN:
        buf_puts(out, "by what is given");
        break;
    case FSTEP_ORDER:
        buf_puts(out, "by order and brackets");
        break;
    case FSTEP_MANY:
        buf_printf(out, "by %u steps that are not shown", fstep->number);
        break;
    }
    buf_puts(out, "</p>\n<div class=\"math\" tabindex=\"0\">");
    formula_print_marked(page->formula, page->defs, fstep->after, NOTATION_MATHML, &options, out);
    buf_puts(out, "</div>\n</li>\n");
}

static void steps(const struct html_page *page, struct buf *out)
{
    if (page->steps == NULL)
        return;
    buf_puts(out, "<h2 id=\"steps\">Steps</h2>\n");
    if (page->steps->step.len == 0) {
        buf_puts(out, "<p>None: the formula stays as it is.</p>\n");
        return;
    }
    buf_puts(out, "<p class=\"soft\">Each formula is equal to the one above "
                  "it; what became different is marked.</p>\n"
                  "<ol class=\"steps\">\n<li>\n<p class=\"soft\">");
    buf_puts(out, page->steps->first == page->before ? "The formula"
                                                     : "The formula with its constants recovered");
    buf_puts(out, "</p>\n<div class=\"math\" tabindex=\"0\">");
    formula(page, page->steps->first, NOTATION_MATHML, out);
    buf_puts(out, "</div>\n</li>\n");
    for (uint32_t i = 0; i < page->steps->step.len; i++)
        step(page, &page->steps->step.at[i], out);
    buf_puts(out, "</ol>\n");
}

static void entry(const char *title, const char *text, struct buf *out)
{
    if (text == NULL || text[0] == 0)
        return;
    markup_in("<dt>", title, "</dt>", out);
    markup_in("<dd>", text, "</dd>\n", out);
}

static void obligations(const struct html_rule *rule, struct buf *out)
{
    if (rule->n_obligations == 0)
        return;
    buf_printf(out,
               "<details><summary>Obligations (%u)</summary>\n"
               "<div class=\"table\" tabindex=\"0\"><table class=\"data\">"
               "<thead><tr><th>what</th><th>verdict</th><th>ranks</th>"
               "<th>detail</th></tr></thead>\n<tbody>\n",
               rule->n_obligations);
    for (uint32_t i = 0; i < rule->n_obligations; i++) {
        const struct html_obligation *obligation = &rule->obligation[i];
        markup_in("<tr><td>", obligation->kind, "</td>", out);
        markup_in("<td>", obligation->verdict, "</td>", out);
        markup_in("<td>", obligation->ranks, "</td>", out);
        markup_in("<td>", obligation->detail, "</td></tr>\n", out);
    }
    buf_puts(out, "</tbody></table></div></details>\n");
}

static void rules(const struct html_page *page, struct buf *out)
{
    if (page->n_rules == 0)
        return;
    buf_puts(out, "<h2 id=\"rules\">Rules</h2>\n");
    for (uint32_t i = 0; i < page->n_rules; i++) {
        const struct html_rule *rule = &page->rule[i];
        buf_puts(out, "<section class=\"card rule\" id=\"");
        anchor(i, rule->name, out);
        markup_in("\">\n<h3>", rule->name, "</h3>\n", out);
        if (rule->doc != NULL && rule->doc[0] != 0)
            markup_in("<p>", rule->doc, "</p>\n", out);
        markup_in("<pre>", rule->text, "</pre>\n<dl>\n", out);
        entry("Verdict", rule->verdict, out);
        entry("Precondition", rule->precondition, out);
        entry("Proof", rule->method, out);
        entry("Hash", rule->hash, out);
        buf_puts(out, "</dl>\n");
        if (rule->meaning != NULL && rule->meaning[0] != 0)
            markup_in("<details><summary>Meaning</summary><pre>", rule->meaning,
                      "</pre></details>\n", out);
        obligations(rule, out);
        buf_puts(out, "</section>\n");
    }
}

void html_page(const struct html_page *page, struct buf *out)
{
    buf_puts(out, head);
    markup_in("<title>", page->title, "</title>\n", out);
    buf_puts(out, style);
    markup_in("</head>\n<body>\n<main>\n<h1>", page->title, "</h1>\n", out);
    buf_puts(out, "<div class=\"pair\">\n");
    card(page, "Before", page->before, page->cost_before, out);
    card(page, "After", page->after, page->cost_after, out);
    buf_puts(out, "</div>\n");
    if (page->remark != NULL && page->remark[0] != 0)
        markup_in("<p class=\"soft\">", page->remark, "</p>\n", out);
    conditions(page, out);
    constants(page, out);
    steps(page, out);
    rules(page, out);
    buf_puts(out, "</main>\n</body>\n</html>\n");
}
