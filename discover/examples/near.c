// SPDX-License-Identifier: Apache-2.0
// Of a pair that is not equal: the rule is written as it would be if it were, and repaired
// (discover/repair/repair.h).  The repair is true; the pair is no instance of it.
#include "discover/examples/search.h"
#include "discover/repair/repair.h"

// Attributes that are not solved for have the pair's values, if all axes have one.
static void take_values(struct search *search)
{
    struct pair *pair = search->pair;
    for (uint32_t i = 0; i < pair->slots.len; i++) {
        const struct int_slot *slot = &pair->slots.at[i];
        if (example_is_unknown(search, i))
            search->choice.slot[i] = pair_text(pair, "%lld", (long long)slot->value[0]);
    }
}

// The rule that the pair would be an instance of.
static const struct rule *guess(struct search *search, uint32_t constants)
{
    struct pair *pair = search->pair;
    struct solution solution[EXAMPLE_SOLUTIONS];
    search_forget(search);
    search_constants(search, constants);
    for (uint32_t c = 0; c < pair->classes.len; c++) {
        if (!search->open[c] || pair->classes.at[c].block)
            continue;
        uint32_t n = solve_class(search, c, solution);
        for (uint32_t u = 0; n > 0 && u < solution[0].n; u++)
            search->choice.slot[solution[0].slot[u]] = solution[0].text[u];
        search->open[c] = false;
    }
    take_values(search);
    const struct rule *rule = example_write(search, NONE);
    return rule == NULL || pat_same(rule, rule->lhs, rule->rhs) ? NULL : rule;
}

static const struct rule *claiming(struct search *search, const struct rule *rule)
{
    struct draft draft;
    struct err err = {0};
    draft_init(&draft, rule);
    draft.r.claims = rule_domains(rule) & search->domains & ~(1u << DOMAIN_FLOAT);
    rule = draft.r.claims != 0 ? draft_rule(&draft, &search->learner->set, &err) : NULL;
    draft_release(&draft);
    return rule;
}

static void keep(struct search *search, const struct rule *rule, unsigned proved,
                 const char *change, struct example_rule *out)
{
    out->answer = EXAMPLE_RULE;
    out->rule = rule;
    out->proved = proved;
    out->change = change;
    search_confirm(search->learner, search->domains, out);
}

// Is the rule one of elements that are all known?
static bool is_trivial(const struct rule *rule)
{
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        const struct pat *pattern = &rule->pats[rule->wheres[w].pat];
        if (rule->wheres[w].cond == NULL && pattern->kind == PAT_OP && pattern->op == OP_COMPARE &&
            pattern->dir == CMP_EQ)
            return true;
    }
    return false;
}

static void repair(struct search *search, const struct rule *rule, struct example_rule *out)
{
    struct repair_options options = {.most = 4, .proofs = EXAMPLE_NEAR_PROOFS};
    struct repairs found;
    repair_rule(search->learner, rule, &options, &found);
    if (found.is_true)
        keep(search, rule, rule->claims, "", out);
    for (uint32_t i = 0; i < found.at.len && out->rule == NULL; i++)
        if ((found.at.at[i].proved & search->domains) != 0 && !is_trivial(found.at.at[i].rule))
            keep(search, found.at.at[i].rule, found.at.at[i].proved,
                 arena_strdup(&search->learner->set.mem, found.at.at[i].what), out);
    repairs_release(&found);
}

void learn_near(struct learner *learner, const struct example *example, struct example_rule *out)
{
    struct pair pair;
    struct search search = {.learner = learner, .near = true};
    *out = (struct example_rule){.answer = EXAMPLE_UNKNOWN};
    if (search_open(&search, &pair, example, (struct freedom){0})) {
        search.choice.kinds = KINDS_LIKE;
        for (uint32_t free = 2; free-- > 0 && out->rule == NULL;) {
            const struct rule *rule = guess(&search, free ? (1u << EXAMPLE_CONSTANTS) - 1 : 0);
            if (rule != NULL)
                rule = claiming(&search, rule);
            if (rule != NULL)
                repair(&search, rule, out);
            if (pair.constants.len == 0)
                break;
        }
    }
    search_close(&search);
}
