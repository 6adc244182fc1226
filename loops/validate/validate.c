// SPDX-License-Identifier: Apache-2.0
#include "loops/validate/comparison.h"
#include "loops/validate/coverage.h"
#include <fenv.h>
#include <inttypes.h>
#include <math.h>

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

void print_fault(const struct execution *run, const struct exec_fault *fault, struct buf *out)
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

bool fault_counts(const struct exec_fault *fault)
{
    return fault->kind != EXEC_OVERFLOW && fault->kind != EXEC_REFUSED;
}

bool run_is_excluded(const struct execution *run)
{
    for (uint32_t i = 0; i < run->fault.len; i++)
        if (run->fault.at[i].kind == EXEC_ASSUMPTION)
            return true;
    return false;
}

bool program_fault(const struct code_program *program, uint64_t seed, uint32_t runs,
                   struct buf *text)
{
    struct execution run;
    struct rng rng;
    bool found = false;
    rng_seed(&rng, seed);
    exec_init(&run, program, VALIDATE_CELLS);
    for (uint32_t i = 0; !found && i < runs && sampled_run(&run, &rng, NULL, false); i++)
        for (uint32_t f = 0; !found && f < run.fault.len && !run_is_excluded(&run); f++) {
            found = fault_counts(&run.fault.at[f]);
            if (found)
                print_fault(&run, &run.fault.at[f], text);
        }
    exec_release(&run);
    return found;
}

// ---- values

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
    buf_clear(&c->out->text);
    print_element(c, &c->out->text);
    buf_printf(&c->out->text, " %s; sizes ", what);
    exec_print_sizes(c->run, &c->out->text);
}

// Did an integer not fit its type?  That none does is a need (proof/kernel/width.h).
static bool integer_overflow(const struct execution *run)
{
    for (uint32_t i = 0; i < run->fault.len; i++)
        if (run->fault.at[i].kind == EXEC_OVERFLOW)
            return true;
    return false;
}

