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
    bool explain, prove, alone, counts;
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

static const char *const stop_name[] = {[RUN_SATURATED] = "saturated", [RUN_ROUNDS] = "iterations",
                                        [RUN_NODES] = "nodes",         [RUN_BYTES] = "bytes",
                                        [RUN_STEPS] = "effort",        [RUN_TIME] = "seconds",
                                        [RUN_GOAL] = "goal",           [RUN_MATCHES] = "matches",
                                        [RUN_CONFLICT] = "conflict",   [RUN_MADE] = "made"};

// One e-graph with its rules, roots and goal.
struct job {
    const struct options *options;
    struct cc graph;
    struct plain_rules rules;
    struct plain_fold fold;
    struct run run;
    struct plain_forest start;
    struct u32_vec root;    // nodes
    struct u32_vec *counts; // nodes and classes after each round, or NULL
    struct plain_rule goal; // of the last root
    struct ac ac;
    struct ac_patterns goals;           // the goal, with arguments in either place
    uint32_t found[EGRAPH_PLAIN_ATOMS]; // nodes of the goal
};

static bool goal_found(void *ctx, const struct plain_search *search)
{
    struct job *job = ctx;
    memcpy(job->found, search->node, sizeof job->found);
    return false;
}

static bool goal_reached(void *ctx, struct cc *graph)
{
    struct job *job = ctx;
    for (uint32_t i = 0; i < job->goals.len; i++) {
        struct plain_search search = {.graph = graph,
                                      .rule = &job->goals.at[i],
                                      .n_frozen = graph->n_entered,
                                      .found = goal_found,
                                      .ctx = job};
        if (search_class(&search, cc_class(graph, vec_last(&job->root))))
            continue;
        job->goal = job->goals.at[i];
        return true;
    }
    return false;
}

static bool count_round(void *ctx, struct cc *graph)
{
    struct job *job = ctx;
    if (job->counts->len < 2 * job->run.rounds) {
        vec_push(job->counts, graph->n_live);
        vec_push(job->counts, graph->n_classes);
    }
    return false;
}

static bool has_value(void *ctx, uint32_t cls)
{
    const struct plain_fold *fold = ctx;
    return plain_fold_has_value(fold, cls);
}

static bool conflict(void *ctx)
{
    const struct plain_fold *fold = ctx;
    return fold->conflict;
}

// Operators that the rules or the command line declare.
static void declare(struct job *job)
{
    ac_init(&job->ac, &job->graph, AC_LIMITS);
    for (const char *text = job->options->ac; text != NULL && *text != 0;) {
        uint32_t n = (uint32_t)strcspn(text, " ");
        if (n > 0)
            plain_ac(&job->rules, &job->graph, text, n);
        text += n + (text[n] == ' ');
    }
    if (job->options->run.max_nodes > 0)
        job->ac.limit.nodes = job->options->run.max_nodes;
    job->ac.has_value = has_value;
    job->ac.ctx = &job->fold;
    for (uint32_t i = 0; i < job->rules.ac.len; i++)
        ac_declare(&job->ac, job->rules.ac.at[i]);
}

static bool prepare(struct job *job, const struct options *options, const struct texts *texts,
                    struct err *err)
{
    enum plain_fold_kind kind;
    job->options = options;
    cc_init(&job->graph, options->explain);
    plain_init(&job->rules);
    if (!plain_read(&job->rules, &job->graph, options->rules, buf_text(&texts->rules),
                    plain_fold_guards, err) ||
        !plain_fold_kind_named(job->rules.analysis, &kind, err))
        return false;
    plain_fold_init(&job->fold, kind, &job->graph, &job->rules);
    struct run_options r = options->run;
    r.guard = plain_fold_guard;
    r.conflict = conflict;
    r.ctx = &job->fold;
    declare(job);
    if (job->ac.op.len > 0) {
        ac_rules(&job->ac, &job->rules);
        r.ac = &job->ac;
    }
    if (options->goal != NULL) {
        if (!plain_pattern(&job->rules, &job->graph, options->goal, buf_text(&texts->goal),
                           &job->goal, err))
            return false;
        ac_pattern(&job->ac, &job->rules, &job->goal, &job->goals);
        r.goal = goal_reached;
        r.goal_ctx = job;
    }
    if (job->counts != NULL) {
        r.goal = count_round;
        r.goal_ctx = job;
    }
    run_init(&job->run, &job->graph, &job->rules, r);
    if (!plain_forest_read(&job->rules, &job->graph, options->start, buf_text(&texts->start),
                           &job->start, err))
        return false;
    return job->start.root.len > 0 || err_at(err, ERR_INPUT, options->start, 1, 1, "no term");
}

