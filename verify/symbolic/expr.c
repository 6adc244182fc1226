// SPDX-License-Identifier: Apache-2.0
#include "verify/symbolic/expr.h"
#include "base/hash.h"

void exprs_init(struct exprs *x)
{
    *x = (struct exprs){.keep_picks = false};
}

void exprs_release(struct exprs *x)
{
    vec_release(&x->node);
    vec_release(&x->args);
    vec_release(&x->slot);
    vec_release(&x->var);
}

static uint64_t hash_of(const struct expr *e, const expr_id *args)
{
    uint64_t h = hash_u64((uint64_t)e->kind << 32 | e->op, e->sym);
    h = hash_u64(h ^ e->type, (uint64_t)e->k);
    for (uint32_t i = 0; i < e->n; i++)
        h = hash_u64(args[i], h);
    return h;
}

static bool same_node(const struct exprs *x, uint32_t id, const struct expr *e,
                      const expr_id *args)
{
    const struct expr *o = &x->node.at[id];
    return o->kind == e->kind && o->op == e->op && o->sym == e->sym &&
           o->type == e->type && o->k == e->k && o->n == e->n &&
           (e->n == 0 ||
            memcmp(x->args.at + o->at, args, e->n * sizeof *args) == 0);
}

static void grow_slots(struct exprs *x)
{
    uint32_t n = x->slot.len == 0 ? 256 : 2 * x->slot.len;
    vec_reserve(&x->slot, n);
    x->slot.len = n;
    memset(x->slot.at, 0, n * sizeof *x->slot.at);
    for (uint32_t id = 0; id < x->node.len; id++) {
        const struct expr *e = &x->node.at[id];
        uint64_t h = hash_of(e, x->args.at + e->at);
        uint32_t i = (uint32_t)h & (n - 1);
        while (x->slot.at[i] != 0)
            i = (i + 1) & (n - 1);
        x->slot.at[i] = id + 1;
    }
}

// `args` may lie inside x->args.
static expr_id make(struct exprs *x, struct expr e, const expr_id *args)
{
    if (2 * (x->node.len + 1) > x->slot.len)
        grow_slots(x);
    uint32_t mask = x->slot.len - 1;
    uint32_t i = (uint32_t)hash_of(&e, args) & mask;
    for (; x->slot.at[i] != 0; i = (i + 1) & mask)
        if (same_node(x, x->slot.at[i] - 1, &e, args))
            return x->slot.at[i] - 1;
    e.at = x->args.len;
    for (uint32_t k = 0; k < e.n; k++) {
        expr_id a = args[k];
        bool inside = args >= x->args.at && args < x->args.at + x->args.len;
        uint32_t from = inside ? (uint32_t)(args - x->args.at) : 0;
        vec_push(&x->args, a);
        if (inside)
            args = x->args.at + from;
    }
    vec_push(&x->node, e);
    x->slot.at[i] = x->node.len;
    return x->node.len - 1;
}

static expr_id make2(struct exprs *x, enum expr_kind kind, expr_id a, expr_id b)
{
    return make(x, (struct expr){.kind = (uint8_t)kind, .n = 2},
                (expr_id[]){a, b});
}

enum expr_sort expr_sort(const struct exprs *x, expr_id e)
{
    enum expr_kind k = x->node.at[e].kind;
    return k <= X_VALUE ? SORT_INT : k <= X_HOLDS ? SORT_TRUTH : SORT_ELEM;
}

static bool constant(const struct exprs *x, expr_id e, int64_t *k)
{
    *k = x->node.at[e].k;
    return x->node.at[e].kind == X_INT;
}

bool expr_is_int(const struct exprs *x, expr_id e, int64_t k)
{
    return x->node.at[e].kind == X_INT && x->node.at[e].k == k;
}

expr_id expr_int(struct exprs *x, int64_t k)
{
    return make(x, (struct expr){.kind = X_INT, .k = k}, NULL);
}

