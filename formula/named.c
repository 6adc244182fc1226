// SPDX-License-Identifier: Apache-2.0
// Text of plain rules from rules.
#include "formula/named.h"

#include "formula/named_core.h"
#include "formula/names.h"
#include "rules/instance.h"
#include <gmp.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

bool named_fail(struct named *n, const char *fmt, ...)
{
    char msg[256];
    va_list args;
    va_start(args, fmt);
    vsnprintf(msg, sizeof msg, fmt, args);
    va_end(args);
    return err_set(n->why, ERR_CHECK, "%s", msg);
}

bool named_domain(const struct rule *r, enum domain *out)
{
    bool real = r->claims >> DOMAIN_REAL & 1,
         truth = r->claims >> DOMAIN_BOOL & 1;
    for (uint32_t i = 0; i < r->n_types; i++) {
        unsigned k = r->types[i].kinds;
        real = real && (k & KIND_FLOAT || k == KIND_BOOL);
        truth = truth && k & KIND_BOOL;
    }
    *out = real ? DOMAIN_REAL : DOMAIN_BOOL;
    return (real || truth) && r->n_wider == 0;
}

bool named_is_bool(const struct named *n, uint32_t type)
{
    return n->domain == DOMAIN_BOOL || !(n->r->types[type].kinds & KIND_FLOAT);
}

// A side or a condition that is being written.
struct side {
    struct buf *out;
    uint32_t nodes;
    uint64_t *tensor; // variables, as bits
    uint64_t *scalar;
    uint32_t *sets;
};

struct writer {
    struct named n;
    // Of tensors, then scalars: sets that the term must be constant along.
    uint32_t *constant;
    uint32_t apart[NAMED_MAX_SETS]; // sets that must have no axis in common
    // Element types: bit 0: numbers only, bit 1: truth values only.
    unsigned *used, *found;
};

static void put_set(const struct named *n, uint32_t set, struct buf *out)
{
    const struct named_set *s = &n->set[set];
    buf_printf(out, "?%s", n->r->classes[s->cls].name);
    if (s->nth > 0)
        buf_printf(out, ".%u", s->nth);
}

// ---- operators ----

static const char *operator_name(struct named *n, enum op op, uint32_t n_args)
{
    if (fname_of_op(op_name(op), n_args))
        return op_name(op);
    named_fail(n, "%s", op_name(op));
    return NULL;
}

static const char *reduce_name(struct named *n, enum op op, bool truth)
{
    switch (op) {
    case OP_ADD:
    case OP_MULTIPLY:
    case OP_MAXIMUM:
    case OP_MINIMUM:
        if (!truth)
            return op == OP_ADD        ? "reduce_add"
                   : op == OP_MULTIPLY ? "reduce_multiply"
                   : op == OP_MAXIMUM  ? "reduce_maximum"
                                       : "reduce_minimum";
        break;
    case OP_AND:
    case OP_OR:
        if (truth)
            return op == OP_AND ? "reduce_and" : "reduce_or";
        break;
    default:
        break;
    }
    named_fail(n, "a reduction by %s", op_name(op));
    return NULL;
}

// `-0.5`: -1/2.
static bool put_decimal(struct named *n, const char *text, struct buf *out)
{
    const char *dot = strchr(text, '.');
    if (!dot || strlen(text) > 100)
        return named_fail(n, "the number %s", text);
    char digits[128];
    snprintf(digits, sizeof digits, "%.*s%s", (int)(dot - text), text, dot + 1);
    mpq_t q;
    mpq_init(q);
    bool ok = mpz_set_str(mpq_numref(q), digits, 10) == 0;
    mpz_ui_pow_ui(mpq_denref(q), 10, strlen(dot + 1));
    mpq_canonicalize(q);
    if (ok) {
        char number[400]; // digits of both, a sign and the slash
        mpq_get_str(number, 10, q);
        buf_puts(out, number);
    }
    mpq_clear(q);
    return ok || named_fail(n, "the number %s", text);
}

