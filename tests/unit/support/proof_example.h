// SPDX-License-Identifier: Apache-2.0
// For tests: a proof record built by hand with a line of every kind, and ways
// to change its JSON in one place and to see what reading and checking say.
#ifndef TESTS_UNIT_SUPPORT_PROOF_EXAMPLE_H
#define TESTS_UNIT_SUPPORT_PROOF_EXAMPLE_H

#include "io/stablehlo/stablehlo.h"
#include "proof/program/check.h"
#include "tensor/fold/layout.h"
#include <setjmp.h>
#include <stdarg.h>
#include <jansson.h>
#include <stdlib.h>
#include <cmocka.h>

#define ZERO                                                                   \
    "rule zero { axes x; map n on x; tensor A[x: n] : num; A + 0 => A; }"
#define CUT                                                                    \
    "rule cut { axes x; map n, s on x; tensor A[x: n] : any; where s == 0;"    \
    " slice(A, start=s) => A; }"

// ((a + 0)^T)^T * (1 + 1)  =  a * 2, and a = a + 0, and a[0:2, 0:3] = a.
static const char input_text[] =
    "func.func @main(%a: tensor<2x3xi32>) -> (tensor<2x3xi32>,"
    " tensor<2x3xi32>, tensor<2x3xi32>) {\n"
    "  %z = stablehlo.constant dense<0> : tensor<2x3xi32>\n"
    "  %1 = stablehlo.add %a, %z : tensor<2x3xi32>\n"
    "  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x3xi32>) ->"
    " tensor<3x2xi32>\n"
    "  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<3x2xi32>) ->"
    " tensor<2x3xi32>\n"
    "  %o = stablehlo.constant dense<1> : tensor<2x3xi32>\n"
    "  %4 = stablehlo.add %o, %o : tensor<2x3xi32>\n"
    "  %5 = stablehlo.multiply %3, %4 : tensor<2x3xi32>\n"
    "  %6 = stablehlo.slice %a [0:2, 0:3] : (tensor<2x3xi32>) ->"
    " tensor<2x3xi32>\n"
    "  return %5, %a, %6 : tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>\n"
    "}\n";
static const char output_text[] =
    "func.func @main(%a: tensor<2x3xi32>) -> (tensor<2x3xi32>,"
    " tensor<2x3xi32>, tensor<2x3xi32>) {\n"
    "  %z = stablehlo.constant dense<0> : tensor<2x3xi32>\n"
    "  %1 = stablehlo.add %a, %z : tensor<2x3xi32>\n"
    "  %2 = stablehlo.constant dense<2> : tensor<2x3xi32>\n"
    "  %3 = stablehlo.multiply %a, %2 : tensor<2x3xi32>\n"
    "  return %3, %1, %a : tensor<2x3xi32>, tensor<2x3xi32>, tensor<2x3xi32>\n"
    "}\n";

// Numbers of the lines of the example.
enum { L_ZERO, L_CONG1, L_CONG2, L_LAW, L_TRANS, L_FOLD, L_TOP, L_BACK, L_CUT };

static struct pool pool;

static inline int pool_up(void **state)
{
    (void)state;
    pool_init(&pool);
    return 0;
}

static inline int pool_down(void **state)
{
    (void)state;
    pool_release(&pool);
    return 0;
}

static inline uint32_t add_rule(struct record *r, const char *text)
{
    struct ruleset s;
    struct err_list errs = {0};
    struct err e = {0};
    uint32_t index;
    ruleset_init(&s);
    if (!ruleset_parse(&s, text, strlen(text), "test", &errs))
        fail_msg("%s", errs.at.at[0].msg);
    const struct rule *rule = s.rules.at[0];
    if (!record_add_rule(r, rule->name, rule->canonical, false, &index, &e))
        fail_msg("%s", e.msg);
    assert_string_equal(r->rules.at[index].hash, rule->hash);
    ruleset_release(&s);
    vec_release(&errs.at);
    return index;
}

