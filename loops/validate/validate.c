// SPDX-License-Identifier: Apache-2.0
#include "loops/validate/validate.h"
#include "loops/validate/numbers.h"
#include <inttypes.h>
#include <math.h>

enum {
    VALIDATE_CELLS = 1 << 25,    // of one run
    VALIDATE_STEPS = 1 << 20,    // of the formula, for one run
    VALIDATE_ELEMENTS = 1 << 10, // compared in one run
};
static const double tolerance = 1e-9;

void validation_release(struct validation *validation)
{
    buf_release(&validation->text);
}

void exec_print_sizes(const struct execution *run, struct buf *out)
{
    const struct code_program *program = run->program;
    const char *comma = "";
    for (uint32_t i = 0; i < program->parameter.len; i++) {
        if (program->parameter.at[i].array)
            continue;
        buf_printf(out, "%s%s=", comma, code_parameter_name(program, i));
        if (program->parameter.at[i].type.kind == CODE_REAL)
            buf_double(out, run->scalar.at[i].real);
        else
            buf_printf(out, "%" PRId64, run->scalar.at[i].whole);
        comma = ", ";
    }
}

// ---- faults

static const char *const faults[N_EXEC_FAULTS] = {
    [EXEC_READ_BOUNDS] = "reads outside of",
    [EXEC_WRITE_BOUNDS] = "writes outside of",
    [EXEC_UNDEFINED] = "writes a value that is not defined to",
    [EXEC_UNDEFINED_INDEX] = "uses an index or a condition that is not defined",
    [EXEC_WRITTEN_TWICE] = "writes an element that was written with another value:",
    [EXEC_RACE] = "meets another program at an element of",
    [EXEC_DIVISION] = "divides by 0",
    [EXEC_OVERFLOW] = "computes an integer that does not fit",
    [EXEC_STEP] = "has a loop whose step is not positive",
    [EXEC_ASSUMPTION] = "breaks an assumption of the source",
    [EXEC_REFUSED] = "comes to an operation without a meaning here",
};

static void print_fault(const struct execution *run, const struct exec_fault *fault,
                        struct buf *out)
{
    buf_printf(out, "program (%" PRId64 ", %" PRId64 ", %" PRId64 "), lane %u, line %u %s",
               fault->program[0], fault->program[1], fault->program[2], fault->lane,
               fault->place.line, faults[fault->kind]);
    if (fault->array != NO_CODE)
        buf_printf(out, " %s[%" PRId64 "]", code_parameter_name(run->program, fault->array),
                   fault->offset);
    buf_puts(out, "; sizes ");
    exec_print_sizes(run, out);
}

static void forget_arrays(struct execution *run)
{
    for (uint32_t i = 0; i < run->array.len; i++)
        if (run->program->parameter.at[i].array)
            exec_array_resize(run, i, 0);
}

// One run at sizes of its own.  If it is too long, then grids get smaller.
static bool sampled(struct execution *run, struct rng *rng)
{
    struct sample_limits limits = sample_usual;
    for (; limits.programs > 0; limits.programs /= 4) {
        forget_arrays(run);
        if (sample_scalars(run, rng, &limits) && sample_arrays(run, rng, &limits) && exec_all(run))
            return true;
    }
    return false;
}

static bool counts(const struct exec_fault *fault)
{
    return fault->kind != EXEC_OVERFLOW && fault->kind != EXEC_REFUSED;
}

bool program_fault(const struct code_program *program, uint64_t seed, uint32_t runs,
                   struct buf *text)
{
    struct execution run;
    struct rng rng;
    bool found = false;
    rng_seed(&rng, seed);
    exec_init(&run, program, VALIDATE_CELLS);
    for (uint32_t i = 0; !found && i < runs && sampled(&run, &rng); i++)
        for (uint32_t f = 0; !found && f < run.fault.len; f++) {
            found = counts(&run.fault.at[f]);
            if (found)
                print_fault(&run, &run.fault.at[f], text);
        }
    exec_release(&run);
    return found;
}

