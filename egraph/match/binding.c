// SPDX-License-Identifier: Apache-2.0
// The instance of a match whose axes have their classes and places.
#include "base/hash.h"
#include "egraph/program/constants.h"
#include "egraph/match/axes.h"
#include "rules/instance/counts.h"
#include "rules/instance/regroup.h"

static void set_ranks(const struct match_axes *axes, uint32_t *rank)
{
    for (uint32_t c = 0; c < axes->rule->n_classes; c++) {
        uint32_t family = axes->rule->classes[c].like;
        rank[c] = axes->variant->empty >> c & 1 ? 0 : axes_least_rank(axes, family);
        for (uint32_t f = 0; f < axes->variant->n_parts; f++)
            if (axes->variant->parts[f].family == family)
                rank[c] = axes->count[f];
    }
}

// The element type of all starts; false: they have several.
static bool set_index_elem(struct match_axes *axes, struct instance *in)
{
    const struct terms *terms = axes->matcher->graph->terms;
    in->index_elem = ELEM_I32; // where no start is matched
    bool any = false;
    for (uint32_t s = 0; s < axes->variant->n_steps; s++) {
        uint32_t i = axes->variant->step[s];
        const struct pat *pattern = &axes->rule->pats[i];
        if (pattern->kind != PAT_OP ||
            (pattern->op != OP_DYNAMIC_SLICE && pattern->op != OP_DYNAMIC_UPDATE_SLICE))
            continue;
        term_id start = term_args(terms, axes->matcher->node[i])[pattern->n_args];
        enum elem elem = type_elem(axes->pool, term_type(terms, start));
        if (any && elem != in->index_elem)
            return false;
        in->index_elem = elem;
        any = true;
    }
    return true;
}

static bool is_index(const struct rule *rule, uint32_t m)
{
    return rule->maps[m].index && rule->maps[m].def == NULL;
}

static term_id operand(struct matcher *matcher, class_id class);

static bool set_maps(struct match_axes *axes, struct instance *in)
{
    for (uint32_t f = 0; f < axes->rule->n_classes; f++) {
        if (axes->rule->classes[f].like != f)
            continue;
        for (uint32_t j = 0; j < in->rank[f]; j++) {
            if (!axes_place_fits(axes, f, j, NULL))
                return false;
            for (uint32_t m = 0; m < axes->rule->n_maps; m++) {
                if (axes->rule->classes[axes->rule->maps[m].cls].like != f)
                    continue;
                if (!is_index(axes->rule, m)) {
                    in->map[m][j] = axes->values.value[m];
                    continue;
                }
                if (axes->values.known[m])
                    in->index[m][j] = operand(axes->matcher, (class_id){axes->values.start[m]});
                else if (axes->matcher->request->pattern->used[m])
                    return false;
            }
            for (uint32_t m = 0; m < axes->rule->n_maps; m++)
                if (axes->rule->classes[axes->rule->maps[m].cls].like == f &&
                    !axes->values.known[m] && axes->rule->maps[m].def == NULL &&
                    axes->matcher->request->pattern->used[m])
                    return false;
        }
    }
    return true;
}

static uint32_t axis_of(struct match_axes *axes, const struct instance *in, uint32_t dim)
{
    uint32_t q = axes_root(axes->up, dim), top = axes_root(axes->sup, q);
    for (uint32_t k = 0; k < axes->n_groups; k++)
        if (axes->group[k].first == top)
            return in->class_axes[axes->label[q]][axes->group[k].place];
    return NONE;
}

// The order in which the parent of matched node i sees its dimensions, or that
// of the e-node itself.
static struct order node_order(struct match_axes *axes, const struct instance *in, uint32_t i,
                               bool seen)
{
    struct order order = {axes_count(axes, i), NULL};
    order.axis = ARENA_NEW(in->mem, uint32_t, order.n);
    for (uint32_t d = 0; d < order.n; d++)
        order.axis[d] = axis_of(axes, in, seen ? axes_seen(axes, i, d) : axes->base[i] + d);
    return order;
}

