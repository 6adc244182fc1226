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

static void random_element(struct rng *r, uint32_t style, bool truth,
                           mpfr_t out)
{
    static const double corners[] = {-2, -1, -0.5, 0, 0.5, 1, 2, 1, 0};
    double u = rng_unit(r);
    if (truth)
        mpfr_set_si(out, u < 0.5, MPFR_RNDN);
    else if (style == 0)
        mpfr_set_d(out, corners[rng_below(r, 9)], MPFR_RNDN);
    else if (style == 1)
        mpfr_set_d(out, 0.05 + 2 * u, MPFR_RNDN);
    else if (style == 2)
        mpfr_set_d(out, u, MPFR_RNDN);
    else
        mpfr_set_d(out, 6 * u - 3, MPFR_RNDN);
}

// Variables that stand where a truth value must stand.
static bool is_truth(struct world *w, const char *name)
{
    size_t len = strlen(name);
    for (fterm x = 0; x < w->t.node.len; x++) {
        const char *op = fterm_name(&w->t, x);
        uint32_t n = fterm_n(&w->t, x);
        bool all = (n == 2 &&
                    (!strcmp(op, "and") || !strcmp(op, "or") ||
                     !strcmp(op, "reduce_and") || !strcmp(op, "reduce_or"))) ||
                   (n == 1 && !strcmp(op, "not"));
        uint32_t k = n == 3 && !strcmp(op, "select") ? 1 : all ? n : 0;
        for (uint32_t i = 0; i < k; i++) {
            const char *s = fterm_name(&w->t, fterm_args(&w->t, x)[i]);
            if (fterm_n(&w->t, fterm_args(&w->t, x)[i]) == 0 &&
                strncmp(s, name, len) == 0 && (s[len] == 0 || s[len] == '{'))
                return true;
        }
    }
    return false;
}

static void choose_values(struct world *w, const struct formula *f)
{
    for (uint32_t i = 0; i < f->variables.len; i++) {
        const struct fvariable *from = &f->variables.at[i];
        struct variable v = {.name = from->name,
                             .truth = is_truth(w, from->name),
                             .n = from->n,
                             .n_at = 1};
        for (uint32_t k = 0; k < v.n; k++) {
            const char *axis = f->axes.at[from->at + k];
            v.size[k] = w->size[world_axis(w, axis, (uint32_t)strlen(axis))];
            v.n_at *= v.size[k];
        }
        v.at = mem_alloc(v.n_at * sizeof *v.at);
        uint32_t style = (uint32_t)rng_below(&w->rng, 5);
        for (uint32_t k = 0; k < v.n_at; k++) {
            mpfr_init2(v.at[k], BITS);
            random_element(&w->rng, style, v.truth, v.at[k]);
        }
        vec_push(&w->variable, v);
    }
}

static void forget_values(struct world *w)
{
    for (uint32_t i = 0; i < w->variable.len; i++) {
        struct variable *v = &w->variable.at[i];
        for (uint32_t k = 0; k < v->n_at; k++)
            mpfr_clear(v->at[k]);
        mem_free(v->at);
    }
    vec_clear(&w->variable);
    world_forget(w);
}

static bool all_true(struct world *w, fterm cond)
{
    const struct value *v = world_evaluate(w, cond);
    for (uint32_t i = 0; i < v->n; i++)
        if (mpfr_nan_p(v->at[i]) || mpfr_sgn(v->at[i]) == 0)
            return false;
    return true;
}

static bool has_value(const struct value *v)
{
    for (uint32_t i = 0; i < v->n; i++)
        if (mpfr_nan_p(v->at[i]))
            return false;
    return true;
}

// ---- records

struct job {
    const char *file;
    struct formula_record r;
    struct ruleset rules;
    VEC(const struct rule *) defining;
    struct fdefines defs;
    struct world w;
    struct formula in, out;
    fterm left, right;
    struct u32_vec given;
    double worst;
};

static bool complain(const struct job *j, const char *what)
{
    printf("%s: %s\n", j->file, what);
    return false;
}

static fterm replace(struct fterms *t, fterm x, fterm from, fterm to)
{
    struct u32_vec all = {0}, now = {0}, args = {0};
    fterms_reach(t, 1, &x, &all);
    vec_zero(&now, t->node.len);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm y = all.at[i];
        vec_clear(&args);
        for (uint32_t k = 0; k < fterm_n(t, y); k++)
            vec_push(&args, now.at[fterm_args(t, y)[k]]);
        struct buf name = {0};
        buf_puts(&name, fterm_name(t, y));
        now.at[y] =
            y == from ? to : fterm_make(t, buf_text(&name), args.len, args.at);
        buf_release(&name);
    }
    fterm out = now.at[x];
    vec_release(&all);
    vec_release(&now);
    vec_release(&args);
    return out;
}

