// SPDX-License-Identifier: Apache-2.0
#include "discover/learn.h"
#include "base/clock.h"
#include "discover/fit.h"
#include "discover/lab.h"
#include "verify/cex.h"
#include "verify/prove.h"
#include <string.h>

#define SOLVED_POINTS 44  // with which expressions are fitted
#define MAX_SOLUTIONS 128 // of a point; those with more say little
#define ANSWERS 6
#define ROUNDS 10
#define NEIGHBOURS 120 // points looked at around a counterexample
#define ATTACKS 1500
#define MAX_COLUMNS 24

// ---- proofs

void learner_init(struct learner *l, uint64_t seed)
{
    *l = (struct learner){.seed = seed};
    ruleset_init(&l->set);
}

void learner_release(struct learner *l)
{
    vec_release(&l->memo);
    ruleset_release(&l->set);
}

static struct learn_memo *memo_of(struct learner *l, const struct rule *r)
{
    for (uint32_t i = 0; i < l->memo.len; i++)
        if (strcmp(l->memo.at[i].hash, r->hash) == 0)
            return &l->memo.at[i];
    struct learn_memo m = {.hash = r->hash};
    vec_push(&l->memo, m);
    return &l->memo.at[l->memo.len - 1];
}

// The line of a counterexample in words.
static const char *words_of(struct learner *l, const char *json)
{
    const char *key = "\"text\":", *s = json ? strstr(json, key) : NULL;
    struct buf b = {0};
    if (s == NULL)
        return NULL;
    s += strlen(key);
    s += strspn(s, " \"");
    for (; *s && *s != '"'; s++) {
        if (*s == '\\' && s[1])
            s++;
        buf_putc(&b, *s);
    }
    const char *text = arena_strdup(&l->set.mem, buf_text(&b));
    buf_release(&b);
    return text;
}

static void note(struct learner *l, struct learn_memo *m,
                 const struct report *rep)
{
    for (uint32_t i = 0; i < rep->domains.len; i++) {
        const struct domain_report *d = &rep->domains.at[i];
        m->asked |= 1u << d->domain;
        if (d->verdict == VERDICT_PROVED)
            m->proved |= 1u << d->domain;
        if (d->verdict != VERDICT_REFUTED)
            continue;
        m->refuted |= 1u << d->domain;
        if (m->json == NULL) {
            m->json = arena_strdup(&l->set.mem, d->counterexample);
            m->counterexample = words_of(l, m->json);
        }
    }
}

static bool vacuous(const struct report *rep)
{
    for (uint32_t i = 0; i < rep->remarks.len; i++)
        if (strstr(rep->remarks.at[i], "vacuous") != NULL)
            return true;
    return false;
}

static void prove_some(struct learner *l, const struct rule *r,
                       unsigned domains, struct learn_memo *m)
{
    struct prove_options o = {
        .domains = domains,
        .seed = l->seed,
        .seconds_per_rule = l->seconds_per_rule > 0 ? l->seconds_per_rule : 8,
        .timeout_ms = 3000,
        .search_seconds = 1,
    };
    struct report rep = {0};
    l->n_proofs++;
    double start = clock_wall();
    bool sound = prove_rule(r, &o, &rep);
    l->proof_seconds += clock_wall() - start;
    if (sound && vacuous(&rep))
        m->vacuous = true;
    else if (sound)
        note(l, m, &rep);
    m->asked |= domains;
    report_release(&rep);
}

unsigned learner_prove(struct learner *l, const struct rule *r,
                       unsigned domains, bool all,
                       const struct learn_memo **memo)
{
    static const enum domain order[] = {DOMAIN_INT, DOMAIN_BOOL, DOMAIN_REAL,
                                        DOMAIN_WORD, DOMAIN_FLOAT};
    struct learn_memo *m = memo_of(l, r);
    domains &= rule_domains(r);
    for (size_t i = 0; i < N_DOMAINS; i++) {
        unsigned one = 1u << order[i];
        if (!(domains & one))
            continue;
        if (!(m->asked & one))
            prove_some(l, r, one, m);
        if (!(m->proved & one) && all)
            break;
    }
    bool ok = all ? (m->proved & domains) == domains : m->proved & domains;
    if (ok)
        l->n_proved++;
    else if (m->refuted)
        l->n_refuted++;
    else
        l->n_unknown++;
    *memo = m;
    return m->proved & domains;
}

