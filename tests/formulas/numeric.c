// SPDX-License-Identifier: Apache-2.0
// Do the input and the output of formula records have the same values?
//
//   numeric [--samples N] [--seed N] RECORD...
//
// Both formulas are read again, and evaluated with some 90 digits at random
// sizes (1 to 5 along each axis) and random values that meet what the record
// says is given, wherever the input has a value; 40 digits must agree.
// Recovered constants stand for what the record says, and must differ from
// their texts by what it says.  Only reading and writing of texts is shared
// with what is tested: evaluate.c says what operators mean, textbook.c what
// named functions do.
#include "proof/formula/record.h"
#include "tests/formulas/evaluate.h"
#include "tests/formulas/textbook.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AGREE 1e-40

// ---- random values

static void random_element(struct rng *rng, uint32_t style, bool truth, mpfr_t out)
{
    static const double corners[] = {-2, -1, -0.5, 0, 0.5, 1, 2, 1, 0};
    double u = rng_unit(rng);
    if (truth)
        mpfr_set_si(out, u < 0.5, MPFR_RNDN);
    else if (style == 0)
        mpfr_set_d(out, corners[rng_below(rng, 9)], MPFR_RNDN);
    else if (style == 1)
        mpfr_set_d(out, 0.05 + 2 * u, MPFR_RNDN);
    else if (style == 2)
        mpfr_set_d(out, u, MPFR_RNDN);
    else
        mpfr_set_d(out, 6 * u - 3, MPFR_RNDN);
}

// Variables that stand where a truth value must stand.
static bool is_truth(struct world *world, const char *name)
{
    size_t len = strlen(name);
    for (fterm term = 0; term < world->terms.node.len; term++) {
        const char *op = fterm_name(&world->terms, term);
        uint32_t n = fterm_n(&world->terms, term);
        bool all = (n == 2 && (!strcmp(op, "and") || !strcmp(op, "or") ||
                               !strcmp(op, "reduce_and") || !strcmp(op, "reduce_or"))) ||
                   (n == 1 && !strcmp(op, "not"));
        uint32_t k = n == 3 && !strcmp(op, "select") ? 1 : all ? n : 0;
        for (uint32_t i = 0; i < k; i++) {
            const char *text = fterm_name(&world->terms, fterm_args(&world->terms, term)[i]);
            if (fterm_n(&world->terms, fterm_args(&world->terms, term)[i]) == 0 &&
                strncmp(text, name, len) == 0 && (text[len] == 0 || text[len] == '{'))
                return true;
        }
    }
    return false;
}

static void choose_values(struct world *world, const struct formula *formula)
{
    for (uint32_t i = 0; i < formula->variables.len; i++) {
        const struct fvariable *from = &formula->variables.at[i];
        struct variable variable = {
            .name = from->name, .truth = is_truth(world, from->name), .n = from->n, .n_at = 1};
        for (uint32_t k = 0; k < variable.n; k++) {
            const char *axis = formula->axes.at[from->at + k];
            variable.size[k] = world->size[world_axis(world, axis, (uint32_t)strlen(axis))];
            variable.n_at *= variable.size[k];
        }
        variable.at = mem_alloc(variable.n_at * sizeof *variable.at);
        uint32_t style = (uint32_t)rng_below(&world->rng, 5);
        for (uint32_t k = 0; k < variable.n_at; k++) {
            mpfr_init2(variable.at[k], BITS);
            random_element(&world->rng, style, variable.truth, variable.at[k]);
        }
        vec_push(&world->variable, variable);
    }
}

static void forget_values(struct world *world)
{
    for (uint32_t i = 0; i < world->variable.len; i++) {
        struct variable *variable = &world->variable.at[i];
        for (uint32_t k = 0; k < variable->n_at; k++)
            mpfr_clear(variable->at[k]);
        mem_free(variable->at);
    }
    vec_clear(&world->variable);
    world_forget(world);
}

static bool all_true(struct world *world, fterm cond)
{
    const struct value *value = world_evaluate(world, cond);
    for (uint32_t i = 0; i < value->n; i++)
        if (mpfr_nan_p(value->at[i]) || mpfr_sgn(value->at[i]) == 0)
            return false;
    return true;
}

