// SPDX-License-Identifier: Apache-2.0
// A set's distinct numbers are unknowns, in ascending order.  The search gives the first open one
// the least value that the order allows, then what the relations say of the others.  The present
// values are a solution, so the search ends with one if its steps suffice.
#include "tensor/resize/sizes.h"

#include <stdlib.h>

#define MOST_UNKNOWNS 64u

void sizes_release(struct sizes *numbers)
{
    vec_release(&numbers->at);
    vec_release(&numbers->terms);
    vec_release(&numbers->relations);
}

static uint32_t find(const struct sizes *numbers, uint32_t a)
{
    while (numbers->at.at[a].same != a)
        a = numbers->at.at[a].same;
    return a;
}

static uint32_t find_set(const struct sizes *numbers, uint32_t a)
{
    while (numbers->at.at[a].linked != a)
        a = numbers->at.at[a].linked;
    return a;
}

uint32_t number_new(struct sizes *numbers, int64_t value)
{
    uint32_t id = numbers->at.len;
    struct number number = {id, id, value, value, value <= NUMBER_KEPT};
    vec_push(&numbers->at, number);
    return id;
}

void number_link(struct sizes *numbers, uint32_t a, uint32_t b)
{
    a = find_set(numbers, a);
    b = find_set(numbers, b);
    numbers->at.at[a > b ? a : b].linked = a > b ? b : a;
}

void number_same(struct sizes *numbers, uint32_t a, uint32_t b)
{
    number_link(numbers, a, b);
    a = find(numbers, a);
    b = find(numbers, b);
    uint32_t root = a < b ? a : b;
    bool fixed = numbers->at.at[a].fixed || numbers->at.at[b].fixed;
    numbers->at.at[a > b ? a : b].same = root;
    numbers->at.at[root].fixed = fixed;
}

void number_fix(struct sizes *numbers, uint32_t a)
{
    numbers->at.at[find(numbers, a)].fixed = true;
}

static int64_t term_value(const struct sizes *numbers, const struct number_term *term)
{
    int64_t value = term->factor;
    for (uint32_t k = 0; k < term->n; k++)
        value *= numbers->at.at[term->of[k]].value;
    return value;
}

void number_relate(struct sizes *numbers, uint32_t n, const struct number_term *terms)
{
    struct number_relation relation = {numbers->terms.len, n, 0};
    uint32_t first = NO_NUMBER;
    for (uint32_t i = 0; i < n; i++) {
        vec_push(&numbers->terms, terms[i]);
        relation.sum += term_value(numbers, &terms[i]);
        for (uint32_t k = 0; k < terms[i].n; k++) {
            if (first != NO_NUMBER)
                number_link(numbers, first, terms[i].of[k]);
            first = terms[i].of[k];
        }
    }
    vec_push(&numbers->relations, relation);
}

int64_t number_now(const struct sizes *numbers, uint32_t a)
{
    return numbers->at.at[a].now;
}

// ---- one set

struct product {
    int64_t factor;
    uint32_t n;
    uint32_t of[NUMBER_FACTORS]; // unknowns
};
struct equation {
    uint32_t at, n;
    int64_t sum;
};
struct search {
    uint32_t n;
    int64_t before[MOST_UNKNOWNS], now[MOST_UNKNOWNS]; // ascending; now < 0: open
    bool fixed[MOST_UNKNOWNS];
    VEC(struct product) products;
    VEC(struct equation) equations;
    uint32_t steps;
};

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static uint32_t unknown_of(const struct search *search, int64_t value)
{
    uint32_t i = 0;
    while (search->before[i] != value)
        i++;
    return i;
}

// May the unknown be this value, by order and bounds?
static bool allowed(const struct search *search, uint32_t i, int64_t value)
{
    int64_t least = search->before[i] < NUMBER_LEAST ? search->before[i] : NUMBER_LEAST;
    if (value < least || (search->fixed[i] && value != search->before[i]))
        return false;
    for (uint32_t k = 0; k < search->n; k++)
        if (search->now[k] >= 0 && k != i && (k < i) != (search->now[k] < value))
            return false;
    return true;
}

// The product of the known factors; *open is the only unknown one, or search->n.  False: there
// are two.
static bool known_part(const struct search *search, const struct product *product, int64_t *part,
                       uint32_t *open)
{
    *part = product->factor;
    *open = search->n;
    for (uint32_t k = 0; k < product->n; k++) {
        int64_t value = search->now[product->of[k]];
        if (value < 0 && *open != search->n)
            return false;
        if (value < 0)
            *open = product->of[k];
        else if (__builtin_mul_overflow(*part, value, part))
            return false;
    }
    return true;
}

enum outcome { HOLDS, FAILS, SOLVED };

static enum outcome propagate_one(struct search *search, const struct equation *equation,
                                  uint32_t *solved)
{
    int64_t rest = equation->sum, coefficient = 0, part;
    uint32_t unknown = search->n, open;
    for (uint32_t i = 0; i < equation->n; i++) {
        if (!known_part(search, &search->products.at[equation->at + i], &part, &open))
            return HOLDS; // too little is known
        if (open == search->n)
            rest -= part;
        else if (unknown != search->n && unknown != open)
            return HOLDS;
        else {
            unknown = open;
            coefficient += part;
        }
    }
    if (unknown == search->n || coefficient == 0)
        return rest == 0 ? HOLDS : FAILS;
    if (rest % coefficient != 0 || !allowed(search, unknown, rest / coefficient))
        return FAILS;
    search->now[unknown] = rest / coefficient;
    *solved = unknown;
    return SOLVED;
}

