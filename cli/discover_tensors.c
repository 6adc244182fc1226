// SPDX-License-Identifier: Apache-2.0
// Rules about operators that move data: candidates by enumeration, each one
// proved.
#include "cli/discover_tensors.h"
#include "cli/proving.h"
#include "discover/search.h"
#include <jansson.h>
#include <stdio.h>
#include <unistd.h>

struct discovery {
    struct command_line *c;
    struct search_options o;
    struct search_progress p;
    struct found_rules found;
    struct ruleset set;
    bool terminal;
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

static bool read_ops(struct discovery *d, struct err *e)
{
    const char *at = d->c->value[OPTION_ops];
    struct enumerate_options *o = &d->o.enumerate;
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

static bool read_options(struct discovery *d, struct err *e)
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
    if (c->value[OPTION_domain] &&
        !option_domains(c, &d->o.domains, e))
        return false;
    d->o.size = (unsigned)size;
    d->o.enumerate.tensors = (unsigned)tensors;
    d->o.enumerate.scalars = 2;
    d->o.enumerate.classes = (unsigned)classes;
    d->o.enumerate.literals = true;
    d->o.seed = (uint64_t)seed;
    d->o.jobs = (unsigned)jobs;
    return true;
}

static void progress(void *ctx, const struct search_progress *p)
{
    struct discovery *d = ctx;
    if (!d->terminal)
        return;
    fprintf(stderr,
            "\r%.0f s: %u operators, %u classes: %llu of %llu; %llu "
            "candidates, %llu proved, %llu refuted, %llu kept, %.1f/s   ",
            p->seconds, p->size, p->classes, (unsigned long long)p->left,
            (unsigned long long)p->lefts, (unsigned long long)p->candidates,
            (unsigned long long)p->proved, (unsigned long long)p->refuted,
            (unsigned long long)p->kept,
            p->seconds > 0 ? (double)p->candidates / p->seconds : 0.0);
    (void)fflush(stderr);
}

static bool write_rules(const struct discovery *d, struct err *e)
{
    struct buf out = {0};
    buf_printf(&out, "// Found by rankwright discover --ops %s --size %u "
                     "--seed %llu\n",
               d->c->value[OPTION_ops], d->o.size,
               (unsigned long long)d->o.seed);
    for (uint32_t i = 0; i < d->found.at.len; i++)
        buf_printf(&out, "\n%s", d->found.at.at[i].text);
    const char *path = d->c->value[OPTION_output];
    bool ok = path ? file_write(path, buf_text(&out), out.len, e)
                   : print_all(&out, e);
    buf_release(&out);
    return ok;
}

static json_t *summary(const struct discovery *d)
{
    const struct search_progress *p = &d->p;
    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:b, s:I}",
        "sketches", (json_int_t)p->sketches, "pairs", (json_int_t)p->pairs,
        "solved", (json_int_t)p->solved, "broken", (json_int_t)p->broken,
        "candidates", (json_int_t)p->candidates, "proved",
        (json_int_t)p->proved, "refuted", (json_int_t)p->refuted, "unknown",
        (json_int_t)p->unknown, "kept", (json_int_t)p->kept, "seconds",
        p->seconds, "ended", d->found.ended, "seed", (json_int_t)d->o.seed);
}

static bool report(const struct discovery *d, struct err *e)
{
    const struct search_progress *p = &d->p;
    if (d->terminal)
        fputc('\n', stderr);
    note("%llu sketches, %llu pairs, %llu solved, %llu broken by instances; "
         "%llu candidates: %llu proved, %llu refuted, %llu unknown; %llu kept "
         "in %.1f s%s",
         (unsigned long long)p->sketches, (unsigned long long)p->pairs,
         (unsigned long long)p->solved, (unsigned long long)p->broken,
         (unsigned long long)p->candidates, (unsigned long long)p->proved,
         (unsigned long long)p->refuted, (unsigned long long)p->unknown,
         (unsigned long long)p->kept, p->seconds,
         d->found.ended ? "; the time ended" : "");
    if (!d->c->value[OPTION_json])
        return true;
    struct buf out = {0};
    json_t *j = summary(d);
    char *text = json_dumps(j, JSON_COMPACT);
    buf_printf(&out, "%s\n", text);
    free(text);
    json_decref(j);
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

int discover_tensors(struct command_line *c)
{
    struct discovery d = {.c = c};
    struct err e = {0};
    ruleset_init(&d.set);
    d.terminal = isatty(STDERR_FILENO) == 1;
    d.o.progress = progress;
    d.o.ctx = &d;
    bool ok = read_options(&d, &e) &&
              search_rules(&d.o, &d.set, &d.found, &d.p, &e) &&
              write_rules(&d, &e) && report(&d, &e);
    found_rules_release(&d.found);
    ruleset_release(&d.set);
    return ok ? d.found.ended ? EXIT_UNKNOWN : EXIT_YES : report_error(&e);
}
