// SPDX-License-Identifier: Apache-2.0
#include "discover/sketch/enumerate.h"
#include "discover/limits.h"
#include "base/hash.h"

static uint8_t rename_mask(unsigned mask, const uint8_t *cls)
{
    unsigned r = 0;
    for (unsigned c = 0; c < SKETCH_CLASSES; c++)
        if (mask >> c & 1)
            r |= 1u << cls[c];
    return (uint8_t)r;
}

void sketch_rename(struct sketch *sketch, const uint8_t *tensor, const uint8_t *scalar,
                   const uint8_t *cls)
{
    uint8_t shape[SKETCH_TENSORS] = {0};
    for (unsigned t = 0; t < sketch->n_tensors; t++)
        shape[tensor[t]] = rename_mask(sketch->shape[t], cls);
    memcpy(sketch->shape, shape, sizeof shape);
    for (unsigned i = 0; i < sketch->n; i++) {
        struct sketch_node *node = &sketch->node[i];
        node->acts = rename_mask(node->acts, cls);
        node->classes = rename_mask(node->classes, cls);
        if (node->kind == SKETCH_TENSOR)
            node->what = tensor[node->what];
        else if (node->kind == SKETCH_SCALAR)
            node->what = scalar[node->what];
    }
}

void sketch_renumber(struct sketch *sketch)
{
    uint8_t tensor[SKETCH_TENSORS], scalar[SKETCH_SCALARS];
    uint8_t shape[SKETCH_TENSORS] = {0};
    unsigned nt = 0, ns = 0;
    memset(tensor, 255, sizeof tensor);
    memset(scalar, 255, sizeof scalar);
    for (unsigned i = 0; i < sketch->n; i++) {
        struct sketch_node *node = &sketch->node[i];
        if (node->kind == SKETCH_TENSOR) {
            if (tensor[node->what] == 255) {
                shape[nt] = sketch->shape[node->what];
                tensor[node->what] = (uint8_t)nt++;
            }
            node->what = tensor[node->what];
        } else if (node->kind == SKETCH_SCALAR) {
            if (scalar[node->what] == 255)
                scalar[node->what] = (uint8_t)ns++;
            node->what = scalar[node->what];
        }
    }
    memcpy(sketch->shape, shape, sizeof shape);
    sketch->n_tensors = (uint8_t)nt;
    sketch->n_scalars = (uint8_t)ns;
}

// ---- signatures

struct naming {
    const uint8_t *tensor, *scalar, *cls;
};

static uint64_t hash_node(const struct sketch *sketch, unsigned i, const struct naming *naming)
{
    const struct sketch_node *node = &sketch->node[i];
    unsigned what = node->kind == SKETCH_TENSOR   ? naming->tensor[node->what]
                    : node->kind == SKETCH_SCALAR ? naming->scalar[node->what]
                                                  : node->what;
    uint64_t h = hash_u64(
        node->kind | (uint64_t)what << 8 | (uint64_t)rename_mask(node->acts, naming->cls) << 16 |
            (uint64_t)rename_mask(node->classes, naming->cls) << 24 | (uint64_t)node->pin << 32,
        3);
    unsigned arity = sketch_arity(node->kind);
    if (arity == 0)
        return h;
    uint64_t a = hash_node(sketch, node->arg[0], naming);
    if (arity == 1)
        return hash_u64(a, h);
    uint64_t b = hash_node(sketch, node->arg[1], naming);
    if (arity == 3)
        h = hash_u64(hash_node(sketch, node->arg[2], naming), h);
    if (node->kind == SKETCH_BINARY && b < a) {
        uint64_t x = a;
        a = b;
        b = x;
    }
    return hash_u64(b, hash_u64(a, h));
}

