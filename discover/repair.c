// SPDX-License-Identifier: Apache-2.0
#include "base/clock.h"
#include "discover/repair_core.h"
#include "verify/cex.h"
#include "verify/decide.h"
#include "verify/prove.h"
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MOST 6
#define PROOFS 200
#define ELEMENT_PROOFS 60 // of them, for preconditions on elements
#define SECONDS 900.0 // a net; counts end it long before
#define QUERY_MS 20000 // the same of a query
#define FINALISTS 14   // that are proved again, in full
#define RLIMIT 2000000 // steps of a query
#define NEAR 6         // changed right sides that get preconditions
#define NOTHING 1e9
#define ELSEWHERE 5.0 // only domains that were not claimed
#define LOST 0.5      // a domain that was
#define ONE_TYPE 4.0  // two element types became one
#define ONE_OPERAND 7.5
#define SMALL 5.0     // a size that must be less than
#define SIZE 4
#define SINGLE 14.0 // ... less than 2
#define COMPLETED 2 // changes that lose a domain and get preconditions for it

const char *shop_text(struct shop *s, const char *fmt, ...)
{
    char line[1024];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    return arena_strdup(&s->l->set.mem, line);
}

bool shop_over(const struct shop *s)
{
    return clock_wall() > s->end || s->out->n_proofs >= s->max_proofs;
}

// ---- the judge

static void search(struct shop *s, const struct rule *r, unsigned domains,
                   const struct cex_budget *b, struct judged *j,
                   struct witnesses *seen)
{
    static const enum domain order[] = {DOMAIN_INT, DOMAIN_BOOL, DOMAIN_REAL,
                                        DOMAIN_WORD, DOMAIN_FLOAT};
    struct arena mem = {0};
    struct rng rng;
    rng_seed(&rng, s->l->seed ^ UINT64_C(0x7e9));
    struct cex_space *space = cex_space_new(r, NULL, 0, b, &rng, &mem);
    s->out->n_searched++;
    for (size_t i = 0; i < N_DOMAINS; i++) {
        const char *json;
        unsigned one = 1u << order[i];
        if (!(domains & one))
            continue;
        rng_seed(&rng, s->l->seed ^ (UINT64_C(0x51) + order[i]));
        if (!cex_space_search(space, order[i], b, &rng, &mem, &json))
            continue;
        j->refuted |= one;
        if (seen != NULL) {
            struct witness w = {order[i], arena_strdup(&s->l->set.mem, json)};
            vec_push(&seen->at, w);
        }
    }
    arena_release(&mem);
}

struct judged shop_judge(struct shop *s, const struct rule *r, unsigned domains,
                         bool deep, struct witnesses *seen)
{
    struct judged j = {0};
    domains &= rule_domains(r);
    struct cex_budget quick = cex_budget_quick(), long_one = cex_budget_deep();
    search(s, r, domains, &quick, &j, seen);
    if ((domains & ~j.refuted) == 0)
        return j;
    struct decide_options o = {.domains = domains & ~j.refuted,
                               .rlimit = RLIMIT,
                               .timeout_ms = QUERY_MS,
                               .seconds_per_rule = 60};
    struct report rep = {0};
    s->out->n_proofs++;
    decide_rule(r, &o, &rep);
    for (uint32_t i = 0; i < rep.domains.len; i++)
        if (rep.domains.at[i].verdict == VERDICT_PROVED)
            j.proved |= 1u << rep.domains.at[i].domain & o.domains;
    report_release(&rep);
    if (deep && (domains & ~j.refuted & ~j.proved))
        search(s, r, domains & ~j.refuted & ~j.proved, &long_one, &j, seen);
    return j;
}

// ---- candidates

const struct rule *shop_build(struct shop *s, const struct draft *d)
{
    struct err e = {0};
    const struct rule *r = draft_rule(d, &s->l->set, &e);
    s->l->n_rules++;
    s->out->n_candidates++;
    if (r == NULL)
        return NULL;
    for (uint32_t i = 0; i < s->tried.len; i++)
        if (strcmp(s->tried.at[i], r->hash) == 0)
            return NULL;
    vec_push(&s->tried, r->hash);
    return r;
}

double shop_best(const struct shop *s)
{
    double best = NOTHING;
    for (uint32_t i = 0; i < s->found.len; i++)
        if (s->found.at[i].cost < best)
            best = s->found.at[i].cost;
    return best;
}

