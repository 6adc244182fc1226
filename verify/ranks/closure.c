// SPDX-License-Identifier: Apache-2.0
#include "verify/ranks/closure.h"
#include "verify/limits.h"

static uint64_t bit(uint32_t i)
{
    return UINT64_C(1) << i;
}

// The index of a read, as an array.  The caller frees it.
static expr_id *index_of(struct closure *closure, expr_id access)
{
    const struct exprs *exprs = &closure->session->exprs;
    const struct tensor_var *tensor = &closure->session->rule->tensors[expr_at(exprs, access)->sym];
    expr_id *index = denote_new_index(&closure->template.denote);
    for (uint32_t i = 0; i < tensor->n_sizes; i++)
        index[tensor->sizes[i].cls * closure->template.denote.max_rank] =
            expr_arg(exprs, access, i);
    return index;
}

// The part about a family of "the place is in the range of the pattern".  NONE: the part
// about classes of one axis.
static expr_id range_of(struct closure *closure, uint32_t pat, const expr_id *index,
                        uint32_t family)
{
    struct clauses clauses = {{0}};
    struct exprs *exprs = &closure->session->exprs;
    expr_id out = expr_true(exprs);
    denote_in_range(&closure->template.denote, pat, index, &clauses);
    for (uint32_t i = 0; i < clauses.at.len; i++) {
        uint32_t f = clauses.at.at[i].family;
        bool one = (closure->template.many >> f & 1) == 0;
        if (one ? family == NONE : f == family)
            out = expr_and2(exprs, out, clauses.at.at[i].cond);
    }
    vec_release(&clauses.at);
    return out;
}

expr_id closure_bit(struct closure *closure, uint32_t i, uint32_t family)
{
    struct session *session = closure->session;
    struct exprs *exprs = &session->exprs;
    const struct u32_vec *reads = &closure->template.reads;
    if (i < closure->template.conds.len)
        return canon(&session->polys,
                     rank_template_part(&closure->template, closure->template.conds.at[i], family));
    i -= closure->template.conds.len;
    if (i >= closure->pair.len / 2) {
        const struct closure_known *closure_known = &closure->known.at[i - closure->pair.len / 2];
        expr_id *index = index_of(closure, reads->at[closure_known->read]);
        expr_id range = range_of(closure, closure_known->pat, index, family);
        mem_free(index);
        return canon(&session->polys, range);
    }
    expr_id u = reads->at[closure->pair.at[2 * i]];
    expr_id v = reads->at[closure->pair.at[2 * i + 1]];
    const struct tensor_var *tensor = &session->rule->tensors[expr_at(exprs, u)->sym];
    expr_id out = expr_true(exprs);
    for (uint32_t k = 0; k < tensor->n_sizes; k++)
        if (denote_family(session->rule, tensor->sizes[k].cls) == family)
            out =
                expr_and2(exprs, out, expr_eq(exprs, expr_arg(exprs, u, k), expr_arg(exprs, v, k)));
    return canon(&session->polys, out);
}

static bool reads_tensor(const struct rule *rule, uint32_t pat, uint32_t t)
{
    const struct pat *pattern = &rule->pats[pat];
    bool found = pattern->kind == PAT_TENSOR && pattern->var == t;
    for (uint32_t i = 0; i < pattern->n_args && !found; i++)
        found = reads_tensor(rule, pattern->args[i], t);
    return found;
}

// Do the pattern and the tensor have the same classes?
static bool same_classes(struct closure *closure, uint32_t pat, uint32_t tensor)
{
    const struct tensor_var *t = &closure->session->rule->tensors[tensor];
    bool same = true;
    for (uint32_t k = 0; k < closure->session->rule->n_classes && same; k++) {
        bool has = false;
        for (uint32_t i = 0; i < t->n_sizes; i++)
            has |= t->sizes[i].cls == k;
        same = has == denote_has_class(&closure->template.denote, pat, k);
    }
    return same;
}

// Is the equality of two reads' places of use?  It is for reads of one tensor, and of
// tensors of the same classes in one element condition.
static bool comparable(struct closure *closure, uint32_t a, uint32_t b)
{
    const struct rule *rule = closure->session->rule;
    bool use = a == b;
    for (uint32_t w = 0; w < rule->n_wheres && !use; w++) {
        uint32_t pat = rule->wheres[w].pat;
        use = rule->wheres[w].cond == NULL && reads_tensor(rule, pat, a) &&
              reads_tensor(rule, pat, b) && same_classes(closure, pat, a) &&
              same_classes(closure, pat, b);
    }
    return use;
}

