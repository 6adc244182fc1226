// SPDX-License-Identifier: Apache-2.0
#include "formula/program.h"

#include "formula/terms/number.h"
#include "tensor/eval/eval.h"

#include <mpfr.h>

enum { MOST_AXES = 16 };

struct axis {
    const char *name;
    int64_t size; // 0: not known yet
};
// A term's tensor: its dimensions are the term's free axes, in this order.
struct term_tensor {
    term_id term;
    uint32_t n, axis[MOST_AXES];
};
struct program_builder {
    const struct formula *f;
    const struct fterms *t;
    enum elem elem;
    struct intern names;
    VEC(struct axis) axis;
    struct program *out;
    struct term_tensor *part;   // by term
    struct u32_vec leaf; // axes that take_axis has read
    struct err *e;
};

// ---- axes and their sizes

static uint32_t axis_named(struct program_builder *b, const char *s, uint32_t len)
{
    for (uint32_t i = 0; i < b->axis.len; i++)
        if (strlen(b->axis.at[i].name) == len &&
            memcmp(b->axis.at[i].name, s, len) == 0)
            return i;
    struct axis x = {intern_text(&b->names, intern_bytes(&b->names, s, len)),
                     0};
    vec_push(&b->axis, x);
    return b->axis.len - 1;
}

static void take_axis(void *ctx, const char *axis, uint32_t len)
{
    struct program_builder *b = ctx;
    uint32_t x = axis_named(b, axis, len);
    vec_push(&b->leaf, x);
}

// Reads the axes of a leaf into b->leaf.
static void read_axes(struct program_builder *b, fterm x)
{
    const char *name = fterm_name(b->t, x);
    b->leaf.len = 0;
    (void)fname_axes(name, (uint32_t)strlen(name), take_axis, b);
}

static bool set_size(struct program_builder *b, uint32_t axis, int64_t n, bool *changed)
{
    struct axis *x = &b->axis.at[axis];
    if (n == 0 || x->size == n)
        return true;
    if (x->size != 0)
        return err_set(b->e, ERR_INPUT, "axis %s has two sizes: %lld and %lld",
                       x->name, (long long)x->size, (long long)n);
    x->size = n;
    *changed = true;
    return true;
}

// The variable of a leaf x or x{i,j}; NULL: it is none.
static const struct fvariable *variable_of(const struct program_builder *b, fterm x,
                                           uint32_t *index)
{
    const char *name = fterm_name(b->t, x);
    size_t len = strcspn(name, "{");
    for (uint32_t i = 0; fterm_n(b->t, x) == 0 && i < b->f->variables.len;
         i++) {
        const struct fvariable *v = &b->f->variables.at[i];
        if (strlen(v->name) == len && memcmp(v->name, name, len) == 0) {
            *index = i;
            return v;
        }
    }
    return NULL;
}

static int64_t size_named(struct program_builder *b, const char *name)
{
    return b->axis.at[axis_named(b, name, (uint32_t)strlen(name))].size;
}

// What a term says of the sizes of its axes.
static bool sizes_of_term(struct program_builder *b, fterm x, bool *changed)
{
    uint32_t index;
    const struct fvariable *v = variable_of(b, x, &index);
    if (v != NULL) {
        read_axes(b, x);
        if (b->leaf.len != v->n)
            return err_set(b->e, ERR_INPUT, "%s has %u axes", v->name, v->n);
        for (uint32_t i = 0; i < v->n; i++) {
            const char *declared = b->f->axes.at[v->at + i];
            if (!set_size(b, b->leaf.at[i], size_named(b, declared), changed))
                return false;
        }
    } else if (fterm_is(b->t, x, "concatenate", 5)) {
        uint32_t axis[3];
        for (uint32_t i = 0; i < 3; i++) {
            read_axes(b, fterm_args(b->t, x)[i]);
            if (b->leaf.len != 1)
                return err_set(b->e, ERR_INPUT, "concatenate takes axes");
            axis[i] = b->leaf.at[0];
        }
        int64_t n = b->axis.at[axis[1]].size, m = b->axis.at[axis[2]].size;
        return n == 0 || m == 0 || set_size(b, axis[0], n + m, changed);
    }
    return true;
}

