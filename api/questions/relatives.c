// SPDX-License-Identifier: Apache-2.0
#include "api/questions/relatives.h"

#include "api/discover/derivation.h"
#include "api/questions/rule_base.h"
#include "api/questions/shapes.h"
#include "discover/limits.h"

struct search {
    struct relatives *out;
    struct rule_base base;
    const struct rule *rule;
    enum domain domain;
    bool *without; // by number in the base
    void (*tell)(void *user, const char *text);
    void *user;
};

static void add(relative_list *list, const struct rw_rule *rule, const struct derive_answer *answer)
{
    struct relative one = {rule, answer->method == DERIVE_TERMS ? 0 : answer->instances};
    vec_push(list, one);
}

// One use of one rule, from the left side to the right one.
static struct derive_options one_step(void)
{
    struct derive_options options = derive_defaults();
    options.seconds = 0; // nodes and rounds end the search
    options.lhs_only = true;
    options.max_rounds = 1;
    return options;
}

// A rule that holds in fewer domains is not the more general one.
static bool may_do_all(const struct rule *general, const struct rule *special)
{
    return (special->claims & ~general->claims) == 0;
}

// Does one step of `general` alone do all that the other rule does?
static bool does_alone(struct search *search, const struct rule *general,
                       const struct rule *special, struct derive_answer *answer)
{
    struct derive_options options = one_step();
    struct derive_base *base = derive_base_new(search->domain, &search->out->mem);
    struct rule_status status = {.proved = 1u << search->domain};
    options.try_goal = true; // a rule of the caller's may be false
    derive_add(base, general, status);
    derive_goal(base, special, &options, &search->out->mem, answer);
    derive_base_free(base);
    return answer->status == DERIVE_YES && answer->n_used == 1;
}

// Rules that do what the rule does in one step.  All rules are asked together; of those that were
// used each is asked alone, and then left out of the next question.
static void find_general(struct search *search)
{
    struct relatives *out = search->out;
    struct derive_options options = one_step();
    options.without = search->without;
    options.try_goal = true;
    for (uint32_t i = 0; i < search->base.rules.len; i++)
        search->without[i] = !may_do_all(search->base.rules.at[i], search->rule);
    for (uint32_t n = 0; n < SEARCH_GENERAL; n++) {
        struct derive_answer together, alone;
        derive_goal(rule_base_in(&search->base, search->domain), search->rule, &options, &out->mem,
                    &together);
        if (together.status != DERIVE_YES || together.n_used == 0)
            return;
        for (uint32_t i = 0; i < together.n_used; i++) {
            uint32_t used = together.used[i];
            if (does_alone(search, search->base.rules.at[used], search->rule, &alone))
                add(&out->general, search->base.views.at[used], &alone);
            search->without[used] = true;
        }
    }
}

// Without a rule that does it alone: several that do it together.
static void find_sources(struct search *search)
{
    struct relatives *out = search->out;
    struct derive_options options = derive_defaults();
    struct derive_answer answer;
    options.seconds = 0;
    options.max_nodes = SEARCH_DERIVE_NODES;
    options.max_rounds = SEARCH_DERIVE_ROUNDS;
    options.try_goal = true;
    derive_goal(rule_base_in(&search->base, search->domain), search->rule, &options, &out->mem,
                &answer);
    out->follows = answer.status == DERIVE_YES;
    for (uint32_t i = 0; out->follows && i < answer.n_used; i++)
        add(&out->from, search->base.views.at[answer.used[i]], &answer);
}

static void add_operators(const struct rule *rule, uint32_t pat, struct operators *out)
{
    const struct pat *at = &rule->pats[pat];
    if (at->kind == PAT_OP)
        operators_add(out, at->op);
    for (uint32_t i = 0; i < at->n_args; i++)
        add_operators(rule, at->args[i], out);
}

// Only a rule whose left side has all operators of this one's can be a special case of it.
static bool may_be_special(const struct search *search, const struct operators *own,
                           const struct rule *other)
{
    struct operators has = {{0}};
    add_operators(other, other->lhs, &has);
    for (uint32_t op = 0; op < N_OPS; op++)
        if (operators_have(own, (enum op)op) && !operators_have(&has, (enum op)op))
            return false;
    return strcmp(other->hash, search->rule->hash) != 0 && may_do_all(search->rule, other);
}

static void find_special(struct search *search)
{
    struct relatives *out = search->out;
    struct operators operators = {{0}};
    add_operators(search->rule, search->rule->lhs, &operators);
    for (uint32_t i = 0; i < search->base.rules.len; i++) {
        const struct rule *other = search->base.rules.at[i];
        struct derive_answer answer;
        if (!may_be_special(search, &operators, other))
            continue;
        if (out->asked++ >= SEARCH_SPECIAL)
            out->left++;
        else if (does_alone(search, search->rule, other, &answer))
            add(&out->special, search->base.views.at[i], &answer);
    }
}

static bool find_all(struct search *search, struct err *err)
{
    struct relatives *out = search->out;
    out->domain = (enum rw_domain)search->domain;
    search->tell(search->user, "reading the rules");
    if (!rule_base_load(&search->base, err))
        return false;
    search->without = ARENA_NEW(&out->mem, bool, search->base.rules.len + 1);
    search->tell(search->user, "looking for more general rules");
    find_general(search);
    if (out->general.len == 0) {
        search->tell(search->user, "looking for rules from which it follows");
        find_sources(search);
    }
    search->tell(search->user, "looking for special cases");
    find_special(search);
    return true;
}

bool relatives_find(struct rw_database *database, const struct rule *rule,
                    void (*tell)(void *user, const char *text), void *user, struct relatives *out,
                    struct rw_error *error)
{
    struct rw_query_options options = {.size = sizeof options};
    struct err err = {0};
    *out = (struct relatives){.reason = ""};
    struct search search = {.out = out, .rule = rule, .tell = tell, .user = user};
    out->report = rw_query(database, &options, error);
    if (out->report == NULL)
        return false;
    if (rule_defines(rule) || !derivation_domain(rule, &search.domain)) {
        out->reason = "It is a definition, or claims no domain.";
        return true;
    }
    rule_base_init(&search.base, out->report, &out->mem);
    bool ok = find_all(&search, &err) || error_give(&err, error);
    rule_base_release(&search.base);
    return ok;
}

void relatives_release(struct relatives *relatives)
{
    vec_release(&relatives->general);
    vec_release(&relatives->special);
    vec_release(&relatives->from);
    rw_report_free(relatives->report);
    arena_release(&relatives->mem);
}
