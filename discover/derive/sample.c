// SPDX-License-Identifier: Apache-2.0
#include "discover/derive/sample.h"
#include "verify/counterexample/parts.h"

#define KEPT 10 // points of a family
#define EDGES 8 // points of a family where something is 0, negative or fails
#define TRIES 40
#define FAR 24 // greatest value of a map that is looked for

struct scored {
    uint32_t score, index;
};
struct family {
    const struct cex_family *f;
    uint32_t n;
    int64_t **point; // best first; by map
    uint32_t n_edges;
    const int64_t *edge[EDGES];
    bool renamed; // by a relabel
};
struct sampler {
    const struct rule *r;
    uint32_t effort;
    uint32_t n_families;
    struct family *family;
};

// A value counts that is none of 0, 1, -1, and once more where no other map
// has it.
static uint32_t score_maps(const struct rule *r, uint32_t root,
                           const int64_t *v)
{
    uint32_t score = 0;
    for (uint32_t m = 0; m < r->n_maps; m++) {
        if (r->maps[m].index || cex_root(r, r->maps[m].cls) != root)
            continue;
        bool alone = true;
        for (uint32_t k = 0; k < r->n_maps; k++)
            alone = alone && (k == m || r->maps[k].index || v[k] != v[m] ||
                              cex_root(r, r->maps[k].cls) != root);
        score += (uint32_t)(v[m] < -1 || v[m] > 1) + 2u * alone;
    }
    return score;
}

// So does each size of a node that no other node has.
static uint32_t score_sizes(const struct rule *r, uint32_t root, int64_t *v)
{
    int64_t seen[64], size;
    uint32_t n = 0, score = 0;
    int64_t *at[256];
    if (r->n_maps > 256)
        return 0;
    for (uint32_t m = 0; m < r->n_maps; m++)
        at[m] = &v[m];
    for (uint32_t i = 0; i < r->n_pats; i++)
        for (uint32_t k = 0; k < r->pats[i].n_sizes && n < 64; k++) {
            if (cex_root(r, r->pats[i].sizes[k].cls) != root ||
                !iexp_eval(r->pats[i].sizes[k].size, at, 0, &size))
                continue;
            bool is_new = true;
            for (uint32_t j = 0; j < n; j++)
                is_new = is_new && seen[j] != size;
            if (is_new)
                seen[n++] = size;
            score += 3u * is_new + (size > 1);
        }
    return score;
}

static int by_score(const void *a, const void *b)
{
    const struct scored *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static uint32_t score_of(const struct rule *r, uint32_t root, int64_t *v)
{
    return score_maps(r, root, v) + score_sizes(r, root, v);
}

static void rank_points(const struct rule *r, struct family *f,
                        struct arena *mem)
{
    uint32_t n = f->f->n_full > 0 ? f->f->n_full : f->f->n_points;
    struct arena scratch = {0};
    struct scored *all = ARENA_NEW(&scratch, struct scored, n + 1);
    int64_t *v = ARENA_NEW(&scratch, int64_t, r->n_maps + 1);
    for (uint32_t i = 0; i < n; i++) {
        if (r->n_maps > 0)
            memcpy(v, f->f->point[i].v, r->n_maps * sizeof *v);
        all[i] = (struct scored){score_of(r, f->f->root, v), i};
    }
    qsort(all, n, sizeof *all, by_score);
    f->n = n < KEPT ? n : KEPT;
    f->point = ARENA_NEW(mem, int64_t *, KEPT);
    for (uint32_t i = 0; i < f->n; i++) {
        f->point[i] = ARENA_NEW(mem, int64_t, r->n_maps + 1);
        for (uint32_t m = 0; m < r->n_maps; m++)
            f->point[i][m] = f->f->point[all[i].index].v[m];
    }
    arena_release(&scratch);
}

// Which maps are negative, 0, 1 or more, in base 4.
static uint64_t signs_of(const struct rule *r, uint32_t root,
                         const struct cex_point *p)
{
    uint64_t out = p->empty;
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (!r->maps[m].index && cex_root(r, r->maps[m].cls) == root)
            out = out * 31 + (p->v[m] < 0   ? 0
                              : p->v[m] < 2 ? 1 + (uint64_t)p->v[m]
                                            : 3);
    return out;
}

static bool add_edge(const struct rule *r, struct family *f,
                     const struct cex_point *p, uint64_t *seen)
{
    uint64_t signs = signs_of(r, f->f->root, p);
    for (uint32_t i = 0; i < f->n_edges; i++)
        if (seen[i] == signs)
            return false;
    seen[f->n_edges] = signs;
    f->edge[f->n_edges++] = p->v;
    return true;
}

// Points that fail, the least one, those without elements, others that look
// different.
static void find_edges(const struct rule *r, struct family *f, struct rng *rng)
{
    const struct cex_family *x = f->f;
    uint64_t seen[EDGES];
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n_points && n < 2; i++)
        if (x->point[i].fails)
            n += add_edge(r, f, &x->point[i], seen);
    if (x->n_full > 0) // the least values
        (void)add_edge(r, f, &x->point[0], seen);
    n = 0;
    for (uint32_t i = x->n_full; i < x->n_points && n < 2; i++)
        n += add_edge(r, f, &x->point[i], seen);
    for (uint32_t i = 0; i < 64 && f->n_edges < EDGES && x->n_full > 0; i++)
        (void)add_edge(r, f, &x->point[rng_below(rng, x->n_full)], seen);
}

