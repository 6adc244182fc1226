// SPDX-License-Identifier: Apache-2.0
// The journal, read back into entries and the forest of W1.
#include "egraph/why/core.h"

// Places of a variable in the order in which the node of it is wanted: an
// atom's own node, what was built for it, an argument.
static struct why_place place_of(const struct plain_rule *q, uint32_t v)
{
    for (uint32_t i = 0; i < q->n_atoms; i++)
        if (q->atom[i].cls == v && q->atom[i].op != ATOM_ANY)
            return (struct why_place){i, CC_NONE, false, false};
    for (uint32_t i = 0; i < q->n_builds; i++)
        if (q->build[i].out == v)
            return (struct why_place){q->n_atoms + i, CC_NONE, false, false};
    for (uint32_t i = 0; i < q->n_atoms; i++)
        for (uint32_t k = 0; k < q->atom[i].n; k++)
            if (q->atom[i].arg[k] == v)
                return (struct why_place){i, k, false, q->atom[i].n > 2};
    for (uint32_t i = 0; i < q->n_atoms; i++)
        if (q->atom[i].cls == v)
            return (struct why_place){i, CC_NONE, false, false};
    for (uint32_t i = 0; i < q->n_builds; i++)
        for (uint32_t k = 0; k < q->build[i].n; k++)
            if (q->build[i].arg[k] == v)
                return (struct why_place){q->n_atoms + i, k, false,
                                          q->build[i].n > 2};
    return (struct why_place){CC_NONE, CC_NONE, false, false};
}

// Does the pattern that variable `from` stands for contain variable v?
static bool contains(const struct plain_rule *q, const struct why_place *p,
                     uint32_t from, uint32_t v, uint64_t *seen)
{
    if (!p[from].whole || (*seen >> from & 1))
        return false;
    *seen |= UINT64_C(1) << from;
    bool left = p[from].place < q->n_atoms;
    const struct plain_build *b = left ? NULL : &q->build[p[from].place - q->n_atoms];
    const uint32_t *arg = left ? q->atom[p[from].place].arg : b->arg;
    uint32_t n = left ? q->atom[p[from].place].n : b->n;
    for (uint32_t k = 0; k < n; k++)
        if (arg[k] == v || contains(q, p, arg[k], v, seen))
            return true;
    return false;
}

// Which variables stand for a whole pattern, not only for a node's term.  In
// ?x = (f ?x) the term would have no end: ?x stands for the node.
static void find_whole(const struct plain_rule *q, struct why_place *p)
{
    for (uint32_t v = 0; v < q->n_vars; v++)
        p[v].whole =
            p[v].place != CC_NONE && p[v].arg == CC_NONE &&
            (p[v].place >= q->n_atoms || q->atom[p[v].place].op != ATOM_ANY);
    for (uint32_t v = 0; v < q->n_vars; v++) {
        uint64_t seen = 0;
        p[v].whole = p[v].whole && !contains(q, p, v, v, &seen);
    }
}

static void add_twice(struct why *w, struct why_place a, struct why_place b)
{
    if (a.place != b.place || a.arg != b.arg)
        vec_push(&w->twice, ((struct why_repeated){a, b}));
}

// Every place of a variable but the one where its node is found.
static void find_twice(struct why *w, const struct plain_rule *q,
                       const struct why_place *p)
{
    for (uint32_t i = 0; i < q->n_atoms + q->n_builds; i++) {
        bool left = i < q->n_atoms;
        const struct plain_build *b = left ? NULL : &q->build[i - q->n_atoms];
        uint32_t n = left ? q->atom[i].n : b->n;
        const uint32_t *arg = left ? q->atom[i].arg : b->arg;
        struct why_place at = {i, CC_NONE, false, false};
        if (left)
            add_twice(w, at, p[q->atom[i].cls]);
        at.wide = n > 2;
        for (at.arg = 0; at.arg < n; at.arg++)
            add_twice(w, at, p[arg[at.arg]]);
    }
}

void why_init(struct why *w, struct cc *g, const struct plain_rules *rules)
{
    memset(w, 0, sizeof *w);
    w->g = g;
    w->rules = rules;
    for (uint32_t i = 0; rules != NULL && i < rules->rule.len; i++) {
        const struct plain_rule *q = &rules->rule.at[i];
        vec_push(&w->place_at, w->place.len);
        for (uint32_t v = 0; v < q->n_vars; v++)
            vec_push(&w->place, place_of(q, v));
        const struct why_place *p = w->place.at + vec_last(&w->place_at);
        find_whole(q, w->place.at + vec_last(&w->place_at));
        vec_push(&w->twice_at, w->twice.len);
        find_twice(w, q, p);
        struct why_ends ends = {0};
        if (q->left != CC_NONE)
            ends = (struct why_ends){q->n_atoms + q->n_builds, p[q->left],
                                     p[q->right]};
        vec_push(&w->ends, ends);
    }
    vec_push(&w->twice_at, w->twice.len);
}

