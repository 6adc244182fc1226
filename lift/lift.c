// SPDX-License-Identifier: Apache-2.0
// Constants; what is given; phases of rules, each from the best that is known;
// the record.
#include "lift/lift.h"

#include "base/clock.h"
#include "formula/print.h"
#include "lift/chain.h"
#include "lift/choose.h"
#include "lift/engine.h"
#include "lift/tidy.h"
#include "proof/partial.h"

#include <math.h>
#include <stdlib.h>

// A proof that the term is equal to the one of the stage before.
struct stage {
    struct buf proof;
    bool flipped;
    fterm term;
};

// A condition that was proved: a line of the proof says that it is true.
struct truth {
    fterm cond;
    struct buf proof;
};

struct lift {
    struct formula *f;
    const struct fdefines *defs;
    uint32_t n;
    const struct lift_rule *rules;
    const struct lift_options *o;
    struct lift_result *out;
    struct formula_record *record;
    struct intern names; // of rules in the proof: id = number of the rule
    struct u32_vec name; // rule -> its name
    struct choose choose;
    struct partial partial;
    struct chain chain;
    VEC(struct stage) stage; // what was found, each better than the one before
    VEC(struct truth) truth;
    struct u32_vec given;   // conditions
    struct u32_vec told;    // numbers of those that the equality needs
    fterm left;             // with recovered constants
    struct u32_vec written; // by term: 1, it stands there
    double deadline;
};

struct lift_options lift_defaults(void)
{
    return (struct lift_options){
        .max_nodes = 6000, .max_rounds = 12, .seconds = 0.7};
}

void lift_result_release(struct lift_result *r)
{
    vec_release(&r->conditions);
}

// Constants

static bool is_decimal(const char *text)
{
    return strpbrk(text, ".eE") != NULL;
}

// What the number of this constant was taken for, or NO_FTERM.
struct taken {
    fterm number, value;
};
struct all_taken {
    struct taken *at;
    uint32_t len, cap;
};

static const char *kept(struct formula_record *r, const struct buf *text)
{
    return arena_strndup(&r->mem, buf_text(text), text->len);
}

static void record_constant(struct lift *l, const char *text,
                            const struct recovered *x)
{
    struct buf value = {0}, difference = {0};
    fterm_print(l->f->t, x->value, &value);
    buf_double(&difference, x->difference);
    struct formula_record_constant c = {
        .text = arena_strdup(&l->record->mem, text),
        .value = kept(l->record, &value),
        .precision = precision_name(x->precision),
        .difference = kept(l->record, &difference)};
    vec_push(&l->record->constants, c);
    buf_release(&value);
    buf_release(&difference);
}

// Each number once.  One that the text writes in two ways is left alone: both
// ways would have to be recovered, to one value.
static void recover(struct lift *l, struct all_taken *taken)
{
    const struct formula *f = l->f;
    VEC(const char *) texts = {0};
    for (uint32_t i = 0; i < f->constants.len; i++)
        vec_push(&texts, f->constants.at[i].text);
    for (uint32_t i = 0; i < f->constants.len; i++) {
        const struct fconstant *c = &f->constants.at[i];
        struct recovered x;
        bool skip = !is_decimal(c->text);
        for (uint32_t k = 0; !skip && k < f->constants.len; k++) {
            const struct fconstant *d = &f->constants.at[k];
            bool same = strcmp(d->text, c->text) == 0;
            skip = (k < i && same) || (!same && d->term == c->term);
        }
        if (skip || !constant_recover(f->t, c->text, texts.len, texts.at, &x))
            continue;
        struct taken t = {c->term, x.value};
        if (t.number == t.value)
            continue;
        vec_push(taken, t);
        record_constant(l, c->text, &x);
    }
    vec_release(&texts);
}

