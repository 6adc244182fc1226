// SPDX-License-Identifier: Apache-2.0
// The order of work, and what is said of what was kept.
#include "discover/scalars/core.h"

#include "base/clock.h"

// Equations that were assumed and then refuted, by their keys.
struct wrong {
    char **at;
    uint32_t len, cap;
};

// What was assumed is asked again, with more time.
static void settle(struct scalar_choice *w, struct wrong *wrong)
{
    struct scalar_discovery *s = w->s;
    for (uint32_t i = 0; i < w->at.len && !scalar_late(s); i++) {
        struct chosen *x = &w->at.at[i];
        if (!x->assumed || x->stuck)
            continue;
        enum judgement j = scalar_judge(s, &x->q, true);
        x->assumed = j != JUDGED_TRUE;
        s->out->stats.proved += j == JUDGED_TRUE;
        if (j == JUDGED_FALSE) {
            struct buf key = {0};
            scalar_key(s, &x->q, &key);
            vec_push(wrong, buf_detach(&key));
            s->out->stats.refuted++;
        }
    }
    for (uint32_t i = 0; i < w->at.len; i++) {
        s->out->stats.unknown += w->at.at[i].assumed;
        w->at.at[i].dropped = w->at.at[i].assumed;
    }
}

static void judge_rest(struct scalar_choice *w)
{
    struct scalar_discovery *s = w->s;
    for (uint32_t i = 0; i < w->at.len; i++) {
        struct chosen *x = &w->at.at[i];
        s->out->stats.derived += x->derived;
        if (!x->follows || x->dropped)
            continue;
        enum judgement j =
            scalar_late(s) ? JUDGED_UNKNOWN : scalar_judge(s, &x->q, true);
        x->dropped = j != JUDGED_TRUE;
        s->out->stats.candidates++;
        s->out->stats.proved += j == JUDGED_TRUE;
        s->out->stats.refuted += j == JUDGED_FALSE;
        s->out->stats.unknown += j == JUDGED_UNKNOWN;
    }
}

// Names: the outermost operators of both sides, and a number.

static void name_part(const struct scalar_discovery *s, const struct scalar_tree *t,
                      struct buf *out)
{
    const struct scalar_tree_node *n = &t->at[t->n - 1];
    if (sym_arity(s, n->sym) == 0) {
        buf_puts(out, sym_is_var(s, n->sym) ? "operand" : "constant");
        return;
    }
    buf_puts(out, op_name(s->o->ops[n->sym]));
    for (uint32_t k = 0; k < sym_arity(s, n->sym); k++) {
        uint32_t inner = t->at[k == 0 ? n->a : n->b].sym;
        if (sym_arity(s, inner) > 0) {
            buf_printf(out, "_of_%s", op_name(s->o->ops[inner]));
            return;
        }
    }
}

static void put_name(const struct scalar_discovery *s, const struct equation *q,
                     struct intern *taken, struct buf *out)
{
    name_part(s, &q->l, out);
    buf_puts(out, "_is_");
    name_part(s, &q->r, out);
    size_t len = out->len;
    for (uint32_t k = 2;; k++) {
        uint32_t before = taken->entry.len;
        intern_bytes(taken, out->at, out->len);
        if (taken->entry.len > before)
            return;
        out->len = len;
        buf_printf(out, "_%u", (unsigned)k);
    }
}