static const char *case_text(struct learner *l, const struct lab *lab)
{
    struct buf b = {0};
    lab_print(lab, &b);
    const char *s = arena_strdup(&l->set.mem, buf_text(&b));
    buf_release(&b);
    return s;
}

// The next case: new, or near one at which the left side was well-defined.
static bool next_case(struct lab *lab, uint32_t root, bool *good)
{
    if (!*good || rng_below(lab_rng(lab), 3) == 0)
        lab_random(lab, root);
    else
        lab_mutate(lab, root);
    *good = lab_left(lab);
    return *good;
}

const char *learner_attack(struct learner *l, const struct rule *r,
                           unsigned domains, uint32_t tries)
{
    struct lab *lab = lab_new(r, domains, l->seed + 17);
    const char *found = NULL;
    bool good = false;
    for (uint32_t i = 0; i < tries && found == NULL; i++)
        if (next_case(lab, NONE, &good) && lab_run(lab, 5) == LAB_DIFFER)
            found = case_text(l, lab);
    l->n_instances += lab_count(lab);
    lab_free(lab);
    return found;
}

// ---- what is known at a point

struct column {
    const char *text;
    const struct iexp *x;
};
struct columns {
    uint32_t n;
    struct column at[MAX_COLUMNS];
    const char *name[MAX_COLUMNS];
};

static bool is_unknown(const struct sketch *k, const char *name)
{
    for (uint32_t i = 0; i < k->n_unknown; i++)
        if (strcmp(k->draft->maps[k->unknown[i]].name, name) == 0)
            return true;
    return false;
}

static void add_column(struct columns *c, const char *text,
                       const struct iexp *x)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (strcmp(c->at[i].text, text) == 0)
            return;
    if (c->n == MAX_COLUMNS)
        return;
    c->at[c->n] = (struct column){text, x};
    c->name[c->n++] = text;
}

static void known_columns(struct learner *l, const struct sketch *k,
                          const struct rule *r, uint32_t root,
                          struct columns *c)
{
    for (uint32_t m = 0; m < r->n_maps; m++) {
        const struct map *map = &r->maps[m];
        if (map->def != NULL || map->index || class_root(r, map->cls) != root ||
            r->classes[map->cls].block || is_unknown(k, map->name))
            continue;
        struct iexp *x = ARENA_NEW(&l->set.mem, struct iexp, 1);
        *x = (struct iexp){.op = IE_MAP, .map = m, .nodes = 1};
        add_column(c, map->name, x);
    }
}

// What a size is clipped from, which says more: max(x - 1 + 1, 0) is x.
static const struct iexp *unclipped(const struct iexp *x)
{
    if (x->op == IE_MAX && x->b->op == IE_CONST && x->b->k == 0)
        x = x->a;
    if (x->op == IE_ADD && x->b->op == IE_CONST && x->a->op == IE_SUB &&
        x->a->b->op == IE_CONST && x->a->b->k == x->b->k)
        x = x->a->a;
    return x;
}

// Sizes of what the left side computes on the way: what goes wrong there is a
// matter of them.
static void size_columns(struct learner *l, const struct rule *r, uint32_t root,
                         uint32_t max, struct columns *c)
{
    uint32_t most = c->n + max;
    for (uint32_t i = 0; i < r->n_pats && c->n < most; i++) {
        const struct pat *p = &r->pats[i];
        if (!draft_below(r, r->lhs, i))
            continue;
        for (uint32_t s = 0; s < p->n_sizes && c->n < most; s++) {
            const struct iexp *x = unclipped(p->sizes[s].size);
            struct buf b = {0};
            if (class_root(r, p->sizes[s].cls) != root || x->op == IE_MAP ||
                x->op == IE_CONST || x->nodes > 25)
                continue;
            buf_putc(&b, '(');
            iexp_print(r, x, &b);
            buf_putc(&b, ')');
            add_column(c, arena_strdup(&l->set.mem, buf_text(&b)), x);
            buf_release(&b);
        }
    }
}

static bool read_columns(const struct columns *c, const struct rule *r,
                         struct lab *lab, int64_t *out)
{
    int64_t **map = mem_alloc((r->n_maps + 1) * sizeof *map);
    bool ok = true;
    for (uint32_t m = 0; m < r->n_maps; m++)
        map[m] = lab_map(lab, m);
    for (uint32_t i = 0; i < c->n && ok; i++)
        ok = iexp_eval(c->at[i].x, map, 0, &out[i]);
    mem_free(map);
    return ok;
}