// ---- values

struct comparison {
    struct numbers numbers;
    struct lifting *lifting;
    const struct output *output;
    const struct execution *run;
    struct validation *out;
    int64_t extent[OUTPUT_AXES], index[OUTPUT_AXES];
    bool several; // statements write the array
};

static bool same(double a, double b)
{
    if (a == b || (isnan(a) && isnan(b)))
        return true;
    return fabs(a - b) <= tolerance * (1 + fabs(a) + fabs(b));
}

static void print_element(const struct comparison *c, struct buf *out)
{
    const struct code_program *program = c->run->program;
    buf_printf(out, "%s[", code_parameter_name(program, c->output->statement->array));
    for (uint32_t d = 0; d < c->output->n_axes; d++)
        buf_printf(out, "%s%" PRId64, d > 0 ? ", " : "", c->index[d]);
    buf_puts(out, "]");
}

static void differs(struct comparison *c, const char *what)
{
    c->out->kind = VALIDATED_DIFFERS;
    print_element(c, &c->out->text);
    buf_printf(&c->out->text, " %s; sizes ", what);
    exec_print_sizes(c->run, &c->out->text);
}

static void compare_values(struct comparison *c, const struct exec_cell *cell)
{
    double formula = numbers_term(&c->numbers, c->output->value);
    uint32_t array = c->output->statement->array;
    bool real = c->run->program->parameter.at[array].type.kind == CODE_REAL;
    double value = real ? cell->real : (double)cell->whole;
    if (c->numbers.problem != NULL || same(formula, value)) {
        c->out->elements += c->numbers.problem == NULL;
        return;
    }
    struct buf what = {0};
    buf_puts(&what, "is ");
    buf_double(&what, value);
    buf_puts(&what, ", the formula says ");
    buf_double(&what, formula);
    differs(c, buf_text(&what));
    buf_release(&what);
}

static void compare_element(struct comparison *c)
{
    const struct output *output = c->output;
    struct numbers *numbers = &c->numbers;
    numbers->problem = NULL;
    numbers->element++;
    int64_t at = numbers_poly(numbers, output->base);
    for (uint32_t d = 0; d < output->n_axes; d++) {
        numbers_set(numbers, output->element[d], c->index[d]);
        at += numbers_poly(numbers, output->stride[d]) * c->index[d];
    }
    const struct exec_array *array = &c->run->array.at[output->statement->array];
    if (numbers->problem != NULL)
        return;
    if (at < 0 || (uint64_t)at >= array->n || array->element[at].writes == 0) {
        if (!c->several)
            differs(c, "is not written");
        return;
    }
    if (c->several && array->element[at].writes > 1)
        return;
    if (array->at[at].undefined)
        differs(c, "has no defined value");
    else
        compare_values(c, &array->at[at]);
}

static void set_extents(struct comparison *c, const struct output *output)
{
    c->output = output;
    for (uint32_t d = 0; d < output->n_axes; d++)
        c->extent[d] = numbers_poly(&c->numbers, output->extent[d]);
}

static uint64_t elements_of(const struct comparison *c)
{
    uint64_t total = 1;
    for (uint32_t d = 0; d < c->output->n_axes; d++)
        total *= c->extent[d] > 0 ? (uint64_t)c->extent[d] : 0;
    return total;
}

// Sets the index of element number `which`, in row-major order.
static void set_index(struct comparison *c, uint64_t which)
{
    for (uint32_t d = c->output->n_axes; d-- > 0;) {
        c->index[d] = (int64_t)(which % (uint64_t)c->extent[d]);
        which /= (uint64_t)c->extent[d];
    }
}

