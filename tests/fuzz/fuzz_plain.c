// SPDX-License-Identifier: Apache-2.0
// Any bytes as plain rules and terms: the text up to a line `---` is rules, the
// rest terms.  What is read is run a little, and the graph must be sound.
#include "egraph/plain/analysis/fold.h"
#include "egraph/plain/saturate/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(struct cc *g, struct plain_rules *p, struct plain_fold *f)
{
    struct run r;
    struct err e = {0};
    run_init(&r, g, p,
             (struct run_options){.scheduler = RUN_RATION,
                                  .max_rounds = 4,
                                  .max_nodes = 500,
                                  .max_matches = 5000,
                                  .guard = plain_fold_guard,
                                  .ctx = f});
    run_rounds(&r);
    if (!cc_check(g, &e))
        BUG("%s", e.msg);
    run_release(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cc g;
    struct plain_rules p;
    struct plain_fold f;
    struct err e = {0};
    struct u32_vec root = {0};
    enum plain_fold_kind kind;
    char *text = mem_alloc(size + 1);
    memcpy(text, data, size);
    char *terms = strstr(text, "\n---\n");
    if (terms != NULL)
        terms[1] = 0;
    cc_init(&g, true);
    plain_init(&p);
    bool ok = plain_read(&p, &g, "rules", text, plain_fold_guards, &e) &&
              plain_fold_kind_named(p.analysis, &kind, &e);
    plain_fold_init(&f, ok ? kind : PLAIN_FOLD_NONE, &g, &p);
    ok = ok &&
         (terms == NULL || plain_terms(&p, &g, "terms", terms + 5, &root, &e));
    if (!ok && e.msg[0] == 0)
        BUG("an error without text");
    if (ok)
        run(&g, &p, &f);
    vec_release(&root);
    plain_fold_release(&f);
    plain_release(&p);
    cc_release(&g);
    mem_free(text);
    return 0;
}
