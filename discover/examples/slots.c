// SPDX-License-Identifier: Apache-2.0
// The integers of both trees: sizes and attributes.  On the left side each becomes a map,
// unless well-definedness gives it from others; on the right side each is unknown.
#include "discover/examples/core.h"
#include <stdio.h>

const char *pair_text(struct pair *pair, const char *fmt, ...)
{
    char line[512];
    va_list args;
    va_start(args, fmt);
    vsnprintf(line, sizeof line, fmt, args);
    va_end(args);
    return arena_strdup(&pair->mem, line);
}

static bool is_taken(const struct pair *pair, const char *name)
{
    static const char *const words[] = {"and", "or", "not", "all", "pi", "inf", "on", "of", "op"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i], name) == 0)
            return true;
    for (uint32_t i = 0; i < pair->names.len; i++)
        if (strcmp(pair->names.at[i], name) == 0)
            return true;
    return false;
}

// A name that is not in use; it is from now on.
const char *pair_name(struct pair *pair, const char *stem)
{
    const char *name = pair_text(pair, "%s", stem);
    for (uint32_t i = 2; is_taken(pair, name); i++)
        name = pair_text(pair, "%s%u", stem, i);
    vec_push(&pair->names, name);
    return name;
}

static uint32_t cell(const struct pair *pair, uint32_t node, uint32_t cls)
{
    return node * pair->classes.len + cls;
}

static uint32_t group_of(struct pair *pair, uint32_t node, uint32_t cls)
{
    uint32_t i = cell(pair, node, cls);
    while (pair->size_group.at[i] != i)
        i = pair->size_group.at[i];
    return i;
}

static void same_size(struct pair *pair, uint32_t a, uint32_t b, uint32_t cls)
{
    if (!node_has_class(pair, a, cls) || !node_has_class(pair, b, cls))
        return;
    a = group_of(pair, a, cls);
    b = group_of(pair, b, cls);
    pair->size_group.at[a > b ? a : b] = a > b ? b : a;
}

// Is nothing written of what the operator does along the class?
static bool is_idle(const struct pair *pair, uint32_t dim, uint32_t cls)
{
    return dim_is_idle(pair, dim) && (!pair->freedom.idle || pair->classes.at[cls].block);
}

// Does the node keep the size of its operand along the class?
static bool keeps_size(const struct pair *pair, const struct node *node, uint32_t cls)
{
    uint32_t n;
    if (node->kind == NODE_SAME || op_is_elementwise(node->op))
        return true;
    if (node->op == OP_BROADCAST_IN_DIM || node->op == OP_RESHAPE || node->op == OP_REDUCE ||
        node->op == OP_REVERSE || node->op == OP_DOT_GENERAL)
        return true;
    for (uint32_t i = 0; i < node->rank; i++) {
        uint32_t dim = node->dim + i;
        if (pair->class_of.at[dim] != cls)
            continue;
        if (node->op == OP_CONCATENATE)
            return !pair->dims.at[dim].marked;
        if (attribute_forms(node->op, &n) != NULL)
            return is_idle(pair, dim, cls);
    }
    return true;
}

// The operand's class is dropped, and the result's is another axis with its name.
static bool is_new(const struct pair *pair, const struct node *node, uint32_t cls)
{
    for (uint32_t i = 0; i < node->rank; i++)
        if (pair->class_of.at[node->dim + i] == cls &&
            (pair->dims.at[node->dim + i].marked && node->op == OP_BROADCAST_IN_DIM))
            return true;
    for (uint32_t g = node->group; g < node->group + node->n_groups; g++)
        for (uint32_t i = 0; i < pair->groups.at[g].n_to; i++)
            if (pair->class_of.at[pair->groups.at[g].to[i]] == cls)
                return true;
    return false;
}

// A block has one size.
static void tie_blocks(struct pair *pair)
{
    for (uint32_t c = 0; c < pair->classes.len; c++) {
        uint32_t first = NONE;
        for (uint32_t at = 0; at < pair->nodes.len; at++) {
            if (!pair->classes.at[c].block || pair->nodes.at[at].right ||
                !node_has_class(pair, at, c))
                continue;
            if (first != NONE)
                same_size(pair, first, at, c);
            first = at;
        }
    }
}

