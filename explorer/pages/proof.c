// SPDX-License-Identifier: Apache-2.0
// Verdicts of a rule and the outlines of their proofs.
#include "explorer/pages/rule.h"
#include <jansson.h>

static void put_reason(const struct rw_verdict *verdict, struct buf *out)
{
    if (verdict->decision == RW_PROVED && strcmp(verdict->rung, "uninterpreted") == 0)
        buf_puts(out, "For any element operators. ");
    if (verdict->grade_text[0])
        markup_in("Grade: ", verdict->grade_text, ". ", out);
    if (verdict->decision == RW_UNKNOWN || verdict->reason[0])
        markup_in("", verdict->reason, " ", out);
    if (verdict->counterexample)
        buf_puts(out, "<a href=\"#counterexample\">Counterexample</a>");
    if (!verdict->claimed)
        buf_puts(out, " (the rule does not claim this domain)");
    if (verdict->stale)
        buf_puts(out, " (stale: of another version of verifier or semantics)");
}

void put_verdicts(const struct rule_page *page)
{
    struct buf *out = page->out;
    struct rw_error error;
    buf_puts(out, "<h2 id=\"verdicts\">Verdicts</h2>\n<div class=\"scroll\" "
                  "tabindex=\"0\"><table>\n<thead><tr>"
                  "<th scope=\"col\">Domain</th><th scope=\"col\">Verdict</th><th scope=\"col\">"
                  "Why</th><th scope=\"col\" class=\"number\">Instances</th><th scope=\"col\" "
                  "class=\"number\">Obligations</th><th scope=\"col\" class=\"number\">Time</th>"
                  "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < page->rule->n_verdicts; i++) {
        const struct rw_verdict *verdict = page->rule->verdicts[i];
        const char *decision = rw_decision_name(verdict->decision);
        buf_printf(out, "<tr><th scope=\"row\">%s</th><td>", rw_domain_name(verdict->domain));
        put_badge(decision, decision, out);
        buf_puts(out, "</td><td>");
        put_reason(verdict, out);
        buf_printf(out,
                   "</td><td class=\"number\">%lld</td><td class=\"number\">%lld</td>"
                   "<td class=\"number\">%.0f ms</td></tr>\n",
                   (long long)verdict->instances, (long long)verdict->obligation_count,
                   verdict->seconds * 1e3);
    }
    buf_puts(out, "</tbody></table></div>\n");
    char *rest = rw_rule_not_judged(page->rule, &error);
    if (rest && *rest)
        markup_in("<p class=\"quiet lines\">Not judged elsewhere:\n", rest, "</p>\n", out);
    rw_free(rest);
}

static bool same_obligations(const struct rw_verdict *a, const struct rw_verdict *b)
{
    bool same = a->n_obligations == b->n_obligations && strcmp(a->method, b->method) == 0 &&
                strcmp(a->bound_text, b->bound_text) == 0;
    for (size_t i = 0; same && i < a->n_obligations; i++) {
        const struct rw_obligation *x = a->obligations[i], *y = b->obligations[i];
        same = strcmp(x->kind, y->kind) == 0 && x->decision == y->decision &&
               strcmp(x->ranks, y->ranks) == 0 && strcmp(x->detail, y->detail) == 0 &&
               strcmp(x->reason, y->reason) == 0;
    }
    return same;
}

static void put_bound(const struct rw_verdict *verdict, struct buf *out)
{
    json_t *bound = json_loads(verdict->bound, 0, NULL), *rank;
    const char *name;
    if (json_object_size(bound) > 0) {
        buf_puts(out, "<p>All ranks follow from the ranks up to");
        json_object_foreach(bound, name, rank)
        {
            markup_in(" <b>", name, "</b>: ", out);
            buf_printf(out, "%lld", (long long)json_integer_value(rank));
        }
        markup_in(" (", verdict->method, ").", out);
    } else {
        markup_in("<p>All ranks at once (", verdict->method, ").", out);
    }
    if (verdict->bound_text[0])
        markup_in("</p>\n<p class=\"quiet lines\">", verdict->bound_text, "", out);
    buf_puts(out, "</p>\n");
    json_decref(bound);
}

static void put_obligation(const struct rw_obligation *one, struct buf *out)
{
    const char *decision = rw_decision_name(one->decision);
    markup_in("<tr><td>", one->kind, "</td><td>", out);
    if (one->decision == RW_PROVED)
        buf_puts(out, "proved");
    else
        put_badge(decision, decision, out);
    markup_in("</td><td>", one->ranks, "</td><td>", out);
    markup_text(one->detail, out);
    if (one->reason[0])
        markup_in(": ", one->reason, "", out);
    buf_printf(out, "</td><td class=\"number\">%.1f</td></tr>\n", one->seconds * 1e3);
}

static void put_obligations(const struct rw_verdict *verdict, struct buf *out)
{
    buf_printf(out,
               "<details><summary>%zu obligations</summary>\n<div class=\"scroll\" "
               "tabindex=\"0\"><table>\n"
               "<thead><tr><th scope=\"col\">Kind</th><th scope=\"col\">Answer</th>"
               "<th scope=\"col\">Ranks</th><th scope=\"col\">What</th><th scope=\"col\" "
               "class=\"number\">ms</th></tr></thead>\n<tbody>\n",
               verdict->n_obligations);
    for (size_t i = 0; i < verdict->n_obligations; i++)
        put_obligation(verdict->obligations[i], out);
    buf_puts(out, "</tbody></table></div></details>\n");
}

static void put_smt2_link(const struct rule_page *page)
{
    struct buf path = {0};
    if (page->frame->mode == EXPLORER_SITE)
        return;
    buf_puts(&path, "smt2/");
    frame_part(page->rule->family, &path);
    buf_putc(&path, '/');
    frame_part(page->rule->name, &path);
    buf_puts(&path, ".smt2");
    buf_puts(page->out, "<p>");
    frame_anchor(page->frame, buf_text(&path), "The obligations as SMT-LIB text", page->out);
    buf_puts(page->out, " (the rule is proved again to write them)</p>\n");
    buf_release(&path);
}

// Domains with the same obligations share an outline.
void put_proofs(const struct rule_page *page)
{
    const struct rw_rule *rule = page->rule;
    struct buf *out = page->out;
    uint64_t done = 0;
    for (size_t i = 0; i < rule->n_verdicts; i++) {
        const struct rw_verdict *verdict = rule->verdicts[i];
        if ((done >> i & 1) || verdict->n_obligations == 0)
            continue;
        buf_puts(out, done ? "<h3>" : "<h2 id=\"proof\">Outline of the proof</h2>\n<h3>");
        for (size_t k = i; k < rule->n_verdicts; k++)
            if (k == i || same_obligations(verdict, rule->verdicts[k])) {
                buf_printf(out, "%s%s", k == i ? "In " : ", ",
                           rw_domain_name(rule->verdicts[k]->domain));
                done |= UINT64_C(1) << k;
            }
        buf_puts(out, "</h3>\n");
        if (verdict->decision == RW_PROVED)
            put_bound(verdict, out);
        if (verdict->solver[0])
            markup_in("<p class=\"quiet\">Decided by ", verdict->solver, ".</p>\n", out);
        put_obligations(verdict, out);
    }
    if (done)
        put_smt2_link(page);
}
