// SPDX-License-Identifier: Apache-2.0
// Patterns as text, and what their variables must obey.
#include "formula/rules/core.h"
#include "formula/terms/names.h"
#include <gmp.h>
#include <inttypes.h>
#include <stdio.h>

void named_put_set(const struct named_rule *n, uint32_t set, struct buf *out)
{
    const struct named_set *s = &n->set[set];
    buf_printf(out, "?%s", n->r->classes[s->cls].name);
    if (s->nth > 0)
        buf_printf(out, ".%u", s->nth);
}

// ---- operators ----

static const char *operator_name(struct named_rule *n, enum op op, uint32_t n_args)
{
    if (fname_of_op(op_name(op), n_args))
        return op_name(op);
    named_fail(n, "%s", op_name(op));
    return NULL;
}

static const char *reduce_name(struct named_rule *n, enum op op, bool truth)
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
static bool put_decimal(struct named_rule *n, const char *text, struct buf *out)
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

static bool put_unit(struct named_rule *n, enum op op, bool truth, struct buf *out)
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

static bool put_literal(struct named_rule *n, const struct pat *p, struct buf *out)
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

static bool put_args(struct named_writer *w, const struct pat *p, uint32_t path,
                     struct named_side *s)
{
    for (uint32_t k = 0; k < p->n_args; k++) {
        buf_putc(s->out, ' ');
        if (!named_put(w, p->args[k], path, s))
            return false;
    }
    buf_putc(s->out, ')');
    return true;
}

static bool node(struct named_writer *w, struct named_side *s)
{
    return s->nodes++ < NAMED_MAX_NODES ||
           named_fail(&w->n, "more than %d nodes", NAMED_MAX_NODES);
}

static bool put_variable(struct named_writer *w, const struct pat *p, uint32_t path,
                         struct named_side *s)
{
    const struct rule *r = w->n.r;
    bool tensor = p->kind == PAT_TENSOR;
    uint32_t own = named_sets(&w->n, p->n_sizes, p->sizes);
    buf_printf(s->out, "?%s",
               tensor ? r->tensors[p->var].name : r->scalars[p->var].name);
    uint64_t *used = tensor ? s->tensor : s->scalar;
    used[p->var / 64] |= (uint64_t)1 << p->var % 64;
    w->constant[p->var + (tensor ? 0 : r->n_tensors)] |= path & ~own;
    return true;
}

// Sets of the classes in the shape of the argument.
static bool sets_of(struct named_writer *w, const struct pat *arg, uint64_t classes,
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
static bool open_reduce(struct named_writer *w, const char *name, uint32_t sets,
                        struct named_side *s)
{
    for (uint32_t k = 0; k < w->n.n_sets; k++)
        if (sets >> k & 1) {
            if (!node(w, s))
                return false;
            *s->sets |= 1U << k;
            buf_printf(s->out, "(%s ", name);
            named_put_set(&w->n, k, s->out);
            buf_putc(s->out, ' ');
        }
    return true;
}

static void close_reduce(uint32_t sets, struct named_side *s)
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
static bool put_count(struct named_writer *w, uint32_t sets, struct named_side *s)
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
        named_put_set(&w->n, k, s->out);
        buf_puts(s->out, rest & (rest - 1) ? ") " : ")");
    }
    while (n-- > 0)
        buf_putc(s->out, ')');
    return true;
}

static bool put_reduce(struct named_writer *w, const struct pat *p, uint32_t path,
                       struct named_side *s)
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
        if (!named_put(w, p->args[1], path, s))
            return false;
        buf_putc(s->out, ' ');
    }
    if (op == OP_ADD && sets && is_one(r, p->args[0])) {
        if (!put_count(w, sets, s))
            return false;
    } else {
        if (!open_reduce(w, name, sets, s) ||
            !named_put(w, p->args[0], path | sets, s))
            return false;
        close_reduce(sets, s);
    }
    if (p->n_args == 2)
        buf_putc(s->out, ')');
    return true;
}

