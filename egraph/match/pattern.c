// SPDX-License-Identifier: Apache-2.0
#include "egraph/match/pattern_core.h"

#include "base/text/buf.h"
#include "egraph/match/index.h"
#include "egraph/limits.h"

const char *pattern_refuse(struct pattern_compiler *pattern_compiler, const char *fmt,
                           const char *name)
{
    struct buf buf = {0};
    buf_puts(&buf, pattern_compiler->pattern->backward ? "backward: " : "");
    for (const char *string = fmt; *string != '\0'; string++) {
        if (*string == '%')
            buf_puts(&buf, name[0] != '\0' ? name : "without a name");
        else
            buf_putc(&buf, *string);
    }
    const char *text = arena_strdup(pattern_compiler->mem, buf_text(&buf));
    buf_release(&buf);
    return text;
}

static const char *refuse_size(struct pattern_compiler *pattern_compiler)
{
    char most[16];
    (void)snprintf(most, sizeof most, "%d", EGRAPH_PATTERN_NODES);
    return pattern_refuse(pattern_compiler, "the pattern has over % nodes", most);
}

static bool all_empty(const struct axis_size *sizes, uint32_t n, uint64_t empty)
{
    for (uint32_t i = 0; i < n; i++)
        if (!class_in_set(empty, sizes[i].cls))
            return false;
    return true;
}

static bool groups_empty(const struct pat *pattern, uint64_t empty)
{
    for (uint32_t k = 0; k < pattern->n_groups; k++) {
        const struct reshape_group *group = &pattern->groups[k];
        for (uint32_t j = 0; j < group->n_from; j++)
            if (!class_in_set(empty, group->from[j]))
                return false;
        if (!all_empty(group->to, group->n_to, empty))
            return false;
    }
    return true;
}

// Does the node touch no axis once these classes are empty?
static bool deleted(const struct rule *rule, uint32_t i, uint64_t empty)
{
    const struct pat *pattern = &rule->pats[i];
    if (pattern->kind == PAT_RELABEL) {
        for (uint32_t k = 0; k < pattern->n_relabels; k++)
            if (!class_in_set(empty, pattern->relabels[k].from))
                return false;
        return true;
    }
    if (pattern->kind != PAT_OP)
        return false;
    switch (pattern->op) {
    case OP_REDUCE: // an initial value is used even over no axis
        return pattern->n_args == 1 && (pattern->classes & ~empty) == 0;
    case OP_REVERSE:
        return (pattern->classes & ~empty) == 0;
    case OP_BROADCAST_IN_DIM:
        for (uint32_t k = 0; k < pattern->n_attrs; k++)
            if (!class_in_set(empty, pattern->attrs[k].cls))
                return false;
        return true;
    case OP_SLICE:
    case OP_PAD:
    case OP_DYNAMIC_SLICE:
        return all_empty(pattern->sizes, pattern->n_sizes, empty);
    case OP_REDUCE_WINDOW:
        return pattern->n_args == 1 && all_empty(pattern->sizes, pattern->n_sizes, empty);
    case OP_RESHAPE:
        return groups_empty(pattern, empty);
    case OP_TRANSPOSE:
    case OP_CONCATENATE:
    case OP_DOT_GENERAL:
    case OP_CONVOLUTION:
    case OP_DYNAMIC_UPDATE_SLICE:
    case OP_GATHER:
    case OP_SCATTER:
    case OP_BITCAST_CONVERT:
        LEAF_CASES
        ELEMENTWISE_CASES
        OUTSIDE_CASES
        break;
    }
    return false;
}

static uint32_t stands_for(const struct rule *rule, uint32_t i, uint64_t empty)
{
    while (deleted(rule, i, empty))
        i = rule->pats[i].args[0];
    return i;
}

// The node at which matching starts: relabels have no node of their own.
static uint32_t first_operator(const struct rule *rule, uint32_t i, uint64_t empty)
{
    i = stands_for(rule, i, empty);
    while (rule->pats[i].kind == PAT_RELABEL)
        i = stands_for(rule, rule->pats[i].args[0], empty);
    return i;
}

