// SPDX-License-Identifier: Apache-2.0
// Runs plain rules on start terms and prints what came of it as one line of
// JSON: bench/terms/README.md has the options and the members.
#include "base/text/buf.h"
#include "base/clock.h"
#include "egraph/plain/analysis/fold.h"
#include "egraph/plain/saturate/run.h"
#include "egraph/why/why.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_FILE = 1 << 28, MAX_REPEAT = 10000 };

struct options {
    const char *rules, *start, *goal, *ac;
    struct run_options run;
    double seconds;
    bool explain, prove, alone;
    uint32_t repeat;
};

struct texts {
    struct buf rules, start, goal;
};

// Parts of the engine, each by itself, on the graph of the last round.
struct alone {
    uint64_t matches, new_matches, entries, lines;
    uint32_t pairs;
    double match, match_new, read, explain; // CPU seconds
};

struct outcome {
    uint32_t nodes, classes, ids, rounds, merges;
    uint64_t made, matches;
    double search, rebuild;
    struct alone alone;
    enum run_stop stop;
    uint64_t peak;
    double cpu, proof_seconds;
    bool proved;
    uint64_t proof_steps;
};

static const char *const stop_name[] = {[RUN_SATURATED] = "saturated",
                                        [RUN_ROUNDS] = "iterations",
                                        [RUN_NODES] = "nodes",
                                        [RUN_BYTES] = "bytes",
                                        [RUN_TIME] = "seconds",
                                        [RUN_GOAL] = "goal",
                                        [RUN_MATCHES] = "matches",
                                        [RUN_CONFLICT] = "conflict",
                                        [RUN_MADE] = "made"};

// One e-graph with its rules, roots and goal.
struct job {
    const struct options *o;
    struct cc g;
    struct plain_rules p;
    struct plain_fold fold;
    struct run run;
    struct u32_vec root;    // nodes
    struct plain_rule goal; // of the last root
    struct ac ac;
    struct ac_patterns goals;        // the goal, with arguments in either place
    uint32_t found[PLAIN_MAX_ATOMS]; // nodes of the goal
};

static bool goal_found(void *ctx, const struct plain_search *s)
{
    struct job *j = ctx;
    memcpy(j->found, s->node, sizeof j->found);
    return false;
}

static bool goal_reached(void *ctx, struct cc *g)
{
    struct job *j = ctx;
    for (uint32_t i = 0; i < j->goals.len; i++) {
        struct plain_search s = {.g = g,
                           .rule = &j->goals.at[i],
                           .n_frozen = g->n_entered,
                           .found = goal_found,
                           .ctx = j};
        if (search_class(&s, cc_class(g, vec_last(&j->root))))
            continue;
        j->goal = j->goals.at[i];
        return true;
    }
    return false;
}

static bool has_value(void *ctx, uint32_t cls)
{
    const struct plain_fold *f = ctx;
    return plain_fold_has_value(f, cls);
}

static bool conflict(void *ctx)
{
    const struct plain_fold *f = ctx;
    return f->conflict;
}

// Operators that the rules or the command line declare.
static void declare(struct job *j)
{
    ac_init(&j->ac, &j->g, AC_LIMITS);
    for (const char *s = j->o->ac; s != NULL && *s != 0;) {
        uint32_t n = (uint32_t)strcspn(s, " ");
        if (n > 0)
            plain_ac(&j->p, &j->g, s, n);
        s += n + (s[n] == ' ');
    }
    if (j->o->run.max_nodes > 0)
        j->ac.limit.nodes = j->o->run.max_nodes;
    j->ac.has_value = has_value;
    j->ac.ctx = &j->fold;
    for (uint32_t i = 0; i < j->p.ac.len; i++)
        ac_declare(&j->ac, j->p.ac.at[i]);
}