static fterm replace(struct fterms *t, fterm root,
                     const struct all_taken *taken)
{
    struct u32_vec all = {0}, now = {0}, args = {0};
    fterms_reach(t, 1, &root, &all);
    for (fterm x = 0; x <= root; x++)
        vec_push(&now, x);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm x = all.at[i];
        for (uint32_t k = 0; k < taken->len; k++)
            if (taken->at[k].number == x)
                now.at[x] = taken->at[k].value;
        vec_clear(&args);
        for (uint32_t k = 0; k < fterm_n(t, x); k++)
            vec_push(&args, now.at[fterm_args(t, x)[k]]);
        if (args.len > 0) {
            struct buf name = {0}; // the store may move it
            buf_puts(&name, fterm_name(t, x));
            now.at[x] = fterm_make(t, buf_text(&name), args.len, args.at);
            buf_release(&name);
        }
    }
    fterm out = now.at[root];
    vec_release(&all);
    vec_release(&now);
    vec_release(&args);
    return out;
}

// Phases

static bool is_function(const struct lift *l, const char *name)
{
    return l->defs != NULL &&
           fdefine_named(l->defs, name, (uint32_t)strlen(name)) != NULL;
}

enum { DEAR = 1000 }; // what should not be in the result

// Of what costs the same people write some forms rather than others: too little
// to make anything dearer that is not.
static double habit(const struct fterms *t, fterm x)
{
    static const struct {
        const char *op;
        double dear;
    } list[] = {{"subtract", 1e-4},     {"negate", 1e-4},
                {"divide", 1e-4},       {"rsqrt", 3e-4},
                {"minimum", 1e-4},      {"power", 1e-4},
                {"log_plus_one", 2e-4}, {"exponential_minus_one", 2e-4}};
    const char *name = fterm_name(t, x);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (strcmp(list[i].op, name) == 0)
            return list[i].dear;
    if (!fname_is_number(name, (uint32_t)strlen(name)))
        return 0;
    struct buf text = {0};
    number_text(name, &text);
    bool fraction = strchr(buf_text(&text), '/') != NULL;
    buf_release(&text);
    return (fraction ? 2e-4 : 0) + (*name == '-' ? 3e-4 : 0);
}

// What stood in the formula is easier to recognise.
static const double familiar = 5e-4;

static bool is_written(const void *ctx, fterm x)
{
    const struct lift *l = ctx;
    return x < l->written.len && l->written.at[x] != 0;
}

static void find_written(struct lift *l)
{
    struct u32_vec all = {0};
    vec_zero(&l->written, l->f->t->node.len);
    fterms_reach(l->f->t, 1, &l->left, &all);
    for (uint32_t i = 0; i < all.len; i++)
        l->written.at[all.at[i]] = fterm_n(l->f->t, all.at[i]) > 0;
    vec_release(&all);
}

struct known_axes {
    const struct formula *f;
    bool all;
};

static void axis_is_known(void *ctx, const char *axis, uint32_t len)
{
    struct known_axes *k = ctx;
    bool known = false;
    for (uint32_t i = 0; i < k->f->axes.len; i++)
        known |= strlen(k->f->axes.at[i]) == len &&
                 memcmp(k->f->axes.at[i], axis, len) == 0;
    k->all = k->all && known;
}

// A size, or sum of a number, along an axis that no variable is declared with:
// text cannot tell it.
static bool is_along_nobodys(const struct lift *l, const struct fterms *t,
                             fterm x)
{
    struct known_axes k = {l->f, true};
    uint32_t n = fterm_n(t, x);
    if (n == 0 || n > 2)
        return false;
    const char *set = fterm_name(t, fterm_args(t, x)[0]);
    const char *of = fterm_name(t, fterm_args(t, x)[n - 1]);
    if (!fname_is_axes(set, (uint32_t)strlen(set)) ||
        (n == 2 && !fname_is_number(of, (uint32_t)strlen(of))))
        return false;
    (void)fname_axes(set, (uint32_t)strlen(set), axis_is_known, &k);
    return !k.all;
}

// logaddexp(a, b) may be logaddexp(b, a) as well.
static bool goes_by_age(const void *ctx, const char *op)
{
    return is_function(ctx, op);
}

enum { NUMBER_ALONG = 3 };

