// SPDX-License-Identifier: Apache-2.0
// The report of a counterexample: an object for machines, with one line of
// text for people.
#include "verify/counterexample/json.h"
#include <inttypes.h>
#include <math.h>

json_t *cex_element_json(enum elem t, struct scalar s)
{
    char text[64];
    if (elem_kind(t) == KIND_BOOL)
        return json_boolean(s.bits & 1);
    if (elem_is_ideal(t)) {
        if (s.den == 0)
            return json_string(s.num > 0 ? "inf" : "-inf");
        if (s.den == 1)
            return json_integer(s.num);
        snprintf(text, sizeof text, "%" PRId64 "/%" PRId64, s.num, s.den);
        return json_string(text);
    }
    if (elem_kind(t) == KIND_FLOAT) {
        double x = scalar_to_double(t, s);
        if (isnan(x))
            return json_string("nan");
        if (isinf(x))
            return json_string(x > 0 ? "inf" : "-inf");
        if (x == 0 && signbit(x))
            return json_string("-0");
        return fabs(x) < 1e9 && floor(x) == x ? json_integer((json_int_t)x)
                                              : json_real(x);
    }
    if (elem_kind(t) == KIND_UINT && s.bits > INT64_MAX) {
        snprintf(text, sizeof text, "%" PRIu64, s.bits);
        return json_string(text);
    }
    return json_integer((json_int_t)s.bits);
}

