// SPDX-License-Identifier: Apache-2.0
#include "verify/prove.h"
#include "base/clock.h"
#include "rules/reasons.h"
#include "verify/counterexample/search.h"
#include "verify/decide.h"
#include "verify/limits.h"
#include "verify/undefined.h"

struct rule_proof {
    const struct rule *rule;
    const struct prove_options *options;
    struct report *rep;
    unsigned domains;
    const char *found[N_DOMAINS]; // replayed counterexamples
    double search[N_DOMAINS];     // seconds
    double searched;              // those of searches in the middle of the proof
    double start;                 // clock_wall
    struct hints hints;
    struct established established;
    bool proof_over;         // its hints may be used
    bool alike;              // one domain is as good as another
    bool rest_done;          // all domains had the search before the proof
    unsigned early;          // domains with a counterexample from that search
    struct arena mem;        // of `found`, until the report is complete
    struct cex_space *space; // of the searches in front of the proof, in `mem`
};

// One seed for the points of all searches in front of the proof: they are the same points.
#define FIRST_SALT UINT64_C(0x51)

static uint32_t take_hints(const struct rule_proof *rule_proof, bool exact, uint32_t n,
                           struct cex_hint *hint)
{
    uint32_t all = rule_proof->proof_over ? rule_proof->hints.at.len : 0;
    for (uint32_t i = 0; i < all && n < VERIFY_HINTS_SEARCHED; i++) {
        const struct hint *h = &rule_proof->hints.at.at[i];
        if (h->exact == exact)
            hint[n++] = (struct cex_hint){h->rank, h->map, ELEM_I32};
    }
    return n;
}

// The places at which the rule is false in other domains.
static uint32_t take_points(const struct rule_proof *rule_proof, uint32_t n, struct cex_hint *hint,
                            struct arena *mem)
{
    for (unsigned d = 0; d < N_DOMAINS && n < VERIFY_HINTS_SEARCHED; d++)
        if (rule_proof->found[d] != NULL &&
            cex_hint_of(rule_proof->rule, rule_proof->found[d], mem, &hint[n]))
            n++;
    return n;
}

static const enum domain search_order[N_DOMAINS] = {DOMAIN_INT, DOMAIN_WORD, DOMAIN_REAL,
                                                    DOMAIN_FLOAT, DOMAIN_BOOL};

static unsigned still_open(const struct rule_proof *rule_proof)
{
    unsigned open = rule_proof->domains;
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if (rule_proof->found[d] != NULL)
            open &= ~(1u << d);
    return open;
}

// Points depend on the budget's visits and points, which all quick searches have in common.
static struct cex_space *first_space(struct rule_proof *rule_proof, const struct cex_budget *budget)
{
    struct rng rng;
    rng_seed(&rng, rule_proof->options->seed ^ FIRST_SALT);
    if (rule_proof->space == NULL)
        rule_proof->space =
            cex_space_new(rule_proof->rule, NULL, 0, budget, &rng, &rule_proof->mem);
    return rule_proof->space;
}

// One search over the domains of `mask` that have no counterexample yet.  If domains are alike,
// then after one search without success the others get a small part of the budget.  `later`: it
// goes on with a search over other domains, and so knows no counterexample, either.
static void search(struct rule_proof *rule_proof, unsigned mask, const struct cex_budget *b,
                   uint64_t salt, bool later)
{
    struct arena mem = {0};
    struct rng rng;
    struct cex_hint hint[VERIFY_HINTS_SEARCHED];
    struct cex_budget budget = *b;
    uint64_t part = b->candidates / VERIFY_MOVES_BUDGET_PART;
    uint32_t n = later ? 0 : take_points(rule_proof, 0, hint, &mem);
    n = take_hints(rule_proof, true, n, hint);
    n = take_hints(rule_proof, false, n, hint);
    double before = clock_wall();
    rng_seed(&rng, rule_proof->options->seed ^ salt);
    struct cex_space *space = salt == FIRST_SALT && n == 0
                                  ? first_space(rule_proof, b)
                                  : cex_space_new(rule_proof->rule, hint, n, b, &rng, &mem);
    if (later && rule_proof->alike && still_open(rule_proof) == rule_proof->domains)
        budget.candidates = part;
    for (unsigned i = 0; i < N_DOMAINS; i++) {
        enum domain domain = search_order[i];
        const char *json = NULL;
        if (!(mask >> domain & 1) || rule_proof->found[domain] != NULL)
            continue;
        rng_seed(&rng, rule_proof->options->seed ^ (salt + domain + 1));
        if (cex_space_search(space, domain, &budget, &rng, &mem, &json))
            rule_proof->found[domain] = arena_strdup(&rule_proof->mem, json);
        else if (rule_proof->alike)
            budget.candidates = part;
        rule_proof->search[domain] += clock_wall() - before;
        before = clock_wall();
    }
    arena_release(&mem);
}

