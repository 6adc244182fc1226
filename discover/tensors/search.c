// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/core.h"
#include "base/clock.h"
#include "rules/verdict.h"
#include <stdlib.h>

void search_show(struct rule_search *w, bool now)
{
    double t = clock_wall();
    w->p->seconds = t - w->begin;
    w->p->kept = w->out->at.len;
    if (w->o->progress != NULL && (now || t - w->shown > 0.5)) {
        w->shown = t;
        w->o->progress(w->o->ctx, w->p);
    }
    w->ended |= w->o->seconds > 0 && w->p->seconds > w->o->seconds;
}

static unsigned count_bits(unsigned m)
{
    return (unsigned)__builtin_popcount(m);
}

// Small ones first, of these the general ones: many variables.
static int by_generality(const void *a, const void *b)
{
    const struct sketch *x = a, *y = b;
    int p = x->n_tensors - y->n_tensors, q = x->n_scalars - y->n_scalars;
    int special =
        (int)search_has_literal_operand(x) - (int)search_has_literal_operand(y);
    if (x->n_ops > 2 && x->n_slots != y->n_slots)
        return x->n_slots - y->n_slots;
    if (x->n != y->n)
        return x->n - y->n;
    if (special != 0)
        return special;
    if (p != 0)
        return -p;
    if (q != 0)
        return -q;
    uint64_t g = sketch_hash(x), h = sketch_hash(y);
    return (g > h) - (g < h);
}

// Slices without stride and paddings without interior: their own left sides,
// where the general ones are no rule.  The k-th choice of nodes; false: there
// is none.
static bool pinned(const struct sketch *s, unsigned k, struct sketch *out)
{
    unsigned nth = 0;
    *out = *s;
    for (unsigned i = 0; i < s->n; i++)
        if (s->node[i].kind == SKETCH_SLICE || s->node[i].kind == SKETCH_PAD)
            out->node[i].pin = k >> nth++ & 1;
    sketch_finish(out);
    return k < 1u << nth;
}

static bool has(const struct rule_search *w, uint32_t number)
{
    for (uint32_t i = 0; i < w->promising.len; i++)
        if (w->promising.at[i] == number)
            return true;
    return false;
}

static void one_size(struct rule_search *w, struct sizes *z, unsigned classes,
                     unsigned size, unsigned attributed)
{
    struct sketch_vec *raw = &z->of[size];
    struct sketch_vec *parts = &z->parts[size];
    w->p->classes = classes;
    w->p->size = size;
    w->p->attributed = attributed;
    search_show(w, true);
    z->e.most = attributed;
    vec_clear(raw);
    enumerate(&z->e, z->parts, size, raw);
    w->p->sketches += raw->len;
    if (size == 0) {
        for (uint32_t i = 0; i < raw->len; i++)
            vec_push(parts, raw->at[i]);
        return;
    }
    struct sketch_vec now = {0};
    for (uint32_t i = 0; i < raw->len && !w->ended; i++) {
        if (i % 1024 == 0)
            search_show(w, false);
        if (!search_reducible(w, &raw->at[i]))
            vec_push(&now, raw->at[i]);
    }
    if (now.len > 0)
        qsort(now.at, now.len, sizeof *now.at, by_generality);
    struct sketch_vec from[8] = {{0}};
    bool large = size > SMALL;
    for (unsigned k = 0; k < size; k++)
        from[k] = z->parts[k];
    from[size] = now;
    struct table *t = large ? z->small : NULL;
    if (t == NULL)
        t = table_new(&z->e.o, from, large ? SMALL + 1 : size + 1, SMALL,
                      w->o->seed);
    if (large)
        z->small = t;
    w->p->left = 0;
    w->p->lefts = PINS * now.len;
    w->table = t;
    vec_clear(&w->promising);
    for (uint32_t i = 0; i < PINS * now.len && !w->ended && !w->failed; i++) {
        struct sketch one;
        const struct sketch *l = &one;
        bool there = pinned(&now.at[i % now.len], i / now.len, &one);
        w->p->left = i;
        search_show(w, false);
        if ((count_bits(sketch_classes(l)) < classes && classes > 1) ||
            !there || (i >= now.len && !has(w, i % now.len)) ||
            search_reducible(w, l))
            continue;
        vec_push(&w->lefts, *l);
        vec_push(&w->number, i % now.len);
        if (w->lefts.len == WAVE) {
            search_solve_wave(w);
            search_prove_wave(w);
        }
    }
    search_solve_wave(w);
    search_prove_wave(w);
    for (uint32_t i = 0; i < now.len && !w->ended && size < w->o->size; i++)
        if (!search_reducible(w, &now.at[i]))
            vec_push(parts, now.at[i]);
    vec_release(&now);
    if (!large)
        table_free(t);
}

