// SPDX-License-Identifier: Apache-2.0
// Rules about operators that move data: candidates by enumeration, each one
// proved.
#include "cli/commands/discover_tensors.h"
#include "cli/proving/proving.h"
#include "cli/proving/rule_json.h"
#include "discover/tensors/parallel.h"
#include "discover/tensors/search.h"
#include "discover/tensors/trial.h"
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct tensor_discovery {
    struct command_line *c;
    struct search_options o;
    struct search_progress p;
    struct found_rules found;
    struct ruleset set, known;
    struct buf journal; // path
    bool terminal;
    double shown; // seconds at the last line
};

static const struct {
    const char *name;
    unsigned kind, binary; // masks
} operators[] = {
    {"slice", 1u << SKETCH_SLICE, 0},
    {"pad", 1u << SKETCH_PAD, 0},
    {"concat", 1u << SKETCH_CONCAT, 0},
    {"reverse", 1u << SKETCH_REVERSE, 0},
    {"broadcast", 1u << SKETCH_BROADCAST, 0},
    {"transpose", 1u << SKETCH_RELABEL, 0},
    {"reduce", 1u << SKETCH_REDUCE, 0},
    {"add", 1u << SKETCH_BINARY, 1u << BINARY_ADD},
    {"mul", 1u << SKETCH_BINARY, 1u << BINARY_MUL},
    {"max", 1u << SKETCH_BINARY, 1u << BINARY_MAX},
};

static bool read_ops(struct tensor_discovery *d, struct err *e)
{
    const char *at = d->c->value[OPTION_ops];
    struct enumerate_options *o = &d->o.enumerate;
    if (at == NULL &&
        (d->c->value[OPTION_candidates] || d->c->value[OPTION_try]))
        return true;
    if (at == NULL)
        return err_set(e, ERR_USAGE, "discover: expected --ops OP,..");
    while (*at) {
        size_t n = strcspn(at, ","), i = 0;
        while (i < sizeof operators / sizeof *operators &&
               (strlen(operators[i].name) != n ||
                strncmp(operators[i].name, at, n) != 0))
            i++;
        if (i == sizeof operators / sizeof *operators)
            return err_set(e, ERR_USAGE, "--ops: no operator is called %.*s",
                           (int)(n < 60 ? n : 60), at);
        o->kinds |= operators[i].kind;
        o->binaries |= operators[i].binary;
        at += n + (at[n] == ',');
    }
    // Sums are what a reduction is of if no operator on elements says.
    if (o->binaries == 0)
        o->binaries = 1u << BINARY_ADD;
    return true;
}

static bool read_options(struct tensor_discovery *d, struct err *e)
{
    struct command_line *c = d->c;
    double size = 3, tensors = 3, classes = 2, seed = 0, jobs = 0;
    if (c->words.len > 0)
        return err_set(e, ERR_USAGE, "discover: unexpected %s", c->words.at[0]);
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    jobs = cpus > 0 ? (double)cpus : 1;
    if (!read_ops(d, e) || !option_count(c, OPTION_size, 1, 4, &size, e) ||
        !option_count(c, OPTION_tensors, 1, 3, &tensors, e) ||
        !option_count(c, OPTION_classes, 1, 3, &classes, e) ||
        !option_count(c, OPTION_seed, 0, 9007199254740992.0, &seed, e) ||
        !option_count(c, OPTION_jobs, 1, 256, &jobs, e) ||
        !option_number(c, OPTION_seconds, 0, 1e7, &d->o.seconds, e))
        return false;
    if (c->value[OPTION_domain] && !option_domains(c, &d->o.domains, e))
        return false;
    d->o.rule_seconds = 6;
    d->o.size = (unsigned)size;
    d->o.enumerate.tensors = (unsigned)tensors;
    d->o.enumerate.scalars = 2;
    d->o.enumerate.classes = (unsigned)classes;
    d->o.enumerate.literals = true;
    d->o.seed = (uint64_t)seed;
    d->o.jobs = (unsigned)jobs;
    if (c->value[OPTION_from]) {
        if (!load_rules(&d->known, c->value[OPTION_from], e))
            return false;
        d->o.known = &d->known;
    }
    if (c->value[OPTION_resume]) {
        if (mkdir(c->value[OPTION_resume], 0777) != 0 && errno != EEXIST)
            return err_set(e, ERR_IO, "%s: %s", c->value[OPTION_resume],
                           strerror(errno));
        buf_printf(&d->journal, "%s/journal", c->value[OPTION_resume]);
        d->o.journal = buf_text(&d->journal);
    }
    return true;
}

