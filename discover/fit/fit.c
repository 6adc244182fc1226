// SPDX-License-Identifier: Apache-2.0
// Tuples of expressions, one for each unknown, chosen among the best for each,
// and their text.
#include "discover/fit/core.h"
#include "discover/limits.h"
#include "base/text/buf.h"
#include <stdlib.h>
#include <string.h>

// ---- tuples

struct tuple {
    const struct fit_candidate **candidate; // n_unknown
    uint32_t hits, size;
};

static uint32_t tuple_hits(const struct fit *fit, const struct tuple *tuple, uint32_t n, bool all,
                           bool *meets)
{
    const struct fit_problem *problem = fit->problem;
    uint32_t hits = 0, n_samples = all ? problem->n_samples : fit->n_probes;
    int64_t v[FIT_UNKNOWNS];
    for (uint32_t i = 0; i < n_samples; i++) {
        uint32_t at = all ? i : fit->probe[i];
        const struct fit_sample *sample = &problem->samples[at];
        bool found = false;
        for (uint32_t u = 0; u < n && sample->n_solutions; u++)
            v[u] = fit_value(fit, &tuple->candidate[u]->node, at);
        for (uint32_t k = 0; k < sample->n_solutions && !found; k++)
            found = memcmp(sample->solutions + k * problem->n_unknown, v, n * sizeof(int64_t)) == 0;
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

static uint32_t insert(struct tuple *list, uint32_t n, uint32_t max, const struct tuple *tuple)
{
    uint32_t i = n < max ? n : max - 1;
    if (n == max && !better(tuple, &list[i]))
        return n;
    for (; i > 0 && better(tuple, &list[i - 1]); i--)
        list[i] = list[i - 1];
    list[i] = *tuple;
    return n < max ? n + 1 : n;
}

// Extends the best tuples by one unknown after another (a beam search).
static uint32_t tuples(const struct fit *fit, struct tuple *out)
{
    uint32_t n = 1, n_unknown = fit->problem->n_unknown;
    out[0] = (struct tuple){.candidate =
                                ARENA_NEW(fit->mem, const struct fit_candidate *, n_unknown + 1)};
    for (uint32_t u = 0; u < n_unknown; u++) {
        struct tuple *next = ARENA_NEW(fit->mem, struct tuple, FIT_BEAM);
        const struct target *target = &fit->target[u];
        uint32_t m = 0;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t k = 0; k < FIT_SIZES; k++)
                for (uint32_t j = 0; j < target->n_best[k]; j++) {
                    struct tuple one = {.candidate = ARENA_NEW(
                                            fit->mem, const struct fit_candidate *, n_unknown + 1),
                                        .size = out[i].size + target->best[k][j].node.size};
                    memcpy(one.candidate, out[i].candidate, u * sizeof *one.candidate);
                    one.candidate[u] = &target->best[k][j];
                    one.hits = tuple_hits(fit, &one, u + 1, false, NULL);
                    m = insert(next, m, FIT_BEAM, &one);
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

static void print_node(const struct fit *fit, const struct fit_node *node, int level,
                       struct buf *out)
{
    static const char *const sign[] = {"", "", " + ", " - ", " * ", "min", "max", "ceildiv"};
    const struct fit_node *a = &fit->nodes.at[node->a], *b = &fit->nodes.at[node->b];
    if (node->op == FIT_KNOWN) {
        buf_puts(out, fit->problem->known[node->a]);
        return;
    }
    if (node->op == FIT_CONST) {
        buf_printf(out, node->k < 0 && level > 1 ? "(%lld)" : "%lld", (long long)node->k);
        return;
    }
    int own = level_of(node->op);
    bool call = own == 3, brackets = !call && own < level;
    buf_puts(out, call ? sign[node->op] : "");
    buf_puts(out, call || brackets ? "(" : "");
    print_node(fit, a, call ? 0 : own, out);
    buf_puts(out, call ? ", " : sign[node->op]);
    print_node(fit, b, call ? 0 : own + 1, out);
    buf_puts(out, call || brackets ? ")" : "");
}

static const char *text_of(const struct fit *fit, const struct fit_node *node)
{
    struct buf buf = {0};
    print_node(fit, node, 0, &buf);
    const char *text = arena_strdup(fit->mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}

// Learns `where` only if the caller asks for it.
static bool answer(const struct fit *fit, const struct tuple *tuple, bool where,
                   struct fit_answer *out)
{
    const struct fit_problem *problem = fit->problem;
    bool *good = ARENA_NEW(fit->mem, bool, problem->n_samples + 1);
    struct fit_where w = {.where = ""};
    w.covered = tuple_hits(fit, tuple, problem->n_unknown, true, good);
    if (w.covered == 0 || (where && !fit_where(problem, good, fit->mem, &w)))
        return false;
    *out = (struct fit_answer){.where = w.where,
                               .covered = w.covered,
                               .size = tuple->size,
                               .expr = ARENA_NEW(fit->mem, const char *, problem->n_unknown + 1)};
    for (uint32_t u = 0; u < problem->n_unknown; u++)
        out->expr[u] = text_of(fit, &tuple->candidate[u]->node);
    return true;
}

static bool answer_better(const struct fit_answer *a, const struct fit_answer *b)
{
    return a->covered != b->covered ? a->covered > b->covered : a->size < b->size;
}

static uint32_t answers(const struct fit_problem *problem, uint32_t max, bool where,
                        struct arena *mem, struct fit_answer *out)
{
    struct fit fit = {.problem = problem, .mem = mem};
    struct tuple list[FIT_BEAM];
    uint32_t n = 0;
    if (problem->n_unknown > FIT_UNKNOWNS || max == 0)
        return 0;
    fit_probes(&fit);
    if (fit.n_probes == 0)
        return 0;
    fit_targets(&fit);
    fit_enumerate(&fit);
    uint32_t m = tuples(&fit, list);
    for (uint32_t i = 0; i < m && i < 4 * max; i++) {
        struct fit_answer one;
        if (!answer(&fit, &list[i], where, &one))
            continue;
        uint32_t k = n < max ? n : max - 1;
        if (n == max && !answer_better(&one, &out[k]))
            continue;
        for (; k > 0 && answer_better(&one, &out[k - 1]); k--)
            out[k] = out[k - 1];
        out[k] = one;
        n += n < max;
    }
    vec_release(&fit.nodes);
    vec_release(&fit.values);
    vec_release(&fit.table);
    return n;
}

uint32_t fit_solve(const struct fit_problem *problem, uint32_t max, struct arena *mem,
                   struct fit_answer *out)
{
    return answers(problem, max, true, mem, out);
}

uint32_t fit_expressions(const struct fit_problem *problem, uint32_t max, struct arena *mem,
                         struct fit_answer *out)
{
    return answers(problem, max, false, mem, out);
}