static void tie_sizes(struct pair *pair)
{
    vec_zero(&pair->size_group, pair->nodes.len * pair->classes.len + 1);
    for (uint32_t i = 0; i < pair->size_group.len; i++)
        pair->size_group.at[i] = i;
    tie_blocks(pair);
    for (uint32_t at = 0; at < pair->nodes.len; at++) {
        const struct node *node = &pair->nodes.at[at];
        if (node->right)
            continue;
        for (uint32_t c = 0; c < pair->classes.len; c++) {
            if (node->kind == NODE_TENSOR)
                same_size(pair, at, pair->tensors.at[node->var].node, c);
            bool update = node->op == OP_DYNAMIC_UPDATE_SLICE;
            for (uint32_t i = 0; i < node->n_args; i++)
                if ((update && i == 0) || (keeps_size(pair, node, c) && !is_new(pair, node, c)))
                    same_size(pair, at, node->args[i], c);
            if (node->op == OP_DOT_GENERAL && node->kind == NODE_OP)
                same_size(pair, node->args[0], node->args[1], c);
            if (node->op == OP_CONCATENATE && keeps_size(pair, node, c))
                for (uint32_t i = 1; i < node->n_args; i++)
                    same_size(pair, node->args[0], node->args[i], c);
        }
    }
}

// ---- slots

static struct int_slot *add_slot(struct pair *pair, uint32_t node, uint32_t cls, int attr)
{
    struct int_slot slot = {
        .node = node, .cls = cls, .attr = attr, .right = pair->nodes.at[node].right};
    slot.value = ARENA_NEW(&pair->mem, int64_t, pair->classes.at[cls].n + 1);
    vec_push(&pair->slots, slot);
    return &vec_last(&pair->slots);
}

// One name for equal tuples of arguments that are starts.
static const char *index_name(struct pair *pair, const struct int_slot *slot)
{
    uint32_t n = pair->classes.at[slot->cls].n;
    for (uint32_t i = 0; i + 1 < pair->slots.len; i++) {
        const struct int_slot *other = &pair->slots.at[i];
        if (other->index && other->cls == slot->cls &&
            memcmp(other->value, slot->value, n * sizeof *slot->value) == 0)
            return other->map;
    }
    return pair_name(pair, "i");
}

static bool is_freed(const struct pair *pair, enum op op)
{
    return (pair->freedom.interior && op == OP_PAD) || (pair->freedom.stride && op == OP_SLICE) ||
           (pair->freedom.window && op == OP_REDUCE_WINDOW);
}

// A strided slice may end anywhere between its last element and the one that would come next.
static void find_limits(struct pair *pair, struct int_slot *slot)
{
    const struct node *node = &pair->nodes.at[slot->node];
    uint32_t n = pair->classes.at[slot->cls].n;
    slot->least = ARENA_NEW(&pair->mem, int64_t, n + 1);
    slot->most = ARENA_NEW(&pair->mem, int64_t, n + 1);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t dim = node_class_dim(pair, slot->node, slot->cls, i);
        const struct dimension *at = &pair->dims.at[dim];
        int64_t whole = pair->dims.at[pair->nodes.at[node->args[0]].dim + (dim - node->dim)].size;
        int64_t next = at->attr[0] + at->size * at->attr[2];
        slot->least[i] = at->size > 0 ? next - at->attr[2] + 1 : at->attr[0];
        slot->most[i] = next < whole ? next : whole;
    }
}

