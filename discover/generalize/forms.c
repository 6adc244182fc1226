// SPDX-License-Identifier: Apache-2.0
// Changes that are all there is to them: proved as they are, or refused.
#include "discover/generalize/widen.h"
#include "tensor/eval/eval.h"
#include <string.h>

// ---- element conditions

bool widen_element(struct widening *w, uint32_t i)
{
    struct draft d;
    draft_init(&d, w->cur);
    bool done = false;
    if (i < d.r.n_wheres && d.wheres[i].cond == NULL) {
        const char *cond = widening_where(w, &d.r, i);
        struct pat *p = &d.pats[d.wheres[i].pat];
        enum compare_dir dir = p->dir;
        bool compares = p->kind == PAT_OP && p->op == OP_COMPARE;
        struct draft own;
        draft_copy(&own, &d);
        draft_drop_where(&own, i);
        done = widening_try(w, &own, widening_text(w, "without %s", cond));
        draft_release(&own);
        static const enum compare_dir weaker[][3] = {
            [CMP_GT] = {CMP_GE, CMP_NE, CMP_GT},
            [CMP_LT] = {CMP_LE, CMP_NE, CMP_LT},
            [CMP_EQ] = {CMP_GE, CMP_LE, CMP_EQ},
        };
        for (int k = 0; k < 3 && !done && compares &&
                        (dir == CMP_GT || dir == CMP_LT || dir == CMP_EQ) &&
                        weaker[dir][k] != dir;
             k++) {
            p->dir = weaker[dir][k];
            done = widening_try(w, &d,
                                widening_text(w, "%s became %s", cond,
                                              widening_where(w, &d.r, i)));
        }
    }
    draft_release(&d);
    return done;
}

// ---- literals to scalars, scalars to tensors

static bool same_literal(const struct pat *a, const struct pat *b)
{
    return a->kind == PAT_LITERAL && b->kind == PAT_LITERAL &&
           a->lit == b->lit && a->k == b->k && a->type == b->type &&
           (a->lit != LIT_DECIMAL || strcmp(a->text, b->text) == 0) &&
           (a->lit != LIT_UNIT ||
            (a->reducer == b->reducer && a->opvar == b->opvar)) &&
           a->lit != LIT_VALUE && a->lit != LIT_PI;
}

static void name_type(struct draft *d, uint32_t t)
{
    if (d->types[t].name == NULL || !*d->types[t].name)
        d->types[t].name = draft_name(d, "T");
}

bool widen_literal(struct widening *w, uint32_t i)
{
    struct draft d;
    bool done = false;
    draft_init(&d, w->cur);
    if (i < d.r.n_pats && d.pats[i].kind == PAT_LITERAL &&
        draft_below(&d.r, d.r.lhs, i)) {
        struct pat old = d.pats[i];
        struct buf b = {0};
        bool first = true;
        for (uint32_t k = 0; k < i; k++)
            first = first && !(same_literal(&old, &d.pats[k]) &&
                               draft_below(&d.r, d.r.lhs, k));
        pat_print(&d.r, i, &b);
        name_type(&d, old.type);
        uint32_t v = d.r.n_scalars++;
        d.scalars[v] =
            (struct scalar_var){.name = draft_name(&d, "v"), .type = old.type};
        for (uint32_t k = 0; k < d.r.n_pats; k++)
            if (same_literal(&old, &d.pats[k]) || k == i) {
                d.pats[k].kind = PAT_SCALAR;
                d.pats[k].var = v;
            }
        if (first)
            done = widening_try(
                w, &d,
                widening_text(w, "any scalar in place of %s", buf_text(&b)));
        buf_release(&b);
    }
    draft_release(&d);
    return done;
}