static bool is_leaf(const struct pat *pattern)
{
    return pattern->kind == PAT_TENSOR || pattern->kind == PAT_SCALAR ||
           pattern->kind == PAT_LITERAL;
}

// Leaves right after their parent (cheap tests first), then the rest in depth.
static bool list_steps(struct pattern_compiler *pattern_compiler, struct pattern_variant *variant,
                       uint32_t i, uint32_t parent)
{
    const struct pat *pattern = &pattern_compiler->rule->pats[i];
    if (variant->parent[i] != NONE || variant->n_steps >= EGRAPH_PATTERN_NODES)
        return false;
    variant->parent[i] = parent == NONE ? i : parent;
    variant->step[variant->n_steps++] = i;
    for (int inner = 0; inner < 2; inner++)
        for (uint32_t k = 0; k < pattern->n_args; k++) {
            uint32_t a = stands_for(pattern_compiler->rule, pattern->args[k], variant->empty);
            if (is_leaf(&pattern_compiler->rule->pats[a]) == (inner == 0) &&
                !list_steps(pattern_compiler, variant, a, i))
                return false;
        }
    return true;
}

static uint32_t slot(const struct rule *rule, uint32_t node, uint32_t cls)
{
    return node * rule->n_classes + cls;
}

static bool has_class(const struct pattern_variant *variant, const struct pat *pattern, uint32_t c)
{
    for (uint32_t i = 0; i < pattern->n_sizes; i++)
        if (pattern->sizes[i].cls == c)
            return !class_in_set(variant->empty, c);
    return false;
}

static uint32_t slot_root(uint32_t *up, uint32_t s)
{
    while (up[s] != s)
        s = up[s] = up[up[s]];
    return s;
}

static void link_slots(uint32_t *up, uint32_t a, uint32_t b)
{
    a = slot_root(up, a);
    b = slot_root(up, b);
    if (a < b)
        up[b] = a;
    else
        up[a] = b;
}

static uint32_t relabelled(const struct pat *pattern, uint32_t c)
{
    for (uint32_t k = 0; k < pattern->n_relabels; k++)
        if (pattern->relabels[k].from == c)
            return pattern->relabels[k].to;
    return c;
}

static void link_node(struct pattern_compiler *pattern_compiler, struct pattern_variant *variant,
                      uint32_t *up, uint32_t i)
{
    const struct rule *rule = pattern_compiler->rule;
    const struct pat *pattern = &rule->pats[i];
    for (uint32_t k = 0; k < pattern->n_args; k++) {
        uint32_t a = variant->rep[pattern->args[k]];
        if (a == NONE)
            continue; // the value of a deleted pad
        const struct pat *q = &rule->pats[a];
        for (uint32_t c = 0; c < rule->n_classes; c++) {
            if (!has_class(variant, q, c))
                continue;
            uint32_t d = pattern->kind == PAT_RELABEL ? relabelled(pattern, c) : c;
            if (has_class(variant, pattern, d))
                link_slots(up, slot(rule, i, d), slot(rule, a, c));
            for (uint32_t j = 0; j < k; j++) {
                uint32_t b = variant->rep[pattern->args[j]];
                if (b != NONE && has_class(variant, &rule->pats[b], c))
                    link_slots(up, slot(rule, a, c), slot(rule, b, c));
            }
        }
    }
    for (uint32_t s = 0; pattern->kind == PAT_TENSOR && s < variant->n_steps; s++) {
        const struct pat *q = &rule->pats[variant->step[s]];
        if (q->kind != PAT_TENSOR || q->var != pattern->var)
            continue;
        for (uint32_t c = 0; c < rule->n_classes; c++)
            if (has_class(variant, pattern, c))
                link_slots(up, slot(rule, i, c), slot(rule, variant->step[s], c));
    }
}

