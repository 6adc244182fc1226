// SPDX-License-Identifier: Apache-2.0
// Changes after which the right side and a precondition must be learned.
#include "discover/generalize/widen.h"
#include "discover/limits.h"
#include <string.h>

static bool bare(const struct draft_slot *slot)
{
    return slot->at != NULL && slot->at->op == IE_MAP;
}

// Makes attributes of the right side on the family unknown: all, or those that
// are no bare maps.  Returns how many; 0 if there are none or too many.
static uint32_t make_unknown(struct draft *draft, uint32_t cls, bool all, uint32_t *unknown,
                             bool *positive)
{
    struct draft_slot_list draft_slot_list = {0};
    uint32_t n = 0;
    draft_slots(draft, draft->r.rhs, class_root(&draft->r, cls), &draft_slot_list);
    for (uint32_t i = 0; i < draft_slot_list.len && n < GENERALIZE_UNKNOWNS; i++) {
        if (!all && bare(&draft_slot_list.at[i]))
            continue;
        if ((draft_slot_list.at[i].at == NULL && draft_slot_list.at[i].usual == -1 && !all) ||
            iexp_at_run_time(&draft->r, draft_slot_list.at[i].at))
            continue; // a limit that equals the size, or an index known at run time only
        uint32_t m = draft_new_map(draft, "u", draft_slot_list.at[i].cls);
        draft_set_slot(draft, &draft_slot_list.at[i], draft_map(draft, m));
        positive[n] = draft_slot_list.at[i].usual == 1;
        unknown[n++] = m;
    }
    vec_release(&draft_slot_list);
    return n <= (all ? GENERALIZE_ALL_UNKNOWNS : GENERALIZE_SOME_UNKNOWNS) ? n : 0;
}

static uint32_t coverage(const struct learned *learned)
{
    return learned->points ? 1000 * learned->covered / learned->points : 0;
}

// Learns the change with the right side as it is and with new attributes, and
// keeps the variant that covers more.
static bool try_learning(struct widening *widening, const struct draft *draft, uint32_t cls,
                         const char *narrow, const char *what)
{
    struct learned best = {0}, one;
    const char *why = NULL, *reason = NULL;
    bool found = false;
    for (int how = 0; how < 3 && !widening_over(widening); how++) {
        uint32_t unknown[GENERALIZE_UNKNOWNS], n = 0;
        bool positive[GENERALIZE_UNKNOWNS];
        struct draft own;
        if (found && coverage(&best) > (how == 2 ? 900 : 980))
            break;
        draft_copy(&own, draft);
        if (how > 0)
            n = make_unknown(&own, cls, how == 2, unknown, positive);
        struct learn_problem problem = {.draft = &own,
                                        .root = cls,
                                        .n_unknown = n,
                                        .unknown = unknown,
                                        .positive = positive,
                                        .narrow = narrow,
                                        .domains = widening->claims};
        if ((how == 0 || n > 0) && learn_rule(widening->learner, &problem, &one, &why)) {
            if (!found || coverage(&one) > coverage(&best) + 20)
                best = one;
            found = true;
        } else if (how == 0 || reason == NULL) {
            reason = why;
        }
        draft_release(&own);
    }
    if (!found) {
        widening_refuse(widening, what, reason ? reason : "");
        return false;
    }
    for (uint32_t i = 0; i < widening->general->variants.len; i++)
        if (strcmp(widening->general->variants.at[i].rule->hash, best.rule->hash) == 0)
            return false;
    struct buf buf = {0};
    buf_puts(&buf, what);
    for (uint32_t i = 0; i < best.n_terms; i++)
        buf_printf(&buf, "%s%s", i ? ", " : "; where ", best.term[i]);
    widening_accept(widening, best.rule, best.proved,
                    arena_strdup(&widening->learner->set.mem, buf_text(&buf)), best.wider);
    buf_release(&buf);
    return true;
}

