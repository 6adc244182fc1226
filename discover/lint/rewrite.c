// SPDX-License-Identifier: Apache-2.0
#include "discover/lint/rewrite.h"
#include "discover/limits.h"

#include "tensor/fold/layout.h"

void rewriter_init(struct rewriter *rewriter)
{
    *rewriter = (struct rewriter){.most_matches = LINT_MATCHES};
}

void rewriter_add(struct rewriter *rewriter, const struct rule *rule, struct rule_status status)
{
    struct rewrite_rule one = {.rule = rule, .status = status};
    pattern_compile(&one.pattern, rule, false, &rewriter->mem);
    vec_push(&rewriter->rule, one);
}

void rewriter_release(struct rewriter *rewriter)
{
    vec_release(&rewriter->rule);
    arena_release(&rewriter->mem);
}

struct part_matching {
    const struct terms *terms;
    struct u32_vec *with;
    uint32_t left; // nodes that may still be visited
};

static bool bind(struct part_matching *matching, term_id param, term_id to)
{
    for (uint32_t i = 0; i < matching->with->len; i += 2)
        if (matching->with->at[i] == param.v)
            return matching->with->at[i + 1] == to.v;
    vec_push(matching->with, param.v);
    vec_push(matching->with, to.v);
    return true;
}

static bool matches(struct part_matching *matching, term_id part, term_id term)
{
    const struct term *node = term_at(matching->terms, part), *q = term_at(matching->terms, term);
    if (matching->left == 0 || node->type.v != q->type.v)
        return false;
    matching->left--;
    if (node->op == OP_PARAMETER)
        return bind(matching, part, term);
    if (node->op != q->op || node->attr.v != q->attr.v || node->n_args != q->n_args)
        return false;
    for (uint32_t k = 0; k < node->n_args; k++)
        if (!matches(matching, term_args(matching->terms, part)[k],
                     term_args(matching->terms, term)[k]))
            return false;
    return true;
}

bool term_has(const struct terms *terms, term_id whole, term_id part, struct u32_vec *with)
{
    struct u32_vec ids = {0};
    bool found = false;
    terms_reach(terms, 1, &whole, &ids);
    for (uint32_t i = ids.len; i-- > 0 && !found;) {
        struct part_matching matching = {terms, with, LINT_PART_STEPS};
        with->len = 0;
        found = matches(&matching, part, (term_id){ids.at[i]});
    }
    vec_release(&ids);
    return found;
}

static term_id with_args(struct terms *terms, uint32_t id, const uint32_t *to)
{
    struct term at = *term_at(terms, (term_id){id});
    term_id *args = mem_alloc((at.n_args + 1u) * sizeof *args);
    bool changed = false;
    for (uint32_t k = 0; k < at.n_args; k++) {
        term_id old = term_args(terms, (term_id){id})[k];
        args[k].v = to[old.v];
        changed = changed || args[k].v != old.v;
    }
    term_id out = {id};
    if (changed)
        out = term_make(terms, (enum op)at.op, at.attr, at.type, at.n_args, args);
    mem_free(args);
    return out;
}

term_id term_replace(struct terms *terms, term_id whole, term_id part, term_id by)
{
    struct u32_vec ids = {0};
    uint32_t *to = mem_alloc((whole.v + 1u) * sizeof *to);
    terms_reach(terms, 1, &whole, &ids); // arguments first
    for (uint32_t i = 0; i < ids.len; i++)
        to[ids.at[i]] = ids.at[i] == part.v ? by.v : with_args(terms, ids.at[i], to).v;
    uint32_t out = to[whole.v];
    mem_free(to);
    vec_release(&ids);
    return (term_id){out};
}

// The normal form of a node whose arguments are normal.
static term_id normal_node(struct terms *terms, term_id term)
{
    static const enum layout_kind laws[] = {LAYOUT_COMPOSE, LAYOUT_IDENTITY, LAYOUT_NOOP,
                                            LAYOUT_PERMUTE, LAYOUT_FUSE,     LAYOUT_REGROUP};
    for (uint32_t turn = 0; turn < LINT_NORMAL_TURNS; turn++) {
        term_id y = term;
        for (size_t i = 0; i < sizeof laws / sizeof *laws && y.v == term.v; i++)
            if (!layout_rewrite(terms, term, laws[i], &y))
                y = term;
        if (y.v == term.v)
            break;
        term = y;
    }
    return term;
}

term_id term_normal(struct terms *terms, term_id term)
{
    struct u32_vec ids = {0};
    uint32_t *to = mem_alloc((term.v + 1u) * sizeof *to);
    terms_reach(terms, 1, &term, &ids);
    for (uint32_t i = 0; i < ids.len; i++)
        to[ids.at[i]] = normal_node(terms, with_args(terms, ids.at[i], to)).v;
    uint32_t out = to[term.v];
    mem_free(to);
    vec_release(&ids);
    return (term_id){out};
}

