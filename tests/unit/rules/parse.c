// SPDX-License-Identifier: Apache-2.0
// The parser: inference, lifting, structure of the arrays, limits, values
// of integer expressions.
#include "tests/unit/support/rules_parsed.h"

// ---- structure: R1, R2, R4 ----

static void check_size(const struct rule *rule, const struct iexp *expr)
{
    assert_non_null(expr);
    if (expr->op == IE_MAP)
        assert_true(expr->map < rule->n_maps);
    else if (expr->op != IE_CONST)
        check_size(rule, expr->a);
    if (expr->b)
        check_size(rule, expr->b);
}

static void check_pat(const struct rule *rule, uint32_t i)
{
    const struct pat *pattern = &rule->pats[i];
    for (uint32_t k = 0; k < pattern->n_args; k++)
        assert_true(pattern->args[k] < i);
    for (uint32_t k = 0; k < pattern->n_sizes; k++) {
        assert_true(pattern->sizes[k].cls < rule->n_classes);
        assert_true(k == 0 || pattern->sizes[k - 1].cls < pattern->sizes[k].cls);
        check_size(rule, pattern->sizes[k].size);
    }
    for (uint32_t k = 1; k < pattern->n_attrs; k++)
        assert_true(pattern->attrs[k - 1].cls < pattern->attrs[k].cls);
    assert_true(pattern->type < rule->n_types);
    assert_true(rule->types[pattern->type].kinds != 0);
    bool each =
        pattern->kind == PAT_OPVAR || (pattern->kind == PAT_OP && op_is_elementwise(pattern->op));
    for (uint32_t k = 0; each && k < pattern->n_args; k++) {
        const struct pat *a = &rule->pats[pattern->args[k]];
        assert_int_equal(a->n_sizes, pattern->n_sizes);
        for (uint32_t s = 0; s < pattern->n_sizes; s++)
            assert_int_equal(a->sizes[s].cls, pattern->sizes[s].cls);
    }
    if (pattern->kind == PAT_SPLAT) {
        assert_true(pattern->n_sizes > 0);
        assert_int_equal(rule->pats[pattern->args[0]].n_sizes, 0);
    }
}

static void check_rule(const struct rule *rule)
{
    for (uint32_t i = 0; i < rule->n_pats; i++)
        check_pat(rule, i);
    for (uint32_t i = 0; i < rule->n_maps; i++) {
        assert_true(rule->maps[i].cls < rule->n_classes);
        if (!rule->maps[i].def)
            assert_true(i == 0 || !rule->maps[i - 1].def);
    }
    for (uint32_t i = 0; i < rule->n_classes; i++) {
        const struct axis_class *cls = &rule->classes[i];
        assert_true(cls->like <= i && cls->joint <= i);
        assert_int_equal(rule->classes[cls->joint].joint, cls->joint);
        assert_false(cls->block && cls->single);
    }
    assert_int_equal(rule->pats[rule->lhs].type, rule->pats[rule->rhs].type);
    assert_int_equal(rule->pats[rule->lhs].n_sizes, rule->pats[rule->rhs].n_sizes);
    assert_int_equal(rule->claims & ~rule_domains(rule), 0);
    assert_int_equal(strlen(rule->hash), 64);
}

static void test_forms(void **state)
{
    (void)state;
    struct ruleset set;
    struct err_list errs = {0};
    ruleset_init(&set);
    bool ok = ruleset_load(&set, FORMS, &errs);
    if (!ok)
        fail_msg("%s:%u:%u: %s", errs.at.at[0].file, errs.at.at[0].line, errs.at.at[0].col,
                 errs.at.at[0].msg);
    assert_true(set.rules.len >= 48);
    for (uint32_t i = 0; i < set.rules.len; i++) {
        check_rule(set.rules.at[i]);
        assert_string_equal(set.rules.at[i]->family, "forms");
    }
    vec_release(&errs.at);
    ruleset_release(&set);
}

// ---- the forms of contractions, indices, reshapes ----

