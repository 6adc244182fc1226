// SPDX-License-Identifier: Apache-2.0
// Rules from text.
#include "egraph/plain/reader.h"

// The right side of a rule: each pattern joins a class, or names what it
// builds.
struct rule_part {
    uint32_t left, right, n_builds;
};

bool plain_reader_new_variable(struct plain_reader *r, const char *s, uint32_t len,
                               int bound, uint32_t *out)
{
    if (r->n_vars == PLAIN_MAX_VARS)
        return plain_text_fail(&r->t, s ? s : r->t.at,
                         "a rule of more than %d variables and nodes",
                         PLAIN_MAX_VARS);
    r->var[r->n_vars] = (struct plain_name){s, len, bound};
    *out = r->n_vars++;
    return true;
}

bool plain_reader_variable(struct plain_reader *r, const char *s, uint32_t len,
                           int bound, uint32_t *out)
{
    if (len < 2)
        return plain_text_fail(&r->t, s, "expected a name behind ?");
    for (uint32_t i = 0; i < r->n_vars; i++)
        if (r->var[i].at != NULL && r->var[i].len == len &&
            memcmp(r->var[i].at, s, len) == 0) {
            *out = i;
            return true;
        }
    return plain_reader_new_variable(r, s, len, bound, out);
}

bool plain_reader_known_variable(struct plain_reader *r, uint32_t *out)
{
    uint32_t len;
    const char *s = plain_text_word(&r->t, &len);
    if (len == 0 || *s != '?')
        return plain_text_fail(&r->t, s, "expected a variable");
    if (!plain_reader_variable(r, s, len, NOWHERE, out))
        return false;
    return r->var[*out].bound != NOWHERE ||
           plain_text_fail(&r->t, s, "the left side does not bind %.*s", (int)len, s);
}

static bool arguments(struct plain_reader *r, bool left, uint32_t *n, uint32_t *arg);

bool plain_reader_node(struct plain_reader *r, bool left, uint32_t *out,
                       uint32_t want)
{
    uint32_t len, n = 0, arg[PLAIN_MAX_ARGS], index = r->n_atoms;
    const char *open = r->t.at;
    bool list = plain_text_take(&r->t, '(');
    const char *s = plain_text_word(&r->t, &len);
    if (len == 0 || *s == '?')
        return plain_text_fail(&r->t, s,
                         list ? "expected an operator" : "expected a pattern");
    if (left && r->n_atoms++ == PLAIN_MAX_ATOMS)
        return plain_text_fail(&r->t, open, "a side of more than %d nodes",
                         PLAIN_MAX_ATOMS);
    *out = want;
    if (want == CC_NONE &&
        !plain_reader_new_variable(r, NULL, 0, left ? BY_LEFT : BY_BUILD, out))
        return false;
    if (list && !arguments(r, left, &n, arg))
        return false;
    uint32_t *copy = ARENA_NEW(&r->p->mem, uint32_t, n + 1);
    memcpy(copy, arg, n * sizeof *arg);
    uint32_t op = plain_op(r->p, r->g, s, len, n);
    if (left)
        r->atom[index] =
            (struct plain_atom){.op = op, .n = n, .cls = *out, .arg = copy};
    else if (r->n_builds == PLAIN_MAX_ATOMS)
        return plain_text_fail(&r->t, open, "a side of more than %d nodes",
                         PLAIN_MAX_ATOMS);
    else
        r->build[r->n_builds++] =
            (struct plain_build){.op = op, .n = n, .out = *out, .arg = copy};
    return true;
}

bool plain_reader_pattern(struct plain_reader *r, bool left, uint32_t *out)
{
    uint32_t len;
    plain_text_spaces(&r->t);
    if (*r->t.at != '?')
        return plain_reader_node(r, left, out, CC_NONE);
    const char *s = plain_text_word(&r->t, &len);
    return plain_reader_variable(r, s, len, left ? BY_LEFT : NOWHERE, out);
}

