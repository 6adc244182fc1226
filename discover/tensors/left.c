// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/core.h"
#include "discover/limits.h"
#include "base/hash.h"
#include "discover/tensors/trial.h"
#include <stdlib.h>

static bool has_kind(const struct sketch *sketch, unsigned kind)
{
    for (unsigned i = 0; i < sketch->n; i++)
        if (sketch->node[i].kind == kind)
            return true;
    return false;
}

static bool has_literal(const struct sketch *sketch, unsigned what)
{
    for (unsigned i = 0; i < sketch->n; i++)
        if (sketch->node[i].kind == SKETCH_LITERAL && sketch->node[i].what == what)
            return true;
    return false;
}

bool search_has_literal_operand(const struct sketch *sketch)
{
    for (unsigned i = 0; i < sketch->n; i++)
        if (sketch->node[i].kind == SKETCH_LITERAL)
            return true;
    return false;
}

// The generalization of operators that may hold; none if literals are their
// operands.
static enum general most_general(const struct rule_sketch *pair)
{
    bool binary = has_kind(&pair->lhs, SKETCH_BINARY) || has_kind(&pair->rhs, SKETCH_BINARY);
    bool reduce = has_kind(&pair->lhs, SKETCH_REDUCE) || has_kind(&pair->rhs, SKETCH_REDUCE);
    if (search_has_literal_operand(&pair->lhs) || search_has_literal_operand(&pair->rhs))
        return GENERAL_NOT;
    return reduce ? GENERAL_MONOID : binary ? GENERAL_OP : GENERAL_NOT;
}

const struct rule *search_parse(struct rule_search *search, const char *text)
{
    struct err err = {0};
    return ruleset_add(search->set, text, "candidate", &err);
}

