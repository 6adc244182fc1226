// SPDX-License-Identifier: Apache-2.0
// A formula from its text: the term, its shape, what is given.
#include "formula/language/maker.h"

enum { MAX_TREE = 200000, MAX_GIVENS = 64 };

static bool make_root(struct term_maker *m)
{
    uint32_t root = m->r->ast.root, index[MAX_POSITIONS];
    const struct formula_shape s = *maker_shape(m, root);
    for (uint32_t q = 0; q < MAX_POSITIONS; q++)
        index[q] = NO_INDEX;
    for (uint32_t q = s.rank; q-- > 0;) {
        if (!(s.kept >> q & 1))
            index[q] = maker_index(m, s.dim[q], index, MAX_POSITIONS);
        vec_push(&m->f->shape,
                 index[q] == NO_INDEX ? NULL : m->index.at[index[q]].name);
    }
    for (uint32_t i = 0; i < m->r->axis.len; i++)
        if (s.free >> i & 1)
            vec_push(&m->f->shape, m->r->axis.at[i].name);
    m->f->by_name = s.free != 0;
    return maker_term(m, root, index, &m->f->term);
}

static void add_given(struct term_maker *m, fterm cond, enum given_by by)
{
    for (uint32_t i = 0; i < m->f->givens.len; i++)
        if (m->f->givens.at[i].cond == cond)
            return;
    struct fgiven g = {cond, by};
    vec_push(&m->f->givens, g);
}

// What is given of x holds for x{i,k} and for x{j,k}: at all names of indices,
// as long as there are not too many; *some: there is one already.
static bool make_given(struct term_maker *m, uint32_t node, uint32_t q,
                       uint32_t *index, bool *some)
{
    const struct formula_shape s = *maker_shape(m, node);
    fterm cond;
    if (q == s.rank) {
        if (!maker_term(m, node, index, &cond))
            return false;
        if (!*some || m->f->givens.len < MAX_GIVENS)
            add_given(m, cond, GIVEN_DECLARED);
        *some = true;
        return true;
    }
    index[q] = NO_INDEX;
    if (s.kept >> q & 1)
        return make_given(m, node, q + 1, index, some);
    uint32_t dim = reading_dim(m->r, s.dim[q]), n = m->index.len;
    for (uint32_t i = 0; i < n; i++) {
        if (m->index.at[i].dim != dim || maker_index_taken(i, index, q))
            continue;
        index[q] = i;
        if (!make_given(m, node, q + 1, index, some))
            return false;
    }
    return true;
}

static bool is_declared(const struct term_maker *m, const char *name)
{
    for (uint32_t i = 0; i < m->r->variable.len; i++)
        if (strcmp(m->r->variable.at[i].name, name) == 0)
            return m->r->variable.at[i].declared ||
                   m->r->variable.at[i].rank > 0;
    return true;
}

static void add_extents(struct term_maker *m)
{
    fterm zero = maker_number(m, "0"), one = maker_number(m, "1");
    for (uint32_t i = 0; i < m->index.len; i++) {
        fterm n = maker_count(m, i);
        add_given(m, maker_binary(m, "le", one, n), GIVEN_EXTENT);
        add_given(m, maker_binary(m, "lt", zero, n), GIVEN_EXTENT);
        add_given(m, maker_binary(m, "ne", n, zero), GIVEN_EXTENT);
        uint32_t first = maker_index(m, m->index.at[i].dim, NULL, 0);
        if (first != i)
            add_given(m, maker_binary(m, "eq", maker_count(m, first), n),
                      GIVEN_EXTENT);
    }
    for (uint32_t i = 0; i < m->r->cat.len; i++) {
        const struct rcat *c = &m->r->cat.at[i];
        fterm u = maker_count(m, maker_index(m, c->first, NULL, 0));
        fterm v = maker_count(m, maker_index(m, c->second, NULL, 0));
        fterm n = maker_count(m, maker_index(m, c->sum, NULL, 0));
        add_given(m, maker_binary(m, "eq", n, maker_binary(m, "add", u, v)),
                  GIVEN_EXTENT);
    }
}