// A formula is about reals: once a double has overflowed, a run and a formula that differ say
// nothing of it.  0/0 and inf - inf of infinities that the program names are no overflow.
static void compare_values(struct comparison *c, const struct exec_cell *cell)
{
    feclearexcept(FE_OVERFLOW);
    double formula = numbers_term(&c->numbers, c->output->value);
    bool overflow = c->run->overflow || fetestexcept(FE_OVERFLOW) != 0;
    uint32_t array = c->output->statement->array;
    bool real = c->run->program->parameter.at[array].type.kind == CODE_REAL;
    double value = real ? cell->real : (double)cell->whole;
    if (overflow && c->numbers.problem == NULL && !same(formula, value))
        c->numbers.problem = "numbers that are too large for a double";
    if (c->numbers.problem == NULL && !same(formula, value) && integer_overflow(c->run))
        c->numbers.problem = "an integer that does not fit";
    // The bounds of reads are proved: a formula that needs more than the program is another one.
    if (c->numbers.outside) {
        differs(c, "has a value, and the formula reads what the program does not");
        return;
    }
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

// The kernel leaves the element undefined.  The formula must be, too: it reads what no array has, as
// where integers in memory point outside of one.
static void compare_undefined(struct comparison *c)
{
    numbers_term(&c->numbers, c->output->value);
    if (c->numbers.problem == NULL)
        differs(c, "has no defined value");
}

static void compare_element(struct comparison *c)
{
    const struct output *output = c->output;
    struct numbers *numbers = &c->numbers;
    if (run_is_excluded(c->run))
        return;
    numbers->problem = NULL;
    numbers->outside = false;
    numbers->element++;
    int64_t at = numbers_poly(numbers, output->base);
    for (uint32_t d = 0; d < output->n_axes; d++) {
        numbers_set(numbers, output->element[d], c->index[d]);
        at += numbers_poly(numbers, output->stride[d]) * c->index[d];
    }
    const struct exec_array *array = &c->run->array.at[output->statement->array];
    if (numbers->problem != NULL)
        return;
    // Of an element that a run in part leaves alone, nobody knows whether its program ran.
    bool whole = c->run->most == 0;
    bool kept = whole && (output->condition || c->contents) && at >= 0 && (uint64_t)at < array->n;
    if (!kept && (at < 0 || (uint64_t)at >= array->n || exec_writes(array, (uint64_t)at) == 0)) {
        if (!c->several && !output->condition && whole)
            differs(c, "is not written");
        return;
    }
    if (c->several && exec_writes(array, (uint64_t)at) > 1)
        return;
    if (array->at[at].undefined)
        compare_undefined(c);
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

// Marks the addresses of the output's elements; false: one has a mark.
static bool mark_elements(struct comparison *c, uint8_t *seen)
{
    const struct exec_array *array = &c->run->array.at[c->output->statement->array];
    int64_t base = numbers_poly(&c->numbers, c->output->base), stride[OUTPUT_AXES];
    bool distinct = array->n > 0;
    uint64_t total = elements_of(c);
    for (uint32_t d = 0; d < c->output->n_axes; d++)
        stride[d] = numbers_poly(&c->numbers, c->output->stride[d]);
    for (uint64_t i = 0; distinct && i < total && c->numbers.problem == NULL; i++) {
        int64_t at = base;
        set_index(c, i);
        for (uint32_t d = 0; d < c->output->n_axes; d++)
            at += stride[d] * c->index[d];
        if (at < 0 || (uint64_t)at >= array->n)
            continue;
        distinct = !seen[at];
        seen[at] = 1;
    }
    return distinct;
}

// Do all elements have addresses of their own, also those of outputs in one array?  If not, then the
// formulas say nothing of the memory.  All outputs count: one may be read for another.
bool comparison_distinct(struct comparison *c)
{
    bool distinct = true;
    for (uint32_t a = 0; distinct && a < c->run->array.len; a++) {
        VEC(uint8_t) seen = {0};
        vec_zero(&seen, (uint32_t)c->run->array.at[a].n + 1);
        for (uint32_t i = 0; distinct && i < c->n; i++) {
            set_extents(c, c->outputs[i]);
            if (c->output->statement->array == a)
                distinct = mark_elements(c, seen.at);
        }
        vec_release(&seen);
    }
    return distinct;
}

// All elements, or some of them at random.
static void compare_elements(struct comparison *c, struct rng *rng)
{
    uint64_t total = elements_of(c);
    c->out->runs++;
    c->out->in_part = c->out->in_part || c->run->most > 0;
    uint64_t n = total < VALIDATE_ELEMENTS ? total : VALIDATE_ELEMENTS;
    uint64_t enough = c->out->elements + n;
    // Few elements are those of the programs that ran.
    if (c->run->most > 0)
        n = total < VALIDATE_PART_ELEMENTS ? total : VALIDATE_PART_ELEMENTS;
    for (uint64_t i = 0; i < n && c->out->elements < enough && c->out->kind != VALIDATED_DIFFERS;
         i++) {
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

static void problem_text(struct validation *out, const char *text)
{
    if (out->text.len == 0)
        buf_puts(&out->text, text);
}

void compare_run(struct comparison *c, const struct output *output, struct rng *rng)
{
    struct writers writers = {.array = output->statement->array};
    code_each_statement(c->run->program, c->run->program->body, count_writer, &writers);
    c->several = writers.n > 1;
    c->numbers.problem = NULL;
    // Which statement wrote an element last is not known.
    if (c->several && output->condition)
        problem_text(c->out, "several statements write the array, under conditions on data");
    bool distinct = !(c->several && output->condition) && comparison_distinct(c);
    set_extents(c, output);
    if (distinct && c->numbers.problem == NULL)
        compare_elements(c, rng);
    if (c->numbers.problem != NULL && c->out->kind == VALIDATED_UNKNOWN && c->out->text.len == 0)
        buf_puts(&c->out->text, c->numbers.problem);
}

void comparison_init(struct comparison *c, struct lterms *terms, const struct execution *run,
                     uint32_t n, const struct output *const *outputs, struct validation *out)
{
    *c = (struct comparison){.n = n, .outputs = outputs, .run = run, .out = out};
    numbers_init(&c->numbers, terms, run);
    c->numbers.steps = VALIDATE_STEPS;
}

struct validating {
    struct lifting *lifting;
    uint32_t n_asked;
    const struct validation_of *asked;
    uint32_t n; // outputs
    const struct output *const *outputs;
    struct execution run;
    struct rng rng;
    struct coverage coverage;
};

// One run for all outputs that are asked for.
static void validate_once(struct validating *v, bool apart, bool tiles)
{
    struct comparison c;
    bool compared = false;
    if (!sampled_run(&v->run, &v->rng, apart ? v->lifting : NULL, tiles))
        return;
    for (uint32_t i = 0; i < v->n_asked; i++) {
        struct validation *out = v->asked[i].out;
        uint32_t before = out->runs;
        if (out->kind == VALIDATED_DIFFERS)
            continue;
        comparison_init(&c, &v->lifting->terms, &v->run, v->n, v->outputs, out);
        compare_run(&c, &v->lifting->outputs.at[v->asked[i].output].output, &v->rng);
        numbers_release(&c.numbers);
        compared = compared || out->runs > before;
    }
    if (compared)
        coverage_add(&v->coverage, &v->run);
}

// Does one that was compared, or needs more runs, still agree?
static bool is_open(const struct validating *v, uint32_t runs)
{
    for (uint32_t i = 0; i < v->n_asked; i++) {
        const struct validation *out = v->asked[i].out;
        if (out->kind != VALIDATED_DIFFERS && (runs > 0 ? out->runs < runs : out->runs > 0))
            return true;
    }
    return false;
}

static bool is_doubted(const struct validating *v)
{
    bool doubted = false;
    for (uint32_t i = 0; i < v->n_asked; i++)
        doubted = doubted || v->asked[i].doubted;
    return doubted;
}

static void validation_word(struct validation *out)
{
    if (out->runs == 0 && out->text.len == 0)
        buf_puts(&out->text, "no sizes were found that meet all facts");
    else if (out->kind == VALIDATED_UNKNOWN && out->elements > 0)
        out->kind = VALIDATED_AGREES;
}

void lifting_validate(struct lifting *lifting, uint32_t n, const struct validation_of *asked,
                      uint64_t seed, uint32_t runs)
{
    const struct code_program *program = lifting->s.program;
    VEC(const struct output *) all = {0};
    for (uint32_t i = 0; i < n; i++)
        *asked[i].out = (struct validation){.kind = VALIDATED_UNKNOWN};
    for (uint32_t i = 0; i < lifting->outputs.len; i++)
        if (lifting->outputs.at[i].output.reason == NULL)
            vec_push(&all, &lifting->outputs.at[i].output);
    struct validating v = {
        .lifting = lifting, .n_asked = n, .asked = asked, .n = all.len, .outputs = all.at};
    rng_seed(&v.rng, seed);
    exec_init(&v.run, program, VALIDATE_CELLS);
    // Some sizes say nothing.
    for (uint32_t i = 0; i < 4 * runs && is_open(&v, runs); i++)
        validate_once(&v, i % 2 == 1, false);
    // Smaller ones, of several tiles: one, and others for what these have not shown.
    v.run.limit = VALIDATE_CELLS / 8;
    for (uint32_t i = 0; i < VALIDATE_MORE && is_open(&v, 0) &&
                         (i == 0 || is_doubted(&v) || !coverage_complete(&v.coverage, program));
         i++)
        validate_once(&v, i % 3 != 2, true);
    for (uint32_t i = 0; i < n; i++)
        validation_word(asked[i].out);
    exec_release(&v.run);
    coverage_release(&v.coverage);
    vec_release(&all);
}
