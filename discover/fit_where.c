// SPDX-License-Identifier: Apache-2.0
// Preconditions: every literal and every short disjunction of literals is a set
// of samples that it forbids; sought are few that forbid all bad samples, and
// few good ones.
#include "discover/fit.h"
#include "base/buf.h"
#include "base/hash.h"
#include "base/vec.h"
#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 64 // samples / 64 that are looked at of each kind
#define MAX_TERMS 12
#define MAX_IN_TERM 3
#define PAIRS_EXTENDED 48 // pairs that a third literal is tried with
#define MAX_PAIRED 500    // the simplest literals, of which pairs are made
#define NONE_SKIPPED UINT32_MAX
#define COST 3      // of a literal about one map
#define COST_MORE 1 // a second one
#define COST_SUM 2  // a sum, and each operator of a column
#define MAX_COST 16
#define N_WEIGHTS 4
#define SIMPLE_COST 6 // of two maps and a sum

enum atom {
    ATOM_EQ0,
    ATOM_NE0,
    ATOM_GE0,
    ATOM_GT0,
    ATOM_LE0,
    ATOM_LT0,
    ATOM_EQ1,
    ATOM_NE1,
    ATOM_LE1,
    ATOM_GT1,
    ATOM_EVEN,
    ATOM_LE, // two columns
    ATOM_LT,
    ATOM_EQ,
    ATOM_NE,
    ATOM_DIVIDES,
    ATOM_SUM_LE0, // a + b <= 0
    ATOM_SUM_LT0,
    ATOM_SUM_EQ0,
    ATOM_SUM_GE0,
    ATOM_SUM_GT0,
    ATOM_SUM_LE, // three: a + b <= c
    ATOM_SUM_LT,
    ATOM_SUM_EQ,
    ATOM_SUM_GE,
    ATOM_SUM_GT,
};

struct literal {
    enum atom atom;
    uint32_t a, b, c;
    uint32_t cost;
    bool alone; // divides by 0 somewhere, which no alternative mends: a
                // precondition that divides by 0 is false
};

struct term {
    uint32_t n, literal[MAX_IN_TERM];
};

struct fitting {
    const struct fit_problem *p;
    uint32_t max_in_term, max_terms;
    uint32_t usable; // literals, the cheapest first, that may be chosen
    uint32_t n_good, n_bad, good_words, bad_words;
    const uint32_t *good, *bad; // samples
    uint64_t kept[MAX_WORDS];   // of the good ones
    VEC(struct literal) literals;
    VEC(uint64_t) forbids; // good_words, then bad_words, of each literal
    VEC(uint32_t) table;
};

static bool holds(const struct literal *l, const int64_t *v)
{
    int64_t a = v[l->a], b = v[l->b], c = v[l->c];
    switch (l->atom) {
    case ATOM_EQ0:
        return a == 0;
    case ATOM_NE0:
        return a != 0;
    case ATOM_GE0:
        return a >= 0;
    case ATOM_GT0:
        return a > 0;
    case ATOM_LE0:
        return a <= 0;
    case ATOM_LT0:
        return a < 0;
    case ATOM_EQ1:
        return a == 1;
    case ATOM_NE1:
        return a != 1;
    case ATOM_LE1:
        return a <= 1;
    case ATOM_GT1:
        return a > 1;
    case ATOM_EVEN:
        return a % 2 == 0;
    case ATOM_LE:
        return a <= b;
    case ATOM_LT:
        return a < b;
    case ATOM_EQ:
        return a == b;
    case ATOM_NE:
        return a != b;
    case ATOM_DIVIDES:
        return b != 0 && a % b == 0;
    case ATOM_SUM_LE0:
        return a + b <= 0;
    case ATOM_SUM_LT0:
        return a + b < 0;
    case ATOM_SUM_EQ0:
        return a + b == 0;
    case ATOM_SUM_GE0:
        return a + b >= 0;
    case ATOM_SUM_GT0:
        return a + b > 0;
    case ATOM_SUM_LE:
        return a + b <= c;
    case ATOM_SUM_LT:
        return a + b < c;
    case ATOM_SUM_EQ:
        return a + b == c;
    case ATOM_SUM_GE:
        return a + b >= c;
    case ATOM_SUM_GT:
        return a + b > c;
    }
    return false;
}