static void find_parts(struct pattern_compiler *pattern_compiler, struct pattern_variant *variant)
{
    const struct rule *rule = pattern_compiler->rule;
    uint32_t n = rule->n_pats * rule->n_classes;
    uint32_t *up = mem_alloc((n + 1) * sizeof *up);
    variant->slot_part = ARENA_NEW(pattern_compiler->mem, uint32_t, n);
    for (uint32_t s = 0; s < n; s++) {
        up[s] = s;
        variant->slot_part[s] = NONE;
    }
    for (uint32_t s = 0; s < variant->n_steps; s++)
        link_node(pattern_compiler, variant, up, variant->step[s]);
    variant->parts =
        ARENA_NEW(pattern_compiler->mem, struct pattern_part, variant->n_steps * rule->n_classes);
    // Classes outside, so that parts come in order of declaration.
    for (uint32_t c = 0; c < rule->n_classes; c++)
        for (uint32_t s = 0; s < variant->n_steps; s++) {
            uint32_t at = slot(rule, variant->step[s], c);
            if (!has_class(variant, &rule->pats[variant->step[s]], c))
                continue;
            uint32_t root = slot_root(up, at);
            if (variant->slot_part[root] == NONE) {
                variant->parts[variant->n_parts].family = rule->classes[c].like;
                variant->slot_part[root] = variant->n_parts++;
            }
            variant->slot_part[at] = variant->slot_part[root];
            variant->parts[variant->slot_part[at]].n_slots++;
        }
    // Roots that are no slot of their own do not occur: links join slots only.
    mem_free(up);
}

static bool has_element_conditions(const struct rule *rule)
{
    for (uint32_t w = 0; w < rule->n_wheres; w++)
        if (rule->wheres[w].cond == NULL)
            return true;
    return false;
}

// The class that a variable is bound to does not matter by itself.  If a variable
// occurs twice, the nodes above tell when the two classes become one.
static bool class_matters(const struct rule *rule, uint32_t i)
{
    return rule->pats[i].kind != PAT_TENSOR || has_element_conditions(rule);
}

// As index.h counts; a scalar's operators are rarely more than constants.
static int32_t count_operators(const struct rule *rule, uint32_t i, uint64_t empty)
{
    i = stands_for(rule, i, empty);
    const struct pat *pattern = &rule->pats[i];
    int32_t n = pattern->kind == PAT_OP || pattern->kind == PAT_OPVAR;
    for (uint32_t k = 0; k < pattern->n_args; k++)
        n += count_operators(rule, pattern->args[k], empty);
    return n;
}

static void measure(struct pattern_compiler *pattern_compiler, struct pattern_variant *variant)
{
    const struct rule *rule = pattern_compiler->rule;
    variant->growth = count_operators(rule, pattern_compiler->pattern->target, variant->empty) -
                      count_operators(rule, pattern_compiler->pattern->root, variant->empty);
    for (uint32_t s = 0; s < variant->n_steps; s++) {
        uint32_t i = variant->step[s], depth = 0;
        if (rule->pats[i].kind == PAT_OP)
            variant->needs |= op_bit(rule->pats[i].op);
        variant->look[i] = NONE; // each comes after its parent
        if (!class_matters(rule, i))
            continue;
        for (uint32_t k = i;; k = variant->parent[k], depth++) {
            if (variant->look[k] == NONE || variant->look[k] < depth)
                variant->look[k] = depth;
            if (variant->parent[k] == k)
                break;
        }
        if (depth > variant->depth)
            variant->depth = depth;
    }
}

