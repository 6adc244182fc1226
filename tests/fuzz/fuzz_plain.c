// SPDX-License-Identifier: Apache-2.0
// Any bytes as plain rules and terms: the text up to a line `---` is rules, the
// rest terms.  What is read is run a little, and the graph must be sound.
#include "egraph/plain/analysis/fold.h"
#include "egraph/plain/saturate/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(struct cc *graph, struct plain_rules *rules, struct plain_fold *fold)
{
    struct run r;
    struct err err = {0};
    run_init(&r, graph, rules,
             (struct run_options){.scheduler = RUN_RATION,
                                  .max_rounds = 4,
                                  .max_nodes = 500,
                                  .max_matches = 5000,
                                  .guard = plain_fold_guard,
                                  .ctx = fold});
    run_rounds(&r);
    if (!cc_check(graph, &err))
        BUG("%s", err.msg);
    run_release(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cc graph;
    struct plain_rules rules;
    struct plain_fold fold;
    struct err err = {0};
    struct u32_vec root = {0};
    enum plain_fold_kind kind;
    char *text = mem_alloc(size + 1);
    memcpy(text, data, size);
    char *terms = strstr(text, "\n---\n");
    if (terms != NULL)
        terms[1] = 0;
    cc_init(&graph, true);
    plain_init(&rules);
    bool ok = plain_read(&rules, &graph, "rules", text, plain_fold_guards, &err) &&
              plain_fold_kind_named(rules.analysis, &kind, &err);
    plain_fold_init(&fold, ok ? kind : PLAIN_FOLD_NONE, &graph, &rules);
    ok = ok && (terms == NULL || plain_terms(&rules, &graph, "terms", terms + 5, &root, &err));
    if (!ok && err.msg[0] == 0)
        BUG("an error without text");
    if (ok)
        run(&graph, &rules, &fold);
    vec_release(&root);
    plain_fold_release(&fold);
    plain_release(&rules);
    cc_release(&graph);
    mem_free(text);
    return 0;
}