static bool is_renamed(const struct rule *r, uint32_t root)
{
    for (uint32_t i = 0; i < r->n_pats; i++)
        for (uint32_t k = 0; k < r->pats[i].n_relabels; k++)
            if (cex_root(r, r->pats[i].relabels[k].from) == root)
                return true;
    return false;
}

// Two element types in turn where there are several variables of one kind.
static enum elem elem_for(unsigned kinds, enum domain d, uint32_t turn)
{
    unsigned in = kinds & domain_kinds(d);
    if (in & KIND_FLOAT)
        return turn % 2 ? ELEM_F64 : ELEM_F32;
    if (d == DOMAIN_INT && (in & (KIND_SINT | KIND_UINT)))
        return ELEM_INT;
    if (in & KIND_SINT)
        return turn % 2 ? ELEM_I64 : ELEM_I32;
    if (in & KIND_UINT)
        return turn % 2 ? ELEM_UI64 : ELEM_UI32;
    if (kinds & KIND_BOOL)
        return ELEM_I1;
    // The counterpart of a domain in a rule with conversions.
    if (kinds & KIND_FLOAT)
        return d == DOMAIN_INT ? ELEM_REAL : ELEM_F32;
    if (d == DOMAIN_REAL)
        return ELEM_INT;
    return kinds & KIND_SINT ? ELEM_I32 : ELEM_UI32;
}

// Is there an instance of one axis in each family, this family's being v?
struct sample_probe {
    const struct sampler *s;
    struct pool pool;
    struct terms terms;
    struct arena mem;
    struct ground g;
    int64_t **map;
};

static bool probe_init(struct sample_probe *p, const struct sampler *s)
{
    const struct rule *r = s->r;
    *p = (struct sample_probe){.s = s};
    pool_init(&p->pool);
    terms_init(&p->terms, &p->pool);
    uint32_t *rank = ARENA_NEW(&p->mem, uint32_t, r->n_classes + 1);
    enum elem *elem = ARENA_NEW(&p->mem, enum elem, r->n_types + 1);
    struct op_binding *op =
        ARENA_NEW(&p->mem, struct op_binding, r->n_opvars + 1);
    p->map = ARENA_NEW(&p->mem, int64_t *, r->n_maps + 1);
    for (uint32_t m = 0; m < r->n_maps; m++)
        p->map[m] = ARENA_NEW(&p->mem, int64_t, 1);
    for (uint32_t f = 0; f < s->n_families; f++) {
        for (uint32_t c = 0; c < r->n_classes; c++)
            if (cex_root(r, c) == s->family[f].f->root)
                rank[c] = s->family[f].n > 0;
        for (uint32_t m = 0; m < r->n_maps && s->family[f].n > 0; m++)
            if (cex_root(r, r->maps[m].cls) == s->family[f].f->root)
                p->map[m][0] = s->family[f].point[0][m];
    }
    enum domain d = DOMAIN_BOOL;
    while (d < N_DOMAINS && !(rule_domains(r) >> d & 1))
        d++;
    for (uint32_t i = 0; i < r->n_types; i++)
        elem[i] = elem_for(r->types[i].kinds, d, i);
    for (uint32_t i = 0; i < r->n_opvars; i++)
        op[i].op = r->opvars[i].n_args == 2   ? OP_MAXIMUM
                   : r->opvars[i].n_args == 1 ? OP_NEGATE
                                              : OP_CLAMP;
    p->g = (struct ground){rank, p->map, elem, op, ELEM_I32};
    return d < N_DOMAINS;
}