// ---- solve

struct range {
    int64_t lo, hi;
};

// Is the right side as long along the family's axes as `left` says?
static bool sizes_agree(const struct rule *r, int64_t *const *map,
                        uint32_t root, const int64_t *left)
{
    const struct pat *a = &r->pats[r->lhs], *b = &r->pats[r->rhs];
    for (uint32_t i = 0; i < a->n_sizes; i++) {
        int64_t y;
        if (class_root(r, a->sizes[i].cls) != root)
            continue;
        if (i >= b->n_sizes || b->sizes[i].cls != a->sizes[i].cls ||
            !iexp_eval(b->sizes[i].size, map, 0, &y) || y != left[i])
            return false;
    }
    return true;
}

static bool left_sizes(const struct rule *r, int64_t *const *map, uint32_t root,
                       int64_t *left)
{
    const struct pat *a = &r->pats[r->lhs];
    for (uint32_t i = 0; i < a->n_sizes; i++)
        if (class_root(r, a->sizes[i].cls) == root &&
            !iexp_eval(a->sizes[i].size, map, 0, &left[i]))
            return false;
    return true;
}

struct solving {
    struct learner *l;
    const struct sketch *k;
    const struct rule *r;
    uint32_t root;
    struct lab *lab;
    struct columns columns;
    struct range *range;
    uint32_t *unknown; // maps of r
    struct fit_sample *samples;
    uint32_t n_samples;
};

// All tuples under which both sides agree at the lab's case.  False: too many.
static bool solve_point(struct solving *s, struct fit_sample *out, bool *empty)
{
    uint32_t n = s->k->n_unknown, found = 0;
    int64_t **map = mem_alloc((s->r->n_maps + 1) * sizeof *map);
    int64_t *solutions =
        ARENA_NEW(&s->l->set.mem, int64_t, MAX_SOLUTIONS * (n + 1));
    bool few = true, more = true;
    for (uint32_t m = 0; m < s->r->n_maps; m++)
        map[m] = lab_map(s->lab, m);
    for (uint32_t u = 0; u < n; u++)
        map[s->unknown[u]][0] = s->range[u].lo;
    int64_t left[64] = {0}; // of each class
    more = left_sizes(s->r, map, s->root, left);
    while (more && few) {
        enum lab_answer a = sizes_agree(s->r, map, s->root, left)
                                ? lab_try(s->lab, 1)
                                : LAB_DIFFER;
        if (a == LAB_AGREE || a == LAB_EMPTY) {
            *empty = a == LAB_EMPTY;
            few = found < MAX_SOLUTIONS;
            for (uint32_t u = 0; u < n && few; u++)
                solutions[found * n + u] = map[s->unknown[u]][0];
            found += few;
        }
        more = false;
        for (uint32_t u = 0; u < n && !more; u++) {
            int64_t *v = map[s->unknown[u]];
            more = ++v[0] <= s->range[u].hi;
            if (!more)
                v[0] = s->range[u].lo;
        }
    }
    mem_free(map);
    out->n_solutions = found;
    out->solutions = solutions;
    return few;
}

static void solve_points(struct solving *s)
{
    bool good = false;
    uint32_t solved = 0, n_empty = 0;
    uint64_t work = 1;
    for (uint32_t u = 0; u < s->k->n_unknown; u++)
        work *= (uint64_t)(s->range[u].hi - s->range[u].lo + 1);
    uint32_t points = SOLVED_POINTS;
    if (work * points > 1500000)
        points = 30;
    s->samples = ARENA_NEW(&s->l->set.mem, struct fit_sample, 4 * points + 20);
    for (uint32_t tries = 0;
         tries < 2000 * points && solved < points && s->n_samples < 4 * points;
         tries++) {
        int64_t *known = ARENA_NEW(&s->l->set.mem, int64_t, s->columns.n + 1);
        struct fit_sample *out = &s->samples[s->n_samples];
        bool empty = false;
        if (!next_case(s->lab, s->root, &good) ||
            (lab_left_size(s->lab) < 2 && rng_below(lab_rng(s->lab), 12)) ||
            !read_columns(&s->columns, s->r, s->lab, known) ||
            !solve_point(s, out, &empty) || (empty && 8 * n_empty > points))
            continue;
        n_empty += empty;
        out->known = known;
        s->n_samples++;
        solved += out->n_solutions > 0;
    }
    s->l->n_instances += lab_count(s->lab);
}

