// SPDX-License-Identifier: Apache-2.0
#include "formula/rules/expand.h"
#include "formula/limits.h"

#include "formula/rules/named.h"
#include "formula/terms/axes.h"

#include <assert.h>

static_assert((int)EXPAND_AXES <= (int)AXIS_SET && (int)FORMULA_AXIS_NAMES <= (int)AXIS_SET,
              "axes of a formula fit into a set");

// A definition as a rule on named terms: (f ?y ?A) => value.
struct call_rule {
    const struct fdefine *def;
    bool known; // made, or known to fail
    bool usable;
    fterm call, value;
    uint32_t constant; // mask of arguments that must not depend on the axes
};
struct call_expander {
    struct fterms *terms;
    VEC(struct call_rule) written;
    VEC(char *) axis;      // names of axes by bit
    bool many;             // more axes than bits
    struct axis_set *free; // free axes by term, for terms made so far
    uint32_t n_free;
    struct u32_vec to; // result by term of the input
};

// ---- free axes

struct axis_reader {
    struct call_expander *expander;
    struct axis_set set;
};

static void take_axis(void *ctx, const char *axis, uint32_t len)
{
    struct axis_reader *reader = ctx;
    struct call_expander *expander = reader->expander;
    uint32_t i = 0;
    while (i < expander->axis.len &&
           (strncmp(expander->axis.at[i], axis, len) != 0 || expander->axis.at[i][len] != 0))
        i++;
    if (i == expander->axis.len) {
        char *name = mem_alloc(len + 1U);
        memcpy(name, axis, len);
        vec_push(&expander->axis, name);
    }
    if (i >= EXPAND_AXES)
        expander->many = true;
    else
        axis_set_add(&reader->set, i);
}

static struct axis_set axes_of(struct call_expander *expander, fterm leaf)
{
    struct axis_reader reader = {.expander = expander};
    const char *name = fterm_name(expander->terms, leaf);
    (void)fname_axes(name, (uint32_t)strlen(name), take_axis, &reader);
    return reader.set;
}

static struct call_rule *written_of(struct call_expander *expander, fterm term)
{
    for (uint32_t i = 0; i < expander->written.len; i++) {
        struct call_rule *call = &expander->written.at[i];
        if (fterm_is(expander->terms, term, call->def->name, call->def->n_axes + call->def->n_args))
            return call;
    }
    return NULL;
}

static struct axis_set free_of_node(struct call_expander *expander, fterm term)
{
    const fterm *args = fterm_args(expander->terms, term);
    const char *name = fterm_name(expander->terms, term);
    uint32_t n = fterm_n(expander->terms, term);
    struct axis_set all = {{0}};
    if (n == 0)
        return fname_is_axes(name, (uint32_t)strlen(name)) ? all : axes_of(expander, term);
    if (fterm_is(expander->terms, term, "concatenate", 5))
        return axis_set_union(
            axes_of(expander, args[0]),
            axis_set_union(axis_set_without(expander->free[args[3]], axes_of(expander, args[1])),
                           axis_set_without(expander->free[args[4]], axes_of(expander, args[2]))));
    for (uint32_t i = 0; i < n; i++)
        all = axis_set_union(all, expander->free[args[i]]);
    const struct call_rule *call = written_of(expander, term);
    bool bound = strncmp(name, "reduce_", 7) == 0 && n == 2;
    if (call != NULL)
        bound = call->def->n_axes > 0 && call->def->reduces;
    return bound ? axis_set_without(all, axes_of(expander, args[0])) : all;
}

// Computes the free axes of all terms up to this one.
static struct axis_set free_axes(struct call_expander *expander, fterm term)
{
    if (term >= expander->n_free) {
        uint32_t n = expander->terms->node.len;
        expander->free = mem_resize(expander->free, n * sizeof *expander->free);
        for (; expander->n_free < n; expander->n_free++)
            expander->free[expander->n_free] = free_of_node(expander, expander->n_free);
    }
    return expander->free[term];
}

// ---- definitions

