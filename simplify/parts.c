// SPDX-License-Identifier: Apache-2.0
#include "simplify/parts.h"

#include "base/clock.h"
#include "simplify/limits.h"

void parts_grow(struct parts *parts)
{
    const struct fterms *terms = parts->whole->formula->terms;
    for (fterm term = parts->part.len; term < terms->node.len; term++) {
        struct part part = {.normal = NO_FTERM, .link = CHAIN_NONE};
        part.price = simplifier_cost_of(parts->whole, terms, term) -
                     (simplifier_is_written(parts->whole, term) ? simplify_familiar : 0);
        for (uint32_t k = 0; k < fterm_n(terms, term); k++)
            part.price += parts->part.at[fterm_args(terms, term)[k]].price;
        vec_push(&parts->part, part);
    }
}

static void find_axes(const struct formula *formula, struct part_axes *out)
{
    for (uint32_t i = 0; i < formula->axes.len; i++) {
        uint32_t k = 0;
        while (k < out->name.len && strcmp(out->name.at[k], formula->axes.at[i]) != 0)
            k++;
        if (k == out->name.len)
            vec_push(&out->name, formula->axes.at[i]);
    }
}

void parts_init(struct parts *parts, struct simplifier *whole)
{
    *parts = (struct parts){.whole = whole};
    fterms_init(&parts->terms);
    fsorts_init(&parts->sorts, whole->formula->terms, whole->defs, &parts->failure);
    chain_init(&parts->chain);
    intern_init(&parts->seen);
    find_axes(whole->formula, &parts->axes);
    (void)fsorts_formula(&parts->sorts, whole->formula, whole->out->term);
}

void parts_release(struct parts *parts)
{
    for (uint32_t i = 0; i < parts->answers.len; i++) {
        struct window_answer *answer = &parts->answers.at[i];
        for (uint32_t k = 0; k < answer->stage.len; k++)
            buf_release(&answer->stage.at[k].proof);
        for (uint32_t k = 0; k < answer->truth.len; k++)
            buf_release(&answer->truth.at[k].proof);
        vec_release(&answer->stage);
        vec_release(&answer->truth);
        vec_release(&answer->used);
    }
    for (uint32_t i = 0; i < parts->facts.len; i++)
        buf_release(&parts->facts.at[i].proof);
    fterms_release(&parts->terms);
    fsorts_release(&parts->sorts);
    chain_release(&parts->chain);
    intern_release(&parts->seen);
    vec_release(&parts->axes.name);
    vec_release(&parts->part);
    vec_release(&parts->facts);
    vec_release(&parts->answers);
}

static fterm in_chain(struct parts *parts, fterm term)
{
    return chain_term(&parts->chain, parts->whole->formula->terms, term);
}

void parts_know(struct parts *parts, fterm cond, const struct buf *proof)
{
    struct simplifier *whole = parts->whole;
    for (uint32_t i = 0; i < whole->truth.len; i++)
        if (whole->truth.at[i].cond == cond)
            return;
    struct proved_condition proved = {.cond = cond};
    buf_write(&proved.proof, proof->at, proof->len);
    vec_push(&whole->truth, proved);
    partial_know(&whole->partial, cond);
}

static bool know_all(struct part_view *view, const struct window_answer *answer, struct err *err)
{
    struct parts *parts = view->parts;
    bool ok = true;
    for (uint32_t i = 0; i < answer->used.len; i++) {
        struct part_given given = view->givens.at[answer->used.at[i]];
        if (given.proved)
            parts_know(parts, parts->facts.at[given.number].cond,
                       &parts->facts.at[given.number].proof);
    }
    for (uint32_t i = 0; ok && i < answer->truth.len; i++) {
        struct part_fact fact;
        ok = part_view_fact(view, answer->truth.at[i].cond, &answer->truth.at[i], &fact, err);
        if (ok)
            parts_know(parts, fact.cond, &fact.proof);
        buf_release(&fact.proof);
    }
    return ok;
}

