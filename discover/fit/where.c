// SPDX-License-Identifier: Apache-2.0
// Preconditions.  Every literal and every short disjunction of literals is a
// set of forbidden samples.  The search is for few sets that together forbid
// all bad samples, and few good ones (weighted set cover).
#include "discover/fit/literals.h"
#include "discover/limits.h"
#include <stdlib.h>
#include <string.h>

#define NONE_SKIPPED UINT32_MAX
#define N_WEIGHTS 4
#define SIMPLE_COST 6 // a sum of two maps

// ---- terms

struct where_term {
    uint32_t n, literal[FIT_IN_TERM];
};

static void term_set(const struct fitting *fitting, const struct where_term *term, uint64_t *set)
{
    uint32_t words = fitting->good_words + fitting->bad_words;
    for (uint32_t i = 0; i < words; i++) {
        set[i] = ~UINT64_C(0);
        for (uint32_t k = 0; k < term->n; k++)
            set[i] &= literal_forbids(fitting, term->literal[k])[i];
    }
}

struct term_choice {
    struct where_term term;
    int64_t gain;
};

struct cover_state {
    uint64_t alive[FIT_WORDS]; // good samples that no chosen term forbids
    uint64_t left[FIT_WORDS];  // bad samples that no chosen term forbids
    int64_t weight;            // a bad sample counts as much as so many good ones
};

// The gain of the term; INT64_MIN if it forbids no bad sample that is left.
static int64_t gain(const struct fitting *fitting, const struct cover_state *state,
                    const struct where_term *term)
{
    uint32_t killed = 0, lost = 0;
    for (uint32_t i = 0; i < fitting->bad_words; i++) {
        uint64_t w = state->left[i];
        for (uint32_t k = 0; k < term->n && w; k++)
            w &= literal_forbids(fitting, term->literal[k])[fitting->good_words + i];
        killed += count_bits(w);
    }
    if (killed == 0)
        return INT64_MIN;
    for (uint32_t i = 0; i < fitting->good_words; i++) {
        uint64_t w = state->alive[i];
        for (uint32_t k = 0; k < term->n && w; k++)
            w &= literal_forbids(fitting, term->literal[k])[i];
        if (w & fitting->kept[i])
            return INT64_MIN;
        lost += count_bits(w);
    }
    // Another literal must be worth a few samples.
    uint32_t cost = 0;
    for (uint32_t k = 0; k < term->n; k++)
        cost += COST + fitting->literals.at[term->literal[k]].cost;
    return ((int64_t)killed * state->weight - (int64_t)lost * 8) * 16 - (int64_t)cost * 7;
}

static void consider(const struct fitting *fitting, const struct cover_state *state,
                     const struct where_term *term, struct term_choice *best, uint32_t n_best)
{
    int64_t g = gain(fitting, state, term);
    if (g == INT64_MIN || g <= best[n_best - 1].gain)
        return;
    uint32_t i = n_best - 1;
    for (; i > 0 && best[i - 1].gain < g; i--)
        best[i] = best[i - 1];
    best[i] = (struct term_choice){*term, g};
}

static bool goes_with(const struct fitting *fitting, uint32_t a, uint32_t b)
{
    return !fitting->literals.at[a].alone && !fitting->literals.at[b].alone;
}

// An upper bound of the gain of a term with this literal and another one.
static int64_t most_gain(const struct fitting *fitting, const struct cover_state *state,
                         uint32_t literal)
{
    uint32_t killed = 0;
    for (uint32_t i = 0; i < fitting->bad_words; i++)
        killed +=
            count_bits(state->left[i] & literal_forbids(fitting, literal)[fitting->good_words + i]);
    return (int64_t)killed * state->weight * 16 -
           (int64_t)(fitting->literals.at[literal].cost + 3 * COST) * 7;
}

static bool choose_term(const struct fitting *fitting, const struct cover_state *state,
                        struct where_term *out)
{
    struct term_choice best[FIT_PAIRS_EXTENDED];
    for (uint32_t i = 0; i < FIT_PAIRS_EXTENDED; i++)
        best[i] = (struct term_choice){.gain = INT64_MIN};
    uint32_t n = fitting->usable;
    for (uint32_t i = 0; i < n; i++) {
        struct where_term term = {1, {i}};
        consider(fitting, state, &term, best, FIT_PAIRS_EXTENDED);
    }
    uint32_t paired = n < FIT_PAIRED ? n : FIT_PAIRED;
    // A pair forbids no more than either of its literals, so the better bound
    // prunes pairs.
    int64_t most[FIT_PAIRED];
    for (uint32_t i = 0; i < paired; i++)
        most[i] = most_gain(fitting, state, i);
    for (uint32_t i = 0; i < paired && fitting->max_in_term >= 2; i++)
        for (uint32_t k = i + 1; k < paired && most[i] > best[FIT_PAIRS_EXTENDED - 1].gain; k++) {
            struct where_term t = {2, {i, k}};
            if (goes_with(fitting, i, k) && most[k] > best[FIT_PAIRS_EXTENDED - 1].gain)
                consider(fitting, state, &t, best, FIT_PAIRS_EXTENDED);
        }
    struct term_choice first[FIT_PAIRS_EXTENDED];
    memcpy(first, best, sizeof first);
    for (uint32_t j = 0; j < FIT_PAIRS_EXTENDED && fitting->max_in_term >= 3; j++)
        for (uint32_t k = 0; k < n && first[j].term.n == 2; k++) {
            if (!goes_with(fitting, k, k))
                continue;
            struct where_term t = {3, {first[j].term.literal[0], first[j].term.literal[1], k}};
            consider(fitting, state, &t, best, FIT_PAIRS_EXTENDED);
        }
    *out = best[0].term;
    return best[0].gain != INT64_MIN;
}