// The k-th permutation of n things.
static void permutation(unsigned n, unsigned k, uint8_t *out)
{
    uint8_t left[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    for (unsigned i = 0; i < n; i++) {
        unsigned pick = k % (n - i);
        k /= n - i;
        out[i] = left[pick];
        memmove(left + pick, left + pick + 1, sizeof left - pick - 1);
    }
}

static unsigned factorial(unsigned n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

uint64_t sketch_signature(const struct sketch *sketch)
{
    uint64_t best = UINT64_MAX;
    unsigned classes = sketch_classes(sketch), nc = 0;
    uint8_t tensor[SKETCH_TENSORS], scalar[SKETCH_SCALARS];
    uint8_t cls[SKETCH_CLASSES], perm[SKETCH_CLASSES];
    while (classes >> nc)
        nc++;
    for (unsigned c = 0; c < factorial(nc); c++) {
        permutation(nc, c, perm);
        for (unsigned i = 0; i < SKETCH_CLASSES; i++)
            cls[i] = i < nc ? perm[i] : (uint8_t)i;
        if (sketch->relabels && (rename_mask(3, cls) != 3))
            continue;
        for (unsigned a = 0; a < factorial(sketch->n_tensors); a++)
            for (unsigned b = 0; b < factorial(sketch->n_scalars); b++) {
                permutation(sketch->n_tensors, a, tensor);
                permutation(sketch->n_scalars, b, scalar);
                uint64_t h =
                    hash_node(sketch, sketch->n - 1u, &(struct naming){tensor, scalar, cls});
                best = h < best ? h : best;
            }
    }
    return best;
}

// ---- the set of what was made

void enumeration_init(struct enumeration *sketches, const struct enumerate_options *options)
{
    memset(sketches, 0, sizeof *sketches);
    sketches->options = *options;
    sketches->n_slots = 1u << 16;
    sketches->most = SKETCH_NODES;
    sketches->seen = mem_alloc(sketches->n_slots * sizeof *sketches->seen);
}

void enumeration_release(struct enumeration *sketches)
{
    mem_free(sketches->seen);
    memset(sketches, 0, sizeof *sketches);
}

// Own table: a set of millions of hashes, which takes 8 bytes for each here.
static bool put(uint64_t *seen, uint32_t n_slots, uint64_t h)
{
    uint32_t i = (uint32_t)h & (n_slots - 1);
    while (seen[i] != 0 && seen[i] != h)
        i = (i + 1) & (n_slots - 1);
    if (seen[i] == h)
        return false;
    seen[i] = h;
    return true;
}

static bool is_new(struct enumeration *sketches, uint64_t h)
{
    h |= h == 0;
    if (2 * (sketches->n_seen + 1) > sketches->n_slots) {
        uint64_t *more = mem_alloc(2 * sketches->n_slots * sizeof *more);
        for (uint32_t i = 0; i < sketches->n_slots; i++)
            if (sketches->seen[i] != 0)
                (void)put(more, 2 * sketches->n_slots, sketches->seen[i]);
        mem_free(sketches->seen);
        sketches->seen = more;
        sketches->n_slots *= 2;
    }
    if (!put(sketches->seen, sketches->n_slots, h))
        return false;
    sketches->n_seen++;
    return true;
}

// ---- construction

struct sketch_maker {
    struct enumeration *sketches;
    struct sketch_vec *out;
};

unsigned sketch_attributed(const struct sketch *sketch)
{
    unsigned n = 0;
    for (unsigned i = 0; i < sketch->n; i++)
        n += sketch->node[i].kind == SKETCH_SLICE || sketch->node[i].kind == SKETCH_PAD;
    return n;
}

static void offer(struct sketch_maker *maker, struct sketch *sketch)
{
    if (sketch->n > SKETCH_NODES - 2 || sketch_attributed(sketch) > maker->sketches->most)
        return;
    sketch_renumber(sketch);
    sketch_finish(sketch);
    if (sketch->n_tensors > maker->sketches->options.tensors ||
        sketch->n_scalars > maker->sketches->options.scalars || sketch->n_slots > SKETCH_SLOTS - 6)
        return;
    // Classes are numbered by first use.  Other numberings give renamed sketches,
    // which have the same signature.
    if (is_new(maker->sketches, sketch_signature(sketch)))
        vec_push(maker->out, *sketch);
}

static const struct sketch_node *root_of(const struct sketch *sketch)
{
    return &sketch->node[sketch->n - 1];
}

static bool bare_scalar(const struct sketch *sketch)
{
    return sketch->n_tensors == 0 && root_of(sketch)->classes == 0;
}

static void put_unary(struct sketch_maker *maker, const struct sketch *sketch, unsigned kind,
                      unsigned what, unsigned acts, unsigned classes)
{
    struct sketch s = *sketch;
    s.node[s.n] = (struct sketch_node){.kind = (uint8_t)kind,
                                       .what = (uint8_t)what,
                                       .acts = (uint8_t)acts,
                                       .classes = (uint8_t)classes,
                                       .arg = {(uint8_t)(s.n - 1), 0}};
    s.n++;
    offer(maker, &s);
}

static void put_pad(struct sketch_maker *maker, const struct sketch *sketch, unsigned acts,
                    unsigned kind, unsigned what)
{
    struct sketch s = *sketch;
    unsigned root = s.n - 1u;
    s.node[s.n++] = (struct sketch_node){.kind = (uint8_t)kind, .what = (uint8_t)what};
    if (kind == SKETCH_SCALAR && what >= s.n_scalars)
        s.n_scalars = (uint8_t)(what + 1);
    s.node[s.n] = (struct sketch_node){.kind = SKETCH_PAD,
                                       .acts = (uint8_t)acts,
                                       .classes = s.node[root].classes,
                                       .arg = {(uint8_t)root, (uint8_t)(s.n - 1)}};
    s.n++;
    if (s.n_scalars <= SKETCH_SCALARS)
        offer(maker, &s);
}

static void unaries(struct sketch_maker *maker, const struct sketch *sketch)
{
    const struct enumerate_options *options = &maker->sketches->options;
    unsigned have = root_of(sketch)->classes, all = (1u << options->classes) - 1;
    for (unsigned m = 1; m <= all; m++) {
        if ((m & ~have) == 0) {
            // An operator acts on all classes of its operand, since acting on some of them
            // is an instance.  Beside an operator on some classes, one on the others is
            // made, too: the two may commute only in that case.
            unsigned beside = have & ~(unsigned)root_of(sketch)->acts;
            bool full =
                options->classes == 1 || m == have || (root_of(sketch)->acts != 0 && m == beside);
            if (full && (options->kinds >> SKETCH_SLICE & 1))
                put_unary(maker, sketch, SKETCH_SLICE, 0, m, have);
            if (options->kinds >> SKETCH_REVERSE & 1)
                put_unary(maker, sketch, SKETCH_REVERSE, 0, m, have);
            for (unsigned b = 0; b < N_BINARY; b++)
                if ((options->kinds >> SKETCH_REDUCE & 1) && (options->binaries >> b & 1))
                    put_unary(maker, sketch, SKETCH_REDUCE, b, m, have & ~m);
            if (full && (options->kinds >> SKETCH_PAD & 1)) {
                for (unsigned v = 0; v <= sketch->n_scalars && v < options->scalars; v++)
                    put_pad(maker, sketch, m, SKETCH_SCALAR, v);
                if (options->literals)
                    put_pad(maker, sketch, m, SKETCH_LITERAL, LITERAL_ZERO);
            }
        } else if ((m & have) == 0 && !bare_scalar(sketch) &&
                   (options->kinds >> SKETCH_BROADCAST & 1)) {
            put_unary(maker, sketch, SKETCH_BROADCAST, 0, m, have | m);
        }
    }
    if ((options->kinds >> SKETCH_RELABEL & 1) && (have & 3) != 0 && options->classes > 1) {
        unsigned to = (have & ~3u) | (have & 1) << 1 | (have >> 1 & 1);
        put_unary(maker, sketch, SKETCH_RELABEL, 0, 3, to);
    }
}

// Appends the nodes of b to those of a, with renamed variables.
static bool append(struct sketch *s, const struct sketch *b, const uint8_t *tensor,
                   const uint8_t *scalar, const uint8_t *cls)
{
    if (s->n + b->n + 1 > SKETCH_NODES - 2)
        return false;
    struct sketch sketch = *b;
    unsigned base = s->n;
    uint8_t to[SKETCH_TENSORS];
    for (unsigned i = 0; i < sketch.n; i++) {
        struct sketch_node node = sketch.node[i];
        node.acts = rename_mask(node.acts, cls);
        node.classes = rename_mask(node.classes, cls);
        if (node.kind == SKETCH_TENSOR)
            node.what = tensor[node.what];
        else if (node.kind == SKETCH_SCALAR)
            node.what = scalar[node.what];
        node.arg[0] = (uint8_t)(node.arg[0] + base);
        node.arg[1] = (uint8_t)(node.arg[1] + base);
        node.arg[2] = (uint8_t)(node.arg[2] + base);
        s->node[s->n++] = node;
    }
    for (unsigned t = 0; t < b->n_tensors; t++) {
        to[t] = rename_mask(b->shape[t], cls);
        if (tensor[t] < s->n_tensors) {
            if (s->shape[tensor[t]] != to[t])
                return false;
        } else {
            s->shape[tensor[t]] = to[t];
            s->n_tensors = (uint8_t)(tensor[t] + 1);
        }
    }
    for (unsigned v = 0; v < b->n_scalars; v++)
        if (scalar[v] >= s->n_scalars)
            s->n_scalars = (uint8_t)(scalar[v] + 1);
    return true;
}

static void put_binary(struct sketch_maker *maker, const struct sketch *sketch, unsigned left)
{
    const struct enumerate_options *options = &maker->sketches->options;
    const struct sketch_node *node = &sketch->node[left], *b = root_of(sketch);
    bool sa = node->kind == SKETCH_SCALAR || node->kind == SKETCH_LITERAL ||
              (node->classes == 0 && node->kind == SKETCH_BINARY);
    bool sb = b->kind == SKETCH_SCALAR || b->kind == SKETCH_LITERAL ||
              (b->classes == 0 && b->kind == SKETCH_BINARY);
    bool splat = node->kind == SKETCH_SPLAT || b->kind == SKETCH_SPLAT;
    struct sketch r = *sketch;
    unsigned at = r.n++;
    r.node[at] = (struct sketch_node){.arg = {(uint8_t)left, (uint8_t)(at - 1)},
                                      .classes = (uint8_t)(node->classes | b->classes)};
    if ((node->classes == b->classes || sa || sb) && !splat &&
        (options->kinds >> SKETCH_BINARY & 1) && !(node->kind == SKETCH_LITERAL && sb) &&
        !(b->kind == SKETCH_LITERAL && sa))
        for (unsigned k = 0; k < N_BINARY; k++)
            if (options->binaries >> k & 1) {
                struct sketch one = r;
                one.node[at].kind = SKETCH_BINARY;
                one.node[at].what = (uint8_t)k;
                offer(maker, &one);
            }
    for (unsigned c = 0; c < options->classes; c++)
        if (node->classes == b->classes && (node->classes >> c & 1) &&
            (options->kinds >> SKETCH_CONCAT & 1)) {
            struct sketch one = r;
            one.node[at].kind = SKETCH_CONCAT;
            one.node[at].acts = (uint8_t)(1u << c);
            offer(maker, &one);
        }
}

// Makes all ways in which variables of b may be variables of a or new ones.
static void binaries(struct sketch_maker *maker, const struct sketch *a, const struct sketch *b)
{
    const struct enumerate_options *options = &maker->sketches->options;
    uint8_t tensor[SKETCH_TENSORS], scalar[SKETCH_SCALARS];
    uint8_t cls[SKETCH_CLASSES] = {0, 1, 2, 3}, perm[SKETCH_CLASSES];
    unsigned nt = 1, ns = 1;
    for (unsigned t = 0; t < b->n_tensors; t++)
        nt *= a->n_tensors + b->n_tensors;
    for (unsigned v = 0; v < b->n_scalars; v++)
        ns *= a->n_scalars + b->n_scalars;
    for (unsigned c = 0; c < factorial(options->classes); c++) {
        permutation(options->classes, c, perm);
        memcpy(cls, perm, options->classes);
        if (b->relabels && rename_mask(3, cls) != 3)
            continue;
        for (unsigned kt = 0; kt < nt; kt++)
            for (unsigned ks = 0; ks < ns; ks++) {
                unsigned x = kt, y = ks, used = 0, top = a->n_tensors;
                bool fits = true;
                for (unsigned t = 0; t < b->n_tensors; t++) {
                    tensor[t] = (uint8_t)(x % (a->n_tensors + b->n_tensors));
                    x /= a->n_tensors + b->n_tensors;
                    fits &= !(used >> tensor[t] & 1) && tensor[t] <= top;
                    used |= 1u << tensor[t];
                    top += tensor[t] == top;
                }
                used = 0;
                top = a->n_scalars;
                for (unsigned v = 0; v < b->n_scalars; v++) {
                    scalar[v] = (uint8_t)(y % (a->n_scalars + b->n_scalars));
                    y /= a->n_scalars + b->n_scalars;
                    fits &= !(used >> scalar[v] & 1) && scalar[v] <= top;
                    used |= 1u << scalar[v];
                    top += scalar[v] == top;
                }
                for (unsigned t = 0; t < b->n_tensors; t++)
                    fits &= tensor[t] < SKETCH_TENSORS;
                for (unsigned v = 0; v < b->n_scalars; v++)
                    fits &= scalar[v] < SKETCH_SCALARS;
                struct sketch sketch = *a;
                if (fits && append(&sketch, b, tensor, scalar, cls))
                    put_binary(maker, &sketch, a->n - 1u);
            }
    }
}

static void leaf(struct sketch_maker *maker, unsigned kind, unsigned what, unsigned classes)
{
    struct sketch sketch = {.n = 1};
    sketch.node[0] = (struct sketch_node){
        .kind = (uint8_t)kind, .what = (uint8_t)what, .classes = (uint8_t)classes};
    if (kind == SKETCH_TENSOR) {
        sketch.n_tensors = 1;
        sketch.shape[0] = (uint8_t)classes;
    }
    sketch.n_scalars = kind == SKETCH_SCALAR;
    offer(maker, &sketch);
}

static void leaves(struct sketch_maker *maker)
{
    const struct enumerate_options *options = &maker->sketches->options;
    unsigned all = (1u << options->classes) - 1;
    for (unsigned m = 0; m <= all; m++)
        if (options->tensors > 0)
            leaf(maker, SKETCH_TENSOR, 0, m);
    if (options->scalars > 0)
        leaf(maker, SKETCH_SCALAR, 0, 0);
    if (options->literals) {
        leaf(maker, SKETCH_LITERAL, LITERAL_ZERO, 0);
        leaf(maker, SKETCH_LITERAL, LITERAL_ONE, 0);
        if (options->binaries >> BINARY_MAX & 1)
            leaf(maker, SKETCH_LITERAL, LITERAL_LOWEST, 0);
    }
    for (unsigned m = 1; m <= all && options->scalars > 0; m++) {
        struct sketch sketch = {.n = 2, .n_scalars = 1};
        sketch.node[0] = (struct sketch_node){.kind = SKETCH_SCALAR};
        sketch.node[1] =
            (struct sketch_node){.kind = SKETCH_SPLAT, .acts = (uint8_t)m, .classes = (uint8_t)m};
        offer(maker, &sketch);
    }
}

// Joins of three operands: tensors with different names, or constants.
static void triple_joins(struct sketch_maker *maker)
{
    const struct enumerate_options *options = &maker->sketches->options;
    unsigned all = (1u << options->classes) - 1;
    if (options->tensors < 3)
        return;
    for (unsigned m = 1; m <= all; m++)
        for (unsigned c = 0; c < options->classes; c++) {
            struct sketch sketch = {.n = 4, .n_tensors = 3};
            if (!(m >> c & 1))
                continue;
            for (unsigned t = 0; t < 3; t++) {
                sketch.node[t] = (struct sketch_node){
                    .kind = SKETCH_TENSOR, .what = (uint8_t)t, .classes = (uint8_t)m};
                sketch.shape[t] = (uint8_t)m;
            }
            sketch.node[3] = (struct sketch_node){.kind = SKETCH_CONCAT3,
                                                  .acts = (uint8_t)(1u << c),
                                                  .classes = (uint8_t)m,
                                                  .arg = {0, 1, 2}};
            offer(maker, &sketch);
        }
}

void enumerate(struct enumeration *sketches, const struct sketch_vec *less, unsigned size,
               struct sketch_vec *out)
{
    struct sketch_maker maker = {sketches, out};
    if (size == 0) {
        leaves(&maker);
        return;
    }
    if (size == 1 && (sketches->options.kinds >> SKETCH_CONCAT & 1))
        triple_joins(&maker);
    for (uint32_t i = 0; i < less[size - 1].len; i++)
        unaries(&maker, &less[size - 1].at[i]);
    for (unsigned k = 0; k < size; k++)
        for (uint32_t i = 0; i < less[k].len; i++)
            for (uint32_t j = 0; j < less[size - 1 - k].len; j++)
                binaries(&maker, &less[k].at[i], &less[size - 1 - k].at[j]);
}