static double lost_bits(const struct shop *s, unsigned proved)
{
    double bits = 0;
    if (!(proved & s->claims))
        return ELSEWHERE;
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if ((s->claims & ~proved) >> d & 1)
            bits += LOST;
    return bits;
}

static uint32_t n_nodes(const struct rule *r, uint32_t pat)
{
    uint32_t n = r->pats[pat].kind != PAT_SPLAT;
    for (uint32_t i = 0; i < r->pats[pat].n_args; i++)
        n += n_nodes(r, r->pats[pat].args[i]);
    return n;
}

// Do the sides differ by more than spelling, and is the right side more than
// the left side with something around it?
static bool says_something(struct shop *s, const struct rule *r)
{
    struct buf lhs = {0}, rhs = {0}, old = {0}, left = {0}, right = {0};
    pat_print(r, r->lhs, &left);
    pat_print(r, r->rhs, &right);
    repair_normal(r, r->lhs, &lhs);
    repair_normal(r, r->rhs, &rhs);
    repair_normal(s->rule, s->rule->rhs, &old);
    bool inside = strcmp(buf_text(&right), buf_text(&left)) == 0 ||
                  (n_nodes(r, r->rhs) >= n_nodes(r, r->lhs) &&
                   strstr(buf_text(&rhs), buf_text(&lhs)) != NULL &&
                   strstr(buf_text(&old), s->lhs_norm) == NULL);
    buf_release(&lhs);
    buf_release(&rhs);
    buf_release(&old);
    buf_release(&left);
    buf_release(&right);
    return !inside &&
           (!repair_cancels(r, r->rhs) || repair_cancels(s->rule, s->rule->rhs));
}

void shop_keep(struct shop *s, const struct rule *r, struct judged is,
               double cost, const char *what)
{
    if (is.proved == 0 || !says_something(s, r))
        return;
    if (r->n_types < s->rule->n_types)
        cost += ONE_TYPE;
    struct candidate c = {r, s->kind, what, cost + lost_bits(s, is.proved), is};
    vec_push(&s->found, c);
}

static struct judged judge_claims(struct shop *s, const struct rule *r,
                                  bool deep, struct witnesses *seen)
{
    struct judged j = shop_judge(s, r, s->claims, deep, seen);
    if (j.proved == 0) {
        struct judged k =
            shop_judge(s, r, rule_domains(r) & ~s->claims, deep, seen);
        j.proved |= k.proved;
        j.refuted |= k.refuted;
    }
    return j;
}

struct judged shop_offer(struct shop *s, const struct draft *d, double cost,
                         const char *what)
{
    struct judged j = {0};
    if (shop_over(s))
        return j;
    const struct rule *r = shop_build(s, d);
    if (r == NULL || !says_something(s, r))
        return j;
    j = judge_claims(s, r, false, NULL);
    struct near near = {r, what, cost, 0};
    if (j.proved & ~s->was.proved)
        shop_keep(s, r, j, cost, what);
    else if (r->n_tensors + r->n_scalars > 0)
        vec_push(&s->near, near);
    return j;
}

// ---- how much is left out

static bool has_index(const struct rule *r)
{
    for (uint32_t m = 0; m < r->n_maps; m++)
        if (r->maps[m].index)
            return true;
    return false;
}

static bool has_element_condition(const struct rule *r)
{
    for (uint32_t w = 0; w < r->n_wheres; w++)
        if (r->wheres[w].cond == NULL)
            return true;
    return false;
}

static void least_ranks(struct lab *l, const struct rule *r)
{
    for (uint32_t c = 0; c < r->n_classes; c++) {
        uint32_t least = 0;
        for (uint32_t k = 0; k < r->n_classes; k++)
            if (r->classes[k].like == r->classes[c].like &&
                (r->classes[k].single || r->classes[k].least_rank > 0))
                least = 1;
        lab_rank(l)[c] = least;
    }
}

struct rates {
    uint32_t met, agree, of;
};

