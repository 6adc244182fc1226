// SPDX-License-Identifier: Apache-2.0
// The journal, read back into entries and the forest of W1.
#include "egraph/why/core.h"

// Places of a variable in the order in which the node of it is wanted: an
// atom's own node, what was built for it, an argument.
static struct why_place place_of(const struct plain_rule *rule, uint32_t v)
{
    for (uint32_t i = 0; i < rule->n_atoms; i++)
        if (rule->atom[i].cls == v && rule->atom[i].op != ATOM_ANY)
            return (struct why_place){i, CC_NONE, false, false};
    for (uint32_t i = 0; i < rule->n_builds; i++)
        if (rule->build[i].out == v)
            return (struct why_place){rule->n_atoms + i, CC_NONE, false, false};
    for (uint32_t i = 0; i < rule->n_atoms; i++)
        for (uint32_t k = 0; k < rule->atom[i].n; k++)
            if (rule->atom[i].arg[k] == v)
                return (struct why_place){i, k, false, rule->atom[i].n > 2};
    for (uint32_t i = 0; i < rule->n_atoms; i++)
        if (rule->atom[i].cls == v)
            return (struct why_place){i, CC_NONE, false, false};
    for (uint32_t i = 0; i < rule->n_builds; i++)
        for (uint32_t k = 0; k < rule->build[i].n; k++)
            if (rule->build[i].arg[k] == v)
                return (struct why_place){rule->n_atoms + i, k, false, rule->build[i].n > 2};
    return (struct why_place){CC_NONE, CC_NONE, false, false};
}

// Does the pattern that variable `from` stands for contain variable v?
static bool contains(const struct plain_rule *rule, const struct why_place *place, uint32_t from,
                     uint32_t v, uint64_t *seen)
{
    if (!place[from].whole || (*seen >> from & 1))
        return false;
    *seen |= UINT64_C(1) << from;
    bool left = place[from].place < rule->n_atoms;
    const struct plain_build *build = left ? NULL : &rule->build[place[from].place - rule->n_atoms];
    const uint32_t *arg = left ? rule->atom[place[from].place].arg : build->arg;
    uint32_t n = left ? rule->atom[place[from].place].n : build->n;
    for (uint32_t k = 0; k < n; k++)
        if (arg[k] == v || contains(rule, place, arg[k], v, seen))
            return true;
    return false;
}

// Which variables stand for a whole pattern, not only for a node's term.  In
// ?x = (f ?x) the term would have no end: ?x stands for the node.
static void find_whole(const struct plain_rule *rule, struct why_place *place)
{
    for (uint32_t v = 0; v < rule->n_vars; v++)
        place[v].whole =
            place[v].place != CC_NONE && place[v].arg == CC_NONE &&
            (place[v].place >= rule->n_atoms || rule->atom[place[v].place].op != ATOM_ANY);
    for (uint32_t v = 0; v < rule->n_vars; v++) {
        uint64_t seen = 0;
        place[v].whole = place[v].whole && !contains(rule, place, v, v, &seen);
    }
}

static void add_twice(struct why *why, struct why_place a, struct why_place b)
{
    if (a.place != b.place || a.arg != b.arg)
        vec_push(&why->twice, ((struct why_repeated){a, b}));
}

// Every place of a variable but the one where its node is found.
static void find_twice(struct why *why, const struct plain_rule *rule,
                       const struct why_place *place)
{
    for (uint32_t i = 0; i < rule->n_atoms + rule->n_builds; i++) {
        bool left = i < rule->n_atoms;
        const struct plain_build *build = left ? NULL : &rule->build[i - rule->n_atoms];
        uint32_t n = left ? rule->atom[i].n : build->n;
        const uint32_t *arg = left ? rule->atom[i].arg : build->arg;
        struct why_place at = {i, CC_NONE, false, false};
        if (left)
            add_twice(why, at, place[rule->atom[i].cls]);
        at.wide = n > 2;
        for (at.arg = 0; at.arg < n; at.arg++)
            add_twice(why, at, place[arg[at.arg]]);
    }
}

