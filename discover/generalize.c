// SPDX-License-Identifier: Apache-2.0
#include "discover/generalize.h"
#include "base/clock.h"
#include "discover/lab.h"
#include "tensor/eval.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PASSES 2
#define ATTACKS 600
#define POINTS 12000 // at which agreement outside is looked for

struct run {
    struct learner *l;
    const struct generalize_options *o;
    struct general *g;
    const struct rule *cur;
    unsigned claims; // that must be kept
    uint32_t at;     // variant of cur
    double end;
};

static const char *text(struct run *w, const char *fmt, ...) PRINTF_LIKE(2, 3);
static const char *text(struct run *w, const char *fmt, ...)
{
    char line[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    return arena_strdup(&w->l->set.mem, line);
}

static bool over(const struct run *w)
{
    return clock_wall() > w->end;
}

static void refuse(struct run *w, const char *what, const char *why)
{
    for (uint32_t i = 0; i < w->g->refused.len; i++)
        if (strcmp(w->g->refused.at[i].what, what) == 0) {
            w->g->refused.at[i] = (struct refusal){w->at, what, why};
            return;
        }
    struct refusal r = {w->at, what, why};
    vec_push(&w->g->refused, r);
}

static void accept(struct run *w, const struct rule *r, unsigned proved,
                   const char *what, const char *wider)
{
    struct variant v = {r, w->at, what, wider, proved};
    vec_push(&w->g->variants, v);
    w->at = w->g->variants.len - 1;
    w->cur = r;
    uint32_t n = 0; // what was refused here may be accepted now
    for (uint32_t i = 0; i < w->g->refused.len; i++)
        if (strcmp(w->g->refused.at[i].what, what) != 0)
            w->g->refused.at[n++] = w->g->refused.at[i];
    w->g->refused.len = n;
}

// A change that is all there is to it: proved as it is, or refused.
static bool try_variant(struct run *w, const struct draft *d, const char *what)
{
    struct err e = {0};
    const struct learn_memo *memo;
    const struct rule *r = draft_rule(d, &w->l->set, &e);
    w->l->n_rules++;
    if (r == NULL) {
        refuse(w, what, text(w, "no rule: %s", e.msg));
        return false;
    }
    for (uint32_t i = 0; i < w->g->variants.len; i++)
        if (strcmp(w->g->variants.at[i].rule->hash, r->hash) == 0)
            return false;
    const char *broken = learner_attack(w->l, r, w->claims, ATTACKS);
    if (broken != NULL) {
        refuse(w, what, text(w, "false at %s", broken));
        return false;
    }
    unsigned proved = learner_prove(w->l, r, w->claims, true, &memo);
    if (proved != w->claims) {
        refuse(w, what,
               memo->counterexample ? text(w, "false: %s", memo->counterexample)
                                    : "not decided");
        return false;
    }
    accept(w, r, proved, what, "");
    return true;
}

// ---- changes that need learning

static bool bare(const struct slot *s)
{
    return s->at != NULL && s->at->op == IE_MAP;
}

// The right side's attributes on the family become unknown: those that are no
// bare maps, or all.  How many; 0: none or too many.
static uint32_t make_unknown(struct draft *d, uint32_t cls, bool all,
                             uint32_t *unknown, bool *positive)
{
    struct slots s = {0};
    uint32_t n = 0;
    draft_slots(d, d->r.rhs, class_root(&d->r, cls), &s);
    for (uint32_t i = 0; i < s.len && n < 6; i++) {
        if (!all && bare(&s.at[i]))
            continue;
        if ((s.at[i].at == NULL && s.at[i].usual == -1 && !all) ||
            iexp_at_run_time(&d->r, s.at[i].at))
            continue; // a limit or size that is the size; a run-time place
        uint32_t m = draft_new_map(d, "u", s.at[i].cls);
        draft_set_slot(d, &s.at[i], draft_map(d, m));
        positive[n] = s.at[i].usual == 1;
        unknown[n++] = m;
    }
    vec_release(&s);
    return n <= (all ? 5 : 4) ? n : 0;
}

static uint32_t coverage(const struct learned *a)
{
    return a->points ? 1000 * a->covered / a->points : 0;
}

// Learns the change with the right side as it is and with new attributes, and
// takes what covers more.
static bool try_learning(struct run *w, const struct draft *d, uint32_t cls,
                         const char *narrow, const char *what)
{
    struct learned best = {0}, one;
    const char *why = NULL, *reason = NULL;
    bool found = false;
    for (int how = 0; how < 3 && !over(w); how++) {
        uint32_t unknown[6], n = 0;
        bool positive[6];
        struct draft own;
        if (found && coverage(&best) > (how == 2 ? 900 : 980))
            break;
        draft_copy(&own, d);
        if (how > 0)
            n = make_unknown(&own, cls, how == 2, unknown, positive);
        struct sketch k = {.draft = &own,
                           .root = cls,
                           .n_unknown = n,
                           .unknown = unknown,
                           .positive = positive,
                           .narrow = narrow,
                           .domains = w->claims};
        if ((how == 0 || n > 0) && learn(w->l, &k, &one, &why)) {
            if (!found || coverage(&one) > coverage(&best) + 20)
                best = one;
            found = true;
        } else if (how == 0 || reason == NULL) {
            reason = why;
        }
        draft_release(&own);
    }
    if (!found) {
        refuse(w, what, reason ? reason : "");
        return false;
    }
    for (uint32_t i = 0; i < w->g->variants.len; i++)
        if (strcmp(w->g->variants.at[i].rule->hash, best.rule->hash) == 0)
            return false;
    struct buf b = {0};
    buf_puts(&b, what);
    for (uint32_t i = 0; i < best.n_terms; i++)
        buf_printf(&b, "%s%s", i ? ", " : "; where ", best.term[i]);
    accept(w, best.rule, best.proved,
           arena_strdup(&w->l->set.mem, buf_text(&b)), best.wider);
    buf_release(&b);
    return true;
}

static const char *where_text(struct run *w, const struct rule *r, uint32_t i)
{
    struct buf b = {0};
    if (r->wheres[i].cond != NULL)
        cond_print(r, r->wheres[i].cond, &b);
    else {
        buf_puts(&b, "all(");
        pat_print(r, r->wheres[i].pat, &b);
        buf_puts(&b, ")");
    }
    const char *s = arena_strdup(&w->l->set.mem, buf_text(&b));
    buf_release(&b);
    return s;
}

// Was the change refused of this very rule?
static bool refused_here(const struct run *w, const char *what)
{
    for (uint32_t i = 0; i < w->g->refused.len; i++)
        if (w->g->refused.at[i].of == w->at &&
            strcmp(w->g->refused.at[i].what, what) == 0)
            return true;
    return false;
}

static bool weaken_where(struct run *w, uint32_t i)
{
    struct draft d;
    draft_init(&d, w->cur);
    bool done = false;
    if (i < d.r.n_wheres && d.wheres[i].cond != NULL) {
        const char *cond = where_text(w, &d.r, i);
        const char *what = text(w, "without %s", cond);
        uint32_t family = d.wheres[i].family;
        draft_drop_where(&d, i);
        if (!refused_here(w, what))
            done = try_learning(w, &d, family, cond, what);
    }
    draft_release(&d);
    return done;
}

// ---- element conditions

static bool weaken_element(struct run *w, uint32_t i)
{
    struct draft d;
    draft_init(&d, w->cur);
    bool done = false;
    if (i < d.r.n_wheres && d.wheres[i].cond == NULL) {
        const char *cond = where_text(w, &d.r, i);
        struct pat *p = &d.pats[d.wheres[i].pat];
        enum compare_dir dir = p->dir;
        bool compares = p->kind == PAT_OP && p->op == OP_COMPARE;
        struct draft own;
        draft_copy(&own, &d);
        draft_drop_where(&own, i);
        done = try_variant(w, &own, text(w, "without %s", cond));
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
            done = try_variant(
                w, &d, text(w, "%s became %s", cond, where_text(w, &d.r, i)));
        }
    }
    draft_release(&d);
    return done;
}

