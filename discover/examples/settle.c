// SPDX-License-Identifier: Apache-2.0
// Preconditions of a rule, class by class, until the rule is proved.
#include "discover/examples/cover.h"
#include "discover/examples/search.h"
#include "verify/counterexample/search.h"

struct family {
    uint32_t cls; // of the pair
    struct labels labels;
    struct fit_where where;
};
struct settling {
    struct search *search;
    const struct rule *rule; // without preconditions on maps
    struct learn_problem problem;
    bool advised; // preconditions on elements, as the prover advises, are in the rule
    uint32_t n;
    struct family *family;
};

// The values of the pair's axes are right points that a precondition must admit.
static bool keep_pair(struct settling *settling, struct family *family)
{
    struct pair *pair = settling->search->pair;
    const struct rule *rule = settling->rule;
    for (uint32_t k = 0; k < pair->classes.at[family->cls].n; k++) {
        for (uint32_t m = 0; m < rule->n_maps; m++)
            (void)pair_map_value(pair, family->cls, rule->maps[m].name, k,
                                 &experiment_map(family->labels.lab, m)[0]);
        if (!labels_keep(settling->search->learner, &family->labels))
            return false;
    }
    return true;
}

// Where right points are rare, those that are ordered as the pair are most of them.
static void label_ordered(struct settling *settling, struct family *family)
{
    struct experiment *lab = family->labels.lab;
    uint32_t n = settling->search->pair->classes.at[family->cls].n;
    for (uint32_t i = 0; i < EXAMPLE_ORDERED_LABELS && n > 0; i++) {
        experiment_random(lab, family->labels.root);
        example_ordered(settling->search->pair, settling->rule, lab, family->cls);
        labels_try(settling->search->learner, &family->labels);
    }
}

// False: the sides agree at no point, so no precondition is worth looking for.  Where points are
// rare, few that are all right are enough: the prover sees the others.
static bool sample(struct settling *settling, struct family *family)
{
    struct learner *learner = settling->search->learner;
    struct labels *labels = &family->labels;
    uint32_t kept = labels->n_good;
    labels_sample(learner, labels, EXAMPLE_FIRST_LABELS);
    uint32_t found = labels->at.len;
    if (labels->n_bad > 0)
        label_ordered(settling, family);
    if (labels->n_bad >= EXAMPLE_FIRST_LABELS / 2 && labels->n_good == kept)
        return false;
    if (labels->n_bad > 0 || found >= EXAMPLE_FIRST_LABELS)
        labels_sample(learner, labels, EXAMPLE_LABELS + labels->at.len - found);
    return true;
}

static bool start(struct settling *settling)
{
    const struct rule *rule = settling->rule;
    struct learner *learner = settling->search->learner;
    settling->family = ARENA_NEW(&settling->search->pair->mem, struct family, rule->n_classes + 1);
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        struct family *family = &settling->family[settling->n];
        uint32_t cls = example_class(settling->search->pair, rule->classes[c].name);
        if (class_root(rule, c) != c || rule->classes[c].block || cls == NONE)
            continue;
        *family = (struct family){.cls = cls};
        labels_start(learner, &settling->problem, rule, c, &family->labels);
        settling->n++;
        if (family->labels.columns.n == 0)
            continue;
        if (!keep_pair(settling, family))
            return false;
        if (!sample(settling, family))
            return false;
    }
    return true;
}

static bool fit(struct settling *settling)
{
    struct learner *learner = settling->search->learner;
    for (uint32_t i = 0; i < settling->n; i++) {
        struct family *family = &settling->family[i];
        struct fit_where three;
        family->where = (struct fit_where){.n_terms = 0};
        if (family->labels.n_bad == 0)
            continue;
        // What the pair has in common by chance is assumed first.
        if (settling->search->before.rule == NULL &&
            EXAMPLE_RARE * family->labels.n_good < family->labels.at.len)
            return false;
        bool two = labels_fit(learner, &family->labels, 2, &family->where);
        if (two && 20 * family->where.covered >= 17 * family->labels.n_good)
            continue;
        if (labels_fit(learner, &family->labels, 3, &three) &&
            (!two || three.covered > family->where.covered))
            family->where = three;
        else if (!two)
            return false;
    }
    return true;
}

static const struct rule *with_wheres(struct settling *settling, unsigned claims)
{
    struct draft draft;
    struct err err = {0};
    draft_init(&draft, settling->rule);
    for (uint32_t i = 0; i < settling->n; i++)
        for (uint32_t k = 0; k < settling->family[i].where.n_terms; k++)
            draft_where(&draft, settling->family[i].where.term[k]);
    if (claims != 0)
        draft.r.claims = claims;
    const struct rule *rule = draft_rule(&draft, &settling->search->learner->set, &err);
    draft_release(&draft);
    return rule;
}

