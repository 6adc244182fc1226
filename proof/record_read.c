// SPDX-License-Identifier: Apache-2.0
// A record from JSON.  The text is hostile: every number is checked before it
// is used as an index, every term goes through its shape rule.
#include "proof/json_in.h"
#include "proof/record.h"

#include "tensor/layout.h"

#define MAX_AXES 4096

struct reader {
    struct json_in in;
    struct record *r;
    struct pool *pool;
    struct arena mem;
    struct u32_vec types; // number: type id
    struct u32_vec terms; // number: term id
};

// A number that names nothing: the record is readable, but wrong.
static bool dangling(struct reader *rd, const char *what, json_int_t k)
{
    return err_set(rd->in.e, ERR_CHECK, "%s: %s, found %lld", rd->in.where,
                   what, (long long)k);
}

// An instance that does not have the shape that its rule asks for.
static bool unfit(struct reader *rd, const char *what)
{
    return err_set(rd->in.e, ERR_CHECK, "%s does not fit its rule: %s",
                   rd->in.where, what);
}

static const json_t *field(const json_t *o, const char *key)
{
    return json_object_get(o, key);
}

// A whole number below `limit`.
static bool index_of(struct reader *rd, const json_t *v, uint64_t limit,
                     const char *what, uint32_t *out)
{
    json_int_t k = json_integer_value(v);
    if (!json_is_integer(v))
        return malformed(&rd->in, what);
    if (k < 0 || (uint64_t)k >= limit)
        return dangling(rd, what, k);
    *out = (uint32_t)k;
    return true;
}

static bool term_of(struct reader *rd, const json_t *v, const char *what,
                    term_id *out)
{
    uint32_t i = 0;
    if (!index_of(rd, v, rd->terms.len, what, &i))
        return false;
    out->v = rd->terms.at[i];
    return true;
}

// The numbers from place `from` on.
static bool read_ints_from(struct reader *rd, const json_t *a, size_t from,
                           const char *what, struct i64_vec *out)
{
    if (a && !json_is_array(a))
        return malformed(&rd->in, what);
    for (size_t i = from; i < json_array_size(a); i++) {
        const json_t *v = json_array_get(a, i);
        if (!json_is_integer(v))
            return malformed(&rd->in, what);
        vec_push(out, (int64_t)json_integer_value(v));
    }
    return true;
}

static bool read_ints(struct reader *rd, const json_t *a, const char *what,
                      struct i64_vec *out)
{
    return read_ints_from(rd, a, 0, what, out);
}

// The results of an operation: two or more (one stands by itself), and no
// tuples again, whose text could grow without bound.
static bool read_tuple(struct reader *rd, const json_t *a, type_id *out)
{
    size_t n = json_array_size(a), i;
    json_t *v;
    type_id *parts = ARENA_NEW(&rd->mem, type_id, n + 1);
    if (n == 1)
        return malformed(&rd->in, "a tuple of one");
    json_array_foreach(a, i, v)
    {
        uint32_t k;
        if (!index_of(rd, v, rd->types.len, "expected an earlier type", &k))
            return false;
        parts[i].v = rd->types.at[k];
        if (pool_type(rd->pool, parts[i])->form == TYPE_TUPLE)
            return malformed(&rd->in, "a tuple in a tuple");
    }
    *out = type_tuple(rd->pool, (uint32_t)n, parts);
    return true;
}

// No program has mathematical integers or reals: in a record they could only
// smuggle in what is true of them and of no machine's numbers.
static bool elem_of(struct reader *rd, const char *name, enum elem *out)
{
    return (name && elem_by_text(name, strlen(name), out) &&
            !elem_is_ideal(*out)) ||
           malformed(&rd->in, "expected an element type");
}

