// SPDX-License-Identifier: Apache-2.0
#include "integer/bounds.h"
#include "integer/simplex.h"

struct row {
    ipoly poly;           // at least 0
    uint32_t left, right; // origins
};

// One question.
struct question {
    struct integers *in;
    struct ifacts *facts;
    VEC(struct row) rows;
    uint32_t plain;       // rows that are no products
    struct u32_vec monos; // columns: monomials but 1
    uint32_t depth;       // splits above
};

void ifacts_release(struct ifacts *facts)
{
    vec_release(&facts->at);
}

void ifacts_push(struct ifacts *facts, ipoly at_least_0, uint32_t origin)
{
    vec_push(&facts->at, ((struct ifact){at_least_0, origin}));
}

void ifacts_push_zero(struct integers *in, struct ifacts *facts, ipoly zero, uint32_t origin)
{
    ifacts_push(facts, zero, origin);
    ifacts_push(facts, int_scale(in, zero, -1), origin);
}

static bool listed(const struct u32_vec *set, uint32_t x)
{
    for (uint32_t i = 0; i < set->len; i++)
        if (set->at[i] == x)
            return true;
    return false;
}

static void row_push(struct question *q, ipoly poly, uint32_t left, uint32_t right)
{
    int64_t value;
    if (int_is_constant(q->in, poly, &value) && value >= 0)
        return;
    for (uint32_t i = 0; i < q->rows.len; i++)
        if (q->rows.at[i].poly == poly)
            return;
    if (q->rows.len < INTEGER_ROWS)
        vec_push(&q->rows, ((struct row){poly, left, right}));
}

// ---- rows about atoms ----

static void columns(struct question *q)
{
    vec_clear(&q->monos);
    for (uint32_t i = 0; i < q->rows.len; i++)
        for (uint32_t k = 0; k < int_length(q->in, q->rows.at[i].poly); k++) {
            imono mono = (imono)int_term(q->in, q->rows.at[i].poly, k).mono;
            if (mono && !listed(&q->monos, mono))
                vec_push(&q->monos, mono);
        }
}

// A proof inside this one.
static bool proved_inside(struct question *q, ipoly goal)
{
    int64_t value;
    if (int_is_constant(q->in, goal, &value))
        return value >= 0;
    struct u32_vec *proving = &q->in->proving;
    if (listed(proving, goal) || proving->len >= INTEGER_DEPTH)
        return false;
    vec_push(proving, goal);
    bool yes = int_prove(q->in, q->facts, goal);
    proving->len--;
    return yes;
}

// 0 <= a - b*q < b
static void division_rows(struct question *q, struct iatom_node node)
{
    struct integers *in = q->in;
    if (!proved_inside(q, int_shift(in, node.b, -1)))
        return;
    ipoly quotient = int_of_atom(in, INT_QUOTIENT, node.a, node.b);
    ipoly remainder = int_subtract(in, node.a, int_multiply(in, node.b, quotient));
    row_push(q, remainder, NO_ORIGIN, NO_ORIGIN);
    row_push(q, int_shift(in, node.b, -1), NO_ORIGIN, NO_ORIGIN);
    row_push(q, int_shift(in, int_subtract(in, node.b, remainder), -1), NO_ORIGIN, NO_ORIGIN);
    if (proved_inside(q, node.a))
        row_push(q, quotient, NO_ORIGIN, NO_ORIGIN);
}

static void atom_rows(struct question *q, iatom atom)
{
    struct integers *in = q->in;
    struct iatom_node node = int_atom(in, atom);
    ipoly self = int_atom_poly(in, atom);
    if (node.kind == INT_QUOTIENT)
        division_rows(q, node);
    int sign = node.kind == INT_MAXIMUM ? 1 : -1;
    if (node.kind == INT_MINIMUM || node.kind == INT_MAXIMUM) {
        ipoly above_a = int_scale(in, int_subtract(in, self, node.a), sign);
        ipoly above_b = int_scale(in, int_subtract(in, self, node.b), sign);
        row_push(q, above_a, NO_ORIGIN, NO_ORIGIN);
        row_push(q, above_b, NO_ORIGIN, NO_ORIGIN);
        if (proved_inside(q, int_shift(in, self, -1)))
            row_push(q, int_shift(in, self, -1), NO_ORIGIN, NO_ORIGIN);
    }
}

