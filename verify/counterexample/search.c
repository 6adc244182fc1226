// SPDX-License-Identifier: Apache-2.0
// The schedule of the search.  First points at which shapes or the right
// side's validity fail (one axis decides those), then the prover's hints, then
// elements: rank vectors by growing number of axes, points by growing weight,
// several fillings of each.
#include "base/clock.h"
#include "verify/counterexample/parts.h"

#define MAX_FAMILIES 64
#define MAX_FREE_AXES 3 // axes of an instance besides `axis` classes
#define MAX_VECTORS 128 // rank vectors
#define CLOCK_EVERY 64  // runs between looks at the clock
#define FEW_RUNS 24     // fillings of a case that only needs conditions

struct cex_budget cex_budget_quick(void)
{
    return (struct cex_budget){
        .candidates = 1200, .visits = 30000, .points = 700, .seconds = 1};
}

struct cex_budget cex_budget_deep(void)
{
    return (struct cex_budget){
        .candidates = 8000, .visits = 400000, .points = 4000, .seconds = 5};
}

struct rank_vector {
    uint32_t free;              // axes beside the least ranks
    uint8_t rank[MAX_FAMILIES]; // per family
};

struct cex_schedule {
    const struct cex_space *s;
    const struct rule *r;
    enum domain domain;
    const struct cex_budget *b;
    struct rng *rng;
    struct arena *mem;
    struct cex_evaluator lab;
    uint64_t runs;
    double start;
    bool approximate, moves;
    bool sums;     // of floats: fillings matter more than places
    uint32_t turn; // grounds so far
    const char *json;
};

uint32_t cex_root(const struct rule *r, uint32_t cls)
{
    return r->classes[r->classes[cls].like].joint;
}

struct cex_space *cex_space_new(const struct rule *r,
                                const struct cex_hint *hints, uint32_t n,
                                const struct cex_budget *b, struct rng *rng,
                                struct arena *mem)
{
    struct cex_space *s = ARENA_NEW(mem, struct cex_space, 1);
    *s = (struct cex_space){.r = r, .hints = hints, .n_hints = n, .mem = mem};
    s->family = ARENA_NEW(mem, struct cex_family, r->n_classes);
    for (uint32_t c = 0; c < r->n_classes; c++) {
        if (cex_root(r, c) != c || s->n_families == MAX_FAMILIES)
            continue;
        struct cex_family *f = &s->family[s->n_families++];
        f->root = c;
        for (uint32_t k = 0; k < r->n_classes; k++)
            if (cex_root(r, k) == c) {
                f->single |= r->classes[k].single;
                f->joint |= r->classes[k].block ||
                            r->classes[k].like != r->classes[c].like;
                if (r->classes[k].least_rank > f->least)
                    f->least = r->classes[k].least_rank;
            }
        f->single |= f->joint;
        if (f->single)
            f->least = 1;
        cex_family_fill(s, f, b, rng);
    }
    return s;
}

static bool out_of_budget(struct cex_schedule *w)
{
    if (w->runs >= w->b->candidates)
        return true;
    return w->runs % CLOCK_EVERY == 0 &&
           clock_wall() - w->start > w->b->seconds;
}

// A case with ranks[f] axes in family f and nothing else set.
static struct cex_case *blank_case(const struct cex_schedule *w, struct arena *mem,
                                   const uint8_t *ranks)
{
    struct cex_case *c = cex_case_new(w->r, mem);
    c->domain = w->domain;
    c->approximate = w->approximate;
    for (uint32_t k = 0; k < w->r->n_classes; k++)
        for (uint32_t f = 0; f < w->s->n_families; f++)
            if (cex_root(w->r, k) == w->s->family[f].root)
                c->rank[k] = ranks[f];
    cex_case_maps(w->r, c, mem);
    return c;
}

static void put_point(const struct cex_schedule *w, struct cex_case *c, uint32_t f,
                      uint32_t axis, const struct cex_point *p)
{
    for (uint32_t m = 0; m < w->r->n_maps; m++)
        if (cex_root(w->r, w->r->maps[m].cls) == w->s->family[f].root)
            c->map[m][axis] = p->v[m];
}