// What is false at some place is mostly false there in every domain.  A domain whose
// counterexample comes after that of another one gets a search at the other's place.
static void search_again(struct rule_proof *rule_proof, enum domain domain)
{
    const char *least = rule_proof->found[domain], *json = NULL;
    struct cex_budget quick = cex_budget_quick();
    struct arena mem = {0};
    struct cex_hint hint;
    struct rng rng;
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if (rule_proof->found[d] != NULL &&
            cex_comes_before(rule_proof->rule, rule_proof->found[d], least))
            least = rule_proof->found[d];
    rng_seed(&rng, rule_proof->options->seed ^ (UINT64_C(0x1e) + domain));
    struct cex_request request = {rule_proof->rule, domain, &hint, 1, &quick, &rng, &mem, false};
    if (least != rule_proof->found[domain] && cex_hint_of(rule_proof->rule, least, &mem, &hint) &&
        cex_search_hints(&request, &json) &&
        cex_comes_before(rule_proof->rule, json, rule_proof->found[domain]))
        rule_proof->found[domain] = arena_strdup(&rule_proof->mem, json);
    arena_release(&mem);
}

static void search_at_least_places(struct rule_proof *rule_proof)
{
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if (rule_proof->found[d] != NULL)
            search_again(rule_proof, (enum domain)d);
}

static struct domain_report *report_of(struct report *rep, enum domain domain)
{
    for (uint32_t i = 0; i < rep->domains.len; i++)
        if (rep->domains.at[i].domain == domain)
            return &rep->domains.at[i];
    return NULL;
}

// Searches once more, quickly, at the places found, in the domains that are left.
static void search_twice(struct rule_proof *rule_proof, unsigned mask,
                         const struct cex_budget *budget, uint64_t salt)
{
    struct cex_budget quick = cex_budget_quick();
    unsigned before = still_open(rule_proof);
    search(rule_proof, mask, budget, salt, false);
    unsigned open = mask & still_open(rule_proof);
    if (open != 0 && still_open(rule_proof) != before)
        search(rule_proof, open, &quick, salt + 0x100, false);
}

// The search after the proof.  A rule that does not claim float asks for no verdict there, and gets
// a part of the search; but not where the search checks the prover.
static void search_deep(struct rule_proof *rule_proof, unsigned mask)
{
    struct cex_budget deep = cex_budget_deep(), part = deep;
    unsigned unclaimed = rule_proof->options->cross_check
                             ? 0
                             : mask & 1u << DOMAIN_FLOAT & ~rule_proof->rule->claims;
    part.candidates /= VERIFY_CEX_UNCLAIMED_PART;
    part.systematic /= VERIFY_CEX_UNCLAIMED_PART;
    if (mask != unclaimed)
        search_twice(rule_proof, mask & ~unclaimed, &deep, UINT64_C(0xdee9));
    if (unclaimed != 0)
        search_twice(rule_proof, unclaimed, &part, UINT64_C(0xdee9));
}

// The domain of the mask that is searched first, as a mask.
static unsigned first_domain(unsigned mask)
{
    for (unsigned i = 0; i < N_DOMAINS; i++)
        if (mask >> search_order[i] & 1)
            return 1u << search_order[i];
    return 0;
}

