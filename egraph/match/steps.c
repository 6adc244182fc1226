// SPDX-License-Identifier: Apache-2.0
// The structure of a match, pattern node by pattern node.
#include "base/clock.h"
#include "base/hash.h"
#include "egraph/program/constants.h"
#include "egraph/match/matcher.h"
#include "egraph/program/orbit.h"
#include "tensor/eval/eval.h"

static void match_step(struct matcher *matcher, uint32_t step);

static uint64_t form_key(const struct matcher *matcher)
{
    uint64_t h = hash_u64(matcher->variant->empty, 2);
    for (uint32_t s = 0; s < matcher->variant->n_steps; s++) {
        uint32_t i = matcher->variant->step[s];
        switch (matcher->rule->pats[i].kind) {
        case PAT_LITERAL:
            break; // given by the pattern
        case PAT_SCALAR:
            h = hash_u64(matcher->cls[i].v, hash_u64(matcher->lit[i].v, h));
            break;
        case PAT_OP:
        case PAT_OPVAR: // its class may merge with another of the orbit
            h = hash_u64(matcher->node[i].v, hash_u64(matcher->home[i].v, h));
            h = hash_u64(matcher->perm[i].v, h);
            break;
        case PAT_TENSOR:
        case PAT_SPLAT:
        case PAT_RELABEL:
            h = hash_u64(matcher->home[i].v, hash_u64(matcher->perm[i].v, h));
            break;
        case PAT_CALL: // in no pattern that runs
            break;
        }
    }
    return h;
}

// Element conditions may come to hold by a constant that is found later.
static bool has_element_condition(const struct rule *rule)
{
    for (uint32_t w = 0; w < rule->n_wheres; w++)
        if (rule->wheres[w].cond == NULL)
            return true;
    return false;
}

// A leaf that does not fit ends the search, except where near misses are told: then
// the search goes on to see whether all the rest of the structure is there.
static bool goes_on(struct matcher *matcher, uint32_t i, bool type)
{
    if (matcher->miss == NULL || matcher->unfit != NONE)
        return false;
    matcher->unfit = i;
    matcher->unfit_type = type;
    matcher->unfit_wanted = matcher->elem[matcher->rule->pats[i].type];
    return true;
}

static void tell_unfit(struct matcher *matcher)
{
    miss_clear(matcher);
    if (matcher->unfit_type)
        miss_type(matcher, matcher->unfit);
    else
        miss_literal(matcher, matcher->unfit);
    miss_tell(matcher);
}

static void match_complete(struct matcher *matcher)
{
    if (matcher->unfit != NONE) {
        tell_unfit(matcher);
        return;
    }
    uint64_t form = form_key(matcher);
    if (match_seen(matcher->request, form)) {
        matcher->out->known++;
        return;
    }
    // A candidate that is no match stays none while the classes are the same.  A
    // match with the bindings of another form is found in that form.
    if (!axes_match(matcher, form) && matcher->request->seen != NULL &&
        !has_element_condition(matcher->rule))
        match_set_add(matcher->request->seen, form);
}

void match_next(struct matcher *matcher, uint32_t step)
{
    if (matcher->stop)
        return;
    matcher->out->steps++;
    if (matcher->out->steps >= matcher->steps_end ||
        (matcher->request->deadline > 0 && matcher->out->steps % 4096 == 0 &&
         clock_wall() > matcher->request->deadline)) {
        matcher->stop = true;
        return;
    }
    if (step == matcher->variant->n_steps)
        match_complete(matcher);
    else
        match_step(matcher, step);
}

static bool is_tensor_class(const struct matcher *matcher, class_id class)
{
    return type_is_tensor(matcher->graph->terms->pool, egraph_type(matcher->graph, class));
}

static uint32_t class_rank(const struct matcher *matcher, class_id class)
{
    return type_rank(matcher->graph->terms->pool, egraph_type(matcher->graph, class));
}

static enum elem class_elem(const struct matcher *matcher, class_id class)
{
    return type_elem(matcher->graph->terms->pool, egraph_type(matcher->graph, class));
}

static void match_tensor(struct matcher *matcher, uint32_t step)
{
    uint32_t i = matcher->variant->step[step];
    class_id *var = &matcher->tensor[matcher->rule->pats[i].var];
    bool first = var->v == NO_CLASS.v;
    matcher->perm[i] = NO_ATTR;
    // The leader stands for the variable: every order in which the orbit has
    // it is there as a transpose of the leader.
    if (first)
        *var = orbit_find(matcher->graph, matcher->cls[i]).leader;
    if (!orbit_relation(matcher->graph, *var, matcher->cls[i], &matcher->perm[i])) {
        if (first)
            *var = NO_CLASS;
        return;
    }
    matcher->home[i] = *var;
    match_next(matcher, step + 1);
    if (first)
        *var = NO_CLASS;
}

