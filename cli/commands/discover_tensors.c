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
    struct command_line *command;
    struct search_options options;
    struct search_progress progress;
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

static bool read_ops(struct tensor_discovery *discovery, struct err *err)
{
    const char *at = discovery->command->value[OPTION_ops];
    struct enumerate_options *options = &discovery->options.enumerate;
    if (at == NULL &&
        (discovery->command->value[OPTION_candidates] || discovery->command->value[OPTION_try]))
        return true;
    if (at == NULL)
        return err_set(err, ERR_USAGE, "discover: expected --ops OP,..");
    while (*at) {
        size_t n = strcspn(at, ","), i = 0;
        while (i < sizeof operators / sizeof *operators &&
               (strlen(operators[i].name) != n || strncmp(operators[i].name, at, n) != 0))
            i++;
        if (i == sizeof operators / sizeof *operators)
            return err_set(err, ERR_USAGE, "--ops: no operator is called %.*s",
                           (int)(n < 60 ? n : 60), at);
        options->kinds |= operators[i].kind;
        options->binaries |= operators[i].binary;
        at += n + (at[n] == ',');
    }
    // Sums are what a reduction is of if no operator on elements says.
    if (options->binaries == 0)
        options->binaries = 1u << BINARY_ADD;
    return true;
}

static bool read_options(struct tensor_discovery *discovery, struct err *err)
{
    struct command_line *command = discovery->command;
    double size = 3, tensors = 3, classes = 2, seed = 0, jobs = 0;
    if (command->words.len > 0)
        return err_set(err, ERR_USAGE, "discover: unexpected %s", command->words.at[0]);
    long cpus = sysconf(_SC_NPROCESSORS_ONLN);
    jobs = cpus > 0 ? (double)cpus : 1;
    if (!read_ops(discovery, err) || !option_count(command, OPTION_size, 1, 4, &size, err) ||
        !option_count(command, OPTION_tensors, 1, 3, &tensors, err) ||
        !option_count(command, OPTION_classes, 1, 3, &classes, err) ||
        !option_count(command, OPTION_seed, 0, 9007199254740992.0, &seed, err) ||
        !option_count(command, OPTION_jobs, 1, 256, &jobs, err) ||
        !option_number(command, OPTION_seconds, 0, 1e7, &discovery->options.seconds, err))
        return false;
    if (command->value[OPTION_domain] && !option_domains(command, &discovery->options.domains, err))
        return false;
    discovery->options.rule_seconds = 6;
    discovery->options.size = (unsigned)size;
    discovery->options.enumerate.tensors = (unsigned)tensors;
    discovery->options.enumerate.scalars = 2;
    discovery->options.enumerate.classes = (unsigned)classes;
    discovery->options.enumerate.literals = true;
    discovery->options.seed = (uint64_t)seed;
    discovery->options.jobs = (unsigned)jobs;
    if (command->value[OPTION_from]) {
        if (!load_rules(&discovery->known, command->value[OPTION_from], err))
            return false;
        discovery->options.known = &discovery->known;
    }
    if (command->value[OPTION_resume]) {
        if (mkdir(command->value[OPTION_resume], 0777) != 0 && errno != EEXIST)
            return err_set(err, ERR_IO, "%s: %s", command->value[OPTION_resume], strerror(errno));
        buf_printf(&discovery->journal, "%s/journal", command->value[OPTION_resume]);
        discovery->options.journal = buf_text(&discovery->journal);
    }
    return true;
}

static void progress(void *ctx, const struct search_progress *p)
{
    struct tensor_discovery *discovery = ctx;
    const char *end = discovery->terminal ? "\r" : "\n";
    // A log gets a line a minute.
    if (!discovery->terminal && p->seconds < discovery->shown + 60)
        return;
    discovery->shown = p->seconds;
    fprintf(stderr,
            "%.0f s: %u operators (slices and paddings: %u), %u classes: "
            "%llu of %llu; %llu "
            "candidates, %llu proved, %llu refuted, %llu kept, %.1f/s   %s",
            p->seconds, p->size, p->attributed, p->classes, (unsigned long long)p->left,
            (unsigned long long)p->lefts, (unsigned long long)p->candidates,
            (unsigned long long)p->proved, (unsigned long long)p->refuted,
            (unsigned long long)p->kept, p->seconds > 0 ? (double)p->candidates / p->seconds : 0.0,
            end);
    (void)fflush(stderr);
}

