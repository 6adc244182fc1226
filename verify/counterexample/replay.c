// SPDX-License-Identifier: Apache-2.0
// Reads a counterexample back and tries it again.  Nothing of the search is
// used but the text: what is not in it or not allowed by the rule is an error.
#include "verify/counterexample/json.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>

#define MAX_REPLAY_RANK 8

static bool parse_text(enum elem t, const char *s, struct scalar *out)
{
    char *end = NULL;
    errno = 0;
    if (elem_kind(t) == KIND_FLOAT && !strcmp(s, "inf"))
        *out = scalar_highest(t);
    else if (elem_kind(t) == KIND_FLOAT && !strcmp(s, "-inf"))
        *out = scalar_lowest(t);
    else if (elem_is_ideal(t) && !strcmp(s, "inf"))
        *out = scalar_highest(t);
    else if (elem_is_ideal(t) && !strcmp(s, "-inf"))
        *out = scalar_lowest(t);
    else if (t == ELEM_REAL) {
        long long num = strtoll(s, &end, 10);
        if (end == s || *end != '/' || errno != 0)
            return false;
        const char *second = end + 1;
        long long den = strtoll(second, &end, 10);
        if (end == second || *end != '\0' || errno != 0 || den < 2)
            return false;
        long long a = den, b = num;
        while (b != 0) { // lowest terms
            long long rest = a % b;
            a = b;
            b = rest;
        }
        *out = (struct scalar){0, num, den};
        return a == 1 || a == -1;
    } else if (elem_kind(t) == KIND_FLOAT && !elem_is_ideal(t)) {
        if (strcmp(s, "nan") != 0 && strcmp(s, "-0") != 0)
            return false;
        *out = scalar_of_double(t, s[0] == 'n' ? (double)NAN : -0.0);
    } else if (elem_kind(t) == KIND_UINT) {
        unsigned long long x = strtoull(s, &end, 10);
        if (end == s || *end != '\0' || errno != 0 || s[0] == '-')
            return false;
        *out = (struct scalar){.bits = x};
        return t == ELEM_UI64;
    } else {
        return false;
    }
    return true;
}

bool cex_element_parse(enum elem t, const json_t *j, struct scalar *out)
{
    if (json_is_boolean(j)) {
        *out = scalar_of_int(ELEM_I1, json_is_true(j));
        return elem_kind(t) == KIND_BOOL;
    }
    if (elem_kind(t) == KIND_BOOL)
        return false;
    if (json_is_string(j))
        return parse_text(t, json_string_value(j), out);
    if (json_is_real(j) && elem_kind(t) == KIND_FLOAT && !elem_is_ideal(t)) {
        *out = scalar_of_double(t, json_real_value(j));
        return scalar_to_double(t, *out) == json_real_value(j);
    }
    if (!json_is_integer(j))
        return false;
    json_int_t x = json_integer_value(j);
    *out = scalar_of_int(t, x);
    if (elem_kind(t) == KIND_FLOAT && !elem_is_ideal(t))
        return scalar_to_double(t, *out) == (double)x;
    if (elem_is_ideal(t))
        return true;
    return (int64_t)out->bits == x && (elem_kind(t) == KIND_SINT || x >= 0);
}

static bool bad(struct err *e, const char *what, const char *name)
{
    return err_set(e, ERR_INPUT, "counterexample: %s %s", what, name);
}

static bool parse_ranks(const struct rule *r, const json_t *j,
                        struct cex_case *c, struct err *e)
{
    for (uint32_t k = 0; k < r->n_classes; k++) {
        const struct axis_class *a = &r->classes[k];
        json_t *v = json_object_get(j, a->name);
        json_int_t n = json_is_integer(v) ? json_integer_value(v) : -1;
        if (n < (json_int_t)a->least_rank || n > MAX_REPLAY_RANK ||
            (a->single && n != 1))
            return bad(e, "no possible rank of class", a->name);
        c->rank[k] = (uint32_t)n;
        if (c->rank[k] != c->rank[a->like] && a->like < k)
            return bad(e, "another rank than its partner has class", a->name);
    }
    return true;
}

static bool parse_maps(const struct rule *r, const json_t *j,
                       struct cex_case *c, struct arena *mem, struct err *e)
{
    cex_case_maps(r, c, mem);
    for (uint32_t m = 0; m < r->n_maps; m++) {
        json_t *list = json_object_get(j, r->maps[m].name);
        if (r->maps[m].def != NULL)
            continue;
        if (!json_is_array(list) ||
            json_array_size(list) != c->rank[r->maps[m].cls])
            return bad(e, "no values of map", r->maps[m].name);
        for (uint32_t i = 0; i < c->rank[r->maps[m].cls]; i++) {
            json_t *v = json_array_get(list, i);
            if (!json_is_integer(v))
                return bad(e, "no integer in map", r->maps[m].name);
            c->map[m][i] = json_integer_value(v);
        }
    }
    return true;
}

static bool parse_op(const char *text, struct cex_op *op)
{
    char name[64], dir[8], type[16];
    int n = sscanf(text, "%63s %7s %15s", name, dir, type);
    *op = (struct cex_op){0};
    if (n < 1 || !op_by_name(name, &op->op))
        return false;
    return op->op == OP_COMPARE
               ? n == 3 && compare_dir_by_text(dir, &op->dir) &&
                     compare_type_by_text(type, &op->ct)
               : n == 1;
}

static bool parse_index_type(const struct rule *r, const json_t *root,
                             struct cex_case *c, struct err *e)
{
    if (!cex_has_index(r))
        return true;
    const char *s = json_string_value(json_object_get(root, "index_type"));
    return (s != NULL && elem_by_text(s, strlen(s), &c->index_elem) &&
            !elem_is_ideal(c->index_elem) &&
            elem_kind(c->index_elem) & (KIND_SINT | KIND_UINT)) ||
           bad(e, "no possible element type of", "the indices");
}

