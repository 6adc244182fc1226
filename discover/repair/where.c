// SPDX-License-Identifier: Apache-2.0
// Preconditions on elements.  A set of atoms is dropped as soon as some
// counterexample meets all of its atoms.  The remaining sets are judged, from
// weak to strong; each refuted one gives new counterexamples.
#include "discover/repair/core.h"
#include "discover/limits.h"
#include "verify/counterexample/search.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define WORDS (REPAIR_ATOMS / 64)
#define SIGNS 8   // forms below speak of the sign of one term
#define TRUTHS 11 // forms from here on speak of the truth of one term

// Costs of conditions, in bits.
#define PER_ATOM 2.0  // each atom, beside the instances that the atom excludes
#define OF_TENSOR 0.1 // a statement about the elements of a tensor, not about a scalar
#define OF_TWO 0.3    // a comparison of two terms rather than of a term and a number
#define OF_TERM 0.5   // a statement about a part that is no variable
#define OF_EQUALS 5.5 // two terms are equal
// A term equals one constant.  Samples have few values and meet this too often.
#define OF_ONE_VALUE 4.0
#define ONE_VALUED 16.0 // all elements of a tensor equal one constant
#define BEYOND 3.0      // a search ends so many bits above the best condition

struct atom_set {
    uint64_t at[WORDS];
};
struct condition_atom {
    const char *text;
    uint32_t about; // atoms about the same terms have the same number; NONE: none
    uint32_t form;  // form of the atom among those
    double bits;    // cost of the terms that it is about
    double out;     // cost of the instances that it excludes
};
struct pick { // one atom (a == b), or two
    uint32_t a, b;
    double key;
};
struct kept_atoms {
    struct atom_set atoms;
    unsigned proved;
};
struct atom_search {
    struct repair_run *repair_run;
    const struct rule *rule;
    unsigned settled; // domains in which the rule needs no precondition
    struct draft draft;
    uint32_t n_atoms;
    struct condition_atom atom[REPAIR_ATOMS];
    const struct rule *with[REPAIR_ATOMS]; // by atom: the rule with this atom alone
    struct witnesses seen;
    VEC(struct atom_set) met; // by witness: the atoms that it meets
    VEC(struct pick) picks;
    VEC(struct kept_atoms) kept;
    uint32_t undecided[N_DOMAINS];
    double best;      // least cost of a kept repair of a claimed domain
    double cost;      // of the change to the rule that is searched
    const char *what; // that change in words; NULL: none
};

// ---- atoms

static const struct rule *with_atoms(struct atom_search *atom_search, const char *a, const char *b)
{
    struct draft draft;
    struct err err = {0};
    draft_copy(&draft, &atom_search->draft);
    draft_where(&draft, a);
    if (b != NULL)
        draft_where(&draft, b);
    const struct rule *rule = draft_rule(&draft, &atom_search->repair_run->learner->set, &err);
    atom_search->repair_run->learner->n_rules++;
    atom_search->repair_run->out->n_candidates++;
    draft_release(&draft);
    return rule;
}

static void add_atom(struct atom_search *atom_search, const char *text, uint32_t about,
                     uint32_t form, double bits)
{
    if (atom_search->n_atoms == REPAIR_ATOMS)
        return;
    for (uint32_t i = 0; i < atom_search->n_atoms; i++)
        if (strcmp(atom_search->atom[i].text, text) == 0)
            return;
    const struct rule *rule = with_atoms(atom_search, text, NULL);
    if (rule == NULL) // the atom does not fit the types
        return;
    atom_search->with[atom_search->n_atoms] = rule;
    atom_search->atom[atom_search->n_atoms++] = (struct condition_atom){
        text, about, form, bits, repair_bits(atom_search->repair_run, rule)};
}

// Does the form admit a single value of the type only?
static bool one_value(uint32_t form, unsigned kinds)
{
    return (form >= 5 && form <= 7) || form >= TRUTHS || (form == 3 && kinds == KIND_UINT);
}