// A use of the rule at class sizes 2x3: every map 0 but those of the tensor's
// sizes.
static inline struct record_line rule_line(struct record *r, uint32_t rule,
                                           bool backward)
{
    const struct rule *ru = r->rules.at[rule].rule;
    uint32_t rank[] = {2};
    int64_t size[] = {2, 3}, zero[] = {0, 0}, *map[8];
    enum elem elem[] = {ELEM_I32};
    for (uint32_t m = 0; m < ru->n_maps; m++)
        map[m] = ru->tensors[0].sizes[0].size->map == m ? size : zero;
    struct ground g = {rank, map, elem, NULL, ELEM_I32};
    struct record_line l = {.kind = LINE_RULE, .rule = rule};
    struct instance *in;
    struct err e = {0};
    term_id lhs, rhs;
    if (rule_ground(ru, &g, &r->terms, NULL, &r->mem, &in, &lhs, &rhs, NULL,
                    &e) != GROUND_OK)
        fail_msg("%s", e.msg);
    struct u32_vec same = {0};
    for (uint32_t i = 0; i < r->terms.term.len; i++)
        vec_push(&same, i);
    l.inst = record_copy_instance(r, rule, in, &same);
    vec_release(&same);
    l.where = where_text(l.inst, &r->terms, &r->mem);
    l.backward = backward;
    l.a = backward ? rhs : lhs;
    l.b = backward ? lhs : rhs;
    return l;
}

static inline void part(struct record *r, struct record_line *l, uint32_t line,
                        uint32_t arg, bool flip)
{
    struct line_part p = {line, arg, flip};
    if (l->n_parts++ == 0)
        l->parts_at = r->parts.len;
    vec_push(&r->parts, p);
}

static inline term_id node(struct record *r, enum op op, uint32_t n_attr,
                           const int64_t *attr, uint32_t n, const term_id *args)
{
    struct err e = {0};
    term_id out;
    if (!term_build(&r->terms, op, attr_make(&pool, n_attr, attr), NO_TYPE, n,
                    args, &out, &e))
        fail_msg("%s", e.msg);
    return out;
}

static inline term_id transposed(struct record *r, term_id t)
{
    static const int64_t swap[] = {1, 0};
    return node(r, OP_TRANSPOSE, 2, swap, 1, &t);
}

static inline void goal(struct record *r, uint32_t root, term_id in,
                        term_id out, uint32_t line, bool flip)
{
    struct record_goal g = {0, root, in, out, line, flip};
    vec_push(&r->goals, g);
}

static inline void example(struct record *r)
{
    record_init(r, &pool);
    r->input = input_text;
    r->output = output_text;
    r->input_name = "example.mlir";
    uint32_t zero = add_rule(r, ZERO), cut = add_rule(r, CUT);
    struct record_line l = rule_line(r, zero, false);
    term_id sum = l.a, a = l.b, t1 = transposed(r, sum), t2 = transposed(r, t1);
    term_id u1 = transposed(r, a), u2 = transposed(r, u1), law;
    type_id type = term_type(&r->terms, a);
    vec_push(&r->lines, l);
    l = (struct record_line){.kind = LINE_CONG, .a = t1, .b = u1};
    part(r, &l, L_ZERO, 0, false);
    vec_push(&r->lines, l);
    l = (struct record_line){.kind = LINE_CONG, .a = t2, .b = u2};
    part(r, &l, L_CONG1, 0, false);
    vec_push(&r->lines, l);
    assert_true(layout_rewrite(&r->terms, u2, LAYOUT_COMPOSE, &law));
    assert_int_equal(law.v, a.v);
    l = (struct record_line){
        .kind = LINE_LAYOUT, .a = u2, .b = a, .law = LAYOUT_COMPOSE};
    vec_push(&r->lines, l);
    l = (struct record_line){.kind = LINE_TRANS, .a = t2, .b = a};
    part(r, &l, L_CONG2, 0, false);
    part(r, &l, L_LAW, 0, false);
    vec_push(&r->lines, l);
    term_id one = term_constant(
        &r->terms, literal_splat(&pool, ELEM_I32, scalar_of_int(ELEM_I32, 1)),
        type);
    term_id two = term_constant(
        &r->terms, literal_splat(&pool, ELEM_I32, scalar_of_int(ELEM_I32, 2)),
        type);
    term_id ones = node(r, OP_ADD, 0, NULL, 2, (term_id[]){one, one});
    l = (struct record_line){.kind = LINE_FOLD, .a = ones, .b = two};
    vec_push(&r->lines, l);
    l = (struct record_line){
        .kind = LINE_CONG,
        .a = node(r, OP_MULTIPLY, 0, NULL, 2, (term_id[]){t2, ones}),
        .b = node(r, OP_MULTIPLY, 0, NULL, 2, (term_id[]){a, two})};
    part(r, &l, L_TRANS, 0, false);
    part(r, &l, L_FOLD, 1, false);
    vec_push(&r->lines, l);
    goal(r, 0, l.a, l.b, L_TOP, false);
    vec_push(&r->lines, rule_line(r, zero, true));
    goal(r, 1, a, sum, L_BACK, false);
    vec_push(&r->lines, rule_line(r, cut, false));
    goal(r, 2, r->lines.at[L_CUT].a, a, L_CUT, false);
}

