// SPDX-License-Identifier: Apache-2.0
// Two kernels: their formulas, and runs at the same sizes.
#include "api/kernel/expect.h"
#include "loops/validate/comparison.h"
#include <inttypes.h>
#include <math.h>

enum {
    COMPARE_TRIES = 60,      // choices of sizes
    COMPARE_AGAIN = 3,       // runs of what is proved
    COMPARE_CELLS = 1 << 25, // of one run
    COMPARE_WORK = 1 << 26,  // cells of all runs, behind which no further one starts
};
static const double tolerance = 1e-9;

struct pair {
    struct kernel_job a, b;
    struct execution run_a, run_b;
    VEC(uint32_t) other; // of each argument of a: that of b
    VEC(uint8_t) fixed;  // of each parameter of b: it has a partner
    struct buf *lines;
    uint64_t elements;
    uint32_t runs;
};

// ---- arguments

static bool is_argument(const struct code_program *program, uint32_t which)
{
    uint8_t role = program->parameter.at[which].role;
    return role == ROLE_ARGUMENT || role == ROLE_SHAPE;
}

static uint32_t next_argument(const struct code_program *program, uint32_t which)
{
    while (which < program->parameter.len && !is_argument(program, which))
        which++;
    return which;
}

// The arguments of the second kernel get the names of the first one's, as far as they are free.
static void rename_arguments(struct pair *pair)
{
    for (uint32_t i = 0; i < pair->other.len; i++)
        if (pair->other.at[i] != NO_CODE)
            (void)code_rename_parameter(&pair->b.program, pair->other.at[i],
                                        code_parameter_name(&pair->a.program, i));
}

static bool names_same(const struct pair *pair)
{
    for (uint32_t i = 0; i < pair->other.len; i++)
        if (pair->other.at[i] != NO_CODE &&
            strcmp(code_parameter_name(&pair->a.program, i),
                   code_parameter_name(&pair->b.program, pair->other.at[i])) != 0)
            return false;
    return true;
}

static uint32_t next_size(const struct code_program *program, uint32_t which)
{
    while (which < program->parameter.len && program->parameter.at[which].role != ROLE_LAUNCH)
        which++;
    return which;
}

// Sizes that only the launches name are paired by their order too, if both have as many.
static void pair_launch(struct pair *pair)
{
    const struct code_program *a = &pair->a.program, *b = &pair->b.program;
    uint32_t of_a = 0, of_b = 0;
    for (uint32_t i = next_size(a, 0); i < a->parameter.len; i = next_size(a, i + 1))
        of_a++;
    for (uint32_t i = next_size(b, 0); i < b->parameter.len; i = next_size(b, i + 1))
        of_b++;
    uint32_t k = next_size(b, 0);
    for (uint32_t i = next_size(a, 0); of_a == of_b && i < a->parameter.len;
         i = next_size(a, i + 1)) {
        pair->other.at[i] = k;
        k = next_size(b, k + 1);
    }
}

// Pairs arguments by their order; arrays and scalars must agree.
static bool pair_arguments(struct pair *pair, struct err *err)
{
    const struct code_program *a = &pair->a.program, *b = &pair->b.program;
    uint32_t i = next_argument(a, 0), k = next_argument(b, 0);
    for (uint32_t p = 0; p < a->parameter.len; p++)
        vec_push(&pair->other, NO_CODE);
    while (i < a->parameter.len && k < b->parameter.len) {
        const struct code_parameter *x = &a->parameter.at[i], *y = &b->parameter.at[k];
        if (x->array != y->array || x->type.kind != y->type.kind)
            return err_set(err, ERR_INPUT, "the arguments %s and %s differ in type",
                           code_name(a, x->name), code_name(b, y->name));
        pair->other.at[i] = k;
        i = next_argument(a, i + 1);
        k = next_argument(b, k + 1);
    }
    if (i < a->parameter.len || k < b->parameter.len)
        return err_set(err, ERR_INPUT, "the kernels have different numbers of arguments");
    pair_launch(pair);
    rename_arguments(pair);
    vec_zero(&pair->fixed, b->parameter.len + 1);
    for (uint32_t p = 0; p < pair->other.len; p++)
        if (pair->other.at[p] != NO_CODE)
            pair->fixed.at[pair->other.at[p]] = 1;
    return true;
}