static bool read_type(void *ctx, const json_t *o)
{
    struct reader *rd = ctx;
    type_id t;
    const char *other = json_string_value(field(o, "other"));
    const char *elem_name = json_string_value(field(o, "elem"));
    if (other) {
        t = type_other(rd->pool, other);
    } else if (json_is_array(field(o, "tuple"))) {
        if (!read_tuple(rd, field(o, "tuple"), &t))
            return false;
    } else {
        enum elem elem;
        struct i64_vec dims = {0};
        bool ok = elem_of(rd, elem_name, &elem);
        ok = ok && (json_is_array(field(o, "dims")) ||
                    malformed(&rd->in, "expected dims"));
        ok = ok && read_ints(rd, field(o, "dims"), "expected dims", &dims) &&
             type_tensor(rd->pool, elem, dims.len, dims.at, &t, rd->in.e);
        vec_release(&dims);
        if (!ok)
            return false;
    }
    vec_push(&rd->types, t.v);
    return true;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

static bool read_constant(struct reader *rd, const json_t *o, type_id type,
                          term_id *out)
{
    const char *text = json_string_value(field(o, "data"));
    if (!text || !type_is_tensor(rd->pool, type))
        return malformed(&rd->in, "expected a tensor type and data");
    enum elem elem = type_elem(rd->pool, type);
    size_t n = strlen(text) / 2, size = elem_bytes(elem);
    uint64_t total = (uint64_t)type_count(rd->pool, type);
    if (strlen(text) % 2 || n % size ||
        (n / size != total && (n / size != 1 || total == 0)))
        return malformed(&rd->in, "data of the wrong length");
    unsigned char *data = mem_alloc(n + 1);
    bool ok = true;
    for (size_t i = 0; i < n; i++) {
        int hi = hex_digit(text[2 * i]), lo = hex_digit(text[2 * i + 1]);
        ok = ok && hi >= 0 && lo >= 0;
        data[i] = (unsigned char)((hi & 15) << 4 | (lo & 15));
    }
    if (ok)
        *out = term_constant(
            &rd->r->terms, literal_make(rd->pool, elem, n / size, data), type);
    mem_free(data);
    return ok || malformed(&rd->in, "data is not hexadecimal");
}

static bool op_of(struct reader *rd, const char *name, enum op *out)
{
    static const enum op unnamed[] = {OP_PARAMETER, OP_OPAQUE, OP_RESULT};
    if (!name)
        return malformed(&rd->in, "expected op");
    for (int i = 0; i < 3; i++)
        if (strcmp(name, op_name(unnamed[i])) == 0) {
            *out = unnamed[i];
            return true;
        }
    return op_by_name(name, out) || malformed(&rd->in, "unknown operator");
}

// Numbers, the first the name of an operator where op.h has an operator.
static bool read_attr(struct reader *rd, enum op op, const json_t *a,
                      struct i64_vec *out)
{
    const char *name = json_string_value(json_array_get(a, 0));
    enum op reducer = N_OPS;
    if (!op_has_reducer(op))
        return read_ints(rd, a, "bad attr", out);
    if (!name || (strcmp(name, REPLACES) != 0 && !op_of(rd, name, &reducer)))
        return malformed(&rd->in, "expected the name of an operator");
    vec_push(out, (int64_t)reducer);
    return read_ints_from(rd, a, 1, "bad attr", out);
}

static bool opaque_attr(struct reader *rd, const json_t *o,
                        struct i64_vec *attr)
{
    const char *text = json_string_value(field(o, "text"));
    const json_t *results = field(o, "results"), *serial = field(o, "serial");
    if (!text || !json_is_integer(results) || !json_is_integer(serial))
        return malformed(&rd->in, "expected text, results and serial");
    vec_push(attr, (int64_t)sym_make(rd->pool, text).v);
    vec_push(attr, (int64_t)json_integer_value(results));
    vec_push(attr, (int64_t)json_integer_value(serial));
    return true;
}

// A term that breaks its shape rule makes the record wrong, not malformed.
static bool build_term(struct reader *rd, enum op op,
                       const struct i64_vec *attr, type_id want, uint32_t n,
                       const term_id *args, term_id *out)
{
    struct err e = {0};
    if (term_build(&rd->r->terms, op, attr_make(rd->pool, attr->len, attr->at),
                   want, n, args, out, &e))
        return true;
    return err_set(rd->in.e, ERR_CHECK, "%s is not well-defined: %s",
                   rd->in.where, e.msg);
}

static bool read_term(void *ctx, const json_t *o)
{
    struct reader *rd = ctx;
    enum op op;
    const json_t *list = field(o, "args");
    uint32_t type, n = (uint32_t)json_array_size(list);
    term_id out = NO_TERM;
    if (list && !json_is_array(list))
        return malformed(&rd->in, "expected an array of args");
    if (!op_of(rd, json_string_value(field(o, "op")), &op) ||
        !index_of(rd, field(o, "type"), rd->types.len, "expected a type",
                  &type))
        return false;
    type_id want = {rd->types.at[type]};
    struct i64_vec attr = {0};
    term_id *args = ARENA_NEW(&rd->mem, term_id, n + 1u);
    bool ok = true;
    for (uint32_t i = 0; ok && i < n; i++)
        ok = term_of(rd, json_array_get(list, i),
                     "expected earlier terms as args", &args[i]);
    if (!ok)
        return false;
    if (op == OP_CONSTANT)
        ok = (n == 0 || malformed(&rd->in, "a constant with args")) &&
             read_constant(rd, o, want, &out);
    else
        ok = (op == OP_OPAQUE ? opaque_attr(rd, o, &attr)
                              : read_attr(rd, op, field(o, "attr"), &attr)) &&
             build_term(rd, op, &attr, want, n, args, &out);
    vec_release(&attr);
    if (ok)
        vec_push(&rd->terms, out.v);
    return ok;
}

static bool read_order(struct reader *rd, const json_t *a, uint32_t n_axes,
                       struct order *out)
{
    size_t n = json_array_size(a);
    if (!json_is_array(a) || n > n_axes)
        return unfit(rd, "bad order of axes");
    out->n = (uint32_t)n;
    out->axis = ARENA_NEW(&rd->r->mem, uint32_t, n + 1);
    for (uint32_t i = 0; i < out->n; i++)
        if (!index_of(rd, json_array_get(a, i), n_axes, "bad axis",
                      &out->axis[i]))
            return false;
    return true;
}

static bool read_classes(struct reader *rd, const json_t *o,
                         const struct rule *r, struct instance **out)
{
    const json_t *classes = field(o, "classes");
    uint32_t *rank = ARENA_NEW(&rd->mem, uint32_t, r->n_classes + 1u);
    uint64_t total = 0;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        const json_t *axes = field(classes, r->classes[c].name);
        if (!json_is_array(axes))
            return unfit(rd, "expected the axes of every class");
        rank[c] = (uint32_t)json_array_size(axes);
        total += rank[c];
    }
    if (total > MAX_AXES)
        return unfit(rd, "too many axes");
    struct instance *in = instance_new(r, rank, &rd->r->mem);
    for (uint32_t c = 0; c < r->n_classes; c++)
        for (uint32_t k = 0; k < rank[c]; k++) {
            uint32_t axis;
            if (!index_of(rd,
                          json_array_get(field(classes, r->classes[c].name), k),
                          total, "bad axis", &axis))
                return false;
            in->class_axes[c][k] = axis;
            in->axis_class[axis] = c;
        }
    *out = in;
    return true;
}