static void set_places(struct match_axes *axes, struct instance *in)
{
    for (uint32_t i = 0; i <= axes->matcher->request->pattern->root; i++) {
        uint32_t to = axes->variant->rep[i];
        if (to == NONE)
            continue;
        in->pat[i].out = node_order(axes, in, to, to != i);
        for (uint32_t k = 0; k < axes->rule->pats[i].n_args; k++) {
            uint32_t a = axes->variant->rep[axes->rule->pats[i].args[k]];
            if (a != NONE)
                in->pat[i].in[k] = node_order(axes, in, a, true);
        }
    }
}

// The term of a class that a variable stands for: the oldest, or where rules
// need finite elements one that is known to be finite.
static term_id operand(struct matcher *matcher, class_id class)
{
    term_id best = class_term(matcher->graph, class);
    if (matcher->request->reading != READ_REAL ||
        finite_term(matcher->request->finite, matcher->graph->terms, best))
        return best;
    for (term_id term = class_first(matcher->graph, class); term.v != NO_TERM.v;
         term = class_next(matcher->graph, class, term))
        if (finite_term(matcher->request->finite, matcher->graph->terms, term))
            return term;
    return best;
}

// The type of counts that the matched side does not have: that of other counts, which it has.
// Other types that it does not have are predicates.
static enum elem free_elem(const struct matcher *matcher, const struct rule *rule, uint32_t type)
{
    bool counts = rule->types[type].kinds != KIND_BOOL && rule_type_is_count(rule, type);
    for (uint32_t t = 0; counts && t < rule->n_types; t++)
        if (matcher->elem[t] != ELEM_OTHER && rule_type_is_count(rule, t))
            return matcher->elem[t];
    return ELEM_I1;
}

static bool set_operands(struct match_axes *axes, struct instance *in)
{
    struct matcher *matcher = axes->matcher;
    for (uint32_t t = 0; t < axes->rule->n_types; t++)
        in->elem[t] =
            matcher->elem[t] != ELEM_OTHER ? matcher->elem[t] : free_elem(matcher, axes->rule, t);
    for (uint32_t k = 0; k < axes->rule->n_opvars; k++)
        in->op[k] = matcher->op[k];
    for (uint32_t s = 0; s < axes->variant->n_steps; s++) {
        uint32_t i = axes->variant->step[s];
        const struct pat *pattern = &axes->rule->pats[i];
        if (pattern->kind != PAT_TENSOR)
            continue;
        in->tensor[pattern->var] = operand(matcher, matcher->home[i]);
        in->order[pattern->var] = node_order(axes, in, i, false);
    }
    // A scalar of a deleted pad may be anything.
    for (uint32_t k = 0; k < axes->rule->n_scalars; k++) {
        struct pool *pool = matcher->graph->terms->pool;
        enum elem elem = in->elem[axes->rule->scalars[k].type];
        struct err err = {0};
        type_id type;
        lit_id lit = matcher->scalar[k].is ? matcher->scalar[k].lit
                                           : literal_splat(pool, elem, scalar_of_int(elem, 0));
        if (matcher->scalar[k].is && matcher->scalar[k].cls.v != NO_CLASS.v)
            in->scalar[k] = operand(matcher, matcher->scalar[k].cls);
        else if (type_tensor(pool, elem, 0, NULL, &type, &err))
            in->scalar[k] = term_constant(matcher->graph->terms, lit, type);
        else
            return false;
    }
    return true;
}

