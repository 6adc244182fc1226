// SPDX-License-Identifier: Apache-2.0
#include "egraph/plain/analysis/reals.h"

#include "base/text/buf.h"
#include "formula/terms/number.h"
#include "formula/terms/term.h"

enum reals_operator {
    FUNCTION, // of its arguments, axis by axis
    NUMBER,
    TRUTH,
    VARIABLE,
    AXES,
    REDUCE, // over its first argument
    COUNT,
    JOIN // concatenate
};
enum { MAX_FOLDED = 3 }; // arguments of an operator over values

enum { FREE_OF };
const struct guard_name reals_guards[] = {
    [FREE_OF] = {"free_of", 2, false},
    {NULL, 0, false},
};

// Operators

static bool name_is(const char *s, uint32_t len, const char *t)
{
    return strlen(t) == len && memcmp(s, t, len) == 0;
}

struct axis_mask {
    struct reals *r;
    uint64_t bits;
};

static void add_axis(void *ctx, const char *axis, uint32_t len)
{
    struct axis_mask *m = ctx;
    uint32_t id = intern_bytes(&m->r->axes, axis, len);
    m->bits |= id < 64 ? UINT64_C(1) << id : REALS_ALL_AXES;
}

static struct reals_op read_op(struct reals *r, uint32_t op)
{
    struct reals_op o = {.known = 1, .what = FUNCTION};
    uint32_t len, arity = r->g->op.at[op].arity;
    const char *s = plain_op_name(r->rules, op, &len);
    if (arity > 0) {
        if (arity == 2 && len > 7 && memcmp(s, "reduce_", 7) == 0)
            o.what = REDUCE;
        else if (arity == 1 && name_is(s, len, "count"))
            o.what = COUNT;
        else if (arity == 5 && name_is(s, len, "concatenate"))
            o.what = JOIN;
        return o;
    }
    struct axis_mask m = {r, 0};
    (void)fname_axes(s, len, add_axis, &m);
    o.axes = m.bits;
    o.what = fname_is_number(s, len)                               ? NUMBER
             : name_is(s, len, "true") || name_is(s, len, "false") ? TRUTH
             : fname_is_axes(s, len)                               ? AXES
                                                                   : VARIABLE;
    return o;
}

static const struct reals_op *op_of(struct reals *r, uint32_t node)
{
    uint32_t op = r->g->node.at[node].op & CC_OP;
    while (r->op.len <= op) {
        struct reals_op o = {0};
        vec_push(&r->op, o);
    }
    if (!r->op.at[op].known)
        r->op.at[op] = read_op(r, op);
    return &r->op.at[op];
}

static struct reals_class *known(struct reals *r, uint32_t cls)
{
    while (r->class_.len < r->g->class_.len) {
        struct reals_class k = {CC_NONE, CC_NONE, 0, CC_NONE, CC_NONE};
        vec_push(&r->class_, k);
    }
    return &r->class_.at[cc_find(r->g, cls)];
}

// Axes

// Of the term that the class is called by.
static uint64_t founder_axes(const struct reals *r, uint32_t cls)
{
    return r->own.at[r->g->class_.at[cls].founder];
}

// Axes less those of a set; a set too large to be known takes nothing away.
static uint64_t without(uint64_t axes, uint64_t set)
{
    return set == REALS_ALL_AXES ? axes : axes & ~set;
}

// Of the node as a term, by the arguments it was made with: those that it has
// when it is entered.
static uint64_t own_axes(struct reals *r, uint32_t node)
{
    const struct reals_op o = *op_of(r, node);
    const uint32_t *arg = cc_args(r->g, node);
    uint32_t n = cc_arity(r->g, node);
    uint64_t all = 0;
    switch ((enum reals_operator)o.what) {
    case COUNT:
        return 0;
    case REDUCE:
        return without(founder_axes(r, arg[1]), founder_axes(r, arg[0]));
    case JOIN:
        return founder_axes(r, arg[0]) |
               without(founder_axes(r, arg[3]), founder_axes(r, arg[1])) |
               without(founder_axes(r, arg[4]), founder_axes(r, arg[2]));
    default:
        for (uint32_t i = 0; i < n; i++)
            all |= founder_axes(r, arg[i]);
        return n == 0 ? o.axes : all;
    }
}

// Is one of the class's few terms free of all axes that this one is free of?
static bool is_needless(const struct reals *r, const struct reals_class *k,
                        uint64_t axes)
{
    for (uint32_t i = k->first; i != CC_NONE; i = r->few.at[i].next)
        if ((r->own.at[r->few.at[i].node] & ~axes) == 0)
            return true;
    return false;
}

static void append_few(struct reals *r, struct reals_class *k, uint32_t first,
                       uint32_t last)
{
    if (k->first == CC_NONE)
        k->first = first;
    else
        r->few.at[k->last].next = first;
    k->last = last;
}