static void progress(void *ctx, const struct search_progress *p)
{
    struct tensor_discovery *d = ctx;
    const char *end = d->terminal ? "\r" : "\n";
    // A log gets a line a minute.
    if (!d->terminal && p->seconds < d->shown + 60)
        return;
    d->shown = p->seconds;
    fprintf(stderr,
            "%.0f s: %u operators (slices and paddings: %u), %u classes: "
            "%llu of %llu; %llu "
            "candidates, %llu proved, %llu refuted, %llu kept, %.1f/s   %s",
            p->seconds, p->size, p->attributed, p->classes,
            (unsigned long long)p->left, (unsigned long long)p->lefts,
            (unsigned long long)p->candidates, (unsigned long long)p->proved,
            (unsigned long long)p->refuted, (unsigned long long)p->kept,
            p->seconds > 0 ? (double)p->candidates / p->seconds : 0.0, end);
    (void)fflush(stderr);
}

static void rules_text(const struct tensor_discovery *d, const struct found_rules *f,
                       struct buf *out)
{
    if (d->c->value[OPTION_candidates] == NULL)
        buf_printf(out,
                   "// Found by rankwright discover --ops %s --size %u "
                   "--tensors %u --classes %u --seed %llu\n",
                   d->c->value[OPTION_ops], d->o.size, d->o.enumerate.tensors,
                   d->o.enumerate.classes, (unsigned long long)d->o.seed);
    for (uint32_t i = 0; i < f->at.len; i++)
        buf_printf(out, "\n%s", f->at.at[i].text);
}

// After every round of proofs, so that little is lost.
static bool save(void *ctx, const struct found_rules *f, struct err *e)
{
    struct tensor_discovery *d = ctx;
    const char *path = d->c->value[OPTION_output];
    struct buf out = {0};
    if (path == NULL)
        return true;
    rules_text(d, f, &out);
    bool ok = file_write(path, buf_text(&out), out.len, e);
    buf_release(&out);
    return ok;
}

static bool write_rules(const struct tensor_discovery *d, struct err *e)
{
    struct buf out = {0};
    rules_text(d, &d->found, &out);
    const char *path = d->c->value[OPTION_output];
    bool ok = path ? file_write(path, buf_text(&out), out.len, e)
              : d->c->value[OPTION_json] ? true // lines, with the report
                                         : print_all(&out, e);
    buf_release(&out);
    return ok;
}

// Standard output is all JSON or all rules.
static void rule_lines(const struct tensor_discovery *d, struct buf *out)
{
    for (uint32_t i = 0; i < d->found.at.len; i++) {
        const struct found_rule *f = &d->found.at.at[i];
        json_line(json_pack("{s:s, s:s}", "name", f->name, "rule", f->text),
                  out);
    }
}

static json_t *summary(const struct tensor_discovery *d)
{
    const struct search_progress *p = &d->p;
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:b, s:I}",
        "sketches", (json_int_t)p->sketches, "pairs", (json_int_t)p->pairs,
        "solved", (json_int_t)p->solved, "broken", (json_int_t)p->broken,
        "candidates", (json_int_t)p->candidates, "proved",
        (json_int_t)p->proved, "refuted", (json_int_t)p->refuted, "unknown",
        (json_int_t)p->unknown, "derived", (json_int_t)p->derived, "kept",
        (json_int_t)p->kept, "lost", (json_int_t)p->lost, "seconds", p->seconds, "ended", d->found.ended,
        "seed", (json_int_t)d->o.seed);
}

static bool report(const struct tensor_discovery *d, struct err *e)
{
    const struct search_progress *p = &d->p;
    if (d->terminal)
        fputc('\n', stderr);
    note("%llu sketches, %llu pairs, %llu solved, %llu broken by instances; "
         "%llu candidates: %llu proved, %llu refuted, %llu unknown; %llu "
         "derived, %llu kept in %.1f s%s",
         (unsigned long long)p->sketches, (unsigned long long)p->pairs,
         (unsigned long long)p->solved, (unsigned long long)p->broken,
         (unsigned long long)p->candidates, (unsigned long long)p->proved,
         (unsigned long long)p->refuted, (unsigned long long)p->unknown,
         (unsigned long long)p->derived, (unsigned long long)p->kept,
         p->seconds, d->found.ended ? "; the time ended" : "");
    if (p->lost > 0)
        note("%llu left sides were not looked at: a process died or the time "
             "ended",
             (unsigned long long)p->lost);
    if (!d->c->value[OPTION_json])
        return true;
    struct buf out = {0};
    if (!d->c->value[OPTION_output])
        rule_lines(d, &out);
    json_line(summary(d), &out);
    bool ok = print_all(&out, e);
    buf_release(&out);
    return ok;
}

bool discover_moves(const char *ops)
{
    while (ops != NULL && *ops) {
        size_t n = strcspn(ops, ",");
        for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
            if (operators[i].binary == 0 && strlen(operators[i].name) == n &&
                strncmp(operators[i].name, ops, n) == 0)
                return true;
        ops += n + (ops[n] == ',');
    }
    return false;
}