void why_init(struct why *why, struct cc *graph, const struct plain_rules *rules)
{
    memset(why, 0, sizeof *why);
    why->graph = graph;
    why->rules = rules;
    for (uint32_t i = 0; rules != NULL && i < rules->rule.len; i++) {
        const struct plain_rule *rule = &rules->rule.at[i];
        vec_push(&why->place_at, why->place.len);
        for (uint32_t v = 0; v < rule->n_vars; v++)
            vec_push(&why->place, place_of(rule, v));
        const struct why_place *place = why->place.at + vec_last(&why->place_at);
        find_whole(rule, why->place.at + vec_last(&why->place_at));
        vec_push(&why->twice_at, why->twice.len);
        find_twice(why, rule, place);
        struct why_ends ends = {0};
        if (rule->left != CC_NONE)
            ends = (struct why_ends){rule->n_atoms + rule->n_builds, rule->n_atoms,
                                     place[rule->left], place[rule->right]};
        vec_push(&why->ends, ends);
    }
    vec_push(&why->twice_at, why->twice.len);
}

void why_release(struct why *why)
{
    vec_release(&why->entry);
    vec_release(&why->ends);
    vec_release(&why->list);
    vec_release(&why->first);
    vec_release(&why->wide_first);
    vec_release(&why->up);
    vec_release(&why->joined);
    vec_release(&why->size);
    vec_release(&why->edge);
    vec_release(&why->edge_of);
    vec_release(&why->place);
    vec_release(&why->place_at);
    vec_release(&why->twice);
    vec_release(&why->twice_at);
    vec_release(&why->pair);
    vec_release(&why->pair_slot);
    vec_release(&why->way);
    vec_release(&why->prem);
    vec_release(&why->fresh);
    vec_release(&why->ranked);
    vec_release(&why->user);
    vec_release(&why->class_changed);
    vec_release(&why->fresh_pair);
    vec_release(&why->linked);
    vec_release(&why->linked_of);
    vec_release(&why->class_linked);
    vec_release(&why->link);
    vec_release(&why->heap);
    vec_release(&why->waiting);
    vec_release(&why->term);
    vec_release(&why->arg);
    vec_release(&why->chain_arg);
    vec_release(&why->term_slot);
    vec_release(&why->term_of);
    vec_release(&why->line);
    vec_release(&why->part);
    vec_release(&why->chain);
    vec_release(&why->line_slot);
}

void why_use(const struct why *why, uint32_t entry, struct why_use *use)
{
    const struct why_entry *x = &why->entry.at[entry];
    uint32_t rule = x->kind - JOURNAL_RULE;
    use->rule = &why->rules->rule.at[rule];
    use->list = why_list(why, entry);
    const struct why_place *place = why->place.at + why->place_at.at[rule];
    for (uint32_t v = 0; v < use->rule->n_vars; v++) {
        use->node[v] = place[v].place == CC_NONE ? CC_NONE : why_at(why, use->list, place[v]);
        use->atom[v] = place[v].whole ? place[v].place + 1 : 0;
        use->term[v] = CC_NONE;
    }
}

bool why_guard(const struct why *why, uint32_t entry, const struct plain_guard *plain_guard,
               uint32_t k, const uint32_t *node, uint32_t *witness)
{
    if (why->witness == NULL)
        return false;
    for (uint32_t m = 0; m < plain_guard->n; m++)
        if (node[m] == CC_NONE)
            return false;
    for (uint32_t nth = 0;; nth++) {
        *witness = why->witness(why->ctx, why->graph, plain_guard, node, k, nth);
        if (*witness == CC_NONE)
            return false;
        if (*witness < why->n_nodes &&
            (*witness == node[k] || why_joined(why, node[k], *witness) < entry))
            return true;
    }
}

// Reading

struct journal_cursor {
    const uint8_t *at, *end;
    uint32_t last, first; // as in the journal
};