static bool read_maps(struct reader *rd, const json_t *o, struct instance *in)
{
    const struct rule *r = in->rule;
    for (uint32_t m = 0; m < r->n_maps; m++) {
        struct i64_vec v = {0};
        const json_t *values = field(field(o, "maps"), r->maps[m].name);
        bool ok = (json_is_array(values) || unfit(rd, "expected every map")) &&
                  read_ints(rd, values, "bad map value", &v);
        ok = ok && (v.len == in->rank[r->maps[m].cls] ||
                    unfit(rd, "a map has the wrong number of values"));
        for (uint32_t k = 0; ok && k < v.len; k++)
            in->map[m][k] = v.at[k];
        vec_release(&v);
        if (!ok)
            return false;
    }
    return true;
}

// Only a rule in which starts occur has them.
static bool read_indices(struct reader *rd, const json_t *o,
                         struct instance *in)
{
    const struct rule *r = in->rule;
    const json_t *type = field(o, "index_type");
    if (type != NULL && !elem_of(rd, json_string_value(type), &in->index_elem))
        return false;
    for (uint32_t m = 0; m < r->n_maps; m++) {
        const json_t *terms = field(field(o, "indices"), r->maps[m].name);
        uint32_t n = instance_indices(in, m);
        if (in->index[m] != NULL && json_array_size(terms) != n)
            return unfit(rd, "expected a term for every place of an index");
        for (uint32_t k = 0; k < n; k++)
            if (!term_of(rd, json_array_get(terms, k),
                         "expected a term for every place of an index",
                         &in->index[m][k]))
                return false;
    }
    return true;
}

static bool read_ops(struct reader *rd, const json_t *o, struct instance *in)
{
    for (uint32_t v = 0; v < in->rule->n_opvars; v++) {
        const json_t *binding =
            field(field(o, "ops"), in->rule->opvars[v].name);
        struct i64_vec attr = {0};
        bool ok =
            op_of(rd, json_string_value(field(binding, "op")), &in->op[v].op) &&
            read_ints(rd, field(binding, "attr"), "bad attr", &attr);
        if (ok)
            in->op[v].attr = attr_make(rd->pool, attr.len, attr.at);
        vec_release(&attr);
        if (!ok)
            return false;
    }
    return true;
}

