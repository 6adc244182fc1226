// SPDX-License-Identifier: Apache-2.0
// Conditions of a rule, from text.
#include "egraph/plain/reader.h"

static uint32_t guard_kind(const struct plain_reader *r, const char *s, uint32_t len)
{
    const struct guard_name *g = r->guards;
    for (uint32_t i = 0; g != NULL && g[i].name != NULL; i++)
        if (strlen(g[i].name) == len && memcmp(g[i].name, s, len) == 0)
            return i;
    return CC_NONE;
}

// Behind its name.  `unless` is set later.
static bool guard_args(struct plain_reader *r, uint32_t kind, uint32_t out)
{
    if (r->n_guards == PLAIN_MAX_GUARDS)
        return plain_text_fail(&r->t, r->t.at, "more than %d conditions",
                         PLAIN_MAX_GUARDS);
    struct plain_guard u = {.kind = kind, .n = r->guards[kind].n, .out = out};
    if (!plain_text_expect(&r->t, '('))
        return false;
    for (uint32_t i = 0; i < u.n; i++) {
        if (i > 0 && (plain_text_spaces(&r->t), *r->t.at == ','))
            r->t.at++;
        if (!plain_reader_known_variable(r, &u.arg[i]))
            return false;
    }
    r->guard[r->n_guards++] = u;
    return plain_text_expect(&r->t, ')');
}

// The terms become part of the query.
static bool same(struct plain_reader *r)
{
    const char *from = r->t.at;
    uint32_t a, b, vars = r->n_vars;
    if (!plain_text_expect(&r->t, '('))
        return false;
    plain_text_spaces(&r->t);
    bool first = *r->t.at != '?';
    if (!plain_reader_pattern(r, true, &a))
        return false;
    plain_text_spaces(&r->t);
    r->t.at += *r->t.at == ',';
    plain_text_spaces(&r->t);
    if (*r->t.at != '?') {
        if (!plain_reader_node(r, true, &b, a))
            return false;
    } else if (!plain_reader_pattern(r, true, &b)) {
        return false;
    } else if (!first) {
        return plain_text_fail(&r->t, from, "expected a term, not two variables");
    } else {
        for (uint32_t i = r->n_main; i < r->n_atoms; i++)
            r->atom[i].cls = r->atom[i].cls == a ? b : r->atom[i].cls;
    }
    for (uint32_t i = vars; i < r->n_vars; i++)
        if (r->var[i].at != NULL)
            return plain_text_fail(&r->t, from, "the left side does not bind %.*s",
                             (int)r->var[i].len, r->var[i].at);
    return plain_text_expect(&r->t, ')');
}

bool plain_reader_condition(struct plain_reader *r)
{
    uint32_t len, out = CC_NONE;
    plain_text_spaces(&r->t);
    const char *s, *from = r->t.at;
    if (plain_reader_named(r, &s, &len)) {
        if (!plain_reader_variable(r, s, len, NOWHERE, &out))
            return false;
        if (r->var[out].bound != NOWHERE)
            return plain_text_fail(&r->t, s, "%.*s has a class already", (int)len, s);
    }
    s = plain_text_word(&r->t, &len);
    if (out == CC_NONE && len == 4 && memcmp(s, "same", 4) == 0)
        return same(r);
    uint32_t kind = guard_kind(r, s, len);
    if (kind == CC_NONE)
        return plain_text_fail(&r->t, s,
                         len ? "no condition is named %.*s"
                             : "expected a condition",
                         (int)len, s);
    if (r->guards[kind].computes != (out != CC_NONE))
        return plain_text_fail(&r->t, from,
                         out == CC_NONE ? "%.*s computes a class: ?v = %.*s"
                                        : "%.*s computes nothing",
                         (int)len, s, (int)len, s);
    if (!guard_args(r, kind, out))
        return false;
    if (out != CC_NONE)
        r->var[out].bound = BY_GUARD;
    return true;
}

bool plain_reader_fresh(struct plain_reader *r)
{
    for (uint32_t i = 0; i < r->n_vars; i++) {
        const struct plain_name *v = &r->var[i];
        if (v->bound != NOWHERE)
            continue;
        uint32_t kind = guard_kind(r, "fresh", 5);
        if (v->len < 6 || memcmp(v->at, "?fresh", 6) != 0 || kind == CC_NONE ||
            r->left == CC_NONE)
            return plain_text_fail(&r->t, v->at, "the left side does not bind %.*s",
                             (int)v->len, v->at);
        if (r->n_guards == PLAIN_MAX_GUARDS)
            return plain_text_fail(&r->t, v->at, "more than %d conditions",
                             PLAIN_MAX_GUARDS);
        r->guard[r->n_guards++] =
            (struct plain_guard){.kind = kind, .n = 1, .arg = {r->left}, .out = i};
    }
    return true;
}