static bool put_unit(struct named *n, enum op op, bool truth, struct buf *out)
{
    if (op != OP_ADD && op != OP_MULTIPLY && op != OP_AND && op != OP_OR)
        return named_fail(n, "an infinity");
    if (truth != (op == OP_AND || op == OP_OR))
        return named_fail(n, "the unit of %s", op_name(op));
    buf_puts(out, op == OP_ADD        ? "0"
                  : op == OP_MULTIPLY ? "1"
                  : op == OP_AND      ? "true"
                                      : "false");
    return true;
}

static bool put_literal(struct named *n, const struct pat *p, struct buf *out)
{
    bool truth = named_is_bool(n, p->type);
    switch (p->lit) {
    case LIT_INT:
        if (truth)
            return named_fail(n, "a number as a truth value");
        buf_printf(out, "%" PRId64, p->k);
        return true;
    case LIT_DECIMAL:
        return put_decimal(n, p->text, out);
    case LIT_BOOL:
        buf_puts(out, p->k ? "true" : "false");
        return true;
    case LIT_LOWEST:
    case LIT_HIGHEST:
        if (!truth)
            return named_fail(n, "an infinity");
        buf_puts(out, p->lit == LIT_HIGHEST ? "true" : "false");
        return true;
    case LIT_UNIT:
        return put_unit(n, p->opvar == NONE ? p->reducer : n->ops[p->opvar],
                        truth, out);
    case LIT_INF:
        return named_fail(n, "an infinity");
    case LIT_PI:
        buf_puts(out, "pi");
        return true;
    case LIT_VALUE:
        break;
    }
    return named_fail(n, "a size as an element");
}

// ---- patterns ----
// `path`: sets that nodes above bind.

static bool put(struct writer *w, uint32_t i, uint32_t path, struct side *s);

static bool put_args(struct writer *w, const struct pat *p, uint32_t path,
                     struct side *s)
{
    for (uint32_t k = 0; k < p->n_args; k++) {
        buf_putc(s->out, ' ');
        if (!put(w, p->args[k], path, s))
            return false;
    }
    buf_putc(s->out, ')');
    return true;
}

static bool node(struct writer *w, struct side *s)
{
    return s->nodes++ < NAMED_MAX_NODES ||
           named_fail(&w->n, "more than %d nodes", NAMED_MAX_NODES);
}

static bool put_variable(struct writer *w, const struct pat *p, uint32_t path,
                         struct side *s)
{
    const struct rule *r = w->n.r;
    bool tensor = p->kind == PAT_TENSOR;
    uint32_t own = named_sets(&w->n, p->n_sizes, p->sizes);
    buf_printf(s->out, "?%s",
               tensor ? r->tensors[p->var].name : r->scalars[p->var].name);
    uint64_t *used = tensor ? s->tensor : s->scalar;
    used[p->var / 64] |= (uint64_t)1 << p->var % 64;
    w->constant[p->var + (tensor ? 0 : r->n_tensors)] |= path & ~own;
    for (uint32_t k = 0; k < w->n.n_sets; k++)
        if (own >> k & 1)
            w->apart[k] |= own & ~(1U << k);
    return true;
}

// Sets of the classes in the shape of the argument.
static bool sets_of(struct writer *w, const struct pat *arg, uint64_t classes,
                    uint32_t *out)
{
    *out = 0;
    for (uint32_t c = 0; c < w->n.r->n_classes; c++) {
        if (!(classes & w->n.bound & (uint64_t)1 << c))
            continue;
        uint32_t k = named_set_of(&w->n, arg->n_sizes, arg->sizes, c);
        if (k == NONE)
            return named_fail(&w->n, "an operand without %s",
                              w->n.r->classes[c].name);
        *out |= 1U << k;
    }
    return true;
}

// `(name ?x (name ?y `, and their end.
static bool open_reduce(struct writer *w, const char *name, uint32_t sets,
                        struct side *s)
{
    for (uint32_t k = 0; k < w->n.n_sets; k++)
        if (sets >> k & 1) {
            if (!node(w, s))
                return false;
            *s->sets |= 1U << k;
            buf_printf(s->out, "(%s ", name);
            put_set(&w->n, k, s->out);
            buf_putc(s->out, ' ');
        }
    return true;
}

static void close_reduce(uint32_t sets, struct side *s)
{
    for (; sets; sets &= sets - 1)
        buf_putc(s->out, ')');
}