static bool read_variables(struct reader *rd, const json_t *o,
                           struct instance *in)
{
    const struct rule *r = in->rule;
    for (uint32_t v = 0; v < r->n_types; v++) {
        const char *name =
            json_string_value(json_array_get(field(o, "types"), v));
        if (!elem_of(rd, name, &in->elem[v]))
            return false;
    }
    for (uint32_t v = 0; v < r->n_tensors; v++) {
        const json_t *t = field(field(o, "tensors"), r->tensors[v].name);
        if (!term_of(rd, field(t, "term"), "expected a term for every tensor",
                     &in->tensor[v]) ||
            !read_order(rd, field(t, "order"), in->n_axes, &in->order[v]))
            return false;
    }
    for (uint32_t v = 0; v < r->n_scalars; v++)
        if (!term_of(rd, field(field(o, "scalars"), r->scalars[v].name),
                     "expected a term for every scalar", &in->scalar[v]))
            return false;
    return read_ops(rd, o, in);
}

static bool read_places(struct reader *rd, const json_t *o, struct instance *in)
{
    const json_t *places = field(o, "places");
    if (json_array_size(places) != in->rule->n_pats)
        return unfit(rd, "expected a place for every pattern node");
    for (uint32_t p = 0; p < in->rule->n_pats; p++) {
        const json_t *place = json_array_get(places, p);
        const json_t *inputs = field(place, "in");
        uint32_t n = in->rule->pats[p].n_args;
        if (!read_order(rd, field(place, "out"), in->n_axes, &in->pat[p].out))
            return false;
        in->pat[p].in = ARENA_NEW(&rd->r->mem, struct order, n + 1u);
        if (json_array_size(inputs) != n)
            return unfit(rd, "expected an order for every argument");
        for (uint32_t k = 0; k < n; k++)
            if (!read_order(rd, json_array_get(inputs, k), in->n_axes,
                            &in->pat[p].in[k]))
                return false;
    }
    return true;
}

static bool read_rule_line(struct reader *rd, const json_t *o,
                           struct record_line *l)
{
    const char *where = json_string_value(field(o, "where"));
    const json_t *in = field(o, "instance");
    if (!index_of(rd, field(o, "rule"), rd->r->rules.len, "expected a rule",
                  &l->rule) ||
        !json_is_boolean(field(o, "backward")) || !where || !json_is_object(in))
        return malformed(&rd->in,
                         "expected rule, backward, where and instance");
    l->backward = json_is_true(field(o, "backward"));
    l->where = arena_strdup(&rd->r->mem, where);
    return read_classes(rd, in, rd->r->rules.at[l->rule].rule, &l->inst) &&
           read_maps(rd, in, l->inst) && read_indices(rd, in, l->inst) &&
           read_variables(rd, in, l->inst) && read_places(rd, in, l->inst);
}

static bool read_parts(struct reader *rd, const json_t *o,
                       struct record_line *l)
{
    const json_t *parts = field(o, "parts");
    l->parts_at = rd->r->parts.len;
    l->n_parts = (uint32_t)json_array_size(parts);
    if (!json_is_array(parts))
        return malformed(&rd->in, "expected parts");
    for (uint32_t k = 0; k < l->n_parts; k++) {
        const json_t *part = json_array_get(parts, k);
        struct line_part p = {.flip = json_is_true(field(part, "flip"))};
        if (!index_of(rd, field(part, "line"), rd->r->lines.len,
                      "expected an earlier line", &p.line))
            return false;
        if (l->kind == LINE_CONG &&
            !index_of(rd, field(part, "arg"), UINT32_MAX, "expected arg",
                      &p.arg))
            return false;
        vec_push(&rd->r->parts, p);
    }
    return true;
}

static bool read_line(void *ctx, const json_t *o)
{
    struct reader *rd = ctx;
    static const char *const names[] = {"rule", "fold", "layout", "cong",
                                        "trans"};
    struct record_line l = {0};
    const char *kind = json_string_value(field(o, "kind"));
    int k = 0;
    while (kind && k < 5 && strcmp(kind, names[k]) != 0)
        k++;
    if (!kind || k == 5)
        return malformed(&rd->in, "unknown kind of line");
    l.kind = (enum line_kind)k;
    if (!term_of(rd, field(o, "a"), "expected term a", &l.a) ||
        !term_of(rd, field(o, "b"), "expected term b", &l.b))
        return false;
    enum layout_kind law = LAYOUT_COMPOSE;
    const char *law_name = json_string_value(field(o, "law"));
    bool ok = true;
    if (l.kind == LINE_RULE)
        ok = read_rule_line(rd, o, &l);
    else if (l.kind == LINE_LAYOUT)
        ok = (law_name && layout_by_text(law_name, &law)) ||
             malformed(&rd->in, "unknown law");
    else if (l.kind == LINE_CONG || l.kind == LINE_TRANS)
        ok = read_parts(rd, o, &l);
    l.law = law;
    if (ok)
        vec_push(&rd->r->lines, l);
    return ok;
}