static void release(struct job *job)
{
    run_release(&job->run);
    plain_forest_release(&job->start);
    vec_release(&job->root);
    vec_release(&job->goals);
    ac_release(&job->ac);
    plain_fold_release(&job->fold);
    plain_release(&job->rules);
    cc_release(&job->graph);
}

// The goal as a term: where it has variables, of what was found there.
static uint32_t goal_term(const struct job *job, struct why *why)
{
    const struct plain_rule *rule = &job->goal;
    uint32_t of[EGRAPH_PLAIN_VARIABLES];
    for (uint32_t v = 0; v < rule->n_vars; v++)
        of[v] = CC_NONE;
    for (uint32_t i = rule->n_atoms; i-- > 0;) {
        const struct plain_atom *atom = &rule->atom[i];
        uint32_t arg[EGRAPH_PLAIN_ARGUMENTS];
        if (atom->op == ATOM_ANY)
            return why_term_of(why, job->found[i]);
        for (uint32_t k = 0; k < atom->n; k++) {
            uint32_t c = cc_find(why->graph, cc_args(why->graph, job->found[i])[k]);
            uint32_t *t = &of[atom->arg[k]];
            if (*t == CC_NONE)
                *t = why_term_of(why, why->graph->class_.at[c].founder);
            arg[k] = *t;
        }
        of[atom->cls] = why_term(why, atom->op, arg);
    }
    return of[rule->left];
}

static void init_why(struct job *job, struct why *why)
{
    why_init(why, &job->graph, &job->rules);
    why->witness = plain_fold_witness;
    why->value = plain_fold_by_values;
    why->ctx = &job->fold;
}

static bool prove(struct job *job, struct outcome *out, struct err *err)
{
    struct why why;
    struct why_part line;
    double begin = clock_cpu();
    init_why(job, &why);
    bool ok = why_read(&why, err) && why_explain(&why, why_term_of(&why, vec_last(&job->root)),
                                                 goal_term(job, &why), &line, err);
    if (ok) {
        out->proof_steps = line.line == CC_NONE ? 0 : why_steps(&why, line);
        out->proof_seconds = clock_cpu() - begin;
        out->proved = true;
    }
    why_release(&why);
    return ok;
}

// Explains some nodes by the founders of their classes, all over the graph.
static bool explain_some(struct job *job, struct why *why, struct alone *a, struct err *err)
{
    enum { PAIRS = 1000 };
    uint32_t n = job->graph.node.len, each = n > PAIRS ? n / PAIRS : 1;
    for (uint32_t i = 0; i < n; i += each) {
        uint32_t f = job->graph.class_.at[cc_class(&job->graph, i)].founder;
        struct why_part line;
        if (f == i)
            continue;
        if (!why_explain(why, why_term_of(why, i), why_term_of(why, f), &line, err))
            return false;
        a->pairs++;
    }
    a->lines = why->line.len;
    return true;
}

static bool alone(struct job *job, struct alone *a, struct err *err)
{
    double begin = clock_cpu();
    a->matches = run_count(&job->run, false);
    double all = clock_cpu();
    a->new_matches = run_count(&job->run, true);
    double new_ones = clock_cpu();
    a->match = all - begin;
    a->match_new = new_ones - all;
    if (!job->options->explain)
        return true;
    struct why why;
    init_why(job, &why);
    double start = clock_cpu();
    bool ok = why_read(&why, err);
    double read = clock_cpu();
    ok = ok && explain_some(job, &why, a, err);
    a->read = read - start;
    a->explain = clock_cpu() - read;
    a->entries = why.entry.len;
    why_release(&why);
    return ok;
}