static char *text_of(struct rule_search *search, const struct rule_sketch *pair)
{
    struct buf buf = {0};
    rule_sketch_text(pair, "_", NULL, NULL, 0, &buf);
    char *text = arena_strdup(&search->mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}

// Does the candidate hold at random ground instances of all ranks?
bool search_stands(struct rule_search *search, const struct rule *rule)
{
    struct trial_result result;
    struct trial_options options = {.seed = search->options->seed + 17, .instances = SEARCH_TRIALS};
    unsigned d = rule_domains(rule) & (search->options->domains ? search->options->domains : ~0u);
    // A rule that is false over the integers is dropped.
    static const enum domain order[] = {DOMAIN_INT, DOMAIN_REAL, DOMAIN_BOOL, DOMAIN_WORD,
                                        DOMAIN_FLOAT};
    for (unsigned i = 0; i < N_DOMAINS && options.domains == 0; i++)
        if (d >> order[i] & 1)
            options.domains = 1u << order[i];
    if (options.domains == 0)
        return false;
    trial_rule(rule, &options, &result);
    search->progress->broken += result.broken;
    buf_release(&result.instance);
    return !result.broken && result.instances >= SEARCH_TRIALS_NEEDED;
}

static bool is_join(const struct sketch_node *node)
{
    return node->kind == SKETCH_CONCAT || node->kind == SKETCH_CONCAT3;
}

// Finds the most general form that holds: classes of any rank, of at least one
// axis, or of one axis; with or without a further class for all tensors.
static bool choose_form(struct rule_search *search, struct rule_candidate *candidate)
{
    unsigned classes = sketch_classes(&candidate->pair.lhs), joined = 0;
    for (unsigned i = 0; i < candidate->pair.lhs.n; i++)
        if (is_join(&candidate->pair.lhs.node[i]))
            joined |= candidate->pair.lhs.node[i].acts;
    for (unsigned i = 0; i < candidate->pair.rhs.n; i++)
        if (is_join(&candidate->pair.rhs.node[i]))
            joined |= candidate->pair.rhs.node[i].acts;
    unsigned n = 1;
    for (unsigned k = 0; k < SKETCH_CLASSES; k++)
        n *= classes >> k & 1 ? 3 : 1;
    for (unsigned spectator = candidate->pair.lhs.n_tensors > 0 ? 2 : 1; spectator-- > 0;)
        for (unsigned code = 0; code < n; code++) {
            unsigned x = code;
            bool fits = true;
            for (unsigned k = 0; k < SKETCH_CLASSES; k++) {
                if (!(classes >> k & 1))
                    continue;
                candidate->pair.form[k] = (enum class_form)(x % 3);
                x /= 3;
                fits &= !(joined >> k & 1) || candidate->pair.form[k] == CLASS_AXIS;
            }
            fits &=
                !candidate->pair.lhs.relabels || candidate->pair.form[0] == candidate->pair.form[1];
            if (!fits)
                continue;
            candidate->pair.spectator = spectator;
            candidate->text = text_of(search, &candidate->pair);
            candidate->rule = search_parse(search, candidate->text);
            if (candidate->rule != NULL && search_stands(search, candidate->rule))
                return true;
        }
    return false;
}

static bool complete(struct rule_search *search, struct rule_candidate *candidate)
{
    enum general most = most_general(&candidate->pair);
    if (most != GENERAL_NOT && !candidate->fallback) {
        candidate->pair.general = most;
        if (choose_form(search, candidate))
            return true;
    }
    candidate->pair.general = GENERAL_NOT;
    return choose_form(search, candidate);
}

// Does the completed candidate differ from all before?
bool search_is_new(struct rule_search *search, const struct rule_candidate *candidate)
{
    uint32_t before = search->texts.entry.len;
    return intern_str(&search->texts, candidate->rule->canonical) >= before;
}

bool search_offer(struct rule_search *search, struct rule_candidate *candidate)
{
    if (!complete(search, candidate))
        return false;
    vec_push(&search->wave, *candidate);
    return true;
}

// ---- one left side

struct hit_choice {
    const struct table_hit *hit;
    double share;
    bool undirected;
};

static int by_worth(const void *a, const void *b)
{
    const struct hit_choice *choice = a, *y = b;
    if ((choice->share >= 1) != (y->share >= 1))
        return choice->share >= 1 ? -1 : 1;
    if (choice->share < 1 && choice->share != y->share)
        return choice->share > y->share ? -1 : 1;
    if (choice->hit->rhs.n_ops != y->hit->rhs.n_ops)
        return choice->hit->rhs.n_ops < y->hit->rhs.n_ops ? -1 : 1;
    if (choice->hit->rhs.n_slots != y->hit->rhs.n_slots)
        return choice->hit->rhs.n_slots < y->hit->rhs.n_slots ? -1 : 1;
    uint64_t p = sketch_hash(&choice->hit->rhs), q = sketch_hash(&y->hit->rhs);
    return (p > q) - (p < q);
}

// May the rule have this direction?  The right side must have fewer operators,
// or as many and fewer elements; else any fixed order decides.
static bool downhill(const struct sketch *sketch, const struct table_hit *hit, bool *undirected)
{
    *undirected = false;
    if (hit->rhs.n_ops != sketch->n_ops)
        return hit->rhs.n_ops < sketch->n_ops;
    if (hit->right_moved != hit->left_moved)
        return hit->right_moved < hit->left_moved;
    if (sketch->n != hit->rhs.n)
        return hit->rhs.n < sketch->n;
    if (sketch->n_slots != hit->rhs.n_slots)
        return hit->rhs.n_slots < sketch->n_slots;
    *undirected = true;
    uint64_t a = sketch_signature(&hit->rhs), b = sketch_signature(sketch);
    // The same operators in another order, as in associativity.
    return a == b ? sketch->n_ops <= 2 : a < b;
}

// Does the left side have all variables of the right side?
static bool closed(const struct sketch *l, const struct sketch *r)
{
    for (unsigned i = 0; i < r->n; i++) {
        const struct sketch_node *node = &r->node[i];
        if (node->kind == SKETCH_TENSOR &&
            (node->what >= l->n_tensors || node->classes != l->shape[node->what]))
            return false;
        if (node->kind == SKETCH_SCALAR && node->what >= l->n_scalars)
            return false;
        // Literals must occur on the left side, unless the right side is one literal.
        if (node->kind == SKETCH_LITERAL && r->n > 1 && !has_literal(l, node->what))
            return false;
    }
    return (sketch_classes(r) & ~sketch_classes(l)) == 0;
}

static void copy_texts(struct rule_search *search, struct rule_sketch *pair)
{
    for (unsigned k = 0; k < SKETCH_SLOTS; k++)
        if (pair->slot[k] != NULL)
            pair->slot[k] = arena_strdup(&search->mem, pair->slot[k]);
    for (unsigned k = 0; k < SKETCH_CLASSES; k++)
        if (pair->where[k] != NULL)
            pair->where[k] = arena_strdup(&search->mem, pair->where[k]);
}

// Makes slices, paddings and constants act on a further class.  to[k] is the
// new number of slot k; slots of the new class get values that change nothing.
static bool widen(struct sketch *sketch, unsigned cls, uint8_t to[SKETCH_SLOTS], int16_t *slots)
{
    int16_t old[SKETCH_SLOTS];
    struct sketch before = *sketch;
    unsigned acting = 0;
    if (sketch->n_slots + 3u * sketch->n > SKETCH_SLOTS + 3u * sketch->n - 4u)
        return false;
    for (unsigned t = 0; t < sketch->n_tensors; t++)
        sketch->shape[t] |= (uint8_t)(1u << cls);
    for (unsigned i = 0; i < sketch->n; i++) {
        struct sketch_node *node = &sketch->node[i];
        if (node->kind == SKETCH_SCALAR || node->kind == SKETCH_LITERAL)
            continue;
        bool acts =
            node->kind == SKETCH_SLICE || node->kind == SKETCH_PAD || node->kind == SKETCH_SPLAT;
        if (node->kind == SKETCH_BINARY && node->classes == 0 &&
            sketch->node[node->arg[0]].kind != SKETCH_TENSOR)
            return false; // the sketch has scalars only
        acting += acts;
        node->classes |= (uint8_t)(1u << cls);
        node->acts |= (uint8_t)((unsigned)acts << cls);
    }
    unsigned total = before.n_slots;
    for (unsigned i = 0; i < sketch->n; i++)
        if (sketch->node[i].acts >> cls & 1)
            total += sketch_node_slots(&sketch->node[i]);
    if (total > SKETCH_SLOTS)
        return false;
    sketch_finish(sketch);
    memcpy(old, slots, sizeof old);
    for (unsigned i = 0; i < sketch->n; i++) {
        const struct sketch_node *p = &sketch->node[i], *q = &before.node[i];
        unsigned n = sketch_node_slots(q) * (unsigned)__builtin_popcount(q->acts);
        for (unsigned k = 0; k < n; k++) {
            to[q->slot + k] = (uint8_t)(p->slot + k);
            slots[p->slot + k] = old[q->slot + k];
        }
        if (!(p->acts >> cls & 1))
            continue;
        static const int16_t slice[] = {0, 2, 1}, pad[] = {0, 0, 0}, splat[] = {2};
        const int16_t *from = p->kind == SKETCH_SLICE ? slice : p->kind == SKETCH_PAD ? pad : splat;
        for (unsigned k = 0; k < sketch_node_slots(p); k++)
            slots[p->slot + n + k] = from[k];
    }
    return acting > 0;
}

static bool acts_otherwise(const struct sketch *sketch)
{
    for (unsigned i = 0; i < sketch->n; i++)
        if (sketch->node[i].acts != 0 && sketch->node[i].kind != SKETCH_SLICE &&
            sketch->node[i].kind != SKETCH_PAD)
            return true;
    return false;
}

// Extends the rule so that slices and paddings also act on a further class,
// without precondition.  The classes of the rule itself cannot do this if they
// have preconditions or other operators.
static bool ride_along(struct rule_search *search, const struct rule_candidate *candidate,
                       const struct agreement *at, struct rng *rng, struct rule_candidate *out)
{
    unsigned classes = sketch_classes(&candidate->pair.lhs), cls = 0;
    uint8_t left[SKETCH_SLOTS], right[SKETCH_SLOTS];
    struct agreement agreement = *at;
    struct arena mem = {0};
    struct solve_result result = {.whole = false};
    struct solve_context context = {rng, &mem, &search->counts};
    agreement.avoid = 0;
    while (classes >> cls)
        cls++;
    if (cls + 1 >= SKETCH_CLASSES || (candidate->whole && !acts_otherwise(&candidate->pair.lhs)) ||
        candidate->pair.lhs.n_tensors == 0)
        return false;
    *out = *candidate;
    for (unsigned t = 0; t < SKETCH_TENSORS; t++)
        agreement.world.size[t][cls] = 2;
    if (!widen(&out->pair.lhs, cls, left, agreement.left))
        return false;
    (void)widen(&out->pair.rhs, cls, right, agreement.right);
    memset(out->pair.slot, 0, sizeof out->pair.slot);
    for (unsigned k = 0; k < candidate->pair.rhs.n_slots; k++)
        out->pair.slot[right[k]] = candidate->pair.slot[k];
    bool ok = solve_slots(&out->pair, 1u << cls, &agreement, &context, &result) && result.whole;
    if (ok)
        copy_texts(search, &out->pair);
    arena_release(&mem);
    return ok;
}

static bool try_pair(struct rule_search *search, const struct sketch *sketch,
                     const struct hit_choice *choice, struct rng *rng)
{
    struct rule_candidate candidate = {.undirected = choice->undirected}, wide;
    struct arena mem = {0};
    candidate.pair.lhs = *sketch;
    candidate.pair.rhs = choice->hit->rhs;
    candidate.pair.rhs.n_tensors = sketch->n_tensors;
    candidate.pair.rhs.n_scalars = sketch->n_scalars;
    memcpy(candidate.pair.rhs.shape, sketch->shape, sizeof sketch->shape);
    search->progress->pairs++;
    struct solve_result result = {.whole = false};
    struct solve_context context = {rng, &mem, &search->counts};
    bool ok = solve_slots(&candidate.pair, ~0u, &choice->hit->at, &context, &result);
    const struct other_wheres *others = &result.others;
    candidate.whole = result.whole;
    ok = ok && (candidate.whole || candidate.pair.rhs.n_ops < sketch->n_ops || sketch->n_ops == 1);
    if (ok) {
        search->progress->solved++;
        copy_texts(search, &candidate.pair);
        candidate.permutes =
            sketch_signature(&candidate.pair.lhs) == sketch_signature(&candidate.pair.rhs);
        for (unsigned k = 0; k <= others->n; k++) {
            if (k > 0)
                candidate.pair.where[others->cls] =
                    arena_strdup(&search->mem, others->where[k - 1]);
            if (!ride_along(search, &candidate, &choice->hit->at, rng, &wide) ||
                !search_offer(search, &wide))
                (void)search_offer(search, &candidate);
        }
    }
    arena_release(&mem);
    return ok && candidate.whole;
}

// Finds when a stride or an interior does not matter: the right side is the
// same operator with its default in that place.
static void try_default(struct rule_search *search, const struct sketch *sketch, struct rng *rng)
{
    const struct sketch_node *node = &sketch->node[sketch->n - 1];
    struct rule_candidate candidate = {.whole = false}, wide;
    struct agreement at;
    struct arena mem = {0};
    struct known_names known;
    struct solve_result result = {.whole = false};
    struct solve_context context = {rng, &mem, &search->counts};
    memset(&at, 0, sizeof at);
    if (sketch->n_ops != 1 || node->pin || __builtin_popcount(node->acts) != 1 ||
        (node->kind != SKETCH_SLICE && node->kind != SKETCH_PAD))
        return;
    unsigned cls = (unsigned)__builtin_ctz(node->acts);
    candidate.pair.lhs = candidate.pair.rhs = *sketch;
    known_on(sketch, cls, &known);
    for (uint32_t i = 0; i < known.n; i++)
        if (!known.at[i].size)
            candidate.pair.slot[known.at[i].which] = arena_strdup(&search->mem, known.at[i].name);
    unsigned last = node->slot + 2u;
    candidate.pair.slot[last] = arena_strdup(&search->mem, node->kind == SKETCH_SLICE ? "1" : "0");
    at.world.seed = search->options->seed;
    for (unsigned t = 0; t < SKETCH_TENSORS; t++)
        for (unsigned i = 0; i < SKETCH_CLASSES; i++)
            at.world.size[t][i] = 1;
    if (node->kind == SKETCH_SLICE) // values with which nothing is sliced or padded
        at.left[node->slot + 1u] = at.right[node->slot + 1u] = at.left[last] = at.right[last] = 1;
    at.avoid = (uint8_t)(last + 1);
    at.value = node->kind == SKETCH_SLICE;
    bool solved = solve_slots(&candidate.pair, ~0u, &at, &context, &result);
    candidate.whole = result.whole;
    if (solved && !candidate.whole) {
        copy_texts(search, &candidate.pair);
        // If the value is the default already, the rule changes nothing.
        struct buf buf = {0};
        unsigned said = 0;
        for (unsigned i = 0; i < SKETCH_CLASSES; i++)
            if (candidate.pair.where[i] != NULL && candidate.pair.where[i][0])
                said = i;
        buf_printf(&buf, "%s%s%s != %s", candidate.pair.where[said],
                   candidate.pair.where[said][0] ? ", " : "", known.at[known.n - 1].name,
                   node->kind == SKETCH_SLICE ? "1" : "0");
        candidate.pair.where[said] = arena_strdup(&search->mem, buf_text(&buf));
        buf_release(&buf);
        if (!ride_along(search, &candidate, &at, rng, &wide) || !search_offer(search, &wide))
            (void)search_offer(search, &candidate);
    }
    arena_release(&mem);
}

// Does any right side agree with the sketch?
bool search_left_side(struct rule_search *search, const struct sketch *sketch)
{
    struct table *table = search->table;
    struct hit_vec hits = {0};
    VEC(struct hit_choice) choices = {0};
    // Rules that hold for few values of attributes only are dropped.
    static const double least[] = {0.05, 0.002, 0.015, 0.05};
    struct rng rng;
    uint32_t samples;
    rng_seed(&rng, hash_u64(sketch_signature(sketch), search->options->seed));
    table_find(table, sketch, &rng, &hits, &samples);
    for (uint32_t i = 0; i < hits.len; i++) {
        const struct table_hit *hit = &hits.at[i];
        struct hit_choice choice = {.hit = hit,
                                    .share = samples ? (double)hit->count / samples : 0};
        if (!closed(sketch, &hit->rhs) || sketch_same(sketch, &hit->rhs) ||
            !downhill(sketch, hit, &choice.undirected))
            continue;
        bool single = sketch->n_ops == 1 && hit->thin > 0 && hit->count == 0;
        if (!single &&
            (sketch->n_slots == 0 ? choice.share < 1 : choice.share < least[sketch->n_ops & 3]))
            continue;
        // A right side with as many operators must hold without preconditions, which
        // the small values here may not show.
        if (hit->rhs.n_ops == sketch->n_ops && choice.share < (choice.undirected   ? 1
                                                               : sketch->n_ops > 1 ? 0.3
                                                                                   : 0))
            continue;
        // An instance of a kept rule may hold more often than its general form.
        if (search_congruent(search, sketch, &hit->rhs) &&
            (choice.share < 1 || sketch->n_slots == 0))
            continue;
        vec_push(&choices, choice);
    }
    if (choices.len > 0)
        qsort(choices.at, choices.len, sizeof *choices.at, by_worth);
    uint32_t tries = sketch->n_ops == 1   ? 2 * SEARCH_TRIES
                     : sketch->n_ops == 2 ? SEARCH_TRIES
                                          : SEARCH_TRIES / 2;
    for (uint32_t i = 0; i < choices.len && i < tries; i++)
        if (try_pair(search, sketch, &choices.at[i], &rng))
            break;
    try_default(search, sketch, &rng);
    bool any = choices.len > 0;
    vec_release(&choices);
    vec_release(&hits);
    return any;
}