// Two quotients by the same constant: which is less.  Rounding makes this more than linear
// arithmetic sees: from 32*q < n and n <= 32*p follows q <= p - 1.
static void order_rows(struct question *q, const struct u32_vec *atoms)
{
    struct integers *in = q->in;
    int64_t value;
    for (uint32_t i = 0; i < atoms->len; i++)
        for (uint32_t j = 0; j < atoms->len; j++) {
            struct iatom_node x = int_atom(in, atoms->at[i]), y = int_atom(in, atoms->at[j]);
            if (i == j || x.kind != INT_QUOTIENT || y.kind != INT_QUOTIENT || x.b != y.b ||
                !int_is_constant(in, x.b, &value))
                continue;
            ipoly above =
                int_subtract(in, int_atom_poly(in, atoms->at[j]), int_atom_poly(in, atoms->at[i]));
            if (proved_inside(q, int_shift(in, above, -1)))
                row_push(q, int_shift(in, above, -1), NO_ORIGIN, NO_ORIGIN);
        }
}

// The signs of the factors of products.
static void sign_rows(struct question *q)
{
    columns(q);
    struct u32_vec factors = {0};
    for (uint32_t i = 0; i < q->monos.len; i++)
        for (uint32_t k = 0;
             int_degree(q->in, q->monos.at[i]) > 1 && k < int_degree(q->in, q->monos.at[i]); k++) {
            iatom atom = int_factor(q->in, q->monos.at[i], k);
            if (!listed(&factors, atom))
                vec_push(&factors, atom);
        }
    for (uint32_t i = 0; i < factors.len; i++) {
        ipoly self = int_atom_poly(q->in, factors.at[i]);
        ipoly below = int_shift(q->in, self, -1);
        if (proved_inside(q, below))
            row_push(q, below, NO_ORIGIN, NO_ORIGIN);
        else if (proved_inside(q, self))
            row_push(q, self, NO_ORIGIN, NO_ORIGIN);
    }
    vec_release(&factors);
}

static void all_atom_rows(struct question *q)
{
    struct u32_vec atoms = {0};
    for (uint32_t i = 0; i < q->rows.len; i++)
        int_atoms(q->in, q->rows.at[i].poly, &atoms);
    for (uint32_t i = 0; i < atoms.len; i++)
        atom_rows(q, atoms.at[i]);
    order_rows(q, &atoms);
    sign_rows(q);
    vec_release(&atoms);
}

// ---- products ----

static bool linear(const struct integers *in, ipoly a)
{
    for (uint32_t i = 0; i < int_length(in, a); i++)
        if (int_degree(in, (imono)int_term(in, a, i).mono) > 1)
            return false;
    return true;
}

// The number of monomials of a product that no row has.
static uint32_t new_monos(const struct question *q, ipoly product)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < int_length(q->in, product); i++) {
        imono mono = (imono)int_term(q->in, product, i).mono;
        n += mono && !listed(&q->monos, mono);
    }
    return n;
}

// Does the product have a monomial of two factors that some row has?
static bool meets(const struct question *q, ipoly product)
{
    for (uint32_t i = 0; i < int_length(q->in, product); i++) {
        imono mono = (imono)int_term(q->in, product, i).mono;
        if (int_degree(q->in, mono) > 1 && listed(&q->monos, mono))
            return true;
    }
    return false;
}

static void products(struct question *q, uint32_t slack)
{
    uint32_t n = q->plain;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i; j < n; j++) {
            struct row a = q->rows.at[i], b = q->rows.at[j];
            if (!linear(q->in, a.poly) && !linear(q->in, b.poly))
                continue;
            ipoly product = int_multiply(q->in, a.poly, b.poly);
            if (meets(q, product) && new_monos(q, product) <= slack)
                row_push(q, product, a.left, b.left);
        }
}

// ---- the answer ----

// The sum of the rows, times the multipliers, must be a negative constant.
static bool adds_up(const struct question *q, const struct i64_vec *multiplier)
{
    ipoly sum = 0;
    int64_t value;
    for (uint32_t i = 0; i < q->rows.len; i++) {
        if (multiplier->at[i] < 0)
            return false;
        if (multiplier->at[i])
            sum = int_add(q->in, sum, int_scale(q->in, q->rows.at[i].poly, multiplier->at[i]));
    }
    return int_is_constant(q->in, sum, &value) && value < 0;
}

static void mark_used(struct question *q, uint32_t origin)
{
    if (origin != NO_ORIGIN && !listed(&q->in->used, origin))
        vec_push(&q->in->used, origin);
}

