// SPDX-License-Identifier: Apache-2.0
// Random programs on the engine and on a naive e-graph: adding, merging,
// hiding, rules searched and applied by hand, whole rounds, rounds that stop in
// the middle or leave rules out, knowledge that merges classes.  After each
// rebuild both have to say the same, matches included.  A program on which they
// differ is made shorter and printed.
//   cc_random [SEED [SECONDS]]
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/hash.h"
#include "tests/unit/support/cc_world.h"

static uint64_t seed = 1;
static double seconds = 2;

enum kind {
    ADD,
    MERGE,
    HIDE,
    REBUILD,
    ROUND,
    PART,
    RUN,
    RUN_PAUSES,
    RUN_FULL,
    RUN_RATIONED,
    EXPLAIN
};
static const char *const kind_name[] = {
    "add",        "merge",    "hide",      "rebuild",     "round",  "part",
    "run simple", "run bans", "run until", "run rations", "explain"};

struct instr {
    enum kind kind;
    uint32_t x, y, z;
};

struct program {
    uint64_t rule_seed;
    uint32_t n_rules, rule_mask;
    bool knowing, prune, exact;
    enum fault fault;
    VEC(struct instr) instr;
};

static struct {
    uint32_t programs, rounds, matches, found, dropped, saturated, constants,
        hidden, explained;
} met;

static void program_random(struct program *p, struct rng *r)
{
    static const uint8_t kinds[] = {
        ADD,      ADD,          ADD,          ADD,        ADD,        ADD,
        ADD,      MERGE,        MERGE,        MERGE,      HIDE,       ROUND,
        ROUND,    ROUND,        PART,         PART,       RUN,        RUN,
        REBUILD,  RUN,          RUN,          RUN_PAUSES, RUN_PAUSES, RUN_FULL,
        RUN_FULL, RUN_RATIONED, RUN_RATIONED, EXPLAIN,    EXPLAIN};
    *p = (struct program){.rule_seed = rng_u64(r)};
    p->n_rules = 1 + (uint32_t)rng_below(r, RULES);
    p->rule_mask = UINT32_MAX;
    p->knowing = rng_below(r, 2) == 0;
    p->prune = p->knowing && rng_below(r, 3) == 0;
    p->exact = rng_below(r, 4) == 0;
    uint32_t n = 12 + (uint32_t)rng_below(r, 40);
    for (uint32_t i = 0; i < n; i++) {
        struct instr s = {.kind = kinds[rng_below(r, sizeof kinds)],
                          .x = (uint32_t)rng_u64(r),
                          .y = (uint32_t)rng_u64(r),
                          .z = (uint32_t)rng_u64(r)};
        if (i < 10)
            s.kind = ADD;
        vec_push(&p->instr, s);
    }
}

static void do_add(struct world *w, const struct instr *s)
{
    struct cc *g = &w->g;
    struct rng r;
    uint32_t arg[NAIVE_ARGS], label[NAIVE_ARGS];
    rng_seed(&r, (uint64_t)s->y << 32 | s->z);
    uint32_t op = g->node.len == 0 ? 0
                  : s->x % 32 == 0 ? CONSTANT
                                   : w->pool[s->x / 32 % POOL];
    uint32_t n = world_op[op].arity;
    for (uint32_t k = 0; k < n; k++) {
        arg[k] = g->cls.at[rng_below(&r, g->node.len)];
        label[k] = map_get(w, cc_find(g, arg[k]));
    }
    uint32_t node = w->exact && s->z % 4 == 0 ? cc_insert_exact(g, op, arg)
                                              : cc_add(g, op, arg);
    uint32_t added = naive_add(&w->n, op, n, label);
    // Of congruent nodes in two classes each side may have found another.
    if (map_get(w, cc_class(g, node)) == NONE)
        map_set(w, cc_class(g, node), added);
}

static void do_merge(struct world *w, const struct instr *s)
{
    struct cc *g = &w->g;
    if (g->node.len == 0)
        return;
    uint32_t a = s->x % g->node.len, b = s->y % g->node.len;
    naive_union(&w->n, map_get(w, cc_class(g, a)), map_get(w, cc_class(g, b)));
    world_given(w, a, b);
}