static void print_literal(const struct fit_problem *p, const struct literal *l,
                          struct buf *out)
{
    static const char *const form[] = {
        [ATOM_EQ0] = "a == 0",
        [ATOM_NE0] = "a != 0",
        [ATOM_GE0] = "a >= 0",
        [ATOM_GT0] = "a >= 1",
        [ATOM_LE0] = "a <= 0",
        [ATOM_LT0] = "a < 0",
        [ATOM_EQ1] = "a == 1",
        [ATOM_NE1] = "a != 1",
        [ATOM_LE1] = "a <= 1",
        [ATOM_GT1] = "a >= 2",
        [ATOM_EVEN] = "mod(a, 2) == 0",
        [ATOM_LE] = "a <= b",
        [ATOM_LT] = "a < b",
        [ATOM_EQ] = "a == b",
        [ATOM_NE] = "a != b",
        [ATOM_DIVIDES] = "mod(a, b) == 0",
        [ATOM_SUM_LE0] = "a + b <= 0",
        [ATOM_SUM_LT0] = "a + b < 0",
        [ATOM_SUM_EQ0] = "a + b == 0",
        [ATOM_SUM_GE0] = "a + b >= 0",
        [ATOM_SUM_GT0] = "a + b >= 1",
        [ATOM_SUM_LE] = "a + b <= c",
        [ATOM_SUM_LT] = "a + b < c",
        [ATOM_SUM_EQ] = "a + b == c",
        [ATOM_SUM_GE] = "a + b >= c",
        [ATOM_SUM_GT] = "a + b > c",
    };
    for (const char *s = form[l->atom]; *s; s++) {
        uint32_t column = *s == 'a' ? l->a : *s == 'b' ? l->b : l->c;
        if ((*s >= 'a' && *s <= 'c'))
            buf_puts(out, p->known[column]);
        else if (*s == 'm' && strncmp(s, "mod", 3) == 0)
            buf_puts(out, "mod"), s += 2;
        else
            buf_putc(out, *s);
    }
}

static const uint64_t *forbids(const struct fitting *f, uint32_t literal)
{
    return f->forbids.at + (size_t)literal * (f->good_words + f->bad_words);
}

static uint32_t count(uint64_t x)
{
    // Not all machines have an instruction, and a call is slower.
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) +
        (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

// ---- literals

static void table_put(struct fitting *f, uint32_t literal)
{
    uint32_t words = f->good_words + f->bad_words, mask = f->table.len - 1;
    uint64_t h = hash_bytes(forbids(f, literal), words * sizeof(uint64_t), 0);
    while (f->table.at[h & mask])
        h++;
    f->table.at[h & mask] = literal + 1;
}

static bool table_has(const struct fitting *f, const uint64_t *set)
{
    uint32_t words = f->good_words + f->bad_words, mask = f->table.len - 1;
    for (uint64_t h = hash_bytes(set, words * sizeof *set, 0);; h++) {
        uint32_t n = f->table.at[h & mask];
        if (n == 0)
            return false;
        if (memcmp(forbids(f, n - 1), set, words * sizeof *set) == 0)
            return true;
    }
}

// Literals with equal sets are one: the first, which is the simplest.
static void add_literal(struct fitting *f, struct literal l)
{
    uint64_t set[2 * MAX_WORDS] = {0};
    uint32_t words = f->good_words + f->bad_words, some = 0;
    for (uint32_t i = 0; i < f->n_good; i++)
        if (!holds(&l, f->p->samples[f->good[i]].known))
            set[i / 64] |= UINT64_C(1) << i % 64;
    for (uint32_t i = 0; i < f->n_bad; i++)
        if (!holds(&l, f->p->samples[f->bad[i]].known)) {
            set[f->good_words + i / 64] |= UINT64_C(1) << i % 64;
            some++;
        }
    if (some == 0 || table_has(f, set))
        return;
    for (uint32_t i = 0; i < f->p->n_samples && l.atom == ATOM_DIVIDES; i++)
        l.alone = l.alone || f->p->samples[i].known[l.b] == 0;
    vec_push(&f->literals, l);
    for (uint32_t i = 0; i < words; i++)
        vec_push(&f->forbids, set[i]);
    if (2 * f->literals.len < f->table.len) {
        table_put(f, f->literals.len - 1);
        return;
    }
    uint32_t n = 2 * f->table.len;
    vec_release(&f->table);
    vec_zero(&f->table, n);
    for (uint32_t i = 0; i < f->literals.len; i++)
        table_put(f, i);
}

// What it is to read: sums and sizes that are expressions are more often right
// by accident, and say less.
static uint32_t column_cost(const char *name)
{
    uint32_t n = 0;
    for (; *name; name++)
        n += *name == '+' || *name == '*' || *name == ',' ||
             (*name == '-' && name[1] == ' ');
    return COST_SUM * n;
}

static void price_literal(const struct fitting *f, struct literal *l)
{
    bool two = l->atom >= ATOM_LE, three = l->atom >= ATOM_SUM_LE;
    bool sum = l->atom >= ATOM_SUM_LE0;
    l->cost = COST + column_cost(f->p->known[l->a]);
    l->cost += two ? COST_MORE + column_cost(f->p->known[l->b]) : 0;
    l->cost += three ? COST_MORE + column_cost(f->p->known[l->c]) : 0;
    l->cost += sum ? COST_SUM : 0;
    if (l->cost > MAX_COST)
        l->cost = MAX_COST;
}

// The cheapest come first.
static void add_priced(struct fitting *f, uint32_t cost, struct literal l)
{
    price_literal(f, &l);
    if (l.cost == cost)
        add_literal(f, l);
}

static void add_of_cost(struct fitting *f, uint32_t cost)
{
    uint32_t n = f->p->n_known;
    for (uint32_t a = 0; a < n; a++)
        for (int k = ATOM_EQ0; k <= ATOM_EVEN; k++)
            add_priced(f, cost,
                       (struct literal){(enum atom)k, a, a, a, 0, false});
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            for (int k = ATOM_LE; a != b && k <= ATOM_SUM_GT0; k++)
                if (a < b || k < ATOM_EQ || k == ATOM_DIVIDES)
                    add_priced(
                        f, cost,
                        (struct literal){(enum atom)k, a, b, a, 0, false});
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a; b < n; b++)
            for (uint32_t c = 0; c < n; c++)
                for (int k = ATOM_SUM_LE; c != a && c != b && k <= ATOM_SUM_GT;
                     k++)
                    add_priced(
                        f, cost,
                        (struct literal){(enum atom)k, a, b, c, 0, false});
}

