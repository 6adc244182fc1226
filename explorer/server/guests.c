// SPDX-License-Identifier: Apache-2.0
#include "explorer/server/guests.h"

#include "base/clock.h"
#include "explorer/limits.h"

#include <sys/socket.h>

// The server closes the connection when it next looks at it.
static void cut(struct guest *guest)
{
    shutdown(guest->fd, SHUT_RDWR);
    guest->state = GUEST_CUT;
}

static void make_room(struct guests *guests)
{
    struct guest *oldest = NULL;
    uint32_t n = 0;
    for (uint32_t i = 0; i < guests->at.len; i++) {
        struct guest *guest = guests->at.at[i];
        n += guest->state != GUEST_CUT;
        if (guest->state == GUEST_SPEAKS && (oldest == NULL || guest->since < oldest->since))
            oldest = guest;
    }
    if (n > EXPLORER_CONNECTIONS && oldest != NULL)
        cut(oldest);
}

struct guest *guests_add(struct guests *guests, int fd)
{
    struct guest *guest = mem_alloc(sizeof *guest);
    *guest = (struct guest){fd, GUEST_SPEAKS, clock_wall(), ++guests->next};
    vec_push(&guests->at, guest);
    make_room(guests);
    return guest;
}

void guests_drop(struct guests *guests, struct guest *guest)
{
    for (uint32_t i = 0; i < guests->at.len; i++)
        if (guests->at.at[i] == guest) {
            guests->at.at[i] = vec_last(&guests->at);
            (void)vec_pop(&guests->at);
            break;
        }
    mem_free(guest);
}

void guest_now(struct guest *guest, enum guest_state state)
{
    if (guest == NULL || guest->state == GUEST_CUT)
        return;
    guest->state = state;
    guest->since = clock_wall();
}

void guests_sweep(struct guests *guests)
{
    static const double patience[] = {
        [GUEST_SPEAKS] = EXPLORER_REQUEST_SECONDS, [GUEST_LISTENS] = 3 * EXPLORER_REQUEST_SECONDS};
    double now = clock_wall();
    for (uint32_t i = 0; i < guests->at.len; i++) {
        struct guest *guest = guests->at.at[i];
        bool timed = guest->state == GUEST_SPEAKS || guest->state == GUEST_LISTENS;
        if (timed && now - guest->since > patience[guest->state])
            cut(guest);
    }
}

void guests_release(struct guests *guests)
{
    for (uint32_t i = 0; i < guests->at.len; i++)
        mem_free(guests->at.at[i]);
    vec_release(&guests->at);
}