static bool is_one(const struct rule *r, uint32_t i)
{
    const struct pat *p = &r->pats[i];
    while (p->kind == PAT_SPLAT)
        p = &r->pats[p->args[0]];
    return p->kind == PAT_LITERAL && p->lit == LIT_INT && p->k == 1;
}

// The sum of ones.
static bool put_count(struct writer *w, uint32_t sets, struct side *s)
{
    uint32_t n = 0;
    for (uint32_t rest = sets; rest; rest &= rest - 1) {
        uint32_t k = (uint32_t)__builtin_ctz(rest);
        if (!node(w, s) || !node(w, s))
            return false;
        if (rest & (rest - 1)) {
            buf_puts(s->out, "(multiply ");
            n++;
        }
        *s->sets |= 1U << k;
        buf_puts(s->out, "(count ");
        put_set(&w->n, k, s->out);
        buf_puts(s->out, rest & (rest - 1) ? ") " : ")");
    }
    while (n-- > 0)
        buf_putc(s->out, ')');
    return true;
}

static bool put_reduce(struct writer *w, const struct pat *p, uint32_t path,
                       struct side *s)
{
    const struct rule *r = w->n.r;
    enum op op = p->opvar == NONE ? p->reducer : w->n.ops[p->opvar];
    const char *name = reduce_name(&w->n, op, named_is_bool(&w->n, p->type));
    uint32_t sets;
    if (!name || !sets_of(w, &r->pats[p->args[0]], p->classes, &sets))
        return false;
    if (p->n_args == 2) {
        if (!node(w, s))
            return false;
        buf_printf(s->out, "(%s ", op_name(op));
        if (!put(w, p->args[1], path, s))
            return false;
        buf_putc(s->out, ' ');
    }
    if (op == OP_ADD && sets && is_one(r, p->args[0])) {
        if (!put_count(w, sets, s))
            return false;
    } else {
        if (!open_reduce(w, name, sets, s) ||
            !put(w, p->args[0], path | sets, s))
            return false;
        close_reduce(sets, s);
    }
    if (p->n_args == 2)
        buf_putc(s->out, ')');
    return true;
}

static bool put_dot(struct writer *w, const struct pat *p, uint32_t path,
                    struct side *s)
{
    uint32_t sets;
    if (named_is_bool(&w->n, p->type))
        return named_fail(&w->n, "a contraction of truth values");
    if (!sets_of(w, &w->n.r->pats[p->args[0]], p->classes, &sets) ||
        !open_reduce(w, "reduce_add", sets, s) || !node(w, s))
        return false;
    buf_puts(s->out, "(multiply");
    if (!put_args(w, p, path | sets, s))
        return false;
    close_reduce(sets, s);
    return true;
}

static bool put_join(struct writer *w, const struct pat *p, uint32_t path,
                     struct side *s)
{
    uint32_t set[3];
    for (uint32_t k = 0; k < 3; k++) {
        if (!sets_of(w, k == 0 ? p : &w->n.r->pats[p->args[k - 1]], p->classes,
                     &set[k]))
            return false;
        *s->sets |= set[k];
    }
    if (!node(w, s))
        return false;
    buf_puts(s->out, "(concatenate");
    for (uint32_t k = 0; k < 3; k++) {
        buf_putc(s->out, ' ');
        put_set(&w->n, (uint32_t)__builtin_ctz(set[k]), s->out);
    }
    for (uint32_t k = 0; k < 2; k++) {
        buf_putc(s->out, ' ');
        if (!put(w, p->args[k], path | set[k + 1], s))
            return false;
    }
    buf_putc(s->out, ')');
    return true;
}

static bool put_compare(struct writer *w, const struct pat *p, uint32_t path,
                        struct side *s)
{
    static const struct {
        const char *name;
        bool swap, any;
    } of[] = {
        [CMP_EQ] = {"eq", false, true},  [CMP_NE] = {"ne", false, true},
        [CMP_GE] = {"le", true, false},  [CMP_GT] = {"lt", true, false},
        [CMP_LE] = {"le", false, false}, [CMP_LT] = {"lt", false, false},
    };
    if (!of[p->dir].any && named_is_bool(&w->n, w->n.r->pats[p->args[0]].type))
        return named_fail(&w->n, "the order of truth values");
    if (!node(w, s))
        return false;
    buf_printf(s->out, "(%s ", of[p->dir].name);
    if (!put(w, p->args[of[p->dir].swap], path, s))
        return false;
    buf_putc(s->out, ' ');
    if (!put(w, p->args[!of[p->dir].swap], path, s))
        return false;
    buf_putc(s->out, ')');
    return true;
}

