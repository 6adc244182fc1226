// SPDX-License-Identifier: Apache-2.0
#include "cli/verdict_text.h"
#include "cli/terminal.h"

#include <jansson.h>
#include <stdlib.h>

void decision_word(enum rw_decision decision, struct buf *out)
{
    static const enum style styles[] = {
        [RW_UNKNOWN] = STYLE_UNKNOWN, [RW_PROVED] = STYLE_YES, [RW_REFUTED] = STYLE_NO};
    put_styled(styles[decision], rw_decision_name(decision), out);
}

void verdict_words(const struct rw_rule *rule, struct buf *out)
{
    const char *separator = "";
    for (int claimed = 1; claimed >= 0; claimed--)
        for (size_t i = 0; i < rule->n_verdicts; i++) {
            const struct rw_verdict *verdict = rule->verdicts[i];
            if (verdict->claimed != (claimed == 1))
                continue;
            buf_printf(out, "%s%s ", separator, rw_domain_name(verdict->domain));
            decision_word(verdict->decision, out);
            buf_puts(out, verdict->stale ? "*" : "");
            buf_puts(out, verdict->earlier ? " (earlier)" : "");
            separator = ", ";
        }
    if (!*separator)
        buf_puts(out, "never proved");
}

static void print_arrays(const json_t *object, const char *title, struct buf *out)
{
    const char *key;
    json_t *json;
    json_object_foreach((json_t *)json_object_get(object, title), key, json)
    {
        char *text =
            json_dumps(json_object_get(json, "data") ? json_object_get(json, "data") : json,
                       JSON_COMPACT | JSON_ENCODE_ANY);
        const char *type = json_string_value(json_object_get(json, "type"));
        buf_printf(out, "      %s = %s%s%s\n", key, text ? text : "", type ? " : " : "",
                   type ? type : "");
        free(text);
    }
}

void counterexample_lines(const struct rw_verdict *verdict, struct buf *out)
{
    json_t *object = json_loads(verdict->counterexample, 0, NULL);
    buf_printf(out, "    counterexample: %s\n", verdict->counterexample_text);
    print_arrays(object, "ranks", out);
    print_arrays(object, "maps", out);
    print_arrays(object, "types", out);
    print_arrays(object, "tensors", out);
    print_arrays(object, "scalars", out);
    json_decref(object);
}

bool not_judged_lines(const struct rw_rule *rule, const char *indent, struct buf *out,
                      struct err *err)
{
    struct rw_error error;
    char *text = rw_rule_not_judged(rule, &error), *rest = NULL;
    if (text == NULL)
        return door_failed(&error, err);
    for (char *line = strtok_r(text, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest)) {
        size_t n = strcspn(line, ":");
        buf_printf(out, "%s%.*s: not judged%s\n", indent, (int)n, line, line + n);
    }
    rw_free(text);
    return true;
}

// Lines "bool: why".  Equal reasons stand in lines that follow each other or not.
static void put_narrowed(char *text, const char *domains, const char *indent, struct buf *out)
{
    char *line[RW_FLOAT + 1], *why[RW_FLOAT + 1], *rest = NULL;
    size_t n = 0;
    for (char *one = strtok_r(text, "\n", &rest); one != NULL; one = strtok_r(NULL, "\n", &rest)) {
        line[n] = one;
        why[n] = one + strcspn(one, ":");
        *why[n]++ = '\0';
        n += domains == NULL || strstr(domains, one) != NULL;
    }
    for (size_t i = 0; i < n; i++) {
        bool repeats = false;
        for (size_t k = 0; k < i; k++)
            repeats |= strcmp(why[k], why[i]) == 0;
        for (size_t k = i; k < n && !repeats; k++)
            if (strcmp(why[k], why[i]) == 0)
                buf_printf(out, "%s%s", k == i ? indent : ", ", line[k]);
        if (!repeats)
            buf_printf(out, ": not judged:%s\n", why[i]);
    }
}

void narrowed_lines(const struct rw_rule *rule, struct rw_rules *rules, const char *domains,
                    const char *indent, struct buf *out)
{
    for (size_t i = 0; i < rw_rules_count(rules); i++) {
        const struct rw_rule *one = rw_rules_at(rules, i);
        if (strcmp(one->name, rule->name) != 0 || strcmp(one->hash, rule->hash) != 0)
            continue;
        char *text = rw_rules_narrowed(rules, i);
        put_narrowed(text, domains, indent, out);
        rw_free(text);
        return;
    }
}

void not_claimed_line(const struct rw_rule *rule, const char *indent, struct buf *out)
{
    size_t n = 0;
    for (size_t i = 0; i < rule->n_verdicts; i++)
        if (!rule->verdicts[i]->claimed && rule->verdicts[i]->decision == RW_UNKNOWN)
            buf_printf(out, "%s%s", n++ == 0 ? indent : ", ",
                       rw_domain_name(rule->verdicts[i]->domain));
    if (n > 0)
        buf_printf(out, ": not claimed by the rule; add %s to its `claims` to ask for a proof\n",
                   n == 1 ? "the domain" : "them");
}