static void slots_of(struct pair *pair, uint32_t at, uint32_t cls)
{
    const struct node *node = &pair->nodes.at[at];
    uint32_t n = 0;
    const struct attribute_form *form = attribute_forms(node->op, &n);
    if (cls == pair->more || node->op == OP_BROADCAST_IN_DIM ||
        is_idle(pair, node_class_dim(pair, at, cls, 0), cls))
        return;
    for (uint32_t k = 0; k < n; k++) {
        struct int_slot *slot = add_slot(pair, at, cls, (int)k);
        bool usual = form[k].usual == 1 || strcmp(form[k].name, "interior") == 0;
        for (uint32_t i = 0; i < pair->classes.at[cls].n; i++) {
            uint32_t dim = node_class_dim(pair, at, cls, i);
            uint32_t start = k == 0 ? pair->dims.at[dim].start : 0;
            slot->value[i] = start ? (int64_t)start : pair->dims.at[dim].attr[k];
            slot->index = start != 0;
            usual = usual && !start && slot->value[i] == dim_usual(pair, dim, k);
        }
        slot->pinned =
            usual && !(node->op == OP_REDUCE_WINDOW && k == 0) && !is_freed(pair, node->op);
        if (slot->index)
            slot->text = slot->map = index_name(pair, slot);
        if (node->op == OP_SLICE && k == 1 && slot->right)
            find_limits(pair, slot);
    }
}

// Classes along which the node makes new dimensions, of a size that is written.
static bool is_sized(const struct pair *pair, uint32_t at, uint32_t cls)
{
    const struct node *node = &pair->nodes.at[at];
    if (!node_has_class(pair, at, cls))
        return false;
    if (node->kind == NODE_LITERAL || (node->kind == NODE_OP && node->op == OP_IOTA))
        return true;
    if (node->kind != NODE_OP)
        return false;
    if (cls == pair->more)
        return node->op == OP_BROADCAST_IN_DIM && !node_has_class(pair, node->args[0], cls);
    uint32_t dim = node_class_dim(pair, at, cls, 0);
    if (node->op == OP_BROADCAST_IN_DIM)
        return pair->dims.at[dim].marked;
    bool made = false;
    for (uint32_t g = node->group; node->op == OP_RESHAPE && g < node->group + node->n_groups; g++)
        for (uint32_t i = 0; i < pair->groups.at[g].n_to; i++)
            made = made || (pair->groups.at[g].to[i] == dim && pair->groups.at[g].n_from > 0 &&
                            (pair->groups.at[g].n_to > 1 || pair->classes.at[cls].block));
    return made;
}

static void list_slots(struct pair *pair)
{
    for (uint32_t at = pair->nodes.len; at-- > 0;)
        for (uint32_t c = 0; c < pair->classes.len; c++) {
            if (!node_has_class(pair, at, c))
                continue;
            if (is_sized(pair, at, c)) {
                struct int_slot *slot = add_slot(pair, at, c, ATTR_SIZE);
                for (uint32_t i = 0; i < pair->classes.at[c].n; i++)
                    slot->value[i] = pair->dims.at[node_class_dim(pair, at, c, i)].size;
            }
            uint32_t n;
            if (pair->nodes.at[at].kind == NODE_OP &&
                attribute_forms(pair->nodes.at[at].op, &n) != NULL)
                slots_of(pair, at, c);
        }
}

// ---- the sizes of the left side

static struct int_slot *slot_at(struct pair *pair, uint32_t node, uint32_t cls, int attr)
{
    for (uint32_t i = 0; i < pair->slots.len; i++) {
        struct int_slot *slot = &pair->slots.at[i];
        if (slot->node == node && slot->cls == cls && slot->attr == attr)
            return slot;
    }
    return NULL;
}

static const char *size_of(struct pair *pair, uint32_t node, uint32_t cls);

static const char *own_map(struct pair *pair, struct int_slot *slot, const char *stem)
{
    if (slot->text == NULL && !slot->pinned)
        slot->text = slot->map = pair_name(pair, stem);
    return slot->text;
}

static bool no_text(const struct int_slot *slot)
{
    return slot != NULL && slot->text == NULL && !slot->pinned;
}

// Text of an attribute; "" for the usual value.
static const char *attribute(struct pair *pair, uint32_t node, uint32_t cls, int k)
{
    uint32_t n;
    const struct attribute_form *form = attribute_forms(pair->nodes.at[node].op, &n);
    struct int_slot *slot = slot_at(pair, node, cls, k);
    return slot == NULL || slot->pinned ? "" : own_map(pair, slot, form[k].map);
}

