// SPDX-License-Identifier: Apache-2.0
#include "egraph/plain.h"

#include <stdio.h>

void plain_init(struct plain_rules *p)
{
    memset(p, 0, sizeof *p);
    intern_init(&p->names);
}

void plain_release(struct plain_rules *p)
{
    arena_release(&p->mem);
    vec_release(&p->rule);
    intern_release(&p->names);
    vec_release(&p->op_name);
    vec_release(&p->name_op);
}

uint32_t plain_op(struct plain_rules *p, struct cc *g, const char *name,
                  uint32_t len, uint32_t arity)
{
    char key[256];
    int n = snprintf(key, sizeof key, "%.*s/%u", (int)(len < 200 ? len : 200),
                     name, arity);
    uint32_t id = intern_bytes(&p->names, key, (size_t)n);
    while (p->name_op.len <= id)
        vec_push(&p->name_op, CC_NONE);
    if (p->name_op.at[id] == CC_NONE) {
        p->name_op.at[id] = cc_op_new(g, arity);
        vec_push(&p->op_name, id);
    }
    return p->name_op.at[id];
}

const char *plain_op_name(const struct plain_rules *p, uint32_t op,
                          uint32_t *len)
{
    const char *s = intern_text(&p->names, p->op_name.at[op]);
    *len = (uint32_t)(strrchr(s, '/') - s);
    return s;
}

struct reader {
    struct plain_rules *p;
    struct cc *g;
    const char *file, *at;
    uint32_t line;
    struct err *e;
    // of the rule
    uint32_t n_vars;
    const char *var[PLAIN_MAX_VARS];
    uint32_t var_len[PLAIN_MAX_VARS];
    uint32_t n_atoms;
    struct atom atom[PLAIN_MAX_ATOMS];
    uint32_t n_builds;
    struct build build[PLAIN_MAX_ATOMS];
};

static bool fail(struct reader *r, const char *what)
{
    return err_at(r->e, ERR_INPUT, r->file, r->line, 1, "%s", what);
}

static void spaces(struct reader *r)
{
    while (*r->at == ' ' || *r->at == '\t')
        r->at++;
}

static const char *word(struct reader *r, uint32_t *len)
{
    spaces(r);
    const char *s = r->at;
    while (*r->at && !strchr(" \t\r\n()", *r->at))
        r->at++;
    *len = (uint32_t)(r->at - s);
    return s;
}

static bool variable(struct reader *r, const char *s, uint32_t len, bool make,
                     uint32_t *out)
{
    for (uint32_t i = 0; i < r->n_vars; i++)
        if (s != NULL && r->var_len[i] == len && r->var[i] != NULL &&
            memcmp(r->var[i], s, len) == 0) {
            *out = i;
            return true;
        }
    if (!make)
        return fail(r, "a variable that the left side does not bind");
    if (r->n_vars == PLAIN_MAX_VARS)
        return fail(r, "too many variables");
    r->var[r->n_vars] = s;
    r->var_len[r->n_vars] = len;
    *out = r->n_vars++;
    return true;
}

// A pattern; on the left it becomes atoms, on the right builds.
static bool pattern(struct reader *r, bool left, uint32_t *out, uint32_t want)
{
    uint32_t len, n = 0, arg[32], index = 0;
    spaces(r);
    bool list = *r->at == '(';
    r->at += list;
    const char *s = word(r, &len);
    if (len == 0)
        return fail(r, "expected a pattern");
    if (!list && *s == '?')
        return variable(r, s, len, left, out);
    if (left) {
        if (r->n_atoms == PLAIN_MAX_ATOMS)
            return fail(r, "a pattern with too many nodes");
        index = r->n_atoms++;
        if (want != CC_NONE)
            *out = want;
        else if (!variable(r, NULL, 0, true, out))
            return false;
    }
    for (spaces(r); list && *r->at != ')'; spaces(r)) {
        if (n == 32)
            return fail(r, "too many arguments");
        if (!pattern(r, left, &arg[n], CC_NONE))
            return false;
        n++;
    }
    r->at += list;
    uint32_t *copy = ARENA_NEW(&r->p->mem, uint32_t, n + 1);
    memcpy(copy, arg, n * sizeof *arg);
    uint32_t op = plain_op(r->p, r->g, s, len, n);
    if (left) {
        r->atom[index] =
            (struct atom){.op = op, .n = n, .cls = *out, .arg = copy};
        return true;
    }
    if (r->n_builds == PLAIN_MAX_ATOMS || !variable(r, NULL, 0, true, out))
        return fail(r, "a right side with too many nodes");
    r->build[r->n_builds++] =
        (struct build){.op = op, .n = n, .out = *out, .arg = copy};
    return true;
}