static void number_bits(struct closure *closure)
{
    const struct exprs *exprs = &closure->session->exprs;
    const struct rule *rule = closure->session->rule;
    const struct u32_vec *reads = &closure->template.reads;
    for (uint32_t i = 0; i < reads->len; i++)
        for (uint32_t j = 0; j < i; j++)
            if (comparable(closure, expr_at(exprs, reads->at[i])->sym,
                           expr_at(exprs, reads->at[j])->sym)) {
                vec_push(&closure->pair, i);
                vec_push(&closure->pair, j);
            }
    for (uint32_t w = 0; w < rule->n_wheres; w++)
        for (uint32_t i = 0; i < reads->len; i++) {
            uint32_t t = expr_at(exprs, reads->at[i])->sym, pat = rule->wheres[w].pat;
            if (rule->wheres[w].cond == NULL && reads_tensor(rule, pat, t) &&
                same_classes(closure, pat, t))
                vec_push(&closure->known, ((struct closure_known){i, pat}));
        }
    closure->n_bits = closure->template.conds.len + closure->pair.len / 2 + closure->known.len;
    if (closure->n_bits > VERIFY_CLOSURE_ATOMS)
        closure->failure = "too many conditions and reads";
}

// ---- F1: one axis

struct closure_axis_search {
    struct closure *closure;
    uint32_t family;
    expr_id part[VERIFY_CLOSURE_ATOMS];
    uint64_t bits;
    struct u32_vec known; // hypotheses, and the bits decided so far
};

static void take_axis(struct closure_axis_search *closure_axis_search, struct linear_model *model)
{
    struct closure *closure = closure_axis_search->closure;
    if (closure->axes.len >= VERIFY_CLOSURE_AXES) {
        closure->failure = "too many truth vectors at one axis";
        return;
    }
    struct closure_axis closure_axis = {
        .family = closure_axis_search->family, .bits = closure_axis_search->bits, .model = *model};
    *model = (struct linear_model){.genuine = false};
    vec_push(&closure->axes, closure_axis);
}

// Can the hypotheses and the bits decided so far be refuted?  With little effort first; a
// partial vector gets no more.
static bool refuted(struct closure_axis_search *closure_axis_search, bool whole,
                    struct linear_model *model)
{
    struct session *session = closure_axis_search->closure->session;
    uint32_t mark = smt_mark(&session->smt);
    bool no = false;
    for (int effort = 0; effort < 1 + whole && !no && !model->genuine; effort++) {
        linear_model_release(model);
        session->linear.quick = effort == 0;
        no = linear_refute(&session->linear, closure_axis_search->known.len,
                           closure_axis_search->known.at, model) == SMT_UNSAT &&
             !session->polys.overflow;
        if (!no)
            smt_forget(&session->smt, mark);
    }
    session->linear.quick = false;
    return no;
}

// Adds all truth vectors that agree with the bits decided so far and cannot be refuted, from
// bit i on.
static void enumerate(struct closure_axis_search *closure_axis_search, uint32_t i)
{
    struct session *session = closure_axis_search->closure->session;
    struct linear_model model = {.genuine = false};
    while (i < closure_axis_search->closure->n_bits &&
           expr_at(&session->exprs, closure_axis_search->part[i])->kind == X_TRUE)
        i++;
    if (closure_axis_search->closure->failure != NULL)
        return;
    if (refuted(closure_axis_search, i == closure_axis_search->closure->n_bits, &model)) {
        linear_model_release(&model);
        return; // the query stays on the trail: the proof rests on it
    }
    if (smt_spent(&session->smt)) {
        closure_axis_search->closure->failure = session->smt.spent;
    } else if (i == closure_axis_search->closure->n_bits) {
        take_axis(closure_axis_search, &model);
    } else {
        expr_id p = closure_axis_search->part[i];
        vec_push(&closure_axis_search->known, p);
        enumerate(closure_axis_search, i + 1);
        vec_last(&closure_axis_search->known) = expr_not(&session->exprs, p);
        closure_axis_search->bits &= ~bit(i);
        enumerate(closure_axis_search, i + 1);
        closure_axis_search->bits |= bit(i);
        (void)vec_pop(&closure_axis_search->known);
    }
    linear_model_release(&model);
}

