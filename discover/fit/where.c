// SPDX-License-Identifier: Apache-2.0
// Preconditions: every literal and every short disjunction of literals is a set
// of samples that it forbids; sought are few that forbid all bad samples, and
// few good ones.
#include "discover/fit/literals.h"
#include <stdlib.h>
#include <string.h>

#define MAX_TERMS 12
#define PAIRS_EXTENDED 48 // pairs that a third literal is tried with
#define MAX_PAIRED 500    // the simplest literals, of which pairs are made
#define NONE_SKIPPED UINT32_MAX
#define N_WEIGHTS 4
#define SIMPLE_COST 6 // of two maps and a sum

// ---- terms

struct where_term {
    uint32_t n, literal[MAX_IN_TERM];
};

static void term_set(const struct fitting *f, const struct where_term *t,
                     uint64_t *set)
{
    uint32_t words = f->good_words + f->bad_words;
    for (uint32_t i = 0; i < words; i++) {
        set[i] = ~UINT64_C(0);
        for (uint32_t k = 0; k < t->n; k++)
            set[i] &= literal_forbids(f, t->literal[k])[i];
    }
}

struct term_choice {
    struct where_term term;
    int64_t gain;
};

struct cover_state {
    uint64_t alive[MAX_WORDS]; // good samples that are still met
    uint64_t left[MAX_WORDS];  // bad ones that are
    int64_t weight;            // of a bad sample, in good ones
};

// What the term is worth; INT64_MIN: nothing.
static int64_t gain(const struct fitting *f, const struct cover_state *s,
                    const struct where_term *t)
{
    uint32_t killed = 0, lost = 0;
    for (uint32_t i = 0; i < f->bad_words; i++) {
        uint64_t w = s->left[i];
        for (uint32_t k = 0; k < t->n && w; k++)
            w &= literal_forbids(f, t->literal[k])[f->good_words + i];
        killed += count_bits(w);
    }
    if (killed == 0)
        return INT64_MIN;
    for (uint32_t i = 0; i < f->good_words; i++) {
        uint64_t w = s->alive[i];
        for (uint32_t k = 0; k < t->n && w; k++)
            w &= literal_forbids(f, t->literal[k])[i];
        if (w & f->kept[i])
            return INT64_MIN;
        lost += count_bits(w);
    }
    // A literal more must be worth a few samples.
    uint32_t cost = 0;
    for (uint32_t k = 0; k < t->n; k++)
        cost += COST + f->literals.at[t->literal[k]].cost;
    return ((int64_t)killed * s->weight - (int64_t)lost * 8) * 16 -
           (int64_t)cost * 7;
}

static void consider(const struct fitting *f, const struct cover_state *s,
                     const struct where_term *t, struct term_choice *best, uint32_t n_best)
{
    int64_t g = gain(f, s, t);
    if (g == INT64_MIN || g <= best[n_best - 1].gain)
        return;
    uint32_t i = n_best - 1;
    for (; i > 0 && best[i - 1].gain < g; i--)
        best[i] = best[i - 1];
    best[i] = (struct term_choice){*t, g};
}

static bool goes_with(const struct fitting *f, uint32_t a, uint32_t b)
{
    return !f->literals.at[a].alone && !f->literals.at[b].alone;
}

// What a term with this literal and another is worth at most.
static int64_t most_gain(const struct fitting *f, const struct cover_state *s,
                         uint32_t literal)
{
    uint32_t killed = 0;
    for (uint32_t i = 0; i < f->bad_words; i++)
        killed += count_bits(s->left[i] &
                             literal_forbids(f, literal)[f->good_words + i]);
    return (int64_t)killed * s->weight * 16 -
           (int64_t)(f->literals.at[literal].cost + 3 * COST) * 7;
}

static bool choose_term(const struct fitting *f, const struct cover_state *s,
                        struct where_term *out)
{
    struct term_choice best[PAIRS_EXTENDED];
    for (uint32_t i = 0; i < PAIRS_EXTENDED; i++)
        best[i] = (struct term_choice){.gain = INT64_MIN};
    uint32_t n = f->usable;
    for (uint32_t i = 0; i < n; i++) {
        struct where_term t = {1, {i}};
        consider(f, s, &t, best, PAIRS_EXTENDED);
    }
    uint32_t paired = n < MAX_PAIRED ? n : MAX_PAIRED;
    // A pair forbids no more than either of its literals.
    int64_t most[MAX_PAIRED];
    for (uint32_t i = 0; i < paired; i++)
        most[i] = most_gain(f, s, i);
    for (uint32_t i = 0; i < paired && f->max_in_term >= 2; i++)
        for (uint32_t k = i + 1;
             k < paired && most[i] > best[PAIRS_EXTENDED - 1].gain; k++) {
            struct where_term t = {2, {i, k}};
            if (goes_with(f, i, k) && most[k] > best[PAIRS_EXTENDED - 1].gain)
                consider(f, s, &t, best, PAIRS_EXTENDED);
        }
    struct term_choice first[PAIRS_EXTENDED];
    memcpy(first, best, sizeof first);
    for (uint32_t j = 0; j < PAIRS_EXTENDED && f->max_in_term >= 3; j++)
        for (uint32_t k = 0; k < n && first[j].term.n == 2; k++) {
            if (!goes_with(f, k, k))
                continue;
            struct where_term t = {
                3, {first[j].term.literal[0], first[j].term.literal[1], k}};
            consider(f, s, &t, best, PAIRS_EXTENDED);
        }
    *out = best[0].term;
    return best[0].gain != INT64_MIN;
}