void why_release(struct why *w)
{
    vec_release(&w->entry);
    vec_release(&w->ends);
    vec_release(&w->list);
    vec_release(&w->first);
    vec_release(&w->wide_first);
    vec_release(&w->up);
    vec_release(&w->joined);
    vec_release(&w->size);
    vec_release(&w->edge);
    vec_release(&w->edge_of);
    vec_release(&w->place);
    vec_release(&w->place_at);
    vec_release(&w->twice);
    vec_release(&w->twice_at);
    vec_release(&w->pair);
    vec_release(&w->pair_slot);
    vec_release(&w->way);
    vec_release(&w->prem);
    vec_release(&w->fresh);
    vec_release(&w->ranked);
    vec_release(&w->user);
    vec_release(&w->class_changed);
    vec_release(&w->fresh_pair);
    vec_release(&w->linked);
    vec_release(&w->linked_of);
    vec_release(&w->class_linked);
    vec_release(&w->link);
    vec_release(&w->heap);
    vec_release(&w->waiting);
    vec_release(&w->term);
    vec_release(&w->arg);
    vec_release(&w->chain_arg);
    vec_release(&w->term_slot);
    vec_release(&w->term_of);
    vec_release(&w->line);
    vec_release(&w->part);
    vec_release(&w->chain);
    vec_release(&w->line_slot);
}

void why_use(const struct why *w, uint32_t entry, struct why_use *u)
{
    const struct why_entry *x = &w->entry.at[entry];
    uint32_t rule = x->kind - JOURNAL_RULE;
    u->q = &w->rules->rule.at[rule];
    u->list = why_list(w, entry);
    const struct why_place *p = w->place.at + w->place_at.at[rule];
    for (uint32_t v = 0; v < u->q->n_vars; v++) {
        u->node[v] = p[v].place == CC_NONE ? CC_NONE : why_at(w, u->list, p[v]);
        u->atom[v] = p[v].whole ? p[v].place + 1 : 0;
        u->term[v] = CC_NONE;
    }
}

bool why_guard(const struct why *w, uint32_t entry, const struct plain_guard *x,
               uint32_t k, const uint32_t *node, uint32_t *witness)
{
    if (w->witness == NULL)
        return false;
    for (uint32_t m = 0; m < x->n; m++)
        if (node[m] == CC_NONE)
            return false;
    for (uint32_t nth = 0;; nth++) {
        *witness = w->witness(w->ctx, w->g, x, node, k, nth);
        if (*witness == CC_NONE)
            return false;
        if (*witness < w->n_nodes &&
            (*witness == node[k] || why_joined(w, node[k], *witness) < entry))
            return true;
    }
}

// Reading

struct journal_cursor {
    const uint8_t *at, *end;
    uint32_t last;
};

static bool get_long(struct journal_cursor *c, uint32_t *x)
{
    uint64_t v = 0;
    for (uint32_t shift = 0; c->at < c->end && shift < 35; shift += 7) {
        uint8_t b = *c->at++;
        v |= (uint64_t)(b & 127) << shift;
        if (b < 128) {
            *x = (uint32_t)v;
            return v <= UINT32_MAX;
        }
    }
    return false;
}

// Most take a byte or two: those as bits, without a branch.
static inline const uint8_t *short_get(const uint8_t *s, uint32_t *x)
{
    uint32_t u = s[0] | (uint32_t)s[1] << 8, more = u >> 7 & 1;
    *x = (u & 127) | (u >> 1 & (0 - more) & 0x3f80);
    return s + 1 + more;
}

static inline bool is_short(const uint8_t *s)
{
    return (s[0] & s[1]) < 128;
}

static inline bool get(struct journal_cursor *c, uint32_t *x)
{
    if (c->end - c->at < 2 || !is_short(c->at))
        return get_long(c, x);
    c->at = short_get(c->at, x);
    return true;
}

static inline bool get_near(struct journal_cursor *c, uint32_t *x)
{
    uint32_t d;
    if (!get(c, &d))
        return false;
    *x = c->last += d >> 1 ^ (0 - (d & 1));
    return true;
}