bool widen_scalar(struct widening *w, uint32_t i)
{
    struct draft d;
    bool done = false;
    draft_init(&d, w->cur);
    uint32_t splat = NONE;
    for (uint32_t k = 0; k < d.r.n_pats && i < d.r.n_scalars; k++)
        if (d.pats[k].kind == PAT_SPLAT && splat == NONE &&
            draft_below(&d.r, d.r.lhs, k) &&
            d.pats[d.pats[k].args[0]].kind == PAT_SCALAR &&
            d.pats[d.pats[k].args[0]].var == i)
            splat = k;
    if (splat != NONE) {
        uint32_t v = d.r.n_tensors++;
        d.tensors[v] = (struct tensor_var){.name = d.scalars[i].name,
                                           .type = d.scalars[i].type,
                                           .n_sizes = d.pats[splat].n_sizes,
                                           .sizes = d.pats[splat].sizes};
        const char *what = widening_text(w, "tensor %s in place of a scalar",
                                         d.scalars[i].name);
        for (uint32_t k = 0; k < d.r.n_pats; k++) {
            struct pat *p = &d.pats[k];
            if (p->kind != PAT_SCALAR)
                continue;
            if (p->var == i) {
                p->kind = PAT_TENSOR;
                p->var = v;
            } else if (p->var > i) {
                p->var--;
            }
        }
        for (uint32_t k = i; k + 1 < d.r.n_scalars; k++)
            d.scalars[k] = d.scalars[k + 1];
        d.r.n_scalars--;
        done = widening_try(w, &d, what);
    }
    draft_release(&d);
    return done;
}

// ---- operators to operator variables

static bool is_op(const struct pat *p, const struct pat *like)
{
    return p->kind == PAT_OP && p->op == like->op &&
           (p->op != OP_COMPARE || p->dir == like->dir);
}

static bool is_unit(const struct pat *p, enum op op)
{
    if (p->kind != PAT_LITERAL)
        return false;
    if (p->lit == LIT_UNIT)
        return p->opvar == NONE && p->reducer == op;
    switch (op) {
    case OP_ADD:
        return p->lit == LIT_INT && p->k == 0;
    case OP_MULTIPLY:
        return p->lit == LIT_INT && p->k == 1;
    case OP_MAXIMUM:
        return p->lit == LIT_LOWEST;
    case OP_MINIMUM:
        return p->lit == LIT_HIGHEST;
    case OP_AND:
        return p->lit == LIT_BOOL && p->k == 1;
    case OP_OR:
        return (p->lit == LIT_BOOL || p->lit == LIT_INT) && p->k == 0;
    default:
        return false;
    }
}

static bool reduces(const struct pat *p, enum op op)
{
    return p->kind == PAT_OP &&
           (p->op == OP_REDUCE || p->op == OP_REDUCE_WINDOW ||
            p->op == OP_SCATTER) &&
           p->opvar == NONE && p->reducer == op;
}

// The sign becomes the variable, which takes the first one's types.
static void free_sign(struct draft *d, struct pat *p, uint32_t v)
{
    struct op_var *f = &d->opvars[v];
    if (f->n_args == 0) {
        uint32_t *args = ARENA_NEW(&d->mem, uint32_t, p->n_args + 1);
        for (uint32_t k = 0; k < p->n_args; k++)
            args[k] = d->pats[p->args[k]].type;
        f->args = args;
        f->n_args = p->n_args;
        f->result = p->type;
    }
    p->kind = PAT_OPVAR;
    p->var = v;
}

// The variable is of one type, and units of the operator are units of it.
static void make_monoid(struct draft *d, uint32_t v, enum op op, uint32_t type)
{
    struct op_var *f = &d->opvars[v];
    uint32_t *args = ARENA_NEW(&d->mem, uint32_t, 2);
    args[0] = args[1] = type;
    f->args = args;
    f->n_args = 2;
    f->result = type;
    for (uint32_t i = 0; i < d->r.n_pats; i++)
        if (is_unit(&d->pats[i], op) && (draft_below(&d->r, d->r.lhs, i) ||
                                         draft_below(&d->r, d->r.rhs, i))) {
            d->pats[i].lit = LIT_UNIT;
            d->pats[i].opvar = v;
            d->pats[i].reducer = N_OPS;
        }
}