static bool solve_start(struct learner *l, const struct sketch *k,
                        const struct rule *r, uint32_t root, struct solving *s)
{
    uint32_t n = k->n_unknown;
    *s = (struct solving){.l = l, .k = k, .r = r, .root = root};
    s->range = ARENA_NEW(&l->set.mem, struct range, n + 1);
    s->unknown = ARENA_NEW(&l->set.mem, uint32_t, n + 1);
    for (uint32_t u = 0; u < n; u++) {
        s->unknown[u] = map_by_name(r, k->draft->maps[k->unknown[u]].name);
        if (s->unknown[u] == NONE)
            return false;
        s->range[u] = k->positive[u]
                          ? (struct range){1, 9}
                          : (struct range){n > 2 ? -5 : -7, n > 2 ? 12 : 15};
    }
    s->lab = lab_new(r, k->domains, l->seed + 3);
    known_columns(l, k, r, root, &s->columns);
    if (s->columns.n > 0)
        solve_points(s);
    return s->columns.n > 0;
}

// Expressions for the unknowns; how many tuples.
static uint32_t solve(struct solving *s, uint32_t size, struct fit_answer *out)
{
    struct fit_problem p = {.n_known = s->columns.n,
                            .n_unknown = s->k->n_unknown,
                            .n_samples = s->n_samples,
                            .known = s->columns.name,
                            .samples = s->samples,
                            .max_size = size};
    return fit_expressions(&p, ANSWERS, &s->l->set.mem, out);
}

// ---- label

struct labels {
    const struct rule *r; // without the precondition that is sought
    uint32_t root, root_narrow;
    struct lab *lab;
    struct columns columns;
    VEC(struct fit_sample) at;
    bool *good;
    VEC(uint8_t) is_good, is_kept;
    VEC(uint8_t) was;   // where the rule held before
    bool broken;        // it is wrong where it held before
    struct lab *narrow; // the rule where it held before; NULL: nowhere
    uint32_t n_good, n_bad;
    VEC(const char *) text; // the points in words
    VEC(uint32_t) weight;   // how far from zero
};

static void push_label(struct learner *l, struct labels *b, const int64_t *v,
                       bool good, bool kept)
{
    int64_t *known = ARENA_NEW(&l->set.mem, int64_t, b->columns.n + 1);
    uint32_t weight = 0;
    memcpy(known, v, b->columns.n * sizeof *known);
    struct fit_sample s = {.known = known};
    vec_push(&b->at, s);
    vec_push(&b->is_good, good);
    vec_push(&b->is_kept, kept);
    bool was = kept || (b->narrow != NULL && lab_copy(b->narrow, b->lab) &&
                        lab_left(b->narrow));
    vec_push(&b->was, was);
    vec_push(&b->text, case_text(l, b->lab));
    for (uint32_t i = 0; i < b->columns.n; i++)
        weight += (uint32_t)(known[i] < 0 ? 1 - 2 * known[i] : known[i]);
    vec_push(&b->weight, weight);
    b->n_good += good;
    b->n_bad += !good;
}

// A third of the points are where the rule held before: it must go on to hold
// there.
static void label_points(struct learner *l, struct labels *b, uint32_t points)
{
    bool good = false, good_before = false;
    uint32_t empty = 0;
    int64_t v[MAX_COLUMNS];
    for (uint32_t tries = 0; tries < 400 * points && b->at.len < points;
         tries++) {
        bool before = b->narrow != NULL && tries % 3 == 0;
        if (before) {
            if (!next_case(b->narrow, b->root_narrow, &good_before) ||
                !lab_copy(b->lab, b->narrow) || !lab_left(b->lab))
                continue;
            good = true;
        } else if (!next_case(b->lab, b->root, &good)) {
            continue;
        }
        if (lab_left_size(b->lab) < 2 && rng_below(lab_rng(b->lab), 4))
            continue;
        enum lab_answer a = lab_run(b->lab, 2);
        if (a == LAB_UNSURE || (a == LAB_EMPTY && 5 * empty > points) ||
            !read_columns(&b->columns, b->r, b->lab, v))
            continue;
        empty += a == LAB_EMPTY;
        b->broken = b->broken || (before && a == LAB_DIFFER);
        push_label(l, b, v, a != LAB_DIFFER, before && a != LAB_DIFFER);
    }
}

