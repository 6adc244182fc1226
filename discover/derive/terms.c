// SPDX-License-Identifier: Apache-2.0
// The method `terms`: a goal between elements, decided on the terms themselves.
#include "base/clock.h"
#include "discover/derive/core.h"
#include "egraph/plain/saturate/run.h"
#include "egraph/why/why.h"

#include <stdlib.h>

struct terms_run {
    struct cc graph;
    struct plain_rules rules;
    struct run run;
    uint32_t lhs, rhs; // nodes
};

static bool equal_now(void *ctx, struct cc *graph)
{
    const struct terms_run *run = ctx;
    return cc_class(graph, run->lhs) == cc_class(graph, run->rhs);
}

static bool add_term(struct terms_run *run, const char *text, uint32_t *node, struct err *err)
{
    struct u32_vec nodes = {0};
    bool ok = plain_terms(&run->rules, &run->graph, "goal", text, &nodes, err);
    if (ok)
        *node = nodes.at[0];
    vec_release(&nodes);
    return ok;
}

// Is the constant on the left side of the goal, so that the types of the goal
// have it?
static bool goal_has(const struct rule *rule, uint32_t pat, const struct pat *pattern)
{
    const struct pat *p = &rule->pats[pat];
    if (p->kind == PAT_LITERAL && p->lit == pattern->lit && p->k == pattern->k &&
        (pattern->lit != LIT_DECIMAL || strcmp(p->text, pattern->text) == 0))
        return true;
    for (uint32_t i = 0; i < p->n_args; i++)
        if (goal_has(rule, p->args[i], pattern))
            return true;
    return false;
}

// A rule says nothing about types that lack its constants, so a step through
// such a constant would prove nothing there.  All types of a domain have 0 and
// 1.
static bool constants_fit(const struct derive_run *run, const struct rule *rule)
{
    if (run->base->domain != DOMAIN_WORD && run->base->domain != DOMAIN_FLOAT)
        return true;
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        bool small = pattern->lit == LIT_INT && (pattern->k == 0 || pattern->k == 1);
        if (pattern->kind == PAT_LITERAL && !small &&
            (pattern->lit == LIT_INT || pattern->lit == LIT_DECIMAL) &&
            !goal_has(run->goal, run->goal->lhs, pattern))
            return false;
    }
    return true;
}

// An operator on uniform terms is uniform, and so is a constant.
static void uniform_rules(const struct plain_rules *rules, uint32_t n_ops, struct buf *out)
{
    for (uint32_t op = 0; op < n_ops; op++) {
        uint32_t len;
        const char *name = plain_op_name(rules, op, &len);
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

static bool has_all(const struct op_set *ops, const struct op_set *part)
{
    for (size_t i = 0; i < sizeof ops->at / sizeof *ops->at; i++)
        if ((part->at[i] & ~ops->at[i]) != 0)
            return false;
    return true;
}

static void add_all(struct op_set *ops, const struct op_set *part)
{
    for (size_t i = 0; i < sizeof ops->at / sizeof *ops->at; i++)
        ops->at[i] |= part->at[i];
}

// Finds the rules whose operators can appear: those of the goal, and those that
// such rules introduce.  Other rules can never match.
static void find_reachable(const struct derive_run *run, unsigned kinds, bool *reachable)
{
    struct op_set ops = {{0}};
    op_set_add(&ops, run->goal, run->goal->lhs);
    op_set_add(&ops, run->goal, run->goal->rhs);
    for (uint32_t i = 0; i < run->goal->n_wheres; i++)
        if (run->goal->wheres[i].cond == NULL)
            op_set_add(&ops, run->goal, run->goal->wheres[i].pat);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < run->base->rule.len; i++) {
            const struct base_rule *rule = &run->base->rule.at[i];
            if (reachable[i] || rule->plain == NULL || derive_left_out(run, i) ||
                (kinds & ~rule->kinds) != 0 || !constants_fit(run, rule->rule))
                continue;
            bool back = run->options->backward && rule->back != NULL;
            if (!has_all(&ops, &rule->left) && !(back && has_all(&ops, &rule->right)))
                continue;
            reachable[i] = more = true;
            add_all(&ops, &rule->right);
            if (back)
                add_all(&ops, &rule->left);
        }
    }
}

static bool read_rules(struct terms_run *run, const struct derive_run *w, unsigned kinds,
                       bool *uniform, struct err *err)
{
    struct buf text = {0};
    bool *reachable = mem_alloc(w->base->rule.len + 1u);
    find_reachable(w, kinds, reachable);
    for (uint32_t i = 0; i < w->base->rule.len; i++) {
        const struct base_rule *rule = &w->base->rule.at[i];
        if (!reachable[i])
            continue;
        buf_puts(&text, rule->plain);
        if (w->options->backward && rule->back != NULL)
            buf_puts(&text, rule->back);
    }
    mem_free(reachable);
    *uniform = strstr(buf_text(&text), "(uniform ") != NULL;
    bool ok = plain_read(&run->rules, &run->graph, "base", buf_text(&text), NULL, err);
    buf_release(&text);
    return ok;
}