static void probe_release(struct sample_probe *p)
{
    terms_release(&p->terms);
    pool_release(&p->pool);
    arena_release(&p->mem);
}

static bool probe_holds(struct sample_probe *p, const struct family *f, int64_t *v)
{
    const struct rule *r = p->s->r;
    struct arena_mark mark = arena_mark(&p->mem);
    struct err e = {0};
    struct instance *in = NULL;
    term_id lhs, rhs;
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (cex_root(r, r->maps[m].cls) == f->f->root)
            p->map[m][0] = v[m];
    enum ground_status s = rule_ground(r, &p->g, &p->terms, NULL, &p->mem, &in,
                                       &lhs, &rhs, NULL, &e);
    bool ok = s != GROUND_PRE_FALSE && s != GROUND_LHS_INVALID;
    for (uint32_t m = 0; ok && m < r->n_maps; m++) // what the lets are
        if (cex_root(r, r->maps[m].cls) == f->f->root && !r->maps[m].index &&
            in->rank[r->maps[m].cls] > 0)
            v[m] = in->map[m][0];
    arena_reset(&p->mem, mark);
    return ok;
}

// Up to three maps change by one number.
static bool propose(const struct rule *r, uint32_t root, struct rng *rng,
                    int64_t *v)
{
    uint32_t own[64], n = 0;
    for (uint32_t m = 0; m < r->n_maps && n < 64; m++)
        if (!r->maps[m].index && r->maps[m].def == NULL &&
            cex_root(r, r->maps[m].cls) == root)
            own[n++] = m;
    if (n == 0)
        return false;
    int64_t by = rng_range(rng, 1, 4) * (rng_below(rng, 4) == 0 ? -1 : 1);
    uint64_t times = 1 + rng_below(rng, 3);
    for (uint64_t i = 0; i < times; i++) {
        uint32_t m = own[rng_below(rng, n)];
        v[m] += by;
        if (v[m] > FAR || v[m] < -FAR)
            return false;
    }
    return true;
}

// Points move to where more of their values differ.
static void climb(const struct sampler *s, struct family *f, struct rng *rng)
{
    const struct rule *r = s->r;
    struct sample_probe p;
    int64_t *v = mem_alloc((r->n_maps + 1) * sizeof *v);
    bool ok = probe_init(&p, s);
    for (uint32_t i = 0; ok && i < f->n; i++) {
        uint32_t score = score_of(r, f->f->root, f->point[i]);
        for (uint32_t k = 0; k < s->effort / 100; k++) {
            memcpy(v, f->point[i], r->n_maps * sizeof *v);
            if (!propose(r, f->f->root, rng, v) || !probe_holds(&p, f, v))
                continue;
            uint32_t now = score_of(r, f->f->root, v);
            if (now < score)
                continue;
            score = now;
            memcpy(f->point[i], v, r->n_maps * sizeof *v);
        }
    }
    probe_release(&p);
    mem_free(v);
}

struct sampler *sampler_new(const struct rule *r, uint32_t effort,
                            struct rng *rng, struct arena *mem)
{
    struct cex_budget b = {.visits = effort, .points = UINT32_MAX};
    struct sampler *s = ARENA_NEW(mem, struct sampler, 1);
    const struct cex_space *space = cex_space_new(r, NULL, 0, &b, rng, mem);
    s->r = r;
    s->effort = effort;
    s->n_families = space->n_families;
    s->family = ARENA_NEW(mem, struct family, s->n_families + 1);
    for (uint32_t i = 0; i < s->n_families; i++) {
        s->family[i].f = &space->family[i];
        s->family[i].renamed = is_renamed(r, space->family[i].root);
        rank_points(r, &s->family[i], mem);
        find_edges(r, &s->family[i], rng);
    }
    for (uint32_t i = 0; i < s->n_families; i++)
        climb(s, &s->family[i], rng);
    return s;
}

