// SPDX-License-Identifier: Apache-2.0
// The parts of the inference of shapes: sizes as integer expressions, sets of
// attributes, checks that several operators share.
#include "rules/language/shapes/elaborate.h"
#include "rules/language/tokens/hints.h"

// A node without attributes; fields that do not apply hold NONE or N_OPS.
struct pat pat_blank(enum pat_kind kind, enum op op, struct place at)
{
    return (struct pat){
        .kind = kind, .op = op, .var = NONE, .reducer = N_OPS, .opvar = NONE, .place = at};
}

static uint32_t count_bits(uint64_t set)
{
    uint32_t n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
}

// ---- sizes ----

const struct iexp *iexp_number(struct parser *parser, int64_t k)
{
    struct iexp *expr = ARENA_NEW(parser->mem, struct iexp, 1);
    expr->k = k;
    expr->map = NONE;
    expr->nodes = 1;
    return expr;
}

static bool is_const(const struct iexp *expr, int64_t k)
{
    return expr->op == IE_CONST && expr->k == k;
}

// Inferred sizes omit terms of 0 and factors of 1.  NULL operands give NULL.
const struct iexp *iexp_sum(struct parser *parser, const struct iexp *a, const struct iexp *b,
                            struct place at)
{
    if (!a || !b)
        return NULL;
    if (is_const(b, 0))
        return a;
    if (is_const(a, 0))
        return b;
    return iexp_new(parser, IE_ADD, a, b, at);
}

const struct iexp *iexp_product(struct parser *parser, const struct iexp *a, const struct iexp *b,
                                struct place at)
{
    if (!a || !b)
        return NULL;
    if (is_const(b, 1))
        return a;
    if (is_const(a, 1))
        return b;
    return iexp_new(parser, IE_MUL, a, b, at);
}

static const struct iexp *binary(struct parser *parser, enum iexp_op op, const struct iexp *a,
                                 const struct iexp *b, struct place at)
{
    return a && b ? iexp_new(parser, op, a, b, at) : NULL;
}

// The length of n elements with d - 1 gaps between neighbours: (n - 1)*d + 1, or 0 if
// n = 0.
static const struct iexp *dilated(struct parser *parser, const struct iexp *n, const struct iexp *d,
                                  struct place at)
{
    if (!n || !d || is_const(d, 1) || is_const(n, 1))
        return n;
    const struct iexp *one = iexp_number(parser, 1);
    const struct iexp *gaps = binary(parser, IE_SUB, n, one, at);
    gaps = binary(parser, IE_MAX, gaps, iexp_number(parser, 0), at);
    gaps = iexp_product(parser, gaps, d, at);
    return iexp_sum(parser, gaps, binary(parser, IE_MIN, n, one, at), at);
}

// A window has at least one element.  So a window longer than its axis makes the
// quotient negative, and `max` gives 0.
const struct iexp *window_result(struct parser *parser, const struct iexp *n, const struct iexp *w,
                                 const struct iexp *const v[5], struct place at)
{
    const struct iexp *expr = dilated(parser, n, v[3], at);
    if (v[1])
        expr = iexp_sum(parser, expr, v[1], at);
    if (v[2])
        expr = iexp_sum(parser, expr, v[2], at);
    expr = binary(parser, IE_SUB, expr, dilated(parser, w, v[4], at), at);
    if (v[0] && !is_const(v[0], 1))
        expr = binary(parser, IE_DIV, expr, v[0], at);
    expr = iexp_sum(parser, expr, iexp_number(parser, 1), at);
    return binary(parser, IE_MAX, expr, iexp_number(parser, 0), at);
}

const struct iexp *slice_result(struct parser *parser, const struct iexp *n,
                                const struct iexp *const v[3], struct place at)
{
    const struct iexp *expr = v[1] ? v[1] : n;
    if (v[0] && !is_const(v[0], 0))
        expr = iexp_new(parser, IE_SUB, expr, v[0], at);
    if (expr && v[2] && !is_const(v[2], 1))
        expr = iexp_new(parser, IE_CDIV, expr, v[2], at);
    return expr;
}