// Literals that were matched before their operator was known.
static bool literals_fit(const struct match_axes *axes, const struct instance *in)
{
    for (uint32_t s = 0; s < axes->variant->n_steps; s++) {
        uint32_t i = axes->variant->step[s];
        const struct pat *pattern = &axes->rule->pats[i];
        struct scalar want;
        struct err err = {0};
        if (pattern->kind != PAT_LITERAL || axes->matcher->lit[i].v == NO_LIT.v)
            continue;
        enum elem elem = in->elem[pattern->type];
        int64_t k;
        bool fits = pattern->lit != LIT_VALUE
                        ? pat_literal(axes->rule, pattern, elem, in->op, &want, &err)
                        : instance_iexp(in, pattern->value, NONE, 0, &k) && elem_has_int(elem, k);
        if (fits && pattern->lit == LIT_VALUE)
            want = scalar_of_int(elem, k);
        if (!fits || !scalar_same(elem, want, literal_get(axes->pool, axes->matcher->lit[i], 0)))
            return false;
    }
    return true;
}

static void use_constant(struct egraph *graph, term_id *term)
{
    if (!egraph_known(graph, *term)) // a scalar that was made as a constant
        return;
    term_id c = class_constant_term(graph, egraph_find(graph, *term));
    if (c.v != NO_TERM.v)
        *term = c;
}

// The variables of an element condition stand for the constants that their
// classes equal, in the sides too, so that a checker sees the same condition.
static void use_constants(struct match_axes *axes, struct instance *in, uint32_t pat)
{
    const struct pat *pattern = &axes->rule->pats[pat];
    if (pattern->kind == PAT_TENSOR)
        use_constant(axes->matcher->graph, &in->tensor[pattern->var]);
    else if (pattern->kind == PAT_SCALAR)
        use_constant(axes->matcher->graph, &in->scalar[pattern->var]);
    for (uint32_t k = 0; k < pattern->n_args; k++)
        use_constants(axes, in, pattern->args[k]);
}

static bool elements_hold(struct match_axes *axes, struct instance *in)
{
    for (uint32_t w = 0; w < axes->rule->n_wheres; w++) {
        if (axes->rule->wheres[w].cond != NULL)
            continue;
        use_constants(axes, in, axes->rule->wheres[w].pat);
        if (!instance_element_condition(in, axes->rule->wheres[w].pat, axes->matcher->graph->terms))
            return miss_elements(axes->matcher, in, w);
    }
    return true;
}

static uint64_t mix(uint64_t h, uint64_t v)
{
    return hash_u64(v, h);
}

static uint64_t mix_order(uint64_t h, const struct order *order)
{
    h = mix(h, order->n);
    for (uint32_t i = 0; i < order->n; i++)
        h = mix(h, order->axis[i]);
    return h;
}

// Bindings and place; the forms of the nodes in between do not count.
static uint64_t match_key(const struct match_axes *axes, const struct instance *in)
{
    const struct rule *rule = axes->rule;
    const struct pattern *pattern = axes->matcher->request->pattern;
    uint64_t h = mix(axes->matcher->cls[axes->variant->step[0]].v, pattern->backward);
    for (uint32_t c = 0; c < rule->n_classes; c++)
        h = mix(h, in->rank[c]);
    for (uint32_t m = 0; m < rule->n_maps; m++)
        for (uint32_t j = 0; j < in->rank[rule->maps[m].cls]; j++)
            h = mix(h, !is_index(rule, m) ? (uint64_t)in->map[m][j]
                                          : egraph_find(axes->matcher->graph, in->index[m][j]).v);
    for (uint32_t t = 0; t < rule->n_types; t++)
        h = mix(h, in->elem[t]);
    for (uint32_t k = 0; k < rule->n_opvars; k++)
        h = mix(mix(h, in->op[k].op), in->op[k].attr.v);
    for (uint32_t k = 0; k < rule->n_tensors; k++)
        h = mix_order(mix(h, egraph_find(axes->matcher->graph, in->tensor[k]).v), &in->order[k]);
    for (uint32_t k = 0; k < rule->n_scalars; k++)
        h = mix(h, in->scalar[k].v); // may be a constant that is in no class
    return mix_order(h, &in->pat[pattern->root].out);
}