static bool prepare(struct job *j, const struct options *o,
                    const struct texts *t, struct err *e)
{
    enum plain_fold_kind kind;
    j->o = o;
    cc_init(&j->g, o->explain);
    plain_init(&j->p);
    if (!plain_read(&j->p, &j->g, o->rules, buf_text(&t->rules), plain_fold_guards,
                    e) ||
        !plain_fold_kind_named(j->p.analysis, &kind, e))
        return false;
    plain_fold_init(&j->fold, kind, &j->g, &j->p);
    struct run_options r = o->run;
    r.guard = plain_fold_guard;
    r.conflict = conflict;
    r.ctx = &j->fold;
    declare(j);
    if (j->ac.op.len > 0) {
        ac_rules(&j->ac, &j->p);
        r.ac = &j->ac;
    }
    if (o->goal != NULL) {
        if (!plain_pattern(&j->p, &j->g, o->goal, buf_text(&t->goal), &j->goal,
                           e))
            return false;
        ac_pattern(&j->ac, &j->p, &j->goal, &j->goals);
        r.goal = goal_reached;
        r.goal_ctx = j;
    }
    run_init(&j->run, &j->g, &j->p, r);
    return true;
}

static void release(struct job *j)
{
    run_release(&j->run);
    vec_release(&j->root);
    vec_release(&j->goals);
    ac_release(&j->ac);
    plain_fold_release(&j->fold);
    plain_release(&j->p);
    cc_release(&j->g);
}

// The goal as a term: where it has variables, of what was found there.
static uint32_t goal_term(const struct job *j, struct why *w)
{
    const struct plain_rule *q = &j->goal;
    uint32_t of[PLAIN_MAX_VARS];
    for (uint32_t v = 0; v < q->n_vars; v++)
        of[v] = CC_NONE;
    for (uint32_t i = q->n_atoms; i-- > 0;) {
        const struct plain_atom *a = &q->atom[i];
        uint32_t arg[PLAIN_MAX_ARGS];
        if (a->op == ATOM_ANY)
            return why_term_of(w, j->found[i]);
        for (uint32_t k = 0; k < a->n; k++) {
            uint32_t c = cc_find(w->g, cc_args(w->g, j->found[i])[k]);
            uint32_t *t = &of[a->arg[k]];
            if (*t == CC_NONE)
                *t = why_term_of(w, w->g->class_.at[c].founder);
            arg[k] = *t;
        }
        of[a->cls] = why_term(w, a->op, arg);
    }
    return of[q->left];
}

static void init_why(struct job *j, struct why *w)
{
    why_init(w, &j->g, &j->p);
    w->witness = plain_fold_witness;
    w->value = plain_fold_by_values;
    w->ctx = &j->fold;
}

static bool prove(struct job *j, struct outcome *out, struct err *e)
{
    struct why w;
    struct why_part line;
    double begin = clock_cpu();
    init_why(j, &w);
    bool ok =
        why_read(&w, e) && why_explain(&w, why_term_of(&w, vec_last(&j->root)),
                                       goal_term(j, &w), &line, e);
    if (ok) {
        out->proof_steps = line.line == CC_NONE ? 0 : why_steps(&w, line);
        out->proof_seconds = clock_cpu() - begin;
        out->proved = true;
    }
    why_release(&w);
    return ok;
}

// Explains some nodes by the founders of their classes, all over the graph.
static bool explain_some(struct job *j, struct why *w, struct alone *a,
                         struct err *e)
{
    enum { PAIRS = 1000 };
    uint32_t n = j->g.node.len, each = n > PAIRS ? n / PAIRS : 1;
    for (uint32_t i = 0; i < n; i += each) {
        uint32_t f = j->g.class_.at[cc_class(&j->g, i)].founder;
        struct why_part line;
        if (f == i)
            continue;
        if (!why_explain(w, why_term_of(w, i), why_term_of(w, f), &line, e))
            return false;
        a->pairs++;
    }
    a->lines = w->line.len;
    return true;
}

static bool alone(struct job *j, struct alone *a, struct err *e)
{
    double begin = clock_cpu();
    a->matches = run_count(&j->run, false);
    double all = clock_cpu();
    a->new_matches = run_count(&j->run, true);
    double new_ones = clock_cpu();
    a->match = all - begin;
    a->match_new = new_ones - all;
    if (!j->o->explain)
        return true;
    struct why w;
    init_why(j, &w);
    double start = clock_cpu();
    bool ok = why_read(&w, e);
    double read = clock_cpu();
    ok = ok && explain_some(j, &w, a, e);
    a->read = read - start;
    a->explain = clock_cpu() - read;
    a->entries = w.entry.len;
    why_release(&w);
    return ok;
}