static void labels_start(struct learner *l, const struct sketch *k,
                         const struct rule *r, uint32_t root, struct labels *b)
{
    *b = (struct labels){.r = r, .root = root};
    b->lab = lab_new(r, k->domains, l->seed + 5);
    known_columns(l, k, r, root, &b->columns);
    size_columns(l, r, root, 3, &b->columns);
}

static void labels_release(struct learner *l, struct labels *b)
{
    l->n_instances += lab_count(b->lab);
    lab_free(b->lab);
    lab_free(b->narrow);
    vec_release(&b->at);
    vec_release(&b->is_kept);
    vec_release(&b->was);
    vec_release(&b->is_good);
    vec_release(&b->text);
    vec_release(&b->weight);
}

static bool fit_labels(struct learner *l, struct labels *b, uint32_t literals,
                       struct fit_where *out)
{
    bool *good = ARENA_NEW(&l->set.mem, bool, b->at.len + 1);
    bool *kept = ARENA_NEW(&l->set.mem, bool, b->at.len + 1);
    for (uint32_t i = 0; i < b->at.len; i++) {
        good[i] = b->is_good.at[i];
        kept[i] = b->is_kept.at[i];
    }
    struct fit_problem p = {.n_known = b->columns.n,
                            .n_samples = b->at.len,
                            .known = b->columns.name,
                            .samples = b->at.at,
                            .max_literals = literals,
                            .max_terms = 8,
                            .kept = kept};
    return fit_where(&p, good, &l->set.mem, out);
}

// The simplest point of some sort: right and not met, or met and not within
// the rule as it was.
static const char *lost_point(const struct labels *b, const struct fit_where *w)
{
    uint32_t best = NONE;
    for (uint32_t i = 0; i < b->at.len; i++)
        if (b->is_good.at[i] && !w->meets[i] &&
            (best == NONE || b->weight.at[i] < b->weight.at[best]))
            best = i;
    return best == NONE ? NULL : b->text.at[best];
}

// ---- attack

static const struct rule *with_where(struct learner *l, const struct draft *d,
                                     const struct fit_where *w)
{
    struct draft own;
    struct err e = {0};
    draft_copy(&own, d);
    for (uint32_t i = 0; i < w->n_terms; i++)
        draft_where(&own, w->term[i]);
    const struct rule *r = draft_rule(&own, &l->set, &e);
    l->n_rules++;
    draft_release(&own);
    return r;
}

// New points within the precondition at which the rule is wrong become labels;
// how many.
static uint32_t attack(struct learner *l, struct labels *b,
                       const struct rule *r, const struct sketch *k,
                       uint32_t round)
{
    struct lab *lab = lab_new(r, k->domains, l->seed + 31 + round);
    uint32_t found = 0;
    bool good = false;
    int64_t v[MAX_COLUMNS];
    for (uint32_t i = 0; i < ATTACKS && found < 40; i++) {
        if (!next_case(lab, b->root, &good) || lab_run(lab, 2) != LAB_DIFFER)
            continue;
        if (!lab_copy(b->lab, lab) ||
            !read_columns(&b->columns, b->r, b->lab, v))
            continue;
        push_label(l, b, v, false, false);
        found++;
    }
    l->n_instances += lab_count(lab);
    lab_free(lab);
    return found;
}

// What is near the lab's case, which is wrong, is near the border.
static void label_around(struct learner *l, struct labels *b)
{
    int64_t v[MAX_COLUMNS];
    for (uint32_t i = 0; i < NEIGHBOURS; i++) {
        lab_mutate(b->lab, b->root);
        enum lab_answer a = lab_try(b->lab, 2);
        if ((a == LAB_AGREE || a == LAB_DIFFER) &&
            read_columns(&b->columns, b->r, b->lab, v))
            push_label(l, b, v, a == LAB_AGREE, false);
    }
}

