// SPDX-License-Identifier: Apache-2.0
// Windows with what is known in them, and the search of one window.
#include "simplify/parts.h"

#include "simplify/limits.h"

static uint32_t cost_of_part(const void *ctx, fterm term)
{
    const struct parts *parts = ctx;
    if (fterm_n(parts->whole->formula->terms, term) == 0)
        return 1;
    return parts->part.at[term].price < SIMPLIFY_CHEAP_PART + 0.5 ? SIMPLIFY_CHEAP_PART
                                                                  : SIMPLIFY_DEAR_PART;
}

// Sums and extremes that stand in several places: what is merged below them says nothing above.
static bool is_closed(const void *ctx, fterm term)
{
    static const char *const ops[] = {"add", "maximum", "minimum"};
    const struct parts *parts = ctx;
    const struct fterms *terms = parts->whole->formula->terms;
    bool closed = strncmp(fterm_name(terms, term), "reduce_", 7) == 0;
    for (uint32_t i = 0; i < sizeof ops / sizeof *ops; i++)
        closed |= fterm_is(terms, term, ops[i], 2);
    return closed && parts->part.at[term].shared && !parts->open && parts->depth == 0;
}

static void add_given(struct part_view *view, fterm cond, bool proved, uint32_t number)
{
    fterm here = part_window_condition(&view->window, cond);
    if (here == NO_FTERM)
        return;
    vec_push(&view->conds, here);
    vec_push(&view->givens, ((struct part_given){proved, number}));
}

// Those of the formula that are, or are not, demands on its operands.
static void add_givens(struct part_view *view, bool defined)
{
    const struct formula *formula = view->parts->whole->formula;
    for (uint32_t i = 0; i < formula->givens.len && i < SIMPLIFY_WINDOW_GIVENS; i++)
        if ((formula->givens.at[i].by == GIVEN_DEFINED) == defined)
            add_given(view, formula->givens.at[i].cond, false, i);
}

// Facts

// The window's condition `op 0 root`.
static fterm sign_condition(const struct part_view *view, const char *op)
{
    fterm args[2] = {fterm_make(view->window.terms, "0", 0, NULL), view->window.root};
    return fterm_make(view->window.terms, op, 2, args);
}

struct window_answer *part_answer(struct parts *parts, uint32_t number)
{
    while (parts->answers.len <= number)
        vec_push(&parts->answers, (struct window_answer){.term = NO_FTERM});
    return &parts->answers.at[number];
}

// Is the term above 0, or at least not below?
static bool find_facts(struct parts *parts, fterm term, struct err *err)
{
    struct part_view view;
    struct u32_vec ask = {0};
    struct part_fact fact = {.link = CHAIN_NONE};
    bool is_new = false, ok = true;
    if (!part_view_open(&view, parts, term, SIMPLIFY_WINDOW, err)) {
        part_view_close(&view);
        return err->kind == ERR_NONE;
    }
    uint32_t number = part_view_number(&view, "sign", &is_new);
    if (is_new) {
        struct window_answer answer = {.term = NO_FTERM};
        vec_push(&ask, sign_condition(&view, "lt"));
        vec_push(&ask, sign_condition(&view, "le"));
        ok = part_view_search(&view, &ask, &answer, err);
        *part_answer(parts, number) = answer;
    }
    const struct window_answer *answer = part_answer(parts, number);
    parts->part.at[term].fact = parts->facts.len;
    for (uint32_t i = 0; ok && i < answer->truth.len && i < 1; i++) {
        ok = part_view_fact(&view, answer->truth.at[i].cond, &answer->truth.at[i], &fact, err);
        vec_push(&parts->facts, fact);
        parts->part.at[term].n_facts = 1;
    }
    vec_release(&ask);
    part_view_close(&view);
    return ok;
}

bool parts_prove(struct parts *parts, fterm cond, struct buf *proof)
{
    struct part_view view;
    struct u32_vec ask = {0};
    struct err err = {0};
    struct window_answer answer = {.term = NO_FTERM};
    struct part_fact fact = {.link = CHAIN_NONE};
    parts->depth++; // as below a window
    bool ok = part_view_open(&view, parts, cond, SIMPLIFY_WINDOW, &err);
    vec_push(&ask, view.window.root);
    ok = ok && part_view_search(&view, &ask, &answer, &err) && answer.truth.len > 0 &&
         part_view_fact(&view, answer.truth.at[0].cond, &answer.truth.at[0], &fact, &err);
    parts->depth--;
    for (uint32_t i = 0; i < answer.truth.len; i++)
        buf_release(&answer.truth.at[i].proof);
    vec_release(&answer.truth);
    vec_release(&ask);
    part_view_close(&view);
    *proof = fact.proof;
    return ok;
}

