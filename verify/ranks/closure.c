// SPDX-License-Identifier: Apache-2.0
#include "verify/ranks/closure.h"

#define MAX_BITS 60
#define MAX_AXES 64     // truth vectors of one axis, all families
#define MAX_VECTORS 512 // in the closure

static uint64_t bit(uint32_t i)
{
    return UINT64_C(1) << i;
}

// The index of a read, as an array.
static expr_id *index_of(struct closure *c, expr_id access)
{
    const struct exprs *x = &c->s->x;
    const struct tensor_var *t = &c->s->r->tensors[expr_at(x, access)->sym];
    expr_id *index = denote_new_index(&c->lift.d);
    for (uint32_t i = 0; i < t->n_sizes; i++)
        index[t->sizes[i].cls * c->lift.d.max_rank] = expr_arg(x, access, i);
    return index;
}

// Of "the place is in the range of the pattern" the part about a family; NONE:
// about classes of one axis.
static expr_id range_of(struct closure *c, uint32_t pat, const expr_id *index,
                        uint32_t family)
{
    struct clauses h = {{0}};
    struct exprs *x = &c->s->x;
    expr_id out = expr_true(x);
    denote_in_range(&c->lift.d, pat, index, &h);
    for (uint32_t i = 0; i < h.at.len; i++) {
        uint32_t f = h.at.at[i].family;
        bool one = (c->lift.many >> f & 1) == 0;
        if (one ? family == NONE : f == family)
            out = expr_and2(x, out, h.at.at[i].cond);
    }
    vec_release(&h.at);
    return out;
}

expr_id closure_bit(struct closure *c, uint32_t i, uint32_t family)
{
    struct session *s = c->s;
    struct exprs *x = &s->x;
    const struct u32_vec *reads = &c->lift.reads;
    if (i < c->lift.conds.len)
        return canon(&s->p, rank_template_part(&c->lift, c->lift.conds.at[i], family));
    i -= c->lift.conds.len;
    if (i >= c->pair.len / 2) {
        const struct closure_known *k = &c->known.at[i - c->pair.len / 2];
        expr_id *index = index_of(c, reads->at[k->read]);
        expr_id range = range_of(c, k->pat, index, family);
        mem_free(index);
        return canon(&s->p, range);
    }
    expr_id u = reads->at[c->pair.at[2 * i]];
    expr_id v = reads->at[c->pair.at[2 * i + 1]];
    const struct tensor_var *t = &s->r->tensors[expr_at(x, u)->sym];
    expr_id out = expr_true(x);
    for (uint32_t k = 0; k < t->n_sizes; k++)
        if (denote_family(s->r, t->sizes[k].cls) == family)
            out = expr_and2(x, out,
                            expr_eq(x, expr_arg(x, u, k), expr_arg(x, v, k)));
    return canon(&s->p, out);
}

static bool reads_tensor(const struct rule *r, uint32_t pat, uint32_t t)
{
    const struct pat *p = &r->pats[pat];
    bool found = p->kind == PAT_TENSOR && p->var == t;
    for (uint32_t i = 0; i < p->n_args && !found; i++)
        found = reads_tensor(r, p->args[i], t);
    return found;
}

// Do the pattern and the tensor have the same classes?
static bool same_classes(struct closure *c, uint32_t pat, uint32_t tensor)
{
    const struct tensor_var *t = &c->s->r->tensors[tensor];
    bool same = true;
    for (uint32_t k = 0; k < c->s->r->n_classes && same; k++) {
        bool has = false;
        for (uint32_t i = 0; i < t->n_sizes; i++)
            has |= t->sizes[i].cls == k;
        same = has == denote_has_class(&c->lift.d, pat, k);
    }
    return same;
}

// Is it of use to know whether two reads are at one place?  Those of one
// tensor, and of tensors of the same classes in one element condition.
static bool comparable(struct closure *c, uint32_t a, uint32_t b)
{
    const struct rule *r = c->s->r;
    bool use = a == b;
    for (uint32_t w = 0; w < r->n_wheres && !use; w++) {
        uint32_t pat = r->wheres[w].pat;
        use = r->wheres[w].cond == NULL && reads_tensor(r, pat, a) &&
              reads_tensor(r, pat, b) && same_classes(c, pat, a) &&
              same_classes(c, pat, b);
    }
    return use;
}