// ---- conjunctions

struct found_conjunction {
    uint32_t n, lost, literals, cost;
    struct where_term term[MAX_TERMS];
};

static uint32_t left_of(const struct fitting *f, const uint64_t *left)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->bad_words; i++)
        n += count_bits(left[i]);
    return n;
}

// Which samples no term forbids.
static void met(const struct fitting *f, const struct found_conjunction *w, uint32_t skip,
                struct cover_state *s)
{
    uint64_t set[2 * MAX_WORDS];
    memset(s->alive, 0, sizeof s->alive);
    memset(s->left, 0, sizeof s->left);
    for (uint32_t i = 0; i < f->n_good; i++)
        s->alive[i / 64] |= UINT64_C(1) << i % 64;
    for (uint32_t i = 0; i < f->n_bad; i++)
        s->left[i / 64] |= UINT64_C(1) << i % 64;
    for (uint32_t k = 0; k < w->n; k++) {
        if (k == skip)
            continue;
        term_set(f, &w->term[k], set);
        for (uint32_t i = 0; i < f->good_words; i++)
            s->alive[i] &= ~set[i];
        for (uint32_t i = 0; i < f->bad_words; i++)
            s->left[i] &= ~set[f->good_words + i];
    }
}

static uint32_t alive_of(const struct fitting *f, const struct cover_state *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->good_words; i++)
        n += count_bits(s->alive[i]);
    return n;
}

// Drops terms that are not needed, exchanges those that a weaker one can stand
// for, and drops literals that save no good sample (F2).
static void improve(const struct fitting *f, struct found_conjunction *w)
{
    struct cover_state s = {0};
    for (uint32_t k = 0; k < w->n;) {
        met(f, w, k, &s);
        if (left_of(f, s.left) != 0) {
            k++;
            continue;
        }
        w->term[k] = w->term[--w->n];
    }
    for (uint32_t k = 0; k < w->n; k++) {
        struct where_term t;
        met(f, w, k, &s);
        s.weight = INT64_C(1) << 20; // all that are left, then the fewest lost
        if (choose_term(f, &s, &t))
            w->term[k] = t;
    }
    for (uint32_t k = 0; k < w->n; k++)
        for (uint32_t i = 0; i < w->term[k].n && w->term[k].n > 1;) {
            met(f, w, NONE_SKIPPED, &s);
            uint32_t before = alive_of(f, &s);
            struct where_term old = w->term[k];
            w->term[k].literal[i] = w->term[k].literal[--w->term[k].n];
            met(f, w, NONE_SKIPPED, &s);
            if (alive_of(f, &s) < before) {
                w->term[k] = old;
                i++;
            }
        }
    met(f, w, NONE_SKIPPED, &s);
    w->lost = f->n_good - alive_of(f, &s);
    w->literals = w->cost = 0;
    for (uint32_t k = 0; k < w->n; k++) {
        w->literals += w->term[k].n;
        for (uint32_t i = 0; i < w->term[k].n; i++)
            w->cost += f->literals.at[w->term[k].literal[i]].cost;
    }
}

static bool conjunction(const struct fitting *f, int64_t weight,
                        struct found_conjunction *w)
{
    struct cover_state s = {0};
    *w = (struct found_conjunction){0};
    for (;;) {
        met(f, w, NONE_SKIPPED, &s);
        if (left_of(f, s.left) == 0)
            break;
        s.weight = weight;
        if (w->n == f->max_terms || !choose_term(f, &s, &w->term[w->n]))
            return false;
        w->n++;
    }
    improve(f, w);
    met(f, w, NONE_SKIPPED, &s);
    return left_of(f, s.left) == 0;
}

// Lost samples count, and so does what has to be read.
static uint64_t price(const struct fitting *f, const struct found_conjunction *w)
{
    return (uint64_t)w->lost * 1000 / (f->n_good + 1) +
           (uint64_t)w->literals * 6;
}

static bool better(const struct fitting *f, const struct found_conjunction *a,
                   const struct found_conjunction *b)
{
    uint64_t x = price(f, a), y = price(f, b);
    return x != y ? x < y : a->cost < b->cost;
}