bool parts_prove_missing(struct parts *parts)
{
    struct u32_vec missing = {0};
    bool any = false;
    for (uint32_t i = 0; i < parts->whole->partial.missing.len; i++)
        vec_push(&missing, parts->whole->partial.missing.at[i]);
    for (uint32_t i = 0; i < missing.len; i++) {
        struct buf proof;
        bool ok = parts_prove(parts, missing.at[i], &proof);
        if (ok)
            parts_know(parts, missing.at[i], &proof);
        any |= ok;
        buf_release(&proof);
    }
    vec_release(&missing);
    return any;
}

static bool add_facts(struct part_view *view, struct err *err)
{
    struct parts *parts = view->parts;
    bool ok = true;
    for (uint32_t i = 0; ok && i < view->window.leaves.len; i++) {
        fterm term = view->window.leaves.at[i].part;
        if (fterm_n(parts->whole->formula->terms, term) == 0 ||
            parts->sorts.at.at[term].sort != SORT_REAL)
            continue;
        if (!parts->part.at[term].asked && parts->depth < SIMPLIFY_FACT_DEPTH) {
            parts->part.at[term].asked = true;
            parts->depth++;
            ok = find_facts(parts, term, err);
            parts->depth--;
        }
        for (uint32_t k = 0; ok && k < parts->part.at[term].n_facts; k++) {
            uint32_t fact = parts->part.at[term].fact + k;
            add_given(view, parts->facts.at[fact].cond, true, fact);
        }
    }
    return ok;
}

// Views

bool part_view_open(struct part_view *view, struct parts *parts, fterm root, uint32_t budget,
                    struct err *err)
{
    struct window_maker maker = {
        .terms = &parts->terms,
        .store = parts->whole->formula->terms,
        .axes = &parts->axes,
        .sorts = &parts->sorts,
        .cost = cost_of_part,
        .closed = is_closed,
        .short_sums = parts->is_short || parts->depth > 0,
        .root_sums = parts->depth > 0 ? 0 : parts->root_sums,
        .ctx = parts,
    };
    *view = (struct part_view){.parts = parts};
    parts_grow(parts);
    if (!part_window_make(&view->window, &maker, root, budget) || !add_facts(view, err))
        return false;
    add_givens(view, false);
    view->n_sure = view->conds.len;
    if (!parts->sure)
        add_givens(view, true);
    return true;
}

void part_view_close(struct part_view *view)
{
    part_window_release(&view->window);
    vec_release(&view->conds);
    vec_release(&view->givens);
}

uint32_t part_view_number(const struct part_view *view, const char *use, bool *is_new)
{
    struct buf key = {0};
    uint32_t before = view->parts->seen.entry.len;
    buf_printf(&key, "%s %u %u", use, view->window.root, view->n_sure);
    for (uint32_t i = 0; i < view->conds.len; i++)
        buf_printf(&key, " %u", view->conds.at[i]);
    uint32_t number = intern_bytes(&view->parts->seen, buf_text(&key), key.len);
    *is_new = number == before;
    buf_release(&key);
    return number;
}

static fterm leaf_term(void *ctx, struct proof_chain *chain, const char *name, uint32_t len)
{
    const struct part_view *view = ctx;
    fterm part = part_window_leaf_part(&view->window, name, len);
    return part == NO_FTERM ? NO_FTERM
                            : chain_term(chain, view->parts->whole->formula->terms, part);
}

static bool given_line(void *ctx, struct proof_chain *chain, uint32_t number, bool *proved,
                       uint32_t *out, struct err *err)
{
    struct part_view *view = ctx;
    if (number >= view->givens.len)
        return false;
    *proved = view->givens.at[number].proved;
    *out = view->givens.at[number].number;
    if (!*proved)
        return true;
    struct part_fact *fact = &view->parts->facts.at[*out];
    bool own = chain == &view->parts->chain;
    if (own && fact->link != CHAIN_NONE) {
        *out = fact->link;
        return true;
    }
    bool ok = chain_read(chain, buf_text(&fact->proof), false, NULL, out, err);
    if (own)
        fact->link = *out;
    return ok;
}

bool part_view_read(struct part_view *view, struct proof_chain *chain, const char *proof,
                    bool flipped, uint32_t *link, struct err *err)
{
    struct chain_meaning meaning = {leaf_term, given_line, view};
    return chain_read(chain, proof, flipped, &meaning, link, err);
}

bool part_view_fact(struct part_view *view, fterm cond, const struct proved_condition *proved,
                    struct part_fact *out, struct err *err)
{
    struct proof_chain chain;
    uint32_t link;
    *out = (struct part_fact){.link = CHAIN_NONE};
    chain_init(&chain);
    bool ok = part_view_read(view, &chain, buf_text(&proved->proof), proved->flipped, &link, err) &&
              (link != CHAIN_NONE || err_set(err, ERR_BUG, "a condition without a proof"));
    if (ok) {
        out->cond = part_window_meaning(&view->window, view->parts->whole->formula->terms, cond);
        chain_print_link(&chain, link, &out->proof);
        parts_grow(view->parts);
    }
    chain_release(&chain);
    return ok;
}