static uint32_t uses(const struct plain_rule *q, uint32_t var)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < q->n_atoms; i++) {
        n += q->atom[i].cls == var;
        for (uint32_t k = 0; k < q->atom[i].n; k++)
            n += q->atom[i].arg[k] == var;
    }
    return n;
}

static uint64_t binds(const struct atom *a)
{
    uint64_t m = UINT64_C(1) << a->cls;
    for (uint32_t k = 0; k < a->n; k++)
        m |= UINT64_C(1) << a->arg[k];
    return m;
}

static bool known(uint64_t bound, uint32_t var)
{
    return bound >> var & 1;
}

// The cheapest way to the next atom: a lookup, its class, an argument.
static struct step next_step(const struct plain_rule *q, uint64_t bound,
                             const bool *done)
{
    struct step best = {.kind = STEP_SCAN, .atom = CC_NONE};
    for (uint32_t i = 0; i < q->n_atoms; i++) {
        const struct atom *a = &q->atom[i];
        if (done[i])
            continue;
        struct step s = {.kind = STEP_LOOKUP, .atom = i, .via = CC_NONE};
        for (uint32_t k = 0; k < a->n; k++) {
            if (!known(bound, a->arg[k]))
                s.kind = STEP_SCAN;
            else if (s.via == CC_NONE)
                s.via = k;
        }
        if (a->op == ATOM_ANY)
            s.kind = known(bound, a->cls) ? STEP_LOOKUP : STEP_SCAN;
        else if (s.kind == STEP_SCAN && known(bound, a->cls))
            s.kind = STEP_DOWN;
        else if (s.kind == STEP_SCAN && s.via != CC_NONE)
            s.kind = STEP_UP;
        if (best.atom == CC_NONE || s.kind < best.kind)
            best = s;
    }
    best.known = bound;
    return best;
}

static void add_checks(struct plain_rules *p, const struct plain_rule *q,
                       struct step *s, uint32_t n, const bool *done)
{
    uint64_t fresh = binds(&q->atom[s->atom]) & ~s->known;
    s->check = ARENA_NEW(&p->mem, uint32_t, n + 1);
    for (uint32_t i = 0; i < n; i++)
        if (!done[i] && q->atom[i].op != ATOM_ANY &&
            known(fresh, q->atom[i].cls))
            s->check[s->n_checks++] = i;
}

static void make_plans(struct plain_rules *p, struct plain_rule *q)
{
    q->plan = ARENA_NEW(&p->mem, struct step *, q->n_atoms + 1);
    for (uint32_t i = 0; i < q->n_atoms; i++) {
        bool done[PLAIN_MAX_ATOMS] = {false};
        struct step *s = ARENA_NEW(&p->mem, struct step, q->n_atoms);
        q->plan[i] = s;
        s[0] = (struct step){.kind = STEP_FIRST, .atom = i};
        done[i] = true;
        uint64_t bound = binds(&q->atom[i]);
        add_checks(p, q, &s[0], q->n_atoms, done);
        for (uint32_t k = 1; k < q->n_atoms; k++) {
            s[k] = next_step(q, bound, done);
            s[k].old_only = s[k].atom < i;
            done[s[k].atom] = true;
            bound |= binds(&q->atom[s[k].atom]);
            add_checks(p, q, &s[k], q->n_atoms, done);
        }
    }
}

static void listen(struct cc *g, struct plain_rule *q)
{
    for (uint32_t i = 0; i < q->n_atoms; i++) {
        struct atom *a = &q->atom[i];
        if (a->op == ATOM_ANY)
            continue;
        if (uses(q, a->cls) > 1)
            a->listen |= CC_MOVED;
        for (uint32_t k = 0; k < a->n; k++)
            if (uses(q, a->arg[k]) > 1)
                a->listen |= CC_REARGED;
        g->op.at[a->op].listen |= a->listen;
    }
}

