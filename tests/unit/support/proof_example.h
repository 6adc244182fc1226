// SPDX-License-Identifier: Apache-2.0
// For tests: a proof record built by hand with a line of every kind, and ways
// to change its JSON in one place and to see what reading and checking say.
#ifndef TESTS_UNIT_SUPPORT_PROOF_EXAMPLE_H
#define TESTS_UNIT_SUPPORT_PROOF_EXAMPLE_H

#include "io/stablehlo/stablehlo.h"
#include "proof/emit/emit.h"
#include "proof/program/check.h"
#include "tensor/fold/layout.h"
#include <setjmp.h>
#include <stdarg.h>
#include <jansson.h>
#include <stdlib.h>
#include <cmocka.h>

#define ZERO "rule zero { axes x; map n on x; tensor A[x: n] : num; A + 0 => A; }"
#define CUT                                                                                        \
    "rule cut { axes x; map n, s on x; tensor A[x: n] : any; where s == 0;"                        \
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

static inline uint32_t add_rule(struct record *record, const char *text)
{
    struct ruleset set;
    struct err_list errs = {0};
    struct err err = {0};
    uint32_t index;
    ruleset_init(&set);
    if (!ruleset_parse(&set, text, strlen(text), "test", &errs))
        fail_msg("%s", errs.at.at[0].msg);
    const struct rule *rule = set.rules.at[0];
    if (!record_add_rule(record, rule->name, rule->canonical, false, &index, &err))
        fail_msg("%s", err.msg);
    assert_string_equal(record->rules.at[index].hash, rule->hash);
    ruleset_release(&set);
    vec_release(&errs.at);
    return index;
}

// A use of the rule at class sizes 2x3: every map 0 but those of the tensor's
// sizes.
static inline struct record_line rule_line(struct record *record, uint32_t rule, bool backward)
{
    const struct rule *ru = record->rules.at[rule].rule;
    uint32_t rank[] = {2};
    int64_t size[] = {2, 3}, zero[] = {0, 0}, *map[8];
    enum elem elem[] = {ELEM_I32};
    for (uint32_t m = 0; m < ru->n_maps; m++)
        map[m] = ru->tensors[0].sizes[0].size->map == m ? size : zero;
    struct ground ground = {rank, map, elem, NULL, ELEM_I32};
    struct record_line line = {.kind = LINE_RULE, .rule = rule};
    struct instance *in;
    struct err err = {0};
    term_id lhs, rhs;
    if (rule_ground(ru, &ground, (struct ground_place){&record->terms, NULL, &record->mem},
                    (struct ground_out){&in, &lhs, &rhs, NULL}, &err) != GROUND_OK)
        fail_msg("%s", err.msg);
    struct u32_vec same = {0};
    for (uint32_t i = 0; i < record->terms.term.len; i++)
        vec_push(&same, i);
    line.inst = record_copy_instance(record, rule, in, &same);
    vec_release(&same);
    line.where = where_text(line.inst, &record->terms, &record->mem);
    line.backward = backward;
    line.a = backward ? rhs : lhs;
    line.b = backward ? lhs : rhs;
    return line;
}

static inline void part(struct record *record, struct record_line *l, uint32_t line, uint32_t arg,
                        bool flip)
{
    struct line_part p = {line, arg, flip};
    if (l->n_parts++ == 0)
        l->parts_at = record->parts.len;
    vec_push(&record->parts, p);
}

static inline term_id node(struct record *record, enum op op, uint32_t n_attr, const int64_t *attr,
                           uint32_t n, const term_id *args)
{
    struct err err = {0};
    term_id out;
    if (!term_build(&record->terms,
                    (struct operation){op, attr_make(&pool, n_attr, attr), NO_TYPE, n}, args, &out,
                    &err))
        fail_msg("%s", err.msg);
    return out;
}

static inline term_id transposed(struct record *record, term_id term)
{
    static const int64_t swap[] = {1, 0};
    return node(record, OP_TRANSPOSE, 2, swap, 1, &term);
}

static inline void goal(struct record *record, uint32_t root, term_id in, term_id out,
                        uint32_t line, bool flip)
{
    struct record_goal g = {0, root, in, out, line, flip};
    vec_push(&record->goals, g);
}