// The text of the left side's size on a class.
static void size_is(struct buf *buf, const struct rule *rule, const char *cls, const char *want)
{
    const struct pat *pattern = &rule->pats[rule->lhs];
    for (uint32_t i = 0; i < pattern->n_sizes; i++) {
        if (strcmp(rule->classes[pattern->sizes[i].cls].name, cls) != 0)
            continue;
        buf_clear(buf);
        iexp_print(rule, pattern->sizes[i].size, buf);
        assert_string_equal(buf_text(buf), want);
        return;
    }
    fail_msg("no size on %s", cls);
}

static void test_contraction_sizes(void **state)
{
    (void)state;
    struct buf buf = {0};
    struct parsed parsed =
        rule_of("rule r { axis b, f, o; axes s; map p, g on b; map m on f; map q on o;"
                "map n, w, t, l, h, d, e on s;"
                "tensor A[b: p, f: m, s: n] : num, K[f: m, o: q, s: w] : num;"
                "conv(A, K, feature={f}, spatial={s}, stride=t, low=l, high=h,"
                " dilation=d, kernel_dilation=e, batch_groups=g) => conv(A, K,"
                " feature={f}, spatial={s}, stride=t, low=l, high=h, dilation=d,"
                " kernel_dilation=e, batch_groups=g); }");
    const struct rule *rule = parsed.set.rules.at[0];
    size_is(&buf, rule, "b", "div(p, g)");
    size_is(&buf, rule, "o", "q");
    size_is(&buf, rule, "s",
            "max(div(max(n - 1, 0)*d + min(n, 1) + l + h"
            " - (max(w - 1, 0)*e + min(w, 1)), t) + 1, 0)");
    assert_int_equal(rule->pats[rule->lhs].n_sizes, 3);
    done(&parsed);
    parsed = rule_of("rule r { axes x; map n, w on x; tensor A[x: n] : num;"
                     "reduce_window(+, A, size=w) => reduce_window(+, A, size=w); }");
    size_is(&buf, parsed.set.rules.at[0], "x", "max(n - w + 1, 0)");
    done(&parsed);
    // R2: a shared size is the first operand's.
    parsed = rule_of("rule r { axes x, y; map n, m on x; map k on y;"
                     "tensor A[x: n, y: k] : num, B[x: m, y: k] : num;"
                     "dot(A, B, contract={y}, batch={x})"
                     " => dot(A, B, contract={y}, batch={x}); }");
    size_is(&buf, parsed.set.rules.at[0], "x", "n");
    assert_int_equal(parsed.set.rules.at[0]->pats[2].n_sizes, 1);
    done(&parsed);
    parsed = rule_of("rule r { axis a; axes b, x, i; map n, k on a; map m on b;"
                     "map o on x; map q on i; tensor A[a: n, b: m, x: o] : T,"
                     "I[b: m, i: q] : int; gather(A, I, axis=a, size=k, batch={b})"
                     " => gather(A, I, axis=a, size=k, batch={b}); }");
    assert_int_equal(parsed.set.rules.at[0]->pats[parsed.set.rules.at[0]->lhs].n_sizes, 4);
    size_is(&buf, parsed.set.rules.at[0], "a", "k");
    size_is(&buf, parsed.set.rules.at[0], "i", "q");
    done(&parsed);
    buf_release(&buf);
}

// Classes of one group are joint, with all that are alike; their maps meet in
// conditions, which hold on the whole set.
static void test_joint(void **state)
{
    (void)state;
    struct buf buf = {0};
    struct parsed parsed = rule_of("rule r { axes w, x; axes y like x; axis a, b, z; axis c like z;"
                                   "map k on w; map n on x; map m on a; map o on b; map q on c;"
                                   "tensor A[w: k, x: n, y: n, a: m, b: o] : num, C[c: q] : num;"
                                   "where n*m*q >= 1, k >= 1;"
                                   "reshape(A, [x, a] -> [z]) + reduce(+, C, {c})"
                                   " => reduce(+, C, {c}) + merge(A, [x, a] -> z); }");
    const struct rule *rule = parsed.set.rules.at[0];
    static const uint32_t joint[] = {0, 1, 1, 1, 4, 1, 1};
    static const bool block[] = {false, true, true, false, false, false, false};
    for (uint32_t c = 0; c < rule->n_classes; c++) {
        assert_int_equal(rule->classes[c].joint, joint[c]);
        assert_int_equal(rule->classes[c].block, block[c]);
    }
    assert_int_equal(rule->n_wheres, 2);
    assert_int_equal(rule->wheres[0].family, 1);
    assert_int_equal(rule->wheres[1].family, 0);
    size_is(&buf, rule, "z", "n*m");
    buf_release(&buf);
    done(&parsed);
}

