// SPDX-License-Identifier: Apache-2.0
#include "proof/program/check.h"

#include "tensor/fold/fold.h"
#include "tensor/program/import.h"
#include "tensor/fold/layout.h"

struct record_checker {
    struct record *r;
    const struct check_options *o;
    struct err *e;
    struct rule_status *status; // per rule
    struct finite finite;
    struct arena mem;
};

static bool wrong(struct record_checker *c, uint32_t line, const char *why)
{
    return err_set(c->e, ERR_CHECK, "line %u of the record is wrong: %s", line,
                   why);
}

static bool rule_statuses(struct record_checker *c)
{
    uint32_t n = c->r->rules.len;
    c->status = ARENA_NEW(&c->mem, struct rule_status, n + 1u);
    for (uint32_t i = 0; i < n; i++) {
        const struct record_rule *rule = &c->r->rules.at[i];
        if (rule->assumed && !c->o->allow_assumed)
            return err_set(c->e, ERR_CHECK,
                           "rule %s is assumed, not proved (--assume FILE "
                           "accepts the rules of a file)",
                           rule->name);
        if (!c->o->status(c->o->ctx, rule, &c->status[i], c->e))
            return false;
    }
    return true;
}

static bool conditions_hold(struct record_checker *c, uint32_t line,
                            const struct record_line *l)
{
    const struct rule *r = l->inst->rule;
    uint32_t which;
    if (!instance_where(l->inst, &which))
        return wrong(c, line, "a precondition does not hold");
    for (uint32_t w = 0; w < r->n_wheres; w++)
        if (!r->wheres[w].cond && !instance_element_condition(
                                      l->inst, r->wheres[w].pat, &c->r->terms))
            return wrong(c, line, "an element condition does not hold");
    const char *where = where_text(l->inst, &c->r->terms, &c->mem);
    if (strcmp(where, l->where) != 0)
        return wrong(c, line,
                     "the recorded precondition values are not "
                     "those of the instance");
    return true;
}

static bool differs_from(struct record_checker *c, uint32_t line, const char *name,
                         const char *what, term_id built, term_id want)
{
    struct buf want_text = {0}, built_text = {0};
    record_term(c->r, want, &want_text);
    record_term(c->r, built, &built_text);
    err_set(c->e, ERR_CHECK,
            "line %u of the record is wrong: the %s of %s is %s there, "
            "not %s",
            line, what, name, buf_text(&built_text), buf_text(&want_text));
    buf_release(&want_text);
    buf_release(&built_text);
    return false;
}

// Rebuilds both sides: a is the matched side as it stands, b the other one
// with its dimensions in the same order.
static bool sides_are(struct record_checker *c, uint32_t line,
                      const struct record_line *l)
{
    const struct rule *r = l->inst->rule;
    uint32_t from = l->backward ? r->rhs : r->lhs;
    uint32_t to = l->backward ? r->lhs : r->rhs;
    const char *name = c->r->rules.at[l->rule].name;
    struct builder b = builder_plain(&c->r->terms);
    struct err e = {0};
    term_id built;
    if (!instance_build(l->inst, from, &b, &built, &e))
        return wrong(c, line, e.msg);
    if (built.v != l->a.v)
        return differs_from(c, line, name, "matched side", built, l->a);
    if (!instance_build_as(l->inst, to, &l->inst->pat[from].out, &b, &built,
                           &e))
        return wrong(c, line, e.msg);
    return built.v == l->b.v ||
           differs_from(c, line, name, "other side", built, l->b);
}