static bool find_sizes(struct program_builder *b, uint32_t n_sizes,
                       const struct fsize *sizes, const struct u32_vec *reach)
{
    bool changed = true;
    for (uint32_t i = 0; i < n_sizes; i++) {
        uint32_t len = (uint32_t)strlen(sizes[i].axis);
        if (sizes[i].n < 1)
            return err_set(b->e, ERR_INPUT, "axis %s has no index",
                           sizes[i].axis);
        if (!set_size(b, axis_named(b, sizes[i].axis, len), sizes[i].n,
                      &changed))
            return false;
    }
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < reach->len; i++)
            if (!sizes_of_term(b, reach->at[i], &changed))
                return false;
    }
    return true;
}

// ---- nodes

static bool build(struct program_builder *b, enum op op, uint32_t n_attr,
                  const int64_t *attr, type_id want, uint32_t n,
                  const term_id *args, term_id *out)
{
    struct terms *t = &b->out->terms;
    return term_build(t, op, attr_make(t->pool, n_attr, attr), want, n, args,
                      out, b->e);
}

static bool type_of_axes(struct program_builder *b, enum elem elem, uint32_t n,
                         const uint32_t *axis, type_id *out)
{
    int64_t dims[MOST_AXES] = {0};
    for (uint32_t i = 0; i < n; i++) {
        dims[i] = b->axis.at[axis[i]].size;
        if (dims[i] == 0)
            return err_set(b->e, ERR_INPUT, "the size of axis %s is missing",
                           b->axis.at[axis[i]].name);
    }
    return type_tensor(b->out->pool, elem, n, dims, out, b->e);
}

static enum elem elem_of(const struct program_builder *b, term_id x)
{
    return type_elem(b->out->pool, term_type(&b->out->terms, x));
}

static bool constant(struct program_builder *b, enum elem elem, struct scalar s,
                     term_id *out)
{
    type_id type;
    if (!type_of_axes(b, elem, 0, NULL, &type))
        return false;
    *out = term_constant(&b->out->terms, literal_splat(b->out->pool, elem, s),
                         type);
    return true;
}

// Rounded once, to nearest.
static struct scalar rounded(const struct program_builder *b, mpfr_srcptr x)
{
    mpfr_t y;
    mpfr_init2(y, b->elem == ELEM_F32 ? 24 : 53);
    mpfr_set(y, x, MPFR_RNDN);
    struct scalar s = scalar_of_double(b->elem, mpfr_get_d(y, MPFR_RNDN));
    mpfr_clear(y);
    return s;
}

static bool number(struct program_builder *b, const char *name, term_id *out)
{
    // Every rational of NUMBER_MAX_BITS bits is rounded as if it were exact.
    enum { BITS = 4 * NUMBER_MAX_BITS };
    mpfr_t x;
    mpq_t q;
    mpfr_init2(x, BITS);
    mpq_init(q);
    bool ok = true;
    if (strcmp(name, "pi") == 0)
        mpfr_const_pi(x, MPFR_RNDN);
    else if ((ok = number_parse(name, (uint32_t)strlen(name), q)))
        mpfr_set_q(x, q, MPFR_RNDN);
    struct scalar s = ok ? rounded(b, x) : (struct scalar){0};
    mpfr_clear(x);
    mpq_clear(q);
    if (!ok)
        return err_set(b->e, ERR_INPUT, "no such name: %s", name);
    return constant(b, b->elem, s, out);
}

// The part with these axes, in this order; those that it lacks are new.
static bool spread(struct program_builder *b, const struct term_tensor *x, uint32_t n,
                   const uint32_t *axis, term_id *out)
{
    int64_t dims[MOST_AXES] = {0};
    type_id type;
    if (x->n == n && memcmp(x->axis, axis, n * sizeof *axis) == 0) {
        *out = x->term;
        return true;
    }
    for (uint32_t i = 0; i < x->n; i++)
        for (uint32_t k = 0; k < n; k++)
            if (axis[k] == x->axis[i])
                dims[i] = k;
    return type_of_axes(b, elem_of(b, x->term), n, axis, &type) &&
           build(b, OP_BROADCAST_IN_DIM, x->n, dims, type, 1, &x->term, out);
}

