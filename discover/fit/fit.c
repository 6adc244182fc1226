// SPDX-License-Identifier: Apache-2.0
// Expressions for all unknowns together, chosen among the best for each, as
// text.
#include "discover/fit/core.h"
#include "base/text/buf.h"
#include <stdlib.h>
#include <string.h>

#define BEAM 48

// ---- tuples

struct tuple {
    const struct fit_candidate **c; // n_unknown
    uint32_t hits, size;
};

static uint32_t tuple_hits(const struct fit *f, const struct tuple *t,
                           uint32_t n, bool all, bool *meets)
{
    const struct fit_problem *p = f->p;
    uint32_t hits = 0, n_samples = all ? p->n_samples : f->n_probes;
    int64_t v[16];
    for (uint32_t i = 0; i < n_samples; i++) {
        uint32_t at = all ? i : f->probe[i];
        const struct fit_sample *s = &p->samples[at];
        bool found = false;
        for (uint32_t u = 0; u < n && s->n_solutions; u++)
            v[u] = fit_value(f, &t->c[u]->node, at);
        for (uint32_t k = 0; k < s->n_solutions && !found; k++)
            found = memcmp(s->solutions + k * p->n_unknown, v,
                           n * sizeof(int64_t)) == 0;
        hits += found;
        if (meets != NULL)
            meets[at] = found;
    }
    return hits;
}

static bool better(const struct tuple *a, const struct tuple *b)
{
    return a->hits != b->hits ? a->hits > b->hits : a->size < b->size;
}

static uint32_t insert(struct tuple *list, uint32_t n, uint32_t max,
                       const struct tuple *t)
{
    uint32_t i = n < max ? n : max - 1;
    if (n == max && !better(t, &list[i]))
        return n;
    for (; i > 0 && better(t, &list[i - 1]); i--)
        list[i] = list[i - 1];
    list[i] = *t;
    return n < max ? n + 1 : n;
}

// The best tuples, unknown by unknown.
static uint32_t tuples(const struct fit *f, struct tuple *out)
{
    uint32_t n = 1, n_unknown = f->p->n_unknown;
    out[0] = (struct tuple){
        .c = ARENA_NEW(f->mem, const struct fit_candidate *, n_unknown + 1)};
    for (uint32_t u = 0; u < n_unknown; u++) {
        struct tuple *next = ARENA_NEW(f->mem, struct tuple, BEAM);
        const struct target *t = &f->target[u];
        uint32_t m = 0;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < MAX_SIZES; k++)
                for (uint32_t j = 0; j < t->n_best[k]; j++) {
                    struct tuple one = {
                        .c = ARENA_NEW(f->mem, const struct fit_candidate *,
                                       n_unknown + 1),
                        .size = out[i].size + t->best[k][j].node.size};
                    memcpy(one.c, out[i].c, u * sizeof *one.c);
                    one.c[u] = &t->best[k][j];
                    one.hits = tuple_hits(f, &one, u + 1, false, NULL);
                    m = insert(next, m, BEAM, &one);
                }
        memcpy(out, next, m * sizeof *out);
        n = m;
    }
    return n;
}

// ---- text

static int level_of(enum fit_op op)
{
    return op == FIT_ADD || op == FIT_SUB ? 1 : op == FIT_MUL ? 2 : 3;
}

static void print_node(const struct fit *f, const struct fit_node *n, int level,
                       struct buf *out)
{
    static const char *const sign[] = {"",    "",    " + ", " - ",
                                       " * ", "min", "max", "ceildiv"};
    const struct fit_node *a = &f->nodes.at[n->a], *b = &f->nodes.at[n->b];
    if (n->op == FIT_KNOWN) {
        buf_puts(out, f->p->known[n->a]);
        return;
    }
    if (n->op == FIT_CONST) {
        buf_printf(out, n->k < 0 && level > 1 ? "(%lld)" : "%lld",
                   (long long)n->k);
        return;
    }
    int own = level_of(n->op);
    bool call = own == 3, brackets = !call && own < level;
    buf_puts(out, call ? sign[n->op] : "");
    buf_puts(out, call || brackets ? "(" : "");
    print_node(f, a, call ? 0 : own, out);
    buf_puts(out, call ? ", " : sign[n->op]);
    print_node(f, b, call ? 0 : own + 1, out);
    buf_puts(out, call || brackets ? ")" : "");
}

static const char *text_of(const struct fit *f, const struct fit_node *n)
{
    struct buf b = {0};
    print_node(f, n, 0, &b);
    const char *s = arena_strdup(f->mem, buf_text(&b));
    buf_release(&b);
    return s;
}

// `where` is learned only if asked for.
static bool answer(const struct fit *f, const struct tuple *t, bool where,
                   struct fit_answer *out)
{
    const struct fit_problem *p = f->p;
    bool *good = ARENA_NEW(f->mem, bool, p->n_samples + 1);
    struct fit_where w = {.where = ""};
    w.covered = tuple_hits(f, t, p->n_unknown, true, good);
    if (w.covered == 0 || (where && !fit_where(p, good, f->mem, &w)))
        return false;
    *out = (struct fit_answer){
        .where = w.where,
        .covered = w.covered,
        .size = t->size,
        .expr = ARENA_NEW(f->mem, const char *, p->n_unknown + 1)};
    for (uint32_t u = 0; u < p->n_unknown; u++)
        out->expr[u] = text_of(f, &t->c[u]->node);
    return true;
}

static bool answer_better(const struct fit_answer *a,
                          const struct fit_answer *b)
{
    return a->covered != b->covered ? a->covered > b->covered
                                    : a->size < b->size;
}

static uint32_t answers(const struct fit_problem *p, uint32_t max, bool where,
                        struct arena *mem, struct fit_answer *out)
{
    struct fit f = {.p = p, .mem = mem};
    struct tuple list[BEAM];
    uint32_t n = 0;
    if (p->n_unknown > 16 || max == 0)
        return 0;
    fit_probes(&f);
    if (f.n_probes == 0)
        return 0;
    fit_targets(&f);
    fit_enumerate(&f);
    uint32_t m = tuples(&f, list);
    for (uint32_t i = 0; i < m && i < 4 * max; i++) {
        struct fit_answer one;
        if (!answer(&f, &list[i], where, &one))
            continue;
        uint32_t k = n < max ? n : max - 1;
        if (n == max && !answer_better(&one, &out[k]))
            continue;
        for (; k > 0 && answer_better(&one, &out[k - 1]); k--)
            out[k] = out[k - 1];
        out[k] = one;
        n += n < max;
    }
    vec_release(&f.nodes);
    vec_release(&f.values);
    vec_release(&f.table);
    return n;
}

uint32_t fit_solve(const struct fit_problem *p, uint32_t max, struct arena *mem,
                   struct fit_answer *out)
{
    return answers(p, max, true, mem, out);
}

uint32_t fit_expressions(const struct fit_problem *p, uint32_t max,
                         struct arena *mem, struct fit_answer *out)
{
    return answers(p, max, false, mem, out);
}