static bool read_goal(void *ctx, const json_t *o)
{
    struct reader *rd = ctx;
    struct record_goal g = {.line = NONE};
    if (!index_of(rd, field(o, "function"), UINT32_MAX, "expected function",
                  &g.function) ||
        !index_of(rd, field(o, "root"), UINT32_MAX, "expected root", &g.root) ||
        !term_of(rd, field(o, "input"), "expected input", &g.input) ||
        !term_of(rd, field(o, "output"), "expected output", &g.output))
        return false;
    if (field(o, "line") && !index_of(rd, field(o, "line"), rd->r->lines.len,
                                      "expected a line", &g.line))
        return false;
    g.flip = json_is_true(field(o, "flip"));
    vec_push(&rd->r->goals, g);
    return true;
}

static bool read_rule(void *ctx, const json_t *o)
{
    struct reader *rd = ctx;
    const char *name = json_string_value(field(o, "name"));
    const char *hash = json_string_value(field(o, "hash"));
    const char *text = json_string_value(field(o, "text"));
    uint32_t index, n = rd->r->rules.len;
    if (!name || !hash || !text || !json_is_boolean(field(o, "assumed")))
        return malformed(&rd->in, "expected name, hash, text and assumed");
    struct err e = {0};
    if (!record_add_rule(rd->r, name, text, json_is_true(field(o, "assumed")),
                         &index, &e))
        return err_set(rd->in.e, ERR_CHECK,
                       "the text of rule %s is no rule: %s", name, e.msg);
    if (index != n)
        return malformed(&rd->in, "the same rule twice");
    if (strcmp(rd->r->rules.at[index].hash, hash) != 0)
        return err_set(rd->in.e, ERR_CHECK,
                       "the text of rule %s has another hash than recorded",
                       name);
    return true;
}

static bool read_head(struct reader *rd, const json_t *root)
{
    struct record *r = rd->r;
    const char *mode = json_string_value(field(root, "float"));
    const char *input = json_string_value(field(root, "input"));
    const char *output = json_string_value(field(root, "output"));
    const char *name = json_string_value(field(root, "input_name"));
    if (!json_in_head(&rd->in, root, "rankwright proof record", RECORD_VERSION))
        return false;
    if (!mode || !domain_by_text(mode, &r->float_mode) ||
        (r->float_mode != DOMAIN_REAL && r->float_mode != DOMAIN_FLOAT))
        return malformed(&rd->in, "float: expected real or float");
    if (!json_is_boolean(field(root, "fold_exact")) || !input || !output ||
        !name)
        return malformed(&rd->in,
                         "expected fold_exact, input_name, input and output");
    r->fold_exact = json_is_true(field(root, "fold_exact"));
    r->input = arena_strdup(&r->mem, input);
    r->output = arena_strdup(&r->mem, output);
    r->input_name = arena_strdup(&r->mem, name);
    return true;
}

bool record_read(struct record *r, const char *text, size_t n, const char *file,
                 struct err *e)
{
    static const struct {
        const char *key;
        bool (*one)(void *ctx, const json_t *o);
    } arrays[] = {{"rules", read_rule},
                  {"types", read_type},
                  {"terms", read_term},
                  {"lines", read_line},
                  {"goals", read_goal}};
    struct reader rd = {.r = r, .pool = r->terms.pool};
    json_t *root = json_in_open(&rd.in, text, n, file, e);
    if (root == NULL)
        return false;
    bool ok = read_head(&rd, root);
    for (size_t i = 0; ok && i < sizeof arrays / sizeof *arrays; i++)
        ok = json_in_each(&rd.in, root, arrays[i].key, JSON_OBJECT,
                          arrays[i].one, &rd);
    json_in_close(&rd.in, root, ok);
    vec_release(&rd.types);
    vec_release(&rd.terms);
    arena_release(&rd.mem);
    return ok;
}