// Axes of y that x lacks go behind those of x.
static bool unite(struct program_builder *b, struct term_tensor *x, uint32_t n,
                  const uint32_t *axis)
{
    for (uint32_t i = 0; i < n; i++) {
        bool known = false;
        for (uint32_t k = 0; k < x->n; k++)
            known |= x->axis[k] == axis[i];
        if (known)
            continue;
        if (x->n == MOST_AXES)
            return err_set(b->e, ERR_LIMIT, "a tensor of more than %d axes",
                           MOST_AXES);
        x->axis[x->n++] = axis[i];
    }
    return true;
}

static bool variable(struct program_builder *b, fterm x, uint32_t index,
                     struct term_tensor *out)
{
    read_axes(b, x);
    out->n = b->leaf.len;
    if (out->n > MOST_AXES)
        return err_set(b->e, ERR_LIMIT, "a tensor of more than %d axes",
                       MOST_AXES);
    for (uint32_t i = 0; i < out->n; i++) {
        out->axis[i] = b->leaf.at[i];
        for (uint32_t k = 0; k < i; k++)
            if (out->axis[k] == out->axis[i])
                return err_set(b->e, ERR_INPUT, "%s has an axis twice",
                               fterm_name(b->t, x));
    }
    type_id type;
    return type_of_axes(b, b->elem, out->n, out->axis, &type) &&
           build(b, OP_PARAMETER, 2, (int64_t[]){0, index}, type, 0, NULL,
                 &out->term);
}

static bool leaf(struct program_builder *b, fterm x, struct term_tensor *out)
{
    const char *name = fterm_name(b->t, x);
    uint32_t index;
    if (fname_is_axes(name, (uint32_t)strlen(name)))
        return true; // read by its operator
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return constant(b, ELEM_I1, (struct scalar){.bits = name[0] == 't'},
                        &out->term);
    if (variable_of(b, x, &index) != NULL)
        return variable(b, x, index, out);
    return number(b, name, &out->term);
}

static bool elementwise(struct program_builder *b, fterm x, enum op op, uint32_t n_attr,
                        const int64_t *attr, struct term_tensor *out)
{
    const fterm *args = fterm_args(b->t, x);
    uint32_t n = fterm_n(b->t, x);
    term_id operand[3];
    for (uint32_t i = 0; i < n; i++)
        if (!unite(b, out, b->part[args[i]].n, b->part[args[i]].axis))
            return false;
    for (uint32_t i = 0; i < n; i++)
        if (!spread(b, &b->part[args[i]], out->n, out->axis, &operand[i]))
            return false;
    return build(b, op, n_attr, attr, NO_TYPE, n, operand, &out->term);
}

static bool count(struct program_builder *b, fterm x, struct term_tensor *out)
{
    mpfr_t n;
    bool ok = true;
    read_axes(b, fterm_args(b->t, x)[0]);
    mpfr_init2(n, 1024);
    mpfr_set_ui(n, 1, MPFR_RNDN);
    for (uint32_t i = 0; ok && i < b->leaf.len; i++) {
        const struct axis *a = &b->axis.at[b->leaf.at[i]];
        if (a->size == 0)
            ok = err_set(b->e, ERR_INPUT, "the size of axis %s is missing",
                         a->name);
        mpfr_mul_si(n, n, (long)a->size, MPFR_RNDN);
    }
    ok = ok && constant(b, b->elem, rounded(b, n), &out->term);
    mpfr_clear(n);
    return ok;
}