// A function is about its first argument, which is no number; and a number is
// not what one along axes is about.
static double numbers_in_call(const struct lift *l, const struct fterms *t,
                              fterm x)
{
    const char *name = fterm_name(t, x);
    const struct fdefine *d =
        l->defs == NULL || fterm_n(t, x) == 0
            ? NULL
            : fdefine_named(l->defs, name, (uint32_t)strlen(name));
    double out = 0;
    for (uint32_t k = 0; d != NULL && k < d->n_args; k++) {
        uint32_t at = d->n_axes + k;
        const char *arg =
            at < fterm_n(t, x) ? fterm_name(t, fterm_args(t, x)[at]) : "";
        if (fname_is_number(arg, (uint32_t)strlen(arg)))
            out += fdefine_is_along(d, k) ? NUMBER_ALONG : k == 0 ? 2e-4 : 0;
    }
    return out;
}

static double cost_of(const void *ctx, const struct fterms *t, fterm x)
{
    const struct lift *l = ctx;
    double cost = formula_cost(t, x) + habit(t, x) + numbers_in_call(l, t, x);
    if (is_along_nobodys(l, t, x))
        cost += DEAR;
    if (l->o->expand && fterm_n(t, x) > 0 && is_function(l, fterm_name(t, x)))
        cost += DEAR;
    return cost;
}

static double tree_sum(const struct lift *l, fterm root,
                       double (*each)(const void *ctx, const struct fterms *t,
                                      fterm x))
{
    const struct fterms *t = l->f->t;
    struct u32_vec all = {0};
    double *cost = mem_alloc((root + 1u) * sizeof *cost);
    fterms_reach(t, 1, &root, &all);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm x = all.at[i];
        cost[x] = each(l, t, x);
        for (uint32_t k = 0; k < fterm_n(t, x); k++)
            cost[x] += cost[fterm_args(t, x)[k]];
    }
    double out = cost[root];
    mem_free(cost);
    vec_release(&all);
    return out;
}

static double plain_cost(const void *ctx, const struct fterms *t, fterm x)
{
    (void)ctx;
    return formula_cost(t, x);
}

static double tree_cost(const struct lift *l, fterm root)
{
    return tree_sum(l, root, plain_cost);
}

static double price_of(const void *ctx, const struct fterms *t, fterm x)
{
    return cost_of(ctx, t, x) - (is_written(ctx, x) ? familiar : 0);
}

// What extraction minimises.
static double price(const struct lift *l, fterm root)
{
    return tree_sum(l, root, price_of);
}

// The lines of a rule in one direction, under its name.
static void add_lines(struct lift *l, uint32_t i, bool backward)
{
    const struct lift_rule *r = &l->rules[i];
    const size_t head = strlen(LIFT_RULE_NAME);
    struct buf text = {0};
    for (const char *s = backward ? r->backward : r->forward; *s != 0;) {
        size_t n = strcspn(s, "\n");
        n += s[n] == '\n';
        buf_printf(&text, "%s%s", intern_text(&l->names, l->name.at[i]),
                   backward ? "-back" : "");
        buf_write(&text, s + head, n - head);
        s += n;
    }
    choose_add(&l->choose, buf_text(&text), r->defines, backward);
    buf_release(&text);
}

static void name_rules(struct lift *l)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const char *name = l->rules[i].name;
        struct buf text = {0};
        buf_puts(&text, name);
        for (uint32_t k = 2;; k++) {
            uint32_t before = l->names.entry.len;
            uint32_t id = intern_bytes(&l->names, buf_text(&text), text.len);
            if (id == before) {
                vec_push(&l->name, id);
                break;
            }
            buf_clear(&text);
            buf_printf(&text, "%s~%u", name, k);
        }
        buf_release(&text);
        add_lines(l, i, false);
        add_lines(l, i, true);
    }
}

// The more there is to read, the more is tried: so many nodes for each unit of
// cost, up to a part of the limit.
struct phase {
    bool all;
    enum run_scheduler scheduler;
    double each, part;
    bool sure; // without what the formula asks of its operands
};

// How many of what is given stand before what the formula asks.
static uint32_t n_sure(const struct lift *l)
{
    uint32_t n = 0;
    while (n < l->given.len && l->f->givens.at[n].by != GIVEN_DEFINED)
        n++;
    return n;
}

