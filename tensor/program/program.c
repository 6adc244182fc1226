// SPDX-License-Identifier: Apache-2.0
#include "tensor/program/program.h"
#include <inttypes.h>
#include <stdlib.h>

void program_init(struct program *p, struct pool *pool)
{
    *p = (struct program){0};
    p->pool = pool;
    terms_init(&p->terms, pool);
}

void program_release(struct program *p)
{
    for (uint32_t i = 0; i < p->functions.len; i++) {
        vec_release(&p->functions.at[i].params);
        vec_release(&p->functions.at[i].results);
        vec_release(&p->functions.at[i].effects);
    }
    vec_release(&p->functions);
    vec_release(&p->extras);
    terms_release(&p->terms);
    *p = (struct program){0};
}

void function_roots(const struct function *f, struct u32_vec *out)
{
    vec_clear(out);
    for (uint32_t i = 0; !f->declaration && i < f->results.len; i++)
        vec_push(out, f->results.at[i].term.v);
    for (uint32_t i = 0; i < f->effects.len; i++)
        vec_push(out, f->effects.at[i].v);
}

// The nodes that a function's results and effects reach.
static void function_reach(const struct program *p, const struct function *f,
                           struct u32_vec *out)
{
    struct u32_vec roots = {0};
    VEC(term_id) ids = {0};
    function_roots(f, &roots);
    for (uint32_t i = 0; i < roots.len; i++)
        vec_push(&ids, (term_id){roots.at[i]});
    terms_reach(&p->terms, ids.len, ids.at, out);
    vec_release(&ids);
    vec_release(&roots);
}

uint32_t function_size(const struct program *p, const struct function *f)
{
    struct u32_vec reach = {0};
    uint32_t n = 0;
    function_reach(p, f, &reach);
    for (uint32_t i = 0; i < reach.len; i++) {
        enum op op = term_op(&p->terms, (term_id){reach.at[i]});
        n += op != OP_PARAMETER && op != OP_RESULT;
    }
    vec_release(&reach);
    return n;
}

// Checking.  Serials are gathered over all functions and sorted at the end.
struct program_checker {
    const struct program *p;
    const struct function *f;
    uint32_t index;        // of f
    struct u32_vec listed; // by term: function whose effect it is + 1, or 0
    struct i64_vec serials;
    struct err *e;
};

static const char *function_name(const struct program_checker *c)
{
    return sym_text(c->p->pool, c->f->name);
}

static bool symbol_ok(const struct program_checker *c, sym_id s)
{
    if (s.v < c->p->pool->symbols.entry.len)
        return true;
    return err_set(c->e, ERR_CHECK, "a program names symbol %u of %u", s.v,
                   c->p->pool->symbols.entry.len);
}

static bool type_ok(const struct program_checker *c, type_id t)
{
    if (t.v >= c->p->pool->type.len)
        return err_set(c->e, ERR_CHECK, "@%s: type %u does not exist",
                       function_name(c), t.v);
    if (pool_type(c->p->pool, t)->form == TYPE_TUPLE)
        return err_set(c->e, ERR_CHECK, "@%s: a value has the type of several",
                       function_name(c));
    return true;
}

static bool check_signature(const struct program_checker *c)
{
    const struct function *f = c->f;
    const struct terms *t = &c->p->terms;
    if (!symbol_ok(c, f->name) || !symbol_ok(c, f->visibility) ||
        !symbol_ok(c, f->attrs))
        return false;
    for (uint32_t i = 0; i < f->params.len; i++)
        if (!symbol_ok(c, f->params.at[i].name) ||
            !symbol_ok(c, f->params.at[i].attrs) ||
            !type_ok(c, f->params.at[i].type))
            return false;
    for (uint32_t i = 0; i < f->results.len; i++) {
        const struct result *r = &f->results.at[i];
        if (!symbol_ok(c, r->attrs) || !type_ok(c, r->type))
            return false;
        if (f->declaration ? r->term.v != NO_TERM.v
                           : r->term.v >= t->term.len ||
                                 term_type(t, r->term).v != r->type.v)
            return err_set(c->e, ERR_CHECK,
                           "@%s: result %u is not a term of its type",
                           function_name(c), i);
    }
    if (f->declaration && f->effects.len)
        return err_set(c->e, ERR_CHECK, "@%s: a declaration has effects",
                       function_name(c));
    return true;
}

static int64_t serial(const struct terms *t, term_id id)
{
    if (term_op(t, id) != OP_OPAQUE)
        return 0;
    return attr_at(t->pool, term_at(t, id)->attr)[2];
}

