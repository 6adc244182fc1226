// SPDX-License-Identifier: Apache-2.0
#include "discover/search.h"
#include "base/clock.h"
#include "base/hash.h"
#include "discover/crew.h"
#include "discover/derive.h"
#include "discover/answers.h"
#include "discover/table.h"
#include "discover/trial.h"
#include "verify/pool.h"
#include <stdlib.h>

enum {
    WAVE = 32,    // left sides between two rounds of proofs
    TRIES = 4,    // right sides of one left side that are solved for
    TRIALS = 150, // ground instances before a proof
    PINS = 4,     // ways to leave strides and interiors out
};

struct kept {
    struct rule_sketch r;
    bool whole;
    bool permutes; // one sketch on both sides but for names: no direction
};
struct kept_pair {
    struct sketch pair;
    bool spectator, any_binary;
};
struct candidate {
    struct rule_sketch r;
    char *text;
    const struct rule *rule;
    bool whole, undirected, permutes;
    unsigned proved, uninterpreted; // masks
    bool refuted;
    uint64_t number;
    const struct rule *given; // a candidate that was not found here
    bool fallback; // general operators failed: the concrete ones again
};
struct sizes { // sketches of one number of classes
    struct enumeration e;
    struct sketch_vec of[8];
    struct sketch_vec parts[8]; // of them, those no kept rule rewrites
};
struct search {
    const struct search_options *o;
    struct ruleset *set;
    struct found_rules *out;
    struct search_progress *p;
    struct arena mem;
    VEC(struct kept) kept;
    VEC(struct candidate) wave;
    VEC(struct sketch) lefts; // to be looked at together
    VEC(uint32_t) number;     // of each, among those of its size
    struct table *table;
    VEC(uint32_t) asked; // of the left sides, those the journal has not
    VEC(struct answer) answer;
    struct arena step;
    VEC(uint32_t) promising; // left sides with a choice: pins are looked at
    VEC(struct kept_pair) pairs;
    struct answers journal;
    struct derive_base *base; // kept rules, in the integers
    struct intern texts;      // candidates that were judged
    struct intern names;
    struct solve_counts counts;
    double begin, shown;
    bool ended;
    struct err *e;
    bool failed;
};

static void show(struct search *w, bool now)
{
    double t = clock_wall();
    w->p->seconds = t - w->begin;
    w->p->kept = w->out->at.len;
    if (w->o->progress != NULL && (now || t - w->shown > 0.5)) {
        w->shown = t;
        w->o->progress(w->o->ctx, w->p);
    }
    w->ended |= w->o->seconds > 0 && w->p->seconds > w->o->seconds;
}

// ---- what kept rules say already

static bool rewrites(const struct kept *k, const struct sketch *s,
                     unsigned node)
{
    return sketch_matches(&k->r.lhs, k->r.spectator,
                          k->r.general != GENERAL_NOT, false, s, node);
}

// Does a rule without preconditions rewrite the sketch somewhere?
static bool reducible(const struct search *w, const struct sketch *s)
{
    for (uint32_t i = 0; i < w->kept.len; i++) {
        const struct kept *k = &w->kept.at[i];
        if (!k->whole || k->permutes || k->r.lhs.n_ops > s->n_ops)
            continue;
        for (unsigned n = s->n; n-- > 0;)
            if (rewrites(k, s, n))
                return true;
    }
    return false;
}

// Both sides below one node, so that pairs are matched as terms are.
static bool pair_of(const struct sketch *l, const struct sketch *r,
                    struct sketch *out)
{
    unsigned root = l->n - 1u;
    *out = *l;
    if (l->n + r->n + 1 > SKETCH_NODES)
        return false;
    for (unsigned i = 0; i < r->n; i++) {
        struct sketch_node p = r->node[i];
        for (unsigned k = 0; k < 3; k++)
            p.arg[k] = (uint8_t)(p.arg[k] + root + 1);
        out->node[out->n++] = p;
    }
    unsigned right = out->n - 1u;
    out->node[out->n++] =
        (struct sketch_node){.kind = SKETCH_CONCAT,
                             .what = 9,
                             .arg = {(uint8_t)root, (uint8_t)right}};
    return true;
}