// True: the class may be free of more than before.
static bool enter_axes(struct reals *r, uint32_t node)
{
    if (node < r->own.len)
        return false;
    while (r->own.len < node) // dead from birth: no class is called by them
        vec_push(&r->own, REALS_ALL_AXES);
    uint64_t axes = own_axes(r, node);
    vec_push(&r->own, axes);
    struct reals_class *k = known(r, r->g->cls.at[node]);
    if (is_needless(r, k, axes))
        return false;
    struct reals_few f = {node, CC_NONE};
    vec_push(&r->few, f);
    append_few(r, k, r->few.len - 1, r->few.len - 1);
    return true;
}

// A set too large to be known is of no use: its bits are all.
static bool is_free(const struct reals *r, uint32_t few, uint64_t axes)
{
    return (r->own.at[r->few.at[few].node] & axes) == 0;
}

// Values

static uint32_t literal(const struct reals *r, uint32_t value)
{
    return cc_add(r->g, value, NULL);
}

static void conflict(struct reals *r, uint32_t a, uint32_t b)
{
    if (r->conflict || a == b)
        return;
    r->conflict = true;
    r->a = a;
    r->b = b;
}

static uint32_t value_of(struct reals *r, uint32_t node)
{
    const struct reals_op o = *op_of(r, node);
    uint32_t n = cc_arity(r->g, node), lens[MAX_FOLDED];
    const char *names[MAX_FOLDED];
    if (o.what == NUMBER || o.what == TRUTH)
        return r->g->node.at[node].op & CC_OP;
    if (o.what != FUNCTION || n == 0 || n > MAX_FOLDED)
        return CC_NONE;
    for (uint32_t i = 0; i < n; i++)
        if (known(r, cc_args(r->g, node)[i])->value == CC_NONE)
            return CC_NONE;
    for (uint32_t i = 0; i < n; i++)
        names[i] = plain_op_name(
            r->rules, known(r, cc_args(r->g, node)[i])->value, &lens[i]);
    struct buf text = {0};
    uint32_t len, out = CC_NONE;
    const char *s =
        plain_op_name(r->rules, r->g->node.at[node].op & CC_OP, &len);
    if (number_fold(s, len, n, names, lens, &text))
        out = plain_op(r->rules, r->g, buf_text(&text), (uint32_t)text.len, 0);
    buf_release(&text);
    return out;
}

static bool is_number(struct reals *r, uint32_t value)
{
    uint32_t len;
    const char *s = plain_op_name(r->rules, value, &len);
    return fname_is_number(s, len);
}

static void hide_ring(struct cc *g, uint32_t cls)
{
    uint32_t first = g->class_.at[cls].member, m = first;
    if (first == CC_NONE)
        return;
    do {
        if (cc_arity(g, m) > 0)
            cc_hide(g, m);
        m = g->next.at[m];
    } while (m != first);
}

// The analysis

static bool learn(void *ctx, struct cc *g, uint32_t node)
{
    struct reals *r = ctx;
    bool grown = enter_axes(r, node);
    uint32_t v = value_of(r, node);
    struct reals_class *k = known(r, g->cls.at[node]);
    if (v != CC_NONE && k->value != CC_NONE) {
        conflict(r, k->value, v);
    } else if (v != CC_NONE) {
        k->value = v;
        k->from = node;
        k->since = ++r->n_learned;
        grown = true;
    }
    if (k->value != CC_NONE && cc_arity(g, node) > 0 && is_number(r, k->value))
        cc_hide(g, node);
    return grown;
}

static unsigned join(void *ctx, struct cc *g, uint32_t keep, uint32_t lose)
{
    struct reals *r = ctx;
    unsigned who = 0;
    (void)known(r, keep);
    struct reals_class *k = &r->class_.at[keep], *l = &r->class_.at[lose];
    if (k->value != CC_NONE && is_number(r, k->value))
        hide_ring(g, lose);
    if (k->value != CC_NONE && l->value != CC_NONE) {
        conflict(r, k->value, l->value);
        if (l->since < k->since) {
            k->from = l->from;
            k->since = l->since;
        }
    } else if (l->value != CC_NONE) {
        k->value = l->value;
        k->from = l->from;
        k->since = l->since;
        who |= CC_KEEP_LEARNED;
    } else if (k->value != CC_NONE) {
        who |= CC_LOSE_LEARNED;
    }
    for (uint32_t i = l->first; i != CC_NONE; i = r->few.at[i].next)
        if (!is_needless(r, k, r->own.at[r->few.at[i].node]))
            who |= CC_KEEP_LEARNED;
    for (uint32_t i = k->first; i != CC_NONE; i = r->few.at[i].next)
        if (!is_needless(r, l, r->own.at[r->few.at[i].node]))
            who |= CC_LOSE_LEARNED;
    if (l->first != CC_NONE)
        append_few(r, k, l->first, l->last);
    return who;
}

