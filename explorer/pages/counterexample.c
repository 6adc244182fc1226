// SPDX-License-Identifier: Apache-2.0
// Counterexamples of a rule, as arrays beside each other.
#include "explorer/pages/rule.h"
#include "tensor/language/elem.h"
#include <jansson.h>

enum { MOST_CELLS = 300 };

struct array {
    const char *name;
    const char *type;    // of the elements: "f32"; NULL: not known
    const json_t *shape; // NULL: one element
    const json_t *data;  // a list, or the one element
    const json_t *other; // the elements of the other side; NULL: nothing is compared
    size_t marked;       // the element that the counterexample names; SIZE_MAX: none
};

static int64_t dimension(const struct array *array, size_t k)
{
    return json_integer_value(json_array_get(array->shape, k));
}

static const json_t *element(const json_t *data, size_t i)
{
    return json_is_array(data) ? json_array_get(data, i) : data;
}

// The shortest decimal number that the type rounds to the value.
static void put_float(const char *type, double value, struct buf *out)
{
    enum elem elem;
    char text[48];
    if (type == NULL || !elem_by_text(type, strlen(type), &elem) || elem_kind(elem) != KIND_FLOAT ||
        elem_is_ideal(elem)) {
        buf_double(out, value);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (scalar_same(elem, scalar_of_double(elem, strtod(text, NULL)),
                        scalar_of_double(elem, value)))
            break;
    }
    buf_puts(out, text);
}