// Is the pair, or its reverse, an instance of a kept one with other variables
// for its variables?  (Where two of them become one more may hold.)
static bool known_pair(const struct search *w, const struct sketch *l,
                       const struct sketch *r)
{
    struct sketch s, t;
    if (!pair_of(l, r, &s) || !pair_of(r, l, &t))
        return false;
    for (uint32_t i = 0; i < w->pairs.len; i++) {
        const struct kept_pair *p = &w->pairs.at[i];
        if (p->pair.n <= s.n &&
            (sketch_matches(&p->pair, p->spectator, p->any_binary, true, &s,
                            s.n - 1u) ||
             sketch_matches(&p->pair, p->spectator, p->any_binary, true, &t,
                            t.n - 1u)))
            return true;
    }
    return false;
}

static void keep_pair(struct search *w, const struct rule_sketch *r)
{
    struct kept_pair p = {.spectator = r->spectator,
                          .any_binary = r->general != GENERAL_NOT};
    if (pair_of(&r->lhs, &r->rhs, &p.pair))
        vec_push(&w->pairs, p);
}

// Instances of kept pairs, below operators that both sides share.
static bool congruent(const struct search *w, const struct sketch *l,
                      const struct sketch *r)
{
    struct sketch a = *l, b = *r;
    for (;;) {
        const struct sketch_node *p = &a.node[a.n - 1], *q = &b.node[b.n - 1];
        struct sketch x[3], y[3];
        unsigned differ = 0, which = 0;
        if (known_pair(w, &a, &b))
            return true;
        if (p->kind != q->kind || p->what != q->what || p->acts != q->acts ||
            sketch_arity(p->kind) == 0 ||
            sketch_node_slots(p) + sketch_node_slots(q) > 0)
            return false;
        for (unsigned k = 0; k < sketch_arity(p->kind); k++) {
            sketch_below(&a, p->arg[k], &x[k]);
            sketch_below(&b, q->arg[k], &y[k]);
            if (!sketch_same(&x[k], &y[k])) {
                differ++;
                which = k;
            }
        }
        if (differ != 1)
            return differ == 0;
        a = x[which];
        b = y[which];
    }
}

// ---- candidates

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

static bool has_literal_operand(const struct sketch *s)
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
    if (has_literal_operand(&r->lhs) || has_literal_operand(&r->rhs))
        return GENERAL_NOT;
    return reduce ? GENERAL_MONOID : binary ? GENERAL_OP : GENERAL_NOT;
}

static const struct rule *parse(struct search *w, const char *text)
{
    struct err e = {0};
    return ruleset_add(w->set, text, "candidate", &e);
}

static char *text_of(struct search *w, const struct rule_sketch *r)
{
    struct buf b = {0};
    rule_sketch_text(r, "_", NULL, NULL, 0, &b);
    char *text = arena_strdup(&w->mem, buf_text(&b));
    buf_release(&b);
    return text;
}

// Does the candidate stand on random ground instances of all ranks?
static bool stands(struct search *w, const struct rule *r)
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
static bool choose_form(struct search *w, struct candidate *c)
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
            c->rule = parse(w, c->text);
            if (c->rule != NULL && stands(w, c->rule))
                return true;
        }
    return false;
}

static bool complete(struct search *w, struct candidate *c)
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
static bool is_new(struct search *w, const struct candidate *c)
{
    uint32_t before = w->texts.entry.len;
    return intern_str(&w->texts, c->rule->canonical) >= before;
}

static bool offer(struct search *w, struct candidate *c)
{
    if (!complete(w, c))
        return false;
    vec_push(&w->wave, *c);
    return true;
}

// ---- one left side

struct choice {
    const struct table_hit *hit;
    double share;
    bool undirected;
};