static bool check_rule(struct record_checker *c, uint32_t line,
                       const struct record_line *l)
{
    struct err e = {0};
    const struct rule *r = c->r->rules.at[l->rule].rule;
    if (!instance_check(l->inst, &c->r->terms, &e))
        return wrong(c, line, e.msg);
    if (!instance_monoids(l->inst, c->r->float_mode, &e))
        return wrong(c, line, e.msg);
    if (!instance_finite(l->inst, &c->r->terms, &c->finite, c->r->float_mode,
                         c->status[l->rule]))
        return wrong(c, line,
                     "a variable may be infinite or NaN, but the rule "
                     "is proved for real numbers");
    struct rule_status hoped = c->status[l->rule];
    hoped.proved |= hoped.unknown;
    hoped.uninterpreted |= hoped.unknown;
    if (hoped.unknown &&
        !rule_may_fire(r, l->inst->elem, c->r->float_mode,
                       c->status[l->rule]) &&
        rule_may_fire(r, l->inst->elem, c->r->float_mode, hoped))
        return err_set(c->e, ERR_LIMIT,
                       "rule %s of line %u could not be proved again: no "
                       "answer within the limits",
                       c->r->rules.at[l->rule].name, line);
    if (!rule_may_fire(r, l->inst->elem, c->r->float_mode, c->status[l->rule]))
        return err_set(c->e, ERR_CHECK,
                       "line %u of the record is wrong: rule %s is not proved "
                       "in the domain of these elements",
                       line, c->r->rules.at[l->rule].name);
    return conditions_hold(c, line, l) && sides_are(c, line, l);
}

static bool check_fold(struct record_checker *c, uint32_t line,
                       const struct record_line *l)
{
    struct terms *ts = &c->r->terms;
    const struct term t = *term_at(ts, l->a);
    lit_id *args = ARENA_NEW(&c->mem, lit_id, t.n_args + 1u);
    type_id *types = ARENA_NEW(&c->mem, type_id, t.n_args + 1u);
    for (uint32_t i = 0; i < t.n_args; i++) {
        term_id arg = term_args(ts, l->a)[i];
        args[i] = term_literal(ts, arg);
        types[i] = term_type(ts, arg);
        if (args[i].v == NO_LIT.v)
            return wrong(c, line, "an operand of the fold is no constant");
    }
    lit_id want = term_literal(ts, l->b), got;
    if (want.v == NO_LIT.v)
        return wrong(c, line, "the result of the fold is no constant");
    uint64_t count = pool_literal(ts->pool, want)->count;
    if (!fold_node(ts->pool, (enum op)t.op, t.attr, t.type, t.n_args, args,
                   types, c->r->fold_exact,
                   count > FOLD_MAX_COUNT ? count : FOLD_MAX_COUNT, &got))
        return wrong(c, line, "the operation cannot be folded");
    if (term_constant(ts, got, t.type).v != l->b.v)
        return wrong(c, line, "the fold has another result");
    return true;
}

static bool check_layout(struct record_checker *c, uint32_t line,
                         const struct record_line *l)
{
    term_id out;
    if (!layout_rewrite(&c->r->terms, l->a, (enum layout_kind)l->law, &out))
        return wrong(c, line, "the law does not apply to this term");
    return out.v == l->b.v || wrong(c, line, "the law gives another term");
}

// The two terms of an earlier line, in the direction of use.
static void part_ends(const struct record_checker *c, const struct line_part *p,
                      term_id *from, term_id *to)
{
    const struct record_line *l = &c->r->lines.at[p->line];
    *from = p->flip ? l->b : l->a;
    *to = p->flip ? l->a : l->b;
}

static bool check_cong(struct record_checker *c, uint32_t line,
                       const struct record_line *l)
{
    struct terms *ts = &c->r->terms;
    const struct term a = *term_at(ts, l->a), b = *term_at(ts, l->b);
    if (a.op != b.op || a.attr.v != b.attr.v || a.type.v != b.type.v ||
        a.n_args != b.n_args)
        return wrong(c, line, "the two terms are not the same operation");
    bool *covered = ARENA_NEW(&c->mem, bool, a.n_args + 1u);
    for (uint32_t k = 0; k < l->n_parts; k++) {
        const struct line_part *p = &c->r->parts.at[l->parts_at + k];
        term_id from, to;
        if (p->line >= line)
            return wrong(c, line, "a part is no earlier line");
        part_ends(c, p, &from, &to);
        if (p->arg >= a.n_args || term_args(ts, l->a)[p->arg].v != from.v ||
            term_args(ts, l->b)[p->arg].v != to.v)
            return wrong(c, line, "a part is not about that argument");
        covered[p->arg] = true;
    }
    for (uint32_t i = 0; i < a.n_args; i++)
        if (!covered[i] && term_args(ts, l->a)[i].v != term_args(ts, l->b)[i].v)
            return wrong(c, line, "an argument differs without a reason");
    return true;
}