// What is larger than any number of MPFR has none, either.
static bool has_value(const struct value *value)
{
    for (uint32_t i = 0; i < value->n; i++)
        if (!mpfr_number_p(value->at[i]))
            return false;
    return true;
}

// ---- records

struct job {
    const char *file;
    struct formula_record record;
    struct ruleset rules;
    VEC(const struct rule *) defining;
    struct fdefines defs;
    struct world world;
    struct formula in, out;
    fterm left, right;
    struct u32_vec given;
    double worst;
};

static bool complain(const struct job *job, const char *what)
{
    printf("%s: %s\n", job->file, what);
    return false;
}

static fterm replace(struct fterms *terms, fterm term, fterm from, fterm to)
{
    struct u32_vec all = {0}, now = {0}, args = {0};
    fterms_reach(terms, 1, &term, &all);
    vec_zero(&now, terms->node.len);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm y = all.at[i];
        vec_clear(&args);
        for (uint32_t k = 0; k < fterm_n(terms, y); k++)
            vec_push(&args, now.at[fterm_args(terms, y)[k]]);
        struct buf name = {0};
        buf_puts(&name, fterm_name(terms, y));
        now.at[y] = y == from ? to : fterm_make(terms, buf_text(&name), args.len, args.at);
        buf_release(&name);
    }
    fterm out = now.at[term];
    vec_release(&all);
    vec_release(&now);
    vec_release(&args);
    return out;
}

// The stated difference is the difference.
static bool recover(struct job *job, const struct formula_record_constant *constant)
{
    fterm value, text = NO_FTERM;
    struct err err = {0};
    if (!fterm_read(&job->world.terms, constant->value, &value, &err))
        return complain(job, err.msg);
    for (uint32_t i = 0; i < job->in.constants.len; i++)
        if (strcmp(job->in.constants.at[i].text, constant->text) == 0)
            text = job->in.constants.at[i].term;
    if (text == NO_FTERM)
        return complain(job, "a constant that is not in the input");
    mpfr_t d, x;
    mpfr_inits2(BITS, d, x, (mpfr_ptr)0);
    mpfr_set_str(x, constant->text, 10, MPFR_RNDN);
    mpfr_sub(d, world_evaluate(&job->world, value)->at[0], x, MPFR_RNDN);
    double found = mpfr_get_d(d, MPFR_RNDN), said = strtod(constant->difference, NULL);
    bool small = mpfr_cmp_abs(d, x) < 0 && fabs(found) <= fabs(mpfr_get_d(x, MPFR_RNDN)) / 200;
    mpfr_clears(d, x, (mpfr_ptr)0);
    world_forget(&job->world);
    job->left = replace(&job->world.terms, job->left, text, value);
    return (small && fabs(found - said) <= 1e-12 * fabs(found)) ||
           complain(job, "a constant with another difference");
}

static bool prepare(struct job *job, struct err *err)
{
    struct buf text = {0};
    bool ok = file_read(job->file, (size_t)1 << 26, &text, err) &&
              formula_record_read(&job->record, buf_text(&text), text.len, job->file, err);
    buf_release(&text);
    for (uint32_t i = 0; ok && i < job->record.defines.len; i++) {
        const struct rule *rule =
            ruleset_add(&job->rules, job->record.defines.at[i], "a definition", err);
        ok = rule != NULL;
        if (ok)
            vec_push(&job->defining, rule);
    }
    ok = ok && fdefines_of(&job->defs, job->defining.len, job->defining.at, err) &&
         formula_read(&job->in, &job->world.terms, &job->defs, "input", job->record.input, err) &&
         formula_read(&job->out, &job->world.terms, &job->defs, "output", job->record.output, err);
    for (uint32_t i = 0; ok && i < job->record.givens.len; i++) {
        fterm cond;
        ok = fterm_read(&job->world.terms, job->record.givens.at[i].cond, &cond, err);
        if (ok)
            vec_push(&job->given, meanings(&job->world.terms, cond));
    }
    return ok;
}