// Depth is bounded, for each level is a node of a side.
static bool arguments(struct plain_reader *r, bool left, uint32_t *n, uint32_t *arg)
{
    for (plain_text_spaces(&r->t); !plain_text_take(&r->t, ')'); plain_text_spaces(&r->t)) {
        if (plain_text_at_end(&r->t))
            return plain_text_fail(&r->t, r->t.at, "expected )");
        if (*n == PLAIN_MAX_ARGS)
            return plain_text_fail(&r->t, r->t.at, "more than %d arguments",
                             PLAIN_MAX_ARGS);
        if (!plain_reader_pattern(r, left, &arg[(*n)++]))
            return false;
    }
    return true;
}

bool plain_reader_named(struct plain_reader *r, const char **s, uint32_t *len)
{
    const char *from = r->t.at;
    plain_text_spaces(&r->t);
    if (*r->t.at == '?') {
        *s = plain_text_word(&r->t, len);
        if (plain_text_keyword(&r->t, "="))
            return true;
    }
    r->t.at = from;
    return false;
}

static bool left_part(struct plain_reader *r, uint32_t *out)
{
    const char *s;
    uint32_t len;
    if (!plain_reader_named(r, &s, &len))
        return plain_reader_pattern(r, true, out);
    plain_text_spaces(&r->t);
    if (*r->t.at == '?')
        return plain_text_fail(&r->t, r->t.at,
                         "two variables for one class: one name will do");
    return plain_reader_variable(r, s, len, BY_LEFT, out) &&
           plain_reader_node(r, true, out, *out);
}

static bool left_side(struct plain_reader *r)
{
    uint32_t n = 0, out = CC_NONE;
    const char *from = r->t.at;
    do {
        uint32_t atoms = r->n_atoms;
        if (!left_part(r, &out))
            return false;
        if (r->n_atoms == atoms && n++ > 0)
            return plain_text_fail(&r->t, from, "a variable matches everything");
        n += r->n_atoms != atoms;
    } while (plain_text_keyword(&r->t, "and"));
    if (r->n_atoms == 0)
        r->atom[r->n_atoms++] = (struct plain_atom){.op = ATOM_ANY, .cls = out};
    else if (r->n_atoms > 0 && n > 1)
        out = CC_NONE;
    r->left = out;
    r->n_main = r->n_atoms;
    return true;
}

static bool right_part(struct plain_reader *r, struct rule_part *out)
{
    const char *s = r->t.at;
    uint32_t len;
    out->left = r->left;
    if (plain_reader_named(r, &s, &len)) {
        uint32_t v, builds = r->n_builds;
        if (!plain_reader_variable(r, s, len, NOWHERE, &v))
            return false;
        if (r->var[v].bound != NOWHERE) {
            out->left = v;
        } else {
            plain_text_spaces(&r->t);
            if (*r->t.at == '?')
                return plain_text_fail(&r->t, s, "%.*s names nothing new", (int)len,
                                 s);
            if (!plain_reader_node(r, false, &v, v))
                return false;
            r->var[v].bound = BY_BUILD;
            *out = (struct rule_part){CC_NONE, CC_NONE, r->n_builds};
            return r->n_builds > builds;
        }
    } else if (r->left == CC_NONE) {
        return plain_text_fail(&r->t, s,
                         "the left side has several patterns: expected "
                         "?v = pattern");
    }
    if (!plain_reader_pattern(r, false, &out->right))
        return false;
    out->n_builds = r->n_builds;
    return true;
}

static void *copy(struct plain_reader *r, const void *from, uint32_t n, size_t size)
{
    void *to = arena_alloc(&r->p->mem, n * size + 1);
    memcpy(to, from, n * size);
    return to;
}