static bool check_trans(struct record_checker *c, uint32_t line,
                        const struct record_line *l)
{
    term_id at = l->a;
    for (uint32_t k = 0; k < l->n_parts; k++) {
        const struct line_part *p = &c->r->parts.at[l->parts_at + k];
        term_id from, to;
        if (p->line >= line)
            return wrong(c, line, "a part is no earlier line");
        part_ends(c, p, &from, &to);
        if (from.v != at.v)
            return wrong(c, line, "the chain is broken");
        at = to;
    }
    return at.v == l->b.v || wrong(c, line, "the chain ends elsewhere");
}

static bool check_lines(struct record_checker *c)
{
    for (uint32_t i = 0; i < c->r->lines.len; i++) {
        const struct record_line l = c->r->lines.at[i];
        bool ok =
            term_type(&c->r->terms, l.a).v == term_type(&c->r->terms, l.b).v;
        if (!ok)
            return wrong(c, i, "the two terms have different types");
        switch (l.kind) {
        case LINE_RULE:
            ok = check_rule(c, i, &l);
            break;
        case LINE_FOLD:
            ok = check_fold(c, i, &l);
            break;
        case LINE_LAYOUT:
            ok = check_layout(c, i, &l);
            break;
        case LINE_CONG:
            ok = check_cong(c, i, &l);
            break;
        case LINE_TRANS:
            ok = check_trans(c, i, &l);
            break;
        }
        if (!ok)
            return false;
    }
    return true;
}

static bool differs(struct record_checker *c, const char *name, const char *what)
{
    return err_set(c->e, ERR_CHECK,
                   "function @%s has other %s in the output than in the input",
                   name, what);
}

static bool same_function(struct record_checker *c, const struct function *f,
                          const struct function *g)
{
    const char *name = sym_text(c->r->terms.pool, f->name);
    if (f->name.v != g->name.v || f->visibility.v != g->visibility.v ||
        f->attrs.v != g->attrs.v || f->declaration != g->declaration)
        return differs(c, name, "name or attributes");
    if (f->params.len != g->params.len)
        return differs(c, name, "parameters");
    for (uint32_t i = 0; i < f->params.len; i++)
        if (f->params.at[i].type.v != g->params.at[i].type.v ||
            f->params.at[i].attrs.v != g->params.at[i].attrs.v)
            return differs(c, name, "parameters");
    if (f->results.len != g->results.len)
        return differs(c, name, "results");
    for (uint32_t i = 0; i < f->results.len; i++)
        if (f->results.at[i].type.v != g->results.at[i].type.v ||
            f->results.at[i].attrs.v != g->results.at[i].attrs.v)
            return differs(c, name, "results");
    return f->effects.len == g->effects.len || differs(c, name, "side effects");
}

static bool same_module(struct record_checker *c, const struct program *in,
                        const struct program *out)
{
    bool same = in->functions.len == out->functions.len &&
                in->extras.len == out->extras.len &&
                in->module_name.v == out->module_name.v &&
                in->module_attrs.v == out->module_attrs.v;
    for (uint32_t i = 0; same && i < in->extras.len; i++)
        same = in->extras.at[i].v == out->extras.at[i].v;
    if (!same)
        return err_set(c->e, ERR_CHECK,
                       "the output module has other "
                       "functions, attributes or operations beside them");
    for (uint32_t i = 0; i < in->functions.len; i++)
        if (!same_function(c, &in->functions.at[i], &out->functions.at[i]))
            return false;
    return true;
}

// The goal about this root, if there is one.
static const struct record_goal *find_goal(const struct record_checker *c, uint32_t f,
                                           uint32_t root)
{
    for (uint32_t i = 0; i < c->r->goals.len; i++)
        if (c->r->goals.at[i].function == f && c->r->goals.at[i].root == root)
            return &c->r->goals.at[i];
    return NULL;
}