static void do_hide(struct world *w, const struct instr *s)
{
    struct cc *g = &w->g;
    uint32_t arg[NAIVE_ARGS], node = g->node.len == 0 ? 0 : s->x % g->node.len;
    if (g->node.len == 0 || (g->node.at[node].op & CC_DEAD))
        return;
    for (uint32_t k = 0; k < cc_arity(g, node); k++)
        arg[k] = map_get(w, cc_find(g, cc_args(g, node)[k]));
    naive_find(&w->n, g->node.at[node].op & CC_OP, arg)->hidden = true;
    cc_hide(g, node);
    met.hidden++;
}

// Rules by hand

struct finder {
    struct world *w;
    uint32_t rule, stop, n, n_new;
    struct u32_vec key;  // places of the left side, as classes
    struct u32_vec node; // and nodes of the atoms
};

// The classes of the places below `at`, whose atoms come in the same order.
static void key_of(const struct plain_search *s, const struct naive_rule *rule,
                   uint32_t at, uint32_t var, uint32_t *atom, uint32_t *key)
{
    const struct naive_pattern *p = &rule->at[at];
    key[at] = s->reg[var];
    if (p->var)
        return;
    const struct plain_atom *a = &s->rule->atom[(*atom)++];
    for (uint32_t k = 0; k < p->n; k++)
        key_of(s, rule, p->arg[k], a->arg[k], atom, key);
}

static bool found(void *ctx, const struct plain_search *s)
{
    struct finder *f = ctx;
    const struct naive_rule *rule = &f->w->rule[f->rule];
    uint32_t key[NAIVE_PATTERN], atom = 0;
    for (uint32_t k = 0; k < rule->n_roots; k++)
        key_of(s, rule, rule->root[k], s->rule->atom[atom].cls, &atom, key);
    for (uint32_t i = 0; i < rule->n_left; i++)
        vec_push(&f->key, key[i]);
    for (uint32_t i = 0; i < s->rule->n_atoms; i++)
        vec_push(&f->node, s->node[i]);
    f->n_new += search_new(s);
    return ++f->n < f->stop;
}

static bool has_key(const struct u32_vec *list, const uint32_t *key, uint32_t n)
{
    for (uint32_t i = 0; i < list->len; i += n)
        if (memcmp(list->at + i, key, n * sizeof *key) == 0)
            return true;
    return false;
}

static void add_key(struct u32_vec *list, const uint32_t *key, uint32_t n)
{
    if (has_key(list, key, n))
        return;
    for (uint32_t i = 0; i < n; i++)
        vec_push(list, key[i]);
}

// What was seen before, with the classes as they are now.
static void seen_now(struct world *w, uint32_t rule)
{
    struct u32_vec now = {0};
    uint32_t n = w->rule[rule].n_left, key[NAIVE_PATTERN];
    for (uint32_t i = 0; i < w->seen[rule].len; i += n) {
        for (uint32_t k = 0; k < n; k++)
            key[k] = cc_find(&w->g, w->seen[rule].at[i + k]);
        add_key(&now, key, n);
    }
    vec_release(&w->seen[rule]);
    w->seen[rule] = now;
}

// Labels of `all` as classes.
static void to_classes(const struct world *w, struct u32_vec *all)
{
    struct u32_vec cls = {0};
    for (uint32_t i = 0; i < w->n.now.len; i++)
        vec_push(&cls, NONE);
    for (uint32_t c = 0; c < w->map.len; c++)
        if (map_get(w, c) != NONE && w->g.up.at[c] == c)
            cls.at[map_get(w, c)] = c;
    for (uint32_t i = 0; i < all->len; i++)
        all->at[i] = cls.at[all->at[i]];
    vec_release(&cls);
}