// ---- constants to maps

// How often the map stands in the slots of the left side before slot `i`.
static bool seen_before(const struct slots *s, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (bare(&s->at[k]) && s->at[k].at->map == s->at[i].at->map)
            return true;
    return false;
}

static const struct iexp *size_along(const struct pat *p, uint32_t cls)
{
    for (uint32_t i = 0; i < p->n_sizes; i++)
        if (p->sizes[i].cls == cls)
            return p->sizes[i].size;
    return NULL;
}

static bool free_slot(struct run *w, uint32_t i)
{
    struct draft d;
    struct slots s = {0};
    bool done = false;
    draft_init(&d, w->cur);
    draft_slots(&d, d.r.lhs, NONE, &s);
    if (i < s.len && (!bare(&s.at[i]) || seen_before(&s, i)) &&
        !iexp_at_run_time(&d.r, s.at[i].at)) {
        struct slot *at = &s.at[i];
        struct pat *p = &d.pats[at->pat];
        const struct iexp *x = at->at;
        struct buf b = {0}, guard = {0};
        if (x == NULL && at->usual == -1 && p->n_args > 0)
            x = size_along(&d.pats[p->args[0]], at->cls);
        else if (x == NULL && at->usual >= 0)
            x = draft_const(&d, at->usual);
        bool broadcast = p->kind == PAT_SPLAT ||
                         (p->kind == PAT_OP && p->op == OP_BROADCAST_IN_DIM);
        // Nor is what is said of some axes meant of all.
        bool meant = p->n_attrs == 0;
        for (uint32_t k = 0; k < p->n_attrs; k++)
            meant = meant || p->attrs[k].cls == at->cls;
        // The size of a lifted scalar is no choice.
        if (meant && x != NULL && (!broadcast || x->op == IE_CONST)) {
            iexp_print(&d.r, x, &b);
            uint32_t m = draft_new_map(&d, at->stem, at->cls);
            draft_set_slot(&d, at, draft_map(&d, m));
            buf_printf(&guard, "%s == %s", d.maps[m].name, buf_text(&b));
            const char *what =
                text(w, "%s of %s freed", buf_text(&guard),
                     p->kind == PAT_OP ? op_name(p->op) : "broadcast");
            const char *was = arena_strdup(&w->l->set.mem, buf_text(&guard));
            done = !refused_here(w, what) &&
                   try_learning(w, &d, at->cls, was, what);
        }
        buf_release(&b);
        buf_release(&guard);
    }
    vec_release(&s);
    draft_release(&d);
    return done;
}

