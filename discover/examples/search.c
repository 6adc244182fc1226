// SPDX-License-Identifier: Apache-2.0
#include "discover/examples/search.h"
#include "discover/examples/cover.h"
#include "discover/examples/match.h"
#include "tensor/eval/eval.h"
#include <stdio.h>

// ---- the pair as values

uint32_t example_class(const struct pair *pair, const char *name)
{
    for (uint32_t c = 0; c < pair->classes.len; c++)
        if (strcmp(pair->classes.at[c].name, name) == 0)
            return c;
    return NONE;
}

bool pair_map_value(struct pair *pair, uint32_t cls, const char *map, uint32_t k, int64_t *out)
{
    for (uint32_t i = 0; i + 1 < pair->size_group.len; i++) {
        uint32_t node = i / pair->classes.len;
        if (i % pair->classes.len != cls || pair->size_group.at[i] != i || pair->size[i] == NULL ||
            strcmp(pair->size[i], map) != 0)
            continue;
        *out = pair->dims.at[node_class_dim(pair, node, cls, k)].size;
        return true;
    }
    for (uint32_t i = 0; i < pair->slots.len; i++) {
        const struct int_slot *slot = &pair->slots.at[i];
        if (slot->cls != cls || slot->map == NULL || strcmp(slot->map, map) != 0)
            continue;
        *out = slot->value[k];
        return true;
    }
    for (uint32_t i = 0; i < pair->constants.len; i++) {
        const struct constant *constant = &pair->constants.at[i];
        if (constant->map == NULL || strcmp(constant->map, map) != 0)
            continue;
        *out = (int64_t)constant->value.bits;
        return true;
    }
    return false;
}

bool example_is_unknown(const struct search *search, uint32_t i)
{
    const struct int_slot *slot = &search->pair->slots.at[i];
    return slot->right && !slot->index && !slot->pinned && search->choice.slot[i] == NULL;
}

static const struct rule *with_coincidences(struct search *search, const struct rule *rule)
{
    struct draft draft;
    struct err err = {0};
    draft_init(&draft, rule);
    for (uint32_t i = 0; i < search->assumed.len; i++) {
        const struct coincidence *one = &search->assumed.at[i];
        uint32_t map = map_by_name(&draft.r, one->map);
        if (!one->dropped && map != NONE)
            draft_define(&draft, map, assumed_text(search, one->text));
    }
    rule = draft_rule(&draft, &search->learner->set, &err);
    if (rule == NULL)
        pair_fails(search->pair, "what the programs' numbers have in common is no rule");
    draft_release(&draft);
    return rule;
}

const struct rule *example_write(struct search *search, uint32_t cls)
{
    struct pair *pair = search->pair;
    struct choice choice = search->choice;
    struct buf text = {0};
    struct err err = {0};
    choice.slot = ARENA_NEW(&pair->mem, const char *, pair->slots.len + 1);
    for (uint32_t i = 0; i < pair->slots.len; i++) {
        choice.slot[i] = search->choice.slot[i];
        if (cls != NONE && example_is_unknown(search, i) && pair->slots.at[i].cls != cls)
            choice.slot[i] = pair_text(pair, "%lld", (long long)pair->slots.at[i].value[0]);
    }
    pair_write(pair, &choice, &text);
    const struct rule *rule = ruleset_add(&search->learner->set, buf_text(&text), "pair", &err);
    if (rule == NULL)
        pair_fails(pair, "the programs cannot be written as one rule");
    else if (search->assumed.len > 0)
        rule = with_coincidences(search, rule);
    search->learner->n_rules++;
    buf_release(&text);
    return rule;
}

// ---- attributes that need no search

// Along a block, sizes are copied from the left side.
static void copy_sizes(struct search *search)
{
    struct pair *pair = search->pair;
    for (uint32_t i = 0; i < pair->slots.len; i++) {
        const struct int_slot *slot = &pair->slots.at[i];
        if (!example_is_unknown(search, i) || slot->attr != ATTR_SIZE ||
            !pair->classes.at[slot->cls].block)
            continue;
        for (uint32_t g = 0; g + 1 < pair->size_group.len; g++)
            if (g % pair->classes.len == slot->cls && pair->size[g] != NULL && pair->size[g][0])
                search->choice.slot[i] = pair->size[g];
    }
}

void search_open_classes(struct search *search)
{
    for (uint32_t c = 0; c < search->pair->classes.len; c++)
        search->open[c] = false;
    for (uint32_t i = 0; i < search->pair->slots.len; i++)
        if (example_is_unknown(search, i))
            search->open[search->pair->slots.at[i].cls] = true;
}