static bool run_once(const struct options *options, const struct texts *texts,
                     struct u32_vec *counts, struct outcome *out, struct err *err)
{
    struct job job = {.counts = counts};
    bool ok = prepare(&job, options, texts, err);
    double begin = clock_cpu();
    if (options->seconds > 0)
        job.run.opt.deadline = clock_wall() + options->seconds;
    if (ok) {
        plain_forest_add(&job.graph, &job.start, &job.root);
        out->stop = run_rounds(&job.run);
        out->cpu = clock_cpu() - begin;
        if (counts != NULL)
            (void)count_round(&job, &job.graph);
        out->nodes = job.graph.n_live;
        out->classes = job.graph.n_classes;
        out->ids = job.graph.class_.len;
        out->rounds = job.run.rounds + (out->stop == RUN_GOAL);
        out->peak = memory_peak();
        out->made = run_made(&job.graph);
        out->merges = job.graph.n_merges;
        out->matches = job.run.n_matches;
        out->search = job.run.search_seconds;
        out->rebuild = job.run.rebuild_seconds;
    }
    if (ok && out->stop == RUN_CONFLICT)
        (void)plain_fold_fail(&job.fold, err);
    if (ok && options->prove && options->explain && out->stop == RUN_GOAL)
        ok = prove(&job, out, err);
    if (ok && options->alone && out->stop != RUN_CONFLICT)
        ok = alone(&job, &out->alone, err);
    release(&job);
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

static bool run_all(const struct options *options, const struct texts *texts,
                    struct u32_vec *counts, struct outcome *out, struct err *err)
{
    double *cpu = mem_alloc(options->repeat * sizeof *cpu);
    double *proof = mem_alloc(options->repeat * sizeof *proof);
    bool ok = true;
    for (uint32_t i = 0; ok && i < options->repeat; i++) {
        memset(out, 0, sizeof *out);
        vec_clear(counts);
        ok = run_once(options, texts, options->counts ? counts : NULL, out, err);
        cpu[i] = out->cpu;
        proof[i] = out->proof_seconds;
    }
    out->cpu = median(cpu, options->repeat);
    out->proof_seconds = median(proof, options->repeat);
    mem_free(cpu);
    mem_free(proof);
    return ok;
}

// The command line

static bool count(const char *text, double most, double *x)
{
    char *end;
    *x = strtod(text, &end);
    return end != text && *end == 0 && *x >= 0 && *x <= most;
}

// Options with a value.
static bool set(struct options *options, const char *name, const char *value)
{
    double x = 0;
    if (strcmp(name, "--goal") == 0) {
        options->goal = value;
        return true;
    }
    if (strcmp(name, "--ac") == 0) {
        options->ac = value;
        return true;
    }
    if (strcmp(name, "--scheduler") == 0)
        return run_scheduler_named(value, &options->run.scheduler);
    if (strcmp(name, "--seconds") == 0)
        return count(value, 1e9, &options->seconds);
    if (!count(value, 1e18, &x) || x != floor(x))
        return false;
    if (strcmp(name, "--bytes") == 0)
        options->run.max_bytes = (uint64_t)x;
    else if (strcmp(name, "--matches") == 0)
        options->run.max_matches = (uint64_t)x;
    else if (strcmp(name, "--made") == 0)
        options->run.max_made = (uint64_t)x;
    else if (x > UINT32_MAX / 2)
        return false;
    else if (strcmp(name, "--iterations") == 0)
        options->run.max_rounds = (uint32_t)x;
    else if (strcmp(name, "--nodes") == 0)
        options->run.max_nodes = (uint32_t)x;
    else if (strcmp(name, "--last-rules") == 0)
        options->run.last_rules = (uint32_t)x;
    else if (strcmp(name, "--repeat") == 0 && x >= 1 && x <= MAX_REPEAT)
        options->repeat = (uint32_t)x;
    else
        return false;
    return true;
}

static bool parse(struct options *options, int argc, char **argv, struct err *err)
{
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--no-explain") == 0)
            options->explain = false;
        else if (strcmp(argv[i], "--prove") == 0)
            options->prove = true;
        else if (strcmp(argv[i], "--whole-rules") == 0)
            options->run.whole_rules = true;
        else if (strcmp(argv[i], "--alone") == 0)
            options->alone = true;
        else if (strcmp(argv[i], "--counts") == 0)
            options->counts = true;
        else if (argv[i][0] == '-' && i + 1 < argc && set(options, argv[i], argv[i + 1]))
            i++;
        else if (argv[i][0] == '-' || options->start != NULL)
            return err_set(err, ERR_USAGE, "unexpected %s%s%s", argv[i], i + 1 < argc ? " " : "",
                           i + 1 < argc ? argv[i + 1] : "");
        else if (options->rules == NULL)
            options->rules = argv[i];
        else
            options->start = argv[i];
    }
    return options->start != NULL ||
           err_set(err, ERR_USAGE,
                   "usage: terms RULES START [--scheduler NAME] "
                   "[--iterations N] [--last-rules K] [--nodes N] [--made N [--whole-rules]] "
                   "[--bytes N] "
                   "[--matches N] [--seconds S] [--goal FILE] "
                   "[--no-explain] [--prove] [--alone] [--counts] [--repeat K] [--ac 'OP "
                   "..']");
}

