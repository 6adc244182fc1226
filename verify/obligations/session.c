// SPDX-License-Identifier: Apache-2.0
#include "verify/obligations/session.h"
#include "base/clock.h"
#include "verify/symbolic/eval.h"
#include <stdarg.h>

#define DEFAULT_RLIMIT 4000000
#define DEFAULT_TIMEOUT_MS 4000
#define DEFAULT_SECONDS 60.0

void session_init(struct session *s, const struct rule *r,
                  const struct decide_options *o, struct arena *mem)
{
    *s = (struct session){.r = r, .mem = mem, .o = *o, .reason = ""};
    if (s->o.rlimit == 0)
        s->o.rlimit = DEFAULT_RLIMIT;
    if (s->o.timeout_ms == 0)
        s->o.timeout_ms = DEFAULT_TIMEOUT_MS;
    if (s->o.seconds_per_rule <= 0)
        s->o.seconds_per_rule = DEFAULT_SECONDS;
    exprs_init(&s->x);
    polys_init(&s->p, &s->x);
    smt_init(&s->smt, s->o.rlimit, s->o.timeout_ms);
    s->smt.keep_text = s->o.smt2 != NULL || s->o.solver != SOLVER_Z3;
    s->smt.deadline = clock_wall() + s->o.seconds_per_rule;
    linear_init(&s->l, &s->x, &s->p, &s->smt, r);
    linear_init(&s->swap, &s->x, &s->p, &s->smt, r);
    linear_init(&s->ideal, &s->x, &s->p, &s->smt, r);
    s->swap.commutative = true;
    s->ideal.integers = true;
    s->goal = GRADE_EXACT;
    for (uint32_t i = 0; i < r->n_pats; i++)
        s->x.keep_picks |= denote_is_sum(&r->pats[i]);
}

void session_release(struct session *s)
{
    linear_release(&s->l);
    linear_release(&s->swap);
    linear_release(&s->ideal);
    smt_release(&s->smt);
    polys_release(&s->p);
    exprs_release(&s->x);
    vec_release(&s->pairs);
    vec_release(&s->leaves);
    vec_release(&s->done);
    script_release(&s->script);
}

const char *session_text(struct session *s, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return arena_strdup(s->mem, text);
}

struct stopwatch session_start(struct session *s)
{
    return (struct stopwatch){clock_wall(), s->smt.effort, smt_mark(&s->smt)};
}

static void record_section(struct session *s, uint32_t mark,
                           const struct obligation *o)
{
    struct buf title = {0};
    buf_printf(&title, "%s: %s", obligation_kind_text(o->kind), o->detail);
    if (o->ranks[0] != '\0')
        buf_printf(&title, ", at ranks %s", o->ranks);
    const char *remark = "";
    if (o->verdict != VERDICT_PROVED) {
        smt_forget(&s->smt, mark);
        remark = session_text(s, "not proved: %s", o->reason);
    } else if (smt_mark(&s->smt) == mark) {
        remark = o->kind == OBLIGATION_NONEMPTY
                     ? "by evaluation, without the solver"
                     : "by normal forms, without the solver";
    }
    script_end(s, mark, buf_text(&title), remark);
    buf_release(&title);
}

void session_record(struct session *s, struct stopwatch t,
                    enum obligation_kind kind, const char *ranks,
                    const char *detail, bool proved, const char *reason)
{
    struct obligation o = {
        .kind = kind,
        .ranks = arena_strdup(s->mem, ranks),
        .detail = arena_strdup(s->mem, detail),
        .verdict = proved ? VERDICT_PROVED : VERDICT_UNKNOWN,
        .reason = proved ? "" : arena_strdup(s->mem, reason),
        .seconds = clock_wall() - t.wall,
        .effort = s->smt.effort - t.effort,
    };
    vec_push(&s->done, o);
    if (s->smt.keep_text)
        record_section(s, t.mark, &o);
}

const char *session_ranks(struct session *s, const uint32_t *rank)
{
    struct buf b = {0};
    for (uint32_t c = 0; c < s->r->n_classes; c++)
        buf_printf(&b, "%s%s=%u", c == 0 ? "" : " ", s->r->classes[c].name,
                   (unsigned)rank[c]);
    const char *out = arena_strdup(s->mem, buf_text(&b));
    buf_release(&b);
    return out;
}

int64_t session_model_value(struct session *s, struct denote *d,
                            const struct linear_model *m, uint32_t map,
                            uint32_t place)
{
    int64_t v = 0;
    const struct iexp e = {.op = IE_MAP, .map = map};
    if (m == NULL)
        return 0;
    struct eval_env env = {
        .x = &s->x, .value = m->value.at, .n_values = m->value.len};
    return eval_int(&env, denote_iexp(d, &e, place), &v) ? v : 0;
}

// Do the integers satisfy every hypothesis?
static bool satisfies(struct session *s, struct denote *d,
                      const struct linear_model *m)
{
    struct clauses h = {{0}};
    bool ok = m != NULL;
    hypotheses(d, &h);
    for (uint32_t i = 0; i < h.at.len && ok; i++) {
        struct eval_env env = {
            .x = &s->x, .value = m->value.at, .n_values = m->value.len};
        bool truth = false;
        ok = eval_truth(&env, h.at.at[i].cond, &truth) && truth;
    }
    vec_release(&h.at);
    return ok;
}

void session_hint(struct session *s, enum obligation_kind kind,
                  unsigned domains, struct denote *d,
                  const struct linear_model *m)
{
    const struct rule *r = s->r;
    if (s->o.hints == NULL || s->o.hints->at.len >= 16)
        return;
    struct hint h = {.kind = kind, .domains = domains};
    h.rank = ARENA_NEW(s->mem, uint32_t, r->n_classes + 1);
    memcpy(h.rank, d->rank, r->n_classes * sizeof *h.rank);
    h.map = ARENA_NEW(s->mem, int64_t *, r->n_maps + 1);
    for (uint32_t i = 0; i < r->n_maps; i++) {
        uint32_t rank = d->rank[r->maps[i].cls];
        h.map[i] = ARENA_NEW(s->mem, int64_t, rank + 1);
        for (uint32_t k = 0; k < rank; k++)
            h.map[i][k] = session_model_value(s, d, m, i, k);
    }
    h.exact = satisfies(s, d, m);
    vec_push(&s->o.hints->at, h);
}

void clauses_append(const struct clauses *c, uint32_t family,
                    struct u32_vec *out)
{
    for (uint32_t i = 0; i < c->at.len; i++)
        if (family == NONE || c->at.at[i].family == family)
            vec_push(out, c->at.at[i].cond);
}

void hypotheses(struct denote *d, struct clauses *out)
{
    denote_where(d, out);
    denote_valid(d, d->r->lhs, out);
    for (uint32_t w = 0; w < d->r->n_wheres; w++)
        if (d->r->wheres[w].cond == NULL)
            denote_valid(d, d->r->wheres[w].pat, out);
}
