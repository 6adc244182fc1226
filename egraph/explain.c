// SPDX-License-Identifier: Apache-2.0
#include "egraph/explain.h"

#include "egraph/egraph.h"

#define NO_LINE UINT32_MAX

void forest_release(struct forest *f)
{
    vec_release(&f->up);
    vec_release(&f->link);
    vec_release(&f->edge);
}

void forest_grow(struct forest *f, uint32_t n)
{
    vec_reserve(&f->up, n);
    vec_reserve(&f->link, n);
    for (uint32_t i = f->up.len; i < n; i++) {
        f->up.at[i] = i;
        f->link.at[i] = NO_EDGE;
    }
    if (n > f->up.len)
        f->up.len = f->link.len = n;
}

// Turns the path from t to its root around and hangs t below `above`.
static void turn(struct forest *f, uint32_t t, uint32_t above, uint32_t edge)
{
    for (;;) {
        uint32_t next = f->up.at[t], link = f->link.at[t];
        f->up.at[t] = above;
        f->link.at[t] = edge;
        if (next == t)
            return;
        above = t;
        edge = link;
        t = next;
    }
}

void forest_join(struct forest *f, term_id a, term_id b, bool turn_b,
                 struct reason why)
{
    uint32_t edge = f->edge.len;
    vec_push(&f->edge, ((struct forest_edge){a, b, why}));
    if (turn_b)
        turn(f, b.v, a.v, edge);
    else
        turn(f, a.v, b.v, edge);
}

void explanation_release(struct explanation *x)
{
    vec_release(&x->line);
    vec_release(&x->part);
    vec_release(&x->of_edge);
    vec_release(&x->slot);
    vec_release(&x->mark);
}

// What remains to be shown: an edge, or a pair by edges older than `limit`.
struct goal {
    uint32_t edge; // NO_EDGE: the pair
    term_id a, b;
    uint32_t limit;
};

struct explainer {
    const struct egraph *g;
    struct explanation *x;
    VEC(struct goal) goal;
    struct u32_vec rise, fall; // nodes whose upward edges make a path
};

static uint32_t pair_hash(term_id a, term_id b)
{
    uint32_t lo = a.v < b.v ? a.v : b.v, hi = a.v < b.v ? b.v : a.v;
    uint64_t h = ((uint64_t)hi << 32 | lo) * UINT64_C(0x9E3779B97F4A7C15);
    return (uint32_t)(h >> 32);
}

static uint32_t *pair_slot(struct explanation *x, term_id a, term_id b)
{
    uint32_t mask = x->slot.len - 1;
    for (uint32_t i = pair_hash(a, b) & mask;; i = (i + 1) & mask) {
        if (x->slot.at[i] == 0)
            return &x->slot.at[i];
        const struct proof_line *l = &x->line.at[x->slot.at[i] - 1];
        if ((l->a.v == a.v && l->b.v == b.v) ||
            (l->a.v == b.v && l->b.v == a.v))
            return &x->slot.at[i];
    }
}

static uint32_t pair_line(struct explanation *x, term_id a, term_id b)
{
    if (x->slot.len == 0)
        return NO_LINE;
    uint32_t found = *pair_slot(x, a, b);
    return found == 0 ? NO_LINE : found - 1;
}

static uint32_t emit(struct explanation *x, struct proof_line l)
{
    vec_push(&x->line, l);
    if (2 * x->line.len > x->slot.len) {
        uint32_t n = x->slot.len == 0 ? 16 : 2 * x->slot.len;
        vec_reserve(&x->slot, n);
        memset(x->slot.at, 0, n * sizeof x->slot.at[0]);
        x->slot.len = n;
        for (uint32_t i = 0; i < x->line.len; i++)
            *pair_slot(x, x->line.at[i].a, x->line.at[i].b) = i + 1;
    } else {
        *pair_slot(x, l.a, l.b) = x->line.len;
    }
    return x->line.len - 1;
}

// A part that proves a = b from the line of that pair.
static struct proof_part part_for(struct explanation *x, term_id a, term_id b,
                                  uint32_t arg)
{
    uint32_t line = pair_line(x, a, b);
    return (struct proof_part){line, arg, x->line.at[line].a.v != a.v};
}

// The path a .. meeting point .. b as two lists of nodes, both from below.
static bool find_path(struct explainer *s, term_id a, term_id b)
{
    const struct forest *f = &s->g->forest;
    struct explanation *x = s->x;
    vec_reserve(&x->mark, f->up.len);
    while (x->mark.len < f->up.len)
        x->mark.at[x->mark.len++] = 0;
    x->stamp++;
    vec_clear(&s->rise);
    vec_clear(&s->fall);
    for (uint32_t n = a.v;; n = f->up.at[n]) {
        x->mark.at[n] = x->stamp;
        if (f->up.at[n] == n)
            break;
    }
    uint32_t meet = b.v;
    while (x->mark.at[meet] != x->stamp) {
        vec_push(&s->fall, meet);
        if (f->up.at[meet] == meet)
            return false;
        meet = f->up.at[meet];
    }
    for (uint32_t n = a.v; n != meet; n = f->up.at[n])
        vec_push(&s->rise, n);
    return true;
}

