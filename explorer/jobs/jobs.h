// SPDX-License-Identifier: Apache-2.0
// A fair queue of jobs, each in a process of its own (process.h).
//
// Q1  At most `most` jobs run at a time, and EXPLORER_QUICK_JOBS quick ones beside them.
// Q2  Of the clients with waiting jobs, one with the fewest running jobs is next; of several, the
//     one whose last job started first.  Jobs of one client start in their order.
// Q3  A job always gets an answer: of its own, or why it ended without one.
#ifndef EXPLORER_JOBS_JOBS_H
#define EXPLORER_JOBS_JOBS_H

#include "explorer/jobs/process.h"

#include <poll.h>

enum job_state { JOB_WAITING, JOB_RUNNING, JOB_DONE };

struct job {
    enum job_state state;
    bool quick;
    char client[40];
    uint64_t number; // in the order of arrival
    struct form form;
    struct job_process process;
    double deadline;          // clock_wall()
    struct buf progress;      // lines that were not read yet
    enum message_kind answer; // once the job is done
    struct buf text;          // of the answer
    // New progress, another place, or done.  Must not add or drop jobs.
    void (*changed)(void *user, struct job *job);
    void *user;
};

struct job_start {
    char client[40];
    uint64_t when;
};
struct jobs {
    const char *const *program; // argv of the processes
    unsigned most;
    uint64_t next;
    VEC(struct job *) at;         // in the order of arrival
    VEC(struct job_start) starts; // of clients with jobs
};

// Takes the form.  NULL: there are too many jobs; *full says whose, "client" or "server".
struct job *jobs_add(struct jobs *jobs, const char *client, bool quick, struct form *form,
                     void (*changed)(void *user, struct job *job), void *user, const char **full);
// Kills the job if it runs, and frees it.
void jobs_drop(struct jobs *jobs, struct job *job);
void jobs_release(struct jobs *jobs);
// How many jobs of its kind start before it; 0: it is next, or runs.
uint32_t jobs_before(const struct jobs *jobs, const struct job *job);

// What to wait for, and the seconds until a job reaches its deadline (less than `seconds`).
void jobs_wait(const struct jobs *jobs, struct pollfd *fds, uint32_t *n, uint32_t most,
               double *seconds);
// Does what can be done without waiting: starts, reads, ends.
void jobs_run(struct jobs *jobs);

#endif