static struct plain_rule rule_of(struct plain_reader *r, const struct rule_part *x)
{
    struct plain_rule q = {.name = r->rule_name,
                           .line = r->rule_line,
                           .n_atoms = r->n_atoms,
                           .n_vars = r->n_vars,
                           .n_builds = x->n_builds,
                           .n_guards = r->n_guards,
                           .n_main = r->n_main,
                           .left = x->left,
                           .right = x->right};
    q.atom = copy(r, r->atom, q.n_atoms, sizeof *q.atom);
    q.build = copy(r, r->build, q.n_builds, sizeof *q.build);
    q.guard = copy(r, r->guard, q.n_guards, sizeof *q.guard);
    return q;
}

static void emit(struct plain_reader *r, const struct rule_part *x)
{
    struct plain_rule q = rule_of(r, x);
    plain_plan(r->p, r->g, &q);
    vec_push(&r->p->rule, q);
}

// The terms that conditions ask for must be there to be compared.
static bool emit_asked(struct plain_reader *r)
{
    uint32_t n = r->n_atoms, guards = r->n_guards;
    if (n == r->n_main)
        return true;
    if (2 * n - r->n_main > PLAIN_MAX_ATOMS)
        return plain_text_fail(&r->t, r->t.at, "a side of more than %d nodes",
                         PLAIN_MAX_ATOMS);
    // Inner nodes come later among atoms, and first among builds.
    for (uint32_t i = n; i-- > r->n_main;) {
        const struct plain_atom *a = &r->atom[i];
        r->build[n - 1 - i] = (struct plain_build){a->op, a->n, a->cls, a->arg};
    }
    struct rule_part x = {CC_NONE, CC_NONE, n - r->n_main};
    // Both terms are built apart: their classes need not be one yet.
    for (uint32_t i = 0; i < x.n_builds; i++) {
        uint32_t *out = &r->build[i].out;
        bool taken = r->var[*out].at != NULL;
        for (uint32_t k = 0; k < i; k++)
            taken |= r->atom[n - 1 - k].cls == *out;
        if (taken && !plain_reader_new_variable(r, NULL, 0, BY_BUILD, out))
            return false;
    }
    r->n_atoms = r->n_main;
    r->n_guards = 0;
    emit(r, &x);
    r->n_atoms = n;
    r->n_guards = guards;
    return true;
}

// A right side and its conditions, for matches that fail those of the `unless`
// right sides before.
static bool right_side(struct plain_reader *r, uint32_t unless, bool *conditions)
{
    struct rule_part part[PLAIN_MAX_ATOMS];
    uint32_t n = 0, before = r->n_guards;
    r->n_builds = 0;
    do {
        if (n == PLAIN_MAX_ATOMS)
            return plain_text_fail(&r->t, r->t.at, "too many patterns");
        if (!right_part(r, &part[n++]))
            return false;
    } while (plain_text_keyword(&r->t, "and"));
    *conditions = plain_text_keyword(&r->t, "if");
    if (*conditions)
        do
            if (!plain_reader_condition(r))
                return false;
        while (plain_text_keyword(&r->t, "and"));
    uint32_t own = r->n_guards;
    if (!plain_reader_fresh(r))
        return false;
    // The journal names nodes that were matched or built.
    for (uint32_t i = 0; i < n; i++)
        if (part[i].right != CC_NONE && r->var[part[i].right].at != NULL &&
            r->var[part[i].right].bound != BY_LEFT &&
            r->var[part[i].right].bound != BY_BUILD)
            return plain_text_fail(&r->t, r->t.at,
                             "a right side that is only what is computed");
    if (r->atom[0].op == ATOM_ANY && (r->n_atoms > 1 || own > before))
        return plain_text_fail(&r->t, r->t.at,
                         "conditions on a variable that matches everything");
    bool joins = false;
    for (uint32_t i = 0; i < n; i++)
        joins |= part[i].left != CC_NONE;
    for (uint32_t i = 0; i < n; i++)
        if (part[i].left != CC_NONE || (!joins && i + 1 == n))
            emit(r, &part[i]);
    r->n_guards = own;
    for (uint32_t i = before; i < own; i++) {
        r->guard[i].unless = unless + 1;
        if (r->guard[i].out != CC_NONE)
            *conditions = false;
    }
    return emit_asked(r);
}

