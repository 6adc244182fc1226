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