static struct rule_status known = {1u << DOMAIN_WORD, 1u << DOMAIN_WORD, 0};

static inline bool status(void *ctx, const struct record_rule *r,
                          struct rule_status *out, struct err *e)
{
    (void)ctx;
    if (r->hash[0] == '\0')
        return err_set(e, ERR_CHECK, "a rule without a hash");
    *out = known;
    return true;
}

static inline void program(const char *text, struct program *p)
{
    struct err e = {0};
    program_init(p, &pool);
    if (!stablehlo_read(text, strlen(text), "text", p, &e))
        fail_msg("%s", e.msg);
}

static inline bool checks(struct record *r, const char *in, const char *out,
                          bool allow_assumed, struct err *e)
{
    struct program p, q;
    struct check_options o = {status, NULL, allow_assumed};
    program(in, &p);
    program(out, &q);
    bool ok = record_check(r, &p, &q, &o, e);
    program_release(&p);
    program_release(&q);
    return ok;
}

static inline char *written(void)
{
    struct record r;
    struct buf b = {0};
    example(&r);
    record_write(&r, &b);
    record_release(&r);
    return buf_detach(&b);
}

// ---- one wrong thing at a time ----

// Replaces what stands at a path such as "lines.3.law" (value NULL: removes
// it; a negative number for an array: appends).
static inline void change(json_t *root, const char *path, json_t *value)
{
    char key[64];
    json_t *at = root;
    for (;;) {
        size_t n = strcspn(path, ".");
        assert_true(n < sizeof key);
        memcpy(key, path, n);
        key[n] = '\0';
        bool last = path[n] == '\0';
        path += n + !last;
        if (json_is_array(at)) {
            size_t i = (size_t)strtoul(key, NULL, 10);
            if (i >= json_array_size(at) && !(last && value))
                fail_msg("no element %s", key);
            if (last && !value)
                assert_int_equal(json_array_remove(at, i), 0);
            else if (last && i >= json_array_size(at))
                assert_int_equal(json_array_append_new(at, value), 0);
            else if (last)
                assert_int_equal(json_array_set_new(at, i, value), 0);
            at = json_array_get(at, i);
        } else {
            if (last && !value)
                assert_int_equal(json_object_del(at, key), 0);
            else if (last)
                assert_int_equal(json_object_set_new(at, key, value), 0);
            at = json_object_get(at, key);
        }
        if (last)
            return;
        if (!at)
            fail_msg("no %s in the record", key);
    }
}

static inline json_t *look(json_t *root, const char *list, uint32_t i)
{
    return json_array_get(json_object_get(root, list), i);
}

// What reading and checking say; "" if all is well.
static inline void verdict(json_t *root, bool allow_assumed, struct err *e)
{
    struct record r;
    char *text = json_dumps(root, 0);
    assert_non_null(text);
    record_init(&r, &pool);
    if (record_read(&r, text, strlen(text), "r.json", e))
        (void)checks(&r, r.input, r.output, allow_assumed, e);
    record_release(&r);
    free(text);
}

struct change {
    const char *path, *value; // value: JSON, or NULL to remove
    enum err_kind kind;
    const char *says;
};

static inline json_t *loaded(void)
{
    char *text = written();
    json_t *root = json_loads(text, 0, NULL);
    mem_free(text);
    assert_non_null(root);
    return root;
}

static inline void rejected(const struct change *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct err e = {0};
        json_t *root = loaded();
        json_t *value = NULL;
        if (c[i].value)
            value = json_loads(c[i].value, JSON_DECODE_ANY, NULL);
        if (c[i].value && !value)
            fail_msg("%s is not JSON", c[i].value);
        change(root, c[i].path, value);
        verdict(root, false, &e);
        if (!strstr(e.msg, c[i].says) || e.kind != c[i].kind)
            fail_msg("%s = %s: kind %d, %s", c[i].path,
                     c[i].value ? c[i].value : "nothing", (int)e.kind, e.msg);
        json_decref(root);
    }
}

#define REJECTED(list) rejected(list, sizeof list / sizeof *list)

#endif