static struct rates rates_of(struct shop *s, const struct rule *r, uint32_t n)
{
    struct rates a = {0};
    if (has_index(r))
        return a;
    struct lab *l = lab_new(r, s->all, s->l->seed + 41);
    for (uint32_t i = 0; i < 4 * n && a.of < n; i++) {
        lab_random(l, NONE);
        least_ranks(l, r);
        enum lab_answer x = lab_try(l, 1);
        if (x == LAB_NOT)
            continue;
        a.of++;
        a.met += x != LAB_UNSURE;
        a.agree += x == LAB_AGREE;
    }
    s->l->n_instances += lab_count(l);
    lab_free(l);
    return a;
}

double repair_bits(struct shop *s, const struct rule *r)
{
    struct rates all = rates_of(s, s->rule, 200), some = rates_of(s, r, 200);
    if (all.met == 0 || some.of == 0)
        return 1;
    double share = ((double)some.met + 0.5) / ((double)all.met + 0.5);
    return share >= 1 ? 0 : -log2(share);
}

unsigned repair_breaks(struct shop *s, const struct rule *r, bool *met)
{
    unsigned broken = 0;
    *met = has_index(r);
    struct lab *l = *met ? NULL : lab_new(r, s->all, s->l->seed + 53);
    for (uint32_t i = 0; i < 200 && l != NULL && broken == 0; i++) {
        lab_random(l, NONE);
        least_ranks(l, r);
        enum lab_answer a = lab_try(l, 5);
        *met = *met || a == LAB_AGREE || a == LAB_DIFFER;
        if (a == LAB_DIFFER)
            broken = 1u << lab_domain(l);
    }
    if (l != NULL)
        s->l->n_instances += lab_count(l);
    lab_free(l);
    return broken;
}

static uint32_t valid_instances(struct shop *s, const struct rule *r)
{
    struct lab *l = lab_new(r, s->all, s->l->seed + 47);
    uint32_t n = 0;
    for (uint32_t i = 0; i < 3000 && n == 0; i++) {
        lab_random(l, NONE);
        for (uint32_t c = 0; c < r->n_classes; c++)
            lab_rank(l)[c] = 1; // without axes everything holds of them
        n += lab_left(l);
    }
    s->l->n_instances += lab_count(l);
    lab_free(l);
    return n;
}

static bool may_be(struct shop *s, const struct rule *r, const char *map,
                   int size)
{
    struct draft d;
    struct err e = {0};
    draft_init(&d, r);
    draft_where(&d, shop_text(s, "%s >= %d", map, size));
    const struct rule *large = draft_rule(&d, &s->l->set, &e);
    draft_release(&d);
    return large == NULL || valid_instances(s, large) > 0;
}

static bool is_broadcast_size(const struct rule *r, uint32_t map)
{
    for (uint32_t i = 0; i < r->n_pats; i++)
        for (uint32_t k = 0; k < r->pats[i].n_sizes; k++) {
            const struct iexp *x = r->pats[i].sizes[k].size;
            if (r->pats[i].kind == PAT_SPLAT &&
                x->op == IE_MAP && x->map == map)
                return true;
        }
    return false;
}

double repair_size_bits(struct shop *s, const struct rule *r)
{
    double bits = 0;
    for (uint32_t m = 0; m < s->rule->n_maps; m++) {
        bool size = is_broadcast_size(s->rule, m);
        for (uint32_t i = 0; i < s->rule->n_tensors; i++)
            for (uint32_t k = 0; k < s->rule->tensors[i].n_sizes; k++) {
                const struct iexp *x = s->rule->tensors[i].sizes[k].size;
                size = size || (x->op == IE_MAP && x->map == m);
            }
        const char *name = s->rule->maps[m].name;
        if (size && !may_be(s, r, name, SIZE) && may_be(s, s->rule, name, SIZE))
            bits += may_be(s, r, name, 2) ? SMALL : SINGLE;
    }
    return bits;
}

// Is there an instance with elements at which it holds, and none at which it
// does not?
static bool agrees(struct shop *s, const struct rule *r, unsigned proved)
{
    bool found = false, broken = false;
    struct lab *l = lab_new(r, proved, s->l->seed + 43);
    for (uint32_t i = 0; i < 4000 && !broken && !(found && i >= 400); i++) {
        lab_random(l, NONE);
        if (i % 2)
            least_ranks(l, r);
        enum lab_answer a = lab_try(l, 5);
        found = found || a == LAB_AGREE;
        broken = a == LAB_DIFFER;
    }
    s->l->n_instances += lab_count(l);
    lab_free(l);
    return found && !broken;
}

