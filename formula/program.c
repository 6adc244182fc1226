// SPDX-License-Identifier: Apache-2.0
#include "formula/program.h"
#include "formula/limits.h"

#include "formula/terms/number.h"
#include "tensor/eval/eval.h"

#include <mpfr.h>

struct axis {
    const char *name;
    int64_t size; // 0: not known yet
};
// The tensor of a term: its dimensions are the free axes of the term, in this
// order.
struct term_tensor {
    term_id term;
    uint32_t n, axis[PROGRAM_AXES];
};
struct program_builder {
    const struct formula *formula;
    const struct fterms *terms;
    enum elem elem;
    struct intern names;
    VEC(struct axis) axis;
    struct program *out;
    struct term_tensor *part; // tensor by term
    struct u32_vec leaf;      // axes that read_axes has read
    struct err *err;
};

// ---- axes and their sizes

static uint32_t axis_named(struct program_builder *builder, const char *text, uint32_t len)
{
    for (uint32_t i = 0; i < builder->axis.len; i++)
        if (strlen(builder->axis.at[i].name) == len &&
            memcmp(builder->axis.at[i].name, text, len) == 0)
            return i;
    struct axis axis = {intern_text(&builder->names, intern_bytes(&builder->names, text, len)), 0};
    vec_push(&builder->axis, axis);
    return builder->axis.len - 1;
}

static void take_axis(void *ctx, const char *axis, uint32_t len)
{
    struct program_builder *builder = ctx;
    uint32_t x = axis_named(builder, axis, len);
    vec_push(&builder->leaf, x);
}

// Reads the axes of a leaf into builder->leaf.
static void read_axes(struct program_builder *builder, fterm term)
{
    const char *name = fterm_name(builder->terms, term);
    builder->leaf.len = 0;
    (void)fname_axes(name, (uint32_t)strlen(name), take_axis, builder);
}

static bool set_size(struct program_builder *builder, uint32_t axis, int64_t n, bool *changed)
{
    struct axis *x = &builder->axis.at[axis];
    if (n == 0 || x->size == n)
        return true;
    if (x->size != 0)
        return err_set(builder->err, ERR_INPUT, "axis %s has two sizes: %lld and %lld", x->name,
                       (long long)x->size, (long long)n);
    x->size = n;
    *changed = true;
    return true;
}

// The variable of a leaf x or x{i,j}; NULL: the term is none.
static const struct fvariable *variable_of(const struct program_builder *builder, fterm term,
                                           uint32_t *index)
{
    const char *name = fterm_name(builder->terms, term);
    size_t len = strcspn(name, "{");
    for (uint32_t i = 0; fterm_n(builder->terms, term) == 0 && i < builder->formula->variables.len;
         i++) {
        const struct fvariable *v = &builder->formula->variables.at[i];
        if (strlen(v->name) == len && memcmp(v->name, name, len) == 0) {
            *index = i;
            return v;
        }
    }
    return NULL;
}

static int64_t size_named(struct program_builder *builder, const char *name)
{
    return builder->axis.at[axis_named(builder, name, (uint32_t)strlen(name))].size;
}

// Uses what a term says about the sizes of its axes.
static bool sizes_of_term(struct program_builder *builder, fterm term, bool *changed)
{
    uint32_t index;
    const struct fvariable *v = variable_of(builder, term, &index);
    if (v != NULL) {
        read_axes(builder, term);
        if (builder->leaf.len != v->n)
            return err_set(builder->err, ERR_INPUT, "%s has %u axes", v->name, v->n);
        for (uint32_t i = 0; i < v->n; i++) {
            const char *declared = builder->formula->axes.at[v->at + i];
            if (!set_size(builder, builder->leaf.at[i], size_named(builder, declared), changed))
                return false;
        }
    } else if (fterm_is(builder->terms, term, "concatenate", 5)) {
        uint32_t axis[3];
        for (uint32_t i = 0; i < 3; i++) {
            read_axes(builder, fterm_args(builder->terms, term)[i]);
            if (builder->leaf.len != 1)
                return err_set(builder->err, ERR_INPUT, "concatenate takes axes");
            axis[i] = builder->leaf.at[0];
        }
        int64_t n = builder->axis.at[axis[1]].size, m = builder->axis.at[axis[2]].size;
        return n == 0 || m == 0 || set_size(builder, axis[0], n + m, changed);
    }
    return true;
}

