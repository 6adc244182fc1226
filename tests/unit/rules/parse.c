// SPDX-License-Identifier: Apache-2.0
// The parser: inference, lifting, structure of the arrays, limits, values
// of integer expressions.
#include "rules/rule.h"
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <sys/stat.h>
#include <unistd.h>

#define FORMS "tests/rules/forms.rw"

struct parsed {
    struct ruleset set;
    struct err_list errs;
    bool ok;
};

static struct parsed parse(const char *text)
{
    struct parsed p = {0};
    ruleset_init(&p.set);
    p.ok = ruleset_parse(&p.set, text, strlen(text), "test.rw", &p.errs);
    return p;
}

static void done(struct parsed *p)
{
    vec_release(&p->errs.at);
    ruleset_release(&p->set);
}

// One rule that must parse.
static struct parsed rule_of(const char *text)
{
    struct parsed p = parse(text);
    if (!p.ok)
        fail_msg("%u:%u: %s\n%s", p.errs.at.at[0].line, p.errs.at.at[0].col,
                 p.errs.at.at[0].msg, text);
    assert_int_equal(p.set.rules.len, 1);
    return p;
}

static const char *text_of(struct buf *b, const struct rule *r, uint32_t pat)
{
    buf_clear(b);
    pat_print(r, pat, b);
    return buf_text(b);
}

// ---- structure: R1, R2, R4 ----

static void check_size(const struct rule *r, const struct iexp *x)
{
    assert_non_null(x);
    if (x->op == IE_MAP)
        assert_true(x->map < r->n_maps);
    else if (x->op != IE_CONST)
        check_size(r, x->a);
    if (x->b)
        check_size(r, x->b);
}

static void check_pat(const struct rule *r, uint32_t i)
{
    const struct pat *n = &r->pats[i];
    for (uint32_t k = 0; k < n->n_args; k++)
        assert_true(n->args[k] < i);
    for (uint32_t k = 0; k < n->n_sizes; k++) {
        assert_true(n->sizes[k].cls < r->n_classes);
        assert_true(k == 0 || n->sizes[k - 1].cls < n->sizes[k].cls);
        check_size(r, n->sizes[k].size);
    }
    for (uint32_t k = 1; k < n->n_attrs; k++)
        assert_true(n->attrs[k - 1].cls < n->attrs[k].cls);
    assert_true(n->type < r->n_types);
    assert_true(r->types[n->type].kinds != 0);
    bool each =
        n->kind == PAT_OPVAR || (n->kind == PAT_OP && op_is_elementwise(n->op));
    for (uint32_t k = 0; each && k < n->n_args; k++) {
        const struct pat *a = &r->pats[n->args[k]];
        assert_int_equal(a->n_sizes, n->n_sizes);
        for (uint32_t s = 0; s < n->n_sizes; s++)
            assert_int_equal(a->sizes[s].cls, n->sizes[s].cls);
    }
    if (n->kind == PAT_SPLAT) {
        assert_true(n->n_sizes > 0);
        assert_int_equal(r->pats[n->args[0]].n_sizes, 0);
    }
}

static void check_rule(const struct rule *r)
{
    for (uint32_t i = 0; i < r->n_pats; i++)
        check_pat(r, i);
    for (uint32_t i = 0; i < r->n_maps; i++) {
        assert_true(r->maps[i].cls < r->n_classes);
        if (!r->maps[i].def)
            assert_true(i == 0 || !r->maps[i - 1].def);
    }
    for (uint32_t i = 0; i < r->n_classes; i++) {
        const struct axis_class *c = &r->classes[i];
        assert_true(c->like <= i && c->joint <= i);
        assert_int_equal(r->classes[c->joint].joint, c->joint);
        assert_false(c->block && c->single);
    }
    assert_int_equal(r->pats[r->lhs].type, r->pats[r->rhs].type);
    assert_int_equal(r->pats[r->lhs].n_sizes, r->pats[r->rhs].n_sizes);
    assert_int_equal(r->claims & ~rule_domains(r), 0);
    assert_int_equal(strlen(r->hash), 64);
}

