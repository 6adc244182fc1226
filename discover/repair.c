// SPDX-License-Identifier: Apache-2.0
#include "discover/repair.h"
#include "base/clock.h"
#include "discover/edit.h"
#include "discover/lab.h"
#include <ctype.h>
#include <string.h>

#define ATTACKS 250
#define MAX_ATOMS 40

const char *repair_kind_text(enum repair_kind k)
{
    static const char *const words[] = {
        [REPAIR_DOMAINS] = "domains",
        [REPAIR_MAPS] = "precondition on maps",
        [REPAIR_ATTRIBUTES] = "attributes",
        [REPAIR_EDIT] = "small change",
        [REPAIR_ELEMENTS] = "precondition on elements",
        [REPAIR_EDIT_AND_ELEMENTS] = "small change and precondition",
    };
    return words[k];
}

struct mending {
    struct learner *l;
    const struct rule *r;
    struct repairs *out;
    bool all;
    uint32_t proofs; // that are left
    double end;
    bool found[N_REPAIR_KINDS];
    unsigned holds_anyway; // domains in which the rule as it is holds
    uint32_t n_atoms;
    const char *atom[MAX_ATOMS];
};

static bool done(const struct mending *w)
{
    return (w->out->at.len > 0 && !w->all) || clock_wall() > w->end ||
           w->l->n_proofs >= w->proofs;
}

// Equal at random values of the maps: `min(m, 1)` is `min(1, m)`.
static bool same_iexp(const struct rule *r, const struct iexp *a,
                      const struct iexp *b)
{
    struct rng rng;
    if (a == NULL || b == NULL)
        return a == b;
    int64_t *value = mem_alloc((r->n_maps + 1) * sizeof *value);
    int64_t **map = mem_alloc((r->n_maps + 1) * sizeof *map);
    bool same = true;
    rng_seed(&rng, 5);
    for (uint32_t m = 0; m < r->n_maps; m++)
        map[m] = &value[m];
    for (uint32_t i = 0; i < 200 && same; i++) {
        int64_t x = 0, y = 0;
        for (uint32_t m = 0; m < r->n_maps; m++)
            value[m] = rng_range(&rng, 0, 9);
        bool p = iexp_eval(a, map, 0, &x), q = iexp_eval(b, map, 0, &y);
        same = p == q && x == y;
    }
    mem_free(value);
    mem_free(map);
    return same;
}

static bool same_attrs(const struct rule *r, const struct pat *a,
                       const struct pat *b)
{
    if (a->n_attrs != b->n_attrs || a->n_sizes != b->n_sizes ||
        a->n_groups != 0 || b->n_groups != 0 || a->n_relabels != 0 ||
        b->n_relabels != 0)
        return false;
    for (uint32_t i = 0; i < a->n_attrs; i++) {
        if (a->attrs[i].cls != b->attrs[i].cls)
            return false;
        for (int k = 0; k < N_ATTRS; k++)
            if (!same_iexp(r, a->attrs[i].v[k], b->attrs[i].v[k]))
                return false;
    }
    for (uint32_t i = 0; i < a->n_sizes; i++)
        if (a->sizes[i].cls != b->sizes[i].cls ||
            !same_iexp(r, a->sizes[i].size, b->sizes[i].size))
            return false;
    return true;
}

// Are both patterns one, but for the spelling of attributes?
static bool same_pattern(const struct rule *r, uint32_t x, uint32_t y)
{
    const struct pat *a = &r->pats[x], *b = &r->pats[y];
    struct buf s = {0}, t = {0};
    pat_print(r, x, &s);
    pat_print(r, y, &t);
    bool same = strcmp(buf_text(&s), buf_text(&t)) == 0;
    buf_release(&s);
    buf_release(&t);
    if (same)
        return true;
    if (a->kind != PAT_OP || b->kind != PAT_OP || a->op != b->op ||
        a->dir != b->dir || a->reducer != b->reducer || a->opvar != b->opvar ||
        a->classes != b->classes || a->batch != b->batch ||
        a->spatial != b->spatial || a->flipped != b->flipped ||
        a->n_args != b->n_args || a->n_args == 0 ||
        a->n_attrs + a->n_args < 2 || !same_attrs(r, a, b))
        return false;
    for (uint32_t i = 0; i < a->n_args; i++)
        if (!same_pattern(r, a->args[i], b->args[i]))
            return false;
    return true;
}

static bool same_sides(const struct rule *r)
{
    return same_pattern(r, r->lhs, r->rhs);
}