static void one_axis(struct closure *closure, uint32_t family)
{
    struct closure_axis_search closure_axis_search = {.closure = closure, .family = family};
    const struct u32_vec *list = &closure->template.hyps[family];
    closure_axis_search.bits = bit(closure->n_bits) - 1;
    for (uint32_t i = 0; i < closure->n_bits; i++)
        closure_axis_search.part[i] = closure_bit(closure, i, family);
    for (uint32_t i = 0; i < list->len; i++)
        vec_push(&closure_axis_search.known, list->at[i]);
    enumerate(&closure_axis_search, 0);
    vec_release(&closure_axis_search.known);
}

// ---- the closure

static void add_vector(struct closure *closure, uint32_t start, uint32_t from, uint32_t by)
{
    uint64_t bits = closure->all.at[from].bits & closure->axes.at[by].bits;
    for (uint32_t i = start; i < closure->all.len; i++)
        if (closure->all.at[i].bits == bits)
            return;
    if (closure->all.len >= VERIFY_CLOSURE_VECTORS)
        closure->failure = "too many truth vectors";
    else
        vec_push(&closure->all, ((struct closure_vector){bits, from, by}));
}

// First every class that must have an axis gets one.  Then axes are added in order of their
// number.
static void close_axes(struct closure *closure)
{
    const struct rule *rule = closure->session->rule;
    vec_push(&closure->all, ((struct closure_vector){bit(closure->n_bits) - 1, NONE, NONE}));
    for (uint32_t f = 0; f < rule->n_classes; f++)
        for (uint32_t k = 0;
             (closure->template.many >> f & 1) != 0 && k < rule->classes[f].least_rank; k++) {
            uint32_t end = closure->all.len;
            for (uint32_t i = closure->first; i < end; i++)
                for (uint32_t a = 0; a < closure->axes.len && !closure->failure; a++)
                    if (closure->axes.at[a].family == f)
                        add_vector(closure, end, i, a);
            closure->first = end;
        }
    for (uint32_t i = closure->first; i < closure->all.len; i++)
        for (uint32_t a = 0; a < closure->axes.len && closure->failure == NULL; a++)
            add_vector(closure, closure->first, i, a);
}

static void explain(struct closure *closure)
{
    struct buf buf = {0};
    buf_printf(&buf, "%u condition%s, %u pair%s of reads", (unsigned)closure->template.conds.len,
               closure->template.conds.len == 1 ? "" : "s", (unsigned)closure->pair.len / 2,
               closure->pair.len == 2 ? "" : "s");
    for (uint32_t f = 0; f < closure->session->rule->n_classes; f++) {
        uint32_t n = 0;
        if ((closure->template.many >> f & 1) == 0)
            continue;
        for (uint32_t a = 0; a < closure->axes.len; a++)
            n += closure->axes.at[a].family == f;
        buf_printf(&buf, "; one axis of %s: %u truth vector%s",
                   closure->session->rule->classes[f].name, (unsigned)n, n == 1 ? "" : "s");
    }
    buf_printf(&buf, "; any ranks: %u", (unsigned)(closure->all.len - closure->first));
    closure->why = arena_strdup(closure->session->mem, buf_text(&buf));
    buf_release(&buf);
}

void closure_init(struct closure *closure, struct session *session)
{
    *closure = (struct closure){.session = session, .why = ""};
    uint32_t mark = smt_mark(&session->smt);
    rank_template_init(&closure->template, session);
    closure->failure = closure->template.failure;
    for (uint32_t w = 0; w < closure->session->rule->n_wheres; w++)
        if (condition_counts(closure->session->rule, w))
            closure->failure = "an element condition counts along an axis";
    if (closure->failure == NULL)
        number_bits(closure);
    for (uint32_t f = 0; f < session->rule->n_classes && closure->failure == NULL; f++)
        if ((closure->template.many >> f & 1) != 0)
            one_axis(closure, f);
    if (closure->failure == NULL)
        close_axes(closure);
    if (closure->failure == NULL)
        explain(closure);
    script_end(session, mark, "and-closure: truth vectors that no axis has",
               closure->failure == NULL ? closure->why : closure->failure);
}

void closure_release(struct closure *closure)
{
    for (uint32_t i = 0; i < closure->axes.len; i++)
        linear_model_release(&closure->axes.at[i].model);
    vec_release(&closure->axes);
    vec_release(&closure->all);
    vec_release(&closure->pair);
    vec_release(&closure->known);
    rank_template_release(&closure->template);
}

// ---- one vector

struct closure_case {
    struct closure *closure;
    uint64_t bits;
    struct u32_vec group; // per read: the first one at the same axes' places
};

