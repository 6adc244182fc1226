// SPDX-License-Identifier: Apache-2.0
// Verdicts of rules, and their errors while they are typed.
#include "explorer/play/work.h"

#include "api/rules/json.h"
#include "base/text/markup.h"

enum { DOMAINS = RW_FLOAT + 1 };

static void put_verdict(const struct rw_verdict *verdict, struct buf *out)
{
    const char *word = rw_decision_name(verdict->decision);
    buf_printf(out,
               "<tr><th scope=\"row\">%s</th><td><span class=\"verdict %s\">%s</span></td><td>",
               rw_domain_name(verdict->domain), word, word);
    if (verdict->decision == RW_REFUTED)
        buf_puts(out, "a counterexample was found and run");
    else if (verdict->reason[0])
        markup_text(verdict->reason, out);
    else if (verdict->grade_text[0])
        markup_text(verdict->grade_text, out);
    else
        markup_text(verdict->bound_text, out);
    buf_printf(out, "</td><td class=\"number\">%lld</td><td class=\"number\">%.2f s</td></tr>\n",
               (long long)verdict->obligation_count, verdict->seconds);
}

static void put_not_judged(const struct rw_rule *rule, struct buf *out)
{
    char *text = rw_rule_not_judged(rule, NULL), *rest = NULL;
    for (char *line = text ? strtok_r(text, "\n", &rest) : NULL; line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        markup_in("<p class=\"quiet\">Not judged in ", line, "</p>\n", out);
    rw_free(text);
}

static void put_counterexamples(const struct rw_rule *rule, struct buf *out)
{
    for (size_t i = 0; i < rule->n_verdicts; i++) {
        const struct rw_verdict *verdict = rule->verdicts[i];
        bool seen = verdict->counterexample == NULL;
        for (size_t k = 0; k < i && !seen; k++)
            seen = rule->verdicts[k]->counterexample != NULL &&
                   strcmp(rule->verdicts[k]->counterexample, verdict->counterexample) == 0;
        if (!seen)
            markup_in("<p>", verdict->counterexample_text, "</p>\n", out);
    }
}

static void put_rule(const struct rw_rule *rule, struct buf *out)
{
    markup_in("<section class=\"result\">\n<h2>", rule->name, "</h2>\n", out);
    buf_puts(out, "<div class=\"scroll\"><table>\n<thead><tr><th scope=\"col\">domain</th><th "
                  "scope=\"col\">verdict</th><th scope=\"col\">why</th><th scope=\"col\" "
                  "class=\"number\">obligations</th><th scope=\"col\" class=\"number\">time</th>"
                  "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < rule->n_verdicts; i++)
        put_verdict(rule->verdicts[i], out);
    buf_puts(out, "</tbody></table></div>\n");
    put_not_judged(rule, out);
    put_counterexamples(rule, out);
    buf_puts(out, "</section>\n");
}

static bool tell_rule(void *user, const struct rw_progress *at)
{
    play_progress(user, "%llu of %llu rules judged", (unsigned long long)at->done,
                  (unsigned long long)at->total);
    return true;
}

void play_prove(struct play *play)
{
    struct rw_error error;
    struct rw_prove_options options = {.size = sizeof options};
    struct rw_rules *rules = play_rules(play);
    if (rules == NULL)
        return;
    rw_context_limit(play->context, "workers", 1, NULL);
    rw_context_on_progress(play->context, tell_rule, play);
    struct rw_report *report = rw_prove(rules, NULL, &options, &error);
    for (size_t i = 0; report != NULL && i < rw_report_count(report); i++)
        put_rule(rw_report_rule(report, i), &play->out);
    if (report == NULL)
        play_error(&error, &play->out);
    rw_report_free(report);
    rw_rules_free(rules);
}

// Errors of the text: [{"line", "column", "message", "hint"}].
void play_check(struct play *play)
{
    struct rw_rules *rules = rw_rules_new(play->context);
    const struct buf *text = form_find(play->form, "text");
    json_t *list = json_array();
    bool ok = rw_rules_parse(rules, text ? buf_text(text) : "", text ? text->len : 0, "", NULL);
    for (size_t i = 0; !ok && i < rw_rules_error_count(rules); i++) {
        const struct rw_error *error = rw_rules_error(rules, i);
        json_array_append_new(list, json_pack("{s:i, s:i, s:s, s:s}", "line", (int)error->line,
                                              "column", (int)error->column, "message",
                                              error->message, "hint", error->hint));
    }
    char *json = json_dumps(list, JSON_COMPACT);
    play->json = true;
    buf_puts(&play->out, json ? json : "[]");
    free(json);
    json_decref(list);
    rw_rules_free(rules);
}
