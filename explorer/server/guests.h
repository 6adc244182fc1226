// SPDX-License-Identifier: Apache-2.0
// The connections of a server: who waits to speak, who is served.  Nobody may hold a place
// without using it: a connection that does not complete a request in time, or does not take its
// answer, is cut; so is the one that has been silent for longest, when the places run out.
#ifndef EXPLORER_SERVER_GUESTS_H
#define EXPLORER_SERVER_GUESTS_H

#include "base/memory/vec.h"

#include <stdbool.h>

enum guest_state {
    GUEST_SPEAKS,  // a request is awaited, or not complete
    GUEST_WAITS,   // for the answer to a request
    GUEST_LISTENS, // takes an answer
    GUEST_CUT,
};
struct guest {
    int fd;
    enum guest_state state;
    double since; // clock_wall()
    uint64_t number;
};
struct guests {
    VEC(struct guest *) at;
    uint64_t next;
};

struct guest *guests_add(struct guests *guests, int fd);
void guests_drop(struct guests *guests, struct guest *guest);
void guest_now(struct guest *guest, enum guest_state state);
// Cuts those whose time is over.
void guests_sweep(struct guests *guests);
void guests_release(struct guests *guests);

#endif