static void search_first(struct rule_proof *rule_proof)
{
    struct cex_budget quick = cex_budget_quick();
    search(rule_proof, first_domain(rule_proof->domains), &quick, FIRST_SALT, false);
}

// The search in the other domains before their proof: those that are left after a counterexample in
// one of them are searched at its place.  Of a rule that is wide one domain is
// searched longer: what is false at some place is false there in most domains.
static void search_rest(struct rule_proof *rule_proof)
{
    struct cex_budget quick = cex_budget_quick(), wide = cex_budget_wide();
    struct cex_budget places = cex_budget_places();
    unsigned first = first_domain(rule_proof->domains);
    if (rule_proof->rest_done)
        return;
    rule_proof->rest_done = true;
    search(rule_proof, rule_proof->domains & ~first, &quick, FIRST_SALT, true);
    unsigned open = still_open(rule_proof);
    if (open != rule_proof->domains && open != 0)
        search(rule_proof, open, &places, UINT64_C(0x151), false);
    if (open == rule_proof->domains && cex_is_wide(rule_proof->rule)) {
        search(rule_proof, first_domain(open), &wide, UINT64_C(0x1de), false);
        if (still_open(rule_proof) != open)
            search(rule_proof, still_open(rule_proof), &quick, UINT64_C(0x2de), false);
    }
    rule_proof->early = rule_proof->domains & ~still_open(rule_proof);
}

// A proof that takes operators for arbitrary functions holds in every domain or fails in all.
// So the search in other domains waits until a domain is to be proved by itself.
static unsigned narrow(void *context, unsigned mask)
{
    struct rule_proof *rule_proof = context;
    double before = clock_wall();
    search_rest(rule_proof);
    rule_proof->searched += clock_wall() - before;
    return mask & still_open(rule_proof);
}

// What is left of the seconds of the rule; 0: there is no limit.
static double seconds_left(const struct rule_proof *rule_proof)
{
    double all = rule_proof->options->seconds_per_rule;
    double left = rule_proof->start + all - clock_wall();
    return all <= 0 ? 0 : left > 0.001 ? left : 0.001;
}

// Runs the prover for the domains without a counterexample.  If none is left, only its
// remarks would be of use, and they are not worth the time.
static void decide(struct rule_proof *rule_proof, unsigned mask)
{
    struct decide_options options = {
        .lifting = rule_proof->options->lifting,
        .solver = rule_proof->options->solver,
        .solver_program = rule_proof->options->solver_program,
        .domains = mask,
        .rlimit = rule_proof->options->rlimit,
        .seconds_per_rule = seconds_left(rule_proof),
        .late = rule_proof->options->late,
        .step = rule_proof->options->step,
        .step_ctx = rule_proof->options->step_ctx,
        .hints = &rule_proof->hints,
        .established = &rule_proof->established,
        .smt2 = rule_proof->options->smt2,
        .narrow = rule_proof->rest_done ? NULL : narrow,
        .narrow_context = rule_proof,
    };
    if (mask != 0)
        decide_rule(rule_proof->rule, &options, rule_proof->rep);
    for (uint32_t i = 0; i < rule_proof->rep->domains.len; i++)
        rule_proof->rep->domains.at[i].seconds -= rule_proof->searched;
}

static unsigned with_verdict(const struct rule_proof *rule_proof, enum verdict verdict)
{
    unsigned mask = 0;
    for (uint32_t i = 0; i < rule_proof->rep->domains.len; i++)
        if (rule_proof->rep->domains.at[i].verdict == verdict)
            mask |= 1u << rule_proof->rep->domains.at[i].domain;
    return mask & rule_proof->domains;
}

static void put_refuted(struct domain_report *report, const char *json)
{
    report->verdict = VERDICT_REFUTED;
    report->rung = RUNG_NONE;
    report->grade = GRADE_NONE;
    report->reason = "";
    report->method = "counterexample";
    report->counterexample = json;
    if (report->solver == NULL)
        report->solver = "";
}

static struct domain_report blank_report(void)
{
    return (struct domain_report){
        .reason = "", .method = "", .bound = "{}", .bound_why = "", .solver = ""};
}