static bool find_sizes(struct program_builder *builder, uint32_t n_sizes, const struct fsize *sizes,
                       const struct u32_vec *reach)
{
    bool changed = true;
    for (uint32_t i = 0; i < n_sizes; i++) {
        uint32_t len = (uint32_t)strlen(sizes[i].axis);
        if (sizes[i].n < 1)
            return err_set(builder->err, ERR_INPUT, "axis %s has no index", sizes[i].axis);
        if (!set_size(builder, axis_named(builder, sizes[i].axis, len), sizes[i].n, &changed))
            return false;
    }
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < reach->len; i++)
            if (!sizes_of_term(builder, reach->at[i], &changed))
                return false;
    }
    return true;
}

// ---- nodes

struct program_node {
    enum op op;
    uint32_t n_attr;
    const int64_t *attr;
    type_id type; // NO_TYPE: inferred
    uint32_t n;
    const term_id *args;
};

static bool build(struct program_builder *builder, const struct program_node *made, term_id *out)
{
    struct terms *terms = &builder->out->terms;
    struct operation operation = {made->op, attr_make(terms->pool, made->n_attr, made->attr),
                                  made->type, made->n};
    return term_build(terms, operation, made->args, out, builder->err);
}

static bool type_of_axes(struct program_builder *builder, enum elem elem, uint32_t n,
                         const uint32_t *axis, type_id *out)
{
    int64_t dims[PROGRAM_AXES] = {0};
    for (uint32_t i = 0; i < n; i++) {
        dims[i] = builder->axis.at[axis[i]].size;
        if (dims[i] == 0)
            return err_set(builder->err, ERR_INPUT, "the size of axis %s is missing",
                           builder->axis.at[axis[i]].name);
    }
    return type_tensor(builder->out->pool, elem, n, dims, out, builder->err);
}

static enum elem elem_of(const struct program_builder *builder, term_id term)
{
    return type_elem(builder->out->pool, term_type(&builder->out->terms, term));
}

static bool constant(struct program_builder *builder, enum elem elem, struct scalar scalar,
                     term_id *out)
{
    type_id type;
    if (!type_of_axes(builder, elem, 0, NULL, &type))
        return false;
    *out =
        term_constant(&builder->out->terms, literal_splat(builder->out->pool, elem, scalar), type);
    return true;
}

// The number is rounded once, to nearest.
static struct scalar rounded(const struct program_builder *builder, mpfr_srcptr x)
{
    mpfr_t y;
    mpfr_init2(y, builder->elem == ELEM_F32 ? 24 : 53);
    mpfr_set(y, x, MPFR_RNDN);
    struct scalar scalar = scalar_of_double(builder->elem, mpfr_get_d(y, MPFR_RNDN));
    mpfr_clear(y);
    return scalar;
}

static bool number(struct program_builder *builder, const char *name, term_id *out)
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
    struct scalar scalar = ok ? rounded(builder, x) : (struct scalar){0};
    mpfr_clear(x);
    mpq_clear(q);
    if (!ok)
        return err_set(builder->err, ERR_INPUT, "no such name: %s", name);
    return constant(builder, builder->elem, scalar, out);
}

// Broadcasts the part to these axes, in this order.
static bool spread(struct program_builder *builder, const struct term_tensor *operand, uint32_t n,
                   const uint32_t *axis, term_id *out)
{
    int64_t dims[PROGRAM_AXES] = {0};
    type_id type;
    if (operand->n == n && memcmp(operand->axis, axis, n * sizeof *axis) == 0) {
        *out = operand->term;
        return true;
    }
    for (uint32_t i = 0; i < operand->n; i++)
        for (uint32_t k = 0; k < n; k++)
            if (axis[k] == operand->axis[i])
                dims[i] = k;
    return type_of_axes(builder, elem_of(builder, operand->term), n, axis, &type) &&
           build(builder,
                 &(struct program_node){OP_BROADCAST_IN_DIM, operand->n, dims, type, 1,
                                        &operand->term},
                 out);
}