// What follows from the values chosen; false: a contradiction.
static bool propagate(struct search *search)
{
    bool again = true;
    while (again) {
        again = false;
        for (uint32_t k = 0; k < search->equations.len; k++) {
            uint32_t solved;
            switch (propagate_one(search, &search->equations.at[k], &solved)) {
            case FAILS:
                return false;
            case SOLVED:
                again = true;
                break;
            case HOLDS:
                break;
            }
        }
    }
    return true;
}

// Depth is at most the number of unknowns.
static bool solve(struct search *search, uint32_t i)
{
    int64_t saved[MOST_UNKNOWNS];
    while (i < search->n && search->now[i] >= 0)
        i++;
    if (i == search->n)
        return true;
    int64_t least = search->before[i] < NUMBER_LEAST ? search->before[i] : NUMBER_LEAST;
    if (search->fixed[i])
        least = search->before[i];
    else if (i > 0 && search->now[i - 1] + 1 > least)
        least = search->now[i - 1] + 1;
    memcpy(saved, search->now, sizeof saved);
    for (int64_t value = least; value <= search->before[i]; value++) {
        if (search->steps == 0)
            return false;
        search->steps--;
        search->now[i] = value;
        if (allowed(search, i, value) && propagate(search) && solve(search, i + 1))
            return true;
        memcpy(search->now, saved, sizeof saved);
    }
    return false;
}

static void add_equation(struct search *search, uint32_t n, const struct product *products,
                         int64_t sum)
{
    struct equation equation = {search->products.len, n, sum};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&search->products, products[i]);
    vec_push(&search->equations, equation);
}

// N2 and N3.
static void add_equations(const struct sizes *numbers, uint32_t set, struct search *search)
{
    for (uint32_t r = 0; r < numbers->relations.len; r++) {
        const struct number_relation *relation = &numbers->relations.at[r];
        struct equation equation = {search->products.len, relation->n, relation->sum};
        bool ours = false;
        for (uint32_t i = 0; i < relation->n; i++)
            for (uint32_t k = 0; k < numbers->terms.at[relation->at + i].n; k++)
                ours = ours || find_set(numbers, numbers->terms.at[relation->at + i].of[k]) == set;
        for (uint32_t i = 0; ours && i < relation->n; i++) {
            const struct number_term *term = &numbers->terms.at[relation->at + i];
            struct product product = {term->factor, term->n, {0}};
            for (uint32_t k = 0; k < term->n; k++)
                product.of[k] = unknown_of(search, numbers->at.at[term->of[k]].value);
            vec_push(&search->products, product);
        }
        if (ours)
            vec_push(&search->equations, equation);
    }
    for (uint32_t a = 0; a < search->n; a++)
        for (uint32_t b = a; b < search->n; b++)
            for (uint32_t c = b + 1; c < search->n && search->before[a] > 0; c++) {
                struct product sum[3] = {{1, 1, {a}}, {1, 1, {b}}, {-1, 1, {c}}};
                if (search->before[a] + search->before[b] == search->before[c])
                    add_equation(search, 3, sum, 0);
            }
}

static void shrink_set(struct sizes *numbers, uint32_t set, uint32_t steps)
{
    struct search search = {.steps = steps};
    struct i64_vec values = {0};
    for (uint32_t a = set; a < numbers->at.len; a++)
        if (find_set(numbers, a) == set)
            vec_push(&values, numbers->at.at[a].value);
    qsort(values.at, values.len, sizeof *values.at, by_value);
    bool ok = true;
    for (uint32_t i = 0; ok && i < values.len; i++) {
        if (i > 0 && values.at[i] == values.at[i - 1])
            continue;
        ok = search.n < MOST_UNKNOWNS;
        if (ok)
            search.before[search.n++] = values.at[i];
    }
    vec_release(&values);
    for (uint32_t i = 0; ok && i < search.n; i++)
        search.now[i] = -1;
    for (uint32_t a = set; ok && a < numbers->at.len; a++)
        if (find_set(numbers, a) == set && numbers->at.at[find(numbers, a)].fixed) {
            uint32_t i = unknown_of(&search, numbers->at.at[a].value);
            search.fixed[i] = true;
            search.now[i] = search.before[i];
        }
    if (ok)
        add_equations(numbers, set, &search);
    ok = ok && propagate(&search) && solve(&search, 0);
    for (uint32_t a = set; ok && a < numbers->at.len; a++)
        if (find_set(numbers, a) == set)
            numbers->at.at[a].now = search.now[unknown_of(&search, numbers->at.at[a].value)];
    vec_release(&search.products);
    vec_release(&search.equations);
}

void sizes_shrink(struct sizes *numbers, uint32_t steps)
{
    for (uint32_t a = 0; a < numbers->at.len; a++)
        numbers->at.at[a].now = numbers->at.at[a].value;
    for (uint32_t a = 0; a < numbers->at.len; a++)
        if (find_set(numbers, a) == a)
            shrink_set(numbers, a, steps);
}