static void number_bits(struct closure *c)
{
    const struct exprs *x = &c->s->x;
    const struct rule *r = c->s->r;
    const struct u32_vec *reads = &c->lift.reads;
    for (uint32_t i = 0; i < reads->len; i++)
        for (uint32_t j = 0; j < i; j++)
            if (comparable(c, expr_at(x, reads->at[i])->sym,
                           expr_at(x, reads->at[j])->sym)) {
                vec_push(&c->pair, i);
                vec_push(&c->pair, j);
            }
    for (uint32_t w = 0; w < r->n_wheres; w++)
        for (uint32_t i = 0; i < reads->len; i++) {
            uint32_t t = expr_at(x, reads->at[i])->sym, pat = r->wheres[w].pat;
            if (r->wheres[w].cond == NULL && reads_tensor(r, pat, t) &&
                same_classes(c, pat, t))
                vec_push(&c->known, ((struct closure_known){i, pat}));
        }
    c->n_bits = c->lift.conds.len + c->pair.len / 2 + c->known.len;
    if (c->n_bits > MAX_BITS)
        c->failure = "too many conditions and reads";
}

// ---- F1: one axis

struct closure_axis_search {
    struct closure *c;
    uint32_t family;
    expr_id part[MAX_BITS];
    uint64_t bits;
    struct u32_vec known; // hypotheses, and the bits decided so far
};

static void take_axis(struct closure_axis_search *w, struct linear_model *m)
{
    struct closure *c = w->c;
    if (c->axes.len >= MAX_AXES) {
        c->failure = "too many truth vectors at one axis";
        return;
    }
    struct closure_axis a = {.family = w->family, .bits = w->bits, .model = *m};
    *m = (struct linear_model){.genuine = false};
    vec_push(&c->axes, a);
}

// Can the hypotheses and the bits decided so far be refuted?  With less effort
// first, and on the way to a whole vector with no more.
static bool refuted(struct closure_axis_search *w, bool whole, struct linear_model *m)
{
    struct session *s = w->c->s;
    uint32_t mark = smt_mark(&s->smt);
    bool no = false;
    for (int effort = 0; effort < 1 + whole && !no && !m->genuine; effort++) {
        linear_model_release(m);
        s->l.quick = effort == 0;
        no = linear_refute(&s->l, w->known.len, w->known.at, m) == SMT_UNSAT &&
             !s->p.overflow;
        if (!no)
            smt_forget(&s->smt, mark);
    }
    s->l.quick = false;
    return no;
}

// All truth vectors that agree with the bits decided so far and cannot be
// refuted, from bit i on.
static void enumerate(struct closure_axis_search *w, uint32_t i)
{
    struct session *s = w->c->s;
    struct linear_model m = {.genuine = false};
    while (i < w->c->n_bits && expr_at(&s->x, w->part[i])->kind == X_TRUE)
        i++;
    if (w->c->failure != NULL)
        return;
    if (refuted(w, i == w->c->n_bits, &m)) {
        linear_model_release(&m);
        return; // the query stays on the trail: the proof rests on it
    }
    if (smt_out_of_time(&s->smt)) {
        w->c->failure = "time";
    } else if (i == w->c->n_bits) {
        take_axis(w, &m);
    } else {
        expr_id p = w->part[i];
        vec_push(&w->known, p);
        enumerate(w, i + 1);
        vec_last(&w->known) = expr_not(&s->x, p);
        w->bits &= ~bit(i);
        enumerate(w, i + 1);
        w->bits |= bit(i);
        (void)vec_pop(&w->known);
    }
    linear_model_release(&m);
}

static void one_axis(struct closure *c, uint32_t family)
{
    struct closure_axis_search w = {.c = c, .family = family};
    const struct u32_vec *h = &c->lift.hyps[family];
    w.bits = bit(c->n_bits) - 1;
    for (uint32_t i = 0; i < c->n_bits; i++)
        w.part[i] = closure_bit(c, i, family);
    for (uint32_t i = 0; i < h->len; i++)
        vec_push(&w.known, h->at[i]);
    enumerate(&w, 0);
    vec_release(&w.known);
}