static void add_literals(struct fitting *f)
{
    for (uint32_t cost = COST; cost <= MAX_COST; cost++)
        add_of_cost(f, cost);
}

// ---- terms

static void term_set(const struct fitting *f, const struct term *t,
                     uint64_t *set)
{
    uint32_t words = f->good_words + f->bad_words;
    for (uint32_t i = 0; i < words; i++) {
        set[i] = ~UINT64_C(0);
        for (uint32_t k = 0; k < t->n; k++)
            set[i] &= forbids(f, t->literal[k])[i];
    }
}

struct choice {
    struct term term;
    int64_t gain;
};

struct state {
    uint64_t alive[MAX_WORDS]; // good samples that are still met
    uint64_t left[MAX_WORDS];  // bad ones that are
    int64_t weight;            // of a bad sample, in good ones
};

// What the term is worth; INT64_MIN: nothing.
static int64_t gain(const struct fitting *f, const struct state *s,
                    const struct term *t)
{
    uint32_t killed = 0, lost = 0;
    for (uint32_t i = 0; i < f->bad_words; i++) {
        uint64_t w = s->left[i];
        for (uint32_t k = 0; k < t->n && w; k++)
            w &= forbids(f, t->literal[k])[f->good_words + i];
        killed += count(w);
    }
    if (killed == 0)
        return INT64_MIN;
    for (uint32_t i = 0; i < f->good_words; i++) {
        uint64_t w = s->alive[i];
        for (uint32_t k = 0; k < t->n && w; k++)
            w &= forbids(f, t->literal[k])[i];
        if (w & f->kept[i])
            return INT64_MIN;
        lost += count(w);
    }
    // A literal more must be worth a few samples.
    uint32_t cost = 0;
    for (uint32_t k = 0; k < t->n; k++)
        cost += COST + f->literals.at[t->literal[k]].cost;
    return ((int64_t)killed * s->weight - (int64_t)lost * 8) * 16 -
           (int64_t)cost * 7;
}

static void consider(const struct fitting *f, const struct state *s,
                     const struct term *t, struct choice *best, uint32_t n_best)
{
    int64_t g = gain(f, s, t);
    if (g == INT64_MIN || g <= best[n_best - 1].gain)
        return;
    uint32_t i = n_best - 1;
    for (; i > 0 && best[i - 1].gain < g; i--)
        best[i] = best[i - 1];
    best[i] = (struct choice){*t, g};
}

static bool goes_with(const struct fitting *f, uint32_t a, uint32_t b)
{
    return !f->literals.at[a].alone && !f->literals.at[b].alone;
}

// What a term with this literal and another is worth at most.
static int64_t most_gain(const struct fitting *f, const struct state *s,
                         uint32_t literal)
{
    uint32_t killed = 0;
    for (uint32_t i = 0; i < f->bad_words; i++)
        killed += count(s->left[i] & forbids(f, literal)[f->good_words + i]);
    return (int64_t)killed * s->weight * 16 -
           (int64_t)(f->literals.at[literal].cost + 3 * COST) * 7;
}

