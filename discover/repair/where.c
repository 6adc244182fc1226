// SPDX-License-Identifier: Apache-2.0
// Preconditions on elements.  A set of atoms is out of the question as soon as
// some counterexample meets all of them; what is left is judged, from weak to
// strong, and gives new counterexamples.
#include "discover/repair/core.h"
#include "verify/counterexample/search.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_ATOMS 128
#define WORDS (MAX_ATOMS / 64)
#define MAX_TERMS 10  // that atoms speak of
#define SIGNS 8       // forms of one term that say where it lies
#define OF_TENSOR 0.1 // a statement of many elements, not of one
#define TRUTHS 11     // the first form that says so
#define OF_TWO 0.3    // a comparison of two rather than with a number
#define OF_TERM 0.5   // a statement of more than variables
#define PER_ATOM 2.0  // its cost beside what it leaves out
#define OF_ONE_VALUE 4.0 // that something is one constant: samples are of few
                         // values and meet it too often
#define ONE_VALUED 16.0  // the same of all elements of a tensor
#define OF_EQUALS 5.5 // that two are equal
#define BEYOND 3.0    // bits above the best one of a hunt, which ends there
#define UNDECIDED 30  // sets, then a domain is given up
#define UNDECIDED_FLOAT 6 // the same of floats, which take longest

struct atom_set {
    uint64_t at[WORDS];
};
struct condition_atom {
    const char *text;
    uint32_t about; // compares the same two as other atoms do; NONE: nothing
    uint32_t form;  // how, then
    double bits;    // for what it speaks of
    double out;     // that it leaves out
};
struct pick { // one atom, or two
    uint32_t a, b;
    double key;
};
struct kept_atoms {
    struct atom_set atoms;
    unsigned proved;
};
struct atom_search {
    struct repair_run *s;
    const struct rule *r;
    unsigned settled; // domains that need no precondition
    struct draft d;
    uint32_t n_atoms;
    struct condition_atom atom[MAX_ATOMS];
    const struct rule *with[MAX_ATOMS]; // the rule with the atom alone
    struct witnesses seen;
    VEC(struct atom_set) met; // atoms that a witness meets
    VEC(struct pick) picks;
    VEC(struct kept_atoms) kept;
    uint32_t undecided[N_DOMAINS];
    double best; // cost of what was kept, of claimed domains
};

// ---- atoms

static const struct rule *with_atoms(struct atom_search *h, const char *a,
                                     const char *b)
{
    struct draft d;
    struct err e = {0};
    draft_copy(&d, &h->d);
    draft_where(&d, a);
    if (b != NULL)
        draft_where(&d, b);
    const struct rule *r = draft_rule(&d, &h->s->l->set, &e);
    h->s->l->n_rules++;
    h->s->out->n_candidates++;
    draft_release(&d);
    return r;
}

static void add_atom(struct atom_search *h, const char *text, uint32_t about,
                     uint32_t form, double bits)
{
    if (h->n_atoms == MAX_ATOMS)
        return;
    for (uint32_t i = 0; i < h->n_atoms; i++)
        if (strcmp(h->atom[i].text, text) == 0)
            return;
    const struct rule *r = with_atoms(h, text, NULL);
    if (r == NULL) // does not fit the types
        return;
    h->with[h->n_atoms] = r;
    h->atom[h->n_atoms++] = 
        (struct condition_atom){text, about, form, bits, repair_bits(h->s, r)};
}

// Does the form, of such a type, leave a single value?
static bool one_value(uint32_t form, unsigned kinds)
{
    return (form >= 5 && form <= 7) || form >= TRUTHS ||
           (form == 3 && kinds == KIND_UINT);
}

