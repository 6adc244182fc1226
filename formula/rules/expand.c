// SPDX-License-Identifier: Apache-2.0
#include "formula/rules/expand.h"

#include "formula/rules/named.h"

enum { MAX_AXES = 64 };

// One definition as a rule on named terms: (f ?y ?A) => value.
struct call_rule {
    const struct fdefine *def;
    bool known; // or tried in vain
    bool usable;
    fterm call, value;
    uint32_t constant; // arguments that the axes may not reach, as bits
};
struct call_expander {
    struct fterms *t;
    VEC(struct call_rule) written;
    VEC(char *) axis; // names, by bit
    bool many;        // more axes than bits
    uint64_t *free;   // by term; of those made so far
    uint32_t n_free;
    struct u32_vec to; // by term of the input: what it becomes
};

// ---- free axes

struct axis_reader {
    struct call_expander *x;
    uint64_t bits;
};

static void take_axis(void *ctx, const char *axis, uint32_t len)
{
    struct axis_reader *r = ctx;
    struct call_expander *x = r->x;
    uint32_t i = 0;
    while (i < x->axis.len &&
           (strncmp(x->axis.at[i], axis, len) != 0 || x->axis.at[i][len] != 0))
        i++;
    if (i == x->axis.len) {
        char *name = mem_alloc(len + 1U);
        memcpy(name, axis, len);
        vec_push(&x->axis, name);
    }
    if (i >= MAX_AXES)
        x->many = true;
    else
        r->bits |= (uint64_t)1 << i;
}

static uint64_t axes_of(struct call_expander *x, fterm leaf)
{
    struct axis_reader r = {.x = x};
    const char *name = fterm_name(x->t, leaf);
    (void)fname_axes(name, (uint32_t)strlen(name), take_axis, &r);
    return r.bits;
}

static struct call_rule *written_of(struct call_expander *x, fterm term)
{
    for (uint32_t i = 0; i < x->written.len; i++) {
        struct call_rule *w = &x->written.at[i];
        if (fterm_is(x->t, term, w->def->name, w->def->n_axes + w->def->n_args))
            return w;
    }
    return NULL;
}

static uint64_t free_of_node(struct call_expander *x, fterm term)
{
    const fterm *args = fterm_args(x->t, term);
    const char *name = fterm_name(x->t, term);
    uint32_t n = fterm_n(x->t, term);
    uint64_t all = 0;
    if (n == 0)
        return fname_is_axes(name, (uint32_t)strlen(name)) ? 0
                                                           : axes_of(x, term);
    if (fterm_is(x->t, term, "concatenate", 5))
        return axes_of(x, args[0]) | (x->free[args[3]] & ~axes_of(x, args[1])) |
               (x->free[args[4]] & ~axes_of(x, args[2]));
    for (uint32_t i = 0; i < n; i++)
        all |= x->free[args[i]];
    const struct call_rule *w = written_of(x, term);
    bool bound = strncmp(name, "reduce_", 7) == 0 && n == 2;
    if (w != NULL)
        bound = w->def->n_axes > 0 && w->def->reduces;
    return bound ? all & ~axes_of(x, args[0]) : all;
}

// Of all terms up to this one.
static uint64_t free_axes(struct call_expander *x, fterm term)
{
    if (term >= x->n_free) {
        uint32_t n = x->t->node.len;
        x->free = mem_resize(x->free, n * sizeof *x->free);
        for (; x->n_free < n; x->n_free++)
            x->free[x->n_free] = free_of_node(x, x->n_free);
    }
    return x->free[term];
}

// ---- definitions

// The text of a rule `name: call => value`, perhaps with conditions that
// arguments are constant along the axes; with others it is not usable.
static bool read_rule(struct call_expander *x, struct call_rule *w, char *text)
{
    struct err e = {0};
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
    if (!fterm_read(x->t, call + 2, &w->call, &e) ||
        !fterm_read(x->t, value, &w->value, &e))
        return false;
    for (uint32_t i = 0; i < w->def->n_args; i++)
        w->constant |= (uint32_t)!fdefine_is_along(w->def, i) << i;
    return fterm_n(x->t, w->call) == w->def->n_axes + w->def->n_args;
}

static void learn(struct call_expander *x, struct call_rule *w)
{
    struct buf text = {0};
    struct err e = {0};
    w->known = true;
    if (w->def->rule != NULL &&
        named_rule(w->def->rule, "d", true, &text, &e)) {
        char *copy = buf_detach(&text);
        w->usable = read_rule(x, w, copy);
        mem_free(copy);
    }
    buf_release(&text);
}

// The value with the call's arguments in place of its variables.
static fterm substitute(struct call_expander *x, const struct call_rule *w,
                        const fterm *args, fterm p)
{
    uint32_t n = fterm_n(x->t, p);
    fterm out[FDEFINE_MAX_ARGS + 1];
    for (uint32_t i = 0; i < fterm_n(x->t, w->call); i++)
        if (fterm_args(x->t, w->call)[i] == p)
            return args[i];
    if (n == 0 || n > FDEFINE_MAX_ARGS + 1)
        return p;
    for (uint32_t i = 0; i < n; i++)
        out[i] = substitute(x, w, args, fterm_args(x->t, p)[i]);
    const char *name = fterm_name(x->t, p);
    return fterm_make(x->t, name, n, out);
}

static fterm expand_node(struct call_expander *x, fterm term, bool *all)
{
    fterm args[FDEFINE_MAX_ARGS + 1];
    uint32_t n = fterm_n(x->t, term);
    if (n == 0 || n > FDEFINE_MAX_ARGS + 1)
        return term;
    for (uint32_t i = 0; i < n; i++)
        args[i] = x->to.at[fterm_args(x->t, term)[i]];
    struct call_rule *w = written_of(x, term);
    if (w != NULL && !w->known)
        learn(x, w);
    bool ok = w != NULL && w->usable;
    uint32_t first = ok ? w->def->n_axes : 0;
    for (uint32_t i = first; ok && first > 0 && i < n; i++)
        if (w->constant >> (i - first) & 1)
            ok = (free_axes(x, args[i]) & axes_of(x, args[0])) == 0;
    if (ok && !x->many)
        return substitute(x, w, args, w->value);
    if (w != NULL)
        *all = false;
    return fterm_make(x->t, fterm_name(x->t, term), n, args);
}

void formula_expand(struct fterms *t, const struct fdefines *defs, fterm root,
                    fterm *out, bool *all)
{
    struct call_expander x = {.t = t};
    struct u32_vec reach = {0};
    bool every = true;
    for (uint32_t i = 0; defs != NULL && i < defs->at.len; i++) {
        struct call_rule w = {.def = &defs->at.at[i]};
        vec_push(&x.written, w);
    }
    fterms_reach(t, 1, &root, &reach);
    vec_zero(&x.to, root + 1);
    x.to.len = root + 1;
    for (uint32_t i = 0; i < reach.len; i++)
        x.to.at[reach.at[i]] = expand_node(&x, reach.at[i], &every);
    *out = x.to.at[root];
    if (all != NULL)
        *all = every;
    for (uint32_t i = 0; i < x.axis.len; i++)
        mem_free(x.axis.at[i]);
    vec_release(&x.axis);
    vec_release(&x.written);
    vec_release(&x.to);
    vec_release(&reach);
    mem_free(x.free);
}