static bool refuted(struct question *q)
{
    columns(q);
    if (q->monos.len > INTEGER_COLUMNS)
        return false;
    struct simplex simplex = {.n_rows = q->rows.len, .n_columns = q->monos.len};
    vec_zero(&simplex.coefficient, simplex.n_rows * simplex.n_columns);
    vec_zero(&simplex.constant, simplex.n_rows);
    for (uint32_t i = 0; i < q->rows.len; i++)
        for (uint32_t k = 0; k < int_length(q->in, q->rows.at[i].poly); k++) {
            struct iterm term = int_term(q->in, q->rows.at[i].poly, k);
            if (term.mono == 0)
                simplex.constant.at[i] = term.coefficient;
            for (uint32_t c = 0; c < q->monos.len && term.mono; c++)
                if (q->monos.at[c] == term.mono)
                    simplex.coefficient.at[i * simplex.n_columns + c] = term.coefficient;
        }
    struct i64_vec multiplier = {0};
    bool yes = simplex_refute(&simplex, &multiplier) && adds_up(q, &multiplier);
    for (uint32_t i = 0; yes && i < q->rows.len; i++)
        if (multiplier.at[i]) {
            mark_used(q, q->rows.at[i].left);
            mark_used(q, q->rows.at[i].right);
        }
    vec_release(&multiplier);
    vec_release(&simplex.coefficient);
    vec_release(&simplex.constant);
    q->in->asked++;
    return yes;
}

// Products may bring `most_slack` monomials that no other row has.
static bool by_rows(struct question *q, uint32_t most_slack)
{
    all_atom_rows(q);
    q->plain = q->rows.len;
    if (refuted(q))
        return true;
    for (uint32_t slack = 0; slack <= most_slack; slack++) {
        uint32_t before = q->rows.len;
        columns(q);
        products(q, slack);
        if (q->rows.len > before && refuted(q))
            return true;
        if (q->in->proving.len && slack == 1)
            break; // signs of divisors need no more
    }
    return false;
}

static bool prove_split(struct integers *in, struct ifacts *facts, ipoly goal, uint32_t depth);

// The two cases of the minimum or maximum: the chosen side stands in its place.
static bool by_cases(struct integers *in, const struct ifacts *facts, ipoly goal, iatom atom,
                     uint32_t depth)
{
    struct iatom_node node = int_atom(in, atom);
    int sign = node.kind == INT_MAXIMUM ? 1 : -1;
    bool yes = true;
    for (int side = 0; side < 2 && yes; side++) {
        ipoly chosen = side ? node.b : node.a, other = side ? node.a : node.b;
        struct int_substitution by = {1, &atom, &chosen};
        struct ifacts inside = {0};
        for (uint32_t i = 0; i < facts->at.len; i++)
            ifacts_push(&inside, int_substitute(in, facts->at.at[i].poly, &by),
                        facts->at.at[i].origin);
        ifacts_push(&inside, int_scale(in, int_subtract(in, chosen, other), sign), NO_ORIGIN);
        yes = prove_split(in, &inside, int_substitute(in, goal, &by), depth + 1);
        ifacts_release(&inside);
    }
    return yes;
}

static bool split_atom(struct integers *in, const struct ifacts *facts, ipoly goal, iatom *out)
{
    struct u32_vec atoms = {0};
    int_atoms(in, goal, &atoms);
    for (uint32_t i = 0; i < facts->at.len; i++)
        int_atoms(in, facts->at.at[i].poly, &atoms);
    bool found = false;
    for (uint32_t i = 0; i < atoms.len && !found; i++) {
        uint32_t kind = int_atom(in, atoms.at[i]).kind;
        found = kind == INT_MINIMUM || kind == INT_MAXIMUM;
        *out = atoms.at[i];
    }
    vec_release(&atoms);
    return found;
}

static bool prove_split(struct integers *in, struct ifacts *facts, ipoly goal, uint32_t depth)
{
    struct question q = {.in = in, .facts = facts, .depth = depth};
    for (uint32_t i = 0; i < facts->at.len; i++)
        row_push(&q, int_without_remainders(in, facts->at.at[i].poly), facts->at.at[i].origin,
                 NO_ORIGIN);
    row_push(&q, int_shift(in, int_scale(in, goal, -1), -1), NO_ORIGIN, NO_ORIGIN);
    iatom atom;
    bool splits = depth < INTEGER_SPLITS && split_atom(in, facts, goal, &atom);
    bool yes = by_rows(&q, splits ? 0 : 2);
    vec_release(&q.rows);
    vec_release(&q.monos);
    if (!yes && splits)
        yes = by_cases(in, facts, goal, atom, depth);
    return yes;
}

// ---- asking ----

// The question as a key: facts and goal.
static uint32_t key_of(struct integers *in, const struct ifacts *facts, ipoly goal)
{
    struct u32_vec key = {0};
    vec_push(&key, goal);
    vec_push(&key, in->proving.len);
    for (uint32_t i = 0; i < facts->at.len; i++)
        vec_push(&key, facts->at.at[i].poly);
    uint32_t id = intern_bytes(&in->keys, key.at, key.len * sizeof *key.at);
    vec_release(&key);
    return id;
}

