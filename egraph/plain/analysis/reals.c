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

enum { FREE_OF };
const struct guard_name reals_guards[] = {
    [FREE_OF] = {"free_of", 2, false},
    {NULL, 0, false},
};

// Operators

static bool name_is(const char *text, uint32_t len, const char *name)
{
    return strlen(name) == len && memcmp(text, name, len) == 0;
}

struct axis_mask {
    struct reals *reals;
    uint64_t bits;
};

static void add_axis(void *ctx, const char *axis, uint32_t len)
{
    struct axis_mask *mask = ctx;
    uint32_t id = intern_bytes(&mask->reals->axes, axis, len);
    mask->bits |= id < 64 ? UINT64_C(1) << id : REALS_ALL_AXES;
}

static struct reals_op read_op(struct reals *reals, uint32_t op)
{
    struct reals_op op_info = {.known = 1, .what = FUNCTION};
    uint32_t len, arity = reals->graph->op.at[op].arity;
    const char *text = plain_op_name(reals->rules, op, &len);
    if (arity > 0) {
        if (arity == 2 && len > 7 && memcmp(text, "reduce_", 7) == 0)
            op_info.what = REDUCE;
        else if (arity == 1 && name_is(text, len, "count"))
            op_info.what = COUNT;
        else if (arity == 5 && name_is(text, len, "concatenate"))
            op_info.what = JOIN;
        return op_info;
    }
    struct axis_mask mask = {reals, 0};
    (void)fname_axes(text, len, add_axis, &mask);
    op_info.axes = mask.bits;
    op_info.what = fname_is_number(text, len)                                  ? NUMBER
                   : name_is(text, len, "true") || name_is(text, len, "false") ? TRUTH
                   : fname_is_axes(text, len)                                  ? AXES
                                                                               : VARIABLE;
    return op_info;
}

static const struct reals_op *op_of(struct reals *reals, uint32_t node)
{
    uint32_t op = reals->graph->node.at[node].op & CC_OP;
    while (reals->op.len <= op) {
        struct reals_op op_info = {0};
        vec_push(&reals->op, op_info);
    }
    if (!reals->op.at[op].known)
        reals->op.at[op] = read_op(reals, op);
    return &reals->op.at[op];
}

static struct reals_class *known(struct reals *reals, uint32_t cls)
{
    while (reals->class_.len < reals->graph->class_.len) {
        struct reals_class k = {CC_NONE, CC_NONE, 0, CC_NONE, CC_NONE};
        vec_push(&reals->class_, k);
    }
    return &reals->class_.at[cc_find(reals->graph, cls)];
}

// Axes

// Of the term that the class is called by.
static uint64_t founder_axes(const struct reals *reals, uint32_t cls)
{
    return reals->own.at[reals->graph->class_.at[cls].founder];
}

// Axes less those of a set; a set too large to be known takes nothing away.
static uint64_t without(uint64_t axes, uint64_t set)
{
    return set == REALS_ALL_AXES ? axes : axes & ~set;
}

// Of the node as a term, by the arguments it was made with: those that it has
// when it is entered.
static uint64_t own_axes(struct reals *reals, uint32_t node)
{
    const struct reals_op op_info = *op_of(reals, node);
    const uint32_t *arg = cc_args(reals->graph, node);
    uint32_t n = cc_arity(reals->graph, node);
    uint64_t all = 0;
    switch ((enum reals_operator)op_info.what) {
    case COUNT:
        return 0;
    case REDUCE:
        return without(founder_axes(reals, arg[1]), founder_axes(reals, arg[0]));
    case JOIN:
        return founder_axes(reals, arg[0]) |
               without(founder_axes(reals, arg[3]), founder_axes(reals, arg[1])) |
               without(founder_axes(reals, arg[4]), founder_axes(reals, arg[2]));
    default:
        for (uint32_t i = 0; i < n; i++)
            all |= founder_axes(reals, arg[i]);
        return n == 0 ? op_info.axes : all;
    }
}

// Is one of the class's few terms free of all axes that this one is free of?
static bool is_needless(const struct reals *reals, const struct reals_class *knowledge,
                        uint64_t axes)
{
    for (uint32_t i = knowledge->first; i != CC_NONE; i = reals->few.at[i].next)
        if ((reals->own.at[reals->few.at[i].node] & ~axes) == 0)
            return true;
    return false;
}

static void append_few(struct reals *reals, struct reals_class *knowledge, uint32_t first,
                       uint32_t last)
{
    if (knowledge->first == CC_NONE)
        knowledge->first = first;
    else
        reals->few.at[knowledge->last].next = first;
    knowledge->last = last;
}