static void test_forms(void **state)
{
    (void)state;
    struct ruleset s;
    struct err_list errs = {0};
    ruleset_init(&s);
    bool ok = ruleset_load(&s, FORMS, &errs);
    if (!ok)
        fail_msg("%s:%u:%u: %s", errs.at.at[0].file, errs.at.at[0].line,
                 errs.at.at[0].col, errs.at.at[0].msg);
    assert_true(s.rules.len >= 48);
    for (uint32_t i = 0; i < s.rules.len; i++) {
        check_rule(s.rules.at[i]);
        assert_string_equal(s.rules.at[i]->family, "forms");
    }
    vec_release(&errs.at);
    ruleset_release(&s);
}

// ---- the forms of contractions, indices, reshapes ----

// The text of the left side's size on a class.
static void size_is(struct buf *b, const struct rule *r, const char *cls,
                    const char *want)
{
    const struct pat *n = &r->pats[r->lhs];
    for (uint32_t i = 0; i < n->n_sizes; i++) {
        if (strcmp(r->classes[n->sizes[i].cls].name, cls) != 0)
            continue;
        buf_clear(b);
        iexp_print(r, n->sizes[i].size, b);
        assert_string_equal(buf_text(b), want);
        return;
    }
    fail_msg("no size on %s", cls);
}

static void test_contraction_sizes(void **state)
{
    (void)state;
    struct buf b = {0};
    struct parsed p = rule_of(
        "rule r { axis b, f, o; axes s; map p, g on b; map m on f; map q on o;"
        "map n, w, t, l, h, d, e on s;"
        "tensor A[b: p, f: m, s: n] : num, K[f: m, o: q, s: w] : num;"
        "conv(A, K, feature={f}, spatial={s}, stride=t, low=l, high=h,"
        " dilation=d, kernel_dilation=e, batch_groups=g) => conv(A, K,"
        " feature={f}, spatial={s}, stride=t, low=l, high=h, dilation=d,"
        " kernel_dilation=e, batch_groups=g); }");
    const struct rule *r = p.set.rules.at[0];
    size_is(&b, r, "b", "div(p, g)");
    size_is(&b, r, "o", "q");
    size_is(&b, r, "s",
            "max(div(max(n - 1, 0)*d + min(n, 1) + l + h"
            " - (max(w - 1, 0)*e + min(w, 1)), t) + 1, 0)");
    assert_int_equal(r->pats[r->lhs].n_sizes, 3);
    done(&p);
    p = rule_of(
        "rule r { axes x; map n, w on x; tensor A[x: n] : num;"
        "reduce_window(+, A, size=w) => reduce_window(+, A, size=w); }");
    size_is(&b, p.set.rules.at[0], "x", "max(n - w + 1, 0)");
    done(&p);
    // R2: a shared size is the first operand's.
    p = rule_of("rule r { axes x, y; map n, m on x; map k on y;"
                "tensor A[x: n, y: k] : num, B[x: m, y: k] : num;"
                "dot(A, B, contract={y}, batch={x})"
                " => dot(A, B, contract={y}, batch={x}); }");
    size_is(&b, p.set.rules.at[0], "x", "n");
    assert_int_equal(p.set.rules.at[0]->pats[2].n_sizes, 1);
    done(&p);
    p = rule_of("rule r { axis a; axes b, x, i; map n, k on a; map m on b;"
                "map o on x; map q on i; tensor A[a: n, b: m, x: o] : T,"
                "I[b: m, i: q] : int; gather(A, I, axis=a, size=k, batch={b})"
                " => gather(A, I, axis=a, size=k, batch={b}); }");
    assert_int_equal(p.set.rules.at[0]->pats[p.set.rules.at[0]->lhs].n_sizes,
                     4);
    size_is(&b, p.set.rules.at[0], "a", "k");
    size_is(&b, p.set.rules.at[0], "i", "q");
    done(&p);
    buf_release(&b);
}