static void of_one(struct atom_search *atom_search, const char *text, uint32_t type, uint32_t about,
                   double bits)
{
    unsigned kinds = type < atom_search->rule->n_types ? atom_search->rule->types[type].kinds : 0;
    bool tensor = about < atom_search->rule->n_tensors;
    static const char *const forms[] = {
        "all(%s >= 0)",       "all(%s > 0)",  "all(%s != 0)",  "all(%s <= 0)",      "all(%s < 0)",
        "all(%s == 0)",       "all(%s == 1)", "all(%s == -1)", "all(%s != lowest)", "all(%s < inf)",
        "all(abs(%s) < inf)", "all(%s)",      "all(!(%s))",
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char line[600];
        const char *hole = strstr(forms[i], "%s");
        double more = !one_value((uint32_t)i, kinds) ? 0 : tensor ? ONE_VALUED : OF_ONE_VALUE;
        snprintf(line, sizeof line, "%.*s%s%s", (int)(hole - forms[i]), forms[i], text, hole + 2);
        add_atom(atom_search, arena_strdup(&atom_search->repair_run->learner->set.mem, line),
                 i < SIGNS ? about : NONE, (uint32_t)i, bits + more);
    }
}

static void of_two(struct atom_search *atom_search, const char *x, const char *y, uint32_t about)
{
    static const char *const forms[] = {" >= ", " > ", " <= ", " < ", " == ", " != "};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        add_atom(atom_search, repair_words(atom_search->repair_run, "all(%s%s%s)", x, forms[i], y),
                 about, SIGNS + (uint32_t)i, OF_TWO + (i == 4 ? OF_EQUALS : 0));
    add_atom(atom_search, repair_words(atom_search->repair_run, "all(%s*%s >= 0)", x, y), NONE, 0,
             OF_TERM);
    add_atom(atom_search, repair_words(atom_search->repair_run, "all(%s*%s > 0)", x, y), NONE, 0,
             OF_TERM);
}

static bool is_inner(const struct rule *rule, uint32_t i)
{
    const struct pat *pattern = &rule->pats[i];
    return (pattern->kind == PAT_OP || pattern->kind == PAT_OPVAR) && pattern->n_args > 0 &&
           i != rule->lhs && i != rule->rhs && draft_below(rule, rule->lhs, i);
}

// Conditions of the rule on one variable, asked of another variable.
static void of_conditions(struct atom_search *atom_search)
{
    const struct rule *rule = atom_search->rule;
    for (uint32_t w = 0; w < rule->n_wheres; w++)
        for (uint32_t a = 0; a < rule->n_tensors && !rule->wheres[w].cond; a++)
            for (uint32_t b = 0; b < rule->n_tensors; b++) {
                struct draft draft;
                struct buf text = {0};
                if (a == b)
                    continue;
                draft_copy(&draft, &atom_search->draft);
                uint32_t root = draft.wheres[w].pat;
                for (uint32_t i = 0; i < draft.r.n_pats; i++)
                    if (draft.pats[i].kind == PAT_TENSOR && draft.pats[i].var == a &&
                        draft_below(&draft.r, root, i))
                        draft.pats[i].var = b;
                buf_puts(&text, "all(");
                pat_print(&draft.r, root, &text);
                buf_puts(&text, ")");
                add_atom(atom_search,
                         arena_strdup(&atom_search->repair_run->learner->set.mem, buf_text(&text)),
                         NONE, 0, 0);
                buf_release(&text);
                draft_release(&draft);
            }
}

// Tensors are compared only if their shapes are equal, since a comparison asks
// for that.
static bool comparable(const struct rule *rule, uint32_t a, uint32_t b)
{
    if (a >= rule->n_tensors || b >= rule->n_tensors)
        return true;
    const struct tensor_var *tensor = &rule->tensors[a], *y = &rule->tensors[b];
    bool same = tensor->n_sizes == y->n_sizes;
    for (uint32_t i = 0; same && i < tensor->n_sizes; i++)
        same = tensor->sizes[i].cls == y->sizes[i].cls && tensor->sizes[i].size->op == IE_MAP &&
               y->sizes[i].size->op == IE_MAP &&
               tensor->sizes[i].size->map == y->sizes[i].size->map;
    return same;
}