// The nodes of the values that the class has its own from: those of arguments
// that had theirs before.  False: one is not in its class yet; that goes first.
static bool values_below(struct reals *r, uint32_t cls, uint32_t *arg,
                         struct u32_vec *waiting)
{
    struct cc *g = r->g;
    const struct reals_class k = *known(r, cls);
    uint32_t n = cc_arity(g, k.from), wait = waiting->len;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = cc_find(g, cc_args(g, k.from)[i]);
        const struct reals_class below = *known(r, c);
        arg[i] = CC_NONE;
        if (below.value == CC_NONE || below.since >= k.since)
            continue;
        arg[i] = literal(r, below.value);
        if (cc_class(g, arg[i]) != c)
            vec_push(waiting, c);
    }
    return waiting->len == wait;
}

// The value joins the class as a term, after those that it was made of: so the
// entries of the journal rest on older ones.
static void modify(void *ctx, struct cc *g, uint32_t cls)
{
    struct reals *r = ctx;
    const struct reals_class k = *known(r, cls);
    if (k.value == CC_NONE || r->conflict)
        return;
    if (is_number(r, k.value))
        hide_ring(g, cls);
    if (cc_class(g, literal(r, k.value)) == cls)
        return;
    struct u32_vec waiting = {0};
    vec_push(&waiting, cls);
    while (waiting.len > 0) {
        uint32_t c = cc_find(g, vec_last(&waiting)), arg[MAX_FOLDED];
        const struct reals_class x = *known(r, c);
        uint32_t value = literal(r, x.value);
        if (cc_class(g, value) != c) {
            if (!values_below(r, c, arg, &waiting))
                continue;
            cc_union_fold(g, x.from, value, arg);
        }
        waiting.len--;
    }
    vec_release(&waiting);
}

static uint64_t bytes(void *ctx, uint32_t classes)
{
    const struct reals *r = ctx;
    uint32_t n = r->class_.len > classes ? r->class_.len : classes;
    return vec_held(n, r->class_.cap, sizeof *r->class_.at) +
           vec_held(r->own.len, r->own.cap, sizeof *r->own.at) +
           vec_held(r->few.len, r->few.cap, sizeof *r->few.at);
}

void reals_init(struct reals *r, struct cc *g, struct plain_rules *p)
{
    *r = (struct reals){.g = g, .rules = p};
    intern_init(&r->axes);
    g->analysis = (struct cc_analysis){.ctx = r,
                                       .learn = learn,
                                       .join = join,
                                       .modify = modify,
                                       .bytes = bytes};
}

void reals_release(struct reals *r)
{
    intern_release(&r->axes);
    vec_release(&r->class_);
    vec_release(&r->op);
    vec_release(&r->own);
    vec_release(&r->few);
}

bool reals_fail(const struct reals *r, struct err *e)
{
    uint32_t a, b;
    const char *x = plain_op_name(r->rules, r->a, &a);
    const char *y = plain_op_name(r->rules, r->b, &b);
    return err_set(e, ERR_BUG, "%.*s and %.*s become equal", (int)a, x, (int)b,
                   y);
}

// Conditions

bool reals_guard(void *ctx, struct cc *g, uint32_t kind, const uint32_t *arg,
                 uint32_t *out)
{
    struct reals *r = ctx;
    (void)kind; // free_of
    (void)out;
    uint64_t axes = founder_axes(r, cc_find(g, arg[0]));
    const struct reals_class *k = known(r, arg[1]);
    for (uint32_t i = k->first; i != CC_NONE; i = r->few.at[i].next)
        if (is_free(r, i, axes))
            return true;
    return false;
}

uint32_t reals_witness(const struct reals *r, uint32_t kind,
                       const uint32_t *cls, uint32_t arg, uint32_t nth)
{
    (void)kind;
    if (arg != 1 || cls[1] >= r->class_.len)
        return CC_NONE;
    uint64_t axes = founder_axes(r, cls[0]);
    for (uint32_t i = r->class_.at[cls[1]].first; i != CC_NONE;
         i = r->few.at[i].next)
        if (is_free(r, i, axes) && nth-- == 0)
            return r->few.at[i].node;
    return CC_NONE;
}

uint64_t reals_axes(const struct reals *r, uint32_t cls)
{
    uint64_t axes = REALS_ALL_AXES;
    for (uint32_t i = r->class_.at[cls].first; i != CC_NONE;
         i = r->few.at[i].next)
        axes &= r->own.at[r->few.at[i].node];
    return axes;
}

bool reals_has_value(const struct reals *r, uint32_t cls)
{
    return cls < r->class_.len && r->class_.at[cls].value != CC_NONE;
}