static struct pattern_variant *new_variant(struct pattern_compiler *pattern_compiler,
                                           uint64_t empty)
{
    const struct rule *rule = pattern_compiler->rule;
    struct pattern_variant *variant = ARENA_NEW(pattern_compiler->mem, struct pattern_variant, 1);
    variant->empty = empty;
    variant->step =
        ARENA_NEW(pattern_compiler->mem, uint32_t, pattern_compiler->pattern->root + 1u);
    variant->look = ARENA_NEW(pattern_compiler->mem, uint32_t, rule->n_pats);
    variant->rep = ARENA_NEW(pattern_compiler->mem, uint32_t, rule->n_pats);
    variant->parent = ARENA_NEW(pattern_compiler->mem, uint32_t, rule->n_pats);
    for (uint32_t i = 0; i < rule->n_pats; i++)
        variant->rep[i] = variant->parent[i] = NONE;
    if (!list_steps(pattern_compiler, variant,
                    stands_for(rule, pattern_compiler->pattern->root, empty), NONE))
        return NULL;
    for (uint32_t s = 0; s < variant->n_steps; s++)
        variant->rep[variant->step[s]] = variant->step[s];
    // Deleted nodes: those on the way from a matched node's argument down.
    uint32_t i = pattern_compiler->pattern->root;
    for (; variant->rep[i] == NONE; i = rule->pats[i].args[0])
        variant->rep[i] = variant->step[0];
    for (uint32_t s = 0; s < variant->n_steps; s++)
        for (uint32_t k = 0; k < rule->pats[variant->step[s]].n_args; k++) {
            i = rule->pats[variant->step[s]].args[k];
            uint32_t to = stands_for(rule, i, empty);
            for (; i != to; i = rule->pats[i].args[0])
                variant->rep[i] = to;
        }
    find_parts(pattern_compiler, variant);
    measure(pattern_compiler, variant);
    return variant;
}

// Are two pattern trees equal, nodes over empty classes left out?
static bool same_tree(const struct rule *rule, uint32_t i, uint32_t j, uint64_t empty)
{
    i = stands_for(rule, i, empty);
    j = stands_for(rule, j, empty);
    const struct pat *pattern = &rule->pats[i], *q = &rule->pats[j];
    if (pattern->kind != q->kind || pattern->op != q->op || pattern->var != q->var ||
        pattern->n_args != q->n_args || pattern->type != q->type)
        return false;
    bool plain = pattern->n_attrs == 0 && q->n_attrs == 0 && pattern->n_groups == 0 &&
                 q->n_groups == 0 && pattern->value == NULL && q->value == NULL &&
                 pattern->op != OP_CONVOLUTION && pattern->batch == q->batch &&
                 (pattern->classes & ~empty) == (q->classes & ~empty) && pattern->n_relabels == 0 &&
                 q->n_relabels == 0 && pattern->dir == q->dir && pattern->reducer == q->reducer &&
                 pattern->opvar == q->opvar;
    if (pattern->kind == PAT_LITERAL)
        plain = plain && pattern->lit == q->lit && pattern->k == q->k &&
                (pattern->text == q->text ||
                 (pattern->text != NULL && q->text != NULL && strcmp(pattern->text, q->text) == 0));
    if (!plain && pattern->kind != PAT_TENSOR && pattern->kind != PAT_SCALAR)
        return false;
    for (uint32_t k = 0; k < pattern->n_args; k++)
        if (!same_tree(rule, pattern->args[k], q->args[k], empty))
            return false;
    return true;
}

bool pattern_same(const struct rule *rule, uint32_t i, uint32_t j)
{
    return same_tree(rule, i, j, 0);
}

// Ranks that may be 0: no class of the family asks for an axis.
static uint64_t empty_families(const struct rule *rule, uint64_t *family, uint32_t *n)
{
    uint64_t all = 0;
    *n = 0;
    for (uint32_t f = 0; f < rule->n_classes; f++) {
        uint64_t set = 0;
        bool may = rule->classes[f].like == f;
        for (uint32_t c = 0; c < rule->n_classes; c++) {
            if (rule->classes[c].like != f)
                continue;
            set |= UINT64_C(1) << c;
            may = may && !rule->classes[c].single && rule->classes[c].least_rank == 0;
        }
        if (may && *n < EGRAPH_PATTERN_FAMILIES) {
            family[(*n)++] = set;
            all |= set;
        }
    }
    return all;
}