static void test_indices(void **state)
{
    (void)state;
    struct parsed parsed = rule_of("rule r { let k = clamp(i, 0, n - m) + 1; axes x; map n, m on x;"
                                   "index i on x; tensor A[x: n] : any; let h = n - m;"
                                   "dynamic_slice(A, i, size=m) => dynamic_slice(dynamic_slice(A,"
                                   " start={x: k}), start=min(i, h), size=m); }");
    const struct rule *rule = parsed.set.rules.at[0];
    assert_int_equal(rule->n_maps, 5);
    for (uint32_t m = 0; m < rule->n_maps; m++)
        assert_int_equal(rule->maps[m].index,
                         *rule->maps[m].name == 'i' || *rule->maps[m].name == 'k');
    done(&parsed);
}

static unsigned domains_of(const char *text)
{
    struct parsed parsed = rule_of(text);
    unsigned d = rule_domains(parsed.set.rules.at[0]);
    done(&parsed);
    return d;
}

static void test_domains_of_forms(void **state)
{
    (void)state;
    unsigned real = 1u << DOMAIN_REAL | 1u << DOMAIN_FLOAT;
    unsigned ints = 1u << DOMAIN_INT | 1u << DOMAIN_WORD;
    // Bits belong to machine numbers.
    assert_int_equal(domains_of("rule r { axes x; map n on x; tensor A[x: n] : float;"
                                "bitcast_convert(bitcast_convert(A, int), float) => A; }"),
                     1u << DOMAIN_FLOAT | 1u << DOMAIN_WORD);
    // An index tensor has integers; an index has no domain.
    assert_int_equal(domains_of("rule r { axis a; axes x; map n on a; map m on x;"
                                "tensor A[a: n] : float, I[x: m] : num;"
                                "gather(A, I, axis=a) + 0 => gather(A, I, axis=a); }"),
                     real | ints);
    assert_int_equal(domains_of("rule r { axes x; map n on x; index i on x;"
                                "tensor A[x: n] : float;"
                                "dynamic_slice(A, i) + 0 => dynamic_slice(A, i); }"),
                     real);
    struct parsed parsed = rule_of("rule r { axis a; map n on a; index i on a;"
                                   "tensor A[a: n] : num; broadcast(value(i),"
                                   " {a: n}) => A; }");
    assert_false(rule_only_moves(parsed.set.rules.at[0]));
    done(&parsed);
    parsed = rule_of("rule r { axes x; map n on x; index i on x;"
                     "tensor A[x: n] : any; dynamic_slice(A, i) => A; }");
    assert_false(rule_only_moves(parsed.set.rules.at[0]));
    done(&parsed);
    parsed = rule_of("rule r { axes x; axis z; map n on x; tensor A[x: n] : any;"
                     "split(merge(A, [x] -> z), z -> [x: n]) => A; }");
    assert_true(rule_only_moves(parsed.set.rules.at[0]));
    done(&parsed);
}

static bool is_place(const char *body)
{
    struct buf text = {0};
    buf_printf(&text,
               "rule r { axis a; axes x, i; map n on a; map k on x; map m on i;"
               "tensor J[i: m] : N, A[a: n, x: k] : T; type T : num; %s }",
               body);
    struct parsed parsed = rule_of(buf_text(&text));
    const struct rule *rule = parsed.set.rules.at[0];
    uint32_t j = 0;
    while (strcmp(rule->tensors[j].name, "J") != 0)
        j++;
    assert_false(rule_type_is_place(rule, rule->tensors[1 - j].type)); // A's
    bool yes = rule_type_is_place(rule, rule->tensors[j].type);
    done(&parsed);
    buf_release(&text);
    return yes;
}

