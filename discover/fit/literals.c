// SPDX-License-Identifier: Apache-2.0
#include "discover/fit/literals.h"
#include "discover/limits.h"
#include "base/hash.h"
#include <string.h>

#define COST_MORE 1 // a second column
#define COST_SUM 2  // a sum, and each operator of a column

bool literal_holds(const struct fit_literal *literal, const int64_t *v)
{
    int64_t a = v[literal->a], b = v[literal->b], c = v[literal->c];
    switch (literal->atom) {
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

void literal_print(const struct fit_problem *problem, const struct fit_literal *literal,
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
    for (const char *text = form[literal->atom]; *text; text++) {
        uint32_t column = *text == 'a' ? literal->a : *text == 'b' ? literal->b : literal->c;
        if ((*text >= 'a' && *text <= 'c'))
            buf_puts(out, problem->known[column]);
        else if (*text == 'm' && strncmp(text, "mod", 3) == 0)
            buf_puts(out, "mod"), text += 2;
        else
            buf_putc(out, *text);
    }
}

// True where no literal forbids just this set of samples.
static bool new_set(struct fitting *fitting, const uint64_t *set, uint32_t words)
{
    uint32_t before = fitting->sets.entry.len;
    (void)intern_bytes(&fitting->sets, set, words * sizeof *set);
    return fitting->sets.entry.len > before;
}

// Of literals with equal sets only the first is kept, which is the simplest.
static void add_literal(struct fitting *fitting, struct fit_literal literal)
{
    uint64_t set[2 * FIT_WORDS] = {0};
    uint32_t words = fitting->good_words + fitting->bad_words, some = 0;
    for (uint32_t i = 0; i < fitting->n_good; i++)
        if (!literal_holds(&literal, fitting->problem->samples[fitting->good[i]].known))
            set[i / 64] |= UINT64_C(1) << i % 64;
    for (uint32_t i = 0; i < fitting->n_bad; i++)
        if (!literal_holds(&literal, fitting->problem->samples[fitting->bad[i]].known)) {
            set[fitting->good_words + i / 64] |= UINT64_C(1) << i % 64;
            some++;
        }
    if (some == 0 || !new_set(fitting, set, words))
        return;
    for (uint32_t i = 0; i < fitting->problem->n_samples && literal.atom == ATOM_DIVIDES; i++)
        literal.alone = literal.alone || fitting->problem->samples[i].known[literal.b] == 0;
    vec_push(&fitting->literals, literal);
    for (uint32_t i = 0; i < words; i++)
        vec_push(&fitting->forbids, set[i]);
}

// The cost of reading a column.  Sums, and sizes that are expressions, fit
// samples by accident more often, and say less.
static uint32_t column_cost(const char *name)
{
    uint32_t n = 0;
    for (; *name; name++)
        n += *name == '+' || *name == '*' || *name == ',' || (*name == '-' && name[1] == ' ');
    return COST_SUM * n;
}

static void price_literal(const struct fitting *fitting, struct fit_literal *literal)
{
    bool two = literal->atom >= ATOM_LE, three = literal->atom >= ATOM_SUM_LE;
    bool sum = literal->atom >= ATOM_SUM_LE0;
    literal->cost = COST + column_cost(fitting->problem->known[literal->a]);
    literal->cost += two ? COST_MORE + column_cost(fitting->problem->known[literal->b]) : 0;
    literal->cost += three ? COST_MORE + column_cost(fitting->problem->known[literal->c]) : 0;
    literal->cost += sum ? COST_SUM : 0;
    if (literal->cost > FIT_COST)
        literal->cost = FIT_COST;
}

// Adds the literals of one cost after another, cheapest first.
static void add_priced(struct fitting *fitting, uint32_t cost, struct fit_literal literal)
{
    price_literal(fitting, &literal);
    if (literal.cost == cost)
        add_literal(fitting, literal);
}

static void add_of_cost(struct fitting *fitting, uint32_t cost)
{
    uint32_t n = fitting->problem->n_known;
    for (uint32_t a = 0; a < n; a++)
        for (int k = ATOM_EQ0; k <= ATOM_EVEN; k++)
            add_priced(fitting, cost, (struct fit_literal){(enum atom)k, a, a, a, 0, false});
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++)
            for (int k = ATOM_LE; a != b && k <= ATOM_SUM_GT0; k++)
                if (a < b || k < ATOM_EQ || k == ATOM_DIVIDES)
                    add_priced(fitting, cost,
                               (struct fit_literal){(enum atom)k, a, b, a, 0, false});
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a; b < n; b++)
            for (uint32_t c = 0; c < n; c++)
                for (int k = ATOM_SUM_LE; c != a && c != b && k <= ATOM_SUM_GT; k++)
                    add_priced(fitting, cost,
                               (struct fit_literal){(enum atom)k, a, b, c, 0, false});
}

void literals_add(struct fitting *fitting)
{
    for (uint32_t cost = COST; cost <= FIT_COST; cost++)
        add_of_cost(fitting, cost);
}