// The prover's counterexample becomes a label for each of its axes at which the
// rule is wrong on one axis; how many.
static uint32_t learn_from(struct learner *l, struct labels *b,
                           const struct rule *r, const char *json)
{
    struct arena mem = {0};
    struct cex_hint h;
    uint32_t found = 0, places = 0;
    int64_t v[MAX_COLUMNS];
    if (json == NULL || !cex_hint_of(r, json, &mem, &h)) {
        arena_release(&mem);
        return 0;
    }
    for (uint32_t c = 0; c < r->n_classes; c++)
        if (class_root(r, c) == b->root && h.rank[c] > places)
            places = h.rank[c];
    for (uint32_t i = 0; i < places; i++) {
        lab_random(b->lab, b->root);
        for (uint32_t m = 0; m < r->n_maps; m++) {
            uint32_t o = map_by_name(b->r, r->maps[m].name);
            uint32_t rank = h.rank[r->maps[m].cls];
            bool own = class_root(r, r->maps[m].cls) == b->root;
            if (o != NONE && rank > 0 && r->maps[m].def == NULL)
                lab_map(b->lab, o)[0] = h.map[m][own && i < rank ? i : 0];
        }
        if ((places > 1 && lab_try(b->lab, 5) != LAB_DIFFER) ||
            !read_columns(&b->columns, b->r, b->lab, v))
            continue;
        push_label(l, b, v, false, false);
        found++;
        label_around(l, b);
    }
    arena_release(&mem);
    return found;
}

// Points at which the rule held before and the precondition does not hold
// become labels that must be kept; how many.
static uint32_t losses(struct learner *l, struct labels *b,
                       const struct rule *r, const struct sketch *k)
{
    uint32_t found = 0;
    bool good = false;
    int64_t v[MAX_COLUMNS];
    if (b->narrow == NULL)
        return 0;
    struct lab *wide = lab_new(r, k->domains, l->seed + 41);
    for (uint32_t i = 0; i < 4000 && found < 20; i++) {
        if (!next_case(b->narrow, b->root_narrow, &good) ||
            !lab_copy(wide, b->narrow) || lab_left(wide) ||
            !lab_copy(b->lab, b->narrow) || !lab_left(b->lab) ||
            !read_columns(&b->columns, b->r, b->lab, v))
            continue;
        enum lab_answer a = lab_run(b->lab, 3);
        b->broken = b->broken || a == LAB_DIFFER;
        push_label(l, b, v, a != LAB_DIFFER, a != LAB_DIFFER);
        found++;
    }
    l->n_instances += lab_count(wide);
    lab_free(wide);
    return found;
}

// Is a covered point outside of where the rule held before?
static const char *wider_point(struct learner *l, const struct sketch *k,
                               const struct draft *d, const struct labels *b,
                               const struct fit_where *w)
{
    const char *found = NULL;
    if (b->narrow == NULL)
        return "";
    const struct rule *wide = with_where(l, d, w);
    if (wide == NULL)
        return NULL;
    struct lab *x = lab_new(wide, k->domains, l->seed + 7);
    bool good = false;
    for (uint32_t i = 0; i < 3000; i++) {
        if (!next_case(x, b->root, &good) || !lab_copy(b->narrow, x) ||
            lab_left(b->narrow))
            continue;
        enum lab_answer a = lab_run(x, 2);
        if (a == LAB_AGREE || (a == LAB_EMPTY && found == NULL))
            found = case_text(l, x);
        if (a == LAB_AGREE)
            break;
        if (a == LAB_EMPTY && w->literals > 1)
            found = NULL; // no more than tensors without elements
    }
    l->n_instances += lab_count(x);
    lab_free(x);
    return found;
}

// Is an alternative of the precondition that the rule had it already?
static bool says_again(const struct fit_where *w, const char *narrow)
{
    size_t n = strlen(narrow);
    for (uint32_t i = 0; i < w->n_terms; i++) {
        const char *at = strstr(w->term[i], narrow);
        bool first = at == w->term[i];
        if (at != NULL && !first && at - w->term[i] >= 4)
            first = strncmp(at - 4, " or ", 4) == 0;
        if (at != NULL && first &&
            (at[n] == '\0' || strncmp(at + n, " or ", 4) == 0))
            return true;
    }
    return false;
}

