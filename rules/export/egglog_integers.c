// SPDX-License-Identifier: Apache-2.0
#include "rules/export/egglog.h"
#include "rules/conditions.h"
#include <inttypes.h>

void egglog_type(const struct egglog_rule *to, uint32_t type, struct buf *out)
{
    if (to->rule->types[type].kinds == KIND_BOOL)
        buf_puts(out, "\"i1\"");
    else
        buf_printf(out, "e_%u", type);
}

void egglog_map(const struct egglog_rule *to, uint32_t map, uint32_t place, struct buf *out)
{
    buf_printf(out, "m_%s_%u", to->rule->maps[map].name, place);
}

static void call(const struct egglog_rule *to, const char *name, const struct iexp *expr,
                 uint32_t place, struct buf *out)
{
    buf_printf(out, "(%s ", name);
    egglog_iexp(to, expr->a, place, out);
    buf_putc(out, ' ');
    egglog_iexp(to, expr->b, place, out);
    buf_putc(out, ')');
}

// The remainder with the sign of the divisor, out of one with that of the dividend.
static void put_mod(const char *a, const char *b, struct buf *out)
{
    buf_printf(out, "(%% (+ (%% %s %s) %s) %s)", a, b, b, b);
}

static void put_floor(const char *a, const char *b, struct buf *out)
{
    buf_printf(out, "(/ (- %s ", a);
    put_mod(a, b, out);
    buf_printf(out, ") %s)", b);
}

static void put_division(const struct egglog_rule *to, const struct iexp *expr, uint32_t place,
                         struct buf *out)
{
    struct buf a = {0}, b = {0}, minus = {0};
    egglog_iexp(to, expr->a, place, &a);
    egglog_iexp(to, expr->b, place, &b);
    if (expr->op == IE_MOD) {
        put_mod(buf_text(&a), buf_text(&b), out);
    } else if (expr->op == IE_DIV) {
        put_floor(buf_text(&a), buf_text(&b), out);
    } else { // the ceiling is minus the floor of minus the dividend
        buf_printf(&minus, "(- 0 %s)", buf_text(&a));
        buf_puts(out, "(- 0 ");
        put_floor(buf_text(&minus), buf_text(&b), out);
        buf_putc(out, ')');
    }
    buf_release(&a);
    buf_release(&b);
    buf_release(&minus);
}

void egglog_iexp(const struct egglog_rule *to, const struct iexp *expr, uint32_t place,
                 struct buf *out)
{
    struct buf a = {0};
    switch (expr->op) {
    case IE_CONST:
        buf_printf(out, "%" PRId64, expr->k);
        break;
    case IE_MAP:
        egglog_map(to, expr->map, place, out);
        break;
    case IE_ADD:
        call(to, "+", expr, place, out);
        break;
    case IE_SUB:
        call(to, "-", expr, place, out);
        break;
    case IE_MUL:
        call(to, "*", expr, place, out);
        break;
    case IE_MIN:
        call(to, "min", expr, place, out);
        break;
    case IE_MAX:
        call(to, "max", expr, place, out);
        break;
    case IE_NEG:
        buf_puts(out, "(- 0 ");
        egglog_iexp(to, expr->a, place, out);
        buf_putc(out, ')');
        break;
    case IE_ABS:
        egglog_iexp(to, expr->a, place, &a);
        buf_printf(out, "(max %s (- 0 %s))", buf_text(&a), buf_text(&a));
        buf_release(&a);
        break;
    case IE_DIV:
    case IE_MOD:
    case IE_CDIV:
        put_division(to, expr, place, out);
        break;
    }
}

static const char *new_integer(struct egglog_rule *to)
{
    struct buf name = {0};
    buf_printf(&name, "x_%u", to->n_integers++);
    const char *copy = arena_strdup(to->mem, buf_text(&name));
    buf_release(&name);
    return copy;
}

