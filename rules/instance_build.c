// SPDX-License-Identifier: Apache-2.0
// The one place where a pattern becomes terms.  Arguments come before users in
// the pattern array, so one pass upwards over the nodes below the root builds
// each once.
#include "rules/instance.h"
#include "base/buf.h"
#include "tensor/eval.h"
#include <math.h>

struct build {
    const struct instance *in;
    const struct builder *b;
    term_id *term; // per pattern node
    struct err *e;
};

// One pattern node at work; its operands in the order in[k].
struct step {
    const struct pat *p;
    const struct order *out;
    uint32_t n;
    const term_id *args;
};

static bool make(struct build *w, enum op op, uint32_t n_attr,
                 const int64_t *attr, type_id want, uint32_t n,
                 const term_id *args, term_id *out)
{
    attr_id a = attr_make(w->b->terms->pool, n_attr, attr);
    return w->b->make(w->b->ctx, op, a, want, n, args, out, w->e);
}

static bool make_constant(struct build *w, lit_id lit, type_id type,
                          term_id *out)
{
    int64_t attr = (int64_t)lit.v;
    return make(w, OP_CONSTANT, 1, &attr, type, 0, NULL, out);
}

static bool make_scalar(struct build *w, enum elem t, struct scalar s,
                        term_id *out)
{
    struct pool *pool = w->b->terms->pool;
    type_id type;
    return type_tensor(pool, t, 0, NULL, &type, w->e) &&
           make_constant(w, literal_splat(pool, t, s), type, out);
}

static bool overflow(struct build *w, const struct pat *p)
{
    return err_at(w->e, ERR_LIMIT, w->in->rule->file, p->place.line,
                  p->place.col,
                  "rule %s: an attribute or size does not fit in 64 bits, or "
                  "divides by zero",
                  w->in->rule->name);
}

static bool transposed(struct build *w, term_id t, const struct order *from,
                       const struct order *to, term_id *out)
{
    *out = t;
    if (order_same(from, to))
        return true;
    int64_t perm[MAX_RANK];
    if (to->n != from->n || to->n > MAX_RANK)
        return err_set(w->e, ERR_CHECK, "orders of %u and %u axes", from->n,
                       to->n);
    for (uint32_t i = 0; i < to->n; i++) {
        uint32_t at = order_find(from, to->axis[i]);
        if (at == NONE)
            return err_set(w->e, ERR_CHECK, "axis %u is not in the operand",
                           to->axis[i]);
        perm[i] = at;
    }
    return make(w, OP_TRANSPOSE, to->n, perm, NO_TYPE, 1, &t, out);
}

// The type of the node from the inferred shape.
static bool declared_type(struct build *w, const struct step *s, type_id *out)
{
    int64_t dims[MAX_RANK];
    if (s->out->n > MAX_RANK)
        return err_set(w->e, ERR_LIMIT, "rank %u is over %d", s->out->n,
                       MAX_RANK);
    for (uint32_t i = 0; i < s->out->n; i++)
        if (!instance_size(w->in, s->p->n_sizes, s->p->sizes, s->out->axis[i],
                           &dims[i]))
            return overflow(w, s->p);
    for (uint32_t i = 0; i < s->out->n; i++)
        if (dims[i] < 0)
            return err_set(w->e, ERR_INPUT, "expected a size >= 0, found %lld",
                           (long long)dims[i]);
    return type_tensor(w->b->terms->pool, w->in->elem[s->p->type], s->out->n,
                       dims, out, w->e);
}

static bool int_fits(enum elem t, int64_t k)
{
    unsigned bits = elem_bits(t);
    switch (elem_kind(t)) {
    case KIND_BOOL:
        return k == 0 || k == 1;
    case KIND_SINT:
        return bits == 0 || bits >= 64 ||
               (k >= -((int64_t)1 << (bits - 1)) && k < (int64_t)1
                                                            << (bits - 1));
    case KIND_UINT:
        return k >= 0 && (bits >= 64 || k < (int64_t)1 << bits);
    case KIND_FLOAT: {
        if (t == ELEM_REAL)
            return true;
        double d = scalar_to_double(t, scalar_of_int(t, k));
        return fabs(d) < 9.2e18 && (int64_t)d == k;
    }
    case KIND_ANY:
        break;
    }
    return false;
}