static bool want_edge(struct explainer *s, uint32_t node, uint32_t limit,
                      bool *missing, struct err *e)
{
    uint32_t edge = s->g->forest.link.at[node];
    if (edge >= limit)
        return err_set(e, ERR_CHECK,
                       "explanation: edge %u is not older than %u (F2)", edge,
                       limit);
    while (s->x->of_edge.len <= edge)
        vec_push(&s->x->of_edge, 0);
    if (s->x->of_edge.at[edge] == 0) {
        *missing = true;
        vec_push(&s->goal, ((struct goal){edge, NO_TERM, NO_TERM, limit}));
    }
    return true;
}

// True in *done when the pair has its line; else its missing edges are goals.
static bool show_pair(struct explainer *s, struct goal p, bool *done,
                      struct err *e)
{
    const struct forest *f = &s->g->forest;
    bool missing = false;
    if (!find_path(s, p.a, p.b))
        return err_set(e, ERR_CHECK, "terms %u and %u are not equal", p.a.v,
                       p.b.v);
    for (uint32_t i = s->fall.len; i-- > 0;)
        if (!want_edge(s, s->fall.at[i], p.limit, &missing, e))
            return false;
    for (uint32_t i = s->rise.len; i-- > 0;)
        if (!want_edge(s, s->rise.at[i], p.limit, &missing, e))
            return false;
    *done = !missing;
    if (missing || pair_line(s->x, p.a, p.b) != NO_LINE)
        return true; // a path of one edge is that edge's line
    uint32_t at = s->x->part.len;
    for (uint32_t i = 0; i < s->rise.len; i++) {
        term_id n = {s->rise.at[i]}, up = {f->up.at[n.v]};
        vec_push(&s->x->part, part_for(s->x, n, up, 0));
    }
    for (uint32_t i = s->fall.len; i-- > 0;) {
        term_id n = {s->fall.at[i]}, up = {f->up.at[n.v]};
        vec_push(&s->x->part, part_for(s->x, up, n, 0));
    }
    emit(s->x, (struct proof_line){PROOF_TRANS, p.a, p.b, 0, 0, at,
                                   s->x->part.len - at});
    return true;
}

static bool show_congruence(struct explainer *s, uint32_t edge, bool *done)
{
    const struct forest_edge *fe = &s->g->forest.edge.at[edge];
    const struct terms *t = s->g->terms;
    const term_id *p = term_args(t, fe->a), *q = term_args(t, fe->b);
    uint32_t n = term_at(t, fe->a)->n_args;
    *done = true;
    for (uint32_t i = n; i-- > 0;)
        if (p[i].v != q[i].v && pair_line(s->x, p[i], q[i]) == NO_LINE) {
            vec_push(&s->goal, ((struct goal){NO_EDGE, p[i], q[i], edge}));
            *done = false;
        }
    if (!*done)
        return true;
    uint32_t at = s->x->part.len;
    for (uint32_t i = 0; i < n; i++)
        if (p[i].v != q[i].v)
            vec_push(&s->x->part, part_for(s->x, p[i], q[i], i));
    s->x->of_edge.at[edge] =
        1 + emit(s->x, (struct proof_line){PROOF_CONG, fe->a, fe->b, 0, 0, at,
                                           s->x->part.len - at});
    return true;
}

static bool show_edge(struct explainer *s, uint32_t edge, bool *done)
{
    static const enum proof_kind kinds[] = {
        [REASON_RULE] = PROOF_RULE,
        [REASON_CONG] = PROOF_CONG,
        [REASON_FOLD] = PROOF_FOLD,
        [REASON_LAYOUT] = PROOF_LAYOUT,
    };
    const struct forest_edge *fe = &s->g->forest.edge.at[edge];
    *done = true;
    if (s->x->of_edge.at[edge] != 0)
        return true;
    if (fe->why.kind == REASON_CONG)
        return show_congruence(s, edge, done);
    s->x->of_edge.at[edge] =
        1 + emit(s->x, (struct proof_line){kinds[fe->why.kind], fe->a, fe->b,
                                           fe->why.x, fe->why.y, 0, 0});
    return true;
}

bool explain(const struct egraph *g, term_id a, term_id b,
             struct explanation *x, uint32_t *line, bool *flip, struct err *e)
{
    *line = NO_LINE;
    *flip = false;
    if (!egraph_known(g, a) || !egraph_known(g, b))
        return err_set(e, ERR_CHECK, "term %u is not in the e-graph",
                       egraph_known(g, a) ? b.v : a.v);
    if (a.v == b.v)
        return true;
    struct explainer s = {.g = g, .x = x};
    bool ok = true;
    vec_push(&s.goal, ((struct goal){NO_EDGE, a, b, UINT32_MAX}));
    while (ok && s.goal.len > 0) {
        uint32_t top = s.goal.len - 1;
        struct goal now = s.goal.at[top];
        bool done = true;
        if (now.edge != NO_EDGE)
            ok = show_edge(&s, now.edge, &done);
        else if (pair_line(x, now.a, now.b) == NO_LINE)
            ok = show_pair(&s, now, &done, e);
        if (done)
            s.goal.len = top; // a goal that is done has pushed nothing
    }
    if (ok) {
        struct proof_part p = part_for(x, a, b, 0);
        *line = p.line;
        *flip = p.flip;
    }
    vec_release(&s.goal);
    vec_release(&s.rise);
    vec_release(&s.fall);
    return ok;
}
