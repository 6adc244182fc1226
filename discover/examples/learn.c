// SPDX-License-Identifier: Apache-2.0
// Learns a rule from a pair: the search as the pair has it, then again with more of it freed, as
// long as that ends in a wider rule; then forms; then the proof that counts.
#include "discover/examples/cover.h"
#include "discover/examples/match.h"
#include "discover/examples/search.h"
#include "verify/prove.h"

// Operands of a concatenate, or parts of tensors that other operators put together.
static uint32_t longest_list(const struct pair *pair)
{
    uint32_t n = 0, parts = 0;
    for (uint32_t i = 0; i < pair->nodes.len; i++) {
        const struct node *node = &pair->nodes.at[i];
        if (node->op == OP_CONCATENATE && node->n_args > n)
            n = node->n_args;
        parts += !node->right && node->kind == NODE_OP && node->op == OP_SLICE;
    }
    return n > parts ? n : parts;
}

static unsigned domains_of(const struct pair *pair)
{
    unsigned kinds = 0;
    for (uint32_t i = 0; i < pair->nodes.len; i++)
        kinds |=
            elem_kind(type_elem(pair->terms->pool, term_type(pair->terms, pair->nodes.at[i].term)));
    if (kinds & KIND_FLOAT)
        return 1u << DOMAIN_REAL | 1u << DOMAIN_FLOAT;
    if (kinds & (KIND_SINT | KIND_UINT))
        return 1u << DOMAIN_INT | 1u << DOMAIN_WORD;
    return 1u << DOMAIN_BOOL;
}

// Makes operators, scalars and types variables, as far as the rule stays proved and the pair
// stays an instance of it.
static void widen(struct learner *learner, const struct example *example, struct example_rule *out)
{
    struct generalize_options options = {.forms = true};
    struct generalization *general = &out->general;
    struct err err = {0};
    if (!generalize(learner, out->rule, &options, general, &err))
        return;
    for (uint32_t i = general->best; general->variants.at[i].parent != NONE;
         i = general->variants.at[i].parent) {
        const struct rule_variant *variant = &general->variants.at[i];
        enum example_match match = example_matches(
            example, variant->rule, learner_status(learner, variant->rule, variant->proved));
        // A wider rule has all instances of its parent; the matcher says so where it can.
        if (!out->direct && match < out->match)
            continue;
        out->rule = variant->rule;
        out->proved = variant->proved;
        return;
    }
}

// Proves the rule once more, from its text and with another seed, in every domain that its
// types allow.  Only what this proof says is claimed.
void search_confirm(struct learner *learner, unsigned domains, struct example_rule *out)
{
    struct draft draft;
    struct err err = {0};
    struct prove_options options = {.seed = learner->seed + 1};
    unsigned proved = 0;
    draft_init(&draft, out->rule);
    draft.r.claims = rule_domains(out->rule);
    const struct rule *rule = draft_rule(&draft, &learner->set, &err);
    if (rule != NULL && prove_rule(rule, &options, &out->report))
        for (uint32_t i = 0; i < out->report.domains.len; i++)
            if (out->report.domains.at[i].verdict == VERDICT_PROVED)
                proved |= 1u << out->report.domains.at[i].domain;
    draft.r.claims = proved;
    rule = proved ? draft_rule(&draft, &learner->set, &err) : NULL;
    draft_release(&draft);
    out->rule = rule;
    out->proved = proved;
    if (rule != NULL && (proved & domains) != 0)
        return;
    out->answer = EXAMPLE_UNKNOWN;
    out->rule = NULL;
    out->why = "the proof of the rule was not confirmed";
}

static bool has_monoid(const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        if (rule->opvars[i].kind == OPVAR_MONOID)
            return true;
    return false;
}

// What the pair's own operators do in floats.
static void ask_own(struct learner *learner, struct example_rule *out)
{
    struct draft draft;
    struct err err = {0};
    struct prove_options options = {.domains = 1u << DOMAIN_FLOAT, .seed = learner->seed};
    if (!has_monoid(out->rule) || has_monoid(out->narrow) ||
        !(rule_domains(out->narrow) >> DOMAIN_FLOAT & 1))
        return;
    draft_init(&draft, out->narrow);
    draft.r.claims = rule_domains(out->narrow);
    const struct rule *rule = draft_rule(&draft, &learner->set, &err);
    draft_release(&draft);
    out->narrow = rule;
    if (rule != NULL)
        prove_rule(rule, &options, &out->own);
}

struct rule_status example_rule_status(const struct example_rule *found)
{
    struct rule_status status = {.proved = found->proved};
    for (uint32_t i = 0; i < found->report.domains.len; i++)
        if (found->report.domains.at[i].rung == RUNG_UNINTERPRETED)
            status.uninterpreted |= found->proved & 1u << found->report.domains.at[i].domain;
    return status;
}

void example_rule_release(struct example_rule *found)
{
    report_release(&found->report);
    report_release(&found->own);
    generalization_release(&found->general);
}

// ---- what is freed

