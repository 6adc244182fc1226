// SPDX-License-Identifier: Apache-2.0
#include "discover/derive/sample.h"
#include "discover/limits.h"
#include "verify/counterexample/parts.h"

struct scored {
    uint32_t score, index;
};
struct family {
    const struct cex_family *family;
    uint32_t n;
    int64_t **point; // values by map; best point first
    uint32_t n_edges;
    const int64_t *edge[SAMPLE_EDGE_POINTS];
    bool renamed; // a relabel acts on the family
};
struct sampler {
    const struct rule *rule;
    uint32_t effort;
    uint32_t n_families;
    struct family *family;
};

// A value other than 0, 1 and -1 scores; a value that no other map has scores
// again.
static uint32_t score_maps(const struct rule *rule, uint32_t root, const int64_t *v)
{
    uint32_t score = 0;
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        if (rule->maps[m].index || cex_root(rule, rule->maps[m].cls) != root)
            continue;
        bool alone = true;
        for (uint32_t k = 0; k < rule->n_maps; k++)
            alone = alone && (k == m || rule->maps[k].index || v[k] != v[m] ||
                              cex_root(rule, rule->maps[k].cls) != root);
        score += (uint32_t)(v[m] < -1 || v[m] > 1) + 2u * alone;
    }
    return score;
}

