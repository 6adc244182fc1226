// SPDX-License-Identifier: Apache-2.0
// What the inference of shapes is made of: sizes as integer expressions, sets
// of attributes, the checks that several operators share.
#include "rules/language/shapes/elaborate.h"

// A node without attributes; fields that do not apply hold NONE or N_OPS.
struct pat pat_blank(enum pat_kind kind, enum op op, struct place at)
{
    return (struct pat){.kind = kind,
                        .op = op,
                        .var = NONE,
                        .reducer = N_OPS,
                        .opvar = NONE,
                        .place = at};
}

static uint32_t count_bits(uint64_t set)
{
    uint32_t n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
}

// ---- sizes ----

const struct iexp *iexp_number(struct parser *p, int64_t k)
{
    struct iexp *x = ARENA_NEW(p->mem, struct iexp, 1);
    x->k = k;
    x->map = NONE;
    x->nodes = 1;
    return x;
}

static bool is_const(const struct iexp *x, int64_t k)
{
    return x->op == IE_CONST && x->k == k;
}

// Inferred sizes leave out what adds nothing.  NULL operands stay NULL.
const struct iexp *iexp_sum(struct parser *p, const struct iexp *a,
                            const struct iexp *b, struct place at)
{
    if (!a || !b)
        return NULL;
    if (is_const(b, 0))
        return a;
    if (is_const(a, 0))
        return b;
    return iexp_new(p, IE_ADD, a, b, at);
}

const struct iexp *iexp_product(struct parser *p, const struct iexp *a,
                                const struct iexp *b, struct place at)
{
    if (!a || !b)
        return NULL;
    if (is_const(b, 1))
        return a;
    if (is_const(a, 1))
        return b;
    return iexp_new(p, IE_MUL, a, b, at);
}

static const struct iexp *binary(struct parser *p, enum iexp_op op,
                                 const struct iexp *a, const struct iexp *b,
                                 struct place at)
{
    return a && b ? iexp_new(p, op, a, b, at) : NULL;
}

// n elements with d - 1 gaps between neighbours: (n - 1)*d + 1, 0 of none.
static const struct iexp *dilated(struct parser *p, const struct iexp *n,
                                  const struct iexp *d, struct place at)
{
    if (!n || !d || is_const(d, 1) || is_const(n, 1))
        return n;
    const struct iexp *one = iexp_number(p, 1);
    const struct iexp *gaps = binary(p, IE_SUB, n, one, at);
    gaps = binary(p, IE_MAX, gaps, iexp_number(p, 0), at);
    gaps = iexp_product(p, gaps, d, at);
    return iexp_sum(p, gaps, binary(p, IE_MIN, n, one, at), at);
}

// Windows have an element at least, so that one larger than what it slides over
// makes the quotient negative, and `max` gives 0.
const struct iexp *window_result(struct parser *p, const struct iexp *n,
                                 const struct iexp *w,
                                 const struct iexp *const v[5], struct place at)
{
    const struct iexp *x = dilated(p, n, v[3], at);
    if (v[1])
        x = iexp_sum(p, x, v[1], at);
    if (v[2])
        x = iexp_sum(p, x, v[2], at);
    x = binary(p, IE_SUB, x, dilated(p, w, v[4], at), at);
    if (v[0] && !is_const(v[0], 1))
        x = binary(p, IE_DIV, x, v[0], at);
    x = iexp_sum(p, x, iexp_number(p, 1), at);
    return binary(p, IE_MAX, x, iexp_number(p, 0), at);
}

const struct iexp *slice_result(struct parser *p, const struct iexp *n,
                                const struct iexp *const v[3], struct place at)
{
    const struct iexp *x = v[1] ? v[1] : n;
    if (v[0] && !is_const(v[0], 0))
        x = iexp_new(p, IE_SUB, x, v[0], at);
    if (x && v[2] && !is_const(v[2], 1))
        x = iexp_new(p, IE_CDIV, x, v[2], at);
    return x;
}