// Reads a rule `name: call => value`.  Conditions may say that arguments are
// constant along the axes; a rule with other conditions is not usable.
static bool read_rule(struct call_expander *expander, struct call_rule *w, char *text)
{
    struct err err = {0};
    char *call = strstr(text, ": "), *value = strstr(text, " => ");
    text[strcspn(text, "\n")] = 0;
    if (call == NULL || value == NULL)
        return false;
    *value = 0;
    value += 4;
    char *where = strstr(value, " if ");
    if (where != NULL)
        *where = 0;
    if (where != NULL && strstr(where + 1, "same(") != NULL)
        return false;
    if (!fterm_read(expander->terms, call + 2, &w->call, &err) ||
        !fterm_read(expander->terms, value, &w->value, &err))
        return false;
    for (uint32_t i = 0; i < w->def->n_args; i++)
        w->constant |= (uint32_t)!fdefine_is_along(w->def, i) << i;
    return fterm_n(expander->terms, w->call) == w->def->n_axes + w->def->n_args;
}

static void learn(struct call_expander *expander, struct call_rule *call)
{
    struct buf text = {0};
    struct err err = {0};
    call->known = true;
    if (call->def->rule != NULL && named_rule(call->def->rule, "d", true, &text, &err)) {
        char *copy = buf_detach(&text);
        call->usable = read_rule(expander, call, copy);
        mem_free(copy);
    }
    buf_release(&text);
}

// Returns the value with the arguments of the call in place of variables.
static fterm substitute(struct call_expander *expander, const struct call_rule *call,
                        const fterm *args, fterm term)
{
    uint32_t n = fterm_n(expander->terms, term);
    fterm out[FDEFINE_MAX_ARGS + 1];
    for (uint32_t i = 0; i < fterm_n(expander->terms, call->call); i++)
        if (fterm_args(expander->terms, call->call)[i] == term)
            return args[i];
    if (n == 0 || n > FDEFINE_MAX_ARGS + 1)
        return term;
    for (uint32_t i = 0; i < n; i++)
        out[i] = substitute(expander, call, args, fterm_args(expander->terms, term)[i]);
    const char *name = fterm_name(expander->terms, term);
    return fterm_make(expander->terms, name, n, out);
}

static fterm expand_node(struct call_expander *expander, fterm term, bool *all)
{
    fterm args[FDEFINE_MAX_ARGS + 1];
    uint32_t n = fterm_n(expander->terms, term);
    if (n == 0 || n > FDEFINE_MAX_ARGS + 1)
        return term;
    for (uint32_t i = 0; i < n; i++)
        args[i] = expander->to.at[fterm_args(expander->terms, term)[i]];
    struct call_rule *call = written_of(expander, term);
    if (call != NULL && !call->known)
        learn(expander, call);
    bool ok = call != NULL && call->usable;
    uint32_t first = ok ? call->def->n_axes : 0;
    for (uint32_t i = first; ok && first > 0 && i < n; i++)
        if (call->constant >> (i - first) & 1)
            ok = !axis_set_meet(free_axes(expander, args[i]), axes_of(expander, args[0]));
    if (ok && !expander->many)
        return substitute(expander, call, args, call->value);
    if (call != NULL)
        *all = false;
    return fterm_make(expander->terms, fterm_name(expander->terms, term), n, args);
}

void formula_expand(struct fterms *terms, const struct fdefines *defs, fterm root, fterm *out,
                    bool *all)
{
    struct call_expander expander = {.terms = terms};
    struct u32_vec reach = {0};
    bool every = true;
    for (uint32_t i = 0; defs != NULL && i < defs->at.len; i++) {
        struct call_rule call = {.def = &defs->at.at[i]};
        vec_push(&expander.written, call);
    }
    fterms_reach(terms, 1, &root, &reach);
    vec_zero(&expander.to, root + 1);
    expander.to.len = root + 1;
    for (uint32_t i = 0; i < reach.len; i++)
        expander.to.at[reach.at[i]] = expand_node(&expander, reach.at[i], &every);
    *out = expander.to.at[root];
    if (all != NULL)
        *all = every;
    for (uint32_t i = 0; i < expander.axis.len; i++)
        mem_free(expander.axis.at[i]);
    vec_release(&expander.axis);
    vec_release(&expander.written);
    vec_release(&expander.to);
    vec_release(&reach);
    mem_free(expander.free);
}