// ---- the closure

static void add_vector(struct closure *c, uint32_t start, uint32_t from,
                       uint32_t by)
{
    uint64_t bits = c->all.at[from].bits & c->axes.at[by].bits;
    for (uint32_t i = start; i < c->all.len; i++)
        if (c->all.at[i].bits == bits)
            return;
    if (c->all.len >= MAX_VECTORS)
        c->failure = "too many truth vectors";
    else
        vec_push(&c->all, ((struct closure_vector){bits, from, by}));
}

// Every class that must have an axis gets one first; then axes are added in
// order of their number.
static void close_axes(struct closure *c)
{
    const struct rule *r = c->s->r;
    vec_push(&c->all,
             ((struct closure_vector){bit(c->n_bits) - 1, NONE, NONE}));
    for (uint32_t f = 0; f < r->n_classes; f++)
        for (uint32_t k = 0;
             (c->lift.many >> f & 1) != 0 && k < r->classes[f].least_rank;
             k++) {
            uint32_t end = c->all.len;
            for (uint32_t i = c->first; i < end; i++)
                for (uint32_t a = 0; a < c->axes.len && !c->failure; a++)
                    if (c->axes.at[a].family == f)
                        add_vector(c, end, i, a);
            c->first = end;
        }
    for (uint32_t i = c->first; i < c->all.len; i++)
        for (uint32_t a = 0; a < c->axes.len && c->failure == NULL; a++)
            add_vector(c, c->first, i, a);
}

static void explain(struct closure *c)
{
    struct buf b = {0};
    buf_printf(&b, "%u condition%s, %u pair%s of reads",
               (unsigned)c->lift.conds.len, c->lift.conds.len == 1 ? "" : "s",
               (unsigned)c->pair.len / 2, c->pair.len == 2 ? "" : "s");
    for (uint32_t f = 0; f < c->s->r->n_classes; f++) {
        uint32_t n = 0;
        if ((c->lift.many >> f & 1) == 0)
            continue;
        for (uint32_t a = 0; a < c->axes.len; a++)
            n += c->axes.at[a].family == f;
        buf_printf(&b, "; one axis of %s: %u truth vector%s",
                   c->s->r->classes[f].name, (unsigned)n, n == 1 ? "" : "s");
    }
    buf_printf(&b, "; any ranks: %u", (unsigned)(c->all.len - c->first));
    c->why = arena_strdup(c->s->mem, buf_text(&b));
    buf_release(&b);
}

void closure_init(struct closure *c, struct session *s)
{
    *c = (struct closure){.s = s, .why = ""};
    uint32_t mark = smt_mark(&s->smt);
    rank_template_init(&c->lift, s);
    c->failure = c->lift.failure;
    for (uint32_t w = 0; w < c->s->r->n_wheres; w++)
        if (condition_counts(c->s->r, w))
            c->failure = "an element condition counts along an axis";
    if (c->failure == NULL)
        number_bits(c);
    for (uint32_t f = 0; f < s->r->n_classes && c->failure == NULL; f++)
        if ((c->lift.many >> f & 1) != 0)
            one_axis(c, f);
    if (c->failure == NULL)
        close_axes(c);
    if (c->failure == NULL)
        explain(c);
    script_end(s, mark, "and-closure: truth vectors that no axis has",
               c->failure == NULL ? c->why : c->failure);
}

void closure_release(struct closure *c)
{
    for (uint32_t i = 0; i < c->axes.len; i++)
        linear_model_release(&c->axes.at[i].model);
    vec_release(&c->axes);
    vec_release(&c->all);
    vec_release(&c->pair);
    vec_release(&c->known);
    rank_template_release(&c->lift);
}

// ---- one vector

struct closure_case {
    struct closure *c;
    uint64_t bits;
    struct u32_vec group; // per read: the first one at the same axes' places
};