// Search

static void keep_answer(struct simplifier *part, const struct part_view *view,
                        struct window_answer *answer)
{
    answer->term = part->out->term;
    for (uint32_t i = 0; i < part->stage.len; i++) {
        vec_push(&answer->stage, part->stage.at[i]);
        part->stage.at[i].proof = (struct buf){0};
    }
    for (uint32_t i = 0; i < part->partial.used.len; i++) {
        fterm cond = part->partial.used.at[i];
        for (uint32_t k = 0; k < part->truth.len; k++)
            if (part->truth.at[k].cond == cond && part->truth.at[k].proof.len > 0) {
                vec_push(&answer->truth, part->truth.at[k]);
                part->truth.at[k].proof = (struct buf){0};
            }
        for (uint32_t k = 0; k < view->conds.len; k++)
            if (view->conds.at[k] == cond)
                vec_push(&answer->used, k);
    }
}

static bool simplify_part(struct simplifier *part, const struct part_view *view,
                          struct window_answer *answer, struct err *err)
{
    fterm root = view->window.root;
    if (!simplifier_run_phases(part, root, err))
        return false;
    if (part->out->term != root && !part->out->no_value)
        simplifier_tidy(part);
    if (part->out->term != root && !part->out->no_value &&
        partial_fits(&part->partial, part->out->term))
        keep_answer(part, view, answer);
    return true;
}

// At most one of the conditions, the first that is found.
static void prove_part(struct simplifier *part, const struct u32_vec *ask,
                       struct window_answer *answer)
{
    for (int more = 0; more < 2 && part->truth.len == 0; more++) {
        vec_clear(&part->partial.missing);
        for (uint32_t i = 0; i < ask->len; i++)
            vec_push(&part->partial.missing, ask->at[i]);
        simplifier_prove_missing(part, more);
    }
    if (part->truth.len > 0) {
        vec_push(&answer->truth, part->truth.at[0]);
        part->truth.at[0].proof = (struct buf){0};
    }
}

// The window's variables, by whose order terms are tidied.
static void name_variables(const struct part_view *view, struct formula *formula)
{
    for (uint32_t i = 0; i < view->window.leaves.len; i++) {
        const char *name = fterm_name(view->window.terms, view->window.leaves.at[i].leaf);
        if (part_window_variable_cost(name) == 0)
            continue;
        uint32_t id = intern_bytes(&formula->names, name, strcspn(name, "{"));
        vec_push(&formula->variables,
                 ((struct fvariable){.name = intern_text(&formula->names, id)}));
    }
}

bool part_view_search(struct part_view *view, const struct u32_vec *ask,
                      struct window_answer *answer, struct err *err)
{
    struct simplifier *whole = view->parts->whole;
    struct simplify_options options = *whole->simplify_options;
    struct simplify_result out = {.term = view->window.root};
    struct formula_record record = {0};
    struct formula formula = {
        .terms = view->window.terms, .defs = whole->defs, .term = view->window.root};
    struct simplifier part = {.formula = &formula,
                              .defs = whole->defs,
                              .choose = whole->choose,
                              .part = true,
                              .simplify_options = &options,
                              .out = &out,
                              .record = &record,
                              .left = view->window.root,
                              .deadline = whole->deadline};
    bool ok = true;
    bool wide = ask == NULL && view->parts->root_sums > 0;
    if (wide)
        options.max_nodes *= SIMPLIFY_RECURRENCE_TIMES;
    else if (options.max_nodes > SIMPLIFY_WINDOW_NODES)
        options.max_nodes = SIMPLIFY_WINDOW_NODES;
    options.max_steps = wide ? SIMPLIFY_STEPS : SIMPLIFY_WINDOW_STEPS;
    formula.axes.at = whole->formula->axes.at;
    formula.axes.len = whole->formula->axes.len;
    intern_init(&formula.names);
    name_variables(view, &formula);
    partial_init(&part.partial, formula.terms, part.defs, part.left);
    for (uint32_t i = 0; i < view->conds.len; i++) {
        enum given_by by = i < view->n_sure ? GIVEN_DECLARED : GIVEN_DEFINED;
        vec_push(&formula.givens, ((struct fgiven){view->conds.at[i], by}));
        vec_push(&part.given, view->conds.at[i]);
        partial_know(&part.partial, view->conds.at[i]);
    }
    simplifier_find_written(&part);
    if (ask == NULL)
        ok = simplify_part(&part, view, answer, err);
    else
        prove_part(&part, ask, answer);
    view->parts->steps += part.steps;
    simplifier_release_search(&part);
    intern_release(&formula.names);
    vec_release(&formula.variables);
    vec_release(&formula.givens);
    return ok;
}