// Axes of the set that the operand does not depend on count, too: it is
// repeated along them.
static bool reduce(struct program_builder *b, fterm x, enum op reducer,
                   struct term_tensor *out)
{
    struct term_tensor all = b->part[fterm_args(b->t, x)[1]];
    int64_t attr[MOST_AXES + 1] = {reducer};
    uint32_t n = 1;
    term_id operand[2];
    read_axes(b, fterm_args(b->t, x)[0]);
    if (!unite(b, &all, b->leaf.len, b->leaf.at) ||
        !spread(b, &b->part[fterm_args(b->t, x)[1]], all.n, all.axis,
                &operand[0]))
        return false;
    for (uint32_t i = 0; i < all.n; i++) {
        bool bound = false;
        for (uint32_t k = 0; k < b->leaf.len; k++)
            bound |= b->leaf.at[k] == all.axis[i];
        if (bound)
            attr[n++] = i;
        else
            out->axis[out->n++] = all.axis[i];
    }
    enum elem elem = elem_of(b, operand[0]);
    return constant(b, elem, reducer_unit(reducer, elem), &operand[1]) &&
           build(b, OP_REDUCE, n, attr, NO_TYPE, 2, operand, &out->term);
}

static bool concatenate(struct program_builder *b, fterm x, struct term_tensor *out)
{
    const fterm *args = fterm_args(b->t, x);
    struct term_tensor half[2];
    uint32_t along, own;
    term_id operand[2];
    read_axes(b, args[0]);
    along = b->leaf.at[0];
    out->n = 1;
    out->axis[0] = along;
    for (uint32_t i = 0; i < 2; i++) {
        read_axes(b, args[1 + i]);
        own = b->leaf.at[0];
        // The axis of this half comes first.
        struct term_tensor first = {.n = 1, .axis = {own}};
        half[i] = b->part[args[3 + i]];
        if (!unite(b, &first, half[i].n, half[i].axis))
            return false;
        for (uint32_t k = 1; k < first.n; k++)
            if (first.axis[k] == along)
                return err_set(b->e, ERR_INPUT, "axis %s is not new",
                               b->axis.at[along].name);
        if (!unite(b, out, first.n - 1, first.axis + 1))
            return false;
    }
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t axis[MOST_AXES];
        read_axes(b, args[1 + i]);
        memcpy(axis, out->axis, out->n * sizeof *axis);
        axis[0] = b->leaf.at[0];
        for (uint32_t k = 1; k < out->n; k++)
            if (axis[k] == axis[0])
                return err_set(b->e, ERR_INPUT, "axis %s is bound and free",
                               b->axis.at[axis[0]].name);
        if (!spread(b, &half[i], out->n, axis, &operand[i]))
            return false;
    }
    return build(b, OP_CONCATENATE, 1, (int64_t[]){0}, NO_TYPE, 2, operand,
                 &out->term);
}

static bool node(struct program_builder *b, fterm x, struct term_tensor *out)
{
    static const struct {
        const char *name;
        enum compare_dir dir;
    } compares[] = {
        {"lt", CMP_LT}, {"le", CMP_LE}, {"eq", CMP_EQ}, {"ne", CMP_NE}};
    const char *name = fterm_name(b->t, x);
    uint32_t n = fterm_n(b->t, x);
    enum op op;
    if (n == 0)
        return leaf(b, x, out);
    if (strcmp(name, "count") == 0)
        return count(b, x, out);
    if (fterm_is(b->t, x, "concatenate", 5))
        return concatenate(b, x, out);
    for (size_t i = 0; i < sizeof compares / sizeof *compares; i++)
        if (fterm_is(b->t, x, compares[i].name, 2))
            return elementwise(b, x, OP_COMPARE, 2,
                               (int64_t[]){compares[i].dir, CMPT_FLOAT}, out);
    if (strncmp(name, "reduce_", 7) == 0 && n == 2 &&
        op_by_name(name + 7, &op) && op_is_reducer(op))
        return reduce(b, x, op, out);
    if (op_by_name(name, &op) && op_is_elementwise(op) && n <= 3 &&
        op_arity(op) == (int)n)
        return elementwise(b, x, op, 0, NULL, out);
    return err_set(b->e, ERR_INPUT, "%s has no program; write it out", name);
}

