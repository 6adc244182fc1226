// SPDX-License-Identifier: Apache-2.0
#include "discover/sketch/sketch.h"
#include "discover/limits.h"
#include "base/hash.h"
#include <string.h>

unsigned sketch_node_slots(const struct sketch_node *node)
{
    switch (node->kind) {
    case SKETCH_SLICE:
    case SKETCH_PAD:
        return node->pin ? 2 : 3;
    case SKETCH_SPLAT:
    case SKETCH_BROADCAST:
        return 1;
    default:
        return 0;
    }
}

static unsigned count_classes(unsigned mask)
{
    return (unsigned)__builtin_popcount(mask);
}

void sketch_finish(struct sketch *sketch)
{
    sketch->n_ops = sketch->n_slots = sketch->relabels = 0;
    for (unsigned i = 0; i < sketch->n; i++) {
        struct sketch_node *node = &sketch->node[i];
        node->slot = sketch->n_slots;
        sketch->n_slots =
            (uint8_t)(sketch->n_slots + sketch_node_slots(node) * count_classes(node->acts));
        sketch->n_ops = (uint8_t)(sketch->n_ops + (node->kind > SKETCH_SPLAT));
        sketch->relabels |= node->kind == SKETCH_RELABEL;
    }
}

unsigned sketch_classes(const struct sketch *sketch)
{
    unsigned all = 0;
    for (unsigned i = 0; i < sketch->n; i++)
        all |= sketch->node[i].classes | (sketch->node[i].acts);
    return all;
}

static unsigned copy_below(const struct sketch *sketch, unsigned node, struct sketch *out)
{
    struct sketch_node p = sketch->node[node];
    for (unsigned k = 0; k < sketch_arity(p.kind); k++)
        p.arg[k] = (uint8_t)copy_below(sketch, p.arg[k], out);
    out->node[out->n] = p;
    return out->n++;
}

void sketch_below(const struct sketch *sketch, unsigned node, struct sketch *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->shape, sketch->shape, sizeof out->shape);
    out->n_tensors = sketch->n_tensors;
    out->n_scalars = sketch->n_scalars;
    (void)copy_below(sketch, node, out);
    sketch_finish(out);
}

static void print_classes(unsigned mask, struct buf *out)
{
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (mask >> c & 1)
            buf_putc(out, "xyzw"[c]);
}

static void print_node(const struct sketch *sketch, unsigned i, struct buf *out)
{
    static const char *const name[] = {"",       "",       "",        "splat", "slice",   "pad",
                                       "concat", "concat", "reverse", "bcast", "relabel", "reduce"};
    static const char *const binary[] = {"+", "*", "max"};
    const struct sketch_node *node = &sketch->node[i];
    if (node->kind == SKETCH_TENSOR) {
        buf_putc(out, (char)('A' + node->what));
        print_classes(node->classes, out);
    } else if (node->kind == SKETCH_SCALAR) {
        buf_putc(out, (char)('v' + node->what));
    } else if (node->kind == SKETCH_LITERAL) {
        buf_putc(out, "01L"[node->what]);
    } else if (node->kind == SKETCH_BINARY) {
        buf_printf(out, "(%s ", binary[node->what]);
        print_node(sketch, node->arg[0], out);
        buf_putc(out, ' ');
        print_node(sketch, node->arg[1], out);
        buf_putc(out, ')');
    } else {
        buf_printf(out, "(%s%s", name[node->kind], node->pin ? "1" : "");
        if (node->kind == SKETCH_REDUCE)
            buf_puts(out, binary[node->what]);
        buf_putc(out, ':');
        print_classes(node->acts, out);
        for (unsigned k = 0; k < sketch_arity(node->kind); k++) {
            buf_putc(out, ' ');
            print_node(sketch, node->arg[k], out);
        }
        buf_putc(out, ')');
    }
}

void sketch_print(const struct sketch *sketch, struct buf *out)
{
    print_node(sketch, sketch->n - 1u, out);
}

static bool same_at(const struct sketch *a, unsigned i, const struct sketch *b, unsigned j)
{
    const struct sketch_node *node = &a->node[i], *q = &b->node[j];
    if (node->kind != q->kind || node->what != q->what || node->acts != q->acts ||
        node->classes != q->classes || node->pin != q->pin)
        return false;
    for (unsigned k = 0; k < sketch_arity(node->kind); k++)
        if (!same_at(a, node->arg[k], b, q->arg[k]))
            return false;
    return true;
}

bool sketch_same(const struct sketch *a, const struct sketch *b)
{
    return same_at(a, a->n - 1u, b, b->n - 1u);
}