// A rank-0 operand in its normal form: the constant if it is one.
static struct scalar_bound scalar_of(struct matcher *matcher, uint32_t i)
{
    struct scalar_bound bound = {true, matcher->cls[i], matcher->lit[i]};
    if (bound.cls.v != NO_CLASS.v)
        bound.lit = class_constant(matcher->graph, bound.cls);
    if (bound.lit.v != NO_LIT.v)
        bound.cls = NO_CLASS;
    return bound;
}

static void match_scalar(struct matcher *matcher, uint32_t step)
{
    uint32_t i = matcher->variant->step[step];
    struct scalar_bound *var = &matcher->scalar[matcher->rule->pats[i].var];
    struct scalar_bound bound = scalar_of(matcher, i);
    if (var->is && (var->cls.v != bound.cls.v || var->lit.v != bound.lit.v))
        return;
    bool first = !var->is;
    *var = bound;
    match_next(matcher, step + 1);
    if (first)
        var->is = false;
}

static void match_literal(struct matcher *matcher, uint32_t step)
{
    uint32_t i = matcher->variant->step[step];
    const struct pat *pattern = &matcher->rule->pats[i];
    struct scalar_bound bound = scalar_of(matcher, i);
    struct scalar want;
    struct err err = {0};
    if (matcher->cls[i].v == NO_CLASS.v && bound.lit.v == NO_LIT.v) {
        match_next(matcher, step + 1);
        return;
    }
    if (bound.lit.v == NO_LIT.v)
        return;
    // A unit is compared when the operator is known, a value when the maps are
    // (binding.c).
    bool later = pattern->lit == LIT_VALUE || (pattern->lit == LIT_UNIT && pattern->opvar != NONE &&
                                               matcher->op_uses[pattern->opvar] == 0);
    if (!later) {
        enum elem elem = matcher->elem[pattern->type];
        const struct pool *pool = matcher->graph->terms->pool;
        if (!pat_literal(matcher->rule, pattern, elem, matcher->op, &want, &err) ||
            !scalar_same(elem, want, literal_get(pool, bound.lit, 0))) {
            if (goes_on(matcher, i, false)) {
                match_next(matcher, step + 1);
                matcher->unfit = NONE;
            }
            return;
        }
    }
    matcher->lit[i] = bound.lit;
    match_next(matcher, step + 1);
}

// Could what pattern node i matches in the class be new?  A leaf is what the
// class is, an operator one of its nodes.
static bool has_hope(const struct matcher *matcher, uint32_t i, class_id class)
{
    const struct match_index *news = matcher->request->index;
    uint32_t look = matcher->variant->look[i], lead = news->lead.at[class.v];
    if (look == NONE || matcher->all)
        return false;
    if (look > news->depth)
        return true;
    switch (matcher->rule->pats[i].kind) {
    case PAT_OP:
    case PAT_OPVAR:
        return news->inner.at[look * news->lead.len + lead] >= matcher->request->since;
    case PAT_TENSOR:
    case PAT_SCALAR:
    case PAT_LITERAL:
        return news->changed.at[lead] >= matcher->request->since;
    case PAT_SPLAT:
    case PAT_RELABEL:
    case PAT_CALL:
        break;
    }
    return index_stamp(news, lead, look) >= matcher->request->since;
}

static bool constant_is_empty(const struct matcher *matcher, class_id class)
{
    const struct pool *pool = matcher->graph->terms->pool;
    return class_constant(matcher->graph, class).v != NO_LIT.v &&
           type_count(pool, egraph_type(matcher->graph, class)) == 0;
}