// clamp(l, x, h) is minimum(maximum(x, l), h).
static bool put_clamp(struct writer *w, const struct pat *p, uint32_t path,
                      struct side *s)
{
    if (named_is_bool(&w->n, p->type))
        return named_fail(&w->n, "the order of truth values");
    if (!node(w, s) || !node(w, s))
        return false;
    buf_puts(s->out, "(minimum (maximum ");
    if (!put(w, p->args[1], path, s))
        return false;
    buf_putc(s->out, ' ');
    if (!put(w, p->args[0], path, s))
        return false;
    buf_puts(s->out, ") ");
    if (!put(w, p->args[2], path, s))
        return false;
    buf_putc(s->out, ')');
    return true;
}

static bool for_truth_values(enum op op)
{
    return op == OP_AND || op == OP_OR || op == OP_NOT;
}

static bool put_elementwise(struct writer *w, const struct pat *p, enum op op,
                            uint32_t path, struct side *s)
{
    const char *name = operator_name(&w->n, op, p->n_args);
    if (!name)
        return false;
    if (op != OP_SELECT &&
        named_is_bool(&w->n, p->type) != for_truth_values(op))
        return named_fail(&w->n, "%s of %s", name,
                          for_truth_values(op) ? "numbers" : "truth values");
    if (!node(w, s))
        return false;
    buf_printf(s->out, "(%s", name);
    return put_args(w, p, path, s);
}

static bool put_op(struct writer *w, const struct pat *p, uint32_t path,
                   struct side *s)
{
    switch (p->op) {
    case OP_REDUCE:
        return put_reduce(w, p, path, s);
    case OP_DOT_GENERAL:
        return put_dot(w, p, path, s);
    case OP_CONCATENATE:
        return put_join(w, p, path, s);
    case OP_COMPARE:
        return put_compare(w, p, path, s);
    case OP_CLAMP:
        return put_clamp(w, p, path, s);
    case OP_BROADCAST_IN_DIM:
        return put(w, p->args[0], path, s);
    default:
        break;
    }
    return put_elementwise(w, p, p->op, path, s);
}

// A function of the tensors as the rule declares them: what has not the class
// in its shape is constant along it.
static bool put_call(struct writer *w, const struct pat *p, uint32_t path,
                     struct side *s)
{
    uint32_t sets;
    if (!sets_of(w, &w->n.r->pats[p->args[0]], p->classes, &sets) ||
        !node(w, s))
        return false;
    *s->sets |= sets;
    buf_printf(s->out, "(%s", p->text);
    for (uint32_t rest = sets; rest; rest &= rest - 1) {
        buf_putc(s->out, ' ');
        put_set(&w->n, (uint32_t)__builtin_ctz(rest), s->out);
    }
    return put_args(w, p, path | sets, s);
}

static bool put(struct writer *w, uint32_t i, uint32_t path, struct side *s)
{
    const struct pat *p = &w->n.r->pats[i];
    switch (p->kind) {
    case PAT_TENSOR:
    case PAT_SCALAR:
        return put_variable(w, p, path, s);
    case PAT_LITERAL:
        return node(w, s) && put_literal(&w->n, p, s->out);
    case PAT_SPLAT:
        return put(w, p->args[0], path, s);
    case PAT_OP:
        return put_op(w, p, path, s);
    case PAT_OPVAR:
        return put_elementwise(w, p, w->n.ops[p->var], path, s);
    case PAT_CALL:
        return put_call(w, p, path, s);
    case PAT_RELABEL:
        for (uint32_t k = 0; k < p->n_relabels; k++)
            if (w->n.bound >> p->relabels[k].from & 1 ||
                w->n.bound >> p->relabels[k].to & 1)
                return named_fail(&w->n, "renamed axes");
        return put(w, p->args[0], path, s);
    }
    return false;
}

