// SPDX-License-Identifier: Apache-2.0
#include "egraph/match/match.h"
#include "base/hash.h"
#include "egraph/program/constants.h"
#include "egraph/match/matcher.h"

// Own table: asked for every match of every rule in every round.
static uint32_t set_find(const uint64_t *slot, uint32_t cap, uint64_t key)
{
    uint32_t i = (uint32_t)hash_u64(key, 1) & (cap - 1);
    while (slot[i] != 0 && slot[i] != key)
        i = (i + 1) & (cap - 1);
    return i;
}

static bool set_has(const struct match_set *set, uint64_t key)
{
    key += key == 0;
    return set->slot.len > 0 && set->slot.at[set_find(set->slot.at, set->slot.len, key)] == key;
}

bool match_set_add(struct match_set *set, uint64_t key)
{
    key += key == 0;
    if (2 * (set->n + 1) > set->slot.len) {
        struct match_set old = *set;
        uint32_t n = old.slot.len == 0 ? 16 : 2 * old.slot.len;
        vec_zero(&set->slot, n);
        for (uint32_t i = 0; i < old.slot.len; i++)
            if (old.slot.at[i] != 0)
                set->slot.at[set_find(set->slot.at, n, old.slot.at[i])] = old.slot.at[i];
        vec_release(&old.slot);
    }
    uint32_t i = set_find(set->slot.at, set->slot.len, key);
    if (set->slot.at[i] == key)
        return false;
    set->slot.at[i] = key;
    set->n++;
    return true;
}

void match_set_release(struct match_set *set)
{
    vec_release(&set->slot);
    set->n = 0;
}

// The excess that the nodes of a match may have, so that the other side does not
// exceed the slack.  If the rule makes more operators than that, matches without
// excess are still taken.
static bool start_room(struct matcher *matcher, term_id node)
{
    const struct match_index *news = matcher->request->index;
    int64_t room = (int64_t)matcher->request->slack - matcher->variant->growth;
    bool some = false;
    for (uint32_t k = 0; k < N_MEASURES; k++) {
        matcher->room[k] = room > 0 ? room : 0;
        matcher->room[k] -= news->by[k].away.at[news->lead.at[egraph_node(matcher->graph, node)]];
        some = some || matcher->room[k] >= 0;
    }
    return some || !matcher->request->bounded;
}

// Relabels above the first operator match the class of its e-node.  Nothing is
// simpler than a constant.
static void match_root(struct matcher *matcher, term_id node)
{
    class_id class = egraph_find(matcher->graph, node);
    if (!start_room(matcher, node) ||
        (matcher->request->bounded && class_constant(matcher->graph, class).v != NO_LIT.v))
        return;
    matcher->cls[matcher->variant->step[0]] = class;
    matcher->lit[matcher->variant->step[0]] = NO_LIT;
    matcher->node[matcher->variant->step[matcher->root_step]] = node;
    matcher->fresh = matcher->hope[matcher->variant->step[0]] = true;
    match_next(matcher, 0);
}

static void start_variant(struct matcher *matcher, const struct pattern_variant *variant)
{
    const struct rule *rule = matcher->rule;
    matcher->variant = variant;
    for (uint32_t i = 0; i < rule->n_tensors; i++)
        matcher->tensor[i] = NO_CLASS;
    for (uint32_t i = 0; i < rule->n_scalars; i++)
        matcher->scalar[i].is = false;
    for (uint32_t i = 0; i < rule->n_types; i++)
        matcher->elem[i] = ELEM_OTHER;
    for (uint32_t i = 0; i < rule->n_opvars; i++)
        matcher->op_uses[i] = 0;
    // A relabel has one argument, so these steps follow each other.
    matcher->root_step = 0;
    while (rule->pats[variant->step[matcher->root_step]].kind == PAT_RELABEL)
        matcher->root_step++;
}

