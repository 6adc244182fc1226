// SPDX-License-Identifier: Apache-2.0
// The process of one job: another run of a program, with the form on its standard input and
// messages (message.h) on its standard output.  No function here blocks.
//
// R1  The process has no other open files, and a group of its own, which is killed with it.
// R2  The process ends if this process ends, and at the latest by its CPU limit.
#ifndef EXPLORER_JOBS_PROCESS_H
#define EXPLORER_JOBS_PROCESS_H

#include "explorer/jobs/form.h"
#include "explorer/jobs/message.h"

#include <sys/types.h>

struct job_process {
    pid_t pid;
    int in, out; // -1: closed
    struct buf input, output;
    size_t written;
    int status; // of waitpid, once process_end was called
};

bool process_start(struct job_process *process, const char *const *argv, const struct form *form,
                   struct err *err);
// Does what can be done without waiting.  False: the process has closed its output.
bool process_run(struct job_process *process);
// Kills the process and what it has started, and waits for its end.
void process_end(struct job_process *process);

#endif