static bool get_long(struct journal_cursor *cursor, uint32_t *x)
{
    uint64_t v = 0;
    for (uint32_t shift = 0; cursor->at < cursor->end && shift < 35; shift += 7) {
        uint8_t b = *cursor->at++;
        v |= (uint64_t)(b & 127) << shift;
        if (b < 128) {
            *x = (uint32_t)v;
            return v <= UINT32_MAX;
        }
    }
    return false;
}

// Most take a byte or two: those as bits, without a branch.
static inline const uint8_t *short_get(const uint8_t *bytes, uint32_t *x)
{
    uint32_t u = bytes[0] | (uint32_t)bytes[1] << 8, more = u >> 7 & 1;
    *x = (u & 127) | (u >> 1 & (0 - more) & 0x3f80);
    return bytes + 1 + more;
}

static inline bool is_short(const uint8_t *bytes)
{
    return (bytes[0] & bytes[1]) < 128;
}

static inline bool get(struct journal_cursor *cursor, uint32_t *x)
{
    if (cursor->end - cursor->at < 2 || !is_short(cursor->at))
        return get_long(cursor, x);
    cursor->at = short_get(cursor->at, x);
    return true;
}

static inline bool get_near(struct journal_cursor *cursor, uint32_t *x)
{
    uint32_t d;
    if (!get(cursor, &d))
        return false;
    *x = cursor->last += d >> 1 ^ (0 - (d & 1));
    return true;
}

static void read_first(struct why *why)
{
    const struct cc *graph = why->graph;
    uint32_t old = why->n_nodes, n = graph->node.len, wide = why->wide_first.len;
    vec_reserve(&why->first, 2 * n);
    why->first.len = 2 * n;
    for (uint32_t i = old; i < n; i++) {
        why->first.at[2 * i] = graph->node.at[i].a;
        why->first.at[2 * i + 1] = graph->node.at[i].b;
    }
    vec_reserve(&why->wide_first, graph->wide.len);
    for (uint32_t i = wide; i < graph->wide.len; i++)
        why->wide_first.at[i] = graph->wide.at[i];
    why->wide_first.len = graph->wide.len;
    // Of several changes of a place the first counts.
    const struct u32_vec *was = &graph->journal.was;
    for (uint32_t i = was->len; i > why->n_was; i -= 2) {
        uint32_t place = was->at[i - 2], cls = was->at[i - 1];
        if (!(place & CC_WIDE)) {
            if (place >= 2 * old)
                why->first.at[place] = cls;
        } else if ((place & ~CC_WIDE) >= wide) {
            why->wide_first.at[place & ~CC_WIDE] = cls;
        }
    }
    why->n_was = was->len;
    why->n_nodes = n;
    vec_reserve(&why->up, n);
    vec_reserve(&why->joined, n);
    vec_reserve(&why->size, n);
    why->up.len = why->joined.len = why->size.len = n;
    for (uint32_t i = old; i < n; i++) {
        why->up.at[i] = i;
        why->joined.at[i] = CC_NONE;
        why->size.at[i] = 1;
    }
}

// So many nodes, the first one packed as the difference to `last`.
static inline bool get_nodes(const struct why *why, struct journal_cursor *cursor, uint32_t last,
                             uint32_t n, uint32_t *x)
{
    uint32_t most = why->n_nodes, d;
    const uint8_t *s = cursor->at;
    bool in = true;
    for (uint32_t i = 0; i < n; i++) {
        if (cursor->end - s >= 2 && is_short(s)) {
            s = short_get(s, &d);
        } else {
            cursor->at = s;
            if (!get_long(cursor, &d))
                return false;
            s = cursor->at;
        }
        x[i] = last += d >> 1 ^ (0 - (d & 1));
        in &= last < most;
    }
    cursor->at = s;
    return in;
}