// Puts the answer in the place of the term, if it is better there.
static bool use(struct part_view *view, const struct window_answer *answer, fterm term, fterm *out,
                uint32_t *link, struct err *err)
{
    struct parts *parts = view->parts;
    struct u32_vec links = {0};
    fterm made = part_window_meaning(&view->window, parts->whole->formula->terms, answer->term);
    bool ok = true;
    parts_grow(parts);
    if (made == NO_FTERM || parts->part.at[made].price >= parts->part.at[term].price - 1e-9 ||
        !fsorts_add_all(&parts->sorts, made))
        return true;
    for (uint32_t i = 0; ok && i < answer->stage.len; i++) {
        uint32_t one;
        ok = part_view_read(view, &parts->chain, buf_text(&answer->stage.at[i].proof),
                            answer->stage.at[i].flipped, &one, err);
        vec_push(&links, one);
    }
    ok = ok && know_all(view, answer, err);
    if (ok) {
        *link = chain_join(&parts->chain, in_chain(parts, term), in_chain(parts, made), links.len,
                           links.at);
        *out = made;
    }
    vec_release(&links);
    return ok;
}

static bool is_late(struct parts *parts)
{
    const struct simplifier *whole = parts->whole;
    parts->cut = parts->cut || parts->steps > SIMPLIFY_WINDOWS_STEPS ||
                 (whole->deadline > 0 && clock_wall() > whole->deadline);
    return parts->cut;
}

// Looks through a window.  *out stays the term if that shows nothing.
static bool look(struct parts *parts, fterm term, fterm *out, uint32_t *link, struct err *err)
{
    struct part_view view;
    bool is_new = false;
    bool open = part_view_open(&view, parts, term, parts->budget, err);
    bool ok = open || err->kind == ERR_NONE;
    uint32_t number = open ? part_view_number(&view, "term", &is_new) : 0;
    if (is_new) {
        struct window_answer answer = {.term = NO_FTERM};
        if (!is_late(parts))
            ok = part_view_search(&view, NULL, &answer, err);
        *part_answer(parts, number) = answer;
    }
    if (ok && open && part_answer(parts, number)->term != NO_FTERM)
        ok = use(&view, part_answer(parts, number), term, out, link, err);
    part_view_close(&view);
    return ok;
}

static bool normalize(struct parts *parts, fterm root, struct err *err);

// What the term becomes when its arguments are as they should be.
static bool improve(struct parts *parts, fterm term, struct err *err)
{
    uint32_t links[2] = {CHAIN_NONE, CHAIN_NONE};
    fterm better = term;
    if (!look(parts, term, &better, &links[0], err))
        return false;
    fterm normal = better;
    if (better != term) {
        if (!normalize(parts, better, err))
            return false;
        normal = parts->part.at[better].normal;
        links[1] = parts->part.at[better].link;
    }
    parts->part.at[term].normal = normal;
    if (normal != term)
        parts->part.at[term].link =
            chain_join(&parts->chain, in_chain(parts, term), in_chain(parts, normal), 2, links);
    return true;
}

// The term with its arguments as they should be, and why.
static fterm rebuild(struct parts *parts, fterm term, uint32_t *link)
{
    struct fterms *terms = parts->whole->formula->terms;
    struct u32_vec args = {0}, links = {0};
    for (uint32_t k = 0; k < fterm_n(terms, term); k++) {
        fterm arg = fterm_args(terms, term)[k];
        vec_push(&args, parts->part.at[arg].normal);
        vec_push(&links, parts->part.at[arg].link);
    }
    struct buf name = {0};
    buf_puts(&name, fterm_name(terms, term));
    fterm made = fterm_make(terms, buf_text(&name), args.len, args.at);
    buf_release(&name);
    parts_grow(parts);
    *link = CHAIN_NONE;
    if (made != term)
        *link =
            chain_congruence(&parts->chain, in_chain(parts, term), in_chain(parts, made), links.at);
    vec_release(&args);
    vec_release(&links);
    return made;
}

// Operators down to the next place that had a window.
static uint32_t weight(const struct parts *parts, fterm term)
{
    const struct fterms *terms = parts->whole->formula->terms;
    uint32_t sum = 1;
    for (uint32_t k = 0; k < fterm_n(terms, term); k++)
        sum += parts->part.at[fterm_args(terms, term)[k]].weight;
    return sum;
}

static bool is_sum(const struct fterms *terms, fterm term)
{
    return fterm_is(terms, term, "add", 2) || fterm_is(terms, term, "subtract", 2);
}

// Do both operands have a part in common, as the old value of a recurrence and what is added?
static bool has_common_part(const struct parts *parts, fterm term)
{
    const struct fterms *terms = parts->whole->formula->terms;
    struct u32_vec first = {0}, second = {0}, seen = {0};
    bool out = false;
    fterms_reach(terms, 1, &fterm_args(terms, term)[0], &first);
    fterms_reach(terms, 1, &fterm_args(terms, term)[1], &second);
    vec_zero(&seen, term);
    for (uint32_t i = 0; i < first.len; i++)
        seen.at[first.at[i]] = 1;
    for (uint32_t i = 0; !out && i < second.len; i++)
        out = seen.at[second.at[i]] && parts->part.at[second.at[i]].price > SIMPLIFY_COMMON_PART;
    vec_release(&first);
    vec_release(&second);
    vec_release(&seen);
    return out;
}