// A padding makes its operand longer by its attributes; `wanted` gives the last of them.
static const char *padded(struct pair *pair, uint32_t at, uint32_t cls, const char *wanted)
{
    const char *n = size_of(pair, pair->nodes.at[at].args[0], cls), *between = "";
    const char *low = attribute(pair, at, cls, 0);
    struct int_slot *high = slot_at(pair, at, cls, 1);
    if (n == NULL)
        return NULL;
    if (!slot_at(pair, at, cls, 2)->pinned)
        between = pair_text(pair, "max(%s - 1, 0)*%s", n, attribute(pair, at, cls, 2));
    bool more = between[0] != '\0';
    if (wanted != NULL && no_text(high))
        high->text =
            pair_text(pair, "(%s) - (%s) - %s%s%s", wanted, n, low, more ? " - " : "", between);
    return pair_text(pair, "%s + %s + %s%s%s", n, low, attribute(pair, at, cls, 1),
                     more ? " + " : "", between);
}

// The size of the result from those of the operands; NULL: it is not written in this way.
// If `wanted` is given, then an attribute without a text gets the one that makes the size so.
static const char *derived(struct pair *pair, uint32_t at, uint32_t cls, const char *wanted)
{
    const struct node *node = &pair->nodes.at[at];
    const char *size = NULL;
    if (node->kind != NODE_OP || !node_has_class(pair, at, cls) || keeps_size(pair, node, cls))
        return NULL;
    if (node->op == OP_SLICE && !slot_at(pair, at, cls, 2)->pinned) {
        size = pair_text(pair, "ceildiv(%s - %s, %s)", attribute(pair, at, cls, 1),
                         attribute(pair, at, cls, 0), attribute(pair, at, cls, 2));
    } else if (node->op == OP_SLICE) {
        const char *start = attribute(pair, at, cls, 0);
        struct int_slot *limit = slot_at(pair, at, cls, 1);
        if (wanted != NULL && no_text(limit))
            limit->text = pair_text(pair, "%s + (%s)", start, wanted);
        size = pair_text(pair, "%s - %s", attribute(pair, at, cls, 1), start);
    } else if (node->op == OP_DYNAMIC_SLICE) {
        struct int_slot *slot = slot_at(pair, at, cls, 1);
        if (wanted != NULL && no_text(slot))
            slot->text = wanted;
        size = attribute(pair, at, cls, 1);
    } else if (node->op == OP_PAD) {
        size = padded(pair, at, cls, wanted);
    } else if (node->op == OP_CONCATENATE) {
        struct buf buf = {0};
        bool all = true;
        for (uint32_t i = 0; i < node->n_args && all; i++) {
            const char *n = size_of(pair, node->args[i], cls);
            all = n != NULL;
            buf_printf(&buf, "%s%s", i ? " + " : "", all ? n : "");
        }
        size = all ? arena_strdup(&pair->mem, buf_text(&buf)) : NULL;
        buf_release(&buf);
    }
    return size;
}

#define IN_WORK ""

static const char *size_of(struct pair *pair, uint32_t node, uint32_t cls)
{
    uint32_t group = group_of(pair, node, cls);
    if (pair->size[group] != NULL)
        return pair->size[group][0] ? pair->size[group] : NULL;
    pair->size[group] = IN_WORK;
    const char *text = NULL;
    for (uint32_t i = 0; i < pair->nodes.len && text == NULL; i++)
        if (!pair->nodes.at[i].right && node_has_class(pair, i, cls) &&
            group_of(pair, i, cls) == group)
            text = derived(pair, i, cls, NULL);
    if (text == NULL)
        text = pair_name(pair, "n");
    return pair->size[group] = text;
}

const char *pair_size(struct pair *pair, uint32_t node, uint32_t cls)
{
    return node_has_class(pair, node, cls) ? pair->size[group_of(pair, node, cls)] : NULL;
}

static bool needs_size(struct pair *pair, uint32_t at, uint32_t cls)
{
    return pair->nodes.at[at].kind == NODE_TENSOR || is_sized(pair, at, cls);
}