expr_id expr_var(struct exprs *x, enum var_kind kind, uint32_t a,
                 uint32_t place, uint32_t level, uint32_t part)
{
    uint32_t v = 0;
    for (; v < x->var.len; v++) {
        const struct var *o = &x->var.at[v];
        if (o->kind == kind && o->a == a && o->place == place &&
            o->level == level && o->part == part)
            break;
    }
    if (v == x->var.len)
        vec_push(&x->var, ((struct var){kind, a, place, level, part}));
    return make(x, (struct expr){.kind = X_VAR, .sym = v}, NULL);
}

expr_id expr_fresh(struct exprs *x, uint32_t part)
{
    return expr_var(x, VAR_FRESH, 0, 0, x->var.len, part);
}

expr_id expr_add(struct exprs *x, expr_id a, expr_id b)
{
    int64_t j, k, s;
    bool ca = constant(x, a, &j), cb = constant(x, b, &k);
    if (ca && cb && !__builtin_add_overflow(j, k, &s))
        return expr_int(x, s);
    if (ca && j == 0)
        return b;
    if (cb && k == 0)
        return a;
    return make2(x, X_ADD, a, b);
}

expr_id expr_mul(struct exprs *x, expr_id a, expr_id b)
{
    int64_t j, k, s;
    bool ca = constant(x, a, &j), cb = constant(x, b, &k);
    if (ca && cb && !__builtin_mul_overflow(j, k, &s))
        return expr_int(x, s);
    if ((ca && j == 0) || (cb && k == 1))
        return a;
    if ((cb && k == 0) || (ca && j == 1))
        return b;
    return make2(x, X_MUL, a, b);
}

expr_id expr_neg(struct exprs *x, expr_id a)
{
    return expr_mul(x, expr_int(x, -1), a);
}

expr_id expr_sub(struct exprs *x, expr_id a, expr_id b)
{
    return expr_add(x, a, expr_neg(x, b));
}

