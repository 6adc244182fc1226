// SPDX-License-Identifier: Apache-2.0
#include "explorer/jobs/jobs.h"

#include "base/clock.h"
#include "explorer/limits.h"

#include <signal.h>
#include <sys/wait.h>

static bool of_client(const struct job *job, const char *client)
{
    return strcmp(job->client, client) == 0;
}

static uint32_t count(const struct jobs *jobs, const char *client, enum job_state state)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < jobs->at.len; i++)
        n +=
            jobs->at.at[i]->state == state && (client == NULL || of_client(jobs->at.at[i], client));
    return n;
}

static struct job_start *start_of(struct jobs *jobs, const char *client)
{
    for (uint32_t i = 0; i < jobs->starts.len; i++)
        if (strcmp(jobs->starts.at[i].client, client) == 0)
            return &jobs->starts.at[i];
    return NULL;
}

struct job *jobs_add(struct jobs *jobs, const char *client, bool quick, struct form *form,
                     void (*changed)(void *user, struct job *job), void *user, const char **full)
{
    *full =
        count(jobs, client, JOB_WAITING) + count(jobs, client, JOB_RUNNING) >= EXPLORER_CLIENT_JOBS
            ? "client"
        : count(jobs, NULL, JOB_WAITING) >= EXPLORER_WAITING_JOBS ? "server"
                                                                  : NULL;
    if (*full != NULL)
        return NULL;
    struct job *job = mem_alloc(sizeof *job);
    job->quick = quick;
    job->number = ++jobs->next;
    job->form = *form;
    job->changed = changed;
    job->user = user;
    job->process.in = job->process.out = -1;
    snprintf(job->client, sizeof job->client, "%s", client);
    *form = (struct form){0};
    vec_push(&jobs->at, job);
    if (start_of(jobs, job->client) == NULL) {
        struct job_start start = {.when = 0};
        memcpy(start.client, job->client, sizeof start.client);
        vec_push(&jobs->starts, start);
    }
    return job;
}

static void free_job(struct job *job)
{
    if (job->state == JOB_RUNNING)
        process_end(&job->process);
    form_release(&job->form);
    buf_release(&job->progress);
    buf_release(&job->text);
    mem_free(job);
}

void jobs_drop(struct jobs *jobs, struct job *job)
{
    uint32_t kept = 0;
    bool last = true;
    for (uint32_t i = 0; i < jobs->at.len; i++)
        if (jobs->at.at[i] != job) {
            last = last && !of_client(jobs->at.at[i], job->client);
            jobs->at.at[kept++] = jobs->at.at[i];
        }
    jobs->at.len = kept;
    struct job_start *start = last ? start_of(jobs, job->client) : NULL;
    if (start != NULL)
        *start = vec_pop(&jobs->starts);
    free_job(job);
}

void jobs_release(struct jobs *jobs)
{
    for (uint32_t i = 0; i < jobs->at.len; i++)
        free_job(jobs->at.at[i]);
    vec_release(&jobs->at);
    vec_release(&jobs->starts);
}

uint32_t jobs_before(const struct jobs *jobs, const struct job *job)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < jobs->at.len; i++) {
        const struct job *other = jobs->at.at[i];
        n += job->state == JOB_WAITING && other->state == JOB_WAITING &&
             other->quick == job->quick && other->number < job->number;
    }
    return n;
}

void jobs_wait(const struct jobs *jobs, struct pollfd *fds, uint32_t *n, uint32_t most,
               double *seconds)
{
    double now = clock_wall();
    for (uint32_t i = 0; i < jobs->at.len && *n + 2 <= most; i++) {
        const struct job *job = jobs->at.at[i];
        if (job->state != JOB_RUNNING)
            continue;
        fds[(*n)++] = (struct pollfd){job->process.out, POLLIN, 0};
        if (job->process.in >= 0)
            fds[(*n)++] = (struct pollfd){job->process.in, POLLOUT, 0};
        if (job->deadline - now < *seconds)
            *seconds = job->deadline > now ? job->deadline - now : 0;
    }
}

static void finish(struct job *job, enum message_kind kind, const struct buf *text)
{
    process_end(&job->process);
    job->state = JOB_DONE;
    job->answer = kind;
    buf_clear(&job->text);
    buf_write(&job->text, buf_text(text), text->len);
    form_release(&job->form);
    job->changed(job->user, job);
}