// Integers with which nothing is computed.
static void test_places(void **state)
{
    (void)state;
    assert_true(is_place("type N : int; scalar v : N; map l on i;"
                         "gather(A, pad(J, v, low=l, high=0), axis=a) + 0"
                         " => gather(A, pad(J, v, low=l, high=0), axis=a);"));
    static const char *const computed[] = {
        "gather(A, J + J, axis=a) + 0 => gather(A, J, axis=a);",
        "gather(A, J, axis=a) + 0 => gather(A, J + 0, axis=a);",
        "gather(A, pad(J, 0, low=0, high=0), axis=a) => gather(A, J, axis=a);",
        "where all(J >= 0); gather(A, J, axis=a) + 0 => gather(A, J, axis=a);",
        "gather(A, J, axis=a) + broadcast(convert(J, T), {x: k})"
        " => broadcast(convert(J, T), {x: k}) + gather(A, J, axis=a);",
        "op f : elementwise(N) -> N;"
        "gather(A, f(J), axis=a) => gather(A, f(f(J)), axis=a);",
        "type L : int; wider L of N;"
        "gather(A, J, axis=a) + 0 => gather(A, convert(convert(J, L), N),"
        " axis=a);",
    };
    for (size_t i = 0; i < sizeof computed / sizeof *computed; i++) {
        struct buf buf = {0};
        buf_printf(&buf, "type N : int; %s", computed[i]);
        if (is_place(buf_text(&buf)))
            fail_msg("%s", computed[i]);
        buf_release(&buf);
    }
}