// Appends the axes that the tensor lacks.
static bool unite(struct program_builder *builder, struct term_tensor *operand, uint32_t n,
                  const uint32_t *axis)
{
    for (uint32_t i = 0; i < n; i++) {
        bool known = false;
        for (uint32_t k = 0; k < operand->n; k++)
            known |= operand->axis[k] == axis[i];
        if (known)
            continue;
        if (operand->n == PROGRAM_AXES)
            return err_set(builder->err, ERR_LIMIT, "a tensor of more than %d axes", PROGRAM_AXES);
        operand->axis[operand->n++] = axis[i];
    }
    return true;
}

static bool variable(struct program_builder *builder, fterm term, uint32_t index,
                     struct term_tensor *out)
{
    read_axes(builder, term);
    out->n = builder->leaf.len;
    if (out->n > PROGRAM_AXES)
        return err_set(builder->err, ERR_LIMIT, "a tensor of more than %d axes", PROGRAM_AXES);
    for (uint32_t i = 0; i < out->n; i++) {
        out->axis[i] = builder->leaf.at[i];
        for (uint32_t k = 0; k < i; k++)
            if (out->axis[k] == out->axis[i])
                return err_set(builder->err, ERR_INPUT, "%s has an axis twice",
                               fterm_name(builder->terms, term));
    }
    type_id type;
    return type_of_axes(builder, builder->elem, out->n, out->axis, &type) &&
           build(builder,
                 &(struct program_node){OP_PARAMETER, 2, (int64_t[]){0, index}, type, 0, NULL},
                 &out->term);
}

static bool leaf(struct program_builder *builder, fterm term, struct term_tensor *out)
{
    const char *name = fterm_name(builder->terms, term);
    uint32_t index;
    if (fname_is_axes(name, (uint32_t)strlen(name)))
        return true; // a set of axes, which its operator reads
    if (strcmp(name, "true") == 0 || strcmp(name, "false") == 0)
        return constant(builder, ELEM_I1, (struct scalar){.bits = name[0] == 't'}, &out->term);
    if (variable_of(builder, term, &index) != NULL)
        return variable(builder, term, index, out);
    return number(builder, name, &out->term);
}

static bool elementwise(struct program_builder *builder, fterm term, enum op op, uint32_t n_attr,
                        const int64_t *attr, struct term_tensor *out)
{
    const fterm *args = fterm_args(builder->terms, term);
    uint32_t n = fterm_n(builder->terms, term);
    term_id operand[3];
    for (uint32_t i = 0; i < n; i++)
        if (!unite(builder, out, builder->part[args[i]].n, builder->part[args[i]].axis))
            return false;
    for (uint32_t i = 0; i < n; i++)
        if (!spread(builder, &builder->part[args[i]], out->n, out->axis, &operand[i]))
            return false;
    return build(builder, &(struct program_node){op, n_attr, attr, NO_TYPE, n, operand},
                 &out->term);
}

static bool count(struct program_builder *builder, fterm term, struct term_tensor *out)
{
    mpfr_t n;
    bool ok = true;
    read_axes(builder, fterm_args(builder->terms, term)[0]);
    mpfr_init2(n, 1024);
    mpfr_set_ui(n, 1, MPFR_RNDN);
    for (uint32_t i = 0; ok && i < builder->leaf.len; i++) {
        const struct axis *axis = &builder->axis.at[builder->leaf.at[i]];
        if (axis->size == 0)
            ok = err_set(builder->err, ERR_INPUT, "the size of axis %s is missing", axis->name);
        mpfr_mul_si(n, n, (long)axis->size, MPFR_RNDN);
    }
    ok = ok && constant(builder, builder->elem, rounded(builder, n), &out->term);
    mpfr_clear(n);
    return ok;
}