// What was found is proved again into the database, from its text.
static bool store(struct tensor_discovery *d, struct err *e)
{
    struct ruleset s;
    struct err_list errs = {0};
    struct db *db = NULL;
    struct proving p = {0};
    struct buf text = {0};
    bool interrupted = false;
    if (!d->c->value[OPTION_db])
        return true;
    rules_text(d, &d->found, &text);
    ruleset_init(&s);
    bool ok =
        (ruleset_parse(&s, buf_text(&text), text.len, "discovered.rw", &errs) ||
         err_set(e, ERR_BUG, "a rule that was found cannot be read")) &&
        proving_options(d->c, &p, e) && open_database(d->c, DB_WRITE, &db, e) &&
        prove_into(db, &s, &p, true, &interrupted, NULL, e);
    db_close(db);
    vec_release(&errs.at);
    ruleset_release(&s);
    buf_release(&text);
    return ok;
}

// ---- rules on many ground instances

struct instance_trials {
    struct tensor_discovery *d;
    const struct ruleset *rules;
    double instances;
    uint64_t run, few; // instances; rules with fewer than asked for
    uint32_t broken;
    struct buf out;
};

static void try_one(void *ctx, uint32_t job, struct buf *out)
{
    struct instance_trials *t = ctx;
    struct trial_result r;
    struct trial_options o = {.seed = t->d->o.seed + job,
                              .instances = (uint32_t)t->instances,
                              .domains = t->d->o.domains};
    trial_rule(t->rules->rules.at[job], &o, &r);
    buf_write(out, &r.instances, sizeof r.instances);
    if (r.broken)
        buf_printf(out, "%s %s", domain_text(r.domain), buf_text(&r.instance));
    buf_release(&r.instance);
}

static void take_trial(void *ctx, uint32_t job, const char *at, size_t n)
{
    struct instance_trials *t = ctx;
    uint32_t k;
    memcpy(&k, at, sizeof k);
    t->run += k;
    t->few += k < t->instances;
    if (n <= sizeof k)
        return;
    t->broken++;
    buf_printf(&t->out, "%s %.*s\n", t->rules->rules.at[job]->name,
               (int)(n - sizeof k), at + sizeof k);
}

static int run_trials(struct tensor_discovery *d, struct err *e)
{
    struct instance_trials t = {.d = d, .rules = &d->set, .instances = 10000};
    struct parallel_jobs crew = {
        .processes = d->o.jobs, .work = try_one, .take = take_trial, .ctx = &t};
    bool ok = option_count(d->c, OPTION_instances, 1, 1e7, &t.instances, e) &&
              load_rules(&d->set, d->c->value[OPTION_try], e) &&
              parallel_run(&crew, d->set.rules.len, e) && print_all(&t.out, e);
    if (ok)
        note("%u rules, %llu instances: %u broken, %u not tried, %llu with "
             "fewer instances than asked for",
             d->set.rules.len, (unsigned long long)t.run, t.broken, crew.lost,
             (unsigned long long)t.few);
    buf_release(&t.out);
    return !ok                     ? report_error(e)
           : t.broken              ? EXIT_NO
           : crew.lost + t.few > 0 ? EXIT_UNKNOWN
                                   : EXIT_YES;
}

static bool judge_candidates(struct tensor_discovery *d, struct err *e)
{
    struct ruleset given;
    ruleset_init(&given);
    bool ok = load_rules(&given, d->c->value[OPTION_candidates], e) &&
              search_judge(&d->o, &given, &d->set, &d->found, &d->p, e);
    ruleset_release(&given);
    return ok;
}

int discover_tensors(struct command_line *c)
{
    struct tensor_discovery d = {.c = c};
    struct err e = {0};
    int status = EXIT_YES;
    ruleset_init(&d.set);
    ruleset_init(&d.known);
    d.terminal = isatty(STDERR_FILENO) == 1;
    d.o.progress = progress;
    d.o.kept = save;
    d.o.ctx = &d;
    if (!read_options(&d, &e)) {
        status = report_error(&e);
    } else if (c->value[OPTION_try]) {
        status = run_trials(&d, &e);
    } else {
        bool ok = (c->value[OPTION_candidates]
                       ? judge_candidates(&d, &e)
                       : search_rules(&d.o, &d.set, &d.found, &d.p, &e)) &&
                  write_rules(&d, &e) && store(&d, &e) && report(&d, &e);
        status = !ok             ? report_error(&e)
                 : d.found.ended || d.p.lost > 0 ? EXIT_UNKNOWN
                                                 : EXIT_YES;
    }
    found_rules_release(&d.found);
    ruleset_release(&d.set);
    ruleset_release(&d.known);
    buf_release(&d.journal);
    return status;
}