// The matches that were found: matches all, none twice, and with those of
// before they are all that there are.
static bool right_matches(struct world *w, struct finder *f, bool whole,
                          bool once, const struct u32_vec *all)
{
    uint32_t n = w->rule[f->rule].n_left;
    struct u32_vec before = {0};
    bool ok = true;
    for (uint32_t i = 0; i < f->key.len && ok; i += n) {
        if (!has_key(all, f->key.at + i, n))
            ok = differ(w, "rule %u: match %u is none", f->rule, i / n);
        else if (once && has_key(&before, f->key.at + i, n))
            ok = differ(w, "rule %u: match %u is found twice", f->rule, i / n);
        add_key(&before, f->key.at + i, n);
        add_key(&w->seen[f->rule], f->key.at + i, n);
    }
    for (uint32_t i = 0; i < all->len && ok && whole; i += n)
        if (!has_key(&w->seen[f->rule], all->at + i, n))
            ok = differ(w, "rule %u: match %u is not found", f->rule, i / n);
    vec_release(&before);
    met.found += f->n;
    met.matches += all->len / n;
    return ok;
}

static void apply_match(struct world *w, struct finder *f, uint32_t i,
                        bool into)
{
    struct cc *g = &w->g;
    const struct plain_rule *q = &w->p.rule.at[f->rule];
    uint32_t reg[PLAIN_MAX_VARS], list[2 * PLAIN_MAX_ATOMS], n = 0;
    for (; n < q->n_atoms; n++) {
        uint32_t node = list[n] = f->node.at[i * q->n_atoms + n];
        reg[q->atom[n].cls] = g->cls.at[node];
        for (uint32_t k = 0; k < q->atom[n].n; k++)
            reg[q->atom[n].arg[k]] = cc_args(g, node)[k];
    }
    bool news = false;
    for (uint32_t j = 0; j < q->n_builds; j++) {
        const struct plain_build *u = &q->build[j];
        uint32_t arg[NAIVE_ARGS];
        for (uint32_t k = 0; k < u->n; k++)
            arg[k] = cc_find(g, reg[u->arg[k]]);
        uint32_t node = cc_lookup(g, u->op, arg);
        bool here = node == CC_NONE && into && u->out == q->right;
        if (node == CC_NONE)
            node = cc_insert(g, u->op, arg,
                             here ? cc_find(g, reg[q->left]) : CC_NONE);
        news = news || here;
        reg[u->out] = g->cls.at[node];
        list[n++] = node;
    }
    if (cc_union(g, reg[q->left], reg[q->right]) || news)
        journal_rule(&g->journal, f->rule, n, list);
}

// Goes through all matches, and says which are new: those are what the other
// search is going to find, as many and none twice.
static bool whole_search(struct world *w, uint32_t rule, uint32_t *n_new,
                         const struct u32_vec *all)
{
    uint32_t old = w->seen[rule].len;
    struct finder f = {.w = w, .rule = rule, .stop = NONE};
    struct plain_search x = {.g = &w->g,
                       .rule = &w->p.rule.at[rule],
                       .since = &w->mark[rule],
                       .n_frozen = w->g.n_entered,
                       .found = found,
                       .ctx = &f};
    *n_new = NONE;
    if (!search_can_be_whole(&x))
        return true;
    x.whole = true;
    bool ok = search_rule(&x) && f.key.len == all->len;
    if (!ok)
        differ(w, "rule %u: %u matches of all", rule, f.n);
    ok = ok && right_matches(w, &f, true, true, all);
    w->seen[rule].len = old;
    *n_new = f.n_new;
    vec_release(&f.key);
    vec_release(&f.node);
    return ok;
}

