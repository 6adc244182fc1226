// SPDX-License-Identifier: Apache-2.0
// Conditions of a rule, from text.
#include "egraph/plain/reader.h"

static uint32_t guard_kind(const struct plain_reader *reader, const char *text, uint32_t len)
{
    const struct guard_name *name = reader->guards;
    for (uint32_t i = 0; name != NULL && name[i].name != NULL; i++)
        if (strlen(name[i].name) == len && memcmp(name[i].name, text, len) == 0)
            return i;
    return CC_NONE;
}

// Behind its name.  `unless` is set later.
static bool guard_args(struct plain_reader *reader, uint32_t kind, uint32_t out)
{
    if (reader->n_guards == EGRAPH_PLAIN_CONDITIONS)
        return plain_text_fail(&reader->text, reader->text.at, "more than %d conditions",
                               EGRAPH_PLAIN_CONDITIONS);
    struct plain_guard plain_guard = {.kind = kind, .n = reader->guards[kind].n, .out = out};
    if (!plain_text_expect(&reader->text, '('))
        return false;
    for (uint32_t i = 0; i < plain_guard.n; i++) {
        if (i > 0 && (plain_text_spaces(&reader->text), *reader->text.at == ','))
            reader->text.at++;
        if (!plain_reader_known_variable(reader, &plain_guard.arg[i]))
            return false;
    }
    reader->guard[reader->n_guards++] = plain_guard;
    return plain_text_expect(&reader->text, ')');
}

// The terms become part of the query.
static bool same(struct plain_reader *reader)
{
    const char *from = reader->text.at;
    uint32_t a, b, vars = reader->n_vars;
    if (!plain_text_expect(&reader->text, '('))
        return false;
    plain_text_spaces(&reader->text);
    bool first = *reader->text.at != '?';
    if (!plain_reader_pattern(reader, true, &a))
        return false;
    plain_text_spaces(&reader->text);
    reader->text.at += *reader->text.at == ',';
    plain_text_spaces(&reader->text);
    if (*reader->text.at != '?') {
        if (!plain_reader_node(reader, true, &b, a))
            return false;
    } else if (!plain_reader_pattern(reader, true, &b)) {
        return false;
    } else if (!first) {
        return plain_text_fail(&reader->text, from, "expected a term, not two variables");
    } else {
        for (uint32_t i = reader->n_main; i < reader->n_atoms; i++)
            reader->atom[i].cls = reader->atom[i].cls == a ? b : reader->atom[i].cls;
    }
    for (uint32_t i = vars; i < reader->n_vars; i++)
        if (reader->var[i].at != NULL)
            return plain_text_fail(&reader->text, from, "the left side does not bind %.*s",
                                   (int)reader->var[i].len, reader->var[i].at);
    return plain_text_expect(&reader->text, ')');
}

bool plain_reader_condition(struct plain_reader *reader)
{
    uint32_t len, out = CC_NONE;
    plain_text_spaces(&reader->text);
    const char *text, *from = reader->text.at;
    if (plain_reader_named(reader, &text, &len)) {
        if (!plain_reader_variable(reader, text, len, NOWHERE, &out))
            return false;
        if (reader->var[out].bound != NOWHERE)
            return plain_text_fail(&reader->text, text, "%.*s has a class already", (int)len, text);
    }
    text = plain_text_word(&reader->text, &len);
    if (out == CC_NONE && len == 4 && memcmp(text, "same", 4) == 0)
        return same(reader);
    uint32_t kind = guard_kind(reader, text, len);
    if (kind == CC_NONE)
        return plain_text_fail(&reader->text, text,
                               len ? "no condition is named %.*s" : "expected a condition",
                               (int)len, text);
    if (reader->guards[kind].computes != (out != CC_NONE))
        return plain_text_fail(&reader->text, from,
                               out == CC_NONE ? "%.*s computes a class: ?v = %.*s"
                                              : "%.*s computes nothing",
                               (int)len, text, (int)len, text);
    if (!guard_args(reader, kind, out))
        return false;
    if (out != CC_NONE)
        reader->var[out].bound = BY_GUARD;
    return true;
}

bool plain_reader_fresh(struct plain_reader *reader)
{
    for (uint32_t i = 0; i < reader->n_vars; i++) {
        const struct plain_name *plain_name = &reader->var[i];
        if (plain_name->bound != NOWHERE)
            continue;
        uint32_t kind = guard_kind(reader, "fresh", 5);
        if (plain_name->len < 6 || memcmp(plain_name->at, "?fresh", 6) != 0 || kind == CC_NONE ||
            reader->left == CC_NONE)
            return plain_text_fail(&reader->text, plain_name->at,
                                   "the left side does not bind %.*s", (int)plain_name->len,
                                   plain_name->at);
        if (reader->n_guards == EGRAPH_PLAIN_CONDITIONS)
            return plain_text_fail(&reader->text, plain_name->at, "more than %d conditions",
                                   EGRAPH_PLAIN_CONDITIONS);
        reader->guard[reader->n_guards++] =
            (struct plain_guard){.kind = kind, .n = 1, .arg = {reader->left}, .out = i};
    }
    return true;
}
