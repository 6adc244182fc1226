// SPDX-License-Identifier: Apache-2.0
// A goal between elements, decided on the terms themselves.
#include "base/clock.h"
#include "discover/derive/core.h"
#include "egraph/plain/saturate/run.h"
#include "egraph/why/why.h"

#include <stdlib.h>

struct terms_run {
    struct cc g;
    struct plain_rules p;
    struct run run;
    uint32_t lhs, rhs; // nodes
};

static bool equal_now(void *ctx, struct cc *g)
{
    const struct terms_run *t = ctx;
    return cc_class(g, t->lhs) == cc_class(g, t->rhs);
}

static bool add_term(struct terms_run *t, const char *text, uint32_t *node,
                     struct err *e)
{
    struct u32_vec nodes = {0};
    bool ok = plain_terms(&t->p, &t->g, "goal", text, &nodes, e);
    if (ok)
        *node = nodes.at[0];
    vec_release(&nodes);
    return ok;
}

// Is the constant on the left side of the goal, so that its types have it?
static bool goal_has(const struct rule *r, uint32_t pat, const struct pat *c)
{
    const struct pat *p = &r->pats[pat];
    if (p->kind == PAT_LITERAL && p->lit == c->lit && p->k == c->k &&
        (c->lit != LIT_DECIMAL || strcmp(p->text, c->text) == 0))
        return true;
    for (uint32_t i = 0; i < p->n_args; i++)
        if (goal_has(r, p->args[i], c))
            return true;
    return false;
}

// A rule says nothing in types that have not its constants: a step over one
// would prove nothing there.  All types of a domain have 0 and 1.
static bool constants_fit(const struct derive_run *w, const struct rule *r)
{
    if (w->b->domain != DOMAIN_WORD && w->b->domain != DOMAIN_FLOAT)
        return true;
    for (uint32_t i = 0; i < r->n_pats; i++) {
        const struct pat *p = &r->pats[i];
        bool small = p->lit == LIT_INT && (p->k == 0 || p->k == 1);
        if (p->kind == PAT_LITERAL && !small &&
            (p->lit == LIT_INT || p->lit == LIT_DECIMAL) &&
            !goal_has(w->goal, w->goal->lhs, p))
            return false;
    }
    return true;
}

// What is made of uniform terms is uniform, and so are constants.
static void uniform_rules(const struct plain_rules *p, uint32_t n_ops,
                          struct buf *out)
{
    for (uint32_t op = 0; op < n_ops; op++) {
        uint32_t len;
        const char *name = plain_op_name(p, op, &len);
        uint32_t n = (uint32_t)strtoul(name + len + 1, NULL, 10);
        if (*name == '$' || (len == 7 && memcmp(name, "uniform", 7) == 0))
            continue;
        buf_printf(out, "u%u: (uniform ", op);
        if (n == 0)
            buf_printf(out, "%.*s) => true.b\n", (int)len, name);
        else
            buf_printf(out, "(%.*s", (int)len, name);
        for (uint32_t k = 0; k < n; k++)
            buf_printf(out, " ?a%u", k);
        for (uint32_t k = 0; k < n; k++)
            buf_printf(out, "%s(uniform ?a%u), true.b)",
                       k == 0 ? ")) => true.b if same(" : " and same(", k);
        if (n > 0)
            buf_putc(out, '\n');
    }
}

static bool has_all(const struct op_set *s, const struct op_set *part)
{
    for (size_t i = 0; i < sizeof s->at / sizeof *s->at; i++)
        if ((part->at[i] & ~s->at[i]) != 0)
            return false;
    return true;
}

static void add_all(struct op_set *s, const struct op_set *part)
{
    for (size_t i = 0; i < sizeof s->at / sizeof *s->at; i++)
        s->at[i] |= part->at[i];
}

// Rules whose operators can come up: those of the goal, and those that such
// rules bring.  No other can ever match.
static void find_reachable(const struct derive_run *w, unsigned kinds,
                           bool *reachable)
{
    struct op_set ops = {{0}};
    op_set_add(&ops, w->goal, w->goal->lhs);
    op_set_add(&ops, w->goal, w->goal->rhs);
    for (uint32_t i = 0; i < w->goal->n_wheres; i++)
        if (w->goal->wheres[i].cond == NULL)
            op_set_add(&ops, w->goal, w->goal->wheres[i].pat);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < w->b->rule.len; i++) {
            const struct base_rule *b = &w->b->rule.at[i];
            if (reachable[i] || b->plain == NULL || derive_left_out(w, i) ||
                (kinds & ~b->kinds) != 0 || !constants_fit(w, b->rule))
                continue;
            bool back = w->o->backward && b->back != NULL;
            if (!has_all(&ops, &b->left) && !(back && has_all(&ops, &b->right)))
                continue;
            reachable[i] = more = true;
            add_all(&ops, &b->right);
            if (back)
                add_all(&ops, &b->left);
        }
    }
}

static bool read_rules(struct terms_run *t, const struct derive_run *w,
                       unsigned kinds, bool *uniform, struct err *e)
{
    struct buf text = {0};
    bool *reachable = mem_alloc(w->b->rule.len + 1u);
    find_reachable(w, kinds, reachable);
    for (uint32_t i = 0; i < w->b->rule.len; i++) {
        const struct base_rule *b = &w->b->rule.at[i];
        if (!reachable[i])
            continue;
        buf_puts(&text, b->plain);
        if (w->o->backward && b->back != NULL)
            buf_puts(&text, b->back);
    }
    mem_free(reachable);
    *uniform = strstr(buf_text(&text), "(uniform ") != NULL;
    bool ok = plain_read(&t->p, &t->g, "base", buf_text(&text), NULL, e);
    buf_release(&text);
    return ok;
}