// Why no weaker grade can hold, if an instance shows that; NULL otherwise.  The counterexample
// itself often does.
static const char *grade_excluded(const struct rule_proof *rule_proof,
                                  const struct domain_report *report)
{
    struct cex_budget few = cex_budget_quick();
    struct cex_hint hint[VERIFY_HINTS_SEARCHED];
    struct arena mem = {0};
    struct rng rng;
    if (report->counterexample != NULL) {
        enum cex_difference shown = cex_plain(rule_proof->rule, report->counterexample);
        if (shown != CEX_EXCEPTION)
            return shown == CEX_PLAIN_ELEMENT ? REASON_PLAIN : REASON_SIDES;
    }
    if (rule_proof->options->no_search)
        return NULL;
    uint32_t n = take_points(rule_proof, 0, hint, &mem);
    rng_seed(&rng, rule_proof->options->seed ^ UINT64_C(0x9a));
    bool plain = cex_plain_difference(rule_proof->rule, hint, n, &few, &rng);
    arena_release(&mem);
    return plain ? REASON_PLAIN : NULL;
}

// A rule that is not exact in float may hold with exceptions.  A difference without
// exceptions is found faster than proofs of the grades fail.
static void grade(const struct rule_proof *rule_proof, struct domain_report *report)
{
    struct established known = rule_proof->established;
    struct decide_options options = {.established = &known,
                                     .rlimit = rule_proof->options->rlimit,
                                     .seconds_per_rule = seconds_left(rule_proof),
                                     .late = rule_proof->options->late,
                                     .step = rule_proof->options->step,
                                     .step_ctx = rule_proof->options->step_ctx};
    struct arena *mem = &rule_proof->rep->mem;
    const char *why = "";
    if (report->domain != DOMAIN_FLOAT || report->verdict == VERDICT_PROVED)
        return;
    // A counterexample is an instance that meets the conditions.
    if (report->counterexample != NULL) {
        known.nonempty = true;
        known.model |= 1u << DOMAIN_FLOAT;
    }
    const char *excluded = grade_excluded(rule_proof, report);
    if (excluded == NULL)
        report->grade = decide_grade(rule_proof->rule, &options, mem, &why);
    if (verdict_was_cut_short(why)) { // a weaker grade may hold, or a stronger one
        report->reason = why;
        return;
    }
    if (report->grade != GRADE_NONE || report->verdict != VERDICT_REFUTED)
        return;
    struct buf text = {0};
    buf_printf(&text, "%s%s", excluded != NULL ? excluded : REASON_NO_GRADE, why);
    report->reason = arena_strdup(mem, buf_text(&text));
    buf_release(&text);
}

// Over the reals a side may have no value at some elements.
static void advise(const struct rule_proof *rule_proof, struct domain_report *report)
{
    struct decide_options options = {.lifting = rule_proof->options->lifting,
                                     .rlimit = rule_proof->options->rlimit,
                                     .seconds_per_rule = seconds_left(rule_proof),
                                     .late = rule_proof->options->late,
                                     .step = rule_proof->options->step,
                                     .step_ctx = rule_proof->options->step_ctx};
    if (!rule_proof->options->advise || report->domain != DOMAIN_REAL ||
        report->verdict != VERDICT_UNKNOWN || verdict_is_internal(report->reason) ||
        verdict_was_cut_short(report->reason))
        return;
    const char *reason =
        undefined_reason(rule_proof->rule, &options, &rule_proof->rep->mem, &report->advice);
    if (reason == NULL && strncmp(report->reason, REASON_OPEN, strlen(REASON_OPEN)) == 0)
        reason = undefined_always(rule_proof->rule, &rule_proof->rep->mem);
    if (reason != NULL)
        report->reason = reason;
}