// ---- conjunctions

struct found_conjunction {
    uint32_t n, lost, literals, cost;
    struct where_term term[FIT_TERMS];
};

static uint32_t left_of(const struct fitting *fitting, const uint64_t *left)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < fitting->bad_words; i++)
        n += count_bits(left[i]);
    return n;
}

// Computes the samples that no chosen term forbids.
static void met(const struct fitting *fitting, const struct found_conjunction *found, uint32_t skip,
                struct cover_state *state)
{
    uint64_t set[2 * FIT_WORDS];
    memset(state->alive, 0, sizeof state->alive);
    memset(state->left, 0, sizeof state->left);
    for (uint32_t i = 0; i < fitting->n_good; i++)
        state->alive[i / 64] |= UINT64_C(1) << i % 64;
    for (uint32_t i = 0; i < fitting->n_bad; i++)
        state->left[i / 64] |= UINT64_C(1) << i % 64;
    for (uint32_t k = 0; k < found->n; k++) {
        if (k == skip)
            continue;
        term_set(fitting, &found->term[k], set);
        for (uint32_t i = 0; i < fitting->good_words; i++)
            state->alive[i] &= ~set[i];
        for (uint32_t i = 0; i < fitting->bad_words; i++)
            state->left[i] &= ~set[fitting->good_words + i];
    }
}

static uint32_t alive_of(const struct fitting *fitting, const struct cover_state *state)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < fitting->good_words; i++)
        n += count_bits(state->alive[i]);
    return n;
}

// Establishes F2: drops terms that are not needed, replaces terms by weaker
// ones that suffice, drops literals that admit no further good sample.
static void improve(const struct fitting *fitting, struct found_conjunction *found)
{
    struct cover_state state = {0};
    for (uint32_t k = 0; k < found->n;) {
        met(fitting, found, k, &state);
        if (left_of(fitting, state.left) != 0) {
            k++;
            continue;
        }
        found->term[k] = found->term[--found->n];
    }
    for (uint32_t k = 0; k < found->n; k++) {
        struct where_term term;
        met(fitting, found, k, &state);
        state.weight = INT64_C(1) << 20; // forbid all bad samples, then lose the fewest good ones
        if (choose_term(fitting, &state, &term))
            found->term[k] = term;
    }
    for (uint32_t k = 0; k < found->n; k++)
        for (uint32_t i = 0; i < found->term[k].n && found->term[k].n > 1;) {
            met(fitting, found, NONE_SKIPPED, &state);
            uint32_t before = alive_of(fitting, &state);
            struct where_term old = found->term[k];
            found->term[k].literal[i] = found->term[k].literal[--found->term[k].n];
            met(fitting, found, NONE_SKIPPED, &state);
            if (alive_of(fitting, &state) < before) {
                found->term[k] = old;
                i++;
            }
        }
    met(fitting, found, NONE_SKIPPED, &state);
    found->lost = fitting->n_good - alive_of(fitting, &state);
    found->literals = found->cost = 0;
    for (uint32_t k = 0; k < found->n; k++) {
        found->literals += found->term[k].n;
        for (uint32_t i = 0; i < found->term[k].n; i++)
            found->cost += fitting->literals.at[found->term[k].literal[i]].cost;
    }
}

static bool conjunction(const struct fitting *fitting, int64_t weight,
                        struct found_conjunction *found)
{
    struct cover_state state = {0};
    *found = (struct found_conjunction){0};
    for (;;) {
        met(fitting, found, NONE_SKIPPED, &state);
        if (left_of(fitting, state.left) == 0)
            break;
        state.weight = weight;
        if (found->n == fitting->max_terms || !choose_term(fitting, &state, &found->term[found->n]))
            return false;
        found->n++;
    }
    improve(fitting, found);
    met(fitting, found, NONE_SKIPPED, &state);
    return left_of(fitting, state.left) == 0;
}

// The price of a precondition: lost good samples, and the literals to read.
static uint64_t price(const struct fitting *fitting, const struct found_conjunction *found)
{
    return (uint64_t)found->lost * 1000 / (fitting->n_good + 1) + (uint64_t)found->literals * 6;
}

static bool better(const struct fitting *fitting, const struct found_conjunction *a,
                   const struct found_conjunction *b)
{
    uint64_t x = price(fitting, a), y = price(fitting, b);
    return x != y ? x < y : a->cost < b->cost;
}

