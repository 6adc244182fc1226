// SPDX-License-Identifier: Apache-2.0
// Sequences of steps that have no end.  From the sides of each rule at a ground
// instance all terms are looked at that directed steps lead to, breadth first
// and within limits.  An edge back is a loop; so is a term that has an earlier
// one as a part, with other terms for its parameters: of these no step asks
// anything but the type, so all can be repeated there, for ever.  Both are
// certain: the witness is a sequence of uses of the rules.
#include "base/clock.h"
#include "discover/lint/core.h"

#include <stdlib.h>

#define OVERLAP_RULES 40 // in larger sets overlaps are not looked at

struct lint_state {
    term_id term;
    uint32_t parent, rule; // the step that came here first; NONE: the start
    uint32_t depth, size;
};
struct edge {
    uint32_t from, to, rule;
};
struct rule_list {
    uint32_t n;
    const uint32_t *at; // ascending
};
struct lint_search {
    struct lint_run *w;
    enum domain domain;
    uint32_t only;
    struct pool pool;
    struct terms terms;
    struct arena mem;
    struct sample at;
    VEC(struct lint_state) state;
    VEC(struct edge) edge;
};
typedef VEC(struct rule_list) rule_lists;

// Transposes do not count: two of them come to one.
static uint32_t operators(const struct terms *t, term_id x)
{
    struct u32_vec ids = {0};
    uint32_t n = 0;
    terms_reach(t, 1, &x, &ids);
    for (uint32_t i = 0; i < ids.len; i++)
        n += term_op(t, (term_id){ids.at[i]}) != OP_TRANSPOSE;
    vec_release(&ids);
    return n;
}

static uint32_t find_state(const struct lint_search *s, term_id t)
{
    for (uint32_t i = 0; i < s->state.len; i++)
        if (s->state.at[i].term.v == t.v)
            return i;
    return NONE;
}

static void explore(struct lint_search *s, term_id start)
{
    const struct lint_run *w = s->w;
    step_vec steps = {0};
    uint32_t size = operators(&s->terms, start), most = 3 * size + 12;
    bool cut = false;
    s->state.len = s->edge.len = 0;
    vec_push(&s->state, ((struct lint_state){start, NONE, NONE, 0, size}));
    for (uint32_t i = 0; i < s->state.len; i++) {
        struct lint_state at = s->state.at[i];
        if (at.depth >= w->o->max_steps) {
            cut = true;
            break;
        }
        rewrite_steps(&w->steps, &s->terms, at.term, lint_mode(s->domain),
                      s->only, &steps);
        for (uint32_t k = 0; k < steps.len; k++) {
            uint32_t to = find_state(s, steps.at[k].term);
            uint32_t n = operators(&s->terms, steps.at[k].term);
            if (to == NONE && n > most)
                continue;
            if (to == NONE && s->state.len >= w->o->max_states) {
                cut = true;
                continue;
            }
            if (to == NONE) {
                to = s->state.len;
                vec_push(&s->state,
                         ((struct lint_state){steps.at[k].term, i, steps.at[k].rule,
                                         at.depth + 1, n}));
            }
            vec_push(&s->edge, ((struct edge){i, to, steps.at[k].rule}));
        }
    }
    w->l->n_states += s->state.len;
    w->l->n_cut += cut;
    vec_release(&steps);
}