// ---- element types ----
// Plain variables have no types.  Truth values are the numbers 0 and 1, so that
// a rule about numbers holds of them; but a right side that computes must not
// be made for them, and a rule about truth values is for no other numbers.  So
// the side that is matched has to tell.

static void only(struct named *n, unsigned *mark, uint32_t type)
{
    mark[type] |= named_is_bool(n, type) ? 2 : 1;
}

static void mark_types(struct writer *w, uint32_t i, unsigned *mark)
{
    const struct rule *r = w->n.r;
    const struct pat *p = &r->pats[i];
    for (uint32_t k = 0; k < p->n_args; k++)
        mark_types(w, p->args[k], mark);
    switch (p->kind) {
    case PAT_LITERAL:
        only(&w->n, mark, p->type);
        return;
    case PAT_OPVAR:
    case PAT_CALL:
        only(&w->n, mark, p->type);
        for (uint32_t k = 0; k < p->n_args; k++)
            only(&w->n, mark, r->pats[p->args[k]].type);
        return;
    case PAT_OP:
        break;
    default:
        return;
    }
    if (p->op == OP_SELECT) {
        only(&w->n, mark, r->pats[p->args[0]].type);
    } else if (p->op == OP_COMPARE) {
        only(&w->n, mark, p->type);
        if (p->dir != CMP_EQ && p->dir != CMP_NE)
            only(&w->n, mark, r->pats[p->args[0]].type);
    } else if (p->op != OP_CONCATENATE && p->op != OP_BROADCAST_IN_DIM) {
        only(&w->n, mark, p->type);
        for (uint32_t k = 0; k < p->n_args; k++)
            only(&w->n, mark, r->pats[p->args[k]].type);
    }
}

// Types of the variables of a side.
static bool types_are_told(struct writer *w, uint32_t i)
{
    const struct rule *r = w->n.r;
    const struct pat *p = &r->pats[i];
    if (p->kind == PAT_TENSOR || p->kind == PAT_SCALAR) {
        bool matters = named_is_bool(&w->n, p->type) || w->used[p->type];
        if (matters && !w->found[p->type])
            return named_fail(&w->n, "%s could be a number or a truth value",
                              p->kind == PAT_TENSOR ? r->tensors[p->var].name
                                                    : r->scalars[p->var].name);
    }
    for (uint32_t k = 0; k < p->n_args; k++)
        if (!types_are_told(w, p->args[k]))
            return false;
    return true;
}

static bool check_types(struct writer *w, uint32_t from)
{
    mark_types(w, from, w->found);
    mark_types(w, w->n.r->lhs, w->used);
    mark_types(w, w->n.r->rhs, w->used);
    return types_are_told(w, from);
}

// ---- a rule ----

static bool within(struct named *n, const struct side *part,
                   const struct side *whole)
{
    const struct rule *r = n->r;
    for (uint32_t i = 0; i < r->n_tensors; i++)
        if (part->tensor[i / 64] & ~whole->tensor[i / 64] & 1ULL << i % 64)
            return named_fail(n, "the other side lacks %s", r->tensors[i].name);
    for (uint32_t i = 0; i < r->n_scalars; i++)
        if (part->scalar[i / 64] & ~whole->scalar[i / 64] & 1ULL << i % 64)
            return named_fail(n, "the other side lacks %s", r->scalars[i].name);
    uint32_t lacks = *part->sets & ~*whole->sets;
    return lacks == 0 ||
           named_fail(n, "the other side lacks %s",
                      r->classes[n->set[__builtin_ctz(lacks)].cls].name);
}

static struct side side_new(const struct rule *r, struct buf *out,
                            struct arena *mem)
{
    return (struct side){
        .out = out,
        .tensor = ARENA_NEW(mem, uint64_t, r->n_tensors / 64 + 1),
        .scalar = ARENA_NEW(mem, uint64_t, r->n_scalars / 64 + 1),
        .sets = ARENA_NEW(mem, uint32_t, 1),
    };
}

static void guard(struct buf *out, uint32_t *n)
{
    buf_puts(out, (*n)++ == 0 ? " if " : " and ");
}

