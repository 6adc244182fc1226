// SPDX-License-Identifier: Apache-2.0
#include "verify/solvers/second_solver.h"
#include "verify/limits.h"
#include "base/hash.h"
#include "base/rng.h"
#include "base/process/child.h"
#include <inttypes.h>

// ---- test queries

// x has one value; the other assertion is true or false of it.
static void test_integers(struct rng *rng, bool sat, struct buf *out)
{
    int64_t k = rng_range(rng, 2, 99), m = rng_range(rng, 100, 9999);
    buf_printf(out,
               "(declare-fun x () Int)\n(declare-fun y () Int)\n"
               "(assert (= (+ (* %" PRId64 " x) y) %" PRId64 "))\n"
               "(assert (and (<= 0 y) (< y %" PRId64 ")))\n"
               "(assert (%s x %" PRId64 "))\n",
               k, m, k, sat ? "<=" : "<", m / k);
}

static void test_functions(struct rng *rng, bool sat, struct buf *out)
{
    int64_t k = rng_range(rng, 1, 999);
    buf_printf(out,
               "(declare-sort E 0)\n(declare-fun f (Int) E)\n"
               "(declare-fun a () Int)\n(declare-fun b () Int)\n"
               "(assert (not (= (f a) (f b))))\n"
               "(assert (= (+ a %" PRId64 ") (+ b %" PRId64 ")))\n",
               k, sat ? k + 1 : k);
}

static void test_bits(struct rng *rng, bool sat, struct buf *out)
{
    unsigned odd = 2 * (unsigned)rng_below(rng, 127) + 1;
    unsigned want = (unsigned)rng_below(rng, 256);
    buf_printf(out,
               "(declare-fun v () (_ BitVec 8))\n"
               "(assert (= (bvmul v #x%02x) #x%02x))\n",
               sat ? odd : 2 * (odd & 127), sat ? want : want | 1);
}

