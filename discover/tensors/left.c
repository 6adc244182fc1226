// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/core.h"
#include "base/hash.h"
#include "discover/tensors/trial.h"
#include <stdlib.h>

static bool has_kind(const struct sketch *s, unsigned kind)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->node[i].kind == kind)
            return true;
    return false;
}

static bool has_literal(const struct sketch *s, unsigned what)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->node[i].kind == SKETCH_LITERAL && s->node[i].what == what)
            return true;
    return false;
}

bool search_has_literal_operand(const struct sketch *s)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->node[i].kind == SKETCH_LITERAL)
            return true;
    return false;
}

// Which generalisation of operators may hold: none where literals meet them.
static enum general most_general(const struct rule_sketch *r)
{
    bool binary =
        has_kind(&r->lhs, SKETCH_BINARY) || has_kind(&r->rhs, SKETCH_BINARY);
    bool reduce =
        has_kind(&r->lhs, SKETCH_REDUCE) || has_kind(&r->rhs, SKETCH_REDUCE);
    if (search_has_literal_operand(&r->lhs) ||
        search_has_literal_operand(&r->rhs))
        return GENERAL_NOT;
    return reduce ? GENERAL_MONOID : binary ? GENERAL_OP : GENERAL_NOT;
}

const struct rule *search_parse(struct rule_search *w, const char *text)
{
    struct err e = {0};
    return ruleset_add(w->set, text, "candidate", &e);
}

static char *text_of(struct rule_search *w, const struct rule_sketch *r)
{
    struct buf b = {0};
    rule_sketch_text(r, "_", NULL, NULL, 0, &b);
    char *text = arena_strdup(&w->mem, buf_text(&b));
    buf_release(&b);
    return text;
}

// Does the candidate stand on random ground instances of all ranks?
bool search_stands(struct rule_search *w, const struct rule *r)
{
    struct trial_result t;
    struct trial_options o = {
        .seed = w->o->seed + 17, .instances = TRIALS, .seconds = 3};
    unsigned d = rule_domains(r) & (w->o->domains ? w->o->domains : ~0u);
    // What is false of integers is false.
    static const enum domain order[] = {DOMAIN_INT, DOMAIN_REAL, DOMAIN_BOOL,
                                        DOMAIN_WORD, DOMAIN_FLOAT};
    for (unsigned i = 0; i < N_DOMAINS && o.domains == 0; i++)
        if (d >> order[i] & 1)
            o.domains = 1u << order[i];
    if (o.domains == 0)
        return false;
    trial_rule(r, &o, &t);
    w->p->broken += t.broken;
    buf_release(&t.instance);
    return !t.broken && t.instances >= 10;
}

static bool is_join(const struct sketch_node *p)
{
    return p->kind == SKETCH_CONCAT || p->kind == SKETCH_CONCAT3;
}

// The most general form that stands: classes of any rank, of at least one
// axis, of one axis; with a further class for all tensors or without.
static bool choose_form(struct rule_search *w, struct rule_candidate *c)
{
    unsigned classes = sketch_classes(&c->r.lhs), joined = 0;
    for (unsigned i = 0; i < c->r.lhs.n; i++)
        if (is_join(&c->r.lhs.node[i]))
            joined |= c->r.lhs.node[i].acts;
    for (unsigned i = 0; i < c->r.rhs.n; i++)
        if (is_join(&c->r.rhs.node[i]))
            joined |= c->r.rhs.node[i].acts;
    unsigned n = 1;
    for (unsigned k = 0; k < SKETCH_CLASSES; k++)
        n *= classes >> k & 1 ? 3 : 1;
    for (unsigned spectator = c->r.lhs.n_tensors > 0 ? 2 : 1; spectator-- > 0;)
        for (unsigned code = 0; code < n; code++) {
            unsigned x = code;
            bool fits = true;
            for (unsigned k = 0; k < SKETCH_CLASSES; k++) {
                if (!(classes >> k & 1))
                    continue;
                c->r.form[k] = (enum class_form)(x % 3);
                x /= 3;
                fits &= !(joined >> k & 1) || c->r.form[k] == CLASS_AXIS;
            }
            fits &= !c->r.lhs.relabels || c->r.form[0] == c->r.form[1];
            if (!fits)
                continue;
            c->r.spectator = spectator;
            c->text = text_of(w, &c->r);
            c->rule = search_parse(w, c->text);
            if (c->rule != NULL && search_stands(w, c->rule))
                return true;
        }
    return false;
}