static uint32_t phase_nodes(const struct lift *l, const struct phase *p,
                            uint32_t n_given, fterm best)
{
    struct u32_vec all = {0}; // what is given is there as well
    fterms_reach(l->f->t, n_given, l->given.at, &all);
    double n = p->each * (price(l, best) + all.len / 4.0);
    double most = p->part * l->o->max_nodes;
    vec_release(&all);
    return (uint32_t)(n < most ? n : most);
}

// Rules for a term and what is given, or asked.
static void of_use(struct lift *l, enum choose_set set, uint32_t n,
                   const fterm *conds, fterm x, struct buf *out)
{
    struct u32_vec terms = {0};
    for (uint32_t i = 0; i < n; i++)
        vec_push(&terms, conds[i]);
    vec_push(&terms, x);
    choose_text(&l->choose, set, l->f->t, terms.len, terms.at, out);
    vec_release(&terms);
}

enum { FACT_NODES = 2000 };

// Looks for proofs of conditions that the term asks for: first by facts alone,
// which grow slowly, then (`more`) with what makes terms simpler.
static void prove_missing(struct lift *l, bool more)
{
    struct u32_vec asked = {0}, terms = {0};
    for (uint32_t i = 0; i < l->given.len; i++)
        vec_push(&terms, l->given.at[i]);
    for (uint32_t i = 0; i < l->partial.missing.len; i++) {
        vec_push(&asked, l->partial.missing.at[i]);
        vec_push(&terms, l->partial.missing.at[i]);
    }
    struct engine_fact *facts = mem_alloc(asked.len * sizeof *facts);
    memset(facts, 0, asked.len * sizeof *facts);
    struct buf text = {0};
    choose_text(&l->choose, more ? CHOOSE_ALL_SIMPLER : CHOOSE_FACTS, l->f->t,
                terms.len, terms.at, &text);
    struct engine_rules rules = {buf_text(&text), l->given.len, l->given.at};
    struct engine_options o = {.scheduler = RUN_RATION,
                               .max_nodes = FACT_NODES,
                               .max_rounds = l->o->max_rounds,
                               .deadline = l->deadline};
    struct err e = {0};
    bool ran =
        engine_facts(l->f->t, asked.len, asked.at, &rules, &o, facts, &e);
    for (uint32_t i = 0; i < asked.len; i++) {
        struct truth x = {asked.at[i], facts[i].proof};
        if (ran && x.proof.len > 0) {
            partial_know(&l->partial, x.cond);
            vec_push(&l->truth, x);
        } else {
            buf_release(&facts[i].proof);
        }
    }
    mem_free(facts);
    buf_release(&text);
    vec_release(&asked);
    vec_release(&terms);
}

// Has the term a value wherever the formula has one?
static bool has_values(struct lift *l, fterm x)
{
    bool ok = partial_fits(&l->partial, x);
    for (int more = 0; !ok && more < 2 && l->partial.missing.len > 0; more++) {
        prove_missing(l, more);
        ok = partial_fits(&l->partial, x);
    }
    return ok;
}

static void add_stage(struct lift *l, struct buf *proof, bool flipped, fterm x)
{
    struct stage s = {*proof, flipped, x};
    vec_push(&l->stage, s);
    *proof = (struct buf){0};
    l->out->term = x;
}

static void drop_stage(struct lift *l)
{
    buf_release(&vec_last(&l->stage).proof);
    l->stage.len--;
    l->out->term = l->stage.len > 0 ? vec_last(&l->stage).term : l->left;
}

// In the form in which it is read: reductions directly within each other are
// one.
static void merge_reductions(struct lift *l)
{
    struct buf proof = {0};
    fterm x = tidy(l->f, l->defs, "", l->out->term, &proof);
    if (x != l->out->term)
        add_stage(l, &proof, false, x);
    buf_release(&proof);
}

// What no text says is not taken, and nothing that has fewer values.
static bool take(struct lift *l, struct engine_result *r)
{
    uint32_t n = l->stage.len;
    add_stage(l, &r->proof, r->flipped, r->term);
    merge_reductions(l);
    bool ok = formula_prints(l->f, l->defs, l->out->term) &&
              has_values(l, l->out->term);
    while (!ok && l->stage.len > n)
        drop_stage(l);
    return ok;
}