static void collect_atoms(struct atom_search *atom_search)
{
    const struct rule *rule = atom_search->rule;
    const char *name[REPAIR_TERMS];
    uint32_t type[REPAIR_TERMS], n = 0;
    of_conditions(atom_search);
    for (uint32_t i = 0; i < rule->n_tensors && n < REPAIR_TERMS; i++, n++) {
        name[n] = rule->tensors[i].name;
        type[n] = rule->tensors[i].type;
    }
    for (uint32_t i = 0; i < rule->n_scalars && n < REPAIR_TERMS; i++, n++) {
        name[n] = rule->scalars[i].name;
        type[n] = rule->scalars[i].type;
    }
    for (uint32_t i = 0; i < n; i++)
        of_one(atom_search, name[i], type[i], i, i < rule->n_tensors ? OF_TENSOR : 0);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++)
            if (type[i] == type[k] && comparable(rule, i, k))
                of_two(atom_search, name[i], name[k], (i + 1) * 1000 + k);
    for (uint32_t i = 0, m = 0; i < rule->n_pats && m < REPAIR_PARTS; i++) {
        struct buf buf = {0};
        if (!is_inner(rule, i))
            continue;
        m++;
        buf_puts(&buf, "(");
        pat_print(rule, i, &buf);
        buf_puts(&buf, ")");
        if (buf.len < REPAIR_PART_TEXT)
            of_one(atom_search,
                   arena_strdup(&atom_search->repair_run->learner->set.mem, buf_text(&buf)),
                   rule->pats[i].type, 100 + i, OF_TERM);
        buf_release(&buf);
    }
}

// ---- search

static void set_bit(struct atom_set *mask, uint32_t i)
{
    mask->at[i / 64] |= UINT64_C(1) << i % 64;
}

// By form (of_one, then of_two): a mask of the forms that it implies.
static uint32_t weaker(uint32_t form)
{
    static const uint32_t than[] = {
        [1] = 1u << 0 | 1u << 2,
        [4] = 1u << 3 | 1u << 2,
        [5] = 1u << 0 | 1u << 3,
        [6] = 1u << 0 | 1u << 1 | 1u << 2,
        [7] = 1u << 2,
        [9] = 1u << 8 | 1u << 13,
        [11] = 1u << 10 | 1u << 13,
        [12] = 1u << 8 | 1u << 10,
        [13] = 0,
    };
    return than[form];
}

// Adds the atoms that the atom implies.
static void set_implied(const struct atom_search *atom_search, struct atom_set *mask, uint32_t atom)
{
    const struct condition_atom *a = &atom_search->atom[atom];
    set_bit(mask, atom);
    for (uint32_t i = 0; i < atom_search->n_atoms && a->about != NONE; i++)
        if (atom_search->atom[i].about == a->about &&
            weaker(a->form) >> atom_search->atom[i].form & 1)
            set_bit(mask, i);
}

static bool has_all(const struct atom_set *mask, const struct atom_set *of)
{
    for (uint32_t i = 0; i < WORDS; i++)
        if (of->at[i] & ~mask->at[i])
            return false;
    return true;
}

// Finds the atoms that new counterexamples meet: those with which they remain
// counterexamples.
static void look_at_witnesses(struct atom_search *atom_search)
{
    while (atom_search->met.len < atom_search->seen.at.len) {
        const struct witness *witness = &atom_search->seen.at.at[atom_search->met.len];
        struct atom_set mask = {0};
        struct err err = {0};
        for (uint32_t i = 0; i < atom_search->n_atoms; i++)
            if (cex_replay(atom_search->with[i], witness->domain, witness->json, &err))
                set_bit(&mask, i);
        vec_push(&atom_search->met, mask);
    }
}

