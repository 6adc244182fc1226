// SPDX-License-Identifier: Apache-2.0
#include "discover/lint/rewrite.h"

#include "tensor/fold/layout.h"

void rewriter_init(struct rewriter *w)
{
    *w = (struct rewriter){.most_matches = 64};
}

void rewriter_add(struct rewriter *w, const struct rule *r,
                  struct rule_status s)
{
    struct rewrite_rule one = {.rule = r, .status = s};
    pattern_compile(&one.pattern, r, false, &w->mem);
    vec_push(&w->rule, one);
}

void rewriter_release(struct rewriter *w)
{
    vec_release(&w->rule);
    arena_release(&w->mem);
}

struct part_matching {
    const struct terms *t;
    struct u32_vec *with;
    uint32_t left; // nodes that may be looked at
};

static bool bind(struct part_matching *m, term_id param, term_id to)
{
    for (uint32_t i = 0; i < m->with->len; i += 2)
        if (m->with->at[i] == param.v)
            return m->with->at[i + 1] == to.v;
    vec_push(m->with, param.v);
    vec_push(m->with, to.v);
    return true;
}

static bool matches(struct part_matching *m, term_id part, term_id x)
{
    const struct term *p = term_at(m->t, part), *q = term_at(m->t, x);
    if (m->left == 0 || p->type.v != q->type.v)
        return false;
    m->left--;
    if (p->op == OP_PARAMETER)
        return bind(m, part, x);
    if (p->op != q->op || p->attr.v != q->attr.v || p->n_args != q->n_args)
        return false;
    for (uint32_t k = 0; k < p->n_args; k++)
        if (!matches(m, term_args(m->t, part)[k], term_args(m->t, x)[k]))
            return false;
    return true;
}

bool term_has(const struct terms *t, term_id whole, term_id part,
              struct u32_vec *with)
{
    struct u32_vec ids = {0};
    bool found = false;
    terms_reach(t, 1, &whole, &ids);
    for (uint32_t i = ids.len; i-- > 0 && !found;) {
        struct part_matching m = {t, with, 1000};
        with->len = 0;
        found = matches(&m, part, (term_id){ids.at[i]});
    }
    vec_release(&ids);
    return found;
}

static term_id with_args(struct terms *t, uint32_t id, const uint32_t *to)
{
    struct term at = *term_at(t, (term_id){id});
    term_id *args = mem_alloc((at.n_args + 1u) * sizeof *args);
    bool changed = false;
    for (uint32_t k = 0; k < at.n_args; k++) {
        term_id old = term_args(t, (term_id){id})[k];
        args[k].v = to[old.v];
        changed = changed || args[k].v != old.v;
    }
    term_id out = {id};
    if (changed)
        out = term_make(t, (enum op)at.op, at.attr, at.type, at.n_args, args);
    mem_free(args);
    return out;
}

term_id term_replace(struct terms *t, term_id whole, term_id part, term_id by)
{
    struct u32_vec ids = {0};
    uint32_t *to = mem_alloc((whole.v + 1u) * sizeof *to);
    terms_reach(t, 1, &whole, &ids); // arguments first
    for (uint32_t i = 0; i < ids.len; i++)
        to[ids.at[i]] =
            ids.at[i] == part.v ? by.v : with_args(t, ids.at[i], to).v;
    uint32_t out = to[whole.v];
    mem_free(to);
    vec_release(&ids);
    return (term_id){out};
}

// Of a node whose arguments are normal.
static term_id normal_node(struct terms *t, term_id x)
{
    static const enum layout_kind laws[] = {LAYOUT_COMPOSE, LAYOUT_IDENTITY,
                                            LAYOUT_NOOP, LAYOUT_PERMUTE,
                                            LAYOUT_FUSE};
    for (uint32_t turn = 0; turn < 8; turn++) {
        term_id y = x;
        for (size_t i = 0; i < sizeof laws / sizeof *laws && y.v == x.v; i++)
            if (!layout_rewrite(t, x, laws[i], &y))
                y = x;
        if (y.v == x.v)
            break;
        x = y;
    }
    return x;
}

term_id term_normal(struct terms *t, term_id x)
{
    struct u32_vec ids = {0};
    uint32_t *to = mem_alloc((x.v + 1u) * sizeof *to);
    terms_reach(t, 1, &x, &ids);
    for (uint32_t i = 0; i < ids.len; i++)
        to[ids.at[i]] = normal_node(t, with_args(t, ids.at[i], to)).v;
    uint32_t out = to[x.v];
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
    const struct rewriter *w;
    struct terms *t;
    struct egraph g;
    struct match_index index;
    struct finite finite;
    struct arena mem;
    VEC(struct found_match) found;
    enum domain float_mode;
};