static int compare_literals(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void write(const struct fitting *fitting, struct found_conjunction *found, struct arena *mem,
                  struct fit_where *out)
{
    struct buf all = {0}, one = {0};
    bool *meets = ARENA_NEW(mem, bool, fitting->problem->n_samples + 1);
    out->term = ARENA_NEW(mem, const char *, found->n + 1);
    out->n_terms = found->n;
    out->literals = found->literals;
    for (uint32_t k = 0; k < found->n; k++) {
        struct where_term *term = &found->term[k];
        qsort(term->literal, term->n, sizeof *term->literal, compare_literals);
        buf_clear(&one);
        for (uint32_t i = 0; i < term->n; i++) {
            buf_puts(&one, i ? " or " : "");
            literal_print(fitting->problem, &fitting->literals.at[term->literal[i]], &one);
        }
        out->term[k] = arena_strdup(mem, buf_text(&one));
        buf_printf(&all, "%s%s", k ? ", " : "", buf_text(&one));
    }
    for (uint32_t i = 0; i < fitting->problem->n_samples; i++) {
        meets[i] = true;
        for (uint32_t k = 0; k < found->n && meets[i]; k++) {
            bool some = false;
            for (uint32_t j = 0; j < found->term[k].n && !some; j++)
                some = literal_holds(&fitting->literals.at[found->term[k].literal[j]],
                                     fitting->problem->samples[i].known);
            meets[i] = some;
        }
    }
    out->where = arena_strdup(mem, buf_text(&all));
    out->meets = meets;
    buf_release(&all);
    buf_release(&one);
}

// If there are more samples than room, takes some at equal distances.
static void split(struct fitting *fitting, const bool *good, struct arena *mem)
{
    uint32_t *g = ARENA_NEW(mem, uint32_t, FIT_WORDS * 64);
    uint32_t *b = ARENA_NEW(mem, uint32_t, FIT_WORDS * 64);
    uint32_t step = fitting->problem->n_samples / (FIT_WORDS * 64) + 1;
    for (uint32_t first = 0; first < step; first++)
        for (uint32_t i = first; i < fitting->problem->n_samples; i += step) {
            if (good[i] && fitting->n_good < FIT_WORDS * 64)
                g[fitting->n_good++] = i;
            if (!good[i] && fitting->n_bad < FIT_WORDS * 64)
                b[fitting->n_bad++] = i;
        }
    for (uint32_t i = 0; i < fitting->n_good; i++)
        if (fitting->problem->kept != NULL && fitting->problem->kept[g[i]])
            fitting->kept[i / 64] |= UINT64_C(1) << i % 64;
    fitting->good = g;
    fitting->bad = b;
    fitting->good_words = (fitting->n_good + 63) / 64;
    fitting->bad_words = (fitting->n_bad + 63) / 64;
}

bool fit_where(const struct fit_problem *problem, const bool *good, struct arena *mem,
               struct fit_where *out)
{
    static const int64_t weights[N_WEIGHTS] = {64, 16, 4, 1};
    struct fitting fitting = {
        .problem = problem,
        .max_in_term = problem->max_literals ? problem->max_literals : 2,
        .max_terms = problem->max_terms ? problem->max_terms : FIT_DEFAULT_TERMS,
    };
    struct found_conjunction best = {0}, one;
    bool any = false;
    if (fitting.max_in_term > FIT_IN_TERM)
        fitting.max_in_term = FIT_IN_TERM;
    if (fitting.max_terms > FIT_TERMS)
        fitting.max_terms = FIT_TERMS;
    *out = (struct fit_where){.where = ""};
    split(&fitting, good, mem);
    if (fitting.n_good == 0)
        return false;
    intern_init(&fitting.sets);
    if (fitting.n_bad > 0)
        literals_add(&fitting);
    uint32_t simple = 0;
    while (simple < fitting.literals.len && fitting.literals.at[simple].cost <= SIMPLE_COST)
        simple++;
    uint32_t max_in_term = fitting.max_in_term;
    // A literal about a size may hide two literals about maps.  The maps are
    // preferred if they lose no more samples.
    for (uint32_t i = 0; i < 2 * N_WEIGHTS; i++) {
        bool plain = i >= N_WEIGHTS;
        fitting.usable = plain ? simple : fitting.literals.len;
        fitting.max_in_term = plain ? 1 : max_in_term;
        one = (struct found_conjunction){0};
        if (fitting.n_bad == 0 ? i > 0 : !conjunction(&fitting, weights[i % N_WEIGHTS], &one))
            continue;
        if (one.lost < fitting.n_good &&
            (!any || (plain ? one.lost <= best.lost && one.cost < best.cost
                            : better(&fitting, &one, &best))))
            best = one;
        any = any || one.lost < fitting.n_good;
    }
    if (any) {
        write(&fitting, &best, mem, out);
        for (uint32_t i = 0; i < problem->n_samples; i++) {
            out->covered += good[i] && out->meets[i];
            any = any && (good[i] || !out->meets[i]);
            any = any && !(problem->kept && problem->kept[i] && good[i] && !out->meets[i]);
        }
    }
    vec_release(&fitting.literals);
    vec_release(&fitting.forbids);
    intern_release(&fitting.sets);
    return any;
}
