// SPDX-License-Identifier: Apache-2.0
// Operators of a candidate's operator variables: chosen, and all of them in their order.
#include "verify/counterexample/ops.h"
#include "tensor/shape/infer.h"

attr_id cex_op_attr(struct pool *pool, const struct cex_op *op)
{
    int64_t v[2] = {(int64_t)op->dir, (int64_t)op->ct};
    return op->op == OP_COMPARE ? attr_make(pool, 2, v) : NO_ATTR;
}

bool cex_op_fits(const struct rule *rule, struct cex_evaluator *cex_evaluator,
                 const struct cex_case *candidate, uint32_t opvar, const struct cex_op *op)
{
    const struct op_var *v = &rule->opvars[opvar];
    enum elem result = candidate->elem[v->result];
    type_id want, got, args[3];
    struct err err = {0};
    bool exact =
        elem_is_ideal(result) || (v->n_args > 0 && elem_is_ideal(candidate->elem[v->args[0]]));
    if (v->kind == OPVAR_MONOID)
        return monoid_holds(op->op, result,
                            candidate->domain == DOMAIN_FLOAT ? DOMAIN_FLOAT : DOMAIN_REAL);
    if (v->kind == OPVAR_MONOTONE &&
        !monotone_holds(op->op, result,
                        candidate->domain == DOMAIN_FLOAT ? DOMAIN_FLOAT : DOMAIN_REAL))
        return false;
    if (!op_is_elementwise(op->op) || v->n_args > 3 || v->n_args == 0 ||
        op_arity(op->op) != (int)v->n_args ||
        (op_is_transcendental(op->op) && (exact || candidate->approximate)))
        return false;
    if (op_class(op->op) == OPC_UNARY || op_class(op->op) == OPC_BINARY) { // T.. -> T
        bool fits = (op_kinds(op->op) & (unsigned)elem_kind(result)) != 0;
        for (uint32_t i = 0; i < v->n_args; i++)
            fits = fits && candidate->elem[v->args[i]] == result;
        return fits;
    }
    if (op->op == OP_COMPARE && op->ct != compare_type_of(candidate->elem[v->args[0]]))
        return false;
    for (uint32_t i = 0; i < v->n_args; i++)
        if (!type_tensor(&cex_evaluator->pool, candidate->elem[v->args[i]], 0, NULL, &args[i],
                         &err))
            return false;
    return type_tensor(&cex_evaluator->pool, result, 0, NULL, &want, &err) &&
           infer_type(
               &cex_evaluator->pool,
               (struct operation){op->op, cex_op_attr(&cex_evaluator->pool, op), want, v->n_args},
               args, &got, &err) &&
           got.v == want.v;
}

static const enum op favourites[] = {OP_SUBTRACT, OP_ADD, OP_COMPARE,  OP_SELECT,
                                     OP_NEGATE,   OP_NOT, OP_MULTIPLY, OP_MAXIMUM,
                                     OP_CLAMP,    OP_XOR, OP_ABS,      OP_CONVERT};
#define N_FAVOURITES (sizeof favourites / sizeof *favourites)
#define N_LISTED ((uint32_t)(N_FAVOURITES + N_OPS))

// The favourites, then all operators.
static struct cex_op listed_op(const struct rule *rule, const struct cex_case *candidate,
                               uint32_t i, uint32_t k)
{
    const struct op_var *opvar = &rule->opvars[i];
    enum elem arg = candidate->elem[opvar->n_args > 0 ? opvar->args[0] : opvar->result];
    return (struct cex_op){.op = k < N_FAVOURITES ? favourites[k] : (enum op)(k - N_FAVOURITES),
                           .dir = CMP_LT,
                           .ct = compare_type_of(arg)};
}

static bool choose_op(const struct rule *rule, struct cex_evaluator *cex_evaluator,
                      struct cex_case *candidate, uint32_t i, uint64_t skip)
{
    struct cex_op fitting[N_LISTED];
    uint32_t n = 0;
    for (uint32_t k = 0; k < N_LISTED; k++) {
        struct cex_op cex_op = listed_op(rule, candidate, i, k);
        if (skip >= 7)
            cex_op.dir = (enum compare_dir)(skip / 7 % 6);
        if (cex_op_fits(rule, cex_evaluator, candidate, i, &cex_op))
            fitting[n++] = cex_op;
    }
    if (n > 0)
        candidate->op[i] = fitting[skip % n];
    return n > 0;
}

bool cex_choose_ops(const struct rule *rule, struct cex_evaluator *cex_evaluator,
                    struct cex_case *candidate, uint32_t round, struct rng *rng)
{
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        if (!choose_op(rule, cex_evaluator, candidate, i,
                       round < 2 ? round + i : rng_below(rng, 420)))
            return false;
    return true;
}

// The operators of one variable that fit, in their order.
struct op_list {
    uint32_t n;
    struct cex_op at[N_LISTED + 1];
};

struct op_walker {
    const struct cex_op_walk *walk;
    struct cex_case *now; // its operators are those of the choice
    struct op_list *list;
    uint32_t choices;
    bool stopped;
};

static void put_op(const struct cex_op_walk *walk, const struct cex_case *now, uint32_t i,
                   struct cex_op op, struct op_list *out)
{
    bool known = !cex_op_fits(walk->rule, walk->evaluator, now, i, &op);
    for (uint32_t k = 0; k < out->n; k++)
        known |= out->at[k].op == op.op && (op.op != OP_COMPARE || out->at[k].dir == op.dir);
    if (!known)
        out->at[out->n++] = op;
}

static void list_ops(const struct cex_op_walk *walk, const struct cex_case *now, uint32_t i,
                     struct op_list *out)
{
    struct cex_op first = walk->like->op[i];
    first.ct = listed_op(walk->rule, now, i, 0).ct;
    out->n = 0;
    put_op(walk, now, i, first, out);
    for (uint32_t k = 0; k < N_LISTED; k++)
        put_op(walk, now, i, listed_op(walk->rule, now, i, k), out);
}

// All choices from variable `at` on whose greatest place is `most`.  One before `at` has it if
// `met`.
static void walk_ops(struct op_walker *walker, uint32_t at, uint32_t most, bool met)
{
    const struct cex_op_walk *walk = walker->walk;
    if (at == walk->rule->n_opvars) {
        if (met)
            walker->stopped =
                walker->choices++ == walk->choices || !walk->visit(walk->context, walker->now);
        return;
    }
    bool last = at + 1 == walk->rule->n_opvars;
    for (uint32_t i = last && !met ? most : 0;
         i <= most && i < walker->list[at].n && !walker->stopped; i++) {
        walker->now->op[at] = walker->list[at].at[i];
        walk_ops(walker, at + 1, most, met || i == most);
    }
}

void cex_walk_ops(const struct cex_op_walk *walk, struct cex_case *now, struct arena *mem)
{
    uint32_t n = walk->rule->n_opvars, longest = 1;
    struct op_walker walker = {.walk = walk, .now = now};
    walker.list = ARENA_NEW(mem, struct op_list, n);
    for (uint32_t i = 0; i < n; i++) {
        list_ops(walk, now, i, &walker.list[i]);
        if (walker.list[i].n == 0)
            return;
        if (walker.list[i].n > longest)
            longest = walker.list[i].n;
    }
    for (uint32_t most = 0; most < longest && !walker.stopped; most++)
        walk_ops(&walker, 0, most, n == 0 && most == 0);
}