static bool add_givens(struct term_maker *m)
{
    fterm zero = maker_number(m, "0"), three = maker_number(m, "3");
    fterm pi = fterm_make(m->t, "pi", 0, NULL);
    uint32_t index[MAX_POSITIONS + 1];
    for (uint32_t i = 0; i < m->r->ast.given.len; i++) {
        bool some = false;
        if (i == MAX_GIVENS)
            return reading_fail(m->r, m->r->ast.given.at[i],
                                "more than %d conditions are given",
                                MAX_GIVENS);
        if (!make_given(m, m->r->ast.given.at[i], 0, index, &some))
            return false;
    }
    if (!is_declared(m, "eps"))
        add_given(m,
                  maker_binary(m, "lt", zero, fterm_make(m->t, "eps", 0, NULL)),
                  GIVEN_DECLARED);
    add_extents(m);
    add_given(m, maker_binary(m, "lt", zero, pi), GIVEN_NUMBER);
    add_given(m, maker_binary(m, "lt", three, pi), GIVEN_NUMBER);
    return true;
}

static void list_variables(struct term_maker *m)
{
    struct formula *f = m->f;
    for (uint32_t i = 0; i < m->r->variable.len; i++) {
        const struct rvariable *v = &m->r->variable.at[i];
        struct fvariable x = {v->name, f->axes.len, v->rank};
        for (uint32_t q = v->rank; q-- > 0;)
            vec_push(&f->axes,
                     m->index.at[maker_index(m, v->dim[q], NULL, 0)].name);
        vec_push(&f->variables, x);
    }
}

// The term may be used more than once by itself; written out it must not be
// endless.
static bool check_length(struct term_maker *m)
{
    struct u32_vec reach = {0};
    fterms_reach(m->t, 1, &m->f->term, &reach);
    double *size = mem_alloc((m->f->term + 1) * sizeof *size);
    for (uint32_t i = 0; i < reach.len; i++) {
        fterm x = reach.at[i];
        size[x] = 1;
        for (uint32_t k = 0; k < fterm_n(m->t, x); k++)
            size[x] += size[fterm_args(m->t, x)[k]];
    }
    bool ok = size[m->f->term] <= MAX_TREE;
    mem_free(size);
    vec_release(&reach);
    return ok || reading_fail(m->r, m->r->ast.root,
                              "the formula is too long, definitions written "
                              "out: more than %d operators",
                              MAX_TREE);
}

static bool elaborate(struct reading *r, struct formula *f)
{
    struct term_maker m = {.r = r, .t = f->t, .f = f};
    vec_zero(&m.first, r->ast.node.len);
    m.first.len = r->ast.node.len;
    maker_name_sizes(&m);
    bool ok = make_root(&m) && check_length(&m) && add_givens(&m);
    if (ok)
        list_variables(&m);
    vec_release(&m.index);
    vec_release(&m.made);
    vec_release(&m.first);
    buf_release(&m.text);
    return ok;
}

static void reading_release(struct reading *r)
{
    ast_release(&r->ast);
    vec_release(&r->meaning);
    vec_release(&r->shape);
    vec_release(&r->variable);
    vec_release(&r->axis);
    vec_release(&r->dim);
    vec_release(&r->dim_axis);
    vec_release(&r->cat);
}

bool formula_read(struct formula *f, struct fterms *t,
                  const struct fdefines *defs, const char *file,
                  const char *text, struct err *e)
{
    struct reading r = {.f = f, .defs = defs, .file = file, .e = e};
    memset(f, 0, sizeof *f);
    f->t = t;
    f->defs = defs;
    intern_init(&f->names);
    bool ok = ast_parse(&r.ast, &f->names, file, text, e) &&
              reading_resolve(&r) && reading_infer(&r) && elaborate(&r, f);
    reading_release(&r);
    if (!ok) {
        formula_release(f);
        memset(f, 0, sizeof *f);
    }
    return ok;
}

void formula_release(struct formula *f)
{
    intern_release(&f->names);
    vec_release(&f->variables);
    vec_release(&f->axes);
    vec_release(&f->shape);
    vec_release(&f->extents);
    vec_release(&f->givens);
    vec_release(&f->constants);
}

// Counted from the last, positions of the output are the input's, or of extent
// 1, or there are none: then it is the same along them, as everywhere in the
// language (0 for x - x).  Elements have names in the place of positions.
bool formula_fits(const struct formula *out, const struct formula *in)
{
    uint32_t n = out->shape.len, m = in->shape.len;
    bool names = out->by_name && in->by_name, ok = names || n <= m;
    for (uint32_t i = 1; i <= n && ok; i++) {
        const char *axis = out->shape.at[n - i];
        bool found = axis == NULL;
        for (uint32_t k = 1; k <= m && !found; k++)
            found = (names || k == i) && in->shape.at[m - k] != NULL &&
                    strcmp(axis, in->shape.at[m - k]) == 0;
        ok = found;
    }
    return ok;
}