// ---- formulas

// The output of b in the array that is paired with that of a's output, if there is just one.
static const struct kernel_answer *partner(const struct pair *pair,
                                           const struct kernel_answer *answer)
{
    const struct kernel_answer *found = NULL;
    uint32_t array = pair->a.lifting.outputs.at[answer->lifted].output.statement->array;
    for (uint32_t i = 0; i < pair->b.answer.len; i++) {
        const struct kernel_answer *other = &pair->b.answer.at[i];
        const struct output *output = &pair->b.lifting.outputs.at[other->lifted].output;
        if (output->statement->array != pair->other.at[array])
            continue;
        if (found != NULL)
            return NULL;
        found = other;
    }
    return found;
}

static bool same_text(struct pair *pair, const struct kernel_answer *a,
                      const struct kernel_answer *b)
{
    struct buf x = {0}, y = {0};
    kernel_put_meaning(&pair->a, a, &x);
    kernel_put_meaning(&pair->b, b, &y);
    bool same = strcmp(buf_text(&x), buf_text(&y)) == 0;
    buf_release(&x);
    buf_release(&y);
    return same;
}

// Is what the first kernel is proved to compute proved of the second one (proof/kernel)?
static bool second_meets_first(struct pair *pair)
{
    struct buf text = {0};
    struct kernel_expected expected;
    struct err err = {0};
    for (uint32_t i = 0; i < pair->a.answer.len; i++)
        kernel_put_expectation(&pair->a, &pair->a.answer.at[i], &text);
    bool met = kernel_check_expected(&pair->b.program, buf_text(&pair->b.claim_text),
                                     buf_text(&text), NULL, &expected, &err) &&
               expected.expectation.at.len == pair->b.answer.len;
    if (met)
        kernel_expected_values(&pair->b, &expected);
    met = met && kernel_expected_proved(&expected);
    kernel_expected_release(&expected);
    buf_release(&text);
    return met;
}

// What the proof of a kernel needs: the kernels are the same where the needs of both are met.
static void put_needs(struct pair *pair, const char *which, const struct kernel_job *job)
{
    struct buf needs = {0};
    kernel_put_needs(job, &needs);
    if (needs.len > 0)
        buf_printf(pair->lines, "the %s kernel\n%s", which, buf_text(&needs));
    buf_release(&needs);
}

// Are all outputs of both proved, with equal formulas at equal places?
static bool formulas_same(struct pair *pair)
{
    bool named = names_same(pair), same = true;
    bool all = named && pair->a.answer.len > 0 && pair->a.answer.len == pair->b.answer.len;
    for (uint32_t i = 0; i < pair->a.answer.len; i++) {
        const struct kernel_answer *a = &pair->a.answer.at[i], *b = partner(pair, a);
        bool proved = b != NULL && a->word == KERNEL_PROVED && b->word == KERNEL_PROVED;
        all = all && proved;
        same = same && named && proved && same_text(pair, a, b);
        if (!proved)
            buf_printf(pair->lines, "%s: not proved in both\n", kernel_output_name(&pair->a, a));
    }
    same = all && (same || second_meets_first(pair));
    for (uint32_t i = 0; all && i < pair->a.answer.len; i++)
        buf_printf(pair->lines, "%s: %s\n", kernel_output_name(&pair->a, &pair->a.answer.at[i]),
                   same ? "both are proved to compute the same formula"
                        : "both are proved, with formulas that are written differently");
    if (same) {
        put_needs(pair, "first", &pair->a);
        put_needs(pair, "second", &pair->b);
    }
    return same;
}