// A size as a product of two, by chance.
static void split_size(struct rng *rng, int64_t n, int64_t *two)
{
    int64_t d = n > 1 ? rng_range(rng, 1, n < 12 ? n : 12) : 1;
    two[0] = n % d == 0 ? d : 1;
    two[1] = n / two[0];
    if (n == 0 && rng_below(rng, 2))
        two[0] = rng_range(rng, 0, 2);
    if (rng_below(rng, 2)) {
        int64_t swap = two[0];
        two[0] = two[1];
        two[1] = swap;
    }
}

// Gives the block class `root` (and its partners), of one axis so far, another
// rank: two axes, or none if it has one element.
static void block_rank(struct cex_schedule *w, struct cex_case *c, uint32_t root)
{
    const struct rule *r = w->r;
    int64_t size = 1, two[2];
    uint32_t least = 0;
    for (uint32_t k = 0; k < r->n_classes; k++)
        if (r->classes[k].like == root && r->classes[k].least_rank > least)
            least = r->classes[k].least_rank;
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (r->classes[r->maps[m].cls].like == root)
            size = c->map[m][0];
    uint32_t rank = size == 1 && least == 0 && rng_below(w->rng, 2) ? 0 : 2;
    split_size(w->rng, size, two);
    for (uint32_t k = 0; k < r->n_classes; k++)
        if (r->classes[k].like == root)
            c->rank[k] = rank;
    for (uint32_t m = 0; m < r->n_maps; m++) {
        if (r->classes[r->maps[m].cls].like != root)
            continue;
        c->map[m] = ARENA_NEW(w->mem, int64_t, rank);
        for (uint32_t i = 0; i < rank; i++)
            c->map[m][i] = two[i];
    }
}

static void block_ranks(struct cex_schedule *w, struct cex_case *c)
{
    for (uint32_t k = 0; k < w->r->n_classes; k++)
        if (w->r->classes[k].block && w->r->classes[k].like == k &&
            rng_below(w->rng, 3) == 0)
            block_rank(w, c, k);
}

// The case fails: make it small, write it down, and read it back.
static bool conclude(struct cex_schedule *w, const struct cex_case *c)
{
    struct cex_outcome o;
    struct err e = {0};
    struct cex_case *small = cex_minimise(&w->lab, c, w->rng, w->mem);
    if (!cex_evaluator_ground(&w->lab, small, w->mem))
        return false;
    enum cex_failure f = cex_evaluator_run(&w->lab, small, &o);
    if (f == CEX_NONE || f == CEX_DISCARD)
        return false;
    const char *json = cex_json(&w->lab, small, &o, w->mem);
    if (!cex_replay(w->r, w->domain, json, &e))
        return false;
    w->json = json;
    return true;
}

// Grounds the case and tries fillings; true: a counterexample was found.
static bool try_case(struct cex_schedule *w, struct cex_case *c, uint32_t fills,
                     uint32_t round)
{
    struct cex_outcome o;
    cex_choose_indices(w->r, c, round, w->rng);
    if (!cex_choose_types(w->r, c, round, w->rng) ||
        !cex_choose_ops(w->r, &w->lab, c, round, w->rng) ||
        !cex_evaluator_ground(&w->lab, c, w->mem)) {
        w->runs++;
        return false;
    }
    for (uint32_t i = 0; i < fills; i++) {
        cex_fill(w->r, c, (i + round) % cex_styles(w->r, c), w->rng);
        w->runs++;
        enum cex_failure f = cex_evaluator_run(&w->lab, c, &o);
        if (f == CEX_NONE || f == CEX_DISCARD)
            continue;
        if (w->lab.plain ? f == CEX_ELEMENTS : conclude(w, c))
            return true;
    }
    return false;
}

static void least_ranks(const struct cex_schedule *w, uint8_t *ranks)
{
    for (uint32_t f = 0; f < w->s->n_families; f++)
        ranks[f] = (uint8_t)w->s->family[f].least;
}

// One failing point, the other families as small as they can be.
static bool try_failing(struct cex_schedule *w, uint32_t family, uint32_t point)
{
    uint8_t ranks[MAX_FAMILIES];
    struct arena_mark mark = arena_mark(w->mem);
    least_ranks(w, ranks);
    if (ranks[family] == 0)
        ranks[family] = 1;
    struct cex_case *c = blank_case(w, w->mem, ranks);
    for (uint32_t f = 0; f < w->s->n_families; f++)
        for (uint32_t a = 0; a < ranks[f]; a++)
            put_point(w, c, f, a,
                      &w->s->family[f].point[f == family ? point : 0]);
    for (uint32_t round = 0; round < 3; round++)
        if (try_case(w, c, FEW_RUNS, round))
            return true;
    arena_reset(w->mem, mark);
    return false;
}

