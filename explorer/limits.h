// SPDX-License-Identifier: Apache-2.0
// The limits of explorer/, one table.  The code uses the constants.
#ifndef EXPLORER_LIMITS_H
#define EXPLORER_LIMITS_H

#include "base/limit.h"

// clang-format off
#define EXPLORER_LIMITS(X) \
    X(EXPLORER_CONNECTIONS, 600, "connections", "served at a time; the one that has been silent for longest gives way to the next") \
    X(EXPLORER_CONNECTION_KIB, 32, "KiB", "memory of a connection; the head of a request must fit") \
    X(EXPLORER_REQUEST_SECONDS, 20, "seconds", "within which a request must be complete, and a silent connection says something") \
    X(EXPLORER_BODY_KIB, 8192, "KiB", "the body of a request; records of large programs fit") \
    X(EXPLORER_BODIES_MIB, 64, "MiB", "bodies of all requests together") \
    X(EXPLORER_FIELDS, 32, "fields", "no form of the explorer has more") \
    X(EXPLORER_WAITING_JOBS, 400, "jobs", "that may wait at a time") \
    X(EXPLORER_CLIENT_JOBS, 8, "jobs", "of one client that may wait or run at a time") \
    X(EXPLORER_QUICK_JOBS, 2, "jobs", "that only read a text, and run beside the others") \
    X(EXPLORER_JOB_SECONDS, 1800, "seconds", "a net for jobs that wait for nothing; busy machines are slow") \
    X(EXPLORER_JOB_CPU_SECONDS, 240, "seconds", "a net: what a job does is limited in steps") \
    X(EXPLORER_QUICK_SECONDS, 10, "seconds", "a net for jobs that only read a text") \
    X(EXPLORER_JOB_MIB, 4096, "MiB", "address space of a job") \
    X(EXPLORER_ANSWER_MIB, 16, "MiB", "answer of a job") \
    X(EXPLORER_RULES, 20, "rules", "of one text that a job proves, repairs or widens") \
    X(EXPLORER_PICTURE_NODES, 300, "nodes", "of a picture of an e-graph; more help no reader") \
    X(EXPLORER_DOWNLOAD_KIB, 4096, "KiB", "records that a page carries; of larger ones the command line makes files")
// clang-format on
enum { EXPLORER_LIMITS(LIMIT_CONSTANT) };
extern const struct limit explorer_limits[];
extern const unsigned n_explorer_limits;

#endif