static void put_element(const char *type, const json_t *value, struct buf *out)
{
    if (json_is_string(value))
        markup_text(json_string_value(value), out);
    else if (json_is_integer(value))
        buf_printf(out, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        put_float(type, json_real_value(value), out);
    else if (json_is_boolean(value))
        buf_puts(out, json_is_true(value) ? "true" : "false");
    else
        buf_puts(out, "?");
}

static void put_cell(const struct array *array, size_t i, struct buf *out)
{
    const json_t *value = element(array->data, i);
    bool differs = array->other && !json_equal(value, element(array->other, i));
    buf_puts(out, i == array->marked ? "<td class=\"differs marked\">"
                  : differs          ? "<td class=\"differs\">"
                                     : "<td>");
    put_element(array->type, value, out);
    if (i == array->marked)
        buf_puts(out, "<span class=\"visually-hidden\"> differs</span>");
    buf_puts(out, "</td>");
}

// The last two dimensions are rows and columns; a table for each index of the others.
static void put_array(const struct array *array, struct buf *out)
{
    size_t rank = json_array_size(array->shape), at = 0;
    int64_t columns = rank > 0 ? dimension(array, rank - 1) : 1;
    int64_t rows = rank > 1 ? dimension(array, rank - 2) : 1, tables = 1;
    for (size_t k = 0; k + 2 < rank; k++)
        tables *= dimension(array, k);
    markup_in("<figure class=\"array\" tabindex=\"0\"><figcaption>", array->name, "", out);
    for (size_t k = 0; k < rank; k++)
        buf_printf(out, "%s%lld%s", k ? "×" : " [", (long long)dimension(array, k),
                   k + 1 == rank ? "]" : "");
    buf_puts(out, "</figcaption>");
    if (tables * rows * columns == 0)
        buf_puts(out, "<p class=\"quiet\">empty</p>");
    for (int64_t table = 0; table < tables && rows * columns > 0; table++) {
        buf_puts(out, "<table>");
        for (int64_t row = 0; row < rows; row++) {
            buf_puts(out, "<tr>");
            for (int64_t column = 0; column < columns; column++)
                put_cell(array, at++, out);
            buf_puts(out, "</tr>");
        }
        buf_puts(out, "</table>");
    }
    buf_puts(out, "</figure>\n");
}

// "tensor<2x3xf32>": the shape is known by its text alone.
static json_t *shape_of(const char *type)
{
    json_t *shape = json_array();
    const char *at = strchr(type, '<');
    for (at = at ? at + 1 : ""; *at >= '0' && *at <= '9'; at += *at == 'x') {
        char *end;
        json_array_append_new(shape, json_integer(strtoll(at, &end, 10)));
        at = end;
    }
    return shape;
}

// "f32" of "tensor<2x3xf32>" and of "tensor<f32>".
static const char *elem_of(const char *type)
{
    const char *at = strchr(type, '<') + 1;
    while (*at >= '0' && *at <= '9') {
        at += strspn(at, "0123456789");
        at += *at == 'x';
    }
    return at;
}

static void put_operands(const json_t *root, struct buf *out)
{
    const char *name;
    json_t *tensor;
    json_object_foreach(json_object_get(root, "tensors"), name, tensor)
    {
        const char *type = json_string_value(json_object_get(tensor, "type"));
        json_t *shape = shape_of(type ? type : "");
        struct buf elem = {0};
        if (type && strchr(type, '<'))
            buf_write(&elem, elem_of(type), strcspn(elem_of(type), ">"));
        put_array(&(struct array){name, buf_text(&elem), shape, json_object_get(tensor, "data"),
                                  NULL, SIZE_MAX},
                  out);
        buf_release(&elem);
        json_decref(shape);
    }
    json_object_foreach(json_object_get(root, "scalars"), name, tensor)
        put_array(&(struct array){name, NULL, NULL, tensor, NULL, SIZE_MAX}, out);
}

// The place of the index in the elements, row by row.
static size_t place_of(const json_t *index, const json_t *shape)
{
    size_t place = 0;
    if (!json_is_array(index) || json_array_size(index) != json_array_size(shape))
        return SIZE_MAX;
    for (size_t k = 0; k < json_array_size(index); k++)
        place = place * (size_t)json_integer_value(json_array_get(shape, k)) +
                (size_t)json_integer_value(json_array_get(index, k));
    return place;
}

static void put_side(const char *name, const json_t *side, const json_t *other, const json_t *index,
                     struct buf *out)
{
    const json_t *shape = json_object_get(side, "shape"), *data = json_object_get(side, "data");
    bool same = other && json_equal(shape, json_object_get(other, "shape"));
    if (side == NULL)
        return;
    put_array(&(struct array){name, json_string_value(json_object_get(side, "type")), shape, data,
                              same ? json_object_get(other, "data") : NULL, place_of(index, shape)},
              out);
}

static size_t cells(const json_t *root, json_t *sides)
{
    const char *name;
    json_t *tensor;
    size_t n = 0;
    json_object_foreach(json_object_get(root, "tensors"), name, tensor) n +=
        json_array_size(json_object_get(tensor, "data"));
    json_object_foreach(sides, name, tensor) n += json_array_size(json_object_get(tensor, "data"));
    return n;
}

static void put_arrays(const struct rule_page *page, const struct rw_verdict *verdict)
{
    struct rw_error error;
    char *text = rw_counterexample_sides(page->rule, verdict, &error);
    json_t *root = json_loads(verdict->counterexample, 0, NULL);
    json_t *sides = text ? json_loads(text, 0, NULL) : NULL;
    const json_t *index = json_object_get(root, "index");
    const json_t *left = json_object_get(sides, "left"), *right = json_object_get(sides, "right");
    if (left && cells(root, sides) <= MOST_CELLS) {
        buf_puts(page->out, "<div class=\"arrays\">\n");
        put_operands(root, page->out);
        put_side("left", left, right, index, page->out);
        put_side("right", right, left, index, page->out);
        if (right == NULL)
            buf_puts(page->out, "<figure class=\"array\"><figcaption>right</figcaption>"
                                "<table><tr><td class=\"differs\">not well-defined</td></tr>"
                                "</table></figure>\n");
        buf_puts(page->out, "</div>\n");
    }
    json_decref(sides);
    json_decref(root);
    rw_free(text);
}

// Sizes at which the right side is not well-defined refute a rule in all domains alike.  Texts
// about elements name the place: those are shown for each domain.
static bool says_same(const struct rw_rule *rule, size_t i, size_t k)
{
    const struct rw_verdict *a = rule->verdicts[i], *b = rule->verdicts[k];
    return a->counterexample != NULL && b->counterexample != NULL &&
           strcmp(a->counterexample_text, b->counterexample_text) == 0 &&
           strstr(a->counterexample_text, " not well-defined: ") != NULL;
}

static bool said_before(const struct rw_rule *rule, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (says_same(rule, k, i))
            return true;
    return false;
}

void put_counterexamples(const struct rule_page *page)
{
    unsigned n = 0;
    for (size_t i = 0; i < page->rule->n_verdicts; i++) {
        const struct rw_verdict *verdict = page->rule->verdicts[i];
        if (verdict->counterexample == NULL || said_before(page->rule, i))
            continue;
        buf_puts(page->out, n++ ? "" : "<h2 id=\"counterexample\">Counterexample</h2>\n");
        buf_puts(page->out, "<h3>In ");
        for (size_t k = i; k < page->rule->n_verdicts; k++)
            if (k == i || says_same(page->rule, i, k))
                buf_printf(page->out, "%s%s", k > i ? ", " : "",
                           rw_domain_name(page->rule->verdicts[k]->domain));
        buf_puts(page->out, "</h3>\n");
        markup_in("<p>", verdict->counterexample_text, "</p>\n", page->out);
        put_arrays(page, verdict);
    }
}
