// SPDX-License-Identifier: Apache-2.0
#include "verify/symbolic/expr.h"
#include "base/hash.h"

void exprs_init(struct exprs *exprs)
{
    *exprs = (struct exprs){.walk = walk_new()};
}

void exprs_release(struct exprs *exprs)
{
    vec_release(&exprs->node);
    vec_release(&exprs->args);
    vec_release(&exprs->slot);
    vec_release(&exprs->var);
    walk_free(exprs->walk);
}

static uint64_t hash_of(const struct expr *node, const expr_id *args)
{
    uint64_t h = hash_u64((uint64_t)node->kind << 32 | node->op, node->sym);
    h = hash_u64(h ^ node->type, (uint64_t)node->k);
    for (uint32_t i = 0; i < node->n; i++)
        h = hash_u64(args[i], h);
    return h;
}

static bool same_node(const struct exprs *exprs, uint32_t id, const struct expr *node,
                      const expr_id *args)
{
    const struct expr *o = &exprs->node.at[id];
    return o->kind == node->kind && o->op == node->op && o->sym == node->sym &&
           o->type == node->type && o->k == node->k && o->n == node->n &&
           (node->n == 0 || memcmp(exprs->args.at + o->at, args, node->n * sizeof *args) == 0);
}

// Own table: asked for every expression of every proof.
static void grow_slots(struct exprs *exprs)
{
    uint32_t n = exprs->slot.len == 0 ? 256 : 2 * exprs->slot.len;
    vec_reserve(&exprs->slot, n);
    exprs->slot.len = n;
    memset(exprs->slot.at, 0, n * sizeof *exprs->slot.at);
    for (uint32_t id = 0; id < exprs->node.len; id++) {
        const struct expr *node = &exprs->node.at[id];
        uint64_t h = hash_of(node, exprs->args.at + node->at);
        uint32_t i = (uint32_t)h & (n - 1);
        while (exprs->slot.at[i] != 0)
            i = (i + 1) & (n - 1);
        exprs->slot.at[i] = id + 1;
    }
}

// `args` may lie inside exprs->args.
static expr_id make(struct exprs *exprs, struct expr node, const expr_id *args)
{
    exprs->work++;
    if (2 * (exprs->node.len + 1) > exprs->slot.len)
        grow_slots(exprs);
    uint32_t mask = exprs->slot.len - 1;
    uint32_t i = (uint32_t)hash_of(&node, args) & mask;
    for (; exprs->slot.at[i] != 0; i = (i + 1) & mask)
        if (same_node(exprs, exprs->slot.at[i] - 1, &node, args))
            return exprs->slot.at[i] - 1;
    node.at = exprs->args.len;
    for (uint32_t k = 0; k < node.n; k++) {
        expr_id a = args[k];
        bool inside = args >= exprs->args.at && args < exprs->args.at + exprs->args.len;
        uint32_t from = inside ? (uint32_t)(args - exprs->args.at) : 0;
        vec_push(&exprs->args, a);
        if (inside)
            args = exprs->args.at + from;
    }
    vec_push(&exprs->node, node);
    exprs->slot.at[i] = exprs->node.len;
    return exprs->node.len - 1;
}

static expr_id make2(struct exprs *exprs, enum expr_kind kind, expr_id a, expr_id b)
{
    return make(exprs, (struct expr){.kind = (uint8_t)kind, .n = 2}, (expr_id[]){a, b});
}

enum expr_sort expr_sort(const struct exprs *exprs, expr_id e)
{
    enum expr_kind k = exprs->node.at[e].kind;
    return k <= X_VALUE ? SORT_INT : k <= X_HOLDS ? SORT_TRUTH : SORT_ELEM;
}

static bool constant(const struct exprs *exprs, expr_id e, int64_t *k)
{
    *k = exprs->node.at[e].k;
    return exprs->node.at[e].kind == X_INT;
}

bool expr_is_int(const struct exprs *exprs, expr_id e, int64_t k)
{
    return exprs->node.at[e].kind == X_INT && exprs->node.at[e].k == k;
}

expr_id expr_int(struct exprs *exprs, int64_t k)
{
    return make(exprs, (struct expr){.kind = X_INT, .k = k}, NULL);
}