static void refuse(struct job *job, const char *fmt, ...) PRINTF_LIKE(2, 3);
static void refuse(struct job *job, const char *fmt, ...)
{
    va_list list;
    struct buf text = {0};
    va_start(list, fmt);
    buf_vprintf(&text, fmt, list);
    va_end(list);
    finish(job, MESSAGE_REFUSED, &text);
    buf_release(&text);
}

// The process has ended, and left no answer.
static void refuse_ended(struct job *job)
{
    process_end(&job->process);
    int status = job->process.status;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        refuse(job, "The job used %d seconds of processor time and was ended.",
               EXPLORER_JOB_CPU_SECONDS);
    else if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_NO_MEMORY)
        refuse(job, "The job needed more than %d MiB of memory and was ended.", EXPLORER_JOB_MIB);
    else if (WIFSIGNALED(status))
        refuse(job, "The process of the job ended by signal %d. The server goes on.",
               WTERMSIG(status));
    else
        refuse(job,
               "The process of the job ended with status %d and without an answer. The "
               "server goes on.",
               WEXITSTATUS(status));
}

// Takes messages; false: the job is done.
static bool take_messages(struct job *job)
{
    enum message_kind kind;
    struct buf text = {0};
    bool open = true, news = false;
    for (enum message_state state = MESSAGE_WHOLE; open && state == MESSAGE_WHOLE;) {
        state = message_take(&job->process.output, (size_t)EXPLORER_ANSWER_MIB << 20, &kind, &text);
        if (state == MESSAGE_WRONG) {
            open = false;
            refuse(job, "The answer of the job is larger than %d MiB.", EXPLORER_ANSWER_MIB);
        } else if (state == MESSAGE_WHOLE && kind == MESSAGE_PROGRESS) {
            buf_puts(&job->progress, buf_text(&text));
            buf_putc(&job->progress, '\n');
            news = true;
        } else if (state == MESSAGE_WHOLE) {
            open = false;
            finish(job, kind, &text);
        }
    }
    buf_release(&text);
    if (open && news)
        job->changed(job->user, job);
    return open;
}

static void run_job(struct job *job)
{
    bool open = process_run(&job->process);
    if (!take_messages(job))
        return;
    if (!open)
        refuse_ended(job);
    else if (clock_wall() > job->deadline)
        refuse(job, "The job took more than %d seconds and was ended.",
               job->quick ? EXPLORER_QUICK_SECONDS : EXPLORER_JOB_SECONDS);
}

// The waiting job that starts next; NULL: none.
static struct job *next_job(struct jobs *jobs, bool quick)
{
    struct job *best = NULL;
    uint32_t best_running = 0;
    uint64_t best_start = 0;
    for (uint32_t i = 0; i < jobs->at.len; i++) {
        struct job *job = jobs->at.at[i];
        if (job->state != JOB_WAITING || job->quick != quick)
            continue;
        uint32_t running = count(jobs, job->client, JOB_RUNNING);
        const struct job_start *start = start_of(jobs, job->client);
        if (best == NULL || running < best_running ||
            (running == best_running && start->when < best_start)) {
            best = job;
            best_running = running;
            best_start = start->when;
        }
    }
    return best;
}

static void start(struct jobs *jobs, struct job *job)
{
    struct err err = {0};
    start_of(jobs, job->client)->when = ++jobs->next;
    job->deadline = clock_wall() + (job->quick ? EXPLORER_QUICK_SECONDS : EXPLORER_JOB_SECONDS);
    job->state = JOB_RUNNING;
    if (!process_start(&job->process, jobs->program, &job->form, &err))
        refuse(job, "%s", err.msg);
    else
        job->changed(job->user, job);
}

static void start_some(struct jobs *jobs, bool quick, unsigned most)
{
    unsigned running = 0;
    for (uint32_t i = 0; i < jobs->at.len; i++)
        running += jobs->at.at[i]->state == JOB_RUNNING && jobs->at.at[i]->quick == quick;
    for (struct job *job; running < most && (job = next_job(jobs, quick)) != NULL; running++) {
        start(jobs, job);
        for (uint32_t i = 0; i < jobs->at.len; i++)
            if (jobs->at.at[i]->state == JOB_WAITING)
                jobs->at.at[i]->changed(jobs->at.at[i]->user, jobs->at.at[i]);
    }
}

// `changed` may not drop jobs, so the list stays as it is while it is walked.
void jobs_run(struct jobs *jobs)
{
    for (uint32_t i = 0; i < jobs->at.len; i++)
        if (jobs->at.at[i]->state == JOB_RUNNING)
            run_job(jobs->at.at[i]);
    start_some(jobs, true, EXPLORER_QUICK_JOBS);
    start_some(jobs, false, jobs->most);
}