static bool search_one(struct world *w, uint32_t rule, const struct instr *s,
                       bool part, const struct u32_vec *all,
                       struct seen_mark *next)
{
    struct finder f = {.w = w, .rule = rule, .stop = NONE};
    // Where events were dropped in between, more than once perhaps.
    const struct plain_rule *q = &w->p.rule.at[rule];
    bool once = true;
    for (uint32_t i = 0; i < q->n_atoms; i++)
        once = once && (!w->mark[rule].ever || q->atom[i].op == ATOM_ANY ||
                        w->mark[rule].events[i] >=
                            w->g.op.at[q->atom[i].op].event_base);
    uint32_t n_new;
    if (!whole_search(w, rule, &n_new, all))
        return false;
    if (part)
        f.stop = 1 + (s->y >> rule) % 4;
    seen_mark_set(next, &w->g, &w->p.rule.at[rule]);
    struct plain_search x = {.g = &w->g,
                       .rule = &w->p.rule.at[rule],
                       .since = &w->mark[rule],
                       .n_frozen = w->g.n_entered,
                       .found = found,
                       .ctx = &f};
    bool whole = search_rule(&x);
    if (!whole)
        *next = w->mark[rule];
    bool ok = right_matches(w, &f, whole, once, all);
    if (ok && whole && n_new != NONE && f.n != n_new)
        ok = differ(w, "rule %u: %u new matches", rule, n_new);
    for (uint32_t i = 0; i < f.n && ok; i++)
        apply_match(w, &f, i, (s->z >> i % 32 & 1) != 0);
    vec_release(&f.key);
    vec_release(&f.node);
    return ok;
}

// All rules, guards or not; `part`: some not at all, some not to the end.
static bool do_round(struct world *w, const struct instr *s, bool part,
                     struct u32_vec *all)
{
    bool ok = true;
    struct seen_mark next[RULES];
    memcpy(next, w->mark, sizeof next);
    struct u32_vec cls[RULES] = {0};
    for (uint32_t i = 0; i < w->n_rules; i++) {
        for (uint32_t k = 0; k < all[i].len; k++)
            vec_push(&cls[i], all[i].at[k]);
        to_classes(w, &cls[i]);
        seen_now(w, i);
    }
    for (uint32_t i = 0; i < w->n_rules && ok; i++)
        if (!part || !(s->x >> i & 1))
            ok = search_one(w, i, s, part, &cls[i], &next[i]);
    for (uint32_t i = 0; i < RULES; i++)
        vec_release(&cls[i]);
    cc_rebuild(&w->g);
    for (uint32_t i = 0; i < w->n_rules && w->fault == FAULT_MARK; i++)
        seen_mark_set(&next[i], &w->g, &w->p.rule.at[i]);
    memcpy(w->mark, next, sizeof next);
    return ok;
}

// Whole rounds

static bool do_run(struct world *w, const struct instr *s, bool *whole)
{
    struct run *r = &w->run[s->kind - RUN];
    uint32_t nodes = w->n.node.len, classes = naive_classes(&w->n);
    naive_settle(&w->n, w->knowing);
    if (s->kind == RUN_FULL) {
        bool bytes = s->y % 4 == 0, matches = s->y % 4 == 1;
        r->opt.max_nodes = bytes || matches ? 0 : w->g.n_live + 1 + s->x % 30;
        r->opt.max_bytes = bytes ? cc_bytes(&w->g) + 1 + s->x % 2000 : 0;
        r->opt.max_matches = matches ? 1 + s->x % 40 : 0;
    }
    enum run_stop stop = run_rounds(r);
    *whole = s->kind == RUN;
    if (stop == RUN_SATURATED &&
        (nodes != w->n.node.len || classes != naive_classes(&w->n)))
        return differ(w, "it ended with something left to do");
    met.dropped += s->kind != RUN;
    met.saturated += s->kind != RUN && stop == RUN_SATURATED;
    return true;
}

static bool round_of(struct world *w, const struct instr *s)
{
    enum { MAX_NODES = 100, MAX_MATCHES = 150 };
    bool by_hand = s->kind == ROUND || s->kind == PART, ok = true;
    bool whole = s->kind == ROUND;
    struct u32_vec all[RULES] = {0};
    uint32_t n = 0;
    if (!w->g.closed && !world_rebuild(w))
        return false;
    for (uint32_t i = 0; i < w->n_rules; i++) {
        naive_matches(&w->n, &w->rule[i], !by_hand, &all[i]);
        n += all[i].len / w->rule[i].n_left;
    }
    if (w->n.node.len <= MAX_NODES && n <= MAX_MATCHES) {
        met.rounds++;
        if (by_hand)
            ok = do_round(w, s, s->kind == PART, all);
        for (uint32_t i = 0; i < w->n_rules; i++)
            for (uint32_t k = 0; k < all[i].len; k += w->rule[i].n_left)
                naive_apply(&w->n, &w->rule[i], all[i].at + k);
        if (by_hand)
            naive_settle(&w->n, w->knowing);
        else
            ok = do_run(w, s, &whole);
        ok = ok && world_rebuilt(w, whole);
    }
    for (uint32_t i = 0; i < RULES; i++)
        vec_release(&all[i]);
    return ok;
}