static bool run_once(const struct options *o, const struct texts *t,
                     struct outcome *out, struct err *e)
{
    struct job j = {0};
    bool ok = prepare(&j, o, t, e);
    double begin = clock_cpu();
    if (o->seconds > 0)
        j.run.opt.deadline = clock_wall() + o->seconds;
    ok = ok &&
         plain_terms(&j.p, &j.g, o->start, buf_text(&t->start), &j.root, e);
    if (ok && j.root.len == 0)
        ok = err_at(e, ERR_INPUT, o->start, 1, 1, "no term");
    if (ok) {
        out->stop = run_rounds(&j.run);
        out->cpu = clock_cpu() - begin;
        out->nodes = j.g.n_live;
        out->classes = j.g.n_classes;
        out->ids = j.g.class_.len;
        out->rounds = j.run.rounds + (out->stop == RUN_GOAL);
        out->peak = memory_peak();
        out->made = run_made(&j.g);
        out->merges = j.g.n_merges;
        out->matches = j.run.n_matches;
        out->search = j.run.search_seconds;
        out->rebuild = j.run.rebuild_seconds;
    }
    if (ok && out->stop == RUN_CONFLICT)
        (void)plain_fold_fail(&j.fold, e);
    if (ok && o->prove && o->explain && out->stop == RUN_GOAL)
        ok = prove(&j, out, e);
    if (ok && o->alone && out->stop != RUN_CONFLICT)
        ok = alone(&j, &out->alone, e);
    release(&j);
    return ok;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *x, uint32_t n)
{
    qsort(x, n, sizeof *x, by_size);
    return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

static bool run_all(const struct options *o, const struct texts *t,
                    struct outcome *out, struct err *e)
{
    double *cpu = mem_alloc(o->repeat * sizeof *cpu);
    double *proof = mem_alloc(o->repeat * sizeof *proof);
    bool ok = true;
    for (uint32_t i = 0; ok && i < o->repeat; i++) {
        memset(out, 0, sizeof *out);
        ok = run_once(o, t, out, e);
        cpu[i] = out->cpu;
        proof[i] = out->proof_seconds;
    }
    out->cpu = median(cpu, o->repeat);
    out->proof_seconds = median(proof, o->repeat);
    mem_free(cpu);
    mem_free(proof);
    return ok;
}

// The command line

static bool count(const char *s, double most, double *x)
{
    char *end;
    *x = strtod(s, &end);
    return end != s && *end == 0 && *x >= 0 && *x <= most;
}

// Options with a value.
static bool set(struct options *o, const char *name, const char *value)
{
    double x = 0;
    if (strcmp(name, "--goal") == 0) {
        o->goal = value;
        return true;
    }
    if (strcmp(name, "--ac") == 0) {
        o->ac = value;
        return true;
    }
    if (strcmp(name, "--scheduler") == 0)
        return run_scheduler_named(value, &o->run.scheduler);
    if (strcmp(name, "--seconds") == 0)
        return count(value, 1e9, &o->seconds);
    if (!count(value, 1e18, &x) || x != floor(x))
        return false;
    if (strcmp(name, "--bytes") == 0)
        o->run.max_bytes = (uint64_t)x;
    else if (strcmp(name, "--matches") == 0)
        o->run.max_matches = (uint64_t)x;
    else if (strcmp(name, "--made") == 0)
        o->run.max_made = (uint64_t)x;
    else if (x > UINT32_MAX / 2)
        return false;
    else if (strcmp(name, "--iterations") == 0)
        o->run.max_rounds = (uint32_t)x;
    else if (strcmp(name, "--nodes") == 0)
        o->run.max_nodes = (uint32_t)x;
    else if (strcmp(name, "--last-rules") == 0)
        o->run.last_rules = (uint32_t)x;
    else if (strcmp(name, "--repeat") == 0 && x >= 1 && x <= MAX_REPEAT)
        o->repeat = (uint32_t)x;
    else
        return false;
    return true;
}

static bool parse(struct options *o, int argc, char **argv, struct err *e)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--no-explain") == 0)
            o->explain = false;
        else if (strcmp(argv[i], "--prove") == 0)
            o->prove = true;
        else if (strcmp(argv[i], "--whole-rules") == 0)
            o->run.whole_rules = true;
        else if (strcmp(argv[i], "--alone") == 0)
            o->alone = true;
        else if (argv[i][0] == '-' && i + 1 < argc &&
                 set(o, argv[i], argv[i + 1]))
            i++;
        else if (argv[i][0] == '-' || o->start != NULL)
            return err_set(e, ERR_USAGE, "unexpected %s%s%s", argv[i],
                           i + 1 < argc ? " " : "",
                           i + 1 < argc ? argv[i + 1] : "");
        else if (o->rules == NULL)
            o->rules = argv[i];
        else
            o->start = argv[i];
    }
    return o->start != NULL ||
           err_set(e, ERR_USAGE,
                   "usage: terms RULES START [--scheduler NAME] "
                   "[--iterations N] [--last-rules K] [--nodes N] [--made N [--whole-rules]] "
                   "[--bytes N] "
                   "[--matches N] [--seconds S] [--goal FILE] "
                   "[--no-explain] [--prove] [--alone] [--repeat K] [--ac 'OP "
                   "..']");
}

