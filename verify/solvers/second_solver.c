// SPDX-License-Identifier: Apache-2.0
#include "verify/solvers/second_solver.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/process/child.h"
#include <inttypes.h>

#define MAX_OUTPUT ((size_t)1 << 20)
#define DEFAULT_MEMORY ((uint64_t)2 << 30)
#define MOST_NAME 60

// ---- test queries

// x has one value, the other statement is true or false of it.
static void test_integers(struct rng *r, bool sat, struct buf *out)
{
    int64_t k = rng_range(r, 2, 99), m = rng_range(r, 100, 9999);
    buf_printf(out,
               "(declare-fun x () Int)\n(declare-fun y () Int)\n"
               "(assert (= (+ (* %" PRId64 " x) y) %" PRId64 "))\n"
               "(assert (and (<= 0 y) (< y %" PRId64 ")))\n"
               "(assert (%s x %" PRId64 "))\n",
               k, m, k, sat ? "<=" : "<", m / k);
}

static void test_functions(struct rng *r, bool sat, struct buf *out)
{
    int64_t k = rng_range(r, 1, 999);
    buf_printf(out,
               "(declare-sort E 0)\n(declare-fun f (Int) E)\n"
               "(declare-fun a () Int)\n(declare-fun b () Int)\n"
               "(assert (not (= (f a) (f b))))\n"
               "(assert (= (+ a %" PRId64 ") (+ b %" PRId64 ")))\n",
               k, sat ? k + 1 : k);
}

static void test_bits(struct rng *r, bool sat, struct buf *out)
{
    unsigned odd = 2 * (unsigned)rng_below(r, 127) + 1;
    unsigned want = (unsigned)rng_below(r, 256);
    buf_printf(out,
               "(declare-fun v () (_ BitVec 8))\n"
               "(assert (= (bvmul v #x%02x) #x%02x))\n",
               sat ? odd : 2 * (odd & 127), sat ? want : want | 1);
}

static void put_test(struct rng *r, bool sat, struct buf *out)
{
    static void (*const kind[])(struct rng *, bool, struct buf *) = {
        test_integers, test_functions, test_bits};
    kind[rng_below(r, 3)](r, sat, out);
}

// ---- the script and its answers

#define TEST UINT32_MAX

struct second_item {
    uint32_t query; // TEST: a test query
    bool sat;       // its answer
};
struct second_transcript {
    VEC(struct second_item) at;
    struct buf script;
    struct rng rng;
};

static void put_query(struct second_transcript *t, struct second_item i, const struct buf *text)
{
    buf_puts(&t->script, "(push 1)\n");
    if (i.query == TEST)
        put_test(&t->rng, i.sat, &t->script);
    else
        buf_puts(&t->script, buf_text(text));
    buf_puts(&t->script, "(check-sat)\n(pop 1)\n");
    vec_push(&t->at, i);
}

static void write_script(struct second_transcript *t, const struct buf *const *texts,
                         uint32_t n)
{
    buf_puts(&t->script,
             "(get-info :name)\n(get-info :version)\n(set-logic ALL)\n");
    bool first = rng_below(&t->rng, 2) != 0;
    put_query(t, (struct second_item){TEST, first}, NULL);
    put_query(t, (struct second_item){TEST, !first}, NULL);
    for (uint32_t i = 0; i < n; i++) {
        put_query(t, (struct second_item){i, false}, texts[i]);
        put_query(t, (struct second_item){TEST, rng_below(&t->rng, 2) != 0}, NULL);
    }
}

// The next line, without its end; false where there is no whole one.
static bool next_line(const char **at, const char **line, size_t *n)
{
    const char *end = strchr(*at, '\n');
    if (end == NULL)
        return false;
    *line = *at;
    *n = (size_t)(end - *at);
    *at = end + 1;
    return true;
}

static bool is(const char *line, size_t n, const char *text)
{
    return strlen(text) == n && memcmp(line, text, n) == 0;
}

