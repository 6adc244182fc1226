// SPDX-License-Identifier: Apache-2.0
// Comparisons of reals that are integers: sums and multiples of numbers rounded to integers.
//
// The solver knows floor(x) as the integer between x - 1 and x, read as a real.  It does not see
// that a sum of such reals is an integer, and looks for fractions between two of them for ever.
// The embedding of the integers in the reals keeps sums, multiples, order and equality, so two reals
// that are built of embedded integers by these compare as the integers do.
#include "verify/arithmetic/machine.h"
#include "verify/limits.h"

struct integral {
    Z3_context context;
    uint32_t left; // terms to look at
    bool rounded;  // a number rounded to an integer occurs
};

// The integer term whose embedding the real term is, or NULL.
static Z3_ast integer_of(struct integral *integral, Z3_ast a);

static Z3_ast combine(Z3_context context, Z3_decl_kind kind, uint32_t n, const Z3_ast *a)
{
    switch (kind) {
    case Z3_OP_ADD:
        return Z3_mk_add(context, n, a);
    case Z3_OP_SUB:
        return Z3_mk_sub(context, n, a);
    case Z3_OP_MUL:
        return Z3_mk_mul(context, n, a);
    default:
        return Z3_mk_unary_minus(context, a[0]);
    }
}

// Products of two unknowns are left to the reals: of integers they are harder.
static Z3_ast integer_of_ring(struct integral *integral, Z3_app app, Z3_decl_kind kind)
{
    Z3_context context = integral->context;
    uint32_t n = Z3_get_app_num_args(context, app), done = 0, unknowns = 0;
    Z3_ast *a = mem_alloc((n + 1) * sizeof *a), out = NULL;
    while (done < n && (a[done] = integer_of(integral, Z3_get_app_arg(context, app, done))) != NULL)
        unknowns += Z3_get_ast_kind(context, a[done++]) != Z3_NUMERAL_AST;
    if (done == n && (kind != Z3_OP_MUL || unknowns < 2))
        out = combine(context, kind, n, a);
    mem_free(a);
    return out;
}

// A maximum is a choice.
static Z3_ast integer_of_choice(struct integral *integral, Z3_app app)
{
    Z3_context context = integral->context;
    Z3_ast a = integer_of(integral, Z3_get_app_arg(context, app, 1));
    Z3_ast b = a == NULL ? NULL : integer_of(integral, Z3_get_app_arg(context, app, 2));
    return b == NULL ? NULL : Z3_mk_ite(context, Z3_get_app_arg(context, app, 0), a, b);
}

static Z3_ast integer_of_numeral(struct integral *integral, Z3_ast a)
{
    int64_t numerator, denominator;
    if (!Z3_get_numeral_rational_int64(integral->context, a, &numerator, &denominator) ||
        denominator != 1)
        return NULL;
    return Z3_mk_int64(integral->context, numerator, Z3_mk_int_sort(integral->context));
}

static bool is_rounded(Z3_context context, Z3_ast integer)
{
    return Z3_get_ast_kind(context, integer) == Z3_APP_AST &&
           Z3_get_decl_kind(context, Z3_get_app_decl(context, Z3_to_app(context, integer))) ==
               Z3_OP_TO_INT;
}

static Z3_ast integer_of(struct integral *integral, Z3_ast a)
{
    Z3_context context = integral->context;
    if (integral->left == 0)
        return NULL;
    integral->left--;
    if (Z3_get_ast_kind(context, a) == Z3_NUMERAL_AST)
        return integer_of_numeral(integral, a);
    if (Z3_get_ast_kind(context, a) != Z3_APP_AST)
        return NULL;
    Z3_app app = Z3_to_app(context, a);
    Z3_decl_kind kind = Z3_get_decl_kind(context, Z3_get_app_decl(context, app));
    if (kind == Z3_OP_TO_REAL) {
        Z3_ast integer = Z3_get_app_arg(context, app, 0);
        integral->rounded |= is_rounded(context, integer);
        return integer;
    }
    if (kind == Z3_OP_ADD || kind == Z3_OP_SUB || kind == Z3_OP_MUL || kind == Z3_OP_UMINUS)
        return integer_of_ring(integral, app, kind);
    return kind == Z3_OP_ITE ? integer_of_choice(integral, app) : NULL;
}

bool machine_integers(struct machine *machine, Z3_ast *a)
{
    struct integral integral = {.context = machine->session->smt.ctx,
                                .left = VERIFY_INTEGRAL_TERMS};
    Z3_context context = integral.context;
    if (Z3_get_sort_kind(context, Z3_get_sort(context, a[0])) != Z3_REAL_SORT)
        return false;
    Z3_ast b[2] = {integer_of(&integral, a[0]), NULL};
    if (b[0] != NULL)
        b[1] = integer_of(&integral, a[1]);
    if (b[1] == NULL || !integral.rounded)
        return false;
    a[0] = b[0];
    a[1] = b[1];
    return true;
}