// The rest of a condition: its part over classes of one axis, or false.
static expr_id settled_cond(void *ctx, expr_id cond)
{
    const struct closure_case *closure_case = ctx;
    for (uint32_t i = 0; i < closure_case->closure->template.conds.len; i++)
        if (closure_case->closure->template.conds.at[i] == cond &&
            (closure_case->bits >> i & 1) == 0)
            return expr_false(&closure_case->closure->session->exprs);
    return rank_template_part(&closure_case->closure->template, cond, NONE);
}

// Replaces the place in classes of any rank by a number: equal places have equal numbers.
static expr_id settled_read(void *ctx, expr_id access)
{
    const struct closure_case *closure_case = ctx;
    struct session *session = closure_case->closure->session;
    struct exprs *exprs = &session->exprs;
    const struct expr node = *expr_at(exprs, access);
    const struct tensor_var *tensor = &session->rule->tensors[node.sym];
    struct u32_vec args = {0};
    uint32_t at = 0;
    while (closure_case->closure->template.reads.at[at] != access)
        at++;
    bool first = true;
    for (uint32_t i = 0; i < tensor->n_sizes; i++) {
        uint32_t f = denote_family(session->rule, tensor->sizes[i].cls);
        if ((closure_case->closure->template.many >> f & 1) == 0) {
            vec_push(&args, expr_arg(exprs, access, i));
        } else {
            vec_push(&args, expr_int(exprs, first ? closure_case->group.at[at] : 0));
            first = false;
        }
    }
    expr_id out = expr_access(exprs, node.sym, node.type, args.len, args.at);
    vec_release(&args);
    return out;
}

static void make_groups(struct closure_case *closure_case)
{
    const struct closure *closure = closure_case->closure;
    for (uint32_t i = 0; i < closure->template.reads.len; i++)
        vec_push(&closure_case->group, i);
    for (uint32_t p = 0; p < closure->pair.len / 2; p++) {
        if ((closure_case->bits >> (closure->template.conds.len + p) & 1) == 0)
            continue;
        uint32_t a = closure_case->group.at[closure->pair.at[2 * p]];
        uint32_t b = closure_case->group.at[closure->pair.at[2 * p + 1]];
        for (uint32_t i = 0; i < closure_case->group.len; i++)
            if (closure_case->group.at[i] == (a > b ? a : b))
                closure_case->group.at[i] = a > b ? b : a;
    }
}

// Finds the element conditions at the places of reads that are in range, and those without
// axes.
static void find_known(struct closure_case *closure_case, struct givens *out)
{
    struct closure *closure = closure_case->closure;
    const struct rule *rule = closure->session->rule;
    struct exprs *exprs = &closure->session->exprs;
    uint32_t first = closure->template.conds.len + closure->pair.len / 2;
    expr_id *none = denote_new_index(&closure->template.denote);
    for (uint32_t i = 0; i < rule->n_wheres; i++) {
        uint32_t pat = rule->wheres[i].pat;
        bool axes = rule->wheres[i].cond != NULL;
        for (uint32_t k = 0; k < rule->n_classes && !axes; k++)
            axes = denote_has_class(&closure->template.denote, pat, k);
        if (axes)
            continue;
        expr_id e = denote_element(&closure->template.denote, pat, none);
        vec_push(&out->at, ((struct given){expr_true(exprs), expr_holds(exprs, e)}));
    }
    mem_free(none);
    for (uint32_t i = 0; i < closure->known.len; i++) {
        const struct closure_known *closure_known = &closure->known.at[i];
        if ((closure_case->bits >> (first + i) & 1) == 0)
            continue;
        expr_id *index = index_of(
            closure, settled_read(closure_case, closure->template.reads.at[closure_known->read]));
        struct given given = {range_of(closure, closure_known->pat, index, NONE), NO_EXPR};
        given.holds =
            expr_holds(exprs, denote_element(&closure->template.denote, closure_known->pat, index));
        vec_push(&out->at, given);
        mem_free(index);
    }
}

// The values of a map at the axes from which the vector was made.
static void hint_values(struct closure *closure, const struct linear_model *model, uint32_t v,
                        uint32_t map, int64_t *out)
{
    struct session *session = closure->session;
    uint32_t f = denote_family(session->rule, session->rule->maps[map].cls), k = 0;
    if ((closure->template.many >> f & 1) == 0) {
        out[0] = session_model_value(session, &closure->template.denote, model, map, 0);
        return;
    }
    for (; closure->all.at[v].from != NONE; v = closure->all.at[v].from) {
        const struct closure_axis *closure_axis = &closure->axes.at[closure->all.at[v].by];
        if (closure_axis->family == f)
            out[k++] = session_model_value(session, &closure->template.denote, &closure_axis->model,
                                           map, 0);
    }
}