// The pattern node that a match begins with: relabels above it are of its
// class.
static const struct pat *root_of(const struct rule *rule, const struct pattern_variant *variant)
{
    uint32_t s = 0;
    while (rule->pats[variant->step[s]].kind == PAT_RELABEL)
        s++;
    return &rule->pats[variant->step[s]];
}

static bool root_may_be(const struct rule *rule, const struct pat *pattern, uint32_t op)
{
    if (pattern->kind == PAT_OP)
        return pattern->op == op;
    return op_is_elementwise((enum op)op) &&
           op_arity((enum op)op) == (int)rule->opvars[pattern->var].n_args;
}

// Is there anything with this operator on top that was not there when the
// pattern was last looked for?
static bool op_has_news(const struct match_index *news, uint32_t depth, uint32_t op, uint32_t since)
{
    return news->place_from[op] < news->place_from[op + 1] &&
           (since == 0 || depth > news->depth || news->latest[depth][op] >= since);
}

static bool variant_may_match(const struct rule *rule, const struct pattern_variant *variant,
                              const struct match_index *news, uint32_t since)
{
    const struct pat *pattern = root_of(rule, variant);
    if (variant->needs & ~news->present)
        return false;
    if (pattern->kind == PAT_OP)
        return op_has_news(news, variant->depth, pattern->op, since);
    for (uint32_t op = 0; op < N_OPS; op++)
        if (op_has_news(news, variant->depth, op, since) && root_may_be(rule, pattern, op))
            return true;
    return false;
}

bool pattern_gives_tensor(const struct pattern *pattern)
{
    return pattern->rule->pats[pattern->target].kind == PAT_TENSOR;
}

bool match_possible(const struct pattern *pattern, const struct match_index *news, uint32_t since)
{
    for (uint32_t i = 0; i < pattern->n_variants; i++)
        if (variant_may_match(pattern->rule, &pattern->variants[i], news, since))
            return true;
    return false;
}

struct pattern_outline pattern_outline(const struct pattern *pattern)
{
    struct pattern_outline outline = {.depth = pattern->depth};
    if (pattern->simplifies)
        outline.makes = pattern_gives_tensor(pattern) ? MAKES_TENSOR : MAKES_FEWER;
    int32_t growth = pattern->n_variants > 0 ? INT32_MAX : 0;
    outline.needs = pattern->n_variants > 0 ? UINT64_MAX : 0;
    for (uint32_t i = 0; i < pattern->n_variants; i++) {
        const struct pattern_variant *variant = &pattern->variants[i];
        const struct pat *root = root_of(pattern->rule, variant);
        outline.needs &= variant->needs;
        growth = variant->growth < growth ? variant->growth : growth;
        for (uint32_t op = 0; op < N_OPS; op++)
            if (root_may_be(pattern->rule, root, op))
                outline.roots |= op_bit(op);
    }
    outline.more = growth > 0 ? (uint32_t)growth : 0;
    return outline;
}

// Is one of the roots where the slack lets the pattern begin?
static bool has_near_root(uint64_t roots, const struct match_index *news, uint32_t room)
{
    for (uint32_t bit = 0; roots >> bit != 0; bit++)
        if ((roots >> bit & 1) && news->nearest[bit] <= room)
            return true;
    return false;
}

// Nothing is simpler than a constant: a bounded match has no constant for its root.
bool outline_possible(const struct pattern_outline *outline, const struct match_index *news,
                      bool bounded, uint32_t slack)
{
    if (outline->needs & ~news->present)
        return false;
    if (!bounded || outline->makes == MAKES_TENSOR)
        return (outline->roots & news->present) != 0;
    if (outline->more == 0)
        return (outline->roots & news->varying) != 0;
    return has_near_root(outline->roots & news->varying, news,
                         slack > outline->more ? slack - outline->more : 0);
}

