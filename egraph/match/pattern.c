// SPDX-License-Identifier: Apache-2.0
#include "egraph/match/pattern_core.h"

#include "base/text/buf.h"
#include "egraph/match/index.h"

const char *pattern_refuse(struct pattern_compiler *w, const char *fmt, const char *name)
{
    struct buf b = {0};
    buf_puts(&b, w->p->backward ? "backward: " : "");
    for (const char *s = fmt; *s != '\0'; s++) {
        if (*s == '%')
            buf_puts(&b, name[0] != '\0' ? name : "without a name");
        else
            buf_putc(&b, *s);
    }
    const char *text = arena_strdup(w->mem, buf_text(&b));
    buf_release(&b);
    return text;
}

static bool all_empty(const struct axis_size *sizes, uint32_t n, uint64_t empty)
{
    for (uint32_t i = 0; i < n; i++)
        if (!class_in_set(empty, sizes[i].cls))
            return false;
    return true;
}

static bool groups_empty(const struct pat *p, uint64_t empty)
{
    for (uint32_t k = 0; k < p->n_groups; k++) {
        const struct reshape_group *g = &p->groups[k];
        for (uint32_t j = 0; j < g->n_from; j++)
            if (!class_in_set(empty, g->from[j]))
                return false;
        if (!all_empty(g->to, g->n_to, empty))
            return false;
    }
    return true;
}

// Does the node touch no axis once these classes are empty?
static bool deleted(const struct rule *r, uint32_t i, uint64_t empty)
{
    const struct pat *p = &r->pats[i];
    if (p->kind == PAT_RELABEL) {
        for (uint32_t k = 0; k < p->n_relabels; k++)
            if (!class_in_set(empty, p->relabels[k].from))
                return false;
        return true;
    }
    if (p->kind != PAT_OP)
        return false;
    switch (p->op) {
    case OP_REDUCE: // an initial value is used even over no axis
        return p->n_args == 1 && (p->classes & ~empty) == 0;
    case OP_REVERSE:
        return (p->classes & ~empty) == 0;
    case OP_BROADCAST_IN_DIM:
        for (uint32_t k = 0; k < p->n_attrs; k++)
            if (!class_in_set(empty, p->attrs[k].cls))
                return false;
        return true;
    case OP_SLICE:
    case OP_PAD:
    case OP_DYNAMIC_SLICE:
        return all_empty(p->sizes, p->n_sizes, empty);
    case OP_REDUCE_WINDOW:
        return p->n_args == 1 && all_empty(p->sizes, p->n_sizes, empty);
    case OP_RESHAPE:
        return groups_empty(p, empty);
    default:
        return false;
    }
}

static uint32_t stands_for(const struct rule *r, uint32_t i, uint64_t empty)
{
    while (deleted(r, i, empty))
        i = r->pats[i].args[0];
    return i;
}

// The node at which matching starts: relabels have no node of their own.
static uint32_t first_operator(const struct rule *r, uint32_t i, uint64_t empty)
{
    i = stands_for(r, i, empty);
    while (r->pats[i].kind == PAT_RELABEL)
        i = stands_for(r, r->pats[i].args[0], empty);
    return i;
}

static bool is_leaf(const struct pat *p)
{
    return p->kind == PAT_TENSOR || p->kind == PAT_SCALAR ||
           p->kind == PAT_LITERAL;
}

// Leaves right after their parent (cheap tests first), then the rest in depth.
static bool list_steps(struct pattern_compiler *w, struct pattern_variant *v, uint32_t i,
                       uint32_t parent)
{
    const struct pat *p = &w->r->pats[i];
    if (v->parent[i] != NONE || v->n_steps >= PATTERN_MAX_NODES)
        return false;
    v->parent[i] = parent == NONE ? i : parent;
    v->step[v->n_steps++] = i;
    for (int inner = 0; inner < 2; inner++)
        for (uint32_t k = 0; k < p->n_args; k++) {
            uint32_t a = stands_for(w->r, p->args[k], v->empty);
            if (is_leaf(&w->r->pats[a]) == (inner == 0) &&
                !list_steps(w, v, a, i))
                return false;
        }
    return true;
}