// ... and where elements are floats or reals, one without NaN?
static bool instance_found(struct shop *s, const struct rule *r,
                           unsigned proved)
{
    struct draft d;
    struct err e = {0};
    struct buf lhs = {0};
    if (has_index(r)) // the prover has a model of the left side
        return !has_element_condition(r);
    if (!agrees(s, r, proved))
        return false;
    if (proved & ~(1u << DOMAIN_REAL | 1u << DOMAIN_FLOAT))
        return true;
    draft_init(&d, r);
    d.r.claims = rule_domains(&d.r);
    pat_print(&d.r, d.r.lhs, &lhs);
    draft_where(&d, shop_text(s, "all((%.400s) == (%.400s))", buf_text(&lhs),
                              buf_text(&lhs)));
    const struct rule *defined = draft_rule(&d, &s->l->set, &e);
    buf_release(&lhs);
    draft_release(&d);
    return defined == NULL || agrees(s, defined, proved);
}

// ---- kinds of repairs that need no file of their own

static void offer_types(struct shop *s)
{
    s->kind = "types";
    static const struct {
        unsigned kinds;
        const char *text;
    } to[] = {{KIND_BOOL, "bool"},
              {KIND_SINT, "sint"},
              {KIND_UINT, "uint"},
              {KIND_SINT | KIND_UINT, "int"},
              {KIND_FLOAT, "float"}};
    for (uint32_t t = 0; t < s->base.r.n_types; t++)
        for (size_t k = 0; k < sizeof to / sizeof *to; k++) {
            unsigned old = s->base.types[t].kinds;
            if ((old & to[k].kinds) != to[k].kinds || old == to[k].kinds)
                continue;
            struct draft d;
            draft_copy(&d, &s->base);
            d.types[t].kinds = to[k].kinds;
            d.r.claims = rule_domains(&d.r);
            shop_offer(s, &d, 3,
                       shop_text(s, "type %s only %s", d.types[t].name,
                                 to[k].text));
            draft_release(&d);
        }
    for (uint32_t a = 0; a < s->base.r.n_types; a++)
        for (uint32_t b = 0; b < s->base.r.n_types; b++) {
            const char *x = s->base.types[a].name, *y = s->base.types[b].name;
            if (a == b || x == NULL || y == NULL || !*x || !*y)
                continue;
            struct draft d;
            draft_copy(&d, &s->base);
            buf_printf(&d.extra, "  wider %s of %s;\n", x, y);
            shop_offer(s, &d, 3, shop_text(s, "wider %s of %s", x, y));
            draft_release(&d);
        }
}

// A non-linear pattern: one variable in both places.
static void offer_one_operand(struct shop *s)
{
    const struct rule *r = &s->base.r;
    uint32_t n = r->n_tensors + r->n_scalars;
    s->kind = "one operand";
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < n; b++) {
            bool tensor = a < r->n_tensors;
            if (a == b || tensor != (b < r->n_tensors))
                continue;
            struct draft d;
            draft_copy(&d, &s->base);
            const char *x = tensor ? r->tensors[a].name
                                   : r->scalars[a - r->n_tensors].name;
            const char *y = tensor ? r->tensors[b].name
                                   : r->scalars[b - r->n_tensors].name;
            uint32_t from = tensor ? b : b - r->n_tensors;
            uint32_t to = tensor ? a : a - r->n_tensors;
            uint32_t last = (tensor ? r->n_tensors : r->n_scalars) - 1;
            // The last one moves into the place of the one that goes.
            for (uint32_t i = 0; i < d.r.n_pats; i++) {
                struct pat *p = &d.pats[i];
                if (p->kind != (tensor ? PAT_TENSOR : PAT_SCALAR))
                    continue;
                if (p->var == from)
                    p->var = to;
                if (p->var == last)
                    p->var = from;
            }
            if (tensor)
                d.tensors[from] = d.tensors[last];
            else
                d.scalars[from] = d.scalars[last];
            shop_offer(s, &d, ONE_OPERAND,
                       shop_text(s, "%s in place of %s", x, y));
            draft_release(&d);
        }
}

static void offer_claims(struct shop *s)
{
    s->kind = "claims";
    shop_keep(s, s->rule, s->was, 2, "claims only what is proved");
}