// Do all elements have addresses of their own?  If not, then the formula says nothing of the memory.
static bool is_distinct(struct comparison *c, uint64_t total)
{
    const struct exec_array *array = &c->run->array.at[c->output->statement->array];
    int64_t base = numbers_poly(&c->numbers, c->output->base), stride[OUTPUT_AXES];
    VEC(uint8_t) seen = {0};
    bool distinct = array->n > 0;
    vec_zero(&seen, (uint32_t)array->n + 1);
    for (uint32_t d = 0; d < c->output->n_axes; d++)
        stride[d] = numbers_poly(&c->numbers, c->output->stride[d]);
    for (uint64_t i = 0; distinct && i < total && c->numbers.problem == NULL; i++) {
        int64_t at = base;
        set_index(c, i);
        for (uint32_t d = 0; d < c->output->n_axes; d++)
            at += stride[d] * c->index[d];
        if (at < 0 || (uint64_t)at >= array->n)
            continue;
        distinct = !seen.at[at];
        seen.at[at] = 1;
    }
    vec_release(&seen);
    return distinct;
}

// The same of all outputs: one may be read for another.
static bool all_distinct(struct comparison *c)
{
    bool distinct = true;
    for (uint32_t i = 0; distinct && i < c->lifting->outputs.len; i++) {
        const struct output *output = &c->lifting->outputs.at[i].output;
        if (output->reason != NULL)
            continue;
        set_extents(c, output);
        distinct = is_distinct(c, elements_of(c));
    }
    return distinct;
}

// All elements, or some of them at random.
static void compare_elements(struct comparison *c, struct rng *rng)
{
    uint64_t total = elements_of(c);
    c->out->runs++;
    uint64_t n = total < VALIDATE_ELEMENTS ? total : VALIDATE_ELEMENTS;
    for (uint64_t i = 0; i < n && c->out->kind != VALIDATED_DIFFERS; i++) {
        uint64_t which = n == total ? i : rng_below(rng, total);
        set_index(c, which);
        compare_element(c);
    }
}

struct writers {
    uint32_t array, n;
};

static bool count_writer(void *ctx, const struct code_statement *statement)
{
    struct writers *writers = ctx;
    bool writes = statement->kind == STATEMENT_WRITE || statement->kind == STATEMENT_UPDATE;
    writers->n += writes && statement->array == writers->array;
    return true;
}

static void compare_run(struct lifting *lifting, const struct output *output,
                        const struct execution *run, struct rng *rng, struct validation *out)
{
    struct comparison c = {.lifting = lifting, .output = output, .run = run, .out = out};
    struct writers writers = {.array = output->statement->array};
    code_each_statement(run->program, run->program->body, count_writer, &writers);
    c.several = writers.n > 1;
    numbers_init(&c.numbers, &lifting->terms, run);
    c.numbers.steps = VALIDATE_STEPS;
    bool distinct = all_distinct(&c);
    set_extents(&c, output);
    if (distinct && c.numbers.problem == NULL)
        compare_elements(&c, rng);
    if (c.numbers.problem != NULL && out->kind == VALIDATED_UNKNOWN && out->text.len == 0)
        buf_puts(&out->text, c.numbers.problem);
    numbers_release(&c.numbers);
}

void lifting_validate(struct lifting *lifting, uint32_t which, uint64_t seed, uint32_t runs,
                      struct validation *out)
{
    const struct code_program *program = lifting->s.program;
    const struct output *output = &lifting->outputs.at[which].output;
    struct execution run;
    struct rng rng;
    *out = (struct validation){.kind = VALIDATED_UNKNOWN};
    rng_seed(&rng, seed);
    exec_init(&run, program, VALIDATE_CELLS);
    // Some sizes say nothing.
    for (uint32_t i = 0; i < 4 * runs && out->runs < runs && out->kind != VALIDATED_DIFFERS; i++) {
        if (sampled(&run, &rng))
            compare_run(lifting, output, &run, &rng, out);
    }
    if (out->runs == 0 && out->text.len == 0)
        buf_puts(&out->text, "no sizes were found that meet all facts");
    else if (out->kind == VALIDATED_UNKNOWN && out->elements > 0)
        out->kind = VALIDATED_AGREES;
    exec_release(&run);
}