bool widen_where(struct widening *widening, uint32_t i)
{
    struct draft draft;
    draft_init(&draft, widening->cur);
    bool done = false;
    if (i < draft.r.n_wheres && draft.wheres[i].cond != NULL) {
        const char *cond = widening_where(widening, &draft.r, i);
        const char *what = widening_text(widening, "without %s", cond);
        uint32_t family = draft.wheres[i].family;
        draft_drop_where(&draft, i);
        if (!widening_refused(widening, what))
            done = try_learning(widening, &draft, family, cond, what);
    }
    draft_release(&draft);
    return done;
}

// ---- constants to maps

// The number of slots of the left side before slot `i` that hold the map.
static bool seen_before(const struct draft_slot_list *draft_slot_list, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (bare(&draft_slot_list->at[k]) &&
            draft_slot_list->at[k].at->map == draft_slot_list->at[i].at->map)
            return true;
    return false;
}

static const struct iexp *size_along(const struct pat *pattern, uint32_t cls)
{
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        if (pattern->sizes[i].cls == cls)
            return pattern->sizes[i].size;
    return NULL;
}

bool widen_slot(struct widening *widening, uint32_t i)
{
    struct draft draft;
    struct draft_slot_list draft_slot_list = {0};
    bool done = false;
    draft_init(&draft, widening->cur);
    draft_slots(&draft, draft.r.lhs, NONE, &draft_slot_list);
    if (i < draft_slot_list.len &&
        (!bare(&draft_slot_list.at[i]) || seen_before(&draft_slot_list, i)) &&
        !iexp_at_run_time(&draft.r, draft_slot_list.at[i].at)) {
        struct draft_slot *at = &draft_slot_list.at[i];
        struct pat *pattern = &draft.pats[at->pat];
        const struct iexp *expr = at->at;
        struct buf buf = {0}, guard = {0};
        if (expr == NULL && at->usual == -1 && pattern->n_args > 0)
            expr = size_along(&draft.pats[pattern->args[0]], at->cls);
        else if (expr == NULL && at->usual >= 0)
            expr = draft_const(&draft, at->usual);
        bool broadcast = pattern->kind == PAT_SPLAT ||
                         (pattern->kind == PAT_OP && pattern->op == OP_BROADCAST_IN_DIM);
        // A slot on some axes only does not speak for all axes either.
        bool meant = pattern->n_attrs == 0;
        for (uint32_t k = 0; k < pattern->n_attrs; k++)
            meant = meant || pattern->attrs[k].cls == at->cls;
        // The size of a scalar that became a tensor is no choice.
        if (meant && expr != NULL && (!broadcast || expr->op == IE_CONST)) {
            iexp_print(&draft.r, expr, &buf);
            uint32_t m = draft_new_map(&draft, at->stem, at->cls);
            draft_set_slot(&draft, at, draft_map(&draft, m));
            buf_printf(&guard, "%s == %s", draft.maps[m].name, buf_text(&buf));
            const char *what =
                widening_text(widening, "%s of %s freed", buf_text(&guard),
                              pattern->kind == PAT_OP ? op_name(pattern->op) : "broadcast");
            const char *was = arena_strdup(&widening->learner->set.mem, buf_text(&guard));
            done = !widening_refused(widening, what) &&
                   try_learning(widening, &draft, at->cls, was, what);
        }
        buf_release(&buf);
        buf_release(&guard);
    }
    vec_release(&draft_slot_list);
    draft_release(&draft);
    return done;
}

uint32_t widen_n_slots(const struct widening *widening)
{
    struct draft draft;
    struct draft_slot_list draft_slot_list = {0};
    draft_init(&draft, widening->cur);
    draft_slots(&draft, draft.r.lhs, NONE, &draft_slot_list);
    uint32_t n = draft_slot_list.len;
    vec_release(&draft_slot_list);
    draft_release(&draft);
    return n;
}