// ---- the function

static bool add_parameters(struct program_builder *b, struct function *fn)
{
    const struct formula *f = b->f;
    for (uint32_t i = 0; i < f->variables.len; i++) {
        const struct fvariable *v = &f->variables.at[i];
        uint32_t axis[MOST_AXES];
        struct param p = {.name = sym_make(b->out->pool, v->name)};
        if (v->n > MOST_AXES)
            return err_set(b->e, ERR_LIMIT, "a tensor of more than %d axes",
                           MOST_AXES);
        for (uint32_t k = 0; k < v->n; k++) {
            const char *name = f->axes.at[v->at + k];
            axis[k] = axis_named(b, name, (uint32_t)strlen(name));
        }
        if (!type_of_axes(b, b->elem, v->n, axis, &p.type))
            return false;
        vec_push(&fn->params, p);
    }
    return true;
}

// The result in the formula's shape, with kept extents.
static bool add_result(struct program_builder *b, const struct term_tensor *x,
                       struct function *fn)
{
    const struct formula *f = b->f;
    int64_t sizes[MOST_AXES], dims[MOST_AXES];
    uint32_t found = 0, n = f->shape.len;
    struct result r = {.term = x->term};
    bool same = x->n == n;
    if (n > MOST_AXES)
        return err_set(b->e, ERR_LIMIT, "a tensor of more than %d axes",
                       MOST_AXES);
    for (uint32_t q = 0; q < n; q++) {
        const char *name = f->shape.at[q];
        sizes[q] = name == NULL ? 1 : size_named(b, name);
        if (sizes[q] == 0)
            return err_set(b->e, ERR_INPUT, "the size of axis %s is missing",
                           name);
        for (uint32_t i = 0; name != NULL && i < x->n; i++)
            if (strcmp(b->axis.at[x->axis[i]].name, name) == 0) {
                dims[i] = q;
                same = same && i == q;
                found++;
            }
    }
    if (found != x->n)
        return err_set(b->e, ERR_INPUT,
                       "the term has an axis that the formula has not");
    if (!type_tensor(b->out->pool, elem_of(b, x->term), n, sizes, &r.type,
                     b->e) ||
        (!(same && found == n) && !build(b, OP_BROADCAST_IN_DIM, x->n, dims,
                                         r.type, 1, &x->term, &r.term)))
        return false;
    vec_push(&fn->results, r);
    return true;
}

static bool build_all(struct program_builder *b, fterm x, uint32_t n_sizes,
                      const struct fsize *sizes)
{
    struct u32_vec reach = {0};
    struct function fn = {.name = sym_make(b->out->pool, "main"),
                          .visibility = sym_make(b->out->pool, ""),
                          .attrs = sym_make(b->out->pool, "")};
    fterms_reach(b->t, 1, &x, &reach);
    bool ok = find_sizes(b, n_sizes, sizes, &reach) && add_parameters(b, &fn);
    for (uint32_t i = 0; ok && i < reach.len; i++) {
        struct term_tensor p = {0};
        ok = node(b, reach.at[i], &p);
        b->part[reach.at[i]] = p;
    }
    ok = ok && add_result(b, &b->part[x], &fn);
    vec_push(&b->out->functions, fn);
    vec_release(&reach);
    return ok;
}

bool formula_program(const struct formula *f, fterm x, enum elem elem,
                     uint32_t n_sizes, const struct fsize *sizes,
                     struct program *out, struct err *e)
{
    struct program_builder b = {.f = f, .t = f->t, .elem = elem, .out = out, .e = e};
    if (elem != ELEM_F32 && elem != ELEM_F64)
        return err_set(e, ERR_INPUT, "formulas are programs over f32 or f64");
    intern_init(&b.names);
    b.part = mem_alloc((x + 1) * sizeof *b.part);
    bool ok = build_all(&b, x, n_sizes, sizes);
    mem_free(b.part);
    vec_release(&b.axis);
    vec_release(&b.leaf);
    intern_release(&b.names);
    return ok;
}