// Classes of one group are joint, with all that are alike; their maps meet in
// conditions, which hold on the whole set.
static void test_joint(void **state)
{
    (void)state;
    struct buf b = {0};
    struct parsed p = rule_of(
        "rule r { axes w, x; axes y like x; axis a, b, z; axis c like z;"
        "map k on w; map n on x; map m on a; map o on b; map q on c;"
        "tensor A[w: k, x: n, y: n, a: m, b: o] : num, C[c: q] : num;"
        "where n*m*q >= 1, k >= 1;"
        "reshape(A, [x, a] -> [z]) + reduce(+, C, {c})"
        " => reduce(+, C, {c}) + merge(A, [x, a] -> z); }");
    const struct rule *r = p.set.rules.at[0];
    static const uint32_t joint[] = {0, 1, 1, 1, 4, 1, 1};
    static const bool block[] = {false, true, true, false, false, false, false};
    for (uint32_t c = 0; c < r->n_classes; c++) {
        assert_int_equal(r->classes[c].joint, joint[c]);
        assert_int_equal(r->classes[c].block, block[c]);
    }
    assert_int_equal(r->n_wheres, 2);
    assert_int_equal(r->wheres[0].family, 1);
    assert_int_equal(r->wheres[1].family, 0);
    size_is(&b, r, "z", "n*m");
    buf_release(&b);
    done(&p);
}

static void test_indices(void **state)
{
    (void)state;
    struct parsed p = rule_of(
        "rule r { let k = clamp(i, 0, n - m) + 1; axes x; map n, m on x;"
        "index i on x; tensor A[x: n] : any; let h = n - m;"
        "dynamic_slice(A, i, size=m) => dynamic_slice(dynamic_slice(A,"
        " start={x: k}), start=min(i, h), size=m); }");
    const struct rule *r = p.set.rules.at[0];
    assert_int_equal(r->n_maps, 5);
    for (uint32_t m = 0; m < r->n_maps; m++)
        assert_int_equal(r->maps[m].index,
                         *r->maps[m].name == 'i' || *r->maps[m].name == 'k');
    done(&p);
}

static unsigned domains_of(const char *text)
{
    struct parsed p = rule_of(text);
    unsigned d = rule_domains(p.set.rules.at[0]);
    done(&p);
    return d;
}

static void test_domains_of_forms(void **state)
{
    (void)state;
    unsigned real = 1u << DOMAIN_REAL | 1u << DOMAIN_FLOAT;
    unsigned ints = 1u << DOMAIN_INT | 1u << DOMAIN_WORD;
    // Bits belong to machine numbers.
    assert_int_equal(
        domains_of("rule r { axes x; map n on x; tensor A[x: n] : float;"
                   "bitcast_convert(bitcast_convert(A, int), float) => A; }"),
        1u << DOMAIN_FLOAT | 1u << DOMAIN_WORD);
    // An index tensor has integers; an index has no domain.
    assert_int_equal(
        domains_of("rule r { axis a; axes x; map n on a; map m on x;"
                   "tensor A[a: n] : float, I[x: m] : num;"
                   "gather(A, I, axis=a) + 0 => gather(A, I, axis=a); }"),
        real | ints);
    assert_int_equal(
        domains_of("rule r { axes x; map n on x; index i on x;"
                   "tensor A[x: n] : float;"
                   "dynamic_slice(A, i) + 0 => dynamic_slice(A, i); }"),
        real);
    struct parsed p = rule_of("rule r { axis a; map n on a; index i on a;"
                              "tensor A[a: n] : num; broadcast(value(i),"
                              " {a: n}) => A; }");
    assert_false(rule_only_moves(p.set.rules.at[0]));
    done(&p);
    p = rule_of("rule r { axes x; map n on x; index i on x;"
                "tensor A[x: n] : any; dynamic_slice(A, i) => A; }");
    assert_false(rule_only_moves(p.set.rules.at[0]));
    done(&p);
    p = rule_of("rule r { axes x; axis z; map n on x; tensor A[x: n] : any;"
                "split(merge(A, [x] -> z), z -> [x: n]) => A; }");
    assert_true(rule_only_moves(p.set.rules.at[0]));
    done(&p);
}