// Each size of a node that no other node has scores, too.
static uint32_t score_sizes(const struct rule *rule, uint32_t root, int64_t *v)
{
    int64_t seen[SAMPLE_SIZES], size;
    uint32_t n = 0, score = 0;
    int64_t *at[SAMPLE_MAPS];
    if (rule->n_maps > SAMPLE_MAPS)
        return 0;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        at[m] = &v[m];
    for (uint32_t i = 0; i < rule->n_pats; i++)
        for (uint32_t k = 0; k < rule->pats[i].n_sizes && n < SAMPLE_SIZES; k++) {
            if (cex_root(rule, rule->pats[i].sizes[k].cls) != root ||
                !iexp_eval(rule->pats[i].sizes[k].size, at, 0, &size))
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
    const struct scored *scored = a, *y = b;
    if (scored->score != y->score)
        return scored->score > y->score ? -1 : 1;
    return scored->index < y->index ? -1 : scored->index > y->index;
}

static uint32_t score_of(const struct rule *rule, uint32_t root, int64_t *v)
{
    return score_maps(rule, root, v) + score_sizes(rule, root, v);
}

static void rank_points(const struct rule *rule, struct family *family, struct arena *mem)
{
    uint32_t n = family->family->n_full > 0 ? family->family->n_full : family->family->n_points;
    struct arena scratch = {0};
    struct scored *all = ARENA_NEW(&scratch, struct scored, n + 1);
    int64_t *v = ARENA_NEW(&scratch, int64_t, rule->n_maps + 1);
    for (uint32_t i = 0; i < n; i++) {
        if (rule->n_maps > 0)
            memcpy(v, family->family->point[i].v, rule->n_maps * sizeof *v);
        all[i] = (struct scored){score_of(rule, family->family->root, v), i};
    }
    qsort(all, n, sizeof *all, by_score);
    family->n = n < SAMPLE_KEPT ? n : SAMPLE_KEPT;
    family->point = ARENA_NEW(mem, int64_t *, SAMPLE_KEPT);
    for (uint32_t i = 0; i < family->n; i++) {
        family->point[i] = ARENA_NEW(mem, int64_t, rule->n_maps + 1);
        for (uint32_t m = 0; m < rule->n_maps; m++)
            family->point[i][m] = family->family->point[all[i].index].v[m];
    }
    arena_release(&scratch);
}

// One digit in base 4 for each map: negative, 0, 1 or more.
static uint64_t signs_of(const struct rule *rule, uint32_t root, const struct cex_point *point)
{
    uint64_t out = point->lack;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (!rule->maps[m].index && cex_root(rule, rule->maps[m].cls) == root)
            out = out * 31 + (point->v[m] < 0   ? 0
                              : point->v[m] < 2 ? 1 + (uint64_t)point->v[m]
                                                : 3);
    return out;
}

static bool add_edge(const struct rule *rule, struct family *family, const struct cex_point *point,
                     uint64_t *seen)
{
    uint64_t signs = signs_of(rule, family->family->root, point);
    for (uint32_t i = 0; i < family->n_edges; i++)
        if (seen[i] == signs)
            return false;
    seen[family->n_edges] = signs;
    family->edge[family->n_edges++] = point->v;
    return true;
}

// Edge points: failures of the right side, the least point, points without
// elements, and others of a different pattern of signs.
static void find_edges(const struct rule *rule, struct family *family, struct rng *rng)
{
    const struct cex_family *x = family->family;
    uint64_t seen[SAMPLE_EDGE_POINTS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < x->n_points && n < 2; i++)
        if (x->point[i].fails)
            n += add_edge(rule, family, &x->point[i], seen);
    if (x->n_full > 0) // the point of least values
        (void)add_edge(rule, family, &x->point[0], seen);
    n = 0;
    for (uint32_t i = x->n_full; i < x->n_points && n < 2; i++)
        n += add_edge(rule, family, &x->point[i], seen);
    for (uint32_t i = 0;
         i < SAMPLE_EDGE_TRIES && family->n_edges < SAMPLE_EDGE_POINTS && x->n_full > 0; i++)
        (void)add_edge(rule, family, &x->point[rng_below(rng, x->n_full)], seen);
}

static bool is_renamed(const struct rule *rule, uint32_t root)
{
    for (uint32_t i = 0; i < rule->n_pats; i++)
        for (uint32_t k = 0; k < rule->pats[i].n_relabels; k++)
            if (cex_root(rule, rule->pats[i].relabels[k].from) == root)
                return true;
    return false;
}

// If several variables have one kind, two element types take turns.
static enum elem elem_for(unsigned kinds, enum domain domain, uint32_t turn)
{
    unsigned in = kinds & domain_kinds(domain);
    if (in & KIND_FLOAT)
        return turn % 2 ? ELEM_F64 : ELEM_F32;
    if (domain == DOMAIN_INT && (in & (KIND_SINT | KIND_UINT)))
        return ELEM_INT;
    if (in & KIND_SINT)
        return turn % 2 ? ELEM_I64 : ELEM_I32;
    if (in & KIND_UINT)
        return turn % 2 ? ELEM_UI64 : ELEM_UI32;
    if (kinds & KIND_BOOL)
        return ELEM_I1;
    // In a rule with conversions, some types belong to the other domain.
    if (kinds & KIND_FLOAT)
        return domain == DOMAIN_INT ? ELEM_REAL : ELEM_F32;
    if (domain == DOMAIN_REAL)
        return ELEM_INT;
    return kinds & KIND_SINT ? ELEM_I32 : ELEM_UI32;
}

// Is there an instance with one axis in each family, at which this family has
// the values v?
struct sample_probe {
    const struct sampler *sampler;
    struct pool pool;
    struct terms terms;
    struct arena mem;
    struct ground ground;
    int64_t **map;
};

static bool probe_init(struct sample_probe *probe, const struct sampler *sampler)
{
    const struct rule *rule = sampler->rule;
    *probe = (struct sample_probe){.sampler = sampler};
    pool_init(&probe->pool);
    terms_init(&probe->terms, &probe->pool);
    uint32_t *rank = ARENA_NEW(&probe->mem, uint32_t, rule->n_classes + 1);
    enum elem *elem = ARENA_NEW(&probe->mem, enum elem, rule->n_types + 1);
    struct op_binding *op = ARENA_NEW(&probe->mem, struct op_binding, rule->n_opvars + 1);
    probe->map = ARENA_NEW(&probe->mem, int64_t *, rule->n_maps + 1);
    for (uint32_t m = 0; m < rule->n_maps; m++)
        probe->map[m] = ARENA_NEW(&probe->mem, int64_t, 1);
    for (uint32_t f = 0; f < sampler->n_families; f++) {
        for (uint32_t c = 0; c < rule->n_classes; c++)
            if (cex_root(rule, c) == sampler->family[f].family->root)
                rank[c] = sampler->family[f].n > 0;
        for (uint32_t m = 0; m < rule->n_maps && sampler->family[f].n > 0; m++)
            if (cex_root(rule, rule->maps[m].cls) == sampler->family[f].family->root)
                probe->map[m][0] = sampler->family[f].point[0][m];
    }
    enum domain domain = DOMAIN_BOOL;
    while (domain < N_DOMAINS && !(rule_domains(rule) >> domain & 1))
        domain++;
    for (uint32_t i = 0; i < rule->n_types; i++)
        elem[i] = elem_for(rule->types[i].kinds, domain, i);
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        op[i].op = rule->opvars[i].n_args == 2   ? OP_MAXIMUM
                   : rule->opvars[i].n_args == 1 ? OP_NEGATE
                                                 : OP_CLAMP;
    probe->ground = (struct ground){rank, probe->map, elem, op, ELEM_I32};
    return domain < N_DOMAINS;
}

static void probe_release(struct sample_probe *probe)
{
    terms_release(&probe->terms);
    pool_release(&probe->pool);
    arena_release(&probe->mem);
}

static bool probe_holds(struct sample_probe *probe, const struct family *family, int64_t *v)
{
    const struct rule *rule = probe->sampler->rule;
    struct arena_mark mark = arena_mark(&probe->mem);
    struct err err = {0};
    struct instance *in = NULL;
    term_id lhs, rhs;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (cex_root(rule, rule->maps[m].cls) == family->family->root)
            probe->map[m][0] = v[m];
    enum ground_status status =
        rule_ground(rule, &probe->ground, (struct ground_place){&probe->terms, NULL, &probe->mem},
                    (struct ground_out){&in, &lhs, &rhs, NULL}, &err);
    bool ok = status != GROUND_PRE_FALSE && status != GROUND_LHS_INVALID;
    for (uint32_t m = 0; ok && m < rule->n_maps; m++) // values of the lets
        if (cex_root(rule, rule->maps[m].cls) == family->family->root && !rule->maps[m].index &&
            in->rank[rule->maps[m].cls] > 0)
            v[m] = in->map[m][0];
    arena_reset(&probe->mem, mark);
    return ok;
}

// Changes up to three maps by one common amount.
static bool propose(const struct rule *rule, uint32_t root, struct rng *rng, int64_t *v)
{
    uint32_t own[SAMPLE_OWN_MAPS], n = 0;
    for (uint32_t m = 0; m < rule->n_maps && n < SAMPLE_OWN_MAPS; m++)
        if (!rule->maps[m].index && rule->maps[m].def == NULL &&
            cex_root(rule, rule->maps[m].cls) == root)
            own[n++] = m;
    if (n == 0)
        return false;
    int64_t by = rng_range(rng, 1, 4) * (rng_below(rng, 4) == 0 ? -1 : 1);
    uint64_t times = 1 + rng_below(rng, 3);
    for (uint64_t i = 0; i < times; i++) {
        uint32_t m = own[rng_below(rng, n)];
        v[m] += by;
        if (v[m] > SAMPLE_FAR || v[m] < -SAMPLE_FAR)
            return false;
    }
    return true;
}

// Hill climbing: points move to where more of their values differ.
static void climb(const struct sampler *sampler, struct family *family, struct rng *rng)
{
    const struct rule *rule = sampler->rule;
    struct sample_probe probe;
    int64_t *v = mem_alloc((rule->n_maps + 1) * sizeof *v);
    bool ok = probe_init(&probe, sampler);
    for (uint32_t i = 0; ok && i < family->n; i++) {
        uint32_t score = score_of(rule, family->family->root, family->point[i]);
        for (uint32_t k = 0; k < sampler->effort / SAMPLE_CLIMB_SHARE; k++) {
            memcpy(v, family->point[i], rule->n_maps * sizeof *v);
            if (!propose(rule, family->family->root, rng, v) || !probe_holds(&probe, family, v))
                continue;
            uint32_t now = score_of(rule, family->family->root, v);
            if (now < score)
                continue;
            score = now;
            memcpy(family->point[i], v, rule->n_maps * sizeof *v);
        }
    }
    probe_release(&probe);
    mem_free(v);
}

struct sampler *sampler_new(const struct rule *rule, uint32_t effort, struct rng *rng,
                            struct arena *mem)
{
    struct cex_budget budget = {.visits = effort, .points = UINT32_MAX};
    struct sampler *sampler = ARENA_NEW(mem, struct sampler, 1);
    const struct cex_space *space = cex_space_new(rule, NULL, 0, &budget, rng, mem);
    sampler->rule = rule;
    sampler->effort = effort;
    sampler->n_families = space->n_families;
    sampler->family = ARENA_NEW(mem, struct family, sampler->n_families + 1);
    for (uint32_t i = 0; i < sampler->n_families; i++) {
        sampler->family[i].family = &space->family[i];
        sampler->family[i].renamed = is_renamed(rule, space->family[i].root);
        rank_points(rule, &sampler->family[i], mem);
        find_edges(rule, &sampler->family[i], rng);
    }
    for (uint32_t i = 0; i < sampler->n_families; i++)
        climb(sampler, &sampler->family[i], rng);
    return sampler;
}

// The edge at which instance k puts the family; NONE if it is none.  The first
// edge is the first edge point, the second edge has no axis at all.
static uint32_t edge_in(const struct sampler *sampler, uint32_t family, uint32_t k)
{
    if (k < SAMPLE_EDGES || (k - SAMPLE_EDGES) % sampler->n_families != family)
        return NONE;
    return (k - SAMPLE_EDGES) / sampler->n_families;
}

static uint32_t rank_for(const struct sampler *sampler, uint32_t family, uint32_t k,
                         struct rng *rng)
{
    const struct family *f = &sampler->family[family];
    uint32_t least = f->family->least, most = f->renamed ? 3 : 2;
    if (f->family->single)
        return 1;
    if (f->n == 0 || edge_in(sampler, family, k) == 1)
        return least;
    uint32_t rank = k == 0              ? 1
                    : k == 1            ? most
                    : k >= SAMPLE_EDGES ? 1 + k % 2
                                        : (uint32_t)rng_below(rng, most + 1);
    return rank < least ? least : rank;
}

static void put_point(const struct sampler *sampler, const struct family *family, uint32_t axis,
                      const int64_t *v, int64_t **map)
{
    for (uint32_t m = 0; m < sampler->rule->n_maps; m++)
        if (cex_root(sampler->rule, sampler->rule->maps[m].cls) == family->family->root &&
            !sampler->rule->maps[m].index)
            map[m][axis] = v[m];
}

// Prefers points that no other axis of the family has.
static void put_axes(const struct sampler *sampler, uint32_t family, uint32_t k, uint32_t rank,
                     int64_t **map, struct rng *rng)
{
    const struct family *f = &sampler->family[family];
    uint32_t start = f->n > 0 ? (uint32_t)rng_below(rng, f->n) : 0;
    for (uint32_t a = 0; a < rank && f->n > 0; a++)
        put_point(sampler, f, a, f->point[(start + a) % f->n], map);
    uint32_t edge = edge_in(sampler, family, k);
    if (edge != NONE && f->n_edges > 0 && rank > 0)
        put_point(sampler, f, (uint32_t)rng_below(rng, rank),
                  f->edge[(edge < 2 ? 0 : edge - 1) % f->n_edges], map);
}

// Makes the block two axes with as many elements as its one axis had.
static void split_block(const struct rule *rule, uint32_t root, uint32_t *rank, int64_t **map,
                        struct rng *rng, struct arena *mem)
{
    int64_t n = 1, by = 1;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (rule->classes[rule->maps[m].cls].like == root)
            n = map[m][0];
    for (int64_t d = 2; d < n; d++)
        if (n % d == 0 && (by == 1 || rng_below(rng, 2)))
            by = d;
    int64_t two[2] = {by, n / by};
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (rule->classes[c].like == root)
            rank[c] = 2;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        if (rule->classes[rule->maps[m].cls].like == root) {
            map[m] = ARENA_NEW(mem, int64_t, 2);
            map[m][0] = two[0];
            map[m][1] = two[1];
        }
}

static bool choose_ops(const struct rule *rule, const struct sample_request *request,
                       const enum elem *elem, struct op_binding *out)
{
    struct cex_evaluator lab;
    struct cex_case *candidate = cex_case_new(rule, request->mem);
    if (rule->n_opvars == 0)
        return true;
    candidate->domain = request->domain;
    for (uint32_t i = 0; i < rule->n_types; i++)
        candidate->elem[i] = elem[i];
    cex_evaluator_init(&lab, rule);
    bool ok = cex_choose_ops(rule, &lab, candidate, request->number, request->rng);
    for (uint32_t i = 0; ok && i < rule->n_opvars; i++)
        out[i] = (struct op_binding){candidate->op[i].op,
                                     cex_op_attr(request->terms->pool, &candidate->op[i])};
    cex_evaluator_release(&lab);
    return ok;
}

static bool make_once(const struct sampler *sampler, const struct sample_request *request,
                      struct sample *out, struct err *err)
{
    const struct rule *rule = sampler->rule;
    uint32_t k = request->number;
    struct rng *rng = request->rng;
    struct arena *mem = request->mem;
    uint32_t *rank = ARENA_NEW(mem, uint32_t, rule->n_classes + 1);
    int64_t **map = ARENA_NEW(mem, int64_t *, rule->n_maps + 1);
    enum elem *elem = ARENA_NEW(mem, enum elem, rule->n_types + 1);
    struct op_binding *op = ARENA_NEW(mem, struct op_binding, rule->n_opvars + 1);
    struct ground ground = {rank, map, elem, op, ELEM_I32};
    uint32_t *of_family = ARENA_NEW(mem, uint32_t, sampler->n_families + 1);
    for (uint32_t i = 0; i < sampler->n_families; i++) {
        of_family[i] = rank_for(sampler, i, k, rng);
        for (uint32_t c = 0; c < rule->n_classes; c++)
            if (cex_root(rule, c) == sampler->family[i].family->root)
                rank[c] = of_family[i];
    }
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        uint32_t n = rank[rule->maps[m].cls];
        map[m] = ARENA_NEW(mem, int64_t, n + 1);
        for (uint32_t i = 0; i < n && rule->maps[m].index; i++)
            map[m][i] = k < SAMPLE_EDGES        ? rng_range(rng, 0, 3)
                        : rng_below(rng, 3) > 0 ? rng_range(rng, -3, 12)
                        : rng_below(rng, 2)     ? INT32_MAX
                                                : INT32_MIN;
    }
    for (uint32_t i = 0; i < sampler->n_families; i++)
        put_axes(sampler, i, k, of_family[i], map, rng);
    // Instance 0 gives every block one axis; others split every second block.
    for (uint32_t c = 0; c < rule->n_classes; c++)
        if (rule->classes[c].block && !rule->classes[c].single && rule->classes[c].like == c &&
            (k > 0) && (k + c) % 2 == 0)
            split_block(rule, c, rank, map, rng, mem);
    // Few operators relate different types.  So instances alternate between equal
    // and different types.
    bool fits = false, alike = rule->n_opvars > 0 && k % 2 == 0;
    for (uint32_t turn = 0; turn < 2 && !fits; turn++, alike = !alike) {
        for (uint32_t i = 0; i < rule->n_types; i++)
            elem[i] = elem_for(rule->types[i].kinds, request->domain, alike ? k / 2 : k + i);
        fits = choose_ops(rule, request, elem, op);
    }
    if (!fits)
        return err_set(err, ERR_CHECK, "no operator fits");
    out->cond = ARENA_NEW(mem, term_id, rule->n_wheres + 1);
    out->status = rule_ground(rule, &ground, (struct ground_place){request->terms, NULL, mem},
                              (struct ground_out){&out->in, &out->lhs, &out->rhs, out->cond}, err);
    return out->status != GROUND_PRE_FALSE && out->status != GROUND_LHS_INVALID;
}