static bool read_uniform(struct terms_run *t, struct err *e)
{
    struct buf text = {0};
    uniform_rules(&t->p, t->p.op_name.len, &text);
    bool ok = plain_read(&t->p, &t->g, "uniform", buf_text(&text), NULL, e);
    buf_release(&text);
    return ok;
}

static bool add_goal(struct terms_run *t, const struct plain_goal *g,
                     bool lhs_only, struct err *e)
{
    uint32_t yes, node;
    if (!add_term(t, buf_text(&g->lhs), &t->lhs, e) ||
        (!lhs_only && !add_term(t, buf_text(&g->rhs), &t->rhs, e)))
        return false;
    if (g->given.len > 0 && !add_term(t, "true.b", &yes, e))
        return false;
    for (uint32_t i = 0; i < g->given.len; i++) {
        if (!add_term(t, g->given.at[i], &node, e))
            return false;
        if (cc_class(&t->g, node) != cc_class(&t->g, yes))
            cc_union_given(&t->g, JOURNAL_GIVEN, node, yes, i);
    }
    cc_rebuild(&t->g);
    return true;
}

// The rules of the lines that prove it.
static bool find_used(struct terms_run *t, struct derive_run *w, struct err *e)
{
    struct why why;
    struct why_part line;
    why_init(&why, &t->g, &t->p);
    bool ok =
        why_read(&why, e) && why_explain(&why, why_term_of(&why, t->lhs),
                                         why_term_of(&why, t->rhs), &line, e);
    bool *seen = mem_alloc(why.line.len + 1u);
    if (ok && line.line != CC_NONE)
        seen[line.line] = true;
    for (uint32_t i = why.line.len; ok && i-- > 0;) {
        const struct why_line *l = &why.line.at[i];
        if (!seen[i])
            continue;
        for (uint32_t k = 0; k < l->n; k++) {
            const struct why_part *p = &why.part.at[l->at + k];
            bool is_line = l->kind != WHY_RULE || p->arg < WHY_TERM;
            if (is_line && p->line != CC_NONE)
                seen[p->line] = true;
        }
        if (l->kind == WHY_RULE) {
            const char *name = t->p.rule.at[l->x].name;
            if (*name != 'u')
                w->used[strtoul(name + (*name == '-'), NULL, 10)] = true;
        }
    }
    mem_free(seen);
    why_release(&why);
    return ok;
}

static const char *limit_text(enum run_stop stop)
{
    switch (stop) {
    case RUN_ROUNDS:
        return "limit on rounds";
    case RUN_TIME:
        return "limit on time";
    default:
        return "limit on nodes";
    }
}

static bool run_goal(struct terms_run *t, struct derive_run *w,
                     const struct plain_goal *goal, struct err *e)
{
    struct run_options o = {.scheduler = RUN_RATION,
                            .max_rounds = w->o->max_rounds,
                            .max_nodes = w->o->max_nodes,
                            .deadline = w->deadline,
                            .goal = w->o->lhs_only ? NULL : equal_now,
                            .goal_ctx = t};
    run_init(&t->run, &t->g, &t->p, o);
    enum run_stop stop = run_rounds(&t->run);
    w->out->rounds = t->run.rounds;
    run_release(&t->run);
    if (w->o->lhs_only && !add_term(t, buf_text(&goal->rhs), &t->rhs, e))
        return false;
    cc_rebuild(&t->g);
    w->out->nodes = t->g.n_live;
    // The last round may have made them equal.
    if (equal_now(t, &t->g)) {
        w->out->status = DERIVE_YES;
        return !t->g.journal.on || find_used(t, w, e);
    }
    w->out->status = stop == RUN_SATURATED ? DERIVE_NO : DERIVE_LIMIT;
    w->out->reason =
        stop == RUN_SATURATED ? "nothing more follows" : limit_text(stop);
    return true;
}

// A node stands for one term, and a right side that came up by itself may have
// the left side's node; so the rules that lead to it are those that lead there
// from both sides.
static void used_from_both(struct derive_run *w)
{
    struct derive_options o = *w->o;
    struct derive_answer again = *w->out;
    struct derive_run v = *w;
    o.lhs_only = false;
    v.o = &o;
    v.out = &again;
    (void)derive_terms(&v);
}

bool derive_terms(struct derive_run *w)
{
    struct plain_goal g;
    struct terms_run t = {.rhs = 0};
    struct err e = {0};
    const char *why;
    if (!plain_goal_make(w->goal, w->b->domain, &g, &why)) {
        w->out->reason = why;
        plain_goal_release(&g);
        return false;
    }
    w->out->method = DERIVE_TERMS;
    bool find = !w->o->no_used && !w->o->lhs_only;
    cc_init(&t.g, find);
    plain_init(&t.p);
    bool uniform = false;
    if (!read_rules(&t, w, g.kinds, &uniform, &e) ||
        !add_goal(&t, &g, w->o->lhs_only, &e) ||
        (uniform && !read_uniform(&t, &e)) || !run_goal(&t, w, &g, &e)) {
        w->out->status = DERIVE_UNKNOWN;
        w->out->reason = arena_strdup(w->mem, e.msg);
    }
    plain_release(&t.p);
    cc_release(&t.g);
    plain_goal_release(&g);
    if (!find && !w->o->no_used && w->out->status == DERIVE_YES)
        used_from_both(w);
    return true;
}