static int by_key(const void *a, const void *b)
{
    const struct pick *pick = a, *y = b;
    if (pick->key != y->key)
        return pick->key < y->key ? -1 : 1;
    return pick->a != y->a ? (pick->a < y->a ? -1 : 1) : (pick->b < y->b ? -1 : 1);
}

static void collect_picks(struct atom_search *atom_search)
{
    for (uint32_t a = 0; a < atom_search->n_atoms; a++) {
        double first = PER_ATOM + atom_search->atom[a].bits + atom_search->atom[a].out;
        struct pick one = {a, a, first};
        vec_push(&atom_search->picks, one);
        for (uint32_t b = a + 1; b < atom_search->n_atoms; b++) {
            if (atom_search->atom[a].about != NONE &&
                atom_search->atom[a].about == atom_search->atom[b].about)
                continue; // equivalent to a single atom, or a contradiction
            struct pick two = {
                a, b, first + PER_ATOM + atom_search->atom[b].bits + atom_search->atom[b].out};
            vec_push(&atom_search->picks, two);
        }
    }
    if (atom_search->picks.len > 0)
        qsort(atom_search->picks.at, atom_search->picks.len, sizeof *atom_search->picks.at, by_key);
}

// Without infinities and lowest values, such an atom excludes nothing.
static bool of_machines(const struct condition_atom *atom)
{
    return strstr(atom->text, "inf") != NULL || strstr(atom->text, "lowest") != NULL;
}

// The domains in which no counterexample meets all the atoms, and which no
// weaker set of them has settled.
static unsigned open_domains(const struct atom_search *atom_search, const struct atom_set *mask)
{
    unsigned open = rule_domains(atom_search->rule) & ~atom_search->repair_run->was.proved &
                    ~atom_search->settled;
    for (uint32_t i = 0; i < atom_search->met.len; i++)
        if (has_all(&atom_search->met.at[i], mask))
            open &= ~(1u << atom_search->seen.at.at[i].domain);
    for (uint32_t i = 0; i < atom_search->kept.len; i++)
        if (has_all(mask, &atom_search->kept.at[i].atoms))
            open &= ~atom_search->kept.at[i].proved;
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if (atom_search->undecided[d] >=
            (d == DOMAIN_FLOAT ? REPAIR_UNDECIDED_FLOAT : REPAIR_UNDECIDED))
            open &= ~(1u << d);
    return open;
}

// Keeps the rule with the atoms of the pick, which was just judged; `ask`: the domains asked.
static void keep_pick(struct atom_search *atom_search, const struct pick *pick,
                      const struct rule *rule, struct judged_domains judged, unsigned ask)
{
    struct repair_run *repair_run = atom_search->repair_run;
    const struct condition_atom *a = &atom_search->atom[pick->a], *b = &atom_search->atom[pick->b];
    const char *what = atom_search->what;
    bool own = atom_search->rule == repair_run->rule, one = pick->a == pick->b;
    struct kept_atoms kept = {.proved = judged.proved};
    struct atom_set mask = {0};
    set_bit(&kept.atoms, pick->a);
    set_bit(&kept.atoms, pick->b);
    set_implied(atom_search, &mask, pick->a);
    set_implied(atom_search, &mask, pick->b);
    vec_push(&atom_search->kept, kept);
    for (uint32_t i = 0; i < atom_search->kept.len; i++)
        if (has_all(&mask, &atom_search->kept.at[i].atoms))
            judged.proved |= atom_search->kept.at[i].proved;
    // A domain in which the rule was true stays proved under more preconditions.
    judged.proved |= atom_search->settled | (own ? repair_run->was.proved & repair_run->claims : 0);
    judged.refuted |= own ? repair_run->was.refuted & ~judged.proved & ~ask : 0;
    repair_run->kind = what ? "change and precondition" : "precondition on elements";
    double bits = PER_ATOM + a->bits;
    if (!one)
        bits += PER_ATOM + b->bits;
    bits += repair_bits(repair_run, rule);
    if ((judged.proved & repair_run->claims) && bits < atom_search->best)
        atom_search->best = bits;
    repair_keep(repair_run, rule, judged, atom_search->cost + bits,
                repair_words(repair_run, "%s%swhere %s%s%s", what ? what : "", what ? "; " : "",
                             a->text, one ? "" : ", ", one ? "" : b->text));
}

