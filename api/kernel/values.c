// SPDX-License-Identifier: Apache-2.0
// Has an expectation a value?  "Equal wherever the formula has a value" says nothing of 0/(x - x).
//
// At random sizes and contents, each element for which the kernel's own formula has a value must
// have one by the expectation, and some element must.
#include "api/kernel/expect.h"
#include "loops/validate/comparison.h"
#include "loops/validate/defined.h"
#include "proof/kernel/denote.h"
#include <inttypes.h>

enum {
    VALUES_RUNS = 4,
    VALUES_ELEMENTS = 24,   // of one run
    VALUES_STEPS = 1 << 18, // of one formula
};

// The term as written, over `at`.
static void denote_output(struct symbolic *s, const struct claim_output *o,
                          struct kernel_written *out)
{
    for (uint32_t d = 0; d < o->n_axes; d++)
        out->at[d] = int_fresh(s->in, "element");
    out->term = denote_as_written(s, o, out->at);
    out->known = symbolic_refusal(s, out->term) == NULL;
}

void kernel_keep_written(const struct code_program *program, struct kernel_expected *expected)
{
    struct symbolic s;
    struct claim *claim = &expected->claim;
    symbolic_init(&s, program, &claim->in, &claim->terms);
    symbolic_launch_facts(&s);
    for (uint32_t i = 0; i < claim->outputs.len; i++) {
        const struct claim_output *o = &claim->outputs.at[i];
        struct kernel_written made = {.statement = o->statement, .n = o->n_axes};
        for (uint32_t d = 0; d < o->n_axes; d++)
            made.index[d] = o->index[d];
        denote_output(&s, o, &made);
        vec_push(&expected->written, made);
    }
    symbolic_release(&s);
}

// The kernel's own formula of what an expectation is about; NULL: there is none.
static const struct kernel_written *own_formula(const struct kernel_expected *expected,
                                                const struct claim_output *o)
{
    for (uint32_t i = 0; i < expected->written.len; i++)
        if (expected->written.at[i].statement == o->statement && expected->written.at[i].known)
            return &expected->written.at[i];
    return NULL;
}

struct values {
    struct kernel_expected *expected;
    const struct claim_output *output;
    const struct kernel_written *own;
    struct kernel_written text;
    uint64_t with, without; // elements
    struct buf *problem;
};

// The axes of the kernel's formula have the same inverse, and may come in another order.
static void set_own(struct values *v, struct numbers *numbers, const int64_t *index)
{
    for (uint32_t e = 0; e < v->own->n; e++)
        for (uint32_t d = 0; d < v->output->n_axes; d++)
            if (v->own->index[e] == v->output->index[d])
                numbers_set(numbers, v->own->at[e], index[d]);
}

static void no_value(struct values *v, const struct execution *run, const int64_t *index)
{
    const struct code_statement *write = &run->program->statement.at[v->output->statement];
    if (v->without++ > 0)
        return;
    buf_printf(v->problem, "the expectation has no value at %s[",
               code_parameter_name(run->program, write->array));
    for (uint32_t d = 0; d < v->output->n_axes; d++)
        buf_printf(v->problem, "%s%" PRId64, d > 0 ? ", " : "", index[d]);
    buf_puts(v->problem, "], where the kernel's has one; sizes ");
    exec_print_sizes(run, v->problem);
}

static void try_element(struct values *v, const struct execution *run, struct numbers *numbers,
                        struct rng *rng, const int64_t *extent)
{
    int64_t index[OUTPUT_AXES];
    for (uint32_t d = 0; d < v->output->n_axes; d++) {
        index[d] = (int64_t)rng_below(rng, (uint64_t)extent[d]);
        numbers_set(numbers, v->text.at[d], index[d]);
    }
    numbers->steps = VALUES_STEPS;
    enum defined here = numbers_defined(numbers, v->text.term);
    v->with += here == DEFINED_VALUE;
    if (here != DEFINED_NOT || v->own == NULL)
        return;
    set_own(v, numbers, index);
    numbers->steps = VALUES_STEPS;
    if (numbers_defined(numbers, v->own->term) == DEFINED_VALUE)
        no_value(v, run, index);
}

static void try_run(struct values *v, const struct execution *run, struct rng *rng)
{
    struct numbers numbers;
    int64_t extent[OUTPUT_AXES];
    bool any = true;
    numbers_init(&numbers, &v->expected->claim.terms, run);
    for (uint32_t d = 0; d < v->output->n_axes; d++) {
        extent[d] = numbers_poly(&numbers, v->output->extent[d]);
        any = any && extent[d] > 0;
    }
    for (uint32_t i = 0; i < VALUES_ELEMENTS && any && v->without == 0; i++)
        try_element(v, run, &numbers, rng, extent);
    numbers_release(&numbers);
}

static bool sampled(struct execution *run, struct rng *rng, bool few)
{
    struct sample_limits limits = sample_usual;
    limits.few = few;
    for (limits.programs = 64; limits.programs > 0; limits.programs /= 4) {
        limits.few = limits.few || limits.programs < 16;
        for (uint32_t i = 0; i < run->array.len; i++)
            if (run->program->parameter.at[i].array)
                exec_array_resize(run, i, 0);
        if (!sample_scalars(run, rng, &limits)) // nor with fewer programs
            return false;
        if (sample_arrays(run, rng, &limits) && exec_all(run))
            return true;
    }
    return false;
}

static void try_expected(const struct code_program *program, struct kernel_expected *expected,
                         struct expected *one)
{
    struct values v = {.expected = expected, .output = &one->output};
    struct buf problem = {0};
    struct symbolic s;
    struct execution run;
    struct rng rng;
    v.problem = &problem;
    v.own = own_formula(expected, &one->output);
    symbolic_init(&s, program, &expected->claim.in, &expected->claim.terms);
    symbolic_launch_facts(&s);
    denote_output(&s, &one->output, &v.text);
    rng_seed(&rng, 1);
    exec_init(&run, program, VALIDATE_CELLS);
    // Where sizes are not found once, looking for them again takes as long.
    bool met = true;
    for (uint32_t i = 0; i < VALUES_RUNS && v.text.known && v.without == 0 && met; i++) {
        met = sampled(&run, &rng, i % 2 == 1);
        if (met)
            try_run(&v, &run, &rng);
    }
    exec_release(&run);
    symbolic_release(&s);
    if (v.without == 0 && v.with == 0)
        buf_puts(&problem, met ? "the expectation has no value at any element that was tried"
                               : "no sizes were found that meet all facts");
    if (problem.len > 0)
        one->no_value = arena_strdup(&expected->claim.mem, buf_text(&problem));
    buf_release(&problem);
}

void kernel_expected_values(struct kernel_job *job, struct kernel_expected *expected)
{
    uint32_t facts = job->program.fact.len;
    for (uint32_t i = 0; i < expected->check.outputs.len; i++)
        kernel_assume_needs(job, &expected->check.outputs.at[i]);
    for (uint32_t i = 0; i < expected->expectation.at.len; i++) {
        const struct kernel_checked *checked = kernel_expected_checked(expected, i);
        if (checked != NULL && checked->proved)
            try_expected(&job->program, expected, &expected->expectation.at.at[i]);
    }
    job->program.fact.len = facts;
}