static void match_one(struct rewrite_site *s, uint32_t i)
{
    const struct rewrite_rule *r = &s->w->rule.at[i];
    struct match_result found = {0};
    struct match_cursor cursor = {0};
    struct pattern p = r->pattern;
    if (s->w->whole) {
        p.n_variants = 0;
        for (uint32_t v = 0; v < r->pattern.n_variants; v++)
            if (r->pattern.variants[v].empty == 0) {
                p.variants = &r->pattern.variants[v];
                p.n_variants = 1;
            }
    }
    struct match_request q = {.pattern = &p,
                              .status = r->status,
                              .float_mode = s->float_mode,
                              .max_matches = s->w->most_matches,
                              .max_steps = 1 << 16,
                              .cursor = &cursor,
                              .index = &s->index,
                              .finite = &s->finite};
    if (r->off || p.n_variants == 0 || !match_possible(&p, &s->index, 0))
        return;
    match_all(&s->g, &q, &s->mem, &found);
    for (uint32_t k = 0; k < found.found.len; k++) {
        struct found_match f = {i, found.found.at[k], NO_TERM};
        vec_push(&s->found, f);
    }
    match_result_release(&found);
}

static void open_site(struct rewrite_site *s, term_id from)
{
    uint32_t depth = 0;
    egraph_init(&s->g, s->t, egraph_defaults());
    s->g.opt.fold = false;
    egraph_add_term(&s->g, from);
    egraph_rebuild(&s->g);
    for (uint32_t i = 0; i < s->w->rule.len; i++)
        if (s->w->rule.at[i].pattern.depth > depth)
            depth = s->w->rule.at[i].pattern.depth;
    s->index.depth = depth < INDEX_MAX_DEPTH ? depth : INDEX_MAX_DEPTH;
    match_index_build(&s->g, &s->index);
}

// The matched sides must be where they were found, as in the engine.
static void build_sources(struct rewrite_site *s)
{
    for (uint32_t i = 0; i < s->found.len; i++) {
        struct found_match *f = &s->found.at[i];
        struct err e = {0};
        if (!apply_source(&s->g, &s->w->rule.at[f->rule].pattern, &f->match,
                          &f->source, &e))
            f->source = NO_TERM;
    }
    egraph_rebuild(&s->g);
}

// The subterm of `from` that the match replaces.
static bool place_of(struct rewrite_site *s, const struct u32_vec *ids,
                     const struct found_match *f, term_id *out)
{
    if (f->source.v == NO_TERM.v ||
        egraph_find(&s->g, f->source).v != class_find(&s->g, f->match.root).v)
        return false;
    for (uint32_t i = ids->len; i-- > 0;) {
        *out = (term_id){ids->at[i]};
        if (egraph_same(&s->g, *out, f->source))
            return true;
    }
    return false;
}

void rewrite_steps(const struct rewriter *w, struct terms *t, term_id from,
                   enum domain float_mode, uint32_t only, step_vec *out)
{
    struct rewrite_site s = {.w = w, .t = t, .float_mode = float_mode};
    struct u32_vec ids = {0};
    out->len = 0;
    open_site(&s, from);
    for (uint32_t i = 0; i < w->rule.len; i++)
        if (only == UINT32_MAX || only == i)
            match_one(&s, i);
    build_sources(&s);
    terms_reach(t, 1, &from, &ids);
    struct builder b = builder_plain(t);
    for (uint32_t i = 0; i < s.found.len; i++) {
        struct found_match *f = &s.found.at[i];
        const struct pattern *p = &w->rule.at[f->rule].pattern;
        const struct order *order = &f->match.in->pat[p->root].out;
        struct err e = {0};
        term_id place, target;
        if (!place_of(&s, &ids, f, &place))
            continue;
        instance_orient(f->match.in, p->target, order);
        if (!instance_build_as(f->match.in, p->target, order, &b, &target, &e))
            continue;
        term_id by = term_normal(t, term_replace(t, from, place, target));
        struct step_to to = {f->rule, by, place.v == from.v};
        if (by.v != from.v)
            vec_push(out, to);
    }
    vec_release(&ids);
    vec_release(&s.found);
    match_index_release(&s.index);
    finite_release(&s.finite);
    egraph_release(&s.g);
    arena_release(&s.mem);
}
