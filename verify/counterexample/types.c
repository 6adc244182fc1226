// SPDX-License-Identifier: Apache-2.0
// Element types of a candidate: chosen, and all of them in their order.
#include "verify/counterexample/types.h"

#include "verify/obligations/element_types.h"

// Types to choose from, in their order (docs/counterexamples.md).
static const enum elem sint_types[] = {ELEM_I8, ELEM_I32, ELEM_I2, ELEM_I4, ELEM_I16, ELEM_I64};
static const enum elem uint_types[] = {ELEM_UI8, ELEM_UI32, ELEM_UI2,
                                       ELEM_UI4, ELEM_UI16, ELEM_UI64};
static const enum elem float_types[] = {ELEM_F32, ELEM_F16, ELEM_BF16, ELEM_F64};

// The kinds from which the variable's type is chosen in the domain: those that live there,
// or in the counterpart if none does.
static unsigned kinds_in(const struct rule *rule, uint32_t type, enum domain domain)
{
    unsigned kinds = rule->types[type].kinds;
    enum domain lives;
    return domain_of_kinds(kinds, domain, &lives) ? kinds & domain_kinds(lives) : kinds;
}

static bool ideal_domain(enum domain domain)
{
    return domain == DOMAIN_INT || domain == DOMAIN_REAL;
}

bool cex_elem_fits(const struct rule *rule, uint32_t type, enum domain domain, bool approximate,
                   enum elem elem)
{
    unsigned kinds = kinds_in(rule, type, domain);
    if (elem == ELEM_INT) // unsigned ones, too
        kinds = kinds & KIND_UINT ? kinds | KIND_SINT : kinds;
    if (elem == ELEM_OTHER || !(kinds & elem_kind(elem)))
        return false;
    if (elem_kind(elem) == KIND_BOOL)
        return true;
    if (ideal_domain(domain) && elem_kind(elem) == KIND_FLOAT && approximate)
        return elem == ELEM_F64;
    return elem_is_ideal(elem) == ideal_domain(domain);
}

static bool choose_type(const struct rule *rule, struct cex_case *candidate, uint32_t i,
                        uint64_t pick)
{
    unsigned kinds = kinds_in(rule, i, candidate->domain);
    enum elem elem = ELEM_OTHER;
    if (kinds & KIND_BOOL && (candidate->domain == DOMAIN_BOOL || kinds == KIND_BOOL))
        elem = ELEM_I1;
    else if (ideal_domain(candidate->domain)) {
        bool real = !(kinds & (KIND_SINT | KIND_UINT)) ||
                    (candidate->domain == DOMAIN_REAL && kinds & KIND_FLOAT);
        elem = !real ? ELEM_INT : candidate->approximate ? ELEM_F64 : ELEM_REAL;
    } else if (kinds & KIND_FLOAT &&
               !(kinds & domain_kinds(DOMAIN_WORD) && candidate->domain != DOMAIN_FLOAT)) {
        elem = float_types[pick % 4];
    } else if (kinds & KIND_SINT && (!(kinds & KIND_UINT) || pick % 2 == 0)) {
        elem = sint_types[pick / 2 % 6];
    } else if (kinds & KIND_UINT) {
        elem = uint_types[pick / 2 % 6];
    }
    candidate->elem[i] = elem;
    return cex_elem_fits(rule, i, candidate->domain, candidate->approximate, elem);
}

// Meets `wider L of S` by giving S the first type that L holds, or L one that
// holds S.
static bool widen(const struct rule *rule, struct cex_case *candidate,
                  const struct type_order *order)
{
    enum elem wide = candidate->elem[order->wide], narrow = candidate->elem[order->narrow];
    for (uint32_t k = 0; k < 2 * (uint32_t)N_ELEMS; k++) {
        enum elem elem = (enum elem)(k % N_ELEMS);
        if (elem_holds(candidate->elem[order->wide], candidate->elem[order->narrow]))
            return true;
        candidate->elem[order->wide] = wide;
        candidate->elem[order->narrow] = narrow;
        uint32_t var = k < (uint32_t)N_ELEMS ? order->narrow : order->wide;
        if (elem != ELEM_OTHER &&
            cex_elem_fits(rule, var, candidate->domain, candidate->approximate, elem))
            candidate->elem[var] = elem;
    }
    return elem_holds(candidate->elem[order->wide], candidate->elem[order->narrow]);
}