static int by_worth(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;
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

static void copy_texts(struct search *w, struct rule_sketch *r)
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
static bool ride_along(struct search *w, const struct candidate *c,
                       const struct agreement *at, struct rng *rng,
                       struct candidate *out)
{
    unsigned classes = sketch_classes(&c->r.lhs), cls = 0;
    uint8_t left[SKETCH_SLOTS], right[SKETCH_SLOTS];
    struct agreement a = *at;
    struct arena mem = {0};
    bool whole = false;
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
    bool ok =
        solve_slots(&out->r, 1u << cls, &a, rng, &mem, &whole, &w->counts) &&
        whole;
    if (ok)
        copy_texts(w, &out->r);
    arena_release(&mem);
    return ok;
}

static bool try_pair(struct search *w, const struct sketch *l,
                     const struct choice *x, struct rng *rng)
{
    struct candidate c = {.undirected = x->undirected}, wide;
    struct arena mem = {0};
    c.r.lhs = *l;
    c.r.rhs = x->hit->rhs;
    c.r.rhs.n_tensors = l->n_tensors;
    c.r.rhs.n_scalars = l->n_scalars;
    memcpy(c.r.rhs.shape, l->shape, sizeof l->shape);
    w->p->pairs++;
    bool ok =
        solve_slots(&c.r, ~0u, &x->hit->at, rng, &mem, &c.whole, &w->counts);
    ok = ok && (c.whole || c.r.rhs.n_ops < l->n_ops || l->n_ops == 1);
    if (ok) {
        w->p->solved++;
        copy_texts(w, &c.r);
        c.permutes = sketch_signature(&c.r.lhs) == sketch_signature(&c.r.rhs);
        if (!ride_along(w, &c, &x->hit->at, rng, &wide) || !offer(w, &wide))
            (void)offer(w, &c);
    }
    arena_release(&mem);
    return ok && c.whole;
}

// When does a stride or an interior not matter?  The same operator with its
// default in that place.
static void try_default(struct search *w, const struct sketch *l,
                        struct rng *rng)
{
    const struct sketch_node *p = &l->node[l->n - 1];
    struct candidate c = {.whole = false}, wide;
    struct agreement at;
    struct arena mem = {0};
    struct known k;
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
    if (solve_slots(&c.r, ~0u, &at, rng, &mem, &c.whole, &w->counts) &&
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
        if (!ride_along(w, &c, &at, rng, &wide) || !offer(w, &wide))
            (void)offer(w, &c);
    }
    arena_release(&mem);
}

// Is there any right side to look at?
static bool left_side(struct search *w, const struct sketch *l)
{
    struct table *t = w->table;
    struct hit_vec hits = {0};
    VEC(struct choice) choices = {0};
    // Rules for few values of attributes are not worth the time.
    static const double least[] = {0.05, 0.002, 0.015, 0.05};
    struct rng rng;
    uint32_t samples;
    rng_seed(&rng, hash_u64(sketch_signature(l), w->o->seed));
    table_find(t, l, &rng, &hits, &samples);
    for (uint32_t i = 0; i < hits.len; i++) {
        const struct table_hit *h = &hits.at[i];
        struct choice x = {.hit = h,
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
        if (congruent(w, l, &h->rhs) && (x.share < 1 || l->n_slots == 0))
            continue;
        vec_push(&choices, x);
    }
    if (choices.len > 0)
        qsort(choices.at, choices.len, sizeof *choices.at, by_worth);
    uint32_t tries = l->n_ops == 1 ? 2 * TRIES : TRIES;
    for (uint32_t i = 0; i < choices.len && i < tries; i++)
        if (try_pair(w, l, &choices.at[i], &rng))
            break;
    try_default(w, l, &rng);
    bool any = choices.len > 0;
    vec_release(&choices);
    vec_release(&hits);
    return any;
}

// ---- left sides in other processes

static void send_text(const char *text, struct buf *out)
{
    uint32_t n = text != NULL ? (uint32_t)strlen(text) + 1 : 0;
    buf_write(out, &n, sizeof n);
    buf_write(out, text, n);
}

static char *take_text(struct search *w, const char **at)
{
    uint32_t n;
    memcpy(&n, *at, sizeof n);
    *at += sizeof n;
    char *text = n > 0 ? arena_strndup(&w->mem, *at, n - 1) : NULL;
    *at += n;
    return text;
}

struct sent {
    uint64_t pairs, solved, broken, fits, evaluations;
    uint32_t candidates;
    bool promising;
};

static void work(void *ctx, uint32_t job, struct buf *out)
{
    struct search *w = ctx;
    struct search_progress before = *w->p;
    struct solve_counts counts = w->counts;
    vec_clear(&w->wave);
    bool any = left_side(w, &w->lefts.at[job]);
    struct sent s = {.pairs = w->p->pairs - before.pairs,
                     .solved = w->p->solved - before.solved,
                     .broken = w->p->broken - before.broken,
                     .fits = w->counts.fits - counts.fits,
                     .evaluations = w->counts.evaluations - counts.evaluations,
                     .candidates = w->wave.len,
                     .promising = any};
    buf_write(out, &s, sizeof s);
    for (uint32_t i = 0; i < w->wave.len; i++) {
        const struct candidate *c = &w->wave.at[i];
        buf_write(out, c, sizeof *c);
        send_text(c->text, out);
        for (unsigned k = 0; k < SKETCH_SLOTS; k++)
            send_text(c->r.slot[k], out);
        for (unsigned k = 0; k < SKETCH_CLASSES; k++)
            send_text(c->r.where[k], out);
    }
}

static void take(void *ctx, uint32_t job, const char *at, size_t n)
{
    struct search *w = ctx;
    struct sent s;
    (void)n;
    memcpy(&s, at, sizeof s);
    at += sizeof s;
    w->p->pairs += s.pairs;
    w->p->solved += s.solved;
    w->p->broken += s.broken;
    w->counts.fits += s.fits;
    w->counts.evaluations += s.evaluations;
    if (s.promising)
        vec_push(&w->promising, w->number.at[job]);
    for (uint32_t i = 0; i < s.candidates; i++) {
        struct candidate c;
        memcpy(&c, at, sizeof c);
        at += sizeof c;
        c.text = take_text(w, &at);
        for (unsigned k = 0; k < SKETCH_SLOTS; k++)
            c.r.slot[k] = take_text(w, &at);
        for (unsigned k = 0; k < SKETCH_CLASSES; k++)
            c.r.where[k] = take_text(w, &at);
        c.rule = parse(w, c.text);
        if (c.rule == NULL || !is_new(w, &c))
            continue;
        c.number = w->p->candidates++;
        vec_push(&w->wave, c);
    }
}

static uint64_t left_key(const struct sketch *l)
{
    return hash_u64(sketch_hash(l), 0x1ef7);
}

// An answer of a left side: from another process, or from the journal.
static void receive(void *ctx, uint32_t job, const char *at, size_t n)
{
    struct search *w = ctx;
    uint32_t left = w->asked.at[job];
    char *copy = arena_alloc(&w->step, n);
    memcpy(copy, at, n);
    w->answer.at[left] = (struct answer){.at = copy, .n = (uint32_t)n};
    answers_put(&w->journal, left_key(&w->lefts.at[left]), at, (uint32_t)n);
}

static void work_one(void *ctx, uint32_t job, struct buf *out)
{
    struct search *w = ctx;
    work(w, w->asked.at[job], out);
}

// All answers are taken in the order of left sides, wherever they come from.
static void solve_wave(struct search *w)
{
    struct crew crew = {
        .processes = w->o->jobs, .work = work_one, .take = receive, .ctx = w};
    vec_clear(&w->wave);
    vec_clear(&w->asked);
    vec_clear(&w->answer);
    for (uint32_t i = 0; i < w->lefts.len; i++) {
        const struct answer *old =
            answers_find(&w->journal, left_key(&w->lefts.at[i]));
        vec_push(&w->answer, old ? *old : (struct answer){0});
        if (old == NULL)
            vec_push(&w->asked, i);
    }
    if (w->asked.len > 0 && !crew_run(&crew, w->asked.len, w->e))
        w->failed = true;
    for (uint32_t i = 0; i < w->lefts.len; i++)
        if (w->answer.at[i].at != NULL)
            take(w, i, w->answer.at[i].at, w->answer.at[i].n);
    w->failed |= !answers_flush(&w->journal, w->e);
    w->p->lost += crew.lost;
    vec_clear(&w->lefts);
    vec_clear(&w->number);
    arena_release(&w->step);
}

// ---- proofs

static bool proved_one(void *ctx, uint32_t i, struct report *rep)
{
    struct search *w = ctx;
    struct candidate *c = &w->wave.at[w->asked.at[i]];
    for (uint32_t k = 0; k < rep->domains.len; k++) {
        const struct domain_report *d = &rep->domains.at[k];
        if (d->verdict == VERDICT_PROVED) {
            c->proved |= 1u << d->domain;
            if (d->rung == RUNG_UNINTERPRETED)
                c->uninterpreted |= 1u << d->domain;
        }
        c->refuted |= d->verdict == VERDICT_REFUTED;
    }
    report_release(rep);
    return true;
}

static char *fresh_name(struct search *w, const struct rule_sketch *r)
{
    struct buf b = {0}, n = {0};
    rule_sketch_name(r, &b);
    for (unsigned k = 1;; k++) {
        uint32_t before = w->names.entry.len;
        buf_clear(&n);
        buf_puts(&n, buf_text(&b));
        if (k > 1)
            buf_printf(&n, "_%u", k);
        if (intern_str(&w->names, buf_text(&n)) >= before)
            break;
    }
    char *name = arena_strdup(&w->mem, buf_text(&n));
    buf_release(&b);
    buf_release(&n);
    return name;
}

// Do the kept rules derive it, at some ground instances?  Only what was proved
// of integers is asked; all else is kept.
static bool derived(struct search *w, const struct candidate *c,
                    const struct rule *r)
{
    struct derive_options o = derive_defaults();
    struct derive_answer a = {0};
    struct arena mem = {0};
    if (!(c->proved >> DOMAIN_INT & 1) || derive_count(w->base) == 0)
        return false;
    o.max_nodes = 1500;
    o.max_rounds = 4;
    o.seconds = 5;
    o.instances = 3;
    o.no_used = true;
    o.seed = w->o->seed;
    derive_goal(w->base, r, &o, &mem, &a);
    arena_release(&mem);
    return a.status == DERIVE_YES || a.same;
}

static const char *given_name(struct search *w, const struct rule *r)
{
    struct buf n = {0};
    buf_printf(&n, "%s", r->name);
    for (unsigned k = 2;; k++) {
        uint32_t before = w->names.entry.len;
        if (intern_str(&w->names, buf_text(&n)) >= before)
            break;
        buf_clear(&n);
        buf_printf(&n, "%s_%u", r->name, k);
    }
    const char *name = arena_strdup(&w->mem, buf_text(&n));
    buf_release(&n);
    return name;
}

static void given_text(const struct rule *r, const char *name, unsigned proved,
                       struct buf *out)
{
    struct rule one = *r;
    one.name = name;
    one.claims = proved;
    rule_print(&one, out);
}

static void keep(struct search *w, struct candidate *c)
{
    struct buf text = {0}, doc = {0}, origin = {0};
    struct err e = {0};
    struct kept k = {.r = c->r, .whole = c->whole, .permutes = c->permutes};
    const char *name =
        c->given != NULL ? given_name(w, c->given) : fresh_name(w, &c->r);
    buf_printf(&doc, "%s",
               c->undirected ? "Neither side costs less."
               : c->whole    ? "Holds wherever the left side does."
                             : "Holds under a precondition.");
    buf_printf(&origin, "discovered seed=%llu size=%u",
               (unsigned long long)w->o->seed, w->o->size);
    if (c->given != NULL)
        given_text(c->given, name, c->proved, &text);
    else
        rule_sketch_text(&c->r, name, buf_text(&doc), buf_text(&origin),
                         c->proved, &text);
    const struct rule *rule = ruleset_add(w->set, buf_text(&text), name, &e);
    bool follows = rule != NULL && derived(w, c, rule);
    if (follows) {
        w->p->derived++;
        // Its left sides need not be looked at again.
        if (c->given == NULL) {
            vec_push(&w->kept, k);
            keep_pair(w, &c->r);
        }
    } else if (rule != NULL) {
        struct rule_status s = {.proved = c->proved,
                                .uninterpreted = c->uninterpreted};
        (void)derive_add(w->base, rule, s);
        struct found_rule f = {.text = arena_strdup(&w->mem, buf_text(&text)),
                               .name = name,
                               .rule = rule,
                               .proved = c->proved,
                               .conditional = !c->whole,
                               .undirected = c->undirected};
        vec_push(&w->out->at, f);
        if (c->given == NULL) {
            vec_push(&w->kept, k);
            keep_pair(w, &c->r);
        }
    }
    buf_release(&text);
    buf_release(&doc);
    buf_release(&origin);
}

// The order in which rules are kept, so that the strong ones derive the others.
static int whole_first(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->whole != y->whole)
        return x->whole ? -1 : 1;
    if (x->r.lhs.n_ops != y->r.lhs.n_ops)
        return x->r.lhs.n_ops - y->r.lhs.n_ops;
    int p = (x->r.general == GENERAL_NOT) - (y->r.general == GENERAL_NOT);
    if (p != 0)
        return p;
    return x->number < y->number ? -1 : x->number > y->number;
}

struct judged {
    unsigned proved, uninterpreted;
    bool refuted;
};

static uint64_t verdict_key(const struct rule *r)
{
    return hash_bytes(r->hash, sizeof r->hash, 0x7e2d);
}

// Verdicts of wave[first ..], from the journal or by proof.
static void prove_some(struct search *w, uint32_t first)
{
    struct worker_options o = {
        .jobs = w->o->jobs,
        .seconds_per_rule = 20,
        .prove = {.domains = w->o->domains,
                  .seed = w->o->seed,
                  .seconds_per_rule = w->o->rule_seconds}};
    struct workers_result res = {0};
    const struct rule **rules;
    rules = mem_alloc((w->wave.len - first + 1) * sizeof *rules);
    vec_clear(&w->asked);
    for (uint32_t i = first; i < w->wave.len; i++) {
        struct candidate *c = &w->wave.at[i];
        const struct answer *old =
            answers_find(&w->journal, verdict_key(c->rule));
        struct judged v;
        if (old != NULL && old->n == sizeof v) {
            memcpy(&v, old->at, sizeof v);
            c->proved = v.proved;
            c->uninterpreted = v.uninterpreted;
            c->refuted = v.refuted;
            w->p->known++;
            continue;
        }
        rules[w->asked.len] = c->rule;
        vec_push(&w->asked, i);
    }
    if (w->asked.len > 0 &&
        !workers_run(rules, w->asked.len, &o, proved_one, w, &res, w->e))
        w->failed = true;
    w->ended |= res.interrupted;
    for (uint32_t i = 0; i < w->asked.len && !w->ended && !w->failed; i++) {
        const struct candidate *c = &w->wave.at[w->asked.at[i]];
        struct judged v;
        memset(&v, 0, sizeof v);
        v.proved = c->proved;
        v.uninterpreted = c->uninterpreted;
        v.refuted = c->refuted;
        answers_put(&w->journal, verdict_key(c->rule), &v, sizeof v);
    }
    w->failed |= !answers_flush(&w->journal, w->e);
    mem_free(rules);
}

static void judge(struct search *w, uint32_t i)
{
    struct candidate c = w->wave.at[i];
    if (c.proved != 0) {
        w->p->proved++;
        if (c.given != NULL || (!reducible(w, &c.r.lhs) &&
                                (c.whole || !congruent(w, &c.r.lhs, &c.r.rhs))))
            keep(w, &c);
        return;
    }
    if (c.refuted)
        w->p->refuted++;
    else
        w->p->unknown++;
    if (c.r.general == GENERAL_NOT || c.given != NULL)
        return;
    // The operators as they were: appended, for the next turn.
    c.fallback = true;
    c.refuted = false;
    if (!offer(w, &c))
        return;
    if (is_new(w, &vec_last(&w->wave)))
        vec_last(&w->wave).number = w->p->candidates++;
    else
        (void)vec_pop(&w->wave);
}

static void prove_wave(struct search *w)
{
    uint32_t first = 0, before = w->out->at.len;
    if (w->wave.len > 0)
        qsort(w->wave.at, w->wave.len, sizeof *w->wave.at, whole_first);
    while (first < w->wave.len && !w->failed && !w->ended) {
        uint32_t n = w->wave.len;
        prove_some(w, first);
        for (uint32_t i = first; i < n && !w->failed && !w->ended; i++)
            judge(w, i);
        first = n;
        show(w, true);
    }
    vec_clear(&w->wave);
    if (w->out->at.len > before && w->o->kept != NULL && !w->failed)
        w->failed |= !w->o->kept(w->o->ctx, w->out, w->e);
}

// ---- all of it

static unsigned count_bits(unsigned m)
{
    return (unsigned)__builtin_popcount(m);
}

// Small ones first, of these the general ones: many variables.
static int by_generality(const void *a, const void *b)
{
    const struct sketch *x = a, *y = b;
    int p = x->n_tensors - y->n_tensors, q = x->n_scalars - y->n_scalars;
    int special = (int)has_literal_operand(x) - (int)has_literal_operand(y);
    if (x->n_ops > 2 && x->n_slots != y->n_slots)
        return x->n_slots - y->n_slots;
    if (x->n != y->n)
        return x->n - y->n;
    if (special != 0)
        return special;
    if (p != 0)
        return -p;
    if (q != 0)
        return -q;
    uint64_t g = sketch_hash(x), h = sketch_hash(y);
    return (g > h) - (g < h);
}

// Slices without stride and paddings without interior: their own left sides,
// where the general ones are no rule.  The k-th choice of nodes; false: there
// is none.
static bool pinned(const struct sketch *s, unsigned k, struct sketch *out)
{
    unsigned nth = 0;
    *out = *s;
    for (unsigned i = 0; i < s->n; i++)
        if (s->node[i].kind == SKETCH_SLICE || s->node[i].kind == SKETCH_PAD)
            out->node[i].pin = k >> nth++ & 1;
    sketch_finish(out);
    return k < 1u << nth;
}

static bool has(const struct search *w, uint32_t number)
{
    for (uint32_t i = 0; i < w->promising.len; i++)
        if (w->promising.at[i] == number)
            return true;
    return false;
}

static void one_size(struct search *w, struct sizes *z, unsigned classes,
                     unsigned size)
{
    struct sketch_vec *raw = &z->of[size];
    struct sketch_vec *parts = &z->parts[size];
    w->p->classes = classes;
    w->p->size = size;
    enumerate(&z->e, z->parts, size, raw);
    w->p->sketches += raw->len;
    if (size == 0) {
        for (uint32_t i = 0; i < raw->len; i++)
            vec_push(parts, raw->at[i]);
        return;
    }
    struct sketch_vec now = {0};
    for (uint32_t i = 0; i < raw->len; i++)
        if (!reducible(w, &raw->at[i]))
            vec_push(&now, raw->at[i]);
    if (now.len > 0)
        qsort(now.at, now.len, sizeof *now.at, by_generality);
    struct sketch_vec from[8] = {{0}};
    for (unsigned k = 0; k < size; k++)
        from[k] = z->parts[k];
    from[size] = now;
    struct table *t =
        table_new(&z->e.o, from, size + 1, size < 3 ? size : 2, w->o->seed);
    w->p->left = 0;
    w->p->lefts = PINS * now.len;
    w->table = t;
    vec_clear(&w->promising);
    for (uint32_t i = 0; i < PINS * now.len && !w->ended && !w->failed; i++) {
        struct sketch one;
        const struct sketch *l = &one;
        bool there = pinned(&now.at[i % now.len], i / now.len, &one);
        w->p->left = i;
        show(w, false);
        if ((count_bits(sketch_classes(l)) < classes && classes > 1) ||
            !there || (i >= now.len && !has(w, i % now.len)) || reducible(w, l))
            continue;
        vec_push(&w->lefts, *l);
        vec_push(&w->number, i % now.len);
        if (w->lefts.len == WAVE) {
            solve_wave(w);
            prove_wave(w);
        }
    }
    solve_wave(w);
    prove_wave(w);
    for (uint32_t i = 0; i < now.len; i++)
        if (!reducible(w, &now.at[i]))
            vec_push(parts, now.at[i]);
    vec_release(&now);
    table_free(t);
}

void found_rules_release(struct found_rules *f)
{
    vec_release(&f->at);
    arena_release(&f->mem);
}

// What the answers of a journal depend on.
static void describe_run(const struct search_options *o, struct buf *out)
{
    buf_printf(out,
               "verifier %s semantics %s layout %zu kinds %u binaries %u "
               "tensors %u scalars %u classes %u literals %d size %u domains "
               "%u seed %llu rule %g",
               VERIFIER_VERSION, SEMANTICS_VERSION,
               sizeof(struct candidate) + sizeof(struct sent) * 1000,
               o->enumerate.kinds, o->enumerate.binaries, o->enumerate.tensors,
               o->enumerate.scalars, o->enumerate.classes,
               o->enumerate.literals, o->size, o->domains,
               (unsigned long long)o->seed, o->rule_seconds);
    for (uint32_t i = 0; o->known != NULL && i < o->known->rules.len; i++)
        buf_printf(out, " %s", o->known->rules.at[i]->hash);
}

static bool begin(struct search *w)
{
    struct buf run = {0};
    memset(w->p, 0, sizeof *w->p);
    w->begin = clock_wall();
    w->base = derive_base_new(DOMAIN_INT, &w->mem);
    intern_init(&w->texts);
    intern_init(&w->names);
    for (uint32_t i = 0; w->o->known != NULL && i < w->o->known->rules.len;
         i++) {
        const struct rule *r = w->o->known->rules.at[i];
        struct rule_status s = {.proved = r->claims,
                                .uninterpreted =
                                    rule_only_moves(r) ? r->claims : 0};
        if (!rule_defines(r))
            (void)derive_add(w->base, r, s);
        (void)intern_str(&w->names, r->name);
    }
    describe_run(w->o, &run);
    bool ok = w->o->journal == NULL ||
              answers_open(&w->journal, w->o->journal, buf_text(&run), w->e);
    buf_release(&run);
    w->failed = !ok;
    return ok;
}

static void finish(struct search *w)
{
    if (!w->failed)
        show(w, true);
    w->out->ended = w->ended;
    answers_close(&w->journal);
    derive_base_free(w->base);
    vec_release(&w->kept);
    vec_release(&w->wave);
    vec_release(&w->lefts);
    vec_release(&w->number);
    vec_release(&w->promising);
    vec_release(&w->asked);
    vec_release(&w->answer);
    arena_release(&w->step);
    vec_release(&w->pairs);
    intern_release(&w->texts);
    intern_release(&w->names);
    w->out->mem = w->mem; // with the texts of what was found
}

bool search_rules(const struct search_options *o, struct ruleset *set,
                  struct found_rules *out, struct search_progress *p,
                  struct err *e)
{
    struct search w = {.o = o, .set = set, .out = out, .p = p, .e = e};
    struct sizes z[SKETCH_CLASSES] = {0};
    unsigned classes = o->enumerate.classes;
    if (begin(&w)) {
        for (unsigned c = 0; c < classes; c++) {
            struct enumerate_options one = o->enumerate;
            one.classes = c + 1;
            enumeration_init(&z[c].e, &one);
        }
        for (unsigned size = 0; size <= o->size && size < 8; size++)
            for (unsigned c = 0; c < classes && !w.ended && !w.failed; c++)
                one_size(&w, &z[c], c + 1, size);
    }
    finish(&w);
    for (unsigned c = 0; c < classes; c++) {
        enumeration_release(&z[c].e);
        for (unsigned k = 0; k < 8; k++) {
            vec_release(&z[c].of[k]);
            vec_release(&z[c].parts[k]);
        }
    }
    return !w.failed;
}

bool search_judge(const struct search_options *o, const struct ruleset *given,
                  struct ruleset *set, struct found_rules *out,
                  struct search_progress *p, struct err *e)
{
    struct search w = {.o = o, .set = set, .out = out, .p = p, .e = e};
    bool ok = begin(&w);
    p->lefts = given->rules.len;
    for (uint32_t i = 0; ok && i < given->rules.len && !w.ended && !w.failed;
         i++) {
        const struct rule *r = given->rules.at[i];
        struct candidate c = {.rule = r, .given = r, .whole = r->n_wheres == 0};
        p->left = i;
        p->pairs++;
        if (stands(&w, r) && is_new(&w, &c)) {
            c.number = p->candidates++;
            vec_push(&w.wave, c);
        }
        if (w.wave.len >= WAVE || i + 1 == given->rules.len)
            prove_wave(&w);
    }
    finish(&w);
    return !w.failed;
}