static void keep(struct mending *w, enum repair_kind kind,
                 const struct draft *d, unsigned proved, const char *what)
{
    struct draft own;
    struct err e = {0};
    draft_copy(&own, d);
    own.r.claims = proved;
    const struct rule *r = draft_rule(&own, &w->l->set, &e);
    draft_release(&own);
    if (r == NULL)
        return;
    struct repair one = {kind, r, proved, arena_strdup(&w->l->set.mem, what)};
    vec_push(&w->out->at, one);
    w->found[kind] = true;
}

// In which domains of the mask the draft is a rule that no instance breaks and
// the prover proves.
static unsigned holds(struct mending *w, struct draft *d, unsigned domains)
{
    struct err e = {0};
    const struct learn_memo *memo;
    unsigned proved = 0;
    d->r.claims = rule_domains(&d->r);
    const struct rule *r = draft_rule(d, &w->l->set, &e);
    w->l->n_rules++;
    w->out->tried++;
    // A change that makes two types one says less than it seems to.
    if (r == NULL || same_sides(r) || r->n_types < w->r->n_types)
        return 0;
    unsigned open = rule_domains(r) & domains;
    for (unsigned i = 0; i < N_DOMAINS && !done(w); i++)
        if (open >> i & 1 && learner_attack(w->l, r, 1u << i, ATTACKS) == NULL)
            proved |= learner_prove(w->l, r, 1u << i, true, &memo);
    return proved;
}

static bool try_draft(struct mending *w, enum repair_kind kind, struct draft *d,
                      const char *what)
{
    // Where the rule holds as it is there is nothing to repair.
    unsigned proved = holds(w, d, ~w->holds_anyway);
    if (proved == 0)
        return false;
    proved |= holds(w, d, w->holds_anyway);
    keep(w, kind, d, proved, what);
    return true;
}

// ---- maps

static const char *terms_text(struct mending *w, const struct learned *a,
                              const char *before)
{
    struct buf b = {0};
    buf_puts(&b, before);
    for (uint32_t i = 0; i < a->n_terms; i++)
        buf_printf(&b, "%s%s",
                   i       ? ", "
                   : b.len ? "; where "
                           : "where ",
                   a->term[i]);
    const char *s = arena_strdup(&w->l->set.mem, buf_text(&b));
    buf_release(&b);
    return s;
}

static bool maps_on(const struct draft *d, uint32_t cls)
{
    for (uint32_t m = 0; m < d->r.n_maps; m++)
        if (d->maps[m].cls != NONE && d->maps[m].def == NULL &&
            class_root(&d->r, d->maps[m].cls) == cls)
            return true;
    return false;
}

// The best that was learned so far, of one kind.
struct mended {
    struct learned a;
    const char *what;
    uint32_t coverage; // of a thousand points
};

// With `pat`: the attributes of this pattern are solved for.
static void learn_maps(struct mending *w, uint32_t cls, uint32_t pat,
                       struct mended *best)
{
    struct draft d;
    struct slots s = {0};
    uint32_t unknown[6], n = 0;
    bool positive[6];
    const char *why;
    struct learned a;
    struct buf what = {0};
    draft_init(&d, w->r);
    draft_slots(&d, d.r.rhs, cls, &s);
    for (uint32_t i = 0; i < s.len && n < 6; i++) {
        if (s.at[i].pat != pat ||
            (s.at[i].at != NULL && s.at[i].at->op == IE_MAP) ||
            (s.at[i].at == NULL && s.at[i].usual == -1) ||
            iexp_at_run_time(&d.r, s.at[i].at))
            continue;
        uint32_t m = draft_new_map(&d, "u", s.at[i].cls);
        draft_set_slot(&d, &s.at[i], draft_map(&d, m));
        positive[n] = s.at[i].usual == 1;
        unknown[n++] = m;
    }
    struct sketch k = {.draft = &d,
                       .root = cls,
                       .n_unknown = n,
                       .unknown = unknown,
                       .positive = positive,
                       .domains = w->r->claims,
                       .some_domains = true};
    if ((pat == NONE || (n > 0 && n <= 4)) && learn(w->l, &k, &a, &why) &&
        !same_sides(a.rule)) {
        for (uint32_t u = 0; u < n; u++)
            buf_printf(&what, "%s%s", u ? ", " : "attributes ", a.expr[u]);
        uint32_t coverage = a.points ? 1000 * a.covered / a.points : 0;
        if (best->what == NULL || coverage > best->coverage)
            *best = (struct mended){a, terms_text(w, &a, buf_text(&what)),
                                    coverage};
    }
    buf_release(&what);
    vec_release(&s);
    draft_release(&d);
}