void search_forget(struct search *search)
{
    for (uint32_t i = 0; i < search->pair->slots.len; i++)
        search->choice.slot[i] = NULL;
    search_open_classes(search);
    copy_sizes(search);
}

// Preconditions on elements are known of constants only when a rule runs, so a pair is an
// instance of the rest.
static const struct rule *without_elements(struct search *search, const struct rule *rule)
{
    struct draft draft;
    struct err err = {0};
    draft_init(&draft, rule);
    for (uint32_t i = draft.r.n_wheres; i-- > 0;)
        if (draft.wheres[i].cond == NULL)
            draft_drop_where(&draft, i);
    const struct rule *open =
        draft.r.n_wheres < rule->n_wheres ? draft_rule(&draft, &search->learner->set, &err) : rule;
    draft_release(&draft);
    return open != NULL ? open : rule;
}

static bool converts(const struct pair *pair)
{
    for (uint32_t i = 0; i < pair->nodes.len; i++)
        if (pair->nodes.at[i].op == OP_CONVERT && pair->nodes.at[i].kind == NODE_OP)
            return true;
    return false;
}

// Takes a rule that the engine may use on the pair, as its elements are.  A rule that is proved
// in another domain only (integers that do not overflow) is kept for the case that there is no
// such rule.
static bool accept(struct search *search, const struct example *example, const struct rule *rule,
                   unsigned proved, struct example_rule *out)
{
    if (rule == NULL || (proved & search->domains) == 0)
        return false;
    const struct rule *open = without_elements(search, rule);
    struct rule_status status = learner_status(search->learner, rule, proved);
    enum example_match fires = example_matches(example, open, status);
    enum example_match match =
        fires != MATCH_NONE
            ? fires
            : example_matches(example, open,
                              (struct rule_status){.proved = ~0u >> (32 - N_DOMAINS)});
    bool direct = match == MATCH_NONE;
    if (direct)
        match = example_is_instance(search, example, open);
    if (match == MATCH_NONE) {
        direct = false;
        match = example_has_form(example, open);
    }
    if (match == MATCH_NONE)
        return pair_fails(
            search->pair,
            "a rule was proved, but the programs are not seen to be an instance of it");
    if (fires == MATCH_NONE && out->answer == EXAMPLE_RULE)
        return false;
    before_keep(search, rule, proved);
    out->answer = EXAMPLE_RULE;
    out->rule = rule;
    out->proved = proved;
    out->match = match;
    out->direct = direct;
    // A conversion has elements of two types: a proof for one domain may be none for the pair.
    return fires != MATCH_NONE ||
           (direct && (proved & search->fires) != 0 && !converts(search->pair));
}

// Solves class by class: first those of one axis, which others cannot do without.  Of the last one
// several solutions are tried.
static bool try_choice(struct search *search, const struct example *example,
                       struct example_rule *out)
{
    struct pair *pair = search->pair;
    struct solution solution[EXAMPLE_SOLUTIONS];
    uint32_t n = 0, last = NONE;
    unsigned proved = 0;
    for (uint32_t i = 0; i < 2 * pair->classes.len; i++) {
        uint32_t c = i % pair->classes.len;
        if (!search->open[c] || pair->classes.at[c].block ||
            pair->classes.at[c].single != (i < pair->classes.len))
            continue;
        n = solve_class(search, c, solution);
        last = c;
        for (uint32_t u = 0; n > 0 && u < solution[0].n; u++)
            search->choice.slot[solution[0].slot[u]] = solution[0].text[u];
        search->open[c] = false;
    }
    if (search->dropping && n > EXAMPLE_DROP_SOLUTIONS)
        n = EXAMPLE_DROP_SOLUTIONS;
    for (uint32_t i = 0; i < (last == NONE || n == 0 ? 1 : n); i++) {
        for (uint32_t u = 0; n > 0 && u < solution[i].n; u++)
            search->choice.slot[solution[i].slot[u]] = solution[i].text[u];
        const struct rule *rule = example_write(search, NONE);
        if (rule == NULL)
            return false;
        for (uint32_t s = 0; s < pair->slots.len; s++)
            if (example_is_unknown(search, s) && map_by_name(rule, pair->slots.at[s].map) != NONE)
                return pair_fails(pair, "no attributes were found for the right side");
        if (pat_same(rule, rule->lhs, rule->rhs)) { // both programs are this term
            out->answer = EXAMPLE_LAYOUT;
            return true;
        }
        rule = settle_rule(search, rule, &proved);
        if (accept(search, example, rule, proved, out))
            return true;
        if (search->again || search->narrower)
            return false;
    }
    return pair_fails(pair, "no rule was proved");
}

