// SPDX-License-Identifier: Apache-2.0
// Reads a counterexample back and tries it again.  Uses nothing but the text: a missing
// part, or one that the rule does not allow, is an error.
#include "verify/counterexample/json.h"
#include "verify/counterexample/order.h"
#include "tensor/eval/eval.h"
#include "verify/limits.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>

static bool parse_text(enum elem elem, const char *text, struct scalar *out)
{
    char *end = NULL;
    errno = 0;
    if (elem_kind(elem) == KIND_FLOAT && !strcmp(text, "inf"))
        *out = scalar_highest(elem);
    else if (elem_kind(elem) == KIND_FLOAT && !strcmp(text, "-inf"))
        *out = scalar_lowest(elem);
    else if (elem_is_ideal(elem) && !strcmp(text, "inf"))
        *out = scalar_highest(elem);
    else if (elem_is_ideal(elem) && !strcmp(text, "-inf"))
        *out = scalar_lowest(elem);
    else if (elem == ELEM_REAL) {
        long long num = strtoll(text, &end, 10);
        if (end == text || *end != '/' || errno != 0)
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
        *out = (struct scalar){.num = num, .den = den};
        return a == 1 || a == -1;
    } else if (elem_kind(elem) == KIND_FLOAT && !elem_is_ideal(elem)) {
        if (strcmp(text, "nan") != 0 && strcmp(text, "-0") != 0)
            return false;
        *out = scalar_of_double(elem, text[0] == 'n' ? (double)NAN : -0.0);
    } else if (elem_kind(elem) == KIND_UINT) {
        unsigned long long x = strtoull(text, &end, 10);
        if (end == text || *end != '\0' || errno != 0 || text[0] == '-')
            return false;
        *out = (struct scalar){.bits = x};
        return elem == ELEM_UI64;
    } else {
        return false;
    }
    return true;
}

bool cex_element_parse(enum elem elem, const json_t *json, struct scalar *out)
{
    if (json_is_boolean(json)) {
        *out = scalar_of_int(ELEM_I1, json_is_true(json));
        return elem_kind(elem) == KIND_BOOL;
    }
    if (elem_kind(elem) == KIND_BOOL)
        return false;
    if (json_is_string(json))
        return parse_text(elem, json_string_value(json), out);
    if (json_is_real(json) && elem_kind(elem) == KIND_FLOAT && !elem_is_ideal(elem)) {
        *out = scalar_of_double(elem, json_real_value(json));
        return scalar_to_double(elem, *out) == json_real_value(json);
    }
    if (!json_is_integer(json))
        return false;
    json_int_t x = json_integer_value(json);
    *out = scalar_of_int(elem, x);
    if (elem_kind(elem) == KIND_FLOAT && !elem_is_ideal(elem))
        return scalar_to_double(elem, *out) == (double)x;
    if (elem_is_ideal(elem))
        return true;
    return (int64_t)out->bits == x && (elem_kind(elem) == KIND_SINT || x >= 0);
}

static bool bad(struct err *err, const char *what, const char *name)
{
    return err_set(err, ERR_INPUT, "counterexample: %s %s", what, name);
}

static bool parse_ranks(const struct rule *rule, const json_t *json, struct cex_case *candidate,
                        struct err *err)
{
    for (uint32_t k = 0; k < rule->n_classes; k++) {
        const struct axis_class *cls = &rule->classes[k];
        json_t *v = json_object_get(json, cls->name);
        json_int_t n = json_is_integer(v) ? json_integer_value(v) : -1;
        if (n < (json_int_t)cls->least_rank || n > VERIFY_CEX_REPLAY_RANK ||
            (cls->single && n != 1))
            return bad(err, "impossible rank of class", cls->name);
        candidate->rank[k] = (uint32_t)n;
        if (candidate->rank[k] != candidate->rank[cls->like] && cls->like < k)
            return bad(err, "expected the rank of its partner for class", cls->name);
    }
    return true;
}

