// SPDX-License-Identifier: Apache-2.0
// Endless sequences of steps.  From each side of each rule at a ground
// instance, a breadth-first search visits the terms that directed steps reach,
// within limits.  An edge back is a loop.  A term that contains an earlier one,
// with other terms for its parameters, is growth: no step asks more of a
// parameter than its type, so the steps can be repeated there for ever.  Both
// findings are certain: the witness is a sequence of uses of the rules.
#include "base/clock.h"
#include "discover/limits.h"
#include "discover/lint/core.h"

#include <stdlib.h>

struct lint_state {
    term_id term;
    uint32_t parent, rule; // the step that reached the term first; NONE: the start
    uint32_t depth, size;
};
struct edge {
    uint32_t from, to, rule;
};
struct rule_list {
    uint32_t n;
    const uint32_t *at; // rules, ascending
};
struct lint_search {
    struct lint_run *run;
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

// The number of operators.  Transposes do not count, because two of them
// compose to one.
static uint32_t operators(const struct terms *terms, term_id term)
{
    struct u32_vec ids = {0};
    uint32_t n = 0;
    terms_reach(terms, 1, &term, &ids);
    for (uint32_t i = 0; i < ids.len; i++)
        n += term_op(terms, (term_id){ids.at[i]}) != OP_TRANSPOSE;
    vec_release(&ids);
    return n;
}

static uint32_t find_state(const struct lint_search *search, term_id term)
{
    for (uint32_t i = 0; i < search->state.len; i++)
        if (search->state.at[i].term.v == term.v)
            return i;
    return NONE;
}

static void explore(struct lint_search *search, term_id start)
{
    const struct lint_run *run = search->run;
    step_vec steps = {0};
    uint32_t size = operators(&search->terms, start), most = LINT_GROWTH * size + LINT_GROWTH_MORE;
    bool cut = false;
    search->state.len = search->edge.len = 0;
    vec_push(&search->state, ((struct lint_state){start, NONE, NONE, 0, size}));
    for (uint32_t i = 0; i < search->state.len; i++) {
        struct lint_state at = search->state.at[i];
        if (at.depth >= run->options->max_steps) {
            cut = true;
            break;
        }
        rewrite_steps(&run->steps, &search->terms, at.term, lint_reading(search->domain),
                      search->only, &steps);
        for (uint32_t k = 0; k < steps.len; k++) {
            uint32_t to = find_state(search, steps.at[k].term);
            uint32_t n = operators(&search->terms, steps.at[k].term);
            if (to == NONE && n > most)
                continue;
            if (to == NONE && search->state.len >= run->options->max_states) {
                cut = true;
                continue;
            }
            if (to == NONE) {
                to = search->state.len;
                vec_push(&search->state, ((struct lint_state){steps.at[k].term, i, steps.at[k].rule,
                                                              at.depth + 1, n}));
            }
            vec_push(&search->edge, ((struct edge){i, to, steps.at[k].rule}));
        }
    }
    run->lint->n_states += search->state.len;
    run->lint->n_cut += cut;
    vec_release(&steps);
}

// Writes the edges of a shortest way.  False: there is no way.
static bool shortest(const struct lint_search *search, uint32_t from, uint32_t to,
                     struct u32_vec *way)
{
    uint32_t n = search->state.len;
    uint32_t *by = mem_alloc((n + 1u) * sizeof *by);
    struct u32_vec queue = {0};
    for (uint32_t i = 0; i < n; i++)
        by[i] = NONE;
    vec_push(&queue, from);
    bool found = from == to;
    for (uint32_t q = 0; q < queue.len && !found; q++)
        for (uint32_t i = 0; i < search->edge.len && !found; i++) {
            const struct edge *edge = &search->edge.at[i];
            if (edge->from != queue.at[q] || by[edge->to] != NONE || edge->to == from)
                continue;
            by[edge->to] = i;
            vec_push(&queue, edge->to);
            found = edge->to == to;
        }
    way->len = 0;
    for (uint32_t at = to; found && at != from; at = search->edge.at[by[at]].from)
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

static struct rule_list rules_of(const struct lint_search *search, const struct u32_vec *way,
                                 struct arena *mem)
{
    uint32_t *at = ARENA_NEW(mem, uint32_t, way->len + 1);
    uint32_t n = 0;
    for (uint32_t i = 0; i < way->len; i++)
        at[i] = search->edge.at[way->at[i]].rule;
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

static void put_way(const struct lint_search *search, const struct u32_vec *way, struct buf *buf)
{
    uint32_t first = search->edge.at[way->at[0]].from;
    buf_puts(buf, "  ");
    term_print(&search->terms, search->state.at[first].term, LINT_PRINT_DEPTH, buf);
    for (uint32_t i = 0; i < way->len; i++) {
        const struct edge *edge = &search->edge.at[way->at[i]];
        buf_printf(buf, "\n  -> %s: ", search->run->rule[edge->rule].rule->name);
        term_print(&search->terms, search->state.at[edge->to].term, LINT_PRINT_DEPTH, buf);
    }
    buf_putc(buf, '\n');
}

// Is there a finding by these rules or by fewer of them?
static bool is_known(const rule_lists *known, const struct rule_list *rules)
{
    for (uint32_t i = 0; i < known->len; i++)
        if (within(&known->at[i], rules))
            return true;
    return false;
}

static bool exact_inverse(const struct lint_run *run, const struct rule_list *rules)
{
    for (uint32_t i = 0; i < run->lint->found.len; i++) {
        const struct lint_finding *finding = &run->lint->found.at[i];
        bool all = finding->kind == LINT_INVERSE && finding->n_rules == rules->n;
        for (uint32_t k = 0; all && k < rules->n; k++)
            all = finding->rules[0] == run->rule[rules->at[k]].rule ||
                  (finding->n_rules > 1 && finding->rules[1] == run->rule[rules->at[k]].rule);
        if (all)
            return true;
    }
    return false;
}

// Prints the terms that stand for parameters of the first term, if they differ.
static void put_with(const struct lint_search *search, const struct u32_vec *with, struct buf *buf)
{
    const char *join = "  has the first term as a part, with ";
    for (uint32_t i = 0; i < with->len; i += 2)
        if (with->at[i] != with->at[i + 1]) {
            buf_puts(buf, join);
            term_print(&search->terms, (term_id){with->at[i]}, 1, buf);
            buf_puts(buf, " := ");
            term_print(&search->terms, (term_id){with->at[i + 1]}, LINT_PRINT_DEPTH, buf);
            join = "; ";
        }
    if (*join == ';')
        buf_putc(buf, '\n');
}

// Reports a way that returns to its start, or whose end contains its start
// (`grows`: the terms for the parameters there).
static void report(struct lint_search *search, const struct u32_vec *way,
                   const struct u32_vec *grows, rule_lists *known)
{
    struct lint *lint = search->run->lint;
    struct rule_list r = rules_of(search, way, &lint->mem);
    const struct rule **rules = ARENA_NEW(&lint->mem, const struct rule *, r.n);
    struct buf buf = {0};
    if (is_known(known, &r))
        return;
    vec_push(known, r);
    for (uint32_t i = 0; i < r.n; i++)
        rules[i] = search->run->rule[r.at[i]].rule;
    put_way(search, way, &buf);
    if (grows != NULL)
        put_with(search, grows, &buf);
    enum lint_kind kind = grows != NULL               ? LINT_GROWS
                          : way->len == 2 && r.n == 2 ? LINT_INVERSE
                                                      : LINT_LOOP;
    if (grows != NULL || !exact_inverse(search->run, &r))
        lint_add(lint, kind, "a sequence of steps at an instance", r.n, rules, buf_text(&buf));
    buf_release(&buf);
}

static void find_loops(struct lint_search *search, uint32_t length, rule_lists *known)
{
    struct u32_vec way = {0}, back = {0};
    for (uint32_t i = 0; i < search->edge.len; i++) {
        const struct edge *edge = &search->edge.at[i];
        if (search->state.at[edge->to].depth > search->state.at[edge->from].depth)
            continue; // every loop has an edge that leads no deeper, so others are skipped
        if (!shortest(search, edge->to, edge->from, &back) || back.len + 1 != length)
            continue;
        way.len = 0;
        for (uint32_t k = 0; k < back.len; k++)
            vec_push(&way, back.at[k]);
        vec_push(&way, i);
        report(search, &way, NULL, known);
    }
    vec_release(&way);
    vec_release(&back);
}

// Rules over the reals are not used on terms that may be infinite.
static bool all_finite(const struct lint_search *search, const struct u32_vec *with)
{
    struct finite memo = {0};
    bool ok = true;
    for (uint32_t i = 1; i < with->len; i += 2)
        ok = ok && finite_term(&memo, &search->terms, (term_id){with->at[i]});
    finite_release(&memo);
    return ok;
}

static void find_growth(struct lint_search *search, rule_lists *known)
{
    struct u32_vec way = {0}, with = {0};
    for (uint32_t i = 1; i < search->state.len; i++)
        for (uint32_t a = search->state.at[i].parent; a != NONE; a = search->state.at[a].parent)
            if (search->state.at[a].size < search->state.at[i].size &&
                term_has(&search->terms, search->state.at[i].term, search->state.at[a].term,
                         &with) &&
                all_finite(search, &with) && shortest(search, a, i, &way))
                report(search, &way, &with, known);
    vec_release(&with);
    vec_release(&way);
}

static void look_from(struct lint_search *search, term_id start, rule_lists *loops,
                      rule_lists *growth)
{
    search->run->lint->n_starts++;
    explore(search, term_normal(&search->terms, start));
    for (uint32_t n = 1; n <= search->run->options->max_steps + 1; n++)
        find_loops(search, n, loops);
    find_growth(search, growth);
}

static bool search_init(struct lint_search *search, struct lint_run *run, uint32_t rule, uint32_t k,
                        uint32_t only)
{
    struct err err = {0};
    *search = (struct lint_search){.run = run, .domain = run->rule[rule].domain, .only = only};
    pool_init(&search->pool);
    terms_init(&search->terms, &search->pool);
    struct sample_request request = {search->domain, k, &search->terms, &run->rng, &search->mem};
    return sample_make(run->rule[rule].sampler, &request, &search->at, &err) &&
           search->at.status == GROUND_OK;
}

static void search_release(struct lint_search *search)
{
    vec_release(&search->state);
    vec_release(&search->edge);
    terms_release(&search->terms);
    pool_release(&search->pool);
    arena_release(&search->mem);
}

struct loop_start {
    uint32_t rule, instance; // whose side the search starts from
    bool right;
    uint32_t only; // the one rule that makes steps; NONE: all rules
};

static void search_from(struct lint_run *run, const struct loop_start *start, rule_lists *loops,
                        rule_lists *growth)
{
    struct lint_search search;
    if (search_init(&search, run, start->rule, start->instance, start->only))
        look_from(&search, start->right ? search.at.rhs : search.at.lhs, loops, growth);
    search_release(&search);
}

// Searches from the left side with parts of left sides in place of one of its
// tensors.
static void search_overlaps(struct lint_run *run, uint32_t rule, rule_lists *loops,
                            rule_lists *growth)
{
    struct lint_search search;
    struct u32_vec parts = {0};
    const struct rule *r = run->rule[rule].rule;
    bool made = search_init(&search, run, rule, 0, NONE);
    for (uint32_t v = 0; made && v < r->n_tensors; v++) {
        term_id term = search.at.in->tensor[v];
        lint_parts(run, &search.terms, term_type(&search.terms, term), &search.mem, &parts);
        for (uint32_t i = 0; i < parts.len; i++)
            look_from(&search,
                      term_replace(&search.terms, search.at.lhs, term, (term_id){parts.at[i]}),
                      loops, growth);
    }
    vec_release(&parts);
    search_release(&search);
}

static bool has_rule(const struct lint_finding *finding, const struct rule *rule)
{
    for (uint32_t i = 0; i < finding->n_rules; i++)
        if (finding->rules[i] == rule)
            return true;
    return false;
}

// Is there a finding by a proper part of its rules?
static bool needless(const struct lint *lint, const struct lint_finding *finding)
{
    bool grows = finding->kind == LINT_GROWS;
    if (!grows && finding->kind != LINT_LOOP && finding->kind != LINT_INVERSE)
        return false;
    for (uint32_t i = 0; i < lint->found.len; i++) {
        const struct lint_finding *g = &lint->found.at[i];
        bool within =
            g->n_rules < finding->n_rules &&
            (grows ? g->kind == LINT_GROWS : g->kind == LINT_LOOP || g->kind == LINT_INVERSE);
        for (uint32_t k = 0; within && k < g->n_rules; k++)
            within = has_rule(finding, g->rules[k]);
        if (within)
            return true;
    }
    return false;
}

// Drops findings for which a part of their rules was found to suffice later.
static void drop_needless(struct lint *lint)
{
    bool *drop = mem_alloc(lint->found.len + 1u);
    uint32_t n = 0;
    for (uint32_t i = 0; i < lint->found.len; i++)
        drop[i] = needless(lint, &lint->found.at[i]);
    for (uint32_t i = 0; i < lint->found.len; i++)
        if (!drop[i])
            lint->found.at[n++] = lint->found.at[i];
    lint->found.len = n;
    mem_free(drop);
}

static bool in_time(struct lint_run *run)
{
    if ((run->deadline > 0 && clock_wall() > run->deadline) || stop_asked(&run->options->stop))
        run->lint->out_of_time = true;
    return !run->lint->out_of_time;
}

// Finds rules that loop alone first, and leaves them out of the rest: a
// commutative law makes a loop of every term and fills every search with its
// variants.
void lint_loops(struct lint_run *run)
{
    rule_lists loops = {0}, growth = {0};
    run->steps.whole = true;
    for (uint32_t i = 0; i < run->n && in_time(run); i++)
        for (uint32_t k = 0; k < 2; k++)
            search_from(run, &(struct loop_start){i, k, false, i}, &loops, &growth);
    for (uint32_t i = 0; i < loops.len; i++)
        run->steps.rule.at[loops.at[i].at[0]].off = true;
    for (uint32_t i = 0; i < growth.len; i++)
        run->steps.rule.at[growth.at[i].at[0]].off = true;
    for (uint32_t i = 0; i < run->n; i++)
        run->lint->n_alone += run->steps.rule.at[i].off;
    for (uint32_t i = 0; i < run->n && in_time(run); i++)
        for (uint32_t k = 0; k < 2; k++) {
            search_from(run, &(struct loop_start){i, k, false, NONE}, &loops, &growth);
            search_from(run, &(struct loop_start){i, k, true, NONE}, &loops, &growth);
        }
    for (uint32_t i = 0; i < run->n && run->n <= LINT_OVERLAP_RULES && in_time(run); i++)
        search_overlaps(run, i, &loops, &growth);
    drop_needless(run->lint);
    vec_release(&loops);
    vec_release(&growth);
}