static void keep_mended(struct mending *w, enum repair_kind kind,
                        const struct mended *m)
{
    struct draft d;
    if (m->what == NULL)
        return;
    draft_init(&d, m->a.rule);
    keep(w, kind, &d, m->a.proved, m->what);
    draft_release(&d);
}

// On every family of axes: a precondition for the sides as they are, and other
// attributes, operator by operator.
static void mend_maps(struct mending *w)
{
    struct mended where = {.what = NULL}, attributes = {.what = NULL};
    struct draft d;
    draft_init(&d, w->r);
    for (uint32_t c = 0; c < w->r->n_classes; c++) {
        if (class_root(w->r, c) != c || !maps_on(&d, c))
            continue;
        if (!done(w))
            learn_maps(w, c, NONE, &where);
        for (uint32_t i = 0; i < w->r->n_pats && !done(w); i++)
            if (draft_below(w->r, w->r->rhs, i) &&
                w->r->pats[i].kind != PAT_TENSOR)
                learn_maps(w, c, i, &attributes);
    }
    keep_mended(w, REPAIR_MAPS, &where);
    keep_mended(w, REPAIR_ATTRIBUTES, &attributes);
    draft_release(&d);
}

// ---- elements

static void add_atom(struct mending *w, const char *fmt, const char *a,
                     const char *b)
{
    struct buf t = {0};
    for (const char *s = fmt; *s; s++)
        if (*s == '$')
            buf_puts(&t, a);
        else if (*s == '@')
            buf_puts(&t, b);
        else
            buf_putc(&t, *s);
    if (w->n_atoms < MAX_ATOMS)
        w->atom[w->n_atoms++] = arena_strdup(&w->l->set.mem, buf_text(&t));
    buf_release(&t);
}

// The text with one name in place of another.
static void rename_word(const char *text, const char *from, const char *to,
                        struct buf *out)
{
    size_t n = strlen(from);
    for (const char *s = text; *s;) {
        bool word =
            s == text || !(isalnum((unsigned char)s[-1]) || s[-1] == '_');
        if (word && strncmp(s, from, n) == 0 &&
            !(isalnum((unsigned char)s[n]) || s[n] == '_')) {
            buf_puts(out, to);
            s += n;
        } else {
            buf_putc(out, *s++);
        }
    }
}

// Two tensors of one shape, or a scalar and anything: else a comparison would
// say something of sizes.
static bool same_extent(const struct draft *d, uint32_t i, uint32_t k)
{
    uint32_t n = d->r.n_tensors;
    if (i >= n || k >= n)
        return true;
    struct buf a = {0}, b = {0};
    const struct tensor_var *x = &d->tensors[i], *y = &d->tensors[k];
    for (uint32_t j = 0; j < x->n_sizes; j++) {
        buf_printf(&a, "%u:", x->sizes[j].cls);
        iexp_print(&d->r, x->sizes[j].size, &a);
    }
    for (uint32_t j = 0; j < y->n_sizes; j++) {
        buf_printf(&b, "%u:", y->sizes[j].cls);
        iexp_print(&d->r, y->sizes[j].size, &b);
    }
    bool same = strcmp(buf_text(&a), buf_text(&b)) == 0;
    buf_release(&a);
    buf_release(&b);
    return same;
}

// Conditions on elements that the rule might be meant with: of single operands,
// of pairs, and what is demanded of one operand already, of another.
static void list_atoms(struct mending *w, const struct draft *d)
{
    static const char *const single[] = {"$ != 0", "$ >= 0", "$ > 0"};
    uint32_t nt = d->r.n_tensors, n = nt + d->r.n_scalars;
#define NAME(i) ((i) < nt ? d->tensors[i].name : d->scalars[(i)-nt].name)
#define TYPE(i) ((i) < nt ? d->tensors[i].type : d->scalars[(i)-nt].type)
    for (uint32_t c = 0; c < d->r.n_wheres; c++)
        for (uint32_t i = 0; i < n && d->wheres[c].cond == NULL; i++)
            for (uint32_t k = 0; k < n; k++) {
                struct buf p = {0}, t = {0};
                pat_print(&d->r, d->wheres[c].pat, &p);
                rename_word(buf_text(&p), NAME(i), NAME(k), &t);
                if (i != k && same_extent(d, i, k) &&
                    strcmp(buf_text(&p), buf_text(&t)) != 0)
                    add_atom(w, buf_text(&t), "", "");
                buf_release(&p);
                buf_release(&t);
            }
    for (size_t k = 0; k < sizeof single / sizeof *single; k++)
        for (uint32_t i = 0; i < n; i++)
            if (d->types[TYPE(i)].kinds & ~(unsigned)KIND_BOOL)
                add_atom(w, single[k], NAME(i), "");
    for (uint32_t i = nt; i < n; i++)
        if (d->types[TYPE(i)].kinds & ~(unsigned)KIND_BOOL)
            add_atom(w, "$ == 1", NAME(i), "");
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++)
            if (i != k && TYPE(i) == TYPE(k) && same_extent(d, i, k)) {
                add_atom(w, "$ >= @", NAME(i), NAME(k));
                if (i < k)
                    add_atom(w, "$ == @", NAME(i), NAME(k));
            }