static uint64_t hash_at(const struct sketch *sketch, unsigned i)
{
    const struct sketch_node *node = &sketch->node[i];
    uint64_t h =
        hash_u64((uint64_t)node->kind | (uint64_t)node->what << 8 | (uint64_t)node->acts << 16 |
                     (uint64_t)node->classes << 24 | (uint64_t)node->pin << 32,
                 1);
    for (unsigned k = 0; k < sketch_arity(node->kind); k++)
        h = hash_u64(hash_at(sketch, node->arg[k]), h);
    return h;
}

uint64_t sketch_hash(const struct sketch *sketch)
{
    return hash_at(sketch, sketch->n - 1u);
}

bool sketch_is_scalar(const struct sketch *sketch, unsigned i)
{
    const struct sketch_node *node = &sketch->node[i];
    return node->kind == SKETCH_SCALAR || node->kind == SKETCH_LITERAL ||
           (node->kind == SKETCH_BINARY && sketch_is_scalar(sketch, node->arg[0]) &&
            sketch_is_scalar(sketch, node->arg[1]));
}

// ---- sizes

struct unify {
    uint8_t up[16 + SKETCH_SLOTS]; // union-find: 0..15 sizes of tensors, then slots
    uint8_t size[SKETCH_NODES][SKETCH_CLASSES];
};

static uint8_t size_root(struct unify *unify, uint8_t a)
{
    while (a != 255 && unify->up[a] != a)
        a = unify->up[a];
    return a;
}

static void same_size(struct unify *unify, uint8_t a, uint8_t b)
{
    a = size_root(unify, a);
    b = size_root(unify, b);
    if (a == 255 || b == 255 || a == b)
        return;
    if (a < b)
        unify->up[b] = a;
    else
        unify->up[a] = b;
}

static void unify_node(const struct sketch *sketch, unsigned i, struct unify *unify)
{
    const struct sketch_node *node = &sketch->node[i];
    uint8_t *z = unify->size[i];
    const uint8_t *a = unify->size[node->arg[0]], *b = unify->size[node->arg[1]];
    unsigned slot = node->slot;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
        bool acts = node->acts >> c & 1;
        z[c] = 255;
        if (!(node->classes >> c & 1))
            continue;
        if (node->kind == SKETCH_TENSOR)
            z[c] = (uint8_t)(node->what * SKETCH_CLASSES + c);
        else if ((node->kind == SKETCH_SPLAT || node->kind == SKETCH_BROADCAST) && acts)
            z[c] = (uint8_t)(16 + slot++);
        else if (node->kind == SKETCH_RELABEL)
            z[c] = a[c < 2 ? 1 - c : c];
        else if (node->kind == SKETCH_BINARY && sketch_is_scalar(sketch, node->arg[0]))
            z[c] = b[c];
        else if (!acts || node->kind == SKETCH_REVERSE)
            z[c] = a[c];
        if (node->kind == SKETCH_CONCAT3 && !acts)
            same_size(unify, a[c], unify->size[node->arg[2]][c]);
        if (((node->kind == SKETCH_CONCAT || node->kind == SKETCH_CONCAT3) && !acts) ||
            (node->kind == SKETCH_BINARY && !sketch_is_scalar(sketch, node->arg[0]) &&
             !sketch_is_scalar(sketch, node->arg[1])))
            same_size(unify, a[c], b[c]);
    }
}

void sketch_unify(const struct sketch *sketch, struct sketch_sizes *sizes)
{
    struct unify unify;
    memset(sizes, 255, sizeof *sizes);
    for (unsigned i = 0; i < sizeof unify.up; i++)
        unify.up[i] = (uint8_t)i;
    for (unsigned i = 0; i < sketch->n; i++)
        unify_node(sketch, i, &unify);
    for (unsigned t = 0; t < SKETCH_TENSORS; t++)
        for (unsigned c = 0; c < SKETCH_CLASSES; c++)
            sizes->tensor[t][c] = size_root(&unify, (uint8_t)(t * SKETCH_CLASSES + c));
    for (unsigned i = 0; i < sketch->n; i++) {
        const struct sketch_node *node = &sketch->node[i];
        if (node->kind != SKETCH_SPLAT && node->kind != SKETCH_BROADCAST)
            continue;
        for (unsigned k = 0; k < count_classes(node->acts); k++) {
            uint8_t r = size_root(&unify, (uint8_t)(16u + node->slot + k));
            sizes->slot[node->slot + k] = r < 16 ? r : (uint8_t)(64 + r - 16);
        }
    }
}

// ---- instances

struct sketch_matching {
    const struct sketch *p, *s;
    bool any_binary, distinct;
    uint8_t to[SKETCH_CLASSES]; // by class of the pattern: class of the sketch
    uint8_t extra;              // further classes that all terms of the sketch have
    uint8_t tensor[SKETCH_TENSORS],
        scalar[SKETCH_SCALARS]; // nodes of the sketch; 255: not bound yet
    uint8_t binary[N_BINARY];   // by binary operator of the pattern; 255: not bound yet
};