// A side effect stays the same operation; only its arguments may be rewritten.
static bool same_effect(struct record_checker *c, const char *name,
                        const struct record_goal *g, term_id in)
{
    if (term_op(&c->r->terms, in) == OP_OPAQUE &&
        c->r->lines.at[g->line].kind == LINE_CONG)
        return true;
    return err_set(c->e, ERR_CHECK,
                   "a side effect of @%s is replaced by another operation",
                   name);
}

static bool check_root(struct record_checker *c, const char *name, uint32_t f,
                       uint32_t root, bool effect, term_id in, term_id out)
{
    const struct record_goal *g = find_goal(c, f, root);
    if (g && (g->input.v != in.v || g->output.v != out.v))
        return err_set(c->e, ERR_CHECK,
                       "the record speaks of another %s for "
                       "root %u of @%s",
                       g->input.v != in.v ? "input" : "output", root, name);
    if (in.v == out.v)
        return true;
    if (!g)
        return err_set(c->e, ERR_CHECK,
                       "nothing in the record says that root "
                       "%u of @%s is unchanged",
                       root, name);
    if (g->line >= c->r->lines.len)
        return err_set(c->e, ERR_CHECK, "no line proves root %u of @%s", root,
                       name);
    struct line_part p = {.line = g->line, .flip = g->flip};
    term_id from, to;
    part_ends(c, &p, &from, &to);
    if (from.v != in.v || to.v != out.v)
        return err_set(c->e, ERR_CHECK, "line %u does not prove root %u of @%s",
                       g->line, root, name);
    return !effect || same_effect(c, name, g, in);
}

// Every goal is about a root, and the only one about it.
static bool goals_named(struct record_checker *c, const struct program *in)
{
    for (uint32_t i = 0; i < c->r->goals.len; i++) {
        const struct record_goal *g = &c->r->goals.at[i];
        struct u32_vec roots = {0};
        if (g->function < in->functions.len)
            function_roots(&in->functions.at[g->function], &roots);
        bool ok =
            g->root < roots.len && find_goal(c, g->function, g->root) == g;
        vec_release(&roots);
        if (!ok)
            return err_set(c->e, ERR_CHECK,
                           "goal %u of the record is about no root of a "
                           "function, or about one that another is about",
                           i);
    }
    return true;
}

static bool check_goals(struct record_checker *c, const struct program *in,
                        const struct program *out)
{
    struct u32_vec in_memo = {0}, out_memo = {0};
    bool ok = true;
    for (uint32_t f = 0; ok && f < in->functions.len; f++) {
        struct u32_vec a = {0}, b = {0};
        function_roots(&in->functions.at[f], &a);
        function_roots(&out->functions.at[f], &b);
        const char *name = sym_text(c->r->terms.pool, in->functions.at[f].name);
        for (uint32_t i = 0; ok && i < a.len; i++)
            ok = check_root(c, name, f, i, i >= in->functions.at[f].results.len,
                            term_import(&c->r->terms, &in->terms, &in_memo,
                                        (term_id){a.at[i]}),
                            term_import(&c->r->terms, &out->terms, &out_memo,
                                        (term_id){b.at[i]}));
        vec_release(&a);
        vec_release(&b);
    }
    vec_release(&in_memo);
    vec_release(&out_memo);
    return ok;
}

// A fold that rounds is no equality of real numbers: together with rules that
// hold over the reals it would prove anything.
static bool check_mode(struct record_checker *c)
{
    return c->r->float_mode != DOMAIN_REAL || c->r->fold_exact ||
           err_set(c->e, ERR_CHECK,
                   "the record takes floats as real numbers, "
                   "but allows folds that round");
}

bool record_check(struct record *r, const struct program *input,
                  const struct program *output, const struct check_options *o,
                  struct err *e)
{
    struct record_checker c = {.r = r, .o = o, .e = e};
    bool ok = check_mode(&c) && rule_statuses(&c) && check_lines(&c) &&
              same_module(&c, input, output) && goals_named(&c, input) &&
              check_goals(&c, input, output);
    finite_release(&c.finite);
    arena_release(&c.mem);
    return ok;
}
