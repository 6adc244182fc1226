// SPDX-License-Identifier: Apache-2.0
#include "api/kernel/kernel.h"
#include "io/ttir/ttir.h"
#include "loops/launch/launch.h"
#include "loops/lift/propose.h"

enum {
    KERNEL_PROPOSALS = 12,   // facts that are tried
    KERNEL_FIRST = 2,        // of them in any case
    KERNEL_QUESTIONS = 3000, // about integers that all tries together may ask, as far as the first
                             // lift foretells it
};

// The file of a place in an argument is the argument.
static bool of_argument(struct err *err, const char *argument)
{
    err_in(err, argument);
    return false;
}

bool kernel_read(struct kernel_job *job, const struct kernel_source *source, struct err *err)
{
    *job = (struct kernel_job){0};
    code_init(&job->program);
    if (!ttir_read(source->text, source->n, source->file, source->kernel, &job->program, err))
        return false;
    if (source->grid != NULL && !launch_grid(&job->program, source->grid, err))
        return of_argument(err, "grid");
    if (source->assume != NULL && !launch_assume(&job->program, source->assume, err))
        return of_argument(err, "assume");
    job->stated = job->program.fact.len;
    return true;
}

// ---- the answers

static const struct kernel_checked *find_checked(const struct kernel_job *job,
                                                 const struct code_statement *statement)
{
    for (uint32_t i = 0; i < job->check.outputs.len; i++)
        if (&job->program.statement.at[job->check.outputs.at[i].statement] == statement)
            return &job->check.outputs.at[i];
    return NULL;
}

void kernel_assume_needs(struct kernel_job *job, const struct kernel_checked *checked)
{
    for (uint32_t i = 0; i < checked->needs.len; i++) {
        struct err err = {0};
        uint32_t facts = job->program.fact.len;
        if (!launch_assume(&job->program, checked->needs.at[i], &err))
            job->program.fact.len = facts;
    }
}

void kernel_validate_nothing(struct validation *out)
{
    out->kind = VALIDATED_UNKNOWN;
    buf_puts(&out->text, "no launch meets all facts");
}

// Do both outputs need the same, so far as it can be stated of a run?
static bool same_needs(struct kernel_job *job, const struct kernel_answer *a,
                       const struct kernel_answer *b)
{
    uint32_t facts = job->program.fact.len;
    kernel_assume_needs(job, a->checked);
    uint32_t middle = job->program.fact.len, n = middle - facts;
    kernel_assume_needs(job, b->checked);
    bool same = job->program.fact.len - middle == n;
    for (uint32_t i = 0; i < n && same; i++)
        same = job->program.fact.at[facts + i].text == job->program.fact.at[middle + i].text;
    job->program.fact.len = facts;
    return same;
}

// Compares runs with the output, and with those behind it that need the same: one run is enough.
static void validate_from(struct kernel_job *job, const struct kernel_source *source,
                          uint32_t first, uint8_t *done)
{
    VEC(struct validation_of) asked = {0};
    uint32_t facts = job->program.fact.len;
    for (uint32_t i = first; i < job->answer.len; i++) {
        struct kernel_answer *answer = &job->answer.at[i];
        if (answer->checked == NULL || done[i] || !same_needs(job, &job->answer.at[first], answer))
            continue;
        done[i] = 1;
        vec_push(&asked, ((struct validation_of){answer->lifted, !answer->checked->proved,
                                                 &answer->validation}));
    }
    kernel_assume_needs(job, job->answer.at[first].checked);
    if (job->impossible)
        for (uint32_t i = 0; i < asked.len; i++)
            kernel_validate_nothing(asked.at[i].out);
    else
        lifting_validate(&job->lifting, asked.len, asked.at, source->seed, source->runs);
    job->program.fact.len = facts;
    vec_release(&asked);
}

static void answer_outputs(struct kernel_job *job, const struct kernel_source *source)
{
    VEC(uint8_t) done = {0};
    vec_zero(&done, job->lifting.outputs.len + 1);
    for (uint32_t i = 0; i < job->lifting.outputs.len; i++) {
        const struct output *output = &job->lifting.outputs.at[i].output;
        struct kernel_answer answer = {.word = KERNEL_REFUSED, .lifted = i};
        if (output->reason == NULL)
            answer.checked = find_checked(job, output->statement);
        vec_push(&job->answer, answer);
    }
    for (uint32_t i = 0; i < job->answer.len; i++) {
        struct kernel_answer *answer = &job->answer.at[i];
        if (answer->checked == NULL)
            continue;
        if (!done.at[i])
            validate_from(job, source, i, done.at);
        bool agrees = answer->validation.kind == VALIDATED_AGREES;
        answer->word = answer->validation.kind == VALIDATED_DIFFERS ? KERNEL_REFUTED
                       : answer->checked->proved && agrees          ? KERNEL_PROVED
                                                                    : KERNEL_DERIVED;
    }
    vec_release(&done);
}