// ---- runs

// Sizes that both kernels accept.
static bool choose_sizes(struct pair *pair, struct rng *rng, const struct sample_limits *limits)
{
    struct execution *a = &pair->run_a, *b = &pair->run_b;
    for (uint32_t try = 0; try < COMPARE_TRIES; try++) {
        if (!sample_scalars(a, rng, limits))
            return false;
        for (uint32_t i = 0; i < pair->other.len; i++)
            if (pair->other.at[i] != NO_CODE)
                b->scalar.at[pair->other.at[i]] = a->scalar.at[i];
        if (sample_others(b, rng, pair->fixed.at, limits))
            return true;
    }
    return false;
}

static void copy_contents(const struct exec_array *from, struct exec_array *to)
{
    for (uint64_t i = 0; i < from->n && i < to->n; i++)
        to->at[i] = from->at[i];
}

// Arrays as long as the longer of both, with equal contents.
static bool choose_arrays(struct pair *pair, struct rng *rng, const struct sample_limits *limits)
{
    struct execution *a = &pair->run_a, *b = &pair->run_b;
    for (uint32_t i = 0; i < pair->other.len; i++)
        if (pair->other.at[i] != NO_CODE && pair->a.program.parameter.at[i].array) {
            exec_array_resize(a, i, 0);
            exec_array_resize(b, pair->other.at[i], 0);
        }
    if (!sample_arrays(a, rng, limits) || !sample_arrays(b, rng, limits))
        return false;
    for (uint32_t i = 0; i < pair->other.len; i++) {
        uint32_t k = pair->other.at[i];
        if (k == NO_CODE || !pair->a.program.parameter.at[i].array)
            continue;
        uint64_t n = a->array.at[i].n > b->array.at[k].n ? a->array.at[i].n : b->array.at[k].n;
        exec_array_resize(a, i, n);
        exec_array_resize(b, k, n);
        exec_array_fill(a, i, rng);
        copy_contents(&a->array.at[i], &b->array.at[k]);
    }
    return exec_all(a) && exec_all(b);
}

static bool cells_same(const struct exec_cell *a, const struct exec_cell *b, uint8_t kind)
{
    if (a->undefined || b->undefined)
        return a->undefined == b->undefined;
    if (kind != CODE_REAL)
        return a->whole == b->whole;
    if (a->real == b->real || (isnan(a->real) && isnan(b->real)))
        return true;
    return fabs(a->real - b->real) <= tolerance * (1 + fabs(a->real) + fabs(b->real));
}

static void put_cell(const struct exec_cell *cell, uint8_t kind, bool written, struct buf *out)
{
    if (!written)
        buf_puts(out, "not written");
    else if (cell->undefined)
        buf_puts(out, "not defined");
    else if (kind == CODE_REAL)
        buf_double(out, cell->real);
    else
        buf_printf(out, "%" PRId64, cell->whole);
}

// Compares the array of argument i of the first kernel.
static bool arrays_same(struct pair *pair, uint32_t i)
{
    const struct code_parameter *parameter = &pair->a.program.parameter.at[i];
    const struct exec_array *a = &pair->run_a.array.at[i];
    const struct exec_array *b = &pair->run_b.array.at[pair->other.at[i]];
    uint8_t kind = parameter->type.kind;
    for (uint64_t e = 0; e < a->n; e++) {
        bool in_a = exec_writes(a, e) > 0, in_b = exec_writes(b, e) > 0;
        pair->elements += in_a && in_b;
        if (in_a == in_b && cells_same(&a->at[e], &b->at[e], kind))
            continue;
        struct buf *out = pair->lines;
        buf_printf(out, "%s[%" PRIu64 "] is ", code_name(&pair->a.program, parameter->name), e);
        put_cell(&a->at[e], kind, in_a, out);
        buf_puts(out, " by the first kernel, ");
        put_cell(&b->at[e], kind, in_b, out);
        buf_puts(out, " by the second\n  sizes ");
        exec_print_sizes(&pair->run_a, out);
        buf_puts(out, "\n");
        return false;
    }
    return true;
}