static bool read_text(const char *file, struct buf *out, struct err *e)
{
    if (!file_read(file, MAX_FILE, out, e))
        return false;
    size_t n = strlen(buf_text(out));
    uint32_t line = 1, col = 1;
    for (size_t i = 0; i < n; i++, col++)
        if (buf_text(out)[i] == '\n') {
            line++;
            col = 0;
        }
    return n == out->len ||
           err_at(e, ERR_INPUT, file, line, col, "a zero byte in the text");
}

static bool read_texts(const struct options *o, struct texts *t, struct err *e)
{
    return read_text(o->rules, &t->rules, e) &&
           read_text(o->start, &t->start, e) &&
           (o->goal == NULL || read_text(o->goal, &t->goal, e));
}

static void print_alone(const struct alone *a)
{
    printf("\"all_matches\":%llu,\"all_matches_seconds\":%.6f,"
           "\"new_matches\":%llu,\"new_matches_seconds\":%.6f,"
           "\"entries\":%llu,\"read_seconds\":%.6f,\"pairs\":%u,"
           "\"lines\":%llu,\"explain_seconds\":%.6f,",
           (unsigned long long)a->matches, a->match,
           (unsigned long long)a->new_matches, a->match_new,
           (unsigned long long)a->entries, a->read, a->pairs,
           (unsigned long long)a->lines, a->explain);
}

static void print(const struct outcome *x, bool parts)
{
    printf("{\"nodes\":%u,\"classes\":%u,\"ids\":%u,\"memo\":null,"
           "\"iterations\":%u,\"cpu_seconds\":%.6f,\"peak_bytes\":%llu,"
           "\"stop\":\"%s\",",
           x->nodes, x->classes, x->ids, x->rounds, x->cpu,
           (unsigned long long)x->peak, stop_name[x->stop]);
    printf("\"made\":%llu,\"merges\":%u,\"matches\":%llu,"
           "\"search_seconds\":%.6f,\"rebuild_seconds\":%.6f,",
           (unsigned long long)x->made, x->merges,
           (unsigned long long)x->matches, x->search, x->rebuild);
    if (parts)
        print_alone(&x->alone);
    if (x->proved)
        printf("\"proof_seconds\":%.7f,\"proof_steps\":%llu}\n",
               x->proof_seconds, (unsigned long long)x->proof_steps);
    else
        printf("\"proof_seconds\":null,\"proof_steps\":null}\n");
}

static int report(const struct err *e)
{
    if (e->file[0])
        fprintf(stderr, "terms: %s:%u:%u: %s\n", e->file, e->line, e->col,
                e->msg);
    else
        fprintf(stderr, "terms: %s\n", e->msg);
    return e->kind == ERR_USAGE ? 64 : e->kind == ERR_INPUT ? 65 : 70;
}

int main(int argc, char **argv)
{
    mem_keep();
    struct options o = {.explain = true, .repeat = 1};
    struct texts t = {0};
    struct outcome out = {0};
    struct err e = {0};
    o.run = (struct run_options){
        .max_rounds = 10000, .match_limit = 1000, .pause = 5};
    bool ok = parse(&o, argc, argv, &e) && read_texts(&o, &t, &e) &&
              run_all(&o, &t, &out, &e);
    if (ok)
        print(&out, o.alone);
    if (ok && e.kind != ERR_NONE)
        (void)report(&e); // why the run stopped
    buf_release(&t.rules);
    buf_release(&t.start);
    buf_release(&t.goal);
    return ok ? 0 : report(&e);
}