static bool check_effects(struct program_checker *c)
{
    const struct terms *t = &c->p->terms;
    for (uint32_t i = 0; i < c->f->effects.len; i++) {
        term_id id = c->f->effects.at[i];
        if (id.v >= t->term.len || !serial(t, id))
            return err_set(c->e, ERR_CHECK,
                           "@%s: effect %u is no node with a side effect",
                           function_name(c), i);
        if (c->listed.at[id.v])
            return err_set(c->e, ERR_CHECK,
                           "@%s: term %u stands twice among the effects",
                           function_name(c), id.v);
        c->listed.at[id.v] = c->index + 1;
        vec_push(&c->serials, serial(t, id));
    }
    return true;
}

static bool check_parameter(const struct program_checker *c, const struct term *x)
{
    const int64_t *v = attr_at(c->p->pool, x->attr);
    if (v[0] != c->index || v[1] >= c->f->params.len)
        return err_set(c->e, ERR_CHECK,
                       "@%s reaches parameter %" PRId64 " of function %" PRId64,
                       function_name(c), v[1], v[0]);
    if (x->type.v != c->f->params.at[v[1]].type.v)
        return err_set(c->e, ERR_CHECK,
                       "@%s: parameter %" PRId64 " has another type",
                       function_name(c), v[1]);
    return true;
}

static bool check_body(const struct program_checker *c)
{
    struct u32_vec reach = {0};
    bool ok = true;
    function_reach(c->p, c->f, &reach);
    for (uint32_t i = 0; ok && i < reach.len; i++) {
        term_id id = {reach.at[i]};
        const struct term *x = term_at(&c->p->terms, id);
        if (x->op == OP_PARAMETER)
            ok = check_parameter(c, x);
        if (ok && serial(&c->p->terms, id) &&
            c->listed.at[id.v] != c->index + 1)
            ok = err_set(c->e, ERR_CHECK,
                         "@%s: term %u has a side effect and is not listed",
                         function_name(c), id.v);
    }
    vec_release(&reach);
    return ok;
}

static int compare_i64(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static bool check_serials(struct program_checker *c)
{
    struct i64_vec *s = &c->serials;
    if (s->len)
        qsort(s->at, s->len, sizeof *s->at, compare_i64);
    for (uint32_t i = 1; i < s->len; i++)
        if (s->at[i] == s->at[i - 1])
            return err_set(c->e, ERR_CHECK,
                           "serial %" PRId64 " stands for two side effects",
                           s->at[i]);
    return true;
}

static bool check_names(const struct program_checker *c)
{
    const struct program *p = c->p;
    struct i64_vec names = {0};
    bool ok = true;
    for (uint32_t i = 0; i < p->functions.len; i++) {
        const struct function *f = &p->functions.at[i];
        vec_push(&names, f->name.v);
    }
    if (names.len)
        qsort(names.at, names.len, sizeof *names.at, compare_i64);
    for (uint32_t i = 0; ok && i < names.len; i++)
        if (names.at[i] == 0)
            ok = err_set(c->e, ERR_CHECK, "a function has no name");
        else if (i && names.at[i] == names.at[i - 1])
            ok = err_set(c->e, ERR_CHECK, "two functions are named '@%s'",
                         sym_text(p->pool, (sym_id){(uint32_t)names.at[i]}));
    vec_release(&names);
    return ok;
}

static bool check_functions(struct program_checker *c)
{
    for (uint32_t i = 0; i < c->p->functions.len; i++) {
        c->f = &c->p->functions.at[i];
        c->index = i;
        if (!check_signature(c) || !check_effects(c) || !check_body(c))
            return false;
    }
    return check_names(c) && check_serials(c);
}

bool program_check(const struct program *p, struct err *e)
{
    struct program_checker c = {.p = p, .e = e};
    if (!terms_check(&p->terms, e) || !symbol_ok(&c, p->module_name) ||
        !symbol_ok(&c, p->module_attrs))
        return false;
    for (uint32_t i = 0; i < p->extras.len; i++)
        if (!symbol_ok(&c, p->extras.at[i]))
            return false;
    vec_reserve(&c.listed, p->terms.term.len);
    if (p->terms.term.len)
        memset(c.listed.at, 0, p->terms.term.len * sizeof *c.listed.at);
    bool ok = check_functions(&c);
    vec_release(&c.listed);
    vec_release(&c.serials);
    return ok;
}