// The stated difference is the difference.
static bool recover(struct job *j, const struct formula_record_constant *c)
{
    fterm value, text = NO_FTERM;
    struct err e = {0};
    if (!fterm_read(&j->w.t, c->value, &value, &e))
        return complain(j, e.msg);
    for (uint32_t i = 0; i < j->in.constants.len; i++)
        if (strcmp(j->in.constants.at[i].text, c->text) == 0)
            text = j->in.constants.at[i].term;
    if (text == NO_FTERM)
        return complain(j, "a constant that is not in the input");
    mpfr_t d, x;
    mpfr_inits2(BITS, d, x, (mpfr_ptr)0);
    mpfr_set_str(x, c->text, 10, MPFR_RNDN);
    mpfr_sub(d, world_evaluate(&j->w, value)->at[0], x, MPFR_RNDN);
    double found = mpfr_get_d(d, MPFR_RNDN), said = strtod(c->difference, NULL);
    bool small = mpfr_cmp_abs(d, x) < 0 &&
                 fabs(found) <= fabs(mpfr_get_d(x, MPFR_RNDN)) / 200;
    mpfr_clears(d, x, (mpfr_ptr)0);
    world_forget(&j->w);
    j->left = replace(&j->w.t, j->left, text, value);
    return (small && fabs(found - said) <= 1e-12 * fabs(found)) ||
           complain(j, "a constant with another difference");
}

static bool prepare(struct job *j, struct err *e)
{
    struct buf text = {0};
    bool ok = file_read(j->file, (size_t)1 << 26, &text, e) &&
              formula_record_read(&j->r, buf_text(&text), text.len, j->file, e);
    buf_release(&text);
    for (uint32_t i = 0; ok && i < j->r.defines.len; i++) {
        const struct rule *r =
            ruleset_add(&j->rules, j->r.defines.at[i], "a definition", e);
        ok = r != NULL;
        if (ok)
            vec_push(&j->defining, r);
    }
    ok = ok && fdefines_of(&j->defs, j->defining.len, j->defining.at, e) &&
         formula_read(&j->in, &j->w.t, &j->defs, "input", j->r.input, e) &&
         formula_read(&j->out, &j->w.t, &j->defs, "output", j->r.output, e);
    for (uint32_t i = 0; ok && i < j->r.givens.len; i++) {
        fterm cond;
        ok = fterm_read(&j->w.t, j->r.givens.at[i].cond, &cond, e);
        if (ok)
            vec_push(&j->given, meanings(&j->w.t, cond));
    }
    return ok;
}

// Both at every index of the axes of either.
static bool compare(struct job *j, const struct value *a, const struct value *b)
{
    uint64_t axes = a->axes | b->axes;
    bool ok = true;
    mpfr_t d;
    mpfr_init2(d, BITS);
    for (uint32_t i = 0; ok && i < world_count(&j->w, axes); i++) {
        struct environment e = {{0}};
        world_go_to(&j->w, axes, i, &e);
        mpfr_t *x = &a->at[world_place(&j->w, a->axes, &e)];
        mpfr_t *y = &b->at[world_place(&j->w, b->axes, &e)];
        mpfr_sub(d, *x, *y, MPFR_RNDN);
        double diff = fabs(mpfr_get_d(d, MPFR_RNDN)),
               size = fabs(mpfr_get_d(*x, MPFR_RNDN));
        diff /= size > 1 ? size : 1;
        if (diff > j->worst)
            j->worst = diff;
        ok = !mpfr_nan_p(*y) && diff <= AGREE;
        if (!ok)
            printf("%s: %.17g in, %.17g out (%s => %s)\n", j->file,
                   mpfr_get_d(*x, MPFR_RNDN), mpfr_get_d(*y, MPFR_RNDN),
                   j->r.input, j->r.output);
    }
    mpfr_clear(d);
    return ok;
}

static bool sample(struct job *j, uint32_t *done)
{
    struct world *w = &j->w;
    bool ok = true, meets = true;
    world_choose_sizes(w);
    choose_values(w, &j->in);
    for (uint32_t i = 0; meets && i < j->given.len; i++)
        meets = all_true(w, j->given.at[i]);
    if (meets) {
        (void)world_evaluate(w, j->left);
        (void)world_evaluate(w, j->right);
        const struct value *a = &w->value.at[j->left];
        if (has_value(a)) {
            ok = compare(j, a, &w->value.at[j->right]);
            ++*done;
        }
    }
    forget_values(w);
    return ok;
}

static bool run(const char *file, uint32_t samples, uint64_t seed)
{
    struct job j = {.file = file};
    struct err e = {0};
    uint32_t done = 0;
    fterms_init(&j.w.t);
    intern_init(&j.w.axis);
    ruleset_init(&j.rules);
    formula_record_init(&j.r);
    rng_seed(&j.w.rng, seed);
    bool ok = prepare(&j, &e);
    if (!ok)
        (void)complain(&j, e.msg);
    j.left = j.in.term;
    for (uint32_t i = 0; ok && i < j.r.constants.len; i++)
        ok = recover(&j, &j.r.constants.at[i]);
    if (ok) {
        j.left = meanings(&j.w.t, j.left);
        j.right = meanings(&j.w.t, j.out.term);
    }
    for (uint32_t i = 0; ok && done < samples && i < 20 * samples; i++)
        ok = sample(&j, &done);
    if (ok && done < (samples + 3) / 4)
        ok = complain(&j, "hardly any values meet what is given");
    if (ok)
        printf("%s: %u samples, differences at most %.1e\n", file, done,
               j.worst);
    formula_release(&j.in);
    formula_release(&j.out);
    fdefines_release(&j.defs);
    formula_record_release(&j.r);
    ruleset_release(&j.rules);
    vec_release(&j.defining);
    vec_release(&j.given);
    vec_release(&j.w.variable);
    intern_release(&j.w.axis);
    fterms_release(&j.w.t);
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
