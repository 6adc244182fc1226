// SPDX-License-Identifier: Apache-2.0
#include "integer/simplex.h"
#include "integer/limits.h"

__extension__ typedef __int128 wide;

// A rational in lowest terms, d > 0.
struct ratio {
    int64_t n, d;
};

// The table of rows and columns.  basic[r] is the variable of row r, others[c] that of column c.
// Variables below n_columns are the unknowns x, without bounds.  Variable n_columns + i is the
// left side of row i without its constant; its least value is -constant[i].
struct tableau {
    const struct simplex *of;
    uint32_t rows, columns;
    struct ratio *at;    // rows * columns
    struct ratio *value; // of all variables
    uint32_t *basic, *others;
    bool failed; // a number was too large
};

static wide gcd(wide a, wide b)
{
    a = a < 0 ? -a : a, b = b < 0 ? -b : b;
    while (b) {
        wide r = a % b;
        a = b, b = r;
    }
    return a;
}

static struct ratio lowest(struct tableau *t, wide n, wide d)
{
    if (n == 0)
        return (struct ratio){0, 1};
    wide g = gcd(n, d);
    n /= g, d /= g;
    if (d < 0)
        n = -n, d = -d;
    const wide most = INT64_MAX / 4;
    if (n > most || n < -most || d > most) {
        t->failed = true;
        return (struct ratio){0, 1};
    }
    return (struct ratio){(int64_t)n, (int64_t)d};
}

static struct ratio times(struct tableau *t, struct ratio a, struct ratio b)
{
    return lowest(t, (wide)a.n * b.n, (wide)a.d * b.d);
}

static struct ratio over(struct tableau *t, struct ratio a, struct ratio b)
{
    return lowest(t, (wide)a.n * b.d, (wide)a.d * b.n);
}

// a + b*c
static struct ratio plus_product(struct tableau *t, struct ratio a, struct ratio b, struct ratio c)
{
    if (b.n == 0 || c.n == 0)
        return a;
    struct ratio p = times(t, b, c);
    return lowest(t, (wide)a.n * p.d + (wide)p.n * a.d, (wide)a.d * p.d);
}

static int sign_of(struct ratio a)
{
    return (a.n > 0) - (a.n < 0);
}

// Is a < b?
static bool less(struct ratio a, struct ratio b)
{
    return (wide)a.n * b.d < (wide)b.n * a.d;
}

static struct ratio *cell(struct tableau *t, uint32_t row, uint32_t column)
{
    return &t->at[(size_t)row * t->columns + column];
}

static struct ratio least(const struct tableau *t, uint32_t variable)
{
    return (struct ratio){-t->of->constant.at[variable - t->columns], 1};
}

static void tableau_open(struct tableau *t, const struct simplex *of)
{
    *t = (struct tableau){.of = of, .rows = of->n_rows, .columns = of->n_columns};
    size_t cells = (size_t)t->rows * t->columns;
    t->at = mem_alloc((cells + 1) * sizeof *t->at);
    t->value = mem_alloc((t->rows + t->columns + 1) * sizeof *t->value);
    t->basic = mem_alloc((t->rows + 1) * sizeof *t->basic);
    t->others = mem_alloc((t->columns + 1) * sizeof *t->others);
    for (size_t i = 0; i < cells; i++)
        t->at[i] = (struct ratio){of->coefficient.at[i], 1};
    for (uint32_t i = 0; i < t->rows + t->columns; i++)
        t->value[i] = (struct ratio){0, 1};
    for (uint32_t i = 0; i < t->rows; i++)
        t->basic[i] = t->columns + i;
    for (uint32_t i = 0; i < t->columns; i++)
        t->others[i] = i;
}

static void tableau_close(struct tableau *t)
{
    mem_free(t->at);
    mem_free(t->value);
    mem_free(t->basic);
    mem_free(t->others);
}

// The row of the basic variable with the smallest number that is below its bound.
static uint32_t violated(const struct tableau *t)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t r = 0; r < t->rows; r++) {
        uint32_t variable = t->basic[r];
        if (variable >= t->columns && less(t->value[variable], least(t, variable)) &&
            (best == UINT32_MAX || variable < t->basic[best]))
            best = r;
    }
    return best;
}