// Axes of the set that the operand does not depend on count, too: the operand
// is repeated along them.
static bool reduce(struct program_builder *builder, fterm term, enum op reducer,
                   struct term_tensor *out)
{
    struct term_tensor all = builder->part[fterm_args(builder->terms, term)[1]];
    int64_t attr[PROGRAM_AXES + 1] = {reducer};
    uint32_t n = 1;
    term_id operand[2];
    read_axes(builder, fterm_args(builder->terms, term)[0]);
    if (!unite(builder, &all, builder->leaf.len, builder->leaf.at) ||
        !spread(builder, &builder->part[fterm_args(builder->terms, term)[1]], all.n, all.axis,
                &operand[0]))
        return false;
    for (uint32_t i = 0; i < all.n; i++) {
        bool bound = false;
        for (uint32_t k = 0; k < builder->leaf.len; k++)
            bound |= builder->leaf.at[k] == all.axis[i];
        if (bound)
            attr[n++] = i;
        else
            out->axis[out->n++] = all.axis[i];
    }
    enum elem elem = elem_of(builder, operand[0]);
    return constant(builder, elem, reducer_unit(reducer, elem), &operand[1]) &&
           build(builder, &(struct program_node){OP_REDUCE, n, attr, NO_TYPE, 2, operand},
                 &out->term);
}

static bool concatenate(struct program_builder *builder, fterm term, struct term_tensor *out)
{
    const fterm *args = fterm_args(builder->terms, term);
    struct term_tensor half[2];
    uint32_t along, own;
    term_id operand[2];
    read_axes(builder, args[0]);
    along = builder->leaf.at[0];
    out->n = 1;
    out->axis[0] = along;
    for (uint32_t i = 0; i < 2; i++) {
        read_axes(builder, args[1 + i]);
        own = builder->leaf.at[0];
        // The axis of this half comes first.
        struct term_tensor first = {.n = 1, .axis = {own}};
        half[i] = builder->part[args[3 + i]];
        if (!unite(builder, &first, half[i].n, half[i].axis))
            return false;
        for (uint32_t k = 1; k < first.n; k++)
            if (first.axis[k] == along)
                return err_set(builder->err, ERR_INPUT, "axis %s is not new",
                               builder->axis.at[along].name);
        if (!unite(builder, out, first.n - 1, first.axis + 1))
            return false;
    }
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t axis[PROGRAM_AXES];
        read_axes(builder, args[1 + i]);
        memcpy(axis, out->axis, out->n * sizeof *axis);
        axis[0] = builder->leaf.at[0];
        for (uint32_t k = 1; k < out->n; k++)
            if (axis[k] == axis[0])
                return err_set(builder->err, ERR_INPUT, "axis %s is bound and free",
                               builder->axis.at[axis[0]].name);
        if (!spread(builder, &half[i], out->n, axis, &operand[i]))
            return false;
    }
    return build(builder,
                 &(struct program_node){OP_CONCATENATE, 1, (int64_t[]){0}, NO_TYPE, 2, operand},
                 &out->term);
}

static bool node(struct program_builder *builder, fterm term, struct term_tensor *out)
{
    static const struct {
        const char *name;
        enum compare_dir dir;
    } compares[] = {{"lt", CMP_LT}, {"le", CMP_LE}, {"eq", CMP_EQ}, {"ne", CMP_NE}};
    const char *name = fterm_name(builder->terms, term);
    uint32_t n = fterm_n(builder->terms, term);
    enum op op;
    if (n == 0)
        return leaf(builder, term, out);
    if (strcmp(name, "count") == 0)
        return count(builder, term, out);
    if (fterm_is(builder->terms, term, "concatenate", 5))
        return concatenate(builder, term, out);
    for (size_t i = 0; i < sizeof compares / sizeof *compares; i++)
        if (fterm_is(builder->terms, term, compares[i].name, 2))
            return elementwise(builder, term, OP_COMPARE, 2,
                               (int64_t[]){compares[i].dir, CMPT_FLOAT}, out);
    if (strncmp(name, "reduce_", 7) == 0 && n == 2 && op_by_name(name + 7, &op) &&
        op_is_reducer(op))
        return reduce(builder, term, op, out);
    if (op_by_name(name, &op) && op_is_elementwise(op) && n <= 3 && op_arity(op) == (int)n)
        return elementwise(builder, term, op, 0, NULL, out);
    return err_set(builder->err, ERR_INPUT,
                   "%s has no operator in programs; expand its definition first", name);
}

// ---- the function