// What is left of a condition: its part over classes of one axis, or false.
static expr_id settled_cond(void *ctx, expr_id cond)
{
    const struct closure_case *w = ctx;
    for (uint32_t i = 0; i < w->c->lift.conds.len; i++)
        if (w->c->lift.conds.at[i] == cond && (w->bits >> i & 1) == 0)
            return expr_false(&w->c->s->x);
    return rank_template_part(&w->c->lift, cond, NONE);
}

// The place in classes of any rank becomes a number: equal numbers, equal
// places.
static expr_id settled_read(void *ctx, expr_id access)
{
    const struct closure_case *w = ctx;
    struct session *s = w->c->s;
    struct exprs *x = &s->x;
    const struct expr n = *expr_at(x, access);
    const struct tensor_var *t = &s->r->tensors[n.sym];
    struct u32_vec args = {0};
    uint32_t at = 0;
    while (w->c->lift.reads.at[at] != access)
        at++;
    bool first = true;
    for (uint32_t i = 0; i < t->n_sizes; i++) {
        uint32_t f = denote_family(s->r, t->sizes[i].cls);
        if ((w->c->lift.many >> f & 1) == 0) {
            vec_push(&args, expr_arg(x, access, i));
        } else {
            vec_push(&args, expr_int(x, first ? w->group.at[at] : 0));
            first = false;
        }
    }
    expr_id out = expr_access(x, n.sym, n.type, args.len, args.at);
    vec_release(&args);
    return out;
}

static void make_groups(struct closure_case *w)
{
    const struct closure *c = w->c;
    for (uint32_t i = 0; i < c->lift.reads.len; i++)
        vec_push(&w->group, i);
    for (uint32_t p = 0; p < c->pair.len / 2; p++) {
        if ((w->bits >> (c->lift.conds.len + p) & 1) == 0)
            continue;
        uint32_t a = w->group.at[c->pair.at[2 * p]];
        uint32_t b = w->group.at[c->pair.at[2 * p + 1]];
        for (uint32_t i = 0; i < w->group.len; i++)
            if (w->group.at[i] == (a > b ? a : b))
                w->group.at[i] = a > b ? b : a;
    }
}

// Element conditions at the places of reads that are in range, and those
// without axes.
static void find_known(struct closure_case *w, struct givens *out)
{
    struct closure *c = w->c;
    const struct rule *r = c->s->r;
    struct exprs *x = &c->s->x;
    uint32_t first = c->lift.conds.len + c->pair.len / 2;
    expr_id *none = denote_new_index(&c->lift.d);
    for (uint32_t i = 0; i < r->n_wheres; i++) {
        uint32_t pat = r->wheres[i].pat;
        bool axes = r->wheres[i].cond != NULL;
        for (uint32_t k = 0; k < r->n_classes && !axes; k++)
            axes = denote_has_class(&c->lift.d, pat, k);
        if (axes)
            continue;
        expr_id e = denote_element(&c->lift.d, pat, none);
        vec_push(&out->at, ((struct given){expr_true(x), expr_holds(x, e)}));
    }
    mem_free(none);
    for (uint32_t i = 0; i < c->known.len; i++) {
        const struct closure_known *k = &c->known.at[i];
        if ((w->bits >> (first + i) & 1) == 0)
            continue;
        expr_id *index =
            index_of(c, settled_read(w, c->lift.reads.at[k->read]));
        struct given g = {range_of(c, k->pat, index, NONE), NO_EXPR};
        g.holds = expr_holds(x, denote_element(&c->lift.d, k->pat, index));
        vec_push(&out->at, g);
        mem_free(index);
    }
}

// The values of a map at the axes that the vector was made of.
static void hint_values(struct closure *c, const struct linear_model *m,
                        uint32_t v, uint32_t map, int64_t *out)
{
    struct session *s = c->s;
    uint32_t f = denote_family(s->r, s->r->maps[map].cls), k = 0;
    if ((c->lift.many >> f & 1) == 0) {
        out[0] = session_model_value(s, &c->lift.d, m, map, 0);
        return;
    }
    for (; c->all.at[v].from != NONE; v = c->all.at[v].from) {
        const struct closure_axis *a = &c->axes.at[c->all.at[v].by];
        if (a->family == f)
            out[k++] = session_model_value(s, &c->lift.d, &a->model, map, 0);
    }
}