static int64_t floor_div(int64_t a, int64_t b)
{
    int64_t q = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

expr_id expr_div(struct exprs *x, expr_id a, expr_id b)
{
    int64_t j, k;
    if (constant(x, b, &k)) {
        if (k == 1)
            return a;
        if (k != 0 && constant(x, a, &j) && !(j == INT64_MIN && k == -1))
            return expr_int(x, floor_div(j, k));
    }
    return make2(x, X_DIV, a, b);
}

expr_id expr_mod(struct exprs *x, expr_id a, expr_id b)
{
    int64_t j, k;
    if (constant(x, b, &k)) {
        if (k == 1)
            return expr_int(x, 0);
        if (k != 0 && constant(x, a, &j) && !(j == INT64_MIN && k == -1))
            return expr_int(x, j - k * floor_div(j, k));
    }
    return make2(x, X_MOD, a, b);
}

expr_id expr_ceildiv(struct exprs *x, expr_id a, expr_id b)
{
    return expr_neg(x, expr_div(x, expr_neg(x, a), b));
}

expr_id expr_min(struct exprs *x, expr_id a, expr_id b)
{
    return expr_if(x, expr_le(x, a, b), a, b);
}

expr_id expr_max(struct exprs *x, expr_id a, expr_id b)
{
    return expr_if(x, expr_le(x, a, b), b, a);
}

expr_id expr_abs(struct exprs *x, expr_id a)
{
    return expr_if(x, expr_le(x, expr_int(x, 0), a), a, expr_neg(x, a));
}

expr_id expr_if(struct exprs *x, expr_id c, expr_id a, expr_id b)
{
    enum expr_kind k = x->node.at[c].kind;
    if (a == b || k == X_TRUE)
        return a;
    if (k == X_FALSE)
        return b;
    return make(x, (struct expr){.kind = X_IF, .n = 3}, (expr_id[]){c, a, b});
}

expr_id expr_value(struct exprs *x, expr_id element)
{
    if (x->node.at[element].kind == X_INJECT)
        return expr_arg(x, element, 0);
    return make(x, (struct expr){.kind = X_VALUE, .n = 1}, &element);
}

expr_id expr_place(struct exprs *x, expr_id element)
{
    const struct expr *n = &x->node.at[element];
    if (n->kind == X_LITERAL && n->op == LIT_INT && n->sym == 0)
        return expr_int(x, n->k); // the rule's types have the number
    return make(x, (struct expr){.kind = X_VALUE, .sym = 1, .n = 1}, &element);
}

expr_id expr_true(struct exprs *x)
{
    return make(x, (struct expr){.kind = X_TRUE}, NULL);
}

expr_id expr_false(struct exprs *x)
{
    return make(x, (struct expr){.kind = X_FALSE}, NULL);
}

expr_id expr_le(struct exprs *x, expr_id a, expr_id b)
{
    int64_t j, k;
    if (a == b)
        return expr_true(x);
    if (constant(x, a, &j) && constant(x, b, &k))
        return j <= k ? expr_true(x) : expr_false(x);
    return make2(x, X_LE, a, b);
}

expr_id expr_lt(struct exprs *x, expr_id a, expr_id b)
{
    return expr_not(x, expr_le(x, b, a));
}

expr_id expr_eq(struct exprs *x, expr_id a, expr_id b)
{
    int64_t j, k;
    if (a == b)
        return expr_true(x);
    if (constant(x, a, &j) && constant(x, b, &k))
        return expr_false(x);
    return a < b ? make2(x, X_EQ, a, b) : make2(x, X_EQ, b, a);
}

expr_id expr_not(struct exprs *x, expr_id a)
{
    switch ((enum expr_kind)x->node.at[a].kind) {
    case X_TRUE:
        return expr_false(x);
    case X_FALSE:
        return expr_true(x);
    case X_NOT:
        return expr_arg(x, a, 0);
    default:
        return make(x, (struct expr){.kind = X_NOT, .n = 1}, &a);
    }
}

// Conjunction or disjunction: flat, without repetitions, in order of arrival.
static expr_id junction(struct exprs *x, enum expr_kind kind, uint32_t n,
                        const expr_id *a)
{
    enum expr_kind unit = kind == X_AND ? X_TRUE : X_FALSE;
    enum expr_kind zero = kind == X_AND ? X_FALSE : X_TRUE;
    struct u32_vec flat = {0};
    bool absorbed = false;
    for (uint32_t i = 0; i < n && !absorbed; i++) {
        const struct expr *e = &x->node.at[a[i]];
        absorbed = (enum expr_kind)e->kind == zero;
        if ((enum expr_kind)e->kind == unit)
            continue;
        uint32_t m = (enum expr_kind)e->kind == kind ? e->n : 1;
        for (uint32_t j = 0; j < m; j++) {
            expr_id one = m == 1 && (enum expr_kind)e->kind != kind
                              ? a[i]
                              : expr_arg(x, a[i], j);
            bool known = false;
            for (uint32_t k = 0; k < flat.len && !known; k++)
                known = flat.at[k] == one;
            if (!known)
                vec_push(&flat, one);
        }
    }
    expr_id out;
    if (absorbed)
        out = zero == X_TRUE ? expr_true(x) : expr_false(x);
    else if (flat.len == 0)
        out = unit == X_TRUE ? expr_true(x) : expr_false(x);
    else if (flat.len == 1)
        out = flat.at[0];
    else
        out = make(x, (struct expr){.kind = (uint8_t)kind, .n = flat.len},
                   flat.at);
    vec_release(&flat);
    return out;
}

expr_id expr_and(struct exprs *x, uint32_t n, const expr_id *a)
{
    return junction(x, X_AND, n, a);
}

expr_id expr_and2(struct exprs *x, expr_id a, expr_id b)
{
    return junction(x, X_AND, 2, (expr_id[]){a, b});
}

expr_id expr_or2(struct exprs *x, expr_id a, expr_id b)
{
    return junction(x, X_OR, 2, (expr_id[]){a, b});
}

expr_id expr_same(struct exprs *x, expr_id a, expr_id b)
{
    if (a == b)
        return expr_true(x);
    return a < b ? make2(x, X_SAME, a, b) : make2(x, X_SAME, b, a);
}

expr_id expr_holds(struct exprs *x, expr_id a)
{
    const struct expr *e = &x->node.at[a];
    if (e->kind == X_LITERAL && e->op == LIT_BOOL)
        return e->k != 0 ? expr_true(x) : expr_false(x);
    return make(x, (struct expr){.kind = X_HOLDS, .n = 1}, &a);
}

expr_id expr_access(struct exprs *x, uint32_t tensor, uint32_t type, uint32_t n,
                    const expr_id *index)
{
    return make(
        x, (struct expr){.kind = X_ACCESS, .sym = tensor, .type = type, .n = n},
        index);
}

expr_id expr_scalar(struct exprs *x, uint32_t scalar, uint32_t type)
{
    return make(x, (struct expr){.kind = X_SCALAR, .sym = scalar, .type = type},
                NULL);
}

expr_id expr_literal(struct exprs *x, enum literal_kind lit, int64_t k,
                     uint32_t sym, uint32_t type)
{
    return make(x,
                (struct expr){.kind = X_LITERAL,
                              .op = (uint16_t)lit,
                              .sym = sym,
                              .type = type,
                              .k = k},
                NULL);
}

expr_id expr_inject(struct exprs *x, expr_id a, uint32_t type)
{
    return make(x, (struct expr){.kind = X_INJECT, .type = type, .n = 1}, &a);
}

expr_id expr_op(struct exprs *x, enum op op, uint32_t dir, uint32_t type,
                uint32_t n, const expr_id *a)
{
    return make(
        x,
        (struct expr){
            .kind = X_OP, .op = (uint16_t)op, .sym = dir, .type = type, .n = n},
        a);
}

expr_id expr_opvar(struct exprs *x, uint32_t var, uint32_t type, uint32_t n,
                   const expr_id *a)
{
    return make(
        x, (struct expr){.kind = X_OPVAR, .sym = var, .type = type, .n = n}, a);
}

expr_id expr_pick(struct exprs *x, expr_id c, expr_id a, expr_id b)
{
    if (!x->keep_picks) {
        enum expr_kind k = x->node.at[c].kind;
        if (a == b || k == X_TRUE)
            return a;
        if (k == X_FALSE)
            return b;
    }
    uint32_t type = x->node.at[a].type;
    return make(x, (struct expr){.kind = X_PICK, .type = type, .n = 3},
                (expr_id[]){c, a, b});
}

expr_id expr_atom(struct exprs *x, int64_t k, uint32_t type)
{
    return make(x, (struct expr){.kind = X_ATOM, .k = k, .type = type}, NULL);
}

expr_id expr_reduce(struct exprs *x, enum op reducer, uint32_t opvar,
                    int64_t pattern, uint32_t type, uint32_t n_args,
                    const expr_id *args)
{
    return make(x,
                (struct expr){.kind = X_REDUCE,
                              .op = (uint16_t)reducer,
                              .sym = opvar,
                              .k = pattern,
                              .type = type,
                              .n = n_args},
                args);
}

bool expr_commutes(const struct expr *n)
{
    return n->kind == X_OP && n->n == 2 &&
           (op_is_commutative((enum op)n->op) || n->op == OP_DOT_GENERAL ||
            n->op == OP_CONVOLUTION ||
            (n->op == OP_COMPARE && n->sym == CMP_EQ));
}

expr_id expr_with_args(struct exprs *x, expr_id e, const expr_id *a)
{
    struct expr n = x->node.at[e];
    switch ((enum expr_kind)n.kind) {
    case X_ADD:
        return expr_add(x, a[0], a[1]);
    case X_MUL:
        return expr_mul(x, a[0], a[1]);
    case X_DIV:
        return expr_div(x, a[0], a[1]);
    case X_MOD:
        return expr_mod(x, a[0], a[1]);
    case X_IF:
        return expr_if(x, a[0], a[1], a[2]);
    case X_VALUE:
        return n.sym != 0 ? expr_place(x, a[0]) : expr_value(x, a[0]);
    case X_LE:
        return expr_le(x, a[0], a[1]);
    case X_EQ:
        return expr_eq(x, a[0], a[1]);
    case X_NOT:
        return expr_not(x, a[0]);
    case X_AND:
    case X_OR:
        return junction(x, (enum expr_kind)n.kind, n.n, a);
    case X_SAME:
        return expr_same(x, a[0], a[1]);
    case X_HOLDS:
        return expr_holds(x, a[0]);
    case X_PICK:
        return expr_pick(x, a[0], a[1], a[2]);
    default:
        return make(x, n, a);
    }
}