// Do the rules contradict each other, without what is given of this formula?
static bool rules_fail(struct lift *l, const struct engine_rules *rules,
                       const struct engine_options *o, struct err *e)
{
    struct u32_vec sure = {0};
    for (uint32_t i = 0; i < l->given.len; i++)
        if (l->f->givens.at[i].by == GIVEN_EXTENT ||
            l->f->givens.at[i].by == GIVEN_NUMBER)
            vec_push(&sure, l->given.at[i]);
    struct engine_rules few = {rules->text, sure.len, sure.at};
    struct buf least = {0};
    struct err what = {0};
    bool fail =
        engine_contradiction(l->f->t, l->out->term, &few, o, &least, &what);
    if (fail)
        err_set(e, ERR_BUG, "the rules contradict each other: %.200s by %.500s",
                what.msg, buf_text(&least));
    buf_release(&least);
    vec_release(&sure);
    return fail;
}

// The formula has no value, whatever its variables are: nothing can be said of
// it.
static void give_up(struct lift *l, fterm from)
{
    while (l->stage.len > 0)
        drop_stage(l);
    vec_clear(&l->record->constants);
    l->left = l->f->term = l->out->term = from;
    l->out->no_value = true;
}

// Whenever something better is found the first phase begins again.
static bool run_phases(struct lift *l, fterm from, struct err *e)
{
    static const struct phase phases[] = {
        {false, RUN_SIMPLE, 60, 1. / 6, false},
        {true, RUN_RATION, 100, 1. / 3, false},
        {true, RUN_SIMPLE, 300, 1, false},
        {true, RUN_RATION, 300, 1, true}};
    uint32_t n = sizeof phases / sizeof *phases;
    l->out->stopped = engine_stop_text(RUN_SATURATED);
    for (uint32_t i = 0; i < n;) {
        const struct phase *p = &phases[i];
        const fterm best = l->out->term;
        const uint32_t n_given = p->sure ? n_sure(l) : l->given.len;
        // What was asked of a longer formula may be most of what there is.
        if (p->sure && (n_given == l->given.len || l->stage.len == 0))
            break;
        struct buf text = {0};
        of_use(l, p->all ? CHOOSE_ALL : CHOOSE_ALL_SIMPLER, n_given,
               l->given.at, best, &text);
        struct engine_rules rules = {buf_text(&text), n_given, l->given.at};
        struct engine_options o = {.scheduler = p->scheduler,
                                   .max_nodes =
                                       phase_nodes(l, p, n_given, best),
                                   .max_rounds = l->o->max_rounds,
                                   .deadline = l->deadline,
                                   .cost = cost_of,
                                   .ctx = l,
                                   .kept = is_written,
                                   .familiar = familiar,
                                   .by_age = goes_by_age};
        struct engine_result r;
        bool ok = engine_run(l->f->t, best, &rules, &o, &r, e);
        bool none = ok && r.stop == RUN_CONFLICT;
        if (none && (ok = !rules_fail(l, &rules, &o, e)))
            give_up(l, from);
        buf_release(&text);
        if (ok) {
            l->out->rounds += r.rounds;
            if (r.nodes > l->out->nodes)
                l->out->nodes = r.nodes;
            l->out->stopped = engine_stop_text(r.stop);
        }
        bool better = ok && !none && price(l, r.term) < price(l, best) - 1e-9;
        if (better)
            better = take(l, &r);
        bool late = ok && r.stop == RUN_TIME;
        bool all = ok && r.stop == RUN_SATURATED;
        engine_release(&r);
        if (!ok || none || late)
            return ok;
        if (all && p->all && !better)
            break; // a greater limit changes nothing
        i = better && (i > 0 || !all) ? 0 : i + 1;
    }
    return true;
}

// What costs the same is put in the order in which people write it.  Should the
// text of the result not mean it, or what it asks not be found to hold, an
// earlier one is taken, the input at last.
static void tidy_result(struct lift *l)
{
    struct buf text = {0}, proof = {0};
    of_use(l, CHOOSE_ALL_SIMPLER, 0, NULL, l->out->term, &text);
    fterm x = tidy(l->f, l->defs, buf_text(&text), l->out->term, &proof);
    if (x != l->out->term)
        add_stage(l, &proof, false, x);
    while (l->stage.len > 0 && !(formula_prints(l->f, l->defs, l->out->term) &&
                                 has_values(l, l->out->term)))
        drop_stage(l);
    buf_release(&text);
    buf_release(&proof);
}