static uint32_t n_slots(const struct run *w)
{
    struct draft d;
    struct slots s = {0};
    draft_init(&d, w->cur);
    draft_slots(&d, d.r.lhs, NONE, &s);
    uint32_t n = s.len;
    vec_release(&s);
    draft_release(&d);
    return n;
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

static bool free_literal(struct run *w, uint32_t i)
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
            done = try_variant(
                w, &d, text(w, "any scalar in place of %s", buf_text(&b)));
        buf_release(&b);
    }
    draft_release(&d);
    return done;
}

static bool lift_scalar(struct run *w, uint32_t i)
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
        const char *what =
            text(w, "tensor %s in place of a scalar", d.scalars[i].name);
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
        done = try_variant(w, &d, what);
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

// Every occurrence of the operator, as sign or as reducer, becomes the
// variable.
static bool free_op(struct run *w, enum op op, const struct pat *like,
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
            uint32_t *args = ARENA_NEW(&d.mem, uint32_t, p->n_args + 1);
            for (uint32_t k = 0; k < p->n_args; k++)
                args[k] = d.pats[p->args[k]].type;
            if (f->n_args == 0) {
                f->args = args;
                f->n_args = p->n_args;
                f->result = p->type;
            }
            type = p->type;
            p->kind = PAT_OPVAR;
            p->var = v;
            some = some || lhs;
        }
    }
    if (kind == OPVAR_MONOID && type != NONE) {
        uint32_t *args = ARENA_NEW(&d.mem, uint32_t, 2);
        args[0] = args[1] = type;
        f->args = args;
        f->n_args = 2;
        f->result = type;
        for (uint32_t i = 0; i < d.r.n_pats; i++)
            if (is_unit(&d.pats[i], op) && (draft_below(&d.r, d.r.lhs, i) ||
                                            draft_below(&d.r, d.r.rhs, i))) {
                d.pats[i].lit = LIT_UNIT;
                d.pats[i].opvar = v;
                d.pats[i].reducer = N_OPS;
            }
    }
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
        done = try_variant(w, &d,
                           text(w, "any %s operator in place of %s",
                                words[kind], op_name(op)));
    }
    draft_release(&d);
    return done;
}

static bool free_ops(struct run *w)
{
    const struct rule *r = w->cur;
    for (uint32_t i = 0; i < r->n_pats && !over(w); i++) {
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

static bool widen_type(struct run *w, uint32_t t, unsigned kinds)
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
                accept(w, all, proved,
                       wider_kinds
                           ? text(w, "more element types, in%s",
                                  b.len ? buf_text(&b) : " the same domains")
                           : text(w, "claimed in%s, too", buf_text(&b)),
                       "");
                done = true;
            }
        }
    }
    buf_release(&b);
    draft_release(&d);
    return done;
}