// True: the class may be free of more than before.
static bool enter_axes(struct reals *reals, uint32_t node)
{
    if (node < reals->own.len)
        return false;
    while (reals->own.len < node) // dead from birth: no class is called by them
        vec_push(&reals->own, REALS_ALL_AXES);
    uint64_t axes = own_axes(reals, node);
    vec_push(&reals->own, axes);
    struct reals_class *k = known(reals, reals->graph->node.at[node].cls);
    if (is_needless(reals, k, axes))
        return false;
    struct reals_few few = {node, CC_NONE};
    vec_push(&reals->few, few);
    append_few(reals, k, reals->few.len - 1, reals->few.len - 1);
    return true;
}

// A set that is too large to keep is of no use: it has all bits.
static bool is_free(const struct reals *reals, uint32_t few, uint64_t axes)
{
    return (reals->own.at[reals->few.at[few].node] & axes) == 0;
}

// Values

static uint32_t literal(const struct reals *reals, uint32_t value)
{
    return cc_add(reals->graph, value, NULL);
}

static void conflict(struct reals *reals, uint32_t a, uint32_t b)
{
    if (reals->conflict || a == b)
        return;
    reals->conflict = true;
    reals->a = a;
    reals->b = b;
}

static uint32_t value_of(struct reals *reals, uint32_t node)
{
    const struct reals_op op_info = *op_of(reals, node);
    uint32_t n = cc_arity(reals->graph, node), lens[EGRAPH_REALS_FOLDED];
    const char *names[EGRAPH_REALS_FOLDED];
    if (op_info.what == NUMBER || op_info.what == TRUTH)
        return reals->graph->node.at[node].op & CC_OP;
    if (op_info.what != FUNCTION || n == 0 || n > EGRAPH_REALS_FOLDED)
        return CC_NONE;
    for (uint32_t i = 0; i < n; i++)
        if (known(reals, cc_args(reals->graph, node)[i])->value == CC_NONE)
            return CC_NONE;
    for (uint32_t i = 0; i < n; i++)
        names[i] = plain_op_name(reals->rules, known(reals, cc_args(reals->graph, node)[i])->value,
                                 &lens[i]);
    struct buf text = {0};
    uint32_t len, out = CC_NONE;
    const char *string = plain_op_name(reals->rules, reals->graph->node.at[node].op & CC_OP, &len);
    if (number_fold(string, len, n, names, lens, &text))
        out = plain_op(reals->rules, reals->graph, buf_text(&text), (uint32_t)text.len, 0);
    buf_release(&text);
    return out;
}

static bool is_number(struct reals *reals, uint32_t value)
{
    uint32_t len;
    const char *text = plain_op_name(reals->rules, value, &len);
    return fname_is_number(text, len);
}

static void hide_ring(struct cc *graph, uint32_t cls)
{
    uint32_t first = graph->class_.at[cls].member, m = first;
    if (first == CC_NONE)
        return;
    do {
        if (cc_arity(graph, m) > 0)
            cc_hide(graph, m);
        m = graph->next.at[m];
    } while (m != first);
}

// The analysis

static bool learn(void *ctx, struct cc *graph, uint32_t node)
{
    struct reals *reals = ctx;
    bool grown = enter_axes(reals, node);
    uint32_t v = value_of(reals, node);
    struct reals_class *k = known(reals, graph->node.at[node].cls);
    if (v != CC_NONE && k->value != CC_NONE) {
        conflict(reals, k->value, v);
    } else if (v != CC_NONE) {
        k->value = v;
        k->from = node;
        k->since = ++reals->n_learned;
        grown = true;
    }
    if (k->value != CC_NONE && cc_arity(graph, node) > 0 && is_number(reals, k->value))
        cc_hide(graph, node);
    return grown;
}

static unsigned join(void *ctx, struct cc *graph, uint32_t keep, uint32_t lose)
{
    struct reals *reals = ctx;
    unsigned who = 0;
    (void)known(reals, keep);
    struct reals_class *k = &reals->class_.at[keep], *l = &reals->class_.at[lose];
    if (k->value != CC_NONE && is_number(reals, k->value))
        hide_ring(graph, lose);
    if (k->value != CC_NONE && l->value != CC_NONE) {
        conflict(reals, k->value, l->value);
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
    for (uint32_t i = l->first; i != CC_NONE; i = reals->few.at[i].next)
        if (!is_needless(reals, k, reals->own.at[reals->few.at[i].node]))
            who |= CC_KEEP_LEARNED;
    for (uint32_t i = k->first; i != CC_NONE; i = reals->few.at[i].next)
        if (!is_needless(reals, l, reals->own.at[reals->few.at[i].node]))
            who |= CC_LOSE_LEARNED;
    if (l->first != CC_NONE)
        append_few(reals, k, l->first, l->last);
    return who;
}

// The nodes of the values that the class has its own from: those of arguments
// that had theirs before.  False: one is not in its class yet; that goes first.
static bool values_below(struct reals *reals, uint32_t cls, uint32_t *arg, struct u32_vec *waiting)
{
    struct cc *graph = reals->graph;
    const struct reals_class k = *known(reals, cls);
    uint32_t n = cc_arity(graph, k.from), wait = waiting->len;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t c = cc_find(graph, cc_args(graph, k.from)[i]);
        const struct reals_class below = *known(reals, c);
        arg[i] = CC_NONE;
        if (below.value == CC_NONE || below.since >= k.since)
            continue;
        arg[i] = literal(reals, below.value);
        if (cc_class(graph, arg[i]) != c)
            vec_push(waiting, c);
    }
    return waiting->len == wait;
}