static bool read_text(const char *file, struct buf *out, struct err *err)
{
    if (!file_read(file, MAX_FILE, out, err))
        return false;
    size_t n = strlen(buf_text(out));
    uint32_t line = 1, col = 1;
    for (size_t i = 0; i < n; i++, col++)
        if (buf_text(out)[i] == '\n') {
            line++;
            col = 0;
        }
    return n == out->len || err_at(err, ERR_INPUT, file, line, col, "a zero byte in the text");
}

static bool read_texts(const struct options *options, struct texts *texts, struct err *err)
{
    return read_text(options->rules, &texts->rules, err) &&
           read_text(options->start, &texts->start, err) &&
           (options->goal == NULL || read_text(options->goal, &texts->goal, err));
}

static void print_alone(const struct alone *a)
{
    printf("\"all_matches\":%llu,\"all_matches_seconds\":%.6f,"
           "\"new_matches\":%llu,\"new_matches_seconds\":%.6f,"
           "\"entries\":%llu,\"read_seconds\":%.6f,\"pairs\":%u,"
           "\"lines\":%llu,\"explain_seconds\":%.6f,",
           (unsigned long long)a->matches, a->match, (unsigned long long)a->new_matches,
           a->match_new, (unsigned long long)a->entries, a->read, a->pairs,
           (unsigned long long)a->lines, a->explain);
}

static void print_counts(const struct u32_vec *counts)
{
    printf("\"counts\":[");
    for (uint32_t i = 0; i < counts->len; i += 2)
        printf("%s[%u,%u]", i > 0 ? "," : "", counts->at[i], counts->at[i + 1]);
    printf("],");
}

static void print(const struct outcome *outcome, const struct options *options,
                  const struct u32_vec *counts)
{
    printf("{\"nodes\":%u,\"classes\":%u,\"ids\":%u,\"memo\":null,"
           "\"iterations\":%u,\"cpu_seconds\":%.6f,\"peak_bytes\":%llu,"
           "\"stop\":\"%s\",",
           outcome->nodes, outcome->classes, outcome->ids, outcome->rounds, outcome->cpu,
           (unsigned long long)outcome->peak, stop_name[outcome->stop]);
    printf("\"made\":%llu,\"merges\":%u,\"matches\":%llu,"
           "\"search_seconds\":%.6f,\"rebuild_seconds\":%.6f,",
           (unsigned long long)outcome->made, outcome->merges, (unsigned long long)outcome->matches,
           outcome->search, outcome->rebuild);
    if (options->alone)
        print_alone(&outcome->alone);
    if (options->counts)
        print_counts(counts);
    if (outcome->proved)
        printf("\"proof_seconds\":%.7f,\"proof_steps\":%llu}\n", outcome->proof_seconds,
               (unsigned long long)outcome->proof_steps);
    else
        printf("\"proof_seconds\":null,\"proof_steps\":null}\n");
}

static int report(const struct err *err)
{
    if (err->file[0])
        fprintf(stderr, "terms: %s:%u:%u: %s\n", err->file, err->line, err->col, err->msg);
    else
        fprintf(stderr, "terms: %s\n", err->msg);
    return err->kind == ERR_USAGE ? 64 : err->kind == ERR_INPUT ? 65 : 70;
}

int main(int argc, char **argv)
{
    mem_keep();
    struct options options = {.explain = true, .repeat = 1};
    struct texts texts = {0};
    struct outcome out = {0};
    struct u32_vec counts = {0};
    struct err err = {0};
    options.run = (struct run_options){
        .max_rounds = 10000, .match_limit = EGRAPH_PLAIN_MATCHES, .pause = EGRAPH_PLAIN_PAUSE};
    bool ok = parse(&options, argc, argv, &err) && read_texts(&options, &texts, &err) &&
              run_all(&options, &texts, &counts, &out, &err);
    if (ok)
        print(&out, &options, &counts);
    if (ok && err.kind != ERR_NONE)
        (void)report(&err); // why the run stopped
    buf_release(&texts.rules);
    buf_release(&texts.start);
    buf_release(&texts.goal);
    vec_release(&counts);
    return ok ? 0 : report(&err);
}
