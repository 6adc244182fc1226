// SPDX-License-Identifier: Apache-2.0
// Rules beside each other, and beside those of the library.
#include "explorer/play/work.h"

#include "api/questions/relatives.h"
#include "base/text/markup.h"
#include "explorer/pages/frame.h"
#include <jansson.h>

static void put_finding(const struct rw_finding *finding, struct buf *out)
{
    json_t *line = json_loads(finding->json, 0, NULL);
    const char *witness = json_string_value(json_object_get(line, "witness"));
    markup_in("<section class=\"result\">\n<h3>", finding->kind, "", out);
    for (size_t i = 0; i < finding->n_rules; i++)
        markup_in(i ? ", " : ": ", finding->rules[i], "", out);
    markup_in("</h3>\n<p class=\"quiet\">", json_string_value(json_object_get(line, "method")),
              "</p>\n", out);
    if (witness[0])
        markup_in("<pre>", witness, "</pre>\n", out);
    buf_puts(out, "</section>\n");
    json_decref(line);
}

static void put_findings(const struct rw_findings *findings, struct buf *out)
{
    size_t n = rw_findings_count(findings);
    uint32_t rules = rw_findings_effort(findings)->rules;
    buf_printf(out, "<h2>%zu %s in %u %s</h2>\n", n, n == 1 ? "finding" : "findings", rules,
               rules == 1 ? "rule" : "rules");
    if (n == 0)
        buf_puts(out, "<p>No rule says what another says, undoes it, loops, or has a "
                      "condition that excludes nothing.</p>\n");
    for (size_t i = 0; i < n; i++)
        put_finding(rw_findings_at(findings, i), out);
}

void play_lint(struct play *play)
{
    struct rw_error error;
    struct rw_rules *rules = play_rules(play);
    if (rules == NULL)
        return;
    struct rw_findings *findings = rw_lint(rules, NULL, &error);
    if (findings != NULL)
        put_findings(findings, &play->out);
    else
        play_error(&error, &play->out);
    rw_findings_free(findings);
    rw_rules_free(rules);
}

static void put_named(const char *name, struct buf *out)
{
    static const struct frame frame = {.path = "play/rules"};
    struct buf path = {0};
    const char *slash = strrchr(name, '/');
    buf_puts(&path, "rule/");
    if (slash != NULL) {
        struct buf family = {0};
        buf_write(&family, name, (size_t)(slash - name));
        frame_part(buf_text(&family), &path);
        buf_putc(&path, '/');
        buf_release(&family);
    }
    frame_part(slash ? slash + 1 : name, &path);
    frame_anchor(&frame, buf_text(&path), name, out);
    buf_release(&path);
}

static void put_known(const struct rw_known *known, struct buf *out)
{
    static const char *const says[] = {
        [RW_NOVELTY_SAME] = "The library has it, but for names and layout:",
        [RW_NOVELTY_REVERSED] = "The library has it from right to left:",
        [RW_NOVELTY_FOLLOWS] = "It follows from rules of the library:",
        [RW_NOVELTY_NEW] = "It does not follow from the rules of the library.",
        [RW_NOVELTY_UNKNOWN] = "Not known:",
    };
    markup_in("<section class=\"result\">\n<h2>", known->rule->name, "</h2>\n<p>", out);
    buf_puts(out, says[known->novelty]);
    buf_puts(out, "</p>\n<ul>\n");
    for (size_t i = 0; i < known->n_by; i++) {
        buf_puts(out, "<li>");
        put_named(known->by[i], out);
        buf_puts(out, "</li>\n");
    }
    buf_puts(out, "</ul>\n");
    if (known->reason != NULL && known->reason[0])
        markup_in("<p>", known->reason, "</p>\n", out);
    if (known->novelty == RW_NOVELTY_FOLLOWS || known->novelty == RW_NOVELTY_NEW) {
        buf_printf(out, "<p class=\"quiet\">Asked in domain %s, ", rw_domain_name(known->domain));
        if (known->instances > 0)
            buf_printf(out, "at %u instances, ", known->instances);
        else
            buf_puts(out, "for all ranks and sizes, ");
        buf_printf(out, "with %u rules that could be used.</p>\n", known->base);
    }
    buf_puts(out, "</section>\n");
}

void play_known(struct play *play)
{
    struct rw_error error;
    struct rw_query_options options = {.size = sizeof options};
    struct rw_rules *rules = play_has_database(play) ? play_rules(play) : NULL;
    if (rules == NULL)
        return;
    struct rw_knowledge *knowledge = rw_query_known(play->home->database, &options, rules, &error);
    for (size_t i = 0; knowledge != NULL && i < rw_knowledge_count(knowledge); i++)
        put_known(rw_knowledge_at(knowledge, i), &play->out);
    if (knowledge == NULL)
        play_error(&error, &play->out);
    rw_knowledge_free(knowledge);
    rw_rules_free(rules);
}

// ---- neighbours

static void put_relatives(const char *title, const relative_list *list, struct buf *out)
{
    if (list->len == 0)
        return;
    markup_in("<h3>", title, "</h3>\n<ul>\n", out);
    for (uint32_t i = 0; i < list->len; i++) {
        const struct relative *one = &list->at[i];
        struct buf name = {0};
        buf_printf(&name, "%s/%s", one->rule->family, one->rule->name);
        buf_puts(out, "<li>");
        put_named(buf_text(&name), out);
        markup_in(" <span class=\"quiet\">", one->rule->doc, "", out);
        if (one->instances > 0)
            buf_printf(out, " (at %u instances)</span></li>\n", one->instances);
        else
            buf_puts(out, " (for all ranks and sizes)</span></li>\n");
        buf_release(&name);
    }
    buf_puts(out, "</ul>\n");
}

static void put_all_relatives(const struct rule *rule, const struct relatives *relatives,
                              struct buf *out)
{
    markup_in("<section class=\"result\">\n<h2>", rule->name, "</h2>\n", out);
    if (relatives->reason[0]) {
        markup_in("<p>", relatives->reason, "</p>\n</section>\n", out);
        return;
    }
    put_relatives("More general: one step of them does all that this rule does",
                  &relatives->general, out);
    put_relatives("Derived: it follows from these together", &relatives->from, out);
    if (relatives->general.len == 0 && !relatives->follows)
        buf_puts(out, "<p>No other rule of the library does what it does, and it was not derived "
                      "from others.</p>\n");
    put_relatives("Special cases: one step of this rule does all that they do", &relatives->special,
                  out);
    if (relatives->special.len == 0)
        buf_puts(out, "<p>No rule of the library is a special case of it.</p>\n");
    buf_printf(out,
               "<p class=\"quiet\">Asked in domain %s, of %u rules whether they are special "
               "cases",
               rw_domain_name(relatives->domain), relatives->asked - relatives->left);
    if (relatives->left > 0)
        buf_printf(out, "; %u more were not asked", relatives->left);
    buf_puts(out, ".</p>\n</section>\n");
}

static void tell_relatives(void *user, const char *text)
{
    play_progress(user, "%s", text);
}

void play_relatives(struct play *play)
{
    struct rw_rules *rules = play_has_database(play) ? play_rules(play) : NULL;
    for (uint32_t i = 0; rules != NULL && i < rules->set.rules.len; i++) {
        struct rw_error error;
        struct relatives relatives;
        const struct rule *rule = rules->set.rules.at[i];
        if (relatives_find(play->home->database, rule, tell_relatives, play, &relatives, &error))
            put_all_relatives(rule, &relatives, &play->out);
        else
            play_error(&error, &play->out);
        relatives_release(&relatives);
    }
    rw_rules_free(rules);
}