static void rules_text(const struct tensor_discovery *discovery, const struct found_rules *found,
                       struct buf *out)
{
    if (discovery->command->value[OPTION_candidates] == NULL)
        buf_printf(out,
                   "// Found by rankwright discover --ops %s --size %u "
                   "--tensors %u --classes %u --seed %llu\n",
                   discovery->command->value[OPTION_ops], discovery->options.size,
                   discovery->options.enumerate.tensors, discovery->options.enumerate.classes,
                   (unsigned long long)discovery->options.seed);
    for (uint32_t i = 0; i < found->at.len; i++)
        buf_printf(out, "\n%s", found->at.at[i].text);
}

// After every round of proofs, so that little is lost.
static bool save(void *ctx, const struct found_rules *found, struct err *err)
{
    struct tensor_discovery *discovery = ctx;
    const char *path = discovery->command->value[OPTION_output];
    struct buf out = {0};
    if (path == NULL)
        return true;
    rules_text(discovery, found, &out);
    bool ok = file_write(path, buf_text(&out), out.len, err);
    buf_release(&out);
    return ok;
}

static bool write_rules(const struct tensor_discovery *discovery, struct err *err)
{
    struct buf out = {0};
    rules_text(discovery, &discovery->found, &out);
    const char *path = discovery->command->value[OPTION_output];
    bool ok = path ? file_write(path, buf_text(&out), out.len, err)
              : discovery->command->value[OPTION_json] ? true // lines, with the report
                                                       : print_all(&out, err);
    buf_release(&out);
    return ok;
}

// Standard output is all JSON or all rules.
static void rule_lines(const struct tensor_discovery *discovery, struct buf *out)
{
    for (uint32_t i = 0; i < discovery->found.at.len; i++) {
        const struct found_rule *rule = &discovery->found.at.at[i];
        json_line(json_pack("{s:s, s:s}", "name", rule->name, "rule", rule->text), out);
    }
}

static json_t *summary(const struct tensor_discovery *discovery)
{
    const struct search_progress *p = &discovery->progress;
    return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:b, s:I}",
                     "sketches", (json_int_t)p->sketches, "pairs", (json_int_t)p->pairs, "solved",
                     (json_int_t)p->solved, "broken", (json_int_t)p->broken, "candidates",
                     (json_int_t)p->candidates, "proved", (json_int_t)p->proved, "refuted",
                     (json_int_t)p->refuted, "unknown", (json_int_t)p->unknown, "derived",
                     (json_int_t)p->derived, "kept", (json_int_t)p->kept, "lost",
                     (json_int_t)p->lost, "seconds", p->seconds, "ended", discovery->found.ended,
                     "seed", (json_int_t)discovery->options.seed);
}

