// SPDX-License-Identifier: Apache-2.0
#include "api/rules/rules.h"
#include "api/rules/view.h"
#include "rules/describe/describe.h"

struct rw_rules *rw_rules_new(struct rw_context *context)
{
    struct rw_rules *rules = mem_alloc(sizeof *rules);
    rules->context = context;
    ruleset_init(&rules->set);
    return rules;
}

void rw_rules_free(struct rw_rules *rules)
{
    if (rules == NULL)
        return;
    ruleset_release(&rules->set);
    vec_release(&rules->errors);
    vec_release(&rules->seen);
    arena_release(&rules->mem);
    mem_free(rules);
}

// Keeps the errors of a call; the last one is the caller's.
static bool keep_errors(struct rw_rules *rules, bool ok, struct err_list *errs,
                        struct rw_error *error)
{
    vec_clear(&rules->errors);
    for (uint32_t i = 0; i < errs->at.len; i++) {
        struct rw_error one;
        error_give(&errs->at.at[i], &one);
        vec_push(&rules->errors, one);
    }
    if (!ok && error != NULL && errs->at.len > 0)
        *error = vec_last(&rules->errors);
    vec_release(&errs->at);
    return ok;
}

bool rw_rules_parse(struct rw_rules *rules, const char *text, size_t size, const char *file,
                    struct rw_error *error)
{
    struct err_list errs = {0};
    bool ok = ruleset_parse(&rules->set, text, size, file ? file : "", &errs);
    return keep_errors(rules, ok, &errs, error);
}

bool rw_rules_load(struct rw_rules *rules, const char *path, struct rw_error *error)
{
    struct err_list errs = {0};
    bool ok = ruleset_load(&rules->set, path, &errs);
    return keep_errors(rules, ok, &errs, error);
}

size_t rw_rules_error_count(const struct rw_rules *rules)
{
    return rules->errors.len;
}

const struct rw_error *rw_rules_error(const struct rw_rules *rules, size_t index)
{
    return &rules->errors.at[index];
}

size_t rw_rules_count(const struct rw_rules *rules)
{
    return rules->set.rules.len;
}

char *rw_rules_narrowed(const struct rw_rules *rules, size_t index)
{
    struct buf text = {0};
    rule_narrowed(rules->set.rules.at[index], &text);
    return text_give(&text);
}

const struct rw_rule *rw_rules_at(struct rw_rules *rules, size_t index)
{
    while (rules->seen.len < rules->set.rules.len)
        vec_push(&rules->seen, NULL);
    if (rules->seen.at[index] == NULL)
        rules->seen.at[index] = view_of_rule(rules->set.rules.at[index], &rules->mem);
    return rules->seen.at[index];
}