static inline bool get_rule(const struct why *why, struct journal_cursor *cursor,
                            const struct why_ends *ends, uint32_t *x)
{
    if (ends->n == 0 || !get_nodes(why, cursor, cursor->first, ends->matched, x) ||
        !get_nodes(why, cursor, cursor->last, ends->n - ends->matched, x + ends->matched))
        return false;
    cursor->first = x[0];
    if (ends->n > ends->matched)
        cursor->last = x[ends->n - 1];
    return true;
}

// Two nodes, then numbers.
static bool get_path(struct why *why, struct journal_cursor *cursor, bool path)
{
    uint32_t n, v, flag;
    if (!get(cursor, &n))
        return false;
    vec_push(&why->list, n);
    for (uint32_t i = 0; path && i < n; i++) {
        if (!get_near(cursor, &v) || v >= why->n_nodes || !get(cursor, &flag))
            return false;
        vec_push(&why->list, 2 * v + (flag & 1));
    }
    return true;
}

// Pushes the nodes of an entry to `list`.
static bool get_list(struct why *why, struct journal_cursor *cursor, uint32_t kind)
{
    if (kind >= JOURNAL_RULE) {
        static const struct why_ends none = {0};
        const struct why_ends *ends =
            kind - JOURNAL_RULE < why->ends.len ? &why->ends.at[kind - JOURNAL_RULE] : &none;
        vec_reserve(&why->list, why->list.len + ends->n);
        why->list.len += ends->n;
        return get_rule(why, cursor, ends, why->list.at + why->list.len - ends->n);
    }
    uint32_t v;
    for (uint32_t i = 0; i < 2; i++) {
        if (!get_near(cursor, &v) || v >= why->n_nodes)
            return false;
        vec_push(&why->list, v);
    }
    if (kind == JOURNAL_FOLD) {
        uint32_t node = why->list.at[why->list.len - 2];
        for (uint32_t i = 0; i < cc_arity(why->graph, node); i++) {
            if (!get_near(cursor, &v) || (v != CC_NONE && v >= why->n_nodes))
                return false;
            vec_push(&why->list, v);
        }
    }
    return kind == JOURNAL_CONGRUENCE || kind == JOURNAL_FOLD ||
           get_path(why, cursor, kind == JOURNAL_AC);
}

struct why_edge *why_edge_new(struct why *why, uint32_t entry)
{
    const struct why_entry *x = &why->entry.at[entry];
    const struct journal *journal = &why->graph->journal;
    struct why_edge edge = {.list = why->list.len};
    struct journal_cursor cursor = {journal->at + ((uint64_t)x->at_high << 32 | x->at),
                                    journal->at + journal->len, x->last, x->first};
    // A congruence is its two nodes.
    if (why_is_added(x))
        edge.list = x->last;
    else if (x->kind != JOURNAL_CONGRUENCE)
        (void)get_list(why, &cursor, x->kind); // it could be read before
    vec_push(&why->edge, edge);
    why->edge_of.at[entry] = why->edge.len;
    return &vec_last(&why->edge);
}

static inline void join(struct why *why, uint32_t entry)
{
    uint32_t x = why->entry.at[entry].left, y = why->entry.at[entry].right;
    while (why->up.at[x] != x)
        x = why->up.at[x];
    while (why->up.at[y] != y)
        y = why->up.at[y];
    if (x == y)
        return;
    if (why->size.at[x] < why->size.at[y]) {
        uint32_t z = x;
        x = y;
        y = z;
    }
    why->up.at[y] = x;
    why->joined.at[y] = entry;
    why->size.at[x] += why->size.at[y];
}

// The ends of an entry that is no rule's.
static bool read_other(struct why *why, struct journal_cursor *cursor, struct why_entry *entry)
{
    uint32_t base = why->list.len;
    bool ok = get_list(why, cursor, entry->kind);
    if (ok) {
        entry->left = why->list.at[base];
        entry->right = why->list.at[base + 1];
    }
    why->list.len = base;
    return ok;
}