bool kernel_lift(struct kernel_job *job, const struct kernel_source *source, struct err *err)
{
    lifting_run(&job->lifting, &job->program);
    job->lifted = true;
    claim_print(&job->lifting, &job->claim_text);
    job->claimed = true;
    if (!claim_read(buf_text(&job->claim_text), &job->claim, err)) {
        err->kind = ERR_BUG;
        return false;
    }
    kernel_check(&job->program, &job->claim, &job->check);
    job->impossible = job->check.impossible;
    answer_outputs(job, source);
    return true;
}

static uint32_t count_proved(const struct kernel_job *job)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < job->answer.len; i++)
        n += job->answer.at[i].word == KERNEL_PROVED;
    return n;
}

// A counterexample of the job, if it has one, or why an output is refused.
static void put_counterexample(const struct kernel_job *job, struct buf *out)
{
    for (uint32_t i = 0; i < job->answer.len; i++)
        if (job->answer.at[i].word == KERNEL_REFUTED) {
            buf_puts(out, buf_text(&job->answer.at[i].validation.text));
            return;
        }
    for (uint32_t i = 0; i < job->answer.len; i++)
        if (job->answer.at[i].word == KERNEL_REFUSED) {
            const struct output *output = &job->lifting.outputs.at[job->answer.at[i].lifted].output;
            buf_printf(out, "%s is refused, line %u: %s",
                       kernel_output_name(job, &job->answer.at[i]), output->place.line,
                       output->reason);
            return;
        }
}

// The facts of the line that are none of those before, after them.
static void join_facts(const char *before, const char *line, struct buf *out)
{
    buf_puts(out, before);
    for (uint32_t n; *line; line += n + (line[n] ? 2 : 0)) {
        const char *end = strstr(line, ", "), *have = before;
        n = end ? (uint32_t)(end - line) : (uint32_t)strlen(line);
        while (have && (strncmp(have, line, n) || (have[n] && have[n] != ',')))
            have = (have = strstr(have, ", ")) ? have + 2 : NULL;
        if (!have)
            buf_printf(out, "%s%.*s", out->len ? ", " : "", (int)n, line);
    }
}

// Lifts with more facts than those that were proposed.  Replaces the job if more outputs are proved.
static bool try_fact(struct kernel_job *job, const struct kernel_source *source, const char *fact,
                     struct err *err)
{
    struct buf all = {0};
    join_facts(buf_text(&job->proposed), fact, &all);
    struct kernel_job other;
    struct err unused = {0};
    bool better = kernel_read(&other, source, err) &&
                  launch_assume(&other.program, buf_text(&all), &unused) &&
                  kernel_lift(&other, source, err) && count_proved(&other) > count_proved(job);
    if (better) {
        struct kernel_job old = *job;
        *job = other;
        other = old;
        job->proposed = all;
        all = (struct buf){0};
        put_counterexample(&old, &job->without);
        job->lifting.s.program = &job->program;
    }
    buf_release(&all);
    kernel_release(&other);
    return better;
}

bool kernel_lift_proposing(struct kernel_job *job, const struct kernel_source *source,
                           struct err *err)
{
    struct buf facts = {0};
    if (!kernel_lift(job, source, err))
        return false;
    if (count_proved(job) == job->answer.len || job->impossible)
        return true;
    propose_facts(&job->program, &facts);
    char *line = facts.at;
    uint32_t questions = job->lifting.in.asked + job->claim.in.asked;
    for (uint32_t i = 0; line != NULL && i < KERNEL_PROPOSALS &&
                         (i < KERNEL_FIRST || (uint64_t)(i + 1) * questions <= KERNEL_QUESTIONS);
         i++) {
        char *end = strchr(line, '\n');
        if (end != NULL)
            *end = '\0';
        if (*line != '\0' && try_fact(job, source, line, err) &&
            count_proved(job) == job->answer.len)
            break;
        line = end != NULL ? end + 1 : NULL;
    }
    buf_release(&facts);
    return err->kind == ERR_NONE;
}

void kernel_release(struct kernel_job *job)
{
    for (uint32_t i = 0; i < job->answer.len; i++)
        validation_release(&job->answer.at[i].validation);
    vec_release(&job->answer);
    kernel_check_release(&job->check);
    if (job->claimed)
        claim_release(&job->claim);
    if (job->lifted)
        lifting_release(&job->lifting);
    buf_release(&job->claim_text);
    buf_release(&job->proposed);
    buf_release(&job->without);
    code_release(&job->program);
}

const char *kernel_word_text(enum kernel_word word)
{
    static const char *const texts[] = {[KERNEL_PROVED] = "proved",
                                        [KERNEL_DERIVED] = "derived",
                                        [KERNEL_REFUSED] = "refused",
                                        [KERNEL_REFUTED] = "refuted"};
    return texts[word];
}

const char *kernel_output_name(const struct kernel_job *job, const struct kernel_answer *answer)
{
    const struct output *output = &job->lifting.outputs.at[answer->lifted].output;
    return code_parameter_name(&job->program, output->statement->array);
}

const char *kernel_formula(const struct kernel_job *job, const struct kernel_answer *answer)
{
    if (answer->word == KERNEL_REFUSED)
        return NULL;
    return buf_text(&job->lifting.outputs.at[answer->lifted].written.text);
}
