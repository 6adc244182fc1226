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
    uint64_t alive[MAX_WORDS]; // good samples that are still met
    uint64_t left[MAX_WORDS];  // bad ones that are
    int64_t weight;            // of a bad sample, in good ones
};

// What the term is worth; INT64_MIN: nothing.
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
    // A literal more must be worth a few samples.
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

// What a term with this literal and another is worth at most.
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
    struct term_choice best[PAIRS_EXTENDED];
    for (uint32_t i = 0; i < PAIRS_EXTENDED; i++)
        best[i] = (struct term_choice){.gain = INT64_MIN};
    uint32_t n = fitting->usable;
    for (uint32_t i = 0; i < n; i++) {
        struct where_term term = {1, {i}};
        consider(fitting, state, &term, best, PAIRS_EXTENDED);
    }
    uint32_t paired = n < MAX_PAIRED ? n : MAX_PAIRED;
    // A pair forbids no more than either of its literals.
    int64_t most[MAX_PAIRED];
    for (uint32_t i = 0; i < paired; i++)
        most[i] = most_gain(fitting, state, i);
    for (uint32_t i = 0; i < paired && fitting->max_in_term >= 2; i++)
        for (uint32_t k = i + 1; k < paired && most[i] > best[PAIRS_EXTENDED - 1].gain; k++) {
            struct where_term t = {2, {i, k}};
            if (goes_with(fitting, i, k) && most[k] > best[PAIRS_EXTENDED - 1].gain)
                consider(fitting, state, &t, best, PAIRS_EXTENDED);
        }
    struct term_choice first[PAIRS_EXTENDED];
    memcpy(first, best, sizeof first);
    for (uint32_t j = 0; j < PAIRS_EXTENDED && fitting->max_in_term >= 3; j++)
        for (uint32_t k = 0; k < n && first[j].term.n == 2; k++) {
            if (!goes_with(fitting, k, k))
                continue;
            struct where_term t = {3, {first[j].term.literal[0], first[j].term.literal[1], k}};
            consider(fitting, state, &t, best, PAIRS_EXTENDED);
        }
    *out = best[0].term;
    return best[0].gain != INT64_MIN;
}

// ---- conjunctions

struct found_conjunction {
    uint32_t n, lost, literals, cost;
    struct where_term term[MAX_TERMS];
};

static uint32_t left_of(const struct fitting *fitting, const uint64_t *left)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < fitting->bad_words; i++)
        n += count_bits(left[i]);
    return n;
}

// Which samples no term forbids.
static void met(const struct fitting *fitting, const struct found_conjunction *found, uint32_t skip,
                struct cover_state *state)
{
    uint64_t set[2 * MAX_WORDS];
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

// Drops terms that are not needed, exchanges those that a weaker one can stand
// for, and drops literals that save no good sample (F2).
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
        state.weight = INT64_C(1) << 20; // all that are left, then the fewest lost
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

// Lost samples count, and so does what has to be read.
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

// Of more samples than there is room for, those at equal distances.
static void split(struct fitting *fitting, const bool *good, struct arena *mem)
{
    uint32_t *g = ARENA_NEW(mem, uint32_t, MAX_WORDS * 64);
    uint32_t *b = ARENA_NEW(mem, uint32_t, MAX_WORDS * 64);
    uint32_t step = fitting->problem->n_samples / (MAX_WORDS * 64) + 1;
    for (uint32_t first = 0; first < step; first++)
        for (uint32_t i = first; i < fitting->problem->n_samples; i += step) {
            if (good[i] && fitting->n_good < MAX_WORDS * 64)
                g[fitting->n_good++] = i;
            if (!good[i] && fitting->n_bad < MAX_WORDS * 64)
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
        .max_terms = problem->max_terms ? problem->max_terms : 6,
    };
    struct found_conjunction best = {0}, one;
    bool any = false;
    if (fitting.max_in_term > MAX_IN_TERM)
        fitting.max_in_term = MAX_IN_TERM;
    if (fitting.max_terms > MAX_TERMS)
        fitting.max_terms = MAX_TERMS;
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
    // A size that says all at once hides what two literals say of maps, if
    // these lose no more.
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