static bool do_instr(struct world *w, const struct instr *s)
{
    switch (s->kind) {
    case ADD:
        do_add(w, s);
        return true;
    case MERGE:
        do_merge(w, s);
        return true;
    case HIDE:
        do_hide(w, s);
        return true;
    case REBUILD:
        return world_rebuild(w);
    case EXPLAIN:
        if (!w->g.closed && !world_rebuild(w))
            return false;
        return !w->check || world_explain(w, s->x, 3, &met.explained);
    case ROUND:
    case PART:
    case RUN:
    case RUN_PAUSES:
    case RUN_FULL:
    case RUN_RATIONED:
        break;
    }
    return round_of(w, s);
}

// The bytes that say what the graph is.
static uint64_t digest(const struct cc *g)
{
    uint64_t h = 1;
#define VECTOR(v)                                                              \
    if ((v).len > 0)                                                           \
    h = hash_bytes((v).at, (size_t)(v).len * sizeof *(v).at, h)
    VECTOR(g->node);
    VECTOR(g->cls);
    VECTOR(g->next);
    VECTOR(g->up);
    VECTOR(g->class_);
    VECTOR(g->wide);
    VECTOR(g->mark);
    VECTOR(g->journal);
    VECTOR(g->journal.was);
#undef VECTOR
    return h;
}

// Runs that left things out come to an end that leaves nothing out, unless the
// graph gets large first.
static bool to_the_end(struct world *w)
{
    for (enum kind k = RUN; k <= RUN_RATIONED; k++)
        for (uint32_t i = 0; i < 8; i++) {
            struct instr s = {.kind = k, .x = 29, .y = 2};
            uint32_t rounds = met.rounds;
            if (!round_of(w, &s))
                return false;
            if (met.rounds == rounds || w->run[k - RUN].stop == RUN_SATURATED)
                break;
        }
    return true;
}

// False: they differ; the reason is written to `msg`.
static bool program_run(const struct program *p, uint32_t n, char *msg,
                        size_t size, uint64_t *digests)
{
    struct world w;
    bool ok = world_init(&w, p->rule_seed, p->n_rules, p->rule_mask);
    w.knowing = p->knowing;
    w.prune = p->prune;
    w.exact = p->exact;
    w.fault = p->fault;
    w.check = p->fault == FAULT_NONE;
    for (uint32_t i = 0; i < n && ok; i++) {
        ok = do_instr(&w, &p->instr.at[i]);
        if (digests != NULL)
            digests[i] = digest(&w.g);
    }
    if (ok && n == p->instr.len && n > 0)
        ok = world_rebuild(&w) && to_the_end(&w) &&
             (!w.check || world_explain(&w, 0, 40, &met.explained));
    met.constants += cc_lookup(&w.g, CONSTANT, NULL) != CC_NONE;
    snprintf(msg, size, "%s", w.msg);
    world_release(&w);
    return ok;
}

// Shortening

static void cut(struct program *p, uint32_t at, uint32_t n)
{
    memmove(p->instr.at + at, p->instr.at + at + n,
            (p->instr.len - at - n) * sizeof *p->instr.at);
    p->instr.len -= n;
}

