// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/core.h"
#include "discover/limits.h"
#include "base/clock.h"
#include "base/hash.h"
#include "discover/tensors/parallel.h"

static void send_text(const char *text, struct buf *out)
{
    uint32_t n = text != NULL ? (uint32_t)strlen(text) + 1 : 0;
    buf_write(out, &n, sizeof n);
    buf_write(out, text, n);
}

static char *take_text(struct rule_search *search, const char **at)
{
    uint32_t n;
    memcpy(&n, *at, sizeof n);
    *at += sizeof n;
    char *text = n > 0 ? arena_strndup(&search->mem, *at, n - 1) : NULL;
    *at += n;
    return text;
}

static void work(void *ctx, uint32_t job, struct buf *out)
{
    struct rule_search *search = ctx;
    struct search_progress before = *search->progress;
    struct solve_counts counts = search->counts;
    vec_clear(&search->wave);
    bool any = search_left_side(search, &search->lefts.at[job]);
    struct sent_counts sent_counts = {.pairs = search->progress->pairs - before.pairs,
                                      .solved = search->progress->solved - before.solved,
                                      .broken = search->progress->broken - before.broken,
                                      .fits = search->counts.fits - counts.fits,
                                      .evaluations =
                                          search->counts.evaluations - counts.evaluations,
                                      .candidates = search->wave.len,
                                      .promising = any};
    buf_write(out, &sent_counts, sizeof sent_counts);
    for (uint32_t i = 0; i < search->wave.len; i++) {
        const struct rule_candidate *candidate = &search->wave.at[i];
        buf_write(out, candidate, sizeof *candidate);
        send_text(candidate->text, out);
        for (unsigned k = 0; k < SKETCH_SLOTS; k++)
            send_text(candidate->pair.slot[k], out);
        for (unsigned k = 0; k < SKETCH_CLASSES; k++)
            send_text(candidate->pair.where[k], out);
    }
}

static void take(void *ctx, uint32_t job, const char *at, size_t n)
{
    struct rule_search *search = ctx;
    struct sent_counts sent_counts;
    (void)n;
    memcpy(&sent_counts, at, sizeof sent_counts);
    at += sizeof sent_counts;
    search->progress->pairs += sent_counts.pairs;
    search->progress->solved += sent_counts.solved;
    search->progress->broken += sent_counts.broken;
    search->counts.fits += sent_counts.fits;
    search->counts.evaluations += sent_counts.evaluations;
    if (sent_counts.promising)
        vec_push(&search->promising, search->number.at[job]);
    for (uint32_t i = 0; i < sent_counts.candidates; i++) {
        struct rule_candidate candidate;
        memcpy(&candidate, at, sizeof candidate);
        at += sizeof candidate;
        candidate.text = take_text(search, &at);
        for (unsigned k = 0; k < SKETCH_SLOTS; k++)
            candidate.pair.slot[k] = take_text(search, &at);
        for (unsigned k = 0; k < SKETCH_CLASSES; k++)
            candidate.pair.where[k] = take_text(search, &at);
        candidate.rule = search_parse(search, candidate.text);
        if (candidate.rule == NULL || !search_is_new(search, &candidate))
            continue;
        candidate.number = search->progress->candidates++;
        vec_push(&search->wave, candidate);
    }
}

static uint64_t left_key(const struct sketch *sketch)
{
    return hash_u64(sketch_hash(sketch), 0x1ef7);
}

// Takes the answer for a left side, from another process or from the journal.
static void receive(void *ctx, uint32_t job, const char *at, size_t n)
{
    struct rule_search *search = ctx;
    uint32_t left = search->asked.at[job];
    char *copy = arena_alloc(&search->step, n);
    memcpy(copy, at, n);
    search->answer.at[left] = (struct answer){.at = copy, .n = (uint32_t)n};
    answers_put(&search->journal, left_key(&search->lefts.at[left]), at, (uint32_t)n);
}

static void work_one(void *ctx, uint32_t job, struct buf *out)
{
    struct rule_search *search = ctx;
    work(search, search->asked.at[job], out);
}

// Takes all answers in the order of left sides, independent of their origin.
void search_solve_wave(struct rule_search *search)
{
    struct parallel_jobs crew = {
        .processes = search->options->jobs, .work = work_one, .take = receive, .ctx = search};
    if (search->options->seconds > 0) { // jobs that are not done by then count as lost
        double left = search->begin + search->options->seconds - clock_wall();
        crew.seconds = left > 1 ? left : 1;
    }
    vec_clear(&search->wave);
    vec_clear(&search->asked);
    vec_clear(&search->answer);
    for (uint32_t i = 0; i < search->lefts.len; i++) {
        const struct answer *old = answers_find(&search->journal, left_key(&search->lefts.at[i]));
        vec_push(&search->answer, old ? *old : (struct answer){0});
        if (old == NULL)
            vec_push(&search->asked, i);
    }
    if (search->asked.len > 0 && !parallel_run(&crew, search->asked.len, search->err))
        search->failed = true;
    for (uint32_t i = 0; i < search->lefts.len; i++)
        if (search->answer.at[i].at != NULL)
            take(search, i, search->answer.at[i].at, search->answer.at[i].n);
    search->failed |= !answers_flush(&search->journal, search->err);
    search->progress->lost += crew.lost;
    vec_clear(&search->lefts);
    vec_clear(&search->number);
    arena_release(&search->step);
}
