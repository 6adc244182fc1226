// SPDX-License-Identifier: Apache-2.0
// Candidates, best first; what was chosen is a rule that merges what is there.
#include "discover/scalars/core.h"

#include "base/clock.h"
#include <stdlib.h>

enum {
    MAX_SMALL = 4000,
    SMALL_OPS = 3, // of both sides
    SYMMETRY_OPS = 6,
    FIRST_OF_GROUP = 8, // each of these is paired with all others
};

bool scalar_late(struct scalar_discovery *s)
{
    if (s->o->seconds > 0 && clock_wall() - s->begin > s->o->seconds)
        s->out->stats.cut = s->stop = true;
    return s->stop;
}
// Where both sides are in the graph they become one; nothing is built.
static void merge_by(struct scalar_discovery *s, const struct equation *q)
{
    static const struct guard_name guards[] = {{"nonzero", 1, false},
                                               {NULL, 0, false}};
    struct buf text = {0};
    struct err e = {0};
    uint8_t number[SCALAR_MAX_VARS];
    numbers_clear(number);
    buf_puts(&text, "m: ?x = ");
    scalar_tree_plain(s, &q->l, "?v", number, &text);
    bool leaf = q->r.n == 1 && sym_is_var(s, q->r.at[0].sym);
    struct buf right = {0};
    scalar_tree_plain(s, &q->r, "?v", number, &right);
    if (!leaf)
        buf_printf(&text, " and ?y = %s", buf_text(&right));
    struct buf conditions = {0};
    for (uint32_t k = 0; k < q->n_nonzero; k++) {
        const struct scalar_tree *d = &q->nonzero[k];
        buf_printf(&conditions, "%snonzero(", k == 0 ? " if " : " and ");
        if (d->n > 1) {
            buf_printf(&text, " and ?d%u = ", (unsigned)k);
            scalar_tree_plain(s, d, "?v", number, &text);
            buf_printf(&conditions, "?d%u)", (unsigned)k);
        } else {
            scalar_tree_plain(s, d, "?v", number, &conditions);
            buf_putc(&conditions, ')');
        }
    }
    buf_printf(&text, " => ?x = %s%s\n", leaf ? buf_text(&right) : "?y",
               buf_text(&conditions));
    uint32_t n = s->plain.rule.len;
    if (n < MAX_RULES &&
        plain_read(&s->plain, &s->g, "m", buf_text(&text), guards, &e)) {
        struct run_rule x = {.rule = &s->plain.rule.at[n]};
        vec_push(&s->run.rule, x);
        run_rounds(&s->run);
    } else {
        s->out->stats.cut = s->stop = true;
    }
    buf_release(&text);
    buf_release(&right);
    buf_release(&conditions);
    scalar_best(s);
}

bool scalar_guard(void *ctx, struct cc *g, uint32_t kind, const uint32_t *arg,
                  uint32_t *out)
{
    const struct scalar_discovery *s = ctx;
    (void)kind;
    (void)out;
    return s->known.at[s->best.at[cc_find(g, arg[0])]].nonzero;
}
// Candidates

struct scalar_candidate {
    uint64_t score;
    uint32_t l, r; // nodes; the left side is no smaller
    bool via;      // it is not the smallest of its class
    bool least;    // the right side is one of the smallest of its group
};
struct member {
    uint64_t hash;
    uint32_t node;
};
struct scalar_candidates {
    VEC(struct member) member;
    VEC(struct scalar_candidate) at;
};