static bool normalize_one(struct parts *parts, fterm term, bool is_root, struct err *err)
{
    const struct fterms *terms = parts->whole->formula->terms;
    uint32_t links[2] = {CHAIN_NONE, CHAIN_NONE};
    bool shared = parts->part.at[term].shared;
    fterm made = rebuild(parts, term, &links[0]);
    if (parts->part.at[made].normal == NO_FTERM) {
        uint32_t heavy = weight(parts, made);
        bool wide = heavy >= parts->budget / SIMPLIFY_STRIDE;
        if (parts->shared_only     ? shared
            : parts->root_sums > 0 ? is_sum(terms, made) && has_common_part(parts, made)
                                   : is_root || shared || wide) {
            if (!improve(parts, made, err))
                return false;
        } else {
            parts->part.at[made].normal = made;
            parts->part.at[made].weight = heavy;
        }
    }
    fterm normal = parts->part.at[made].normal;
    parts->part.at[normal].shared |= shared;
    if (made == term)
        return true;
    links[1] = parts->part.at[made].link;
    parts->part.at[term].normal = normal;
    if (normal != term)
        parts->part.at[term].link =
            chain_join(&parts->chain, in_chain(parts, term), in_chain(parts, normal), 2, links);
    return true;
}

// The term and all terms below, those beneath first.
static bool normalize(struct parts *parts, fterm root, struct err *err)
{
    const struct fterms *terms = parts->whole->formula->terms;
    struct u32_vec all = {0};
    bool ok = true;
    parts_grow(parts);
    fterms_reach(terms, 1, &root, &all);
    parts->nested++;
    for (uint32_t i = 0; ok && i < all.len; i++) {
        struct part *part = &parts->part.at[all.at[i]];
        if (part->normal != NO_FTERM)
            continue;
        if (fterm_n(terms, all.at[i]) == 0 || parts->nested > SIMPLIFY_PART_DEPTH) {
            parts->cut |= fterm_n(terms, all.at[i]) > 0;
            part->normal = all.at[i];
        } else {
            ok = normalize_one(parts, all.at[i], all.at[i] == root, err);
        }
    }
    parts->nested--;
    vec_release(&all);
    return ok;
}

// Forgets what became of terms; their prices, facts and windows stay.
static void begin(struct parts *parts, fterm root)
{
    const struct fterms *terms = parts->whole->formula->terms;
    struct u32_vec all = {0}, parents = {0};
    parts_grow(parts);
    for (uint32_t i = 0; i < parts->part.len; i++) {
        parts->part.at[i].normal = NO_FTERM;
        parts->part.at[i].link = CHAIN_NONE;
        parts->part.at[i].weight = 0;
        parts->part.at[i].shared = false;
    }
    for (uint32_t i = 0; i < parts->facts.len; i++)
        parts->facts.at[i].link = CHAIN_NONE;
    chain_release(&parts->chain);
    chain_init(&parts->chain);
    fterms_reach(terms, 1, &root, &all);
    vec_zero(&parents, root + 1u);
    for (uint32_t i = 0; i < all.len; i++)
        for (uint32_t k = 0; k < fterm_n(terms, all.at[i]); k++)
            parents.at[fterm_args(terms, all.at[i])[k]]++;
    for (uint32_t i = 0; i < all.len; i++)
        parts->part.at[all.at[i]].shared =
            parents.at[all.at[i]] > 1 && fterm_n(terms, all.at[i]) > 0;
    vec_release(&all);
    vec_release(&parents);
}

bool parts_simplify(struct parts *parts, bool *better, struct err *err)
{
    struct simplifier *simplifier = parts->whole;
    struct buf proof = {0};
    fterm root = simplifier->out->term;
    *better = false;
    begin(parts, root);
    if (!fsorts_add_all(&parts->sorts, root))
        return true;
    bool ok = normalize(parts, root, err);
    fterm term = ok ? parts->part.at[root].normal : root;
    if (term != root) {
        chain_print_link(&parts->chain, parts->part.at[root].link, &proof);
        simplifier_add_stage(simplifier, &proof, false, term);
        *better = simplifier_may_take(simplifier, term);
        if (!*better)
            simplifier_drop_stage(simplifier);
    }
    return ok;
}