// Proofs

static bool join(struct lift *l, struct err *e)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < l->stage.len; i++)
        ok = chain_add(&l->chain, buf_text(&l->stage.at[i].proof),
                       l->stage.at[i].flipped, e);
    return ok;
}

// A condition that was used because the formula has no value elsewhere may also
// follow from the rest, without the like.  Then it need not be told.
static bool prove_conditions(struct lift *l, struct err *e)
{
    const struct chain used = l->chain;
    struct u32_vec asked = {0}, conds = {0}, rest = {0}, rest_of = {0};
    for (uint32_t i = 0; i < used.given.len; i++)
        if (l->f->givens.at[used.given.at[i]].by == GIVEN_DEFINED) {
            vec_push(&asked, used.given.at[i]);
            vec_push(&conds, l->given.at[used.given.at[i]]);
        }
    for (uint32_t i = 0; i < l->given.len; i++)
        if (l->f->givens.at[i].by != GIVEN_DEFINED) {
            vec_push(&rest, l->given.at[i]);
            vec_push(&rest_of, i);
        }
    struct engine_rules rules = {NULL, rest.len, rest.at};
    struct engine_options o = {.scheduler = RUN_RATION,
                               .max_nodes = FACT_NODES,
                               .max_rounds = l->o->max_rounds,
                               .deadline = l->deadline};
    struct engine_fact *facts = mem_alloc((asked.len + 1u) * sizeof *facts);
    memset(facts, 0, (asked.len + 1u) * sizeof *facts);
    // By facts alone, which grow slowly; else with what makes terms simpler.
    bool ok = true, all = asked.len == 0;
    for (int more = 0; ok && !all && more < 2; more++) {
        struct buf text = {0};
        struct u32_vec terms = {0};
        for (uint32_t i = 0; i < rest.len; i++)
            vec_push(&terms, rest.at[i]);
        for (uint32_t i = 0; i < conds.len; i++)
            vec_push(&terms, conds.at[i]);
        choose_text(&l->choose, more ? CHOOSE_ALL_SIMPLER : CHOOSE_FACTS,
                    l->f->t, terms.len, terms.at, &text);
        rules.text = buf_text(&text);
        ok = engine_facts(l->f->t, conds.len, conds.at, &rules, &o, facts, e);
        vec_release(&terms);
        buf_release(&text);
        all = true;
        for (uint32_t i = 0; i < asked.len; i++)
            all &= facts[i].proof.len > 0;
    }
    if (ok && asked.len > 0) {
        chain_release(&l->chain);
        chain_init(&l->chain);
        l->chain.renumber = rest_of;
        for (uint32_t i = 0; ok && i < asked.len; i++)
            ok = chain_fact(&l->chain, asked.at[i], buf_text(&facts[i].proof),
                            facts[i].flipped, e);
        l->chain.renumber = (struct u32_vec){0};
        ok = ok && join(l, e);
    }
    for (uint32_t i = 0; i < asked.len; i++)
        buf_release(&facts[i].proof);
    mem_free(facts);
    vec_release(&asked);
    vec_release(&conds);
    vec_release(&rest);
    vec_release(&rest_of);
    return ok;
}

static void given_line(const struct fterms *t, fterm cond, uint32_t number,
                       struct buf *out)
{
    struct u32_vec all = {0}, at = {0};
    fterms_reach(t, 1, &cond, &all);
    vec_zero(&at, t->node.len);
    for (uint32_t i = 0; i < all.len; i++) {
        fterm x = all.at[i];
        at.at[x] = i;
        buf_printf(out, "term %u %s", i, fterm_name(t, x));
        for (uint32_t k = 0; k < fterm_n(t, x); k++)
            buf_printf(out, " %u", at.at[fterm_args(t, x)[k]]);
        buf_putc(out, '\n');
    }
    buf_printf(out, "term %u true\ngiven 0 %u %u %u\n", all.len, all.len - 1,
               all.len, number);
    vec_release(&all);
    vec_release(&at);
}