static bool choose_term(const struct fitting *f, const struct state *s,
                        struct term *out)
{
    struct choice best[PAIRS_EXTENDED];
    for (uint32_t i = 0; i < PAIRS_EXTENDED; i++)
        best[i] = (struct choice){.gain = INT64_MIN};
    uint32_t n = f->usable;
    for (uint32_t i = 0; i < n; i++) {
        struct term t = {1, {i}};
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
            struct term t = {2, {i, k}};
            if (goes_with(f, i, k) && most[k] > best[PAIRS_EXTENDED - 1].gain)
                consider(f, s, &t, best, PAIRS_EXTENDED);
        }
    struct choice first[PAIRS_EXTENDED];
    memcpy(first, best, sizeof first);
    for (uint32_t j = 0; j < PAIRS_EXTENDED && f->max_in_term >= 3; j++)
        for (uint32_t k = 0; k < n && first[j].term.n == 2; k++) {
            if (!goes_with(f, k, k))
                continue;
            struct term t = {
                3, {first[j].term.literal[0], first[j].term.literal[1], k}};
            consider(f, s, &t, best, PAIRS_EXTENDED);
        }
    *out = best[0].term;
    return best[0].gain != INT64_MIN;
}

// ---- conjunctions

struct found {
    uint32_t n, lost, literals, cost;
    struct term term[MAX_TERMS];
};

static uint32_t left_of(const struct fitting *f, const uint64_t *left)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->bad_words; i++)
        n += count(left[i]);
    return n;
}

// Which samples no term forbids.
static void met(const struct fitting *f, const struct found *w, uint32_t skip,
                struct state *s)
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

static uint32_t alive_of(const struct fitting *f, const struct state *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < f->good_words; i++)
        n += count(s->alive[i]);
    return n;
}

// Drops terms that are not needed, exchanges those that a weaker one can stand
// for, and drops literals that save no good sample (F2).
static void improve(const struct fitting *f, struct found *w)
{
    struct state s = {0};
    for (uint32_t k = 0; k < w->n;) {
        met(f, w, k, &s);
        if (left_of(f, s.left) != 0) {
            k++;
            continue;
        }
        w->term[k] = w->term[--w->n];
    }
    for (uint32_t k = 0; k < w->n; k++) {
        struct term t;
        met(f, w, k, &s);
        s.weight = INT64_C(1) << 20; // all that are left, then the fewest lost
        if (choose_term(f, &s, &t))
            w->term[k] = t;
    }
    for (uint32_t k = 0; k < w->n; k++)
        for (uint32_t i = 0; i < w->term[k].n && w->term[k].n > 1;) {
            met(f, w, NONE_SKIPPED, &s);
            uint32_t before = alive_of(f, &s);
            struct term old = w->term[k];
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
                        struct found *w)
{
    struct state s = {0};
    *w = (struct found){0};
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
static uint64_t price(const struct fitting *f, const struct found *w)
{
    return (uint64_t)w->lost * 1000 / (f->n_good + 1) +
           (uint64_t)w->literals * 6;
}

static bool better(const struct fitting *f, const struct found *a,
                   const struct found *b)
{
    uint64_t x = price(f, a), y = price(f, b);
    return x != y ? x < y : a->cost < b->cost;
}

static int compare_literals(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void write(const struct fitting *f, struct found *w, struct arena *mem,
                  struct fit_where *out)
{
    struct buf all = {0}, one = {0};
    bool *meets = ARENA_NEW(mem, bool, f->p->n_samples + 1);
    out->term = ARENA_NEW(mem, const char *, w->n + 1);
    out->n_terms = w->n;
    out->literals = w->literals;
    for (uint32_t k = 0; k < w->n; k++) {
        struct term *t = &w->term[k];
        qsort(t->literal, t->n, sizeof *t->literal, compare_literals);
        buf_clear(&one);
        for (uint32_t i = 0; i < t->n; i++) {
            buf_puts(&one, i ? " or " : "");
            print_literal(f->p, &f->literals.at[t->literal[i]], &one);
        }
        out->term[k] = arena_strdup(mem, buf_text(&one));
        buf_printf(&all, "%s%s", k ? ", " : "", buf_text(&one));
    }
    for (uint32_t i = 0; i < f->p->n_samples; i++) {
        meets[i] = true;
        for (uint32_t k = 0; k < w->n && meets[i]; k++) {
            bool some = false;
            for (uint32_t j = 0; j < w->term[k].n && !some; j++)
                some = holds(&f->literals.at[w->term[k].literal[j]],
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
    struct found best = {0}, one;
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
        add_literals(&f);
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
        one = (struct found){0};
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