static void put_constant(struct writer *w, const struct side *left,
                         struct buf *out, uint32_t *guards)
{
    const struct rule *r = w->n.r;
    for (uint32_t k = 0; k < w->n.n_sets; k++) {
        for (uint32_t v = 0; v < r->n_tensors + r->n_scalars; v++) {
            if (!(w->constant[v] >> k & 1))
                continue;
            guard(out, guards);
            buf_puts(out, "free_of(");
            put_set(&w->n, k, out);
            buf_printf(out, ", ?%s)",
                       v < r->n_tensors ? r->tensors[v].name
                                        : r->scalars[v - r->n_tensors].name);
        }
        for (uint32_t j = k + 1; j < w->n.n_sets; j++) {
            if (!(w->apart[k] >> j & 1) || !(*left->sets >> k & 1) ||
                !(*left->sets >> j & 1))
                continue;
            guard(out, guards);
            buf_puts(out, "free_of(");
            put_set(&w->n, k, out);
            buf_puts(out, ", ");
            put_set(&w->n, j, out);
            buf_putc(out, ')');
        }
    }
}

// Behind the right side: conditions on elements first, as they are part of the
// query.
static bool put_conditions(struct writer *w, const struct side *left,
                           struct arena *mem, struct buf *out)
{
    const struct rule *r = w->n.r;
    uint32_t guards = 0, nodes = left->nodes;
    for (uint32_t i = 0; i < r->n_wheres; i++) {
        if (r->wheres[i].cond)
            continue;
        struct side c = side_new(r, out, mem);
        guard(out, &guards);
        buf_puts(out, "same(");
        if (!put(w, r->wheres[i].pat, 0, &c))
            return false;
        buf_puts(out, ", true)");
        if (!within(&w->n, &c, left))
            return false;
        nodes += 2 * (c.nodes + 1);
    }
    put_constant(w, left, out, &guards);
    if (guards > NAMED_MAX_GUARDS)
        return named_fail(&w->n, "more than %d conditions", NAMED_MAX_GUARDS);
    return nodes <= NAMED_MAX_NODES ||
           named_fail(&w->n, "more than %d nodes", NAMED_MAX_NODES);
}

static uint32_t height(const struct rule *r, uint32_t i)
{
    uint32_t h = 0;
    for (uint32_t k = 0; k < r->pats[i].n_args; k++) {
        uint32_t a = height(r, r->pats[i].args[k]);
        h = h > a ? h : a;
    }
    return h + 1;
}

// Whatever vanishes around it.
static bool is_variable(const struct rule *r, uint32_t i)
{
    const struct pat *p = &r->pats[i];
    while (p->kind == PAT_SPLAT || p->kind == PAT_RELABEL ||
           (p->kind == PAT_OP && p->op == OP_BROADCAST_IN_DIM))
        p = &r->pats[p->args[0]];
    return p->kind == PAT_TENSOR || p->kind == PAT_SCALAR;
}

static bool write_rule(struct writer *w, const char *name, uint32_t from,
                       uint32_t to, struct arena *mem, struct buf *out)
{
    const struct rule *r = w->n.r;
    struct buf sides[2] = {{0}, {0}};
    struct side left = side_new(r, &sides[0], mem),
                right = side_new(r, &sides[1], mem);
    bool ok = put(w, from, 0, &left) && put(w, to, 0, &right);
    if (ok && strcmp(buf_text(&sides[0]), buf_text(&sides[1])) == 0)
        ok = named_fail(&w->n, "both sides are the same named term");
    ok = ok && within(&w->n, &right, &left);
    if (ok) {
        buf_printf(out, "%s: %s => %s", name, buf_text(&sides[0]),
                   buf_text(&sides[1]));
        ok = put_conditions(w, &left, mem, out);
        buf_putc(out, '\n');
    }
    buf_release(&sides[0]);
    buf_release(&sides[1]);
    return ok;
}