// Every occurrence of the operator, as sign or as reducer, becomes the
// variable.
static bool free_op(struct widening *w, enum op op, const struct pat *like,
                    enum op_var_kind kind)
{
    static const char *const words[] = {[OPVAR_ELEMENTWISE] = "elementwise",
                                        [OPVAR_MONOID] = "monoid",
                                        [OPVAR_MONOTONE] = "monotone"};
    struct draft d;
    bool reducer = false, some = false;
    draft_init(&d, w->cur);
    uint32_t v = d.r.n_opvars, type = NONE;
    struct op_var *f = &d.opvars[v];
    *f = (struct op_var){
        .name = draft_name(&d, kind == OPVAR_MONOID ? "g" : "f"), .kind = kind};
    for (uint32_t i = 0; i < d.r.n_pats; i++) {
        struct pat *p = &d.pats[i];
        bool lhs = draft_below(&d.r, d.r.lhs, i);
        if (!lhs && !draft_below(&d.r, d.r.rhs, i))
            continue; // of an element condition
        if (reduces(p, op)) {
            reducer = true;
            type = type == NONE ? p->type : type;
            p->opvar = v;
            p->reducer = N_OPS;
            some = some || lhs;
        } else if (like != NULL && is_op(p, like)) {
            free_sign(&d, p, v);
            type = p->type;
            some = some || lhs;
        }
    }
    if (kind == OPVAR_MONOID && type != NONE)
        make_monoid(&d, v, op, type);
    bool done = false;
    bool fits = some && f->n_args > 0 &&
                (kind == OPVAR_ELEMENTWISE ? !reducer
                 : kind == OPVAR_MONOTONE  ? !reducer && f->n_args == 1
                                           : op_is_reducer(op));
    if (fits) {
        for (uint32_t k = 0; k < f->n_args; k++)
            name_type(&d, f->args[k]);
        name_type(&d, f->result);
        d.r.n_opvars++;
        done = widening_try(w, &d,
                            widening_text(w, "any %s operator in place of %s",
                                          words[kind], op_name(op)));
    }
    draft_release(&d);
    return done;
}

bool widen_ops(struct widening *w)
{
    const struct rule *r = w->cur;
    for (uint32_t i = 0; i < r->n_pats && !widening_over(w); i++) {
        const struct pat *p = &r->pats[i];
        bool element = p->kind == PAT_OP && op_is_elementwise(p->op) &&
                       p->op != OP_CONVERT;
        bool reducer = p->kind == PAT_OP &&
                       (p->op == OP_REDUCE || p->op == OP_REDUCE_WINDOW) &&
                       p->opvar == NONE;
        if (!draft_below(r, r->lhs, i) || (!element && !reducer))
            continue;
        enum op op = element ? p->op : p->reducer;
        struct pat like = {.kind = PAT_OP, .op = op, .dir = p->dir};
        if ((element && (free_op(w, op, &like, OPVAR_ELEMENTWISE) ||
                         free_op(w, op, &like, OPVAR_MONOTONE))) ||
            (op_is_reducer(op) && free_op(w, op, &like, OPVAR_MONOID)))
            return true;
    }
    return false;
}

// ---- element types and domains

static bool widen_type(struct widening *w, uint32_t t, unsigned kinds)
{
    struct draft d;
    struct err e = {0};
    const struct learn_memo *memo;
    bool done = false;
    draft_init(&d, w->cur);
    unsigned old = t < d.r.n_types ? d.types[t].kinds : 0;
    if (t < d.r.n_types)
        d.types[t].kinds |= kinds;
    unsigned before = w->claims;
    d.r.claims = rule_domains(&d.r);
    const struct rule *r = draft_rule(&d, &w->l->set, &e);
    w->l->n_rules++;
    struct buf b = {0};
    if (r != NULL && (t == NONE || (old | kinds) != old)) {
        bool wider_kinds = strcmp(r->hash, w->cur->hash) != 0;
        unsigned proved = learner_prove(w->l, r, before, true, &memo);
        if (proved == before) {
            proved |= learner_prove(w->l, r, ~before, false, &memo);
            d.r.claims = proved;
            const struct rule *all = draft_rule(&d, &w->l->set, &e);
            // A kind that no proved domain has is no gain.
            bool gain =
                (proved & ~before) != 0 ||
                (wider_kinds && rule_domains(r) == rule_domains(w->cur));
            if (all != NULL && gain) {
                for (unsigned k = 0; k < N_DOMAINS; k++)
                    if ((proved & ~before) >> k & 1)
                        buf_printf(&b, " %s", domain_text((enum domain)k));
                w->claims = proved;
                widening_accept(
                    w, all, proved,
                    wider_kinds
                        ? widening_text(w, "more element types, in%s",
                                        b.len ? buf_text(&b)
                                              : " the same domains")
                        : widening_text(w, "claimed in%s, too", buf_text(&b)),
                    "");
                done = true;
            }
        }
    }
    buf_release(&b);
    draft_release(&d);
    return done;
}