static bool meets_symbols(struct integers *in, ipoly a, const struct u32_vec *set)
{
    const struct u32_vec *own = int_symbols(in, a);
    for (uint32_t i = 0; i < own->len; i++)
        if (listed(set, own->at[i]))
            return true;
    return false;
}

// The facts that symbols join with the goal, directly or through other facts.  Of a constant goal,
// all.
static void relevant(struct integers *in, const struct ifacts *facts, ipoly goal,
                     struct ifacts *out)
{
    struct u32_vec reached = {0}, taken = {0};
    const struct u32_vec *own = int_symbols(in, goal);
    for (uint32_t i = 0; i < own->len; i++)
        vec_push(&reached, own->at[i]);
    vec_zero(&taken, facts->at.len);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < facts->at.len; i++) {
            ipoly fact = facts->at.at[i].poly;
            if (taken.at[i] || (reached.len && !meets_symbols(in, fact, &reached)))
                continue;
            taken.at[i] = 1;
            own = int_symbols(in, fact);
            for (uint32_t k = 0; reached.len && k < own->len; k++)
                if (!listed(&reached, own->at[k])) {
                    vec_push(&reached, own->at[k]);
                    more = true;
                }
        }
    }
    for (uint32_t i = 0; i < facts->at.len; i++)
        if (taken.at[i])
            ifacts_push(out, facts->at.at[i].poly, facts->at.at[i].origin);
    vec_release(&reached);
    vec_release(&taken);
}

enum { NEW_KEY = 0, ANSWER_NO, ANSWER_YES };

// Is the goal a sum of products of atoms that are not negative, one of three factors or more?  Rows
// are products of two facts, so such a product is none of them.
static bool is_sum_of_products(struct integers *in, struct ifacts *facts, ipoly goal)
{
    bool high = false, yes = true;
    for (uint32_t i = 0; i < int_length(in, goal) && yes; i++) {
        struct iterm term = int_term(in, goal, i);
        high = high || int_degree(in, (imono)term.mono) > 2;
        yes = term.coefficient > 0;
    }
    for (uint32_t i = 0; i < int_length(in, goal) && high && yes; i++) {
        imono mono = (imono)int_term(in, goal, i).mono;
        for (uint32_t k = 0; k < int_degree(in, mono) && yes; k++)
            yes = int_prove(in, facts, int_atom_poly(in, int_factor(in, mono, k)));
    }
    return high && yes;
}

bool int_prove(struct integers *in, struct ifacts *facts, ipoly goal)
{
    int64_t value;
    goal = int_without_remainders(in, goal);
    if (int_is_constant(in, goal, &value) && value >= 0)
        return true;
    bool constant = int_is_constant(in, goal, &value), refuted_by_fact = false;
    for (uint32_t i = 0; i < facts->at.len; i++) {
        ipoly rest = int_subtract(in, goal, facts->at.at[i].poly);
        if (int_is_constant(in, rest, &value) && value >= 0) {
            struct question q = {.in = in};
            mark_used(&q, facts->at.at[i].origin);
            return true;
        }
        rest = int_add(in, goal, facts->at.at[i].poly);
        refuted_by_fact = refuted_by_fact || (int_is_constant(in, rest, &value) && value < 0);
    }
    // A fact says that the goal is negative: it follows only if the facts contradict each other,
    // which callers ask by itself.
    if (refuted_by_fact && !constant)
        return false;
    if (is_sum_of_products(in, facts, goal))
        return true;
    struct ifacts near = {0};
    relevant(in, facts, goal, &near);
    uint32_t key = key_of(in, &near, goal);
    if (key == in->answers.len) {
        vec_push(&in->answers, NEW_KEY);
        bool yes = prove_split(in, &near, goal, 0) || int_prove_by_bounds(in, &near, goal);
        in->answers.at[key] = yes ? ANSWER_YES : ANSWER_NO;
    }
    ifacts_release(&near);
    return in->answers.at[key] == ANSWER_YES;
}

bool int_prove_zero(struct integers *in, struct ifacts *facts, ipoly goal)
{
    return goal == 0 ||
           (int_prove(in, facts, goal) && int_prove(in, facts, int_scale(in, goal, -1)));
}

bool int_prove_less(struct integers *in, struct ifacts *facts, ipoly a, ipoly b)
{
    return int_prove(in, facts, int_shift(in, int_subtract(in, b, a), -1));
}

bool int_prove_less_equal(struct integers *in, struct ifacts *facts, ipoly a, ipoly b)
{
    return int_prove(in, facts, int_subtract(in, b, a));
}

bool int_contradictory(struct integers *in, struct ifacts *facts)
{
    return int_prove(in, facts, int_constant(in, -1));
}