static bool is_place(const char *body)
{
    struct buf text = {0};
    buf_printf(&text,
               "rule r { axis a; axes x, i; map n on a; map k on x; map m on i;"
               "tensor J[i: m] : N, A[a: n, x: k] : T; type T : num; %s }",
               body);
    struct parsed p = rule_of(buf_text(&text));
    const struct rule *r = p.set.rules.at[0];
    uint32_t j = 0;
    while (strcmp(r->tensors[j].name, "J") != 0)
        j++;
    assert_false(rule_type_is_place(r, r->tensors[1 - j].type)); // A's
    bool yes = rule_type_is_place(r, r->tensors[j].type);
    done(&p);
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
        struct buf b = {0};
        buf_printf(&b, "type N : int; %s", computed[i]);
        if (is_place(buf_text(&b)))
            fail_msg("%s", computed[i]);
        buf_release(&b);
    }
}

// A folder is read in name order, hidden and other files left out; the files
// are the families.
static void test_folder(void **state)
{
    (void)state;
    static const char *const files[] = {"b.rw", "a.rw", "ab/z.rw", "c.txt",
                                        ".d.rw"};
    static const char *const order[] = {"a", "z", "b"};
    char dir[] = "/tmp/rules_parse_XXXXXX";
    struct buf path = {0}, text = {0};
    struct err e = {0};
    assert_non_null(mkdtemp(dir));
    buf_printf(&path, "%s/ab", dir);
    assert_int_equal(mkdir(buf_text(&path), 0700), 0);
    for (unsigned i = 0; i < 5; i++) {
        buf_clear(&path);
        buf_clear(&text);
        buf_printf(&path, "%s/%s", dir, files[i]);
        buf_printf(&text, "rule r%u { 1 => 1; }", i);
        assert_true(file_write(buf_text(&path), text.at, text.len, &e));
    }
    struct ruleset s;
    struct err_list errs = {0};
    ruleset_init(&s);
    assert_true(ruleset_load(&s, dir, &errs));
    assert_int_equal(s.rules.len, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_string_equal(s.rules.at[i]->family, order[i]);
    // A named file is read even if hidden; a second time its rule is known.
    assert_true(ruleset_load(&s, buf_text(&path), &errs));
    assert_false(ruleset_load(&s, buf_text(&path), &errs));
    assert_non_null(strstr(errs.at.at[0].msg, "`r4` exists already"));
    assert_false(ruleset_load(&s, "tests/no such file", &errs));
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
    ruleset_release(&s);
}

// ---- inference ----

// The inferred size of the left side along its only class.
static void check_inferred(const char *lhs, const char *size)
{
    struct buf text = {0}, b = {0};
    buf_printf(&text,
               "rule r { axes x; axis a; map n, s, e, p on x; map k, j on a;"
               "tensor A[x: n] : T, C[a: k] : T, D[a: j] : T;"
               "where s <= e, p <= n, k <= j;"
               "reduce(+, C, {a}) + reduce(+, D, {a}) + reduce(+, A, {x})"
               "+ reduce(+, %s, {x}) => 0; }",
               lhs);
    struct parsed q = rule_of(buf_text(&text));
    const struct rule *r = q.set.rules.at[0];
    const struct pat *top = &r->pats[r->lhs];
    const struct pat *n = &r->pats[r->pats[top->args[1]].args[0]];
    assert_int_equal(n->n_sizes, 1);
    iexp_print(r, n->sizes[0].size, &b);
    assert_string_equal(buf_text(&b), size);
    buf_release(&b);
    buf_release(&text);
    done(&q);
}

static void test_sizes(void **state)
{
    (void)state;
    check_inferred("slice(A, start=s, limit=e, stride=p)", "ceildiv(e - s, p)");
    check_inferred("slice(A, start=s)", "n - s");
    check_inferred("slice(A, limit=e)", "e");
    check_inferred("slice(A, stride=p)", "ceildiv(n, p)");
    check_inferred("pad(A, 0, low=s)", "n + s");
    check_inferred("pad(A, 0, low=s, high=e, interior=p)",
                   "n + s + e + max(n - 1, 0)*p");
    check_inferred("pad(A, 0, low=1, high=-1)", "n + 1 + -1");
    check_inferred("reduce(+, broadcast(A, {a: k}), {a})", "n");
    check_inferred("broadcast(0, {x: e}) + A", "n");
    check_inferred("broadcast(0, {x: e}) + 1", "e");
    check_inferred("reverse(A, {x})", "n");
    check_inferred("reduce(+, concat(broadcast(C, {x: s}), broadcast(D, "
                   "{x: e}), axis=a), {a})",
                   "s");
}

static void test_concat_size(void **state)
{
    (void)state;
    struct buf b = {0};
    struct parsed q = rule_of(
        "rule r { axis a; map k, j on a; tensor C[a: k] : any, D[a: j] : any;"
        "concat(C, D, C, axis=a) => concat(concat(C, D, axis=a), C, axis=a);"
        "}");
    const struct rule *r = q.set.rules.at[0];
    iexp_print(r, r->pats[r->lhs].sizes[0].size, &b);
    assert_string_equal(buf_text(&b), "k + j + k");
    assert_true(rule_only_moves(r));
    buf_release(&b);
    done(&q);
}

static void test_lifting(void **state)
{
    (void)state;
    struct buf b = {0};
    struct parsed q =
        rule_of("rule r { axes x; map n on x; tensor A[x: n] : num;"
                "scalar c, d : num; select(c < d, A, 1) + (c + d) => 0; }");
    const struct rule *r = q.set.rules.at[0];
    const struct pat *top = &r->pats[r->lhs];
    const struct pat *sel = &r->pats[top->args[0]];
    const struct pat *sum = &r->pats[top->args[1]];
    assert_int_equal(sum->kind, PAT_SPLAT);
    assert_int_equal(r->pats[sum->args[0]].op, OP_ADD);
    assert_int_equal(r->pats[sum->args[0]].n_sizes, 0);
    assert_int_equal(r->pats[sel->args[0]].kind, PAT_SPLAT);
    assert_int_equal(r->pats[sel->args[1]].kind, PAT_TENSOR);
    assert_int_equal(r->pats[sel->args[2]].kind, PAT_SPLAT);
    assert_int_equal(r->pats[r->rhs].kind, PAT_SPLAT);
    assert_int_equal(r->n_types, 2); // numbers and the predicate
    assert_string_equal(text_of(&b, r, r->lhs),
                        "select(c < d, A, 1) + (c + d)");
    assert_false(rule_only_moves(r));
    buf_release(&b);
    done(&q);
}

static void test_rank_zero_is_not_lifted(void **state)
{
    (void)state;
    struct parsed q = rule_of("rule r { scalar v : num; 0 => v - v; }");
    const struct rule *r = q.set.rules.at[0];
    for (uint32_t i = 0; i < r->n_pats; i++)
        assert_int_not_equal(r->pats[i].kind, PAT_SPLAT);
    assert_int_equal(r->pats[r->lhs].n_sizes, 0);
    done(&q);
}

static void check_kinds(const char *decls, const char *main, unsigned kinds,
                        unsigned domains)
{
    struct buf text = {0};
    buf_printf(&text, "rule r { axes x; map n on x; %s; %s; }", decls, main);
    struct parsed q = rule_of(buf_text(&text));
    const struct rule *r = q.set.rules.at[0];
    assert_int_equal(r->types[r->tensors[0].type].kinds, kinds);
    assert_int_equal(rule_domains(r), domains);
    assert_int_equal(r->claims, domains);
    buf_release(&text);
    done(&q);
}

static void test_types(void **state)
{
    (void)state;
    const unsigned ints = KIND_SINT | KIND_UINT;
    const unsigned i = 1u << DOMAIN_INT | 1u << DOMAIN_WORD;
    const unsigned f = 1u << DOMAIN_REAL | 1u << DOMAIN_FLOAT;
    const unsigned b = 1u << DOMAIN_BOOL;
    check_kinds("tensor A[x: n] : any", "A + 0 => A", ints | KIND_FLOAT, i | f);
    check_kinds("tensor A[x: n] : T", "exp(A) => exp(A)*1", KIND_FLOAT, f);
    const unsigned w = 1u << DOMAIN_WORD;
    check_kinds("tensor A[x: n] : any", "!A => A ^ A", KIND_BOOL | ints, b | w);
    check_kinds("tensor A[x: n] : int", "shift_left(A, 1) => A + A", ints, w);
    check_kinds("tensor A[x: n] : int", "popcnt(A) => A", ints, w);
    check_kinds("tensor A[x: n] : int", "reduce(|, A, {x}) => 0", ints, w);
    check_kinds("tensor A[x: n] : int", "convert(A & 1, float) => 0.0", ints,
                w | f);
    check_kinds("tensor A[x: n] : int", "(A < 1) & (A > 1) => false", ints, i);
    check_kinds("tensor A[x: n] : any", "A & true => A", KIND_BOOL, b);
    check_kinds("tensor A[x: n] : any", "abs(A) => A", KIND_SINT | KIND_FLOAT,
                i | f);
    check_kinds("tensor A[x: n] : any", "reverse(A, {x}) => A", KIND_ANY,
                b | i | f);
    check_kinds("tensor A[x: n] : any", "max(A, lowest) => A", KIND_ANY,
                b | i | f);
    check_kinds("tensor A[x: n] : any", "A*2.5 => A", KIND_FLOAT, f);
    check_kinds("tensor A[x: n] : num", "A < A => false", ints | KIND_FLOAT,
                i | f);
    check_kinds("tensor A[x: n] : int", "convert(convert(A, float), int) => A",
                ints, i | f);
    check_kinds("tensor P[x: n] : bool",
                "convert(P, num) + 0 => convert(P, num)", KIND_BOOL, i | f);
}

static void test_families(void **state)
{
    (void)state;
    struct parsed q =
        rule_of("rule r { axes z like y; axes y like x; axes x rank >= 1;"
                "map n on x; tensor A[x: n, y: n, z: n] : any;"
                "relabel(A, {x -> z, z -> x}) => relabel(A, {z <-> x}); }");
    const struct rule *r = q.set.rules.at[0];
    for (uint32_t c = 0; c < 3; c++) {
        assert_int_equal(r->classes[c].like, 0);
        assert_int_equal(r->classes[c].least_rank, 1);
    }
    done(&q);
}

static void test_doc_and_tags(void **state)
{
    (void)state;
    struct parsed q = rule_of(
        "/// Not this one.\n\n  /// One \"line\".\n  ///  Two.\n"
        "rule r { origin \"a \\\"b\\\" \\\\\", \"c\"; claims float, int;"
        "scalar v : num; v + 0 => v; }");
    const struct rule *r = q.set.rules.at[0];
    assert_string_equal(r->doc, "One \"line\".\n Two.");
    assert_int_equal(r->n_origins, 2);
    assert_string_equal(r->origins[0], "a \"b\" \\");
    assert_int_equal(r->claims, 1u << DOMAIN_FLOAT | 1u << DOMAIN_INT);
    done(&q);
}

static void test_decimals(void **state)
{
    (void)state;
    struct buf b = {0};
    struct parsed q =
        rule_of("rule r { scalar v : float;"
                "v*000.500 + -0.0 - 1.0*inf - -inf => 10.250*v - -2; }");
    const struct rule *r = q.set.rules.at[0];
    assert_string_equal(text_of(&b, r, r->lhs),
                        "v*0.5 + -0.0 - 1.0*inf - -inf");
    assert_string_equal(text_of(&b, r, r->rhs), "10.25*v - -2");
    buf_release(&b);
    done(&q);
}

// ---- limits ----

static void repeat(struct buf *b, const char *s, unsigned n)
{
    while (n--)
        buf_puts(b, s);
}

// Deep, long and large texts are refused with an error, quickly.
static void test_limits(void **state)
{
    (void)state;
    static const char *const parts[][3] = {
        {"rule r { scalar v : num; ", "(", "v => v; }"},
        {"rule r { scalar v : num; ", "-", "v => v; }"},
        {"rule r { scalar v : num; v => v", " + v", "; }"},
        {"rule r { axes x; map n on x; tensor A[x: ", "(",
         "n] : num; A => A; }"},
        {"rule r { axes x; map n on x; tensor A[x: n", " + n",
         "] : num; A => A; }"},
        {"rule r { axes x; map n on x; tensor A[x: n] : num; where ", "not ",
         "n < 1; A => A; }"},
        {"rule r { axes x; map n on x; tensor A[x: n] : num; where ", "(",
         "n < 1; A => A; }"},
        {"rule r { axes x; map n on x; tensor A[x: n] : num; where n < 1",
         " and n < 1", "; A => A; }"},
        {"rule r { axes x; map n on x; tensor A[x: n] : num; ", "pad(",
         "A; A => A; }"},
        {"rule r { axes x; map n on x; tensor A[x: n] : num; A => A",
         " ;A => A", "; }"},
        {"", "rule ", ""},
        {"", "rule r {", ""},
        {"", "rule _ { 1 => 1; } rule a { 1 => b; } ", ""},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct buf b = {0};
        buf_puts(&b, parts[i][0]);
        repeat(&b, parts[i][1], 20000);
        buf_puts(&b, parts[i][2]);
        struct parsed q = parse(buf_text(&b));
        assert_false(q.ok);
        assert_true(q.errs.at.len <= 100);
        buf_release(&b);
        done(&q);
    }
}

// A padding doubles its operand's size expression: 2^n without a limit.
static void test_size_growth(void **state)
{
    (void)state;
    struct buf b = {0};
    buf_puts(&b, "rule r { axes x; map n, l, h, i on x; tensor A[x: n] : num;"
                 "reduce(+, ");
    repeat(&b, "pad(", 40);
    buf_puts(&b, "A");
    repeat(&b, ", 0, low=l, high=h, interior=i)", 40);
    buf_puts(&b, ", {x}) => reduce(+, A, {x}); }");
    struct parsed q = parse(buf_text(&b));
    assert_false(q.ok);
    assert_int_equal(q.errs.at.len, 1);
    assert_non_null(strstr(q.errs.at.at[0].msg, "1000"));
    buf_release(&b);
    done(&q);
}

static void test_many_classes(void **state)
{
    (void)state;
    for (unsigned n = 64; n <= 65; n++) {
        struct buf b = {0};
        buf_puts(&b, "rule r {\n");
        for (unsigned i = 0; i < n; i++)
            buf_printf(&b, "axes x%u; map n%u on x%u;\n", i, i, i);
        buf_puts(&b, "tensor A[] : num; A => A");
        for (unsigned i = 0; i < n; i++)
            buf_printf(&b, "*reduce(+, broadcast(A, {x%u: n%u}), {x%u})", i, i,
                       i);
        buf_puts(&b, "; }");
        struct parsed q = parse(buf_text(&b));
        assert_int_equal(q.ok, n == 64);
        if (n == 65)
            assert_non_null(strstr(q.errs.at.at[0].msg, "64"));
        buf_release(&b);
        done(&q);
    }
}

// ---- integer expressions ----

static void check_value(const char *text, int64_t n, int64_t s, bool defined,
                        int64_t want)
{
    struct buf b = {0};
    int64_t out = 0;
    buf_printf(&b,
               "rule r { axes x; map n, s on x; tensor A[x: n] : num;"
               "slice(A, start={x: %s}) => slice(A, start=s); }",
               text);
    struct parsed q = rule_of(buf_text(&b));
    const struct rule *r = q.set.rules.at[0];
    int64_t *const values[2] = {&n, &s};
    bool ok = iexp_eval(r->pats[r->lhs].attrs[0].v[0], values, 0, &out);
    if (ok != defined || (ok && out != want))
        fail_msg("%s at %lld, %lld: %d %lld", text, (long long)n, (long long)s,
                 ok, (long long)out);
    buf_release(&b);
    done(&q);
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
    struct buf b = {0};
    buf_printf(&b,
               "rule r { axes x; map n, s on x; tensor A[x: n] : num;"
               "where not (%s); slice(A, start=s) => A; }",
               text);
    struct parsed q = rule_of(buf_text(&b));
    int64_t *const values[2] = {&n, &s};
    bool out = !want;
    const struct rule *r = q.set.rules.at[0];
    assert_int_equal(r->n_wheres, 1);
    assert_true(cond_eval(r->wheres[0].cond, values, 0, &out));
    if (out == want)
        fail_msg("%s at %lld, %lld", text, (long long)n, (long long)s);
    buf_release(&b);
    done(&q);
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
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_concat_size),
        cmocka_unit_test(test_lifting),
        cmocka_unit_test(test_rank_zero_is_not_lifted),
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_families),
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