// Edges of a shortest way, NONE-ended by length; false: there is none.
static bool shortest(const struct lint_search *s, uint32_t from, uint32_t to,
                     struct u32_vec *way)
{
    uint32_t n = s->state.len;
    uint32_t *by = mem_alloc((n + 1u) * sizeof *by);
    struct u32_vec queue = {0};
    for (uint32_t i = 0; i < n; i++)
        by[i] = NONE;
    vec_push(&queue, from);
    bool found = from == to;
    for (uint32_t q = 0; q < queue.len && !found; q++)
        for (uint32_t i = 0; i < s->edge.len && !found; i++) {
            const struct edge *e = &s->edge.at[i];
            if (e->from != queue.at[q] || by[e->to] != NONE || e->to == from)
                continue;
            by[e->to] = i;
            vec_push(&queue, e->to);
            found = e->to == to;
        }
    way->len = 0;
    for (uint32_t at = to; found && at != from; at = s->edge.at[by[at]].from)
        vec_push(way, by[at]);
    for (uint32_t i = 0; i < way->len / 2; i++) {
        uint32_t swap = way->at[i];
        way->at[i] = way->at[way->len - 1 - i];
        way->at[way->len - 1 - i] = swap;
    }
    mem_free(by);
    vec_release(&queue);
    return found;
}

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static struct rule_list rules_of(const struct lint_search *s,
                                 const struct u32_vec *way, struct arena *mem)
{
    uint32_t *at = ARENA_NEW(mem, uint32_t, way->len + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < way->len; i++)
        at[i] = s->edge.at[way->at[i]].rule;
    qsort(at, way->len, sizeof *at, ascending);
    for (uint32_t i = 0; i < way->len; i++)
        if (i == 0 || at[i] != at[i - 1])
            at[n++] = at[i];
    return (struct rule_list){n, at};
}

static bool within(const struct rule_list *a, const struct rule_list *b)
{
    uint32_t k = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        while (k < b->n && b->at[k] < a->at[i])
            k++;
        if (k == b->n || b->at[k] != a->at[i])
            return false;
    }
    return true;
}

static void put_way(const struct lint_search *s, const struct u32_vec *way,
                    struct buf *b)
{
    uint32_t first = s->edge.at[way->at[0]].from;
    buf_puts(b, "  ");
    term_print(&s->terms, s->state.at[first].term, 8, b);
    for (uint32_t i = 0; i < way->len; i++) {
        const struct edge *e = &s->edge.at[way->at[i]];
        buf_printf(b, "\n  -> %s: ", s->w->rule[e->rule].r->name);
        term_print(&s->terms, s->state.at[e->to].term, 8, b);
    }
    buf_putc(b, '\n');
}

// Does the list's finding stand already, by these rules or fewer?
static bool is_known(const rule_lists *known, const struct rule_list *r)
{
    for (uint32_t i = 0; i < known->len; i++)
        if (within(&known->at[i], r))
            return true;
    return false;
}

static bool exact_inverse(const struct lint_run *w, const struct rule_list *r)
{
    for (uint32_t i = 0; i < w->l->found.len; i++) {
        const struct lint_finding *f = &w->l->found.at[i];
        bool all = f->kind == LINT_INVERSE && f->n_rules == r->n;
        for (uint32_t k = 0; all && k < r->n; k++)
            all = f->rules[0] == w->rule[r->at[k]].r ||
                  (f->n_rules > 1 && f->rules[1] == w->rule[r->at[k]].r);
        if (all)
            return true;
    }
    return false;
}

// What stands for parameters of the first term, where that is another.
static void put_with(const struct lint_search *s, const struct u32_vec *with,
                     struct buf *b)
{
    const char *join = "  has the first term as a part, with ";
    for (uint32_t i = 0; i < with->len; i += 2)
        if (with->at[i] != with->at[i + 1]) {
            buf_puts(b, join);
            term_print(&s->terms, (term_id){with->at[i]}, 1, b);
            buf_puts(b, " := ");
            term_print(&s->terms, (term_id){with->at[i + 1]}, 8, b);
            join = "; ";
        }
    if (*join == ';')
        buf_putc(b, '\n');
}