expr_id expr_var(struct exprs *exprs, enum var_kind kind, uint32_t a, uint32_t place,
                 uint32_t level, uint32_t part)
{
    uint32_t v = 0;
    for (; v < exprs->var.len; v++) {
        const struct var *var = &exprs->var.at[v];
        if (var->kind == kind && var->a == a && var->place == place && var->level == level &&
            var->part == part)
            break;
    }
    if (v == exprs->var.len)
        vec_push(&exprs->var, ((struct var){kind, a, place, level, part}));
    return make(exprs, (struct expr){.kind = X_VAR, .sym = v}, NULL);
}

expr_id expr_fresh(struct exprs *exprs, uint32_t part)
{
    return expr_var(exprs, VAR_FRESH, 0, 0, exprs->var.len, part);
}

expr_id expr_add(struct exprs *exprs, expr_id a, expr_id b)
{
    int64_t j, k, s;
    bool ca = constant(exprs, a, &j), cb = constant(exprs, b, &k);
    if (ca && cb && !__builtin_add_overflow(j, k, &s))
        return expr_int(exprs, s);
    if (ca && j == 0)
        return b;
    if (cb && k == 0)
        return a;
    return make2(exprs, X_ADD, a, b);
}

expr_id expr_mul(struct exprs *exprs, expr_id a, expr_id b)
{
    int64_t j, k, s;
    bool ca = constant(exprs, a, &j), cb = constant(exprs, b, &k);
    if (ca && cb && !__builtin_mul_overflow(j, k, &s))
        return expr_int(exprs, s);
    if ((ca && j == 0) || (cb && k == 1))
        return a;
    if ((cb && k == 0) || (ca && j == 1))
        return b;
    return make2(exprs, X_MUL, a, b);
}

expr_id expr_neg(struct exprs *exprs, expr_id a)
{
    return expr_mul(exprs, expr_int(exprs, -1), a);
}

expr_id expr_sub(struct exprs *exprs, expr_id a, expr_id b)
{
    return expr_add(exprs, a, expr_neg(exprs, b));
}

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

expr_id expr_div(struct exprs *exprs, expr_id a, expr_id b)
{
    int64_t j, k;
    if (constant(exprs, b, &k)) {
        if (k == 1)
            return a;
        if (k != 0 && constant(exprs, a, &j) && !(j == INT64_MIN && k == -1))
            return expr_int(exprs, floor_div(j, k));
    }
    return make2(exprs, X_DIV, a, b);
}

expr_id expr_mod(struct exprs *exprs, expr_id a, expr_id b)
{
    int64_t j, k;
    if (constant(exprs, b, &k)) {
        if (k == 1)
            return expr_int(exprs, 0);
        if (k != 0 && constant(exprs, a, &j) && !(j == INT64_MIN && k == -1))
            return expr_int(exprs, j - k * floor_div(j, k));
    }
    return make2(exprs, X_MOD, a, b);
}

expr_id expr_ceildiv(struct exprs *exprs, expr_id a, expr_id b)
{
    return expr_neg(exprs, expr_div(exprs, expr_neg(exprs, a), b));
}

expr_id expr_min(struct exprs *exprs, expr_id a, expr_id b)
{
    return expr_if(exprs, expr_le(exprs, a, b), a, b);
}

expr_id expr_max(struct exprs *exprs, expr_id a, expr_id b)
{
    return expr_if(exprs, expr_le(exprs, a, b), b, a);
}

expr_id expr_abs(struct exprs *exprs, expr_id a)
{
    return expr_if(exprs, expr_le(exprs, expr_int(exprs, 0), a), a, expr_neg(exprs, a));
}

expr_id expr_if(struct exprs *exprs, expr_id c, expr_id a, expr_id b)
{
    enum expr_kind k = exprs->node.at[c].kind;
    if (a == b || k == X_TRUE)
        return a;
    if (k == X_FALSE)
        return b;
    return make(exprs, (struct expr){.kind = X_IF, .n = 3}, (expr_id[]){c, a, b});
}

expr_id expr_value(struct exprs *exprs, expr_id element)
{
    if (exprs->node.at[element].kind == X_INJECT)
        return expr_arg(exprs, element, 0);
    return make(exprs, (struct expr){.kind = X_VALUE, .n = 1}, &element);
}

expr_id expr_place(struct exprs *exprs, expr_id element)
{
    const struct expr *node = &exprs->node.at[element];
    if (node->kind == X_LITERAL && node->op == LIT_INT && node->sym == 0)
        return expr_int(exprs, node->k); // the rule's types have the number
    return make(exprs, (struct expr){.kind = X_VALUE, .sym = 1, .n = 1}, &element);
}