static void of_one(struct atom_search *h, const char *x, uint32_t type, uint32_t about,
                   double bits)
{
    unsigned kinds = type < h->r->n_types ? h->r->types[type].kinds : 0;
    bool tensor = about < h->r->n_tensors;
    static const char *const forms[] = {
        "all(%s >= 0)",      "all(%s > 0)",        "all(%s != 0)",
        "all(%s <= 0)",      "all(%s < 0)",        "all(%s == 0)",
        "all(%s == 1)",      "all(%s == -1)",      "all(%s != lowest)",
        "all(%s < inf)",     "all(abs(%s) < inf)", "all(%s)",
        "all(!(%s))",
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char line[600];
        const char *hole = strstr(forms[i], "%s");
        double more = !one_value((uint32_t)i, kinds) ? 0
                      : tensor                       ? ONE_VALUED
                                                     : OF_ONE_VALUE;
        snprintf(line, sizeof line, "%.*s%s%s", (int)(hole - forms[i]),
                 forms[i], x, hole + 2);
        add_atom(h, arena_strdup(&h->s->l->set.mem, line),
                 i < SIGNS ? about : NONE, (uint32_t)i,
                 bits + more);
    }
}

static void of_two(struct atom_search *h, const char *x, const char *y, uint32_t about)
{
    static const char *const forms[] = {" >= ", " > ", " <= ", " < ", " == ",
                                        " != "};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        add_atom(h, repair_words(h->s, "all(%s%s%s)", x, forms[i], y), about,
                 SIGNS + (uint32_t)i, OF_TWO + (i == 4 ? OF_EQUALS : 0));
    add_atom(h, repair_words(h->s, "all(%s*%s >= 0)", x, y), NONE, 0, OF_TERM);
    add_atom(h, repair_words(h->s, "all(%s*%s > 0)", x, y), NONE, 0, OF_TERM);
}

static bool is_inner(const struct rule *r, uint32_t i)
{
    const struct pat *p = &r->pats[i];
    return (p->kind == PAT_OP || p->kind == PAT_OPVAR) && p->n_args > 0 &&
           i != r->lhs && i != r->rhs && draft_below(r, r->lhs, i);
}

// What the rule asks of one variable, asked of another one.
static void of_conditions(struct atom_search *h)
{
    const struct rule *r = h->r;
    for (uint32_t w = 0; w < r->n_wheres; w++)
        for (uint32_t a = 0; a < r->n_tensors && !r->wheres[w].cond; a++)
            for (uint32_t b = 0; b < r->n_tensors; b++) {
                struct draft d;
                struct buf text = {0};
                if (a == b)
                    continue;
                draft_copy(&d, &h->d);
                uint32_t root = d.wheres[w].pat;
                for (uint32_t i = 0; i < d.r.n_pats; i++)
                    if (d.pats[i].kind == PAT_TENSOR && d.pats[i].var == a &&
                        draft_below(&d.r, root, i))
                        d.pats[i].var = b;
                buf_puts(&text, "all(");
                pat_print(&d.r, root, &text);
                buf_puts(&text, ")");
                add_atom(h, arena_strdup(&h->s->l->set.mem, buf_text(&text)),
                         NONE, 0, 0);
                buf_release(&text);
                draft_release(&d);
            }
}

// A comparison of tensors would ask for equal sizes, too.
static bool comparable(const struct rule *r, uint32_t a, uint32_t b)
{
    if (a >= r->n_tensors || b >= r->n_tensors)
        return true;
    const struct tensor_var *x = &r->tensors[a], *y = &r->tensors[b];
    bool same = x->n_sizes == y->n_sizes;
    for (uint32_t i = 0; same && i < x->n_sizes; i++)
        same = x->sizes[i].cls == y->sizes[i].cls &&
               x->sizes[i].size->op == IE_MAP &&
               y->sizes[i].size->op == IE_MAP &&
               x->sizes[i].size->map == y->sizes[i].size->map;
    return same;
}

static void collect_atoms(struct atom_search *h)
{
    const struct rule *r = h->r;
    const char *name[MAX_TERMS];
    uint32_t type[MAX_TERMS], n = 0;
    of_conditions(h);
    for (uint32_t i = 0; i < r->n_tensors && n < MAX_TERMS; i++, n++) {
        name[n] = r->tensors[i].name;
        type[n] = r->tensors[i].type;
    }
    for (uint32_t i = 0; i < r->n_scalars && n < MAX_TERMS; i++, n++) {
        name[n] = r->scalars[i].name;
        type[n] = r->scalars[i].type;
    }
    for (uint32_t i = 0; i < n; i++)
        of_one(h, name[i], type[i], i, i < r->n_tensors ? OF_TENSOR : 0);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++)
            if (type[i] == type[k] && comparable(r, i, k))
                of_two(h, name[i], name[k], (i + 1) * 1000 + k);
    for (uint32_t i = 0, m = 0; i < r->n_pats && m < 4; i++) {
        struct buf b = {0};
        if (!is_inner(r, i))
            continue;
        m++;
        buf_puts(&b, "(");
        pat_print(r, i, &b);
        buf_puts(&b, ")");
        if (b.len < 200)
            of_one(h, arena_strdup(&h->s->l->set.mem, buf_text(&b)),
                   r->pats[i].type, 100 + i, OF_TERM);
        buf_release(&b);
    }
}