// The value joins the class as a term, after those that it was made of: so the
// entries of the journal rest on older ones.
static void modify(void *ctx, struct cc *graph, uint32_t cls)
{
    struct reals *reals = ctx;
    const struct reals_class k = *known(reals, cls);
    if (k.value == CC_NONE || reals->conflict)
        return;
    if (is_number(reals, k.value))
        hide_ring(graph, cls);
    if (cc_class(graph, literal(reals, k.value)) == cls)
        return;
    struct u32_vec waiting = {0};
    vec_push(&waiting, cls);
    while (waiting.len > 0) {
        uint32_t c = cc_find(graph, vec_last(&waiting)), arg[EGRAPH_REALS_FOLDED];
        const struct reals_class x = *known(reals, c);
        uint32_t value = literal(reals, x.value);
        if (cc_class(graph, value) != c) {
            if (!values_below(reals, c, arg, &waiting))
                continue;
            cc_union_fold(graph, x.from, value, arg);
        }
        waiting.len--;
    }
    vec_release(&waiting);
}

static uint64_t bytes(void *ctx, uint32_t classes)
{
    const struct reals *reals = ctx;
    uint32_t n = reals->class_.len > classes ? reals->class_.len : classes;
    return vec_held(n, reals->class_.cap, sizeof *reals->class_.at) +
           vec_held(reals->own.len, reals->own.cap, sizeof *reals->own.at) +
           vec_held(reals->few.len, reals->few.cap, sizeof *reals->few.at);
}

void reals_init(struct reals *reals, struct cc *graph, struct plain_rules *rules)
{
    *reals = (struct reals){.graph = graph, .rules = rules};
    intern_init(&reals->axes);
    graph->analysis = (struct cc_analysis){
        .ctx = reals, .learn = learn, .join = join, .modify = modify, .bytes = bytes};
}

void reals_release(struct reals *reals)
{
    intern_release(&reals->axes);
    vec_release(&reals->class_);
    vec_release(&reals->op);
    vec_release(&reals->own);
    vec_release(&reals->few);
}

bool reals_fail(const struct reals *reals, struct err *err)
{
    uint32_t a, b;
    const char *text = plain_op_name(reals->rules, reals->a, &a);
    const char *string = plain_op_name(reals->rules, reals->b, &b);
    return err_set(err, ERR_BUG, "%.*s and %.*s become equal", (int)a, text, (int)b, string);
}

// Conditions

bool reals_guard(void *ctx, struct cc *graph, uint32_t kind, const uint32_t *arg, uint32_t *out)
{
    struct reals *reals = ctx;
    (void)kind; // free_of
    (void)out;
    uint64_t axes = founder_axes(reals, cc_find(graph, arg[0]));
    const struct reals_class *k = known(reals, arg[1]);
    for (uint32_t i = k->first; i != CC_NONE; i = reals->few.at[i].next)
        if (is_free(reals, i, axes))
            return true;
    return false;
}

uint32_t reals_witness(const struct reals *reals, uint32_t kind, const uint32_t *cls, uint32_t arg,
                       uint32_t nth)
{
    (void)kind;
    if (arg != 1 || cls[1] >= reals->class_.len)
        return CC_NONE;
    uint64_t axes = founder_axes(reals, cls[0]);
    for (uint32_t i = reals->class_.at[cls[1]].first; i != CC_NONE; i = reals->few.at[i].next)
        if (is_free(reals, i, axes) && nth-- == 0)
            return reals->few.at[i].node;
    return CC_NONE;
}

uint64_t reals_axes(const struct reals *reals, uint32_t cls)
{
    uint64_t axes = REALS_ALL_AXES;
    for (uint32_t i = reals->class_.at[cls].first; i != CC_NONE; i = reals->few.at[i].next)
        axes &= reals->own.at[reals->few.at[i].node];
    return axes;
}

bool reals_has_value(const struct reals *reals, uint32_t cls)
{
    return cls < reals->class_.len && reals->class_.at[cls].value != CC_NONE;
}