static uint32_t count_deleted(const struct rule *rule, uint32_t i, uint64_t empty)
{
    uint32_t n = deleted(rule, i, empty) ? 1 : 0;
    for (uint32_t k = 0; k < rule->pats[i].n_args; k++)
        n += count_deleted(rule, rule->pats[i].args[k], empty);
    return n;
}

// Is every family in the set needed for what it deletes?
static bool is_least(const struct rule *rule, uint32_t root, uint64_t empty, const uint64_t *family,
                     uint32_t n)
{
    uint32_t all = count_deleted(rule, root, empty);
    for (uint32_t f = 0; f < n; f++)
        if ((family[f] & empty) && count_deleted(rule, root, empty & ~family[f]) == all)
            return false;
    return true;
}

static void add_variants(struct pattern_compiler *pattern_compiler, const char **why)
{
    const struct rule *rule = pattern_compiler->rule;
    uint64_t family[EGRAPH_PATTERN_FAMILIES];
    uint32_t n;
    empty_families(rule, family, &n);
    pattern_compiler->pattern->variants =
        ARENA_NEW(pattern_compiler->mem, struct pattern_variant, (size_t)1 << n);
    for (uint64_t pick = 0; pick < UINT64_C(1) << n; pick++) {
        uint64_t empty = 0;
        for (uint32_t f = 0; f < n; f++)
            if (pick >> f & 1)
                empty |= family[f];
        if (!is_least(rule, pattern_compiler->pattern->root, empty, family, n))
            continue;
        const struct pat *first =
            &rule->pats[first_operator(rule, pattern_compiler->pattern->root, empty)];
        if (first->kind != PAT_OP && first->kind != PAT_OPVAR)
            continue;
        if (pick != 0 && same_tree(rule, rule->lhs, rule->rhs, empty))
            continue;
        struct pattern_variant *variant = new_variant(pattern_compiler, empty);
        const char *reason = variant == NULL ? refuse_size(pattern_compiler)
                                             : pattern_unbound(pattern_compiler, variant);
        if (pick == 0)
            *why = reason;
        if (reason == NULL)
            pattern_compiler->pattern->variants[pattern_compiler->pattern->n_variants++] = *variant;
    }
}

void pattern_compile(struct pattern *pattern, const struct rule *rule, bool backward,
                     struct arena *mem)
{
    *pattern = (struct pattern){0};
    pattern->rule = rule;
    pattern->backward = backward;
    pattern->root = backward ? rule->rhs : rule->lhs;
    pattern->target = backward ? rule->lhs : rule->rhs;
    struct pattern_compiler pattern_compiler = {pattern, rule, mem};
    pattern->used = ARENA_NEW(mem, bool, rule->n_maps);
    pattern_mark_used(rule, pattern->used);
    if (rule_defines(rule)) {
        pattern->refused =
            pattern_refuse(&pattern_compiler, "%, a named function", rule->pats[rule->rhs].text);
        return;
    }
    const struct pat *first = &rule->pats[first_operator(rule, pattern->root, 0)];
    if (first->kind != PAT_OP && first->kind != PAT_OPVAR) {
        pattern->refused =
            pattern_refuse(&pattern_compiler,
                           first->kind == PAT_TENSOR ? "the side to match is a bare variable"
                                                     : "the side to match is one scalar",
                           "");
        return;
    }
    const char *why = NULL;
    add_variants(&pattern_compiler, &why);
    if (why != NULL)
        pattern->n_variants = 0;
    pattern->refused = why;
    pattern->simplifies = pattern->n_variants > 0;
    for (uint32_t i = 0; i < pattern->n_variants; i++) {
        pattern->simplifies = pattern->simplifies && pattern->variants[i].growth < 0;
        if (pattern->variants[i].depth > pattern->depth)
            pattern->depth = pattern->variants[i].depth;
    }
}