// Is what is new worth its literals?  One or two are; more must cover a tenth
// of the points at which the rule did not hold before, and so must exceptions
// to what the rule asked for.
static bool worth(const struct sketch *k, const struct labels *b,
                  const struct fit_where *w)
{
    uint32_t outside = 0, gained = 0;
    bool few = w->literals <= 2;
    for (uint32_t i = 0; i < b->at.len; i++) {
        outside += !b->was.at[i];
        gained += !b->was.at[i] && w->meets[i];
    }
    if (few && k->narrow != NULL && says_again(w, k->narrow))
        few = false;
    return b->narrow == NULL || few || 10 * gained >= outside;
}

static bool settle(struct learner *l, const struct sketch *k,
                   const struct draft *d, const char *const *expr,
                   struct labels *b, struct learned *out, const char **why)
{
    struct fit_where w;
    const struct learn_memo *memo;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        if (!fit_labels(l, b, 2, &w)) {
            *why = "no precondition of few literals separates right from wrong";
            return false;
        }
        if (20 * w.covered < 17 * b->n_good) { // many are lost
            struct fit_where three;
            if (fit_labels(l, b, 3, &three) && three.covered > w.covered)
                w = three;
        }
        if (!worth(k, b, &w)) {
            *why = "what can be gained is small and long to say";
            return false;
        }
        const struct rule *r = with_where(l, d, &w);
        if (r == NULL) {
            *why = "the precondition is none of the language";
            return false;
        }
        if (b->broken) {
            *why = "it would be wrong where it held before";
            return false;
        }
        if (attack(l, b, r, k, round) > 0 || losses(l, b, r, k) > 0)
            continue;
        unsigned proved =
            learner_prove(l, r, k->domains, !k->some_domains, &memo);
        bool ok = k->some_domains ? proved != 0
                                  : proved == (k->domains & rule_domains(r));
        if (ok) {
            *out = (struct learned){.rule = r,
                                    .proved = proved,
                                    .n_terms = w.n_terms,
                                    .term = w.term,
                                    .points = b->n_good + b->n_bad,
                                    .good = b->n_good,
                                    .covered = w.covered,
                                    .lost = lost_point(b, &w)};
            out->wider = wider_point(l, k, d, b, &w);
            if (out->wider == NULL)
                *why = "what is proved is no wider";
            return out->wider != NULL;
        }
        if (memo->refuted == 0) {
            struct buf t = {0};
            buf_puts(&t, "the prover does not decide it");
            for (uint32_t i = 0; i < w.n_terms; i++)
                buf_printf(&t, "%s%s", i ? ", " : " where ", w.term[i]);
            for (uint32_t u = 0; u < k->n_unknown; u++)
                buf_printf(&t, "; %s", expr[u]);
            *why = arena_strdup(&l->set.mem, buf_text(&t));
            buf_release(&t);
            return false;
        }
        if (learn_from(l, b, r, memo->json) == 0) {
            *why = memo->counterexample ? memo->counterexample
                                        : "the prover refutes it";
            return false;
        }
    }
    *why = "every precondition was refuted";
    return false;
}

struct trial {
    struct draft d;
    struct labels b;
    const char **expr;
    uint32_t size;
    uint32_t right; // of a thousand
};

static bool trial_start(struct learner *l, const struct sketch *k,
                        const struct fit_answer *a, struct trial *t)
{
    struct err e = {0};
    *t = (struct trial){.expr = a ? a->expr : NULL, .size = a ? a->size : 0};
    draft_copy(&t->d, k->draft);
    for (uint32_t u = 0; u < k->n_unknown; u++)
        draft_define(&t->d, k->unknown[u], a->expr[u]);
    const struct rule *r = draft_rule(&t->d, &l->set, &e);
    l->n_rules++;
    if (r == NULL)
        return false;
    uint32_t cls = NONE, kept = 0;
    for (uint32_t c = 0; c < r->n_classes && k->root != NONE; c++)
        if (strcmp(r->classes[c].name, k->draft->classes[k->root].name) == 0)
            cls = c;
    labels_start(l, k, r, cls == NONE ? NONE : class_root(r, cls), &t->b);
    if (k->narrow != NULL) {
        struct draft before;
        draft_copy(&before, &t->d);
        draft_where(&before, k->narrow);
        const struct rule *n = draft_rule(&before, &l->set, &e);
        draft_release(&before);
        if (n == NULL)
            return false;
        t->b.narrow = lab_new(n, k->domains, l->seed + 6);
        t->b.root_narrow = t->b.root;
    }
    label_points(l, &t->b, 150);
    for (uint32_t i = 0; i < t->b.at.len; i++)
        if (t->b.is_kept.at[i])
            kept++;
    if (t->b.narrow != NULL && kept == 0)
        return false;
    uint32_t all = t->b.n_good + t->b.n_bad;
    t->right = all ? 1000 * t->b.n_good / all : 0;
    return t->b.n_good >= 5;
}