static int by_cost(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    size_t n = strlen(x->rule->canonical), m = strlen(y->rule->canonical);
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (n != m) // of equals the shorter one
        return n < m ? -1 : 1;
    return strcmp(x->rule->hash, y->rule->hash);
}

static int by_share(const void *a, const void *b)
{
    const struct near *x = a, *y = b;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return strcmp(x->rule->hash, y->rule->hash);
}

// ---- the end

static void drop_repeated_conditions(struct draft *d)
{
    for (uint32_t w = d->r.n_wheres; w-- > 1;)
        for (uint32_t v = 0; v < w; v++) {
            struct buf a = {0}, b = {0};
            if (d->wheres[v].cond != NULL || d->wheres[w].cond != NULL)
                continue;
            pat_print(&d->r, d->wheres[v].pat, &a);
            pat_print(&d->r, d->wheres[w].pat, &b);
            bool same = strcmp(buf_text(&a), buf_text(&b)) == 0;
            buf_release(&a);
            buf_release(&b);
            if (same) {
                draft_drop_where(d, w);
                break;
            }
        }
}

// In full, from the rule's text with its claims; what the full proof does not
// confirm does not count.
static bool finish(struct shop *s, const struct candidate *c)
{
    struct draft d;
    struct err e = {0};
    draft_init(&d, c->rule);
    d.r.claims = c->is.proved;
    drop_repeated_conditions(&d);
    const struct rule *r = draft_rule(&d, &s->l->set, &e);
    draft_release(&d);
    if (r == NULL || !instance_found(s, r, c->is.proved))
        return false;
    struct prove_options o = {.domains = c->is.proved,
                              .seed = s->l->seed + 1,
                              .timeout_ms = QUERY_MS,
                              .seconds_per_rule = 120};
    struct report rep = {0};
    unsigned proved = 0;
    if (prove_rule(r, &o, &rep))
        for (uint32_t i = 0; i < rep.domains.len; i++)
            if (rep.domains.at[i].verdict == VERDICT_PROVED)
                proved |= 1u << rep.domains.at[i].domain;
    report_release(&rep);
    if (proved != c->is.proved)
        return false;
    struct repair done = {r,       c->kind, c->what,
                          c->cost, proved,  c->is.refuted & s->claims};
    vec_push(&s->out->at, done);
    return true;
}

static void where_text(const struct rule *r, uint32_t w, struct buf *out)
{
    if (r->wheres[w].cond != NULL)
        cond_print(r, r->wheres[w].cond, out);
    else
        pat_print(r, r->wheres[w].pat, out);
}

static bool has_where(const struct rule *r, const char *text)
{
    bool has = false;
    for (uint32_t w = 0; w < r->n_wheres && !has; w++) {
        struct buf b = {0};
        where_text(r, w, &b);
        has = strcmp(buf_text(&b), text) == 0;
        buf_release(&b);
    }
    return has;
}

// Has `b` the left side of `a`, and every precondition?
static bool asks_as_much(const struct rule *b, const struct rule *a)
{
    struct buf x = {0}, y = {0};
    pat_print(a, a->lhs, &x);
    pat_print(b, b->lhs, &y);
    bool all = strcmp(buf_text(&x), buf_text(&y)) == 0 &&
               a->n_types == b->n_types && a->n_wider == b->n_wider;
    for (uint32_t t = 0; all && t < a->n_types; t++)
        all = a->types[t].kinds == b->types[t].kinds;
    buf_release(&x);
    buf_release(&y);
    for (uint32_t w = 0; all && w < a->n_wheres; w++) {
        struct buf t = {0};
        where_text(a, w, &t);
        all = has_where(b, buf_text(&t));
        buf_release(&t);
    }
    return all;
}

// What a proposal above it has said: the same left side, under no more
// preconditions, is equal to something else.
static bool restates(const struct shop *s, const struct candidate *c)
{
    for (uint32_t i = 0; i < s->out->at.len; i++) {
        const struct repair *d = &s->out->at.at[i];
        if (!(c->is.proved & ~d->proved) && asks_as_much(c->rule, d->rule))
            return true;
    }
    return false;
}