bool sample_make(const struct sampler *sampler, const struct sample_request *request,
                 struct sample *out, struct err *err)
{
    struct sample_request attempt = *request;
    for (uint32_t i = 0; i < SAMPLE_TRIES; i++) {
        *err = (struct err){0};
        // After many failures any ranks will do.
        attempt.number = request->number + (i < SAMPLE_TRIES / 4 ? 0 : i);
        if (make_once(sampler, &attempt, out, err))
            return true;
    }
    if (err->msg[0] == 0)
        err_set(err, ERR_CHECK, "no instance was found");
    return false;
}

uint32_t sampler_families(const struct sampler *sampler)
{
    return sampler->n_families;
}

void sample_print(const struct instance *in, struct buf *out)
{
    const struct rule *rule = in->rule;
    const char *gap = "";
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        if (!rule->classes[c].single) {
            buf_printf(out, "%s%s: %u axes", gap, rule->classes[c].name, in->rank[c]);
            gap = ", ";
        }
    }
    gap = *gap ? "; " : "";
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        uint32_t n = in->rank[rule->maps[m].cls];
        if (rule->maps[m].index || rule->maps[m].def != NULL || n == 0)
            continue;
        buf_printf(out, "%s%s=", gap, rule->maps[m].name);
        for (uint32_t i = 0; i < n; i++)
            buf_printf(out, "%s%lld", i > 0 ? "," : "", (long long)in->map[m][i]);
        gap = " ";
    }
}