// A rank-0 pattern at every index: a splat constant, a broadcast of rank 0, or
// at rank 0 the thing itself.
static void match_splat(struct matcher *matcher, uint32_t step)
{
    uint32_t i = matcher->variant->step[step],
             a = matcher->variant->rep[matcher->rule->pats[i].args[0]];
    class_id class = matcher->cls[i], source;
    matcher->home[i] = class;
    matcher->lit[a] = NO_LIT;
    matcher->cls[a] = class;
    if (class_rank(matcher, class) > 0) {
        lit_id lit = class_splat(matcher->graph, class);
        enum pat_kind kind = matcher->rule->pats[a].kind;
        bool constant = lit.v != NO_LIT.v && (kind == PAT_LITERAL || kind == PAT_SCALAR);
        bool empty = constant_is_empty(matcher, class);
        if (empty && kind == PAT_LITERAL) {
            matcher->cls[a] = NO_CLASS; // every constant of no element is this one
            matcher->lit[a] = NO_LIT;
        } else if (empty && kind == PAT_SCALAR) {
            enum elem elem = class_elem(matcher, class);
            matcher->cls[a] = NO_CLASS;
            matcher->lit[a] =
                literal_splat(matcher->graph->terms->pool, elem, scalar_of_int(elem, 0));
        } else if (constant) {
            const struct pool *pool = matcher->graph->terms->pool;
            struct scalar scalar = literal_get(pool, lit, 0);
            matcher->cls[a] = NO_CLASS;
            matcher->lit[a] =
                literal_splat(matcher->graph->terms->pool, class_elem(matcher, class), scalar);
        } else if (class_splat_source(matcher->graph, class, &source)) {
            matcher->cls[a] = source;
        } else {
            return;
        }
    }
    matcher->hope[a] = matcher->cls[a].v != NO_CLASS.v && has_hope(matcher, a, matcher->cls[a]);
    matcher->fresh += matcher->hope[a];
    match_next(matcher, step + 1);
    matcher->fresh -= matcher->hope[a];
}

// The e-node itself, or an argument that the pattern does not name.
static bool node_is_new(struct matcher *matcher, uint32_t i, uint32_t node)
{
    const struct egraph *graph = matcher->graph;
    const struct match_index *x = matcher->request->index;
    uint32_t n = cc_arity(&graph->cc, node);
    bool news = x->news.at[node] >= matcher->request->since;
    for (uint32_t k = matcher->rule->pats[i].n_args; k < n && !news; k++)
        news = x->changed.at[x->lead.at[cc_args(&graph->cc, node)[k]]] >= matcher->request->since;
    return news;
}

// The match was found before, whatever is taken below this e-node.
static bool is_stale(struct matcher *matcher, uint32_t i, uint32_t node)
{
    return !matcher->all && matcher->fresh == matcher->hope[i] &&
           index_news(matcher->request->index, node, matcher->variant->look[i]) <
               matcher->request->since &&
           !node_is_new(matcher, i, node);
}

// A splat is a constant or a broadcast of rank 0, or at rank 0 anything.
static bool may_be_splat(struct matcher *matcher, class_id class)
{
    const struct class_data *data = egraph_class(matcher->graph, class);
    return data->constant.v != NO_TERM.v || data->splat.v != NO_TERM.v ||
           (is_tensor_class(matcher, class) && class_rank(matcher, class) == 0);
}

// Could the class, or its orbit, have what pattern node i asks for?
static bool may_be(struct matcher *matcher, uint32_t i, class_id class)
{
    const struct pat *pattern = &matcher->rule->pats[i];
    const struct match_index *news = matcher->request->index;
    switch (pattern->kind) {
    case PAT_OP:
        return (news->ops.at[news->lead.at[class.v]] & op_bit(pattern->op)) != 0;
    case PAT_OPVAR:
        return (news->ops.at[news->lead.at[class.v]] &
                news->elementwise[matcher->rule->opvars[pattern->var].n_args & 3]) != 0;
    case PAT_SPLAT:
        return may_be_splat(matcher, class);
    case PAT_LITERAL:
        return egraph_class(matcher->graph, class)->constant.v != NO_TERM.v;
    case PAT_TENSOR:
    case PAT_SCALAR:
    case PAT_RELABEL:
    case PAT_CALL:
        break;
    }
    return true;
}

static bool has_room(const struct matcher *matcher, uint32_t node)
{
    const struct measure *by = matcher->request->index->by;
    for (uint32_t k = 0; k < N_MEASURES; k++)
        if (matcher->room[k] >= by[k].over.at[node])
            return true;
    return !matcher->request->bounded;
}

static void take_room(struct matcher *matcher, uint32_t node, int sign)
{
    const struct measure *by = matcher->request->index->by;
    for (uint32_t k = 0; k < N_MEASURES; k++)
        matcher->room[k] -= sign * (int64_t)by[k].over.at[node];
}

// Pattern node i is this e-node, of class `home`.
static void try_node(struct matcher *matcher, uint32_t step, class_id home, term_id node)
{
    uint32_t i = matcher->variant->step[step], var, before = matcher->fresh;
    uint32_t e = egraph_node(matcher->graph, node);
    const struct pat *pattern = &matcher->rule->pats[i];
    if ((pattern->kind == PAT_OP && term_op(matcher->graph->terms, node) != pattern->op) ||
        !has_room(matcher, e) || is_stale(matcher, i, e) ||
        !node_fits(matcher, pattern, node, &var))
        return;
    take_room(matcher, e, 1);
    matcher->home[i] = home;
    matcher->node[i] = node;
    matcher->fresh = matcher->fresh - matcher->hope[i] + node_is_new(matcher, i, e);
    bool ok = true;
    for (uint32_t k = 0; ok && k < pattern->n_args; k++) {
        uint32_t a = matcher->variant->rep[pattern->args[k]];
        matcher->cls[a] = (class_id){cc_args(&matcher->graph->cc, e)[k]};
        matcher->lit[a] = NO_LIT;
        ok = may_be(matcher, a, matcher->cls[a]);
        matcher->hope[a] = has_hope(matcher, a, matcher->cls[a]);
        matcher->fresh += matcher->hope[a];
    }
    if (ok && (matcher->all || matcher->fresh > 0))
        match_next(matcher, step + 1);
    matcher->fresh = before;
    if (var != NONE)
        matcher->op_uses[var]--;
    take_room(matcher, e, -1);
}