static bool add_truth(struct lift *l, fterm cond, struct err *e)
{
    for (uint32_t i = 0; i < l->given.len; i++)
        if (l->given.at[i] == cond) {
            struct buf line = {0};
            given_line(l->f->t, cond, i, &line);
            bool ok = chain_aside(&l->chain, buf_text(&line), e);
            buf_release(&line);
            return ok;
        }
    for (uint32_t i = 0; i < l->truth.len; i++)
        if (l->truth.at[i].cond == cond)
            return chain_aside(&l->chain, buf_text(&l->truth.at[i].proof), e);
    return err_set(e, ERR_BUG, "a condition without a proof");
}

// Lines that say what the result asks of its operands and the formula does not.
static bool add_truths(struct lift *l, struct err *e)
{
    for (uint32_t i = 0; i < l->chain.given.len; i++)
        vec_push(&l->told, l->chain.given.at[i]);
    if (l->stage.len == 0)
        return true;
    bool ok = partial_fits(&l->partial, l->out->term) ||
              err_set(e, ERR_BUG, "a result without a value");
    for (uint32_t i = 0; ok && i < l->partial.used.len; i++)
        ok = add_truth(l, l->partial.used.at[i], e);
    return ok;
}

// The record

static void used_names(const char *proof, struct intern *out)
{
    for (const char *s = proof; *s != 0; s += *s == '\n') {
        size_t n = strcspn(s, "\n");
        bool rule = strncmp(s, "rule ", 5) == 0;
        const char *end = s + n, *at = end;
        while (rule && at > s && at[-1] != ' ')
            at--;
        if (rule)
            intern_bytes(out, at, (size_t)(end - at));
        s = end;
    }
}

// Do these names contain that of a rule, by itself or with an operator?
static bool is_used(const struct intern *used, const char *name)
{
    size_t n = strlen(name);
    for (uint32_t i = 0; i < used->entry.len; i++) {
        const struct intern_entry *x = &used->entry.at[i];
        if (x->len >= n && memcmp(x->at, name, n) == 0 &&
            (x->len == n || x->at[n] == '.'))
            return true;
    }
    return false;
}

static void record_rules(struct lift *l, const char *proof)
{
    struct intern used;
    intern_init(&used);
    used_names(proof, &used);
    for (uint32_t i = 0; i < l->n; i++)
        for (int back = 0; back < 2; back++) {
            struct buf name = {0};
            buf_printf(&name, "%s%s", intern_text(&l->names, l->name.at[i]),
                       back ? "-back" : "");
            const struct lift_rule *r = &l->rules[i];
            if (is_used(&used, buf_text(&name))) {
                struct formula_record_rule x = {.name = kept(l->record, &name),
                                                .hash = r->hash,
                                                .text = r->canonical,
                                                .backward = back,
                                                .assumed = r->assumed};
                vec_push(&l->record->rules, x);
            }
            buf_release(&name);
        }
    intern_release(&used);
}

static void record_defines(struct lift *l, fterm from, fterm to)
{
    fterm roots[2] = {from, to};
    struct u32_vec all = {0};
    fterms_reach(l->f->t, 2, roots, &all);
    for (uint32_t d = 0; l->defs != NULL && d < l->defs->at.len; d++) {
        const struct fdefine *x = &l->defs->at.at[d];
        bool there = false;
        for (uint32_t i = 0; i < all.len && !there; i++)
            there = fterm_n(l->f->t, all.at[i]) > 0 &&
                    strcmp(fterm_name(l->f->t, all.at[i]), x->name) == 0;
        if (there)
            vec_push(&l->record->defines, x->rule->canonical);
    }
    vec_release(&all);
}

// A condition on numbers alone holds wherever there is a value at all.
static bool says_something(const struct fterms *t, fterm cond)
{
    struct u32_vec all = {0};
    bool yes = false;
    fterms_reach(t, 1, &cond, &all);
    for (uint32_t i = 0; i < all.len && !yes; i++) {
        const char *name = fterm_name(t, all.at[i]);
        yes = fterm_n(t, all.at[i]) == 0 && strcmp(name, "pi") != 0 &&
              !fname_is_number(name, (uint32_t)strlen(name));
    }
    vec_release(&all);
    return yes;
}