static bool report(const struct tensor_discovery *discovery, struct err *err)
{
    const struct search_progress *p = &discovery->progress;
    if (discovery->terminal)
        fputc('\n', stderr);
    note("%llu sketches, %llu pairs, %llu solved, %llu broken by instances; "
         "%llu candidates: %llu proved, %llu refuted, %llu unknown; %llu "
         "derived, %llu kept in %.1f s%s",
         (unsigned long long)p->sketches, (unsigned long long)p->pairs,
         (unsigned long long)p->solved, (unsigned long long)p->broken,
         (unsigned long long)p->candidates, (unsigned long long)p->proved,
         (unsigned long long)p->refuted, (unsigned long long)p->unknown,
         (unsigned long long)p->derived, (unsigned long long)p->kept, p->seconds,
         discovery->found.ended ? "; the time ended" : "");
    if (p->lost > 0)
        note("%llu left sides were not looked at: a process died or the time "
             "ended",
             (unsigned long long)p->lost);
    if (!discovery->command->value[OPTION_json])
        return true;
    struct buf out = {0};
    if (!discovery->command->value[OPTION_output])
        rule_lines(discovery, &out);
    json_line(summary(discovery), &out);
    bool ok = print_all(&out, err);
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
static bool store(struct tensor_discovery *discovery, struct err *err)
{
    struct ruleset set;
    struct err_list errs = {0};
    struct db *db = NULL;
    struct proving proving = {0};
    struct buf text = {0};
    bool interrupted = false;
    if (!discovery->command->value[OPTION_db])
        return true;
    rules_text(discovery, &discovery->found, &text);
    ruleset_init(&set);
    bool ok = (ruleset_parse(&set, buf_text(&text), text.len, "discovered.rw", &errs) ||
               err_set(err, ERR_BUG, "a rule that was found cannot be read")) &&
              proving_options(discovery->command, &proving, err) &&
              open_database(discovery->command, DB_WRITE, &db, err) &&
              prove_into(db, &set, &proving, true, &interrupted, NULL, err);
    db_close(db);
    vec_release(&errs.at);
    ruleset_release(&set);
    buf_release(&text);
    return ok;
}

// ---- rules on many ground instances

struct instance_trials {
    struct tensor_discovery *discovery;
    const struct ruleset *rules;
    double instances;
    uint64_t run, few; // instances; rules with fewer than asked for
    uint32_t broken;
    struct buf out;
};

static void try_one(void *ctx, uint32_t job, struct buf *out)
{
    struct instance_trials *trials = ctx;
    struct trial_result result;
    struct trial_options options = {.seed = trials->discovery->options.seed + job,
                                    .instances = (uint32_t)trials->instances,
                                    .domains = trials->discovery->options.domains};
    trial_rule(trials->rules->rules.at[job], &options, &result);
    buf_write(out, &result.instances, sizeof result.instances);
    if (result.broken)
        buf_printf(out, "%s %s", domain_text(result.domain), buf_text(&result.instance));
    buf_release(&result.instance);
}

static void take_trial(void *ctx, uint32_t job, const char *at, size_t n)
{
    struct instance_trials *trials = ctx;
    uint32_t k;
    memcpy(&k, at, sizeof k);
    trials->run += k;
    trials->few += k < trials->instances;
    if (n <= sizeof k)
        return;
    trials->broken++;
    buf_printf(&trials->out, "%s %.*s\n", trials->rules->rules.at[job]->name, (int)(n - sizeof k),
               at + sizeof k);
}

static int run_trials(struct tensor_discovery *discovery, struct err *err)
{
    struct instance_trials trials = {
        .discovery = discovery, .rules = &discovery->set, .instances = 10000};
    struct parallel_jobs crew = {
        .processes = discovery->options.jobs, .work = try_one, .take = take_trial, .ctx = &trials};
    bool ok = option_count(discovery->command, OPTION_instances, 1, 1e7, &trials.instances, err) &&
              load_rules(&discovery->set, discovery->command->value[OPTION_try], err) &&
              parallel_run(&crew, discovery->set.rules.len, err) && print_all(&trials.out, err);
    if (ok)
        note("%u rules, %llu instances: %u broken, %u not tried, %llu with "
             "fewer instances than asked for",
             discovery->set.rules.len, (unsigned long long)trials.run, trials.broken, crew.lost,
             (unsigned long long)trials.few);
    buf_release(&trials.out);
    return !ok                          ? report_error(err)
           : trials.broken              ? EXIT_NO
           : crew.lost + trials.few > 0 ? EXIT_UNKNOWN
                                        : EXIT_YES;
}

static bool judge_candidates(struct tensor_discovery *discovery, struct err *err)
{
    struct ruleset given;
    ruleset_init(&given);
    bool ok = load_rules(&given, discovery->command->value[OPTION_candidates], err) &&
              search_judge(&discovery->options, &given, &discovery->set, &discovery->found,
                           &discovery->progress, err);
    ruleset_release(&given);
    return ok;
}

int discover_tensors(struct command_line *command)
{
    struct tensor_discovery discovery = {.command = command};
    struct err err = {0};
    int status = EXIT_YES;
    ruleset_init(&discovery.set);
    ruleset_init(&discovery.known);
    discovery.terminal = isatty(STDERR_FILENO) == 1;
    discovery.options.progress = progress;
    discovery.options.kept = save;
    discovery.options.ctx = &discovery;
    if (!read_options(&discovery, &err)) {
        status = report_error(&err);
    } else if (command->value[OPTION_try]) {
        status = run_trials(&discovery, &err);
    } else {
        bool ok = (command->value[OPTION_candidates]
                       ? judge_candidates(&discovery, &err)
                       : search_rules(&discovery.options, &discovery.set, &discovery.found,
                                      &discovery.progress, &err)) &&
                  write_rules(&discovery, &err) && store(&discovery, &err) &&
                  report(&discovery, &err);
        status = !ok                                                    ? report_error(&err)
                 : discovery.found.ended || discovery.progress.lost > 0 ? EXIT_UNKNOWN
                                                                        : EXIT_YES;
    }
    found_rules_release(&discovery.found);
    ruleset_release(&discovery.set);
    ruleset_release(&discovery.known);
    buf_release(&discovery.journal);
    return status;
}