// Names the maps of the left side, in the order of its operators.
static void name_left(struct pair *pair)
{
    uint32_t n;
    pair->size = ARENA_NEW(&pair->mem, const char *, pair->nodes.len * pair->classes.len + 1);
    for (uint32_t at = 0; at < pair->nodes.len; at++)
        for (uint32_t c = 0; c < pair->classes.len; c++)
            if (!pair->nodes.at[at].right && node_has_class(pair, at, c) && needs_size(pair, at, c))
                size_of(pair, at, c);
    // Two operators that give one size: the later one's attribute follows.
    for (uint32_t at = pair->nodes.len; at-- > 0;)
        for (uint32_t c = 0; c < pair->classes.len; c++)
            if (!pair->nodes.at[at].right && node_has_class(pair, at, c)) {
                const char *size = pair->size[group_of(pair, at, c)];
                derived(pair, at, c, size && size[0] ? size : NULL);
                if (size == NULL)
                    pair->size[group_of(pair, at, c)] = derived(pair, at, c, NULL);
            }
    for (uint32_t i = 0; i < pair->slots.len; i++) {
        struct int_slot *slot = &pair->slots.at[i];
        const struct attribute_form *form = attribute_forms(pair->nodes.at[slot->node].op, &n);
        if (slot->right || slot->text != NULL)
            continue;
        if (slot->attr == ATTR_SIZE)
            slot->text = pair->size[group_of(pair, slot->node, slot->cls)];
        else
            own_map(pair, slot, form[slot->attr].map);
    }
}

// An attribute of the right side that has the usual value is left out, unless it is freed on
// the left side.
static void name_right(struct pair *pair)
{
    for (uint32_t i = 0; i < pair->slots.len; i++) {
        struct int_slot *slot = &pair->slots.at[i];
        if (slot->right && !slot->index && !slot->pinned)
            slot->map = pair_name(pair, "u");
    }
}

// Constants that are compared with places of an axis.
static bool has_iota(const struct pair *pair, uint32_t at, uint32_t *cls)
{
    const struct node *node = &pair->nodes.at[at];
    if (node->kind == NODE_OP && node->op == OP_IOTA) {
        for (uint32_t i = 0; i < node->rank; i++)
            if (pair->dims.at[node->dim + i].marked)
                *cls = pair->class_of.at[node->dim + i];
        return true;
    }
    for (uint32_t i = 0; i < node->n_args; i++)
        if (has_iota(pair, node->args[i], cls))
            return true;
    return false;
}

static void find_counts(struct pair *pair)
{
    for (uint32_t at = 0; at < pair->nodes.len; at++) {
        const struct node *node = &pair->nodes.at[at];
        for (uint32_t i = 0; i < node->n_args && !node->right; i++) {
            const struct node *operand = &pair->nodes.at[node->args[i]];
            for (uint32_t k = 0; k < node->n_args; k++) {
                uint32_t cls = NONE;
                if (operand->kind != NODE_LITERAL || node->kind != NODE_OP ||
                    !op_is_elementwise(node->op) || !has_iota(pair, node->args[k], &cls))
                    continue;
                struct constant *constant = &pair->constants.at[operand->var];
                unsigned kind = elem_kind(constant->elem);
                if (constant->counts || !(kind & (KIND_SINT | KIND_UINT)))
                    continue;
                constant->counts = true;
                constant->cls = cls;
                constant->map = pair_name(pair, "c");
            }
        }
    }
}

static void name_variables(struct pair *pair)
{
    static const char *const tensors[] = {"A", "B", "C", "D", "E", "F", "G", "H"};
    for (uint32_t i = 0; i < pair->tensors.len; i++)
        pair->tensors.at[i].name = pair_name(pair, tensors[i < 8 ? i : 7]);
    for (uint32_t i = 0; i < pair->scalars.len; i++)
        pair->scalars.at[i].name = pair_name(pair, "v");
    for (uint32_t i = 0; i < pair->constants.len; i++)
        pair->constants.at[i].name = pair_name(pair, "v");
}

bool pair_slots(struct pair *pair)
{
    name_variables(pair);
    tie_sizes(pair);
    list_slots(pair);
    name_left(pair);
    find_counts(pair);
    name_right(pair);
    return pair->slots.len < EXAMPLE_SLOTS || pair_fails(pair, "too many attributes");
}