static bool complete(struct rule_search *w, struct rule_candidate *c)
{
    enum general most = most_general(&c->r);
    if (most != GENERAL_NOT && !c->fallback) {
        c->r.general = most;
        if (choose_form(w, c))
            return true;
    }
    c->r.general = GENERAL_NOT;
    return choose_form(w, c);
}

// Is the completed candidate another one than all before?
bool search_is_new(struct rule_search *w, const struct rule_candidate *c)
{
    uint32_t before = w->texts.entry.len;
    return intern_str(&w->texts, c->rule->canonical) >= before;
}

bool search_offer(struct rule_search *w, struct rule_candidate *c)
{
    if (!complete(w, c))
        return false;
    vec_push(&w->wave, *c);
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
    const struct hit_choice *x = a, *y = b;
    if ((x->share >= 1) != (y->share >= 1))
        return x->share >= 1 ? -1 : 1;
    if (x->share < 1 && x->share != y->share)
        return x->share > y->share ? -1 : 1;
    if (x->hit->rhs.n_ops != y->hit->rhs.n_ops)
        return x->hit->rhs.n_ops < y->hit->rhs.n_ops ? -1 : 1;
    if (x->hit->rhs.n_slots != y->hit->rhs.n_slots)
        return x->hit->rhs.n_slots < y->hit->rhs.n_slots ? -1 : 1;
    uint64_t p = sketch_hash(&x->hit->rhs), q = sketch_hash(&y->hit->rhs);
    return (p > q) - (p < q);
}

// May the rule go this way?  Fewer operators, or as many and fewer elements;
// else any one order.
static bool downhill(const struct sketch *l, const struct table_hit *h,
                     bool *undirected)
{
    *undirected = false;
    if (h->rhs.n_ops != l->n_ops)
        return h->rhs.n_ops < l->n_ops;
    if (h->right_moved != h->left_moved)
        return h->right_moved < h->left_moved;
    if (l->n != h->rhs.n)
        return h->rhs.n < l->n;
    if (l->n_slots != h->rhs.n_slots)
        return h->rhs.n_slots < l->n_slots;
    *undirected = true;
    uint64_t a = sketch_signature(&h->rhs), b = sketch_signature(l);
    // The same operators in another order: associativity and the like.
    return a == b ? l->n_ops <= 2 : a < b;
}

// Variables of the right side must be of the left.
static bool closed(const struct sketch *l, const struct sketch *r)
{
    for (unsigned i = 0; i < r->n; i++) {
        const struct sketch_node *p = &r->node[i];
        if (p->kind == SKETCH_TENSOR &&
            (p->what >= l->n_tensors || p->classes != l->shape[p->what]))
            return false;
        if (p->kind == SKETCH_SCALAR && p->what >= l->n_scalars)
            return false;
        // Literals come from the left, unless they are all of the right.
        if (p->kind == SKETCH_LITERAL && r->n > 1 && !has_literal(l, p->what))
            return false;
    }
    return (sketch_classes(r) & ~sketch_classes(l)) == 0;
}

static void copy_texts(struct rule_search *w, struct rule_sketch *r)
{
    for (unsigned k = 0; k < SKETCH_SLOTS; k++)
        if (r->slot[k] != NULL)
            r->slot[k] = arena_strdup(&w->mem, r->slot[k]);
    for (unsigned k = 0; k < SKETCH_CLASSES; k++)
        if (r->where[k] != NULL)
            r->where[k] = arena_strdup(&w->mem, r->where[k]);
}

// Slices, paddings and constants act on a further class, too.  to[k] = new
// number of slot k; slots of the new class get values that change nothing.
static bool widen(struct sketch *s, unsigned cls, uint8_t to[SKETCH_SLOTS],
                  int16_t *slots)
{
    int16_t old[SKETCH_SLOTS];
    struct sketch before = *s;
    unsigned acting = 0;
    if (s->n_slots + 3u * s->n > SKETCH_SLOTS + 3u * s->n - 4u)
        return false;
    for (unsigned t = 0; t < s->n_tensors; t++)
        s->shape[t] |= (uint8_t)(1u << cls);
    for (unsigned i = 0; i < s->n; i++) {
        struct sketch_node *p = &s->node[i];
        if (p->kind == SKETCH_SCALAR || p->kind == SKETCH_LITERAL)
            continue;
        bool acts = p->kind == SKETCH_SLICE || p->kind == SKETCH_PAD ||
                    p->kind == SKETCH_SPLAT;
        if (p->kind == SKETCH_BINARY && p->classes == 0 &&
            s->node[p->arg[0]].kind != SKETCH_TENSOR)
            return false; // of scalars alone
        acting += acts;
        p->classes |= (uint8_t)(1u << cls);
        p->acts |= (uint8_t)((unsigned)acts << cls);
    }
    unsigned total = before.n_slots;
    for (unsigned i = 0; i < s->n; i++)
        if (s->node[i].acts >> cls & 1)
            total += sketch_node_slots(&s->node[i]);
    if (total > SKETCH_SLOTS)
        return false;
    sketch_finish(s);
    memcpy(old, slots, sizeof old);
    for (unsigned i = 0; i < s->n; i++) {
        const struct sketch_node *p = &s->node[i], *q = &before.node[i];
        unsigned n =
            sketch_node_slots(q) * (unsigned)__builtin_popcount(q->acts);
        for (unsigned k = 0; k < n; k++) {
            to[q->slot + k] = (uint8_t)(p->slot + k);
            slots[p->slot + k] = old[q->slot + k];
        }
        if (!(p->acts >> cls & 1))
            continue;
        static const int16_t slice[] = {0, 2, 1}, pad[] = {0, 0, 0},
                             splat[] = {2};
        const int16_t *from = p->kind == SKETCH_SLICE ? slice
                              : p->kind == SKETCH_PAD ? pad
                                                      : splat;
        for (unsigned k = 0; k < sketch_node_slots(p); k++)
            slots[p->slot + n + k] = from[k];
    }
    return acting > 0;
}