expr_id expr_true(struct exprs *exprs)
{
    return make(exprs, (struct expr){.kind = X_TRUE}, NULL);
}

expr_id expr_false(struct exprs *exprs)
{
    return make(exprs, (struct expr){.kind = X_FALSE}, NULL);
}

expr_id expr_le(struct exprs *exprs, expr_id a, expr_id b)
{
    int64_t j, k;
    if (a == b)
        return expr_true(exprs);
    if (constant(exprs, a, &j) && constant(exprs, b, &k))
        return j <= k ? expr_true(exprs) : expr_false(exprs);
    return make2(exprs, X_LE, a, b);
}

expr_id expr_lt(struct exprs *exprs, expr_id a, expr_id b)
{
    return expr_not(exprs, expr_le(exprs, b, a));
}

expr_id expr_eq(struct exprs *exprs, expr_id a, expr_id b)
{
    int64_t j, k;
    if (a == b)
        return expr_true(exprs);
    if (constant(exprs, a, &j) && constant(exprs, b, &k))
        return expr_false(exprs);
    return a < b ? make2(exprs, X_EQ, a, b) : make2(exprs, X_EQ, b, a);
}

expr_id expr_not(struct exprs *exprs, expr_id a)
{
    switch ((enum expr_kind)exprs->node.at[a].kind) {
    case X_TRUE:
        return expr_false(exprs);
    case X_FALSE:
        return expr_true(exprs);
    case X_NOT:
        return expr_arg(exprs, a, 0);
    default:
        return make(exprs, (struct expr){.kind = X_NOT, .n = 1}, &a);
    }
}

// Conjunction or disjunction: flat, without repetitions, in order of arrival.
static expr_id junction(struct exprs *exprs, enum expr_kind kind, uint32_t n, const expr_id *a)
{
    enum expr_kind unit = kind == X_AND ? X_TRUE : X_FALSE;
    enum expr_kind zero = kind == X_AND ? X_FALSE : X_TRUE;
    struct u32_vec flat = {0};
    bool absorbed = false;
    for (uint32_t i = 0; i < n && !absorbed; i++) {
        const struct expr *node = &exprs->node.at[a[i]];
        absorbed = (enum expr_kind)node->kind == zero;
        if ((enum expr_kind)node->kind == unit)
            continue;
        uint32_t m = (enum expr_kind)node->kind == kind ? node->n : 1;
        for (uint32_t j = 0; j < m; j++) {
            expr_id one =
                m == 1 && (enum expr_kind)node->kind != kind ? a[i] : expr_arg(exprs, a[i], j);
            bool known = false;
            for (uint32_t k = 0; k < flat.len && !known; k++)
                known = flat.at[k] == one;
            if (!known)
                vec_push(&flat, one);
        }
    }
    expr_id out;
    if (absorbed)
        out = zero == X_TRUE ? expr_true(exprs) : expr_false(exprs);
    else if (flat.len == 0)
        out = unit == X_TRUE ? expr_true(exprs) : expr_false(exprs);
    else if (flat.len == 1)
        out = flat.at[0];
    else
        out = make(exprs, (struct expr){.kind = (uint8_t)kind, .n = flat.len}, flat.at);
    vec_release(&flat);
    return out;
}

expr_id expr_and(struct exprs *exprs, uint32_t n, const expr_id *a)
{
    return junction(exprs, X_AND, n, a);
}

expr_id expr_and2(struct exprs *exprs, expr_id a, expr_id b)
{
    return junction(exprs, X_AND, 2, (expr_id[]){a, b});
}

expr_id expr_or2(struct exprs *exprs, expr_id a, expr_id b)
{
    return junction(exprs, X_OR, 2, (expr_id[]){a, b});
}

expr_id expr_same(struct exprs *exprs, expr_id a, expr_id b)
{
    if (a == b)
        return expr_true(exprs);
    return a < b ? make2(exprs, X_SAME, a, b) : make2(exprs, X_SAME, b, a);
}

expr_id expr_holds(struct exprs *exprs, expr_id a)
{
    const struct expr *node = &exprs->node.at[a];
    if (node->kind == X_LITERAL && node->op == LIT_BOOL)
        return node->k != 0 ? expr_true(exprs) : expr_false(exprs);
    return make(exprs, (struct expr){.kind = X_HOLDS, .n = 1}, &a);
}