static void shorten(struct program *p)
{
    char msg[512];
    struct program less = *p;
    for (uint32_t n = p->instr.len / 2; n > 0; n /= 2)
        for (uint32_t at = 0; at + n <= p->instr.len;) {
            less = *p;
            less.instr.at = mem_alloc(p->instr.len * sizeof *less.instr.at);
            less.instr.cap = p->instr.len;
            memcpy(less.instr.at, p->instr.at,
                   p->instr.len * sizeof *less.instr.at);
            cut(&less, at, n);
            if (program_run(&less, less.instr.len, msg, sizeof msg, NULL)) {
                at += n;
                vec_release(&less.instr);
            } else {
                vec_release(&p->instr);
                *p = less;
            }
        }
    for (uint32_t i = 0; i < p->n_rules; i++) {
        less = *p;
        less.rule_mask &= ~(UINT32_C(1) << i);
        if (!program_run(&less, less.instr.len, msg, sizeof msg, NULL))
            *p = less;
    }
}

static void print(const struct program *p)
{
    struct rng r;
    char text[4096];
    uint32_t pool[POOL];
    rng_seed(&r, p->rule_seed);
    random_pool(&r, pool);
    for (uint32_t i = 0; i < p->n_rules; i++) {
        struct naive_rule rule;
        random_rule(&r, pool, &rule);
        rule_text(&rule, i, text, sizeof text);
        if (p->rule_mask >> i & 1)
            printf("  %s", text);
    }
    for (uint32_t i = 0; i < p->instr.len; i++) {
        const struct instr *s = &p->instr.at[i];
        printf("  %s %u %u %u\n", kind_name[s->kind], s->x, s->y, s->z);
    }
}

static bool same_again(const struct program *p, const uint64_t *digests,
                       char *msg, size_t size)
{
    uint64_t *again = mem_alloc((p->instr.len + 1) * sizeof *again);
    uint32_t half = p->instr.len / 2;
    program_run(p, half, msg, size, again);
    bool ok = memcmp(again, digests, half * sizeof *again) == 0;
    if (!ok)
        snprintf(msg, size, "a prefix does not give the same bytes");
    mem_free(again);
    return ok;
}

static bool one_program(uint64_t s, enum fault fault, bool report)
{
    struct program p;
    struct rng r;
    char msg[512];
    rng_seed(&r, s);
    program_random(&p, &r);
    p.fault = fault;
    uint64_t *digests = mem_alloc((p.instr.len + 1) * sizeof *digests);
    met.programs++;
    bool ok = program_run(&p, p.instr.len, msg, sizeof msg, digests);
    if (ok && s % 8 == 0)
        ok = same_again(&p, digests, msg, sizeof msg);
    if (!ok && report) {
        printf("seed %llu: %s\n", (unsigned long long)s, msg);
        shorten(&p);
        program_run(&p, p.instr.len, msg, sizeof msg, NULL);
        printf("shortened: %s%s%s\n", msg, p.knowing ? ", knowing" : "",
               p.prune ? ", pruning" : "");
        print(&p);
    }
    mem_free(digests);
    vec_release(&p.instr);
    return ok;
}

static void programs(void **state)
{
    (void)state;
    double until = clock_wall() + seconds;
    memset(&met, 0, sizeof met);
    for (uint64_t s = seed; s < seed + 100 || clock_wall() < until; s++)
        if (!one_program(s, FAULT_NONE, true))
            fail_msg("seed %llu", (unsigned long long)s);
    print_message(
        "%u programs, %u rounds, %u ends, %u of %u matches searched for, %u "
        "with the constant, %u hidden, %u explanations\n",
        met.programs, met.rounds, met.saturated, met.found, met.matches,
        met.constants, met.hidden, met.explained);
    assert_true(met.rounds > 100 && met.matches > 1000 && met.found > 300);
    assert_true(met.constants > 10 && met.hidden > 10 && met.dropped > 10 &&
                met.saturated > 100);
}

// The comparison sees an engine that forgets.
static void faults_are_seen(void **state)
{
    (void)state;
    for (enum fault f = FAULT_EVENTS; f <= FAULT_MARK; f++) {
        uint64_t s = 1;
        while (s < 3000 && one_program(s, f, false))
            s++;
        print_message("fault %d is seen in program %u\n", (int)f, (unsigned)s);
        assert_true(s < 3000);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    if (argc > 2)
        seconds = strtod(argv[2], NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs),
        cmocka_unit_test(faults_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