static void choose(struct shop *s, uint32_t most)
{
    uint32_t looked = 0;
    if (s->found.len > 0)
        qsort(s->found.at, s->found.len, sizeof *s->found.at, by_cost);
    for (uint32_t i = 0; i < s->found.len && looked < FINALISTS &&
                         s->out->at.len < most;
         i++) {
        struct candidate c = s->found.at[i];
        repair_shorten(s, &c);
        if (restates(s, &c))
            continue;
        finish(s, &c);
        looked++;
    }
}

static void nearly_right(struct shop *s)
{
    for (uint32_t i = 0; i < s->near.len; i++) {
        struct rates a = rates_of(s, s->near.at[i].rule, 60);
        s->near.at[i].share = a.of ? (double)a.agree / a.of : 0;
    }
    if (s->near.len > 0)
        qsort(s->near.at, s->near.len, sizeof *s->near.at, by_share);
    for (uint32_t i = 0; i < s->near.len && i < NEAR; i++)
        if (s->near.at[i].share >= 0.1 && !shop_over(s))
            repair_elements(s, s->near.at[i].rule, 0, s->near.at[i].cost,
                            s->near.at[i].what, 12);
}

// The cheapest changes that are true in some domains and not in others that
// were claimed, with preconditions for those.
static void complete(struct shop *s)
{
    struct candidate at[COMPLETED];
    uint32_t n = 0;
    if (s->found.len > 0)
        qsort(s->found.at, s->found.len, sizeof *s->found.at, by_cost);
    for (uint32_t i = 0; i < s->found.len && n < COMPLETED; i++) {
        const struct candidate *c = &s->found.at[i];
        if (c->rule == s->rule || !(s->claims & ~c->is.proved) ||
            !(s->claims & c->is.proved) || has_element_condition(c->rule))
            continue;
        at[n++] = *c;
    }
    for (uint32_t i = 0; i < n; i++)
        repair_elements(s, at[i].rule, at[i].is.proved,
                        at[i].cost - lost_bits(s, at[i].is.proved), at[i].what,
                        8);
}

static const char *words_of(struct shop *s, const char *json)
{
    json_t *root = json_loads(json, 0, NULL);
    const char *text = json_string_value(json_object_get(root, "text"));
    const char *words = shop_text(s, "%s", text ? text : "");
    json_decref(root);
    return words;
}

static void work(struct shop *s)
{
    s->was = shop_judge(s, s->rule, s->all, true, &s->known);
    s->out->was_proved = s->was.proved;
    s->out->is_true = (s->claims & ~s->was.proved) == 0;
    for (uint32_t i = 0; i < s->known.at.len && !s->out->counterexample; i++)
        if (s->claims >> s->known.at.at[i].domain & 1)
            s->out->counterexample = words_of(s, s->known.at.at[i].json);
    if (s->out->is_true)
        return;
    offer_claims(s);
    offer_types(s);
    offer_one_operand(s);
    repair_maps(s);
    repair_edits(s);
    repair_expressions(s, false);
    repair_elements(s, s->rule, 0, 0, NULL, ELEMENT_PROOFS);
    complete(s);
    if (shop_best(s) > 6)
        repair_lefts(s);
    if (shop_best(s) > 6)
        repair_expressions(s, true);
    if (shop_best(s) > 6)
        nearly_right(s);
}

void repair_rule(struct learner *l, const struct rule *r,
                 const struct repair_options *o, struct repairs *out)
{
    struct err e = {0};
    struct buf lhs = {0};
    double start = clock_wall();
    *out = (struct repairs){0};
    struct shop s = {.l = l, .given = r, .out = out, .claims = r->claims};
    s.max_proofs = o->proofs ? o->proofs : PROOFS;
    s.end = start + (o->seconds > 0 ? o->seconds : SECONDS);
    draft_init(&s.base, r);
    s.base.r.claims = s.all = rule_domains(r);
    s.rule = draft_rule(&s.base, &l->set, &e);
    if (s.rule != NULL) {
        vec_push(&s.tried, s.rule->hash);
        repair_normal(s.rule, s.rule->lhs, &lhs);
        s.lhs_norm = buf_text(&lhs);
        work(&s);
        choose(&s, o->most ? o->most : MOST);
    }
    out->seconds = clock_wall() - start;
    draft_release(&s.base);
    buf_release(&lhs);
    vec_release(&s.known.at);
    vec_release(&s.tried);
    vec_release(&s.found);
    vec_release(&s.near);
}

void repairs_release(struct repairs *s)
{
    vec_release(&s->at);
}