static bool acts_otherwise(const struct sketch *s)
{
    for (unsigned i = 0; i < s->n; i++)
        if (s->node[i].acts != 0 && s->node[i].kind != SKETCH_SLICE &&
            s->node[i].kind != SKETCH_PAD)
            return true;
    return false;
}

// The same rule with slices and paddings of another class beside: those of the
// rule itself cannot take it where it has preconditions or does other things.
static bool ride_along(struct rule_search *w, const struct rule_candidate *c,
                       const struct agreement *at, struct rng *rng,
                       struct rule_candidate *out)
{
    unsigned classes = sketch_classes(&c->r.lhs), cls = 0;
    uint8_t left[SKETCH_SLOTS], right[SKETCH_SLOTS];
    struct agreement a = *at;
    struct arena mem = {0};
    bool whole = false;
    struct other_wheres others;
    a.avoid = 0;
    while (classes >> cls)
        cls++;
    if (cls + 1 >= SKETCH_CLASSES || (c->whole && !acts_otherwise(&c->r.lhs)) ||
        c->r.lhs.n_tensors == 0)
        return false;
    *out = *c;
    for (unsigned t = 0; t < SKETCH_TENSORS; t++)
        a.world.size[t][cls] = 2;
    if (!widen(&out->r.lhs, cls, left, a.left))
        return false;
    (void)widen(&out->r.rhs, cls, right, a.right);
    memset(out->r.slot, 0, sizeof out->r.slot);
    for (unsigned k = 0; k < c->r.rhs.n_slots; k++)
        out->r.slot[right[k]] = c->r.slot[k];
    bool ok = solve_slots(&out->r, 1u << cls, &a, rng, &mem, &whole, &others,
                          &w->counts) &&
              whole;
    if (ok)
        copy_texts(w, &out->r);
    arena_release(&mem);
    return ok;
}

static bool try_pair(struct rule_search *w, const struct sketch *l,
                     const struct hit_choice *x, struct rng *rng)
{
    struct rule_candidate c = {.undirected = x->undirected}, wide;
    struct arena mem = {0};
    c.r.lhs = *l;
    c.r.rhs = x->hit->rhs;
    c.r.rhs.n_tensors = l->n_tensors;
    c.r.rhs.n_scalars = l->n_scalars;
    memcpy(c.r.rhs.shape, l->shape, sizeof l->shape);
    w->p->pairs++;
    struct other_wheres others;
    bool ok = solve_slots(&c.r, ~0u, &x->hit->at, rng, &mem, &c.whole, &others,
                          &w->counts);
    ok = ok && (c.whole || c.r.rhs.n_ops < l->n_ops || l->n_ops == 1);
    if (ok) {
        w->p->solved++;
        copy_texts(w, &c.r);
        c.permutes = sketch_signature(&c.r.lhs) == sketch_signature(&c.r.rhs);
        for (unsigned k = 0; k <= others.n; k++) {
            if (k > 0)
                c.r.where[others.cls] =
                    arena_strdup(&w->mem, others.where[k - 1]);
            if (!ride_along(w, &c, &x->hit->at, rng, &wide) ||
                !search_offer(w, &wide))
                (void)search_offer(w, &c);
        }
    }
    arena_release(&mem);
    return ok && c.whole;
}