const struct iexp *pad_result(struct parser *parser, const struct iexp *n,
                              const struct iexp *const v[3], struct place at)
{
    const struct iexp *expr = n;
    if (v[0])
        expr = iexp_sum(parser, expr, v[0], at);
    if (v[1])
        expr = iexp_sum(parser, expr, v[1], at);
    if (expr && v[2] && !is_const(v[2], 0)) {
        const struct iexp *gaps = iexp_new(parser, IE_SUB, n, iexp_number(parser, 1), at);
        gaps = gaps ? iexp_new(parser, IE_MAX, gaps, iexp_number(parser, 0), at) : NULL;
        gaps = gaps ? iexp_new(parser, IE_MUL, gaps, v[2], at) : NULL;
        expr = iexp_sum(parser, expr, gaps, at);
    }
    return expr;
}

const struct iexp *size_on(const struct parser *parser, uint32_t pat, uint32_t cls)
{
    const struct pat *pattern = &parser->pats.at[pat];
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        if (pattern->sizes[i].cls == cls)
            return pattern->sizes[i].size;
    return NULL;
}

struct axis_size *sizes_copy(struct parser *parser, const struct pat *pattern)
{
    struct axis_size *size = ARENA_NEW(parser->mem, struct axis_size, pattern->n_sizes + 1);
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        size[i] = pattern->sizes[i];
    return size;
}

void attrs_of_set(struct parser *parser, struct pat *pattern, const struct attr_set *set)
{
    struct pat_attr *attrs = ARENA_NEW(parser->mem, struct pat_attr, count_bits(set->classes) + 1);
    pattern->attrs = attrs;
    for (uint32_t c = 0; c < RULES_MAX_CLASSES; c++) {
        if (!(set->classes >> c & 1))
            continue;
        attrs[pattern->n_attrs].cls = c;
        for (int k = 0; k < N_ATTRS; k++)
            attrs[pattern->n_attrs].expr[k] = set->expr[c][k];
        pattern->n_attrs++;
    }
}

// The sizes of the attribute set as a shape.
void sizes_of_set(struct parser *parser, struct pat *pattern, const struct attr_set *set)
{
    struct axis_size *size = ARENA_NEW(parser->mem, struct axis_size, count_bits(set->classes) + 1);
    pattern->sizes = size;
    pattern->n_sizes = 0;
    for (uint32_t c = 0; c < RULES_MAX_CLASSES; c++)
        if (set->classes >> c & 1)
            size[pattern->n_sizes++] = (struct axis_size){c, set->expr[c][0]};
}

bool classes_present(struct parser *parser, uint32_t arg, uint64_t classes, struct place at,
                     const char *what)
{
    uint64_t have = pat_classes(parser, arg);
    if (!(classes & ~have))
        return true;
    return parser_fail(parser, at, "%s: %s not among the classes %s of the operand", what,
                       classes_text(parser, classes & ~have), classes_text(parser, have)) ||
           hint_rank(parser, have);
}

bool class_single(struct parser *parser, uint32_t cls, struct place at, const char *what)
{
    return parser->classes.at[cls].single ||
           parser_fail(parser, at,
                       "%s goes along a single `axis`, but `%s` is declared "
                       "`axes`",
                       what, parser->classes.at[cls].name);
}

bool classes_apart(struct parser *parser, uint64_t classes, struct place at, const char *what)
{
    uint32_t c = 0;
    while (c < parser->classes.len && !(classes >> c & 1 && parser->classes.at[c].block))
        c++;
    if (c == parser->classes.len)
        return true;
    struct buf buf = {0};
    buf_printf(&buf, "%s: ", what);
    parser_fail_block(parser, at, c, buf_text(&buf),
                      "is not to be taken axis by axis; name other classes in braces "
                      "if they are meant");
    buf_release(&buf);
    return false;
}

bool pat_scalar(struct parser *parser, uint32_t pat, const char *what, const char *role)
{
    const struct pat *pattern = &parser->pats.at[pat];
    return pattern->n_sizes == 0 ||
           parser_fail(parser, pattern->place, "%s: expected a scalar to %s, found the classes %s",
                       what, role, classes_text(parser, pat_classes(parser, pat)));
}

bool reducer_type(struct parser *parser, const struct pat *pattern, uint32_t type, struct place at,
                  const char *what)
{
    return pattern->opvar != NONE
               ? type_unify(parser, parser->opvars.at[pattern->opvar].result, type, at, what)
               : type_require(parser, type, op_kinds(pattern->reducer), at, what);
}

bool initial_value(struct parser *parser, uint32_t init, uint32_t type, const char *what)
{
    return init == NONE || (pat_scalar(parser, init, what, "start from") &&
                            type_unify(parser, type, parser->pats.at[init].type,
                                       parser->pats.at[init].place, what));
}