static bool failing_points(struct cex_schedule *w)
{
    for (uint32_t f = 0; f < w->s->n_families; f++)
        for (uint32_t i = 0; i < w->s->family[f].n_points; i++)
            if (w->s->family[f].point[i].fails && try_failing(w, f, i))
                return true;
    return false;
}

static bool try_hints(struct cex_schedule *w)
{
    for (uint32_t h = 0; h < w->s->n_hints; h++) {
        struct arena_mark mark = arena_mark(w->mem);
        const struct cex_hint *hint = &w->s->hints[h];
        struct cex_case *c = cex_case_new(w->r, w->mem);
        c->domain = w->domain;
        c->approximate = w->approximate;
        for (uint32_t k = 0; k < w->r->n_classes; k++)
            c->rank[k] = hint->rank[k];
        cex_case_maps(w->r, c, w->mem);
        for (uint32_t m = 0; m < w->r->n_maps; m++)
            for (uint32_t i = 0; i < c->rank[w->r->maps[m].cls]; i++)
                c->map[m][i] = hint->map[m][i];
        for (uint32_t round = 0; round < 4; round++)
            if (try_case(w, c, 2 * CEX_STYLES, round))
                return true;
        arena_reset(w->mem, mark);
    }
    return false;
}

// Rank vectors with `left` axes to spend from family f on.
static void rank_vectors(const struct cex_schedule *w, uint32_t f, uint32_t left,
                         struct rank_vector *now, struct rank_vector *out,
                         uint32_t *n)
{
    if (*n == MAX_VECTORS)
        return;
    if (f == w->s->n_families) {
        if (left == 0)
            out[(*n)++] = *now;
        return;
    }
    uint32_t most = w->s->family[f].single ? 0 : left;
    if (w->s->family[f].n_full == 0)
        most = 0;
    for (uint32_t k = 0; k <= most; k++) {
        now->rank[f] = (uint8_t)(w->s->family[f].least + k);
        rank_vectors(w, f + 1, left - k, now, out, n);
    }
}

// The point of an axis: small ones in order on the first axis and whenever
// there is one axis only, random ones with a bias to small elsewhere.
static uint32_t choose_point(struct cex_schedule *w, const struct cex_family *f,
                             uint32_t axis, uint32_t round, bool alone)
{
    uint32_t n = f->n_full;
    if ((alone || (axis == 0 && round % 2)) && round < n)
        return round;
    double u = rng_unit(w->rng);
    uint32_t reach = 8 + round < n ? 8 + round : n;
    if (rng_below(w->rng, 4) == 0)
        return (uint32_t)(rng_unit(w->rng) * n);
    return (uint32_t)(u * reach);
}

static bool try_vector(struct cex_schedule *w, const struct rank_vector *v,
                       uint32_t round)
{
    struct arena_mark mark = arena_mark(w->mem);
    struct cex_case *c = blank_case(w, w->mem, v->rank);
    uint32_t axes = 0;
    for (uint32_t f = 0; f < w->s->n_families; f++)
        axes += v->rank[f];
    for (uint32_t f = 0; f < w->s->n_families; f++)
        for (uint32_t a = 0; a < v->rank[f]; a++) {
            const struct cex_family *fam = &w->s->family[f];
            if (fam->n_full == 0) { // no element to compare
                w->runs++;
                arena_reset(w->mem, mark);
                return false;
            }
            put_point(w, c, f, a,
                      &fam->point[choose_point(w, fam, a, round, axes == 1)]);
        }
    block_ranks(w, c);
    bool many = axes == 0 || w->sums;
    uint32_t fills = w->moves ? 1 : many ? cex_styles(w->r, c) : 3;
    if (try_case(w, c, fills, w->turn++))
        return true;
    arena_reset(w->mem, mark);
    return false;
}

// Rank vectors grouped by their number of free axes.
struct vectors {
    struct rank_vector *at;
    uint32_t first[MAX_FREE_AXES + 2];
};

