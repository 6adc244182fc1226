// SPDX-License-Identifier: Apache-2.0
// A part that both sides have becomes a tensor of its own, and a precondition that one axis of
// several must meet becomes one of a single axis beside others.
#include "discover/generalize/widen.h"
#include <string.h>

// ---- parts of both sides

static bool has_tensor(const struct rule *rule, uint32_t at)
{
    const struct pat *pattern = &rule->pats[at];
    if (pattern->kind == PAT_TENSOR)
        return true;
    for (uint32_t k = 0; k < pattern->n_args; k++)
        if (has_tensor(rule, pattern->args[k]))
            return true;
    return false;
}

static bool on_right(const struct rule *rule, uint32_t part, uint32_t at)
{
    return draft_below(rule, rule->rhs, at) && pat_same(rule, part, at);
}

// Is it a part of the left side that the right side has, too?
static bool is_shared(const struct rule *rule, uint32_t part)
{
    const struct pat *pattern = &rule->pats[part];
    if ((pattern->kind != PAT_OP && pattern->kind != PAT_OPVAR) || pattern->n_sizes == 0 ||
        part == rule->lhs || !draft_below(rule, rule->lhs, part) || !has_tensor(rule, part))
        return false;
    for (uint32_t i = 0; i < rule->n_pats; i++)
        if (on_right(rule, part, i))
            return true;
    return false;
}

// Sizes that are no maps become some.
static const struct axis_size *own_sizes(struct draft *draft, const struct pat *part)
{
    struct axis_size *sizes =
        draft_array(draft, part->sizes, part->n_sizes, sizeof *part->sizes, 0);
    for (uint32_t k = 0; k < part->n_sizes; k++)
        if (sizes[k].size->op != IE_MAP)
            sizes[k].size = draft_map(draft, draft_new_map(draft, "n", sizes[k].cls));
    return sizes;
}

static bool is_live(const struct rule *rule, uint32_t tensor)
{
    for (uint32_t i = 0; i < rule->n_pats; i++)
        if (rule->pats[i].kind == PAT_TENSOR && rule->pats[i].var == tensor &&
            (draft_below(rule, rule->lhs, i) || draft_below(rule, rule->rhs, i)))
            return true;
    return false;
}

static void drop_tensors(struct draft *draft)
{
    for (uint32_t v = draft->r.n_tensors; v-- > 0;) {
        if (is_live(&draft->r, v))
            continue;
        for (uint32_t i = 0; i < draft->r.n_pats; i++)
            if (draft->pats[i].kind == PAT_TENSOR && draft->pats[i].var > v)
                draft->pats[i].var--;
        memmove(&draft->tensors[v], &draft->tensors[v + 1],
                (draft->r.n_tensors - v - 1) * sizeof *draft->tensors);
        draft->r.n_tensors--;
    }
}

static bool free_part(struct widening *widening, uint32_t part)
{
    struct draft draft;
    struct buf text = {0};
    const struct rule *rule = widening->cur;
    draft_init(&draft, rule);
    pat_print(rule, part, &text);
    uint32_t v = draft.r.n_tensors++, type = rule->pats[part].type;
    if (draft.types[type].name == NULL || !*draft.types[type].name)
        draft.types[type].name = draft_name(&draft, "T");
    draft.tensors[v] = (struct tensor_var){.name = draft_name(&draft, "Z"),
                                           .type = type,
                                           .n_sizes = rule->pats[part].n_sizes,
                                           .sizes = own_sizes(&draft, &rule->pats[part])};
    for (uint32_t i = 0; i < rule->n_pats; i++)
        if (i == part || on_right(rule, part, i))
            draft.pats[i] = (struct pat){.kind = PAT_TENSOR, .var = v, .type = type};
    drop_tensors(&draft);
    bool done = widening_try(widening, &draft,
                             widening_text(widening, "any tensor in place of %s", buf_text(&text)));
    buf_release(&text);
    draft_release(&draft);
    return done;
}

// The pattern of which it is an argument, and which one; NONE: none.
static uint32_t parent_of(const struct rule *rule, uint32_t at, uint32_t *k)
{
    for (uint32_t i = 0; i < rule->n_pats; i++)
        for (*k = 0; *k < rule->pats[i].n_args; ++*k)
            if (rule->pats[i].args[*k] == at)
                return i;
    return NONE;
}

// Has the right side the part as the same argument of the same operator?
static bool same_place(const struct rule *rule, uint32_t part)
{
    uint32_t k, n, parent = parent_of(rule, part, &k);
    for (uint32_t i = 0; i < rule->n_pats && parent != NONE; i++) {
        uint32_t other = on_right(rule, part, i) ? parent_of(rule, i, &n) : NONE;
        if (other != NONE && n == k && rule->pats[other].kind == rule->pats[parent].kind &&
            rule->pats[other].op == rule->pats[parent].op)
            return true;
    }
    return false;
}