static bool read_entry(struct why *why, struct journal_cursor *cursor)
{
    uint32_t kind, list[2 * EGRAPH_PLAIN_ATOMS];
    if (!get(cursor, &kind) || kind >= 1 << 24)
        return false;
    uint64_t at = (uint64_t)(cursor->at - why->graph->journal.at);
    vec_reserve(&why->entry, why->entry.len + 1);
    struct why_entry *entry = &why->entry.at[why->entry.len];
    entry->kind = kind & 0xffffff;
    entry->at_high = (uint32_t)(at >> 32) & 255;
    entry->at = (uint32_t)at;
    entry->last = cursor->last;
    entry->first = cursor->first;
    if (kind < JOURNAL_RULE) {
        if (!read_other(why, cursor, entry))
            return false;
    } else {
        if (kind - JOURNAL_RULE >= why->ends.len)
            return false;
        const struct why_ends *ends = &why->ends.at[kind - JOURNAL_RULE];
        if (!get_rule(why, cursor, ends, list))
            return false;
        entry->left = why_at(why, list, ends->left);
        entry->right = why_at(why, list, ends->right);
    }
    why->entry.len++;
    join(why, why->entry.len - 1);
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

void why_zeros(struct u32_vec *list, uint32_t n)
{
    uint32_t old = list->len;
    if (list->at == NULL) {
        vec_zero(list, n);
    } else if (n > old) {
        vec_reserve(list, n);
        memset(list->at + old, 0, (n - old) * sizeof *list->at);
        list->len = n;
    }
}

// About what a short explanation takes of so many entries: arrays that need not
// grow much.
static void make_room(struct why *why, uint32_t entries)
{
    enum { LEAST = 16, MOST = 512 };
    uint32_t n = entries / 4;
    n = n < LEAST ? LEAST : n > MOST ? MOST : n;
    vec_reserve(&why->list, 8 * n);
    vec_reserve(&why->edge, n);
    vec_reserve(&why->pair, n);
    vec_reserve(&why->way, 4 * n);
    vec_reserve(&why->prem, 4 * n);
    vec_reserve(&why->user, 4 * n);
    vec_reserve(&why->fresh, n);
    vec_reserve(&why->fresh_pair, n);
    vec_reserve(&why->term, n);
    vec_reserve(&why->arg, 2 * n);
    vec_reserve(&why->line, n);
    vec_reserve(&why->part, 2 * n);
}

bool why_read(struct why *why, struct err *err)
{
    const struct journal *journal = &why->graph->journal;
    if (journal->len >> 40 != 0)
        return err_set(err, ERR_LIMIT, "a journal of more than 1 TiB");
    make_room(why, journal->n);
    read_first(why);
    struct journal_cursor cursor = {journal->at + why->at, journal->at + journal->len, why->last,
                                    why->rule_first};
    why->entry.len = why->edge_of.len;
    why->read_at = ++why->changes;
    vec_release(&why->class_changed);
    vec_zero(&why->class_changed, why->graph->class_.len);
    // With those that shorter ways add: of dead nodes.
    vec_reserve(&why->entry, journal->n + why->n_nodes - why->graph->n_live);
    while (cursor.at < cursor.end)
        if (!read_entry(why, &cursor))
            return err_set(err, ERR_BUG, "entry %u of the journal is broken", why->entry.len);
    why->at = journal->len;
    why->last = cursor.last;
    why->rule_first = cursor.first;
    why_zeros(&why->edge_of, why->entry.len);
    return true;
}

// The labels grow on the way to the root, so the one climbed last is the
// youngest between x and y: it made them equal.
uint32_t why_joined(const struct why *why, uint32_t x, uint32_t y)
{
    uint32_t entry = CC_NONE;
    while (x != y) {
        uint32_t ex = why->joined.at[x], ey = why->joined.at[y];
        if (ex == CC_NONE && ey == CC_NONE)
            return CC_NONE;
        if (ex < ey) {
            entry = ex;
            x = why->up.at[x];
        } else {
            entry = ey;
            y = why->up.at[y];
        }
    }
    return entry;
}