static void judge_pick(struct atom_search *atom_search, const struct pick *pick)
{
    struct repair_run *repair_run = atom_search->repair_run;
    const struct condition_atom *a = &atom_search->atom[pick->a], *b = &atom_search->atom[pick->b];
    struct atom_set mask = {0};
    set_implied(atom_search, &mask, pick->a);
    set_implied(atom_search, &mask, pick->b);
    unsigned open = open_domains(atom_search, &mask), ask = open & repair_run->claims;
    if (of_machines(a) || of_machines(b))
        open &= 1u << DOMAIN_WORD | 1u << DOMAIN_FLOAT;
    ask &= open;
    if (open == 0)
        return;
    const struct rule *rule =
        pick->a == pick->b ? atom_search->with[pick->a] : with_atoms(atom_search, a->text, b->text);
    if (rule == NULL)
        return;
    bool met;
    unsigned broken = repair_breaks(repair_run, rule, &met);
    open &= ~broken;
    ask &= open;
    if (!met || open == 0)
        return;
    struct judged_domains judged = {0}, unclaimed;
    if (ask != 0)
        judged = repair_judge(repair_run, rule, ask, true, &atom_search->seen);
    if (judged.proved == 0 && (open & ~ask)) {
        // Asks domains that are not claimed only if no claimed one can be proved.
        unclaimed = repair_judge(repair_run, rule, open & ~ask, true, &atom_search->seen);
        judged.proved |= unclaimed.proved;
        judged.refuted |= unclaimed.refuted;
        ask = open;
    }
    look_at_witnesses(atom_search);
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if ((ask & ~judged.proved & ~judged.refuted) >> d & 1)
            atom_search->undecided[d]++;
    if (judged.proved != 0)
        keep_pick(atom_search, pick, rule, judged, ask);
}

void repair_elements(struct repair_run *repair_run, const struct rule *rule, unsigned settled,
                     double cost, const char *what, uint32_t proofs)
{
    struct atom_search atom_search = {.repair_run = repair_run,
                                      .rule = rule,
                                      .settled = settled,
                                      .best = HUGE_VAL,
                                      .cost = cost,
                                      .what = what};
    uint32_t before = repair_run->out->n_proofs, n = rule->n_tensors + rule->n_scalars;
    if (n == 0 || n > REPAIR_TERMS)
        return;
    draft_init(&atom_search.draft, rule);
    collect_atoms(&atom_search);
    for (uint32_t i = 0; rule == repair_run->rule && i < repair_run->known.at.len; i++)
        vec_push(&atom_search.seen.at, repair_run->known.at.at[i]);
    if (rule != repair_run->rule)
        repair_judge(repair_run, rule, repair_run->all & ~settled, false, &atom_search.seen);
    look_at_witnesses(&atom_search);
    collect_picks(&atom_search);
    for (uint32_t i = 0; i < atom_search.picks.len && !repair_over(repair_run) &&
                         repair_run->out->n_proofs < before + proofs;
         i++) {
        if (atom_search.picks.at[i].key > atom_search.best + BEYOND)
            break;
        judge_pick(&atom_search, &atom_search.picks.at[i]);
    }
    draft_release(&atom_search.draft);
    vec_release(&atom_search.seen.at);
    vec_release(&atom_search.met);
    vec_release(&atom_search.picks);
    vec_release(&atom_search.kept);
}
