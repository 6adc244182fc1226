// SPDX-License-Identifier: Apache-2.0
// What changed from one database to another.
#include "api/database/database.h"
#include "api/rules/report.h"

#include <stdlib.h>

struct rw_changes {
    struct rw_report *now, *before;
    VEC(struct rw_change) at;
};

const char *rw_change_name(enum rw_change_kind kind)
{
    static const char *const names[] = {
        [RW_RULE_ADDED] = "added",        [RW_RULE_REMOVED] = "removed",
        [RW_RULE_CHANGED] = "changed",    [RW_RULE_RENAMED] = "renamed",
        [RW_VERDICT_CHANGED] = "verdict",
    };
    return names[kind];
}

void rw_changes_free(struct rw_changes *changes)
{
    if (changes == NULL)
        return;
    vec_release(&changes->at);
    rw_report_free(changes->now);
    rw_report_free(changes->before);
    mem_free(changes);
}

size_t rw_changes_count(const struct rw_changes *changes)
{
    return changes->at.len;
}

const struct rw_change *rw_changes_at(const struct rw_changes *changes, size_t index)
{
    return &changes->at.at[index];
}

// The rules of a report by name and by hash.
struct sorted {
    uint32_t n;
    const struct rw_rule **by_name, **by_hash;
};
typedef int compare(const void *a, const void *b);

static int by_name(const void *a, const void *b)
{
    const struct rw_rule *x = *(const struct rw_rule *const *)a;
    const struct rw_rule *y = *(const struct rw_rule *const *)b;
    int order = strcmp(x->family, y->family);
    return order ? order : strcmp(x->name, y->name);
}

static int by_hash(const void *a, const void *b)
{
    const struct rw_rule *x = *(const struct rw_rule *const *)a;
    const struct rw_rule *y = *(const struct rw_rule *const *)b;
    return strcmp(x->hash, y->hash);
}

static const struct rw_rule **sorted_by(const struct rw_report *report, compare *by)
{
    uint32_t n = report->rules.len;
    const struct rw_rule **list = mem_alloc((n + 1) * sizeof *list);
    for (uint32_t i = 0; i < n; i++)
        list[i] = report->rules.at[i];
    qsort(list, n, sizeof *list, by);
    return list;
}

static const struct rw_rule *find(const struct rw_rule *rule, const struct rw_rule **list,
                                  uint32_t n, compare *by)
{
    const struct rw_rule **at = bsearch(&rule, list, n, sizeof *list, by);
    return at ? *at : NULL;
}

static void add(struct rw_changes *out, enum rw_change_kind kind, const struct rw_rule *rule,
                const char *before, const char *after)
{
    struct rw_change change = {kind, rule->name, rule->family, rule->hash, before, after, RW_BOOL};
    vec_push(&out->at, change);
}

static const struct rw_verdict *verdict_in(const struct rw_rule *rule, enum rw_domain domain)
{
    for (size_t i = 0; i < rule->n_verdicts; i++)
        if (rule->verdicts[i]->domain == domain)
            return rule->verdicts[i];
    return NULL;
}

static const char *decision_of(const struct rw_verdict *verdict)
{
    return verdict ? rw_decision_name(verdict->decision) : "none";
}

// A rule that has no verdict in any domain, shown or not, is one whose verdicts a library has.
static bool judged_elsewhere(const struct rw_report *report, const struct rw_rule *rule)
{
    if (rule->n_verdicts > 0)
        return false;
    for (uint32_t i = 0; i < report->stored.len; i++)
        for (uint32_t k = 0; k < report->stored.at[i].rules.len; k++) {
            const struct stored_rule *row = &report->stored.at[i].rules.at[k];
            if (strcmp(row->hash, rule->hash) == 0)
                return row->verdicts.len == 0;
        }
    return false;
}

static void add_verdicts(struct rw_changes *out, const struct rw_rule *rule,
                         const struct rw_rule *before)
{
    if (judged_elsewhere(out->now, rule) || judged_elsewhere(out->before, before))
        return;
    for (uint32_t d = 0; d < N_DOMAINS; d++) {
        const char *was = decision_of(verdict_in(before, (enum rw_domain)d));
        const char *is = decision_of(verdict_in(rule, (enum rw_domain)d));
        if (strcmp(was, is) == 0)
            continue;
        add(out, RW_VERDICT_CHANGED, rule, was, is);
        vec_last(&out->at).domain = (enum rw_domain)d;
    }
}

static void compare_rules(struct rw_changes *out, const struct sorted *now,
                          const struct sorted *before)
{
    for (uint32_t i = 0; i < now->n; i++) {
        const struct rw_rule *rule = now->by_name[i];
        const struct rw_rule *same_name = find(rule, before->by_name, before->n, by_name);
        const struct rw_rule *same_text = find(rule, before->by_hash, before->n, by_hash);
        if (same_name && strcmp(same_name->hash, rule->hash) == 0)
            same_text = same_name;
        else if (same_text)
            add(out, RW_RULE_RENAMED, rule, same_text->name, rule->name);
        else if (same_name)
            add(out, RW_RULE_CHANGED, rule, same_name->hash, rule->hash);
        else
            add(out, RW_RULE_ADDED, rule, "", "");
        if (same_text)
            add_verdicts(out, rule, same_text);
    }
    for (uint32_t i = 0; i < before->n; i++) {
        const struct rw_rule *rule = before->by_name[i];
        if (!find(rule, now->by_name, now->n, by_name) &&
            !find(rule, now->by_hash, now->n, by_hash))
            add(out, RW_RULE_REMOVED, rule, "", "");
    }
}

static struct sorted sort(const struct rw_report *report)
{
    return (struct sorted){report->rules.len, sorted_by(report, by_name),
                           sorted_by(report, by_hash)};
}

static void sorted_release(struct sorted *sorted)
{
    mem_free(sorted->by_name);
    mem_free(sorted->by_hash);
}

struct rw_changes *rw_query_diff(struct rw_database *database, struct rw_database *before,
                                 const struct rw_query_options *options, struct rw_error *error)
{
    struct rw_changes *changes = mem_alloc(sizeof *changes);
    changes->now = rw_query(database, options, error);
    changes->before = changes->now ? rw_query(before, options, error) : NULL;
    if (changes->before == NULL) {
        rw_changes_free(changes);
        return NULL;
    }
    struct sorted now = sort(changes->now), then = sort(changes->before);
    compare_rules(changes, &now, &then);
    sorted_release(&now);
    sorted_release(&then);
    return changes;
}