// (:name "cvc5"): what is between the quotes, if it is plain.
static bool take_info(const char *line, size_t n, const char *key,
                      struct buf *out)
{
    size_t k = strlen(key);
    if (n < k + 2 || n > k + MOST_NAME || memcmp(line, key, k) != 0 ||
        memcmp(line + n - 2, "\")", 2) != 0)
        return false;
    for (size_t i = k; i < n - 2; i++) {
        char c = line[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                     (c >= '0' && c <= '9') || strchr(" .-_+", c) != NULL;
        if (!plain)
            return false;
    }
    if (out->len > 0)
        buf_putc(out, ' ');
    buf_write(out, line + k, n - 2 - k);
    return true;
}

// Fills the answers; what is wrong with the output, or NULL.  *whole: every
// query has its line.
static const char *read_answers(const struct second_transcript *t, const struct buf *text,
                                struct second_solver *out, bool *whole)
{
    const char *at = buf_text(text), *line;
    size_t n;
    uint32_t i = 0, pending = TEST;
    *whole = false;
    if (strlen(at) != text->len)
        return "its output is not text";
    if (!next_line(&at, &line, &n) ||
        !take_info(line, n, "(:name \"", &out->name) ||
        !next_line(&at, &line, &n) ||
        !take_info(line, n, "(:version \"", &out->name))
        return "it does not say its name and version";
    enum smt_answer last = SMT_UNKNOWN;
    for (; next_line(&at, &line, &n); i++) {
        bool sat = is(line, n, "sat"), unsat = is(line, n, "unsat");
        if (!sat && !unsat && !is(line, n, "unknown"))
            return "an answer is neither sat nor unsat nor unknown";
        if (i >= t->at.len)
            return "more answers than queries";
        const struct second_item *q = &t->at.at[i];
        if (q->query != TEST) {
            pending = q->query;
            last = sat ? SMT_SAT : unsat ? SMT_UNSAT : SMT_UNKNOWN;
        } else if (q->sat ? !sat : !unsat) {
            return "a wrong answer to a test query";
        } else if (pending != TEST) {
            out->answer.at[pending] = (uint8_t)last;
            pending = TEST;
        }
    }
    *whole = i == t->at.len && *at == '\0';
    return NULL;
}

static enum child_end run(const struct second_transcript *t, const struct second_solver_options *o,
                          struct buf *text, int *status)
{
    char limit[40];
    unsigned ms = (unsigned)(o->per_query * 1000);
    snprintf(limit, sizeof limit, "--tlimit-per=%u", ms);
    const char *const argv[] = {o->program == NULL ? "cvc5" : o->program,
                                "--incremental",
                                "--fp-exp",
                                "--lang=smt2",
                                limit,
                                NULL};
    struct child_limits l = {
        o->seconds, o->memory == 0 ? DEFAULT_MEMORY : o->memory, MAX_OUTPUT};
    return child_run(argv, &t->script, &l, text, status);
}

void second_solver_ask(const struct buf *const *texts, uint32_t n,
                const struct second_solver_options *o, struct second_solver *out)
{
    struct second_transcript t = {.script = {0}};
    struct buf text = {0};
    uint64_t seed = n;
    bool whole = false;
    int status = 0;
    *out = (struct second_solver){.error = NULL};
    for (uint32_t i = 0; i < n; i++) {
        seed = hash_bytes(buf_text(texts[i]), texts[i]->len, seed);
        vec_push(&out->answer, SMT_UNKNOWN);
    }
    rng_seed(&t.rng, seed);
    write_script(&t, texts, n);
    enum child_end how = run(&t, o, &text, &status);
    out->timeout = how == CHILD_TIME;
    if (how == CHILD_ABSENT)
        out->error = "it cannot be started";
    else if (how == CHILD_CRASHED)
        out->error = "it crashed";
    else if (how == CHILD_FLOOD)
        out->error = "too much output";
    const char *wrong = NULL;
    if (out->error == NULL && !(out->timeout && text.len == 0))
        wrong = read_answers(&t, &text, out, &whole);
    if (out->error == NULL)
        out->error = wrong;
    if (out->error == NULL && how == CHILD_ENDED && status != 0)
        out->error = "it ended with a failure";
    if (out->error == NULL && how == CHILD_ENDED && !whole)
        out->error = "fewer answers than queries";
    if (out->error != NULL)
        for (uint32_t i = 0; i < n; i++)
            out->answer.at[i] = SMT_UNKNOWN;
    vec_release(&t.at);
    buf_release(&t.script);
    buf_release(&text);
}

void second_solver_release(struct second_solver *s)
{
    vec_release(&s->answer);
    buf_release(&s->name);
}