static void read_first(struct why *w)
{
    const struct cc *g = w->g;
    uint32_t old = w->n_nodes, n = g->node.len, wide = w->wide_first.len;
    vec_reserve(&w->first, 2 * n);
    w->first.len = 2 * n;
    for (uint32_t i = old; i < n; i++) {
        w->first.at[2 * i] = g->node.at[i].a;
        w->first.at[2 * i + 1] = g->node.at[i].b;
    }
    vec_reserve(&w->wide_first, g->wide.len);
    for (uint32_t i = wide; i < g->wide.len; i++)
        w->wide_first.at[i] = g->wide.at[i];
    w->wide_first.len = g->wide.len;
    // Of several changes of a place the first counts.
    const struct u32_vec *was = &g->journal.was;
    for (uint32_t i = was->len; i > w->n_was; i -= 2) {
        uint32_t place = was->at[i - 2], cls = was->at[i - 1];
        if (!(place & CC_WIDE)) {
            if (place >= 2 * old)
                w->first.at[place] = cls;
        } else if ((place & ~CC_WIDE) >= wide) {
            w->wide_first.at[place & ~CC_WIDE] = cls;
        }
    }
    w->n_was = was->len;
    w->n_nodes = n;
    vec_reserve(&w->up, n);
    vec_reserve(&w->joined, n);
    vec_reserve(&w->size, n);
    w->up.len = w->joined.len = w->size.len = n;
    for (uint32_t i = old; i < n; i++) {
        w->up.at[i] = i;
        w->joined.at[i] = CC_NONE;
        w->size.at[i] = 1;
    }
}

// So many nodes of a rule.
static inline bool get_rule(const struct why *w, struct journal_cursor *c, uint32_t n,
                            uint32_t *x)
{
    uint32_t last = c->last, most = w->n_nodes, d;
    const uint8_t *s = c->at;
    bool in = true;
    for (uint32_t i = 0; i < n; i++) {
        if (c->end - s >= 2 && is_short(s)) {
            s = short_get(s, &d);
        } else {
            c->at = s;
            if (!get_long(c, &d))
                return false;
            s = c->at;
        }
        x[i] = last += d >> 1 ^ (0 - (d & 1));
        in &= last < most;
    }
    c->at = s;
    c->last = last;
    return in;
}

// Two nodes, then numbers.
static bool get_path(struct why *w, struct journal_cursor *c, bool path)
{
    uint32_t n, v, flag;
    if (!get(c, &n))
        return false;
    vec_push(&w->list, n);
    for (uint32_t i = 0; path && i < n; i++) {
        if (!get_near(c, &v) || v >= w->n_nodes || !get(c, &flag))
            return false;
        vec_push(&w->list, 2 * v + (flag & 1));
    }
    return true;
}

// Pushes the nodes of an entry to `list`.
static bool get_list(struct why *w, struct journal_cursor *c, uint32_t kind)
{
    if (kind >= JOURNAL_RULE) {
        uint32_t n = kind - JOURNAL_RULE < w->ends.len
                         ? w->ends.at[kind - JOURNAL_RULE].n
                         : 0;
        vec_reserve(&w->list, w->list.len + n);
        w->list.len += n;
        return n > 0 && get_rule(w, c, n, w->list.at + w->list.len - n);
    }
    uint32_t v;
    for (uint32_t i = 0; i < 2; i++) {
        if (!get_near(c, &v) || v >= w->n_nodes)
            return false;
        vec_push(&w->list, v);
    }
    if (kind == JOURNAL_FOLD) {
        uint32_t node = w->list.at[w->list.len - 2];
        for (uint32_t i = 0; i < cc_arity(w->g, node); i++) {
            if (!get_near(c, &v) || (v != CC_NONE && v >= w->n_nodes))
                return false;
            vec_push(&w->list, v);
        }
    }
    return kind == JOURNAL_CONGRUENCE || kind == JOURNAL_FOLD ||
           get_path(w, c, kind == JOURNAL_AC);
}

struct why_edge *why_edge_new(struct why *w, uint32_t entry)
{
    const struct why_entry *x = &w->entry.at[entry];
    const struct journal *j = &w->g->journal;
    struct why_edge g = {.list = w->list.len};
    struct journal_cursor c = {j->at + ((uint64_t)x->at_high << 32 | x->at),
                       j->at + j->len, x->last};
    // A congruence is its two nodes.
    if (why_is_added(x))
        g.list = x->last;
    else if (x->kind != JOURNAL_CONGRUENCE)
        (void)get_list(w, &c, x->kind); // it could be read before
    vec_push(&w->edge, g);
    w->edge_of.at[entry] = w->edge.len;
    return &vec_last(&w->edge);
}

static inline void join(struct why *w, uint32_t entry)
{
    uint32_t x = w->entry.at[entry].l, y = w->entry.at[entry].r;
    while (w->up.at[x] != x)
        x = w->up.at[x];
    while (w->up.at[y] != y)
        y = w->up.at[y];
    if (x == y)
        return;
    if (w->size.at[x] < w->size.at[y]) {
        uint32_t z = x;
        x = y;
        y = z;
    }
    w->up.at[y] = x;
    w->joined.at[y] = entry;
    w->size.at[x] += w->size.at[y];
}