static void leave_hint(struct closure *closure, uint32_t v, unsigned mask,
                       const struct linear_model *model)
{
    struct session *session = closure->session;
    const struct rule *rule = session->rule;
    if (session->options.hints == NULL || session->options.hints->at.len >= VERIFY_HINTS_KEPT)
        return;
    struct hint hint = {.kind = OBLIGATION_ELEMENTS, .domains = mask};
    hint.rank = ARENA_NEW(session->mem, uint32_t, rule->n_classes + 1);
    for (uint32_t k = 0; k < rule->n_classes; k++) {
        uint32_t f = denote_family(rule, k);
        hint.rank[k] = (closure->template.many >> f & 1) == 0;
        for (uint32_t u = v; closure->all.at[u].from != NONE; u = closure->all.at[u].from)
            hint.rank[k] += closure->axes.at[closure->all.at[u].by].family == f;
    }
    hint.map = ARENA_NEW(session->mem, int64_t *, rule->n_maps + 1);
    for (uint32_t i = 0; i < rule->n_maps; i++) {
        hint.map[i] = ARENA_NEW(session->mem, int64_t, hint.rank[rule->maps[i].cls] + 1);
        hint_values(closure, model, v, i, hint.map[i]);
    }
    vec_push(&session->options.hints->at, hint);
}

// Is every axis of the vector one of an exact model?
static bool exact(const struct closure *closure, uint32_t v)
{
    bool all = true;
    for (; closure->all.at[v].from != NONE; v = closure->all.at[v].from)
        all &= closure->axes.at[closure->all.at[v].by].model.genuine;
    return all;
}

struct closure_sides {
    expr_id lhs, rhs;
};
struct seen {
    VEC(struct closure_sides) at;
};

static bool prove_vector(struct closure *closure, uint32_t v, struct element_query *element_query,
                         unsigned mask, struct seen *seen, bool *certain)
{
    struct session *session = closure->session;
    struct closure_case closure_case = {.closure = closure, .bits = closure->all.at[v].bits};
    const struct rank_template_map rank_template_map = {settled_cond, settled_read, &closure_case};
    struct linear_model model = {.genuine = false};
    struct givens known = {{0}};
    bool same = false;
    make_groups(&closure_case);
    struct closure_sides closure_sides = {
        canon(&session->polys,
              rank_template_apply(&session->exprs, &rank_template_map, closure->template.lhs)),
        canon(&session->polys,
              rank_template_apply(&session->exprs, &rank_template_map, closure->template.rhs))};
    find_known(&closure_case, &known);
    for (uint32_t i = 0; i < seen->at.len && known.at.len == 0 && !same; i++)
        same = seen->at.at[i].lhs == closure_sides.lhs && seen->at.at[i].rhs == closure_sides.rhs;
    if (!same) {
        element_query->known = &known;
        same = element_same(element_query, &closure->template.hyps[session->rule->n_classes],
                            closure_sides.lhs, closure_sides.rhs, &model);
        element_query->known = NULL;
        if (same)
            vec_push(&seen->at, closure_sides);
    }
    *certain = !same && model.genuine && exact(closure, v);
    if (!same)
        leave_hint(closure, v, mask, model.value.len > 0 ? &model : NULL);
    linear_model_release(&model);
    vec_release(&known.at);
    vec_release(&closure_case.group);
    return same;
}

bool closure_prove(struct closure *closure, enum rung rung, int domain, unsigned mask,
                   bool *certain)
{
    struct session *session = closure->session;
    struct seen seen = {{0}};
    struct stopwatch watch = session_start(session);
    struct element_query element_query = {
        .session = session, .denote = &closure->template.denote, .rung = rung, .domain = domain};
    bool keep = session->exprs.keep_picks, proved = true;
    *certain = false;
    session->exprs.keep_picks = false;
    for (uint32_t v = closure->first; v < closure->all.len && proved; v++)
        proved = prove_vector(closure, v, &element_query, mask, &seen, certain);
    session->exprs.keep_picks = keep;
    struct buf what = {0};
    buf_printf(&what, "%s, %u truth vectors", rung_text(rung),
               (unsigned)(closure->all.len - closure->first));
    if (domain >= 0)
        buf_printf(&what, " (%s)", domain_text((enum domain)domain));
    session_record(session, watch,
                   (struct obligation_outcome){OBLIGATION_ELEMENTS, "", buf_text(&what), proved,
                                               session->reason});
    buf_release(&what);
    vec_release(&seen.at);
    return proved;
}