// Least ranks are asked for by a rule that failed, and are of the next try only.
static bool try_ranks(struct search *search, const struct example *example,
                      struct example_rule *out)
{
    struct pair *pair = search->pair;
    struct axis_set *as_it_was = ARENA_NEW(&pair->mem, struct axis_set, pair->classes.len + 1);
    bool found = false;
    memcpy(as_it_was, pair->classes.at, pair->classes.len * sizeof *as_it_was);
    for (int again = 0; again < 3 && search->learner->n_proofs < search->proofs && !found;
         again++) {
        search->again = search->narrower = false;
        search_forget(search);
        if (search->as_before)
            before_take(search);
        else if (search->as_left && !shared_take(search))
            break;
        uint32_t wrong = search->wrong.len;
        found = try_choice(search, example, out);
        // A counterexample may show what the right side should have been.
        bool more = search->wrong.len > wrong && search->before.rule == NULL && !search->as_left;
        if (!search->again && !more)
            break;
    }
    if (!found)
        memcpy(pair->classes.at, as_it_was, pair->classes.len * sizeof *as_it_was);
    return found;
}

bool search_ranks(struct search *search, const struct example *example, struct example_rule *out)
{
    bool found = false;
    search->as_before = search->before.rule != NULL;
    if (search->as_before)
        found = try_ranks(search, example, out);
    search->as_left = !search->as_before;
    search->as_before = false;
    if (search->as_left)
        found = try_ranks(search, example, out);
    search->as_left = false;
    return found || (out->answer == EXAMPLE_UNKNOWN && try_ranks(search, example, out));
}

static uint32_t count_bits(uint32_t mask)
{
    uint32_t n = 0;
    for (; mask; mask &= mask - 1)
        n++;
    return n;
}

// Does the mask free a constant that was a number in the rule before?  That is true of instances of
// any rule with more freed.
static bool frees_literal(const struct search *search, uint32_t mask)
{
    uint32_t bit = 0;
    for (uint32_t i = 0; i < search->pair->constants.len && bit < 32; i++) {
        const struct constant *constant = &search->pair->constants.at[i];
        if (!constant->right && (mask >> bit++ & 1) && before_literal(search, constant))
            return true;
    }
    return false;
}

static bool try_choices(struct search *search, const struct example *example,
                        struct example_rule *out)
{
    uint32_t n = 0, tried = 0;
    for (uint32_t i = 0; i < search->pair->constants.len; i++)
        n += !search->pair->constants.at[i].right;
    n = n < EXAMPLE_CONSTANTS ? n : EXAMPLE_CONSTANTS;
    for (uint32_t bits = n + 1; bits-- > 0;)
        for (uint32_t mask = 0; mask < 1u << n; mask++) {
            if (count_bits(mask) != bits || frees_literal(search, mask) ||
                tried++ > EXAMPLE_CHOICES || out->answer == EXAMPLE_RULE)
                continue;
            search_constants(search, mask);
            if (search_ranks(search, example, out))
                return true;
        }
    return false;
}

// Coincidences that the rule before could do without are not assumed again.
static void drop_as_before(struct search *search)
{
    for (uint32_t i = 0; i < search->assumed.len; i++) {
        const struct coincidence *one = before_assumed(search, search->assumed.at[i].map);
        if (one != NULL)
            search->assumed.at[i].dropped = one->dropped;
    }
}

// A rule that has hardly an instance more says with a precondition what the other one assumes.
static bool is_wider(const struct search *search, const struct example_rule *new,
                     const struct example_rule *old)
{
    return !covers_half(rule_coverage(old->rule, new->rule, old->proved, search->learner->seed));
}

// Drops coincidences one by one, as long as a rule is found: equalities of things of one kind
// first, and each only if the new rule has no equality as a precondition instead.
static void drop_coincidences(struct search *search, const struct example *example,
                              struct example_rule *out)
{
    uint32_t dropped = 0;
    const struct found_before before = search->before;
    struct found_before found = search->found;
    bool *known = ARENA_NEW(&search->pair->mem, bool, search->assumed.len + 1);
    for (uint32_t i = 0; i < search->assumed.len; i++)
        known[i] = before_assumed(search, search->assumed.at[i].map) != NULL;
    search->dropping = true;
    for (int alike = 1; alike >= 0; alike--)
        for (uint32_t i = search->assumed.len; i-- > 0 && dropped < EXAMPLE_DROPS;) {
            struct example_rule own = {.answer = EXAMPLE_UNKNOWN};
            if (search->assumed.at[i].alike != (alike == 1) || known[i])
                continue;
            dropped++;
            search->assumed.at[i].dropped = true;
            search->before = found;
            if (search_ranks(search, example, &own) && (own.proved & out->proved) == out->proved &&
                is_wider(search, &own, out))
                *out = own;
            else
                search->assumed.at[i].dropped = false;
            if (search->assumed.at[i].dropped)
                found = search->found;
        }
    search->found = found;
    search->dropping = false;
    search->before = before;
}