static bool right_sides(struct plain_reader *r)
{
    uint32_t vars = r->n_vars, unless = 0;
    for (;;) {
        bool conditions = false;
        if (!right_side(r, unless++, &conditions))
            return false;
        const char *at = r->t.at;
        if (!plain_text_keyword(&r->t, "else"))
            return true;
        if (!conditions || r->n_atoms > r->n_main)
            return plain_text_fail(&r->t, at,
                             "nothing that `else` could be the other case of");
        r->n_vars = vars;
    }
}

static bool rule_line(struct plain_reader *r)
{
    const char *s = r->t.at, *colon = s;
    r->n_vars = r->n_atoms = r->n_builds = r->n_guards = 0;
    while (!plain_text_end(*colon) && !(colon[0] == ':' && strchr(" \t", colon[1])))
        colon++;
    if (plain_text_end(*colon) || colon == s || colon[1] == 0)
        return plain_text_fail(&r->t, s, "expected `name: left => right`");
    r->rule_name = arena_strndup(&r->p->mem, s, (size_t)(colon - s));
    r->rule_line = r->t.line;
    r->t.at = colon + 1;
    if (strcmp(r->rule_name, "analysis") == 0) {
        uint32_t len;
        if (r->p->analysis != NULL)
            return plain_text_fail(&r->t, s, "a second analysis");
        s = plain_text_word(&r->t, &len);
        r->p->analysis = arena_strndup(&r->p->mem, s, len);
    } else if (strcmp(r->rule_name, "ac") == 0) {
        uint32_t len;
        while (s = plain_text_word(&r->t, &len), len > 0)
            plain_ac(r->p, r->g, s, len);
    } else {
        if (!left_side(r))
            return false;
        if (!plain_text_keyword(&r->t, "=>"))
            return plain_text_fail(&r->t, r->t.at, "expected =>");
        if (!right_sides(r))
            return false;
    }
    plain_text_spaces(&r->t);
    return plain_text_at_end(&r->t) ||
           plain_text_fail(&r->t, r->t.at, "unexpected text behind the rule");
}

static void reader_init(struct plain_reader *r, struct plain_rules *p, struct cc *g,
                        const char *file, const char *text, struct err *e)
{
    memset(r, 0, sizeof *r);
    r->t = plain_text_at(file, text, 1, e);
    r->p = p;
    r->g = g;
}

bool plain_read(struct plain_rules *p, struct cc *g, const char *file,
                const char *text, const struct guard_name *guards,
                struct err *e)
{
    struct plain_reader r;
    reader_init(&r, p, g, file, text, e);
    r.guards = guards;
    for (; *r.t.at != 0; plain_text_next_line(&r.t)) {
        plain_text_spaces(&r.t);
        if (*r.t.at != '#' && !plain_text_at_end(&r.t) && !rule_line(&r))
            return false;
    }
    return true;
}

void plain_ac(struct plain_rules *p, struct cc *g, const char *name,
              uint32_t len)
{
    vec_push(&p->ac, plain_op(p, g, name, len, 2));
}

bool plain_pattern(struct plain_rules *p, struct cc *g, const char *file,
                   const char *text, struct plain_rule *out, struct err *e)
{
    struct plain_reader r;
    reader_init(&r, p, g, file, text, e);
    plain_text_blank(&r.t);
    if (!left_side(&r))
        return false;
    plain_text_blank(&r.t);
    if (*r.t.at != 0)
        return plain_text_fail(&r.t, r.t.at, "expected one pattern");
    struct rule_part none = {r.left, r.left, 0};
    *out = rule_of(&r, &none);
    plain_plan(p, g, out);
    return true;
}