static bool wider_holds(const struct rule *rule, struct cex_case *candidate)
{
    bool ok = true;
    for (uint32_t i = 0; i < rule->n_wider; i++)
        ok = widen(rule, candidate, &rule->wider[i]) && ok;
    for (uint32_t i = 0; i < rule->n_wider; i++)
        ok = ok && elem_holds(candidate->elem[rule->wider[i].wide],
                              candidate->elem[rule->wider[i].narrow]);
    return ok;
}

bool cex_choose_types(const struct rule *rule, struct cex_case *candidate, uint32_t round,
                      struct rng *rng)
{
    uint64_t same = round < 2 ? round : rng_below(rng, CEX_TYPE_PICKS);
    bool mixed = round >= 2 && rng_below(rng, 2);
    for (uint32_t i = 0; i < rule->n_types; i++)
        if (!choose_type(rule, candidate, i, mixed ? rng_below(rng, CEX_TYPE_PICKS) : same))
            return false;
    return wider_holds(rule, candidate);
}

static const enum elem index_types[] = {ELEM_I32, ELEM_I8, ELEM_UI8, ELEM_I64};
#define N_INDEX_TYPES ((uint32_t)(sizeof index_types / sizeof *index_types))

// The types of one variable, or of the indices, in their order.
struct type_list {
    uint32_t n;
    enum elem at[N_ELEMS];
};

struct type_walker {
    const struct cex_type_walk *walk;
    struct cex_case *now; // its types are those of the choice
    struct type_list *list;
    uint32_t n; // type variables, and the indices
    uint32_t choices;
    bool stopped;
};

static void list_types(const struct rule *rule, struct cex_case *now, uint32_t i,
                       struct type_list *out)
{
    out->n = 0;
    for (uint64_t pick = 0; pick < CEX_TYPE_PICKS; pick++) {
        bool known = !choose_type(rule, now, i, pick);
        for (uint32_t k = 0; k < out->n; k++)
            known |= out->at[k] == now->elem[i];
        if (!known)
            out->at[out->n++] = now->elem[i];
    }
}

static uint32_t place_in(const struct type_list *list, enum elem elem)
{
    uint32_t i = 0;
    while (i < list->n && list->at[i] != elem)
        i++;
    return i;
}

static enum elem type_of(const struct rule *rule, const struct cex_case *candidate, uint32_t i)
{
    return i < rule->n_types ? candidate->elem[i] : candidate->index_elem;
}

// All choices from variable `at` on whose places sum up to `left`.  With `tight`, they come before
// those of the walk's bound, to whose types all variables up to `at` are equal.
static void walk_types(struct type_walker *walker, uint32_t at, uint32_t left, bool tight)
{
    const struct cex_type_walk *walk = walker->walk;
    if (at == walker->n) {
        if (left > 0 || tight || !element_types_agree(walk->rule, walker->now->elem))
            return;
        walker->stopped =
            walker->choices++ == walk->choices || !walk->visit(walk->context, walker->now);
        return;
    }
    const struct type_list *list = &walker->list[at];
    uint32_t last = list->n - 1;
    uint32_t bound = tight ? place_in(list, type_of(walk->rule, walk->before, at)) : last;
    for (uint32_t i = 0; i <= left && i <= bound && i <= last && !walker->stopped; i++) {
        *(at < walk->rule->n_types ? &walker->now->elem[at] : &walker->now->index_elem) =
            list->at[i];
        walk_types(walker, at + 1, left - i, tight && i == bound);
    }
}

void cex_walk_types(const struct cex_type_walk *walk, struct cex_case *now, struct arena *mem)
{
    const struct rule *rule = walk->rule;
    struct type_walker walker = {
        .walk = walk, .now = now, .n = rule->n_types + cex_has_index(rule)};
    uint32_t sum = 0, most = 0;
    walker.list = ARENA_NEW(mem, struct type_list, rule->n_types + 1);
    for (uint32_t i = 0; i < walker.n; i++) {
        struct type_list *list = &walker.list[i];
        if (i < rule->n_types)
            list_types(rule, now, i, list);
        else
            for (list->n = 0; list->n < N_INDEX_TYPES; list->n++)
                list->at[list->n] = index_types[list->n];
        if (list->n == 0)
            return;
        most += list->n - 1;
        if (walk->before != NULL)
            sum += place_in(list, type_of(rule, walk->before, i));
    }
    if (walk->before != NULL && sum < most)
        most = sum;
    for (uint32_t k = 0; k <= most && !walker.stopped; k++)
        walk_types(&walker, 0, k, walk->before != NULL && k == sum);
}
