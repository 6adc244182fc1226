// SPDX-License-Identifier: Apache-2.0
// The report of a counterexample: a JSON object, with one line of text for people.
#include "verify/counterexample/json.h"
#include <inttypes.h>
#include <math.h>

json_t *cex_element_json(enum elem elem, struct scalar scalar)
{
    char text[64];
    if (elem_kind(elem) == KIND_BOOL)
        return json_boolean(scalar.bits & 1);
    if (elem_is_ideal(elem)) {
        if (scalar.den == 0)
            return json_string(scalar.num > 0 ? "inf" : "-inf");
        if (scalar.den == 1)
            return json_integer(scalar.num);
        snprintf(text, sizeof text, "%" PRId64 "/%" PRId64, scalar.num, scalar.den);
        return json_string(text);
    }
    if (elem_kind(elem) == KIND_FLOAT) {
        double x = scalar_to_double(elem, scalar);
        if (isnan(x))
            return json_string("nan");
        if (isinf(x))
            return json_string(x > 0 ? "inf" : "-inf");
        if (x == 0 && signbit(x))
            return json_string("-0");
        return fabs(x) < 1e9 && floor(x) == x ? json_integer((json_int_t)x) : json_real(x);
    }
    if (elem_kind(elem) == KIND_UINT && scalar.bits > INT64_MAX) {
        snprintf(text, sizeof text, "%" PRIu64, scalar.bits);
        return json_string(text);
    }
    return json_integer((json_int_t)scalar.bits);
}

static void element_text(enum elem elem, struct scalar scalar, struct buf *out)
{
    char text[48];
    json_t *j = cex_element_json(elem, scalar);
    if (json_is_real(j)) {
        for (int digits = 1; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, json_real_value(j));
            if (scalar_same(elem, scalar_of_double(elem, strtod(text, NULL)), scalar))
                break;
        }
        buf_puts(out, text);
    } else if (json_is_string(j)) {
        buf_puts(out, json_string_value(j));
    } else if (json_is_boolean(j)) {
        buf_puts(out, json_is_true(j) ? "true" : "false");
    } else {
        buf_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(j));
    }
    json_decref(j);
}

const char *cex_type_name(const struct rule *rule, uint32_t type, char *to)
{
    if (rule->types[type].name != NULL && rule->types[type].name[0] != '\0')
        return rule->types[type].name;
    snprintf(to, 16, "#%u", type);
    return to;
}

void cex_op_text(const struct cex_op *op, struct buf *out)
{
    buf_puts(out, op_name(op->op));
    if (op->op == OP_COMPARE)
        buf_printf(out, " %s %s", compare_dir_text(op->dir), compare_type_text(op->ct));
}

static const char *failure_text(enum cex_failure failure)
{
    return failure == CEX_ELEMENTS ? "elements"
           : failure == CEX_SHAPE  ? "shape"
                                   : "right side invalid";
}

// Row-major position as indices along the dimensions.
static void unravel(const struct cex_outcome *outcome, int64_t *index)
{
    int64_t left = outcome->index;
    for (uint32_t i = outcome->rank; i-- > 0;) {
        index[i] = left % outcome->dims[i];
        left /= outcome->dims[i];
    }
}

json_t *cex_outcome_json(const struct cex_outcome *outcome)
{
    json_t *j = json_object();
    json_object_set_new(j, "failure", json_string(failure_text(outcome->failure)));
    if (outcome->failure != CEX_ELEMENTS) {
        json_object_set_new(j, "lhs", json_string(outcome->text_lhs));
        json_object_set_new(j, "rhs", json_string(outcome->text_rhs));
        return j;
    }
    int64_t index[TENSOR_MAX_RANK];
    json_t *list = json_array();
    unravel(outcome, index);
    for (uint32_t i = 0; i < outcome->rank; i++)
        json_array_append_new(list, json_integer(index[i]));
    json_object_set_new(j, "index", list);
    json_object_set_new(j, "lhs", cex_element_json(outcome->elem, outcome->lhs));
    json_object_set_new(j, "rhs", cex_element_json(outcome->elem, outcome->rhs));
    return j;
}

