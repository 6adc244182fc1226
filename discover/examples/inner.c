// SPDX-License-Identifier: Apache-2.0
// What both programs do last to parts that differ says nothing of the rule: the parts are a pair of
// their own.
#include "discover/examples/core.h"

// The arguments in which both differ, which must be the same two terms wherever they differ.
static bool differ_in_one(const term_id *a, const term_id *b, uint32_t n, term_id *before,
                          term_id *after)
{
    *before = *after = NO_TERM;
    for (uint32_t i = 0; i < n; i++) {
        if (a[i].v == b[i].v)
            continue;
        if (before->v != NO_TERM.v && (before->v != a[i].v || after->v != b[i].v))
            return false;
        *before = a[i];
        *after = b[i];
    }
    return before->v != NO_TERM.v;
}

// Goes into both programs by one operation.
static bool go_inside(const struct terms *terms, term_id *before, term_id *after)
{
    const struct term *a = term_at(terms, *before), *b = term_at(terms, *after);
    const term_id *of_a = term_args(terms, *before), *of_b = term_args(terms, *after);
    enum op op = term_op(terms, *before);
    uint32_t operands;
    term_id x, y;
    if (a->op != b->op || a->attr.v != b->attr.v || a->type.v != b->type.v ||
        a->n_args != b->n_args || !tree_operands(terms, *before, &operands))
        return false;
    bool one = differ_in_one(of_a, of_b, a->n_args, &x, &y);
    if (!one && a->n_args == 2 && op_is_commutative(op)) {
        const term_id turned[2] = {of_b[1], of_b[0]};
        one = differ_in_one(of_a, turned, 2, &x, &y);
    }
    if (!one || term_type(terms, x).v != term_type(terms, y).v ||
        !type_is_tensor(terms->pool, term_type(terms, x)))
        return false;
    *before = x;
    *after = y;
    return true;
}

bool example_inner(const struct terms *terms, term_id *before, term_id *after)
{
    bool inside = false;
    while (go_inside(terms, before, after))
        inside = true;
    return inside;
}