// The edge that instance k has in the family: NONE, or a number; the first is
// the first of its points, the second no axis at all.
static uint32_t edge_in(const struct sampler *s, uint32_t family, uint32_t k)
{
    if (k < SAMPLE_EDGES || (k - SAMPLE_EDGES) % s->n_families != family)
        return NONE;
    return (k - SAMPLE_EDGES) / s->n_families;
}

static uint32_t rank_for(const struct sampler *s, uint32_t family, uint32_t k,
                         struct rng *rng)
{
    const struct family *f = &s->family[family];
    uint32_t least = f->f->least, most = f->renamed ? 3 : 2;
    if (f->f->single)
        return 1;
    if (f->n == 0 || edge_in(s, family, k) == 1)
        return least;
    uint32_t rank = k == 0              ? 1
                    : k == 1            ? most
                    : k >= SAMPLE_EDGES ? 1 + k % 2
                                        : (uint32_t)rng_below(rng, most + 1);
    return rank < least ? least : rank;
}

static void put_point(const struct sampler *s, const struct family *f,
                      uint32_t axis, const int64_t *v, int64_t **map)
{
    for (uint32_t m = 0; m < s->r->n_maps; m++)
        if (cex_root(s->r, s->r->maps[m].cls) == f->f->root &&
            !s->r->maps[m].index)
            map[m][axis] = v[m];
}

// Points that no other axis of the family has, while there are some.
static void put_axes(const struct sampler *s, uint32_t family, uint32_t k,
                     uint32_t rank, int64_t **map, struct rng *rng)
{
    const struct family *f = &s->family[family];
    uint32_t start = f->n > 0 ? (uint32_t)rng_below(rng, f->n) : 0;
    for (uint32_t a = 0; a < rank && f->n > 0; a++)
        put_point(s, f, a, f->point[(start + a) % f->n], map);
    uint32_t edge = edge_in(s, family, k);
    if (edge != NONE && f->n_edges > 0 && rank > 0)
        put_point(s, f, (uint32_t)rng_below(rng, rank),
                  f->edge[(edge < 2 ? 0 : edge - 1) % f->n_edges], map);
}

// A block of two axes, with as many elements as its one axis had.
static void split_block(const struct rule *r, uint32_t root, uint32_t *rank,
                        int64_t **map, struct rng *rng, struct arena *mem)
{
    int64_t n = 1, by = 1;
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (r->classes[r->maps[m].cls].like == root)
            n = map[m][0];
    for (int64_t d = 2; d < n; d++)
        if (n % d == 0 && (by == 1 || rng_below(rng, 2)))
            by = d;
    int64_t two[2] = {by, n / by};
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (r->classes[c].like == root)
            rank[c] = 2;
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (r->classes[r->maps[m].cls].like == root) {
            map[m] = ARENA_NEW(mem, int64_t, 2);
            map[m][0] = two[0];
            map[m][1] = two[1];
        }
}

static bool choose_ops(const struct rule *r, enum domain d,
                       const struct ground *g, uint32_t k, struct terms *t,
                       struct rng *rng, struct arena *mem,
                       struct op_binding *out)
{
    struct cex_evaluator lab;
    struct cex_case *c = cex_case_new(r, mem);
    if (r->n_opvars == 0)
        return true;
    c->domain = d;
    for (uint32_t i = 0; i < r->n_types; i++)
        c->elem[i] = g->elem[i];
    cex_evaluator_init(&lab, r);
    bool ok = cex_choose_ops(r, &lab, c, k, rng);
    for (uint32_t i = 0; ok && i < r->n_opvars; i++)
        out[i] =
            (struct op_binding){c->op[i].op, cex_op_attr(t->pool, &c->op[i])};
    cex_evaluator_release(&lab);
    return ok;
}