// With these operators for variables.
static bool one_rule(const struct rule *r, const enum op *ops, const char *name,
                     bool backward, struct arena *mem, struct buf *out,
                     struct err *why)
{
    struct writer w = {.n = {.r = r, .why = why, .ops = ops}};
    uint32_t from = backward ? r->rhs : r->lhs, to = backward ? r->lhs : r->rhs;
    if (!named_domain(r, &w.n.domain))
        return named_fail(&w.n, "says nothing about reals");
    if (is_variable(r, from))
        return named_fail(&w.n, "a variable matches everything");
    if (height(r, from) > NAMED_MAX_DEPTH || height(r, to) > NAMED_MAX_DEPTH)
        return named_fail(&w.n, "deeper than %d", NAMED_MAX_DEPTH);
    w.n.one = ARENA_NEW(mem, int64_t, r->n_maps + 1);
    w.n.ones = ARENA_NEW(mem, int64_t *, r->n_maps + 1);
    w.constant = ARENA_NEW(mem, uint32_t, r->n_tensors + r->n_scalars + 1);
    w.used = ARENA_NEW(mem, unsigned, r->n_types + 1);
    w.found = ARENA_NEW(mem, unsigned, r->n_types + 1);
    return named_prepare(&w.n, from) && check_types(&w, from) &&
           write_rule(&w, name, from, to, mem, out);
}

// ---- operator variables ----

// May the variable stand for the operator?
static bool op_fits(const struct rule *r, const struct op_var *v, enum op op)
{
    unsigned result = r->types[v->result].kinds;
    if (!(result & KIND_FLOAT) || !(op_kinds(op) & KIND_FLOAT) ||
        !fname_of_op(op_name(op), v->n_args))
        return false;
    for (uint32_t k = 0; k < v->n_args; k++)
        if (!(r->types[v->args[k]].kinds & KIND_FLOAT))
            return false;
    switch (v->kind) {
    case OPVAR_ELEMENTWISE:
        return (op_class(op) == OPC_UNARY && v->n_args == 1) ||
               (op_class(op) == OPC_BINARY && v->n_args == 2);
    case OPVAR_MONOID:
        return op_is_reducer(op) && monoid_holds(op, ELEM_REAL, DOMAIN_REAL);
    case OPVAR_MONOTONE:
        return op_class(op) == OPC_UNARY &&
               monotone_holds(op, ELEM_REAL, DOMAIN_REAL);
    }
    return false;
}

// All choices of operators for the variables from `at` on.
static bool choose(const struct rule *r, enum op *ops, uint32_t at,
                   struct buf *name, bool backward, struct arena *mem,
                   struct buf *out, uint32_t *lines, struct err *why)
{
    if (at == r->n_opvars) {
        struct buf line = {0};
        struct err e = {0};
        bool ok = one_rule(r, ops, buf_text(name), backward, mem, &line, &e);
        if (ok) {
            buf_puts(out, buf_text(&line));
            if (++*lines > NAMED_MAX_LINES)
                ok = err_set(why, ERR_LIMIT, "more than %d rules",
                             NAMED_MAX_LINES);
        } else {
            *why = e;
            ok = true;
        }
        buf_release(&line);
        return ok;
    }
    for (uint32_t op = 0; op < N_OPS; op++) {
        if (!op_fits(r, &r->opvars[at], (enum op)op))
            continue;
        ops[at] = (enum op)op;
        size_t len = name->len;
        buf_printf(name, ".%s", op_name((enum op)op));
        bool ok = choose(r, ops, at + 1, name, backward, mem, out, lines, why);
        name->len = len;
        name->at[len] = 0;
        if (!ok)
            return false;
    }
    return true;
}

bool named_rule(const struct rule *r, const char *name, bool backward,
                struct buf *out, struct err *why)
{
    struct arena mem = {0};
    struct buf full = {0};
    uint32_t lines = 0;
    size_t before = out->len;
    enum op *ops = ARENA_NEW(&mem, enum op, r->n_opvars + 1);
    struct err e = {0};
    buf_puts(&full, name);
    bool ok = choose(r, ops, 0, &full, backward, &mem, out, &lines, &e);
    if (ok && lines == 0) {
        ok = false;
        err_set(&e, ERR_CHECK, "no operator of formulas fits");
    }
    if (!ok) {
        *why = e;
        if (out->len > before) {
            out->len = before;
            out->at[before] = 0;
        }
    }
    buf_release(&full);
    arena_release(&mem);
    return ok;
}