// What a search is of and what it ended in, as far as the next one asks for it.
struct attempt {
    struct freedom freedom, open; // what was freed; what is left to be freed
    int levels;                   // of coincidences
    unsigned domains;             // of the pair's elements
    struct found_before before;   // of the search before; then what was found
    struct example_rule found;
};

static bool is_freed(struct freedom f)
{
    return f.interior || f.stride || f.window || f.idle || f.constants || f.reshape || f.unfold ||
           f.rank || f.whole;
}

// A constant that is an operand of an operator which is not elementwise.
static bool has_constant_tensor(const struct pair *pair)
{
    for (uint32_t at = 0; at < pair->nodes.len; at++) {
        const struct node *node = &pair->nodes.at[at];
        for (uint32_t i = 0; i < node->n_args && !node->right; i++) {
            const struct node *operand = &pair->nodes.at[node->args[i]];
            if (operand->kind == NODE_LITERAL && operand->rank > 0 && !op_is_elementwise(node->op))
                return true;
        }
    }
    return false;
}

static bool has_idle(const struct pair *pair)
{
    for (uint32_t d = 0; d < pair->dims.len; d++) {
        const struct node *node = &pair->nodes.at[pair->dims.at[d].node];
        uint32_t n;
        if (!node->right && node->kind == NODE_OP &&
            (node->op == OP_SLICE || node->op == OP_PAD || node->op == OP_DYNAMIC_SLICE ||
             node->op == OP_DYNAMIC_UPDATE_SLICE) &&
            attribute_forms(node->op, &n) != NULL && dim_is_idle(pair, d) &&
            !pair->classes.at[pair->class_of.at[d]].block)
            return true;
    }
    return false;
}

// A reshape that is not of all axes to others, where every other operator is elementwise.
static bool has_partial(const struct pair *pair)
{
    bool partial = false;
    for (uint32_t i = 0; i < pair->nodes.len; i++) {
        const struct node *node = &pair->nodes.at[i];
        if (node->kind != NODE_OP || op_is_elementwise(node->op))
            continue;
        if (node->op != OP_RESHAPE)
            return false;
        const struct dim_group *group = &pair->groups.at[node->group];
        partial = partial || node->n_groups != 1 || group->n_to < node->rank || group->n_from == 0;
    }
    return partial;
}

// What the pair has that may be freed.
static struct freedom openings(struct pair *pair)
{
    struct freedom open = {.idle = has_idle(pair),
                           .constants = has_constant_tensor(pair),
                           .rank = !pair_has_plain(pair),
                           .whole = has_partial(pair)};
    // A last reshape that both programs have says nothing of the rule: it stays as small as it is.
    bool last = reshape_has_units(pair, pair->before) && reshape_has_units(pair, pair->after);
    for (uint32_t i = 0; i < pair->nodes.len; i++)
        open.reshape = open.reshape || (reshape_has_units(pair, i) &&
                                        !(last && (i == pair->before || i == pair->after)));
    for (uint32_t i = 0; i < pair->slots.len; i++) {
        const struct int_slot *slot = &pair->slots.at[i];
        enum op op = pair->nodes.at[slot->node].op;
        if (slot->right || !slot->pinned)
            continue;
        open.interior = open.interior || op == OP_PAD;
        open.stride = open.stride || op == OP_SLICE;
        open.window = open.window || op == OP_REDUCE_WINDOW;
    }
    return open;
}

// ---- one search

bool search_open(struct search *search, struct pair *pair, const struct example *example,
                 struct freedom freedom)
{
    search->pair = pair;
    if (!pair_read(pair, &example->program->terms, freedom, example->plain[0],
                   freedom.unfold ? example->unfolded : example->plain[1]) ||
        !pair_classes(pair) || !pair_slots(pair))
        return false;
    search->domains = domains_of(pair);
    search->fires = search->domains & ~(1u << DOMAIN_INT);
    search->longest_list = longest_list(pair);
    search->open = ARENA_NEW(&pair->mem, bool, pair->classes.len + 1);
    search->choice = (struct choice){
        .constant = ARENA_NEW(&pair->mem, enum constant_mode, pair->constants.len + 1),
        .as = ARENA_NEW(&pair->mem, const char *, pair->constants.len + 1),
        .slot = ARENA_NEW(&pair->mem, const char *, pair->slots.len + 1)};
    return true;
}

void search_close(struct search *search)
{
    vec_release(&search->assumed);
    vec_release(&search->wrong);
    vec_release(&search->hopeless);
    pair_release(search->pair);
}

static void search_pair(struct learner *learner, const struct example *example,
                        struct attempt *attempt, uint32_t proofs)
{
    struct pair pair;
    struct search search = {.learner = learner,
                            .levels = attempt->levels,
                            .proofs = learner->n_proofs + proofs,
                            .before = attempt->before};
    // What was found with coincidences is not found without them if more is free, unless what is
    // freed changes the programs' form.
    if (attempt->before.rule != NULL && !attempt->freedom.constants && !attempt->freedom.reshape &&
        !attempt->freedom.unfold && !attempt->freedom.whole)
        search.first = attempt->levels;
    struct example_rule *out = &attempt->found;
    if (search_open(&search, &pair, example, attempt->freedom)) {
        attempt->domains = search.domains;
        search_levels(&search, example, out);
        attempt->levels = search.level;
        attempt->before = search.found;
        attempt->open = openings(&pair);
        attempt->open.unfold = example->unfolded.v != example->plain[1].v;
    }
    if (out->answer == EXAMPLE_UNKNOWN)
        out->why = arena_strdup(&learner->set.mem, search.reason ? search.reason
                                                   : pair.why    ? pair.why
                                                                 : "no rule was proved");
    search_close(&search);
}