// The rule with the preconditions of the one before.
static const struct rule *as_before(struct settling *settling, unsigned claims)
{
    struct draft draft, old;
    struct err err = {0};
    draft_init(&draft, settling->rule);
    draft_init(&old, settling->search->before.rule);
    for (uint32_t i = 0; i < old.r.n_wheres; i++) {
        struct buf text = {0};
        if (old.wheres[i].cond != NULL)
            cond_print(&old.r, old.wheres[i].cond, &text);
        else
            pat_print(&old.r, old.wheres[i].pat, &text);
        draft_where(&draft,
                    pair_text(settling->search->pair, old.wheres[i].cond != NULL ? "%s" : "all(%s)",
                              before_text(settling->search, buf_text(&text))));
        buf_release(&text);
    }
    if (claims != 0)
        draft.r.claims = claims;
    const struct rule *rule = draft_rule(&draft, &settling->search->learner->set, &err);
    draft_release(&draft);
    draft_release(&old);
    return rule;
}

// Does the rule, which is proved in the domain, cover the one before?  An odd one speaks of cases that
// are not the pair's, and its instances may be ones of the rule along several axes.
static bool covers_before(struct search *search, const struct rule *rule, unsigned domain)
{
    const struct found_before *before = &search->before;
    if (before->rule == NULL || (before->proved & domain) == 0)
        search->narrower = false;
    else
        search->narrower =
            (search->dropping || !rule_is_odd(before->rule) || rule_is_odd(rule)) &&
            !covers_all(rule_coverage(rule, before->rule, domain, search->learner->seed));
    return !search->narrower;
}

// Is the rule proved as it is in the domain?
static bool holds(struct search *search, const struct rule *rule, unsigned domain)
{
    const struct learn_memo *memo;
    return rule != NULL && learner_attack(search->learner, rule, domain, EXAMPLE_ATTACKS) == NULL &&
           learner_prove(search->learner, rule, domain, true, &memo) != 0;
}

// With more freed, a rule with further preconditions is not taken, unless it has none of a chance.
static bool has_more(const struct search *search, const struct rule *rule)
{
    const struct rule *before = search->before.rule;
    return before != NULL && !search->dropping && !rule_says_more(rule, before);
}

// Labels the wrong points that are found.  Returns how many.
static uint32_t attack(struct settling *settling, const struct rule *rule, uint32_t round)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < settling->n; i++)
        found += labels_attack(settling->search->learner, &settling->family[i].labels, rule,
                               &settling->problem, round);
    return found;
}

// Keeps the axes of a counterexample as points at which the right side is solved for again.
static void keep_wrong(struct settling *settling, const struct rule *rule, const char *json)
{
    struct search *search = settling->search;
    struct arena *own = &search->pair->mem, mem = {0};
    struct cex_hint hint;
    if (json != NULL && cex_hint_of(rule, json, &mem, &hint))
        for (uint32_t i = 0; i < settling->n; i++) {
            uint32_t cls = settling->family[i].cls;
            const char *name = search->pair->classes.at[cls].name;
            uint32_t c = 0;
            while (c < rule->n_classes && strcmp(rule->classes[c].name, name) != 0)
                c++;
            for (uint32_t k = 0; c < rule->n_classes && k < hint.rank[c] &&
                                 search->wrong.len < EXAMPLE_WRONG_POINTS;
                 k++) {
                struct wrong_point point = {.cls = cls,
                                            .map = ARENA_NEW(own, const char *, rule->n_maps + 1),
                                            .value = ARENA_NEW(own, int64_t, rule->n_maps + 1)};
                for (uint32_t m = 0; m < rule->n_maps; m++)
                    if (rule->maps[m].cls == c && rule->maps[m].def == NULL) {
                        point.map[point.n] = arena_strdup(own, rule->maps[m].name);
                        point.value[point.n++] = hint.map[m][k];
                    }
                vec_push(&search->wrong, point);
            }
        }
    arena_release(&mem);
}

// Is there a class whose being empty, or of several axes, breaks the rule?  It must have an
// axis then, or just one.
static bool ask_rank(struct settling *settling, const struct rule *rule, const char *json)
{
    struct arena mem = {0};
    struct cex_hint hint;
    bool asked = false;
    if (json != NULL && cex_hint_of(rule, json, &mem, &hint))
        for (uint32_t c = 0; c < rule->n_classes; c++) {
            uint32_t cls = example_class(settling->search->pair, rule->classes[c].name);
            struct axis_set *set = cls == NONE ? NULL : &settling->search->pair->classes.at[cls];
            if (set == NULL || rule->classes[c].block || cls == settling->search->pair->more)
                continue;
            if (hint.rank[c] == 0 && set->least == 0) {
                set->least = 1;
                asked = true;
            } else if (hint.rank[c] > 1 && set->n == 1 && !set->single) {
                set->single = asked = true;
            }
        }
    arena_release(&mem);
    return asked;
}