// Vectors of k free axes that round `round` tries, and how often each: one
// axis is worth most, since its points are gone through in order; no axis at
// all is worth a few fillings only, unless elements matter.
static bool try_group(struct cex_schedule *w, const struct vectors *v, uint32_t k,
                      uint32_t round, bool *stop)
{
    uint32_t size = v->first[k + 1] - v->first[k];
    bool rare = k == 0 && (w->moves ? round >= 8 : round >= 64);
    uint32_t each = k <= 1 ? size : size < 4 ? size : 4;
    uint32_t times = k == 1 ? 4 : 1;
    if (rare && round % 4 != 0 && v->first[MAX_FREE_AXES + 1] > size)
        return false;
    for (uint32_t i = 0; i < each; i++)
        for (uint32_t t = 0; t < times; t++) {
            *stop = out_of_budget(w);
            if (*stop)
                return false;
            if (try_vector(w, &v->at[v->first[k] + (round * each + i) % size],
                           round * times + t))
                return true;
        }
    return false;
}

static bool try_elements(struct cex_schedule *w)
{
    struct arena_mark mark = arena_mark(w->mem);
    struct rank_vector now = {0};
    struct vectors v;
    uint32_t n = 0;
    bool stop = false;
    v.at = ARENA_NEW(w->mem, struct rank_vector, MAX_VECTORS);
    for (uint32_t k = 0; k <= MAX_FREE_AXES; k++) {
        v.first[k] = n;
        rank_vectors(w, 0, k, &now, v.at, &n);
    }
    v.first[MAX_FREE_AXES + 1] = n;
    for (uint32_t round = 0; n > 0 && !stop; round++)
        for (uint32_t k = 0; k <= MAX_FREE_AXES && !stop; k++)
            if (try_group(w, &v, k, round, &stop))
                return true;
    arena_reset(w->mem, mark);
    return false;
}

static bool needs_approximation(const struct rule *r, enum domain d)
{
    if (d != DOMAIN_REAL && d != DOMAIN_INT)
        return false;
    for (uint32_t i = 0; i < r->n_pats; i++) {
        const struct pat *p = &r->pats[i];
        unsigned kinds = r->types[p->type].kinds;
        if (p->kind == PAT_OP && op_is_transcendental(p->op) &&
            kinds & KIND_FLOAT && (d == DOMAIN_REAL || kinds == KIND_FLOAT))
            return true;
    }
    return false;
}

// Some class needs an axis and has no point: there is no ground instance.
static bool has_no_instance(const struct cex_space *s)
{
    for (uint32_t f = 0; f < s->n_families; f++)
        if (s->family[f].least > 0 && s->family[f].n_points == 0)
            return true;
    return false;
}

bool cex_space_search(const struct cex_space *s, enum domain d,
                      const struct cex_budget *b, struct rng *rng,
                      struct arena *mem, const char **json)
{
    struct cex_schedule w = {
        .s = s, .r = s->r, .domain = d, .b = b, .rng = rng, .mem = mem};
    *json = NULL;
    if (has_no_instance(s))
        return false;
    w.start = clock_wall();
    w.approximate = needs_approximation(s->r, d);
    w.sums = d == DOMAIN_FLOAT && cex_has_float_sums(s->r);
    w.moves = rule_only_moves(s->r) && s->r->n_wheres == 0;
    cex_evaluator_init(&w.lab, s->r);
    bool found = failing_points(&w) || try_hints(&w) || try_elements(&w);
    cex_evaluator_release(&w.lab);
    *json = w.json;
    return found;
}

bool cex_plain_difference(const struct rule *r, const struct cex_budget *b,
                          struct rng *rng)
{
    struct arena mem = {0};
    struct cex_space *s = cex_space_new(r, NULL, 0, b, rng, &mem);
    struct cex_schedule w = {.s = s,
                       .r = r,
                       .domain = DOMAIN_FLOAT,
                       .b = b,
                       .rng = rng,
                       .mem = &mem};
    bool found = false;
    if (!has_no_instance(s)) {
        w.start = clock_wall();
        w.moves = rule_only_moves(r) && r->n_wheres == 0;
        cex_evaluator_init(&w.lab, r);
        w.lab.plain = true;
        found = try_elements(&w);
        cex_evaluator_release(&w.lab);
    }
    arena_release(&mem);
    return found;
}

bool cex_search(const struct rule *r, enum domain d,
                const struct cex_hint *hints, uint32_t n,
                const struct cex_budget *b, struct rng *rng, struct arena *mem,
                const char **json)
{
    return cex_space_search(cex_space_new(r, hints, n, b, rng, mem), d, b, rng,
                            mem, json);
}