const struct iexp *pad_result(struct parser *p, const struct iexp *n,
                              const struct iexp *const v[3], struct place at)
{
    const struct iexp *x = n;
    if (v[0])
        x = iexp_sum(p, x, v[0], at);
    if (v[1])
        x = iexp_sum(p, x, v[1], at);
    if (x && v[2] && !is_const(v[2], 0)) {
        const struct iexp *gaps = iexp_new(p, IE_SUB, n, iexp_number(p, 1), at);
        gaps = gaps ? iexp_new(p, IE_MAX, gaps, iexp_number(p, 0), at) : NULL;
        gaps = gaps ? iexp_new(p, IE_MUL, gaps, v[2], at) : NULL;
        x = iexp_sum(p, x, gaps, at);
    }
    return x;
}

const struct iexp *size_on(const struct parser *p, uint32_t pat, uint32_t cls)
{
    const struct pat *n = &p->pats.at[pat];
    for (uint32_t i = 0; i < n->n_sizes; i++)
        if (n->sizes[i].cls == cls)
            return n->sizes[i].size;
    return NULL;
}

struct axis_size *sizes_copy(struct parser *p, const struct pat *n)
{
    struct axis_size *s = ARENA_NEW(p->mem, struct axis_size, n->n_sizes + 1);
    for (uint32_t i = 0; i < n->n_sizes; i++)
        s[i] = n->sizes[i];
    return s;
}

void attrs_of_set(struct parser *p, struct pat *n, const struct attr_set *set)
{
    struct pat_attr *attrs =
        ARENA_NEW(p->mem, struct pat_attr, count_bits(set->classes) + 1);
    n->attrs = attrs;
    for (uint32_t c = 0; c < LIMIT_CLASSES; c++) {
        if (!(set->classes >> c & 1))
            continue;
        attrs[n->n_attrs].cls = c;
        for (int k = 0; k < N_ATTRS; k++)
            attrs[n->n_attrs].v[k] = set->v[c][k];
        n->n_attrs++;
    }
}

// The sizes of the attribute set as a shape.
void sizes_of_set(struct parser *p, struct pat *n, const struct attr_set *set)
{
    struct axis_size *s =
        ARENA_NEW(p->mem, struct axis_size, count_bits(set->classes) + 1);
    n->sizes = s;
    n->n_sizes = 0;
    for (uint32_t c = 0; c < LIMIT_CLASSES; c++)
        if (set->classes >> c & 1)
            s[n->n_sizes++] = (struct axis_size){c, set->v[c][0]};
}

bool classes_present(struct parser *p, uint32_t arg, uint64_t classes,
                     struct place at, const char *what)
{
    uint64_t have = pat_classes(p, arg);
    if (!(classes & ~have))
        return true;
    return parser_fail(p, at, "%s: %s not among the classes %s of the operand", what,
                classes_text(p, classes & ~have), classes_text(p, have));
}

bool class_single(struct parser *p, uint32_t cls, struct place at,
                  const char *what)
{
    return p->classes.at[cls].single ||
           parser_fail(p, at,
                "%s goes along a single `axis`, but `%s` is declared "
                "`axes`",
                what, p->classes.at[cls].name);
}

bool classes_apart(struct parser *p, uint64_t classes, struct place at,
                   const char *what)
{
    uint32_t c = 0;
    while (c < p->classes.len && !(classes >> c & 1 && p->classes.at[c].block))
        c++;
    if (c == p->classes.len)
        return true;
    struct buf b = {0};
    buf_printf(&b, "%s: ", what);
    parser_fail_block(p, at, c, buf_text(&b),
               "is not to be taken axis by axis; name other classes in braces "
               "if they are meant");
    buf_release(&b);
    return false;
}

bool pat_scalar(struct parser *p, uint32_t pat, const char *what,
                const char *role)
{
    const struct pat *v = &p->pats.at[pat];
    return v->n_sizes == 0 ||
           parser_fail(p, v->place,
                "%s: expected a scalar to %s, found the classes %s", what, role,
                classes_text(p, pat_classes(p, pat)));
}

bool reducer_type(struct parser *p, const struct pat *n, uint32_t type,
                  struct place at, const char *what)
{
    return n->opvar != NONE
               ? type_unify(p, p->opvars.at[n->opvar].result, type, at, what)
               : type_require(p, type, op_kinds(n->reducer), at, what);
}

bool initial_value(struct parser *p, uint32_t init, uint32_t type,
                   const char *what)
{
    return init == NONE || (pat_scalar(p, init, what, "start from") &&
                            type_unify(p, type, p->pats.at[init].type,
                                       p->pats.at[init].place, what));
}