static unsigned map_classes(const struct sketch_matching *matching, unsigned mask)
{
    unsigned r = 0;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (mask >> c & 1)
            r |= 1u << matching->to[c];
    return r;
}

static bool bind(struct sketch_matching *matching, uint8_t *var, unsigned node)
{
    if (*var == 255) {
        // Is the term already bound to another variable?
        for (unsigned k = 0; k < SKETCH_TENSORS && matching->distinct; k++)
            if (matching->tensor[k] != 255 &&
                same_at(matching->s, matching->tensor[k], matching->s, node))
                return false;
        for (unsigned k = 0; k < SKETCH_SCALARS && matching->distinct; k++)
            if (matching->scalar[k] != 255 &&
                same_at(matching->s, matching->scalar[k], matching->s, node))
                return false;
        *var = (uint8_t)node;
        return true;
    }
    return same_at(matching->s, *var, matching->s, node);
}

static bool match_at(struct sketch_matching *matching, unsigned i, unsigned j)
{
    const struct sketch_node *node = &matching->p->node[i], *q = &matching->s->node[j];
    if (node->kind == SKETCH_SCALAR)
        return sketch_is_scalar(matching->s, j) && bind(matching, &matching->scalar[node->what], j);
    if (node->kind == SKETCH_TENSOR)
        return !sketch_is_scalar(matching->s, j) &&
               q->classes == (map_classes(matching, node->classes) | matching->extra) &&
               bind(matching, &matching->tensor[node->what], j);
    if (node->kind != q->kind || (node->pin && !q->pin))
        return false;
    if (node->kind == SKETCH_SPLAT) {
        if (q->acts != (map_classes(matching, node->acts) | matching->extra))
            return false;
    } else if (node->kind != SKETCH_LITERAL && q->acts != map_classes(matching, node->acts)) {
        return false;
    }
    if (node->kind == SKETCH_RELABEL && ((matching->to[0] > 1) | (matching->to[1] > 1)) != 0)
        return false;
    struct sketch_matching before = *matching;
    if (node->kind == SKETCH_LITERAL) {
        if (node->what != q->what)
            return false;
    } else if (node->kind == SKETCH_BINARY || node->kind == SKETCH_REDUCE) {
        if (matching->any_binary) {
            if (matching->binary[node->what] == 255)
                matching->binary[node->what] = q->what;
            if (matching->binary[node->what] != q->what) {
                *matching = before;
                return false;
            }
        } else if (node->what != q->what) {
            return false;
        }
    }
    bool ok = true;
    for (unsigned k = 0; ok && k < sketch_arity(node->kind); k++)
        ok = match_at(matching, node->arg[k], q->arg[k]);
    if (!ok && node->kind == SKETCH_BINARY) {
        *matching = before;
        matching->binary[node->what] = q->what;
        ok = match_at(matching, node->arg[0], q->arg[1]) &&
             match_at(matching, node->arg[1], q->arg[0]);
    }
    if (!ok)
        *matching = before;
    return ok;
}

bool sketch_matches(const struct sketch *p, bool spectator, bool any_binary, bool distinct,
                    const struct sketch *s, unsigned node)
{
    unsigned have = sketch_classes(s), need = sketch_classes(p);
    for (unsigned code = 0; code < 24; code++) {
        // A permutation of the classes.
        uint8_t left[SKETCH_CLASSES] = {0, 1, 2, 3};
        struct sketch_matching matching = {
            .p = p, .s = s, .any_binary = any_binary, .distinct = distinct};
        unsigned k = code, used = 0;
        bool fits = true;
        memset(matching.tensor, 255, sizeof matching.tensor);
        memset(matching.scalar, 255, sizeof matching.scalar);
        memset(matching.binary, 255, sizeof matching.binary);
        for (unsigned c = 0; c < SKETCH_CLASSES; c++) {
            unsigned pick = k % (SKETCH_CLASSES - c);
            k /= SKETCH_CLASSES - c;
            matching.to[c] = left[pick];
            memmove(left + pick, left + pick + 1, sizeof left - pick - 1);
            if (need >> c & 1)
                used |= 1u << matching.to[c];
            else
                fits &= c == 0 || !(need >> (c - 1) & 1) || true; // free classes: any
        }
        // Further classes: all subsets of the unused classes.
        unsigned rest = have & ~used;
        for (unsigned x = rest;; x = (x - 1) & rest) {
            matching.extra = (uint8_t)x;
            struct sketch_matching one = matching;
            if (fits && (x == 0 || spectator) && match_at(&one, p->n - 1u, node))
                return true;
            if (x == 0)
                break;
        }
    }
    return false;
}