// ---- the hunt

static void set_bit(struct atom_set *m, uint32_t i)
{
    m->at[i / 64] |= UINT64_C(1) << i % 64;
}

// The forms (of_one, then of_two) that a form says more than.
static uint32_t weaker(uint32_t form)
{
    static const uint32_t than[] = {
        [1] = 1u << 0 | 1u << 2,   [4] = 1u << 3 | 1u << 2,
        [5] = 1u << 0 | 1u << 3,   [6] = 1u << 0 | 1u << 1 | 1u << 2,
        [7] = 1u << 2,             [9] = 1u << 8 | 1u << 13,
        [11] = 1u << 10 | 1u << 13, [12] = 1u << 8 | 1u << 10,
        [13] = 0,
    };
    return than[form];
}

// The atoms that hold where this one does.
static void set_implied(const struct atom_search *h, struct atom_set *m, uint32_t atom)
{
    const struct condition_atom *a = &h->atom[atom];
    set_bit(m, atom);
    for (uint32_t i = 0; i < h->n_atoms && a->about != NONE; i++)
        if (h->atom[i].about == a->about &&
            weaker(a->form) >> h->atom[i].form & 1)
            set_bit(m, i);
}

static bool has_all(const struct atom_set *m, const struct atom_set *of)
{
    for (uint32_t i = 0; i < WORDS; i++)
        if (of->at[i] & ~m->at[i])
            return false;
    return true;
}

// Which atoms the new counterexamples meet: all that leave them ones.
static void look_at_witnesses(struct atom_search *h)
{
    while (h->met.len < h->seen.at.len) {
        const struct witness *w = &h->seen.at.at[h->met.len];
        struct atom_set m = {0};
        struct err e = {0};
        for (uint32_t i = 0; i < h->n_atoms; i++)
            if (cex_replay(h->with[i], w->domain, w->json, &e))
                set_bit(&m, i);
        vec_push(&h->met, m);
    }
}

static int by_key(const void *a, const void *b)
{
    const struct pick *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->a != y->a ? (x->a < y->a ? -1 : 1) : (x->b < y->b ? -1 : 1);
}

static void collect_picks(struct atom_search *h)
{
    for (uint32_t a = 0; a < h->n_atoms; a++) {
        double first = PER_ATOM + h->atom[a].bits + h->atom[a].out;
        struct pick one = {a, a, first};
        vec_push(&h->picks, one);
        for (uint32_t b = a + 1; b < h->n_atoms; b++) {
            if (h->atom[a].about != NONE &&
                h->atom[a].about == h->atom[b].about)
                continue; // another single one, or nothing
            struct pick two = {
                a, b, first + PER_ATOM + h->atom[b].bits + h->atom[b].out};
            vec_push(&h->picks, two);
        }
    }
    if (h->picks.len > 0)
        qsort(h->picks.at, h->picks.len, sizeof *h->picks.at, by_key);
}

// Where there are no bits and no infinities such an atom says nothing.
static bool of_machines(const struct condition_atom *a)
{
    return strstr(a->text, "inf") != NULL || strstr(a->text, "lowest") != NULL;
}

// Domains in which no counterexample meets all the atoms and which no weaker
// set of them has settled.
static unsigned open_domains(const struct atom_search *h, const struct atom_set *m)
{
    unsigned open = rule_domains(h->r) & ~h->s->was.proved & ~h->settled;
    for (uint32_t i = 0; i < h->met.len; i++)
        if (has_all(&h->met.at[i], m))
            open &= ~(1u << h->seen.at.at[i].domain);
    for (uint32_t i = 0; i < h->kept.len; i++)
        if (has_all(m, &h->kept.at[i].atoms))
            open &= ~h->kept.at[i].proved;
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if (h->undecided[d] >=
            (d == DOMAIN_FLOAT ? UNDECIDED_FLOAT : UNDECIDED))
            open &= ~(1u << d);
    return open;
}