bool widen_parts(struct widening *widening)
{
    for (int same = 1; same >= 0; same--)
        for (uint32_t i = widening->cur->n_pats; i-- > 0 && !widening_over(widening);)
            if (is_shared(widening->cur, i) && same_place(widening->cur, i) == (same == 1) &&
                free_part(widening, i))
                return true;
    return false;
}

// ---- one axis of several

// Is every use of the class one that a second class may have beside it?
static bool may_split(const struct rule *rule, uint32_t c)
{
    const struct axis_class *cls = &rule->classes[c];
    bool meets = false, fits = cls->like == c && cls->joint == c && !cls->single && !cls->block &&
                               cls->least_rank > 0 && rule->n_classes < 64;
    for (uint32_t k = 0; k < rule->n_classes; k++)
        fits = fits && (k == c || (rule->classes[k].like != c && rule->classes[k].joint != c));
    for (uint32_t w = 0; w < rule->n_wheres; w++)
        meets = meets || (rule->wheres[w].cond != NULL && rule->wheres[w].family == c);
    for (uint32_t i = 0; i < rule->n_pats; i++) {
        const struct pat *pattern = &rule->pats[i];
        fits = fits && pattern->n_relabels == 0 && pattern->n_groups == 0 && pattern->value == NULL;
    }
    return fits && meets;
}

struct splitting {
    struct draft *draft;
    uint32_t from, to;
    uint32_t *map; // by map of the class: that of the new class
};

static const struct iexp *other(struct splitting *splitting, const struct iexp *expr)
{
    if (expr == NULL || expr->op == IE_CONST)
        return expr;
    struct iexp *copy = ARENA_NEW(&splitting->draft->mem, struct iexp, 1);
    *copy = *expr;
    if (expr->op == IE_MAP) {
        copy->map = splitting->map[expr->map];
    } else {
        copy->a = other(splitting, expr->a);
        copy->b = other(splitting, expr->b);
    }
    return copy;
}

static const struct axis_size *both_sizes(struct splitting *splitting,
                                          const struct axis_size *sizes, uint32_t *n)
{
    struct axis_size *more = draft_array(splitting->draft, sizes, *n, sizeof *sizes, 1);
    for (uint32_t k = 0, old = *n; k < old; k++)
        if (sizes[k].cls == splitting->from)
            more[(*n)++] = (struct axis_size){splitting->to, other(splitting, sizes[k].size)};
    return more;
}

static void split_pattern(struct splitting *splitting, struct pat *pattern)
{
    uint64_t old = UINT64_C(1) << splitting->from, new = UINT64_C(1) << splitting->to;
    struct pat_attr *attrs =
        draft_array(splitting->draft, pattern->attrs, pattern->n_attrs, sizeof *attrs, 1);
    for (uint32_t k = 0, n = pattern->n_attrs; k < n; k++)
        if (attrs[k].cls == splitting->from) {
            struct pat_attr *attr = &attrs[pattern->n_attrs++];
            *attr = (struct pat_attr){.cls = splitting->to};
            for (int j = 0; j < N_ATTRS; j++)
                attr->expr[j] = other(splitting, attrs[k].expr[j]);
        }
    pattern->attrs = attrs;
    pattern->sizes = both_sizes(splitting, pattern->sizes, &pattern->n_sizes);
    pattern->classes |= pattern->classes & old ? new : 0;
    pattern->batch |= pattern->batch & old ? new : 0;
    pattern->out |= pattern->out & old ? new : 0;
    pattern->spatial |= pattern->spatial & old ? new : 0;
    pattern->flipped |= pattern->flipped & old ? new : 0;
}

bool widen_split(struct widening *widening, uint32_t c)
{
    struct draft draft;
    bool done = false;
    if (c >= widening->cur->n_classes || !may_split(widening->cur, c))
        return false;
    draft_init(&draft, widening->cur);
    struct splitting splitting = {.draft = &draft, .from = c, .to = draft.r.n_classes++};
    uint32_t n = draft.r.n_maps, room = n + 1;
    splitting.map = ARENA_NEW(&draft.mem, uint32_t, room);
    draft.classes[splitting.to] = (struct axis_class){
        .name = draft_name(&draft, "y"), .like = splitting.to, .joint = splitting.to};
    for (uint32_t m = 0; m < n; m++)
        splitting.map[m] =
            draft.maps[m].cls == c ? draft_new_map(&draft, draft.maps[m].name, splitting.to) : m;
    for (uint32_t i = 0; i < draft.r.n_tensors; i++)
        draft.tensors[i].sizes =
            both_sizes(&splitting, draft.tensors[i].sizes, &draft.tensors[i].n_sizes);
    for (uint32_t i = 0; i < draft.r.n_pats; i++)
        split_pattern(&splitting, &draft.pats[i]);
    draft.classes[c].single = true;
    draft.classes[c].least_rank = 1;
    const char *what = widening_text(widening, "one axis of %s, and others without preconditions",
                                     draft.classes[c].name);
    done = widening_try(widening, &draft, what);
    draft_release(&draft);
    return done;
}
