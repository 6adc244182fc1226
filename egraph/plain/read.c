// SPDX-License-Identifier: Apache-2.0
// Rules from text.
#include "egraph/plain/reader.h"

// The right side of a rule: each pattern joins a class, or names what it
// builds.
struct rule_part {
    uint32_t left, right, n_builds;
};

bool plain_reader_new_variable(struct plain_reader *reader, const char *text, uint32_t len,
                               int bound, uint32_t *out)
{
    if (reader->n_vars == EGRAPH_PLAIN_VARIABLES)
        return plain_text_fail(&reader->text, text ? text : reader->text.at,
                               "a rule of more than %d variables and nodes",
                               EGRAPH_PLAIN_VARIABLES);
    reader->var[reader->n_vars] = (struct plain_name){text, len, bound};
    *out = reader->n_vars++;
    return true;
}

bool plain_reader_variable(struct plain_reader *reader, const char *text, uint32_t len, int bound,
                           uint32_t *out)
{
    if (len < 2)
        return plain_text_fail(&reader->text, text, "expected a name behind ?");
    for (uint32_t i = 0; i < reader->n_vars; i++)
        if (reader->var[i].at != NULL && reader->var[i].len == len &&
            memcmp(reader->var[i].at, text, len) == 0) {
            *out = i;
            return true;
        }
    return plain_reader_new_variable(reader, text, len, bound, out);
}

bool plain_reader_known_variable(struct plain_reader *reader, uint32_t *out)
{
    uint32_t len;
    const char *text = plain_text_word(&reader->text, &len);
    if (len == 0 || *text != '?')
        return plain_text_fail(&reader->text, text, "expected a variable");
    if (!plain_reader_variable(reader, text, len, NOWHERE, out))
        return false;
    return reader->var[*out].bound != NOWHERE ||
           plain_text_fail(&reader->text, text, "the left side does not bind %.*s", (int)len, text);
}

static bool arguments(struct plain_reader *reader, bool left, uint32_t *n, uint32_t *arg);

// The class of an atom that is the same node as the last one; CC_NONE: there is none.
static uint32_t same_node(const struct plain_reader *reader, uint32_t op, uint32_t n,
                          const uint32_t *arg)
{
    for (uint32_t i = 0; i + 1 < reader->n_atoms; i++) {
        const struct plain_atom *atom = &reader->atom[i];
        if (atom->op == op && atom->n == n && memcmp(atom->arg, arg, n * sizeof *arg) == 0)
            return atom->cls;
    }
    return CC_NONE;
}

// A node that stands in several places of the left side is one atom: equal nodes are in one
// class wherever the graph is closed.  Its variable is given back; none came later, for its
// arguments are those of the first one.  Nodes of conditions stay apart, for they are built.
static bool is_repeated(struct plain_reader *reader, uint32_t *out, uint32_t op, uint32_t n,
                        const uint32_t *arg)
{
    uint32_t same =
        reader->n_main > 0 || reader->depth == 0 ? CC_NONE : same_node(reader, op, n, arg);
    if (same == CC_NONE || *out + 1 != reader->n_vars)
        return false;
    reader->n_vars--;
    reader->n_atoms--;
    *out = same;
    return true;
}

bool plain_reader_node(struct plain_reader *reader, bool left, uint32_t *out, uint32_t want)
{
    uint32_t len, n = 0, arg[EGRAPH_PLAIN_ARGUMENTS], index = reader->n_atoms;
    const char *open = reader->text.at;
    bool list = plain_text_take(&reader->text, '(');
    const char *text = plain_text_word(&reader->text, &len);
    if (len == 0 || *text == '?')
        return plain_text_fail(&reader->text, text,
                               list ? "expected an operator" : "expected a pattern");
    if (left && reader->n_atoms++ == EGRAPH_PLAIN_ATOMS)
        return plain_text_fail(&reader->text, open, "a side of more than %d nodes",
                               EGRAPH_PLAIN_ATOMS);
    if (left) // not read yet
        reader->atom[index].op = ATOM_ANY;
    *out = want;
    if (want == CC_NONE &&
        !plain_reader_new_variable(reader, NULL, 0, left ? BY_LEFT : BY_BUILD, out))
        return false;
    if (list && !arguments(reader, left, &n, arg))
        return false;
    uint32_t op = plain_op(reader->rules, reader->graph, text, len, n);
    if (left && want == CC_NONE && is_repeated(reader, out, op, n, arg))
        return true;
    uint32_t *copy = ARENA_NEW(&reader->rules->mem, uint32_t, n + 1);
    memcpy(copy, arg, n * sizeof *arg);
    if (left)
        reader->atom[index] = (struct plain_atom){.op = op, .n = n, .cls = *out, .arg = copy};
    else if (reader->n_builds == EGRAPH_PLAIN_ATOMS)
        return plain_text_fail(&reader->text, open, "a side of more than %d nodes",
                               EGRAPH_PLAIN_ATOMS);
    else
        reader->build[reader->n_builds++] =
            (struct plain_build){.op = op, .n = n, .out = *out, .arg = copy};
    return true;
}