static bool add_parameters(struct program_builder *builder, struct function *fn)
{
    const struct formula *formula = builder->formula;
    for (uint32_t i = 0; i < formula->variables.len; i++) {
        const struct fvariable *v = &formula->variables.at[i];
        uint32_t axis[PROGRAM_AXES];
        struct param param = {.name = sym_make(builder->out->pool, v->name)};
        if (v->n > PROGRAM_AXES)
            return err_set(builder->err, ERR_LIMIT, "a tensor of more than %d axes", PROGRAM_AXES);
        for (uint32_t k = 0; k < v->n; k++) {
            const char *name = formula->axes.at[v->at + k];
            axis[k] = axis_named(builder, name, (uint32_t)strlen(name));
        }
        if (!type_of_axes(builder, builder->elem, v->n, axis, &param.type))
            return false;
        vec_push(&fn->params, param);
    }
    return true;
}

// Adds the result in the shape of the formula, with kept extents.
static bool add_result(struct program_builder *builder, const struct term_tensor *operand,
                       struct function *fn)
{
    const struct formula *formula = builder->formula;
    int64_t sizes[PROGRAM_AXES], dims[PROGRAM_AXES];
    uint32_t found = 0, n = formula->shape.len;
    struct result result = {.term = operand->term};
    bool same = operand->n == n;
    if (n > PROGRAM_AXES)
        return err_set(builder->err, ERR_LIMIT, "a tensor of more than %d axes", PROGRAM_AXES);
    for (uint32_t q = 0; q < n; q++) {
        const char *name = formula->shape.at[q];
        sizes[q] = name == NULL ? 1 : size_named(builder, name);
        if (sizes[q] == 0)
            return err_set(builder->err, ERR_INPUT, "the size of axis %s is missing", name);
        for (uint32_t i = 0; name != NULL && i < operand->n; i++)
            if (strcmp(builder->axis.at[operand->axis[i]].name, name) == 0) {
                dims[i] = q;
                same = same && i == q;
                found++;
            }
    }
    if (found != operand->n)
        return err_set(builder->err, ERR_INPUT, "the term has an axis that the formula lacks");
    if (!type_tensor(builder->out->pool, elem_of(builder, operand->term), n, sizes, &result.type,
                     builder->err) ||
        (!(same && found == n) &&
         !build(builder,
                &(struct program_node){OP_BROADCAST_IN_DIM, operand->n, dims, result.type, 1,
                                       &operand->term},
                &result.term)))
        return false;
    vec_push(&fn->results, result);
    return true;
}

static bool build_all(struct program_builder *builder, fterm term, uint32_t n_sizes,
                      const struct fsize *sizes)
{
    struct u32_vec reach = {0};
    struct function fn = {.name = sym_make(builder->out->pool, "main"),
                          .visibility = sym_make(builder->out->pool, ""),
                          .attrs = sym_make(builder->out->pool, "")};
    fterms_reach(builder->terms, 1, &term, &reach);
    bool ok = find_sizes(builder, n_sizes, sizes, &reach) && add_parameters(builder, &fn);
    for (uint32_t i = 0; ok && i < reach.len; i++) {
        struct term_tensor operand = {0};
        ok = node(builder, reach.at[i], &operand);
        builder->part[reach.at[i]] = operand;
    }
    ok = ok && add_result(builder, &builder->part[term], &fn);
    vec_push(&builder->out->functions, fn);
    sym_id none = sym_make(builder->out->pool, "");
    struct module module = {.name = none, .attrs = none, .functions_end = 1};
    vec_push(&builder->out->modules, module);
    vec_release(&reach);
    return ok;
}

bool formula_program(const struct program_request *request, struct program *out, struct err *err)
{
    const struct formula *formula = request->formula;
    enum elem elem = request->elem;
    struct program_builder builder = {
        .formula = formula, .terms = formula->terms, .elem = elem, .out = out, .err = err};
    if (elem != ELEM_F32 && elem != ELEM_F64)
        return err_set(err, ERR_INPUT, "expected f32 or f64 as the element type of a program");
    intern_init(&builder.names);
    builder.part = mem_alloc((request->term + 1) * sizeof *builder.part);
    bool ok = build_all(&builder, request->term, request->n_sizes, request->sizes);
    mem_free(builder.part);
    vec_release(&builder.axis);
    vec_release(&builder.leaf);
    intern_release(&builder.names);
    return ok;
}