static void give(struct scalar_choice *w)
{
    struct scalar_discovery *s = w->s;
    struct intern taken;
    intern_init(&taken);
    for (uint32_t i = 0; i < w->at.len; i++) {
        const struct equation *q = &w->at.at[i].q;
        struct buf name = {0}, text = {0}, side = {0};
        uint8_t number[SCALAR_MAX_VARS];
        if (w->at.at[i].dropped)
            continue;
        numbers_clear(number);
        put_name(s, q, &taken, &name);
        struct scalar_rule x = {.conditional = q->n_nonzero > 0};
        struct arena *mem = &s->out->mem;
        x.name = arena_strdup(mem, buf_text(&name));
        scalar_tree_plain(s, &q->l, "?", number, &side);
        x.lhs = arena_strdup(mem, buf_text(&side));
        buf_clear(&side);
        scalar_tree_plain(s, &q->r, "?", number, &side);
        x.rhs = arena_strdup(mem, buf_text(&side));
        scalar_equation_text(s, q, x.name, &text);
        // What was seen of all inputs of one type is now proved, as a rule.
        double begin = clock_wall();
        bool proved = !s->in.small || scalar_proves(s, buf_text(&text), true,
                                                    false) == JUDGED_TRUE;
        s->out->stats.widening += clock_wall() - begin;
        s->out->stats.one_width += !proved;
        x.text = arena_strdup(mem, buf_text(&text));
        x.proved = proved;
        if (proved || s->o->width > 0)
            vec_push(&s->out->rule, x);
        buf_release(&name);
        buf_release(&text);
        buf_release(&side);
    }
    intern_release(&taken);
}

// False: something was assumed that is wrong, so what followed from it must be
// looked at again.
static bool once(const struct scalar_options *o, struct scalar_result *r,
                 double begin, double begin_cpu, struct wrong *wrong)
{
    struct scalar_discovery s = {.o = o, .out = r, .begin = begin};
    struct scalar_choice w = {.s = &s};
    uint32_t before = wrong->len;
    scalar_inputs_make(&s);
    ruleset_init(&s.rules);
    intern_init(&s.tried);
    intern_init(&w.keys);
    for (uint32_t i = 0; i < wrong->len; i++)
        intern_str(&s.tried, wrong->at[i]);
    scalar_begin(&s);
    vec_reserve(&s.plain.rule, MAX_RULES); // they stay where they are
    struct run_options ro = {
        .max_rounds = 1000, .guard = scalar_guard, .ctx = &s};
    run_init(&s.run, &s.g, &s.plain, ro);
    uint32_t layers = o->max_depth > 0 ? o->max_depth : o->max_ops;
    for (uint32_t k = 1; k <= layers && !scalar_late(&s); k++) {
        scalar_layer(&s, k, k == layers);
        scalar_choose(&w, false);
    }
    scalar_keep_equal(&w);
    if (o->domain == DOMAIN_REAL && !o->unconditional && !s.stop)
        scalar_choose(&w, true);
    settle(&w, wrong);
    bool right = wrong->len == before;
    if (right && !s.stop) {
        scalar_complete(&w, !o->keep_derived);
    }
    judge_rest(&w);
    r->stats.seconds = clock_wall() - begin;
    r->stats.cpu = clock_cpu() - begin_cpu;
    r->stats.terms = s.g.node.len;
    r->stats.classes = s.g.n_classes;
    if (right)
        give(&w);
    vec_release(&w.at);
    vec_release(&w.small);
    vec_release(&w.sides);
    vec_release(&w.is_chosen);
    intern_release(&w.keys);
    run_release(&s.run);
    intern_release(&s.tried);
    ruleset_release(&s.rules);
    scalar_release(&s);
    scalar_inputs_release(&s);
    return right;
}

void discover_scalar(const struct scalar_options *o, struct scalar_result *r)
{
    struct scalar_options with = *o;
    struct wrong wrong = {0};
    double begin = clock_wall(), begin_cpu = clock_cpu();
    if (with.max_terms == 0)
        with.max_terms = MAX_TERMS;
    do {
        r->stats = (struct scalar_stats){.refuted = wrong.len};
    } while (!once(&with, r, begin, begin_cpu, &wrong));
    for (uint32_t i = 0; i < wrong.len; i++)
        mem_free(wrong.at[i]);
    vec_release(&wrong);
}

void scalar_result_release(struct scalar_result *r)
{
    arena_release(&r->mem);
    vec_release(&r->rule);
}