static bool read_uniform(struct terms_run *run, struct err *err)
{
    struct buf text = {0};
    uniform_rules(&run->rules, run->rules.op_name.len, &text);
    bool ok = plain_read(&run->rules, &run->graph, "uniform", buf_text(&text), NULL, err);
    buf_release(&text);
    return ok;
}

static bool add_goal(struct terms_run *run, const struct plain_goal *goal, bool lhs_only,
                     struct err *err)
{
    uint32_t yes, node;
    if (!add_term(run, buf_text(&goal->lhs), &run->lhs, err) ||
        (!lhs_only && !add_term(run, buf_text(&goal->rhs), &run->rhs, err)))
        return false;
    if (goal->given.len > 0 && !add_term(run, "true.b", &yes, err))
        return false;
    for (uint32_t i = 0; i < goal->given.len; i++) {
        if (!add_term(run, goal->given.at[i], &node, err))
            return false;
        if (cc_class(&run->graph, node) != cc_class(&run->graph, yes))
            cc_union_given(&run->graph, JOURNAL_GIVEN, node, yes, i);
    }
    cc_rebuild(&run->graph);
    return true;
}

// Marks the rules whose lines appear in the proof.
static bool find_used(struct terms_run *run, struct derive_run *w, struct err *err)
{
    struct why why;
    struct why_part line;
    why_init(&why, &run->graph, &run->rules);
    bool ok = why_read(&why, err) && why_explain(&why, why_term_of(&why, run->lhs),
                                                 why_term_of(&why, run->rhs), &line, err);
    bool *seen = mem_alloc(why.line.len + 1u);
    if (ok && line.line != CC_NONE)
        seen[line.line] = true;
    for (uint32_t i = why.line.len; ok && i-- > 0;) {
        const struct why_line *l = &why.line.at[i];
        if (!seen[i])
            continue;
        for (uint32_t k = 0; k < l->n; k++) {
            const struct why_part *part = &why.part.at[l->at + k];
            bool is_line = l->kind != WHY_RULE || part->arg < WHY_TERM;
            if (is_line && part->line != CC_NONE)
                seen[part->line] = true;
        }
        if (l->kind == WHY_RULE) {
            const char *name = run->rules.rule.at[l->x].name;
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
    case RUN_STEPS:
        return "limit on effort";
    case RUN_TIME:
        return "limit on time";
    default:
        return "limit on nodes";
    }
}

static bool run_goal(struct terms_run *run, struct derive_run *w, const struct plain_goal *goal,
                     struct err *err)
{
    struct run_options options = {.scheduler = RUN_RATION,
                                  .max_rounds = w->options->max_rounds,
                                  .max_nodes = w->options->max_nodes,
                                  .max_steps = w->options->max_steps,
                                  .deadline = w->deadline,
                                  .goal = w->options->lhs_only ? NULL : equal_now,
                                  .goal_ctx = run};
    run_init(&run->run, &run->graph, &run->rules, options);
    enum run_stop stop = run_rounds(&run->run);
    w->out->rounds = run->run.rounds;
    run_release(&run->run);
    if (w->options->lhs_only && !add_term(run, buf_text(&goal->rhs), &run->rhs, err))
        return false;
    cc_rebuild(&run->graph);
    w->out->nodes = run->graph.n_live;
    // The last round may have made both sides equal.
    if (equal_now(run, &run->graph)) {
        w->out->status = DERIVE_YES;
        return !run->graph.journal.on || find_used(run, w, err);
    }
    w->out->status = stop == RUN_SATURATED ? DERIVE_NO : DERIVE_LIMIT;
    w->out->reason = stop == RUN_SATURATED ? "nothing more follows" : limit_text(stop);
    return true;
}

// A node stands for one term, so a right side that a rule builds may share the
// node of the left side.  The rules in use are therefore those of the steps
// from both sides to that node.
static void used_from_both(struct derive_run *run)
{
    struct derive_options options = *run->options;
    struct derive_answer again = *run->out;
    struct derive_run v = *run;
    options.lhs_only = false;
    v.options = &options;
    v.out = &again;
    (void)derive_terms(&v);
}

bool derive_terms(struct derive_run *run)
{
    struct plain_goal goal;
    struct terms_run t = {.rhs = 0};
    struct err err = {0};
    const char *why;
    if (!plain_goal_make(run->goal, run->base->domain, &goal, &why)) {
        run->out->reason = why;
        plain_goal_release(&goal);
        return false;
    }
    run->out->method = DERIVE_TERMS;
    bool find = !run->options->no_used && !run->options->lhs_only;
    cc_init(&t.graph, find);
    plain_init(&t.rules);
    bool uniform = false;
    if (!read_rules(&t, run, goal.kinds, &uniform, &err) ||
        !add_goal(&t, &goal, run->options->lhs_only, &err) ||
        (uniform && !read_uniform(&t, &err)) || !run_goal(&t, run, &goal, &err)) {
        run->out->status = DERIVE_UNKNOWN;
        run->out->reason = arena_strdup(run->mem, err.msg);
    }
    plain_release(&t.rules);
    cc_release(&t.graph);
    plain_goal_release(&goal);
    if (!find && !run->options->no_used && run->out->status == DERIVE_YES)
        used_from_both(run);
    return true;
}