expr_id expr_access(struct exprs *exprs, uint32_t tensor, uint32_t type, uint32_t n,
                    const expr_id *index)
{
    return make(exprs, (struct expr){.kind = X_ACCESS, .sym = tensor, .type = type, .n = n}, index);
}

expr_id expr_scalar(struct exprs *exprs, uint32_t scalar, uint32_t type)
{
    return make(exprs, (struct expr){.kind = X_SCALAR, .sym = scalar, .type = type}, NULL);
}

expr_id expr_literal(struct exprs *exprs, enum literal_kind lit, int64_t k, uint32_t sym,
                     uint32_t type)
{
    return make(
        exprs,
        (struct expr){.kind = X_LITERAL, .op = (uint16_t)lit, .sym = sym, .type = type, .k = k},
        NULL);
}

expr_id expr_inject(struct exprs *exprs, expr_id a, uint32_t type)
{
    return make(exprs, (struct expr){.kind = X_INJECT, .type = type, .n = 1}, &a);
}

expr_id expr_op(struct exprs *exprs, enum op op, uint32_t dir, uint32_t type, uint32_t n,
                const expr_id *a)
{
    return make(exprs,
                (struct expr){.kind = X_OP, .op = (uint16_t)op, .sym = dir, .type = type, .n = n},
                a);
}

expr_id expr_opvar(struct exprs *exprs, uint32_t var, uint32_t type, uint32_t n, const expr_id *a)
{
    return make(exprs, (struct expr){.kind = X_OPVAR, .sym = var, .type = type, .n = n}, a);
}

expr_id expr_pick(struct exprs *exprs, expr_id c, expr_id a, expr_id b)
{
    if (!exprs->keep_picks) {
        enum expr_kind k = exprs->node.at[c].kind;
        if (a == b || k == X_TRUE)
            return a;
        if (k == X_FALSE)
            return b;
    }
    uint32_t type = exprs->node.at[a].type;
    return make(exprs, (struct expr){.kind = X_PICK, .type = type, .n = 3}, (expr_id[]){c, a, b});
}

expr_id expr_atom(struct exprs *exprs, int64_t k, uint32_t type)
{
    return make(exprs, (struct expr){.kind = X_ATOM, .k = k, .type = type}, NULL);
}

expr_id expr_reduce(struct exprs *exprs, struct expr_reducer reducer, uint32_t n_args,
                    const expr_id *args)
{
    return make(exprs,
                (struct expr){.kind = X_REDUCE,
                              .op = (uint16_t)reducer.op,
                              .sym = reducer.opvar,
                              .k = reducer.pattern,
                              .type = reducer.type,
                              .n = n_args},
                args);
}

bool expr_commutes(const struct expr *node)
{
    return node->kind == X_OP && node->n == 2 &&
           (op_is_commutative((enum op)node->op) || op_info((enum op)node->op)->flow == FLOW_SUM ||
            (node->op == OP_COMPARE && node->sym == CMP_EQ));
}

expr_id expr_with_args(struct exprs *exprs, expr_id e, const expr_id *a)
{
    struct expr node = exprs->node.at[e];
    switch ((enum expr_kind)node.kind) {
    case X_ADD:
        return expr_add(exprs, a[0], a[1]);
    case X_MUL:
        return expr_mul(exprs, a[0], a[1]);
    case X_DIV:
        return expr_div(exprs, a[0], a[1]);
    case X_MOD:
        return expr_mod(exprs, a[0], a[1]);
    case X_IF:
        return expr_if(exprs, a[0], a[1], a[2]);
    case X_VALUE:
        return node.sym != 0 ? expr_place(exprs, a[0]) : expr_value(exprs, a[0]);
    case X_LE:
        return expr_le(exprs, a[0], a[1]);
    case X_EQ:
        return expr_eq(exprs, a[0], a[1]);
    case X_NOT:
        return expr_not(exprs, a[0]);
    case X_AND:
    case X_OR:
        return junction(exprs, (enum expr_kind)node.kind, node.n, a);
    case X_SAME:
        return expr_same(exprs, a[0], a[1]);
    case X_HOLDS:
        return expr_holds(exprs, a[0]);
    case X_PICK:
        return expr_pick(exprs, a[0], a[1], a[2]);
    default:
        return make(exprs, node, a);
    }
}
