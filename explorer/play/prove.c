// SPDX-License-Identifier: Apache-2.0
// Verdicts of rules, and their errors while they are typed.
#include "explorer/play/work.h"

#include "api/rules/json.h"
#include "api/proving/lines.h"
#include "base/text/markup.h"
#include "explorer/pages/rule.h"
#include "tensor/language/op.h"

static void put_rule(const struct rw_rule *rule, struct buf *out)
{
    struct ruleset set;
    struct err err = {0};
    struct frame frame = {.path = "play/rules"};
    struct rule_page page = {.frame = &frame, .rule = rule, .set = &set, .out = out};
    ruleset_init(&set);
    page.parsed = rule_of_text(rule->source, strlen(rule->source), rule->family, &set, &err);
    markup_in("<section class=\"result\">\n<h2>", rule->name, "</h2>\n", out);
    if (page.parsed != NULL) {
        put_verdicts(&page);
        put_counterexamples(&page);
    }
    if (rule->same_as[0])
        markup_in("<p>The library has it as ", rule->same_as, ".</p>\n", out);
    buf_puts(out, "</section>\n");
    ruleset_release(&set);
}

static bool tell_rule(void *user, const struct rw_progress *at)
{
    if (at->obligations > 0)
        play_progress(user, "%llu of %llu rules judged, %llu obligations of the next decided",
                      (unsigned long long)at->done, (unsigned long long)at->total,
                      (unsigned long long)at->obligations);
    else
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
    play->kind = MESSAGE_JSON;
    buf_puts(&play->out, json ? json : "[]");
    free(json);
    json_decref(list);
    rw_rules_free(rules);
}

// The names of all operators: ["abs", ..].
void play_words(struct play *play)
{
    json_t *list = json_array();
    for (unsigned op = 0; op < N_OPS; op++)
        json_array_append_new(list, json_string(op_name((enum op)op)));
    char *json = json_dumps(list, JSON_COMPACT);
    play->kind = MESSAGE_JSON;
    buf_puts(&play->out, json ? json : "[]");
    free(json);
    json_decref(list);
}

// The obligations of a rule of the database, as SMT-LIB text.
void play_smt2(struct play *play)
{
    struct rw_error error = {0};
    struct rw_report *report =
        play_has_database(play)
            ? rw_query_rule(play->home->database, form_get(play->form, "rule"), &error)
            : NULL;
    char *text = report != NULL && rw_report_count(report) > 0
                     ? rw_rule_smt2(rw_report_rule(report, 0), &error)
                     : NULL;
    play->kind = text != NULL ? MESSAGE_TEXT : MESSAGE_REFUSED;
    if (text != NULL)
        buf_puts(&play->out, text);
    else if (play->home->database != NULL)
        buf_printf(&play->out, "%s%s%s", error.file, error.file[0] ? ": " : "", error.message);
    rw_free(text);
    rw_report_free(report);
}
