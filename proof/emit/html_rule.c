// SPDX-License-Identifier: Apache-2.0
// A rule's section of the page: the rule's text and its verdicts in the
// database.
#include "proof/emit/html_page.h"

#include "base/text/markup.h"

void html_rule_anchor(const struct emit_rule *rule, struct buf *out)
{
    buf_printf(out, "rule-%u-", rule->number + 1);
    for (const char *name = emit_rule_name(rule); *name != 0; name++) {
        bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
                     (*name >= '0' && *name <= '9') || *name == '_';
        buf_putc(out, plain ? *name : '-');
    }
}

static bool is_empty(const char *text)
{
    return text == NULL || text[0] == 0;
}

static void entry(const char *title, const char *text, struct buf *out)
{
    if (is_empty(text))
        return;
    markup_in("<dt>", title, "</dt>", out);
    markup_in("<dd>", text, "</dd>\n", out);
}

static void obligations(const struct rule_notes *notes, struct buf *out)
{
    if (notes->n_obligations == 0)
        return;
    buf_printf(out,
               "<details><summary>Obligations (%u)</summary>\n"
               "<div class=\"table\" tabindex=\"0\"><table class=\"data\">"
               "<thead><tr><th>what</th><th>verdict</th><th>ranks</th>"
               "<th>detail</th></tr></thead>\n<tbody>\n",
               notes->n_obligations);
    for (uint32_t i = 0; i < notes->n_obligations; i++) {
        const struct emit_obligation *obligation = &notes->obligation[i];
        markup_in("<tr><td>", obligation->kind, "</td>", out);
        markup_in("<td>", obligation->verdict, "</td>", out);
        markup_in("<td>", obligation->ranks, "</td>", out);
        markup_in("<td>", obligation->detail, "</td></tr>\n", out);
    }
    buf_puts(out, "</tbody></table></div></details>\n");
}

static void claim(const struct emit_rule *rule, struct buf *out)
{
    switch (emit_rule_claim(rule)) {
    case CLAIM_SAME:
        break;
    case CLAIM_OTHER:
        markup_in("<p class=\"soft\">The record calls it ", rule->name, ".</p>\n", out);
        break;
    case CLAIM_UNKNOWN:
        buf_puts(out, "<p class=\"soft\">The name is the record's.</p>\n");
        break;
    }
}

void html_rule(const struct emit_rule *rule, struct buf *out)
{
    const struct rule_notes *notes = &rule->notes;
    if (rule->shown != rule)
        return;
    buf_puts(out, "<section class=\"card rule\" id=\"");
    html_rule_anchor(rule, out);
    markup_in("\">\n<h3>", emit_rule_name(rule), "</h3>\n", out);
    claim(rule, out);
    if (!is_empty(notes->doc))
        markup_in("<p>", notes->doc, "</p>\n", out);
    markup_in("<pre>", notes->text ? notes->text : rule->text, "</pre>\n<dl>\n", out);
    entry("Verdict", notes->verdict, out);
    entry("Precondition", notes->precondition, out);
    entry("Proof", notes->method, out);
    entry("Hash", rule->hash, out);
    buf_puts(out, "</dl>\n");
    if (!is_empty(rule->meaning))
        markup_in("<details><summary>Meaning</summary><pre>", rule->meaning, "</pre></details>\n",
                  out);
    obligations(notes, out);
    buf_puts(out, "</section>\n");
}
