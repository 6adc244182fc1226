// SPDX-License-Identifier: Apache-2.0
// The other end of a job: reads a form, does its task, and writes the answer as a part of a page.
// Runs in a process of its own.
#ifndef EXPLORER_PLAY_WORK_H
#define EXPLORER_PLAY_WORK_H

#include "explorer/jobs/form.h"
#include "explorer/jobs/message.h"
#include "include/rankwright.h"

struct play_home {
    struct rw_context *context;
    struct rw_database *database; // NULL: there is none, for this reason:
    const char *no_database;
    int in, out; // file descriptors
};
// False: nobody reads the answer, or there is no form to read.
bool play_work(const struct play_home *home);

// ---- for the tasks (play_NAME in explorer/play/)

struct play {
    const struct play_home *home;
    const struct form *form;
    struct rw_context *context;
    struct buf out;
    enum message_kind kind; // of *out; 0: MESSAGE_HTML
};

// Sends a line about how far the task is.
void play_progress(const struct play *play, const char *fmt, ...) PRINTF_LIKE(2, 3);
// Appends what went wrong, with the place in the text.
void play_error(const struct rw_error *error, struct buf *out);
// <p class="error"> and the text.
void play_refuse(const char *text, struct buf *out);
// False: there is no database, and the answer says why.
bool play_has_database(struct play *play);
// A button that asks the page at `path` for a task about the text.
void play_offer(const char *path, const char *task, const char *label, const char *text, size_t n,
                struct buf *out);
// Reads the rules of the field "text"; appends all errors.  NULL: there is no rule.
struct rw_rules *play_rules(struct play *play);

void play_prove(struct play *play);
void play_smt2(struct play *play);
void play_check(struct play *play);
void play_words(struct play *play);
void play_repair(struct play *play);
void play_generalize(struct play *play);
void play_lint(struct play *play);
void play_known(struct play *play);
void play_relatives(struct play *play);
void play_simplify(struct play *play);
void play_missed(struct play *play);
void play_egraph(struct play *play);
void play_formula(struct play *play);
void play_lift(struct play *play);
void play_learn(struct play *play);
void play_record(struct play *play);

#endif