static bool widen_types(struct run *w)
{
    static const unsigned wider[] = {
        KIND_ANY, KIND_SINT | KIND_UINT | KIND_FLOAT,
        KIND_BOOL | KIND_SINT | KIND_UINT, KIND_SINT | KIND_UINT,
        KIND_SINT | KIND_FLOAT};
    for (uint32_t t = 0; t < w->cur->n_types && !over(w); t++)
        for (size_t k = 0; k < sizeof wider / sizeof *wider; k++) {
            unsigned kinds = w->cur->types[t].kinds;
            if ((kinds | wider[k]) != kinds && (kinds & wider[k]) == kinds &&
                widen_type(w, t, wider[k]))
                return true;
        }
    return (rule_domains(w->cur) & ~w->claims) != 0 && widen_type(w, NONE, 0);
}

// ---- axes

static bool widen_class(struct run *w, uint32_t c)
{
    struct draft d;
    bool done = false;
    draft_init(&d, w->cur);
    if (c < d.r.n_classes && d.classes[c].like == c &&
        (d.classes[c].single || d.classes[c].least_rank > 0)) {
        const char *what =
            d.classes[c].single
                ? text(w, "axes of any rank in place of the axis %s",
                       d.classes[c].name)
                : text(w, "%s may have rank 0", d.classes[c].name);
        for (uint32_t k = 0; k < d.r.n_classes; k++)
            if (d.classes[k].like == c) {
                d.classes[k].single = false;
                d.classes[k].least_rank = 0;
            }
        done = try_variant(w, &d, what);
    }
    draft_release(&d);
    return done;
}