// [1,2] or [[1],[2]]: the elements nested by dimensions.
static void nested(const struct cex_evaluator *cex_evaluator, uint32_t param,
                   const struct cex_values *values, uint32_t dim, uint64_t *at, struct buf *out)
{
    type_id type = cex_evaluator->types[param];
    if (dim == type_rank(&cex_evaluator->pool, type)) {
        element_text(type_elem(&cex_evaluator->pool, type), values->at[(*at)++], out);
        return;
    }
    buf_putc(out, '[');
    int64_t n = type_dims(&cex_evaluator->pool, type)[dim];
    for (int64_t i = 0; i < n && (values->count > 0 || i == 0); i++) {
        if (i > 0)
            buf_putc(out, ',');
        nested(cex_evaluator, param, values, dim + 1, at, out);
    }
    buf_putc(out, ']');
}

static void maps_text(const struct rule *rule, const struct cex_case *candidate, uint32_t cls,
                      struct buf *out)
{
    const char *before = ": ";
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        if (rule->maps[m].cls != cls || rule->maps[m].def != NULL || candidate->rank[cls] == 0)
            continue;
        buf_printf(out, "%s%s=%s", before, rule->maps[m].name, candidate->rank[cls] > 1 ? "[" : "");
        for (uint32_t i = 0; i < candidate->rank[cls]; i++)
            buf_printf(out, "%s%" PRId64, i > 0 ? "," : "", candidate->map[m][i]);
        buf_puts(out, candidate->rank[cls] > 1 ? "]" : "");
        before = " ";
    }
}

static const char *param_name(const struct rule *rule, uint32_t i)
{
    return i < rule->n_tensors ? rule->tensors[i].name : rule->scalars[i - rule->n_tensors].name;
}

// A number that every type has and that no type rounds or wraps soon.
static bool is_ordinary(enum elem elem, struct scalar scalar)
{
    if (elem_kind(elem) == KIND_BOOL || elem_is_ideal(elem))
        return true;
    double x = scalar_to_double(elem, scalar);
    return fabs(x) <= VERIFY_CEX_ORDINARY && floor(x) == x && !(x == 0 && signbit(x));
}

static bool is_usual(enum elem elem)
{
    return elem_kind(elem) == KIND_BOOL || elem_is_ideal(elem) || elem == ELEM_I8 ||
           elem == ELEM_F32;
}

static bool has_operand(const struct rule *rule, uint32_t type)
{
    bool found = false;
    for (uint32_t i = 0; i < rule->n_tensors && !found; i++)
        found = rule->tensors[i].type == type;
    for (uint32_t i = 0; i < rule->n_scalars && !found; i++)
        found = rule->scalars[i].type == type;
    return found;
}

// The pattern that shows a type variable which no operand has: an iota or a number.  NONE if
// there is none.
static uint32_t only_shown_by(const struct rule *rule, uint32_t type)
{
    for (uint32_t i = 0; i < rule->n_pats && !has_operand(rule, type); i++)
        if (rule->pats[i].type == type &&
            (rule->pats[i].kind == PAT_LITERAL ||
             (rule->pats[i].kind == PAT_OP && rule->pats[i].op == OP_IOTA)))
            return i;
    return NONE;
}

// Do the element types say no more than the domain does?
static bool types_are_plain(const struct cex_evaluator *evaluator, const struct cex_case *candidate,
                            const struct cex_outcome *outcome)
{
    const struct rule *rule = evaluator->rule;
    bool elements = outcome->failure == CEX_ELEMENTS;
    bool plain =
        !candidate->approximate &&
        (!elements || (is_usual(outcome->elem) && is_ordinary(outcome->elem, outcome->lhs) &&
                       is_ordinary(outcome->elem, outcome->rhs)));
    for (uint32_t i = 0; i < rule->n_types; i++)
        plain = plain && is_usual(candidate->elem[i]) &&
                (elem_is_ideal(candidate->elem[i]) || only_shown_by(rule, i) == NONE);
    for (uint32_t i = 0; elements && i < evaluator->n_params; i++)
        for (uint64_t k = 0; k < candidate->param[i].count; k++)
            plain = plain && is_ordinary(type_elem(&evaluator->pool, evaluator->types[i]),
                                         candidate->param[i].at[k]);
    return plain;
}