// Conversions: types of the pair one of which has every value of the other one.  Takes a rule that
// the engine may use on the pair, else one that is proved in more domains.
static void try_wider(struct search *search, const struct example *example,
                      struct example_rule *out)
{
    struct pair *pair = search->pair;
    const struct pool *pool = pair->terms->pool;
    uint32_t tried = 0;
    for (uint32_t a = 0; a < pair->nodes.len; a++)
        for (uint32_t b = 0; b < pair->nodes.len; b++) {
            enum elem wide = type_elem(pool, term_type(pair->terms, pair->nodes.at[a].term));
            enum elem narrow = type_elem(pool, term_type(pair->terms, pair->nodes.at[b].term));
            struct example_rule own = {.answer = EXAMPLE_UNKNOWN};
            if (type_find(pair, a) != a || type_find(pair, b) != b || wide == narrow ||
                !elem_holds(wide, narrow) || tried++ > EXAMPLE_TYPES)
                continue;
            search->choice.wider = pair_text(pair, "T%u of T%u", a, b);
            bool fires = try_choices(search, example, &own);
            if (fires || (own.answer == EXAMPLE_RULE && (out->proved & ~own.proved) == 0 &&
                          own.proved != out->proved))
                *out = own;
            if (fires)
                return;
        }
    search->choice.wider = NULL;
}

static void try_types(struct search *search, const struct example *example,
                      struct example_rule *out)
{
    bool two = converts(search->pair);
    // Other kinds of elements than those of the pair may behave otherwise.
    for (search->choice.kinds = KINDS_LIKE; search->choice.kinds <= KINDS_OWN;
         search->choice.kinds++) {
        struct example_rule same_kinds = {.answer = EXAMPLE_UNKNOWN};
        bool integers = (search->domains & (1u << DOMAIN_INT | 1u << DOMAIN_WORD)) != 0;
        // The rule with more freed is proved where the one before is.
        bool fewer = search->before.rule != NULL && search->choice.kinds > search->before.kinds;
        if (fewer || (search->choice.kinds == KINDS_OWN && !integers))
            break;
        if ((two || out->answer == EXAMPLE_UNKNOWN) && try_choices(search, example, &same_kinds)) {
            *out = same_kinds;
            return;
        }
    }
    search->choice.kinds = KINDS_ANY;
    if (two && (search->before.rule == NULL || search->before.rule->n_wider > 0))
        try_wider(search, example, out);
}

// The constants of the left side are free, as far as there are choices.
static void free_constants(struct search *search)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < search->pair->constants.len; i++)
        n += !search->pair->constants.at[i].right;
    n = n < EXAMPLE_CONSTANTS ? n : EXAMPLE_CONSTANTS;
    search_forget(search);
    search_constants(search, (1u << n) - 1);
}

static void try_level(struct search *search, const struct example *example, int level,
                      struct example_rule *out)
{
    bool fires = try_choices(search, example, out);
    if (!fires && level == 0 && out->answer == EXAMPLE_UNKNOWN)
        fires = search_counts(search, example, out);
    if (!fires && level == 0 && out->answer != EXAMPLE_LAYOUT)
        try_types(search, example, out);
    if (out->answer == EXAMPLE_RULE && level > 0)
        drop_coincidences(search, example, out);
}

// First nothing is assumed, then more and more of what the pair has in common.
bool search_levels(struct search *search, const struct example *example, struct example_rule *out)
{
    uint32_t before = 0;
    struct found_before found = {.rule = NULL};
    for (int level = search->first; level <= search->levels; level++) {
        struct example_rule own = {.answer = EXAMPLE_UNKNOWN};
        free_constants(search);
        assume_coincidences(search, level);
        drop_as_before(search);
        if (level > 0 && search->assumed.len == before)
            continue;
        before = search->assumed.len;
        try_level(search, example, level, &own);
        if (out->answer == EXAMPLE_UNKNOWN || odd_is_worse(search, out, &own)) {
            *out = own;
            found = search->found;
            search->level = level;
        }
        if (out->answer == EXAMPLE_LAYOUT ||
            (out->answer == EXAMPLE_RULE && !rule_is_odd(out->rule)))
            break;
    }
    search->found = found;
    return out->answer != EXAMPLE_UNKNOWN;
}