// All tensors get axes that nothing is done to, if no class is like that.
static bool add_class(struct run *w)
{
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
                try_variant(w, &d, "further axes that nothing is done to");
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

// ---- the order of changes

// Every condition that is there now, equations first: what they fix is what
// others depend on.  An accepted change has other conditions at other places.
static void weaken_all(struct run *w)
{
    struct draft d;
    draft_init(&d, w->cur);
    uint32_t n = d.r.n_wheres, k = 0;
    const char **cond = ARENA_NEW(&w->l->set.mem, const char *, n + 1);
    for (int eq = 1; eq >= 0; eq--)
        for (uint32_t i = 0; i < n; i++)
            if ((d.wheres[i].cond != NULL && d.wheres[i].cond->op == COND_EQ) ==
                (eq == 1))
                cond[k++] = where_text(w, &d.r, i);
    draft_release(&d);
    for (k = 0; k < n && !over(w); k++) {
        uint32_t at = NONE;
        draft_init(&d, w->cur);
        for (uint32_t i = 0; i < d.r.n_wheres; i++)
            if (strcmp(where_text(w, &d.r, i), cond[k]) == 0)
                at = i;
        draft_release(&d);
        if (at != NONE && !weaken_where(w, at))
            weaken_element(w, at);
    }
}

static bool pass(struct run *w)
{
    uint32_t before = w->g->variants.len;
    for (uint32_t i = 0; i < n_slots(w) && !over(w); i++)
        free_slot(w, i);
    weaken_all(w);
    for (uint32_t i = 0; i < w->cur->n_pats && !over(w); i++)
        if (free_literal(w, i))
            i = (uint32_t)-1;
    for (uint32_t i = 0; i < w->cur->n_scalars && !over(w); i++)
        if (lift_scalar(w, i))
            i = (uint32_t)-1;
    while (!over(w) && free_ops(w))
        ;
    for (uint32_t c = 0; c < w->cur->n_classes && !over(w); c++)
        widen_class(w, c);
    if (!over(w) && !has_free_class(w->cur))
        add_class(w);
    while (!over(w) && widen_types(w))
        ;
    return w->g->variants.len > before;
}

// Preconditions that follow from the others go: the rule says the same.
static void drop_implied(struct run *w)
{
    for (uint32_t i = 0; i < w->cur->n_wheres && w->cur->n_wheres > 1;) {
        struct draft d;
        draft_init(&d, w->cur);
        const char *cond = where_text(w, &d.r, i);
        draft_drop_where(&d, i);
        if (!try_variant(w, &d, text(w, "without %s, not needed", cond)))
            i++;
        draft_release(&d);
    }
}

// What each precondition is for, and whether there is agreement outside.
static void examine(struct run *w)
{
    struct draft d;
    draft_init(&d, w->cur);
    for (uint32_t i = 0; i < d.r.n_wheres; i++) {
        struct draft own;
        struct err e = {0};
        const struct learn_memo *memo;
        struct need n = {.condition = where_text(w, &d.r, i)};
        draft_copy(&own, &d);
        draft_drop_where(&own, i);
        const struct rule *r = draft_rule(&own, &w->l->set, &e);
        if (r != NULL) {
            n.breaks = learner_attack(w->l, r, w->claims, 4000);
            if (n.breaks == NULL &&
                learner_prove(w->l, r, w->claims, true, &memo) != w->claims)
                n.breaks = memo->counterexample;
        }
        vec_push(&w->g->needs, n);
        draft_release(&own);
    }
    // Agreement outside: all preconditions on maps are left out.
    struct draft open;
    struct err e = {0};
    draft_copy(&open, &d);
    for (uint32_t i = open.r.n_wheres; i-- > 0;)
        if (open.wheres[i].cond != NULL)
            draft_drop_where(&open, i);
    const struct rule *r = draft_rule(&open, &w->l->set, &e);
    w->g->maximal = true;
    if (r != NULL && open.r.n_wheres < d.r.n_wheres) {
        struct lab *x = lab_new(r, w->claims, w->l->seed + 99);
        struct lab *y = lab_new(w->cur, w->claims, w->l->seed + 99);
        uint64_t least = UINT64_MAX, least_empty = UINT64_MAX;
        struct buf b = {0};
        bool good = false;
        for (uint32_t i = 0; i < POINTS; i++) {
            // Equal strides and the like are rare among random ones.
            if (good && i % 2 == 1)
                lab_mutate(x, NONE);
            else
                lab_random(x, NONE);
            good = lab_left(x);
            if (!good)
                continue;
            memcpy(lab_rank(y), lab_rank(x), r->n_classes * sizeof(uint32_t));
            uint64_t size = 0;
            for (uint32_t m = 0; m < r->n_maps; m++) {
                uint32_t o = map_by_name(w->cur, r->maps[m].name);
                int64_t v = lab_map(x, m)[0];
                if (o != NONE)
                    memcpy(lab_map(y, o), lab_map(x, m), 4 * sizeof v);
                size += (uint64_t)(v < 0 ? 1 - 2 * v : v);
            }
            w->g->points++;
            if ((size >= least && size >= least_empty) || lab_left(y))
                continue;
            enum lab_answer a = lab_run(x, 5);
            if (a == LAB_AGREE && size < least)
                least = size;
            else if (a == LAB_EMPTY && size < least_empty)
                least_empty = size;
            else
                continue;
            buf_clear(&b);
            lab_print(x, &b);
            const char *at = arena_strdup(&w->l->set.mem, buf_text(&b));
            if (a == LAB_EMPTY) {
                w->g->lost_empty = at;
            } else {
                w->g->lost = at;
                w->g->maximal = false;
            }
        }
        buf_release(&b);
        lab_free(x);
        lab_free(y);
    }
    draft_release(&open);
    draft_release(&d);
}

bool generalize(struct learner *l, const struct rule *r,
                const struct generalize_options *o, struct general *out,
                struct err *e)
{
    double start = clock_wall();
    struct run w = {.l = l, .o = o, .g = out, .claims = r->claims};
    const struct learn_memo *memo;
    *out = (struct general){.best = 0};
    w.end = start + (o->seconds > 0 ? o->seconds : 240);
    unsigned proved = learner_prove(l, r, r->claims, true, &memo);
    if (proved != r->claims)
        return err_set(e, ERR_CHECK, "%s is not proved in what it claims: %s",
                       r->name,
                       memo->counterexample ? memo->counterexample
                       : memo->vacuous ? "no instance meets its preconditions"
                                       : "not decided");
    struct variant first = {r, NONE, "as given", "", proved};
    vec_push(&out->variants, first);
    w.cur = r;
    for (int i = 0; i < PASSES && !over(&w) && pass(&w); i++)
        ;
    out->stopped = over(&w);
    drop_implied(&w);
    out->best = w.at;
    examine(&w);
    out->seconds = clock_wall() - start;
    return true;
}

void general_release(struct general *g)
{
    vec_release(&g->variants);
    vec_release(&g->refused);
    vec_release(&g->needs);
}
