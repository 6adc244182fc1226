// SPDX-License-Identifier: Apache-2.0
// Rules for a graph in which some operators have no order and no brackets.
#include "base/text/buf.h"
#include "egraph/plain/ac/core.h"
#include "egraph/plain/plain.h"

#include <stdlib.h>

// A rule as text, with variables by number in the order in which they come;
// the right side with the arguments of such operators in order.
struct ac_text {
    const struct ac *ac;
    const struct plain_rule *rule;
    bool ordered; // the arguments of the left side too
    uint32_t n_names, name[EGRAPH_PLAIN_VARIABLES];
};

static const struct plain_atom *atom_of(const struct plain_rule *rule, uint32_t var)
{
    for (uint32_t i = 0; i < rule->n_atoms; i++)
        if (rule->atom[i].cls == var && rule->atom[i].op != ATOM_ANY)
            return &rule->atom[i];
    return NULL;
}

static const struct plain_build *build_of(const struct plain_rule *rule, uint32_t var)
{
    for (uint32_t i = 0; i < rule->n_builds; i++)
        if (rule->build[i].out == var)
            return &rule->build[i];
    return NULL;
}

static int by_text(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

static void say(struct ac_text *text, uint32_t var, bool right, bool order, struct buf *out);

// The arguments, those of arguments with the same operator among them.  A node that stands in
// several places gives its own in each, so there may be far more than nodes.
static void flat_args(const struct ac_text *text, uint32_t op, uint32_t var, bool right,
                      struct u32_vec *list)
{
    const struct plain_build *build = right ? build_of(text->rule, var) : NULL;
    const struct plain_atom *atom = build == NULL ? atom_of(text->rule, var) : NULL;
    uint32_t own = build != NULL ? build->op : atom != NULL ? atom->op : CC_NONE;
    if (own != op) {
        vec_push(list, var);
        return;
    }
    for (uint32_t k = 0; k < 2; k++)
        flat_args(text, op, (build != NULL ? build->arg : atom->arg)[k], right, list);
}

static void say_flat(struct ac_text *ac_text, uint32_t op, uint32_t var, bool right,
                     struct buf *out)
{
    struct u32_vec list = {0};
    flat_args(ac_text, op, var, right, &list);
    uint32_t n = list.len;
    char **text = mem_alloc((n + 1) * sizeof *text);
    for (uint32_t i = 0; i < n; i++) {
        struct buf buf = {0};
        say(ac_text, list.at[i], right, true, &buf);
        text[i] = buf_detach(&buf);
    }
    vec_release(&list);
    qsort(text, n, sizeof *text, by_text);
    buf_printf(out, "{%u", op);
    for (uint32_t i = 0; i < n; i++) {
        buf_printf(out, " %s", text[i]);
        mem_free(text[i]);
    }
    mem_free(text);
    buf_puts(out, "}");
}

static void say(struct ac_text *text, uint32_t var, bool right, bool order, struct buf *out)
{
    const struct plain_build *build = right ? build_of(text->rule, var) : NULL;
    const struct plain_atom *atom = build == NULL ? atom_of(text->rule, var) : NULL;
    if (build == NULL && atom == NULL) {
        if (text->name[var] == CC_NONE)
            text->name[var] = text->n_names++;
        buf_printf(out, "?%u", text->name[var]);
        return;
    }
    uint32_t op = build != NULL ? build->op : atom->op, n = build != NULL ? build->n : atom->n;
    const uint32_t *arg = build != NULL ? build->arg : atom->arg;
    if (order && ac_is(text->ac, op)) {
        say_flat(text, op, var, right, out);
        return;
    }
    buf_printf(out, "(%u", op);
    for (uint32_t k = 0; k < n; k++) {
        buf_puts(out, " ");
        say(text, arg[k], right, order, out);
    }
    buf_puts(out, ")");
}

static void text_begin(struct ac_text *text, const struct ac *ac, const struct plain_rule *rule)
{
    *text = (struct ac_text){.ac = ac, .rule = rule};
    for (uint32_t i = 0; i < EGRAPH_PLAIN_VARIABLES; i++)
        text->name[i] = CC_NONE;
}

// Is a left side one tree?  Only then do the texts say all of it.
static bool is_tree(const struct plain_rule *rule)
{
    for (uint32_t i = 0; i < rule->n_atoms; i++) {
        const struct plain_atom *atom = &rule->atom[i];
        bool used = atom->cls == rule->left;
        for (uint32_t k = 0; k < rule->n_atoms; k++) {
            if (k != i && rule->atom[k].cls == atom->cls)
                return false;
            for (uint32_t n = 0; n < rule->atom[k].n; n++)
                used = used || rule->atom[k].arg[n] == atom->cls;
        }
        if (!used || atom->op == ATOM_ANY)
            return false;
    }
    return true;
}

// Do order and brackets make the sides one?
static bool says_nothing(const struct ac *ac, const struct plain_rule *rule)
{
    struct ac_text text;
    struct buf left = {0}, right = {0};
    if (rule->left == CC_NONE || rule->right == CC_NONE || !is_tree(rule))
        return false;
    text_begin(&text, ac, rule);
    for (uint32_t i = 0; i < rule->n_vars; i++)
        text.name[i] = i;
    say(&text, rule->left, false, true, &left);
    say(&text, rule->right, true, true, &right);
    bool same = strcmp(buf_text(&left), buf_text(&right)) == 0;
    buf_release(&left);
    buf_release(&right);
    return same;
}

// The left side as it stands, the right side up to order.
static char *signature(const struct ac *ac, const struct plain_rule *rule)
{
    struct ac_text text;
    struct buf buf = {0};
    text_begin(&text, ac, rule);
    say(&text, rule->left, false, false, &buf);
    buf_puts(&buf, "=");
    say(&text, rule->right, true, true, &buf);
    for (uint32_t i = 0; i < rule->n_guards; i++) {
        uint32_t out = rule->guard[i].out;
        buf_printf(&buf, " %u,%u,%u", rule->guard[i].kind, rule->guard[i].unless,
                   out == CC_NONE ? out : text.name[out]);
        for (uint32_t k = 0; k < rule->guard[i].n; k++)
            buf_printf(&buf, " %u", text.name[rule->guard[i].arg[k]]);
    }
    return buf_detach(&buf);
}

// The variables right below one: of the node it is, or the one itself.
static uint32_t below(const struct plain_rule *rule, const uint32_t *var, const uint32_t **list)
{
    const struct plain_atom *atom = atom_of(rule, *var);
    *list = atom == NULL ? var : atom->arg;
    return atom == NULL ? 1 : atom->n;
}

static bool share(const struct plain_rule *rule, const struct plain_atom *atom)
{
    const uint32_t *a, *b;
    uint32_t n_a = below(rule, &atom->arg[0], &a), n_b = below(rule, &atom->arg[1], &b);
    for (uint32_t i = 0; i < n_a; i++)
        for (uint32_t k = 0; k < n_b; k++)
            if (a[i] == b[k])
                return true;
    return false;
}

// The nodes that an atom of a left side asks the graph to offer.
static void want(struct ac *ac, const struct plain_rule *rule, const struct plain_atom *atom)
{
    struct ac_want w = {.op = atom->op, .above = CC_NONE};
    for (uint32_t k = 0; k < 2; k++) {
        const struct plain_atom *y = atom_of(rule, atom->arg[k]);
        w.arg[k] = y == NULL || y->op == atom->op ? CC_NONE : y->op;
        w.rest[k] = y == NULL ? plain_uses(rule, atom->arg[k]) == 1 : y->op == atom->op;
    }
    w.share = share(rule, atom);
    for (uint32_t i = 0; i < rule->n_atoms; i++)
        for (uint32_t k = 0; k < rule->atom[i].n; k++)
            if (rule->atom[i].arg[k] == atom->cls) {
                w.above = rule->atom[i].op;
                w.use = k;
            }
    for (uint32_t i = 0; i < ac->want.len; i++)
        if (memcmp(&ac->want.at[i], &w, sizeof w) == 0)
            return;
    vec_push(&ac->want, w);
}

static struct plain_rule swapped(struct plain_rules *rules, struct cc *graph,
                                 const struct plain_rule *rule, const uint32_t *place,
                                 uint32_t which)
{
    struct plain_rule v = *rule, *base = ARENA_NEW(&rules->mem, struct plain_rule, 1);
    *base = *rule;
    v.base = base;
    v.atom = ARENA_NEW(&rules->mem, struct plain_atom, rule->n_atoms);
    memcpy(v.atom, rule->atom, rule->n_atoms * sizeof *v.atom);
    for (uint32_t i = 0; which >> i; i++) {
        struct plain_atom *atom = &v.atom[place[i]];
        if (!(which >> i & 1))
            continue;
        uint32_t *arg = ARENA_NEW(&rules->mem, uint32_t, 2);
        arg[0] = atom->arg[1];
        arg[1] = atom->arg[0];
        atom->arg = arg;
    }
    plain_plan(rules, graph, &v);
    return v;
}

// The rule and its variants with arguments exchanged, each text once.
void ac_pattern(struct ac *ac, struct plain_rules *rules, const struct plain_rule *rule,
                struct ac_patterns *out)
{
    uint32_t place[EGRAPH_AC_SWAPS], n = 0, n_texts = 0;
    char *text[1 << EGRAPH_AC_SWAPS];
    for (uint32_t i = 0; i < rule->n_atoms; i++) {
        if (rule->atom[i].op == ATOM_ANY || !ac_is(ac, rule->atom[i].op))
            continue;
        want(ac, rule, &rule->atom[i]);
        if (n < EGRAPH_AC_SWAPS)
            place[n++] = i;
        else
            ac->cut = true;
    }
    bool tree = is_tree(rule);
    for (uint32_t which = 0; which < UINT32_C(1) << n; which++) {
        struct plain_rule v = which == 0 ? *rule : swapped(rules, ac->graph, rule, place, which);
        bool known = false;
        if (tree) {
            text[n_texts] = signature(ac, &v);
            for (uint32_t i = 0; i < n_texts && !known; i++)
                known = strcmp(text[i], text[n_texts]) == 0;
            n_texts++;
        }
        if (!known)
            vec_push(out, v);
    }
    for (uint32_t i = 0; i < n_texts; i++)
        mem_free(text[i]);
}

void ac_rules(struct ac *ac, struct plain_rules *rules)
{
    struct ac_patterns out = {0};
    for (uint32_t i = 0; i < rules->rule.len; i++)
        if (!says_nothing(ac, &rules->rule.at[i]))
            ac_pattern(ac, rules, &rules->rule.at[i], &out);
    vec_clear(&rules->rule);
    for (uint32_t i = 0; i < out.len; i++)
        vec_push(&rules->rule, out.at[i]);
    vec_release(&out);
}