void found_rules_release(struct found_rules *f)
{
    vec_release(&f->at);
    arena_release(&f->mem);
}

// What the answers of a journal depend on.
static void describe_run(const struct search_options *o, struct buf *out)
{
    buf_printf(out,
               "verifier %s semantics %s layout %zu kinds %u binaries %u "
               "tensors %u scalars %u classes %u literals %d size %u domains "
               "%u seed %llu rule %g",
               VERIFIER_VERSION, SEMANTICS_VERSION,
               sizeof(struct rule_candidate) + sizeof(struct sent_counts) * 1000,
               o->enumerate.kinds, o->enumerate.binaries, o->enumerate.tensors,
               o->enumerate.scalars, o->enumerate.classes,
               o->enumerate.literals, o->size, o->domains,
               (unsigned long long)o->seed, o->rule_seconds);
    for (uint32_t i = 0; o->known != NULL && i < o->known->rules.len; i++)
        buf_printf(out, " %s", o->known->rules.at[i]->hash);
}

static bool begin(struct rule_search *w)
{
    struct buf run = {0};
    memset(w->p, 0, sizeof *w->p);
    w->begin = clock_wall();
    w->base = derive_base_new(DOMAIN_INT, &w->mem);
    intern_init(&w->texts);
    intern_init(&w->names);
    for (uint32_t i = 0; w->o->known != NULL && i < w->o->known->rules.len;
         i++) {
        const struct rule *r = w->o->known->rules.at[i];
        struct rule_status s = {.proved = r->claims,
                                .uninterpreted =
                                    rule_only_moves(r) ? r->claims : 0};
        if (!rule_defines(r))
            (void)derive_add(w->base, r, s);
        (void)intern_str(&w->names, r->name);
    }
    describe_run(w->o, &run);
    bool ok = w->o->journal == NULL ||
              answers_open(&w->journal, w->o->journal, buf_text(&run), w->e);
    buf_release(&run);
    w->failed = !ok;
    return ok;
}

static void finish(struct rule_search *w)
{
    if (!w->failed)
        search_show(w, true);
    w->out->ended = w->ended;
    answers_close(&w->journal);
    derive_base_free(w->base);
    vec_release(&w->kept);
    vec_release(&w->wave);
    vec_release(&w->lefts);
    vec_release(&w->number);
    vec_release(&w->promising);
    vec_release(&w->asked);
    vec_release(&w->answer);
    arena_release(&w->step);
    vec_release(&w->pairs);
    intern_release(&w->texts);
    intern_release(&w->names);
    w->out->mem = w->mem; // with the texts of what was found
}

bool search_rules(const struct search_options *o, struct ruleset *set,
                  struct found_rules *out, struct search_progress *p,
                  struct err *e)
{
    struct rule_search w = {.o = o, .set = set, .out = out, .p = p, .e = e};
    struct sizes z[SKETCH_CLASSES] = {0};
    unsigned classes = o->enumerate.classes;
    if (begin(&w)) {
        for (unsigned c = 0; c < classes; c++) {
            struct enumerate_options one = o->enumerate;
            one.classes = c + 1;
            enumeration_init(&z[c].e, &one);
        }
        for (unsigned size = 0; size <= o->size && size < 8; size++)
            // Large ones by what they cost: those with few slices and paddings
            // first, in all numbers of classes.
            for (unsigned a = size > SMALL ? 0 : size; a <= size; a++)
                for (unsigned c = 0; c < classes && !w.ended && !w.failed; c++)
                    one_size(&w, &z[c], c + 1, size, a);
    }
    finish(&w);
    for (unsigned c = 0; c < classes; c++) {
        enumeration_release(&z[c].e);
        table_free(z[c].small);
        for (unsigned k = 0; k < 8; k++) {
            vec_release(&z[c].of[k]);
            vec_release(&z[c].parts[k]);
        }
    }
    return !w.failed;
}

bool search_judge(const struct search_options *o, const struct ruleset *given,
                  struct ruleset *set, struct found_rules *out,
                  struct search_progress *p, struct err *e)
{
    struct rule_search w = {.o = o, .set = set, .out = out, .p = p, .e = e};
    bool ok = begin(&w);
    p->lefts = given->rules.len;
    for (uint32_t i = 0; ok && i < given->rules.len && !w.ended && !w.failed;
         i++) {
        const struct rule *r = given->rules.at[i];
        struct rule_candidate c = {.rule = r, .given = r, .whole = r->n_wheres == 0};
        p->left = i;
        p->pairs++;
        if (search_stands(&w, r) && search_is_new(&w, &c)) {
            c.number = p->candidates++;
            vec_push(&w.wave, c);
        }
        if (w.wave.len >= WAVE || i + 1 == given->rules.len)
            search_prove_wave(&w);
    }
    finish(&w);
    return !w.failed;
}