// The types that no operand shows: "iota : i8; constant : f32; T : i16; ".
static void other_types(const struct rule *rule, const struct cex_case *candidate, struct buf *out)
{
    for (uint32_t i = 0; i < rule->n_types; i++) {
        uint32_t by = only_shown_by(rule, i);
        const char *name = rule->types[i].name;
        if (has_operand(rule, i) || rule->types[i].kinds == KIND_BOOL)
            continue;
        if (by != NONE)
            name = rule->pats[by].kind == PAT_OP ? op_name(rule->pats[by].op) : "constant";
        else if (name == NULL || name[0] == '\0')
            name = "result of convert";
        buf_printf(out, "%s : %s; ", name, elem_text(candidate->elem[i]));
    }
}

static void shape_text(const struct cex_evaluator *evaluator, term_id side, struct buf *out)
{
    type_id type = term_type(&evaluator->terms, side);
    buf_puts(out, "of shape [");
    for (uint32_t i = 0; i < type_rank(&evaluator->pool, type); i++)
        buf_printf(out, "%s%" PRId64, i > 0 ? "," : "", type_dims(&evaluator->pool, type)[i]);
    buf_putc(out, ']');
}

static void sides_text(const struct cex_evaluator *evaluator, const struct cex_outcome *outcome,
                       bool plain, struct buf *out)
{
    const struct pool *pool = &evaluator->pool;
    const struct terms *terms = &evaluator->terms;
    bool both = outcome->failure == CEX_SHAPE;
    if (!plain || (both && type_elem(pool, term_type(terms, evaluator->lhs)) !=
                               type_elem(pool, term_type(terms, evaluator->rhs)))) {
        buf_printf(out, "left %s, right %s", outcome->text_lhs, outcome->text_rhs);
        return;
    }
    buf_puts(out, "left ");
    shape_text(evaluator, evaluator->lhs, out);
    buf_puts(out, ", right ");
    if (both)
        shape_text(evaluator, evaluator->rhs, out);
    else
        buf_puts(out, outcome->text_rhs);
}

static void one_line(const struct cex_evaluator *cex_evaluator, const struct cex_case *candidate,
                     const struct cex_outcome *outcome, struct buf *out)
{
    const struct rule *rule = cex_evaluator->rule;
    bool plain = types_are_plain(cex_evaluator, candidate, outcome);
    for (uint32_t k = 0; k < rule->n_classes; k++) {
        buf_printf(out, "%s rank %u", rule->classes[k].name, candidate->rank[k]);
        maps_text(rule, candidate, k, out);
        buf_puts(out, "; ");
    }
    if (cex_has_index(rule))
        buf_printf(out, "indices are %s; ", elem_text(candidate->index_elem));
    for (uint32_t i = 0; i < rule->n_opvars; i++) {
        buf_printf(out, "%s is ", rule->opvars[i].name);
        cex_op_text(&candidate->op[i], out);
        buf_puts(out, "; ");
    }
    if (!plain)
        other_types(rule, candidate, out);
    for (uint32_t i = 0; outcome->failure == CEX_ELEMENTS && i < cex_evaluator->n_params; i++) {
        uint64_t at = 0;
        buf_printf(out, "%s=", param_name(rule, i));
        nested(cex_evaluator, i, &candidate->param[i], 0, &at, out);
        if (!plain)
            buf_printf(out, " %s",
                       elem_text(type_elem(&cex_evaluator->pool, cex_evaluator->types[i])));
        buf_puts(out, "; ");
    }
    if (outcome->failure != CEX_ELEMENTS) {
        sides_text(cex_evaluator, outcome, plain, out);
        return;
    }
    int64_t index[TENSOR_MAX_RANK];
    unravel(outcome, index);
    buf_puts(out, "at [");
    for (uint32_t i = 0; i < outcome->rank; i++)
        buf_printf(out, "%s%" PRId64, i > 0 ? "," : "", index[i]);
    buf_puts(out, "]: left ");
    element_text(outcome->elem, outcome->lhs, out);
    buf_puts(out, ", right ");
    element_text(outcome->elem, outcome->rhs, out);
    for (uint32_t i = 0; i < outcome->n_rounded; i++)
        buf_printf(out, "%s%s", i == 0 ? " with correctly rounded " : ", ",
                   op_name(outcome->rounded[i]));
    if (outcome->ordered)
        buf_puts(out, ", sums taken in row-major order");
}