// "-12.5" = -125/10.  False when it does not fit, or has an exponent.
static bool decimal_ratio(const char *text, int64_t *num, int64_t *den)
{
    bool negative = *text == '-', fraction = false;
    *num = 0;
    *den = 1;
    for (text += negative; *text != '\0'; text++) {
        if (*text == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (*text < '0' || *text > '9' ||
            __builtin_mul_overflow(*num, (int64_t)10, num) ||
            __builtin_add_overflow(*num, (int64_t)(*text - '0'), num) ||
            (fraction && __builtin_mul_overflow(*den, (int64_t)10, den)))
            return false;
    }
    if (negative)
        *num = -*num;
    return true;
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
}

// Compares two decimals without sign or exponent, digit by digit.
static int compare_decimals(const char *a, const char *b)
{
    a += strspn(a, "0");
    b += strspn(b, "0");
    size_t na = strcspn(a, "."), nb = strcspn(b, ".");
    if (na != nb)
        return na < nb ? -1 : 1;
    while (*a != '\0' || *b != '\0') {
        char x = *a != '\0' ? *a++ : '0', y = *b != '\0' ? *b++ : '0';
        x = x == '.' ? '0' : x; // only one of them may have a fraction
        y = y == '.' ? '0' : y;
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

// Sign of the text's value minus d, up to the sign of both.
static int decimal_rest(const char *text, double d)
{
    int64_t num, den;
    const int64_t exact = (int64_t)1 << 53;
    if (decimal_ratio(text, &num, &den) && den < exact && num < exact &&
        num > -exact) {
        double rest = fma(fabs(d), (double)den, -fabs((double)num));
        return rest < 0 ? 1 : rest > 0 ? -1 : 0;
    }
    struct buf all = {0};
    buf_printf(&all, "%.1074f", fabs(d)); // every binary64 ends by then
    int side = compare_decimals(text + (*text == '-'), buf_text(&all));
    buf_release(&all);
    return side;
}

// Rounded to odd: a second rounding to a narrower type is then the right one.
static double decimal_odd(const char *text)
{
    double d = strtod(text, NULL);
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    if (!isfinite(d) || (bits & 1))
        return d;
    int side = decimal_rest(text, d);
    return side == 0 ? d : nextafter(d, copysign(side > 0 ? INFINITY : 0, d));
}

static bool decimal(const char *text, enum elem t, struct scalar *out,
                    struct err *e)
{
    if (t != ELEM_REAL) {
        *out = scalar_of_double(t, t == ELEM_F64 ? strtod(text, NULL)
                                                 : decimal_odd(text));
        return true;
    }
    int64_t num, den;
    if (!decimal_ratio(text, &num, &den))
        return err_set(e, ERR_LIMIT,
                       "literal %s is not a fraction of 64-bit integers", text);
    int64_t g = num == 0 ? den : gcd(num, den);
    *out = (struct scalar){0, num / g, den / g};
    return true;
}

bool pat_literal(const struct rule *r, const struct pat *p, enum elem t,
                 const struct op_binding *ops, struct scalar *out,
                 struct err *e)
{
    bool is_float = elem_kind(t) == KIND_FLOAT, fits = true;
    *out = (struct scalar){0, 0, 1};
    switch (p->lit) {
    case LIT_INT:
        fits = int_fits(t, p->k);
        if (fits)
            *out = scalar_of_int(t, p->k);
        break;
    case LIT_DECIMAL:
        fits = is_float;
        if (fits && !decimal(p->text, t, out, e))
            return false;
        break;
    case LIT_BOOL:
        fits = t == ELEM_I1;
        if (fits)
            *out = scalar_of_int(t, p->k);
        break;
    case LIT_INF:
        fits = is_float;
        if (fits)
            *out = p->k > 0 ? scalar_highest(t) : scalar_lowest(t);
        break;
    case LIT_LOWEST:
        *out = scalar_lowest(t);
        break;
    case LIT_HIGHEST:
        *out = scalar_highest(t);
        break;
    case LIT_VALUE:
        fits = false;
        break;
    case LIT_UNIT: {
        enum op op = p->opvar == NONE ? p->reducer : ops[p->opvar].op;
        fits = op_is_reducer(op) && (op_kinds(op) & elem_kind(t));
        if (fits)
            *out = reducer_unit(op, t);
        break;
    }
    }
    return fits || err_at(e, ERR_LIMIT, r->file, p->place.line, p->place.col,
                          "rule %s: this literal is no value of %s", r->name,
                          elem_text(t));
}

static bool literal(struct build *w, const struct pat *p, term_id *out)
{
    enum elem t = w->in->elem[p->type];
    struct scalar s;
    return pat_literal(w->in->rule, p, t, w->in->op, &s, w->e) &&
           make_scalar(w, t, s, out);
}

// A constant is spread as a splat constant; only literals and scalar variables
// can be one, so that the form never depends on what a builder folds.
static bool splat(struct build *w, const struct step *s, term_id *out)
{
    struct terms *t = w->b->terms;
    type_id type;
    if (s->out->n == 0) {
        *out = s->args[0];
        return true;
    }
    if (!declared_type(w, s, &type))
        return false;
    const struct pat *arg = &w->in->rule->pats[s->p->args[0]];
    lit_id lit = NO_LIT;
    if (arg->kind == PAT_LITERAL || arg->kind == PAT_SCALAR)
        lit = term_literal(t, s->args[0]);
    if (lit.v == NO_LIT.v)
        return make(w, OP_BROADCAST_IN_DIM, 0, NULL, type, 1, s->args, out);
    enum elem elem = pool_literal(t->pool, lit)->elem;
    struct scalar v = literal_get(t->pool, lit, 0);
    if (type_count(t->pool, type) > 0)
        return make_constant(w, literal_splat(t->pool, elem, v), type, out);
    return make_constant(w, literal_make(t->pool, elem, 0, ""), type, out);
}

// Attribute j of slice or pad at position i of the operand.
static bool attribute(struct build *w, const struct step *s, uint32_t i,
                      uint32_t j, int64_t *value)
{
    const struct instance *in = w->in;
    uint32_t axis = s->out->axis[i], c = in->axis_class[axis];
    for (uint32_t k = 0; k < s->p->n_attrs; k++) {
        const struct pat_attr *a = &s->p->attrs[k];
        if (a->cls != c || a->v[j] == NULL)
            continue;
        struct axis_size one = {c, a->v[j]};
        return instance_size(in, 1, &one, axis, value) || overflow(w, s->p);
    }
    type_id type = term_type(w->b->terms, s->args[0]);
    *value = 0;
    if (s->p->op == OP_SLICE && j == 1)
        *value = type_dims(w->b->terms->pool, type)[i];
    if (s->p->op == OP_SLICE && j == 2)
        *value = 1;
    return true;
}

static bool slice_or_pad(struct build *w, const struct step *s, term_id *out)
{
    int64_t attr[3 * MAX_RANK];
    uint32_t rank = s->out->n;
    *out = s->args[0];
    for (uint32_t j = 0; j < 3; j++)
        for (uint32_t i = 0; i < rank; i++)
            if (!attribute(w, s, i, j, &attr[j * rank + i]))
                return false;
    return rank == 0 ||
           make(w, s->p->op, 3 * rank, attr, NO_TYPE, s->n, s->args, out);
}

// Positions in `o` of the axes of the classes, ascending.
static uint32_t positions(const struct build *w, const struct order *o,
                          uint64_t classes, int64_t *dims)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < o->n; i++)
        if (classes >> w->in->axis_class[o->axis[i]] & 1)
            dims[n++] = i;
    return n;
}

static bool one_dim(struct build *w, const struct step *s, int64_t *dim)
{
    int64_t dims[MAX_RANK] = {0};
    uint32_t n = positions(w, s->out, s->p->classes, dims);
    *dim = dims[0];
    return n == 1 ||
           err_set(w->e, ERR_CHECK, "%s along %u axes", op_name(s->p->op), n);
}

static bool reduce(struct build *w, const struct step *s,
                   const struct order *operand, term_id *out)
{
    int64_t attr[1 + MAX_RANK];
    uint32_t n = positions(w, operand, s->p->classes, attr + 1);
    *out = s->args[0];
    if (n == 0)
        return true;
    enum op op =
        s->p->opvar == NONE ? s->p->reducer : w->in->op[s->p->opvar].op;
    enum elem t = w->in->elem[s->p->type];
    if (!op_is_reducer(op) || !(op_kinds(op) & elem_kind(t)))
        return err_set(w->e, ERR_CHECK, "%s is no reducer of %s", op_name(op),
                       elem_text(t));
    attr[0] = (int64_t)op;
    term_id args[2] = {s->args[0], NO_TERM};
    return make_scalar(w, t, reducer_unit(op, t), &args[1]) &&
           make(w, OP_REDUCE, 1 + n, attr, NO_TYPE, 2, args, out);
}

static bool broadcast(struct build *w, const struct step *s,
                      const struct order *operand, term_id *out)
{
    int64_t dims[MAX_RANK];
    type_id type;
    if (operand->n == s->out->n)
        return transposed(w, s->args[0], operand, s->out, out);
    for (uint32_t i = 0; i < operand->n; i++) {
        uint32_t at = order_find(s->out, operand->axis[i]);
        if (at == NONE)
            return err_set(w->e, ERR_CHECK, "broadcast drops axis %u",
                           operand->axis[i]);
        dims[i] = at;
    }
    if (!declared_type(w, s, &type))
        return false;
    // No size-1 dimension is stretched: that would be another axis.
    const struct pool *pool = w->b->terms->pool;
    type_id from = term_type(w->b->terms, s->args[0]);
    for (uint32_t i = 0; i < operand->n; i++)
        if (type_dims(pool, from)[i] != type_dims(pool, type)[dims[i]])
            return err_set(w->e, ERR_INPUT,
                           "expected size %lld to broadcast, found %lld",
                           (long long)type_dims(pool, type)[dims[i]],
                           (long long)type_dims(pool, from)[i]);
    return make(w, OP_BROADCAST_IN_DIM, operand->n, dims, type, 1, s->args,
                out);
}

enum compare_type compare_type_of(enum elem t)
{
    switch (elem_kind(t)) {
    case KIND_FLOAT:
        return CMPT_FLOAT;
    case KIND_SINT:
        return CMPT_SIGNED;
    case KIND_BOOL:
    case KIND_UINT:
    case KIND_ANY:
        break;
    }
    return CMPT_UNSIGNED;
}

// `want` is the result of a convert, else not given.
static bool convert_type(struct build *w, const struct step *s, enum op op,
                         uint32_t result, type_id *want)
{
    struct pool *pool = w->b->terms->pool;
    *want = NO_TYPE;
    if (op != OP_CONVERT)
        return true;
    type_id from = term_type(w->b->terms, s->args[0]);
    int64_t dims[MAX_RANK];
    uint32_t rank = type_rank(pool, from);
    for (uint32_t i = 0; i < rank; i++)
        dims[i] = type_dims(pool, from)[i];
    return type_tensor(pool, w->in->elem[result], rank, dims, want, w->e);
}

static bool operator_node(struct build *w, const struct step *s,
                          const struct pat_place *place, term_id *out)
{
    int64_t attr[MAX_RANK];
    type_id want;
    switch (s->p->op) {
    case OP_SLICE:
    case OP_PAD:
        return slice_or_pad(w, s, out);
    case OP_REDUCE:
        return reduce(w, s, &place->in[0], out);
    case OP_BROADCAST_IN_DIM:
        return broadcast(w, s, &place->in[0], out);
    case OP_REVERSE: {
        uint32_t n = positions(w, s->out, s->p->classes, attr);
        *out = s->args[0];
        return n == 0 || make(w, OP_REVERSE, n, attr, NO_TYPE, 1, s->args, out);
    }
    case OP_CONCATENATE:
        return one_dim(w, s, attr) &&
               make(w, OP_CONCATENATE, 1, attr, NO_TYPE, s->n, s->args, out);
    case OP_IOTA:
        return one_dim(w, s, attr) && declared_type(w, s, &want) &&
               make(w, OP_IOTA, 1, attr, want, 0, NULL, out);
    case OP_COMPARE:
        attr[0] = (int64_t)s->p->dir;
        attr[1] = (int64_t)compare_type_of(
            w->in->elem[w->in->rule->pats[s->p->args[0]].type]);
        return make(w, OP_COMPARE, 2, attr, NO_TYPE, s->n, s->args, out);
    default:
        return convert_type(w, s, s->p->op, s->p->type, &want) &&
               make(w, s->p->op, 0, NULL, want, s->n, s->args, out);
    }
}

static bool variable_node(struct build *w, const struct step *s, term_id *out)
{
    const struct op_binding *v = &w->in->op[s->p->var];
    const struct op_var *decl = &w->in->rule->opvars[s->p->var];
    type_id want;
    return convert_type(w, s, v->op, decl->result, &want) &&
           w->b->make(w->b->ctx, v->op, v->attr, want, s->n, s->args, out,
                      w->e);
}

static bool build_node(struct build *w, uint32_t i)
{
    const struct instance *in = w->in;
    const struct pat *p = &in->rule->pats[i];
    const struct pat_place *place = &in->pat[i];
    term_id small[8], *args = small, *out = &w->term[i];
    if (p->n_args > 8)
        args = mem_alloc(p->n_args * sizeof *args);
    struct step s = {p, &place->out, p->n_args, args};
    bool ok = true;
    for (uint32_t k = 0; ok && k < p->n_args; k++)
        ok = transposed(w, w->term[p->args[k]], &in->pat[p->args[k]].out,
                        &place->in[k], &args[k]);
    switch (ok ? p->kind : PAT_TENSOR) {
    case PAT_TENSOR:
        *out = ok ? in->tensor[p->var] : NO_TERM;
        break;
    case PAT_SCALAR:
        *out = in->scalar[p->var];
        break;
    case PAT_LITERAL:
        ok = literal(w, p, out);
        break;
    case PAT_SPLAT:
        ok = splat(w, &s, out);
        break;
    case PAT_OP:
        ok = operator_node(w, &s, place, out);
        break;
    case PAT_OPVAR:
        ok = variable_node(w, &s, out);
        break;
    case PAT_RELABEL:
        *out = args[0];
        break;
    }
    if (args != small)
        mem_free(args);
    if (!ok)
        return false;
    if (out->v >= w->b->terms->term.len)
        return err_set(w->e, ERR_CHECK, "rule %s: a variable has no term",
                       in->rule->name);
    type_id type = term_type(w->b->terms, *out);
    const struct pool *pool = w->b->terms->pool;
    if (!type_is_tensor(pool, type) ||
        type_elem(pool, type) != in->elem[p->type] ||
        type_rank(pool, type) != place->out.n)
        return err_set(w->e, ERR_CHECK,
                       "rule %s: pattern node %u has another type than its "
                       "term",
                       in->rule->name, i);
    return true;
}

bool instance_build(const struct instance *in, uint32_t root,
                    const struct builder *b, term_id *out, struct err *e)
{
    struct build w = {in, b, NULL, e};
    bool *below = mem_alloc(root + 1);
    w.term = mem_alloc((root + 1) * sizeof *w.term);
    below[root] = true;
    for (uint32_t i = root + 1; i-- > 0;)
        for (uint32_t k = 0; below[i] && k < in->rule->pats[i].n_args; k++)
            below[in->rule->pats[i].args[k]] = true;
    bool ok = true;
    for (uint32_t i = 0; ok && i <= root; i++)
        ok = !below[i] || build_node(&w, i);
    if (ok)
        *out = w.term[root];
    mem_free(w.term);
    mem_free(below);
    return ok;
}

bool instance_build_as(const struct instance *in, uint32_t root,
                       const struct order *wanted, const struct builder *b,
                       term_id *out, struct err *e)
{
    struct build w = {in, b, NULL, e};
    term_id t;
    return instance_build(in, root, b, &t, e) &&
           transposed(&w, t, &in->pat[root].out, wanted, out);
}