static void match_operator(struct matcher *matcher, uint32_t step)
{
    uint32_t i = matcher->variant->step[step];
    class_id class = matcher->cls[i];
    if (step == matcher->root_step) {
        matcher->perm[i] = NO_ATTR;
        try_node(matcher, step, class, matcher->node[i]);
        return;
    }
    for (class_id h = class; h.v != NO_CLASS.v && !matcher->stop;
         h = orbit_next(matcher->graph, class, h)) {
        attr_id perm;
        if (!orbit_relation(matcher->graph, h, class, &perm))
            continue;
        for (term_id term = class_first(matcher->graph, h); term.v != NO_TERM.v && !matcher->stop;
             term = class_next(matcher->graph, h, term)) {
            matcher->perm[i] = perm;
            try_node(matcher, step, h, term);
        }
    }
}

static bool kind_fits(struct matcher *matcher, uint32_t i, enum elem *elem)
{
    const struct pat *pattern = &matcher->rule->pats[i];
    if (matcher->cls[i].v == NO_CLASS.v && matcher->lit[i].v == NO_LIT.v)
        *elem = matcher->elem[matcher->rule->pats[matcher->variant->parent[i]].type];
    else if (matcher->cls[i].v == NO_CLASS.v) {
        *elem = pool_literal(matcher->graph->terms->pool, matcher->lit[i])->elem;
    } else {
        *elem = ELEM_OTHER;
        if (!is_tensor_class(matcher, matcher->cls[i]))
            return false;
        *elem = class_elem(matcher, matcher->cls[i]);
    }
    return (elem_kind(*elem) & matcher->rule->types[pattern->type].kinds) &&
           (matcher->elem[pattern->type] == ELEM_OTHER || matcher->elem[pattern->type] == *elem);
}

// Is the type that of the leaf that does not fit?
static bool is_unfit_type(const struct matcher *matcher, uint32_t i, enum elem elem)
{
    return matcher->unfit != NONE && matcher->unfit_type && elem != ELEM_OTHER &&
           matcher->rule->pats[matcher->unfit].type == matcher->rule->pats[i].type;
}

static void match_step(struct matcher *matcher, uint32_t step)
{
    uint32_t i = matcher->variant->step[step];
    const struct pat *pattern = &matcher->rule->pats[i];
    enum elem elem, before = matcher->elem[pattern->type];
    bool rank0 = pattern->kind == PAT_SCALAR || pattern->kind == PAT_LITERAL;
    bool fits = kind_fits(matcher, i, &elem) || is_unfit_type(matcher, i, elem);
    if ((!fits && (elem == ELEM_OTHER || matcher->cls[i].v == NO_CLASS.v)) ||
        (rank0 && matcher->cls[i].v != NO_CLASS.v && class_rank(matcher, matcher->cls[i]) > 0) ||
        (!rank0 && matcher->cls[i].v == NO_CLASS.v) || (!fits && !goes_on(matcher, i, true)))
        return;
    matcher->elem[pattern->type] = elem;
    matcher->perm[i] = NO_ATTR;
    switch (pattern->kind) {
    case PAT_TENSOR:
        match_tensor(matcher, step);
        break;
    case PAT_SCALAR:
        match_scalar(matcher, step);
        break;
    case PAT_LITERAL:
        match_literal(matcher, step);
        break;
    case PAT_SPLAT:
        match_splat(matcher, step);
        break;
    case PAT_OP:
    case PAT_OPVAR:
        match_operator(matcher, step);
        break;
    case PAT_RELABEL: {
        uint32_t a = matcher->variant->rep[pattern->args[0]];
        matcher->home[i] = matcher->cls[a] = matcher->cls[i];
        matcher->lit[a] = NO_LIT;
        matcher->hope[a] = matcher->hope[i];
        match_next(matcher, step + 1);
        break;
    }
    case PAT_CALL:
        break;
    }
    matcher->elem[pattern->type] = before;
    if (!fits)
        matcher->unfit = NONE;
}