static void judge_pick(struct atom_search *h, const struct pick *p, double cost,
                       const char *what)
{
    struct repair_run *s = h->s;
    struct atom_set m = {0};
    struct atom_set own = {0};
    set_bit(&own, p->a);
    set_bit(&own, p->b);
    set_implied(h, &m, p->a);
    set_implied(h, &m, p->b);
    unsigned open = open_domains(h, &m), ask = open & s->claims;
    if (of_machines(&h->atom[p->a]) || of_machines(&h->atom[p->b]))
        open &= 1u << DOMAIN_WORD | 1u << DOMAIN_FLOAT;
    ask &= open;
    if (open == 0)
        return;
    const char *a = h->atom[p->a].text, *b = h->atom[p->b].text;
    const struct rule *r =
        p->a == p->b ? h->with[p->a] : with_atoms(h, a, b);
    if (r == NULL)
        return;
    bool met;
    unsigned broken = repair_breaks(s, r, &met);
    open &= ~broken;
    ask &= open;
    if (!met || open == 0)
        return;
    struct judged_domains j = {0}, k;
    if (ask != 0)
        j = repair_judge(s, r, ask, true, &h->seen);
    if (j.proved == 0 && (open & ~ask)) {
        // Domains that are not claimed, where no claimed one can be.
        k = repair_judge(s, r, open & ~ask, true, &h->seen);
        j.proved |= k.proved;
        j.refuted |= k.refuted;
        ask = open;
    }
    look_at_witnesses(h);
    for (unsigned d = 0; d < N_DOMAINS; d++)
        if ((ask & ~j.proved & ~j.refuted) >> d & 1)
            h->undecided[d]++;
    if (j.proved == 0)
        return;
    struct kept_atoms kept = {own, j.proved};
    vec_push(&h->kept, kept);
    for (uint32_t i = 0; i < h->kept.len; i++)
        if (has_all(&m, &h->kept.at[i].atoms))
            j.proved |= h->kept.at[i].proved;
    // What was true stays true where less is asked for.
    j.proved |= h->settled | (h->r == s->rule ? s->was.proved & s->claims : 0);
    j.refuted |= h->r == s->rule ? s->was.refuted & ~j.proved & ~ask : 0;
    s->kind = what ? "change and precondition" : "precondition on elements";
    double bits = PER_ATOM + h->atom[p->a].bits;
    if (p->a != p->b)
        bits += PER_ATOM + h->atom[p->b].bits;
    bits += repair_bits(s, r);
    if ((j.proved & s->claims) && bits < h->best)
        h->best = bits;
    repair_keep(s, r, j, cost + bits,
              repair_words(s, "%s%swhere %s%s%s", what ? what : "",
                        what ? "; " : "", a, p->a == p->b ? "" : ", ",
                        p->a == p->b ? "" : b));
}

void repair_elements(struct repair_run *s, const struct rule *r, unsigned settled,
                     double cost, const char *what, uint32_t proofs)
{
    struct atom_search h = {.s = s, .r = r, .settled = settled, .best = HUGE_VAL};
    uint32_t before = s->out->n_proofs, n = r->n_tensors + r->n_scalars;
    if (n == 0 || n > MAX_TERMS)
        return;
    draft_init(&h.d, r);
    collect_atoms(&h);
    for (uint32_t i = 0; r == s->rule && i < s->known.at.len; i++)
        vec_push(&h.seen.at, s->known.at.at[i]);
    if (r != s->rule)
        repair_judge(s, r, s->all & ~settled, false, &h.seen);
    look_at_witnesses(&h);
    collect_picks(&h);
    for (uint32_t i = 0; i < h.picks.len && !repair_over(s) &&
                         s->out->n_proofs < before + proofs;
         i++) {
        if (h.picks.at[i].key > h.best + BEYOND)
            break;
        judge_pick(&h, &h.picks.at[i], cost, what);
    }
    draft_release(&h.d);
    vec_release(&h.seen.at);
    vec_release(&h.met);
    vec_release(&h.picks);
    vec_release(&h.kept);
}