// On the left a map alone is bound where it stands.  Other expressions get a variable;
// on the right this variable is computed with the conditions, where a failure means that
// the rule does not match.
void egglog_integer(struct egglog_rule *to, const struct iexp *expr, int64_t usual, uint32_t place,
                    struct buf *out)
{
    if (expr == NULL || expr->op == IE_CONST) {
        buf_printf(out, "%" PRId64, expr ? expr->k : usual);
        return;
    }
    if (expr->op == IE_MAP) {
        egglog_map(to, expr->map, place, out);
        if (to->right)
            vec_push(&to->used, ((struct egglog_equation){NULL, expr, expr->map, place, false}));
        else
            to->known[expr->map][place] = true;
        return;
    }
    const char *name = new_integer(to);
    buf_puts(out, name);
    struct egglog_equation equation = {name, expr, NONE, place, false};
    vec_push(&to->equations, equation);
}

struct unknowns {
    const struct egglog_rule *to;
    uint32_t place, n;
};

static bool count_unknown(void *context, const struct iexp *leaf)
{
    struct unknowns *unknowns = context;
    unknowns->n += leaf->op == IE_MAP && !unknowns->to->known[leaf->map][unknowns->place];
    return false;
}

static uint32_t unknown_maps(const struct egglog_rule *to, const struct iexp *expr, uint32_t place)
{
    struct unknowns unknowns = {to, place, 0};
    iexp_any(expr, count_unknown, &unknowns);
    return unknowns.n;
}

static void put_equal(struct egglog_rule *to, const char *left, const struct iexp *expr,
                      uint32_t place)
{
    buf_printf(&to->query, "\n       (= %s ", left);
    egglog_iexp(to, expr, place, &to->query);
    buf_putc(&to->query, ')');
}

// expr = value, and expr has one unknown: binds it.  Divisions are checked afterwards by
// the equation itself.
static bool invert(struct egglog_rule *to, const struct iexp *expr, uint32_t place,
                   const char *value)
{
    struct buf rest = {0}, other = {0};
    if (expr->op == IE_MAP) {
        buf_puts(&to->query, "\n       (= ");
        egglog_map(to, expr->map, place, &to->query);
        buf_printf(&to->query, " %s)", value);
        return to->known[expr->map][place] = true;
    }
    if (expr->op == IE_NEG) {
        buf_printf(&rest, "(- 0 %s)", value);
    } else if (expr->op == IE_ADD || expr->op == IE_SUB || expr->op == IE_MUL) {
        bool left = unknown_maps(to, expr->a, place) == 1;
        egglog_iexp(to, left ? expr->b : expr->a, place, &other);
        if (expr->op == IE_SUB && !left)
            buf_printf(&rest, "(- %s %s)", buf_text(&other), value);
        else
            buf_printf(&rest, "(%s %s %s)",
                       expr->op == IE_ADD   ? "-"
                       : expr->op == IE_SUB ? "+"
                                            : "/",
                       value, buf_text(&other));
        expr = left ? expr : &(struct iexp){.op = IE_NEG, .a = expr->b};
    }
    bool ok = rest.len > 0 && invert(to, expr->a, place, buf_text(&rest));
    buf_release(&rest);
    buf_release(&other);
    return ok;
}

// Does what can be done with the equation now.
static void try_equation(struct egglog_rule *to, struct egglog_equation *equation)
{
    struct buf own = {0};
    bool let = equation->map != NONE;
    const char *left = equation->left;
    bool left_known = !let || to->known[equation->map][equation->place];
    uint32_t unknown = unknown_maps(to, equation->expr, equation->place);
    if (let) {
        egglog_map(to, equation->map, equation->place, &own);
        left = buf_text(&own);
    }
    if (unknown == 0 ||
        (unknown == 1 && left_known && invert(to, equation->expr, equation->place, left))) {
        put_equal(to, left, equation->expr, equation->place);
        if (let)
            to->known[equation->map][equation->place] = true;
        equation->done = true;
    }
    buf_release(&own);
}