// When does a stride or an interior not matter?  The same operator with its
// default in that place.
static void try_default(struct rule_search *w, const struct sketch *l,
                        struct rng *rng)
{
    const struct sketch_node *p = &l->node[l->n - 1];
    struct rule_candidate c = {.whole = false}, wide;
    struct agreement at;
    struct arena mem = {0};
    struct known_names k;
    struct other_wheres others;
    memset(&at, 0, sizeof at);
    if (l->n_ops != 1 || p->pin || __builtin_popcount(p->acts) != 1 ||
        (p->kind != SKETCH_SLICE && p->kind != SKETCH_PAD))
        return;
    unsigned cls = (unsigned)__builtin_ctz(p->acts);
    c.r.lhs = c.r.rhs = *l;
    known_on(l, cls, &k);
    for (uint32_t i = 0; i < k.n; i++)
        if (!k.at[i].size)
            c.r.slot[k.at[i].which] = arena_strdup(&w->mem, k.at[i].name);
    unsigned last = p->slot + 2u;
    c.r.slot[last] = arena_strdup(&w->mem, p->kind == SKETCH_SLICE ? "1" : "0");
    at.world.seed = w->o->seed;
    for (unsigned t = 0; t < SKETCH_TENSORS; t++)
        for (unsigned i = 0; i < SKETCH_CLASSES; i++)
            at.world.size[t][i] = 1;
    if (p->kind == SKETCH_SLICE) // nothing is sliced or padded
        at.left[p->slot + 1u] = at.right[p->slot + 1u] = at.left[last] =
            at.right[last] = 1;
    at.avoid = (uint8_t)(last + 1);
    at.value = p->kind == SKETCH_SLICE;
    if (solve_slots(&c.r, ~0u, &at, rng, &mem, &c.whole, &others, &w->counts) &&
        !c.whole) {
        copy_texts(w, &c.r);
        // What the default is already changes nothing.
        struct buf b = {0};
        unsigned said = 0;
        for (unsigned i = 0; i < SKETCH_CLASSES; i++)
            if (c.r.where[i] != NULL && c.r.where[i][0])
                said = i;
        buf_printf(&b, "%s%s%s != %s", c.r.where[said],
                   c.r.where[said][0] ? ", " : "", k.at[k.n - 1].name,
                   p->kind == SKETCH_SLICE ? "1" : "0");
        c.r.where[said] = arena_strdup(&w->mem, buf_text(&b));
        buf_release(&b);
        if (!ride_along(w, &c, &at, rng, &wide) || !search_offer(w, &wide))
            (void)search_offer(w, &c);
    }
    arena_release(&mem);
}

// Is there any right side to look at?
bool search_left_side(struct rule_search *w, const struct sketch *l)
{
    struct table *t = w->table;
    struct hit_vec hits = {0};
    VEC(struct hit_choice) choices = {0};
    // Rules for few values of attributes are not worth the time.
    static const double least[] = {0.05, 0.002, 0.015, 0.05};
    struct rng rng;
    uint32_t samples;
    rng_seed(&rng, hash_u64(sketch_signature(l), w->o->seed));
    table_find(t, l, &rng, &hits, &samples);
    for (uint32_t i = 0; i < hits.len; i++) {
        const struct table_hit *h = &hits.at[i];
        struct hit_choice x = {.hit = h,
                           .share = samples ? (double)h->count / samples : 0};
        if (!closed(l, &h->rhs) || sketch_same(l, &h->rhs) ||
            !downhill(l, h, &x.undirected))
            continue;
        bool single = l->n_ops == 1 && h->thin > 0 && h->count == 0;
        if (!single &&
            (l->n_slots == 0 ? x.share < 1 : x.share < least[l->n_ops & 3]))
            continue;
        // As many operators are worth it only without preconditions, which the
        // small values here may not show.
        if (h->rhs.n_ops == l->n_ops && x.share < (x.undirected   ? 1
                                                   : l->n_ops > 1 ? 0.3
                                                                  : 0))
            continue;
        // An instance may hold more often than its general form was found to.
        if (search_congruent(w, l, &h->rhs) && (x.share < 1 || l->n_slots == 0))
            continue;
        vec_push(&choices, x);
    }
    if (choices.len > 0)
        qsort(choices.at, choices.len, sizeof *choices.at, by_worth);
    uint32_t tries = l->n_ops == 1   ? 2 * TRIES
                     : l->n_ops == 2 ? TRIES
                                     : TRIES / 2;
    for (uint32_t i = 0; i < choices.len && i < tries; i++)
        if (try_pair(w, l, &choices.at[i], &rng))
            break;
    try_default(w, l, &rng);
    bool any = choices.len > 0;
    vec_release(&choices);
    vec_release(&hits);
    return any;
}