// The column of the variable with the smallest number that can raise the row.
static uint32_t raising(struct tableau *t, uint32_t row)
{
    uint32_t best = UINT32_MAX;
    for (uint32_t c = 0; c < t->columns; c++) {
        uint32_t variable = t->others[c];
        int sign = sign_of(*cell(t, row, c));
        bool can =
            sign > 0 ||
            (sign < 0 && (variable < t->columns || less(least(t, variable), t->value[variable])));
        if (sign && can && (best == UINT32_MAX || variable < t->others[best]))
            best = c;
    }
    return best;
}

// Row: basic = sum of cells * others.  Solves it for the variable of the column.
static void solve_row(struct tableau *t, uint32_t row, uint32_t column)
{
    struct ratio pivot = *cell(t, row, column);
    struct ratio negative = {-pivot.n, pivot.d};
    for (uint32_t c = 0; c < t->columns; c++)
        if (c != column && cell(t, row, c)->n)
            *cell(t, row, c) = over(t, *cell(t, row, c), negative);
    *cell(t, row, column) = over(t, (struct ratio){1, 1}, pivot);
}

static void pivot(struct tableau *t, uint32_t row, uint32_t column)
{
    solve_row(t, row, column);
    for (uint32_t r = 0; r < t->rows && !t->failed; r++) {
        struct ratio factor = *cell(t, r, column);
        if (r == row || factor.n == 0)
            continue;
        for (uint32_t c = 0; c < t->columns; c++) {
            struct ratio old = c == column ? (struct ratio){0, 1} : *cell(t, r, c);
            *cell(t, r, c) = plus_product(t, old, factor, *cell(t, row, c));
        }
    }
    uint32_t swap = t->basic[row];
    t->basic[row] = t->others[column], t->others[column] = swap;
}

// Brings the variable of the row to its bound by moving that of the column.
static void update(struct tableau *t, uint32_t row, uint32_t column)
{
    uint32_t leaving = t->basic[row], entering = t->others[column];
    struct ratio bound = least(t, leaving), now = t->value[leaving];
    struct ratio step =
        over(t, plus_product(t, bound, (struct ratio){-1, 1}, now), *cell(t, row, column));
    t->value[leaving] = bound;
    t->value[entering] = plus_product(t, t->value[entering], step, (struct ratio){1, 1});
    for (uint32_t r = 0; r < t->rows; r++)
        if (r != row)
            t->value[t->basic[r]] =
                plus_product(t, t->value[t->basic[r]], *cell(t, r, column), step);
    pivot(t, row, column);
}

// The row cannot rise: the multipliers are 1 for it and minus the cells for the others.
static bool explain(struct tableau *t, uint32_t row, struct i64_vec *multiplier)
{
    wide common = 1;
    for (uint32_t c = 0; c < t->columns; c++) {
        struct ratio x = *cell(t, row, c);
        common = common / gcd(common, x.d) * x.d;
        if (common > INT64_MAX / 4)
            return false;
    }
    vec_zero(multiplier, t->rows);
    multiplier->at[t->basic[row] - t->columns] = (int64_t)common;
    for (uint32_t c = 0; c < t->columns; c++) {
        struct ratio x = *cell(t, row, c);
        wide whole = -(wide)x.n * (common / x.d);
        if (x.n == 0)
            continue;
        if (whole < 0 || whole > INT64_MAX / 4 || t->others[c] < t->columns)
            return false;
        multiplier->at[t->others[c] - t->columns] = (int64_t)whole;
    }
    return true;
}

bool simplex_refute(const struct simplex *simplex, struct i64_vec *multiplier)
{
    struct tableau t;
    tableau_open(&t, simplex);
    bool refuted = false;
    for (int i = 0; i < INTEGER_PIVOTS && !t.failed; i++) {
        uint32_t row = violated(&t);
        if (row == UINT32_MAX)
            break;
        uint32_t column = raising(&t, row);
        if (column == UINT32_MAX) {
            refuted = explain(&t, row, multiplier);
            break;
        }
        update(&t, row, column);
    }
    tableau_close(&t);
    return refuted;
}