// What is computed must not depend on the order of programs.
static bool is_ordered(const struct execution *run)
{
    for (uint32_t i = 0; i < run->fault.len; i++)
        if (run->fault.at[i].kind == EXEC_RACE || run->fault.at[i].kind == EXEC_WRITTEN_TWICE)
            return false;
    return true;
}

// False: a run differs.
static bool runs_same(struct pair *pair, uint64_t seed, uint32_t runs)
{
    struct rng rng;
    bool same = true;
    uint64_t work = 0;
    rng_seed(&rng, seed);
    exec_init(&pair->run_a, &pair->a.program, COMPARE_CELLS);
    exec_init(&pair->run_b, &pair->b.program, COMPARE_CELLS);
    for (uint32_t i = 0; same && i < 4 * runs && pair->runs < runs && work < COMPARE_WORK; i++) {
        // Large tiles take all of a run: other choices are of few programs, of few tiles, or of
        // several.
        struct sample_limits limits = sample_usual;
        limits.programs >>= 2 * (i / 2 % 4);
        limits.few = i % 2 == 1;
        limits.wide = i % 3 == 0;
        if (i >= COMPARE_TRIES && pair->runs == 0)
            break;
        if (!choose_sizes(pair, &rng, &limits))
            continue;
        if (!choose_arrays(pair, &rng, &limits) ||
            (!is_ordered(&pair->run_a) && !is_ordered(&pair->run_b)) ||
            run_is_excluded(&pair->run_a) || run_is_excluded(&pair->run_b))
            continue;
        work += COMPARE_CELLS - pair->run_a.cells;
        pair->runs++;
        for (uint32_t k = 0; same && k < pair->other.len; k++)
            if (pair->other.at[k] != NO_CODE && pair->a.program.parameter.at[k].array)
                same = arrays_same(pair, k);
    }
    exec_release(&pair->run_a);
    exec_release(&pair->run_b);
    return same;
}

static void compare(struct pair *pair, const struct kernel_source *source,
                    enum kernel_comparison *comparison)
{
    bool proved = formulas_same(pair);
    uint32_t runs = proved && source->runs > COMPARE_AGAIN ? COMPARE_AGAIN : source->runs;
    if (!runs_same(pair, source->seed, runs))
        *comparison = KERNELS_DIFFERENT;
    else
        *comparison = proved ? KERNELS_SAME : KERNELS_UNKNOWN;
    if (*comparison != KERNELS_DIFFERENT && pair->runs > 0)
        buf_printf(pair->lines, "runs at %u random sizes agree, at %" PRIu64 " elements\n",
                   pair->runs, pair->elements);
}

bool kernels_compare(const struct kernel_source *a, const struct kernel_source *b,
                     enum kernel_comparison *comparison, struct buf *lines, struct err *err)
{
    struct pair pair = {.lines = lines};
    // A formula is held against few runs here: those of the pair say more.
    struct kernel_source first = *a, second = *b;
    first.runs = second.runs = a->runs < COMPARE_AGAIN ? a->runs : COMPARE_AGAIN;
    bool ok = kernel_read(&pair.a, a, err);
    bool both = ok && kernel_read(&pair.b, b, err);
    bool compared = both && pair_arguments(&pair, err) && kernel_lift(&pair.a, &first, err) &&
                    kernel_lift(&pair.b, &second, err);
    if (compared)
        compare(&pair, a, comparison);
    kernel_release(&pair.a);
    if (ok)
        kernel_release(&pair.b);
    vec_release(&pair.other);
    vec_release(&pair.fixed);
    return compared;
}
