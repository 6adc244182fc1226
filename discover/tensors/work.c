// SPDX-License-Identifier: Apache-2.0
#include "discover/tensors/core.h"
#include "base/clock.h"
#include "base/hash.h"
#include "discover/tensors/parallel.h"

static void send_text(const char *text, struct buf *out)
{
    uint32_t n = text != NULL ? (uint32_t)strlen(text) + 1 : 0;
    buf_write(out, &n, sizeof n);
    buf_write(out, text, n);
}

static char *take_text(struct rule_search *w, const char **at)
{
    uint32_t n;
    memcpy(&n, *at, sizeof n);
    *at += sizeof n;
    char *text = n > 0 ? arena_strndup(&w->mem, *at, n - 1) : NULL;
    *at += n;
    return text;
}

static void work(void *ctx, uint32_t job, struct buf *out)
{
    struct rule_search *w = ctx;
    struct search_progress before = *w->p;
    struct solve_counts counts = w->counts;
    vec_clear(&w->wave);
    bool any = search_left_side(w, &w->lefts.at[job]);
    struct sent_counts s = {.pairs = w->p->pairs - before.pairs,
                     .solved = w->p->solved - before.solved,
                     .broken = w->p->broken - before.broken,
                     .fits = w->counts.fits - counts.fits,
                     .evaluations = w->counts.evaluations - counts.evaluations,
                     .candidates = w->wave.len,
                     .promising = any};
    buf_write(out, &s, sizeof s);
    for (uint32_t i = 0; i < w->wave.len; i++) {
        const struct rule_candidate *c = &w->wave.at[i];
        buf_write(out, c, sizeof *c);
        send_text(c->text, out);
        for (unsigned k = 0; k < SKETCH_SLOTS; k++)
            send_text(c->r.slot[k], out);
        for (unsigned k = 0; k < SKETCH_CLASSES; k++)
            send_text(c->r.where[k], out);
    }
}

static void take(void *ctx, uint32_t job, const char *at, size_t n)
{
    struct rule_search *w = ctx;
    struct sent_counts s;
    (void)n;
    memcpy(&s, at, sizeof s);
    at += sizeof s;
    w->p->pairs += s.pairs;
    w->p->solved += s.solved;
    w->p->broken += s.broken;
    w->counts.fits += s.fits;
    w->counts.evaluations += s.evaluations;
    if (s.promising)
        vec_push(&w->promising, w->number.at[job]);
    for (uint32_t i = 0; i < s.candidates; i++) {
        struct rule_candidate c;
        memcpy(&c, at, sizeof c);
        at += sizeof c;
        c.text = take_text(w, &at);
        for (unsigned k = 0; k < SKETCH_SLOTS; k++)
            c.r.slot[k] = take_text(w, &at);
        for (unsigned k = 0; k < SKETCH_CLASSES; k++)
            c.r.where[k] = take_text(w, &at);
        c.rule = search_parse(w, c.text);
        if (c.rule == NULL || !search_is_new(w, &c))
            continue;
        c.number = w->p->candidates++;
        vec_push(&w->wave, c);
    }
}

static uint64_t left_key(const struct sketch *l)
{
    return hash_u64(sketch_hash(l), 0x1ef7);
}

// An answer of a left side: from another process, or from the journal.
static void receive(void *ctx, uint32_t job, const char *at, size_t n)
{
    struct rule_search *w = ctx;
    uint32_t left = w->asked.at[job];
    char *copy = arena_alloc(&w->step, n);
    memcpy(copy, at, n);
    w->answer.at[left] = (struct answer){.at = copy, .n = (uint32_t)n};
    answers_put(&w->journal, left_key(&w->lefts.at[left]), at, (uint32_t)n);
}

static void work_one(void *ctx, uint32_t job, struct buf *out)
{
    struct rule_search *w = ctx;
    work(w, w->asked.at[job], out);
}

// All answers are taken in the order of left sides, wherever they come from.
void search_solve_wave(struct rule_search *w)
{
    struct parallel_jobs crew = {
        .processes = w->o->jobs, .work = work_one, .take = receive, .ctx = w};
    if (w->o->seconds > 0) { // what is not done by then counts as lost
        double left = w->begin + w->o->seconds - clock_wall();
        crew.seconds = left > 1 ? left : 1;
    }
    vec_clear(&w->wave);
    vec_clear(&w->asked);
    vec_clear(&w->answer);
    for (uint32_t i = 0; i < w->lefts.len; i++) {
        const struct answer *old =
            answers_find(&w->journal, left_key(&w->lefts.at[i]));
        vec_push(&w->answer, old ? *old : (struct answer){0});
        if (old == NULL)
            vec_push(&w->asked, i);
    }
    if (w->asked.len > 0 && !parallel_run(&crew, w->asked.len, w->e))
        w->failed = true;
    for (uint32_t i = 0; i < w->lefts.len; i++)
        if (w->answer.at[i].at != NULL)
            take(w, i, w->answer.at[i].at, w->answer.at[i].n);
    w->failed |= !answers_flush(&w->journal, w->e);
    w->p->lost += crew.lost;
    vec_clear(&w->lefts);
    vec_clear(&w->number);
    arena_release(&w->step);
}