// The ends of an entry that is no rule's.
static bool read_other(struct why *w, struct journal_cursor *c, struct why_entry *x)
{
    uint32_t base = w->list.len;
    bool ok = get_list(w, c, x->kind);
    if (ok) {
        x->l = w->list.at[base];
        x->r = w->list.at[base + 1];
    }
    w->list.len = base;
    return ok;
}

static bool read_entry(struct why *w, struct journal_cursor *c)
{
    uint32_t kind, list[2 * PLAIN_MAX_ATOMS];
    if (!get(c, &kind) || kind >= 1 << 24)
        return false;
    uint64_t at = (uint64_t)(c->at - w->g->journal.at);
    vec_reserve(&w->entry, w->entry.len + 1);
    struct why_entry *x = &w->entry.at[w->entry.len];
    x->kind = kind & 0xffffff;
    x->at_high = (uint32_t)(at >> 32) & 255;
    x->at = (uint32_t)at;
    x->last = c->last;
    if (kind < JOURNAL_RULE) {
        if (!read_other(w, c, x))
            return false;
    } else {
        if (kind - JOURNAL_RULE >= w->ends.len)
            return false;
        const struct why_ends *q = &w->ends.at[kind - JOURNAL_RULE];
        if (q->n == 0 || !get_rule(w, c, q->n, list))
            return false;
        x->l = why_at(w, list, q->l);
        x->r = why_at(w, list, q->r);
    }
    w->entry.len++;
    join(w, w->entry.len - 1);
    return true;
}

// Sifts down x from place i of a heap of n.
static void sift(uint64_t *at, uint32_t i, uint32_t n, uint64_t x)
{
    for (uint32_t k = 2 * i + 1; k < n; k = 2 * i + 1) {
        k += k + 1 < n && at[k] < at[k + 1];
        if (at[k] <= x)
            break;
        at[i] = at[k];
        i = k;
    }
    at[i] = x;
}

void why_sort(uint64_t *at, uint32_t n)
{
    for (uint32_t i = n / 2; i-- > 0;)
        sift(at, i, n, at[i]);
    while (n > 1) {
        uint64_t x = at[--n];
        at[n] = at[0];
        sift(at, 0, n, x);
    }
}

void why_zeros(struct u32_vec *v, uint32_t n)
{
    uint32_t old = v->len;
    if (v->at == NULL) {
        vec_zero(v, n);
    } else if (n > old) {
        vec_reserve(v, n);
        memset(v->at + old, 0, (n - old) * sizeof *v->at);
        v->len = n;
    }
}

// About what a short explanation takes of so many entries: arrays that need not
// grow much.
static void make_room(struct why *w, uint32_t entries)
{
    enum { LEAST = 16, MOST = 512 };
    uint32_t n = entries / 4;
    n = n < LEAST ? LEAST : n > MOST ? MOST : n;
    vec_reserve(&w->list, 8 * n);
    vec_reserve(&w->edge, n);
    vec_reserve(&w->pair, n);
    vec_reserve(&w->way, 4 * n);
    vec_reserve(&w->prem, 4 * n);
    vec_reserve(&w->user, 4 * n);
    vec_reserve(&w->fresh, n);
    vec_reserve(&w->fresh_pair, n);
    vec_reserve(&w->term, n);
    vec_reserve(&w->arg, 2 * n);
    vec_reserve(&w->line, n);
    vec_reserve(&w->part, 2 * n);
}

bool why_read(struct why *w, struct err *e)
{
    const struct journal *j = &w->g->journal;
    if (j->len >> 40 != 0)
        return err_set(e, ERR_LIMIT, "a journal of more than 1 TiB");
    make_room(w, j->n);
    read_first(w);
    struct journal_cursor c = {j->at + w->at, j->at + j->len, w->last};
    w->entry.len = w->edge_of.len;
    w->read_at = ++w->changes;
    vec_release(&w->class_changed);
    vec_zero(&w->class_changed, w->g->class_.len);
    // With those that shorter ways add: of dead nodes.
    vec_reserve(&w->entry, j->n + w->n_nodes - w->g->n_live);
    while (c.at < c.end)
        if (!read_entry(w, &c))
            return err_set(e, ERR_BUG, "entry %u of the journal is broken",
                           w->entry.len);
    w->at = j->len;
    w->last = c.last;
    why_zeros(&w->edge_of, w->entry.len);
    return true;
}

// The labels grow on the way to the root, so the one climbed last is the
// youngest between x and y: it made them equal.
uint32_t why_joined(const struct why *w, uint32_t x, uint32_t y)
{
    uint32_t entry = CC_NONE;
    while (x != y) {
        uint32_t ex = w->joined.at[x], ey = w->joined.at[y];
        if (ex == CC_NONE && ey == CC_NONE)
            return CC_NONE;
        if (ex < ey) {
            entry = ex;
            x = w->up.at[x];
        } else {
            entry = ey;
            y = w->up.at[y];
        }
    }
    return entry;
}