bool plain_reader_pattern(struct plain_reader *reader, bool left, uint32_t *out)
{
    uint32_t len;
    plain_text_spaces(&reader->text);
    if (*reader->text.at != '?')
        return plain_reader_node(reader, left, out, CC_NONE);
    const char *text = plain_text_word(&reader->text, &len);
    return plain_reader_variable(reader, text, len, left ? BY_LEFT : NOWHERE, out);
}

// Depth is bounded, for each level is a node of a side.
static bool arguments(struct plain_reader *reader, bool left, uint32_t *n, uint32_t *arg)
{
    reader->depth++;
    for (plain_text_spaces(&reader->text); !plain_text_take(&reader->text, ')');
         plain_text_spaces(&reader->text)) {
        if (plain_text_at_end(&reader->text))
            return plain_text_fail(&reader->text, reader->text.at, "expected )");
        if (*n == EGRAPH_PLAIN_ARGUMENTS)
            return plain_text_fail(&reader->text, reader->text.at, "more than %d arguments",
                                   EGRAPH_PLAIN_ARGUMENTS);
        if (!plain_reader_pattern(reader, left, &arg[(*n)++]))
            return false;
    }
    reader->depth--;
    return true;
}

bool plain_reader_named(struct plain_reader *reader, const char **text, uint32_t *len)
{
    const char *from = reader->text.at;
    plain_text_spaces(&reader->text);
    if (*reader->text.at == '?') {
        *text = plain_text_word(&reader->text, len);
        if (plain_text_keyword(&reader->text, "="))
            return true;
    }
    reader->text.at = from;
    return false;
}

static bool left_part(struct plain_reader *reader, uint32_t *out)
{
    const char *text;
    uint32_t len;
    if (!plain_reader_named(reader, &text, &len))
        return plain_reader_pattern(reader, true, out);
    plain_text_spaces(&reader->text);
    if (*reader->text.at == '?')
        return plain_text_fail(&reader->text, reader->text.at,
                               "two variables for one class: one name will do");
    return plain_reader_variable(reader, text, len, BY_LEFT, out) &&
           plain_reader_node(reader, true, out, *out);
}

static bool left_side(struct plain_reader *reader)
{
    uint32_t n = 0, out = CC_NONE;
    const char *from = reader->text.at;
    do {
        uint32_t atoms = reader->n_atoms;
        if (!left_part(reader, &out))
            return false;
        if (reader->n_atoms == atoms && n++ > 0)
            return plain_text_fail(&reader->text, from, "a variable matches everything");
        n += reader->n_atoms != atoms;
    } while (plain_text_keyword(&reader->text, "and"));
    if (reader->n_atoms == 0)
        reader->atom[reader->n_atoms++] = (struct plain_atom){.op = ATOM_ANY, .cls = out};
    else if (reader->n_atoms > 0 && n > 1)
        out = CC_NONE;
    reader->left = out;
    reader->n_main = reader->n_atoms;
    return true;
}

static bool right_part(struct plain_reader *reader, struct rule_part *out)
{
    const char *text = reader->text.at;
    uint32_t len;
    out->left = reader->left;
    if (plain_reader_named(reader, &text, &len)) {
        uint32_t v, builds = reader->n_builds;
        if (!plain_reader_variable(reader, text, len, NOWHERE, &v))
            return false;
        if (reader->var[v].bound != NOWHERE) {
            out->left = v;
        } else {
            plain_text_spaces(&reader->text);
            if (*reader->text.at == '?')
                return plain_text_fail(&reader->text, text, "%.*s names nothing new", (int)len,
                                       text);
            if (!plain_reader_node(reader, false, &v, v))
                return false;
            reader->var[v].bound = BY_BUILD;
            *out = (struct rule_part){CC_NONE, CC_NONE, reader->n_builds};
            return reader->n_builds > builds;
        }
    } else if (reader->left == CC_NONE) {
        return plain_text_fail(&reader->text, text,
                               "the left side has several patterns: expected "
                               "?v = pattern");
    }
    if (!plain_reader_pattern(reader, false, &out->right))
        return false;
    out->n_builds = reader->n_builds;
    return true;
}