// A way that closes, or whose end has its beginning as a part (`grows`: what
// stands for its parameters there).
static void report(struct lint_search *s, const struct u32_vec *way,
                   const struct u32_vec *grows, rule_lists *known)
{
    struct lint *l = s->w->l;
    struct rule_list r = rules_of(s, way, &l->mem);
    const struct rule **rules = ARENA_NEW(&l->mem, const struct rule *, r.n);
    struct buf b = {0};
    if (is_known(known, &r))
        return;
    vec_push(known, r);
    for (uint32_t i = 0; i < r.n; i++)
        rules[i] = s->w->rule[r.at[i]].r;
    put_way(s, way, &b);
    if (grows != NULL)
        put_with(s, grows, &b);
    enum lint_kind kind = grows != NULL               ? LINT_GROWS
                          : way->len == 2 && r.n == 2 ? LINT_INVERSE
                                                      : LINT_LOOP;
    if (grows != NULL || !exact_inverse(s->w, &r))
        lint_add(l, kind, "a sequence of steps at an instance", r.n, rules,
                 buf_text(&b));
    buf_release(&b);
}

static void find_loops(struct lint_search *s, uint32_t length, rule_lists *known)
{
    struct u32_vec way = {0}, back = {0};
    for (uint32_t i = 0; i < s->edge.len; i++) {
        const struct edge *e = &s->edge.at[i];
        if (s->state.at[e->to].depth > s->state.at[e->from].depth)
            continue; // every loop has an edge that leads no deeper
        if (!shortest(s, e->to, e->from, &back) || back.len + 1 != length)
            continue;
        way.len = 0;
        for (uint32_t k = 0; k < back.len; k++)
            vec_push(&way, back.at[k]);
        vec_push(&way, i);
        report(s, &way, NULL, known);
    }
    vec_release(&way);
    vec_release(&back);
}

// Rules over the reals are not used on what may be infinite.
static bool all_finite(const struct lint_search *s, const struct u32_vec *with)
{
    struct finite f = {0};
    bool ok = true;
    for (uint32_t i = 1; i < with->len; i += 2)
        ok = ok && finite_term(&f, &s->terms, (term_id){with->at[i]});
    finite_release(&f);
    return ok;
}

static void find_growth(struct lint_search *s, rule_lists *known)
{
    struct u32_vec way = {0}, with = {0};
    for (uint32_t i = 1; i < s->state.len; i++)
        for (uint32_t a = s->state.at[i].parent; a != NONE;
             a = s->state.at[a].parent)
            if (s->state.at[a].size < s->state.at[i].size &&
                term_has(&s->terms, s->state.at[i].term, s->state.at[a].term,
                         &with) &&
                all_finite(s, &with) && shortest(s, a, i, &way))
                report(s, &way, &with, known);
    vec_release(&with);
    vec_release(&way);
}

static void look_from(struct lint_search *s, term_id start, rule_lists *loops,
                      rule_lists *growth)
{
    s->w->l->n_starts++;
    explore(s, term_normal(&s->terms, start));
    for (uint32_t n = 1; n <= s->w->o->max_steps + 1; n++)
        find_loops(s, n, loops);
    find_growth(s, growth);
}

static bool search_init(struct lint_search *s, struct lint_run *w, uint32_t rule,
                        uint32_t k, uint32_t only)
{
    struct err e = {0};
    *s = (struct lint_search){.w = w, .domain = w->rule[rule].domain, .only = only};
    pool_init(&s->pool);
    terms_init(&s->terms, &s->pool);
    return sample_make(w->rule[rule].sampler, s->domain, k, &s->terms, &w->rng,
                       &s->mem, &s->at, &e) &&
           s->at.status == GROUND_OK;
}

static void search_release(struct lint_search *s)
{
    vec_release(&s->state);
    vec_release(&s->edge);
    terms_release(&s->terms);
    pool_release(&s->pool);
    arena_release(&s->mem);
}

static void search_from(struct lint_run *w, uint32_t rule, uint32_t k,
                        bool right, uint32_t only, rule_lists *loops,
                        rule_lists *growth)
{
    struct lint_search s;
    if (search_init(&s, w, rule, k, only))
        look_from(&s, right ? s.at.rhs : s.at.lhs, loops, growth);
    search_release(&s);
}

