// SPDX-License-Identifier: Apache-2.0
// True rules from false ones, wider rules from true ones.
#include "explorer/play/work.h"

#include "api/discover/widening.h"
#include "api/rules/rules.h"
#include "base/text/markup.h"

#include <jansson.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static void put_rule(const char *text, struct buf *out)
{
    markup_in("<pre>", text, "</pre>\n", out);
    play_offer("play/rules", "prove", "Prove this rule", text, strlen(text), out);
}

static void put_repair(const json_t *repair, struct buf *out)
{
    const char *kind = text_of(repair, "kind"), *change = text_of(repair, "change");
    markup_in("<section class=\"result\">\n<h3>", kind, "", out);
    // Changes of some kinds begin with the kind.
    bool named = strncmp(change, kind, strlen(kind)) == 0;
    markup_in(named ? "" : ": ", named ? change + strlen(kind) : change, "</h3>\n", out);
    markup_in("<p>Proved in ", text_of(repair, "domains"), "", out);
    buf_printf(out, ". <span class=\"quiet\">Cost of the change: %.1f bits.</span></p>\n",
               json_number_value(json_object_get(repair, "cost")));
    put_rule(text_of(repair, "text"), out);
    buf_puts(out, "</section>\n");
}

static void put_repairs(const json_t *line, struct buf *out)
{
    const json_t *repairs = json_object_get(line, "repairs");
    markup_in("<h2>", text_of(line, "rule"), "</h2>\n", out);
    if (json_is_true(json_object_get(line, "true"))) {
        buf_puts(out, "<p>The rule is true in all domains that it claims: there is nothing to "
                      "repair.</p>\n");
        return;
    }
    if (text_of(line, "counterexample")[0])
        markup_in("<p>It is false: ", text_of(line, "counterexample"), "</p>\n", out);
    if (json_array_size(repairs) == 0)
        buf_puts(out, "<p>No true rule was found that is close to it.</p>\n");
    else if (json_array_size(repairs) == 1)
        buf_puts(out, "<p>One repair, which is proved.</p>\n");
    else
        buf_printf(out, "<p>%zu repairs, each proved, the smallest change first.</p>\n",
                   json_array_size(repairs));
    for (size_t i = 0; i < json_array_size(repairs); i++)
        put_repair(json_array_get(repairs, i), out);
}

static void put_needs(const json_t *needs, struct buf *out)
{
    for (size_t i = 0; i < json_array_size(needs); i++) {
        const json_t *need = json_array_get(needs, i);
        markup_in("<li><code>", text_of(need, "condition"), "</code> is needed", out);
        if (text_of(need, "breaks")[0])
            markup_in(": without it the sides differ at ", text_of(need, "breaks"), "", out);
        buf_puts(out, "</li>\n");
    }
}

static void put_wider(const json_t *line, struct buf *out)
{
    const json_t *variants = json_object_get(line, "variants");
    markup_in("<h2>", text_of(line, "rule"), "</h2>\n", out);
    if (!json_is_true(json_object_get(line, "wider"))) {
        const char *reason = text_of(line, "reason");
        markup_in("<p>", reason[0] ? reason : "No wider rule was found.", "</p>\n", out);
    } else {
        markup_in("<p>A wider rule, proved in ", text_of(line, "domains"), ":</p>\n", out);
        put_rule(text_of(line, "text"), out);
        buf_puts(out, "<h3>How it became wider</h3>\n<ol>\n");
        for (size_t i = 1; i < json_array_size(variants); i++) {
            const json_t *variant = json_array_get(variants, i);
            markup_in("<li>", text_of(variant, "change"), "", out);
            if (text_of(variant, "new")[0])
                markup_in(" <span class=\"quiet\">new: ", text_of(variant, "new"), "</span>", out);
            buf_puts(out, "</li>\n");
        }
        buf_puts(out, "</ol>\n");
    }
    buf_puts(out, "<ul>\n");
    put_needs(json_object_get(line, "needs"), out);
    buf_puts(out, "</ul>\n");
}

static void put_line(struct widening_run *run, bool repaired, struct buf *out)
{
    json_t *line = json_loads(buf_text(&run->json), 0, NULL);
    if (repaired)
        put_repairs(line, out);
    else
        put_wider(line, out);
    json_decref(line);
}

static void widen(struct play *play, bool repair)
{
    struct widening_run run;
    struct rw_rules *rules = play_rules(play);
    if (rules == NULL)
        return;
    widening_init(&run, 1, 0);
    for (uint32_t i = 0; i < rules->set.rules.len; i++) {
        const struct rule *rule = rules->set.rules.at[i];
        struct err err = {0};
        play_progress(play, "%s, rule %u of %u", rule->name, i + 1, rules->set.rules.len);
        if (rule_defines(rule))
            play_refuse("The rule is a definition.", &play->out);
        else if (repair)
            widening_repair(&run, rule);
        else if (strcmp(widening_generalize(&run, rule, &err), "refused") == 0)
            play_refuse(err.msg, &play->out);
        if (run.json.len > 0 && err.kind == ERR_NONE)
            put_line(&run, repair, &play->out);
        buf_clear(&run.json);
        buf_clear(&run.text);
    }
    widening_release(&run);
    rw_rules_free(rules);
}

void play_repair(struct play *play)
{
    widen(play, true);
}

void play_generalize(struct play *play)
{
    widen(play, false);
}