static void put_test(struct rng *rng, bool sat, struct buf *out)
{
    static void (*const kind[])(struct rng *, bool, struct buf *) = {test_integers, test_functions,
                                                                     test_bits};
    kind[rng_below(rng, 3)](rng, sat, out);
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

static void put_query(struct second_transcript *transcript, struct second_item second_item,
                      const struct buf *text)
{
    buf_puts(&transcript->script, "(push 1)\n");
    if (second_item.query == TEST)
        put_test(&transcript->rng, second_item.sat, &transcript->script);
    else
        buf_puts(&transcript->script, buf_text(text));
    buf_puts(&transcript->script, "(check-sat)\n(pop 1)\n");
    vec_push(&transcript->at, second_item);
}

static void write_script(struct second_transcript *transcript, const struct buf *const *texts,
                         uint32_t n)
{
    buf_puts(&transcript->script, "(get-info :name)\n(get-info :version)\n(set-logic ALL)\n");
    bool first = rng_below(&transcript->rng, 2) != 0;
    put_query(transcript, (struct second_item){TEST, first}, NULL);
    put_query(transcript, (struct second_item){TEST, !first}, NULL);
    for (uint32_t i = 0; i < n; i++) {
        put_query(transcript, (struct second_item){i, false}, texts[i]);
        put_query(transcript, (struct second_item){TEST, rng_below(&transcript->rng, 2) != 0},
                  NULL);
    }
}

// The next line, without its end.  False if there is no complete line.
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

// (:name "cvc5"): appends the text between the quotes if all its characters are plain.
static bool take_info(const char *line, size_t n, const char *key, struct buf *out)
{
    size_t k = strlen(key);
    if (n < k + 2 || n > k + VERIFY_SECOND_SOLVER_NAME || memcmp(line, key, k) != 0 ||
        memcmp(line + n - 2, "\")", 2) != 0)
        return false;
    for (size_t i = k; i < n - 2; i++) {
        char text = line[i];
        bool plain = (text >= 'a' && text <= 'z') || (text >= 'A' && text <= 'Z') ||
                     (text >= '0' && text <= '9') || strchr(" .-_+", text) != NULL;
        if (!plain)
            return false;
    }
    if (out->len > 0)
        buf_putc(out, ' ');
    buf_write(out, line + k, n - 2 - k);
    return true;
}

// Fills the answers.  Returns the fault of the output, or NULL.  *whole: every query has its
// line.
static const char *read_answers(const struct second_transcript *transcript, const struct buf *text,
                                struct second_solver *out, bool *whole)
{
    const char *at = buf_text(text), *line;
    size_t n;
    uint32_t i = 0, pending = TEST;
    *whole = false;
    if (strlen(at) != text->len)
        return "the output is not text";
    if (!next_line(&at, &line, &n) || !take_info(line, n, "(:name \"", &out->name) ||
        !next_line(&at, &line, &n) || !take_info(line, n, "(:version \"", &out->name))
        return "the program does not say its name and version";
    enum smt_answer last = SMT_UNKNOWN;
    for (; next_line(&at, &line, &n); i++) {
        bool sat = is(line, n, "sat"), unsat = is(line, n, "unsat");
        if (!sat && !unsat && !is(line, n, "unknown"))
            return "an answer is neither sat nor unsat nor unknown";
        if (i >= transcript->at.len)
            return "more answers than queries";
        const struct second_item *second_item = &transcript->at.at[i];
        if (second_item->query != TEST) {
            pending = second_item->query;
            last = sat ? SMT_SAT : unsat ? SMT_UNSAT : SMT_UNKNOWN;
        } else if (second_item->sat ? !sat : !unsat) {
            return "a wrong answer to a test query";
        } else if (pending != TEST) {
            out->answer.at[pending] = (uint8_t)last;
            pending = TEST;
        }
    }
    *whole = i == transcript->at.len && *at == '\0';
    return NULL;
}

static enum child_end run(const struct second_transcript *transcript,
                          const struct second_solver_options *second_solver_options,
                          struct buf *text, int *status)
{
    char limit[40];
    snprintf(limit, sizeof limit, "--rlimit-per=%u", second_solver_options->query_steps);
    const char *const argv[] = {
        second_solver_options->program == NULL ? "cvc5" : second_solver_options->program,
        "--incremental",
        "--fp-exp",
        "--lang=smt2",
        limit,
        NULL};
    struct child_limits limits = {second_solver_options->seconds,
                                  second_solver_options->memory == 0
                                      ? (uint64_t)VERIFY_SECOND_SOLVER_MIB << 20
                                      : second_solver_options->memory,
                                  (size_t)VERIFY_SECOND_SOLVER_OUTPUT_MIB << 20};
    return child_run(argv, &transcript->script, &limits, text, status);
}

void second_solver_ask(const struct buf *const *texts, uint32_t n,
                       const struct second_solver_options *second_solver_options,
                       struct second_solver *out)
{
    struct second_transcript transcript = {.script = {0}};
    struct buf text = {0};
    uint64_t seed = n;
    bool whole = false;
    int status = 0;
    *out = (struct second_solver){.error = NULL};
    for (uint32_t i = 0; i < n; i++) {
        seed = hash_bytes(buf_text(texts[i]), texts[i]->len, seed);
        vec_push(&out->answer, SMT_UNKNOWN);
    }
    rng_seed(&transcript.rng, seed);
    write_script(&transcript, texts, n);
    enum child_end how = run(&transcript, second_solver_options, &text, &status);
    out->timeout = how == CHILD_TIME;
    out->absent = how == CHILD_ABSENT;
    if (how == CHILD_ABSENT)
        out->error = "the program cannot be started";
    else if (how == CHILD_CRASHED)
        out->error = "the program crashed";
    else if (how == CHILD_FLOOD)
        out->error = "too much output";
    const char *wrong = NULL;
    if (out->error == NULL && !(out->timeout && text.len == 0))
        wrong = read_answers(&transcript, &text, out, &whole);
    if (out->error == NULL)
        out->error = wrong;
    if (out->error == NULL && how == CHILD_ENDED && status != 0)
        out->error = "the program ended with a failure";
    if (out->error == NULL && how == CHILD_ENDED && !whole)
        out->error = "fewer answers than queries";
    if (out->error != NULL)
        for (uint32_t i = 0; i < n; i++)
            out->answer.at[i] = SMT_UNKNOWN;
    vec_release(&transcript.at);
    buf_release(&transcript.script);
    buf_release(&text);
}

void second_solver_release(struct second_solver *second_solver)
{
    vec_release(&second_solver->answer);
    buf_release(&second_solver->name);
}