static bool put_dot(struct named_writer *w, const struct pat *p, uint32_t path,
                    struct named_side *s)
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

static bool put_join(struct named_writer *w, const struct pat *p, uint32_t path,
                     struct named_side *s)
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
        named_put_set(&w->n, (uint32_t)__builtin_ctz(set[k]), s->out);
    }
    for (uint32_t k = 0; k < 2; k++) {
        buf_putc(s->out, ' ');
        if (!named_put(w, p->args[k], path | set[k + 1], s))
            return false;
    }
    buf_putc(s->out, ')');
    return true;
}

static bool put_compare(struct named_writer *w, const struct pat *p, uint32_t path,
                        struct named_side *s)
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
    if (!named_put(w, p->args[of[p->dir].swap], path, s))
        return false;
    buf_putc(s->out, ' ');
    if (!named_put(w, p->args[!of[p->dir].swap], path, s))
        return false;
    buf_putc(s->out, ')');
    return true;
}

// clamp(l, x, h) is minimum(maximum(x, l), h).
static bool put_clamp(struct named_writer *w, const struct pat *p, uint32_t path,
                      struct named_side *s)
{
    if (named_is_bool(&w->n, p->type))
        return named_fail(&w->n, "the order of truth values");
    if (!node(w, s) || !node(w, s))
        return false;
    buf_puts(s->out, "(minimum (maximum ");
    if (!named_put(w, p->args[1], path, s))
        return false;
    buf_putc(s->out, ' ');
    if (!named_put(w, p->args[0], path, s))
        return false;
    buf_puts(s->out, ") ");
    if (!named_put(w, p->args[2], path, s))
        return false;
    buf_putc(s->out, ')');
    return true;
}

static bool for_truth_values(enum op op)
{
    return op == OP_AND || op == OP_OR || op == OP_NOT;
}

static bool put_elementwise(struct named_writer *w, const struct pat *p, enum op op,
                            uint32_t path, struct named_side *s)
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

static bool put_op(struct named_writer *w, const struct pat *p, uint32_t path,
                   struct named_side *s)
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
        return named_put(w, p->args[0], path, s);
    default:
        break;
    }
    return put_elementwise(w, p, p->op, path, s);
}

// A function of the tensors as the rule declares them: what has not the class
// in its shape is constant along it.
static bool put_call(struct named_writer *w, const struct pat *p, uint32_t path,
                     struct named_side *s)
{
    uint32_t sets;
    if (!sets_of(w, &w->n.r->pats[p->args[0]], p->classes, &sets) ||
        !node(w, s))
        return false;
    *s->sets |= sets;
    buf_printf(s->out, "(%s", p->text);
    for (uint32_t rest = sets; rest; rest &= rest - 1) {
        buf_putc(s->out, ' ');
        named_put_set(&w->n, (uint32_t)__builtin_ctz(rest), s->out);
    }
    return put_args(w, p, path | sets, s);
}

// The sets of one shape, of a variable or of what is computed, are apart: an
// index of each can be chosen.
static void keep_apart(struct named_writer *w, const struct pat *p)
{
    uint32_t own = named_sets(&w->n, p->n_sizes, p->sizes);
    for (uint32_t k = 0; k < w->n.n_sets; k++)
        if (own >> k & 1)
            w->apart[k] |= own & ~(1U << k);
}

bool named_put(struct named_writer *w, uint32_t i, uint32_t path, struct named_side *s)
{
    const struct pat *p = &w->n.r->pats[i];
    keep_apart(w, p);
    switch (p->kind) {
    case PAT_TENSOR:
    case PAT_SCALAR:
        return put_variable(w, p, path, s);
    case PAT_LITERAL:
        return node(w, s) && put_literal(&w->n, p, s->out);
    case PAT_SPLAT:
        return named_put(w, p->args[0], path, s);
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
        return named_put(w, p->args[0], path, s);
    }
    return false;
}