static bool make_once(const struct sampler *s, enum domain d, uint32_t k,
                      struct terms *t, struct rng *rng, struct arena *mem,
                      struct sample *out, struct err *e)
{
    const struct rule *r = s->r;
    uint32_t *rank = ARENA_NEW(mem, uint32_t, r->n_classes + 1);
    int64_t **map = ARENA_NEW(mem, int64_t *, r->n_maps + 1);
    enum elem *elem = ARENA_NEW(mem, enum elem, r->n_types + 1);
    struct op_binding *op = ARENA_NEW(mem, struct op_binding, r->n_opvars + 1);
    struct ground g = {rank, map, elem, op, ELEM_I32};
    uint32_t *of_family = ARENA_NEW(mem, uint32_t, s->n_families + 1);
    for (uint32_t i = 0; i < s->n_families; i++) {
        of_family[i] = rank_for(s, i, k, rng);
        for (uint32_t c = 0; c < r->n_classes; c++)
            if (cex_root(r, c) == s->family[i].f->root)
                rank[c] = of_family[i];
    }
    for (uint32_t m = 0; m < r->n_maps; m++) {
        uint32_t n = rank[r->maps[m].cls];
        map[m] = ARENA_NEW(mem, int64_t, n + 1);
        for (uint32_t i = 0; i < n && r->maps[m].index; i++)
            map[m][i] = k < SAMPLE_EDGES        ? rng_range(rng, 0, 3)
                        : rng_below(rng, 3) > 0 ? rng_range(rng, -3, 12)
                        : rng_below(rng, 2)     ? INT32_MAX
                                                : INT32_MIN;
    }
    for (uint32_t i = 0; i < s->n_families; i++)
        put_axes(s, i, k, of_family[i], map, rng);
    // Of several blocks one at least has one axis only, at first.
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (r->classes[c].block && !r->classes[c].single &&
            r->classes[c].like == c && (k > 0) && (k + c) % 2 == 0)
            split_block(r, c, rank, map, rng, mem);
    // Of different types few operators are; so in turn they are alike.
    bool fits = false, alike = r->n_opvars > 0 && k % 2 == 0;
    for (uint32_t turn = 0; turn < 2 && !fits; turn++, alike = !alike) {
        for (uint32_t i = 0; i < r->n_types; i++)
            elem[i] = elem_for(r->types[i].kinds, d, alike ? k / 2 : k + i);
        fits = choose_ops(r, d, &g, k, t, rng, mem, op);
    }
    if (!fits)
        return err_set(e, ERR_CHECK, "no operator fits");
    out->cond = ARENA_NEW(mem, term_id, r->n_wheres + 1);
    out->status = rule_ground(r, &g, t, NULL, mem, &out->in, &out->lhs,
                              &out->rhs, out->cond, e);
    return out->status != GROUND_PRE_FALSE && out->status != GROUND_LHS_INVALID;
}

bool sample_make(const struct sampler *s, enum domain d, uint32_t k,
                 struct terms *t, struct rng *rng, struct arena *mem,
                 struct sample *out, struct err *e)
{
    for (uint32_t i = 0; i < TRIES; i++) {
        *e = (struct err){0};
        // Many failures: any ranks will do.
        if (make_once(s, d, i < TRIES / 4 ? k : k + i, t, rng, mem, out, e))
            return true;
    }
    if (e->msg[0] == 0)
        err_set(e, ERR_CHECK, "no instance was found");
    return false;
}

uint32_t sampler_families(const struct sampler *s)
{
    return s->n_families;
}

void sample_print(const struct instance *in, struct buf *out)
{
    const struct rule *r = in->rule;
    const char *gap = "";
    for (uint32_t c = 0; c < r->n_classes; c++) {
        if (!r->classes[c].single) {
            buf_printf(out, "%s%s: %u axes", gap, r->classes[c].name,
                       in->rank[c]);
            gap = ", ";
        }
    }
    gap = *gap ? "; " : "";
    for (uint32_t m = 0; m < r->n_maps; m++) {
        uint32_t n = in->rank[r->maps[m].cls];
        if (r->maps[m].index || r->maps[m].def != NULL || n == 0)
            continue;
        buf_printf(out, "%s%s=", gap, r->maps[m].name);
        for (uint32_t i = 0; i < n; i++)
            buf_printf(out, "%s%lld", i > 0 ? "," : "",
                       (long long)in->map[m][i]);
        gap = " ";
    }
}