// A folder is read in name order, hidden and other files left out; the files
// are the families.
static void test_folder(void **state)
{
    (void)state;
    static const char *const files[] = {"b.rw", "a.rw", "ab/z.rw", "c.txt", ".d.rw"};
    static const char *const order[] = {"a", "z", "b"};
    char dir[] = "/tmp/rules_parse_XXXXXX";
    struct buf path = {0}, text = {0};
    struct err err = {0};
    assert_non_null(mkdtemp(dir));
    buf_printf(&path, "%s/ab", dir);
    assert_int_equal(mkdir(buf_text(&path), 0700), 0);
    for (unsigned i = 0; i < 5; i++) {
        buf_clear(&path);
        buf_clear(&text);
        buf_printf(&path, "%s/%s", dir, files[i]);
        buf_printf(&text, "rule r%u { 1 => 1; }", i);
        assert_true(file_write(buf_text(&path), text.at, text.len, &err));
    }
    struct ruleset set;
    struct err_list errs = {0};
    ruleset_init(&set);
    assert_true(ruleset_load(&set, dir, &errs));
    assert_int_equal(set.rules.len, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_string_equal(set.rules.at[i]->family, order[i]);
    // A named file is read even if hidden; a second time its rule is known.
    assert_true(ruleset_load(&set, buf_text(&path), &errs));
    assert_false(ruleset_load(&set, buf_text(&path), &errs));
    assert_non_null(strstr(errs.at.at[0].msg, "`r4` exists already"));
    assert_non_null(strstr(errs.at.at[0].msg, buf_text(&path))); // and where
    assert_false(ruleset_load(&set, "tests/no such file", &errs));
    assert_int_equal(vec_last(&errs.at).kind, ERR_IO);
    for (unsigned i = 0; i < 5; i++) {
        buf_clear(&path);
        buf_printf(&path, "%s/%s", dir, files[i]);
        assert_int_equal(unlink(buf_text(&path)), 0);
    }
    buf_clear(&path);
    buf_printf(&path, "%s/ab", dir);
    assert_int_equal(rmdir(buf_text(&path)), 0);
    assert_int_equal(rmdir(dir), 0);
    buf_release(&path);
    buf_release(&text);
    vec_release(&errs.at);
    ruleset_release(&set);
}

static void test_doc_and_tags(void **state)
{
    (void)state;
    struct parsed parsed = rule_of("/// Not this one.\n\n  /// One \"line\".\n  ///  Two.\n"
                                   "rule r { origin \"a \\\"b\\\" \\\\\", \"c\"; claims float, int;"
                                   "scalar v : num; v + 0 => v; }");
    const struct rule *rule = parsed.set.rules.at[0];
    assert_string_equal(rule->doc, "One \"line\".\n Two.");
    assert_int_equal(rule->n_origins, 2);
    assert_string_equal(rule->origins[0], "a \"b\" \\");
    assert_int_equal(rule->claims, 1u << DOMAIN_FLOAT | 1u << DOMAIN_INT);
    done(&parsed);
}

static void test_decimals(void **state)
{
    (void)state;
    struct buf buf = {0};
    struct parsed parsed = rule_of("rule r { scalar v : float;"
                                   "v*000.500 + -0.0 - 1.0*inf - -inf => 10.250*v - -2; }");
    const struct rule *rule = parsed.set.rules.at[0];
    assert_string_equal(text_of(&buf, rule, rule->lhs), "v*0.5 + -0.0 - 1.0*inf - -inf");
    assert_string_equal(text_of(&buf, rule, rule->rhs), "10.25*v - -2");
    buf_release(&buf);
    done(&parsed);
}

// ---- limits ----

static void repeat(struct buf *buf, const char *text, unsigned n)
{
    while (n--)
        buf_puts(buf, text);
}

// Deep, long and large texts are refused with an error, quickly.
static void test_limits(void **state)
{
    (void)state;
    static const char *const parts[][3] = {
        {"rule r { scalar v : num; ", "(", "v => v; }"},
        {"rule r { scalar v : num; ", "-", "v => v; }"},
        {"rule r { scalar v : num; v => v", " + v", "; }"},
        {"rule r { axes x; map n on x; tensor A[x: ", "(", "n] : num; A => A; }"},
        {"rule r { axes x; map n on x; tensor A[x: n", " + n", "] : num; A => A; }"},
        {"rule r { axes x; map n on x; tensor A[x: n] : num; where ", "not ", "n < 1; A => A; }"},
        {"rule r { axes x; map n on x; tensor A[x: n] : num; where ", "(", "n < 1; A => A; }"},
        {"rule r { axes x; map n on x; tensor A[x: n] : num; where n < 1", " and n < 1",
         "; A => A; }"},
        {"rule r { axes x; map n on x; tensor A[x: n] : num; ", "pad(", "A; A => A; }"},
        {"rule r { axes x; map n on x; tensor A[x: n] : num; A => A", " ;A => A", "; }"},
        {"", "rule ", ""},
        {"", "rule r {", ""},
        {"", "rule _ { 1 => 1; } rule a { 1 => b; } ", ""},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct buf buf = {0};
        buf_puts(&buf, parts[i][0]);
        repeat(&buf, parts[i][1], 20000);
        buf_puts(&buf, parts[i][2]);
        struct parsed parsed = parse(buf_text(&buf));
        assert_false(parsed.ok);
        assert_true(parsed.errs.at.len <= 100);
        buf_release(&buf);
        done(&parsed);
    }
}

// A padding doubles its operand's size expression: 2^n without a limit.
static void test_size_growth(void **state)
{
    (void)state;
    struct buf buf = {0};
    buf_puts(&buf, "rule r { axes x; map n, l, h, i on x; tensor A[x: n] : num;"
                   "reduce(+, ");
    repeat(&buf, "pad(", 40);
    buf_puts(&buf, "A");
    repeat(&buf, ", 0, low=l, high=h, interior=i)", 40);
    buf_puts(&buf, ", {x}) => reduce(+, A, {x}); }");
    struct parsed parsed = parse(buf_text(&buf));
    assert_false(parsed.ok);
    assert_int_equal(parsed.errs.at.len, 1);
    assert_non_null(strstr(parsed.errs.at.at[0].msg, "1000"));
    buf_release(&buf);
    done(&parsed);
}

static void test_many_classes(void **state)
{
    (void)state;
    for (unsigned n = 64; n <= 65; n++) {
        struct buf buf = {0};
        buf_puts(&buf, "rule r {\n");
        for (unsigned i = 0; i < n; i++)
            buf_printf(&buf, "axes x%u; map n%u on x%u;\n", i, i, i);
        buf_puts(&buf, "tensor A[] : num; A => A");
        for (unsigned i = 0; i < n; i++)
            buf_printf(&buf, "*reduce(+, broadcast(A, {x%u: n%u}), {x%u})", i, i, i);
        buf_puts(&buf, "; }");
        struct parsed parsed = parse(buf_text(&buf));
        assert_int_equal(parsed.ok, n == 64);
        if (n == 65)
            assert_non_null(strstr(parsed.errs.at.at[0].msg, "64"));
        buf_release(&buf);
        done(&parsed);
    }
}

// ---- integer expressions ----

static void check_value(const char *text, int64_t n, int64_t s, bool defined, int64_t want)
{
    struct buf buf = {0};
    int64_t out = 0;
    buf_printf(&buf,
               "rule r { axes x; map n, s on x; tensor A[x: n] : num;"
               "slice(A, start={x: %s}) => slice(A, start=s); }",
               text);
    struct parsed parsed = rule_of(buf_text(&buf));
    const struct rule *rule = parsed.set.rules.at[0];
    int64_t *const values[2] = {&n, &s};
    bool ok = iexp_eval(rule->pats[rule->lhs].attrs[0].expr[0], values, 0, &out);
    if (ok != defined || (ok && out != want))
        fail_msg("%s at %lld, %lld: %d %lld", text, (long long)n, (long long)s, ok, (long long)out);
    buf_release(&buf);
    done(&parsed);
}

static void test_values(void **state)
{
    (void)state;
    check_value("n + s*2 - -3", 5, 7, true, 22);
    check_value("div(n, s)", -7, 2, true, -4);
    check_value("div(n, s)", 7, -2, true, -4);
    check_value("div(n, s)", 7, 0, false, 0);
    check_value("div(n, s)", INT64_MIN, -1, false, 0);
    check_value("mod(n, s)", -7, 2, true, 1);
    check_value("mod(n, s)", 7, -2, true, -1);
    check_value("mod(n, s)", INT64_MIN, -1, true, 0);
    check_value("mod(n, s)", 7, 0, false, 0);
    check_value("ceildiv(n, s)", 7, 2, true, 4);
    check_value("ceildiv(n, s)", -7, 2, true, -3);
    check_value("ceildiv(n, s)", -7, -2, true, 4);
    check_value("ceildiv(n, s)", 7, 0, false, 0);
    check_value("min(n, s, 3)", 5, 4, true, 3);
    check_value("max(n, s, 3)", 5, 4, true, 5);
    check_value("abs(n) + s", -5, 0, true, 5);
    check_value("abs(n) + s", INT64_MIN, 0, false, 0);
    check_value("-n + s", INT64_MIN, 0, false, 0);
    check_value("n + s", INT64_MAX, 1, false, 0);
    check_value("n*s", INT64_MAX, 2, false, 0);
    check_value("-n*s", 2, 3, true, -6);
    check_value("n - s - 1", 9, 3, true, 5);
    check_value("n - (s - 1)", 9, 3, true, 7);
}

static void check_condition(const char *text, int64_t n, int64_t s, bool want)
{
    struct buf buf = {0};
    buf_printf(&buf,
               "rule r { axes x; map n, s on x; tensor A[x: n] : num;"
               "where not (%s); slice(A, start=s) => A; }",
               text);
    struct parsed parsed = rule_of(buf_text(&buf));
    int64_t *const values[2] = {&n, &s};
    bool out = !want;
    const struct rule *rule = parsed.set.rules.at[0];
    assert_int_equal(rule->n_wheres, 1);
    assert_true(cond_eval(rule->wheres[0].cond, values, 0, &out));
    if (out == want)
        fail_msg("%s at %lld, %lld", text, (long long)n, (long long)s);
    buf_release(&buf);
    done(&parsed);
}

static void test_conditions(void **state)
{
    (void)state;
    check_condition("0 <= s < n", 4, 3, true);
    check_condition("0 <= s < n", 4, 4, false);
    check_condition("n > s", 4, 3, true);
    check_condition("n >= s", 3, 4, false);
    check_condition("n == s or n != 3", 4, 3, true);
    check_condition("n == 4 and s == 4", 4, 3, false);
    check_condition("n == 4 => s == 4", 4, 3, false);
    check_condition("n == 3 => s == 4", 4, 3, true);
    check_condition("n == 3 => s == 4 => s == 5", 3, 4, false);
    check_condition("not n == 3 and s == 3", 4, 3, true);
    check_condition("n == 4 or n == 5 and s == 4", 4, 3, true);
    check_condition("(n + 1)*(s) < 17", 4, 3, true);
    check_condition("((n < s) or (s < n))", 4, 3, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_contraction_sizes),
        cmocka_unit_test(test_joint),
        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_domains_of_forms),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_folder),
        cmocka_unit_test(test_doc_and_tags),
        cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_size_growth),
        cmocka_unit_test(test_many_classes),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