#undef NAME
#undef TYPE
}

static bool with_atoms(struct mending *w, enum repair_kind kind,
                       const struct draft *d, const char *before, const char *a,
                       const char *b)
{
    struct draft own;
    struct buf t = {0}, what = {0};
    draft_copy(&own, d);
    buf_printf(&what, "%s%swhere ", before, *before ? "; " : "");
    buf_printf(&t, "all(%s)", a);
    draft_where(&own, buf_text(&t));
    buf_puts(&what, buf_text(&t));
    if (b != NULL) {
        buf_clear(&t);
        buf_printf(&t, "all(%s)", b);
        draft_where(&own, buf_text(&t));
        buf_printf(&what, ", %s", buf_text(&t));
    }
    bool ok = try_draft(w, kind, &own, buf_text(&what));
    buf_release(&t);
    buf_release(&what);
    draft_release(&own);
    return ok;
}

static void learn_elements(struct mending *w)
{
    struct draft d;
    draft_init(&d, w->r);
    list_atoms(w, &d);
    for (uint32_t i = 0; i < w->n_atoms && !done(w); i++)
        if (with_atoms(w, REPAIR_ELEMENTS, &d, "", w->atom[i], NULL))
            break;
    for (uint32_t i = 0; i < w->n_atoms && !w->found[REPAIR_ELEMENTS]; i++)
        for (uint32_t k = i + 1;
             k < w->n_atoms && !done(w) && !w->found[REPAIR_ELEMENTS]; k++)
            with_atoms(w, REPAIR_ELEMENTS, &d, "", w->atom[i], w->atom[k]);
    draft_release(&d);
}

// ---- edits

static void try_edits(struct mending *w, bool atoms)
{
    enum repair_kind kind = atoms ? REPAIR_EDIT_AND_ELEMENTS : REPAIR_EDIT;
    for (uint32_t k = 0; !done(w) && !w->found[kind]; k++) {
        struct draft d;
        draft_init(&d, w->r);
        const char *what = edit_make(&d, k);
        if (what != NULL && !atoms)
            try_draft(w, kind, &d, what);
        for (uint32_t i = 0; what != NULL && atoms && i < w->n_atoms &&
                             i < 12 && !done(w) && !w->found[kind];
             i++)
            with_atoms(w, kind, &d, what, w->atom[i], NULL);
        draft_release(&d);
        if (what == NULL)
            return;
    }
}

void repair(struct learner *l, const struct rule *r,
            const struct repair_options *o, bool all, struct repairs *out)
{
    double start = clock_wall();
    struct mending w = {.l = l, .r = r, .out = out, .all = all};
    const struct learn_memo *memo;
    *out = (struct repairs){.tried = 0};
    w.proofs = l->n_proofs + (o->proofs ? o->proofs : 150);
    w.end = start + (o->seconds > 0 ? o->seconds : 60);
    unsigned domains = rule_domains(r);
    out->already = learner_prove(l, r, r->claims, false, &memo);
    out->counterexample = memo->counterexample;
    // What is asked is what the counterexample is to; elsewhere it may hold.
    struct draft d;
    draft_init(&d, r);
    unsigned elsewhere = learner_prove(l, r, domains, false, &memo);
    if (out->already == r->claims)
        elsewhere = 0;
    if (elsewhere != 0)
        keep(&w, REPAIR_DOMAINS, &d, elsewhere, "only where it holds");
    bool bare = w.found[REPAIR_DOMAINS];
    w.holds_anyway = elsewhere | out->already;
    if (out->already != r->claims && !done(&w))
        mend_maps(&w);
    draft_release(&d);
    if (out->already != r->claims) {
        if (!done(&w))
            try_edits(&w, false);
        if (!done(&w))
            learn_elements(&w);
        if (!done(&w) && !bare && out->at.len == 0)
            try_edits(&w, true);
    }
    out->seconds = clock_wall() - start;
}

void repairs_release(struct repairs *r)
{
    vec_release(&r->at);
}
