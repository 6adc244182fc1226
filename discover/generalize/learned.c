// SPDX-License-Identifier: Apache-2.0
// Changes with which the right side and a precondition are learned.
#include "discover/generalize/widen.h"
#include <string.h>

static bool bare(const struct draft_slot *s)
{
    return s->at != NULL && s->at->op == IE_MAP;
}

// The right side's attributes on the family become unknown: those that are no
// bare maps, or all.  How many; 0: none or too many.
static uint32_t make_unknown(struct draft *d, uint32_t cls, bool all,
                             uint32_t *unknown, bool *positive)
{
    struct draft_slot_list s = {0};
    uint32_t n = 0;
    draft_slots(d, d->r.rhs, class_root(&d->r, cls), &s);
    for (uint32_t i = 0; i < s.len && n < 6; i++) {
        if (!all && bare(&s.at[i]))
            continue;
        if ((s.at[i].at == NULL && s.at[i].usual == -1 && !all) ||
            iexp_at_run_time(&d->r, s.at[i].at))
            continue; // a limit or size that is the size; a run-time place
        uint32_t m = draft_new_map(d, "u", s.at[i].cls);
        draft_set_slot(d, &s.at[i], draft_map(d, m));
        positive[n] = s.at[i].usual == 1;
        unknown[n++] = m;
    }
    vec_release(&s);
    return n <= (all ? 5 : 4) ? n : 0;
}

static uint32_t coverage(const struct learned *a)
{
    return a->points ? 1000 * a->covered / a->points : 0;
}

// Learns the change with the right side as it is and with new attributes, and
// takes what covers more.
static bool try_learning(struct widening *w, const struct draft *d,
                         uint32_t cls, const char *narrow, const char *what)
{
    struct learned best = {0}, one;
    const char *why = NULL, *reason = NULL;
    bool found = false;
    for (int how = 0; how < 3 && !widening_over(w); how++) {
        uint32_t unknown[6], n = 0;
        bool positive[6];
        struct draft own;
        if (found && coverage(&best) > (how == 2 ? 900 : 980))
            break;
        draft_copy(&own, d);
        if (how > 0)
            n = make_unknown(&own, cls, how == 2, unknown, positive);
        struct learn_problem k = {.draft = &own,
                           .root = cls,
                           .n_unknown = n,
                           .unknown = unknown,
                           .positive = positive,
                           .narrow = narrow,
                           .domains = w->claims};
        if ((how == 0 || n > 0) && learn_rule(w->l, &k, &one, &why)) {
            if (!found || coverage(&one) > coverage(&best) + 20)
                best = one;
            found = true;
        } else if (how == 0 || reason == NULL) {
            reason = why;
        }
        draft_release(&own);
    }
    if (!found) {
        widening_refuse(w, what, reason ? reason : "");
        return false;
    }
    for (uint32_t i = 0; i < w->g->variants.len; i++)
        if (strcmp(w->g->variants.at[i].rule->hash, best.rule->hash) == 0)
            return false;
    struct buf b = {0};
    buf_puts(&b, what);
    for (uint32_t i = 0; i < best.n_terms; i++)
        buf_printf(&b, "%s%s", i ? ", " : "; where ", best.term[i]);
    widening_accept(w, best.rule, best.proved,
                    arena_strdup(&w->l->set.mem, buf_text(&b)), best.wider);
    buf_release(&b);
    return true;
}

bool widen_where(struct widening *w, uint32_t i)
{
    struct draft d;
    draft_init(&d, w->cur);
    bool done = false;
    if (i < d.r.n_wheres && d.wheres[i].cond != NULL) {
        const char *cond = widening_where(w, &d.r, i);
        const char *what = widening_text(w, "without %s", cond);
        uint32_t family = d.wheres[i].family;
        draft_drop_where(&d, i);
        if (!widening_refused(w, what))
            done = try_learning(w, &d, family, cond, what);
    }
    draft_release(&d);
    return done;
}

// ---- constants to maps

// How often the map stands in the slots of the left side before slot `i`.
static bool seen_before(const struct draft_slot_list *s, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (bare(&s->at[k]) && s->at[k].at->map == s->at[i].at->map)
            return true;
    return false;
}

static const struct iexp *size_along(const struct pat *p, uint32_t cls)
{
    for (uint32_t i = 0; i < p->n_sizes; i++)
        if (p->sizes[i].cls == cls)
            return p->sizes[i].size;
    return NULL;
}

bool widen_slot(struct widening *w, uint32_t i)
{
    struct draft d;
    struct draft_slot_list s = {0};
    bool done = false;
    draft_init(&d, w->cur);
    draft_slots(&d, d.r.lhs, NONE, &s);
    if (i < s.len && (!bare(&s.at[i]) || seen_before(&s, i)) &&
        !iexp_at_run_time(&d.r, s.at[i].at)) {
        struct draft_slot *at = &s.at[i];
        struct pat *p = &d.pats[at->pat];
        const struct iexp *x = at->at;
        struct buf b = {0}, guard = {0};
        if (x == NULL && at->usual == -1 && p->n_args > 0)
            x = size_along(&d.pats[p->args[0]], at->cls);
        else if (x == NULL && at->usual >= 0)
            x = draft_const(&d, at->usual);
        bool broadcast = p->kind == PAT_SPLAT ||
                         (p->kind == PAT_OP && p->op == OP_BROADCAST_IN_DIM);
        // Nor is what is said of some axes meant of all.
        bool meant = p->n_attrs == 0;
        for (uint32_t k = 0; k < p->n_attrs; k++)
            meant = meant || p->attrs[k].cls == at->cls;
        // The size of a lifted scalar is no choice.
        if (meant && x != NULL && (!broadcast || x->op == IE_CONST)) {
            iexp_print(&d.r, x, &b);
            uint32_t m = draft_new_map(&d, at->stem, at->cls);
            draft_set_slot(&d, at, draft_map(&d, m));
            buf_printf(&guard, "%s == %s", d.maps[m].name, buf_text(&b));
            const char *what =
                widening_text(w, "%s of %s freed", buf_text(&guard),
                              p->kind == PAT_OP ? op_name(p->op) : "broadcast");
            const char *was = arena_strdup(&w->l->set.mem, buf_text(&guard));
            done = !widening_refused(w, what) &&
                   try_learning(w, &d, at->cls, was, what);
        }
        buf_release(&b);
        buf_release(&guard);
    }
    vec_release(&s);
    draft_release(&d);
    return done;
}

uint32_t widen_n_slots(const struct widening *w)
{
    struct draft d;
    struct draft_slot_list s = {0};
    draft_init(&d, w->cur);
    draft_slots(&d, d.r.lhs, NONE, &s);
    uint32_t n = s.len;
    vec_release(&s);
    draft_release(&d);
    return n;
}