// The search with `freedom`.  Its rule is taken if it is proved and matches as the one before, and
// has no further precondition.
static bool try_freedom(struct learner *learner, const struct example *example,
                        struct freedom freedom, struct attempt *attempt)
{
    struct attempt next = {.freedom = freedom,
                           .levels = attempt->levels,
                           .before = attempt->before,
                           .found = {.answer = EXAMPLE_UNKNOWN}};
    const struct example_rule *old = &attempt->found, *new = &next.found;
    // The engine does not know that a reduction over an axis of size 1 is a reshape, so the rule
    // with reductions does not seem to cover the one with reshapes.
    if (freedom.unfold && !attempt->freedom.unfold)
        next.before = (struct found_before){.rule = NULL};
    search_pair(learner, example, &next, EXAMPLE_PROOFS / 2);
    // What is not wider is only longer.
    if (new->answer != EXAMPLE_RULE || (new->proved & old->proved) != old->proved ||
        (new->match < old->match && !freedom.unfold) || !rule_says_more(new->rule, old->rule) ||
        new->rule->n_wider > old->rule->n_wider ||
        covers_most(rule_coverage(old->rule, new->rule, old->proved, learner->seed)))
        return false;
    *attempt = next;
    return true;
}

static struct freedom joined(struct freedom a, struct freedom b)
{
    return (struct freedom){
        a.interior || b.interior, a.stride || b.stride,       a.window || b.window,
        a.idle || b.idle,         a.constants || b.constants, a.reshape || b.reshape,
        a.unfold || b.unfold,     a.rank || b.rank,           a.whole || b.whole};
}

// All at once, then one by one.
static void free_all(struct learner *learner, const struct example *example,
                     struct attempt *attempt)
{
    struct freedom open = attempt->open;
    const struct freedom one[] = {
        {.interior = open.interior}, {.stride = open.stride},       {.window = open.window},
        {.idle = open.idle},         {.constants = open.constants}, {.reshape = open.reshape},
        {.unfold = open.unfold},     {.rank = open.rank},           {.whole = open.whole}};
    uint32_t n = 0;
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        n += is_freed(one[i]);
    if (n > 1 && try_freedom(learner, example, open, attempt))
        return;
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        if (is_freed(one[i]))
            try_freedom(learner, example, joined(attempt->freedom, one[i]), attempt);
}

static bool is_empty(const struct example *example)
{
    const struct terms *terms = &example->program->terms;
    type_id type = term_type(terms, example->before);
    for (uint32_t i = 0; type_is_tensor(terms->pool, type) && i < type_rank(terms->pool, type); i++)
        if (type_dims(terms->pool, type)[i] == 0)
            return true;
    return false;
}

// The rule is one of the parts that differ, if these are equal by themselves.
static bool learn_inner(struct learner *learner, const struct example *example,
                        struct example_rule *out)
{
    struct example part = {.program = example->program,
                           .before = example->inner[0],
                           .after = example->inner[1],
                           .plain = {example->inner[0], example->inner[1]},
                           .unfolded = example->inner_unfolded,
                           .inner = {NO_TERM, NO_TERM}};
    if (example->inner[0].v == NO_TERM.v)
        return false;
    learn_example(learner, &part, out);
    if (out->answer == EXAMPLE_RULE)
        return true;
    example_rule_release(out);
    return false;
}

void learn_example(struct learner *learner, const struct example *example, struct example_rule *out)
{
    struct attempt attempt = {.levels = EXAMPLE_LEVELS, .found = {.answer = EXAMPLE_UNKNOWN}};
    *out = attempt.found;
    out->match = example_matches(example, NULL, (struct rule_status){0});
    if (out->match == MATCH_LAYOUT) {
        out->answer = EXAMPLE_LAYOUT;
        return;
    }
    if (learn_inner(learner, example, out))
        return;
    *out = attempt.found;
    learner->empty = is_empty(example);
    search_pair(learner, example, &attempt, EXAMPLE_PROOFS);
    if (attempt.found.answer == EXAMPLE_UNKNOWN && example->unfolded.v != example->plain[1].v) {
        attempt.freedom.unfold = true;
        search_pair(learner, example, &attempt, EXAMPLE_PROOFS);
    }
    if (attempt.found.answer == EXAMPLE_RULE)
        free_all(learner, example, &attempt);
    *out = attempt.found;
    out->narrow = out->rule;
    if (out->answer == EXAMPLE_RULE)
        widen(learner, example, out);
    if (out->answer == EXAMPLE_RULE)
        search_confirm(learner, attempt.domains, out);
    if (out->answer == EXAMPLE_RULE)
        ask_own(learner, out);
}