bool widen_types(struct widening *w)
{
    static const unsigned wider[] = {
        KIND_ANY, KIND_SINT | KIND_UINT | KIND_FLOAT,
        KIND_BOOL | KIND_SINT | KIND_UINT, KIND_SINT | KIND_UINT,
        KIND_SINT | KIND_FLOAT};
    for (uint32_t t = 0; t < w->cur->n_types && !widening_over(w); t++)
        for (size_t k = 0; k < sizeof wider / sizeof *wider; k++) {
            unsigned kinds = w->cur->types[t].kinds;
            if ((kinds | wider[k]) != kinds && (kinds & wider[k]) == kinds &&
                widen_type(w, t, wider[k]))
                return true;
        }
    return (rule_domains(w->cur) & ~w->claims) != 0 && widen_type(w, NONE, 0);
}

// ---- axes

bool widen_class(struct widening *w, uint32_t c)
{
    struct draft d;
    bool done = false;
    draft_init(&d, w->cur);
    if (c < d.r.n_classes && d.classes[c].like == c &&
        (d.classes[c].single || d.classes[c].least_rank > 0)) {
        const char *what =
            d.classes[c].single
                ? widening_text(w, "axes of any rank in place of the axis %s",
                                d.classes[c].name)
                : widening_text(w, "%s may have rank 0", d.classes[c].name);
        for (uint32_t k = 0; k < d.r.n_classes; k++)
            if (d.classes[k].like == c) {
                d.classes[k].single = false;
                d.classes[k].least_rank = 0;
            }
        done = widening_try(w, &d, what);
    }
    draft_release(&d);
    return done;
}

static bool has_free_class(const struct rule *r)
{
    for (uint32_t c = 0; c < r->n_classes; c++) {
        bool is_free = !r->classes[c].single && r->classes[c].least_rank == 0 &&
                       r->n_tensors > 0;
        for (uint32_t i = 0; i < r->n_tensors && is_free; i++) {
            bool has = false;
            for (uint32_t k = 0; k < r->tensors[i].n_sizes; k++)
                has = has || r->tensors[i].sizes[k].cls == c;
            is_free = has;
        }
        if (is_free)
            return true;
    }
    return false;
}

bool widen_add_class(struct widening *w)
{
    if (has_free_class(w->cur))
        return false;
    struct draft d;
    draft_init(&d, w->cur);
    const char *cls = draft_name(&d, "y");
    uint32_t c = d.r.n_classes++;
    d.classes[c] = (struct axis_class){.name = cls, .like = c, .joint = c};
    uint32_t m = draft_new_map(&d, "k", c);
    for (uint32_t i = 0; i < d.r.n_tensors; i++) {
        struct tensor_var *t = &d.tensors[i];
        struct axis_size *s =
            ARENA_NEW(&d.mem, struct axis_size, t->n_sizes + 1);
        if (t->n_sizes > 0)
            memcpy(s, t->sizes, t->n_sizes * sizeof *s);
        s[t->n_sizes] = (struct axis_size){c, draft_map(&d, m)};
        t->sizes = s;
        t->n_sizes++;
    }
    for (uint32_t i = 0; i < d.r.n_pats; i++) {
        struct pat *p = &d.pats[i];
        bool splat =
            p->kind == PAT_SPLAT || (p->kind == PAT_OP && p->op == OP_IOTA);
        if (p->n_sizes == 0 && !splat)
            continue;
        struct axis_size *s =
            ARENA_NEW(&d.mem, struct axis_size, p->n_sizes + 1);
        if (p->n_sizes > 0)
            memcpy(s, p->sizes, p->n_sizes * sizeof *s);
        s[p->n_sizes] = (struct axis_size){c, draft_map(&d, m)};
        p->sizes = s;
        p->n_sizes++;
    }
    bool done = d.r.n_tensors > 0 &&
                widening_try(w, &d, "further axes that nothing is done to");
    draft_release(&d);
    return done;
}