bool egglog_solve(struct egglog_rule *to)
{
    const struct rule *rule = to->rule;
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t j = 0; rule->maps[m].def && j < to->in->rank[rule->maps[m].cls]; j++) {
            struct egglog_equation let = {NULL, rule->maps[m].def, m, j, false};
            vec_push(&to->equations, let);
        }
    for (uint32_t turn = 0; turn <= to->equations.len; turn++)
        for (uint32_t i = 0; i < to->equations.len; i++)
            if (!to->equations.at[i].done)
                try_equation(to, &to->equations.at[i]);
    for (uint32_t i = 0; i < to->used.len; i++)
        if (!to->known[to->used.at[i].map][to->used.at[i].place])
            return egglog_refuse(to, "no equation gives %s", rule->maps[to->used.at[i].map].name);
    for (uint32_t i = 0; i < to->equations.len; i++) {
        const struct egglog_equation *equation = &to->equations.at[i];
        if (equation->done)
            continue;
        struct buf text = {0};
        iexp_print(rule, equation->expr, &text);
        egglog_refuse(to, "no equation gives the maps of %.200s", buf_text(&text));
        buf_release(&text);
        return false;
    }
    return true;
}

// ---- preconditions

static bool maps_known(const struct egglog_rule *to, const struct cond *condition, uint32_t place)
{
    struct unknowns unknowns = {to, place, 0};
    cond_any(condition, count_unknown, &unknowns);
    return unknowns.n == 0;
}

static void put_comparison(const struct egglog_rule *to, const char *name,
                           const struct cond *condition, uint32_t place, struct buf *out)
{
    buf_printf(out, "(%s ", name);
    egglog_iexp(to, condition->a, place, out);
    buf_putc(out, ' ');
    egglog_iexp(to, condition->b, place, out);
    buf_putc(out, ')');
}

// As a value of bool.
static void put_bool(const struct egglog_rule *to, const struct cond *condition, uint32_t place,
                     struct buf *out)
{
    switch (condition->op) {
    case COND_LE:
        put_comparison(to, "bool-<=", condition, place, out);
        return;
    case COND_LT:
        put_comparison(to, "bool-<", condition, place, out);
        return;
    case COND_EQ:
        put_comparison(to, "bool-=", condition, place, out);
        return;
    case COND_NE:
        buf_puts(out, "(not ");
        put_comparison(to, "bool-=", condition, place, out);
        buf_putc(out, ')');
        return;
    case COND_AND:
    case COND_OR:
    case COND_NOT:
        break;
    }
    buf_puts(out, condition->op == COND_AND  ? "(and "
                  : condition->op == COND_OR ? "(or "
                                             : "(not ");
    put_bool(to, condition->l, place, out);
    if (condition->op != COND_NOT) {
        buf_putc(out, ' ');
        put_bool(to, condition->r, place, out);
    }
    buf_putc(out, ')');
}

static void put_condition(struct egglog_rule *to, const struct cond *condition, uint32_t place)
{
    if (condition->op == COND_AND) {
        put_condition(to, condition->l, place);
        put_condition(to, condition->r, place);
        return;
    }
    buf_puts(&to->query, "\n       (= true ");
    put_bool(to, condition, place, &to->query);
    buf_putc(&to->query, ')');
}

bool egglog_conditions(struct egglog_rule *to)
{
    const struct rule *rule = to->rule;
    for (uint32_t w = 0; w < rule->n_wheres; w++) {
        const struct where *where = &rule->wheres[w];
        if (where->cond == NULL)
            return egglog_refuse(to, "it has a precondition on elements");
        for (uint32_t j = 0; j < where_places(to->in, w); j++) {
            if (!maps_known(to, where->cond, j))
                return egglog_refuse(to, "a precondition has a map that the left side does not");
            put_condition(to, where->cond, j);
        }
    }
    return true;
}