bool outline_equal(const struct pattern_outline *a, const struct pattern_outline *b)
{
    return a->roots == b->roots && a->needs == b->needs && a->depth == b->depth &&
           a->makes == b->makes && a->more == b->more;
}

static uint32_t window_of(uint32_t node)
{
    return node / EGRAPH_WINDOW;
}

// Has the second pass come to where the first one began?
static bool at_end(const struct matcher *matcher, const struct match_cursor *cursor)
{
    const struct match_cursor *e = &matcher->end;
    if (window_of(cursor->node) != window_of(e->node))
        return window_of(cursor->node) > window_of(e->node);
    if (cursor->variant != e->variant)
        return cursor->variant > e->variant;
    return cursor->op != e->op ? cursor->op > e->op : cursor->node >= e->node;
}

// Left out because the part of the program has its share of the nodes?
static bool is_closed(const struct match_request *request, uint32_t node)
{
    struct shares *shares = request->shares;
    return shares != NULL && shares_closed(shares, shares_part(shares, node));
}

// The first place of the list whose node is not before this one.
static const struct index_place *first_from(const struct index_place *at,
                                            const struct index_place *end, uint32_t node)
{
    while (at < end) {
        const struct index_place *middle = at + (end - at) / 2;
        if (middle->node < node)
            at = middle + 1;
        else
            end = middle;
    }
    return at;
}

// The places of one operator from the cursor to the end of its window; false when cut short there
// or at the end of this pass.
static bool match_operator_from(struct matcher *matcher, struct match_cursor *cursor)
{
    const struct match_request *request = matcher->request;
    const struct match_index *x = request->index;
    bool hot = request->since >= x->hot_since && matcher->variant->depth <= x->depth;
    const struct index_place *list = hot ? x->hot.at : x->place.at;
    const uint32_t *from = hot ? x->hot_from : x->place_from;
    const struct index_place *end = list + from[cursor->op + 1];
    const struct index_place *at = first_from(list + from[cursor->op], end, cursor->node);
    int64_t room = (int64_t)request->slack - matcher->variant->growth;
    uint32_t most = !request->bounded ? UINT32_MAX : room > 0 ? (uint32_t)room : 0;
    uint32_t depth = matcher->variant->depth, window = window_of(cursor->node);
    bool all = request->since == 0 || depth > x->depth;
    const uint32_t *news = all ? NULL : x->news.at + depth * x->lead.len;
    for (; at < end && window_of(at->node) == window; at++) {
        if (at->least > most || (news != NULL && news[at->node] < request->since))
            continue;
        cursor->node = at->node;
        if (at_end(matcher, cursor))
            return false;
        if (is_closed(request, at->node))
            continue;
        match_root(matcher, node_term(matcher->graph, at->node));
        if (matcher->stop)
            return false;
    }
    return true;
}

// All places from the cursor to the end of its window, where it moves to the next one; false when
// cut short there or at the end of this pass.
static bool match_window(struct matcher *matcher, struct match_cursor *cursor)
{
    const struct pattern *pattern = matcher->request->pattern;
    const struct match_index *news = matcher->request->index;
    uint32_t first = window_of(cursor->node) * EGRAPH_WINDOW;
    for (; cursor->variant < pattern->n_variants; cursor->variant++, cursor->op = 0) {
        const struct pattern_variant *variant = &pattern->variants[cursor->variant];
        if (variant->needs & ~news->present) {
            cursor->node = first;
            continue;
        }
        start_variant(matcher, variant);
        const struct pat *root = root_of(matcher->rule, variant);
        bool one = root->kind == PAT_OP; // else an operator variable
        if (one && cursor->op < (uint32_t)root->op) {
            cursor->op = (uint32_t)root->op;
            cursor->node = first;
        }
        uint32_t end = one ? (uint32_t)root->op + 1 : N_OPS;
        for (; cursor->op < end; cursor->op++, cursor->node = first)
            if (op_has_news(news, variant->depth, cursor->op, matcher->request->since) &&
                root_may_be(matcher->rule, root, cursor->op) &&
                !match_operator_from(matcher, cursor))
                return false;
        cursor->node = first;
    }
    *cursor = (struct match_cursor){.node = first + EGRAPH_WINDOW};
    return true;
}