static uint32_t slot(const struct rule *r, uint32_t node, uint32_t cls)
{
    return node * r->n_classes + cls;
}

static bool has_class(const struct pattern_variant *v, const struct pat *p, uint32_t c)
{
    for (uint32_t i = 0; i < p->n_sizes; i++)
        if (p->sizes[i].cls == c)
            return !class_in_set(v->empty, c);
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

static uint32_t relabelled(const struct pat *p, uint32_t c)
{
    for (uint32_t k = 0; k < p->n_relabels; k++)
        if (p->relabels[k].from == c)
            return p->relabels[k].to;
    return c;
}

static void link_node(struct pattern_compiler *w, struct pattern_variant *v, uint32_t *up,
                      uint32_t i)
{
    const struct rule *r = w->r;
    const struct pat *p = &r->pats[i];
    for (uint32_t k = 0; k < p->n_args; k++) {
        uint32_t a = v->rep[p->args[k]];
        if (a == NONE)
            continue; // the value of a deleted pad
        const struct pat *q = &r->pats[a];
        for (uint32_t c = 0; c < r->n_classes; c++) {
            if (!has_class(v, q, c))
                continue;
            uint32_t d = p->kind == PAT_RELABEL ? relabelled(p, c) : c;
            if (has_class(v, p, d))
                link_slots(up, slot(r, i, d), slot(r, a, c));
            for (uint32_t j = 0; j < k; j++) {
                uint32_t b = v->rep[p->args[j]];
                if (b != NONE && has_class(v, &r->pats[b], c))
                    link_slots(up, slot(r, a, c), slot(r, b, c));
            }
        }
    }
    for (uint32_t s = 0; p->kind == PAT_TENSOR && s < v->n_steps; s++) {
        const struct pat *q = &r->pats[v->step[s]];
        if (q->kind != PAT_TENSOR || q->var != p->var)
            continue;
        for (uint32_t c = 0; c < r->n_classes; c++)
            if (has_class(v, p, c))
                link_slots(up, slot(r, i, c), slot(r, v->step[s], c));
    }
}

static void find_parts(struct pattern_compiler *w, struct pattern_variant *v)
{
    const struct rule *r = w->r;
    uint32_t n = r->n_pats * r->n_classes;
    uint32_t *up = mem_alloc((n + 1) * sizeof *up);
    v->slot_part = ARENA_NEW(w->mem, uint32_t, n);
    for (uint32_t s = 0; s < n; s++) {
        up[s] = s;
        v->slot_part[s] = NONE;
    }
    for (uint32_t s = 0; s < v->n_steps; s++)
        link_node(w, v, up, v->step[s]);
    v->parts = ARENA_NEW(w->mem, struct pattern_part, v->n_steps * r->n_classes);
    // Classes outside, so that parts come in order of declaration.
    for (uint32_t c = 0; c < r->n_classes; c++)
        for (uint32_t s = 0; s < v->n_steps; s++) {
            uint32_t at = slot(r, v->step[s], c);
            if (!has_class(v, &r->pats[v->step[s]], c))
                continue;
            uint32_t root = slot_root(up, at);
            if (v->slot_part[root] == NONE) {
                v->parts[v->n_parts].family = r->classes[c].like;
                v->slot_part[root] = v->n_parts++;
            }
            v->slot_part[at] = v->slot_part[root];
            v->parts[v->slot_part[at]].n_slots++;
        }
    // Roots that are no slot of their own do not occur: links join slots only.
    mem_free(up);
}

static bool has_element_conditions(const struct rule *r)
{
    for (uint32_t w = 0; w < r->n_wheres; w++)
        if (r->wheres[w].cond == NULL)
            return true;
    return false;
}

// What a variable is bound to does not matter by itself; where it occurs twice,
// the nodes above tell when the two become one.
static bool class_matters(const struct rule *r, uint32_t i)
{
    return r->pats[i].kind != PAT_TENSOR || has_element_conditions(r);
}

// As index.h counts; a scalar's operators are rarely more than constants.
static int32_t count_operators(const struct rule *r, uint32_t i, uint64_t empty)
{
    i = stands_for(r, i, empty);
    const struct pat *p = &r->pats[i];
    int32_t n = p->kind == PAT_OP || p->kind == PAT_OPVAR;
    for (uint32_t k = 0; k < p->n_args; k++)
        n += count_operators(r, p->args[k], empty);
    return n;
}

static void measure(struct pattern_compiler *w, struct pattern_variant *v)
{
    const struct rule *r = w->r;
    v->growth = count_operators(r, w->p->target, v->empty) -
                count_operators(r, w->p->root, v->empty);
    for (uint32_t s = 0; s < v->n_steps; s++) {
        uint32_t i = v->step[s], depth = 0;
        if (r->pats[i].kind == PAT_OP)
            v->needs |= op_bit(r->pats[i].op);
        v->look[i] = NONE; // each comes after its parent
        if (!class_matters(r, i))
            continue;
        for (uint32_t k = i;; k = v->parent[k], depth++) {
            if (v->look[k] == NONE || v->look[k] < depth)
                v->look[k] = depth;
            if (v->parent[k] == k)
                break;
        }
        if (depth > v->depth)
            v->depth = depth;
    }
}

static struct pattern_variant *new_variant(struct pattern_compiler *w, uint64_t empty)
{
    const struct rule *r = w->r;
    struct pattern_variant *v = ARENA_NEW(w->mem, struct pattern_variant, 1);
    v->empty = empty;
    v->step = ARENA_NEW(w->mem, uint32_t, w->p->root + 1u);
    v->look = ARENA_NEW(w->mem, uint32_t, r->n_pats);
    v->rep = ARENA_NEW(w->mem, uint32_t, r->n_pats);
    v->parent = ARENA_NEW(w->mem, uint32_t, r->n_pats);
    for (uint32_t i = 0; i < r->n_pats; i++)
        v->rep[i] = v->parent[i] = NONE;
    if (!list_steps(w, v, stands_for(r, w->p->root, empty), NONE))
        return NULL;
    for (uint32_t s = 0; s < v->n_steps; s++)
        v->rep[v->step[s]] = v->step[s];
    // Deleted nodes: those on the way from a matched node's argument down.
    uint32_t i = w->p->root;
    for (; v->rep[i] == NONE; i = r->pats[i].args[0])
        v->rep[i] = v->step[0];
    for (uint32_t s = 0; s < v->n_steps; s++)
        for (uint32_t k = 0; k < r->pats[v->step[s]].n_args; k++) {
            i = r->pats[v->step[s]].args[k];
            uint32_t to = stands_for(r, i, empty);
            for (; i != to; i = r->pats[i].args[0])
                v->rep[i] = to;
        }
    find_parts(w, v);
    measure(w, v);
    return v;
}

// Are two pattern trees equal, nodes over empty classes left out?
static bool same_tree(const struct rule *r, uint32_t i, uint32_t j,
                      uint64_t empty)
{
    i = stands_for(r, i, empty);
    j = stands_for(r, j, empty);
    const struct pat *p = &r->pats[i], *q = &r->pats[j];
    if (p->kind != q->kind || p->op != q->op || p->var != q->var ||
        p->n_args != q->n_args || p->type != q->type)
        return false;
    bool plain = p->n_attrs == 0 && q->n_attrs == 0 && p->n_groups == 0 &&
                 q->n_groups == 0 && p->value == NULL && q->value == NULL &&
                 p->op != OP_CONVOLUTION && p->batch == q->batch &&
                 (p->classes & ~empty) == (q->classes & ~empty) &&
                 p->n_relabels == 0 && q->n_relabels == 0 && p->dir == q->dir &&
                 p->reducer == q->reducer && p->opvar == q->opvar;
    if (p->kind == PAT_LITERAL)
        plain = plain && p->lit == q->lit && p->k == q->k &&
                (p->text == q->text || (p->text != NULL && q->text != NULL &&
                                        strcmp(p->text, q->text) == 0));
    if (!plain && p->kind != PAT_TENSOR && p->kind != PAT_SCALAR)
        return false;
    for (uint32_t k = 0; k < p->n_args; k++)
        if (!same_tree(r, p->args[k], q->args[k], empty))
            return false;
    return true;
}

// Ranks that may be 0: no class of the family asks for an axis.
static uint64_t empty_families(const struct rule *r, uint64_t *family,
                               uint32_t *n)
{
    uint64_t all = 0;
    *n = 0;
    for (uint32_t f = 0; f < r->n_classes; f++) {
        uint64_t set = 0;
        bool may = r->classes[f].like == f;
        for (uint32_t c = 0; c < r->n_classes; c++) {
            if (r->classes[c].like != f)
                continue;
            set |= UINT64_C(1) << c;
            may = may && !r->classes[c].single && r->classes[c].least_rank == 0;
        }
        if (may && *n < PATTERN_MAX_FAMILIES) {
            family[(*n)++] = set;
            all |= set;
        }
    }
    return all;
}

static uint32_t count_deleted(const struct rule *r, uint32_t i, uint64_t empty)
{
    uint32_t n = deleted(r, i, empty) ? 1 : 0;
    for (uint32_t k = 0; k < r->pats[i].n_args; k++)
        n += count_deleted(r, r->pats[i].args[k], empty);
    return n;
}

// Is every family in the set needed for what it deletes?
static bool is_least(const struct rule *r, uint32_t root, uint64_t empty,
                     const uint64_t *family, uint32_t n)
{
    uint32_t all = count_deleted(r, root, empty);
    for (uint32_t f = 0; f < n; f++)
        if ((family[f] & empty) &&
            count_deleted(r, root, empty & ~family[f]) == all)
            return false;
    return true;
}

static void add_variants(struct pattern_compiler *w, const char **why)
{
    const struct rule *r = w->r;
    uint64_t family[PATTERN_MAX_FAMILIES];
    uint32_t n;
    empty_families(r, family, &n);
    w->p->variants = ARENA_NEW(w->mem, struct pattern_variant, (size_t)1 << n);
    for (uint64_t pick = 0; pick < UINT64_C(1) << n; pick++) {
        uint64_t empty = 0;
        for (uint32_t f = 0; f < n; f++)
            if (pick >> f & 1)
                empty |= family[f];
        if (!is_least(r, w->p->root, empty, family, n))
            continue;
        const struct pat *first =
            &r->pats[first_operator(r, w->p->root, empty)];
        if (first->kind != PAT_OP && first->kind != PAT_OPVAR)
            continue;
        if (pick != 0 && same_tree(r, r->lhs, r->rhs, empty))
            continue;
        struct pattern_variant *v = new_variant(w, empty);
        const char *reason =
            v == NULL
                ? pattern_refuse(w, "the pattern has over % nodes", "1024")
                : pattern_unbound(w, v);
        if (pick == 0)
            *why = reason;
        if (reason == NULL)
            w->p->variants[w->p->n_variants++] = *v;
    }
}

void pattern_compile(struct pattern *p, const struct rule *r, bool backward,
                     struct arena *mem)
{
    *p = (struct pattern){0};
    p->rule = r;
    p->backward = backward;
    p->root = backward ? r->rhs : r->lhs;
    p->target = backward ? r->lhs : r->rhs;
    struct pattern_compiler w = {p, r, mem};
    p->used = ARENA_NEW(mem, bool, r->n_maps);
    pattern_mark_used(r, p->used);
    if (rule_defines(r)) {
        p->refused =
            pattern_refuse(&w, "%, a named function", r->pats[r->rhs].text);
        return;
    }
    const struct pat *first = &r->pats[first_operator(r, p->root, 0)];
    if (first->kind != PAT_OP && first->kind != PAT_OPVAR) {
        p->refused = pattern_refuse(&w,
                                    first->kind == PAT_TENSOR
                                        ? "the side to match is a bare variable"
                                        : "the side to match is one scalar",
                                    "");
        return;
    }
    const char *why = NULL;
    add_variants(&w, &why);
    if (why != NULL)
        p->n_variants = 0;
    p->refused = why;
    p->simplifies = p->n_variants > 0;
    for (uint32_t i = 0; i < p->n_variants; i++) {
        p->simplifies = p->simplifies && p->variants[i].growth < 0;
        if (p->variants[i].depth > p->depth)
            p->depth = p->variants[i].depth;
    }
}