static bool is_told(const struct lift *l, uint32_t given)
{
    for (uint32_t i = 0; i < l->told.len; i++)
        if (l->told.at[i] == given)
            return true;
    return false;
}

// That the formula has a value need not be told where only the result's value
// rests on it.
static void record_givens(struct lift *l)
{
    static const char *const by[] = {[GIVEN_DECLARED] = "declared",
                                     [GIVEN_DEFINED] = "defined",
                                     [GIVEN_EXTENT] = "extent",
                                     [GIVEN_NUMBER] = "number"};
    for (uint32_t i = 0; i < l->chain.given.len; i++) {
        const struct fgiven *g = &l->f->givens.at[l->chain.given.at[i]];
        struct buf text = {0};
        fterm_print(l->f->t, g->cond, &text);
        struct formula_record_given x = {kept(l->record, &text), by[g->by]};
        if ((g->by == GIVEN_DECLARED ||
             (g->by == GIVEN_DEFINED && is_told(l, l->chain.given.at[i]))) &&
            says_something(l->f->t, g->cond))
            vec_push(&l->out->conditions, l->record->givens.len);
        vec_push(&l->record->givens, x);
        buf_release(&text);
    }
}

static void write_record(struct lift *l, const char *input, fterm from)
{
    struct formula_record *r = l->record;
    struct buf proof = {0}, output = {0};
    chain_print(&l->chain, &proof);
    formula_print_head(l->f, &output);
    formula_print(l->f, l->defs, l->out->term, NOTATION_TEXT, false, &output);
    r->input = arena_strdup(&r->mem, input);
    r->output = kept(r, &output);
    r->proof = kept(r, &proof);
    record_rules(l, r->proof);
    record_defines(l, from, l->out->term);
    record_givens(l);
    buf_release(&proof);
    buf_release(&output);
}

bool lift_simplify(struct formula *f, const char *input,
                   const struct fdefines *defs, uint32_t n,
                   const struct lift_rule *rules, const struct lift_options *o,
                   struct lift_result *out, struct formula_record *record,
                   struct err *e)
{
    struct lift l = {.f = f,
                     .defs = defs,
                     .n = n,
                     .rules = rules,
                     .o = o,
                     .out = out,
                     .record = record};
    struct all_taken taken = {0};
    fterm from = f->term;
    memset(out, 0, sizeof *out);
    formula_record_init(record);
    intern_init(&l.names);
    choose_init(&l.choose, o->expand);
    chain_init(&l.chain);
    if (o->seconds > 0)
        l.deadline = clock_wall() + o->seconds;
    if (!o->keep_constants)
        recover(&l, &taken);
    l.left = f->term = replace(f->t, from, &taken);
    find_written(&l);
    formula_defined(f);
    for (uint32_t i = 0; i < f->givens.len; i++)
        vec_push(&l.given, f->givens.at[i].cond);
    partial_init(&l.partial, f->t, defs, l.left);
    for (uint32_t i = 0; i < l.given.len; i++)
        partial_know(&l.partial, l.given.at[i]);
    name_rules(&l);
    out->term = l.left;
    out->cost_before = tree_cost(&l, from);
    bool ok = run_phases(&l, from, e);
    if (ok && !out->no_value)
        tidy_result(&l);
    ok = ok && join(&l, e) && prove_conditions(&l, e) && add_truths(&l, e);
    if (ok) {
        out->cost_after = tree_cost(&l, out->term);
        write_record(&l, input, from);
    }
    for (uint32_t i = 0; i < l.stage.len; i++)
        buf_release(&l.stage.at[i].proof);
    vec_release(&l.stage);
    for (uint32_t i = 0; i < l.truth.len; i++)
        buf_release(&l.truth.at[i].proof);
    vec_release(&l.truth);
    vec_release(&l.told);
    vec_release(&taken);
    vec_release(&l.given);
    vec_release(&l.name);
    vec_release(&l.written);
    intern_release(&l.names);
    choose_release(&l.choose);
    partial_release(&l.partial);
    chain_release(&l.chain);
    return ok;
}