// From the left side with parts of left sides for one of its tensors.
static void search_overlaps(struct lint_run *w, uint32_t rule,
                            rule_lists *loops, rule_lists *growth)
{
    struct lint_search s;
    struct u32_vec parts = {0};
    const struct rule *r = w->rule[rule].r;
    bool made = search_init(&s, w, rule, 0, NONE);
    for (uint32_t v = 0; made && v < r->n_tensors; v++) {
        term_id p = s.at.in->tensor[v];
        lint_parts(w, &s.terms, term_type(&s.terms, p), &s.mem, &parts);
        for (uint32_t i = 0; i < parts.len; i++)
            look_from(
                &s, term_replace(&s.terms, s.at.lhs, p, (term_id){parts.at[i]}),
                loops, growth);
    }
    vec_release(&parts);
    search_release(&s);
}

static bool has_rule(const struct lint_finding *f, const struct rule *r)
{
    for (uint32_t i = 0; i < f->n_rules; i++)
        if (f->rules[i] == r)
            return true;
    return false;
}

// Do fewer of its rules do the same?
static bool needless(const struct lint *l, const struct lint_finding *f)
{
    bool grows = f->kind == LINT_GROWS;
    if (!grows && f->kind != LINT_LOOP && f->kind != LINT_INVERSE)
        return false;
    for (uint32_t i = 0; i < l->found.len; i++) {
        const struct lint_finding *g = &l->found.at[i];
        bool within = g->n_rules < f->n_rules &&
                      (grows ? g->kind == LINT_GROWS
                             : g->kind == LINT_LOOP || g->kind == LINT_INVERSE);
        for (uint32_t k = 0; within && k < g->n_rules; k++)
            within = has_rule(f, g->rules[k]);
        if (within)
            return true;
    }
    return false;
}

// What was found before a part of its rules was found to suffice.
static void drop_needless(struct lint *l)
{
    bool *drop = mem_alloc(l->found.len + 1u);
    uint32_t n = 0;
    for (uint32_t i = 0; i < l->found.len; i++)
        drop[i] = needless(l, &l->found.at[i]);
    for (uint32_t i = 0; i < l->found.len; i++)
        if (!drop[i])
            l->found.at[n++] = l->found.at[i];
    l->found.len = n;
    mem_free(drop);
}

static bool in_time(struct lint_run *w)
{
    if (w->deadline > 0 && clock_wall() > w->deadline)
        w->l->out_of_time = true;
    return !w->l->out_of_time;
}

// Rules that loop alone come first, and are left out behind: a commutative law
// makes a loop of everything, and fills every search with its variants.
void lint_loops(struct lint_run *w)
{
    rule_lists loops = {0}, growth = {0};
    w->steps.whole = true;
    for (uint32_t i = 0; i < w->n && in_time(w); i++)
        for (uint32_t k = 0; k < 2; k++)
            search_from(w, i, k, false, i, &loops, &growth);
    for (uint32_t i = 0; i < loops.len; i++)
        w->steps.rule.at[loops.at[i].at[0]].off = true;
    for (uint32_t i = 0; i < growth.len; i++)
        w->steps.rule.at[growth.at[i].at[0]].off = true;
    for (uint32_t i = 0; i < w->n; i++)
        w->l->n_alone += w->steps.rule.at[i].off;
    for (uint32_t i = 0; i < w->n && in_time(w); i++)
        for (uint32_t k = 0; k < 2; k++) {
            search_from(w, i, k, false, NONE, &loops, &growth);
            search_from(w, i, k, true, NONE, &loops, &growth);
        }
    for (uint32_t i = 0; i < w->n && w->n <= OVERLAP_RULES && in_time(w); i++)
        search_overlaps(w, i, &loops, &growth);
    drop_needless(w->l);
    vec_release(&loops);
    vec_release(&growth);
}
