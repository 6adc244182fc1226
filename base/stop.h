// SPDX-License-Identifier: Apache-2.0
// Whether long work should end early.  Work asks often, at places where it can end with the
// answers that it has.
#ifndef BASE_STOP_H
#define BASE_STOP_H

#include <stdbool.h>
#include <stddef.h>

struct stop {
    bool (*asked)(void *user); // NULL: never
    void *user;
};

static inline bool stop_asked(const struct stop *stop)
{
    return stop->asked != NULL && stop->asked(stop->user);
}

#endif
