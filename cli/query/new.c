// SPDX-License-Identifier: Apache-2.0
// Is my rule new?
#include "cli/query/query.h"

#include "api/rules/json.h"

static void put_json(const struct rw_known *known, struct buf *out)
{
    json_t *by = json_array();
    for (size_t i = 0; i < known->n_by; i++)
        json_array_append_new(by, json_string(known->by[i]));
    json_line(json_pack("{s:s, s:s, s:s, s:o, s:s?, s:I, s:I, s:s}", "rule", known->rule->name,
                        "hash", known->rule->hash, "novelty", rw_novelty_name(known->novelty), "by",
                        by, "domain", known->base ? rw_domain_name(known->domain) : NULL,
                        "instances", (json_int_t)known->instances, "base", (json_int_t)known->base,
                        "reason", known->reason),
              out);
}

static void put_names(const struct rw_known *known, struct buf *out)
{
    for (size_t i = 0; i < known->n_by; i++)
        buf_printf(out, "%s%s", i ? ", " : "", known->by[i]);
}

static void put_text(const struct rw_known *known, struct buf *out)
{
    buf_printf(out, "%s: ", known->rule->name);
    switch (known->novelty) {
    case RW_NOVELTY_SAME:
        buf_puts(out, "same rule as ");
        break;
    case RW_NOVELTY_REVERSED:
        buf_puts(out, "from right to left ");
        break;
    case RW_NOVELTY_FOLLOWS:
        buf_puts(out, known->n_by > 0 ? "follows from " : "the two sides are the same");
        break;
    case RW_NOVELTY_NEW:
        buf_printf(out, "new: in %s none of %u proved rules derives it (%s)",
                   rw_domain_name(known->domain), known->base, known->reason);
        break;
    case RW_NOVELTY_UNKNOWN:
        buf_printf(out, "no such rule; whether others derive it is not known: %s", known->reason);
        break;
    }
    put_names(known, out);
    if (known->novelty == RW_NOVELTY_FOLLOWS && known->instances > 0)
        buf_printf(out, " (%s, at %u instances)", rw_domain_name(known->domain), known->instances);
    else if (known->novelty == RW_NOVELTY_FOLLOWS)
        buf_printf(out, " (%s, for all ranks and sizes)", rw_domain_name(known->domain));
    buf_putc(out, '\n');
}

bool query_new(struct command_line *command, struct rw_database *database, struct buf *out,
               struct err *err)
{
    struct rw_error error;
    struct rw_query_options options = query_options(command);
    struct rw_context *context = door_open();
    struct rw_rules *rules = NULL;
    bool ok = load_set(context, command->value[OPTION_new], &rules, err);
    struct rw_knowledge *known = ok ? rw_query_known(database, &options, rules, &error) : NULL;
    if (ok && known == NULL)
        ok = door_failed(&error, err);
    for (size_t i = 0; ok && i < rw_knowledge_count(known); i++)
        (command->value[OPTION_json] ? put_json : put_text)(rw_knowledge_at(known, i), out);
    rw_knowledge_free(known);
    rw_rules_free(rules);
    rw_context_free(context);
    return ok;
}