static json_t *maps_json(const struct rule *rule, const struct cex_case *candidate)
{
    json_t *maps = json_object();
    for (uint32_t m = 0; m < rule->n_maps; m++) {
        if (rule->maps[m].def != NULL)
            continue;
        json_t *list = json_array();
        for (uint32_t i = 0; i < candidate->rank[rule->maps[m].cls]; i++)
            json_array_append_new(list, json_integer(candidate->map[m][i]));
        json_object_set_new(maps, rule->maps[m].name, list);
    }
    return maps;
}

static void params_json(const struct cex_evaluator *cex_evaluator, const struct cex_case *candidate,
                        json_t *root)
{
    const struct rule *rule = cex_evaluator->rule;
    json_t *tensors = json_object(), *scalars = json_object();
    struct buf type = {0};
    for (uint32_t i = 0; i < cex_evaluator->n_params; i++) {
        enum elem elem = type_elem(&cex_evaluator->pool, cex_evaluator->types[i]);
        if (i >= rule->n_tensors) {
            json_object_set_new(scalars, param_name(rule, i),
                                cex_element_json(elem, candidate->param[i].at[0]));
            continue;
        }
        json_t *one = json_object(), *data = json_array();
        for (uint64_t k = 0; k < candidate->param[i].count; k++)
            json_array_append_new(data, cex_element_json(elem, candidate->param[i].at[k]));
        buf_clear(&type);
        type_print(&cex_evaluator->pool, cex_evaluator->types[i], &type);
        json_object_set_new(one, "type", json_string(buf_text(&type)));
        json_object_set_new(one, "data", data);
        json_object_set_new(tensors, param_name(rule, i), one);
    }
    buf_release(&type);
    json_object_set_new(root, "tensors", tensors);
    json_object_set_new(root, "scalars", scalars);
}

static json_t *ops_json(const struct rule *rule, const struct cex_case *candidate)
{
    json_t *ops = json_object();
    for (uint32_t i = 0; i < rule->n_opvars; i++) {
        struct buf buf = {0};
        cex_op_text(&candidate->op[i], &buf);
        json_object_set_new(ops, rule->opvars[i].name, json_string(buf_text(&buf)));
        buf_release(&buf);
    }
    return ops;
}

char *cex_json(const struct cex_evaluator *cex_evaluator, const struct cex_case *candidate,
               const struct cex_outcome *o, struct arena *mem)
{
    const struct rule *rule = cex_evaluator->rule;
    json_t *root = json_object(), *ranks = json_object();
    json_t *types = json_object(), *outcome = cex_outcome_json(o);
    char name[16];
    for (uint32_t k = 0; k < rule->n_classes; k++)
        json_object_set_new(ranks, rule->classes[k].name, json_integer(candidate->rank[k]));
    for (uint32_t i = 0; i < rule->n_types; i++)
        json_object_set_new(types, cex_type_name(rule, i, name),
                            json_string(elem_text(candidate->elem[i])));
    json_object_set_new(root, "domain", json_string(domain_text(candidate->domain)));
    if (candidate->approximate)
        json_object_set_new(root, "approximate", json_true());
    json_object_set_new(root, "ranks", ranks);
    json_object_set_new(root, "maps", maps_json(rule, candidate));
    if (cex_has_index(rule))
        json_object_set_new(root, "index_type", json_string(elem_text(candidate->index_elem)));
    json_object_set_new(root, "types", types);
    if (rule->n_opvars > 0)
        json_object_set_new(root, "ops", ops_json(rule, candidate));
    params_json(cex_evaluator, candidate, root);
    json_object_update(root, outcome);
    json_decref(outcome);
    struct buf line = {0};
    one_line(cex_evaluator, candidate, o, &line);
    json_object_set_new(root, "text", json_string(buf_text(&line)));
    buf_release(&line);
    char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(root);
    char *out = arena_strdup(mem, text != NULL ? text : "");
    free(text);
    return out;
}
