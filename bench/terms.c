// SPDX-License-Identifier: Apache-2.0
#include "base/buf.h"
#include "base/clock.h"
#include "egraph/run.h"

#include <stdio.h>
#include <stdlib.h>

static char *slurp(const char *f)
{
    FILE *in = fopen(f, "rb");
    if (!in) {
        perror(f);
        exit(1);
    }
    char *s = calloc(1, 1 << 20);
    size_t n = fread(s, 1, (1 << 20) - 1, in);
    s[n] = 0;
    fclose(in);
    return s;
}
int main(int argc, char **argv)
{
    struct err e = {0};
    struct cc g;
    struct plain_rules p;
    bool journal = true;
    struct run_options o = {
        .match_limit = 1000, .pause = 5, .max_rounds = 10000};
    for (int i = 3; i < argc; i++) {
        if (!strcmp(argv[i], "--no-explain"))
            journal = false;
        else if (!strcmp(argv[i], "--backoff"))
            o.scheduler = RUN_BACKOFF;
        else if (!strcmp(argv[i], "--iterations"))
            o.max_rounds = (uint32_t)strtoul(argv[++i], 0, 10);
        else if (!strcmp(argv[i], "--nodes"))
            o.max_nodes = (uint32_t)strtoul(argv[++i], 0, 10);
    }
    cc_init(&g, journal);
    plain_init(&p);
    if (!plain_read(&p, &g, argv[1], slurp(argv[1]), NULL, &e)) {
        printf("%s:%u: %s\n", e.file, e.line, e.msg);
        return 1;
    }
    const char *t = slurp(argv[2]);
    uint32_t line = 1, node;
    for (;;) {
        while (*t == '\n' || *t == ' ')
            t++;
        if (!*t)
            break;
        if (!plain_term(&p, &g, argv[2], &t, &line, &node, &e)) {
            printf("%s\n", e.msg);
            return 1;
        }
    }
    struct run r;
    run_init(&r, &g, &p, o);
    double t0 = clock_cpu();
    run_rounds(&r);
    double t1 = clock_cpu() - t0;
    uint64_t m = 0, ap = 0;
    for (uint32_t i = 0; i < r.rule.len; i++) {
        m += r.rule.at[i].matches;
        ap += r.rule.at[i].applied;
    }
    printf("nodes %u classes %u ids %u classids %u rounds %u cpu %.3f search "
           "%.3f rebuild %.3f matches %lu applied %lu peak %.1f MB bytes %.1f "
           "journal %.1f was %.1f stop %d\n",
           g.n_live, g.n_classes, g.node.len, g.class_.len, r.rounds, t1,
           r.search_seconds, r.rebuild_seconds, m, ap,
           (double)memory_peak() / 1048576., (double)cc_bytes(&g) / 1048576.,
           (double)g.journal.len / 1048576., g.journal.was.len * 4 / 1048576.,
           r.stop);
    return 0;
}