static int compare_literals(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void write(const struct fitting *f, struct found_conjunction *w, struct arena *mem,
                  struct fit_where *out)
{
    struct buf all = {0}, one = {0};
    bool *meets = ARENA_NEW(mem, bool, f->p->n_samples + 1);
    out->term = ARENA_NEW(mem, const char *, w->n + 1);
    out->n_terms = w->n;
    out->literals = w->literals;
    for (uint32_t k = 0; k < w->n; k++) {
        struct where_term *t = &w->term[k];
        qsort(t->literal, t->n, sizeof *t->literal, compare_literals);
        buf_clear(&one);
        for (uint32_t i = 0; i < t->n; i++) {
            buf_puts(&one, i ? " or " : "");
            literal_print(f->p, &f->literals.at[t->literal[i]], &one);
        }
        out->term[k] = arena_strdup(mem, buf_text(&one));
        buf_printf(&all, "%s%s", k ? ", " : "", buf_text(&one));
    }
    for (uint32_t i = 0; i < f->p->n_samples; i++) {
        meets[i] = true;
        for (uint32_t k = 0; k < w->n && meets[i]; k++) {
            bool some = false;
            for (uint32_t j = 0; j < w->term[k].n && !some; j++)
                some = literal_holds(&f->literals.at[w->term[k].literal[j]],
                                     f->p->samples[i].known);
            meets[i] = some;
        }
    }
    out->where = arena_strdup(mem, buf_text(&all));
    out->meets = meets;
    buf_release(&all);
    buf_release(&one);
}

// Of more samples than there is room for, those at equal distances.
static void split(struct fitting *f, const bool *good, struct arena *mem)
{
    uint32_t *g = ARENA_NEW(mem, uint32_t, MAX_WORDS * 64);
    uint32_t *b = ARENA_NEW(mem, uint32_t, MAX_WORDS * 64);
    uint32_t step = f->p->n_samples / (MAX_WORDS * 64) + 1;
    for (uint32_t first = 0; first < step; first++)
        for (uint32_t i = first; i < f->p->n_samples; i += step) {
            if (good[i] && f->n_good < MAX_WORDS * 64)
                g[f->n_good++] = i;
            if (!good[i] && f->n_bad < MAX_WORDS * 64)
                b[f->n_bad++] = i;
        }
    for (uint32_t i = 0; i < f->n_good; i++)
        if (f->p->kept != NULL && f->p->kept[g[i]])
            f->kept[i / 64] |= UINT64_C(1) << i % 64;
    f->good = g;
    f->bad = b;
    f->good_words = (f->n_good + 63) / 64;
    f->bad_words = (f->n_bad + 63) / 64;
}

bool fit_where(const struct fit_problem *p, const bool *good, struct arena *mem,
               struct fit_where *out)
{
    static const int64_t weights[N_WEIGHTS] = {64, 16, 4, 1};
    struct fitting f = {
        .p = p,
        .max_in_term = p->max_literals ? p->max_literals : 2,
        .max_terms = p->max_terms ? p->max_terms : 6,
    };
    struct found_conjunction best = {0}, one;
    bool any = false;
    if (f.max_in_term > MAX_IN_TERM)
        f.max_in_term = MAX_IN_TERM;
    if (f.max_terms > MAX_TERMS)
        f.max_terms = MAX_TERMS;
    *out = (struct fit_where){.where = ""};
    split(&f, good, mem);
    if (f.n_good == 0)
        return false;
    vec_zero(&f.table, 1024);
    if (f.n_bad > 0)
        literals_add(&f);
    uint32_t simple = 0;
    while (simple < f.literals.len && f.literals.at[simple].cost <= SIMPLE_COST)
        simple++;
    uint32_t max_in_term = f.max_in_term;
    // A size that says all at once hides what two literals say of maps, if
    // these lose no more.
    for (uint32_t i = 0; i < 2 * N_WEIGHTS; i++) {
        bool plain = i >= N_WEIGHTS;
        f.usable = plain ? simple : f.literals.len;
        f.max_in_term = plain ? 1 : max_in_term;
        one = (struct found_conjunction){0};
        if (f.n_bad == 0 ? i > 0
                         : !conjunction(&f, weights[i % N_WEIGHTS], &one))
            continue;
        if (one.lost < f.n_good &&
            (!any || (plain ? one.lost <= best.lost && one.cost < best.cost
                            : better(&f, &one, &best))))
            best = one;
        any = any || one.lost < f.n_good;
    }
    if (any) {
        write(&f, &best, mem, out);
        for (uint32_t i = 0; i < p->n_samples; i++) {
            out->covered += good[i] && out->meets[i];
            any = any && (good[i] || !out->meets[i]);
            any = any && !(p->kept && p->kept[i] && good[i] && !out->meets[i]);
        }
    }
    vec_release(&f.literals);
    vec_release(&f.forbids);
    vec_release(&f.table);
    return any;
}