struct match_search {
    struct match_request request;
    struct matcher matcher;
    struct match_cursor start;
    bool again; // the pass from the first place to the start
    struct arena own;
    struct miss miss[2];
};

struct match_search *match_begin(struct egraph *graph, const struct match_request *request,
                                 struct arena *mem, struct match_result *out)
{
    const struct rule *rule = request->pattern->rule;
    struct match_search *search = mem_alloc(sizeof *search);
    struct matcher *matcher = &search->matcher;
    struct arena *own = &search->own;
    search->request = *request;
    search->start = *request->cursor;
    *matcher = (struct matcher){
        .graph = graph, .request = &search->request, .rule = rule, .mem = mem, .out = out};
    matcher->miss = request->misses ? &search->miss[0] : NULL;
    matcher->other_miss = &search->miss[1];
    matcher->unfit = NONE;
    matcher->steps_end = out->steps + request->max_steps;
    matcher->cls = ARENA_NEW(own, class_id, rule->n_pats);
    matcher->home = ARENA_NEW(own, class_id, rule->n_pats);
    matcher->node = ARENA_NEW(own, term_id, rule->n_pats);
    matcher->perm = ARENA_NEW(own, attr_id, rule->n_pats);
    matcher->hope = ARENA_NEW(own, bool, rule->n_pats);
    matcher->all = request->since == 0;
    matcher->lit = ARENA_NEW(own, lit_id, rule->n_pats);
    matcher->tensor = ARENA_NEW(own, class_id, rule->n_tensors);
    matcher->scalar = ARENA_NEW(own, struct scalar_bound, rule->n_scalars);
    matcher->elem = ARENA_NEW(own, enum elem, rule->n_types);
    matcher->op = ARENA_NEW(own, struct op_binding, rule->n_opvars);
    matcher->op_uses = ARENA_NEW(own, uint32_t, rule->n_opvars);
    matcher->end.node = UINT32_MAX;
    out->complete = false;
    return search;
}

// Every place from the start on was looked at: those before it are still due.  False if there are
// none.
static bool begin_again(struct match_search *search)
{
    const struct match_cursor *start = &search->start;
    bool begun = start->variant != 0 || start->op != 0 || start->node != 0;
    *search->request.cursor = (struct match_cursor){0};
    if (!begun || search->again)
        return false;
    search->again = true;
    search->matcher.end = *start;
    return true;
}

bool match_on(struct match_search *search)
{
    struct match_cursor *cursor = search->request.cursor;
    struct matcher *matcher = &search->matcher;
    bool whole = match_window(matcher, cursor);
    if (matcher->stop) {
        cursor->node++; // this place was given its share
        return false;
    }
    if (whole && cursor->node < search->request.index->lead.len)
        return true;
    matcher->out->complete = !begin_again(search);
    return !matcher->out->complete;
}

void match_end(struct match_search *search)
{
    for (uint32_t i = 0; i < 2; i++) {
        buf_release(&search->miss[i].condition);
        buf_release(&search->miss[i].found);
    }
    arena_release(&search->matcher.scratch);
    arena_release(&search->own);
    mem_free(search);
}

void match_all(struct egraph *graph, const struct match_request *request, struct arena *mem,
               struct match_result *out)
{
    struct match_search *search = match_begin(graph, request, mem, out);
    while (match_on(search))
        continue;
    match_end(search);
}

void match_result_release(struct match_result *result)
{
    vec_release(&result->found);
    match_set_release(&result->keys);
}

bool match_seen(const struct match_request *request, uint64_t key)
{
    return request->seen != NULL && set_has(request->seen, key);
}