static void element_text(enum elem t, struct scalar s, struct buf *out)
{
    char text[48];
    json_t *j = cex_element_json(t, s);
    if (json_is_real(j)) {
        for (int digits = 1; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, json_real_value(j));
            if (scalar_same(t, scalar_of_double(t, strtod(text, NULL)), s))
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

const char *cex_type_name(const struct rule *r, uint32_t type, char *to)
{
    if (r->types[type].name != NULL && r->types[type].name[0] != '\0')
        return r->types[type].name;
    snprintf(to, 16, "#%u", type);
    return to;
}

void cex_op_text(const struct cex_op *op, struct buf *out)
{
    buf_puts(out, op_name(op->op));
    if (op->op == OP_COMPARE)
        buf_printf(out, " %s %s", compare_dir_text(op->dir),
                   compare_type_text(op->ct));
}

static const char *failure_text(enum cex_failure f)
{
    return f == CEX_ELEMENTS ? "elements"
           : f == CEX_SHAPE  ? "shape"
                             : "right side invalid";
}

// Row-major position as indices along the dimensions.
static void unravel(const struct cex_outcome *o, int64_t *index)
{
    int64_t left = o->index;
    for (uint32_t i = o->rank; i-- > 0;) {
        index[i] = left % o->dims[i];
        left /= o->dims[i];
    }
}

json_t *cex_outcome_json(const struct cex_outcome *o)
{
    json_t *j = json_object();
    json_object_set_new(j, "failure", json_string(failure_text(o->failure)));
    if (o->failure != CEX_ELEMENTS) {
        json_object_set_new(j, "lhs", json_string(o->text_lhs));
        json_object_set_new(j, "rhs", json_string(o->text_rhs));
        return j;
    }
    int64_t index[MAX_RANK];
    json_t *list = json_array();
    unravel(o, index);
    for (uint32_t i = 0; i < o->rank; i++)
        json_array_append_new(list, json_integer(index[i]));
    json_object_set_new(j, "index", list);
    json_object_set_new(j, "lhs", cex_element_json(o->elem, o->lhs));
    json_object_set_new(j, "rhs", cex_element_json(o->elem, o->rhs));
    return j;
}

// [1,2] or [[1],[2]]: the elements nested by dimensions.
static void nested(const struct cex_evaluator *l, uint32_t param,
                   const struct cex_values *v, uint32_t dim, uint64_t *at,
                   struct buf *out)
{
    type_id t = l->types[param];
    if (dim == type_rank(&l->pool, t)) {
        element_text(type_elem(&l->pool, t), v->at[(*at)++], out);
        return;
    }
    buf_putc(out, '[');
    int64_t n = type_dims(&l->pool, t)[dim];
    for (int64_t i = 0; i < n && (v->count > 0 || i == 0); i++) {
        if (i > 0)
            buf_putc(out, ',');
        nested(l, param, v, dim + 1, at, out);
    }
    buf_putc(out, ']');
}

static void maps_text(const struct rule *r, const struct cex_case *c,
                      uint32_t cls, struct buf *out)
{
    const char *before = ": ";
    for (uint32_t m = 0; m < r->n_maps; m++) {
        if (r->maps[m].cls != cls || r->maps[m].def != NULL ||
            c->rank[cls] == 0)
            continue;
        buf_printf(out, "%s%s=%s", before, r->maps[m].name,
                   c->rank[cls] > 1 ? "[" : "");
        for (uint32_t i = 0; i < c->rank[cls]; i++)
            buf_printf(out, "%s%" PRId64, i > 0 ? "," : "", c->map[m][i]);
        buf_puts(out, c->rank[cls] > 1 ? "]" : "");
        before = " ";
    }
}

static const char *param_name(const struct rule *r, uint32_t i)
{
    return i < r->n_tensors ? r->tensors[i].name
                            : r->scalars[i - r->n_tensors].name;
}

static void one_line(const struct cex_evaluator *l, const struct cex_case *c,
                     const struct cex_outcome *o, struct buf *out)
{
    const struct rule *r = l->r;
    for (uint32_t k = 0; k < r->n_classes; k++) {
        buf_printf(out, "%s rank %u", r->classes[k].name, c->rank[k]);
        maps_text(r, c, k, out);
        buf_puts(out, "; ");
    }
    if (cex_has_index(r))
        buf_printf(out, "indices are %s; ", elem_text(c->index_elem));
    for (uint32_t i = 0; i < r->n_opvars; i++) {
        buf_printf(out, "%s is ", r->opvars[i].name);
        cex_op_text(&c->op[i], out);
        buf_puts(out, "; ");
    }
    for (uint32_t i = 0; o->failure == CEX_ELEMENTS && i < l->n_params; i++) {
        uint64_t at = 0;
        buf_printf(out, "%s=", param_name(r, i));
        nested(l, i, &c->param[i], 0, &at, out);
        buf_printf(out, " %s; ", elem_text(type_elem(&l->pool, l->types[i])));
    }
    if (o->failure != CEX_ELEMENTS) {
        buf_printf(out, "left %s, right %s", o->text_lhs, o->text_rhs);
        return;
    }
    int64_t index[MAX_RANK];
    unravel(o, index);
    buf_puts(out, "at [");
    for (uint32_t i = 0; i < o->rank; i++)
        buf_printf(out, "%s%" PRId64, i > 0 ? "," : "", index[i]);
    buf_puts(out, "]: left ");
    element_text(o->elem, o->lhs, out);
    buf_puts(out, ", right ");
    element_text(o->elem, o->rhs, out);
    for (uint32_t i = 0; i < o->n_rounded; i++)
        buf_printf(out, "%s%s", i == 0 ? " with correctly rounded " : ", ",
                   op_name(o->rounded[i]));
    if (o->ordered)
        buf_puts(out, ", sums taken in row-major order");
}

static json_t *maps_json(const struct rule *r, const struct cex_case *c)
{
    json_t *maps = json_object();
    for (uint32_t m = 0; m < r->n_maps; m++) {
        if (r->maps[m].def != NULL)
            continue;
        json_t *list = json_array();
        for (uint32_t i = 0; i < c->rank[r->maps[m].cls]; i++)
            json_array_append_new(list, json_integer(c->map[m][i]));
        json_object_set_new(maps, r->maps[m].name, list);
    }
    return maps;
}

static void params_json(const struct cex_evaluator *l, const struct cex_case *c,
                        json_t *root)
{
    const struct rule *r = l->r;
    json_t *tensors = json_object(), *scalars = json_object();
    struct buf type = {0};
    for (uint32_t i = 0; i < l->n_params; i++) {
        enum elem t = type_elem(&l->pool, l->types[i]);
        if (i >= r->n_tensors) {
            json_object_set_new(scalars, param_name(r, i),
                                cex_element_json(t, c->param[i].at[0]));
            continue;
        }
        json_t *one = json_object(), *data = json_array();
        for (uint64_t k = 0; k < c->param[i].count; k++)
            json_array_append_new(data, cex_element_json(t, c->param[i].at[k]));
        buf_clear(&type);
        type_print(&l->pool, l->types[i], &type);
        json_object_set_new(one, "type", json_string(buf_text(&type)));
        json_object_set_new(one, "data", data);
        json_object_set_new(tensors, param_name(r, i), one);
    }
    buf_release(&type);
    json_object_set_new(root, "tensors", tensors);
    json_object_set_new(root, "scalars", scalars);
}

static json_t *ops_json(const struct rule *r, const struct cex_case *c)
{
    json_t *ops = json_object();
    for (uint32_t i = 0; i < r->n_opvars; i++) {
        struct buf b = {0};
        cex_op_text(&c->op[i], &b);
        json_object_set_new(ops, r->opvars[i].name, json_string(buf_text(&b)));
        buf_release(&b);
    }
    return ops;
}

char *cex_json(const struct cex_evaluator *l, const struct cex_case *c,
               const struct cex_outcome *o, struct arena *mem)
{
    const struct rule *r = l->r;
    json_t *root = json_object(), *ranks = json_object();
    json_t *types = json_object(), *outcome = cex_outcome_json(o);
    char name[16];
    for (uint32_t k = 0; k < r->n_classes; k++)
        json_object_set_new(ranks, r->classes[k].name,
                            json_integer(c->rank[k]));
    for (uint32_t i = 0; i < r->n_types; i++)
        json_object_set_new(types, cex_type_name(r, i, name),
                            json_string(elem_text(c->elem[i])));
    json_object_set_new(root, "domain", json_string(domain_text(c->domain)));
    if (c->approximate)
        json_object_set_new(root, "approximate", json_true());
    json_object_set_new(root, "ranks", ranks);
    json_object_set_new(root, "maps", maps_json(r, c));
    if (cex_has_index(r))
        json_object_set_new(root, "index_type",
                            json_string(elem_text(c->index_elem)));
    json_object_set_new(root, "types", types);
    if (r->n_opvars > 0)
        json_object_set_new(root, "ops", ops_json(r, c));
    params_json(l, c, root);
    json_object_update(root, outcome);
    json_decref(outcome);
    struct buf line = {0};
    one_line(l, c, o, &line);
    json_object_set_new(root, "text", json_string(buf_text(&line)));
    buf_release(&line);
    char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(root);
    char *out = arena_strdup(mem, text != NULL ? text : "");
    free(text);
    return out;
}