static void leave_hint(struct closure *c, uint32_t v, unsigned mask,
                       const struct linear_model *m)
{
    struct session *s = c->s;
    const struct rule *r = s->r;
    if (s->o.hints == NULL || s->o.hints->at.len >= 16)
        return;
    struct hint h = {.kind = OBLIGATION_ELEMENTS, .domains = mask};
    h.rank = ARENA_NEW(s->mem, uint32_t, r->n_classes + 1);
    for (uint32_t k = 0; k < r->n_classes; k++) {
        uint32_t f = denote_family(r, k);
        h.rank[k] = (c->lift.many >> f & 1) == 0;
        for (uint32_t u = v; c->all.at[u].from != NONE; u = c->all.at[u].from)
            h.rank[k] += c->axes.at[c->all.at[u].by].family == f;
    }
    h.map = ARENA_NEW(s->mem, int64_t *, r->n_maps + 1);
    for (uint32_t i = 0; i < r->n_maps; i++) {
        h.map[i] = ARENA_NEW(s->mem, int64_t, h.rank[r->maps[i].cls] + 1);
        hint_values(c, m, v, i, h.map[i]);
    }
    vec_push(&s->o.hints->at, h);
}

// Is every axis of the vector one of an exact model?
static bool exact(const struct closure *c, uint32_t v)
{
    bool all = true;
    for (; c->all.at[v].from != NONE; v = c->all.at[v].from)
        all &= c->axes.at[c->all.at[v].by].model.genuine;
    return all;
}

struct closure_sides {
    expr_id lhs, rhs;
};
struct seen {
    VEC(struct closure_sides) at;
};

static bool prove_vector(struct closure *c, uint32_t v, struct element_query *k,
                         unsigned mask, struct seen *seen, bool *certain)
{
    struct session *s = c->s;
    struct closure_case w = {.c = c, .bits = c->all.at[v].bits};
    const struct rank_template_map m = {settled_cond, settled_read, &w};
    struct linear_model model = {.genuine = false};
    struct givens known = {{0}};
    bool same = false;
    make_groups(&w);
    struct closure_sides q = {canon(&s->p, rank_template_apply(&s->x, &m, c->lift.lhs)),
                      canon(&s->p, rank_template_apply(&s->x, &m, c->lift.rhs))};
    find_known(&w, &known);
    for (uint32_t i = 0; i < seen->at.len && known.at.len == 0 && !same; i++)
        same = seen->at.at[i].lhs == q.lhs && seen->at.at[i].rhs == q.rhs;
    if (!same) {
        k->known = &known;
        same = element_same(k, &c->lift.hyps[s->r->n_classes], q.lhs, q.rhs,
                            &model);
        k->known = NULL;
        if (same)
            vec_push(&seen->at, q);
    }
    *certain = !same && model.genuine && exact(c, v);
    if (!same)
        leave_hint(c, v, mask, model.value.len > 0 ? &model : NULL);
    linear_model_release(&model);
    vec_release(&known.at);
    vec_release(&w.group);
    return same;
}

bool closure_prove(struct closure *c, enum rung rung, int domain, unsigned mask,
                   bool *certain)
{
    struct session *s = c->s;
    struct seen seen = {{0}};
    struct stopwatch t = session_start(s);
    struct element_query k = {.s = s, .d = &c->lift.d, .rung = rung, .domain = domain};
    bool keep = s->x.keep_picks, proved = true;
    *certain = false;
    s->x.keep_picks = false;
    for (uint32_t v = c->first; v < c->all.len && proved; v++)
        proved = prove_vector(c, v, &k, mask, &seen, certain);
    s->x.keep_picks = keep;
    struct buf what = {0};
    buf_printf(&what, "%s, %u truth vectors", rung_text(rung),
               (unsigned)(c->all.len - c->first));
    if (domain >= 0)
        buf_printf(&what, " (%s)", domain_text((enum domain)domain));
    session_record(s, t, OBLIGATION_ELEMENTS, "", buf_text(&what), proved,
                   s->reason);
    buf_release(&what);
    vec_release(&seen.at);
    return proved;
}