// Between two reshapes a transpose may change the order of a block's axes: then
// it is no block of both.
static bool blocks_in_order(const struct match_axes *axes, const struct instance *in)
{
    for (uint32_t s = 0; s < axes->variant->n_steps; s++) {
        uint32_t i = axes->variant->step[s];
        const struct pat *pattern = &axes->rule->pats[i];
        if (pattern->kind == PAT_OP && pattern->op == OP_RESHAPE &&
            !reshape_fits(in, pattern, &in->pat[i].in[0], &in->pat[i].out))
            return false;
    }
    return true;
}

// Does what the instance says of maps hold?
static bool maps_hold(struct match_axes *axes, struct instance *in)
{
    struct err err = {0};
    uint32_t which;
    if (!instance_lets(in, &err))
        return miss_text(axes->matcher, MISS_CONDITION, "every let is defined", err.msg);
    if (!instance_where(in, &which))
        return miss_where_of(axes->matcher, in, which);
    if (!instance_wider(in, &err) || !instance_index_fits(in, &err))
        return miss_text(axes->matcher, MISS_TYPE, "the element types are wide enough", err.msg);
    return literals_fit(axes, in) ||
           miss_text(axes->matcher, MISS_LITERAL, "every constant is that of the rule", "");
}

// Do the verdicts and the elements allow the use?
static bool elements_allow(struct match_axes *axes, struct instance *in)
{
    struct err err = {0};
    struct matcher *matcher = axes->matcher;
    const struct match_request *request = matcher->request;
    enum domain float_domain = reading_domain(request->reading);
    if (!instance_may_fire(in, float_domain, request->status))
        return miss_verdict(matcher, in);
    if (!instance_monoids(in, request->reading, &err))
        return miss_text(matcher, MISS_ELEMENTS, "operators are those that the rule asks for",
                         err.msg);
    if (!elements_hold(axes, in))
        return false;
    return instance_finite(in, matcher->graph->terms, request->finite, float_domain,
                           request->status) ||
           miss_text(matcher, MISS_ELEMENTS, "all elements are finite",
                     "not known of the operands");
}

static bool finish(struct match_axes *axes, struct instance *in, uint64_t *key)
{
    struct matcher *matcher = axes->matcher;
    if (!set_index_elem(axes, in))
        return miss_text(matcher, MISS_TYPE, "all starts have one type", "");
    if (!set_maps(axes, in))
        return miss_text(matcher, MISS_AXES, "every map has a value", "");
    if (!set_operands(axes, in))
        return false;
    set_places(axes, in);
    if (!blocks_in_order(axes, in))
        return miss_text(matcher, MISS_AXES, "the axes of a block stand in its order", "");
    *key = match_key(axes, in);
    if (match_seen(matcher->request, *key)) {
        matcher->out->known++;
        return false;
    }
    return match_set_add(&matcher->out->keys, *key) && maps_hold(axes, in) &&
           elements_allow(axes, in);
}

bool axes_instance(struct match_axes *axes, uint64_t form)
{
    struct matcher *matcher = axes->matcher;
    struct arena_mark mark = arena_mark(matcher->mem);
    uint32_t *rank = ARENA_NEW(axes->mem, uint32_t, axes->rule->n_classes);
    set_ranks(axes, rank);
    struct instance *in = instance_new(axes->rule, rank, matcher->mem);
    uint64_t key = 0;
    if (!finish(axes, in, &key)) {
        arena_reset(matcher->mem, mark);
        return false;
    }
    const uint32_t *step = axes->variant->step;
    term_id place = matcher->node[step[matcher->root_step]];
    struct match found = {in, matcher->cls[step[0]], egraph_node(matcher->graph, place), key, form};
    vec_push(&matcher->out->found, found);
    if (matcher->out->found.len >= matcher->request->max_matches)
        matcher->stop = true;
    return true;
}