static bool parse_types(const struct rule *r, const json_t *root,
                        struct cex_evaluator *l, struct cex_case *c, struct err *e)
{
    char name[16];
    if (!parse_index_type(r, root, c, e))
        return false;
    for (uint32_t i = 0; i < r->n_types; i++) {
        const char *key = cex_type_name(r, i, name);
        const char *s = json_string_value(
            json_object_get(json_object_get(root, "types"), key));
        if (s == NULL || !elem_by_text(s, strlen(s), &c->elem[i]) ||
            !cex_elem_fits(r, i, c->domain, c->approximate, c->elem[i]))
            return bad(e, "no possible element type of", key);
    }
    for (uint32_t i = 0; i < r->n_opvars; i++) {
        const char *s = json_string_value(
            json_object_get(json_object_get(root, "ops"), r->opvars[i].name));
        if (s == NULL || !parse_op(s, &c->op[i]) ||
            !cex_op_fits(r, l, c, i, &c->op[i]))
            return bad(e, "no possible operator", r->opvars[i].name);
    }
    return true;
}

static bool parse_params(const struct rule *r, const json_t *root,
                         const struct cex_evaluator *l, struct cex_case *c,
                         struct err *e)
{
    for (uint32_t i = 0; i < l->n_params; i++) {
        bool tensor = i < r->n_tensors;
        const char *name =
            tensor ? r->tensors[i].name : r->scalars[i - r->n_tensors].name;
        const json_t *v = json_object_get(
            json_object_get(root, tensor ? "tensors" : "scalars"), name);
        enum elem t = type_elem(&l->pool, l->types[i]);
        if (!tensor) {
            if (!cex_element_parse(t, v, &c->param[i].at[0]))
                return bad(e, "no value of scalar", name);
            continue;
        }
        const json_t *data = json_object_get(v, "data");
        if (!json_is_array(data) || json_array_size(data) != c->param[i].count)
            return bad(e, "not as many elements as its shape has has", name);
        for (uint64_t k = 0; k < c->param[i].count; k++)
            if (!cex_element_parse(t, json_array_get(data, k),
                                   &c->param[i].at[k]))
                return bad(e, "no possible element in", name);
    }
    return true;
}

static bool confirm(const json_t *root, const struct cex_outcome *o,
                    struct err *e)
{
    static const char *const keys[] = {"failure", "index", "lhs", "rhs"};
    json_t *seen = cex_outcome_json(o);
    bool same = true;
    for (uint32_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *a = json_object_get(seen, keys[i]);
        json_t *b = json_object_get(root, keys[i]);
        same = same && (a == b || json_equal(a, b));
    }
    json_decref(seen);
    return same || err_set(e, ERR_CHECK,
                           "counterexample: both sides were evaluated again "
                           "and differ in another way than it says");
}

static bool replay(const struct rule *r, const json_t *root, struct cex_evaluator *l,
                   struct cex_case *c, struct arena *mem, struct err *e)
{
    struct cex_outcome o;
    if (!parse_ranks(r, json_object_get(root, "ranks"), c, e) ||
        !parse_maps(r, json_object_get(root, "maps"), c, mem, e) ||
        !parse_types(r, root, l, c, e))
        return false;
    if (!cex_evaluator_ground(l, c, mem))
        return err_set(e, ERR_CHECK,
                       "counterexample: a precondition does not hold or the "
                       "left side is not well-defined");
    if (!parse_params(r, root, l, c, e))
        return false;
    enum cex_failure f = cex_evaluator_run(l, c, &o);
    if (f == CEX_NONE || f == CEX_DISCARD)
        return err_set(e, ERR_CHECK, "counterexample: %s when evaluated again",
                       f == CEX_NONE ? "both sides agree"
                                     : "it decides nothing");
    return confirm(root, &o, e);
}

bool cex_hint_of(const struct rule *r, const char *json, struct arena *mem,
                 struct cex_hint *out)
{
    json_error_t error;
    json_t *root = json_loads(json, 0, &error);
    struct cex_case *c = cex_case_new(r, mem);
    struct err e = {0};
    bool ok = json_is_object(root) &&
              parse_ranks(r, json_object_get(root, "ranks"), c, &e);
    ok = ok && parse_maps(r, json_object_get(root, "maps"), c, mem, &e);
    *out = (struct cex_hint){c->rank, c->map};
    json_decref(root);
    return ok;
}

bool cex_replay(const struct rule *r, enum domain d, const char *json,
                struct err *e)
{
    json_error_t error;
    json_t *root = json_loads(json, 0, &error);
    if (!json_is_object(root)) {
        json_decref(root);
        return err_set(e, ERR_INPUT, "counterexample: %s",
                       root == NULL ? error.text : "no JSON object");
    }
    const char *domain = json_string_value(json_object_get(root, "domain"));
    struct arena mem = {0};
    struct cex_evaluator lab;
    struct cex_case *c = cex_case_new(r, &mem);
    c->domain = d;
    c->approximate = json_is_true(json_object_get(root, "approximate"));
    cex_evaluator_init(&lab, r);
    bool ok =
        domain != NULL && !strcmp(domain, domain_text(d))
            ? replay(r, root, &lab, c, &mem, e)
            : err_set(e, ERR_CHECK, "counterexample: it is none for domain %s",
                      domain_text(d));
    cex_evaluator_release(&lab);
    arena_release(&mem);
    json_decref(root);
    return ok;
}