static bool guard_at(struct reader *r, const struct guard_name *names,
                     struct guard *out)
{
    uint32_t len;
    const char *s = word(r, &len);
    uint32_t kind = 0;
    while (names != NULL && names[kind].name != NULL &&
           (strlen(names[kind].name) != len ||
            memcmp(names[kind].name, s, len) != 0))
        kind++;
    if (names == NULL || names[kind].name == NULL)
        return fail(r, "a condition that is not known");
    *out = (struct guard){.kind = kind, .n = names[kind].n};
    spaces(r);
    if (*r->at != '(')
        return fail(r, "expected (");
    r->at++;
    for (uint32_t i = 0; i < out->n; i++) {
        s = word(r, &len);
        if (len > 0 && s[len - 1] == ',')
            len--;
        if (!variable(r, s, len, false, &out->arg[i]))
            return false;
    }
    spaces(r);
    if (*r->at != ')')
        return fail(r, "expected )");
    r->at++;
    return true;
}

static bool keyword(struct reader *r, const char *k)
{
    spaces(r);
    size_t n = strlen(k);
    if (strncmp(r->at, k, n) != 0)
        return false;
    r->at += n;
    return true;
}

static bool rule_line(struct reader *r, const struct guard_name *names)
{
    struct plain_rule q = {0};
    struct guard guard[8];
    r->n_vars = r->n_atoms = r->n_builds = 0;
    const char *s = r->at;
    const char *colon = strstr(s, ": ");
    if (colon == NULL)
        return fail(r, "expected `name: lhs => rhs`");
    q.name = arena_strndup(&r->p->mem, s, (size_t)(colon - s));
    r->at = colon + 2;
    if (!pattern(r, true, &q.left, CC_NONE))
        return false;
    if (r->n_atoms == 0)
        r->atom[r->n_atoms++] = (struct atom){.op = ATOM_ANY, .cls = q.left};
    if (!keyword(r, "=>"))
        return fail(r, "expected =>");
    if (!pattern(r, false, &q.right, CC_NONE))
        return false;
    if (keyword(r, "if")) {
        do {
            if (q.n_guards == 8 || !guard_at(r, names, &guard[q.n_guards]))
                return false;
            q.n_guards++;
        } while (keyword(r, "and"));
    }
    spaces(r);
    if (*r->at != 0 && *r->at != '\n' && *r->at != '#')
        return fail(r, "unexpected text behind the rule");
    q.n_atoms = r->n_atoms;
    q.n_vars = r->n_vars;
    q.n_builds = r->n_builds;
    q.atom = ARENA_NEW(&r->p->mem, struct atom, q.n_atoms);
    memcpy(q.atom, r->atom, q.n_atoms * sizeof *q.atom);
    q.build = ARENA_NEW(&r->p->mem, struct build, q.n_builds + 1);
    memcpy(q.build, r->build, q.n_builds * sizeof *q.build);
    q.guard = ARENA_NEW(&r->p->mem, struct guard, q.n_guards + 1);
    memcpy(q.guard, guard, q.n_guards * sizeof *q.guard);
    listen(r->g, &q);
    make_plans(r->p, &q);
    vec_push(&r->p->rule, q);
    return true;
}

bool plain_read(struct plain_rules *p, struct cc *g, const char *file,
                const char *text, const struct guard_name *guards,
                struct err *e)
{
    struct reader r = {.p = p, .g = g, .file = file, .at = text, .e = e};
    while (*r.at != 0) {
        r.line++;
        spaces(&r);
        if (*r.at != '#' && *r.at != '\n' && !rule_line(&r, guards))
            return false;
        while (*r.at != 0 && *r.at != '\n')
            r.at++;
        r.at += *r.at != 0;
    }
    return true;
}

static bool term(struct reader *r, uint32_t *node)
{
    uint32_t len, n = 0, arg[32];
    while (strchr(" \t\r\n", *r->at) && *r->at) {
        r->line += *r->at == '\n';
        r->at++;
    }
    bool list = *r->at == '(';
    r->at += list;
    const char *s = word(r, &len);
    if (len == 0)
        return fail(r, "expected a term");
    for (spaces(r); list && *r->at != ')'; spaces(r)) {
        if (n == 32)
            return fail(r, "too many arguments");
        if (!term(r, node))
            return false;
        arg[n++] = r->g->cls.at[*node];
    }
    r->at += list;
    uint32_t op = plain_op(r->p, r->g, s, len, n);
    *node = cc_add(r->g, op, arg);
    return true;
}

bool plain_term(struct plain_rules *p, struct cc *g, const char *file,
                const char **text, uint32_t *line, uint32_t *node,
                struct err *e)
{
    struct reader r = {
        .p = p, .g = g, .file = file, .at = *text, .line = *line, .e = e};
    bool ok = term(&r, node);
    *text = r.at;
    *line = r.line;
    return ok;
}