static int by_hash(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static int by_score(const void *a, const void *b)
{
    const struct scalar_candidate *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    if (x->l != y->l)
        return x->l < y->l ? -1 : 1;
    return x->r < y->r ? -1 : x->r > y->r;
}

static unsigned bits(unsigned x)
{
    unsigned n = 0;
    for (; x != 0; x &= x - 1)
        n++;
    return n;
}

// A term of the class of `a`, no smaller, that has the variables of `b`, too.
static uint32_t with_vars(struct scalar_discovery *s, uint32_t a, uint32_t b)
{
    const struct cc *g = &s->g;
    unsigned vars = s->known.at[b].vars;
    uint32_t found = CC_NONE, first = g->class_.at[cc_class(&s->g, a)].member;
    uint32_t n = first;
    do {
        const struct known_values *x = &s->known.at[n];
        if ((x->vars & vars) == vars &&
            (found == CC_NONE || x->ops < s->known.at[found].ops ||
             (x->ops == s->known.at[found].ops && n < found)))
            found = n;
        n = g->next.at[n];
    } while (n != first);
    return found;
}

// What a group of equal terms has least of.
struct least {
    unsigned vars, ops;
};

// First equations between terms that have no variable in vain, then those that
// take such away: their left sides cannot be found again.  Then small sides,
// and those that say more: many variables, few constants.
static void pair(struct scalar_discovery *s, struct scalar_candidates *c, uint32_t a,
                 uint32_t b, struct least least)
{
    const struct known_values *x = &s->known.at[a], *y = &s->known.at[b];
    bool swap = (x->vars | y->vars) != x->vars;
    if (!swap && (x->vars | y->vars) == y->vars)
        swap = x->ops < y->ops;
    if (swap) {
        uint32_t t = a;
        a = b;
        b = t;
        x = &s->known.at[a];
        y = &s->known.at[b];
    }
    bool via = (x->vars | y->vars) != x->vars;
    if (via) {
        uint32_t l = with_vars(s, a, b), r = b;
        if (l == CC_NONE) {
            l = with_vars(s, b, a);
            r = a;
        }
        if (l == CC_NONE)
            return; // neither can be matched for the other
        a = l;
        b = r;
        x = &s->known.at[a];
        y = &s->known.at[b];
    }
    unsigned most = x->ops > y->ops ? x->ops : y->ops;
    uint64_t score = bits(y->vars) > least.vars   ? 2
                     : bits(x->vars) > least.vars ? 1
                                                  : 0;
    score = score << 8 | (unsigned)(x->ops + y->ops);
    score = score << 8 | most;
    score = score << 8 | (255 - bits(x->vars) - bits(y->vars));
    score = score << 8 | (unsigned)(x->constants + y->constants);
    score = score << 8 | (unsigned)(x->depth + y->depth);
    struct scalar_candidate k = {score, a, b, via, y->ops == least.ops};
    vec_push(&c->at, k);
}

static void collect(struct scalar_discovery *s, struct scalar_candidates *c, bool generic)
{
    vec_clear(&c->member);
    vec_clear(&c->at);
    for (uint32_t i = 0; i < s->best.len; i++) {
        uint32_t n = s->best.at[i];
        if (n == CC_NONE)
            continue;
        const struct known_values *t = &s->known.at[n];
        struct member m = {generic ? t->generic : t->hash, n};
        if (m.hash != 0)
            vec_push(&c->member, m);
    }
    if (c->member.len > 0)
        qsort(c->member.at, c->member.len, sizeof *c->member.at, by_hash);
    for (uint32_t i = 0, j; i < c->member.len; i = j) {
        for (j = i;
             j < c->member.len && c->member.at[j].hash == c->member.at[i].hash;
             j++)
            ;
        // Nodes ascend, so the first ones are the smallest.
        struct least least = {SCALAR_MAX_VARS,
                              s->known.at[c->member.at[i].node].ops};
        for (uint32_t a = i; a < j; a++) {
            const struct known_values *x = &s->known.at[c->member.at[a].node];
            unsigned vars = bits(x->vars);
            least.vars = vars < least.vars ? vars : least.vars;
            least.ops = x->ops < least.ops ? x->ops : least.ops;
        }
        for (uint32_t a = i; a < j && a < i + FIRST_OF_GROUP; a++)
            for (uint32_t b = a + 1; b < j; b++)
                pair(s, c, c->member.at[a].node, c->member.at[b].node, least);
    }
    if (c->at.len > 0)
        qsort(c->at.at, c->at.len, sizeof *c->at.at, by_score);
}

static bool same_class(struct scalar_discovery *s, uint32_t a, uint32_t b)
{
    return cc_class(&s->g, a) == cc_class(&s->g, b);
}

void scalar_key(const struct scalar_discovery *s, const struct equation *q,
                struct buf *out)
{
    uint8_t number[SCALAR_MAX_VARS];
    numbers_clear(number);
    scalar_tree_plain(s, &q->l, "", number, out);
    buf_putc(out, '=');
    scalar_tree_plain(s, &q->r, "", number, out);
    buf_putc(out, q->n_nonzero > 0 ? '?' : ' ');
}

// Was it judged before?
static bool was_tried(struct scalar_discovery *s, const struct equation *q)
{
    struct buf key = {0};
    scalar_key(s, q, &key);
    uint32_t before = s->tried.entry.len;
    intern_bytes(&s->tried, key.at, key.len);
    buf_release(&key);
    return s->tried.entry.len == before;
}

// The divisors, as terms; too many: false.
static bool divisors(const struct scalar_discovery *s, const struct scalar_tree *t,
                     struct equation *q)
{
    for (uint32_t k = 0; k < t->n; k++) {
        if (sym_arity(s, t->at[k].sym) != 2 ||
            s->o->ops[t->at[k].sym] != OP_DIVIDE)
            continue;
        // A subtree stands together, before its root.
        struct scalar_tree d = {0};
        uint32_t root = t->at[k].b, from = root;
        for (uint32_t open = 1; open > 0; from--) {
            open += sym_arity(s, t->at[from].sym);
            if (--open == 0)
                break;
        }
        for (uint32_t i = from; i <= root; i++) {
            struct scalar_tree_node n = t->at[i];
            n.a = (uint8_t)(n.a - from);
            n.b = (uint8_t)(n.b - from);
            d.at[d.n++] = n;
        }
        bool have = d.n == 1 && !sym_is_var(s, d.at[0].sym);
        for (uint32_t i = 0; i < q->n_nonzero; i++) {
            const struct scalar_tree *o = &q->nonzero[i];
            bool same = o->n == d.n;
            for (uint32_t m = 0; same && m < d.n; m++)
                same =
                    o->at[m].sym == d.at[m].sym &&
                    (sym_arity(s, d.at[m].sym) < 1 ||
                     o->at[m].a == d.at[m].a) &&
                    (sym_arity(s, d.at[m].sym) < 2 || o->at[m].b == d.at[m].b);
            have |= same;
        }
        if (have)
            continue;
        if (q->n_nonzero == 4)
            return false;
        q->nonzero[q->n_nonzero++] = d;
    }
    return true;
}

// The fewest divisors that must not be 0 for the sides to agree where tried.
static bool weakest(struct scalar_discovery *s, struct equation *q)
{
    struct equation all = *q;
    all.n_nonzero = 0;
    if (!divisors(s, &q->l, &all) || !divisors(s, &q->r, &all) ||
        all.n_nonzero == 0)
        return false;
    unsigned n = all.n_nonzero, found = 0;
    bool any = false;
    for (unsigned mask = 1; mask < 1u << n; mask++) {
        q->n_nonzero = 0;
        for (unsigned k = 0; k < n; k++)
            if (mask >> k & 1)
                q->nonzero[q->n_nonzero++] = all.nonzero[k];
        if ((!any || bits(mask) < bits(found)) &&
            scalar_agree_where(s, &q->l, &q->r, q->n_nonzero, q->nonzero)) {
            found = mask;
            any = true;
        }
    }
    q->n_nonzero = 0;
    for (unsigned k = 0; k < n; k++)
        if (found >> k & 1)
            q->nonzero[q->n_nonzero++] = all.nonzero[k];
    return any;
}

// One pass over the candidates there are; true: some were not current any more.
static bool choose(struct scalar_choice *w, struct scalar_candidates *c, bool generic)
{
    struct scalar_discovery *s = w->s;
    struct scalar_stats *n = &s->out->stats;
    bool again = false;
    for (uint32_t i = 0; i < c->at.len && !scalar_late(s); i++) {
        uint32_t l = c->at.at[i].l, r = c->at.at[i].r;
        struct chosen x = {0};
        if (same_class(s, l, r))
            continue;
        if ((!c->at.at[i].via && s->best.at[cc_class(&s->g, l)] != l) ||
            s->best.at[cc_class(&s->g, r)] != r) {
            again = true;
            continue;
        }
        if (!scalar_tree_of(s, l, &x.q.l) || !scalar_tree_of(s, r, &x.q.r))
            continue;
        if (generic && !weakest(s, &x.q))
            continue;
        if (was_tried(s, &x.q))
            continue;
        n->candidates++;
        enum judgement j = scalar_judge(s, &x.q, false);
        n->refuted += j == JUDGED_FALSE;
        if (j == JUDGED_FALSE)
            continue;
        n->proved += j == JUDGED_TRUE;
        x.assumed = j == JUDGED_UNKNOWN;
        x.stuck = x.assumed && s->stuck;
        vec_push(&w->at, x);
        merge_by(s, &x.q);
    }
    return again;
}

// One term, but for the places of its variables.
static bool is_symmetry(const struct scalar_discovery *s, const struct equation *q)
{
    bool same = q->l.n == q->r.n;
    for (uint32_t k = 0; k < q->l.n && same; k++) {
        const struct scalar_tree_node *x = &q->l.at[k], *y = &q->r.at[k];
        uint32_t arity = sym_arity(s, x->sym);
        same = (x->sym == y->sym ||
                (sym_is_var(s, x->sym) && sym_is_var(s, y->sym))) &&
               (arity < 1 || x->a == y->a) && (arity < 2 || x->b == y->b);
    }
    return same;
}

// Small equations, and larger ones that exchange all variables of a term, one
// of those that differ in their variables' names: they are to follow from the
// rules by themselves, without the terms that happen to be in the graph.
static void note_small(struct scalar_choice *w, const struct scalar_candidates *c)
{
    struct scalar_discovery *s = w->s;
    for (uint32_t i = 0; i < c->at.len && w->small.len < MAX_SMALL; i++) {
        const struct scalar_candidate *x = &c->at.at[i];
        struct equation q = {.n_nonzero = 0};
        struct buf key = {0};
        const struct known_values *a = &s->known.at[x->l], *b = &s->known.at[x->r];
        unsigned ops = (unsigned)a->ops + b->ops;
        if (!x->least || ops > SYMMETRY_OPS ||
            (ops > SMALL_OPS && (bits(a->vars & b->vars) < s->o->n_vars ||
                                 a->constants + b->constants > 0)) ||
            !scalar_tree_of(s, x->l, &q.l) || !scalar_tree_of(s, x->r, &q.r) ||
            (ops > SMALL_OPS && !is_symmetry(s, &q)))
            continue;
        scalar_key(s, &q, &key);
        uint32_t before = w->keys.entry.len;
        intern_bytes(&w->keys, key.at, key.len);
        buf_release(&key);
        if (w->keys.entry.len == before)
            continue;
        struct node_sides at = {x->l, x->r};
        vec_push(&w->small, q);
        vec_push(&w->sides, at);
        vec_push(&w->is_chosen, 0);
    }
}

void scalar_keep_equal(struct scalar_choice *w)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->small.len; i++)
        if (same_class(w->s, w->sides.at[i].l, w->sides.at[i].r))
            w->small.at[n++] = w->small.at[i];
    w->small.len = n;
}

void scalar_choose(struct scalar_choice *w, bool generic)
{
    struct scalar_candidates c = {0};
    bool first = !generic;
    do {
        collect(w->s, &c, generic);
        if (first)
            note_small(w, &c);
        first = false;
    } while (choose(w, &c, generic) && !w->s->stop);
    vec_release(&c.member);
    vec_release(&c.at);
}