static bool parse_maps(const struct rule *rule, const json_t *json, struct cex_case *candidate,
                       struct arena *mem, struct err *err)
{
    cex_case_maps(rule, candidate, mem);
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        json_t *list = json_object_get(json, rule->maps[m].name);
        if (rule->maps[m].def != NULL)
            continue;
        if (!json_is_array(list) || json_array_size(list) != candidate->rank[rule->maps[m].cls])
            return bad(err, "expected an array of values for map", rule->maps[m].name);
        for (uint32_t i = 0; i < candidate->rank[rule->maps[m].cls]; i++) {
            json_t *v = json_array_get(list, i);
            if (!json_is_integer(v))
                return bad(err, "expected integers in map", rule->maps[m].name);
            candidate->map[m][i] = json_integer_value(v);
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
               ? n == 3 && compare_dir_by_text(dir, &op->dir) && compare_type_by_text(type, &op->ct)
               : n == 1;
}

static bool parse_index_type(const struct rule *rule, const json_t *root,
                             struct cex_case *candidate, struct err *err)
{
    if (!cex_has_index(rule))
        return true;
    const char *text = json_string_value(json_object_get(root, "index_type"));
    return (text != NULL && elem_by_text(text, strlen(text), &candidate->index_elem) &&
            !elem_is_ideal(candidate->index_elem) &&
            elem_kind(candidate->index_elem) & (KIND_SINT | KIND_UINT)) ||
           bad(err, "impossible element type of", "the indices");
}

static bool parse_types(const struct rule *rule, const json_t *root,
                        struct cex_evaluator *cex_evaluator, struct cex_case *candidate,
                        struct err *err)
{
    char name[16];
    if (!parse_index_type(rule, root, candidate, err))
        return false;
    for (uint32_t i = 0; i < rule->n_types; i++) {
        const char *key = cex_type_name(rule, i, name);
        const char *text = json_string_value(json_object_get(json_object_get(root, "types"), key));
        if (text == NULL || !elem_by_text(text, strlen(text), &candidate->elem[i]) ||
            !cex_elem_fits(rule, i, candidate->domain, candidate->approximate, candidate->elem[i]))
            return bad(err, "impossible element type of", key);
    }
    for (uint32_t i = 0; i < rule->n_opvars; i++) {
        const char *string =
            json_string_value(json_object_get(json_object_get(root, "ops"), rule->opvars[i].name));
        if (string == NULL || !parse_op(string, &candidate->op[i]) ||
            !cex_op_fits(rule, cex_evaluator, candidate, i, &candidate->op[i]))
            return bad(err, "impossible operator for", rule->opvars[i].name);
    }
    return true;
}

static bool parse_params(const struct rule *rule, const json_t *root,
                         const struct cex_evaluator *cex_evaluator, struct cex_case *candidate,
                         struct err *err)
{
    for (uint32_t i = 0; i < cex_evaluator->n_params; i++) {
        bool tensor = i < rule->n_tensors;
        const char *name = tensor ? rule->tensors[i].name : rule->scalars[i - rule->n_tensors].name;
        const json_t *json =
            json_object_get(json_object_get(root, tensor ? "tensors" : "scalars"), name);
        enum elem elem = type_elem(&cex_evaluator->pool, cex_evaluator->types[i]);
        if (!tensor) {
            if (!cex_element_parse(elem, json, &candidate->param[i].at[0]))
                return bad(err, "impossible or missing value of scalar", name);
            continue;
        }
        const json_t *data = json_object_get(json, "data");
        if (!json_is_array(data) || json_array_size(data) != candidate->param[i].count)
            return bad(err, "expected as many elements as the shape has in", name);
        for (uint64_t k = 0; k < candidate->param[i].count; k++)
            if (!cex_element_parse(elem, json_array_get(data, k), &candidate->param[i].at[k]))
                return bad(err, "impossible element in", name);
    }
    return true;
}

static bool confirm(const json_t *root, const struct cex_outcome *outcome, struct err *err)
{
    static const char *const keys[] = {"failure", "index", "lhs", "rhs"};
    json_t *seen = cex_outcome_json(outcome);
    bool same = true;
    for (uint32_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        json_t *json = json_object_get(seen, keys[i]);
        json_t *b = json_object_get(root, keys[i]);
        same = same && (json == b || json_equal(json, b));
    }
    json_decref(seen);
    return same || err_set(err, ERR_CHECK,
                           "counterexample: both sides were evaluated again "
                           "and differ in another way than the text says");
}

// Sets the case and grounds it.
static bool read_case(const struct rule *rule, const json_t *root,
                      struct cex_evaluator *cex_evaluator, struct cex_case *candidate,
                      struct arena *mem, struct err *err)
{
    if (!parse_ranks(rule, json_object_get(root, "ranks"), candidate, err) ||
        !parse_maps(rule, json_object_get(root, "maps"), candidate, mem, err) ||
        !parse_types(rule, root, cex_evaluator, candidate, err))
        return false;
    if (!cex_evaluator_ground(cex_evaluator, candidate, mem))
        return err_set(err, ERR_CHECK,
                       "counterexample: a precondition does not hold or the "
                       "left side is not well-defined");
    return parse_params(rule, root, cex_evaluator, candidate, err);
}

static bool replay(const struct rule *rule, const json_t *root, struct cex_evaluator *cex_evaluator,
                   struct cex_case *candidate, struct arena *mem, struct err *err)
{
    struct cex_outcome outcome;
    if (!read_case(rule, root, cex_evaluator, candidate, mem, err))
        return false;
    enum cex_failure failure = cex_evaluator_run(cex_evaluator, candidate, &outcome);
    if (failure == CEX_NONE || failure == CEX_DISCARD)
        return err_set(err, ERR_CHECK, "counterexample: evaluated again, %s",
                       failure == CEX_NONE ? "both sides agree" : "the instance decides nothing");
    return confirm(root, &outcome, err);
}

bool cex_hint_of(const struct rule *rule, const char *json, struct arena *mem, struct cex_hint *out)
{
    json_error_t error;
    json_t *root = json_loads(json, 0, &error);
    struct cex_case *candidate = cex_case_new(rule, mem);
    struct err err = {0};
    bool ok =
        json_is_object(root) && parse_ranks(rule, json_object_get(root, "ranks"), candidate, &err);
    ok = ok && parse_maps(rule, json_object_get(root, "maps"), candidate, mem, &err) &&
         parse_index_type(rule, root, candidate, &err);
    *out = (struct cex_hint){candidate->rank, candidate->map, candidate->index_elem};
    json_decref(root);
    return ok;
}

bool cex_replay(const struct rule *rule, enum domain d, const char *json, struct err *err)
{
    json_error_t error;
    json_t *root = json_loads(json, 0, &error);
    if (!json_is_object(root)) {
        json_decref(root);
        return err_set(err, ERR_INPUT, "counterexample: %s",
                       root == NULL ? error.text : "no JSON object");
    }
    const char *domain = json_string_value(json_object_get(root, "domain"));
    struct arena mem = {0};
    struct cex_evaluator evaluator;
    struct cex_case *candidate = cex_case_new(rule, &mem);
    candidate->domain = d;
    candidate->approximate = json_is_true(json_object_get(root, "approximate"));
    cex_evaluator_init(&evaluator, rule);
    bool ok =
        domain != NULL && !strcmp(domain, domain_text(d))
            ? replay(rule, root, &evaluator, candidate, &mem, err)
            : err_set(err, ERR_CHECK, "counterexample: expected one for domain %s", domain_text(d));
    cex_evaluator_release(&evaluator);
    arena_release(&mem);
    json_decref(root);
    return ok;
}

// A counterexample that was read, and grounded.
struct reading {
    struct arena mem;
    struct cex_evaluator evaluator;
    struct cex_case *candidate;
};

static bool reading_open(struct reading *reading, const struct rule *rule, const char *json)
{
    json_error_t error;
    json_t *root = json_loads(json, 0, &error);
    struct err err = {0};
    enum domain domain = DOMAIN_FLOAT;
    const char *text = json_string_value(json_object_get(root, "domain"));
    *reading = (struct reading){.candidate = NULL};
    reading->candidate = cex_case_new(rule, &reading->mem);
    cex_evaluator_init(&reading->evaluator, rule);
    bool ok = text != NULL && domain_by_text(text, &domain);
    reading->candidate->domain = domain;
    reading->candidate->approximate = json_is_true(json_object_get(root, "approximate"));
    ok = ok && read_case(rule, root, &reading->evaluator, reading->candidate, &reading->mem, &err);
    json_decref(root);
    return ok;
}

static void reading_close(struct reading *reading)
{
    cex_evaluator_release(&reading->evaluator);
    arena_release(&reading->mem);
}

enum cex_difference cex_plain(const struct rule *rule, const char *json)
{
    struct reading reading;
    struct cex_outcome outcome = {.failure = CEX_DISCARD};
    if (reading_open(&reading, rule, json)) {
        reading.evaluator.plain = true;
        (void)cex_evaluator_run(&reading.evaluator, reading.candidate, &outcome);
    }
    reading_close(&reading);
    if (outcome.failure == CEX_NONE || outcome.failure == CEX_DISCARD)
        return CEX_EXCEPTION;
    return outcome.failure == CEX_ELEMENTS ? CEX_PLAIN_ELEMENT : CEX_OTHER_SIDES;
}

// {"shape": [2, 3], "type": "f32", "data": [..]}, row by row.
static json_t *side_json(const struct pool *pool, const struct value *value)
{
    json_t *shape = json_array(), *data = json_array();
    enum elem elem = type_elem(pool, value->type);
    int64_t n = type_count(pool, value->type);
    for (uint32_t i = 0; i < type_rank(pool, value->type); i++)
        json_array_append_new(shape, json_integer(type_dims(pool, value->type)[i]));
    for (int64_t i = 0; i < n; i++)
        json_array_append_new(data,
                              cex_element_json(elem, scalar_load(elem, value->data, (size_t)i)));
    return json_pack("{s:o, s:s, s:o}", "shape", shape, "type", elem_text(elem), "data", data);
}

// Both sides at the values of the case that was read; the right one only where it has a value.
static json_t *sides_json(struct cex_evaluator *evaluator, struct err *err)
{
    term_id roots[2] = {evaluator->lhs, evaluator->rhs};
    struct value value[2];
    uint32_t n = evaluator->status == GROUND_RHS_INVALID ? 1 : 2;
    struct eval_input input = {&evaluator->terms, evaluator->n_params, evaluator->values,
                               &evaluator->mem};
    if (!eval_terms(&input, n, roots, value, err))
        return NULL;
    json_t *sides = json_object();
    json_object_set_new(sides, "left", side_json(&evaluator->pool, &value[0]));
    if (n > 1)
        json_object_set_new(sides, "right", side_json(&evaluator->pool, &value[1]));
    return sides;
}

bool cex_sides(const struct rule *rule, const char *json, struct buf *out, struct err *err)
{
    struct reading reading;
    struct cex_outcome outcome;
    json_t *sides = NULL;
    bool ok = reading_open(&reading, rule, json);
    if (ok)
        (void)cex_evaluator_run(&reading.evaluator, reading.candidate, &outcome);
    else
        err_set(err, ERR_CHECK, "the counterexample does not belong to the rule");
    sides = ok ? sides_json(&reading.evaluator, err) : NULL;
    char *text = sides ? json_dumps(sides, JSON_COMPACT) : NULL;
    buf_puts(out, text ? text : "");
    free(text);
    json_decref(sides);
    reading_close(&reading);
    return sides != NULL;
}

bool cex_take(const struct rule *rule, const char *json,
              bool (*take)(void *user, const struct cex_terms *at, struct err *err), void *user,
              struct err *err)
{
    struct reading reading;
    struct cex_outcome outcome;
    bool ok = reading_open(&reading, rule, json) ||
              err_set(err, ERR_CHECK, "the counterexample does not belong to the rule");
    const struct cex_evaluator *evaluator = &reading.evaluator;
    if (ok) {
        (void)cex_evaluator_run(&reading.evaluator, reading.candidate, &outcome);
        bool invalid = evaluator->status == GROUND_RHS_INVALID;
        struct cex_terms at = {.terms = &evaluator->terms,
                               .before = evaluator->lhs,
                               .after = invalid ? NO_TERM : evaluator->rhs,
                               .n_params = evaluator->n_params,
                               .types = evaluator->types,
                               .values = evaluator->values,
                               .why = invalid ? evaluator->why.msg : ""};
        ok = take(user, &at, err);
    }
    reading_close(&reading);
    return ok;
}

bool cex_comes_before(const struct rule *rule, const char *json, const char *than)
{
    struct reading reading;
    uint32_t key[2][3] = {{0}};
    bool ok = true;
    for (int i = 0; i < 2; i++) {
        ok = reading_open(&reading, rule, i == 0 ? json : than) && ok;
        key[i][0] = (uint32_t)reading.evaluator.lack;
        for (uint32_t c = 0; c < rule->n_classes; c++)
            if (rule->classes[c].like == c)
                key[i][1] += reading.candidate->rank[c];
        key[i][2] = ok ? cex_case_weight(rule, reading.candidate) : 0;
        reading_close(&reading);
    }
    for (int k = 0; k < 3 && ok; k++)
        if (key[0][k] != key[1][k])
            return key[0][k] < key[1][k];
    return false;
}