// Where sides are undefined over the reals, the prover names preconditions on elements.
static bool take_advice(struct settling *settling, const struct rule *rule)
{
    struct search *search = settling->search;
    const char *elements = settling->advised ? NULL : search_advice(search, rule);
    if (elements == NULL)
        return false;
    settling->advised = true;
    struct draft draft;
    struct err err = {0};
    draft_init(&draft, settling->rule);
    draft_where(&draft, elements);
    rule = draft_rule(&draft, &search->learner->set, &err);
    draft_release(&draft);
    if (rule != NULL)
        settling->rule = rule;
    return rule != NULL;
}

static bool some_bad(const struct settling *settling)
{
    bool bad = false;
    for (uint32_t i = 0; i < settling->n; i++)
        bad = bad || settling->family[i].labels.n_bad > 0;
    return bad;
}

static void forget(struct settling *settling)
{
    for (uint32_t i = 0; i < settling->n; i++)
        labels_release(settling->search->learner, &settling->family[i].labels);
    settling->n = 0;
}

// Elements at which a side is undefined over the reals make every point a wrong one.
static bool start_learning(struct settling *settling, unsigned domain)
{
    bool started = start(settling);
    if (domain != 1u << DOMAIN_REAL || !some_bad(settling) ||
        !take_advice(settling, settling->rule))
        return started;
    forget(settling);
    return start(settling);
}

static const struct rule *settle(struct settling *settling, unsigned *proved)
{
    struct search *search = settling->search;
    const struct learn_memo *memo;
    static const enum domain order[] = {DOMAIN_REAL, DOMAIN_INT, DOMAIN_BOOL, DOMAIN_FLOAT,
                                        DOMAIN_WORD};
    unsigned one = 0;
    for (size_t i = 0; i < N_DOMAINS && one == 0; i++)
        one = search->domains & rule_domains(settling->rule) & (1u << order[i]);
    if (one != 0 && search->as_before && holds(search, as_before(settling, 0), one)) {
        const struct rule *rule = as_before(settling, 0);
        if (!covers_before(search, rule, one))
            return NULL;
        *proved = learner_prove(search->learner, rule, rule_domains(rule), false, &memo);
        return as_before(settling, *proved);
    }
    const char *hash = settling->rule->hash;
    if (one == 0 || search_is_hopeless(search, hash))
        return NULL;
    if (!start_learning(settling, one)) {
        search_gives_up(search, hash);
        return NULL;
    }
    for (uint32_t round = 0; round < EXAMPLE_ROUNDS && !learner_over(search->learner); round++) {
        if (!fit(settling)) {
            search->reason = "no precondition of few terms separates right from wrong";
            if (round == 0)
                search_gives_up(search, hash);
            return NULL;
        }
        const struct rule *rule = with_wheres(settling, 0);
        bool narrower = (search->dropping || search->as_before) &&
                        rule_equalities(rule) > rule_equalities(search->before.rule);
        if (rule == NULL || narrower || has_more(search, rule))
            return NULL;
        if (attack(settling, rule, round) > 0)
            continue;
        if (holds(search, rule, one)) {
            if (!covers_before(search, rule, one))
                return NULL;
            *proved = learner_prove(search->learner, rule, rule_domains(rule), false, &memo);
            return with_wheres(settling, *proved);
        }
        uint32_t found = 0;
        if (learner_prove(search->learner, rule, one, true, &memo) != 0)
            return NULL;
        if (memo->refuted == 0 && one == 1u << DOMAIN_REAL && take_advice(settling, rule))
            continue;
        if (memo->refuted == 0) {
            search->reason = memo->vacuous ? "no instance meets its preconditions"
                                           : "the prover does not decide the rule";
            return NULL;
        }
        search->reason = pair_text(search->pair, "the general rule is false: %s",
                                   memo->counterexample ? memo->counterexample : "");
        keep_wrong(settling, rule, memo->json);
        for (uint32_t i = 0; i < settling->n; i++)
            found += labels_learn(search->learner, &settling->family[i].labels, rule, memo->json);
        if (found == 0) {
            search->again = ask_rank(settling, rule, memo->json);
            return NULL;
        }
    }
    return NULL;
}

const struct rule *settle_once(struct search *search, const struct rule *rule, unsigned *proved)
{
    struct settling settling = {
        .search = search,
        .rule = rule,
        .problem = {.domains = rule_domains(rule), .alone = true},
    };
    struct experiment *witness = experiment_new(rule, rule_domains(rule), search->learner->seed);
    if (example_witness(search->pair, rule, witness))
        settling.problem.fixed = witness;
    const struct rule *out = settle(&settling, proved);
    experiment_free(witness);
    forget(&settling);
    return out;
}