static void trial_release(struct learner *l, struct trial *t)
{
    if (t->b.lab != NULL)
        labels_release(l, &t->b);
    draft_release(&t->d);
}

static bool better_trial(const struct trial *a, const struct trial *b)
{
    return a->right / 20 != b->right / 20 ? a->right > b->right
                                          : a->size < b->size;
}

// Points at which the best expressions are wrong, though others are right, are
// what a better fit has to know.
static uint32_t solve_wrong(struct solving *s, const struct trial *t)
{
    uint32_t added = 0;
    const struct columns *c = &s->columns;
    for (uint32_t i = 0; i < t->b.at.len && added < 16; i++) {
        struct fit_sample *out = &s->samples[s->n_samples];
        const int64_t *v = t->b.at.at[i].known; // known columns come first
        bool empty;
        if (t->b.is_good.at[i])
            continue;
        lab_random(s->lab, s->root);
        for (uint32_t k = 0; k < c->n; k++)
            lab_map(s->lab, c->at[k].x->map)[0] = v[k];
        if (!lab_left(s->lab) || !solve_point(s, out, &empty) ||
            out->n_solutions == 0)
            continue;
        out->known = v;
        s->n_samples++;
        added++;
    }
    return added;
}

struct trials {
    uint32_t n;
    struct trial at[4 * ANSWERS];
};

static void add_trials(struct learner *l, const struct sketch *k, uint32_t n,
                       const struct fit_answer *answers, struct trials *t,
                       const char **why)
{
    for (uint32_t i = 0; i < n && t->n < 4 * ANSWERS; i++) {
        struct trial one;
        if (t->n > 0 && t->at[0].right >= 995 && !t->at[0].b.broken)
            return;
        if (!trial_start(l, k, answers ? &answers[i] : NULL, &one)) {
            *why = "the sides agree at too few points";
            trial_release(l, &one);
            continue;
        }
        uint32_t at = t->n++;
        for (; at > 0 && better_trial(&one, &t->at[at - 1]); at--)
            t->at[at] = t->at[at - 1];
        t->at[at] = one;
    }
}

static bool try_expressions(struct learner *l, const struct sketch *k,
                            struct trials *t, const char **why)
{
    struct fit_answer answers[ANSWERS];
    struct solving s;
    struct err e = {0};
    const struct rule *r = draft_rule(k->draft, &l->set, &e);
    if (r == NULL) {
        *why = arena_strdup(&l->set.mem, e.msg);
        return false;
    }
    uint32_t cls = 0;
    while (cls < r->n_classes &&
           strcmp(r->classes[cls].name, k->draft->classes[k->root].name) != 0)
        cls++;
    if (cls < r->n_classes && solve_start(l, k, r, class_root(r, cls), &s)) {
        uint32_t m = solve(&s, 5, answers);
        add_trials(l, k, m, answers, t, why);
        if (m == 0 ||
            (t->n > 0 && (t->at[0].right < 990 || t->at[0].b.broken) &&
             solve_wrong(&s, &t->at[0]))) {
            m = solve(&s, 7, answers);
            add_trials(l, k, m, answers, t, why);
        }
        lab_free(s.lab);
    }
    return t->n > 0;
}

bool learn(struct learner *l, const struct sketch *k, struct learned *out,
           const char **why)
{
    struct trials *t = mem_alloc(sizeof *t);
    bool found = false;
    *why = "no attributes were found under which both sides agree";
    if (k->n_unknown == 0)
        add_trials(l, k, 1, NULL, t, why);
    else
        try_expressions(l, k, t, why);
    uint32_t settled = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        struct trial *one = &t->at[i];
        if (one->b.broken)
            *why = "it would be wrong where it held before";
        else if (!found && settled < 3 && (settled == 0 || one->right > 500)) {
            settled++;
            label_points(l, &one->b, l->points ? l->points : 1000);
            found = settle(l, k, &one->d, one->expr, &one->b, out, why);
            if (found)
                out->expr = one->expr;
        }
        trial_release(l, one);
    }
    mem_free(t);
    return found;
}