static void *copy(struct plain_reader *reader, const void *from, uint32_t n, size_t size)
{
    void *to = arena_alloc(&reader->rules->mem, n * size + 1);
    memcpy(to, from, n * size);
    return to;
}

static struct plain_rule rule_of(struct plain_reader *reader, const struct rule_part *part)
{
    struct plain_rule rule = {.name = reader->rule_name,
                              .line = reader->rule_line,
                              .n_atoms = reader->n_atoms,
                              .n_vars = reader->n_vars,
                              .n_builds = part->n_builds,
                              .n_guards = reader->n_guards,
                              .n_main = reader->n_main,
                              .left = part->left,
                              .right = part->right};
    rule.atom = copy(reader, reader->atom, rule.n_atoms, sizeof *rule.atom);
    rule.build = copy(reader, reader->build, rule.n_builds, sizeof *rule.build);
    rule.guard = copy(reader, reader->guard, rule.n_guards, sizeof *rule.guard);
    return rule;
}

static void emit(struct plain_reader *reader, const struct rule_part *part)
{
    struct plain_rule rule = rule_of(reader, part);
    plain_plan(reader->rules, reader->graph, &rule);
    vec_push(&reader->rules->rule, rule);
}

// The terms that conditions ask for must be there to be compared.
static bool emit_asked(struct plain_reader *reader)
{
    uint32_t n = reader->n_atoms, guards = reader->n_guards;
    if (n == reader->n_main)
        return true;
    if (2 * n - reader->n_main > EGRAPH_PLAIN_ATOMS)
        return plain_text_fail(&reader->text, reader->text.at, "a side of more than %d nodes",
                               EGRAPH_PLAIN_ATOMS);
    // Inner nodes come later among atoms, and first among builds.
    for (uint32_t i = n; i-- > reader->n_main;) {
        const struct plain_atom *atom = &reader->atom[i];
        reader->build[n - 1 - i] = (struct plain_build){atom->op, atom->n, atom->cls, atom->arg};
    }
    struct rule_part part = {CC_NONE, CC_NONE, n - reader->n_main};
    // Both terms are built apart: their classes need not be one yet.
    for (uint32_t i = 0; i < part.n_builds; i++) {
        uint32_t *out = &reader->build[i].out;
        bool taken = reader->var[*out].at != NULL;
        for (uint32_t k = 0; k < i; k++)
            taken |= reader->atom[n - 1 - k].cls == *out;
        if (taken && !plain_reader_new_variable(reader, NULL, 0, BY_BUILD, out))
            return false;
    }
    reader->n_atoms = reader->n_main;
    reader->n_guards = 0;
    emit(reader, &part);
    reader->n_atoms = n;
    reader->n_guards = guards;
    return true;
}

// A right side and its conditions, for matches that fail those of the `unless`
// right sides before.
static bool right_side(struct plain_reader *reader, uint32_t unless, bool *conditions)
{
    struct rule_part part[EGRAPH_PLAIN_ATOMS];
    uint32_t n = 0, before = reader->n_guards;
    reader->n_builds = 0;
    do {
        if (n == EGRAPH_PLAIN_ATOMS)
            return plain_text_fail(&reader->text, reader->text.at, "too many patterns");
        if (!right_part(reader, &part[n++]))
            return false;
    } while (plain_text_keyword(&reader->text, "and"));
    *conditions = plain_text_keyword(&reader->text, "if");
    if (*conditions)
        do
            if (!plain_reader_condition(reader))
                return false;
        while (plain_text_keyword(&reader->text, "and"));
    uint32_t own = reader->n_guards;
    if (!plain_reader_fresh(reader))
        return false;
    // The journal names nodes that were matched or built.
    for (uint32_t i = 0; i < n; i++)
        if (part[i].right != CC_NONE && reader->var[part[i].right].at != NULL &&
            reader->var[part[i].right].bound != BY_LEFT &&
            reader->var[part[i].right].bound != BY_BUILD)
            return plain_text_fail(&reader->text, reader->text.at,
                                   "a right side that is only what is computed");
    if (reader->atom[0].op == ATOM_ANY && (reader->n_atoms > 1 || own > before))
        return plain_text_fail(&reader->text, reader->text.at,
                               "conditions on a variable that matches everything");
    bool joins = false;
    for (uint32_t i = 0; i < n; i++)
        joins |= part[i].left != CC_NONE;
    for (uint32_t i = 0; i < n; i++)
        if (part[i].left != CC_NONE || (!joins && i + 1 == n))
            emit(reader, &part[i]);
    reader->n_guards = own;
    for (uint32_t i = before; i < own; i++) {
        reader->guard[i].unless = unless + 1;
        if (reader->guard[i].out != CC_NONE)
            *conditions = false;
    }
    return emit_asked(reader);
}