struct found_match {
    uint32_t rule;
    struct match match;
    term_id source;
};
struct rewrite_site {
    const struct rewriter *rewriter;
    struct terms *terms;
    struct egraph graph;
    struct match_index index;
    struct finite finite;
    struct arena mem;
    VEC(struct found_match) found;
    enum float_reading reading;
};

static void match_one(struct rewrite_site *site, uint32_t i)
{
    const struct rewrite_rule *rule = &site->rewriter->rule.at[i];
    struct match_result found = {0};
    struct match_cursor cursor = {0};
    struct pattern pattern = rule->pattern;
    if (site->rewriter->whole) {
        pattern.n_variants = 0;
        for (uint32_t v = 0; v < rule->pattern.n_variants; v++)
            if (rule->pattern.variants[v].empty == 0) {
                pattern.variants = &rule->pattern.variants[v];
                pattern.n_variants = 1;
            }
    }
    struct match_request request = {.pattern = &pattern,
                                    .status = rule->status,
                                    .reading = site->reading,
                                    .max_matches = site->rewriter->most_matches,
                                    .max_steps = LINT_MATCH_STEPS,
                                    .cursor = &cursor,
                                    .index = &site->index,
                                    .finite = &site->finite};
    if (rule->off || pattern.n_variants == 0 || !match_possible(&pattern, &site->index, 0))
        return;
    match_all(&site->graph, &request, &site->mem, &found);
    for (uint32_t k = 0; k < found.found.len; k++) {
        struct found_match f = {i, found.found.at[k], NO_TERM};
        vec_push(&site->found, f);
    }
    match_result_release(&found);
}

static void open_site(struct rewrite_site *site, term_id from)
{
    uint32_t depth = 0;
    egraph_init(&site->graph, site->terms, egraph_defaults());
    site->graph.opt.fold = false;
    egraph_add_term(&site->graph, from);
    egraph_rebuild(&site->graph);
    for (uint32_t i = 0; i < site->rewriter->rule.len; i++)
        if (site->rewriter->rule.at[i].pattern.depth > depth)
            depth = site->rewriter->rule.at[i].pattern.depth;
    site->index.depth = depth < EGRAPH_INDEX_DEPTH ? depth : EGRAPH_INDEX_DEPTH;
    match_index_build(&site->graph, &site->index);
}

// The matched sides must still be where they were found, as in the engine.
static void build_sources(struct rewrite_site *site)
{
    for (uint32_t i = 0; i < site->found.len; i++) {
        struct found_match *found = &site->found.at[i];
        struct err err = {0};
        if (!apply_source(&site->graph, &site->rewriter->rule.at[found->rule].pattern,
                          &found->match, &found->source, &err))
            found->source = NO_TERM;
    }
    egraph_rebuild(&site->graph);
}

// The subterm of `from` that the match replaces.
static bool place_of(struct rewrite_site *site, const struct u32_vec *ids,
                     const struct found_match *found, term_id *out)
{
    if (found->source.v == NO_TERM.v ||
        egraph_find(&site->graph, found->source).v != class_find(&site->graph, found->match.root).v)
        return false;
    for (uint32_t i = ids->len; i-- > 0;) {
        *out = (term_id){ids->at[i]};
        if (egraph_same(&site->graph, *out, found->source))
            return true;
    }
    return false;
}

void rewrite_steps(const struct rewriter *rewriter, struct terms *terms, term_id from,
                   enum float_reading reading, uint32_t only, step_vec *out)
{
    struct rewrite_site site = {.rewriter = rewriter, .terms = terms, .reading = reading};
    struct u32_vec ids = {0};
    out->len = 0;
    open_site(&site, from);
    for (uint32_t i = 0; i < rewriter->rule.len; i++)
        if (only == UINT32_MAX || only == i)
            match_one(&site, i);
    build_sources(&site);
    terms_reach(terms, 1, &from, &ids);
    struct builder builder = builder_plain(terms);
    for (uint32_t i = 0; i < site.found.len; i++) {
        struct found_match *found = &site.found.at[i];
        const struct pattern *pattern = &rewriter->rule.at[found->rule].pattern;
        const struct order *order = &found->match.in->pat[pattern->root].out;
        struct err err = {0};
        term_id place, target;
        if (!place_of(&site, &ids, found, &place))
            continue;
        instance_orient(found->match.in, pattern->target, order);
        if (!instance_build_as(found->match.in, pattern->target, order, &builder, &target, &err))
            continue;
        term_id by = term_normal(terms, term_replace(terms, from, place, target));
        struct step_to to = {found->rule, by, place.v == from.v};
        if (by.v != from.v)
            vec_push(out, to);
    }
    vec_release(&ids);
    vec_release(&site.found);
    match_index_release(&site.index);
    finite_release(&site.finite);
    egraph_release(&site.graph);
    arena_release(&site.mem);
}