static inline void example(struct record *record)
{
    record_init(record, &pool);
    record->input = input_text;
    record->output = output_text;
    record->input_name = "example.mlir";
    uint32_t zero = add_rule(record, ZERO), cut = add_rule(record, CUT);
    struct record_line line = rule_line(record, zero, false);
    term_id sum = line.a, term = line.b, t1 = transposed(record, sum), t2 = transposed(record, t1);
    term_id u1 = transposed(record, term), u2 = transposed(record, u1), law;
    type_id type = term_type(&record->terms, term);
    vec_push(&record->lines, line);
    line = (struct record_line){.kind = LINE_CONG, .a = t1, .b = u1};
    part(record, &line, L_ZERO, 0, false);
    vec_push(&record->lines, line);
    line = (struct record_line){.kind = LINE_CONG, .a = t2, .b = u2};
    part(record, &line, L_CONG1, 0, false);
    vec_push(&record->lines, line);
    assert_true(layout_rewrite(&record->terms, u2, LAYOUT_COMPOSE, &law));
    assert_int_equal(law.v, term.v);
    line = (struct record_line){.kind = LINE_LAYOUT, .a = u2, .b = term, .law = LAYOUT_COMPOSE};
    vec_push(&record->lines, line);
    line = (struct record_line){.kind = LINE_TRANS, .a = t2, .b = term};
    part(record, &line, L_CONG2, 0, false);
    part(record, &line, L_LAW, 0, false);
    vec_push(&record->lines, line);
    term_id one = term_constant(&record->terms,
                                literal_splat(&pool, ELEM_I32, scalar_of_int(ELEM_I32, 1)), type);
    term_id two = term_constant(&record->terms,
                                literal_splat(&pool, ELEM_I32, scalar_of_int(ELEM_I32, 2)), type);
    term_id ones = node(record, OP_ADD, 0, NULL, 2, (term_id[]){one, one});
    line = (struct record_line){.kind = LINE_FOLD, .a = ones, .b = two};
    vec_push(&record->lines, line);
    line = (struct record_line){.kind = LINE_CONG,
                                .a = node(record, OP_MULTIPLY, 0, NULL, 2, (term_id[]){t2, ones}),
                                .b = node(record, OP_MULTIPLY, 0, NULL, 2, (term_id[]){term, two})};
    part(record, &line, L_TRANS, 0, false);
    part(record, &line, L_FOLD, 1, false);
    vec_push(&record->lines, line);
    goal(record, 0, line.a, line.b, L_TOP, false);
    vec_push(&record->lines, rule_line(record, zero, true));
    goal(record, 1, term, sum, L_BACK, false);
    vec_push(&record->lines, rule_line(record, cut, false));
    goal(record, 2, record->lines.at[L_CUT].a, term, L_CUT, false);
}

static struct rule_status known = {1u << DOMAIN_WORD, 1u << DOMAIN_WORD, 0};

static inline bool status(void *ctx, const struct record_rule *rule, struct rule_status *out,
                          struct err *err)
{
    (void)ctx;
    if (rule->hash[0] == '\0')
        return err_set(err, ERR_CHECK, "a rule without a hash");
    *out = known;
    return true;
}

static inline void program(const char *text, struct program *p)
{
    struct err err = {0};
    program_init(p, &pool);
    if (!stablehlo_read(text, strlen(text), "text", p, &err))
        fail_msg("%s", err.msg);
}

static inline bool checks(struct record *record, const char *in, const char *out,
                          bool allow_assumed, struct err *err)
{
    struct program p, q;
    struct check_options options = {status, NULL, allow_assumed};
    program(in, &p);
    program(out, &q);
    bool ok = record_check(record, &p, &q, &options, err);
    program_release(&p);
    program_release(&q);
    return ok;
}

static inline char *written(void)
{
    struct record record;
    struct buf buf = {0};
    example(&record);
    struct err err = {0};
    if (!record_write(&record, &buf, &err))
        fail_msg("%s", err.msg);
    record_release(&record);
    return buf_detach(&buf);
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
static inline void verdict(json_t *root, bool allow_assumed, struct err *err)
{
    struct record record;
    char *text = json_dumps(root, 0);
    assert_non_null(text);
    record_init(&record, &pool);
    if (record_read(&record, text, strlen(text), "r.json", err))
        (void)checks(&record, record.input, record.output, allow_assumed, err);
    record_release(&record);
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
        struct err err = {0};
        json_t *root = loaded();
        json_t *value = NULL;
        if (c[i].value)
            value = json_loads(c[i].value, JSON_DECODE_ANY, NULL);
        if (c[i].value && !value)
            fail_msg("%s is not JSON", c[i].value);
        change(root, c[i].path, value);
        verdict(root, false, &err);
        if (!strstr(err.msg, c[i].says) || err.kind != c[i].kind)
            fail_msg("%s = %s: kind %d, %s", c[i].path, c[i].value ? c[i].value : "nothing",
                     (int)err.kind, err.msg);
        json_decref(root);
    }
}

#define REJECTED(list) rejected(list, sizeof list / sizeof *list)

#endif