static bool right_sides(struct plain_reader *reader)
{
    uint32_t vars = reader->n_vars, unless = 0;
    for (;;) {
        bool conditions = false;
        if (!right_side(reader, unless++, &conditions))
            return false;
        const char *at = reader->text.at;
        if (!plain_text_keyword(&reader->text, "else"))
            return true;
        if (!conditions || reader->n_atoms > reader->n_main)
            return plain_text_fail(&reader->text, at,
                                   "nothing that `else` could be the other case of");
        reader->n_vars = vars;
    }
}

static bool rule_line(struct plain_reader *reader)
{
    const char *text = reader->text.at, *colon = text;
    reader->n_vars = reader->n_atoms = reader->n_main = reader->n_builds = reader->n_guards = 0;
    while (!plain_text_end(*colon) && !(colon[0] == ':' && strchr(" \t", colon[1])))
        colon++;
    if (plain_text_end(*colon) || colon == text || colon[1] == 0)
        return plain_text_fail(&reader->text, text, "expected `name: left => right`");
    reader->rule_name = arena_strndup(&reader->rules->mem, text, (size_t)(colon - text));
    reader->rule_line = reader->text.line;
    reader->text.at = colon + 1;
    if (strcmp(reader->rule_name, "analysis") == 0) {
        uint32_t len;
        if (reader->rules->analysis != NULL)
            return plain_text_fail(&reader->text, text, "a second analysis");
        text = plain_text_word(&reader->text, &len);
        reader->rules->analysis = arena_strndup(&reader->rules->mem, text, len);
    } else if (strcmp(reader->rule_name, "ac") == 0) {
        uint32_t len;
        while (text = plain_text_word(&reader->text, &len), len > 0)
            plain_ac(reader->rules, reader->graph, text, len);
    } else {
        if (!left_side(reader))
            return false;
        if (!plain_text_keyword(&reader->text, "=>"))
            return plain_text_fail(&reader->text, reader->text.at, "expected =>");
        if (!right_sides(reader))
            return false;
    }
    plain_text_spaces(&reader->text);
    return plain_text_at_end(&reader->text) ||
           plain_text_fail(&reader->text, reader->text.at, "unexpected text behind the rule");
}

static void reader_init(struct plain_reader *reader, struct plain_rules *rules, struct cc *graph,
                        const char *file, const char *text, struct err *err)
{
    memset(reader, 0, sizeof *reader);
    reader->text = plain_text_at(file, text, 1, err);
    reader->rules = rules;
    reader->graph = graph;
}

bool plain_read(struct plain_rules *rules, struct cc *graph, const char *file, const char *text,
                const struct guard_name *guards, struct err *err)
{
    struct plain_reader reader;
    reader_init(&reader, rules, graph, file, text, err);
    reader.guards = guards;
    for (; *reader.text.at != 0; plain_text_next_line(&reader.text)) {
        plain_text_spaces(&reader.text);
        if (*reader.text.at != '#' && !plain_text_at_end(&reader.text) && !rule_line(&reader))
            return false;
    }
    return true;
}

void plain_ac(struct plain_rules *rules, struct cc *graph, const char *name, uint32_t len)
{
    vec_push(&rules->ac, plain_op(rules, graph, name, len, 2));
}

bool plain_pattern(struct plain_rules *rules, struct cc *graph, const char *file, const char *text,
                   struct plain_rule *out, struct err *err)
{
    struct plain_reader reader;
    reader_init(&reader, rules, graph, file, text, err);
    plain_text_blank(&reader.text);
    if (!left_side(&reader))
        return false;
    plain_text_blank(&reader.text);
    if (*reader.text.at != 0)
        return plain_text_fail(&reader.text, reader.text.at, "expected one pattern");
    struct rule_part none = {reader.left, reader.left, 0};
    *out = rule_of(&reader, &none);
    plain_plan(rules, graph, out);
    return true;
}