// One entry per domain, ascending.  Returns false if a counterexample contradicts a proof.
static bool assemble(struct rule_proof *rule_proof)
{
    struct report sorted = {0};
    bool sound = true;
    for (unsigned d = 0; d < N_DOMAINS; d++) {
        if (!(rule_proof->domains >> d & 1))
            continue;
        struct domain_report *old = report_of(rule_proof->rep, (enum domain)d);
        if (old != NULL && (rule_proof->early >> d & 1) != 0 && old->verdict != VERDICT_PROVED) {
            vec_release(&old->obligations); // refuted before there was anything to prove
            old = NULL;
        }
        struct domain_report one = old != NULL ? *old : blank_report();
        one.domain = (enum domain)d;
        one.claimed = rule_proof->rule->claims >> d & 1;
        one.seconds += rule_proof->search[d];
        if (rule_proof->found[d] != NULL && one.verdict == VERDICT_PROVED) {
            one.verdict = VERDICT_UNKNOWN;
            one.rung = RUNG_NONE;
            one.grade = GRADE_NONE;
            one.reason = REASON_DISAGREE;
            // The counterexample is kept so that the bug can be found.
            one.counterexample = arena_strdup(&rule_proof->rep->mem, rule_proof->found[d]);
            sound = false;
        } else if (rule_proof->found[d] != NULL) {
            put_refuted(&one, arena_strdup(&rule_proof->rep->mem, rule_proof->found[d]));
        } else if (old == NULL ||
                   (one.verdict == VERDICT_UNKNOWN && (one.reason == NULL || !*one.reason))) {
            one.verdict = VERDICT_UNKNOWN;
            one.reason = "the prover gave no reason";
        }
        grade(rule_proof, &one);
        advise(rule_proof, &one);
        vec_push(&sorted.domains, one);
    }
    for (uint32_t i = 0; i < rule_proof->rep->domains.len; i++) // domains not asked for
        if (!(rule_proof->domains >> rule_proof->rep->domains.at[i].domain & 1))
            vec_release(&rule_proof->rep->domains.at[i].obligations);
    vec_release(&rule_proof->rep->domains);
    for (uint32_t i = 0; i < sorted.domains.len; i++)
        vec_push(&rule_proof->rep->domains, sorted.domains.at[i]);
    vec_release(&sorted.domains);
    return sound;
}

// The search in the other domains after the proof, if that asked for none.
static void search_unasked(struct rule_proof *rule_proof)
{
    struct cex_budget brief = cex_budget_quick();
    unsigned first = first_domain(rule_proof->domains);
    if (with_verdict(rule_proof, VERDICT_PROVED) != rule_proof->domains) {
        search_rest(rule_proof);
        return;
    }
    rule_proof->alike = true;
    brief.systematic /= VERIFY_MOVES_BUDGET_PART;
    search(rule_proof, rule_proof->domains & ~first, &brief, FIRST_SALT, true);
}

bool prove_rule(const struct rule *rule, const struct prove_options *options, struct report *rep)
{
    struct rule_proof rule_proof = {
        .rule = rule, .options = options, .rep = rep, .start = clock_wall()};
    rule_proof.domains = rule_domains(rule);
    rule_proof.alike = rule_only_moves(rule);
    if (options->domains != 0)
        rule_proof.domains &= options->domains;
    bool searches = !options->no_search && !rule_defines(rule);
    if (searches)
        search_first(&rule_proof);
    // A text of the proof names what is open before it begins.
    bool whole = still_open(&rule_proof) != rule_proof.domains || options->cross_check ||
                 options->smt2 != NULL;
    if (searches && whole)
        search_rest(&rule_proof);
    rule_proof.rest_done |= !searches;
    unsigned open = still_open(&rule_proof);
    decide(&rule_proof, options->cross_check ? rule_proof.domains : open);
    if (!rule_proof.rest_done)
        search_unasked(&rule_proof);
    rule_proof.proof_over = true;
    open = still_open(&rule_proof);
    unsigned left = open & with_verdict(&rule_proof, VERDICT_UNKNOWN);
    if (options->cross_check)
        left |= open & with_verdict(&rule_proof, VERDICT_PROVED);
    if (searches)
        search_deep(&rule_proof, left);
    search_at_least_places(&rule_proof);
    hints_release(&rule_proof.hints);
    bool sound = assemble(&rule_proof);
    arena_release(&rule_proof.mem);
    return sound;
}