// Both at every index of the axes of either.
static bool compare(struct job *job, const struct value *a, const struct value *b)
{
    uint64_t axes = a->axes | b->axes;
    bool ok = true;
    mpfr_t d;
    mpfr_init2(d, BITS);
    for (uint32_t i = 0; ok && i < world_count(&job->world, axes); i++) {
        struct environment environment = {{0}};
        world_go_to(&job->world, axes, i, &environment);
        mpfr_t *x = &a->at[world_place(&job->world, a->axes, &environment)];
        mpfr_t *y = &b->at[world_place(&job->world, b->axes, &environment)];
        mpfr_sub(d, *x, *y, MPFR_RNDN);
        if (mpfr_cmpabs_ui(*x, 1) > 0)
            mpfr_div(d, d, *x, MPFR_RNDN);
        double diff = fabs(mpfr_get_d(d, MPFR_RNDN));
        if (diff > job->worst)
            job->worst = diff;
        ok = !mpfr_nan_p(*y) && diff <= AGREE;
        if (!ok)
            printf("%s: %.17g in, %.17g out (%s => %s)\n", job->file, mpfr_get_d(*x, MPFR_RNDN),
                   mpfr_get_d(*y, MPFR_RNDN), job->record.input, job->record.output);
    }
    mpfr_clear(d);
    return ok;
}

static bool sample(struct job *job, uint32_t *done)
{
    struct world *world = &job->world;
    bool ok = true, meets = true;
    world_choose_sizes(world);
    choose_values(world, &job->in);
    for (uint32_t i = 0; meets && i < job->given.len; i++)
        meets = all_true(world, job->given.at[i]);
    if (meets) {
        (void)world_evaluate(world, job->left);
        (void)world_evaluate(world, job->right);
        const struct value *value = &world->value.at[job->left];
        if (has_value(value)) {
            ok = compare(job, value, &world->value.at[job->right]);
            ++*done;
        }
    }
    forget_values(world);
    return ok;
}

static bool run(const char *file, uint32_t samples, uint64_t seed)
{
    struct job job = {.file = file};
    struct err err = {0};
    uint32_t done = 0;
    fterms_init(&job.world.terms);
    intern_init(&job.world.axis);
    ruleset_init(&job.rules);
    formula_record_init(&job.record);
    rng_seed(&job.world.rng, seed);
    bool ok = prepare(&job, &err);
    if (!ok)
        (void)complain(&job, err.msg);
    job.left = job.in.term;
    for (uint32_t i = 0; ok && i < job.record.constants.len; i++)
        ok = recover(&job, &job.record.constants.at[i]);
    if (ok) {
        job.left = meanings(&job.world.terms, job.left);
        job.right = meanings(&job.world.terms, job.out.term);
    }
    for (uint32_t i = 0; ok && done < samples && i < 20 * samples; i++)
        ok = sample(&job, &done);
    if (ok && done < (samples + 3) / 4)
        ok = complain(&job, "hardly any values meet what is given");
    if (ok)
        printf("%s: %u samples, differences at most %.1e\n", file, done, job.worst);
    formula_release(&job.in);
    formula_release(&job.out);
    fdefines_release(&job.defs);
    formula_record_release(&job.record);
    ruleset_release(&job.rules);
    vec_release(&job.defining);
    vec_release(&job.given);
    vec_release(&job.world.variable);
    intern_release(&job.world.axis);
    fterms_release(&job.world.terms);
    return ok;
}

int main(int argc, char **argv)
{
    uint32_t samples = 20;
    uint64_t seed = 1;
    bool ok = true;
    int i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        if (strcmp(argv[i], "--samples") == 0)
            samples = (uint32_t)strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--seed") == 0)
            seed = strtoull(argv[i + 1], NULL, 10);
    }
    if (i == argc || samples == 0) {
        fprintf(stderr, "usage: numeric [--samples N] [--seed N] RECORD...\n");
        return 64;
    }
    for (; i < argc; i++)
        ok = run(argv[i], samples, seed) && ok;
    mpfr_free_cache();
    return ok ? 0 : 1;
}
